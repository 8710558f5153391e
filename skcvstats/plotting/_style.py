"""Colours and marks that the displays share."""

from typing import Any, NamedTuple

# Okabe and Ito's colours, which colour-blind readers can distinguish.
BLUE, VERMILION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
ORANGE, SKY = "#E69F00", "#56B4E9"
GREY = "#7F7F7F"  # as far from white as from black, so that it is visible on both


class Mark(NamedTuple):
    """The look of a kind of claim; each is different even without colour."""

    colour: str
    marker: str
    filled: bool


# By outcome, in the order of a legend.
MARKS = {
    "higher by more": Mark(BLUE, "^", True),
    "lower by more": Mark(VERMILION, "v", True),
    "higher by less": Mark(BLUE, "^", False),
    "lower by less": Mark(VERMILION, "v", False),
    "higher": Mark(BLUE, "o", True),
    "lower": Mark(VERMILION, "s", True),
    "different": Mark(PURPLE, "*", True),
    "equivalent": Mark(GREEN, "P", True),
    "not worse": Mark(GREEN, "d", False),
    "not better": Mark(PURPLE, "s", False),
    "not significant": Mark(GREY, "o", False),
    "undetermined": Mark(GREY, "X", False),
}
_LARGER = {"*": 9, "d": 8, "P": 7, "^": 7, "v": 7}  # shapes that look small at 6 points


def ink(ax: Any) -> Any:
    """Return the text colour of the axes: black, or white on a dark background."""
    return ax.xaxis.label.get_color()


def mark_of(kind: str, ax: Any) -> dict[str, Any]:
    """Return the look of a kind of claim, for `ax.plot`."""
    colour, marker, filled = MARKS[kind]
    look = {"color": colour, "marker": marker, "ms": _LARGER.get(marker, 6), "ls": ""}
    return look if filled else look | {"mfc": ax.get_facecolor()}


def light(ax: Any) -> None:
    """Remove the frame except for the lower axis, and put few ticks on it."""
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    ax.set_axisbelow(True)
    ax.xaxis.grid(True, alpha=0.35, lw=0.8)
