"""What is measured: the table of metrics against scikit-learn, names, and the default."""

import functools
import warnings

import numpy as np
import pytest
import sklearn.metrics
import sklearn.model_selection
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import accuracy_score, get_scorer, get_scorer_names, make_scorer
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KernelDensity
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

import skcvstats as s
from skcvstats._utils._metrics import METRICS, known_of
from skcvstats.fitting import read_metrics, unknown_labels
from tests.fitting.test_row_scores import StoredChances, StoredValues

# Metrics of scikit-learn that the table does not have yet.
UNKNOWN = set()
# Metrics of the table that older versions of scikit-learn, from 1.6 on, do not have.
LATER = {"d2_brier_score", "d2_log_loss_score", "neg_max_error"}
RANDOM = np.random.RandomState(0)
ROWS = np.arange(40)
LABELS = RANDOM.randint(2, size=40)
VALUES = RANDOM.uniform(0.5, 3, size=40)
SEVERAL_LABELS = RANDOM.randint(2, size=(40, 3))
SEVERAL_LABELS[:, 0] = 1  # else f1 of a row may be undefined
NAMES = sorted(METRICS.keys() & set(get_scorer_names()))


def drawn(name, seed, quality):
    """Return a target and stored predictions, which are often right if the quality is near 1."""
    random = np.random.RandomState(seed)
    right = random.uniform(size=40) < quality
    if METRICS[name].of_values:
        return VALUES, StoredValues(np.where(right, VALUES, random.uniform(0.1, 9, size=40)))
    if name.endswith(("_samples", "_micro", "_weighted")) and "roc" not in name:
        wrong = random.randint(2, size=SEVERAL_LABELS.shape)
        wrong[:, 0] = 1
        return SEVERAL_LABELS, StoredValues(np.where(right[:, None], SEVERAL_LABELS, wrong))
    p = np.where(right, 0.98 * LABELS + 0.01, random.uniform(0.01, 0.99, size=40))
    return LABELS, StoredChances(np.column_stack([1 - p, p]), [0, 1])


def test_every_metric_of_sklearn_is_in_the_table():
    known = set(get_scorer_names())
    assert known - METRICS.keys() == UNKNOWN & known
    assert METRICS.keys() - known <= LATER


@pytest.mark.parametrize("name", NAMES)
def test_function_direction_and_responses_are_the_scorers(name):
    facts, scorer = METRICS[name], get_scorer(name)
    assert scorer._score_func.__name__ == facts.function
    assert scorer._sign == (-1 if facts.is_loss else 1)
    assert name.startswith("neg_") == facts.is_loss
    greater = not facts.is_loss
    how = {"response_method": scorer._response_method, "greater_is_better": greater}
    own = make_scorer(scorer._score_func, **how)
    (metric,) = read_metrics(own)
    (named,) = read_metrics(name)
    assert metric.responses == facts.responses == named.responses


def scored(name, quality, rows=ROWS):
    """Return the scores of several predictions, nan where there is none."""
    found = []
    for seed in range(5):
        y, model = drawn(name, seed, quality)
        try:
            found.append(get_scorer(name)(model, rows, y[rows]))
        except ValueError:
            found.append(np.nan)
    return np.array(found)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("ignore")
def test_scores_are_in_their_range_and_grow_with_the_quality(name):
    facts = METRICS[name]
    means = []
    for quality in (0.0, 0.4, 0.8):
        scores = scored(name, quality)
        scores = scores[np.isfinite(scores)]
        assert ((facts.low <= scores + 1e-12) & (scores - 1e-12 <= facts.high)).all()
        means.append(scores.mean() if scores.size else facts.high)
    # of two classes, one of the first two is always right
    assert means[0] < means[1] < means[2] or (name == "top_k_accuracy" and set(means) == {1})


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("ignore")
def test_a_mean_over_rows_is_the_mean_of_two_halves(name):
    halves = [scored(name, 0.6, rows) for rows in (ROWS[::2], ROWS[1::2])]
    differences = scored(name, 0.6) - np.mean(halves, axis=0)
    assert (np.abs(differences) < 1e-12).all() == METRICS[name].is_row_mean


@pytest.mark.parametrize("name", [name for name in NAMES if "class" in METRICS[name].needs])
def test_without_a_class_that_it_needs_a_score_is_a_filler(name):
    """The same for all predictions, or with a warning, or none, or an average of one class."""
    model = drawn(name, 0, 0.5)[1]
    with warnings.catch_warnings(record=True, action="always") as caught:
        try:
            score = get_scorer(name)(model, ROWS, 0 * LABELS)
        except ValueError:
            return
    is_average = name.endswith("_macro")  # of the classes that are there, or were predicted
    assert caught or score in (0, None) or np.isnan(score) or is_average


@pytest.mark.parametrize("name", [name for name in NAMES if METRICS[name].needs == "positive"])
def test_metrics_that_need_a_positive_are_of_two_classes(name):
    facts = METRICS[name]
    assert facts.function == f"{name}_score"
    (metric,) = read_metrics(name)
    fact, remedy = unknown_labels(metric, np.array(["no", "yes"]))
    assert f"scoring='{name}' takes 1" in fact
    assert f"make_scorer({facts.function}, pos_label='yes'" in remedy
    assert unknown_labels(metric, LABELS) is None


ENDS = ("error", "loss", "deviance")
FUNCTIONS = [name for name in sklearn.metrics.__all__ if name.endswith(ENDS)]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_names_of_functions_of_sklearn_say_that_smaller_is_better(name):
    assert known_of(name)[:2] == (-1, 0)
    assert (known_of(f"neg_{name}").sign, known_of(f"neg_{name}").high) == (1, 0)


@pytest.mark.parametrize("name", sorted(METRICS))
def test_names_of_metrics_say_that_greater_is_better(name):
    facts = METRICS[name]
    assert known_of(name) == (1, facts.low, facts.high)
    sign = -1 if facts.is_loss else 1
    assert known_of(facts.function).sign == sign
    ends = sorted([sign * facts.low, sign * facts.high])
    assert name.startswith("roc_auc") or list(known_of(facts.function)[1:]) == ends


UNKNOWN_NAMES = ["score", "profit", "r_squared", "lossless", "", "neg_log_likelihood", "terror"]
UNKNOWN_NAMES += ["explained_deviance", "error_free_rate", "\u7cbe\u5ea6", "inverse_mse_score"]
UNKNOWN_NAMES += ["mse_skill_score", "my_d2_log_loss_score", "gain"]


@pytest.mark.parametrize(
    ("name", "known"),
    [
        *((name, (-1, 0, np.inf)) for name in ("MSE", "rmse (output 2)", "Log Loss", "LogLoss")),
        *((name, (-1, 0, np.inf)) for name in ("squared_error", "mse_scorer", "my_rmse_score")),
        ("neg_mse_scorer", (1, -np.inf, 0)), ("error_rate", (-1, 0, 1)),
        ("neg_zero_one", (1, -1, 0)), ("word_error_rate", (-1, 0, np.inf)),
        ("my_loss", (-1, -np.inf, np.inf)), ("neg_my_loss", (1, -np.inf, np.inf)),
        ("neg_accuracy", (-1, -1, 0)), ("Accuracy", (1, 0, 1)),
        *((name, (0, -np.inf, np.inf)) for name in UNKNOWN_NAMES),
    ],
)  # fmt: skip
def test_a_name_tells_the_direction_and_the_range(name, known):
    assert known_of(name) == known


X = np.random.RandomState(0).normal(size=(60, 3))
Y = (X[:, 0] + np.random.RandomState(1).normal(size=60) > 0).astype(int)
TARGET = X[:, 0] + X[:, 1] ** 2
CV = s.RepeatedSubsampleSplit(12, test_size=0.25, random_state=0)

CLASSIFIERS = {"logistic": LogisticRegression(), "dummy": DummyClassifier()}
REGRESSORS = {"linear": LinearRegression(), "dummy": DummyRegressor()}


def agreement(estimator, X, y):
    return np.mean(estimator.predict(X) == y)


def two_numbers(estimator, X, y):
    return {"positives": np.mean(estimator.predict(X)), "agreement": agreement(estimator, X, y)}


@pytest.mark.parametrize(
    ("scoring", "name"),
    [
        ("roc_auc", "roc_auc"), (agreement, "agreement"), (functools.partial(agreement), "score"),
        (make_scorer(accuracy_score), "accuracy_score"), (get_scorer("accuracy"), "accuracy_score"),
    ],
    ids=["string", "function", "partial", "scorer", "known scorer"],
)  # fmt: skip
def test_name_of_one_metric(scoring, name):
    (metric,) = read_metrics(scoring)
    assert metric.alone
    assert metric.name == name
    result = s.compare_estimators(CLASSIFIERS, X, Y, scoring=scoring, cv=CV)
    assert result.metrics == (name,)
    assert result.scores.metric == name
    assert result.tests[0].metric == name
    assert s.cross_val_score(DummyClassifier(), X, Y, scoring=scoring, cv=CV).metric == name


def test_name_of_the_own_score():
    assert s.cross_val_score(LogisticRegression(), X, Y, cv=CV).metric == "accuracy"
    pipeline = make_pipeline(StandardScaler(), LogisticRegression())
    assert s.cross_val_score(pipeline, X, Y, cv=CV).metric == "accuracy"
    assert s.cross_val_score(LinearRegression(), X, Y, cv=CV).metric == "r2"
    search = GridSearchCV(LogisticRegression(), {"C": [1]}, scoring="neg_log_loss", cv=2)
    assert s.cross_val_score(search, X, Y, cv=CV).metric == "GridSearchCV.score"


@pytest.mark.parametrize(
    ("scoring", "names"),
    [
        (["roc_auc", "accuracy"], ("roc_auc", "accuracy")),
        (("f1", "accuracy"), ("f1", "accuracy")), ({"b": "accuracy", "a": agreement}, ("b", "a")),
        (["accuracy"], ("accuracy",)), (two_numbers, ("positives", "agreement")),
    ],
    ids=["list", "tuple", "dict", "list of one", "callable"],
)  # fmt: skip
def test_names_of_several_metrics_keep_their_order(scoring, names):
    models = {"logistic": LogisticRegression(), "svc": SVC()}
    result = s.compare_estimators(models, X, Y, scoring=scoring, cv=CV)
    assert result.metrics == names


@pytest.mark.parametrize(
    ("models", "name"),
    [
        (CLASSIFIERS, "accuracy"),
        (REGRESSORS, "r2"),
        ({"pipeline": make_pipeline(StandardScaler(), LogisticRegression())}, "accuracy"),
        ({"pipeline": make_pipeline(StandardScaler(), LinearRegression())}, "r2"),
        ({"grid": GridSearchCV(LogisticRegression(), {}, scoring="roc_auc")}, "accuracy"),
    ],
    ids=["classifiers", "regressors", "pipeline", "regression pipeline", "grid"],
)
def test_default_is_that_of_the_task(models, name):
    test = s.CorrectedResampledTTest()
    assert [metric.name for metric in read_metrics(None, models, test)] == [name]
    target = Y if name == "accuracy" else TARGET
    model = next(iter(models.values()))
    assert s.cross_val_inference(model, X, target, cv=CV).metric == name


def test_callable_needs_no_response():
    def log_density(estimator, X, y=None):
        return estimator.score(X)

    models = {"narrow": KernelDensity(bandwidth=0.3), "wide": KernelDensity(bandwidth=1.0)}
    scores = s.compare_estimators(models, X, scoring=log_density, cv=CV).scores
    train, test = next(CV.split(X))
    expected = KernelDensity(bandwidth=0.3).fit(X[train]).score(X[test])
    assert scores["narrow"].values[0] == expected


@pytest.mark.parametrize("model", [LinearRegression(), LogisticRegression()])
def test_a_named_estimator_has_the_usual_metric_of_its_kind(model):
    y = LABELS if hasattr(model, "predict_proba") else VALUES
    named = s.cross_val_score({"model": model}, ROWS.reshape(-1, 1), y, cv=4)
    expected = sklearn.model_selection.cross_val_score(model, ROWS.reshape(-1, 1), y, cv=4)
    np.testing.assert_array_equal(named.values[0], expected)


TYPED = {facts.also: name for name, facts in METRICS.items() if facts.also}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        *TYPED.items(),
        *[("f1_score", "f1"), ("R2", "r2"), ("AUC", "roc_auc"), ("f1-score", "f1")],
        ("neg_rmse", "neg_root_mean_squared_error"),
    ],
)
def test_what_people_type_for_a_metric_names_one(typed, meant):
    for scoring in (typed, [typed], {"m": typed}):
        with pytest.raises(ValueError, match=f"Did you mean '{meant}'"):
            read_metrics(scoring)


class OtherScorer:
    """A scorer as a later version may make it."""

    def __init__(self, name, **attributes):
        self.scorer = get_scorer(name)
        vars(self).update(attributes)

    def __call__(self, *args, **kwargs):
        return self.scorer(*args, **kwargs)


@pytest.mark.parametrize("attributes", [{}, {"_response_method": "automatic"}])
def test_of_an_unknown_scorer_nothing_is_refused_beforehand(attributes):
    """Nothing is refused beforehand; what is not there fails, and unknown kinds are refused."""
    scorer = OtherScorer("neg_log_loss", **attributes)
    assert read_metrics(scorer)[0].responses is None
    assert s.compare_estimators(CLASSIFIERS, X, Y, cv=CV, scoring=scorer).tests
    with pytest.raises(s.FitError, match=r"The first fit of 'svc'.*predict_proba"):
        s.compare_estimators(CLASSIFIERS | {"svc": LinearSVC()}, X, Y, cv=CV, scoring=scorer)
    changed = make_scorer(accuracy_score)
    del vars(changed)["_response_method"]
    vars(changed).update(attributes)
    with pytest.raises(ValueError, match=r"does not state whether it takes labels"):
        s.compare_predictions(Y, {"a": Y, "b": Y[::-1]}, scoring=changed)
