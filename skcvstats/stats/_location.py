"""LocationTest: a procedure that refers its statistic to Student's t distribution; its result.

The statistic is t = (estimate - null value) / standard error; the interval contains the values that
the test would not reject.
"""

from abc import abstractmethod
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr
from scipy.stats import t

from .._utils._arrays import Floats
from .._utils._checks import (
    ConfidenceInterval,
    check_finite_number,
    check_pvalue,
    explain_arguments,
)
from .._utils._shared_arguments import check_alpha, check_alternative, tails_of
from .._utils._text import cut
from ..scores import shown_ends
from ._arguments import Scores, check_finite, check_null_value, undetermined_notes
from ._claim import Claim, EquivalenceResult, check_bounds, claim_of
from ._inference import PER_TEST, Inference, Printed, checked_number
from ._procedure import Procedure, is_own, made_from, warn
from ._sample import (
    ROUNDING,
    Sample,
    extremeness,
    interval,
    plain,
    student_quantile,
    tail_probability,
)

_LEAST_DF = 1e-9  # of a procedure from outside this package


class PosteriorProbabilities(NamedTuple):
    """Where the true difference lies: P(d < low), P(low <= d <= high), P(d > high)."""

    worse: Any
    equivalent: Any
    better: Any


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class CVTestResult(Inference):
    """The result of a test: an estimate, its uncertainty, and what it was measured on.

    It unpacks as ``statistic, pvalue``, as SciPy's results do. Where the scores had leading axes,
    the numbers are arrays of that shape.

    {Parameters: estimate}
    pvalue, statistic : float or ndarray, default=nan
        The p-value and the test statistic.
    standard_error : float or ndarray, default=nan
        Of the estimate.
    df : float or ndarray, default=nan
        Degrees of freedom of Student's t distribution; inf for the normal distribution.
    {shared: notes, origin, reporting}
    null_value : float or ndarray, default=0.0
        The value under test.
    {shared: alternative, correction}

    Attributes
    ----------
    method, title, procedure : str
        The procedure's name, its name in words, and the procedure as Python writes it.
    {shared: mean sizes}
    n_samples, n_splits : int
        Size of the pool that the splits were drawn from, and the number of splits.
    unit : {"rows", "groups"}
        What the sizes count.
    metric, label : str
        What the scores measure, and what was estimated.
    estimator, versus : str
        The names of the two estimators of a comparison, else empty.
    varies_over : str
        What the standard error is made from, the variation over these.
    basis : str
        What was measured besides the splits of these sizes.
    {shared: fixed}
    has_posterior : bool
        Whether the statistic's distribution is also the posterior of the true value, by the
        procedure's own word: see `posterior`.
    scores, auxiliary : CVScores or None
        What was tested, the scores or their paired difference, and those on the auxiliary splits
        of procedures that have them; None where arrays were.
    """

    null_value: Any = field(default=0.0, metadata=PER_TEST)
    alternative: str = "two-sided"
    correction: float = np.nan

    has_interval: ClassVar[bool] = True
    _has_power: ClassVar[bool] = True
    _of_null_value: ClassVar[bool] = True
    _convention: ClassVar[str] = (
        ": p is 1 if the estimate equals the null value and 0 otherwise by definition, so no "
        "conclusion can be drawn"
    )

    @property
    def has_posterior(self) -> bool:
        """Whether the statistic's distribution is also the posterior of the true value."""
        return self.describe().has_posterior

    def check_single(self) -> None:
        """Raise ValueError unless this is a single test of scores that vary.

        Raises
        ------
        ValueError
            Also if their squares are out of range.
        """
        if np.ndim(self.estimate) or not 0 < self.standard_error * self.standard_error < np.inf:
            raise ValueError(
                f"The standard error is {self.standard_error}; give a single test, such as "
                "result.take(0), of scores that vary and whose squares are in range."
            )

    @explain_arguments()
    def confidence_interval(self, confidence_level: float | None = None) -> ConfidenceInterval:
        tail = (1 - self._level(confidence_level)) / tails_of(self.alternative)
        half_width = -student_quantile(self.df, tail) * np.asarray(self.standard_error)
        ends = interval(half_width, estimate=self.estimate, alternative=self.alternative)
        if self.origin is None or self.paired:
            return ends
        return ConfidenceInterval(*shown_ends(self.scores, *ends))

    def interval_at(self, critical: ArrayLike) -> ConfidenceInterval:
        """Return the interval that a critical value of the statistic gives.

        Parameters
        ----------
        critical : float or ndarray
            So many standard errors to either side, or to the side of the alternative.

        {Returns: interval}
        """
        half_width = critical * np.asarray(self.standard_error)
        return interval(half_width, estimate=self.estimate, alternative=self.alternative)

    def posterior(self) -> Any:
        """Return the posterior distribution of the true score or difference.

        Returns
        -------
        scipy.stats frozen distribution
            Student's t distribution with ``df`` degrees of freedom, location ``estimate`` and scale
            ``standard_error``: a frozen `scipy.stats.t` with ``cdf``, ``interval`` and so on. Where
            the numbers are arrays, so are the distribution's.

        Raises
        ------
        TypeError
            If the procedure has none: it is that of the corrected resampled t-test and of the
            holdout t-test with ``law="t"``.
        ValueError
            If the scores do not vary, so that the result is undetermined.

        {See Also: CVTestResult.probabilities}

        Notes
        -----
        The scores of the splits are assumed to be jointly normal with correlation n_test/n_samples,
        with uniform priors on their mean and the logarithm of their variance [1]_. The intervals of
        this distribution are then the confidence intervals: it is the same information in another
        form. It is not adjusted for the number of comparisons, and is not a test.

        References
        ----------
        .. [1] G. Corani and A. Benavoli, "A Bayesian Approach for Comparing Cross-Validated
           Algorithms on Multiple Data Sets", Machine Learning 100, 2015.

        Examples
        --------
        >>> from skcvstats.stats import corrected_resampled_ttest
        >>> differences = [0.04, 0.02, 0.05, 0.01, 0.03, 0.06, 0.00, 0.04, 0.02, 0.03]
        >>> result = corrected_resampled_ttest(differences, n_train=180, n_test=20)
        >>> print(f"{result.posterior().sf(0.01):.3f}")
        0.980
        """
        self._check_posterior()
        return t(self.df, loc=self.estimate, scale=self.standard_error)

    def probabilities(self, margin: float | tuple[float, float]) -> PosteriorProbabilities:
        """Return the posterior probabilities that the true difference is below, in or above bounds.

        Parameters
        ----------
        margin : float or pair of float
            The region of practical equivalence: from -margin to margin, or the two bounds, in the
            metric's unit. With 0 nothing is equivalent.

        Returns
        -------
        namedtuple
            ``(worse, equivalent, better)``, floats or arrays that sum to 1; of a difference a - b,
            better means that a is.

        Raises
        ------
        TypeError
            If the procedure has no posterior.
        ValueError
            If the scores do not vary, so that the result is undetermined, or the bounds do not
            lie around 0.

        {See Also: CVTestResult.posterior}

        Notes
        -----
        A probability of equivalence above 0.95 is not the test of equivalence at the 5 % level. The
        test requires that `worse` and `better` are both below 0.05, which may hold or not if the
        probability of equivalence is between 0.90 and 0.95. The test controls its errors: where
        both are reported, it decides.

        Examples
        --------
        >>> from skcvstats.stats import corrected_resampled_ttest
        >>> differences = [0.04, 0.02, 0.05, 0.01, 0.03, 0.06, 0.00, 0.04, 0.02, 0.03]
        >>> result = corrected_resampled_ttest(differences, n_train=180, n_test=20)
        >>> worse, equivalent, better = result.probabilities(0.01)
        >>> print(f"{worse:.4f} {equivalent:.4f} {better:.4f}")
        0.0005 0.0200 0.9795
        """
        self._check_posterior()
        low, high = check_bounds(margin, least=0.0, metrics=[self.metric])
        below = (low - np.asarray(self.estimate)) / self.standard_error
        above = (high - np.asarray(self.estimate)) / self.standard_error
        # Between the bounds, from the tails on the side where their difference keeps its digits.
        mirrored = below + above > 0
        near = np.where(mirrored, -below, above)
        far = np.where(mirrored, -above, below)
        return PosteriorProbabilities(
            worse=plain(stdtr(self.df, below)),
            equivalent=plain(stdtr(self.df, near) - stdtr(self.df, far)),
            better=plain(stdtr(self.df, -above)),
        )

    def _check_posterior(self) -> None:
        """Raise TypeError or ValueError unless there is a posterior, and evidence for it."""
        if not self.has_posterior:
            raise TypeError(
                f"The {self.title} has no posterior: its standard error must be made of "
                'normal scores of known correlation. Use method="corrected_resampled_t", or, for '
                'fitted models, HoldoutTTest(law="t").'
            )
        if np.any(self.undetermined):
            raise ValueError(
                f"The posterior of {cut(self.label)} is undetermined: the scores do not vary over "
                f"the {self.varies_over}, so there is no evidence of how sure the estimate is. Use "
                "more test rows or a finer metric."
            )

    def plot(self, kind: str | None = None, ax: Any = None, **kwargs: Any) -> Any:
        """Draw the result; this needs matplotlib.

        Parameters
        ----------
        kind : {"posterior", "correlation", "time"}, default=None
            `PosteriorDisplay`, `CorrelationSensitivityDisplay` or `CumulatedDifferenceDisplay`.
            None is the posterior where the procedure has one, the last for the Diebold-Mariano
            test, else the correlation.
        {shared: one ax, display options}

        {Returns: drawn display}
        """
        from ..plotting import draw

        return draw(self, kind, ax, **kwargs)

    def equivalence(self, margin: float | tuple[float, float]) -> EquivalenceResult:
        """Test whether the true difference is within a margin, by two one-sided tests.

        Parameters
        ----------
        margin : float or pair of float
            The largest difference that does not matter: from -margin to margin, or the two bounds
            low < 0 < high, in the metric's unit, chosen before looking at the scores. There is no
            default.

        Returns
        -------
        EquivalenceResult
            Its ``pvalue``, both one-sided tests, and the interval that decides.

        Raises
        ------
        ValueError
            If this is no test of a difference against 0, or the margin is 0, infinite or not on
            both sides of 0.

        Notes
        -----
        A margin of less than two standard errors can hardly be shown to hold: with 14 degrees of
        freedom equal models are shown to be equivalent with power 0.04 at 1.5 standard errors, 0.23
        at 2, 0.77 at 3 and 0.97 at 4.

        Examples
        --------
        >>> from skcvstats.stats import corrected_resampled_ttest
        >>> differences = [0.01, -0.02, 0.01, 0.00, -0.01, 0.01, 0.00, 0.02, -0.01, 0.00]
        >>> result = corrected_resampled_ttest(differences, n_train=180, n_test=20)
        >>> test = result.equivalence(0.02)
        >>> print(f"{test.pvalue:.4f}", test.claim().kind)
        0.0036 equivalent
        """
        low, high = check_bounds(margin, metrics=[self.metric])
        if not self.asked or (self.scores is not None and not self.scores.paired):
            raise ValueError(
                "equivalence() is asked of the score of one estimator; a margin is one of a "
                "difference. Test the difference of two, scores_a - scores_b."
            )
        if np.any(np.asarray(self.null_value) != 0):
            raise ValueError(
                f"null_value={plain(self.null_value)!r} and a margin cannot be combined: the "
                "margin already sets the null values. Make the test with null_value=0."
            )
        return EquivalenceResult(
            margin=(low, high),
            not_worse=self.against(low, "greater"),
            not_better=self.against(high, "less"),
        )

    def against(self, null_value: float, alternative: str) -> Self:
        """Return the test of the same estimate against another null value.

        Parameters
        ----------
        null_value : float
            The value under test.
        {shared: result alternative}

        Returns
        -------
        CVTestResult
            Statistic and p-value are nan where the scores do not vary.
        """
        check_alternative(alternative)
        null_value = plain(check_null_value(null_value, np.shape(self.estimate)))
        varies = np.asarray(self.standard_error) > 0
        with np.errstate(over="ignore"):
            distance = np.asarray(self.estimate) - null_value
            statistic = distance / np.where(varies, self.standard_error, np.nan)
        return replace(
            self,
            statistic=plain(statistic),
            pvalue=plain(tail_probability(statistic, self.df, alternative)),
            null_value=null_value,
            alternative=alternative,
        )

    def claim(self, alpha: float, pvalue: float | None = None) -> Claim:
        alpha = check_alpha(alpha)
        pvalue = self.pvalue if pvalue is None else check_pvalue(pvalue)
        return claim_of(self, CVTestResult.kinds(self, alpha, pvalue), alpha)

    def kinds(self, alpha: float, pvalues: Any) -> Any:
        check_alpha(alpha)
        # A one-sided test at a level above 0.5 can show it with an estimate on the other side.
        side = np.where(np.asarray(self.estimate) > self.null_value, "above", "below")
        shown = {"greater": "above", "less": "below"}.get(self.alternative, side)
        kinds = np.where(np.asarray(pvalues) <= alpha, shown, "not shown")
        return np.where(self.undetermined, "undetermined", kinds)

    def __repr__(self) -> str:
        return str(self) if np.ndim(self.statistic) else super().__repr__()

    _repr_html_ = Printed._repr_html_  # type: ignore[assignment]


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

    def __post_init__(self) -> None:
        check_alternative(self.alternative)
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

    if TYPE_CHECKING:

        def __call__(
            self, scores: Scores, other: Scores | None = None, *, auxiliary: Scores | None = None
        ) -> CVTestResult: ...

    def _estimates(self, sample: Sample, auxiliary: Sample | None = None) -> np.ndarray:
        return np.asarray(reduced(self, sample, auxiliary).estimate)

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
        # A difference below the rounding of the scores counts as 0.
        rounding = np.abs(pivot.estimate) <= ROUNDING * np.asarray(pivot.scale)
        pivot = replace(pivot, estimate=np.where(rounding, 0.0, pivot.estimate))
        statistic, pvalue = refer(pivot, null_value, self.alternative)
        result = CVTestResult(
            statistic=plain(statistic),
            pvalue=plain(pvalue),
            df=plain(pivot.df),
            estimate=plain(pivot.estimate),
            standard_error=plain(pivot.standard_error),
            null_value=null_value,
            alternative=self.alternative,
            correction=pivot.correction,
            **made_from(self, sample, auxiliary),
        )
        return result._with_notes_on_tests(undetermined_notes(result.undetermined))


def reduced(test: LocationTest, sample: Sample, auxiliary: Sample | None = None) -> Pivot:
    """Return the pivot with its scale."""
    pivot = test.pivot(sample, auxiliary)
    if not isinstance(pivot, Pivot):
        raise TypeError(
            f"{type(test).__name__}.pivot returned {type(pivot).__name__}; it must return a Pivot."
        )
    scale = np.asarray(sample.largest if pivot.scale is None else pivot.scale)
    if is_own(test):
        return replace(pivot, scale=scale)
    who = f"{type(test).__name__}.pivot"
    shape = sample.values.shape[:-1]
    checked_number(f"{who}: estimate", pivot.estimate, shape)
    checked_number(f"{who}: standard_error", pivot.standard_error, shape, 0)
    checked_number(f"{who}: df", pivot.df, shape, _LEAST_DF, missing=True)
    return replace(pivot, scale=scale)


def infer_arrays(
    test: LocationTest, sample: Sample, null_value: Any, auxiliary: Sample | None = None
) -> CVTestResult:
    """Check and test arrays of scores against one null value or one for each row, and warn."""
    test.require(sample.design)
    null_value = check_null_value(null_value, sample.values.shape[:-1])
    check_finite("x", sample.values)
    if auxiliary is not None:
        test.require(sample.design, auxiliary.design)
        check_finite("auxiliary", auxiliary.values)
    result = test.infer(sample, auxiliary, null_value=null_value)
    warn(result)
    return result


def refer(pivot: Pivot, null_value: np.ndarray | float, alternative: str) -> tuple[Floats, Floats]:
    """Return the statistic and its p-value, infinite or nan and 1 if the scores do not vary."""
    distance = np.asarray(pivot.estimate - null_value, dtype=float)
    constant = np.asarray(pivot.standard_error == 0)
    if constant.any():
        assert pivot.scale is not None, "filled by infer"
        rounding = np.abs(distance) <= ROUNDING * np.maximum(pivot.scale, np.abs(null_value))
        distance = np.where(constant & rounding, 0.0, distance)
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = distance / pivot.standard_error
    pvalue = tail_probability(statistic, pivot.df, alternative)
    return statistic, np.where(np.isnan(statistic), 1.0, pvalue)


def rejects(
    pivot: Pivot, null_value: np.ndarray | float, alternative: str, alpha: float
) -> np.ndarray:
    """Return where the test rejects: the statistic is strictly beyond its critical value."""
    statistic, _ = refer(pivot, null_value, alternative)
    critical: Floats | float = -student_quantile(pivot.df, alpha / tails_of(alternative))
    return extremeness(statistic, alternative) > critical


def two_sided(procedure: Procedure, **options: Any) -> Procedure:
    """Return the procedure with two-sided intervals, and other options, if it has such."""
    if not isinstance(procedure, LocationTest):
        return procedure
    return replace(procedure, alternative="two-sided", **options)
