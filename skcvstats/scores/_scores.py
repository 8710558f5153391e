"""CVScores: the scores of each split, together with the splits they were measured on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .._utils import (
    as_array,
    as_numbers,
    check_names,
    check_path,
    cut,
    format_size,
    is_integer,
)
from ..exceptions import FitError
from ._array_like import ArrayLike
from ._components import Components
from ._cv_results import read_cv_results
from ._design import SplitDesign
from ._document import MAX_BYTES, read_file
from ._json import check_json, scores_from_json, scores_to_json
from ._losses import RowLosses, check_magnitude, read_only
from ._methods import find_method
from ._notes import Note, as_notes, union, warn_of
from ._pairing import paired_difference, paired_rows
from ._parts import PART, join_parts
from ._structure import TEST_SET, spread_holes

if TYPE_CHECKING:
    from .._utils import ConfidenceInterval


# In a representation.
_MOST_NAMES = 10


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class CVScores(ArrayLike):
    """Scores of one or several estimators on the same splits.

    It can be used like the array that `cross_val_score` returns: it is array-like, and NumPy
    operations on it give plain arrays. The exception is the difference of two `CVScores` of the
    same splits, which is the `CVScores` of the paired difference.

    Parameters
    ----------
    values : array-like of shape (..., n_splits)
        One score for each split, greater is better. NaN marks a failed fit.
    design : SplitDesign
        The sizes and the identity of the splits.
    labels : tuple of str, default=()
        The name of the estimator, or of each along the first axis.
    metric : str, default="score"
        What the scores measure.
    fit_times, score_times : array-like of the shape of `values`, default=None
        Seconds.
    failures : tuple of (int, int, str), default=()
        Failed fits: the estimator's position, the split, the cause.
    losses : RowLosses, default=None
        Losses of the single test rows, where they were asked for; `values` are then minus their
        means.
    magnitude : array-like of shape (...), default=None
        The largest absolute score that went into each row. Differences that are small against it
        are rounding. None computes it from `values`.
    notes : tuple of Note, default=()
        What a reader of the scores should know, besides what `design` notes of the splits; plain
        strings are taken as notes that are no warnings.
    provenance : mapping, default={}
        Where they come from: scoring, estimators, versions.
    paired : bool, default=False
        Whether these are differences of two sets of scores on the same splits.
    components : Components, default=None
        Of the scores of fitted models on one test set, what its rows or groups contribute.

    See Also
    --------
    CVScores.from_cv_results : Read them from the results of `cross_validate`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import ShuffleSplit, cross_validate
    >>> from skcvstats import CVScores
    >>> X, y = load_iris(return_X_y=True)
    >>> cv = ShuffleSplit(10, test_size=0.2, random_state=0)
    >>> model = LogisticRegression(max_iter=1000)
    >>> scores = CVScores.from_cv_results(cross_validate(model, X, y, cv=cv, return_indices=True))
    >>> scores.design.n_samples, scores.design.train_size, scores.shape
    (150, 120, (10,))
    """

    values: np.ndarray
    design: SplitDesign
    labels: tuple[str, ...] = ()
    metric: str = "score"
    fit_times: np.ndarray | None = None
    score_times: np.ndarray | None = None
    failures: tuple[tuple[int, int, str], ...] = ()
    losses: RowLosses | None = None
    magnitude: np.ndarray = None  # type: ignore[assignment]  # made from values
    notes: tuple[Note, ...] = ()
    provenance: Mapping[str, Any] = field(default_factory=dict)
    paired: bool = False
    components: Components | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.design, SplitDesign):
            raise TypeError(
                f"design={self.design!r} must be a SplitDesign, for example "
                "SplitDesign.from_sizes(n_train=90, n_test=10, n_splits=15)."
            )
        values = read_only(as_numbers("values", self.values))
        if values.ndim == 0 or values.shape[-1] != self.design.n_splits:
            raise ValueError(
                f"values has shape {values.shape}; its last axis must have one score for each of "
                f"the {self.design.n_splits} splits of the design."
            )
        object.__setattr__(self, "values", values)
        self._check_labels()
        magnitude = np.abs(values).max(axis=-1, where=np.isfinite(values), initial=0.0)
        if self.magnitude is not None:
            magnitude = check_magnitude(self.magnitude, magnitude.shape)
        object.__setattr__(self, "magnitude", read_only(magnitude))
        for name in ("fit_times", "score_times"):
            times = getattr(self, name)
            if times is not None:
                times = as_numbers(name, times)
                if times.shape != values.shape:
                    raise ValueError(
                        f"{name} has shape {times.shape}; it needs that of values, {values.shape}."
                    )
                object.__setattr__(self, name, read_only(times))
        if self.losses is not None:
            self._check_losses(self.losses)
        if not isinstance(self.metric, str):
            raise TypeError(f"metric={self.metric!r} must be a string, such as 'accuracy'.")
        check_json("provenance", self.provenance)
        object.__setattr__(self, "notes", as_notes(self.notes))
        object.__setattr__(self, "failures", self._checked_failures())

    def _checked_failures(self) -> tuple[tuple[int, int, str], ...]:
        *_, n_splits = self.shape
        limits = (self.shape[0] if self.ndim > 1 else 1, n_splits)
        wanted = (
            "must be (estimator, split, cause) for each failed fit, two positions and a text, such "
            'as [(0, 3, "RuntimeError: ...")]'
        )
        if not isinstance(self.failures, (tuple, list)):
            raise TypeError(f"failures={self.failures!r} {wanted}.")
        failures = []
        for failure in self.failures:
            if not isinstance(failure, (tuple, list)) or len(failure) != 3:
                raise TypeError(f"failures holds {failure!r}; it {wanted}.")
            *at, why = failure
            if not all(is_integer(k) and 0 <= k < n for k, n in zip(at, limits, strict=True)):
                raise ValueError(
                    f"failures holds {failure!r} for {limits[0]} rows of {n_splits} splits; it "
                    f"{wanted}, numbered from 0."
                )
            failures.append((int(at[0]), int(at[1]), str(why)))
        return tuple(failures)

    def _check_losses(self, losses: RowLosses) -> None:
        if not isinstance(losses, RowLosses):
            raise TypeError(
                f"losses is of type {type(losses).__name__}; it must be RowLosses, the losses of "
                "the test rows of every split: RowLosses.from_splits(losses, rows)."
            )
        means = losses.means()
        same = means.shape == self.values.shape and np.allclose(
            -means, self.values, rtol=1e-9, atol=1e-12 * max(losses.magnitude.max(), 1.0),
            equal_nan=True,
        )  # fmt: skip
        if not same:
            raise ValueError(
                f"losses has means of shape {means.shape} over {len(losses.offsets) - 1} splits; "
                f"values, of shape {self.values.shape}, must be minus these means."
            )

    def _check_labels(self) -> None:
        n_labels = self.shape[0] if self.ndim > 1 else 1
        labels = self.labels
        if not isinstance(labels, (tuple, list)) or not all(isinstance(x, str) for x in labels):
            raise TypeError(
                f"labels={self.labels!r} must be a tuple of strings, the name of each estimator; "
                "leave it out where they have none."
            )
        if not isinstance(self.metric, str):
            raise TypeError(f"metric={self.metric!r} must be a string, what the scores measure.")
        object.__setattr__(self, "labels", tuple(self.labels))
        if len(self.labels) not in (0, n_labels):
            raise ValueError(
                f"labels={self.labels!r} are {len(self.labels)} labels for {n_labels} rows of "
                "scores; give one for each row."
            )
        if not self.paired:
            check_names(self.labels, "estimators")

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self._fields())

    def _fields(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def from_cv_results(
        cls,
        results: Mapping[str, Any],
        *,
        metric: str | None = None,
        label: str | None = None,
        design: SplitDesign | None = None,
        n_samples: int | None = None,
        groups: Any = None,
        y: Any = None,
        levels: tuple[str, ...] | None = None,
        shape: tuple[int, ...] = (),
    ) -> CVScores:
        """Read the scores from the results of `cross_validate` or of a search.

        Parameters
        ----------
        results : mapping
            What `cross_validate(..., return_indices=True)` returned, or the ``cv_results_`` of a
            fitted search (which needs `design`).
        metric : str, default=None
            Which of several metrics; names the metric where the results do not.
        label : str, default=None
            The estimator's name.
        design : SplitDesign, default=None
            The splits, where the results do not hold their indices.
        n_samples : int, default=None
            Number of rows of the data, if the indices do not determine it.
        groups : array-like of shape (n_samples,), default=None
            Groups that the splits keep together: sizes then count groups.
        y : array-like of shape (n_samples,), default=None
            The target, so that scores against different targets are never compared.
        levels, shape : tuple, default=None, ()
            How the splits are arranged, where it should not be recognised; see `SplitDesign`.

        Returns
        -------
        CVScores
            Of shape (n_splits,), or (n_candidates, n_splits) for a search.

        Raises
        ------
        SplitDesignError
            If the sizes of the splits cannot be known.
        ValueError
            If there are several metrics and none was chosen.
        """
        facts = read_cv_results(
            results,
            metric=metric,
            design=design,
            n_samples=n_samples,
            groups=groups,
            y=y,
            levels=levels,
            shape=shape,
        )
        if label is not None:
            facts["labels"] = (label,)
        return cls(**facts)

    @property
    def label(self) -> str:
        """The name of a single estimator, or "estimator" where it has none."""
        return self.labels[0] if self.ndim == 1 and self.labels else "estimator"

    def __getitem__(self, key: Any) -> Any:
        """Return the scores of the estimator of that name, or index the plain array."""
        if not isinstance(key, str):
            return self.values[key]
        if key not in self.labels:
            raise KeyError(f"{key!r} is not among the labels {list(self.labels)}.")
        return self if self.ndim == 1 else self.row(self.labels.index(key))

    def row(self, k: int) -> CVScores:
        """Return the scores of the estimator at this position.

        Parameters
        ----------
        k : int
            Along the first axis.

        Returns
        -------
        CVScores
            Of shape (n_splits,).

        Raises
        ------
        IndexError
            If there is none.
        """
        n_rows = self.shape[0] if self.ndim > 1 else 0
        if not is_integer(k) or not -n_rows <= k < n_rows:
            there = f"there are {n_rows}, numbered from 0" if n_rows else "these are of one alone"
            raise IndexError(f"There are no scores of an estimator {k!r}: {there}.")
        k = int(k) % n_rows

        def of(array: Any) -> Any:
            return None if array is None else array[k]

        return replace(
            self,
            values=self.values[k],
            labels=self.labels[k : k + 1],
            fit_times=of(self.fit_times),
            score_times=of(self.score_times),
            failures=tuple((0, split, cause) for row, split, cause in self.failures if row == k),
            losses=of(self.losses),
            magnitude=of(self.magnitude),
            components=None if self.components is None else self.components.row(k),
        )

    def differences(self, first: np.ndarray, second: np.ndarray) -> CVScores:
        """Return the paired differences of many pairs of estimators at once.

        Parameters
        ----------
        first, second : ndarray of int
            The positions of the two estimators of each pair.

        Returns
        -------
        CVScores
            Of shape (n_pairs, n_splits): each row is that of ``scores[first] - scores[second]``.
        """
        return CVScores(**paired_rows(self, self._positions(first), self._positions(second)))

    def _positions(self, rows: Any) -> np.ndarray:
        at = as_array("positions", rows)
        n_rows = self.shape[0] if self.ndim > 1 else 0
        if at.dtype.kind not in "iu" or at.ndim != 1 or ((at < 0) | (at >= n_rows)).any():
            raise IndexError(
                f"Positions {rows!r} of estimators must be an array of integers from 0 to "
                f"{n_rows - 1}."
            )
        return at

    def _difference(self, other: CVScores) -> CVScores:
        return CVScores(**paired_difference(self, other))

    def check_complete(self) -> None:
        """Raise FitError if a score was not measured: NaN, infinite, or put in for a failed fit.

        Raises
        ------
        FitError
            Naming the estimator, the split and the cause; its ``scores`` hold these scores.
        """
        causes = {(row, split): cause for row, split, cause in self.failures}
        holes = {tuple(map(int, at)) for at in np.argwhere(~np.isfinite(self.values))}
        holes |= {at if self.ndim > 1 else at[-1:] for at in causes}
        if not holes:
            return
        where = min(holes)
        row = where[0] if self.ndim > 1 else 0
        name = cut(self.labels[row]) if self.labels else "the estimator"
        cause = causes.get((row, where[-1]), "the metric gave no finite number there")
        raise FitError(
            f"{len(holes)} of {self.size} scores in {self.metric!r} are missing or not finite. "
            f"The first: {name}, split {where[-1]}, is {self.values[where]} ({cause}). "
            f"{self._remedy(holes)} This error's .scores (and .auxiliary, where there are "
            "auxiliary splits) contain the finished scores, by metric.",
            {self.metric: self},
        )

    def _remedy(self, holes: set[tuple[int, ...]]) -> str:
        lost = {split for *_, split in holes}
        if len(lost) < self.design.n_splits:
            return (
                "Fix the cause and score again, or drop those splits for all estimators with "
                ".dropna()."
            )
        rows = [row for row, *_ in holes] if self.ndim > 1 else [0] * len(holes)
        hopeless = sorted({row for row in rows if rows.count(row) == self.design.n_splits})
        names = [cut(self.labels[row]) for row in hopeless] if self.labels else []
        who = f"{', '.join(names)} failed on every split" if names else "No split is whole"
        return f"{who}: fix the cause and score again, or leave out what fails."

    def dropna(self) -> CVScores:
        """Drop, for all estimators, the splits in which a score was not measured.

        Returns
        -------
        CVScores
            Of the remaining splits, with a note that says how many were dropped. Fits rarely
            fail at random, so the result describes the splits on which all of them worked. A
            pair of half-samples or a replicate is dropped as a whole.

        Raises
        ------
        FitError
            If no split is left.
        """
        kept = np.isfinite(self.values).all(axis=tuple(range(self.ndim - 1)))
        kept[[split for _, split, _ in self.failures]] = False
        kept = spread_holes(kept, self.design.levels, self.design.shape)
        if kept.all():
            return self
        splits = np.flatnonzero(kept).tolist()
        if not splits:
            raise FitError(
                "No split is left: each has a score that was not measured. Fix the cause and "
                "score again, or leave out the estimator that fails.",
                {self.metric: self},
            )

        def of(array: Any) -> Any:
            return None if array is None else array[..., splits]

        dropped = f"{kept.size - len(splits)} of {kept.size} splits dropped for missing scores"
        return replace(
            self,
            values=self.values[..., splits],
            design=self.design.take(splits),
            fit_times=of(self.fit_times),
            score_times=of(self.score_times),
            failures=(),
            losses=None if self.losses is None else self.losses.take(splits),
            notes=(*self.notes, Note("dropped splits", dropped, None)),
            # which counts splits
            provenance={k: v for k, v in self.provenance.items() if k != "fast_paths"},
        )

    @property
    def all_notes(self) -> tuple[Note, ...]:
        """The notes on the splits and those on the scores, each once."""
        return union(self.design.notes, self.notes)

    def with_notes(self, notes: Iterable[Note | str]) -> CVScores:
        """Return the same scores with more notes.

        Parameters
        ----------
        notes : iterable of Note or str
            Without a full stop. A string is a note that is no warning.

        Returns
        -------
        CVScores
            These are not changed.
        """
        return replace(self, notes=union(self.notes, as_notes(notes)))

    def confidence_interval(
        self, confidence_level: float = 0.95, *, method: str = "corrected_resampled_t"
    ) -> ConfidenceInterval:
        """Return an interval for the expected score at the training size of the splits.

        Parameters
        ----------
        confidence_level : float, default=0.95
            How often such intervals cover the expected score, if the procedure's assumptions
            hold.
        method : str, default="corrected_resampled_t"
            One of ``skcvstats.get_test_names()``.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``.

        Warns
        -----
        SplitDesignWarning
            Where the splits make the interval doubtful, such as a single k-fold or fewer than 10.
        AnticonservativeWarning
            With a `method` whose intervals are too short, with splits in time order, and with
            splits that repeat each other or test on the same rows, which tests refuse.
        """
        self.check_complete()
        procedure = find_method(method)
        inference = procedure.run(replace(self, design=self.design.in_doubt()))
        interval = inference.confidence_interval(confidence_level)
        procedure.warn_undetermined(inference)
        warn_of(inference.notes)
        return interval

    def to_json(self) -> str:
        """Return the scores as JSON text, which `from_json` reads back exactly.

        Returns
        -------
        str
            JSON, without nan or infinities as bare words.
        """
        return scores_to_json(self._fields())

    @classmethod
    def from_json(cls, text: str | bytes, *, max_bytes: int = MAX_BYTES) -> CVScores:
        """Read what `to_json` wrote. Reading never runs code.

        Parameters
        ----------
        text : str or bytes
            JSON text.
        max_bytes : int, default=268435456
            The largest text that is read.

        Raises
        ------
        ValueError
            If the text is damaged, too large, or of another version or kind.
        """
        return scores_from_json(cls, text, max_bytes=max_bytes)

    def save(self, path: str | Path) -> None:
        """Write the scores to a JSON file.

        Parameters
        ----------
        path : str or Path
            The file.
        """
        check_path("path", path)
        Path(path).write_text(self.to_json(), encoding="utf-8")

    @classmethod
    def load(cls, path: str | Path, *, max_bytes: int = MAX_BYTES) -> CVScores:
        """Read what `save` wrote. Reading never runs code.

        Parameters
        ----------
        path : str or Path
            The file.
        max_bytes : int, default=268435456
            The largest file that is read.

        Raises
        ------
        ValueError
            If the file is damaged, too large, or of another version or kind.
        """
        check_path("path", path)
        content = read_file(path, max_bytes)
        return scores_from_json(cls, content, source=str(path), max_bytes=max_bytes)

    @classmethod
    def concatenate(cls, parts: Iterable[CVScores]) -> CVScores:
        """Return the scores on all splits of a design from the scores on its parts.

        Parameters
        ----------
        parts : iterable of CVScores
            What `cross_val_score` returned for each ``splits=``, in any order; also saved and
            loaded.

        Returns
        -------
        CVScores
            What `cross_val_score` returns without ``splits=``.

        Raises
        ------
        PairingError
            If the parts are of different designs, data, estimators or metrics.
        SplitDesignError
            If a split is in two parts or in none.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from skcvstats import CVScores, RepeatedSubsampleSplit, cross_val_score
        >>> X, y = load_iris(return_X_y=True)
        >>> tree = DecisionTreeClassifier(random_state=0)
        >>> cv = RepeatedSubsampleSplit(15, random_state=0)
        >>> parts = [
        ...     cross_val_score(tree, X, y, cv=cv, splits=range(start, start + 5))
        ...     for start in (0, 5, 10)
        ... ]
        >>> CVScores.concatenate(parts).tolist() == cross_val_score(tree, X, y, cv=cv).tolist()
        True
        """
        if isinstance(parts, cls) or not isinstance(parts, Iterable):
            raise TypeError(
                "concatenate takes a list of parts, such as CVScores.concatenate([first, second]); "
                f"got {type(parts).__name__}."
            )
        parts = list(parts)
        if len(parts) == 1 and isinstance(parts[0], cls) and PART not in parts[0].provenance:
            return parts[0]
        return cls(**join_parts(parts))

    def __bool__(self) -> bool:
        return bool(self.values)  # raises for several scores, as an array does

    def __repr__(self) -> str:
        more = len(self.labels) - _MOST_NAMES
        names = ", ".join(map(cut, self.labels[:_MOST_NAMES]))
        names += f" and {more} more" if more > 0 else ""
        names += f": {cut(self.metric)}" if self.labels else cut(self.metric)
        sizes = (
            f"{self.design.n_test[0]} test rows"
            if self.design.levels == TEST_SET
            else f"{self.design.n_splits} splits, {format_size(self.design.train_size)} training "
            f"{self.design.unit}"
        )
        return f"CVScores({names}, {sizes},\n{np.array2string(self.values, prefix=' ')})"

    def __str__(self) -> str:
        return str(self.values)


def _rebuild(cls: type[CVScores], state: dict[str, Any]) -> CVScores:
    return cls(**state)
