"""For classifiers: sums by class, and predictions from likelihoods."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ._base import Answers, is_close_call
from ._basis import centre_of
from ._batch import Batch, parts


@dataclass(frozen=True)
class ClassSums:
    """Sums of values over the rows of each class."""

    codes: np.ndarray
    n_classes: int

    def of(self, rows: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Sum values over the rows of each class."""
        marks = self.codes[rows][..., None, :] == np.arange(self.n_classes)[:, None]
        return marks.astype(float) @ values

    def means(self, X: np.ndarray) -> np.ndarray:
        """Return the means of classes, exact for constant columns."""
        centre = centre_of(X)
        sums = np.zeros((self.n_classes, X.shape[1]))
        for part in parts(X):
            sums += self.of(np.arange(part.start, part.stop), X[part] - centre)
        return centre + sums / np.bincount(self.codes, minlength=self.n_classes)[:, None]


def less_class_means(
    X: np.ndarray, codes: np.ndarray, means: np.ndarray
) -> Iterator[tuple[slice, np.ndarray]]:
    """Yield blocks of X: their position, and their rows minus the class means."""
    for part in parts(X):
        yield part, X[part] - means[codes[part]]


def from_likelihoods(
    batch: Batch, logs: np.ndarray, found: np.ndarray, decision: np.ndarray | None = None
) -> Answers:
    """Turn log-likelihoods, up to a constant for each row, into classes and probabilities."""
    doubtful = np.add.reduceat(is_close_call(logs), batch.offsets[:-1]) > 0
    shares = np.exp(logs - logs.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    return Answers(found & ~doubtful, logs.argmax(axis=1), shares, decision)
