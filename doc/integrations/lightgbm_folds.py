"""Compare two sets of LightGBM's parameters by the boosters of its own ``cv``."""

import lightgbm
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score

from skcvstats import RepeatedSubsampleSplit, SplitDesign, compare_scores

X, y = load_breast_cancer(return_X_y=True)
cv = RepeatedSubsampleSplit(15, random_state=0)
folds = list(cv.split(X, y))
common = {"objective": "binary", "metric": "auc", "verbosity": -1, "num_threads": 1, "seed": 0}


def fold_scores(**params):
    """Return the area under the curve in each fold."""
    history = lightgbm.cv(
        common | params,
        lightgbm.Dataset(X, y),
        num_boost_round=30,
        folds=folds,
        return_cvbooster=True,
    )
    boosters = history["cvbooster"].boosters
    return [
        roc_auc_score(y[test], booster.predict(X[test]))
        for booster, (_, test) in zip(boosters, folds, strict=True)
    ]


scores = {"stumps": fold_scores(num_leaves=2), "31 leaves": fold_scores(num_leaves=31)}
result = compare_scores(scores, metric="roc_auc", design=SplitDesign.from_splitter(cv, X, y))
print(result)
