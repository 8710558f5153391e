"""simulate: studies procedures on many data sets; each is generated, split and fitted on once."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from inspect import signature
from itertools import islice, product
from math import prod
from os import PathLike
from typing import Any
from zlib import crc32

import numpy as np
from sklearn.base import clone

from .._utils._arrays import as_numbers, check_path, not_finite_in
from .._utils._checks import (
    brief,
    check_flag,
    check_several,
    check_verbose,
    distinct,
    is_integer,
    is_several,
    n_rows,
    named_estimators,
    one_line,
    unseeded_parameters,
)
from .._utils._progress import limited_blas
from .._utils._shared_arguments import check_integer, check_n_jobs, check_seed
from ..fitting import FitRecord, FreshSeeds, Splits, Workload, run_data_sets
from ..scores import CVScores, RowScores
from ..splitters import check_data, stream_of
from ..stats import LocationTest, Procedure, Sample, checked_inference, reduced, refer
from ._plan import KEPT, Family, Plan, Request, StudiedProcedure, Study, check_splitter, make_plan
from ._result import SimulationResult

# Limit for one call, which keeps its results in memory: at a millisecond each it takes a day.
_MOST = 10**8
# The random streams of a data set.
_DATA, _SPLITS, _ESTIMATORS = range(3)
# The largest number of a data set: results store the numbers as 8-byte integers.
_LARGEST = 2**63 - 1


def simulate(
    generator: Callable[[np.random.RandomState], tuple[Any, Any]],
    estimators: Mapping[str, Any],
    procedures: Sequence[StudiedProcedure | Procedure | str] = (),
    *,
    designs: Sequence[Any] = (),
    scoring: str | Callable[..., Any] | None = None,
    n_data_sets: int = 1000,
    data_sets: Iterable[int] | None = None,
    random_state: int = 0,
    fresh_seeds: bool = False,
    records: Callable[..., Iterable[FitRecord]] | None = None,
    store: str | PathLike[str] | None = None,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> SimulationResult:
    """Simulate the size, power and coverage of procedures, and moments of the scores.

    Every data set is generated, split and fitted on once, and all procedures use these scores.
    Procedures that ask for splits of the same sizes share them: 5 splits are the first 5 of 25, 5
    pairs of half-samples the first 5 of 20. Of two estimators both and their difference are
    studied.

    Parameters
    ----------
    generator : callable
        ``generator(random_state)``, with a seeded RandomState, returns X and y of one data set;
        the same number of rows each time.
    estimators : dict of str to estimator
        One or two, by name.
    procedures : list of StudiedProcedure, Procedure or str, default=()
        What is studied; a name, or a procedure with options, gets the splits that it asks for.
    designs : list of splitters, default=()
        Further splits whose scores are measured for their moments only, such as
        ``RepeatedSubsampleSplit(25)``, or ``HalfSplitPairs(20)`` for r.
    scoring : str or callable, default=None
        One metric, greater is better. None is accuracy for classifiers and neg_mean_squared_error
        for regressors. Procedures that work on rows, such as ``"holdout_t"``, need a metric that is
        a mean over rows.
    n_data_sets : int, default=1000
        Data sets 0 to n_data_sets - 1.
    data_sets : iterable of int, default=None
        These data sets instead.
    random_state : int, default=0
        The root of all random numbers.
    fresh_seeds : bool, default=False
        True gives every ``random_state`` of the estimators another integer in every fit, also where
        it is an integer.
    records : callable, default=None
        ``records(work, X, y, splits)`` yields the results of fits that it can compute without
        fitting, see Notes; all others are fitted. Not with `fresh_seeds`.
    store : path-like, default=None
        A file for the numbers of finished data sets, of this study and of others; it may be a store
        of `compare_estimators`. Data sets of the same study that it has are not computed again, so
        a study that was killed can continue, and further data sets cost only themselves. See Notes.
    n_jobs : int, default=None
        Number of jobs over the data sets, as in joblib; the results do not depend on it. The
        multiprocessing backend is replaced by loky, with a warning.
    verbose : int, default=0
        1 shows a progress bar of the data sets.

    Returns
    -------
    SimulationResult
        Of the data sets asked for.

    Raises
    ------
    SplitDesignError
        If splits do not suit a procedure, or do not fit the data.
    ValueError, TypeError
        For invalid arguments, data or results. Errors of the generator, an estimator or the metric
        are raised with the number of the data set; finished data sets stay in the store.

    See Also
    --------
    StudiedProcedure : A procedure with splits of its own.
    SimulationResult : The result.

    Notes
    -----
    Data set i depends on `random_state` and i only, so that any can be computed alone, in any
    order, and more can be added. With R = `random_state` its generator gets
    ``RandomState(PCG64(SeedSequence(R, spawn_key=(i, 0))))``, and every splitter on it has as
    its own random_state ``SeedSequence(R, spawn_key=(i, 1)).generate_state(1)[0]``. An estimator's
    random_state of None becomes another seed for each fit; an integer stays what it is, unless
    `fresh_seeds` is True. What draws from NumPy's global random state is not under control.

    `records` is for estimators whose refits have a closed form. It is called once for each data set
    and each size of its splits. ``work.estimators`` are the estimators, their random_state of None
    replaced by a seed; ``work.scorer`` is the metric;
    ``splits.take(range(len(splits)))`` yields the splits, with ``train`` and ``test`` row numbers.
    It is to yield a `skcvstats.fitting.FitRecord` for each pair of an estimator and a split, both
    by number, that needs no fit: with ``scores``, a dict from the one metric to its score, and
    where ``work.row_metrics`` has the metric, with ``row_scores``, a dict from it to the scores
    of the test rows.

    All is computed with a single BLAS thread for each job.

    In a store a study is identified as fits are (see `compare_estimators`): by the content of the
    arguments, the code of your own functions and classes, the first data set, scikit-learn's
    settings and the versions of packages; not by labels, `n_data_sets` and `n_jobs`. If any of it
    changes, it is another study, whose data sets are computed. A study that cannot be identified is
    computed each time, with a warning. Damaged entries are noticed and computed again.

    Examples
    --------
    Does the corrected resampled t-test keep its level?

    >>> from sklearn.dummy import DummyRegressor
    >>> from sklearn.linear_model import LinearRegression
    >>> from skcvstats.simulation import simulate
    >>> def line(random_state):
    ...     X = random_state.normal(size=(40, 1))
    ...     return X, X[:, 0] + random_state.normal(size=40)
    >>> result = simulate(
    ...     line,
    ...     {"mean": DummyRegressor(), "line": LinearRegression()},
    ...     ["resampled_t", "corrected_resampled_t"],
    ...     n_data_sets=30,
    ... )
    >>> result
    <SimulationResult: 30 data sets, 2 procedures, hypotheses mean, line, mean-line>
    >>> frame = result.size(alpha=0.1)
    >>> naive, corrected = frame[frame["hypothesis"] == "mean-line"]["rate"]
    >>> bool(corrected < naive)
    True
    """
    check_seed(random_state)
    if not is_integer(random_state):
        raise ValueError(
            f"random_state={brief(random_state)} must be an integer: a study can be continued and "
            "repeated, data set by data set."
        )
    check_n_jobs(n_jobs)
    numbers = _numbers(n_data_sets, data_sets)
    _check_functions(generator, records, fresh_seeds)
    estimators = _check_estimators(estimators)
    procedures = _check_procedures(procedures)
    check_several("designs", designs, "splitters, as [RepeatedSubsampleSplit(25)]")
    designs = tuple(check_splitter("designs", cv) for cv in designs)
    if not procedures and not designs:
        raise ValueError(
            "procedures=() and designs=() leave nothing to study. Pass procedures=, such as "
            '["corrected_resampled_t"], or designs=, such as [RepeatedSubsampleSplit(25)].'
        )
    study = Study(
        generator=generator,
        estimators=estimators,
        procedures=procedures,
        designs=designs,
        random_state=int(random_state),
        fresh_seeds=check_flag("fresh_seeds", fresh_seeds),
        records=records,
        work=Workload.of_study(
            estimators, scoring, {studied.label: studied.test for studied in procedures}
        ),
    )
    check_verbose(verbose)
    if store is not None:
        check_path("store", store)
    with limited_blas(1):  # as for all others
        first = generate(study, 0)
    plan = make_plan(study, *first)
    results = run_data_sets(
        _run_data_sets,
        numbers,
        plan,
        sum(map(prod, plan.shapes)),
        store=store,
        content=(first, *study.content),
        n_jobs=n_jobs,
        verbose=verbose,
    )
    return _result_of(plan, numbers, np.array([results[number] for number in numbers]))


def _check_functions(generator: Any, records: Any, fresh_seeds: Any) -> None:
    """Raise an error unless the functions of a study can be called."""
    if not callable(generator):
        raise TypeError(
            f"generator={generator!r} must be a callable generator(random_state) that returns X "
            "and y of one data set."
        )
    if records is None:
        return
    if isinstance(records, type):
        raise TypeError(f"records={one_line(records)} {_WANTED}")
    with suppress(ValueError):  # what is compiled may not say what it takes
        try:
            signature(records).bind(*range(4))
        except TypeError as error:  # it is no callable, or takes something else
            raise TypeError(f"records={one_line(records)} {_WANTED}") from error
    if fresh_seeds:
        raise ValueError(
            "records= makes its own fits, which fresh_seeds=True cannot seed. Leave one of them "
            "out."
        )


_WANTED = "must be None or a callable records(work, X, y, splits) that yields FitRecords."


def _check_estimators(estimators: Any) -> dict[str, Any]:
    """Return one or two estimators by name, without random generators among their parameters."""
    if not isinstance(estimators, Mapping) or len(estimators) not in (1, 2):
        raise TypeError(
            "estimators must be a dict of one or two, such as {'mean': DummyRegressor(), 'line': "
            f"LinearRegression()}}; got {estimators!r}."
        )
    for name, estimator in named_estimators(estimators).items():
        for key, value in estimator.get_params(deep=True).items():
            if isinstance(value, (np.random.RandomState, np.random.Generator)):
                raise ValueError(
                    f"{name!r} has {key}={value!r}, which cannot be compared with another when a "
                    "study is continued. Pass an integer for the same seed in every fit, or None "
                    "for a new one, which the study makes repeatable."
                )
    return dict(estimators)


def _check_procedures(procedures: Any) -> tuple[StudiedProcedure, ...]:
    """Return procedures with their splits; a name or a procedure gets those that it asks for."""
    if isinstance(procedures, (str, Procedure, StudiedProcedure)):
        procedures = [procedures]
    check_several("procedures", procedures, "StudiedProcedures, procedures or names")
    studied = tuple(
        procedure if isinstance(procedure, StudiedProcedure) else StudiedProcedure(test=procedure)
        for procedure in procedures
    )
    distinct(
        (procedure.label for procedure in studied),
        "labels of procedures (StudiedProcedure(label=...))",
    )
    return studied


def _numbers(n_data_sets: Any, data_sets: Any) -> list[int]:
    """Return the numbers of the data sets that are asked for, each once, in ascending order."""
    if data_sets is None:
        why = "all results are kept in memory; data_sets=range(a, b) computes them part by part"
        return list(range(check_integer("n_data_sets", n_data_sets, 1, _MOST, why)))
    numbers = list(islice(data_sets, _MOST + 1)) if is_several(data_sets) else []
    are_numbers = all(is_integer(number) and 0 <= number <= _LARGEST for number in numbers)
    if not 1 <= len(numbers) <= _MOST or not are_numbers:
        raise ValueError(
            f"data_sets={one_line(data_sets)} must be numbers of data sets, from 1 to {_MOST} of "
            f"them: integers from 0 to {_LARGEST}, such as range(100, 120)."
        )
    return sorted(set(map(int, numbers)))


def _run_data_sets(plan: Plan, numbers: Sequence[int]) -> Iterator[tuple[int, np.ndarray]]:
    """Yield the number of each data set and its stored estimates."""
    with limited_blas(1):
        yield from ((number, run_data_set(plan, number)) for number in numbers)


def _result_of(plan: Plan, numbers: Sequence[int], values: np.ndarray) -> SimulationResult:
    """Arrange what was kept for each data set."""
    ends = np.cumsum([*map(prod, plan.shapes)])
    parts = zip(np.split(values, ends[:-1], axis=1), plan.shapes, strict=True)
    pivots, *kept = (part.reshape(len(values), *shape) for part, shape in parts)
    numbers_of: Any = {name: pivots[..., k] for k, name in enumerate(KEPT)}
    study = plan.study
    return SimulationResult(
        data_sets=np.array(numbers),
        hypotheses=study.hypotheses,
        procedures=tuple(
            replace(
                studied,
                design=main.design,
                auxiliary_design=getattr(auxiliary, "design", None),
            )
            for studied, (main, auxiliary) in zip(study.procedures, plan.places, strict=True)
        ),
        **numbers_of,
        designs=tuple(measured.design for measured in plan.measured),
        measurements=tuple(contrasts(measurement, axis=1) for measurement in kept),
        metric=study.metric_name,
    )


# The scores of the estimators on the splits of a family, and those of rows.
FamilyScores = tuple[np.ndarray, RowScores | None]


def score_family(study: Study, family: Family, X: Any, y: Any, number: int) -> FamilyScores:
    """Score every estimator on the needed splits of a family."""
    splits = family.splits(X, y, study.seed(number, _SPLITS))
    names = list(study.estimators)
    scores = np.full((len(names), len(splits)), np.nan)
    tests = [test for _, test in splits[: family.n_row_splits]]
    rows = [np.empty((len(names), test.size)) for test in tests]
    for record in _records(study, X, y, splits, (number, crc32(family.seed_key.encode()))):
        e = record.estimator
        k = record.split
        metrics = list(record.scores)
        if len(metrics) != 1:
            raise ValueError(f"scoring gave {len(metrics)} metrics, {metrics}; pass one.")
        scores[e, k] = record.scores[metrics[0]]
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
    study.work.refuse_losses({study.metric_name: scores})
    return scores, RowScores.from_splits(rows, tests) if tests else None


def _records(
    study: Study, X: Any, y: Any, pairs: list[tuple[np.ndarray, np.ndarray]], key: tuple[int, int]
) -> Iterator[FitRecord]:
    """Yield the record of each estimator on each split: those that `records` has, then refits."""
    number, word = key
    models = list(map(clone, study.estimators.values()))
    # These parameters need new random numbers in every fit; fresh seeds replace them all.
    open_seeds = [unseeded_parameters(model) for model in models]

    def seed(e: int, *of_fit: int) -> None:
        new_seed = study.seed(number, _ESTIMATORS, e, word, *of_fit)
        models[e].set_params(**dict.fromkeys(open_seeds[e], new_seed))

    work = replace(study.work, estimators=tuple(models))
    if study.fresh_seeds:
        work = replace(work, seeds=FreshSeeds(study.seed(number, _ESTIMATORS, word)))
    splits = Splits.of(pairs)
    left = set(product(range(len(splits)), range(len(models))))
    if study.records is not None:
        for e in range(len(models)):
            seed(e)
        made: Any = study.records(work, X, y, splits)
        if not isinstance(made, Iterable):
            raise TypeError(f"records returned {one_line(made)}, but it {_WANTED}")
        for record in made:
            if not isinstance(record, FitRecord) or (record.split, record.estimator) not in left:
                raise ValueError(
                    f"records yielded {one_line(record)}; it must yield a FitRecord for a pair of "
                    f"one of {len(models)} estimators and one of {len(splits)} splits, once."
                )
            left.remove((record.split, record.estimator))
            yield record
    for e, names in enumerate(open_seeds):
        pairs_to_fit = [(k, e) for k in range(len(splits)) if (k, e) in left]
        n_together = 1 if names else len(splits)
        for at in range(0, len(pairs_to_fit), n_together):
            # Each split has other random numbers, which are the same in every run.
            seed(e, pairs_to_fit[at][0])
            yield from work.fit(X, y, splits, pairs_to_fit[at : at + n_together])


def generate(study: Study, number: int) -> tuple[Any, Any]:
    """Return X and y of a data set, checked."""
    data = study.generator(stream_of((study.random_state,), (number, _DATA)))
    if not isinstance(data, tuple) or len(data) != 2:
        raise TypeError(
            f"generator(random_state) returned {type(data).__name__}; it must return (X, y)."
        )
    X, y, _ = check_data(*data, None)
    if y is None:
        raise TypeError("generator(random_state) returned no y; a study needs a target.")
    for name, part in (("X", X), ("y", y)):
        numbers = part.data if hasattr(part, "toarray") else np.asarray(part)
        if not_finite_in(numbers).any():
            raise ValueError(
                f"generator(random_state) returned {name} with nan or infinite values; fix it."
            )
    return X, y


def run_data_set(plan: Plan, number: int) -> np.ndarray:
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
    parts = [
        _pivots(studied.test, *requests, tables)
        for studied, requests in zip(study.procedures, plan.places, strict=True)
    ]
    for measured in plan.measured:
        scores = tables[measured.key][0][:, measured.positions]
        if measured.design.levels[0] == "pair":
            halves = scores.reshape(len(scores), *measured.design.shape).mean(axis=-1)
            scores = halves[..., 0] - halves[..., 1]
        parts.append(scores)
    return np.concatenate(parts, axis=None)


def _pivots(
    test: Procedure, main: Request, other: Request | None, tables: dict[str, FamilyScores]
) -> np.ndarray:
    """Return the numbers for each hypothesis, in the order of `KEPT`."""

    def sample_of(placed: Request | None) -> Any:
        if placed is None:
            return None
        scores = tables[placed.key][0][:, placed.positions]
        return Sample(contrasts(scores), placed.design, _magnitudes(scores))

    sample = sample_of(main)
    if test.needs_rows:
        row_scores: Any = tables[main.key][1]
        rows = row_scores.take(main.positions.tolist())
        of_all = contrasts(rows.values)
        magnitude = _magnitudes(rows.values)
        rows = replace(rows, values=of_all, magnitude=magnitude)
        sample = test.sample(CVScores(values=sample.values, design=main.design, row_scores=rows))
    auxiliary = sample_of(other)
    n = len(sample.values)
    numbers: tuple[Any, ...]  # one for each hypothesis, or one for all
    if isinstance(test, LocationTest):
        pivot = reduced(test, sample, auxiliary)
        pvalue = refer(pivot, test.null_value, test.alternative)[1]
        numbers = (pivot.estimate, pivot.standard_error, pivot.scale, pivot.df, pvalue)
    else:
        inference = checked_inference(test, test.infer(sample, auxiliary), sample)
        can_test = np.full(n, not test.only_differences)
        can_test[-1] |= n > 1  # the difference is the last
        pvalue = np.where(can_test, inference.pvalue, np.nan)
        numbers = (inference.estimate, np.nan, np.nan, np.nan, pvalue)
    return np.stack([np.broadcast_to(np.asarray(number), n) for number in numbers], axis=1)


def contrasts(scores: np.ndarray, axis: int = 0) -> np.ndarray:
    """Return the scores for each hypothesis: each estimator and, with two, their difference."""
    return np.concatenate([scores, np.diff(np.flip(scores, axis), axis=axis)], axis=axis)


def _magnitudes(scores: np.ndarray) -> np.ndarray:
    """Return the largest absolute score behind each hypothesis."""
    largest = np.abs(scores).max(axis=1)
    return np.append(largest, np.maximum(largest[:-1], largest[1:]))
