"""The table of procedures in README.rst, and that of metrics in doc/row_t.rst.

Their numbers are of the atlas's table, none is typed.
"""

import re
from pathlib import Path

import numpy as np

from . import rule, summaries
from .procedures import CAREFUL, ROW_T, TENTHS

README, ROW_T_PAGE = (Path(__file__).parents[2] / name for name in ("README.rst", "doc/row_t.rst"))
_START, _END = ".. From here on written by python -m benchmarks.atlas --readme\n", ".. To here\n"
# A method=, the procedure of the atlas, the tiers of its cells, and what it is for.
_ANY = {8, 9}  # of metrics that are no means over rows
_METHODS = (
    ("row_t", ROW_T, {1, 2}, "means over rows, such as accuracy, log loss and squared errors"),
    ("row_t", ROW_T, _ANY, "any metric, such as AUC, F1 and R²"),
    ("RowTTest(inflation=1)", CAREFUL, {1, 2}, "the same means, if a false claim would be costly"),
    ("RowTTest(inflation=1)", CAREFUL, _ANY, "any metric, if a false claim would be costly"),
    ("corrected_resampled_t", TENTHS, {1, 2}, "the same means, any splits"),
    ("corrected_resampled_t", TENTHS, _ANY, "any metric, any splits"),
)
_HEAD_OF_METRICS = (
    ".. csv-table::",
    "   :header: metric, single score: row t, corrected t, length, difference: row t, corrected t,"
    " length",
    "   :widths: 30 12 12 10 12 12 10",
    "",
)
_CALLED = {"R2": "R²", "RMSE": "root mean squared error"}
_WORST = "diamonds"  # the population of most misses
_HEAD = ("fits", "misses", "length", "``method=``", "for")


def rows_of(table):
    """Yield for each method its fits, misses and lengths: of differences, and of single scores."""
    for method, name, tiers, use in _METHODS:
        cells = _cells(table, name, tiers)
        yield str(cells["fits"].iloc[0]), *_figures(cells), f"``{method}``", use


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
    """Return the table as reStructuredText, and where the row t-test misses often."""
    rows = [_HEAD, *rows_of(table)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    line = "  ".join("=" * width for width in widths)
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    number = table[table["procedure"] == CAREFUL]["drawn"].min()
    few = f"``RowTTest(inflation=1)`` was measured on the first {number} data sets of each setting."
    return "\n".join([line, lines[0], line, *lines[1:], line, "", few, "", *_high(table)])


def _high(table):
    """Yield where the row t-test misses often, with the misses of all that are in the table."""
    methods = {name: method for method, name, *_ in _METHODS}
    cells = rule.of_metrics(table[table["procedure"].isin(methods)])
    mean = cells.groupby(["metric", "what", "procedure"])["size"].mean().unstack()
    judged = rule.judge_by_metric(table)
    found = []
    for row in judged[judged["is_high"] & (judged["metric"] != judged["of"])].to_dict("records"):
        sizes = mean.loc[row["metric"], row["what"]]
        shares = " / ".join(f"{100 * sizes[name]:.1f}" for name in methods)
        name = _CALLED.get(row["metric"], row["metric"])
        found.append(f"{name}, {row['what']}: {shares} %")
    if found:
        names = " / ".join(f"``{method}``" for method in methods.values())
        yield (
            "Over all cells ``row_t`` misses more than 8 % of single scores or 5 % of differences"
            f" here\n({names}):"
        )
        yield from ["", *(f"- {line}" for line in found), ""]
        yield "Nothing in the package is better there, unless its intervals are longer."
        yield ""


def metrics_of_row_t(table):
    """Return the table of metrics: misses and lengths of the row t-test and the corrected t-test.

    It is of single scores and of differences of learners that differ, over all cells.
    """
    cells = rule.of_metrics(table[table["procedure"].isin((ROW_T, TENTHS))])
    cells = cells.assign(log=np.log(cells["length"].where(cells["length"] > 0)))
    mean = cells.groupby(["of", "metric", "what", "procedure"])[["size", "log"]].mean()
    lines = [*_HEAD_OF_METRICS]
    for of, metric in mean.index.droplevel(["what", "procedure"]).unique():
        figures = []
        for what in ("single scores", "differences"):
            row_t, tenths = (mean.loc[of, metric, what, name] for name in (ROW_T, TENTHS))
            ratio = np.exp(row_t["log"] - tenths["log"])
            figures.append(f"{row_t['size']:.3f}, {tenths['size']:.3f}, {ratio:.2f}")
        lines.append(f"   {_CALLED.get(metric, metric)}, {', '.join(figures)}")
    return "\n".join([*lines, "", *_where_high(cells)])


def _where_high(cells):
    """Yield where the row t-test misses often, and how often without the worst population."""
    own = cells[cells["procedure"] == ROW_T]
    own = own.assign(elsewhere=own["size"].where(~own["population"].str.startswith(_WORST)))
    mean = own.groupby(["of", "metric", "what"])[["size", "elsewhere"]].mean().reset_index()
    high = mean[mean["size"] > mean["what"].map(rule.HIGHEST)]
    if high.empty:
        return
    yield (
        "It misses more than 0.08 of single scores or 0.05 of differences here; in brackets without"
        f"\nthe {_WORST} of the atlas, where a few rows make most of the squared errors:"
    )
    yield ""
    for row in high.to_dict("records"):
        name = _CALLED.get(row["metric"], row["metric"])
        yield f"- {name}, {row['what']}: {row['size']:.3f} ({row['elsewhere']:.3f})"
    yield from ["", "Nothing in the package is better there, unless its intervals are longer.", ""]


def written(text, part, name):
    """Return the text of a file with a part as it is now."""
    if _START not in text:
        raise SystemExit(f"{name} has no line {_START!r}.")
    found = f"{_START}\n{part}\n{_END}"
    return re.sub(f"{re.escape(_START)}.*{re.escape(_END)}", lambda _: found, text, flags=re.S)


def files(table):
    """Return both files with their texts as they are now."""
    parts = {README: text_of(table), ROW_T_PAGE: metrics_of_row_t(table)}
    return {
        path: written(path.read_text(encoding="utf-8"), part, path.name)
        for path, part in parts.items()
    }
