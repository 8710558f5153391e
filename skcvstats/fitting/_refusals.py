"""Models and targets that are refused before the first fit, as their scores would mislead."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial, singledispatch
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.utils import get_tags

from .._utils._arrays import decimals_in
from .._utils._checks import listed, one_line
from .._utils._metrics import CALLED, METRICS, OF_CLUSTERINGS
from .._utils._text import counted
from ..exceptions import FitError
from ..splitters import encode_labels
from ._hints import or_drop
from ._metrics import NO_FACTS, Metric, learns_from_target
from ._needs import TargetLabels, sortable

# A target with more distinct numbers, and with fewer rows of each, is not one of classes.
MOST_CLASSES = 20
_ROWS_OF_A_CLASS = 3


class KeptPart(NamedTuple):
    """A part of a model that stays as it was fitted, or whose parts do."""

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
            owner = getattr(part, "__self__", part)
            if owner is not part:
                yield KeptPart(name, f"{type(owner).__name__}().{part.__name__}", owner)
            elif _stays_fitted(part):
                yield KeptPart(name, one_line(part), getattr(part, "estimator", part))


def _stays_fitted(part: Any) -> bool:
    """Return whether a fit leaves an estimator as it is, or what is in it."""
    if getattr(part, "cv", None) == "prefit" or getattr(part, "prefit", None) is True:
        return True
    own_clone = getattr(type(part), "__sklearn_clone__", None)
    is_own = own_clone not in (None, BaseEstimator.__sklearn_clone__)
    return is_own and clone(part) is part


def check_refitted(estimators: Mapping[str, Any]) -> None:
    """Raise ValueError for models that are not fitted again, and may have seen the test rows."""
    for kept in kept_parts(parts_of(estimators)):
        if _saw_targets(kept.model):
            raise ValueError(
                f"{kept.owner!r} contains {kept.title}, which stays as it was fitted and is not "
                "trained on the training rows of the splits, so it may have seen their test rows. "
                "Pass a model that is fitted on each split, without FrozenEstimator and 'prefit'. "
                "To compare models as they are fitted, use compare_predictions with rows that they "
                "have not seen."
            )


def check_clones(estimators: Mapping[str, Any], on_error: str, *, can_drop: bool) -> None:
    """Raise FitError for an estimator that cannot be cloned, as no fit of it would succeed."""
    if on_error != "raise":
        return
    for name, estimator in estimators.items():
        try:
            clone(estimator)
        except Exception as error:
            drop = or_drop("it", can_drop and len(estimators) > 2)
            first_line = str(error).partition("\n")[0].rstrip(".")
            raise FitError(
                f"{name!r} cannot be cloned, so it cannot be fitted: {type(error).__name__}: "
                f"{first_line}. Derive it from BaseEstimator, and let its __init__ store its "
                f"arguments as they are{drop}."
            ) from error


@singledispatch
def nested_estimators(given: Any) -> Iterator[Any]:
    """Yield an estimator, and all estimators or methods of such in its parameters and grids."""
    if hasattr(getattr(given, "__self__", None), "get_params"):
        yield given
    elif hasattr(given, "get_params"):
        yield given
        with suppress(Exception):  # not as scikit-learn's
            yield from nested_estimators(given.get_params(deep=False))


@nested_estimators.register(list)
@nested_estimators.register(tuple)
def _nested_in_list(given: Iterable[Any]) -> Iterator[Any]:
    return chain.from_iterable(map(nested_estimators, given))


@nested_estimators.register(Mapping)
def _nested_in_values(given: Mapping[Any, Any]) -> Iterator[Any]:
    return _nested_in_list(given.values())


@nested_estimators.register(partial)
def _nested_in_function(given: partial[Any]) -> Iterator[Any]:
    return nested_estimators(given.func)


@nested_estimators.register(type)
def _nested_in_class(given: type) -> Iterator[Any]:
    return iter(())


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
    if len(values) < 2:
        _refuse_one_class(values, y)
    are_many = len(values) > max(MOST_CLASSES, len(y) / _ROWS_OF_A_CLASS)
    if decimals_in(values).size or (are_many and values.dtype.kind in "iuf"):
        raise ValueError(
            f"y has {len(values)} different numbers in {counted(len(y), 'row')}, and classifiers "
            "treat each as a class. If y is a quantity, compare regressors, or make classes of it "
            "with pandas.cut; if its numbers are classes, pass y.astype(str)."
        )


def _refuse_one_class(values: np.ndarray, y: Any) -> None:
    """Raise ValueError for a target of one class, or of classes that are texts and numbers."""
    if len(values):
        raise ValueError(
            f"y is {listed(values.tolist())} in all rows, so there is nothing to learn. Pass rows "
            "of at least two classes, or another column as y."
        )
    examples = {type(label): label for label in np.ravel(np.asarray(y)).tolist()}
    if examples.keys() in ({int, str}, {float, str}, {bool, str}):
        raise ValueError(
            f"y mixes numbers and texts, such as {listed(examples.values())}, and classes are of "
            "one type. Pass y.astype(str), or write all classes alike."
        )


def check_classes_in_groups(estimators: Mapping[str, Any], y: Any, groups: Any, unit: str) -> None:
    """Raise ValueError for classifiers if each class is in only one group."""
    if unit != "groups" or not any(map(is_classifier, estimators.values())):
        return
    labels = sortable(y)
    if not labels.size:
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
    if not any(map(_is_of_labels, metrics)):
        return
    labels = TargetLabels.read(y).classes.tolist()
    for name, model in estimators.items():
        kind = get_tags(model).estimator_type
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
    of_predictions = [metric for metric in metrics if metric.responses == ("predict",)]
    if not any(map(_is_of_labels, of_predictions)):
        return
    labels = TargetLabels.read(y).classes
    if labels.dtype.kind == "f":  # also where y has no classes
        return
    unseen = np.setdiff1d(estimator.predict(X), labels)
    if unseen.size:
        raise ValueError(
            f"it predicts {listed(unseen.tolist(), 3)}, and y has the labels "
            f"{listed(labels.tolist(), 4)}; let it predict labels of y"
        )
