"""What metrics need of the labels of some rows, against counts by hand and scikit-learn."""

import warnings

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.metrics import (
    average_precision_score,
    f1_score,
    get_scorer_names,
    make_scorer,
    matthews_corrcoef,
    r2_score,
    recall_score,
    roc_auc_score,
)
from sklearn.model_selection import GroupKFold, RepeatedKFold

import skcvstats as s
from skcvstats.fitting import TargetLabels, needed_labels, needs, read_metrics
from skcvstats.fitting._needs import needs_of_rows

TWO = [0, 0, 1, 1, 0, 1]
THREE = ["a", "b", "c", "a", "b", "c"]


def lack_of(scoring, y, rows=None, drawn=needs, *more):
    """Return the code of what a metric lacks in some rows of a target, None if nothing."""
    (metric,) = read_metrics(scoring)
    rows = np.arange(len(y)) if rows is None else np.array(rows, dtype=int)
    lack = drawn(metric, TargetLabels.read(np.array(y)), rows, *more)
    return lack and lack.code


@pytest.mark.parametrize(
    ("scoring", "y", "rows", "code"),
    [
        ("f1", TWO, [0, 1, 4], "no positive"), ("f1", TWO, [2, 3], None), ("f1", [0] * 6, None,
         "no positive"), ("f1", [False, False, True], [0, 1], "no positive"),
        ("f1", [0.0, 1.0, 0.0], [0, 2], "no positive"), ("f1", [0.0, 1.0, 0.0], [0, 1], None),
        ("average_precision", THREE, [0, 1], "fewer classes"),
        ("average_precision", THREE, [0, 1, 2], None),
        ("roc_auc", TWO, [2, 3], "one class"), ("roc_auc", TWO, [1, 2], None),
        ("balanced_accuracy", THREE, [0, 1, 3, 4], "fewer classes"),
        ("balanced_accuracy", ["a"] * 4, None, "one class"), ("balanced_accuracy", THREE, [],
         "fewer classes"),
        ("matthews_corrcoef", THREE, [0, 1], None), ("matthews_corrcoef", THREE, [0, 3],
         "one class"),
        ("r2", [1.5, 1.5, 2.0] * 6, [0, 1, 3, 4, 6, 7, 9, 10, 12], "one value"),
        ("r2", np.arange(9.0), [0, 1, 2, 3, 4, 5, 6], "few rows"),
        ("r2", np.arange(9.0), range(8), None), ("r2", np.zeros((9, 2)), range(7), "few rows"),
        ("r2", np.zeros((9, 2)), range(8), None), ("accuracy", TWO, [0], None),
        ("neg_mean_squared_error", [1.0, 1.0], None, None), ("f1_weighted", TWO, [0], None),
        (make_scorer(f1_score, pos_label="c"), ["b", "c", "b"], [0, 2], "no positive"),
        (make_scorer(f1_score, pos_label="c"), ["b", "c", "b"], [0, 1], None),
        (make_scorer(f1_score), ["b", "c", "b"], [0, 1], None),  # scikit-learn refuses it
        (make_scorer(f1_score), [0, 1, 2], [0, 1], None),  # and this
        (make_scorer(f1_score, zero_division=0), TWO, [0], None),
        (make_scorer(r2_score), [2.0] * 9, None, "one value"),
        (make_scorer(roc_auc_score, multi_class="ovr", labels=["a", "b", "c"],
                     response_method="predict_proba"), THREE, [0, 1], "fewer classes"),
    ],
)  # fmt: skip
def test_a_reason_is_given_where_labels_or_rows_are_lacking(scoring, y, rows, code):
    assert lack_of(scoring, y, rows) == code


def test_scorers_of_one_class_are_the_users_own():
    labels = TargetLabels.read(np.array(TWO))
    refused = []
    for scoring in ("recall", recall_score, "matthews_corrcoef", matthews_corrcoef, roc_auc_score):
        own = scoring if isinstance(scoring, str) else make_scorer(scoring)
        (metric,) = read_metrics(own)
        refused.append(needs(metric, labels, np.array([0, 1])).is_refused)
    assert refused == [True, False, True, False, True]


def test_a_reason_has_the_labels_that_are_there_and_those_that_are_lacking():
    (metric,) = read_metrics("f1_macro")
    lack = needs(metric, TargetLabels.read(np.array(THREE)), np.array([3, 1, 0]))
    assert lack.values["there"] == ["a", "b"]
    assert lack.values["lacking"] == ["c"]
    assert lack.values["n_classes"] == 3


FUNCTIONS = {
    "f1": f1_score,
    "recall": recall_score,
    "average_precision": average_precision_score,
    "roc_auc": roc_auc_score,
}


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
@pytest.mark.parametrize("seed", range(20))
def test_where_nothing_is_lacking_scikit_learn_has_a_score_of_perfect_predictions(name, seed):
    """And elsewhere it warns, or raises an error, of predictions of the rows that are there."""
    random = np.random.RandomState(seed)
    y = np.r_[0, 1, random.randint(2, size=10)]
    rows = random.choice(12, size=random.randint(1, 5), replace=False)
    with warnings.catch_warnings(record=True, action="always") as caught:
        try:
            score = FUNCTIONS[name](y[rows], y[rows])
        except ValueError:
            score = np.nan
    is_defined = score == 1 and not caught
    assert (lack_of(name, y, rows) is None) == is_defined


@pytest.mark.parametrize("name", get_scorer_names())
@pytest.mark.parametrize("seed", range(4))
def test_labels_are_counted_as_by_hand(name, seed):
    random = np.random.RandomState(seed)
    y = np.r_[:3, random.randint(3, size=9)] % (2 + seed % 2)
    rows = random.choice(12, size=8, replace=False)
    if seed == 0:
        rows = np.flatnonzero(y == 0)[[0] * 8]
    held = set(y[rows].tolist())
    (metric,) = read_metrics(name)
    n_needed = {"": 0, "two classes": 2, "two values": 2}.get(metric.facts.needs, len(set(y)))
    is_lacking = len(held) < n_needed
    if metric.facts.needs == "positive" and len(set(y)) == 2:
        is_lacking = 1 not in held
    elif metric.facts.needs == "positive" and name != "average_precision":
        is_lacking = False  # scikit-learn refuses three classes
    assert (lack_of(name, y, rows) is not None) == is_lacking


@pytest.mark.parametrize("scoring", ["roc_auc", "average_precision", "r2", "accuracy"])
@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("seed", range(15))
def test_scores_of_rows_need_what_is_left_without_each_unit(scoring, grouped, seed):
    """Without any unit the classes, or values that differ, are still there."""
    random = np.random.RandomState(seed)
    y = np.r_[0, 1, random.randint(2, size=6)]
    rows = random.choice(8, size=random.randint(2, 7), replace=False)
    units = random.randint(4, size=8) if grouped else np.arange(8)
    wanted = {"roc_auc": {0, 1}, "average_precision": {1}, "accuracy": set()}
    is_lacking = False
    for unit in set(units[rows].tolist()):
        left = set(y[rows][units[rows] != unit].tolist())
        if scoring == "r2":
            is_lacking |= len(left) < 2
        else:
            is_lacking |= not left >= wanted[scoring]
    code = lack_of(scoring, y, rows, needs_of_rows, units if grouped else None)
    if scoring == "r2" and len(set(units[rows].tolist())) == 1:
        return  # without the only group nothing is left
    assert (code is not None) == is_lacking


@pytest.mark.parametrize("name", ["f1", "f1_macro", "matthews_corrcoef"])
def test_a_target_of_one_class_is_refused_before_any_fit(name):
    X = np.zeros((40, 1))
    with pytest.raises(ValueError, match="y is 0 in all rows"):
        s.cross_val_inference(DummyClassifier(), X, np.zeros(40, dtype=int), scoring=name)


@pytest.mark.parametrize("method", ["corrected_resampled_t", "row_t"])
@pytest.mark.parametrize(
    ("grouped", "remedy"), [(False, "pass more rows of it"), (True, "StratifiedGroupKFold")]
)
def test_with_groups_no_splits_of_rows_are_advised(method, grouped, remedy):
    y = (np.arange(60) < 3) * 1
    groups = np.arange(60) // 3 if grouped else None
    cv = GroupKFold(5) if grouped else RepeatedKFold(n_splits=5, n_repeats=4, random_state=0)
    options = {"groups": groups, "cv": cv, "method": method, "scoring": "f1"}
    with pytest.raises(s.SplitDesignError) as caught:
        s.cross_val_inference(DummyClassifier(), np.zeros((60, 1)), y, **options)
    assert remedy in str(caught.value)
    assert ("RepeatedStratifiedKFold" in str(caught.value)) == (not grouped)


def test_labels_of_all_kinds_have_positions():
    labels = TargetLabels.read(np.array(["no", "yes", "no"], dtype=object))
    assert labels.classes.tolist() == ["no", "yes"]
    assert labels.codes.tolist() == [0, 1, 0]
    assert labels.counts.tolist() == [2, 1]
    (metric,) = read_metrics(make_scorer(f1_score, pos_label="yes"))
    assert needed_labels(metric, labels).positions.tolist() == [1]
    assert len(TargetLabels.read(np.array([1.0, np.inf])).classes) == 0
