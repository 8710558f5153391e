"""Format numbers for readers."""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import Decimal

# A p-value is never rounded across one of these.
_LEVELS = (0.001, 0.005, 0.01, 0.05, 0.1)
# Below this, the size of a p-value has no meaning.
SMALLEST_PVALUE = 1e-4


def format_number(x: float, *, padded: bool = False) -> str:
    """Write a number with three significant digits, and with all digits before the point.

    If `padded`, as in a table, trailing zeros are kept.
    """
    if 999.5 <= abs(x) < 1e7:
        return f"{x:.0f}"
    return f"{x:#.3g}".removesuffix(".") if padded and x != 0 else f"{x:.3g}"


def format_size(size: float) -> str:
    """Write a size: a whole number, or an average with one decimal."""
    return str(size) if isinstance(size, int) else f"{size:.1f}".removesuffix(".0")


def on_average(*sizes: float) -> str:
    """Return what to add after sizes if some of them are averages."""
    return "" if all(isinstance(size, int) for size in sizes) else " on average"


def sentence(note: str) -> str:
    """Write a note as a sentence of its own."""
    return f"{note[0].upper()}{note[1:]}."


def format_pvalue(p: float, smallest: float = SMALLEST_PVALUE) -> str:
    """Write a p-value as a relation: ``= 0.0123``, ``< 0.0001`` or ``> 0.999``.

    It has three significant digits, or as many as are needed to show on which side of a usual level
    it is: ``= 0.04999``. A p-value below `smallest` is only said to be below it.
    """
    if p < smallest:
        return f"< {format(Decimal(repr(smallest)), 'f')}"
    if 0.999 < p < 1:
        return "> 0.999"
    written = (f"{p:.{digits}g}" for digits in range(3, 18))
    return f"= {next(text for text in written if _sides(float(text)) == _sides(p))}"


def _sides(p: float) -> list[bool]:
    return [p < level for level in _LEVELS]


def format_percent(share: float) -> str:
    """Write a share in percent, with four digits, or as many as distinguish it from 0 and 100."""
    percent = 100 * float(share)  # Fraction and Decimal cannot be written so in older Pythons
    written = (f"{percent:.{digits}g}" for digits in range(4, 18))
    return f"{next((text for text in written if 0 < float(text) < 100), f'{percent:g}')} %"


def format_interval(
    low: float, high: float, confidence_level: float, *, apart: Iterable[float] = ()
) -> str:
    """Write an interval with its level, or a bound if one end is infinite."""
    kind = "bound:" if math.isinf(low) or math.isinf(high) else "interval"
    ends = format_ends(low, high, apart=apart)
    return f"{format_percent(confidence_level)} confidence {kind} {ends}"


def format_ends(
    low: float, high: float, *, padded: bool = False, apart: Iterable[float] = ()
) -> str:
    """Write the ends of an interval, or only the finite end.

    They have as many digits as are needed to show on which side of the numbers `apart` they are.
    """
    values = tuple(apart)
    first, last = (_end(end, padded, values) for end in (low, high))
    if math.isinf(low):
        return f"at most {last}"
    if math.isinf(high):
        return f"at least {first}"
    return f"{first} to {last}"


def _end(end: float, padded: bool, apart: tuple[float, ...]) -> str:
    """Write an end of an interval, never rounded to a number or across it."""
    written = format_number(end, padded=padded)
    sides = [(end > value, end < value) for value in apart]
    digits = 3
    while digits < 17 and sides != [(float(written) > v, float(written) < v) for v in apart]:
        digits += 1
        written = f"{end:#.{digits}g}" if padded else f"{end:.{digits}g}"
    return written


def format_law(df: float) -> str:
    """Name a statistic's distribution: ``t(14)``, or ``z`` for the normal distribution."""
    return "z" if math.isinf(df) else f"t({df:g})"


def format_seconds(seconds: float) -> str:
    """Write a duration in seconds, minutes or hours."""
    for limit, unit, size in ((120, "s", 1), (7200, "min", 60)):
        if seconds < limit:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 3600:.1f} h"


def counted(n: int, noun: str) -> str:
    """Write a count with its noun."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
