"""ComparisonDisplay: the differences of a comparison with their intervals."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
import pandas as pd

from .._utils._checks import check_option
from .._utils._shared_arguments import alpha_of
from .._utils._text import counted, first_of, format_ends, format_percent
from ..comparison import ComparisonResult
from ..scores import with_shown_ends
from ..stats import KINDS, OUTCOMES
from ._display import (
    GREY,
    LEFT,
    MARKS,
    RIGHT,
    Looks,
    Properties,
    adjusted_words,
    better_words,
    chosen,
    ink,
    labelled,
    mark_of,
    title_of,
)
from ._rows import (
    Panel,
    RowDisplay,
    draw_estimate,
    draw_interval,
    first_rows,
    shown_limits,
    written_numbers,
)

_MOST = 3  # names of what is not drawn
_MARGIN = ["margin_low", "margin_high"]  # columns
# By the part of a column's name after ``low_`` and ``high_``: how this further interval is drawn,
# how far below the row (in rows), and its text in the legend.
_FURTHER: dict[str, tuple[dict[str, Any], float, str]] = {
    "margin": ({"lw": 4.5, "alpha": 0.4, "zorder": 1.9}, 0.0, "thick: decides on the margin"),
    "unadjusted": ({"lw": 0.8, "zorder": 1.9}, 0.2, "thin: not adjusted"),
}


@dataclass(kw_only=True, eq=False, repr=False)
class ComparisonDisplay(RowDisplay):
    """Differences of expected scores, each with its interval, against the null line.

    A panel for each metric, whose numbers stand beside the rows. A difference is the first
    estimator's score minus the second's; the names of a row of a loss are in the order in which the
    losses are subtracted. Filled marks are significant, with the adjusted p-values, at the level
    1 - `confidence_level`. Where intervals are adjusted too, the thin ones below the row are
    unadjusted, and do not decide. With a margin, the interval that decides on it is thick where it
    is another one. Intervals end where the metric does. Values so far away that the others could
    not be read are arrows at the end of the axis, with their number. Make one with `from_result`.

    Parameters
    ----------
    comparisons : DataFrame
        One row for each comparison, with the columns ``metric``, ``estimator``, ``versus``,
        ``difference``, ``low``, ``high`` and ``outcome``. An infinite end is drawn as an arrow;
        where the ends are NaN the mark has no interval. A comparison whose difference is NaN is
        not drawn; the legend counts these, and names them in full. ``low_unadjusted`` and
        ``high_unadjusted``, ``low_margin`` and ``high_margin``, where there are such columns, are
        the ends of further intervals, drawn where they differ from ``low`` and ``high``.
    null_value : float, default=0.0
        The value under test.
    confidence_level : float, default=0.95
        Of the intervals; the outcomes are those at the level 1 minus it.
    reference : str or None, default=None
        The estimator that the others are compared with, or None for pairs.
    adjusted : str, default=""
        In words, how p-values were adjusted, for the legend.
    words : dict of str to str, default={}
        By outcome, as in the column ``outcome``, what the legend says of it. Kinds that are left
        out have words of their own.
    margin : pair of float, default=None
        The differences that do not matter, which are shaded; an end may be infinite.
    {shared: n_more, legend}

    {Attributes: panels}
    marks_ : list of matplotlib Line2D or None
        The mark of each row of `frame`, with ``mark_kwargs``; None if its difference is NaN.
    {shared: intervals_}
    further_ : list of dict
        For each row its further intervals, Line2D by ``"margin"`` and ``"unadjusted"``.
    null_lines_ : list of matplotlib Line2D
        The null value in each panel, with ``line_kwargs``.
    margins_ : list of matplotlib Rectangle or BarContainer
        The margin in each panel, if there is one; of each row if some are turned.
    {shared: legend_}

    See Also
    --------
    RankingDisplay : The scores and their order.
    PairedScoresDisplay : The scores behind the differences.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcvstats import compare_estimators
    >>> from skcvstats.plotting import ComparisonDisplay
    >>> X, y = load_iris(return_X_y=True)
    >>> models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    >>> display = ComparisonDisplay.from_result(compare_estimators(models, X, y))
    >>> display.frame()[["estimator", "versus", "outcome"]].values.tolist()
    [['bayes', 'tree', 'not significant']]
    """

    comparisons: pd.DataFrame
    null_value: float = 0.0
    confidence_level: float = 0.95
    reference: str | None = None
    adjusted: str = ""
    words: Mapping[str, str] = field(default_factory=dict)
    margin: tuple[float, float] | None = None
    n_more: int = 0

    @classmethod
    def from_result(
        cls,
        result: ComparisonResult,
        *,
        metric: str | None = None,
        confidence_level: float | None = None,
        top: int = 20,
        legend: bool | str = True,
    ) -> Self:
        """Take the differences from a comparison.

        {Parameters: compared, metric to show}
        confidence_level : float, default=None
            Of the intervals, and 1 minus it the level of filled marks. None is that of the result.
        top : int, default=20
            At most this number of comparisons in a panel, the first of ``result.to_frame()``: with
            a reference those of the best estimators, of many pairs those of the best estimator with
            the next ones, from which it is hardest to tell; the same in all metrics. Metrics with
            comparisons of their own stand below each other and share the number.
        {shared: legend}

        {Returns: display}
        """
        result = chosen(result, (ComparisonResult,), metric, top, confidence_level)
        null_value = result.tests[0].null_value
        every = result.to_frame(full=True)
        frame = first_rows(every, ["estimator", "versus"], top, by="first")
        columns = ["metric", "estimator", "versus", "difference", "low", "high"]
        columns += ["low_margin", "high_margin", "low_unadjusted", "high_unadjusted", "outcome"]
        frame = frame.filter(columns)  # those that there are
        parts = frame.groupby("metric", sort=False)
        tests: Any = result.tests_by_metric
        frame = pd.concat([with_shown_ends(part, tests[m].inference.scores) for m, part in parts])
        pairs = [result[int(k)] for k in frame.index]
        margins = [pair.margin for pair in pairs]
        margin = margins[0]
        if len(set(margins)) > 1:  # turned with their pairs
            frame[_MARGIN], margin = margins, result.margin
        briefs = better_words((pair.claim.brief for pair in pairs), result.metrics)
        versus = set(frame["versus"])
        return cls(
            comparisons=frame.reset_index(drop=True),
            null_value=null_value,
            confidence_level=result.confidence_level,
            reference=versus.pop() if result.reference is not None and len(versus) == 1 else None,
            adjusted=adjusted_words(result),
            words=dict(zip(frame["outcome"], briefs, strict=True)),
            legend=legend,
            margin=margin,
            n_more=len(every) - len(frame),
        )

    def plot(
        self,
        ax: Any = None,
        *,
        legend: bool | str | None = None,
        interval_kwargs: Properties = None,
        line_kwargs: Properties = None,
        mark_kwargs: Properties = None,
    ) -> Self:
        """Draw the differences, their intervals and the null line.

        {Plot: ax, interval_kwargs, line_kwargs, mark_kwargs}
        """
        rows = self.comparisons.reset_index(drop=True)
        for kind in rows["outcome"].unique():
            check_option("outcome", kind, MARKS)
        parts = self._by_metric(rows, np.isfinite(rows["difference"]))
        panels = [self._panel(metric, part) for metric, part in parts.items()]
        how = {"interval": interval_kwargs, "line": line_kwargs, "mark": mark_kwargs}
        self.axes_, looks = self._begin_rows(ax, panels, legend, how)
        self.marks_: list[Any] = [None] * len(rows)
        self.intervals_: list[Any] = [None] * len(rows)
        self.further_: list[dict[str, Any]] = [{} for _ in range(len(rows))]
        self.null_lines_: list[Any] = []
        self.margins_: list[Any] = []
        for axis, part in zip(self.axes_, parts.values(), strict=True):
            self._draw(axis, part, looks)
        self._add_comparison_legend(looks)
        return self

    def frame(self) -> pd.DataFrame:
        return self.comparisons.copy()

    def _columns(self) -> list[str]:
        return ["estimator", "versus"] if self.reference is None else ["estimator"]

    def _panel(self, metric: str, part: pd.DataFrame) -> Panel:
        """Return the names of a panel's rows, and who is better to the left and to the right."""
        names = self._names(part)
        numbers = written_numbers(part, "difference")
        if self.reference is not None:
            names = [(self.reference,), *names]
            title = f"difference in {title_of(metric)}"
            sides = f"{LEFT} worse   better {RIGHT}"
            return Panel(title, names, sides, ["", *numbers], [" (reference)"])
        return Panel.of_differences(metric, names, numbers)

    def _draw(self, ax: Any, part: pd.DataFrame, looks: Looks) -> None:
        margins = part.get(_MARGIN, pd.DataFrame([self.margin or ()])).to_numpy(dtype=float)
        anchors = [0.0, self.null_value, *margins[np.isfinite(margins)]]
        ends = part[["difference", "low", "high"]].to_numpy(dtype=float)
        limits = shown_limits(ends, anchors, pairs=self.reference is None)
        ax.set_xlim(limits)
        if self.margin is not None:
            look: dict[str, Any] = {"color": GREY, "alpha": 0.25, "lw": 0, "zorder": 0}
            look["label"] = f"margin: {format_ends(*self.margin)}"
            left, right = np.clip(margins, *limits).T
            if len(left) == 1:
                self.margins_.append(ax.axvspan(left[0], right[0], **look))
            else:
                look["label"] += ", turned with its pair"
                self.margins_.append(ax.barh(range(len(left)), right - left, 1, left, **look))
        look = looks.of("line", color=ink(ax), lw=1)
        self.null_lines_.append(ax.axvline(self.null_value, **look))
        if self.reference is not None:
            ax.plot(0, 0, "D", color=ink(ax), ms=5, zorder=3)
        names = zip(part.index.tolist(), ends, strict=True)
        for height, (k, numbers) in enumerate(names, start=self.reference is not None):
            row = part.loc[k]
            mark = mark_of(row["outcome"], ax)
            self.marks_[k], self.intervals_[k] = draw_estimate(ax, height, numbers, mark, looks)
            for which in _further(row):
                pair = row[f"low_{which}"], row[f"high_{which}"]
                look, below, _ = _FURTHER[which]
                look = {**look, "color": mark["color"], "solid_capstyle": "butt"}
                self.further_[k][which] = draw_interval(ax, height + below, pair, look)

    def _add_comparison_legend(self, looks: Looks) -> None:
        """Say what marks and intervals are, what is adjusted, and what is not drawn."""
        rows = self.comparisons
        ax = self.ax_
        level = self.confidence_level
        said = []
        more = []
        if self.n_more:
            said.append(f"{counted(self.n_more, 'more comparison')} in result.to_frame()")
        drawn = np.isfinite(rows["difference"])
        if not drawn.all():
            pairs = dict.fromkeys(self._names(rows[~drawn]))  # once for all metrics
            names = list(map(" \N{MINUS SIGN} ".join, pairs))
            said.append(f"{counted(len(pairs), 'comparison')} without an estimate")
            more.append(f"without an estimate: {first_of(names, _MOST)}")
        marks = f"marks: {format_percent(alpha_of(level))} level"
        if self.adjusted:
            marks = f"{marks} (adjusted)"
            more.append(self.adjusted)
        said.append(marks)
        if rows[["low", "high"]].notna().all(axis=1).any():
            said.append(f"intervals: {format_percent(level)} confidence")
        legends = better_words((kind.legend for kind in KINDS.values()), rows["metric"])
        words = dict(zip(OUTCOMES.values(), legends, strict=True)) | dict(self.words)
        outcomes = set(rows["outcome"][drawn])
        styles = [
            (looks.of("mark", **mark_of(kind, ax)), words[kind])
            for kind in sorted(outcomes, key=list(MARKS).index)
        ]
        if self.null_value != 0:
            line = looks.of("line", color=ink(ax), lw=1)
            styles.append((line, f"null value {self.null_value:g}"))
        found = set().union(*self.further_)
        further = [
            ({**_FURTHER[which][0], "color": GREY}, _FURTHER[which][2])
            for which in _FURTHER
            if which in found
        ]
        handles = labelled([*styles, *further]) + self.margins_[:1]
        self._add_legend(handles, looks, said, more)


def _further(row: pd.Series) -> list[str]:
    """Return the further intervals of a row that differ from ``low`` and ``high``."""
    ends = row[["low", "high"]].to_numpy(dtype=float)
    found = []
    for which in _FURTHER:
        others = row.reindex([f"low_{which}", f"high_{which}"]).to_numpy(dtype=float)
        if ((others < ends) | (others > ends)).any():  # not where one is unknown
            found.append(which)
    return found
