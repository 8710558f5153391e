"""Closed forms in the entry points: next to refits, in workers, saved, switched off."""

import joblib
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

from skcvstats import CVScores, compare_estimators, cross_val_inference, cross_val_score
from skcvstats.model_selection import HalfSplitPairs, RepeatedSubsampleSplit
from tests.fitting.closed_forms.refits import (
    DESIGNS,
    OUTPUTS,
    SIGNAL,
    WEIGHTS,
    WIDE,
    WORDS,
    N,
    X,
    compare,
)

pytestmark = pytest.mark.filterwarnings("ignore:Only 8 splits")

MIXED = {
    "ridge": Ridge(),
    "tree": DecisionTreeRegressor(random_state=0),
    "neighbours": KNeighborsRegressor(),
    "mean": DummyRegressor(),
}
FAST_OF_MIXED = {"ridge": 8, "neighbours": 8, "mean": 8}


def test_switched_off_has_the_bits_of_cross_validate():
    cv = DESIGNS["subsample"]
    result = compare(MIXED, SIGNAL, cv, "r2", fast_paths=False)
    assert result.scores.provenance["fast_paths"] == {}
    for name, model in MIXED.items():
        expected = cross_validate(model, X, SIGNAL, cv=cv)["test_score"]
        np.testing.assert_array_equal(result.scores[name].values, expected)


def test_cross_val_score_always_refits():
    scores = cross_val_score(Ridge(), X, SIGNAL, cv=DESIGNS["subsample"])
    assert scores.provenance["fast_paths"] == {}
    expected = cross_validate(Ridge(), X, SIGNAL, cv=DESIGNS["subsample"])["test_score"]
    np.testing.assert_array_equal(scores.values, expected)


@pytest.mark.parametrize("backend", ["loky", "threading"])
@pytest.mark.parametrize("n_jobs", [2, -1])
def test_scores_do_not_depend_on_the_workers(backend, n_jobs):
    cv = [
        *RepeatedSubsampleSplit(6, random_state=0).split(X),
        *HalfSplitPairs(1, 4, random_state=0).split(X),
    ]
    one = compare(MIXED, SIGNAL, cv, "r2", n_jobs=1).scores
    with joblib.parallel_config(backend=backend):
        many = compare(MIXED, SIGNAL, cv, "r2", n_jobs=n_jobs).scores
    np.testing.assert_array_equal(one.values, many.values)
    assert one.design == many.design
    assert one.provenance == many.provenance


def test_only_splits_that_were_left_are_refitted():
    # The halves have fewer training rows than columns, the whole has not.
    data, y = WIDE[:, :50], SIGNAL
    splits = [
        *RepeatedSubsampleSplit(8, random_state=0).split(data),
        *HalfSplitPairs(1, 2, random_state=0).split(data),
    ]
    models = {"plain": LinearRegression(), "ridge": Ridge()}
    scores = compare(models, y, splits, "r2", X=data).scores
    assert scores.provenance["fast_paths"] == {"plain": 8, "ridge": 12}
    expected = cross_validate(models["plain"], data, y, cv=splits)["test_score"]
    np.testing.assert_array_equal(scores["plain"].values[8:], expected[8:])
    np.testing.assert_allclose(scores["plain"].values, expected, rtol=1e-9)


def test_design_and_digests_are_those_of_refits():
    cv = RepeatedSubsampleSplit(12, random_state=0)
    fast, slow = (compare(MIXED, SIGNAL, cv, "r2", fast_paths=one).scores for one in (True, False))
    assert fast.design == slow.design
    assert fast.labels == slow.labels


def test_counts_survive_saving(tmp_path):
    scores = compare(MIXED, SIGNAL, DESIGNS["subsample"], "r2").scores
    assert scores.provenance["fast_paths"] == FAST_OF_MIXED
    scores.save(tmp_path / "scores.json")
    assert CVScores.load(tmp_path / "scores.json").provenance["fast_paths"] == FAST_OF_MIXED


def test_times_are_spread_evenly():
    scores = compare(MIXED, SIGNAL, DESIGNS["subsample"], "r2").scores
    for times in (scores["ridge"].fit_times, scores["ridge"].score_times):
        assert (times == times[0]).all()
        assert times[0] > 0


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_progress_counts_all_fits(n_jobs, capsys, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "tqdm", None)
    compare(MIXED, SIGNAL, DESIGNS["subsample"], "r2", n_jobs=n_jobs, verbose=1)
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1].split()[1] == "32/32"


@pytest.mark.parametrize("index", [None, np.arange(1000, 1000 + N)])
def test_frames_and_series_against_cross_validate(index):
    frame = pd.DataFrame(X, columns=list("abcde"), index=index).assign(f=np.arange(N) % 4)
    cases = [
        (Ridge(), pd.Series(SIGNAL, index=index)),
        (LinearRegression(), pd.DataFrame(OUTPUTS, index=index)),
        (LinearDiscriminantAnalysis(), pd.Series(WORDS, index=index, dtype="category")),
        (KNeighborsClassifier(), pd.Series(WORDS, index=index)),
    ]
    for model, y in cases:
        result = cross_val_inference(model, frame, y, cv=DESIGNS["subsample"])
        expected = cross_validate(model, frame, y, cv=DESIGNS["subsample"])["test_score"]
        assert result.estimate == pytest.approx(expected.mean(), rel=1e-9)
        assert result.standard_error == pytest.approx(
            np.sqrt(result.correction) * expected.std(ddof=1), rel=1e-7
        )
        assert list(result.scores.provenance["fast_paths"].values()) == [8]


def test_weights_of_fits_against_cross_validate():
    params = {"sample_weight": WEIGHTS}
    models = {"ridge": Ridge(), "tree": DecisionTreeRegressor(random_state=0)}
    scores = compare(models, SIGNAL, DESIGNS["subsample"], "r2", params=params).scores
    assert scores.provenance["fast_paths"] == {"ridge": 8}
    for name, model in models.items():
        expected = cross_validate(model, X, SIGNAL, cv=DESIGNS["subsample"], params=params)[
            "test_score"
        ]
        np.testing.assert_allclose(scores[name].values, expected, rtol=1e-9)


def test_data_are_left_alone():
    data, y = X.copy(), SIGNAL.copy()
    compare(MIXED, y, DESIGNS["subsample"], "r2", X=data)
    np.testing.assert_array_equal(data, X)
    np.testing.assert_array_equal(y, SIGNAL)
    data = StandardScaler().fit_transform(X)
    models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    compare(models, WORDS, DESIGNS["subsample"], "accuracy", X=data)
    assert not vars(models["bayes"]).keys() & {"theta_", "classes_"}


@pytest.mark.parametrize("fast_paths", [None, "yes", 1])
def test_fast_paths_must_be_a_flag(fast_paths):
    with pytest.raises(TypeError, match=r"fast_paths=.* must be True or False"):
        compare_estimators(MIXED, X, SIGNAL, fast_paths=fast_paths)
