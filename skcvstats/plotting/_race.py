"""RaceDisplay: who left a race when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd

from .._utils._text import counted, cut
from ..model_selection import RacingSearchCV
from ._axes import check_drawable, labelled, merged, wrapped, write_labels
from ._display import Display, Looks
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
    _styled = ("line_kwargs",)

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

    def _picture(self, ax: Any, looks: Looks) -> None:
        """Draw the lines, the best candidate on top."""
        (axes,) = self._axes_for(ax, ["race"])
        rows, given = self.race[::-1], looks["line_kwargs"]
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
        write_labels(axes, "", "splits on which it was fitted", counted(len(names), "candidate"))
        words = ("in the race at its end", "left the race")
        self._add_legend(labelled(zip(kinds, words, strict=True)), looks)

    def frame(self) -> pd.DataFrame:
        return self.race.copy()
