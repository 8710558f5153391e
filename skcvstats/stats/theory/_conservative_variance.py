"""The conservative variance estimate from half-samples: the report's equation 11."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...scores import CVScores
from .._sample import exponents_to_one
from .._scores_input import finite_array, scores_with_splits
from .._student import plain


def half_sample_differences(scores: Any) -> np.ndarray:
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

    See Also
    --------
    conservative_variance : Half their mean square.

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
    scores = scores_with_splits("half_sample_differences", scores)
    scores.design.require(
        who="The conservative variance (cv=HalfSplitPairs())", levels=[("pair", "half", "split")]
    )
    halves = scores.values.reshape(*scores.shape[:-1], *scores.design.shape).mean(axis=-1)
    return halves[..., 0] - halves[..., 1]


def conservative_variance(differences: Any) -> Any:
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
    Split the rows into two halves at random, M times, dropping an odd row each time. In either half
    draw J splits with n2 test rows, so n1' = n//2 - n2 rows to train on, and let d_m be the
    difference of the two mean scores. Both means have the variance V' of a mean of J splits at
    (n1', n2) and they are uncorrelated, as they share no row; so E[d_m^2] = 2 V', and

        (1/2M) sum_m d_m^2

    estimates V' without bias ([1]_, equation 11). It is above the variance at the full training
    size n1 > n1' if, as the report conjectures, that decreases with the training size.

    The squares are exchangeable, with variance delta and correlation r. By Lemma 1 the estimate
    has the variance delta (r + (1 - r)/M)/4: pairs beyond 1/r of them bring little. In the
    report's simulations r is near 0 for single learners, up to .2 for differences. One data set
    cannot tell r. For many, `exchangeable_moments` of the squares, of shape (n_data_sets, M), has r
    as its ``correlation``, and a quarter of its ``variance_of_mean(M)`` is that variance.

    References
    ----------
    .. [1] C. Nadeau and Y. Bengio, "Inference for the Generalization Error", CIRANO 99s-25, 1999;
       section 3.2.

    Examples
    --------
    >>> from skcvstats.theory import conservative_variance
    >>> conservative_variance([0.1, -0.3, 0.2])
    0.0233...
    """
    if isinstance(differences, CVScores):
        differences = half_sample_differences(differences)
    d = finite_array("differences", differences)
    if d.ndim == 0 or d.shape[-1] == 0:
        raise ValueError(
            f"differences has shape {d.shape}: expected at least one pair on the last axis; draw "
            "pairs with cv=HalfSplitPairs()."
        )
    exponents = exponents_to_one(np.abs(d).max(axis=-1))
    if exponents.any():
        d = np.ldexp(d, exponents[..., np.newaxis])
    return plain(np.ldexp(np.mean(d**2, axis=-1) / 2, -2 * exponents))
