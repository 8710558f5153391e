"""Notes on splits: from the kind of the splitter, the rows, the classes, and shared test rows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import exp, inf, lgamma, sqrt
from typing import Any

import numpy as np

from .._utils._arrays import one_output
from .._utils._text import format_number
from ..exceptions import AnticonservativeWarning
from ._notes import Note

SAME_TEST_ROWS = "same test rows"
REPEATED = "repeated splits"
FEW_DISTINCT = "few distinct splits"
OVERLAP = "overlapping test sets"
TRAINED_ON = "test rows trained on"

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

# The arrangements whose test sets are drawn from all rows.
_LEVELS = (("split",), ("fold",), ("repeat", "fold"), ("replicate", "split"))
_SAME = 1 - 1e-9
_FAR_MORE = 0.5
_DEVIATIONS = 4
# Splits are refused as repeated if random ones would repeat in less than one design in a hundred:
# the expected number of repeats bounds the probability of a repeat.
_IMPROBABLE = 0.01
_SHORTEST_SEQUENCE = 3
_MOSTLY = 0.75


@dataclass
class OverlapCounter:
    """Counts how often rows or groups are in a test set: doc/derivations.rst has the formulas."""

    roots: np.ndarray  # of each unit, 0 at first
    weights: np.ndarray
    sizes: list[int] = field(default_factory=list)

    def add(self, tested: np.ndarray) -> None:
        """Add the next test set, as numbers of its units (each once)."""
        self.sizes.append(tested.size)
        self.roots[tested] += 1 / sqrt(tested.size)
        self.weights[tested] += 1 / tested.size

    @property
    def overlap(self) -> float:
        """The mean overlap of two test sets: 0 for disjoint ones, 1 for equal ones."""
        n_splits = len(self.sizes)
        return float((self.roots @ self.roots - n_splits) / (n_splits * (n_splits - 1)))

    @property
    def exact_factor(self) -> float:
        """The factor that is right if the loss depends on the test unit only."""
        n_splits = len(self.sizes)
        concentration = float(self.weights @ self.weights) / n_splits**2
        rest = sum(1 / size for size in self.sizes) - n_splits * concentration
        return (n_splits - 1) * concentration / rest if rest > 0 else inf

    def notes(self, n_samples: int, levels: tuple[str, ...]) -> tuple[Note, ...]:
        """Return a note if the test sets share more units than random ones."""
        n_splits = len(self.sizes)
        if n_splits < 2 or levels not in _LEVELS:
            return ()
        overlap = self.overlap
        if overlap > _SAME:
            text = (
                f"all {n_splits} splits test on the same rows, so their scores cannot tell how a "
                "score varies with the test rows: the variance is understated, and a test rejects "
                "true null hypotheses far too often"
            )
            return (Note(SAME_TEST_ROWS, text, AnticonservativeWarning),)
        m, n, n_pairs = np.asarray(self.sizes, dtype=float), n_samples, n_splits * (n_splits - 1)
        p = (np.sqrt(m).sum() ** 2 - m.sum()) / (n_pairs * n)
        spread = p * (1 - p)
        if spread <= 0:  # two of them have all in common
            return ()
        deviation = spread * sqrt(2 * n / ((n - 1) * n_pairs * p * p * n))
        if overlap <= p + max(_FAR_MORE * spread, _DEVIATIONS * deviation):
            return ()
        n_test = n_splits / sum(1 / size for size in self.sizes)
        formula = 1 / n_splits + n_test / (n_samples - n_test)
        text = (
            "the test sets share more than random ones would: two of them have "
            f"{overlap:.2g} of their size in common, random ones {n_test / n_samples:.2g}. "
            "If the loss depended on the test row only, the variance of the mean would be "
            f"{format_number(self.exact_factor)} times the sample variance; the correction takes "
            f"{format_number(formula)}. Use cv=RepeatedSubsampleSplit() over all rows"
        )
        return (Note(OVERLAP, text, AnticonservativeWarning),)


def repeat_notes(digests: Sequence[str], n_samples: int, n_test: Sequence[int]) -> tuple[Note, ...]:
    """Return a note if splits are repeated that random ones would hardly repeat, or many are."""
    n_splits, n_distinct = len(digests), len(set(digests))
    if n_distinct == n_splits:
        return ()
    random_ones_repeat = expected_repeats(n_splits, n_samples, min(n_test)) > _IMPROBABLE
    pairs = zip(digests, digests[n_distinct:], strict=False)
    are_passed_again = n_distinct >= _SHORTEST_SEQUENCE and all(a == b for a, b in pairs)
    by_chance = random_ones_repeat and not are_passed_again
    if by_chance and n_distinct > _MOSTLY * n_splits:
        return ()
    text = (
        f"the same split is repeated: {n_distinct} distinct of {n_splits}. The repetitions add "
        f"no information, but the test counts {n_splits - 1} degrees of freedom for "
        f"{n_distinct - 1}, and the variance is understated"
    )
    return (Note(FEW_DISTINCT if by_chance else REPEATED, text, AnticonservativeWarning),)


def expected_repeats(n_splits: int, n_samples: int, n_test: int) -> float:
    """Return the expected number of pairs of random splits with the same test set."""
    log_choices = lgamma(n_samples + 1) - lgamma(n_test + 1) - lgamma(n_samples - n_test + 1)
    return n_splits * (n_splits - 1) / 2 * exp(-log_choices)


STRATIFIED = Note(
    "stratified",
    "the splits are stratified, which hides the part of the variance that comes from the class "
    "proportions: the interval is too short if one class is predicted better than another",
)
GROUPS_TORN = Note(
    "groups torn apart",
    "groups were given, but the splits divide them: rows of one group are in both the training and "
    "the test set, so the scores are too good and the sizes count rows; use "
    "RepeatedSubsampleSplit() or GroupKFold()",
)
TIME_ORDER = Note(
    "time order",
    "the splits are in time order: each trains on the rows before its test rows, so the splits are "
    "not exchangeable as the test assumes, and no procedure here is valid for them",
    AnticonservativeWarning,
)
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
FIXED_SUBSET = "fixed subset"

# Notes that apply only to several splits together.
_OF_SEVERAL = {STRATIFIED.code, TIME_ORDER.code, FIXED_SUBSET, *REFUSED, OVERLAP}


def notes_of_one(notes: Iterable[Note]) -> list[Note]:
    """Return the notes on splits that also apply to a single one."""
    return [note for note in notes if note.code not in _OF_SEVERAL]


def is_sorted(y: Any) -> bool:
    """Return whether a target is sorted, or its classes come one after the other."""
    y = one_output(y)
    if y is None or y.size < 3:
        return False
    try:
        increases, decreases = (y[1:] > y[:-1]).any(), (y[1:] < y[:-1]).any()
    except TypeError:  # labels that cannot be ordered
        return False
    if not (increases and decreases):
        return bool(increases or decreases)
    n_distinct = len(set(y.tolist()))
    n_changes = int(np.count_nonzero(y[1:] != y[:-1]))
    return n_changes == n_distinct - 1 and n_distinct <= y.size // 2


# At most so many false alarms are wanted, and so much variation counts as far less than random.
LEVEL = 1e-3
_FAR_LESS = 0.5
FEWEST_SPLITS = 5
# Rarer classes say little one by one.
_FEWEST_EXPECTED = 1.0
# More splits are not looked at: these tell enough.
_MOST_SPLITS = 100
_MOST_CELLS = 2**26


def n_needed(n_rows: int) -> int:
    """Return of how many splits the test rows are looked at."""
    return min(_MOST_SPLITS, _MOST_CELLS // max(n_rows, 1))


def classes_of(y: Any) -> np.ndarray | None:
    """Return the class of each row as a number, or None where y is no vector of classes."""
    y = one_output(y)
    if y is None or y.dtype.kind not in "biufOUS":
        return None
    if y.dtype.kind == "f" and not np.array_equal(y, np.rint(y)):  # nan too
        return None
    try:
        return np.unique(y, return_inverse=True)[1].ravel()
    except TypeError:  # labels without an order
        return None


def are_stratified(tests: Sequence[np.ndarray], rows: np.ndarray, classes: np.ndarray) -> bool:
    """Return whether the class counts of test sets vary far less than random ones would."""
    # doc/derivations.rst has the statistic and its bound. What is recognized makes a note and never
    # selects a formula.
    tests = tests[: n_needed(rows.size)]
    n_splits, n = len(tests), rows.size
    if n_splits < FEWEST_SPLITS:
        return False
    member = np.zeros((n_splits, rows[-1] + 1), dtype=bool)
    for marks, test in zip(member, tests, strict=True):
        marks[test] = True
    member = member[:, rows]
    places = [np.flatnonzero(marks) for marks in member]
    sizes = np.array([place.size for place in places])
    codes = _frequent(classes[rows], smallest=int(sizes.min()))
    counts = np.bincount(codes)
    if counts.size < 2 or sizes.max() == n:
        return False
    found = np.array([np.bincount(codes[place], minlength=counts.size) for place in places])
    p = counts / n
    spread = sizes * (1 - sizes / n)
    scale = (n - 1) / (n * spread)
    pearson = scale * ((found - np.outer(sizes, p)) ** 2 / p).sum(axis=1)
    n_free = counts.size - 1
    if pearson.sum() > _FAR_LESS * n_splits * n_free:
        return False
    most = p.max()
    rounding = scale * ((1 / p).sum() - 1 / most + n_free / most) / 12
    shared = np.array([np.count_nonzero(member[:, place], axis=1) for place in places])
    correlations = (shared - np.outer(sizes, sizes) / n) / np.sqrt(np.outer(spread, spread))
    weights = np.linalg.eigvalsh(correlations).clip(min=0)
    return _lower_tail(pearson.sum() + rounding.sum(), weights, n_free) <= LEVEL


def _frequent(classes: np.ndarray, smallest: int) -> np.ndarray:
    """Return the classes, with those of few rows in the smallest test set taken as one."""
    counts = np.bincount(classes)
    there = counts > 0
    codes, counts = (np.cumsum(there) - 1)[classes], counts[there]
    order = np.argsort(counts, kind="stable")
    enough = counts * smallest / classes.size >= _FEWEST_EXPECTED
    # The rare ones in order, joined until they are enough together.
    new = np.cumsum(enough[order])
    together = counts[~enough].sum() * smallest / classes.size
    if 0 < together < _FEWEST_EXPECTED and enough.any():
        new = np.maximum(new, 1) - 1
    renumbered = np.empty(counts.size, dtype=np.intp)
    renumbered[order] = new - new.min()
    return renumbered[codes]


def _lower_tail(t: float, weights: np.ndarray, n_free: int) -> float:
    """Bound the probability that a weighted sum of chi-squared variables is at most t."""
    u = np.geomspace(1e-3, 1e6, 200)[:, None]
    logs = u[:, 0] * t - n_free / 2 * np.log1p(2 * u * weights).sum(axis=1)
    return float(np.exp(min(logs.min(), 0.0)))
