"""Make the planned fits, turn them into the CVScores of each metric, and report what failed."""

import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field, replace
from itertools import chain, product
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from sklearn.exceptions import FitFailedWarning

from .._utils._arrays import one_output
from .._utils._checks import listed, n_rows, one_line
from .._utils._documents import versions
from .._utils._progress import with_progress
from .._utils._text import first_of
from .._utils._warn import warn_user
from ..exceptions import FitError, SplitDesignError
from ..scores import CVScores, Note, RowScores, SplitDesign
from ..stats import Procedure, Reason, find_folds
from ._choice import Choice, procedures_of, untested
from ._content import UnknownContentError
from ._fit import FitOptions, FitRecord, Routed, Workload
from ._hints import hint_for, or_drop
from ._labels import Undefined
from ._metrics import describe
from ._run import ThreadWatch, find_workers, mapped_files, run_fits, while_unchanged
from ._splits import PlannedSplits, Splits
from ._store import KeptFits, make_keys

_CAUSE_END = 400
_VALUES = r"'[^']*'|\"[^\"]*\"|[-+]?\d[\d.e+-]*"  # in errors, where they differ between splits
_MOST_SPLITS = 6


# A failure that was left out: the estimator (None: all), the metric (None: all), and the cause.
Lost = tuple[str | None, str | None, str]


@dataclass(frozen=True)
class Measured:
    """The scores of a call by metric, and what failed."""

    scores: dict[str, CVScores]
    auxiliary: dict[str, CVScores]
    said: tuple[Note, ...] = ()
    lost: tuple[Lost, ...] = ()
    without_rows: Mapping[str, Reason] = field(
        default_factory=dict
    )  # why some metrics have no scores
    over_rows: Mapping[str, np.ndarray] = field(default_factory=dict)  # of all out-of-fold rows
    exception: Exception | None = None

    def only(self) -> CVScores:
        """Return the scores in the only metric, or say that there are several."""
        if len(self.scores) > 1:
            raise ValueError(
                f"scoring gave several metrics: {listed(self.scores)}. Pass one, and call once for "
                "each."
            )
        return next(iter(self.scores.values()))


# Yields the (split, estimator) pairs of one round after the other, from all records before it.
Rounds = Callable[[Sequence[FitRecord]], Iterable[Sequence[tuple[int, int]]]]


@dataclass(frozen=True, kw_only=True)
class FitPlan:
    """All that the fits and their scores need."""

    work: Workload
    X: Any
    y: Any
    groups: Any
    scoring: Any  # as it was given
    routed: Routed
    parts: Sequence[PlannedSplits]  # the main splits, then auxiliary ones
    options: FitOptions
    undefined: Sequence[Undefined]
    numbers: Sequence[int] | None = None  # of the splits to fit on, if not all
    choices: Mapping[str, Choice] = field(default_factory=dict)  # of each metric, dropped ones too

    @property
    def procedures(self) -> dict[str, Procedure]:
        """The procedure of each metric that has one."""
        return procedures_of(self.choices)

    @property
    def lost(self) -> tuple[Lost, ...]:
        """The metrics that are left out, and why."""
        return tuple((None, name, fact) for name, fact in untested(self.choices).items())

    def fit(self) -> "Fits":
        """Fit and score every estimator on the splits."""
        splits = self.parts[0].splits
        for part in self.parts[1:]:
            splits = splits.then(part.splits)
        numbers = self.numbers or range(len(splits))
        pairs = list(product(numbers, range(len(self.work.names))))
        rows = _RowTable(self)
        return _fit_rounds(self, splits, lambda _: [pairs], total=len(pairs), rows=rows)

    def fit_in_rounds(self, rounds: Rounds) -> "Fits":
        """Fit (split, estimator) pairs in rounds, each planned from all records before it."""
        total = len(self.work.names) * self.parts[0].design.n_splits
        return _fit_rounds(self, self.parts[0].splits, rounds, total=total, rows=_RowTable(self))

    def gather(self, fits: "Fits") -> Measured:
        """Arrange the scores of fits by metric."""
        rows = fits.rows
        measured = []
        start = 0
        for part in self.parts:
            measured.append(_gather_part(self, fits, part, start))
            start += part.design.n_splits
        measured.append({})  # without auxiliary splits there are no scores on them
        over_rows = {
            name: rows.whole(name) for name in rows.predictions if name not in rows.lacking
        }
        return Measured(
            scores=measured[0],
            auxiliary=measured[1],
            lost=self.lost,
            without_rows=rows.lacking,
            over_rows=over_rows,
            exception=fits.exception,
        )


class _RowTable:
    """The scores of rows of a call, in ascending order of the rows of a split, as fits come."""

    def __init__(self, plan: FitPlan) -> None:
        self._plan = plan
        self._scoring = plan.work.rows
        self._tests: list[np.ndarray] = []  # the rows of each test set, in its own order
        if self._scoring.metrics:
            self._tests += chain.from_iterable(part.tests() for part in plan.parts)
        self._ends = np.cumsum([0, *map(len, self._tests)])
        shape = len(plan.work.names), self._ends[-1]
        self.values = {name: np.full(shape, np.nan) for name in self._scoring.metrics}
        self.predictions = {
            name: np.full(shape, np.nan) for name in self._scoring.predicted_metrics
        }
        self.lacking: dict[str, Reason] = {}  # why some metrics have no scores of rows

    def add(self, record: FitRecord) -> None:
        """Take the scores of rows of the next fit."""
        if not record.row_scores:
            return
        e = record.estimator
        k = record.split
        of_split = slice(self._ends[k], self._ends[k + 1])
        order = np.argsort(self._tests[k], kind="stable")
        for name, predictions in record.predictions.items():
            self.predictions[name][e, of_split] = predictions[order]
        for name, scores in record.row_scores.items():
            self.values[name][e, of_split] = scores[order]
            if self._scoring.may_be_missing and np.isnan(scores).any():
                self._add_lacking(name, record)

    def _add_lacking(self, name: str, record: FitRecord) -> None:
        """Keep why a metric has no scores of rows, if its score of the fold is known."""
        code = "no scores of rows"
        if name in self.predictions:
            code = "no scores without each unit"
        elif not np.isfinite(record.scores.get(name, np.nan)):
            return
        estimator = self._plan.work.names[record.estimator]
        values = {"split": record.split, "estimator": estimator, "metric": name}
        self.lacking.setdefault(name, Reason(code, values))

    def _rows(self, start: int, stop: int | None) -> np.ndarray:
        """Return the rows that the test sets of some splits have, each in ascending order."""
        # Half the memory of the type of indices, where it suffices.
        dtype = np.promote_types(np.min_scalar_type(-n_rows(self._plan.X)), np.int32)
        return np.concatenate([np.sort(test) for test in self._tests[start:stop]], dtype=dtype)

    def part(self, metric: str, start: int, stop: int) -> RowScores | None:
        """Return the scores of rows on some of the splits, None where they are not known."""
        if metric not in self.values or metric in self.lacking:
            return None
        plan = self._plan
        values = self.values[metric]
        values.flags.writeable = False
        ends = self._ends[start : stop + 1]
        rows = self._rows(start, stop)
        groups = self._scoring.groups
        if groups is not None:
            groups = groups.astype(np.intp)
        weights = plan.routed.weights.get(metric)
        if weights is not None:
            weights = np.asarray(weights, dtype=float)[rows]
        return RowScores._made(
            values=values[:, ends[0] : ends[-1]],
            rows=rows,
            offsets=ends - ends[0],
            groups=groups,
            times=plan.parts[0].row_times,
            weights=weights,
        )

    def whole(self, name: str) -> np.ndarray:
        """Return a metric over all out-of-fold rows, the mean of repeats; nan where it has none."""
        plan = self._plan
        predicted = self.predictions[name]
        y = one_output(plan.y)
        weights = plan.routed.weights.get(name)
        metric = next(metric for metric in plan.work.metrics if metric.name == name)
        values = np.full(len(predicted), np.nan)
        if y is None:
            return values
        try:
            folds = find_folds(self._rows(0, None), self._ends, n_rows(plan.X), who="")
        except SplitDesignError:  # no repeated k-fold
            return values
        for e in np.flatnonzero(~np.isnan(predicted).any(axis=1)):
            runs = predicted[e, folds.positions]
            if metric.responses == ("predict",) and y.dtype.kind in "bOUS":
                classes = self._scoring.classes
                runs = runs.astype(bool) if classes is None else classes[runs.astype(int)]
            with suppress(Exception), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                measure = metric.function.measure
                values[e] = np.mean([measure(y, run, weights) for run in runs])
        return values


class Fits(NamedTuple):
    """What the fits of a call gave."""

    records: list[FitRecord]  # in the order of estimators and splits, without exceptions
    from_store: Sequence[str]  # the estimators of which fits come from a store
    exception: Exception | None  # of the first failure
    rows: _RowTable


class _FitLog:
    """The records of the fits of a call as they come, and the exception of the first failure."""

    def __init__(self, plan: FitPlan, total: int, rows: _RowTable) -> None:
        self.records: list[FitRecord] = []
        self.exception: Exception | None = None
        self._plan = plan
        self._total = total
        self._rows = rows
        self._place: tuple[bool, int, int] | None = None  # of the first failure
        as_sklearn = plan.work.failures.as_sklearn
        self._may_be_losses = not as_sklearn and not all(
            isinstance(metric.given, str) for metric in plan.work.metrics
        )

    def add(self, record: FitRecord) -> None:
        """Keep the next record, or raise an error that ends the call."""
        self.records.append(record.without_rows())
        if record.failure is not None:
            self._add_failure(record)
        self._rows.add(record)
        if self._may_be_losses:
            self._plan.work.refuse_losses(record.scores)

    def _add_failure(self, record: FitRecord) -> None:
        """Keep the exception of a failure if it is the first, auxiliary splits last."""
        plan = self._plan
        is_auxiliary = record.split >= plan.parts[0].design.n_splits
        place = (is_auxiliary, record.estimator, record.split)
        is_first = self._place is None or place < self._place
        if record.exception is not None and is_first:
            self._place = place
            self.exception = record.exception
        goes_on = plan.options.on_error != "raise" or plan.work.failures.as_sklearn
        if record.split == 0 and not goes_on:
            stop_at_first(record, plan, self._total)

    def progress(self) -> str:
        """Say how many fits were finished."""
        names = self._plan.work.names
        n_done = Counter(names[record.estimator] for record in self.records)
        of_each = ", ".join(f"{name} {n_done[name]}" for name in names)
        return f"{len(self.records)} of {self._total} fits were finished ({of_each})"


def _fit_rounds(
    plan: FitPlan, splits: Splits, rounds: Rounds, *, total: int, rows: _RowTable
) -> Fits:
    """Fit (split, estimator) pairs in rounds, each planned from all records before it."""
    work = plan.work
    options = plan.options
    log = _FitLog(plan, total, rows)
    params = [*work.fit_params, work.score_params]
    files = mapped_files((plan.X, plan.y, *chain(*(given.values() for given in params))))
    workers = find_workers(options.n_jobs)
    watch = ThreadWatch()
    with ExitStack() as opened:
        store: Any = None
        find: Any = None
        if options.store is not None:
            store = KeptFits(work, options, splits, plan.X, plan.y, plan.groups)
            find = opened.enter_context(store).find
        found = run_fits(
            work,
            plan.X,
            plan.y,
            splits,
            rounds(log.records),
            workers=workers,
            pre_dispatch=options.pre_dispatch,
            watch=watch,
            find=find,
        )
        if files:
            found = while_unchanged(found, files)
        try:
            with closing(found):
                for record in with_progress(found, total) if options.verbose else found:
                    if store is not None:
                        store.add(record)
                    log.add(record)
        except (KeyboardInterrupt, FitError) as error:
            error.add_note(f"skcvstats: {log.progress()}{watch.note}")
            raise
        from_store = () if store is None else store.found_estimators
    records = sorted(log.records, key=attrgetter("estimator", "split"))
    return Fits(records, from_store, log.exception, rows)


def _gather_part(plan: FitPlan, fits: Fits, part: PlannedSplits, start: int) -> dict[str, CVScores]:
    """Arrange the scores on the splits of one part, the first of which is `start`, by metric."""
    work = plan.work
    design = part.design
    stop = start + design.n_splits
    records = [record for record in fits.records if start <= record.split < stop]
    if start > 0:
        records = [record._replace(split=record.split - start) for record in records]
    records_of_first = records[: len(records) // len(work.names)]
    provenance = _provenance(plan, part)
    if len(records_of_first) < design.n_splits:
        numbers = [record.split for record in records_of_first]
        design = design.take(numbers)
        provenance["part"] = _identity(plan, part, numbers)
    if design.digests is None:  # as those splits were made by the fits
        digests = tuple(record.digest for record in records_of_first)
        design = SplitDesign._made(**vars(design) | {"digests": digests})
    shape = (len(work.names), design.n_splits)
    fit_times = np.reshape([record.fit_time for record in records], shape)
    score_times = np.reshape([record.score_time for record in records], shape)
    measured_names = {metric.name: metric.measured for metric in work.metrics}
    scores = {}
    for metric in _names_of_metrics(records, work):
        row_scores = fits.rows.part(metric, start, stop)
        values, failures = _values_and_failures(plan, records, metric, shape)
        if row_scores is not None:
            row_scores._check_means(values)
        own_provenance = dict(provenance)
        measured_name = measured_names.get(metric, metric)
        if measured_name != metric:
            own_provenance["measured"] = measured_name
        scores[metric] = CVScores._made(
            values=values,
            design=design,
            labels=work.names,
            metric=metric,
            row_scores=row_scores,
            fit_times=fit_times,
            score_times=score_times,
            failures=failures,
            provenance=own_provenance,
        )
    return scores


def _names_of_metrics(records: Sequence[FitRecord], work: Workload) -> Iterable[str]:
    """Return the names of the metrics, which of a callable only its results may tell."""
    if work.by_name:
        return [metric.name for metric in work.metrics]
    names_of_each = {frozenset(record.scores) for record in records if record.failure is None}
    if len(names_of_each) > 1:
        _refuse_other_metrics(records, work)
    names = dict.fromkeys(chain.from_iterable(record.scores for record in records))
    return names or [work.metrics[0].name]  # as all scoring failed


def _provenance(plan: FitPlan, part: PlannedSplits) -> dict[str, Any]:
    """Return what scores should tell of how they were made."""
    work = plan.work
    unseeded = {}
    for e, name in enumerate(work.names):
        parameters = work.unseeded_parameters(e)
        if parameters:
            unseeded[name] = parameters
    provenance: dict[str, Any] = {
        "scoring": describe(plan.scoring),
        "estimators": dict(zip(work.names, map(describe, work.estimators), strict=True)),
        "unseeded": unseeded,
        "versions": dict(versions()),
    }
    if work.seeds is not None:
        provenance["seed_of_fits"] = work.seeds.seed
    if plan.options.params:
        provenance["params"] = _written(plan.options.params)
    provenance["unseeded_splits"] = part.unseeded
    return provenance


def _identity(plan: FitPlan, part: PlannedSplits, numbers: Sequence[int]) -> dict[str, Any]:
    """Return what tells scores on some of the splits from others, of other data or models."""
    found: dict[str, Any] = {"data": None, "estimators": None}
    with suppress(UnknownContentError):
        keys = make_keys(plan.work, plan.X, plan.y, plan.groups)
        of_models = (None if key is None else key.hex() for key in keys.estimators)
        found["estimators"] = dict(zip(plan.work.names, of_models, strict=True))
        found["data"] = keys.data.hex()
    whole = replace(part.design, digests=None)._to_plain()
    return {"splits": numbers, "design": whole, "identity": part.identity, **found}


def _written(params: Mapping[str, Any]) -> str:
    """Write parameters in one line, arrays by their shape."""
    written = []
    for name, value in params.items():
        try:
            shape = np.shape(getattr(value, "values", value))
            text = f"array of shape {shape}" if shape else one_line(value)
        except ValueError:  # parts of different lengths, as of an eval_set
            text = f"{type(value).__name__} of length {len(value)}"
        written.append(f"{name}={text}")
    return ", ".join(written)


def _values_and_failures(
    plan: FitPlan, records: Sequence[FitRecord], metric: str, shape: tuple[int, int]
) -> tuple[np.ndarray, tuple[tuple[int, int, str], ...]]:
    """Return the scores of fits in a metric, and where and why scores are missing."""
    values = np.reshape([record.scores.get(metric, np.nan) for record in records], shape)
    if np.isfinite(values).all():
        return values, ()
    failed_fits = plan.work.failures
    if not failed_fits.are_raised:
        is_missing = np.reshape([metric not in record.scores for record in records], shape)
        values[is_missing] = failed_fits.score
    return values, tuple(_failures(records, metric, plan.undefined))


def _failures(
    records: Sequence[FitRecord], metric: str, undefined: Sequence[Undefined]
) -> Iterator[tuple[int, int, str]]:
    """Yield the estimator, the position of the split and the cause of each missing score."""
    places = {k: at for at, k in enumerate(dict.fromkeys(record.split for record in records))}
    facts = [each.fact for each in undefined if each.metric == metric and not each.is_few]
    for record in records:
        if metric not in record.scores:
            yield record.estimator, places[record.split], cause(record)
        elif facts and not np.isfinite(record.scores[metric]):
            yield record.estimator, places[record.split], facts[0]


def _refuse_other_metrics(records: Sequence[FitRecord], work: Workload) -> None:
    """Raise ValueError as the results of a callable have different names on different splits."""
    whole = [record for record in records if record.failure is None]
    other = next(record for record in whole if record.scores.keys() != whole[0].scores.keys())
    one, another = (
        f"{listed(each.scores)} for {work.names[each.estimator]!r}, split {each.split}"
        for each in (whole[0], other)
    )
    raise ValueError(
        f"scoring gave {one}, and {another}. It must give the same metrics for every "
        "estimator and split; return nan for one that cannot be computed."
    )


def report_failures(plan: FitPlan, fits: Fits) -> None:
    """Warn about failed fits, or raise an error if all failed."""
    records = fits.records
    work = plan.work
    failed = [record for record in records if record.failure is not None]
    if work.failures.as_sklearn:
        scored = [record for record in failed if record.is_fitted]
        failed = [record for record in failed if not record.is_fitted]
        if scored:  # in scikit-learn's words
            warn_user(
                "Scoring failed. The score on this train-test partition for these parameters will "
                f"be set to {work.failures.score}. Details: \n"
                f"{_by_cause(scored, plan, records)}"
            )
    if not failed:
        return
    details = _by_cause(failed, plan, records)
    count = f"{len(failed)} of {len(records)} fits or their scoring failed"
    if len(failed) == len(records) and not any(record.scores for record in failed):
        raise FitError(f"{count}.\n{details}") from fits.exception
    warn_user(f"{count}; their scores are {work.failures.score}.\n{details}", FitFailedWarning)


def _by_cause(failed: Sequence[FitRecord], plan: FitPlan, records: Sequence[FitRecord]) -> str:
    """List failures of some of the fits, a line for each estimator and cause."""
    n_all = Counter(record.estimator for record in records)
    names = plan.work.names
    n_splits = plan.parts[0].design.n_splits
    causes: dict[str, list[FitRecord]] = {}
    for record in failed:
        kind = re.sub(_VALUES, "*", record.message)
        causes.setdefault(f"{record.estimator} {kind}", []).append(record)
    return "\n".join(
        f"  {names[group[0].estimator]!r}: {_cause_and_remedy(group[0])} "
        f"({_splits([record.split for record in group], n_splits, n_all[group[0].estimator])})"
        for group in causes.values()
    )


def stop_at_first(record: FitRecord, plan: FitPlan, total: int) -> None:
    """Raise FitError as the first fit of an estimator failed."""
    work = plan.work
    name = work.names[record.estimator]
    several = len(work.metrics) > 1 if record.scores else len(work.names) > 2
    drop = or_drop("it", several and plan.options.can_drop)
    raise FitError(
        f"The first fit of {name!r} or its scoring failed, so the {total} fits were stopped: "
        f"{_cause_and_remedy(record)}. Fix the cause{drop}."
    ) from record.exception


def cause(record: FitRecord) -> str:
    """Return why a fit failed, in one line of limited length."""
    error = " ".join(record.message.split())
    if len(error) > 3 * _CAUSE_END:  # arrays in the middle do not help; the remedy is at the end
        error = f"{error[:_CAUSE_END]} [...] {error[-_CAUSE_END:]}"
    return error


def _cause_and_remedy(record: FitRecord) -> str:
    """Return why a fit failed and what to do, if that is known, without the last full stop."""
    return f"{cause(record).rstrip('.')}. {hint_for(record.message)}".rstrip(". ")


def _splits(numbers: Sequence[int], n_splits: int, n_all: int) -> str:
    if len(numbers) == n_all:
        return "all splits" if n_all > 1 else "the only split"
    shown = [str(k) if k < n_splits else f"auxiliary {k - n_splits}" for k in numbers]
    return f"split{'s' * (len(shown) > 1)} {first_of(shown, _MOST_SPLITS)}"
