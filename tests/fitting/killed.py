"""Run a comparison, kill one of its workers, and say what came of it; see test_interruption.py."""

import multiprocessing
import os
import signal
import sys
import threading
import time

import joblib
import numpy as np

from skcvstats import FitError, RepeatedSubsampleSplit, compare_estimators
from skcvstats.fitting import _run
from tests.fitting.estimators import Busy, Killer
from tests.fitting.interrupted import say_what_is_busy

finished = []


def seconds_of(process):
    """Return the processor time of a process."""
    with open(f"/proc/{process.pid}/stat") as stat:
        ticks = sum(map(int, stat.read().rsplit(")", 1)[1].split()[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def counted(fits, total):
    """Take note of each fit as the progress bar would."""
    for one in fits:
        finished.append(one)
        yield one


def kill_soon(choose):
    """Kill the child that has worked least or most, once that differs by a while."""
    seconds = {0: 0}
    while len(finished) < 2 or max(seconds.values()) - min(seconds.values()) < 0.1:
        time.sleep(0.05)
        seconds = {child.pid: seconds_of(child) for child in multiprocessing.active_children()}
    os.kill(choose(seconds, key=seconds.get), signal.SIGKILL)


if __name__ == "__main__":
    backend, how = sys.argv[1:]
    X, y = np.zeros((40, 1)), np.arange(40) % 2
    # Four fits: two workers would be busy for a minute, and a third is soon idle.
    n_jobs = 2 if how == "exit" else 3
    models = {"quick": Busy(), "slow": Killer(0.2) if how == "exit" else Busy(60)}
    _run.with_progress = counted
    if how != "exit":
        threading.Thread(target=kill_soon, args=({"busy": max, "idle": min}[how],)).start()
    with joblib.parallel_config(backend=backend, n_jobs=n_jobs):
        try:
            cv = RepeatedSubsampleSplit(2, random_state=0)
            compare_estimators(models, X, y, cv=cv, verbose=1)
        except FitError as error:
            print(error, *error.__notes__, flush=True)
    say_what_is_busy()
    print(len(multiprocessing.active_children()), flush=True)
