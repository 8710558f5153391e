"""The simulation of joint inference: its tables, its verdicts and its own least squares."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

import benchmarks.joint_inference
from benchmarks.joint_inference import margins, refits, tables
from skcvstats import RepeatedSubsampleSplit, compare_estimators

RESULTS = Path(benchmarks.joint_inference.__file__).parent / "results"


def test_the_tables_are_of_the_results(tmp_path):
    written = {path.name for path in RESULTS.glob("*.csv")}
    for name in ("rates.csv", "counts.csv", "margins.csv", "refits.csv"):
        shutil.copy(RESULTS / name, tmp_path)
    tables.write(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == written
    for name in written:
        assert (tmp_path / name).read_text() == (RESULTS / name).read_text()


def test_least_squares_are_those_of_scikit_learn():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(60, 10))
    y = X.sum(axis=1) + rng.normal(size=60)
    chosen = [rng.permutation(10)[:4] for _ in range(3)]
    models = {
        f"seed {k}": make_pipeline(
            ColumnTransformer([("chosen", "passthrough", inputs)]),
            LinearRegression(fit_intercept=False),
        )
        for k, inputs in enumerate(chosen)
    }
    cv = RepeatedSubsampleSplit(refits.N_SPLITS, test_size=0.1, random_state=5)
    options = {"scoring": "neg_mean_squared_error"}
    expected = compare_estimators(models, X, y, cv=cv, **options)
    found = refits.random_inputs(5, 3, n_rows=60)
    np.testing.assert_allclose(found.scores.values, expected.scores.values, rtol=1e-5)


def test_neighbours_are_those_of_scikit_learn():
    rng = np.random.default_rng(6)
    X = rng.normal(size=(60, 10))
    y = np.sign(X.sum(axis=1) + rng.normal(size=60))
    models = {
        f"seed {k}": make_pipeline(
            ColumnTransformer([("chosen", "passthrough", rng.permutation(10)[:4])]),
            KNeighborsClassifier(5),
        )
        for k in range(3)
    }
    cv = RepeatedSubsampleSplit(refits.N_SPLITS, test_size=0.1, random_state=6)
    expected = compare_estimators(models, X, y, cv=cv, scoring="accuracy")
    found = refits.random_neighbours(6, 3, n_rows=60)
    np.testing.assert_allclose(found.scores.values, expected.scores.values, rtol=1e-12)


@pytest.mark.parametrize(
    ("kind", "true", "false"),
    [
        ("above by more", 1.1, 1.0),
        ("below by more", -1.1, -1.0),
        ("above by less", 1.0, 1.1),
        ("below by less", -1.0, 0.0),
        ("above", 0.1, 0.0),
        ("below", -0.1, 0.0),
        ("equivalent", 1.0, 1.1),
        ("not worse", -1.0, -1.1),
        ("not better", 1.0, 1.1),
    ],
)
def test_which_verdicts_are_false(kind, true, false):
    assert not margins.is_false(kind, true, 1)
    assert margins.is_false(kind, false, 1)
