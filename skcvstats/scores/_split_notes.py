"""Notes on splits: from the kind of the splitter, the rows, the classes, shared and equal rows."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, zip_longest
from math import exp, inf, lgamma, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._utils._arrays import Floats, missing_in, one_output
from .._utils._text import counted, format_number
from ..exceptions import AnticonservativeWarning
from ._notes import Note

SAME_TEST_ROWS = "same test rows"
REPEATED = "repeated splits"
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


def overlap_notes(
    n_test: Sequence[int], shares: np.ndarray, n_samples: int, levels: tuple[str, ...]
) -> tuple[Note, ...]:
    """Return a note if the test sets share more units than random ones."""
    # Of each unit `shares` has the sums of 1/sqrt(m) and of 1/m over the test sets of m units that
    # it is in: doc/derivations.rst has the formulas.
    n_splits, (roots, weights) = len(n_test), shares
    if n_splits < 2 or levels not in _LEVELS:
        return ()
    overlap = float((roots @ roots - n_splits) / (n_splits * (n_splits - 1)))
    if overlap > _SAME:
        text = (
            f"all {n_splits} splits test on the same rows, so their scores cannot tell how a "
            "score varies with the test rows: the variance is understated, and a test rejects "
            "true null hypotheses far too often"
        )
        return (Note(SAME_TEST_ROWS, text, AnticonservativeWarning),)
    m, n, n_pairs = np.asarray(n_test, dtype=float), n_samples, n_splits * (n_splits - 1)
    p = (np.sqrt(m).sum() ** 2 - m.sum()) / (n_pairs * n)
    spread = p * (1 - p)
    if spread <= 0:  # two of them have all in common
        return ()
    deviation = spread * sqrt(2 * n / ((n - 1) * n_pairs * p * p * n))
    if overlap <= p + max(_FAR_MORE * spread, _DEVIATIONS * deviation):
        return ()
    concentration = float(weights @ weights) / n_splits**2
    of_sizes = sum(1 / size for size in n_test)
    rest = of_sizes - n_splits * concentration
    factor = (n_splits - 1) * concentration / rest if rest > 0 else inf
    usual = n_splits / of_sizes
    text = (
        "the test sets share more than random ones would: two of them have "
        f"{overlap:.2g} of their size in common, random ones {usual / n:.2g}. "
        "If the loss depended on the test row only, the variance of the mean would be "
        f"{format_number(factor)} times the sample variance; the correction takes "
        f"{format_number(1 / n_splits + usual / (n - usual))}. Use "
        "cv=RepeatedSubsampleSplit() over all rows"
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
        f"the same split is repeated: {n_distinct} distinct of {n_splits}. The repetitions add no "
        f"information, but the test uses {n_splits - 1} degrees of freedom instead of "
        f"{n_distinct - 1}, and the variance is understated"
    )
    return (Note("few distinct splits" if by_chance else REPEATED, text, AnticonservativeWarning),)


def expected_repeats(n_splits: int, n_samples: int, n_test: int) -> float:
    """Return the expected number of pairs of random splits with the same test set."""
    log_choices = lgamma(n_samples + 1) - lgamma(n_test + 1) - lgamma(n_samples - n_test + 1)
    return n_splits * (n_splits - 1) / 2 * exp(-log_choices)


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
    changes = y[1:] != y[:-1]
    parts = (changes[:999], y[:1000]), (changes, y)  # the first rows tell most
    return np.count_nonzero(changes) < y.size // 2 and all(
        np.count_nonzero(of) == len(set(part.tolist())) - 1 for of, part in parts
    )


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
    # A bound of the probability that a weighted sum of chi-squared variables is at most this.
    least, u = pearson.sum() + rounding.sum(), np.geomspace(1e-3, 1e6, 200)
    logs = u * least - n_free / 2 * np.log1p(2 * u[:, None] * weights).sum(axis=1)
    return bool(np.exp(min(logs.min(), 0.0)) <= LEVEL)


def _frequent(classes: np.ndarray, smallest: int) -> np.ndarray:
    """Return the classes, with those of few rows in the smallest test set taken as one."""
    counts = np.bincount(classes)
    there = counts > 0
    codes: NDArray[np.intp] = (np.cumsum(there) - 1)[classes]
    counts = counts[there]
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


# Test rows that equal a training row in X and in y, as copies made before the splits do.
LEAST_SHARE = 0.05
# In small test sets 5 % may be a row or two: with fewer than this the data must have the share too.
_ENOUGH_ROWS = 10
# Rows of columns of at most so many values are often equal by chance.
_FEW_VALUES = 20
# Numbers are equal up to so much of the middle half of their column, if copies are much nearer.
_DIGITS, _NEARER = 1e-4, 0.1
_MOST_SEEN = 1000
_ODD = np.uint64(0x9E3779B97F4A7C15)


class SharedRows:
    """Counts the test rows that equal a training row in X and y, split by split."""

    # Found once, column by column, by hashes of 64 bits, one to one within a column: unequal rows
    # are taken for equal with probability 2^-64. Missing values are equal. Only tables are looked
    # at, and no symmetric one, which may be a kernel matrix. With two continuous columns, numbers
    # are equal to four digits, as those of copies with a little noise are.

    def __init__(self, X: Any, y: Any, groups: Any = None) -> None:
        self._X, self._grouped = X, groups is not None
        self._to_digits = ""
        self._counts: list[tuple[int, int]] = []
        self._labels: np.ndarray | None = None  # a number for each row, 0 if no other row equals it
        with suppress(Exception):  # no table, or values that cannot be hashed
            if not hasattr(X, "shape"):  # texts as objects, or each takes the room of the longest
                self._X = X = np.asarray(X, dtype=object if isinstance(X[0], str) else None)
            n = X.shape[0]
            if X.shape == (n, n) and _is_symmetric(X):
                return
            steps = []  # of each continuous column a share of the middle half, 0 for others
            for column in () if hasattr(X, "tocsr") else columns_of(X):
                seen = column[:_MOST_SEEN]
                seen = seen[np.isfinite(seen)] if column.dtype.kind == "f" else seen[:0]
                fine = len(np.unique(seen)) > _FEW_VALUES
                steps.append(_DIGITS * np.ptp(np.quantile(seen, (0.25, 0.75))) if fine else 0.0)
            if sum(step > 0 for step in steps) > 1:
                self._labels = equal_rows(chain(columns_of(X), columns_of(y)), n, steps)
                if self._labels is None:
                    return
                # How far apart rows are that are equal to four digits, in steps.
                order = np.argsort(self._labels, kind="stable")
                order = order[self._labels[order] > 0]
                pairs = np.diff(self._labels[order]) == 0
                columns = zip(columns_of(X), steps, strict=True)
                found: list[Floats]
                found = [np.abs(np.diff(of[order]))[pairs] / step for of, step in columns if step]
                apart = np.nan_to_num(np.stack(found))
                if np.median(apart) < _NEARER:
                    self._to_digits = " to four digits" if apart.any() else ""
                    return
            self._labels = equal_rows(chain(columns_of(X), columns_of(y)), n)

    @property
    def n_equal(self) -> int:
        """How many rows equal another one."""
        return 0 if self._labels is None else int(np.count_nonzero(self._labels))

    def are_enough(self, n_test: int) -> bool:
        """Whether there are enough equal rows for a note on test sets of at least this size."""
        return self.n_equal >= LEAST_SHARE * n_test and _has_many_values(self._X)

    def add(self, train: np.ndarray, test: np.ndarray) -> None:
        """Add the next split, as row numbers."""
        if self._labels is not None:
            trained = np.zeros(self._labels.max() + 1, dtype=bool)
            trained[self._labels[train]] = True
            trained[0] = False
            self._counts.append((int(trained[self._labels[test]].sum()), test.size))

    def notes(self) -> tuple[Note, ...]:
        """Return a note if many test rows equal a training row."""
        if self._labels is None:
            return ()
        share = np.mean([found / size for found, size in self._counts])
        found, size = map(sum, zip(*self._counts, strict=True))
        in_data = 1.0 if found >= _ENOUGH_ROWS else np.mean(self._labels > 0)
        if min(share, in_data) < LEAST_SHARE or not _has_many_values(self._X):
            return ()
        together = "" if self._grouped else ", or pass groups= if several rows belong together"
        text = (
            f"{found} of {size} test rows equal a training row in X and y{self._to_digits} "
            f"({format_number(100 * float(share))} % on average over "
            f"{counted(len(self._counts), 'split')}). If they are copies, the scores reward "
            f"memorization: resample inside a pipeline{together}"
        )
        return (Note("rows in training and test", text),)


def equal_rows(
    columns: Iterable[np.ndarray], n: int, steps: Sequence[float] = ()
) -> np.ndarray | None:
    """Return a number for each row, 0 if no other one equals it; None if there are none."""
    rows, hashes = np.arange(n), np.zeros(n, dtype=np.uint64)
    both: Iterable[Any] = zip_longest(columns, steps, fillvalue=0.0)
    for k, (column, step) in enumerate(both, 1):
        column = column if rows.size == n else column[rows]
        _mix(hashes, np.rint(column / step) if step else column)
        if k & (k - 1) == 0:
            n_bits = max(rows.size.bit_length() + 1, 16)
            buckets = (hashes >> np.uint64(64 - n_bits)).astype(np.intp)
            kept = (np.bincount(buckets) > 1)[buckets]
            rows, hashes = rows[kept], hashes[kept]
            if not rows.size:
                return None
    _, inverse, counts = np.unique(hashes, return_inverse=True, return_counts=True)
    if not (several := counts > 1).any():
        return None
    labels = np.zeros(n, dtype=np.intp)
    labels[rows] = (np.cumsum(several) * several)[inverse]
    return labels


def _is_symmetric(square: Any) -> bool:
    """Whether the first rows of a matrix are its first columns, up to rounding."""
    matrix = square.tocsr() if hasattr(square, "tocsr") else np.asarray(square)
    rows = matrix[:_FEW_VALUES]
    return bool(abs(rows - matrix[:, :_FEW_VALUES].T).max() <= 1e-8 * abs(rows).max())


def _has_many_values(X: Any) -> bool:
    """Whether some column has more than 20 different values; most show it in their first rows."""
    csc = X.tocsc() if hasattr(X, "tocsc") else None
    columns = columns_of(X) if csc is None else np.split(csc.data, csc.indptr[1:-1])
    parts = (part for column in columns for part in (column[:1000], column))
    found = (_mix(np.zeros(part.size, dtype=np.uint64), part) for part in parts)
    return any(np.unique(hashes).size > _FEW_VALUES for hashes in found)


def columns_of(data: Any) -> Iterator[np.ndarray]:
    """Yield the columns of a table, if there is one; of a sparse one, a hash of each row."""
    if data is None:
        return
    if hasattr(data, "tocsr"):
        matrix = data.tocsr(copy=True)
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
        hashes = _ODD * (matrix.indices.astype(np.uint64) + np.uint64(1))
        _mix(hashes, matrix.data)
        # The sum over the entries of a row, modulo 2^64.
        yield np.diff(np.insert(np.cumsum(hashes), 0, 0)[matrix.indptr])
    elif hasattr(data, "columns"):
        table = getattr(data, "iloc", data)
        yield from (np.asarray(table[:, k]) for k in range(data.shape[1]))
    else:
        array = np.asarray(data)
        yield from array.T if array.ndim == 2 else (array,)


def _mix(hashes: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Mix a value into each hash, in place: 64 bits that are the same for equal values only."""
    if values.dtype.kind in "biumM":
        bits = values.astype(np.int64).view(np.uint64)
    elif values.dtype.kind == "f":
        numbers = values.astype(np.float64) + 0.0  # -0.0 becomes 0.0
        numbers[np.isnan(numbers)] = np.nan
        bits = numbers.view(np.uint64)
    else:
        values = values.astype(object)
        codes: dict[Any, int] = {}
        bits = np.array([codes.setdefault(v, len(codes)) for v in values.tolist()], dtype=np.uint64)
        bits[missing_in(values)] = len(codes)
    hashes ^= bits
    for shift in (30, 27):
        hashes ^= hashes >> np.uint64(shift)
        hashes *= _ODD
    return hashes
