"""Stop a study once more trials seem to gain less than the error of the best score: a heuristic."""

import optuna
from optuna.terminator import BaseErrorEvaluator, Terminator, TerminatorCallback
from sklearn.datasets import load_breast_cancer
from sklearn.svm import SVC

from skcvstats import CorrectedResampledTTest, CVScores, RepeatedSubsampleSplit, cross_val_score

X, y = load_breast_cancer(return_X_y=True)
cv = RepeatedSubsampleSplit(15, random_state=0)


class CorrectedError(BaseErrorEvaluator):
    """The standard error of the best trial's mean, for splits that share training rows."""

    def evaluate(self, trials, study_direction):
        best = max((trial for trial in trials if trial.state.name == "COMPLETE"), key=value_of)
        scores = CVScores.from_json(best.user_attrs["scores"])
        return float(CorrectedResampledTTest()(scores).standard_error)


def value_of(trial):
    """Return what is the greater, the better the trial."""
    return trial.value  # minus it, if the study minimizes


def objective(trial):
    """Score a trial, and keep its scores with their splits."""
    svc = SVC(C=trial.suggest_float("C", 1e-3, 1e3, log=True))
    scores = cross_val_score(svc, X, y, cv=cv)
    trial.set_user_attr("scores", scores.to_json())
    return scores.mean()


study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=0))
stop = TerminatorCallback(Terminator(error_evaluator=CorrectedError(), min_n_trials=10))
study.optimize(objective, n_trials=40, callbacks=[stop])
