"""Check estimators, data and cv from the user, once."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
from sklearn.base import is_classifier, is_regressor
from sklearn.model_selection import check_cv
from sklearn.utils import get_tags, indexable

from .._utils._arrays import as_array, as_labels, check_unmasked
from .._utils._checks import is_integer, listed, n_rows, one_line
from .._utils._text import check_names
from ..scores import ENDLESS, DesignRequest
from ..splitters import HalfSplitPairs, RepeatedSubsampleSplit, RepeatedTwoFold
from ..stats import Procedure


def check_estimators(estimators: Any, *, at_least: int = 2) -> dict[str, Any]:
    """Return the estimators by name."""
    pairs = list(estimators.items() if isinstance(estimators, Mapping) else _pairs(estimators))
    for name, estimator in pairs:
        if not isinstance(name, str) or not name:
            raise TypeError(f"An estimator's name must be a non-empty string, got {name!r}.")
        check_estimator(name, estimator)
    check_names([name for name, _ in pairs], "estimators")
    if not pairs and at_least < 2:
        raise ValueError("There are no estimators; pass at least one, by its name.")
    if len(pairs) < at_least:
        raise ValueError(
            f"A comparison needs at least two estimators, got {len(pairs)}. For a single one use "
            "cross_val_inference."
        )
    return dict(pairs)


def _pairs(estimators: Any) -> Iterable[tuple[str, Any]]:
    wanted = (
        'a dict such as {"logistic": LogisticRegression(), "forest": RandomForestClassifier()} '
        "or a list of (name, estimator) pairs"
    )
    if hasattr(estimators, "shape"):
        raise TypeError(
            f"estimators must be {wanted}, got {type(estimators).__name__}. The estimators come "
            "first: compare_estimators(estimators, X, y)."
        )
    if isinstance(estimators, str) or not isinstance(estimators, Iterable):
        raise TypeError(f"estimators must be {wanted}, got {type(estimators).__name__}.")
    pairs = list(estimators)
    for pair in pairs:
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise TypeError(f"estimators must be {wanted}; {_brief(pair)} is no such pair.")
    return pairs


def check_estimator(name: str, estimator: Any) -> None:
    """Raise TypeError unless `estimator` is an instance that can be fitted."""
    if isinstance(estimator, type):
        raise TypeError(
            f"{name!r} is the class {estimator.__name__}, not an instance: pass "
            f"{estimator.__name__}()."
        )
    if not hasattr(estimator, "fit"):
        raise TypeError(
            f"{name!r} is a {type(estimator).__name__}, which has no fit method; pass an estimator."
        )


def check_target(estimators: Mapping[str, Any], y: Any, scoring: Any) -> None:
    """Raise ValueError if estimators need a target and there is none."""
    metrics = scoring.values() if isinstance(scoring, Mapping) else [scoring]
    if y is not None or any(map(callable, metrics)):
        return
    learning = [name for name, model in estimators.items() if _learns_from_target(model)]
    if learning:
        raise ValueError(
            f"y is None, but a target is needed by {listed(learning)}; pass y, one entry for each "
            "row of X."
        )


def _learns_from_target(estimator: Any) -> bool:
    if not hasattr(estimator, "__sklearn_tags__"):
        return False
    supervised = is_classifier(estimator) or is_regressor(estimator)  # a pipeline has no tag for it
    return supervised or get_tags(estimator).target_tags.required


def check_data(X: Any, y: Any, groups: Any) -> tuple[Any, Any, Any]:
    """Return X, y and groups as indexable data of one length."""
    if n_rows(X) == 0:
        raise ValueError("X has no rows; pass data with at least two.")
    for name, data in (("y", y), ("groups", groups)):
        if data is None:
            continue
        if n_rows(data, name) != n_rows(X):
            raise ValueError(
                f"{name} has {n_rows(data)} entries for {n_rows(X)} rows of X; they must match."
            )
    check_unmasked("X", X)
    check_unmasked("y", y)
    if groups is not None:
        as_labels("groups", groups)
        if _has_missing(groups):
            raise ValueError("groups has missing labels (nan, None); fill or drop those rows.")
    if isinstance(y, (list, tuple)):
        as_array("y", y)
    X, y, groups = indexable(X, y, groups)
    return X, y, groups


def _has_missing(labels: Any) -> bool:
    import pandas as pd  # recognises nan, None, NaT and pandas' NA

    return bool(pd.isna(np.asarray(labels, dtype=object)).any())


def check_aligned(X: Any, y: Any, groups: Any) -> None:
    """Raise an error if frames have the same rows in different orders: pairing is by position."""
    for name, data in (("y", y), ("groups", groups)):
        if data is not None:
            _check_aligned(X, data, name)


def _check_aligned(X: Any, data: Any, name: str) -> None:
    ours: Any = getattr(X, "index", None)
    theirs: Any = getattr(data, "index", None)
    if not hasattr(ours, "equals") or not hasattr(theirs, "equals") or ours.equals(theirs):
        return
    if len(ours) != len(theirs) or not ours.isin(theirs).any():
        return  # handled by another check, or the labels are unrelated
    if ours.is_unique and theirs.is_unique and ours.isin(theirs).all():
        raise ValueError(
            f"X and {name} have the same index in different orders, and rows are paired by "
            f"position. If {name} is in X's row order, pass {name}.to_numpy(); if not, "
            f"{name}.loc[X.index]."
        )
    raise ValueError(
        f"X and {name} have indexes that share some labels but not all, so they seem to be of "
        f"different rows, and rows are paired by position. If {name} is in X's row order, pass "
        f"{name}.to_numpy(); if not, take the rows of X from it."
    )


def resolve_cv(
    cv: Any, y: Any, estimators: Mapping[str, Any], request: DesignRequest, random_state: Any
) -> Any:
    """Return the given splitter, or the one that the procedure requests."""
    if cv is None:
        return make_splitter(request, random_state)
    return to_splitter(cv, y, classifier=all(is_classifier(model) for model in estimators.values()))


def sized_request(
    test: Procedure, cv: Any, n_splits: int | None, test_size: float | None
) -> DesignRequest:
    """Return the splits that a procedure requests, with the sizes that the user chose."""
    given = {"n_splits": n_splits, "test_size": test_size}
    sizes = [f"{name}={value!r}" for name, value in given.items() if value is not None]
    if cv is not None and sizes:
        raise ValueError(
            f"{' and '.join(sizes)} cannot be combined with cv={_brief(cv)}: sizes are for the "
            "splits that are drawn without cv. Leave cv out, or give the sizes to the splitter, "
            "for example cv=RepeatedSubsampleSplit(n_splits=15, test_size=0.1)."
        )
    return test.request.with_sizes(f"The {test.title}", n_splits=n_splits, test_size=test_size)


def to_splitter(cv: Any, y: Any, *, classifier: bool) -> Any:
    """Return `cv` as a splitter, as scikit-learn's `check_cv` makes it."""
    wanted = (
        "an integer of at least 2, a splitter such as RepeatedSubsampleSplit(), or a list of "
        "(train, test) pairs of row numbers"
    )
    known = cv is None or is_integer(cv) or hasattr(cv, "split") or isinstance(cv, Iterable)
    no_list = isinstance(cv, (type, str, bytes, Mapping)) or getattr(cv, "shape", None) == ()
    if not known or (no_list and not is_integer(cv)):
        raise ValueError(f"cv={cv!r} must be None, {wanted}.")
    if not hasattr(cv, "split") and not is_integer(cv) and cv is not None:
        cv = list(islice(cv, ENDLESS + 1))
        if len(cv) > ENDLESS:
            raise ValueError(
                f"cv yields more than {ENDLESS} pairs; pass {wanted}. A generator must end."
            )
        for k, pair in enumerate(cv):
            if not isinstance(pair, (tuple, list)) or len(pair) != 2:
                raise ValueError(
                    f"cv item {k} is {_brief(pair)}, not a (train, test) pair; pass {wanted}."
                )
    return check_cv(cv, y, classifier=classifier)


def _brief(value: Any) -> str:
    return textwrap.shorten(repr(value), 60)


def make_splitter(request: DesignRequest, random_state: Any) -> Any:
    """Return the splitter for the splits that a procedure requests."""
    sizes: dict[str, Any] = {"n_splits": request.n_splits, "test_size": request.test_size}
    makers = {
        "subsample": partial(RepeatedSubsampleSplit, n_replicates=request.n_replicates, **sizes),
        "half_pairs": partial(HalfSplitPairs, request.n_pairs, **sizes),
        "two_fold": partial(RepeatedTwoFold, request.n_pairs),
    }
    return makers[request.kind](random_state=random_state)


def check_random_state_is_used(random_state: Any, cv: Any) -> None:
    """Raise ValueError if a seed is given with a splitter and would have no effect."""
    own = getattr(cv, "random_state", None)
    if random_state is None or (is_integer(random_state) and random_state in (0, own)):
        return
    if random_state is own:
        return
    seed = random_state if is_integer(random_state) else "..."
    shuffled = "shuffle=True, " if hasattr(cv, "shuffle") else ""
    remedy = f"Seed the splitter itself, cv={type(cv).__name__}(..., {shuffled}random_state={seed})"
    if not hasattr(cv, "random_state"):
        remedy = "Leave random_state out"
    # scikit-learn wraps a list of splits; the representation of the wrapper shows every row.
    is_list = type(cv).__name__ == "_CVIterableWrapper"
    given = "a list of splits" if is_list else f"cv={one_line(cv)}"
    raise ValueError(
        f"random_state={random_state!r} seeds only the splits that are drawn here, and with "
        f"{given} none are drawn. {remedy}."
    )


def is_unseeded(cv: Any) -> bool:
    """Return whether a splitter draws different splits each time, as far as its parameters show."""
    draws = getattr(cv, "shuffle", True) and hasattr(cv, "random_state")
    return bool(draws) and not is_integer(cv.random_state)


def unseeded_parameters(estimator: Any) -> list[str]:
    """Return the parameters of an estimator and its parts that are random without a seed."""
    try:
        params = estimator.get_params(deep=True)
    except Exception:  # not a scikit-learn estimator
        return []
    return [
        name
        for name, value in params.items()
        if name.rpartition("__")[2] == "random_state" and value is None
    ]


def auxiliary_splitter(request: DesignRequest | None, random_state: Any) -> Any:
    """Return the splitter of the auxiliary splits that a procedure requests, or None.

    It is never stratified: the halves must vary as samples do, including their class proportions.
    """
    return None if request is None else make_splitter(request, random_state)
