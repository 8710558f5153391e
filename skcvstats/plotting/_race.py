"""RaceDisplay: who left a race when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import pandas as pd

from .._utils._text import counted, cut
from ..model_selection import RacingSearchCV
from ._display import (
    Display,
    Properties,
    check_drawable,
    labelled,
    lay_out,
    merged,
    wrapped,
    write_labels,
)
from ._style import BLUE, GREY, light

_MOST_NAMES = 30


@dataclass(kw_only=True, eq=False, repr=False)
class RaceDisplay(Display):
    """A line for each candidate of a race, as long as it was followed. Make one with `from_result`.

    Parameters
    ----------
    race : DataFrame
        A row for each candidate, the best first; see `RacingSearchCV.to_frame`.
    n_splits : int
        The number of splits of the race.
    {shared: legend}

    {Attributes: drawn}
    lines_ : list of matplotlib Line2D
        A line for each candidate, with ``line_kwargs``.
    {shared: legend_}

    See Also
    --------
    RacingSearchCV : The search.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import SVC
    >>> from skcvstats import RacingSearchCV
    >>> from skcvstats.plotting import RaceDisplay
    >>> X, y = load_iris(return_X_y=True)
    >>> race = RacingSearchCV(SVC(), {"C": [0.001, 1, 10]}, random_state=0).fit(X, y)
    >>> RaceDisplay.from_result(race).frame()["dropped_after"].tolist()
    [0, 0, 7]
    """

    race: pd.DataFrame
    n_splits: int

    @classmethod
    def from_result(cls, race: RacingSearchCV, *, legend: bool = True) -> RaceDisplay:
        """Take the numbers from a fitted race.

        Parameters
        ----------
        race : RacingSearchCV
            After ``fit``.
        {shared: legend}

        {Returns: display}
        """
        check_drawable(race, RacingSearchCV)
        return cls(race=race.to_frame(), n_splits=race.n_splits_, legend=legend)

    def plot(
        self, ax: Any = None, *, legend: bool | None = None, line_kwargs: Properties = None
    ) -> Self:
        """Draw the lines, the best candidate on top.

        {Parameters: one ax, legend of plot, line_kwargs}

        {Returns: itself}

        {Raises: no matplotlib, bad drawing}
        """
        looks = self._looks(ax, legend, line=line_kwargs)
        (axes,) = self._axes_for(ax, ["race"])
        rows, given = self.race[::-1], looks["line"]
        kinds = [merged({"color": colour}, given) for colour in (BLUE, GREY)]
        ends = zip(rows["n_splits_done"], rows["dropped_after"].gt(0), strict=True)
        self.lines_ = [
            axes.plot([0, n_splits], [height, height], **kinds[left])[0]
            for height, (n_splits, left) in enumerate(ends)
        ]
        axes.set_xlim(0, self.n_splits)
        light(axes)
        names = [wrapped(cut(name), 60) for name in rows["estimator"]]
        shown = names if len(names) <= _MOST_NAMES else []
        axes.set_yticks(range(len(shown)), shown)
        lay_out(axes)
        write_labels(axes, "", "splits on which it was fitted", counted(len(names), "candidate"))
        words = ("in the race at its end", "left the race")
        self._add_legend(labelled(zip(kinds, words, strict=True)), looks)
        return self

    def frame(self) -> pd.DataFrame:
        return self.race.copy()
