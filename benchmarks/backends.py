"""How long the same fits take with each of joblib's backends, by turns in one run, bits equal.

``python -m benchmarks.backends`` from the root of a checkout writes ``benchmarks/backends.rst``. It
needs ``skcvstats[dask]``.
"""

import os
import time
from contextlib import ExitStack
from pathlib import Path

import joblib
import numpy as np
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB

from skcvstats import RepeatedSubsampleSplit, compare_estimators

N_TURNS = 3
# By name: number of rows, number of splits, trees of the forest.
SIZES = {"quick": (500, 100, 2), "slow": (2000, 30, 20)}
TOP = """\
Backends
========

The same fits with each of joblib's backends: two workers, by turns in one run. Other programs used
the machine too, so times are rough (load average {1:.1f} on {0} cores). In the first turn workers
start and import. The last two columns are medians of {2} later turns; the ratio is to ``n_jobs=1``
in the same turn, and two idle cores without overhead would have 0.5. The scores were equal in every
turn, bit for bit. ``python -m benchmarks.backends`` makes this page.

.. list-table::
   :header-rows: 1

   * - fits
     - backend
     - first turn, seconds
     - seconds
     - ratio
"""


def compare(size, backend):
    """Return the seconds of a comparison, and its scores."""
    n_rows, n_splits, n_trees = SIZES[size]
    X, y = make_classification(n_rows, random_state=0)
    models = {"bayes": GaussianNB(), "forest": RandomForestClassifier(n_trees, random_state=0)}
    cv = RepeatedSubsampleSplit(n_splits, random_state=0)
    started = time.perf_counter()
    with joblib.parallel_config(**backend):
        scores = compare_estimators(models, X, y, cv=cv).scores
    return time.perf_counter() - started, scores


def rows_of(size, backends, n_turns=N_TURNS):
    """Return the rows of the table for fits of one size; the first backend is the reference."""
    seconds = np.empty((1 + n_turns, len(backends)))
    for turn in seconds:
        found = [compare(size, backend) for backend in backends.values()]
        turn[:] = [spent for spent, _ in found]
        alone = found[0][1]
        for name, (_, scores) in zip(backends, found, strict=True):
            assert np.array_equal(scores.values, alone.values), name
    warm = seconds[1:]
    fits = f"{size}: {alone.size} of {np.median(warm[:, 0]) / alone.size * 1e3:.0f} ms"
    columns = seconds[0], np.median(warm, axis=0), np.median(warm / warm[:, :1], axis=0)
    return [
        (fits, name, *(f"{value:.2f}" for value in values))
        for name, *values in zip(backends, *columns, strict=True)
    ]


def main():
    from dask.distributed import Client, LocalCluster

    backends = {
        "``n_jobs=1``": {"n_jobs": 1},
        **{name: {"backend": name, "n_jobs": 2} for name in ("loky", "threading")},
        "dask": {"backend": "dask"},
    }
    with ExitStack() as stack:
        cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0")
        stack.enter_context(Client(stack.enter_context(cluster)))
        rows = [row for size in SIZES for row in rows_of(size, backends)]
    page = TOP.format(os.cpu_count(), os.getloadavg()[1], N_TURNS)
    page += "".join("   * - " + "\n     - ".join(row) + "\n" for row in rows)
    Path(__file__).with_suffix(".rst").write_text(page)


if __name__ == "__main__":
    main()
