"""What the rules of SignificanceRefit choose where the cheapest candidate is the worst.

Four candidates classify the same rows. A row has a difficulty that they share and noise of each, so
that hits are correlated; the true accuracies are known. Nothing is fitted: the folds share no
training rows here, so this favours every rule over what refits would do.
"""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy import stats

from skcvstats import SignificanceRefit
from skcvstats.comparison import _joint
from skcvstats.comparison._joint import make_draws
from skcvstats.model_selection._refit import follow

from .settings import data_sets

pytestmark = [
    pytest.mark.calibration,
    pytest.mark.filterwarnings("ignore::skcvstats.exceptions.AnticonservativeWarning"),
    pytest.mark.filterwarnings("ignore::skcvstats.exceptions.DegenerateScoresWarning"),
    pytest.mark.filterwarnings("ignore::skcvstats.exceptions.SplitDesignWarning"),
]

# The cheapest first; .05 between the worst and the best.
ACCURACIES = np.linspace(0.75, 0.80, 4)
SHARED = 0.7  # of the variance of a row's difficulty
FEWEST = {200: 150, 2000: 100}  # runs, by the number of rows
N_RUNS = {n_rows: data_sets(fewest) for n_rows, fewest in FEWEST.items()}
# What cv=5 is replaced by, once instead of in each run.
FIVE_FOLDS = follow(5, n_splits=5)
N_ERRORS = 4

# By rule and number of rows, with five folds: how often the worst is chosen, and the mean loss of
# accuracy. This is the table in the Notes of SignificanceRefit.
DOCUMENTED = [
    ({}, 200, 0.30, 0.029),
    ({}, 2000, 0.00, 0.006),
    ({"rule": "margin", "margin": 0.05}, 200, 0.03, 0.009),
    ({"rule": "margin", "margin": 0.05}, 2000, 0.01, 0.015),
    ({"rule": "test"}, 200, 0.80, 0.046),
    ({"rule": "test"}, 2000, 0.10, 0.023),
    ({"rule": "best_set"}, 200, 0.90, 0.048),
    ({"rule": "best_set"}, 2000, 0.21, 0.030),
]
# Of maxima for an adjusted p-value, which are the same in all runs: a fifth of what users get.
N_DRAWS = 3999


@pytest.fixture(autouse=True)
def fewer_draws(monkeypatch):
    def fewer(*args):
        return replace(make_draws(*args), n_draws=N_DRAWS)

    monkeypatch.setattr(_joint, "make_draws", fewer)


@cache
def searches(n_rows, n_splits, n_runs, accuracies):
    """Draw what so many searches leave behind; all rules choose from the same."""
    rng = np.random.default_rng(0)
    limits = stats.norm.ppf(accuracies)[:, np.newaxis]
    found = []
    for _ in range(n_runs):
        common = rng.normal(size=n_rows)
        own = rng.normal(size=(len(accuracies), n_rows))
        hits = np.sqrt(SHARED) * common + np.sqrt(1 - SHARED) * own < limits
        folds = hits.reshape(len(accuracies), n_splits, -1).mean(axis=2)
        columns = {f"split{k}_test_score": fold for k, fold in enumerate(folds.T)}
        found.append({**columns, "params": [{"depth": k} for k in range(len(accuracies))]})
    return found


@cache
def chosen(n_rows, n_runs, accuracies=tuple(ACCURACIES), **options):
    refit = SignificanceRefit(FIVE_FOLDS, "depth", **options)
    return np.array([refit(found) for found in searches(n_rows, 5, n_runs, accuracies)])


@pytest.mark.parametrize(("options", "n_rows", "worst", "loss"), DOCUMENTED)
def test_what_the_documentation_says(options, n_rows, worst, loss):
    n_runs = N_RUNS[n_rows]
    choices = chosen(n_rows, n_runs, **options)
    # The documented figures are rounded, and have an error of their own.
    both = 1 / n_runs + 1 / FEWEST[n_rows]
    error = np.sqrt(max(worst * (1 - worst), 0.005) * both)
    assert (choices == 0).mean() == pytest.approx(worst, abs=N_ERRORS * error + 0.005)
    losses = ACCURACIES[-1] - ACCURACIES[choices]
    error = np.sqrt(losses.var() * both)
    assert losses.mean() == pytest.approx(loss, abs=N_ERRORS * error + 0.0005)


@pytest.mark.parametrize("accuracies", [np.full(4, 0.8), ACCURACIES[::-1]], ids=["tie", "gaps"])
def test_the_best_set_holds_the_truly_best(accuracies):
    """Where the best candidate is the cheapest, it is chosen in at least 1 - alpha of the runs.

    Folds that share no training rows are independent, so that the uncorrected test has its level.
    """
    n_runs, alpha = N_RUNS[200], 0.2
    options = {"rule": "best_set", "confidence_level": 1 - alpha, "method": "resampled_t"}
    choices = chosen(200, n_runs, tuple(accuracies), **options)
    covered = (choices == 0).mean()
    error = np.sqrt(alpha * (1 - alpha) * (1 / n_runs + 1 / N_DRAWS))
    assert covered >= 1 - alpha - N_ERRORS * error


@pytest.mark.parametrize("n_rows", [200, 2000])
def test_one_candidate_at_the_margin_has_the_level(n_rows):
    """A candidate that is worse by exactly the margin is chosen in at most alpha of the runs."""
    n_runs, alpha = data_sets(300), 0.05
    options = {"rule": "margin", "margin": 0.05, "confidence_level": 1 - alpha}
    choices = chosen(n_rows, n_runs, (0.75, 0.8), **options)
    error = np.sqrt(alpha * (1 - alpha) / n_runs)
    assert (choices == 0).mean() <= alpha + N_ERRORS * error
