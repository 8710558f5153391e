"""Panels of named rows, one panel for each metric."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ._axes import new_axes, one_axes_each, raised
from ._fit import (
    add_legend,
    fitted,
    height_of,
    inches,
    make_room,
    name_axis,
    room_left,
    settle,
    title_panel,
    width_of,
)
from ._style import GREY, WIDEST_NAME, light, plain_text, wrapped_difference

_MANY = 40  # rows, from which on they are set closer
_LINE, _SMALL_LINE, _GAP = 0.18, 0.13, 0.12  # inches
_PANEL, _NARROWEST, _AROUND = 4.2, 6.8, 0.85  # inches: of a panel, a figure, and title and axis
_DIRECTION = 0.2  # inches of a line that says who is better
# Sizes, in points as a share of the usual one, and widths, in characters, of names in axes that are
# as large as they are.
_TRIES = (
    ("medium", 1.0, WIDEST_NAME),
    ("small", 0.833, WIDEST_NAME),
    ("x-small", 0.694, WIDEST_NAME),
    ("small", 0.833, 12),
    ("x-small", 0.694, 12),
)
_FOR_NAMES = 0.8  # of the height of such axes
_CHARACTER = 0.065  # inches, at x-small


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
    xlabel : str
        What the horizontal axis shows.
    directions : tuple of (str, str), default=None
        Who is better to the left and to the right.
    """

    title: str
    names: list[tuple[str, ...]]
    draw: Callable[[Any, np.ndarray], None]
    xlabel: str
    directions: tuple[str, str] | None = None


class _Rows(NamedTuple):
    """The names of rows in lines, their size, and the heights they need and are put at."""

    names: list[str]
    size: str
    needed: np.ndarray  # of a row, in rows of one line
    line: float  # inches
    inside: bool = False  # the axes, where there is no room beside them

    @property
    def at(self) -> np.ndarray:
        return np.cumsum(self.needed) - self.needed / 2 - self.needed[0] / 2

    @property
    def ends(self) -> tuple[float, float]:
        return self.at[-1] + self.needed[-1] / 2 + 0.1, -self.needed[0] / 2 - 0.1

    @property
    def inches(self) -> float:
        return (self.ends[0] - self.ends[1]) * (_GAP + self.line)

    @property
    def inches_of_text(self) -> float:
        return self.line * sum(1 + name.count("\n") for name in self.names)


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
    shape = (1, len(panels)) if alike else (len(panels), 1)
    titles = [panel.title for panel in panels]
    axes = new_axes(display, *shape) if own else one_axes_each(display, ax, titles)
    rows = [_fit_rows(one, panel.names, own) for one, panel in zip(axes, panels, strict=True)]
    for k, (one, panel) in enumerate(zip(axes, panels, strict=True)):
        light(one)
        shown = not (alike and k > 0 and _beside(axes[0], one))
        rows[k] = rows[k] if shown else rows[0]
        panel.draw(one, rows[k].at)
        _name_rows(one, rows[k], shown)
    if own:
        axes[0].figure.get_layout_engine().set(wspace=0.04)
        _set_size(axes, rows, shape, room=1.0)
    settle(axes[0])
    below = 0.0
    for one, panel in zip(axes, panels, strict=True):
        title_panel(one, panel.title)
        name_axis(one, panel.xlabel)
        below = max(below, _direct(one, panel.directions))
    legend = add_legend(list(axes), handles(axes[0]), own=own, title=title)
    if own:
        _set_size(axes, rows, shape, room=height_of(legend), below=below)
    settle(axes[0])
    make_room(list(axes), above=0 if own else height_of(legend), below=below)
    return axes, legend


def _fit_rows(ax: Any, names: list[tuple[str, ...]], own: bool) -> _Rows:
    """Break names into lines: beside axes of the user's the largest that fit, else inside."""
    size, line = ("medium", _LINE) if len(names) <= _MANY else ("x-small", _SMALL_LINE)
    if own:
        return _broken(names, size, line, WIDEST_NAME)
    fixed = ax.figure.get_layout_engine() is None  # nothing will make room to the left
    tries = [_broken(names, size, _LINE * share, width) for size, share, width in _TRIES]
    for one in tries:
        narrow = not fixed or _width(ax, one) <= room_left(ax)
        if narrow and one.inches_of_text <= _FOR_NAMES * inches(ax).height:
            return one
    size, share, least = _TRIES[-1]
    width = max(int(inches(ax).width / _CHARACTER), least)
    return _broken(names, size, _LINE * share, width)._replace(inside=True)


def _broken(names: list[tuple[str, ...]], size: str, line: float, width: int) -> _Rows:
    lines = [wrapped_difference(name, width) for name in names]
    needed = [(_GAP + line * (1 + name.count("\n"))) / (_GAP + line) for name in lines]
    return _Rows(lines, size, np.array(needed), line)


def _width(ax: Any, rows: _Rows) -> float:
    return width_of(ax, plain_text("\n".join(rows.names)), rows.size)


def _name_rows(ax: Any, rows: _Rows, shown: bool) -> None:
    ax.set_yticks(rows.at, [plain_text(name) for name in rows.names], fontsize=rows.size)
    ax.set_ylim(rows.ends)
    ax.tick_params(axis="y", length=0, labelleft=shown)  # axes may share their names
    if rows.inside:
        ax.tick_params(axis="y", pad=-3)
        for name in ax.get_yticklabels():
            name.set(ha="left", va="bottom", transform=raised(ax, name.get_transform(), 3))


def _beside(first: Any, other: Any) -> bool:
    """Whether two axes are at the same height, so that rows can be followed across."""
    return bool(np.allclose(first.get_position().intervaly, other.get_position().intervaly))


def _set_size(
    axes: np.ndarray,
    rows: Sequence[_Rows],
    shape: tuple[int, int],
    *,
    room: float,
    below: float = 0.0,
) -> None:
    """Make a figure of our own as large as its rows need, with so much room for the legend."""
    names = max(_width(ax, one) for ax, one in zip(axes, rows, strict=True))
    heights = [one.inches + below + _AROUND for one in rows]
    height = max(heights) if shape[0] == 1 else sum(heights)
    width = max(names + _PANEL * shape[1], _NARROWEST)
    axes[0].figure.set_size_inches(width, height + room)


def _direct(ax: Any, directions: tuple[str, str] | None) -> float:
    """Write inside the axes who is better to either side, and return the height it takes."""
    if directions is None:
        return 0.0
    room = inches(ax).width
    left, right = (fitted(ax, text, room, "small") for text in directions)
    together = sum(width_of(ax, text, "small") for text in (left, right)) < 0.9 * room
    heights = [_DIRECTION * (1 + text.count("\n")) for text in (left, right)]
    for text, side, height in ((left, "left", 0.0), (right, "right", heights[0])):
        ax.annotate(
            text,
            (0.0 if side == "left" else 1.0, 0),
            xycoords="axes fraction",
            xytext=(0, 3 + (0 if together else 72 * height)),
            textcoords="offset points",
            ha=side,
            va="bottom",
            color=GREY,
            fontsize="small",
            bbox={"facecolor": ax.get_facecolor(), "edgecolor": "none", "pad": 1},
        )
    return max(heights) if together else sum(heights)
