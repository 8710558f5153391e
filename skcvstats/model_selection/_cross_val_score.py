"""`cross_val_score` that knows its splits."""

from collections.abc import Callable, Iterable, Mapping
from os import PathLike
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from .._utils._checks import check_estimators
from ..fitting import FitOptions, measure, plan_scores, read_metrics
from ..scores import CVScores


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

    The numbers are scikit-learn's, and so is the signature but for `store` and `splits`. The
    returned scores can be used like an array, and have a ``.confidence_interval()``. If the metric
    is not defined on some test sets, the scores have a note, and ``.confidence_interval()`` warns
    of it.

    Parameters
    ----------
    estimator : estimator, or dict of str to estimator
        Cloned, never fitted. Several are scored on the same splits, as `compare_scores` needs it.
    {shared: X, y}
    groups : array-like of shape (n_samples,), default=None
        Passed to the splitter. Where metadata routing is enabled, ``params={"groups": groups}``.
    scoring : str or callable, default=None
        One metric; None is the estimator's own ``score``, for a dict accuracy or r2 by its kind.
    cv : int, splitter, iterable or None, default=None
        None is 5-fold, stratified for a classifier.
    {shared: n_jobs, verbose, params}
    pre_dispatch : int or str, default="2*n_jobs"
        As in joblib.
    error_score : "raise" or float, default=nan
        The value in place of the score if a fit or a scorer fails. Such scores are recorded
        as missing: ``.confidence_interval()`` raises `FitError`.
    {shared: store}
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
        With `groups` and metadata routing, or a scorer of no numbers or of which smaller is better.

    Warns
    -----
    FitFailedWarning
        If some fits failed.
    UserWarning
        If a scorer failed.

    {See Also: cross_val_inference}

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
    if scoring is not None and not isinstance(scoring, str) and not callable(scoring):
        raise ValueError(
            f"scoring={scoring!r} must be one metric's name or a callable; for several metrics "
            "use compare_estimators or cross_val_inference, or call once for each."
        )
    how: dict[str, Any] = {"params": params, "n_jobs": n_jobs, "verbose": verbose, "store": store}
    options = FitOptions(**how, pre_dispatch=pre_dispatch, error_score=error_score)
    named = check_estimators(estimator, at_least=1)
    metrics = read_metrics(scoring, estimator)
    plan = plan_scores(named, X, y, metrics, groups=groups, cv=cv, options=options, splits=splits)
    scores = measure(plan).only()
    return scores if isinstance(estimator, Mapping) else scores.row(0)
