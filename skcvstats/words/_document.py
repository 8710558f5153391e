"""A report before it has a format: sections with a table, a picture, paragraphs, points, facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .._utils._text import visible
from ._references import OwnReference, Reference, key_of


@dataclass(frozen=True)
class Citation:
    """A reference to publications, within a paragraph."""

    sources: tuple[str, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the publications in the report."""
        return tuple(map(key_of, self.sources))


# Text with citations; a plain string is text without citations.
Paragraph = str | tuple[str | Citation, ...]


@dataclass(frozen=True)
class Table:
    """A table of words and formatted numbers."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    n_names: int
    numbers: tuple[tuple[tuple[float, ...] | None, ...], ...]


@dataclass(frozen=True)
class Picture:
    """A picture of a metric; plain text has none."""

    kind: str
    metric: str
    words: str
    legend: str = ""


@dataclass(frozen=True, kw_only=True)
class Section:
    """A part of a report; its contents are written in the order of the parameters."""

    title: str
    level: int = 2
    table: Table | None = None
    picture: Picture | None = None
    paragraphs: tuple[Paragraph, ...] = ()
    points: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    leads: bool = False


@dataclass(frozen=True)
class Document:
    """A whole report."""

    title: str
    sections: tuple[Section, ...]
    appendix: tuple[Section, ...]
    references: dict[str, Reference | OwnReference]

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """The pictures of all sections."""
        return tuple(section.picture for section in self.sections if section.picture is not None)

    def numbers(self, citation: Citation) -> str:
        """Write a citation as numbers in brackets."""
        keys = list(self.references)
        return f"[{', '.join(str(keys.index(key) + 1) for key in citation.keys)}]"


def in_visible_text(document: Document) -> Document:
    """Return the report with all text visible and harmless, whatever names it contains."""
    return replace(
        document,
        title=visible(document.title),
        sections=tuple(map(_visible_section, document.sections)),
        appendix=tuple(map(_visible_section, document.appendix)),
    )


def _visible_section(section: Section) -> Section:
    table, picture = section.table, section.picture
    if table is not None:
        rows = tuple(_all_visible(row) for row in table.rows)
        table = replace(table, columns=_all_visible(table.columns), rows=rows)
    if picture is not None:
        words, legend = visible(picture.words), visible(picture.legend)
        picture = replace(picture, words=words, legend=legend)
    return replace(
        section,
        title=visible(section.title),
        table=table,
        picture=picture,
        paragraphs=tuple(map(_visible_paragraph, section.paragraphs)),
        points=_all_visible(section.points),
        facts=tuple((visible(term), visible(text)) for term, text in section.facts),
    )


def _visible_paragraph(paragraph: Paragraph) -> Paragraph:
    if isinstance(paragraph, str):
        return visible(paragraph)
    return tuple(visible(part) if isinstance(part, str) else part for part in paragraph)


def _all_visible(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(map(visible, texts))


def parts_of(paragraph: Paragraph) -> Sequence[str | Citation]:
    """Return a paragraph as a sequence of text and citations."""
    return (paragraph,) if isinstance(paragraph, str) else paragraph
