"""``python -m benchmarks.tukey_over_folds``: simulate, count false claims, write the table."""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import RepeatedKFold

from skcvstats import CVScores, compare_estimators, compare_scores
from skcvstats.stats import error_rate_interval

from .models import LEARNERS, draw, models
from .tukey import repeated_measures_tukey

RESULTS = Path(__file__).parent / "results" / "false_claims.csv"
NUMBERS_OF_MODELS = (2, 3, 5)
METHODS = ("Tukey", "corrected, max-t")


def compared(learner: str, number: int) -> CVScores:
    """Return the scores of five equally good models on one data set, over 5 x 5 folds."""
    of_data, of_folds = map(int, np.random.SeedSequence(number).generate_state(2))
    X, y = draw(np.random.RandomState(of_data))
    folds = RepeatedKFold(n_splits=5, n_repeats=5, random_state=of_folds)
    result = compare_estimators(
        models(learner), X, y, cv=folds, scoring="neg_mean_absolute_error", adjustment="none"
    )
    return result.scores


def false_claims(scores: CVScores, n_models: int) -> tuple[bool, bool]:
    """Return whether Tukey's test, and whether we, claim a difference of the first models."""
    some = scores.values[:n_models]
    tukey = repeated_measures_tukey(some.T).claims()
    # Adjusted p-values are never below those of the pairs, which take no time.
    ours = all(
        any(pair.pvalue_adjusted <= 0.05 for pair in found)
        for found in (
            compare_scores(some, design=scores.design, adjustment=adjustment)
            for adjustment in ("none", "max_t")
        )
    )
    return bool(tukey), ours


def rows(learner: str, n_data_sets: int) -> list[dict]:
    """Count the data sets with a false claim, by number of models and method."""
    claims = np.array(
        [
            [false_claims(scores, n_models) for n_models in NUMBERS_OF_MODELS]
            for scores in (compared(learner, number) for number in range(n_data_sets))
        ]
    )
    rates = error_rate_interval(claims.sum(axis=0), n_data_sets, "exact")
    return [
        {
            "learner": learner,
            "models": n_models,
            "method": method,
            "data_sets": n_data_sets,
            "rate": rates.estimate[k, m],
            "low": rates.low[k, m],
            "high": rates.high[k, m],
        }
        for k, n_models in enumerate(NUMBERS_OF_MODELS)
        for m, method in enumerate(METHODS)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-sets", type=int, default=1000)
    n_data_sets = parser.parse_args().data_sets
    table: list[dict] = []
    for learner in LEARNERS:
        table += rows(learner, n_data_sets)
        pd.DataFrame(table).round(4).to_csv(RESULTS, index=False)
        print(pd.DataFrame(table).tail(2 * len(NUMBERS_OF_MODELS)).to_string(index=False))


if __name__ == "__main__":
    main()
