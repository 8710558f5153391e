"""Losses of single test rows: their shapes, their failures, and where they are kept."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.cluster import DBSCAN
from sklearn.datasets import make_multilabel_classification
from sklearn.exceptions import FitFailedWarning
from sklearn.metrics import accuracy_score
from sklearn.metrics import zero_one_loss as mean_zero_one_loss
from sklearn.model_selection import cross_validate
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from skcvstats import (
    CVScores,
    FitError,
    HalfSplitPairs,
    RepeatedSubsampleSplit,
    RowLosses,
    SplitDesign,
    compare_estimators,
    cross_val_inference,
)
from skcvstats.fitting._row_loss import squared_error, zero_one_loss

RNG = np.random.RandomState(0)
X = RNG.normal(size=(100, 3))
Y = (X[:, 0] + RNG.normal(size=100) > 0).astype(int)
TREE = DecisionTreeClassifier(max_depth=2, random_state=0)
CV = RepeatedSubsampleSplit(12, random_state=0)


class ColumnTree(DecisionTreeClassifier):
    """Predicts a column, as some boosters do."""

    def predict(self, X):
        return super().predict(X)[:, np.newaxis]


class Needy(ClassifierMixin, BaseEstimator):
    """Fails where row 7 is not among those trained on; counts its fits."""

    n_fits = 0

    def fit(self, X, y):
        type(self).n_fits += 1
        if 7 not in X[:, -1]:
            raise ValueError("row 7 is missing")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.zeros(len(X), dtype=int)


NUMBERED = np.column_stack([X, np.arange(100)])


@pytest.mark.parametrize("target", [Y, Y[:, np.newaxis], pd.DataFrame({"t": Y})], ids=type)
@pytest.mark.parametrize("model", [TREE, ColumnTree(max_depth=2, random_state=0)], ids=type)
def test_zero_one_loss_is_one_minus_accuracy(model, target):
    expected = cross_validate(TREE, X, Y, cv=CV, scoring="accuracy")["test_score"]
    result = cross_val_inference(model, X, target, cv=CV, loss="zero_one")
    np.testing.assert_allclose(result.scores.values, expected - 1, atol=1e-12)


@pytest.mark.parametrize("make", [np.asarray, sp.csr_array])
def test_any_wrong_label_of_several_counts(make):
    rng = np.random.RandomState(1)
    truth, predicted = rng.randint(0, 2, (2, 30, 4))
    losses = zero_one_loss(make(truth), make(predicted))
    assert losses.shape == (30,)
    assert 1 - losses.mean() == pytest.approx(accuracy_score(truth, predicted))


def test_squared_error_is_the_mean_over_outputs():
    truth, predicted = np.random.RandomState(1).normal(size=(2, 20, 3))
    expected = [np.mean((a - b) ** 2) for a, b in zip(truth, predicted, strict=True)]
    np.testing.assert_allclose(squared_error(truth, predicted), expected)


def test_shapes_that_do_not_match():
    with pytest.raises(ValueError, match=r"shape \(3,\) and the predictions \(4,\)"):
        zero_one_loss([0, 1, 0], [0, 1, 0, 1])


def test_several_outputs_end_to_end():
    data, target = make_multilabel_classification(100, random_state=0)
    expected = cross_validate(TREE, data, target, cv=CV, scoring="accuracy")["test_score"]
    result = cross_val_inference(TREE, data, target, cv=CV, loss="zero_one")
    np.testing.assert_allclose(result.scores.values, expected - 1, atol=1e-12)


def test_a_loss_of_all_rows_together_ends_the_first_fit():
    with pytest.raises(ValueError, match=r"gave shape \(\) for 10 test rows"):
        cross_val_inference(TREE, X, Y, cv=CV, loss=mean_zero_one_loss)


def test_only_one_fit_is_made_for_it():
    Needy.n_fits = 0
    data = np.where(np.arange(100)[:, np.newaxis] >= 0, 7.0, 0.0)
    with pytest.raises(ValueError, match="gave shape"):
        cross_val_inference(Needy(), data, Y, cv=CV, loss=mean_zero_one_loss)
    assert Needy.n_fits == 1


def test_failed_fits_leave_holes_that_can_be_dropped():
    with (
        pytest.warns(FitFailedWarning, match="row 7 is missing"),
        pytest.raises(FitError, match="row 7 is missing") as caught,
    ):
        compare_estimators(
            {"tree": TREE, "needy": Needy()}, NUMBERED, Y, cv=CV, loss="zero_one",
            scoring="accuracy",
        )  # fmt: skip
    scores = caught.value.scores["neg_zero_one_loss"]
    holes = np.isnan(scores.values[1])
    assert holes.any()
    np.testing.assert_array_equal(np.isnan(caught.value.scores["accuracy"].values[1]), holes)
    rest = scores.dropna()
    assert rest.design.n_splits == 12 - holes.sum() == len(rest.losses.offsets) - 1
    np.testing.assert_allclose(rest.values, -rest.losses.means())


def test_holes_in_the_half_samples_are_told_apart():
    kept = next(
        seed
        for seed in range(200)
        if all(
            7 in train
            for train, _ in RepeatedSubsampleSplit(3, random_state=seed).split(NUMBERED)
        )
    )  # fmt: skip
    cv = RepeatedSubsampleSplit(3, random_state=kept)
    halves = HalfSplitPairs(10, 3, test_size=10, random_state=0)
    lost = [7 not in train for train, _ in halves.split(NUMBERED)]
    assert any(lost)
    options = {"cv": cv, "method": "conservative_z"}
    for call in (
        lambda: compare_estimators({"tree": TREE, "needy": Needy()}, NUMBERED, Y, **options),
        lambda: cross_val_inference(Needy(), NUMBERED, Y, **options),
    ):
        with (
            pytest.warns(FitFailedWarning, match=f"splits auxiliary {lost.index(True)},"),
            pytest.raises(FitError, match="On the auxiliary splits") as caught,
        ):
            call()
        assert np.isfinite(caught.value.scores["accuracy"].values).all()
        assert caught.value.scores["accuracy"].shape[-1] == 3
        holes = np.isnan(caught.value.auxiliary["accuracy"].values[-1])
        np.testing.assert_array_equal(holes, lost)


def test_a_loss_needs_predictions():
    with pytest.raises(TypeError, match=r"'DBSCAN' cannot be scored by a loss: no predict"):
        cross_val_inference(DBSCAN(), X, Y, loss="zero_one")


def test_the_default_loss_needs_one_kind_of_estimator():
    models = {"tree": TREE, "regressor": DecisionTreeRegressor()}
    with pytest.raises(ValueError, match="Without loss= the estimators must be all classifiers"):
        compare_estimators(models, X, Y, method="holdout_t")


def test_losses_must_be_those_of_the_scores():
    design = SplitDesign.from_sizes(8, 2, n_splits=2)
    losses = RowLosses(values=[1, 3, 1, 5], rows=[0, 1, 2, 3], offsets=[0, 2, 4])
    assert CVScores(values=[-2, -3], design=design, losses=losses).losses is losses
    for values, other in (
        ([-2, -2], losses),
        ([-2, -3], RowLosses(values=[1, 3, 1], rows=[0, 1, 2], offsets=[0, 1, 2, 3])),
    ):
        with pytest.raises(ValueError, match="must be minus these means"):
            CVScores(values=values, design=design, losses=other)
