"""A report before it has a format: sections of paragraphs, a table, points and facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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


# Text with citations in it; a plain string is text alone.
Paragraph = str | tuple[str | Citation, ...]


@dataclass(frozen=True)
class Table:
    """A table of words and numbers that are written out.

    Parameters
    ----------
    columns : tuple of str
        The heads.
    rows : tuple of tuple of str
        The cells.
    n_names : int
        How many of the columns, from the left, hold names; the others hold numbers.
    caption : str
        What the table shows.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    n_names: int
    caption: str


@dataclass(frozen=True, kw_only=True)
class Section:
    """A part of a report; what it has is written in the order of the parameters.

    Parameters
    ----------
    title : str
        The heading.
    paragraphs : tuple of Paragraph, default=()
        Running text.
    points : tuple of str, default=()
        A list.
    table : Table or None, default=None
        A table.
    facts : tuple of (str, str), default=()
        Terms with what there is to say of each.
    """

    title: str
    paragraphs: tuple[Paragraph, ...] = ()
    points: tuple[str, ...] = ()
    table: Table | None = None
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Document:
    """A whole report.

    Parameters
    ----------
    title : str
        Its heading.
    sections : tuple of Section
        Its parts.
    footer : Section
        What is set after the publications.
    references : dict of str to Reference
        The publications by their keys, in the order of their numbers.
    """

    title: str
    sections: tuple[Section, ...]
    footer: Section
    references: dict[str, Reference | OwnReference]

    def numbers(self, citation: Citation) -> str:
        """Write a citation as numbers in brackets.

        Parameters
        ----------
        citation : Citation
            Of publications of this report.
        """
        keys = list(self.references)
        return f"[{', '.join(str(keys.index(key) + 1) for key in citation.keys)}]"


def parts_of(paragraph: Paragraph) -> Sequence[str | Citation]:
    """Return a paragraph as a sequence of text and citations."""
    return (paragraph,) if isinstance(paragraph, str) else paragraph
