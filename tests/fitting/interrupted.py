"""Run a comparison, and say what its interruption left behind; see test_interruption.py."""

import os
import sys
import time

import joblib
import numpy as np
from sklearn.model_selection import GridSearchCV

from skcvstats import compare_estimators
from skcvstats.fitting import _measure
from tests.fitting.estimators import Busy


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


def announced(fits, total, *, verbose):
    """Say when the first fit is finished."""
    for k, one in enumerate(fits):
        if k == 0:
            print("started", flush=True)
        yield one


if __name__ == "__main__":
    X, y = np.zeros((40, 1)), np.arange(40) % 2
    # One fit ends at once, the others would take a minute.
    slow = Busy(60)
    if sys.argv[3:] == ["nested"]:
        slow = GridSearchCV(slow, {"seconds": [60, 70]}, cv=2, n_jobs=2)
    models = {"quick": Busy(), "slow": slow}
    _measure.with_progress = announced
    with joblib.parallel_config(backend=sys.argv[1], n_jobs=int(sys.argv[2])):
        try:
            compare_estimators(models, X, y)
        except KeyboardInterrupt as interrupt:
            print(*getattr(interrupt, "__notes__", []), flush=True)
    time.sleep(0.3)
    before = cpu_seconds()
    time.sleep(1)
    print(cpu_seconds() - before, flush=True)
