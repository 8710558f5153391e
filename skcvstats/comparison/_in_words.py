"""A result in words: the number of comparisons, and the adjustment of the p-values."""

from __future__ import annotations

from .._utils._text import counted
from ..stats import ADJUSTMENTS
from ._result import ComparisonRecord

# With more comparisons, the table alone is clearer than sentences.
_MOST_SENTENCES = 10


def counted_comparisons(result: ComparisonRecord) -> str:
    """Say for how many comparisons p-values are adjusted."""
    sizes = {metric: len(tests) for metric, tests in result.tests_by_metric.items()}
    if len(set(sizes.values())) > 1:
        parts = [f"{counted(n, 'comparison')} in {metric}" for metric, n in sizes.items()]
        return f"{', '.join(parts[:-1])} and {parts[-1]}"
    each = "" if len(sizes) == 1 else f" in each of {len(sizes)} metrics"
    return f"{counted(result.n_adjusted, 'comparison')}{each}"


def adjusted(result: ComparisonRecord) -> str:
    """Say how p-values were adjusted for the number of comparisons."""
    number = counted_comparisons(result)
    adjustment = ADJUSTMENTS[result.adjustment]
    further = "" if len(result.metrics) == 1 else "; not adjusted for the metrics"
    has_intervals = result.tests[0].has_interval
    if result.adjustment == "none":
        which = "neither p-values nor intervals are" if has_intervals else "p-values are not"
        return f"{which} adjusted for {number}"
    by = f"adjusted by {adjustment.words} for {number}"
    if not has_intervals:
        return f"p-values are {by}{further}"
    if adjustment.has_intervals:
        return f"p-values and intervals are {by}{further}"
    return f"p-values are {by}, intervals not{further}"


def sentences(result: ComparisonRecord) -> list[str]:
    """Return the first comparisons as sentences, and how many more there are."""
    shown = [str(comparison) for comparison in result.comparisons[:_MOST_SENTENCES]]
    left = len(result.comparisons) - len(shown)
    return shown + ([f"{counted(left, 'more comparison')} in the table."] if left else [])
