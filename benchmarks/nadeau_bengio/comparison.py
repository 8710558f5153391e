"""Tables 2, 3 and 4 beside ours: a row for each printed interval, and how far apart the two are."""

import numpy as np
import pandas as pd
from scipy.special import ndtri

from skcvstats.theory import exchangeable_moments

from .problems import PROBLEMS
from .study import design
from .tables import N_PAIRS, N_SPLITS, N_SPLITS_OF_PAIRS, distinct_intervals, printed_intervals

PARTS = {2: "regression", 3: "gaussians", 4: "letters"}
SYMBOLS = {"mean": "mu", "correlation": "rho", "r": "r"}
KEY = ["table", "simulation", "quantity", "algorithm", "design"]
Z = -ndtri(0.025)

# What a reproduction has to reach.
ENOUGH_OVERLAP = 0.975
FARTHEST = 4.0


def key_of(interval):
    """Return what identifies a printed interval: the values of `KEY`.

    Parameters
    ----------
    interval : PrintedInterval
    """
    quantity = interval.quantity
    where = {"mean": design(quantity.sizes).split(",")[0], "r": ""}.get(
        quantity.kind, design(quantity.sizes)
    )
    return (
        interval.table,
        interval.simulation,
        SYMBOLS[quantity.kind],
        quantity.hypothesis,
        where,
    )


def tables_frame(results):
    """Return our intervals beside the printed ones.

    Parameters
    ----------
    results : dict of (str, int) to SimulationResult
        By problem and simulation, as losses; those that are not there are left out.

    Returns
    -------
    DataFrame
        The columns of `KEY`, ``printed_low``, ``printed_high``, ``low``, ``high``, ``n_datasets``.
    """
    ours = {key: _moments(result) for key, result in results.items()}
    rows = []
    for interval in printed_intervals():
        found = ours.get((PARTS[interval.table], interval.simulation))
        if found is None:
            continue
        n_samples = PROBLEMS[PARTS[interval.table]][interval.simulation].n_samples
        quantity = interval.quantity
        n_train, n_test, pool = quantity.sizes.of(n_samples)
        whole = n_samples if quantity.kind == "r" else pool  # halves are drawn from all rows
        at = (quantity.kind, quantity.hypothesis, n_train, n_test, whole)
        low, high = (float(f"{end:.6g}") for end in found[at])
        n = results[PARTS[interval.table], interval.simulation].n_data_sets
        rows.append((*key_of(interval), interval.low, interval.high, low, high, n))
    return pd.DataFrame(
        rows, columns=[*KEY, "printed_low", "printed_high", "low", "high", "n_datasets"]
    )


def _moments(result):
    """Return the intervals of a simulation's moments, from as many splits as in the report."""
    found = {}
    for splits, values in zip(result.designs, result.measurements, strict=True):
        if splits.levels[0] == "pair":
            if splits.shape != (N_PAIRS, 2, N_SPLITS_OF_PAIRS):
                continue  # those of the figures
            kept, names = values**2, {"r": "correlation"}
        else:
            kept, names = values[..., :N_SPLITS], {"mean": "mean", "correlation": "correlation"}
        sizes = (splits.train_size, splits.test_size, splits.n_samples)
        for h, hypothesis in enumerate(result.hypotheses):
            moments = exchangeable_moments(kept[:, h])
            for name, parameter in names.items():
                interval = moments.confidence_interval(parameter, 0.95)
                found[name, hypothesis, *sizes] = tuple(interval)
    return found


def compare(frame):
    """Say of each row whether the intervals overlap, and how far apart they are.

    Parameters
    ----------
    frame : DataFrame
        As `tables_frame` gives it.

    Returns
    -------
    DataFrame
        The same with ``overlap``; ``distance``, that of the midpoints in standard errors of their
        difference, positive where ours is greater; and ``distinct``, false where the same
        simulation is printed again.

    Notes
    -----
    The printed ends are widened by half their last digit. Standard errors are half the widths over
    1.96.
    """
    printed = {key_of(interval): interval for interval in printed_intervals()}
    found = [printed[key] for key in frame[KEY].fillna("").itertuples(index=False, name=None)]
    rounding = np.array([interval.rounding for interval in found])
    errors = [
        (frame["printed_high"] - frame["printed_low"]) / 2 + rounding,
        (frame["high"] - frame["low"]) / 2,
    ]
    middles = (frame["low"] + frame["high"]) - (frame["printed_low"] + frame["printed_high"])
    distinct = {key_of(interval) for interval in distinct_intervals()}
    return frame.assign(
        overlap=[
            interval.overlaps(low, high)
            for interval, low, high in zip(found, frame["low"], frame["high"], strict=True)
        ],
        distance=middles / 2 / (np.hypot(*errors) / Z),
        distinct=[key_of(interval) in distinct for interval in found],
    )


def combined_distances(compared):
    """Return, for each quantity, how far its simulations are off together.

    Parameters
    ----------
    compared : DataFrame
        As `compare` gives it.

    Returns
    -------
    DataFrame
        ``n`` simulations, how many of them ``missed`` from above and from below at most
        (``same_sign``), and ``distance``: the sum over the root of n, or for the letters, whose
        simulations share their data sets, the mean.
    """
    rows = []
    for key, group in compared[compared["distinct"]].groupby(
        ["table", "quantity", "algorithm", "design"], dropna=False, sort=False
    ):
        distance = group["distance"]
        misses = distance[~group["overlap"]]
        same_sign = max((misses > 0).sum(), (misses < 0).sum())
        root = len(group) if key[0] == 4 else np.sqrt(len(group))
        rows.append((*key, len(group), len(misses), same_sign, distance.sum() / root))
    columns = ["table", "quantity", "algorithm", "design", "n", "missed", "same_sign", "distance"]
    return pd.DataFrame(rows, columns=columns)


def shortcomings(frame):
    """Return what keeps the intervals from being a reproduction, in words; nothing if they are one.

    Parameters
    ----------
    frame : DataFrame
        As `tables_frame` gives it.

    Returns
    -------
    list of str
    """
    compared = compare(frame)
    distinct = compared[compared["distinct"]]
    faults = []
    if distinct["overlap"].mean() < ENOUGH_OVERLAP:
        faults.append(f"only {distinct['overlap'].sum()} of {len(distinct)} intervals overlap")
    for row in distinct[distinct["distance"].abs() > FARTHEST].itertuples():
        faults.append(f"{_name(row)} is {row.distance:.1f} standard errors off")
    combined = combined_distances(compared)
    together = (combined["same_sign"] > 1) | (combined["distance"].abs() > FARTHEST)
    for row in combined[together].itertuples():
        faults.append(
            f"{_name(row)} is off with the same sign in {row.same_sign} of {row.n} simulations, by "
            f"{row.distance:.1f} standard errors together"
        )
    return faults


def _name(row):
    simulation = f", simulation {row.simulation}" if hasattr(row, "simulation") else ""
    return f"table {row.table}{simulation}: {row.quantity} of {row.algorithm} {row.design}".strip()
