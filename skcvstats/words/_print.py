"""The print of a comparison: the answer, a table with a line a model, how it was made, notes."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._utils._checks import one_line
from .._utils._metrics import shown_as
from .._utils._text import (
    cut,
    decimals_of,
    format_fixed,
    format_fixed_ends,
    format_percent,
    format_pvalue,
    format_size,
)
from ..comparison import (
    Comparison,
    ComparisonResult,
    is_symmetric,
    number_of_comparisons,
    numbers_of,
    parts_of_adjusted,
)
from ..scores import with_shown_ends
from ._document import BLANK, EMPTY, Cell, Section, Table
from ._runs import averaged_runs, said_of_runs
from ._sentences import (
    MOST_SHOWN,
    and_more,
    answer_of,
    answer_of_two,
    as_read,
    as_table,
    by_title,
    counted_names,
    cut_said,
    difference_table,
    direction_of,
    evidence_of_pair,
    intervals_of_families,
    over_folds_of,
    search_of,
    some_metrics,
    undetermined_of,
    why_not_best,
    with_baseline,
)
from ._slices import slices_of

_MOST_PARAMETERS = 3  # with columns of their own
_WIDEST_PARAMETER = 16
# What is shown of the first of two models and of the second, where there is a margin.
_VERDICTS = {
    "above by more": ("better by more", "worse by more"),
    "below by more": ("worse by more", "better by more"),
    "above by less": ("better by less", "worse by less"),
    "below by less": ("worse by less", "better by less"),
    "above": ("better", "worse"),
    "below": ("worse", "better"),
    "equivalent": ("equivalent", "equivalent"),
    "not worse": ("not worse", "not better"),
    "not better": ("not better", "not worse"),
    "not shown": ("undecided", "undecided"),
    "undetermined": ("undetermined", "undetermined"),
}
# How p-values are adjusted, by the adjustment; a column says where intervals are not.
_ADJUSTED = {
    "max_t": ", adjusted (max-t)",
    "holm": ", p adjusted (Holm)",
    "hochberg": ", p adjusted (Hochberg)",
    "bonferroni": ", adjusted (Bonferroni)",
    "bh": ", p adjusted (Benjamini-Hochberg)",
    "by": ", p adjusted (Benjamini-Yekutieli)",
    "none": ", not adjusted",
}


def print_of(result: ComparisonResult) -> list[Section]:
    """Return what is printed of a comparison but its notes: the answer first."""
    tests_by_metric = result.tests_by_metric
    sections: list[Section] = []
    if all(tests.alone for tests in tests_by_metric.values()):
        sections = of_two(list(result))
    else:
        for metric in tests_by_metric:
            sections += _of_metric(result[metric])
    sections += slices_of(result, brief=True, level=2)
    made = [*_how_made(result), *_primary_metric(result), *cut_said(intervals_of_families(result))]
    return [*sections, Section(paragraphs=[*made], leads=True)]


def of_two(pairs: Sequence[Comparison]) -> list[Section]:
    """Return what is shown of two models, and their line of numbers for each metric."""
    said = list(map(answer_of_two, pairs))
    numbers = Section(table=as_table(_lines_of_two(pairs), n_names=int(len(pairs) > 1)))
    for pair in pairs:
        what = f" for {shown_as(pair.metric).name}" if len(pairs) > 1 else ""
        numbers.paragraphs.extend(over_folds_of(pair.test, brief=True, what=what))
        numbers.paragraphs.extend(said_of_runs(pair.test, what))
    return [Section(paragraphs=[*said], leads=True), numbers]


def _lines_of_two(pairs: Sequence[Comparison]) -> list[dict[Any, Any]]:
    """Return the scores of two models and their difference in each metric."""
    any_loss = any(shown_as(pair.metric).is_loss for pair in pairs)
    who_is_first_differs = len({pair.estimator for pair in pairs}) > 1
    rows = []
    for pair in pairs:
        read = shown_as(pair.metric)
        cells: dict[Any, Any] = {}
        if len(pairs) > 1:
            cells["metric"] = read.name
        # in a tuple, as names may be those of other columns
        cells[(pair.estimator,)] = read.number(pair.score)
        cells[(pair.versus,)] = read.number(pair.score_versus)
        cells["difference"] = pair.test.estimate
        if who_is_first_differs:
            cells["better score" if any_loss else "higher"] = cut(pair.estimator)
        rows.append(cells | evidence_of_pair(pair, alone=True, brief=True))
    return rows


def _of_metric(result: ComparisonResult) -> list[Section]:
    """Return the answer in one metric, and its table."""
    (tests,) = result.tests_by_metric.values()
    ranked = with_shown_ends(result.ranking(), tests.scores)
    left = ranked[MOST_SHOWN:]
    below: list[str] = []
    if len(left):
        n_best = int(left["could_be_best"].eq(True).sum())
        best = f", {n_best or 'none'} of which could be best (result.ranking())"
        where = best if _has_best(result, ranked) else " (result.to_frame())"
        below.append(f"and {len(left)} more{where}")
    if _has_best(result, ranked):
        below += why_not_best(result, ranked[:MOST_SHOWN])
    example = tests.example
    below += [*undetermined_of(tests), *said_of_runs(example, f" {cut(example.label)}")]
    sections = [
        Section(paragraphs=[answer_of(result, ranked)], leads=True),
        Section(table=model_table(result, ranked), points=[*below]),
    ]
    if result.reference is None and len(tests) and not is_symmetric(tests.procedure):
        pairs = result.comparisons[:MOST_SHOWN]
        more = and_more(len(tests) - len(pairs), "see to_frame()")
        table = difference_table(pairs, alone=False)
        said = direction_of(result.metrics)
        sections.append(Section(table=table, points=[*more], paragraphs=[*said]))
    return sections


def model_table(result: ComparisonResult, ranked: Any) -> Table:
    """Return a line for each of the first models in one metric, and one for a constant prediction.

    A line has the model's score, and its difference from the first model or from the reference.
    """
    (metric,) = result.metrics
    shown = as_read(ranked[:MOST_SHOWN], metric)
    level = format_percent(result.confidence_level)
    differences = _differences(result, shown["estimator"].tolist())
    without = dict.fromkeys(next(iter(differences.values()), {}), EMPTY)
    decimals = decimals_of(shown["score"])
    has_intervals = result.margin is None and ranked["low"].notna().any()
    rows = []
    for row in shown.to_dict("records"):
        cells: dict[Any, Any] = _name_of(result, row["estimator"])
        cells["score"] = _number(row["score"], decimals)
        if has_intervals:
            cells[f"{level} interval"] = _interval_of_score(row, decimals)
        cells |= differences.get(row["estimator"], without)
        if _has_best(result, ranked):
            cells["best?"] = "yes" if row["could_be_best"] else "no"
        rows.append(cells)
    return with_baseline(as_table(rows, n_names=1), result.scores)


def _varying(result: ComparisonResult) -> Sequence[str]:
    """Return the parameters that have columns, none where there are too many or no candidates."""
    varying: Sequence[str] = search_of(result.scores).get("varying", ())
    if len(varying) > _MOST_PARAMETERS or not result.candidates:
        return ()
    return varying


def _name_of(result: ComparisonResult, name: str) -> dict[Any, Any]:
    """Return the cells with the name of a model, or the number and parameters of a candidate."""
    varying = _varying(result)
    if not varying:
        return {"": cut(name)}
    params = result.candidates.get(name, {})  # JSON keeps no objects
    cells: dict[Any, Any] = {"": name.split(" ")[0]}
    for parameter in varying:  # in a tuple, as it may be called as another column
        head = cut(parameter.rpartition("__")[2], _WIDEST_PARAMETER)
        cells[(head,)] = cut(one_line(params.get(parameter, "")), _WIDEST_PARAMETER)
    return cells


def _has_best(result: ComparisonResult, ranked: Any) -> bool:
    """Return whether the last column says which models could be the best."""
    if result.reference is not None or result.margin is not None:
        return False
    return bool(ranked["could_be_best"].notna().all())


def _interval_of_score(row: Any, decimals: int) -> Cell:
    low = row["low"]
    high = row["high"]
    if np.isnan((low, high)).any() or low == high:
        return EMPTY
    return Cell(format_fixed_ends(low, high, decimals), (low, high))


def _differences(result: ComparisonResult, models: Sequence[str]) -> dict[str, dict[Any, Any]]:
    """Return the cells of the differences from the first model or from the reference, by model."""
    (tests,) = result.tests_by_metric.values()
    if not len(tests):
        return {}
    head = "difference"
    base = str(tests.names[0, 1])
    if result.reference is None:
        head = "behind"
        base = models[0]
        if not is_symmetric(tests.procedure):
            return {}
    pairs = {}
    for k in np.flatnonzero((tests.names == base).any(axis=1)).tolist():
        (model,) = set(tests.names_at(k)) - {base}
        if model in models:
            pairs[model] = result.comparisons[k]
    decimals = decimals_of(pair.test.estimate for pair in pairs.values())
    cells = {model: _evidence(pair, model, head, decimals) for model, pair in pairs.items()}
    if cells:
        cells[base] = dict.fromkeys(next(iter(cells.values())), BLANK)
    return cells


def _evidence(pair: Comparison, model: str, head: str, decimals: int) -> dict[Any, Any]:
    """Return the cells of a model's difference: what it is behind, or ahead of the reference."""
    numbers = numbers_of(pair)
    sign = 1
    if (head == "behind") == (pair.estimator == model):  # of equal scores either comes first
        sign = -1
    cells: dict[Any, Any] = {head: _number(sign * pair.test.estimate, decimals)}
    for ends, level in numbers.intervals[:1]:
        low, high = sorted((sign * ends[0], sign * ends[1]))
        apart = [sign * bound for bound in numbers.apart]
        interval = f"{numbers.unadjusted}{format_percent(level)} interval"
        text = format_fixed_ends(low, high, decimals, apart)
        cells[(interval,)] = Cell(text, (low, high))  # in a tuple, as the scores have one, too
    smallest = pair.test.describe().smallest_pvalue
    pvalue = pair.pvalue_adjusted
    written = format_pvalue(pvalue, smallest, pair.pvalue_error, digits=2, padded=True)
    text = written.removeprefix("= ").replace(" ", "")
    cells["adj. p" if pair.adjusted else "p"] = Cell(text, (pvalue,))
    if pair.test.undetermined:  # then the interval and p are no evidence
        cells = dict.fromkeys(cells, EMPTY) | {head: cells[head]}
    if pair.margin is not None:
        cells["verdict"] = _VERDICTS[pair.claim.kind][int(pair.estimator != model)]
    return cells


def _number(x: float, decimals: int) -> Cell:
    return Cell(format_fixed(x, decimals), (float(x),))


def _how_made(result: ComparisonResult) -> list[str]:
    """Say in a few words by which test on what, and what was adjusted for how many comparisons."""
    tests = next(iter(result.tests_by_metric.values()))
    test = tests.example
    titles = by_title(result)
    how = tests.inference.title
    if len(titles) > 1:
        how = ", ".join(f"{title} for {some_metrics(names)}" for title, names in titles.items())
    line = f"Paired test {_on_what(test, how)}"
    if tests.alone:
        said = direction_of(result.metrics)
        if said and len({pair.estimator for pair in result}) > 1:
            said = direction_of(result.metrics, "the better score")
        return [f"{line}.", *said]
    facts = [_number_adjusted(result)]
    compared = counted_names(result)
    if " of " in compared:
        facts.append(f"{compared} are compared")
    if common := search_of(tests.scores).get("in common"):
        facts.append(common)
    direction = []
    if result.reference is not None:
        direction = direction_of(result.metrics, "the model of its row")
    return [f"{line};", f"{'; '.join(facts)}.", *direction]


def _on_what(test: Any, how: str) -> str:
    """Return what a test is on, with the procedure and the training size in brackets."""
    said = test.describe()
    if test.fixed:
        on = f"{said.sizes}{averaged_runs(test)}"
        return f"on {on} ({how}), about {said.subject}".replace(") (", "; ")
    on = "over"
    if said.varies_over == "test rows":
        on = f"on {test.unit} of"
    further = said.sizes.partition(")")[2]
    _, comma, period = said.subject.partition(", ")
    trained = f"{format_size(test.n_train)} training {test.unit}"
    return f"{on} {said.splits}{further} ({how}, {trained}){comma}{period}"


def _number_adjusted(result: ComparisonResult) -> str:
    """Say how many comparisons there are, and how they were adjusted."""
    if not len(result):
        return "".join(parts_of_adjusted(result))
    adjusted = _ADJUSTED[result.adjustment] if result.n_adjusted > 1 else ""
    return f"{number_of_comparisons(result)}{adjusted}{_margin_level(result)}"


def _margin_level(result: ComparisonResult) -> str:
    """Say which intervals decide about the margin, where those of the table do not."""
    if result.margin is None or result.adjustment != "none" or result.n_adjusted == 1:
        return ""
    if result.tests[0].alternative != "two-sided":
        return ""
    return f", verdicts by the margin from {format_percent(1 - 2 * result[0].alpha)} intervals"


def _primary_metric(result: ComparisonResult) -> list[str]:
    """Say that p-values are not adjusted for several metrics."""
    if len(result.metrics) == 1 or not len(result):
        return []
    first = cut(shown_as(result.metrics[0]).name)
    return [f"p is not adjusted for the {len(result.metrics)} metrics; {first} is the primary one."]
