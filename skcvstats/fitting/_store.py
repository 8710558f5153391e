"""Finished fits in an SQLite file: FitStore reads and writes it, KeptFits and KeptArrays use it.

Notes
-----
An entry is whole or it is not there, as SQLite commits it at once; in its write-ahead log that
takes no wait for the disk, so that a process that is killed loses nothing and a machine that loses
power the last entries. Entries hold numbers, names of metrics and arrays of numbers, with a
checksum, and nothing that is run when it is read.
"""

import json
import os
import sqlite3
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Any, NamedTuple, TypeVar

import numpy as np
from sklearn import get_config

from .._utils._arrays import digest_of
from .._utils._checks import listed, random_states
from .._utils._text import counted
from .._utils._warn import warn_user
from ..scores import Note
from ._content import ContentReader, UnknownContentError, version_of
from ._fit import FitRecord, Workload
from ._metrics import describe
from ._plan import FitPlan
from ._splits import Splits

T = TypeVar("T")

# To be changed if the same key would stand for other numbers.
_DERIVATION = "2"
_PACKAGES = ("numpy", "scipy", "sklearn", "skcvstats")
# Settings of scikit-learn that only change what is displayed.
_SHOWN = ("display", "print_changed_only")
# Among the scores of an entry: whether another random state gave other predictions.
_OF_STATE = "\0depends on its random_state"
# Before the name of a metric: that it was computed from labels, which are too little for it.
_OF_LABELS = "\0of labels, "
_DREW = "\0drew random numbers"
# Before the name of a metric: that of the score of the training rows.
_OF_TRAINING = "\0training rows, "
_STATES = {None: -1.0, False: 0.0, True: 1.0}
_LONGEST_NAME = 300

VERSION = 1
_APPLICATION = int.from_bytes(b"skcv")
_PATIENCE = 30  # seconds to wait while another process writes
_LONGEST = 2**20  # bytes of an entry without its array
# A file with others is no store: a view or a trigger in it is SQL that need not end. The column
# of arrays keeps the name that it has in older files.
_TABLES = (
    "CREATE TABLE models (id INTEGER PRIMARY KEY, key BLOB UNIQUE, facts BLOB, checksum BLOB)",
    "CREATE TABLE fits (key BLOB PRIMARY KEY, model INTEGER, written REAL, content BLOB, "
    "losses BLOB, checksum BLOB)",
    "CREATE INDEX by_model ON fits (model)",
)
_UNWRITABLE = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_REMEDIES = {
    **dict.fromkeys(_DAMAGED, "Remove it, or restore it from a copy, and call again"),
    sqlite3.SQLITE_BUSY: f"Another program has locked it for {_PATIENCE} s; end it and call again",
    sqlite3.SQLITE_FULL: "Make room on its disk and call again",
    sqlite3.SQLITE_IOERR: "Make room on its disk, or repair it, and call again",
}
_NOWHERE = "Give a path in a folder where you may write"
_LATEST = 253402300800  # the seconds from 1970 to the year 10000
_WANTED = "give the path of a new file, or of a store that store= wrote"


class StoredFit(NamedTuple):
    """What is kept of a fit."""

    scores: Mapping[str, float]
    array: np.ndarray | None
    times: tuple[float, float]


class FitStore:
    """Finished fits in a file."""

    def __init__(self, path: Any, *, create: bool = True) -> None:
        self.path = Path(path)
        self._models: dict[bytes, tuple[bytes, ...]] = {}
        _check_place(self.path, create)
        place = self.path.absolute()  # SQLite has a meaning of its own for :memory: and for file:
        try:
            self._connect(place)
        except sqlite3.OperationalError as error:
            log = self.path.with_name(f"{self.path.name}-wal")
            if code_of(error) not in _UNWRITABLE or log.exists() or not self.path.exists():
                raise
            # On a read-only disk SQLite can read a file with a log of writes only in this way.
            self._connect(f"{place.as_uri()}?immutable=1", uri=True)

    def _connect(self, place: Any, **options: Any) -> None:
        options |= {"timeout": _PATIENCE, "isolation_level": None, "check_same_thread": False}
        self._db = sqlite3.connect(place, **options)
        # A single bit makes text of bytes, and what is no text must not end a query.
        self._db.text_factory = lambda text: text.decode(errors="replace")
        try:
            self._open()
        except BaseException as error:
            self._db.close()
            if code_of(error) == sqlite3.SQLITE_NOTADB:
                raise ValueError(
                    f"store={str(self.path)!r} is not a store of fits; {_WANTED}."
                ) from error
            raise

    def _open(self) -> None:
        if self._pragma("application_id") == 0 and not self._tables():
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                if not self._tables():  # else another process was first
                    for statement in _TABLES:
                        self._db.execute(statement)
                    self._pragma(f"application_id = {_APPLICATION}")
                    self._pragma(f"user_version = {VERSION}")
        version = self._pragma("user_version")
        if self._pragma("application_id") != _APPLICATION:
            raise ValueError(f"{str(self.path)!r} is an SQLite file of another program; {_WANTED}.")
        if version != VERSION:
            raise ValueError(
                f"{str(self.path)!r} is a store of version {version}; this skcvstats reads and "
                f"writes version {VERSION}. Use the skcvstats that wrote it, or give a new path."
            )
        if self._tables() != _TABLES:
            raise ValueError(
                f"{str(self.path)!r} has other tables than a store of fits; {_WANTED}."
            )
        with suppress(sqlite3.OperationalError):  # read-only, or on a network drive
            if self._pragma("journal_mode") != "wal":
                self._pragma("journal_mode = wal")
        self._pragma("synchronous = normal")

    def _pragma(self, pragma: str) -> Any:
        return (self._db.execute(f"PRAGMA {pragma}").fetchone() or (0,))[0]

    def _tables(self) -> tuple[str, ...]:
        """Return how the tables of the file were made, besides those that SQLite makes itself."""
        found = self._db.execute(
            "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid LIMIT 10"
        )
        return tuple(str(sql) for (sql,) in found)

    def add(
        self, key: bytes, fit: StoredFit, model: bytes, facts: Callable[[], Mapping[str, Any]]
    ) -> None:
        """Keep a fit of a model, which has a key and facts to be shown."""
        if model not in self._models:
            text = json.dumps(facts(), sort_keys=True).encode()
            self._models[model] = model, text, digest_of(model, text)
        self._db.execute(  # each time, as another process may have removed it
            "INSERT OR IGNORE INTO models (key, facts, checksum) VALUES (?, ?, ?)",
            self._models[model],
        )
        content = json.dumps([list(fit.scores), list(fit.scores.values()), *fit.times]).encode()
        array = None if fit.array is None else fit.array.astype("<f8").tobytes()
        self._db.execute(
            "INSERT OR REPLACE INTO fits VALUES "
            "(?, (SELECT id FROM models WHERE key = ?), ?, ?, ?, ?)",
            (key, model, time.time(), content, array, _checksum(key, content, array)),
        )

    def get(self, key: bytes, size: int | None) -> StoredFit | None:
        """Return what is kept of a fit, or None if there is nothing or it is damaged."""
        # Lengths are asked for first: nothing is read that is longer than what is wanted.
        found = self._db.execute(
            "SELECT content, losses, checksum FROM fits WHERE key = ? AND length(content) <= ? "
            "AND coalesce(length(losses), -1) = ?",
            (key, _LONGEST, -1 if size is None else 8 * size),
        ).fetchone()
        return None if found is None else _read(key, *found)

    def models(self) -> list[tuple[int, Mapping[str, Any] | None]]:
        """Return the numbers of all estimators and their facts, None where these are damaged."""
        rows = self._db.execute(
            "SELECT id, key, facts, checksum FROM models WHERE length(facts) <= ? ORDER BY id",
            (_LONGEST,),
        )
        found = ((number, _loaded(key, facts, None, right)) for number, key, facts, right in rows)
        return [(number, facts if isinstance(facts, dict) else None) for number, facts in found]

    def entries(self) -> Iterator[tuple[int, int, float, int, bool]]:
        """Yield of each fit its row, model, date (0 if damaged), size, and whether it is whole."""
        query = "SELECT rowid, key, model, written, content, losses, checksum FROM fits"
        with closing(self._db.execute(query)) as cursor:
            for row, key, model, written, content, array, checksum in cursor:
                is_dated = isinstance(written, float) and 0 < written < _LATEST
                is_whole = is_dated and _read(key, content, array, checksum) is not None
                size = sum(len(part) for part in (content, array) if isinstance(part, bytes))
                yield row, model, written if is_dated else 0.0, size, is_whole

    def remove(self, rows: list[int]) -> None:
        """Remove fits, and the estimators that have none left; give the space back."""
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("DELETE FROM fits WHERE rowid = ?", [(row,) for row in rows])
            self._db.execute("DELETE FROM models WHERE id NOT IN (SELECT model FROM fits)")
        self._db.execute("VACUUM")

    @staticmethod
    def remedy(error: Exception) -> str:
        """Return what to do about a store that cannot be used."""
        return _REMEDIES.get(code_of(error), _NOWHERE)

    def close(self) -> None:
        self._db.close()


def code_of(error: BaseException) -> int:
    """Return SQLite's code for an error, without its details; 0 for errors of others."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _check_place(path: Path, create: bool) -> None:
    """Raise ValueError where no store can be; SQLite says whether a file is one."""
    try:
        status = path.stat()
    except FileNotFoundError:
        folder = Path(os.path.realpath(path)).parent if path.is_symlink() else path.parent
        if not folder.is_dir():
            raise ValueError(
                f"store={str(path)!r}: there is no directory {str(folder)!r}. Make it, or "
                "give another path."
            ) from None
        if not create:
            raise ValueError(f"{str(path)!r} does not exist.") from None
        return
    except PermissionError:
        raise
    except OSError as error:  # a loop of links, a file for a directory, a name too long
        raise ValueError(f"store={str(path)!r} cannot be a file: {error.strerror}.") from error
    if not S_ISREG(status.st_mode):
        what = "a directory" if S_ISDIR(status.st_mode) else "no ordinary file"
        raise ValueError(f"store={str(path)!r} is {what}; {_WANTED}.")
    if not status.st_size and not create:
        raise ValueError(f"{str(path)!r} is empty.")


def _checksum(key: Any, content: Any, array: Any) -> bytes:
    return digest_of(key, content, *(() if array is None else (array,)))


def _loaded(key: Any, content: Any, array: Any, checksum: Any) -> Any:
    """Return the content of an entry, or None where it is damaged."""
    try:
        return json.loads(content) if checksum == _checksum(key, content, array) else None
    except (ValueError, TypeError, RecursionError):  # also where there is no bytes
        return None


def _read(key: Any, content: Any, array: Any, checksum: Any) -> StoredFit | None:
    """Return the numbers of an entry, or None where it is damaged."""
    try:
        names, values, *times = _loaded(key, content, array, checksum)
        fit_time, score_time = times
        numbers = None if array is None else np.frombuffer(array, dtype="<f8").astype(float)
        fit = StoredFit(dict(zip(names, values, strict=True)), numbers, (fit_time, score_time))
    except (ValueError, TypeError):
        return None
    found = {type(name) for name in names}, {type(value) for value in (*values, *times)}
    return fit if found[0] <= {str} and found[1] <= {float} else None


class _Kept:
    """A store that a call uses; where it cannot be used, a warning says so and the call goes on."""

    def __init__(self, path: Any, what: str, read: Callable[[], Any]) -> None:
        self.path = Path(os.path.abspath(path))  # a fit may change the directory
        self._what = what
        self._store: FitStore | None = None
        self._store = self._try(FitStore, self.path)
        self.keys: Any = None  # stay so where there is no store
        try:
            self.keys = None if self._store is None else read()
        except BaseException as error:
            self.close()
            if not isinstance(error, UnknownContentError):
                raise
            warn_user(
                f"store={str(self.path)!r} keeps no {what} of this call: {error}. Use arrays, "
                "frames, functions and estimators that can be pickled."
            )

    def _try(self, does: Callable[..., T], *arguments: Any) -> T | None:
        """Return what something gives, or None, and be without a store from then on."""
        try:
            return does(*arguments)
        except (sqlite3.Error, OSError) as error:
            self.close()
            how = "is damaged" if code_of(error) in _DAMAGED else "cannot be used"
            warn_user(
                f"The store {str(self.path)!r} {how} ({error}); the {self._what} go on, and are "
                "not kept from here on. The scores are not affected. "
                f"{FitStore.remedy(error)}."
            )
            return None

    @property
    def note(self) -> str:
        """The text to add to an error that ends the call."""
        if self._store is None:
            return f"skcvstats: the store {self.path} could not be used"
        if not self.path.exists():
            return f"skcvstats: the store {self.path} was removed while the {self._what} ran"
        return f"skcvstats: the {self._what} that were finished are kept in {self.path}"

    def _get(self, keys: Mapping[T, tuple[bytes, int | None]]) -> dict[T, StoredFit]:
        """Return what is there for some things, from their keys and the sizes of their arrays."""
        found = {}
        for thing, key in keys.items():
            fit = None if self._store is None else self._try(self._store.get, *key)
            if fit is not None:
                found[thing] = fit
        return found

    def _add(self, *arguments: Any) -> None:
        if self._store is not None:
            self._try(self._store.add, *arguments)

    def warn_if_removed(self) -> None:
        """Warn at the end of a call if the file has gone."""
        if self._store is not None and not self.path.exists():
            warn_user(
                f"The store {str(self.path)!r} was removed while the {self._what} ran; those of "
                "this call are not kept. The scores are not affected."
            )

    def close(self) -> None:
        if self._store is not None:
            self._store.close()
        self._store = None


class FitKeys(NamedTuple):
    """The keys of the fits of a call: of what `compare_estimators` names in its Notes."""

    # Also of requested metadata, of whether rows are scored, and of scikit-learn's settings. The
    # order of rows counts, the processor does not, although both may change the last bits.

    data: bytes
    estimators: tuple[bytes | None, ...]
    unknown: dict[str, str]


class KeptFits(_Kept):
    """The fits of a call in a store."""

    def __init__(self, plan: FitPlan, splits: Splits) -> None:
        self._work: Workload = plan.work
        self._splits, self._verbose = splits, plan.options.verbose
        self._new: dict[tuple[int, int], bytes] = {}
        self._found: set[int] = set()  # the estimators of which fits were found
        super().__init__(plan.options.store, "fits", lambda: self._read(plan))

    def _read(self, plan: FitPlan) -> FitKeys:
        keys = make_keys(plan)
        if keys.unknown:
            why = next(iter(keys.unknown.values()))
            warn_user(
                f"store={str(self.path)!r} keeps no fits of {listed(keys.unknown)}: {why}. Such "
                "fits are done each time."
            )
        return keys

    @property
    def notes(self) -> tuple[Note, ...]:
        unseeded = [self._work.names[e] for e in sorted(self._found) if self._work.unseeded[e]]
        if not unseeded:
            return ()
        text = (
            f"fits of {listed(unseeded)} come from the store and have no random_state: if they "
            "draw random numbers, new fits would give other scores"
        )
        return (Note("unseeded fits in a store", text, None),)

    def find(self, pairs: Sequence[tuple[int, int]]) -> Iterator[FitRecord]:
        """Yield the records of the fits that are in the store."""
        if self.keys is None:
            return
        wanted: dict[tuple[int, int], tuple[bytes, int | None]] = {}
        digests, ends, metrics = {}, dict[int, np.ndarray](), self._work.arrays
        by_split = {k: [e for _, e in group] for k, group in groupby(pairs, key=itemgetter(0))}
        for (k, members), split in zip(by_split.items(), self._splits.take(by_split), strict=True):
            sides = (np.ascontiguousarray(rows, dtype="<i8") for rows in (split.train, split.test))
            rows = digest_of(*(side.view(np.uint8).data for side in sides))  # also their order
            digests[k] = split.digest
            for e in members:
                if (model := self.keys.estimators[e]) is not None:
                    sizes = [self._work.n_row_scores(it, split.test.size) for it in metrics]
                    ends[k], size = np.cumsum(sizes)[:-1], sum(sizes) if metrics else None
                    wanted[k, e] = digest_of(model, rows), size
        found = self._get(wanted)
        for k, e in list(found):
            if self._is_tried(k, e) and _OF_STATE not in found[k, e].scores:
                del found[k, e]
        self._new |= {at: key for at, (key, _) in wanted.items() if at not in found}
        self._found |= {e for _, e in found}
        if self._verbose:
            _say(f"store {self.path}: {len(found)} of {counted(len(pairs), 'fit')} found")
        for (k, e), fit in found.items():
            parts = [] if fit.array is None else np.split(fit.array, ends[k])
            scores = dict(fit.scores)
            state, drew = scores.pop(_OF_STATE, None), scores.pop(_DREW, None)
            marked = [name for name in scores if name.startswith(_OF_LABELS)]
            of_labels = tuple(name.removeprefix(_OF_LABELS) for name in marked if scores.pop(name))
            trained = [name for name in scores if name.startswith(_OF_TRAINING)]
            of_training = {name.removeprefix(_OF_TRAINING): scores.pop(name) for name in trained}
            depends = bool(state) if self._is_tried(k, e) and state != _STATES[None] else None
            of_rows = dict(zip(metrics, parts, strict=False))
            found_at = FitRecord(e, k, scores, of_rows, *fit.times)
            yield found_at._replace(
                digest=digests[k],
                depends=depends,
                of_labels=of_labels,
                drew=None if drew is None else bool(drew),
                training_scores=of_training,
            )

    def through(self, fits: Generator[FitRecord, None, None]) -> Generator[FitRecord, None, None]:
        """Yield the records of fits; each is stored before it is yielded."""
        with closing(fits):
            for record in fits:
                k, e = record.split, record.estimator
                rows = [record.row_scores.get(metric, np.nan) for metric in self._work.row_metrics]
                failed = record.error is not None or any(np.isnan(part).any() for part in rows)
                if not failed and (key := self._new.get((k, e))) is not None:
                    known = {_OF_STATE: _STATES[record.depends]} if self._is_tried(k, e) else {}
                    known |= {_OF_LABELS + metric: 1.0 for metric in record.of_labels}
                    known |= {} if record.drew is None else {_DREW: float(record.drew)}
                    trained = record.training_scores
                    known |= {_OF_TRAINING + metric: score for metric, score in trained.items()}
                    rows = [record.row_scores[metric] for metric in self._work.arrays]
                    array = np.concatenate(rows) if rows else None
                    times = record.fit_time, record.score_time
                    fit = StoredFit({**record.scores, **known}, array, times)
                    self._add(key, fit, self.keys.estimators[e], partial(self._facts, e))
                yield record
        self.warn_if_removed()

    def _is_tried(self, k: int, e: int) -> bool:
        return k == 0 and self._work.tried[e]

    def _facts(self, e: int) -> dict[str, Any]:
        metrics = [metric.name for metric in self._work.metrics]
        about = describe(self._work.estimators[e]), metrics, self.keys.data
        return facts_of(*about, self._work.unseeded[e])


def make_keys(plan: FitPlan) -> FitKeys:
    """Read the data, the estimators and the metrics once."""
    reader, work = ContentReader(), plan.work
    data = digest_of("data", *(reader.digest(part) for part in (plan.X, plan.y, plan.groups)))
    metrics = {metric.name: metric.given for metric in work.metrics}
    scored = len(work.row_metrics) == len(metrics) or sorted(work.row_metrics) or None
    facts = _sorted(metrics), scored, _sorted(work.score_params)
    of_training = (_OF_TRAINING,) if work.of_training else ()
    # Scores of rows depend on groups, also on those that were given in params.
    of_groups = (work.groups,) if plan.groups is None and work.groups is not None else ()
    in_blocks = (sorted(work.blocks),) if work.blocks else ()
    shared = key_of(data, *facts, *of_training, *of_groups, *in_blocks, reader=reader)
    keys: list[bytes | None] = []
    unknown: dict[str, str] = {}
    each = zip(work.names, work.estimators, work.fit_params, strict=True)
    for e, (name, model, params) in enumerate(each):
        try:
            own = reader.digest(model, cloned=True)
            seeded = () if work.seed is None or not random_states(model) else (str(work.seed), name)
            part = () if work.prefixes is None else work.prefixes.key_of(e)
            keys.append(digest_of(shared, own, reader.digest(_sorted(params)), *seeded, *part))
        except UnknownContentError as error:
            keys.append(None)
            unknown[name] = str(error)
    return FitKeys(data, tuple(keys), unknown)


def key_of(*values: Any, reader: ContentReader) -> bytes:
    """Return the key of some values, under the settings and the versions of this process."""
    settings = {name: value for name, value in get_config().items() if name not in _SHOWN}
    contents = map(reader.digest, (*values, _sorted(settings)))
    return digest_of(_DERIVATION, *contents, *map(version_of, _PACKAGES))


def _sorted(values: Mapping[str, Any]) -> dict[str, Any]:
    return dict(sorted(values.items()))


class KeptArrays(_Kept):
    """Arrays of numbers in a store, by number: what a call computes from the same things."""

    def __init__(
        self, path: Any, data: Any, models: Mapping[str, Any], metric: str, *further: Any
    ) -> None:
        def read() -> tuple[bytes, Mapping[str, Any]]:
            reader = ContentReader()
            data_key = key_of(*data, reader=reader)
            of_models = reader.digest(list(models.values()), cloned=True)
            named = ", ".join(f"{name}={describe(model)}" for name, model in models.items())
            facts = facts_of(f"data sets of {named}", [metric], data_key)
            return key_of(data_key, of_models, *further, reader=reader), facts

        super().__init__(path, "data sets", read)

    def find(self, numbers: Iterable[int], size: int) -> dict[int, np.ndarray]:
        if self.keys is None:
            return {}
        found = self._get({k: (digest_of(self.keys[0], str(k)), size) for k in numbers})
        return {k: fit.array for k, fit in found.items() if fit.array is not None}

    def add(self, number: int, array: np.ndarray) -> None:
        if self.keys is not None:
            model, facts = self.keys
            fit = StoredFit({}, array, (0.0, 0.0))
            self._add(digest_of(model, str(number)), fit, model, lambda: facts)


def facts_of(
    estimator: str, metrics: Iterable[Any], data: bytes, unseeded: Sequence[str] = ()
) -> dict[str, Any]:
    """Return what a list of the store shows of an estimator on some data."""
    return {
        "estimator": estimator[:_LONGEST_NAME] + "..." * (len(estimator) > _LONGEST_NAME),
        "metrics": [str(metric) for metric in metrics],
        "data": data.hex(),
        "unseeded": list(unseeded),
        "versions": {package: version_of(package) for package in _PACKAGES},
    }


def _say(line: str) -> None:
    """Print a line to standard error, above a progress bar if there is one."""
    try:
        from tqdm import tqdm
    except ImportError:
        print(line, file=sys.stderr)
    else:
        tqdm.write(line, file=sys.stderr)
