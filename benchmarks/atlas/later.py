"""A procedure that came when the table was there: on the first data sets of each setting.

Rows and folds are those of the table; fitted are only the folds that the procedure needs. It is
judged at the true values of the table, those of the row t-test on the same folds, and its length
is that of the row t-test there, times the ratio of both on these data sets.
"""

import time
import warnings

import numpy as np
import pandas as pd
import sklearn

from . import cells, figures, rule, running, simulation
from .populations_that_break import EVERY
from .procedures import BY_DESIGN, CAREFUL, COMPARATOR, ROW_T

NAMES = (ROW_T, CAREFUL)
TIERS = (1, 2, 3, 6, 7, 8, 9, 10)
FOLDER = running.CACHE / "later"
COMPARED = cells.HERE / "results" / "later.csv"  # both on the same data sets
_ROUND = 10  # data sets
_CELL = ["metric", "a", "b"]


def run(settings, minutes=np.inf, say=print):
    """Compute ten data sets of each setting, then ten more of each, until the time is over.

    What is computed is kept on disk; see `add`.
    """
    ends, start = time.monotonic() + 60 * minutes, 0
    most = pd.read_csv(running.COSTS).set_index("setting")["data_sets"]
    settings = [one for one in settings if one.tier in TIERS]
    FOLDER.mkdir(parents=True, exist_ok=True)
    while any(start < most[one.name] for one in settings):
        numbers = range(start, start + _ROUND)
        for setting in settings:
            path = _file(setting, start)
            if start >= most[setting.name] or path.is_file():
                continue
            if time.monotonic() > ends or running.STOP.exists():
                return say(f"{start} data sets of each setting are there")
            part = path.with_suffix(".part.npz")
            np.savez_compressed(part, answers=_answers(setting, numbers))
            part.rename(path)
        start = numbers.stop
        say(f"{start} data sets of each setting, {time.process_time():.0f} s of a processor")
    return None


def _file(setting, start):
    return FOLDER / f"{setting.name.replace(', ', '-').replace(' ', '_')}-{start}.npz"


def _answers(setting, numbers):
    with sklearn.config_context(skip_parameter_validation=True, assume_finite=True):
        found = [simulation.answer_of_folds(setting, number, NAMES) for number in numbers]
    return np.float32(found)


def add(settings):
    """Add the procedure to the table, on as many data sets as each of the settings has by now."""
    settings = [one for one in settings if one.tier in TIERS]
    known = {}
    for setting in settings:
        starts, start = [], 0
        while _file(setting, start).is_file():
            starts.append(start)
            start += _ROUND
        known[setting.name] = starts
    n_rounds = min(map(len, known.values()))
    if not n_rounds:
        raise SystemExit("Some settings have no data sets of this procedure yet.")
    table, found = running.read(), {}
    for setting in settings:
        files = [np.load(_file(setting, start)) for start in known[setting.name][:n_rounds]]
        answers = np.concatenate([one["answers"] for one in files]).astype(float)
        stored = table[table["setting"] == setting.name]
        found[setting.name] = {name: rows_of(setting, answers, stored, name) for name in NAMES}
    running.put(CAREFUL, {name: both[CAREFUL] for name, both in found.items()})
    every = pd.concat([rows for both in found.values() for rows in both.values()])
    _write_compared(rule.of_metrics(every))


def _write_compared(every):
    """Write the mean misses of both procedures on the same data sets."""
    mean = every.groupby(["of", "what", "procedure"])["size"].mean().unstack()[[*NAMES]]
    mean.round(4).to_csv(COMPARED)


def rows_of(setting, answers, stored, name=CAREFUL):
    """Return the rows of the table of a setting, of the procedure that came later.

    Parameters
    ----------
    setting : Setting
    answers : ndarray of shape (n_data_sets, 2, 6, n_targets)
        Of the row t-test and of the procedure, as `simulation.answer_of_folds` returns them.
    stored : DataFrame
        The rows of the table of the setting.
    name : str
        `ROW_T` gives its rows on the same data sets, to compare both.

    Returns
    -------
    DataFrame
    """
    targets = simulation.ordered_targets(setting)
    keys = [(t.metric, t.a, t.b) for t in targets]
    of = {
        name: stored[stored["procedure"] == name].set_index(_CELL).reindex(keys)
        for name in (ROW_T, COMPARATOR)
    }
    row_t, effect = of[ROW_T], of[COMPARATOR]["standard_error"].to_numpy(float)
    truths = [row_t[name].to_numpy(float) for name in ("truth", "truth_error")]
    factor = EVERY[setting.population].finite_factor(setting.n_rows)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # means of nothing, where an answer is not defined
        own = answers[:, NAMES.index(name)]
        found = figures.figures(own, answers[:, 0], *truths, factor, effect)
    longer, longer_error = found["length"], found["length_error"]
    length, error = (row_t[name].to_numpy(float) for name in ("length", "length_error"))
    found["length"] = longer * length
    found["length_error"] = np.hypot(longer_error * length, longer * error)
    fits = BY_DESIGN[setting.design][name].fits
    frame = pd.DataFrame({"procedure": name, "fits": fits, **found})
    table = pd.concat([figures.labels(setting, targets), frame], axis=1)
    table = table.assign(setting=setting.name, drawn=len(answers)).reindex(columns=figures.COLUMNS)
    there = row_t["truth"].notna().to_numpy()
    return figures.rounded(
        table[there & (table["data_sets"] >= figures.LEAST_DEFINED * len(answers))]
    )
