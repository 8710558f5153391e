"""A printed note ends with its code in brackets, in every format; a user's own note has none."""

import html
import re

import skcvstats as s
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
