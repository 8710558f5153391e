"""Max-t of many models and a bootstrap are interrupted."""

import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest
from sklearn.metrics import make_scorer

from skcvstats import SplitDesign, compare_predictions, compare_scores
from tests.comparison.max_t import draw_for_minutes
from tests.processes import end, start

RNG = np.random.default_rng(0)


def draw_max_t():
    draw_for_minutes()
    design = SplitDesign(n_train=[90] * 15, n_test=[10] * 15, n_samples=100)
    scores = RNG.normal(size=(60, 15))
    result = compare_scores(scores, design=design, metric="accuracy", verbose=1)
    result.best_set()


n_calls = 0


def own_metric(y, predicted):
    """Say when replicates are computed."""
    global n_calls
    n_calls += 1
    if n_calls == 100:
        print("started", flush=True)
    return float(np.mean(np.abs(y - predicted)) ** 0.5)


def draw_replicates():
    y = RNG.normal(size=20_000)
    models = {"a": y + RNG.normal(size=y.size), "b": y + RNG.normal(size=y.size)}
    how = {"scoring": make_scorer(own_metric), "method": "bootstrap", "n_resamples": 10**6}
    compare_predictions(y, models, **how)


@pytest.mark.processes
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to another process there")
@pytest.mark.parametrize("what", ["max_t", "bootstrap"])
def test_interrupt_leaves_at_once(what):
    """What would take minutes ends, though nobody else ends it within ten minutes."""
    module = ["-m", "tests.comparison.test_interrupts", what]
    process = start(module, stdout=subprocess.PIPE, env={**os.environ, "OMP_NUM_THREADS": "1"})
    guard = threading.Timer(600, process.kill)
    guard.start()
    try:
        assert process.stdout.readline() == "started\n"
        os.kill(process.pid, signal.SIGINT)
        assert process.stdout.read() == "interrupted\n"
        assert process.wait() == 0
    finally:
        guard.cancel()
        end(process)


if __name__ == "__main__":
    try:
        {"max_t": draw_max_t, "bootstrap": draw_replicates}[sys.argv[1]]()
    except KeyboardInterrupt:
        print("interrupted", flush=True)
