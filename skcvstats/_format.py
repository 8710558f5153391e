"""Numbers as a reader wants them in a sentence."""

from __future__ import annotations

import math


def format_number(x: float) -> str:
    """Write a number with four significant digits."""
    return f"{x:.4g}"


def format_size(size: float) -> str:
    """Write a size: whole where it is, with one decimal where it is an average."""
    return str(size) if isinstance(size, int) else f"{size:.1f}"


def on_average(*sizes: float) -> str:
    """Return what to say behind sizes some of which are averages."""
    return "" if all(isinstance(size, int) for size in sizes) else " on average"


def sentence(note: str) -> str:
    """Write a note as a sentence of its own."""
    return f"{note[0].upper()}{note[1:]}."


def format_pvalue(p: float) -> str:
    """Write a p-value as a relation: ``= 0.0123`` or ``< 0.0001``."""
    return "< 0.0001" if p < 1e-4 else f"= {p:.3g}"


def format_percent(share: float) -> str:
    """Write a share in percent."""
    return f"{100 * share:.10g} %"


def format_interval(low: float, high: float, confidence_level: float) -> str:
    """Write an interval, or a bound where one end is infinite, and its level."""
    kind = "bound:" if math.isinf(low) or math.isinf(high) else "interval"
    return f"{format_percent(confidence_level)} confidence {kind} {format_ends(low, high)}"


def format_ends(low: float, high: float) -> str:
    """Write the ends of an interval, or the one that is finite."""
    if math.isinf(low):
        return f"at most {format_number(high)}"
    if math.isinf(high):
        return f"at least {format_number(low)}"
    return f"{format_number(low)} to {format_number(high)}"


def format_law(df: float) -> str:
    """Write the law of a statistic: ``t(14)``, or ``z`` for the normal law."""
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
