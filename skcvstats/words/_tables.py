"""The rows of tables: the scores of estimators, and the differences of pairs."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from .._utils._checks import alpha_of
from .._utils._text import cut, format_ends, format_number, format_percent, format_pvalue
from ..comparison import Comparison, ComparisonResult, ScoreEstimates, is_constant
from ..scores import CVScores, shown_ends
from ._document import EMPTY, Cell, Table
from ._sentences import asked_of_margin, ends_to_tell, error_of, has_margin_interval

# A prompt shows at most this many rows.
_MOST_ROWS = 12
ROWS_OF_MANY = 10


def number_cell(number: float) -> Cell:
    """Return a number with three digits."""
    return Cell(format_number(number, padded=True), (float(number),))


def pvalue_cell(pvalue: Any, smallest: float, error: float = 0.0) -> Cell:
    """Return a p-value; empty if there is none."""
    if np.isnan(pvalue):
        return EMPTY
    return Cell(format_pvalue(pvalue, smallest, error).removeprefix("= "), (float(pvalue),))


def interval_cell(low: float, high: float, apart: tuple[float, ...] = ()) -> Cell:
    """Return the ends of an interval, on the side of other numbers on which they are."""
    return Cell(format_ends(low, high, padded=True, apart=apart), (float(low), float(high)))


def interval_head(level: float) -> str:
    """Return the head of a column of intervals."""
    return f"{format_percent(level)} interval"


def score_table(
    ranked: Any,
    level: float,
    *,
    head: str = "",
    most_rows: int = ROWS_OF_MANY,
    smallest: float | None = None,
) -> tuple[Table, int]:
    """Return a table of scores, with p-values if told how small they can be, and what is left."""
    most_rows = len(ranked) if len(ranked) <= _MOST_ROWS else most_rows
    rows = []
    for row in ranked[:most_rows].to_dict("records"):
        cells = {head: Cell(cut(str(row["estimator"]))), "score": number_cell(row["score"])}
        if ranked["low"].notna().any():
            cells[interval_head(level)] = (
                EMPTY if row["low"] == row["high"] else interval_cell(row["low"], row["high"])
            )
        if smallest is not None:
            cells["p-value"] = EMPTY if is_constant(row) else pvalue_cell(row["pvalue"], smallest)
        if "could_be_best" in ranked and ranked["could_be_best"].notna().all():
            cells["could be best"] = Cell("yes" if row["could_be_best"] else "no")
        rows.append(cells)
    return Table.of(rows, n_names=1), len(ranked) - len(rows)


def scores_of(result: Any) -> dict[str, CVScores]:
    """Return the scores behind a result, by metric."""
    if isinstance(result, ComparisonResult):
        return dict(result.scores_by_metric)
    tests = result.inferences if isinstance(result, ScoreEstimates) else {result.metric: result}
    return {metric: of.scores for metric, of in tests.items() if of.scores is not None}


def scores_only(sets: Mapping[str, CVScores]) -> Table:
    """Return the mean, the lowest and the highest score of each estimator, by metric, in order."""
    rows = []
    for metric, scores in sets.items():
        names = scores.labels or ("",)
        for name, values in zip(names, np.atleast_2d(scores.values), strict=True):
            cells = {"metric": Cell(cut(metric))} if len(sets) > 1 else {}
            cells["estimator"] = Cell(cut(name))
            ends = {"mean": values.mean(), "lowest": values.min(), "highest": values.max()}
            rows.append(cells | {head: number_cell(end) for head, end in ends.items()})
    return Table.of(rows, n_names=1 + (len(sets) > 1))


def difference_cells(comparison: Comparison, *, alone: bool) -> dict[str, Cell]:
    """Return the cells of a difference by the heads of their columns."""
    test, level = comparison.test, comparison.confidence_level
    smallest, own = test.describe().smallest_pvalue, comparison.has_own_interval
    apart = ends_to_tell(comparison)
    evidence = {}
    if test.has_interval:
        head = f"{'unadjusted ' if own else ''}{interval_head(level)}"
        ends = shown_ends(test.scores, *comparison.confidence_interval())
        evidence[head] = interval_cell(*ends, apart)
        if has_margin_interval(comparison) and not own:  # else p-values decide
            ends = shown_ends(test.scores, *comparison.margin_interval())
            evidence[interval_head(1 - 2 * alpha_of(level))] = interval_cell(*ends, apart)
    head = "adjusted p" if comparison.adjusted else "p-value"
    head = head if comparison.margin_pvalues is None else "p difference"
    error = comparison.pvalue_error
    evidence[head] = pvalue_cell(comparison.pvalue_adjusted, smallest, error)
    if comparison.margin_pvalues is not None:
        what, pvalue = asked_of_margin(comparison)
        cell = pvalue_cell(pvalue, smallest, error_of(comparison, pvalue))
        if alone:
            evidence[f"p {what}"] = cell
        else:  # each row has its own question
            evidence["p margin"] = cell._replace(text=f"{cell.text} ({what})")
    if test.undetermined:  # limits of p and the interval are no evidence
        evidence = dict.fromkeys(evidence, EMPTY)
    return {"difference": number_cell(test.estimate), **evidence}
