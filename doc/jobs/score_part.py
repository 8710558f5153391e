"""Score two models on one part of the splits: ``python score_part.py PART N_PARTS``."""

import sys

from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skcvstats import RepeatedSubsampleSplit, cross_val_score

X, y = load_breast_cancer(return_X_y=True)
models = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "forest": RandomForestClassifier(20, random_state=0),
}
cv = RepeatedSubsampleSplit(15, random_state=0)

if __name__ == "__main__":
    part, n_parts = map(int, sys.argv[1:])
    scores = cross_val_score(
        models,
        X,
        y,
        cv=cv,
        scoring="accuracy",
        splits=range(part, cv.get_n_splits(), n_parts),
        store=f"fits-{part}.db",
    )
    scores.save(f"part-{part}.json")
