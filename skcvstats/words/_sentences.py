"""What is said of a result in sentences: estimates, verdicts, differences, counts of them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from .._utils._checks import alpha_of
from .._utils._metrics import shown_as
from .._utils._text import (
    counted,
    cut,
    first_of,
    format_ends,
    format_interval,
    format_number,
    format_percent,
    format_pvalue,
    separator,
    visible,
)
from ..comparison import Comparison, ComparisonResult
from ..model_selection import CHOSEN_METHOD, RacingSearchCV
from ..scores import CVScores, Note, shown_ends, union
from ..stats import (
    ADJUSTMENTS,
    BESIDE,
    KINDS,
    UNNAMED_ESTIMATE,
    CVTestResult,
    Inference,
    Words,
    is_symmetric,
    margin_question,
    within,
    words_of,
)

# Outcomes without a line of their own, because no difference was found.
SILENT = ("not shown", "undetermined")
_MOST_NAMES = 3
_MOST_SENTENCES = 10
_MOST_WORDS = 40
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
# Rows on which two models disagree, and as if so many, where the answer counts them.
_FEW_APART, _FEW_TELLING = 20, 8
WIDEST_NAME = 40
_WIDEST_LABEL = 203  # of a difference: two names


def some(names: Iterable[str], call: str, most: int = _MOST_NAMES, width: int = WIDEST_NAME) -> str:
    """List the first names, and how many more there are."""
    names = [cut(name, width) for name in names]
    if len(names) > most + 1:
        return f"{first_of(names, most)} (see {call})"
    if len(names) <= 2:  # with no semicolon between them
        names = [f'"{name}"' if "," in name else name for name in names]
    return " and ".join(filter(None, [separator(names).join(names[:-1]), names[-1]]))


def some_metrics(metrics: Iterable[str], call: str = "metrics", most: int = _MOST_NAMES) -> str:
    """List the first metrics as they are shown."""
    return some([shown_as(metric).name for metric in metrics], call, most)


def which_is_better(metrics: Sequence[str], *, compared: bool = True) -> str:
    """Say of which metrics greater scores are better, and what a positive difference means."""
    losses = [metric for metric in metrics if shown_as(metric).is_loss]
    if not losses:
        return "greater is better"
    of_some = f"greater is better, except for {some_metrics(losses)} (lower is better)"
    said = "lower is better" if len(losses) == len(metrics) else of_some
    return f"{said}; a positive difference favours the first" if compared else said


def caveats(notes: Iterable[Note]) -> list[str]:
    """Return a line for each note that decides how a result is read, for its header."""
    lines = []
    for note in notes:
        if (line := _CAVEATS.get(note.code)) is not None:
            first = visible(note.text).partition(":")[0]
            lines.append(line.format(f"{first[0].upper()}{first[1:]}"))
    return list(dict.fromkeys(lines))


def footnotes(notes: Iterable[Note], warned: Iterable[Note] = ()) -> list[str]:
    """Return the printed lines about other notes, without the sentences of warnings."""
    notes, warned = [note for note in notes if note.code not in _CAVEATS], set(warned)
    told = union(note for note in notes if note not in warned)
    last = [f"Note: {visible(note.text)}." for note in notes if note.code == CHOSEN_METHOD]
    lines = [f"Note: {visible(note.text)}." for note in told if note.code != CHOSEN_METHOD]
    given = dict.fromkeys(note.code for note in notes if note in warned)
    if given:
        lines.append(f"Warnings: {', '.join(given)} (see result.notes).")
    return [*lines, *last]


def tested_by(result: ComparisonResult) -> str:
    """Name the procedure, and where metrics have different ones, for what each is."""
    titles = {tests.inference.title for tests in result.tests_by_metric.values()}
    if len(titles) == 1:
        return str(titles.pop())
    of_each = [f"{title} for {some_metrics(of)}" for title, of in by_title(result).items()]
    return ", ".join(of_each)


def by_title(result: ComparisonResult) -> dict[str, list[str]]:
    """Return the metrics of each procedure, by its title."""
    metrics: dict[str, list[str]] = {}
    for metric, tests in result.tests_by_metric.items():
        metrics.setdefault(tests.inference.title, []).append(metric)
    return metrics


def on_test_set(scores: CVScores | None) -> bool:
    """Whether scores are those of fitted models on one test set."""
    return scores is not None and scores.design.on_test_set


def estimated(test: Inference, brief: bool) -> str:
    """Say in a sentence what was estimated, and how sure it is; in brief also how."""
    said, sure, read = test.describe(), "", shown_as(test.metric, test.paired)
    if test.has_interval and not test.undetermined:
        ends = shown_ends(test.scores, *test.confidence_interval())
        sure = f" ({format_interval(*read.ends(*ends), test.confidence_level)})"
    label, metric = cut(test.label, _WIDEST_LABEL), shown_as(test.metric)
    what = f"{visible(metric.name)}{'' if test.label == UNNAMED_ESTIMATE else f' of {label}'}"
    if test.paired:
        names = cut(test.estimator), cut(test.versus)
        label = metric.difference(*names) if metric.is_loss else label
        what = f"difference in {visible(metric.name)}, {label},"
    estimate = format_number(read.number(test.estimate))
    found = f"The expected {what} is estimated as {estimate}{sure}"
    if brief:
        finding = f": {said.finding}" if said.finding else ""
        return f"{found} for {said.subject}, by the {test.title}, {said.sizes}{finding}."
    if test.undetermined:
        return f"{found}, which is undetermined."
    asked = ""
    if test.asked:
        null = getattr(test, "null_value", None) if isinstance(test, CVTestResult) else None
        against = "" if null is None else f" against {format_number(read.number(null))}"
        asked = f", p {format_pvalue(test.pvalue, said.smallest_pvalue)}{against}"
    return f"{found}{asked}."


def disagreement(test: Inference) -> str:
    """Say on how few rows two models are not equally right; empty where on many, or of losses."""
    if test.scores is None or not test.paired:
        return ""
    rows, of_means = test.scores.row_scores, test.scores.components
    parts: Iterable[tuple[Any, np.ndarray]]
    if rows is not None:  # split by split, in little memory
        parts = (rows.split(k) for k in range(len(rows.offsets) - 1))
        n_rows = int(rows.rows.max()) + 1
    elif of_means is None or of_means.kind not in ("correct", "means"):
        return ""
    else:
        facts, apart = (
            of_means.facts,
            of_means.rows("sums" if of_means.kind == "means" else "correct")[0],
        )
        if of_means.kind == "means":
            if facts["grouped"] or facts["weighted"]:
                return ""
            off = np.ldexp(apart, -facts["exponent"])
            apart = np.round(off + test.scores.values.flat[0], 9)
        n_rows, parts = apart.size, [(slice(None), apart)]
    sums, (tested, differ) = np.zeros(n_rows), np.zeros((2, n_rows), dtype=bool)
    for of_part, apart in parts:
        some = apart[:1000]  # which tell most
        if not all((np.square(of) == np.abs(of)).all() for of in (some, apart)):
            return ""  # other than -1, 0 and 1
        sums[of_part] += apart
        tested[of_part] = True
        differ[of_part] |= apart != 0
    sums, n_apart = sums[tested], np.count_nonzero(differ)
    squares = np.square(sums - sums.mean())
    few = squares.sum() ** 2 < _FEW_TELLING * np.square(squares).sum() or n_apart <= _FEW_APART
    said = f"; the models disagree on {n_apart} of {len(sums)} rows"
    return said if n_apart and few else ""


def cut_said(result: Any) -> list[str]:
    """Return a sentence if an interval reaches beyond the range of its metric."""
    level, intervals = result.confidence_level, []
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


class Numbers(NamedTuple):
    """The numbers that decide about a comparison, as they are shown."""

    intervals: list[tuple[tuple[float, float], float]]  # and their levels; the margin's is last
    pvalues: list[tuple[str, float, float]]  # what each is for, and its error; the margin's is last
    smallest: float  # below it texts only say that p is smaller
    apart: tuple[float, ...]  # what the ends are compared with
    unadjusted: str  # what is said before an interval that is not adjusted as p is


def numbers_of(comparison: Comparison) -> Numbers:
    """Return the intervals and p-values that decide; of a margin those nearest to the verdict."""
    test, margin, pvalue = comparison.test, comparison.margin, comparison.pvalue_adjusted
    family, level = comparison.family, comparison.confidence_level
    pvalues, found = [("", pvalue, comparison.pvalue_error)], []
    if test.has_interval:
        found.append((family.intervals(test, level), level))
    if margin is not None:
        assert comparison.margin_pvalues is not None, "they come with it"
        sides = _sides(comparison.test)
        if not family.joint and sides == "two-sided":
            found.append((family.margin_intervals(test, level), 1 - 2 * comparison.alpha))
        what, p = margin_question(comparison.claim.kind, comparison.margin_pvalues, margin, sides)
        error = comparison.pvalue_error if p == pvalue else float(family.error_of(p))
        pvalues.append((what, p, error))
    intervals = [(shown_ends(test.scores, *ends), level) for ends, level in found]
    apart = float(getattr(test, "null_value", 0.0)), *(margin or ())
    is_alone = comparison.adjusted and test.has_interval and not family.joint
    unadjusted = "unadjusted " if is_alone else ""  # then it does not decide
    return Numbers(intervals, pvalues, test.describe().smallest_pvalue, apart, unadjusted)


def verdict_of(comparison: Comparison) -> str:
    """Say what is shown, with its numbers; without a full stop."""
    claim, test, by = comparison.claim, comparison.test, numbers_of(comparison)
    names = cut(comparison.estimator), cut(comparison.versus)
    what = shown_as(comparison.metric).difference(*names)
    numbers = [f"{what} = {format_number(test.estimate)}"]
    if claim.kind != "undetermined":
        numbers += [
            f"{by.unadjusted}{format_interval(*ends, level, apart=by.apart)}"
            for ends, level in by.intervals
        ]
        own, *of_margin = [format_pvalue(p, by.smallest, error) for _, p, error in by.pvalues]
        for written in of_margin:
            own += f" for a difference, {written.removeprefix('= ')} for {by.pvalues[-1][0]}"
        numbers.append(f"{_p(comparison)} {own}")
    return f"{claim.words} ({', '.join(numbers)})"


def _p(comparison: Comparison) -> str:
    return "adjusted p" if comparison.adjusted else "p"


def _sides(test: Any) -> str:
    return getattr(test, "alternative", "two-sided")


def difference_line(comparison: Comparison) -> str:
    """Return a line about what is shown of a difference, in its order."""
    test, kind = comparison.test, comparison.claim.kind
    if not isinstance(test, CVTestResult) or test.null_value != 0:
        return verdict_of(comparison)
    first, second = cut(comparison.estimator, WIDEST_NAME), cut(comparison.versus, WIDEST_NAME)
    plain, said = comparison.margin is None, words_of_pair(comparison)
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
    kind, by, question = comparison.claim.kind, numbers_of(comparison), ""
    within_it = kind in ("equivalent", "not worse", "not better")
    (low, high), _ = by.intervals[-1 if within_it else 0]
    what, pvalue, error = by.pvalues[-1 if KINDS[kind].pvalue else 0]
    if comparison.margin is not None:
        question = f" for {what or 'a difference'}"
    apart = by.apart
    if turned:
        low, high, apart = -high, -low, tuple(-value for value in apart)
    ends = format_ends(low, high, padded=True, apart=apart)
    written = format_pvalue(pvalue, by.smallest, error)
    return f"{by.unadjusted}{ends}, {_p(comparison)} {written}{question}"


def answer(result: ComparisonResult, ranked: Any, brief: bool) -> str:
    """Say which estimators could be the best, and how the reference compares, in a sentence."""
    if brief:
        return _answered(result, ranked, _MOST_NAMES)
    said = (_answered(result, ranked, most_names) for most_names in (3, 2, 1))  # as many as fit
    fitting = (text for text in said if len(text.split()) <= _MOST_WORDS)
    return next(fitting, None) or _answered(result, ranked, 0)


def _answered(result: ComparisonResult, ranked: Any, most_names: int) -> str:
    (tests,) = result.tests_by_metric.values()
    parts = []
    if ranked["could_be_best"].notna().all():
        best = ranked["estimator"][ranked["could_be_best"].astype(bool)].tolist()
        search = search_of(tests.scores)
        what = f"candidates{search.get('kept', '')}" if search else "estimators"
        if len(best) == len(ranked):
            parts.append(f"any of the {len(ranked)} {what} could be the best")
        elif len(best) == 1:
            parts.append(f"only {some(best, '')} could be the best")
        else:
            who = f": {some(best, 'best_set()', most_names)}" if most_names else ""
            parts.append(f"{len(best)} of {len(ranked)} {what} could be the best{who}")
    if result.reference is not None:
        parts.append(_against_reference(result))
    if not parts and not len(tests):
        parts.append("no pairs were compared")
    if not parts:
        shown = np.flatnonzero(~np.isin(tests.kinds, SILENT)).tolist()
        if set(tests.kinds[shown]) <= {"above", "below", "different"}:
            parts.append(f"{len(shown)} of {counted(len(tests), 'difference')} significant")
        else:  # only such a procedure knows what it shows
            briefs = Counter(result.comparisons[k].claim.brief for k in shown)
            parts += [f"{n} of {len(tests)} pairs {brief}" for brief, n in briefs.items()]
    return f"{'; '.join(parts)} ({format_percent(result.confidence_level)} confidence)."


def left_out(result: ComparisonResult, ranked: Any) -> str:
    """Say why some could not be the best though they do not differ significantly from the first."""
    (tests,) = result.tests_by_metric.values()
    if not is_symmetric(tests.procedure) or not ranked["could_be_best"].eq(True).iloc[0]:
        return ""
    first, outside = ranked["estimator"].iloc[0], ranked[~ranked["could_be_best"].astype(bool)]
    pairs = tests.names[tests.pvalues_adjusted > alpha_of(result.confidence_level)]
    close = set(pairs[(pairs == first).any(axis=1)].flat)
    names = [name for name in outside["estimator"] if name in close]
    if not names:
        return ""
    n_pairs, n_others = tests.n_adjusted, len(ranked) - 1
    why = "the best set only asks whether another is better"
    if n_others < n_pairs and result.adjustment != "none":
        why += f", in {n_others} comparisons instead of {n_pairs}"
    return (
        f"{some(names, 'ranking()')} could not be the best, though not significantly different "
        f"from {cut(first, WIDEST_NAME)}: {why}."
    )


def out_of_order(ranked: Any) -> str:
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
    search, n_all = search_of(tests.scores), len(tests.joint.estimates)
    n_all = search.get("tried", n_all)
    of = "" if n_all == len(result.names) else f" of {n_all}"
    return f"{len(result.names)}{of} {'candidates' if search else 'estimators'}"


def search_of(scores: CVScores | None) -> dict[str, Any]:
    """Return the facts about the search whose candidates are compared; else empty."""
    return {} if scores is None else scores.provenance.get("search") or {}


def _against_reference(result: ComparisonResult) -> str:
    """Count the outcomes of all estimators against the reference."""
    (tests,), comparisons = result.tests_by_metric.values(), result.comparisons
    last = {kind: k for k, kind in enumerate(tests.kinds.tolist())}
    parts = []
    for kind in (kind for kind in KINDS if kind in last):
        pair = comparisons[last[kind]]
        of_null = getattr(pair.test, "null_value", 0) == 0 or kind == "undetermined"
        said = words_of_pair(pair).short if of_null else pair.claim.brief
        parts.append(f"{np.count_nonzero(tests.kinds == kind)} {said}")
    return f"against {cut(comparisons[0].versus, WIDEST_NAME)}: {separator(parts).join(parts)}"


def words_of_pair(comparison: Comparison) -> Words:
    """Return the words for the outcome of a comparison, without the metric."""
    names = cut(comparison.estimator, WIDEST_NAME), cut(comparison.versus, WIDEST_NAME)
    kind, metric, sides = comparison.claim.kind, comparison.metric, _sides(comparison.test)
    return words_of(kind, names, metric, comparison.margin, sides, named=False)


def not_named(result: ComparisonResult, n_more: int) -> str:
    """Say how many differences were not named, and how many are not significant."""
    (tests,) = result.tests_by_metric.values()
    sentences, with_margin = [], tests.margin is not None
    if n_more:
        are = "is" if n_more == 1 else "are"
        more = f"{counted(n_more, 'more difference')} {are} significant"
        more = counted(n_more, "more verdict") if with_margin else more
        sentences.append(f"{more}, see to_frame().")
    sentences.append(not_shown(result))
    undetermined = [
        " - ".join(cut(name, WIDEST_NAME) for name in pair)
        for pair in tests.names[tests.undetermined]
    ]
    if undetermined:
        what = some(undetermined, "to_frame()", width=len(" - ") + 2 * WIDEST_NAME)
        sentences.append(f"Undetermined, as the difference does not vary: {what}.")
    return " ".join(filter(None, sentences))


def not_shown(result: ComparisonResult) -> str:
    """Say how many differences are not significant, or how many pairs a margin leaves open."""
    (tests,) = result.tests_by_metric.values()
    silent = tests.kinds == "not shown"
    if not silent.any():
        return ""
    sides = _sides(tests.inference)
    n_silent, n_comparisons = np.count_nonzero(silent), len(tests)
    are, null = "is" if n_silent == 1 else "are", getattr(tests.inference, "null_value", 0)
    if tests.margin is not None:
        of, bounds = f"{n_silent} of {counted(n_comparisons, 'pair')}", tests.each_bounds[silent]
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


def parts_of_adjusted(result: ComparisonResult) -> tuple[str, str, str]:
    """Say what was adjusted and how, then that intervals were not, and for what nothing was."""
    if not len(result):
        sides = _sides(next(iter(result.tests_by_metric.values())).inference)
        given = {"margin": result.margin, f'alternative="{sides}"': sides != "two-sided"}
        unused = ", ".join(what for what, used in given.items() if used)
        return f"no pairs were compared{unused and f' (not used: {unused})'}, see pairs()", "", ""
    what = "comparison" if _sides(result.tests[0]) == "two-sided" else "one-sided comparison"
    sizes = {metric: len(tests) for metric, tests in result.tests_by_metric.items()}
    together = result.adjust_over == "metrics"
    each = "" if len(sizes) == 1 else f" in {'' if together else 'each of '}{len(sizes)} metrics"
    number = f"{counted(result.n_adjusted, what)}{each}"
    if len(set(sizes.values())) > 1 and not together:
        parts = [f"{counted(n, what)} in {shown_as(metric).name}" for metric, n in sizes.items()]
        number = f"{', '.join(parts[:-1])} and {parts[-1]}"
    adjustment = ADJUSTMENTS[result.adjustment]
    alone = len(result.metrics) == 1 or together
    further = "" if alone else "; not adjusted for the metrics"
    has_intervals = result.tests[0].has_interval
    if result.adjustment == "none":
        which = "neither p-values nor intervals are" if has_intervals else "p-values are not"
        return f"{which} adjusted for {number}", "", ""
    by = f"adjusted by {adjustment.words} for {number}"
    if has_intervals and adjustment.has_intervals:
        return f"p-values and intervals are {by}", "", further
    return f"p-values are {by}", ", intervals not" if has_intervals else "", further


def of_primary(result: ComparisonResult) -> list[str]:
    """Say that the first of several metrics counts, and what is significant if all of them do."""
    tests_by_metric, n_metrics = result.tests_by_metric, len(result.metrics)
    if n_metrics == 1 or result.adjust_over == "metrics" or not len(result):
        return []
    alpha, kept = alpha_of(result.confidence_level), []
    for metric, tests in tests_by_metric.items():
        pairs = tests.names[tests.pvalues_adjusted <= alpha / n_metrics]
        names = (" - ".join(cut(name, WIDEST_NAME) for name in pair) for pair in pairs)
        kept += [f"{pair} in {cut(shown_as(metric).name)}" for pair in names]
    these = (
        f"these stay significant: {first_of(kept, _MOST_NAMES)}" if kept else "none is significant"
    )
    return [
        f"{cut(shown_as(result.metrics[0]).name)} comes first, so it is the primary metric; "
        "p-values are not adjusted for the number of metrics; at level "
        f"{alpha:.3g}/{n_metrics} {these}."
    ]


def sentences_of(result: ComparisonResult) -> list[str]:
    """Return the first comparisons as sentences, and how many more there are."""
    shown = [str(comparison) for comparison in result.comparisons[:_MOST_SENTENCES]]
    left = len(result.comparisons) - len(shown)
    return shown + ([f"{counted(left, 'more comparison')} in the table."] if left else [])


def said_of_race(race: RacingSearchCV) -> Iterator[str]:
    """Say how many were followed and what that saved, what is shown, and the highest mean."""
    frame, claims = race.to_frame(), race.rule == "evidence"
    left, whole = frame["dropped_after"].gt(0), np.isfinite(frame["score"])
    n_all, n_gone, n_missing = len(frame), int(left.sum()), int((~whole).sum())
    n_fits, n_done = n_all * race.n_splits_, frame["n_splits_done"].sum()
    level, best = f"({format_percent(race.confidence_level)} confidence)", frame["estimator"][0]
    were = "was" if n_all - n_gone == 1 else "were"
    yield (
        f"{n_all - n_gone} of {counted(n_all, 'candidate')} {were} followed to the end; "
        f"{n_fits - n_done} of {n_fits} fits were saved."
    )
    if found := race.best_set() if claims else ():
        named, could = some(found, "best_set()"), f"could be the best of all {level}"
        yield f"Only {named} {could}." if len(found) == 1 else f"{len(found)} {could}: {named}."
    if race.stopped_after_ is not None:
        shown = f"It is shown {level}" if claims else "The scores suggest, without a test,"
        yield (
            f"{shown} that no candidate is better than {cut(best)} by more than {race.margin:g}, "
            f"so the race ended after {race.stopped_after_} of {race.n_splits_} splits."
        )
    if whole[0]:
        read = shown_as(race.scores_.metric)
        score, most = format_number(read.number(frame["score"][0])), "highest"
        most = "lowest" if read.is_loss else most
        yield f"The {most} mean {read.name} at the end is {score}, of {cut(best)}."
    if (left & whole).any():
        yield f"No {'other ' if claims else ''}conclusion about eliminated candidates."
    if n_missing:
        yield f"Nothing is known about {counted(n_missing, 'candidate')} with missing scores."
