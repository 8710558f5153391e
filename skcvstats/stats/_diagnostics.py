"""Limitations of an inference from the sizes and the arrangement of splits."""

from math import comb
from typing import Any

import numpy as np

from .._utils._text import counted, format_number, format_size
from ..exceptions import AnticonservativeWarning
from ..scores import Note, SplitDesign, note_on_some

# The report recommends 15 splits and finds fewer than 10 wasteful of power.
_FEWEST_SPLITS = 10
_USUAL_FOLDS = 5
_UNEQUAL = 2
_EXCHANGED = 1.5

CHOSEN_REFERENCE = Note(
    "chosen reference",
    "the reference was chosen as the best on these same scores, so it is favoured by chance and "
    "the p-values are too small",
    AnticonservativeWarning,
)
# The procedures give this warning themselves, with the name of what does not vary.
UNDETERMINED = Note(
    "undetermined", "undetermined: the estimated variance is 0, which is not evidence", None
)
SECOND_PROCEDURE = Note(
    "second procedure",
    "a second procedure on scores that were made for one on rows: report the one chosen beforehand",
    None,
)
LIBERAL = "liberal procedure"


def liberal_note(text: str) -> Note:
    """Return why a procedure rejects true null hypotheses too often, as a note."""
    return Note(LIBERAL, text, AnticonservativeWarning)


def undetermined_notes(undetermined: Any) -> tuple[Note, ...]:
    """Return a note if a test is undetermined, or on how many of an array of tests are."""
    where = np.ravel(undetermined)
    n = int(np.count_nonzero(where))
    text = f"{n} of {counted(where.size, 'test')} {'is' if n == 1 else 'are'} {UNDETERMINED}"
    return note_on_some(UNDETERMINED.code, where, lambda k: UNDETERMINED.text, text)


def _is_every_split(design: SplitDesign) -> bool:
    """Whether the splits are all possible ones of this test size, as for LeavePOut."""
    if design.digests is None or len(set(design.n_test)) > 1 or design.n_splits < 3:
        return False
    if design.n_splits < design.n_samples:  # there are at least as many ways as rows
        return False
    distinct = len(set(design.digests)) == design.n_splits
    return distinct and design.n_splits == comb(design.n_samples, design.n_test[0])


def require_splits(design: SplitDesign, who: str) -> None:
    """Raise SplitDesignError unless a variance over splits can be computed."""
    levels = [("split",), ("fold",), ("repeat", "fold"), ("replicate", "split")]
    design.require(who=who, levels=levels, min_splits=2, distinct=True)


def number_notes(design: SplitDesign) -> tuple[Note, ...]:
    """Return what the number of splits limits, and what the correction assumes for one k-fold."""
    n_splits = design.n_splits
    if design.levels != ("fold",) or _leaves_one_group_out(design):
        return few_splits_notes(design)
    text = (
        f"one repeat of {n_splits} folds: the correction was derived for independently drawn "
        "splits and is used on folds by convention, which is conservative for stable learners (it "
        f"multiplies the sample variance by {format_number(1 / n_splits + design.rho0_odds)}; "
        f"{format_number(1 / n_splits)} would do if the loss depended on the test row only) and "
        f"about right for unstable ones such as deep trees; several vary less: {more_folds(design)}"
    )
    few = few_splits_notes(design) if n_splits < _USUAL_FOLDS else ()
    return (Note("one repeat", text, None), *few)


def more_folds(design: SplitDesign) -> str:
    """Say which folds show more than those of one repeat."""
    if design.unit == "groups":
        return "leave cv out, which draws 4 repeats of 5 folds of groups"
    kind = "Stratified" * ("Stratified" in (design.source or ""))
    return f"cv=Repeated{kind}KFold(n_splits=5, n_repeats=4)"


def _leaves_one_group_out(design: SplitDesign) -> bool:
    """Whether each of two to nine groups is tested on once, by itself, as was measured."""
    alone = design.unit == "groups" and max(design.n_test) == 1
    return alone and design.n_splits == design.n_samples < _FEWEST_SPLITS


def exchanged_notes(design: SplitDesign) -> tuple[Note, ...]:
    """Return a note if the sizes of stated splits look swapped."""
    stated = design.digests is None and design.source is None
    if not stated or design.test_size < _EXCHANGED * design.train_size:
        return ()
    n_train, n_test = (format_size(size) for size in (design.train_size, design.test_size))
    text = (
        f"n_train={n_train} and n_test={n_test} say that the splits test on more rows than they "
        f"train on; if they were exchanged, n_train={n_test} and n_test={n_train} are right, and "
        "this correction is far too large"
    )
    return (Note("exchanged sizes", text),)


def few_splits_notes(design: SplitDesign) -> tuple[Note, ...]:
    """Return a note if a variance is estimated from the scores of few splits."""
    if design.n_splits >= _FEWEST_SPLITS:
        return ()
    if _leaves_one_group_out(design):
        text = "two groups: the variance of two scores has one degree of freedom; pass more groups"
        return (Note("few splits", text),) if design.n_splits == 2 else ()
    text = (
        f"only {counted(design.n_splits, 'split')}: the variance is poorly estimated and the test "
        "has little power; use at least 10, better 15"
    )
    return (Note("few splits", text),)


def design_notes(design: SplitDesign) -> tuple[Note, ...]:
    """Return a note for each weakness of the splits."""
    notes = []
    if design.levels == ("split",) and _is_every_split(design):
        text = (
            f"these are all {design.n_splits} splits there are, not independent draws: the "
            f"{design.n_splits - 1} degrees of freedom overstate what is known about the variance"
        )
        notes.append(Note("every split", text))
    single = max(design.n_test) == 1 < min(design.n_train)  # sizes that are not known are 1 and 1
    if single and design.unit == "rows" and design.n_splits > 1:
        text = (
            "each split tests on a single row, as in leave-one-out: a score is one loss, so the "
            "mean of few splits is far from normal where losses are skewed, and tests can reject "
            "true null hypotheses too often; test on more rows: cv=RepeatedSubsampleSplit()"
        )
        notes.append(Note("single test rows", text))
    for what, sizes in (("training", design.n_train), ("test", design.n_test)):
        if max(sizes) > _UNEQUAL * min(sizes):
            ratio = format_number(max(sizes) / min(sizes))
            text = (
                f"very unequal {what} sizes (the largest is {ratio} times the smallest): the "
                "scores do not have one mean and one variance as the test assumes"
            )
            notes.append(Note(f"unequal {what} sizes", text))
    return tuple(notes)
