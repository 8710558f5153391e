"""The notes on splits: on the walk over them, and on the facts that their design has from it."""

from collections.abc import Iterator
from dataclasses import replace
from math import inf, sqrt
from typing import Any

import numpy as np

from .._utils._text import counted, format_number
from ..exceptions import AnticonservativeWarning
from ..fitting import FitPlan
from ..scores import (
    DRAWN_FROM_ALL,
    FEW_DISTINCT,
    FIXED_SUBSET,
    GROUPS_TORN,
    OVERLAP,
    REPEATED,
    SAME_TEST_ROWS,
    STRATIFIED,
    TIME_ORDER,
    TRAINED_ON,
    ListedSplits,
    Note,
    find_notes,
    union,
)
from ._registry import FURTHER_SEARCHES, Search, note
from ._shared_rows import ENOUGH_ROWS, LEAST_SHARE
from ._split_evidence import SplitsEvidence, SplitsWatch

ROWS_IN_BOTH = "rows in training and test"
_FAR_MORE = 0.5
_DEVIATIONS = 4

SORTED_TARGET = Note(
    "sorted target",
    "folds of consecutive rows on a sorted target: each fold tests on values that the others lack; "
    "use KFold(shuffle=True) or cv=RepeatedSubsampleSplit()",
)
ROWS_REPEATED = Note(
    "repeated rows",
    "the splits repeat rows, as bootstrap samples do, and the sizes count each row once: a model "
    "is trained on more rows than n_train says, but on no more distinct ones",
)
NOT_AGAIN = Note(
    "unseeded splits",
    "the splits were drawn without a seed and cannot be drawn again: their sizes are known, but "
    "not their rows",
    None,
)


def note_splits(evidence: SplitsEvidence) -> Any:
    """Return the design with all that is to be noted on its splits."""
    design = evidence.design
    notes = find_notes(evidence)
    if all(note.code != ROWS_IN_BOTH for note in notes):  # which covers copies
        notes = union(notes, find_notes(evidence.near_rows))
    return design._made(**vars(design) | {"notes": notes})


def _on_listed_splits(listed: ListedSplits) -> tuple[Note, ...]:
    """Return what is to be noted on splits whose rows are listed."""
    watch = SplitsWatch(None, None, listed.y, listed.groups, listed.n_rows)
    for train, test in listed.pairs:
        watch.sums.add(train, test)
    return find_notes(SplitsEvidence(listed.design, watch))


FURTHER_SEARCHES[ListedSplits] = _on_listed_splits


def note_planned_splits(plan: FitPlan) -> FitPlan:
    """Return the plan with all that is to be noted on its splits, in their designs."""
    parts = []
    for part in plan.parts:
        evidence = SplitsEvidence(part.design, part.watch, are_requested=part.request is not None)
        parts.append(replace(part, design=note_splits(evidence)))
    return replace(plan, parts=parts)


def _fact(*codes: str) -> Search:
    """Return a search for facts with these codes, which the design has because they decide."""

    def search(evidence: SplitsEvidence) -> Iterator[Note]:
        yield from (fact for fact in evidence.design.notes if fact.code in codes)

    return search


note(
    TRAINED_ON,
    title="Test rows that a model was trained on",
    looks_for="Splits with the same rows in the training and the test set.",
    why="The scores measure memorization, and no interval says anything about new data.",
    remedy="Use splits whose training and test sets have no row in common.",
    looks_in=SplitsEvidence,
)(_fact(TRAINED_ON))


note(
    REPEATED,
    title="Repeated splits",
    looks_for="The same split several times.",
    why="A repetition adds no information, but counts as a degree of freedom, and the "
    "variance is understated.",
    remedy="Pass each split once.",
    looks_in=SplitsEvidence,
)(_fact(REPEATED, FEW_DISTINCT))


note(
    SAME_TEST_ROWS,
    title="The same test rows in all splits",
    looks_for="Several splits that test on the same rows.",
    why="Their scores do not show how a score varies with the test rows, so the variance is "
    "understated and a test rejects true null hypotheses far too often.",
    remedy="Use cv=RepeatedSubsampleSplit() over all rows.",
    looks_in=SplitsEvidence,
)(_fact(SAME_TEST_ROWS))


@note(
    OVERLAP,
    title="Overlapping test sets",
    looks_for="Test sets that share more rows than random ones would.",
    why="Their scores are more correlated than the correction assumes.",
    remedy="Use cv=RepeatedSubsampleSplit() over all rows.",
    looks_in=SplitsEvidence,
)
def overlapping_test_sets(evidence: SplitsEvidence) -> Iterator[Note]:
    # doc/derivations.rst has the formulas.
    design = evidence.design
    n = design.n_samples
    n_splits = design.n_splits
    if n_splits < 2 or design.levels not in DRAWN_FROM_ALL:
        return
    roots, weights = evidence.sums.shares[design.unit]
    n_pairs = n_splits * (n_splits - 1)
    overlap = float((roots @ roots - n_splits) / n_pairs)
    sizes = np.asarray(design.n_test, dtype=float)
    p = (np.sqrt(sizes).sum() ** 2 - sizes.sum()) / (n_pairs * n)
    spread = p * (1 - p)
    is_far_more = overlap > p + _FAR_MORE * spread
    if not is_far_more or spread <= 0:  # of none, two test sets have all in common
        return
    deviation = spread * sqrt(2 * n / ((n - 1) * n_pairs * p * p * n))
    has_same_tests = SAME_TEST_ROWS in [fact.code for fact in design.notes]
    if overlap <= p + _DEVIATIONS * deviation or has_same_tests:
        return
    concentration = float(weights @ weights) / n_splits**2
    inverse_sizes = float((1 / sizes).sum())
    rest = inverse_sizes - n_splits * concentration
    factor = inf
    if rest > 0:
        factor = (n_splits - 1) * concentration / rest
    usual = n_splits / inverse_sizes
    text = (
        "the test sets share more than random ones would: two of them have "
        f"{overlap:.2g} of their size in common, random ones {usual / n:.2g}. "
        "If the loss depended on the test row only, the variance of the mean would be "
        f"{format_number(factor)} times the sample variance; the correction takes "
        f"{format_number(1 / n_splits + usual / (n - usual))}. Use "
        "cv=RepeatedSubsampleSplit() over all rows"
    )
    yield Note(OVERLAP, text, AnticonservativeWarning)


@note(
    FIXED_SUBSET,
    title="Splits of a part of the rows",
    looks_for="Splits that all lie inside the same part of the rows.",
    why="The correction takes their rows as drawn from all, so it is wrong for a part.",
    remedy="Leave the rest out of X, or use RepeatedSubsampleSplit(pool='fixed').",
    looks_in=SplitsEvidence,
)
def fixed_subset(evidence: SplitsEvidence) -> Iterator[Note]:
    sums = evidence.sums
    n_used = int(np.count_nonzero(sums.used))
    if n_used == sums.fewest_used < evidence.n_rows and evidence.design.n_splits > 1:
        text = (
            f"all splits lie inside the same {n_used} of {evidence.n_rows} rows, but the "
            "correction takes them as drawn from all; if the rest was set aside, leave it out of "
            "X, or use RepeatedSubsampleSplit(pool='fixed')"
        )
        yield Note(FIXED_SUBSET, text)


note(
    GROUPS_TORN.code,
    title="Groups split across training and test",
    looks_for="Groups with rows in both the training and the test set of a split.",
    why="A model has then seen the groups that it is tested on, so the scores are too good.",
    remedy="Use RepeatedSubsampleSplit() or GroupKFold().",
    looks_in=SplitsEvidence,
)(_fact(GROUPS_TORN.code))


@note(
    STRATIFIED.code,
    title="Stratified random splits",
    looks_for="Random splits with the same share of each class.",
    why="They hide the part of the variance that comes from the class proportions, so the "
    "interval of an accuracy is too short if one class is predicted better than another.",
    remedy="Draw the splits without stratification, unless a class is rare.",
    looks_in=SplitsEvidence,
)
def stratified_splits(evidence: SplitsEvidence) -> Iterator[Note]:
    # Those that a procedure requests are stratified for classifiers; where not, another note is.
    if evidence.are_requested or evidence.design.n_splits == 1:
        return
    is_known = STRATIFIED in evidence.design.notes  # of random splits of ours
    if is_known or ("fold" not in evidence.design.levels and evidence.are_stratified):
        yield STRATIFIED


note(
    TIME_ORDER.code,
    title="Splits in time order",
    looks_for="Splits that train on the rows before their test rows.",
    why="Such splits are not exchangeable, as the corrected tests assume.",
    remedy="Pass the data to compare_estimators or cross_val_inference, which have a test "
    "for forecasts.",
    looks_in=SplitsEvidence,
    on_sound_data="Reported for all such splits, as a fact.",
)(_fact(TIME_ORDER.code))


@note(
    SORTED_TARGET.code,
    title="Sorted target",
    looks_for="Folds of consecutive rows on a sorted target.",
    why="Each fold tests on values that the training rows lack.",
    remedy="Shuffle the rows: KFold(shuffle=True), or cv=RepeatedSubsampleSplit().",
    looks_in=SplitsEvidence,
)
def sorted_target(evidence: SplitsEvidence) -> Iterator[Note]:
    is_one_repeat = evidence.design.levels == ("fold",)
    if is_one_repeat and evidence.sums.tests_are_consecutive and evidence.is_target_sorted:
        yield SORTED_TARGET


@note(
    ROWS_REPEATED.code,
    title="Splits that repeat rows",
    looks_for="Splits that have the same row several times, as bootstrap samples do.",
    why="The sizes count each row once, and a model is trained on more rows than they say.",
    remedy="Use splits that do not repeat rows, or read the sizes with that in mind.",
    looks_in=SplitsEvidence,
)
def repeated_rows(evidence: SplitsEvidence) -> Iterator[Note]:
    if evidence.sums.rows_are_repeated:
        yield ROWS_REPEATED


@note(
    ROWS_IN_BOTH,
    title="Test rows that equal a training row",
    looks_for="Many test rows that equal a training row in X and y.",
    why="If they are copies, the scores reward memorization.",
    remedy="Resample inside a pipeline, or pass groups= if several rows belong together.",
    looks_in=SplitsEvidence,
)
def rows_in_training_and_test(evidence: SplitsEvidence) -> Iterator[Note]:
    rows = evidence.watch.shared_rows
    if rows is None or not rows.counts:
        return
    n_equal, n_tested = np.transpose(rows.counts)
    share = float(np.mean(n_equal / n_tested))
    if share < LEAST_SHARE or not rows.has_many_values:
        return
    if n_equal.sum() < ENOUGH_ROWS and rows.share_in_data < LEAST_SHARE:
        return
    remedy = "Pass groups= if several rows belong together, or resample inside a pipeline"
    if evidence.watch.are_grouped:
        remedy = "Resample inside a pipeline"
    text = (
        f"scores are too good if rows are copies: over {counted(len(rows.counts), 'split')}, "
        f"{n_equal.sum()} of {n_tested.sum()} test rows equal a training row in X and y"
        f"{rows.precision} ({format_number(100 * n_equal.sum() / n_tested.sum())} %). {remedy}"
    )
    yield Note(ROWS_IN_BOTH, text)


@note(
    NOT_AGAIN.code,
    title="Splits without a seed",
    looks_for="A splitter that draws at random without an integer random_state.",
    why="The same splits cannot be drawn again, so nothing else can be scored on them.",
    remedy="Pass an integer random_state to the splitter.",
    looks_in=SplitsEvidence,
)
def unseeded_splits(evidence: SplitsEvidence) -> Iterator[Note]:
    if not evidence.are_redrawn:
        yield NOT_AGAIN
