"""What is said of the slices of a test set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .._utils._text import SMALLEST_PVALUE, counted, cut, first_of, format_number, format_pvalue
from ..comparison import ComparisonResult
from ._document import EMPTY, Cell, Section, Table
from ._tables import interval_cell, interval_head, number_cell, pvalue_cell

_MOST_ROWS, _MOST_NAMED = 12, 5


def slice_sections(result: ComparisonResult, title: str = "", level: int = 2) -> list[Section]:
    """Return what one metric shows in slices: the claims, and the rows with the smallest p."""
    if not result.slices or not len(result):
        return []
    frame, n_slices = result.by_slice(), len(result.slices)
    alone = len(result) == 1
    differ = frame[frame["differs"]].sort_values("pvalue")["slice"].map(cut)
    found = first_of(list(dict.fromkeys(differ)), _MOST_NAMED) if len(differ) else "none"
    what = f"Slices that differ significantly in {cut(result.metrics[0])}"
    said = [f"{what}, of {n_slices} (adjusted by Holm): {found}."]
    if result.margin is not None:
        claims = result.no_slice_worse().to_dict("records")
        said += [f"{said_of_slices(claim, result)}." for claim in claims[:_MOST_NAMED]]
    rows = []
    for row in frame.sort_values("pvalue", kind="stable")[:_MOST_ROWS].to_dict("records"):
        cells = {"slice": Cell(cut(row["slice"])), "rows": Cell(str(row["n_test"]))}
        cells["difference"] = number_cell(row["difference"])
        head = f"unadjusted {interval_head(result.confidence_level)}"
        sure = row["standard_error"] > 0  # else these are no evidence
        cells[head] = interval_cell(row["low"], row["high"]) if sure else EMPTY
        pvalue = row["pvalue_adjusted"] if sure else np.nan
        cells["adjusted p"] = pvalue_cell(pvalue, SMALLEST_PVALUE)
        pair = Cell(f"{cut(row['estimator'])} - {cut(row['versus'])}")
        rows.append(cells if alone else {"pair": pair, **cells})
    n_left = len(frame) - len(rows)
    points = (f"and {counted(n_left, 'more row')}, see by_slice()",) if n_left > 0 else ()
    table = Table.of(rows, n_names=1 if alone else 2) if rows else None
    return [Section(title=title, level=level, paragraphs=tuple(said), table=table, points=points)]


def said_of_slices(claim: Mapping[Any, Any], result: ComparisonResult) -> str:
    """Say whether an estimator is worse by more than the margin in no slice."""
    pair = claim["estimator"], claim["versus"]
    first, second = map(cut, pair)
    tests = result.tests_by_metric[claim["metric"]]
    (k,) = (k for k, names in enumerate(tests.names.tolist()) if tuple(names) == pair)
    low = tests.comparison(k).margin or (0.0, 0.0)
    by = f"than {second} in {claim['metric']} by more than {format_number(-low[0])}"
    if claim["shown"]:
        said, pvalue = f"{first} is worse {by} in no slice", claim["pvalue_adjusted"]
    elif claim["pvalue_contrary"] <= 1 - result.confidence_level:
        said, pvalue = f"{first} is worse {by} in some slice", claim["pvalue_contrary"]
    else:
        said = f"{first} could be worse {by} in some slice, such as {cut(claim['slice'])}"
        pvalue = claim["pvalue_adjusted"]
    return f"{said} (p {format_pvalue(pvalue)})"
