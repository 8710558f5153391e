"""Printed text, HTML for notebooks, plain text, GitHub's markdown; tables for a paper."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape as escape_html
from textwrap import wrap
from typing import Any

import numpy as np

from .._utils._metrics import shown_as
from .._utils._text import (
    SMALLEST_PVALUE,
    bare_table_html,
    columns,
    cut,
    format_percent,
    scrolling,
    visible,
)
from ..comparison import Comparison
from ..stats import ADJUSTMENTS, Inference, better
from ._content import content
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
from ._sentences import test_table, verdict_of
from ._templates import escape_latex

_WIDTH = 100
_IN_BRACKETS = re.compile(r"\[[^][]{1,60}\]")
# Where a line must not be broken: characters that no visible text has, for those that it may have.
_JOINED = str.maketrans(" -", "\xa0\ue000")
_AS_WRITTEN = str.maketrans("\xa0\ue000", " -")
_SHORTEST = 20  # no interval is longer


def text_of(result: Any) -> str:
    """Return a result as text of at most 100 columns."""
    if isinstance(result, Comparison):
        return f"{verdict_of(result)}."
    lines: list[str] = []
    for section in content(result, brief=True).sections:
        if section.leads and "" in lines and lines[-1]:
            lines.append("")
        if section.table is not None:
            lines += ["", *table_lines(section.table, _WIDTH), ""]
        for point in section.points:
            lines += _wrap(plain_text(point), subsequent_indent="  ")
        for paragraph in section.paragraphs:
            lines += _wrap(plain_text(paragraph))
    return "\n".join(lines).rstrip("\n")


def html_of(result: Any) -> str:
    """Return a result as HTML that never widens the page around it."""
    sections = list(content(result, brief=True).sections)
    parts = []
    if isinstance(result, Inference) and not np.ndim(result.estimate):
        sections.append(Section(table=test_table(result, 1)))
    for section in sections:
        if section.table is not None:
            parts.append(bare_table_html(section.table.columns, section.table.texts))
        if section.points:
            points = [f"<li>{_marked_up(point)}</li>" for point in section.points]
            parts.append(f"<ul>{''.join(points)}</ul>")
        parts += [f"<p>{_marked_up(paragraph)}</p>" for paragraph in section.paragraphs]
    return scrolling("".join(parts))


def _marked_up(paragraph: Paragraph) -> str:
    """Return a paragraph as HTML."""
    parts = list[str]()
    for part in parts_of(paragraph):
        text = escape_html(visible(str(part)))
        if isinstance(part, NoteCode) and part.address:
            text = f'<a href="{part.address}">{text}</a>'
        parts.append(text)
    return "".join(parts)


def to_text(document: Document) -> str:
    """Write a report as plain text of at most 100 characters a line, tables and facts aside."""
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
        for line in _wrap(
            text, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
        )
    ]


def _wrap(text: str, **options: Any) -> list[str]:
    """Wrap a text; what is in brackets, as the code of a note, stays on one line."""
    joined = _IN_BRACKETS.sub(lambda found: found[0].translate(_JOINED), visible(text))
    return [line.translate(_AS_WRITTEN) for line in wrap(joined, _WIDTH, **options)]


def table_lines(table: Table, width: int | None = None) -> list[str]:
    """Return a table as lines; where a width is given, names are cut and columns broken to fit."""
    cells = [list(map(visible, line)) for line in (table.columns, *table.texts)]
    widths = [max(map(columns, column)) for column in zip(*cells, strict=True)]
    parts = [list(range(len(widths)))]
    if width is not None:
        while _width_of(widths) > width and max(widths) > _SHORTEST:
            widths[widths.index(max(widths))] -= 1
        cells = [list(map(cut, line, widths)) for line in cells]
        parts = _parts_of(widths, table.n_names, width)
    for line in cells:
        for k, text in enumerate(line):
            spaces = " " * (widths[k] - columns(text))
            line[k] = f"{text}{spaces}" if k < table.n_names else f"{spaces}{text}"
    written = list[str]()
    for part in parts:
        written += ["", *("  ".join(line[k] for k in part).rstrip() for line in cells)]
    return written[1:]


def _width_of(widths: Iterable[int]) -> int:
    """Return the width of columns with two spaces between them."""
    return sum(width + 2 for width in widths) - 2


def _parts_of(widths: Sequence[int], n_names: int, width: int) -> list[list[int]]:
    """Return the columns that fit beside each other; further parts repeat the names."""
    names = list(range(n_names))
    parts = [[*names]]
    for k in range(n_names, len(widths)):
        if _width_of(widths[j] for j in [*parts[-1], k]) > width:
            parts.append([*names])
        parts[-1].append(k)
    return parts


# Whatever could begin emphasis, code, links, HTML, entities, mathematics, cells, or a mention.
_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~$&@])")
# What GitHub would make a link of.
_LINK = re.compile(r"(?<=\w)(:)(?=//)|(?<=\bwww)(\.)")
# What would begin a list at the start of a line.
_LIST = re.compile(r"^([-+]|\d+[.)])(?=\s|$)")


def to_markdown(document: Document, files: Mapping[Picture, str]) -> str:
    """Write a report in markdown."""
    blocks = [f"# {escape(document.title)}"]
    blocks += _markdown_sections(document.sections, document, files)
    references = (f"{k}. {escape(said)}" for k, said in document.bibliography())
    blocks += ["## References", "\n".join(references)]
    blocks += _markdown_sections(document.appendix, document, files)
    return "\n\n".join(blocks) + "\n"


def escape(text: str) -> str:
    """Escape text so that markdown shows it as it is, on one line."""
    line = _SPECIAL.sub(r"\\\1", " ".join(visible(text).split()))
    line = _LINK.sub(lambda found: f"\\{found[0]}", line)
    return _LIST.sub(lambda found: f"{found[1][:-1]}\\{found[1][-1]}", line)


def _markdown_sections(
    sections: Iterable[Section], document: Document, files: Mapping[Picture, str]
) -> Iterator[str]:
    for section in sections:
        yield from _markdown_section(section, document, files)


def _markdown_section(
    section: Section, document: Document, files: Mapping[Picture, str]
) -> Iterator[str]:
    yield f"{'#' * section.level} {escape(section.title)}"
    if section.table is not None:
        yield _markdown_table(section.table)
    if section.picture is not None:
        yield from _markdown_picture(section.picture, files)
    for paragraph in section.paragraphs:
        # as a whole, so that only its start counts as the start of a line
        yield escape(document.in_numbers(paragraph))
    if section.points:
        yield "\n".join(f"- {escape(plain_text(point))}" for point in section.points)
    if section.facts:
        yield "\n".join(f"- **{escape(term)}**: {escape(text)}" for term, text in section.facts)


def _markdown_table(table: Table) -> str:
    rules = [":--"] * table.n_names + ["--:"] * (len(table.columns) - table.n_names)
    head, *rows = map(_line, (table.columns, *table.texts))
    return "\n".join([head, f"| {' | '.join(rules)} |", *rows])


def _markdown_picture(picture: Picture, files: Mapping[Picture, str]) -> Iterator[str]:
    name = files.get(picture)
    if name:
        yield f"![{escape(picture.words)}]({name})"
        return
    if name == "":
        yield NO_PICTURE
    if picture.legend:
        yield escape(picture.legend)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(map(escape, cells))} |"


# The table of a comparison for a paper or a page.
_NAMES = ("metric", "estimator", "versus")
_MEASURED = ("score", "score_versus", "difference", "low", "high")  # in the metric's unit
_DIGITS = 2  # of the smallest standard error
_MOST_DECIMALS = 8


def latex_of(result: Any) -> str:
    """Write the table as a tabular with the rules of booktabs."""
    head, *rows, kinds = _columns(result)
    lines = [" & ".join(map(escape_latex, row)) + r" \\" for row in (head, *rows)]
    body = [r"\toprule", lines[0], r"\midrule", *lines[1:], r"\bottomrule"]
    return "\n".join([rf"\begin{{tabular}}{{{kinds}}}", *body, r"\end{tabular}", ""])


def markdown_of(result: Any) -> str:
    """Write the table in markdown, with columns of one width."""
    head, *rows, kinds = _columns(result)
    cells = [list(map(escape, row)) for row in (head, *rows)]
    widths = [max(3, *map(len, column)) for column in zip(*cells, strict=True)]
    rule = ["-" * (w - (k == "r")) + ":" * (k == "r") for w, k in zip(widths, kinds, strict=True)]
    sides = kinds.replace("l", "<").replace("r", ">")
    lines = [
        [f"{text:{side}{w}}" for text, side, w in zip(line, sides, widths, strict=True)]
        for line in (cells[0], rule, *cells[1:])
    ]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _columns(result: Any) -> list[Any]:
    """Return the head, the rows and the alignment of the columns, l or r."""
    frame = result.to_frame()
    reads = list(map(shown_as, frame["metric"]))
    frame["metric"] = [read.name for read in reads]
    for column in ("score", "score_versus"):
        scores = frame[column].tolist()
        frame[column] = [read.number(score) for read, score in zip(reads, scores, strict=True)]
    is_adjusted = result.adjustment != "none" and result.n_adjusted > 1
    level = format_percent(result.confidence_level)
    if is_adjusted and not ADJUSTMENTS[result.adjustment].has_intervals:
        level = f"unadjusted {level}"

    names = _NAMES if len(result.metrics) > 1 else _NAMES[1:]
    found = {name: frame[name].tolist() for name in names}
    heads = {"score_versus": "score of versus", "low": f"{level} low", "high": f"{level} high"}
    measured = frame[[*_MEASURED]].to_numpy(float)
    decimals = _decimals(frame["standard_error"].to_numpy(float), measured)
    for name, numbers in zip(_MEASURED, measured.T, strict=True):
        if not np.isnan(numbers).all():
            found[heads.get(name, name)] = [_written(x, decimals) for x in numbers.tolist()]
    head_of_p = "adjusted p" if is_adjusted else "p-value"
    found[head_of_p] = list(map(_written_pvalue, frame["pvalue_adjusted"].tolist()))
    kinds = "l" * len(names) + "r" * (len(found) - len(names)) + "l"
    found["outcome"] = [
        better(pair.outcome) if read.is_loss else pair.outcome
        for read, pair in zip(reads, result, strict=True)
    ]
    return [list(found), *map(list, zip(*found.values(), strict=True)), kinds]


def _written_pvalue(pvalue: float) -> str:
    """Return a p-value with four decimals, or that it is smaller than can be told."""
    return f"< {SMALLEST_PVALUE:.4f}" if pvalue < SMALLEST_PVALUE else _written(pvalue, 4)


def _decimals(errors: np.ndarray, measured: np.ndarray) -> int:
    """Return the decimals of all numbers: two digits of the smallest standard error."""
    sizes = errors[np.isfinite(errors) & (errors > 0)]
    if not len(sizes):
        sizes = np.abs(measured[np.isfinite(measured) & (measured != 0)]) / 10
    smallest = float(sizes.min()) if len(sizes) else 1.0
    return int(np.clip(_DIGITS - 1 - np.floor(np.log10(smallest)), 0, _MOST_DECIMALS))


def _written(x: float, decimals: int) -> str:
    return "-" if np.isnan(x) else f"{x:.{decimals}f}"
