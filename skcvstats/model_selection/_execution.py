"""Estimators x splits to FitRecords: the only place where models are fitted.

Notes
-----
A task is some estimators on some split numbers; it makes each split once and takes the rows
afresh for every fit, since a transformer with ``copy=False`` would otherwise spoil the next
model's data. Whatever else produces FitRecords can take its place: everything downstream (the
scores, the progress bar) sees records only.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from numbers import Number
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from sklearn.base import clone
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.utils import _safe_indexing, get_tags, indexable
from sklearn.utils.parallel import Parallel, delayed

from .._fingerprint import split_digest
from .._validation import n_rows

# Chunks per worker: enough to even out slow fits, few enough that sending them costs nothing.
_CHUNKS_PER_WORKER = 4


@dataclass(frozen=True, slots=True)
class FitRecord:
    """What came of one estimator on one split.

    Parameters
    ----------
    estimator, split : int
        Their positions.
    scores : mapping of str to float
        By metric; without those that failed.
    losses : ndarray of shape (n_test,) or None
        Per-row losses, where asked for.
    rows : ndarray of shape (n_test,) or None
        The test rows of the losses.
    fit_time, score_time : float
        Seconds.
    error : str or None
        Why a fit or a score failed.
    digest : str
        Fingerprint of the split.
    """

    estimator: int
    split: int
    scores: Mapping[str, float]
    losses: np.ndarray | None
    rows: np.ndarray | None
    fit_time: float
    score_time: float
    error: str | None
    digest: str


@dataclass(frozen=True)
class Workload:
    """All that the fits need besides X and y, which travel apart so that they can be mapped.

    Parameters
    ----------
    names : tuple of str
        The estimators' names, for messages.
    estimators : tuple of estimators
        Cloned for every fit, never fitted themselves.
    splits : sequence of (train, test)
        Made or held; ``splits[k]`` is split k.
    scorer : callable
        ``scorer(estimator, X, y)`` to a number or, for several metrics, to a dict.
    metric : str
        The name of a single number.
    metrics : tuple of str
        The names of several, where they are known beforehand.
    fit_params : tuple of dict
        For each estimator, what its fit gets.
    score_params : dict
        What the scorer gets.
    loss : str or None, default=None
        Which of the scorer's answers are per-row losses.
    error_score : "raise" or float, default="raise"
        What stands for a failed fit or score.
    """

    names: tuple[str, ...]
    estimators: tuple[Any, ...]
    splits: Sequence[tuple[np.ndarray, np.ndarray]]
    scorer: Callable[..., Any]
    metric: str
    metrics: tuple[str, ...]
    fit_params: tuple[Mapping[str, Any], ...]
    score_params: Mapping[str, Any]
    loss: str | None = None
    error_score: Any = "raise"
    pairwise: tuple[bool, ...] = field(init=False)

    def __post_init__(self) -> None:
        pairwise = tuple(bool(get_tags(one).input_tags.pairwise) for one in self.estimators)
        object.__setattr__(self, "pairwise", pairwise)


def run_fits(
    work: Workload,
    X: Any,
    y: Any,
    *,
    n_jobs: int | None = None,
    pre_dispatch: int | str = "2*n_jobs",
) -> Iterator[FitRecord]:
    """Fit every estimator on every split and yield the records as they come, in any order.

    Parameters
    ----------
    work : Workload
        Estimators, splits and scoring.
    X, y : indexable
        The data.
    n_jobs : int, default=None
        As joblib's.
    pre_dispatch : int or str, default="2*n_jobs"
        As joblib's, counted in chunks of fits.
    """
    pairs = [(k, e) for k in range(len(work.splits)) for e in range(len(work.estimators))]
    n_workers = effective_n_jobs(n_jobs)
    if n_workers == 1:
        yield from _fit_pairs(X, y, work, pairs)
        return
    size = max(1, len(pairs) // (_CHUNKS_PER_WORKER * n_workers))
    chunks = [pairs[i : i + size] for i in range(0, len(pairs), size)]
    pool = _pool(n_jobs, pre_dispatch)
    for records in pool(delayed(_fit_chunk)(X, y, work, chunk) for chunk in chunks):
        yield from records


def _pool(n_jobs: int | None, pre_dispatch: int | str) -> Parallel:
    """Return a pool that yields chunks as they finish, or all at the end if it cannot."""
    try:
        return Parallel(n_jobs=n_jobs, pre_dispatch=pre_dispatch, return_as="generator_unordered")
    except ValueError:  # the backend, such as multiprocessing, has no generators
        return Parallel(n_jobs=n_jobs, pre_dispatch=pre_dispatch)


def _fit_chunk(X: Any, y: Any, work: Workload, pairs: Sequence[tuple[int, int]]) -> list[FitRecord]:
    return list(_fit_pairs(X, y, work, pairs))


def _fit_pairs(
    X: Any, y: Any, work: Workload, pairs: Iterable[tuple[int, int]]
) -> Iterator[FitRecord]:
    for k, group in groupby(pairs, key=lambda pair: pair[0]):
        train, test = work.splits[k]
        digest = split_digest(train, test)
        for _, e in group:
            yield _fit_one(X, y, work, e, k, train, test, digest)


def _fit_one(
    X: Any,
    y: Any,
    work: Workload,
    e: int,
    k: int,
    train: np.ndarray,
    test: np.ndarray,
    digest: str,
) -> FitRecord:
    """Clone, take the rows, fit and score, as scikit-learn's cross_validate does."""
    started = fitted = time.perf_counter()
    scores: Mapping[str, float] = {}
    losses = error = None
    try:
        estimator = clone(work.estimators[e])
        X_train, y_train = _take(X, y, train, train, work.pairwise[e])
        fit_params = _take_params(work.fit_params[e], train, n_rows(X))
        X_test, y_test = _take(X, y, test, train, work.pairwise[e])
        score_params = _take_params(work.score_params, test, n_rows(X))
        _call(estimator.fit, X_train, y_train, fit_params)
        fitted = time.perf_counter()
        answer = _call(_bound(work.scorer, estimator), X_test, y_test, score_params)
        scores, losses, error = _read_answer(answer, work)
    except UnsetMetadataPassedError:
        raise
    except Exception as exception:
        where = f"estimator {work.names[e]!r}, split {k}"
        if work.error_score == "raise":
            exception.add_note(f"skcvstats: {where}")
            raise
        error = f"{type(exception).__name__}: {exception}"
        if fitted == started:
            fitted = time.perf_counter()
    return FitRecord(
        estimator=e,
        split=k,
        scores=scores,
        losses=losses,
        rows=None if losses is None else test,
        fit_time=fitted - started,
        score_time=time.perf_counter() - fitted,
        error=error,
        digest=digest,
    )


def _bound(scorer: Callable[..., Any], estimator: Any) -> Callable[..., Any]:
    return lambda *args, **kwargs: scorer(estimator, *args, **kwargs)


def _call(function: Callable[..., Any], X: Any, y: Any, params: Mapping[str, Any]) -> Any:
    return function(X, **params) if y is None else function(X, y, **params)


def _take(X: Any, y: Any, rows: np.ndarray, train: np.ndarray, pairwise: bool) -> tuple[Any, Any]:
    """Take rows of X and y; of a kernel matrix also the columns of the training rows."""
    if pairwise:
        if not hasattr(X, "shape") or len(X.shape) != 2 or X.shape[0] != X.shape[1]:
            raise ValueError(
                "A precomputed kernel or distance matrix must be a square array, one row and one "
                f"column for each sample; got {getattr(X, 'shape', type(X).__name__)}."
            )
        matrix = X.to_numpy() if hasattr(X, "to_numpy") else X
        part = matrix[np.ix_(rows, train)]
    else:
        part = _safe_indexing(X, rows)
    return part, None if y is None else _safe_indexing(y, rows)


def _take_params(params: Mapping[str, Any], rows: np.ndarray, n: int) -> dict[str, Any]:
    """Take the rows of those parameters that have one entry for each row, such as weights."""
    return {
        name: _safe_indexing(indexable(value)[0], rows) if _is_per_row(value, n) else value
        for name, value in params.items()
    }


def _is_per_row(value: Any, n: int) -> bool:
    if isinstance(value, (str, bytes, Mapping)):
        return False
    shape = getattr(value, "shape", None)
    if shape is not None:
        return len(shape) > 0 and shape[0] == n
    return hasattr(value, "__len__") and len(value) == n


def _read_answer(
    answer: Any, work: Workload
) -> tuple[dict[str, float], np.ndarray | None, str | None]:
    """Split a scorer's answer into scores, losses and what failed (left as a traceback)."""
    answers = dict(answer) if isinstance(answer, Mapping) else {work.metric: answer}
    if not answers:
        raise ValueError("The scorer gave no metric; it must return a number or a dict of numbers.")
    failed = {}
    if (work.metrics or work.loss) and work.error_score != "raise":
        # scikit-learn's scorer of several metrics answers with the traceback of one that failed
        failed = {name: value for name, value in answers.items() if isinstance(value, str)}
    errors = [f"{name}: {value.strip().splitlines()[-1]}" for name, value in failed.items()]
    losses = None
    if work.loss is not None:
        losses = answers.pop(work.loss, None)
        losses = None if work.loss in failed else np.asarray(losses, dtype=float)
    scores = {name: _number(name, one) for name, one in answers.items() if name not in failed}
    return scores, losses, "; ".join(errors) or None


def _number(name: str, value: Any) -> float:
    if hasattr(value, "item") and getattr(value, "size", 1) == 1:
        value = value.item()
    if not isinstance(value, Number):
        raise ValueError(
            f"scoring must return a number, but {name!r} gave {value!r} of type "
            f"{type(value).__name__}."
        )
    return float(value)  # type: ignore[arg-type]
