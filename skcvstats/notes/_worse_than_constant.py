"""The note on models that a constant prediction beats."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.base import is_classifier, is_regressor
from sklearn.utils import _safe_indexing

from .._utils._checks import listed
from .._utils._metrics import known_of, shown_as
from .._utils._text import format_number
from ..scores import CVScores, Note
from ._evidence import Evidence, ScoresEvidence
from ._registry import note

# Models that a constant beats by more standard errors is so by no chance.
_MOST_ERRORS = 3
_MOST_SCORED = 25  # splits, on which a constant is scored


@note(
    "worse than a constant",
    title="Worse than a constant",
    looks_for="Models that a constant prediction beats by more than chance.",
    remedy="Look for overfitting, for rows in different orders, and for losses taken as scores.",
    looks_in=ScoresEvidence,
)
def worse_than_a_constant(evidence: ScoresEvidence) -> Iterator[Note]:
    scores = evidence.scores
    least, best = evidence.constants
    if np.isnan(best):
        return
    values, design = np.atleast_2d(scores.values), scores.design
    sign, _, high = known_of(scores.metric)
    # A constant that is as good as can be, as for recall, is no guess; and losses are not scores.
    if (values.mean(axis=1) >= least).all() or best in (high, 1.0) or sign < 0:
        return
    guesses = [  # made on each split, if these are known
        evidence.constants_on(*(_safe_indexing(evidence.y, rows) for rows in sides[:2]))[0]
        for sides in evidence.splits
    ]
    below = least - values
    if guesses:
        below = guesses - values[:, : len(guesses)]
    if evidence.errors is not None:
        spread = evidence.errors(scores)
    elif (rows := scores.row_scores) is not None:
        units = rows.rows if rows.groups is None else rows.groups[rows.rows]
        counts = np.bincount(units)
        seen = counts > 0
        n_units = np.count_nonzero(seen)
        spread = np.array(
            [
                (np.bincount(units, of_model)[seen] / counts[seen]).std() / np.sqrt(n_units)
                for of_model in np.atleast_2d(rows.values)
            ]
        )
    elif (n := below.shape[1]) > 1:
        share = 1 / n + np.mean(design.n_test) / np.mean(design.n_train)
        spread = below.std(axis=1, ddof=1) * np.sqrt(share)
    else:
        return
    worse = below.mean(axis=1) > np.maximum(_MOST_ERRORS * spread, 1e-9 * np.abs(least))
    if not worse.any():
        return
    hint = f"{evidence.hint}, or is it a loss" if sign == 0 else evidence.hint
    named = listed([(scores.labels or ("the model",))[k] for k in np.flatnonzero(worse)])
    read = shown_as(scores.metric)
    text = (
        f"{named}: worse in {read.name} than a constant prediction "
        f"({format_number(read.number(least))}), by more than {_MOST_ERRORS} standard errors "
        f"({hint}?)"
    )
    yield Note("worse than a constant", text, None)


def constant_of_fits(evidence: Evidence, scores: CVScores) -> dict[str, Any]:
    """Return what tells the score of a constant beside fits, nothing where it would mislead."""
    name = scores.metric
    metric = {metric.name: metric for metric in evidence.metrics}.get(name)
    if metric is None or (callable(metric.given) and not metric.is_scorer):  # called for fits only
        return {}
    is_users_function = callable(metric.given) and not metric.function_name
    if evidence.may_fail and is_users_function:  # scikit-learn calls it once for each split
        return {}
    kinds = {is_classifier(model) - is_regressor(model) for model in evidence.estimators.values()}
    if evidence.y is None or kinds not in ({1}, {-1}) or evidence.score_params:
        return {}
    if scores.failures or "undefined metric" in [note.code for note in scores.notes]:
        return {}
    splits = evidence.splits.take(range(min(scores.design.n_splits, _MOST_SCORED)))
    return {"metric": metric, "of_classes": 1 in kinds, "splits": splits}
