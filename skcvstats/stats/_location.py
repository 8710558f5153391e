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
from ._procedure import Procedure
from ._result import CVTestResult
from ._sample import Sample, are_usual, exponents_to_one, is_rounding
from ._student import plain, student_quantile, tail_probability


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
    correction : float, default=nan
        What the procedure's sample variance was multiplied by.
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

    Parameters
    ----------
    null_value : float, default=0.0
        The value under test.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        Where the true value lies if not at the null value.

    See Also
    --------
    Procedure : What these and all others have in common.
    """

    null_value: float = 0.0
    alternative: str = "two-sided"

    _convention: ClassVar[str] = (
        ": p is 1 if the estimate equals the null value and 0 otherwise by definition, and neither "
        "is evidence"
    )
    _result_type: ClassVar[type[CVTestResult]] = CVTestResult
    # Whether `pivot` is right for scores of any magnitude.
    _any_magnitude: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_option("alternative", self.alternative, ALTERNATIVES)
        object.__setattr__(self, "null_value", check_finite_number("null_value", self.null_value))

    @property
    def has_posterior(self) -> bool:
        """Whether the t distribution is also the posterior of the true value, given the scores.

        It is if the standard error is made from the sample variance of normal scores of a known
        correlation; False by default.
        """
        return False

    @abstractmethod
    def pivot(self, sample: Sample, auxiliary: Sample | None = None) -> Pivot:
        """Reduce complete scores to the estimate, its standard error and the degrees of freedom.

        Parameters
        ----------
        sample : Sample
            The scores, or paired differences, of shape (..., n_splits).
        auxiliary : Sample, default=None
            Those on the auxiliary splits.

        Returns
        -------
        Pivot
            Its numbers have the leading shape of the scores.
        """

    @property
    def symmetric(self) -> bool:
        return self.alternative == "two-sided" and self.null_value == 0

    def reduced(self, sample: Sample, auxiliary: Sample | None = None) -> Pivot:
        """Return the pivot with its scale, also of scores whose squares are out of range.

        Parameters
        ----------
        sample : Sample
            The scores.
        auxiliary : Sample, default=None
            Those on the auxiliary splits.

        Returns
        -------
        Pivot
            Its numbers have the leading shape of the scores.

        Raises
        ------
        TypeError, ValueError
            If `pivot` returned something else.

        Notes
        -----
        Rows of such scores are brought to about 1 by a power of two and back; all others stay
        as they are.
        """
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            pivot = self._scaled_pivot(sample, auxiliary)
            if not self._any_magnitude and not are_usual(np.asarray(pivot.scale)).all():
                given = [part.values for part in (sample, auxiliary) if part is not None]
                largest = np.maximum.reduce([np.abs(values).max(axis=-1) for values in given])
                exponents = exponents_to_one(largest)
                if exponents.any():
                    pivot = self._rescaled_pivot(sample, auxiliary, exponents)
        shape, who = sample.values.shape[:-1], f"{type(self).__name__}.pivot"
        if not np.all(pivot.standard_error >= 0) or not np.all(np.asarray(pivot.df) > 0):
            raise ValueError(
                f"{who}: standard_error is {pivot.standard_error} and df is {pivot.df}; they must "
                "be at least 0, and above 0."
            )
        for name in ("estimate", "standard_error", "df"):
            checked_number(f"{who}: {name}", getattr(pivot, name), shape, missing=name == "df")
        return pivot

    def _scaled_pivot(self, sample: Sample, auxiliary: Sample | None) -> Pivot:
        """Call `pivot`, and complete the scale."""
        pivot = self.pivot(sample, auxiliary)
        if not isinstance(pivot, Pivot):
            raise TypeError(
                f"{type(self).__name__}.pivot returned {type(pivot).__name__}; it must return a "
                "Pivot."
            )
        scale = sample.largest if pivot.scale is None else pivot.scale
        return replace(pivot, scale=np.asarray(scale))

    def _rescaled_pivot(
        self, sample: Sample, auxiliary: Sample | None, exponents: np.ndarray
    ) -> Pivot:
        """Return the pivot, computed with the rows times 2**exponents."""
        halves = None if auxiliary is None else auxiliary.times_power_of_two(exponents)
        pivot = self._scaled_pivot(sample.times_power_of_two(exponents), halves)
        parts = (pivot.estimate, pivot.standard_error, np.asarray(pivot.scale))
        estimate, error, scale = (np.ldexp(part, -exponents) for part in parts)
        scale = np.minimum(scale, np.finfo(float).max)
        return replace(pivot, estimate=estimate, standard_error=error, scale=scale)

    def infer(
        self, sample: Sample, auxiliary: Sample | None = None, *, null_value: Any = None
    ) -> CVTestResult:
        """Refer the pivot to its distribution.

        Parameters
        ----------
        sample : Sample
            Complete scores of shape (..., n_splits) on splits that `require` has let pass.
        auxiliary : Sample, default=None
            Those on the auxiliary splits.
        null_value : float or ndarray of shape (...), default=None
            The value under test, or one for each row. None is that of this procedure.

        Returns
        -------
        CVTestResult
            Never with a warning.
        """
        null_value = self.null_value if null_value is None else null_value
        pivot = self.reduced(sample, auxiliary)
        # A difference below the rounding of the scores is none.
        rounding = is_rounding(np.abs(pivot.estimate), np.asarray(pivot.scale))
        rounding = rounding & np.isfinite(pivot.estimate)
        pivot = replace(pivot, estimate=np.where(rounding, 0.0, pivot.estimate))
        statistic, pvalue = refer(pivot, null_value, self.alternative)
        facts = self.facts(sample, auxiliary)
        undetermined = undetermined_notes(np.asarray(pivot.standard_error) == 0)
        return self._result_type(
            statistic=plain(statistic),
            pvalue=plain(pvalue),
            df=pivot.df if np.ndim(pivot.df) else float(pivot.df),
            estimate=plain(pivot.estimate),
            standard_error=plain(pivot.standard_error),
            null_value=null_value,
            alternative=self.alternative,
            correction=pivot.correction,
            has_posterior=self.has_posterior,
            **{**facts, "notes": (*undetermined, *facts["notes"])},
        )

    def estimates(self, sample: Sample, auxiliary: Sample | None = None) -> np.ndarray:
        return self.reduced(sample, auxiliary).estimate

    def on_arrays(
        self, sample: Sample, null_value: Any, auxiliary: Sample | None = None
    ) -> CVTestResult:
        """Check and test arrays of scores, and warn.

        Parameters
        ----------
        sample : Sample
            The scores.
        null_value : float or array-like
            The value under test, or one for each row.
        auxiliary : Sample, default=None
            Those on the auxiliary splits.

        Returns
        -------
        CVTestResult
            Its numbers have the leading shape of the scores.

        Raises
        ------
        ValueError
            If a score or a null value is not finite, or the shapes do not fit.
        """
        self.require(sample.design)
        self.require_auxiliary(sample.design, None if auxiliary is None else auxiliary.design)
        null_value = check_null_value(null_value, sample.values.shape[:-1])
        check_finite("x", sample.values)
        if auxiliary is not None:
            check_finite("auxiliary", auxiliary.values)
        result = self.infer(sample, auxiliary, null_value=null_value)
        self.warn(result)
        return result


def refer(
    pivot: Pivot, null_value: np.ndarray | float, alternative: str
) -> tuple[np.ndarray, np.ndarray]:
    """Return the statistic and its p-value.

    If the scores do not vary, the result is defined as follows: an estimate equal to the null value
    has statistic nan and p = 1 under every alternative; any other has an infinite statistic.
    """
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
