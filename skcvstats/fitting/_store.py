"""Finished fits in an SQLite file: FitStore reads and writes it, KeptFits and KeptArrays use it.

Notes
-----
An entry is whole or it is not there, as SQLite commits it at once; in its write-ahead log that
takes no wait for the disk, so that a process that is killed loses nothing and a machine that loses
power the last entries. Entries contain numbers, names of metrics and arrays of numbers, with a
checksum, and nothing that is run when it is read.
"""

import json
import os
import sqlite3
import sys
import time
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext, suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np
from sklearn import get_config

from .._utils._arrays import digest_of
from .._utils._checks import listed, random_states
from .._utils._text import counted
from .._utils._warn import warn_user
from ._content import ContentReader, UnknownContentError, version_of
from ._fit import FitOptions, FitRecord, Workload
from ._metrics import describe
from ._observed import is_observation
from ._splits import Split, Splits

T = TypeVar("T")

# To be changed if the same key would stand for other numbers.
_DERIVATION = "3"
_PACKAGES = ("numpy", "scipy", "sklearn", "skcvstats")
# Settings of scikit-learn that only change displays.
_SHOWN = ("display", "print_changed_only")
# The fields of a record that an entry has besides its array, and their types.
_FIELDS: Mapping[str, Any] = {
    **dict.fromkeys(("scores", "training_scores"), dict),
    **dict.fromkeys(("fit_time", "score_time"), float),
    "observed": dict,
}
_NOTHING = (None, None)
_NO_NUMBERS = np.empty(0)

VERSION = 1
_APPLICATION = int.from_bytes(b"skcv")
_HEADER = b"SQLite format 3\0"
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
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_REMEDIES = {
    **dict.fromkeys(_DAMAGED, "Remove it, or restore it from a copy, and call again"),
    sqlite3.SQLITE_BUSY: f"Another program has locked it for {_PATIENCE} s; end it and call again",
    sqlite3.SQLITE_FULL: "Make room on its disk and call again",
    sqlite3.SQLITE_IOERR: "Make room on its disk, or repair it, and call again",
}
_LATEST = 253402300800  # the seconds from 1970 to the year 10000


class FitStore:
    """Finished fits in a file."""

    def __init__(self, path: Any, *, is_read: bool = False) -> None:
        self.path = Path(path)
        _check_place(self.path)
        self._connect(self._query(is_read))

    def _query(self, is_read: bool) -> str:
        """Return how to open the file, so that who only reads leaves no file beside it.

        The log of a reader would belong to the reader, and the owner could no longer write.
        """
        is_written = not is_read and all(map(_may_write, (self.path, self.path.parent)))
        if is_written or not self.path.exists():
            return ""
        # Where there is no log of writes, SQLite can read the file on a read-only disk, too.
        log = self.path.with_name(f"{self.path.name}-wal")
        return "?mode=ro" if log.exists() else "?immutable=1"

    @classmethod
    def existing(cls, path: Any, *, is_read: bool = False) -> Self:
        """Open a store, or raise ValueError if there is none, rather than make one."""
        place = Path(path)
        _check_place(place)
        if not place.exists():
            raise ValueError(f"{str(path)!r} does not exist.")
        if not place.stat().st_size:
            raise ValueError(f"{str(path)!r} is empty.")
        return cls(path, is_read=is_read)

    def _connect(self, query: str) -> None:
        place = f"{self.path.absolute().as_uri()}{query}"  # SQLite has a meaning for :memory:
        self._db = sqlite3.connect(
            place, uri=True, timeout=_PATIENCE, isolation_level=None, check_same_thread=False
        )
        # In a damaged file bytes can be marked as text; if they are not text, a query must not end.
        self._db.text_factory = lambda text: text.decode(errors="replace")
        try:
            self._open()
        except BaseException:
            self._db.close()
            raise

    def _open(self) -> None:
        """Make the tables of a new file, or raise ValueError for a file that is not a store."""
        if self._pragma("application_id") == 0 and not self._tables():
            # Another process may have been first by now.
            tables = ";".join(_TABLES).replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS")
            tables = tables.replace("CREATE INDEX", "CREATE INDEX IF NOT EXISTS")
            settings = f"PRAGMA application_id = {_APPLICATION}; PRAGMA user_version = {VERSION}"
            self._db.executescript(f"BEGIN IMMEDIATE; {tables}; {settings}; COMMIT")
        if self._pragma("application_id") != _APPLICATION:
            raise _no_store(self.path, "is an SQLite file of another program")
        version = self._pragma("user_version")
        if version != VERSION:
            raise ValueError(
                f"{str(self.path)!r} is a store of version {version}; this skcvstats reads and "
                f"writes version {VERSION}. Use the skcvstats that wrote it, or give a new path."
            )
        if self._tables() != _TABLES:
            raise _no_store(self.path, "has other tables than a store of fits")
        with suppress(sqlite3.OperationalError):  # read-only, or on a network drive
            self._db.execute("PRAGMA journal_mode = wal")
        self._db.execute("PRAGMA synchronous = normal")

    def _pragma(self, name: str) -> Any:
        """Return a setting of the file."""
        return self._db.execute(f"PRAGMA {name}").fetchone()[0]

    def _tables(self) -> tuple[str, ...]:
        """Return how the tables of the file were made, besides those that SQLite makes itself."""
        statements = self._db.execute(
            "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid LIMIT 10"
        )
        return tuple(str(statement) for (statement,) in statements)

    def add(self, key: bytes, fit: Any, numbers: np.ndarray, model: bytes, facts: bytes) -> None:
        """Keep a fit of a model, which has a key and facts to be shown."""
        self._db.execute(  # each time, as another process may have removed it
            "INSERT OR IGNORE INTO models (key, facts, checksum) VALUES (?, ?, ?)",
            (model, facts, _checksum(model, facts, None)),
        )
        content = json.dumps(fit).encode()
        array = numbers.astype("<f8").tobytes() or None
        self._db.execute(
            "INSERT OR REPLACE INTO fits VALUES "
            "(?, (SELECT id FROM models WHERE key = ?), ?, ?, ?, ?)",
            (key, model, time.time(), content, array, _checksum(key, content, array)),
        )

    def get(self, key: bytes, size: int) -> tuple[Any, Any]:
        """Return what is kept of a fit, and its array, or nothing if it is damaged."""
        # The query compares lengths, so that no entry is read that is longer than a fit's.
        entry = self._db.execute(
            "SELECT content, losses, checksum FROM fits WHERE key = ? AND length(content) <= ? "
            "AND coalesce(length(losses), 0) = ?",
            (key, _LONGEST, 8 * size),
        ).fetchone()
        return _NOTHING if entry is None else _read(key, *entry)

    def models(self) -> Iterator[tuple[int, Mapping[str, Any] | None]]:
        """Yield the numbers of all estimators and their facts, None where these are damaged."""
        rows = self._db.execute(
            "SELECT id, key, facts, checksum FROM models WHERE length(facts) <= ? ORDER BY id",
            (_LONGEST,),
        )
        for number, key, content, checksum in rows:
            facts, _ = _read(key, content, None, checksum)
            yield number, facts if isinstance(facts, dict) else None

    def entries(self) -> Iterator[tuple[int, int, float, int, bool]]:
        """Yield the row, model, date (0 if damaged) and size of each fit, and if it is whole."""
        query = (
            "SELECT rowid, key, model, written, content, losses, checksum, "
            "coalesce(length(content), 0) + coalesce(length(losses), 0) FROM fits"
        )
        with closing(self._db.execute(query)) as cursor:
            for row, key, model, written, content, array, checksum, size in cursor:
                date = 0.0
                is_whole = False
                if isinstance(written, float) and 0 < written < _LATEST:
                    date = written
                    is_whole = _read(key, content, array, checksum) is not _NOTHING
                yield row, model, date, size, is_whole

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
        return _REMEDIES.get(code_of(error), "Give a path in a folder where you may write")

    def close(self) -> None:
        self._db.close()


def code_of(error: BaseException) -> int:
    """Return SQLite's code for an error, without its details; 0 for errors of others."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _no_store(path: Any, why: str) -> ValueError:
    """Return the error for a path that is not a store."""
    wanted = "give the path of a new file, or of a store that store= wrote"
    return ValueError(f"store={str(path)!r} {why}; {wanted}.")


def _check_place(path: Path) -> None:
    """Raise ValueError where no store can be; SQLite says whether a file is one."""
    try:
        path.stat()
    except FileNotFoundError:
        folder = Path(os.path.realpath(path)).parent  # a link may lead elsewhere
        if not folder.is_dir():
            raise ValueError(
                f"store={str(path)!r}: there is no directory {str(folder)!r}. Make it, or "
                "give another path."
            ) from None
        return
    except OSError as error:  # a closed directory, a loop of links, a name too long
        raise ValueError(f"store={str(path)!r} cannot be a file: {error.strerror}.") from error
    if not path.is_file():
        raise _no_store(path, "is no ordinary file")
    with suppress(OSError), path.open("rb") as file:  # SQLite takes a few bytes for an empty file
        if file.read(len(_HEADER)) not in (b"", _HEADER):
            raise _no_store(path, "is not a store of fits")


def _may_write(path: Path) -> bool:
    """Tell whether this process may write a file."""
    return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def _checksum(key: Any, content: Any, array: Any) -> bytes:
    if array is None:
        return digest_of(key, content)
    return digest_of(key, content, array)


def _read(key: Any, content: Any, array: Any, checksum: Any) -> tuple[Any, Any]:
    """Return what an entry says, and its array, or nothing where it is damaged."""
    try:
        numbers = np.frombuffer(array or b"", dtype="<f8").astype(float)
        if checksum != _checksum(key, content, array):
            return _NOTHING
        return json.loads(content), numbers
    except (ValueError, TypeError, RecursionError):  # TypeError where these are not bytes
        return _NOTHING


class _Kept(ABC):
    """A store that a call uses; where it cannot be used, a warning says so and the call goes on."""

    _what: str
    _store: FitStore | None = None
    keys: Any = None  # None where the content of the call has no key

    def __init__(self, path: Any, *content: Any) -> None:
        self.path = Path(os.path.abspath(path))  # a fit may change the directory
        _check_place(self.path)
        try:
            self.keys = self._read(*content)
        except UnknownContentError as error:
            warn_user(
                f"store={str(self.path)!r} keeps no {self._what} of this call: {error}. Use "
                "arrays, frames, functions and estimators that can be pickled."
            )
            return
        self._store = self._try(FitStore, self.path)

    @abstractmethod
    def _read(self, *content: Any) -> Any:
        """Return the keys under which this call keeps what it has computed."""

    def _try(self, function: Callable[..., T], *arguments: Any) -> T | None:
        """Call a function; where the store fails, warn, close it and return None."""
        try:
            return function(*arguments)
        except (sqlite3.Error, OSError) as error:
            self.close()
            state = "is damaged" if code_of(error) in _DAMAGED else "cannot be used"
            warn_user(
                f"The store {str(self.path)!r} {state} ({error}); fitting continues, but "
                f"further {self._what} are not stored. The scores are not affected. "
                f"{FitStore.remedy(error)}."
            )
            return None

    def _use(self, method: Callable[..., T], *arguments: Any) -> T | None:
        """Call a method of the store, if there is one."""
        if self._store is None:
            return None
        return self._try(method, self._store, *arguments)

    def _get(self, key: bytes, size: int) -> tuple[Any, Any]:
        """Return an entry and its array, two None where there is none."""
        return self._use(FitStore.get, key, size) or _NOTHING

    def _add(self, *arguments: Any) -> None:
        self._use(FitStore.add, *arguments)

    def close(self) -> None:
        if self._store is not None:
            self._store.close()
        self._store = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        """Warn if the file has gone; else add a note to an error on where the fits are."""
        if self._store is None:
            return
        self.close()
        if not self.path.exists():
            warn_user(
                f"The store {str(self.path)!r} was removed while the {self._what} ran; those of "
                "this call are not kept. The scores are not affected."
            )
        elif error is not None:
            finished = f"the {self._what} that were finished are kept in {self.path}"
            error.add_note(f"skcvstats: {finished}")


class NothingKept(nullcontext[Any]):
    """In place of a store, where a call has none."""

    found_estimators = ()

    def __enter__(self) -> Self:
        return self

    def find(self, *_: Any) -> dict[Any, Any]:
        return {}

    def add(self, *_: Any) -> None:
        """Keep nothing."""


class FitKeys(NamedTuple):
    """The keys of the fits of a call, from what `compare_estimators` names in its Notes."""

    # The keys also depend on requested metadata, on whether rows are scored, and on scikit-learn's
    # settings. They depend on the order of rows and not on the processor, although both may change
    # the last bits.

    data: bytes
    estimators: tuple[bytes | None, ...]  # None where the estimator has no key
    unknown: dict[str, str]  # why not, by the name of the estimator


class KeptFits(_Kept):
    """The fits of a call in a store."""

    _what = "fits"

    def __init__(self, work: Workload, options: FitOptions, splits: Splits, *data: Any) -> None:
        self._work = work
        self._splits = splits
        self._verbose = options.verbose
        self._new: dict[tuple[int, int], bytes] = {}
        self._found: set[int] = set()  # the estimators with fits in the store
        self._facts = cache(self._facts_of)
        super().__init__(options.store, *data)

    def _read(self, *data: Any) -> FitKeys:
        keys = make_keys(self._work, *data)
        if keys.unknown:
            why = next(iter(keys.unknown.values()))
            warn_user(
                f"store={str(self.path)!r} keeps no fits of {listed(keys.unknown)}: {why}. Such "
                "fits are done each time."
            )
        return keys

    @property
    def found_estimators(self) -> list[str]:
        """The names of the estimators with fits in the store."""
        return [self._work.names[e] for e in sorted(self._found)]

    def find(self, pairs: Sequence[tuple[int, int]]) -> Iterator[FitRecord]:
        """Yield the records of the fits that are in the store."""
        if self._store is None:
            return
        records: list[FitRecord] = []
        by_split = defaultdict[int, list[int]](list)
        for k, e in pairs:
            by_split[k].append(e)
        for (k, members), split in zip(by_split.items(), self._splits.take(by_split), strict=True):
            records += self._find_on(k, split, members)
        if self._verbose:
            _say(f"store {self.path}: {len(records)} of {counted(len(pairs), 'fit')} found")
        yield from records

    def _find_on(self, k: int, split: Split, members: Iterable[int]) -> Iterator[FitRecord]:
        """Yield the records of some estimators on a split, and note the keys of other fits."""
        row_metrics = self._work.row_metrics
        predicted = self._work.predicted_metrics
        shape = (len(row_metrics) + len(predicted), split.test.size)
        rows = digest_of(_bytes_of(split.train), _bytes_of(split.test))  # also their order
        for e in members:
            model = self.keys.estimators[e]
            if model is None:
                continue
            key = digest_of(model, rows)
            fit, array = self._get(key, shape[0] * shape[1])
            if not _is_of_fit(fit):
                self._new[k, e] = key
                continue
            self._found.add(e)
            parts = array.reshape(shape)
            scores_of_rows = parts[: len(row_metrics)]
            predictions = parts[len(row_metrics) :]
            yield FitRecord(
                e,
                k,
                row_scores=dict(zip(row_metrics, scores_of_rows, strict=True)),
                predictions=dict(zip(predicted, predictions, strict=True)),
                digest=split.digest,
                **fit,
            )

    def add(self, record: FitRecord) -> None:
        """Keep a fit that was not found, unless it failed."""
        e = record.estimator
        key = self._new.get((record.split, e))
        if key is None or record.has_failed:
            return
        row_scores = np.concatenate([_NO_NUMBERS, *record.row_scores.values()])
        if np.isnan(row_scores).any():
            return
        fit = {name: getattr(record, name) for name in _FIELDS}
        array = np.concatenate([row_scores, *record.predictions.values()])
        self._add(key, fit, array, self.keys.estimators[e], self._facts(e))

    def _facts_of(self, e: int) -> bytes:
        """Return what a list of the store shows of an estimator of this call."""
        metrics = [str(metric.name) for metric in self._work.metrics]
        model = describe(self._work.estimators[e])
        return facts_of(model, metrics, self.keys.data, self._work.unseeded_parameters(e))


def _bytes_of(rows: np.ndarray) -> memoryview:
    """Return row numbers as bytes that are the same on every machine."""
    return np.ascontiguousarray(rows, dtype="<i8").view(np.uint8).data


def _is_of_fit(fit: Any) -> bool:
    """Tell whether an entry has the fields of a fit, as other entries have valid checksums too."""
    if not isinstance(fit, dict):
        return False
    if not all(isinstance(value, _FIELDS.get(name, ())) for name, value in fit.items()):
        return False
    if not is_observation(fit.get("observed", {})):
        return False
    scores = fit.get("scores", {}) | fit.get("training_scores", {})
    return set(map(type, scores.values())) <= {float}


def make_keys(work: Workload, X: Any, y: Any, groups: Any) -> FitKeys:
    """Return the keys of the fits of a call; read the data, estimators and metrics once."""
    reader = ContentReader()
    data = digest_of("data", *map(reader.digest, (X, y, groups)))
    metrics = sorted({metric.name: metric.given for metric in work.metrics}.items())
    # Scores of rows depend on groups, also on those that were given in params.
    facts = metrics, sorted(work.row_metrics), work.with_training_scores, work.rows.groups
    shared = key_of(data, *facts, sorted(work.score_params.items()), reader=reader)
    keys: list[bytes | None] = []
    unknown: dict[str, str] = {}
    for name, model, params in zip(work.names, work.estimators, work.fit_params, strict=True):
        try:
            model_digest = reader.digest(model, cloned=True)
            seeded: tuple[str, ...] = ()
            if work.seeds is not None and random_states(model):
                seeded = (str(work.seeds.seed), name)
            params_digest = reader.digest(sorted(params.items()))
            keys.append(digest_of(shared, model_digest, params_digest, *seeded))
        except UnknownContentError as error:
            keys.append(None)
            unknown[name] = str(error)
    return FitKeys(data, tuple(keys), unknown)


def key_of(*values: Any, reader: ContentReader) -> bytes:
    """Return the key of some values, under the settings and the versions of this process."""
    settings = sorted(item for item in get_config().items() if item[0] not in _SHOWN)
    contents = map(reader.digest, (*values, settings))
    return digest_of(_DERIVATION, *contents, *map(version_of, _PACKAGES))


class KeptArrays(_Kept):
    """Arrays of numbers in a store, by number: what a call computes from the same things."""

    _what = "data sets"
    keys = (b"", b"")  # where the content has none, and there is no store

    def _read(
        self, data: Any, models: Mapping[str, Any], metric: str, *further: Any
    ) -> tuple[bytes, bytes]:
        reader = ContentReader()
        data_key = key_of(*data, reader=reader)
        models_digest = reader.digest(list(models.values()), cloned=True)
        named_models = ", ".join(f"{name}={describe(model)}" for name, model in models.items())
        facts = facts_of(f"data sets of {named_models}", [metric], data_key)
        return key_of(data_key, models_digest, *further, reader=reader), facts

    def find(self, numbers: Iterable[int], size: int) -> dict[int, np.ndarray]:
        """Return the arrays that are in the store, by number."""
        arrays: dict[int, np.ndarray] = {}
        model, _ = self.keys
        for number in numbers:
            _, array = self._get(digest_of(model, str(number)), size)
            if array is not None:
                arrays[number] = array
        return arrays

    def add(self, number: int, array: np.ndarray) -> None:
        """Keep an array under its number."""
        model, facts = self.keys
        self._add(digest_of(model, str(number)), {}, array, model, facts)


def facts_of(
    estimator: str, metrics: Sequence[str], data: bytes, unseeded: Sequence[str] = ()
) -> bytes:
    """Return what a list of the store shows of an estimator on some data, as JSON."""
    facts = {
        "estimator": estimator,
        "metrics": metrics,
        "data": data.hex(),
        "unseeded": list(unseeded),
        "versions": {package: version_of(package) for package in _PACKAGES},
    }
    return json.dumps(facts, sort_keys=True).encode()


def _say(line: str) -> None:
    """Print a line to standard error, above a progress bar if there is one."""
    try:
        from tqdm import tqdm
    except ImportError:
        print(line, file=sys.stderr)
    else:
        tqdm.write(line, file=sys.stderr)
