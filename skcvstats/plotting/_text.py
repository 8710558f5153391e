"""Names, labels and legends: broken into lines, and never read as mathematics."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Sequence
from typing import Any

from .._utils._text import visible

WIDEST_NAME = 32  # characters in a line
_EM = 0.56  # width of a character, as a share of the font size
SMALL = 0.833  # of the usual font size
_KEY = 5  # characters that the mark of a legend takes
_MOST_COLUMNS = 3
_LINE = 0.18  # inches of a line of a legend
_NARROWER = 0.8  # than they are now, may a layout make axes
_WIDEST_SHARE = 0.4  # of the width of axes, for letters
_MOST_FREE = 0.6  # of the height of axes, for the legend
_SHORT = 20  # characters of a name that has room in a panel
_BREAK = "\N{ZERO WIDTH SPACE}"
_ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"


def plain_text(name: str) -> str:
    """Return text that matplotlib prints as it is, instead of as mathematics.

    Line breaks are kept: those within a name were escaped before it was broken into lines.
    """
    return "\n".join(map(visible, name.split("\n"))).replace("$", r"\$")


def wrapped(name: str, width: int = WIDEST_NAME) -> str:
    """Break a long name into lines: at spaces, and within long words after ``(_/``."""
    name = visible(name)
    if len(name) <= width:
        return name
    # textwrap breaks lines only at spaces: they are put into long words, and removed afterwards.
    spaced = re.sub(
        rf"\S{{{width + 1},}}",
        lambda word: re.sub(r"(?<=\w[(_/])(?=\S)", f"{_BREAK} ", word[0]),
        name,
    )
    lines = textwrap.wrap(spaced, width, break_on_hyphens=False)
    return "\n".join(lines).replace(f"{_BREAK} ", "").replace(_BREAK, "") or name


def shortened(names: Sequence[str], most: int) -> dict[str, str]:
    """Leave out the middle of names that are too long, so that they still differ if possible."""
    long = [name for name in dict.fromkeys(names) if len(name) > most]
    differ_from = _n_common(long) if len(long) > 1 else most
    best: dict[str, str] = {}
    for head, start in ((most // 2, None), (most // 2, differ_from), (most // 4, differ_from)):
        cut = {name: _without_middle(name, most, head, start) for name in long}
        found = {name: cut.get(name, name) for name in names}
        if len(set(found.values())) > len(set(best.values())):
            best = found
    return best


def _n_common(names: Sequence[str]) -> int:
    """Return the length of the longest common beginning of names."""
    characters = zip(*names, strict=False)
    return next((k for k, one in enumerate(characters) if len(set(one)) > 1), min(map(len, names)))


def _without_middle(name: str, most: int, head: int, start: int | None) -> str:
    """Keep the beginning of a name, and its end or a later part."""
    n_left = most - head - 1
    start = len(name) - n_left if start is None else min(start, len(name) - n_left)
    if start <= head:  # the beginning already shows the difference
        return f"{name[: most - 1]}{_ELLIPSIS}"
    rest = name[start : start + n_left]
    more = start + n_left < len(name)
    return f"{name[:head]}{_ELLIPSIS}{rest[:-1] + _ELLIPSIS if more else rest}"


def wrapped_difference(names: Sequence[str], width: int = WIDEST_NAME) -> str:
    """Write a name, or two as a difference; a long second name has its own line."""
    difference = " \N{MINUS SIGN} ".join(names)
    if len(names) == 1 or len(difference) <= width:
        return wrapped(difference, width)
    return " \N{MINUS SIGN}\n".join(wrapped(name, width) for name in names)


def directions(first: str = "", second: str = "") -> tuple[str, str]:
    """Say which estimator is better to the left and to the right, by short names if given."""
    if not first or max(len(first), len(second)) > _SHORT:
        first, second = "first", "second"
    first, second = visible(first), visible(second)
    left, right = "\N{LEFTWARDS ARROW}", "\N{RIGHTWARDS ARROW}"
    return f"{left} {second} better", f"{first} better {right}"


def facing_directions(first: str = "", second: str = "") -> tuple[str, str]:
    """Say the same, long and short, if the first name is on the right of its row."""
    sides = directions(first, second)
    if sides == directions():
        sides = directions("name on the right", "name on the left")
    return "   ".join(sides), "   ".join(directions("right", "left"))


def fitted(ax: Any, text: str, *, upright: bool = False) -> str:
    """Break a text into lines that fit the width or height of the axes."""
    pixels = ax.bbox.height if upright else ax.bbox.width
    return _broken(text, _characters(ax, pixels))


def add_legend(axes: Sequence[Any], handles: Sequence[Any], *, own: bool, title: str = "") -> Any:
    """Add a legend: below the panels of a new figure, else above the data.

    A new figure grows by the height of the legend. In the user's axes the vertical axis is extended
    above the data, and the legend is there, in the first axes.
    """
    place = axes[0].figure if own else axes[0]
    share = _NARROWER if moves(axes[0]) and not own else 1
    width = int(_characters(axes[0], share * place.bbox.width) / SMALL)
    title = _broken(title, width)
    labels = [_broken(handle.get_label(), width - _KEY) for handle in handles]
    longest = max((len(label) + _KEY for label in labels), default=width)
    columns = max(1, min(width // longest, _MOST_COLUMNS, len(labels)))
    n_label_lines = sum(label.count("\n") + 1 for label in labels)
    n_lines = math.ceil(n_label_lines / columns) + title.count("\n") + 2
    if own:
        place.set_figheight(place.get_figheight() + _LINE * n_lines)
    else:
        _leave_free(axes, _LINE * n_lines / (place.bbox.height / place.figure.dpi))
    return place.legend(
        handles,
        # A space, because matplotlib 3.9 leaves out labels that start with an underscore.
        [f" {label}" if label.startswith("_") else label for label in labels],
        title=title or None,
        title_fontsize="small",
        fontsize="small",
        alignment="left",
        ncols=columns,
        loc="outside lower center" if own else "upper left",
        frameon=not own,
        framealpha=1,
        facecolor=axes[0].get_facecolor(),
    )


def moves(ax: Any) -> bool:
    """Whether a layout makes room for labels and legends around the axes."""
    return ax.figure.figure.get_layout_engine() is not None  # the whole one, of a subfigure too


def share_of_width(ax: Any, n_characters: int) -> float:
    """Return the share of the width of axes that this many small characters take."""
    if not n_characters:
        return 0.0
    width = _characters(ax, (_NARROWER if moves(ax) else 1) * ax.bbox.width) / SMALL
    return min((n_characters + 1) / width, _WIDEST_SHARE)


def _leave_free(axes: Sequence[Any], share: float) -> None:
    """Extend the vertical axes above the data, so that this share of them is free."""
    limits = [ax.get_ylim() for ax in axes]  # all of them first: axes may share theirs
    share = min(share, _MOST_FREE)
    for ax, (bottom, top) in zip(axes, limits, strict=True):
        ax.set_ylim(bottom, bottom + (top - bottom) / (1 - share))


def _characters(ax: Any, pixels: float) -> int:
    """Return about how many characters of an axis label fit into this many pixels."""
    return max(int(72 * pixels / ax.figure.dpi / (_EM * ax.xaxis.label.get_size())), 8)


def _broken(text: str, width: int) -> str:
    return plain_text("\n".join(wrapped(line, width) for line in text.split("\n")))
