"""RankingDisplay: estimators by their scores, best first."""

from dataclasses import dataclass
from typing import Any, Self

import pandas as pd

from .._utils._checks import check_flag
from .._utils._metrics import shown_as
from .._utils._text import counted, format_percent
from ..comparison import ComparisonResult, ScoreEstimates
from ..scores import with_shown_ends
from ..stats import ADJUSTMENTS
from ._display import LEFT, Looks, Properties, chosen, ink, labelled, mark_of, read_as, title_of
from ._rows import Panel, RowDisplay, draw_estimate, first_rows, shown_limits, written_numbers

_MOST_WITH_LETTERS = 12  # estimators
_LETTER = 0.025  # share of the axis that a letter takes
_BEFORE_FIRST_RANK = 0.5
# By whether an estimator could be the best (None: not known): the outcome whose mark it has,
# and what the legend says.
_LOOKS = {
    True: ("higher", "could be the best ({level})"),
    False: ("not significant", "not in that set{sides}"),
    None: ("higher", "score"),
}


@dataclass(kw_only=True, eq=False, repr=False)
class RankingDisplay(RowDisplay):
    """The scores of estimators with their intervals, best first; filled: could be the best.

    A panel for each metric; the estimator that is best in the first metric is on top in all. The
    intervals are those of single scores, and end where the metric does; `ComparisonDisplay` shows
    those of the differences, and ``from_result(..., letters=True)`` sums them up in letters,
    ``ranks=True`` in intervals of ranks, which are drawn instead of the scores. Values so far away
    that the others could not be read are arrows at the end of the axis, with their number. Make one
    with `from_result`.

    Parameters
    ----------
    ranking : DataFrame
        One row for each metric and estimator, the best of a metric first, with the columns
        ``metric``, ``estimator``, ``score``, ``low``, ``high``, ``letters`` and ``could_be_best``.
        Where the ends are NaN there is no interval; letters and ``could_be_best`` may be missing.
        With `ranks` also ``rank``, ``rank_low`` and ``rank_high``.
    confidence_level : float, default=0.95
        Of the intervals and of the set of those that could be the best.
    adjusted : str, default=""
        In words, the method that adjusts what decides about letters and ranks, for the legend.
    {shared: n_more}
    ranks : bool, default=False
        Whether to draw ranks, not scores.
    {shared: legend}

    {Attributes: panels}
    marks_ : list of matplotlib Line2D
        The score of each row of `frame`, with ``mark_kwargs``.
    {shared: intervals_}
    letters_ : list of matplotlib Text or None
        The letters of each row; None where there are none.
    {shared: legend_}

    {See Also: ComparisonDisplay}
    ComparisonResult.ranking : The numbers.

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
    >>> display.frame()["estimator"].tolist()
    ['bayes', 'tree']
    """

    ranking: pd.DataFrame
    confidence_level: float = 0.95
    adjusted: str = ""
    n_more: int = 0
    ranks: bool = False

    @classmethod
    def from_result(
        cls,
        result: ComparisonResult | ScoreEstimates,
        *,
        metric: str | None = None,
        confidence_level: float | None = None,
        top: int = 20,
        letters: bool = False,
        ranks: bool = False,
        legend: bool | str = True,
    ) -> Self:
        """Take the ranking from a comparison, or from estimates of several scores.

        Parameters
        ----------
        result : ComparisonResult or ScoreEstimates
            What `compare_estimators`, `compare_scores` or, of several, `cross_val_inference` gave.
        {shared: metric to show}
        confidence_level : float, default=None
            Of intervals, letters and the set of the best; above 0.5. None is that of the result.
        top : int, default=20
            At most this number of estimators: those that are ranked highest in any of the metrics.
            Metrics with estimators of their own stand below each other and share the number.
        letters : bool, default=False
            Whether to write letters at the right: estimators without a common one differ
            significantly. They are another method than the set of the best.
        ranks : bool, default=False
            Whether to draw the rank of each estimator instead of its score, and the interval of its
            rank: see `ComparisonResult.ranking`.
        {shared: legend}

        {Returns: display}

        Raises
        ------
        ValueError
            If there are no letters, or no intervals of ranks, and they were asked for.
        """
        paired = check_flag("letters", letters) | check_flag("ranks", ranks)
        kinds = (ComparisonResult,) if paired else (ComparisonResult, ScoreEstimates)
        shown: Any = chosen(result, kinds, metric, top, confidence_level)
        parts = []
        for name in shown.metrics:
            part = with_shown_ends(shown[name].ranking(), shown.scores_by_metric[name])
            part.insert(0, "metric", name)
            if letters:
                part["letters"] = shown[name].letters()["letters"]
            if ranks:
                if "rank_low" not in part:
                    raise ValueError(
                        f"There are no intervals of ranks in {name!r}: they need two-sided "
                        "differences of all pairs, adjusted by max-t, Holm, Hochberg or "
                        "Bonferroni. Leave reference and top out, or draw scores."
                    )
                part["rank"] = part["score"].rank(ascending=False, method="min")
            parts.append(part)
        every = pd.concat(parts, ignore_index=True)
        ranking = first_rows(every, ["estimator"], top, by="min").reset_index(drop=True)
        adjusted = ""
        if paired and shown.n_adjusted > 1:
            adjusted = ADJUSTMENTS[shown.adjustment].words
        return cls(
            ranking=ranking,
            confidence_level=shown.confidence_level,
            adjusted=adjusted,
            n_more=every["estimator"].nunique() - ranking["estimator"].nunique(),
            ranks=ranks,
            legend=legend,
        )

    def plot(
        self,
        ax: Any = None,
        *,
        legend: bool | str | None = None,
        interval_kwargs: Properties = None,
        mark_kwargs: Properties = None,
    ) -> Self:
        """Draw the scores or ranks, their intervals and, where there are such, letters.

        {Plot: ax, interval_kwargs, mark_kwargs}
        """
        rows = self.ranking.reset_index(drop=True)
        rows["letters"] = rows.get("letters")
        parts = self._by_metric(rows, rows["estimator"].notna())
        panels = [self._panel(metric, part) for metric, part in parts.items()]
        how = {"interval": interval_kwargs, "mark": mark_kwargs}
        self.axes_, looks = self._begin_rows(ax, panels, legend, how)
        self.marks_: list[Any] = [None] * len(rows)
        self.intervals_: list[Any] = [None] * len(rows)
        self.letters_: list[Any] = [None] * len(rows)
        for axis, (metric, part) in zip(self.axes_, parts.items(), strict=True):
            read = float if self.ranks else read_as(axis.xaxis, metric).number
            self._draw(axis, part, looks, read)
            axis.locator_params(axis="x", integer=self.ranks)
        self._add_ranking_legend(looks)
        return self

    def frame(self) -> pd.DataFrame:
        return self.ranking.copy()

    def _panel(self, metric: str, part: pd.DataFrame) -> Panel:
        """Return the names of a panel's rows, with scores and intervals in numbers."""
        names = self._names(part)
        if self.ranks:
            return Panel(title_of(metric), names, f"{LEFT} better, rank")
        numbers = written_numbers(part, "score", shown_as(metric).number)
        return Panel.of_scores(metric, names, numbers)

    def _draw(self, ax: Any, part: pd.DataFrame, looks: Looks, read: Any) -> None:
        """Draw a panel: for each row the mark, the interval and the letters."""
        columns = ["score", "low", "high"]
        if self.ranks:
            columns = ["rank", "rank_low", "rank_high"]
        numbers = part[columns]
        low, high = shown_limits(numbers, [part[columns[0]].max()], pairs=False)
        if self.ranks:
            low = max(low, _BEFORE_FIRST_RANK)
        letters = [""] * len(part)
        if len(part) <= _MOST_WITH_LETTERS:
            letters = part["letters"].astype(object).fillna("").tolist()
        ax.set_xlim(low, high + _LETTER * (high - low) * max(map(len, letters), default=0))
        look = {"ha": "right", "va": "center", "family": "monospace", "fontsize": "small"}
        look |= {"color": ink(ax), "transform": ax.get_yaxis_transform()}
        for height, k in enumerate(part.index.tolist()):
            mark = mark_of(_LOOKS[_known(part.at[k, "could_be_best"])][0], ax)
            row = numbers.loc[k].to_numpy()
            self.marks_[k], self.intervals_[k] = draw_estimate(ax, height, row, mark, looks, read)
            if letters[height]:
                self.letters_[k] = ax.text(1, height, letters[height], **look)

    def _add_ranking_legend(self, looks: Looks) -> None:
        """Say what marks and intervals are, what is not drawn, and what decides."""
        level = format_percent(self.confidence_level)
        said = []
        more = []
        if any(self.letters_):
            said.append("with a letter in common: no significant difference")
        elif self.ranking.get("letters") is not None:
            more.append('letters of so many are in result.letters(); plot("matrix") draws them')
        if self.n_more:
            said.append(f"{counted(self.n_more, 'more estimator')} in result.ranking()")
        if self.ranks:
            said.append(f"intervals of all ranks hold together ({level})")
        elif self.ranking[["low", "high"]].notna().all(axis=1).any():
            said.append(f"{level} intervals of scores, not differences")
        if self.adjusted:
            more.append(f"letters and ranks are adjusted by {self.adjusted}")
        found = set(map(_known, self.ranking["could_be_best"]))
        n = self.ranking["estimator"].nunique() + self.n_more  # two have a two-sided test
        about = {"level": level, "sides": "" if n == 2 else " (one-sided tests)"}
        handles = labelled(
            (looks.of("mark", **mark_of(kind, self.ax_)), words.format(**about))
            for best, (kind, words) in _LOOKS.items()
            if best in found
        )
        self._add_legend(handles, looks, said, more)


def _known(could_be_best: Any) -> bool | None:
    return None if pd.isna(could_be_best) else bool(could_be_best)
