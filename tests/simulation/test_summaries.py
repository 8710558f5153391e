"""Counts over data sets, against the tests of one data set at a time."""

import numpy as np
import pytest

from skcvstats.simulation._summaries import rejection_counts
from skcvstats.stats import Pivot
from skcvstats.stats._location import rejects


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("n_data_sets", [3, 3000, 20_000])
def test_rejections_are_those_of_each_null_value(n_data_sets, alternative):
    rng = np.random.default_rng(0)
    estimate, error = rng.normal(size=n_data_sets), np.sqrt(rng.chisquare(4, n_data_sets))
    estimate[0], error[0] = 0.5, 0.0  # rejects all but the estimate
    pivot = Pivot(estimate, error, 4.0, np.abs(estimate), np.nan)
    grid = np.linspace(-3, 4, 15)
    assert 0.5 in grid
    expected = [np.count_nonzero(rejects(pivot, null, alternative, 0.1)) for null in grid]
    assert rejection_counts(pivot, grid, alternative, 0.1).tolist() == expected
    assert rejection_counts(pivot, grid[:0], alternative, 0.1).tolist() == []
