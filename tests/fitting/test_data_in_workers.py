"""Data of every kind in workers: the same scores as without them, bit for bit."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from joblib import parallel_config
from sklearn import config_context
from sklearn.compose import make_column_transformer
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeRegressor

from skcvstats import FitError, RepeatedSubsampleSplit, compare_estimators
from tests.fitting.estimators import NeedsConfig, flattened, without_a_column
from tests.fitting.work import X, Y, two

pytestmark = pytest.mark.processes
RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(X, columns=list("abcd"), index=RNG.permutation(150) + 1000)
FRAME["colour"] = np.array(["red", "green"])[RNG.integers(2, size=150)]
TEXTS = [" ".join(f"word{int(10 * x)}" for x in row) for row in X]
NUMBERS = np.column_stack([X[:, 0], X[:, 1] ** 2])
KERNEL = X @ X.T
mixed = make_column_transformer((OneHotEncoder(), ["colour"]), remainder=StandardScaler())
images = FunctionTransformer(flattened)
# By name: two estimators, data, target, metric.
DATA = {
    "fortran order": (GaussianNB(), SVC(), np.asfortranarray(X), Y, "accuracy"),
    "float32": (GaussianNB(), SVC(), X.astype(np.float32), Y, "accuracy"),
    "mixed frame": (
        make_pipeline(mixed, LogisticRegression()),
        make_pipeline(FunctionTransformer(without_a_column), GaussianNB()),
        FRAME,
        pd.Series(Y, index=FRAME.index).astype(str),
        "f1_macro",
    ),
    "sparse rows": (SVC(), LogisticRegression(max_iter=500), sp.csr_array(X), Y, "accuracy"),
    "sparse columns": (SVC(), LogisticRegression(max_iter=500), sp.csc_array(X), Y, "accuracy"),
    "texts": (
        make_pipeline(TfidfVectorizer(), LogisticRegression()),
        make_pipeline(CountVectorizer(), MultinomialNB()),
        TEXTS,
        Y,
        "accuracy",
    ),
    "kernel": (
        SVC(kernel="precomputed"),
        SVC(kernel="precomputed", C=0.01),
        KERNEL,
        Y,
        "accuracy",
    ),
    "three dimensions": (
        make_pipeline(images, GaussianNB()),
        make_pipeline(images, SVC()),
        X.reshape(150, 2, 2),
        Y,
        "accuracy",
    ),
    "several outputs": (Ridge(), DecisionTreeRegressor(random_state=0), X, NUMBERS, "r2"),
}


CV = RepeatedSubsampleSplit(10, random_state=0)


@cache
def without_workers(kind):
    """Return the scores of a kind of data."""
    a, b, data, target, metric = DATA[kind]
    return compare_estimators(two(a, b), data, target, scoring=metric, cv=CV).scores.values


class TestDataInWorkers:
    """The same scores in workers as without them, bit for bit."""

    @pytest.mark.usefixtures("no_warning_is_an_error")
    @pytest.mark.parametrize(
        ("kind", "backend"),
        [*((kind, "loky") for kind in DATA), *((kind, "threading") for kind in list(DATA)[::3])],
    )
    def test_of_every_kind(self, kind, backend):
        a, b, data, target, metric = DATA[kind]
        with parallel_config(backend=backend, n_jobs=2):
            result = compare_estimators(two(a, b), data, target, scoring=metric, cv=CV)
        np.testing.assert_array_equal(result.scores.values, without_workers(kind))

    @pytest.mark.filterwarnings("ignore:Only 4 splits", "ignore:.* equal a training row")
    @pytest.mark.parametrize("n_jobs", [1, 2])
    def test_mapped_from_a_file_and_too_large_to_send(self, tmp_path, n_jobs):
        rows = np.tile(X, (230, 1))  # 1.1 MB, past joblib's limit for sending
        np.save(tmp_path / "X.npy", rows)
        mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
        target = np.tile(Y, 230)
        # The first writes into its rows: workers must not share them.
        spoiling = make_pipeline(StandardScaler(copy=False), GaussianNB())
        models = two(spoiling, NearestCentroid())
        cv = RepeatedSubsampleSplit(4, random_state=0)
        expected = compare_estimators(models, rows, target, cv=cv).scores.values
        for data in (rows, mapped):
            result = compare_estimators(models, data, target, cv=cv, n_jobs=n_jobs)
            np.testing.assert_array_equal(result.scores.values, expected)
        np.testing.assert_array_equal(rows, np.tile(X, (230, 1)))

    @pytest.mark.parametrize("backend", ["loky", "threading"])
    def test_under_the_configuration_of_the_caller(self, backend):
        models = two(NeedsConfig(), GaussianNB())
        with config_context(assume_finite=True), parallel_config(backend=backend, n_jobs=2):
            assert compare_estimators(models, X, Y, cv=CV).tests[0].n_splits == 10
        with pytest.raises(FitError, match="did not arrive"):
            compare_estimators(models, X, Y, cv=CV)
