"""CumulatedDifferenceDisplay: how the difference of two models adds up over time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import pandas as pd

from .._utils._arrays import as_labels
from .._utils._checks import check_level
from .._utils._metrics import shown_as
from .._utils._text import format_percent
from ..comparison import ComparisonResult
from ..stats import (
    CVTestResult,
    DieboldMarianoResult,
    diebold_mariano_test,
    series_of,
    student_quantile,
)
from ._display import (
    Display,
    Properties,
    check_drawable,
    merged,
    short_names,
    shorten_dates,
    write_labels,
)
from ._style import BLUE, ink, light


@dataclass(kw_only=True, eq=False, repr=False)
class CumulatedDifferenceDisplay(Display):
    """The difference of two models' scores, added up over time, with its band.

    Where it rises the first is better, where it falls the second. A line that turns says that the
    answer depends on the period. Make one with `from_result` or `from_series`.

    Parameters
    ----------
    times : array-like of shape (n_times,)
        The times, ascending.
    cumulated, low, high : array-like of shape (n_times,)
        The sum of the differences up to each time, and the ends of its band.
    confidence_level : float, default=0.95
        Of the band.
    metric : str, default="score"
        What the scores measure.
    names : tuple of (str, str), default=None
        The two estimators of a difference, the first minus the second; None for a score.
    label : str, default=""
        Above the axes.
    {shared: legend}

    {Attributes: drawn}
    line_ : matplotlib Line2D
        The sum, with ``line_kwargs``.
    band_ : matplotlib PolyCollection
        The band, in its colour.
    zero_ : matplotlib Line2D
        At 0, where the models are equally good.
    {shared: legend_}

    See Also
    --------
    skcvstats.DieboldMarianoTest : The test.

    Notes
    -----
    With the mean d of T differences, its standard error s and the quantile q of Student's t
    distribution, the band at the t-th time is the sum so far plus and minus q s sqrt(T t). At the
    last time it is T times the confidence interval of the test, unadjusted: it then contains 0 if
    and only if the test of this pair alone shows no difference. It is for each time by itself.

    Examples
    --------
    >>> import numpy as np
    >>> from skcvstats.plotting import CumulatedDifferenceDisplay
    >>> x = np.random.default_rng(0).normal(0.4, size=60)
    >>> display = CumulatedDifferenceDisplay.from_series(x)
    >>> display.frame().columns.tolist()
    ['time', 'cumulated', 'low', 'high']
    """

    times: Any
    cumulated: Any
    low: Any
    high: Any
    confidence_level: float = 0.95
    metric: str = "score"
    names: tuple[str, str] | None = None
    label: str = ""

    @classmethod
    def from_result(
        cls,
        result: CVTestResult | ComparisonResult,
        *,
        times: Any = None,
        confidence_level: float | None = None,
        legend: bool = True,
    ) -> CumulatedDifferenceDisplay:
        """Add up the differences behind a Diebold-Mariano test.

        Parameters
        ----------
        result : CVTestResult or ComparisonResult
            Of the Diebold-Mariano test; of a comparison of several pairs, one of ``result.tests``.
        times : array-like of shape (n_times,), default=None
            What to write below the axes: the tested times, in their order. None counts them.
        {shared: own level, legend}

        {Returns: display}

        Raises
        ------
        TypeError
            If it is no result of this test.
        ValueError
            If it is of several pairs, or of plain arrays, or `times` has another length.
        """
        check_drawable(result, CVTestResult, ComparisonResult)
        test: Any = result
        if isinstance(result, ComparisonResult):
            if len(result) != 1:
                raise ValueError(
                    f"There are {len(result)} comparisons; draw one of them: "
                    "result.tests[0].plot()."
                )
            test = result.tests[0]
        if not isinstance(test, DieboldMarianoResult):
            raise TypeError(
                f"The result is of the {test.title}, which knows no time. Use "
                'method="diebold_mariano" on splits in time order, or time= of compare_predictions.'
            )
        if test.scores is None or np.ndim(test.estimate):
            raise ValueError(
                "This result is of plain arrays, or of several tests. Use "
                "CumulatedDifferenceDisplay.from_series(x), with the differences over time."
            )
        rows: Any = test.scores.row_scores
        level = test.confidence_level if confidence_level is None else confidence_level
        display = cls.from_series(
            series_of(rows, rows.block()), times=times, confidence_level=level, legend=legend
        )
        names = (test.estimator, test.versus) if test.versus else None
        return replace(display, metric=test.metric, names=names, label=test.label)

    @classmethod
    def from_series(
        cls,
        x: Any,
        *,
        times: Any = None,
        confidence_level: float = 0.95,
        legend: bool = True,
    ) -> CumulatedDifferenceDisplay:
        """Add up differences of scores, and test their mean for the band.

        Parameters
        ----------
        x : array-like of shape (n_times,)
            The differences in the order of time, as for `diebold_mariano_test`.
        times : array-like of shape (n_times,), default=None
            What to write below the axes. None counts the times.
        {shared: level, legend}

        {Returns: display}

        Raises
        ------
        ValueError
            If x is not one series of 20 or more.
        """
        series = np.asarray(x, dtype=float)
        if series.ndim != 1:
            raise ValueError(f"x has shape {series.shape}; give one series, of shape (n_times,).")
        test, n_times = diebold_mariano_test(series), len(series)
        at = np.arange(1, n_times + 1)
        shown = at if times is None else as_labels("times", times)
        if len(shown) != n_times:
            raise ValueError(f"times has {len(shown)} entries for {n_times} tested times.")
        quantile = -student_quantile(test.df, (1 - check_level(confidence_level)) / 2)
        half_width = quantile * test.standard_error * np.sqrt(n_times * at)
        sums = np.cumsum(series)
        ends = {"low": sums - half_width, "high": sums + half_width}
        return cls(
            times=shown, cumulated=sums, confidence_level=confidence_level, legend=legend, **ends
        )

    def plot(
        self, ax: Any = None, *, legend: bool | None = None, line_kwargs: Properties = None
    ) -> Self:
        """Draw the sum with its band, and the line at 0.

        {Parameters: one ax, legend of plot, line_kwargs}

        {Returns: itself}

        {Raises: no matplotlib, bad drawing}
        """
        looks, arrow = self._looks(ax, legend, line=line_kwargs), "\N{RIGHTWARDS ARROW}"
        (ax,) = self._axes_for(ax, [self.label])
        light(ax)
        look = merged({"color": BLUE, "lw": 1.6}, looks["line"])
        (self.line_,) = ax.plot(self.times, self.cumulated, **look)
        said = f"{format_percent(self.confidence_level)} band, for each time by itself"
        look = {"color": self.line_.get_color(), "alpha": 0.2, "lw": 0, "label": said}
        self.band_ = ax.fill_between(self.times, self.low, self.high, **look)
        shorten_dates(ax)
        self.zero_ = ax.axhline(0, color=ink(ax), lw=1)
        ax.margins(x=0)
        ylabel = f"cumulated {self.metric}"
        if self.names is not None:
            first, _ = short_names(self.names)
            ylabel = f"cumulated difference in {shown_as(self.metric).name}, {first} better {arrow}"
        write_labels(ax, self.label, "time", ylabel)
        self._add_legend([self.band_], looks)
        return self

    def frame(self) -> pd.DataFrame:
        """Return the numbers that are drawn.

        Returns
        -------
        DataFrame
            A row for each time, with the columns ``time``, ``cumulated``, ``low`` and ``high``.
        """
        names = ("cumulated", "low", "high")
        return pd.DataFrame({"time": self.times, **{name: getattr(self, name) for name in names}})
