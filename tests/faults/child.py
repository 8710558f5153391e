"""Run the comparison of a case, and print its outcome in one line."""

import sys
import time
import warnings

import joblib
import numpy as np

from skcvstats import compare_estimators
from tests.faults.cases import CASES, COMPLETED, comparison


def expected(models, X, y, cv):
    """Return the scores by hand."""
    values = []
    for model in models.values():
        fits = [model.fit(X[train], y[train]).predict(X[test]) for train, test in cv.split(X, y)]
        truth = [y[test] for _, test in cv.split(X, y)]
        values.append([np.mean(a == b) for a, b in zip(fits, truth, strict=True)])
    return np.array(values)


def outcome(models, X, y, options):
    """Return the outcome of a comparison, as a line."""
    try:
        result = compare_estimators(models, X, y, **options)
    except BaseException as error:
        text = " ".join([str(error), *getattr(error, "__notes__", [])])
        return f"{type(error).__name__}: {' '.join(text.split())}"
    same = np.array_equal(result.scores.values, expected(models, X, y, options["cv"]))
    return COMPLETED if same else f"other scores than without fault: {result.scores.values}"


if __name__ == "__main__":
    name, backend, path = sys.argv[1:]
    warnings.simplefilter("ignore")
    n_jobs = 1 if backend == "sequential" else 2
    arguments = comparison(CASES[name], path)
    print("ready", flush=True)
    started = time.perf_counter()
    with joblib.parallel_config(backend=backend, n_jobs=n_jobs):
        line = outcome(*arguments)
    print(f"{time.perf_counter() - started:.2f} {line}", flush=True)
