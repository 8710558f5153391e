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
    """Register the functions that draw results, in place of any others.

    Parameters
    ----------
    draw : callable
        Takes a result, a kind of picture, axes and options, and returns a display.
    write : callable
        Takes a result, a kind of picture and a format of files, and returns the file.
    """
    _DRAWERS[:] = [_Drawer(draw, write)]


def draw_result(result: Any, kind: str | None, ax: Any, options: dict[str, Any]) -> Any:
    """Draw a result.

    Parameters
    ----------
    result : object
        What to draw.
    kind : str or None
        Which picture; None is the default for this kind of result.
    ax : matplotlib Axes, array-like of Axes, or None
        Where to draw.
    options : dict
        Options of the display.

    Returns
    -------
    object
        The display, drawn.
    """
    (drawer,) = _DRAWERS
    return drawer.draw(result, kind, ax, **options)


def picture_file(result: Any, kind: str, file_format: str) -> bytes:
    """Draw a result into a file, for a report.

    Parameters
    ----------
    result : object
        What to draw.
    kind : str
        Which picture.
    file_format : str
        Such as "svg" or "pdf"; "html" is an SVG in the colours of the page around it.

    Returns
    -------
    bytes
        The content of the file.

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    """
    (drawer,) = _DRAWERS
    return drawer.write(result, kind, file_format)
