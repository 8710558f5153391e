"""PairedScoresDisplay: the scores of every split, joined by a line across estimators."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
import pandas as pd

from .._utils._text import counted
from ..comparison import ComparisonResult
from ._display import (
    BLUE,
    GREY,
    VERMILION,
    Looks,
    Properties,
    chosen,
    ink,
    labelled,
    read_as,
    short_names,
)
from ._rows import GAP, Panel, RowDisplay, shown_limits, write, write_beyond

_LEAST_GAPS = 7  # lines in a panel: few rows have room to draw equal scores apart
_SHARE = 0.5  # of the step between neighbouring values, over which equal ones are spread
_APART = 0.03  # of a row, between two equal values that are stacked
_REACH = 0.7  # the same between all of them
_DIGITS = 9  # of the range of the values, in which equal ones agree
# Of the difference, the better estimator's minus the other's.
_BY_SIGN = {1: BLUE, -1: VERMILION, 0: GREY}
_COUNTED = 3  # this many equal values, or more, have their number written


@dataclass(kw_only=True, eq=False, repr=False)
class PairedScoresDisplay(RowDisplay):
    """The scores of each split, a line for each split from estimator to estimator.

    A panel for each metric; the estimator that is best in the first metric is on top in all. Two
    estimators differ clearly where their lines lean one way, however widely the scores are spread.
    The splits share rows, so they are not independent: the picture shows the data, not how sure the
    difference is. In a figure of our own, the differences of two estimators are drawn below.

    Where splits have equal scores, each is shifted by less than half the step to the next score,
    all its scores by the same; equal scores are counted from three on. Splits that the estimates do
    not rest on, which some procedures need for the variance, are dotted. An estimator so far away
    that the others could not be read is an arrow at the end of the axis, with its estimate. Make
    one with `from_result`.

    Parameters
    ----------
    scores : dict of str to array-like of shape (n_estimators, n_splits)
        By metric, greater is better.
    estimates : dict of str to array-like of shape (n_estimators,)
        By metric, the estimated expected scores.
    labels : sequence of str
        The estimators' names.
    pairs : dict of str to (str, str), default={}
        By metric, the two estimators whose difference is drawn below, the first minus the second;
        of metrics that are left out in the order of `labels`.
    n_estimating : int, default=None
        How many splits, the first ones, the estimates are means of; None if of all, or of none.
    {shared: n_more, legend}

    {Attributes: panels}
    difference_axes_ : ndarray of matplotlib Axes
        Below each panel the differences of two estimators; empty where there are more of them,
        and in axes of yours.
    lines_ : list of matplotlib Line2D
        A line for each metric and split, with ``line_kwargs``.
    marks_ : list of matplotlib Line2D
        The estimates of each metric, with ``mark_kwargs``.
    {shared: legend_}

    {See Also: ComparisonDisplay}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcvstats import compare_estimators
    >>> from skcvstats.plotting import PairedScoresDisplay
    >>> X, y = load_iris(return_X_y=True)
    >>> models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    >>> display = PairedScoresDisplay.from_result(compare_estimators(models, X, y))
    >>> display.frame().shape, display.frame().columns.tolist()
    ((40, 6), ['metric', 'estimator', 'split', 'score', 'estimate', 'estimating'])
    """

    scores: dict[str, Any]
    estimates: dict[str, Any]
    labels: Sequence[str]
    pairs: dict[str, Any] = field(default_factory=dict)
    n_estimating: int | None = None
    n_more: int = 0

    @classmethod
    def from_result(
        cls,
        result: ComparisonResult,
        *,
        metric: str | None = None,
        top: int = 20,
        legend: bool | str = True,
    ) -> Self:
        """Take the scores from a comparison.

        {Parameters: compared, metric to show}
        top : int, default=20
            At most this number of estimators, those that score highest in the first metric.
        {shared: legend}

        {Returns: display}
        """
        result = chosen(result, (ComparisonResult,), metric, top)
        every = list(result.tests_by_metric.values())
        shared = set.intersection(*(set(tests.scores.labels) for tests in every))
        ranked = pd.Series(every[0].estimates, every[0].scores.labels)
        ranked = ranked[ranked.index.isin(shared)].sort_values(ascending=False, kind="stable")
        labels = tuple(ranked.index[:top])
        scores = {}
        estimates = {}
        for name, tests in result.tests_by_metric.items():
            rows = list(map(tests.scores.labels.index, labels))
            scores[name] = tests.scores.values[rows]
            estimates[name] = tests.estimates[rows].tolist()
        return cls(
            scores=scores,
            estimates=estimates,
            labels=labels,
            pairs={pair.metric: (pair.estimator, pair.versus) for pair in result},
            n_estimating=_n_estimating(result),
            n_more=len(result.names) - len(labels),
            legend=legend,
        )

    def plot(
        self,
        ax: Any = None,
        *,
        legend: bool | str | None = None,
        line_kwargs: Properties = None,
        mark_kwargs: Properties = None,
    ) -> Self:
        """Draw the scores, the lines of the splits and the estimates.

        {Plot: ax, line_kwargs, mark_kwargs}
        """
        best = np.asarray(next(iter(self.estimates.values())), dtype=float)
        order = np.argsort(-best, kind="stable")
        names: list[tuple[str, ...]] = list(zip(np.take(self.labels, order).tolist(), strict=True))
        panels = [Panel.of_scores(metric, names, ()) for metric in self.scores]
        below = []
        if len(self.labels) == 2:
            below = [Panel.of_differences(m, [self._pair(m)], ()) for m in self.scores]
        gap = max(GAP, _LEAST_GAPS / len(order))
        how = {"line": line_kwargs, "mark": mark_kwargs}
        every, looks = self._begin_rows(ax, panels, legend, how, below, gap)
        self.axes_, self.difference_axes_ = np.split(every, [len(panels)])
        self.lines_: list[Any] = []
        self.marks_: list[Any] = []
        for axis, metric in zip(self.axes_, self.scores, strict=True):
            self._draw(axis, metric, order, looks)
        for axis, metric in zip(self.difference_axes_, self.scores, strict=False):
            self._draw_differences(axis, metric, looks)
        self._add_scores_legend(order, looks)
        return self

    def frame(self) -> pd.DataFrame:
        """Return the numbers that are drawn.

        Returns
        -------
        DataFrame
            Columns ``metric``, ``estimator``, ``split``, ``score``, the estimator's ``estimate``
            and whether it is ``estimating``: a split that the estimate is made of.
        """
        parts = []
        for metric, values in self.scores.items():
            n, n_splits = np.shape(values)
            columns = {"metric": metric, "estimator": np.repeat(list(self.labels), n_splits)}
            columns |= {"split": np.tile(np.arange(n_splits), n), "score": np.ravel(values)}
            columns["estimate"] = np.repeat(self.estimates[metric], n_splits)
            columns["estimating"] = np.tile(self._estimating(n_splits), n)
            parts.append(pd.DataFrame(columns))
        return pd.concat(parts, ignore_index=True)

    def _pair(self, metric: str) -> tuple[str, str]:
        """Return the two estimators of the difference, the first minus the second."""
        first, second = self.pairs.get(metric, self.labels)
        return first, second

    def _estimating(self, n_splits: int) -> np.ndarray:
        """Return the splits whose mean is the estimate."""
        return np.arange(n_splits) < (n_splits if self.n_estimating is None else self.n_estimating)

    def _draw(self, ax: Any, metric: str, order: np.ndarray, looks: Looks) -> None:
        values = np.asarray(self.scores[metric])[order]
        at = np.arange(len(order))
        drawn = values + _shifts(values)
        estimating = self._estimating(values.shape[1])
        signs = np.sign(values[0] - values[1]) if len(order) == 2 else np.zeros(len(estimating))
        # Lines are more transparent if there are more.
        every, some = (max(0.12, min(0.6, 10 / n)) for n in (len(estimating), estimating.sum()))
        for line, sign, counts in zip(drawn.T, signs, estimating, strict=True):
            style = {"color": _BY_SIGN[sign], "lw": 0.8, "zorder": 2}
            style |= {"alpha": some} if counts else {"alpha": every, "ls": ":"}
            self.lines_ += ax.plot(line, at, **looks.of("line", **style))
        ax.plot(drawn, at, "o", color=GREY, ms=2.5, alpha=every, zorder=2.5)
        estimates = np.asarray(self.estimates[metric], dtype=float)[order]
        shown = np.column_stack([estimates, values])
        ax.set_xlim(shown_limits(shown, [estimates.max()], pairs=False))
        read = read_as(ax.xaxis, metric).number
        for height, (scores, estimate) in enumerate(zip(values, estimates, strict=True)):
            _write_counts(ax, scores, np.full(len(scores), height))
            write_beyond(ax, height, estimate, ink(ax), read)
        self.marks_ += ax.plot(estimates, at, **looks.of("mark", **_mark(ax)))

    def _draw_differences(self, ax: Any, metric: str, looks: Looks) -> None:
        """Draw the differences of two estimators, a dot for each split."""
        first, second = (list(self.labels).index(name) for name in self._pair(metric))
        values = np.asarray(self.scores[metric])
        differences = values[first] - values[second]
        stacked = _stacked(differences)
        ax.axvline(0, color=ink(ax), lw=1)
        difference = self.estimates[metric][first] - self.estimates[metric][second]
        signs = np.sign(differences) * (np.sign(difference) or 1)
        for sign, colour in _BY_SIGN.items():
            dots = differences[signs == sign], stacked[signs == sign]
            ax.plot(*dots, "o", color=colour, ms=4, alpha=0.7)
        _write_counts(ax, differences, stacked)
        ax.plot(difference, 0, **looks.of("mark", **_mark(ax)))

    def _add_scores_legend(self, order: np.ndarray, looks: Looks) -> None:
        """Say what lines are, what is not drawn, and that equal scores are drawn apart."""
        names = short_names([self.labels[k] for k in order[:2]], ("the upper", "the lower"))
        lines: list[tuple[dict[str, Any], str]] = [
            ({"color": colour}, f"a split with {name} better")
            for colour, name in zip((BLUE, VERMILION), names, strict=True)
        ]
        if len(order) > 2:
            lines = [({"color": GREY, "marker": "o", "ms": 2.5}, "a split")]
        if self.n_estimating is not None:
            lines.append(({"color": GREY, "ls": ":"}, "a further split, not in the estimate"))
        lines = [(looks.of("line", **{"lw": 0.8, **look}), said) for look, said in lines]
        mark = looks.of("mark", **_mark(self.ax_))
        said = [counted(self.n_more, "more estimator")] if self.n_more else []
        if any(_shifts(values).any() for values in self.scores.values()):
            said.append("equal scores are set apart; a number says how many there are")
        self._add_legend(labelled([(mark, "estimate"), *lines]), looks, said)


def _mark(ax: Any) -> dict[str, Any]:
    """Return the look of an estimate."""
    ground = ax.get_facecolor()
    return {"color": ink(ax), "marker": "D", "ms": 6, "mec": ground, "ls": "", "zorder": 3}


def _n_estimating(result: ComparisonResult) -> int | None:
    """Return the number of first splits whose mean is the estimate; None if it is all or none."""
    every = list(result.tests_by_metric.values())
    # Further splits for the variance come after these, in whole replicates or repeats.
    blocks = np.cumprod((1, *reversed(every[0].scores.design.shape)))[::-1]  # all, then ever fewer
    for n_first in blocks:
        means = [tests.scores.values[:, :n_first].mean(axis=1) for tests in every]
        pairs = zip(means, every, strict=True)
        if all(np.allclose(mean, tests.estimates, 1e-9, 1e-12) for mean, tests in pairs):
            return None if n_first == blocks[0] else int(n_first)
    return None


def _shifts(values: Any) -> np.ndarray:
    """Return the shift of each column, as a whole, that separates equal values in a row."""
    scaled = _scaled(values)
    steps = np.diff(np.unique(scaled))
    if not len(steps) or not any(pd.Series(row).duplicated().any() for row in scaled):
        return np.zeros(scaled.shape[1])
    shares = np.linspace(-0.5, 0.5, scaled.shape[1])
    return np.asarray(shares * _SHARE * steps.min() * np.ptp(values))


def _stacked(values: np.ndarray) -> np.ndarray:
    """Return the shift of each value across its row that stacks equal values."""
    groups = pd.Series(values).groupby(_scaled(values))
    n_equal = groups.transform("size").to_numpy()
    step = np.minimum(_APART, _REACH / np.maximum(n_equal - 1, 1))
    return np.asarray(step * (groups.cumcount().to_numpy() - (n_equal - 1) / 2))


def _write_counts(ax: Any, values: np.ndarray, heights: np.ndarray) -> None:
    """Write the number of equal values above them, if there are at least three."""
    for _, same in pd.DataFrame({"at": values, "height": heights}).groupby(_scaled(values)):
        if len(same) >= _COUNTED:
            top = same["at"].iloc[0], same["height"].min()
            write(ax, str(len(same)), top, (0, 4), ha="center", va="bottom", fontsize="x-small")


def _scaled(values: Any) -> np.ndarray:
    """Return values scaled to 0 to 1, without the last digits."""
    values = np.asarray(values, dtype=float)
    return np.asarray(np.round((values - values.min()) / (np.ptp(values) or 1), _DIGITS))
