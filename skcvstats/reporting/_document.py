"""A report before it has a format: sections with a table, a picture, paragraphs, points, facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .._utils import visible
from ._references import OwnReference, Reference, key_of


@dataclass(frozen=True)
class Citation:
    """A reference to publications, within a paragraph.

    Parameters
    ----------
    sources : tuple of str
        Keys of the bibliography, or whole references.
    """

    sources: tuple[str, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the publications in the report."""
        return tuple(map(key_of, self.sources))


# Text with citations; a plain string is text without citations.
Paragraph = str | tuple[str | Citation, ...]


@dataclass(frozen=True)
class Table:
    """A table of words and formatted numbers.

    Parameters
    ----------
    columns : tuple of str
        The heads.
    rows : tuple of tuple of str
        The cells.
    n_names : int
        Number of columns, from the left, that contain names; the others contain numbers.
    numbers : tuple of tuple of (tuple of float or None)
        For each cell its number with all digits, or the two of an interval; empty if one is
        missing, None for words.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    n_names: int
    numbers: tuple[tuple[tuple[float, ...] | None, ...], ...]


@dataclass(frozen=True)
class Picture:
    """A picture of a metric; plain text has none.

    Parameters
    ----------
    kind : str
        Which picture, as ``result.plot`` calls it.
    metric : str
        The metric.
    words : str
        What it shows, for readers who cannot see it.
    legend : str, default=""
        What its legend says about the table, to be written if there is no picture.
    """

    kind: str
    metric: str
    words: str
    legend: str = ""


@dataclass(frozen=True, kw_only=True)
class Section:
    """A part of a report; its contents are written in the order of the parameters.

    Parameters
    ----------
    title : str
        The heading.
    level : {2, 3}, default=2
        Level of the heading: a section of level 3 is a part of the section before it.
    table : Table or None, default=None
        A table.
    picture : Picture or None, default=None
        A picture.
    paragraphs : tuple of Paragraph, default=()
        Running text.
    points : tuple of str, default=()
        A list.
    facts : tuple of (str, str), default=()
        Terms, each with its text.
    leads : bool, default=False
        Whether it is the answer, which is set larger on a page.
    """

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
    """A whole report.

    Parameters
    ----------
    title : str
        Its heading.
    sections : tuple of Section
        The parts before the references.
    appendix : tuple of Section
        The parts after the references.
    references : dict of str to Reference
        The publications by key, in the order of their numbers.
    """

    title: str
    sections: tuple[Section, ...]
    appendix: tuple[Section, ...]
    references: dict[str, Reference | OwnReference]

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """The pictures of all sections."""
        return tuple(section.picture for section in self.sections if section.picture is not None)

    def numbers(self, citation: Citation) -> str:
        """Write a citation as numbers in brackets.

        Parameters
        ----------
        citation : Citation
            A citation of publications in this report.
        """
        keys = list(self.references)
        return f"[{', '.join(str(keys.index(key) + 1) for key in citation.keys)}]"


def in_visible_text(document: Document) -> Document:
    """Return the report with all text visible and harmless, whatever names it contains.

    Parameters
    ----------
    document : Document
        The report.
    """
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
