"""``python -m benchmarks.seeds``: compare equal networks, count the claims, write the table."""

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import RepeatedKFold

from skcvstats.stats import corrected_resampled_ttest, error_rate_interval, row_ttest

RESULTS = Path(__file__).parent / "results" / "claims.csv"
N_ROWS, N_FOLDS, N_REPEATS = 200, 5, 4
N_HIDDEN, N_STEPS, RATE = 8, 10, 0.5
# The same for all data sets, whose rows are in no order.
CV = RepeatedKFold(n_splits=N_FOLDS, n_repeats=N_REPEATS, random_state=0)


def draw(random_state: np.random.RandomState, n_data_sets: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw data sets with a constant and four columns, and two classes, 0 and 1."""
    X = random_state.normal(size=(n_data_sets, N_ROWS, 5))
    X[..., 0] = 1
    signal = X[..., 1] + X[..., 2] * X[..., 3]
    return X, (signal + random_state.normal(size=signal.shape) > 0).astype(float)


def starting_weights(random_state: np.random.RandomState, n_data_sets: int) -> tuple[Any, Any]:
    """Draw the weights with which a network begins on each data set."""
    inner = random_state.normal(size=(n_data_sets, 5, N_HIDDEN))
    return inner, random_state.normal(size=(n_data_sets, N_HIDDEN, 1))


def is_right(X: np.ndarray, y: np.ndarray, weights: tuple[Any, Any], test: np.ndarray) -> Any:
    """Train a network on each data set without the test rows; return on which of them it is right.

    It has a layer of tanh, and is trained by gradient descent on the log loss.
    """
    inner, outer = (part.copy() for part in weights)
    train = np.setdiff1d(np.arange(N_ROWS), test)
    rows, target = X[:, train], y[:, train, np.newaxis]
    for _ in range(N_STEPS):
        hidden = np.tanh(rows @ inner)
        slope = (1 / (1 + np.exp(-hidden @ outer)) - target) / train.size
        of_hidden = slope * np.swapaxes(outer, 1, 2) * (1 - hidden**2)
        outer -= RATE * np.swapaxes(hidden, 1, 2) @ slope
        inner -= RATE * np.swapaxes(rows, 1, 2) @ of_hidden
    predicted = (np.tanh(X[:, test] @ inner) @ outer)[..., 0] > 0
    return predicted == y[:, test]


def differences(n_data_sets: int, *, fresh_seeds: bool) -> np.ndarray:
    """Return the differences of two networks, by data set, repeat and row."""
    of_data, of_weights = (np.random.RandomState(seed) for seed in (0, 1))
    X, y = draw(of_data, n_data_sets)
    pair = [starting_weights(of_weights, n_data_sets) for _ in range(2)]
    found = np.empty((n_data_sets, N_REPEATS, N_ROWS))
    for k, (_, test) in enumerate(CV.split(np.zeros(N_ROWS))):
        if fresh_seeds:
            pair = [starting_weights(of_weights, n_data_sets) for _ in range(2)]
        first, second = (is_right(X, y, weights, test) for weights in pair)
        found[:, k // N_FOLDS, test] = first.astype(float) - second
    return found


def pvalues(rows: np.ndarray) -> dict[str, np.ndarray]:
    """Return the p-values of both tests, for arrays of shape (data sets, repeats, rows)."""
    n_repeats = rows.shape[1]
    tests = [test for _, test in CV.split(np.zeros(N_ROWS))][: n_repeats * N_FOLDS]
    folds = np.empty((n_repeats, N_ROWS), dtype=int)
    for k, test in enumerate(tests):
        folds[k // N_FOLDS, test] = k % N_FOLDS
    means = [rows[:, k // N_FOLDS, test].mean(axis=1) for k, test in enumerate(tests)]
    sizes = {"n_train": N_ROWS - len(tests[0]), "n_test": len(tests[0])}
    return {
        "corrected t": corrected_resampled_ttest(np.stack(means, axis=1), **sizes).pvalue,
        "row t": row_ttest(rows, n_folds=N_FOLDS, folds=folds).pvalue,
    }


def table(n_data_sets: int) -> pd.DataFrame:
    """Count the claims of a difference at the 5 % level."""
    lines = []
    for fresh_seeds in (False, True):
        rows = differences(n_data_sets, fresh_seeds=fresh_seeds)
        for n_repeats in (2, N_REPEATS):
            for test, found in pvalues(rows[:, :n_repeats]).items():
                rate = error_rate_interval(int((found < 0.05).sum()), n_data_sets, "exact")
                line = {
                    "seeds": "fresh in every fit" if fresh_seeds else "fixed",
                    "test": f"{test}, {n_repeats}x{N_FOLDS} folds",
                    "data sets": n_data_sets,
                    "claims": rate.estimate,
                    "low": rate.low,
                    "high": rate.high,
                }
                lines.append(line)
    return pd.DataFrame(lines).round(3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-sets", type=int, default=1000)
    table(parser.parse_args().data_sets).to_csv(RESULTS, index=False)


if __name__ == "__main__":
    main()
