"""The row t-test of any metric: golden cases by all doors, and what is refused."""

import re
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy.stats import nct, t
from sklearn import metrics
from sklearn import model_selection as ms
from sklearn.base import clone
from sklearn.datasets import make_classification, make_regression
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import skcvstats as s
from skcvstats.fitting import read_metrics
from skcvstats.stats import plan_n_splits
from tests.comparison.made import codes
from tests.conftest import every, golden_cases

CASES = golden_cases("row_t_any_metric")
AREAS = [case for case in golden_cases("row_t") if "predictions_a" in case["inputs"]]


def mean_area(y, p):
    """Return the mean area of each class against the rest; probabilities may be rounded."""
    return np.mean([metrics.roc_auc_score(y == k, p[:, k]) for k in range(p.shape[1])])


SCORERS = {
    "roc_auc_ovr": metrics.make_scorer(mean_area, response_method="predict_proba"),
    "fbeta 2": metrics.make_scorer(metrics.fbeta_score, beta=2),
    "jaccard_macro": metrics.make_scorer(metrics.jaccard_score, average="macro"),
}
FACTS = ("estimate", "standard_error", "df", "statistic", "pvalue")


def check(result, wanted, level=0.95):
    for fact in FACTS:
        assert getattr(result, fact) == pytest.approx(wanted[fact], rel=1e-10), fact
    assert result.over_units == pytest.approx(wanted["v"], rel=1e-10)
    assert result.over_repeats == pytest.approx(wanted["w"], rel=1e-10)
    low, high = result.confidence_interval(level)
    if low not in (-1, 0) and high not in (0, 1):  # the others are cut at the ends of the range
        assert (low, high) == pytest.approx((wanted["low"], wanted["high"]), rel=1e-10)
    assert ("fits differ" in [note.code for note in result.notes]) == wanted["guarded"]


@pytest.mark.filterwarnings("ignore")
class TestGolden:
    """By out-of-fold predictions; test_out_of_fold.py: by fits the numbers are the same."""

    @pytest.mark.parametrize("case", every(3, CASES), ids=lambda case: case["id"])
    def test_any_metric(self, case):
        wanted = case["outputs"]
        given = {k: np.array(v) if isinstance(v, list) else v for k, v in case["inputs"].items()}
        other = given.get("predictions_b", np.roll(given["predictions"], 1, axis=1))
        how = {"folds": given["folds"], "groups": given.get("groups"), "reference": "b"}
        how |= {"scoring": SCORERS.get(given["metric"], given["metric"])}
        how |= {"method": s.RowTTest(null_value=given.get("null", 0.0))}
        made = {"a": list(given["predictions"]), "b": list(other)}
        result = s.compare_out_of_fold(given["y"], made, sample_weight=given.get("weights"), **how)
        scores = result.scores["a"]
        if "predictions_b" in given:
            scores = scores - result.scores["b"]
        found = result[0].test if "predictions_b" in given else s.RowTTest()(scores)
        check(found, wanted, given.get("level", 0.95))
        rows, n = scores.row_scores, len(given["y"])
        first = dict(zip(rows.rows[:n].tolist(), rows.block()[:n], strict=True))
        found = [first[row] for row in range(n)]
        np.testing.assert_allclose(found, wanted["row_scores_first_repeat"], rtol=0, atol=1e-12)

    @pytest.mark.parametrize("case", AREAS, ids=lambda case: case["id"])
    def test_areas(self, case):
        given, wanted = case["inputs"], case["outputs"]
        models = {name: np.array(given[f"predictions_{name}"]) for name in "ab"}
        y, how = np.array(given["y"]), {"folds": np.array(given["folds"]), "scoring": "roc_auc"}
        result = s.compare_out_of_fold(y, models, **how, reference="b")
        check(s.RowTTest()(result.scores["a"]), wanted["a"])
        check(result[0].test, wanted["difference"])


DATA = make_classification(150, 6, n_informative=3, weights=[0.6], flip_y=0.2, random_state=0)
# Hard enough for false positives in each fold, without which this ratio is not defined.
NOISE = DATA[0], np.random.default_rng(0).integers(2, size=150)
NUMBERS = make_regression(150, 6, noise=80.0, random_state=0)
COUNTS = NUMBERS[0], 1.0 + np.random.default_rng(0).poisson(3, 150)
CLASSIFIERS = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3, random_state=0)}
REGRESSORS = {"mean": DummyRegressor(), "tree": DecisionTreeRegressor(max_depth=3, random_state=0)}
TREES = {f"{depth}": DecisionTreeClassifier(max_depth=depth, random_state=0) for depth in (2, 4)}
OF_NUMBERS = {name for name in metrics.get_scorer_names() if read_metrics(name)[0].facts.of_values}
OF_LABEL_SETS = {name for name in metrics.get_scorer_names() if name.endswith("_samples")}
OF_EACH_KIND = ("f1_macro", "neg_log_loss", "neg_max_error", "neg_root_mean_squared_error")
SETS = DATA[0], np.c_[DATA[1], np.arange(150) % 3 == 0].astype(int)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("metric", [*OF_EACH_KIND, *(
    pytest.param(name, marks=pytest.mark.slow)
    for name in metrics.get_scorer_names() if name not in OF_EACH_KIND
)])  # fmt: skip
def test_what_a_metric_is_told_depends_on_no_other_metric(metric):
    """The law: in any company, in any order, alone: the same numbers, bit for bit."""
    models, (X, y), company = CLASSIFIERS, DATA, "accuracy"
    if metric in OF_NUMBERS:
        models, (X, y), company = REGRESSORS, COUNTS, "neg_mean_squared_error"
    if metric == "positive_likelihood_ratio":
        X, y = NOISE
    if metric in OF_LABEL_SETS:
        models, (X, y) = TREES, SETS
    alone = {name: s.compare_estimators(models, X, y, scoring=name) for name in (company, metric)}
    together = s.compare_estimators(models, X, y, scoring=list(dict.fromkeys([metric, company])))
    for name, one in alone.items():
        other = together[name]
        frames = (result.to_frame().drop(columns="note") for result in (one, other))
        pd.testing.assert_frame_equal(*frames, check_exact=True)
        assert one.scores.values.tobytes() == other.scores.values.tobytes()
        assert one.tests[0].method == other.tests[0].method
        notes = ([n for n in result.notes if n.code != "method"] for result in (one, other))
        assert sorted(map(str, next(notes))) == sorted(map(str, next(notes)))
    has_row_scores = read_metrics(metric)[0].of_rows in ("mean", "fold")
    expected = "row_t" if has_row_scores else "corrected_resampled_t"
    assert alone[metric].tests[0].method == expected
    assert alone[metric].tests[0].n_splits == 20


def correlation(y, p, sample_weight=None):
    """Return a metric that nobody knows, with a cheap formula."""
    w = np.ones(len(y)) if sample_weight is None else sample_weight
    y, p = y - y @ w / w.sum(), p - p @ w / w.sum()
    return (y * p) @ w / np.sqrt((y * y) @ w * ((p * p) @ w))


class Counted(DummyRegressor):
    n_fits = 0

    def fit(self, X, y):
        type(self).n_fits += 1
        return super().fit(X, y)


METHODS = ["row_t", "corrected_resampled_t"]
TREES_OF_NUMBERS = {
    str(depth): DecisionTreeRegressor(max_depth=depth, random_state=0) for depth in (2, 3)
}
PINBALL = metrics.make_scorer(metrics.d2_pinball_score)
LARGE = np.zeros((6000, 1)), np.random.default_rng(0).normal(size=6000)
TOO_OFTEN = (
    "The row t-test works on scores of rows, and without each of the rows in turn d2_pinball_score "
    "would be computed 24,000 times. Test on fewer rows, or use method='corrected_resampled_t'."
)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("scorer", [PINBALL, metrics.make_scorer(correlation)])
def test_auto_takes_the_corrected_t_where_a_metric_would_be_computed_too_often(scorer):
    X, y = make_regression(6000, 6, noise=80.0, random_state=0)
    result = s.compare_estimators(TREES_OF_NUMBERS, X, y, scoring=scorer)
    (test,) = result.tests
    assert (test.method, test.n_splits) == ("corrected_resampled_t", 20)
    name = scorer._score_func.__name__
    said = f"without each of the rows in turn {name} would be computed 24,000 times"
    assert said in next(note.text for note in result.notes if note.code == "method")
    few = s.compare_estimators(TREES_OF_NUMBERS, X[:150], y[:150], scoring=scorer, method="row_t")
    assert few.tests[0].method == "row_t"


class TestRefused:
    """By counts, before the first fit."""

    @pytest.fixture(autouse=True)
    def no_fit(self):
        Counted.n_fits = 0
        yield
        assert Counted.n_fits == 0

    def test_a_metric_that_would_be_computed_too_often(self):
        said = re.escape(TOO_OFTEN)
        how = {"scoring": PINBALL, "method": "row_t"}
        with pytest.raises(s.SplitDesignError, match=said):
            s.compare_estimators(TWO, *LARGE, **how)
        with pytest.raises(s.SplitDesignError, match=said):
            s.cross_val_inference(TWO["a"], *LARGE, **how)
        y = LARGE[1]
        folds = np.stack([np.random.default_rng(r).permutation(6000) % 5 for r in range(4)])
        made = {"a": [y + r for r in range(4)], "b": [y - r for r in range(4)]}
        with pytest.raises(s.SplitDesignError, match=said):
            s.compare_out_of_fold(y, made, folds=folds, **how)

    @pytest.mark.parametrize("n_rows", [35, 39])
    @pytest.mark.parametrize("method", METHODS)
    @pytest.mark.parametrize("metric", ["r2", "explained_variance", "d2_absolute_error_score"])
    def test_shares_of_variation_on_few_rows(self, metric, method, n_rows):
        X, y = np.zeros((n_rows, 1)), np.arange(n_rows) % 7.0
        match = f"have fewer than 8 rows: {metric} is nearly meaningless .*squared errors"
        with pytest.raises(s.SplitDesignError, match=match):
            s.compare_estimators(TWO, X, y, scoring=metric, method=method)
        with pytest.raises(s.SplitDesignError, match=match):
            s.cross_val_inference(TWO["a"], X, y, scoring=metric, method=method)
        predictions = {"a": y + 1, "b": y**2}
        if method == "row_t":
            folds = np.arange(n_rows) % 5
            with pytest.raises(s.SplitDesignError, match=match):
                s.compare_out_of_fold(y, predictions, folds=folds, scoring=metric)
            few = {name: predicted[:7] for name, predicted in predictions.items()}
            with pytest.raises(ValueError, match=r"is nearly meaningless on 7 rows\."):
                s.compare_predictions(y[:7], few, scoring=metric)

    @pytest.mark.parametrize(("y", "options", "said"), [
        *((np.repeat([0, 1, 1.5, 2, 3], 12), {"method": method},
           "5 of 5 test sets contain only one value of y, for which r2") for method in METHODS),
        (np.tile([1.0, *[0] * 11], 5), {}, "of 5 test sets contain a single value of y with"),
        (np.tile([1.0, 2, *[0] * 10], 5), {"groups": np.arange(60) // 2, "cv": ms.GroupKFold(5)},
         "single value of y without one group, so r2 has"),
    ])  # fmt: skip
    def test_targets_that_are_constant_with_or_without_a_row_or_a_group(self, y, options, said):
        how = {"scoring": "r2", "method": "row_t", "cv": ms.KFold(5)} | options
        with pytest.raises(s.SplitDesignError, match=said):
            s.compare_estimators(TWO, np.zeros((60, 1)), y, **how)

    @pytest.mark.parametrize("metric", ["roc_auc", "average_precision", "balanced_accuracy"])
    def test_a_group_that_is_all_there_is_of_a_class(self, metric):
        groups = np.arange(60) // 3
        y = (groups % 4 == 0).astype(int)  # one group of positives in each fold
        folds = groups // 4
        chances = np.linspace(0, 1, 60)
        made = chances if metric != "balanced_accuracy" else (chances > 0.5).astype(int)
        how = {"folds": folds, "groups": groups, "scoring": metric}
        with pytest.raises(s.SplitDesignError, match=r"5 of 5 .* contain fewer than two groups"):
            s.compare_out_of_fold(y, {"a": made, "b": made[::-1]}, **how)

    @pytest.mark.parametrize("metric", ["f1_macro", "precision_macro", "balanced_accuracy"])
    @pytest.mark.parametrize("method", METHODS)
    def test_out_of_fold_predictions_of_folds_without_a_class(self, metric, method):
        y = np.arange(60) % 3
        y[y == 2] = 1
        y[::15] = 2
        folds = np.arange(60) // 12
        how = {"folds": folds, "scoring": metric, "method": method}
        with pytest.raises(s.SplitDesignError, match=r"1 of 5 .* contain fewer than 3 classes"):
            s.compare_out_of_fold(y, {"a": y, "b": np.roll(y, 1)}, **how)


TWO = {"a": Counted(), "b": Counted(strategy="median")}


@pytest.mark.filterwarnings("ignore")
def test_what_is_noted():
    X, y = NUMBERS
    result = s.compare_estimators(REGRESSORS, X[:75], y[:75])
    assert "few test rows" in codes(result)
    for many in ({}, {"method": "five_by_two_cv_t"}):  # splits that are not looked at one by one
        assert "few test rows" not in codes(s.compare_estimators(REGRESSORS, X, y, **many))
    X, y = DATA
    own = metrics.make_scorer(metrics.roc_auc_score, response_method="predict_proba")
    how = {"scoring": {"f1": "f1", "own": own}}
    result = s.compare_estimators(CLASSIFIERS, X, y, **how)
    assert "mean of AUC" in codes(result)
    assert "threshold" not in codes(result["own"])
    rare = np.r_[np.flatnonzero(y == 0), np.flatnonzero(y == 1)[:25]]
    result = s.compare_estimators(CLASSIFIERS, X[rare], y[rare], **how)
    assert ["threshold" in codes(result[name]) for name in ("f1", "own")] == [True, False]


def test_scores_over_all_rows_that_are_far_from_those_of_folds_are_said():
    rng = np.random.default_rng(0)
    level = np.repeat(np.arange(5.0), 20)  # folds differ by much more than rows within one
    y = 20 * level + rng.normal(size=100)
    made = {"a": y + rng.normal(size=100), "b": y + 2 * rng.normal(size=100)}
    result = s.compare_out_of_fold(y, made, folds=level, scoring="r2")
    (text,) = (note.text for note in result.notes if note.code == "scores over all rows")
    whole = [metrics.r2_score(y, predicted) for predicted in made.values()]
    assert f"over all out-of-fold rows it is {whole[0]:.3f} (a), {whole[1]:.3f} (b)" in text
    how = {"folds": level, "scoring": "neg_mean_squared_error"}
    result = s.compare_out_of_fold(y - 20 * level, made, **how)
    assert "scores over all rows" not in codes(result)


@pytest.mark.filterwarnings("ignore")
def test_scores_over_all_rows_of_fits_are_said_where_they_are_far():
    X, y = NUMBERS
    rng = np.random.default_rng(0)
    far = {"cv": ms.KFold(5), "scoring": "r2"}
    mixed = [(train, rng.permutation(test)) for train, test in ms.KFold(5).split(X)]
    y = y + 2000 * (np.arange(150) // 30)  # folds differ by more than rows within one
    one = s.cross_val_inference(REGRESSORS["tree"], X, y, **far)
    shuffled = s.compare_estimators(REGRESSORS, X, y, cv=mixed, scoring="r2")
    for result in (s.compare_estimators(REGRESSORS, X, y, **far), one, shuffled):
        (text,) = (note.text for note in result.notes if note.code == "scores over all rows")
        whole = metrics.r2_score(y, ms.cross_val_predict(REGRESSORS["tree"], X, y, cv=ms.KFold(5)))
        assert "R2 is the mean of the folds' scores, weighted by their rows; over all" in text
        assert f"{whole:#.3g} (" in text
    near = s.compare_estimators(REGRESSORS, *NUMBERS, **far)
    assert "scores over all rows" not in codes(near)


@pytest.mark.filterwarnings("ignore")
class TestRowsThatCannotBeLeftOut:
    """A row that is all there is of a class, where the metric is the user's own."""

    Y = np.zeros(60, int)
    Y[[0, 3, 6, 12, 15, 18, 25, 28, 37, 50, 52, 54]] = 1  # one in split 3
    MODELS: ClassVar = {"tree": DecisionTreeClassifier(random_state=0), "most": DummyClassifier()}
    KAPPA = metrics.make_scorer(metrics.cohen_kappa_score)
    HOW: ClassVar = {"scoring": {"kappa": KAPPA, "acc": "accuracy"}, "cv": ms.KFold(5)}

    def test_auto_takes_the_other_test_and_says_so(self, tmp_path):
        X, y = DATA[0][:60], self.Y
        for _ in range(2):  # the second time from the store
            result = s.compare_estimators(self.MODELS, X, y, **self.HOW, store=tmp_path / "store")
            methods = [result[name][0].test.method for name in ("kappa", "acc")]
            assert methods == ["corrected_resampled_t", "row_t"]
            how = {**self.HOW, "method": "corrected_resampled_t"}
            other = s.compare_estimators(self.MODELS, X, y, **how)
            assert result["kappa"][0].test.pvalue == other["kappa"][0].test.pvalue
            said = [note.text for note in result.notes if note.code == "method"]
            assert (
                "for kappa: split 3 of 'most' has no scores of rows, as kappa is undefined"
                in said[0]
            )
            assert said[1].endswith("as acc is a mean over rows")
        one = s.cross_val_inference(self.MODELS["most"], X, y, **self.HOW)
        assert one["kappa"]["DummyClassifier"].method == "corrected_resampled_t"
        sets, how = (X[:, :2] > 0).astype(int), {"scoring": "neg_log_loss", "cv": ms.KFold(5)}
        result = s.compare_estimators(self.MODELS, X, sets, **how)
        assert result[0].test.method == "corrected_resampled_t"
        wanted = [ms.cross_val_score(model, X, sets, **how) for model in self.MODELS.values()]
        assert result.scores.values == pytest.approx(np.array(wanted))

    def test_by_name_it_is_an_error_that_says_where(self, tmp_path):
        X, y = DATA[0][:60], self.Y
        s.compare_estimators(self.MODELS, X, y, **self.HOW, store=tmp_path / "store")
        match = r"split 3, .*kappa_score of a fold without one of its rows or groups is not def.*"
        match += r"method='corrected_resampled_t', which needs no"
        for store in (None, tmp_path / "store"):
            with pytest.raises(s.FitError, match=match):
                s.compare_estimators(self.MODELS, X, y, **self.HOW, method="row_t", store=store)


DOORS = {"roc_auc": (DATA, TREES), "f1": (DATA, TREES), "r2": (NUMBERS, REGRESSORS)}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("metric", DOORS)
class TestDoors:
    """What else takes scores: a search, a race, plans."""

    def folds(self, metric):
        kind = ms.RepeatedKFold if metric == "r2" else ms.RepeatedStratifiedKFold
        return kind(n_splits=5, n_repeats=2, random_state=0)

    def test_search_and_race(self, metric):
        (X, y), models = DOORS[metric]
        model, cv = list(models.values())[-1], self.folds(metric)
        grid = {"max_depth": [2, 4]}
        same = {f"{depth}": clone(model).set_params(max_depth=depth) for depth in (2, 4)}
        how = {"scoring": metric, "cv": cv}
        wanted = s.compare_estimators(same, X, y, **how, method="corrected_resampled_t")
        search = ms.GridSearchCV(model, grid, **how, refit=False).fit(X, y)
        race = s.RacingSearchCV(model, grid, **how, rule=None).fit(X, y)
        for found in (s.compare_candidates(search, X, y), s.compare_candidates(race)):
            assert found.pairs()[0].test.pvalue == pytest.approx(wanted[0].test.pvalue, rel=1e-9)
        remedy = r"Use method=\"corrected_resampled_t\", or fit .* with compare_estimators"
        for about in ((search, X, y), (race,)):
            with pytest.raises(ValueError, match=remedy):
                s.compare_candidates(*about, method="row_t")

    def test_plans_and_power(self, metric):
        (X, y), models = DOORS[metric]
        how = {"scoring": metric, "cv": self.folds(metric), "method": "row_t"}
        if metric == "roc_auc":  # the fits of these trees differ by more than their rows explain
            models = CLASSIFIERS
        test = s.compare_estimators(models, X, y, **how)[0].test
        plan = plan_n_splits(test, n_splits=[20])
        at = plan.n_splits.tolist().index(20)
        v = test.over_units + test.over_repeats * (1 / 4 - 1 / 2)
        error = np.sqrt(v + (v + test.over_repeats) / 2)
        assert plan.standard_error[at] == pytest.approx(error)
        limit, d = t.ppf(0.975, 149), 2 * error
        power = nct.sf(limit, 149, d / error) + nct.cdf(-limit, 149, d / error)
        assert np.asarray(plan.power(d).estimate)[at] == pytest.approx(power, rel=1e-6)


@pytest.mark.parametrize("method", ["auto", "row_t", "corrected_resampled_t"])
@pytest.mark.parametrize(("metric", "said"), [
    ("roc_auc", r"contain (only one class|fewer than two rows) .* with a weight"),
    ("balanced_accuracy", r"contain (only one class|fewer than two rows) .* with a weight"),
    ("r2", "have fewer than 8 rows: r2 is nearly|contain only one value of y in rows with"),
])  # fmt: skip
def test_rows_without_weight_are_as_good_as_not_there(metric, said, method):
    X, y = DATA if metric != "r2" else NUMBERS
    weights = np.where((np.arange(150) > 30) & (y != y.min()), 0.0, 1.0)
    if metric == "r2":
        weights = np.where(np.arange(150) % 4, 0.0, 1.0)
    how = {"method": method, "params": {"sample_weight": weights}}
    models = REGRESSORS if metric == "r2" else CLASSIFIERS
    models = {name: clone(model) for name, model in models.items()}
    with sklearn.config_context(enable_metadata_routing=True):
        how["scoring"] = metrics.get_scorer(metric).set_score_request(sample_weight=True)
        for model in models.values():
            model.set_fit_request(sample_weight=False)
        with pytest.raises(s.SplitDesignError, match=said):
            s.compare_estimators(models, X, y, **how)
    if method == "row_t":
        folds, made = np.arange(150) % 5, {"a": y + 0.0, "b": np.roll(y, 1) + 0.0}
        with pytest.raises(s.SplitDesignError, match=said):
            s.compare_out_of_fold(y, made, folds=folds, scoring=metric, sample_weight=weights)
