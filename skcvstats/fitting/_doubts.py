"""What makes scores doubtful though nothing failed: of models, of predictions, of the target."""

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, clone, is_classifier, is_regressor
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.metrics import get_scorer
from sklearn.utils import _safe_indexing, get_tags

from .._utils._arrays import one_output
from .._utils._checks import listed
from .._utils._metrics import known_of, shown_as
from .._utils._text import counted, format_number
from ..scores import CVScores, Note
from ..splitters import encode_labels
from ._metrics import Metric
from ._splits import sortable

# Models that a constant beats by more standard errors is so by no chance.
_MOST_ERRORS = 3
# With more distinct numbers, and more than a tenth of the rows, a target is hardly one of classes.
_MOST_CLASSES = 20
# The code of the note on classifiers of numbers.
NUMBERS_AS_CLASSES = "numbers as classes"
# Options by which the parts of a model stay as they were fitted.
_PREFIT = {"cv": "prefit", "prefit": True}
_OF_FITS = "overfitted, overconfident, or are rows of X and y in different orders"
_FITTED_ONCE = (
    "To compare models as they are fitted, use compare_predictions with rows that they have not "
    "seen."
)


class KeptPart(NamedTuple):
    """A part of a model that stays as it was fitted."""

    owner: str
    title: str
    model: Any

    @property
    def needs_fit(self) -> bool:
        return _tag(self.model, "requires_fit", True)


def kept_parts(estimators: Mapping[str, Any]) -> Iterator[KeptPart]:
    """Yield the parts of models that a fit does not fit again: frozen ones, methods of others."""
    for name, model in estimators.items():
        for part in nested_estimators(model):
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
    for name, model in estimators.items():
        for part in nested_estimators(model):
            for option, value in _PREFIT.items():
                if getattr(part, option, None) == value:
                    raise ValueError(
                        f"{name!r} holds {type(part).__name__}({option}={value!r}), whose parts "
                        "would not be fitted on the training rows of the splits. Leave "
                        f"{option}={value!r} out. {_FITTED_ONCE}"
                    )
    for kept in kept_parts(estimators):
        if _saw_targets(kept.model):
            raise ValueError(
                f"{kept.owner!r} holds {kept.title}, which stays as it was fitted and is not "
                "trained on the training rows of the splits, so it may have seen their test rows. "
                f"Pass the model itself, which is then fitted on each split. {_FITTED_ONCE}"
            )


def nested_estimators(given: Any) -> Iterator[Any]:
    """Yield an estimator, and all estimators or methods of such in its parameters and grids."""
    if isinstance(given, Mapping):
        given = list(given.values())
    given = given.func if isinstance(given, partial) else given
    if isinstance(given, (list, tuple)):
        for each in given:
            yield from nested_estimators(each)
    elif hasattr(getattr(given, "__self__", None), "get_params"):
        yield given
    elif hasattr(given, "get_params") and not isinstance(given, type):
        yield given
        with suppress(Exception):  # not as scikit-learn's
            yield from nested_estimators(given.get_params(deep=False))


def _saw_targets(model: Any) -> bool:
    """Whether a model learns from the target: a predictor, or a transformer with one in it."""
    return any(
        (hasattr(part, "get_support") and hasattr(part, "score_func"))
        or is_classifier(part)
        or is_regressor(part)
        or _tag(part, "target_tags.required", hasattr(part, "predict"))
        for part in ([] if "Imputer" in type(model).__name__ else nested_estimators(model))
    )


def _tag(part: Any, name: str, otherwise: bool) -> bool:
    with suppress(Exception):  # not as scikit-learn's
        return bool(attrgetter(name)(get_tags(part)))
    return otherwise


class _ClassShares(DummyClassifier):
    """The most frequent class or the class shares, also for metrics of decision values."""

    def decision_function(self, X: Any) -> Any:
        shares = self.predict_proba(X)
        return shares[:, 1] if shares.shape[1] == 2 else shares


def constants_of(
    metric: Metric, known: Any, tested: Any, *, of_classes: bool | None, **more: Any
) -> tuple[float, float]:
    """Return the lowest and the highest score of constants made of known targets, or nan."""
    found, of_values = [np.nan], [DummyRegressor(strategy=way) for way in ("mean", "median")]
    kinds = {True: [_ClassShares()], False: of_values, None: [_ClassShares(), *of_values]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for constant in kinds[of_classes]:
            with suppress(Exception):  # it has no such score
                constant.fit(np.zeros((len(known), 1)), known)
                scorer = metric.scorer or get_scorer(metric.named)  # of a model's own score
                found.append(float(scorer(constant, np.zeros((len(tested), 1)), tested, **more)))
    best = float(np.fmax.reduce(found))  # of both kinds where either may be meant
    return (best if of_classes is None else float(np.fmin.reduce(found))), best


def with_constant(
    scores: CVScores,
    metric: Metric,
    y: Any,
    splits: Iterable[Any] = (),
    *,
    errors: Callable[[CVScores], Any] | None = None,
    hint: str = _OF_FITS,
    **how: Any,
) -> CVScores:
    """Return scores that know that of a constant, with a note of the models that are worse."""
    # `errors` makes the standard errors of scores on a test set.
    values, design = np.atleast_2d(scores.values), scores.design
    least, best = constants_of(metric, y, y, **how)
    if np.isnan(best):
        return scores
    known = {"provenance": {**scores.provenance, "score of a constant": best}}
    scores = scores._made(**vars(scores) | known)
    sign, _, high = known_of(scores.metric)
    # A constant that is as good as can be, as for recall, is no guess; and losses are not scores.
    if (values.mean(axis=1) >= least).all() or best in (high, 1.0) or sign < 0:
        return scores
    guesses = [  # made on each split, if these are known
        constants_of(metric, *(_safe_indexing(y, rows) for rows in sides[:2]), **how)[0]
        for sides in splits
    ]
    below = (guesses or least) - values[:, : len(guesses) or None]
    if errors is not None:
        spread = errors(scores)
    elif (rows := scores.row_scores) is not None:
        units = rows.rows if rows.groups is None else rows.groups[rows.rows]
        counts = np.bincount(units)
        seen = counts > 0
        means = (np.bincount(units, of)[seen] / counts[seen] for of in np.atleast_2d(rows.values))
        spread = np.array([own.std() for own in means]) / np.sqrt(np.count_nonzero(seen))
    elif (n := below.shape[1]) > 1:
        share = 1 / n + np.mean(design.n_test) / np.mean(design.n_train)
        spread = below.std(axis=1, ddof=1) * np.sqrt(share)
    else:
        return scores
    worse = below.mean(axis=1) > np.maximum(_MOST_ERRORS * spread, 1e-9 * np.abs(least))
    if not worse.any():
        return scores
    hint = f"{hint}, or is it a loss" if sign == 0 else hint
    named = listed([(scores.labels or ("the model",))[k] for k in np.flatnonzero(worse)])
    read = shown_as(scores.metric)
    text = (
        f"{named}: worse in {read.name} than a constant prediction "
        f"({format_number(read.number(least))}), by more than {_MOST_ERRORS} standard errors "
        f"({hint}?)"
    )
    return scores.with_notes([Note("worse than a constant", text, None)])


def check_classes(estimators: Mapping[str, Any], y: Any, groups: Any, unit: str) -> None:
    """Raise ValueError for classifiers of classes that are groups, or of numbers with decimals."""
    if unit == "groups" and any(map(is_classifier, estimators.values())):
        _check_classes_in_groups(y, groups)
    text = too_many_classes(estimators, y)
    labels: Any = one_output(y)
    if text and (labels % 1 != 0).any():  # which scikit-learn's refuse, in the first fit
        raise ValueError(f"{text[0].upper()}{text[1:]}, or make classes of it with pandas.cut.")


def _check_classes_in_groups(y: Any, groups: Any) -> None:
    """Raise ValueError if each class is in one group only."""
    labels = sortable(y)
    if labels is None:
        return
    codes = np.unique(labels, return_inverse=True)[1]
    pairs = np.unique(np.c_[codes, encode_labels("groups", groups)], axis=0)
    if 1 < len(pairs) == codes.max() + 1:
        raise ValueError(
            "Each class of y is in one group only, so models are tested on classes that they have "
            "not seen. Pass as groups what rows belong to, such as the patient, or leave groups "
            "out."
        )


def too_many_classes(estimators: Mapping[str, Any], y: Any) -> str:
    """Return that classifiers take a target of many numbers for one of classes, or nothing."""
    classifiers = [name for name, model in estimators.items() if is_classifier(model)]
    labels = one_output(y)
    if labels is None or labels.dtype.kind not in "iuf" or not classifiers:
        return ""
    n_values = len(np.unique(labels))
    if n_values <= max(_MOST_CLASSES, len(labels) / 10):
        return ""
    return (
        f"the target has {n_values} different numbers in {counted(len(labels), 'row')}, and a "
        f"classifier such as {classifiers[0]} treats each as a class: compare regressors if it is "
        "a quantity"
    )
