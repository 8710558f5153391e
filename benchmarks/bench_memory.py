"""Peak memory of a comparison, over that of a bare loop.

Each case runs in a process of its own. Memory is the proportional set size of the whole process
tree, sampled from Linux's /proc, so that what processes share counts once.
"""

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np

N_ROWS, N_COLUMNS = 1_000_000, 20
DATA_MB = N_ROWS * N_COLUMNS * 8 / 2**20


def tree_mb():
    """Return the proportional set size of this process and its descendants, in MB."""
    total = 0
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.getpgid(int(pid)) != os.getpgrp():
                continue
            text = Path(f"/proc/{pid}/smaps_rollup").read_text()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in text.splitlines() if line[:4] == "Pss:")
    return total / 1024


def peak_mb(function):
    """Run a function and return the highest memory seen meanwhile, in MB."""
    peak, done = tree_mb(), threading.Event()

    def watch():
        nonlocal peak
        while not done.wait(0.05):
            peak = max(peak, tree_mb())

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        function()
    finally:
        done.set()
        watcher.join()
    return peak


def run_case(case, n_splits):
    """Print the peak of one case; called in a process of its own."""
    from joblib import parallel_config
    from sklearn.base import clone
    from sklearn.metrics import get_scorer
    from sklearn.naive_bayes import GaussianNB

    from skcvstats import RepeatedSubsampleSplit, compare_estimators

    rng = np.random.default_rng(0)
    X = rng.normal(size=(N_ROWS, N_COLUMNS))
    y = (X[:, 0] + rng.normal(size=N_ROWS) > 0).astype(int)
    cv = RepeatedSubsampleSplit(n_splits, random_state=0)
    models = {"a": GaussianNB(), "b": GaussianNB(var_smoothing=1e-3)}

    def bare():
        scorer = get_scorer("accuracy")
        for train, test in cv.split(X, y):
            for model in models.values():
                fitted = clone(model).fit(X[train], y[train])
                scorer(fitted, X[test], y[test])

    def ours():
        compare_estimators(models, X, y, cv=cv)

    backend, n_jobs = {
        "bare": ("loky", 1),
        "one job": ("loky", 1),
        "2 threads": ("threading", 2),
        "2 processes": ("loky", 2),
    }[case]
    with parallel_config(backend=backend, n_jobs=n_jobs):
        print(peak_mb(bare if case == "bare" else ours))


def measure(case, n_splits=10):
    """Return the peak of one case, in MB."""
    out = subprocess.run(
        [sys.executable, "-m", "benchmarks.bench_memory", str(n_splits), case],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        check=True,
        start_new_session=True,
    ).stdout
    return float(out.split()[-1])


class PeakMemory:
    """Peak over that of the bare loop, on 1,000,000 x 20 numbers."""

    params = (["bare", "one job", "2 threads", "2 processes"],)
    param_names = ("case",)
    unit = "MB"
    timeout = 1200

    def track_peak(self, case):
        return measure(case)


if __name__ == "__main__":
    n_splits, case = sys.argv[1:]
    run_case(case, int(n_splits))
