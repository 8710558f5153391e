"""Adjust p-values for the number of comparisons."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import false_discovery_control

from .._utils._arrays import as_numbers
from .._utils._checks import check_option

_HALVINGS = 60
# A p-value within so many of its standard errors of a level could be on its other side.
_ERRORS = 4


# By method, what makes adjusted p-values of ascending ones.
_ADJUST: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "holm": lambda p: np.maximum.accumulate(np.arange(p.size, 0, -1) * p),
    "hochberg": lambda p: np.minimum.accumulate(np.arange(1, p.size + 1) * p[::-1])[::-1],
    "bonferroni": lambda p: p.size * p,
    "bh": false_discovery_control,
    "by": partial(false_discovery_control, method="by"),
    "none": lambda p: p,
}


@dataclass(frozen=True)
class Adjustment:
    """A method of adjusting p-values for the number of comparisons."""

    name: str
    words: str
    source: str
    has_intervals: bool = False


MAX_T = Adjustment("max_t", "the max-t method", "hothorn2008", has_intervals=True)
_ALL = (
    MAX_T,
    Adjustment("holm", "Holm's method", "holm1979"),
    Adjustment("hochberg", "Hochberg's method", "hochberg1988"),
    Adjustment("bonferroni", "Bonferroni's method", "dunn1961", has_intervals=True),
    Adjustment("bh", "the method of Benjamini and Hochberg", "benjamini1995"),
    Adjustment("by", "the method of Benjamini and Yekutieli", "benjamini2001"),
    Adjustment("none", "no method", ""),
)
ADJUSTMENTS = {adjustment.name: adjustment for adjustment in _ALL}


def adjust_pvalues(pvalues: ArrayLike, method: str = "holm") -> np.ndarray:
    """Adjust p-values for multiple testing.

    Parameters
    ----------
    pvalues : array-like of shape (n_tests,)
        The p-values of one family of tests.
    method : {"holm", "hochberg", "bonferroni", "bh", "by", "none"}, default="holm"
        ``"holm"`` and ``"bonferroni"`` bound the chance of any false rejection under every kind
        of dependence; ``"hochberg"`` needs independence or positive dependence; ``"bh"`` and
        ``"by"`` bound the expected share of false rejections among all rejections.

    Returns
    -------
    ndarray of shape (n_tests,)
        Compared with the level as the p-values were; at most 1.

    Raises
    ------
    ValueError
        If the p-values are not one-dimensional and from 0 to 1, or there is no such method.

    Notes
    -----
    A test whose scores do not vary has p = 0 or p = 1 by definition, so no conclusion can be drawn.
    Enter it with p = 1, as comparisons do: ``"holm"``, ``"hochberg"``, ``"bh"`` and ``"by"`` take a
    p of 0 for a true rejection, and make the adjusted p-values of the other tests smaller for it.

    References
    ----------
    .. [1] S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure", 1979.
    .. [2] Y. Hochberg, "A Sharper Bonferroni Procedure for Multiple Tests of Significance", 1988.
    .. [3] Y. Benjamini and Y. Hochberg, "Controlling the False Discovery Rate", 1995.
    .. [4] Y. Benjamini and D. Yekutieli, "The Control of the False Discovery Rate in Multiple
       Testing under Dependency", 2001.

    Examples
    --------
    >>> from skcvstats.stats import adjust_pvalues
    >>> adjust_pvalues([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    adjust = _ADJUST[check_option("method", method, list(_ADJUST))]
    pvalues = as_numbers("pvalues", pvalues)
    if pvalues.ndim != 1 or not ((pvalues >= 0) & (pvalues <= 1)).all():
        raise ValueError(f"Expected a 1-d array of p-values between 0 and 1, got {pvalues!r}.")
    order = np.argsort(pvalues, kind="stable")
    adjusted = np.empty(len(pvalues))
    adjusted[order] = np.minimum(adjust(pvalues[order]), 1.0)
    return adjusted


def close_to(levels: Sequence[float], pvalues: ArrayLike, errors: ArrayLike) -> bool:
    """Return whether another simulation could change a verdict at one of the levels."""
    distance = np.abs(np.subtract.outer(pvalues, levels))
    return bool((distance < _ERRORS * np.asarray(errors)[..., np.newaxis]).any())


def deciding_level(pvalues: np.ndarray, method: str, position: int, alpha: float) -> float:
    """Return the level at which one of several tests decides, given the p-values of the others."""
    tried = np.array(pvalues, dtype=float)
    low = 0.0
    high = float(alpha)  # no method makes a p-value smaller
    for _ in range(_HALVINGS):
        tried[position] = (low + high) / 2
        shown = adjust_pvalues(tried, method)[position] <= alpha
        low, high = (tried[position], high) if shown else (low, tried[position])
    return high
