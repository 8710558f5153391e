"""Estimators for tests of the pool, importable by worker processes."""

import os
import time

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


class Busy(ClassifierMixin, BaseEstimator):
    """Works for some seconds in Python, then predicts the first class."""

    def __init__(self, seconds=0.0):
        self.seconds = seconds

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        end = time.perf_counter() + self.seconds
        while time.perf_counter() < end:
            sum(range(1000))
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


class Killer(Busy):
    """Ends its process in the middle of a fit, as the kernel does when memory runs out."""

    def fit(self, X, y):
        os._exit(1)
