"""What metrics of the user's take for each row: metric_params."""

import re

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.metrics import make_scorer

from skcvstats import (
    compare_losses,
    compare_out_of_fold,
    compare_predictions,
    predictions_inference,
)

N = 60
RANDOM = np.random.default_rng(0)
Y = RANDOM.integers(0, 2, N)
AMOUNT = RANDOM.exponential(size=N)
PREDICTED = {
    name: np.where(RANDOM.random(N) < share, 1 - Y, Y)
    for name, share in {"a": 0.1, "b": 0.3}.items()
}
LOSSES = {name: (values != Y) * AMOUNT for name, values in PREDICTED.items()}


def cost(y_true, y_pred, amount):
    return float(np.mean((y_true != y_pred) * amount))


def saved(y_true, y_pred, amount):
    return -cost(y_true, y_pred, amount)


def hits(y_true, y_pred):
    return float(np.mean(y_true == y_pred))


def routed(**requests):
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = make_scorer(cost, greater_is_better=False)
        return scorer.set_score_request(**requests) if requests else scorer


def numbers(result):
    test = result[0].test
    return [test.estimate, test.standard_error, test.pvalue, *test.confidence_interval()]


@pytest.mark.parametrize("is_enabled", [False, True])
@pytest.mark.parametrize(
    ("scoring", "name"),
    [
        (routed(amount=True), "amount"),
        (routed(amount="loan"), "loan"),
        (routed(), "amount"),
        (saved, "amount"),
    ],
)
def test_a_mean_of_amounts_is_the_mean_of_losses_of_rows(scoring, name, is_enabled):
    # The jackknife of a mean has the standard error of the mean.
    with sklearn.config_context(enable_metadata_routing=is_enabled):
        found = compare_predictions(Y, PREDICTED, scoring=scoring, metric_params={name: AMOUNT})
    wanted = compare_losses(LOSSES, metric="cost of errors", greater_is_better=False)
    assert found[0].test.method == "jackknife_t"
    np.testing.assert_allclose(found[0].test.estimate, wanted[0].test.estimate, rtol=1e-12)
    np.testing.assert_allclose(numbers(found), numbers(wanted), rtol=1e-9)


def test_amounts_are_by_row_in_slices_and_with_groups():
    groups = np.arange(N) // 2
    by = np.where(np.arange(N) < N // 2, "first", "second")
    how = {"groups": groups, "by": by, "metric_params": {"amount": AMOUNT}}
    found = compare_predictions(Y, PREDICTED, scoring=saved, **how)
    first = by == "first"
    wanted = LOSSES["b"][first].mean() - LOSSES["a"][first].mean()
    assert found.slices["first"][0].test.estimate == pytest.approx(wanted)


@pytest.mark.slow
def test_amounts_are_by_row_in_the_bootstrap():
    drawn = compare_predictions(
        Y, PREDICTED, scoring=saved, method="bootstrap", metric_params={"amount": AMOUNT}
    )
    assert drawn[0].test.standard_error == pytest.approx(
        np.std(LOSSES["b"] - LOSSES["a"]) / np.sqrt(N), rel=0.1
    )


def test_amounts_follow_the_index_missing_rows_and_long_frames():
    index = pd.Index(np.arange(N) + 100)
    amount = pd.Series(AMOUNT, index).sample(frac=1, random_state=0)
    frame = pd.DataFrame(PREDICTED, index)
    given = {"scoring": saved, "metric_params": {"amount": amount}}
    wanted = compare_predictions(Y, PREDICTED, scoring=saved, metric_params={"amount": AMOUNT})
    found = compare_predictions(pd.Series(Y, index), frame, **given)
    assert numbers(found) == numbers(wanted)

    lacking = frame.astype(float).mask(np.arange(N)[:, np.newaxis] < [[0, 5]])
    found = compare_predictions(pd.Series(Y, index), lacking, missing_rows="drop", **given)
    assert found[0].test.estimate == pytest.approx((LOSSES["b"] - LOSSES["a"])[5:].mean())
    assert any(f"{-LOSSES['a'][:5].mean():.3g}" in note.text for note in found.notes)

    long = frame.assign(y=Y, loan=AMOUNT, row=index).melt(["y", "loan", "row"], var_name="model")
    names = {"rows": "row", "models": "model", "values": "value"}
    given["metric_params"] = {"amount": "loan"}
    assert numbers(compare_predictions("y", long, **names, **given)) == numbers(wanted)


def test_rows_with_other_amounts_are_not_taken_to_be_alike():
    # All rows are alike but for the amounts.
    y = np.zeros(N)
    predicted = {"a": np.zeros(N), "b": np.ones(N)}
    found = compare_predictions(y, predicted, scoring=saved, metric_params={"amount": AMOUNT})
    expected = AMOUNT.std(ddof=1) / np.sqrt(N)
    assert found[0].test.standard_error == pytest.approx(expected)
    one = predictions_inference(y, predicted["b"], scoring=saved, metric_params={"amount": AMOUNT})
    assert one.estimate == pytest.approx(-AMOUNT.mean())


def test_several_metrics_take_what_they_name():
    scoring = {"cost": routed(amount=True), "hits": hits, "accuracy": "accuracy"}
    found = compare_predictions(Y, PREDICTED, scoring=scoring, metric_params={"amount": AMOUNT})
    alone = compare_predictions(Y, PREDICTED, scoring="accuracy")
    assert numbers(found["accuracy"]) == numbers(alone)


WRONG = [
    ({"amount": AMOUNT[1:]}, saved, "59 rows in metric_params['amount'] and 60 in y_true"),
    (
        {"amount": np.where(AMOUNT > 2, np.nan, AMOUNT)},
        saved,
        "of metric_params['amount'] are missing",
    ),
    ({"cost of it": AMOUNT}, saved, "metric_params['cost of it'] is taken by no metric ('saved')"),
    ({"amount": AMOUNT}, "accuracy", "is taken by no metric ('accuracy'). Pass a function"),
    ({"amount": AMOUNT, "sample_weight": AMOUNT}, saved, "weights are passed as sample_weight="),
    (None, routed(amount=True), "neg_cost requests metric_params['amount'], which is not given"),
    ({}, routed(amount="loan"), "neg_cost requests metric_params['loan'], which is not given"),
    (None, saved, "saved cannot be computed for 'a': "),
]


@pytest.mark.parametrize(("metric_params", "scoring", "said"), WRONG)
@pytest.mark.parametrize("door", [compare_predictions, predictions_inference])
def test_wrong_metric_params_are_refused(door, metric_params, scoring, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        door(Y, PREDICTED, scoring=scoring, metric_params=metric_params)


FOLDS = np.array([np.arange(N) % 4, np.arange(N) // 15])
TWICE = {name: np.stack([values, values[::-1]]) for name, values in PREDICTED.items()}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("scoring", "name"), [(saved, "amount"), (routed(amount="loan"), "loan"), (routed(), "amount")]
)
def test_amounts_of_out_of_fold_predictions(scoring, name):
    how = {"folds": FOLDS, "method": "corrected_resampled_t", "metric_params": {name: AMOUNT}}
    found = compare_out_of_fold(Y, TWICE, scoring=scoring, **how)
    for k, values in enumerate(TWICE.values()):
        parts = [
            saved(Y[rows], values[repeat][rows], AMOUNT[rows])
            for repeat in range(2)
            for rows in (np.flatnonzero(FOLDS[repeat] == fold) for fold in range(4))
        ]
        np.testing.assert_allclose(found.scores.values[k], parts)


@pytest.mark.parametrize(
    ("metric_params", "scoring", "said"),
    [*WRONG, ({"amount": AMOUNT}, saved, "by row, which only the metric of a whole test set")],
)
def test_wrong_metric_params_of_out_of_fold_predictions(metric_params, scoring, said):
    how = {"folds": FOLDS[0], "metric_params": metric_params}
    with pytest.raises(ValueError, match=re.escape(said)):
        compare_out_of_fold(Y, PREDICTED, scoring=scoring, **how)


@pytest.mark.filterwarnings("ignore")
def test_amounts_of_out_of_fold_predictions_follow_the_index():
    index = pd.Index(np.arange(N) + 100)
    amount = pd.Series(AMOUNT, index).sample(frac=1, random_state=0)
    how = {"folds": FOLDS[0], "scoring": saved, "method": "corrected_resampled_t"}
    wanted = compare_out_of_fold(Y, PREDICTED, metric_params={"amount": AMOUNT}, **how)
    frame = pd.DataFrame(PREDICTED, index)
    how["folds"] = pd.Series(FOLDS[0], index)
    y = pd.Series(Y, index)
    found = compare_out_of_fold(y, frame, metric_params={"amount": amount}, **how)
    np.testing.assert_array_equal(found.scores.values, wanted.scores.values)


def test_metric_params_must_be_a_mapping():
    with pytest.raises(TypeError, match=r"must be a mapping from names .* got ndarray"):
        compare_predictions(Y, PREDICTED, scoring=saved, metric_params=AMOUNT)
