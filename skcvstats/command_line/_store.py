"""``store``: lists the finished fits in a store, or removes old and damaged entries."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple

from .._utils._text import counted, visible
from ._errors import InputError

if TYPE_CHECKING:
    import argparse

    from ..fitting import FitStore

_DAY = 86400
_UNKNOWN = "?"  # shown in place of a damaged description of an estimator
_WIDEST = 60


class Entry(NamedTuple):
    """A fit in a store."""

    row: int
    model: int
    written: float
    size: int
    is_whole: bool


def store(options: argparse.Namespace) -> int:
    """List the entries of a store, or remove some."""
    from ..fitting import store_remedy

    if options.older_than is not None and options.older_than < 0:
        raise InputError(f"--older-than {options.older_than:g}: give 0 days or more")
    try:
        with closing(_opened(options.file)) as opened:
            facts = dict(opened.models())
            entries = [Entry(*entry) for entry in opened.entries()]
            chosen = [entry for entry in entries if _is_chosen(entry, facts, options)]
            if options.prune:
                _prune(opened, entries, chosen, options)
            else:
                _list(chosen, facts)
    except sqlite3.Error as error:
        what = "changed" if options.prune else "read"
        raise InputError(
            f"{options.file!r} cannot be {what}: {error}. {store_remedy(error)}."
        ) from error
    return 0


def _opened(file: str) -> FitStore:
    from ..fitting import FitStore

    try:
        return FitStore(file, create=False)
    except OSError as error:
        raise InputError(f"{file!r} cannot be read: {error.strerror}.") from error


def _is_chosen(
    entry: Entry, facts: Mapping[int, Mapping[str, Any] | None], options: argparse.Namespace
) -> bool:
    if options.older_than is not None:
        is_old = entry.written < time.time() - options.older_than * _DAY
        if not is_old:
            return False
    if options.data is not None:
        return _fact(facts, entry.model, "data").startswith(options.data)
    return True


def _fact(facts: Mapping[int, Mapping[str, Any] | None], model: int, name: str) -> str:
    found = (facts.get(model) or {}).get(name)
    return found if isinstance(found, str) else _UNKNOWN


def _prune(
    opened: FitStore, entries: Iterable[Entry], chosen: list[Entry], options: argparse.Namespace
) -> None:
    """Remove the chosen entries and all damaged ones."""
    entries = list(entries)
    damaged = [entry for entry in entries if not entry.is_whole]
    asked = options.older_than is not None or options.data is not None
    gone = {entry.row for entry in (*damaged, *(chosen if asked else ()))}
    opened.remove(list(gone))
    print(
        f"{counted(len(gone), 'fit')} removed, {len(damaged)} of them damaged; "
        f"{len(entries) - len(gone)} kept."
    )


def _list(chosen: list[Entry], facts: Mapping[int, Mapping[str, Any] | None]) -> None:
    models = list(dict.fromkeys(entry.model for entry in chosen))
    whole = [entry for entry in chosen if entry.is_whole]
    n_data = len({_fact(facts, model, "data") for model in models})
    print(
        f"{counted(len(whole), 'fit')} of {counted(len(models), 'estimator')} on "
        f"{n_data} data set{'' if n_data == 1 else 's'}, "
        f"{sum(entry.size for entry in chosen) / 1000:.1f} kB; "
        f"{len(chosen) - len(whole)} damaged."
    )
    if not chosen:
        return
    rows = [("data", "fits", "first", "last", "metric", "estimator")]
    for model in models:
        dates = sorted(_date(entry.written) for entry in whole if entry.model == model)
        rows.append(
            (
                _fact(facts, model, "data")[:8],
                str(len(dates)),
                *((dates[0], dates[-1]) if dates else (_UNKNOWN, _UNKNOWN)),
                _metrics(facts.get(model)),
                _estimator(facts.get(model)),
            )
        )
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    print()
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        print("  ".join(cells).rstrip())
    print()
    for versions in dict.fromkeys(_versions(facts.get(model)) for model in models):
        print(f"Versions: {versions}.")


def _date(seconds: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(seconds))


def _metrics(facts: Mapping[str, Any] | None) -> str:
    metrics = (facts or {}).get("metrics")
    return visible(", ".join(map(str, metrics))) if isinstance(metrics, list) else _UNKNOWN


def _estimator(facts: Mapping[str, Any] | None) -> str:
    name = visible(str((facts or {}).get("estimator", _UNKNOWN)))
    short = name if len(name) <= _WIDEST else f"{name[: _WIDEST - 3]}..."
    return f"{short} (unseeded)" if (facts or {}).get("unseeded") else short


def _versions(facts: Mapping[str, Any] | None) -> str:
    versions = (facts or {}).get("versions")
    if not isinstance(versions, Mapping):
        return _UNKNOWN
    return visible(", ".join(f"{name} {version}" for name, version in versions.items()))
