"""Compare two sets of XGBoost's parameters by out-of-fold predictions, in a loop over the folds."""

import numpy as np
import xgboost
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import RepeatedStratifiedKFold, train_test_split

from skcvstats import compare_out_of_fold

X, y = load_breast_cancer(return_X_y=True)
cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=0)
common = {"objective": "binary:logistic", "nthread": 1, "seed": 0}


def fit(X, y, params):
    """Return a booster, its number of rounds chosen on an inner split of the training rows."""
    inner, held, y_inner, y_held = train_test_split(X, y, stratify=y, random_state=0)
    return xgboost.train(
        common | params,
        xgboost.DMatrix(inner, y_inner),
        num_boost_round=200,
        evals=[(xgboost.DMatrix(held, y_held), "held_out")],
        early_stopping_rounds=10,
        verbose_eval=False,
    )


def out_of_fold(**params):
    """Return the prediction of each row by the booster of its fold, of shape (4, n_rows)."""
    found = np.empty((4, len(y)), dtype=np.float32)
    for k, (train, test) in enumerate(cv.split(X, y)):
        booster = fit(X[train], y[train], params)
        rounds = (0, booster.best_iteration + 1)
        found[k // 5, test] = booster.predict(xgboost.DMatrix(X[test]), iteration_range=rounds)
    return found


made = {"stumps": out_of_fold(max_depth=1), "depth 6": out_of_fold(max_depth=6)}
result = compare_out_of_fold(y, made, folds=cv, scoring="neg_log_loss")
print(result)
