"""The mean over the rows of a test set whose rows belong to groups, with its standard error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._utils._arrays import as_numbers
from .._utils._checks import check_option
from ..scores import Components, CVScores, Note, SplitDesign
from ..stats import (
    Groups,
    exponents_to_one,
    group_notes,
    is_rounding,
    plain,
    read_groups,
    read_weights,
)

VARIANCES = ("jackknife", "sandwich")
KIND = "means"


@dataclass(frozen=True, eq=False, kw_only=True)
class ClusteredMean:
    """Means over the rows of a test set, with standard errors that allow for groups.

    Parameters
    ----------
    estimate, standard_error : float or ndarray
        The means and their standard errors; arrays where there were several.
    df : int
        Degrees of freedom: the number of groups less 1.
    n_rows, n_groups : int
        Of the test set.
    variance : {"jackknife", "sandwich"}
        How the standard error was made.
    """

    estimate: Any
    standard_error: Any
    df: int
    n_rows: int
    n_groups: int
    variance: str


def clustered_mean(
    x: Any, groups: Any = None, *, sample_weight: Any = None, variance: str = "jackknife"
) -> ClusteredMean:
    """Return the mean over rows that belong to groups, with its standard error.

    Parameters
    ----------
    x : array-like of shape (n_rows,) or (n, n_rows)
        One number for each test row, such as the difference of two models' losses.
    groups : array-like of shape (n_rows,), default=None
        Labels of what the rows belong to, such as patients. None makes each row a group.
    sample_weight : array-like of shape (n_rows,), default=None
        Weights; only their ratios matter.
    variance : {"jackknife", "sandwich"}, default="jackknife"
        ``"jackknife"`` leaves out one group at a time. ``"sandwich"`` is the usual cluster-robust
        standard error; it is too small where groups are very unequal, and the same where they are
        equal.

    Returns
    -------
    ClusteredMean
        Refer ``estimate / standard_error`` to Student's t distribution with `df` degrees of
        freedom.

    Raises
    ------
    ValueError
        If a number is not finite, there are fewer than two groups, or lengths differ.

    See Also
    --------
    skcvstats.compare_losses : The same for several models, with verdicts.

    Notes
    -----
    Let e be the deviations from the mean, s_g their sum over group g of n_g rows, and G the number
    of groups. The squared standard error is (G-1)/G sum (s_g/(n - n_g))^2 by the jackknife, and
    G/(G-1) sum s_g^2 / n^2 by the sandwich [1]_. With weights, n and n_g are sums of weights. With
    one row in each group both are the usual S^2/n.

    References
    ----------
    .. [1] A. C. Cameron and D. L. Miller, "A Practitioner's Guide to Cluster-Robust Inference",
       Journal of Human Resources 50, 2015.

    Examples
    --------
    >>> from skcvstats.test_set import clustered_mean
    >>> differences = [0.1, 0.3, -0.1, 0.2, 0.4, 0.2, 0.0, 0.1]
    >>> patients = ["a", "a", "b", "b", "c", "c", "d", "d"]
    >>> found = clustered_mean(differences, patients)
    >>> print(f"{found.estimate:.3f} +- {found.standard_error:.3f}, {found.df} degrees of freedom")
    0.150 +- 0.061, 3 degrees of freedom
    """
    check_option("variance", variance, VARIANCES)
    rows, several = as_rows(x, "x")
    weights = read_weights(sample_weight, rows.shape[1])
    found = read_groups(groups, rows.shape[1], weights)
    moments = _moments(rows, found, weights)
    squares = variances_of(moments, variance, np.ldexp(moments.largest, moments.exponent))
    errors = np.ldexp(np.sqrt(squares), -moments.exponent)
    pick = slice(None) if several else 0
    return ClusteredMean(
        estimate=plain(moments.means[pick]),
        standard_error=plain(errors[pick]),
        df=len(moments.sizes) - 1,
        n_rows=rows.shape[1],
        n_groups=len(moments.sizes),
        variance=variance,
    )


def mean_scores(
    x: np.ndarray,
    *,
    labels: Sequence[str],
    metric: str,
    groups: Any = None,
    sample_weight: Any = None,
    y_digest: str | None = None,
    notes: Sequence[Note] = (),
    provenance: dict[str, Any] | None = None,
) -> CVScores:
    """Return the mean score of fitted models on one test set, with the components of each."""
    n_rows = x.shape[1]
    weights = read_weights(sample_weight, n_rows)
    found = read_groups(groups, n_rows, weights)
    moments = _moments(x, found, weights)
    facts = {
        "n_groups": len(moments.sizes),
        "grouped": groups is not None,
        "weighted": weights is not None,
        "exponent": moments.exponent,
    }
    return CVScores(
        values=moments.means[:, np.newaxis],
        design=SplitDesign.of_test_set(n_rows, y_digest),
        labels=tuple(labels),
        metric=metric,
        magnitude=moments.largest,
        notes=(*notes, *group_notes(moments.sizes, grouped=groups is not None)),
        provenance=provenance or {},
        components=Components(KIND, {"sums": moments.sums}, {"sizes": moments.sizes}, facts),
    )


@dataclass(frozen=True, eq=False)
class Moments:
    """Means, and sums over groups of the deviations from them."""

    means: np.ndarray
    largest: np.ndarray
    sums: np.ndarray
    sizes: np.ndarray
    exponent: int


def as_rows(x: Any, name: str) -> tuple[np.ndarray, bool]:
    """Return numbers as an array of shape (n, n_rows), and whether there were several."""
    array = as_numbers(name, x)
    if array.ndim not in (1, 2) or array.size == 0:
        raise ValueError(
            f"{name} has shape {array.shape}; expected (n_rows,) or (n, n_rows), with at least one "
            "row of data."
        )
    return array.reshape(-1, array.shape[-1]), array.ndim == 2


def _moments(x: np.ndarray, groups: Groups, weights: np.ndarray | None) -> Moments:
    """Return means and sums over groups; groups without weight are left out."""
    n_models, n_rows = x.shape
    largest = np.maximum(x.max(axis=1), -x.min(axis=1))
    if not np.isfinite(largest).all():
        model, row = np.argwhere(~np.isfinite(x))[0].tolist()
        raise ValueError(
            f"{int((~np.isfinite(x)).sum())} of the numbers are missing or not finite (the first: "
            f"model {model}, row {row}, is {x[model, row]}). Measure them, or leave out those rows "
            "for all models."
        )
    exponent = int(exponents_to_one(largest.max()))
    sizes = groups.sizes(weights, n_rows)
    kept = sizes > 0
    means = np.empty(n_models)
    sums = np.empty((n_models, int(kept.sum())))
    for k in range(n_models):
        row = np.ldexp(x[k], exponent) if exponent else x[k]
        means[k] = row.mean() if weights is None else weights @ row / weights.sum()
        deviations = row - means[k]
        if weights is not None:
            deviations *= weights
        of_groups = groups.sums(deviations)
        sums[k] = of_groups if len(of_groups) == sums.shape[1] else of_groups[kept]
    return Moments(np.ldexp(means, -exponent), largest, sums, sizes[kept], exponent)


def factors_of(sizes: np.ndarray, variance: str) -> np.ndarray:
    """Return factors for the sums of groups, so that their squares add up to the variance."""
    n_groups, total = len(sizes), sizes.sum()
    if variance == "sandwich":
        return np.full(n_groups, np.sqrt(n_groups / (n_groups - 1)) / total)
    return np.sqrt((n_groups - 1) / n_groups) / (total - sizes)


def variances_of(parts: Any, variance: str, scale: np.ndarray) -> np.ndarray:
    """Return the variance of each mean; exactly 0 if the groups differ only by rounding."""
    if isinstance(parts, Moments):
        facts = {"exponent": parts.exponent}
        parts = Components(KIND, {"sums": parts.sums}, {"sizes": parts.sizes}, facts)
    sizes = parts.shared["sizes"]
    factors = factors_of(sizes, variance)
    found = np.empty(len(parts))
    widest = 20 * np.finfo(float).eps * (factors * sizes).max() * np.sqrt(len(sizes))
    for part in parts.blocks():
        sums = parts.rows("sums", part)
        weighted = sums * factors
        squares = np.einsum("kg,kg->k", weighted, weighted)
        for k in np.flatnonzero(np.sqrt(squares) <= widest * scale[part]).tolist():
            if is_rounding(np.abs(sums[k] / sizes).max(), scale[part][k]):
                squares[k] = 0.0
        found[part] = squares
    return found
