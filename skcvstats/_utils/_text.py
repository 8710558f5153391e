"""Names, numbers and tables as text, HTML and plain JSON."""

import json
import math
import re
import sys
import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache, partial
from html import escape
from itertools import accumulate, chain, count, takewhile
from operator import methodcaller
from textwrap import fill
from typing import Any

# Control characters, line and paragraph separators, bidirectional controls, and surrogates.
_UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
# Letters and marks that are invisible, although Python counts them as printable.
_BLANK = {
    *map(chr, (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0)),
    *map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))),
}
# The selector that makes an emoji of a symbol, and the joiner of two emoji.
_EMOJI = "[\u00a9\u00ae\u2100-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
_SELECTOR = "\ufe0f"
_JOINER = "\u200d"
# All that may be invisible: printable ASCII is not.
_CHARACTER = re.compile(
    f"(?P<of_emoji>(?<={_EMOJI}){_SELECTOR}"
    f"|(?<={_EMOJI}){_JOINER}(?={_EMOJI})"
    f"|(?<={_EMOJI}{_SELECTOR}){_JOINER}(?={_EMOJI}))"
    "|[^ -~]"
)
# A word with the signs behind it, after which a name may be broken.
_WORD = re.compile(r"[^\s(_/=,]*[\s(_/=,]+|[^\s(_/=,]+")
# The label of a candidate of a search: its number and parameters.
_CANDIDATE = re.compile(r"(#\d+) \w+=.*", re.DOTALL)
_BARE = methodcaller("rstrip", " (_/=,")  # a word without these signs
# Stands for a word that was left out: no visible text has it.
_LEFT_OUT = "\x00"
_ANY_LEFT_OUT = re.compile(f"(?:{_LEFT_OUT} ?)*{_LEFT_OUT}( ?)")
_DOTS_AT_END = re.compile(r"\.{4,}\Z")
_MANY_DOTS = re.compile(r"\.{3}[. ]*\.{3}|\.{4,}")
# A note that begins with code: with y, or with a name that has one of these signs.
_BEGINS_WITH_CODE = re.compile(r"y( |\Z)|[^ ]*[_=(]")
WIDEST_NAME = 100
WIDEST_LINE = 88


@lru_cache(maxsize=1024)  # a result writes the same names again and again
def visible(text: str) -> str:
    r"""Write invisible characters of a text as escapes, such as ``\u202e`` and ``\x00``."""
    return _CHARACTER.sub(_visible, text)


def _visible(match: re.Match[str]) -> str:
    character = match[0]
    if match["of_emoji"] or (character.isprintable() and character not in _BLANK):
        return character
    if unicodedata.category(character) == "Zs":
        return " "
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def first_of(names: Sequence[str], most: int = sys.maxsize, few: int = sys.maxsize) -> str:
    """List names, or the first of them and how many more; after semicolons if one has a comma."""
    separator = "; " if "," in "".join(names) else ", "
    if len(names) <= most:
        return separator.join(names)
    first = names[: min(most, few)]
    return f"{separator.join(first)} and {len(names) - len(first)} more"


@lru_cache(maxsize=1024)
def cut(name: str, width: int = WIDEST_NAME) -> str:
    """Return a name as visible text that fits a line; a long name loses its middle."""
    name = visible(name)
    if columns(name) <= width and len(name) <= 2 * width:
        return name
    n_last = (width - 3) // 3
    last = _first_columns(name[::-1], n_last)[::-1]
    return f"{_first_columns(name, width - 3 - n_last)}...{last}"


def _first_columns(text: str, width: int) -> str:
    """Return the longest beginning that fits."""
    ends = list(accumulate(map(columns, text[:width])))  # there may be many marks without width
    return text[: bisect_right(ends, width)]


def called(name: str) -> str:
    """Return what sentences call a model: a candidate of a search by its number, such as #24."""
    return _CANDIDATE.sub(r"\1", name)


def shortened(names: Iterable[str], width: int) -> dict[str, str]:
    """Return a text that fits for each name; texts differ if the names do."""
    texts = {name: visible(name) for name in names}
    long = [name for name, text in texts.items() if cut(text, width) != text]
    words = {name: _WORD.findall(text) for name, text in texts.items()}
    distinct = {name: frozenset(map(_BARE, found)) for name, found in words.items()}
    n_names = Counter(chain.from_iterable(distinct.values()))
    for name in long:
        others = [distinct[other] for other in texts if other != name]
        told_apart = _telling_words(list(map(_BARE, words[name])), others, n_names)
        texts[name] = _MANY_DOTS.sub("...", cut(_with_more(words[name], told_apart, width), width))
    for group in _alike(texts, long):
        shown = [visible(name) for name in group]
        first = _beginning_of_all(shown)
        last = _beginning_of_all([name[::-1] for name in shown])[::-1]
        for name in group:
            different = visible(name).removeprefix(first).removesuffix(last)
            beginning = _first_columns(first, max(width - columns(different) - 6, 0))
            texts[name] = cut(f"{beginning}...{different}...", width)
    for group in _alike(texts, long):
        for name in group:
            texts[name] = _numbered(texts[name], width, set(texts.values()))
    return texts


def _telling_words(
    words: Sequence[str], others: Sequence[Container[str]], n_names: Mapping[str, int]
) -> set[int]:
    """Return the places of the rarest words that together no other name has."""
    places = set()
    for place in sorted(range(len(words)), key=lambda k: n_names[words[k]]):
        fewer = [other for other in others if words[place] in other]
        if len(fewer) < len(others):
            places.add(place)
            others = fewer
    return places or set(range(len(words)))


def _with_more(words: Sequence[str], places: set[int], width: int) -> str:
    """Return words with the others beside them that fit, those before them first."""
    for place in sorted(range(len(words)), key=lambda place: place + 1 not in places):
        is_beside = not {place - 1, place + 1}.isdisjoint({-1, *places})
        if is_beside and columns(_joined(words, places | {place})) <= width:
            places = places | {place}
    text = _joined(words, places)
    if columns(text) > width:
        text = text.removesuffix("...").rstrip(" ,;")
    return text


def _joined(words: Sequence[str], places: set[int]) -> str:
    """Return the words at some places, with dots for the others."""
    left = [_LEFT_OUT + " " * word.endswith(" ") for word in words]
    for place in places:
        left[place] = words[place]
    return _ANY_LEFT_OUT.sub(r"...\1", "".join(left)).rstrip()


def _alike(texts: Mapping[str, str], long: Sequence[str]) -> list[list[str]]:
    """Return the groups of long names whose texts are the same, or that of another name."""
    n_names = Counter(texts.values())
    groups: dict[str, list[str]] = {}
    for name in long:
        if n_names[texts[name]] > 1:
            groups.setdefault(texts[name], []).append(name)
    return list(groups.values())


def _beginning_of_all(texts: Sequence[str]) -> str:
    """Return the longest beginning that all texts have."""
    of_all = takewhile(lambda characters: len(set(characters)) == 1, zip(*texts, strict=False))
    return "".join(characters[0] for characters in of_all)


def _numbered(text: str, width: int, taken: Container[str]) -> str:
    """Return a text with the first number that makes it another one than those taken."""
    for number in count(1):
        end = f"#{number}"
        numbered = f"{_first_columns(text, max(width - len(end), 0))}{end}"
        if numbered not in taken:
            break
    return numbered


def columns(text: str) -> int:
    """Return the width of a visible text in columns of a terminal."""
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


def _columns(character: str) -> int:
    # The only format character, Cf, that a visible text keeps is the joiner of two emoji.
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    if unicodedata.east_asian_width(character) in ("W", "F"):
        return 2
    return 1


def with_blanks(text: str) -> str:
    """Return a text with a blank in place of each character that names must not have."""
    return _UNPRINTABLE.sub(" ", text)


def check_printable(names: Sequence[str], what: str) -> None:
    """Raise ValueError at a character that cannot be printed, or that changes the text around."""
    for name in names:
        match = _UNPRINTABLE.search(name)
        if match:
            raise ValueError(
                f"The name {cut(repr(name))} among the {what} has {match[0]!r} at position "
                f"{match.start()}, which cannot be printed; take this character out."
            )


def check_names(names: Sequence[str], what: str) -> None:
    """Raise ValueError if names cannot be printed, are empty, or look the same when printed."""
    check_printable(names, what)
    name_by_look: dict[str, str] = {}
    for name in names:
        look = " ".join(unicodedata.normalize("NFC", visible(name)).split())
        look = look.replace(_SELECTOR, "")  # which changes the style only
        if not look:
            raise ValueError(f"The name {name!r} among the {what} is empty; give each a name.")
        if look in name_by_look:
            raise ValueError(
                f"The names {name_by_look[look]!r} and {name!r} of the {what} are the same, or "
                "look so when they are printed; rename one."
            )
        name_by_look[look] = name


# A p-value is never rounded across one of these.
_LEVELS = (0.001, 0.005, 0.01, 0.05, 0.1)
_WIDEST_NUMBER = 12  # in a column
_SHORTEST_CLAUSE = 16  # of a note
# Below this, the size of a p-value has no meaning.
SMALLEST_PVALUE = 1e-4


def format_number(
    x: float, *, padded: bool = False, fewest: int = 3, apart: Sequence[float] = ()
) -> str:
    """Write a number with three digits, or more, so that it is on its side of those `apart`."""
    bounds = sorted(apart)
    side = _side(bounds, x)
    form = "#" if padded and x != 0 else ""
    for digits in range(fewest, 18):
        text = f"{x:{form}.{digits}g}".removesuffix(".")
        if digits == 3 and 999.5 <= abs(x) < 1e7:
            text = f"{x:.0f}"
        if _side(bounds, float(text)) == side:
            break
    return text


def _side(bounds: Sequence[float], x: float) -> tuple[int, int]:
    """Return between which of the sorted bounds a number is."""
    return bisect_left(bounds, x), bisect_right(bounds, x)


def format_size(size: float) -> str:
    """Write a size: a whole number, or of an average below 100 one decimal."""
    if size >= 100:
        return f"{size:.0f}"
    return f"{size:.1f}".removesuffix(".0")


def as_sentence(note: str) -> str:
    """Write a note as a sentence of its own; a name in code keeps its first letter."""
    ended = _DOTS_AT_END.sub("...", f"{note}.")
    if _BEGINS_WITH_CODE.match(note):
        return ended
    return f"{ended[0].upper()}{ended[1:]}"


def format_pvalue(
    p: float,
    smallest: float = SMALLEST_PVALUE,
    error: float = 0.0,
    *,
    digits: int = 3,
    padded: bool = False,
) -> str:
    """Write a p-value as a relation: ``= 0.0123``, ``< 0.0001`` or ``> 0.999``."""
    if p < smallest:
        return f"< {format(Decimal(repr(smallest)), 'f')}"
    if 0.999 < p < 1:
        return "> 0.999"
    fewest = digits
    if error > 0 and p > 0:  # no digit has a unit of less than half of the Monte-Carlo error
        places = math.floor(math.log10(p)) - math.ceil(math.log10(error / 2))
        fewest = min(digits, max(1, 1 + places))
    return f"= {format_number(p, padded=padded, fewest=fewest, apart=_LEVELS)}"


def format_percent(share: float) -> str:
    """Write a share in percent, with four digits, or as many as distinguish it from 0 and 100."""
    return f"{format_number(100 * share, fewest=4, apart=(0, 100))} %"


def format_interval(
    low: float, high: float, confidence_level: float, *, apart: Sequence[float] = ()
) -> str:
    """Write an interval with its level, or a bound if one end is infinite."""
    kind = "bound:" if math.inf in (-low, high) else "interval"
    ends = format_ends(low, high, apart=apart)
    return f"{format_percent(confidence_level)} confidence {kind} {ends}"


def format_ends(
    low: float, high: float, *, padded: bool = False, apart: Sequence[float] = ()
) -> str:
    """Write the ends of an interval, to the digits that set them apart from the numbers `apart`."""
    first = format_number(low, padded=padded, apart=apart)
    last = format_number(high, padded=padded, apart=apart)
    return _from_to(low, high, first, last)


def _from_to(low: float, high: float, first: str, last: str) -> str:
    """Join the written ends of an interval, or write the one that is not infinite."""
    if math.isinf(low):
        return f"at most {last}"
    if math.isinf(high):
        return f"at least {first}"
    return f"{first} to {last}"


def decimals_of(numbers: Iterable[float]) -> int:
    """Return the decimals that give the largest of some numbers three digits."""
    largest = max(filter(math.isfinite, map(abs, numbers)), default=0.0)
    if largest == 0:
        return 3
    return max(2 - math.floor(math.log10(largest)), 0)


def format_fixed(x: float, decimals: int, apart: Sequence[float] = ()) -> str:
    """Write a number for a column: with its decimals, or more where `format_number` needs them."""
    text = f"{x:z.{decimals}f}"
    bounds = sorted(apart)
    if len(text) > _WIDEST_NUMBER or _side(bounds, x) != _side(bounds, float(text)):
        return format_number(x, padded=True, apart=apart)
    return text


def format_fixed_ends(low: float, high: float, decimals: int, apart: Sequence[float] = ()) -> str:
    """Write the ends of an interval for a column, with its decimals or more."""
    first = format_fixed(low, decimals, apart)
    last = format_fixed(high, decimals, apart)
    return _from_to(low, high, first, last)


def sentence_within(text: str, most: int) -> str:
    """Write a note as a sentence of at most `most` characters, of its first clauses if it is long.

    What is left out is in the note itself.
    """
    if len(text) < most:
        return as_sentence(text)
    for clause_end in ("; ", ". ", ": ", ", ", " "):
        k = text.rfind(clause_end, _SHORTEST_CLAUSE, most - 3)
        follows_name = text.endswith("'", 0, k)  # and a name says nothing by itself
        if k > 0 and not follows_name and text.count("(", 0, k) == text.count(")", 0, k):
            break
    left_out = ".." * (clause_end in (", ", " "))
    return as_sentence(f"{text[:k]}{left_out}")


def wrapped(text: str) -> str:
    """Wrap the lines of a text that is printed."""
    lines = text.splitlines()
    return "\n".join(fill(line, WIDEST_LINE, break_on_hyphens=False) for line in lines)


def verb(n: float, singular: str, plural: str) -> str:
    """Return the verb, or the noun, that goes with a count, such as "is" or "are"."""
    if n == 1:
        return singular
    return plural


def error_of(traceback: str) -> str:
    """Return the type and the first line of the error at the end of a traceback."""
    lines = traceback.rpartition("Traceback (most recent call last):")[2].strip("\n").splitlines()
    first = next((line for line in lines if line and not line[0].isspace()), lines[-1])
    return re.sub(r"^(\w+\.)+(?=\w+(:|$))", "", first)


def message_of(error: BaseException) -> str:
    """Return the message of an error; of several lines its type and the first one."""
    message = str(error).strip()
    first, *others = message.splitlines() or [""]
    return f"{type(error).__name__}: {first}" if others else message


def counted(n: int, noun: str) -> str:
    """Write a count with its noun."""
    return f"{n} {verb(n, noun, f'{noun}s')}"


def scrolling(html: str) -> str:
    """Return HTML that never widens the page around it."""
    style = "overflow-x: auto; overflow-wrap: break-word"
    return f'<div style="{style}" tabindex="0">{html}</div>'  # scrolls by keyboard too


class HeadedTable:
    """Results that print as a heading and their table, in HTML with a paragraph for each line."""

    def __str__(self: Any) -> str:
        return f"{self._heading()}\n{self.to_frame().to_string(index=False)}"

    def _repr_html_(self: Any) -> str:
        columns = self._columns()
        rows = zip(*(map(_written, column.tolist()) for column in columns.values()), strict=True)
        lines = self._heading().splitlines()
        paragraphs = "".join(f"<p>{escape(visible(line))}</p>" for line in lines)
        return scrolling(paragraphs + bare_table_html(list(columns), rows))


def bare_table_html(columns: Sequence[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table of texts as HTML."""
    # Screen readers would announce an empty head.
    head = _row_html("th", columns).replace("<th></th>", "<td></td>")
    body = "".join(map(partial(_row_html, "td"), rows))
    return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>"


def _row_html(tag: str, texts: Iterable[str]) -> str:
    cells = "".join(f"<{tag}>{escape(cut(text))}</{tag}>" for text in texts)
    return f"<tr>{cells}</tr>"


def _written(value: Any) -> str:
    if not isinstance(value, float):
        return str(value)
    if math.isnan(value):
        return ""
    return format_number(value)


# A constant score or difference has these only by convention; they are not evidence.
_CONVENTIONS = (
    *("low", "high", "low_unadjusted", "high_unadjusted", "low_margin", "high_margin"),
    *("statistic", "pvalue", "pvalue_adjusted", "pvalue_error"),
)


def plain_json(value: Any) -> Any:
    """Return plain data as JSON types, with None for numbers that are not finite."""
    text = json.dumps(value, default=methodcaller("item"))  # of NumPy's scalars
    return json.loads(text, parse_constant=_as_none)


def _as_none(_: str) -> None:
    """Return what JSON has in place of NaN and Infinity."""


def flat_dict(parts: Iterable[tuple[Sequence[str], dict[str, Any]]]) -> dict[str, Any]:
    """Return quantities of several things as one dict without nested dicts and lists."""
    flat: dict[str, Any] = {}
    for path, quantities in parts:
        names = [str(name).replace("/", "_") for name in path]
        for quantity, value in quantities.items():
            key = "/".join([*names, quantity])
            if key in flat:
                raise ValueError(
                    f"to_dict() would write two quantities under {key!r}: a '/' in a name becomes "
                    "'_', and a difference is called 'a - b'. Rename one of the estimators or "
                    "metrics, or use to_frame()."
                )
            flat[key] = plain_json(value)
    return flat


def is_constant(row: Mapping[str, Any]) -> bool:
    """Return whether a score does not vary: its interval has no width, and no end besides it."""
    ends = {row["low"], row["high"]} - {row["score"]}
    return row["standard_error"] == 0 and not any(map(math.isfinite, ends))


def only_evidence(quantities: dict[str, Any], undetermined: bool) -> dict[str, Any]:
    """Return the quantities of a test, with None for those that are not evidence."""
    if not undetermined:
        return quantities
    return quantities | dict.fromkeys(quantities.keys() & _CONVENTIONS)


def without_conventions(frame: Any, undetermined: Any) -> Any:
    """Return a table of tests without the numbers that are not evidence."""
    shown = frame.copy()
    shown.loc[undetermined, frame.columns.intersection(_CONVENTIONS)] = math.nan
    return shown
