"""ComparisonDisplay: the differences of a comparison with their intervals."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd

from .._utils._checks import alpha_of, check_option
from .._utils._text import counted, format_ends, format_percent
from ..comparison import ComparisonResult
from ..stats import KINDS
from ._axes import check_kwargs, merged
from ._intervals import FURTHER, draw_interval, further_intervals, write_beyond
from ._limits import shown_limits
from ._rows import Panel, plot_panels
from ._style import GREY, MARKS, ink, mark_of
from ._text import directions, facing_directions
from ._top import check_drawable, check_top, first_comparisons

_MOST = 3  # names of what is not drawn
_LEFT, _RIGHT = "\N{LEFTWARDS ARROW}", "\N{RIGHTWARDS ARROW}"
_COLUMNS = ["metric", "estimator", "versus", "difference", "low", "high"]


class ComparisonDisplay:
    """Differences of expected scores, each with its interval, against the null line.

    A panel for each metric. The names of the two estimators of a comparison face each other: the
    mark lies on the side of the one that scores higher. Filled marks are significant, with the
    adjusted p-values, at the level 1 - `confidence_level`. Where intervals are adjusted too, the
    thin ones below the row are unadjusted, and do not decide. With a margin, the interval that
    decides on it is thick where it is another one. Values so far away that the others could not be
    read are arrows at the end of the axis, with their number. Make one with `from_result`. In your
    own figure, ``plt.subplots(layout="constrained")`` makes room for names.

    Parameters
    ----------
    comparisons : DataFrame
        One row for each comparison, with the columns ``metric``, ``estimator``, ``versus``,
        ``difference``, ``low``, ``high`` and ``outcome``. An infinite end is drawn as an arrow;
        where the ends are NaN the mark has no interval. A comparison whose difference is NaN is
        not drawn, and the legend names it. ``low_unadjusted`` and ``high_unadjusted``,
        ``low_margin`` and ``high_margin``, where there are such columns, are the ends of further
        intervals, drawn where they differ from ``low`` and ``high``.
    null_value : float, default=0.0
        The value under test.
    confidence_level : float, default=0.95
        Of the intervals; the outcomes are those at the level 1 minus it.
    reference : str or None, default=None
        The estimator that the others are compared with, or None for pairs.
    adjusted : str, default=""
        In words, how p-values were adjusted, to be said in the legend.
    legend : dict of str to str, default={}
        By kind of claim, as in the column ``outcome``, what the legend says of it. Kinds that are
        left out have words of their own.
    margin : pair of float, default=None
        The differences that do not matter, which are shaded; an end may be infinite.
    n_more : int, default=0
        Comparisons that there are besides these, to be said in the legend.

    Attributes
    ----------
    axes_ : ndarray of matplotlib Axes
        A panel for each metric.
    ax_ : matplotlib Axes
        The first panel.
    figure_ : matplotlib Figure
        The figure of the panels.
    marks_ : list of matplotlib Line2D or None
        The mark of each row of `frame`; None if its difference is NaN.
    intervals_ : list of matplotlib Line2D or None
        The interval of each row; None where there is none.
    further_ : list of dict
        For each row its further intervals, Line2D by ``"margin"`` and ``"unadjusted"``.
    null_lines_ : list of matplotlib Line2D
        The null value in each panel.
    margins_ : list of matplotlib Rectangle
        The margin in each panel, if there is one.
    legend_ : matplotlib Legend
        What the marks mean.

    See Also
    --------
    RankingDisplay : The scores and their order.
    PairedScoresDisplay : The scores behind the differences.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcvstats import compare_estimators
    >>> from skcvstats.plotting import ComparisonDisplay
    >>> X, y = load_iris(return_X_y=True)
    >>> models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    >>> display = ComparisonDisplay.from_result(compare_estimators(models, X, y))
    >>> display.frame()[["estimator", "versus", "outcome"]].values.tolist()
    [['bayes', 'tree', 'not shown']]
    """

    def __init__(
        self,
        *,
        comparisons: pd.DataFrame,
        null_value: float = 0.0,
        confidence_level: float = 0.95,
        reference: str | None = None,
        adjusted: str = "",
        legend: Mapping[str, str] = MappingProxyType({}),
        margin: tuple[float, float] | None = None,
        n_more: int = 0,
    ) -> None:
        self.comparisons = comparisons
        self.null_value = null_value
        self.confidence_level = confidence_level
        self.reference = reference
        self.adjusted = adjusted
        self.legend = legend
        self.margin = margin
        self.n_more = n_more

    @classmethod
    def from_result(
        cls,
        result: ComparisonResult,
        *,
        metric: str | None = None,
        confidence_level: float | None = None,
        top: int = 20,
    ) -> ComparisonDisplay:
        """Take the differences from a comparison.

        Parameters
        ----------
        result : ComparisonResult
            What `compare_estimators` or `compare_scores` returned.
        metric : str, default=None
            Which metric; None shows all.
        confidence_level : float, default=None
            Of the intervals, and 1 minus it the level at which marks are filled. None is that of
            the result, by default 0.95.
        top : int, default=20
            At most this number of comparisons in a panel, the first of ``result.to_frame()``, which
            are those of the best estimators; the same in all metrics. Metrics with comparisons of
            their own stand below each other and share the number.

        Returns
        -------
        ComparisonDisplay
            Nothing is drawn yet: its `plot` does that.
        """
        check_drawable(result, ComparisonResult)
        check_top(top)
        if metric is not None:
            result = result[check_option("metric", metric, result.metrics)]
        if confidence_level is not None:
            result = result.with_confidence(confidence_level)
        every = result.to_frame()
        frame = first_comparisons(every, top)
        further = [f"{end}_{which}" for which in FURTHER for end in ("low", "high")]
        frame = frame[[*_COLUMNS, *(name for name in further if name in every)]]
        claims = [result[int(k)].claim for k in frame.index]
        versus = set(frame["versus"])
        return cls(
            comparisons=frame.assign(outcome=[claim.kind for claim in claims]).reset_index(
                drop=True
            ),
            null_value=getattr(result.tests[0], "null_value", 0.0),
            confidence_level=result.confidence_level,
            reference=versus.pop() if result.reference is not None and len(versus) == 1 else None,
            adjusted=result.adjusted() if result.n_adjusted > 1 else "",
            legend={claim.kind: claim.brief for claim in claims},
            margin=getattr(result, "margin", None),
            n_more=len(every) - len(frame),
        )

    def plot(
        self,
        ax: Any = None,
        *,
        interval_kwargs: dict[str, Any] | None = None,
        mark_kwargs: dict[str, Any] | None = None,
        line_kwargs: dict[str, Any] | None = None,
    ) -> ComparisonDisplay:
        """Draw the differences, their intervals and the null line.

        Parameters
        ----------
        ax : matplotlib Axes or array-like of Axes, default=None
            Where to draw, one axes for each metric; None makes a new figure.
        interval_kwargs : dict, default=None
            Keyword arguments of matplotlib's `Line2D` for the intervals, over our own.
        mark_kwargs : dict, default=None
            Keyword arguments of `Line2D` for the marks of the differences.
        line_kwargs : dict, default=None
            Keyword arguments of `Line2D` for the null line.

        Returns
        -------
        ComparisonDisplay
            The display itself, with its attributes set.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        TypeError
            If `ax` or keyword arguments are something else.
        ValueError
            If there are not as many axes as metrics, or a kind of claim is not known.
        """
        looks = check_kwargs(
            type(self).__name__,
            interval_kwargs=interval_kwargs,
            mark_kwargs=mark_kwargs,
            line_kwargs=line_kwargs,
        )
        rows = self.comparisons.reset_index(drop=True)
        for kind in rows["outcome"].unique():
            check_option("outcome", kind, MARKS)
        drawn: dict[Any, tuple[Any, Any, Any]] = {}
        self.null_lines_: list[Any] = []
        self.margins_: list[Any] = []
        panels = [
            self._panel(metric, part, drawn, looks) for metric, part in self._parts(rows).items()
        ]
        self.axes_, _, self.legend_ = plot_panels(
            type(self).__name__,
            ax,
            panels,
            lambda first: self._handles(first, looks),
            self._legend_title(),
        )
        self.ax_, self.figure_ = self.axes_[0], self.axes_[0].figure
        artists = [drawn.get(k, (None, None, {})) for k in rows.index]
        self.marks_, self.intervals_, self.further_ = map(list, zip(*artists, strict=True))
        return self

    def frame(self) -> pd.DataFrame:
        """Return the numbers that are drawn.

        Returns
        -------
        DataFrame
            Columns ``metric``, ``estimator``, ``versus``, ``difference``, ``low``, ``high``, the
            ends of further intervals, and ``outcome``.
        """
        return self.comparisons.copy()

    def _parts(self, rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
        """Return the rows of each metric; if all have the same, in the order of the first."""
        parts = {
            str(metric): part[np.isfinite(part["difference"])]
            for metric, part in rows.groupby("metric", sort=False)
        }
        names = {metric: self._names(part) for metric, part in parts.items()}
        first = names[next(iter(names))]
        if any(sorted(others) != sorted(first) for others in names.values()):
            return parts
        rank = {name: k for k, name in enumerate(first)}
        return {
            metric: part.iloc[np.argsort([rank[name] for name in names[metric]], kind="stable")]
            for metric, part in parts.items()
        }

    def _names(self, part: pd.DataFrame) -> list[tuple[str, ...]]:
        columns = ["estimator", "versus"] if self.reference is None else ["estimator"]
        return list(part[columns].itertuples(index=False, name=None))

    def _panel(
        self,
        metric: str,
        part: pd.DataFrame,
        drawn: dict[Any, tuple[Any, Any, Any]],
        looks: dict[str, dict[str, Any]],
    ) -> Panel:
        reference = [] if self.reference is None else [(f"{self.reference} (reference)",)]
        left, right = self._directions(part)
        return Panel(
            title=f"difference in {metric}",
            names=reference + self._names(part),
            draw=lambda ax, at: drawn.update(self._draw(ax, part, at, looks)),
            xlabel=f"{left}   {right}",
            short_xlabel=right if self.reference is None else f"better {_RIGHT}",
            facing=self._facing(part),
        )

    def _directions(self, part: pd.DataFrame) -> tuple[str, str]:
        """Say who is better to the left and to the right."""
        if self.reference is not None:
            return f"{_LEFT} worse", f"better than the reference {_RIGHT}"
        return directions(*self._names(part)[0]) if len(part) == 1 else directions()

    def _facing(self, part: pd.DataFrame) -> tuple[str, ...]:
        """Say the same if the two names are on opposite sides of their row."""
        if self.reference is not None or not len(part):
            return ()
        return facing_directions(*(self._names(part)[0] if len(part) == 1 else ()))

    def _draw(
        self, ax: Any, part: pd.DataFrame, at: np.ndarray, looks: dict[str, dict[str, Any]]
    ) -> dict[Any, tuple[Any, Any, Any]]:
        """Draw a panel, and return by index the mark and the intervals of each row."""
        limits = self._limits(part)
        if self.margin is not None:
            label = f"margin: {format_ends(*self.margin)}"
            look = {"color": GREY, "alpha": 0.25, "lw": 0, "zorder": 0, "label": label}
            self.margins_.append(ax.axvspan(*np.clip(self.margin, *limits), **look))
        line = merged({"color": ink(ax), "lw": 1}, looks["line_kwargs"])
        self.null_lines_.append(ax.axvline(self.null_value, **line))
        if self.reference is not None:
            ax.plot(0, at[0], "D", color=ink(ax), ms=5, zorder=3)
        drawn = {}
        for height, (k, row) in zip(at[len(at) - len(part) :], part.iterrows(), strict=True):
            drawn[k] = self._draw_row(ax, row, height, limits, looks)
        ax.set_xlim(limits)
        ax.locator_params(axis="x", nbins=5)
        return drawn

    def _draw_row(
        self,
        ax: Any,
        row: pd.Series,
        height: float,
        limits: tuple[float, float],
        looks: dict[str, dict[str, Any]],
    ) -> tuple[Any, Any, Any]:
        look = mark_of(row["outcome"], ax)
        ours = {"color": look["color"], "lw": 1.6, "solid_capstyle": "butt", "zorder": 2}
        style = merged(ours, looks["interval_kwargs"])
        interval = draw_interval(ax, (row["low"], row["high"]), height, limits, style)
        further = {}
        for which in further_intervals(row):
            ends = row[f"low_{which}"], row[f"high_{which}"]
            ours, below, _ = FURTHER[which]
            ours = {**ours, "color": look["color"], "solid_capstyle": "butt"}
            further[which] = draw_interval(ax, ends, height + below, limits, ours, arrows=False)
        style = merged({**look, "zorder": 3}, looks["mark_kwargs"])
        (mark,) = ax.plot(row["difference"], height, **style)
        write_beyond(ax, row["difference"], height, limits, mark.get_color())
        return mark, interval, further

    def _limits(self, part: pd.DataFrame) -> tuple[float, float]:
        zero = [] if self.reference is None else [0.0]
        margin = [end for end in self.margin or () if np.isfinite(end)]
        ends = part[["difference", "low", "high"]].to_numpy(dtype=float)
        return shown_limits(ends, [self.null_value, *zero, *margin], pairs=self.reference is None)

    def _legend_title(self) -> str:
        """Say the level of marks and intervals, what is adjusted, and what is not drawn."""
        alpha, level = alpha_of(self.confidence_level), self.confidence_level
        lines = [f"marks: {format_percent(alpha)} level"]
        if self.comparisons[["low", "high"]].notna().all(axis=1).any():
            lines[0] += f", intervals: {format_percent(level)} confidence"
        missing = self.comparisons[~np.isfinite(self.comparisons["difference"])]
        if len(missing):
            pairs = dict.fromkeys(self._names(missing))  # once, if several metrics lack it
            names = [" \N{MINUS SIGN} ".join(pair) for pair in pairs]
            more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
            lines.append(f"not drawn, without an estimate: {', '.join(names[:_MOST])}{more}")
        if self.n_more:
            lines.append(f"and {counted(self.n_more, 'more comparison')} in result.to_frame()")
        return "\n".join([*lines, self.adjusted] if self.adjusted else lines)

    def _handles(self, ax: Any, looks: dict[str, dict[str, Any]]) -> list[Any]:
        """Return a mark for each outcome that occurs, and the null line if it is not at 0."""
        null = f"null value {self.null_value:g}"
        words = {kind: KINDS[kind].legend for kind in KINDS} | dict(self.legend)
        drawn = self.comparisons[np.isfinite(self.comparisons["difference"])]
        handles = []
        for kind in MARKS:
            if (drawn["outcome"] == kind).any():
                style = merged(mark_of(kind, ax), looks["mark_kwargs"])
                handles += ax.plot([], [], **style | {"label": words[kind]})
        if self.null_value != 0:
            line = merged({"color": ink(ax), "lw": 1}, looks["line_kwargs"])
            handles += ax.plot([], [], **line | {"label": null})
        found = {which for _, row in drawn.iterrows() for which in further_intervals(row)}
        for which, (look, _, label) in FURTHER.items():
            if which in found:
                handles += ax.plot([], [], **look, color=GREY, label=label)
        return handles + self.margins_[:1]
