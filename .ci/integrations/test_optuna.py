"""The recipes for Optuna: studies with failed and pruned trials, and losses; when to stop."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.svm import SVC

from skcvstats import CVScores, RepeatedSubsampleSplit, SplitDesign, compare_scores, cross_val_score

optuna = pytest.importorskip("optuna")
X, y = make_classification(120, 5, random_state=0)
CV = RepeatedSubsampleSplit(15, random_state=0)
DESIGN = SplitDesign.from_splitter(CV, X, y)


@pytest.fixture
def compare_trials(run):
    """Return the function of the recipe."""
    return run("optuna_study.py")["compare_trials"]


def scores_of(trial):
    """Return the scores of a trial, and store them."""
    model = SVC(C=trial.suggest_float("C", 1e-2, 1e2, log=True))
    scores = cross_val_score(model, X, y, cv=CV)
    trial.set_user_attr("scores", scores.tolist())
    return scores


def test_trials_that_finished_are_compared(compare_trials, tmp_path):
    def objective(trial):
        if trial.number == 1:
            raise optuna.TrialPruned
        if trial.number == 2:
            raise ZeroDivisionError
        return scores_of(trial).mean()

    storage = f"sqlite:///{tmp_path}/study.db"
    study = optuna.create_study(storage=storage, study_name="one", direction="maximize")
    study.optimize(objective, n_trials=5, catch=ZeroDivisionError)
    study.ask()
    loaded = optuna.load_study(storage=storage, study_name="one")
    result = compare_trials(loaded, X, y, CV, metric="accuracy")
    assert result.scores.labels == ("#0", "#3", "#4")
    values = [study.trials[k].value for k in (0, 3, 4)]
    assert result.scores.values.mean(axis=1) == pytest.approx(values)
    assert f"#{study.best_trial.number}" in result.best_set()
    scores = {f"#{k}": study.trials[k].user_attrs["scores"] for k in (0, 3, 4)}
    other = compare_scores(scores, design=DESIGN, metric="accuracy")
    assert result.to_frame().equals(other.to_frame())


def test_losses_of_a_study_that_minimizes(compare_trials):
    def objective(trial):
        losses = 1 - scores_of(trial)
        trial.set_user_attr("scores", losses.tolist())
        return losses.mean()

    study = optuna.create_study(direction="minimize")
    study.optimize(objective, n_trials=3)
    how = {"metric": "error_rate", "greater_is_better": False}
    result = compare_trials(study, X, y, CV, **how)
    assert result.metrics == ("neg_error_rate",)
    assert f"#{study.best_trial.number}" == result.ranking()["estimator"].iloc[0]


@pytest.mark.filterwarnings("ignore")
def test_terminator(run):
    pytest.importorskip("torch")
    names = run("optuna_terminator.py")
    study, error = names["study"], names["CorrectedError"]()
    assert 10 <= len(study.trials) < 40
    best = CVScores.from_json(study.best_trial.user_attrs["scores"])
    x, odds = best.values, best.design.rho0_odds
    expected = np.sqrt((1 / 15 + odds) * x.var(ddof=1))
    assert error.evaluate(study.trials, study.direction) == pytest.approx(expected)
    assert odds == pytest.approx(57 / 512)
