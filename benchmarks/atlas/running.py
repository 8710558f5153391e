"""Running the atlas in pieces that are kept on disk, so that it can be stopped and goes on."""

import gzip
import io
import os
import time
import zlib
from itertools import takewhile
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import sklearn
from scipy import stats as laws

from . import cells, families, figures, populations, procedures, simulation

TABLE, COSTS = (cells.HERE / "results" / name for name in ("atlas.csv.gz", "costs.csv"))
CACHE = Path(os.environ.get("SKCVSTATS_ATLAS_CACHE", cells.HERE / ".cache"))
STOP = CACHE / "stop"  # a file: while it is there, nothing new is begun
_MOST_HOURS = 22.0  # of one core, for everything
_FIRST_HOURS = 1.0  # of which for the first pass, without what is kept apart
_FEWEST_DATA_SETS = 100
_FEWEST_AT_FIRST = 40
_PIECE = 20  # data sets; a piece takes at most a few minutes
_QUICK_ROWS = 100


def read():
    """Return the table of all cells that there are; empty if there is none yet."""
    if not TABLE.is_file():
        return pd.DataFrame({"setting": [], "drawn": []})
    return _parsed(TABLE)


def _parsed(source):
    """Return a table of cells; "null" is a kind of pair there."""
    options = {"keep_default_na": False, "na_values": [""], "low_memory": False}
    return pd.read_csv(source, **options).fillna({"b": ""})


def drawn():
    """Return how many data sets of each setting are in the table."""
    return read().groupby("setting")["drawn"].max()


def progress(table):
    """Return one row for each setting: its tier, what it costs, and the data sets that are there.

    Columns are "setting", "tier", "is_kept", "seconds" a data set, "data_sets" that are wanted, and
    those that are "drawn".
    """
    known = pd.read_csv(COSTS)[["setting", "seconds", "data_sets"]]
    there = table.groupby("setting")["drawn"].max()
    return known.assign(
        tier=known["setting"].str.extract(r"^tier (\d+)", expand=False).astype(int),
        is_kept=known["setting"].str.endswith(cells.KEPT_APART),
        drawn=known["setting"].map(there).fillna(0).astype(int),
    )


def write_costs(settings, say=print):
    """Time two data sets of each setting, and write what all will cost; see `cut` and `first`."""
    rows, known = [], {}
    for path in (COSTS, COSTS.with_suffix(".part")):
        if path.is_file():
            known |= pd.read_csv(path).set_index("setting")["seconds"].to_dict()
    for setting in settings:
        seconds = known.get(setting.name)
        if seconds is None:
            _answers(setting, [0])  # reads the pool, warms up
            started = time.process_time()
            _answers(setting, [1, 2])
            seconds = round((time.process_time() - started) / 2, 3)
            say(f"{setting.name}: {seconds:.2f} s a data set")
        wanted = setting.n_data_sets
        one = {"setting": setting.name, "seconds": seconds, "wanted": wanted}
        rows.append({**one, "data_sets": wanted, "is_kept": setting.is_kept})
        COSTS.parent.mkdir(parents=True, exist_ok=True)
        pd.DataFrame(rows).to_csv(COSTS.with_suffix(".part"), index=False)
    frame = cut(pd.DataFrame(rows))
    frame["hours"] = (frame["seconds"] * frame["data_sets"] / 3600).round(2)
    frame["first"] = first(frame)
    frame["first_hours"] = (frame["seconds"] * frame["first"] / 3600).round(3)
    frame.drop(columns="is_kept").to_csv(COSTS, index=False)
    COSTS.with_suffix(".part").unlink(missing_ok=True)
    return frame


def cut(costs):
    """Halve the data sets of the dearest settings until all cost at most 22 hours of a core.

    Each keeps at least 100 data sets.
    """
    costs = costs.copy()
    while (costs["seconds"] * costs["data_sets"]).sum() > 3600 * _MOST_HOURS:
        can = costs["data_sets"] >= 2 * _FEWEST_DATA_SETS
        if not can.any():
            raise ValueError(f"All settings cost more than {_MOST_HOURS} hours; leave some out.")
        dearest = (costs["seconds"] * costs["data_sets"]).where(can).idxmax()
        costs.loc[dearest, "data_sets"] //= 2
    return costs


def first(costs):
    """Return how many data sets each setting has in the first pass, at most an hour of a core.

    They go with one over the root of what a data set costs: then the mean of the squared
    Monte-Carlo errors is least for the hours. What is kept apart follows the same law.
    """
    seconds, most = costs["seconds"].clip(lower=0.005), costs["data_sets"]
    shares = np.geomspace(1.0, 1e4, 2000)
    for share in shares[::-1]:
        wanted = share / np.sqrt(seconds)
        found = np.minimum(np.maximum((wanted // _PIECE) * _PIECE, _FEWEST_AT_FIRST), most)
        if (found * seconds)[~costs["is_kept"]].sum() <= 3600 * _FIRST_HOURS:
            break
    return found.astype(int)


def _of(setting):
    """Return the module that answers for a setting, and that which makes its table."""
    return (families, families) if setting.design == "family" else (simulation, figures)


def _answers(setting, numbers):
    """Return the answers and truths of some data sets."""
    with sklearn.config_context(skip_parameter_validation=True, assume_finite=True):
        answers, truths = zip(*(_of(setting)[0].answer(setting, d) for d in numbers), strict=True)
    return np.float32(answers), np.stack(truths)


def _piece(setting, numbers):
    """Return some data sets of a setting with their answers, and the processor time."""
    started = time.process_time()
    answers, truths = _answers(setting, numbers)
    return numbers, answers, truths, time.process_time() - started


def passes(settings, costs):
    """Yield the settings with ranges of data sets: first a share of all, then twice as many ..."""
    done, goals = drawn(), costs["first"].clip(upper=costs["data_sets"])
    while True:
        for setting in settings:
            start, goal = int(done.get(setting.name, 0)), int(goals[setting.name])
            if start < goal:
                yield setting, range(start, goal)
                done[setting.name] = goal
        if (goals == costs["data_sets"]).all():
            return
        goals = np.minimum(2 * goals, costs["data_sets"])


def run(settings, n_jobs=1, minutes=np.inf, say=print):
    """Compute what is not there yet, pass after pass, until the time is over.

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
    todo, pace = list(passes(settings, costs)), 1.0
    seconds = [costs["seconds"][setting.name] * len(numbers) for setting, numbers in todo]

    def goes_on(_):
        return not STOP.exists() and time.monotonic() < ends

    for k, (setting, numbers) in enumerate(todo):
        folder = CACHE / setting.name.replace(", ", "-").replace(" ", "_")
        folder.mkdir(parents=True, exist_ok=True)
        left = (piece for piece in _pieces(numbers) if not _file(folder, piece).is_file())
        jobs = (joblib.delayed(_piece)(setting, piece) for piece in takewhile(goes_on, left))
        parallel = joblib.Parallel(n_jobs=n_jobs, return_as="generator_unordered")
        for piece, answers, truths, spent in parallel(jobs):  # written here, not on workers' disks
            _write(_file(folder, piece), answers=answers, truths=truths)
            expected = len(piece) * costs["seconds"][setting.name]
            pace = 0.9 * pace + 0.1 * spent / expected
        if not all(_file(folder, piece).is_file() for piece in _pieces(numbers)):
            say("stopped" if STOP.exists() else "the time is over")
            return False
        add(setting, *_all_or_new(folder, numbers))
        hours = sum(seconds[k + 1 :]) * pace / 3600
        say(f"{setting.name}: {numbers.stop} data sets; in all {hours:.1f} hours of a core")
    return True


def _all_or_new(folder, numbers):
    """Return all data sets, to be judged by the true value as it is known now, or the new ones."""
    every = range(numbers.stop)
    if all(_file(folder, piece).is_file() for piece in _pieces(every)):
        found = load(folder, _pieces(every))
        if len(found[0]) == len(every):
            return every, found
    return numbers, load(folder, _pieces(numbers))


def _pieces(numbers):
    return [numbers[start : start + _PIECE] for start in range(0, len(numbers), _PIECE)]


def _file(folder, piece):
    return folder / f"{piece[0]}.npz"


def _write(path, **arrays):
    part = path.with_suffix(".part.npz")
    np.savez_compressed(part, **arrays)
    part.rename(path)


def load(folder, pieces):
    """Return the answers and truths of all pieces."""
    found = [np.load(_file(folder, piece)) for piece in pieces]
    return [np.concatenate([one[name] for one in found]) for name in ("answers", "truths")]


def add(setting, numbers, answers):
    """Add data sets to the table; all of a setting replace it, further ones are pooled with it.

    Each setting is a member of its own of the compressed file, behind that of the header.
    """
    table = _of(setting)[1].table_of(setting, *answers)
    table = table.assign(setting=setting.name, drawn=len(numbers)).reindex(columns=figures.COLUMNS)
    start = f'"{setting.name}"'.encode()
    header = (",".join(figures.COLUMNS) + "\n").encode()
    members = _members() or [header]
    places = [k for k, member in enumerate(members) if member.startswith(start)]
    for k in places:
        before = _parsed(io.BytesIO(header + members.pop(k)))
        table = table if numbers[0] == 0 else figures.pooled(before, table)
    members.insert(places[0] if places else len(members), _text(table))
    _write_members(members)


def put(procedure, tables):
    """Put the rows of a procedure into the table, in place of those that it has there.

    Parameters
    ----------
    procedure : str
    tables : dict of str to DataFrame
        By the name of the setting, which is in the table already.
    """
    header, *members = _members()
    mark = f',"{procedure}",'.encode()
    for k, member in enumerate(members):
        name = member[1:].partition(b'",')[0].decode()
        if name in tables:
            kept = [line for line in member.splitlines(keepends=True) if mark not in line]
            members[k] = b"".join(kept) + _text(tables[name])
    _write_members([header, *members])


def _text(table):
    """Return the rows of a table as they stand in the file."""
    whole = table.astype(dict.fromkeys(figures.WHOLE, "Int64"))
    return whole.to_csv(index=False, header=False).encode()


def _write_members(members):
    part = TABLE.with_suffix(".part")
    part.write_bytes(b"".join(gzip.compress(member, mtime=0) for member in members))
    part.replace(TABLE)


def _members():
    """Return the texts of the members of the table's file."""
    found, left = [], TABLE.read_bytes() if TABLE.is_file() else b""
    while left:
        one = zlib.decompressobj(wbits=31)
        found.append(one.decompress(left))
        left = one.unused_data
    return found


def quick(say=print, n_data_sets=40, n_settings=3):
    """Compute the first data sets of a few generated settings again, and compare with the table.

    Returns
    -------
    list of str
        What differs by more than chance allows: misses, as the first of the data sets are a sample
        of all without replacement (by two at least), true values, lengths. Empty where all agree.
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
        answers, truths = _answers(setting, range(n_data_sets))
        table = figures.table_of(setting, answers, truths)
        own = stored[stored["setting"] == setting.name]
        own = own[own["drawn"] == own["drawn"].max()]  # what came later has other seeds
        table = table[table["procedure"].isin(own["procedure"])]
        both = table.merge(own, on=keys, suffixes=("", "_all"))
        expected = both["missed_95_all"] * both["data_sets"] / both["data_sets_all"]
        missed = _nearest_misses(setting, answers, both, expected)
        missed -= np.clip(missed - expected, -2, 2).round()
        law = laws.hypergeom(both["data_sets_all"], both["missed_95_all"], both["data_sets"])
        rare = np.minimum(law.cdf(missed), law.sf(missed - 1)) < 1e-7
        whole = table[table["data_sets"] == n_data_sets]  # others may be just below nine of ten
        missing = len(whole.merge(both[keys], on=keys)) < len(whole)
        rare |= missing
        more = np.sqrt(both["data_sets_all"] / both["data_sets"])
        for name, error in (("truth", "truth_error_all"), ("length", "length_error_all")):
            apart = (both[name] - both[f"{name}_all"]).abs()
            rare |= apart > 6 * both[error] * more + 2e-3 * both[name].abs()
        found += [f"{setting.name}: {row[keys].tolist()}" for _, row in both[rare].iterrows()]
        say(f"{setting.name}: {len(both)} cells, {int(rare.sum())} differ")
    return found


def _nearest_misses(setting, answers, both, expected):
    """Return the misses that are nearest to what is expected, at true values that are possible.

    The stored ones were counted at the true value as it was known then, and where scores have few
    values a little less or more of it makes many misses.
    """
    targets = [(t.metric, t.a, t.b) for t in simulation.ordered_targets(setting)]
    entries = [*procedures.BY_DESIGN[setting.design]]
    k = [entries.index(name) for name in both["procedure"]]
    j = [targets.index(key) for key in zip(both["metric"], both["a"], both["b"], strict=True)]
    estimates, errors, halves = answers[:, k, :3, j].astype(float).transpose(2, 1, 0)
    more = np.sqrt(both["data_sets_all"] / both["data_sets"]).to_numpy()
    off = 3 * more * both["truth_error_all"].to_numpy()
    truths = both["truth_all"].to_numpy() + np.outer([-1, 0, 1], off)
    is_missed = (errors != 0) & (np.abs(estimates - truths[:, None]) > halves)
    missed = is_missed.sum(axis=1)
    nearest = np.abs(missed - expected.to_numpy()).argmin(axis=0)
    return missed[nearest, np.arange(len(both))]
