"""Every code that is printed has one section of the page on notes."""

import json
import re
import sys
from pathlib import Path

import pytest

from skcvstats.notes import NOTES, address_of, anchor_of, explained_notes
from skcvstats.notes._described import DESCRIBED_NOTES

from .written_codes import patterns_of_codes

DOC = Path(__file__).parents[2] / "doc"


def test_every_written_code_is_explained_and_every_explained_one_is_written():
    patterns = patterns_of_codes()
    del patterns["note"]  # of notes that are given as plain strings
    for code in ("same test rows", "repeated splits"):  # where they are accepted
        patterns[re.escape(f"doubtful: {code}")] = "scores/_design.py"
    codes = explained_notes().keys()
    unexplained = {
        pattern: place
        for pattern, place in patterns.items()
        if not any(re.fullmatch(pattern, code) for code in codes)
    }
    assert not unexplained, "register these with @note, or add them to notes/_described.py"
    assert not {code for code in codes if not any(re.fullmatch(each, code) for each in patterns)}


def test_codes_are_unique():
    codes = [note.code for note in [*NOTES, *DESCRIBED_NOTES]]
    assert len(set(codes)) == len(codes)


def test_addresses_are_unique():
    codes = explained_notes()
    assert len({anchor_of(code) for code in codes}) == len(codes)
    assert address_of("few splits").endswith("notes.html#note-few-splits")
    assert address_of("doubtful: same test rows").endswith("#note-doubtful-same-test-rows")


def test_every_note_says_what_it_looks_for_why_it_matters_and_what_to_do():
    for note in explained_notes().values():
        for text in (note.title, note.looks_for, note.why, note.remedy):
            assert text, note.code
        assert not note.title.endswith(".")
        for text in (note.looks_for, note.why, note.remedy):
            assert text.endswith("."), note.code


def test_examples_and_rates_are_of_notes_that_there_are():
    codes = explained_notes().keys()
    examples = json.loads((DOC / "data" / "note_examples.json").read_text("utf-8"))
    assert not examples.keys() - codes, "write them again, as tests/notes/recorder.py says"
    assert len(codes - examples.keys()) < 10
    rates = json.loads((DOC / "data" / "note_rates.json").read_text("utf-8"))
    assert not rates.keys() - codes, "write them again, as test_note_rates.py says"


def test_a_code_of_others_has_no_address():
    assert address_of("a code of others") == ""


def test_the_page_has_a_section_for_each_code(monkeypatch):
    monkeypatch.syspath_prepend(DOC)
    monkeypatch.delitem(sys.modules, "notes_page", raising=False)
    notes_page = pytest.importorskip("notes_page", reason="sphinx is in the docs extra")
    text = notes_page.sections()
    codes = [*explained_notes()]
    starts = [text.index(f".. _{anchor_of(code)}:") for code in codes]
    assert starts == sorted(starts)
    assert text.count("**On sound data.** Found in") > 10
    assert len(re.findall(r"\*\*On sound data\.\*\* \w", text)) == len(codes)
    for code, note in explained_notes().items():
        title = f"{note.title} ``[{code}]``"
        head = f".. _{anchor_of(code)}:\n\n{title}\n{'-' * len(title)}\n"
        assert text.count(head) == 1
        assert text.count(f":ref:`{code} <{anchor_of(code)}>`") == 1


@pytest.mark.parametrize(
    ("found", "looked_for", "said"),
    [
        (0, 0, "Not applicable: what it is about does not occur there."),
        (1, 19, "Found in 1 of 19 cases."),
        (1, 20, "Found in 1 of 20 cases (5 %)."),
    ],
)
def test_few_cases_have_no_percentage(monkeypatch, tmp_path, found, looked_for, said):
    monkeypatch.syspath_prepend(DOC)
    notes_page = pytest.importorskip("notes_page", reason="sphinx is in the docs extra")
    rates = tmp_path / "rates.json"
    rates.write_text(json.dumps({"a note": {"found": found, "looked for": looked_for}}), "utf-8")
    monkeypatch.setattr(notes_page, "RATES", rates)
    assert notes_page.rate_of("a note") == said


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("Use cv=KFold(5, shuffle=True).", "Use ``cv=KFold(5, shuffle=True)``."),
        ("Begin its name with neg_.", "Begin its name with ``neg_``."),
        ("Pass groups= if so; or nothing.", "Pass ``groups=`` if so; or nothing."),
        (
            'Use method="exact", as here (see below).',
            'Use ``method="exact"``, as here (see below).',
        ),
    ],
)
def test_python_is_marked_as_code(monkeypatch, text, marked):
    monkeypatch.syspath_prepend(DOC)
    notes_page = pytest.importorskip("notes_page", reason="sphinx is in the docs extra")
    assert notes_page.with_code(text) == marked
