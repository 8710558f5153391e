"""Models and targets that are refused before the first fit, as their scores would mislead."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.utils import get_tags

from .._utils._checks import listed
from .._utils._metrics import CALLED, METRICS, OF_CLUSTERINGS
from .._utils._text import counted
from ..splitters import encode_labels
from ._metrics import NO_FACTS, Metric, learns_from_target
from ._needs import TargetLabels, sortable

# A target with more distinct numbers, and with fewer rows of each, is not one of classes.
MOST_CLASSES = 20
_ROWS_OF_A_CLASS = 3
# Options by which the parts of a model stay as they were fitted.
_PREFIT = {"cv": "prefit", "prefit": True}
_FITTED_ONCE = (
    "To compare models as they are fitted, use compare_predictions with rows that they have not "
    "seen."
)


class KeptPart(NamedTuple):
    """A part of a model that stays as it was fitted."""

    owner: str
    title: str
    model: Any


def parts_of(estimators: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return each model with all estimators in it."""
    return {name: list(nested_estimators(model)) for name, model in estimators.items()}


def kept_parts(parts: Mapping[str, list[Any]]) -> Iterator[KeptPart]:
    """Yield the parts of models that a fit does not fit again: frozen ones, methods of others."""
    for name, parts_of_model in parts.items():
        for part in parts_of_model:
            own_clone = getattr(type(part), "__sklearn_clone__", None)
            frozen = getattr(part, "__self__", None)
            if frozen is not None:
                yield KeptPart(name, f"{type(frozen).__name__}().{part.__name__}", frozen)
            elif own_clone not in (None, BaseEstimator.__sklearn_clone__) and clone(part) is part:
                title = type(part).__name__
                if title == "FrozenEstimator":
                    part = part.estimator
                    title += f"({type(part).__name__}())"
                yield KeptPart(name, title, part)


def check_refitted(estimators: Mapping[str, Any]) -> None:
    """Raise ValueError for models that are not fitted again, and may have seen the test rows."""
    parts = parts_of(estimators)
    for name, parts_of_model in parts.items():
        for part in parts_of_model:
            for option, value in _PREFIT.items():
                if getattr(part, option, None) == value:
                    raise ValueError(
                        f"{name!r} contains {type(part).__name__}({option}={value!r}), whose parts "
                        "would not be fitted on the training rows of the splits. Leave "
                        f"{option}={value!r} out. {_FITTED_ONCE}"
                    )
    for kept in kept_parts(parts):
        if _saw_targets(kept.model):
            raise ValueError(
                f"{kept.owner!r} contains {kept.title}, which stays as it was fitted and is not "
                "trained on the training rows of the splits, so it may have seen their test rows. "
                f"Pass the model itself, which is then fitted on each split. {_FITTED_ONCE}"
            )


def nested_estimators(given: Any) -> Iterator[Any]:
    """Yield an estimator, and all estimators or methods of such in its parameters and grids."""
    if isinstance(given, Mapping):
        given = list(given.values())
    if isinstance(given, partial):
        given = given.func
    if isinstance(given, (list, tuple)):
        for part in given:
            yield from nested_estimators(part)
    elif hasattr(getattr(given, "__self__", None), "get_params"):
        yield given
    elif hasattr(given, "get_params") and not isinstance(given, type):
        yield given
        with suppress(Exception):  # not as scikit-learn's
            yield from nested_estimators(given.get_params(deep=False))


def _saw_targets(model: Any) -> bool:
    """Return whether a model learns from the target: a predictor, or what has one in it."""
    if "Imputer" in type(model).__name__:  # whose predictor learns columns of X
        return False
    return any(map(learns_from_target, nested_estimators(model)))


def check_classes(estimators: Mapping[str, Any], y: Any) -> None:
    """Raise ValueError for classifiers of a target that cannot be one of several classes."""
    if not any(map(is_classifier, estimators.values())):
        return
    values = TargetLabels.read(y).classes
    if not 1 < len(values) <= MOST_CLASSES or values.dtype.kind == "f":
        _check_values(estimators, values, len(y))


def _check_values(estimators: Mapping[str, Any], values: np.ndarray, n_rows: int) -> None:
    """Raise ValueError for a single class, and for numbers that are a quantity."""
    first = next(name for name, model in estimators.items() if is_classifier(model))
    if len(values) == 1:
        raise ValueError(
            f"y is {listed(values.tolist())} in all rows, so a classifier such as {first} has "
            "nothing to learn. Pass rows of at least two classes, or another column as y."
        )
    if values.dtype.kind not in "iuf":
        return
    has_decimals = (values % 1 != 0).any()  # scikit-learn's would refuse them in the first fit
    if has_decimals or len(values) > max(MOST_CLASSES, n_rows / _ROWS_OF_A_CLASS):
        raise ValueError(
            f"y has {len(values)} different numbers in {counted(n_rows, 'row')}, and a classifier "
            f"such as {first} treats each as a class. If y is a quantity, compare regressors, or "
            "make classes of it with pandas.cut; if its numbers are classes, pass y.astype(str)."
        )


def check_classes_in_groups(estimators: Mapping[str, Any], y: Any, groups: Any, unit: str) -> None:
    """Raise ValueError for classifiers if each class is in only one group."""
    if unit != "groups" or not any(map(is_classifier, estimators.values())):
        return
    labels = sortable(y)
    if labels is None:
        return
    codes = np.unique(labels, return_inverse=True)[1]
    pairs = np.unique(np.c_[codes, encode_labels("groups", groups)], axis=0)
    if 1 < len(pairs) == codes.max() + 1:
        raise ValueError(
            "Each class of y is in only one group, so models are tested on classes that they have "
            "not seen. Pass as groups what rows belong to, such as the patient, or leave groups "
            "out."
        )


def refuse_other_kinds(
    estimators: Mapping[str, Any], metrics: Iterable[Metric], y: Any, target: str = "y"
) -> None:
    """Raise ValueError for outlier detectors and clusterers of labels that they do not predict."""
    kinds = {}
    for name, model in estimators.items():
        if hasattr(type(model), "fit_predict") or hasattr(type(model), "score_samples"):
            kinds[name] = get_tags(model).estimator_type
    if not (kinds and any(map(_is_of_labels, metrics))):
        return
    labels = TargetLabels.read(y).classes.tolist()
    for name, kind in kinds.items():
        if kind in ("clusterer", "density_estimator"):
            raise ValueError(
                f"{name!r} is a clusterer or a mixture, which numbers its clusters in any order, "
                f"so their numbers are no labels of {target}. Use a metric of clusterings, such as "
                "adjusted_rand_score or v_measure_score, or a classifier."
            )
        if kind == "outlier_detector" and not set(labels) <= {-1, 1}:
            raise ValueError(
                f"{name!r} is an outlier detector: it predicts -1 for outliers and 1 for other "
                "rows, and its score_samples and decision_function are lower for outliers. "
                f"{target} has the labels {listed(labels, 4)}, so none would agree, or the order "
                "would be turned. Pass -1 for outliers and 1 for others, such as "
                "np.where(y == 1, -1, 1)."
            )


def _is_of_labels(metric: Metric) -> bool:
    """Return whether a metric of scikit-learn compares labels, or ranks rows of one."""
    name = metric.function_name
    is_of_values = METRICS.get(CALLED.get(name, ""), NO_FACTS).of_values
    return bool(name) and not is_of_values and name not in OF_CLUSTERINGS


def check_predicted(estimator: Any, X: Any, y: Any, metrics: Iterable[Metric]) -> None:
    """Raise ValueError if a fitted estimator predicts labels that the target has not."""
    labels = sortable(y)
    of_labels = [
        metric for metric in metrics if metric.responses == ("predict",) and _is_of_labels(metric)
    ]
    if labels is None or not of_labels:
        return
    predicted = np.asarray(estimator.predict(X))
    unseen = predicted[~np.isin(predicted, labels)]
    if unseen.size and predicted.ndim == 1 and not (labels.dtype.kind == "f"):
        raise ValueError(
            f"it predicts {listed(np.unique(unseen).tolist(), 3)}, and y has the labels "
            f"{listed(np.unique(labels).tolist(), 4)}; let it predict labels of y"
        )
