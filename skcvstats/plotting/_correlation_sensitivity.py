"""CorrelationSensitivityDisplay: how the interval moves with the unknown correlation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from .._format import format_percent
from ..stats import CorrelationSensitivity, correlation_sensitivity
from ._axes import axes_for
from ._style import BLACK, BLUE, GREY, VERMILION, light, plain_text, title_panel

if TYPE_CHECKING:
    from .._results import CVTestResult


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

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it is drawn.
    figure_ : matplotlib Figure
        The figure around it.

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
        self, *, sensitivity: CorrelationSensitivity, assumed: float | None = None
    ) -> None:
        self.sensitivity = sensitivity
        self.assumed = assumed

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
            To be plotted.
        """
        return cls(sensitivity=correlation_sensitivity(scores, rho, **options))

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
            To be plotted.

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
        return cls(sensitivity=sensitivity, assumed=None if corrected else 0.0)

    def plot(self, ax: Any = None) -> CorrelationSensitivityDisplay:
        """Draw the interval over the correlation, the null line and the assumed correlation.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        CorrelationSensitivityDisplay
            Itself, with `ax_` and `figure_`.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        own = ax is None
        ax = axes_for(type(self).__name__, ax)
        self.ax_, self.figure_ = ax, ax.figure
        if own:
            self.figure_.set_layout_engine("constrained")
        light(ax)
        numbers = self.sensitivity
        self._draw_band(ax)
        ax.axhline(numbers.null_value, color=BLACK, lw=1)
        assumed = numbers.assumed if self.assumed is None else self.assumed
        self._mark(ax, assumed, f"assumed: {assumed:.3g}", BLUE, "-", 3)
        if not np.isnan(numbers.tipping) and numbers.tipping <= numbers.correlation[-1]:
            text = f"reaches {numbers.null_value:g} at {numbers.tipping:.3g}"
            self._mark(ax, numbers.tipping, text, VERMILION, "--", 15)
        level = format_percent(numbers.confidence_level)
        ax.set(
            xlabel="correlation of two splits' scores (cannot be estimated)",
            ylabel=f"{plain_text(numbers.metric)} ({level} confidence)"
            "\nbetter \N{RIGHTWARDS ARROW}",
            xlim=(numbers.correlation[0], numbers.correlation[-1]),
        )
        title_panel(ax, numbers.label, pad=32)
        return self

    def frame(self) -> pd.DataFrame:
        """Return the numbers that are drawn.

        Returns
        -------
        DataFrame
            Columns ``correlation``, ``standard_error``, ``low``, ``high`` and ``pvalue``.
        """
        return self.sensitivity.to_frame()

    def _draw_band(self, ax: Any) -> None:
        numbers = self.sensitivity
        ends = [end for end in (numbers.low, numbers.high) if np.isfinite(end).all()]
        for end in ends:
            ax.plot(numbers.correlation, end, color=BLUE, lw=1.6)
        ax.axhline(numbers.estimate, color=GREY, lw=1, ls=":")
        ax.annotate(
            "estimate",
            (0.99, numbers.estimate),
            xycoords=("axes fraction", "data"),
            xytext=(0, 2),
            textcoords="offset points",
            ha="right",
            color=GREY,
            fontsize="small",
        )
        reach = np.append(np.ravel(ends), [numbers.null_value, numbers.estimate])
        room = 0.08 * (np.ptp(reach) or 1)
        bottom, top = reach.min() - room, reach.max() + room
        low, high = np.clip(numbers.low, bottom, top), np.clip(numbers.high, bottom, top)
        ax.fill_between(numbers.correlation, low, high, color=BLUE, alpha=0.12, lw=0)
        ax.set_ylim(bottom, top)

    def _mark(self, ax: Any, at: float, text: str, colour: str, style: str, height: float) -> None:
        ax.axvline(at, color=colour, lw=1.2, ls=style)
        ax.annotate(
            text,
            (at, 1),
            xycoords=("data", "axes fraction"),
            xytext=(0, height),
            textcoords="offset points",
            ha="center",
            color=colour,
            fontsize="small",
        )
