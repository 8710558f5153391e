"""Fitted models on one test set: several ways to the same number, and the text of a result."""

import re
from functools import partial

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_rel
from sklearn import metrics
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import skcvstats as s
from skcvstats.plotting import ComparisonDisplay
from tests.conftest import ignoring

pytestmark = ignoring("SplitDesign", "Anticonservative")

RTOL = 1e-10
METHODS = {
    "accuracy": "clustered_t", "neg_log_loss": "clustered_t", "neg_brier_score": "clustered_t",
    "roc_auc": "delong", "f1": "jackknife_t", "balanced_accuracy": "jackknife_t",
}  # fmt: skip
REGRESSION = {
    "neg_mean_squared_error": "clustered_t", "neg_mean_absolute_error": "clustered_t",
    "neg_mean_absolute_percentage_error": "clustered_t", "r2": "jackknife_t",
    "neg_root_mean_squared_error": "jackknife_t",
}  # fmt: skip
THREE_CLASSES = dict.fromkeys(("accuracy", "neg_log_loss"), "clustered_t")
THREE_CLASSES |= dict.fromkeys(("f1_macro", "roc_auc_ovr"), "jackknife_t")


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    how = {"test_size": 0.5, "random_state": 0, "stratify": y}
    X_train, X_test, y_train, y_test = train_test_split(X[:, :4], y, **how)
    models = {"tree": DecisionTreeClassifier(max_depth=3, random_state=0), "bayes": GaussianNB()}
    models |= {"logistic": LogisticRegression(max_iter=10_000)}
    models = {name: model.fit(X_train, y_train) for name, model in models.items()}
    return X_test, y_test, models, np.arange(len(y_test)) % 45


@pytest.fixture(scope="module")
def labels(cancer):
    X, _y, models, _groups = cancer
    return {name: model.predict(X) for name, model in models.items()}


DATA = {"cancer": METHODS, "iris": REGRESSION, "wine": THREE_CLASSES}
CASES = [(data, *case) for data, methods in DATA.items() for case in methods.items()]


@pytest.mark.parametrize(("data", "metric", "method"), CASES)
def test_scores_are_scikit_learns(cancer, data, metric, method):
    X, y, models, groups = cancer
    if data != "cancer":
        X, y = load_iris().data[:, :3], load_iris().data[:, 3]
        models = {"ridge": Ridge(), "tree": DecisionTreeRegressor(max_depth=2, random_state=0)}
        if data == "wine":
            X, y = load_wine().data[:, :2], load_wine().target
            tree = DecisionTreeClassifier(max_depth=2, random_state=0)
            models = {"bayes": GaussianNB(), "tree": tree}
        models = {name: model.fit(X[::2], y[::2]) for name, model in models.items()}
        X, y, groups = X[1::12], y[1::12], None
    options = {"X": X, "groups": groups, "scoring": metric}
    wanted = {name: metrics.get_scorer(metric)(model, X, y) for name, model in models.items()}
    found = s.predictions_inference(y, models, **options).inferences[metric]
    assert found.estimate == pytest.approx(list(wanted.values()), rel=RTOL)
    result = s.compare_predictions(y, models, **options)
    assert {found.method, *(test.method for test in result.tests)} == {method}
    ranking = result.ranking().set_index("estimator")["score"]
    assert ranking[list(wanted)].tolist() == pytest.approx(list(wanted.values()), rel=RTOL)


def test_several_models_in_several_metrics(cancer, few_resamples):
    X, y, models, groups = cancer
    options = {"X": X, "groups": groups}
    several = ["roc_auc", "accuracy", "f1"]
    found = s.predictions_inference(y, models, scoring=several, **options)
    assert (found.metrics, found.names) == (tuple(several), tuple(models))
    for metric in several:
        for name, model in models.items():
            alone = s.predictions_inference(y, model, scoring=metric, **options)
            one = found[metric][name]
            assert one.estimate == pytest.approx(alone.estimate, rel=RTOL)
            assert one.confidence_interval() == pytest.approx(alone.confidence_interval())
            assert not one.asked
    text = " ".join(str(found).split())
    assert "clustered t-test of AUC, clustered t-test and jackknife t-test, " in text
    assert "compare_predictions compares models" in text
    one_model = s.predictions_inference(y, models["tree"], scoring=several[:2], **options)
    assert len(one_model.to_frame()) == 2


def test_rows_are_aligned_by_index(cancer, labels):
    _X, y, _models, groups = cancer
    order = np.random.RandomState(0).permutation(len(y))
    target, frame = pd.Series(y, name="y"), pd.DataFrame(labels)
    wanted = s.compare_predictions(y, labels, scoring="accuracy", groups=groups)
    how = {"scoring": "accuracy", "groups": pd.Series(groups).iloc[order[::-1]]}
    found = s.compare_predictions(target, frame.iloc[order], **how)
    pd.testing.assert_frame_equal(*(it.to_frame().drop(columns="note") for it in (found, wanted)))
    (note,) = set(found.notes) - set(wanted.notes)
    said = "rows were put into the order of y_true by their index: the predictions of 'tree', "
    assert note.text.startswith(said)
    assert said.partition(":")[0] in str(found).casefold()
    small = s.compare_predictions(y, labels, scoring="accuracy", margin=0.0001)
    (note,) = [note for note in small.notes if note.code == "small margin"]
    assert "more test rows would help" in str(note)


def test_scores_of_repeated_runs_are_averaged(labels, cancer, few_resamples):
    _X, y, _models, _groups = cancer
    runs = [labels["tree"], labels["bayes"], 1 - labels["tree"]]
    given = {"several": runs, "one": labels["logistic"]}
    by_rows = s.compare_predictions(y, given, scoring="accuracy")
    losses = {"several": [(run != y).astype(float) for run in runs]}
    losses["one"] = (labels["logistic"] != y) * 1.0
    assert by_rows[0].test.pvalue == pytest.approx(s.compare_losses(losses)[0].test.pvalue)
    options = {"scoring": "f1", "method": "bootstrap", "n_resamples": 100}
    y, runs = y[:60], [run[:60] for run in runs]  # the F1 score takes its time
    f1 = s.predictions_inference(y, {"several": runs, "one": labels["logistic"][:60]}, **options)
    alone = s.predictions_inference(y, dict(zip("abc", runs, strict=True)), **options)
    one, three = f1.inferences["f1"], alone.inferences["f1"]
    assert one.estimate[0] == pytest.approx(three.estimate.mean())
    replicates = three.scores.components.arrays["replicates"].mean(axis=0)
    assert one.scores.components.arrays["replicates"][0] == pytest.approx(replicates)


@pytest.mark.processes
@pytest.mark.parametrize("metric", ["f1", "average_precision"])
def test_any_number_of_workers_gives_the_same_bits(cancer, metric, few_resamples):
    X, y, models, groups = cancer
    rows = slice(0, 60)
    # two tasks of replicates, and one of groups left out
    options = {"X": X[rows], "scoring": metric, "groups": groups[rows] % 15}
    options |= {"method": "bootstrap", "n_resamples": 51}
    two_models = {name: models[name] for name in ("tree", "bayes")}
    results = [s.compare_predictions(y[rows], two_models, n_jobs=n, **options) for n in (1, 2)]
    for name in ("replicates", "left_out"):
        assert np.array_equal(*(result.scores.components.arrays[name] for result in results))


def test_a_scorer_and_its_function_give_the_same(cancer, labels, few_resamples):
    _X, y, _models, _groups = cancer
    scorer = metrics.make_scorer(metrics.fbeta_score, beta=2.0)
    options = {"method": "bootstrap", "n_resamples": 10}
    two = {name: labels[name][34:50] for name in ("tree", "bayes")}
    by_scorer = s.compare_predictions(y[34:50], two, scoring=scorer, **options)

    def f_two(y_true, y_pred):
        return metrics.fbeta_score(y_true, y_pred, beta=2.0)

    by_function = s.compare_predictions(y[34:50], two, scoring=f_two, **options)
    assert (by_scorer[0].metric, by_function[0].metric) == ("fbeta_score", "f_two")
    assert by_scorer[0].test.pvalue == by_function[0].test.pvalue
    other = s.compare_predictions(y[34:50], two, scoring=scorer, random_state=1, **options)
    drawn = [one.scores.components.arrays["replicates"] for one in (by_scorer, by_function, other)]
    assert np.array_equal(drawn[0], drawn[1])
    assert not np.array_equal(drawn[0], drawn[2])  # the seed decides


ROADS = [{"scoring": "accuracy"}, {"scoring": "roc_auc", "groups": None, "margin": 0.1}]
RESAMPLED = {"scoring": "f1", "method": "bootstrap", "n_resamples": 50}
ROADS += [RESAMPLED | {"margin": 0.05}]
ROADS += [{"scoring": "accuracy", "method": "mcnemar", "groups": None, "margin": 0.05}]
ROADS += [RESAMPLED | {"reference": "tree", "alternative": "greater"}]


def test_one_model_is_called_one(cancer, labels):
    _X, y, _models, _groups = cancer
    one = s.predictions_inference(y, next(iter(labels.values())), scoring="accuracy")
    report = " ".join(str(s.evaluation_report(one)).split())
    for words in (" ".join(str(one).split()), report):
        assert "this fitted model, on rows like these" in words


@pytest.mark.parametrize("options", ROADS, ids=str)
def test_a_result_is_one_as_for_splits(cancer, labels, few_resamples, options):
    _X, y, _models, groups = cancer
    result = s.compare_predictions(y, labels, **{"groups": groups, **options})
    text, report = str(result), " ".join(str(s.evaluation_report(result)).split())
    again = s.ComparisonResult.from_json(result.to_json())
    assert (str(again), again.warned) == (text, result.warned)
    assert set(result.best_set()) <= set(labels)
    assert len(result.ranking()) == 3
    assert ComparisonDisplay.from_result(result).frame().shape[0] == len(result)
    for words in (" ".join(text.split()), report):
        assert "these fitted models, on rows like these" in words
        assert "train on" not in words
        assert "trained on" not in words
        assert "split" not in words
        assert f"{len(y)} test rows" in words


@pytest.fixture(scope="module")
def chances(cancer):
    X, _y, models, _groups = cancer
    return {name: model.predict_proba(X)[:, 1] for name, model in models.items()}


SEVERAL = ["accuracy", "neg_log_loss", "roc_auc", "f1"]
UPPER = {metric.upper(): metric for metric in SEVERAL}


@pytest.mark.parametrize(("scoring", "grouped"), [(SEVERAL, False), (UPPER, True)])
def test_each_metric_has_its_procedure_as_alone(cancer, chances, few_resamples, scoring, grouped):
    X, y, models, groups = cancer
    options = {"groups": groups if grouped else None}
    result = s.compare_predictions(y, models, X=X, scoring=scoring, **options)
    cut = s.compare_predictions(y, chances, scoring=scoring, threshold=0.5, **options)
    assert result.metrics == tuple(scoring)
    for metric in result.metrics:
        measured = metric.lower()
        alone = s.compare_predictions(y, models, X=X, scoring=measured, **options)
        assert {test.method for test in result[metric].tests} == {METHODS[measured]}
        frames = (it.to_frame().drop(columns="metric") for it in (result[metric], alone))
        pd.testing.assert_frame_equal(*frames)
        assert result[metric].best_set() == alone.best_set()
        found, wanted = cut[metric].to_frame(), result[metric].to_frame()
        assert found["pvalue"].to_numpy() == pytest.approx(wanted["pvalue"], rel=1e-9)


def test_a_result_in_several_metrics_is_one_as_for_splits(cancer, chances):
    _X, y, _models, groups = cancer
    options = {"groups": groups, "threshold": 0.5}
    result = s.compare_predictions(y, chances, scoring=SEVERAL, margin=0.1, **options)
    again = s.ComparisonResult.from_json(result.to_json())
    assert (str(again), again.warned) == (str(result), result.warned)
    assert again["roc_auc"].to_json() == result["roc_auc"].to_json()
    assert again["f1"][0].test.method == "jackknife_t"
    procedures = "on 285 test rows in 45 groups (clustered t-test for accuracy and log loss, "
    procedures += "clustered t-test of AUC for ROC AUC, jackknife t-test for F1)"
    assert procedures in " ".join(str(result).split())
    report = " ".join(str(s.evaluation_report(result)).split())
    assert "For accuracy and log loss: The differences of all pairs, row by row, were" in report
    assert "For F1: The differences of all pairs" in report
    assert "scoring: accuracy, from 0.5 on; neg_log_loss; roc_auc; f1, from 0.5 on" in report
    assert "ClusteredTTest(" in report
    assert "JackknifeTTest(" in report
    assert ComparisonDisplay.from_result(result).frame().shape[0] == 12
    assert result.with_confidence(0.9).metrics == result.with_margin(0.2).metrics == tuple(SEVERAL)
    assert {f"{metric}/method" for metric in SEVERAL} <= result.to_dict().keys()
    two = {name: chances[name] for name in ("tree", "bayes")}
    text = " ".join(str(s.compare_predictions(y, two, scoring=SEVERAL[1:3])).split())
    assert "Paired test on 285 test rows" in text
    assert "paired t-test for log loss, DeLong test for ROC AUC" in text


def test_a_name_of_a_metric_keeps_its_range(cancer, chances):
    _X, y, _models, _groups = cancer
    best = {"a": y + 0.0, "b": np.where(np.arange(len(y)) < 2, 1 - y, y) + 0.0}
    result = s.compare_predictions(y, best, scoring={"area": "roc_auc", "mine": "accuracy"})
    measured = [it.provenance.get("measured") for it in result.scores_by_metric.values()]
    assert measured == ["roc_auc", "accuracy"]
    named = {"mine": "neg_log_loss", "loss": "neg_brier_score"}
    with pytest.warns(s.SplitDesignWarning) as caught:
        found = s.predictions_inference(y, chances, scoring=named, groups=np.arange(len(y)) % 5)
    assert found.metrics == ("mine", "loss")
    assert len(caught) == 1  # once for all metrics


@pytest.mark.parametrize(
    ("threshold", "names"),
    [(0.2, (0, 1)), (0.5, (1, 2)), (0.2, ("no", "yes")), (0.5, (False, True))],
)
def test_a_threshold_makes_labels(cancer, chances, threshold, names):
    """Of probabilities of one or of both classes, and of decision values; labels stay."""
    X, y, models, _groups = cancer
    labels = np.array(names)
    wanted = metrics.accuracy_score(y, chances["bayes"] >= threshold)
    given = {
        "one": chances["bayes"],
        "both": np.column_stack([1 - chances["bayes"], chances["bayes"]]),
        "single": chances["bayes"].astype(np.float32)[:, np.newaxis],
        "labels": labels[(chances["bayes"] >= threshold).astype(int)],
    }
    found = s.predictions_inference(labels[y], given, scoring="accuracy", threshold=threshold)
    assert found.inferences["accuracy"].estimate == pytest.approx(wanted, abs=1e-12)
    given = {"decision": chances["bayes"] * 9 - 9 * threshold}
    found = s.predictions_inference(labels[y], given, scoring="accuracy", threshold=0)
    assert found.inferences["accuracy"].estimate == pytest.approx(wanted, abs=1e-12)
    # Estimators predict their labels whatever the threshold.
    how = {"scoring": "accuracy", "threshold": threshold}
    model = s.predictions_inference(y, models["bayes"], X=X, **how)
    assert model.estimate == pytest.approx(metrics.accuracy_score(y, chances["bayes"] >= 0.5))


@pytest.mark.parametrize("metric", ["neg_mean_squared_error", "r2", "explained_variance"])
@pytest.mark.parametrize("size", [1e308, -1e200, np.finfo(float).max])
def test_a_prediction_that_is_too_large_is_an_overflow(metric, size):
    y = np.linspace(0, 1, 40)
    predicted = {"fine": y + 0.1, "huge": np.where(np.arange(40) == 7, size, y)}
    for call in (s.compare_predictions, partial(s.compare_out_of_fold, folds=np.arange(40) % 4)):
        with pytest.raises(ValueError, match=f"{metric} .* 'huge' on this .* overflows"):
            call(y, predicted, scoring=metric)


@pytest.fixture(scope="module")
def rounded():
    """Return a target of three classes, and probabilities as XGBoost gives them."""
    random = np.random.RandomState(0)
    y = random.randint(0, 3, 120)
    logits = random.normal(size=(2, 120, 3)) + np.eye(3)[y]
    chances = np.exp(logits) / np.exp(logits).sum(axis=-1, keepdims=True)
    chances *= 1 + random.uniform(-9e-6, 9e-6, size=(2, 120, 1))
    chances = chances.astype(np.float32)
    assert 1e-6 < np.abs(chances.sum(axis=-1) - 1).max() < 1e-5
    return y, dict(zip("ab", chances, strict=True))


def add_to_one(given):
    double = {name: p.astype(float) for name, p in given.items()}
    return {name: p / p.sum(axis=1, keepdims=True) for name, p in double.items()}


def losses_of(y, p):
    return {"log": -np.log(p[np.arange(len(y)), y]), "brier": ((p - np.eye(3)[y]) ** 2).sum(axis=1)}


def negated(function):
    return metrics.make_scorer(function, greater_is_better=False, response_method="predict_proba")


SINGLE = ["neg_log_loss", negated(metrics.log_loss)]
if "scale_by_half" in str(metrics.brier_score_loss.__doc__):  # for several classes
    SINGLE += ["neg_brier_score", negated(metrics.brier_score_loss)]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("metric", SINGLE)
@pytest.mark.parametrize("grouped", [False, True])
def test_probabilities_in_single_precision_add_to_one(rounded, metric, grouped):
    y, given = rounded
    groups = np.arange(len(y)) % 40 if grouped else None
    double = {name: p.astype(float) for name, p in given.items()}
    ask = partial(s.compare_predictions, scoring=metric, groups=groups)
    answers = [ask(y, of_all)[0].test for of_all in (add_to_one(given), given, double)]
    assert {test.title for test in answers} == {"clustered t-test" if grouped else "paired t-test"}
    assert len({(test.estimate, test.pvalue) for test in answers}) == 1
    if not grouped:
        name = answers[0].metric.split("_")[1]
        a, b = (losses_of(y, p)[name] for p in add_to_one(given).values())
        assert answers[0].pvalue == pytest.approx(ttest_rel(a, b).pvalue, rel=1e-9)


@pytest.mark.filterwarnings("error")
def test_a_bootstrap_takes_single_precision_too(rounded, few_resamples):
    y, given = rounded[0][:30], {name: p[:30] for name, p in rounded[1].items()}
    options = {"scoring": "roc_auc_ovr", "method": "bootstrap", "n_resamples": 4}
    both = [s.compare_predictions(y, of_all, **options) for of_all in (given, add_to_one(given))]
    assert np.array_equal(*(it.scores.components.arrays["replicates"] for it in both))


@pytest.mark.filterwarnings("ignore:The y_p")  # of scikit-learn's own number below
def test_probabilities_of_few_digits_are_taken_as_they_are(rounded):
    y, given = rounded
    given = {name: p.astype(float).round(3) for name, p in given.items()}
    with pytest.warns(UserWarning, match="do not quite add to 1 in .* rows"):
        result = s.compare_predictions(y, given, scoring="neg_log_loss")
    a, b = (losses_of(y, p)["log"] for p in given.values())
    assert result[0].test.title == "paired t-test"
    assert result[0].test.pvalue == pytest.approx(ttest_rel(b, a).pvalue, rel=1e-9)
    scores = [-metrics.log_loss(y, p) for p in given.values()]
    assert result.scores.values[:, 0] == pytest.approx(scores, rel=1e-12)


def test_probabilities_that_add_to_one_keep_their_bits():
    """So that ties stay ties, although 0.57 + 0.06 + 0.37 is not quite 1."""
    p = np.array([[0.01, 0.06, 0.93], [0.57, 0.06, 0.37], [0.3, 0.3, 0.4]] * 9)
    sums = p.sum(axis=1)
    assert sums[0] != sums[1]
    y = np.tile([1, 0, 2], 9)
    y[:6] = [0, 1, 2, 0, 1, 2]
    with_ties = metrics.roc_auc_score(y, p, multi_class="ovr")
    without_ties = metrics.roc_auc_score(y, p / sums[:, np.newaxis], multi_class="ovr")
    assert abs(with_ties - without_ties) > 0.001
    found = s.predictions_inference(y, p, scoring="roc_auc_ovr")
    assert found.estimate == pytest.approx(with_ties, rel=1e-12)
    losses = s.predictions_inference(y, p, scoring="neg_log_loss")
    assert losses.estimate == pytest.approx(np.log(p[np.arange(27), y]).mean())


N = 90


@pytest.fixture(scope="module")
def y():
    return np.random.RandomState(0).randint(0, 2, N)


@pytest.fixture(scope="module")
def given(y):
    random = np.random.RandomState(1)
    wrong = {"good": 0.05, "fair": 0.3, "poor": 0.6}
    return {name: np.where(random.uniform(size=N) < p, 1 - y, y) for name, p in wrong.items()}


def two(given):
    return {name: given[name] for name in ("good", "poor")}


@pytest.mark.parametrize("metric", ["f1", "average_precision"])
def test_replicates_without_a_positive_are_undefined(few_resamples, metric):
    # scikit-learn gives them the filler 0.0
    groups = np.arange(60) // 6
    predicted = np.arange(60) % 6 < 2  # positives in every group
    given = {"a": predicted * 1, "b": (np.arange(60) % 7 < 3) * 1}
    options = {"scoring": metric, "groups": groups, "method": "bootstrap", "n_resamples": 100}
    result = s.compare_predictions((groups < 4) * 1, given, **options)
    assert "1 bootstrap sample on which" in str(result.notes)  # .6**10 of them are
    assert (result.scores.components.arrays["replicates"] > 0).all()
    with pytest.raises(ValueError, match=rf"{metric} is not defined in .*stratify=True"):
        s.compare_predictions((groups < 1) * 1, given, **options | {"n_resamples": 10})


@pytest.mark.parametrize("grouped", [False, True])
def test_rows_without_weight_are_left_out(y, given, few_resamples, grouped):
    groups = np.arange(N) % 15 if grouped else None
    weights = np.where(np.arange(N) < 30, 0.0, 2.0)
    options = {"scoring": "f1", "method": "bootstrap", "n_resamples": 50}
    found = []
    for rows in (slice(None), slice(30, None)):
        made = {name: of_all[rows] for name, of_all in two(given).items()}
        how = options | {"groups": groups[rows] if grouped else None}
        result = s.compare_predictions(y[rows], made, sample_weight=weights[rows], **how)
        found.append(result[0].test)
    zero, rest = found
    assert (zero.df, zero.pvalue, zero.n_test) == (rest.df, rest.pvalue, rest.n_test)


def test_labels_of_several_outputs(few_resamples):
    random = np.random.RandomState(0)
    y = random.randint(0, 2, (20, 2))
    given = {name: np.where(random.uniform(size=y.shape) < 0.8, y, 1 - y) for name in "ab"}
    scores = {"accuracy": metrics.accuracy_score}
    scores["f1_macro"] = partial(metrics.f1_score, average="macro")
    for metric, score in scores.items():
        result = s.compare_predictions(y, given, scoring=metric)
        difference = score(y, given["a"]) - score(y, given["b"])
        assert result[0].test.estimate == pytest.approx(difference, rel=1e-12)


def share_right(y, predicted):
    return np.mean(y == predicted)


def test_small_p_values_of_few_replicates_are_not_told_apart(y, given):
    options = {
        "scoring": metrics.make_scorer(share_right),
        "method": "bootstrap",
        "null_value": 0.02,
    }
    one = s.predictions_inference(y, given["poor"], **options)
    assert 1 / 2001 <= one.pvalue < 0.002
    assert "p < 0.002" in str(one)
    assert "p < 0.002" in " ".join(str(s.evaluation_report(one)).split())
    many = s.predictions_inference(y, given["poor"], n_resamples=10_000, **options)
    assert "< 0.002" not in str(many)


def test_labels_in_the_place_of_probabilities_are_noted(y, given):
    probabilities = np.random.RandomState(2).uniform(size=N)
    labels = {"labels": given["fair"], "p": probabilities}
    result = s.compare_predictions(y, labels, scoring="roc_auc")
    (note,) = [note for note in result.notes if note.code == "two-valued predictions"]
    assert "the predictions of 'labels' have two values only" in str(note)
    area = metrics.balanced_accuracy_score(y, given["fair"])  # what the note says it is
    assert result.ranking().set_index("estimator").loc["labels", "score"] == pytest.approx(area)
    two_of_them = {"q": 0.5 * y + probabilities, "p": probabilities}
    fine = s.compare_predictions(y, two_of_them, scoring="roc_auc")
    assert "two-valued predictions" not in {note.code for note in fine.notes}


@pytest.mark.parametrize(("door", "method"), [
    *((s.compare_predictions, "clustered_t"), (s.predictions_inference, "clustered_t")),
    *((s.compare_predictions, "delong"), (s.predictions_inference, "bootstrap")),
])  # fmt: skip
def test_every_road_looks_at_the_groups(door, method, few_resamples):
    """Two of 15 groups contain 44 % of the rows each; equal ones are silent."""
    random = np.random.RandomState(0)
    y = random.randint(0, 2, 300)
    predictions = {"a": y + random.normal(size=300), "b": y + random.normal(size=300)}
    metric = {"clustered_t": "accuracy", "delong": "roc_auc", "bootstrap": "f1"}[method]
    if method != "delong":
        predictions = {name: (p > 0.5).astype(int) for name, p in predictions.items()}
    options = {"scoring": metric, "method": method}
    options |= {"n_resamples": 10} if method == "bootstrap" else {}

    def notes(groups):
        result = door(y, predictions, groups=groups, **options)
        return {note.code: note.text for note in result.notes}

    unequal = random.permutation(np.repeat(np.arange(14), [132, 132, *[3] * 12]))
    text = notes(unequal)["effective groups"]
    assert re.match(r"the 1[34] groups( with [a-z 01]+)? have the effective number 2\.[45]", text)
    assert "effective groups" not in notes(np.arange(300) % 40)


def test_the_bootstrap_looks_at_weights(few_resamples):
    y = np.arange(300) % 2
    options = {"scoring": "f1", "method": "bootstrap", "n_resamples": 10}
    options["sample_weight"] = np.where(np.arange(300) < 10, 100, 1)
    result = s.predictions_inference(y, np.roll(y, 30) ^ (y[::-1] & 1), **options)
    (note,) = [note for note in result.notes if note.code == "effective rows"]
    assert "of the weight of class" in note.text


class _GivenProbabilities(ClassifierMixin, BaseEstimator):
    """A fitted model with one probability for each row, as some libraries give."""

    def __init__(self, values):
        self.values = values
        self.classes_ = np.array([0, 1])

    def fit(self, X, y):
        return self

    def predict_proba(self, X):
        return np.array(self.values)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([0.0, 1.0, 1.0, 0.0, 0.0, 1.0], "are all 0 or 1, which are labels"),
        ([2.0, 3.0, 4.0, -1.0, 0.0, 1.0], "are not probabilities: they reach from -1 to 4"),
    ],
)
def test_probabilities_of_an_estimator_are_never_decision_values(values, message):
    models = {
        "a": _GivenProbabilities(values),
        "b": _GivenProbabilities([0.2, 0.7, 0.6, 0.1, 0.6, 0.4]),
    }
    with pytest.raises(ValueError, match=message):
        s.compare_predictions([0, 1, 1, 0, 1, 0], models, X=np.zeros((6, 1)), scoring="roc_auc")


def test_results_hold_what_can_be_chosen_from_them(cancer, labels):
    """``in`` and loops agree with what ``[]`` takes."""
    _X, y, _models, _groups = cancer
    estimates = s.predictions_inference(y, labels, scoring=["accuracy", "f1"])
    assert list(estimates) == ["accuracy", "f1"]
    assert [estimates[name].metrics for name in estimates] == [("accuracy",), ("f1",)]
    assert "tree" not in estimates
    of_one = estimates["f1"]
    assert list(of_one) == list(labels)
    for name in of_one:
        assert of_one[name].estimate == pytest.approx(metrics.f1_score(y, labels[name]))
    assert "f1" in of_one
    assert "roc_auc" not in of_one
    assert 0 not in of_one
    assert (len(estimates), len(of_one)) == (2, 3)
    compared = s.compare_predictions(y, labels, scoring=["accuracy", "f1"])
    assert "f1" in compared
    assert "roc_auc" not in compared
    assert compared[5] in compared
    assert compared[5] not in compared["accuracy"]
    assert len(list(compared)) == len(compared) == 6


@pytest.mark.parametrize("weights", ["negative", "one negative", "nan", "infinite", "all 0"])
def test_weights_that_cannot_be_used_say_nothing_of_splits(weights):
    y = np.arange(60) % 2
    models = {"a": y, "b": np.where(np.arange(60) < 9, 1 - y, y)}
    values = np.full(60, {"negative": -1.0, "all 0": 0.0}.get(weights, 1.0))
    values[3] = {"one negative": -1.0, "nan": np.nan, "infinite": np.inf}.get(weights, values[3])
    count = {"negative": "60 are not", "all 0": "nothing is measured"}.get(weights, "1 is not")
    for call in (
        partial(s.compare_predictions, y, models, scoring="accuracy"),
        partial(s.predictions_inference, y, models["b"], scoring="f1"),
        partial(s.compare_losses, {name: 1.0 * (labels != y) for name, labels in models.items()}),
    ):
        with pytest.raises(ValueError, match=count) as refused:
            call(sample_weight=values)
        assert type(refused.value) is ValueError


@pytest.mark.parametrize(("n_missing", "count"), [(1, "1 value"), (3, "3 values")])
def test_missing_losses_are_counted_in_a_sentence(n_missing, count):
    losses = np.arange(40.0)
    losses[5 : 5 + n_missing] = np.nan
    verb = "is" if n_missing == 1 else "are"
    with pytest.raises(ValueError, match=f"^{count} of the losses of 'b' {verb} missing or not"):
        s.compare_losses({"a": np.arange(40.0), "b": losses})


@pytest.mark.parametrize(
    ("y", "wanted"),
    [
        (np.resize(["bad", "good", "good"], 60), "'good', not of 'bad'"),
        (np.resize([1, 2, 2], 60), "2, not of 1"),
        (np.resize([0, 1, 1], 60), ""),
        (np.resize([-1, 1, 1], 60), ""),
        (np.resize([False, True, True], 60), ""),
    ],
)
def test_a_note_says_of_which_label_one_number_a_row_is(y, wanted):
    rng = np.random.default_rng(0)
    second = np.resize([0, 1, 1], 60)
    chances = {name: 0.3 * second + 0.7 * rng.random(60) for name in "ab"}
    result = s.compare_predictions(y, chances, scoring="roc_auc")
    areas = [metrics.roc_auc_score(second, chances[name]) for name in "ab"]
    assert abs(result[0].test.estimate) == pytest.approx(abs(areas[0] - areas[1]))
    found = [
        s.compare_predictions(y, chances, scoring="accuracy", threshold=0.5),
        s.predictions_inference(y, chances["a"], scoring="neg_log_loss"),
        s.compare_out_of_fold(y, chances, folds=np.arange(60) // 12, scoring="roc_auc"),
        result,
    ]
    for each in found:
        said = [note for note in each.notes if note.code == "second label"]
        assert [wanted in str(note) for note in said] == [True] * bool(wanted)
    both = {name: np.column_stack([1 - p, p]) for name, p in chances.items()}
    labels = {name: np.unique(y)[np.int8(p > 0.5)] for name, p in chances.items()}
    for given, metric in ((both, "neg_log_loss"), (labels, "accuracy")):
        result = s.compare_predictions(y, given, scoring=metric)
        assert "second label" not in [note.code for note in result.notes]
