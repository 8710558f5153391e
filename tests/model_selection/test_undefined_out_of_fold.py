"""Precision without a predicted positive, at the door of out-of-fold predictions."""

import numpy as np
import pytest
from sklearn.metrics import get_scorer, make_scorer, precision_score

from skcvstats import SplitDesignWarning, compare_out_of_fold

N = 60
FOLDS = np.arange(N) % 5
RANDOM = np.random.default_rng(0)
Y = (RANDOM.random(N) < 0.4).astype(int)
GOOD = np.where(RANDOM.random(N) < 0.2, 1 - Y, Y)
ZERO = np.zeros(N, dtype=int)
IN_ONE = np.where((FOLDS == 2) | (RANDOM.random(N) < 0.2), 0, GOOD)
THREE = np.arange(N) // 5 % 3
IN_THREE = np.where(THREE == 1, 0, THREE)
NEARLY = np.where(RANDOM.random(N) < 0.2, 0, THREE)

CASES = [
    ("precision", Y, {"a": ZERO, "b": GOOD}, "5 of 5 folds of a: Precision is ill-defined"),
    ("precision", Y, {"a": IN_ONE, "b": GOOD}, "1 of 5 folds of a: Precision is ill-defined"),
    ("precision", Y, {"b": GOOD, "a": ZERO, "c": IN_ONE}, "of a, 1 of 5 folds of c: Precision is"),
    ("precision_macro", THREE, {"a": IN_THREE, "b": NEARLY}, "in labels with no predicted samples"),
    ("precision_weighted", THREE, {"a": IN_THREE, "b": NEARLY}, "5 of 5 folds of a: Precision is"),
]


@pytest.mark.parametrize(("scoring", "y", "predictions", "said"), CASES)
@pytest.mark.parametrize("weights", [None, 1 + np.arange(N) % 3])
def test_a_ratio_of_0_to_0_is_0_and_noted(scoring, y, predictions, said, weights):
    how = {"folds": FOLDS, "sample_weight": weights}
    with pytest.warns(SplitDesignWarning, match=said):
        found = compare_out_of_fold(y, predictions, scoring=scoring, **how)
    assert sum(said in note.text for note in found.notes) == 1
    options = get_scorer(scoring)._kwargs
    filled = make_scorer(precision_score, **options, zero_division=0)
    wanted = compare_out_of_fold(y, predictions, scoring=filled, **how)
    np.testing.assert_array_equal(found.scores.values, wanted.scores.values)
    assert not any(note.code == "undefined metric" for note in wanted.notes)
    by_hand = [
        precision_score(
            y[k == FOLDS],
            predictions["a"][k == FOLDS],
            **options,
            zero_division=0,
            sample_weight=None if weights is None else weights[k == FOLDS],
        )
        for k in range(5)
    ]
    row = found.scores.labels.index("a")
    np.testing.assert_allclose(found.scores.values[row], by_hand)


def test_ratios_that_are_defined_have_no_note(recwarn):
    found = compare_out_of_fold(Y, {"a": IN_ONE, "b": GOOD}, folds=FOLDS, scoring="accuracy")
    assert not any(note.code == "undefined metric" for note in found.notes)
