"""Make names visible and harmless in every format, whatever characters they contain."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

# Letters and marks that are invisible, although Python counts them as printable.
_BLANK = frozenset(
    map(
        chr,
        [
            *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
            *range(0x180B, 0x1810),
            *range(0xFE00, 0xFE10),
            *range(0xE0100, 0xE01F0),
        ],
    )
)
_WIDE = ("W", "F")
WIDEST_NAME = 100


def visible(text: str) -> str:
    r"""Write invisible characters of a text as escapes, such as ``\u202e`` and ``\x00``.

    These are control characters, line breaks, bidirectional controls, characters of no width, lone
    surrogates, and unassigned code points. Spaces of other widths become a space.
    """
    if text.isascii() and text.isprintable():
        return text
    return _escaped(text)


# A result writes the same names again and again.
@lru_cache(maxsize=1024)
def _escaped(text: str) -> str:
    return "".join(map(_visible, text))


def _visible(character: str) -> str:
    if unicodedata.category(character) == "Zs":
        return " "
    if character.isprintable() and character not in _BLANK:
        return character
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


@lru_cache(maxsize=1024)
def cut(name: str, width: int = WIDEST_NAME) -> str:
    """Return a name as visible text that fits a line; a long name loses its middle."""
    name = visible(name)
    if columns(name) <= width and len(name) <= 2 * width:  # there may be many marks of no width
        return name
    n_last = (width - 3) // 3
    last = _first_columns(name[::-1], n_last)[::-1]
    return f"{_first_columns(name, width - 3 - n_last)}...{last}"


def _first_columns(text: str, width: int) -> str:
    """Return the longest beginning that fits."""
    n_characters, used = 0, 0
    for character in text:
        used += columns(character)
        if used > width or n_characters == width:
            break
        n_characters += 1
    return text[:n_characters]


def columns(text: str) -> int:
    """Return the width of a visible text in columns of a terminal."""
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


def _columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in _WIDE else 1


def padded(text: str, width: int, *, left: bool) -> str:
    """Pad a text with spaces to a width in columns of a terminal."""
    spaces = " " * (width - columns(text))
    return f"{text}{spaces}" if left else f"{spaces}{text}"


def check_names(names: Iterable[str], what: str) -> None:
    r"""Raise ValueError if names are empty, or look the same when printed."""
    found: dict[str, str] = {}
    for name in names:
        look = " ".join(unicodedata.normalize("NFC", visible(name)).split())
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
