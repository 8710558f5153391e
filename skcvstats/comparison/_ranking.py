"""The ranking: one row for each estimator, with whether it could be the best."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .._utils._checks import alpha_of
from ..stats import CVTestResult
from ._best_set import could_be_best
from ._letters import letters
from ._pairs import PairTests

if TYPE_CHECKING:
    import pandas as pd


def ranking(tests: PairTests, confidence_level: float, *, lettered: bool) -> pd.DataFrame:
    """Return one row for each estimator, best first; see `ComparisonResult.ranking`.

    Notes
    -----
    If the compared estimators were chosen by their scores, there are rows for all candidates.
    """
    import pandas as pd

    contest = tests.contest
    order = np.argsort(-contest.estimates, kind="stable")
    own = contest.own_scores()
    low, high = np.nan, np.nan
    if own.has_interval:
        low, high = own.confidence_interval(confidence_level)
    columns = {
        "estimator": np.array(contest.scores.labels, dtype=object),
        "score": contest.estimates,
        "standard_error": own.standard_error,
        "low": low,
        "high": high,
    }
    frame = pd.DataFrame(columns, index=range(len(order))).iloc[order].reset_index(drop=True)
    found = _letters(tests, alpha_of(confidence_level), order) if lettered else None
    frame["letters"] = None if found is None else found
    if not contest.has_best or confidence_level <= 0.5:
        return frame.assign(p_best=np.nan, could_be_best=None)
    inside = could_be_best(contest, confidence_level)
    return frame.assign(p_best=contest.p_best[order], could_be_best=inside[order])


def _letters(tests: PairTests, alpha: float, order: np.ndarray) -> list[str] | None:
    """Return the letters of the estimators, best first; None if equivalence is shown."""
    place = np.argsort(order)
    determined = ~np.broadcast_to(tests.inference.undetermined, len(tests))
    shown = determined & (tests.pvalues_adjusted <= alpha)
    if not isinstance(tests.inference, CVTestResult):  # may show other claims
        kinds = {tests.comparison(int(k), 1 - alpha).outcome for k in np.flatnonzero(shown)}
        if not kinds <= {"above", "below", "different"}:
            return None
    first, second = place[tests.first[shown]], place[tests.second[shown]]
    different = np.zeros((len(order), len(order)), dtype=bool)
    different[first, second] = different[second, first] = True
    return letters(different)
