"""``store``: lists the finished fits in a store, or removes old and damaged entries."""

import argparse
import sqlite3
import time
from collections import defaultdict
from collections.abc import Mapping
from contextlib import closing
from typing import Any, NamedTuple

from .._utils._text import counted, cut, visible
from ..fitting import FitStore
from ._errors import InputError

_DAY = 86400
_UNKNOWN = "?"  # shown in place of a damaged description of an estimator
_WIDEST = 60
_Facts = Mapping[int, Mapping[str, Any]]


class Entry(NamedTuple):
    """A fit in a store."""

    row: int
    model: int
    written: float
    size: int
    is_whole: bool


def store(options: argparse.Namespace) -> int:
    """List the entries of a store, or remove some."""
    if options.older_than is not None and options.older_than < 0:
        raise InputError(f"--older-than {options.older_than:g}: give 0 days or more")
    try:
        with closing(FitStore(options.file, create=False)) as opened:
            facts = defaultdict(dict, {model: found or {} for model, found in opened.models()})
            entries = [Entry(*entry) for entry in opened.entries()]
            chosen, now = entries, time.time()
            if options.older_than is not None:
                chosen = [one for one in chosen if (now - one.written) / _DAY > options.older_than]
            if options.data is not None:
                chosen = [one for one in chosen if _data(facts[one.model]).startswith(options.data)]
            if options.prune:
                asked = options.older_than is not None or options.data is not None
                _prune(opened, entries, chosen if asked else [])
            else:
                _list(chosen, facts)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InputError(f"{options.file!r} cannot be read: {error.strerror}.") from error
    except sqlite3.Error as error:
        what = "changed" if options.prune else "read"
        raise InputError(
            f"{options.file!r} cannot be {what}: {error}. {FitStore.remedy(error)}."
        ) from error
    return 0


def _prune(opened: FitStore, entries: list[Entry], chosen: list[Entry]) -> None:
    """Remove the chosen entries and all damaged ones."""
    damaged = [entry for entry in entries if not entry.is_whole]
    gone = {entry.row for entry in (*damaged, *chosen)}
    opened.remove(list(gone))
    print(
        f"{counted(len(gone), 'fit')} removed, {len(damaged)} of them damaged; "
        f"{len(entries) - len(gone)} kept."
    )


def _list(chosen: list[Entry], facts: _Facts) -> None:
    models = list(dict.fromkeys(entry.model for entry in chosen))
    whole = [entry for entry in chosen if entry.is_whole]
    n_data = len({_data(facts[model]) for model in models})
    print(
        f"{counted(len(whole), 'fit')} of {counted(len(models), 'estimator')} on "
        f"{counted(n_data, 'data set')}, "
        f"{sum(entry.size for entry in chosen) / 1000:.1f} kB; "
        f"{len(chosen) - len(whole)} damaged."
    )
    if not chosen:
        return
    rows = [("data", "fits", "first", "last", "metric", "estimator")]
    every: dict[str, None] = {}
    for model in models:
        about = facts[model]
        times = (time.gmtime(entry.written) for entry in whole if entry.model == model)
        dates = sorted(time.strftime("%Y-%m-%d", written) for written in times)
        first, last = (dates[0], dates[-1]) if dates else (_UNKNOWN, _UNKNOWN)
        metrics, versions = about.get("metrics"), about.get("versions")
        metric = ", ".join(map(str, metrics)) if isinstance(metrics, list) else _UNKNOWN
        estimator = cut(str(about.get("estimator", _UNKNOWN)), _WIDEST)
        estimator += " (unseeded)" if about.get("unseeded") else ""
        n_fits = str(len(dates))
        rows.append((_data(about)[:8], n_fits, first, last, visible(metric), estimator))
        of_packages = versions.items() if isinstance(versions, Mapping) else ()
        every[", ".join(f"{name} {version}" for name, version in of_packages) or _UNKNOWN] = None
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    print()
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        print("  ".join(cells).rstrip())
    print()
    for versions in every:
        print(f"Versions: {visible(versions)}.")


def _data(about: Mapping[str, Any]) -> str:
    found = about.get("data")
    return found if isinstance(found, str) else _UNKNOWN
