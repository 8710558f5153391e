"""The recipe for Optuna, and studies as Optuna keeps them: pruned, failed, read from a file."""

import numpy as np
import pytest
from sklearn.exceptions import FitFailedWarning

from skcvstats import (
    AnticonservativeWarning,
    CVScores,
    SplitDesign,
    compare_candidates,
    compare_scores,
)

optuna = pytest.importorskip("optuna")
DESIGN = SplitDesign.from_sizes(90, 10, n_splits=10)


def test_recipe(run):
    names = run("optuna_study.py")
    result, study = names["result"], names["study"]
    assert len(result.scores.labels) == len(study.trials) == 12
    values = dict(zip(result.scores.labels, result.scores.values.mean(axis=1), strict=True))
    assert list(values.values()) == pytest.approx([trial.value for trial in study.trials])
    assert names["could_be_best"][0] == study.best_trial.params
    scores = {trial.number: trial.user_attrs["scores"] for trial in study.trials}
    design = SplitDesign.from_splitter(names["cv"], names["X"], names["y"])
    other = compare_scores(scores, design=design)
    numbers = ["difference", "low", "high", "pvalue_adjusted"]
    assert result.pairs().to_frame()[numbers].equals(other.to_frame()[numbers])


def objective(trial):
    shift = trial.suggest_float("shift", 0, 1)
    if trial.number == 1:
        raise optuna.TrialPruned
    if trial.number == 2:
        raise ZeroDivisionError
    scores = [shift + 0.1 * (k % 3) * (1 + trial.number) for k in range(10)]
    trial.set_user_attr("scores", scores)
    return sum(scores) / 10


@pytest.mark.parametrize("direction", ["maximize", "minimize"])
def test_states_of_a_stored_study(tmp_path, direction):
    storage = f"sqlite:///{tmp_path}/study.db"
    study = optuna.create_study(storage=storage, study_name="one", direction=direction)
    study.optimize(objective, n_trials=5, catch=ZeroDivisionError)
    study.ask()
    loaded = optuna.load_study(storage=storage, study_name="one")
    with pytest.warns(FitFailedWarning, match="#2 "), pytest.warns(AnticonservativeWarning):
        result = compare_candidates(loaded, design=DESIGN)
    assert [label.split()[0] for label in result.scores.labels] == ["#0", "#3", "#4"]
    assert {"pruned trials", "unfinished trials"} <= {note.code for note in result.notes}
    sign = 1 if direction == "maximize" else -1
    assert result.metrics == ("score" if sign > 0 else "neg_score",)
    assert result.scores.values[0].tolist() == [
        sign * score for score in study.trials[0].user_attrs["scores"]
    ]


def test_trials_without_scores():
    study = optuna.create_study()
    study.optimize(lambda trial: trial.suggest_float("x", 0, 1), n_trials=3)
    with pytest.raises(ValueError, match=r"3 of 3 finished trials without 'scores'"):
        compare_candidates(study, design=DESIGN)


def test_several_objectives():
    study = optuna.create_study(directions=["maximize", "minimize"])
    with pytest.raises(ValueError, match="has 2 objectives"):
        compare_candidates(study, design=DESIGN)


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
