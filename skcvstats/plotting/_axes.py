"""The axes to draw on: the only place that imports matplotlib."""

from __future__ import annotations

from typing import Any


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
    """
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(
            f"{display}.plot needs matplotlib, which is not installed: pip install "
            '"skcvstats[plots]"'
        ) from error
    return plt.subplots()[1]
