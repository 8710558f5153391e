"""The axes to draw on: the only place that imports matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def new_axes(display: str, n_rows: int = 1, n_columns: int = 1) -> np.ndarray:
    """Return axes in a new figure, whose layout makes room for what is written around them.

    Parameters
    ----------
    display : str
        Who asks, for the message.
    n_rows, n_columns : int, default=1
        How many.

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    """
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(
            f"{display}.plot needs matplotlib, which is not installed: pip install "
            '"skcvstats[plots]"'
        ) from error
    axes = plt.subplots(n_rows, n_columns, squeeze=False, layout="constrained")[1]
    return np.ravel(axes)


def axes_for(display: str, ax: Any) -> Any:
    """Return the axes given, or new ones.

    Parameters
    ----------
    display : str
        Who asks, for the message.
    ax : matplotlib Axes or None
        What the user gave.

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    TypeError
        If something else than axes was given.
    ValueError
        If several axes were given.
    """
    if ax is None:
        return new_axes(display)[0]
    given = _checked(display, ax)
    if len(given) != 1:
        raise ValueError(f"{display}.plot draws on one axes, got {len(given)}. Pass one of them.")
    return given[0]


def one_axes_each(display: str, ax: Any, titles: Sequence[str]) -> np.ndarray:
    """Return the axes given, one for each title.

    Parameters
    ----------
    display : str
        Who asks, for the message.
    ax : matplotlib Axes or array-like of Axes
        What the user gave.
    titles : sequence of str
        What the panels show.

    Raises
    ------
    TypeError
        If something else than axes was given.
    ValueError
        If there are not as many axes as titles.
    """
    given = _checked(display, ax)
    if len(given) == len(titles):
        return given
    fewer = len(given) < len(titles)
    remedy = "an array of them, or choose one with metric=" if fewer else "only as many of them"
    raise ValueError(
        f"{display}.plot needs {len(titles)} axes, one for each of {list(titles)}, got "
        f"{len(given)}. Pass ax= {remedy}."
    )


def raised(ax: Any, transform: Any, points: float) -> Any:
    """Return a transform to a place that is so many points higher."""
    from matplotlib.transforms import ScaledTranslation

    return transform + ScaledTranslation(0, points / 72, ax.figure.dpi_scale_trans)


def _checked(display: str, ax: Any) -> np.ndarray:
    from matplotlib.axes import Axes

    given = np.ravel(np.asarray(ax, dtype=object))
    for one in given:
        if not isinstance(one, Axes):
            raise TypeError(
                f"{display}.plot needs matplotlib Axes for ax=, such as plt.subplots()[1], got "
                f"{one!r} of type {type(one).__name__}. Leave ax= out for a new figure."
            )
    return given
