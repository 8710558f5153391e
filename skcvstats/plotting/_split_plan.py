"""SplitPlanDisplay: standard error, power and detectable difference by number of splits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd

from .._utils._metrics import shown_as
from .._utils._text import counted, format_ends, format_number
from ..stats import PlanEstimate, SplitPlan
from ._display import Display, Looks, Properties, merged, write_labels
from ._style import BLUE, VERMILION, ink, light

_CLOSEST = 0.13  # of the axis, between two labelled numbers of splits


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

        {Parameters: ax, legend of plot, line_kwargs, mark_kwargs}

        {Returns: itself}

        {Raises: no matplotlib, bad drawing}
        """
        looks, plan = self._looks(ax, legend, line=line_kwargs, mark=mark_kwargs), self.plan
        metric = shown_as(plan.metric).name
        shown = f"difference shown with power {self.detectable_with:g}"
        panels: list[tuple[str, str, Any]] = [  # the title, the label, the numbers and their band
            (plan.label, f"standard error, {metric}", (plan.standard_error, None, None)),
            (f"power {self.power_for}".strip(), "power", self.power),
            (shown, f"difference in {metric}", self.detectable),
        ]
        self.axes_ = self._axes_for(ax, [title for title, _, found in panels if found is not None])
        axes, drawn = iter(self.axes_), [(None, None, None)] * 3
        for k, (title, label, found) in enumerate(panels):
            if found is not None:
                drawn[k] = self._draw(next(axes), title, label, found, looks)
        (self.line_, self.mark_, _), (self.power_line_, *_), (self.detectable_line_, *_) = drawn
        limit = format_number(plan.smallest_standard_error)
        assumed = f"correlation {format_number(plan.correlation)}"
        if plan.test is not None:
            assumed = f"inflation {format_number(plan.test.inflation)}"
        label = f"no number of splits goes below {limit} (assumed {assumed})"
        look = {"color": ink(self.ax_), "lw": 1, "ls": "--", "label": label}
        self.limit_ = self.ax_.axhline(plan.smallest_standard_error, **look)
        bands = [band for *_, band in drawn if band is not None]
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
        plan, (numbers, low, high), band = self.plan, found, None
        light(ax)
        line = {"color": BLUE, "marker": "o", "lw": 1.6, "ms": 5}
        (curve,) = ax.plot(plan.n_splits, numbers, **merged(line, looks["line"]))
        if high is not None:
            look = {"color": curve.get_color(), "alpha": 0.2, "lw": 0}
            look["label"] = "uncertainty: the variance is an estimate"
            band = ax.fill_between(plan.n_splits, low, high, **look)
        now = plan.n_splits == plan.current
        ours = {"color": VERMILION, "marker": "D", "ms": 8, "ls": ""}
        mark = merged(ours, looks["mark"]) | {"label": f"now: {plan.current} splits"}
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
        fits = counted(int(plan.n_fits[0] // plan.n_splits[0]), "fit")
        write_labels(ax, title, f"number of splits, counted as {fits} each", label)
        return curve, marked, band


def power_for(difference: float, margin: Any) -> str:
    """Say which claim the power is about."""
    if margin is None:
        return f"for a difference of {format_number(difference)}"
    low, high = (-margin, margin) if np.ndim(margin) == 0 else margin
    return (
        f"to show equivalence ({format_ends(low, high)}) at a difference of "
        f"{format_number(difference)}"
    )
