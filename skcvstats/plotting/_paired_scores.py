"""PairedScoresDisplay: the scores of every split, joined by a line across estimators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from .._utils._checks import check_option
from .._utils._text import counted, cut
from ..comparison import ComparisonResult
from ._axes import check_kwargs, merged
from ._intervals import write_beyond
from ._limits import shown_limits
from ._rows import Panel, plot_panels
from ._style import BLUE, GREY, VERMILION, ink
from ._text import directions, facing_directions
from ._ties import shifts, stacked, write_counts
from ._top import check_drawable, check_top

if TYPE_CHECKING:
    from ..scores import CVScores

_GAP = 0.6  # in lines, between the names of many estimators
# By number of estimators. If there are few, their rows have room to draw equal scores apart.
_GAPS = {2: 3.0, 3: 2.4, 4: 2.0, 5: 1.6, 6: 1.4, 7: 1.2, 8: 1.0, 9: 0.8}


class PairedScoresDisplay:
    """The scores of each split, a line for each split from estimator to estimator.

    A panel for each metric; the estimator that is best in the first metric is on top in all. Two
    estimators differ clearly where their lines lean one way, however widely the scores are spread.
    The splits share rows, so they are not independent: the picture shows the data, not how sure the
    difference is. In a figure of our own, the differences of two estimators are drawn below.

    Where splits score alike, each is shifted by less than half the step to the next score, all its
    scores by the same; equal scores are counted from three on. Splits that the estimates do not
    rest on, which some procedures need for the variance, are dotted. An estimator so far away that
    the others could not be read is an arrow at the end of the axis, with its estimate. Make one
    with `from_result`. In your own figure, ``plt.subplots(layout="constrained")`` makes room for
    long names.

    Parameters
    ----------
    scores : dict of str to array-like of shape (n_estimators, n_splits)
        By metric, greater is better.
    estimates : dict of str to array-like of shape (n_estimators,)
        By metric, the estimated expected scores.
    labels : sequence of str
        The estimators' names.
    n_estimating : int, default=None
        How many splits, the first ones, the estimates are the means of; None if all, or if the
        estimates are no means of splits.
    n_more : int, default=0
        Estimators that there are besides these, to be said in the legend.

    Attributes
    ----------
    axes_ : ndarray of matplotlib Axes
        A panel for each metric.
    ax_ : matplotlib Axes
        The first panel.
    difference_axes_ : ndarray of matplotlib Axes
        Below each panel the differences of two estimators; empty where there are more of them,
        and in axes of yours.
    figure_ : matplotlib Figure
        The figure of the panels.
    lines_ : list of matplotlib Line2D
        A line for each metric and split.
    marks_ : list of matplotlib Line2D
        The estimates of each metric.
    legend_ : matplotlib Legend
        What the lines mean.

    See Also
    --------
    ComparisonDisplay : The differences with their intervals.

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
    ((30, 6), ['metric', 'estimator', 'split', 'score', 'estimate', 'estimating'])
    """

    def __init__(
        self,
        *,
        scores: dict[str, Any],
        estimates: dict[str, Any],
        labels: Any,
        n_estimating: int | None = None,
        n_more: int = 0,
    ) -> None:
        self.scores = scores
        self.estimates = estimates
        self.labels = labels
        self.n_estimating = n_estimating
        self.n_more = n_more

    @classmethod
    def from_result(
        cls, result: ComparisonResult, *, metric: str | None = None, top: int = 20
    ) -> PairedScoresDisplay:
        """Take the scores from a comparison.

        Parameters
        ----------
        result : ComparisonResult
            What `compare_estimators` or `compare_scores` returned.
        metric : str, default=None
            Which metric; None shows all.
        top : int, default=20
            At most this number of estimators, those that score highest in the first metric.

        Returns
        -------
        PairedScoresDisplay
            Nothing is drawn yet: its `plot` does that.
        """
        check_drawable(result, ComparisonResult)
        check_top(top)
        if metric is not None:
            result = result[check_option("metric", metric, result.metrics)]
        estimates = {
            name: dict(zip(tests.scores.labels, tests.estimates.tolist(), strict=True))
            for name, tests in result.tests_by_metric.items()
        }
        labels = _first_labels(estimates, top)
        return cls(
            scores={
                name: _values(scores, labels) for name, scores in result.scores_by_metric.items()
            },
            estimates={
                name: [found[label] for label in labels] for name, found in estimates.items()
            },
            labels=labels,
            n_estimating=_n_estimating(result, estimates),
            n_more=len(result.names) - len(labels),
        )

    def plot(
        self,
        ax: Any = None,
        *,
        mark_kwargs: dict[str, Any] | None = None,
        line_kwargs: dict[str, Any] | None = None,
    ) -> PairedScoresDisplay:
        """Draw the scores, the lines of the splits and the estimates.

        Parameters
        ----------
        ax : matplotlib Axes or array-like of Axes, default=None
            Where to draw, one axes for each metric; None makes a new figure.
        mark_kwargs : dict, default=None
            Keyword arguments of matplotlib's `Line2D` for the marks of the estimates, over our own.
        line_kwargs : dict, default=None
            Keyword arguments of `Line2D` for the lines of the splits.

        Returns
        -------
        PairedScoresDisplay
            The display itself, with its attributes set.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        TypeError
            If `ax` or keyword arguments are something else.
        ValueError
            If there are not as many axes as metrics.
        """
        looks = check_kwargs(type(self).__name__, mark_kwargs=mark_kwargs, line_kwargs=line_kwargs)
        best = np.asarray(next(iter(self.estimates.values())), dtype=float)
        order = np.argsort(-best, kind="stable")
        self.lines_: list[Any] = []
        self.marks_: list[Any] = []
        panels = [self._panel(metric, order, looks) for metric in self.scores]
        two = self.scores if len(self.labels) == 2 else ()
        self.axes_, self.difference_axes_, self.legend_ = plot_panels(
            type(self).__name__,
            ax,
            panels,
            lambda first: self._handles(first, order, looks),
            self._legend_title(),
            below=[self._difference_panel(metric, looks) for metric in two],
        )
        self.ax_, self.figure_ = self.axes_[0], self.axes_[0].figure
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
            n_splits = np.shape(values)[1]
            parts.append(
                pd.DataFrame(
                    {
                        "metric": metric,
                        "estimator": np.repeat(list(self.labels), n_splits),
                        "split": np.tile(np.arange(n_splits), len(self.labels)),
                        "score": np.ravel(values),
                        "estimate": np.repeat(self.estimates[metric], n_splits),
                        "estimating": np.tile(self._estimating(n_splits), len(self.labels)),
                    }
                )
            )
        return pd.concat(parts, ignore_index=True)

    def _estimating(self, n_splits: int) -> np.ndarray:
        """Return the splits whose mean is the estimate."""
        return np.arange(n_splits) < (n_splits if self.n_estimating is None else self.n_estimating)

    def _legend_title(self) -> str:
        """Say how many estimators are not drawn, and that equal scores are drawn apart."""
        lines = [f"and {counted(self.n_more, 'more estimator')}"] if self.n_more else []
        if any(shifts(values).any() for values in self.scores.values()):
            lines.append("equal scores are set apart; a number says how many there are")
        return "\n".join(lines)

    def _panel(self, metric: str, order: np.ndarray, looks: dict[str, dict[str, Any]]) -> Panel:
        return Panel(
            title=metric,
            names=[(self.labels[k],) for k in order],
            draw=lambda ax, at: self._draw(ax, metric, order, at, looks),
            xlabel="score, better \N{RIGHTWARDS ARROW}",
            short_xlabel="score",
            gap=_GAPS.get(len(order), _GAP),
        )

    def _difference_panel(self, metric: str, looks: dict[str, dict[str, Any]]) -> Panel:
        """Return the panel below the scores of two estimators."""
        first, second = self.labels
        sides = "   ".join(directions(first, second))
        return Panel(
            title=f"difference in {metric}",
            names=[tuple(self.labels)],
            draw=lambda ax, at: self._draw_differences(ax, metric, at[0], looks),
            xlabel=sides,
            short_xlabel=sides,
            facing=facing_directions(first, second),
            gap=_GAPS[2],
        )

    def _draw(
        self,
        ax: Any,
        metric: str,
        order: np.ndarray,
        at: np.ndarray,
        looks: dict[str, dict[str, Any]],
    ) -> None:
        values = np.asarray(self.scores[metric])[order]
        drawn = values + shifts(values)
        estimating = self._estimating(values.shape[1])
        alpha = _alpha(len(estimating))
        for k, counts in enumerate(estimating.tolist()):
            faint = {"alpha": _alpha(estimating.sum())} if counts else {"alpha": alpha, "ls": ":"}
            style = {"color": _colour(values[:, k]), "lw": 0.8, "zorder": 2, **faint}
            line = merged(style, looks["line_kwargs"])
            self.lines_ += ax.plot(drawn[:, k], at, **line)
        ax.plot(drawn, at, "o", color=GREY, ms=2.5, alpha=alpha, zorder=2.5)
        estimates = np.asarray(self.estimates[metric], dtype=float)[order]
        limits = shown_limits(np.column_stack([estimates, values]), [estimates.max()], pairs=False)
        for scores, estimate, height in zip(values, estimates, at, strict=True):
            write_counts(ax, scores, np.full(len(scores), height))
            write_beyond(ax, estimate, height, limits, ink(ax))
        self.marks_ += ax.plot(
            estimates, at, **merged({**_mark(ax), "zorder": 3}, looks["mark_kwargs"])
        )
        ax.set_xlim(limits)
        ax.locator_params(axis="x", nbins=5)
        ax.ticklabel_format(axis="x", useOffset=False)

    def _draw_differences(
        self, ax: Any, metric: str, height: float, looks: dict[str, dict[str, Any]]
    ) -> None:
        """Draw the differences of two estimators, a dot for each split."""
        values = np.asarray(self.scores[metric])
        differences, row = values[0] - values[1], 1 + _GAPS[2]
        ax.axvline(0, color=ink(ax), lw=1)
        colours = {1: BLUE, -1: VERMILION, 0: GREY}
        best = np.argmax(self.estimates[metric])
        signs = np.sign(differences) * (1 if best == 0 else -1)
        moved = height + stacked(differences, row)
        for sign, colour in colours.items():
            chosen = signs == sign
            ax.plot(differences[chosen], moved[chosen], "o", color=colour, ms=4, alpha=0.7)
        write_counts(ax, differences, moved)
        first, second = self.estimates[metric]
        ax.plot(first - second, height, **merged({**_mark(ax), "zorder": 3}, looks["mark_kwargs"]))
        ax.locator_params(axis="x", nbins=5)

    def _handles(self, ax: Any, order: np.ndarray, looks: dict[str, dict[str, Any]]) -> list[Any]:
        """Return labelled lines and marks for the legend."""
        estimate = merged(_mark(ax), looks["mark_kwargs"])
        handles = ax.plot([], [], **estimate | {"label": "estimate"})
        lines: list[tuple[str, dict[str, Any]]] = [
            (f"a split with {cut(self.labels[k])} better", {"color": colour})
            for colour, k in zip((BLUE, VERMILION), order[:2], strict=False)
        ]
        if len(order) > 2:
            lines = [("a split", {"color": GREY, "marker": "o", "ms": 2.5})]
        if self.n_estimating is not None:
            lines.append(("a further split, not in the estimate", {"color": GREY, "ls": ":"}))
        for label, ours in lines:
            style = merged({"lw": 0.8, **ours}, looks["line_kwargs"])
            handles += ax.plot([], [], **style | {"label": label})
        return handles


def _mark(ax: Any) -> dict[str, Any]:
    """Return the look of an estimate."""
    return {"color": ink(ax), "marker": "D", "ms": 6, "mec": ax.get_facecolor(), "ls": ""}


def _alpha(n_lines: int) -> float:
    """Return the opacity of lines: less if there are more."""
    return float(max(0.12, min(0.6, 10 / n_lines)))


def _colour(split: np.ndarray) -> str:
    """Return the colour of a line: with two estimators, by which is better on the split."""
    if len(split) != 2 or split[0] == split[1]:
        return GREY
    return BLUE if split[0] > split[1] else VERMILION


def _first_labels(estimates: dict[str, dict[str, float]], top: int) -> tuple[str, ...]:
    """Return the estimators that are in all metrics and have the highest scores in the first."""
    first = next(iter(estimates.values()))
    labels = [label for label in first if all(label in found for found in estimates.values())]
    best = sorted(labels, key=lambda label: -first[label])[:top]
    return tuple(label for label in labels if label in best)


def _values(scores: CVScores, labels: tuple[str, ...]) -> np.ndarray:
    return scores.values[[scores.labels.index(label) for label in labels]]


def _n_estimating(result: ComparisonResult, estimates: dict[str, dict[str, float]]) -> int | None:
    """Return the number of first splits whose mean is the estimate; None if it is all or none.

    Procedures that need further splits for the variance have them after these, in whole blocks of
    the design: replicates, or repeats.
    """
    shape = next(iter(result.scores_by_metric.values())).design.shape
    blocks = np.cumprod((1, *reversed(shape)))[::-1]  # all, then ever fewer blocks
    for n_first in blocks:
        if all(
            np.allclose(
                scores.values[:, :n_first].mean(axis=1), list(estimates[name].values()), 1e-9, 1e-12
            )
            for name, scores in result.scores_by_metric.items()
        ):
            return None if n_first == blocks[0] else int(n_first)
    return None
