"""The directive ``.. notes::``: a section for each note, from the list in the package."""

import json
import re
from pathlib import Path
from textwrap import indent, wrap

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList
from sphinx.util.nodes import nested_parse_with_titles

from skcvstats.notes import anchor_of, explained_notes

DATA = Path(__file__).parent / "data"
RATES = DATA / "note_rates.json"
EXAMPLES = DATA / "note_examples.json"
SECTION = """
.. _{anchor}:

{title}
{underline}

**What it looks for.** {looks_for}

**Why it matters.** {why}

**What to do.** {remedy}

{example}

**On sound data.** {on_sound_data}
"""
EXAMPLE = """**Example.**

.. code-block:: none

{printed}"""
NOT_APPLICABLE = "Not applicable: what it is about does not occur there."
RATE = "Found in {found} of {looked_for} cases{percent}."
WIDTH = 100  # of printed lines
# Of fewer cases a percentage would say more than they do.
FEWEST_FOR_PERCENT = 20


def sections() -> str:
    """Return the codes of all notes, and their sections in the same order."""
    notes = explained_notes()
    links = [f"   * :ref:`{code} <{anchor_of(code)}>`" for code in notes]
    described = map(section, notes.values())
    return "\n".join([".. hlist::", "   :columns: 3", "", *links, "", *described])


# What is written in Python: a call, an argument or a name with underscores.
_CODE = re.compile(r"""[\w.]*\w(?:=(?:"[^"]*"|'[^']*'|[\w.]*\w)?)?(?:\([^()]*\))?""")


def with_code(text: str) -> str:
    """Return a text in which what is Python is marked as code."""

    def mark(found: re.Match[str]) -> str:
        is_code = any(sign in found[0] for sign in "_=(")
        return f"``{found[0]}``" if is_code else found[0]

    return _CODE.sub(mark, text)


def section(note) -> str:
    """Return the section of a note."""
    title = f"{note.title} ``[{note.code}]``"
    return SECTION.format(
        anchor=anchor_of(note.code),
        title=title,
        underline="-" * len(title),
        looks_for=with_code(note.looks_for),
        why=with_code(note.why),
        remedy=with_code(note.remedy),
        example=example_of(note.code),
        on_sound_data=note.on_sound_data or rate_of(note.code),
    )


def example_of(code: str) -> str:
    """Return a note as it is printed, which a test has given; empty where none has."""
    examples = json.loads(EXAMPLES.read_text("utf-8"))
    if code not in examples:
        return ""
    code_in_one_piece = code.replace(" ", "\xa0")
    lines = wrap(f"Note: {examples[code]}. [{code_in_one_piece}]", WIDTH, break_on_hyphens=False)
    return EXAMPLE.format(printed=indent("\n".join(lines), "   ").replace("\xa0", " "))


def rate_of(code: str) -> str:
    """Say how often a note is found on sound data."""
    rates = json.loads(RATES.read_text("utf-8"))
    if code not in rates:
        raise ValueError(
            f"The note {code!r} has no rate yet. Say in its on_sound_data= on how many sound data "
            "sets it is found, or run: SKCVSTATS_NOTE_RATES=write pytest -m calibration "
            "tests/calibration/test_note_rates.py"
        )
    found = rates[code]["found"]
    looked_for = rates[code]["looked for"]
    if looked_for == 0:
        return NOT_APPLICABLE
    percent = ""
    if looked_for >= FEWEST_FOR_PERCENT:
        percent = f" ({100 * found / looked_for:.3g} %)"
    return RATE.format(found=found, looked_for=looked_for, percent=percent)


class Notes(Directive):
    """Put the sections of all notes here."""

    def run(self):
        """Return the parsed sections; the page is read again when what it reads has changed."""
        for path in (RATES, EXAMPLES):
            self.state.document.settings.env.note_dependency(str(path))
        lines = StringList(sections().splitlines(), source=__file__)
        parent = nodes.section()
        parent.document = self.state.document
        nested_parse_with_titles(self.state, lines, parent)
        return parent.children


def setup(app):
    """Add the directive."""
    app.add_directive("notes", Notes)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
