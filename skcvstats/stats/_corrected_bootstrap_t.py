"""The corrected bootstrap t-test (Nadeau and Bengio 1999, procedure 7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from ..scores import Note, SplitDesign
from ._bootstrap_t import BootstrapTTest, replicated
from ._one_array import of_differences
from ._result import CVTestResult


@dataclass(frozen=True, kw_only=True)
class CorrectedBootstrapTTest(BootstrapTTest):
    """Test an expected score or difference with the corrected variance of newly drawn splits.

    The variance of means over replicates of splits, with the correction of the corrected resampled
    t-test for the rows that all replicates share. It costs (R + 1) times as many fits and is hardly
    better than that test; use it to reproduce results.

    Parameters
    ----------
    null_value : float, default=0.0
        The value under test.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: the expected score (or difference, first minus second) is above the null
        value.

    See Also
    --------
    CorrectedResampledTTest : From the splits of the estimate alone.
    RepeatedSubsampleSplit : Draws the replicates with ``n_replicates=R + 1``.

    Notes
    -----
    Of R + 1 replicates of J splits each, the mean of the first is the estimate mu_J. With the
    sample variance S2 of the other R means, the squared standard error is

        (1 + J n2/(n - n2)) S2,

    referred to Student's t distribution with R - 1 degrees of freedom [1]_ (section 4).
    E[S2] = (s1 - s2)/J and Var mu_J = s2 + (s1 - s2)/J, so it is unbiased if rho = s2/s1 is
    rho0 = n2/n.
    The t distribution assumes approximately normal mean scores.

    References
    ----------
    .. [1] C. Nadeau and Y. Bengio, "Inference for the Generalization Error", CIRANO 99s-25, 1999.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcvstats import RepeatedSubsampleSplit, cross_val_inference
    >>> X, y = load_iris(return_X_y=True)
    >>> cv = RepeatedSubsampleSplit(5, n_replicates=11, random_state=0)
    >>> result = cross_val_inference(GaussianNB(), X, y, cv=cv, method="corrected_bootstrap_t")
    >>> result.df, round(result.correction, 4)
    (9.0, 1.5556)
    """

    name: ClassVar[str] = "corrected_bootstrap_t"
    title: ClassVar[str] = "corrected bootstrap t-test"

    _liberal: ClassVar[tuple[Note, ...]] = ()

    def _correction(self, design: SplitDesign) -> float:
        return 1 + design.shape[1] * design.rho0_odds


@of_differences("a - b")
def corrected_bootstrap_ttest(
    x: Any,
    *,
    n_train: int,
    n_test: int,
    n_samples: int | None = None,
    null_value: Any = 0.0,
    alternative: str = "two-sided",
) -> CVTestResult:
    """Corrected bootstrap t-test of scores, or of paired differences of scores.

    Parameters
    ----------
    x : array-like of shape (..., n_replicates, n_splits)
        Scores of one estimator, or differences of the scores of two on the same splits. The
        first replicate gives the estimate, the others its variance.
    n_train, n_test : int
        Training and test size of the splits.
    n_samples : int, default=None
        The number of rows that the splits were drawn from. None is n_train + n_test; where a
        split leaves rows out it must be given.
    null_value : float or array-like, default=0.0
        The value under test, or one for each leading index of `x`.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        Where the expected value lies if not at the null value.

    Returns
    -------
    CVTestResult
        Its numbers have the leading shape of `x`.

    Raises
    ------
    SplitDesignError
        If there are fewer than 3 replicates.
    ValueError
        If a score is not finite.

    See Also
    --------
    CorrectedBootstrapTTest : Its Notes have the mathematics.

    Examples
    --------
    >>> import numpy as np
    >>> from skcvstats.stats import corrected_bootstrap_ttest
    >>> x = np.random.RandomState(0).normal(0.03, 0.1, size=(16, 15))
    >>> result = corrected_bootstrap_ttest(x, n_train=180, n_test=20)
    >>> print(f"{result.df:g} df, correction {result.correction:.4f}")
    14 df, correction 2.6667
    """
    test = CorrectedBootstrapTTest(alternative=alternative)
    sample = replicated(x, n_train, n_test, n_samples, knowing="CorrectedBootstrapTTest")
    return test.on_arrays(sample, null_value)
