"""RankingDisplay: the scores of estimators, best first, and which of them could be the best."""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_letters
from typing import Any

import pandas as pd

from .._utils._checks import check_option
from .._utils._text import counted, format_percent
from ..comparison import ComparisonResult, ScoreEstimates
from ..scores import with_shown_ends
from ..stats import ADJUSTMENTS
from ._axes import Looks, check_drawable, check_kwargs, labelled, merged
from ._rows import (
    Panel,
    check_top,
    draw_estimate,
    first_rows,
    row_axes,
    row_legend,
    rows_by_metric,
    shown_limits,
)
from ._style import ink, mark_of

_MOST_LETTERS = 12  # that are written beside each other
_LETTER = 0.08  # inches
_WIDEST_SHARE = 0.4  # of the width of axes, for letters
_SPACE = "\N{NO-BREAK SPACE}"
# By whether an estimator could be the best (None: not known): the kind of claim whose mark it has,
# and what the legend says.
_LOOKS = {
    True: ("above", "could be the best ({level})"),
    False: ("not shown", "not in that set (one-sided tests)"),
    None: ("above", "score"),
}


@dataclass(kw_only=True, eq=False, repr=False)
class RankingDisplay:
    """The scores of estimators with their intervals, best first; filled: could be the best.

    A panel for each metric; the estimator that is best in the first metric is on top in all. The
    intervals are those of single scores, and end where the metric does. Whether two of them overlap
    does not decide whether the scores differ: letters do, and `ComparisonDisplay` shows the
    intervals of the differences.
    Values so far away that the others could not be read are arrows at the end of the axis, with
    their number. Make one with `from_result`. In your own figure,
    ``plt.subplots(layout="constrained")`` makes room for long names.

    Parameters
    ----------
    ranking : DataFrame
        One row for each metric and estimator, the best of a metric first, with the columns
        ``metric``, ``estimator``, ``score``, ``low``, ``high``, ``letters`` and
        ``could_be_best``. Where the ends are NaN there is no interval; letters and
        ``could_be_best`` may be missing.
    confidence_level : float, default=0.95
        Of the intervals and of the set of those that could be the best.
    adjusted : str, default=""
        In words, the method that adjusts what decides about letters, to be said in the legend.
    n_more : int, default=0
        Estimators that there are besides these, to be said in the legend.

    Attributes
    ----------
    axes_ : ndarray of matplotlib Axes
        A panel for each metric.
    ax_ : matplotlib Axes
        The first panel.
    figure_ : matplotlib Figure
        The figure of the panels.
    marks_ : list of matplotlib Line2D
        The score of each row of `frame`.
    intervals_ : list of matplotlib Line2D or None
        The interval of each row; None where there is none.
    letters_ : list of matplotlib Text or None
        The letters of each row; None where there are none.
    legend_ : matplotlib Legend
        What the marks mean, and what decides.

    See Also
    --------
    ComparisonResult.ranking : The numbers.
    ComparisonDisplay : The differences with their intervals.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcvstats import compare_estimators
    >>> from skcvstats.plotting import RankingDisplay
    >>> X, y = load_iris(return_X_y=True)
    >>> models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    >>> display = RankingDisplay.from_result(compare_estimators(models, X, y))
    >>> display.frame()[["estimator", "letters", "could_be_best"]].values.tolist()
    [['tree', 'a', True], ['bayes', 'a', True]]
    """

    ranking: pd.DataFrame
    confidence_level: float = 0.95
    adjusted: str = ""
    n_more: int = 0

    @classmethod
    def from_result(
        cls,
        result: ComparisonResult | ScoreEstimates,
        *,
        metric: str | None = None,
        confidence_level: float | None = None,
        top: int = 20,
    ) -> RankingDisplay:
        """Take the ranking from a comparison, or from estimates of several scores.

        Parameters
        ----------
        result : ComparisonResult or ScoreEstimates
            What `compare_estimators` or `compare_scores` returned, or `cross_val_inference` for
            several estimators.
        metric : str, default=None
            Which metric; None shows all.
        confidence_level : float, default=None
            Of intervals, letters and the set of the best; above 0.5. None is that of the result,
            by default 0.95.
        top : int, default=20
            At most this number of estimators: those that are ranked highest in any of the metrics.
            Metrics with estimators of their own stand below each other and share the number.

        Returns
        -------
        RankingDisplay
            Nothing is drawn yet: its `plot` does that.
        """
        check_drawable(result, ComparisonResult, ScoreEstimates)
        check_top(top)
        if metric is not None:
            result = result[check_option("metric", metric, result.metrics)]
        if confidence_level is not None:
            result = result.with_confidence(confidence_level)
        parts = []
        for name in result.metrics:
            part = with_shown_ends(result[name].ranking(), result.scores_by_metric[name])
            part.insert(0, "metric", name)
            part["letters"] = _letters(result[name])
            parts.append(part)
        every = pd.concat(parts, ignore_index=True)
        ranking = first_rows(every, ["estimator"], top, by="min").reset_index(drop=True)
        lettered = bool(ranking["letters"].notna().any())
        return cls(
            ranking=ranking,
            confidence_level=result.confidence_level,
            adjusted=_adjusted(result) if lettered else "",
            n_more=every["estimator"].nunique() - ranking["estimator"].nunique(),
        )

    def plot(
        self,
        ax: Any = None,
        *,
        interval_kwargs: dict[str, Any] | None = None,
        mark_kwargs: dict[str, Any] | None = None,
    ) -> RankingDisplay:
        """Draw the scores, their intervals and letters.

        Parameters
        ----------
        ax : matplotlib Axes or array-like of Axes, default=None
            Where to draw, one axes for each metric; None makes a new figure.
        interval_kwargs : dict, default=None
            Keyword arguments of matplotlib's `Line2D` for the intervals, over our own.
        mark_kwargs : dict, default=None
            Keyword arguments of `Line2D` for the marks of the scores.

        Returns
        -------
        RankingDisplay
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
        looks = check_kwargs(self, interval_kwargs=interval_kwargs, mark_kwargs=mark_kwargs)
        rows = self.ranking.reset_index(drop=True)
        parts = rows_by_metric(rows, ["estimator"], rows["estimator"].notna())
        label = "score, better \N{RIGHTWARDS ARROW}"
        panels = [
            Panel(metric, [(one,) for one in part["estimator"]], label)
            for metric, part in parts.items()
        ]
        self.axes_ = row_axes(self, ax, panels)
        self.ax_, self.figure_ = self.axes_[0], self.axes_[0].figure
        self.marks_: list[Any] = [None] * len(rows)
        self.intervals_: list[Any] = [None] * len(rows)
        self.letters_: list[Any] = [None] * len(rows)
        for axis, part in zip(self.axes_, parts.values(), strict=True):
            self._draw(axis, part, looks)
        handles = self._handles(looks)
        self.legend_ = row_legend(self.axes_, handles, self._legend_title(), own=ax is None)
        return self

    def frame(self) -> pd.DataFrame:
        """Return the numbers that are drawn.

        Returns
        -------
        DataFrame
            Columns ``metric``, ``estimator`` and those of `ComparisonResult.ranking`.
        """
        return self.ranking.copy()

    def _draw(self, ax: Any, part: pd.DataFrame, looks: Looks) -> None:
        """Draw a panel: for each row the mark, the interval and the letters."""
        written, numbers = _in_columns(part["letters"]), part[["score", "low", "high"]]
        limits = shown_limits(numbers, [part["score"].max()], pairs=False)
        look = {"ha": "right", "va": "center", "family": "monospace", "fontsize": "small"}
        look |= {"color": ink(ax), "transform": ax.get_yaxis_transform()}
        for height, k in enumerate(part.index.tolist()):
            mark = mark_of(_LOOKS[_known(part.at[k, "could_be_best"])][0], ax)
            self.marks_[k], self.intervals_[k] = draw_estimate(
                ax, height, numbers.loc[k].to_numpy(), limits, mark, looks
            )
            if written[height]:
                self.letters_[k] = ax.text(1, height, written[height], **look)
        inches = ax.bbox.width / ax.figure.dpi
        share = min(_LETTER * max(map(len, written)) / inches, _WIDEST_SHARE)
        ax.set_xlim(limits[0], limits[1] + (limits[1] - limits[0]) * share / (1 - share))
        ax.locator_params(axis="x", nbins=5)
        ax.ticklabel_format(axis="x", useOffset=False)

    def _legend_title(self) -> str:
        """Say what the intervals are, what decides, and how many estimators are not drawn."""
        lines = []
        if self.ranking[["low", "high"]].notna().all(axis=1).any():
            level = format_percent(self.confidence_level)
            lines = [f"intervals of single scores ({level}) do not decide differences"]
        if self.ranking["letters"].notna().any():
            adjusted = f" (adjusted by {self.adjusted})" if self.adjusted else ""
            lines.append(f"with a letter in common: not shown to differ{adjusted}")
        if self.n_more:
            lines.append(f"and {counted(self.n_more, 'more estimator')} in result.ranking()")
        return "\n".join(lines)

    def _handles(self, looks: Looks) -> list[Any]:
        """Return a mark for each answer to whether an estimator could be the best."""
        found = {_known(value) for value in self.ranking["could_be_best"]}
        level = format_percent(self.confidence_level)
        return labelled(
            self.ax_,
            (
                (merged(mark_of(kind, self.ax_), looks["mark_kwargs"]), words.format(level=level))
                for best, (kind, words) in _LOOKS.items()
                if best in found
            ),
        )


def _adjusted(result: ComparisonResult | ScoreEstimates) -> str:
    if isinstance(result, ScoreEstimates):
        return ""
    adjusted = result.n_adjusted > 1 and result.adjustment != "none"
    return ADJUSTMENTS[result.adjustment].words if adjusted else ""


def _letters(result: Any) -> Any:
    """Return the letters of a result, best first; None if there are none."""
    try:
        return result.letters()["letters"]
    except (AttributeError, ValueError):
        return None


def _in_columns(letters: pd.Series) -> list[str]:
    """Return the letters to write: each in its column, or only the first if there are very many."""
    given = ["" if not isinstance(found, str) else found for found in letters]
    every = sorted(set("".join(given)), key=ascii_letters.index)
    if len(every) <= _MOST_LETTERS:
        return ["".join(one if one in found else _SPACE for one in every) for found in given]
    cut = [f"{found[: _MOST_LETTERS - 1]}\N{HORIZONTAL ELLIPSIS}" for found in given]
    return [
        one if len(found) > _MOST_LETTERS else found for one, found in zip(cut, given, strict=True)
    ]


def _known(could_be_best: Any) -> bool | None:
    return None if pd.isna(could_be_best) else bool(could_be_best)
