"""What is known of a call, for the functions that look for notes."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import Any, Self

import numpy as np

from .._utils._arrays import Floats
from .._utils._checks import listed
from .._utils._date_columns import TimeColumn, time_column
from .._utils._text import called, cut
from ..fitting import Fits, Metric, Splits, TargetLabels, count_units, parts_of
from ..scores import (
    CVScores,
    DesignRequest,
    Facts,
    MissingEvidenceError,
    Note,
    RowScores,
    SplitDesign,
)
from ..splitters import encode_labels
from ..stats import Inference, Procedure
from ._columns import Column, read_columns
from ._dummies import best_constant, constants_of, fit_best_constant
from ._heard import FitWarning, read_models_of_labels, read_warnings

_OF_FITS = "overfitted, overconfident, or are rows of X and y in different orders"


class Evidence(Facts):
    """What a call knows before its fits; what follows from it is computed once, when asked for."""

    estimators: Mapping[str, Any]
    y: Any
    groups: Any
    tables: Mapping[str, Any]  # that may have dates or names of subjects, by their argument
    # Of predictions or scores that were passed: whether models are known to be trained on rows from
    # after their test rows.
    has_later_training_rows: bool = False
    design: SplitDesign
    request: DesignRequest | None  # by which the splits were drawn, None for those of a splitter
    n_splits: int
    seed_of_fits: int | None  # None for fits without fresh seeds
    fit_params: Mapping[str, Any]
    metrics: Sequence[Metric]
    procedures: Mapping[str, Procedure]  # of each metric
    weights: Mapping[str, Any]  # of the rows, for each metric that has some
    splits: Splits
    score_params: Mapping[str, Any]  # of the scorers
    may_fail: bool  # whether fits may, as in scikit-learn

    @classmethod
    def of_fits(cls, plan: Any) -> Self:
        """Return what a plan of fits knows."""
        work = plan.work
        main_splits = plan.parts[0]
        return cls(
            estimators=dict(zip(work.names, work.estimators, strict=True)),
            y=plan.y,
            groups=plan.routed.split.get("groups"),
            tables={"X": plan.X, "y": plan.y},
            design=main_splits.design,
            request=main_splits.request,
            n_splits=main_splits.design.n_splits,
            seed_of_fits=None if work.seeds is None else work.seeds.seed,
            fit_params=plan.options.given,
            metrics=work.metrics,
            procedures=plan.procedures,
            weights=plan.routed.weights,
            splits=main_splits.splits,
            score_params=plan.routed.score,
            may_fail=work.failures.as_sklearn,
        )

    @cached_property
    def columns(self) -> list[Column]:
        """The columns that may have dates or names of subjects, if no groups were passed."""
        if self.groups is not None:
            return []
        return read_columns(self.tables)

    @cached_property
    def parts(self) -> dict[str, list[Any]]:
        """Each model with all estimators in it."""
        return parts_of(self.estimators)

    @cached_property
    def columns_of_dates(self) -> list[Column]:
        return [column for column in self.columns if column.are_dates]

    @cached_property
    def time_column(self) -> TimeColumn | None:
        """The column of X with the times of the rows, where its index has no dates."""
        try:
            return time_column(self.tables["X"])
        except ValueError:  # as several may
            return None

    @cached_property
    def labels(self) -> TargetLabels:
        """The classes of y, and which of them each row has."""
        labels = TargetLabels.read(self.y)
        if not len(labels.classes):
            raise MissingEvidenceError("labels")
        return labels

    @cached_property
    def class_counts(self) -> np.ndarray:
        """How many rows, or groups, each class of y has."""
        groups = None
        if self.design.unit == "groups":
            groups = encode_labels("groups", self.groups)
        return count_units(self.labels.codes, groups, len(self.labels.classes))


class FitsEvidence:
    """What is known of a call and of its fits."""

    def __init__(self, shared: Evidence, fits: Fits) -> None:
        self.shared = shared
        self.records = fits.records
        self.from_store = fits.from_store

    def __getattr__(self, name: str) -> Any:
        return getattr(self.shared, name)

    @cached_property
    def models_of_labels(self) -> dict[str, list[str]]:
        """The models whose predictions are labels, for each metric that needs more."""
        return read_models_of_labels(self.records, list(self.shared.estimators))

    @cached_property
    def warnings(self) -> list[FitWarning]:
        """The warnings that fits gave, each kind once."""
        return read_warnings(self.records, list(self.shared.estimators))


@dataclass(frozen=True)
class LabelsEvidence:
    """The models whose predictions are labels, though a metric needs more."""

    metric: Metric
    names: Sequence[str]


class MetricEvidence:
    """What is known of a call and one of its metrics."""

    metric: Metric
    procedure: Procedure

    def __init__(self, shared: Evidence, metric: Metric) -> None:
        self.shared = shared
        self.metric = metric
        self.procedure = shared.procedures[metric.name]

    @property
    def weights(self) -> Any:
        """The weights of the rows, None where the metric has none."""
        return self.shared.weights.get(self.metric.name)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.shared, name)


class ScoresEvidence:
    """What is known of a call and of its scores in one metric."""

    scores: CVScores
    of_rows: Any  # RowScores, or SomeRows of a test set; None if there are none
    noted: Sequence[Note] = ()  # on these scores so far
    predicted: Sequence[np.ndarray]  # by each model on one test set, or its losses
    table: Any = None  # X of that test set
    metric: Metric
    of_classes: bool | None  # whether the target is; None if that is not known
    judged: Metric  # for which labels were predicted
    # Returns the rows that were tested and the number of the class that each model predicted.
    predicted_of: Callable[[Metric, CVScores, np.ndarray], tuple[np.ndarray, np.ndarray]]
    stamps: Any  # the dates of all rows, None where there are none
    splits: Iterable[Any] = ()  # on whose training rows constants are made
    sample_weight: Any = None  # of the rows, for the metric
    errors: Callable[[CVScores], Any] | None = None  # makes standard errors on a test set
    # Tells whether a model of a test set, by its number, is significantly better than a constant.
    is_ahead: Callable[[int, float, Callable[[], Any]], bool] | None = None
    hint: str = _OF_FITS

    def __init__(self, shared: Evidence, **facts: Any) -> None:
        self.shared = shared
        vars(self).update(facts)

    def __getattr__(self, name: str) -> Any:
        if name in ScoresEvidence.__annotations__:
            raise MissingEvidenceError(name)
        return getattr(self.shared, name)

    @cached_property
    def constants(self) -> tuple[float, float]:
        """The lowest and the highest score of constants, nan if they have none."""
        return self.constants_on(self.y, self.y)

    @cached_property
    def best_constant(self) -> float:
        """The highest score of constants, nan if they have none."""
        return best_constant(self.metric, self.y, self.of_classes, self.sample_weight)

    def fit_best_constant(self) -> Any:
        """Return the constant with the highest score, fitted on the targets."""
        return fit_best_constant(self.metric, self.y, self.of_classes, self.sample_weight)

    @cached_property
    def constant_name(self) -> str:
        """What the best constant predicts, as far as it is a class."""
        if self.of_classes and np.ndim(self.y) == 1:
            with suppress(TypeError):  # of labels that cannot be sorted
                (label,) = self.fit_best_constant().predict([[0]]).tolist()
                return cut(f"always {label!r}", 40)
        return "a constant prediction"

    def constants_on(self, known: Any, tested: Any) -> tuple[float, float]:
        """Return the lowest and the highest score of constants made of known targets."""
        return constants_of(self.metric, known, tested, self.of_classes, self.sample_weight)

    def name(self, where: Any) -> tuple[tuple[str, ...], str]:
        """Return the names of marked models, none where scores have no names, and their list."""
        about = tuple(compress(self.scores.labels, where))
        return about, listed(map(called, about or ("the model",)))

    @property
    def provenance(self) -> Mapping[str, Any]:
        """Where the scores come from, with the score of a constant where there is one."""
        if "metric" not in vars(self):
            return self.scores.provenance
        if np.isnan(self.best_constant):
            return self.scores.provenance
        known = {**self.scores.provenance, "score of a constant": float(self.best_constant)}
        if self.of_classes:
            known["constant"] = self.constant_name
        return known


def means_of_units(scores: RowScores) -> Iterator[Floats]:
    """Yield the mean scores of each model on tested rows, or groups: one after the other."""
    units = scores.rows
    if scores.groups is not None:
        units = scores.groups[units]
    counts = np.bincount(units)
    is_tested = counts > 0
    for of_model in np.atleast_2d(scores.values):
        yield np.bincount(units, of_model)[is_tested] / counts[is_tested]


class PassedEvidence(Facts):
    """What is known of predictions and finished scores that were passed."""

    negated_metric: str
    moved: Sequence[str]  # tables whose rows were put into the order of another
    in_order_of: str
    lacking: Mapping[str, np.ndarray]  # whether each model lacks each row
    n_kept: int  # rows that all models have
    score_on: Callable[[str, np.ndarray], str]  # of a model on some rows; empty if there is none
    unseen: Mapping[str, int]  # the number of rows in which a model predicts an unknown class
    of_second: Sequence[str]  # models whose numbers are taken for those of the second label
    labels: np.ndarray  # of the target
    n_folds: int  # of out-of-fold predictions


class OverRowsEvidence(Facts):
    """What is known of scores over all out-of-fold rows, beside those of folds."""

    metric_name: str
    labels: Sequence[str]
    over_rows: np.ndarray
    inference: Inference
