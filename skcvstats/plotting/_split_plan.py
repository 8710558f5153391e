"""SplitPlanDisplay: standard error, power and detectable difference by number of splits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from .._utils._text import counted, format_ends, format_number
from ..stats import PlanEstimate, SplitPlan
from ._axes import merged, write_labels
from ._display import Display, Looks
from ._style import BLUE, VERMILION, ink, light

_ERROR, _POWER, _DETECTABLE = "standard error", "power", "detectable difference"
_CLOSEST = 0.13  # of the axis, between two labelled numbers of splits


class _Panel(NamedTuple):
    """The numbers of a panel, their intervals, and their limit."""

    title: str
    ylabel: str
    numbers: Any
    low: Any = None
    high: Any = None
    most: float | None = None


@dataclass(kw_only=True, eq=False, repr=False)
class SplitPlanDisplay(Display):
    """What more splits would bring: the standard error falls, but not below a limit.

    Further panels show the power for a difference, and the difference that is shown with a power,
    where they are asked for. Their bands say how far that is known, as the variance behind it is an
    estimate. Make one with `from_plan`.

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
    >>> from skcvstats.plotting import SplitPlanDisplay
    >>> from skcvstats.stats import plan_n_splits
    >>> x = [0.04, 0.02, 0.05, 0.01, 0.03, 0.06, 0.00, 0.04, 0.02, 0.03]
    >>> design = SplitDesign.from_sizes(n_train=180, n_test=20, n_splits=10)
    >>> plan = plan_n_splits(CVScores(values=x, design=design), n_splits=[25, 100])
    >>> SplitPlanDisplay.from_plan(plan).frame()["n_splits"].tolist()
    [10, 25, 100]
    """

    plan: SplitPlan
    power: PlanEstimate | None = None
    power_for: str = ""
    detectable: PlanEstimate | None = None
    detectable_with: float = 0.8
    _styled = ("line_kwargs", "mark_kwargs")

    @classmethod
    def from_plan(
        cls,
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

        {Returns: display}

        Raises
        ------
        ValueError
            If an argument is not what `SplitPlan.power` or `SplitPlan.detectable_difference` take,
            or there is a `margin` without a `difference`.

        {See Also: SplitPlan.power}
        """
        shown = detectable = None
        words = ""
        test: dict[str, Any] = {"alternative": alternative, "n_comparisons": n_comparisons}
        if difference is not None:
            shown = plan.power(difference, margin=margin, **test)
            words = _power_for(float(difference), margin)
        elif margin is not None:
            raise ValueError(
                f"margin={margin!r} needs a true difference for the power, such as difference=0."
            )
        if power is not None:
            detectable = plan.detectable_difference(power, **test)
        return cls(
            plan=plan,
            power=shown,
            power_for=words,
            detectable=detectable,
            detectable_with=0.8 if power is None else power,
            legend=legend,
        )

    def _picture(self, ax: Any, looks: Looks) -> None:
        """Draw the standard errors, the present one, and what they tend to."""
        panels = self._panels()
        self.axes_ = self._axes_for(ax, [panel.title for panel in panels.values()])
        drawn = {
            kind: self._draw(axis, panel, looks)
            for axis, (kind, panel) in zip(self.axes_, panels.items(), strict=True)
        }
        self.line_, self.mark_, _ = drawn[_ERROR]
        self.power_line_ = drawn[_POWER][0] if _POWER in drawn else None
        self.detectable_line_ = drawn[_DETECTABLE][0] if _DETECTABLE in drawn else None
        limit, test = self.plan.smallest_standard_error, self.plan.test
        assumed = f"correlation {format_number(self.plan.correlation)}"
        if test is not None:
            assumed = f"inflation {format_number(test.inflation)}"
        label = f"no number of splits goes below {format_number(limit)} (assumed {assumed})"
        self.limit_ = self.ax_.axhline(limit, color=ink(self.ax_), lw=1, ls="--", label=label)
        bands = [band for *_, band in drawn.values() if band is not None]
        handles = [self.mark_, self.limit_, *bands[:1]]
        self._add_legend(handles, looks)

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

    def _panels(self) -> dict[str, _Panel]:
        plan = self.plan
        error = f"standard error, {plan.metric}"
        panels = {_ERROR: _Panel(plan.label, error, plan.standard_error)}
        if self.power is not None:
            panels[_POWER] = _Panel(f"power {self.power_for}".strip(), "power", *self.power, 1.0)
        if self.detectable is not None:
            title = f"difference shown with power {self.detectable_with:g}"
            panels[_DETECTABLE] = _Panel(title, f"difference in {plan.metric}", *self.detectable)
        return panels

    def _draw(self, ax: Any, panel: _Panel, looks: Looks) -> tuple[Any, Any, Any]:
        """Draw a panel, and return its curve, the mark of the present number, and the band."""
        plan, numbers = self.plan, panel.numbers
        light(ax)
        ax.set_xscale("log")
        line = {"color": BLUE, "marker": "o", "lw": 1.6, "ms": 5}
        (curve,) = ax.plot(plan.n_splits, numbers, **merged(line, looks["line_kwargs"]))
        band = None
        if panel.high is not None:
            label = "uncertainty: the variance is an estimate"
            look = {"color": curve.get_color(), "alpha": 0.2, "lw": 0, "label": label}
            band = ax.fill_between(plan.n_splits, panel.low, panel.high, **look)
        now = plan.n_splits == plan.current
        ours = {"color": VERMILION, "marker": "D", "ms": 8, "ls": ""}
        mark = merged(ours, looks["mark_kwargs"]) | {"label": f"now: {plan.current} splits"}
        (marked,) = ax.plot(plan.n_splits[now], numbers[now], **mark)
        self._ticks(ax)
        top = np.max(numbers if panel.high is None else panel.high)
        ax.set_ylim(0, 1.15 * top if panel.most is None else 1.05 * panel.most)
        fits = counted(int(plan.n_fits[0] // plan.n_splits[0]), "fit")
        xlabel = f"number of splits, counted as {fits} each"
        write_labels(ax, panel.title, xlabel, panel.ylabel)
        return curve, marked, band

    def _ticks(self, ax: Any) -> None:
        """Label the numbers of splits, leaving out those too close together."""
        plan = self.plan
        at = np.log(plan.n_splits)
        least = _CLOSEST * (np.ptp(at) or 1)
        shown = [len(at) - 1]
        for k in range(len(at) - 2, -1, -1):
            if at[shown[-1]] - at[k] >= least:
                shown.append(k)
        ax.set_xticks(plan.n_splits[shown], [str(plan.n_splits[k]) for k in shown])
        ax.set_xticks([], minor=True)


def _power_for(difference: float, margin: Any) -> str:
    """Say which claim the power is about."""
    if margin is None:
        return f"for a difference of {format_number(difference)}"
    low, high = (-margin, margin) if np.ndim(margin) == 0 else margin
    return (
        f"to show equivalence ({format_ends(low, high)}) at a difference of "
        f"{format_number(difference)}"
    )
