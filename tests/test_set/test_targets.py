"""Targets that lack a class which models know, and targets of one's own kind, such as records."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, get_scorer_names, log_loss, make_scorer, roc_auc_score
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcvstats import compare_out_of_fold, compare_predictions, predictions_inference
from tests.conftest import every, ignoring

pytestmark = ignoring("DegenerateScores", "SplitDesign")
X, Y = load_iris(return_X_y=True)
D2_LOG_LOSS = "d2_log_loss_score"  # which the oldest versions lack
NAMES = np.array(["setosa", "versicolor", "virginica"])
SEEN = np.flatnonzero((np.arange(150) % 3 == 0) & (Y < 2))


def case(y):
    """Models of three classes, a test set of two, and the probabilities."""
    train = np.arange(150) % 3 > 0
    models = {"a": LogisticRegression(max_iter=999), "b": GaussianNB()}
    models = {name: model.fit(X[train], y[train]) for name, model in models.items()}
    return models, {name: model.predict_proba(X[SEEN]) for name, model in models.items()}


@pytest.mark.parametrize("y", [Y, NAMES[Y], Y.astype(float)], ids=["integers", "text", "floats"])
def test_losses_are_defined_without_a_class_that_models_know(y):
    models, given = case(y)
    frames = {name: pd.DataFrame(p, columns=np.unique(y)) for name, p in given.items()}
    how = {"greater_is_better": False, "response_method": "predict_proba"}
    knowing = make_scorer(log_loss, labels=np.unique(y), **how)
    roads = [(frames, {"scoring": "neg_log_loss"}), (given, {"scoring": knowing})]
    roads.append((models, {"scoring": "neg_log_loss", "X": X[SEEN]}))
    for predictions, how in roads:
        result = compare_predictions(y[SEEN], predictions, **how)
        for name, p in given.items():
            wanted = np.log(np.clip(p[np.arange(len(SEEN)), Y[SEEN]], 2e-16, 1)).mean()
            assert result.scores[name].mean() == pytest.approx(wanted, rel=1e-9)
    if D2_LOG_LOSS in get_scorer_names():  # older Brier scores are of two classes
        result = compare_predictions(y[SEEN], frames, scoring="neg_brier_score")
        errors = [-np.square(p - np.eye(3)[Y[SEEN]]).sum(axis=1).mean() for p in given.values()]
        assert result.scores.values[:, 0] == pytest.approx(errors, rel=1e-9)
    result = compare_predictions(y[SEEN], models, scoring="accuracy", X=X[SEEN])
    shares = [(p.argmax(axis=1) == Y[SEEN]).mean() for p in given.values()]
    assert result.scores.values[:, 0].tolist() == shares
    swapped = {name: frame[frame.columns[::-1]] for name, frame in frames.items()}
    how = {"scoring": "neg_log_loss"}
    one, other = (compare_predictions(y[SEEN], it, **how) for it in (swapped, frames))
    assert one[0].test.estimate == other[0].test.estimate


def test_metrics_of_every_class_are_refused_and_name_it():
    y = NAMES[Y]
    models, given = case(y)
    frames = {name: pd.DataFrame(p, columns=NAMES) for name, p in given.items()}
    how = {"labels": NAMES, "multi_class": "ovr", "response_method": "predict_proba"}
    areas = make_scorer(roc_auc_score, **how)
    known = [D2_LOG_LOSS] if D2_LOG_LOSS in get_scorer_names() else []
    roads = [(frames, scoring) for scoring in ("roc_auc_ovr", *known)] + [(given, areas)]
    roads += [(models, scoring) for scoring in ("f1_macro", "balanced_accuracy")]
    for predictions, scoring in roads:
        with pytest.raises(ValueError, match="y_true contains no row of 'virginica'"):
            compare_predictions(y[SEEN], predictions, scoring=scoring, X=X[SEEN])
    with pytest.raises(ValueError, match=r"3 columns.* a frame whose columns are named by"):
        compare_predictions(y[SEEN], given, scoring="neg_log_loss")


RNG = np.random.default_rng(0)
TIME, EVENT = RNG.exponential(size=60), RNG.integers(0, 2, 60).astype(bool)
TABLE = np.column_stack([EVENT, TIME])
RECORDS = np.array(list(zip(EVENT, TIME, strict=True)), dtype=[("event", bool), ("time", float)])
TUPLES = np.empty(60, dtype=object)
TUPLES[:] = list(map(tuple, TABLE.tolist()))
RISKS = {"a": -TIME + RNG.normal(size=60), "b": -TIME + 2 * RNG.normal(size=60)}


def concordance(y, risk):
    """The share of comparable pairs whose earlier event has the higher risk."""
    y = y if y.dtype.names else np.array(y.tolist())
    event, time = (y["event"], y["time"]) if y.dtype.names else y.T
    first, second = np.nonzero((time[:, np.newaxis] < time) & (event[:, np.newaxis] > 0))
    return np.mean((risk[first] > risk[second]) + 0.5 * (risk[first] == risk[second]))


def test_a_metric_of_ones_own_takes_any_target():
    folds = np.arange(60) % 4
    plain = compare_out_of_fold(TABLE, RISKS, folds=folds, scoring=concordance)
    whole = concordance(TABLE, RISKS["a"])
    for y in (RECORDS, TUPLES):
        result = compare_out_of_fold(y, RISKS, folds=folds, scoring=concordance)
        assert result[0].test.pvalue == plain[0].test.pvalue
        how = {"scoring": concordance, "method": "bootstrap", "n_resamples": 2000}
        assert predictions_inference(y, RISKS["a"], **how).estimate == whole
    parts = [concordance(TABLE[folds == k], RISKS["a"][folds == k]) for k in range(4)]
    assert plain.scores["a"].values.tolist() == parts
    scorer = make_scorer(concordance)
    same = compare_out_of_fold(RECORDS, RISKS, folds=folds, scoring=scorer)
    assert same[0].test.pvalue == plain[0].test.pvalue
    with pytest.raises(TypeError, match="y_true contains records; pass one of the fields"):
        compare_predictions(RECORDS, RISKS, scoring="accuracy")


def as_objects(values):
    objects = np.empty(len(values), dtype=object)
    objects[:] = values
    return objects


def overlap(y, predicted):
    pairs = [(set(a), set(b)) for a, b in zip(y, predicted, strict=True)]
    return np.mean([len(a & b) / len(a | b) for a, b in pairs])


TOKENS = [list("abcd"[: 1 + k % 4]) for k in range(60)]
MADE = {"a": TOKENS[1:] + TOKENS[:1], "b": TOKENS[2:] + TOKENS[:2]}
KINDS = {
    "lists": list, "sets": lambda part: [set(each) for each in part],
    "mappings": lambda part: [dict.fromkeys(each) for each in part],
    "a series": pd.Series, "an array": as_objects,
}  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
def test_targets_and_predictions_of_several_things(name):
    y, made = KINDS[name](TOKENS), {key: KINDS[name](part) for key, part in MADE.items()}
    wanted = [overlap(TOKENS, part) for part in MADE.values()]
    if name == "lists":  # which is resampled
        result = compare_predictions(y, made, scoring=overlap)
        assert result.scores.values[:, 0].tolist() == wanted
    result = compare_out_of_fold(y, made, folds=np.arange(60) % 4, scoring=make_scorer(overlap))
    assert result.scores.values.mean(axis=1) == pytest.approx(wanted, rel=1e-12)


def test_labels_of_a_class_that_two_others_stand_beside():
    """Of a model of three classes; more often a third label beside two is of another coding."""
    y = np.arange(40) % 2
    given = {"a": np.where(np.arange(40) < 4, 2, y), "b": np.where(np.arange(40) < 9, 2, y)}
    objects = {name: labels.astype(object) for name, labels in given.items()}  # as of a data frame
    for labels, made in ((y, given), (y.astype(object), objects)):
        found = compare_predictions(labels, made, scoring="neg_mean_squared_error").scores.values
        assert found.ravel() == pytest.approx([-0.25, -0.6])
        with pytest.raises(ValueError, match="contain 2, and y_true only has 0, 1"):
            compare_predictions(labels, made, scoring="accuracy")
    X = np.arange(40.0)[:, np.newaxis]
    models = {name: DecisionTreeClassifier().fit(X, labels) for name, labels in given.items()}
    found = compare_predictions(y, models, X=X, scoring="accuracy").scores.values  # which know 2
    assert found.ravel() == pytest.approx([0.9, 31 / 40])
    with pytest.raises(ValueError, match=r"y_true contains no row of 2: .* Test on more"):
        compare_predictions(y, models, X=X, scoring="balanced_accuracy")
    with pytest.raises(ValueError, match="contain 2, and y_true only has 0, 1"):
        compare_predictions(y, {"a": y + 1, "b": y + 1}, scoring="accuracy")


@ignoring("Anticonservative")
@pytest.mark.parametrize("seed", every(3, range(3)))
def test_the_names_of_labels_do_not_matter_to_samples_without_a_positive(few_resamples, seed):
    """Where a sample has no positive, f1 is not defined, whatever the positive is called."""
    y = np.repeat([1, 0], [5, 15])
    predicted = np.where(np.random.default_rng(seed).uniform(size=20) < 0.8, y, 1 - y)
    names = np.array(["no", "yes"])
    options = {"method": "bootstrap", "n_resamples": 1000, "stratify": False}
    numbers = compare_predictions(y, {"a": predicted, "b": y}, scoring="f1", **options)
    words = compare_predictions(
        names[y],
        {"a": names[predicted], "b": names[y]},
        scoring=make_scorer(f1_score, pos_label="yes"),
        **options,
    )
    replicates = [result.scores.components.arrays["replicates"] for result in (numbers, words)]
    np.testing.assert_array_equal(*replicates)
    (note,) = [note for note in numbers.notes if note.code == "undefined replicates"]
    (same,) = [note for note in words.notes if note.code == "undefined replicates"]
    assert same.text == note.text.replace("f1", "f1_score")
