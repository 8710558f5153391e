"""Scores that are made for comparisons, on splits of 90 and 10 of 100 rows."""

import numpy as np

from skcvstats import CVScores, SplitDesign

DESIGN = SplitDesign.from_sizes(90, 10, n_splits=15)
FACTOR = 1 / 15 + 1 / 9  # of the corrected t on them
HALVES = SplitDesign.from_sizes(50, 50, n_splits=10, levels=("repeat", "fold"), shape=(5, 2))


def scores_of(values, names=None, metric="accuracy"):
    """Return the scores of estimators that are called m0, m1, ... if they have no names."""
    values = np.asarray(values)
    names = names or [f"m{k}" for k in range(len(values))]
    design = SplitDesign.from_sizes(90, 10, n_splits=values.shape[1])
    return CVScores(values=values, design=design, labels=tuple(names), metric=metric)


def shifted(differences, spread=0.01, names=None, metric="accuracy"):
    """Return scores that differ from those of "base" by so much on average, exactly."""
    noise = np.random.default_rng(0).normal(0, spread, (len(differences), 15))
    noise -= noise.mean(axis=1, keepdims=True)
    base = np.random.default_rng(99).uniform(0.6, 0.9, 15)
    rows = [base, *(base + np.array(differences)[:, None] + noise)]
    names = names or ("base", *(f"m{k}" for k in range(len(differences))))
    return scores_of(rows, names, metric)


def rising(n_estimators, n_splits=15, *, gap=0.1, seed=0, names=None, metric="accuracy"):
    """Return scores of which each is better than the one before, by chance or not."""
    random_state = np.random.RandomState(seed)
    values = 0.7 + gap * np.arange(n_estimators)[:, None] / n_estimators
    values = values + 0.02 * random_state.normal(size=(n_estimators, n_splits))
    values += 0.03 * random_state.normal(size=n_splits)
    return scores_of(values, names, metric)


def any_order(n_estimators=5, n_splits=15, *, seed=0, skill=0.02):
    """Return scores of estimators whose skills come in any order."""
    random_state = np.random.RandomState(seed)
    skills = random_state.normal(0.8, skill, size=(n_estimators, 1))
    return skills + random_state.normal(0, 0.02, size=(n_estimators, n_splits))


def by_pair(result):
    return {(pair.estimator, pair.versus): pair for pair in result}


def codes(result):
    return {note.code for note in result.notes}


def squeezed(text):
    return " ".join(str(text).split())
