"""Print an array of tests: the first rows of its table, and how many more there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._utils._text import table_html

if TYPE_CHECKING:
    import pandas as pd

_MOST_ROWS = 20


def array_text(result: Any) -> str:
    """Return an array of tests as text."""
    table = _short_table(result).to_string(index=False, na_rep="-")
    return "\n".join([_heading(result), table, *_left_out(result)])


def result_html(result: Any) -> str:
    """Return a test, or an array of them, as HTML."""
    frame = _short_table(result)
    heading = str(result)
    if np.ndim(result.statistic):
        heading = "\n".join([_heading(result), *_left_out(result)])
    return table_html(heading, list(frame.columns), frame.to_numpy().tolist())


def _heading(result: Any) -> str:
    return f"{result.title}, {result.sizes()}"


def _left_out(result: Any) -> list[str]:
    """Say how many tests are not in the printed table."""
    left = np.size(result.statistic) - _MOST_ROWS
    return [f"and {left} more, see to_frame()"] if left > 0 else []


def _short_table(result: Any) -> pd.DataFrame:
    """Return the first rows without numbers that are no evidence."""
    frame = result.to_frame()[:_MOST_ROWS].astype({"df": float})
    numbers = ["low", "high", "statistic", "pvalue"]
    frame.loc[np.ravel(result.undetermined)[:_MOST_ROWS], numbers] = np.nan
    return frame if result.asked else frame.drop(columns=["statistic", "df", "pvalue"])
