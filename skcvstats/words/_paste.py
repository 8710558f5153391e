"""The table of a comparison for a paper or a page: LaTeX with booktabs, and markdown."""

from typing import Any

import numpy as np

from .._utils._metrics import shown_as
from .._utils._text import SMALLEST_PVALUE, format_percent
from ..stats import better
from ._templates import escape_latex
from ._text import escape

_NAMES = ("metric", "estimator", "versus")
_MEASURED = ("score", "score_versus", "difference", "low", "high")  # in the metric's unit
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
    cells = [[escape(text) for text in row] for row in (head, *rows)]
    widths = [max(3, *map(len, column)) for column in zip(*cells, strict=True)]
    rule = ["-" * (w - (k == "r")) + ":" * (k == "r") for w, k in zip(widths, kinds, strict=True)]
    lines = [
        [text.rjust(w) if k == "r" else text.ljust(w) for text, w, k in zip(*row, strict=True)]
        for row in ((line, widths, kinds) for line in (cells[0], rule, *cells[1:]))
    ]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _columns(result: Any) -> list[Any]:
    """Return the head, the rows and the alignment of the columns, l or r."""
    frame = result.to_frame()
    reads = [shown_as(metric) for metric in frame["metric"]]
    frame["metric"] = [read.name for read in reads]
    for column in ("score", "score_versus"):
        scores = frame[column].tolist()
        frame[column] = [read.number(score) for read, score in zip(reads, scores, strict=True)]
    level, measured = format_percent(result.confidence_level), frame[[*_MEASURED]].to_numpy(float)
    decimals = _decimals(frame["standard_error"].to_numpy(float), measured)
    columns = {name: frame[name].tolist() for name in _NAMES[len(result.metrics) == 1 :]}
    heads = {"score_versus": "score of versus", "low": f"{level} low", "high": f"{level} high"}
    for name, numbers in zip(_MEASURED, measured.T, strict=True):
        if not np.isnan(numbers).all():
            columns[heads.get(name, name)] = [_written(x, decimals) for x in numbers.tolist()]
    kinds = "l" * len(set(columns) & {*_NAMES}) + "r" * len(set(columns) - {*_NAMES})
    if not result.in_time_order:
        adjusted = result.adjustment != "none" and result.n_adjusted > 1
        pvalues = frame["pvalue_adjusted"].tolist()
        columns["adjusted p" if adjusted else "p-value"] = [_written_p(p) for p in pvalues]
        outcomes = zip(reads, (comparison.outcome for comparison in result), strict=True)
        columns["outcome"] = [better(said) if read.is_loss else said for read, said in outcomes]
        kinds += "rl"
    return [list(columns), *map(list, zip(*columns.values(), strict=True)), kinds]


def _decimals(errors: np.ndarray, measured: np.ndarray) -> int:
    """Return the decimals of all numbers: two digits of the smallest standard error."""
    sizes = errors[np.isfinite(errors) & (errors > 0)]
    if not len(sizes):
        sizes = np.abs(measured[np.isfinite(measured) & (measured != 0)]) / 10
    smallest = float(sizes.min()) if len(sizes) else 1.0
    return int(np.clip(_DIGITS - 1 - np.floor(np.log10(smallest)), 0, _MOST_DECIMALS))


def _written(x: float, decimals: int) -> str:
    return "-" if np.isnan(x) else f"{x:.{decimals}f}"


def _written_p(p: float) -> str:
    small = f"< {SMALLEST_PVALUE:.4f}"
    return small if p < SMALLEST_PVALUE else _written(p, 4)
