"""Axes, texts that fit them, legends and looks; only this file imports matplotlib."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from .._utils._text import visible

Looks = dict[str, dict[str, Any]]  # matplotlib's properties by the name of the argument

_EM = 0.56  # width of a character, as a share of the font size
_SMALL = 0.833  # of the usual font size
_KEY = 5  # characters that the mark of a legend takes
_MOST_COLUMNS = 3
_MOST_FREE = 0.6  # of the height of axes, for the legend
_SHORT = 20  # characters of a name that has room in a label
_SIDES = "   "  # between the words for the left and for the right
# At spaces, and within words after ``(_/``.
_BREAKS = re.compile(r"(\s+|(?<=\w[(_/])(?=\S))")


def new_axes(display: Any, n_rows: int = 1, n_columns: int = 1, **options: Any) -> np.ndarray:
    """Return axes in a new figure, whose layout makes room for labels and legends."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(
            f"{type(display).__name__}.plot needs matplotlib, which is not installed: pip install "
            '"skcvstats[plots]"'
        ) from error
    _, axes = plt.subplots(n_rows, n_columns, squeeze=False, layout="constrained", **options)
    return np.ravel(axes)


def axes_for(display: Any, ax: Any, panels: Sequence[str]) -> np.ndarray:
    """Return the axes given, one for each panel, or new ones beside each other."""
    if ax is None:
        n_panels = len(panels)
        size = None if n_panels == 1 else (1.2 + 3.8 * n_panels, 4.2)
        return new_axes(display, 1, n_panels, figsize=size)
    from matplotlib.axes import Axes

    given = np.ravel(np.asarray(ax, dtype=object))
    for axes in given:
        if not isinstance(axes, Axes):
            raise TypeError(
                f"{type(display).__name__}.plot needs matplotlib Axes for ax=, such as "
                f"plt.subplots()[1], got {axes!r} of type {type(axes).__name__}. Leave ax= out "
                "for a new figure."
            )
    if len(given) != len(panels):
        raise ValueError(
            f"{type(display).__name__}.plot needs {len(panels)} axes, one for each of "
            f"{list(panels)}, got {len(given)}. Pass an array of as many, or choose what to draw, "
            "such as one metric by metric=."
        )
    return given


@contextmanager
def unseen_figures(style: dict[Any, Any]) -> Iterator[None]:
    """Draw in a style without showing: figures made in the context are closed, with any backend."""
    import matplotlib.pyplot as plt

    before = set(plt.get_fignums())
    with plt.ioff(), plt.rc_context({"svg.hashsalt": "skcvstats", **style}):
        try:
            yield
        finally:
            for number in set(plt.get_fignums()) - before:
                plt.close(number)


def check_drawable(result: Any, *kinds: type) -> None:
    """Raise TypeError if a display cannot draw a result of this class."""
    if not isinstance(result, kinds):
        names = " or ".join(kind.__name__ for kind in kinds)
        raise TypeError(
            f"result is of type {type(result).__name__}; it must be a {names}. Pass what the "
            "function that compares, tests or simulates returned; of a comparison, a single test "
            "is result.tests[0]."
        )


def check_kwargs(display: Any, **given: Any) -> Looks:
    """Return the keyword arguments of artists; None becomes an empty dict."""
    for name, kwargs in given.items():
        if kwargs is not None and not isinstance(kwargs, Mapping):
            raise TypeError(
                f"{type(display).__name__}.plot needs a dict of matplotlib properties for {name}=, "
                f"such as {{'color': 'black'}}, got {kwargs!r} of type {type(kwargs).__name__}."
            )
    return {name: dict(kwargs or {}) for name, kwargs in given.items()}


def merged(ours: dict[str, Any], given: dict[str, Any], *, band: bool = False) -> dict[str, Any]:
    """Merge properties of a line or a band; given ones take precedence, under any alias."""
    from matplotlib.cbook import normalize_kwargs
    from matplotlib.collections import PolyCollection
    from matplotlib.lines import Line2D

    artist = PolyCollection if band else Line2D
    return {**normalize_kwargs(ours, artist), **normalize_kwargs(given, artist)}


def wrapped(text: str, width: int) -> str:
    """Break text into lines, and keep matplotlib from reading it as mathematics."""
    wrapper = textwrap.TextWrapper(width)
    wrapper.wordsep_re = _BREAKS
    text = visible(text)
    return ("\n".join(wrapper.wrap(text)) or text).replace("$", r"\$")


def write_labels(
    ax: Any, title: str, xlabel: str, ylabel: str = "", inches: float | None = None
) -> None:
    """Write the title and the labels of axes, in lines that fit the axes, or so many inches."""
    width = characters(ax, ax.figure.dpi * inches if inches else ax.bbox.width)
    height = characters(ax, ax.bbox.height)
    lines = [xlabel] if len(xlabel) <= width else xlabel.split(_SIDES)
    if len(lines) > 1 and not moves(ax):
        del lines[-2]  # the side to the right says enough
    ax.set_title(wrapped(title, width), loc="left", fontsize="medium")
    ax.set_xlabel("\n".join(wrapped(line, width) for line in lines))
    ax.set_ylabel(wrapped(ylabel, height))


def short_names(names: Sequence[str] | None) -> tuple[str, str]:
    """Return two names, or other words where they are unknown or too long for a label."""
    if names is None or max(map(len, names)) > _SHORT:
        return "first", "second"
    return visible(names[0]), visible(names[1])


def directions(first: str, second: str) -> str:
    """Say which of two estimators is better to the left and to the right."""
    left, right = "\N{LEFTWARDS ARROW}", "\N{RIGHTWARDS ARROW}"
    return f"{left} {second} better{_SIDES}{first} better {right}"


def labelled(ax: Any, styles: Iterable[tuple[dict[str, Any], str]]) -> list[Any]:
    """Return lines and marks for a legend, which stand for what is drawn."""
    return [ax.plot([], [], **look | {"label": label})[0] for look, label in styles]


def add_legend(axes: Any, handles: Sequence[Any], *, own: bool, title: str = "") -> Any:
    """Add a legend: below the panels of a new figure, else above the data.

    A new figure grows by the height of the legend. In the user's axes the vertical axis is extended
    above the data, and the legend is there, in the first axes.
    """
    handles = [handle for handle in handles if handle is not None]
    first = axes[0]
    place = first.figure if own else first
    if not own and moves(first):
        first.figure.figure.draw_without_rendering()
    width = int(characters(first, place.bbox.width) / _SMALL)
    labels = [wrapped(handle.get_label(), width - _KEY) for handle in handles]
    longest = max((len(label) + _KEY for label in labels), default=width)
    legend = place.legend(
        handles,
        # A space, because matplotlib 3.9 leaves out labels that start with an underscore.
        [f" {label}" if label.startswith("_") else label for label in labels],
        title="\n".join(wrapped(line, width) for line in title.split("\n")) or None,
        title_fontsize="small",
        fontsize="small",
        alignment="left",
        ncols=max(1, min(width // longest, _MOST_COLUMNS, len(labels))),
        loc="outside lower center" if own else "upper left",
        frameon=not own,
        framealpha=1,
        facecolor=first.get_facecolor(),
    )
    height = legend.get_window_extent().height
    if own:
        place.set_figheight(place.get_figheight() + height / place.dpi)
    else:
        _leave_free(axes, height / place.bbox.height)
    return legend


def _leave_free(axes: Any, share: float) -> None:
    """Extend the vertical axes above the data, so that this share of them is free."""
    limits = [ax.get_ylim() for ax in axes]  # all of them first: axes may share theirs
    share = min(1.05 * share + 0.03, _MOST_FREE)
    for ax, (bottom, top) in zip(axes, limits, strict=True):
        ax.set_ylim(bottom, bottom + (top - bottom) / (1 - share))


def moves(ax: Any) -> bool:
    """Whether a layout makes room for labels and legends around the axes."""
    return ax.figure.figure.get_layout_engine() is not None  # the whole one, of a subfigure too


def characters(ax: Any, pixels: float) -> int:
    """Return about how many characters of an axis label fit into this many pixels."""
    return max(int(72 * pixels / ax.figure.dpi / (_EM * ax.xaxis.label.get_size())), 6)
