"""The cheapest candidate that is good enough: against the rules by hand."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    LeaveOneOut,
    RepeatedKFold,
    ShuffleSplit,
    StratifiedKFold,
)

from skcvstats import (
    AnticonservativeWarning,
    CorrectedResampledTTest,
    RepeatedSubsampleSplit,
    SignificanceRefit,
    SplitDesign,
    SplitDesignWarning,
)
from skcvstats.model_selection._refit import follow
from tests.model_selection.refits import (
    CV,
    FEW,
    GRID,
    MODEL,
    X,
    Y,
    by_best_set,
    by_margin,
    by_test,
    first_as_good,
    found,
    results_of,
    scores_of,
    searched,
)

pytestmark = pytest.mark.filterwarnings("ignore:One or more of the test scores are non-finite")
little_evidence = pytest.mark.filterwarnings("ignore:.* is no evidence that it is equally good")


@little_evidence
@pytest.mark.parametrize("null_value", [0, -0.05])
@pytest.mark.parametrize(("level", "alpha"), [(0.999, 0.001), (0.95, 0.05), (0.51, 0.49)])
def test_the_test_by_hand(level, alpha, null_value):
    refit = by_test(confidence_level=level, method=CorrectedResampledTTest(null_value=null_value))
    scores = scores_of(found())
    best = scores[scores.mean(axis=1).argmax()]
    assert refit(found()) == first_as_good(scores - null_value, best, 0.2 / 0.8, alpha)


@pytest.mark.parametrize("options", [{}, {"rule": "one_standard_error"}])
def test_one_standard_error_by_hand(options):
    search = searched(SignificanceRefit(CV, "n_columns", **options))
    scores = scores_of(search.cv_results_)
    means = scores.mean(axis=1)
    best = means.argmax()
    error = np.sqrt((1 / 15 + 0.2 / 0.8) * scores[best].var(ddof=1))
    assert search.best_index_ == np.flatnonzero(means >= means[best] - error)[0]


def test_costs_from_a_key_a_parameter_and_a_callable():
    by_parameter = SignificanceRefit(CV, "n_columns")
    by_callable = SignificanceRefit(CV, lambda params: params["n_columns"] ** 2)
    by_key = SignificanceRefit(CV, "param_n_columns")
    results = found()
    assert by_parameter(results) == by_callable(results) == by_key(results)
    deepest = SignificanceRefit(CV, lambda params: -params["n_columns"])(results)
    assert deepest > by_parameter(results)
    tied = SignificanceRefit(CV, lambda params: 0)
    assert tied(results) == results["mean_test_score"].argmax()


def test_metrics_whose_names_look_like_keys():
    names = ("split_test_x", "a_test_b", "split0_test_score")

    def scoring(estimator, X, y):
        return dict.fromkeys(names, estimator.score(X, y))

    alone = SignificanceRefit(CV, "n_columns")(found())
    search = searched(False, scoring=scoring, return_train_score=True)
    for name in names:
        assert SignificanceRefit(CV, "n_columns", scoring=name)(search.cv_results_) == alone


def test_clones_and_pickles():
    refit = by_margin(0.05, confidence_level=0.9)
    results = found()
    for copy in (clone(refit), pickle.loads(pickle.dumps(refit))):
        assert repr(copy) == repr(refit)
        assert copy(results) == refit(results)


def test_failed_candidates_are_never_chosen():
    with pytest.warns(FitFailedWarning, match="fits failed"):
        search = searched(SignificanceRefit(CV, "n_columns"), grid={"n_columns": [-5, 3]})
    assert search.best_params_ == {"n_columns": 3}


@pytest.mark.parametrize(
    ("cv", "n_splits", "ratio"),
    [
        *((10, 10, 1 / 9), (KFold(7), 7, 1 / 6)),
        (RepeatedKFold(n_splits=5, n_repeats=3), 15, 1 / 4),
        (ShuffleSplit(8, test_size=0.25), 8, 1 / 3),
        (ShuffleSplit(8, test_size=0.01), 8, 1 / 99),
        (ShuffleSplit(8, test_size=0.1, train_size=0.5), 8, 1 / 9),
        (RepeatedSubsampleSplit(8, test_size=0.1, train_size=0.5, pool="fixed"), 8, 1 / 5),
        *((GroupKFold(4), 4, 1 / 3), (LeaveOneOut(), 200, 1 / 199)),
        (SplitDesign.from_sizes(90, 10, n_splits=6), 6, 1 / 9),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_follows_from_a_splitter(cv, n_splits, ratio):
    assert follow(cv, n_splits=n_splits).rho0_odds == pytest.approx(ratio, rel=1e-9)


def test_parameters_are_checked_where_they_are_used():
    results, options = found(), {"method": CorrectedResampledTTest(null_value=0.1)}
    refit = SignificanceRefit(CV, "n_columns")
    search = GridSearchCV(MODEL, GRID, cv=CV, refit=refit)
    search.set_params(refit__method=options["method"])
    for ask in (
        lambda: SignificanceRefit(CV, "n_columns", **options)(results),
        lambda: clone(refit).set_params(**options)(results),
        lambda: search.fit(X, Y),
    ):
        with pytest.raises(ValueError, match="with rule='test', negative"):
            ask()


@pytest.mark.parametrize("rule", ["one_standard_error", "test", "margin", "best_set"])
def test_what_weakens_the_procedure_is_warned_of_once(rule):
    rows = np.array([[0.7, 0.8, 0.9, 0.6, 0.7], [0.8, 0.8, 0.9, 0.7, 0.9]])
    options = {"rule": rule, "margin": 0.5 if rule == "margin" else None}
    refit = SignificanceRefit(StratifiedKFold(5), "n_columns", method="resampled_t", **options)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        refit(results_of(*rows))
    told = [(warning.category, str(warning.message)) for warning in caught]
    for category, words in [
        (AnticonservativeWarning, "The resampled t-test assumes that scores of overlapping splits"),
        (SplitDesignWarning, "These splits make the inference weak (stratified, few splits)"),
    ]:
        assert [one for one, text in told if text.startswith(words)] == [category]


def test_the_metric_of_a_search_with_one_has_no_name():
    results = searched(False, grid=FEW, scoring="f1").cv_results_
    chosen = SignificanceRefit(CV, "n_columns")(results)
    assert SignificanceRefit(CV, "n_columns", scoring="score")(results) == chosen
    refit = SignificanceRefit(CV, "n_columns", scoring="f1")
    search = searched(refit, grid=FEW, scoring=["f1"])
    assert search.best_index_ == chosen


def test_results_as_a_frame_in_any_order():
    results = found()
    frame = pd.DataFrame(results).sort_values("rank_test_score", kind="stable")
    rules = by_test(confidence_level=0.7), by_margin(0.2), by_best_set()
    for refit in (SignificanceRefit(CV, "n_columns"), *rules):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SplitDesignWarning)
            position = refit(frame)
            assert frame["params"].iloc[position] == results["params"][refit(results)]
