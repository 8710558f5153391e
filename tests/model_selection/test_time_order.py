"""Splits in time order: what is refused, what is dropped, and what goes on without a claim."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.metrics import d2_pinball_score, make_scorer
from sklearn.model_selection import GridSearchCV, TimeSeriesSplit

import skcvstats as s
from tests.bad_input import time_order

RNG = np.random.default_rng(0)
X = RNG.normal(size=(120, 3))
Y = X[:, 0] + RNG.normal(size=120)
CV = TimeSeriesSplit(5)
MODELS = {"line": LinearRegression(), "mean": DummyRegressor()}
SQUARED, LARGEST = "neg_mean_squared_error", "neg_max_error"


class NeverFits(RegressorMixin, BaseEstimator):
    def fit(self, X, y):
        raise AssertionError("refused before any fit")

    def predict(self, X):
        raise AssertionError("refused before any fit")


NOT_FOR_IT = [
    case for case in time_order.DESIGN_ERRORS if time_order.OVER_TIME[:-2] not in case[-1]
]


@pytest.mark.parametrize("call", [call for call, *_ in NOT_FOR_IT], ids=lambda call: "")
@pytest.mark.filterwarnings("ignore::skcvstats.AnticonservativeWarning")
def test_the_test_of_diebold_and_mariano_is_no_remedy_where_it_does_not_suit(call):
    with pytest.raises(s.SplitDesignError) as caught:
        call()
    message = str(caught.value)
    takes_it = "was not measured with" in message  # if it is asked for
    assert ('method="diebold_mariano"' in message) is takes_it


@pytest.mark.parametrize("method", ["auto", "diebold_mariano"])
def test_a_metric_without_a_valid_test_is_dropped_and_the_others_stay(method):
    how = {"cv": CV, "method": method}
    both = s.compare_estimators(
        MODELS, X, Y, scoring=[SQUARED, LARGEST, "r2"], on_error="drop", **how
    )
    alone = s.compare_estimators(MODELS, X, Y, scoring=SQUARED, **how)
    assert both.metrics == (SQUARED, "r2")
    assert both.dropped == ((None, LARGEST, "max error has no scores of rows"),)
    assert tuple(both[SQUARED].tests[0]) == tuple(alone.tests[0])
    assert {test.method for test in both.tests} == {"diebold_mariano"}
    assert "neg_max_error was left out" in str(both)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["auto", "diebold_mariano"])
def test_a_metric_that_takes_too_long_without_each_row_is_refused(method):
    X, y = np.zeros((25_000, 1)), RNG.normal(size=25_000)
    models = {"a": NeverFits(), "b": NeverFits()}
    how = {"scoring": make_scorer(d2_pinball_score), "cv": CV, "method": method}
    with pytest.raises(s.SplitDesignError, match=r"computed 20,830 times\. Use another metric in"):
        s.compare_estimators(models, X, y, **how)


@pytest.mark.filterwarnings("ignore::skcvstats.SplitDesignWarning")
def test_the_interval_of_scores_of_splits_stays_with_its_warning():
    parts = [s.cross_val_score(Ridge(), X, Y, cv=CV, splits=range(k, 5, 2)) for k in (0, 1)]
    whole = s.CVScores.concatenate(parts)
    for scores in (whole, s.CVScores.from_json(whole.to_json())):
        with pytest.warns(s.AnticonservativeWarning, match="order.*pass the data to cross_val_inf"):
            low, high = scores.confidence_interval()
        assert low < scores.mean() < high


@pytest.mark.filterwarnings("ignore::skcvstats.SplitDesignWarning")
def test_searches_choose_without_a_claim():
    grid = {"alpha": [0.1, 1.0, 10.0]}
    refit = s.SignificanceRefit(cv=CV, cost=lambda params: -params["alpha"])
    with pytest.warns(s.AnticonservativeWarning, match="in time order"):
        search = GridSearchCV(Ridge(), grid, cv=CV, refit=refit).fit(X, Y)
    assert search.best_params_ in search.cv_results_["params"]
    with pytest.warns(s.AnticonservativeWarning, match="in time order"):
        race = s.RacingSearchCV(Ridge(), grid, cv=TimeSeriesSplit(8)).fit(X, Y)
    assert race.best_params_ in race.cv_results_["params"]
