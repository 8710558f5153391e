"""Process one data set of a study: generate, split, fit, and keep a few numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._utils._checks import n_rows
from ..splitters import check_data
from ..stats import LocationTest, Procedure, Sample, refer
from ._plan import Plan, PlannedProcedure
from ._predict import FamilyScores, score_family
from ._spec import Study


def generate(study: Study, number: int) -> tuple[Any, Any]:
    """Return X and y of a data set, checked."""
    data = study.generator(study.data_stream(number))
    if not isinstance(data, tuple) or len(data) != 2:
        raise TypeError(
            f"generator(random_state) returned {type(data).__name__}; it must return (X, y)."
        )
    X, y, _ = check_data(*data, None)
    if y is None:
        raise TypeError("generator(random_state) returned no y; a study needs a target.")
    for name, part in (("X", X), ("y", y)):
        if _has_holes(part):
            raise ValueError(
                f"generator(random_state) returned {name} with nan or infinite values; fix it."
            )
    return X, y


def _has_holes(data: Any) -> bool:
    numbers = data.data if hasattr(data, "toarray") else np.asarray(data)
    if numbers.dtype.kind in "fc":
        return not np.isfinite(numbers).all()
    if numbers.dtype.kind != "O":
        return False
    return any(entry is None or entry != entry for entry in numbers.ravel())


def run_data_set(plan: Plan, number: int) -> np.ndarray:
    """Return the numbers that are kept for a data set."""
    study = plan.study
    try:
        X, y = generate(study, number)
        if n_rows(X) != plan.n_rows:
            raise ValueError(
                f"generator(random_state) returned {n_rows(X)} rows, but {plan.n_rows} for the "
                "first data set; all data sets of a study must have the same number."
            )
        tables = [score_family(study, family, X, y, number) for family in plan.families]
    except Exception as error:
        error.add_note(f"skcvstats: data set {number}; data_sets=[{number}] runs it alone")
        raise
    parts = [_pivots(procedure, tables) for procedure in plan.procedures]
    for measured in plan.measured:
        scores = tables[measured.family].scores[:, measured.positions]
        if measured.of_pairs:
            halves = scores.reshape(len(scores), *measured.design.shape).mean(axis=-1)
            scores = halves[..., 0] - halves[..., 1]
        parts.append(scores)
    return np.concatenate([part.ravel() for part in parts])


def _pivots(procedure: PlannedProcedure, tables: list[FamilyScores]) -> np.ndarray:
    """Return the numbers for each hypothesis, in the order of `KEPT`."""
    test, table = procedure.test, tables[procedure.family]
    if test.needs_losses:
        values = -np.concatenate(table.losses[: procedure.design.n_splits], axis=1)
    else:
        values = table.scores[:, procedure.positions]
    auxiliary = None
    if procedure.auxiliary is not None:
        assert procedure.auxiliary_family is not None
        scores = tables[procedure.auxiliary_family].scores[:, procedure.auxiliary_positions]
        auxiliary = Sample(contrasts(scores), procedure.auxiliary, _magnitudes(scores))
    sample = Sample(contrasts(values), procedure.design, _magnitudes(values))
    numbers: tuple[Any, ...]  # one for each hypothesis, or one for all
    if isinstance(test, LocationTest):
        pivot = test.reduced(sample, auxiliary)
        pvalue = refer(pivot, test.null_value, test.alternative)[1]
        numbers = (pivot.estimate, pivot.standard_error, pivot.scale, pivot.df, pvalue)
    else:
        found = test.answer(sample, auxiliary)
        pvalue = np.where(_is_asked(test, len(sample.values)), found.pvalue, np.nan)
        numbers = (found.estimate, np.nan, np.nan, np.nan, pvalue)
    return np.stack(
        [np.broadcast_to(np.asarray(number), len(sample.values)) for number in numbers], axis=1
    )


def _is_asked(test: Procedure, n_hypotheses: int) -> np.ndarray:
    """Return which hypotheses a procedure can test; the difference is the last."""
    last = np.arange(n_hypotheses) == n_hypotheses - 1
    return last & (n_hypotheses > 1) if test.only_differences else np.ones_like(last)


def contrasts(scores: np.ndarray, axis: int = 0) -> np.ndarray:
    """Return the scores for each hypothesis: each estimator and, with two, their difference."""
    if scores.shape[axis] == 1:
        return scores
    first, second = np.take(scores, [0], axis), np.take(scores, [1], axis)
    return np.concatenate([first, second, first - second], axis=axis)


def _magnitudes(scores: np.ndarray) -> np.ndarray:
    """Return the largest absolute score behind each hypothesis."""
    largest = np.abs(scores).max(axis=1)
    return largest if len(largest) == 1 else np.append(largest, largest.max())
