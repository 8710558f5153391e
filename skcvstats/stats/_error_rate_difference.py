"""The difference of the true errors of two models, each with its own test set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._utils._checks import (
    ALTERNATIVES,
    ConfidenceInterval,
    check_finite_number,
    check_level,
    check_option,
)
from .._utils._text import format_interval, format_number, format_pvalue
from .._utils._warn import warn_user
from ..exceptions import DegenerateScoresWarning
from ._error_rate import check_errors, warn_few_rows
from ._location import Pivot, refer
from ._student import interval, plain


@dataclass(frozen=True, eq=False, kw_only=True)
class ErrorRateDifference:
    """The difference of two error rates, and its test; it unpacks as ``statistic, pvalue``.

    Where the counts were arrays, so are the numbers.

    Parameters
    ----------
    statistic, pvalue : float or ndarray
        The normal deviate and its p-value.
    estimate, standard_error : float or ndarray
        First error rate minus second, and its standard error.
    error_rate_1, error_rate_2 : float or ndarray
        The two error rates.
    null_value : float
        The difference under test.
    alternative : {"two-sided", "less", "greater"}
        Where the true difference lies if not at the null value.
    """

    statistic: Any
    pvalue: Any
    estimate: Any
    standard_error: Any
    error_rate_1: Any
    error_rate_2: Any
    null_value: float
    alternative: str

    def __iter__(self) -> Iterator[Any]:
        return iter((self.statistic, self.pvalue))

    @property
    def undetermined(self) -> Any:
        """Whether neither rate has a variance, so that the test has no evidence to go on."""
        return self.standard_error == 0

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the differences that the test would not reject.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Strictly between 0 and 1.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``; one-sided where the alternative is.
        """
        return interval(
            check_level(confidence_level),
            estimate=self.estimate,
            standard_error=self.standard_error,
            df=np.inf,
            alternative=self.alternative,
        )

    def __str__(self) -> str:
        low, high = self.confidence_interval()
        fields = (self.estimate, low, high, self.statistic, self.pvalue, self.undetermined)
        rows = zip(*map(np.ravel, np.broadcast_arrays(*fields)), strict=True)
        return "\n".join(
            f"difference of error rates {format_number(estimate)} "
            f"({format_interval(bottom, top, 0.95)}), of two fitted models on two test sets: "
            + (
                "undetermined, as neither rate has a variance"
                if undetermined
                else f"z = {format_number(z)}, p {format_pvalue(p)} ({self.alternative}, against "
                f"{format_number(self.null_value)})"
            )
            for estimate, bottom, top, z, p, undetermined in rows
        )


def error_rate_difference(
    n_errors_1: Any,
    n_1: Any,
    n_errors_2: Any,
    n_2: Any,
    *,
    null_value: float = 0.0,
    alternative: str = "two-sided",
) -> ErrorRateDifference:
    """Compare the errors of two fitted models on two independent test sets.

    On one common test set use `mcnemar_exact_test` instead: the errors are paired there, and this
    test would waste the pairing.

    Parameters
    ----------
    n_errors_1, n_1 : int or array-like of int
        Errors of the first model, and rows of its test set.
    n_errors_2, n_2 : int or array-like of int
        The same of the second model, on other rows.
    null_value : float, default=0.0
        The difference under test, first minus second.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        Where the true difference lies if not at the null value. Errors: ``"less"`` means that the
        first model is better.

    Returns
    -------
    ErrorRateDifference
        The difference, its standard error, test and interval; arrays where the counts are.

    Warns
    -----
    AnticonservativeWarning
        If a test set has fewer than 30 rows.
    DegenerateScoresWarning
        If both models have no errors or nothing but errors: the difference has no variance then.

    See Also
    --------
    error_rate_interval : For one model.
    mcnemar_exact_test : For two models on one test set.

    Notes
    -----
    With sample errors e1 and e2 on n1 and n2 rows, the difference d = e1 - e2 is approximately
    normal around the difference of the true errors, with the variance

        e1 (1 - e1)/n1 + e2 (1 - e2)/n2

    [1]_; not pooled, so that test and interval agree for every null value. Without a variance the
    statistic is infinite, or nan with p = 1 where d equals the null value.

    References
    ----------
    .. [1] T. Mitchell, "Machine Learning", 1997; section 5.5.

    Examples
    --------
    >>> from skcvstats.stats import error_rate_difference
    >>> print(error_rate_difference(30, 100, 20, 100))
    difference of error rates 0.1 (95 % confidence interval -0.0192 to 0.219), of two fitted
    models on two test sets: z = 1.64, p = 0.1 (two-sided, against 0)
    """
    check_option("alternative", alternative, ALTERNATIVES)
    null_value = check_finite_number("null_value", null_value)
    if abs(null_value) > 1:
        raise ValueError(
            f"null_value={null_value!r} must be a difference of two error rates, which are from 0 "
            "to 1: a number from -1 to 1."
        )
    errors_1, rows_1 = check_errors("n_errors_1", n_errors_1, "n_1", n_1)
    errors_2, rows_2 = check_errors("n_errors_2", n_errors_2, "n_2", n_2)
    if errors_1.ndim and errors_2.ndim and errors_1.shape != errors_2.shape:
        raise ValueError(
            f"n_errors_1 has shape {errors_1.shape} and n_errors_2 {errors_2.shape}; pass one "
            "count for each comparison in both, or a single one for all."
        )
    warn_few_rows(rows_1, rows_2, remedy="Test on more rows.")
    rate_1, rate_2 = errors_1 / rows_1, errors_2 / rows_2
    error = np.sqrt(rate_1 * (1 - rate_1) / rows_1 + rate_2 * (1 - rate_2) / rows_2)
    if (error == 0).any():
        warn_user(
            "Both models have no errors, or nothing but errors, so their difference has no "
            "variance: p is 1 if it equals the null value and 0 otherwise by definition, and "
            "neither is evidence. Test on more rows.",
            DegenerateScoresWarning,
        )
    pivot = Pivot(rate_1 - rate_2, error, np.inf, np.maximum(rate_1, rate_2), 1.0)
    statistic, pvalue = refer(pivot, null_value, alternative)
    return ErrorRateDifference(
        statistic=plain(statistic),
        pvalue=plain(pvalue),
        estimate=plain(pivot.estimate),
        standard_error=plain(error),
        error_rate_1=plain(rate_1),
        error_rate_2=plain(rate_2),
        null_value=null_value,
        alternative=alternative,
    )
