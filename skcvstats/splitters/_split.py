"""Random splitters whose k-th split can be made alone, from the seed and k."""

import math
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np

from .._utils._checks import check_option, is_integer
from ..exceptions import SplitDesignError
from ._lazy import LazySplits, LazySplitter, Units, check_count, check_size, count_of


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
    n, h = units.n, units.n // 2
    # The odd unit goes first: the two halves are then exchangeable, stratified or not.
    return units.draw(np.arange(n, dtype=np.intp), (n - 2 * h, h, h), stream)[1:]


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
        Fraction (rounded down) or number of the rows to train on; None is all but the test rows.
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

    _splits, _fewest_units = _SubsampleSplits, 2

    def __init__(
        self,
        n_splits: int = 15,
        *,
        n_replicates: int | None = None,
        test_size: float = 0.1,
        train_size: float | None = None,
        pool: str = "all",
        stratify: bool = False,
        random_state: Any = None,
    ) -> None:
        super().__init__(stratify=stratify, random_state=random_state)
        check_count("n_splits", n_splits)
        check_size("test_size", test_size)
        if n_replicates is not None:
            check_count("n_replicates", n_replicates)
        self.n_splits = n_splits
        self.n_replicates = n_replicates
        self.test_size = test_size
        if train_size is not None:
            check_size("train_size", train_size)
            fractions = not is_integer(test_size) and not is_integer(train_size)
            if fractions and test_size + train_size > 1:
                raise ValueError(
                    f"test_size={test_size!r} and train_size={train_size!r} add up to more than "
                    f"1; make one of them smaller."
                )
        self.train_size = train_size
        self.pool = check_option("pool", pool, ("all", "fixed"))

    def _shape(self) -> tuple[int, ...]:
        replicates = () if self.n_replicates is None else (self.n_replicates,)
        return (*replicates, self.n_splits)

    def _sizes(self, units: Units) -> tuple[int, int, int]:
        n_test = count_of(self.test_size, units.n, math.ceil)
        n_train = units.n - n_test
        if self.train_size is not None:
            n_train = count_of(self.train_size, units.n, math.floor)
        if n_train < 1 or n_train + n_test > units.n:
            remedy = "test_size smaller"
            if self.train_size is not None:
                remedy = "train_size larger" if n_train < 1 else "test_size or train_size smaller"
            raise SplitDesignError(
                f"test_size={self.test_size!r} and train_size={self.train_size!r} of n={units.n} "
                f"{units.unit} are {n_test} to test on and {max(n_train, 0)} to train on; at "
                f"least 1 to train on and at most {units.n} in all are needed. Make {remedy}, or "
                f"pass more data."
            )
        return (n_train + n_test if self.pool == "fixed" else units.n), n_train, n_test


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

    _splits, _fewest_units = _HalfPairSplits, 4

    def __init__(
        self,
        n_pairs: int = 10,
        n_splits: int = 15,
        *,
        test_size: float = 0.1,
        stratify: bool = False,
        random_state: Any = None,
    ) -> None:
        super().__init__(stratify=stratify, random_state=random_state)
        check_count("n_pairs", n_pairs)
        check_count("n_splits", n_splits)
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

    _splits, _fewest_units = _TwoFoldSplits, 2

    def __init__(
        self, n_repeats: int = 5, *, stratify: bool = False, random_state: Any = None
    ) -> None:
        super().__init__(stratify=stratify, random_state=random_state)
        check_count("n_repeats", n_repeats)
        self.n_repeats = n_repeats

    def _shape(self) -> tuple[int, ...]:
        return self.n_repeats, 2

    def _sizes(self, units: Units) -> tuple[int, int, int]:
        return units.n, units.n // 2, units.n // 2
