"""The table of a comparison to paste into a paper or a page."""

from operator import attrgetter
from typing import Any

import numpy as np

from .._utils._metrics import shown_as
from .._utils._text import SMALLEST_PVALUE, format_percent, shortened
from ..stats import ADJUSTMENTS, better
from ._document import NOTHING, Cell, Table
from ._sentences import WIDEST_NAME

_MEASURED = ["score", "score_versus", "difference", "low", "high"]  # in the metric's unit
_DIGITS = 2  # of the smallest standard error
_MOST_DECIMALS = 8
_SMALL = f"< {SMALLEST_PVALUE:.4f}"


def table_to_paste(result: Any) -> Table:
    """Return a row for each comparison, the numbers of each column with the same decimals."""
    frame = result.to_frame(full=True)
    readings = frame["metric"].map(shown_as)
    is_loss = readings.map(attrgetter("is_loss")).astype(bool)
    frame["metric"] = readings.map(attrgetter("name"))
    for column in ("score", "score_versus"):
        frame[column] = frame[column].mask(is_loss, 0.0 - frame[column])
    short = shortened([*frame["estimator"], *frame["versus"]], WIDEST_NAME)
    frame["estimator"] = frame["estimator"].map(short)
    frame["versus"] = frame["versus"].map(short)
    level = format_percent(result.confidence_level)
    head_of_p = "p-value"
    if result.adjustment != "none" and result.n_adjusted > 1:
        head_of_p = "adjusted p"
        if not ADJUSTMENTS[result.adjustment].has_intervals:
            level = f"unadjusted {level}"
    names = ["metric", "estimator", "versus"]
    if len(result.metrics) == 1:
        names.remove("metric")
    heads = {"score_versus": "score of the other", "low": f"{level} low", "high": f"{level} high"}
    measured = frame[_MEASURED].astype(float).dropna(axis="columns", how="all")
    decimals = _decimals(frame["standard_error"].to_numpy(float), measured.to_numpy())
    pvalues = frame["pvalue_adjusted"].astype(float)
    columns = frame[names].join(measured.map(f"{{:.{decimals}f}}".format).rename(columns=heads))
    written = pvalues.map("{:.4f}".format)
    columns[head_of_p] = written.mask(pvalues < SMALLEST_PVALUE, _SMALL)
    columns["outcome"] = frame["outcome"].mask(is_loss, frame["outcome"].map(better))
    rows = columns.replace("nan", NOTHING).to_numpy(str)
    cells = [tuple(map(Cell, row)) for row in rows.tolist()]
    return Table(tuple(columns), tuple(cells), n_names=len(names), n_words=1)


def _decimals(errors: np.ndarray, measured: np.ndarray) -> int:
    """Return the decimals of all numbers: two digits of the smallest standard error."""
    sizes = errors[errors > 0]
    if not len(sizes):
        sizes = np.abs(measured[np.abs(measured) > 0]) / 10
    smallest = sizes.min(initial=np.inf)
    return int(np.clip(_DIGITS - 1 - np.floor(np.log10(smallest)), 0, _MOST_DECIMALS))
