"""How long the same fits take on a local Dask cluster and with loky, by turns in one run.

``python -m benchmarks.dask_overhead`` from the root of a checkout; needs ``skcvstats[dask]``.
"""

import time
from statistics import median

import joblib
import numpy as np
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB

from skcvstats import RepeatedSubsampleSplit, compare_estimators

N_TURNS = 5
# By name: number of rows, number of splits, trees of the forest.
SIZES = {"quick fits": (500, 100, 2), "slow fits": (2000, 30, 10)}


def seconds(models, X, y, cv, **backend):
    started = time.perf_counter()
    with joblib.parallel_config(**backend):
        result = compare_estimators(models, X, y, cv=cv)
    return time.perf_counter() - started, result.scores


def main():
    from dask.distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster),
    ):
        for name, (n_rows, n_splits, n_trees) in SIZES.items():
            X, y = make_classification(n_rows, random_state=0)
            models = {
                "bayes": GaussianNB(),
                "forest": RandomForestClassifier(n_trees, random_state=0),
            }
            cv = RepeatedSubsampleSplit(n_splits, random_state=0)
            backends = [{"backend": "loky", "n_jobs": 2}, {"backend": "dask"}]
            for backend in backends:  # workers start and import
                seconds(models, X, y, cv, **backend)
            turns = []
            for _ in range(N_TURNS):
                (loky, ours), (dask, theirs) = (seconds(models, X, y, cv, **b) for b in backends)
                assert np.array_equal(ours.values, theirs.values)
                turns.append((loky, dask, dask / loky))
            per_fit = np.median(ours.fit_times + ours.score_times) * 1e3
            loky, dask, ratio = (median(column) for column in zip(*turns, strict=True))
            print(
                f"{name}: {ours.size} of {per_fit:.1f} ms in the median, loky {loky:.2f} s, "
                f"Dask {dask:.2f} s, ratio {ratio:.2f}"
            )


if __name__ == "__main__":
    main()
