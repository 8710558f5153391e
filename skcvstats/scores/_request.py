"""DesignRequest: which splits a procedure asks for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class DesignRequest:
    """The splits that a procedure asks for, as plain data.

    Parameters
    ----------
    kind : {"subsample", "half_pairs", "two_fold"}
        Independent random splits of all rows; such splits of the two halves of random
        half-samples; or random halves, each trained on and tested on the other.
    n_splits : int, default=15
        Number of splits (of each half, of each replicate).
    test_size : float or int, default=0.1
        Fraction or number of the rows that each split tests on.
    n_pairs : int, default=10
        Number of pairs of halves, for ``kind="half_pairs"`` and ``"two_fold"``.
    n_replicates : int or None, default=None
        Number of replicates of `n_splits` splits, for ``kind="subsample"``; None is no replicates.
    """

    kind: str
    n_splits: int = 15
    test_size: float = 0.1
    n_pairs: int = 10
    n_replicates: int | None = None
