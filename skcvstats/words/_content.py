"""What is said of a result of any type: `printed` at a prompt, `content` in a report."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from ._document import Citation, Document, Paragraph, Section, bibliography, parts_of
from ._parts import Parts, parts
from ._sentences import MOST_ROWS, as_table, in_full, notes_of, on_test_set, provenance_of

_CALL = re.compile(r",? \((?:see|in) \w+\(\)\)|,? (?:see|in) \w+\(\)|; use pairs\(\)[^.]*")


def printed(
    said: Parts, *, reword: Callable[[str], str] = str, every_note: bool = False
) -> list[Section]:
    """Return what is said of a result at a prompt, with the notes that limit it, or all of them.

    What is said in sentences is said in the words that `reword` returns.
    """
    notes = notes_of(said)
    if every_note:
        notes = in_full(said.notes)
    return [_reworded(part, reword) for part in [*said.printed(), Section(paragraphs=notes)]]


def content(
    result: Any,
    *,
    most_rows: int = MOST_ROWS,
    decision: str = "",
    reword: Callable[[str], str] = str,
) -> Document:
    """Return the report of a result, its sentences in the words that `reword` returns.

    It has what was found, its limitations, how it was made, and its sources.
    """
    said = parts(result)
    sections = said.found(most_rows)
    known = provenance_of(said.scores)
    data = [*known.get("table", []), *known.get("read", [])]  # by the command line
    data += [*known.get("used", []), *known.get("data", [])]
    if data:
        sections[0].facts.append(("data", "; ".join(map(str, data)).replace(".; ", "; ")))
    if decision:
        sections[0].paragraphs.insert(0, decision)
    sections = [_reworded(section, _without_call) for section in sections]
    sections += [_limitations(said), *said.methods()]
    if "columns" in known:
        table = as_table(list(map(dict, known["columns"])), n_names=4)
        sections.append(Section("Columns of the data", table=table))
    sections = [_reworded(section, reword) for section in sections]
    title = f"Evaluation report: {said.subject()}"
    cited = dict.fromkeys(_sources_in(sections))
    return Document(title, sections, said.reproduction(), bibliography(cited))


def _limitations(said: Parts) -> Section:
    """List the limitations of a result, or say that there are none."""
    points = said.limitations()
    if points:
        return Section("Limitations", points=points)
    what = "test set" if on_test_set(said.scores) else "splits"
    return Section("Limitations", paragraphs=[f"The {what} and the scores gave no warning."])


def _sources_in(sections: list[Section]) -> Iterator[str]:
    """Yield the sources that the paragraphs of sections cite."""
    for section in sections:
        for paragraph in section.paragraphs:
            for part in parts_of(paragraph):
                if isinstance(part, Citation):
                    yield from part.sources


def _reworded(section: Section, change: Callable[[str], str]) -> Section:
    """Return a section in whose sentences each text is changed."""
    changed = partial(_changed, change)
    paragraphs = list(map(changed, section.paragraphs))
    points = list(map(changed, section.points))
    picture = section.picture
    if picture is not None:
        picture = replace(picture, legend=change(picture.legend))
    return replace(section, paragraphs=paragraphs, points=points, picture=picture)


def _changed(change: Callable[[str], str], paragraph: Paragraph) -> Paragraph:
    if isinstance(paragraph, str):
        return change(paragraph)
    return tuple(change(part) if isinstance(part, str) else part for part in paragraph)


def _without_call(text: str) -> str:
    """Return a text of a report, whose readers may not know the methods of a result."""
    return _CALL.sub("", text)
