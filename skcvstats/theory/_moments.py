"""Moments of the scores of splits: the variance of their mean, and the ratios that follow."""

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._utils._checks import check_option
from .._utils._text import format_number
from ..exceptions import SplitDesignError
from ..scores import CVScores
from ..stats._arguments import check_counts, finite_array, score_array
from ..stats._sample import plain, sample_moments

# In Proposition 1, the second is never above the first; the tolerance is for rounding.
_ORDERED = [
    *(("s0", "s1"), ("s0", "s3"), ("s1", "s2"), ("s1", "s3"), ("s1_half", "s2_half")),
    ("s1", "s4"),
]
_SLACK = 1 + 1e-12
_NOT_NEGATIVE = ("s0", "s1", "s2", "s3", "s1_half", "s2_half")


def check_moments(**moments: Any) -> dict[str, np.ndarray]:
    """Return the given moments as arrays, or raise an error if they contradict each other."""
    given = {name: finite_array(name, x) for name, x in moments.items() if x is not None}
    # One that is not given is nan, which is neither above nor below another.
    arrays = dict.fromkeys((*_NOT_NEGATIVE, "s4"), np.array(np.nan)) | given
    for name in _NOT_NEGATIVE:
        if (arrays[name] < 0).any():
            raise ValueError(
                f"{name}={moments[name]!r} is negative. True variances and covariances of scores "
                "are not (Proposition 1 of the report); estimates can be, and do not belong here."
            )
    for large, small in _ORDERED:
        if (np.abs(arrays[small]) > _SLACK * arrays[large]).any():
            raise ValueError(
                f"{small}={moments[small]!r} is above {large}={moments[large]!r} in size. Moments "
                "satisfy s2 <= s1 <= s0 and s3 <= s1, and s4 is between -s1 and s1; check that "
                "they belong to the same sizes."
            )
    return given


def cv_variance(
    s1: ArrayLike,
    s2: ArrayLike,
    n_splits: ArrayLike,
    *,
    s0: ArrayLike | None = None,
    n_draws: float = math.inf,
) -> Any:
    """Return the variance of the mean score over splits, from the moments of the scores.

    A theory function: the moments cannot all be estimated from one data set. Its arguments may be
    arrays that broadcast.

    Parameters
    ----------
    s1 : float or array-like
        Variance of the score of one split.
    s2 : float or array-like
        Covariance of the scores of two splits.
    n_splits : int or array-like of int
        Number of splits; ``math.inf`` gives what no number of splits goes below.
    s0 : float or array-like, default=None
        Variance of the loss at one test row; needed with a finite `n_draws`.
    n_draws : int, default=math.inf
        How many test rows are drawn with replacement for each split. ``math.inf`` means that every
        test row counts once, which is what everybody does.

    Returns
    -------
    float or ndarray
        The variance.

    Raises
    ------
    ValueError
        If the moments contradict each other: 0 <= s2 <= s1 <= s0.

    {See Also: implied_correlation, plan_n_splits}

    Notes
    -----
    With s1 the variance of a split's score and s2 the covariance of two, the mean of J of them has
    the variance s2 + (s1 - s2)/J = s1 (rho + (1 - rho)/J), rho = s2/s1: equation 8 of [1]_. It
    never increases with J, and tends to s2. In [2]_ the score of a split is the mean of K losses
    drawn from its test rows with replacement. Two draws have covariance s1 (each is a random test
    row of the split), one has variance s0, so a split's score has variance s1 + (s0 - s1)/K, while
    the covariance of two splits is s2 as before:

        Var = s2 + (s1 - s2 + (s0 - s1)/K)/J.

    {References: nadeau1999}
    .. [2] C. Nadeau and Y. Bengio, "Inference for the Generalization Error", NIPS 12, 2000;
       equation 4.

    Examples
    --------
    With a correlation of 0.1, going from one split to three removes 60 % of the variance:

    >>> from skcvstats.theory import cv_variance
    >>> [round(cv_variance(1.0, 0.1, n_splits), 2) for n_splits in (1, 3, 9)]
    [1.0, 0.4, 0.2]
    """
    draws = check_counts("n_draws", n_draws)
    n_splits = check_counts("n_splits", n_splits)
    for name, value in {"s1": s1, "s2": s2}.items():
        if value is None:
            raise TypeError(f"{name}=None must be a number; there is no default.")
    moments = check_moments(s0=s0, s1=s1, s2=s2)
    own_variance = moments["s1"] - moments["s2"]
    if np.isfinite(draws).any():
        if s0 is None:
            raise ValueError(
                f"n_draws={n_draws!r} needs s0=, the variance of the loss at one test row; give "
                "it, or leave n_draws out."
            )
        own_variance = own_variance + (moments["s0"] - moments["s1"]) / draws
    return plain(moments["s2"] + own_variance / n_splits)


@dataclass(frozen=True, eq=False, kw_only=True)
class ImpliedCorrelation:
    """What a variance of the mean score implies about the splits."""

    correlation: Any
    s1: Any
    s2: Any

    def __str__(self) -> str:
        if np.ndim(self.correlation):
            return f"implied correlation of the splits: {np.array2string(self.correlation)}"
        return (
            f"implied correlation of the splits {format_number(self.correlation)}: a split's score "
            f"has variance {format_number(self.s1)}, two have covariance {format_number(self.s2)}"
        )


def implied_correlation(variance: ArrayLike, scores: CVScores | ArrayLike) -> ImpliedCorrelation:
    """Return the correlation of the splits that a variance of their mean score implies.

    Every estimate of the variance of a mean over splits is, by way of the sample variance of the
    scores, a statement about how correlated the splits are.

    Parameters
    ----------
    variance : float or array-like of shape (...)
        The variance of the mean score: the truth, or an estimate from elsewhere, such as a
        squared standard error.
    scores : CVScores or array-like of shape (..., n_splits)
        The scores of 2 or more splits.

    Returns
    -------
    result : object with these attributes
        ``correlation``, of the scores of two splits, nan where they have no variance at all; ``s1``
        and ``s2``, the variance of the score of one split and the covariance of two. They are
        estimates, so ``s2`` and with it the correlation may be negative.

    Raises
    ------
    ValueError
        If the variance is negative, or there are fewer than 2 splits.

    {See Also: cv_variance}

    Notes
    -----
    The mean of J scores of variance s1 and covariance s2 has the variance V = s2 + (s1 - s2)/J,
    and their sample variance S2 estimates s1 - s2 without bias [1]_ (Lemma 1). So

        s2 = V - S2/J,    s1 = s2 + S2,    rho = s2/s1.

    The corrected resampled t-test implies rho = n_test/n_samples by construction, and the
    uncorrected one rho = 0. A variance below S2/J implies a negative covariance, which is not
    clipped: such an estimate says that the splits contradict each other. On k-fold splits, rho is
    the mean correlation over all pairs of splits.

    {References: nadeau1999}

    Examples
    --------
    >>> from skcvstats.stats import corrected_resampled_ttest
    >>> from skcvstats.theory import implied_correlation
    >>> scores = [0.90, 0.85, 0.95, 0.80, 0.90]
    >>> test = corrected_resampled_ttest(scores, n_train=90, n_test=10)
    >>> round(implied_correlation(test.standard_error**2, scores).correlation, 6)
    0.1
    """
    variance = finite_array("variance", variance)
    if (variance < 0).any():
        raise ValueError("variance is negative; pass the variance of the mean score, at least 0.")
    magnitude = np.array(0.0)
    if isinstance(scores, CVScores):
        scores.check_complete()
        magnitude = scores.magnitude
        scores = scores.values
    values = score_array("scores", scores)
    if values.ndim == 0 or values.shape[-1] < 2:
        raise ValueError(
            f"scores has shape {values.shape}; its last axis must have the scores of 2 or more "
            "splits. Score on more splits."
        )
    if variance.ndim and variance.shape != values.shape[:-1]:
        raise ValueError(
            f"variance has shape {variance.shape} for scores of shape {values.shape}; pass one "
            "number, or one for each row of scores."
        )
    largest = np.maximum(magnitude, np.abs(values).max(axis=-1))
    spread = sample_moments(values, largest)[1]
    s2 = variance - spread / values.shape[-1]
    s1 = s2 + spread
    with np.errstate(invalid="ignore"):
        correlation = np.divide(s2, s1)
    return ImpliedCorrelation(correlation=plain(correlation), s1=plain(s1), s2=plain(s2))


Array = NDArray[np.float64]


def _corrected(s1: Array, s2: Array, n_splits: Array, n_test: Array, n_samples: Array) -> Array:
    """Return the ratio of procedures 6 and 7."""
    correction = n_test / (n_samples - n_test)
    return (s2 + (s1 - s2) / n_splits) / ((1 / n_splits + correction) * (s1 - s2))


def _resampled(s1: Array, s2: Array, n_splits: Array) -> Array:
    """Return the ratio of procedures 2 and 5."""
    return (s2 + (s1 - s2) / n_splits) / (1 / n_splits * (s1 - s2))


def _conservative(s1: Array, s2: Array, s1_half: Array, s2_half: Array, n_splits: Array) -> Array:
    """Return the ratio of procedure 4."""
    return (s2 + (s1 - s2) / n_splits) / (s2_half + (s1_half - s2_half) / n_splits)


# The ratio depends on the arguments of each function; the Notes below derive it.
_FIVE_BY_TWO: dict[str, Callable[..., Array]] = {
    "dietterich": lambda s1, s4: s1 / (s1 - s4),
    "t4": lambda s1, s4: s1 / (s1 - s4),
    "t5": lambda s1, s4: (s1 + s4) / (s1 - s4),
}
_RATIOS: dict[str, Callable[..., Array]] = {
    "holdout_t": lambda s0, s3, n_test: (s3 + (s0 - s3) / n_test) / ((s0 - s3) / n_test),
    "resampled_t": _resampled,
    "conservative_z": _conservative,
    "bootstrap_t": _resampled,
    "corrected_resampled_t": _corrected,
    "corrected_bootstrap_t": _corrected,
}


def variance_ratio(
    method: str,
    *,
    s0: ArrayLike | None = None,
    s1: ArrayLike | None = None,
    s2: ArrayLike | None = None,
    s3: ArrayLike | None = None,
    s4: ArrayLike | None = None,
    s1_half: ArrayLike | None = None,
    s2_half: ArrayLike | None = None,
    n_splits: ArrayLike | None = None,
    n_train: ArrayLike | None = None,
    n_test: ArrayLike | None = None,
    n_samples: ArrayLike | None = None,
    variant: str = "dietterich",
) -> Any:
    """Return the variance of a procedure's estimate over the mean of its variance estimate.

    Above 1 a procedure tends to be liberal: it rejects true null hypotheses too often. Below 1 it
    tends to be conservative. A theory function: the moments are those of the learner and the data,
    which one data set cannot tell. The numbers may be arrays that broadcast.

    Parameters
    ----------
    method : str
        One of ``"holdout_t"``, ``"resampled_t"``, ``"five_by_two_cv_t"``, ``"conservative_z"``,
        ``"bootstrap_t"``, ``"corrected_resampled_t"``, ``"corrected_bootstrap_t"``.
    s0, s1, s2, s3 : float or array-like, default=None
        Variance of the loss at one test row; variance of the score of one split; covariance of the
        scores of two splits; covariance of the losses at two test rows of one split. Those that
        the procedure depends on are needed; others are checked and not used, so that one set of
        moments serves all procedures of one design.
    s4 : float or array-like, default=None
        Covariance of the two scores of one pair of halves, for ``"five_by_two_cv_t"``; `s1` is
        then that of training on one half and testing on the other.
    s1_half, s2_half : float or array-like, default=None
        `s1` and `s2` at the sizes inside the half-samples, for ``"conservative_z"``: training size
        n_samples // 2 - n_test, the same test size.
    n_splits : int or array-like of int, default=None
        Number of splits in the estimate.
    n_train, n_test, n_samples : int or array-like of int, default=None
        Sizes of the splits and of the pool that they are drawn from; `n_samples` of None means
        n_train + n_test.
    variant : {"dietterich", "t4", "t5"}, default="dietterich"
        Of ``"five_by_two_cv_t"``: see `FiveByTwoCVTTest`.

    Returns
    -------
    float or ndarray
        The ratio; inf where the variance estimate is 0 on average.

    Raises
    ------
    ValueError
        If a number that the ratio depends on is missing, or the moments contradict each other.
    SplitDesignError
        If the sizes do not fit together.

    {See Also: cv_variance}

    Notes
    -----
    With J splits of n2 test rows out of n, S2 the sample variance of their scores (E[S2] = s1 - s2
    by Lemma 1 of [1]_; section 4 and Table 1), V = s2 + (s1 - s2)/J the variance of their mean,
    rho = s2/s1:

    1. holdout t: the n2-th part of the sample variance of the losses has mean (s0 - s3)/n2, and one
       split has variance s1 = s3 + (s0 - s3)/n2: (n2 s3 + s0 - s3) / (s0 - s3).
    2. resampled t: V over E[S2/J] = (s1 - s2)/J is 1 + J rho/(1 - rho).
    3. 5x2cv t: with d_m the difference within pair m, E[d_m^2] = 2 (s1 - s4). Dietterich's
       estimate, one score, has variance s1, and his variance estimate, as that of ``"t4"``, has
       mean s1 - s4: s1/(s1 - s4). ``"t5"``: the mean of a pair has variance (s1 + s4)/2, a
       twentieth of 5 squares has mean (s1 - s4)/2: (s1 + s4)/(s1 - s4).
    4. conservative Z: the means over J splits within two disjoint halves are uncorrelated, so half
       the squared difference has their variance for its mean: V over
       s2' + (s1' - s2')/J, the moments with a prime taken within the halves.
    5. bootstrap t: R + 1 means of J splits each have variance V and covariance s2, so their sample
       variance has mean V - s2 = (s1 - s2)/J: the same as 2.
    6. corrected resampled t: V over (1/J + n2/(n - n2)) (s1 - s2) is
       (1/J + rho/(1 - rho)) / (1/J + n2/(n - n2)); 1 where rho = n2/n.
    7. corrected bootstrap t: 1 + J n2/(n - n2) times the variance estimate of 5: the same as 6.

    The ratio is not all: with a wrong distribution, or losses far from Gaussian, a procedure whose
    ratio is 1 can still be liberal.

    {References: nadeau1999}

    Examples
    --------
    >>> from skcvstats.theory import variance_ratio
    >>> design = {"s1": 1.0, "s2": 0.1, "n_splits": 15, "n_test": 10, "n_samples": 100}
    >>> for method in ("resampled_t", "corrected_resampled_t"):
    ...     print(method, round(variance_ratio(method, **design), 3))
    resampled_t 2.667
    corrected_resampled_t 1.0
    """
    sizes = {"n_splits": n_splits, "n_train": n_train, "n_test": n_test, "n_samples": n_samples}
    numbers = {
        name: check_counts(name, size, endless=name == "n_splits")
        for name, size in sizes.items()
        if size is not None
    }
    check_option("variant", variant, _FIVE_BY_TWO)
    ratios = _RATIOS | {"five_by_two_cv_t": _FIVE_BY_TWO[variant]}
    check_option("method", method, ratios)
    numbers |= check_moments(s0=s0, s1=s1, s2=s2, s3=s3, s4=s4, s1_half=s1_half, s2_half=s2_half)
    ratio = ratios[method]
    needed = inspect.signature(ratio).parameters
    if "n_test" in numbers and {"n_train", "n_samples"} & set(numbers):
        least = numbers["n_test"] + numbers.get("n_train", 1)
        pool = numbers.setdefault("n_samples", least)  # what the splits are drawn from
        if (pool < least).any():
            raise SplitDesignError(
                f"n_samples={plain(pool)!r} is below n_train + n_test; it is the number of rows "
                "that the splits are drawn from, so at least that many."
            )
    missing = [name for name in needed if name not in numbers]
    if missing:
        raise ValueError(
            f"{method!r} depends on {', '.join(missing)}, not given; pass what is missing by name."
        )
    with np.errstate(divide="ignore", invalid="ignore"):
        return plain(ratio(**{name: numbers[name] for name in needed}))
