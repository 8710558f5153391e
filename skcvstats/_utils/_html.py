"""A heading and a table as HTML, for notebooks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from ._format import format_number
from ._visible import visible


def table_html(heading: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a paragraph for each line of the heading, then the table."""
    paragraphs = "".join(f"<p>{escape(visible(line))}</p>" for line in heading.splitlines())
    head = "".join(f"<th>{escape(visible(name))}</th>" for name in columns)
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return f"{paragraphs}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: Any) -> str:
    text = str(value)
    if isinstance(value, float):
        text = "" if math.isnan(value) else format_number(value)
    return f"<td>{escape(visible(text))}</td>"
