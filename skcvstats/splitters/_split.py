"""Random splitters whose k-th split can be made alone, from a seed, its number and the units."""

import math
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby
from operator import index, itemgetter
from typing import Any, ClassVar

import numpy as np
from sklearn.model_selection import BaseCrossValidator
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import type_of_target

from .._utils._arrays import as_given, check_labelled, classes_in
from .._utils._checks import MOST_SPLITS, check_flag, check_option, is_integer, n_rows
from .._utils._shared_arguments import check_integer, check_optional_integer, check_seed, check_size
from ..exceptions import SplitDesignError
from ..scores import STRATIFIED, Note

Seed = int | np.random.RandomState | None


@dataclass(frozen=True, eq=False)
class Units:
    """The units to draw: rows, rows of known strata, or whole groups of rows."""

    n: int
    unit: str = "rows"
    strata: np.ndarray | None = None
    group_of_row: np.ndarray | None = None

    def draw(
        self, pool: np.ndarray, sizes: Sequence[int], random_state: np.random.RandomState
    ) -> list[np.ndarray]:
        """Draw disjoint parts of these sizes from the pool, each in random order."""
        pool = random_state.permutation(pool)
        if self.strata is None:
            # Copies, because a view would keep all of the pool alive.
            return [
                pool[stop - size : stop].copy()
                for size, stop in zip(sizes, accumulate(sizes), strict=True)
            ]
        strata = self.strata[pool]
        left_of_class = np.bincount(strata)
        counts_by_part = []
        for size in sizes:
            counts = proportional_counts(left_of_class, size, random_state)
            counts_by_part.append(counts)
            left_of_class = left_of_class - counts
        # The rows of each class go to the parts one after the other; the last part is not drawn.
        numbers = np.tile(np.arange(len(sizes) + 1, dtype=np.int8), len(left_of_class))
        counts_by_class = np.column_stack([*counts_by_part, left_of_class])
        part_of_row = np.empty(len(pool), dtype=np.int8)
        part_of_row[np.argsort(strata, kind="stable")] = np.repeat(numbers, counts_by_class.ravel())
        return [pool[part_of_row == part] for part in range(len(sizes))]

    def rows(self, units: np.ndarray, random_state: np.random.RandomState) -> np.ndarray:
        """Return the rows of these units, in random order."""
        if self.group_of_row is None:
            return units
        drawn = np.zeros(self.n, dtype=bool)
        drawn[units] = True
        return random_state.permutation(np.flatnonzero(drawn[self.group_of_row]))


def proportional_counts(
    counts: np.ndarray, total: int, random_state: np.random.RandomState
) -> np.ndarray:
    """Allocate `total` in proportion to `counts` by largest remainder, ties at random."""
    # Integers make ties exact. No count is exceeded: the units left over are
    # fewer than the classes with a remainder, and those have room for one more.
    allocated, remainders = np.divmod(counts * total, max(counts.sum(), 1))
    order = np.lexsort((random_state.permutation(len(counts)), -remainders))
    allocated[order[: total - allocated.sum()]] += 1
    return allocated


def make_units(X: Any, y: Any, groups: Any, *, stratify: bool, fewest: int) -> Units:
    """Check the data once, and return the units to draw."""
    n = n_rows(X)
    check_length("y", y, X)
    check_length("groups", groups, X)
    _require_units(n, "rows", fewest)
    if stratify:
        if groups is not None:
            raise SplitDesignError(
                "groups with stratify=True cannot be drawn, whole groups have no single class; "
                "use stratify=False, or leave groups out."
            )
        return Units(n, strata=_strata(y, fewest))
    if groups is None:
        return Units(n)
    codes = encode_labels("groups", groups)
    n_groups = int(codes.max()) + 1
    _require_units(n_groups, "groups", fewest)
    return Units(n_groups, "groups", group_of_row=codes)


def check_length(name: str, data: Any, X: Any) -> None:
    """Raise ValueError unless there is one entry for each row of X, if there are any."""
    if data is not None and n_rows(data, name) != n_rows(X):
        raise ValueError(
            f"{name} has {n_rows(data)} entries for {n_rows(X)} rows of X; pass one for each row."
        )


def _require_units(n: int, unit: str, fewest: int) -> None:
    """Raise SplitDesignError if there are too few rows or groups."""
    if n < fewest:
        raise SplitDesignError(
            f"The data have n={n} {unit}; at least {fewest} {unit} are needed, so pass more data."
        )


def encode_labels(name: str, values: Any) -> np.ndarray:
    """Return each label's rank (each row's, if there are columns) among the distinct ones."""
    values = as_given(values)
    if values.ndim not in (1, 2):
        raise ValueError(f"{name} has {values.ndim} dimensions; pass a dense array of 1 or 2.")
    first_column, *other_columns = values.reshape(len(values), -1).T
    codes = _ranks(name, first_column)
    for column in other_columns:
        ranks = _ranks(name, column)
        # Ranked again for each column, so that the codes stay below n and cannot overflow.
        codes = np.unique(codes * (ranks.max() + 1) + ranks, return_inverse=True)[1]
    return codes.astype(np.min_scalar_type(codes.max()))


def _ranks(name: str, labels: np.ndarray) -> np.ndarray:
    """Return each label's rank among the distinct ones, after checking that none is missing."""
    check_labelled(name, labels)
    return classes_in(name, labels)[1]


def _strata(y: Any, fewest: int) -> np.ndarray:
    """Return the class numbers of y; raise an error if a class has too few rows."""
    if y is None:
        raise SplitDesignError("stratify=True needs y; pass y, or use stratify=False.")
    codes = encode_labels("y", y)
    y = np.asarray(y)
    if type_of_target(y).startswith("continuous"):
        raise SplitDesignError(
            "y is continuous, and stratify=True needs classes; bin y, or use stratify=False."
        )
    counts = np.bincount(codes)
    rarest = int(np.argmin(counts))
    if counts[rarest] < fewest:
        raise SplitDesignError(
            f"Class {y[np.argmax(codes == rarest)]} of y has {counts[rarest]} row(s); "
            f"stratify=True needs at least {fewest} of each class. Merge rare classes, bin y if "
            f"it is a quantity, or use stratify=False."
        )
    return codes


def stream_of(root: Sequence[int] | np.ndarray, key: tuple[int, ...]) -> np.random.RandomState:
    """Return the random number generator for a key."""
    # RandomState's methods are frozen across NumPy versions, unlike Generator's; PCG64 is seeded
    # in a tenth of the time of its usual Mersenne twister.
    seed = np.random.SeedSequence(root, spawn_key=key)
    return np.random.RandomState(np.random.PCG64(seed))


@dataclass(frozen=True, eq=False)
class LazySplits(Sequence):
    """The splits of one `split` call, each made alone on access, from `root` and its number."""

    units: Units = field(repr=False)
    root: tuple[int, ...]
    seed: int | None
    shape: tuple[int, ...]
    n_samples: int
    n_train: int
    n_test: int

    levels: ClassVar[tuple[str, ...]]  # the last of these are used

    def facts(self) -> dict[str, Any]:
        """Return the fields of the SplitDesign that are known without making the splits."""
        notes: tuple[Note, ...] = ()
        if self.units.strata is not None and len(self) > 1:
            notes = (STRATIFIED,)
        return {
            "n_train": (self.n_train,) * len(self),
            "n_test": (self.n_test,) * len(self),
            "n_samples": self.n_samples,
            "levels": self.levels[-len(self.shape) :],
            "shape": self.shape,
            "unit": self.units.unit,
            "seed": self.seed,
            "notes": notes,
        }

    def __len__(self) -> int:
        return math.prod(self.shape)

    def __getitem__(self, k: Any) -> Any:
        return next(self.take([k]))

    def _number(self, k: Any) -> int:
        """Return the number of split k, which may be counted from the end."""
        number = index(k)  # one of NumPy's may be too small to compute with len(self)
        if not -len(self) <= number < len(self):
            raise IndexError(f"There is no split {k}: there are {len(self)}, numbered from 0.")
        return number % len(self)

    def _place(self, k: Any) -> tuple[int, ...]:
        return tuple(map(int, np.unravel_index(self._number(k), self.shape)))

    def __iter__(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        return self.take(range(len(self)))

    @abstractmethod
    def take(self, numbers: Iterable[int]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Make several splits, faster than one by one if they are drawn from the same pool."""

    def _stream(self, key: tuple[int, ...]) -> np.random.RandomState:
        """Return the random number generator for a part of the splits."""
        # As an array: NumPy would convert the words of a tuple one by one, in Python.
        return stream_of(np.array(self.root, dtype=np.uint32), key)

    def _draw(self, key: tuple[int, ...], pool: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Draw a split from some of the units, with the random stream of this key."""
        random_state = self._stream(key)
        test, train = self.units.draw(pool, (self.n_test, self.n_train), random_state)
        return self.units.rows(train, random_state), self.units.rows(test, random_state)


class LazySplitter(BaseCrossValidator):
    """Base class of the splitters: makes lazy splits from arguments and data."""

    __metadata_request__split: ClassVar = {"groups": True}

    _splits: ClassVar[type[LazySplits]]
    _fewest_units: ClassVar[int]

    def __init__(self, *, stratify: bool, random_state: Seed) -> None:
        check_seed(random_state)
        check_flag("stratify", stratify)
        self.stratify = stratify
        self.random_state = random_state

    def lazy_split(self, X: Any, y: Any = None, groups: Any = None) -> LazySplits:
        """Return the splits as a sequence that makes each split on access.

        Parameters
        ----------
        X : array-like
            As for `split`.
        y, groups : array-like, default=None
            As for `split`.

        Returns
        -------
        LazySplits
            Immutable and small; item k is the pair (train, test) of arrays of row numbers.

        Raises
        ------
        SplitDesignError
            If the sizes, the classes or the groups do not allow such splits.
        """
        units = make_units(X, y, groups, stratify=self.stratify, fewest=self._fewest_units)
        n_samples, n_train, n_test = self._sizes(units)
        if units.strata is not None:
            _check_room_for_classes(int(units.strata.max()) + 1, n_train, n_test)
        shape = self._shape()
        if math.prod(shape) > MOST_SPLITS:
            raise SplitDesignError(
                f"{math.prod(shape)} splits are asked for; there can be at most {MOST_SPLITS}, as "
                "a design stores the sizes of each. Ask for fewer."
            )
        state: Any = self.random_state
        if state is None:
            # An integer, which draws the same root again.
            state = int(check_random_state(None).randint(0, 2**32, dtype=np.uint32))
        root = check_random_state(state).randint(0, 2**32, size=4, dtype=np.uint32)
        seed = None
        if is_integer(state):
            seed = int(state)
        return self._splits(units, tuple(root.tolist()), seed, shape, n_samples, n_train, n_test)

    def split(
        self, X: Any, y: Any = None, groups: Any = None
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Generate indices to split data into training and test set.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data; only the number of rows is used.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs), default=None
            The classes, used with ``stratify=True`` only.
        groups : array-like of shape (n_samples,), default=None
            Group labels. If given, whole groups are drawn, and all sizes count groups.

        Yields
        ------
        train, test : ndarray
            The training rows and the test rows, in random order.
        """
        yield from self.lazy_split(X, y, groups)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of splits.

        Parameters
        ----------
        X, y, groups : object, default=None
            Ignored, as in scikit-learn.

        Returns
        -------
        int
            The number of splits that `split` makes.
        """
        return math.prod(self._shape())

    @abstractmethod
    def _shape(self) -> tuple[int, ...]:
        """Return the number of splits at each level."""

    @abstractmethod
    def _sizes(self, units: Units) -> tuple[int, int, int]:
        """Return the checked sizes: the pool, n_train, n_test."""


def _check_room_for_classes(n_classes: int, n_train: int, n_test: int) -> None:
    """Raise SplitDesignError if a training set or a test set cannot have a row of each class."""
    if min(n_train, n_test) < n_classes:
        raise SplitDesignError(
            f"{n_train} training rows and {n_test} test rows are given for {n_classes} "
            "classes; stratify=True needs as many of each as classes. Change test_size or "
            "train_size, merge classes, or use stratify=False."
        )


def count_of(size: float, n: int, rounding: Callable[[float], int]) -> int:
    """Return a fraction of `n`, or a count, as a count."""
    if is_integer(size):
        return int(size)
    return rounding(size * n)


class _SubsampleSplits(LazySplits):
    levels = ("replicate", "split")

    def take(self, numbers: Iterable[int]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        pool = np.arange(self.units.n, dtype=np.intp)
        if self.n_samples < self.units.n:
            (pool,) = self.units.draw(pool, (self.n_samples,), self._stream(()))
        for k in map(self._number, numbers):
            yield self._draw((k,), pool)


class _HalfPairSplits(LazySplits):
    levels = ("pair", "half", "split")

    def take(self, numbers: Iterable[int]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        places = map(self._place, numbers)
        for pair, group in groupby(places, key=itemgetter(0)):
            halves = _draw_halves(self.units, self._stream((pair, 0)))
            for _, half, split in group:
                yield self._draw((pair, 1 + half, split), halves[half])


class _TwoFoldSplits(LazySplits):
    levels = ("repeat", "fold")

    def take(self, numbers: Iterable[int]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        for repeat, fold in map(self._place, numbers):
            stream = self._stream((repeat,))
            halves = [self.units.rows(half, stream) for half in _draw_halves(self.units, stream)]
            yield halves[fold], halves[1 - fold]


def _draw_halves(units: Units, stream: np.random.RandomState) -> list[np.ndarray]:
    """Draw two disjoint halves of the units, without the odd one."""
    pool = np.arange(units.n, dtype=np.intp)
    half = units.n // 2
    # The odd unit goes first: the two halves are then exchangeable, stratified or not.
    return units.draw(pool, (units.n - 2 * half, half, half), stream)[1:]


class RepeatedSubsampleSplit(LazySplitter):
    """Independent random train/test splits, seeded one by one.

    These are the splits of the resampled and of the corrected resampled t test. Unlike with
    `~sklearn.model_selection.ShuffleSplit`, the first splits stay the same when `n_splits`
    grows, any split can be made alone, the splits can be stratified, and groups are kept whole
    if they are given.

    Parameters
    ----------
    n_splits : int, default=15
        Number of splits, in each replicate if there are several.
    n_replicates : int, default=None
        Number of replicates of `n_splits` splits, for the bootstrap procedures: the first makes
        the estimate, the others its variance. None is no replicates. The splits themselves are
        those of ``n_splits * n_replicates`` splits.
    test_size : float or int, default=0.1
        Fraction (rounded up) or number of the rows to test on; of the groups, if groups are
        given.
    train_size : float or int, default=None
        Fraction (rounded down) or number of the training rows; None is all but the test rows.
    pool : {"all", "fixed"}, default="all"
        What the splits are drawn from: all rows, or one random subset of as many rows as a split
        uses, drawn once per call of `split`. They differ if `train_size` leaves rows out.
    stratify : bool, default=False
        Whether the classes of y keep their proportions (largest remainder, ties at random) in
        the pool, in the test sets and in the training sets. Intervals of a single accuracy from
        stratified splits are too short if one class is predicted better than another; see
        `CorrectedResampledTTest`.
    {shared: split seed}

    {See Also: HalfSplitPairs}

    Notes
    -----
    Splits are redrawn from all n rows by default, so that two test sets of n2 rows share
    n2/n of their rows in expectation. ``pool="fixed"`` is the design that first discards part of
    the data (section 5.1 of [1]_): n is then n1 + n2.

    References
    ----------
    .. [1] C. Nadeau and Y. Bengio, "Inference for the generalization error", Machine Learning
       52, 239-281, 2003.

    Examples
    --------
    >>> import numpy as np
    >>> from skcvstats.model_selection import RepeatedSubsampleSplit
    >>> X = np.zeros((100, 2))
    >>> cv = RepeatedSubsampleSplit(n_splits=3, random_state=0)
    >>> [(len(train), len(test)) for train, test in cv.split(X)]
    [(90, 10), (90, 10), (90, 10)]
    >>> cv = RepeatedSubsampleSplit(test_size=0.1, train_size=0.5, pool="fixed", random_state=0)
    >>> len({row for split in cv.split(X) for part in split for row in part.tolist()})
    60
    """

    _splits = _SubsampleSplits
    _fewest_units = 2

    def __init__(
        self,
        n_splits: int = 15,
        *,
        n_replicates: int | None = None,
        test_size: float = 0.1,
        train_size: float | None = None,
        pool: str = "all",
        stratify: bool = False,
        random_state: Seed = None,
    ) -> None:
        check_integer("n_splits", n_splits, 1)
        check_optional_integer("n_replicates", n_replicates, 1)
        super().__init__(stratify=stratify, random_state=random_state)
        check_size("test_size", test_size)
        self.n_splits = n_splits
        self.n_replicates = n_replicates
        self.test_size = test_size
        if train_size is not None:  # the data tell whether there is room for both
            check_size("train_size", train_size)
        self.train_size = train_size
        self.pool = check_option("pool", pool, ("all", "fixed"))

    def _shape(self) -> tuple[int, ...]:
        if self.n_replicates is None:
            return (self.n_splits,)
        return (self.n_replicates, self.n_splits)

    def _sizes(self, units: Units) -> tuple[int, int, int]:
        n_test = count_of(self.test_size, units.n, math.ceil)
        n_train = units.n - n_test
        if self.train_size is not None:
            n_train = count_of(self.train_size, units.n, math.floor)
        if not 1 <= n_train <= units.n - n_test:
            raise SplitDesignError(
                f"test_size={self.test_size!r} and train_size={self.train_size!r} of n={units.n} "
                f"{units.unit} are {n_test} to test on and {max(n_train, 0)} to train on; at "
                f"least 1 to train on and at most {units.n} in all are needed. Change test_size or "
                "train_size, or pass more data."
            )
        if self.pool == "fixed":
            return n_train + n_test, n_train, n_test
        return units.n, n_train, n_test


class HalfSplitPairs(LazySplitter):
    """Train/test splits inside the two halves of random half-samples.

    Each pair cuts the data at random into two halves of n // 2 rows (an odd row is dropped, a new
    one for each pair), and each half is split `n_splits` times into test rows and all others.
    Scores of the two halves are independent given the data's distribution, and the conservative Z
    test estimates its variance from them. The splits come pair by pair, in it half by half: split k
    is at ``np.unravel_index(k, (n_pairs, 2, n_splits))``.

    Parameters
    ----------
    n_pairs : int, default=10
        Number of pairs of halves.
    n_splits : int, default=15
        Number of splits of each half.
    test_size : float or int, default=0.1
        Fraction (rounded up) or number of the rows **of the full sample** to test on; of the
        groups, if groups are given. It must be less than half of them: the rest of the half
        is trained on.
    stratify : bool, default=False
        Whether the classes of y keep their proportions (largest remainder, ties at random) in
        the halves, in the test sets and in the training sets. The variance between the halves
        then lacks that of the class proportions.
    {shared: split seed}

    {See Also: RepeatedSubsampleSplit}

    Notes
    -----
    M is `n_pairs` and J is `n_splits`. The test sets have the n2 rows of the full-sample splits,
    the training sets n1' = n // 2 - n2 rows. The first pairs stay the same when `n_pairs` grows,
    and so do the first splits of each half when `n_splits` grows.

    References
    ----------
    .. [1] C. Nadeau and Y. Bengio, "Inference for the generalization error", Machine Learning
       52, 239-281, 2003: the conservative Z test.

    Examples
    --------
    >>> import numpy as np
    >>> from skcvstats.model_selection import HalfSplitPairs
    >>> cv = HalfSplitPairs(n_pairs=2, n_splits=3, random_state=0)
    >>> cv.get_n_splits()
    12
    >>> train, test = next(cv.split(np.zeros((101, 2))))
    >>> len(train), len(test)
    (39, 11)
    """

    _splits = _HalfPairSplits
    _fewest_units = 4

    def __init__(
        self,
        n_pairs: int = 10,
        n_splits: int = 15,
        *,
        test_size: float = 0.1,
        stratify: bool = False,
        random_state: Seed = None,
    ) -> None:
        check_integer("n_pairs", n_pairs, 1)
        check_integer("n_splits", n_splits, 1)
        super().__init__(stratify=stratify, random_state=random_state)
        check_size("test_size", test_size)
        self.n_pairs = n_pairs
        self.n_splits = n_splits
        self.test_size = test_size

    def _shape(self) -> tuple[int, ...]:
        return (self.n_pairs, 2, self.n_splits)

    def _sizes(self, units: Units) -> tuple[int, int, int]:
        n_test = count_of(self.test_size, units.n, math.ceil)
        half = units.n // 2
        if n_test >= half:
            raise SplitDesignError(
                f"test_size={self.test_size!r} of all n={units.n} {units.unit} is {n_test} to test "
                f"on, but a half has {half}, and at least 1 of them is needed to train on. Make "
                f"test_size smaller (at most {half - 1} {units.unit}), or pass more data."
            )
        return units.n, half - n_test, n_test


class RepeatedTwoFold(LazySplitter):
    """Random halves, each trained on and tested on the other, several times.

    These are the splits of the 5x2cv tests. Unlike with `~sklearn.model_selection.RepeatedKFold`
    the halves are of equal size, since an odd row is dropped, a new one for each repeat; they can
    be stratified, and groups are kept whole if they are given. Split 2m trains on the first half of
    repeat m, split 2m + 1 on the second.

    Parameters
    ----------
    n_repeats : int, default=5
        How often the data are cut into halves.
    stratify : bool, default=False
        Whether the classes of y keep their proportions (largest remainder, ties at random) in
        the halves.
    {shared: split seed}

    {See Also: HalfSplitPairs}
    {References: dietterich1998}

    Examples
    --------
    >>> import numpy as np
    >>> from skcvstats.model_selection import RepeatedTwoFold
    >>> cv = RepeatedTwoFold(random_state=0)
    >>> sizes = [(len(train), len(test)) for train, test in cv.split(np.zeros((101, 2)))]
    >>> len(sizes), set(sizes)
    (10, {(50, 50)})
    """

    _splits = _TwoFoldSplits
    _fewest_units = 2

    def __init__(
        self, n_repeats: int = 5, *, stratify: bool = False, random_state: Seed = None
    ) -> None:
        check_integer("n_repeats", n_repeats, 1)
        super().__init__(stratify=stratify, random_state=random_state)
        self.n_repeats = n_repeats

    def _shape(self) -> tuple[int, ...]:
        return self.n_repeats, 2

    def _sizes(self, units: Units) -> tuple[int, int, int]:
        return units.n, units.n // 2, units.n // 2
