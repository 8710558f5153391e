"""Print a result: text of at most 100 columns, and HTML for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from textwrap import wrap

from .._utils._text import columns, cut, padded, scrolling, visible
from ._blocks import Block, Page

_WIDTH = 100
_SHORTEST = 20  # no interval is longer


def as_text(page: Page) -> str:
    """Return the title, then for each metric the answer and its table."""
    parts = [*_wrapped(page.heading)]
    for number, block in enumerate(page.blocks):
        parts += [*([""] if number and parts[-1] else []), *_wrapped(block.answer)]
        parts += ["", *_table(block), ""]
        for point in block.points:
            parts += wrap(visible(point), _WIDTH, subsequent_indent="  ")
        parts += _wrapped(block.after)
    return "\n".join([*parts, *_wrapped(page.footing)])


def as_html(page: Page) -> str:
    """Return the same for a notebook, in its own colours."""
    parts = [_paragraph(line) for line in page.heading]
    for block in page.blocks:
        parts += [*map(_paragraph, block.answer), _html_table(block)]
        if block.points:
            points = "".join(f"<li>{_escaped(point)}</li>" for point in block.points)
            parts.append(f"<ul>{points}</ul>")
        parts += map(_paragraph, block.after)
    return scrolling("".join([*parts, *map(_paragraph, page.footing)]))


def _wrapped(lines: Sequence[str]) -> list[str]:
    return [part for line in lines for part in wrap(visible(line), _WIDTH)]


def _table(block: Block) -> list[str]:
    """Return the table as lines; names are on the left, and cut if necessary."""
    table = [list(block.columns), *(list(row) for row in block.rows)]
    widths = [max(columns(visible(row[k])) for row in table) for k in range(len(block.columns))]
    while sum(widths) + 2 * len(widths) - 2 > _WIDTH and max(widths) > _SHORTEST:
        widest = widths.index(max(widths))
        widths[widest] -= 1
    left = {k for k, name in enumerate(block.columns) if name in ("", "metric", "letters")}
    lines: list[str] = []
    for part in _parts(block.columns, widths):
        for row in table:
            cells = [padded(cut(row[k], widths[k]), widths[k], left=k in left) for k in part]
            lines.append("  ".join(cells).rstrip())
        lines.append("")
    return lines[:-1]


def _parts(columns: Sequence[str], widths: Sequence[int]) -> list[list[int]]:
    """Return the columns in parts that fit; further parts go below, with the names."""
    names = [k for k in range(len(columns)) if k == 0 and columns[k] in ("", "metric")]
    parts = [list(names)]
    for k in range(len(names), len(columns)):
        if sum(widths[j] + 2 for j in [*parts[-1], k]) - 2 > _WIDTH:
            parts.append(list(names))
        parts[-1].append(k)
    return parts


def _paragraph(line: str) -> str:
    return f"<p>{_escaped(line)}</p>"


def _escaped(text: str) -> str:
    return escape(visible(text))


def _html_table(block: Block) -> str:
    head = "".join(  # without text no head: screen readers would announce it
        f"<th>{escape(cut(name))}</th>" if name else "<td></td>" for name in block.columns
    )
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(cut(cell))}</td>' for cell in row)}</tr>" for row in block.rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
