"""Whole data sets, compared by `compare_scores`: counts of claims and best sets."""

import warnings
from dataclasses import dataclass

import numpy as np

from skcvstats import CVScores, compare_scores

from .rates import LEVEL, Family


@dataclass(frozen=True)
class Counts:
    """What was counted over data sets.

    Parameters
    ----------
    n_data_sets : int
    false_claims : int
        Data sets with a false claim on any pair.
    covered : int
        Data sets whose best set contains the truly best estimator; the first, where several are.
    in_best_set : float
        The mean number of estimators in the best set.
    """

    n_data_sets: int
    false_claims: int
    covered: int
    in_best_set: float


def data_set(family, rng):
    """Draw a whole data set of a law without auxiliary splits."""
    scores, _ = family.law.draw(rng)
    rest = family.law.fresh(rng, 1)[0] + family.true_scores
    return CVScores(
        values=scores.values + rest[:, np.newaxis],
        design=scores.design,
        labels=scores.labels,
        metric=scores.metric,
    )


def count(family, n_data_sets, seed):
    """Compare all pairs of many data sets, and count."""
    rng = np.random.default_rng(seed)
    truth = dict(zip(family.law.draw(rng)[0].labels, family.true_scores, strict=True))
    best = max(truth, key=truth.get)
    false = covered = members = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(n_data_sets):
            result = compare_scores(
                data_set(family, rng), adjustment="max_t", confidence_level=1 - LEVEL
            )
            false += any(_is_false(pair, truth) for pair in result)
            inside = result.best_set()
            covered += best in inside
            members += len(inside)
    return Counts(n_data_sets, false, covered, members / n_data_sets)


def _is_false(pair, truth):
    difference = truth[pair.estimator] - truth[pair.versus]
    return (pair.outcome == "higher" and difference <= 0) or (
        pair.outcome == "lower" and difference >= 0
    )


def tie_and_gaps(law):
    """Return families in which all are equal, two lead, and one leads."""
    rest = tuple(range(1, law.n_estimators))
    return {
        "all equal": Family(law),
        "two equal, then steps of 1": Family(law, gaps=(0, 0, *rest[:-1])),
        "steps of 1": Family(law, gaps=(0, *rest)),
    }
