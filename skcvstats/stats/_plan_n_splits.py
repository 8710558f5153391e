"""plan_n_splits: plans the number of splits from existing scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .._utils._arrays import as_array
from .._utils._checks import check_finite_number, check_level, is_integer
from .._utils._text import format_number
from ..scores import CVScores, Note
from ._diagnostics import design_notes, few_splits_notes, fold_notes
from ._scores_input import scores_with_splits, variance_over_splits
from ._split_plan import SplitPlan, half_width_of
from .theory._cv_variance import standard_error_of_mean

# Limit of numbers of splits and of fits for each: their product must fit an 8-byte integer.
_MOST = 2**31


def plan_n_splits(
    scores: Any,
    rho: float | None = None,
    *,
    n_splits: Sequence[int] = (15, 25, 50, 100, 200),
    fits_per_split: int = 1,
    seconds_per_fit: float | None = None,
    confidence_level: float = 0.95,
) -> SplitPlan:
    """Plan how many splits to score on: the gain in precision from more, and their cost.

    Parameters
    ----------
    scores : CVScores or dict
        The scores of one estimator, or the difference of two, on the splits so far; or what
        `cross_validate(..., return_indices=True)` returned.
    rho : float, default=None
        The correlation of two splits' scores, at least 0 and below 1. None takes
        n_test / n_samples, which holds if the loss depends on the test row only.
    n_splits : sequence of int, default=(15, 25, 50, 100, 200)
        Numbers of splits to look at, besides that of the scores.
    fits_per_split : int, default=1
        How many models a split fits: 2 for the difference of two estimators.
    seconds_per_fit : float, default=None
        What one fit costs, with its scoring. None takes the mean over the scores' own times, where
        they hold them.
    confidence_level : float, default=0.95
        Of the intervals.

    Returns
    -------
    SplitPlan
        A table by number of splits, its limit, and the number of splits for a wanted width.

    Raises
    ------
    ValueError
        If the scores are those of several estimators, or do not vary.
    SplitDesignError
        If there are fewer than 2 splits.

    See Also
    --------
    cv_variance : The variance behind it.

    Notes
    -----
    The sample variance S2 of the scores estimates s1 (1 - rho), whatever their number, and the mean
    of J scores has variance s1 (rho + (1 - rho)/J) [1]_. So with J splits of the same sizes the
    standard error is

        sqrt(S2 (1/J + rho/(1 - rho))),

    and the interval reaches t_{J-1} times that. Both fall with J, but not below their values at J =
    infinity, because more splits add no new rows. With rho = n_test/n_samples this is the interval
    of the corrected resampled t-test. S2 is itself an estimate: with few splits the plan is
    imprecise. A learner that changes much with its training rows has a larger rho, and gains less
    from more splits.

    References
    ----------
    .. [1] C. Nadeau and Y. Bengio, "Inference for the Generalization Error", CIRANO 99s-25, 1999;
       equations 8 and 10.

    Examples
    --------
    >>> from skcvstats import CVScores, SplitDesign
    >>> from skcvstats.stats import plan_n_splits
    >>> scores = CVScores(
    ...     values=[0.90, 0.85, 0.95, 0.80, 0.90, 0.92, 0.88, 0.83, 0.91, 0.87],
    ...     design=SplitDesign.from_sizes(90, 10, n_splits=10),
    ... )
    >>> plan = plan_n_splits(scores, n_splits=[25, 100])
    >>> plan.half_width.round(3).tolist()
    [0.047, 0.036, 0.031]
    >>> plan.n_splits_for(0.035)
    30

    Scores of differences are planned the same way: which difference 10, 25 and 100 splits would
    show with power .8, and how many splits a difference of .05 needs.

    >>> plan.detectable_difference(power=0.8).estimate.round(3).tolist()
    [0.065, 0.051, 0.044]
    >>> plan.n_splits_for(difference=0.05, power=0.8)
    28
    """
    scores = scores_with_splits("plan_n_splits", scores)
    variance = variance_over_splits("A plan of the number of splits", scores)
    numbers = _check_numbers(n_splits, scores.design.n_splits)
    if not is_integer(fits_per_split) or not 1 <= fits_per_split < _MOST:
        raise ValueError(f"fits_per_split={fits_per_split!r} must be an integer, 1 or more.")
    level = check_level(confidence_level)
    rho, source = _correlation(rho, scores)
    per_fit = _seconds(seconds_per_fit, scores)
    n_fits = numbers * fits_per_split
    return SplitPlan(
        n_splits=numbers,
        standard_error=np.array([standard_error_of_mean(k, variance, rho) for k in numbers]),
        half_width=np.array([half_width_of(k, variance, rho, level) for k in numbers]),
        n_fits=n_fits,
        seconds=None if per_fit is None else n_fits * per_fit,
        current=scores.design.n_splits,
        variance=variance,
        correlation=rho,
        confidence_level=level,
        label=scores.label,
        metric=scores.metric,
        notes=(
            Note("correlation", source, None),
            *fold_notes(scores.design),
            *few_splits_notes(scores.design),
            *design_notes(scores.design),
        ),
    )


def _check_numbers(n_splits: Any, current: int) -> np.ndarray:
    numbers = as_array("n_splits", n_splits)
    if numbers.ndim != 1 or not all(is_integer(k) and 2 <= k < _MOST for k in n_splits):
        raise ValueError(
            f"n_splits={n_splits!r} must be a list of integers, each 2 or more, such as [25, 100]."
        )
    return np.unique([current, *n_splits]).astype(int)


def _correlation(rho: float | None, scores: CVScores) -> tuple[float, str]:
    """Return the correlation of two splits, and its source."""
    if rho is None:
        rho = scores.design.test_size / scores.design.n_samples
        return rho, (
            f"assumed: the splits' scores are correlated by n_test/n_samples = "
            f"{format_number(rho)}, as they are if the loss depends on the test row only; for "
            "learners that change much with their training rows more splits bring less"
        )
    rho = check_finite_number("rho", rho)
    if not 0 <= rho < 1:
        raise ValueError(
            f"rho={rho!r} must be at least 0 and below 1; leave it out for n_test/n_samples."
        )
    return rho, f"given: a correlation of {format_number(rho)} between the splits' scores"


def _seconds(seconds_per_fit: float | None, scores: CVScores) -> float | None:
    if seconds_per_fit is None:
        times = [time for time in (scores.fit_times, scores.score_times) if time is not None]
        return float(np.mean(np.sum(times, axis=0))) if scores.fit_times is not None else None
    if check_finite_number("seconds_per_fit", seconds_per_fit) < 0:
        raise ValueError(f"seconds_per_fit={seconds_per_fit!r} must not be negative.")
    return float(seconds_per_fit)
