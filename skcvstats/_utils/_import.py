"""The function that imports the rooms above; `skcvstats` registers it here."""

from __future__ import annotations

from collections.abc import Callable

# Registered by `skcvstats` when it is imported.
_IMPORTERS: list[Callable[[], None]] = []


def enter_importer(import_core: Callable[[], None]) -> None:
    """Register the function that imports the rooms, in place of any other."""
    _IMPORTERS[:] = [import_core]


def import_core() -> None:
    """Import the rooms that most users need, procedures included.

    An unpickled object may exist before they are imported.
    """
    for importer in _IMPORTERS:
        importer()
