"""SplitPlanDisplay: the standard error against the number of splits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from .._utils import counted, format_number
from ._axes import axes_for, check_kwargs, merged
from ._style import BLUE, VERMILION, ink, light
from ._text import add_legend, fitted

if TYPE_CHECKING:
    from ..stats import SplitPlan

_CLOSEST = 0.13  # of the axis, between two labelled numbers of splits


class SplitPlanDisplay:
    """What more splits would bring: the standard error falls, but not below a limit.

    Make one with `from_plan`.

    Parameters
    ----------
    plan : SplitPlan
        The numbers.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it is drawn.
    figure_ : matplotlib Figure
        The figure of the axes.
    line_ : matplotlib Line2D
        The standard errors.
    mark_ : matplotlib Line2D
        The present number of splits.
    limit_ : matplotlib Line2D
        What the standard error tends to.
    legend_ : matplotlib Legend
        What the mark and the limit are.

    See Also
    --------
    skcvstats.plan_n_splits : The numbers.

    Examples
    --------
    >>> from skcvstats import CVScores, SplitDesign, SplitPlanDisplay, plan_n_splits
    >>> x = [0.04, 0.02, 0.05, 0.01, 0.03, 0.06, 0.00, 0.04, 0.02, 0.03]
    >>> design = SplitDesign.from_sizes(n_train=180, n_test=20, n_splits=10)
    >>> plan = plan_n_splits(CVScores(values=x, design=design), n_splits=[25, 100])
    >>> SplitPlanDisplay.from_plan(plan).frame()["n_splits"].tolist()
    [10, 25, 100]
    """

    def __init__(self, *, plan: SplitPlan) -> None:
        self.plan = plan

    @classmethod
    def from_plan(cls, plan: SplitPlan) -> SplitPlanDisplay:
        """Take the numbers from a plan.

        Parameters
        ----------
        plan : SplitPlan
            What `plan_n_splits` returned.

        Returns
        -------
        SplitPlanDisplay
            Nothing is drawn yet: its `plot` does that.
        """
        return cls(plan=plan)

    def plot(
        self,
        ax: Any = None,
        *,
        mark_kwargs: dict[str, Any] | None = None,
        line_kwargs: dict[str, Any] | None = None,
    ) -> SplitPlanDisplay:
        """Draw the standard errors, the present one, and what they tend to.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None makes a new figure.
        mark_kwargs : dict, default=None
            Keyword arguments of matplotlib's `Line2D` for the mark of the present number of
            splits, over our own.
        line_kwargs : dict, default=None
            Keyword arguments of `Line2D` for the curve.

        Returns
        -------
        SplitPlanDisplay
            The display itself, with its attributes set.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        TypeError
            If `ax` or keyword arguments are something else.
        ValueError
            If `ax` is several axes.
        """
        plan, name, own = self.plan, type(self).__name__, ax is None
        looks = check_kwargs(name, mark_kwargs=mark_kwargs, line_kwargs=line_kwargs)
        ax = axes_for(name, ax)
        self.ax_, self.figure_ = ax, ax.figure
        light(ax)
        ax.set_xscale("log")
        self._draw(ax, looks)
        self._ticks(ax)
        ax.set_ylim(0, 1.15 * plan.standard_error.max())
        fits = counted(int(plan.n_fits[0] // plan.n_splits[0]), "fit")
        ax.set_xlabel(fitted(ax, f"number of splits, counted as {fits} each"))
        ax.set_ylabel(fitted(ax, f"standard error, {plan.metric}", upright=True))
        ax.set_title(fitted(ax, plan.label), loc="left", fontsize="medium")
        self.legend_ = add_legend([ax], [self.mark_, self.limit_], own=own)
        return self

    def frame(self) -> pd.DataFrame:
        """Return the numbers that are drawn.

        Returns
        -------
        DataFrame
            That of `SplitPlan.to_frame`.
        """
        return self.plan.to_frame()

    def _draw(self, ax: Any, looks: dict[str, dict[str, Any]]) -> None:
        plan = self.plan
        line = {"color": BLUE, "marker": "o", "lw": 1.6, "ms": 5}
        (self.line_,) = ax.plot(
            plan.n_splits, plan.standard_error, **merged(line, looks["line_kwargs"])
        )
        now = plan.n_splits == plan.current
        mark = merged(
            {"color": VERMILION, "marker": "D", "ms": 8, "ls": ""}, looks["mark_kwargs"]
        ) | {"label": f"now: {plan.current} splits"}
        (self.mark_,) = ax.plot(plan.n_splits[now], plan.standard_error[now], **mark)
        limit = plan.smallest_standard_error
        self.limit_ = ax.axhline(
            limit,
            color=ink(ax),
            lw=1,
            ls="--",
            label=f"no number of splits goes below {format_number(limit)} (assumed correlation "
            f"{format_number(plan.correlation)})",
        )

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
