"""What is printed and reported of the p-values that other folds would give."""

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_wine
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier

import skcvstats as s

SAID = "With other folds p"


def words_of(result):
    return " ".join(str(result).split())


@pytest.fixture(scope="module")
def classifiers():
    X, y = load_wine(return_X_y=True)
    models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0, max_depth=3)}
    return s.compare_estimators(models, X, y, method="row_t", random_state=0)


@pytest.fixture(scope="module")
def regressors():
    X, y = load_diabetes(return_X_y=True)
    models = {"linear": LinearRegression(), "ridge": Ridge(0.2), "9-NN": KNeighborsRegressor(9)}
    return s.compare_estimators(models, X, y, method="row_t", random_state=0)


def test_the_print_of_two_models_says_it_where_the_level_lies_inside(classifiers):
    test = classifiers.tests[0]
    low, high = test.pvalue_over_folds
    for level, is_inside in ((low / 2, False), (test.pvalue, True), (high * 2, False)):
        printed = words_of(classifiers.with_confidence(1 - level))
        assert (SAID in printed) == is_inside
    inside = words_of(classifiers.with_confidence(1 - test.pvalue))
    remedy = "cv=RepeatedStratifiedKFold(n_splits=5, n_repeats=10)"
    said = f"{SAID} would mostly (80 %) lie between {low:.3g} and {high:.3g}"
    assert f"{said}; more repeats decide: {remedy}." in inside
    assert SAID in classifiers.with_confidence(1 - test.pvalue)._repr_html_()


def test_a_report_of_two_models_always_says_it(classifiers):
    test = classifiers.tests[0]
    far = s.evaluation_report(classifiers.with_confidence(1 - test.pvalue_over_folds.high * 2))
    assert words_of(far).count(SAID) == 1
    assert "more repeats decide" not in words_of(far)
    near = s.evaluation_report(classifiers.with_confidence(1 - test.pvalue))
    assert "more repeats decide: cv=" in words_of(near)


def test_many_models_have_it_in_the_frame_and_the_report(regressors):
    frame = regressors.to_frame(full=True)
    for k, test in enumerate(regressors.tests):
        ends = frame.loc[k, ["pvalue_over_folds_low", "pvalue_over_folds_high"]]
        assert tuple(ends) == pytest.approx(test.pvalue_over_folds, rel=1e-12)
    level = frame["pvalue"].min()
    result = regressors.with_confidence(1 - level)
    assert SAID not in words_of(result)
    low, high = frame["pvalue_over_folds_low"], frame["pvalue_over_folds_high"]
    open_ones = frame[(low <= level) & (level < high)]
    named = ", ".join(f"{a} - {b}" for a, b in open_ones[["estimator", "versus"]].to_numpy())
    said = f"{SAID.replace(' p', ' the unadjusted p')} of {len(open_ones)} of 3 differences may"
    report = words_of(s.evaluation_report(result))
    assert said in report
    assert f"the other side of {level:.3g}: {named}." in report


def test_regressors_are_told_of_their_folds_and_several_metrics_of_each(regressors):
    X, y = load_diabetes(return_X_y=True)
    models = {"linear": LinearRegression(), "9-NN": KNeighborsRegressor(9)}
    scoring = ["r2", "neg_mean_absolute_error"]
    result = s.compare_estimators(models, X, y, method="row_t", scoring=scoring, random_state=0)
    level = result.tests[1].pvalue
    printed = words_of(result.with_confidence(1 - level))
    assert f"{SAID} for MAE would mostly" in printed
    assert "decide: cv=RepeatedKFold(n_splits=5, n_repeats=10)." in printed


def test_single_tests_say_it_and_scores_that_were_not_asked_do_not():
    X, y = load_diabetes(return_X_y=True)
    plain = s.cross_val_inference(LinearRegression(), X, y, method="row_t", random_state=0)
    assert SAID not in words_of(plain)
    assert SAID not in words_of(s.evaluation_report(plain))
    null = plain.estimate - 2 * plain.standard_error
    asked = s.cross_val_inference(
        LinearRegression(), X, y, method="row_t", random_state=0, null_value=null
    )
    assert SAID in words_of(asked)
    assert SAID in words_of(s.evaluation_report(asked))


def test_what_is_not_known_is_not_said():
    """One repeat, scores that do not vary, and folds that nobody can draw again."""
    rng = np.random.default_rng(0)
    y = rng.normal(size=60)
    folds = np.stack([rng.permutation(60) % 5 for _ in range(2)])
    models = {name: y + rng.normal(size=(2, 60)) for name in "ab"}
    options = {"scoring": "neg_mean_squared_error"}
    result = s.compare_out_of_fold(y, models, folds=folds, **options)
    inside = words_of(result.with_confidence(1 - result.tests[0].pvalue))
    assert "more repeats decide." in inside
    single = {name: predicted[:1] for name, predicted in models.items()}
    result = s.compare_out_of_fold(y, single, folds=folds[:1], **options)
    assert SAID not in words_of(s.evaluation_report(result))
    assert "pvalue_over_folds_low" not in result.to_frame(full=True)
    same = {"a": models["a"], "b": models["a"]}
    with pytest.warns(s.DegenerateScoresWarning):
        result = s.compare_out_of_fold(y, same, folds=folds, **options)
    assert SAID not in words_of(s.evaluation_report(result))
