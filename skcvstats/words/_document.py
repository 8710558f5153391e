"""What is said before it has a format: sections of tables, pictures, paragraphs, points, facts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

from ._references import Reference, key_of

NOTHING = "-"
NO_PICTURE = "There is no picture here: matplotlib is not installed."


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


def parts_of(paragraph: Paragraph) -> Sequence[str | Citation]:
    """Return a paragraph as a sequence of text and citations."""
    return (paragraph,) if isinstance(paragraph, str) else paragraph


class Cell(NamedTuple):
    """A cell of a table: its text, and its numbers with all digits."""

    text: str
    numbers: tuple[float, ...] | None = None  # empty where one is missing, None for words


EMPTY = Cell(NOTHING, ())


@dataclass(frozen=True)
class Table:
    """A table whose first columns are names."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    n_names: int = 0

    @classmethod
    def of(cls, rows: Sequence[dict[str, Cell]], n_names: int = 0) -> Self:
        """Return the table of cells by the heads of their columns, which rows may lack."""
        columns = tuple(dict.fromkeys(head for row in rows for head in row))
        cells = tuple(tuple(row.get(head, EMPTY) for head in columns) for row in rows)
        return cls(columns, cells, n_names)


@dataclass(frozen=True)
class Picture:
    """A picture of a metric; plain text has none."""

    kind: str
    metric: str
    words: str
    legend: str = ""


@dataclass(frozen=True, kw_only=True)
class Section:
    """A part of what is said; its contents are written in the order of the parameters."""

    title: str = ""
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
    references: dict[str, Reference]

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """The pictures of all sections."""
        return tuple(section.picture for section in self.sections if section.picture is not None)

    def in_numbers(self, paragraph: Paragraph) -> str:
        """Write a paragraph with its citations as numbers in brackets."""
        return "".join(
            part if isinstance(part, str) else f" {self.numbers(part)}"
            for part in parts_of(paragraph)
        )

    def numbers(self, citation: Citation) -> str:
        """Write a citation as numbers in brackets."""
        keys = list(self.references)
        return f"[{', '.join(str(keys.index(key) + 1) for key in citation.keys)}]"

    def bibliography(self) -> list[tuple[int, str]]:
        """Return the numbered references."""
        return [(k, str(found)) for k, found in enumerate(self.references.values(), start=1)]
