"""What is said of slices of rows: whether they differ from each other, and what each shows."""

from typing import Any

import numpy as np

from .._utils._metrics import shown_as
from .._utils._shared_arguments import alpha_of
from .._utils._text import (
    counted,
    cut,
    first_of,
    format_number,
    format_percent,
    format_pvalue,
    sentence,
)
from ..comparison import ComparisonResult
from ..stats import ADJUSTMENTS
from ._document import Paragraph, Section
from ._sentences import MOST_NAMED, as_table, pvalue_cell

_MOST_SHOWN = 12  # rows of a table


def slices_of(result: ComparisonResult, brief: bool, level: int) -> list[Section]:
    """Return whether slices differ in one metric, the claims, and the rows with the smallest p."""
    frame = result.by_slice().sort_values("pvalue", kind="stable")
    differing = list(dict.fromkeys(frame["slice"][frame["differs"]]))
    found = first_of(list(map(cut, differing)), MOST_NAMED) or "none"
    what = f"Slices with a significant difference in {cut(shown_as(result.metrics[0]).name)}"
    how = f"p-values and intervals are adjusted by {ADJUSTMENTS['bonferroni'].words}"
    said = [*_dependence(result), f"{what} (of {len(result.slices)}; {how}): {found}."]
    if result.margin is not None:
        claims = result.no_slice_worse().to_dict("records")
        said += [f"{said_of_slices(claim, result)}." for claim in claims[:MOST_NAMED]]
    points: list[Paragraph] = []
    if brief and differing:
        others = [name for name in result.slices if name not in differing]
        points = [f"No significant difference in {first_of(list(map(cut, others)), MOST_NAMED)}."]
    rows = list[Any]()
    interval = f"{format_percent(result.confidence_level)} interval"
    shown = frame[frame["differs"]] if brief else frame
    for row in shown[:_MOST_SHOWN].to_dict("records"):
        cells: dict[str, Any] = {"pair": f"{cut(row['estimator'])} - {cut(row['versus'])}"}
        cells |= {"slice": cut(row["slice"]), "rows": str(row["n_test"])}
        cells |= {"difference": row["difference"], interval: (row["low"], row["high"])}
        rows.append(cells | {"adjusted p": pvalue_cell(row["pvalue_adjusted"])})
    table = as_table(rows, n_names=2)
    left = len(shown) - len(rows)
    points += [f"and {counted(left, 'more row')}, see by_slice()"] if left else []
    if brief:
        return [Section(paragraphs=[*said]), Section(table=table, points=points)]
    return [Section("Slices", level, table, paragraphs=[*said], points=points)]


def _dependence(result: ComparisonResult) -> list[str]:
    """Say whether the difference depends on the slice: of the leader and the best other one."""
    tested = result.slices_differ().to_dict("records")
    first = tested[0]
    what = f"the difference in {cut(shown_as(result.metrics[0]).name)}"
    adjusted = ""
    if len(tested) > 1:
        what += f" between {cut(first['estimator'])} and {cut(first['versus'])}"
        adjusted = {"none": ""}.get(result.adjustment, ", adjusted by Holm's method")
    note = first["note"]
    if np.isnan(first["pvalue"]):
        return [f"Whether {what} depends on the slice is not tested: {note}."]
    depends = "depends" if first["differ"] else "does not depend"
    law = f"F {format_number(first['statistic'])} with {first['df']:g} and {first['df_within']:.3g}"
    how = f"p {format_pvalue(first['pvalue_adjusted'])}{adjusted}; Welch's test, {law} df"
    answer = f"{what} {depends} significantly on the slice ({how})"
    return [sentence(said) for said in (answer, note) if said]


def said_of_slices(claim: Any, result: ComparisonResult) -> str:
    """Say whether an estimator is not worse by more than the margin in any slice."""
    first = cut(claim["estimator"])
    second = cut(claim["versus"])
    how = "could be"
    where = f"some slice, such as {cut(claim['slice'])}"
    pvalue = "pvalue_adjusted"
    if claim["shown"]:
        how = "is not"
        where = "any slice"
    elif claim["pvalue_contrary"] <= alpha_of(result.confidence_level):
        how = "is"
        where = "some slice"
        pvalue = "pvalue_contrary"
    by = f"in {shown_as(claim['metric']).name} by more than {format_number(claim['margin'])}"
    return f"{first} {how} worse than {second} {by} in {where} (p {format_pvalue(claim[pvalue])})"
