"""The letters' tree with a memory, so that six weights cost one tree."""

import hashlib
from collections import OrderedDict
from typing import ClassVar

import numpy as np

from .trees import DevianceTree

ROOM = 150  # answers: those of thirty data sets, each of which has five kinds of splits


class RememberedTree(DevianceTree):
    """A `DevianceTree` that keeps its last answers about many splits, one memory for all trees.

    Parameters
    ----------
    min_samples_leaf, min_samples_split, min_deviance
        As of `DevianceTree`.
    """

    _answers: ClassVar[OrderedDict[str, np.ndarray]] = OrderedDict()

    def predict_splits(self, X, y, train, test):
        """Return what `DevianceTree` gives, from memory where the same was asked before.

        Parameters
        ----------
        X, y, train, test : ndarray
            As for `DevianceTree`.

        Returns
        -------
        ndarray of shape (n_splits, n_test)
        """
        digest = hashlib.blake2b(repr(sorted(self.get_params().items())).encode())
        for array in (X, y, train, test):
            digest.update(f"{array.dtype}{array.shape}".encode())
            digest.update(np.ascontiguousarray(array).tobytes())
        key = digest.digest()
        if key not in self._answers:
            self._answers[key] = super().predict_splits(X, y, train, test)
        if len(self._answers) > ROOM:
            self._answers.popitem(last=False)
        return self._answers[key].copy()
