"""Make FitRecords from closed forms: what refits would have measured."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from skcvstats.fitting import FitRecord, Splits, Workload
from skcvstats.fitting._fit import score_fitted

from ._base import Answers, FastModel, as_fitted
from ._batch import Batch, batches
from ._data import Data
from ._metrics import CLASSIFICATION, REGRESSION, Metric, score_all
from ._registry import closed_form


def records(work: Workload, X: Any, y: Any, splits: Splits) -> Iterator[FitRecord]:
    """Yield the records of those fits that a closed form makes unnecessary."""
    n_splits = len(splits)
    by_response = all(isinstance(m.given, str) or m.is_scorer for m in work.metrics)
    if y is None or not by_response:
        return
    data = Data(X, y)
    producers = []
    for e, estimator in enumerate(work.estimators):
        started = time.perf_counter()
        model = closed_form(estimator, data, work.fit_params[e])
        if model is not None:
            seconds = (time.perf_counter() - started) / n_splits
            producers.append(_Producer(X, y, work, e, model, data, seconds))
    if not producers:
        return
    for batch in batches(splits, n_splits, data.n_rows):
        for producer in producers:
            yield from producer.records(batch)
        del batch  # free it before the next one is made


@dataclass(frozen=True)
class _Producer:
    """Computes and scores the predictions of one closed form, batch by batch."""

    X: Any
    y: Any
    work: Workload
    e: int
    model: FastModel
    data: Data
    seconds: float

    def records(self, batch: Batch) -> Iterator[FitRecord]:
        """Yield the records of the splits with predictions by the closed form."""
        started = time.perf_counter()
        try:
            with np.errstate(all="ignore"):  # splits without finite answers are refitted
                answers = self.model.answer(batch)
        except np.linalg.LinAlgError:
            return
        answers = replace(answers, found=answers.found & ~self._is_flat(batch))
        if not answers.found.any():
            return
        answered = time.perf_counter()
        metrics = self._metrics()
        scores = [None] * len(batch) if metrics is None else self._scores(metrics, batch, answers)
        fit_time = self.seconds + (answered - started) / len(batch)
        score_time = (time.perf_counter() - answered) / len(batch)
        e, each = (
            self.e,
            zip(batch.numbers, batch.splits, answers.found.tolist(), scores, strict=True),
        )
        for i, (k, split, found, score) in enumerate(each):
            if found and score is not None:
                yield FitRecord(e, k, score, {}, fit_time, score_time, digest=split.digest)
            elif found:
                yield from self._by_scorer(batch, i, answers, fit_time)

    def _is_flat(self, batch: Batch) -> np.ndarray:
        """Mark splits with the same target for all test rows: there r2 depends on rounding."""
        if self.model.classes is not None:
            return np.zeros(len(batch), dtype=bool)
        y = self.data.true(None)[batch.test]
        starts = batch.offsets[:-1]
        flat = np.minimum.reduceat(y, starts) == np.maximum.reduceat(y, starts)
        flat = flat if flat.ndim == 1 else flat.any(axis=1)
        return flat & (np.diff(batch.offsets) > 1)

    def _metrics(self) -> dict[str, Metric] | None:
        """Return the metrics if all of them can be computed for all splits at once."""
        known = REGRESSION if self.model.classes is None else CLASSIFICATION
        metrics = {metric.name: metric.given for metric in self.work.metrics}
        if self.work.row_metrics or self.work.score_params:
            return None
        if not all(isinstance(m, str) and m in known for m in metrics.values()):
            return None
        return {label: known[name] for label, name in metrics.items()}

    def _scores(
        self, metrics: Mapping[str, Metric], batch: Batch, answers: Answers
    ) -> Sequence[dict[str, float] | None]:
        """Return the scores of each split, None if scikit-learn has to compute them."""
        true = self.data.true(self.model.classes)
        with np.errstate(all="ignore"):
            values = score_all(batch, true, answers.predict, metrics)
        finite = np.isfinite(values).all(axis=0).tolist()
        return [
            dict(zip(metrics, row)) if good else None  # noqa: B905 made equally long above
            for row, good in zip(values.T.tolist(), finite, strict=True)
        ]

    def _by_scorer(
        self, batch: Batch, i: int, answers: Answers, fit_time: float
    ) -> Iterator[FitRecord]:
        """Score by the scorer; if it fails, the split is refitted, which shows the error."""
        started = time.perf_counter()
        split = batch.splits[i]
        fitted = as_fitted(answers, self.model.classes, slice(*batch.offsets[i : i + 2]))
        try:
            found = score_fitted(fitted, self.X, self.y, self.work, self.e, split)
        except Exception:
            return
        if not found.failure.message:
            yield FitRecord(
                estimator=self.e,
                split=batch.numbers[i],
                fit_time=fit_time,
                score_time=time.perf_counter() - started,
                digest=split.digest,
                **found._asdict(),
            )
