"""Run a study in threads, and say what its interruption left running; see test_store.py."""

import os
import sys
import threading
import time

import joblib

from skcvstats import simulate
from tests.fitting.estimators import wait_for
from tests.simulation.studies import Mean, line

begun, ended = [], []


def slow_line(random_state):
    """Draw a line; the first two at once, the others once a file is there."""
    begun.append(1)
    if len(begun) > 2:
        os.write(1, b"started\n")  # at one go, as two threads write
        wait_for(sys.argv[1])
    ended.append(1)
    return line(random_state)


if __name__ == "__main__":
    try:
        with joblib.parallel_config(backend="threading", n_jobs=2):
            simulate(slow_line, {"A": Mean()}, ["resampled_t"], n_data_sets=60)
    except KeyboardInterrupt as interrupt:
        print(*interrupt.__notes__, flush=True)
    n_begun = len(begun)
    limit = time.perf_counter() + 40
    while threading.active_count() > 1 and time.perf_counter() < limit:
        time.sleep(0.05)
    print(n_begun, len(begun), len(ended), threading.active_count(), flush=True)
