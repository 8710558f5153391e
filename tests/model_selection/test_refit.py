"""The cheapest candidate that is good enough: against the rules by hand."""

import pickle
import warnings

import numpy as np
import pandas as pd
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
    StratifiedKFold,
    cross_validate,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from skcvstats import (
    AnticonservativeWarning,
    CorrectedResampledTTest,
    DegenerateScoresWarning,
    FitError,
    HalfSplitPairs,
    RepeatedSubsampleSplit,
    SignificanceRefit,
    SplitDesign,
    SplitDesignError,
    SplitDesignWarning,
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


def by_test(cv=CV, cost="max_depth", **options):
    return SignificanceRefit(cv, cost, rule="test", **options)


def by_margin(margin, cv=CV, cost="max_depth", **options):
    return SignificanceRefit(cv, cost, rule="margin", margin=margin, **options)


pytestmark = pytest.mark.filterwarnings("ignore:One or more of the test scores are non-finite")
little_evidence = pytest.mark.filterwarnings("ignore:.* is no evidence that it is equally good")


@little_evidence
@pytest.mark.parametrize("alpha", [0.001, 0.05, 0.3, 0.49])
def test_the_test_by_hand(alpha):
    search = searched(by_test(alpha=alpha))
    scores = scores_of(search.cv_results_)
    best = scores[scores.mean(axis=1).argmax()]
    assert search.best_index_ == first_as_good(scores, best, 0.2 / 0.8, alpha)


@little_evidence
def test_the_level_changes_what_is_chosen():
    chosen = [searched(by_test(alpha=alpha)).best_index_ for alpha in (0.001, 0.49)]
    assert chosen[0] < chosen[1]


@pytest.mark.parametrize("options", [{}, {"rule": "one_standard_error"}])
def test_one_standard_error_by_hand(options):
    search = searched(SignificanceRefit(CV, "max_depth", **options))
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
        error = np.sqrt((1 / 5 + 30 / 120) * best.var(ddof=1))
        assert fitted.best_index_ == np.flatnonzero(scores.mean(axis=1) >= best.mean() - error)[0]


def test_clones_and_pickles():
    refit = by_margin(0.05, alpha=0.1)
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
        ({"alpha": 5}, r"alpha=5 must be a number between 0 and 0\.5, the level of a one-sided"),
        ({"alpha": 0.95}, r"alpha=0\.95 must be a number between 0 and 0\.5"),
        ({"cv": None}, r"cv=None: .* not known\. Pass as cv= .* that is 5 where the search has"),
        ({"margin": 0.01}, r"margin=0\.01 is used by rule='margin' only, and rule='one_standard"),
        ({"rule": "test", "margin": 0.01}, "Use rule='margin', or leave margin out"),
        ({"rule": "margin"}, r"margin=None with rule='margin' must be .* no default"),
        ({"rule": "margin", "margin": 0}, "margin=0 with rule='margin' must be a positive"),
        ({"rule": "margin", "margin": -0.1}, "must be a positive, finite number"),
        ({"rule": "margin", "margin": np.inf}, "must be a positive, finite number"),
        ({"rule": "margin", "margin": np.nan}, "must be a positive, finite number"),
        ({"rule": "margin", "margin": "1%"}, "must be a positive, finite number"),
        ({"rule": "margin", "margin": True}, "must be a positive, finite number"),
        ({"metric": "f1"}, r"metric='f1', but the search has one metric, .* Leave metric out"),
        ({"method": "t"}, r"method='t' is not known"),
        ({"method": CorrectedResampledTTest(alternative="greater")}, "asks whether it is worse"),
        ({"method": CorrectedResampledTTest(null_value=0.1)}, "with rule='test', negative"),
        ({"method": CorrectedResampledTTest(null_value=-0.1)}, "which rule='one_standard_error'"),
    ],
)
def test_parameters_are_checked_where_they_are_used(options, message):
    results = searched(False).cv_results_
    with pytest.raises(ValueError, match=message):
        SignificanceRefit(**{"cv": CV, "cost": "max_depth", **options})(results)
    changed = clone(SignificanceRefit(CV, "max_depth").set_params(**options))
    with pytest.raises(ValueError, match=message):
        changed(results)
    search = GridSearchCV(TREE, GRID, cv=CV, refit=SignificanceRefit(CV, "max_depth"))
    search.set_params(**{f"refit__{name}": value for name, value in options.items()})
    with pytest.raises(ValueError, match=message):
        search.fit(X, Y)


@little_evidence
def test_a_null_value_by_hand():
    search = searched(by_test(method=CorrectedResampledTTest(null_value=-0.05)))
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
            chosen = by_test()(results_of(*rows))
        assert chosen == 1
        if gap != 0.001:  # which is not exact, so that the error by hand is not 0
            assert chosen == first_as_good(rows, BEST, 0.2 / 0.8, 0.05)

    def test_one_that_is_not_taken_is_no_matter(self):
        near = BEST - np.linspace(-0.01, 0.011, 15)
        assert by_test()(results_of(near, BEST - 0.5, BEST)) == 0

    def test_equal_scores_are_as_good_without_a_warning(self):
        assert by_test()(results_of(BEST, BEST)) == 0

    def test_within_a_margin_there_is_nothing_to_warn_of(self):
        refit = by_test(method=CorrectedResampledTTest(null_value=-0.25))
        assert refit(results_of(BEST - 0.125, BEST)) == 0
        with pytest.warns(DegenerateScoresWarning, match="no evidence that it is worse"):
            assert refit(results_of(BEST - 0.5, BEST)) == 0

    def test_one_standard_error_of_a_best_that_does_not_vary(self):
        refit = SignificanceRefit(CV, "max_depth", rule="one_standard_error")
        perfect = np.ones(15)
        with pytest.warns(DegenerateScoresWarning, match="standard error is 0"):
            assert refit(results_of(BEST, perfect, perfect)) == 1
        assert refit(results_of(perfect, perfect)) == 0

    def test_margin(self):
        rows = [BEST - 0.125, BEST - np.linspace(-0.01, 0.011, 15), BEST]
        with pytest.warns(DegenerateScoresWarning, match=r"depth': 1.*-0\.125: .* the margin"):
            assert by_margin(0.25)(results_of(*rows)) == 1
        assert by_margin(0.1)(results_of(*rows)) == 1  # it is not within the margin anyway


def noisy(seed, distance, spread):
    """Return scores on 15 splits around a distance below the best."""
    noise = np.random.default_rng(seed).normal(size=15)
    return BEST - distance + spread * (noise - noise.mean())


class TestMargin:
    @pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
    @pytest.mark.parametrize("margin", [0.03, 0.08, 0.2])
    @pytest.mark.filterwarnings("ignore:The best candidate is chosen")
    def test_by_hand(self, alpha, margin):
        search = searched(by_margin(margin, alpha=alpha))
        scores = scores_of(search.cv_results_)
        best = scores.mean(axis=1).argmax()
        error = np.sqrt((1 / 15 + 0.2 / 0.8) * (scores - scores[best]).var(axis=1, ddof=1))
        with np.errstate(divide="ignore", invalid="ignore"):
            t = ((scores - scores[best]).mean(axis=1) + margin) / error
        shown = (stats.t.sf(t, 14) < alpha) & (error > 0)
        shown[best] = True
        assert search.best_index_ == np.flatnonzero(shown)[0]

    def test_a_candidate_is_shown_within_a_margin_and_not_within_a_smaller_one(self):
        rows = [noisy(0, 0.02, 0.01), BEST]
        error = np.sqrt((1 / 15 + 1 / 4) * (rows[0] - BEST).var(ddof=1))
        least = 0.02 + stats.t.ppf(0.95, 14) * error
        assert by_margin(1.001 * least)(results_of(*rows)) == 0
        assert by_margin(0.999 * least)(results_of(*rows)) == 1
        assert by_margin(0.001)(results_of(*rows)) == 1  # a mean below it needs no warning

    def test_that_none_could_be_shown_is_told(self):
        rows = [noisy(0, 0.005, 0.05), BEST]
        with pytest.warns(SplitDesignWarning, match=r"margin=0\.01 is less than two standard er"):
            assert by_margin(0.01)(results_of(*rows)) == 1


class TestWhatTheTestSays:
    """That a candidate is not shown to be worse is no evidence that it is as good."""

    def test_one_that_may_be_much_worse(self):
        rows = [noisy(0, 0.03, 0.1), BEST]
        error = np.sqrt((1 / 15 + 1 / 4) * (rows[0] - BEST).var(ddof=1))
        worst = 0.03 + stats.t.ppf(0.95, 14) * error
        match = rf"is 0\.03 below the best\. .* worse by up to {worst:.4g} \(one-sided 95 % bound"
        with pytest.warns(SplitDesignWarning, match=match):
            assert by_test()(results_of(*rows)) == 0

    def test_enough_data_and_the_best_itself_are_no_matter(self):
        assert by_test()(results_of(noisy(0, 0.001, 0.005), BEST)) == 0
        assert by_test()(results_of(BEST, noisy(0, 0.03, 0.1))) == 0


@pytest.mark.parametrize("rule", ["one_standard_error", "test", "margin"])
def test_what_weakens_the_procedure_is_warned_of_once(rule):
    rows = np.array([[0.7, 0.8, 0.9, 0.6, 0.7], [0.8, 0.8, 0.9, 0.7, 0.9]])
    refit = SignificanceRefit(
        StratifiedKFold(5),
        "max_depth",
        rule=rule,
        margin=0.5 if rule == "margin" else None,
        method="resampled_t",
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        refit(results_of(*rows))
    told = [(warning.category, str(warning.message)) for warning in caught]
    for category, words in [
        (AnticonservativeWarning, "The resampled t-test takes scores of overlapping splits for"),
        (SplitDesignWarning, "Only 5 splits"),
        (SplitDesignWarning, "The splits are stratified"),
    ]:
        assert [one for one, text in told if text.startswith(words)] == [category]


def test_one_candidate():
    for refit in (SignificanceRefit(CV, "max_depth"), by_test(), by_margin(0.01)):
        assert refit(results_of(BEST)) == 0


def test_of_candidates_with_the_same_mean_the_cheapest_is_the_best():
    shuffled = BEST[::-1].copy()
    assert shuffled.mean() == BEST.mean()
    for refit in (SignificanceRefit(CV, "max_depth"), by_test(), by_margin(1e-6)):
        assert refit(results_of(BEST - 0.3, shuffled, BEST, BEST)) == 1


def test_missing_scores_are_passed_over_by_every_rule():
    hole = np.where(np.arange(15) == 3, np.nan, BEST + 0.01)
    for refit in (SignificanceRefit(CV, "max_depth"), by_test(), by_margin(0.01)):
        assert refit(results_of(hole, BEST - 0.2 * BEST, BEST, hole)) == 2


def test_the_metric_of_a_search_with_one_has_no_name():
    results = searched(False, scoring="f1").cv_results_
    chosen = SignificanceRefit(CV, "max_depth")(results)
    assert SignificanceRefit(CV, "max_depth", metric="score")(results) == chosen
    with pytest.raises(ValueError, match=r"calls 'score' .*scoring=\['f1'\]"):
        SignificanceRefit(CV, "max_depth", metric="f1")(results)
    search = searched(SignificanceRefit(CV, "max_depth", metric="f1"), scoring=["f1"])
    assert search.best_index_ == chosen
    with pytest.raises(ValueError, match=r"metric='recall' is not among .*: 'f1'\. Choose"):
        SignificanceRefit(CV, "max_depth", metric="recall")(search.cv_results_)


def test_pipelines_frames_and_words():
    model = make_pipeline(StandardScaler(), TREE)
    refit = SignificanceRefit(CV, "decisiontreeclassifier__max_depth")
    grid = {"decisiontreeclassifier__max_depth": GRID["max_depth"]}
    frame = pd.DataFrame(X, columns=list("abcdefgh"))
    words = pd.Series(np.where(Y == 1, "yes", "no"))
    search = GridSearchCV(model, grid, cv=CV, refit=refit).fit(frame, words)
    assert search.best_index_ == searched(SignificanceRefit(CV, "max_depth")).best_index_
    assert set(search.predict(frame)) == {"yes", "no"}


def test_results_as_a_frame_in_any_order():
    results = searched(False).cv_results_
    frame = pd.DataFrame(results).sort_values("rank_test_score", kind="stable")
    for refit in (SignificanceRefit(CV, "max_depth"), by_test(alpha=0.3), by_margin(0.2)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SplitDesignWarning)
            position = refit(frame)
            assert frame["params"].iloc[position] == results["params"][refit(results)]
