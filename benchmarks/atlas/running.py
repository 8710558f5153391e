"""Running the atlas in pieces that are kept on disk, so that it can be stopped and goes on."""

import gzip
import io
import os
import time
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import sklearn
from scipy import stats as laws

from . import cells, families, figures, populations, simulation

TABLE, COSTS = (cells.HERE / "results" / name for name in ("atlas.csv.gz", "costs.csv"))
CACHE = Path(os.environ.get("SKCVSTATS_ATLAS_CACHE", cells.HERE / ".cache"))
STOP = CACHE / "stop"  # a file: while it is there, nothing new is begun
_MOST_HOURS = 22.0  # of one core, for everything
_PIECE_SECONDS = 60.0
_FEWEST_DATA_SETS = 100
_QUICK_ROWS = 100


def read():
    """Return the table of all cells that are finished; empty if there is none yet."""
    if not TABLE.is_file():
        return pd.DataFrame({"setting": []})
    return pd.read_csv(TABLE, low_memory=False).fillna({"b": ""})


def write_costs(settings, say=print):
    """Time two data sets of each setting, and write what all will cost; see `cut`."""
    known = pd.read_csv(COSTS).set_index("setting") if COSTS.is_file() else None
    rows = []
    for setting in settings:
        if known is not None and setting.name in known.index:
            rows.append({"setting": setting.name, **known.loc[setting.name]})
            continue
        _answers(setting, [0])  # reads the pool, warms up
        started = time.process_time()
        _answers(setting, [1, 2])
        seconds = (time.process_time() - started) / 2
        cost = {"seconds": round(seconds, 3), "wanted": setting.n_data_sets}
        rows.append({"setting": setting.name, **cost, "data_sets": setting.n_data_sets})
        say(f"{setting.name}: {seconds:.2f} s a data set")
        COSTS.parent.mkdir(parents=True, exist_ok=True)
        pd.DataFrame(rows).to_csv(COSTS.with_suffix(".part"), index=False)
    frame = cut(pd.DataFrame(rows), set(read()["setting"]))
    frame["hours"] = (frame["seconds"] * frame["data_sets"] / 3600).round(2)
    frame.to_csv(COSTS, index=False)
    COSTS.with_suffix(".part").unlink(missing_ok=True)
    return frame


def cut(costs, finished):
    """Halve the data sets of the dearest settings until all cost at most 22 hours of a core.

    Finished settings stay as they are, and each keeps at least 100 data sets.
    """
    costs = costs.copy()
    while (costs["seconds"] * costs["data_sets"]).sum() > 3600 * _MOST_HOURS:
        can = ~costs["setting"].isin(finished) & (costs["data_sets"] >= 2 * _FEWEST_DATA_SETS)
        if not can.any():
            raise ValueError(f"All settings cost more than {_MOST_HOURS} hours; leave some out.")
        dearest = (costs["seconds"] * costs["data_sets"]).where(can).idxmax()
        costs.loc[dearest, "data_sets"] //= 2
    return costs


def _of(setting):
    """Return the module that answers for a setting."""
    return families if setting.design == "family" else simulation


def _answers(setting, numbers):
    """Return the answers and truths of some data sets."""
    with sklearn.config_context(skip_parameter_validation=True):
        answers, truths = zip(*(_of(setting).answer(setting, d) for d in numbers), strict=True)
    return np.float32(answers), np.stack(truths)


def _piece(setting, numbers, folder):
    """Compute some data sets of a setting, unless stopped; return the processor time."""
    if STOP.exists():
        return None
    started = time.process_time()
    answers, truths = _answers(setting, numbers)
    part = folder / f"{numbers[0]}.part.npz"
    np.savez_compressed(part, answers=answers, truths=truths)
    part.rename(folder / f"{numbers[0]}.npz")
    return time.process_time() - started


def pieces_of(setting, costs):
    """Return the folder of a setting's pieces, and its pieces as ranges of data sets."""
    cost = costs.loc[setting.name]
    size = int(np.clip(_PIECE_SECONDS // cost["seconds"], 1, 50))
    numbers = range(int(cost["data_sets"]))
    folder = CACHE / setting.name.replace(", ", "-").replace(" ", "_")
    return folder, [numbers[start : start + size] for start in range(0, len(numbers), size)]


def run(settings, n_jobs=1, minutes=np.inf, say=print):
    """Compute what is not there yet, setting after setting, until the time is over.

    Parameters
    ----------
    settings : sequence of Setting
    n_jobs : int, default=1
        Ignored inside ``joblib.parallel_config`` of another backend.
    minutes : float, default=inf
        After which no further piece is begun.
    say : callable, default=print

    Returns
    -------
    bool
        Whether all is finished.
    """
    costs, ends = pd.read_csv(COSTS).set_index("setting"), time.monotonic() + 60 * minutes
    done, pace = set(read()["setting"]), 1.0
    seconds = costs["seconds"] * costs["data_sets"]
    left = [one for one in settings if one.name not in done]
    for k, setting in enumerate(left):
        folder, pieces = pieces_of(setting, costs)
        folder.mkdir(parents=True, exist_ok=True)
        todo = [piece for piece in pieces if not (folder / f"{piece[0]}.npz").is_file()]
        later = sum(seconds[one.name] for one in left[k + 1 :])
        while todo:
            if STOP.exists() or time.monotonic() > ends:
                say("stopped" if STOP.exists() else "the time is over")
                return False
            some, todo = todo[: 4 * abs(n_jobs)], todo[4 * abs(n_jobs) :]
            jobs = (joblib.delayed(_piece)(setting, piece, folder) for piece in some)
            spent = joblib.Parallel(n_jobs=n_jobs)(jobs)
            if None not in spent:
                expected = sum(map(len, some)) * costs["seconds"][setting.name]
                pace = 0.7 * pace + 0.3 * sum(spent) / expected
            hours = (later + sum(map(len, todo)) * costs["seconds"][setting.name]) * pace / 3600
            say(f"{setting.name}: {len(todo)} pieces left; in all {hours:.1f} hours of a core")
        append(setting, folder, pieces)
    return True


def load(folder, pieces):
    """Return the answers and truths of all pieces."""
    found = [np.load(folder / f"{piece[0]}.npz") for piece in pieces]
    return [np.concatenate([one[name] for one in found]) for name in ("answers", "truths")]


def append(setting, folder, pieces):
    """Append the cells of a setting to the table, as a further member of the compressed file."""
    text = io.StringIO()
    is_first = not TABLE.is_file()
    makes = families if setting.design == "family" else figures
    table = makes.table_of(setting, *load(folder, pieces))
    if not is_first:
        table = table.reindex(columns=pd.read_csv(TABLE, nrows=0).columns)
    table.to_csv(text, index=False, header=is_first)
    before = b"" if is_first else TABLE.read_bytes()
    part = TABLE.with_suffix(".part")
    part.write_bytes(before + gzip.compress(text.getvalue().encode(), mtime=0))
    part.replace(TABLE)


def quick(say=print, n_data_sets=60, n_settings=3):
    """Compute the first data sets of a few generated settings again, and compare with the table.

    Returns
    -------
    list of str
        What differs by more than chance allows: misses, as the first of the data sets are a sample
        of all without replacement, true values, lengths. Empty where all agree.
    """
    stored, found = read(), []
    finished = {*stored["setting"]}
    chosen = [
        one
        for one in cells.settings()
        if (one.tier, one.n_rows, one.is_kept) == (1, _QUICK_ROWS, False)
        and one.name in finished
        and not populations.ALL[one.population].is_real
    ]
    keys = ["procedure", "metric", "a", "b"]
    for setting in chosen[:n_settings]:
        table = figures.table_of(setting, *_answers(setting, range(n_data_sets)))
        both = table.merge(
            stored[stored["setting"] == setting.name], on=keys, suffixes=("", "_all")
        )
        law = laws.hypergeom(both["data_sets_all"], both["missed_95_all"], both["data_sets"])
        tail = np.minimum(law.cdf(both["missed_95"]), law.sf(both["missed_95"] - 1))
        rare = (tail < 1e-7) | (len(both) < len(table))
        more = np.sqrt(both["data_sets_all"] / both["data_sets"])
        for name, error in (("truth", "truth_error_all"), ("length", "length_error_all")):
            apart = (both[name] - both[f"{name}_all"]).abs()
            rare |= apart > 6 * both[error] * more + 2e-3 * both[name].abs()
        found += [f"{setting.name}: {row[keys].tolist()}" for _, row in both[rare].iterrows()]
        say(f"{setting.name}: {len(both)} cells, {int(rare.sum())} differ")
    return found
