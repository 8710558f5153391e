"""Estimators that are equally good and really refitted: least squares on like inputs."""

import warnings

import numpy as np

from skcvstats import CVScores, RepeatedSubsampleSplit, SplitDesign, compare_scores

N_SPLITS = 15


def random_inputs(seed, n_estimators, n_rows=600):
    """Compare least squares on four of ten inputs, which the seed of each estimator chooses."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 10))
    y = X.sum(axis=1) + rng.normal(size=n_rows)
    chosen = [rng.permutation(10)[:4] for _ in range(n_estimators)]
    features = np.stack([X[:, inputs] for inputs in chosen])[:, np.newaxis]
    return _least_squares(features, y, seed)


def _least_squares(features, y, seed):
    """Fit and score all estimators on all splits at once, and compare them.

    Parameters
    ----------
    features : ndarray of shape (n_estimators, n_splits or 1, n_rows, n_features)
    y : ndarray of shape (n_rows,)
    seed : int
    """
    cv = RepeatedSubsampleSplit(N_SPLITS, test_size=0.1, random_state=seed)
    trained, tested = np.zeros((2, N_SPLITS, len(y)))
    for k, (train, test) in enumerate(cv.split(y)):
        trained[k, train] = 1
        tested[k, test] = 1
    weighted = (features * trained[:, :, np.newaxis]).swapaxes(-1, -2)
    slightly = 1e-6 * np.eye(features.shape[-1])
    coefficients = np.linalg.solve(weighted @ features + slightly, weighted @ y[:, np.newaxis])
    errors = (y - (features @ coefficients)[..., 0]) ** 2
    scores = -(errors * tested).sum(axis=-1) / tested.sum(axis=-1)
    return _compare(scores, cv, y, "neg_mse")


def _compare(scores, cv, y, metric):
    names = tuple(f"seed {k}" for k in range(len(scores)))
    design = SplitDesign.from_splitter(cv, y[:, np.newaxis], y)
    found = CVScores(values=scores, design=design, labels=names, metric=metric)
    return compare_scores(found, adjustment="max_t")


def any_claim(compare, n_estimators, n_data_sets, seed=0):
    """Return in how many data sets some two of equal estimators are shown to differ.

    And in how many the first is missing from the best set.
    """
    count = missed = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for k in range(n_data_sets):
            result = compare(seed + k, n_estimators)
            count += any(pair.outcome in ("higher", "lower") for pair in result)
            missed += "seed 0" not in result.best_set()
    return count, missed
