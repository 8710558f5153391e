"""Reuse fits from a store: the keys of fits, and KeptFits, which finds them and adds new ones."""

import os
import sqlite3
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from sklearn import get_config

from .._utils._arrays import digest_of
from .._utils._checks import listed, one_line, random_states
from .._utils._text import counted
from .._utils._warn import warn_user
from ..scores import Note
from ._content import ContentReader, UnknownContentError, version_of
from ._fit import OF_TRAINING, FitRecord, Workload
from ._plan import FitPlan
from ._splits import Splits
from ._store import FitStore, StoredFit, identity_of, is_corrupt, set_aside

T = TypeVar("T")

# To be changed if the same key would stand for other numbers.
_DERIVATION = "1"
# Among the scores of an entry: whether another random state gave other predictions, 1 or 0.
_OF_STATE, _NOT_VARIED = "\0depends on its random_state", -1.0
_PACKAGES = ("numpy", "scipy", "sklearn", "skcvstats")
# Settings of scikit-learn that only change what is displayed.
_SHOWN = ("display", "print_changed_only")


class FitKeys(NamedTuple):
    """The keys of the fits of a call: of what `compare_estimators` names in its Notes."""

    # Also of requested metadata, of whether rows are scored, and of scikit-learn's settings. The
    # order of rows counts, the processor does not, although both may change the last bits.

    data: bytes
    estimators: tuple[bytes | None, ...]
    unknown: dict[str, str]

    def of(self, e: int, split: bytes) -> bytes | None:
        estimator = self.estimators[e]
        return None if estimator is None else digest_of(estimator, split)


def make_keys(plan: FitPlan) -> FitKeys:
    """Read the data, the estimators and the metrics once."""
    reader, work = ContentReader(), plan.work
    data = digest_of("data", *(reader.digest(part) for part in (plan.X, plan.y, plan.groups)))
    metrics = {metric.name: metric.given for metric in work.metrics}
    scored = len(work.row_metrics) == len(metrics) or sorted(work.row_metrics) or None
    facts = _sorted(metrics), scored, _sorted(work.score_params)
    of_training = (OF_TRAINING,) if work.of_training else ()
    shared = key_of(data, *facts, *of_training, reader=reader)
    keys: list[bytes | None] = []
    unknown: dict[str, str] = {}
    for name, model, params in zip(work.names, work.estimators, work.fit_params, strict=True):
        try:
            own = reader.digest(model, cloned=True)
            seeded = () if work.seed is None or not random_states(model) else (str(work.seed), name)
            keys.append(digest_of(shared, own, reader.digest(_sorted(params)), *seeded))
        except UnknownContentError as error:
            keys.append(None)
            unknown[name] = str(error)
    return FitKeys(data, tuple(keys), unknown)


def key_of(*values: Any, reader: ContentReader | None = None) -> bytes:
    """Return the key of some values, under the settings and the versions of this process."""
    reader = reader or ContentReader()
    return digest_of(
        _DERIVATION,
        *(reader.digest(value) for value in values),
        reader.digest(_sorted({k: v for k, v in get_config().items() if k not in _SHOWN})),
        *(version_of(package) for package in _PACKAGES),
    )


def _sorted(values: Mapping[str, Any]) -> dict[str, Any]:
    return dict(sorted(values.items()))


def contents_of(plan: FitPlan) -> dict[str, Any]:
    """Return fingerprints of the data and of each estimator, as plain data."""
    try:
        keys = make_keys(plan)
    except UnknownContentError:
        return {"data": None, "estimators": None}
    digests = (None if key is None else key.hex() for key in keys.estimators)
    return {"data": keys.data.hex(), "estimators": dict(zip(plan.work.names, digests, strict=True))}


_LONGEST_NAME = 300


class OpenStore:
    """A store that a call uses; where it cannot be used, a warning says so and the call goes on."""

    def __init__(self, path: Any, what: str = "fits") -> None:
        self.path = Path(os.path.abspath(path))  # a fit may change the directory
        self._what = what
        self._models: dict[bytes, int] = {}
        self._store: FitStore | None = None
        try:
            self._store = FitStore(self.path)
        except (sqlite3.Error, OSError) as error:
            self._replace(error)

    @property
    def is_usable(self) -> bool:
        """Whether anything is read from it and written to it."""
        return self._store is not None

    @property
    def note(self) -> str:
        """The text to add to an error that ends the call."""
        if self._store is None:
            return f"skcvstats: the store {self.path} could not be used"
        if self._is_removed:
            return f"skcvstats: the store {self.path} was removed while the {self._what} ran"
        return f"skcvstats: the {self._what} that were finished are kept in {self.path}"

    @property
    def _is_removed(self) -> bool:
        return self._store is not None and not self.path.exists()

    def find(
        self, keys: Mapping[T, tuple[bytes, int | None]], add: Callable[[T, StoredFit], None]
    ) -> dict[T, StoredFit]:
        """Return what is there for some things; add it where a store replaces a damaged one."""
        found: dict[T, StoredFit] = {}
        damage: sqlite3.Error | None = None
        for thing, (key, size) in keys.items():
            try:
                fit = None if self._store is None else self._store.get(key, size)
            except sqlite3.Error as error:
                damage, fit = error, None
            if fit is not None:
                found[thing] = fit
        if damage is not None:
            self._replace(damage)
            for thing, fit in found.items():
                add(thing, fit)
        return found

    def add(
        self, key: bytes, fit: StoredFit, model: bytes, facts: Callable[[], Mapping[str, Any]]
    ) -> None:
        """Keep a fit of a model, which has a key and facts to be shown."""
        for _ in range(2):  # again where the first try finds damage, and a new store replaces it
            if self._store is None:
                return
            try:
                if model not in self._models:
                    self._models[model] = self._store.add_model(model, facts())
                self._store.add(key, self._models[model], fit)
                return
            except sqlite3.Error as error:
                self._replace(error)

    def warn_if_removed(self) -> None:
        """Warn at the end of a call if the file has gone."""
        if self._is_removed:
            warn_user(
                f"The store {str(self.path)!r} was removed while the {self._what} ran; those of "
                "this call are not kept. The scores are not affected."
            )

    def close(self) -> None:
        if self._store is not None:
            self._store.close()

    def _replace(self, error: Exception) -> None:
        """Continue with a new store in place of a damaged one, and without a store otherwise."""
        opened = None if self._store is None else self._store.identity
        self.close()
        self._store, self._models = None, {}
        if isinstance(error, sqlite3.Error) and is_corrupt(error):
            try:
                if opened not in (None, identity_of(self.path)):  # another process has replaced it
                    self._store = FitStore(self.path)
                    return
                aside = set_aside(self.path)
                self._store = FitStore(self.path)
                warn_user(
                    f"The store {str(self.path)!r} is damaged ({error}), and was renamed to "
                    f"{aside.name!r}; {self._what} that cannot be read are done again."
                )
                return
            except (OSError, sqlite3.Error, ValueError) as another:
                error = another
        warn_user(
            f"The store {str(self.path)!r} cannot be used ({error}); the {self._what} go on, and "
            f"are not kept from here on. The scores are not affected. {FitStore.remedy(error)}."
        )


@dataclass(frozen=True)
class KeptFits:
    """The fits of a call in a store."""

    store: OpenStore
    keys: FitKeys
    work: Workload
    splits: Splits
    verbose: int
    _rows: dict[int, bytes] = field(default_factory=dict)  # of splits, with the order of rows
    _found: set[tuple[int, int]] = field(default_factory=set)

    @property
    def notes(self) -> tuple[Note, ...]:
        found = sorted({e for _, e in self._found})
        unseeded = [self.work.names[e] for e in found if self.work.unseeded[e]]
        if not unseeded:
            return ()
        text = (
            f"fits of {listed(unseeded)} come from the store and have no random_state: if they "
            "draw random numbers, new fits would give other scores"
        )
        return (Note("unseeded fits in a store", text, None),)

    def find(self, pairs: Sequence[tuple[int, int]]) -> Iterator[FitRecord]:
        """Yield the records of the fits that are in the store."""
        keys: dict[tuple[int, int], tuple[bytes, int | None]] = {}
        digests: dict[int, str] = {}
        metrics = self.work.row_metrics
        by_split = {k: [e for _, e in group] for k, group in groupby(pairs, key=itemgetter(0))}
        for (k, members), split in zip(by_split.items(), self.splits.take(by_split), strict=True):
            sides = (np.ascontiguousarray(rows, dtype="<i8") for rows in (split.train, split.test))
            self._rows[k] = digest_of(*(rows.view(np.uint8).data for rows in sides))
            digests[k] = split.digest
            for e in members:
                key = self.keys.of(e, self._rows[k])
                if key is not None:
                    keys[k, e] = key, len(metrics) * split.test.size if metrics else None
        found = self.store.find(keys, self._add)
        tried = {(k, e) for k, e in found if self.work.tried[e] and k == 0}
        found = {at: fit for at, fit in found.items() if at not in tried or _OF_STATE in fit.scores}
        if self.verbose:
            where = f"store {self.store.path}"
            say(f"{where}: {len(found)} of {counted(len(pairs), 'fit')} found")
        self._found.update(found)
        for (k, e), fit in found.items():
            rows = [] if fit.array is None else np.split(fit.array, len(metrics))
            of_rows, times = dict(zip(metrics, rows, strict=False)), (fit.fit_time, fit.score_time)
            scores = {name: score for name, score in fit.scores.items() if name != _OF_STATE}
            state = fit.scores[_OF_STATE] if (k, e) in tried else _NOT_VARIED
            depends = None if state == _NOT_VARIED else bool(state)
            yield FitRecord(e, k, scores, of_rows, *times, digest=digests[k], depends=depends)

    def through(self, fits: Generator[FitRecord, None, None]) -> Generator[FitRecord, None, None]:
        """Yield the records of fits; each is stored before it is yielded."""
        with closing(fits):
            for record in fits:
                pair = record.split, record.estimator
                if pair not in self._found and record.error is None:
                    rows = [record.row_scores[metric] for metric in self.work.row_metrics]
                    array = np.concatenate(rows) if rows else None
                    state = _NOT_VARIED if record.depends is None else float(record.depends)
                    is_tried = self.work.tried[record.estimator] and record.split == 0
                    known = {_OF_STATE: state} if is_tried else {}
                    scores, times = {**record.scores, **known}, (record.fit_time, record.score_time)
                    self._add(pair, StoredFit(scores, array, *times))
                yield record
        self.store.warn_if_removed()

    def _add(self, pair: tuple[int, int], fit: StoredFit) -> None:
        k, e = pair
        key, model = self.keys.of(e, self._rows[k]), self.keys.estimators[e]
        if key is not None and model is not None:
            self.store.add(key, fit, model, lambda: self._facts(e))

    def _facts(self, e: int) -> dict[str, Any]:
        work = self.work
        names = [metric.name for metric in work.metrics]
        about = one_line(work.estimators[e]), names, self.keys.data
        return facts_of(*about, work.unseeded[e])


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


@dataclass(frozen=True)
class KeptArrays:
    """Arrays of numbers in a store, by number: what a call computes from the same things."""

    store: OpenStore
    key: bytes
    facts: Mapping[str, Any]

    def find(self, numbers: Iterable[int], size: int) -> dict[int, np.ndarray]:
        found = self.store.find({k: (self._key_of(k), size) for k in numbers}, self._add)
        return {k: fit.array for k, fit in found.items() if fit.array is not None}

    def add(self, number: int, array: np.ndarray) -> None:
        self._add(number, StoredFit({}, array, 0.0, 0.0))

    def _add(self, number: int, fit: StoredFit) -> None:
        self.store.add(self._key_of(number), fit, self.key, lambda: self.facts)

    def _key_of(self, number: int) -> bytes:
        return digest_of(self.key, str(number))


def say(line: str) -> None:
    """Print a line to standard error, above a progress bar if there is one."""
    try:
        from tqdm import tqdm
    except ImportError:
        print(line, file=sys.stderr)
    else:
        tqdm.write(line, file=sys.stderr)


@contextmanager
def kept_fits(plan: FitPlan, splits: Splits) -> Iterator[KeptFits | None]:
    """Open a store for a call, or warn that the call continues without one."""
    with _opened(plan.options.store, "fits", lambda: make_keys(plan)) as opened:
        if opened is None:
            yield None
            return
        store, keys = opened
        if keys.unknown:
            why = next(iter(keys.unknown.values()))
            warn_user(
                f"store={str(store.path)!r} keeps no fits of {listed(keys.unknown)}: {why}. Such "
                "fits are done each time."
            )
        yield KeptFits(store, keys, plan.work, splits, plan.options.verbose)


@contextmanager
def kept_arrays(
    path: Any, what: str, data: Any, estimators: Mapping[str, Any], metric: str, *further: Any
) -> Iterator[KeptArrays | None]:
    """Open a store for arrays that depend on these things, or warn that there is none."""

    def read() -> tuple[bytes, Mapping[str, Any]]:
        reader = ContentReader()
        data_key = key_of(*data, reader=reader)
        models = reader.digest(list(estimators.values()), cloned=True)
        named = ", ".join(f"{name}={one_line(model)}" for name, model in estimators.items())
        facts = facts_of(f"{what} of {named}", [metric], data_key)
        return key_of(data_key, models, *further, reader=reader), facts

    with _opened(path, what, read) as opened:
        yield None if opened is None else KeptArrays(opened[0], *opened[1])


@contextmanager
def _opened(path: Any, what: str, read: Callable[[], T]) -> Iterator[tuple[OpenStore, T] | None]:
    """Open a store and read what its keys need, or warn that the call continues without one."""
    if path is None:
        yield None
        return
    with closing(OpenStore(path, what)) as store:
        opened = None
        try:
            opened = (store, read()) if store.is_usable else None
        except UnknownContentError as error:
            warn_user(
                f"store={str(store.path)!r} keeps no {what} of this call: {error}. Use arrays, "
                "frames, functions and estimators that can be pickled."
            )
        yield opened
