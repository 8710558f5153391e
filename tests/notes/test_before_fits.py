"""Each note that is known before the first fit: what it fires on, and what it is silent on."""

import re
import warnings

import numpy as np
import pytest
from sklearn import model_selection as ms
from sklearn.feature_selection import SelectKBest
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

import skcvstats as s
from skcvstats.notes import Evidence
from skcvstats.scores import SplitDesign, find_notes
from tests.comparison.made import codes
from tests.conftest import ignoring
from tests.data import diabetes, iris

X, Y = iris()
MODELS = {"bayes": GaussianNB(), "near": NearestCentroid()}
pytestmark = ignoring("DegenerateScores", "SplitDesign")
HINTS = {"small test sets", "numbers as classes", "same scores"}


def found(**facts):
    return [note.code for note in find_notes(Evidence(**facts))]


def test_silent_where_all_is_well():
    assert not HINTS & codes(s.compare_estimators(MODELS, X, Y))


class TestFrozenTransformer:
    @pytest.mark.parametrize(
        ("part", "is_noted"),
        [
            (FrozenEstimator(StandardScaler().fit(X)), True),
            (FunctionTransformer(StandardScaler().fit(X).transform), True),
            (FrozenEstimator(FunctionTransformer()), False),
            (StandardScaler(), False),
            (SelectKBest(k=2), False),
        ],
    )
    def test_alone(self, part, is_noted):
        model = make_pipeline(part, LogisticRegression())
        noted = find_notes(Evidence(estimators={"model": model, "other": GaussianNB()}))
        assert [note.code for note in noted] == ["frozen transformer"] * is_noted
        if is_noted:
            assert noted[0].text.startswith("model contains ")

    def test_in_the_parameters_of_a_search(self):
        grid = {"scaler": [StandardScaler(), FrozenEstimator(StandardScaler().fit(X))]}
        assert found(estimators={"search": [GaussianNB(), grid]}) == ["frozen transformer"]

    def test_scores_of_one_model_have_it_without_a_warning(self):
        model = make_pipeline(FrozenEstimator(StandardScaler().fit(X)), GaussianNB())
        with warnings.catch_warnings(action="error"):
            scores = s.cross_val_score(model, X, Y)
        assert "frozen transformer" in [note.code for note in scores.all_notes]


class TestSmallTestSets:
    def texts(self, method="corrected_resampled_t", **options):
        notes = s.compare_estimators(MODELS, X, Y, method=method, **options).notes
        return [str(note) for note in notes if note.code == "small test sets"]

    def test_of_rows(self):
        assert "test sets of 9 rows" in self.texts(cv=ms.KFold(16, shuffle=True, random_state=0))[0]
        assert not self.texts(cv=ms.KFold(15, shuffle=True, random_state=0))

    def test_of_groups(self):
        groups = np.arange(150) % 10
        assert "test sets of 2 groups" in self.texts(cv=ms.GroupKFold(5), groups=groups)[0]
        assert not self.texts(cv=ms.GroupKFold(3), groups=groups)

    def test_not_where_the_test_works_on_rows(self):
        assert not self.texts("row_t", cv=ms.KFold(30, shuffle=True, random_state=0))
        assert not self.texts("auto", cv=ms.KFold(16, shuffle=True, random_state=0))


class TestFewDistinctSplits:
    @pytest.mark.parametrize(
        ("n_samples", "n_test", "n_splits", "text"),
        [
            (7, 1, 30, "only 7 test sets of 1 row, .*29 degrees of freedom instead of 6"),
            (6, 2, 30, "only 15 test sets of 2 rows"),
            (6, 2, 15, None),
            (150, 30, 15, None),
        ],
    )
    def test_of_random_splits(self, n_samples, n_test, n_splits, text):
        design = SplitDesign(
            n_samples=n_samples, n_train=[n_samples - n_test] * n_splits, n_test=[n_test] * n_splits
        )
        (*noted,) = find_notes(Evidence(design=design))
        assert [note.code for note in noted] == ["few distinct splits"] * (text is not None)
        for note in noted:
            assert note.category is s.AnticonservativeWarning
            assert "cv=LeaveOneOut()" in note.text
            assert re.search(text, note.text)


class TestTargets:
    @pytest.mark.parametrize(
        ("y", "is_noted"), [(np.ones(9), True), (np.repeat("a", 9), True), (np.arange(9), False)]
    )
    def test_a_constant_alone(self, y, is_noted):
        assert ("constant target" in found(estimators=MODELS, y=y)) == is_noted
        assert found(y=y) == []  # as predictions that are passed

    def test_a_constant_is_the_reason_of_equal_scores(self):
        twins = {"ridge": Ridge(), "again": Ridge(0.1)}
        scoring = "neg_mean_absolute_error"
        result = s.compare_estimators(twins, X, np.ones(len(X)), scoring=scoring)
        assert "y is the same in all rows, so there is nothing to predict" in str(result)
        assert "metric that is finer" not in str(result)

    def test_a_quantity_for_classifiers(self):
        numbers, quantity = diabetes()
        for y in (quantity, quantity.astype(int), quantity / 7):
            with pytest.raises(ValueError, match=r"^y has 214 different .* compare regressors"):
                s.compare_estimators(MODELS, numbers, y)
        some = quantity // 4  # of which six rows each have one, in the mean
        with warnings.catch_warnings(record=True, action="always") as given:
            result = s.compare_estimators(MODELS, numbers, some, method="corrected_resampled_t")
        (note,) = (n for n in result.notes if n.code == "numbers as classes")
        assert "76 different numbers in 442 rows" in str(note)
        assert not [each for each in given if "class" in str(each.message)]


def test_groups_left_out_once_are_not_told_to_use_fewer_folds():
    groups = np.arange(150) % 12
    once = {"cv": ms.LeaveOneGroupOut(), "groups": groups, "method": "corrected_resampled_t"}
    with warnings.catch_warnings(action="ignore"):
        notes = s.compare_estimators(MODELS, X, Y, **once).notes
    (text,) = [str(note) for note in notes if note.code == "small test sets"]
    assert text.endswith("test on at least 3 groups, by GroupKFold")
    two_classes = {"X": X[:100], "y": Y[:100], "scoring": "roc_auc"}
    one_class = {**once, "groups": np.arange(100) // 8}
    with pytest.raises(s.SplitDesignError, match="of several groups, as of GroupKF") as caught:
        s.compare_estimators(MODELS, **two_classes, **one_class)
    assert "fewer folds" not in str(caught.value)
    with pytest.raises(s.SplitDesignError, match="fewer folds"):
        s.compare_estimators(MODELS, **two_classes, cv=ms.KFold(50))
