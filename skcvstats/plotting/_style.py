"""Colours, marks and names that the displays share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

# Okabe and Ito's colours, which colour-blind readers can tell apart too.
BLUE, VERMILION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
ORANGE, SKY = "#E69F00", "#56B4E9"
GREY = "#7F7F7F"  # as far from white as from black, so that it is seen on both

# What each outcome of a comparison looks like: colour, marker, and whether it is filled.
_MARKS = {
    "above": (BLUE, "o", True),
    "below": (VERMILION, "s", True),
    "not shown": (GREY, "o", False),
    "undetermined": (GREY, "X", False),
}
WIDEST_NAME = 32  # characters in a line

# Where a word too long for a line may be broken: behind these, though not within a number such as
# 0.1 or 1e-5; and where that is not enough, before a capital.
_PIECE = re.compile(r"(?<=[_(/])|(?<=[,.-])(?!\d)")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")


def ink(ax: Any) -> Any:
    """Return the colour that the axes write in: black, or white on a dark ground."""
    return ax.xaxis.label.get_color()


def mark_of(outcome: str, ax: Any) -> dict[str, Any]:
    """Return the look of an outcome of a comparison, for `ax.plot`."""
    colour, marker, filled = _MARKS[outcome]
    face = colour if filled else ax.get_facecolor()
    return {"color": colour, "marker": marker, "mfc": face, "ms": 6, "ls": ""}


def light(ax: Any) -> None:
    """Take away the frame but for the axis below, and have few marks on it."""
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    ax.set_axisbelow(True)
    ax.xaxis.grid(True, alpha=0.35, lw=0.8)


def plain_text(name: str) -> str:
    """Return a name that matplotlib prints as it is, instead of as mathematics."""
    return name.replace("$", r"\$")


def wrapped(name: str, width: int = WIDEST_NAME) -> str:
    """Break a long name into lines: between words, and within those that are too long."""
    if len(name) <= width and name.isprintable():
        return name
    lines = [""]
    for word in name.split():
        start, *more = _pieces(word, width)
        if lines[-1] and len(lines[-1]) + 1 + len(start) <= width:
            start = f"{lines.pop()} {start}"
        lines.append(start)
        for piece in more:
            if len(lines[-1]) + len(piece) <= width:
                piece = lines.pop() + piece
            lines.append(piece)
    return "\n".join(lines).lstrip("\n") or name


def wrapped_difference(names: Sequence[str], width: int = WIDEST_NAME) -> str:
    """Write one name, or two as a difference, the second in a line of its own where it is long."""
    difference = " \N{MINUS SIGN} ".join(names)
    if len(names) == 1 or len(difference) <= width:
        return wrapped(difference, width)
    return " \N{MINUS SIGN}\n".join(wrapped(name, width) for name in names)


def _pieces(word: str, width: int) -> list[str]:
    """Split a word that is too long for a line where it may be broken, else anywhere."""
    pieces = [word]
    for split in (_PIECE.split, _HUMP.split, lambda part: re.findall(f".{{1,{width}}}", part)):
        pieces = [
            part
            for piece in pieces
            for part in (split(piece) if len(piece) > width else [piece])
            if part
        ]
    return pieces
