"""``python -m benchmarks.seeds``: compare equal networks, count the claims, write the table."""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import RepeatedKFold
from sklearn.neural_network import MLPClassifier

from skcvstats import compare_estimators
from skcvstats.stats import corrected_resampled_ttest, error_rate_interval, row_ttest

RESULTS = Path(__file__).parent / "results" / "claims.csv"
N_ROWS, N_FOLDS, N_REPEATS = 200, 5, 4
# The same for all data sets, whose rows are in no order.
CV = RepeatedKFold(n_splits=N_FOLDS, n_repeats=N_REPEATS, random_state=0)


def draw(number: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw the rows of a data set, of two classes."""
    random_state = np.random.RandomState(number)
    X = random_state.normal(size=(N_ROWS, 5))
    y = X[:, 0] + X[:, 1] * X[:, 2] + random_state.normal(size=N_ROWS) > 0
    return X, y.astype(int)


def network(seed: int) -> MLPClassifier:
    """Return a small network that stops by a tenth of its training rows."""
    return MLPClassifier((8,), learning_rate_init=0.01, early_stopping=True, random_state=seed)


def differences(number: int, *, reseed: bool) -> np.ndarray:
    """Return the differences of two networks in each repeat, row by row."""
    models = {"first": network(2 * number), "second": network(2 * number + 1)}
    options = {"random_state": number, "reseed": True} if reseed else {}
    result = compare_estimators(models, *draw(number), cv=CV, method="row_t", **options)
    scores = result.scores.row_scores
    of_rows = np.empty((N_REPEATS, N_ROWS))
    of_rows[np.repeat(np.arange(N_REPEATS), N_ROWS), scores.rows] = np.subtract(*scores.values)
    return of_rows


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
    for reseed in (False, True):
        rows = np.stack([differences(number, reseed=reseed) for number in range(n_data_sets)])
        for n_repeats in (2, N_REPEATS):
            for test, found in pvalues(rows[:, :n_repeats]).items():
                rate = error_rate_interval(int((found < 0.05).sum()), n_data_sets, "exact")
                line = {
                    "seeds": "fresh in every fit" if reseed else "fixed",
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
    parser.add_argument("--data-sets", type=int, default=100)
    warnings.simplefilter("ignore")  # of the folds, and of networks that could go on
    table(parser.parse_args().data_sets).to_csv(RESULTS, index=False)


if __name__ == "__main__":
    main()
