"""`cross_val_score` that knows its splits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from os import PathLike
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import is_classifier
from sklearn.metrics import check_scoring

from ..fitting import (
    FitOptions,
    Metric,
    Scoring,
    check_data,
    check_names,
    check_responses,
    check_target,
    default_scoring,
    describe,
    is_routing,
    measure,
    to_splitter,
)
from ..scores import CVScores
from ._one_or_several import named_estimators, only_metric


def cross_val_score(
    estimator: Any,
    X: Any,
    y: ArrayLike | None = None,
    *,
    groups: ArrayLike | None = None,
    scoring: str | Callable[..., Any] | None = None,
    cv: Any = None,
    n_jobs: int | None = None,
    verbose: int = 0,
    params: Mapping[str, Any] | None = None,
    pre_dispatch: int | str = "2*n_jobs",
    error_score: float | Literal["raise"] = np.nan,
    store: str | PathLike[str] | None = None,
    splits: Iterable[int] | None = None,
) -> CVScores:
    """Score an estimator on each split, as scikit-learn's ``cross_val_score``, and keep the splits.

    The signature and the numbers are scikit-learn's. The returned scores can be used like an array,
    and have a ``.confidence_interval()``. If the metric is not defined on some test sets, the
    scores have a note, and ``.confidence_interval()`` warns of it.

    Parameters
    ----------
    estimator : estimator, or dict of str to estimator
        Cloned, never fitted. Several are scored on the same splits, and their scores can be given
        to `compare_scores`.
    X : array-like of shape (n_samples, ...)
        The data.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs), default=None
        The target.
    groups : array-like of shape (n_samples,), default=None
        Passed to the splitter. Where metadata routing is enabled, ``params={"groups": groups}``.
    scoring : str or callable, default=None
        One metric; None is the estimator's own ``score``, and for a dict accuracy for classifiers
        and r2 for regressors.
    cv : int, splitter, iterable or None, default=None
        None is 5-fold, stratified for a classifier.
    n_jobs : int, default=None
        As in joblib.
    verbose : int, default=0
        1 shows a progress bar of the fits, and says how many of them the store has.
    params : dict, default=None
        Passed to ``fit``, or routed where metadata routing is enabled.
    pre_dispatch : int or str, default="2*n_jobs"
        As in joblib.
    error_score : "raise" or float, default=nan
        The value in place of the score if a fit or a scorer fails. Such scores are recorded
        as missing: ``.confidence_interval()`` raises `FitError`.
    store : path-like, default=None
        A file in which finished fits are saved; those that it has are not done again. See the
        notes of `compare_estimators`.
    splits : iterable of int, default=None
        The numbers of the splits to score on, from 0, such as ``range(0, 5)``; None is all. The
        scores on all splits are ``CVScores.concatenate(parts)``. The splitter needs a seed.

    Returns
    -------
    CVScores
        Of shape (n_splits,), or (n_estimators, n_splits) for a dict of estimators.

    Raises
    ------
    FitError
        If every fit failed.
    ValueError
        With `groups` where metadata routing is enabled, or a scorer that gives no number.

    Warns
    -----
    FitFailedWarning
        If some fits failed.
    UserWarning
        If a scorer failed.

    See Also
    --------
    cross_val_inference : The expected score with its interval and test.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.linear_model import Lasso
    >>> from skcvstats import cross_val_score
    >>> X, y = load_diabetes(return_X_y=True)
    >>> scores = cross_val_score(Lasso(), X[:150], y[:150], cv=3)
    >>> scores.round(2).tolist()
    [0.33, 0.08, 0.04]

    Splits that were drawn independently also give an interval:

    >>> from skcvstats import RepeatedSubsampleSplit
    >>> scores = cross_val_score(Lasso(), X, y, cv=RepeatedSubsampleSplit(random_state=0))
    >>> low, high = scores.confidence_interval()
    >>> bool(low < scores.mean() < high)
    True
    """
    several = isinstance(estimator, Mapping)
    named = named_estimators(estimator)
    options = FitOptions(
        params=params,
        n_jobs=n_jobs,
        verbose=verbose,
        pre_dispatch=pre_dispatch,
        error_score=error_score,
        store=store,
    )
    _check_one_metric(scoring)
    _check_groups_are_routed(groups)
    if several and scoring is None:
        scoring = default_scoring(named)
    check_target(named, y, scoring)
    X, y, groups = check_data(X, y, groups)
    if isinstance(scoring, str):
        check_responses(named, scoring)
    first = next(iter(named.values()))
    scorer = check_scoring(first, scoring=scoring)
    metric = Metric(scoring, first).name
    measured = measure(
        named,
        X,
        y,
        groups=groups,
        scoring=Scoring(scorer, metric, describe(scoring), may_fail=True, given={metric: scoring}),
        cv=to_splitter(cv, y, classifier=all(map(is_classifier, named.values()))),
        options=options,
        may_overlap=True,
        splits=splits,
    )
    scores = only_metric(measured.scores)
    return scores if several else scores.row(0)


def _check_one_metric(scoring: Any) -> None:
    if scoring is not None and not isinstance(scoring, str) and not callable(scoring):
        raise ValueError(
            f"scoring={scoring!r} must be one metric's name or a callable; for several metrics "
            "use compare_estimators or cross_val_inference, or call once for each."
        )
    if isinstance(scoring, str):
        check_names(scoring)


def _check_groups_are_routed(groups: Any) -> None:
    if groups is not None and is_routing():
        raise ValueError(
            "`groups` can only be passed if metadata routing is not enabled via "
            "`sklearn.set_config(enable_metadata_routing=True)`. When routing is enabled, pass "
            "`groups` alongside other metadata via the `params` argument instead."
        )
