"""What the study would cost as a loop of `cross_validate`: timed on a sample, and extrapolated."""

import time

import numpy as np
import pandas as pd
from sklearn.model_selection import cross_validate

from skcvstats import HalfSplitPairs
from skcvstats.model_selection import RepeatedTwoFold

from .designs import EVEN, HALF_SAMPLE, THROWN_AWAY, USUAL
from .problems import PROBLEMS
from .study import curves_of, root_of, splitter
from .tables import N_PAIRS, N_SPLITS, N_SPLITS_OF_PAIRS

_SAMPLE = 12  # splits of each kind


def naive_frame(names, n_timed=_SAMPLE):
    """Time `cross_validate` on a few splits of each kind, and extrapolate to a data set.

    Parameters
    ----------
    names : sequence of {"regression", "gaussians", "letters"}
    n_timed : int
        Splits of each kind that are timed.

    Returns
    -------
    DataFrame
        For each problem and simulation ``splits_shared``, the number of distinct splits of a data
        set, ``splits_separate``, those of all curves and designs with none shared,
        ``seconds_shared`` and ``seconds_separate``, the processor time for a data set.
    """
    rows = []
    for name in names:
        for simulation, problem in PROBLEMS[name].items():
            shared, separate = splits_of(name)
            seconds = seconds_per_split(problem, n_timed, root_of(name, simulation))
            rows.append(
                {
                    "problem": name,
                    "simulation": simulation,
                    "splits_shared": sum(shared.values()),
                    "splits_separate": sum(separate.values()),
                    "seconds_shared": sum(shared[kind] * seconds[kind] for kind in shared),
                    "seconds_separate": sum(separate[kind] * seconds[kind] for kind in separate),
                }
            )
    return pd.DataFrame(rows).round({"seconds_shared": 3, "seconds_separate": 3})


def splits_of(name):
    """Count the splits of a data set by kind, each once, and those of all curves and designs.

    Parameters
    ----------
    name : {"regression", "gaussians", "letters"}

    Returns
    -------
    shared, separate : dict
        By Sizes, and "two-fold".
    """
    plain = dict.fromkeys((EVEN, THROWN_AWAY, USUAL), N_SPLITS)
    separate = {**plain, HALF_SAMPLE: 2 * N_PAIRS * N_SPLITS_OF_PAIRS, "two-fold": 0}
    is_wanted = np.zeros((N_PAIRS, 2, 25), dtype=bool)
    is_wanted[:, :, :N_SPLITS_OF_PAIRS] = True
    for curve in curves_of(name):
        if curve.procedure == "five_by_two_cv_t":
            separate["two-fold"] += 10
            continue
        n_splits = 1 if curve.procedure == "holdout_t" else curve.n_splits
        n_splits *= curve.n_replicates + 1 if "bootstrap" in curve.procedure else 1
        plain[curve.sizes] = max(plain[curve.sizes], n_splits)
        separate[curve.sizes] += n_splits
        if curve.procedure == "conservative_z":
            separate[HALF_SAMPLE] += 2 * curve.n_pairs * curve.n_splits
            is_wanted[: curve.n_pairs, :, : curve.n_splits] = True
    return {**plain, HALF_SAMPLE: int(is_wanted.sum()), "two-fold": 10}, separate


def seconds_per_split(problem, n_timed, seed):
    """Return the processor time of both learners on a split of each kind.

    Parameters
    ----------
    problem : Regression, Gaussians or Letters
    n_timed : int
    seed : int
    """
    X, y = problem(seed)
    n = problem.n_samples
    splitters = {sizes: splitter(sizes, n, n_timed) for sizes in (EVEN, THROWN_AWAY, USUAL)}
    n_test = HALF_SAMPLE.of(n)[1]
    splitters[HALF_SAMPLE] = HalfSplitPairs(1, (n_timed + 1) // 2, test_size=n_test)
    splitters["two-fold"] = RepeatedTwoFold((n_timed + 1) // 2)
    found = {}
    for kind, cv in splitters.items():
        started = time.process_time()
        for learner in problem.learners.values():
            cross_validate(learner, X, y, cv=cv, scoring=problem.scoring, error_score="raise")
        found[kind] = (time.process_time() - started) / cv.get_n_splits(X, y)
    return found
