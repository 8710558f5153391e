"""CorrelationSensitivityDisplay: how the interval depends on what is assumed and unknown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd

from .._utils._metrics import shown_as
from .._utils._text import format_percent
from ..scores import CVScores
from ..stats import CVTestResult, RowTTestResult
from ..theory import CorrelationSensitivity, correlation_sensitivity
from ._display import Display, Properties, check_drawable, merged, short_names, write_labels
from ._style import BLUE, GREY, VERMILION, ink, light


@dataclass(kw_only=True, eq=False, repr=False)
class CorrelationSensitivityDisplay(Display):
    """The interval against the unknown correlation of the splits, or inflation of the row t-test.

    Neither can be estimated from one data set (Proposition 3 of Nadeau and Bengio), so every test
    assumes one. Make one with `from_scores` or `from_result`.

    Parameters
    ----------
    sensitivity : CorrelationSensitivity
        The numbers.
    assumed : float, default=None
        What the test assumed, where it is not the one of `sensitivity`.
    names : tuple of (str, str), default=None
        The two estimators, where the scores are known to be the first's minus the second's.
    {shared: legend}

    {Attributes: drawn}
    lines_ : list of matplotlib Line2D
        The ends of the interval, those that are finite, the lower first, with ``interval_kwargs``.
    band_ : matplotlib PolyCollection
        What is between them, in their colour.
    estimate_, null_line_, assumed_ : matplotlib Line2D
        The estimate, the value under test, with ``line_kwargs``, and the assumed correlation or
        inflation.
    tipping_ : matplotlib Line2D or None
        Where the interval reaches the null value, if it is in view.
    {shared: legend_}

    {See Also: skcvstats.theory.correlation_sensitivity}

    Examples
    --------
    >>> from skcvstats import CVScores, SplitDesign
    >>> from skcvstats.plotting import CorrelationSensitivityDisplay
    >>> x = [0.04, 0.02, 0.05, 0.01, 0.03, 0.06, 0.00, 0.04, 0.02, 0.03]
    >>> design = SplitDesign.from_sizes(n_train=180, n_test=20, n_splits=10)
    >>> scores = CVScores(values=x, design=design)
    >>> display = CorrelationSensitivityDisplay.from_scores(scores, rho=[0, 0.2])
    >>> display.frame()["correlation"].tolist()
    [0.0, 0.1, 0.2]
    """

    sensitivity: CorrelationSensitivity
    assumed: float | None = None
    names: tuple[str, str] | None = None

    @classmethod
    def from_scores(
        cls, scores: Any, rho: Any = None, *, legend: bool = True, **options: Any
    ) -> CorrelationSensitivityDisplay:
        """Compute the intervals from scores.

        Parameters
        ----------
        scores : CVScores or dict
            The scores of one estimator, or the difference of two.
        {shared: rho, legend}
        **options : object
            Those of `correlation_sensitivity`.

        {Returns: display}
        """
        return cls(
            sensitivity=correlation_sensitivity(scores, rho, **options),
            names=_subtracted(scores) if isinstance(scores, CVScores) else None,
            legend=legend,
        )

    @classmethod
    def from_result(
        cls,
        result: CVTestResult,
        rho: Any = None,
        *,
        confidence_level: float = 0.95,
        legend: bool = True,
    ) -> CorrelationSensitivityDisplay:
        """Compute the intervals that a test would have had with other assumptions.

        Parameters
        ----------
        result : CVTestResult
            Of the corrected resampled t-test, the uncorrected one, or the row t-test; of a
            comparison, ``result.tests[0]``.
        {shared: rho, level, legend}

        {Returns: display}

        Raises
        ------
        TypeError
            If it is no result of a single test.
        ValueError
            If the result is of another procedure, or of plain arrays.
        """
        check_drawable(result, CVTestResult)
        of_rows = isinstance(result, RowTTestResult)
        if not of_rows and result.method not in ("corrected_resampled_t", "resampled_t"):
            raise ValueError(
                f"method={result.method!r} does not take its variance from the splits, so it "
                'assumes no correlation. Use a result of "corrected_resampled_t" or "row_t".'
            )
        if result.scores is None and not of_rows:
            raise ValueError(
                "This result is of plain arrays, whose splits are not known any more. Wrap the "
                "scores in CVScores and use from_scores."
            )
        test: dict[str, Any] = {"null_value": result.null_value, "alternative": result.alternative}
        test["confidence_level"] = confidence_level
        return cls(
            sensitivity=correlation_sensitivity(result if of_rows else result.scores, rho, **test),
            assumed=0.0 if result.method == "resampled_t" else None,
            names=None if result.scores is None else _subtracted(result.scores),
            legend=legend,
        )

    def plot(
        self,
        ax: Any = None,
        *,
        legend: bool | None = None,
        interval_kwargs: Properties = None,
        line_kwargs: Properties = None,
    ) -> Self:
        """Draw the interval over what is assumed, the null line and the assumption made.

        {Parameters: one ax, legend of plot, interval_kwargs, line_kwargs}

        {Returns: itself}

        {Raises: no matplotlib, bad drawing}
        """
        looks = self._looks(ax, legend, interval=interval_kwargs, line=line_kwargs)
        numbers, arrow = self.sensitivity, "\N{RIGHTWARDS ARROW}"  # points up: the text is rotated
        (ax,) = self._axes_for(ax, [numbers.label])
        light(ax)
        kind = "interval" if numbers.alternative == "two-sided" else "bound"
        self._draw_interval(ax, looks["interval"], kind)
        look = {"color": GREY, "lw": 1.4, "ls": ":", "label": "estimate"}
        self.estimate_ = ax.axhline(numbers.estimate, **look)
        null = merged({"color": ink(ax), "lw": 1}, looks["line"])
        null["label"] = f"null value {numbers.null_value:g}"
        self.null_line_ = ax.axhline(numbers.null_value, **null)
        at = numbers.assumed if self.assumed is None else self.assumed
        look = {"color": ink(ax), "lw": 1.2, "ls": "-."}
        self.assumed_ = ax.axvline(at, label=f"assumed {numbers.assumption}: {at:.3g}", **look)
        self.tipping_ = None
        if numbers.tipping <= numbers.correlation[-1]:  # not if it is NaN
            said = f"{kind} reaches {numbers.null_value:g} at {numbers.tipping:.3g}"
            look = {"color": VERMILION, "lw": 1.2, "ls": "--", "label": said}
            self.tipping_ = ax.axvline(numbers.tipping, **look)
        ax.set_xlim(numbers.correlation[0], numbers.correlation[-1])
        unknown = {"correlation": "correlation of two splits", "inflation": "inflation"}
        ylabel = f"expected {numbers.metric}, better {arrow}"
        if self.names is not None:
            first, _ = short_names(self.names)
            ylabel = f"difference in {shown_as(numbers.metric).name}, {first} better {arrow}"
        write_labels(ax, numbers.label, f"{unknown[numbers.assumption]} (unknown)", ylabel)
        shown = self.null_line_ if numbers.null_value != 0 else None
        handles = [self.lines_[0], self.estimate_, shown, self.assumed_, self.tipping_]
        self._add_legend(handles, looks)
        return self

    def frame(self) -> pd.DataFrame:
        """Return the numbers that are drawn.

        Returns
        -------
        DataFrame
            Columns ``correlation`` or ``inflation``, ``standard_error``, ``low``, ``high`` and
            ``pvalue``.
        """
        return self.sensitivity.to_frame()

    def _draw_interval(self, ax: Any, given: dict[str, Any], kind: str) -> None:
        numbers = self.sensitivity
        ends = [end for end in (numbers.low, numbers.high) if np.isfinite(end).all()]
        look = merged({"color": BLUE, "lw": 1.6}, given)
        look["label"] = f"{format_percent(numbers.confidence_level)} confidence {kind}"
        self.lines_ = [ax.plot(numbers.correlation, end, **look)[0] for end in ends]
        reach = np.append(np.ravel(ends), [numbers.null_value, numbers.estimate])
        room = 0.08 * (np.ptp(reach) or 1)
        bottom, top = ax.set_ylim(reach.min() - room, reach.max() + room)
        low, high = np.clip([numbers.low, numbers.high], bottom, top)
        colour = self.lines_[0].get_color()
        self.band_ = ax.fill_between(numbers.correlation, low, high, color=colour, alpha=0.2, lw=0)


def _subtracted(scores: CVScores) -> tuple[str, str] | None:
    """Return the names of the two estimators, if the scores are their difference."""
    if not scores.paired:
        return None
    names = scores.label.split(" - ")
    return (names[0], names[1]) if len(names) == 2 else ("first", "second")
