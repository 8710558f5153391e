"""Estimators for tests of the pool, importable by worker processes."""

import multiprocessing
import os
import threading
import time
import warnings

import joblib
import numpy as np
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin


class Busy(ClassifierMixin, BaseEstimator):
    """Waits for some seconds, or until a file is there; then predicts the first class."""

    def __init__(self, seconds=0.0, until=""):
        self.seconds = seconds
        self.until = until

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        wait_for(self.until, self.seconds)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def wait_for(path, seconds=40):
    """Wait until a file is there, and not forever."""
    limit = time.perf_counter() + seconds
    while not os.path.exists(path) and time.perf_counter() < limit:
        time.sleep(0.01)


class Killer(Busy):
    """Ends its process in the middle of a fit, as the kernel does when memory runs out."""

    def fit(self, X, y):
        super().fit(X, y)
        os._exit(1)


class AwkwardError(Exception):
    """Cannot be pickled, or not be restored from what pickle keeps."""

    def __init__(self, first, second=None):
        super().__init__(first)
        if second == "lock":
            self.lock = threading.Lock()
        elif second is None:
            raise TypeError("the second argument is missing")


class Awkward(Busy):
    """Raises an error that cannot be sent between processes."""

    def fit(self, X, y):
        raise AwkwardError("spoilt", self.seconds)


class Bottomless(Busy):
    """Calls itself until Python ends it."""

    def fit(self, X, y):
        return self.fit(X, y)


class Locked(Busy):
    """Cannot be pickled."""

    def __getstate__(self):
        raise TypeError("cannot pickle this estimator")


class NeedsConfig(Busy):
    """Fits only if scikit-learn's configuration and the warning filters have arrived."""

    def __init__(self, seconds=0.0, warn=False):
        super().__init__(seconds)
        self.warn = warn

    def fit(self, X, y):
        if not sklearn.get_config()["assume_finite"]:
            raise RuntimeError("the configuration did not arrive")
        if self.warn and warnings.filters[0][0] != "ignore":
            raise RuntimeError("the filters did not arrive")
        return super().fit(X, y)


class Asks(Busy):
    """Records how many jobs joblib would use within it."""

    def fit(self, X, y):
        self.n_jobs_inside_ = joblib.effective_n_jobs(2)
        return super().fit(X, y)


def outside_pools(estimator, X, y):
    """Score anywhere but in a worker of the `multiprocessing` module's own pools."""
    name = multiprocessing.current_process().name
    if "PoolWorker" in name:
        raise RuntimeError(f"scored in {name}")
    return float(np.mean((estimator.predict(X) - y) ** 2))


def flattened(X):
    """Return images as rows."""
    return X.reshape(len(X), -1)
