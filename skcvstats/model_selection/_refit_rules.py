"""The rules of SignificanceRefit: which candidates are good enough, and when to warn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from .._utils._text import format_number
from .._utils._warn import warn_user
from ..comparison import best_set_of
from ..exceptions import DegenerateScoresWarning, SplitDesignWarning
from ..scores import CVScores
from ..stats import Inference, LocationTest
from ._candidates import candidate_labels

# Means with a smaller relative difference differ only by rounding.
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Candidates:
    """The candidates of a search that have all their scores."""

    scores: CVScores
    params: Sequence[Mapping[str, Any]]
    costs: Sequence[float]
    complete: list[int]

    @cached_property
    def means(self) -> dict[int, float]:
        """The mean score of each complete candidate."""
        return {k: float(self.scores.values[k].mean()) for k in self.complete}

    @cached_property
    def best(self) -> int:
        """The position of the candidate with the highest mean score; of several, the cheapest."""
        return self.cheapest(self.within(0.0))

    @cached_property
    def entrants(self) -> CVScores:
        """The scores of the complete candidates, named as `compare_candidates` names them."""
        labels = candidate_labels(self.params)
        return replace(
            self.scores,
            values=self.scores.values[self.complete],
            labels=tuple(labels[k] for k in self.complete),
            magnitude=self.scores.magnitude[self.complete],
        )

    def within(self, distance: float) -> list[int]:
        """Return the positions of candidates whose mean is close to the highest."""
        highest = max(self.means.values())
        limit = highest - distance - _ROUNDING * abs(highest)
        return [k for k in self.complete if self.means[k] >= limit]

    def cheapest(self, positions: Sequence[int]) -> int:
        """Return the cheapest candidate; ties go to the higher mean, then to the earlier."""
        return min(positions, key=lambda k: (self.costs[k], -self.means[k], k))

    def against_best(self, test: LocationTest) -> dict[int, Inference]:
        """Test the difference of each other candidate from the best."""
        return {k: self.test_difference(test, k) for k in self.complete if k != self.best}

    def test_difference(self, test: LocationTest, position: int) -> Inference:
        """Test the difference of one candidate from the best."""
        return test.run(self.scores[str(position)] - self.scores[str(self.best)])

    def standard_error_of_best(self, test: LocationTest) -> float:
        """Return the standard error of the best candidate's mean score."""
        return float(test.run(self.scores[str(self.best)]).standard_error)


def by_one_standard_error(
    candidates: Candidates, test: LocationTest, alpha: float, margin: float | None
) -> int:
    """Return the cheapest whose mean is at most one standard error below the best."""
    error = candidates.standard_error_of_best(test)
    good = candidates.within(error)
    if error == 0 and len(good) < len(candidates.complete):
        warn_user(
            "The scores of the best candidate do not vary, so their standard error is 0 and only "
            "candidates with the same mean are considered equally good. Use more test rows or a "
            "finer metric.",
            DegenerateScoresWarning,
        )
    return candidates.cheapest(good)


def by_margin(
    candidates: Candidates, test: LocationTest, alpha: float, margin: float | None
) -> int:
    """Return the cheapest that is shown to be worse than the best by less than the margin."""
    assert margin is not None, "checked by SignificanceRefit"
    not_worse = replace(test, alternative="greater", null_value=-margin)
    differences = candidates.against_best(not_worse)
    shown = [k for k, it in differences.items() if it.pvalue < alpha and not it.undetermined]
    chosen = candidates.cheapest([candidates.best, *shown])
    possible = {
        k: it
        for k, it in differences.items()
        if candidates.costs[k] < candidates.costs[chosen] and it.estimate > -margin
    }
    _warn_of_undetermined(candidates, possible)
    if chosen == candidates.best:
        _warn_of_small_margin(possible, margin)
    return chosen


def by_test(candidates: Candidates, test: LocationTest, alpha: float, margin: float | None) -> int:
    """Return the cheapest that is not shown to be worse than the best."""
    differences = candidates.against_best(test)
    worse = {k for k, it in differences.items() if it.pvalue < alpha}
    proven = {k for k in worse if not differences[k].undetermined}
    chosen = candidates.cheapest([k for k in candidates.complete if k not in proven])
    if chosen in worse:
        _warn_of_constant_difference(candidates.params[chosen], differences[chosen].estimate)
    elif chosen in differences and not differences[chosen].undetermined:
        _warn_of_little_evidence(candidates, test, chosen, alpha, "It is not significantly worse")
    return chosen


def by_best_set(
    candidates: Candidates, test: LocationTest, alpha: float, margin: float | None
) -> int:
    """Return the cheapest of those that could be the best."""
    entrants = candidates.entrants
    inside = set(best_set_of(test, entrants, 1 - alpha))
    positions = zip(candidates.complete, entrants.labels, strict=True)
    chosen = candidates.cheapest([k for k, name in positions if name in inside])
    if chosen == candidates.best:
        return chosen
    difference = candidates.test_difference(test, chosen)
    if not difference.undetermined:
        _warn_of_little_evidence(candidates, test, chosen, alpha, "It could be the best")
    elif difference.estimate < 0:
        _warn_of_constant_difference(candidates.params[chosen], difference.estimate)
    return chosen


RULES: dict[str, Callable[[Candidates, LocationTest, float, float | None], int]] = {
    "one_standard_error": by_one_standard_error,
    "margin": by_margin,
    "test": by_test,
    "best_set": by_best_set,
}


def _warn_of_constant_difference(params: Mapping[str, Any], difference: float) -> None:
    warn_user(
        f"{dict(params)} is chosen, whose mean score differs from the best by "
        f"{format_number(difference)}: the estimated variance of this difference is 0, which is no "
        "evidence that it is worse. Use more test rows or a finer metric.",
        DegenerateScoresWarning,
    )


def _warn_of_little_evidence(
    candidates: Candidates, test: LocationTest, chosen: int, alpha: float, shown: str
) -> None:
    """Warn if the chosen candidate may be worse by more than a standard error of the best."""
    greater = replace(test, alternative="greater", null_value=0.0)
    difference = candidates.test_difference(greater, chosen)
    worst = -float(difference.confidence_interval(1 - alpha).low)
    if worst <= candidates.standard_error_of_best(test):
        return
    warn_user(
        f"{dict(candidates.params[chosen])} is chosen, whose mean score is "
        f"{format_number(-difference.estimate)} below the best. {shown}, "
        "which is no evidence that it is equally good: it may be worse by up to "
        f"{format_number(worst)} (one-sided {100 * (1 - alpha):g} % bound). With little data "
        "this rule takes nearly any candidate. Use rule='one_standard_error', or rule='margin' "
        "with the loss that you accept as margin=.",
        SplitDesignWarning,
    )


def _warn_of_undetermined(candidates: Candidates, possible: Mapping[int, Inference]) -> None:
    """Warn about cheaper candidates within the margin whose difference does not vary."""
    left_out = [k for k, it in possible.items() if it.undetermined]
    if not left_out:
        return
    first = candidates.cheapest(left_out)
    warn_user(
        f"{dict(candidates.params[first])} is not chosen, whose mean score differs from the best "
        f"by {format_number(possible[first].estimate)}: the estimated variance of this difference "
        "is 0, which is no evidence that it is within the margin. Use more test rows or a finer "
        "metric.",
        DegenerateScoresWarning,
    )


def _warn_of_small_margin(possible: Mapping[int, Inference], margin: float) -> None:
    """Warn if cheaper candidates have means within a margin that is too small to show this."""
    errors = [it.standard_error for it in possible.values() if not it.undetermined]
    if not errors or margin >= 2 * min(errors):
        return
    warn_user(
        "The best candidate is chosen. Cheaper ones have a mean score within the margin, but "
        f"margin={margin:g} is less than two standard errors of their differences from the best "
        f"(at least {format_number(min(errors))}), so this could hardly be shown. Use more data, "
        "or rule='one_standard_error'.",
        SplitDesignWarning,
    )
