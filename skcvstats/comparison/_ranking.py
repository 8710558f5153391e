"""Ranking: one row for each estimator, and which of them could be the best."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .._utils import alpha_of
from ._letters import letters
from ._pairs import PairTests

if TYPE_CHECKING:
    import pandas as pd


def could_be_best(tests: PairTests, confidence_level: float) -> np.ndarray:
    """Return which estimators could be the best, by position.

    Parameters
    ----------
    tests : PairTests
        Of a metric.
    confidence_level : float
        Above 0.5.
    """
    if confidence_level <= 0.5:
        raise ValueError(
            f"confidence_level={confidence_level!r} must be above 0.5 for the set of the best."
        )
    pvalues = tests.contest.p_best
    return np.isnan(pvalues) | (pvalues > alpha_of(confidence_level))


def ranking(tests: PairTests, confidence_level: float, *, lettered: bool) -> pd.DataFrame:
    """Return one row for each estimator, best first; `ComparisonResult.ranking` says of what.

    Parameters
    ----------
    tests : PairTests
        Of a metric.
    confidence_level : float
        Of intervals, letters and the set of the best.
    lettered : bool
        Whether all pairs were compared two-sidedly.
    """
    import pandas as pd

    order = np.argsort(-tests.estimates, kind="stable")
    own = tests.contest.own_scores()
    low, high = np.nan, np.nan
    if own.has_interval:
        low, high = own.confidence_interval(confidence_level)
    columns = {
        "estimator": np.array(tests.scores.labels, dtype=object),
        "score": tests.estimates,
        "standard_error": own.standard_error,
        "low": low,
        "high": high,
    }
    frame = pd.DataFrame(columns, index=range(len(order))).iloc[order].reset_index(drop=True)
    found = _letters(tests, alpha_of(confidence_level), order) if lettered else None
    frame["letters"] = None if found is None else found
    if not tests.contest.has_best:
        return frame.assign(p_best=np.nan, could_be_best=None)
    inside = could_be_best(tests, confidence_level)
    return frame.assign(p_best=tests.contest.p_best[order], could_be_best=inside[order])


def _letters(tests: PairTests, alpha: float, order: np.ndarray) -> list[str] | None:
    """Return the letters of the estimators, best first."""
    place = np.argsort(order)
    determined = ~np.broadcast_to(tests.inference.undetermined, len(tests))
    shown = determined & (tests.pvalues_adjusted <= alpha)
    first, second = place[tests.first[shown]], place[tests.second[shown]]
    different = np.zeros((len(order), len(order)), dtype=bool)
    different[first, second] = different[second, first] = True
    return letters(different)
