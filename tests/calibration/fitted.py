"""Sizes of the procedures for fitted models on one test set, on data whose truth is known."""

import numpy as np
from scipy.special import ndtri
from scipy.stats import norm, t

from skcvstats.test_set import DeLongTest, clustered_mean, delong_auc
from skcvstats.test_set._cluster_bootstrap import bca_pvalue, corrections
from skcvstats.test_set._delong import auc_scores

ALPHA = 0.05
AT_ONCE = 20  # pairs of models whose areas one call computes
_NAMED = {"labels": [f"model {k}" for k in range(AT_ONCE)], "metric": "roc_auc"}


def group_labels(n_groups, *, equal, n_rows=600):
    """Labels of groups: of one size, or one with a fifth of the rows and ever smaller ones."""
    if equal:
        return np.arange(n_rows) % n_groups
    shares = 1 / np.arange(1, n_groups + 1)
    sizes = np.maximum(1, np.floor(shares / shares.sum() * (n_rows - n_groups))).astype(int)
    return np.repeat(np.arange(n_groups), sizes)


def size_of_means(
    n_groups, correlation, *, equal, n_sets, n_rows=600, variances=("jackknife",), grouped=True
):
    """How often the mean of a difference is shown to differ from its true value, 0, by variance."""
    random = np.random.default_rng(0)
    groups = group_labels(n_groups, equal=equal, n_rows=n_rows)
    of_groups = random.normal(size=(n_sets, n_groups))[:, groups]
    rows = random.normal(size=(n_sets, len(groups)))
    x = np.sqrt(correlation) * of_groups + np.sqrt(1 - correlation) * rows
    sizes = []
    for variance in variances:
        found = clustered_mean(x, groups if grouped else None, variance=variance)
        statistic = np.abs(found.estimate / found.standard_error)
        sizes.append(float(np.mean(statistic > t.isf(ALPHA / 2, found.df))))
    return sizes


def size_of_delong(n, auc, n_sets, *, share=0.5, groups=None, correlation=0.0):
    """How often two equal areas are shown to differ, and how often one's interval misses it."""
    random = np.random.default_rng(0)
    y = (np.arange(n) < round(n * share)).astype(int)
    shift = np.sqrt(2) * ndtri(auc)
    critical = norm.isf(ALPHA / 2)
    shown = missed = 0
    for _ in range(n_sets // AT_ONCE):
        scores = []
        for _ in range(AT_ONCE):
            common = random.normal(size=n)
            own = random.normal(size=(2, n))
            if groups is not None:
                own = np.sqrt(1 - correlation) * own
                own += np.sqrt(correlation) * random.normal(size=(2, groups.max() + 1))[:, groups]
            scores += list(shift * y + np.sqrt(0.5) * common + np.sqrt(0.5) * own)
        found = delong_auc(y, scores, groups)
        areas, variances = found.estimate, np.diag(found.covariance)
        own = auc_scores(y, [[s] for s in scores[::2]], groups=groups, **_NAMED)
        missed += np.sum(DeLongTest(null_value=auc).run(own).pvalue < ALPHA)
        covariances = np.diag(found.covariance, 1)[::2]
        errors = np.sqrt(np.maximum(variances[::2] + variances[1::2] - 2 * covariances, 0.0))
        shown += np.sum(np.abs(areas[::2] - areas[1::2]) > critical * errors)
    return shown / n_sets, missed / n_sets


def draw_area(random, shape, auc, rarer, others, n_sets):
    """Scores of the positives and negatives of many test sets, with the rarer class given first."""
    if shape == "exponential":
        odds = (1 - auc) / auc
        return random.exponential(1 / odds, (n_sets, rarer)), random.exponential(
            1, (n_sets, others)
        )
    spread = {"normal": 1.0, "twice the spread": 2.0}[shape]
    shift = ndtri(auc) * np.sqrt(1 + spread**2)
    return random.normal(shift, spread, (n_sets, rarer)), random.normal(size=(n_sets, others))


def missed_areas(shape, auc, rarer, others, n_sets):
    """How often the interval of a single area misses it."""
    random = np.random.default_rng(0)
    scores = np.hstack(draw_area(random, shape, auc, rarer, others, n_sets))
    y = np.arange(rarer + others) < rarer
    labels = [f"model {k}" for k in range(n_sets)]
    found = auc_scores(y, [[row] for row in scores], labels=labels, metric="roc_auc")
    return float(np.mean(DeLongTest(null_value=auc).run(found).pvalue < ALPHA))


def size_of_f1(n, positives, n_sets, *, n_replicates=1000):
    """How often equal F1 of two classifiers are shown to differ by the BCa bootstrap.

    Rows that are alike are drawn together: their numbers in a replicate are multinomial.
    """
    random = np.random.default_rng(0)
    # truth, first, second: each right with probability .8, independently given the truth
    patterns = np.array([(y, a, b) for y in (0, 1) for a in (0, 1) for b in (0, 1)])
    y, calls = patterns[:, 0], patterns[:, 1:]
    right = np.where(calls == y[:, None], 0.8, 0.2).prod(axis=1)
    chances = np.where(y == 1, positives, 1 - positives) * right
    shown, n_defined = 0, 0
    for _ in range(n_sets):
        counts = random.multinomial(n, chances)
        values = _difference_of_f1(counts, y, calls)
        if not np.isfinite(values):
            continue
        replicates = _difference_of_f1(
            random.multinomial(n, counts / n, size=n_replicates), y, calls
        )
        replicates = replicates[np.isfinite(replicates)]
        there = np.flatnonzero(counts)
        left_out = _difference_of_f1(counts - np.eye(8, dtype=int)[there], y, calls)
        left_out = np.repeat(left_out, counts[there])
        bias, acceleration = corrections([values], replicates[None], left_out[None])
        pvalue = bca_pvalue(0.0, np.sort(replicates), bias[0], acceleration[0], "two-sided")
        n_defined += 1
        shown += bool(replicates.std() > 0 and pvalue < ALPHA)
    return shown / n_defined


def _difference_of_f1(counts, y, calls):
    f1 = []
    for k in (0, 1):
        tp = counts @ ((y == 1) & (calls[:, k] == 1)).astype(float)
        wrong = counts @ (y != calls[:, k]).astype(float)
        with np.errstate(invalid="ignore", divide="ignore"):
            f1.append(2 * tp / (2 * tp + wrong))
    return f1[0] - f1[1]
