"""The arithmetic of scores: as of an array, and differences, split by split, of paired ones."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from ..exceptions import PairingError
from ._design import SplitDesign
from ._notes import Note, union, with_new
from ._rows import Components, RowScores, joined, subtract

if TYPE_CHECKING:
    from ._scores import CVScores

# The fields that differences have in place of those of their scores.
OF_DIFFERENCES: dict[str, Any] = {"fit_times": None, "score_times": None, "paired": True}
# The entries of the provenance that have a value for each estimator, by its label.
_BY_LABEL = ("estimators", "unseeded")

UNVERIFIED_PAIRING = Note(
    "pairing not verified",
    "pairing not verified: the splits were stated, not recorded, or are known by their sizes only",
    None,
)
UNVERIFIED_TARGET = Note(
    "target not verified",
    "same target not verified: pass y= to CVScores.from_cv_results for each, because "
    "cross_validate does not return it",
    None,
)


def pair_designs(a: SplitDesign, b: SplitDesign) -> tuple[SplitDesign, tuple[Note, ...]]:
    """Merge two designs of the same splits; also return notes on what cannot be verified."""
    if a is b:  # rows of one CVScores
        return a, ()
    if a.n_splits != b.n_splits:
        raise PairingError(
            f"{a.n_splits} splits against {b.n_splits}: scores can be compared only split by "
            "split. Score both estimators with the same cv."
        )
    if (a.unit, a.n_samples) != (b.unit, b.n_samples):
        raise PairingError(
            f"The splits were drawn from {a.n_samples} {a.unit} and from {b.n_samples} {b.unit}, "
            "so the corrections would differ. Read both with the same groups= and n_samples=."
        )
    targets = {a.y_digest, b.y_digest} - {None}
    if len(targets) > 1:
        raise PairingError(
            "The scores were measured against different targets y. Score both estimators on the "
            "same data, in the same row order."
        )
    # The design that has digests, if one has.
    preferred = a
    if a.digests is None:
        preferred = b
    merged = {
        "y_digest": a.y_digest or b.y_digest,
        "notes": union(a.notes, b.notes),
    }
    return SplitDesign._made(**vars(preferred) | merged), _compare_splits(a, b)


def _compare_splits(a: SplitDesign, b: SplitDesign) -> tuple[Note, ...]:
    """Raise PairingError for other splits, or sizes; return notes on what cannot be verified."""
    digests: Any = a.digests
    other_digests: Any = b.digests
    if None in (digests, other_digests):
        if (a.n_train, a.n_test) != (b.n_train, b.n_test):
            raise PairingError("The sizes of the splits differ. Score both with the same cv.")
        return (UNVERIFIED_PAIRING,)
    if digests == other_digests:
        if None in (a.y_digest, b.y_digest):
            return (UNVERIFIED_TARGET,)
        return ()
    different = np.flatnonzero(np.array(digests) != np.array(other_digests))
    raise PairingError(
        f"{len(different)} of {a.n_splits} splits differ (the first is split {different[0]}): "
        "the scores were measured on other rows, or on the same splits in another order, so their "
        "differences mean nothing. Score both estimators with the same cv and an integer "
        "random_state, in one order."
    )


def difference(a: "CVScores", b: "CVScores") -> "CVScores":
    """Return the difference of scores on the same splits, split by split."""
    a._check_same_metric(b)
    design, notes = pair_designs(a.design, b.design)
    values = subtract(a.values, b.values)
    n_rows = n_rows_of(values)
    labels: tuple[str, ...] = ()
    if a.labels and b.labels:
        # Adding arrays pairs the label of one estimator with those of several.
        labels = tuple(_as_objects(a.labels) + " - " + _as_objects(b.labels))
    return replace(
        a,
        values=values,
        design=design,
        labels=labels,
        failures=(*_spread_failures(a, n_rows), *_spread_failures(b, n_rows)),
        row_scores=joined([a, b], "row_scores", _subtract),
        magnitude=np.maximum(a.magnitude, b.magnitude),
        notes=with_new(union(a.notes, b.notes, notes), a._value_notes(b)),
        provenance=_merged_provenance([a.provenance, b.provenance]),
        **OF_DIFFERENCES,
        components=joined([a, b], "components", _subtract),
    )


def stack_scores(scores: "Mapping[str, CVScores]") -> "CVScores":
    """Join the scores of estimators on the same splits into one CVScores."""
    if not scores:
        raise ValueError("No scores given; give those of at least two estimators.")
    several = {name: part.shape for name, part in scores.items() if part.ndim != 1}
    if several:
        raise ValueError(f"Expected the scores of one estimator each, got shapes {several}.")
    parts = list(scores.values())
    names = list(map(str, scores))
    design = parts[0].design
    notes = union(_notes_under(names[0], parts[0]))
    for name, part in zip(names[1:], parts[1:], strict=True):
        parts[0]._check_same_metric(part)
        design, unsure = pair_designs(design, part.design)
        notes = union(notes, _notes_under(name, part), unsure)
    failures = tuple(
        (row, split, cause) for row, part in enumerate(parts) for _, split, cause in part.failures
    )
    return replace(
        parts[0],
        values=joined(parts, "values", np.stack),
        design=design,
        labels=tuple(names),
        fit_times=joined(parts, "fit_times", np.stack),
        score_times=joined(parts, "score_times", np.stack),
        row_scores=joined(parts, "row_scores", RowScores._stacked),
        magnitude=joined(parts, "magnitude", np.stack),
        failures=failures,
        notes=notes,
        provenance=_merged_provenance(
            _provenance_of(part, name) for part, name in zip(parts, names, strict=True)
        ),
        paired=False,
        components=joined(parts, "components", Components.stacked),
    )._as_finished()


def _notes_under(name: str, scores: "CVScores") -> Iterator[Note]:
    """Yield the notes on the scores of one estimator, about the name that it has here."""
    for note in scores.notes:
        yield replace(note, about=(name,)) if note.about else note


def _subtract(both: Sequence[Any]) -> Any:
    """Return the first of two minus the second."""
    first, second = both
    return first - second


def _as_objects(labels: Sequence[str]) -> np.ndarray:
    """Return labels as an array of strings, which are joined where such arrays are added."""
    return np.array(labels, dtype=object)


def _provenance_of(scores: "CVScores", name: str) -> dict[str, Any]:
    """Return the provenance of the scores of one estimator, under another name."""
    previous_name = next(iter(scores.labels), name)
    provenance = dict(scores.provenance)
    for key in provenance.keys() & _BY_LABEL:
        value_by_label = provenance[key]
        provenance[key] = {}
        if previous_name in value_by_label:
            provenance[key] = {name: value_by_label[previous_name]}
    return provenance


def _merged_provenance(parts: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Merge the provenance of sets of scores: that of the first, with the estimators of all."""
    merged: dict[str, Any] = {}
    for part in parts:
        for key, value in part.items():
            if key in _BY_LABEL:
                merged[key] = {**merged.get(key, {}), **value}
            else:
                merged.setdefault(key, value)
    return merged


def _spread_failures(scores: "CVScores", n_rows: int) -> list[tuple[int, int, str]]:
    """Return failures once for each difference that the failed scores are part of."""
    # The scores of a single estimator are part of all differences, those of several of one each.
    n_copies = n_rows // n_rows_of(scores.values)
    return [
        (row + k, split, cause) for row, split, cause in scores.failures for k in range(n_copies)
    ]


def n_rows_of(values: np.ndarray) -> int:
    """Return the number of estimators that values are of, which is 1 for a single axis."""
    return len(np.atleast_2d(values))


def _of_values(name: str) -> Callable[..., Any]:
    """Return a method that calls NumPy's method of this name on the values."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(self.values, name)(*args, **kwargs)

    method.__name__ = name
    method.__qualname__ = f"ArrayMethods.{name}"
    method.__doc__ = f"As ``numpy.ndarray.{name}``."
    return method


class ArrayMethods(NDArrayOperatorsMixin):
    """NumPy's interface to ``self.values``; every operation returns a plain array."""

    values: np.ndarray
    __hash__ = None  # type: ignore[assignment]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.values, dtype=dtype, copy=copy)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if any(isinstance(out, ArrayMethods) for out in kwargs.get("out", ())):
            kwargs.pop("out")  # scores are read-only: `scores *= 2` assigns a plain array
        is_subtraction = ufunc is np.subtract and method == "__call__" and not kwargs
        if is_subtraction and all(isinstance(operand, ArrayMethods) for operand in inputs):
            return difference(*inputs)
        arrays = [
            operand.values if isinstance(operand, ArrayMethods) else operand for operand in inputs
        ]
        return getattr(ufunc, method)(*arrays, **kwargs)

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values)

    def __contains__(self, value: Any) -> bool:
        return value in self.values

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the values."""
        return self.values.shape

    @property
    def ndim(self) -> int:
        """Number of axes of the values."""
        return self.values.ndim

    @property
    def size(self) -> int:
        """Number of values."""
        return self.values.size

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the values, always float64."""
        return self.values.dtype

    @property
    def T(self) -> np.ndarray:  # noqa: N802 NumPy's name
        """The values transposed."""
        return self.values.T

    argmax = _of_values("argmax")
    argmin = _of_values("argmin")
    argsort = _of_values("argsort")
    astype: Callable[..., np.ndarray] = _of_values("astype")
    copy: Callable[..., np.ndarray] = _of_values("copy")
    cumsum = _of_values("cumsum")
    flatten: Callable[..., np.ndarray] = _of_values("flatten")
    item = _of_values("item")
    max = _of_values("max")
    mean = _of_values("mean")
    min = _of_values("min")
    prod = _of_values("prod")
    ravel: Callable[..., np.ndarray] = _of_values("ravel")
    reshape: Callable[..., np.ndarray] = _of_values("reshape")
    round = _of_values("round")
    sum = _of_values("sum")
    tolist = _of_values("tolist")
    var = _of_values("var")

    def std(self, axis: Any = None, dtype: Any = None, out: Any = None, **kwargs: Any) -> Any:
        """As ``numpy.ndarray.std``: the spread of the scores, not the error of their mean.

        For the error of the mean, ask for ``confidence_interval()``.
        """
        return self.values.std(axis, dtype, out, **kwargs)
