"""Facts about splits that decide: a procedure refuses them, or another one is chosen."""

from collections.abc import Container, Iterable, Sequence
from math import exp, lgamma

from ..exceptions import AnticonservativeWarning
from ._notes import Note

SAME_TEST_ROWS = "same test rows"
REPEATED = "repeated splits"
FEW_DISTINCT = "few distinct splits"
TRAINED_ON = "test rows trained on"
OVERLAP = "overlapping test sets"
FIXED_SUBSET = "fixed subset"

# Advice for refused tests, by the code of the note with the reason.
REFUSED = {
    SAME_TEST_ROWS: "Draw new test rows for each split, cv=RepeatedSubsampleSplit(); or ask about "
    'the fitted models on these rows: compare_predictions, or HoldoutTTest(hypotheses="fixed") on '
    "one of the splits.",
    TRAINED_ON: "Pass a cv whose training and test rows do not overlap.",
    REPEATED: "Pass each split once, or draw new ones: cv=RepeatedSubsampleSplit().",
}
DOUBTFUL = (SAME_TEST_ROWS, REPEATED)
# Notes with one of these codes are refusals that are given as warnings only.
DOUBT = "doubtful: "

STRATIFIED = Note(
    "stratified",
    "the splits are stratified, which hides the part of the variance that comes from the class "
    "proportions: the interval of an accuracy, or of another mean over rows, is too short if one "
    "class is predicted better than another",
)
GROUPS_TORN = Note(
    "groups split across training and test",
    "groups were given, but the splits divide them: rows of one group are in both the training and "
    "the test set, so the scores are too good and the sizes count rows; use "
    "RepeatedSubsampleSplit() or GroupKFold()",
)
TIME_ORDER = Note(
    "time order",
    "the splits are in time order: each trains on the rows before its test rows, so the splits are "
    "not exchangeable as the test assumes; for a valid test pass the data to cross_val_inference "
    "or compare_estimators",
    AnticonservativeWarning,
)

# Notes that apply only to several splits together.
OF_SEVERAL = {STRATIFIED.code, TIME_ORDER.code, FIXED_SUBSET, *REFUSED, OVERLAP}

# The arrangements whose test sets are drawn from all rows.
DRAWN_FROM_ALL = (("split",), ("fold",), ("repeat", "fold"), ("replicate", "split"))
# Splits are refused as repeated if random ones would repeat in less than one design in a hundred:
# the expected number of repeats bounds the probability of a repeat.
_IMPROBABLE = 0.01
_SHORTEST_SEQUENCE = 3
_MOSTLY = 0.75


def notes_without(notes: Iterable[Note], codes: Container[str]) -> tuple[Note, ...]:
    """Return the notes whose codes are not among these."""
    return tuple(note for note in notes if note.code not in codes)


def trained_on(n_overlapping: int, n_splits: str) -> Note:
    """Return the note on splits that test on rows that they train on."""
    text = (
        f"{n_overlapping} of {n_splits} test on rows that they train on, so their scores measure "
        "memorization, and no interval says anything about new data"
    )
    return Note(TRAINED_ON, text, AnticonservativeWarning)


def same_test_rows(n_splits: int) -> Note:
    """Return the note on splits that all test on the same rows or groups."""
    text = (
        f"all {n_splits} splits test on the same rows, so their scores cannot tell how a "
        "score varies with the test rows: the variance is understated, and a test rejects "
        "true null hypotheses far too often"
    )
    return Note(SAME_TEST_ROWS, text, AnticonservativeWarning)


def repeat_notes(digests: Sequence[str], n_samples: int, n_test: Sequence[int]) -> tuple[Note, ...]:
    """Return a note if splits are repeated that random ones would hardly repeat, or many are."""
    n_splits = len(digests)
    n_distinct = len(set(digests))
    if n_distinct == n_splits:
        return ()
    random_ones_repeat = expected_repeats(n_splits, n_samples, min(n_test)) > _IMPROBABLE
    # Splits that were passed again come in the same order each time.
    is_cycle = digests[n_distinct:] == digests[:-n_distinct]
    are_passed_again = n_distinct >= _SHORTEST_SEQUENCE and is_cycle
    text = (
        f"the same split is repeated: {n_distinct} distinct of {n_splits}. The repetitions add no "
        f"information, but the test uses {n_splits - 1} degrees of freedom instead of "
        f"{n_distinct - 1}, and the variance is understated"
    )
    if are_passed_again or not random_ones_repeat:
        return (Note(REPEATED, text, AnticonservativeWarning),)
    if n_distinct > _MOSTLY * n_splits:
        return ()
    return (Note(FEW_DISTINCT, text, AnticonservativeWarning),)


def expected_repeats(n_splits: int, n_samples: int, n_test: int) -> float:
    """Return the expected number of pairs of random splits with the same test set."""
    log_choices = lgamma(n_samples + 1) - lgamma(n_test + 1) - lgamma(n_samples - n_test + 1)
    return n_splits * (n_splits - 1) / 2 * exp(-log_choices)
