"""Pictures of a single test: its posterior, what it assumes, and its differences over time."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from .._utils._arrays import as_labels
from .._utils._metrics import Shown
from .._utils._shared_arguments import check_level, check_optional_level
from .._utils._text import format_ends, format_number, format_percent
from ..comparison import ComparisonResult
from ..scores import CVScores
from ..stats import (
    CVTestResult,
    DieboldMarianoResult,
    PosteriorProbabilities,
    RowTTestResult,
    check_bounds,
    diebold_mariano_test,
    series_of,
    student_quantile,
)
from ..theory import CorrelationSensitivity, correlation_sensitivity
from ._display import (
    BLUE,
    GREEN,
    GREY,
    VERMILION,
    Display,
    Looks,
    Properties,
    check_drawable,
    difference_label,
    directions,
    draw_band,
    ink,
    read_as,
    short_names,
    subtracted,
    title_of,
    write_labels,
)

_N_POINTS = 401
_SHORT = 10  # characters of a name that has room in the legend
_TAIL = 5e-4  # share of the probability on each side beyond the axis
_FARTHEST = 2  # a bound is in view up to this many widths of the distribution away


def _compared(test: CVTestResult) -> tuple[str, str] | None:
    """Return the names of the two estimators of a difference; None of a score."""
    return (test.estimator, test.versus) if test.versus else None


def _title(label: str, metric: str, names: tuple[str, str] | None) -> str:
    """Return a label, of two estimators in the order of their difference."""
    if names is not None and label == " - ".join(names):
        return " - ".join(subtracted(metric, names))
    return label


@dataclass(kw_only=True, eq=False, repr=False)
class PosteriorDisplay(Display):
    """The density of the true score or difference, with the probabilities of three regions.

    The region of practical equivalence is shaded in the middle; the areas to its sides are the
    probabilities that one or the other is better by more. They are not adjusted for the number of
    comparisons, and decide nothing. Make one with `from_result`.

    Parameters
    ----------
    values, density : array-like of shape (n_points,)
        The curve, the values ascending.
    probabilities : namedtuple
        ``(worse, equivalent, better)``: below, within and above the margin.
    margin : tuple of (float, float), default=(0.0, 0.0)
        The region of practical equivalence; between equal bounds there is none.
    estimate : float, default=None
        The estimated difference, for a line; None for none.
    metric : str, default="score"
        What the scores measure.
    names : tuple of (str, str), default=None
        The two estimators of a difference, the first minus the second; None for a score.
    label : str, default=""
        Above the axes.
    {shared: legend}

    {Attributes: drawn}
    line_ : matplotlib Line2D
        The density, with ``line_kwargs``.
    areas_ : list of matplotlib PolyCollection
        What is below it, region by region, from the left.
    estimate_ : matplotlib Line2D or None
        The estimate.
    {shared: legend_}

    {See Also: CVTestResult.posterior, CVTestResult.probabilities}

    Examples
    --------
    >>> from skcvstats.plotting import PosteriorDisplay
    >>> from skcvstats.stats import corrected_resampled_ttest
    >>> differences = [0.04, 0.02, 0.05, 0.01, 0.03, 0.06, 0.00, 0.04, 0.02, 0.03]
    >>> result = corrected_resampled_ttest(differences, n_train=180, n_test=20)
    >>> display = PosteriorDisplay.from_result(result, margin=0.01)
    >>> print(f"{display.probabilities.better:.3f}")
    0.980
    """

    values: np.ndarray
    density: np.ndarray
    probabilities: PosteriorProbabilities
    margin: tuple[float, float] = (0.0, 0.0)
    estimate: float | None = None
    metric: str = "score"
    names: tuple[str, str] | None = None
    label: str = ""

    @classmethod
    def from_result(
        cls,
        result: CVTestResult,
        *,
        margin: float | tuple[float, float] | None = None,
        legend: bool | str = True,
    ) -> Self:
        """Take the posterior of a test.

        Parameters
        ----------
        result : CVTestResult
            Of the corrected resampled t-test, or the holdout t-test with ``law="t"``; of a
            comparison, ``result.tests[0]``.
        margin : float or pair of float, default=None
            The region of practical equivalence: from -margin to margin, or the two bounds, in the
            metric's unit. None is no such region: what is below and what is above the null value,
            by default 0; or, of a score that is tested against nothing, its interval.
        {shared: legend}

        {Returns: display}

        Raises
        ------
        TypeError
            If it is no result of a single test, or the procedure has no posterior.
        ValueError
            If the scores do not vary, or the bounds do not lie around 0.
        """
        check_drawable(result, CVTestResult)
        law = result.posterior()
        if np.ndim(result.estimate):
            raise TypeError(
                f"Expected one test, got {np.size(result.estimate)}. Draw one of them, for example "
                "the test of the first row of scores."
            )
        if margin is not None:
            probabilities = result.probabilities(margin)
            low, high = check_bounds(margin, least=0.0)
        else:
            low = high = result.null_value
            if not result.asked:
                low, high = law.interval(result.confidence_level)
            below = float(law.cdf(low))
            above = float(law.sf(high))
            probabilities = PosteriorProbabilities(below, max(1 - below - above, 0.0), above)
        # as far as the bounds unless they are far away
        start = float(law.ppf(_TAIL))
        stop = float(law.isf(_TAIL))
        far = _FARTHEST * (stop - start)
        first = low if start - far <= low < start else start
        names = _compared(result)
        values = np.linspace(first, high if stop < high <= stop + far else stop, _N_POINTS)
        return cls(
            values=values,
            density=law.pdf(values),
            probabilities=probabilities,
            margin=(float(low), float(high)),
            estimate=float(result.estimate),
            metric=result.metric,
            names=names,
            label=_title(result.label, result.metric, names),
            legend=legend,
        )

    def plot(
        self, ax: Any = None, *, legend: bool | str | None = None, line_kwargs: Properties = None
    ) -> Self:
        """Draw the density, and the areas of the three regions below it.

        {Plot: one ax, line_kwargs}
        """
        (ax,), looks = self._begin(ax, [self.label], legend, {"line": line_kwargs})
        read = read_as(ax.xaxis, self.metric, self.names is not None)
        look = looks.of("line", color=ink(ax), lw=1.6)
        (self.line_,) = ax.plot(self.values, self.density, **look)
        values = np.union1d(self.values, np.clip(self.margin, self.values[0], self.values[-1]))
        density = np.interp(values, self.values, self.density)
        self.areas_ = []
        for low, high, colour, label in self._regions(read):
            ends = np.clip([low, high], values[0], values[-1])
            inside = (ends[0] <= values) & (values <= ends[1])
            look = {"color": colour, "alpha": 0.5, "lw": 0, "label": label}
            self.areas_.append(ax.fill_between(values[inside], density[inside], **look))
        self.estimate_ = None
        if self.estimate is not None:
            top = float(np.interp(self.estimate, self.values, self.density))
            look = {"color": ink(ax), "lw": 1, "ls": ":"}
            look["label"] = f"estimate: {format_number(read.number(self.estimate))}"
            (self.estimate_,) = ax.plot([self.estimate] * 2, [0, top], **look)
        ax.set(xlim=(self.values[0], self.values[-1]), ylim=(0, 1.08 * np.max(self.density)))
        ax.set_yticks([])
        ax.locator_params(axis="x", nbins=6)
        xlabel = f"expected {title_of(self.metric)}"
        ylabel = "density"
        said = ["probabilities, given the scores"]
        if self.names is not None:
            ylabel = "density, not adjusted"
            said.insert(0, "not adjusted for several comparisons")
            sides = directions(self.metric, self.names)
            xlabel = f"difference in {title_of(self.metric)}:   {sides}"
        write_labels(ax, self.label, xlabel, ylabel)
        self._add_legend([*self.areas_, self.estimate_], looks, said)
        return self

    def frame(self) -> pd.DataFrame:
        """Return the numbers that are drawn.

        Returns
        -------
        DataFrame
            A row for each point of the curve, with the columns ``value``, ``density`` and
            ``region``: ``"worse"``, ``"equivalent"`` or ``"better"``.
        """
        values = np.asarray(self.values, dtype=float)
        low, high = self.margin
        region = np.where(values < low, "worse", np.where(values > high, "better", "equivalent"))
        return pd.DataFrame({"value": values, "density": self.density, "region": region})

    def _regions(self, read: Shown) -> list[tuple[float, float, str, str]]:
        """Return the ends, the colour and the words of each region."""
        low, high = self.margin
        below = f"{read.side('below')} {format_number(read.number(low))}"
        between = f"from {format_ends(*read.ends(low, high))}"
        above = f"{read.side('above')} {format_number(read.number(high))}"
        if self.names is not None and low <= 0 <= high:
            first, second = short_names(self.names, subtracted(self.metric), _SHORT)
            by_more = " by more" * (low < high)
            below = f"{second} better{by_more}"
            above = f"{first} better{by_more}"
            between = f"equivalent ({format_ends(low, high)})"
        worse, equivalent, better = (f"{float(p):.3g}" for p in self.probabilities)
        regions = [
            (-np.inf, low, VERMILION, f"{worse}: {below}"),
            (low, high, GREEN, f"{equivalent}: {between}"),
            (high, np.inf, BLUE, f"{better}: {above}"),
        ]
        return regions if low < high else regions[::2]


@dataclass(kw_only=True, eq=False, repr=False)
class CorrelationSensitivityDisplay(Display):
    """The interval against the unknown correlation of the splits, or inflation of the row t-test.

    Neither can be estimated from one data set (Proposition 3 of Nadeau and Bengio), so every test
    assumes one. Make one with `from_scores` or `from_result`.

    Parameters
    ----------
    sensitivity : CorrelationSensitivity
        The numbers.
    assumed : float
        What the test assumed.
    names : tuple of (str, str), default=None
        The two estimators, where the scores are known to be the first's minus the second's.
    asked : bool, default=True
        Whether a null value was asked for; else none is drawn.
    {shared: legend}

    {Attributes: drawn}
    lines_ : list of matplotlib Line2D
        The ends of the interval, those that are finite, the lower first, with ``interval_kwargs``.
    band_ : matplotlib PolyCollection
        What is between them, in their colour.
    estimate_, assumed_ : matplotlib Line2D
        The estimate, and the assumed correlation or inflation.
    null_line_ : matplotlib Line2D or None
        The value under test, with ``line_kwargs``.
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
    assumed: float
    names: tuple[str, str] | None = None
    asked: bool = True

    @classmethod
    def from_scores(
        cls,
        scores: CVScores | Mapping[str, Any],
        rho: ArrayLike | None = None,
        *,
        legend: bool | str = True,
        **options: Any,
    ) -> Self:
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
        sensitivity = correlation_sensitivity(scores, rho, **options)
        return cls(
            sensitivity=sensitivity,
            assumed=sensitivity.assumed,
            names=_subtracted(scores),
            legend=legend,
        )

    @classmethod
    def from_result(
        cls,
        result: CVTestResult,
        rho: ArrayLike | None = None,
        *,
        confidence_level: float = 0.95,
        legend: bool | str = True,
    ) -> Self:
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
        check_level(confidence_level)
        check_drawable(result, CVTestResult)
        scores = result if isinstance(result, RowTTestResult) else result.scores
        if scores is not result and result.method not in ("corrected_resampled_t", "resampled_t"):
            raise ValueError(
                f"method={result.method!r} does not take its variance from the splits, so it "
                'assumes no correlation. Use a result of "corrected_resampled_t" or "row_t". '
                "Draw the whole comparison: result.plot()."
            )
        if scores is None:
            raise ValueError(
                "This result is of plain arrays, whose splits are unknown. Wrap the "
                "scores in CVScores and use from_scores."
            )
        test: dict[str, Any] = {"null_value": result.null_value, "alternative": result.alternative}
        test["confidence_level"] = confidence_level
        sensitivity = correlation_sensitivity(scores, rho, **test)
        return cls(
            sensitivity=sensitivity,
            assumed=0.0 if result.method == "resampled_t" else sensitivity.assumed,
            names=_subtracted(result.scores),
            asked=result.asked,
            legend=legend,
        )

    def plot(
        self,
        ax: Any = None,
        *,
        legend: bool | str | None = None,
        interval_kwargs: Properties = None,
        line_kwargs: Properties = None,
    ) -> Self:
        """Draw the interval over what is assumed, the null line and the assumption made.

        {Plot: one ax, interval_kwargs, line_kwargs}
        """
        numbers = self.sensitivity
        how = {"interval": interval_kwargs, "line": line_kwargs}
        title = _title(numbers.label, numbers.metric, self.names)
        (ax,), looks = self._begin(ax, [title], legend, how)
        read = read_as(ax.yaxis, numbers.metric, self.names is not None)
        self._draw_interval(ax, looks)
        look = {"color": GREY, "lw": 1.4, "ls": ":", "label": "estimate"}
        self.estimate_ = ax.axhline(numbers.estimate, **look)
        null_value = f"{read.number(numbers.null_value):g}"
        null = {"label": f"null value {null_value}"}
        look = looks.of("line", color=ink(ax), lw=1) | null
        self.null_line_ = ax.axhline(numbers.null_value, **look) if self.asked else None
        at = self.assumed
        look = {"color": ink(ax), "lw": 1.2, "ls": "-."}
        self.assumed_ = ax.axvline(at, label=f"assumed: {at:.3g}", **look)
        self.tipping_ = None
        if self.asked and numbers.tipping <= numbers.correlation[-1]:  # not if it is NaN
            said = f"reaches {null_value} at {numbers.tipping:.3g}"
            look = {"color": VERMILION, "lw": 1.2, "ls": "--", "label": said}
            self.tipping_ = ax.axvline(numbers.tipping, **look)
        ax.set_xlim(numbers.correlation[0], numbers.correlation[-1])
        unknown = {"correlation": "correlation of two splits", "inflation": "inflation"}
        words = "expected" if self.names is None else ""
        ylabel = difference_label(words, numbers.metric, self.names)
        write_labels(ax, title, f"{unknown[numbers.assumption]} (unknown)", ylabel)
        handles = [self.lines_[0], self.tipping_, self.estimate_, self.null_line_, self.assumed_]
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

    def _draw_interval(self, ax: Any, looks: Looks) -> None:
        numbers = self.sensitivity
        ends = [end for end in (numbers.low, numbers.high) if np.isfinite(end).all()]
        look = looks.of("interval", color=BLUE, lw=1.6)
        kind = "interval" if len(ends) == 2 else "bound"
        look["label"] = f"{format_percent(numbers.confidence_level)} {kind}, unadjusted"
        self.lines_ = [ax.plot(numbers.correlation, end, **look)[0] for end in ends]
        reach = np.append(np.ravel(ends), [numbers.null_value] * self.asked + [numbers.estimate])
        room = 0.08 * (np.ptp(reach) or 1)
        bottom, top = ax.set_ylim(reach.min() - room, reach.max() + room)
        low, high = np.clip([numbers.low, numbers.high], bottom, top)
        colour = self.lines_[0].get_color()
        self.band_ = ax.fill_between(numbers.correlation, low, high, color=colour, alpha=0.2, lw=0)


def _subtracted(scores: Any) -> tuple[str, str] | None:
    """Return the names of the two estimators, if the scores are their difference."""
    if not isinstance(scores, CVScores) or not scores.paired:
        return None
    names = scores.label.split(" - ")
    return (names[0], names[1]) if len(names) == 2 else ("first", "second")


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

    times: np.ndarray
    cumulated: np.ndarray
    low: np.ndarray
    high: np.ndarray
    confidence_level: float = 0.95
    metric: str = "score"
    names: tuple[str, str] | None = None
    label: str = ""

    @classmethod
    def from_result(
        cls,
        result: CVTestResult | ComparisonResult,
        *,
        times: ArrayLike | None = None,
        confidence_level: float | None = None,
        legend: bool | str = True,
    ) -> Self:
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
        check_optional_level(confidence_level)
        check_drawable(result, CVTestResult, ComparisonResult)
        tests: Any = getattr(result, "tests", [result])
        if len(tests) != 1:
            raise ValueError(
                f"There are {len(tests)} comparisons; draw one of them: result.tests[0].plot()."
            )
        test = tests[0]
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
        level = test._level(confidence_level)
        display = cls.from_series(
            series_of(rows, rows.block()), times=times, confidence_level=level, legend=legend
        )
        names = _compared(test)
        return replace(
            display, metric=test.metric, names=names, label=_title(test.label, test.metric, names)
        )

    @classmethod
    def from_series(
        cls,
        x: ArrayLike,
        *,
        times: ArrayLike | None = None,
        confidence_level: float = 0.95,
        legend: bool | str = True,
    ) -> Self:
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
        level = check_level(confidence_level)
        series = np.asarray(x, dtype=float)
        if series.ndim != 1:
            raise ValueError(f"x has shape {series.shape}; give one series, of shape (n_times,).")
        test = diebold_mariano_test(series)
        n_times = len(series)
        at = np.arange(1, n_times + 1)
        shown = at if times is None else as_labels("times", times)
        if pd.api.types.infer_dtype(shown) == "period":  # which matplotlib does not know
            shown = pd.PeriodIndex(shown).to_timestamp().to_numpy()
        if len(shown) != n_times:
            raise ValueError(f"times has {len(shown)} entries for {n_times} tested times.")
        quantile = -student_quantile(test.df, (1 - level) / 2)
        half_width = quantile * test.standard_error * np.sqrt(n_times * at)
        sums = np.cumsum(series)
        ends = {"low": sums - half_width, "high": sums + half_width}
        return cls(
            times=shown, cumulated=sums, confidence_level=confidence_level, legend=legend, **ends
        )

    def plot(
        self, ax: Any = None, *, legend: bool | str | None = None, line_kwargs: Properties = None
    ) -> Self:
        """Draw the sum with its band, and the line at 0.

        {Plot: one ax, line_kwargs}
        """
        (ax,), looks = self._begin(ax, [self.label], legend, {"line": line_kwargs})
        from matplotlib.category import StrCategoryLocator
        from matplotlib.dates import AutoDateLocator, ConciseDateFormatter
        from matplotlib.ticker import MaxNLocator

        look = looks.of("line", color=BLUE, lw=1.6)
        (self.line_,) = ax.plot(self.times, self.cumulated, **look)
        self.band_ = draw_band(ax, self.times, (self.low, self.high), looks, self.line_)
        self.band_.set_label(
            f"{format_percent(self.confidence_level)} band, for each time by itself"
        )
        located = ax.xaxis.get_major_locator()
        if isinstance(located, AutoDateLocator):
            ax.xaxis.set_major_formatter(ConciseDateFormatter(located))  # so short that all fit
        elif isinstance(located, StrCategoryLocator):  # texts, which it would all write
            ax.xaxis.set_major_locator(MaxNLocator(4, integer=True))
        self.zero_ = ax.axhline(0, color=ink(ax), lw=1)
        ax.margins(x=0)
        ylabel = difference_label("cumulated", self.metric, self.names)
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
