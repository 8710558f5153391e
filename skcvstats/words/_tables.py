"""Tables of scores, differences and slices: their cells, as people read them."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .._utils._metrics import shown_as
from .._utils._text import (
    SMALLEST_PVALUE,
    cut,
    format_ends,
    format_number,
    format_percent,
    format_pvalue,
    is_constant,
)
from ..comparison import Comparison
from ..scores import CVScores, with_shown_ends
from ..stats import CVTestResult, Inference
from ._document import EMPTY, Cell, Table
from ._sentences import numbers_of, words_of_pair

MOST_ROWS = 10
_MOST_SHOWN = 12  # rows in a prompt


def ends_cell(low: float, high: float) -> Cell:
    """Return the ends of an interval; empty if there is none."""
    if np.isnan(low) or low == high:
        return EMPTY
    return Cell(format_ends(low, high, padded=True), (low, high))


def as_table(rows: Sequence[dict[Any, Cell]], n_names: int = 0) -> Table:
    """Return the table of cells by the heads of their columns, which rows may lack."""
    heads = dict.fromkeys(head for row in rows for head in row)
    cells = tuple(tuple(row.get(head, EMPTY) for head in heads) for row in rows)
    return Table(tuple(map("".join, heads)), cells, n_names)  # a head may be in a tuple


def number_cell(number: float) -> Cell:
    """Return a number with three digits."""
    return Cell(format_number(number, padded=True), (float(number),))


def pvalue_cell(pvalue: Any, smallest: float, error: float = 0.0) -> Cell:
    """Return a p-value; empty if there is none."""
    if np.isnan(pvalue):
        return EMPTY
    return Cell(format_pvalue(pvalue, smallest, error).removeprefix("= "), (float(pvalue),))


def as_read(ranked: Any, metric: str) -> Any:
    """Return a table of scores in a metric with the numbers as people read them."""
    read = shown_as(metric)
    low, high = read.ends(ranked["low"], ranked["high"])
    return ranked.assign(score=read.number(ranked["score"]), low=low, high=high)


def score_table(
    ranked: Any,
    level: float,
    *,
    head: str = "",
    most_rows: int = MOST_ROWS,
    smallest: float | None = None,
) -> tuple[Table, int]:
    """Return a table of scores, with p-values if told how small they can be, and what is left."""
    most_rows = len(ranked) if len(ranked) <= _MOST_SHOWN else most_rows
    rows = []
    for row in ranked[:most_rows].to_dict("records"):
        cells = {head: Cell(cut(str(row["estimator"]))), "score": number_cell(row["score"])}
        if ranked["low"].notna().any():
            cells[f"{format_percent(level)} interval"] = ends_cell(row["low"], row["high"])
        if smallest is not None:
            cells["p-value"] = EMPTY if is_constant(row) else pvalue_cell(row["pvalue"], smallest)
        if "could_be_best" in ranked and ranked["could_be_best"].notna().all():
            cells["could be best"] = Cell("yes" if row["could_be_best"] else "no")
        rows.append(cells)
    return as_table(rows, n_names=1), len(ranked) - len(rows)


def scores_only(sets: Mapping[str, CVScores]) -> Table:
    """Return the mean, the lowest and the highest score of each estimator, by metric, in order."""
    rows = []
    for metric, scores in sets.items():
        names = scores.labels or ("",)
        for name, values in zip(names, np.atleast_2d(scores.values), strict=True):
            read = shown_as(metric)
            cells = {"metric": Cell(cut(read.name))} if len(sets) > 1 else {}
            cells["estimator"] = Cell(cut(name))
            low, high = read.ends(values.min(), values.max())
            ends = {"mean": read.number(values.mean()), "lowest": low, "highest": high}
            rows.append(cells | {head: number_cell(end) for head, end in ends.items()})
    return as_table(rows, n_names=1 + (len(sets) > 1))


def difference_table(
    pairs: Sequence[Comparison], *, alone: bool = True, brief: bool = False
) -> Table:
    """Return a row for each difference; with both scores where each is alone in its metric."""
    rows, any_loss = [], any(shown_as(pair.metric).is_loss for pair in pairs)
    for pair in pairs:
        cells: dict[Any, Cell] = {}
        read = shown_as(pair.metric)
        first, second = map(number_cell, map(read.number, (pair.score, pair.score_versus)))
        if brief:  # the names are heads, and may be those of other columns
            cells = {"metric": Cell(read.name)} if len(pairs) > 1 else {}
            cells |= {(pair.estimator,): first, (pair.versus,): second}
        else:
            cells = {"estimator": Cell(cut(pair.estimator)), "versus": Cell(cut(pair.versus))}
        if alone and not brief:
            cells |= {"score": first, "score versus": second}
        cells["difference"] = number_cell(pair.test.estimate)
        if brief and len({each.estimator for each in pairs}) > 1:  # who is first differs
            cells["better score" if any_loss else "higher"] = Cell(cut(pair.estimator))
        by, evidence = numbers_of(pair), {}
        for ends, level in by.intervals[: 1 if by.unadjusted else None]:  # else p-values decide
            head = f"{by.unadjusted}{format_percent(level)} interval"
            evidence[head] = Cell(format_ends(*ends, padded=True, apart=by.apart), ends)
        for what, pvalue, error in by.pvalues:
            head = "adjusted p" if pair.adjusted else "p-value"
            head = "p difference" if pair.margin else head
            cell = pvalue_cell(pvalue, by.smallest, error)
            if what and alone:
                head = f"p {what}"
            elif what:  # each row has its own question
                head, cell = "p margin", cell._replace(text=f"{cell.text} ({what})")
            evidence[head] = cell
        if pair.test.undetermined:  # limits of p and the interval are no evidence
            evidence = dict.fromkeys(evidence, EMPTY)
        cells |= evidence
        if not alone and isinstance(pair.test, CVTestResult):
            cells["shown"] = _shown(pair)
        rows.append(cells)
    return as_table(rows, n_names=2 if not brief else int(len(pairs) > 1))


def _shown(pair: Comparison) -> Cell:
    null, kind = getattr(pair.test, "null_value", 0), pair.claim.kind
    if kind == "not shown":
        return EMPTY
    if null != 0 and kind in ("above", "below"):  # above it is not yet better
        return Cell(f"{kind} {format_number(null)}")
    return Cell(words_of_pair(pair).short)


def slice_table(frame: Any, level: float) -> tuple[Table, int]:
    """Return a table of differences in slices, and how many rows are left."""
    head = f"{format_percent(level)} interval"
    rows = []
    for row in frame[:_MOST_SHOWN].to_dict("records"):
        ends = row["low"], row["high"]
        cells = {
            "pair": Cell(f"{cut(row['estimator'])} - {cut(row['versus'])}"),
            "slice": Cell(cut(row["slice"])),
            "rows": Cell(str(row["n_test"])),
            "difference": number_cell(row["difference"]),
            head: Cell(format_ends(*ends, padded=True), ends) if ends[0] < ends[1] else EMPTY,
            "adjusted p": pvalue_cell(row["pvalue_adjusted"], SMALLEST_PVALUE),
        }
        rows.append(cells)
    return as_table(rows, n_names=2), len(frame) - len(rows)


def test_table(test: Inference, most_rows: int) -> Table:
    """Return the first tests of an array, without numbers that are no evidence."""
    frame = with_shown_ends(test.to_frame()[:most_rows], test.scores)
    frame = frame.drop(columns="n_splits", errors="ignore")  # one number, which the title says
    undetermined = np.broadcast_to(np.ravel(test.undetermined)[:most_rows], len(frame))
    frame.loc[undetermined, ["low", "high", "statistic", "pvalue"]] = np.nan
    if not test.asked:
        frame = frame.drop(columns=["statistic", "df", "pvalue"])
    rows = [
        {str(name): _plain_cell(str(name), value) for name, value in row.items()}
        for row in frame.to_dict("records")
    ]
    return as_table(rows, n_names=sum(isinstance(value, str) for value in frame.iloc[0]))


def _plain_cell(name: str, value: Any) -> Cell:
    if isinstance(value, float) and np.isnan(value):
        return EMPTY
    if name == "pvalue":
        return pvalue_cell(value, SMALLEST_PVALUE)
    if name == "df":
        return Cell(f"{value:g}")
    return number_cell(value) if isinstance(value, float) else Cell(str(value))
