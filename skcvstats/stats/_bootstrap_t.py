"""The bootstrap over splits, and its correction (Nadeau and Bengio 1999, procedures 5 and 7)."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from .._utils._text import counted, format_number, verb
from ..exceptions import SplitDesignError
from ..scores import DesignRequest, Note, SplitDesign
from ._arguments import bare_numbers, exchanged_notes, few_notes, liberal_note, of_differences
from ._inference import Description
from ._location import CVTestResult, LocationTest, Pivot, infer_arrays
from ._procedure import REPORT
from ._sample import Root, Sample, deviations_of, mean_of_last, sum_of_squares

REPLICATES = ("replicate", "split")
_FEWEST_REPLICATES = 10


@dataclass(frozen=True, kw_only=True)
class BootstrapTTest(LocationTest):
    """Test an expected score or difference with the variance of means over newly drawn splits.

    Means over sets of splits of the same rows vary less than means over samples of rows, so the
    test rejects true null hypotheses far too often, at (R + 1) times the cost of the resampled
    t-test, which has the same fault. It is here as the baseline, and warns; the right ones are
    `CorrectedResampledTTest` and, for its splits, `CorrectedBootstrapTTest`.

    {Parameters: null_value, alternative}
    {See Also: RepeatedSubsampleSplit}
    CorrectedBootstrapTTest : The same with the correction for overlapping splits.

    Notes
    -----
    Of R + 1 replicates of J splits each, the mean of the first is the estimate mu_J, and the
    sample variance of the other R means estimates its variance, referred to Student's t
    distribution with R - 1 degrees of freedom [1]_ (section 4). All replicates are drawn from the
    same rows, so their means have the covariance s2, and the variance estimate is too small by the
    factor 1 + J rho/(1 - rho).

    {References: nadeau1999}

    Examples
    --------
    Replicates cannot be seen from row numbers, so they are stated:

    >>> import warnings
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_validate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from skcvstats import BootstrapTTest, CVScores, RepeatedSubsampleSplit
    >>> X, y = load_iris(return_X_y=True)
    >>> cv = RepeatedSubsampleSplit(5, n_replicates=11, random_state=0)
    >>> done = cross_validate(GaussianNB(), X, y, cv=cv, return_indices=True)
    >>> scores = CVScores.from_cv_results(done, levels=("replicate", "split"), shape=(11, 5))
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     BootstrapTTest()(scores).df
    9.0
    """

    name: ClassVar[str] = "bootstrap_t"
    title: ClassVar[str] = "bootstrap t-test"
    request: ClassVar[DesignRequest] = DesignRequest(kind="subsample", n_replicates=16)
    _liberal: ClassVar[tuple[Note, ...]] = (
        liberal_note(
            "the bootstrap over splits of the same rows does not see how scores vary with the "
            "rows, so it rejects true null hypotheses far too often; use "
            'method="corrected_resampled_t" or "corrected_bootstrap_t"'
        ),
    )

    def require(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> None:
        remedy = (
            "Draw them with cv=RepeatedSubsampleSplit(15, n_replicates=16), or leave cv=None; "
            "for scores that are there already, state levels=('replicate', 'split') and shape= to "
            "CVScores.from_cv_results."
        )
        design.require(who=f"The {self.title}", levels=[REPLICATES], remedy=remedy, distinct=True)
        if design.shape[0] < 3:
            raise SplitDesignError(
                f"The {self.title} needs at least 3 replicates, one for the estimate and 2 for "
                f"its variance; there {verb(design.shape[0], 'is', 'are')} "
                f"{design.shape[0]}. Use n_replicates=16."
            )

    def notes(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> tuple[Note, ...]:
        notes = (*self._liberal, *exchanged_notes(design), *super().notes(design, auxiliary))
        why = " for the variance, which is poorly estimated; use n_replicates=16"
        return (*notes, *few_notes(design.shape[0] - 1, "replicate", _FEWEST_REPLICATES, why))

    def _correction(self, design: SplitDesign) -> float:
        """Return the factor for the variance of the means of replicates."""
        return 1.0

    def describe(self, design: SplitDesign, auxiliary: SplitDesign | None = None) -> Description:
        n_replicates, n_splits = design.shape
        first = ""
        each = ""
        if n_splits > 1:
            first = f" {n_splits}"
            each = f" of {n_splits} splits"
        further = counted(n_replicates - 1, "replicate")
        n_further = n_replicates - 1
        factor = self._correction(design)
        written = format_number(factor)
        times = ""
        assumption = "it ignores that replicates share rows"
        if factor != 1:
            times = f"{written} times "
            assumption = (
                f"{written} = 1 + n_splits n_test/(n_samples - n_test) is right if the scores of "
                "two splits are correlated by n_test/n_samples, n_splits being the "
                f"{n_splits} of a replicate; the t distribution assumes approximately normal "
                "mean scores"
            )
        return Description(
            basis=f", the first{first} for the estimate and {further}{each} for its variance",
            explanation=f"the square root of {times}the sample variance of the mean scores of the "
            f"{counted(n_further, 'further replicate')}",
            assumption=assumption,
            sources=REPORT,
            varies_over="replicates",
        )

    def pivot(self, sample: Sample, auxiliary: Sample | None = None) -> Pivot:
        values = sample.values
        design = sample.design
        n_replicates, n_splits = design.shape
        further = _further_means(sample)
        deviations = further - mean_of_last(further)[..., np.newaxis]
        squares = sum_of_squares(deviations, sample.largest)
        df = n_replicates - 2
        correction = self._correction(design)
        estimate = values[..., :n_splits].mean(axis=-1)
        errors = np.sqrt(correction * squares / df)
        return Pivot(estimate, errors, df, correction=correction)

    def root(self, sample: Sample, auxiliary: Sample | None = None) -> Root:
        further = _further_means(sample)
        factor = self._correction(sample.design) / (further.shape[-1] - 1)
        return Root(deviations_of(further) * np.sqrt(factor), further.shape[-1] - 1)


def _further_means(sample: Sample) -> np.ndarray:
    """Return the mean scores of all replicates but the first."""
    means = mean_of_last(sample.values.reshape((*sample.values.shape[:-1], *sample.design.shape)))
    return means[..., 1:]


@of_differences("a - b")
def bootstrap_ttest(
    x: ArrayLike,
    *,
    n_train: int,
    n_test: int,
    n_samples: int | None = None,
    null_value: ArrayLike = 0.0,
    alternative: str = "two-sided",
) -> CVTestResult:
    """Bootstrap t-test over splits, of scores or of paired differences of scores: uncorrected.

    {Parameters: replicates x, size, n_samples, null_values, alternative}
    {Returns: test result}
    {Raises: few replicates, not finite}

    Warns
    -----
    AnticonservativeWarning
        Always.

    See Also
    --------
    BootstrapTTest : Its Notes have the mathematics.
    corrected_bootstrap_ttest : With the correction for overlapping splits.

    Examples
    --------
    >>> import warnings
    >>> import numpy as np
    >>> from skcvstats.stats import bootstrap_ttest
    >>> x = np.random.RandomState(0).normal(0.03, 0.1, size=(16, 15))
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     bootstrap_ttest(x, n_train=180, n_test=20).df
    14.0
    """
    test = BootstrapTTest(alternative=alternative)
    return _on_replicates(test, x, n_train, n_test, n_samples, null_value)


def _on_replicates(
    test: BootstrapTTest, x: Any, n_train: int, n_test: int, n_samples: int | None, null_value: Any
) -> CVTestResult:
    """Test scores of replicates of splits."""
    x = bare_numbers(x, knowing=type(test).__name__)
    if x.ndim < 2 or x.size == 0:
        raise SplitDesignError(f"x has shape {x.shape}; it must be (..., n_replicates, n_splits).")
    shape = x.shape[-2:]
    n_splits = x.shape[-2] * x.shape[-1]
    design = SplitDesign.from_sizes(
        n_train, n_test, n_splits=n_splits, n_samples=n_samples, levels=REPLICATES, shape=shape
    )
    return infer_arrays(test, Sample(x.reshape((*x.shape[:-2], n_splits)), design), null_value)


@dataclass(frozen=True, kw_only=True)
class CorrectedBootstrapTTest(BootstrapTTest):
    """Test an expected score or difference with the corrected variance of newly drawn splits.

    The variance of means over replicates of splits, with the correction of the corrected resampled
    t-test for the rows that all replicates share. It costs (R + 1) times as many fits and is hardly
    better than that test; use it to reproduce results.

    {Parameters: null_value, alternative}
    {See Also: CorrectedResampledTTest, RepeatedSubsampleSplit}

    Notes
    -----
    Of R + 1 replicates of J splits each, the mean of the first is the estimate mu_J. With the
    sample variance S2 of the other R means, the squared standard error is

        (1 + J n2/(n - n2)) S2,

    referred to Student's t distribution with R - 1 degrees of freedom [1]_ (section 4).
    E[S2] = (s1 - s2)/J and Var mu_J = s2 + (s1 - s2)/J, so it is unbiased if rho = s2/s1 is
    rho0 = n2/n.
    The t distribution assumes approximately normal mean scores.

    {References: nadeau1999}

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
    x: ArrayLike,
    *,
    n_train: int,
    n_test: int,
    n_samples: int | None = None,
    null_value: ArrayLike = 0.0,
    alternative: str = "two-sided",
) -> CVTestResult:
    """Corrected bootstrap t-test of scores, or of paired differences of scores.

    {Parameters: replicates x, size, n_samples, null_values, alternative}
    {Returns: test result}
    {Raises: few replicates, not finite}

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
    return _on_replicates(test, x, n_train, n_test, n_samples, null_value)
