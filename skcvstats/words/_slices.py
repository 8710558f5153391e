"""What is said of slices of rows: whether they differ from each other, and what each shows."""

from typing import Any

import numpy as np

from .._utils._metrics import shown_as
from .._utils._text import (
    as_sentence,
    cut,
    first_of,
    format_interval,
    format_number,
    format_percent,
    format_pvalue,
)
from ..comparison import ComparisonResult, ScoreEstimates
from ..stats import ADJUSTMENTS
from ._document import Paragraph, Section
from ._sentences import MOST_NAMED, and_more, as_table, pvalue_cell

_MOST_SHOWN = 12  # rows of a table
# How a claim about all slices is said, where, and by which p-value.
_CLAIMS = {
    "holds": ("is not", "any slice", "pvalue_adjusted"),
    "contrary": ("is", "some slice", "pvalue_contrary"),
    "open": ("could be", "some slice, such as {0}", "pvalue_adjusted"),
}


def slices_of(result: ComparisonResult, brief: bool, level: int) -> list[Section]:
    """Return what is said of slices in each metric; nothing where there are none."""
    sections = list[Section]()
    if result.slices and len(result):
        for metric in result.metrics:
            sections += _slices_in(result[metric], brief, level)
    return sections


def _slices_in(result: ComparisonResult, brief: bool, level: int) -> list[Section]:
    """Return whether slices differ in one metric, the claims, and the rows with the smallest p."""
    frame = result.by_slice().sort_values("pvalue", kind="stable")
    differing = list(dict.fromkeys(frame["slice"][frame["differs"]]))
    what = f"Slices with a significant difference in {cut(shown_as(result.metrics[0]).name)}"
    how = f"p-values and intervals are adjusted by {ADJUSTMENTS['bonferroni'].words}"
    others = [name for name in result.slices if name not in differing]
    found = f"{what} (of {len(result.slices)}; {how}): {_named(differing)}."
    found += f" The others: {_named(others)}." * (len(others) > 0)
    said = [_dependence(result), found]
    if result.margin is not None and result.tests[0].alternative != "less":
        claims = result.no_slice_worse().to_dict("records")
        said += [f"{said_of_slices(claim)}." for claim in claims[:MOST_NAMED]]
    rows = list[Any]()
    interval = f"{format_percent(result.confidence_level)} interval"
    shown = frame[frame["differs"]] if brief else frame
    for row in shown[:_MOST_SHOWN].to_dict("records"):
        cells: dict[str, Any] = {"pair": f"{cut(row['estimator'])} - {cut(row['versus'])}"}
        cells |= {"slice": cut(row["slice"]), "rows": str(row["n_test"])}
        cells |= {"difference": row["difference"], interval: (row["low"], row["high"])}
        rows.append(cells | {"adjusted p": pvalue_cell(row["pvalue_adjusted"])})
    if not rows:
        return [Section(paragraphs=[*said])]
    table = as_table(rows, n_names=2)
    points: list[Paragraph] = [*and_more(len(shown) - len(rows), "see by_slice()")]
    if not brief:
        return [Section("Slices", level, table, paragraphs=[*said], points=points)]
    return [Section(paragraphs=[*said]), Section(table=table, points=points)]


def _named(slices: list[str]) -> str:
    """Name the first slices, or say that there are none."""
    return first_of(list(map(cut, slices)), MOST_NAMED) or "none"


def _dependence(result: ComparisonResult) -> str:
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
        return f"Whether {what} depends on the slice is not tested: {note}."
    depends = "depends" if first["differ"] else "does not depend"
    law = f"F {format_number(first['statistic'])} with {first['df']:g} and {first['df_within']:.3g}"
    p = f"p {format_pvalue(first['pvalue_adjusted'])}{adjusted}"
    how = "; ".join(filter(None, [p, f"Welch's test, {law} df", note]))
    return as_sentence(f"{what} {depends} significantly on the slice ({how})")


def slices_of_scores(result: ScoreEstimates) -> list[Section]:
    """Return the score of each slice and its difference from the rest, the farthest first."""
    if not result.slices:
        return []
    sections = []
    every = result.by_slice()
    interval = f"{format_percent(result.confidence_level)} interval"
    for metric in result.metrics:
        read = shown_as(metric)
        frame = every[every["metric"] == metric]
        frame = frame.sort_values("difference", key=abs, ascending=False, kind="stable")
        frame = frame.sort_values("differs", ascending=False, kind="stable")
        rows = list[dict[Any, Any]]()
        for row in frame.to_dict("records"):
            names = {"slice": cut(row["slice"])}
            if len(result.names) > 1:
                names["estimator"] = cut(row["estimator"])
            rows.append(
                {
                    **names,
                    "rows": str(row["n_test"]),
                    (read.name,): read.number(row["score"]),
                    interval: read.ends(row["low"], row["high"]),
                    "from the rest": read.number(row["difference"]),
                    f"{interval} of it": read.ends(row["difference_low"], row["difference_high"]),
                }
            )
        known = frame.dropna(subset=["difference_low"])[:1].to_dict("records")
        who = " of ".join(list(rows[0].values())[: len(names)])
        said = [_farthest(row, who, result.confidence_level) for row in known]
        sections.append(Section(paragraphs=[*said], leads=True))
        left = len(rows) - _MOST_SHOWN
        table = as_table(rows[:_MOST_SHOWN], n_names=len(names))
        sections.append(Section(table=table, points=[*and_more(left, "see by_slice()")]))
    how = "The intervals of slices are simultaneous, and so are those of differences from the rest"
    if result.groups_are_shared:
        how += "; these allow for any correlation, as groups lie in several slices"
    return [*sections, Section(paragraphs=[f"{how}."])]


def _farthest(row: Any, who: str, level: float) -> str:
    """Say how far a slice is from the rest."""
    read = shown_as(row["metric"])
    numbers = [format_number(read.number(row[name])) for name in ("score", "rest", "difference")]
    ends = read.ends(row["difference_low"], row["difference_high"])
    found = "" if row["differs"] else "No slice differs significantly from the rest. "
    return (
        f"{found}The farthest from the rest in {read.name} is {who}: {numbers[0]} against "
        f"{numbers[1]} (difference {numbers[2]}, {format_interval(*ends, level)})."
    )


def said_of_slices(claim: Any) -> str:
    """Say whether an estimator is not worse by more than the margin in any slice."""
    how, where, pvalue = _CLAIMS[claim["outcome"]]
    pair = f"{cut(claim['estimator'])} {how} worse than {cut(claim['versus'])}"
    by = f"in {shown_as(claim['metric']).name} by more than {format_number(claim['margin'])}"
    where = where.format(cut(claim["slice"]))
    return f"{pair} {by} in {where} (p {format_pvalue(claim[pvalue])})"
