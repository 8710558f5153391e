"""Rows copied before the splits are said; resampling in a pipeline is silent."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import KFold
from sklearn.neighbors import KNeighborsClassifier

from skcvstats import (
    ConservativeZTest,
    RepeatedSubsampleSplit,
    SplitDesign,
    compare_estimators,
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


X, Y = (np.tile(part, (2, 1)[: part.ndim]) for part in noise(0, 100, 50))


REPLICATES = RepeatedSubsampleSplit(2, n_replicates=11, random_state=0)
FEW = dict.fromkeys(("bootstrap_t", "corrected_bootstrap_t"), REPLICATES)
METHODS = {*get_procedure_names()} - {"conservative_z"}


@pytest.mark.parametrize("method", [*sorted(METHODS), ConservativeZTest(n_pairs=3)], ids=str)
def test_auxiliary_splits_do_not_say_it_again(method):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        compare_estimators(TWO, X, Y, method=method, cv=FEW.get(method))
    assert sum(WORDS in str(warning.message) for warning in caught) == 1


def test_a_frame_whose_index_numbers_the_rows():
    frame = pd.DataFrame(X, index=np.arange(200) + 1000).assign(text=np.where(Y, "a", None))
    assert CODE in codes(SplitDesign.from_splitter(KFold(5), frame, Y).notes)
