"""The resampled t-test with a correlation of the splits that the user states."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from .._utils import check_finite_number, format_number
from ..scores import DesignRequest, SplitDesign
from ._arguments import splits_last
from ._base import LocationTest
from ._location import Pivot, Sample, sample_moments
from ._result import CVTestResult


@dataclass(frozen=True, kw_only=True)
class StatedCorrelationTTest(LocationTest):
    """Test an expected score or difference, taking splits to be correlated as stated.

    Parameters
    ----------
    null_value : float, default=0.0
        The value under test.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        Where the true value lies if not at the null value.
    correlation : float, default=0.1
        Of the scores of two splits, at least 0 and below 1.

    Notes
    -----
    With J scores of sample variance S2 and correlation rho the squared standard error of their
    mean is (1/J + rho/(1 - rho)) S2, referred to Student's law with J - 1 degrees of freedom. It is
    unbiased if rho is the true correlation, after [1]_ (equations 7 and 8).

    References
    ----------
    .. [1] C. Nadeau and Y. Bengio, "Inference for the Generalization Error", CIRANO 99s-25, 1999.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcvstats import StatedCorrelationTTest, cross_val_inference
    >>> X, y = load_iris(return_X_y=True)
    >>> test = StatedCorrelationTTest(correlation=0.2)
    >>> cross_val_inference(GaussianNB(), X, y, method=test).df
    14.0
    """

    correlation: float = 0.1

    name: ClassVar[str] = "stated_correlation_t"
    title: ClassVar[str] = "resampled t-test with a stated correlation"
    request: ClassVar[DesignRequest] = DesignRequest(kind="subsample")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= check_finite_number("correlation", self.correlation) < 1:
            raise ValueError(f"correlation={self.correlation!r} must be at least 0 and below 1.")

    def require(self, design: SplitDesign) -> None:
        """Raise SplitDesignError unless there are 2 or more independently drawn splits.

        Parameters
        ----------
        design : SplitDesign
            The splits.
        """
        design.require(
            who="The t-test with a stated correlation", levels=[("split",)], min_splits=2
        )

    def _explanation(self, design: SplitDesign, auxiliary: SplitDesign | None) -> str:
        return (
            f"the square root of {format_number(self._factor(design))} times the sample variance "
            "over the splits"
        )

    def _assumption(self, design: SplitDesign) -> str:
        return (
            "it is right if the scores of two splits are correlated by "
            f"{format_number(self.correlation)}, as stated"
        )

    def _sources(self, design: SplitDesign) -> tuple[str, ...]:
        return ("nadeau1999",)

    def _factor(self, design: SplitDesign) -> float:
        return 1 / design.n_splits + self.correlation / (1 - self.correlation)

    def _pivot(self, sample: Sample, auxiliary: Sample | None) -> Pivot:
        mean, variance, scale = sample_moments(sample.values, sample.magnitude)
        factor = self._factor(sample.design)
        df = sample.design.n_splits - 1
        return Pivot(mean, np.sqrt(factor * variance), df, scale, factor)


def stated_correlation_ttest(
    x: Any,
    *,
    correlation: float,
    n_train: int,
    n_test: int,
    n_samples: int | None = None,
    null_value: Any = 0.0,
    alternative: str = "two-sided",
    axis: int = -1,
) -> CVTestResult:
    """Test scores, or paired differences, taking splits to be correlated as stated.

    Parameters
    ----------
    x : array-like of shape (..., n_splits)
        Scores of one estimator, or differences of the scores of two on the same splits.
    correlation : float
        Of the scores of two splits.
    n_train, n_test : int
        Training and test size of the splits.
    n_samples : int, default=None
        The number of rows that the splits were drawn from. None is n_train + n_test.
    null_value : float or array-like, default=0.0
        The value under test.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        Where the expected value lies if not at the null value.
    axis : int, default=-1
        The axis of the splits.

    Returns
    -------
    CVTestResult
        Its numbers have the leading shape of `x`.

    Raises
    ------
    SplitDesignError
        If there are fewer than 2 splits, or the sizes do not fit together.
    ValueError
        If a score is not finite, or `correlation` is no correlation.

    See Also
    --------
    StatedCorrelationTTest : Its Notes have the mathematics.

    Examples
    --------
    >>> from skcvstats import stated_correlation_ttest
    >>> differences = [0.04, 0.02, 0.05, 0.01, 0.03, 0.06, 0.00, 0.04, 0.02, 0.03]
    >>> t, p = stated_correlation_ttest(differences, correlation=0.2, n_train=180, n_test=20)
    >>> print(f"t = {t:.3f}, p = {p:.4f}")
    t = 2.777, p = 0.0215
    """
    x = splits_last(x, axis)
    design = SplitDesign.from_sizes(n_train, n_test, n_splits=x.shape[-1], n_samples=n_samples)
    test = StatedCorrelationTTest(alternative=alternative, correlation=correlation)
    return test._on_arrays(Sample(x, design), null_value)
