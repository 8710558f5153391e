"""Records of fits for `simulate`, from learners that predict all splits at once."""

import numpy as np

from skcvstats.fitting import FitRecord


def predicted(work, X, y, splits):
    """Yield the record of every learner on every split; all splits have the same sizes.

    Parameters
    ----------
    work : Workload
        Its estimators have ``predict_splits(X, y, train, test)``.
    X, y : ndarray
    splits : Splits
    """
    (metric,) = work.metrics
    made = list(splits.take(range(len(splits))))
    train = np.array([split.train for split in made])
    test = np.array([split.test for split in made])
    for e, learner in enumerate(work.estimators):
        guesses = learner.predict_splits(X, y, train, test)
        scores = metric.rows.score((y[test].ravel(), guesses.ravel())).reshape(test.shape)
        for k, rows in enumerate(scores):
            yield FitRecord(e, k, {metric.name: rows.mean()}, {metric.name: rows})
