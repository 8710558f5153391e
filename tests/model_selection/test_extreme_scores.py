"""Scores whose squares leave the range of floats: refused after the fits, which are not lost."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import GridSearchCV, RepeatedKFold, ShuffleSplit
from sklearn.model_selection import cross_val_score as sklearn_cross_val_score

import skcvstats as s

X = np.random.default_rng(0).normal(size=(100, 3))
Y = X @ [1.0, 2.0, 3.0] + np.random.default_rng(1).normal(size=100)
PAIR = {"linear": LinearRegression(), "ridge": Ridge(1.0)}
METRICS = ["r2", "neg_mean_squared_error"]
CV = ShuffleSplit(12, random_state=0)
GRID = {"alpha": [0.1, 1.0, 10.0]}
SQUARES = "neg_mean_squared_error"
REFUSED = r"must be from 1e-100 to 1e\+100, or exactly 0.*Rescale the target or the metric"

factors = pytest.mark.parametrize("factor", [1e60, 1e-60])


@factors
@pytest.mark.parametrize("cv", [CV, RepeatedKFold(n_splits=5, n_repeats=2, random_state=0)])
@pytest.mark.parametrize("on_error", ["raise", "drop"])
def test_a_comparison_keeps_all_its_scores_in_the_error(factor, cv, on_error):
    options = {"scoring": METRICS, "cv": cv, "on_error": on_error}
    with pytest.raises(s.FitError, match=REFUSED) as caught:
        s.compare_estimators(PAIR, X, factor * Y, **options)
    assert "score of linear in 'neg_mean_squared_error'" in str(caught.value)
    found = caught.value.scores
    assert list(found) == METRICS
    for name, model in PAIR.items():
        for metric in METRICS:
            expected = sklearn_cross_val_score(model, X, factor * Y, scoring=metric, cv=cv)
            np.testing.assert_array_equal(found[metric][name].values, expected)
    again = {name: found[SQUARES][name].values / factor**2 for name in PAIR}
    s.compare_scores(again, metric=SQUARES, design=found[SQUARES].design)


@factors
def test_other_doors(factor):
    y = factor * Y
    search = GridSearchCV(Ridge(), GRID, scoring=SQUARES, cv=CV).fit(X, y)
    for door in (
        lambda: s.cross_val_inference(Ridge(), X, y, scoring=SQUARES, cv=CV),
        lambda: s.RacingSearchCV(Ridge(), GRID, scoring=SQUARES, cv=CV).fit(X, y),
        lambda: s.compare_candidates(search, X, y),
        lambda: s.cross_val_score(Ridge(), X, y, scoring=SQUARES, cv=CV).confidence_interval(),
        lambda: s.compare_predictions(y, {"a": 0 * y, "b": 0.9 * y}, scoring=SQUARES),
    ):
        with pytest.raises(s.FitError, match=REFUSED) as caught:
            door()
        assert np.isfinite(caught.value.scores[SQUARES].values).any()


@factors
@pytest.mark.parametrize("margin", [None, 1e100])
def test_a_search_that_chooses_by_significance_keeps_all_scores_in_the_error(factor, margin):
    refit = s.SignificanceRefit(cost="param_alpha", cv=CV, margin=margin)
    search = GridSearchCV(Ridge(), GRID, scoring=SQUARES, cv=CV, refit=refit)
    with pytest.raises(s.FitError, match=REFUSED) as caught:
        search.fit(X, factor * Y)
    (scores,) = caught.value.scores.values()
    assert scores.shape == (3, 12)


@factors
def test_cross_val_score_is_untouched(factor):
    options = {"scoring": SQUARES, "cv": CV}
    found = s.cross_val_score(Ridge(), X, factor * Y, **options)
    expected = sklearn_cross_val_score(Ridge(), X, factor * Y, **options)
    np.testing.assert_array_equal(found, expected)


def test_scores_of_exactly_0_are_compared():
    losses = {"perfect": np.zeros(12), "other": -np.linspace(0.1, 0.2, 12)}
    design = s.SplitDesign.from_sizes(90, 10, n_splits=12)
    assert s.compare_scores(losses, metric=SQUARES, design=design)[0].outcome == "higher"
