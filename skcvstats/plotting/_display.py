"""Display: what all pictures share, from the look of a mark to the legend below the axes."""

import math
import re
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from operator import attrgetter
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd

from .._utils._checks import brief, check_option
from .._utils._metrics import Shown, shown_as
from .._utils._shared_arguments import check_integer, check_optional_level
from .._utils._text import columns, shortened, visible
from .._utils._warn import warn_user
from ..stats import better

_SHORT = 20  # characters of a name that has room in a label
_UNNAMED = ("first", "second")
LEFT = "\N{LEFTWARDS ARROW}"
RIGHT = "\N{RIGHTWARDS ARROW}"
# How people write what names of metrics abbreviate.
_IN_WORDS = {"roc auc": "ROC AUC", "r2": "R\N{SUPERSCRIPT TWO}", "f1": "F1"}
_SIDES = "   "  # between the words for the left and for the right
# At spaces, and within words after ``(_/``.
_BREAKS = re.compile(r"(\s+|(?<=\w[(_/])(?=[^\s)]))")
WIDTH = 32  # characters in a line of any text
_UPRIGHT = 15  # the same of the label of an upright axis
_SHORTEST_TWO = 28  # the same below which the words for two sides share a line
FULL = "full"
_CHARACTER = 0.075  # inches that a character of a legend takes
_KEY = 6  # characters that the mark of a legend and the space beside it take
_ROOM = 150  # characters that a legend has room for, in more lines than two if they are short
_SHORTEST_NAMES = {True: 20, False: 10}  # in a legend with and without a title
_MOST_OF_FIGURE = 0.45  # its height, for a legend
_APART = 0.04  # inches between the labels of the user's axes and a legend

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
    legend: bool | str

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
        if not isinstance(kwargs, Mapping | None):
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
        legend: bool | str | None,
        given: Mapping[str, Properties],
        figure: Mapping[str, Any] = MappingProxyType({}),
    ) -> tuple[np.ndarray, Looks]:
        """Return an axes for each panel, the given ones or new, and what else was asked for."""
        name = type(self).__name__
        looks = Looks(_properties(name, given))
        looks.legend = self.legend if legend is None else legend
        if looks.legend != FULL and not isinstance(looks.legend, bool | np.bool_):
            raise TypeError(f"legend={brief(looks.legend)} must be True, False or {FULL!r}.")
        looks.own = ax is None
        try:
            import matplotlib.pyplot as plt
        except ImportError as error:
            raise ImportError(
                f"{name}.plot needs matplotlib, which is not installed: pip install "
                '"skcvstats[plots]"'
            ) from error
        if ax is None:
            every = plt.subplots(squeeze=False, layout="constrained", **figure)[1].ravel()
            ax, empty = np.split(every, [len(panels)])
            for axis in empty:
                axis.remove()
        axes = _checked_axes(name, ax, panels)
        for axis in axes:  # only the lower axis, with a grid behind what is drawn
            axis.spines[["top", "right", "left"]].set_visible(False)
            axis.set_axisbelow(True)
            axis.xaxis.grid(True, alpha=0.35, lw=0.8)
        self.ax_ = axes[0]
        self.figure_ = axes[0].figure
        return axes, looks

    def _add_legend(
        self,
        handles: Sequence[Any],
        looks: Looks,
        said: Sequence[str] = (),
        more: Sequence[str] = (),
        names: Sequence[str] = (),
    ) -> None:
        """Add a legend below the axes, for which a new figure grows.

        Of what is `said`, as much stands above the marks as has room, the first first; the `names`
        among the labels are cut to it. A full legend has all of it, and `more`.
        """
        self.legend_ = None
        figure = self.figure_
        place = figure
        box = figure.bbox
        where: dict[str, Any] = {"loc": "outside lower center"}
        if not looks.own:
            _lay_out(figure.figure)
            place, box, where = _below(np.ravel(getattr(self, "axes_", self.ax_)))
        handles = list(filter(None, handles))
        if not looks.legend or not handles:
            return
        n_characters = int(box.width / figure.dpi / _CHARACTER)
        title: Sequence[str] = ["; ".join(said), *more]
        labels: Sequence[str] = [visible(handle.get_label()) for handle in handles]
        if looks.legend != FULL:
            title, labels = _in_few_lines(labels, said, names, n_characters)
        if labels:
            look = _legend_look(labels, title, n_characters)
            self.legend_ = place.legend(handles=handles, **look, **where)
            height = self.legend_.get_window_extent().height
            if looks.own:
                figure.set_figheight(figure.get_figheight() + height / figure.dpi)
                return
            if height <= _MOST_OF_FIGURE * figure.bbox.height:
                _lay_out(figure.figure)
                return
            self.legend_.remove()
            self.legend_ = None
        warn_user(
            "There is no room for the legend below the axes, so it is left out. Make the figure "
            "larger, or pass legend=False.",
            UserWarning,
        )


def _in_few_lines(
    labels: Sequence[str], said: Sequence[str], names: Sequence[str], n_characters: int
) -> tuple[Sequence[str], Sequence[str]]:
    """Return the title and the labels of a legend of two lines, or of some more if it is narrow.

    There are no labels if the names among them would have to be too short.
    """
    n_lines = max(2, math.ceil(_ROOM / n_characters))
    titles = [title for title in accumulate(said, "{}; {}".format) if len(title) <= n_characters]
    for title in (*reversed(titles), ""):
        n_columns = math.ceil(len(labels) / (n_lines - bool(title)))
        shortest = _SHORTEST_NAMES[bool(title)]
        width = _width_of_names(labels, names, n_characters, n_columns, shortest)
        if width:
            short = shortened(names, width)
            return [title], [short.get(label, label) for label in labels]
    return [], [] if names else labels


def _width_of_names(
    labels: Sequence[str], names: Sequence[str], n_characters: int, n_columns: int, shortest: int
) -> int:
    """Return how long names may be for the labels to fit; 0 if that is too short."""
    lengths = np.array(list(map(columns, labels)))
    is_name = np.isin(labels, names)
    longest = lengths.max(where=is_name, initial=shortest)
    for width in range(longest, shortest - 1, -1):
        if _fits(np.where(is_name, np.minimum(lengths, width), lengths), n_columns, n_characters):
            return width
    return 0


def _fits(lengths: np.ndarray, n_columns: int, n_characters: int) -> bool:
    """Return whether labels in columns fit, as matplotlib arranges them."""
    widths = [int(column.max()) + _KEY for column in np.array_split(lengths, n_columns)]
    return sum(widths) <= n_characters


def _legend_look(labels: Sequence[str], lines: Sequence[str], n_characters: int) -> dict[str, Any]:
    """Return the properties of a legend of a width, in as many columns as fit."""
    # A space, because matplotlib 3.9 leaves out labels that start with an underscore.
    labels = [re.sub("^_", " _", wrapped(label, n_characters - _KEY)) for label in labels]
    lengths = np.array([max(map(columns, label.split("\n"))) for label in labels])
    n_columns = [n for n in range(1, len(labels) + 1) if _fits(lengths, n, n_characters)]
    return {
        "labels": labels,
        "title": "\n".join(map(partial(wrapped, width=n_characters), lines)),
        "ncols": max(n_columns, default=1),
        "alignment": "left",
        "borderaxespad": 0,
        "columnspacing": 1,
        "fontsize": "small",
        "frameon": False,
        "labelspacing": 0.3,
        "title_fontsize": "small",
    }


def _below(axes: np.ndarray) -> tuple[Any, Any, dict[str, Any]]:
    """Return the lowest axes, the box of all, and how a legend is put below and moves with it."""
    from matplotlib.transforms import Bbox, ScaledTranslation

    lowest = min(axes.tolist(), key=lambda ax: (round(ax.bbox.y0), ax.bbox.x0))
    box = Bbox.union([ax.get_tightbbox() for ax in axes])
    left, below = (box.min - lowest.bbox.min) / lowest.figure.dpi
    by = ScaledTranslation(left, below - _APART, lowest.figure.dpi_scale_trans)
    where = {"loc": "upper left", "bbox_to_anchor": (0, 0)}
    return lowest, box, {**where, "bbox_transform": lowest.transAxes + by}


def _lay_out(figure: Any) -> None:
    """Make room around axes by the figure's layout; where it has none, by a tight one, once."""
    from matplotlib.layout_engine import TightLayoutEngine

    is_in_grids = all(ax.get_gridspec() for ax in figure.axes)
    if is_in_grids and figure.get_layout_engine() is None:
        TightLayoutEngine().execute(figure)
    else:
        figure.draw_without_rendering()


def check_drawable(result: Any, *kinds: type) -> None:
    """Raise TypeError if a display cannot draw a result of this class."""
    if not isinstance(result, kinds):
        names = " or ".join(map(attrgetter("__name__"), kinds))
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


def adjusted_words(result: Any) -> str:
    """Return how the p-values of a comparison are adjusted; nothing if it has only one."""
    return result.adjusted() if result.n_adjusted > 1 else ""


def draw_band(ax: Any, x: Any, ends: Any, looks: Looks, curve: Any) -> Any:
    """Draw a band in the colour of its curve, and return it."""
    look = looks.of("interval", True, facecolor=curve.get_color(), alpha=0.2, lw=0)
    return ax.fill_between(x, *ends, **look)


def labelled(styles: Iterable[tuple[dict[str, Any], str]]) -> list[Any]:
    """Return lines and marks for a legend, which stand for what is drawn."""
    from matplotlib.lines import Line2D

    return [Line2D([], [], **look | {"label": label}) for look, label in styles]


def wrapped(text: str, width: int = WIDTH) -> str:
    """Break text into lines, and keep matplotlib from reading it as mathematics."""
    wrapper = textwrap.TextWrapper(width)
    wrapper.wordsep_re = _BREAKS
    text = visible(text)
    return ("\n".join(wrapper.wrap(text)) or text).replace("$", r"\$")


def write_labels(ax: Any, title: str, xlabel: str, ylabel: str = "") -> None:
    """Write the title and the labels of axes; the words for two sides share a line if they fit."""
    lines = [xlabel]
    if len(xlabel) > _SHORTEST_TWO:
        lines = xlabel.split(_SIDES)
    ax.set_title(wrapped(title), loc="left", fontsize="medium")
    ax.set_xlabel("\n".join(map(wrapped, lines)))
    ax.set_ylabel(wrapped(ylabel, _UPRIGHT))


def read_as(axis: Any, metric: str, is_difference: bool = False) -> Shown:
    """Write the ticks of scores on an axis as people read them, and return how they do."""
    read = shown_as(metric, is_difference)
    if read.is_loss:
        axis.set_major_formatter(lambda tick, _: f"{read.number(tick):g}")
    return read


def title_of(metric: str) -> str:
    """Return the name of a metric in words, such as "average precision"."""
    text = shown_as(metric).name.replace("_", " ")
    return re.sub(r"\b(roc auc|r2|f1)\b", lambda found: _IN_WORDS[found[0]], text)


def short_names(
    names: Sequence[str] | None, otherwise: Sequence[str] = _UNNAMED, most: int = _SHORT
) -> Sequence[str]:
    """Return two names, or other words where they are unknown or too long for a label."""
    if names is None or max(map(len, names)) > most:
        return otherwise
    return names[0], names[1]


def subtracted(metric: str, names: Sequence[str] = _UNNAMED) -> Sequence[str]:
    """Return two names in the order of their difference that is positive if the first is better."""
    if shown_as(metric).is_loss:
        return names[::-1]
    return names


def better_words(words: Iterable[str], metrics: Iterable[str]) -> list[str]:
    """Return words about scores, which name the better one if any of the metrics is a loss."""
    if any(shown_as(metric).is_loss for metric in metrics):
        return list(map(better, words))
    return list(words)


def directions(metric: str, names: Sequence[str] | None) -> str:
    """Say which of two estimators is better to the left and to the right."""
    first, second = short_names(names, subtracted(metric))
    return f"{LEFT} {second} better{_SIDES}{first} better {RIGHT}"


def difference_label(words: str, metric: str, names: Sequence[str] | None) -> str:
    """Say at an upright axis what is drawn, and that it is better upwards, or who is."""
    if names is None:
        return f"{words} {title_of(metric)}, better {RIGHT}"
    first, _ = short_names(names, subtracted(metric))
    return f"{words} difference in {title_of(metric)}, {first} better {RIGHT}".strip()
