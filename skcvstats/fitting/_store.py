"""FitStore: the numbers of finished fits in an SQLite file, each entry with a checksum.

Notes
-----
An entry is whole or it is not there, as SQLite commits it at once; in its write-ahead log that
takes no wait for the disk, so that a process that is killed loses nothing and a machine that loses
power the last entries. Entries hold numbers, names of metrics and arrays of numbers, and nothing
that is run when it is read.
"""

import json
import os
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Any, NamedTuple

import numpy as np

from .._utils._arrays import digest_of

VERSION = 1
_APPLICATION = int.from_bytes(b"skcv")
_MAGIC = b"SQLite format 3\0"
_PATIENCE = 30  # seconds to wait while another process writes
_TRY = 0.3  # of them in SQLite, where an interrupt is not heard
_LONGEST = 2**20  # bytes of an entry without its array
# A file with others is no store: a view or a trigger in it is SQL that need not end. The column
# of arrays keeps the name that it has in older files.
_TABLES = (
    "CREATE TABLE models (id INTEGER PRIMARY KEY, key BLOB UNIQUE, facts BLOB, checksum BLOB)",
    "CREATE TABLE fits (key BLOB PRIMARY KEY, model INTEGER, written REAL, content BLOB, "
    "losses BLOB, checksum BLOB)",
    "CREATE INDEX by_model ON fits (model)",
)
_CORRUPT = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_UNWRITABLE = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
_REMEDIES = {
    **dict.fromkeys(_CORRUPT, "A call with store= renames a damaged one and starts a new one"),
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
    fit_time: float
    score_time: float


class FitStore:
    """Finished fits in a file."""

    def __init__(self, path: Any, *, create: bool = True) -> None:
        self.path = Path(path)
        self.identity: tuple[int, int] | None = None
        header = _header(self.path)
        if not header and not create:
            what = "does not exist" if header is None else "is empty"
            raise ValueError(f"{str(self.path)!r} {what}.")
        self._is_ours = header is not None and header[68:72] == _APPLICATION.to_bytes(4)
        try:
            # Absolute, as SQLite has a meaning of its own for :memory: and for file:.
            self._connect(self.path.absolute())
        except sqlite3.OperationalError as error:
            log = self.path.with_name(f"{self.path.name}-wal")
            if not self._is_ours or code_of(error) not in _UNWRITABLE or log.exists():
                raise
            # On a read-only disk SQLite can read a file with a log of writes only in this way.
            self._connect(f"{self.path.absolute().as_uri()}?immutable=1", uri=True)

    def _connect(self, place: Any, **options: Any) -> None:
        self._db = sqlite3.connect(
            place,
            timeout=_TRY,
            isolation_level=None,
            check_same_thread=False,
            factory=_Patient,
            **options,
        )
        # A single bit makes text of bytes, and what is no text must not end a query.
        self._db.text_factory = lambda text: text.decode(errors="replace")
        try:
            self._open()
            self.identity = identity_of(self.path)
        except BaseException:
            self._db.close()
            raise

    def _open(self) -> None:
        try:
            kind = self._pragma("application_id")
            if kind == 0:
                if not self._tables():
                    self._create()
                kind = self._pragma("application_id")  # another process may have been first
            version = self._pragma("user_version")
        except sqlite3.DatabaseError as error:
            if self._is_ours or not is_corrupt(error):
                raise
            raise ValueError(
                f"{str(self.path)!r} is damaged or no store of fits ({error}); {_WANTED}."
            ) from error
        if kind != _APPLICATION:
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

    def _create(self) -> None:
        with suppress(sqlite3.OperationalError):
            self._pragma("journal_mode = wal")
        with self.transaction():
            if self._tables():  # another process was first
                return
            for statement in _TABLES:
                self._db.execute(statement)
            self._pragma(f"application_id = {_APPLICATION}")
            self._pragma(f"user_version = {VERSION}")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make several changes at once, or none of them."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            with suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def add_model(self, key: bytes, facts: Mapping[str, Any]) -> int:
        """Enter an estimator on some data, and return its number."""
        text = json.dumps(facts, sort_keys=True).encode()
        self._db.execute(
            "INSERT OR IGNORE INTO models (key, facts, checksum) VALUES (?, ?, ?)",
            (key, text, digest_of(key, text)),
        )
        found = self._db.execute("SELECT id FROM models WHERE key = ?", (key,)).fetchone()
        return int(found[0])

    def add(self, key: bytes, model: int, fit: StoredFit) -> None:
        content = json.dumps(
            [list(fit.scores), list(fit.scores.values()), fit.fit_time, fit.score_time]
        ).encode()
        array = None if fit.array is None else fit.array.astype("<f8").tobytes()
        self._db.execute(
            "INSERT OR REPLACE INTO fits VALUES (?, ?, ?, ?, ?, ?)",
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
            "SELECT id, key, facts, NULL, checksum FROM models WHERE length(facts) <= ? "
            "ORDER BY id",
            (_LONGEST,),
        )
        found = ((number, _loaded(*entry)) for number, *entry in rows)
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
        with self.transaction():
            self._db.executemany("DELETE FROM fits WHERE rowid = ?", [(row,) for row in rows])
            self._db.execute("DELETE FROM models WHERE id NOT IN (SELECT model FROM fits)")
        self._db.execute("VACUUM")

    @staticmethod
    def remedy(error: Exception) -> str:
        """Return what to do about a store that cannot be used."""
        return _REMEDIES.get(code_of(error), _NOWHERE)

    def close(self) -> None:
        self._db.close()


class _Patient(sqlite3.Connection):
    """Waits while another process writes, and can be interrupted meanwhile."""

    def execute(self, *arguments: Any) -> sqlite3.Cursor:
        give_up = time.monotonic() + _PATIENCE
        while True:
            try:
                return super().execute(*arguments)
            except sqlite3.OperationalError as error:
                if code_of(error) != sqlite3.SQLITE_BUSY or time.monotonic() > give_up:
                    raise


def code_of(error: Exception) -> int:
    """Return SQLite's code for an error, without its details; 0 for errors of others."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def is_corrupt(error: sqlite3.Error) -> bool:
    """Whether the file is damaged, rather than the disk or its permissions."""
    return code_of(error) in _CORRUPT


def identity_of(path: Path) -> tuple[int, int]:
    """Return what tells a file from another one that takes its name."""
    status = path.stat()
    return status.st_dev, status.st_ino


def set_aside(path: Path) -> Path:
    """Rename a damaged store and the files that belong to it, and return the new name."""
    aside, k = path.with_name(f"{path.name}.damaged"), 1
    while aside.exists():
        aside, k = path.with_name(f"{path.name}.damaged-{k}"), k + 1
    for suffix in ("-wal", "-shm"):
        with suppress(FileNotFoundError):
            path.with_name(path.name + suffix).replace(aside.with_name(aside.name + suffix))
    path.replace(aside)
    return aside


def _header(path: Path) -> bytes | None:
    """Return how the file starts, None where none is; raise ValueError where none can be."""
    try:
        status = path.stat()
    except FileNotFoundError:
        folder = Path(os.path.realpath(path)).parent if path.is_symlink() else path.parent
        if not folder.is_dir():
            raise ValueError(
                f"store={str(path)!r}: there is no directory {str(folder)!r}. Make it, or "
                "give another path."
            ) from None
        return None
    except PermissionError:
        raise
    except OSError as error:  # a loop of links, a file for a directory, a name too long
        raise ValueError(f"store={str(path)!r} cannot be a file: {error.strerror}.") from error
    if S_ISDIR(status.st_mode):
        raise ValueError(f"store={str(path)!r} is a directory; {_WANTED}.")
    if not S_ISREG(status.st_mode):
        raise ValueError(f"store={str(path)!r} is no ordinary file; {_WANTED}.")
    with path.open("rb") as file:
        header = file.read(100)
    if header and not header.startswith(_MAGIC):
        raise ValueError(f"store={str(path)!r} is not a store of fits; {_WANTED}.")
    return header


def _checksum(key: bytes, content: bytes, array: bytes | None) -> bytes:
    return digest_of(key, content, *(() if array is None else (array,)))


def _loaded(key: Any, content: Any, array: Any, checksum: Any) -> Any:
    """Return the content of an entry, or None where it is damaged."""
    if not isinstance(key, bytes) or not isinstance(content, bytes):
        return None
    if array is not None and (not isinstance(array, bytes) or len(array) % 8):
        return None
    if checksum != _checksum(key, content, array):
        return None
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def _read(key: Any, content: Any, array: Any, checksum: Any) -> StoredFit | None:
    """Return the numbers of an entry, or None where it is damaged."""
    try:
        names, values, *times = _loaded(key, content, array, checksum)
        scores = dict(zip(names, map(_number, values), strict=True))
        fit_time, score_time = map(_number, times)
    except (ValueError, TypeError):
        return None
    if not all(isinstance(name, str) for name in scores):
        return None
    numbers = None if array is None else np.frombuffer(array, dtype="<f8").astype(float)
    return StoredFit(scores, numbers, fit_time, score_time)


def _number(value: Any) -> float:
    if not isinstance(value, float):
        raise TypeError("not a number")
    return value
