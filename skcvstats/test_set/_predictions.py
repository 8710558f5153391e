"""Check the predictions for one test set, put them into one order, and prepare them for scorers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sklearn
from sklearn.metrics import get_scorer, make_scorer

from .._utils._arrays import check_unmasked, missing_in
from .._utils._checks import distinct, n_rows
from ..fitting import (
    RULES,
    check_names,
    describe,
    is_scorer,
    metric_name,
    stated_responses,
    unknown_labels,
    versions,
)
from ..scores import target_digest
from ..stats import read_weights
from ._alignment import align_rows
from ._stored import PREDICT, is_estimator, rows_of, store


@dataclass(frozen=True, eq=False)
class TestSet:
    """Predictions of all runs of all models, checked and in one order."""

    __test__ = False

    y: np.ndarray
    labels: tuple[str, ...]
    runs: tuple[Any, ...]
    owners: tuple[int, ...]
    scorer: Any
    metric: str
    named: str | None
    classes: np.ndarray | None
    groups: Any
    weights: np.ndarray | None

    @property
    def n_rows(self) -> int:
        """Of the test set."""
        return len(self.y)

    def facts(self, **more: Any) -> dict[str, Any]:
        """Return the arguments that all scores are made with."""
        return {
            "labels": self.labels,
            "metric": self.metric,
            "y_digest": target_digest(self.y),
            "provenance": {
                "scoring": describe(self.named or self.scorer),
                "versions": dict(versions()),
                **more,
            },
        }


def read_test_set(
    y_true: Any, predictions: Any, metric: Any, groups: Any, sample_weight: Any, X: Any
) -> TestSet:
    """Check predictions, and put all that is given for the rows into one order.

    Rows of weight 0 are left out.
    """
    _check_metric(metric)
    named = metric if isinstance(metric, str) else None
    scorer, wanted = _scorer_of(metric)
    given = _by_name(predictions, y_true)
    more = {"groups": groups, "sample_weight": sample_weight} | ({} if X is None else {"X": X})
    aligned = align_rows({"y_true": y_true, **_arrays(given), **more})
    for name, part in aligned.items():
        check_unmasked(name, part)
    y = _target(aligned["y_true"])
    weights = read_weights(aligned["sample_weight"], len(y))
    counts = slice(None) if weights is None else weights > 0
    _check_target(y[counts], named)
    _check_labels(y[counts], named)
    classes = _classes(y, wanted, named, scorer)
    runs = {
        (name, run): store(
            name,
            aligned.get(_what(name, run, len(parts)), part),
            wanted,
            classes,
            len(y),
            aligned.get("X"),
        )
        for name, parts in given.items()
        for run, part in enumerate(parts)
    }
    names = list(given)
    groups = aligned["groups"]
    return TestSet(
        y=y[counts],
        labels=tuple(names),
        runs=tuple(rows_of(run, counts) for run in runs.values()),
        owners=tuple(names.index(name) for name, _ in runs),
        scorer=scorer,
        metric=_scorer_name(metric) if is_scorer(metric) else metric_name(metric),
        named=named,
        classes=classes,
        groups=None if groups is None else np.asarray(groups)[counts],
        weights=None if weights is None else weights[counts],
    )


def _check_metric(metric: Any) -> None:
    """Raise ValueError unless the metric is a callable or a single metric of scikit-learn."""
    if not isinstance(metric, str) and not callable(metric):
        raise ValueError(
            f"metric={metric!r} must be one metric: its name in scikit-learn, what make_scorer "
            "makes, or a function metric(y_true, y_pred). For several, call once for each."
        )
    try:
        check_names(metric)
    except ValueError as error:
        raise ValueError(str(error).replace("scoring=", "metric=")) from None


def _scorer_of(metric: Any) -> tuple[Any, tuple[str, ...]]:
    """Return the scorer of a metric, and which responses it takes."""
    if not isinstance(metric, str) and not is_scorer(metric):
        return _as_scorer(metric), (PREDICT,)
    scorer, wanted = get_scorer(metric), stated_responses(metric)
    if wanted is None:
        raise ValueError(
            f"metric={describe(metric)}: scikit-learn {sklearn.__version__} does not state whether "
            "it takes labels, probabilities or decision values. Pass a function of (y_true, "
            "y_pred) instead, or use a version of scikit-learn that is supported."
        )
    return scorer, wanted


def _scorer_name(scorer: Any) -> str:
    """Return the name of a scorer: that of its function."""
    return repr(scorer).removeprefix("make_scorer(").split(",")[0].rstrip(")")


def _as_scorer(metric: Callable[..., Any]) -> Any:
    """Return a function of target and predictions as a scorer."""
    if getattr(metric, "__module__", "").startswith("sklearn.metrics"):
        raise ValueError(
            f"metric={metric.__name__} is a function of scikit-learn, which does not say whether "
            "greater is better, or whether it needs labels. Pass the name of a metric, such as "
            f"'f1' or 'neg_log_loss', or make_scorer({metric.__name__}, ...)."
        )
    return make_scorer(metric)


def _what(name: str, run: int, n_runs: int) -> str:
    return f"the predictions of {name!r}{f', run {run}' if n_runs > 1 else ''}"


def _by_name(predictions: Any, y_true: Any) -> dict[str, list[Any]]:
    """Return the runs of each model."""
    if hasattr(predictions, "columns"):
        names = distinct(predictions.columns, "columns")
        return {name: [predictions.iloc[:, k]] for k, name in enumerate(names)}
    if not isinstance(predictions, Mapping):
        raise TypeError(
            'predictions must be a mapping from names to predictions, such as {"a": ..., "b": '
            f"...}}, or a frame with a column for each model, got {type(predictions).__name__}."
        )
    if not predictions:
        raise ValueError("No predictions given; give those of at least one model.")
    distinct(predictions, "names")
    length = n_rows(y_true, "y_true")
    return {str(name): _runs(str(name), part, length) for name, part in predictions.items()}


def _arrays(given: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Return the runs that are arrays and not models, by what messages call them."""
    return {
        _what(name, run, len(runs)): part
        for name, runs in given.items()
        for run, part in enumerate(runs)
        if not is_estimator(part)
    }


def _runs(name: str, part: Any, n_rows: int) -> list[Any]:
    """Return the runs of a model as a list: arrays or estimators, perhaps only one."""
    if not isinstance(part, list) or not part:
        return [part]
    whole = all(is_estimator(run) or (hasattr(run, "shape") and np.ndim(run)) for run in part)
    if whole or (len(part) != n_rows and all(np.ndim(run) for run in part)):
        lengths = sorted({len(run) for run in part if not is_estimator(run)} - {n_rows})
        if lengths:
            raise ValueError(
                f"The predictions of {name!r} are a list of {len(part)} runs, one of which has "
                f"{lengths[0]} rows, and y_true {n_rows}. Each run predicts all rows."
            )
        return part
    return [part]


def _target(y_true: Any) -> np.ndarray:
    y = np.asarray(y_true)
    if y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    if y.ndim not in (1, 2) or len(y) == 0:
        raise ValueError(f"y_true has shape {y.shape}; give one label or value for each test row.")
    missing = missing_in(y)
    if y.dtype.kind == "f":
        missing |= np.isinf(y)
    if missing.any():
        raise ValueError(
            f"y_true has {int(missing.sum())} missing values; leave out those rows everywhere."
        )
    if y.dtype.kind == "O" and all(isinstance(x, str) for x in y.flat):
        y = y.astype(str)
    return y


# Metrics of values; their target has no classes.
_OF_VALUES = ("error", "r2", "variance", "deviance", "d2_absolute", "d2_pinball")


def _classes(y: np.ndarray, wanted: Sequence[str], named: str | None, scorer: Any) -> Any:
    """Return the classes of the target, or None for a metric of values."""
    name = named or repr(scorer)
    if PREDICT in wanted and y.ndim == 2:
        return None  # several outputs
    if PREDICT in wanted and (y.dtype.kind == "f" or any(part in name for part in _OF_VALUES)):
        return None
    if PREDICT in wanted and named is None and y.dtype.kind in "iu" and "make_scorer" not in name:
        return None
    classes = np.unique(y)
    if PREDICT not in wanted and len(classes) < 2:
        raise ValueError(
            f"y_true holds {classes.tolist()} only, but the metric needs rows of two classes."
        )
    return classes


def _check_labels(y: np.ndarray, named: str | None) -> None:
    """Raise ValueError where a metric of two classes cannot know which is the positive one."""
    metrics = {} if named is None else {named: named}
    for fact, remedy in unknown_labels(metrics, y, option="metric", target="y_true").values():
        raise ValueError(f"{fact}. {remedy}")


def _check_target(y: np.ndarray, named: str | None) -> None:
    """Raise ValueError if a metric is not defined for this target, whatever the predictions."""
    needs = RULES.get(named or "")
    if needs is None or y.ndim != 1:
        return
    held = np.unique(y)
    if needs == "positive" and 1 not in held and set(held.tolist()) <= {0, -1}:
        lacks = "no positive row, labelled 1"
    elif needs != "positive" and len(held) < 2:
        lacks = f"{held.tolist()[0]!r} only"
    else:
        return
    raise ValueError(
        f"y_true holds {lacks}: {named} is not defined on this test set. Test on more rows, or use "
        "another metric."
    )
