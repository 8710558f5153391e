"""Metrics of the order of rows, of several labels: without each row they have a closed form."""

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from skcvstats.fitting import without_each_of_runs

N = 40
RANDOM = np.random.default_rng(0)
LABELS = (RANDOM.random((N, 3)) < [0.3, 0.5, 0.7]).astype(int)
CHANCES = np.round(RANDOM.random((N, 3)) + 0.5 * LABELS, 1)  # some of them equal
WEIGHTS = 1.0 + np.arange(N) % 3
GROUPS = np.arange(N) // 4
CASES = [
    *((roc_auc_score, average, {}) for average in ("macro", "weighted", "micro")),
    (roc_auc_score, "macro", {"weights": WEIGHTS}),
    (roc_auc_score, "weighted", {"weights": WEIGHTS, "units": GROUPS}),
    (roc_auc_score, "micro", {"units": GROUPS}),
    (average_precision_score, "macro", {}),
    (average_precision_score, "weighted", {}),
]


def brute_force(function, average, weights=None, units=None):
    units = np.arange(N) if units is None else units
    kept = [np.arange(N), *(np.flatnonzero(units != unit) for unit in np.unique(units))]
    return [
        function(
            LABELS[rows],
            CHANCES[rows],
            average=average,
            sample_weight=None if weights is None else weights[rows],
        )
        for rows in kept
    ]


@pytest.mark.parametrize(("function", "average", "more"), CASES)
def test_closed_forms_are_the_metric_without_each_unit(function, average, more):
    options = {"average": average}
    name = function.__name__
    (found,) = without_each_of_runs(name, options, LABELS, [CHANCES], **more)
    np.testing.assert_allclose(found, brute_force(function, average, **more), rtol=1e-12)


def test_a_label_of_one_row_is_left_as_it_is_without_it():
    labels = LABELS.copy()
    labels[:, 0] = np.arange(N) == 3
    for function in (roc_auc_score, average_precision_score):
        (found,) = without_each_of_runs(function.__name__, {}, labels, [CHANCES])
        others = np.delete(labels, 3, axis=0), np.delete(CHANCES, 3, axis=0)
        first = function(labels[:, 0], CHANCES[:, 0])
        rest = [function(others[0][:, k], others[1][:, k]) for k in (1, 2)]
        assert found[4] == pytest.approx(np.mean([first, *rest]))
