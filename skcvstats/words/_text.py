"""A report as plain text."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill

from .._utils._text import columns, padded
from ._document import Document, Paragraph, Section, Table, parts_of

_WIDTH = 100


def to_text(document: Document) -> str:
    """Write a report as plain text of at most 100 characters a line, tables and facts aside."""
    parts = [document.title, "=" * len(document.title), ""]
    for section in document.sections:
        parts += _section(section, document)
    parts += [*_heading("References"), *_references(document), ""]
    for section in document.appendix:
        parts += _section(section, document)
    return "\n".join(parts).rstrip()


def _heading(title: str, level: int = 2) -> list[str]:
    return [title, ("-" if level == 2 else "~") * len(title)]


def _section(section: Section, document: Document) -> Iterator[str]:
    yield from _heading(section.title, section.level)
    blocks = [[_wrapped(_paragraph(paragraph, document))] for paragraph in section.paragraphs]
    blocks.append([_wrapped(f"- {point}", "  ") for point in section.points])
    blocks.append([f"{term}: {text}" for term, text in section.facts])
    if section.picture is not None and section.picture.legend:
        blocks.insert(0, [_wrapped(section.picture.legend)])
    if section.table is not None:
        blocks.insert(0, list(_table(section.table)))
    for block in filter(None, blocks):
        yield from block
        yield ""


def _wrapped(text: str, indent: str = "") -> str:
    return fill(
        text, _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _paragraph(paragraph: Paragraph, document: Document) -> str:
    return "".join(
        part if isinstance(part, str) else f" {document.numbers(part)}"
        for part in parts_of(paragraph)
    )


def _table(table: Table) -> Iterator[str]:
    lines = [table.columns, *table.rows]
    widths = [max(map(columns, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = [
            padded(cell, width, left=k < table.n_names)
            for k, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def _references(document: Document) -> Iterator[str]:
    for number, reference in enumerate(document.references.values(), start=1):
        yield _wrapped(f"[{number}] {reference}", "    ")
