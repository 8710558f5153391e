"""Rows copied before the splits are said on every road; resampling in a pipeline is silent."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GridSearchCV, KFold, ShuffleSplit, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from skcvstats import (
    ComparisonResult,
    CVScores,
    RepeatedSubsampleSplit,
    SplitDesign,
    SplitDesignWarning,
    compare_candidates,
    compare_estimators,
    compare_scores,
    cross_val_inference,
    cross_val_score,
)
from skcvstats.stats import get_procedure_names
from tests.cheap import NearestMean

CODE = "rows in training and test"
WORDS = "test rows equal a training row in X and y"
TWO = {"one": NearestMean(), "two": NearestMean(2)}


def noise(seed, n=120, minority=30):
    """Return data in which nothing can be learnt."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 5)), rng.permutation(np.arange(n) < minority).astype(int)


def oversampled(X, y, seed=0):
    """Repeat rows of class 1 until the classes are equally frequent."""
    rng = np.random.default_rng(seed)
    rare = np.flatnonzero(y == 1)
    rows = np.r_[np.arange(len(y)), rng.choice(rare, len(y) - 2 * rare.size)]
    return X[rows], y[rows]


class Oversampling(ClassifierMixin, BaseEstimator):
    """Oversamples its training rows only, as a pipeline of a resampler and a model does."""

    def __init__(self, model):
        self.model = model

    def fit(self, X, y):
        self.model_ = clone(self.model).fit(*oversampled(X, y))
        self.classes_ = self.model_.classes_
        return self

    def predict(self, X):
        return self.model_.predict(X)


def codes(notes):
    return [note.code for note in notes]


def one_nn_against_majority(X, y, scoring=None):
    models = {"1-NN": KNeighborsClassifier(1), "majority": DummyClassifier()}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = compare_estimators(models, X, y, scoring=scoring)
    said = [str(warning.message) for warning in caught if WORDS in str(warning.message)]
    assert len(said) == codes(result[0].notes).count(CODE) <= 1
    return result[0].test, bool(said)


@pytest.mark.calibration
def test_oversampled_noise():
    n_better = 0
    for seed in range(40):
        test, is_said = one_nn_against_majority(*oversampled(*noise(seed)))
        assert is_said
        n_better += test.pvalue < 0.05 and test.estimate > 0
    assert n_better >= 38


def test_oversampled_noise_once():
    test, is_said = one_nn_against_majority(*oversampled(*noise(0)))
    assert is_said
    assert test.pvalue < 0.01
    assert test.estimate > 0.1


def test_resampling_inside_the_model_is_silent():
    X, y = noise(0)
    models = {
        "1-NN": Oversampling(KNeighborsClassifier(1)),
        "majority": Oversampling(DummyClassifier()),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = compare_estimators(models, X, y, scoring="balanced_accuracy")
    assert result[0].test.pvalue > 0.05


def test_tripled_rows():
    X, y = load_breast_cancer(return_X_y=True)
    tripled = np.tile(X, (3, 1)), np.tile(y, 3)
    assert one_nn_against_majority(*tripled)[1]
    assert not one_nn_against_majority(X, y)[1]


X, Y = (np.tile(part, (2, 1)[: part.ndim]) for part in noise(0, 100, 50))
CV = RepeatedSubsampleSplit(5, random_state=0)


def by_compare_estimators(X, y, cv, groups):
    result = compare_estimators(TWO, X, y, cv=cv, groups=groups)
    assert f"Warnings were given of: {CODE}" in str(result) or groups is not None
    return result.scores


def by_cross_val_inference(X, y, cv, groups):
    return cross_val_inference(NearestMean(), X, y, cv=cv, groups=groups).scores


def by_saved_scores(X, y, cv, groups):
    scores = cross_val_score(NearestMean(), X, y, cv=cv, groups=groups)
    again = CVScores.from_json(scores.to_json())
    again.confidence_interval()
    return again


def by_a_saved_result(X, y, cv, groups):
    saved = compare_estimators(TWO, X, y, cv=cv, groups=groups).to_json()
    return ComparisonResult.from_json(saved).scores


def by_a_list_of_splits(X, y, cv, groups):
    splits = list(cv.split(X, y, groups))
    return compare_estimators(TWO, X, y, cv=splits, groups=groups).scores


def by_a_design(X, y, cv, groups):
    saved = {
        name: cross_validate(model, X, y, cv=cv, groups=groups)["test_score"]
        for name, model in TWO.items()
    }
    design = SplitDesign.from_splitter(cv, X, y, groups)
    return compare_scores(saved, scoring="accuracy", design=design).scores


def by_compare_candidates(X, y, cv, groups):
    search = GridSearchCV(NearestMean(), {"n_columns": [1, 2]}, cv=cv).fit(X, y, groups=groups)
    return compare_candidates(search, X, y, groups=groups, reference=None).scores


def by_some_splits(X, y, cv, groups):
    parts = [
        cross_val_score(NearestMean(), X, y, cv=cv, groups=groups, splits=part)
        for part in ([0, 1], [2, 3, 4])
    ]
    scores = CVScores.concatenate(parts)
    scores.confidence_interval()
    return scores


ROADS = (
    by_compare_estimators,
    by_cross_val_inference,
    by_saved_scores,
    by_a_saved_result,
    by_a_list_of_splits,
    by_a_design,
    by_compare_candidates,
    by_some_splits,
)


@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize("cv", [CV, ShuffleSplit(5, test_size=0.1, random_state=0)])
def test_every_road(road, cv):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        scores = road(X, Y, cv, None)
    found = [note for note in scores.design.notes if note.code == CODE]
    assert len(found) == 1
    # of 20 test rows each, nine in ten have their copy among 180 of 199 others
    share = float(found[0].text.partition("(")[2].partition(" %")[0])
    assert 75 < share < 100
    said = [warning for warning in caught if WORDS in str(warning.message)]
    assert len(said) == 1
    assert said[0].category is SplitDesignWarning


@pytest.mark.parametrize("road", ROADS)
def test_groups_of_copies_are_silent_on_every_road(road):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        scores = road(X, Y, CV, np.tile(np.arange(100), 2))
    assert CODE not in codes(scores.design.notes)
    assert not [warning for warning in caught if WORDS in str(warning.message)]


@pytest.mark.parametrize("method", get_procedure_names())
def test_auxiliary_splits_do_not_say_it_again(method):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        compare_estimators(TWO, X, Y, method=method)
    assert sum(WORDS in str(warning.message) for warning in caught) == 1


def test_said_before_the_fits():
    class Refusing(GaussianNB):
        def fit(self, X, y):
            raise AssertionError("fitted before the warning")

    with warnings.catch_warnings():
        warnings.simplefilter("error", SplitDesignWarning)
        with pytest.raises(SplitDesignWarning, match=WORDS):
            compare_estimators({"a": Refusing(), "b": Refusing()}, X, Y)


def test_a_frame_whose_index_numbers_the_rows():
    frame = pd.DataFrame(X, index=np.arange(200) + 1000).assign(text=np.where(Y, "a", None))
    assert CODE in codes(SplitDesign.from_splitter(KFold(5), frame, Y).notes)
