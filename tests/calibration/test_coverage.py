"""Intervals of average precision and R2, and families of learning curves cover."""

import warnings

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import average_precision_score

from skcvstats import compare_predictions, learning_curve_inference, predictions_inference
from tests.simulation.studies import Mean

from .settings import data_sets

pytestmark = pytest.mark.calibration


def drawn(rng, n, groups, metric, share):
    """Return a target and the predictions of two models, whose rows in a group are alike."""

    def noise():
        own = rng.normal(size=n)
        return own if groups is None else (own + rng.normal(size=n)[groups]) / np.sqrt(2)

    x, y = noise(), noise()
    y = x + y
    if metric == "r2":
        return y, {"a": 0.9 * x, "b": 0.7 * x + 0.2 * rng.normal(size=n)}
    y = (y > np.sqrt(2) * stats.norm.isf(share)).astype(int)
    return y, {"a": x + 0.5 * rng.normal(size=n), "b": np.round(x + 0.8 * rng.normal(size=n), 1)}


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize(("metric", "share"), [("r2", 0), ("average_precision", 0.1)])
def test_coverage(metric, share, grouped):
    n, n_sets = 3000, data_sets(60)
    groups = np.arange(n) // 3 if grouped else None
    truth = {"a": 1 - 1.01 / 2, "b": 1 - 1.13 / 2}
    if metric != "r2":
        y, large = drawn(np.random.default_rng(1), 1_000_000, None, metric, share)
        truth = {name: average_precision_score(y, values) for name, values in large.items()}
    misses = np.zeros(3)
    options = {"scoring": metric, "method": "jackknife_t", "groups": groups}
    for seed in range(n_sets):
        y, given = drawn(np.random.default_rng([2, seed]), n, groups, metric, share)
        (pair,) = compare_predictions(y, given, **options)
        wanted = [truth["a"], truth["b"], truth[pair.estimator] - truth[pair.versus]]
        found = [predictions_inference(y, given[name], **options) for name in "ab"]
        for k, (test, value) in enumerate(zip([*found, pair.test], wanted, strict=True)):
            low, high = test.confidence_interval()
            misses[k] += not low <= value <= high
    least, most = stats.binom.ppf([0.0005, 0.9995], n_sets, [0.045, 0.06])
    assert least <= misses.min()
    assert misses.max() <= most


N_ROWS, SIZES, N_DATA_SETS = 60, (6, 12, 48), data_sets(40)


def test_families_of_a_learning_curve_cover():
    # Of normal rows of variance 1 the expected squared error at n rows is 1 + 1/n.
    true = -1 - 1 / np.array(SIZES)
    gains = np.diff(true)
    missed = np.zeros(2)
    for seed in range(N_DATA_SETS):
        y = np.random.default_rng(seed).normal(size=N_ROWS)
        with warnings.catch_warnings(action="ignore"):
            how = {"train_sizes": SIZES, "scoring": "neg_mean_squared_error", "random_state": seed}
            found = learning_curve_inference(Mean(), np.zeros((N_ROWS, 1)), y, **how)
        frame = found.to_frame(full=True)
        scores = (frame["low"] <= true) & (true <= frame["high"])
        of_gains = frame.iloc[1:]
        gained = (of_gains["gain_low"] <= gains) & (gains <= of_gains["gain_high"])
        missed += [not scores.all(), not gained.all()]
    # 99.9 % bounds of a family that misses in 5 %; of gains the specification has .008 and less.
    most = 0.05 + 3.3 * np.sqrt(0.05 * 0.95 / N_DATA_SETS)
    assert (missed / N_DATA_SETS <= most).all()
