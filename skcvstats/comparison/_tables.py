"""The table of a comparison for a paper or a page, in LaTeX or in markdown."""

from operator import attrgetter
from typing import Any

import numpy as np

from .._utils._markup import escape_latex, escape_markdown
from .._utils._metrics import shown_as
from .._utils._text import SMALLEST_PVALUE, format_percent, shortened
from ..stats import ADJUSTMENTS, better

_NAMES = ("metric", "estimator", "versus")
_MEASURED = ("score", "score_versus", "difference", "low", "high")  # in the metric's unit
_WIDEST = 40  # names of estimators, in characters
_DIGITS = 2  # of the smallest standard error
_MOST_DECIMALS = 8


def latex_of(result: Any) -> str:
    """Write the table as a tabular with the rules of booktabs."""
    head, *rows, kinds = _columns(result)
    lines = [" & ".join(map(escape_latex, row)) + r" \\" for row in (head, *rows)]
    body = [r"\toprule", lines[0], r"\midrule", *lines[1:], r"\bottomrule"]
    return "\n".join([rf"\begin{{tabular}}{{{kinds}}}", *body, r"\end{tabular}", ""])


def markdown_of(result: Any) -> str:
    """Write the table in markdown, with columns of one width."""
    head, *rows, kinds = _columns(result)
    cells = [list(map(escape_markdown, row)) for row in (head, *rows)]
    widths = [max(3, *map(len, column)) for column in zip(*cells, strict=True)]
    rule = ["-" * (w - (k == "r")) + ":" * (k == "r") for w, k in zip(widths, kinds, strict=True)]
    sides = kinds.replace("l", "<").replace("r", ">")
    lines = [
        [f"{text:{side}{w}}" for text, side, w in zip(line, sides, widths, strict=True)]
        for line in (cells[0], rule, *cells[1:])
    ]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _columns(result: Any) -> list[Any]:
    """Return the head, the rows and the alignment of the columns, l or r."""
    frame = result.to_frame(full=True)
    readings = frame["metric"].map(shown_as)
    is_loss = readings.map(attrgetter("is_loss")).astype(bool)
    frame["metric"] = readings.map(attrgetter("name"))
    for column in ("score", "score_versus"):
        frame[column] = frame[column].mask(is_loss, 0.0 - frame[column])
    short = shortened([*frame["estimator"], *frame["versus"]], _WIDEST)
    frame["estimator"] = frame["estimator"].map(short)
    frame["versus"] = frame["versus"].map(short)
    is_adjusted = result.adjustment != "none" and result.n_adjusted > 1
    level = format_percent(result.confidence_level)
    if is_adjusted and not ADJUSTMENTS[result.adjustment].has_intervals:
        level = f"unadjusted {level}"

    names = _NAMES if len(result.metrics) > 1 else _NAMES[1:]
    columns = frame[[*names]].to_dict("list")
    heads = {"score_versus": "score of versus", "low": f"{level} low", "high": f"{level} high"}
    measured = frame[[*_MEASURED]].to_numpy(float)
    decimals = _decimals(frame["standard_error"].to_numpy(float), measured)
    for name, numbers in zip(_MEASURED, measured.T, strict=True):
        if not np.isnan(numbers).all():
            columns[heads.get(name, name)] = [_written(x, decimals) for x in numbers.tolist()]
    head_of_p = "adjusted p" if is_adjusted else "p-value"
    columns[head_of_p] = list(map(_written_pvalue, frame["pvalue_adjusted"].tolist()))
    kinds = "l" * len(names) + "r" * (len(columns) - len(names)) + "l"
    outcomes = frame["outcome"]
    columns["outcome"] = outcomes.mask(is_loss, outcomes.map(better)).tolist()
    return [list(columns), *map(list, zip(*columns.values(), strict=True)), kinds]


def _written_pvalue(pvalue: float) -> str:
    """Return a p-value with four decimals, or that it is below the smallest shown."""
    return f"< {SMALLEST_PVALUE:.4f}" if pvalue < SMALLEST_PVALUE else _written(pvalue, 4)


def _decimals(errors: np.ndarray, measured: np.ndarray) -> int:
    """Return the decimals of all numbers: two digits of the smallest standard error."""
    sizes = errors[np.isfinite(errors) & (errors > 0)]
    if not len(sizes):
        sizes = np.abs(measured[np.isfinite(measured) & (measured != 0)]) / 10
    smallest = float(sizes.min()) if len(sizes) else 1.0
    return int(np.clip(_DIGITS - 1 - np.floor(np.log10(smallest)), 0, _MOST_DECIMALS))


def _written(x: float, decimals: int) -> str:
    return "-" if np.isnan(x) else f"{x:.{decimals}f}"
