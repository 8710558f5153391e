"""The variance of the row t-test and its guard, written anew from their formulas with NumPy."""

import numpy as np
from scipy import stats


def units_by_formula(scores, groups=None, weights=None):
    """Return the scores of groups in each repeat, and the estimate; those of rows as they are."""
    scores = np.asarray(scores, dtype=float)
    if weights is None:
        weights = np.ones(scores.shape[1])
    estimate = float(sum(np.average(row, weights=weights) for row in scores) / len(scores))
    if groups is None:
        return scores, estimate
    names = sorted(set(groups))
    units = np.empty((len(scores), len(names)))
    for g, name in enumerate(names):
        inside = np.array([group == name for group in groups])
        factor = (len(names) - 1) / weights[~inside].sum()
        for r, row in enumerate(scores):
            units[r, g] = estimate + factor * (weights[inside] * (row[inside] - estimate)).sum()
    return units, estimate


def mean_and_noise(values, folds):
    """Return the mean of each fold, and what the variance of these is if only units differ."""
    means, noise = [], []
    for r, labels in enumerate(folds):
        for label in sorted(set(labels)):
            tested = [value for value, k in zip(values[r], labels, strict=True) if k == label]
            means.append(np.mean(tested))
            noise.append(np.var(tested, ddof=1) / len(tested))
    return np.array(means), np.mean(noise)


def variances_by_formula(units, folds, *, estimate=None, df=None, inflation=0.5):
    """Return v, w, V without the guard and V* with it, of units (n_repeats, n_units)."""
    n_repeats, n = units.shape
    n_folds = len(set(folds[0]))
    if estimate is None:
        estimate = units.mean()
    if df is None:
        df = n - 1
    over_repeats = units.mean(axis=0)
    v = ((over_repeats - estimate) ** 2).sum() / ((n - 1) * n)
    own = units - over_repeats
    if n_repeats == 1:
        w = 0.0
        unguarded = (1 + 1.5 * inflation) * v
    else:
        w = (own**2).sum() / ((n_repeats - 1) * n**2)
        unguarded = v + inflation * (v + n_folds / 5 * w)
    n_means = n_repeats * n_folds
    c = 1 / n_means + 1 / (n_folds - 1)
    r = stats.t.isf(0.025, n_means - 1) / stats.t.isf(0.025, df)
    k = stats.chi2.isf(0.01, n_means - 1) / (n_means - 1)
    means, q = mean_and_noise(units, folds)
    s2 = np.var(means, ddof=1)
    bounds = [c * r**2 * s2, unguarded + 3 * c * r**2 * max(0.0, s2 - k * q)]
    if n_repeats > 1:
        own_means, own_q = mean_and_noise(own, folds)
        own_s2 = n_means / (n_means - 1) * np.mean(own_means**2)
        kept = (1 - 1 / n_repeats) ** 2 + (n_repeats - 1) / (n_repeats**2 * n_folds)
        bounds.append(v + c * r**2 * max(0.0, (own_s2 - own_q) / kept))
    return v, w, unguarded, max(unguarded, min(bounds))
