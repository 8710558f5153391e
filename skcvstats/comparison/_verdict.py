"""The numbers that decide about one comparison, and what is said of the adjustment of all."""

from typing import Any, NamedTuple

from .._utils._metrics import shown_as
from .._utils._text import counted, format_pvalue
from ..scores import shown_ends
from ..stats import ADJUSTMENTS, margin_question


class Numbers(NamedTuple):
    """The numbers that decide about a comparison, as they are shown."""

    intervals: list[tuple[tuple[float, float], float]]  # and their levels; the margin's is last
    pvalues: list[tuple[str, str, float]]  # what each is for, and as written; the margin's is last
    apart: tuple[float, ...]  # what the ends are compared with
    unadjusted: str  # what is said before an interval that is not adjusted as p is


def numbers_of(comparison: Any) -> Numbers:
    """Return the intervals and p-values that decide; of a margin those nearest to the verdict."""
    test = comparison.test
    margin = comparison.margin
    pvalue = comparison.pvalue_adjusted
    family = comparison.family
    level = comparison.confidence_level
    smallest = test.describe().smallest_pvalue
    ends_and_levels = []
    written = format_pvalue(pvalue, smallest, comparison.pvalue_error)
    pvalues = [("", written, pvalue)]
    if test.has_interval:
        ends_and_levels.append((family.intervals(test, level), level))
    if margin is not None:
        assert comparison.margin_pvalues is not None, "they come with it"
        sides = comparison.test.alternative
        if not family.joint and sides == "two-sided":
            ends_and_levels.append((family.margin_intervals(test, level), 1 - 2 * comparison.alpha))
        what, p = margin_question(comparison.claim.kind, comparison.margin_pvalues, margin, sides)
        error = comparison.pvalue_error if p == pvalue else float(family.error_of(p))
        pvalues = [("a difference", written, pvalue), (what, format_pvalue(p, smallest, error), p)]
    intervals = [(shown_ends(test.scores, *ends), level) for ends, level in ends_and_levels]
    apart = float(test.null_value), *(margin or ())
    is_alone = comparison.adjusted and test.has_interval and not family.joint
    unadjusted = "unadjusted " if is_alone else ""  # then it does not decide
    return Numbers(intervals, pvalues, apart, unadjusted)


def parts_of_adjusted(result: Any) -> tuple[str, str, str]:
    """Say what was adjusted and how, then that intervals were not, and for what nothing was."""
    if not len(result):
        return f"no pairs were compared{_not_used(result)}, see pairs()", "", ""
    number = number_of_comparisons(result)
    has_intervals = result.tests[0].has_interval
    if result.adjustment == "none":
        which = "neither p-values nor intervals are" if has_intervals else "p-values are not"
        return f"{which} adjusted for {number}", "", ""
    adjustment = ADJUSTMENTS[result.adjustment]
    by = f"adjusted by {adjustment.words} for {number}"
    further = "" if len(result.metrics) == 1 else "; not adjusted for the metrics"
    if not has_intervals:
        return f"p-values are {by}", "", further
    if adjustment.has_intervals:
        return f"p-values and intervals are {by}", "", further
    return f"p-values are {by}", ", intervals not", further


def _not_used(result: Any) -> str:
    """Name the given options that only pairs use, in brackets."""
    sides = next(iter(result.tests_by_metric.values())).inference.alternative
    given = {"margin": result.margin is not None, "alternative": sides != "two-sided"}
    names = ", ".join(name for name, is_given in given.items() if is_given)
    return f" (not used: {names})" if names else ""


def number_of_comparisons(result: Any) -> str:
    """Say how many comparisons there are, in each metric if they differ."""
    what = "comparison" if result.tests[0].alternative == "two-sided" else "one-sided comparison"
    sizes = {metric: len(tests) for metric, tests in result.tests_by_metric.items()}
    if len(set(sizes.values())) > 1:
        parts = [f"{counted(n, what)} in {shown_as(metric).name}" for metric, n in sizes.items()]
        return f"{', '.join(parts[:-1])} and {parts[-1]}"
    in_each_metric = "" if len(sizes) == 1 else f" in each of {len(sizes)} metrics"
    return f"{counted(result.n_adjusted, what)}{in_each_metric}"
