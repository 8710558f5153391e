"""Display: what all pictures share, from the look of a mark to the legend below the axes."""

import re
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from .._utils._checks import check_flag, check_option
from .._utils._metrics import Shown, shown_as
from .._utils._shared_arguments import check_integer, check_optional_level
from .._utils._text import visible
from .._utils._warn import warn_user

_EM = 0.56  # width of a character, as a share of the font size
_SHORT = 20  # characters of a name that has room in a label
_UNNAMED = ("first", "second")
LEFT = "\N{LEFTWARDS ARROW}"
RIGHT = "\N{RIGHTWARDS ARROW}"
_SIDES = "   "  # between the words for the left and for the right
# At spaces, and within words after ``(_/``.
_BREAKS = re.compile(r"(\s+|(?<=\w[(_/])(?=\S))")
_UPRIGHT = 0.6  # of the height of axes, for the vertical label: a legend takes some of it
_SHORTEST = 14  # characters in a line of the vertical label
_LEAST = 0.35  # inches of the height of axes, left by any legend
_KEY = 5  # characters that the mark of a legend takes
_APART = 0.04  # inches between the labels and a legend

Properties = dict[str, Any] | None

# Okabe and Ito's colours, which colour-blind readers can distinguish.
BLUE = "#0072B2"
VERMILION = "#D55E00"
GREEN = "#009E73"
PURPLE = "#CC79A7"
ORANGE = "#E69F00"
SKY = "#56B4E9"
GREY = "#7F7F7F"  # as far from white as from black, so that it is visible on both

# Each kind of claim looks different even without colour: its colour, its marker, whether filled,
# by outcome, in the order of a legend.
MARKS = {
    "higher by more": (BLUE, "^", True),
    "lower by more": (VERMILION, "v", True),
    "higher by less": (BLUE, "^", False),
    "lower by less": (VERMILION, "v", False),
    "higher": (BLUE, "o", True),
    "lower": (VERMILION, "s", True),
    "different": (PURPLE, "*", True),
    "equivalent": (GREEN, "P", True),
    "not worse": (GREEN, "d", False),
    "not better": (PURPLE, "s", False),
    "not significant": (GREY, "o", False),
    "undetermined": (GREY, "X", False),
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


class Looks(dict[str, dict[str, Any]]):
    """Matplotlib's properties by the name of the argument, and what else `plot` was asked for."""

    own: bool  # a new figure
    legend: bool

    def of(self, kind: str, band: bool = False, /, **ours: Any) -> dict[str, Any]:
        """Return our properties of a line or a band, over which the given ones go."""
        from matplotlib.cbook import normalize_kwargs
        from matplotlib.collections import PolyCollection
        from matplotlib.lines import Line2D

        artist = PolyCollection if band else Line2D
        given = normalize_kwargs(self.get(kind, {}), artist)
        return {**normalize_kwargs(ours, artist), **given}


def _properties(name: str, given: Mapping[str, Properties]) -> dict[str, dict[str, Any]]:
    """Return matplotlib's properties by the name of the argument, or refuse what is no mapping."""
    properties: dict[str, dict[str, Any]] = {}
    for argument, kwargs in given.items():
        if kwargs is not None and not isinstance(kwargs, Mapping):
            raise TypeError(
                f"{name}.plot needs a dict of matplotlib properties for {argument}_kwargs=, "
                f"such as {{'color': 'black'}}, got {kwargs!r}, a {type(kwargs).__name__}."
            )
        properties[argument] = dict(kwargs or {})
    return properties


def _checked_axes(name: str, ax: Any, panels: Sequence[str]) -> np.ndarray:
    """Return an array of matplotlib axes, one for each panel, or say what is wrong."""
    from matplotlib.pyplot import Axes

    axes = np.ravel(np.asarray(ax, dtype=object))
    for axis in axes:
        if not isinstance(axis, Axes):
            raise TypeError(
                f"{name}.plot needs matplotlib Axes for ax=, such as plt.subplots()[1], got "
                f"{axis!r} of type {type(axis).__name__}. Leave ax= out for a new figure."
            )
    if len(axes) != len(panels):
        raise ValueError(
            f"{name}.plot needs {len(panels)} axes, one for each of {list(panels)}, got "
            f"{len(axes)}. Pass an array of as many, or choose what to draw, as by metric=."
        )
    return axes


@dataclass(kw_only=True, eq=False, repr=False)
class Display(ABC):
    """A picture with a legend, unless `legend` is False."""

    legend: Any = True

    @abstractmethod
    def frame(self) -> pd.DataFrame:
        """Return the numbers that are drawn.

        Returns
        -------
        DataFrame
            A copy of what the display was made of, with the same columns.
        """

    def _begin(
        self,
        ax: Any,
        panels: Sequence[str],
        legend: bool | None,
        given: Mapping[str, Properties],
        figure: Mapping[str, Any] | None = None,
    ) -> tuple[np.ndarray, Looks]:
        """Return an axes for each panel, the given ones or new, and what else was asked for."""
        name = type(self).__name__
        looks = Looks(_properties(name, given))
        asked = self.legend if legend is None else legend
        looks.legend = isinstance(asked, Mapping) or check_flag("legend", asked)
        looks.own = ax is None
        try:
            import matplotlib.pyplot as plt
        except ImportError as error:
            raise ImportError(
                f"{name}.plot needs matplotlib, which is not installed: pip install "
                '"skcvstats[plots]"'
            ) from error
        if ax is None:
            n_panels = len(panels)
            size = None if n_panels == 1 else (1.2 + 3.8 * n_panels, 4.2)
            figure = figure or {"ncols": n_panels, "figsize": size}
            ax = plt.subplots(squeeze=False, layout="constrained", **figure)[1]
        axes = _checked_axes(name, ax, panels)
        for axis in axes:  # only the lower axis, with a grid behind what is drawn
            axis.spines[["top", "right", "left"]].set_visible(False)
            axis.set_axisbelow(True)
            axis.xaxis.grid(True, alpha=0.35, lw=0.8)
        self.ax_ = axes[0]
        self.figure_ = axes[0].figure
        return axes, looks

    def _add_legend(self, handles: Sequence[Any], looks: Looks, title: str = "") -> None:
        """Add the legend below: a new figure grows, in the user's the axes become lower."""
        self.legend_ = None
        figure = self.figure_
        handles = [handle for handle in handles if handle is not None]
        if not looks.legend:
            return
        if looks.own:
            where = {"loc": "outside lower center"}
            self.legend_ = _legend(figure, handles, title, "small", figure.bbox.width, where)
            height = self.legend_.get_window_extent().height / figure.dpi
            figure.set_figheight(figure.get_figheight() + height)
        else:
            lay_out(self.ax_)
            axes = getattr(self, "axes_", [self.ax_])
            lowest = min(axes, key=lambda ax: (round(ax.bbox.y0), ax.bbox.x0))
            height = max(ax.bbox.y1 for ax in axes) - lowest.bbox.y0
            ways = ((title, "small", height / 2), ("", "small", height / 2))
            for words, size, room in (*ways, ("", "x-small", height - _LEAST * figure.dpi)):
                self.legend_ = _legend_below(lowest, axes, handles, words, size)
                if self.legend_.get_window_extent().height <= room:
                    lay_out(self.ax_, self.legend_)
                    return
                self.legend_.remove()
            self.legend_ = None
            warn_user(
                f"There is no room for the legend in axes of {lowest.bbox.width / figure.dpi:.1f} "
                f"x {height / figure.dpi:.1f} inches, so it is left out. Make the figure higher, "
                "or pass legend=False.",
                UserWarning,
            )


def _legend_below(lowest: Any, axes: Any, handles: Sequence[Any], title: str, size: str) -> Any:
    """Add a legend to a user's figure if all its panels are ours, else below the axes."""
    from matplotlib.layout_engine import TightLayoutEngine
    from matplotlib.transforms import ScaledTranslation

    figure = lowest.figure
    box = lowest.get_tightbbox()
    tight = isinstance(figure.figure.get_layout_engine(), TightLayoutEngine)
    if len(axes) > 1 and set(figure.axes) <= set(axes) and not tight:
        where = {"loc": "outside lower left"}
        return _legend(figure, handles, title, size, figure.bbox.width, where)
    inches = (box.min - lowest.bbox.min) / figure.dpi  # the labels move with the axes
    by = ScaledTranslation(inches[0], inches[1] - _APART, figure.dpi_scale_trans)
    below = {"loc": "upper left", "bbox_to_anchor": (0, 0), "bbox_transform": lowest.transAxes + by}
    return _legend(lowest, handles, title, size, box.width, below)


def _legend(
    place: Any, handles: Sequence[Any], title: str, size: str, pixels: float, where: dict[str, Any]
) -> Any:
    """Add a legend to a figure or to axes, in as many columns as there is room for."""
    from matplotlib.font_manager import FontProperties

    width = characters(pixels, place, FontProperties(size=size).get_size_in_points())
    labels = [wrapped(handle.get_label(), width - _KEY) for handle in handles]
    look = {"frameon": False, "labelspacing": 0.3, "borderaxespad": 0, "alignment": "left"}
    look |= {"title": "\n".join(wrapped(line, width) for line in title.split("\n")) or None}
    # A space, because matplotlib 3.9 leaves out labels that start with an underscore.
    labels = [f" {label}" if label.startswith("_") else label for label in labels]
    look |= {"labels": labels, "handles": handles, "fontsize": size, "title_fontsize": size}
    for n_columns in (3, 2, 1):
        found = place.legend(ncols=min(n_columns, len(handles)), **look, **where)
        if n_columns == 1 or found.get_window_extent().width <= pixels:
            break
        found.remove()
    return found


def lay_out(ax: Any, legend: Any = None) -> None:
    """Make room around axes by the figure's layout; where it has none, by a tight one, once."""
    from matplotlib.layout_engine import TightLayoutEngine

    figure = ax.figure.figure
    engine = figure.get_layout_engine()
    below = 0.0
    if legend is not None and legend.axes is None:
        below = legend.get_window_extent().height / figure.bbox.height
    places = [other.get_subplotspec() for other in figure.axes] if ax.figure is figure else [None]
    free = (
        place and not place.get_gridspec().locally_modified_subplot_params() for place in places
    )
    if all(free) and (engine is None or engine.adjust_compatible):
        TightLayoutEngine(rect=(0, below, 1, 1)).execute(figure)
    else:
        figure.draw_without_rendering()


def check_drawable(result: Any, *kinds: type) -> None:
    """Raise TypeError if a display cannot draw a result of this class."""
    if not isinstance(result, kinds):
        names = " or ".join(kind.__name__ for kind in kinds)
        raise TypeError(
            f"result is of type {type(result).__name__}; it must be a {names}. Pass what "
            "comparing, testing or simulating gave; of a comparison, one test is result.tests[0]."
        )


def chosen(
    result: Any, kinds: tuple[type, ...], metric: str | None, top: Any, level: float | None = None
) -> Any:
    """Return the part of a result that is to be drawn, after checks of what was asked for."""
    check_integer("top", top, 1, why="how many rows to draw")
    check_optional_level(level)
    check_drawable(result, *kinds)
    if metric is not None:
        result = result[check_option("metric", metric, result.metrics)]
    return result if level is None else result.with_confidence(level)


def draw_curve(ax: Any, x: Any, y: Any, ends: Any, looks: Looks, label: str, **ours: Any) -> Any:
    """Draw a curve, and a band in its colour where there are ends, and return both."""
    (curve,) = ax.plot(x, y, **looks.of("line", **ours) | {"label": label})
    if any(end is None for end in ends):
        return curve, None
    look = looks.of("interval", True, facecolor=curve.get_color(), alpha=0.2, lw=0)
    return curve, ax.fill_between(x, *ends, **look)


def labelled(styles: Iterable[tuple[dict[str, Any], str]]) -> list[Any]:
    """Return lines and marks for a legend, which stand for what is drawn."""
    from matplotlib.lines import Line2D

    return [Line2D([], [], **look | {"label": label}) for look, label in styles]


def wrapped(text: str, width: int) -> str:
    """Break text into lines, and keep matplotlib from reading it as mathematics."""
    wrapper = textwrap.TextWrapper(width)
    wrapper.wordsep_re = _BREAKS
    text = visible(text)
    return ("\n".join(wrapper.wrap(text)) or text).replace("$", r"\$")


def characters(pixels: float, place: Any, size: float) -> int:
    """Return about how many characters of a font size fit into this many pixels."""
    return max(int(72 * pixels / place.figure.dpi / (_EM * size)), 6)


def write_labels(ax: Any, looks: Looks, title: str, xlabel: str, ylabel: str = "") -> None:
    """Write the title and the labels of axes, in lines that fit the axes."""
    size = ax.xaxis.label.get_size()
    if ylabel:
        height = max(characters(_UPRIGHT * ax.bbox.height, ax, size), _SHORTEST)
        ax.set_ylabel(wrapped(ylabel, height))
        if not looks.own:
            lay_out(ax)  # the label takes some of the width
    width = characters(ax.bbox.width, ax, size)
    lines: list[str] = []
    for part in xlabel.split(_SIDES):
        if lines and len(lines[-1] + _SIDES + part) <= width:
            part = lines.pop() + _SIDES + part
        lines.append(part)
    ax.set_title(wrapped(title, width), loc="left", fontsize="medium")
    ax.set_xlabel("\n".join(wrapped(line, width) for line in lines))
    if not (looks.own or looks.legend):  # a legend lays out all again
        lay_out(ax)


def read_as(axis: Any, metric: str) -> Shown:
    """Write the ticks of scores on an axis as people read them, and return how they do."""
    read = shown_as(metric)
    if read.is_loss:
        axis.set_major_formatter(lambda tick, _: f"{read.number(tick):g}")
    return read


def short_names(names: Sequence[str] | None, otherwise: Sequence[str] = _UNNAMED) -> Sequence[str]:
    """Return two names, or other words where they are unknown or too long for a label."""
    if names is None or max(map(len, names)) > _SHORT:
        return otherwise
    return names[0], names[1]


def directions(names: Sequence[str] | None, otherwise: Sequence[str] = _UNNAMED) -> str:
    """Say which of two estimators is better to the left and to the right."""
    first, second = short_names(names, otherwise)
    return f"{LEFT} {second} better{_SIDES}{first} better {RIGHT}"


def difference_label(words: str, metric: str, names: Sequence[str] | None) -> str:
    """Say at an upright axis what is drawn, and if it is a difference, who is better upwards."""
    if names is None:
        return f"{words} {metric}".strip()
    read = shown_as(metric).name
    return f"{words} difference in {read}, {short_names(names)[0]} better {RIGHT}".strip()
