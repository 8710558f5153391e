"""LocationTest: a procedure that refers its statistic to Student's t distribution.

The statistic is t = (estimate - null value) / standard error; the interval contains the values that
the test would not reject.
"""

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from .._utils._checks import ALTERNATIVES, check_finite_number, check_option
from ._arguments import check_finite, check_null_value
from ._diagnostics import undetermined_notes
from ._inference import checked_number
from ._procedure import Procedure, made_from, warn
from ._result import CVTestResult
from ._sample import (
    Sample,
    are_usual,
    exponents_to_one,
    is_rounding,
    plain,
    student_quantile,
    tail_probability,
)


@dataclass(frozen=True)
class Pivot:
    """What a location test makes of the scores.

    Parameters
    ----------
    estimate : ndarray of shape (...)
        The estimated expected score or difference.
    standard_error : ndarray of shape (...)
        Its standard error; 0 where the scores do not vary.
    df : float or ndarray of shape (...)
        Degrees of freedom; inf for the normal distribution.
    scale : ndarray of shape (...), default=None
        The magnitude of the scores behind the estimate: a distance from the null value that is
        below rounding at this magnitude is none. None is the largest absolute score.
    {shared: correction}
    """

    estimate: np.ndarray
    standard_error: np.ndarray
    df: Any
    scale: np.ndarray | None = None
    correction: float = np.nan


@dataclass(frozen=True, kw_only=True)
class LocationTest(Procedure):
    """Base of the procedures that test an expected score, or the difference of two.

    A subclass is a frozen dataclass with a ``name``, a ``title``, `require` and `pivot`; the
    p-value, the interval and what they show follow.

    {Parameters: null_value, alternative}

    See Also
    --------
    Procedure : What these and all others have in common.
    """

    null_value: float = 0.0
    alternative: str = "two-sided"

    _turns: ClassVar[bool] = True
    # Whether `pivot` is right for scores of any magnitude.
    _any_magnitude: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_option("alternative", self.alternative, ALTERNATIVES)
        object.__setattr__(self, "null_value", check_finite_number("null_value", self.null_value))

    @abstractmethod
    def pivot(self, sample: Sample, auxiliary: Sample | None = None) -> Pivot:
        """Reduce complete scores to the estimate, its standard error and the degrees of freedom.

        {Parameters: sample, auxiliary sample}

        Returns
        -------
        Pivot
            Its numbers have the leading shape of the scores.
        """

    def infer(
        self, sample: Sample, auxiliary: Sample | None = None, *, null_value: Any = None
    ) -> CVTestResult:
        """Refer the pivot to its distribution.

        {Parameters: sample, auxiliary sample}
        null_value : float or ndarray of shape (...), default=None
            The value under test, or one for each row. None is that of this procedure.

        Returns
        -------
        CVTestResult
            Never with a warning.
        """
        null_value = self.null_value if null_value is None else null_value
        pivot = reduced(self, sample, auxiliary)
        # A difference below the rounding of the scores is none.
        rounding = is_rounding(np.abs(pivot.estimate), np.asarray(pivot.scale))
        rounding = rounding & np.isfinite(pivot.estimate)
        pivot = replace(pivot, estimate=np.where(rounding, 0.0, pivot.estimate))
        statistic = _statistic(pivot, null_value)
        pvalue = tail_probability(statistic, pivot.df, self.alternative)
        known = made_from(self, sample, auxiliary)
        constant = np.asarray(pivot.standard_error) == 0
        if constant.any():
            known["notes"] = (*undetermined_notes(constant), *known["notes"])
        return CVTestResult(
            statistic=plain(statistic),
            pvalue=plain(np.where(np.isnan(statistic), 1.0, pvalue)),
            df=pivot.df if np.ndim(pivot.df) else float(pivot.df),
            estimate=plain(pivot.estimate),
            standard_error=plain(pivot.standard_error),
            null_value=null_value,
            alternative=self.alternative,
            correction=pivot.correction,
            **known,
        )


def reduced(test: LocationTest, sample: Sample, auxiliary: Sample | None = None) -> Pivot:
    """Return the pivot with its scale, also of scores whose squares are out of range."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        pivot = test.pivot(sample, auxiliary)
        if not isinstance(pivot, Pivot):
            raise TypeError(
                f"{type(test).__name__}.pivot returned {type(pivot).__name__}; it must return a "
                "Pivot."
            )
        scale = np.asarray(sample.largest if pivot.scale is None else pivot.scale)
        if not test._any_magnitude and not are_usual(scale).all():
            parts = [part for part in (sample, auxiliary) if part is not None]
            largest = [np.abs(part.values).max(axis=-1) for part in parts]
            exponents = exponents_to_one(np.maximum.reduce(largest))
            if exponents.any():
                scaled = [part.times_power_of_two(exponents) for part in parts]
                pivot = test.pivot(*scaled)
                scale = np.asarray(scaled[0].largest if pivot.scale is None else pivot.scale)
                scale = np.minimum(np.ldexp(scale, -exponents), np.finfo(float).max)
                estimate, error = pivot.estimate, pivot.standard_error
                estimate, error = (np.ldexp(part, -exponents) for part in (estimate, error))
                pivot = replace(pivot, estimate=estimate, standard_error=error)
    if not test._is_own:
        _check_pivot(pivot, sample, f"{type(test).__name__}.pivot")
    return replace(pivot, scale=scale)


def _check_pivot(pivot: Pivot, sample: Sample, who: str) -> None:
    """Raise TypeError or ValueError for a pivot that is not of these scores."""
    if not np.all(pivot.standard_error >= 0) or not np.all(np.asarray(pivot.df) > 0):
        raise ValueError(
            f"{who}: standard_error is {pivot.standard_error} and df is {pivot.df}; they must "
            "be at least 0, and above 0."
        )
    for name in ("estimate", "standard_error", "df"):
        number = getattr(pivot, name)
        checked_number(f"{who}: {name}", number, sample.values.shape[:-1], missing=name == "df")


def estimates_of(procedure: Procedure, sample: Sample, auxiliary: Sample | None) -> np.ndarray:
    """Return the estimated expected score of each estimator."""
    if isinstance(procedure, LocationTest):
        return reduced(procedure, sample, auxiliary).estimate
    return np.asarray(sample.values.mean(axis=-1))


def infer_arrays(
    test: LocationTest, sample: Sample, null_value: Any, auxiliary: Sample | None = None
) -> Any:
    """Check and test arrays of scores against one null value or one for each row, and warn."""
    test.require(sample.design)
    if auxiliary is not None:
        test.require(sample.design, auxiliary.design)
    null_value = check_null_value(null_value, sample.values.shape[:-1])
    check_finite("x", sample.values)
    if auxiliary is not None:
        check_finite("auxiliary", auxiliary.values)
    result = test.infer(sample, auxiliary, null_value=null_value)
    warn(result)
    return result


def refer(
    pivot: Pivot, null_value: np.ndarray | float, alternative: str
) -> tuple[np.ndarray, np.ndarray]:
    """Return the statistic and its p-value, infinite or nan and 1 if the scores do not vary."""
    statistic = _statistic(pivot, null_value)
    pvalue = tail_probability(statistic, pivot.df, alternative)
    return statistic, np.where(np.isnan(statistic), 1.0, pvalue)


def rejects(
    pivot: Pivot, null_value: np.ndarray | float, alternative: str, alpha: float
) -> np.ndarray:
    """Return where the test rejects: the statistic is strictly beyond its critical value."""
    statistic = _statistic(pivot, null_value)
    if alternative == "two-sided":
        return np.abs(statistic) > -student_quantile(pivot.df, alpha / 2)
    critical = -student_quantile(pivot.df, alpha)
    return statistic > critical if alternative == "greater" else statistic < -critical


def _statistic(pivot: Pivot, null_value: np.ndarray | float) -> np.ndarray:
    distance = np.asarray(pivot.estimate - null_value, dtype=float)
    constant = np.asarray(pivot.standard_error == 0)
    if constant.any():
        assert pivot.scale is not None, "filled by infer"
        rounding = is_rounding(np.abs(distance), np.maximum(pivot.scale, np.abs(null_value)))
        distance = np.where(constant & rounding, 0.0, distance)
    with np.errstate(divide="ignore", invalid="ignore"):
        return distance / pivot.standard_error
