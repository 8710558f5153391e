"""Early stopping of LightGBM within every fit, on rows that are held out of its training rows."""

import lightgbm
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from skcvstats import compare_estimators


class EarlyStopped(lightgbm.LGBMClassifier):
    """Stops where a fifth of the training rows is predicted best."""

    def fit(self, X, y, **options):
        """Fit on the other training rows; test rows are never seen."""
        X, held, y, held_y = train_test_split(X, y, test_size=0.2, stratify=y, random_state=0)
        stop = lightgbm.early_stopping(20, verbose=False)
        return super().fit(X, y, eval_set=[(held, held_y)], callbacks=[stop], **options)


X, y = load_breast_cancer(return_X_y=True)
common = {"verbosity": -1, "n_jobs": 1, "random_state": 0}
models = {
    "stopped early": EarlyStopped(n_estimators=500, **common),
    "100 rounds": lightgbm.LGBMClassifier(n_estimators=100, **common),
}
result = compare_estimators(models, X, y, scoring="neg_log_loss")
print(result)
