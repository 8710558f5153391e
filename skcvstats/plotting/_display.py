"""Display: what displays have in common, and a legend below the axes."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd

from .._utils._checks import check_flag
from .._utils._warn import warn_user
from ._axes import EM, characters, moves, new_axes, wrapped

LEAST = 0.4  # inches of the height of axes, left by any legend
# Of a legend, tried one after the other: with its title, its size, the height left of the axes.
_WAYS = ((True, "small", 0.5), (False, "small", 0.5), (False, "x-small", 0.0))
_KEY = 5  # characters that the mark of a legend takes
_MOST_COLUMNS = 3
_APART = 0.04  # inches between the labels and a legend
_TITLE = 1.8  # lines, with its distance from the axes


class Looks(dict[str, dict[str, Any]]):
    """Matplotlib's properties by the name of the argument, and what else `plot` was asked for."""

    own: bool  # a new figure
    legend: bool


@dataclass(kw_only=True, eq=False, repr=False)
class Display(ABC):
    """A picture with a legend, unless `legend` is False."""

    legend: Any = True
    _styled: ClassVar[tuple[str, ...]]  # the keyword arguments of artists that it takes

    def plot(
        self,
        ax: Any = None,
        *,
        legend: bool | None = None,
        interval_kwargs: dict[str, Any] | None = None,
        line_kwargs: dict[str, Any] | None = None,
        mark_kwargs: dict[str, Any] | None = None,
    ) -> Self:
        """Draw the picture.

        {Parameters: ax}
        legend : bool, default=None
            Whether to add one below the axes, where it has room; None is that of the display.
        interval_kwargs, line_kwargs, mark_kwargs : dict, default=None
            Keyword arguments of matplotlib's `Line2D`, of bands those of `fill_between`, over our
            own. The class says under Attributes what is drawn with which.

        Returns
        -------
        Display
            The display itself, with its attributes set.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        TypeError, ValueError
            If `ax` is something else, or not one axes for each panel; for keyword arguments that
            are no dict, or of what the display does not draw.
        """
        given = {
            "interval_kwargs": interval_kwargs,
            "line_kwargs": line_kwargs,
            "mark_kwargs": mark_kwargs,
        }
        self._picture(ax, self._looks(ax, legend, given))
        return self

    @abstractmethod
    def frame(self) -> pd.DataFrame:
        """Return the numbers that are drawn.

        Returns
        -------
        DataFrame
            A copy of what the display was made of, with the same columns.
        """

    @abstractmethod
    def _picture(self, ax: Any, looks: Looks) -> None:
        """Draw what the display shows."""

    def _looks(self, ax: Any, legend: bool | None, given: Mapping[str, Any]) -> Looks:
        """Return the keyword arguments of artists; None becomes an empty dict."""
        who = f"{type(self).__name__}.plot"
        for name, kwargs in given.items():
            if kwargs is not None and name not in self._styled:
                raise TypeError(f"{who} has no {name}; it takes {' and '.join(self._styled)}.")
            if kwargs is not None and not isinstance(kwargs, Mapping):
                raise TypeError(
                    f"{who} needs a dict of matplotlib properties for {name}="
                    f", such as {{'color': 'black'}}, got {kwargs!r}, a {type(kwargs).__name__}."
                )
        looks = Looks({name: dict(kwargs or {}) for name, kwargs in given.items()})
        asked = self.legend if legend is None else legend
        looks.legend = isinstance(asked, Mapping) or check_flag("legend", asked)
        looks.own = ax is None
        return looks

    def _axes_for(self, ax: Any, panels: Sequence[str]) -> np.ndarray:
        """Return the axes given, one for each panel, or new ones beside each other."""
        name, n_panels = type(self).__name__, len(panels)
        if ax is None:
            size = None if n_panels == 1 else (1.2 + 3.8 * n_panels, 4.2)
            ax = new_axes(name, 1, n_panels, figsize=size)
        from matplotlib.axes import Axes

        given = np.ravel(np.asarray(ax, dtype=object))
        for axes in given:
            if not isinstance(axes, Axes):
                raise TypeError(
                    f"{name}.plot needs matplotlib Axes for ax=, such as plt.subplots()[1], got "
                    f"{axes!r} of type {type(axes).__name__}. Leave ax= out for a new figure."
                )
        if len(given) != n_panels:
            raise ValueError(
                f"{name}.plot needs {n_panels} axes, one for each of {list(panels)}, got "
                f"{len(given)}. Pass an array of as many, or choose what to draw, as by metric=."
            )
        self.ax_, self.figure_ = given[0], given[0].figure
        return given

    def _add_legend(
        self, handles: Sequence[Any], looks: Looks, title: str = "", least: float = LEAST
    ) -> None:
        """Add the legend below: a new figure grows, in the user's the axes become lower."""
        # Not lower than `least` inches: then it loses its title, gets a smaller font, or is left
        # out.
        self.legend_, figure = None, self.figure_
        handles = [handle for handle in handles if handle is not None]
        if looks.legend and looks.own:
            where = {"loc": "outside lower center"}
            self.legend_ = _legend(figure, handles, title, "small", figure.bbox, where)
            height = self.legend_.get_window_extent().height / figure.dpi
            figure.set_figheight(figure.get_figheight() + height)
        elif looks.legend:
            figure.figure.draw_without_rendering()
            axes = getattr(self, "axes_", [self.ax_])
            place, box, where, lost, heights = _below(axes)
            for titled, size, share in _WAYS:
                found = _legend(place, handles, title if titled else "", size, box, where)
                kept = 1 - (found.get_window_extent().height + lost) / heights
                if kept >= share and kept * axes[0].bbox.height >= least * figure.dpi:
                    self.legend_ = found
                    _make_lower(axes, kept)
                    return
                found.remove()
            width, height = axes[0].bbox.size / figure.dpi
            warn_user(
                f"There is no room for the legend in axes of {width:.1f} x {height:.1f} inches, so "
                "it is left out. Make the figure higher, or pass legend=False.",
                UserWarning,
            )


def _below(axes: Any) -> tuple[Any, Any, dict[str, Any], float, float]:
    """Return what has the legend, its box, its place, and the height that is lost and that is."""
    from matplotlib.layout_engine import ConstrainedLayoutEngine
    from matplotlib.transforms import Bbox, ScaledTranslation

    lowest = min(axes, key=lambda ax: (round(ax.bbox.y0), ax.bbox.x0))
    figure, labelled_box = lowest.figure, lowest.get_tightbbox()
    seen: Any = Bbox.intersection(labelled_box, figure.bbox)
    heights = max(ax.bbox.y1 for ax in axes) - lowest.bbox.y0
    lost, engine = labelled_box.height - seen.height, figure.figure.get_layout_engine()
    if isinstance(engine, ConstrainedLayoutEngine) and set(figure.axes) <= set(axes):
        return figure, figure.bbox, {"loc": "outside lower left"}, lost, heights
    if engine is None:
        seen.x1 = max(ax.bbox.x1 for ax in axes)
        title = _TITLE * lowest.xaxis.label.get_size() * figure.dpi / 72
        under = [ax.bbox.y1 + title for ax in figure.axes if ax.bbox.y1 < lowest.bbox.y0]
        lost += max([*under, seen.y0]) - seen.y0
    inches = (labelled_box.min - lowest.bbox.min) / figure.dpi  # the labels move with the axes
    by = ScaledTranslation(inches[0], inches[1] - _APART, figure.dpi_scale_trans)
    where = {"bbox_to_anchor": (0, 0), "bbox_transform": lowest.transAxes + by}
    return lowest, seen, {"loc": "upper left", **where}, lost + _APART * figure.dpi, heights


def _legend(
    place: Any, handles: Sequence[Any], title: str, size: str, box: Any, where: dict[str, Any]
) -> Any:
    """Add a legend to a figure or to axes, in as many columns as the box is wide."""
    from matplotlib.font_manager import FontProperties

    letter = EM * FontProperties(size=size).get_size_in_points() / 72
    width = int(box.width / place.figure.dpi / letter)
    labels = [wrapped(handle.get_label(), width - _KEY) for handle in handles]
    look = {"frameon": False, "labelspacing": 0.3, "borderaxespad": 0, "alignment": "left"}
    look |= {"title": "\n".join(wrapped(line, width) for line in title.split("\n")) or None}
    # A space, because matplotlib 3.9 leaves out labels that start with an underscore.
    labels = [f" {label}" if label.startswith("_") else label for label in labels]
    look |= {"labels": labels, "handles": handles, "fontsize": size, "title_fontsize": size}
    for n_columns in range(min(_MOST_COLUMNS, len(handles)), 0, -1):
        found = place.legend(ncols=n_columns, **look, **where)
        if n_columns == 1 or found.get_window_extent().width <= box.width:
            break
        found.remove()
    return found


def _make_lower(axes: Any, share: float) -> None:
    """Leave this share of the height of axes, and fit the vertical labels."""
    figure, top = axes[0].figure, max(ax.bbox.y1 for ax in axes)
    ends = [figure.bbox.y1, *(ax.get_tightbbox().y1 for ax in axes)]
    above = max(ends) - ends[0]  # is cut off there
    for ax in axes:
        label, height = ax.yaxis.label, share * ax.bbox.height
        below = ax.bbox.y0 - ax.xaxis.get_tightbbox().y0
        if label.get_window_extent().height > height:  # beside the other axis' label too
            label.set_text(wrapped(label.get_label(), characters(ax, height + below)))
            label.set_y(0.5 - below / height / 2)
        if not moves(ax):
            left = max(figure.bbox.x0 - ax.get_tightbbox().x0, 0)
            rise, fall = (top - ax.bbox.intervaly) * (1 - share) - above
            ax.set_axes_locator(_Inside(ax, np.array([left, rise, fall]) / figure.dpi))
    figure.figure.draw_without_rendering()


@dataclass
class _Inside:
    """Where axes are: so many inches from their usual place at the left, below and above."""

    axes: Any
    inches: np.ndarray

    def __call__(self, ax: Any, renderer: Any) -> Any:
        from matplotlib.transforms import Bbox

        place, size = ax.get_position(original=True), ax.figure.bbox.size / ax.figure.dpi
        left, rise, fall = self.inches / size[[0, 1, 1]]
        return Bbox.from_extents(place.x0 + left, place.y0 + rise, place.x1, place.y1 + fall)

    def get_subplotspec(self) -> Any:
        return self.axes.get_subplotspec()  # what `tight_layout` asks for
