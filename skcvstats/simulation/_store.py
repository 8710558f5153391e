"""The directory of results of one study, written in parts.

Notes
-----
``study.json`` describes the study. Each ``part-*.npz`` contains the numbers of some data sets and
their fingerprint. A part is written under another name and renamed when it is complete. Which data
sets share a part has no meaning.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import uuid
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from errno import EISDIR
from pathlib import Path
from stat import S_ISREG
from typing import Any, BinaryIO

import numpy as np

from .._utils._documents import read_file
from .._utils._warn import warn_user
from ._describe import fingerprint

FORMAT = 2
_STUDY = "study.json"
# The prefix of names that a script defines; the same code may be imported as a module.
_SCRIPT = "__main__."


class ResultStore:
    """Results on disk, or in memory without a path."""

    def __init__(
        self, path: Any, identity: Mapping[str, Any], versions: Mapping[str, str], n_values: int
    ) -> None:
        self._values: dict[int, np.ndarray] = {}
        self.path = None if path is None else Path(path)
        self._n_values = n_values
        self._fingerprint = fingerprint(identity)
        if self.path is None:
            return
        self._open(self.path, {"format": FORMAT, "study": identity, "versions": versions})
        for part in sorted(self.path.glob("part-*.npz")):
            self._read(part)

    @property
    def numbers(self) -> set[int]:
        """The data sets that were stored."""
        return set(self._values)

    def values(self, numbers: list[int]) -> np.ndarray:
        """Return the numbers of these data sets."""
        return np.array([self._values[k] for k in numbers]).reshape(len(numbers), self._n_values)

    def add(self, values: Mapping[int, np.ndarray]) -> None:
        """Store data sets, also on disk."""
        if self.path is not None and values:
            numbers = np.array(list(values), dtype="<i8")
            table = np.array(list(values.values()), dtype="<f8")
            part = self.path / f"part-{numbers.min():07d}-{uuid.uuid4().hex[:12]}.npz"
            with _whole(part) as file:
                np.savez(file, numbers=numbers, values=table, digest=self._digest(numbers, table))
        self._values |= values

    def _open(self, path: Path, about: Mapping[str, Any]) -> None:
        if os.path.lexists(path) and not path.is_dir():
            what = "a link to no directory" if path.is_symlink() else "a file"
            raise ValueError(f"path={str(path)!r} is {what}; give a directory for the results.")
        path.mkdir(parents=True, exist_ok=True)
        stated = path / _STUDY
        if not os.path.lexists(stated):
            others = [entry.name for entry in path.iterdir() if entry.suffix != ".draft"]
            if others:
                raise ValueError(
                    f"path={str(path)!r} holds {others[0]!r} and no {_STUDY}, so it is no result "
                    "directory; give an empty or a new one."
                )
            with _whole(stated) as file:
                file.write(json.dumps(about, indent=1, sort_keys=True).encode())
            return
        self._check(path, stated, about)

    def _check(self, path: Path, stated: Path, about: Mapping[str, Any]) -> None:
        try:
            found = json.loads(read_file(stated))
            study = dict(found["study"])
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise ValueError(
                f"{str(stated)!r} cannot be read, so it is not known whose results these are. "
                "Restore it from a copy, or give a new directory."
            ) from error
        if found.get("format") != FORMAT:
            raise ValueError(
                f"path={str(path)!r} has results of format {found.get('format')!r}; this version "
                f"writes format {FORMAT}. Give a new directory."
            )
        names = sorted(study.keys() | about["study"].keys())
        differing = [
            name for name in names if not _is_same(study.get(name), about["study"].get(name))
        ]
        if differing:
            raise ValueError(
                f"path={str(path)!r} holds the results of another study: {', '.join(differing)} "
                "differ. Nothing was changed; give another directory."
            )
        self._fingerprint = fingerprint(study)  # which identifies its parts
        if found.get("versions") != about["versions"]:
            warn_user(
                f"The results in {str(path)!r} were begun with {found.get('versions')} and are "
                f"continued with {about['versions']}: they may differ in the last bits.",
                UserWarning,
            )

    def _read(self, part: Path) -> None:
        try:
            status = part.stat()
            if not S_ISREG(status.st_mode):
                raise OSError(EISDIR, "it is no file")
            with part.open("rb") as content:
                _check_sizes(content, status.st_size)
                with np.load(content, allow_pickle=False) as file:
                    numbers, table = file["numbers"], file["values"]
                    whole = file["digest"].item() == self._digest(numbers, table)
        except MemoryError:
            raise
        except OSError as error:  # a problem of the machine, not of the file
            raise ValueError(
                f"{str(part)!r} cannot be read as a part of the results: "
                f"{error.strerror or error}. Nothing was changed; move it elsewhere, or give a "
                "new directory."
            ) from error
        except Exception:  # a damaged file may raise anything
            whole = False
        if whole and table.shape == (len(numbers), self._n_values):
            self._values |= dict(zip(numbers.tolist(), table, strict=True))
            return
        aside = part.with_suffix(".damaged")
        part.replace(aside)
        warn_user(
            f"{str(part)!r} is damaged, and was renamed to {aside.name!r}; its data sets are "
            "computed again.",
            UserWarning,
        )

    def _digest(self, numbers: np.ndarray, table: np.ndarray) -> str:
        digest = hashlib.blake2b(self._fingerprint.encode(), digest_size=16)
        digest.update(numbers.astype("<i8").tobytes())
        digest.update(np.ascontiguousarray(table, dtype="<f8").tobytes())
        return digest.hexdigest()


@contextmanager
def _whole(path: Path) -> Iterator[BinaryIO]:
    """Write a file that appears only when it is complete; if writing fails, nothing is left."""
    draft = path.with_name(f"{path.stem}-{uuid.uuid4().hex[:12]}.draft")
    try:
        with draft.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        with suppress(OSError):
            draft.unlink()
        raise


def _check_sizes(content: BinaryIO, size: int) -> None:
    """Raise ValueError for an archive that claims more content than its size allows."""
    with zipfile.ZipFile(content) as archive:
        if sum(member.file_size for member in archive.infolist()) > size:
            raise ValueError("it is compressed, as no part is")
        for member in archive.infolist():
            with archive.open(member) as array:
                np.lib.format.read_magic(array)
                shape, _, dtype = np.lib.format.read_array_header_1_0(array)
            # In NumPy 2.0 the size of a long text may be negative.
            if not 0 <= math.prod(shape) * dtype.itemsize <= size:
                raise ValueError("an array of more numbers than are there")
    content.seek(0)


def _is_same(one: Any, other: Any) -> bool:
    """Whether descriptions are the same, also if one names a script and the other a module."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_is_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_is_same, one, other))
    if isinstance(one, str) and isinstance(other, str) and one != other:
        return any(
            script.startswith(_SCRIPT) and module.endswith(script.removeprefix(_SCRIPT[:-1]))
            for script, module in ((one, other), (other, one))
        )
    return bool(one == other) and type(one) is type(other)
