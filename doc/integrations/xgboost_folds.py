"""Compare two sets of XGBoost's parameters by the boosters of its own ``cv``."""

import xgboost
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score

from skcvstats import RepeatedSubsampleSplit, SplitDesign, compare_scores

X, y = load_breast_cancer(return_X_y=True)
cv = RepeatedSubsampleSplit(15, random_state=0)
folds = list(cv.split(X, y))
common = {"objective": "binary:logistic", "eval_metric": "auc", "nthread": 1, "seed": 0}


class KeepBoosters(xgboost.callback.TrainingCallback):
    """Keep the booster of each fold, which ``xgboost.cv`` does not return."""

    def after_training(self, model):
        """Take the boosters."""
        self.boosters = [fold.bst for fold in model.cvfolds]
        return model


def fold_scores(**params):
    """Return the area under the curve in each fold."""
    kept = KeepBoosters()
    xgboost.cv(
        common | params,
        xgboost.DMatrix(X, y),
        num_boost_round=30,
        folds=folds,
        callbacks=[kept],
    )
    return [
        roc_auc_score(y[test], booster.predict(xgboost.DMatrix(X[test])))
        for booster, (_, test) in zip(kept.boosters, folds, strict=True)
    ]


scores = {"stumps": fold_scores(max_depth=1), "depth 6": fold_scores(max_depth=6)}
result = compare_scores(scores, metric="roc_auc", design=SplitDesign.from_splitter(cv, X, y))
print(result)
