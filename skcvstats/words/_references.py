"""The publications that reports cite, from references.bib."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib.resources import files

_ENTRY = re.compile(r"@\w+\{(\w+),\n.*?^\}\n", re.S | re.M)
_FIELD = re.compile(r"^  (\w+) = \{(.*)\},$", re.M)
_LEFT, _RIGHT = "\N{LEFT DOUBLE QUOTATION MARK}", "\N{RIGHT DOUBLE QUOTATION MARK}"
_DASH = "\N{EN DASH}"


@dataclass(frozen=True)
class Reference:
    """A publication, as text and as an entry of a BibTeX file."""

    text: str
    bibtex: str

    def __str__(self) -> str:
        return self.text


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
    where += f" {of['volume']}" if "volume" in of else ""
    where += f", {of['pages'].replace('--', _DASH)}" if "pages" in of else ""
    doi = f" doi:{of['doi']}." if "doi" in of else ""
    return f"{authors}, {_LEFT}{of['title'].strip('{}')}{_RIGHT}, {where}, {of['year']}.{doi}"


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
