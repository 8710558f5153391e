"""Panels of named rows, one for each metric: names, intervals, and the part that is in view."""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, Self

import numpy as np
import pandas as pd

from .._utils._metrics import shown_as
from .._utils._text import format_number
from ._display import Display, Looks, characters, directions, ink, lay_out, wrapped, write_labels

GAP = 0.6  # in lines, between two names
_MOST_LINES = 46  # on a page; with more, a name has one line
_WIDEST_NAME = 32  # characters in a line
_NAMES = 0.6  # of the width of a user's axes
# Inches.
_LINE = 0.18
_CHARACTER = 0.08
_TICK = 0.65
_AROUND = 1.0  # the height of title and axis
_NARROWEST = 6.8  # the width of a figure
_PANELS = (4.2, 3.6, 3.0)  # the width of a panel, alone, one of two, and one of more
_LEADING = 1.2  # of a line, over its font size
_ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
_INSIDE = 0.025  # share of the axis, from its end to an arrow
_FROM_ARROW = 6  # points from an arrow to its number
_FINER = 4  # rows are cut off if the axis becomes this many times finer
_ROOM = 0.1  # share of the axis that is left free on both sides


class Panel(NamedTuple):
    """A panel of named rows, which are at 0, 1, ... from the top."""

    title: str
    names: list[tuple[str, ...]]  # of an estimator, or of the two of a difference
    xlabel: str

    @classmethod
    def of_scores(cls, metric: str, names: list[tuple[str, ...]]) -> Self:
        """Say that scores are better to the right."""
        read = shown_as(metric)
        what = "lower is" if read.is_loss else "score,"
        return cls(read.name, names, f"{what} better \N{RIGHTWARDS ARROW}")

    @classmethod
    def of_differences(cls, metric: str, names: list[tuple[str, ...]]) -> Self:
        """Say who is better by name if there is one difference, else by the side of the name."""
        sides = directions(names[0] if len(names) == 1 else None, ("right name", "left name"))
        return cls(f"difference in {shown_as(metric).name}", names, sides)


class RowDisplay(Display):
    """A display whose panels have a named row for each estimator or difference."""

    axes_: np.ndarray

    def _columns(self) -> list[str]:
        """Return the columns that name a row."""
        return ["estimator"]

    def _names(self, rows: pd.DataFrame) -> list[tuple[str, ...]]:
        return list(rows[self._columns()].itertuples(index=False, name=None))

    def _by_metric(self, rows: pd.DataFrame, shown: pd.Series) -> dict[str, pd.DataFrame]:
        """Return the rows of each metric that are shown; if all have the same, in one order."""
        groups = rows.groupby("metric", sort=False)
        parts = {str(metric): part[shown[part.index]] for metric, part in groups}
        every = list(map(self._names, parts.values()))
        if any(sorted(names) != sorted(every[0]) for names in every):
            return parts
        rank = {name: k for k, name in enumerate(every[0])}
        return {
            metric: part.iloc[np.argsort([rank[name] for name in names])]
            for (metric, part), names in zip(parts.items(), every, strict=True)
        }

    def _begin_rows(
        self,
        ax: Any,
        panels: Sequence[Panel],
        legend: bool | None,
        given: Mapping[str, dict[str, Any] | None],
        below: Sequence[Panel] = (),
        gap: float = GAP,
    ) -> tuple[np.ndarray, Looks]:
        """Return named axes, side by side if rows are the same; `below` in our figures only."""
        titles = [panel.title for panel in panels]
        if ax is None:
            is_beside = all(panel.names == panels[0].names for panel in panels)
            n_beside = len(panels) if is_beside else 1
            page = _MOST_LINES * n_beside // len(panels)
            panels = [*panels, *below]
            titles = [panel.title for panel in panels]
            names = [_in_lines(panel, gap, _WIDEST_NAME, page) for panel in panels]
            figure = _figure_for(names, gap, n_beside)
            axes, looks = self._begin(ax, titles, legend, given, figure)
        else:
            axes, looks = self._begin(ax, titles, legend, given)
            page = min(int(axes[0].bbox.height / axes[0].figure.dpi / _LINE), _MOST_LINES)
            width = _width_in(axes, panels)
            names = [_in_lines(panel, gap, width, page) for panel in panels]
        _write_names(axes, panels, names)
        lay_out(self.ax_)  # so that axes have their widths
        for axis, panel in zip(axes, panels, strict=True):
            n_ticks = int(axis.bbox.width / axis.figure.dpi / _TICK)
            axis.locator_params(axis="x", nbins=min(max(n_ticks, 2), 5))
            axis.ticklabel_format(axis="x", useOffset=False)
            write_labels(axis, looks, panel.title, panel.xlabel)
        return axes, looks

    def _row_legend(self, handles: Sequence[Any], looks: Looks, title: str) -> None:
        """Add the legend; in the user's axes, names become so small that they fit the rows."""
        self._add_legend(handles, looks, title)
        for axis in () if looks.own else self.axes_:
            n_rows = abs(np.diff(axis.get_ylim())[0])
            for side in (axis, *axis.child_axes):
                names = side.get_yticklabels()
                n_lines = n_rows * _n_lines([[name.get_text() for name in names]])
                line = 72 * axis.bbox.height / axis.figure.dpi / n_lines / _LEADING
                size = min([line, *(name.get_size() for name in names)])
                side.tick_params(axis="y", labelsize=size)


def _width_in(axes: np.ndarray, panels: Sequence[Panel]) -> int:
    """Return how many characters wide a name may be in the axes of a user."""
    pixels = _NAMES * np.ptp([axis.bbox.intervalx for axis in axes])
    n_sides = max((len(names) for panel in panels for names in panel.names), default=1)
    size = axes[0].xaxis.label.get_size()
    return min(characters(pixels / n_sides, axes[0], size), _WIDEST_NAME)


def _write_names(
    axes: np.ndarray, panels: Sequence[Panel], names: Sequence[list[list[str]]]
) -> None:
    """Write the names of rows at both sides; axes side by side with the same rows share them."""
    at = [axis.get_position().intervaly for axis in axes]
    shared = [
        k > 0 and panel.names == panels[k - 1].names and np.allclose(at[k], at[k - 1])
        for k, panel in enumerate(panels)
    ]
    shared.append(False)
    for k, (axis, sides) in enumerate(zip(axes, names, strict=True)):
        axis.set_ylim(max(len(sides[0]), 1) - 0.5, -0.5)
        axis.set_yticks(range(len(sides[0])), sides[0])
        axis.tick_params(axis="y", length=0, labelleft=not shared[k])
        if len(sides) == 2 and not shared[k + 1]:
            other = axis.secondary_yaxis("right")
            other.set_yticks(range(len(sides[1])), sides[1])
            other.tick_params(axis="y", length=0)
            other.spines["right"].set_visible(False)


def _figure_for(every: Sequence[Any], gap: float, n_beside: int) -> dict[str, Any]:
    """Return how large a figure must be for the rows of its panels."""
    rows = [len(sides[0]) * (_n_lines(sides) + gap) for sides in every]
    heights = [_AROUND + _LINE * n_lines for n_lines in rows[::n_beside]]
    lines = [["\n".join(side).split("\n") for side in sides] for sides in every]
    names = max(sum(max(map(len, side)) for side in sides) for sides in lines)
    panel = _PANELS[min(n_beside, len(_PANELS)) - 1]
    size = max(_CHARACTER * names + n_beside * panel, _NARROWEST), sum(heights)
    shape = {"nrows": len(heights), "ncols": n_beside}
    return {**shape, "figsize": size, "height_ratios": heights}


def _in_lines(panel: Panel, gap: float, width: int, page: int) -> list[list[str]]:
    """Return the names on the left and, of differences, on the right, in as many lines as fit."""
    every = list(chain.from_iterable(panel.names))
    n_lines = int(np.clip(page / max(len(panel.names), 1) - gap, 1, 3))
    short = shortened(every, width * n_lines - width // 4 * (n_lines - 1))  # lines are ragged
    pairs = zip(*panel.names, strict=True)
    return [[wrapped(short[name], width) for name in names] for names in pairs][::-1] or [[]]


def _n_lines(sides: Sequence[Sequence[str]]) -> int:
    return max((name.count("\n") for names in sides for name in names), default=0) + 1


def first_rows(frame: pd.DataFrame, columns: list[str], top: int, by: str) -> pd.DataFrame:
    """Return each metric's first rows, if possible the "first" one's or those "min" in any."""
    rank = frame.groupby("metric", sort=False).cumcount()
    pairs = frame[columns].itertuples(index=False, name=None)
    names = pd.Series(list(pairs), index=frame.index)
    each = names.groupby(frame["metric"], sort=False).agg(frozenset)
    if each.nunique() > 1:
        return frame[rank < max(1, top // len(each))]
    best = rank.groupby(names, sort=False).agg(by).sort_values(kind="stable")
    return frame[names.isin(best.index[:top])]


def shortened(names: Sequence[str], most: int) -> dict[str, str]:
    """Leave out the middle of names that are too long, so that they still differ if possible."""
    long = [name for name in names if len(name) > most]
    characters = enumerate(zip(*long, strict=False))
    differ_from = next((k for k, one in characters if len(set(one)) > 1), most)
    ways = [
        {name: _cut(name, most, start) if name in long else name for name in names}
        for start in (None, differ_from)
    ]
    return max(ways, key=lambda short: len(set(short.values())))


def _cut(name: str, most: int, start: int | None) -> str:
    """Keep the beginning of a name, and its end or the part from `start`."""
    head = most // 2
    last = len(name) - (most - head - 1)
    start = last if start is None else min(start, last)
    if start <= head:  # the beginning already shows the difference
        return f"{name[: most - 1]}{_ELLIPSIS}"
    more = _ELLIPSIS if start < last else ""
    return f"{name[:head]}{_ELLIPSIS}{name[start : start + most - head - 1 - len(more)]}{more}"


def draw_estimate(
    ax: Any, height: float, numbers: Any, mark: dict[str, Any], looks: Looks, read: Any = float
) -> tuple[Any, Any]:
    """Draw the estimate of a row and its interval, and return the mark and the interval."""
    estimate, low, high = numbers
    limits = ax.get_xlim()
    look = looks.of("interval", color=mark["color"], lw=1.6, solid_capstyle="butt", zorder=2)
    interval = draw_interval(ax, height, (low, high), look)
    beyond = () if interval is None else (low < limits[0], high > limits[1])
    for edge, marker, goes_on in zip(_edges(ax), "<>", beyond, strict=False):
        if goes_on:
            ax.plot(edge, height, marker, color=interval.get_color(), ms=5, zorder=2)
    (drawn,) = ax.plot(estimate, height, **looks.of("mark", **mark, zorder=3))
    write_beyond(ax, height, estimate, drawn.get_color(), read)
    return drawn, interval


def draw_interval(ax: Any, height: float, ends: Any, look: dict[str, Any]) -> Any:
    """Draw the interval of a row, and return its line; infinite ends reach to the arrows."""
    if np.isnan(ends).any():
        return None
    drawn = np.where(np.isinf(ends), np.clip(ends, *_edges(ax)), ends)
    return ax.plot(drawn, [height] * 2, **look)[0]


def write_beyond(ax: Any, height: float, value: float, colour: Any, read: Any = float) -> None:
    """Write a value that is beyond the axis, as it is read, at the end of the axis."""
    low, high = ax.get_xlim()
    if not low <= value <= high:
        right = int(value > high)
        edge = _edges(ax)[right]
        inwards = (1, -1)[right]
        ax.plot(edge, height, "<>"[right], color=colour, ms=5, zorder=2)
        beside = (inwards * _FROM_ARROW, 0)
        write(ax, format_number(read(value)), (edge, height), beside, ha=("left", "right")[right])


def write(ax: Any, text: str, at: tuple[float, float], offset: Any, **options: Any) -> Any:
    """Write text at an offset in points, in front of lines."""
    look = {"va": "center", "fontsize": "small", "color": ink(ax)}
    ground = {"fc": ax.get_facecolor(), "ec": "none", "pad": 0.5}
    return ax.annotate(
        text, at, xytext=offset, textcoords="offset points", bbox=ground, **{**look, **options}
    )


def _edges(ax: Any) -> tuple[float, float]:
    low, high = ax.get_xlim()
    return low + _INSIDE * (high - low), high - _INSIDE * (high - low)


def shown_limits(ends: Any, anchors: Sequence[float], *, pairs: bool) -> tuple[float, float]:
    """Return the limits of an axis on which most rows can be read."""
    # All rows, unless it becomes at least four times finer without those that reach farthest; then
    # at least half of the pairs of estimators, since one bad estimator is in many pairs.
    lowest = min(anchors)
    highest = max(anchors)
    ends = np.asarray(ends, dtype=float)
    ends = ends[np.isfinite(ends).any(axis=1)]
    finite = np.isfinite(ends)
    low = np.where(finite, ends, np.inf).min(axis=1, initial=lowest)
    high = np.where(finite, ends, -np.inf).max(axis=1, initial=highest)
    order = np.argsort(high - low, kind="stable")  # those that reach least far come first
    low = np.minimum.accumulate(low[order])
    high = np.maximum.accumulate(high[order])
    n_rows = n_kept = len(order)
    fewest = n_rows if n_rows < 3 else n_rows // 2 + (not pairs)
    reach = high - low
    for n in range(n_rows - 1, fewest - 1, -1):
        if 0 < reach[n - 1] * _FINER <= reach[n_kept - 1]:
            n_kept = n
    bottom, top = (low[n_kept - 1], high[n_kept - 1]) if n_rows else (lowest, highest)
    room = _ROOM * ((top - bottom) or 1)
    return float(bottom - room), float(top + room)
