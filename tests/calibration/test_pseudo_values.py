"""How often the jackknife of a test set, and the bootstrap's standard error, miss equal models."""

import numpy as np
import pytest
from scipy import stats

from skcvstats import compare_predictions, compare_scores
from skcvstats.test_set import BootstrapTest
from tests.conftest import ignoring
from tests.test_set.components import bootstrap_scores_of

from .settings import data_sets

pytestmark = [pytest.mark.calibration, ignoring("Anticonservative", "SplitDesign")]

MOST = 0.08
OF_LABELS = ["f1", "matthews_corrcoef", "balanced_accuracy"]


def two_classifiers(rng, y, groups=None, correlation=0.4):
    """Return values of two equal models, with errors in common and errors of whole groups."""
    noise = rng.normal(size=(3, len(y)))
    if groups is not None:
        of_groups = rng.normal(size=(3, groups.max() + 1))[:, groups]
        noise = np.sqrt(0.6) * noise + np.sqrt(0.4) * of_groups
    common, *own = noise
    mixed = [np.sqrt(correlation) * common + np.sqrt(1 - correlation) * each for each in own]
    return dict(zip("ab", 1.5 * y + np.array(mixed), strict=True))


def cut_at(threshold, given):
    return {name: (values > threshold).astype(int) for name, values in given.items()}


def share_shown(draw, scoring, n_sets, **options):
    """Return how often two equal models are shown to differ at the 5 % level, for each metric."""
    shown = np.zeros(len(scoring))
    for seed in range(n_sets):
        y, given, of_rows = draw(np.random.default_rng([63, seed]))
        result = compare_predictions(y, given, scoring=scoring, **of_rows, **options)
        methods = {pair.test.method for pair in result}
        assert methods == {"jackknife_t"}
        shown += [pair.test.pvalue < 0.05 for pair in result]
    return shown / n_sets


def with_twenty_of_the_rarer_class(rng):
    y = rng.permutation(np.arange(200) < 20).astype(int)
    return y, cut_at(0.8, two_classifiers(rng, y)), {}


def test_labels_with_twenty_of_the_rarer_class():
    shown = share_shown(with_twenty_of_the_rarer_class, OF_LABELS, data_sets(1_000))
    assert (shown <= MOST).all()


def with_thirty_unequal_groups(rng):
    sizes = np.round(np.geomspace(1, 40, 30)).astype(int)
    groups = np.repeat(np.arange(30), sizes)
    liability = np.sqrt(0.4) * rng.normal(size=30)[groups]
    liability += np.sqrt(0.6) * rng.normal(size=len(groups))
    y = (liability > stats.norm.isf(0.3)).astype(int)
    return y, cut_at(0.8, two_classifiers(rng, y, groups)), {"groups": groups}


def test_thirty_unequal_groups():
    shown = share_shown(with_thirty_unequal_groups, OF_LABELS, data_sets(1_000))
    assert (shown <= MOST).all()


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
        scores = bootstrap_scores_of(
            *bootstrap_of_medians(rng, errors),
            n_rows=n_rows,
            n_groups=n_rows,
            grouped=False,
            metric="minus the median",
        )
        (pair,) = compare_scores(scores, method=BootstrapTest())
        assert pair.test.df == n_rows - 1
        shown += pair.test.pvalue < 0.05
    assert shown / n_sets <= MOST
