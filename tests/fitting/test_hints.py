"""Notes on what is often a mistake: each with a remedy, none where all is well."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import GroupKFold, KFold, TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcvstats import compare_estimators, cross_val_inference
from tests.data import diabetes, iris

X, Y = iris()
MODELS = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2, random_state=0)}
DATES = pd.DataFrame(X, index=pd.date_range("2020-01-01", periods=len(X)))


def codes(result):
    return {note.code for note in result.notes}


HINTS = {"dates", "small test sets", "numbers as classes", "same scores"}


def test_silent_where_all_is_well():
    assert not HINTS & codes(compare_estimators(MODELS, X, Y))
    assert not HINTS & codes(compare_estimators(MODELS, X, Y, method="row_t"))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("index", [DATES.index, DATES.index.to_period("D")])
def test_dates_with_random_splits(index):
    frame = DATES.set_axis(index)
    (note,) = (n for n in compare_estimators(MODELS, frame, Y).notes if n.code == "dates")
    assert "cv=TimeSeriesSplit()" in str(note)
    assert "groups" in str(note)
    y = np.arange(150) % 3
    in_order = cross_val_inference(MODELS["bayes"], frame, y, cv=TimeSeriesSplit(5))
    assert "dates" not in codes(in_order)
    groups = np.arange(150) // 7
    assert "dates" not in codes(compare_estimators(MODELS, frame, Y, groups=groups))


@pytest.mark.filterwarnings("ignore")
def test_small_test_sets():
    def found(method="corrected_resampled_t", **options):
        notes = compare_estimators(MODELS, X, Y, method=method, **options).notes
        return [str(note) for note in notes if note.code == "small test sets"]

    assert "test sets of 9 rows" in found(cv=KFold(16, shuffle=True, random_state=0))[0]
    assert not found(cv=KFold(15, shuffle=True, random_state=0))
    groups = np.arange(150) % 10
    assert "test sets of 2 groups" in found(cv=GroupKFold(5), groups=groups)[0]
    assert not found(cv=GroupKFold(3), groups=groups)
    # rows are what the row t-test works on
    assert not found("row_t", cv=KFold(30, shuffle=True, random_state=0))
    assert not found("auto", cv=KFold(16, shuffle=True, random_state=0))


@pytest.mark.filterwarnings("ignore")
def test_the_same_model_twice():
    twins = {**MODELS, "again": GaussianNB()}
    (note,) = (n for n in compare_estimators(twins, X, Y).notes if n.code == "same scores")
    assert "bayes and again have the same score on every split: the same model?" in str(note)


@pytest.mark.filterwarnings("ignore")
def test_a_quantity_for_classifiers():
    numbers, quantity = diabetes()
    for method in ("corrected_resampled_t", "row_t"):
        with warnings.catch_warnings(record=True) as given:
            warnings.simplefilter("always")
            result = compare_estimators(MODELS, numbers, quantity, method=method)
        (note,) = (n for n in result.notes if n.code == "numbers as classes")
        assert "214 different numbers in 442 rows" in str(note)
        assert not [each for each in given if "class" in str(each.message)]
    with pytest.raises(ValueError, match=r"compare regressors .* or make classes of it"):
        compare_estimators(MODELS, numbers, quantity + 0.5)
