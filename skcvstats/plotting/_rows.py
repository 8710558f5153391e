"""Panels of named rows, one panel for each metric."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ._axes import new_axes, one_axes_each
from ._style import light
from ._text import SMALL, WIDEST_NAME, add_legend, fitted, moves, plain_text, wrapped_difference

_MANY = 40  # rows, from which on they are set closer
_LINE, _SMALL_LINE = 0.18, 0.13  # inches of a line of a name
_GAP = 0.6  # of a line, between two names
_PANEL, _NARROWEST, _AROUND = 4.2, 6.8, 1.0  # inches: of a panel, a figure, and title and axis
_CHARACTER = 0.08  # inches
_BESIDE = 11  # characters that fit beside axes of which nothing moves
_LEADING = 1.2  # of a line, over its font size


class Panel(NamedTuple):
    """What a panel shows.

    Parameters
    ----------
    title : str
        The metric.
    names : list of tuple of str
        For each row, the first on top, a name or the two of a difference.
    draw : callable
        Draws on the axes given, at the heights given.
    xlabel, short_xlabel : str
        What the horizontal axis shows, and the same where there is little room.
    """

    title: str
    names: list[tuple[str, ...]]
    draw: Callable[[Any, np.ndarray], None]
    xlabel: str
    short_xlabel: str


class _Rows(NamedTuple):
    """The names of rows in lines, and where they are put: a unit is a line."""

    names: list[str]

    @property
    def needed(self) -> np.ndarray:
        return np.array([name.count("\n") + 1 + _GAP for name in self.names])

    @property
    def at(self) -> np.ndarray:
        return np.cumsum(self.needed) - self.needed / 2

    @property
    def n_lines(self) -> float:
        return float(self.needed.sum()) or 1.0


def plot_panels(
    display: str,
    ax: Any,
    panels: Sequence[Panel],
    handles: Callable[[Any], list[Any]],
    title: str = "",
) -> tuple[np.ndarray, Any]:
    """Draw panels beside each other where their rows are the same, else below each other.

    Parameters
    ----------
    display : str
        Who asks, for messages.
    ax : matplotlib Axes, array-like of Axes, or None
        What the user gave; None makes a figure.
    panels : sequence of Panel
        What to draw.
    handles : callable
        Makes on the axes given the marks of the legend, labelled.
    title : str, default=""
        Of the legend.

    Returns
    -------
    axes : ndarray of matplotlib Axes
        One for each panel.
    legend : matplotlib Legend
        In the figure where it is our own, else in the first axes.
    """
    own = ax is None
    alike = all(panel.names == panels[0].names for panel in panels)
    if own:
        axes = _new_figure(display, panels, alike)
    else:
        axes = one_axes_each(display, ax, [panel.title for panel in panels])
    all_rows = [_rows(panel.names, WIDEST_NAME if moves(axes[0]) else _BESIDE) for panel in panels]
    for axis, panel, rows in zip(axes, panels, all_rows, strict=True):
        light(axis)
        panel.draw(axis, rows.at)
        axis.set_ylim(rows.n_lines, 0)
        axis.set_title(fitted(axis, panel.title), loc="left", fontsize="medium")
        narrow = "\n" in fitted(axis, panel.xlabel)
        axis.set_xlabel(plain_text(panel.short_xlabel if narrow else panel.xlabel))
    legend = add_legend(list(axes), handles(axes[0]), own=own, title=title)
    for k, (axis, rows) in enumerate(zip(axes, all_rows, strict=True)):
        size = ("medium" if len(rows.names) <= _MANY else "x-small") if own else _size(axis)
        axis.set_yticks(rows.at, [plain_text(name) for name in rows.names], fontsize=size)
        shown = not (alike and k > 0 and _beside(axes[0], axis))  # axes may share their names
        axis.tick_params(axis="y", length=0, labelleft=shown)
    return axes, legend


def _new_figure(display: str, panels: Sequence[Panel], alike: bool) -> np.ndarray:
    """Make a figure as large as its rows need."""
    rows = [_rows(panel.names) for panel in panels]
    line = _LINE if len(panels[0].names) <= _MANY else _SMALL_LINE
    heights = [_AROUND + line * part.n_lines for part in rows]
    longest = max(len(text) for part in rows for text in "\n".join(part.names).split("\n"))
    shape = (1, len(panels)) if alike else (len(panels), 1)
    width = max(_CHARACTER * longest + _PANEL * shape[1], _NARROWEST)
    return new_axes(display, *shape, figsize=(width, max(heights) if alike else sum(heights)))


def _rows(names: list[tuple[str, ...]], width: int = WIDEST_NAME) -> _Rows:
    return _Rows([wrapped_difference(name, width) for name in names])


def _size(ax: Any) -> float:
    """Return the font size of names in axes of the user's, in which a unit is a line."""
    usual = ax.xaxis.label.get_size() * (1 if moves(ax) else SMALL)
    line = 72 * ax.bbox.height / ax.figure.dpi / abs(np.diff(ax.get_ylim())[0])
    return float(min(usual, line / _LEADING))


def _beside(first: Any, other: Any) -> bool:
    """Whether two axes are at the same height, so that rows can be followed across."""
    return bool(np.allclose(first.get_position().intervaly, other.get_position().intervaly))
