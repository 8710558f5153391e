"""PosteriorDisplay: where the true difference lies, given the scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd

from .._utils._metrics import shown_as
from .._utils._text import format_ends, format_number
from ..stats import CVTestResult, PosteriorProbabilities
from ._display import (
    Display,
    Properties,
    check_drawable,
    directions,
    merged,
    short_names,
    write_labels,
)
from ._style import BLUE, GREEN, VERMILION, ink, light

_N_POINTS = 401
_TAIL = 5e-4  # share of the probability on each side beyond the axis
_FARTHEST = 2  # a bound is in view up to this many widths of the distribution away


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

    values: Any
    density: Any
    probabilities: PosteriorProbabilities
    margin: tuple[float, float] = (0.0, 0.0)
    estimate: float | None = None
    metric: str = "score"
    names: tuple[str, str] | None = None
    label: str = ""

    @classmethod
    def from_result(
        cls, result: CVTestResult, *, margin: Any = None, legend: bool = True
    ) -> PosteriorDisplay:
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
            low, high = (-margin, margin) if np.ndim(margin) == 0 else margin
        else:
            low = high = result.null_value
            if not result.asked:
                low, high = law.interval(result.confidence_level)
            below, above = float(law.cdf(low)), float(law.sf(high))
            probabilities = PosteriorProbabilities(below, max(1 - below - above, 0.0), above)
        values = _grid(float(law.ppf(_TAIL)), float(law.isf(_TAIL)), low, high)
        return cls(
            values=values,
            density=law.pdf(values),
            probabilities=probabilities,
            margin=(float(low), float(high)),
            estimate=float(result.estimate),
            metric=result.metric,
            names=(result.estimator, result.versus) if result.versus else None,
            label=result.label,
            legend=legend,
        )

    def plot(
        self, ax: Any = None, *, legend: bool | None = None, line_kwargs: Properties = None
    ) -> Self:
        """Draw the density, and the areas of the three regions below it.

        {Parameters: one ax, legend of plot, line_kwargs}

        {Returns: itself}

        {Raises: no matplotlib, bad drawing}
        """
        looks = self._looks(ax, legend, line=line_kwargs)
        (ax,) = self._axes_for(ax, [self.label])
        light(ax)
        line = merged({"color": ink(ax), "lw": 1.6}, looks["line"])
        (self.line_,) = ax.plot(self.values, self.density, **line)
        values = np.union1d(self.values, np.clip(self.margin, self.values[0], self.values[-1]))
        density = np.interp(values, self.values, self.density)
        self.areas_ = []
        for low, high, colour, label in self._regions():
            ends = np.clip([low, high], values[0], values[-1])
            inside = (ends[0] <= values) & (values <= ends[1])
            look = {"color": colour, "alpha": 0.5, "lw": 0, "label": label}
            self.areas_.append(ax.fill_between(values[inside], density[inside], **look))
        self.estimate_ = None
        if self.estimate is not None:
            top = float(np.interp(self.estimate, self.values, self.density))
            look = {"color": ink(ax), "lw": 1, "ls": ":"}
            look["label"] = f"estimate: {format_number(self.estimate)}"
            (self.estimate_,) = ax.plot([self.estimate] * 2, [0, top], **look)
        ax.set(xlim=(self.values[0], self.values[-1]), ylim=(0, 1.08 * np.max(self.density)))
        ax.set_yticks([])
        ax.locator_params(axis="x", nbins=6)
        xlabel, title = f"expected {self.metric}", "probabilities, given the scores"
        if self.names is not None:
            title += "; not adjusted for several comparisons"
            sides = directions(*short_names(self.names))
            xlabel = f"difference in {shown_as(self.metric).name}:   {sides}"
        write_labels(ax, self.label, xlabel, "density, given the scores")
        self._add_legend([*self.areas_, self.estimate_], looks, title)
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

    def _regions(self) -> list[tuple[float, float, str, str]]:
        """Return the ends, the colour and the words of each region."""
        low, high = self.margin
        ends = [format_number(end) for end in self.margin]
        below, between, above = f"below {ends[0]}", f"from {' to '.join(ends)}", f"above {ends[1]}"
        if self.names is not None and low <= 0 <= high:
            first, second = short_names(self.names)
            by = [f" by more than {format_number(abs(end))}" if end else "" for end in self.margin]
            below, above = f"{second} better{by[0]}", f"{first} better{by[1]}"
            between = f"practically equivalent ({format_ends(low, high)})"
        worse, equivalent, better = (f"{float(p):.3g}" for p in self.probabilities)
        regions = [(-np.inf, low, VERMILION, f"{worse}: {below}")]
        if low < high:
            regions.append((low, high, GREEN, f"{equivalent}: {between}"))
        return [*regions, (high, np.inf, BLUE, f"{better}: {above}")]


def _grid(start: float, stop: float, low: float, high: float) -> np.ndarray:
    """Return the points of the curve, as far as the bounds unless they are far away."""
    far = _FARTHEST * (stop - start)
    start = low if start - far <= low < start else start
    stop = high if stop < high <= stop + far else stop
    return np.linspace(start, stop, _N_POINTS)
