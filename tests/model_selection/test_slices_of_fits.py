"""Slices of cross_val_inference: as those of the out-of-fold predictions of the same folds."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import make_scorer, matthews_corrcoef
from sklearn.model_selection import GroupKFold, KFold, RepeatedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB

from skcvstats import Procedure, compare_out_of_fold, cross_val_inference
from skcvstats.stats import Claim, Inference
from tests.conftest import ignoring

pytestmark = ignoring("SplitDesign", "Anticonservative")
RNG = np.random.default_rng(0)
N = 120
X = RNG.normal(size=(N, 2))
Y = np.where(X[:, 0] + RNG.normal(size=N) > 0, "yes", "no")
BY = np.where(np.arange(N) % 2, "north", "south")
GROUPS = np.arange(N) // 4 * 2 + np.arange(N) % 2  # each within a slice
FOLDS = KFold(5, shuffle=True, random_state=0)


@pytest.mark.parametrize(
    ("scoring", "method", "more"),
    [
        ("accuracy", "predict", {"groups": GROUPS}),
        pytest.param("roc_auc", "predict_proba", {}, marks=pytest.mark.slow),
        pytest.param("neg_log_loss", "predict_proba", {}, marks=pytest.mark.slow),
        pytest.param("f1_macro", "predict", {"groups": GROUPS}, marks=pytest.mark.slow),
        pytest.param(make_scorer(matthews_corrcoef), "predict", {}, marks=pytest.mark.slow),
    ],
)
def test_they_are_those_of_out_of_fold_predictions(scoring, method, more):
    cv = GroupKFold(5).split(X, groups=GROUPS) if more else FOLDS.split(X)
    cv = list(cv)
    found = cross_val_inference(GaussianNB(), X, Y, scoring=scoring, cv=cv, by=BY, **more)
    whole = cross_val_inference(GaussianNB(), X, Y, scoring=scoring, cv=cv, **more)
    made = cross_val_predict(GaussianNB(), X, Y, cv=cv, method=method)
    both = {"model": made, "again": made[::-1]}
    compared = compare_out_of_fold(Y, both, folds=cv, scoring=scoring, by=BY, **more)
    ((metric, inference),) = found.inferences.items()
    assert inference.estimate == pytest.approx(whole.estimate)  # as without slices
    assert inference.standard_error == pytest.approx(whole.standard_error)
    for row in found.by_slice().itertuples():
        alone = compared.slices[row.slice].ranking().set_index("estimator").loc["model"]
        assert row.score == pytest.approx(alone["score"])
        assert row.standard_error == pytest.approx(alone["standard_error"])
        assert (row.metric, row.n_test, row.estimator) == (metric, 60, "GaussianNB")
    north, south = found.by_slice().itertuples()
    assert north.rest == south.score
    assert north.difference == pytest.approx(north.score - south.score)


@pytest.mark.slow
def test_several_models_and_metrics_in_repeats_on_workers(tmp_path):
    models = {"a": GaussianNB(), "b": GaussianNB(var_smoothing=1.0)}
    cv = RepeatedKFold(n_splits=5, n_repeats=2, random_state=0)
    options = {"scoring": ["accuracy", "roc_auc"], "cv": cv, "by": BY}
    result = cross_val_inference(models, X, Y, store=tmp_path / "store", **options)
    again = cross_val_inference(models, X, Y, store=tmp_path / "store", n_jobs=2, **options)
    assert again.by_slice().equals(result.by_slice())
    assert result["roc_auc"].by_slice()["estimator"].tolist() == ["a", "b"] * 2
    assert "of b" in str(result) or "of a" in str(result)


def test_what_has_no_scores_of_rows_is_refused_before_the_fits():
    with pytest.raises(ValueError, match=r"by= needs scores of rows, and the corrected .*row_t"):
        cross_val_inference(GaussianNB(), X, Y, method="corrected_resampled_t", by=BY)


def test_predictions_of_several_numbers_a_row_are_refused():
    y = np.arange(N) % 3
    with pytest.raises(ValueError, match="roc_auc_ovr is of predictions that are not one number"):
        cross_val_inference(GaussianNB(), X, y, scoring="roc_auc_ovr", cv=FOLDS, by=BY)


def test_slices_in_another_order_than_the_rows_are_refused():
    """They would be of other rows, without a word; as with groups."""
    frame = pd.DataFrame(X, index=[f"row {k}" for k in range(N)])
    by = pd.Series(BY, index=frame.index)
    with pytest.raises(ValueError, match=r"X and by have different indexes.*by\.loc"):
        cross_val_inference(GaussianNB(), frame, Y, cv=FOLDS, by=by[::-1])
    found = cross_val_inference(GaussianNB(), frame, Y, cv=FOLDS, by=by).by_slice()
    plain = cross_val_inference(GaussianNB(), X, Y, cv=FOLDS, by=BY).by_slice()
    pd.testing.assert_frame_equal(found, plain)


class Answer(Inference):
    """A p-value and no interval."""

    def claim(self, alpha, pvalue=None):
        return Claim("not shown", "Nothing is shown")


class Half(Procedure):
    """A procedure of somebody else, which is no dataclass and has no alternative: p is 0.5."""

    name, title, needs_rows = "half", "half test", True

    def require(self, design):
        pass

    def infer(self, sample, auxiliary=None):
        means = sample.values.mean(axis=-1)
        return Answer(estimate=means, pvalue=np.full(means.shape, 0.5))


def test_a_procedure_from_outside_has_slices_without_intervals():
    result = cross_val_inference(GaussianNB(), X, Y, method=Half(), cv=FOLDS, by=BY)
    right = cross_val_predict(GaussianNB(), X, Y, cv=FOLDS) == Y
    by_fold = [test for _, test in FOLDS.split(X)]
    north, south = result.by_slice().itertuples()
    for row, name in ((north, "north"), (south, "south")):
        accuracies = [right[test[BY[test] == name]].mean() for test in by_fold]
        assert row.score == pytest.approx(np.mean(accuracies))
        missing = [row.low, row.high, row.difference_low, row.difference_high]
        assert np.isnan(missing).all()
        assert not row.differs
    assert north.rest == south.score
    assert "north" in str(result)
    predicted = {"a": np.where(right, Y, "no"), "b": Y}
    options = {"folds": list(FOLDS.split(X)), "scoring": "accuracy", "method": Half(), "by": BY}
    compared = compare_out_of_fold(Y, predicted, **options).by_slice()
    assert compared["pvalue"].tolist() == [0.5, 0.5]
    assert compared[["low", "high"]].isna().all(axis=None)
