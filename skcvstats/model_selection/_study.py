"""Read a finished Optuna study: its trials, and the scores that its objective stored.

Studies and trials are recognized by their attributes, so Optuna is not imported.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .._utils._arrays import as_numbers
from .._utils._checks import listed, one_line
from .._utils._text import counted
from ..exceptions import AnticonservativeWarning
from ..scores import UNVERIFIED_PAIRING, CVScores, Note, SplitDesign
from ..splitters import check_data, to_splitter
from ._finished import Finished, candidate_labels, check_several

_COMPLETE, _FAILED, _PRUNED = "COMPLETE", "FAIL", "PRUNED"
# Relative difference by rounding, between the value of a trial and the mean of its scores.
_ROUNDING = 1e-6


def read_study(
    study: Any, data: Any, design: SplitDesign | None, *, cv: Any, key: Any, scoring: Any
) -> Finished:
    """Return the finished and the failed trials of a study with one objective on X, y, groups."""
    sign, key, scoring = _sign(study), key or "scores", scoring or "score"
    trials = [trial for trial in study.trials if trial.state.name in (_COMPLETE, _FAILED)]
    trials.sort(key=lambda trial: trial.number)
    if not any(map(_is_complete, trials)):
        raise ValueError(
            f"The study has no finished trials among its {len(study.trials)}, so there is nothing "
            "to compare. Run study.optimize(objective, n_trials=...) first."
        )
    params = [trial.params for trial in trials]
    check_several(params, "The study")
    if design is None:
        design = _design(*data, cv=cv)
    values = _values(trials, key, design.n_splits)
    _check_signs(trials, values, key, sign)
    name = scoring if sign > 0 else f"neg_{scoring}"
    stated = replace(design, digests=None, seed=None)  # it is the user's word
    labels = candidate_labels(params, [trial.number for trial in trials])
    scores = CVScores(
        values=sign * values, design=stated, labels=labels, metric=name, notes=(UNVERIFIED_PAIRING,)
    )
    return Finished(
        params,
        {name: scores},
        scoring=f"{scoring}, by the objective of the study",
        write=one_line,
        again="run the study again",
        notes=tuple(_left_out(study, len(trials))),
    )


def _sign(study: Any) -> int:
    """Return 1 for a study that maximizes, -1 for one that minimizes."""
    if len(study.directions) > 1:
        raise ValueError(
            f"The study has {len(study.directions)} objectives, and trials are compared in one. "
            "Compare each with compare_scores({name of trial: scores, ...}, design=...)."
        )
    return -1 if study.directions[0].name == "MINIMIZE" else 1


def _is_complete(trial: Any) -> bool:
    return bool(trial.state.name == _COMPLETE)


def _design(X: Any, y: Any, groups: Any, *, cv: Any) -> SplitDesign:
    if X is None or cv is None:
        raise ValueError(
            "A study does not keep its splits. Pass the data and what split them, "
            "compare_candidates(study, X, y, cv=...), or design=SplitDesign.from_sizes(...)."
        )
    if isinstance(cv, type) or not (hasattr(cv, "split") or isinstance(cv, Sequence)):
        raise ValueError(
            f"cv={cv!r} must be the splitter of the objective, such as KFold(5) or "
            "RepeatedSubsampleSplit(15, random_state=0), or its list of (train, test) pairs."
        )
    X, y, groups = check_data(X, y, groups)
    return SplitDesign.from_splitter(to_splitter(cv, y, classifier=False), X, y, groups)


def _values(trials: Sequence[Any], key: str, n_splits: int) -> np.ndarray:
    """Return the scores of each trial as they were stored, nan in those that failed."""
    finished = list(filter(_is_complete, trials))
    without = [f"#{trial.number}" for trial in finished if key not in trial.user_attrs]
    if without:
        known = dict.fromkeys(name for trial in finished for name in trial.user_attrs)
        there = f" Their attributes are {listed(known)}; choose one with key=." if known else ""
        raise ValueError(
            f"{len(without)} of {counted(len(finished), 'finished trial')} without {key!r} in "
            f"their user_attrs: {listed(without)}.{there} The value of a trial is a mean, which "
            "does not say how much the splits differ. Store their scores in the objective, "
            f"trial.set_user_attr({key!r}, scores.tolist()), and run it again."
        )
    return np.array([_row(trial, key, n_splits) for trial in trials])


def _row(trial: Any, key: str, n_splits: int) -> np.ndarray:
    """Return the scores of a trial; nan if it failed."""
    if not _is_complete(trial):
        return np.full(n_splits, np.nan)
    stored = trial.user_attrs[key]
    wanted = "store one number for each split, trial.set_user_attr(key, scores.tolist())"
    try:
        row = as_numbers(key, stored)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"The {key!r} of trial {trial.number} is {stored!r}, not numbers; {wanted}."
        ) from error
    if row.shape != (n_splits,):
        raise ValueError(
            f"The {key!r} of trial {trial.number} has shape {row.shape}, but there are "
            f"{counted(n_splits, 'split')}; {wanted}, and pass what split the data in all trials."
        )
    return row


def _check_signs(trials: Sequence[Any], values: np.ndarray, key: str, sign: int) -> None:
    """Raise ValueError if scores have the opposite sign of the value, which is their mean."""
    direction = "maximizes" if sign > 0 else "minimizes"
    for trial, mean in zip(trials, values.mean(axis=1), strict=True):
        if trial.value is None or not np.isfinite(mean) or mean == 0:
            continue
        if abs(trial.value + mean) <= _ROUNDING * abs(mean):
            raise ValueError(
                f"The mean of the {key!r} of trial {trial.number} is {mean:.6g}, and its value is "
                f"{trial.value:.6g}, with the other sign. The study {direction}: store the scores "
                "that the value is the mean of."
            )


def _left_out(study: Any, n_compared: int) -> Iterator[Note]:
    """Yield what to say about the trials that are not compared."""
    n_pruned = sum(trial.state.name == _PRUNED for trial in study.trials)
    if n_pruned:
        text = (
            f"{counted(n_pruned, 'pruned trial')} left out, for their scores on some splits; "
            "p-values are adjusted for the comparisons that were made, not for the choice"
        )
        yield Note("pruned trials", text, AnticonservativeWarning)
    unfinished = len(study.trials) - n_pruned - n_compared
    if unfinished:
        yield Note("unfinished trials", f"{counted(unfinished, 'unfinished trial')} left out", None)
