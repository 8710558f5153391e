"""The average precision without each unit is scikit-learn's of the rows that are left."""

import numpy as np
import pytest
from sklearn.metrics import average_precision_score

from skcvstats import predictions_inference
from skcvstats.fitting import without_each


def drawn(seed, n_rows=60):
    """Return a target with positives in several groups, and scores of few values."""
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=n_rows)
    y[:8] = 1
    return y, rng.integers(1, 30, n_rows) / 7


GROUPS = {
    "of_one_row": np.arange(60),
    "that_are_equal": np.arange(60) // 4,
    "of_rows_here_and_there": np.arange(60) % 7,
    "of_which_one_is_large": np.maximum(np.arange(60) - 40, 0),
    "that_are_large": np.arange(60) // 20,
}


@pytest.mark.parametrize("name", GROUPS)
def test_average_precision_without_each_group(name):
    groups = np.random.default_rng(0).permutation(GROUPS[name])
    for seed in range(5):
        y, p = drawn(seed)
        found = without_each("average_precision_score", {}, y, p, units=groups)
        kept = [groups != group for group in range(groups.max() + 1)]
        wanted = [average_precision_score(y[rows], p[rows]) for rows in kept]
        np.testing.assert_allclose(found[1:], wanted, rtol=0, atol=1e-14)
        assert found[0] == pytest.approx(average_precision_score(y, p), rel=1e-14)


def test_it_is_not_defined_without_the_only_group_with_positives():
    y = np.repeat([1, 0, 0], 4)
    groups = np.arange(12) // 4
    found = without_each("average_precision_score", {}, y, np.arange(12.0), units=groups)
    assert np.isnan(found[1])
    assert found[2] > 0


def test_each_of_many_groups_of_a_test_set_is_left_out():
    # No random blocks of groups: the standard error is the jackknife's of all groups.
    y, p = drawn(1, 6_300)
    groups = np.arange(6_300) // 3
    found = predictions_inference(y, p, scoring="average_precision", groups=groups)
    whole, *without = without_each("average_precision_score", {}, y, p, units=groups)
    variance = np.square(without - np.mean(without)).sum() * 2_099 / 2_100
    assert found.estimate == pytest.approx(whole, rel=1e-12)
    assert found.standard_error == pytest.approx(np.sqrt(variance), rel=1e-9)
