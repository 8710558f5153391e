"""ComparisonDisplay: the differences of a comparison with their intervals."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from .._utils import alpha_of, check_option, format_percent
from ..stats import KINDS
from ._axes import check_kwargs, merged
from ._rows import Panel, plot_panels
from ._style import MARKS, ink, mark_of

if TYPE_CHECKING:
    from ..comparison import ComparisonResult

_SHORT = 20  # characters of a name that has room in the panel
_MOST = 3  # names of what is not drawn
_LEFT, _RIGHT = "\N{LEFTWARDS ARROW}", "\N{RIGHTWARDS ARROW}"


class ComparisonDisplay:
    """Differences of expected scores, each with its interval, against the null line.

    A panel for each metric. Filled marks are significant with the adjusted p-values, at the level
    1 - `confidence_level`; the intervals are not adjusted. Make one with `from_result`. In a figure
    of yours, ``plt.subplots(layout="constrained")`` makes room for long names.

    Parameters
    ----------
    comparisons : DataFrame
        One row for each comparison, with the columns ``metric``, ``estimator``, ``versus``,
        ``difference``, ``low``, ``high`` and ``outcome``. An infinite end is drawn as an arrow;
        where the ends are NaN the mark has no interval. A comparison whose difference is NaN is
        not drawn, and the legend names it.
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
    null_lines_ : list of matplotlib Line2D
        The null value in each panel.
    legend_ : matplotlib Legend
        What the marks mean.

    See Also
    --------
    PairedScoresDisplay : The scores behind the differences.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcvstats import ComparisonDisplay, compare_estimators
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
    ) -> None:
        self.comparisons = comparisons
        self.null_value = null_value
        self.confidence_level = confidence_level
        self.reference = reference
        self.adjusted = adjusted
        self.legend = legend

    @classmethod
    def from_result(
        cls,
        result: ComparisonResult,
        *,
        metric: str | None = None,
        confidence_level: float | None = None,
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
            the result, 0.95 if it is not told otherwise.

        Returns
        -------
        ComparisonDisplay
            Nothing is drawn yet: its `plot` does that.
        """
        if metric is not None:
            result = result[check_option("metric", metric, result.metrics)]
        if confidence_level is not None:
            result = result.with_confidence(confidence_level)
        frame = result.to_frame()
        frame = frame[["metric", "estimator", "versus", "difference", "low", "high"]]
        versus = set(frame["versus"])
        claims = [comparison.claim for comparison in result]
        return cls(
            comparisons=frame.assign(outcome=[claim.kind for claim in claims]),
            null_value=getattr(result.tests[0], "null_value", 0.0),
            confidence_level=result.confidence_level,
            reference=versus.pop() if result.reference is not None and len(versus) == 1 else None,
            adjusted=result.adjusted() if result.n_adjusted > 1 else "",
            legend={claim.kind: claim.brief for claim in claims},
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
        drawn: dict[Any, tuple[Any, Any]] = {}
        self.null_lines_: list[Any] = []
        panels = [
            self._panel(metric, part, drawn, looks) for metric, part in self._parts(rows).items()
        ]
        self.axes_, self.legend_ = plot_panels(
            type(self).__name__,
            ax,
            panels,
            lambda first: self._handles(first, looks),
            self._legend_title(),
        )
        self.ax_, self.figure_ = self.axes_[0], self.axes_[0].figure
        pairs = [drawn.get(k, (None, None)) for k in rows.index]
        self.marks_, self.intervals_ = (list(artists) for artists in zip(*pairs, strict=True))
        return self

    def frame(self) -> pd.DataFrame:
        """Return the numbers that are drawn.

        Returns
        -------
        DataFrame
            Columns ``metric``, ``estimator``, ``versus``, ``difference``, ``low``, ``high`` and
            ``outcome``.
        """
        return self.comparisons.copy()

    def _parts(self, rows: pd.DataFrame) -> dict[str, pd.DataFrame]:
        """Return what is drawn of each metric, in the order of the first where it is the same."""
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
        drawn: dict[Any, tuple[Any, Any]],
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
        )

    def _directions(self, part: pd.DataFrame) -> tuple[str, str]:
        """Say who is better to the left and to the right."""
        if self.reference is not None:
            return f"{_LEFT} worse", f"better than the reference {_RIGHT}"
        first, second = "first", "second"
        if len(part) == 1 and max(map(len, self._names(part)[0])) <= _SHORT:
            first, second = self._names(part)[0]
        return f"{_LEFT} {second} better", f"{first} better {_RIGHT}"

    def _draw(
        self, ax: Any, part: pd.DataFrame, at: np.ndarray, looks: dict[str, dict[str, Any]]
    ) -> dict[Any, tuple[Any, Any]]:
        """Draw a panel, and return by index the mark and the interval of each row."""
        line = merged({"color": ink(ax), "lw": 1}, looks["line_kwargs"])
        self.null_lines_.append(ax.axvline(self.null_value, **line))
        edges = self._edges(part)
        if self.reference is not None:
            ax.plot(0, at[0], "D", color=ink(ax), ms=5, zorder=3)
        drawn = {}
        for height, (k, row) in zip(at[len(at) - len(part) :], part.iterrows(), strict=True):
            look = mark_of(row["outcome"], ax)
            ours = {"color": look["color"], "lw": 1.6, "solid_capstyle": "butt", "zorder": 2}
            interval = _draw_interval(
                ax, row, height, edges, merged(ours, looks["interval_kwargs"])
            )
            style = merged({**look, "zorder": 3}, looks["mark_kwargs"])
            drawn[k] = ax.plot(row["difference"], height, **style)[0], interval
        ax.set_xlim(edges)
        ax.locator_params(axis="x", nbins=5)
        return drawn

    def _edges(self, part: pd.DataFrame) -> tuple[float, float]:
        """Return the ends of the axis: all finite ends of intervals, and the null line."""
        drawn = part[["difference", "low", "high"]].to_numpy(dtype=float)
        zero = [] if self.reference is None else [0.0]
        drawn = np.concatenate([drawn[np.isfinite(drawn)], [self.null_value], zero])
        room = 0.1 * (np.ptp(drawn) or 1)
        return drawn.min() - room, drawn.max() + room

    def _legend_title(self) -> str:
        """Say of which level marks and intervals are, what is adjusted, and what is not drawn."""
        alpha, level = alpha_of(self.confidence_level), self.confidence_level
        lines = [f"marks: {format_percent(alpha)} level"]
        if self.comparisons[["low", "high"]].notna().all(axis=1).any():
            lines[0] += f", intervals: {format_percent(level)} confidence"
        missing = self.comparisons[~np.isfinite(self.comparisons["difference"])]
        if len(missing):
            pairs = dict.fromkeys(self._names(missing))  # once, where several metrics lack it
            names = [" \N{MINUS SIGN} ".join(pair) for pair in pairs]
            more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
            lines.append(f"not drawn, without an estimate: {', '.join(names[:_MOST])}{more}")
        return "\n".join([*lines, self.adjusted] if self.adjusted else lines)

    def _handles(self, ax: Any, looks: dict[str, dict[str, Any]]) -> list[Any]:
        """Return a mark for each outcome that occurs, and the null line where it is not at 0."""
        null = f"{self.null_value:g}"
        words = KINDS | dict(self.legend)
        drawn = self.comparisons[np.isfinite(self.comparisons["difference"])]
        handles = []
        for kind in MARKS:
            if (drawn["outcome"] == kind).any():
                style = merged(mark_of(kind, ax), looks["mark_kwargs"])
                handles += ax.plot([], [], **style | {"label": words[kind]})
        if self.null_value != 0:
            line = merged({"color": ink(ax), "lw": 1}, looks["line_kwargs"])
            handles += ax.plot([], [], **line | {"label": f"null value {null}"})
        return handles


def _draw_interval(
    ax: Any, row: pd.Series, height: float, edges: tuple[float, float], look: dict[str, Any]
) -> Any:
    """Draw the interval of a row; an end that goes on is an arrow inside the axes."""
    ends = np.array([row["low"], row["high"]], dtype=float)
    if np.isnan(ends).any():
        return None
    room = 0.025 * (edges[1] - edges[0])
    shown = np.clip(ends, edges[0] + room, edges[1] - room)
    (interval,) = ax.plot(shown, [height] * 2, **look)
    for at, arrow in zip(shown[np.isinf(ends)], np.array(["<", ">"])[np.isinf(ends)], strict=True):
        ax.plot(at, height, arrow, color=interval.get_color(), ms=5)
    return interval
