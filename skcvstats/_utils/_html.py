"""HTML for notebooks: what is wider than the page scrolls, and long names are broken."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from ._format import format_number
from ._visible import visible


def scrolling(html: str) -> str:
    """Return HTML that never widens the page around it."""
    style = "overflow-x: auto; overflow-wrap: break-word"
    return f'<div style="{style}" tabindex="0">{html}</div>'  # scrolls by keyboard too


def table_html(heading: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a paragraph for each line of the heading, then the table."""
    paragraphs = "".join(f"<p>{escape(visible(line))}</p>" for line in heading.splitlines())
    head = "".join(f"<th>{escape(visible(name))}</th>" for name in columns)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return scrolling(paragraphs + table)


def _cell(value: Any) -> str:
    text = str(value)
    if isinstance(value, float):
        text = "" if math.isnan(value) else format_number(value)
    return f"<td>{escape(visible(text))}</td>"
