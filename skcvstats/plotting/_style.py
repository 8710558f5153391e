"""Colours, sizes and panels that the displays share."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

import numpy as np

from ._axes import axes_for

# Okabe and Ito's colours, which colour-blind readers can tell apart too.
BLUE, VERMILION, GREY, BLACK = "#0072B2", "#D55E00", "#767676", "#222222"

# What each outcome of a comparison looks like: colour, marker, and filling.
_MARKS = {
    "above": (BLUE, "o", BLUE),
    "below": (VERMILION, "s", VERMILION),
    "not shown": (GREY, "o", "white"),
    "undetermined": (GREY, "X", "white"),
}
_MANY = 40  # rows, from which on they are set closer
_LINE, _SMALL_LINE, _GAP, _CHARACTER = 0.18, 0.13, 0.12, 0.085  # inches
_WIDEST_NAME, _WIDEST_TITLE = 30, 62  # characters in a line


def mark_of(outcome: str) -> tuple[str, str, str]:
    """Return the colour, the marker and the filling of an outcome of a comparison."""
    return _MARKS[outcome]


def panels_for(
    display: str, ax: Any, titles: Sequence[str], rows: Sequence[str], *, stacked: bool = False
) -> np.ndarray:
    """Return one axes for each panel: those given, or new ones in a figure of their own.

    Parameters
    ----------
    display : str
        Who asks, for the message.
    ax : matplotlib Axes, array-like of Axes, or None
        What the user gave.
    titles : sequence of str
        What the panels show.
    rows : sequence of str
        The wrapped names of the rows of a panel.
    stacked : bool, default=False
        Whether new panels go below each other, each with its names, instead of side by side.

    Raises
    ------
    ValueError
        If there are not as many axes as panels.
    """
    n_panels = len(titles)
    if ax is not None:
        given = np.ravel(np.asarray(ax, dtype=object))
        if len(given) != n_panels:
            raise ValueError(
                f"{display}.plot needs {n_panels} axes, one for each of {list(titles)}, got "
                f"{len(given)}. Pass ax= an array of them, or choose one with metric=."
            )
        return given
    first = axes_for(display, None)
    figure = first.figure
    figure.set_layout_engine("constrained")
    names = _CHARACTER * max(len(line) for row in rows for line in row.splitlines())
    line = _LINE if len(rows) <= _MANY else _SMALL_LINE
    height = sum(_GAP + line * (1 + row.count("\n")) for row in rows)
    if stacked or n_panels == 1:
        figure.set_size_inches(max(names + 4.8, 6.8), 0.6 + n_panels * (height + 1.1))
    else:
        figure.set_size_inches(names + 4.2 * n_panels, height + 1.7)
    if n_panels == 1:
        return np.array([first], dtype=object)
    first.remove()
    return np.ravel(figure.subplots(*((n_panels, 1) if stacked else (1, n_panels))))


def name_rows(ax: Any, rows: Sequence[str]) -> None:
    """Put the names at the rows of a panel, the first on top, smaller where there are many."""
    size = "medium" if len(rows) <= _MANY else "x-small"
    ax.set_yticks(range(len(rows)), [plain_text(row) for row in rows], fontsize=size)
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)


def legend_below(axes: np.ndarray, handles: Sequence[Any], *, own: bool) -> None:
    """Explain the marks: below the panels of a figure of our own, else inside the first axes."""
    if own:
        axes[0].figure.legend(
            handles=handles, loc="outside lower center", frameon=False, fontsize="small", ncols=3
        )
    else:
        axes[0].legend(handles=handles, loc="best", fontsize="small")


def title_panel(ax: Any, text: str, *, pad: float = 6) -> None:
    """Write a title flush left, in several lines where it is long."""
    lines = wrapped(text, _WIDEST_TITLE)
    ax.set_title(plain_text(lines), loc="left", fontsize="medium", pad=pad)


def wrapped(name: str, width: int = _WIDEST_NAME) -> str:
    """Break a long name into lines."""
    return "\n".join(textwrap.wrap(name, width, break_on_hyphens=False)) or name


def plain_text(name: str) -> str:
    """Return a name that matplotlib prints as it is, instead of as mathematics."""
    return name.replace("$", r"\$")


def light(ax: Any) -> None:
    """Take away the frame but for the axis below, and have few marks on it."""
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    ax.set_axisbelow(True)
    ax.xaxis.grid(True, color="0.92", lw=0.8)
