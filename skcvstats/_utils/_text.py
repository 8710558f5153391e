"""Names, numbers and tables as text, HTML and plain JSON."""

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from html import escape
from itertools import accumulate
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
_OF_EMOJI = re.compile(
    f"(?<={_EMOJI}){_SELECTOR}"
    f"|(?<={_EMOJI}){_JOINER}(?={_EMOJI})"
    f"|(?<={_EMOJI}{_SELECTOR}){_JOINER}(?={_EMOJI})"
)
_WIDE = ("W", "F")
WIDEST_NAME = 100


@lru_cache(maxsize=1024)  # a result writes the same names again and again
def visible(text: str) -> str:
    r"""Write invisible characters of a text as escapes, such as ``\u202e`` and ``\x00``."""
    of_emoji = {found.start() for found in _OF_EMOJI.finditer(text)}
    written = [
        character if position in of_emoji else _visible(character)
        for position, character in enumerate(text)
    ]
    return "".join(written)


def _visible(character: str) -> str:
    if unicodedata.category(character) == "Zs":
        return " "
    if character.isprintable() and character not in _BLANK:
        return character
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def first_of(names: Sequence[str], most: int | None = None) -> str:
    """List names, or the first of them and how many more; after semicolons if one has a comma."""
    between = "; " if any("," in name for name in names) else ", "
    more = f" and {len(names) - most} more" if most is not None and len(names) > most else ""
    return f"{between.join(names[:most])}{more}"


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
    ends = accumulate(map(columns, text[:width]))  # there may be many marks of no width
    return text[: sum(end <= width for end in ends)]


def columns(text: str) -> int:
    """Return the width of a visible text in columns of a terminal."""
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


def _columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me") or character == _JOINER:
        return 0
    return 2 if unicodedata.east_asian_width(character) in _WIDE else 1


def with_blanks(text: str) -> str:
    """Return a text with a blank in place of each character that names must not have."""
    return _UNPRINTABLE.sub(" ", text)


def check_printable(names: Sequence[str], what: str) -> None:
    """Raise ValueError at a character that cannot be printed, or that changes the text around."""
    for name in names:
        if found := _UNPRINTABLE.search(name):
            raise ValueError(
                f"The name {cut(repr(name))} among the {what} has {found[0]!r} at position "
                f"{found.start()}, which cannot be printed; take this character out."
            )


def check_names(names: Sequence[str], what: str) -> None:
    """Raise ValueError if names cannot be printed, are empty, or look the same when printed."""
    check_printable(names, what)
    found: dict[str, str] = {}
    for name in names:
        look = " ".join(unicodedata.normalize("NFC", visible(name)).split())
        look = look.replace(_SELECTOR, "")  # which changes the style only
        if not look:
            raise ValueError(f"The name {name!r} among the {what} is empty; give each a name.")
        if look in found:
            same = found[look] == name
            raise ValueError(
                f"Names must be unique, but {name!r} occurs more than once among the {what}; "
                "rename one."
                if same
                else f"The names {found[look]!r} and {name!r} of the {what} look the same when "
                "they are printed; rename one."
            )
        found[look] = name


# A p-value is never rounded across one of these.
_LEVELS = (0.001, 0.005, 0.01, 0.05, 0.1)
# Below this, the size of a p-value has no meaning.
SMALLEST_PVALUE = 1e-4


def format_number(
    x: float, *, padded: bool = False, fewest: int = 3, apart: Sequence[float] = ()
) -> str:
    """Write a number with three digits, or more, so that it is on its side of those `apart`."""
    sides = [(x < value, x > value) for value in apart]
    for digits in range(fewest, 18):
        text = f"{x:#.{digits}g}".removesuffix(".") if padded and x != 0 else f"{x:.{digits}g}"
        if digits == 3 and 999.5 <= abs(x) < 1e7:
            text = f"{x:.0f}"
        if sides == [(float(text) < value, float(text) > value) for value in apart]:
            break
    return text


def format_size(size: float) -> str:
    """Write a size: a whole number, or of an average below 100 one decimal."""
    return f"{size:.0f}" if size >= 100 else f"{size:.1f}".removesuffix(".0")


def sentence(note: str) -> str:
    """Write a note as a sentence of its own; a name in code keeps its first letter."""
    first = note.partition(" ")[0]
    is_code = first == "y" or any(sign in first for sign in "_=(")
    return f"{note[0] if is_code else note[0].upper()}{note[1:]}."


def format_pvalue(p: float, smallest: float = SMALLEST_PVALUE, error: float = 0.0) -> str:
    """Write a p-value as a relation: ``= 0.0123``, ``< 0.0001`` or ``> 0.999``."""
    if p < smallest:
        return f"< {format(Decimal(repr(smallest)), 'f')}"
    if 0.999 < p < 1:
        return "> 0.999"
    fewest = 3
    if error > 0 and p > 0:  # no digit has a unit of less than half of the Monte-Carlo error
        places = math.floor(math.log10(p)) - math.ceil(math.log10(error / 2))
        fewest = min(3, max(1, 1 + places))
    return f"= {format_number(p, fewest=fewest, apart=_LEVELS)}"


def format_percent(share: float) -> str:
    """Write a share in percent, with four digits, or as many as distinguish it from 0 and 100."""
    return f"{format_number(100 * share, fewest=4, apart=(0, 100))} %"


def format_interval(
    low: float, high: float, confidence_level: float, *, apart: Sequence[float] = ()
) -> str:
    """Write an interval with its level, or a bound if one end is infinite."""
    kind = "bound:" if math.isinf(low) or math.isinf(high) else "interval"
    ends = format_ends(low, high, apart=apart)
    return f"{format_percent(confidence_level)} confidence {kind} {ends}"


def format_ends(
    low: float, high: float, *, padded: bool = False, apart: Sequence[float] = ()
) -> str:
    """Write the ends of an interval, to the digits that set them apart from the numbers `apart`."""
    first, last = (format_number(end, padded=padded, apart=apart) for end in (low, high))
    if math.isinf(low):
        return f"at most {last}"
    return f"at least {first}" if math.isinf(high) else f"{first} to {last}"


def verb(n: float, of_one: str, of_many: str) -> str:
    """Return the verb that goes with a count, such as "is" or "are"."""
    return of_one if n == 1 else of_many


def counted(n: int, noun: str) -> str:
    """Write a count with its noun."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


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
    head = "".join(  # without text no head: screen readers would announce it
        f"<th>{escape(cut(name))}</th>" if name else "<td></td>" for name in columns
    )
    cells = ("".join(f"<td>{escape(cut(text))}</td>" for text in row) for row in rows)
    body = "".join(f"<tr>{row}</tr>" for row in cells)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _written(value: Any) -> str:
    if not isinstance(value, float):
        return str(value)
    return "" if math.isnan(value) else format_number(value)


# A constant score or difference has these only by convention; they are no evidence.
_CONVENTIONS = (
    *("low", "high", "low_unadjusted", "high_unadjusted", "low_margin", "high_margin"),
    *("statistic", "pvalue", "pvalue_adjusted", "pvalue_error"),
)


def plain_json(value: Any) -> Any:
    """Return plain data as JSON types, with None for numbers that are not finite."""
    if isinstance(value, dict):
        return {name: plain_json(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return list(map(plain_json, value))
    if hasattr(value, "item"):  # NumPy's scalars
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def flat_dict(parts: Iterable[tuple[Sequence[str], dict[str, Any]]]) -> dict[str, Any]:
    """Return quantities of several things as one dict without nested dicts and lists."""
    found: dict[str, Any] = {}
    for path, quantities in parts:
        names = [str(name).replace("/", "_") for name in path]
        for quantity, value in quantities.items():
            key = "/".join([*names, quantity])
            if key in found:
                raise ValueError(
                    f"to_dict() would write two quantities under {key!r}: a '/' in a name becomes "
                    "'_', and a difference is called 'a - b'. Rename one of the estimators or "
                    "metrics, or use to_frame()."
                )
            found[key] = plain_json(value)
    return found


def is_constant(row: Mapping[str, Any]) -> bool:
    """Return whether a score does not vary: its interval has no width, and no end besides it."""
    ends = {row["low"], row["high"]} - {row["score"]}
    return row["standard_error"] == 0 and not any(map(math.isfinite, ends))


def only_evidence(quantities: dict[str, Any], undetermined: bool) -> dict[str, Any]:
    """Return the quantities of a test, with None for those that are no evidence."""
    if not undetermined:
        return quantities
    return {name: None if name in _CONVENTIONS else x for name, x in quantities.items()}


def without_conventions(frame: Any, undetermined: Any) -> Any:
    """Return a table of tests without the numbers that are no evidence."""
    return frame.assign(**{x: frame[x].mask(undetermined) for x in _CONVENTIONS if x in frame})
