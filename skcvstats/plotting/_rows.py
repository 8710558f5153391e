"""Panels of named rows, one for each metric: names, intervals, and the part that is in view."""

from collections.abc import Mapping, Sequence
from itertools import chain, repeat
from typing import Any, NamedTuple, Self

import numpy as np
import pandas as pd

from .._utils._metrics import shown_as
from .._utils._text import format_ends, format_number, shortened
from ._display import (
    RIGHT,
    WIDTH,
    Display,
    Looks,
    directions,
    ink,
    subtracted,
    title_of,
    wrapped,
    write_labels,
)

GAP = 0.6  # in lines, between two names
MOST_LINES = 46  # on a page; with more, a name has one line
# Inches.
_LINE = 0.16
_CHARACTER = 0.068
_TICK = 0.65
_AROUND = 1.0  # the height of title and axis
_NARROWEST = 6.8  # the width of a figure
_PANELS = (4.2, 3.6, 3.0)  # the width of a panel, alone, one of two, and one of more
_MOST_WITH_NUMBERS = 2  # panels beside each other
_NUMBERS = 1.9  # the width of the numbers beside a panel
_LEADING = 1.35  # of a line, over its font size
_INSIDE = 0.025  # share of the axis, from its end to an arrow
_FROM_ARROW = 6  # points from an arrow to its number
_FINER = 4  # rows are cut off if the axis becomes this many times finer
_ROOM = 0.1  # share of the axis that is left free on both sides
_SHARED = 0.5  # with less than half a line, the names of a row stand in one
_MINUS = "\N{MINUS SIGN} "  # before the second name of a difference


class Panel(NamedTuple):
    """A panel of named rows, which are at 0, 1, ... from the top."""

    title: str
    names: list[tuple[str, ...]]  # of an estimator, or of the two of a difference
    xlabel: str
    numbers: Sequence[str] = ()  # what is written beside each row
    ends: Sequence[str] = ()  # what stands behind the names of the first rows, whole

    @classmethod
    def of_scores(cls, metric: str, names: list[tuple[str, ...]], numbers: Sequence[str]) -> Self:
        """Say that scores are better to the right."""
        read = shown_as(metric)
        what = "lower is" if read.is_loss else "score,"
        return cls(title_of(metric), names, f"{what} better {RIGHT}", numbers)

    @classmethod
    def of_differences(
        cls, metric: str, names: list[tuple[str, ...]], numbers: Sequence[str]
    ) -> Self:
        """Say who is better by name if there is one difference, else the first or the second."""
        sides = directions(metric, names[0] if len(names) == 1 else None)
        pairs = [tuple(subtracted(metric, pair)) for pair in names]
        return cls(f"difference in {title_of(metric)}", pairs, sides, numbers)


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
        names = pd.Series(pd.factorize(pd.Series(self._names(rows)))[0], index=rows.index)
        if names.groupby(rows["metric"]).agg(frozenset).nunique() == 1:
            rows = rows.loc[names.sort_values(kind="stable").index]
        groups = rows.groupby("metric", sort=False)
        return {str(metric): part[shown[part.index]] for metric, part in groups}

    def _begin_rows(
        self,
        ax: Any,
        panels: Sequence[Panel],
        legend: bool | str | None,
        given: Mapping[str, dict[str, Any] | None],
        below: Sequence[Panel] = (),
        gap: float = GAP,
    ) -> tuple[np.ndarray, Looks]:
        """Return named axes, side by side if rows are the same; `below` in our figures only."""
        is_beside = all(panel.names == panels[0].names for panel in panels)
        n_beside = 1
        if is_beside:
            n_beside = len(panels)
        figure: dict[str, Any] = {}
        if ax is None:
            page = MOST_LINES * n_beside // len(panels)
            panels = [*panels, *below]
            names = [_in_lines(panel, gap, page) for panel in panels]
            figure = _figure_for(panels, names, gap, n_beside)
        titles = [panel.title for panel in panels]
        axes, looks = self._begin(ax, titles, legend, given, figure)
        if ax is not None:
            page = int(axes[0].bbox.height / axes[0].figure.dpi / _LINE)
            names = [_in_lines(panel, gap, page) for panel in panels]
        beside_it: tuple[Any, ...] = ()
        for k, (axis, panel) in enumerate(zip(axes, panels, strict=True)):
            axis.set_ylim(max(len(names[k]), 1) - 0.5, -0.5)
            axis.set_yticks(range(len(names[k])), names[k])
            place = panel.names, *axis.get_position().intervaly.round(6)
            is_named = place == beside_it
            beside_it = place
            axis.tick_params(axis="y", length=0, labelsize="small", labelleft=not is_named)
            axis.ticklabel_format(axis="x", useOffset=False)
            write_labels(axis, panel.title, panel.xlabel)
            if looks.own and panel.numbers and n_beside <= _MOST_WITH_NUMBERS:
                beside = axis.secondary_yaxis("right")
                beside.set_yticks(range(len(panel.numbers)), panel.numbers)
                beside.tick_params(axis="y", length=0, labelsize="small")
                beside.spines["right"].set_visible(False)
        return axes, looks

    def _add_legend(self, handles: Sequence[Any], looks: Looks, *words: Sequence[str]) -> None:
        """Add the legend; in the user's axes, names become so small that they fit the rows."""
        super()._add_legend(handles, looks, *words)
        if looks.own:
            return
        for axis in self.axes_:
            labels = axis.get_yticklabels()
            n_lines = _n_lines([label.get_text() for label in labels])
            n_rows = abs(np.diff(axis.get_ylim())[0])
            points = 72 * axis.bbox.height / axis.figure.dpi / (n_rows * n_lines * _LEADING)
            axis.tick_params(axis="y", labelsize=min([points, *(x.get_size() for x in labels)]))
            n_ticks = int(axis.bbox.width / axis.figure.dpi / _TICK)
            axis.locator_params(axis="x", nbins=min(max(n_ticks, 2), 5))


def _figure_for(
    panels: Sequence[Panel], names: Sequence[list[str]], gap: float, n_beside: int
) -> dict[str, Any]:
    """Return how large a figure must be for the rows of its panels."""
    n_lines = [len(rows) * (_n_lines(rows) + gap) for rows in names]
    heights = [_AROUND + _LINE * lines for lines in n_lines[::n_beside]]
    lines = "\n".join(chain.from_iterable(names)).split("\n")
    widest = max(map(len, lines), default=0)
    panel = _PANELS[min(n_beside, len(_PANELS)) - 1]
    if panels[0].numbers and n_beside <= _MOST_WITH_NUMBERS:
        panel += _NUMBERS
    size = max(_CHARACTER * widest + n_beside * panel, _NARROWEST), sum(heights)
    shape = {"nrows": len(heights), "ncols": n_beside}
    return {**shape, "figsize": size, "height_ratios": heights}


def _in_lines(panel: Panel, gap: float, page: int) -> list[str]:
    """Return the name of each row, in as many lines as fit on a page."""
    n_names = max(map(len, panel.names), default=1)
    room = (page / max(len(panel.names), 1) - gap) / n_names
    n_lines = int(np.clip(room, 1, 3))
    most = WIDTH * n_lines - WIDTH // 4 * (n_lines - 1)  # lines are ragged
    most -= len(_MINUS)
    if room < _SHARED:
        most //= n_names
    short = shortened(chain.from_iterable(panel.names), most)
    labels = []
    ends = chain(panel.ends, repeat(""))
    for (first, *second), end in zip(panel.names, ends, strict=False):
        label = wrapped(short[first])
        for name in second:
            subtracted = wrapped(f"{_MINUS}{short[name]}")
            apart = "\n"
            if len(label) + len(subtracted) < WIDTH:
                apart = " "
            label = f"{label}{apart}{subtracted}"
        labels.append(f"{label}{end}")
    return labels


def _n_lines(names: Sequence[str]) -> int:
    """Return the number of lines of the longest name."""
    return max((name.count("\n") for name in names), default=0) + 1


def written_numbers(rows: pd.DataFrame, estimate: str, read: Any = float) -> list[str]:
    """Write the estimate of each row and its interval, as tables of studies do."""
    written = []
    for row in rows[[estimate, "low", "high"]].to_dict("records"):
        text = format_number(read(row[estimate]), padded=True)
        if not np.isnan([row["low"], row["high"]]).any():
            low, high = sorted((read(row["low"]), read(row["high"])))
            text = f"{text} ({format_ends(low, high, padded=True)})"
        written.append(text)
    return written


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


def draw_estimate(
    ax: Any, height: float, numbers: Any, mark: dict[str, Any], looks: Looks, read: Any = float
) -> tuple[Any, Any]:
    """Draw the estimate of a row and its interval, and return the mark and the interval."""
    estimate, low, high = numbers
    limits = ax.get_xlim()
    look = looks.of("interval", color=mark["color"], lw=1.6, solid_capstyle="butt", zorder=2)
    interval = draw_interval(ax, height, (low, high), look)
    beyond = (low < limits[0], high > limits[1])
    for edge, marker, goes_on in zip(_edges(ax), "<>", beyond, strict=True):
        if goes_on:
            ax.plot(edge, height, marker, color=look["color"], ms=5, zorder=2)
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
    low = np.minimum.accumulate([lowest, *low[order]])  # of the first 0, 1, 2, ... rows
    high = np.maximum.accumulate([highest, *high[order]])
    n_rows = n_kept = len(order)
    fewest = n_rows if n_rows < 3 else n_rows // 2 + (not pairs)
    reach = high - low
    for n in range(n_rows - 1, fewest - 1, -1):
        if 0 < reach[n] * _FINER <= reach[n_kept]:
            n_kept = n
    room = _ROOM * (reach[n_kept] or 1)
    return float(low[n_kept] - room), float(high[n_kept] + room)
