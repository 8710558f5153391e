"""Losses of the single rows, against loops of fits."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import Ridge
from sklearn.metrics import make_scorer, mean_absolute_error
from sklearn.model_selection import KFold, ShuffleSplit
from sklearn.tree import DecisionTreeRegressor

from skcvstats.model_selection import RepeatedSubsampleSplit
from tests.fitting.against_sklearn import SIGNAL, X, fit_all, sklearn_scores, squared_error


def mean_squared_error(y_true, y_pred):
    return np.mean((y_true - y_pred) ** 2)


def loss_by_hand(model, cv):
    """Return the row numbers and the losses of each split, rows in ascending order."""
    rows, losses = [], []
    for train, test in cv.split(X, SIGNAL):
        fitted = clone(model).fit(X[train], SIGNAL[train])
        ascending = sorted(test.tolist())
        # Predicted in the order of the splits, as scores are, then sorted: same bits.
        loss = dict(zip(test.tolist(), (SIGNAL[test] - fitted.predict(X[test])) ** 2, strict=True))
        rows.append(ascending)
        losses.append([loss[row] for row in ascending])
    return rows, losses


LOSS_MODELS = {"ridge": Ridge(), "tree": DecisionTreeRegressor(random_state=0)}


@pytest.mark.parametrize(
    "cv",
    [
        KFold(7),
        KFold(7, shuffle=True, random_state=0),
        ShuffleSplit(5, test_size=0.2, random_state=0),
        RepeatedSubsampleSplit(5, random_state=0),
    ],
    ids=["ragged", "ragged, shuffled", "ShuffleSplit", "ours"],
)
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_losses_against_a_loop(cv, n_jobs):
    found = fit_all(LOSS_MODELS, X, SIGNAL, "r2", cv, loss=squared_error, n_jobs=n_jobs)
    assert list(found) == ["r2", "neg_squared_error"]
    scores = found["neg_squared_error"]
    for name, model in LOSS_MODELS.items():
        rows, losses = loss_by_hand(model, cv)
        ours = scores[name].losses
        assert len(ours.offsets) == len(rows) + 1
        for k in range(len(rows)):
            np.testing.assert_array_equal(ours.split(k)[0], rows[k])
            np.testing.assert_array_equal(ours.split(k)[1], losses[k])
        means = [-np.mean(one) for one in losses]
        np.testing.assert_allclose(scores[name].values, means, rtol=1e-13)


def test_scores_beside_losses_against_cross_validate():
    found = fit_all(LOSS_MODELS, X, SIGNAL, "r2", KFold(7), loss=squared_error)
    for name, model in LOSS_MODELS.items():
        expected = sklearn_scores(model, X, SIGNAL, "r2", KFold(7))["score"]
        np.testing.assert_array_equal(found["r2"][name].values, expected)
    assert found["r2"].losses is None


def test_difference_of_losses_against_a_loop():
    cv = KFold(7, shuffle=True, random_state=0)
    scores = fit_all(LOSS_MODELS, X, SIGNAL, "r2", cv, loss=squared_error)["neg_squared_error"]
    rows, ridge = loss_by_hand(Ridge(), cv)
    _, tree = loss_by_hand(LOSS_MODELS["tree"], cv)
    difference = scores["ridge"] - scores["tree"]
    np.testing.assert_array_equal(difference.losses.rows, np.concatenate(rows))
    np.testing.assert_array_equal(
        difference.losses.values, np.concatenate(ridge) - np.concatenate(tree)
    )
    means = [-np.mean(np.subtract(a, b)) for a, b in zip(ridge, tree, strict=True)]
    np.testing.assert_allclose(difference.values, means, rtol=1e-12)


def test_loss_must_be_per_row():
    with pytest.raises(ValueError, match=r"gave shape \(\) for 9 test rows"):
        fit_all(LOSS_MODELS, X, SIGNAL, "r2", KFold(7), loss=mean_squared_error)


def test_loss_named_like_a_metric():
    with pytest.raises(ValueError, match="both named 'neg_squared_error'"):
        fit_all(
            LOSS_MODELS,
            X,
            SIGNAL,
            {"neg_squared_error": make_scorer(mean_absolute_error, greater_is_better=False)},
            KFold(7),
            loss=squared_error,
        )
