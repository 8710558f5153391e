"""Cochran's Q: tests whether several classifiers have the same accuracy on a test set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import chdtrc

from .._utils._arrays import as_array
from .._utils._text import format_number, format_pvalue


@dataclass(frozen=True, kw_only=True)
class CochranQResult:
    """The answer of Cochran's Q test; it unpacks as ``statistic, pvalue``.

    Parameters
    ----------
    statistic : float
        Q; 0 where no row tells the classifiers apart.
    pvalue : float
        Of chi-squared with `df` degrees of freedom.
    df : int
        One less than classifiers.
    n, n_informative : int
        Rows of the test set, and those that some classifiers get right and others wrong.
    """

    statistic: float
    pvalue: float
    df: int
    n: int
    n_informative: int

    def __iter__(self) -> Iterator[float]:
        return iter((self.statistic, self.pvalue))

    def __str__(self) -> str:
        return (
            f"Cochran's Q = {format_number(self.statistic)} on {self.n} test rows, "
            f"{self.n_informative} of them not alike in all classifiers: "
            f"p {format_pvalue(self.pvalue)} (chi-squared, {self.df} degrees of freedom)"
        )


def cochran_q_test(correct: Any) -> CochranQResult:
    """Test whether several fitted classifiers have one accuracy.

    Parameters
    ----------
    correct : array-like of bool of shape (n_classifiers, n_rows)
        Whether each classifier is right on each test row.

    Returns
    -------
    CochranQResult
        An omnibus test: pairs are told apart by `skcvstats.compare_predictions`, whatever it says.

    Raises
    ------
    ValueError
        If there are fewer than two classifiers, or something else than 0 and 1.

    See Also
    --------
    skcvstats.test_set.mcnemar_exact_test : The same for two, without the normal approximation.

    Notes
    -----
    With K classifiers, C_j the rows that classifier j gets right and R_i the classifiers that are
    right on row i, Q = (K - 1) (K sum C_j^2 - N^2)/(K N - sum R_i^2), N = sum C_j [1]_. Rows on
    which all agree drop out. For two it is McNemar's statistic without correction.

    References
    ----------
    .. [1] W. G. Cochran, "The Comparison of Percentages in Matched Samples", Biometrika 37, 1950.

    Examples
    --------
    >>> from skcvstats.test_set import cochran_q_test
    >>> correct = [[1, 1, 0, 1, 1, 1, 0, 1], [1, 0, 0, 1, 0, 1, 0, 1], [0, 0, 0, 1, 0, 0, 0, 1]]
    >>> q, p = cochran_q_test(correct)
    >>> print(f"Q = {q:.3f}, p = {p:.4f}")
    Q = 6.000, p = 0.0498
    """
    right = as_array("correct", correct)
    if right.ndim != 2 or right.shape[0] < 2 or right.shape[1] < 1:
        raise ValueError(
            f"correct has shape {right.shape}; expected (n_classifiers, n_rows) with at least two "
            "classifiers and one row."
        )
    if not np.isin(right, (0, 1)).all():
        raise ValueError(
            "correct must hold whether a classifier is right, True or False, for each test row."
        )
    n_right = right.sum(axis=0, dtype=np.int64)  # exact, as the sums below
    of_each = right.sum(axis=1, dtype=np.int64)
    n_classifiers, total = len(right), int(n_right.sum())
    between = n_classifiers * int((of_each**2).sum()) - total**2
    within = n_classifiers * total - int((n_right**2).sum())
    statistic = 0.0 if within == 0 else (n_classifiers - 1) * between / within
    return CochranQResult(
        statistic=statistic,
        pvalue=float(chdtrc(n_classifiers - 1, statistic)),
        df=n_classifiers - 1,
        n=right.shape[1],
        n_informative=int(np.count_nonzero((n_right > 0) & (n_right < n_classifiers))),
    )
