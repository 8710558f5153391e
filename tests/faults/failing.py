"""Estimators, a splitter and a metric that fail, each in one way."""

import ctypes
import os
import signal
import time

import numpy as np
from sklearn.model_selection import ShuffleSplit

from tests.fitting.estimators import Busy


class Signalled(Busy):
    """Sends its own process a signal in the middle of a fit."""

    def __init__(self, seconds=0.0, number=signal.SIGKILL):
        super().__init__(seconds)
        self.number = number

    def fit(self, X, y):
        super().fit(X, y)
        os.kill(os.getpid(), self.number)
        return self


class Segfault(Busy):
    """Reads an invalid address, as faulty compiled code does."""

    def fit(self, X, y):
        return ctypes.string_at(0)


class Exits(Busy):
    """Ends the process from within."""

    def fit(self, X, y):
        os._exit(3)


class Fails(Busy):
    """Cannot be fitted if the first row is a training row."""

    def fit(self, X, y):
        if (X[:, 0] == 0).any():
            raise ValueError("the first row is too much")
        return super().fit(X, y)


class Announces(Busy):
    """Says that its fit begins, and then waits as `Busy` does."""

    def fit(self, X, y):
        os.write(1, b"begun\n")
        return super().fit(X, y)


class Hangs(Announces):
    """Waits forever without work."""

    def fit(self, X, y):
        os.write(1, b"begun\n")
        while True:
            time.sleep(60)


class Prevalence(Busy):
    """Predicts the more frequent class of a sum over its rows, which takes some milliseconds."""

    def fit(self, X, y):
        super().fit(X, y)
        self.is_odd_ = int(X.sum()) % 2
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[self.is_odd_])


class FailingSplitter(ShuffleSplit):
    """Raises at its third split."""

    def split(self, X, y=None, groups=None):
        for k, split in enumerate(super().split(X, y, groups)):
            if k == 2:
                raise RuntimeError("no third split")
            yield split


def failing_metric(estimator, X, y):
    """Raises an error if the first row is in the test set."""
    if (X[:, 0] == 0).any():
        raise RuntimeError("the first row is not to be scored")
    return float(estimator.predict(X)[0])
