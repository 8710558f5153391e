"""Curves with bands: of rejection rates, a plan of splits, training sizes; the lines of a race."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from .._utils._arrays import as_numbers
from .._utils._metrics import shown_as
from .._utils._text import counted, cut, format_ends, format_number, format_percent
from ..model_selection import LearningCurveResult, RacingSearchCV
from ..simulation import SimulationResult
from ..stats import PlanEstimate, SplitPlan, check_bounds
from ._display import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    RIGHT,
    SKY,
    VERMILION,
    Display,
    Looks,
    Properties,
    check_drawable,
    draw_curve,
    ink,
    labelled,
    lay_out,
    read_as,
    wrapped,
    write_labels,
)

_LEVEL = 0.95  # of the intervals of the rates
_MOST_NAMES = 30  # of candidates of a race
_CLOSEST = 0.13  # of the axis, between two labelled numbers of splits
_COLOURS, _LINES = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY), ("-", "--", ":", "-.")
_MARKERS = [marker for marker in ("", "o", "s", "^", "D", "v") for _ in _LINES]
# Looks of curves that differ without colour too, the most different first: 24 of line and mark.
_OF_RATES = [
    {"color": colour, "ls": line, "marker": marker, "ms": 4, "markevery": 0.1}
    for colour, line, marker in zip(_COLOURS * 4, _LINES * 6, _MARKERS, strict=True)
]
_OF_SIZES = [
    {"color": colour, "marker": marker, "ms": 5, "lw": 1.6}
    for colour, marker in zip(_COLOURS, "os^dvP", strict=True)
]


@dataclass(kw_only=True, eq=False, repr=False)
class PowerCurveDisplay(Display):
    """Power curves: the rejection rate over the null value, a curve for each procedure.

    At the truth a curve should be no higher than `alpha`; away from it, as high as can be. Make
    one with `from_result`. Of a plan, `from_plan` draws what more splits would bring.

    Parameters
    ----------
    null_values : array-like of shape (n_null_values,)
        The grid, ascending.
    rates : array-like of shape (n_procedures, n_null_values)
        How often each procedure rejects each null value.
    labels : sequence of str
        The procedures' names.
    alpha : float
        The level of the tests.
    truth : float or None, default=None
        The true value.
    low, high : array-like of the shape of `rates`, default=None
        Ends of intervals for the rates.
    hypothesis : str, default=None
        What the null values are values of.
    value_name : str, default="score"
        What kind of value they are.
    confidence_level : float, default=None
        Of the intervals, each for its own rate, where it is known.
    {shared: legend}

    {Attributes: drawn}
    lines_ : list of matplotlib Line2D
        A curve for each procedure, with ``line_kwargs``.
    bands_ : list of matplotlib PolyCollection
        The intervals of each curve, where they are known, with ``interval_kwargs``.
    level_ : matplotlib Line2D
        The level of the tests.
    truth_ : matplotlib Line2D or None
        The true value, where it is known.
    {shared: legend_}

    See Also
    --------
    skcvstats.simulation.SimulationResult.rejection_rates : The numbers.

    Examples
    --------
    >>> from sklearn.linear_model import Ridge
    >>> from skcvstats.plotting import PowerCurveDisplay
    >>> from skcvstats.simulation import simulate
    >>> def line(random_state):
    ...     X = random_state.normal(size=(30, 1))
    ...     return X, X[:, 0] + random_state.normal(size=30)
    >>> result = simulate(
    ...     line, {"ridge": Ridge()}, ["resampled_t", "corrected_resampled_t"], n_data_sets=10
    ... )
    >>> display = PowerCurveDisplay.from_result(result, hypothesis="ridge")
    >>> display.frame().columns.tolist()
    ['procedure', 'null_value', 'rate', 'low', 'high']
    """

    null_values: np.ndarray
    rates: np.ndarray
    labels: Sequence[str]
    alpha: float
    truth: float | None = None
    low: np.ndarray | None = None
    high: np.ndarray | None = None
    hypothesis: str | None = None
    value_name: str = "score"
    confidence_level: float | None = None

    @classmethod
    def from_result(
        cls,
        result: SimulationResult,
        *,
        hypothesis: str | None = None,
        procedures: Sequence[str] | None = None,
        null_values: ArrayLike | None = None,
        alpha: float = 0.1,
        truth: float | None = None,
        legend: bool = True,
    ) -> Self:
        """Take the curves from a study.

        Parameters
        ----------
        result : SimulationResult
            What `simulate` returned.
        hypothesis : str, default=None
            Whose curves; None is the last, the difference of two estimators.
        procedures : sequence of str, default=None
            Labels of those to show; None shows all.
        null_values : array-like of float, default=None
            The grid; None is four standard deviations of the noisiest estimate around the truth.
        {shared: test alpha}
        truth : float, default=None
            The true value; None is the mean over all data sets. It is marked where the procedures
            shown train on the same number of rows, and so share it.
        {shared: legend}

        {Returns: display}
        """
        check_drawable(result, SimulationResult)
        hypothesis = result.hypotheses[-1] if hypothesis is None else hypothesis
        shown = result if procedures is None else result.take(procedures)
        known = None if truth is None else {hypothesis: truth}
        if null_values is None:
            null_values = shown.null_value_grid(hypothesis, truth=known)
        grid = {hypothesis: np.sort(np.ravel(as_numbers("null_values", null_values)))}
        frame = shown.rejection_rates(grid, alpha, confidence_level=_LEVEL)
        values = shown.true_values(known)
        centres = values["value"][values["hypothesis"] == hypothesis].unique()
        tables = {
            name: np.reshape(frame[name].to_numpy(), (len(shown.labels), -1))
            for name in ("null_value", "rate", "low", "high")
        }
        return cls(
            null_values=tables["null_value"][0],
            rates=tables["rate"],
            labels=list(shown.labels),
            alpha=alpha,
            truth=float(centres[0]) if len(centres) == 1 else None,
            low=tables["low"],
            high=tables["high"],
            hypothesis=hypothesis,
            value_name=result.direction,
            confidence_level=_LEVEL,
            legend=legend,
        )

    @staticmethod
    def from_plan(
        plan: SplitPlan,
        *,
        difference: float | None = None,
        power: float | None = None,
        alternative: str = "two-sided",
        margin: float | tuple[float, float] | None = None,
        n_comparisons: int = 1,
        legend: bool = True,
    ) -> "SplitPlanDisplay":
        """Take the numbers from a plan.

        Parameters
        ----------
        plan : SplitPlan
            What `plan_n_splits` returned.
        difference : float, default=None
            The true difference to plan for, in the metric's unit: a panel shows the power for it.
        power : float, default=None
            How often a difference is to be shown: a panel shows the difference.
        {shared: alternative to 0}
        margin : float or pair of float, default=None
            If given, the power is that of showing equivalence within it.
        {shared: n_comparisons, legend}

        Returns
        -------
        display
            With the standard errors, the power and the difference by number of splits. Its `plot`
            takes ``line_kwargs`` and ``mark_kwargs``, for the present number; `frame` has the
            numbers.

        Raises
        ------
        ValueError
            If an argument is not what `SplitPlan.power` or `SplitPlan.detectable_difference` take,
            or there is a `margin` without a `difference`.

        {See Also: SplitPlan.power}
        """
        shown, detectable, words = None, None, ""
        test: dict[str, Any] = {"alternative": alternative, "n_comparisons": n_comparisons}
        if difference is not None:
            shown = plan.power(difference, margin=margin, **test)
            words = "for"
            if margin is not None:
                words = f"to show equivalence ({format_ends(*check_bounds(margin))}) at"
            words += f" a difference of {format_number(float(difference))}"
        elif margin is not None:
            raise ValueError(
                f"margin={margin!r} needs a true difference for the power, such as difference=0."
            )
        if power is not None:
            detectable = plan.detectable_difference(power, **test)
        return SplitPlanDisplay(
            plan=plan,
            power=shown,
            power_for=words,
            detectable=detectable,
            detectable_with=0.8 if power is None else power,
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
        """Draw the curves, a line at `alpha`, and a line at the truth.

        {Plot: one ax, interval_kwargs, line_kwargs}
        """
        title = self.hypothesis or ""
        how = {"interval": interval_kwargs, "line": line_kwargs}
        (ax,), looks = self._begin(ax, [title], legend, how)
        numbers = self.rates, self.low, self.high
        drawn = _draw_all(ax, looks, _OF_RATES, self.labels, self.null_values, *numbers)
        self.lines_, self.bands_ = drawn
        self.level_ = ax.axhline(self.alpha, color=GREY, lw=0.8, label=f"level {self.alpha:g}")
        self.truth_ = None
        if self.truth is not None:
            look = {"color": GREY, "lw": 0.8, "ls": (0, (1, 3)), "label": "truth"}
            self.truth_ = ax.axvline(self.truth, **look)
        ax.set(ylim=(0, 1.02), xlim=(np.min(self.null_values), np.max(self.null_values)))
        ax.locator_params(axis="x", nbins=6)
        write_labels(
            ax, looks, title, f"null value of the expected {self.value_name}", "rejection rate"
        )
        level = self.confidence_level
        percent = "" if level is None else f"{format_percent(level)} "
        said = f"bands: {percent}confidence interval of each rate, pointwise"
        handles = [*self.lines_, self.level_, self.truth_]
        self._add_legend(handles, looks, said if self.bands_ else "")
        return self

    def frame(self) -> pd.DataFrame:
        """Return the numbers that are drawn.

        Returns
        -------
        DataFrame
            Columns ``procedure``, ``null_value``, ``rate`` and, where they are known, ``low`` and
            ``high``.
        """
        at = {"procedure": self.labels, "null_value": self.null_values}
        return _table(at, rate=self.rates, low=self.low, high=self.high)


@dataclass(kw_only=True, eq=False, repr=False)
class SplitPlanDisplay(Display):
    """What more splits would bring: the standard error falls, but not below a limit.

    Further panels show the power for a difference, and the difference that is shown with a power,
    where they are asked for. Their bands say how far that is known, as the variance behind it is an
    estimate. Make one with `PowerCurveDisplay.from_plan`.

    Parameters
    ----------
    plan : SplitPlan
        The numbers.
    power : PlanEstimate, default=None
        How often each number of splits would show the difference, or equivalence, (n_plans,) each.
    power_for : str, default=""
        In words, what `power` would show.
    detectable : PlanEstimate, default=None
        The difference that each number of splits would show; arrays of shape (n_plans,).
    detectable_with : float, default=0.8
        How often it would.
    {shared: legend}

    Attributes
    ----------
    axes_, ax_, figure_ : ndarray of matplotlib Axes, Axes and Figure
        The panels, the standard error and what else was asked for; the first; the figure.
    line_ : matplotlib Line2D
        The standard errors; all curves are with ``line_kwargs``.
    mark_ : matplotlib Line2D
        The present number of splits, with ``mark_kwargs``.
    limit_ : matplotlib Line2D
        What the standard error tends to.
    power_line_, detectable_line_ : matplotlib Line2D or None
        The power, and the detectable difference.
    {shared: legend_}

    See Also
    --------
    skcvstats.stats.plan_n_splits : The numbers.

    Examples
    --------
    >>> from skcvstats import CVScores, SplitDesign
    >>> from skcvstats.plotting import PowerCurveDisplay
    >>> from skcvstats.stats import plan_n_splits
    >>> x = [0.04, 0.02, 0.05, 0.01, 0.03, 0.06, 0.00, 0.04, 0.02, 0.03]
    >>> design = SplitDesign.from_sizes(n_train=180, n_test=20, n_splits=10)
    >>> plan = plan_n_splits(CVScores(values=x, design=design), n_splits=[25, 100])
    >>> PowerCurveDisplay.from_plan(plan).frame()["n_splits"].tolist()
    [10, 25, 100]
    """

    plan: SplitPlan
    power: PlanEstimate | None = None
    power_for: str = ""
    detectable: PlanEstimate | None = None
    detectable_with: float = 0.8

    def plot(
        self,
        ax: Any = None,
        *,
        legend: bool | None = None,
        line_kwargs: Properties = None,
        mark_kwargs: Properties = None,
    ) -> Self:
        """Draw the standard errors, the present one, and what they tend to.

        {Plot: ax, line_kwargs, mark_kwargs}
        """
        plan, shown = self.plan, f"difference shown with power {self.detectable_with:g}"
        metric = shown_as(plan.metric).name
        numbers = (plan.standard_error, None, None)  # without a band
        panels = {
            "error": (plan.label, f"standard error, {metric}", numbers),
            "power": (f"power {self.power_for}".strip(), "power", self.power),
            "detectable": (shown, f"difference in {metric}", self.detectable),
        }
        panels = {name: panel for name, panel in panels.items() if panel[2] is not None}
        titles = [title for title, *_ in panels.values()]
        how = {"line": line_kwargs, "mark": mark_kwargs}
        self.axes_, looks = self._begin(ax, titles, legend, how)
        drawn = {
            name: self._draw(axis, *panels[name], looks)
            for axis, name in zip(self.axes_, panels, strict=True)
        }
        self.line_, self.mark_, _ = drawn["error"]
        self.power_line_ = drawn.get("power", [None])[0]
        self.detectable_line_ = drawn.get("detectable", [None])[0]
        limit = format_number(plan.smallest_standard_error)
        assumed = f"correlation {format_number(plan.correlation)}"
        if plan.test is not None:
            assumed = f"inflation {format_number(plan.test.inflation)}"
        label = f"no number of splits goes below {limit} (assumed {assumed})"
        look = {"color": ink(self.ax_), "lw": 1, "ls": "--", "label": label}
        self.limit_ = self.ax_.axhline(plan.smallest_standard_error, **look)
        bands = [band for *_, band in drawn.values() if band is not None]
        self._add_legend([self.mark_, self.limit_, *bands[:1]], looks)
        return self

    def frame(self) -> pd.DataFrame:
        """Return the numbers that are drawn.

        Returns
        -------
        DataFrame
            That of `SplitPlan.to_frame`, with the columns ``power`` and ``detectable``, where they
            are drawn, and the ends of their bands, ``power_low`` and so on.
        """
        frame = self.plan.to_frame()
        for name, found in (("power", self.power), ("detectable", self.detectable)):
            if found is not None:
                frame[name] = found.estimate
                frame[f"{name}_low"], frame[f"{name}_high"] = found.low, found.high
        return frame

    def _draw(
        self, ax: Any, title: str, label: str, found: Any, looks: Looks
    ) -> tuple[Any, Any, Any]:
        """Draw a panel, and return its curve, the mark of the present number, and the band."""
        plan, (numbers, low, high) = self.plan, found
        look: dict[str, Any] = {"color": BLUE, "marker": "o", "lw": 1.6, "ms": 5}
        curve, band = draw_curve(ax, plan.n_splits, numbers, (low, high), looks, "", **look)
        if band is not None:
            band.set_label("uncertainty: the variance is an estimate")
        now = plan.n_splits == plan.current
        mark = looks.of("mark", color=VERMILION, marker="D", ms=8, ls="")
        mark |= {"label": f"now: {plan.current} splits"}
        (marked,) = ax.plot(plan.n_splits[now], numbers[now], **mark)
        ax.set_xscale("log")
        at = np.log(plan.n_splits)
        labelled = [len(at) - 1]  # those too close together are left out
        for k in range(len(at) - 2, -1, -1):
            if at[labelled[-1]] - at[k] >= _CLOSEST * (np.ptp(at) or 1):
                labelled.append(k)
        ax.set_xticks(plan.n_splits[labelled], plan.n_splits[labelled].astype(str))
        ax.set_xticks([], minor=True)
        ax.set_ylim(
            0, 1.05 if label == "power" else 1.15 * np.max(numbers if high is None else high)
        )
        fits = int(plan.n_fits[0] // plan.n_splits[0])
        counted_as = f", counted as {fits} fits each" if fits > 1 else ""
        write_labels(ax, looks, title, f"number of splits{counted_as}", label)
        return curve, marked, band


@dataclass(kw_only=True, eq=False, repr=False)
class LearningCurveDisplay(Display):
    """The scores of estimators at several training sizes, with bands that cover at once.

    Bands are of single scores: that they overlap does not say that a gain, or a difference of two
    estimators, is not significant. Between the sizes that were measured lines only join. Make one
    with `from_result`.

    Parameters
    ----------
    train_sizes : array-like of shape (n_sizes,)
        The training sizes, ascending.
    scores, low, high : array-like of shape (n_estimators, n_sizes)
        The scores and the ends of their intervals.
    names : sequence of str
        The estimators.
    metric : str, default="score"
        What the scores measure.
    unit : str, default="rows"
        What the sizes count.
    confidence_level : float, default=0.95
        Of the bands.
    {shared: legend}

    {Attributes: drawn}
    lines_ : list of matplotlib Line2D
        The scores of each estimator, with ``line_kwargs``.
    bands_ : list of matplotlib PolyCollection
        Their intervals, in the same colours.
    {shared: legend_}

    See Also
    --------
    skcvstats.learning_curve_inference : Measures what is drawn.

    Examples
    --------
    >>> from skcvstats.plotting import LearningCurveDisplay
    >>> display = LearningCurveDisplay(
    ...     train_sizes=[50, 100],
    ...     scores=[[0.8, 0.9]],
    ...     low=[[0.7, 0.85]],
    ...     high=[[0.9, 0.95]],
    ...     names=["tree"],
    ... )
    >>> display.frame()["score"].tolist()
    [0.8, 0.9]
    """

    train_sizes: np.ndarray
    scores: np.ndarray
    low: np.ndarray
    high: np.ndarray
    names: Sequence[str]
    metric: str = "score"
    unit: str = "rows"
    confidence_level: float = 0.95

    @classmethod
    def from_result(cls, result: LearningCurveResult, *, legend: bool = True) -> Self:
        """Take the curves from a result.

        Parameters
        ----------
        result : LearningCurveResult
            What `learning_curve_inference` returned.
        {shared: legend}

        {Returns: display}

        Raises
        ------
        TypeError
            If it is another result.
        """
        check_drawable(result, LearningCurveResult)
        frame = result.to_frame()
        shape = len(result.names), len(result.sizes)
        curves = [frame[name].to_numpy().reshape(shape) for name in ("score", "low", "high")]
        return cls(
            train_sizes=result.sizes,
            scores=curves[0],
            low=curves[1],
            high=curves[2],
            names=result.names,
            metric=result.metric,
            unit=result.unit,
            confidence_level=result.confidence_level,
            legend=legend,
        )

    def plot(
        self, ax: Any = None, *, legend: bool | None = None, line_kwargs: Properties = None
    ) -> Self:
        """Draw a line and a band for each estimator.

        {Plot: one ax, line_kwargs}
        """
        (ax,), looks = self._begin(ax, [self.metric], legend, {"line": line_kwargs})
        numbers = self.scores, self.low, self.high
        drawn = _draw_all(ax, looks, _OF_SIZES, self.names, self.train_sizes, *numbers)
        self.lines_, self.bands_ = drawn
        read = read_as(ax.yaxis, self.metric)
        better = f", better {RIGHT}" if read.is_loss else ""
        write_labels(ax, looks, "", f"training {self.unit}", f"expected {read.name}{better}")
        percent = format_percent(self.confidence_level)
        said = f"bands: {percent} confidence intervals of all scores at once"
        self._add_legend(self.lines_, looks, said)
        return self

    def frame(self) -> pd.DataFrame:
        """Return the numbers that are drawn.

        Returns
        -------
        DataFrame
            A row for each estimator and size, with the columns ``estimator``, ``n_train``,
            ``score``, ``low`` and ``high``.
        """
        at = {"estimator": self.names, "n_train": self.train_sizes}
        return _table(at, score=self.scores, low=self.low, high=self.high)


@dataclass(kw_only=True, eq=False, repr=False)
class RaceDisplay(Display):
    """A line for each candidate of a race, as long as it was followed. Make one with `from_result`.

    Parameters
    ----------
    race : DataFrame
        A row for each candidate, the best first; see `RacingSearchCV.to_frame`.
    n_splits : int
        The number of splits of the race.
    {shared: legend}

    {Attributes: drawn}
    lines_ : list of matplotlib Line2D
        A line for each candidate, with ``line_kwargs``.
    {shared: legend_}

    See Also
    --------
    RacingSearchCV : The search.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import SVC
    >>> from skcvstats import RacingSearchCV
    >>> from skcvstats.plotting import RaceDisplay
    >>> X, y = load_iris(return_X_y=True)
    >>> race = RacingSearchCV(SVC(), {"gamma": [0.1, 1, 1000]}, random_state=0).fit(X, y)
    >>> RaceDisplay.from_result(race).frame()["dropped_after"].tolist()
    [0, 0, 5]
    """

    race: pd.DataFrame
    n_splits: int

    @classmethod
    def from_result(cls, race: RacingSearchCV, *, legend: bool = True) -> Self:
        """Take the numbers from a fitted race.

        Parameters
        ----------
        race : RacingSearchCV
            After ``fit``.
        {shared: legend}

        {Returns: display}
        """
        check_drawable(race, RacingSearchCV)
        return cls(race=race.to_frame(), n_splits=race.n_splits_, legend=legend)

    def plot(
        self, ax: Any = None, *, legend: bool | None = None, line_kwargs: Properties = None
    ) -> Self:
        """Draw the lines, the best candidate on top.

        {Plot: one ax, line_kwargs}
        """
        (axes,), looks = self._begin(ax, ["race"], legend, {"line": line_kwargs})
        rows, kinds = self.race[::-1], [looks.of("line", color=colour) for colour in (BLUE, GREY)]
        ends = zip(rows["n_splits_done"], rows["dropped_after"].gt(0), strict=True)
        self.lines_ = [
            axes.plot([0, n_splits], [height, height], **kinds[left])[0]
            for height, (n_splits, left) in enumerate(ends)
        ]
        axes.set_xlim(0, self.n_splits)
        names = [wrapped(cut(name), 60) for name in rows["estimator"]]
        shown = names if len(names) <= _MOST_NAMES else []
        axes.set_yticks(range(len(shown)), shown)
        lay_out(axes)
        write_labels(
            axes, looks, "", "splits on which it was fitted", counted(len(names), "candidate")
        )
        words = ("in the race at its end", "left the race")
        self._add_legend(labelled(zip(kinds, words, strict=True)), looks)
        return self

    def frame(self) -> pd.DataFrame:
        return self.race.copy()


def _draw_all(
    ax: Any, looks: Looks, styles: Any, labels: Sequence[str], x: Any, *numbers: Any
) -> tuple[list[Any], list[Any]]:
    """Draw a curve for each label, with its band, and return the curves and the bands."""
    y, low, high = ([None] * len(labels) if found is None else found for found in numbers)
    each = zip(cycle(styles), labels, y, low, high, strict=False)
    drawn = [draw_curve(ax, x, at, ends, looks, label, **look) for look, label, at, *ends in each]
    return [line for line, _ in drawn], [band for _, band in drawn if band is not None]


def _table(at: dict[str, Any], **columns: Any) -> pd.DataFrame:
    """Return a row for each curve and point, with the numbers that are known."""
    (name, labels), (of_points, x) = at.items()
    found = {name: np.repeat(list(labels), len(x)), of_points: np.tile(x, len(labels))}
    known = {name: np.ravel(values) for name, values in columns.items() if values is not None}
    return pd.DataFrame(found | known)
