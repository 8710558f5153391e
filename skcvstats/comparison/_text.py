"""What a ComparisonResult prints."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._utils import counted, format_number, sentence, table_html
from ..scores import footnotes
from ..stats import invalid_first

# Sentences printed before a reader is better served by the table alone.
_MOST_SENTENCES = 10
# Rows of the table that a prompt shows.
MOST_ROWS = 20


def as_text(result: Any, most_rows: int) -> str:
    """Return the verdict and the first rows of the table.

    Parameters
    ----------
    result : ComparisonResult
        The result.
    most_rows : int
        Of the table.
    """
    rows = _short_table(result)[:most_rows]
    table = rows.to_string(index=False, float_format=format_number, na_rep="-")
    left = len(result) - len(rows)
    if left > 0:
        table += f"\n{counted(left, 'more row')} in result.to_frame()."
    return "\n".join([_heading(result), *sentences(result), "", table, "", *_footing(result)])


def as_html(result: Any) -> str:
    """Return the same for a notebook.

    Parameters
    ----------
    result : ComparisonResult
        The result.
    """
    frame = _short_table(result)
    heading = "\n".join([_heading(result), *sentences(result), *_footing(result)])
    return table_html(heading, list(frame.columns), frame.to_numpy().tolist())


def sentences(result: Any) -> list[str]:
    """Return the first comparisons as sentences, and how many more there are.

    Parameters
    ----------
    result : ComparisonResult
        The result.
    """
    shown = [str(comparison) for comparison in result.comparisons[:_MOST_SENTENCES]]
    left = len(result.comparisons) - len(shown)
    return shown + ([f"{counted(left, 'more comparison')} in the table."] if left else [])


def _heading(result: Any) -> str:
    test = result.tests[0]
    over = sentence(f"{test.title} over {test.sizes()}")
    return "\n".join([*invalid_first(result.notes), over])


def _footing(result: Any) -> list[str]:
    test = result.tests[0]
    lines = [f"Scores are those of {test.subject()}; greater is better."]
    if result.n_adjusted > 1:
        lines.append(sentence(result.adjusted()))
    return [*lines, *footnotes(result.notes, result.warned)]


def _short_table(result: Any) -> Any:
    """Return what fits a terminal: no column that is the same in all rows or said above."""
    frame = result.to_frame()
    numbers = ["low", "high", "pvalue", "pvalue_adjusted"]
    frame.loc[_undetermined(result), numbers] = float("nan")
    kept = ["metric", "estimator", "versus", "score", "score_versus", "difference"]
    kept = kept if len(result.metrics) > 1 else kept[1:]
    comparison = result.comparisons[0]
    kept += ["low", "high"] if comparison.test.has_interval else []
    kept += ["pvalue", "pvalue_adjusted"] if comparison.adjusted else ["pvalue"]
    kept += ["outcome"] if result.margin is not None else []
    frame = frame[kept]
    if comparison.has_own_interval:
        return frame.rename(columns={"low": "low_unadjusted", "high": "high_unadjusted"})
    return frame


def _undetermined(result: Any) -> np.ndarray:
    """Return which rows of the table are undetermined."""
    return np.concatenate(
        [
            np.broadcast_to(tests.inference.undetermined, len(tests))
            for tests in result.tests_by_metric.values()
        ]
    )
