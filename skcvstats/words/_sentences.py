"""What is said of a result in sentences: estimates, verdicts, differences, counts of them."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from .._utils._checks import alpha_of
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
from ..model_selection import CHOSEN_METHOD
from ..scores import CVScores, Note, are_cut, in_brief, shown_ends
from ..stats import (
    ADJUSTMENTS,
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
WIDEST_NAME = 40
_WIDEST_LABEL = 203  # of a difference: two names


def some(names: Iterable[str], call: str, most: int = _MOST_NAMES, width: int = WIDEST_NAME) -> str:
    """List the first names, and how many more there are."""
    names = [cut(name, width) for name in names]
    if len(names) > most + 1:
        return f"{first_of(names, most)}, see {call}"
    if len(names) <= 2:  # with no semicolon between them
        names = [f'"{name}"' if "," in name else name for name in names]
    return " and ".join(filter(None, [separator(names).join(names[:-1]), names[-1]]))


def footnotes(notes: Iterable[Note], warned: Iterable[Note] = ()) -> list[str]:
    """Return the printed lines about notes, without the sentences of warnings."""
    notes, warned = list(notes), set(warned)
    told = in_brief(note for note in notes if note not in warned)
    last = [f"Note: {visible(str(note))}." for note in notes if note.code == CHOSEN_METHOD]
    lines = [f"Note: {visible(str(note))}." for note in told if note.code != CHOSEN_METHOD]
    given = dict.fromkeys(note.code for note in notes if note in warned)
    if given:
        lines.append(f"Warnings were given of: {', '.join(given)}. They are in .notes.")
    return [*lines, *last]


def by_title(result: ComparisonResult) -> dict[str, list[str]]:
    """Return the metrics of each procedure, by its title."""
    metrics: dict[str, list[str]] = {}
    for metric, tests in result.tests_by_metric.items():
        metrics.setdefault(tests.example.title, []).append(metric)
    return metrics


def tested_by(result: ComparisonResult) -> str:
    """Name the procedure, and where metrics have different ones, for what each is."""
    of_each = [f"{title} for {some(of, 'metrics')}" for title, of in by_title(result).items()]
    return next(iter(by_title(result))) if len(of_each) == 1 else f"{', '.join(of_each)},"


def expected(test: Inference) -> str:
    """Name what was estimated."""
    label, metric = cut(test.label, _WIDEST_LABEL), visible(test.metric)
    if test.paired:
        return f"expected difference in {metric}, {label},"
    return f"expected {metric}{'' if test.label == UNNAMED_ESTIMATE else f' of {label}'}"


def on_test_set(scores: CVScores | None) -> bool:
    """Whether scores are those of fitted models on one test set."""
    return scores is not None and scores.design.on_test_set


def estimated(test: Inference) -> str:
    """Say in a sentence what was estimated, how, and how sure it is."""
    said, sure = test.describe(), interval_of(test)
    finding = f": {said.finding}" if said.finding else ""
    return (
        f"The {expected(test)} is estimated as {format_number(test.estimate)}{sure} for "
        f"{said.subject}, by the {test.title} over {said.sizes}{finding}."
    )


def interval_of(test: Inference) -> str:
    """Return the interval in brackets; nothing if there is none."""
    if not test.has_interval or test.undetermined:
        return ""
    ends = shown_ends(test.scores, *test.confidence_interval())
    return f" ({format_interval(*ends, test.confidence_level)})"


def cut_said(result: Any) -> list[str]:
    """Return a sentence if an interval reaches beyond the range of its metric."""
    tests, level = getattr(result, "inferences", {"": result}).values(), result.confidence_level
    intervals = []
    if isinstance(result, ComparisonResult):
        families = [of for of in result.tests_by_metric.values() if of.inference.has_interval]
        tests = [of.joint.own_scores for of in families if result.n_adjusted != 1]
        intervals = [
            (of.inference.scores, *of.family.intervals(of.inference, level)) for of in families
        ]
    intervals += [(of.scores, *of.confidence_interval(level)) for of in tests if of.has_interval]
    said = "Intervals are cut where the metric ends; p-values and margins use the uncut ones."
    return [said] if any(are_cut(*one) for one in intervals) else []


def error_of(comparison: Comparison, pvalue: float) -> float:
    """Return the Monte-Carlo standard error of one of the adjusted p-values."""
    if pvalue == comparison.pvalue_adjusted:
        return comparison.pvalue_error
    return float(comparison.family.error_of(pvalue))


def ends_to_tell(comparison: Comparison) -> tuple[float, ...]:
    """Return what the ends of an interval are compared with: the null value and the margin."""
    return (_null_value(comparison), *(comparison.margin or ()))


def asked_of_margin(comparison: Comparison) -> tuple[str, float]:
    """Return what the margin asks, nearest to the verdict, and its adjusted p."""
    assert comparison.margin is not None, "asked with a margin only"
    assert comparison.margin_pvalues is not None, "they come with it"
    pvalues, sides = comparison.margin_pvalues, _sides(comparison)
    return margin_question(comparison.outcome, pvalues, comparison.margin, sides)


def verdict_of(comparison: Comparison) -> str:
    """Say what is shown, with its numbers; without a full stop."""
    claim, test = comparison.claim, comparison.test
    numbers = [
        f"{cut(comparison.estimator)} - {cut(comparison.versus)} = {format_number(test.estimate)}"
    ]
    if claim.kind != "undetermined":
        numbers += _intervals(comparison)
        smallest = comparison.test.describe().smallest_pvalue
        own = format_pvalue(comparison.pvalue_adjusted, smallest, comparison.pvalue_error)
        if comparison.margin_pvalues is not None:
            what, pvalue = asked_of_margin(comparison)
            written = format_pvalue(pvalue, smallest, error_of(comparison, pvalue))
            own += f" for a difference, {written.removeprefix('= ')} for {what}"
        numbers.append(f"{_p(comparison)} {own}")
    return f"{claim.words} ({', '.join(numbers)})"


def _intervals(comparison: Comparison) -> list[str]:
    """Return the intervals that decide, each with its level."""
    if not comparison.test.has_interval:
        return []
    alone = "unadjusted " if comparison.has_own_interval else ""
    found = [(comparison.confidence_interval(), comparison.confidence_level)]
    if has_margin_interval(comparison):
        found.append((comparison.margin_interval(), 1 - 2 * comparison.alpha))
    apart = ends_to_tell(comparison)
    scores = comparison.test.scores
    shown = [(shown_ends(scores, *ends), level) for ends, level in found]
    return [f"{alone}{format_interval(*ends, level, apart=apart)}" for ends, level in shown]


def has_margin_interval(comparison: Comparison) -> bool:
    """Whether another interval decides on the margin, with the confidence 1 - 2 alpha."""
    alone = not comparison.family.joint and _sides(comparison) == "two-sided"
    return comparison.margin is not None and alone


def _p(comparison: Comparison) -> str:
    return "adjusted p" if comparison.adjusted else "p"


def _null_value(comparison: Comparison) -> float:
    return float(getattr(comparison.test, "null_value", 0.0))


def _sides(comparison: Comparison) -> str:
    return getattr(comparison.test, "alternative", "two-sided")


def difference_line(comparison: Comparison) -> str:
    """Return a line about what is shown of a difference, in its order."""
    test, kind = comparison.test, comparison.outcome
    if not isinstance(test, CVTestResult) or test.null_value != 0:
        return verdict_of(comparison)
    first, second = cut(comparison.estimator, WIDEST_NAME), cut(comparison.versus, WIDEST_NAME)
    plain, said = comparison.margin is None, words_of_pair(comparison)
    words = f"{first} is {said.short} than {second}" if plain else said.long
    sure = f"({_sure(comparison, turned=kind.startswith('below'))})"
    if not kind.startswith(("above", "below")):
        return f"{words}: {first} - {second} = {format_number(test.estimate, padded=True)} {sure}"
    size = format_number(abs(test.estimate), padded=True)
    return f"{words}{'' if plain else ':'} by {size} {sure}"


def _sure(comparison: Comparison, *, turned: bool) -> str:
    """Return the interval that decides, and the p-value of what is shown."""
    kind, pvalue, question = comparison.outcome, comparison.pvalue_adjusted, ""
    low, high = comparison.confidence_interval()
    if comparison.margin_pvalues is not None:
        question = " for a difference"
        if kind in ("equivalent", "not worse", "not better"):
            low, high = comparison.margin_interval()
        if KINDS[kind].pvalue:
            what, pvalue = asked_of_margin(comparison)
            question = f" for {what}"
    low, high = shown_ends(comparison.test.scores, low, high)
    apart = ends_to_tell(comparison)
    if turned:
        low, high, apart = -high, -low, tuple(-value for value in apart)
    ends = format_ends(low, high, padded=True, apart=apart)
    unadjusted = "unadjusted " if comparison.has_own_interval else ""
    error = error_of(comparison, pvalue)
    written = format_pvalue(pvalue, comparison.test.describe().smallest_pvalue, error)
    return f"{unadjusted}{ends}, {_p(comparison)} {written}{question}"


def answer(result: ComparisonResult, ranked: Any, most_names: int = _MOST_NAMES) -> str:
    """Say which estimators could be the best, and how the reference compares, in a sentence."""
    (tests,) = result.tests_by_metric.values()
    parts = []
    if ranked["could_be_best"].notna().all():
        best = ranked["estimator"][ranked["could_be_best"].astype(bool)].tolist()
        what = noun(result)
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
        shown = shown_of(tests)
        if set(tests.kinds[shown]) <= {"above", "below", "different"}:
            parts.append(f"{len(shown)} of {counted(len(tests), 'difference')} significant")
        else:  # only such a procedure knows what it shows
            briefs = Counter(result.comparisons[k].claim.brief for k in shown)
            parts += [f"{n} of {len(tests)} pairs {brief}" for brief, n in briefs.items()]
    return f"{'; '.join(parts)} ({format_percent(result.confidence_level)} confidence)."


def left_out(result: ComparisonResult, ranked: Any) -> str:
    """Say why some could not be the best though they do not differ significantly from the first."""
    (tests,) = result.tests_by_metric.values()
    symmetric = is_symmetric(tests.procedure) or result.reference is None
    if not symmetric or not ranked["could_be_best"].eq(True).iloc[0]:
        return ""
    first, outside = ranked["estimator"].iloc[0], ranked[~ranked["could_be_best"].astype(bool)]
    pairs = tests.names[tests.pvalues_adjusted > alpha_of(result.confidence_level)]
    close = set(pairs[(pairs == first).any(axis=1)].flat)
    names = [name for name in outside["estimator"] if name in close]
    if not names:
        return ""
    n_pairs, n_others = len(tests), len(ranked) - 1
    why = "the best set only asks whether another is better"
    if (sides := _sides(result.comparisons[0])) != "two-sided":
        which = "better" if sides == "greater" else "worse"
        why = f"the one-sided comparisons only ask whether the first of two is {which}"
    elif n_others < n_pairs and result.adjustment != "none":
        why += f", in {n_others} comparisons instead of {n_pairs}"
    return (
        f"{some(names, 'ranking()')} could not be the best, though not significantly different "
        f"from {cut(first, WIDEST_NAME)}: {why}."
    )


def of_single(result: ComparisonResult) -> str:
    """Say what the intervals of scores are not for, and what is."""
    use = "use the table of differences" if len(result) else "use pairs()"
    return f"These intervals are for single scores; {use} to compare models."


def noun(result: ComparisonResult) -> str:
    """Return what is compared."""
    return "candidates" if search_of(result) else "estimators"


def counted_names(result: ComparisonResult) -> str:
    """Return how many are compared, and of how many candidates they were chosen."""
    tests = result.tests_by_metric[result.metrics[0]]
    of = "" if tests.chosen_from is None else f" of {len(tests.joint.estimates)}"
    return f"{len(result.names)}{of} {noun(result)}"


def search_of(result: ComparisonResult) -> dict[str, Any]:
    """Return the facts about the search whose candidates are compared; else empty."""
    scores = next(iter(result.scores_by_metric.values()))
    return scores.provenance.get("search") or {}


def shown_of(tests: Any) -> list[int]:
    """Return the positions of the comparisons of which something is shown."""
    return np.flatnonzero(~np.isin(tests.kinds, SILENT)).tolist()


def _against_reference(result: ComparisonResult) -> str:
    """Count the outcomes of all estimators against the reference."""
    (tests,), comparisons = result.tests_by_metric.values(), result.comparisons
    last = {kind: k for k, kind in enumerate(tests.kinds.tolist())}
    parts = [
        f"{np.count_nonzero(tests.kinds == kind)} {_in_a_count(comparisons[last[kind]])}"
        for kind in KINDS
        if kind in last
    ]
    return f"against {cut(comparisons[0].versus, WIDEST_NAME)}: {separator(parts).join(parts)}"


def _in_a_count(comparison: Comparison) -> str:
    """Return the words for an outcome against the reference, which follow a count."""
    if _null_value(comparison) != 0 and comparison.outcome != "undetermined":
        return comparison.claim.brief
    return words_of_pair(comparison).short


def words_of_pair(comparison: Comparison) -> Words:
    """Return the words for the outcome of a comparison, without the metric."""
    names = cut(comparison.estimator, WIDEST_NAME), cut(comparison.versus, WIDEST_NAME)
    return words_of(comparison.outcome, names, "", comparison.margin, _sides(comparison))


def not_named(result: ComparisonResult, n_more: int) -> str:
    """Say how many differences were not named, and how many are not significant."""
    (tests,) = result.tests_by_metric.values()
    sentences, with_margin = [], tests.margin is not None
    if n_more:
        are = "is" if n_more == 1 else "are"
        more = f"{counted(n_more, 'more difference')} {are} significant"
        more = counted(n_more, "more verdict") if with_margin else more
        sentences.append(f"{more}, see to_frame().")
    silent = tests.kinds == "not shown"
    if silent.any():
        say = _nothing_by_margin if with_margin else _not_shown
        sentences.append(say(tests, silent, result.comparisons[int(silent.argmax())]))
    undetermined = [
        " - ".join(cut(name, WIDEST_NAME) for name in pair)
        for pair in tests.names[tests.undetermined]
    ]
    if undetermined:
        what = some(undetermined, "to_frame()", width=len(" - ") + 2 * WIDEST_NAME)
        sentences.append(f"Undetermined, as the difference does not vary: {what}.")
    return " ".join(sentences)


def _not_shown(tests: Any, silent: np.ndarray, comparison: Comparison) -> str:
    """Say how many differences are not significant."""
    n_silent, n_comparisons = np.count_nonzero(silent), len(tests)
    end = "significant, which is no proof of equality."
    if (null := _null_value(comparison)) != 0:
        sides = {"two-sided": "different from", "greater": "above", "less": "below"}
        end = f"significantly {sides[_sides(comparison)]} {format_number(null)}."
    elif n_silent == n_comparisons:
        what = "comparison" if _sides(comparison) == "two-sided" else "one-sided comparison"
        of = f" among {counted(n_comparisons, what)}" if n_comparisons > 1 else ""
        return f"No significant difference was found{of}, which is no proof of equality."
    verb = "is" if n_silent == 1 else "are"
    return f"{n_silent} of {counted(n_comparisons, 'difference')} {verb} not {end}"


def _nothing_by_margin(tests: Any, silent: np.ndarray, comparison: Comparison) -> str:
    """Say how many pairs are undecided although there is a margin."""
    n_silent, bounds = np.count_nonzero(silent), tests.each_bounds[silent]
    of = f"{n_silent} of {counted(len(tests), 'pair')}"
    if _sides(comparison) != "two-sided":
        return f"{of} {'is' if n_silent == 1 else 'are'} undecided."
    turned = np.any(bounds != bounds[0])  # with their pairs
    size = "within the margin" if turned else within(bounds[0])
    return f"For {of} neither a significant difference nor equivalence {size} was found."


def counted_comparisons(result: ComparisonResult) -> str:
    """Say for how many comparisons p-values are adjusted."""
    sizes = {metric: len(tests) for metric, tests in result.tests_by_metric.items()}
    if len(set(sizes.values())) > 1:
        parts = [f"{counted(n, 'comparison')} in {metric}" for metric, n in sizes.items()]
        return f"{', '.join(parts[:-1])} and {parts[-1]}"
    each = "" if len(sizes) == 1 else f" in each of {len(sizes)} metrics"
    return f"{counted(result.n_adjusted, 'comparison')}{each}"


def adjusted(result: ComparisonResult) -> str:
    """Say how p-values were adjusted for the number of comparisons."""
    if not len(result):
        test = next(iter(result.tests_by_metric.values())).inference
        sides = getattr(test, "alternative", "two-sided")
        given = {"margin": result.margin, f'alternative="{sides}"': sides != "two-sided"}
        unused = ", ".join(what for what, used in given.items() if used)
        return f"no pairs were compared{unused and f' (not used: {unused})'}, see pairs()"
    number = counted_comparisons(result)
    if _sides(result.comparisons[0]) != "two-sided":
        number = number.replace(" comparison", " one-sided comparison")
    adjustment = ADJUSTMENTS[result.adjustment]
    further = "" if len(result.metrics) == 1 else "; not adjusted for the metrics"
    has_intervals = result.tests[0].has_interval
    if result.adjustment == "none":
        which = "neither p-values nor intervals are" if has_intervals else "p-values are not"
        return f"{which} adjusted for {number}"
    by = f"adjusted by {adjustment.words} for {number}"
    if not has_intervals:
        return f"p-values are {by}{further}"
    if adjustment.has_intervals:
        return f"p-values and intervals are {by}{further}"
    return f"p-values are {by}, intervals not{further}"


def sentences_of(result: ComparisonResult) -> list[str]:
    """Return the first comparisons as sentences, and how many more there are."""
    shown = [str(comparison) for comparison in result.comparisons[:_MOST_SENTENCES]]
    left = len(result.comparisons) - len(shown)
    return shown + ([f"{counted(left, 'more comparison')} in the table."] if left else [])
