"""Curves with bands: of rejection rates, and of training sizes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from .._utils._arrays import as_numbers
from .._utils._shared_arguments import check_alpha
from .._utils._text import format_percent, shortened
from ..model_selection import LearningCurveResult
from ..simulation import SimulationResult
from ._display import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    RIGHT,
    SKY,
    VERMILION,
    WIDTH,
    Display,
    Looks,
    Properties,
    check_drawable,
    draw_band,
    labelled,
    read_as,
    title_of,
    wrapped,
    write_labels,
)

_LEVEL = 0.95  # of the intervals of the rates
_COLOURS = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY)
_MARKERS = "os^dvP"
_LINES = ("-", "--", ":", "-.")
_MOST_BANDS = 4  # curves in one panel
_SHARE = 0.6  # of the step between two points, for intervals side by side
_UNDER_PANEL = 20  # characters in a line
_WIDER = 1.5  # times as many panels beside as below each other
_TWO_LINES = 1.4  # times the characters of one, since lines are ragged
# Inches.
_ALONE = (9.2, 4.8)
_PANEL = (2.3, 1.75)
_WIDEST = 13.3  # a slide
_CHARACTER = 0.085


class CurveDisplay(Display):
    """A display of curves with bands: a panel each if there are many, in a figure of our own."""

    axes_: np.ndarray
    lines_: list[Any]

    def _begin_curves(
        self,
        ax: Any,
        names: Sequence[str],
        title: str,
        legend: bool | str | None,
        properties: dict[str, Properties],
    ) -> Looks:
        """Begin one panel, or one for each curve, and return what else was asked for."""
        if ax is not None or len(names) <= _MOST_BANDS:
            alone = {"figsize": _ALONE}
            self.axes_, looks = self._begin(ax, [title], legend, properties, alone)
            return looks
        n_beside = math.ceil(math.sqrt(_WIDER * len(names)))
        n_below = math.ceil(len(names) / n_beside)
        size = min(_PANEL[0] * n_beside, _WIDEST), _PANEL[1] * n_below
        figure: dict[str, Any] = {"ncols": n_beside, "nrows": n_below, "figsize": size}
        figure |= {"sharex": True, "sharey": True}
        self.axes_, looks = self._begin(ax, names, legend, properties, figure)
        n_characters = int(size[0] / n_beside / _CHARACTER)
        titles = shortened(names, int(_TWO_LINES * n_characters))
        for axis, name in zip(self.axes_, names, strict=True):
            axis.set_title(wrapped(titles[name], n_characters), loc="left", fontsize="small")
        return looks

    def _draw_curves(
        self, looks: Looks, labels: Sequence[str], x: Any, y: Any, low: Any, high: Any
    ) -> tuple[list[Any], list[Any]]:
        """Draw all curves, with bands or with intervals side by side, and return both."""
        x = np.asarray(x, dtype=float)
        curves = []
        bands = []
        n_curves = len(labels)
        step = _SHARE * np.diff(x).min(initial=np.ptp(x)) / n_curves
        is_beside = len(self.axes_) == 1 and n_curves > _MOST_BANDS
        for k, label in enumerate(labels):
            ax = self.axes_[min(k, len(self.axes_) - 1)]
            at = x + step * (k - (n_curves - 1) / 2) * is_beside
            colour = _COLOURS[k % len(_COLOURS)]
            turn = k // len(_COLOURS)
            look = {"color": colour, "ls": _LINES[turn % len(_LINES)], "ms": 4, "lw": 1.6}
            look["marker"] = _MARKERS[(k + turn) % len(_MARKERS)]
            if len(self.axes_) > 1:
                ax.plot(x, np.delete(y, k, axis=0).T, color=GREY, lw=0.6, alpha=0.4)
                look |= {"color": BLUE, "ls": "-", "marker": "o"}
            curves += ax.plot(at, y[k], **looks.of("line", **look) | {"label": label})
            if is_beside and low is not None:
                bands.append(ax.vlines(at, low[k], high[k], color=curves[k].get_color(), lw=1))
            elif low is not None:
                bands.append(draw_band(ax, at, (low[k], high[k]), looks, curves[k]))
        return curves, bands

    def _handles(self, looks: Looks) -> Sequence[Any]:
        """Return what the legend explains of the curves."""
        if len(self.axes_) == 1:
            return self.lines_
        of_panel = looks.of("line", color=BLUE, marker="o", ms=4)
        return labelled([(of_panel, "the one named above"), ({"color": GREY}, "the others")])

    def _label_curves(self, title: str, xlabel: str, ylabel: str) -> None:
        """Write the title and the labels; panels share them."""
        if len(self.axes_) == 1:
            write_labels(self.ax_, title, xlabel, ylabel)
            return
        self.figure_.suptitle(wrapped(title, 2 * WIDTH), fontsize="medium")
        n_beside = self.ax_.get_gridspec().ncols
        for axis in self.axes_[-n_beside:]:  # the lowest ones
            axis.tick_params(labelbottom=True)
            axis.set_xlabel(wrapped(xlabel, _UNDER_PANEL), fontsize="small")
        self.figure_.supylabel(wrapped(ylabel), fontsize="medium")


@dataclass(kw_only=True, eq=False, repr=False)
class PowerCurveDisplay(CurveDisplay):
    """Power curves: the rejection rate over the null value, a curve for each procedure.

    At the truth a curve should be no higher than `alpha`; away from it, as high as can be. Make
    one with `from_result`.

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
    hypothesis : str, default=""
        What the null values are values of.
    value_name : str, default="score"
        What kind of value they are.
    confidence_level : float, default=0.95
        Of the intervals, each for its own rate.
    {shared: legend}

    {Attributes: curves}
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
    hypothesis: str = ""
    value_name: str = "score"
    confidence_level: float = _LEVEL

    @classmethod
    def from_result(
        cls,
        result: SimulationResult,
        *,
        hypothesis: str | None = None,
        null_values: ArrayLike | None = None,
        alpha: float = 0.1,
        truth: float | None = None,
        legend: bool | str = True,
    ) -> Self:
        """Take the curves from a study.

        Parameters
        ----------
        result : SimulationResult
            What `simulate` returned; its ``take`` chooses procedures.
        hypothesis : str, default=None
            Whose curves; None is the last, the difference of two estimators.
        null_values : array-like of float, default=None
            The grid; None is four standard deviations of the noisiest estimate around the truth.
        {shared: test alpha}
        truth : float, default=None
            The true value; None is the mean over all data sets. It is marked where the procedures
            shown train on the same number of rows, and so share it.
        {shared: legend}

        {Returns: display}
        """
        alpha = check_alpha(alpha)
        check_drawable(result, SimulationResult)
        hypothesis = result.hypotheses[-1] if hypothesis is None else hypothesis
        known = None if truth is None else {hypothesis: truth}
        if null_values is None:
            null_values = result.null_value_grid(hypothesis, truth=known)
        grid = {hypothesis: np.sort(np.ravel(as_numbers("null_values", null_values)))}
        frame = result.rejection_rates(grid, alpha, confidence_level=_LEVEL)
        values = result.true_values(known)
        centres = values["value"][values["hypothesis"] == hypothesis].unique()
        tables = {
            name: np.reshape(frame[name].to_numpy(), (len(result.labels), -1))
            for name in ("null_value", "rate", "low", "high")
        }
        return cls(
            null_values=tables["null_value"][0],
            rates=tables["rate"],
            labels=list(result.labels),
            alpha=alpha,
            truth=float(centres[0]) if len(centres) == 1 else None,
            low=tables["low"],
            high=tables["high"],
            hypothesis=hypothesis,
            value_name=result.direction,
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
        """Draw the curves, a line at `alpha`, and a line at the truth.

        {Plot: one ax, interval_kwargs, line_kwargs}
        """
        title = self.hypothesis
        properties = {"interval": interval_kwargs, "line": line_kwargs}
        looks = self._begin_curves(ax, self.labels, title, legend, properties)
        self.lines_, self.bands_ = self._draw_curves(
            looks, self.labels, self.null_values, self.rates, self.low, self.high
        )
        self.truth_ = None
        for axis in self.axes_[::-1]:
            self.level_ = axis.axhline(
                self.alpha, color=GREY, lw=0.8, label=f"level {self.alpha:g}"
            )
            if self.truth is not None:
                look = {"color": GREY, "lw": 0.8, "ls": (0, (1, 3)), "label": "truth"}
                self.truth_ = axis.axvline(self.truth, **look)
            axis.set(ylim=(0, 1.02), xlim=(np.min(self.null_values), np.max(self.null_values)))
        self._label_curves(title, f"null value of the expected {self.value_name}", "rejection rate")
        said = []
        if self.bands_:
            percent = format_percent(self.confidence_level)
            said = [f"bands: {percent} confidence of each rate, pointwise"]
        handles = [*self._handles(looks), self.level_, self.truth_]
        self._add_legend(handles, looks, said, names=self.labels)
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
class LearningCurveDisplay(CurveDisplay):
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

    {Attributes: curves}
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
    def from_result(cls, result: LearningCurveResult, *, legend: bool | str = True) -> Self:
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
        self, ax: Any = None, *, legend: bool | str | None = None, line_kwargs: Properties = None
    ) -> Self:
        """Draw a line and a band for each estimator.

        {Plot: one ax, line_kwargs}
        """
        looks = self._begin_curves(ax, self.names, "", legend, {"line": line_kwargs})
        self.lines_, self.bands_ = self._draw_curves(
            looks, self.names, self.train_sizes, self.scores, self.low, self.high
        )
        for axis in self.axes_:
            read = read_as(axis.yaxis, self.metric)
        better = f", better {RIGHT}" if read.is_loss else ""
        self._label_curves("", f"training {self.unit}", f"expected {title_of(self.metric)}{better}")
        percent = format_percent(self.confidence_level)
        said = [f"bands: {percent} confidence, all scores at once"]
        self._add_legend(self._handles(looks), looks, said, names=self.names)
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


def _table(at: dict[str, Any], **columns: Any) -> pd.DataFrame:
    """Return a row for each curve and point, with the numbers that are known."""
    (name, labels), (of_points, x) = at.items()
    found = {name: np.repeat(list(labels), len(x)), of_points: np.tile(x, len(labels))}
    known = {name: np.ravel(values) for name, values in columns.items() if values is not None}
    return pd.DataFrame(found | known)
