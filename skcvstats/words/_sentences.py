"""What is said of comparisons: rankings, differences, verdicts and their number; tables."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from .._utils._metrics import shown_as
from .._utils._shared_arguments import alpha_of
from .._utils._text import (
    SMALLEST_PVALUE,
    counted,
    cut,
    first_of,
    format_ends,
    format_number,
    format_percent,
    format_pvalue,
    is_constant,
    sentence,
    verb,
    visible,
)
from ..comparison import (
    SIZES_OF_MATRICES,
    Comparison,
    ComparisonResult,
    is_symmetric,
    numbers_of,
    verdict_of,
)
from ..notes import CHOSEN_METHOD
from ..scores import CVScores, Note, baseline_of, shown_ends, union, with_shown_ends
from ..stats import BESIDE, KINDS, CVTestResult, Inference, Words, within, words_of
from ._document import EMPTY, Cell, NoteCode, Paragraph, Picture, Section, Table, noted

MOST_ROWS = 10
_MOST_SHOWN = 12  # rows in a prompt
# Outcomes without a line of their own, because no difference was found.
_SILENT = ("not shown", "undetermined")
_MOST_NAMES = 3
MOST_NAMED = 5
_MOST_LINES = 5
_MOST_WORDS = 40
# With so many, two seeds seldom disagree.
_MANY_REPEATS = 10
POWER = 0.8
# The codes of notes that decide how a result is read, and what its header says of them; {} is what
# stands before the colon in the note.
_CAVEATS = {
    "groups split across training and test": (
        "Groups are split across training and test, so the scores are too good."
    ),
    "few groups": "{}: the variance between them is poorly estimated.",
    "surviving candidates": "Candidates that the search dropped earlier are not considered.",
    "left a race": "Candidates that left the race are not considered.",
}
WIDEST_NAME = 40


def some(names: Iterable[str], call: str, most: int = _MOST_NAMES, width: int = WIDEST_NAME) -> str:
    """List the first names, and how many more there are."""
    names = [cut(name, width) for name in names]
    if len(names) > most + 1:
        return f"{first_of(names, most)} (see {call})"
    if len(names) <= 2:  # with no semicolon between them
        names = [f'"{name}"' if "," in name else name for name in names]
    return first_of([*names[:-2], " and ".join(names[-2:])])


def and_more(n_left: int, where: str) -> list[str]:
    """Say how many rows a table leaves out and where they are; nothing where it has all."""
    if n_left <= 0:
        return []
    return [f"and {n_left} more, {where}"]


def some_metrics(metrics: Iterable[str], call: str = "metrics", most: int = _MOST_NAMES) -> str:
    """List the first metrics as they are shown."""
    return some([shown_as(metric).name for metric in metrics], call, most)


def which_is_better(metrics: Sequence[str], *, compared: bool = True) -> str:
    """Say for which metrics greater scores are better, and what a positive difference means."""
    losses = [metric for metric in metrics if shown_as(metric).is_loss]
    if not losses:
        return "greater is better"
    of_some = f"greater is better, except for {some_metrics(losses)} (lower is better)"
    said = "lower is better" if len(losses) == len(metrics) else of_some
    return f"{said}; a positive difference favours the first" if compared else said


def said_of_notes(
    notes: Iterable[Note], warned: Iterable[Note] = ()
) -> tuple[list[Paragraph], list[Paragraph]]:
    """Return the lines for the header, and those for the end: of warnings the codes."""
    header = list[Paragraph]()
    below = list[Paragraph]()
    last = list[Paragraph]()
    codes = list[str]()
    warned = set(warned)
    for note in union(notes):
        text = visible(note.text)
        if note.code in _CAVEATS:
            what = text.partition(":")[0]
            caveat = _CAVEATS[note.code].format(f"{what[0].upper()}{what[1:]}")
            header.append(noted(caveat, note))
        elif note in warned:
            codes.append(note.code)
        elif note.is_printed:
            lines = last if note.code == CHOSEN_METHOD else below
            lines.append(noted(f"Note: {text}.", note))
    if codes:
        below.append(_listed_codes(list(dict.fromkeys(codes))))
    return list(dict.fromkeys(header)), [*below, *last]


def _listed_codes(codes: Sequence[str]) -> Paragraph:
    """List the codes of notes that were given as warnings."""
    parts: list[str | NoteCode] = ["Warnings: "]
    for code in codes:
        parts += [NoteCode(code, code), ", "]
    return (*parts[:-1], " (see result.notes).")


def by_title(result: ComparisonResult) -> dict[str, list[str]]:
    """Return the metrics of each procedure, by its title."""
    metrics: dict[str, list[str]] = {}
    for metric, tests in result.tests_by_metric.items():
        metrics.setdefault(tests.inference.title, []).append(metric)
    return metrics


def on_test_set(scores: CVScores | None) -> bool:
    """Whether scores are those of fitted models on one test set."""
    return scores is not None and scores.design.on_test_set


def cut_said(result: Any) -> list[str]:
    """Return a sentence if an interval reaches beyond the range of its metric."""
    level = result.confidence_level
    intervals = []
    if not isinstance(result, ComparisonResult):
        tests = list(getattr(result, "inferences", {"": result}).values())
    else:
        families = [of for of in result.tests_by_metric.values() if of.inference.has_interval]
        tests = [of.joint.own_scores for of in families if not of.alone]
        intervals = [
            (of.inference.scores, *of.family.intervals(of.inference, level)) for of in families
        ]
    intervals += [(of.scores, *of.confidence_interval(level)) for of in tests if of.has_interval]
    for scores, *ends in intervals:
        if not np.array_equal(ends, shown_ends(scores, *ends), equal_nan=True):
            return [
                "Intervals are cut where the metric ends; p-values and margins use the uncut ones."
            ]
    return []


def differences_of(
    result: ComparisonResult, ranked: Any, brief: bool, level: int, most_rows: int
) -> list[Section]:
    """Return the differences of a metric, what is shown first: as lines, or as a table."""
    (tests,) = result.tests_by_metric.values()
    if not len(tests):
        return []
    shown = np.flatnonzero(~np.isin(tests.kinds, _SILENT)).tolist()
    if brief:
        lines = [f"{_difference_line(result.comparisons[k])}." for k in shown[:_MOST_LINES]]
        rest = _not_named(result, len(shown[_MOST_LINES:])), _left_out(result, ranked)
        said = " ".join(filter(None, rest))
        return [Section(points=[*lines], paragraphs=[said] if said else [])]
    last = sum(k * (tests.kinds == kind) for k, kind in enumerate(_SILENT, start=1))
    shown_first = np.argsort(last, kind="stable")  # the undetermined ones at the end
    pairs = [result.comparisons[k] for k in shown_first[:most_rows]]
    picture = None
    if result.reference is None and len(result.names) in SIZES_OF_MATRICES:
        (metric,) = result.metrics
        words = f"Who beats whom: the difference in {shown_as(metric).name} of each pair."
        picture = Picture("matrix", metric, words)
    section = Section("Differences", level, difference_table(pairs, alone=False), picture)
    more = and_more(len(tests) - len(pairs), "in to_frame()")
    section.paragraphs.extend(map(sentence, more))
    section.paragraphs.extend(_open_over_folds(tests))
    if not isinstance(pairs[0].test, CVTestResult):  # words of its own
        section.points.extend(
            f"{each.claim.words}." for each in pairs if each.claim.kind not in _SILENT
        )
    return [section]


def _difference_line(comparison: Comparison) -> str:
    """Return a line about what is shown of a difference, in its order."""
    test = comparison.test
    kind = comparison.claim.kind
    if not isinstance(test, CVTestResult) or test.null_value != 0:
        return verdict_of(comparison)
    first = cut(comparison.estimator, WIDEST_NAME)
    second = cut(comparison.versus, WIDEST_NAME)
    plain = comparison.margin is None
    said = words_of_pair(comparison)
    side = {"above": "better", "below": "worse"}.get(kind, said.short)
    words = f"{first} is {side} than {second}" if plain else said.long
    sure = f"({_sure(comparison, turned=kind.startswith('below'))})"
    if not kind.startswith(("above", "below")):
        what = shown_as(comparison.metric).difference(first, second)
        return f"{words}: {what} = {format_number(test.estimate, padded=True)} {sure}"
    size = format_number(abs(test.estimate), padded=True)
    return f"{words}{'' if plain else ':'} by {size} {sure}"


def _sure(comparison: Comparison, *, turned: bool) -> str:
    """Return the interval that decides, and the p-value of what is shown."""
    kind = comparison.claim.kind
    by = numbers_of(comparison)
    question = ""
    within_it = kind in ("equivalent", "not worse", "not better")
    (low, high), _ = by.intervals[-1 if within_it else 0]
    what, written, _ = by.pvalues[-1 if KINDS[kind].pvalue else 0]
    if comparison.margin is not None:
        question = f" for {what or 'a difference'}"
    apart = by.apart
    if turned:
        low, high, apart = -high, -low, tuple(-value for value in apart)
    ends = format_ends(low, high, padded=True, apart=apart)
    adjusted = "adjusted " if comparison.adjusted else ""
    return f"{by.unadjusted}{ends}, {adjusted}p {written}{question}"


def ranking_of(
    result: ComparisonResult, ranked: Any, brief: bool, title: str, level: int, most_rows: int
) -> list[Section]:
    """Say which estimators could be the best in a metric, and rank them."""
    (metric,) = result.metrics
    level_of_intervals = result.confidence_level
    head = "" if brief else "estimator"
    read = as_read(ranked, metric)
    table, left = score_table(read, level_of_intervals, head=head, most_rows=most_rows)
    (tests,) = result.tests_by_metric.values()
    table = with_baseline(table, tests.scores)
    said = _answer(result, ranked, brief)
    below: list[Any] = and_more(left, "see ranking()")
    if not brief:
        below = list(map(sentence, below))
    if explained := _out_of_order(ranked):
        below.append(explained)
    metric_name = shown_as(metric).name
    if brief:
        said = f"{metric_name}: {said}"
        return [Section(paragraphs=[said], leads=True), Section(table=table, paragraphs=below)]
    if outside := _left_out(result, ranked):
        below.append(outside)
    words = f"The {metric_name} of {counted(len(ranked), 'estimator')}, best first."
    legend = of_single(result) if ranked["low"].notna().any() else ""
    picture = Picture("ranking", metric, words, legend)
    of_several = level > 2
    said = f"{metric_name}: {said}" if of_several else f"{said[0].upper()}{said[1:]}"
    answered = Section(title, paragraphs=[said], leads=True)
    return [answered, Section("Ranking", level, table, picture, below)]


def _answer(result: ComparisonResult, ranked: Any, brief: bool) -> str:
    """Say which estimators could be the best, and how the reference compares, in a sentence."""
    (tests,) = result.tests_by_metric.values()
    parts = list[str]()
    named = list[str]()  # after the first part
    if ranked["could_be_best"].notna().all():
        best = ranked["estimator"][ranked["could_be_best"].astype(bool)].tolist()
        parts.append(_could_be_best(best, len(ranked), search_of(tests.scores)))
        if 1 < len(best) < len(ranked):
            named = best
    if result.reference is not None:
        parts.append(_against_reference(result))
    if not parts:
        parts = _counted_outcomes(result)
    end = f" ({format_percent(result.confidence_level)} confidence)."
    first, *others = parts
    if not named:
        return "; ".join(parts) + end
    for most_names in range(_MOST_NAMES, 0, -1):
        said = "; ".join([f"{first}: {some(named, 'best_set()', most_names)}", *others]) + end
        if brief or len(said.split()) <= _MOST_WORDS:
            return said
    return "; ".join(parts) + end


def _could_be_best(best: list[str], n_ranked: int, search: dict[str, Any]) -> str:
    """Say how many of the estimators could be the best."""
    what = f"candidates{search.get('kept', '')}" if search else "estimators"
    if len(best) == n_ranked:
        who = "either" if n_ranked == 2 else "any"
        return f"{who} of the {n_ranked} {what} could be the best"
    if len(best) == 1:
        return f"only {some(best, '')} could be the best"
    return f"{len(best)} of {n_ranked} {what} could be the best"


def _counted_outcomes(result: ComparisonResult) -> list[str]:
    """Say how many pairs have each outcome, where no best set says more."""
    (tests,) = result.tests_by_metric.values()
    if not len(tests):
        return ["no pairs were compared"]
    shown = np.flatnonzero(~np.isin(tests.kinds, _SILENT)).tolist()
    if set(tests.kinds[shown]) <= {"above", "below", "different"}:
        are = verb(len(shown), "is", "are")
        return [f"{len(shown)} of {counted(len(tests), 'difference')} {are} significant"]
    # only such a procedure knows what it shows
    briefs = Counter(result.comparisons[k].claim.brief for k in shown)
    return [f"{n} of {len(tests)} pairs {brief}" for brief, n in briefs.items()]


def _left_out(result: ComparisonResult, ranked: Any) -> str:
    """Say why some could not be the best though they do not differ significantly from the first."""
    (tests,) = result.tests_by_metric.values()
    if not is_symmetric(tests.procedure) or not ranked["could_be_best"].eq(True).iloc[0]:
        return ""
    first = ranked["estimator"].iloc[0]
    outside = ranked["estimator"][~ranked["could_be_best"].astype(bool)]
    pairs = tests.names[tests.pvalues_adjusted > alpha_of(result.confidence_level)]
    close = set(pairs[(pairs == first).any(axis=1)].flat)
    names = outside[outside.isin(close)].tolist()
    if not names:
        return ""
    n_pairs = tests.n_adjusted
    n_others = len(ranked) - 1
    why = "the best set only asks whether another is better"
    if n_others < n_pairs and result.adjustment != "none":
        why += f", in {n_others} comparisons instead of {n_pairs}"
    return (
        f"{some(names, 'ranking()')} could not be the best, though not significantly different "
        f"from {cut(first, WIDEST_NAME)}: {why}."
    )


def _out_of_order(ranked: Any) -> str:
    """Say why one could not be the best though another with a lower score could."""
    if not ranked["could_be_best"].notna().all():
        return ""
    inside = ranked["could_be_best"].to_numpy(dtype=bool)
    last = np.flatnonzero(inside)[-1:].max(initial=0)
    higher = ~inside & (ranked["score"] > ranked["score"][last]).to_numpy()
    if not higher.any():
        return ""
    names = [cut(ranked["estimator"][k], WIDEST_NAME) for k in (int(higher.argmax()), int(last))]
    return (
        f"{names[0]} could not be the best, though {names[1]} with a lower score could: it also "
        "depends on how much differences vary."
    )


def of_single(result: ComparisonResult) -> str:
    """Say what the intervals of scores are not for, and what is."""
    use = "use the table of differences" if len(result) else "use pairs()"
    return f"These intervals are for single scores; {use} to compare models."


def counted_names(result: ComparisonResult) -> str:
    """Return how many are compared, and of how many candidates they were chosen."""
    tests = result.tests_by_metric[result.metrics[0]]
    search = search_of(tests.scores)
    n_all = len(tests.joint.estimates)
    n_all = search.get("tried", n_all)
    of = "" if n_all == len(result.names) else f" of {n_all}"
    return f"{len(result.names)}{of} {'candidates' if search else 'estimators'}"


def provenance_of(scores: CVScores | None) -> Mapping[str, Any]:
    """Return what is known about scores; empty if there are none."""
    return {} if scores is None else scores.provenance


def search_of(scores: CVScores | None) -> dict[str, Any]:
    """Return the facts about the search whose candidates are compared; else empty."""
    return provenance_of(scores).get("search") or {}


def _against_reference(result: ComparisonResult) -> str:
    """Count the outcomes of all estimators against the reference."""
    (tests,) = result.tests_by_metric.values()
    comparisons = result.comparisons
    last = dict(zip(tests.kinds.tolist(), range(len(tests)), strict=True))
    parts = []
    for kind in sorted(last, key=[*KINDS].index):
        pair = comparisons[last[kind]]
        of_null = pair.test.null_value == 0 or kind == "undetermined"
        said = words_of_pair(pair).short if of_null else pair.claim.brief
        parts.append(f"{np.count_nonzero(tests.kinds == kind)} {said}")
    return f"against {cut(comparisons[0].versus, WIDEST_NAME)}: {first_of(parts)}"


def words_of_pair(comparison: Comparison) -> Words:
    """Return the words for the outcome of a comparison, without the metric."""
    names = cut(comparison.estimator, WIDEST_NAME), cut(comparison.versus, WIDEST_NAME)
    kind = comparison.claim.kind
    metric = comparison.metric
    sides = comparison.test.alternative
    return words_of(kind, names, metric, comparison.margin, sides, named=False)


def _not_named(result: ComparisonResult, n_more: int) -> str:
    """Say how many differences were not named, and how many are not significant."""
    (tests,) = result.tests_by_metric.values()
    sentences = []
    with_margin = tests.margin is not None
    if n_more:
        are = verb(n_more, "is", "are")
        more = f"{counted(n_more, 'more difference')} {are} significant"
        more = counted(n_more, "more verdict") if with_margin else more
        sentences.append(f"{more}, see to_frame().")
    sentences.append(_not_shown(result))
    undetermined = list(map(_named_pair, tests.names[tests.undetermined]))
    if undetermined:
        what = some(undetermined, "to_frame()", width=len(" - ") + 2 * WIDEST_NAME)
        sentences.append(f"Undetermined, as the difference does not vary: {what}.")
    return " ".join(filter(None, sentences))


def _named_pair(names: Iterable[str]) -> str:
    """Name a difference by its two estimators."""
    return " - ".join(cut(name, WIDEST_NAME) for name in names)


def _not_shown(result: ComparisonResult) -> str:
    """Say how many differences are not significant, or how many pairs a margin leaves open."""
    (tests,) = result.tests_by_metric.values()
    silent = tests.kinds == "not shown"
    if not silent.any():
        return ""
    sides = tests.inference.alternative
    n_silent = int(np.count_nonzero(silent))
    n_comparisons = len(tests)
    are = verb(n_silent, "is", "are")
    null = tests.inference.null_value
    if tests.margin is not None:
        of = f"{n_silent} of {counted(n_comparisons, 'pair')}"
        bounds = tests.each_bounds[silent]
        if sides != "two-sided":
            return f"{of} {are} undecided."
        turned = np.any(bounds != bounds[0])  # with their pairs
        size = "within the margin" if turned else within(bounds[0])
        return f"For {of} neither a significant difference nor equivalence {size} was found."
    end = "significant; that is not evidence of equality."
    if null != 0:
        end = f"significantly {BESIDE[sides]} {format_number(null)}."
    elif n_silent == n_comparisons:
        what = "comparison" if sides == "two-sided" else "one-sided comparison"
        of = f" among {counted(n_comparisons, what)}" if n_comparisons > 1 else ""
        return f"No significant difference was found{of}; that is not evidence of equality."
    of = f"{n_silent} of the {n_comparisons} differences" if n_comparisons > 1 else "The difference"
    return f"{of} {are} not {end}"


def open_of(result: ComparisonResult, level: int) -> list[Section]:
    """Say what could not be shown, and which true differences would have been."""
    (tests,) = result.tests_by_metric.values()
    left = np.flatnonzero(tests.kinds == "not shown")
    said = []
    if not left.size:
        return []
    if len(tests) > 1:
        said.append(_not_shown(result))
    if result.comparisons[0].test._has_power:
        errors = np.broadcast_to(tests.inference.standard_error, len(tests))[left]
        ends = [result.comparisons[left[k]] for k in (errors.argmin(), errors.argmax())]
        sizes = [
            detectable_of(each)
            + (f" for {cut(each.estimator)} - {cut(each.versus)}" if len(left) > 1 else "")
            for each in ends
        ]
        size = " to ".join(dict.fromkeys(sizes))
        null = ends[0].test.null_value
        what = f"of {size}" if null == 0 else f"that is {size} away from {format_number(null)}"
        power = format_percent(POWER)
        said.append(f"A true difference {what} would have been shown with a power of {power}.")
    title = "What could not be shown"
    return [Section(title, level, paragraphs=[" ".join(said)])] if said else []


def detectable_of(comparison: Comparison) -> str:
    """Write about which true difference a comparison would have shown, with its range."""
    size = f"about {format_number(comparison.detectable_difference(POWER))}"
    low, high = comparison.detectable_range(POWER)
    if np.isnan(low):
        return size
    return f"{size} (80 % range {format_number(low)} to {format_number(high)})"


def of_primary(result: ComparisonResult) -> list[str]:
    """Say that the first of several metrics counts, and what is significant if all of them do."""
    tests_by_metric = result.tests_by_metric
    n_metrics = len(result.metrics)
    if n_metrics == 1 or not len(result):
        return []
    alpha = alpha_of(result.confidence_level)
    kept = []
    for metric, tests in tests_by_metric.items():
        pairs = tests.names[tests.pvalues_adjusted <= alpha / n_metrics]
        where = f" in {cut(shown_as(metric).name)}"
        kept += [f"{_named_pair(pair)}{where}" for pair in pairs]
    these = "no difference is significant"
    if kept:
        these = f"these stay significant: {first_of(kept, _MOST_NAMES)}"
    return [
        f"{cut(shown_as(result.metrics[0]).name)} comes first, so it is the primary metric; "
        "p-values are not adjusted for the number of metrics; at level "
        f"{alpha:.3g}/{n_metrics} {these}."
    ]


def as_table(rows: Sequence[dict[Any, Any]], n_names: int = 0) -> Table:
    """Return the table of rows by their heads: of texts, numbers, two ends each, and cells."""
    heads = dict.fromkeys(chain.from_iterable(rows))
    lines = []
    for row in rows:
        cells = []
        for head in heads:
            value = row.get(head, EMPTY)
            if isinstance(value, str):
                cell = Cell(value)
            elif isinstance(value, Cell):
                cell = value
            elif np.isnan(value).any() or (np.ndim(value) and value[0] == value[1]):
                cell = EMPTY
            elif np.ndim(value):
                cell = Cell(format_ends(*value, padded=True), value)
            else:
                cell = Cell(format_number(value, padded=True), (float(value),))
            cells.append(cell)
        lines.append(tuple(cells))
    return Table(tuple(map("".join, heads)), tuple(lines), n_names)  # a head may be in a tuple


def pvalue_cell(pvalue: float, smallest: float = SMALLEST_PVALUE) -> Cell:
    """Return a p-value; empty if there is none."""
    written = format_pvalue(pvalue, smallest).removeprefix("= ")
    return EMPTY if np.isnan(pvalue) else Cell(written, (float(pvalue),))


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
        cells = {head: cut(str(row["estimator"])), "score": row["score"]}
        if ranked["low"].notna().any():
            cells[f"{format_percent(level)} interval"] = row["low"], row["high"]
        if smallest is not None:
            cells["p-value"] = EMPTY if is_constant(row) else pvalue_cell(row["pvalue"], smallest)
        if "could_be_best" in ranked and ranked["could_be_best"].notna().all():
            cells["could be best"] = "yes" if row["could_be_best"] else "no"
        rows.append(cells)
    return as_table(rows, n_names=1), len(ranked) - len(rows)


def with_baseline(table: Table, scores: CVScores) -> Table:
    """Return a table of the scores of classifiers with a last line for a constant prediction."""
    baseline = baseline_of(scores)
    if baseline is None:
        return table
    score = shown_as(scores.metric).number(baseline.score)
    cells = [Cell(baseline.name), Cell(format_number(score, padded=True), (score,))]
    cells += [EMPTY] * (len(table.columns) - len(cells))
    return replace(table, rows=(*table.rows, tuple(cells)))


def difference_table(
    pairs: Sequence[Comparison], *, alone: bool = True, brief: bool = False
) -> Table:
    """Return a row for each difference; with both scores where each is alone in its metric."""
    if brief:
        rows = [_names_as_heads(pairs, pair) | _evidence(pair, alone) for pair in pairs]
        return as_table(rows, n_names=int(len(pairs) > 1))
    rows = []
    for pair in pairs:
        cells: dict[Any, Any] = {"estimator": cut(pair.estimator), "versus": cut(pair.versus)}
        if alone:
            read = shown_as(pair.metric)
            cells["score"] = read.number(pair.score)
            cells["score versus"] = read.number(pair.score_versus)
        cells["difference"] = pair.test.estimate
        cells |= _evidence(pair, alone)
        if not alone and isinstance(pair.test, CVTestResult):
            cells["shown"] = _shown(pair)
        rows.append(cells)
    return as_table(rows, n_names=2)


def over_folds_of(test: Inference, *, brief: bool, what: str = "") -> list[str]:
    """Say where p would lie with other folds; in brief only if the level lies there, too."""
    ends = test.pvalue_over_folds
    if ends is None or test.undetermined:
        return []
    low = pvalue_cell(ends.low).text
    high = pvalue_cell(ends.high).text
    said = f"With other folds p{what} would mostly (80 %) lie between {low} and {high}"
    if ends.low <= alpha_of(test.confidence_level) < ends.high:
        return [f"{said}; more repeats decide{_more_repeats(test)}."]
    return [] if brief else [f"{said}."]


def _open_over_folds(tests: Any) -> list[str]:
    """Name the differences whose p, by itself, could lie on the other side of the level."""
    ends = tests.inference.pvalue_over_folds
    if ends is None:
        return []
    alpha = alpha_of(tests.confidence_level)
    pairs = tests.names[(ends.low <= alpha) & (alpha < ends.high)]
    if len(pairs) == 0:
        return []
    named = first_of(list(map(_named_pair, pairs)), MOST_NAMED)
    return [
        f"With other folds the unadjusted p of {len(pairs)} of {counted(len(tests), 'difference')} "
        f"may well lie on the other side of {format_number(alpha)}: {named}."
    ]


def _more_repeats(test: Any) -> str:
    """Return the argument that draws more repeats of the same folds; empty if it is not known."""
    splitter = str(test.origin.design.source).split("(")[0]
    if not splitter.startswith("Repeated"):
        return ""
    n_repeats = max(_MANY_REPEATS, 2 * test.n_repeats)
    return f": cv={splitter}(n_splits={test.n_folds}, n_repeats={n_repeats})"


def _names_as_heads(pairs: Sequence[Comparison], pair: Comparison) -> dict[Any, Any]:
    """Return the scores and the difference of a row of a print."""
    read = shown_as(pair.metric)
    cells: dict[Any, Any] = {}
    if len(pairs) > 1:
        cells["metric"] = read.name
    # in a tuple, as names may be those of other columns
    cells[(pair.estimator,)] = read.number(pair.score)
    cells[(pair.versus,)] = read.number(pair.score_versus)
    cells["difference"] = pair.test.estimate
    if len({other.estimator for other in pairs}) > 1:  # who is first differs
        any_loss = any(shown_as(other.metric).is_loss for other in pairs)
        cells["better score" if any_loss else "higher"] = cut(pair.estimator)
    return cells


def _evidence(pair: Comparison, alone: bool) -> dict[Any, Any]:
    """Return the cells of the intervals and p-values of a difference."""
    by = numbers_of(pair)
    evidence: dict[Any, Any] = {}
    intervals = by.intervals[:1] if by.unadjusted else by.intervals  # else p-values decide
    for ends, level in intervals:
        head = f"{by.unadjusted}{format_percent(level)} interval"
        evidence[head] = Cell(format_ends(*ends, padded=True, apart=by.apart), ends)
    for what, written, pvalue in by.pvalues:
        text = written.removeprefix("= ")
        if what and alone:
            head = f"p {what}"
        elif what:  # each row has its own question
            head = "p margin"
            text = f"{text} ({what})"
        elif pair.margin:
            head = "p difference"
        else:
            head = "adjusted p" if pair.adjusted else "p-value"
        evidence[head] = Cell(text, (pvalue,))
    if pair.test.undetermined:  # limits of p and the interval are no evidence
        return dict.fromkeys(evidence, EMPTY)
    return evidence


def _shown(pair: Comparison) -> Any:
    null = pair.test.null_value
    kind = pair.claim.kind
    if kind == "not shown":
        return EMPTY
    if null != 0 and kind in ("above", "below"):  # above it is not yet better
        return f"{kind} {format_number(null)}"
    return words_of_pair(pair).short


def test_table(test: Inference, most_rows: int) -> Table:
    """Return the first tests of an array, without numbers that are no evidence."""
    frame = with_shown_ends(test.to_frame()[:most_rows], test.scores)
    frame = frame.drop(columns="n_splits", errors="ignore")  # one number, which the title says
    undetermined = np.broadcast_to(np.ravel(test.undetermined)[:most_rows], len(frame))
    frame.loc[undetermined, ["low", "high", "statistic", "pvalue"]] = np.nan
    if not test.asked:
        frame = frame.drop(columns=["statistic", "df", "pvalue"])
    rows = frame.to_dict("records")
    for row in rows:
        for name, value in row.items():
            if name == "pvalue":
                row[name] = pvalue_cell(value)
            elif isinstance(value, int):
                row[name] = str(value)
            elif name == "df" and not np.isnan(value):
                row[name] = f"{value:g}"
    return as_table(rows, n_names=sum(isinstance(value, str) for value in frame.iloc[0]))
