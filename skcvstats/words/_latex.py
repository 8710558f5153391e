"""A table in LaTeX, with the rules of booktabs: of a report, or to paste into a paper."""

import re
from collections.abc import Callable

from .._utils._markup import escape_latex
from ._document import Table

# Where a long name may be broken.
_BREAKS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[_=/>])(?=\w)|(?<=\w\()(?=\w)")
_NAMES = 0.26  # share of the line for the columns with names


class Latex(str):
    """LaTeX that is not escaped again."""


def breakable(name: str) -> Latex:
    """Escape a name, and allow line breaks between its parts."""
    return Latex(r"\allowbreak{}".join(map(escape_latex, _BREAKS.split(name))))


def tabular(table: Table) -> str:
    """Write a table for a paper."""
    head, *rows = _lines(table, escape_latex, escape_latex)
    body = [r"\toprule", head, r"\midrule", *rows, r"\bottomrule"]
    return "\n".join([rf"\begin{{tabular}}{{{_columns(table)}}}", *body, r"\end{tabular}", ""])


def longtable(table: Table) -> Latex:
    """Write a table of a report, which may be longer than a page and break long names."""
    head, *rows = _lines(table, _ragged, _stacked)
    name = rf"p{{{_NAMES / table.n_names}\linewidth}}"
    columns = name * table.n_names + _columns(table)[table.n_names :]
    begin = [rf"\begin{{longtable}}{{@{{}}{columns}@{{}}}}", r"\toprule", head, r"\midrule"]
    body = [r"\endhead", r"\bottomrule", r"\endfoot", *rows, r"\end{longtable}"]
    return Latex("\n".join([*begin, *body]))


def _columns(table: Table) -> str:
    """Return the sides of columns as LaTeX calls them."""
    return table.sides.replace("<", "l").replace(">", "r")


def _lines(
    table: Table, write_name: Callable[[str], str], write_head: Callable[[str], str]
) -> list[str]:
    """Write the head and the rows; names, and the heads of other columns, by two functions."""
    n_names = table.n_names
    heads = [*map(escape_latex, table.columns[:n_names]), *map(write_head, table.columns[n_names:])]
    lines = [" & ".join(heads)]
    for texts in table.texts:
        cells = [*map(write_name, texts[:n_names]), *map(escape_latex, texts[n_names:])]
        lines.append(" & ".join(cells))
    return [rf"{line} \\" for line in lines]


def _ragged(name: str) -> str:
    return rf"\raggedright\hspace{{0pt}}{breakable(name)}"


def _stacked(head: str) -> str:
    """Stack the words of a column's head; a number and its unit stay on one line."""
    lines = r"\\".join(map(escape_latex, re.split(r" (?!%)", head)))
    return rf"\multicolumn{{1}}{{r}}{{\shortstack[r]{{{lines}}}}}"
