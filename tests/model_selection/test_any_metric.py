"""The row t-test of any metric: golden cases by all doors, and what is refused."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import BaseEstimator
from sklearn.datasets import make_classification, make_regression
from sklearn.dummy import DummyRegressor
from sklearn.metrics import (
    d2_pinball_score,
    fbeta_score,
    get_scorer,
    get_scorer_names,
    jaccard_score,
    make_scorer,
    r2_score,
    roc_auc_score,
)
from sklearn.model_selection import GroupKFold, KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.metaestimators import available_if

from skcvstats import (
    RowTTest,
    SplitDesignError,
    compare_estimators,
    compare_out_of_fold,
    compare_predictions,
    cross_val_inference,
)
from skcvstats._utils._metrics import METRICS, OF_FOLDS, ROW_MEANS
from skcvstats.stats import row_ttest

GOLDEN = Path(__file__).parents[1] / "golden" / "row_t_any_metric.json"
CASES = json.loads(GOLDEN.read_text())["cases"]


def mean_area(y, p):
    """Return the mean area of each class against the rest; probabilities may be rounded."""
    return np.mean([roc_auc_score(y == k, p[:, k]) for k in range(p.shape[1])])


SCORERS = {
    "roc_auc_ovr": make_scorer(mean_area, response_method="predict_proba"),
    "fbeta 2": make_scorer(fbeta_score, beta=2),
    "jaccard_macro": make_scorer(jaccard_score, average="macro"),
}
FACTS = ("estimate", "standard_error", "df", "statistic", "pvalue")


class Known(BaseEstimator):
    """Answers what a model gave to the rows, which are their own numbers, that it did not see."""

    def __init__(self, folds, answers, way):
        self.folds, self.answers, self.way = folds, answers, way

    def __sklearn_tags__(self):
        tags, of_numbers = super().__sklearn_tags__(), self.answers.dtype.kind == "f"
        is_regressor = of_numbers and self.way == "predict"
        tags.estimator_type = "regressor" if is_regressor else "classifier"
        return tags

    def fit(self, X, y):
        tested = np.setdiff1d(np.arange(len(self.folds[0])), X)
        tests = [np.flatnonzero(row == row[tested[0]]) for row in self.folds]
        self.repeat_ = [np.array_equal(test, tested) for test in tests].index(True)
        self.classes_ = np.unique(y)
        return self

    def answer(self, X):
        return self.answers[self.repeat_][X[:, 0]]

    predict = available_if(lambda self: self.way == "predict")(answer)
    predict_proba = available_if(lambda self: self.way == "predict_proba")(answer)
    decision_function = available_if(lambda self: self.way == "decision_function")(answer)


def pairs_of(folds):
    tests = [np.flatnonzero(row == fold) for row in folds for fold in np.unique(row)]
    return [(np.setdiff1d(np.arange(folds.shape[1]), test), test) for test in tests]


def read(case):
    """Return the arrays of a case, its metric, and the way of its predictions."""
    given = {k: np.array(v) if isinstance(v, list) else v for k, v in case["inputs"].items()}
    metric, shape = given["metric"], given["predictions"].shape
    way = "predict" if metric not in ("roc_auc", "average_precision") else "decision_function"
    return given, SCORERS.get(metric, metric), "predict_proba" if len(shape) == 3 else way


def check(result, case):
    wanted, given = case["outputs"], case["inputs"]
    for fact in FACTS:
        assert getattr(result, fact) == pytest.approx(wanted[fact], rel=1e-10), fact
    assert result.over_units == pytest.approx(wanted["v"], rel=1e-10)
    assert result.over_repeats == pytest.approx(wanted["w"], rel=1e-10)
    low, high = result.confidence_interval(given.get("level", 0.95))
    if low not in (-1, 0) and high not in (0, 1):  # the others are cut at the ends of the range
        assert (low, high) == pytest.approx((wanted["low"], wanted["high"]), rel=1e-10)
    assert ("fits differ" in [note.code for note in result.notes]) == wanted["guarded"]


def by_force(metric, y, p, units, weights):
    """Return the scores of the rows of a fold, with one call of scikit-learn for each unit."""
    scorer = get_scorer(metric) if isinstance(metric, str) else metric
    function, options = scorer._score_func, scorer._kwargs

    def measure(rows):
        more = {} if weights is None else {"sample_weight": weights[rows]}
        return scorer._sign * function(y[rows], p[rows], **options, **more)

    everyone, numbers = np.arange(len(y)), np.arange(len(y)) if units is None else units
    sizes = np.ones(len(y)) if weights is None else weights
    T, d = measure(everyone), np.empty(len(y))
    for unit in np.unique(numbers):
        own = numbers == unit
        d[own] = (sizes.sum() / sizes[own].sum() - 1) * (T - measure(everyone[~own]))
    return T + d - np.average(d, weights=sizes)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
class TestGolden:
    def test_out_of_fold(self, case):
        given, metric, _ = read(case)
        other = given.get("predictions_b", np.roll(given["predictions"], 1, axis=1))
        how = {"groups": given.get("groups"), "sample_weight": given.get("weights")}
        result = compare_out_of_fold(
            given["y"],
            {"a": list(given["predictions"]), "b": list(other)},
            folds=given["folds"],
            scoring=metric,
            method=RowTTest(null_value=given.get("null", 0.0)),
            reference="b",
            **how,
        )
        check(result[0].test if "predictions_b" in given else RowTTest()(result.scores["a"]), case)

    @pytest.mark.slow
    def test_fits(self, case):
        given, metric, way = read(case)
        X = np.arange(len(given["y"]))[:, np.newaxis]
        how = {"cv": pairs_of(given["folds"]), "method": "row_t", "groups": given.get("groups")}
        model = Known(given["folds"], given["predictions"], way)
        weights = given.get("weights")
        with sklearn.config_context(enable_metadata_routing=weights is not None):
            if weights is not None:
                metric = get_scorer(metric).set_score_request(sample_weight=True)
                how["params"] = {"sample_weight": weights}
            if "predictions_b" in given:
                models = {"a": model, "b": Known(given["folds"], given["predictions_b"], way)}
                null = RowTTest(null_value=given.get("null", 0.0))
                how |= {"reference": "b", "method": null}
                result = compare_estimators(models, X, given["y"], scoring=metric, **how)[0].test
            else:
                result = cross_val_inference(model, X, given["y"], scoring=metric, **how)
        check(result, case)

    def test_on_arrays(self, case):
        given, metric, _ = read(case)
        units, weights = given.get("groups"), given.get("weights")
        scores = []
        for name in ("predictions", "predictions_b"):
            found = np.empty(given["folds"].shape)
            for repeat, labels in enumerate(given["folds"]) if name in given else ():
                for fold in np.unique(labels):
                    at = np.flatnonzero(labels == fold)
                    of = [None if part is None else part[at] for part in (units, weights)]
                    of = given["y"][at], given[name][repeat][at], *of
                    found[repeat, at] = by_force(metric, *of)
            scores.append(found if name in given else 0.0)
        how = {"groups": units, "sample_weight": weights, "null_value": given.get("null", 0.0)}
        difference = scores[0] - scores[1]
        result = row_ttest(difference, n_folds=given["n_folds"], folds=given["folds"], **how)
        check(result, case)
        first = case["outputs"]["row_scores_first_repeat"]
        np.testing.assert_allclose(difference[0], first, rtol=0, atol=1e-12)


DATA = make_classification(150, 6, n_informative=3, weights=[0.6], flip_y=0.2, random_state=0)
# Hard enough for false positives in each fold, without which this ratio is not defined.
NOISE = DATA[0], np.random.default_rng(0).integers(2, size=150)
NUMBERS = make_regression(150, 6, noise=80.0, random_state=0)
COUNTS = NUMBERS[0], 1.0 + np.random.default_rng(0).poisson(3, 150)
CLASSIFIERS = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3, random_state=0)}
REGRESSORS = {"mean": DummyRegressor(), "tree": DecisionTreeRegressor(max_depth=3, random_state=0)}
TREES = {f"{depth}": DecisionTreeClassifier(max_depth=depth, random_state=0) for depth in (2, 4)}
OF_NUMBERS = {name for name, facts in METRICS.items() if facts.of_values}
OF_LABEL_SETS = {name for name in METRICS if name.endswith("_samples")}
BESIDE = ("method", "fixed seeds")  # notes on the call, and on how long its fits took
SETS = DATA[0], np.c_[DATA[1], np.arange(150) % 3 == 0].astype(int)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("metric", [name for name in get_scorer_names() if name in METRICS])
def test_what_a_metric_is_told_depends_on_no_other_metric(metric):
    """The law: in any company, in any order, alone: the same numbers, bit for bit."""
    models, (X, y), company = CLASSIFIERS, DATA, "accuracy"
    if metric in OF_NUMBERS:
        models, (X, y), company = REGRESSORS, COUNTS, "neg_mean_squared_error"
    if metric == "positive_likelihood_ratio":
        X, y = NOISE
    if metric in OF_LABEL_SETS:
        models, (X, y) = TREES, SETS
    alone = {name: compare_estimators(models, X, y, scoring=name) for name in (company, metric)}
    together = compare_estimators(models, X, y, scoring=list(dict.fromkeys([metric, company])))
    for name, one in alone.items():
        other = together[name]
        frames = (result.to_frame().drop(columns="note") for result in (one, other))
        pd.testing.assert_frame_equal(*frames, check_exact=True)
        assert one.scores.values.tobytes() == other.scores.values.tobytes()
        assert one.tests[0].method == other.tests[0].method
        notes = ([n for n in result.notes if n.code not in BESIDE] for result in (one, other))
        assert sorted(map(str, next(notes))) == sorted(map(str, next(notes)))
    of_rows = METRICS[metric].function in OF_FOLDS | ROW_MEANS
    assert alone[metric].tests[0].method == ("row_t" if of_rows else "corrected_resampled_t")
    assert alone[metric].tests[0].n_splits == 20


def test_a_metric_without_a_closed_form_is_not_computed_too_often():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(5001, 1)), rng.normal(size=5001)
    how = {"scoring": "neg_median_absolute_error", "method": "row_t"}
    Counted.n_fits = 0
    with pytest.raises(SplitDesignError, match=r"computed 20,004 times, .* Use fewer repeats, or"):
        compare_estimators({"a": Counted(), "b": Counted()}, X, y, **how)
    assert Counted.n_fits == 0
    models = {"a": Counted(), "b": Counted(strategy="median")}
    result = compare_estimators(models, X, y, scoring=make_scorer(d2_pinball_score))
    assert result.tests[0].method == "corrected_resampled_t"
    (note,) = (str(note) for note in result.notes if note.code == "method")
    assert "would be computed 20,004 times" in note


class Counted(DummyRegressor):
    n_fits = 0

    def fit(self, X, y):
        type(self).n_fits += 1
        return super().fit(X, y)


def codes(result):
    return [note.code for note in result.notes]


class TestRefused:
    """By counts, before the first fit."""

    @pytest.fixture(autouse=True)
    def no_fit(self):
        Counted.n_fits = 0
        yield
        assert Counted.n_fits == 0

    @pytest.mark.parametrize("n_rows", [35, 39])
    @pytest.mark.parametrize("method", ["auto", "row_t", "corrected_resampled_t"])
    @pytest.mark.parametrize("metric", ["r2", "explained_variance", "d2_absolute_error_score"])
    def test_shares_of_variation_on_few_rows(self, metric, method, n_rows):
        X, y = np.zeros((n_rows, 1)), np.arange(n_rows) % 7.0
        match = f"have fewer than 8 rows: {metric} measures next to nothing .*squared errors"
        with pytest.raises(SplitDesignError, match=match):
            compare_estimators(TWO, X, y, scoring=metric, method=method)
        with pytest.raises(SplitDesignError, match=match):
            cross_val_inference(TWO["a"], X, y, scoring=metric, method=method)
        predictions = {"a": y + 1, "b": y**2}
        if method == "row_t":
            folds = np.arange(n_rows) % 5
            with pytest.raises(SplitDesignError, match=match):
                compare_out_of_fold(y, predictions, folds=folds, scoring=metric)
            few = {name: predicted[:7] for name, predicted in predictions.items()}
            with pytest.raises(ValueError, match=r"measures next to nothing on 7 rows\."):
                compare_predictions(y[:7], few, scoring=metric)

    @pytest.mark.parametrize("method", ["row_t", "corrected_resampled_t"])
    def test_constant_targets_in_a_fold(self, method):
        X, y = np.zeros((50, 1)), np.repeat([0.0, 1.0, 1.5, 2.0, 3.0], 10)
        with pytest.raises(SplitDesignError, match="5 of 5 test sets hold one value of y only: r2"):
            compare_estimators(TWO, X, y, scoring="r2", method=method, cv=KFold(5))

    def test_targets_that_are_constant_without_a_row_or_a_group(self):
        y = np.zeros(60)
        y[::12] = 1.0
        with pytest.raises(
            SplitDesignError, match="5 of 5 test sets hold a single value of y with"
        ):
            compare_estimators(TWO, np.zeros((60, 1)), y, scoring="r2", method="row_t", cv=KFold(5))
        y[1::12] = 2.0
        groups = np.arange(60) // 2
        how = {"scoring": "r2", "method": "row_t", "cv": GroupKFold(5), "groups": groups}
        with pytest.raises(
            SplitDesignError, match="single value of y without one group, so r2 has"
        ):
            compare_estimators(TWO, np.zeros((60, 1)), y, **how)

    @pytest.mark.parametrize("metric", ["roc_auc", "average_precision", "balanced_accuracy"])
    def test_a_group_that_is_all_there_is_of_a_class(self, metric):
        groups = np.arange(60) // 3
        y = (groups % 4 == 0).astype(int)  # one group of positives in each fold
        folds = groups // 4
        chances = np.linspace(0, 1, 60)
        made = chances if metric != "balanced_accuracy" else (chances > 0.5).astype(int)
        how = {"folds": folds, "groups": groups, "scoring": metric}
        with pytest.raises(SplitDesignError, match=r"5 of 5 test sets hold fewer than two groups"):
            compare_out_of_fold(y, {"a": made, "b": made[::-1]}, **how)

    @pytest.mark.parametrize("metric", ["f1_macro", "precision_macro", "balanced_accuracy"])
    @pytest.mark.parametrize("method", ["row_t", "corrected_resampled_t"])
    def test_out_of_fold_predictions_of_folds_without_a_class(self, metric, method):
        y = np.arange(60) % 3
        y[y == 2] = 1
        y[::15] = 2
        folds = np.arange(60) // 12
        how = {"folds": folds, "scoring": metric, "method": method}
        with pytest.raises(SplitDesignError, match=r"1 of 5 test sets hold not all 3 classes"):
            compare_out_of_fold(y, {"a": y, "b": np.roll(y, 1)}, **how)


TWO = {"a": Counted(), "b": Counted(strategy="median")}


@pytest.mark.filterwarnings("ignore")
def test_what_is_noted():
    X, y = NUMBERS
    result = compare_estimators(REGRESSORS, X[:75], y[:75])
    assert "few test rows" in codes(result)
    assert "few test rows" not in codes(compare_estimators(REGRESSORS, X, y))
    X, y = DATA
    rare = np.r_[np.flatnonzero(y == 0), np.flatnonzero(y == 1)[:25]]
    for metric, is_noted in (("f1", True), ("balanced_accuracy", True), ("roc_auc", False)):
        result = compare_estimators(CLASSIFIERS, X[rare], y[rare], scoring=metric)
        assert ("threshold" in codes(result)) == is_noted
        assert "threshold" not in codes(compare_estimators(CLASSIFIERS, X, y, scoring=metric))


def test_scores_over_all_rows_that_are_far_from_those_of_folds_are_said():
    rng = np.random.default_rng(0)
    level = np.repeat(np.arange(5.0), 20)  # folds differ by much more than rows within one
    y = 20 * level + rng.normal(size=100)
    made = {"a": y + rng.normal(size=100), "b": y + 2 * rng.normal(size=100)}
    result = compare_out_of_fold(y, made, folds=level, scoring="r2")
    (text,) = (note.text for note in result.notes if note.code == "area over all rows")
    whole = [r2_score(y, predicted) for predicted in made.values()]
    assert f"over all out-of-fold rows they are {whole[0]:.3f} (a), {whole[1]:.3f} (b)" in text
    result = compare_out_of_fold(
        y - 20 * level, made, folds=level, scoring="neg_mean_squared_error"
    )
    assert "area over all rows" not in codes(result)
