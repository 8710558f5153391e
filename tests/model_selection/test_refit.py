"""The cheapest candidate that is not significantly worse: against the rule by hand."""

import pickle

import numpy as np
import pytest
from scipy import stats
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    LeaveOneOut,
    RepeatedKFold,
    ShuffleSplit,
    cross_validate,
)
from sklearn.tree import DecisionTreeClassifier

from skcvstats import (
    CorrectedResampledTTest,
    DegenerateScoresWarning,
    FitError,
    HalfSplitPairs,
    RepeatedSubsampleSplit,
    SignificanceRefit,
    SplitDesign,
    SplitDesignError,
)

X, Y = make_classification(200, 8, n_informative=4, flip_y=0.1, random_state=1)
TREE = DecisionTreeClassifier(random_state=0)
GRID = {"max_depth": [1, 2, 3, 4, 6, 9]}
CV = RepeatedSubsampleSplit(15, test_size=0.2, random_state=0)


def scores_of(results):
    return np.stack([results[f"split{k}_test_score"] for k in range(15)], axis=1)


def first_as_good(scores, best, ratio, alpha):
    """Return the first candidate that is not significantly worse; the grid is in order of cost."""
    for k, candidate in enumerate(scores):
        x = candidate - best
        n_splits = len(x)
        error = np.sqrt((1 / n_splits + ratio) * x.var(ddof=1))
        if error == 0 or stats.t.cdf(x.mean() / error, n_splits - 1) >= alpha:
            return k
    raise AssertionError("the best is as good as itself")


def searched(refit, cv=CV, grid=GRID, **options):
    return GridSearchCV(TREE, grid, cv=cv, refit=refit, **options).fit(X, Y)


pytestmark = pytest.mark.filterwarnings("ignore:One or more of the test scores are non-finite")


@pytest.mark.parametrize("alpha", [0.001, 0.05, 0.3, 0.49])
def test_the_test_by_hand(alpha):
    search = searched(SignificanceRefit(CV, "max_depth", alpha=alpha))
    scores = scores_of(search.cv_results_)
    best = scores[scores.mean(axis=1).argmax()]
    assert search.best_index_ == first_as_good(scores, best, 0.2 / 0.8, alpha)


def test_the_rules_differ_in_what_they_choose():
    chosen = [
        searched(SignificanceRefit(CV, "max_depth", alpha=alpha)).best_index_
        for alpha in (0.001, 0.49)
    ]
    assert chosen[0] < chosen[1]


def test_one_standard_error_by_hand():
    search = searched(SignificanceRefit(CV, "max_depth", rule="one_standard_error"))
    scores = scores_of(search.cv_results_)
    means = scores.mean(axis=1)
    best = means.argmax()
    error = np.sqrt((1 / 15 + 0.2 / 0.8) * scores[best].var(ddof=1))
    assert search.best_index_ == np.flatnonzero(means >= means[best] - error)[0]


def test_costs_from_a_key_a_parameter_and_a_callable():
    by_parameter = SignificanceRefit(CV, "max_depth")
    by_callable = SignificanceRefit(CV, lambda params: params["max_depth"] ** 2)
    by_key = SignificanceRefit(CV, "param_max_depth")
    results = searched(False).cv_results_
    assert by_parameter(results) == by_callable(results) == by_key(results)
    deepest = SignificanceRefit(CV, lambda params: -params["max_depth"])(results)
    assert deepest > by_parameter(results)


def test_ties_in_cost_go_to_the_higher_mean():
    results = searched(False).cv_results_
    chosen = SignificanceRefit(CV, lambda params: 0)(results)
    assert chosen == results["mean_test_score"].argmax()


def test_of_several_metrics():
    refit = SignificanceRefit(CV, "max_depth", metric="roc_auc")
    search = searched(refit, scoring=["accuracy", "roc_auc"])
    alone = searched(SignificanceRefit(CV, "max_depth"), scoring="roc_auc")
    assert search.best_index_ == alone.best_index_
    with pytest.raises(ValueError, match=r"example SignificanceRefit\(metric='accuracy'\)"):
        searched(SignificanceRefit(CV, "max_depth"), scoring=["accuracy", "roc_auc"])


def test_metrics_whose_names_look_like_keys():
    scoring = dict.fromkeys(("split_test_x", "a_test_b", "split0_test_score"), "accuracy")
    alone = searched(SignificanceRefit(CV, "max_depth"))
    for name in scoring:
        refit = SignificanceRefit(CV, "max_depth", metric=name)
        search = searched(refit, scoring=scoring, return_train_score=True)
        assert search.best_index_ == alone.best_index_


@pytest.mark.filterwarnings("ignore::skcvstats.exceptions.SplitDesignWarning")
def test_inside_nested_cross_validation():
    inner = KFold(5, shuffle=True, random_state=0)
    search = GridSearchCV(TREE, GRID, cv=inner, refit=SignificanceRefit(inner, "max_depth"))
    outer = cross_validate(search, X, Y, cv=4, return_estimator=True, n_jobs=2)
    for fitted in outer["estimator"]:
        results = fitted.cv_results_
        scores = np.stack([results[f"split{k}_test_score"] for k in range(5)], axis=1)
        best = scores[scores.mean(axis=1).argmax()]
        assert fitted.best_index_ == first_as_good(scores, best, 30 / 120, 0.05)


def test_clones_and_pickles():
    refit = SignificanceRefit(CV, "max_depth", alpha=0.1)
    results = searched(False).cv_results_
    for copy in (clone(refit), pickle.loads(pickle.dumps(refit))):
        assert repr(copy) == repr(refit)
        assert copy(results) == refit(results)


def test_failed_candidates_are_never_chosen():
    with pytest.warns(FitFailedWarning, match="fits failed"):
        search = searched(SignificanceRefit(CV, "max_depth"), grid={"max_depth": [-5, 3]})
    assert search.best_params_ == {"max_depth": 3}
    results = dict(search.cv_results_)
    for key in results:
        if key.startswith("split"):
            results[key] = np.full(2, np.nan)
    with pytest.raises(FitError, match="No candidate has all its scores"):
        SignificanceRefit(CV, "max_depth")(results)


@pytest.mark.parametrize(
    ("cv", "ratio"),
    [
        (10, 1 / 9),
        (KFold(7), 1 / 6),
        (RepeatedKFold(n_splits=5, n_repeats=3), 1 / 4),
        (ShuffleSplit(8, test_size=0.25), 1 / 3),
        (ShuffleSplit(8, test_size=0.1, train_size=0.5), 1 / 9),
        (RepeatedSubsampleSplit(8, test_size=0.1, train_size=0.5, pool="fixed"), 1 / 5),
        (GroupKFold(4), 1 / 3),
        (LeaveOneOut(), 1 / 199),
        (SplitDesign.from_sizes(90, 10, n_splits=6), 1 / 9),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_follows_from_a_splitter(cv, ratio):
    from skcvstats.model_selection._replay import follow

    n_splits = {
        int: 10,
        KFold: 7,
        RepeatedKFold: 15,
        GroupKFold: 4,
        LeaveOneOut: 200,
        SplitDesign: 6,
    }.get(type(cv), 8)
    assert follow(cv, n_splits=n_splits).rho0_odds == pytest.approx(ratio, rel=1e-9)


@pytest.mark.parametrize(
    ("refit", "message"),
    [
        (SignificanceRefit(ShuffleSplit(15, test_size=20), "max_depth"), "fixed number of rows"),
        (SignificanceRefit(list(KFold(15).split(X)), "max_depth"), "says nothing of other data"),
        (
            SignificanceRefit(10, "max_depth"),
            r"has 10 splits, but the results are of 15, .*\. Pass as cv= what the search splits",
        ),
        (
            SignificanceRefit(SplitDesign.from_sizes(90, 10, n_splits=6), "max_depth"),
            r"The design given as cv= has 6 splits, .* or SplitDesign\.from_sizes",
        ),
        (SignificanceRefit(HalfSplitPairs(15, 1), "max_depth"), "has 30 splits"),
        (SignificanceRefit(CV, "depth"), r"cost='depth' is neither .*'max_depth'"),
        (SignificanceRefit(CV, lambda params: None), "costs None, which is no number"),
        (SignificanceRefit(CV, "max_depth", method="conservative_z"), "and ConservativeZTest.*mor"),
        (SignificanceRefit(CV, "max_depth", method="holdout_t"), "has the scores of a search"),
    ],
)
def test_mistakes_are_named(refit, message):
    results = searched(False).cv_results_
    with pytest.raises((ValueError, SplitDesignError), match=message):
        refit(results)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rule": "2se"}, r"rule='2se' is not known"),
        ({"alpha": 5}, r"alpha=5 must be a number between 0 and 1"),
        ({"method": "t"}, r"method='t' is not known"),
        ({"method": CorrectedResampledTTest(alternative="greater")}, "asks whether it is worse"),
        ({"method": CorrectedResampledTTest(null_value=0.1)}, "as a margin, negative"),
    ],
)
def test_parameters_are_checked_where_they_are_used(options, message):
    results = searched(False).cv_results_
    with pytest.raises(ValueError, match=message):
        SignificanceRefit(CV, "max_depth", **options)(results)
    changed = clone(SignificanceRefit(CV, "max_depth").set_params(**options))
    with pytest.raises(ValueError, match=message):
        changed(results)
    search = GridSearchCV(TREE, GRID, cv=CV, refit=SignificanceRefit(CV, "max_depth"))
    search.set_params(**{f"refit__{name}": value for name, value in options.items()})
    with pytest.raises(ValueError, match=message):
        search.fit(X, Y)


def test_a_margin_by_hand():
    margin = CorrectedResampledTTest(null_value=-0.05)
    search = searched(SignificanceRefit(CV, "max_depth", method=margin))
    scores = scores_of(search.cv_results_)
    best = scores[scores.mean(axis=1).argmax()]
    assert search.best_index_ == first_as_good(scores + 0.05, best, 0.2 / 0.8, 0.05)


def test_results_of_a_halving_search_are_refused():
    with pytest.raises(ValueError, match="with compare_candidates"):
        SignificanceRefit(CV, "max_depth")({**searched(False).cv_results_, "iter": [0] * 6})


def test_what_holds_no_scores_is_named():
    results = {"params": [{"max_depth": 1}], "mean_test_score": np.array([0.5])}
    with pytest.raises(ValueError, match=r"'mean_test_score'; pass the cv_results_ of a search"):
        SignificanceRefit(CV, "max_depth")(results)


def results_of(*rows):
    """Return what a search over the depths 1, 2, ... with these scores leaves behind."""
    columns = {f"split{k}_test_score": column for k, column in enumerate(np.transpose(rows))}
    return {**columns, "params": [{"max_depth": 1 + k} for k in range(len(rows))]}


# Sixteenths, so that differences are exact.
BEST = np.array([14, 12, 15, 11, 13, 14, 12, 13, 15, 11, 12, 14, 13, 12, 15]) / 16


class TestScoresThatDoNotVary:
    """No variance is no evidence, whichever side it speaks for."""

    @pytest.mark.parametrize("gap", [2.0**-10, 0.001, 0.5])
    def test_the_same_distance_in_every_split_is_not_shown_to_be_worse(self, gap):
        far = BEST - np.linspace(0.5, 0.6, 15)
        rows = [far, BEST - gap, BEST]
        with pytest.warns(DegenerateScoresWarning, match=rf"'max_depth': 2.*-{gap:.4g}: .*is 0"):
            chosen = SignificanceRefit(CV, "max_depth")(results_of(*rows))
        assert chosen == 1
        if gap != 0.001:  # which is not exact, so that the error by hand is not 0
            assert chosen == first_as_good(rows, BEST, 0.2 / 0.8, 0.05)

    def test_one_that_is_not_taken_is_no_matter(self):
        near = BEST - np.linspace(-0.01, 0.011, 15)
        assert SignificanceRefit(CV, "max_depth")(results_of(near, BEST - 0.5, BEST)) == 0

    def test_equal_scores_are_as_good_without_a_warning(self):
        assert SignificanceRefit(CV, "max_depth")(results_of(BEST, BEST)) == 0

    def test_within_a_margin_there_is_nothing_to_warn_of(self):
        margin = CorrectedResampledTTest(null_value=-0.25)
        refit = SignificanceRefit(CV, "max_depth", method=margin)
        assert refit(results_of(BEST - 0.125, BEST)) == 0
        with pytest.warns(DegenerateScoresWarning, match="no evidence that it is worse"):
            assert refit(results_of(BEST - 0.5, BEST)) == 0

    def test_one_standard_error_of_a_best_that_does_not_vary(self):
        refit = SignificanceRefit(CV, "max_depth", rule="one_standard_error")
        perfect = np.ones(15)
        with pytest.warns(DegenerateScoresWarning, match="standard error is 0"):
            assert refit(results_of(BEST, perfect, perfect)) == 1
        assert refit(results_of(perfect, perfect)) == 0
