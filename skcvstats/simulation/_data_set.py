"""Process one data set of a study: generate, split, fit, and keep a few numbers."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from zlib import crc32

import numpy as np
from sklearn.base import clone

from .._utils._arrays import as_numbers, missing_in
from .._utils._checks import n_rows, one_line, unseeded_parameters
from ..fitting import FitRecord, Splits
from ..scores import CVScores, RowScores
from ..splitters import check_data, stream_of
from ..stats import LocationTest, Sample, checked_inference, reduced, refer
from ._plan import Family, Placed, Plan, PlannedProcedure
from ._spec import DATA, ESTIMATORS, SPLITS, Study

# The scores of the estimators on the splits of a family, and those of rows.
FamilyScores = tuple[np.ndarray, RowScores | None]


def score_family(study: Study, family: Family, X: Any, y: Any, number: int) -> FamilyScores:
    """Score every estimator on the needed splits of a family."""
    splits = family.splits(X, y, study.seed(number, SPLITS))
    names = list(study.estimators)
    scores = np.full((len(names), len(splits)), np.nan)
    tests = [test for _, test in splits[: family.n_row_splits]]
    rows = [np.empty((len(names), test.size)) for test in tests]
    for record in _records(study, X, y, splits, (number, crc32(family.seed_key.encode()))):
        e, k = record.estimator, record.split
        if len(found := record.scores) != 1:
            raise ValueError(f"scoring gave {len(found)} metrics, {list(found)}; pass one.")
        scores[e, k] = next(iter(found.values()))
        if k < len(tests):
            of_rows = as_numbers("row_scores", record.row_scores.get(study.metric_name))
            if of_rows.shape != tests[k].shape:
                raise ValueError(
                    f"records gave row_scores of shape {of_rows.shape} for {tests[k].size} test "
                    "rows; give one number for each row."
                )
            rows[k][e] = of_rows
    for e, k in np.argwhere(~np.isfinite(scores)).tolist():
        raise ValueError(
            f"Estimator {names[e]!r} scored {scores[e, k]} on split {k} of {family.cv!r}. Fix its "
            "predictions, or the metric."
        )
    return scores, RowScores.from_splits(rows, tests) if tests else None


def _records(
    study: Study, X: Any, y: Any, pairs: list[tuple[np.ndarray, np.ndarray]], key: tuple[int, int]
) -> Iterator[FitRecord]:
    """Yield the record of each estimator on each split: those that `records` has, then refits."""
    number, word = key
    # the parameters that need new random numbers in every fit, if not all do
    open_seeds = [
        [] if study.reseed else unseeded_parameters(model) for model in study.estimators.values()
    ]
    models = [
        clone(model) if names else model
        for model, names in zip(study.estimators.values(), open_seeds, strict=True)
    ]

    def seed(e: int, *of_fit: int) -> None:
        own = study.seed(number, ESTIMATORS, e, word, *of_fit)
        models[e].set_params(**dict.fromkeys(open_seeds[e], own))

    seed_of_fits = study.seed(number, ESTIMATORS, word) if study.reseed else None
    work = replace(study.work, estimators=tuple(models), seed=seed_of_fits)
    splits = Splits.of(pairs)
    left = {(k, e) for k in range(len(splits)) for e in range(len(models))}
    if study.records is not None:
        for e, names in enumerate(open_seeds):
            if names:
                seed(e)
        for record in study.records(work, X, y, splits):
            if not isinstance(record, FitRecord) or (record.split, record.estimator) not in left:
                raise ValueError(
                    f"records yielded {one_line(record)}; it must yield a FitRecord for a pair of "
                    f"one of {len(models)} estimators and one of {len(splits)} splits, once."
                )
            left.remove((record.split, record.estimator))
            yield record
    for e, names in enumerate(open_seeds):
        its_own = [(k, e) for k in range(len(splits)) if (k, e) in left]
        if not names:
            yield from work.fit(X, y, splits, its_own)
            continue
        for pair in its_own:  # other random numbers on each split, the same in every run
            seed(e, pair[0])
            yield from work.fit(X, y, splits, [pair])


def generate(study: Study, number: int) -> tuple[Any, Any]:
    """Return X and y of a data set, checked."""
    data = study.generator(stream_of((study.random_state,), (number, DATA)))
    if not isinstance(data, tuple) or len(data) != 2:
        raise TypeError(
            f"generator(random_state) returned {type(data).__name__}; it must return (X, y)."
        )
    X, y, _ = check_data(*data, None)
    if y is None:
        raise TypeError("generator(random_state) returned no y; a study needs a target.")
    for name, part in (("X", X), ("y", y)):
        numbers = part.data if hasattr(part, "toarray") else np.asarray(part)
        holes = ~np.isfinite(numbers) if numbers.dtype.kind in "fc" else missing_in(numbers)
        if holes.any():
            raise ValueError(
                f"generator(random_state) returned {name} with nan or infinite values; fix it."
            )
    return X, y


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
        families = plan.families.items()
        tables = {key: score_family(study, family, X, y, number) for key, family in families}
    except Exception as error:
        error.add_note(f"skcvstats: data set {number}; data_sets=[{number}] runs it alone")
        raise
    parts = [_pivots(procedure, tables) for procedure in plan.procedures]
    for measured in plan.measured:
        scores = tables[measured.family][0][:, measured.positions]
        if measured.design.levels[0] == "pair":
            halves = scores.reshape(len(scores), *measured.design.shape).mean(axis=-1)
            scores = halves[..., 0] - halves[..., 1]
        parts.append(scores)
    return np.concatenate([part.ravel() for part in parts])


def _pivots(procedure: PlannedProcedure, tables: dict[str, FamilyScores]) -> np.ndarray:
    """Return the numbers for each hypothesis, in the order of `KEPT`."""

    def sample_of(placed: Placed | None) -> Any:
        if placed is None:
            return None
        scores = tables[placed.family][0][:, placed.positions]
        return Sample(contrasts(scores), placed.design, _magnitudes(scores))

    test, main = procedure.test, procedure.main
    sample, known = sample_of(main), tables[main.family][1]
    if known is not None and test.needs_rows:
        rows = known.take(main.positions.tolist())
        of_all, magnitude = contrasts(rows.values), _magnitudes(rows.values)
        rows = replace(rows, values=of_all, magnitude=magnitude)
        sample = test.sample(CVScores(values=sample.values, design=main.design, row_scores=rows))
    auxiliary, n = sample_of(procedure.auxiliary), len(sample.values)
    numbers: tuple[Any, ...]  # one for each hypothesis, or one for all
    if isinstance(test, LocationTest):
        pivot = reduced(test, sample, auxiliary)
        pvalue = refer(pivot, test.null_value, test.alternative)[1]
        numbers = (pivot.estimate, pivot.standard_error, pivot.scale, pivot.df, pvalue)
    else:
        found = checked_inference(test, test.infer(sample, auxiliary), sample)
        can_test = np.full(n, not test.only_differences)
        can_test[-1] |= n > 1  # the difference is the last
        pvalue = np.where(can_test, found.pvalue, np.nan)
        numbers = (found.estimate, np.nan, np.nan, np.nan, pvalue)
    return np.stack([np.broadcast_to(np.asarray(number), n) for number in numbers], axis=1)


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
