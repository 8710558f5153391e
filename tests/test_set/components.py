"""Scores of fitted models on one test set, with the components that their tests work on."""

from skcvstats.test_set import _delong, _held_out, _mcnemar


def means_of(x, labels, **options):
    """Return the means of scores of rows, of shape (n_models, n_rows)."""
    return _held_out.mean_scores(x, labels=labels, metric="m", **options)


def areas_of(y, scores, labels, groups=None):
    """Return the areas under the ROC curve of scores of shape (n_models, n_rows)."""
    runs = [[row] for row in scores]
    return _delong.auc_scores(y, runs, labels=labels, metric="roc_auc", groups=groups)


def hits_of(is_right, labels):
    """Return the accuracies of models that are right on these rows, (n_models, n_rows)."""
    return _mcnemar.correct_scores(is_right, labels=labels, metric="accuracy")
