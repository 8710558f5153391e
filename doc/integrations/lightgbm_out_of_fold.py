"""Compare two sets of LightGBM's parameters by out-of-fold predictions of its own ``cv``."""

import lightgbm
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import RepeatedStratifiedKFold

from skcvstats import compare_out_of_fold

X, y = load_breast_cancer(return_X_y=True)
cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=0)
folds = list(cv.split(X, y))
common = {"objective": "binary", "verbosity": -1, "num_threads": 1, "seed": 0}


def out_of_fold(**params):
    """Return the prediction of each row by the booster of its fold, of shape (4, n_rows)."""
    history = lightgbm.cv(
        common | params,
        lightgbm.Dataset(X, y),
        num_boost_round=30,  # fixed beforehand: early stopping would use the test rows
        folds=folds,
        return_cvbooster=True,
    )
    found = np.empty((4, len(y)))
    for k, (_, test) in enumerate(folds):
        found[k // 5, test] = history["cvbooster"].boosters[k].predict(X[test])
    return found


made = {"stumps": out_of_fold(num_leaves=2), "31 leaves": out_of_fold(num_leaves=31)}
result = compare_out_of_fold(y, made, folds=cv, scoring="neg_log_loss")
print(result)
