"""PowerCurveDisplay: how often procedures reject each null value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd

from .._utils._arrays import as_array, as_numbers
from .._utils._checks import check_option
from .._utils._text import format_percent
from ..simulation import SimulationResult
from ..stats import SplitPlan
from ._display import Display, Properties, check_drawable, merged, write_labels
from ._split_plan import SplitPlanDisplay, power_for
from ._style import BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION

# Looks of curves that differ without colour too, the most different first: 24 of line and mark.
_COLOURS = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY)
_LINES = ("-", "--", ":", "-.")
_LEVEL = 0.95  # of the intervals of the rates
_MARKERS = ("", "o", "s", "^", "D", "v")


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

    null_values: Any
    rates: Any
    labels: Sequence[str]
    alpha: float
    truth: float | None = None
    low: Any = None
    high: Any = None
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
        null_values: Any = None,
        alpha: float = 0.1,
        truth: float | None = None,
        legend: bool = True,
    ) -> PowerCurveDisplay:
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
        check_option("hypothesis", hypothesis, result.hypotheses)
        given = result.labels if procedures is None else as_array("procedures", procedures)
        labels = [check_option("procedures", label, result.labels) for label in np.ravel(given)]
        shown = result.take(labels)
        known = None if truth is None else {hypothesis: truth}
        if null_values is None:
            null_values = shown.null_value_grid(hypothesis, truth=known)
        grid = {hypothesis: np.sort(np.ravel(as_numbers("null_values", null_values)))}
        frame = shown.rejection_rates(grid, alpha, confidence_level=_LEVEL)
        values = shown.true_values(known)
        centres = values["value"][values["hypothesis"] == hypothesis].unique()
        tables = {
            name: np.reshape(frame[name].to_numpy(), (len(labels), -1))
            for name in ("null_value", "rate", "low", "high")
        }
        return cls(
            null_values=tables["null_value"][0],
            rates=tables["rate"],
            labels=labels,
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
        margin: Any = None,
        n_comparisons: int = 1,
        legend: bool = True,
    ) -> SplitPlanDisplay:
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
        found: dict[str, Any] = {}
        test: dict[str, Any] = {"alternative": alternative, "n_comparisons": n_comparisons}
        if difference is not None:
            found["power"] = plan.power(difference, margin=margin, **test)
            found["power_for"] = power_for(float(difference), margin)
        elif margin is not None:
            raise ValueError(
                f"margin={margin!r} needs a true difference for the power, such as difference=0."
            )
        if power is not None:
            found["detectable"] = plan.detectable_difference(power, **test)
            found["detectable_with"] = power
        return SplitPlanDisplay(plan=plan, legend=legend, **found)

    def plot(
        self,
        ax: Any = None,
        *,
        legend: bool | None = None,
        interval_kwargs: Properties = None,
        line_kwargs: Properties = None,
    ) -> Self:
        """Draw the curves, a line at `alpha`, and a line at the truth.

        {Parameters: one ax, legend of plot, interval_kwargs, line_kwargs}

        {Returns: itself}

        {Raises: no matplotlib, bad drawing}
        """
        looks = self._looks(ax, legend, interval=interval_kwargs, line=line_kwargs)
        title = self.hypothesis or ""
        (ax,) = self._axes_for(ax, [title])
        self.lines_, self.bands_ = [], []
        for k, (label, rates) in enumerate(zip(self.labels, np.asarray(self.rates), strict=True)):
            ours: dict[str, Any] = {"color": _COLOURS[k % len(_COLOURS)], "ms": 4, "markevery": 0.1}
            ours |= {"ls": _LINES[k % len(_LINES)]}
            ours |= {"marker": _MARKERS[k // len(_LINES) % len(_MARKERS)]}
            look = merged(ours, looks["line"]) | {"label": label}
            self.lines_ += ax.plot(self.null_values, rates, **look)
            if self.low is not None and self.high is not None:
                band = {"facecolor": self.lines_[k].get_color(), "alpha": 0.2, "lw": 0}
                look = merged(band, looks["interval"], band=True)
                ends = np.asarray(self.low)[k], np.asarray(self.high)[k]
                self.bands_.append(ax.fill_between(self.null_values, *ends, **look))
        self.level_ = ax.axhline(self.alpha, color=GREY, lw=0.8, label=f"level {self.alpha:g}")
        self.truth_ = None
        if self.truth is not None:
            look = {"color": GREY, "lw": 0.8, "ls": (0, (1, 3)), "label": "truth"}
            self.truth_ = ax.axvline(self.truth, **look)
        ax.set(ylim=(0, 1.02), xlim=(np.min(self.null_values), np.max(self.null_values)))
        ax.locator_params(axis="x", nbins=6)
        write_labels(ax, title, f"null value of the expected {self.value_name}", "rejection rate")
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
        rates = np.asarray(self.rates)
        columns = {
            "procedure": np.repeat(list(self.labels), rates.shape[1]),
            "null_value": np.tile(self.null_values, len(rates)),
            "rate": rates.ravel(),
        }
        found = {"low": self.low, "high": self.high}
        columns |= {name: np.ravel(ends) for name, ends in found.items() if ends is not None}
        return pd.DataFrame(columns)
