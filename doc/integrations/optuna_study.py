"""Compare the trials of an Optuna study, which were scored on the same splits."""

import optuna
from sklearn.datasets import load_breast_cancer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from skcvstats import RepeatedSubsampleSplit, compare_candidates, cross_val_score

X, y = load_breast_cancer(return_X_y=True)
cv = RepeatedSubsampleSplit(15, random_state=0)  # a seed: the same splits in every trial


def objective(trial):
    """Score a trial, and keep the score of each split."""
    svc = SVC(C=trial.suggest_float("C", 1e-3, 1e2, log=True))
    model = make_pipeline(StandardScaler(), svc)
    scores = cross_val_score(model, X, y, cv=cv, scoring="roc_auc")
    trial.set_user_attr("scores", scores.tolist())
    return scores.mean()


sampler = optuna.samplers.TPESampler(seed=0)
study = optuna.create_study(direction="maximize", sampler=sampler)
study.optimize(objective, n_trials=12)

result = compare_candidates(study, X, y, cv=cv, scoring="roc_auc")
print(result)
could_be_best = [result.params(name) for name in result.best_set()]
