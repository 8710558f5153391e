"""Estimates of moments: variance components, a conservative variance, exchangeable vectors."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._utils._arrays import Floats, weights_or_ones
from .._utils._checks import ConfidenceInterval, check_option
from .._utils._shared_arguments import check_level
from .._utils._text import cut, format_interval, format_number, format_size
from .._utils._warn import warn_user
from ..exceptions import DegenerateScoresWarning, SplitDesignError
from ..scores import CVScores, RowScores, SplitDesign
from ..stats._arguments import Scores, check_counts, complete_scores, score_array
from ..stats._sample import ROUNDING, plain, sample_moments, student_quantile


@dataclass(frozen=True, eq=False, kw_only=True)
class VarianceComponents:
    """Unbiased estimates of the components of a score's variance.

    With several estimators the components are arrays.

    Parameters
    ----------
    s0_minus_s3 : float or ndarray
        Variance of the loss between the test rows of one split.
    s1_minus_s2 : float or ndarray
        Variance of the score between splits of the same data, at `n_test` test rows.
    s3_minus_s2 : float or ndarray
        How much more two test rows of one split have in common than those of two splits. It may
        be negative.
    {shared: mean sizes, number of splits}
    labels : tuple of str, default=()
        The estimators' names, where known.
    """

    s0_minus_s3: Any
    s1_minus_s2: Any
    s3_minus_s2: Any
    n_train: float
    n_test: float
    n_splits: int
    labels: tuple[str, ...] = ()

    def __str__(self) -> str:
        lines = [
            f"Variance components over {self.n_splits} splits (train {format_size(self.n_train)}, "
            f"test {format_size(self.n_test)}):"
        ]
        parts = map(np.ravel, (self.s0_minus_s3, self.s1_minus_s2, self.s3_minus_s2))
        size = np.size(self.s0_minus_s3)
        names = [f"{cut(x)}: " for x in self.labels] if len(self.labels) == size else [""] * size
        lines += [
            f"{name}between test rows (s0 - s3) {format_number(rows)}, between splits (s1 - s2) "
            f"{format_number(splits)}, s3 - s2 {format_number(rest)}"
            for name, rows, splits, rest in zip(names, *parts, strict=True)
        ]
        return "\n".join(lines)


def variance_components(scores: Scores) -> VarianceComponents:
    """Estimate the components of a score's variance from the losses of the test rows.

    Parameters
    ----------
    scores : CVScores
        Scores of one or several estimators, or a difference, with the losses of the single test
        rows, on independently drawn splits.

    Returns
    -------
    VarianceComponents
        ``s0_minus_s3``, ``s1_minus_s2`` and ``s3_minus_s2``; arrays for several estimators.

    Raises
    ------
    ValueError
        If the scores have no losses.
    SplitDesignError
        If the splits are folds or nested, of groups, fewer than 2, or test on one row each.

    {See Also: implied_correlation, cv_variance}

    Notes
    -----
    For the loss L(j, i) at test row i of split j, let s0 be its variance, s3 the covariance of two
    rows of one split, s2 that of rows of two splits, and s1 = s3 + (s0 - s3)/n2 the variance of a
    split's mean over n2 rows ([1]_, equation 6). A sample variance (ddof 1) of exchangeable numbers
    estimates their variance minus their covariance (Lemma 1). Within a split this gives s0 - s3;
    splits are pooled by their degrees of freedom, n2 - 1. Between the splits it gives S2, an
    estimate of s1 - s2, and the difference S2 - (s0 - s3)/n2 estimates s3 - s2.

    All three stay unbiased where test sizes differ at one training size, with n2 their harmonic
    mean: given the data, the scores of independently drawn splits are independent with one mean, so
    E[S2] = s3 - s2 + (s0 - s3) mean_j(1/n2_j). Where training sizes differ as well, S2 also
    contains the differences between their expected scores. Weights w(i) of the rows count as fixed:
    a split then has the n2 of sum(w)^2/sum(w^2) rows of equal weight.

    Linear combinations of these are all that can be estimated without bias from one data set
    (Proposition 3): neither s0, s1, s2, s3 by themselves nor the variance of the mean score can.
    s3 - s2 is often negative: if the loss depended on the test row only, it would be -s0/n. It is
    never clipped. On folds S2 estimates something else, so they are refused.

    {References: nadeau1999}

    Examples
    --------
    Three splits by hand:

    >>> from skcvstats import CVScores, RowScores, SplitDesign
    >>> from skcvstats.theory import variance_components
    >>> rows = RowScores(
    ...     values=[-1, -3, -1, -3, -2, -4], rows=[0, 5, 3, 4, 1, 7], offsets=[0, 2, 4, 6]
    ... )
    >>> design = SplitDesign.from_sizes(n_train=8, n_test=2, n_splits=3)
    >>> print(variance_components(CVScores(values=rows.means(), row_scores=rows, design=design)))
    Variance components over 3 splits (train 8, test 2):
    between test rows (s0 - s3) 2, between splits (s1 - s2) 0.333, s3 - s2 -0.667
    """
    scores = complete_scores(scores)
    if scores.row_scores is None:
        raise ValueError(
            "The scores have none of single test rows, which tell the variance within a test set. "
            "Compute these and give them as CVScores(..., row_scores=RowScores.from_splits(...)); "
            "the example of variance_components shows how."
        )
    _require(scores.design, scores.row_scores)
    spread = sample_moments(scores.values, scores.magnitude)[1]
    rows = scores.row_scores
    sizes = np.diff(scores.row_scores.offsets)
    weights = weights_or_ones(rows.weights, sizes.sum())
    totals, squares = (np.add.reduceat(x, rows.offsets[:-1]) for x in (weights, weights**2))
    deviations = rows.block() - np.repeat(rows.means(), sizes, axis=-1)
    # pooled over splits by their degrees of freedom, n2 - 1 without weights
    within = np.einsum("...i,...i->...", weights * deviations, deviations)
    within /= (totals - squares / totals).sum()
    n_test = scores.design.test_size
    if rows.weights is not None:
        n_test = float(1 / np.mean(squares / totals**2))
    return VarianceComponents(
        s0_minus_s3=plain(within),
        s1_minus_s2=plain(spread),
        s3_minus_s2=plain(spread - within / n_test),
        n_train=scores.design.train_size,
        n_test=n_test,
        n_splits=scores.design.n_splits,
        labels=scores.labels,
    )


def _require(design: SplitDesign, rows: RowScores) -> None:
    """Raise SplitDesignError unless the components can be estimated on these splits."""
    design.require(
        who="The estimate of s1 - s2 by the variance between splits",
        levels=[("split",), ("replicate", "split")],
        min_splits=2,
    )
    if design.unit != "rows":
        raise SplitDesignError(
            f"The splits draw {design.unit}, so scores of rows that share a group depend on each "
            "other and their variance is not s0 - s3. Take the mean score of each group as a row."
        )
    if tuple(np.diff(rows.offsets)) != design.n_test:
        raise SplitDesignError(
            "The row scores have other test sizes than the design. Build both from the same splits."
        )
    if max(design.n_test) < 2:
        raise SplitDesignError(
            "Every split tests on 1 row, which has no variance within. Use a larger test_size."
        )


def half_sample_differences(scores: Scores) -> np.ndarray:
    """Return the difference of the mean scores of the two halves of each half-sample pair.

    Parameters
    ----------
    scores : CVScores
        Scores on half-sample pairs, as `HalfSplitPairs` draws them; one or several estimators, or
        a difference.

    Returns
    -------
    ndarray of shape (..., n_pairs)
        First half minus second half.

    Raises
    ------
    SplitDesignError
        If the splits are not half-sample pairs.

    {See Also: conservative_variance}

    Examples
    --------
    >>> from skcvstats import CVScores, SplitDesign
    >>> from skcvstats.theory import half_sample_differences
    >>> design = SplitDesign.from_sizes(
    ...     40, 10, n_splits=4, n_samples=100, levels=("pair", "half", "split"), shape=(1, 2, 2)
    ... )
    >>> scores = CVScores(values=[0.5, 0.75, 0.25, 0.5], design=design)
    >>> half_sample_differences(scores).tolist()
    [0.25]
    """
    scores = complete_scores(scores)
    scores.design.require(
        who="The conservative variance (cv=HalfSplitPairs())", levels=[("pair", "half", "split")]
    )
    halves: Floats = scores.values.reshape(*scores.shape[:-1], *scores.design.shape).mean(axis=-1)
    return halves[..., 0] - halves[..., 1]


def conservative_variance(differences: ArrayLike) -> Any:
    """Estimate the variance of a mean score from half-samples; it is meant to be too large.

    Parameters
    ----------
    differences : CVScores or array-like of shape (..., n_pairs)
        Scores on half-sample pairs, or the differences between the mean scores of the two halves of
        each pair.

    Returns
    -------
    float or ndarray
        Half the mean squared difference.

    Raises
    ------
    SplitDesignError
        If the scores are on other splits than half-sample pairs.
    ValueError
        If there is no difference, or one is not finite.

    See Also
    --------
    half_sample_differences : The differences themselves.
    exchangeable_moments : Their correlation, from many data sets.

    Notes
    -----
    Of M pairs of half-samples (`ConservativeZTest`), d_m is the difference of the mean scores of
    the two halves, over J splits each. Both means have the variance V' of a mean of J splits at
    their training size n1', and they are uncorrelated, as they share no row; so E[d_m^2] = 2 V',
    and (1/2M) sum_m d_m^2 estimates V' without bias ([1]_, equation 11). It is above the variance
    at the full training size if, as the report conjectures, that decreases with the training size.

    The squares are exchangeable, with variance delta and correlation r. By Lemma 1 the estimate
    has the variance delta (r + (1 - r)/M)/4: pairs beyond 1/r of them bring little. In the
    report's simulations r is near 0 for single learners, up to 0.2 for differences. One data set
    cannot tell r. For many, `exchangeable_moments` of the squares, of shape (n_data_sets, M), has r
    as its ``correlation``, and a quarter of its ``variance_of_mean(M)`` is that variance.

    {References: nadeau1999}

    Examples
    --------
    >>> from skcvstats.theory import conservative_variance
    >>> conservative_variance([0.1, -0.3, 0.2])
    0.0233...
    """
    if isinstance(differences, CVScores):
        differences = half_sample_differences(differences)
    d = score_array("differences", differences)
    if d.ndim == 0 or d.shape[-1] == 0:
        raise ValueError(
            f"differences has shape {d.shape}; give at least one pair, of cv=HalfSplitPairs()."
        )
    return plain(np.mean(d**2, axis=-1) / 2)


_PARAMETERS = ("mean", "variance", "correlation")


@dataclass(frozen=True, eq=False, kw_only=True)
class ExchangeableMoments:
    """Moments of exchangeable entries, estimated from independent vectors of them.

    Parameters
    ----------
    mean, variance, correlation : float
        Of an entry, of an entry, and of two entries of one vector; the correlation is nan where
        the entries do not vary.
    covariance : ndarray of shape (3, 3)
        The estimated covariance matrix of these three estimates, in this order.
    n_vectors, n_entries : int
        Number of vectors, and of entries in each.
    """

    mean: float
    variance: float
    correlation: float
    covariance: np.ndarray
    n_vectors: int
    n_entries: int

    def standard_error(self, parameter: str) -> float:
        """Return the standard error of one of the estimates.

        {Parameters: moment}

        Returns
        -------
        float
            The root of its estimated variance.
        """
        k = _PARAMETERS.index(check_option("parameter", parameter, _PARAMETERS))
        return float(np.sqrt(self.covariance[k, k]))

    def confidence_interval(
        self, parameter: str, confidence_level: float = 0.95
    ) -> ConfidenceInterval:
        """Return an interval for one of the parameters.

        {Parameters: moment}
        confidence_level : float, default=0.95
            Approximately how often such intervals cover the parameter; the approximation is good
            for many vectors.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``: the estimate plus and minus a normal quantile times its standard
            error.
        """
        level = check_level(confidence_level)
        error = self.standard_error(parameter)
        half_width = -student_quantile(np.inf, (1 - level) / 2) * error
        estimate = getattr(self, parameter)
        return ConfidenceInterval(estimate - half_width, estimate + half_width)

    def variance_of_mean(self, n_entries: Any) -> Any:
        """Return the variance that the mean of so many entries of one vector has (Lemma 1).

        Parameters
        ----------
        n_entries : int or array-like of int
            Number of entries; ``math.inf`` gives what no number goes below.

        Returns
        -------
        float or ndarray
            ``variance * (correlation + (1 - correlation) / n_entries)``.
        """
        n_entries = check_counts("n_entries", n_entries)
        return plain(self.variance * (self.correlation + (1 - self.correlation) / n_entries))

    def __str__(self) -> str:
        lines = [f"{self.n_vectors} vectors of {self.n_entries} exchangeable entries:"]
        for name in _PARAMETERS:
            interval = format_interval(*self.confidence_interval(name), 0.95)
            lines.append(f"{name} {format_number(getattr(self, name))} ({interval})")
        return "\n".join(lines)


def exchangeable_moments(vectors: ArrayLike) -> ExchangeableMoments:
    """Estimate mean, variance and correlation from independent vectors of exchangeable entries.

    For simulation studies: the scores of the splits of one data set are such a vector, and many
    independent data sets give the correlation of the splits, which one data set cannot.

    Parameters
    ----------
    vectors : array-like of shape (n_vectors, n_entries)
        Independent rows; within a row, all entries have one mean and one variance, and every two
        have one covariance.

    Returns
    -------
    ExchangeableMoments
        The estimates, their covariance matrix and intervals.

    Raises
    ------
    ValueError
        If there are fewer than 2 rows or columns, or an entry is not finite.

    {See Also: conservative_variance}

    Notes
    -----
    Let T_ik be entry k of vector i, i = 1..N, k = 1..K, and Tbar_i the mean of vector i. With mean
    beta, variance delta and correlation pi, E[(Tbar_i - beta)^2] = delta (pi + (1 - pi)/K) =: delta
    c by Lemma 1. The estimates solve sum_i g_i = 0 ([1]_, appendix A.3) with

        g_i = ( Tbar_i - beta,  sum_k [(T_ik - beta)^2 - delta],  (Tbar_i - beta)^2 - delta c ),

    which has the closed root: beta the grand mean; delta the mean of (T_ik - beta)^2; with v the
    mean of (Tbar_i - beta)^2, pi = (K v/delta - 1)/(K - 1). Their covariance matrix is estimated by
    the sandwich A^-1 B A^-T with B = sum_i g_i g_i' and

        A = -E[dg/dtheta'] = N [ 1, 0, 0;  0, K, 0;  0, c, delta (K - 1)/K ].

    A is triangular, so its inverse is written out: the influence of vector i on the three is
    u1 = g_i1,  u2 = g_i2/K,  u3 = (g_i3 - c u2) K/((K - 1) delta), and the sandwich is
    sum_i u u'/N^2. This holds for any distribution with four moments, for many vectors [2]_.

    {References: nadeau1999}
    .. [2] H. White, "Maximum Likelihood Estimation of Misspecified Models", Econometrica 50, 1982.

    Examples
    --------
    >>> import numpy as np
    >>> from skcvstats.theory import exchangeable_moments
    >>> rng = np.random.default_rng(0)
    >>> shared = rng.normal(size=(1000, 1))
    >>> moments = exchangeable_moments(shared + rng.normal(size=(1000, 15)))
    >>> low, high = moments.confidence_interval("correlation")
    >>> bool(low < 0.5 < high)
    True
    """
    T = score_array("vectors", vectors)
    if T.ndim != 2 or min(T.shape) < 2:
        raise ValueError(
            f"vectors has shape {T.shape}: expected at least 2 independent rows with 2 or more "
            "exchangeable entries each."
        )
    N, K = T.shape
    beta = T.mean()
    deviations = T - beta
    if np.abs(deviations).max() <= ROUNDING * np.abs(T).max():
        warn_user(
            "The entries do not vary, so their correlation is not defined (nan). Use more test "
            "rows or a finer metric.",
            DegenerateScoresWarning,
        )
        deviations = np.zeros_like(T)
    means = deviations.mean(axis=1)
    squares = np.einsum("ik,ik->i", deviations, deviations) / K
    delta = squares.mean()
    with np.errstate(invalid="ignore"):
        shrinkage = np.divide(np.mean(means**2), delta)
        influence = np.array([means, squares - delta, means**2 - delta * shrinkage])
        influence[2] = (influence[2] - shrinkage * influence[1]) * K / np.multiply(K - 1, delta)
    return ExchangeableMoments(
        mean=float(beta),
        variance=float(delta),
        correlation=float((K * shrinkage - 1) / (K - 1)),
        covariance=influence @ influence.T / N**2,
        n_vectors=N,
        n_entries=K,
    )
