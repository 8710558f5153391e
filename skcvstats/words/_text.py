"""Printed text, HTML for notebooks, plain text, GitHub's markdown; tables for a paper."""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape as escape_html
from itertools import zip_longest
from textwrap import wrap
from typing import Any

from .._utils._markup import escape_markdown
from .._utils._text import WIDEST_LINE, bare_table_html, columns, scrolling, shortened, visible
from ._content import printed
from ._document import (
    NO_PICTURE,
    Document,
    NoteCode,
    Paragraph,
    Picture,
    Section,
    Table,
    parts_of,
    plain_text,
)
from ._latex import tabular
from ._parts import parts
from ._pasted import table_to_paste

_IN_BRACKETS = re.compile(r"\[[^][]{1,60}\]")
# Where a line must not be broken: characters that no visible text has, for those that it may have.
_JOINED = str.maketrans(" -", "\xa0\ue000")
_AS_WRITTEN = str.maketrans("\xa0\ue000", " -")
_SHORTEST = 20  # no interval is longer
_NARROWEST = 8  # of a head in several lines
_RULES = {"<": ":--", ">": "--:"}  # below the heads of columns in markdown, by their sides


def text_of(result: Any, reword: Callable[[str], str] = str) -> str:
    """Return a result as text of at most 88 columns, with sentences as `reword` returns them."""
    lines: list[str] = []
    for section in printed(parts(result), reword=reword):
        if section.leads and "" in lines and lines[-1]:
            lines.append("")
        if section.table is not None:
            lines += ["", *table_lines(section.table, WIDEST_LINE)]
        for point in section.points:  # directly below the table
            lines += _wrap(plain_text(point), subsequent_indent="  ")
        if section.table is not None:
            lines.append("")
        for paragraph in section.paragraphs:
            lines += _wrap(plain_text(paragraph))
    return "\n".join(lines).rstrip("\n")


def html_of(result: Any) -> str:
    """Return a result as HTML that never widens the page around it."""
    said = parts(result)
    written = []
    for section in [*printed(said, every_note=True), *said.details()]:
        if section.table is not None:
            written.append(bare_table_html(section.table.columns, section.table.texts))
        if section.points:
            points = [f"<li>{_marked_up(point)}</li>" for point in section.points]
            written.append(f"<ul>{''.join(points)}</ul>")
        written += [f"<p>{_marked_up(paragraph)}</p>" for paragraph in section.paragraphs]
    return scrolling("".join(written))


def _marked_up(paragraph: Paragraph) -> str:
    """Return a paragraph as HTML."""
    written = list[str]()
    for part in parts_of(paragraph):
        text = escape_html(visible(str(part)))
        if isinstance(part, NoteCode) and part.address:
            text = f'<a href="{part.address}">{text}</a>'
        written.append(text)
    return "".join(written)


def latex_of(result: Any) -> str:
    """Return the table of a comparison in LaTeX, to paste."""
    return tabular(table_to_paste(result))


def markdown_of(result: Any) -> str:
    """Return the table of a comparison in markdown, to paste."""
    return f"{markdown_table(table_to_paste(result))}\n"


def to_text(document: Document) -> str:
    """Write a report as plain text of at most 88 characters a line, tables and facts aside."""
    title = visible(document.title)
    references = [f"[{number}] {reference}" for number, reference in document.bibliography()]
    lines = [title, "=" * len(title), ""]
    lines += _sections(document.sections, document)
    lines += [*_heading("References", 2), *_wrapped(references, "    "), ""]
    lines += _sections(document.appendix, document)
    return "\n".join(lines).rstrip()


def _heading(title: str, level: int) -> list[str]:
    return [title, ("-" if level == 2 else "~") * len(title)]


def _sections(sections: Iterable[Section], document: Document) -> Iterator[str]:
    for section in sections:
        yield from _section(section, document)


def _section(section: Section, document: Document) -> Iterator[str]:
    yield from _heading(visible(section.title), section.level)
    blocks = [table_lines(section.table)] if section.table is not None else []
    if section.picture is not None and section.picture.legend:
        blocks.append(_wrapped([section.picture.legend]))
    blocks += [_wrapped([document.in_numbers(paragraph)]) for paragraph in section.paragraphs]
    blocks.append(_wrapped((f"- {plain_text(point)}" for point in section.points), "  "))
    blocks.append([visible(f"{term}: {text}") for term, text in section.facts])
    for block in filter(None, blocks):
        yield from block
        yield ""


def _wrapped(texts: Iterable[str], indent: str = "") -> list[str]:
    return [
        line
        for text in texts
        for line in _wrap(text, subsequent_indent=indent, break_long_words=False)
    ]


def _wrap(text: str, **options: Any) -> list[str]:
    """Wrap a text; what is in brackets, as the code of a note, stays on one line."""
    joined = _IN_BRACKETS.sub(lambda found: found[0].translate(_JOINED), visible(text))
    lines = wrap(joined, WIDEST_LINE, break_on_hyphens=False, **options)
    return [line.translate(_AS_WRITTEN) for line in lines]


def table_lines(table: Table, width: int = sys.maxsize) -> list[str]:
    """Return a table as lines; names are cut and columns broken so that it fits a width."""
    cells = [*_heads_of(table, width), *(list(map(visible, line)) for line in table.texts)]
    widths = [max(map(columns, column)) for column in zip(*cells, strict=True)]
    while _width_of(widths) > width and max(widths) > _SHORTEST:
        widths[widths.index(max(widths))] -= 1
    for k, most in enumerate(widths):
        short = shortened([line[k] for line in cells], most)
        for line in cells:
            line[k] = short[line[k]]
    groups = _groups_of(widths, table.n_names, width)
    lines = _padded(cells, table.sides)
    written = list[str]()
    for group in groups:
        written += ["", *("  ".join(line[k] for k in group).rstrip() for line in lines)]
    return written[1:]


def _padded(cells: Sequence[Sequence[str]], sides: str) -> list[tuple[str, ...]]:
    """Return the lines of a table with columns of one width, their texts on their sides."""
    padded = []
    for side, column in zip(sides, zip(*cells, strict=True), strict=True):
        width = max(map(columns, column))
        padded.append([f"{text:{side}{width - columns(text) + len(text)}}" for text in column])
    return list(zip(*padded, strict=True))


def _heads_of(table: Table, width: int) -> list[list[str]]:
    """Return the heads in one line, or in several where these let a table fit a width."""
    heads = list(map(visible, table.columns))
    bodies = [max(map(columns, map(visible, texts))) for texts in zip(*table.texts, strict=True)]
    if _width_of(map(max, map(columns, heads), bodies)) <= width or _width_of(bodies) > width:
        return [heads]
    least = list(map(max, bodies, map(_widest_word, heads)))
    for most in range(width, _NARROWEST - 1, -1):  # the widest that fit
        short = shortened(heads, 2 * most)
        wrapped = [wrap(short[head], max(most, n)) for head, n in zip(heads, least, strict=True)]
        lines = list(zip_longest(*map(reversed, wrapped), fillvalue=""))[::-1]
        widths = [max(map(columns, texts)) for texts in zip(*lines, strict=True)]
        if _width_of(map(max, widths, bodies)) <= width:
            return list(map(list, lines))
    return [heads]


def _widest_word(head: str) -> int:
    """Return the width of the widest word, up to that of the widest of ours, which stay whole."""
    return min(max(map(columns, head.split()), default=0), len("equivalence"))


def _width_of(widths: Iterable[int]) -> int:
    """Return the width of columns with two spaces between them."""
    return sum(width + 2 for width in widths) - 2


def _groups_of(widths: Sequence[int], n_names: int, width: int) -> list[list[int]]:
    """Return the columns that fit beside each other; further groups repeat the names."""
    names = list(range(n_names))
    groups = [[*names]]
    for k in range(n_names, len(widths)):
        if _width_of(widths[j] for j in [*groups[-1], k]) > width:
            groups.append([*names])
        groups[-1].append(k)
    return groups


def to_markdown(document: Document, files: Mapping[Picture, str]) -> str:
    """Write a report in markdown."""
    blocks = [f"# {escape_markdown(document.title)}"]
    blocks += _markdown_sections(document.sections, document, files)
    references = (f"{k}. {escape_markdown(said)}" for k, said in document.bibliography())
    blocks += ["## References", "\n".join(references)]
    blocks += _markdown_sections(document.appendix, document, files)
    return "\n\n".join(blocks) + "\n"


def _markdown_sections(
    sections: Iterable[Section], document: Document, files: Mapping[Picture, str]
) -> Iterator[str]:
    for section in sections:
        yield from _markdown_section(section, document, files)


def _markdown_section(
    section: Section, document: Document, files: Mapping[Picture, str]
) -> Iterator[str]:
    yield f"{'#' * section.level} {escape_markdown(section.title)}"
    if section.table is not None:
        yield markdown_table(section.table)
    if section.picture is not None:
        yield from _markdown_picture(section.picture, files)
    for paragraph in section.paragraphs:
        # as a whole, so that only its start counts as the start of a line
        yield escape_markdown(document.in_numbers(paragraph))
    if section.points:
        yield "\n".join(f"- {escape_markdown(plain_text(point))}" for point in section.points)
    if section.facts:
        yield "\n".join(
            f"- **{escape_markdown(term)}**: {escape_markdown(text)}"
            for term, text in section.facts
        )


def markdown_table(table: Table) -> str:
    """Write a table in markdown, with columns of one width."""
    rule = [_RULES[side] for side in table.sides]
    texts = [list(map(escape_markdown, line)) for line in (table.columns, *table.texts)]
    widest, head, *rows = _padded([rule, *texts], table.sides)
    rule = [dashes.replace(" ", "-") for dashes in widest]
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, rule, *rows))


def _markdown_picture(picture: Picture, files: Mapping[Picture, str]) -> Iterator[str]:
    name = files.get(picture)
    if name:
        yield f"![{escape_markdown(picture.words)}]({name})"
        return
    if name == "":
        yield NO_PICTURE
    if picture.legend:
        yield escape_markdown(picture.legend)
