"""Figures, and texts that fit axes; only this file and `_display` import matplotlib."""

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from .._utils._text import visible
from ..comparison import refuse_in_time_order

EM = 0.56  # width of a character, as a share of the font size
_SHORT = 20  # characters of a name that has room in a label
_SIDES = "   "  # between the words for the left and for the right
# At spaces, and within words after ``(_/``.
_BREAKS = re.compile(r"(\s+|(?<=\w[(_/])(?=\S))")


def new_axes(name: str, n_rows: int = 1, n_columns: int = 1, **options: Any) -> np.ndarray:
    """Return axes in a new figure, whose layout makes room for labels and legends."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(
            f'{name}.plot needs matplotlib, which is not installed: pip install "skcvstats[plots]"'
        ) from error
    _, axes = plt.subplots(n_rows, n_columns, squeeze=False, layout="constrained", **options)
    return np.ravel(axes)


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
            f"result is of type {type(result).__name__}; it must be a {names}. Pass what "
            "comparing, testing or simulating gave; of a comparison, one test is result.tests[0]."
        )
    refuse_in_time_order(result)


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
    lines: list[str] = []
    for part in xlabel.split(_SIDES):
        if lines and len(lines[-1] + _SIDES + part) <= width:
            part = lines.pop() + _SIDES + part
        lines.append(part)
    if len(lines) > 1 and (not moves(ax) or max(map(len, lines)) > width):
        del lines[-2]  # the side to the right says enough
    ax.set_title(wrapped(title, width), loc="left", fontsize="medium")
    ax.set_xlabel("\n".join(wrapped(line, width) for line in lines))
    ax.set_ylabel(wrapped(ylabel, height)).set_label(ylabel)  # as it was, to be wrapped again


def short_names(names: Sequence[str] | None) -> tuple[str, str]:
    """Return two names, or other words where they are unknown or too long for a label."""
    if names is None or max(map(len, names)) > _SHORT:
        return "first", "second"
    return visible(names[0]), visible(names[1])


def directions(first: str, second: str) -> str:
    """Say which of two estimators is better to the left and to the right."""
    left, right = "\N{LEFTWARDS ARROW}", "\N{RIGHTWARDS ARROW}"
    return f"{left} {second} better{_SIDES}{first} better {right}"


def labelled(styles: Iterable[tuple[dict[str, Any], str]]) -> list[Any]:
    """Return lines and marks for a legend, which stand for what is drawn."""
    from matplotlib.lines import Line2D

    return [Line2D([], [], **look | {"label": label}) for look, label in styles]


def moves(ax: Any) -> bool:
    """Whether a layout makes room for labels and legends around the axes."""
    return ax.figure.figure.get_layout_engine() is not None  # the whole one, of a subfigure too


def characters(ax: Any, pixels: float) -> int:
    """Return about how many characters of an axis label fit into this many pixels."""
    return max(int(72 * pixels / ax.figure.dpi / (EM * ax.xaxis.label.get_size())), 6)
