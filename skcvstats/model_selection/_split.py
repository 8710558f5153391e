"""Random splitters whose k-th split can be made alone, from the seed and k."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import index
from typing import Any, ClassVar

import numpy as np
from sklearn.model_selection import BaseCrossValidator
from sklearn.utils import check_random_state

from .._validation import check_option, is_integer, is_real
from ..exceptions import SplitDesignError
from ._units import Units, make_units

__all__ = ["HalfSplitPairs", "LazySplits", "RepeatedSubsampleSplit"]


def _stream(root: Sequence[int], key: tuple[int, ...]) -> np.random.RandomState:
    # RandomState's methods are frozen across NumPy versions, unlike Generator's; PCG64 is seeded
    # in a tenth of the time of its usual Mersenne twister.
    seed = np.random.SeedSequence(root, spawn_key=key)
    return np.random.RandomState(np.random.PCG64(seed))


@dataclass(frozen=True, eq=False)
class LazySplits(Sequence):
    """The splits of one `split` call, each made alone when it is asked for.

    Item k is the pair (train, test) of arrays of row numbers. It depends on `root` and k only,
    so that workers can be sent split numbers. Made by the splitters' ``lazy_split``.

    Attributes
    ----------
    root : tuple of int
        The seed, drawn from the splitter's `random_state`.
    shape : tuple of int
        How the splits are arranged in the levels.
    n_samples, n_train, n_test : int
        The number of units that the splits are drawn from, train on and test on.
    levels : tuple of str
        What the entries of `shape` count, the slowest level first.
    unit : {"rows", "groups"}
        What the sizes count.
    """

    units: Units = field(repr=False)
    root: tuple[int, ...]
    shape: tuple[int, ...]
    n_samples: int
    n_train: int
    n_test: int

    levels: ClassVar[tuple[str, ...]]

    @property
    def unit(self) -> str:
        """What the sizes count: "rows" or "groups"."""
        return self.units.unit

    def facts(self) -> dict[str, Any]:
        """Return the fields of the SplitDesign that are known without making the splits."""
        sizes = {"n_train": (self.n_train,) * len(self), "n_test": (self.n_test,) * len(self)}
        return {
            **sizes,
            "n_samples": self.n_samples,
            "levels": self.levels,
            "shape": self.shape,
            "unit": self.unit,
            "seed": self.root,
        }

    def __len__(self) -> int:
        return math.prod(self.shape)

    def __getitem__(self, k: Any) -> Any:
        k = index(k)
        if not -len(self) <= k < len(self):
            raise IndexError(f"split {k} of {len(self)} splits")
        at = tuple(int(i) for i in np.unravel_index(k % len(self), self.shape))
        key, pool = self._locate(at)
        random_state = _stream(self.root, key)
        test, train = self.units.draw(pool, (self.n_test, self.n_train), random_state)
        return self.units.rows(train, random_state), self.units.rows(test, random_state)

    @abstractmethod
    def _locate(self, at: tuple[int, ...]) -> tuple[tuple[int, ...], np.ndarray]:
        """Return a split's spawn key and the units that it is drawn from."""


class _SubsampleSplits(LazySplits):
    levels = ("split",)

    def _locate(self, at: tuple[int, ...]) -> tuple[tuple[int, ...], np.ndarray]:
        pool = np.arange(self.units.n, dtype=np.intp)
        if self.n_samples < self.units.n:
            (pool,) = self.units.draw(pool, (self.n_samples,), _stream(self.root, ()))
        return at, pool


class _HalfPairSplits(LazySplits):
    levels = ("pair", "half", "split")

    def _locate(self, at: tuple[int, ...]) -> tuple[tuple[int, ...], np.ndarray]:
        pair, half, split = at
        n, h = self.units.n, self.units.n // 2
        stream = _stream(self.root, (pair, 0))
        # The odd row goes first: the two halves are then exchangeable, stratified or not.
        _, *halves = self.units.draw(np.arange(n, dtype=np.intp), (n - 2 * h, h, h), stream)
        return (pair, 1 + half, split), halves[half]


class _LazySplitter(BaseCrossValidator):
    """The part that the splitters share: arguments and data in, lazy splits out."""

    __metadata_request__split: ClassVar = {"groups": True}

    _splits_type: ClassVar[type[LazySplits]]
    _fewest_units: ClassVar[int]

    def __init__(
        self, *, n_splits: int, test_size: float, stratify: bool, random_state: Any
    ) -> None:
        _check_count("n_splits", n_splits)
        _check_size("test_size", test_size)
        if not isinstance(stratify, bool | np.bool_):
            raise TypeError(f"stratify={stratify!r} must be True or False.")
        self.n_splits = n_splits
        self.test_size = test_size
        self.stratify = stratify
        self.random_state = random_state

    def lazy_split(self, X: Any, y: Any = None, groups: Any = None) -> LazySplits:
        """Return the splits as a sequence that makes each of them when it is asked for.

        Parameters
        ----------
        X, y, groups : array-like
            As for `split`.

        Returns
        -------
        LazySplits
            Immutable and small; item k is the pair (train, test) of arrays of row numbers.

        Raises
        ------
        SplitDesignError
            If the sizes, the classes or the groups cannot serve.
        """
        units = make_units(X, y, groups, stratify=self.stratify, fewest=self._fewest_units)
        n_samples, n_train, n_test = self._sizes(units)
        if units.strata is not None:
            _require_room_for_classes(int(units.strata.max()) + 1, n_train, n_test)
        words = check_random_state(self.random_state).randint(0, 2**32, size=4, dtype=np.uint32)
        root = tuple(words.tolist())
        return self._splits_type(units, root, self._shape(), n_samples, n_train, n_test)

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


def _require_room_for_classes(n_classes: int, n_train: int, n_test: int) -> None:
    if min(n_train, n_test) < n_classes:
        raise SplitDesignError(
            f"{n_train} training rows and {n_test} test rows are given for {n_classes} classes; "
            f"stratify=True needs as many of each as classes. Change test_size or train_size, "
            f"merge classes, or use stratify=False."
        )


def _check_count(name: str, value: Any) -> None:
    if not is_integer(value):
        raise TypeError(f"{name}={value!r} must be an integer, 1 or more.")
    if value < 1:
        raise ValueError(f"{name}={value!r} must be 1 or more.")


def _check_size(name: str, value: Any) -> None:
    wanted = "a fraction strictly between 0 and 1, or a count of 1 or more as an integer"
    if not is_real(value):
        raise TypeError(f"{name}={value!r} must be {wanted}.")
    if not (value >= 1 if is_integer(value) else 0 < value < 1):
        raise ValueError(f"{name}={value!r} must be {wanted}.")


def _count(size: float, n: int, rounding: Callable[[float], int]) -> int:
    return int(size) if is_integer(size) else rounding(size * n)


class RepeatedSubsampleSplit(_LazySplitter):
    """Independent random train/test splits, seeded one by one.

    These are the splits of the resampled and of the corrected resampled t test. Unlike with
    `~sklearn.model_selection.ShuffleSplit`, the first splits stay the same when `n_splits`
    grows, any split can be made alone, the splits can be stratified, and groups are kept whole
    if they are given.

    Parameters
    ----------
    n_splits : int, default=15
        Number of splits.
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
        the pool, in the test sets and in the training sets.
    random_state : int, RandomState instance or None, default=None
        Controls the splits. Pass an int for the same splits at every call.

    See Also
    --------
    HalfSplitPairs : The splits of the two halves of random half-samples.

    Notes
    -----
    Splits are redrawn from all n rows by default, so that two test sets of n2 rows share
    n2/n of their rows in expectation. ``pool="fixed"`` is the design in which part of the data
    is thrown away first (section 5.1 of [1]_): n is then n1 + n2.

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

    _splits_type = _SubsampleSplits
    _fewest_units = 2

    def __init__(
        self,
        n_splits: int = 15,
        *,
        test_size: float = 0.1,
        train_size: float | None = None,
        pool: str = "all",
        stratify: bool = False,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            n_splits=n_splits, test_size=test_size, stratify=stratify, random_state=random_state
        )
        if train_size is not None:
            _check_size("train_size", train_size)
            fractions = not is_integer(test_size) and not is_integer(train_size)
            if fractions and test_size + train_size > 1:
                raise ValueError(
                    f"test_size={test_size!r} and train_size={train_size!r} add up to more than "
                    f"1; make one of them smaller."
                )
        self.train_size = train_size
        self.pool = check_option("pool", pool, ("all", "fixed"))

    def _shape(self) -> tuple[int, ...]:
        return (self.n_splits,)

    def _sizes(self, units: Units) -> tuple[int, int, int]:
        n_test = _count(self.test_size, units.n, math.ceil)
        n_train = units.n - n_test
        if self.train_size is not None:
            n_train = _count(self.train_size, units.n, math.floor)
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


class HalfSplitPairs(_LazySplitter):
    """Train/test splits inside the two halves of random half-samples.

    Each pair cuts the data at random into two halves of n // 2 rows (an odd row is dropped,
    afresh for each pair), and each half is split `n_splits` times into test rows and all others.
    Scores of the two halves are independent given the data's distribution, which is what the
    conservative Z test makes its variance estimate from. The splits come pair by pair, in it
    half by half: split k is at ``np.unravel_index(k, (n_pairs, 2, n_splits))``.

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
        the halves, in the test sets and in the training sets.
    random_state : int, RandomState instance or None, default=None
        Controls the splits. Pass an int for the same splits at every call.

    See Also
    --------
    RepeatedSubsampleSplit : Splits of all rows.

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

    _splits_type = _HalfPairSplits
    _fewest_units = 4

    def __init__(
        self,
        n_pairs: int = 10,
        n_splits: int = 15,
        *,
        test_size: float = 0.1,
        stratify: bool = False,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            n_splits=n_splits, test_size=test_size, stratify=stratify, random_state=random_state
        )
        _check_count("n_pairs", n_pairs)
        self.n_pairs = n_pairs

    def _shape(self) -> tuple[int, ...]:
        return (self.n_pairs, 2, self.n_splits)

    def _sizes(self, units: Units) -> tuple[int, int, int]:
        n_test = _count(self.test_size, units.n, math.ceil)
        half = units.n // 2
        if n_test >= half:
            raise SplitDesignError(
                f"test_size={self.test_size!r} of all n={units.n} {units.unit} is {n_test} to test "
                f"on, but a half has {half}, and at least 1 of them is needed to train on. Make "
                f"test_size smaller (at most {half - 1} {units.unit}), or pass more data."
            )
        return units.n, half - n_test, n_test
