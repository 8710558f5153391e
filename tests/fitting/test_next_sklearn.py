"""Changes that a later scikit-learn may bring, and how the package reacts."""

import warnings

import numpy as np
import pytest
import sklearn
from sklearn.dummy import DummyClassifier
from sklearn.metrics import accuracy_score, get_scorer, make_scorer
from sklearn.model_selection import GridSearchCV, ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from skcvstats import FitError, compare_candidates, compare_estimators, compare_predictions
from skcvstats.fitting import is_routing
from skcvstats.fitting._metrics import read_metric
from tests.data import iris

X, Y = iris()
CV = ShuffleSplit(10, test_size=15, random_state=0)
PAIR = {"a": DummyClassifier(), "b": DecisionTreeClassifier(random_state=0)}


class OtherScorer:
    """A scorer as a later version may make it."""

    def __init__(self, name, **attributes):
        self.scorer = get_scorer(name)
        vars(self).update(attributes)

    def __call__(self, *args, **kwargs):
        return self.scorer(*args, **kwargs)


@pytest.mark.parametrize("attributes", [{}, {"_response_method": "automatic"}])
def test_what_an_unknown_scorer_reads(attributes):
    """Nothing is refused beforehand; what is not there fails, and unknown kinds are refused."""
    scorer = OtherScorer("neg_log_loss", **attributes)
    assert read_metric(scorer).responses is None
    models = {"bayes": GaussianNB(), "tree": PAIR["b"]}
    assert compare_estimators(models, X, Y, cv=CV, scoring=scorer).tests
    with pytest.raises(FitError, match=r"The first fit of 'svc'.*predict_proba"):
        compare_estimators(models | {"svc": LinearSVC()}, X, Y, cv=CV, scoring=scorer)
    changed = make_scorer(accuracy_score)
    del vars(changed)["_response_method"]
    vars(changed).update(attributes)
    with pytest.raises(ValueError, match=r"does not state whether it takes labels"):
        compare_predictions(Y, {"a": Y, "b": Y[::-1]}, scoring=changed)


@pytest.mark.parametrize("enabled", [True, False])
def test_routing_is_as_the_configuration_has_it(enabled):
    with sklearn.config_context(enable_metadata_routing=enabled):
        assert is_routing() is enabled
        assert is_routing({}) is True  # where the configuration does not have it


@pytest.mark.parametrize(
    ("column", "n_iterations", "said"),
    [
        ("iteration", 2, r"GridSearchCV has several iterations.*no 'iter'"),
        ("iter", 1, r"no 'n_resources'.*design=SplitDesign\.from_sizes"),
    ],
)
def test_iterations_and_resources_of_a_search_by_other_names(column, n_iterations, said):
    """Of a halving search only the last iteration is compared, which its results tell."""
    search = GridSearchCV(PAIR["b"], {"max_depth": [1, 2, 3]}, cv=CV).fit(X, Y)
    search.n_iterations_, search.resource = n_iterations, "n_samples"
    search.cv_results_[column] = np.array([0, 0, n_iterations - 1])
    with pytest.raises(ValueError, match=said):
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
