"""A printed note ends with its code in brackets, in every format; a user's own note has none."""

import html
import re

import pytest

import skcvstats as s
from skcvstats.exceptions import SplitDesignWarning
from skcvstats.scores import Note

from .cases import formats, joined, quietly, scores_of

NOTE = Note("a <code> of 50 %", "rows are from 2020", None)


def printed_in_each_format(result):
    """Return the printed result, its HTML and the report in all formats, each as plain text."""
    found = {"print": str(result), "notebook": html.unescape(result._repr_html_())}
    found |= formats(s.evaluation_report(result))
    found["markdown"] = re.sub(r"\\(?=[^a-zA-Z0-9\s])", "", found["markdown"])
    found["html"] = html.unescape(found["html"])
    latex = {r"\%": "%", r"\textless{}": "<", r"\textgreater{}": ">", r"\allowbreak{}": ""}
    for escaped, character in latex.items():
        found["latex"] = found["latex"].replace(escaped, character)
    return {name: re.sub("</?(a|p|li)( [^>]*)?>", "", joined(text)) for name, text in found.items()}


def noted(*notes):
    return quietly(s.compare_scores, scores_of("ab").with_notes(notes))


def test_every_format_has_the_code():
    for name, text in printed_in_each_format(noted(NOTE)).items():
        said = "ows are from 2020. [a <code> of 50 %]"
        assert said in text, name


def test_a_users_note_has_none():
    for name, text in printed_in_each_format(noted("rows are from 2020")).items():
        assert "ows are from 2020." in text, name
        assert "ows are from 2020. [" not in text, name


def test_a_caveat_in_the_header_has_the_code():
    printed = joined(noted(Note("few groups", "only 7 groups: little power")))
    assert "Only 7 groups: the variance between them is poorly estimated. [few groups]" in printed
    assert "little power" not in printed


def test_html_links_codes_of_the_package():
    result = noted(Note("few splits", "only <3> splits", None), NOTE)
    link = '<a href="https://skcvstats.readthedocs.io/en/stable/notes.html#note-few-splits">'
    for page in (result._repr_html_(), s.evaluation_report(result).to_html(standalone=False)):
        assert f"nly &lt;3&gt; splits. {link}[few splits]</a>" in page
        assert page.count("<a ") == 1  # others' codes have no page
        assert "ows are from 2020. [a &lt;code&gt; of 50 %]" in page


def test_a_page_links_the_glossary():
    page = s.evaluation_report(noted(NOTE)).to_html()
    assert page.count('<a href="https://skcvstats.readthedocs.io/en/stable/glossary.html">') == 1


def test_codes_of_warnings_are_links():
    scores = scores_of("ab").with_notes([Note("few groups of fits", "seen before")])
    scores = scores.with_notes([Note("one repeat", "a <repeat>")])
    with pytest.warns(SplitDesignWarning):
        result = s.compare_scores(scores)
    link = '<a href="https://skcvstats.readthedocs.io/en/stable/notes.html#note-one-repeat">'
    page = result._repr_html_()
    assert f"<p>A &lt;repeat&gt;. {link}[one repeat]</a></p>" in page  # a notebook has it in full
    assert "Warnings: few groups of fits, one repeat (see result.notes)." in str(result)


@pytest.mark.parametrize("length", range(60, 110))
def test_a_code_stays_on_one_line(length):
    code = "two-valued predictions"
    note = Note(code, "x" * 40 + " " + "y" * (length - 41), None)
    result = s.compare_scores(scores_of(["a", "b"]).with_notes([note]))
    lines = quietly(str, result).splitlines()
    assert sum(f"[{code}]" in line for line in lines) == 1
    assert max(map(len, lines)) <= 88
