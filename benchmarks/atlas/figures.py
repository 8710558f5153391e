"""The figures of cells: from the answers on all data sets of a setting to rows of the table."""

import warnings

import numpy as np
import pandas as pd

from . import any_metric, procedures, simulation
from .populations_that_break import EVERY

LEAST_DEFINED = 0.9  # of the data sets
_DIGITS = 4
_OF_CELL = ["metric", "a", "b", "kind", "procedure"]
_COUNTS = ["drawn", "data_sets", "undetermined", "missed_95", "missed_90"]
_COUNTS += ["power_2", "power_3", "repeated", "flips"]
_ERRORS = ["truth_error", "variance_ratio_error", "length_error"]
WHOLE = ["fits", *_COUNTS[:5], "repeated"]
COLUMNS = ["setting", "tier", "population", "n_rows", "kept_apart", *_OF_CELL, "fits", *_COUNTS[:2]]
COLUMNS += ["undetermined", "truth", "truth_error", "missed_95", "missed_90", "standard_error"]
COLUMNS += ["variance_ratio", "variance_ratio_error", "mean_length", "length", "length_error"]
COLUMNS += ["power_2", "power_3", "repeated", "flips"]
_NUMBERS = COLUMNS[COLUMNS.index("fits") + 1 :]


def true_values(own, fresh, is_null):
    """Return the true values and their errors, from two means on each data set.

    Parameters
    ----------
    own, fresh : ndarray of shape (n_data_sets, n_targets)
        Both have the true value as their expectation; the best mixture is taken.
    is_null : ndarray of bool of shape (n_targets,)
        Where the true value is 0 by symmetry.
    """
    apart = own - fresh
    with np.errstate(invalid="ignore", divide="ignore"):
        off = apart - np.nanmean(apart, axis=0)
        share = np.nanmean((fresh - np.nanmean(fresh, axis=0)) * off, axis=0)
        share = np.clip(-share / np.nanmean(off**2, axis=0), 0, 1)  # of the own mean
    share = np.where(np.isfinite(share), share, 1.0)
    mixed = np.where(share == 1, own, fresh + share * apart)
    n = np.isfinite(mixed).sum(axis=0)
    error = np.nanstd(mixed, axis=0, ddof=1) / np.sqrt(n)
    return np.where(is_null, 0.0, np.nanmean(mixed, axis=0)), np.where(is_null, 0.0, error)


def _shares(estimates, halves, is_told, truths, effect):
    """Return whether a false value is rejected that is an effect below, above the true one."""
    off = estimates - truths
    return np.stack([(off + effect > halves) & is_told, (effect - off > halves) & is_told])


def figures(answers, comparator, truths, truth_errors, factor, effect=None):
    """Return the figures of one procedure, as arrays over targets.

    Parameters
    ----------
    answers, comparator : ndarray of shape (n_data_sets, 6, n_targets)
        As `simulation.answer` returns them, of the procedure and of the comparator.
    truths, truth_errors : ndarray of shape (n_targets,)
    factor : float
        What a finite pool leaves of the variance.
    effect : ndarray of shape (n_targets,), default=None
        Power is at two and three of it; None is the standard error of the comparator's estimate.
    """
    estimates, errors, half, half_90, again, half_again = answers.swapaxes(0, 1)
    defined = np.isfinite(estimates)
    n = defined.sum(axis=0)
    is_told = defined & (errors != 0)  # else undetermined: nothing is claimed
    half, half_90, half_again = (h * np.sqrt(factor) for h in (half, half_90, half_again))
    off = np.abs(estimates - truths)
    if effect is None:
        effect = np.nanstd(comparator[:, 0], axis=0, ddof=1)
    powers = [_shares(estimates, half, is_told, truths, k * effect) for k in (2, 3)]
    later = _shares(again, half_again, is_told, truths, 2 * effect)
    repeated = np.isfinite(again) & defined
    flips = np.where(repeated, powers[0] != later, False).sum(axis=(0, 1)) / 2
    squares = np.square(estimates - np.nanmean(estimates, axis=0)) * n / np.maximum(n - 1, 1)
    ratio, ratio_error = _ratio(squares, factor * np.square(errors))
    length, length_error = _ratio(np.maximum(half, 0), comparator[:, 2] * np.sqrt(factor))
    return {
        "data_sets": n,
        "undetermined": (defined & (errors == 0)).sum(axis=0),
        "truth": truths,
        "truth_error": truth_errors,
        "missed_95": (is_told & (off > half)).sum(axis=0),
        "missed_90": (is_told & (off > half_90)).sum(axis=0),
        "standard_error": np.sqrt(np.nanmean(squares, axis=0)),
        "variance_ratio": ratio,
        "variance_ratio_error": ratio_error,
        "mean_length": 2 * np.nanmean(np.maximum(half, 0), axis=0),
        "length": length,
        "length_error": length_error,
        "power_2": powers[0].sum(axis=(0, 1)) / 2,
        "power_3": powers[1].sum(axis=(0, 1)) / 2,
        "repeated": repeated.sum(axis=0),
        "flips": flips,
    }


def _ratio(above, below):
    """Return the ratio of two means over data sets, and its error."""
    both = np.isfinite(above) & np.isfinite(below)
    above, below = np.where(both, above, np.nan), np.where(both, below, np.nan)
    mean, n = np.nanmean(below, axis=0), both.sum(axis=0)
    mean = np.where(mean > 0, mean, np.nan)
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = np.nanmean(above, axis=0) / mean
        error = np.nanstd(above - ratio * below, axis=0, ddof=1) / (mean * np.sqrt(n))
    return ratio, error


def table_of(setting, answers, truths):
    """Return the rows of the table: one for each target and procedure of a setting.

    Parameters
    ----------
    setting : Setting
    answers : ndarray of shape (n_data_sets, n_procedures, 6, n_targets)
    truths : ndarray of shape (n_data_sets, n_sizes, 2, n_targets)
    """
    targets, sizes = simulation.ordered_targets(setting), simulation.sizes_of(setting)
    entries = procedures.BY_DESIGN[setting.design]
    population = EVERY[setting.population]
    factor = population.finite_factor(setting.n_rows)
    is_null = np.array([t.kind == "null" for t in targets])
    comparator = answers[:, list(entries).index(procedures.COMPARATOR)].astype(float)
    frames = []
    for k, (name, entry) in enumerate(entries.items()):
        own, fresh = truths[:, sizes.index(entry.size)].astype(float).swapaxes(0, 1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # means of nothing, where an answer is not defined
            if entry.size == "1" or population.has_copies:
                own = fresh
            elif population.groups or setting.design == any_metric.DESIGN:
                # What is estimated depends on how groups are weighed, and on the size of test sets.
                own = fresh = answers[:, k, 0].astype(float)
            known = true_values(own, fresh, is_null)
            found = figures(answers[:, k].astype(float), comparator, *known, factor)
        frame = pd.DataFrame({"procedure": name, "fits": entry.fits, **found})
        frames.append(pd.concat([labels(setting, targets), frame], axis=1))
    table = pd.concat(frames, ignore_index=True)
    return rounded(table[table["data_sets"] >= LEAST_DEFINED * len(answers)])


def rounded(table):
    """Return the table with four digits of what is no count."""
    numbers = table.select_dtypes("float").columns.difference(_COUNTS)
    return table.assign(**table[numbers].map(lambda x: float(f"{x:.{_DIGITS}g}")))


def pooled(first, second):
    """Return the rows of a setting's data sets, from those of two parts of them.

    Counts add up. Means, also those above and below a ratio, are weighted by the data sets, and so
    are errors, squared. Misses were counted at each part's own true value, unless all pieces are
    at hand, from which a setting is then made anew.

    Parameters
    ----------
    first, second : DataFrame
        As `table_of` returns them, with the column "drawn". A cell must be in both.
    """
    both = first.merge(second[[*_OF_CELL, *_NUMBERS]], on=_OF_CELL, suffixes=("", "_2"))
    n = [both[f"data_sets{k}"] for k in ("", "_2")]
    share = n[1] / (n[0] + n[1])
    found = {name: both[name] + both[f"{name}_2"] for name in _COUNTS}

    def mean(of):
        parts = [of({name: both[name + k] for name in _NUMBERS}) for k in ("", "_2")]
        return parts[0] * (1 - share) + parts[1] * share

    def square(one):
        return one["standard_error"] ** 2

    found |= {name: mean(lambda one, name=name: one[name]) for name in ("truth", "mean_length")}
    found["standard_error"] = np.sqrt(mean(square))
    below = {
        "variance_ratio": lambda one: square(one) / one["variance_ratio"].replace(0, np.nan),
        "length": lambda one: one["mean_length"] / one["length"].replace(0, np.nan),
    }
    found["variance_ratio"] = mean(square) / mean(below["variance_ratio"])
    found["length"] = found["mean_length"] / mean(below["length"])
    for name in _ERRORS:
        found[name] = np.hypot(both[name] * (1 - share), both[f"{name}_2"] * share)
    return rounded(both[list(first)].assign(**found))


def labels(setting, targets):
    """Return the columns of the table that say what the cells of a setting are."""
    common = {
        "setting": setting.name,
        "tier": setting.tier,
        "population": setting.population,
        "n_rows": setting.n_rows,
        "kept_apart": setting.is_kept,
    }
    each = [{"metric": t.metric, "a": t.a, "b": t.b, "kind": t.kind} for t in targets]
    return pd.DataFrame([{**common, **one} for one in each])
