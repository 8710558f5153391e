"""SplitDesign: the sizes of training and test sets, and the number of rows they are drawn from."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from numbers import Integral
from operator import add
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from .._utils._arrays import as_array
from .._utils._checks import (
    MOST_SPLITS,
    brief,
    check_option,
    is_array,
    is_integer,
    is_list_of,
    one_line,
)
from .._utils._plain import from_plain, to_plain
from .._utils._shared_arguments import check_integer, check_optional_integer, check_size
from .._utils._text import verb
from ..exceptions import SplitDesignError
from ._notes import CLASSES_OF_NOTES, Note, as_notes, union
from ._noting import ListedSplits, find_notes
from ._reading import BLOCKS, LEVELS, TEST_SET, UNITS, read_indices
from ._rows import Unchecked
from ._split_facts import (
    DOUBT,
    DOUBTFUL,
    OF_SEVERAL,
    REFUSED,
    REPEATED,
    TIME_ORDER,
    TRAINED_ON,
    notes_without,
    repeat_notes,
)


@dataclass(frozen=True, kw_only=True)
class SplitDesign(Unchecked):
    """The sizes and the identity of a set of train/test splits.

    The corrections of Nadeau and Bengio depend on the sizes of the splits, so scores keep the sizes
    of their splits. Make one with `from_splitter`, `from_indices` or `from_sizes`.

    Parameters
    ----------
    n_samples : int
        The size of the pool that the splits were drawn from. It is the number of rows of the
        data, except where the splits were drawn inside a fixed subset.
    n_train, n_test : tuple of int
        Training and test size of each split. The training size of a test set is not known, and 0.
    levels : tuple of str, default=("split",)
        How the splits are arranged: ``("split",)``, ``("fold",)``, ``("repeat", "fold")``,
        ``("pair", "half", "split")`` or ``("replicate", "split")``; or ``("test set",)``, one set
        of rows on which fitted models were compared.
    shape : tuple of int, default=()
        How many there are of each level; the product is the number of splits. () is one level.
    unit : {"rows", "groups"}, default="rows"
        What the sizes count.
    digests : tuple of str or None, default=None
        A fingerprint of each split's training and test rows; None where only sizes are known.
    y_digest : str or None, default=None
        A fingerprint of the target, where known.
    source : str or None, default=None
        How the splits were drawn, where known.
    seed : int or None, default=None
        The `random_state` with which our own splitters draw these splits again, also where theirs
        was None; None if it was a RandomState instance.
    notes : tuple of Note, default=()
        The limitations of inference on these splits, as far as they are known from the splitter,
        the target and the groups; also plain strings. Designs are equal whatever their notes.

    Examples
    --------
    >>> from skcvstats import SplitDesign
    >>> design = SplitDesign.from_sizes(n_train=90, n_test=10, n_splits=15)
    >>> design.n_samples, design.n_splits
    (100, 15)
    """

    n_samples: int
    n_train: tuple[int, ...]
    n_test: tuple[int, ...]
    levels: tuple[str, ...] = ("split",)
    shape: tuple[int, ...] = ()
    unit: str = "rows"
    digests: tuple[str, ...] | None = None
    y_digest: str | None = None
    source: str | None = None
    seed: int | None = None
    notes: tuple[Note, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        _check_tuple("levels", self.levels, str, "strings")
        _check_tuple("shape", self.shape, Integral, "integers")
        n_train = _checked_sizes("n_train", self.n_train, 0 if self.levels == TEST_SET else 1)
        n_test = _checked_sizes("n_test", self.n_test, 1)
        n_splits = len(n_test)
        shape = self.shape or (n_splits,)
        vars(self)["notes"] = as_notes(self.notes)
        if len(n_train) != n_splits:
            raise SplitDesignError(
                f"n_train has {len(n_train)} sizes, n_test {n_splits}; each split needs one."
            )
        known_levels = [*LEVELS, TEST_SET]
        if self.levels not in known_levels:
            raise SplitDesignError(f"levels={self.levels!r} is not one of {known_levels}.")
        if len(shape) != len(self.levels) or math.prod(shape) != n_splits:
            raise SplitDesignError(
                f"shape={shape} does not arrange {n_splits} splits in levels {self.levels}; "
                "pass shape= with one number for each level, whose product is the number of splits."
            )
        check_option("unit", self.unit, UNITS)
        if self.digests is not None:
            _check_tuple("digests", self.digests, str, "strings")
            if len(self.digests) != n_splits:
                raise SplitDesignError(f"{len(self.digests)} digests for {n_splits} splits.")
        n_samples = check_integer("n_samples", self.n_samples, 1)
        largest = max(map(add, n_train, n_test))
        if self.n_samples < largest and not self._overlapping:
            raise SplitDesignError(
                f"n_samples={self.n_samples!r}, but a split uses {largest} {self.unit}; n_samples "
                "is the number that the splits were drawn from, so at least that many."
            )
        vars(self).update(n_train=n_train, n_test=n_test, n_samples=n_samples, shape=shape)

    @classmethod
    def from_sizes(
        cls,
        n_train: int | Sequence[int],
        n_test: int | Sequence[int],
        *,
        n_splits: int | None = None,
        n_samples: int | None = None,
        levels: tuple[str, ...] = ("split",),
        shape: tuple[int, ...] = (),
    ) -> Self:
        """State the sizes, where the splits themselves are not known.

        {Parameters: sizes}
        n_splits : int, default=None
            Number of splits; needed where neither size is a sequence.
        n_samples : int, default=None
            Number of rows that the splits were drawn from. None means that each split uses all
            rows, which needs n_train + n_test to be the same for every split.
        levels, shape : tuple, default=("split",), ()
            See `SplitDesign`.

        Returns
        -------
        SplitDesign
            Without digests, so that pairing cannot be verified.

        Raises
        ------
        SplitDesignError
            If the sizes do not fit together, or `n_samples` is needed and not given.
        """
        counts = set[int]()
        if n_splits is not None:
            why = "as a design stores all of them"
            check_integer("n_splits", n_splits, 1, MOST_SPLITS, why)
            counts.add(n_splits)
        sizes: dict[str, Any] = {"n_train": n_train, "n_test": n_test}
        for name, size in sizes.items():
            if not is_integer(size):
                sizes[name] = _checked_sizes(name, as_array(name, size), 1)
                counts.add(len(sizes[name]))
        if len(counts) != 1:
            raise SplitDesignError(
                f"The number of splits is not clear: n_splits={n_splits!r}, n_train={n_train!r}, "
                f"n_test={n_test!r}. Pass n_splits= of at least 1, or one size for each split."
            )
        (count,) = counts
        train_sizes = tuple(np.broadcast_to(sizes["n_train"], count).tolist())
        test_sizes = tuple(np.broadcast_to(sizes["n_test"], count).tolist())
        if n_samples is None:
            totals = set(map(add, train_sizes, test_sizes))
            if len(totals) != 1:
                raise SplitDesignError(
                    f"n_train + n_test differs between splits ({min(totals)} to {max(totals)}), "
                    "so not every split uses all rows. Pass n_samples=, the number of rows."
                )
            (n_samples,) = totals
        return cls(
            n_samples=n_samples, n_train=train_sizes, n_test=test_sizes, levels=levels, shape=shape
        )

    @classmethod
    def of_test_set(cls, n_test: int, y_digest: str | None = None) -> Self:
        """Describe one test set on which fitted models are compared.

        Parameters
        ----------
        n_test : int
            Its number of rows.
        y_digest : str, default=None
            A fingerprint of the target.

        Returns
        -------
        SplitDesign
            Of one split of unknown training size.
        """
        return cls(
            n_samples=n_test, n_train=(0,), n_test=(n_test,), levels=TEST_SET, y_digest=y_digest
        )

    @classmethod
    def from_indices(
        cls,
        train: Sequence[Any],
        test: Sequence[Any],
        *,
        n_samples: int | None = None,
        groups: ArrayLike | None = None,
        y: ArrayLike | None = None,
        levels: tuple[str, ...] | None = None,
        shape: tuple[int, ...] = (),
        source: str | None = None,
    ) -> Self:
        """Read the sizes from the row numbers, as in ``cross_validate(...)["indices"]``.

        Parameters
        ----------
        train, test : sequence of array-like of int
            The row numbers of each split.
        n_samples : int, default=None
            Number of rows of the data. Where it is None it is inferred, or asked for in the
            error if it cannot be. Not together with `groups`.
        {shared: groups of splits}
        y : array-like, default=None
            The target, for its fingerprint, and for a note where the splits are stratified by it.
        {shared: levels}
        source : str, default=None
            How the splits were drawn.

        Returns
        -------
        SplitDesign
            With a digest for each split.

        Raises
        ------
        SplitDesignError
            If the row numbers are not those of splits, or the number of rows cannot be known.
        """
        facts, evidence = read_indices(train, test, n_samples, groups, y, levels, shape)
        design = cls(**facts, source=source)
        return design._made(
            **vars(design) | {"notes": find_notes(ListedSplits(design, **evidence))}
        )

    @classmethod
    def from_splitter(
        cls, cv: Any, X: Any, y: ArrayLike | None = None, groups: ArrayLike | None = None
    ) -> Self:
        """Run a splitter over the data for the sizes and the notes; nothing is fitted.

        Parameters
        ----------
        cv : splitter or int
            An object with ``split(X, y, groups)``, such as ``KFold(5)``. An integer is k-fold, None
            5-fold, as in `cross_validate`, stratified unless `y` is of floats. So for a regressor
            whose target is of integers pass ``KFold``.
        X : array-like of shape (n_samples, ...)
            The data. Most splitters need only their number of rows; a note says if many test rows
            equal training rows.
        y, groups : array-like of shape (n_samples,), default=None
            Passed to the splitter.

        Returns
        -------
        SplitDesign
            With a digest for each split.

        Raises
        ------
        SplitDesignError
            If a second draw makes other splits, as ``KFold(5, shuffle=True)`` does without a seed.
        """
        from ..notes import draw_design

        design, is_repeated = draw_design(cls, cv, X, y, groups)
        if not is_repeated:
            raise SplitDesignError(
                f"{one_line(cv)} draws other splits each time, so these would not be those that "
                "the scores were measured on. Give it a seed, an integer random_state=, and score "
                "with that; or state the splits that were used: SplitDesign.from_indices(...), or "
                "their sizes, SplitDesign.from_sizes(...)."
            )
        return design

    @classmethod
    def from_any_draw(
        cls, cv: Any, X: Any, y: ArrayLike | None = None, groups: ArrayLike | None = None
    ) -> Self:
        """Run a splitter for the sizes of its splits, also one that draws others each time.

        Parameters
        ----------
        cv, X : object
            As for `from_splitter`.
        y, groups : array-like of shape (n_samples,), default=None
            Passed to the splitter.

        Returns
        -------
        SplitDesign
            Without digests and seed, and with a note, if a second draw makes other splits.
        """
        from ..notes import draw_design

        design, _ = draw_design(cls, cv, X, y, groups)
        return design

    @property
    def n_splits(self) -> int:
        """Number of splits, the report's J."""
        return len(self.n_test)

    @property
    def on_test_set(self) -> bool:
        """Whether this is one test set on which fitted models are compared."""
        return self.levels == TEST_SET

    @property
    def in_time_order(self) -> bool:
        """Whether each split trains on the rows before its test rows."""
        return TIME_ORDER in self.notes

    @property
    def _overlapping(self) -> bool:
        """Whether some split tests on rows that it trains on."""
        return any(note.code == TRAINED_ON for note in self.notes)

    @property
    def digest(self) -> str | None:
        """A fingerprint of all splits in their order; None where only sizes are known."""
        if self.digests is None:
            return None
        return blake2b("".join(self.digests).encode(), digest_size=16).hexdigest()

    @property
    def train_size(self) -> float:
        """The training size: an int where all splits share it, else their mean.

        For a test set it is nan, because the training size of the models is not known.
        """
        if self.levels == TEST_SET:
            return math.nan
        return _common_size(self.n_train, np.mean)

    @property
    def test_size(self) -> float:
        """The test size: an int where all splits share it, else their harmonic mean.

        The variance of a split's score goes as the reciprocal of its test size, so the harmonic
        mean is the size that stands for them all.
        """
        return _common_size(self.n_test, _harmonic_mean)

    @property
    def rho0_odds(self) -> float:
        """The odds rho0/(1 - rho0) = n2/(n - n2), what the corrections add to 1/J.

        rho0 = n2/n is the correlation of two splits' scores if loss depended on the test row only.
        """
        return self.test_size / (self.n_samples - self.test_size)

    def _are_shares(self, values: np.ndarray) -> np.ndarray:
        """Mark scores that are k/n of these test sets, perhaps rounded, or missing."""
        sizes = np.array(self.n_test)
        distances = np.abs(values - (values * sizes).round() / sizes)
        are_others = distances > 1e-6
        if are_others.any():
            rounding = np.full(values.shape, 1e-6)
            for digits in (4, 3, 2):
                rounding[values.round(digits) == values] = 0.5 * 10.0**-digits + 1e-6
            are_others = distances > rounding
        return np.asarray(~are_others)

    def require(
        self,
        *,
        who: str,
        levels: Iterable[tuple[str, ...]] = LEVELS,
        min_splits: int = 1,
        remedy: str = "Pass a cv that does, such as RepeatedSubsampleSplit(), or leave cv=None.",
        distinct: bool = False,
    ) -> None:
        """Raise SplitDesignError unless the splits suit a procedure.

        Parameters
        ----------
        who : str
            The procedure, for the message.
        levels : iterable of tuple of str, default=LEVELS
            The arrangements that it can use.
        min_splits : int, default=1
            The fewest splits that it can use.
        remedy : str, default="Pass a cv ..."
            What to do about another arrangement, as a sentence.
        distinct : bool, default=False
            Whether splits that repeat each other, or that all test on the same rows, are refused.

        Raises
        ------
        SplitDesignError
            Saying what was found, what is needed and what to do.
        """
        levels = tuple(levels)
        if self.levels not in levels:
            if self.on_test_set:
                raise SplitDesignError(
                    f"{who} needs scores on train/test splits; these are of fitted models on one "
                    "test set. For these use compare_predictions or compare_losses."
                )
            wanted = " or ".join(map(" x ".join, levels))
            raise SplitDesignError(
                f"{who} needs splits arranged as {wanted}; these are arranged as "
                f"{' x '.join(self.levels)}. {remedy}"
            )
        if self.n_splits < min_splits:
            raise SplitDesignError(
                f"{who} needs at least {min_splits} splits; there "
                f"{verb(self.n_splits, 'is', 'are')} {self.n_splits}. Score on more splits, "
                "for example with cv=RepeatedSubsampleSplit(n_splits=15)."
            )
        if distinct:
            for note in self.notes:
                if note.code in REFUSED:
                    remedy = REFUSED[note.code]
                    raise SplitDesignError(f"{who} cannot use these splits: {note.text}. {remedy}")

    def as_stated(self) -> Self:
        """Return the design of splits that are known by the user's word only.

        Returns
        -------
        SplitDesign
            Without the digests of the splits and the seed.
        """
        return replace(self, digests=None, seed=None)

    def in_doubt(self) -> Self:
        """Return the design with what ``require(distinct=True)`` refuses as warnings only.

        Returns
        -------
        SplitDesign
            With other notes.
        """
        doubts = (
            replace(note, code=f"{DOUBT}{note.code}") if note.code in DOUBTFUL else note
            for note in self.notes
        )
        return self._made(**vars(self) | {"notes": tuple(doubts)})

    def whole(self, kept: np.ndarray) -> np.ndarray:
        """Return which splits are left if a missing one removes its whole pair or replicate.

        Parameters
        ----------
        kept : ndarray of bool of shape (n_splits,)
            Whether all scores of a split are there.

        Returns
        -------
        ndarray of bool of shape (n_splits,)
            Equal to `kept`, except for pairs of half-samples and replicates.
        """
        if self.levels[0] not in BLOCKS:
            return kept
        blocks = kept.reshape(self.shape[0], -1)
        return np.repeat(blocks.all(axis=1), blocks.shape[1])

    def take(self, splits: Sequence[int]) -> Self:
        """Return the design of some of the splits.

        Parameters
        ----------
        splits : sequence of int
            Which splits, by position.

        Returns
        -------
        SplitDesign
            Of plain splits, unless all were taken in order, or whole pairs of halves or replicates.
        """
        if list(splits) == list(range(self.n_splits)):
            return self
        if len(splits) == 0:
            raise SplitDesignError(f"No split is left; take at least one of the {self.n_splits}.")
        n_test = _pick(self.n_test, splits)
        notes = self.notes
        if len(splits) == 1:
            notes = notes_without(notes, OF_SEVERAL)
        digests = None
        if self.digests is not None:
            digests = _pick(self.digests, splits)
            # Whether these splits repeat each other is asked anew.
            others = notes_without(notes, [REPEATED])
            notes = union(repeat_notes(digests, self.n_samples, n_test), others)
        source = self.source
        if source:
            source = f"{len(splits)} of the {self.n_splits} splits of {source}"
        levels, shape = self._arrangement_of(splits)
        taken = {
            "n_train": _pick(self.n_train, splits),
            "n_test": n_test,
            "digests": digests,
            "levels": levels,
            "shape": shape,
            "seed": None,
            "notes": notes,
            "source": source,
        }
        return self._made(**vars(self) | taken)

    def _arrangement_of(self, splits: Sequence[int]) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """Return the levels and the shape of some splits: plain ones, unless blocks are whole."""
        block_size = math.prod(self.shape[1:])
        starts = np.asarray(splits)[::block_size] // block_size * block_size
        splits_of_blocks = np.add.outer(starts, np.arange(block_size)).ravel()
        if self.levels[0] in BLOCKS and np.array_equal(splits, splits_of_blocks):
            return self.levels, (len(starts), *self.shape[1:])
        return ("split",), (len(splits),)

    def _to_plain(self) -> Any:
        """Return the design as plain data, from which `_from_plain` makes it again."""
        return to_plain(self, CLASSES_OF_DESIGNS)

    @classmethod
    def _from_plain(cls, plain: Any) -> Self:
        """Return the design that `_to_plain` described."""
        design = from_plain(plain, CLASSES_OF_DESIGNS)
        if not isinstance(design, cls):
            raise TypeError(f"a {type(design).__name__} in place of a design")
        return design


# What a saved design may contain, by name.
CLASSES_OF_DESIGNS = {"SplitDesign": SplitDesign, **CLASSES_OF_NOTES}


def check_design(design: Any) -> SplitDesign:
    """Return the design; raise TypeError for anything else."""
    if isinstance(design, SplitDesign):
        return design
    raise TypeError(
        f"design={design!r} must be a SplitDesign, such as SplitDesign.from_splitter(cv, X, y) or "
        "SplitDesign.from_sizes(n_train=90, n_test=10, n_splits=15)."
    )


def _check_tuple(name: str, values: Any, kind: type, what: str) -> None:
    """Raise SplitDesignError for anything else than a tuple or list of some kind."""
    if not is_list_of(values, kind):
        raise SplitDesignError(f"{name}={values!r} must be a tuple of {what}.")


def _pick(values: Sequence[Any], splits: Sequence[int]) -> tuple[Any, ...]:
    """Return the values of some splits."""
    return tuple(np.array(values)[list(splits)].tolist())


def _common_size(sizes: Sequence[int], mean: Callable[[Sequence[int]], Any]) -> float:
    """Return the size that all splits share, else a mean of their sizes."""
    if len(set(sizes)) == 1:
        return sizes[0]
    return float(mean(sizes))


def _harmonic_mean(sizes: Sequence[int]) -> float:
    """Return the harmonic mean of sizes."""
    return len(sizes) / sum(1.0 / size for size in sizes)


def _checked_sizes(name: str, sizes: Any, least: int) -> tuple[int, ...]:
    """Return one size for each split, after checking them."""
    are_integers = is_array(sizes) and all(map(is_integer, sizes))
    if not are_integers or min(sizes, default=-1) < least:
        raise SplitDesignError(
            f"{name}={brief(sizes)}: expected one integer of at least 1 for each split."
        )
    return tuple(int(size) for size in sizes)


_KINDS = ("subsample", "half_pairs", "two_fold", "folds", "time")
# By kind, what a procedure defines itself.
_FIXED_SIZES = {
    "two_fold": ("n_splits", "test_size"),
    "folds": ("n_splits", "test_size"),
    "time": ("test_size",),
}


@dataclass(frozen=True, kw_only=True)
class DesignRequest:
    """The splits that a procedure asks for, as plain data.

    Parameters
    ----------
    kind : {"subsample", "half_pairs", "two_fold", "folds", "time"}
        Independent random splits of all rows; such splits of the two halves of random
        half-samples; random halves, each trained on and tested on the other; repeated k-fold,
        stratified if all estimators are classifiers, of whole groups if groups are given; or
        splits in time order, those of ``TimeSeriesSplit``.
    n_splits : int, default=15
        Number of splits (of each half, of each replicate).
    test_size : float or int, default=0.1
        Fraction or number of the rows that each split tests on.
    n_pairs : int, default=10
        Number of pairs of halves, for ``kind="half_pairs"`` and ``"two_fold"``.
    n_replicates : int or None, default=None
        Number of replicates of `n_splits` splits, for ``kind="subsample"``; None is no replicates.
    n_repeats, n_folds : int, default=4, 5
        How often all rows are cut into folds, and into how many, for ``kind="folds"``.
    stratify : bool, default=False
        Whether random splits keep the shares of the classes, as such folds do, if all estimators
        are classifiers and no groups are given.
    """

    kind: str
    n_splits: int = 15
    test_size: float = 0.1
    n_pairs: int = 10
    n_replicates: int | None = None
    n_repeats: int = 4
    n_folds: int = 5
    stratify: bool = False

    def __post_init__(self) -> None:
        for name in ("n_splits", "n_pairs", "n_repeats", "n_folds"):
            check_integer(name, getattr(self, name), 1)
        check_optional_integer("n_replicates", self.n_replicates, 1)
        check_option("kind", self.kind, _KINDS)
        if "test_size" not in _FIXED_SIZES.get(self.kind, ()):
            check_size("test_size", self.test_size)

    def with_sizes(
        self, who: str, *, n_splits: int | None = None, test_size: float | None = None
    ) -> Self:
        """Return the same splits in another number, or with other test sizes.

        Parameters
        ----------
        who : str
            The procedure that asks for them, for the message.
        n_splits : int, default=None
            The number of splits (of each replicate); None is that of the request.
        test_size : float or int, default=None
            What each split tests on; None is that of the request.

        {Returns: same type}

        Raises
        ------
        ValueError
            If such splits have no such size: halves, a single test set, folds with own numbers.
        """
        arguments: dict[str, Any] = {"n_splits": n_splits, "test_size": test_size}
        sizes = {name: value for name, value in arguments.items() if value is not None}
        changed = replace(self, **sizes)
        defined_for = {
            "two_fold": f"{self.n_pairs} repeats of two halves",
            "folds": f"{self.n_repeats} repeats of {self.n_folds} folds (in Python, n_repeats= and "
            "n_folds= of the procedure)",
            "time": f"{self.n_splits} splits in time order (in Python, cv=TimeSeriesSplit(...))",
        }
        for name in _FIXED_SIZES.get(self.kind, ()):
            if name in sizes:
                raise ValueError(
                    f"{name}={sizes[name]!r}: {who} is defined for {defined_for[self.kind]}, so it "
                    f"has no {name}. Leave {name} out, or use "
                    'method="corrected_resampled_t".'
                )
        if self.n_splits == 1 and changed.n_splits > 1:
            raise ValueError(
                f"n_splits={n_splits!r}: {who} takes one split. Leave it out, enlarge test_size "
                'for more evidence, or use method="corrected_resampled_t".'
            )
        return changed
