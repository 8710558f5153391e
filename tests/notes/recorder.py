"""A plugin that keeps an example of each note that the tests give, for doc/notes.

``python -m pytest -n 0 -p tests.notes.recorder tests`` writes doc/data/note_examples.json. Of a
code that no test gave this time the earlier example stays.
"""

import json
import sys
from pathlib import Path

import skcvstats
from skcvstats.notes import explained_notes
from skcvstats.scores import Note

EXAMPLES = Path(__file__).parents[2] / "doc" / "data" / "note_examples.json"
PACKAGE = str(Path(skcvstats.__file__).parent)
TEXTS: dict[str, set[str]] = {}


def pytest_configure():
    """Keep the text of each note that the package makes, not those that tests make."""
    for name, module in list(sys.modules.items()):
        if name.startswith("skcvstats."):
            constants = [value for value in vars(module).values() if isinstance(value, Note)]
            for note in constants:
                TEXTS.setdefault(note.code, set()).add(note.text)
    make = Note.__init__

    def make_and_keep(note, *args, **options):
        make(note, *args, **options)
        if sys._getframe(1).f_code.co_filename.startswith(PACKAGE):
            TEXTS.setdefault(note.code, set()).add(note.text)

    Note.__init__ = make_and_keep


def pytest_unconfigure():
    """Write a text of middle length of each code."""
    examples = {}
    if EXAMPLES.exists():
        examples = json.loads(EXAMPLES.read_text("utf-8"))
    for code, texts in TEXTS.items():
        by_length = sorted(texts, key=lambda text: (len(text), text))
        examples[code] = by_length[len(by_length) // 2]
    for code in explained_notes():
        if code.startswith("doubtful: "):
            examples[code] = examples[code.removeprefix("doubtful: ")]
    kept = {code: examples[code] for code in explained_notes() if code in examples}
    written = json.dumps(kept, indent=2, ensure_ascii=False)
    EXAMPLES.write_text(f"{written}\n", "utf-8")
