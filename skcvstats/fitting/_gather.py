"""Make the planned fits, turn them into the CVScores of each metric, and report what failed."""

import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from itertools import chain, product
from math import isfinite
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from sklearn.exceptions import FitFailedWarning

from .._utils._arrays import one_output
from .._utils._checks import listed, n_rows, one_line
from .._utils._documents import versions
from .._utils._progress import with_progress
from .._utils._text import counted, cut, first_of
from .._utils._warn import FILTERS, warn_user
from ..exceptions import FitError
from ..scores import CVScores, MissingEvidenceError, Note, RowScores, SplitDesign, largest_of
from ..stats import Procedure, Reason, check_complete, find_folds
from ._choice import Choice, procedures_of, untested
from ._content import UnknownContentError
from ._fit import FitOptions, FitRecord, Routed, Workload
from ._hints import hint_for, or_drop
from ._labels import Undefined
from ._metrics import Metric, describe, measured_name
from ._run import ThreadWatch, find_workers, mapped_files, run_fits, while_unchanged
from ._splits import PlannedSplits, Splits
from ._store import KeptFits, NothingKept, make_keys

_LONGEST_CAUSE = 1200  # of longer ones, such as arrays, the middle does not help
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
    # Why some metrics have no scores of rows.
    without_rows: Mapping[str, Reason] = field(default_factory=dict)
    over_rows: Mapping[str, np.ndarray] = field(default_factory=dict)  # of all out-of-fold rows
    exception: Exception | None = None
    rows: Any = None  # where slices of rows are scored, too

    def check_complete(self) -> None:
        """Raise FitError if a score is missing, from the exception of the first failed fit."""
        try:
            check_complete(self.scores, self.auxiliary)
        except FitError as error:
            raise error from self.exception

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
        return _fit_rounds(self, splits, lambda _: [pairs], total=len(pairs))

    def fit_in_rounds(self, rounds: Rounds) -> "Fits":
        """Fit (split, estimator) pairs in rounds, each planned from all records before it."""
        total = len(self.work.names) * self.parts[0].design.n_splits
        return _fit_rounds(self, self.parts[0].splits, rounds, total=total)

    def gather(self, fits: "Fits") -> Measured:
        """Arrange the scores of fits by metric."""
        rows = fits.rows
        measured = []
        start = 0
        for part in self.parts:
            measured.append(_gather_part(self, fits, part, start))
            start += part.design.n_splits
        measured.append({})  # without auxiliary splits there are no scores on them
        return Measured(
            scores=measured[0],
            auxiliary=measured[1],
            lost=self.lost,
            without_rows=rows.lacking,
            over_rows=rows.over_rows(),
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
        shape = (len(plan.work.names), self._ends[-1])
        self.values = _unknown_arrays(self._scoring.metrics, shape)
        self.predictions = _unknown_arrays(self._scoring.predicted_metrics, shape)
        self.lacking: dict[str, Reason] = {}  # why some metrics have no scores of rows

    def add(self, record: FitRecord) -> None:
        """Take the scores of rows of the next fit."""
        if not record.row_scores:
            return
        e = record.estimator
        k = record.split
        test_set = slice(self._ends[k], self._ends[k + 1])
        order = np.argsort(self._tests[k], kind="stable")
        for name, predictions in record.predictions.items():
            self.predictions[name][e, test_set] = predictions[order]
        for name, scores in record.row_scores.items():
            self.values[name][e, test_set] = scores[order]
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

    def part(self, metric: str, start: int, stop: int, means: np.ndarray) -> RowScores | None:
        """Return the scores of rows on some of the splits, None where they are not known."""
        if metric not in self.values or metric in self.lacking:
            return None
        ends = self._ends[start : stop + 1]
        all_values = self.values[metric]
        all_values.flags.writeable = False
        values = all_values[:, ends[0] : ends[-1]]
        rows = self._rows(start, stop)
        row_scores = RowScores._made(
            values=values,
            rows=rows,
            offsets=ends - ends[0],
            magnitude=largest_of(values),
            groups=self._scoring.groups,
            times=self._plan.parts[0].row_times,
            weights=self._scoring.weights_of(metric, rows),
        )
        row_scores._check_means(means)
        return row_scores

    def over_rows(self) -> dict[str, np.ndarray]:
        """Return the metrics over all out-of-fold rows, the mean of repeats, for each estimator."""
        over_rows = {}
        for metric in self._plan.work.metrics:
            if metric.name in self.predictions and metric.name not in self.lacking:
                # Splits that are no folds raise an error, and so may the metric; then a note on
                # these values is not possible.
                with suppress(Exception), FILTERS, warnings.catch_warnings(action="ignore"):
                    over_rows[metric.name] = self._over_rows(metric)
        return over_rows

    def predicted_of(
        self, metric: Metric, scores: CVScores, codes: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the rows that were tested, and which of two classes each model predicted.

        MissingEvidenceError is raised where that is not known.
        """
        rows = scores.row_scores
        predicted = self.predictions.get(metric.name)
        if rows is None:
            raise MissingEvidenceError("predictions")
        tested = rows.rows
        if predicted is None:  # of accuracies the scores of rows tell it
            is_right = np.atleast_2d(rows.values)
            return tested, np.where(is_right == 1, codes[tested], 1 - codes[tested])
        highest = predicted.max()
        return tested, (predicted[:, : len(tested)] == highest).astype(int)

    def predicted(self, metric: Metric) -> np.ndarray:
        """Return what each model predicted of the tested rows; text as it was."""
        predictions = self.predictions[metric.name]
        if np.isnan(predictions).any():
            raise ValueError(f"{metric.name} is of predictions that are not one number a row.")
        if self._scoring.classes is not None and metric.responses == ("predict",):
            return np.asarray(self._scoring.classes[predictions.astype(int)])
        return predictions

    def _over_rows(self, metric: Metric) -> np.ndarray:
        """Return a metric over all out-of-fold rows."""
        plan = self._plan
        predictions = self.predicted(metric)
        values = np.full(len(predictions), np.nan)
        y = one_output(plan.y)
        weights = plan.routed.weights.get(metric.name)
        folds = find_folds(self._rows(0, None), self._ends, n_rows(plan.X), who="")
        for e, predicted in enumerate(predictions):
            runs = predicted[folds.positions]
            values[e] = np.mean([metric.function.measure(y, run, weights) for run in runs])
        return values


def _unknown_arrays(metrics: Sequence[str], shape: tuple[int, int]) -> dict[str, np.ndarray]:
    """Return an array of nan for each metric."""
    return dict(zip(metrics, np.full((len(metrics), *shape), np.nan), strict=True))


class Fits(NamedTuple):
    """What the fits of a call gave."""

    records: list[FitRecord]  # in the order of estimators and splits, without exceptions
    from_store: Sequence[str]  # the estimators with fits from a store
    exception: Exception | None  # of the first failure
    rows: _RowTable


class _FitLog:
    """The records of the fits of a call as they come, and the exception of the first failure."""

    def __init__(self, plan: FitPlan, total: int) -> None:
        self.records: list[FitRecord] = []
        self.exception: Exception | None = None
        self.rows = _RowTable(plan)
        self._plan = plan
        self._total = total
        self._place: tuple[float, ...] = (np.inf,)  # of the first failure
        as_sklearn = plan.work.failures.as_sklearn
        self._may_be_losses = not as_sklearn and not all(
            isinstance(metric.given, str) for metric in plan.work.metrics
        )

    def add(self, record: FitRecord) -> None:
        """Keep the next record, or raise an error that ends the call."""
        self.records.append(record.without_rows())
        if record.has_failed:
            self._add_failure(record)
        self.rows.add(record)
        if self._may_be_losses:
            self._plan.work.refuse_losses(record.scores)

    def _add_failure(self, record: FitRecord) -> None:
        """Keep the exception of a failure if it is the first, auxiliary splits last."""
        plan = self._plan
        is_auxiliary = record.split >= plan.parts[0].design.n_splits
        place = (is_auxiliary, record.estimator, record.split)
        if place < self._place:
            self._place = place
            self.exception = record.failure.exception
        goes_on = plan.options.on_error != "raise" or plan.work.failures.as_sklearn
        if record.split == 0 and not goes_on:
            stop_at_first(record, plan, self._total)

    def progress(self) -> str:
        """Say how many fits were finished."""
        names = self._plan.work.names
        n_done = Counter(names[record.estimator] for record in self.records)
        counts = ", ".join(f"{name} {n_done[name]}" for name in names)
        return f"{len(self.records)} of {self._total} fits were finished ({counts})"


def _fit_rounds(plan: FitPlan, splits: Splits, rounds: Rounds, *, total: int) -> Fits:
    """Fit (split, estimator) pairs in rounds, each planned from all records before it."""
    work = plan.work
    options = plan.options
    log = _FitLog(plan, total)
    files = mapped_files((plan.X, plan.y, *options.given.values()))
    workers = find_workers(options.n_jobs)
    watch = ThreadWatch()
    kept: Any = NothingKept()
    if options.store is not None:
        kept = KeptFits(work, options, splits, plan.X, plan.y, plan.groups)
    with kept as store:
        records = run_fits(
            work,
            plan.X,
            plan.y,
            splits,
            rounds(log.records),
            workers=workers,
            pre_dispatch=options.pre_dispatch,
            watch=watch,
            find=store.find,
        )
        records = while_unchanged(records, files)
        try:
            with closing(records):
                for record in with_progress(records, total, options.verbose):
                    store.add(record)
                    log.add(record)
        except (KeyboardInterrupt, FitError) as error:
            error.add_note(f"skcvstats: {log.progress()}{watch.note}")
            raise
        in_order = sorted(log.records, key=attrgetter("estimator", "split"))
    return Fits(in_order, store.found_estimators, log.exception, log.rows)


def _gather_part(plan: FitPlan, fits: Fits, part: PlannedSplits, start: int) -> dict[str, CVScores]:
    """Arrange the scores on the splits of one part, from split `start` on, by metric."""
    work = plan.work
    design = part.design
    stop = start + design.n_splits
    records = [
        record._replace(split=record.split - start)
        for record in fits.records
        if start <= record.split < stop
    ]
    records_of_first = records[: len(records) // len(work.names)]
    provenance = _provenance(plan, part)
    if len(records_of_first) < design.n_splits:
        numbers = [record.split for record in records_of_first]
        design = design.take(numbers)
        provenance["part"] = _identity(plan, part, numbers)
    if design.digests is None:  # these splits were made by the fits
        digests = tuple(record.digest for record in records_of_first)
        design = SplitDesign._made(**vars(design) | {"digests": digests})
    shape = (len(work.names), design.n_splits)
    seconds = np.transpose([(record.fit_time, record.score_time) for record in records])
    fit_times, score_times = seconds.reshape(2, *shape)
    scores = {}
    for metric in _names_of_metrics(records, work):
        scores_of_fits = [record.scores.get(metric, work.failures.score) for record in records]
        values = np.reshape(scores_of_fits, shape).astype(float)
        scores[metric] = CVScores._made(
            values=values,
            design=design,
            labels=work.names,
            metric=metric,
            row_scores=fits.rows.part(metric, start, stop, values),
            magnitude=largest_of(values),
            fit_times=fit_times,
            score_times=score_times,
            failures=tuple(_failures(plan, records, metric, design.n_splits)),
            provenance=provenance | {"measured": measured_name(work.metrics, metric)},
        )
    return scores


def _names_of_metrics(records: Sequence[FitRecord], work: Workload) -> Sequence[str]:
    """Return the names of the metrics; those of a callable are known from its results."""
    if work.by_name:
        return [metric.name for metric in work.metrics]
    found = {frozenset(record.scores): record for record in records if not record.has_failed}
    if not found:
        return [work.metrics[0].name]
    first, *others = found.values()
    if others:
        raise ValueError(
            f"scoring gave {_describe_names(first, work)}, and {_describe_names(others[0], work)}. "
            "It must give the same metrics for every estimator and split; return nan for one that "
            "cannot be computed."
        )
    return list(first.scores)


def _describe_names(record: FitRecord, work: Workload) -> str:
    """List the metrics that a callable returned, for which estimator and split."""
    return f"{listed(record.scores)} for {work.names[record.estimator]!r}, split {record.split}"


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
        written = (f"{name}={cut(one_line(value))}" for name, value in plan.options.params.items())
        provenance["params"] = ", ".join(written)
    provenance["unseeded_splits"] = part.unseeded
    return provenance


def _identity(plan: FitPlan, part: PlannedSplits, numbers: Sequence[int]) -> dict[str, Any]:
    """Return what tells scores on some of the splits from others, of other data or models."""
    data_key = None
    model_keys = None
    with suppress(UnknownContentError):
        keys = make_keys(plan.work, plan.X, plan.y, plan.groups)
        keys_as_text = (None if key is None else key.hex() for key in keys.estimators)
        model_keys = dict(zip(plan.work.names, keys_as_text, strict=True))
        data_key = keys.data.hex()
    return {
        "splits": numbers,
        "design": replace(part.design, digests=None)._to_plain(),
        "identity": part.identity,
        "data": data_key,
        "estimators": model_keys,
    }


def _failures(
    plan: FitPlan, records: Sequence[FitRecord], metric: str, n_splits: int
) -> Iterator[tuple[int, int, str]]:
    """Yield the estimator, the position of the split and the cause of each missing score."""
    for i, record in enumerate(records):
        place = (record.estimator, i % n_splits)
        if metric not in record.scores:
            yield *place, cause(record)
        elif not isfinite(record.scores[metric]):
            for undefined in plan.undefined:
                if undefined.metric == metric and not undefined.is_few:
                    yield *place, undefined.fact
                    break


def report_failures(plan: FitPlan, fits: Fits) -> None:
    """Warn about failed fits, or raise an error if all failed."""
    records = fits.records
    work = plan.work
    failed = [record for record in records if record.has_failed]
    if work.failures.as_sklearn:
        scored = [record for record in failed if not record.failure.in_fit]
        failed = [record for record in failed if record.failure.in_fit]
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
    if len(failed) == len(records) and not any(map(attrgetter("scores"), failed)):
        raise FitError(f"{count}.\n{details}") from fits.exception
    warn_user(f"{count}; their scores are {work.failures.score}.\n{details}", FitFailedWarning)


def _by_cause(failed: Sequence[FitRecord], plan: FitPlan, records: Sequence[FitRecord]) -> str:
    """List failures of some of the fits, a line for each estimator and cause."""
    n_all = Counter(record.estimator for record in records)
    names = plan.work.names
    n_splits = plan.parts[0].design.n_splits
    causes: dict[tuple[int, str], list[FitRecord]] = {}
    for record in failed:
        kind = re.sub(_VALUES, "*", record.failure.message)
        causes.setdefault((record.estimator, kind), []).append(record)
    return "\n".join(
        f"  {names[group[0].estimator]!r}: {_cause_and_remedy(group[0], plan.X)} "
        f"({_splits([record.split for record in group], n_splits, n_all[group[0].estimator])})"
        for group in causes.values()
    )


def stop_at_first(record: FitRecord, plan: FitPlan, total: int) -> None:
    """Raise FitError as the first fit of an estimator failed."""
    work = plan.work
    name = work.names[record.estimator]
    is_one_of_several = len(work.metrics) > 1 if record.scores else len(work.names) > 2
    drop = or_drop("it", is_one_of_several and plan.options.can_drop)
    first = f"The first fit of {name!r} or its scoring failed, so the {total} fits were stopped"
    if np.ndim(plan.X[:1]) == 1 and np.ndim(plan.y) == 2:
        n_columns = counted(np.shape(plan.y)[1], "column")
        first = f"X and y may be swapped: X has one dimension, and y has {n_columns}. {first}"
    raise FitError(
        f"{first}: {_cause_and_remedy(record, plan.X)}. Fix the cause{drop}."
    ) from record.failure.exception


def cause(record: FitRecord) -> str:
    """Return why a fit failed: the type and the first line of the error, of limited length."""
    first_line = record.failure.message.partition("\n")[0]
    error = " ".join(first_line.split())
    return cut(error, _LONGEST_CAUSE)


def _cause_and_remedy(record: FitRecord, X: Any) -> str:
    """Return why a fit failed and what to do, if that is known, without the last full stop."""
    hint = hint_for(record.failure.message, X)
    return f"{cause(record).rstrip('.')}. {hint}".rstrip(". ")


def _splits(numbers: Sequence[int], n_splits: int, n_all: int) -> str:
    """Write the splits on which an estimator failed, of `n_all` on which it was fitted."""
    if len(numbers) == n_all:
        return "all splits"
    shown = [str(k) if k < n_splits else f"auxiliary {k - n_splits}" for k in numbers]
    return f"split{'s' * (len(shown) > 1)} {first_of(shown, _MOST_SPLITS)}"
