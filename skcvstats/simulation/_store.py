"""The result directory: what was computed, part by part, for this study and no other.

Notes
-----
``study.json`` says whose results these are. Each ``part-*.npz`` holds some data sets' numbers and a
fingerprint of them; it is written under another name and renamed when it is whole, so that a part
either is there or is not. Which data sets share a part means nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from .._utils import warn_user
from ._describe import fingerprint

FORMAT = 2
_STUDY = "study.json"


class ResultStore:
    """Results on disk, or in memory where there is no path.

    Parameters
    ----------
    path : path-like or None
        A directory; made if it is not there.
    identity : mapping
        What the study is made of, as plain data.
    versions : mapping of str to str
        Of the packages that compute.
    n_values : int
        How many numbers are kept of a data set.

    Raises
    ------
    ValueError
        If the directory holds another study, or something else.
    """

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
        """The data sets that are there."""
        return set(self._values)

    def values(self, numbers: list[int]) -> np.ndarray:
        """Return the numbers of these data sets.

        Parameters
        ----------
        numbers : list of int
            All of them there.
        """
        return np.array([self._values[k] for k in numbers]).reshape(len(numbers), self._n_values)

    def add(self, values: Mapping[int, np.ndarray]) -> None:
        """Keep data sets, on disk too.

        Parameters
        ----------
        values : mapping of int to ndarray of shape (n_values,)
            By data set.
        """
        self._values |= values
        if self.path is None or not values:
            return
        numbers = np.array(list(values), dtype="<i8")
        table = np.array(list(values.values()), dtype="<f8")
        part = self.path / f"part-{numbers.min():07d}-{uuid.uuid4().hex[:12]}.npz"
        draft = part.with_suffix(".draft")
        with draft.open("wb") as file:
            np.savez(file, numbers=numbers, values=table, digest=self._digest(numbers, table))
            file.flush()
            os.fsync(file.fileno())
        draft.replace(part)

    def _open(self, path: Path, about: Mapping[str, Any]) -> None:
        if path.exists() and not path.is_dir():
            raise ValueError(f"path={str(path)!r} is a file; give a directory for the results.")
        path.mkdir(parents=True, exist_ok=True)
        stated = path / _STUDY
        if not stated.exists():
            others = [entry.name for entry in path.iterdir() if entry.suffix != ".draft"]
            if others:
                raise ValueError(
                    f"path={str(path)!r} holds {others[0]!r} and no {_STUDY}, so it is no result "
                    "directory; give an empty or a new one."
                )
            draft = path / f"study-{uuid.uuid4().hex[:12]}.draft"
            draft.write_text(json.dumps(about, indent=1, sort_keys=True))
            draft.replace(stated)
            return
        self._check(path, stated, about)

    def _check(self, path: Path, stated: Path, about: Mapping[str, Any]) -> None:
        try:
            found = json.loads(stated.read_text())
            study = dict(found["study"])
        except (ValueError, KeyError, TypeError) as error:
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
        differing = [name for name in names if study.get(name) != about["study"].get(name)]
        if differing:
            raise ValueError(
                f"path={str(path)!r} holds the results of another study: {', '.join(differing)} "
                "differ. Nothing was changed; give another directory."
            )
        if found.get("versions") != about["versions"]:
            warn_user(
                f"The results in {str(path)!r} were begun with {found.get('versions')} and are "
                f"continued with {about['versions']}: they may differ in the last bits.",
                UserWarning,
            )

    def _read(self, part: Path) -> None:
        try:
            with part.open("rb") as content, np.load(content, allow_pickle=False) as file:
                numbers, table = file["numbers"], file["values"]
                whole = file["digest"].item() == self._digest(numbers, table)
        except (OSError, MemoryError):  # of the machine, and no fault of the file's
            raise
        except Exception:  # whatever a damaged file makes of a reader
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
