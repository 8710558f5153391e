"""Pictures for a page: SVG in the colours of the page, which may be light or dark."""

from __future__ import annotations

from ._style import BLUE, GREEN, GREY, PURPLE, VERMILION

# Stand-ins for black and white in pictures for a page; no other colour is the same as these.
_INK, _GROUND = "#010101", "#fefefe"
_OF_THE_PAGE = {
    _INK: "currentColor",
    _GROUND: "var(--ground, Canvas)",
    **{
        colour.lower(): f"var(--{name}, {colour})"
        for name, colour in {
            "blue": BLUE,
            "vermilion": VERMILION,
            "green": GREEN,
            "purple": PURPLE,
            "grey": GREY,
        }.items()
    },
}
# Matplotlib's parameters, whatever the style of the user.
PAGE_STYLE = {
    "axes.edgecolor": _INK,
    "axes.facecolor": _GROUND,
    "axes.labelcolor": _INK,
    "axes.titlecolor": "auto",
    "figure.facecolor": "none",
    "grid.color": "#b0b0b0",  # half transparent, so that it is visible on light and dark
    "legend.labelcolor": _INK,
    "savefig.facecolor": "auto",
    "savefig.transparent": False,
    "svg.fonttype": "path",
    "text.color": _INK,
    "xtick.color": _INK,
    "xtick.labelcolor": "inherit",
    "ytick.color": _INK,
    "ytick.labelcolor": "inherit",
}


def in_colours_of_the_page(drawn: bytes) -> bytes:
    """Return an SVG that takes its colours from the page that it is in.

    Text and axes have the colour of the page's text. The background has the colour of the CSS
    variable ``--ground``, and marks those of ``--blue``, ``--vermilion``, ``--green``, ``--purple``
    and ``--grey``, or the usual colours if these are not set.
    """
    for drawn_colour, colour in _OF_THE_PAGE.items():
        drawn = drawn.replace(drawn_colour.encode(), colour.encode())
    return drawn
