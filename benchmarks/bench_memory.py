"""Peak memory: of a comparison over a bare loop, and of closed forms over their refits.

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
# Those of the nearest neighbours, of which a million would be compared for hours.
N_NEAR = 50_000


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

    base = tree_mb()
    backend, n_jobs = {
        "bare": ("loky", 1),
        "one job": ("loky", 1),
        "2 threads": ("threading", 2),
        "2 processes": ("loky", 2),
    }[case]
    with parallel_config(backend=backend, n_jobs=n_jobs):
        print(base, peak_mb(bare if case == "bare" else ours))


def closed_forms():
    """Return an estimator for each closed form, by name."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.dummy import DummyClassifier, DummyRegressor
    from sklearn.linear_model import LinearRegression, Ridge, RidgeClassifier
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

    return {
        "most frequent": DummyClassifier(),
        "mean": DummyRegressor(),
        "median": DummyRegressor(strategy="median"),
        "OLS": LinearRegression(),
        "ridge": Ridge(),
        "ridge classifier": RidgeClassifier(),
        "naive Bayes": GaussianNB(),
        "LDA": LinearDiscriminantAnalysis(),
        "5-NN": KNeighborsClassifier(),
        "200-NN": KNeighborsRegressor(200),
    }


def run_closed_form(name, n_splits, *, is_closed):
    """Print the memory before and the peak of one estimator; called in a process of its own."""
    from sklearn.base import is_classifier

    from skcvstats import RepeatedSubsampleSplit
    from skcvstats.fitting import Routed, Workload, plan_splits, read_metrics

    from .closed_forms import records

    model = closed_forms()[name]
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N_NEAR if hasattr(model, "n_neighbors") else N_ROWS, N_COLUMNS))
    y = X[:, 0] + rng.normal(size=len(X))
    y = (y > 0).astype(int) if is_classifier(model) else y
    metric = "accuracy" if is_classifier(model) else "r2"
    work = Workload.of({name: model}, read_metrics(metric), routed=Routed(({},)))

    def call(X, y):
        splits = plan_splits(RepeatedSubsampleSplit(n_splits, random_state=0), X, y, {}).splits
        pairs = [(k, 0) for k in range(n_splits)]
        fits = records(work, X, y, splits) if is_closed else work.fit(X, y, splits, pairs)
        assert sum(1 for _ in fits) == n_splits

    call(X[:1000], y[:1000])  # imports all that is imported late
    print(tree_mb(), peak_mb(lambda: call(X, y)))


def measure(*case, n_splits=10):
    """Return the memory before and the peak of one case, in MB."""
    out = subprocess.run(
        [sys.executable, "-m", "benchmarks.bench_memory", str(n_splits), *case],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        check=True,
        start_new_session=True,
    ).stdout
    base, peak = map(float, out.split()[-2:])
    return base, peak


class PeakMemory:
    """Peak over that of the bare loop, on 1,000,000 x 20 numbers."""

    params = (["bare", "one job", "2 threads", "2 processes"],)
    param_names = ("case",)
    unit = "MB"
    timeout = 1200

    def track_peak(self, case):
        return measure(case)[1]


class ClosedFormsMemory:
    """What a closed form takes beside the data, over what its refits take: at most 1."""

    params = (list(closed_forms()),)
    param_names = ("estimator",)
    unit = "x the memory of refits"
    timeout = 1200

    def track_ratio(self, estimator):
        own = {}
        for fits in ("closed", "refits"):
            before, peak = measure(fits, estimator)
            own[fits] = peak - before
        return own["closed"] / own["refits"]


if __name__ == "__main__":
    n_splits, case, *name = sys.argv[1:]
    if name:
        run_closed_form(*name, int(n_splits), is_closed=case == "closed")
    else:
        run_case(case, int(n_splits))
