"""Closed forms next to refits, on frames and with weights; in simulate."""

import numpy as np
import pandas as pd
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from benchmarks.closed_forms import records
from benchmarks.closed_forms.tests.refits import (
    DESIGNS,
    OUTPUTS,
    SIGNAL,
    WEIGHTS,
    WIDE,
    WORDS,
    N,
    X,
    measure,
)
from skcvstats.model_selection import HalfSplitPairs, RepeatedSubsampleSplit
from skcvstats.simulation import simulate

MIXED = {
    "ridge": Ridge(),
    "tree": DecisionTreeRegressor(random_state=0),
    "neighbours": KNeighborsRegressor(),
    "mean": DummyRegressor(),
}


def line(random_state):
    """A straight line with noise."""
    X = random_state.normal(size=(40, 2))
    return X, X[:, 0] + random_state.normal(size=40)


def test_a_study_takes_the_records_of_closed_forms():
    models = {"mean": DummyRegressor(), "ridge": Ridge()}
    options = {"n_data_sets": 4, "random_state": 3}
    refits = simulate(line, models, ["resampled_t", "conservative_z"], **options)
    closed = simulate(line, models, ["resampled_t", "conservative_z"], **options, records=records)
    assert not np.array_equal(closed.estimates, refits.estimates)  # they round otherwise
    np.testing.assert_allclose(closed.estimates, refits.estimates, rtol=1e-9)
    np.testing.assert_allclose(closed.standard_errors, refits.standard_errors, rtol=1e-7)


def test_only_splits_that_were_left_are_refitted():
    # The halves have fewer training rows than columns, the whole has not.
    data, y = WIDE[:, :50], SIGNAL
    splits = [
        *RepeatedSubsampleSplit(8, random_state=0).split(data),
        *HalfSplitPairs(1, 2, random_state=0).split(data),
    ]
    models = {"plain": LinearRegression(), "ridge": Ridge()}
    found = measure(models, y, splits, "r2", X=data)
    assert found.counts == {"plain": 8, "ridge": 12}
    expected = cross_validate(models["plain"], data, y, cv=splits)["test_score"]
    np.testing.assert_array_equal(found.scores("plain", "r2")[8:], expected[8:])
    np.testing.assert_allclose(found.scores("plain", "r2"), expected, rtol=1e-9)


def test_times_are_spread_evenly():
    found = measure(MIXED, SIGNAL, DESIGNS["subsample"], "r2")
    times = {(one.fit_time, one.score_time) for one in found.records if one.estimator == 0}
    assert len(times) == 1
    assert min(times.pop()) > 0


@pytest.mark.parametrize("index", [None, np.arange(1000, 1000 + N)])
def test_frames_and_series_against_cross_validate(index):
    frame = pd.DataFrame(X, columns=list("abcde"), index=index).assign(f=np.arange(N) % 4)
    cases = [
        (Ridge(), pd.Series(SIGNAL, index=index), "r2"),
        (LinearRegression(), pd.DataFrame(OUTPUTS, index=index), "r2"),
        (
            LinearDiscriminantAnalysis(),
            pd.Series(WORDS, index=index, dtype="category"),
            "accuracy",
        ),
        (KNeighborsClassifier(), pd.Series(WORDS, index=index), "accuracy"),
    ]
    for model, y, metric in cases:
        found = measure({"one": model}, y, DESIGNS["subsample"], X=frame)
        expected = cross_validate(model, frame, y, cv=DESIGNS["subsample"])["test_score"]
        np.testing.assert_allclose(found.scores("one", metric), expected, rtol=1e-9)
        assert found.counts == {"one": 8}


def test_weights_of_fits_against_cross_validate():
    params = {"sample_weight": WEIGHTS}
    models = {"ridge": Ridge(), "tree": DecisionTreeRegressor(random_state=0)}
    found = measure(models, SIGNAL, DESIGNS["subsample"], "r2", params=params)
    assert found.counts == {"ridge": 8}
    for name, model in models.items():
        expected = cross_validate(model, X, SIGNAL, cv=DESIGNS["subsample"], params=params)
        np.testing.assert_allclose(found.scores(name, "r2"), expected["test_score"], rtol=1e-9)


def test_data_are_left_alone():
    data, y = X.copy(), SIGNAL.copy()
    measure(MIXED, y, DESIGNS["subsample"], "r2", X=data)
    np.testing.assert_array_equal(data, X)
    np.testing.assert_array_equal(y, SIGNAL)
    data = StandardScaler().fit_transform(X)
    models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    measure(models, WORDS, DESIGNS["subsample"], "accuracy", X=data)
    assert not vars(models["bayes"]).keys() & {"theta_", "classes_"}
