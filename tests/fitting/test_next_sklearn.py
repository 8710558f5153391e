"""Changes that a later scikit-learn may bring, and how the package reacts."""

import warnings

import numpy as np
import pytest
import sklearn
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, GroupKFold, ShuffleSplit
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from skcvstats import FitError, compare_candidates, compare_estimators, compare_predictions
from skcvstats._utils._metrics import METRICS
from skcvstats.fitting import Metric, _measure, _scoring
from skcvstats.fitting._measure import is_routing

X, Y = load_iris(return_X_y=True)
CV = ShuffleSplit(10, test_size=15, random_state=0)
PAIR = {"a": DummyClassifier(), "b": DecisionTreeClassifier(random_state=0)}


class TestResponses:
    """They are in the table, or an attribute of a scorer that it does not have."""

    @pytest.fixture(params=[{}, {"_response_method": "automatic"}])
    def other_scorers(self, request, monkeypatch):
        class Scorer:
            def __init__(self, name):
                self.scorer = sklearn.metrics.get_scorer(name)
                vars(self).update(request.param)

            def __call__(self, *args, **kwargs):
                return self.scorer(*args, **kwargs)

        monkeypatch.setattr(_scoring, "get_scorer", Scorer)
        for name in ("accuracy", "neg_log_loss"):
            monkeypatch.delitem(METRICS, name)

    @pytest.mark.usefixtures("other_scorers")
    def test_unknown_ones_refuse_nothing_beforehand(self):
        assert Metric("neg_log_loss").responses is None
        models = {"logistic": LogisticRegression(max_iter=1000), "tree": DecisionTreeClassifier()}
        assert compare_estimators(models, X, Y, cv=CV, scoring="neg_log_loss").tests

    @pytest.mark.usefixtures("other_scorers")
    def test_a_model_without_the_right_one_fails_in_its_scoring(self):
        models = {"logistic": LogisticRegression(max_iter=1000), "svc": LinearSVC()}
        with pytest.raises(FitError, match=r"The first fit of 'svc'.*predict_proba"):
            compare_estimators(models, X, Y, cv=CV, scoring="neg_log_loss")

    @pytest.mark.usefixtures("other_scorers")
    def test_predictions_of_an_unknown_kind_are_refused(self):
        with pytest.raises(ValueError, match=r"does not state whether it takes labels"):
            compare_predictions(Y, {"a": Y, "b": Y[::-1]}, scoring="accuracy")


class TestRouting:
    @pytest.mark.parametrize("enabled", [True, False])
    def test_as_it_is_told(self, enabled):
        with sklearn.config_context(enable_metadata_routing=enabled):
            assert is_routing() is enabled

    def test_always_where_it_cannot_be_told(self, monkeypatch):
        monkeypatch.setattr(_measure, "get_config", dict)
        assert is_routing() is True


def test_a_splitter_that_asks_for_groups_in_other_words(monkeypatch):
    def split(self, X, y=None, groups=None):
        raise ValueError("Where are the groups?")

    monkeypatch.setattr(GroupKFold, "split", split)
    with pytest.raises(ValueError, match=r"Where are the groups\?"):
        compare_estimators(PAIR, X, Y, cv=GroupKFold(3))


class TestSearches:
    """Of a halving search only the last iteration is compared, which its results tell."""

    @pytest.fixture
    def search(self):
        grid = {"max_depth": [1, 2, 3]}
        return GridSearchCV(DecisionTreeClassifier(random_state=0), grid, cv=CV).fit(X, Y)

    def test_iterations_by_another_name(self, search):
        search.n_iterations_ = 2
        search.cv_results_["iteration"] = np.array([0, 0, 1])
        with pytest.raises(ValueError, match=r"GridSearchCV has several iterations.*no 'iter'"):
            compare_candidates(search, X, Y)

    def test_resources_by_another_name(self, search):
        search.n_iterations_, search.resource = 1, "n_samples"
        search.cv_results_["iter"] = np.zeros(3, dtype=int)
        with pytest.raises(ValueError, match=r"no 'n_resources'.*design=SplitDesign\.from_sizes"):
            compare_candidates(search, X, Y)


def test_a_halving_search_is_still_known_by_these_names():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from sklearn.experimental import enable_halving_search_cv  # noqa: F401
    from sklearn.model_selection import HalvingGridSearchCV

    search = HalvingGridSearchCV(DecisionTreeClassifier(), {"max_depth": [1, 2, 3]}, cv=3).fit(X, Y)
    assert {"iter", "n_resources"} <= search.cv_results_.keys()
    assert search.n_iterations_ >= 1
    assert search.resource == "n_samples"
