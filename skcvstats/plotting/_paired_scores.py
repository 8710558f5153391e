"""PairedScoresDisplay: every split's scores, joined from estimator to estimator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from .._validation import check_option
from ._style import (
    BLACK,
    BLUE,
    GREY,
    VERMILION,
    legend_below,
    light,
    name_rows,
    panels_for,
    plain_text,
    title_panel,
    wrapped,
)

if TYPE_CHECKING:
    from .._comparison import ComparisonResult


class PairedScoresDisplay:
    """The scores of each split, a line for each split from estimator to estimator.

    A panel for each metric, the best estimator on top. Two estimators differ clearly where their
    lines lean one way, however widely the scores are spread. The splits share rows, so they are
    not independent: the picture shows the data, not how sure the difference is. Make one with
    `from_result`.

    Parameters
    ----------
    scores : dict of str to array-like of shape (n_estimators, n_splits)
        By metric, greater is better.
    estimates : dict of str to array-like of shape (n_estimators,)
        By metric, the estimated expected scores.
    labels : sequence of str
        The estimators' names.

    Attributes
    ----------
    axes_ : ndarray of matplotlib Axes
        A panel for each metric.
    ax_ : matplotlib Axes
        The first of them.
    figure_ : matplotlib Figure
        The figure around them.

    See Also
    --------
    ComparisonDisplay : The differences with their intervals.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcvstats import PairedScoresDisplay, compare_estimators
    >>> X, y = load_iris(return_X_y=True)
    >>> models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    >>> display = PairedScoresDisplay.from_result(compare_estimators(models, X, y))
    >>> display.frame().shape, display.frame().columns.tolist()
    ((30, 5), ['metric', 'estimator', 'split', 'score', 'estimate'])
    """

    def __init__(
        self,
        *,
        scores: dict[str, Any],
        estimates: dict[str, Any],
        labels: Any,
    ) -> None:
        self.scores = scores
        self.estimates = estimates
        self.labels = labels

    @classmethod
    def from_result(
        cls, result: ComparisonResult, *, metric: str | None = None
    ) -> PairedScoresDisplay:
        """Take the scores from a comparison.

        Parameters
        ----------
        result : ComparisonResult
            What `compare_estimators` or `compare_scores` returned.
        metric : str, default=None
            Which metric; None shows all.

        Returns
        -------
        PairedScoresDisplay
            To be plotted.
        """
        if metric is not None:
            result = result[check_option("metric", metric, result.metrics)]
        labels = next(iter(result.scores_by_metric.values())).labels
        estimates: dict[str, Any] = {name: {} for name in result.metrics}
        for one in result:
            estimates[one.metric] |= {one.estimator: one.score, one.versus: one.score_versus}
        return cls(
            scores={name: scores.values for name, scores in result.scores_by_metric.items()},
            estimates={name: [by[label] for label in labels] for name, by in estimates.items()},
            labels=labels,
        )

    def plot(self, ax: Any = None) -> PairedScoresDisplay:
        """Draw the scores, the lines of the splits and the estimates.

        Parameters
        ----------
        ax : matplotlib Axes or array-like of Axes, default=None
            Where to draw, one axes for each metric; None makes a new figure.

        Returns
        -------
        PairedScoresDisplay
            Itself, with `axes_`, `ax_` and `figure_`.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ValueError
            If there are not as many axes as metrics.
        """
        metrics = list(self.scores)
        rows = [wrapped(label) for label in self.labels]
        self.axes_ = panels_for(type(self).__name__, ax, metrics, rows)
        self.ax_, self.figure_ = self.axes_[0], self.axes_[0].figure
        order = np.argsort(-np.asarray(self.estimates[metrics[0]], dtype=float), kind="stable")
        for k, (panel, metric) in enumerate(zip(self.axes_, metrics, strict=True)):
            hidden = ax is None and k > 0
            self._draw(panel, metric, order, named=not hidden)
        legend_below(self.axes_, self._handles(order), own=ax is None)
        return self

    def frame(self) -> pd.DataFrame:
        """Return the numbers that are drawn.

        Returns
        -------
        DataFrame
            Columns ``metric``, ``estimator``, ``split``, ``score`` and the estimator's
            ``estimate``.
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
                    }
                )
            )
        return pd.concat(parts, ignore_index=True)

    def _draw(self, ax: Any, metric: str, order: np.ndarray, *, named: bool) -> None:
        light(ax)
        values = np.asarray(self.scores[metric])[order]
        rows = np.arange(len(order))
        alpha = max(0.12, min(0.6, 10 / values.shape[1]))
        for split in values.T:
            ax.plot(split, rows, color=_colour(split), lw=0.8, alpha=alpha, zorder=2)
        ax.plot(values, rows, "o", color=GREY, ms=2.5, alpha=alpha, zorder=2.5)
        estimates = np.asarray(self.estimates[metric])[order]
        ax.plot(estimates, rows, "D", color=BLACK, ms=6, mec="white", zorder=3)
        name_rows(ax, [wrapped(self.labels[k]) if named else "" for k in order])
        ax.locator_params(axis="x", nbins=5)
        ax.set_xlabel("score, better \N{RIGHTWARDS ARROW}")
        title_panel(ax, metric)

    def _handles(self, order: np.ndarray) -> list[Any]:
        """Return what the lines and the marks are, named."""
        plot = self.ax_.plot
        handles = plot([], [], "D", color=BLACK, ms=6, mec="white", label="estimate")
        if len(order) > 2:
            return handles + plot([], [], "o-", color=GREY, ms=2.5, lw=0.8, label="a split")
        for colour, k in zip((BLUE, VERMILION), order, strict=True):
            name = plain_text(wrapped(self.labels[k]))
            handles += plot([], [], color=colour, lw=0.8, label=f"a split with {name} better")
        return handles


def _colour(split: np.ndarray) -> str:
    """Colour the lines of two estimators by which of them is better on the split."""
    if len(split) != 2 or split[0] == split[1]:
        return GREY
    return BLUE if split[0] > split[1] else VERMILION
