"""Results as JSON for other programs, and saved scores read back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from .._utils._text import plain_json
from ._errors import InputError, in_one_line
from ._preparation import how_prepared

if TYPE_CHECKING:
    from ..comparison import ComparisonResult


def result_as_json(result: ComparisonResult) -> str:
    """Return the verdicts and the table as JSON."""
    rows = result.to_frame().to_dict("records")
    words = {
        (comparison.metric, comparison.estimator, comparison.versus): comparison
        for metric in result.metrics
        for comparison in result[metric]
    }
    for row in rows:
        comparison = words[row["metric"], row["estimator"], row["versus"]]
        row |= {"outcome": comparison.outcome, "verdict": comparison.verdict()}
    content = {
        "confidence_level": result.confidence_level,
        "margin": result.margin,
        "adjustment": result.adjustment,
        "comparisons": rows,
        "data": how_prepared(result),
        "notes": [str(note) for note in result.notes],
    }
    return as_json(content)


def as_json(content: Any) -> str:
    """Return JSON text on several lines, with null for numbers that are not finite."""
    return json.dumps(plain_json(content), indent=2, allow_nan=False)


def read_scores(name: str) -> ComparisonResult:
    """Read a result that ``compare --save-scores`` or ``ComparisonResult.to_json`` wrote."""
    from .._utils._documents import read_file
    from ..comparison import ComparisonResult

    try:
        content = read_file(name)
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}.") from error
    except ValueError as error:  # it has the name
        raise InputError(str(error)) from error
    try:
        return ComparisonResult.from_json(content)
    except ValueError as error:
        raise InputError(f"{name}: {in_one_line(error)}") from error
