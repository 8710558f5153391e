"""The input of procedures: arrays and scores, checked, and what their splits limit."""

from collections.abc import Callable, Mapping
from functools import wraps
from math import comb
from typing import Any, ParamSpec, TypeVar

import numpy as np

from .._utils._arrays import as_array, as_numbers
from .._utils._checks import is_integer, is_list_of_length, listed
from .._utils._text import counted, format_number, format_size, verb
from ..exceptions import AnticonservativeWarning, PairingError, SplitDesignWarning
from ..scores import CVScores, Note, NoteOnTests, SplitDesign, check_range, note_on_tests
from ._sample import sample_moments

# The report recommends 15 splits and finds fewer than 10 wasteful of power.
_FEWEST_SPLITS = 10
_USUAL_FOLDS = 5
_UNEQUAL = 2
_EXCHANGED = 1.5

# The procedures give this warning themselves, with the name of what does not vary.
UNDETERMINED = Note(
    "undetermined", "undetermined: the estimated variance is 0, so no conclusion can be drawn", None
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


def few_notes(
    n: int, noun: str, fewest: int, why: str, category: type[Warning] | None = SplitDesignWarning
) -> tuple[Note, ...]:
    """Return a note "only ..." if there are fewer of something, such as "test row", than needed."""
    if n >= fewest:
        return ()
    last_word = noun.split()[-1]
    return (Note(f"few {last_word}s", f"only {counted(n, noun)}{why}", category),)


def undetermined_notes(undetermined: Any) -> tuple[NoteOnTests, ...]:
    """Return a note on the tests that are undetermined, if any are."""
    flags = np.ravel(undetermined)
    n = int(np.count_nonzero(flags))
    text = f"{n} of {counted(flags.size, 'test')} {verb(n, 'is', 'are')} {UNDETERMINED}"
    return note_on_tests(UNDETERMINED.code, flags, lambda position: UNDETERMINED.text, text)


def require_splits(design: SplitDesign, who: str) -> None:
    """Raise SplitDesignError unless a variance over splits can be computed."""
    levels = [("split",), ("fold",), ("repeat", "fold"), ("replicate", "split")]
    design.require(who=who, levels=levels, min_splits=2, distinct=True)


def number_notes(design: SplitDesign) -> tuple[Note, ...]:
    """Return what the number of splits limits, and what the correction assumes for one k-fold."""
    n_splits = design.n_splits
    if design.levels != ("fold",) or _leaves_one_out(design):
        return few_splits_notes(design)
    text = (
        f"one repeat of {n_splits} folds: repeated folds vary less, {more_folds(design)}; the "
        "correction was derived for independently drawn splits and is used on folds by convention, "
        "which is conservative for stable learners (it "
        f"multiplies the sample variance by {format_number(1 / n_splits + design.rho0_odds)}; "
        f"{format_number(1 / n_splits)} would do if the loss depended on the test row only) and "
        "about right for unstable ones such as deep trees"
    )
    few = few_splits_notes(design) if n_splits < _USUAL_FOLDS else ()
    return (Note("one repeat", text, None), *few)


def more_folds(design: SplitDesign) -> str:
    """Return which folds show more than those of one repeat."""
    codes = [note.code for note in design.notes]
    if design.unit == "groups" or "groups split across training and test" in codes:
        return "leave cv out, which draws 4 repeats of 5 folds of groups"
    return "cv=RepeatedStratifiedKFold(n_splits=5, n_repeats=4), for regression RepeatedKFold"


def _leaves_one_out(design: SplitDesign) -> bool:
    """Return whether two to nine groups or rows are tested once each, alone, as by default."""
    return design.n_splits < _FEWEST_SPLITS and leaves_each_out(design)


def leaves_each_out(design: SplitDesign) -> bool:
    """Return whether each group or row is tested once, alone, by the model of all others."""
    # Where no sizes are known, they are 1 and 1.
    has_sizes = design.unit == "groups" or min(design.n_train) > 1
    return has_sizes and max(design.n_test) == 1 and design.n_splits == design.n_samples


def are_all_splits(design: SplitDesign) -> bool:
    """Return whether there are no other splits of these sizes."""
    n_samples = design.n_samples
    n_different = len(set(design.digests or ()))
    # There are never fewer splits of one size than rows, and counting those of many rows is slow.
    may_be_all = n_different >= n_samples and len(set(design.n_test)) == 1
    return may_be_all and n_different == design.n_splits == comb(n_samples, design.n_test[0])


def is_stated(design: SplitDesign) -> bool:
    """Return whether the sizes of the splits were stated, and no splits are known."""
    return design.digests is None and design.source is None


def exchanged_notes(design: SplitDesign) -> tuple[Note, ...]:
    """Return a note if the sizes of stated splits look swapped."""
    if not is_stated(design) or design.test_size < _EXCHANGED * design.train_size:
        return ()
    n_train = format_size(design.train_size)
    n_test = format_size(design.test_size)
    text = (
        f"n_train={n_train} and n_test={n_test} say that the splits test on more rows than they "
        f"train on; if they were exchanged, n_train={n_test} and n_test={n_train} are right, and "
        "this correction is far too large"
    )
    return (Note("exchanged sizes", text),)


def few_splits_notes(design: SplitDesign) -> tuple[Note, ...]:
    """Return a note if a variance is estimated from the scores of few splits."""
    if _leaves_one_out(design):
        text = "two groups: the variance of two scores has one degree of freedom; pass more groups"
        return (Note("few splits", text),) if design.n_splits == 2 else ()
    why = (
        ": the variance is poorly estimated and the test has little power; use at least "
        f"{_FEWEST_SPLITS}, better 15"
    )
    return few_notes(design.n_splits, "split", _FEWEST_SPLITS, why)


def design_notes(design: SplitDesign) -> tuple[Note, ...]:
    """Return a note for each weakness of the splits."""
    notes = []
    if design.levels == ("split",) and are_all_splits(design):
        text = (
            f"these are all {design.n_splits} splits there are, not independent draws: the "
            f"{design.n_splits - 1} degrees of freedom overstate the precision of the variance"
        )
        notes.append(Note("every split", text))
    # Where no sizes are known, they are 1 and 1.
    tests_on_one = max(design.n_test) == 1 < min(design.n_train)
    if tests_on_one and design.unit == "rows":
        text = (
            "each split tests on a single row, as in leave-one-out: a score is one loss, so the "
            "mean of few splits is far from normal where losses are skewed, and tests can reject "
            "true null hypotheses too often; pass more data, and test on more rows, as "
            "cv=RepeatedSubsampleSplit() does with more than ten"
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


Scores = CVScores | Mapping[str, Any]


def complete_difference(scores: Scores, other: Scores | None = None) -> CVScores:
    """Return complete scores, or their paired difference."""
    sample = complete_scores(scores)
    return sample if other is None else sample - complete_scores(other)


def complete_scores(scores: Any, expected: str = "CVScores") -> CVScores:
    """Return complete scores that know their splits, or say in an error what to pass instead."""
    if isinstance(scores, Mapping):
        scores = CVScores.from_cv_results(scores)
    if not isinstance(scores, CVScores):
        raise TypeError(
            f"Expected {expected} or the dict of cross_validate(..., return_indices=True), got "
            f"{type(scores).__name__}. The scores of a result are result.scores; those of one "
            "comparison are in its test, result.tests[0].scores. A bare array has lost the sizes "
            "of its splits: use the procedure's function, which asks for them, or state them: "
            "CVScores(values=x, design=SplitDesign.from_sizes(n_train=90, n_test=10, n_splits=15))."
        )
    scores.check_complete()
    return scores


def auxiliary_difference(auxiliary: Any, *, paired: bool) -> CVScores | None:
    """Return the auxiliary scores, or the difference of a pair of them."""
    if auxiliary is None:
        return None
    if paired and is_list_of_length(auxiliary, 2):
        return complete_difference(*auxiliary)
    if isinstance(auxiliary, CVScores if paired else (CVScores, Mapping)):
        return complete_scores(auxiliary)
    raise TypeError(
        "auxiliary must be the scores on the auxiliary splits: of the one estimator, or with "
        "two estimators the pair of theirs, or the CVScores of their difference; got "
        f"{type(auxiliary).__name__}."
    )


def check_auxiliary(scores: CVScores, auxiliary: CVScores) -> tuple[Note, ...]:
    """Raise PairingError unless auxiliary scores belong to these; return notes on doubts."""
    scores._check_same_metric(auxiliary)
    if scores.shape[:-1] != auxiliary.shape[:-1]:
        raise PairingError(
            f"The scores have shape {scores.shape} and the auxiliary ones {auxiliary.shape}: both "
            "need the same estimators."
        )
    estimators = {scores.labels, auxiliary.labels} - {()}
    if len(estimators) > 1:
        raise PairingError(
            f"The scores are of {listed(scores.labels)} and the auxiliary ones of "
            f"{listed(auxiliary.labels)}: both need the same estimators, in the same order."
        )
    ours = scores.design
    theirs = auxiliary.design
    targets = {ours.y_digest, theirs.y_digest} - {None}
    if len(targets) > 1:
        raise PairingError(
            "The auxiliary scores are of another target y. Score both on the same data."
        )
    notes = []
    # A design that records neither the target nor the splitter does not show what its data are.
    origins = [(ours.y_digest, ours.source), (theirs.y_digest, theirs.source)]
    if (None, None) in origins:
        text = (
            "not verified that the auxiliary scores are of the same data: pass y= to "
            "CVScores.from_cv_results for both"
        )
        notes.append(Note("auxiliary data not verified", text, None))
    if ours.n_samples // 2 < theirs.n_samples // 2:
        text = (
            f"the auxiliary splits were drawn from {theirs.n_samples} {theirs.unit}, those of the "
            f"estimate from {ours.n_samples}: right only if these are a part of the same data"
        )
        notes.append(Note("auxiliary pool", text, None))
    return tuple(notes)


def check_finite(name: str, values: np.ndarray) -> None:
    """Raise ValueError at the first number that is not finite."""
    wrong = np.argwhere(~np.isfinite(values))
    if len(wrong):
        position = tuple(wrong[0].tolist())
        raise ValueError(
            f"{name} contains {values[position]} at {position}; it must be a finite number. Fix "
            "its cause, or leave that split out for all."
        )


def check_null_value(null_value: Any, shape: tuple[int, ...]) -> Any:
    """Return the value under test, a finite number or one for each row."""
    null_value = as_numbers("null_value", null_value)[()]
    if np.shape(null_value) not in ((), shape):
        raise ValueError(
            f"null_value has shape {null_value.shape}; pass a number, or an array of shape {shape}."
        )
    if not np.isfinite(null_value).all():
        raise ValueError(f"null_value={null_value} is under test, so it must be a finite number.")
    return null_value


def splits_last(x: Any, axis: int, name: str = "x", *, knowing: str) -> np.ndarray:
    """Return `x` as an array of floats with the splits along its last axis, after checking it."""
    x = bare_numbers(x, name, knowing=knowing)
    if not is_integer(axis) or not -x.ndim <= axis < x.ndim or x.size == 0:
        raise ValueError(
            f"{name} has shape {x.shape}; along axis={axis!r} it must have one score or more, one "
            "for each split."
        )
    return np.moveaxis(x, axis, -1)


def bare_numbers(x: Any, name: str = "x", *, knowing: str) -> np.ndarray:
    """Return `x` as an array of floats; refuse scores that know the sizes of their splits."""
    if isinstance(x, (CVScores, Mapping)):
        raise TypeError(
            f"{name} is a {type(x).__name__}, which knows the sizes of its splits, so sizes must "
            f"not be given too. Call {knowing}()({name}), which reads them; or pass the "
            "bare numbers and their sizes."
        )
    return as_numbers(name, x)


def variance_over_splits(who: str, scores: CVScores) -> float:
    """Return the sample variance of the scores of one estimator, or of one difference."""
    if scores.ndim != 1:
        raise ValueError(
            f"The scores have shape {scores.shape}, so they are of several estimators. {who} is "
            "for one, scores['a'], or for the difference of two, scores['a'] - scores['b']."
        )
    require_splits(scores.design, who)
    variance = float(sample_moments(scores.values, scores.magnitude)[1])
    if variance == 0:
        raise ValueError(
            "The scores do not vary over the splits, so the effect of more splits, or of another "
            "correlation, cannot be computed. Use more test rows or a finer metric."
        )
    return variance


def finite_array(name: str, value: Any) -> np.ndarray:
    """Return `value` as an array of finite floats."""
    array = as_numbers(name, value)
    check_finite(name, array)
    return array


def score_array(name: str, value: Any) -> np.ndarray:
    """Return `value` as an array of finite floats whose squares are in the range of floats."""
    array = finite_array(name, value)
    check_range(name, np.abs(np.atleast_1d(array)).max(axis=-1, initial=0.0))
    return array


def check_counts(name: str, value: Any, *, endless: bool = True) -> np.ndarray:
    """Return counts of at least 1, which may be infinite if `endless`, as floats."""
    array = as_array(name, value)
    end = ", or math.inf for no end" * endless
    if array.dtype.kind in "iuf":
        is_whole = array == np.floor(array)  # infinity equals its floor
        if (is_whole & (array >= 1) & (np.isfinite(array) | endless)).all():
            return array.astype(float)
    raise ValueError(f"{name}={value!r} must be an integer of at least 1{end}.")


P = ParamSpec("P")
R = TypeVar("R")


def of_differences(*positional: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Raise an error for a second positional array that suggests the difference of the two."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        name = function.__name__
        call = f"{name}({', '.join(positional)}, ...)"

        @wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            if len(args) > len(positional):
                raise TypeError(
                    f"{name} tests the scores of one estimator or the differences of two on the "
                    f"same splits, got {len(args)} positional arguments. For two estimators pass "
                    f"{call}, a and b as NumPy arrays; all other arguments go by name."
                )
            return function(*args, **kwargs)

        return checked

    return decorate
