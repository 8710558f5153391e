"""A margin that is met on the evidence of a few rows is noted."""

import numpy as np
import pytest
from scipy.stats import binom, ttest_1samp

from skcvstats import compare_losses, compare_out_of_fold, compare_predictions

CODE = "few discordant rows"


def answers(n_rows, n_wrong, n_gained=0):
    """Return a target, and models of which the new one is wrong, and right, on some rows more."""
    y = np.arange(n_rows) % 2
    rows = np.arange(n_rows)
    old = np.where((rows >= n_wrong) & (rows < n_wrong + n_gained), 1 - y, y)
    return y, {"new": np.where(rows < n_wrong, 1 - y, y), "old": old}


def is_noted(result):
    return CODE in [note.code for note in result.notes]


@pytest.mark.parametrize(
    ("n_wrong", "n_gained"), [(1, 0), (24, 0), (25, 0), (22, 2), (23, 2), (20, 3)]
)
def test_up_to_24_rows_nearly_all_for_one_model_are_few(n_wrong, n_gained):
    is_few = n_wrong + n_gained < 25 and n_gained < 3
    y, models = answers(400, n_wrong, n_gained)
    result = compare_predictions(y, models, scoring="accuracy", margin=0.15, reference="old")
    assert is_noted(result) == is_few
    assert not is_noted(compare_predictions(y, models, scoring="accuracy"))
    losses = {name: (labels != y) * 1.0 for name, labels in models.items()}
    assert is_noted(compare_losses(losses, margin=0.15)) == is_few


def test_it_is_said_of_the_first_of_several_models_and_not_where_nothing_is_shown():
    y, models = answers(200, 3)
    models["worse"] = np.where(np.arange(200) < 60, 1 - y, y)
    compared = {"scoring": "accuracy", "reference": "old"}
    (note,) = (
        n for n in compare_predictions(y, models, margin=0.05, **compared).notes if n.code == CODE
    )
    assert "only 3 rows tell new and old apart, too few for a margin (within 0.05)" in note.text
    assert not is_noted(compare_predictions(y, models, margin=0.001, **compared))


def test_losses_of_other_values_are_not_meant():
    rng = np.random.default_rng(0)
    loss = rng.random(300)
    losses = {"a": loss, "b": loss + 0.001 * rng.random(300)}
    assert not is_noted(compare_losses(losses, margin=0.5))


def test_out_of_fold_predictions():
    y, models = answers(100, 2)
    folds = np.arange(100) // 20
    options = {"folds": folds, "scoring": "accuracy", "reference": "old"}
    assert is_noted(compare_out_of_fold(y, models, margin=0.05, **options))
    assert not is_noted(compare_out_of_fold(y, models, **options))


def test_how_often_the_verdict_is_false():
    """At a true loss of 3 points, the margin; few rows tell one-sided in one direction."""
    n_rows, margin = 100, 0.03
    size = 0.0
    noted = 0.0
    for n_wrong in range(1, 40):
        differences = np.where(np.arange(n_rows) < n_wrong, -1.0, 0.0)
        if ttest_1samp(differences, -margin, alternative="greater").pvalue > 0.05:
            break
        chance = binom.pmf(n_wrong, n_rows, margin)
        y, models = answers(n_rows, n_wrong)
        result = compare_predictions(y, models, scoring="accuracy", margin=margin, reference="old")
        assert result[0].outcome == "equivalent"
        size += chance
        noted += chance * is_noted(result)
    assert size > 0.14
    assert noted == size
