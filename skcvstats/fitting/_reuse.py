"""Reuse fits from a store: the keys of fits, and KeptFits, which finds them and adds new ones."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn import get_config

from .._utils._arrays import digest_of
from .._utils._checks import listed, one_line
from .._utils._text import counted
from .._utils._warn import warn_user
from ..scores import Note
from ._content import ContentReader, UnknownContentError
from ._content_of_code import version_of
from ._execution import FitRecord, Workload
from ._inputs import unseeded_parameters
from ._pool import say
from ._splits import Split, Splits
from ._store import FitStore, StoredFit, identity_of, is_corrupt, set_aside, store_remedy

# To be changed if the same key would stand for other numbers.
_DERIVATION = "1"
_PACKAGES = ("numpy", "scipy", "sklearn", "skcvstats")
# Settings of scikit-learn that only change what is displayed.
_SHOWN = ("display", "print_changed_only")


class FitKeys(NamedTuple):
    """The keys of the fits of a call.

    Notes
    -----
    The key of a fit is a fingerprint (BLAKE2b, 16 bytes) of

    - the estimator: its class, its parameters and the metadata that it requests, and the same of
      its parts (see `_content`). ``n_jobs``, ``verbose`` and ``memory`` are left out for
      scikit-learn's estimators, not for those of other packages, where they may change the numbers;
    - the content of X, y and groups, and of the parameters that its fit and the scorer get;
    - the training rows and the test rows of the split, in their order, because the last bits of a
      fit and of a mean may depend on it;
    - the metrics with their names, and the loss;
    - scikit-learn's settings, except those for display;
    - the versions of numpy, scipy, scikit-learn and skcvstats, and of each package that a class or
      function in the estimator or the metrics comes from.

    A class or function of a script, a notebook or a module beside it is identified by its code,
    not by its name. An estimator that cannot be distinguished from others has no key. The number
    of jobs and the estimators' names are not part of the key. Nor is ``error_score``, because
    failed fits are not kept, nor are the processor and its libraries for linear algebra, although
    these may change the last bits.
    """

    data: bytes
    estimators: tuple[bytes | None, ...]
    unknown: dict[str, str]

    def of(self, e: int, split: bytes) -> bytes | None:
        """Return the key of an estimator on a split."""
        estimator = self.estimators[e]
        return None if estimator is None else digest_of(estimator, split)


def make_keys(work: Workload, X: Any, y: Any, groups: Any) -> FitKeys:
    """Read the data, the estimators and the metrics once."""
    reader = ContentReader()
    data = digest_of("data", *(reader.digest(part) for part in (X, y, groups)))
    shared = digest_of(
        _DERIVATION,
        data,
        reader.digest(_sorted(work.scoring.given)),
        reader.digest(work.scoring.row_loss),
        reader.digest(_sorted(work.score_params)),
        reader.digest(_sorted({k: v for k, v in get_config().items() if k not in _SHOWN})),
        *(version_of(package) for package in _PACKAGES),
    )
    keys: list[bytes | None] = []
    unknown: dict[str, str] = {}
    for name, model, params in zip(work.names, work.estimators, work.fit_params, strict=True):
        try:
            own = reader.digest(model, cloned=True)
            keys.append(digest_of(shared, own, reader.digest(_sorted(params))))
        except UnknownContentError as error:
            keys.append(None)
            unknown[name] = str(error)
    return FitKeys(data, tuple(keys), unknown)


def _sorted(values: Mapping[str, Any]) -> dict[str, Any]:
    return dict(sorted(values.items()))


def contents_of(work: Workload, X: Any, y: Any, groups: Any) -> dict[str, Any]:
    """Return fingerprints of the data and of each estimator, as plain data."""
    try:
        keys = make_keys(work, X, y, groups)
    except UnknownContentError:
        return {"data": None, "estimators": None}
    digests = (None if key is None else key.hex() for key in keys.estimators)
    return {
        "data": keys.data.hex(),
        "estimators": dict(zip(work.names, digests, strict=True)),
    }


def rows_digest(split: Split) -> bytes:
    """Return the fingerprint of a split with the order of its rows."""
    return digest_of(*map(_bytes_of, (split.train, split.test)))


def _bytes_of(rows: np.ndarray) -> memoryview:
    return np.ascontiguousarray(rows, dtype="<i8").view(np.uint8).data


def versions_of(packages: Iterable[str] = _PACKAGES) -> dict[str, str]:
    """Return the versions that are in every key, by the name of the package."""
    return {package: version_of(package) for package in packages}


_LONGEST_NAME = 300


class KeptFits:
    """The fits of a call in a store."""

    def __init__(
        self, store: FitStore, keys: FitKeys, work: Workload, splits: Splits, verbose: int
    ) -> None:
        self._store: FitStore | None = store
        self._path = store.path
        self._keys = keys
        self._work = work
        self._splits = splits
        self._verbose = verbose
        self._rows: dict[int, bytes] = {}
        self._models: dict[int, int] = {}
        self._found: set[tuple[int, int]] = set()

    @property
    def note(self) -> str:
        """The text to add to an error that ends the call."""
        if self._store is None:
            return f"skcvstats: the store {self._path} could not be used"
        if self._is_removed:
            return f"skcvstats: the store {self._path} was removed while the fits ran"
        return f"skcvstats: the fits that were finished are kept in {self._path}"

    @property
    def _is_removed(self) -> bool:
        return self._store is not None and not self._path.exists()

    @property
    def notes(self) -> tuple[Note, ...]:
        """The notes for a reader of the scores."""
        found = {e for _, e in self._found}
        unseeded = [
            self._work.names[e]
            for e in sorted(found)
            if unseeded_parameters(self._work.estimators[e])
        ]
        if not unseeded:
            return ()
        text = (
            f"fits of {listed(unseeded)} come from the store and have no random_state: if they "
            "draw random numbers, new fits would give other scores"
        )
        return (Note("unseeded fits in a store", text, None),)

    def find(self, pairs: Sequence[tuple[int, int]]) -> Iterator[FitRecord]:
        """Yield the records of the fits that are in the store."""
        damage: sqlite3.Error | None = None
        records = []
        by_split = {k: [e for _, e in group] for k, group in groupby(pairs, key=itemgetter(0))}
        for (k, members), split in zip(by_split.items(), self._splits.take(by_split), strict=True):
            self._rows[k] = rows_digest(split)
            rows = None if self._work.scoring.loss is None else split.test
            for e in members:
                try:
                    fit = self._get(e, k, None if rows is None else rows.size)
                except sqlite3.Error as error:
                    damage, fit = error, None
                if fit is not None:
                    records.append(
                        FitRecord(
                            estimator=e,
                            split=k,
                            scores=fit.scores,
                            losses=fit.losses,
                            rows=rows,
                            fit_time=fit.fit_time,
                            score_time=fit.score_time,
                            error=None,
                            digest=split.digest,
                        )
                    )
        if self._verbose:
            say(f"store {self._path}: {len(records)} of {counted(len(pairs), 'fit')} found")
        self._found = {(record.split, record.estimator) for record in records}
        if damage is not None:
            self._failed(damage)
            for record in records:  # for the new store, in place of the damaged one
                self._add(record)
        yield from records

    def through(self, fits: Generator[FitRecord, None, None]) -> Generator[FitRecord, None, None]:
        """Yield the records of fits; each is stored before it is yielded."""
        with closing(fits):
            for record in fits:
                is_new = (record.split, record.estimator) not in self._found
                if is_new and record.error is None:
                    self._add(record)
                yield record
        if self._is_removed:
            warn_user(
                f"The store {str(self._path)!r} was removed while the fits ran; those of this call "
                "are not kept. The scores are not affected.",
                UserWarning,
            )

    def close(self) -> None:
        """Close the store."""
        if self._store is not None:
            self._store.close()

    def _get(self, e: int, k: int, n_losses: int | None) -> StoredFit | None:
        model, key = self._keys.estimators[e], self._keys.of(e, self._rows[k])
        if self._store is None or model is None or key is None:
            return None
        return self._store.get(key, n_losses)

    def _add(self, record: FitRecord) -> None:
        e, key = record.estimator, self._keys.of(record.estimator, self._rows[record.split])
        if self._store is None or key is None:
            return
        fit = StoredFit(record.scores, record.losses, record.fit_time, record.score_time)
        try:
            if e not in self._models:
                self._models[e] = self._store.add_model(*self._model(e))
            self._store.add(key, self._models[e], fit)
        except sqlite3.Error as error:
            self._failed(error)

    def _model(self, e: int) -> tuple[bytes, dict[str, Any]]:
        key, model = self._keys.estimators[e], self._work.estimators[e]
        assert key is not None
        name = one_line(model)
        scoring = self._work.scoring
        metrics = [*scoring.given, *([] if scoring.loss is None else [scoring.loss])]
        return key, {
            "estimator": name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}...",
            "metrics": [str(metric) for metric in metrics],
            "data": self._keys.data.hex(),
            "unseeded": unseeded_parameters(model),
            "versions": versions_of(),
        }

    def _failed(self, error: sqlite3.Error) -> None:
        """Continue with a new store in place of a damaged one, and without a store otherwise."""
        assert self._store is not None
        self._store.close()
        self._store, self._models = _replaced(self._path, error, self._store.identity), {}


@contextmanager
def kept_fits(
    path: Any, work: Workload, X: Any, y: Any, groups: Any, splits: Splits, verbose: int
) -> Iterator[KeptFits | None]:
    """Open a store for a call, or warn that the call continues without one."""
    kept = None if path is None else _open(path, work, X, y, groups, splits, verbose)
    if kept is None:
        yield None
        return
    with closing(kept):
        yield kept


def _open(
    path: Any, work: Workload, X: Any, y: Any, groups: Any, splits: Splits, verbose: int
) -> KeptFits | None:
    path = os.path.abspath(path)  # a fit may change the directory
    store: FitStore | None
    try:
        store = FitStore(path)
    except (sqlite3.Error, OSError) as error:
        store = _replaced(Path(path), error)
    if store is None:
        return None
    try:
        keys = make_keys(work, X, y, groups)
    except UnknownContentError as error:
        store.close()
        warn_user(
            f"store={path!r} saves no fit of this call: {error}. The data and the metrics must be "
            "identifiable; use arrays, frames and functions that can be pickled.",
            UserWarning,
        )
        return None
    if keys.unknown:
        why = next(iter(keys.unknown.values()))
        warn_user(
            f"store={path!r} keeps no fits of {listed(keys.unknown)}: {why}. Such fits are done "
            "each time.",
            UserWarning,
        )
    return KeptFits(store, keys, work, splits, verbose)


def _replaced(
    path: Path, error: Exception, opened: tuple[int, int] | None = None
) -> FitStore | None:
    """Return a new store in place of a damaged one; None, with a warning, if this fails."""
    if isinstance(error, sqlite3.Error) and is_corrupt(error):
        try:
            if opened not in (None, identity_of(path)):  # another process has replaced it
                return FitStore(path)
            aside = set_aside(path)
            store = FitStore(path)
            warn_user(
                f"The store {str(path)!r} is damaged ({error}), and was renamed to "
                f"{aside.name!r}; fits that cannot be read are done again.",
                UserWarning,
            )
            return store
        except (OSError, sqlite3.Error, ValueError) as another:
            error = another
    warn_user(
        f"The store {str(path)!r} cannot be used ({error}); the fits go on, and are not kept from "
        f"here on. The scores are not affected. {store_remedy(error)}.",
        UserWarning,
    )
    return None
