"""ComparisonDisplay: the differences of a comparison with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from .._utils import alpha_of, check_option, format_percent
from ._rows import Panel, plot_panels
from ._style import ink, mark_of

if TYPE_CHECKING:
    from ..comparison import ComparisonResult

_NOT_SHOWN = {
    "two-sided": "not shown to differ from {null}",
    "greater": "not shown to be above {null}",
    "less": "not shown to be below {null}",
}
_LEGEND = {
    "above": "shown to be above {null}",
    "below": "shown to be below {null}",
    "undetermined": "undetermined: does not vary",
}
_SHORT = 20  # characters of a name that has room in the panel
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
        ``difference``, ``low``, ``high`` and ``outcome``; an end may be infinite.
    null_value : float, default=0.0
        The value under test.
    confidence_level : float, default=0.95
        Of the intervals; the outcomes are those at the level 1 minus it.
    reference : str or None, default=None
        The estimator that the others are compared with, or None for pairs.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        Of the tests.
    adjusted : str, default=""
        In words, how p-values were adjusted, to be said in the legend.

    Attributes
    ----------
    axes_ : ndarray of matplotlib Axes
        A panel for each metric.
    ax_ : matplotlib Axes
        The first of them.
    figure_ : matplotlib Figure
        The figure around them.
    marks_ : list of matplotlib Line2D
        The mark of each row of `frame`.
    intervals_ : list of matplotlib Line2D
        Its interval; one that goes on ends in an arrow.
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
        alternative: str = "two-sided",
        adjusted: str = "",
    ) -> None:
        self.comparisons = comparisons
        self.null_value = null_value
        self.confidence_level = confidence_level
        self.reference = reference
        self.alternative = alternative
        self.adjusted = adjusted

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
        return cls(
            comparisons=frame.assign(outcome=[one.outcome for one in result]),
            null_value=getattr(result.tests[0], "null_value", 0.0),
            confidence_level=result.confidence_level,
            reference=versus.pop() if result.reference is not None and len(versus) == 1 else None,
            alternative=getattr(result.tests[0], "alternative", "two-sided"),
            adjusted=result.adjusted() if result.n_adjusted > 1 else "",
        )

    def plot(self, ax: Any = None) -> ComparisonDisplay:
        """Draw the differences, their intervals and the null line.

        Parameters
        ----------
        ax : matplotlib Axes or array-like of Axes, default=None
            Where to draw, one axes for each metric; None makes a new figure.

        Returns
        -------
        ComparisonDisplay
            Itself, with its attributes set.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        TypeError
            If `ax` is something else.
        ValueError
            If there are not as many axes as metrics.
        """
        parts = self._parts()
        drawn: dict[Any, tuple[Any, Any]] = {}
        self.null_lines_: list[Any] = []
        panels = [self._panel(metric, part, drawn) for metric, part in parts.items()]
        self.axes_, self.legend_ = plot_panels(
            type(self).__name__, ax, panels, self._handles, self._legend_title()
        )
        self.ax_, self.figure_ = self.axes_[0], self.axes_[0].figure
        self.marks_, self.intervals_ = (
            [drawn[k][one] for k in self.comparisons.index] for one in (0, 1)
        )
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

    def _parts(self) -> dict[str, pd.DataFrame]:
        """Return the rows of each metric, in the order of the first where they are the same."""
        groups = self.comparisons.groupby("metric", sort=False)
        parts: dict[str, pd.DataFrame] = dict(iter(groups))  # type: ignore[arg-type]
        first, *others = (list(self._names(part)) for part in parts.values())
        if any(sorted(names) != sorted(first) for names in others):
            return parts
        return {
            metric: part.iloc[[self._names(part).index(name) for name in first]]
            for metric, part in parts.items()
        }

    def _names(self, part: pd.DataFrame) -> list[tuple[str, ...]]:
        columns = ["estimator", "versus"] if self.reference is None else ["estimator"]
        return list(part[columns].itertuples(index=False, name=None))

    def _panel(self, metric: str, part: pd.DataFrame, drawn: dict[Any, tuple[Any, Any]]) -> Panel:
        reference = [] if self.reference is None else [(f"{self.reference} (reference)",)]
        return Panel(
            title=metric,
            names=reference + self._names(part),
            draw=lambda ax, at: drawn.update(self._draw(ax, part, at)),
            xlabel="difference",
            directions=self._directions(part),
        )

    def _directions(self, part: pd.DataFrame) -> tuple[str, str]:
        """Return who is better to the left and to the right."""
        if self.reference is not None:
            return f"{_LEFT} worse", f"better than the reference {_RIGHT}"
        first, second = "first", "second"
        if len(part) == 1 and max(map(len, self._names(part)[0])) <= _SHORT:
            first, second = self._names(part)[0]
        return f"{_LEFT} {second} better", f"{first} better {_RIGHT}"

    def _draw(self, ax: Any, part: pd.DataFrame, at: np.ndarray) -> dict[Any, tuple[Any, Any]]:
        """Draw a panel, and return by index the mark and the interval of each row."""
        drawn = {}
        self.null_lines_.append(ax.axvline(self.null_value, color=ink(ax), lw=1))
        edges = self._edges(part)
        if self.reference is not None:
            ax.plot(0, at[0], "D", color=ink(ax), ms=5, zorder=3)
        for height, (k, one) in zip(at[-len(part) :], part.iterrows(), strict=True):
            look = mark_of(one["outcome"], ax)
            ends = np.clip([one["low"], one["high"]], *_within(edges))
            colour = look["color"]
            (interval,) = ax.plot(
                ends, [height] * 2, color=colour, lw=1.6, solid_capstyle="butt", zorder=2
            )
            for end, shown, arrow in zip((one["low"], one["high"]), ends, "<>", strict=True):
                if np.isinf(end):  # a one-sided interval goes on
                    ax.plot(shown, height, arrow, color=colour, ms=5)
            (mark,) = ax.plot(one["difference"], height, **look, zorder=3)
            drawn[k] = mark, interval
        ax.set_xlim(edges)
        ax.locator_params(axis="x", nbins=5)
        return drawn

    def _edges(self, part: pd.DataFrame) -> tuple[float, float]:
        """Return the ends of the axis: all finite ends of intervals, and the null line."""
        drawn = part[["difference", "low", "high"]].to_numpy()
        zero = [] if self.reference is None else [0.0]
        drawn = np.concatenate([drawn[np.isfinite(drawn)], [self.null_value], zero])
        room = 0.1 * (np.ptp(drawn) or 1)
        return drawn.min() - room, drawn.max() + room

    def _legend_title(self) -> str:
        alpha, level = alpha_of(self.confidence_level), self.confidence_level
        heading = (
            f"marks: {format_percent(alpha)} level, intervals: {format_percent(level)} confidence"
        )
        return f"{heading}\n{self.adjusted}" if self.adjusted else heading

    def _handles(self, ax: Any) -> list[Any]:
        """Return a mark for each outcome that occurs, and the null line where it is not at 0."""
        handles, null = [], f"{self.null_value:g}"
        for outcome, text in (_LEGEND | {"not shown": _NOT_SHOWN[self.alternative]}).items():
            if (self.comparisons["outcome"] == outcome).any():
                handles += ax.plot([], [], **mark_of(outcome, ax), label=text.format(null=null))
        if self.null_value != 0:
            handles += ax.plot([], [], color=ink(ax), lw=1, label=f"null value {null}")
        return handles


def _within(edges: tuple[float, float]) -> tuple[float, float]:
    """Return where an interval that goes on is ended, so that its arrow is inside the axes."""
    room = 0.025 * (edges[1] - edges[0])
    return edges[0] + room, edges[1] - room
