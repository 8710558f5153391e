"""The table of procedures in README.rst: its numbers are of the atlas's table, none is typed."""

import re
from pathlib import Path

from . import summaries
from .procedures import ROW_T, TENTHS

README = Path(__file__).parents[2] / "README.rst"
_START, _END = ".. From here on written by python -m benchmarks.atlas --readme\n", ".. To here\n"
# A method=, the procedure of the atlas, the tiers of its cells, and what it is for.
_ANY = {8, 9}  # of metrics that are no means over rows
_METHODS = (
    ("row_t", ROW_T, {1, 2}, "means over rows, such as accuracy, log loss and squared errors"),
    ("row_t", ROW_T, _ANY, "any metric, such as AUC, F1 and R²"),
    ("corrected_resampled_t", TENTHS, {1, 2}, "the same means over rows, any splits"),
    ("corrected_resampled_t", TENTHS, _ANY, "any metric, any splits"),
    ("conservative_z", "conservative Z", {3}, "those who want the weakest assumptions"),
)
_HEAD = ("``method=``", "fits", "misses", "length", "for")


def rows_of(table):
    """Yield for each method its fits, misses and lengths: of differences, and of single scores."""
    for method, name, tiers, use in _METHODS:
        cells = _cells(table, name, tiers)
        yield f"``{method}``", str(cells["fits"].iloc[0]), *_figures(cells), use


def _cells(table, name, tiers):
    """Return the cells of a procedure in some tiers; areas are of the tiers of any metric."""
    chosen = (table["procedure"] == name) & ((table["metric"] != "AUC") | table["tier"].isin(_ANY))
    return summaries.with_sizes(table[chosen], tiers)


def _figures(cells):
    """Return the misses and the lengths, of differences and of single scores."""
    mean = summaries.means(cells, ["what"]).set_index("what")
    both = [mean.loc[what] for what in ("differences", "single scores")]
    misses = " / ".join(f"{100 * one['size']:.1f}" for one in both) + " %"
    return misses, " / ".join(f"{one['length']:.2f}" for one in both)


def text_of(table):
    """Return the table as reStructuredText, and what the others do in the settings of the last."""
    rows = [_HEAD, *rows_of(table)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    line = "  ".join("=" * width for width in widths)
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    *others, (last, _, tiers, _) = _METHODS
    there = {method: _figures(_cells(table, name, tiers))[0] for method, name, *_ in others}
    missed = ", ".join(f"``{method}`` misses {share}" for method, share in there.items())
    words = f"The settings of ``{last}`` are fewer; on them {missed}."
    return "\n".join([line, lines[0], line, *lines[1:], line, "", words, ""])


def written(table, readme):
    """Return the text of README.rst with the table as it is now."""
    if _START not in readme:
        raise SystemExit(f"README.rst has no line {_START!r}.")
    found = f"{_START}\n{text_of(table)}\n{_END}"
    return re.sub(f"{re.escape(_START)}.*{re.escape(_END)}", lambda _: found, readme, flags=re.S)
