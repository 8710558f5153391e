"""The political ratio of each procedure: the last column of the report's Table 1."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from ..._utils._checks import check_option
from ...exceptions import SplitDesignError
from .._scores_input import check_counts
from .._student import plain
from ._cv_variance import check_moments

Array = np.ndarray

# The arguments of each function are what the ratio depends on; the Notes below derive it.


def _holdout(s0: Array, s3: Array, n_test: Array) -> Array:
    return (s3 + (s0 - s3) / n_test) / ((s0 - s3) / n_test)


def _resampled(s1: Array, s2: Array, n_splits: Array) -> Array:
    return _corrected(s1, s2, n_splits, np.asarray(0.0))


def _corrected(s1: Array, s2: Array, n_splits: Array, correction: Array) -> Array:
    return (s2 + (s1 - s2) / n_splits) / ((1 / n_splits + correction) * (s1 - s2))


def _five_by_two(s1: Array, s4: Array) -> Array:
    return s1 / (s1 - s4)


def _five_by_two_mean(s1: Array, s4: Array) -> Array:
    return (s1 + s4) / (s1 - s4)


def _conservative(s1: Array, s2: Array, s1_half: Array, s2_half: Array, n_splits: Array) -> Array:
    return (s2 + (s1 - s2) / n_splits) / (s2_half + (s1_half - s2_half) / n_splits)


_FIVE_BY_TWO = {"dietterich": _five_by_two, "t4": _five_by_two, "t5": _five_by_two_mean}
_RATIOS: dict[str, Callable[..., Array]] = {
    "holdout_t": _holdout,
    "resampled_t": _resampled,
    "five_by_two_cv_t": _five_by_two,
    "conservative_z": _conservative,
    "bootstrap_t": _resampled,
    "corrected_resampled_t": _corrected,
    "corrected_bootstrap_t": _corrected,
}


def political_ratio(
    method: str,
    *,
    s0: Any = None,
    s1: Any = None,
    s2: Any = None,
    s3: Any = None,
    s4: Any = None,
    s1_half: Any = None,
    s2_half: Any = None,
    n_splits: Any = None,
    n_train: Any = None,
    n_test: Any = None,
    n_samples: Any = None,
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
        Of ``"five_by_two_cv_t"``.

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

    See Also
    --------
    cv_variance : The numerator of most of them.

    Notes
    -----
    With J splits of n2 test rows out of n, S2 the sample variance of their scores (E[S2] = s1 - s2
    by Lemma 1 of [1]_), V = s2 + (s1 - s2)/J the variance of their mean, rho = s2/s1:

    1. holdout t: one split has variance s1 = s3 + (s0 - s3)/n2. The sample variance of its losses
       has mean s0 - s3, so its n2-th part (s0 - s3)/n2, and the ratio is
       (n2 s3 + s0 - s3) / (s0 - s3).
    2. resampled t: V over E[S2/J] = (s1 - s2)/J is 1 + J rho/(1 - rho).
    3. 5x2cv t: with d_m the difference within pair m, E[d_m^2] = 2 (s1 - s4).
       Dietterich's estimate, one score, has variance s1, and his variance estimate, a tenth of 5
       squares, has mean s1 - s4: the ratio is s1/(s1 - s4). ``"t4"``: an eighth of 4 squares, the
       same. ``"t5"``: the mean of a pair has variance (s1 + s4)/2, a twentieth of 5 squares has
       mean (s1 - s4)/2: (s1 + s4)/(s1 - s4).
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

    References
    ----------
    .. [1] C. Nadeau and Y. Bengio, "Inference for the Generalization Error", CIRANO 99s-25, 1999;
       section 4 and Table 1.

    Examples
    --------
    >>> from skcvstats.theory import political_ratio
    >>> design = {"s1": 1.0, "s2": 0.1, "n_splits": 15, "n_test": 10, "n_samples": 100}
    >>> for method in ("resampled_t", "corrected_resampled_t"):
    ...     print(method, round(political_ratio(method, **design), 3))
    resampled_t 2.667
    corrected_resampled_t 1.0
    """
    check_option("method", method, _RATIOS)
    check_option("variant", variant, _FIVE_BY_TWO)
    known = check_moments(s0=s0, s1=s1, s2=s2, s3=s3, s4=s4, s1_half=s1_half, s2_half=s2_half)
    sizes = {"n_splits": n_splits, "n_train": n_train, "n_test": n_test, "n_samples": n_samples}
    known |= {
        name: check_counts(name, size, endless=name == "n_splits")
        for name, size in sizes.items()
        if size is not None
    }
    ratio = _FIVE_BY_TWO[variant] if method == "five_by_two_cv_t" else _RATIOS[method]
    needed = list(inspect.signature(ratio).parameters)
    if "correction" in needed:
        known |= _correction(known)
    missing = [name for name in needed if name not in known and name != "correction"]
    if "correction" in needed and "correction" not in known:
        missing += [name for name in ("n_test", "n_samples") if name not in known]
    if missing:
        raise ValueError(
            f"The political ratio of {method!r} depends on {', '.join(missing)}, not given; pass "
            "what is missing by name."
        )
    with np.errstate(divide="ignore", invalid="ignore"):
        return plain(ratio(**{name: known[name] for name in needed}))


def _correction(known: dict[str, Array]) -> dict[str, Array]:
    """Return n_test / (n_samples - n_test), if the known sizes suffice."""
    if "n_test" not in known or not {"n_train", "n_samples"} & set(known):
        return {}
    n_test = known["n_test"]
    least = n_test + known.get("n_train", 1)
    pool = known.get("n_samples", least)
    if (pool < least).any():
        raise SplitDesignError(
            f"n_samples={plain(pool)!r} is below n_train + n_test; it is the number of rows that "
            "the splits are drawn from, so at least that many."
        )
    return {"correction": n_test / (pool - n_test)}
