"""What is said of comparisons: rankings, differences, verdicts and their number; tables."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import singledispatch
from itertools import chain
from typing import Any

import numpy as np

from .._utils._metrics import shown_as
from .._utils._shared_arguments import alpha_of
from .._utils._text import (
    SMALLEST_PVALUE,
    as_sentence,
    counted,
    cut,
    first_of,
    format_ends,
    format_number,
    format_percent,
    format_pvalue,
    is_constant,
    sentence_within,
    verb,
    visible,
)
from ..comparison import (
    SIZES_OF_MATRICES,
    Comparison,
    ComparisonResult,
    is_symmetric,
    numbers_of,
    rows_apart,
)
from ..scores import CVScores, Note, baseline_of, shown_ends, with_shown_ends
from ..stats import KINDS, CVTestResult, Inference, words_of
from ._document import (
    BLANK,
    EMPTY,
    NOTHING,
    Cell,
    NoteCode,
    Paragraph,
    Picture,
    Section,
    Table,
    noted,
)
from ._parts import Parts
from ._verdict import names_in_sentences, sentence

MOST_ROWS = 10
MOST_SHOWN = 12  # rows in a prompt
# Outcomes without a line of their own, because no difference was found.
_SILENT = ("not shown", "undetermined")
MOST_NAMES = 3
MOST_NAMED = 5
WIDEST_NAME = 40
_WIDEST_PAIR = len(" - ") + 2 * WIDEST_NAME
_MOST_NOTES = 3
_GREATER = "greater is better"
_WIDEST_NOTE = 160
# Rows on which two models disagree, and as if so many, where the answer counts them.
_FEW_APART = 20
_FEW_TELLING = 8
# With so many, two seeds seldom disagree.
_MANY_REPEATS = 10
POWER = 0.8
# The codes of notes that decide how a result is read, and what is printed of them; {} is what
# stands before the colon in the note.
_CAVEATS = {
    "groups split across training and test": (
        "groups are split across training and test, so the scores are too good"
    ),
    "few groups": "{}: the variance between them is poorly estimated",
    "surviving candidates": "candidates that the search dropped earlier are not considered",
    "left a race": "candidates that left the race are not considered",
}
# The codes of notes that are printed first.
_FIRST = {*_CAVEATS, "left out"}


def some(
    names: Iterable[str],
    call: str = "",
    most: int = MOST_NAMES,
    width: int = WIDEST_NAME,
    before_last: str = " and ",
    among: Iterable[str] = (),
) -> str:
    """List the first names, short but other than those they are among, and how many more."""
    names = [*names]
    short = names_in_sentences([*names, *among], width)
    names = list(map(short.__getitem__, names))
    if len(names) > most:
        see = f" (see {call})" if call else ""
        return f"{first_of(names, most)}{see}"
    if len(names) <= 2:  # with no semicolon between them
        names = [f'"{name}"' if "," in name else name for name in names]
    return first_of([*names[:-2], before_last.join(names[-2:])])


def and_more(n_left: int, where: str) -> list[str]:
    """Say how many rows a table leaves out and where they are; nothing where it has all."""
    if n_left <= 0:
        return []
    return [f"and {n_left} more, {where}"]


def some_metrics(metrics: Iterable[str], call: str = "metrics", most: int = MOST_NAMES) -> str:
    """List the first metrics as they are shown."""
    return some([shown_as(metric).name for metric in metrics], call, most)


def which_is_better(metrics: Sequence[str]) -> str:
    """Say for which metrics greater scores are better."""
    losses = [metric for metric in metrics if shown_as(metric).is_loss]
    if not losses:
        return _GREATER
    of_some = f"{_GREATER}, except for {some_metrics(losses)} (lower is better)"
    return "lower is better" if len(losses) == len(metrics) else of_some


def direction_of(metrics: Sequence[str], favoured: str = "the first") -> list[str]:
    """Say of losses that lower is better, and whom a positive difference favours."""
    better = which_is_better(metrics)
    if better == _GREATER:
        return []
    return [as_sentence(f"{better}; a positive difference favours {favoured}")]


def notes_of(said: Parts) -> list[Paragraph]:
    """Return the first notes that limit the answer; of those given as warnings the codes."""
    notes = said.notes
    warned = set(getattr(said.result, "warned", ()))
    codes = dict.fromkeys(note.code for note in notes if note in warned and not _caveat_of(note))
    lines = {}
    for note in sorted(notes, key=_seriousness):
        if note.is_printed and note.code not in codes:
            line = _printed_note(_caveat_of(note) or note.text, note)
            lines[_CAVEATS.get(note.code, note.text)] = line
    written = list(lines.values())[:_MOST_NOTES]
    if codes:
        written.insert(0, _listed_codes(list(codes)))
    if len(lines) > _MOST_NOTES:
        written.append(f"And {len(lines) - _MOST_NOTES} more (result.notes).")
    return written


def in_full(notes: Iterable[Note]) -> list[Paragraph]:
    """Return notes as sentences."""
    return [noted(as_sentence(visible(note.text)), note) for note in notes]


def _caveat_of(note: Note) -> str:
    """Return what is printed of a note that decides how a result is read; empty for others."""
    what = note.text.partition(":")[0]
    return _CAVEATS.get(note.code, "").format(what)


def _seriousness(note: Note) -> tuple[bool, bool]:
    """Order notes: first those that decide how a result is read, then those that warn."""
    return note.code not in _FIRST, note.category is None


def _printed_note(text: str, note: Note) -> Paragraph:
    most = _WIDEST_NOTE - len(note.code_in_brackets)
    return noted(sentence_within(visible(text), most), note)


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


def intervals_of(tests: Iterable[Any], level: float | None = None) -> list[tuple[Any, ...]]:
    """Return the scores and the ends of the interval of each test that has one."""
    return [(of.scores, *of.confidence_interval(level)) for of in tests if of.has_interval]


def intervals_of_families(result: ComparisonResult) -> list[tuple[Any, ...]]:
    """Return the scores and the ends of all intervals that a comparison shows."""
    level = result.confidence_level
    families = [of for of in result.tests_by_metric.values() if of.inference.has_interval]
    intervals = intervals_of((of.joint.own_scores for of in families if not of.alone), level)
    for of in families:
        intervals.append((of.inference.scores, *of.family.intervals(of.inference, level)))
    return intervals


def cut_said(intervals: Iterable[tuple[Any, ...]]) -> list[str]:
    """Return a sentence if an interval reaches beyond the range of its metric."""
    for scores, *ends in intervals:
        if not np.array_equal(ends, shown_ends(scores, *ends), equal_nan=True):
            return [
                "Intervals are cut where the metric ends; p-values and margins use the uncut ones."
            ]
    return []


def differences_of(result: ComparisonResult, level: int, most_rows: int) -> list[Section]:
    """Return the differences of a metric as a table, what is shown first."""
    (tests,) = result.tests_by_metric.values()
    if not len(tests):
        return []
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
    section.paragraphs.extend(map(as_sentence, more))
    section.paragraphs.extend(direction_of(result.metrics))
    section.paragraphs.extend(_open_over_folds(tests))
    if not isinstance(pairs[0].test, CVTestResult):  # words of its own
        section.points.extend(
            f"{sentence(each)}." for each in pairs if each.claim.kind not in _SILENT
        )
    return [section]


def ranking_of(result: ComparisonResult, ranked: Any, level: int, most_rows: int) -> list[Section]:
    """Rank the models in a metric, at least all that could be the best."""
    (metric,) = result.metrics
    places = np.flatnonzero(ranked["could_be_best"].eq(True))
    most_rows = max(most_rows, 1 + int(places.max(initial=0)))
    read = as_read(ranked, metric)
    table, left = score_table(read, result.confidence_level, head="estimator", most_rows=most_rows)
    (tests,) = result.tests_by_metric.values()
    table = with_baseline(table, tests.scores)
    below: list[Any] = list(map(as_sentence, and_more(left, "see ranking()")))
    below += why_not_best(result, ranked)
    words = f"The {shown_as(metric).name} of {counted(len(ranked), 'estimator')}, best first."
    legend = of_single(result) if ranked["low"].notna().any() else ""
    picture = Picture("ranking", metric, words, legend)
    return [Section("Ranking", level, table, picture, below)]


def answer_of_two(pair: Comparison) -> str:
    """Say in a sentence how two models compare, and on how few rows if that matters."""
    names = names_in_sentences([pair.estimator, pair.versus])
    return f"{sentence(pair, names=names)}{disagreement_of(pair.test)}."


def answer_of(result: ComparisonResult, ranked: Any) -> str:
    """Say in a sentence which models could be the best, or how they compare with the reference."""
    (tests,) = result.tests_by_metric.values()
    read = shown_as(result.metrics[0])
    what = cut(read.name)
    if result.reference is not None and len(tests):
        what += f" against {some([str(tests.names[0, 1])], among=result.names)}"
        said = _against_reference(result)
    elif ranked["could_be_best"].notna().all():
        is_best = ranked["could_be_best"].astype(bool)
        inside = ranked["estimator"][is_best].tolist()
        outside = ranked["estimator"][~is_best].tolist()
        said = _could_be_best(inside, outside, search_of(tests.scores))
    else:
        said = _counted_outcomes(result)
    direction = " (lower is better)" if read.is_loss else ""
    level = format_percent(result.confidence_level)
    return f"{what}{direction}: {said} ({level} confidence)."


def _could_be_best(inside: list[str], outside: list[str], search: dict[str, Any]) -> str:
    """Say which models could be the best, and which not if it is one."""
    n_models = len(inside) + len(outside)
    models = f"candidates{search.get('kept', '')}" if search else "models"
    every = [*inside, *outside]
    who = some(inside, before_last=" or ", among=every)
    if not outside:
        return f"any of the {n_models} {models} could be the best"
    if len(inside) == 1:
        return f"only {who} could be the best"
    if len(inside) > MOST_NAMES:
        return f"{len(inside)} of {n_models} {models} could be the best: {who}"
    others = f"the other {len(outside)} are not"
    if len(outside) == 1:
        others = f"{some(outside, among=every)} is not"
    return f"{who} could be the best; {others}"


def _counted_outcomes(result: ComparisonResult) -> str:
    """Say how many pairs have each outcome, where no best set says more."""
    (tests,) = result.tests_by_metric.values()
    if not len(tests):
        return "no pairs were compared"
    shown = np.flatnonzero(~np.isin(tests.kinds, _SILENT)).tolist()
    if set(tests.kinds[shown]) <= {"above", "below", "different"}:
        are = verb(len(shown), "is", "are")
        said = f"{len(shown)} of {counted(len(tests), 'difference')} {are} significant"
        others = np.setdiff1d(np.arange(len(tests)), shown)
        said += _named_if_one(": ", shown, tests)
        return f"{said}{_named_if_one('; not ', others, tests)}"
    # only such a procedure knows what it shows
    briefs = Counter(result.comparisons[k].claim.brief for k in shown)
    return "; ".join(f"{n} of {len(tests)} pairs {brief}" for brief, n in briefs.items())


def why_not_best(result: ComparisonResult, ranked: Any) -> list[str]:
    """Explain models that could not be the best where the other columns do not show why."""
    if not ranked["could_be_best"].notna().all():
        return []
    return [*_close_to_first(result, ranked), *_out_of_order(result, ranked)]


def _close_to_first(result: ComparisonResult, ranked: Any) -> list[str]:
    """Say why some could not be the best though they do not differ significantly from the first."""
    (tests,) = result.tests_by_metric.values()
    if not is_symmetric(tests.procedure) or result.reference is not None:
        return []
    first = ranked["estimator"].iloc[0]
    outside = ranked["estimator"][~ranked["could_be_best"].astype(bool)]
    pairs = tests.names[tests.pvalues_adjusted > alpha_of(result.confidence_level)]
    close = set(pairs[(pairs == first).any(axis=1)].flat)
    names = outside[outside.isin(close)].tolist()
    if not names:
        return []
    n_others = counted(len(tests.joint.estimates) - 1, "one-sided comparison")
    return [
        f"{some(names, among=result.names)} could not be the best, though not significantly "
        f"different from {some([first], among=result.names)}: that takes {n_others}, not "
        f"{counted(len(tests), 'two-sided one')}."
    ]


def _out_of_order(result: ComparisonResult, ranked: Any) -> list[str]:
    """Say why one could not be the best though another with a worse score could."""
    inside = ranked["could_be_best"].to_numpy(dtype=bool)
    last = np.flatnonzero(inside)[-1:].max(initial=0)
    higher = ~inside & (ranked["score"] > ranked["score"][last]).to_numpy()
    if not higher.any():
        return []
    first = some([ranked["estimator"][int(higher.argmax())]], among=result.names)
    other = some([ranked["estimator"][int(last)]], among=result.names)
    return [
        f"{first} could not be the best, though {other} with a worse score could: it also "
        "depends on how much differences vary."
    ]


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
    """Say how the models compare with the reference, by outcome."""
    (tests,) = result.tests_by_metric.values()
    others = tests.names[:, 0]
    parts = []
    for kind in sorted(set(tests.kinds.tolist()), key=[*KINDS].index):
        which = np.flatnonzero(tests.kinds == kind)
        who = str(len(which))
        if len(tests) <= MOST_NAMES or len(which) == 1:
            who = some(others[which], among=result.names)
        are = verb(len(which), "is", "are")
        parts.append(f"{who} {are} {_outcome_of(result.comparisons[int(which[-1])])}")
    return "; ".join(parts)


def _outcome_of(pair: Comparison) -> str:
    """Say in few words what is shown of the first of two models."""
    test = pair.test
    if test.null_value != 0 and not test.undetermined:
        return pair.claim.brief
    names = pair.estimator, pair.versus
    return words_of(pair.claim.kind, names, pair.metric, pair.margin, test.alternative).short


def disagreement_of(test: Inference) -> str:
    """Say on how few rows two models are not equally right; empty where on many, or of losses."""
    if test.scores is None or not test.paired:
        return ""
    apart = rows_apart(test.scores)
    if apart is None:
        return ""
    sums, is_apart = apart
    n_apart = np.count_nonzero(is_apart)
    squares = np.square(sums - sums.mean())
    is_told_by_few = squares.sum() ** 2 < _FEW_TELLING * np.square(squares).sum()
    if n_apart == 0 or not (is_told_by_few or n_apart <= _FEW_APART):
        return ""
    unit = {"groups": "rows"}.get(test.unit, test.unit)
    return f"; the models disagree on {n_apart} of {len(sums)} {unit}"


def undetermined_of(tests: Any) -> list[str]:
    """Name the differences that do not vary."""
    pairs = _named_pairs(tests.names[tests.undetermined], tests)
    if not pairs:
        return []
    what = some(pairs, width=_WIDEST_PAIR)
    return [f"Undetermined, as the difference does not vary: {what}."]


def _named_if_one(before: str, places: Any, tests: Any) -> str:
    """Name the difference at the only place, after some words; nothing where there are several."""
    if len(places) != 1:
        return ""
    return f"{before}{some(_named_pairs(tests.names[places], tests), width=_WIDEST_PAIR)}"


def _named_pairs(pairs: Any, tests: Any) -> list[str]:
    """Name differences by their two estimators, short but other than all that are compared."""
    short = names_in_sentences(tests.names.ravel().tolist(), WIDEST_NAME)
    return [f"{short[first]} - {short[second]}" for first, second in pairs]


def _not_shown(result: ComparisonResult) -> str:
    """Say how many differences are not significant, or how many pairs a margin leaves open."""
    (tests,) = result.tests_by_metric.values()
    silent = np.flatnonzero(tests.kinds == "not shown")
    outcome = _outcome_of(result.comparisons[int(silent[0])])
    are = verb(len(silent), "is", "are")
    said = f"{len(silent)} of {counted(len(tests), 'pair')} {are} {outcome}"
    said += _named_if_one(": ", silent, tests)
    if tests.margin is None and tests.inference.null_value == 0:
        said += "; that is not evidence of equality"
    return f"{said}."


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
        kept += [f"{pair}{where}" for pair in _named_pairs(pairs, tests)]
    these = "no difference is significant"
    if kept:
        these = f"these stay significant: {first_of(kept, MOST_NAMES)}"
    return [
        f"{cut(shown_as(result.metrics[0]).name)} comes first, so it is the primary metric; "
        "p-values are not adjusted for the number of metrics; at level "
        f"{alpha:.3g}/{n_metrics} {these}."
    ]


def as_table(rows: Sequence[dict[Any, Any]], n_names: int = 0) -> Table:
    """Return the table of rows by their heads: of texts, numbers, two ends each, and cells."""
    heads = dict.fromkeys(chain.from_iterable(rows))
    cells = [tuple(cell_of(row.get(head, EMPTY)) for head in heads) for row in rows]
    return Table(tuple(map("".join, heads)), tuple(cells), n_names)  # a head may be in a tuple


@singledispatch
def cell_of(value: Any) -> Cell:
    """Return the cell of a text, a number, or the two ends of an interval; a cell is one already.

    What is missing, and an interval without a width, is an empty cell.
    """
    if np.isnan(value):
        return EMPTY
    return Cell(format_number(value, padded=True), (float(value),))


cell_of.register(str, Cell)


@cell_of.register
def _(value: Cell) -> Cell:
    return value


@cell_of.register
def _(value: tuple) -> Cell:
    low, high = value
    if low < high:
        return Cell(format_ends(low, high, padded=True), (low, high))
    return EMPTY


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
    most_rows = len(ranked) if len(ranked) <= MOST_SHOWN else most_rows
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
    cells += [BLANK] * (len(table.columns) - len(cells))
    return replace(table, rows=(*table.rows, tuple(cells)))


def difference_table(pairs: Sequence[Comparison], *, alone: bool = True) -> Table:
    """Return a row for each difference; with both scores where each is alone in its metric."""
    rows = []
    for pair in pairs:
        cells: dict[Any, Any] = {"estimator": cut(pair.estimator), "versus": cut(pair.versus)}
        if alone:
            read = shown_as(pair.metric)
            cells["score"] = read.number(pair.score)
            cells["score of the other"] = read.number(pair.score_versus)
        cells["difference"] = pair.test.estimate
        cells |= evidence_of_pair(pair, alone)
        if not alone and isinstance(pair.test, CVTestResult):
            shown = _outcome_of(pair).removeprefix("significantly ")
            cells["shown"] = EMPTY if pair.claim.kind == "not shown" else shown
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
    named = first_of(_named_pairs(pairs, tests), MOST_NAMED)
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


def evidence_of_pair(pair: Comparison, alone: bool, brief: bool = False) -> dict[Any, Any]:
    """Return the cells of a difference's intervals, in brief one of them, and p-values."""
    by = numbers_of(pair)
    evidence: dict[Any, Any] = {}
    intervals = by.intervals
    if by.unadjusted:  # then p decides
        intervals = intervals[:1]
    elif brief:
        intervals = _deciding(pair, intervals)
    for ends, level in intervals:
        head = f"{by.unadjusted}{format_percent(level)} interval"
        evidence[head] = Cell(format_ends(*ends, padded=True, apart=by.apart), ends)
    for k, (what, written, pvalue) in enumerate(by.pvalues):
        text = written.removeprefix("= ")
        head = f"p {what.removeprefix('a ')}"
        if not what:
            head = "adjusted p" if pair.adjusted else "p-value"
        elif k > 0 and not alone:  # each row has its own question
            head = "p margin"
            text = f"{text} ({what})"
        evidence[head] = Cell(text, (pvalue,))
    if pair.test.undetermined:  # limits of p and the interval are no evidence
        return dict.fromkeys(evidence, EMPTY)
    return evidence


def _deciding(pair: Comparison, intervals: list[Any]) -> list[Any]:
    """Return the interval that agrees with the verdict: only claims within it need the margin's."""
    kind = KINDS[pair.claim.kind]
    return intervals[-1:] if kind.low == -1 or kind.high == 1 else intervals[:1]


def test_table(test: Inference, most_rows: int) -> Table:
    """Return the first tests of an array, without numbers that are no evidence."""
    frame = with_shown_ends(test.to_frame()[:most_rows], test.scores)
    frame = frame.drop(columns="n_splits", errors="ignore")  # one number, which the title says
    undetermined = np.broadcast_to(np.ravel(test.undetermined)[:most_rows], len(frame))
    frame.loc[undetermined, ["low", "high", "statistic", "pvalue"]] = np.nan
    n_names = frame.select_dtypes(exclude="number").shape[1]
    written = frame.assign(**frame.select_dtypes("integer").astype(str))
    written["pvalue"] = frame["pvalue"].map(pvalue_cell)
    written["df"] = frame["df"].map("{:g}".format).replace("nan", NOTHING)
    if not test.asked:
        written = written.drop(columns=["statistic", "df", "pvalue"])
    return as_table(written.to_dict("records"), n_names=n_names)
