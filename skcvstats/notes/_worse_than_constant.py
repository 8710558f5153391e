"""The note on models that a constant prediction beats."""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.base import is_classifier, is_regressor
from sklearn.utils import _safe_indexing

from .._utils._metrics import CALLED, METRICS, known_of, shown_as
from .._utils._text import format_number
from ..fitting import Metric
from ..scores import CVScores, Note
from ..stats import student_quantile
from ._evidence import Evidence, ScoresEvidence, means_of_units
from ._registry import note

_LEVEL = 0.05
# Models that a constant beats by more standard errors is so by no chance.
_MOST_ERRORS = 3
_OF_CALIBRATION = re.compile(r"calib|(?<![a-z])([a-z]?ece|mce|ace)(?![a-z])", re.I)
_MOST_SCORED = 25  # splits, on which a constant is scored


@note(
    "worse than a constant",
    title="Worse than a constant",
    looks_for="Models that a constant prediction beats by more than chance.",
    why="A model that learned anything beats a constant, so something may be wrong.",
    remedy="Look for overfitting, for rows in different orders, and for losses taken as scores.",
    looks_in=ScoresEvidence,
)
def worse_than_a_constant(evidence: ScoresEvidence) -> Iterator[Note]:
    scores = evidence.scores
    values = np.atleast_2d(scores.values)
    means = values.mean(axis=1)
    if not _is_guess(evidence):
        return
    least = evidence.constants[0]
    rounding = 1e-9 * np.abs(least)
    if (means >= least - rounding).all():
        return
    below = _below_constants(evidence, values)
    errors = _standard_errors(evidence, below)
    if errors is None:
        return
    is_worse = below.mean(axis=1) > np.maximum(_MOST_ERRORS * errors, rounding)
    if not is_worse.any():
        return
    hint = evidence.hint
    if known_of(scores.metric).sign == 0:
        hint += ", or is it a loss"
    if evidence.metric.needed_values == "order":
        hint += ", or scores of an outlier detector, which are lower for outliers"
    about, models = evidence.name(is_worse)
    read = shown_as(scores.metric)
    text = (
        f"{models}: worse in {read.name} than a constant prediction "
        f"({format_number(read.number(least))}), by more than {_MOST_ERRORS} standard errors; "
        f"{hint}?"
    )
    yield Note("worse than a constant", text, None, about=about)


@note(
    "no better than a constant",
    title="No better than a constant",
    looks_for="A best model that is not significantly better than a constant prediction.",
    why="Then no model is shown to have learned anything, whichever is the best.",
    remedy="Collect more rows, or other columns; with a rare class use average precision or AUC.",
    looks_in=ScoresEvidence,
    on_sound_data="Found in 23 of 298 answers, on data sets of so little signal that it is "
    "true of them.",
)
def no_better_than_a_constant(evidence: ScoresEvidence) -> Iterator[Note]:
    scores = evidence.scores
    best = evidence.best_constant
    values = np.atleast_2d(scores.values)
    means = values.mean(axis=1)
    winner = int(means.argmax())
    if np.isnan(means[winner] - best) or not values.any() or not _is_guess(evidence):
        return
    if means[winner] > best and _is_ahead(evidence, values, winner):
        return
    about, model = evidence.name(np.arange(len(means)) == winner)
    if len(values) > 1:
        model += ", the best,"
    for worse in worse_than_a_constant(evidence):
        if set(about) <= set(worse.about):  # which says more
            return
    read = shown_as(scores.metric)
    sign = -1 if read.is_loss else 1
    text = (
        f"{model} is not significantly better in {read.name} than {evidence.constant_name} "
        f"({sign * best:.3g})"
    )
    yield Note("no better than a constant", text, None, about=about)


def _is_guess(evidence: ScoresEvidence) -> bool:
    """Return whether the best constant is a guess with which models can be compared."""
    scores = evidence.scores
    best = evidence.best_constant
    sign, _, high = known_of(scores.metric)
    # A constant with the best possible score, as for recall, is no guess; and losses are not
    # scores.
    if np.isnan(best) or best in (high, 1.0) or sign < 0:
        return False
    if "part" in scores.provenance:  # the whole decides
        return False
    measured = scores.provenance.get("measured", "")
    # in which a constant has no error
    return not _OF_CALIBRATION.search(f"{scores.metric} {measured}")


def _is_ahead(evidence: ScoresEvidence, values: np.ndarray, winner: int) -> bool:
    """Return whether a model is significantly better than a constant."""
    if evidence.is_ahead is not None:
        return evidence.is_ahead(winner, evidence.best_constant, evidence.fit_best_constant)
    scores = evidence.scores
    if scores.design.in_time_order:  # where splits do not show how much a fit matters
        return True
    n_splits = values.shape[1]
    if evidence.metric.of_rows == "mean" and 1 < n_splits <= _MOST_SCORED:
        # Means over rows vary less, or more, beside those of a constant on the same rows.
        ahead = -_below_constants(evidence, values[[winner]])
        error = _error_over_splits(scores, ahead)[0]
        df = n_splits - 1
    else:
        ahead = values[winner] - evidence.best_constant
        error, df = _error_of_score(evidence, winner)
    return bool(ahead.mean() > -student_quantile(df, _LEVEL / 2) * error)


def _error_of_score(evidence: ScoresEvidence, winner: int) -> tuple[float, float]:
    """Return the standard error of the score of a model and its degrees of freedom."""
    scores = evidence.scores
    procedure = vars(evidence.shared).get("procedures", {}).get(evidence.metric.name)
    if getattr(procedure, "needs_rows", False) and scores.row_scores is not None:
        test = procedure.run(scores.row(winner))
        return test.standard_error, test.df
    n_splits = scores.values.shape[-1]
    if n_splits == 1:  # which shows nothing
        return 0.0, 1.0
    return _error_over_splits(scores, np.atleast_2d(scores.values)[[winner]])[0], n_splits - 1


def _below_constants(evidence: ScoresEvidence, values: np.ndarray) -> np.ndarray:
    """Return how far scores are below constants, made on each split if these are known."""
    constants = []
    for train, test, *_ in evidence.splits:
        known = _safe_indexing(evidence.y, train)
        tested = _safe_indexing(evidence.y, test)
        constants.append(evidence.constants_on(known, tested)[0])
    if not constants:
        return evidence.constants[0] - values
    return constants - values[:, : len(constants)]


def _standard_errors(evidence: ScoresEvidence, below: np.ndarray) -> Any:
    """Return the standard error of the score of each model, None if nothing tells it."""
    scores = evidence.scores
    if evidence.errors is not None:
        return evidence.errors(scores)
    if scores.row_scores is not None:
        means = means_of_units(scores.row_scores)
        return np.array([of_model.std() / np.sqrt(of_model.size) for of_model in means])
    if below.shape[1] == 1:
        return None
    return _error_over_splits(scores, below)


def _error_over_splits(scores: CVScores, differences: np.ndarray) -> np.ndarray:
    """Return the standard error of the mean over splits of each row of differences."""
    design = scores.design
    share = 1 / differences.shape[1] + np.mean(design.n_test) / np.mean(design.n_train)
    return np.asarray(differences.std(axis=1, ddof=1) * np.sqrt(share))


def constant_of_fits(evidence: Evidence, scores: CVScores, metric: Metric | None) -> dict[str, Any]:
    """Return what tells the score of a constant beside fits, nothing where it would mislead."""
    if evidence.y is None or evidence.score_params or metric is None:
        return {}
    if callable(metric.given):
        if not metric.is_scorer:  # called for fits only
            return {}
        if evidence.may_fail and not metric.function_name:  # as scikit-learn, once for each split
            return {}
    if scores.failures or any(note.code == "undefined metric" for note in scores.notes):
        return {}
    splits = evidence.splits.take(range(min(scores.design.n_splits, _MOST_SCORED)))
    return {"metric": metric, "of_classes": _is_of_classes(evidence, metric), "splits": splits}


def _is_of_classes(evidence: Evidence, metric: Metric) -> bool | None:
    """Return whether a metric is of classes, by itself or else by the kind of all models."""
    facts = METRICS.get(CALLED.get(metric.function_name, ""))
    if facts is not None:
        return not facts.of_values
    models = evidence.estimators.values()
    if all(map(is_classifier, models)):
        return True
    return False if all(map(is_regressor, models)) else None
