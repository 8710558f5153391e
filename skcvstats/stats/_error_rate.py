"""The true errors of fitted models from their errors on test sets: Mitchell's intervals."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv

from .._utils._arrays import as_array
from .._utils._checks import ConfidenceInterval, brief, check_finite_number, check_option
from .._utils._shared_arguments import check_alternative, check_level, tails_of
from .._utils._text import format_interval, format_number, format_pvalue
from .._utils._warn import warn_user
from ..exceptions import AnticonservativeWarning, DegenerateScoresWarning
from ._location import Pivot, refer
from ._sample import interval, plain, student_quantile

# Mitchell's rule of thumb for the normal approximation.
FEWEST_ROWS = 30


@dataclass(frozen=True, eq=False, kw_only=True)
class ErrorRateInterval:
    """The error rate of a fitted model, with an interval for its true error.

    Where the counts were arrays, so are the numbers.

    Parameters
    ----------
    estimate : float or ndarray
        Errors per test row.
    low, high : float or ndarray
        The ends of the interval.
    n_errors, n : int or ndarray
        Errors, and test rows.
    method : {"wilson", "exact", "normal"}
        How the interval was made.
    {shared: given level}
    """

    estimate: Any
    low: Any
    high: Any
    n_errors: Any
    n: Any
    method: str
    confidence_level: float

    @property
    def interval(self) -> ConfidenceInterval:
        """The two ends."""
        return ConfidenceInterval(self.low, self.high)

    def __str__(self) -> str:
        ends = np.clip([self.low, self.high], 0, 1)
        columns = np.broadcast_arrays(self.n_errors, self.n, self.estimate, *ends)
        return "\n".join(
            f"error rate {format_number(rate)}, {errors} of {rows} test rows "
            f"({self.method}, {format_interval(low, high, self.confidence_level)}), of the fitted "
            "model"
            for errors, rows, rate, low, high in zip(*map(np.ravel, columns), strict=True)
        )


def error_rate_interval(
    n_errors: ArrayLike, n: ArrayLike, method: str = "wilson", *, confidence_level: float = 0.95
) -> ErrorRateInterval:
    """Estimate the true error of a fitted model from its errors on one test set.

    Parameters
    ----------
    n_errors : int or array-like of int
        Errors on the test set.
    n : int or array-like of int
        Rows of the test set, drawn independently of each other and of the model.
    method : {"wilson", "exact", "normal"}, default="wilson"
        ``"wilson"`` covers the true error about as often as its level at any size. ``"exact"``
        (Clopper-Pearson) covers it at least as often, and is wider. ``"normal"`` is the textbook's
        approximation for 30 or more rows; it covers too rarely where errors, or correct rows, are
        few.
    {shared: level}

    Returns
    -------
    ErrorRateInterval
        The error rate and the interval; arrays where the counts are.

    Raises
    ------
    ValueError
        If the counts are not integers with 0 <= n_errors <= n and n >= 1.

    Warns
    -----
    AnticonservativeWarning
        With ``"normal"`` and fewer than 30 rows.
    DegenerateScoresWarning
        With ``"normal"`` and no errors, or nothing but errors: its interval has no width then.

    {See Also: error_rate_difference, mcnemar_exact_test}

    Notes
    -----
    The errors r on n independent rows are binomial with the true error p; the sample error is
    e = r/n. With z the normal quantile, ``"normal"`` is e +- z sqrt(e (1 - e)/n) [1]_; its ends may
    lie outside 0 to 1, and are cut there only where they are printed. Wilson's interval is where
    ``|e - p| <= z sqrt(p (1 - p)/n)``,

        (e + z^2/2n +- z sqrt(e (1 - e)/n + z^2/4n^2)) / (1 + z^2/n),

    which always lies within 0 to 1 and has a width even for r = 0. ``"exact"`` has the p for which
    neither P(R <= r) nor P(R >= r) is below half of 1 - confidence_level: quantiles of the beta
    distributions (r, n - r + 1) and (r + 1, n - r). Wilson's is the default since its coverage
    stays close to the level over all n and p; that of the normal interval is far below for many,
    and that of the exact one above for all [2]_.

    All of them are about this fitted model. For the learning algorithm several splits are needed:
    see `cross_val_inference`.

    References
    ----------
    .. [1] T. Mitchell, "Machine Learning", 1997; chapter 5.
    .. [2] L. D. Brown, T. T. Cai and A. DasGupta, "Interval Estimation for a Binomial Proportion",
       Statistical Science 16, 2001.

    Examples
    --------
    >>> from skcvstats.stats import error_rate_interval
    >>> print(error_rate_interval(12, 40))
    error rate 0.3, 12 of 40 test rows (wilson, 95 % confidence interval 0.181 to 0.454), of the
    fitted model
    >>> low, high = error_rate_interval(12, 40, "normal").interval
    >>> print(f"{low:.3f} to {high:.3f}")
    0.158 to 0.442
    """
    check_option("method", method, _METHODS)
    level = check_level(confidence_level)
    errors, rows = check_errors("n_errors", n_errors, "n", n)
    if method == "normal":
        warn_few_rows(rows, remedy="Use method='wilson' or method='exact'.")
        if ((errors == 0) | (errors == rows)).any():
            warn_user(
                "With no errors, or nothing but errors, the normal interval has no width, although "
                "the rate is not certain. Use method='wilson' or method='exact'.",
                DegenerateScoresWarning,
            )
    low, high = _METHODS[method](errors, rows, (1 - level) / 2)
    return ErrorRateInterval(
        estimate=plain(errors / rows),
        low=plain(low),
        high=plain(high),
        n_errors=np.asarray(n_errors)[()],
        n=np.asarray(n)[()],
        method=method,
        confidence_level=level,
    )


def check_errors(
    errors_name: str, n_errors: Any, rows_name: str, n: Any
) -> tuple[np.ndarray, np.ndarray]:
    """Return counts of errors and of rows, or say what is wrong with them."""
    errors = as_array(errors_name, n_errors)
    rows = as_array(rows_name, n)
    argument = f"{errors_name}={brief(n_errors)} of {rows_name}={brief(n)}"
    remedy = " Of labels y and predictions pred pass np.sum(y != pred) and len(y)."
    if errors.dtype.kind not in "iu" or rows.dtype.kind not in "iu":
        raise ValueError(f"{argument} must be counts: integers, not rates.{remedy}")
    if not _can_pair(errors, rows):
        raise ValueError(
            f"{errors_name} has shape {errors.shape} and {rows_name} {rows.shape}; pass one number "
            f"of rows for all, or one for each count.{remedy}"
        )
    if ((errors < 0) | (errors > rows) | (rows < 1)).any():
        raise ValueError(
            f"{argument} is not possible: expected at least 1 row, and from 0 errors to as many as "
            f"there are rows.{remedy}"
        )
    return errors.astype(float), rows.astype(float)


def _can_pair(first: np.ndarray, second: np.ndarray) -> bool:
    """Tell whether one of them is a single number, or both have one for each test."""
    return not first.ndim or not second.ndim or first.shape == second.shape


def warn_few_rows(rows: np.ndarray, *, remedy: str) -> None:
    """Warn where a normal approximation is used on too few rows for it."""
    fewest = int(rows.min())
    if fewest < FEWEST_ROWS:
        warn_user(
            f"The normal approximation wants {FEWEST_ROWS} or more test rows, not {fewest}: its "
            f"interval covers the truth less often than it says. {remedy}",
            AnticonservativeWarning,
        )


def _normal(errors: np.ndarray, rows: np.ndarray, tail: float) -> tuple[np.ndarray, np.ndarray]:
    rate = errors / rows
    half_width = -student_quantile(np.inf, tail) * np.sqrt(rate * (1 - rate) / rows)
    return rate - half_width, rate + half_width


def _wilson(errors: np.ndarray, rows: np.ndarray, tail: float) -> tuple[np.ndarray, np.ndarray]:
    z = -student_quantile(np.inf, tail)
    centre = (errors + z**2 / 2) / (rows + z**2)
    half_width = z * np.sqrt(errors * (rows - errors) / rows + z**2 / 4) / (rows + z**2)
    # The ends at 0 and 1 are reached exactly, and lost to rounding otherwise.
    return (
        np.where(errors == 0, 0.0, centre - half_width),
        np.where(errors == rows, 1.0, centre + half_width),
    )


def _exact(errors: np.ndarray, rows: np.ndarray, tail: float) -> tuple[np.ndarray, np.ndarray]:
    # Not by scipy.stats.binomtest: it takes one count at a time, and its root finder misses the
    # lower end for 1 error on 100,000 rows by 3e-6 of it.
    right = rows - errors
    low = betaincinv(np.maximum(errors, 1), right + 1, tail)
    high = betaincinv(errors + 1, np.maximum(right, 1), 1 - tail)
    return np.where(errors == 0, 0.0, low), np.where(right == 0, 1.0, high)


_METHODS: dict[str, Callable[..., tuple[np.ndarray, np.ndarray]]] = {
    "wilson": _wilson,
    "exact": _exact,
    "normal": _normal,
}


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
    {shared: result alternative}
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

        {Parameters: level}
        {Returns: interval}
        """
        level = check_level(confidence_level)
        critical = -student_quantile(np.inf, (1 - level) / tails_of(self.alternative))
        half_width = critical * self.standard_error
        return interval(half_width, estimate=self.estimate, alternative=self.alternative)

    def __str__(self) -> str:
        ends = np.array(self.confidence_interval())
        low, high = np.where(np.isinf(ends), ends, np.clip(ends, -1, 1))
        fields = (self.estimate, low, high, self.statistic, self.pvalue, self.undetermined)
        columns = map(np.ravel, np.broadcast_arrays(*fields))
        lines = []
        for estimate, bottom, top, z, p, undetermined in zip(*columns, strict=True):
            verdict = "undetermined, as neither rate has a variance"
            if not undetermined:
                verdict = (
                    f"z = {format_number(z)}, p {format_pvalue(p)} ({self.alternative}, against "
                    f"{format_number(self.null_value)})"
                )
            lines.append(
                f"difference of error rates {format_number(estimate)} "
                f"({format_interval(bottom, top, 0.95)}), of two fitted models on two test sets: "
                f"{verdict}"
            )
        return "\n".join(lines)


def error_rate_difference(
    n_errors_1: ArrayLike,
    n_1: ArrayLike,
    n_errors_2: ArrayLike,
    n_2: ArrayLike,
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

    Raises
    ------
    ValueError
        If the counts are not integers with 0 <= errors <= rows and rows >= 1, or their shapes
        differ, or the null value is not from -1 to 1.

    Warns
    -----
    AnticonservativeWarning
        If a test set has fewer than 30 rows.
    DegenerateScoresWarning
        If both models have no errors or nothing but errors: the difference has no variance then.

    {See Also: mcnemar_exact_test}
    error_rate_interval : For one model.

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
    models on two test sets: z = 1.64, p = 0.1002 (two-sided, against 0)
    """
    check_alternative(alternative)
    null_value = check_finite_number("null_value", null_value)
    if abs(null_value) > 1:
        raise ValueError(f"null_value={null_value!r} must be from -1 to 1, a difference of rates.")
    errors_1, rows_1 = check_errors("n_errors_1", n_errors_1, "n_1", n_1)
    errors_2, rows_2 = check_errors("n_errors_2", n_errors_2, "n_2", n_2)
    if not _can_pair(errors_1, errors_2):
        raise ValueError(
            f"n_errors_1 has shape {errors_1.shape} and n_errors_2 {errors_2.shape}; pass one "
            "count for each comparison in both, or a single one for all."
        )
    warn_few_rows(np.minimum(rows_1, rows_2), remedy="Test on more rows.")
    rate_1 = errors_1 / rows_1
    rate_2 = errors_2 / rows_2
    variance = rate_1 * (1 - rate_1) / rows_1 + rate_2 * (1 - rate_2) / rows_2
    standard_error = np.sqrt(variance)
    if (variance == 0).any():
        warn_user(
            "Both models have no errors, or nothing but errors, so their difference has no "
            "variance: p is 1 if it equals the null value and 0 otherwise by definition, so "
            "no conclusion can be drawn. Test on more rows.",
            DegenerateScoresWarning,
        )
    pivot = Pivot(rate_1 - rate_2, standard_error, np.inf, np.maximum(rate_1, rate_2), 1.0)
    statistic, pvalue = refer(pivot, null_value, alternative)
    return ErrorRateDifference(
        statistic=plain(statistic),
        pvalue=plain(pvalue),
        estimate=plain(pivot.estimate),
        standard_error=plain(standard_error),
        error_rate_1=plain(rate_1),
        error_rate_2=plain(rate_2),
        null_value=null_value,
        alternative=alternative,
    )
