"""Flat dicts for experiment trackers: a path for each key, plain JSON values."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

# A constant score or difference has these only by convention; they are no evidence.
_CONVENTIONS = ("low", "high", "low_margin", "high_margin", "statistic", "pvalue")


def plain_json(value: Any) -> Any:
    """Return plain data as JSON types, with None for numbers that are not finite."""
    if isinstance(value, dict):
        return {name: plain_json(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_json(part) for part in value]
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


def only_evidence(quantities: dict[str, Any], undetermined: bool) -> dict[str, Any]:
    """Return the quantities of a test, with None for those that are no evidence."""
    if not undetermined:
        return quantities
    return {name: None if name in _CONVENTIONS else x for name, x in quantities.items()}
