"""Repeated folds of whole groups, which scikit-learn has without repeats only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.model_selection import GroupKFold
from sklearn.utils import check_random_state

from ._units import encode_labels


class RepeatedGroupKFold(GroupKFold):
    """Folds of as many whole groups each, drawn again for each repeat, as `RepeatedKFold` does."""

    def __init__(self, *, n_splits: int = 5, n_repeats: int = 10, random_state: Any = None) -> None:
        super().__init__(n_splits, shuffle=True, random_state=random_state)
        self.n_repeats = n_repeats

    def split(
        self, X: Any, y: Any = None, groups: Any = None
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield the training rows and the test rows of each fold, repeat after repeat."""
        codes = encode_labels("groups", groups)
        stream = check_random_state(self.random_state)
        for _ in range(self.n_repeats):
            folds = GroupKFold(self.n_splits, shuffle=True, random_state=stream)
            yield from folds.split(X, y, codes)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of folds of all repeats."""
        return self.n_repeats * self.n_splits
