"""Pictures for a page: an SVG in the page's own colours, so that it can be light or dark."""

from __future__ import annotations

from ._style import BLUE, GREEN, GREY, PURPLE, VERMILION

# What is drawn for a page has these in the place of black and white, and no picture has them else.
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
# Of matplotlib, whatever the user's own style is.
PAGE_STYLE = {
    "axes.edgecolor": _INK,
    "axes.facecolor": _GROUND,
    "axes.labelcolor": _INK,
    "axes.titlecolor": "auto",
    "figure.facecolor": "none",
    "grid.color": "#b0b0b0",  # half transparent, so that it is seen on both
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

    Text and axes have the colour of the page's text, the ground is that of the CSS variable
    ``--ground``, and marks are those of ``--blue``, ``--vermilion``, ``--green``, ``--purple`` and
    ``--grey``; where these are not set, they are as in any picture.

    Parameters
    ----------
    drawn : bytes
        An SVG that was drawn in `PAGE_STYLE`.
    """
    for drawn_colour, colour in _OF_THE_PAGE.items():
        drawn = drawn.replace(drawn_colour.encode(), colour.encode())
    return drawn
