"""The functions that draw results; `skcvstats` registers them, as plotting is a room above."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class _Drawer(NamedTuple):
    draw: Callable[..., Any]
    write: Callable[[Any, str, str], bytes]


# Registered by `skcvstats` when it is imported: functions that import plotting when called.
_DRAWERS: list[_Drawer] = []


def enter_drawer(draw: Callable[..., Any], write: Callable[[Any, str, str], bytes]) -> None:
    """Register the functions that draw results, in place of any others."""
    _DRAWERS[:] = [_Drawer(draw, write)]


def draw_result(result: Any, kind: str | None, ax: Any, options: dict[str, Any]) -> Any:
    """Draw a result."""
    (drawer,) = _DRAWERS
    return drawer.draw(result, kind, ax, **options)


def picture_file(result: Any, kind: str, file_format: str) -> bytes:
    """Draw a result into a file, for a report."""
    (drawer,) = _DRAWERS
    return drawer.write(result, kind, file_format)
