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
OBJECTS = "an?|the|one|only|all|both|no|two|each|every|more|rows?|numbers?|values?|scores?|them|it"
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
    r"rejects? too (often|easily)": "is anticonservative",
    r"the standard error being|of \d+ expected": "no pair differs significantly (6 comparisons)",
    rf"hold(s|ing)? (({OBJECTS})\b|[{{'\"])": "contains, has, stores",
    r"held (in|by)": "kept in",
    r"share of \S+ can be measured": "because per-row scores are available",
    r"(one|a single) (class|value|label|group|row|column)s? only": "only one class",
    r"is not defined (there|on this)": "for which it is undefined",
    r"scores? (a|un)like\b|(?<!the )order matters": "scores of adjacent rows are correlated",
    r"moves for all rows|miss more often than they|with so rare|procedure sees": (
        "varies between fits; intervals undercover"
    ),
    r"no error in any row|is the target among": "perfect on every row; check for target leakage",
    r"by more than (their |the )?(test )?rows explain": (
        "scores vary more between fits than their test rows explain"
    ),
    r"which is not evidence|neither is evidence": "so no conclusion can be drawn",
    r"fits go on, and|not kept from|begun last": "fitting continues; evaluated last",
    r"of which\b(?! could be best)": "whose; for which; where; two sentences",
    r"scorer of no|metrics? of no|of which (smaller|less)": "that does not return numbers",
    r"if not two|or no reference": "if fewer than two, or not the reference, remain",
    r"why it is none|left out is right": "why it is not one; defaults are valid",
    r"(are|is) of \d[\d,]* draws": "are recomputed from 199,999 draws",
    r"what somebody\b|somebody (names|made|does|needs)": "how to reproduce this; users",
    r"what of\b|(?-i:\bof (the |a |an |each |every )?[a-z`]+ what (was|is|are|were|has)\b)": (
        "the subject first: what is known of the variance"
    ),
    r"(is|are|was|were) (told|said to)\b|told (of|that|whenever|beside)": "reported",
    r"which is said|it is said|was said (so|of)": "reported",
    r"as good as\b": "equally good; equivalent to",
    r"(better|worse|more|higher|lower) than it(?! is)\b": "than the reference; than the margin",
    r"looks? better than it is": "the score is too high",
}
# Docstrings that say nothing about a parameter.
EMPTY_ENTRIES = re.compile(r"^ +(It|Which|That|They)\.$", re.MULTILINE)


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


def test_phrases_are_found_in_a_text_that_has_them():
    text = (
        "It rejects too often where a test set holds one class only, of which no procedure sees it."
    )
    found = {phrase for phrase in WORDS if re.search(rf"\b{phrase}", text)}
    assert len(found) == 5


def test_no_parameter_is_explained_by_a_pronoun():
    found = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "skcvstats").rglob("*.py")
        if EMPTY_ENTRIES.search(path.read_text(encoding="utf-8"))
    ]
    assert not found
