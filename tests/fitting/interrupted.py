"""Run a comparison, and say what its interruption left behind; see test_interruption.py."""

import os
import sys
import threading
import time

import joblib
import numpy as np
from sklearn.model_selection import GridSearchCV

from skcvstats import compare_estimators
from skcvstats.fitting import _run
from tests.fitting.estimators import Busy, wait_for

begun, ended = [], []


class Noted(Busy):
    """Takes note of when its fits begin and end, and waits for a file; for worker threads."""

    def fit(self, X, y):
        begun.append(self.seconds)
        if self.seconds:
            wait_for(sys.argv[4], self.seconds)
        ended.append(self.seconds)
        self.classes_ = np.unique(y)
        return self


def living(group):
    """Return what /proc tells of the living processes of a group."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat") as stat:
                fields = stat.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[2]) == group and fields[0] not in "ZX":
            found.append(fields)
    return found


def cpu_seconds():
    """Return the processor time of this process and of its living children."""
    ticks = sum(int(fields[11]) + int(fields[12]) for fields in living(os.getpgrp()))
    return ticks / os.sysconf("SC_CLK_TCK")


def announced(fits, total):
    """Say when the first fit is finished."""
    for k, record in enumerate(fits):
        if k == 0:
            print("started", flush=True)
        yield record


def compare(models, backend, n_jobs):
    X, y = np.zeros((40, 1)), np.arange(40) % 2
    _run.with_progress = announced
    with joblib.parallel_config(backend=backend, n_jobs=n_jobs):
        compare_estimators(models, X, y, verbose=1)


def say_what_is_busy():
    """Print the processor time of half a second in which nothing should run."""
    time.sleep(0.2)
    before = cpu_seconds()
    time.sleep(0.5)
    print(cpu_seconds() - before, flush=True)


def say_what_runs_on():
    """Print what threads do until they have ended: fits begun so far, begun and ended at last."""
    print(len(begun), flush=True)
    limit = time.perf_counter() + 40
    while threading.active_count() > 1 and time.perf_counter() < limit:
        time.sleep(0.05)
    print(len(begun), len(ended), threading.active_count(), flush=True)


if __name__ == "__main__":
    backend, n_jobs, seconds, _, *options = sys.argv[1:]
    # One fit ends at once, the others take their time.
    slow = (Noted if backend == "threading" else Busy)(float(seconds))
    if "nested" in options:
        slow = GridSearchCV(slow, {"seconds": [float(seconds)] * 2}, cv=2, n_jobs=2)
    models = {"quick": Noted() if backend == "threading" else Busy(), "slow": slow}
    try:
        compare(models, backend, int(n_jobs))
    except KeyboardInterrupt as interrupt:
        print(*getattr(interrupt, "__notes__", []), flush=True)
        if "exit" in options:
            raise
    if backend == "threading":
        say_what_runs_on()
    else:
        say_what_is_busy()
