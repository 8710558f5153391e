"""The pivot (estimate - null) / standard error, and the moments of scores that it is made of.

Notes
-----
Every procedure with a direction refers the statistic

    t = (estimate - null value) / standard error

to Student's law with `df` degrees of freedom; ``df=inf`` is the normal law. The statistics
never see more of a procedure than these three numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..scores import SplitDesign
from ._student import student_quantile, tail_probability

# Scores whose deviations from their mean are below this many ulps of the scores are constant.
_DEGENERATE = 10 * np.finfo(float).eps
_BLOCK = 2**17


@dataclass(frozen=True)
class Sample:
    """What a procedure works on: complete scores, or paired differences, and their splits.

    Parameters
    ----------
    values : ndarray of shape (..., n_splits)
        Greater is better. The holdout t-test has one value for each test row instead.
    design : SplitDesign
        The splits.
    magnitude : ndarray of shape (...) or None, default=None
        The largest absolute score before any subtraction; None means of `values` themselves.
    """

    values: np.ndarray
    design: SplitDesign
    magnitude: np.ndarray | None = None


@dataclass(frozen=True)
class Pivot:
    """What a procedure makes of the scores.

    Parameters
    ----------
    estimate : ndarray of shape (...)
        The estimated expected score or difference.
    standard_error : ndarray of shape (...)
        Its standard error; 0 where the scores do not vary.
    df : float
        Degrees of freedom; inf for the normal law.
    scale : ndarray of shape (...)
        The magnitude of the scores behind the estimate: a distance from the null value that is
        below rounding at this magnitude is none.
    correction : float
        What the procedure's sample variance was multiplied by.
    """

    estimate: np.ndarray
    standard_error: np.ndarray
    df: float
    scale: np.ndarray
    correction: float


def sample_moments(
    values: np.ndarray, magnitude: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the mean, the variance and the scale of the scores of each row.

    Parameters
    ----------
    values : ndarray of shape (..., n_splits)
        The scores, or paired differences.
    magnitude : ndarray of shape (...), default=None
        The largest absolute score before any subtraction; None means of `values` themselves.

    Returns
    -------
    mean, variance, scale : ndarray of shape (...)
        The variance has ddof=1; it is exactly 0 where max|x - mean| <= 10 eps scale.
    """
    if magnitude is None and values.ndim > 1 and values.size > _BLOCK and len(values) > 1:
        # In blocks that stay in the cache; the splits next to each other, whatever their axis was.
        step = max(1, len(values) * _BLOCK // values.size)
        blocks = [
            sample_moments(np.ascontiguousarray(values[k : k + step]))
            for k in range(0, len(values), step)
        ]
        return tuple(map(np.concatenate, zip(*blocks, strict=True)))  # type: ignore[return-value]
    n_splits = values.shape[-1]
    with np.errstate(invalid="ignore", over="ignore"):  # what is not finite is found by callers
        mean = values.mean(axis=-1)
        deviations = values - mean[..., np.newaxis]
        squares = np.einsum("...j,...j->...", deviations, deviations)
    # The root of the sum of squares bounds the largest deviation, so it bounds max|x| too.
    scale = np.abs(mean) + np.sqrt(squares) if magnitude is None else np.asarray(magnitude)
    squares, scale = without_rounding(
        squares, deviations, scale, values if magnitude is None else None
    )
    return mean, squares / (n_splits - 1), scale


def without_rounding(
    squares: np.ndarray,
    deviations: np.ndarray,
    scale: np.ndarray,
    values: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Return sums of squares, exactly 0 where max|deviation| <= 10 eps max|score|, and the scale.

    Parameters
    ----------
    squares : ndarray of shape (...)
        The sums of the squared deviations.
    deviations : ndarray of shape (..., n_deviations)
        What is rounding there.
    scale : ndarray of shape (...)
        The largest absolute score, or a bound of it.
    values : ndarray of shape (..., n_splits), default=None
        The scores, where `scale` is a bound only.
    """
    suspects = np.sqrt(squares) <= np.sqrt(deviations.shape[-1]) * _DEGENERATE * scale
    if not suspects.any():
        return squares, scale
    squares, scale = np.array(squares), np.array(scale)
    if values is not None:
        scale[suspects] = np.abs(values[suspects]).max(axis=-1)
    rounding = is_rounding(np.abs(deviations[suspects]).max(axis=-1), scale[suspects])
    squares[suspects] = np.where(rounding, 0.0, squares[suspects])
    return squares, scale


def is_rounding(distance: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Whether a distance between scores of this size is nothing but rounding.

    Parameters
    ----------
    distance, scale : ndarray of shape (...)
        Neither is negative.
    """
    return distance <= _DEGENERATE * scale


def mean_of_last(values: np.ndarray) -> np.ndarray:
    """Return the mean over the last axis; faster than NumPy's where that axis is short.

    Parameters
    ----------
    values : ndarray of shape (..., n)
        Numbers.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        return np.einsum("...j->...", values) / values.shape[-1]


def bound_of(values: np.ndarray) -> np.ndarray:
    """Return the root of the sum of squares: a bound of max|x| at a tenth of its cost.

    Parameters
    ----------
    values : ndarray of shape (..., n_splits)
        Scores.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        return np.sqrt(np.einsum("...j,...j->...", values, values))


def mean_square(
    differences: np.ndarray, values: np.ndarray, magnitude: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean square of differences of scores, and the scale of the scores.

    Parameters
    ----------
    differences : ndarray of shape (..., n_differences)
        Their expectation is 0.
    values : ndarray of shape (..., n_splits)
        What they are differences of.
    magnitude : ndarray of shape (...), default=None
        As for `sample_moments`.

    Returns
    -------
    mean, scale : ndarray of shape (...)
        The mean is exactly 0 where max|difference| <= 10 eps max|x|; the scale is max|x| there,
        and at least that elsewhere.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        squares = np.einsum("...j,...j->...", differences, differences)
    scale = bound_of(values) if magnitude is None else magnitude
    squares, scale = without_rounding(
        squares, differences, scale, values if magnitude is None else None
    )
    return squares / differences.shape[-1], scale


def refer(
    pivot: Pivot, null_value: np.ndarray | float, alternative: str
) -> tuple[np.ndarray, np.ndarray]:
    """Return the statistic and its p-value.

    Where the scores do not vary there is one defined answer: an estimate equal to the null value
    has statistic nan and p = 1 under every alternative; any other has an infinite statistic.
    """
    statistic = _statistic(pivot, null_value)
    pvalue = tail_probability(statistic, pivot.df, alternative)
    return statistic, np.where(np.isnan(statistic), 1.0, pvalue)


def rejects(
    pivot: Pivot, null_value: np.ndarray | float, alternative: str, alpha: float
) -> np.ndarray:
    """Say where the test rejects: the statistic is strictly beyond its critical value.

    Parameters
    ----------
    pivot : Pivot
        Of any shape.
    null_value : float or ndarray
        Broadcasts with the pivot's numbers.
    alternative : {"two-sided", "less", "greater"}
        As the test's.
    alpha : float
        The level.
    """
    statistic = _statistic(pivot, null_value)
    if alternative == "two-sided":
        return np.abs(statistic) > -student_quantile(pivot.df, alpha / 2)
    critical = -student_quantile(pivot.df, alpha)
    return statistic > critical if alternative == "greater" else statistic < -critical


def _statistic(pivot: Pivot, null_value: np.ndarray | float) -> np.ndarray:
    distance = np.asarray(pivot.estimate - null_value, dtype=float)
    constant = np.asarray(pivot.standard_error == 0)
    if constant.any():
        rounding = is_rounding(np.abs(distance), np.maximum(pivot.scale, np.abs(null_value)))
        distance = np.where(constant & rounding, 0.0, distance)
    with np.errstate(divide="ignore", invalid="ignore"):
        return distance / pivot.standard_error
