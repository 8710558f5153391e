"""The rows on which only one of two models is right."""

import numpy as np

from ..scores import CVScores


def rows_apart(scores: CVScores) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the sum of each row's differences over runs, and whether any of these is not 0.

    None where the rows of a difference are not known, or are not right or wrong.
    """
    apart = _differences_of_rows(scores)
    if apart is None or not (np.square(apart) == np.abs(apart)).all():  # other than -1, 0 and 1
        return None
    if scores.row_scores is None:
        return apart, apart != 0
    rows = scores.row_scores.rows
    is_there = np.bincount(rows) > 0
    return np.bincount(rows, apart)[is_there], np.bincount(rows, apart != 0)[is_there] > 0


def _differences_of_rows(scores: CVScores) -> np.ndarray | None:
    """Return the difference of two models in each row of each run, if it is known."""
    if scores.row_scores is not None:
        return np.asarray(scores.row_scores.block())
    components = scores.components
    if components is None:
        return None
    if components.kind == "correct":
        return np.asarray(components.rows("correct")[0])
    facts = components.facts
    if components.kind != "means" or facts["grouped"] or facts["weighted"]:
        return None
    return np.asarray(np.round(components.rows("sums")[0] + scores.values.flat[0], 9))
