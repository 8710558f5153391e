"""A report as plain text."""

from __future__ import annotations

from collections.abc import Iterator

from ._document import Document, Paragraph, Section, Table, parts_of


def to_text(document: Document) -> str:
    """Write a report as plain text, a line for each paragraph.

    Parameters
    ----------
    document : Document
        The report.
    """
    parts = [document.title, "=" * len(document.title), ""]
    for section in document.sections:
        parts += _section(section, document)
    parts += [*_heading("References"), *_references(document), ""]
    parts += _section(document.footer, document)
    return "\n".join(parts).rstrip()


def _heading(title: str) -> list[str]:
    return [title, "-" * len(title)]


def _section(section: Section, document: Document) -> Iterator[str]:
    yield from _heading(section.title)
    for paragraph in section.paragraphs:
        yield _paragraph(paragraph, document)
    yield from (f"- {point}" for point in section.points)
    if section.table is not None:
        yield ""
        yield from _table(section.table)
    yield from (f"{term}: {text}" for term, text in section.facts)
    yield ""


def _paragraph(paragraph: Paragraph, document: Document) -> str:
    return "".join(
        part if isinstance(part, str) else f" {document.numbers(part)}"
        for part in parts_of(paragraph)
    )


def _table(table: Table) -> Iterator[str]:
    lines = [table.columns, *table.rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = [
            cell.ljust(width) if k < table.n_names else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def _references(document: Document) -> Iterator[str]:
    for number, reference in enumerate(document.references.values(), start=1):
        yield f"[{number}] {reference}"
