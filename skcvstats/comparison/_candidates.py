"""Candidates of a search: the cheapest that is good enough, and how optimistic the best one is."""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .._utils._checks import check_option, is_finite, is_real, listed
from .._utils._text import format_interval, format_number
from .._utils._warn import warn_user
from ..exceptions import DegenerateScoresWarning, SplitDesignWarning
from ..scores import CVScores
from ..stats import LocationTest, Procedure
from ._joint import JointInference

_RULES = ("one_standard_error", "margin")
# Means with a smaller relative difference differ only by rounding.
_ROUNDING = 1e-12
_N_DRAWS = 2000
_DRAWS_AT_ONCE = 100


def parameter_columns(
    names: Sequence[str], params: Sequence[Mapping[str, Any]], taken: Container[str]
) -> dict[str, list[Any]]:
    """Return a column of each of some parameters; None where a candidate does not have it."""
    columns = {}
    for name in names:
        column = f"param_{name}" if name in taken else name
        columns[column] = [of_one.get(name) for of_one in params]
    return columns


def winner_optimism(scores: CVScores) -> float:
    """Return by how much the highest mean is about too high, because it was chosen."""
    values = scores.values[np.isfinite(scores.values).all(axis=1)]
    n_splits = values.shape[1]
    means = values.mean(axis=1, keepdims=True)
    share = 1 / n_splits + scores.design.rho0_odds
    root = (values - means) * np.sqrt(share / max(1, n_splits - 1))
    root *= np.abs(values - means) > _ROUNDING * np.abs(means)
    generator = np.random.default_rng(0)
    total = 0.0
    for _ in range(_N_DRAWS // _DRAWS_AT_ONCE):  # in little memory
        draws = generator.standard_normal((n_splits, _DRAWS_AT_ONCE // 2))
        errors = root @ np.hstack([draws, -draws])  # whose mean is 0, so that it is never negative
        best = np.argmax(means + errors, axis=0)
        total += errors[best, np.arange(_DRAWS_AT_ONCE)].sum()
    size = float(total / _N_DRAWS)
    return size if size > _ROUNDING * np.abs(root).max() else 0.0  # all candidates may be equal


def check_rule(rule: Any, margin: Any) -> None:
    """Raise ValueError unless a rule, or None, has the margin that it needs, or none."""
    if rule is not None:
        check_option("rule", rule, _RULES)
    is_valid = rule != "margin"
    if margin is not None:
        is_valid = rule != "one_standard_error" and is_finite(margin) and margin > 0
    if not is_valid:
        raise ValueError(
            f"margin={margin!r} with rule={rule!r}: rule='margin' needs a positive, finite number, "
            "the loss that you accept for a cheaper candidate, in the unit of the metric, such as "
            "0.01 for one point of accuracy; it has no default. The other rule takes no margin."
        )


def test_of_worse(procedure: Procedure, who: str) -> LocationTest:
    """Return the test of whether a candidate is worse."""
    if not isinstance(procedure, LocationTest):
        raise ValueError(
            f"{procedure!r} has no direction, and {who} asks whether a candidate is worse. Use "
            'method="corrected_resampled_t".'
        )
    if procedure.alternative == "greater" or procedure.null_value:
        raise ValueError(
            f"{procedure!r} asks something other than whether a candidate is worse. Leave "
            "alternative and null_value out; the loss that you accept is margin=."
        )
    return replace(procedure, alternative="less")


def costs_of(
    cost: Any, columns: Mapping[str, Sequence[Any]], candidates: Sequence[Mapping[str, Any]]
) -> list[float]:
    """Return what each candidate costs, by a column or a function of its parameters."""
    if callable(cost):
        costs = list(map(cost, candidates))
    elif isinstance(cost, str) and cost in columns:
        costs = list(columns[cost])
    else:
        raise ValueError(
            f"cost={cost!r} is not one of {listed(columns)}; it may also be a callable that takes "
            "a candidate's parameters."
        )
    for value, params in zip(costs, candidates, strict=True):
        if not is_real(value) or np.isnan(value):
            raise ValueError(
                f"The candidate {dict(params)} costs {value!r}, which is not a number; pass cost= "
                "as a callable that turns every candidate's parameters into one, such as "
                "lambda params: params['max_depth'] or 1000."
            )
    return list(map(float, costs))


def choose_cheapest(
    scores: CVScores,
    test: LocationTest,
    costs: Sequence[float],
    params: Sequence[Mapping[str, Any]],
    margin: float | None,
    confidence_level: float,
) -> int:
    """Return the position of the cheapest that is good enough, by a margin or a standard error."""
    means = [float(values.mean()) for values in scores.values]

    def cheapest(good: Sequence[int]) -> int:  # ties go to the higher mean, then to the earlier
        return min(good, key=lambda k: (costs[k], -means[k], k))

    best = cheapest(_near_best(means))
    if len(means) == 1:
        return best
    if margin is None:
        return cheapest(_within_error(scores, test, means, best))
    return _by_margin(scores, test, params, best, cheapest, margin, confidence_level)


def _by_margin(
    scores: CVScores,
    test: LocationTest,
    params: Sequence[Mapping[str, Any]],
    best: int,
    cheapest: Callable[[Sequence[int]], int],
    margin: float,
    confidence_level: float,
) -> int:
    """Return the cheapest that is shown to be within the margin of every other."""
    scores.check_range()
    losses = JointInference(test, scores).losses(confidence_level)
    unknown = np.isnan(losses)
    near = np.flatnonzero(np.nanmax(losses, axis=1) < margin)
    accepted = near[~unknown[near].any(axis=1)].tolist()
    refused = near[unknown[near].any(axis=1)].tolist()
    chosen = cheapest(accepted or [best])
    if refused and cheapest(refused) == cheapest(near.tolist()):
        first = cheapest(refused)
        other = int(unknown[first].argmax())
        gap = format_number(scores.values[first].mean() - scores.values[other].mean())
        warn_user(
            f"{dict(params[first])} is not accepted, whose mean score differs from "
            f"{dict(params[other])} by {gap}: the estimated variance of this difference is 0, "
            "which is no evidence that it is within the margin. Use more test rows or a finer "
            "metric.",
            DegenerateScoresWarning,
        )
    if not accepted:
        loss = losses[chosen].max()
        bound = ""
        if not np.isnan(loss):
            interval = format_interval(-np.inf, loss, confidence_level, apart=[margin])
            bound = f" ({interval})"
        warn_user(
            f"No candidate is shown to be within margin={margin} of every other. "
            f"{dict(params[chosen])} is chosen, which has the highest mean score; its loss may "
            f"exceed the margin{bound}. Use more data, or rule='one_standard_error'.",
            SplitDesignWarning,
        )
    return chosen


def _near_best(means: Sequence[float], distance: float = 0.0) -> list[int]:
    """Return the candidates whose mean is close to the highest."""
    highest = max(means)
    limit = highest - distance - _ROUNDING * abs(highest)
    near: list[int] = np.flatnonzero(np.greater_equal(means, limit)).tolist()
    return near


def _within_error(
    scores: CVScores, test: LocationTest, means: Sequence[float], best: int
) -> list[int]:
    """Return the candidates whose mean is at most one standard error below the best."""
    scores.check_range()  # of all, so that an error has them all
    error = float(test.run(scores.row(best)).standard_error)
    good = _near_best(means, error)
    if error == 0 and len(good) < len(means):
        warn_user(
            "The scores of the best candidate do not vary, so their standard error is 0 and only "
            "candidates with the same mean are considered equally good. Use more test rows or a "
            "finer metric.",
            DegenerateScoresWarning,
        )
    return good
