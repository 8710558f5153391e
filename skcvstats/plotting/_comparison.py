"""ComparisonDisplay: the differences of a comparison with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from .._format import format_percent
from .._student import alpha_of
from .._validation import check_option
from ._style import (
    BLACK,
    legend_below,
    light,
    mark_of,
    name_rows,
    panels_for,
    plain_text,
    title_panel,
    wrapped,
)

if TYPE_CHECKING:
    from .._comparison import ComparisonResult

_LEGEND = {
    "above": "shown to be above {null} ({level} level)",
    "below": "shown to be below {null} ({level} level)",
    "not shown": "not shown ({level} level)",
    "undetermined": "undetermined: does not vary",
}
_SHORT = 20  # characters of a name that has room below the axis


class ComparisonDisplay:
    """Differences of expected scores, each with its interval, against the null line.

    A panel for each metric. Filled marks are significant with the adjusted p-values, at the level
    1 - `confidence_level`; the intervals are not adjusted. Make one with `from_result`.

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

    Attributes
    ----------
    axes_ : ndarray of matplotlib Axes
        A panel for each metric.
    ax_ : matplotlib Axes
        The first of them.
    figure_ : matplotlib Figure
        The figure around them.

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
    ) -> None:
        self.comparisons = comparisons
        self.null_value = null_value
        self.confidence_level = confidence_level
        self.reference = reference

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
            To be plotted.
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
            null_value=result.tests[0].null_value,
            confidence_level=result.confidence_level,
            reference=versus.pop() if result.reference is not None and len(versus) == 1 else None,
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
            Itself, with `axes_`, `ax_` and `figure_`.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If there are not as many axes as metrics.
        """
        parts = self._parts()
        names = [self._names(part) for part in parts.values()]
        shared = all(sorted(one) == sorted(names[0]) for one in names)
        first = [wrapped(name) for name in self._reference() + names[0]]
        self.axes_ = panels_for(type(self).__name__, ax, list(parts), first, stacked=not shared)
        self.ax_, self.figure_ = self.axes_[0], self.axes_[0].figure
        for k, (metric, part) in enumerate(parts.items()):
            if shared:  # one order of the rows, so that they can be followed across
                part = part.iloc[[names[k].index(name) for name in names[0]]]
            hidden = ax is None and shared and k > 0
            self._draw(self.axes_[k], metric, part, named=not hidden)
        legend_below(self.axes_, self._handles(), own=ax is None)
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
        return dict(iter(self.comparisons.groupby("metric", sort=False)))  # type: ignore[arg-type]

    def _reference(self) -> list[str]:
        return [] if self.reference is None else [f"{self.reference} (reference)"]

    def _names(self, part: pd.DataFrame) -> list[str]:
        if self.reference is not None:
            return part["estimator"].tolist()
        pairs = zip(part["estimator"], part["versus"], strict=True)
        return [f"{a} \N{MINUS SIGN} {b}" for a, b in pairs]

    def _draw(self, ax: Any, metric: str, part: pd.DataFrame, *, named: bool) -> None:
        light(ax)
        ax.axvline(self.null_value, color=BLACK, lw=1)
        edges = self._edges(part)
        names = self._reference() + self._names(part)
        if self.reference is not None:
            ax.plot(0, 0, "D", color=BLACK, ms=5, zorder=3)
        for k, one in enumerate(part.to_dict("records"), start=len(self._reference())):
            colour, marker, face = mark_of(one["outcome"])
            low, high = one["low"], one["high"]
            ends = np.clip([low, high], *edges)
            ax.plot(ends, [k, k], color=colour, lw=1.6, solid_capstyle="butt", zorder=2)
            for end, arrow in zip((low, high), "<>", strict=True):
                if np.isinf(end):  # a one-sided interval goes on
                    ax.plot(np.clip(end, *edges), k, arrow, color=colour, ms=5, clip_on=False)
            ax.plot(one["difference"], k, marker, color=colour, mfc=face, ms=6, zorder=3)
        name_rows(ax, [wrapped(name) if named else "" for name in names])
        ax.set_xlim(edges)
        ax.locator_params(axis="x", nbins=5)
        ax.set_xlabel(self._xlabel(part))
        title_panel(ax, metric)

    def _edges(self, part: pd.DataFrame) -> tuple[float, float]:
        """Return the ends of the axis: all finite ends of intervals, and the null line."""
        drawn = part[["difference", "low", "high"]].to_numpy()
        zero = [] if self.reference is None else [0.0]
        drawn = np.concatenate([drawn[np.isfinite(drawn)], [self.null_value], zero])
        room = 0.06 * (np.ptp(drawn) or 1)
        return drawn.min() - room, drawn.max() + room

    def _xlabel(self, part: pd.DataFrame) -> str:
        level = f"{format_percent(self.confidence_level)} confidence each"
        if self.reference is not None:
            worse, better = "worse", "better than the reference"
            what = "difference from the reference"
        elif len(set(self._names(part))) == 1 and max(map(len, part.iloc[0, 1:3])) <= _SHORT:
            better, worse = (f"{plain_text(name)} better" for name in part.iloc[0, 1:3])
            what = "difference"
        else:
            worse, better = "second better", "first better"
            what = "difference, first minus second"
        left, right = "\N{LEFTWARDS ARROW}", "\N{RIGHTWARDS ARROW}"
        return f"{what} ({level})\n{left} {worse}     {better} {right}"

    def _handles(self) -> list[Any]:
        """Return a mark for each outcome that occurs, named."""
        handles, level = [], format_percent(alpha_of(self.confidence_level))
        for outcome, text in _LEGEND.items():
            if (self.comparisons["outcome"] == outcome).any():
                colour, marker, face = mark_of(outcome)
                label = text.format(null=f"{self.null_value:g}", level=level)
                handles += self.ax_.plot([], [], marker, color=colour, mfc=face, label=label)
        return handles
