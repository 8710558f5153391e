"""The ranking of a report: a row for each estimator, and its picture."""

from __future__ import annotations

from typing import Any

import pandas as pd

from .._utils import counted, format_ends, format_number, format_percent
from ._document import Paragraph, Picture, Section, Table
from ._findings import Findings

MOST_ROWS = 20
NONE = "\N{EN DASH}"


def ranking(findings: Findings, level: int) -> Section:
    """Rank the estimators of a metric.

    Parameters
    ----------
    findings : Findings
        Of the metric.
    level : int
        Of the heading.
    """
    rows = findings.ranking
    shown = rows.head(MOST_ROWS)
    has = {name: bool(rows[name].notna().any()) for name in ("low", "letters", "could_be_best")}
    interval = f"{format_percent(findings.result.confidence_level)} interval"
    heads = {"low": interval, "letters": "letters", "could_be_best": "could be the best"}
    columns = ("estimator", "score", *(heads[name] for name, there in has.items() if there))
    cells = tuple(_cells(row, has) for row in shown.to_dict("records"))
    return Section(
        title="Ranking",
        level=level,
        table=Table(columns=columns, rows=cells, n_names=1),
        picture=Picture("ranking", findings.metric, _words(findings)),
        paragraphs=tuple(_below(has, len(rows) - len(shown))),
    )


def _cells(row: dict[Any, Any], has: dict[str, bool]) -> tuple[str, ...]:
    cells = [str(row["estimator"]), format_number(row["score"], padded=True)]
    if has["low"]:
        sure = row["standard_error"] > 0
        cells.append(format_ends(row["low"], row["high"], padded=True) if sure else NONE)
    if has["letters"]:
        cells.append(row["letters"] if isinstance(row["letters"], str) else NONE)
    if has["could_be_best"]:
        known = not pd.isna(row["could_be_best"])
        cells.append(("yes" if row["could_be_best"] else "no") if known else NONE)
    return tuple(cells)


def _below(has: dict[str, bool], n_more: int) -> list[Paragraph]:
    said = []
    if n_more:
        said.append(f"And {counted(n_more, 'more estimator')}, in result.ranking().")
    if has["letters"]:
        said.append("Estimators that share a letter are not shown to differ.")
    if has["low"]:
        said.append("Whether two of these intervals overlap decides nothing.")
    return [" ".join(said)] if said else []


def _words(findings: Findings) -> str:
    n = counted(len(findings.ranking), "estimator")
    return f"The {findings.metric} of {n}, best first, with intervals."
