"""What is said of the slices of a test set."""

from collections.abc import Mapping
from typing import Any

from .._utils._checks import alpha_of
from .._utils._text import SMALLEST_PVALUE, counted, cut, first_of, format_number, format_pvalue
from ..comparison import ComparisonResult
from ._document import EMPTY, Cell, Section, Table
from ._tables import interval_cell, interval_head, number_cell, pvalue_cell

_MOST_ROWS, _MOST_NAMED = 12, 5


def slice_sections(result: ComparisonResult, title: str = "", level: int = 2) -> list[Section]:
    """Return what one metric shows in slices: the claims, and the rows with the smallest p."""
    if not result.slices or not len(result):
        return []
    frame = result.by_slice().sort_values("pvalue", kind="stable")
    names = list(dict.fromkeys(map(cut, frame["slice"][frame["differs"]])))
    found = first_of(names, _MOST_NAMED) or "none"
    what = f"Slices with a significant difference in {cut(result.metrics[0])}"
    said = [f"{what} (of {len(result.slices)}, adjusted by Holm): {found}."]
    if result.margin is not None:
        claims = result.no_slice_worse().to_dict("records")
        said += [f"{said_of_slices(claim, result)}." for claim in claims[:_MOST_NAMED]]
    head = f"unadjusted {interval_head(result.confidence_level)}"
    rows = [
        {
            "pair": Cell(f"{cut(row['estimator'])} - {cut(row['versus'])}"),
            "slice": Cell(cut(row["slice"])),
            "rows": Cell(str(row["n_test"])),
            "difference": number_cell(row["difference"]),
            head: interval_cell(row["low"], row["high"]) if row["low"] < row["high"] else EMPTY,
            "adjusted p": pvalue_cell(row["pvalue_adjusted"], SMALLEST_PVALUE),
        }
        for row in frame[:_MOST_ROWS].to_dict("records")
    ]
    left = len(frame) - len(rows)
    points = (f"and {counted(left, 'more row')}, see by_slice()",) if left else ()
    table = Table.of(rows, n_names=2)
    first = Section(title=title, level=level, paragraphs=tuple(said))
    return [first, Section(table=table, points=points)]


def said_of_slices(claim: Mapping[Any, Any], result: ComparisonResult) -> str:
    """Say whether an estimator is worse by more than the margin in no slice."""
    first, second = cut(claim["estimator"]), cut(claim["versus"])
    how, where, pvalue = "could be", f"some slice, such as {cut(claim['slice'])}", "pvalue_adjusted"
    if claim["shown"]:
        how, where = "is", "no slice"
    elif claim["pvalue_contrary"] <= alpha_of(result.confidence_level):
        how, where, pvalue = "is", "some slice", "pvalue_contrary"
    by = f"in {claim['metric']} by more than {format_number(claim['margin'])}"
    return f"{first} {how} worse than {second} {by} in {where} (p {format_pvalue(claim[pvalue])})"
