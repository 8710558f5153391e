"""The recipes for out-of-fold predictions: LightGBM's must run, XGBoost's where it is installed."""

import numpy as np
import pytest
from sklearn.metrics import log_loss

from skcvstats import compare_estimators, compare_out_of_fold


def assert_scored(names, rounding):
    """Assert that the scores are those that scikit-learn finds for each fold."""
    result, y, made = names["result"], names["y"], names["made"]
    folds = list(names["cv"].split(names["X"], y))
    for of_model, p in zip(result.scores.values, made.values(), strict=True):
        wanted = [-log_loss(y[test], p[k // 5, test]) for k, (_, test) in enumerate(folds)]
        assert of_model == pytest.approx(wanted, rel=rounding)
    assert result[0].test.method == "row_t"
    assert result[0].test.n_splits == 20


def test_lightgbm(run):
    import lightgbm  # not skipped: .ci/integrations/run installs it

    names = run("lightgbm_out_of_fold.py")
    assert_scored(names, 1e-12)
    # LightGBM's cv finds the bounds of its bins on all rows, an estimator on the training rows
    models = {
        name: lightgbm.LGBMClassifier(
            n_estimators=30, num_leaves=leaves, n_jobs=1, random_state=0, verbosity=-1
        )
        for name, leaves in [("stumps", 2), ("31 leaves", 31)]
    }
    options = {"cv": names["cv"], "scoring": "neg_log_loss", "method": "row_t"}
    fitted = compare_estimators(models, names["X"], names["y"], **options)
    one, other = fitted[0].test, names["result"][0].test
    assert one.estimate == pytest.approx(other.estimate, abs=0.25 * one.standard_error)
    assert fitted[0].outcome == names["result"][0].outcome

    # predictions of all rows by all boosters, most of which were trained on them
    X, y, folds = names["X"], names["y"], names["folds"][:5]
    history = lightgbm.cv(
        names["common"], lightgbm.Dataset(X, y), 5, folds=folds, return_cvbooster=True
    )
    wrong = np.asarray(history["cvbooster"].predict(X))
    assert wrong.shape == (5, len(y))
    with pytest.raises(ValueError, match="by the model of its fold, and no means"):
        compare_out_of_fold(y, {"a": wrong, "b": wrong}, folds=folds, scoring="roc_auc")


def test_xgboost(run):
    pytest.importorskip("xgboost")
    names = run("xgboost_out_of_fold.py")
    assert all(made.dtype == np.float32 for made in names["made"].values())
    assert_scored(names, 1e-5)
