"""Who imports the rooms that most users need: they are above, so `skcvstats` enters it here."""

from __future__ import annotations

from collections.abc import Callable

# What `skcvstats` enters when it is imported.
_IMPORTERS: list[Callable[[], None]] = []


def enter_importer(import_core: Callable[[], None]) -> None:
    """Have the rooms imported by a function, in the place of any other.

    Parameters
    ----------
    import_core : callable
        Takes nothing.
    """
    _IMPORTERS[:] = [import_core]


def import_core() -> None:
    """Import the rooms that most users need, procedures included.

    An object that was unpickled may come before them.
    """
    for importer in _IMPORTERS:
        importer()
