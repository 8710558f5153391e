"""DesignRequest: the splits that a procedure requests."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any


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

    def with_sizes(
        self, who: str, *, n_splits: int | None = None, test_size: float | None = None
    ) -> DesignRequest:
        """Return the same splits in another number, or with other test sizes.

        Parameters
        ----------
        who : str
            The procedure that asks for them, for the message.
        n_splits : int, default=None
            The number of splits (of each replicate); None is that of the request.
        test_size : float or int, default=None
            What each split tests on; None is that of the request.

        Returns
        -------
        DesignRequest
            This one is not changed.

        Raises
        ------
        ValueError
            If such splits have no such size: halves are halves, and a single test set is one.
        """
        given: dict[str, Any] = {"n_splits": n_splits, "test_size": test_size}
        sizes = {name: value for name, value in given.items() if value is not None}
        for name, value in sizes.items():
            if self.kind == "two_fold":
                raise ValueError(
                    f"{name}={value!r}: {who} is defined for {self.n_pairs} repeats of two halves, "
                    f"so it has no {name}. Leave {name} out, or use another method, such as "
                    'method="corrected_resampled_t".'
                )
            if name == "n_splits" and self.n_splits == 1 and value != 1:
                raise ValueError(
                    f"n_splits={value!r}: {who} takes one split. Leave n_splits out, make "
                    "test_size larger for more evidence, or use another method, such as "
                    'method="corrected_resampled_t".'
                )
        return replace(self, **sizes)
