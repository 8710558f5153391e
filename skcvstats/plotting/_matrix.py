"""MatrixDisplay: who beats whom, a cell for each pair of estimators."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd

from .._utils._shared_arguments import alpha_of
from .._utils._text import counted, decimals_of, format_fixed, format_percent
from ..comparison import ComparisonResult
from ._display import (
    BLUE,
    VERMILION,
    Looks,
    Properties,
    adjusted_words,
    chosen,
    ink,
    labelled,
    subtracted,
    title_of,
)
from ._rows import GAP, MOST_LINES, Panel, RowDisplay

_MOST_WITH_NUMBERS = 12  # estimators
_FAINTEST = 0.15
_STRONGEST = 0.75
_MOST_TICKS = 20
_TICKS_APART = 5
_MARK = 2.5  # points
_BELOW = 0.3  # of a cell, from its middle to the mark below its number
_NUMBER: Any = {
    "textcoords": "offset points",
    "ha": "center",
    "va": "center",
    "fontsize": "x-small",
}
_NOT_SHOWN = ("not significant", "undetermined")


@dataclass(kw_only=True, eq=False, repr=False)
class MatrixDisplay(RowDisplay):
    """Who beats whom: the difference of each pair, shaded by its sign, marked if significant.

    A panel for each metric. A cell is the score of the estimator of its row minus that of its
    column, whose numbers are those of the rows, and of a loss the other way round, so that it is
    positive where the row is better; it is the darker the larger the difference is. The
    estimator that is best in the first metric is the first in all. Up to 12 estimators have their
    differences written. Make one with `from_result`.

    Parameters
    ----------
    comparisons : DataFrame
        A row for each metric and pair, with the columns ``metric``, ``estimator``, ``versus``,
        ``difference`` and ``outcome``. A pair that is missing has an empty cell.
    names : sequence of str
        The estimators, best first.
    confidence_level : float, default=0.95
        The outcomes are those at the level 1 minus it.
    adjusted : str, default=""
        In words, how p-values were adjusted, for the legend.
    {shared: n_more, legend}

    {Attributes: panels}
    cells_ : list of matplotlib QuadMesh
        The cells of each panel.
    marks_ : list of matplotlib Line2D
        The marks of significant differences of each panel, with ``mark_kwargs``.
    {shared: legend_}

    {See Also: ComparisonDisplay}
    RankingDisplay : The scores and their order.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcvstats import compare_estimators
    >>> from skcvstats.plotting import MatrixDisplay
    >>> X, y = load_iris(return_X_y=True)
    >>> models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    >>> display = MatrixDisplay.from_result(compare_estimators(models, X, y))
    >>> display.frame()[["estimator", "versus", "outcome"]].values.tolist()
    [['bayes', 'tree', 'not significant']]
    """

    comparisons: pd.DataFrame
    names: Any
    confidence_level: float = 0.95
    adjusted: str = ""
    n_more: int = 0

    @classmethod
    def from_result(
        cls,
        result: ComparisonResult,
        *,
        metric: str | None = None,
        confidence_level: float | None = None,
        top: int = 60,
        legend: bool | str = True,
    ) -> Self:
        """Take the pairs from a comparison.

        {Parameters: compared, metric to show}
        confidence_level : float, default=None
            1 minus it is the level of the marks. None is that of the result.
        top : int, default=60
            At most this number of estimators, the best in the first metric.
        {shared: legend}

        {Returns: display}

        Raises
        ------
        ValueError
            If the result has not all pairs, because the estimators were compared with a reference.
        """
        result = chosen(result, (ComparisonResult,), metric, top, confidence_level)
        if result.reference is not None:
            raise ValueError(
                f"The estimators were compared with {result.reference!r} only, so there is no "
                'matrix of all pairs. Compare without reference=, or use plot("differences").'
            )
        every = result[result.metrics[0]].ranking()["estimator"].tolist()
        names = every[:top]
        frame = result.to_frame()
        is_shown = frame["estimator"].isin(names) & frame["versus"].isin(names)
        columns = ["metric", "estimator", "versus", "difference", "outcome"]
        return cls(
            comparisons=frame.loc[is_shown, columns].reset_index(drop=True),
            names=names,
            confidence_level=result.confidence_level,
            adjusted=adjusted_words(result),
            n_more=len(every) - len(names),
            legend=legend,
        )

    def plot(
        self, ax: Any = None, *, legend: bool | str | None = None, mark_kwargs: Properties = None
    ) -> Self:
        """Draw a cell for each ordered pair, and mark the significant ones.

        {Plot: ax, mark_kwargs}
        """
        names: list[tuple[str, ...]] = list(zip(self.names, strict=True))
        parts: Any = dict(list(self.comparisons.groupby("metric", sort=False)))
        numbers = [f"  {k}" for k in range(1, len(names) + 1)]
        panels = [
            Panel(f"difference in {title_of(metric)}", names, _subtraction(metric), (), numbers)
            for metric in parts
        ]
        gap = float(np.clip(MOST_LINES / max(len(names), 1) - 1, 0, GAP))
        self.axes_, looks = self._begin_rows(ax, panels, legend, {"mark": mark_kwargs}, gap=gap)
        self.cells_: list[Any] = []
        self.marks_: list[Any] = []
        for axis, part in zip(self.axes_, parts.values(), strict=True):
            self._draw(axis, part, looks)
        self._add_matrix_legend(looks)
        return self

    def frame(self) -> pd.DataFrame:
        return self.comparisons.copy()

    def _draw(self, ax: Any, part: pd.DataFrame, looks: Looks) -> None:
        """Draw a panel: the cells, the marks and, of few estimators, the numbers."""
        n = len(self.names)
        names = pd.Index(self.names)
        first = names.get_indexer(part["estimator"])
        second = names.get_indexer(part["versus"])
        differences = np.full((n, n), np.nan)
        differences[first, second] = part["difference"]
        differences[second, first] = 0.0 - part["difference"]
        decimals = decimals_of(part["difference"])
        is_marked = np.zeros((n, n), dtype=bool)
        is_marked[first, second] = ~part["outcome"].isin(_NOT_SHOWN)
        is_marked |= is_marked.T
        self.cells_.append(ax.imshow(_colours(differences), aspect="auto"))
        rows, columns = np.nonzero(is_marked)
        look = looks.of("mark", color=ink(ax), marker="o", ms=_MARK, ls="")
        is_written = n <= _MOST_WITH_NUMBERS
        self.marks_ += ax.plot(columns, rows + _BELOW * is_written, **look)
        if is_written:
            for (row, column), difference in np.ndenumerate(differences):
                if np.isfinite(difference):
                    text = format_fixed(difference, decimals) if difference else "0"
                    ax.annotate(text, (column, row), (0, 3), **_NUMBER)
        ax.xaxis.grid(False)
        ax.xaxis.tick_top()
        numbers = np.arange(1, n + 1)
        if n > _MOST_TICKS:
            numbers = numbers[numbers % _TICKS_APART == 0]
        ax.set_xticks(numbers - 1, numbers)

    def _add_matrix_legend(self, looks: Looks) -> None:
        """Say what colours and marks are, and what is not drawn."""
        from matplotlib.patches import Patch

        handles = [
            Patch(color=BLUE, alpha=_STRONGEST, label="the row is better"),
            Patch(color=VERMILION, alpha=_STRONGEST, label="the column is better"),
        ]
        if not self.comparisons["outcome"].isin(_NOT_SHOWN).all():
            level = format_percent(alpha_of(self.confidence_level))
            mark = looks.of("mark", color=ink(self.ax_), marker="o", ms=_MARK, ls="")
            handles += labelled([(mark, f"significant ({level} level)")])
        said = [self.adjusted]
        if self.n_more:
            said.insert(0, f"{counted(self.n_more, 'more estimator')} in result.ranking()")
        self._add_legend(handles, looks, said)


def _subtraction(metric: str) -> str:
    return " minus ".join(subtracted(metric, ("row", "column")))


def _colours(differences: np.ndarray) -> np.ndarray:
    """Return the colour of each cell; one without a difference, or where it is 0, has none."""
    from matplotlib.colors import to_rgb

    size = np.abs(differences)
    largest = np.nanmax(size, initial=0)
    share = size / (largest or 1)
    share[size == 0] = np.nan
    colours = np.empty((*differences.shape, 4))
    colours[..., :3] = np.where(differences[..., np.newaxis] >= 0, to_rgb(BLUE), to_rgb(VERMILION))
    colours[..., 3] = np.nan_to_num(_FAINTEST + (_STRONGEST - _FAINTEST) * share)
    return colours
