"""A report in GitHub's markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ._document import Document, Paragraph, Picture, Section, Table, parts_of
from ._pictures import NO_PICTURE

# Whatever could begin emphasis, code, links, HTML, entities, mathematics, cells, or a mention.
_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~$&@])")
# What GitHub would make a link of.
_LINK = re.compile(r"(?<=\w)(:)(?=//)|(?<=\bwww)(\.)")
# What would begin a list at the start of a line.
_LIST = re.compile(r"^([-+]|\d+[.)])(?=\s|$)")


def to_markdown(document: Document, files: Mapping[Picture, str]) -> str:
    """Write a report in markdown."""
    blocks = [f"# {escape(document.title)}"]
    for section in document.sections:
        blocks += _section(section, document, files)
    blocks += ["## References", "\n".join(_references(document))]
    for section in document.appendix:
        blocks += _section(section, document, files)
    return "\n\n".join(blocks) + "\n"


def escape(text: str) -> str:
    """Escape text so that markdown shows it as it is, on one line."""
    line = _SPECIAL.sub(r"\\\1", " ".join(text.split()))
    line = _LINK.sub(lambda found: f"\\{found[0]}", line)
    return _LIST.sub(lambda found: f"{found[1][:-1]}\\{found[1][-1]}", line)


def _section(section: Section, document: Document, files: Mapping[Picture, str]) -> Iterator[str]:
    yield f"{'#' * section.level} {escape(section.title)}"
    if section.table is not None:
        yield _table(section.table)
    if section.picture is not None:
        yield from _picture(section.picture, files)
    for paragraph in section.paragraphs:
        yield _paragraph(paragraph, document)
    if section.points:
        yield "\n".join(f"- {escape(point)}" for point in section.points)
    if section.facts:
        yield "\n".join(f"- **{escape(term)}**: {escape(text)}" for term, text in section.facts)


def _picture(picture: Picture, files: Mapping[Picture, str]) -> Iterator[str]:
    name = files.get(picture)
    if name:
        yield f"![{escape(picture.words)}]({name})"
        return
    if name == "":
        yield NO_PICTURE
    if picture.legend:
        yield escape(picture.legend)


def _paragraph(paragraph: Paragraph, document: Document) -> str:
    """Escape the text as a whole, so that only its start counts as the start of a line."""
    return escape(
        "".join(
            part if isinstance(part, str) else f" {document.numbers(part)}"
            for part in parts_of(paragraph)
        )
    )


def _table(table: Table) -> str:
    rules = [":--" if k < table.n_names else "--:" for k in range(len(table.columns))]
    rows = [_line(table.columns), f"| {' | '.join(rules)} |", *map(_line, table.rows)]
    return "\n".join(rows)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(escape, cells))} |"


def _references(document: Document) -> Iterator[str]:
    for number, reference in enumerate(document.references.values(), start=1):
        yield f"{number}. {escape(str(reference))}"
