"""The ranking of a report: a row for each estimator, and its picture."""

from __future__ import annotations

from .._utils import counted
from ..comparison import ranking_table
from ._document import Picture, Section, Table
from ._findings import Findings


def ranking(findings: Findings, level: int) -> Section:
    """Rank the estimators of a metric.

    Parameters
    ----------
    findings : Findings
        Of the metric.
    level : int
        Of the heading.
    """
    ranked = findings.ranking
    columns, rows, left = ranking_table(findings.result, ranked)
    legend = []
    if ranked["letters"].notna().all():
        legend.append("Estimators that share a letter are not shown to differ.")
    if ranked["low"].notna().any():
        legend.append("Whether two of these intervals overlap decides nothing.")
    words = f"The {findings.metric} of {counted(len(ranked), 'estimator')}, best first."
    return Section(
        title="Ranking",
        level=level,
        table=Table(("estimator", *columns[1:]), tuple(map(tuple, rows)), n_names=1),
        picture=Picture("ranking", findings.metric, words, " ".join(legend)),
        paragraphs=tuple(f"{line[0].upper()}{line[1:]}." for line in left),
    )
