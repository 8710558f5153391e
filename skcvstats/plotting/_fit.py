"""Texts and legends fitted to the room there is, which is measured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._style import plain_text, wrapped

_MOST_COLUMNS = 3
_KEY = 0.5  # inches that a legend takes besides its texts
_MARGIN = 0.08  # inches about what is written inside axes
_LEAST_SHARE = 0.4  # of the axes' height, that is left to the data
_NARROWEST = 8  # characters in a line


def settle(ax: Any) -> None:
    """Have the figure's layout, if it has one, put its axes where they will be."""
    figure = ax.figure.figure  # the whole one, of a subfigure too
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)


def inches(artist: Any) -> Any:
    """Return the box of an artist in inches."""
    return artist.get_window_extent().transformed(artist.figure.dpi_scale_trans.inverted())


def width_of(ax: Any, text: str, size: Any) -> float:
    """Return the width of a text in inches."""
    written = ax.text(0, 0, text, fontsize=size, transform=ax.transAxes)
    width = inches(written).width
    written.remove()
    return float(width)


def fitted(ax: Any, text: str, room: float, size: Any = "medium") -> str:
    """Return a text that is printed as it is, broken into lines of at most `room` inches."""
    plain = plain_text(text)
    width = width_of(ax, plain, size)
    if width <= room:
        return plain
    longest = max(map(len, text.split("\n")))
    characters = max(int(0.95 * longest * room / width), _NARROWEST)
    return plain_text("\n".join(wrapped(line, characters) for line in text.split("\n")))


def title_panel(ax: Any, text: str) -> None:
    """Write a title flush left, in several lines where it is long."""
    title = fitted(ax, text, inches(ax).width)
    ax.set_title(title, loc="left", fontsize="medium")


def name_axis(ax: Any, text: str) -> None:
    """Write what the horizontal axis shows, in several lines where it is long."""
    ax.set_xlabel(fitted(ax, text, inches(ax).width))


def add_legend(axes: Sequence[Any], handles: Sequence[Any], *, own: bool, title: str = "") -> Any:
    """Explain the marks: below the panels of a figure of our own, else inside the first axes.

    Parameters
    ----------
    axes : sequence of matplotlib Axes
        The panels.
    handles : sequence of artists
        The marks, labelled.
    own : bool
        Whether the figure is our own.
    title : str, default=""
        What else to say.
    """
    ax = axes[0]
    room = (inches(ax.figure).width if own else inches(ax).width) - 2 * _MARGIN
    place = {"loc": "outside lower center"} if own else {"loc": "upper left", "borderaxespad": 0.2}
    labels = [fitted(ax, one.get_label(), room - _KEY, "small") for one in handles]
    # A space, as matplotlib 3.9 leaves out what starts with an underscore.
    labels = [f" {label}" if label.startswith("_") else label for label in labels]
    for n_columns in range(min(_MOST_COLUMNS, len(handles)), 0, -1):
        legend = (ax.figure if own else ax).legend(
            handles,
            labels,
            title=fitted(ax, title, room, "small") if title else None,
            title_fontsize="small",
            fontsize="small",
            alignment="left",
            facecolor=ax.get_facecolor(),
            edgecolor="none",
            framealpha=0 if own else 1,
            ncols=n_columns,
            **place,
        )
        if n_columns == 1 or inches(legend).width <= room:
            break
        legend.remove()
    return legend


def height_of(legend: Any) -> float:
    """Return the inches that a legend takes inside axes."""
    return float(inches(legend).height) + _MARGIN


def make_room(axes: Sequence[Any], *, above: float = 0.0, below: float = 0.0) -> None:
    """Lengthen the vertical axes, so that so many inches above and below the data are free."""
    limits = [ax.get_ylim() for ax in axes]
    for ax, (bottom, top) in zip(axes, limits, strict=True):
        height = inches(ax).height
        scale = (top - bottom) / max(height - above - below, _LEAST_SHARE * height)
        ax.set_ylim(bottom - scale * below, top + scale * above)


def room_left(ax: Any) -> float:
    """Return the inches to the left of axes, up to the next axes or the figure's edge."""
    edges = [ax.figure.bbox.x0]
    for other in ax.figure.axes:
        across = other.bbox.y0 < ax.bbox.y1 and ax.bbox.y0 < other.bbox.y1
        if across and other.bbox.x1 <= ax.bbox.x0:
            edges.append(other.bbox.x1)
    return float(ax.bbox.x0 - max(edges)) / ax.figure.dpi - _MARGIN
