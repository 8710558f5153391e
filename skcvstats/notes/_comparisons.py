"""The notes on comparisons in one metric, and on the reference of comparisons."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .._utils._metrics import shown_as
from .._utils._text import called, counted, cut, format_number, visible
from ..comparison import (
    MARGIN_AFTERWARDS,
    SMALL_MARGIN,
    ComparedEvidence,
    ComparisonEvidence,
    PairTests,
    is_symmetric,
)
from ..exceptions import AnticonservativeWarning
from ..scores import Note
from ..stats import ADJUSTMENTS, MAX_T, LocationTest, student_quantile, tail_probability, within
from ._registry import note

# A margin of fewer standard errors can hardly be shown to hold: with 14 degrees of freedom equal
# models are shown to be equivalent with power .23 at two, and not to be worse with .24 at one.
_FEWEST_ERRORS = {"two-sided": (2, "two standard errors"), "one-sided": (1, "one standard error")}


def _notes_on_pairs(
    tests: PairTests, code: str, places: Any, text_of: Callable[[int], str], text: str
) -> Iterator[Note]:
    """Yield a note on all comparisons, and one on each pair that it is about if there are more."""
    if len(tests) == 1:
        yield Note(code, text_of(0), None)
        return
    yield Note(code, text, None)
    for k in places.tolist():
        yield Note(code, text_of(k), None, tests.names_at(k))


@note(
    "same scores",
    title="Same scores",
    looks_for="Two estimators with the same score on every split.",
    why="They may be the same model, or the metric is too coarse to tell them apart.",
    remedy="Look whether they are the same model; if not, use a finer metric.",
    looks_in=ComparisonEvidence,
)
def same_scores(evidence: ComparisonEvidence) -> Iterator[Note]:
    tests = evidence.tests
    scores = tests.scores
    is_same = scores.values[tests.first] == scores.values[tests.second]
    places = np.flatnonzero(is_same.all(axis=-1))
    if not len(places) or scores.design.n_splits == 1:
        return
    if "constant target" in [note.code for note in scores.notes]:
        return
    n_more = len(places) - 1
    and_more = f", and {counted(n_more, 'more pair')}" if n_more else ""

    def describe_pair(k: int, and_more: str = "") -> str:
        first, second = map(cut, map(called, tests.names_at(k)))
        return (
            f"on every split {first} and {second} have the same score{and_more}: the same model? "
            f"If not, use a metric that is finer than {shown_as(scores.metric).name}"
        )

    text = describe_pair(places[0], and_more)
    yield from _notes_on_pairs(tests, "same scores", places, describe_pair, text)


@note(
    "normal tails",
    title="Normal tails",
    looks_for="p-values of the normal distribution that are adjusted for many comparisons.",
    why="These are too small far in the tails, as the standard error is estimated from few "
    "squares.",
    remedy='Use adjustment="max_t".',
    looks_in=ComparisonEvidence,
)
def normal_tails(evidence: ComparisonEvidence) -> Iterator[Note]:
    tests = evidence.tests
    if len(tests) < 2 or tests.adjustment in (MAX_T, ADJUSTMENTS["none"]):
        return
    root = tests.compared.root
    if root is None or not np.isinf(tests.inference.df).all():
        return
    # The standard error is estimated from few squares. A conservative variance compensates for this
    # at the level of one comparison, but not far in the tails.
    level = 0.05 / len(tests)
    quantile = student_quantile(np.inf, level / 2)
    if tail_probability(quantile, root.n_squares, "two-sided") >= 1.5 * level:
        text = (
            "p-values are too small far in the tails of the normal distribution, where "
            f"{tests.adjustment.words} for {len(tests)} comparisons needs them; the standard error "
            f'is estimated from {root.n_squares} squares. Use adjustment="max_t"'
        )
        yield Note("normal tails", text, AnticonservativeWarning)


@note(
    MARGIN_AFTERWARDS,
    title="A margin after the comparison",
    looks_for="A margin that was given after the comparison was made.",
    why="Verdicts by a margin hold their level only if it was chosen without looking at the "
    "scores.",
    remedy="Pass margin= to the function that compares, before you look at the scores.",
    looks_in=ComparisonEvidence,
)
def margin_given_afterwards(evidence: ComparisonEvidence) -> Iterator[Note]:
    if evidence.tests.margin_afterwards:
        text = (
            "the margin was given after the comparison was made; verdicts by a margin hold their "
            "level only if it was chosen without looking at the scores"
        )
        yield Note(MARGIN_AFTERWARDS, text, None)


@note(
    "wide margin",
    title="Wide margin",
    looks_for="A margin that every model meets that is no worse than a constant prediction.",
    why="Every model that is no worse than guessing meets it.",
    remedy="Give a smaller margin.",
    looks_in=ComparisonEvidence,
)
def wide_margin(evidence: ComparisonEvidence) -> Iterator[Note]:
    margin = evidence.margin
    scores = evidence.tests.scores
    low, high = scores._limits
    middle = (low + high) / 2 if high - low == 1 else 0.0
    guess = scores.provenance.get("score of a constant", middle)
    if not np.isfinite(high) or max(margin[1], -margin[0]) <= high - guess or guess == high:
        return
    read = shown_as(scores.metric)
    text = (
        f"every model that is no worse than guessing meets the margin, {within(margin)}: it is "
        f"larger than the distance from guessing ({format_number(read.number(guess))}) to {high:g} "
        f"in {read.name}; give a smaller one"
    )
    yield Note("wide margin", text, None)


@note(
    SMALL_MARGIN,
    title="Small margin",
    looks_for="Undecided differences for which the margin can hardly be shown to hold.",
    why="Equivalence, or that a model is not worse, could hardly be shown.",
    remedy="Score on more splits, or pass more data; do not widen the margin.",
    looks_in=ComparisonEvidence,
)
def small_margin(evidence: ComparisonEvidence) -> Iterator[Note]:
    margin = evidence.margin
    tests = evidence.tests
    inference: Any = tests.inference
    bounds = tests.each_bounds
    low, high = bounds.T
    what, undecided, room = {
        "two-sided": ("equivalence", ("not shown", "not worse", "not better"), (high - low) / 2),
        "greater": ('"not worse"', "not shown", -low),
        "less": ('"not better"', "not shown", high),
    }[inference.alternative]
    n_fewest, fewest = _FEWEST_ERRORS["two-sided" if what == "equivalence" else "one-sided"]
    metric_name = shown_as(inference.metric).name
    needed = n_fewest * np.atleast_1d(inference.standard_error)
    places = np.flatnonzero((room < needed) & np.isin(tests.kinds, undecided))
    if not len(places):
        return
    remedy = inference._more_evidence

    def describe(size: str, ends: Any, where: str = "") -> str:
        return (
            f"{what} in {metric_name} could hardly be shown{where}: the margin, {within(ends)}, "
            f"is less than {fewest} of the difference ({size}); {remedy}"
        )

    def describe_pair(k: int) -> str:
        return describe(format_number(needed[k]), bounds[k])

    most = format_number(needed[places].max())
    where = f" in {len(places)} of {counted(len(tests), 'comparison')}"
    text = describe(f"{most} at most", margin, where)
    yield from _notes_on_pairs(tests, SMALL_MARGIN, places, describe_pair, text)


def _notes_on_favour(
    evidence: ComparedEvidence, code: str, text: str, category: type[Warning] | None
) -> Iterator[Note]:
    """Yield a note on a reference that the scores favour by chance.

    None of two, two-sided, and none where the others are to be shown better, as p is too large.
    """
    procedure = evidence.procedure
    if len(evidence.labels) == 2 and is_symmetric(procedure):
        return
    if getattr(procedure, "alternative", "") == "greater":
        return
    if isinstance(procedure, LocationTest):
        text += (
            "; result.best_set() names the estimators that could be the best, and remains valid "
            "although the scores were seen"
        )
    yield Note(code, text, category)


@note(
    "chosen reference",
    title="Chosen reference",
    looks_for='reference="best": the reference is chosen by the scores that are compared.',
    why="It is favoured by chance, so the p-values are too small.",
    remedy="Name a reference before you look at the scores, or read result.best_set().",
    looks_in=ComparedEvidence,
)
def chosen_reference(evidence: ComparedEvidence) -> Iterator[Note]:
    if evidence.reference == "best":
        text = (
            "the reference was chosen as the best on these same scores, so it is favoured by "
            "chance and the p-values are too small"
        )
        yield from _notes_on_favour(evidence, "chosen reference", text, AnticonservativeWarning)


@note(
    "best reference",
    title="Best reference",
    looks_for="A reference that is the best on the scores that are compared.",
    why="Unless it was named before the scores were seen, it is favoured by chance and the "
    "p-values are too small.",
    remedy="Name a reference before you look at the scores, or read result.best_set().",
    looks_in=ComparedEvidence,
)
def best_reference(evidence: ComparedEvidence) -> Iterator[Note]:
    if evidence.reference in (None, "best"):
        return
    means = evidence.scores.values.mean(axis=-1)
    if means[evidence.labels.index(evidence.reference)] < means.max():
        return
    text = (
        "the reference is the best on these same scores, so it is favoured by chance and p-values "
        "are too small, unless it was named before"
    )
    # Of a search, the best candidate was hardly named before.
    category = AnticonservativeWarning if evidence.of_search else None
    yield from _notes_on_favour(evidence, "best reference", text, category)


@note(
    "left out",
    title="Left out",
    looks_for="An estimator or a metric that was left out because something failed.",
    why="The result says nothing about it.",
    remedy="Fix the cause that the note gives.",
    looks_in=ComparedEvidence,
)
def left_out(evidence: ComparedEvidence) -> Iterator[Note]:
    for entry in evidence.dropped:
        if entry.estimator is None:
            what = f"metric {cut(str(entry.metric))} was left out, for all estimators"
        else:
            where = "" if entry.metric is None else f" of {cut(entry.metric)}"
            what = f"estimator {cut(entry.estimator)} was left out{where}"
        yield Note("left out", f"the {what} ({visible(entry.cause)})", None)
