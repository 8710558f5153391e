"""The ranking of a report: a row for each estimator, and its picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .._utils._text import counted
from ..comparison import ranking_table
from ._document import Picture, Section, Table
from ._findings import Findings


def ranking(findings: Findings, level: int, most_rows: int) -> Section:
    """Rank the estimators of a metric."""
    ranked = findings.ranking
    columns, rows, left = ranking_table(findings.result, ranked, most_rows)
    listed = ranked[: len(rows)]
    legend = []
    if ranked["letters"].notna().all():
        legend.append("Estimators that share a letter are not shown to differ.")
    if ranked["low"].notna().any():
        legend.append("Overlap of these intervals does not show whether estimators differ.")
    words = f"The {findings.metric} of {counted(len(ranked), 'estimator')}, best first."
    return Section(
        title="Ranking",
        level=level,
        table=Table(
            columns=("estimator", *columns[1:]),
            rows=tuple(map(tuple, rows)),
            n_names=1,
            numbers=tuple(tuple(_numbers(row, columns)) for _, row in listed.iterrows()),
        ),
        picture=Picture("ranking", findings.metric, words, " ".join(legend)),
        paragraphs=tuple(f"{line[0].upper()}{line[1:]}." for line in left),
    )


def _numbers(row: Any, columns: Sequence[str]) -> Iterator[tuple[float, ...] | None]:
    """Yield the numbers of the cells of a row with all digits; None for words."""
    for head in columns:
        if head == "score":
            yield (row["score"],)
        elif head.endswith("interval"):
            yield (row["low"], row["high"]) if row["low"] != row["high"] else ()
        else:
            yield None
