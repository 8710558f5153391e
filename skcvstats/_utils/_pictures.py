"""Who draws results. Pictures stand above what they show, so the drawer is entered from there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# What `skcvstats` enters when it is imported: one function, which imports plotting when called.
_DRAWERS: list[Callable[..., Any]] = []


def enter_drawer(draw: Callable[..., Any]) -> None:
    """Have results drawn by a function, in the place of any other.

    Parameters
    ----------
    draw : callable
        Takes a result, a kind of picture, axes and options, and returns a display.
    """
    _DRAWERS[:] = [draw]


def draw_result(result: Any, kind: str | None, ax: Any, options: dict[str, Any]) -> Any:
    """Draw a result.

    Parameters
    ----------
    result : object
        What to draw.
    kind : str or None
        Which picture; None is the usual one of such results.
    ax : matplotlib Axes, array-like of Axes, or None
        Where to draw.
    options : dict
        Those of the display.

    Returns
    -------
    object
        The display, drawn.
    """
    (draw,) = _DRAWERS
    return draw(result, kind, ax, **options)
