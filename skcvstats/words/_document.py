"""What is said before it has a format: sections of tables, pictures, paragraphs, points, facts."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from typing import NamedTuple

from ..notes import address_of
from ..scores import Note

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


@dataclass(frozen=True)
class NoteCode:
    """The code of a note, within a paragraph."""

    code: str
    text: str

    def __str__(self) -> str:
        return self.text

    @property
    def address(self) -> str:
        """The page that explains it; empty for a note that others have made."""
        return address_of(self.code)


# Text with citations and codes of notes; a plain string is text without them.
Paragraph = str | tuple[str | Citation | NoteCode, ...]


def parts_of(paragraph: Paragraph) -> Sequence[str | Citation | NoteCode]:
    """Return a paragraph as a sequence of text, citations and codes of notes."""
    return (paragraph,) if isinstance(paragraph, str) else paragraph


def plain_text(paragraph: Paragraph) -> str:
    """Return a paragraph without citations as text."""
    return "".join(map(str, parts_of(paragraph)))


def noted(text: str, note: Note) -> Paragraph:
    """Return a text that says what a note says, with the code of the note at its end."""
    if not note.code_in_brackets:
        return text
    return (f"{text} ", NoteCode(note.code, note.code_in_brackets.strip()))


class Cell(NamedTuple):
    """A cell of a table: its text, and its numbers with all digits."""

    text: str
    numbers: tuple[float, ...] | None = None  # empty where one is missing, None for words


EMPTY = Cell(NOTHING, ())
BLANK = Cell("", ())  # where there can be nothing


@dataclass(frozen=True)
class Table:
    """A table whose first columns are names, and whose last may be words."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    n_names: int = 0
    n_words: int = 0

    @property
    def sides(self) -> str:
        """The side of each column: "<" is left, for names and words; ">" is right, for numbers."""
        n_numbers = len(self.columns) - self.n_names - self.n_words
        return "<" * self.n_names + ">" * n_numbers + "<" * self.n_words

    @property
    def texts(self) -> list[list[str]]:
        """The texts of the rows."""
        return [[cell.text for cell in row] for row in self.rows]


@dataclass(frozen=True)
class Picture:
    """A picture of a metric; plain text has none."""

    kind: str
    metric: str
    words: str
    legend: str = ""


@dataclass(frozen=True)
class Section:
    """A part of what is said; its contents are written in the order of the parameters."""

    title: str = ""
    level: int = 2
    table: Table | None = None
    picture: Picture | None = None
    paragraphs: list[Paragraph] = field(default_factory=list)
    points: list[Paragraph] = field(default_factory=list)
    facts: list[tuple[str, str]] = field(default_factory=list)
    leads: bool = False


@dataclass(frozen=True)
class Document:
    """All that is said; for a prompt sections without titles."""

    title: str
    sections: list[Section]
    appendix: list[Section] = field(default_factory=list)
    references: "dict[str, Reference]" = field(default_factory=dict)

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """The pictures of all sections."""
        return tuple(section.picture for section in self.sections if section.picture is not None)

    def numbered(self, paragraph: Paragraph) -> list[str | NoteCode]:
        """Return the parts of a paragraph, with its citations as numbers in brackets."""
        keys = list(self.references)
        parts = list[str | NoteCode]()
        for part in parts_of(paragraph):
            if isinstance(part, Citation):
                numbers = [str(keys.index(key) + 1) for key in part.keys]
                parts.append(f" [{', '.join(numbers)}]")
            else:
                parts.append(part)
        return parts

    def in_numbers(self, paragraph: Paragraph) -> str:
        """Write a paragraph with its citations as numbers in brackets."""
        return "".join(map(str, self.numbered(paragraph)))

    def bibliography(self) -> list[tuple[int, str]]:
        """Return the numbered references."""
        return [(k, found.text) for k, found in enumerate(self.references.values(), start=1)]


# The publications that reports cite, from references.bib.
_ENTRY = re.compile(r"@\w+\{(\w+),\n.*?^\}\n", re.S | re.M)
_FIELD = re.compile(r"^  (\w+) = \{(.*)\},$", re.M)
_LEFT = "\N{LEFT DOUBLE QUOTATION MARK}"
_RIGHT = "\N{RIGHT DOUBLE QUOTATION MARK}"
_DASH = "\N{EN DASH}"


class Reference(NamedTuple):
    """A publication, as text and as an entry of a BibTeX file."""

    text: str
    bibtex: str


@cache
def references() -> dict[str, Reference]:
    """Return the known publications by key."""
    text = files("skcvstats.words").joinpath("templates/references.bib").read_text("utf-8")
    return {entry[1]: Reference(_written(entry[0]), entry[0]) for entry in _ENTRY.finditer(text)}


def _written(entry: str) -> str:
    """Write an entry of a BibTeX file for a reader."""
    of = dict(_FIELD.findall(entry))
    names = [" ".join(reversed(author.split(", "))) for author in of["author"].split(" and ")]
    authors = " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    authors = authors.replace(" and others", " et al.")
    where = next(of[name] for name in ("journal", "booktitle", "publisher", "type") if name in of)
    if "type" in of:
        where += f" {of['number']}, {of['institution']}"
    where = " ".join(filter(None, [where, of.get("volume")]))
    where = ", ".join(filter(None, [where, of.get("pages")])).replace("--", _DASH)
    doi = of.get("doi", "")
    title = of["title"].strip("{}")
    written = f"{authors}, {_LEFT}{title}{_RIGHT}, {where}, {of['year']}. doi:{doi}."
    return written.removesuffix(" doi:.")


def bibliography(sources: Iterable[str]) -> dict[str, Reference]:
    """Return publications by key; those that are not known are in their procedure's words."""
    return {key_of(source): references().get(source) or _own(source) for source in sources}


def _own(source: str) -> Reference:
    note = re.sub(r"([&%$#_])", r"\\\1", source)
    return Reference(source, f"@misc{{{key_of(source)},\n  note = {{{note}}},\n}}\n")


def key_of(source: str) -> str:
    """Return the key that a report uses to cite a source."""
    if source in references():
        return source
    return f"source{blake2b(source.encode(), digest_size=4).hexdigest()}"
