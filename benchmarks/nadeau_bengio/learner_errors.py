"""Check the learners: their expected errors beside the report's intervals.

``python -m benchmarks.nadeau_bengio.learner_errors [n_data_sets]``, in the root of the repository.
"""

import sys

import numpy as np

from .designs import EVEN, USUAL
from .problems import PROBLEMS
from .tables import distinct_intervals

TABLES = {"regression": 2, "gaussians": 3, "letters": 4}
N_SPLITS = 25


def mean_losses(problem, sizes, n_data_sets, seed):
    """Return the mean loss of each learner on each data set, and that of A-B.

    Parameters
    ----------
    problem : Regression, Gaussians or Letters
    sizes : Sizes
    n_data_sets : int
    seed : int
        The same for the letters of every weight: the same data sets and splits.

    Returns
    -------
    dict of str to ndarray of shape (n_data_sets,)
    """
    means = {name: np.empty(n_data_sets) for name in ("A", "B", "A-B")}
    for k, child in enumerate(np.random.SeedSequence(seed).spawn(n_data_sets)):
        rng = np.random.default_rng(child)
        X, y = problem(rng)
        train, test = random_splits(rng, N_SPLITS, *sizes.of(len(y)))
        for name, learner in problem.learners.items():
            predicted = learner.predict_splits(X, y, train, test)
            means[name][k] = problem.loss(y[test], predicted).mean()
    means["A-B"] = means["A"] - means["B"]
    return means


def random_splits(rng, n_splits, n_train, n_test, pool):
    """Draw splits of the first `pool` rows.

    Parameters
    ----------
    rng : Generator
    n_splits, n_train, n_test, pool : int
    """
    rows = rng.permuted(np.tile(np.arange(pool), (n_splits, 1)), axis=1)
    return rows[:, :n_train], rows[:, n_train : n_train + n_test]


def main(n_data_sets=200):
    """Print every estimate, its standard error, the printed interval, and whether they agree."""
    print(f"{'problem':<12}{'n1':>5} {'':<4}{'estimate':>10}{'s.e.':>9}  printed")
    printed = {
        (interval.table, interval.simulation, interval.quantity): interval
        for interval in distinct_intervals()
        if interval.quantity.kind == "mean"
    }
    for name, simulations in PROBLEMS.items():
        for number, problem in simulations.items():
            for sizes in (EVEN, USUAL):
                means = mean_losses(problem, sizes, n_data_sets, seed=TABLES[name])
                for (table, simulation, quantity), interval in printed.items():
                    if (table, simulation, quantity.sizes) == (TABLES[name], number, sizes):
                        _report(f"{name} {number}", problem, interval, means)


def _report(title, problem, interval, means):
    values = means[interval.quantity.hypothesis]
    error = values.std(ddof=1) / np.sqrt(len(values))
    estimate = values.mean()
    agrees = interval.overlaps(estimate - 1.96 * error, estimate + 1.96 * error)
    print(
        f"{title:<12}{interval.quantity.sizes.of(problem.n_samples)[0]:>5} "
        f"{interval.quantity.hypothesis:<4}{estimate:>10.4f}{error:>9.4f}"
        f"  [{interval.low}, {interval.high}]{'' if agrees else '  apart'}"
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
