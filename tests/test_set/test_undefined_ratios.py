"""Precision without a predicted positive on a test set: 0, with a note."""

import numpy as np
import pytest
from sklearn.metrics import get_scorer, make_scorer, precision_score

from skcvstats import SplitDesignWarning, compare_predictions, predictions_inference

N = 80
RANDOM = np.random.default_rng(0)
Y = (RANDOM.random(N) < 0.4).astype(int)
GOOD = np.where(RANDOM.random(N) < 0.2, 1 - Y, Y)
NEVER = np.zeros(N, dtype=int)
THREE = np.arange(N) % 3
TWO_OF_THREE = np.where(THREE == 1, 0, THREE)
NEARLY = np.where(RANDOM.random(N) < 0.2, 0, THREE)
WORDS = np.array(["healthy", "ill", "other"])
OF_TWO = {"never": NEVER, "good": GOOD}
OF_THREE = {"never": TWO_OF_THREE, "good": NEARLY}
CASES = [
    ("precision", Y, OF_TWO, {}),
    ("precision", Y, OF_TWO, {"sample_weight": 1.0 + np.arange(N) % 3}),
    ("precision", Y, OF_TWO, {"groups": np.arange(N) // 2}),
    pytest.param("precision", Y, OF_TWO, {"method": "bootstrap"}, marks=pytest.mark.slow),
    ("precision_macro", THREE, OF_THREE, {}),
    ("precision_macro", WORDS[THREE], {k: WORDS[p] for k, p in OF_THREE.items()}, {}),
    ("precision_weighted", THREE, OF_THREE, {}),
]


def coded(result):
    return [note.text for note in result.notes if note.code == "undefined metric"]


@pytest.mark.parametrize(("scoring", "y", "predictions", "more"), CASES)
def test_a_ratio_of_0_to_0_is_0_and_noted(scoring, y, predictions, more):
    with pytest.warns(SplitDesignWarning, match="'never': Precision is ill-defined"):
        found = compare_predictions(y, predictions, scoring=scoring, **more)
    options = {**get_scorer(scoring)._kwargs, "zero_division": 0}
    filled = make_scorer(precision_score, **options)
    wanted = compare_predictions(y, predictions, scoring=filled, **more)
    np.testing.assert_array_equal(found.scores.values, wanted.scores.values)
    assert found[0].test.pvalue == wanted[0].test.pvalue
    assert len(coded(found)) == 1
    assert not coded(wanted)
    weights = more.get("sample_weight")
    by_hand = precision_score(y, predictions["never"], **options, sample_weight=weights)
    assert found.scores.values[found.scores.labels.index("never"), 0] == pytest.approx(by_hand)


@pytest.mark.filterwarnings("ignore")
def test_one_model_whose_labels_are_cut_from_probabilities():
    chances = RANDOM.uniform(0.0, 0.4, N)
    found = predictions_inference(Y, chances, scoring="precision", threshold=0.5)
    assert found.estimate == 0
    assert found.undetermined
    assert len(coded(found)) == 1


@pytest.mark.filterwarnings("ignore")
def test_a_slice_without_a_predicted_positive():
    by = np.where(np.arange(N) < N // 2, "first", "second")
    predictions = {"a": np.where(by == "first", 0, GOOD), "b": GOOD}
    found = compare_predictions(Y, predictions, scoring="precision", by=by)
    assert not coded(found)
    assert found.slices["first"].scores.values[0, 0] == 0
    assert len(coded(found.slices["first"])) == 1


def test_functions_of_the_users_own_are_refused_still():
    def own(y_true, y_pred):
        return precision_score(y_true, y_pred)

    with pytest.raises(ValueError, match="own is not defined for 'never'"):
        compare_predictions(Y, OF_TWO, scoring=own)
