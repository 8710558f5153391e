"""How often the jackknife of a test set, and the bootstrap's standard error, miss equal models."""

import numpy as np
import pytest

from skcvstats import compare_scores
from skcvstats.test_set import BootstrapTest
from skcvstats.test_set._bootstrap import bootstrap_scores
from tests.conftest import ignoring

from .settings import data_sets

pytestmark = [pytest.mark.calibration, ignoring("Anticonservative", "SplitDesign")]

MOST = 0.08


def bootstrap_of_medians(rng, errors, n_resamples=2_000):
    """Return minus the median absolute errors of models, of samples of rows, without each row."""
    errors = np.abs(errors)
    n_rows = errors.shape[1]
    samples = rng.integers(0, n_rows, (n_resamples, n_rows))
    others = np.array([np.delete(np.arange(n_rows), row) for row in range(n_rows)])
    replicates = [np.median(model[samples], axis=1) for model in errors]
    left_out = [np.median(model[others], axis=1) for model in errors]
    return -np.median(errors, axis=1), -np.array(replicates), -np.array(left_out)


@pytest.mark.parametrize("law", ["normal", "exponential"])
def test_median_errors_by_the_standard_error_of_the_bootstrap(law):
    n_sets = data_sets(600)
    n_rows = 60
    shown = 0
    for seed in range(n_sets):
        rng = np.random.default_rng([64, seed])
        errors = getattr(rng, "standard_" + law)((3, n_rows))
        errors = errors[:2] + 0.5 * errors[2]
        facts = {"labels": ("a", "b"), "metric": "minus the median", "n_rows": n_rows}
        facts |= {"n_groups": n_rows, "grouped": False}
        scores = bootstrap_scores(*bootstrap_of_medians(rng, errors), **facts)
        (pair,) = compare_scores(scores, method=BootstrapTest())
        assert pair.test.df == n_rows - 1
        shown += pair.test.pvalue < 0.05
    assert shown / n_sets <= MOST
