"""Fitted models on one test set where classes, weights or replicates run short."""

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, balanced_accuracy_score, f1_score

from skcvstats import (
    AnticonservativeWarning,
    compare_predictions,
    evaluation_report,
    predictions_inference,
)
from skcvstats.test_set import _measure as _test_set

few_groups = pytest.mark.filterwarnings("ignore::skcvstats.exceptions.AnticonservativeWarning")
N = 90


@pytest.fixture(scope="module")
def y():
    return np.random.RandomState(0).randint(0, 2, N)


@pytest.fixture(scope="module")
def given(y):
    random = np.random.RandomState(1)
    wrong = {"good": 0.05, "fair": 0.3, "poor": 0.6}
    return {name: np.where(random.uniform(size=N) < p, 1 - y, y) for name, p in wrong.items()}


@pytest.fixture
def few_resamples(monkeypatch):
    """Allow fewer bootstrap replicates than is reasonable."""
    monkeypatch.setattr(_test_set.Resamples, "__post_init__", lambda self: None)


def two(given):
    return {name: given[name] for name in ("good", "poor")}


@few_groups
@pytest.mark.parametrize(
    ("metric", "summed"), [("f1", True), ("f1", False), ("average_precision", False)]
)
def test_replicates_without_a_positive_are_undefined(monkeypatch, few_resamples, metric, summed):
    # scikit-learn gives them the filler 0.0
    if not summed:
        monkeypatch.setattr(_test_set, "sum_metric", lambda *args: None)
    groups = np.arange(60) // 6
    predicted = np.arange(60) % 6 < 2  # positives in every group
    given = {"a": predicted * 1, "b": (np.arange(60) % 7 < 3) * 1}
    options = {"scoring": metric, "groups": groups, "n_resamples": 100}
    result = compare_predictions((groups < 4) * 1, given, **options)
    assert "1 bootstrap samples on which" in str(result.notes)  # .6**10 of them are
    assert (result.scores.components.arrays["replicates"] > 0).all()
    with pytest.raises(ValueError, match=rf"{metric} is not defined in .*stratify=True"):
        compare_predictions((groups < 1) * 1, given, **options | {"n_resamples": 10})


@pytest.mark.parametrize("grouped", [False, True])
def test_rows_without_weight_are_left_out(y, given, few_resamples, grouped):
    groups = np.arange(N) % 15 if grouped else None
    weights = np.where(np.arange(N) < 30, 0.0, 2.0)
    zero, rest = (
        compare_predictions(
            y[rows],
            {name: of_all[rows] for name, of_all in two(given).items()},
            scoring="f1",
            groups=None if groups is None else groups[rows],
            sample_weight=weights[rows],
            n_resamples=100,
        )[0].test
        for rows in (slice(None), slice(30, None))
    )
    assert (zero.df, zero.pvalue, zero.n_test) == (rest.df, rest.pvalue, rest.n_test)


def test_labels_of_several_outputs(few_resamples):
    random = np.random.RandomState(0)
    y = random.randint(0, 2, (20, 2))
    given = {name: np.where(random.uniform(size=y.shape) < 0.8, y, 1 - y) for name in "ab"}
    result = compare_predictions(y, given, scoring="f1_macro", n_resamples=8)
    a, b = (f1_score(y, given[name], average="macro") for name in "ab")
    assert result[0].test.estimate == pytest.approx(a - b, rel=1e-12)
    result = compare_predictions(y, given, scoring="accuracy", n_resamples=8)
    a, b = (accuracy_score(y, given[name]) for name in "ab")
    assert result[0].test.estimate == pytest.approx(a - b, rel=1e-12)


def test_small_p_values_of_few_replicates_are_not_told_apart(y, given):
    few = compare_predictions(y, two(given), scoring="f1")
    assert 1 / 2001 <= few[0].test.pvalue < 0.002
    assert "< 0.002" in str(few)
    assert "p < 0.002" in str(few[0])
    assert "< 0.002" in str(evaluation_report(few))
    options = {"scoring": "accuracy", "method": "cluster_bootstrap", "null_value": 0.02}
    one = predictions_inference(y, given["poor"], **options)
    assert "p < 0.002" in str(one)
    assert "p < 0.002" in " ".join(str(evaluation_report(one)).split())
    several = predictions_inference(y, two(given), **options)
    assert "< 0.002" in str(several)
    many = compare_predictions(y, two(given), scoring="f1", n_resamples=10_000)
    assert "< 0.002" not in str(many)
    three = compare_predictions(y, given, scoring="f1")
    assert "adjusted p < 0.0001" in str(three)  # of Student's t distribution, not of replicates


def test_a_small_margin_asks_for_rows(y, given):
    result = compare_predictions(y, given, scoring="accuracy", margin=0.0001)
    (note,) = [note for note in result.notes if note.code == "small margin"]
    assert "more test rows would help" in str(note)
    assert "split" not in str(result)


@pytest.mark.filterwarnings("error")
def test_few_groups_of_the_rarer_class_are_warned_of(few_resamples):
    y = np.repeat([1, 0], 60)
    given = {"a": np.roll(y, 9), "b": np.roll(y, 4)}
    groups = np.r_[np.arange(60) // 10, 6 + np.arange(60)]
    options = {"scoring": "recall", "n_resamples": 100}
    with pytest.warns(AnticonservativeWarning, match="Only 6 groups with rows of the rarer class"):
        compare_predictions(y, given, groups=groups, stratify=True, **options)
    compare_predictions(y, given, **options)


def test_labels_in_the_place_of_probabilities_are_noted(y, given):
    probabilities = np.random.RandomState(2).uniform(size=N)
    result = compare_predictions(
        y, {"labels": given["fair"], "p": probabilities}, scoring="roc_auc"
    )
    (note,) = [note for note in result.notes if note.code == "two-valued predictions"]
    assert "the predictions of 'labels' have two values only" in str(note)
    area = balanced_accuracy_score(y, given["fair"])  # what the note says it is
    assert result.ranking().set_index("estimator").loc["labels", "score"] == pytest.approx(area)
    fine = compare_predictions(
        y, {"q": 0.5 * y + probabilities, "p": probabilities}, scoring="roc_auc"
    )
    assert "two-valued predictions" not in {note.code for note in fine.notes}
