"""The page of the documentation that explains notes: its sections, and their addresses."""

import re

from ._described import DESCRIBED_NOTES, DescribedNote
from ._registry import NOTES, RegisteredNote

_ADDRESS = "https://skcvstats.readthedocs.io/en/stable/notes.html"


def explained_notes() -> dict[str, RegisteredNote | DescribedNote]:
    """Return what the page explains, by code."""
    notes = dict[str, RegisteredNote | DescribedNote]()
    for described in DESCRIBED_NOTES:
        notes[described.code] = described
    for registered in NOTES:
        notes[registered.code] = registered
    return {code: notes[code] for code in sorted(notes)}


def anchor_of(code: str) -> str:
    """Return the name of a code's section."""
    words = re.findall("[a-z0-9]+", code.lower())
    return f"note-{'-'.join(words)}"


def address_of(code: str) -> str:
    """Return the address of a code's section; empty where the page has none."""
    if code not in explained_notes():
        return ""
    return f"{_ADDRESS}#{anchor_of(code)}"
