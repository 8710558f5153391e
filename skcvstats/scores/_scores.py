"""CVScores: the scores of each split, together with the splits they were measured on."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import compress
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from .._utils._arrays import as_numbers, check_path, entries_of
from .._utils._checks import (
    ConfidenceInterval,
    check_flag,
    check_several,
    explain_arguments,
    is_integer,
    is_list_of,
    is_list_of_length,
    listed,
)
from .._utils._documents import MAX_BYTES, Format, read_file, write_whole
from .._utils._metrics import known_of
from .._utils._shared_arguments import check_level
from .._utils._text import check_names, check_printable, counted, cut, first_of, format_size
from ..exceptions import FitError, PairingError
from ._design import CLASSES_OF_DESIGNS, SplitDesign, check_design
from ._notes import Note, as_notes, notes_about, union, with_new
from ._noting import FinishedLevel, FinishedScores, ScoresOfMetric, find_notes
from ._pairing import OF_DIFFERENCES, ArrayMethods, n_rows_of
from ._provenance import check_provenance
from ._rows import (
    IN_RANGE,
    Components,
    RowScores,
    Unchecked,
    are_extreme,
    check_magnitude,
    differences_of,
    largest_of,
    read_only,
    subtract,
)
from ._sources import PART, join_parts, read_cv_results

_UNNAMED = "score"  # of `cross_validate`, the name of a single metric
# Integers up to this are exact as floats; no data set is larger.
_LARGEST = 2**53
# In a representation.
_MOST_NAMES = 10
# Options of scorers that give a metric another range.
_CHANGED = re.compile("adjusted=True|normalize=False")


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class CVScores(ArrayMethods, Unchecked):
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
    row_scores : RowScores, default=None
        The scores of single test rows, where a procedure works on them; `values` are their means.
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

    {See Also: CVScores.from_cv_results}

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
    row_scores: RowScores | None = None
    magnitude: np.ndarray = None  # type: ignore[assignment]  # made from values
    notes: tuple[Note, ...] = ()
    provenance: Mapping[str, Any] = field(default_factory=dict)
    paired: bool = False
    components: Components | None = None

    def __post_init__(self) -> None:
        """Check all fields; the package makes scores from checked ones by `_made`."""
        check_design(self.design)
        values = read_only(as_numbers("values", self.values))
        if values.shape[-1:] != (self.design.n_splits,):
            raise ValueError(
                f"values has shape {values.shape}; its last axis must have one score for each of "
                f"the {self.design.n_splits} splits of the design."
            )
        if not isinstance(self.metric, str):
            raise TypeError(f"metric={self.metric!r} must be a string, what the scores measure.")
        n_rows = n_rows_of(values)
        labels = _checked_labels(self.labels, n_rows, paired=check_flag("paired", self.paired))
        check_printable([*labels, self.metric], "estimators and metrics")
        if self.row_scores is not None:
            if not isinstance(self.row_scores, RowScores):
                raise TypeError(
                    f"row_scores is of type {type(self.row_scores).__name__}; it must be "
                    "RowScores, the scores of the test rows of every split: "
                    "RowScores.from_splits(scores, rows)."
                )
            self.row_scores._check_means(values)
        if not _is_json(self.provenance):
            raise TypeError(
                f"provenance={self.provenance!r} cannot be saved as it is: use strings, finite "
                "numbers, lists and dicts with string keys only."
            )
        check_provenance(self.provenance)
        magnitude = largest_of(values)
        if self.magnitude is not None:
            magnitude = check_magnitude(self.magnitude, values.shape[:-1])
        fit_times = _checked_times("fit_times", self.fit_times, values.shape)
        score_times = _checked_times("score_times", self.score_times, values.shape)
        failures = _checked_failures(self.failures, n_rows, values.shape[-1])
        vars(self).update(
            values=values,
            labels=labels,
            magnitude=read_only(magnitude),
            notes=as_notes(self.notes),
            failures=failures,
            fit_times=fit_times,
            score_times=score_times,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), **vars(self)), ()

    @classmethod
    def from_cv_results(
        cls,
        results: Mapping[str, Any],
        *,
        metric: str | None = None,
        label: str | None = None,
        design: SplitDesign | None = None,
        n_samples: int | None = None,
        groups: ArrayLike | None = None,
        y: ArrayLike | None = None,
        levels: tuple[str, ...] | None = None,
        shape: tuple[int, ...] = (),
    ) -> Self:
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
            The splits, where the results do not contain their indices.
        n_samples : int, default=None
            Number of rows of the data, if the indices do not determine it.
        {shared: groups of splits}
        y : array-like of shape (n_samples,), default=None
            The target, so that scores against different targets are never compared.
        {shared: levels}

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
        stated = {"n_samples": n_samples, "groups": groups, "y": y, "levels": levels}
        facts = read_cv_results(results, metric, design, stated, shape)
        if label is not None:
            facts["labels"] = (label,)
        scores = cls(**facts)
        if scores.ndim > 1:
            return scores
        return scores._as_finished()

    @property
    def label(self) -> str:
        """The name of a single estimator, or "estimator" where it has none."""
        if self.ndim == 1 and self.labels:
            return self.labels[0]
        return "estimator"

    def __getitem__(self, key: Any) -> Any:
        """Return the scores of the estimator of that name, or index the plain array."""
        if not isinstance(key, str):
            return self.values[key]
        if key not in self.labels:
            raise KeyError(f"{key!r} is not among the labels [{listed(self.labels)}].")
        if self.ndim == 1:
            return self
        return self._take(self.labels.index(key))

    def row(self, k: int) -> Self:
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
            If there is none, or the scores are of one estimator alone.
        """
        n_rows = self._n_estimators
        if self.ndim == 1:
            raise IndexError(
                f"row({k!r}): these are the scores of one estimator alone, so they have no rows. "
                "Use them as they are, without row()."
            )
        if not is_integer(k) or not -n_rows <= k < n_rows:
            raise IndexError(
                f"There are no scores of an estimator {k!r}: these are of "
                f"{counted(n_rows, 'estimator')}, numbered from 0."
            )
        return self._take(int(k) % n_rows)

    @property
    def _n_estimators(self) -> int:
        """The number of estimators along the first axis, 0 where the scores are of one alone."""
        return next(iter(self.values.shape[:-1]), 0)

    def _take(self, positions: int | np.ndarray) -> Self:
        """Return the scores of the estimator at a position, or of several in this order."""
        rows = np.atleast_1d(positions)
        new_rows = dict(zip(rows.tolist(), range(len(rows)), strict=True))
        failures = tuple(
            (new_rows[row], split, cause) for row, split, cause in self.failures if row in new_rows
        )
        taken: dict[str, Any] = {
            "values": self.values[positions, ...],
            "magnitude": self.magnitude[positions, ...],
            "fit_times": entries_of(self.fit_times, (positions, ...)),
            "score_times": entries_of(self.score_times, (positions, ...)),
            "failures": failures,
            "row_scores": entries_of(self.row_scores, positions),
            "components": entries_of(self.components, rows),
        }
        if self.labels:
            taken["labels"] = tuple(self.labels[row] for row in new_rows)
            if not self.paired:  # labels of differences are of two estimators
                taken["notes"] = notes_about(self.notes, taken["labels"])
        return self._made(**vars(self) | taken)

    def differences(self, first: np.ndarray, second: np.ndarray) -> Self:
        """Return the paired differences of many pairs of estimators at once.

        Parameters
        ----------
        first, second : ndarray of int
            The positions of the two estimators of each pair.

        Returns
        -------
        CVScores
            Of shape (n_pairs, n_splits): each row is that of ``scores[first] - scores[second]``.

        Raises
        ------
        IndexError
            If a position is not that of an estimator.
        ValueError
            If there are not as many of the first as of the second.
        """
        first = self._positions(first)
        second = self._positions(second)
        if len(first) != len(second):
            raise ValueError(
                f"{len(first)} first and {len(second)} second estimators are given; give one of "
                "each for every pair."
            )
        differences: dict[str, Any] = {
            "values": subtract(self.values[first], self.values[second]),
            "failures": (),
            "row_scores": differences_of(self.row_scores, first, second),
            "magnitude": np.maximum(self.magnitude[first], self.magnitude[second]),
            "notes": with_new(self.notes, self._value_notes()),
            "components": differences_of(self.components, first, second),
        }
        if self.labels:
            labels = np.array(self.labels, dtype=object)
            differences["labels"] = tuple(labels[first] + " - " + labels[second])
        return self._made(**vars(self) | differences | OF_DIFFERENCES)

    def _positions(self, values: Any) -> np.ndarray:
        """Return positions of estimators as an array, after checking them."""
        positions = np.asarray(values)
        n_estimators = self._n_estimators
        are_integers = positions.dtype.kind in "iu" and positions.ndim == 1
        if not are_integers or ((positions < 0) | (positions >= n_estimators)).any():
            raise IndexError(
                f"Positions {values!r} of estimators must be an array of integers from 0 to "
                f"{n_estimators - 1}."
            )
        return positions

    def check_complete(self) -> None:
        """Raise FitError if a score was not measured, or is too large or too small for inference.

        A score was not measured if it is NaN, infinite, or put in for a failed fit.

        Raises
        ------
        FitError
            Naming the estimator, the split and the cause; its ``scores`` contain these scores.
        """
        self.check_range()
        holes = self._holes
        if not holes.any():
            return
        first_hole = tuple(np.argwhere(np.atleast_2d(holes))[0].tolist())
        row = first_hole[0]
        split = first_hole[-1]
        value = np.atleast_2d(self.values)[first_hole]
        causes = {(row, split): cause for row, split, cause in self.failures}
        usual_cause = "the metric has no finite number there, or overflows by large predictions"
        cause = causes.get((row, split), usual_cause)
        missing = holes.reshape(-1, holes.shape[-1])
        remedy = "Fix the cause and score again, or drop those splits for all with .dropna()."
        if missing.any(axis=0).all():
            problem = "No split is whole"
            fails_everywhere: Any = missing.all(axis=1)
            names = [cut(name) for name in compress(self.labels, fails_everywhere)]
            if names:
                problem = f"{first_of(names)} failed on every split"
            remedy = f"{problem}: fix the cause and score again, or leave out what fails."
        raise FitError(
            f"{np.count_nonzero(holes)} of {holes.size} scores in {self.metric!r} are missing or "
            f"not finite. The first: {self._name_of(row)}, split {split}, is {value} "
            f"({cause}). {remedy} This error's .scores (and .auxiliary, where there are auxiliary "
            "splits) contain the finished scores, by metric; compare_scores takes complete ones.",
            {self.metric: self},
        )

    def _name_of(self, row: int) -> str:
        if self.labels:
            return cut(self.labels[row])
        return "the estimator"

    def check_range(self) -> None:
        """Raise FitError if scores are too large or too small for inference.

        Raises
        ------
        FitError
            If the scores of an estimator reach more than 1e100 in size, or none of them reaches
            1e-100 and not all are 0; its ``scores`` contain these scores.
        """
        largest = np.ravel(self.magnitude)
        if self.row_scores is not None:
            largest = np.maximum(largest, np.ravel(self.row_scores.magnitude))
        extreme = np.flatnonzero(are_extreme(largest))
        if not extreme.size:
            return
        row = int(extreme[0])
        name = self._name_of(row)
        raise FitError(
            f"The largest size of a score of {name} in {self.metric!r} is {largest[row]:.3g}; "
            f"{IN_RANGE}. Rescale the target or the metric. This error's .scores (and .auxiliary, "
            "where there are auxiliary splits) contain the finished scores, by metric.",
            {self.metric: self},
        )

    def dropna(self) -> Self:
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
        holes = self._holes
        kept = self.design.whole(np.logical_not(holes.reshape(-1, holes.shape[-1]).any(axis=0)))
        if kept.all():
            return self
        splits = np.flatnonzero(kept).tolist()
        if not splits:
            raise FitError(
                "No split is left: each has a score that was not measured. Fix the cause and "
                "score again, or leave out the estimator that fails.",
                {self.metric: self},
            )
        dropped = f"{kept.size - len(splits)} of {kept.size} splits dropped for missing scores"
        row_scores = self.row_scores
        if row_scores is not None:
            row_scores = row_scores.take(splits)
        return replace(
            self,
            values=self.values[..., splits],
            design=self.design.take(splits),
            fit_times=entries_of(self.fit_times, (..., splits)),
            score_times=entries_of(self.score_times, (..., splits)),
            failures=(),
            row_scores=row_scores,
            notes=(*self.notes, Note("dropped splits", dropped, None)),
        )

    @property
    def _holes(self) -> np.ndarray:
        """Which scores were not measured."""
        holes: np.ndarray = ~np.isfinite(self.values)
        for row, split, _ in self.failures:
            np.atleast_2d(holes)[row, ..., split] = True
        return holes

    @property
    def _limits(self) -> tuple[float, float]:
        """The range of the metric or of its differences, infinite if it is not known."""
        # Scores on another scale, as percent, are not in it.
        _, least, most = known_of(self.provenance.get("measured", self.metric))
        has_other_range = _CHANGED.search(str(self.provenance.get("scoring")))
        if not has_other_range and np.max(self.magnitude, initial=0.0) <= max(-least, most):
            if self.paired:
                return least - most, most - least
            if ((least <= self.values) & (self.values <= most)).all():
                return least, most
        return -np.inf, np.inf

    @property
    def all_notes(self) -> tuple[Note, ...]:
        """The notes on the splits and those on the scores, each once."""
        return with_new(union(self.design.notes, self.notes), self._value_notes())

    def _value_notes(self, *others: "CVScores") -> tuple[Note, ...]:
        """Return the notes on these values, and on those of others in the same metric."""
        return find_notes(ScoresOfMetric((self, *others)))

    def _as_finished(self) -> Self:
        """Return the scores with the notes on scores that were measured elsewhere."""
        noted = self.with_notes(find_notes(FinishedScores(self)))
        return noted.with_notes(find_notes(FinishedLevel(self)))

    def _check_same_metric(self, other: "CVScores") -> None:
        """Raise PairingError unless other scores have the same metric."""
        if self.metric == other.metric:
            return
        remedy = ""
        named = {self.metric, other.metric} - {_UNNAMED}
        if len(named) == 1:
            (name,) = named
            remedy = (
                f" {_UNNAMED!r} is what cross_validate calls any single metric: if it is {name!r}, "
                f"pass metric={name!r} to CVScores.from_cv_results, or metric= to compare_scores."
            )
        raise PairingError(
            f"Scores of different metrics, {self.metric!r} and {other.metric!r}, have no "
            f"meaningful difference. Score both with the same scoring.{remedy}"
        )

    def with_notes(self, notes: Iterable[Note | str]) -> Self:
        """Return the same scores with more notes.

        Parameters
        ----------
        notes : iterable of Note or str
            Without a full stop. A string is a note that is no warning.

        {Returns: same type}
        """
        return self._made(**vars(self) | {"notes": union(self.notes, as_notes(notes))})

    @explain_arguments()
    def confidence_interval(
        self, confidence_level: float = 0.95, *, method: str = "corrected_resampled_t"
    ) -> ConfidenceInterval:
        """Return an interval for the expected score at the training size of the splits.

        It is cut at the ends of the metric's range, which does not change its coverage.

        Parameters
        ----------
        confidence_level : float, default=0.95
            How often such intervals cover the expected score, by the procedure's assumptions.
        method : str, default="corrected_resampled_t"
            One of ``skcvstats.get_procedure_names()``.

        {Returns: interval}

        Warns
        -----
        SplitDesignWarning
            Where the splits make the interval doubtful: a single k-fold, say, or under 10 splits.
        AnticonservativeWarning
            With a `method` whose intervals are too short, with splits in time order, and with
            splits that repeat each other or test on the same rows, which tests refuse.
        """
        from ..stats import get_procedure, warn_once

        check_level(confidence_level)
        self.check_complete()
        procedure = get_procedure(method)
        inference = procedure.run(self._made(**vars(self) | {"design": self.design.in_doubt()}))
        interval = inference.confidence_interval(confidence_level)
        warn_once([inference], inference.notes)
        return interval

    def to_json(self) -> str:
        """Return the scores as JSON text, which `from_json` reads back exactly.

        {Returns: JSON}
        """
        return _FORMAT.write(self, CLASSES_OF_SCORES)

    @classmethod
    def from_json(cls, text: str | bytes, *, max_bytes: int = MAX_BYTES) -> Self:
        """Read what `to_json` wrote. Reading never runs code.

        {Parameters: json text, max_bytes}

        Raises
        ------
        ValueError
            If the text is damaged, too large, or of another version or kind.
        """
        return _FORMAT.read(text, CLASSES_OF_SCORES, cls._checked, max_bytes=max_bytes)

    @classmethod
    def _checked(cls, scores: Any) -> Self:
        """Return scores that were read, after checking what constructors leave unchecked."""
        if not isinstance(scores, cls):
            raise TypeError(f"a {type(scores).__name__} in place of CVScores")
        design = scores.design
        if max(design.n_samples, *design.n_train, *design.n_test) > _LARGEST:
            raise ValueError("sizes that no data set has")
        texts = (design.y_digest, design.source)
        if not is_list_of(texts, (str, type(None))):
            raise TypeError(f"y_digest and source are {texts!r}")
        if not isinstance(design.seed, (int, np.integer, type(None))):
            raise TypeError(f"seed is {design.seed!r}")
        components = scores.components
        if components is None:
            return scores
        if not isinstance(components, Components):
            raise TypeError(f"components={components!r}")
        arrays = [*components.arrays.values(), *components.shared.values()]
        if set(map(type, arrays)) != {np.ndarray}:
            raise TypeError("something else in place of the arrays of a test set")
        pairs = set(map(type, (components.first, components.second)))
        if pairs not in ({type(None)}, {np.ndarray}):
            raise TypeError("something else in place of the pairs of a test set")
        for name, fact in components.facts.items():  # flags and counts
            if name.startswith(("n_", "with_")):
                # A variance needs at least two groups, and two of each class.
                is_right = is_integer(fact) and 2 <= fact <= _LARGEST
            else:
                is_right = isinstance(fact, bool)
            if not is_right:
                raise ValueError(f"{name} of a test set is {fact!r}")
        return scores

    def save(self, path: str | Path) -> None:
        """Write the scores to a JSON file.

        {Parameters: file}
        """
        check_path("path", path)
        write_whole(Path(path), self.to_json().encode())

    @classmethod
    def load(cls, path: str | Path, *, max_bytes: int = MAX_BYTES) -> Self:
        """Read what `save` wrote. Reading never runs code.

        {Parameters: file, max_bytes}

        Raises
        ------
        ValueError
            If the file is damaged, too large, or of another version or kind.
        """
        check_path("path", path)
        text = read_file(path, max_bytes)
        return _FORMAT.read(text, CLASSES_OF_SCORES, cls._checked, str(path), max_bytes)

    @classmethod
    def concatenate(cls, parts: "Iterable[CVScores]") -> "CVScores":
        """Return the scores on all splits of a design from the scores on its parts.

        Parameters
        ----------
        parts : iterable of CVScores
            What `cross_val_score` returned for each ``splits=``, in any order; also loaded.

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
        check_several("parts", parts, "parts, such as CVScores.concatenate([first, second])")
        parts = list(parts)
        if len(parts) == 1 and isinstance(parts[0], cls) and PART not in parts[0].provenance:
            return parts[0]
        return join_parts(parts)

    def __bool__(self) -> bool:
        return bool(self.values)  # raises an error for several scores, as an array does

    def __repr__(self) -> str:
        names = cut(self.metric)
        if self.labels:
            names = f"{first_of(list(map(cut, self.labels)), _MOST_NAMES)}: {names}"
        design = self.design
        sizes = f"{design.n_splits} splits, {format_size(design.train_size)} training {design.unit}"
        if design.on_test_set:
            sizes = f"{design.n_test[0]} test rows"
        return f"CVScores({names}, {sizes},\n{np.array2string(self.values, prefix=' ')})"

    def __str__(self) -> str:
        return str(self.values)


_FORMAT = Format(
    "skcvstats.CVScores",
    4,
    holds="CVScores. Pass a file that CVScores.save wrote",
    remedy="score again",
)
# What saved scores may contain, by name.
CLASSES_OF_SCORES = {
    "CVScores": CVScores,
    "RowScores": RowScores,
    "Components": Components,
    **CLASSES_OF_DESIGNS,
}


def _checked_labels(labels: Any, n_labels: int, *, paired: bool) -> tuple[str, ...]:
    """Return the names of estimators or of differences, after checking them."""
    if not is_list_of(labels, str):
        raise TypeError(
            f"labels={labels!r} must be a tuple of strings, the name of each estimator; "
            "leave it out where they have none."
        )
    if len(labels) not in (0, n_labels):
        raise ValueError(
            f"labels={labels!r} are {len(labels)} labels for {n_labels} rows; give one for each."
        )
    if not paired:
        check_names(labels, "estimators")
    return tuple(labels)


def _is_json(value: Any) -> bool:
    """Whether JSON returns a mapping unchanged."""
    try:
        again = json.loads(json.dumps(dict(value), allow_nan=False))
        return isinstance(value, Mapping) and bool(again == dict(value))
    except (TypeError, ValueError):
        return False


def _checked_times(name: str, times: Any, shape: tuple[int, ...]) -> np.ndarray | None:
    """Return the times of fits or of scoring, if any, after checking them."""
    if times is None:
        return None
    array = read_only(as_numbers(name, times))
    if array.shape != shape:
        raise ValueError(f"{name} has shape {array.shape}; give that of values, {shape}.")
    return array


def _checked_failures(
    failures: Any, n_rows: int, n_splits: int
) -> tuple[tuple[int, int, str], ...]:
    """Return the failed fits, after checking them."""
    wanted = (
        "must be (estimator, split, cause) for each failed fit, two positions and a text, such "
        'as [(0, 3, "RuntimeError: ...")]'
    )
    if not isinstance(failures, (tuple, list)):
        raise TypeError(f"failures={failures!r} {wanted}.")
    checked = []
    for failure in failures:
        if not is_list_of_length(failure, 3):
            raise TypeError(f"failures contains {failure!r}; it {wanted}.")
        row, split, cause = failure
        if not _is_position(row, n_rows) or not _is_position(split, n_splits):
            raise ValueError(
                f"failures contains {failure!r} for {n_rows} rows of {n_splits} splits; it "
                f"{wanted}, numbered from 0."
            )
        checked.append((int(row), int(split), str(cause)))
    return tuple(checked)


def _is_position(value: Any, length: int) -> bool:
    """Tell whether a value is an integer that counts from 0 to below a length."""
    return is_integer(value) and 0 <= value < length
