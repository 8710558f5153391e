"""Phrases that readers stumbled over, with what to write instead, in the package and its pages."""

import re
from pathlib import Path

import pytest

from skcvstats.stats import KINDS

ROOT = Path(__file__).parents[1]
FILES = [
    *(ROOT / "skcvstats").rglob("*.py"),
    *(ROOT / "skcvstats" / "words" / "templates").iterdir(),
    *(ROOT / "doc").glob("*.rst"),
    *(ROOT / "doc").glob("*.py"),
    *(
        path
        for name in ("examples", "procedures", "integrations")
        for path in (ROOT / "doc" / name).iterdir()
    ),
    *(ROOT / name for name in ("README.rst", "CONTRIBUTING.rst")),
]
# A regular expression of what is not written, and the words to write. "Could be the best" stays.
WORDS = {
    r"(?<!was )(?-i:not shown|Not shown)": "not significant; no significant difference was found",
    r"differences? (is|are|was|were) (not )?shown(?! to)": "a difference is significant",
    r"(is|are|was|were) shown to differ": "they differ significantly",
    r"(nothing|neither) is shown": "nothing is significant; undecided",
    r"the contrary is shown": "the contrary holds",
    r"fewer questions": "it only asks whether another is better",
    r"(do|does) not decide (differences|whether)": (
        "these intervals are for single scores; use the table of differences to compare models"
    ),
    r"shares? (a|no) letter": "without a common letter two differ significantly",
    r"too eager": "anticonservative: rejects true null hypotheses more often than the level",
    r"told (at|otherwise)": "reported at another level; the default is 0.95",
    r"told (apart|from)": "distinguished",
    r"(leaves? out|holds?) (0|zero)\b": "excludes 0; contains 0",
    r"to be said in": "for",
    r"for who(ever)? (has|have|had|wants?)": "for users who",
    r"counts? as as good": "are considered equally good",
    r"\ba hole\b": "a missing score",
    r"needs? to repeat": "how to reproduce this",
    r"ought\b": "should",
    r"luck of seeds": "seed-to-seed variability",
    r"torn apart": "split across training and test",
    r"no proof": "that is not evidence of",
    r"is no (array|mean|number|part)\b": "is not a",
    r"are no (measurements|halves)": "are meaningless; are not",
    r"(has|have) no use for": "does not accept",
    r"fell behind": "eliminated",
    r"(it is|leaves) open whether": "was not shown",
    r"assume least": "want the weakest assumptions",
    r"(has|have|must) (to )?see to it": "must keep",
    r"rows to train on": "training rows",
    r"(random|fifteen|\d+) tenths": "90/10 splits",
}


def text_of(path):
    """Return the words of a file on one line, without marks of comments and parts of strings."""
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"""(["'])\s*\n\s*f?\1""", "", text)
    text = re.sub(r"^\s*#:? ?", " ", text, flags=re.MULTILINE)
    kinds = "|".join(KINDS)
    text = re.sub(rf"""(["'`])({kinds})\1|^({kinds})$""", "", text, flags=re.MULTILINE)  # exempt
    return " ".join(text.split())


@pytest.fixture(scope="module")
def texts():
    found = {str(path.relative_to(ROOT)): text_of(path) for path in FILES if path.is_file()}
    assert len(found) > 180
    return found


@pytest.mark.parametrize("phrase", WORDS)
def test_nobody_has_to_read_a_phrase_twice(phrase, texts):
    found = [
        f"{name}: ...{text[max(0, at.start() - 40) : at.end() + 40]}..."
        for name, text in texts.items()
        for at in re.finditer(rf"\b{phrase}", text, flags=re.IGNORECASE)
    ]
    assert not found, f"write instead: {WORDS[phrase]}\n" + "\n".join(found)
