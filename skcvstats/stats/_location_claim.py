"""The claim of a test about a location: on which side of the null value it is, in words."""

from __future__ import annotations

from typing import Any

from .._utils._checks import check_alpha, check_pvalue
from .._utils._text import cut, format_number, format_percent
from ._claim import Claim


def location_claim(result: Any, alpha: float, pvalue: float | None) -> Claim:
    """Return what is shown at a level."""
    alpha = check_alpha(alpha)
    pvalue = result.pvalue if pvalue is None else check_pvalue(pvalue)
    if result.undetermined:
        return Claim("undetermined", _undetermined(result))
    level = f"at the {format_percent(alpha)} level"
    null = format_number(result.null_value)
    if not pvalue <= alpha:
        relation = {"two-sided": "to differ from", "greater": "to be above"}
        brief = f"not shown {relation.get(result.alternative, 'to be below')} {null}"
        return Claim("not shown", f"Not shown {level} that {_not_shown(result)}", brief)
    above = result.estimate > result.null_value  # one-sided levels above 0.5 show it from beyond
    kind = {"greater": "above", "less": "below"}.get(
        result.alternative, "above" if above else "below"
    )
    return Claim(kind, f"{_shown(result, kind)} {level}", f"shown to be {kind} {null}")


def _undetermined(result: Any) -> str:
    what = f"the difference in {result.metric}" if result.versus else result.metric
    return f"Undetermined: the estimated variance of {what} is 0, which is no evidence"


def _shown(result: Any, kind: str) -> str:
    if result.versus and result.null_value == 0:
        direction = "higher" if kind == "above" else "lower"
        first, second = cut(result.estimator), cut(result.versus)
        return f"{first} scores significantly {direction} than {second} in {result.metric}"
    return f"The {_expected(result)} is significantly {kind} {format_number(result.null_value)}"


def _not_shown(result: Any) -> str:
    if not result.versus or result.null_value != 0:
        relation = {"two-sided": "differs from", "greater": "is above", "less": "is below"}
        null = format_number(result.null_value)
        return f"the {_expected(result)} {relation[result.alternative]} {null}"
    first, second = cut(result.estimator), cut(result.versus)
    if result.alternative == "two-sided":
        return (
            f"{first} and {second} differ in {result.metric}, which is no proof that they are equal"
        )
    direction = "higher" if result.alternative == "greater" else "lower"
    return f"{first} scores {direction} than {second} in {result.metric}"


def _expected(result: Any) -> str:
    if result.versus:
        return (
            f"expected difference {cut(result.estimator)} - {cut(result.versus)} in {result.metric}"
        )
    return f"expected {result.metric} of {cut(result.label)}"
