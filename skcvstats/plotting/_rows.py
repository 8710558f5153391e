"""Panels of named rows, one panel for each metric."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from .._utils._text import visible
from ._axes import new_axes, one_axes_each
from ._style import light
from ._text import (
    SMALL,
    WIDEST_NAME,
    add_legend,
    fitted,
    moves,
    plain_text,
    shortened,
    wrapped_difference,
)

_MANY = 40  # rows, from which on they are set closer
_LINE, _SMALL_LINE = 0.18, 0.13  # inches of a line of a name
_GAP = 0.6  # of a line, between two names
_NARROWEST, _AROUND = 6.8, 1.0  # inches: of a figure, and of title and axis
_PANELS = (4.2, 3.6)  # inches: of a single panel, and of one of two
_PANEL = 3.0  # of one of more
_CHARACTER = 0.08  # inches
_BESIDE = 11  # characters that fit beside axes of which nothing moves
_LEADING = 1.2  # of a line, over its font size
_MOST_LINES = 46  # on a page; with more, names are shortened
_FEWER_LINES = (4, 3, 2, 1)  # of a name, tried one after the other
_RAGGED = 8  # characters that a line may be shorter, as it ends at a space or a bracket


class Panel(NamedTuple):
    """The content of a panel."""

    title: str
    names: list[tuple[str, ...]]
    draw: Callable[[Any, np.ndarray], None]
    xlabel: str
    short_xlabel: str
    facing: tuple[str, ...] = ()
    gap: float = _GAP


class _Rows(NamedTuple):
    """The names of rows, broken into lines, and their positions in lines."""

    left: list[str]
    right: list[str]
    gap: float

    @property
    def needed(self) -> np.ndarray:
        lines = [
            max(name.count("\n") for name in names) + 1 + self.gap
            for names in zip(self.left, self.right, strict=True)
        ]
        return np.array(lines, dtype=float)

    @property
    def at(self) -> np.ndarray:
        return np.cumsum(self.needed) - self.needed / 2

    @property
    def n_lines(self) -> float:
        return float(self.needed.sum()) or 1.0

    @property
    def width(self) -> float:
        """How wide the names are in a figure of their own, in inches."""
        return _CHARACTER * sum(
            max((len(line) for name in names for line in name.split("\n")), default=0)
            for names in (self.left, self.right)
        )


def plot_panels(
    display: str,
    ax: Any,
    panels: Sequence[Panel],
    handles: Callable[[Any], list[Any]],
    title: str = "",
    below: Sequence[Panel] = (),
) -> tuple[np.ndarray, np.ndarray, Any]:
    """Draw panels beside each other if their rows are the same, else below each other."""
    own = ax is None
    alike = all(panel.names == panels[0].names for panel in panels)
    if own:
        axes, further = _new_figure(display, panels, below if alike else (), alike)
    else:
        axes = one_axes_each(display, ax, [panel.title for panel in panels])
        further = axes[:0]
    all_rows = _draw_panels(axes, panels)
    rows_below = _draw_panels(further, below[: len(further)])
    legend = add_legend(list(axes), handles(axes[0]), own=own, title=title)
    _write_names(axes, all_rows, own=own, alike=alike)
    _write_names(further, rows_below, own=own, alike=True)
    return axes, further, legend


def _draw_panels(axes: np.ndarray, panels: Sequence[Panel]) -> list[_Rows]:
    all_rows = []
    for axis, panel in zip(axes, panels, strict=True):
        rows = _rows(panel, managed=moves(axis))
        light(axis)
        panel.draw(axis, rows.at)
        axis.set_ylim(rows.n_lines, 0)
        axis.set_title(fitted(axis, visible(panel.title)), loc="left", fontsize="medium")
        facing = panel.facing if any(rows.right) else ()
        long, short = facing or (panel.xlabel, panel.short_xlabel)
        axis.set_xlabel(plain_text(short if "\n" in fitted(axis, long) else long))
        all_rows.append(rows)
    return all_rows


def _write_names(axes: np.ndarray, all_rows: list[_Rows], *, own: bool, alike: bool) -> None:
    """Write the names of the rows, only once if panels beside each other share them."""
    last = len(all_rows) - 1
    for k, (axis, rows) in enumerate(zip(axes, all_rows, strict=True)):
        size = ("medium" if len(rows.left) <= _MANY else "x-small") if own else _size(axis)
        axis.set_yticks(rows.at, [plain_text(name) for name in rows.left], fontsize=size)
        shown = not (alike and k > 0 and _beside(axes[0], axis))  # axes may share their names
        axis.tick_params(axis="y", length=0, labelleft=shown)
        if any(rows.right) and not (alike and k < last and _beside(axis, axes[k + 1])):
            right = axis.secondary_yaxis("right")
            right.set_yticks(rows.at, [plain_text(name) for name in rows.right], fontsize=size)
            right.tick_params(axis="y", length=0)
            right.spines["right"].set_visible(False)


def _new_figure(
    display: str, panels: Sequence[Panel], below: Sequence[Panel], alike: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Make a figure as large as its rows need, and return its axes and those below."""
    rows, rows_below = ([_rows(panel, managed=True) for panel in part] for part in (panels, below))
    line = _LINE if len(panels[0].names) <= _MANY else _SMALL_LINE
    heights = [_AROUND + line * part.n_lines for part in rows]
    n_columns = len(panels) if alike else 1
    width = n_columns * (_PANELS[n_columns - 1] if n_columns <= len(_PANELS) else _PANEL)
    width = max(max(part.width for part in rows + rows_below) + width, _NARROWEST)
    if alike:
        heights = [max(heights)]
        heights += [_AROUND + _LINE * rows_below[0].n_lines] if below else []
    size = width, sum(heights)
    axes = new_axes(display, len(heights), n_columns, figsize=size, height_ratios=heights)
    return axes[: len(panels)], axes[len(panels) :]


def _rows(panel: Panel, *, managed: bool) -> _Rows:
    """Break the names into lines; shorten them if there are more lines than a page has."""
    width = WIDEST_NAME if managed else _BESIDE
    left: list[tuple[str, ...]] = panel.names
    right: list[tuple[str, ...]] = [("",)] * len(left)
    if panel.facing and managed:
        left, right = [name[1:] for name in left], [name[:1] for name in left]
    rows = _Rows(_in_lines(left, width), _in_lines(right, width), panel.gap)
    every = [name for names in panel.names for name in names]
    for n_lines in _FEWER_LINES:
        if rows.n_lines <= _MOST_LINES:
            break
        short = shortened(every, width * n_lines - _RAGGED * (n_lines - 1))
        rows = _Rows(_in_lines(left, width, short), _in_lines(right, width, short), panel.gap)
    return rows


def _in_lines(
    names: Sequence[tuple[str, ...]], width: int, short: Mapping[str, str] = MappingProxyType({})
) -> list[str]:
    return [wrapped_difference([short.get(name, name) for name in row], width) for row in names]


def _size(ax: Any) -> float:
    """Return the font size of names in the user's axes, in which a unit is a line."""
    usual = ax.xaxis.label.get_size() * (1 if moves(ax) else SMALL)
    line = 72 * ax.bbox.height / ax.figure.dpi / abs(np.diff(ax.get_ylim())[0])
    return float(min(usual, line / _LEADING))


def _beside(first: Any, other: Any) -> bool:
    """Whether two axes are at the same height, so that they share their rows."""
    return bool(np.allclose(first.get_position().intervaly, other.get_position().intervaly))
