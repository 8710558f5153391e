"""Verdicts on finished searches: against scikit-learn's example, and against loops by hand."""

import warnings
from functools import cache

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn import config_context
from sklearn import model_selection as ms
from sklearn.datasets import make_classification, make_moons
from sklearn.exceptions import FitFailedWarning
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.feature_selection import RFECV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import skcvstats as s
from skcvstats.model_selection._finished import candidate_labels
from tests.cheap import NearestMean, QuicklyScored
from tests.conftest import golden_cases, ignoring

pytestmark = [
    pytest.mark.filterwarnings("ignore:One or more of the test scores are non-finite"),
    ignoring("SplitDesign", "Anticonservative", "DegenerateScores"),
]

X, Y = make_classification(150, 5, random_state=0)
COLUMNS = {"n_columns": [1, 2, 4]}
MODEL = QuicklyScored()
TREE = DecisionTreeClassifier(random_state=0)
OPTIMISTIC = " too high, for choosing the best of 3; score it on new rows, or nest the search"


def named(k, numbers=COLUMNS["n_columns"]):
    return f"#{k} n_columns={numbers[k]}"


def searched(cv, estimator=MODEL, grid=COLUMNS, **options):
    return ms.GridSearchCV(estimator, grid, cv=cv, refit=False, **options).fit(X, Y)


@cache
def in_twelve(*scoring):
    """Return a search on twelve splits that no test changes."""
    return searched(s.RepeatedSubsampleSplit(12, random_state=0), scoring=list(scoring) or None)


def area(estimator, X, y):
    """Return the area under the ROC curve: the share of pairs in order, ties counted half."""
    scores = estimator.decision_function(X)
    margins = scores[y == 1][:, None] - scores[y == 0]
    return np.mean((1 + np.sign(margins)) / 2)


def test_against_the_scikit_learn_example():
    (case,) = golden_cases("sklearn_plot_grid_search_stats")
    data, target = make_moons(noise=0.352, random_state=1, n_samples=100)
    grid = [{"kernel": ["linear"]}, {"kernel": ["poly"], "degree": [2, 3]}, {"kernel": ["rbf"]}]
    cv = ms.RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    search = ms.GridSearchCV(SVC(random_state=0), grid, scoring=area, cv=cv, refit=False)
    with config_context(assume_finite=True, skip_parameter_validation=True):  # 400 fits
        search.fit(data, target)
    found = s.compare_candidates(search, data, target, adjustment="none").pairs()
    names = {"rbf": "#3 kernel=rbf", "linear": "#0 kernel=linear"}
    names |= {f"{k}_poly": f"#{k - 1} kernel=poly, degree={k}" for k in (2, 3)}
    for pair in case["outputs"]["pairwise"]:
        a, b = names[pair["a"]], names[pair["b"]]
        tests = {(one.estimator, one.versus): one.test for one in found}
        sign = 1 if (a, b) in tests else -1
        two_sided = tests[(a, b) if sign == 1 else (b, a)]
        assert sign * two_sided.statistic == pytest.approx(pair["t"], rel=1e-11)
        tail = two_sided.against(0.0, "greater" if sign == 1 else "less").pvalue
        assert tail == pytest.approx(pair["p_one_sided"], rel=1e-9)  # 1 - cdf in the example
        assert two_sided.pvalue == pytest.approx(pair["p_two_sided"], rel=1e-9)
        assert two_sided.df == 99


@pytest.mark.parametrize(
    "cv",
    [
        10,
        ms.ShuffleSplit(12, test_size=0.2, train_size=0.5, random_state=0),
        ms.ShuffleSplit(12, test_size=0.2),  # other rows when it is run again, of the same sizes
        s.RepeatedSubsampleSplit(12, random_state=0),
        list(ms.ShuffleSplit(12, test_size=0.1, random_state=0).split(X)),
    ],
    ids=lambda cv: type(cv).__name__,
)
def test_sizes_against_cross_validate(cv):
    result = s.compare_candidates(searched(cv), X, Y).pairs()
    indices = ms.cross_validate(MODEL, X, Y, cv=cv, return_indices=True)["indices"]
    test = result.tests[0]
    assert test.n_samples == len(X)
    assert test.n_splits == len(indices["train"])
    assert test.n_train == pytest.approx(np.mean([len(rows) for rows in indices["train"]]))
    harmonic = 1 / np.mean([1 / len(rows) for rows in indices["test"]])
    assert test.n_test == pytest.approx(harmonic)


def best_label(results, metric="score"):
    return named(results[f"mean_test_{metric}"].argmax())


def test_the_best_called_by_its_name_is_still_chosen_on_these_scores():
    search = in_twelve()
    best = best_label(search.cv_results_)
    message = r"the best on these same scores.*result\.best_set\(\) names the estimators"
    with pytest.warns(s.AnticonservativeWarning, match=message):
        result = s.compare_candidates(search, X, Y, reference=best)
    assert {one.versus for one in result} == {best}
    for one in result:
        assert "favoured by chance" in " ".join(map(str, one.notes))
    assert "not verified" not in str(result)  # candidates of one search share their splits
    others = {named(k) for k in range(3)} - {best}
    with warnings.catch_warnings(action="error", category=s.AnticonservativeWarning):
        for reference in (*others, None):
            result = s.compare_candidates(search, X, Y, reference=reference)
            assert {one.versus for one in result} <= {reference}
            assert not any("favoured" in str(note) for one in result for note in one.notes)


def test_the_best_in_one_metric_is_noted_there():
    def turned(estimator, X, y):
        return {"hits": estimator.score(X, y), "misses": 1 - estimator.score(X, y)}

    search = searched(s.RepeatedSubsampleSplit(12, random_state=0), scoring=turned)
    best = best_label(search.cv_results_, "misses")
    assert best != best_label(search.cv_results_, "hits")
    with pytest.warns(s.AnticonservativeWarning, match="the best on these same scores"):
        result = s.compare_candidates(search, X, Y, reference=best)
    noted = {one.metric for one in result if any("favoured" in str(note) for note in one.notes)}
    assert noted == {"misses"}


@pytest.mark.parametrize("resource", ["n_samples", "max_leaf_nodes"])
def test_of_a_halving_search_the_last_iteration(resource):
    options = {"max_resources": 20, "min_resources": 4} if resource != "n_samples" else {}
    data = sp.csr_array(X) if resource == "n_samples" else X
    options |= {"cv": ms.ShuffleSplit(5, test_size=0.2, random_state=0), "random_state": 0}
    leaves = {"min_samples_leaf": [1, 2, 3, 4, 5]}
    search = ms.HalvingGridSearchCV(TREE, leaves, resource=resource, factor=2, **options)
    search.fit(data, Y)
    results = search.cv_results_
    last = results["iter"] == results["iter"].max()
    assert 2 <= last.sum() < len(last)
    result = s.compare_candidates(search, data, Y).pairs()
    expected = np.stack([results[f"split{k}_test_score"][last] for k in range(5)], axis=1)
    np.testing.assert_array_equal(result.scores.values, expected)
    share = results["n_resources"][last][0] / 150 if resource == "n_samples" else 1
    assert result.tests[0].n_train == int(share * 120)
    assert result.tests[0].n_test == int(share * 30)
    assert result.tests[0].n_samples == 150


def test_groups_are_counted():
    # Halving takes rows from the groups; while each keeps a row, all groups are there.
    options = {"cv": ms.GroupKFold(5), "factor": 2, "random_state": 0}
    halving = ms.HalvingGridSearchCV(TREE, {"min_samples_leaf": [1, 3, 5]}, **options)
    whole = ms.GridSearchCV(MODEL, COLUMNS, cv=ms.GroupKFold(10))
    for search, n, n_test in ((whole, 50, 5), (halving, 15, 3)):
        groups = np.arange(150) // (150 // n)
        search.fit(X, Y, groups=groups)
        test = s.compare_candidates(search, X, Y, groups=groups).pairs().tests[0]
        sizes = test.n_samples, test.n_train, test.n_test
        assert (test.unit, *sizes) == ("groups", n, n - n_test, n_test)
        message = r"could not be run over the data again: .*groups=.*, or else design=SplitDesign"
        with pytest.raises(ValueError, match=message):
            s.compare_candidates(search, X, Y)


def test_top_says_so():
    search = in_twelve()
    with pytest.warns(s.AnticonservativeWarning, match="^P-values are not adjusted for the choice"):
        result = s.compare_candidates(search, X, Y).pairs(top=2)
    means = search.cv_results_["mean_test_score"]
    left = {named(k) for k in np.argsort(-means)[:2]}
    assert set(result.scores.labels) == left
    note = "p-values are not adjusted for the choice of the 2 best of 3 candidates on these same "
    note += "scores; they are adjusted for the comparisons that were made"
    told = [[str(found) for found in comparison.notes] for comparison in result]
    ((optimistic, chosen),) = told
    assert optimistic.endswith(OPTIMISTIC)
    assert chosen == note
    assert "2 best of" not in str(s.compare_candidates(search, X, Y).pairs(top=3).notes)
    asked_before = s.compare_candidates(search, X, Y, top=2)
    assert "2 best of" not in str(asked_before.notes)  # nothing is compared yet
    pd.testing.assert_frame_equal(asked_before.pairs().to_frame(), result.to_frame())
    four = [1, 2, 4, 5]
    search = searched(s.RepeatedSubsampleSplit(12, random_state=0), grid={"n_columns": four})
    worst = named(np.argmin(search.cv_results_["mean_test_score"]), four)
    result = s.compare_candidates(search, X, Y, top=2, reference=worst)  # which is kept
    assert [one.versus for one in result] == [worst, worst]
    said = "the choice of the 2 best of 4 candidates and the reference on these same scores"
    assert said in " ".join(map(str, result.notes))


@pytest.mark.parametrize("adjustment", ["max_t", "holm"])
def test_the_best_set_is_of_all_candidates_whatever_top_is(adjustment):
    numbers = {"n_columns": [1, 2, 3, 4, 5]}
    search = searched(s.RepeatedSubsampleSplit(12, random_state=0), grid=numbers)
    whole = s.compare_candidates(search, X, Y, adjustment=adjustment)
    result = s.compare_candidates(search, X, Y, top=2, adjustment=adjustment).pairs()
    assert len(result.names) == 2 < len(result.best_set())
    for level in (0.6, 0.8, 0.95):
        assert result.best_set(level) == whole.best_set(level)
        pd.testing.assert_frame_equal(result.ranking(level), whole.ranking(level))
    with pytest.raises(ValueError, match="There are no letters"):
        result.letters()  # not all pairs of these rows were compared
    assert result.with_margin(0.1).best_set() == whole.best_set()
    read = s.ComparisonResult.from_json(result.to_json())
    pd.testing.assert_frame_equal(read.ranking(), result.ranking(), check_exact=True)
    pd.testing.assert_frame_equal(read.to_frame(), result.to_frame(), check_exact=True)


def test_the_best_set_is_of_candidates_with_all_scores():
    cv = s.RepeatedSubsampleSplit(12, random_state=0)
    with pytest.warns(FitFailedWarning, match="fits failed"):
        search = searched(cv, grid={"n_columns": [1, -3, 2, 4]})
    with pytest.warns(FitFailedWarning, match="left out of the comparison"):
        result = s.compare_candidates(search, X, Y, top=2)
    whole = s.compare_candidates(in_twelve(), X, Y)
    names = [label.split(" ", 1)[1] for label in whole.best_set()]  # their numbers differ
    assert [label.split(" ", 1)[1] for label in result.best_set()] == names


@pytest.mark.parametrize("reference", [None, "n_columns=1"])
def test_says_that_the_winners_own_score_is_optimistic(reference):
    search = in_twelve("accuracy", "roc_auc")
    with warnings.catch_warnings(record=True, action="always") as caught:
        result = s.compare_candidates(search, X, Y, reference=reference)
    assert not any("optimistic" in str(warning.message) for warning in caught)
    said = " ".join(str(result).split())
    for metric in ("accuracy", "ROC AUC"):
        assert said.count(f"The {metric} of the best candidate is roughly 0.0") == 1
    assert result.metrics == ("accuracy", "roc_auc")
    for metric in result.metrics:
        assert any(str(note).endswith(OPTIMISTIC) for note in result[metric].notes)
        means = search.cv_results_[f"mean_test_{metric}"]
        np.testing.assert_array_equal(result[metric].scores.values.mean(axis=1), means)


def test_candidates_that_failed_are_left_out_aloud():
    grid = {"n_columns": [1, -3, 2]}
    with pytest.warns(FitFailedWarning, match="fits failed"):
        search = searched(10, grid=grid)
    with pytest.warns(FitFailedWarning, match="'#1 n_columns=-3' had fits or scores that failed"):
        result = s.compare_candidates(search, X, Y)
    assert result.scores.labels == ("#0 n_columns=1", "#2 n_columns=2")
    with pytest.warns(FitFailedWarning, match="left out"):
        assert "2 best of" not in str(s.compare_candidates(search, X, Y, top=2))  # that is all
    with pytest.raises(s.FitError, match=r"'#1 n_columns=-3' had fits .* Choose another") as caught:
        s.compare_candidates(search, X, Y, reference="n_columns=-3")
    assert caught.value.scores["QuicklyScored.score"].labels[1] == "#1 n_columns=-3"
    with pytest.warns(FitFailedWarning, match="fits failed"):
        hopeless = searched(10, grid={"n_columns": [-1, -3, 2]})
    with pytest.raises(s.FitError, match="2 of 3 candidates have scores that are missing"):
        s.compare_candidates(hopeless, X, Y)


@pytest.mark.parametrize(("estimator", "grid", "labels", "shared"), [
    (SVC(),
     [{"C": [1.0, 0.1], "gamma": [0.5], "kernel": ["rbf"]},
      {"C": [0.1], "tol": [1e-3], "kernel": ["rbf"]}],
     ("#0 C=1, gamma=0.5", "#1 C=0.1, gamma=0.5", "#2 C=0.1, tol=0.001"),
     "kernel=rbf in all."),
    (make_pipeline(StandardScaler(), SVC()), {"svc__C": [0.1, 1, 10], "svc__kernel": ["rbf"]},
     ("#0 C=0.1", "#1 C=1", "#2 C=10"), "parameters of svc; kernel=rbf in all."),
], ids=["grids", "pipeline"])  # fmt: skip
def test_labels_name_what_differs(estimator, grid, labels, shared):
    result = s.compare_candidates(searched(3, estimator, grid), X, Y)
    assert result.scores.labels == labels
    assert shared in " ".join(str(result).split())


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([1.00001, 1.00002, 1.0], ["1.00001", "1.00002", "1"]),
        ([0.123456, 0.2, 1e-7], ["0.1235", "0.2", "1e-07"]),
        ([np.float64(0.1), np.nextafter(0.1, 1)], ["0.1", "0.10000000000000002"]),
        ([1, 1.0], ["1", "1.0"]),  # one feature, or all of them
        (["1", 1], ["'1'", "1"]),
        ([(1.0, 2), (1.0, 3)], ["(1.0, 2)", "(1.0, 3)"]),
        ([None, True], ["None", "True"]),
        ([1.0, np.float64(1), 2.0], ["1", "1", "2"]),  # equal values are numbered
    ],
)
def test_labels_have_as_many_digits_as_tell_values_apart(values, texts):
    labels = candidate_labels([{"kernel": "rbf", "C": value} for value in values])
    assert labels == tuple(f"#{k} C={text}" for k, text in enumerate(texts))


def test_parameters_of_candidates_get_blanks():
    class Kernel:
        def __repr__(self):
            return "Kernel\u202e(1)"

    params = [{"kernel": Kernel(), "n": 1}, {"kernel": 1, "n\u2028": 2}]
    assert candidate_labels(params) == ("#0 kernel=Kernel (1), n=1", "#1 kernel=1, n =2")


def test_labels_lead_to_the_estimators():
    grid = [{"svc__C": [1.00001, 1.00002]}, {"svc": [SVC(tol=0.1)], "svc__C": [2.0]}]
    model = make_pipeline(StandardScaler(), SVC())
    search = searched(5, model, grid, scoring="balanced_accuracy")
    scores = s.compare_candidates(search, X, Y).scores
    models = ["SVC(C=1.00001)", "SVC(C=1.00002)", "SVC(C=2.0, tol=0.1)"]
    assert scores.provenance["estimators"] == {
        label: f"Pipeline(steps=[('standardscaler', StandardScaler()), ('svc', {svc})])"
        for label, svc in zip(scores.labels, models, strict=True)
    }
    assert scores.labels[:2] == ("#0 svc__C=1.00001", "#1 svc__C=1.00002")
    assert repr(grid[1]["svc"][0]) == "SVC(tol=0.1)"  # the search's own objects stay as they are
    assert repr(model[-1]) == "SVC()"
    assert scores.provenance["scoring"] == "balanced_accuracy"
    assert scores.fit_times is None


def test_what_cannot_be_known_is_asked_for():
    splits = list(ms.KFold(10).split(X))
    search = searched(iter(splits))
    with pytest.raises(s.SplitDesignError, match=r"used only once.*design=SplitDesign\.from_sizes"):
        s.compare_candidates(search, X, Y)
    search = searched(5)
    with pytest.raises(ValueError, match=r"Pass X and y.*or design="):
        s.compare_candidates(search)
    search.cv = 7
    message = r"has 7 splits, but the results are of 5, .* Pass design=SplitDesign\.from_sizes"
    with pytest.raises(s.SplitDesignError, match=message):
        s.compare_candidates(search, X, Y)


def test_a_search_without_a_seed_goes_on_and_says_so():
    result = s.compare_candidates(searched(ms.ShuffleSplit(12)), X, Y)
    assert result.scores.design.digests is None
    assert "cannot be drawn again" in str(result)
    seeded = s.compare_candidates(searched(ms.ShuffleSplit(12, random_state=0)), X, Y)
    assert "cannot be drawn again" not in str(seeded)


def test_the_metric_of_refit_comes_first():
    metrics = ["accuracy", "balanced_accuracy", "f1"]
    for refit in metrics:
        search = ms.GridSearchCV(TREE, {"max_depth": [1, 3]}, scoring=metrics, refit=refit, cv=3)
        found = list(s.compare_candidates(search.fit(X, Y), X, Y).metrics)
        assert found == [refit, *(metric for metric in metrics if metric != refit)]


def test_metrics_have_their_names():
    own = s.compare_candidates(searched(3, NearestMean()), X, Y)
    assert own.metrics == ("accuracy",)
    assert own.scores.provenance["scoring"] == "None, the estimator's own score (accuracy)"

    def both(estimator, X, y):
        return {"half": estimator.score(X, y) / 2, "whole": estimator.score(X, y)}

    assert s.compare_candidates(searched(3, scoring=both), X, Y).metrics == ("half", "whole")


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_undefined_metrics_are_noted_and_the_cause_of_missing_scores():
    y = (np.arange(len(X)) < 6).astype(int)
    cv = ms.ShuffleSplit(15, test_size=0.1, random_state=0)
    n = sum(not y[test].any() for _, test in cv.split(X, y))
    assert n > 0
    for scoring in ("f1", ["accuracy", "f1"], "roc_auc"):
        search = ms.GridSearchCV(NearestMean(), COLUMNS, cv=cv, scoring=scoring, refit=False)
        search.fit(X, y)
        if scoring != "roc_auc":
            result = s.compare_candidates(search, X, y)["f1"]
            lacking = f"{n} of 15 test sets contain no 1, for which f1 is undefined"
            assert lacking in str(result.notes)
    with pytest.raises(s.FitError, match="contain only one class, for which roc_auc is undefined"):
        s.compare_candidates(search, X, y)


def test_of_rfecv_scores_are_those_of_the_search_and_the_fewest_features_are_chosen():
    cv = s.RepeatedSubsampleSplit(12, test_size=0.2, random_state=0)
    model = DecisionTreeClassifier(max_depth=3, random_state=0)
    options = {"step": 2, "min_features_to_select": 2, "cv": cv}
    search = RFECV(model, scoring="balanced_accuracy", **options).fit(X, Y)
    result, results = s.compare_candidates(search, X, Y), search.cv_results_
    assert result.params(result.names[1]) == {"n_features": int(results["n_features"][1])}
    values = np.transpose([results[f"split{k}_test_score"] for k in range(12)])
    np.testing.assert_array_equal(result.scores.values, values)
    again = s.compare_candidates(results, X, Y, cv=cv)
    np.testing.assert_array_equal(again.scores.values, values)
    assert again.params(again.names[1]) == result.params(result.names[1])
    assert result.metrics == ("balanced_accuracy",)
    assert set(result.best_set()) <= set(result.names)
    assert "{'n_features': 2}" in str(s.evaluation_report(result))
    best = values[values.mean(axis=1).argmax()]
    error = np.sqrt((1 / 12 + 0.25) * best.var(ddof=1))
    good = np.flatnonzero(values.mean(axis=1) >= best.mean() - error)
    assert s.SignificanceRefit(cv, cost="n_features")(results) == good[0]
