"""False verdicts where a margin is given: on one comparison, and on any of a family."""

import warnings
from collections import Counter
from dataclasses import dataclass

import numpy as np

from skcvstats import compare_scores

from .direct import data_set
from .laws import Resampled
from .rates import LEVEL, Family

MARGINS = (2, 3, 4)  # in units of the standard error of a difference
DIFFERENCES = (-1, -0.5, 0, 0.5, 1, 2)  # in units of the margin
JUST_BEYOND = 1 + 1e-9  # equivalent means at most the margin


@dataclass(frozen=True)
class Case:
    """Estimators whose differences lie about a margin.

    Parameters
    ----------
    family : Family
    margin : float
        In the unit of the family.
    reference : int or None
        The estimator that all others are compared with, two-sidedly; None compares all pairs.
    """

    family: Family
    margin: float
    reference: int | None = None


def is_false(kind, difference, margin):
    """Whether a verdict on a difference, with the bounds -margin and margin, is false.

    Parameters
    ----------
    kind : str
        A key of `skcvstats.stats.KINDS`.
    difference, margin : float
    """
    true = {
        "above by more": difference > margin,
        "below by more": difference < -margin,
        "above by less": 0 < difference <= margin,
        "below by less": -margin <= difference < 0,
        "above": difference > 0,
        "below": difference < 0,
        "equivalent": -margin <= difference <= margin,
        "not worse": difference >= -margin,
        "not better": difference <= margin,
        "not shown": True,
    }
    return not true[kind]


def one_comparison(margin, difference):
    """Return two independent estimators with a true difference in units of the margin."""
    gaps = (0, JUST_BEYOND * difference * margin)
    return Case(Family(Resampled(2, "independent", 15), gaps=gaps), margin)


def at_each_margin(margin):
    """Return a noisy reference with a candidate just beyond each bound."""
    beyond = JUST_BEYOND * margin
    return Case(Family(Resampled(3, "outlier", 15), gaps=(0, beyond, -beyond)), margin, 0)


def spread_out(margin):
    """Return all pairs of five estimators whose differences are multiples of half the margin."""
    gaps = tuple(JUST_BEYOND * margin * k / 2 for k in range(5))
    return Case(Family(Resampled(5, "independent", 15), gaps=gaps), margin)


FAMILIES = {
    "a reference, a candidate at each bound": at_each_margin,
    "all pairs of five, steps of half the margin": spread_out,
}


def cases():
    """Yield what is measured: its name, the margin, the true difference, and the case."""
    for margin in MARGINS:
        for difference in DIFFERENCES:
            yield "one comparison", margin, difference, one_comparison(margin, difference)
        for name, make in FAMILIES.items():
            yield name, margin, "", make(margin)


def count(case, n_data_sets, seed):
    """Return in how many data sets a verdict is false, and how often each verdict was given."""
    rng = np.random.default_rng(seed)
    family = case.family
    labels = family.law.draw(rng)[0].labels
    truth = dict(zip(labels, family.true_scores, strict=True))
    margin = case.margin * family.unit
    false, verdicts = 0, Counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(n_data_sets):
            result = compare_scores(
                data_set(family, rng),
                reference=None if case.reference is None else labels[case.reference],
                margin=margin,
                adjustment="max_t",
                confidence_level=1 - LEVEL,
            )
            kinds = [(pair, pair.claim.kind) for pair in result]
            verdicts.update(kind for _, kind in kinds)
            false += any(
                is_false(kind, truth[pair.estimator] - truth[pair.versus], margin)
                for pair, kind in kinds
            )
    return false, verdicts
