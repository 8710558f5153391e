"""Run comparisons one after the other, each until an interrupt; see test_faults.py."""

import os
import sys
import threading
import time
import warnings

import joblib
import numpy as np

from skcvstats import RepeatedSubsampleSplit, compare_estimators
from tests.fitting.estimators import Busy

begun, ended = [], []


class Counted(Busy):
    """Says when its fits begin, and counts those that begin and end in this process."""

    def fit(self, X, y):
        os.write(1, b"fitting\n")
        begun.append(1)
        super().fit(X, y)
        ended.append(1)
        return self


def until_interrupted(backend):
    """Compare until an interrupt comes; return whether it stopped fits."""
    models = {"a": Counted(0.05), "b": Counted(0.05)}
    X, y = np.zeros((400, 1000)), np.arange(400) % 2
    try:
        os.write(1, b"started\n")
        with joblib.parallel_config(backend=backend, n_jobs=2):
            compare_estimators(models, X, y, cv=RepeatedSubsampleSplit(200, random_state=0))
        time.sleep(60)  # it came to its end: the interrupt is still to come
    except KeyboardInterrupt as interrupt:
        return "of 400 fits were finished" in " ".join(getattr(interrupt, "__notes__", []))


def fits_that_begin_later():
    """Return how many fits begin once those that run have ended."""
    limit = time.perf_counter() + 20
    while len(begun) > len(ended) and time.perf_counter() < limit:
        time.sleep(0.01)
    n = len(begun)
    time.sleep(0.2)
    return len(begun) - n


if __name__ == "__main__":
    backend, times = sys.argv[1], int(sys.argv[2])
    warnings.simplefilter("ignore")
    for _ in range(times):
        stopped = until_interrupted(backend)
        n_later = fits_that_begin_later() if backend == "threading" else 0
        # The moment may have been before the first fit, so that there is nothing to count.
        print("interrupted", stopped, n_later, threading.active_count(), flush=True)
    print("end", flush=True)
