"""Scores of fitted models on one test set, with the components that their tests work on."""

import warnings

import numpy as np

from skcvstats import compare_losses
from skcvstats.test_set import _bootstrap, _delong, _mcnemar


def means_of(x, labels, **options):
    """Return the means of scores of rows, of shape (n_models, n_rows)."""
    rows = dict(zip(labels, x, strict=True))
    with warnings.catch_warnings(action="ignore"):
        result = compare_losses(rows, metric="m", greater_is_better=True, **options)
    return result.scores


def areas_of(y, scores, labels, groups=None):
    """Return the areas under the ROC curve of scores of shape (n_models, n_rows)."""
    runs = [[row] for row in scores]
    return _delong.auc_scores(y, runs, labels=labels, metric="roc_auc", groups=groups)


def hits_of(is_right, labels):
    """Return the accuracies of models that are right on these rows, (n_models, n_rows)."""
    return _mcnemar.correct_scores(is_right, labels=labels, metric="accuracy")


def bootstrap_scores_of(values, replicates, left_out, *, n_rows, n_groups, grouped, metric):
    """Return scores of models with their values in samples, and without each group."""
    labels = tuple("ab"[: len(values)])
    facts = {"n_groups": n_groups, "grouped": grouped, "stratified": False}
    return _bootstrap.bootstrap_scores(
        np.asarray(values, dtype=float),
        np.asarray(replicates, dtype=float),
        left_out,
        labels=labels,
        metric=metric,
        n_rows=n_rows,
        facts=facts,
    )


def bca_pvalue_of(null_value, value, replicates, left_out):
    """Return the two-sided p-value of the BCa bootstrap of one model."""
    bias, acceleration = _bootstrap.corrections([value], replicates[None], left_out[None])
    ascending = np.sort(replicates)
    return _bootstrap.bca_pvalue(null_value, ascending, bias[0], acceleration[0], "two-sided")
