"""CorrelationSensitivityDisplay: how the interval moves with the unknown correlation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from .._utils import format_percent
from ..scores import CVScores
from ..stats import CorrelationSensitivity, correlation_sensitivity
from ._axes import axes_for
from ._fit import add_legend, fitted, height_of, inches, make_room, name_axis, settle, title_panel
from ._style import BLUE, GREY, VERMILION, ink, light

if TYPE_CHECKING:
    from ..stats import CVTestResult


class CorrelationSensitivityDisplay:
    """The interval of a mean over splits, over the correlation of the splits that nobody knows.

    The correlation cannot be estimated from one data set (Proposition 3 of Nadeau and Bengio), so
    every test assumes one. Make one with `from_scores` or `from_result`.

    Parameters
    ----------
    sensitivity : CorrelationSensitivity
        The numbers.
    assumed : float, default=None
        The correlation that the test assumed, where it is not the one of `sensitivity`.
    names : tuple of (str, str), default=None
        The two estimators, where the scores are known to be the first's minus the second's.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it is drawn.
    figure_ : matplotlib Figure
        The figure around it.
    lines_ : list of matplotlib Line2D
        The ends of the interval, those that are finite, the lower first.
    band_ : matplotlib PolyCollection
        What is between them.
    estimate_, null_line_, assumed_ : matplotlib Line2D
        The mean score, the value under test and the assumed correlation.
    tipping_ : matplotlib Line2D or None
        The correlation at which the interval reaches the null value, if it is in view.
    legend_ : matplotlib Legend
        What the lines mean.

    See Also
    --------
    skcvstats.correlation_sensitivity : The numbers.

    Examples
    --------
    >>> from skcvstats import CorrelationSensitivityDisplay, CVScores, SplitDesign
    >>> x = [0.04, 0.02, 0.05, 0.01, 0.03, 0.06, 0.00, 0.04, 0.02, 0.03]
    >>> design = SplitDesign.from_sizes(n_train=180, n_test=20, n_splits=10)
    >>> scores = CVScores(values=x, design=design)
    >>> display = CorrelationSensitivityDisplay.from_scores(scores, rho=[0, 0.2])
    >>> display.frame()["correlation"].tolist()
    [0.0, 0.1, 0.2]
    """

    def __init__(
        self,
        *,
        sensitivity: CorrelationSensitivity,
        assumed: float | None = None,
        names: tuple[str, str] | None = None,
    ) -> None:
        self.sensitivity = sensitivity
        self.assumed = assumed
        self.names = names

    @classmethod
    def from_scores(
        cls, scores: Any, rho: Any = None, **options: Any
    ) -> CorrelationSensitivityDisplay:
        """Compute the intervals from scores.

        Parameters
        ----------
        scores : CVScores or dict
            The scores of one estimator, or the difference of two.
        rho : array-like of float, default=None
            Correlations to look at; None is a grid.
        **options : object
            Those of `correlation_sensitivity`.

        Returns
        -------
        CorrelationSensitivityDisplay
            Nothing is drawn yet: its `plot` does that.
        """
        return cls(
            sensitivity=correlation_sensitivity(scores, rho, **options),
            names=_subtracted(scores) if isinstance(scores, CVScores) else None,
        )

    @classmethod
    def from_result(
        cls, result: CVTestResult, rho: Any = None, *, confidence_level: float = 0.95
    ) -> CorrelationSensitivityDisplay:
        """Compute the intervals that a test would have had with other correlations.

        Parameters
        ----------
        result : CVTestResult
            Of the corrected resampled t-test, or of the uncorrected one; of a comparison,
            ``result.tests[0]``.
        rho : array-like of float, default=None
            Correlations to look at; None is a grid.
        confidence_level : float, default=0.95
            Of the intervals.

        Returns
        -------
        CorrelationSensitivityDisplay
            Nothing is drawn yet: its `plot` does that.

        Raises
        ------
        TypeError
            If it is no result of a single test.
        ValueError
            If the result is of another procedure, or of plain arrays.
        """
        if not hasattr(result, "method"):
            raise TypeError(
                f"Expected the CVTestResult of one test, got {type(result).__name__}. Of a "
                "comparison, pass one of its tests: result.tests[0]."
            )
        if result.method not in ("corrected_resampled_t", "resampled_t"):
            raise ValueError(
                f"method={result.method!r} does not take its variance from the splits of the "
                "estimate, so it assumes no correlation of theirs. Use a result of "
                '"corrected_resampled_t".'
            )
        if result.scores is None:
            raise ValueError(
                "This result is of plain arrays, whose splits are not known any more. Wrap the "
                "scores in CVScores and use from_scores."
            )
        sensitivity = correlation_sensitivity(
            result.scores,
            rho,
            null_value=result.null_value,
            alternative=result.alternative,
            confidence_level=confidence_level,
        )
        corrected = result.method == "corrected_resampled_t"
        return cls(
            sensitivity=sensitivity,
            assumed=None if corrected else 0.0,
            names=_subtracted(result.scores),
        )

    def plot(self, ax: Any = None) -> CorrelationSensitivityDisplay:
        """Draw the interval over the correlation, the null line and the assumed correlation.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        CorrelationSensitivityDisplay
            Itself, with its attributes set.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        TypeError
            If `ax` is something else.
        ValueError
            If `ax` is several axes.
        """
        own = ax is None
        ax = axes_for(type(self).__name__, ax)
        self.ax_, self.figure_ = ax, ax.figure
        light(ax)
        self._draw(ax)
        numbers = self.sensitivity
        ax.set_xlim(numbers.correlation[0], numbers.correlation[-1])
        settle(ax)
        name_axis(ax, "correlation of two splits (unknown)")
        self._say_what(ax)
        null = self.null_line_ if numbers.null_value != 0 else None
        marks = [self.lines_[0], self.estimate_, null, self.assumed_, self.tipping_]
        handles = [one for one in marks if one is not None]
        self.legend_ = add_legend([ax], handles, own=own)
        if not own:
            settle(ax)
            make_room([ax], above=height_of(self.legend_))
        return self

    def frame(self) -> pd.DataFrame:
        """Return the numbers that are drawn.

        Returns
        -------
        DataFrame
            Columns ``correlation``, ``standard_error``, ``low``, ``high`` and ``pvalue``.
        """
        return self.sensitivity.to_frame()

    def _say_what(self, ax: Any) -> None:
        """Write what is drawn, and in the corner that is free who is better where it is greater."""
        numbers = self.sensitivity
        what = "expected" if self.names is None else "difference in"
        better = "better" if self.names is None else f"{self.names[0]} better"
        title_panel(ax, numbers.label)
        ax.set_ylabel(fitted(ax, f"{what} {numbers.metric}", inches(ax).height))
        ax.annotate(
            fitted(ax, f"{better} \N{UPWARDS ARROW}", inches(ax).width, "small"),
            (0, 0),
            xycoords="axes fraction",
            xytext=(3, 3),
            textcoords="offset points",
            color=GREY,
            fontsize="small",
        )

    def _draw(self, ax: Any) -> None:
        self._draw_interval(ax)
        numbers = self.sensitivity
        self.estimate_ = ax.axhline(numbers.estimate, color=GREY, lw=1.4, ls=":", label="estimate")
        null = f"null value {numbers.null_value:g}"
        self.null_line_ = ax.axhline(numbers.null_value, color=ink(ax), lw=1, label=null)
        at = numbers.assumed if self.assumed is None else self.assumed
        self.assumed_ = ax.axvline(
            at, color=ink(ax), lw=1.2, ls="-.", label=f"assumed correlation: {at:.3g}"
        )
        self.tipping_ = None
        if not np.isnan(numbers.tipping) and numbers.tipping <= numbers.correlation[-1]:
            label = f"{_kind(numbers)} reaches {numbers.null_value:g} at {numbers.tipping:.3g}"
            self.tipping_ = ax.axvline(
                numbers.tipping, color=VERMILION, lw=1.2, ls="--", label=label
            )

    def _draw_interval(self, ax: Any) -> None:
        numbers = self.sensitivity
        ends = [end for end in (numbers.low, numbers.high) if np.isfinite(end).all()]
        label = f"{format_percent(numbers.confidence_level)} confidence {_kind(numbers)}"
        self.lines_: list[Any] = []
        for end in ends:
            self.lines_ += ax.plot(numbers.correlation, end, color=BLUE, lw=1.6, label=label)
        reach = np.append(np.ravel(ends), [numbers.null_value, numbers.estimate])
        room = 0.08 * (np.ptp(reach) or 1)
        bottom, top = reach.min() - room, reach.max() + room
        low, high = np.clip(numbers.low, bottom, top), np.clip(numbers.high, bottom, top)
        self.band_ = ax.fill_between(numbers.correlation, low, high, color=BLUE, alpha=0.12, lw=0)
        ax.set_ylim(bottom, top)
        ax.locator_params(axis="y", nbins=6)


def _kind(numbers: CorrelationSensitivity) -> str:
    return "interval" if numbers.alternative == "two-sided" else "bound"


def _subtracted(scores: CVScores) -> tuple[str, str] | None:
    """Return the names of the two estimators, if the scores are their difference."""
    if not scores.paired:
        return None
    names = scores.label.split(" - ")
    return (names[0], names[1]) if len(names) == 2 else ("first", "second")
