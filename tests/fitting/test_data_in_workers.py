"""Data of every kind in workers: the scores of cross_validate, bit for bit."""

import numpy as np
import pytest
from joblib import parallel_config
from sklearn import config_context
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcvstats import FitError, RepeatedSubsampleSplit, compare_estimators, cross_val_score
from tests.fitting.against_sklearn import sklearn_scores
from tests.fitting.estimators import NeedsConfig
from tests.fitting.test_against_cross_validate import CASES
from tests.fitting.work import X, Y, two

pytestmark = pytest.mark.processes
KINDS = [
    *("fortran, accuracy", "float32, neg_log_loss", "csr, neg_log_loss", "csc, accuracy"),
    *("strings in a frame", "texts", "precomputed kernel", "three dimensions"),
    "outputs in a frame",
]


@pytest.mark.usefixtures("no_warning_is_an_error")
@pytest.mark.parametrize(
    ("kind", "backend"),
    [*((kind, "loky") for kind in KINDS), *((kind, "threading") for kind in KINDS[::3])],
)
def test_of_every_kind(kind, backend):
    model, data, target, metric, cv = CASES[kind]
    with parallel_config(backend=backend, n_jobs=2):
        scores = cross_val_score(model, data, target, scoring=metric, cv=cv)
    expected = sklearn_scores(model, data, target, metric, cv)["score"]
    np.testing.assert_array_equal(scores.values, expected)


@pytest.mark.filterwarnings("ignore:Only 4 splits", "ignore:.* equal a training row")
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_mapped_from_a_file_and_too_large_to_send(tmp_path, n_jobs):
    rows = np.tile(X, (230, 1))  # 1.1 MB, past joblib's limit for sending
    np.save(tmp_path / "X.npy", rows)
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    target = np.tile(Y, 230)
    # The first writes into its rows: workers must not share them.
    models = two(make_pipeline(StandardScaler(copy=False), GaussianNB()), NearestCentroid())
    cv = RepeatedSubsampleSplit(4, random_state=0)
    options = {"cv": cv, "n_jobs": n_jobs}
    found = [compare_estimators(models, it, target, **options).scores for it in (rows, mapped)]
    for name, model in models.items():
        expected = sklearn_scores(model, rows.copy(), target, "accuracy", cv)["score"]
        for scores in found:
            np.testing.assert_array_equal(scores[name].values, expected)
    np.testing.assert_array_equal(rows, np.tile(X, (230, 1)))


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_under_the_configuration_of_the_caller(backend):
    models, cv = two(NeedsConfig(), GaussianNB()), RepeatedSubsampleSplit(10, random_state=0)
    with config_context(assume_finite=True), parallel_config(backend=backend, n_jobs=2):
        assert compare_estimators(models, X, Y, cv=cv).tests[0].n_splits == 10
    with pytest.raises(FitError, match="did not arrive"):
        compare_estimators(models, X, Y, cv=cv)
