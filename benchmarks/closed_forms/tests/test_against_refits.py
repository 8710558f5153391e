"""Closed forms against plain loops of refits, model by model."""

from functools import partial

import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.linear_model import LinearRegression, Ridge, RidgeClassifier
from sklearn.model_selection import KFold
from sklearn.neighbors import KNeighborsClassifier

from benchmarks.closed_forms import _normal_equations
from benchmarks.closed_forms._registry import CLOSED_FORMS
from benchmarks.closed_forms.tests.refits import (
    BINARY,
    CLASSIFIERS,
    CODES,
    DESIGNS,
    OUTPUTS,
    REGRESSORS,
    SIGNAL,
    WEIGHTS,
    WIDE,
    WORDS,
    X,
    splits_to_answer,
)
from benchmarks.closed_forms.tests.refits import assert_like_refits as assert_all_like_refits
from skcvstats.model_selection import HalfSplitPairs, RepeatedSubsampleSplit

# A closed form answers the splits of a batch together.
assert_like_refits = partial(assert_all_like_refits, every=2)


def test_every_closed_form_is_tested():
    tested = {type(one) for one in (*REGRESSORS.values(), *CLASSIFIERS.values())}
    assert tested == set(CLOSED_FORMS)


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("name", REGRESSORS)
def test_regressors_against_refits(name, design):
    model, cv = REGRESSORS[name], DESIGNS[design]
    assert assert_like_refits(model, X, SIGNAL, cv) == splits_to_answer(model, design)


@pytest.mark.parametrize("name", REGRESSORS)
@pytest.mark.parametrize("y", [OUTPUTS, np.rint(SIGNAL).astype(int), OUTPUTS.round()])
def test_kinds_of_targets_against_refits(name, y):
    assert len(assert_like_refits(REGRESSORS[name], X, y, DESIGNS["half pairs"])) == 8


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_classifiers_against_refits(name, design):
    model, cv = CLASSIFIERS[name], DESIGNS[design]
    assert assert_like_refits(model, X, WORDS, cv) == splits_to_answer(model, design)


@pytest.mark.parametrize("name", CLASSIFIERS)
@pytest.mark.parametrize("y", [BINARY, CODES - 1, CODES.astype(float), WORDS.astype(object)])
def test_kinds_of_classes_against_refits(name, y):
    assert len(assert_like_refits(CLASSIFIERS[name], X, y, DESIGNS["subsample"])) == 8


def test_neighbours_by_two_jobs_against_refits():
    model = KNeighborsClassifier(n_jobs=2)
    assert len(assert_like_refits(model, X, WORDS, DESIGNS["subsample"])) == 8


@pytest.mark.parametrize("model", [LinearRegression(), Ridge(3), RidgeClassifier(3)])
@pytest.mark.parametrize("design", DESIGNS)
def test_weights_against_refits(model, design):
    y = WORDS if is_classifier(model) else SIGNAL
    cv = DESIGNS[design]
    answered = assert_like_refits(model, X, y, cv, {"sample_weight": WEIGHTS})
    assert len(answered) == 8


@pytest.mark.parametrize("design", ["subsample", "one test row", "half pairs"])
@pytest.mark.parametrize(
    ("model", "y"),
    [
        (Ridge(10), SIGNAL),
        (Ridge(10, fit_intercept=False), OUTPUTS),
        (Ridge(np.array([1.0, 20.0, 1.0])), OUTPUTS),
        (RidgeClassifier(10), WORDS),
    ],
)
def test_more_columns_than_rows_against_refits(model, y, design):
    assert assert_like_refits(model, WIDE, y, DESIGNS[design])
    # Columns more than training rows, but not than rows.
    assert assert_like_refits(model, WIDE[:, :80], y, DESIGNS[design])


def test_either_form_of_the_identity_against_refits(monkeypatch):
    # Few test rows and many columns go by rows; made to go by columns they answer alike.
    cv = KFold(30, shuffle=True, random_state=0)
    used = []
    by_rows = _normal_equations.Rows._by_rows
    monkeypatch.setattr(
        _normal_equations.Rows, "_by_rows", lambda *args: used.append(1) or by_rows(*args)
    )
    for model in (LinearRegression(), Ridge(2.0)):
        assert len(assert_like_refits(model, WIDE[:, :40], SIGNAL, cv)) == 30
    assert used
    monkeypatch.setattr(_normal_equations.Rows, "_has_few_rows", lambda *_: False)
    used.clear()
    for model in (LinearRegression(), Ridge(2.0)):
        assert len(assert_like_refits(model, WIDE[:, :40], SIGNAL, cv)) == 30
    assert not used


@pytest.mark.parametrize("load", [load_breast_cancer, load_wine, load_iris])
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_real_classes_against_refits(name, load):
    data, y = load(return_X_y=True)
    model = clone(CLASSIFIERS[name])
    if "weighted" in name:
        model.set_params(metric_params={"w": np.arange(1.0, data.shape[1] + 1)})
    answered = assert_like_refits(model, data, y, RepeatedSubsampleSplit(4, random_state=0))
    if name in ("ridge", "naive Bayes", "discriminants", "prior"):
        assert answered == [0, 1, 2, 3]


@pytest.mark.parametrize("name", REGRESSORS)
def test_real_numbers_against_refits(name):
    data, y = load_diabetes(return_X_y=True)
    cv = HalfSplitPairs(2, 2, random_state=0)
    assert assert_like_refits(REGRESSORS[name], data, y, cv) == list(range(8))
