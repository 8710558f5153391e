"""LearningCurveDisplay: scores against the number of training rows, with simultaneous bands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd

from .._utils._text import format_percent
from ..model_selection import LearningCurveResult
from ._display import Display, Properties, check_drawable, merged, read_as, write_labels
from ._style import BLUE, GREEN, ORANGE, PURPLE, SKY, VERMILION, light

_LOOKS = ((BLUE, "o"), (VERMILION, "s"), (GREEN, "^"), (PURPLE, "d"), (ORANGE, "v"), (SKY, "P"))


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

    train_sizes: Any
    scores: Any
    low: Any
    high: Any
    names: Sequence[str]
    metric: str = "score"
    unit: str = "rows"
    confidence_level: float = 0.95

    @classmethod
    def from_result(
        cls, result: LearningCurveResult, *, legend: bool = True
    ) -> LearningCurveDisplay:
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
        curves = {name: frame[name].to_numpy().reshape(shape) for name in ("low", "high")}
        return cls(
            train_sizes=result.sizes,
            scores=frame["score"].to_numpy().reshape(shape),
            names=result.names,
            metric=result.metric,
            unit=result.unit,
            confidence_level=result.confidence_level,
            legend=legend,
            **curves,
        )

    def plot(
        self, ax: Any = None, *, legend: bool | None = None, line_kwargs: Properties = None
    ) -> Self:
        """Draw a line and a band for each estimator.

        {Parameters: one ax, legend of plot, line_kwargs}

        {Returns: itself}

        {Raises: no matplotlib, bad drawing}
        """
        looks = self._looks(ax, legend, line=line_kwargs)
        (ax,) = self._axes_for(ax, [self.metric])
        light(ax)
        self.lines_, self.bands_ = [], []
        curves = zip(self.names, *map(np.asarray, (self.scores, self.low, self.high)), strict=True)
        for k, (name, scores, low, high) in enumerate(curves):
            colour, marker = _LOOKS[k % len(_LOOKS)]
            ours = {"color": colour, "marker": marker, "ms": 5, "lw": 1.6}
            look = merged(ours, looks["line"]) | {"label": name}
            (line,) = ax.plot(self.train_sizes, scores, **look)
            band = {"color": line.get_color(), "alpha": 0.2, "lw": 0}
            self.bands_.append(ax.fill_between(self.train_sizes, low, high, **band))
            self.lines_.append(line)
        read = read_as(ax.yaxis, self.metric)
        better = ", better \N{RIGHTWARDS ARROW}" if read.is_loss else ""
        write_labels(ax, "", f"training {self.unit}", f"expected {read.name}{better}")
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
        n_sizes = len(self.train_sizes)
        columns: dict[str, Any] = {
            "estimator": np.repeat(list(self.names), n_sizes),
            "n_train": np.tile(self.train_sizes, len(self.names)),
        }
        columns |= {name: np.ravel(getattr(self, name)) for name in ("low", "high")}
        columns["score"] = np.ravel(self.scores)
        return pd.DataFrame(columns)[["estimator", "n_train", "score", "low", "high"]]
