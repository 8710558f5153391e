"""`cross_val_score` that knows its splits, and `cross_val_inference`: its interval and test."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from os import PathLike
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from .._utils._checks import check_estimators, check_level, without_weights
from .._utils._metrics import check_null_in_range, known_of
from ..comparison import ScoreEstimates, estimates_of
from ..exceptions import FitError
from ..fitting import FitOptions, measure, plan_scores, read_metrics
from ..scores import CVScores
from ..stats import Inference, LocationTest, Procedure, check_complete, is_symmetric
from ._compare import choose_procedure, names_of, procedure_of, settle


@without_weights()
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


@without_weights()
def cross_val_inference(
    estimator: Any,
    X: Any,
    y: ArrayLike | None = None,
    *,
    groups: ArrayLike | None = None,
    scoring: str | Callable[..., Any] | None = None,
    cv: Any = None,
    method: str | Procedure = "auto",
    null_value: float | None = None,
    alternative: str | None = None,
    random_state: int | np.random.RandomState | None = 0,
    n_jobs: int | None = None,
    verbose: int = 0,
    confidence_level: float = 0.95,
    store: str | PathLike[str] | None = None,
    params: Mapping[str, Any] | None = None,
    fresh_seeds: bool = False,
) -> Inference | ScoreEstimates:
    """Estimate the expected score of an estimator, or of several, at the splits' training size.

    Parameters
    ----------
    estimator : estimator, or dict of str to estimator
        Cloned, never fitted. Several are measured on the same splits, and ranked.
    {shared: X, y, groups, scoring, cv, method}
    null_value : float, default=None
        The score to test against, such as the accuracy of guessing. None is 0, or `method`'s own.
    {shared: alternative or None, random_state, n_jobs, verbose, verdict level, store}

    Returns
    -------
    Inference or ScoreEstimates
        For one estimator and one metric the estimate, its interval and the test, a `CVTestResult`
        for most procedures; `n_train` is the training size that the estimate is about. For a dict
        of estimators, or several metrics, a `ScoreEstimates`, which ranks but does not compare.

    {Other Parameters: params, fresh_seeds}

    {Raises: unsuitable cv}
    FitError
        If the estimator cannot be cloned, or a fit or a score failed: at once if it was the first
        of an estimator, else after the others; its ``scores`` contain the finished scores, and its
        ``__cause__`` is the exception of the first fit that failed.

    {Warns: weak splits}
    AnticonservativeWarning
        With a `method` that rejects true nulls too often, and with splits in time order.
    DegenerateScoresWarning
        Where the scores do not vary.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from skcvstats import cross_val_inference
    >>> X, y = load_iris(return_X_y=True)
    >>> result = cross_val_inference(
    ...     LogisticRegression(max_iter=1000), X, y, null_value=1 / 3, alternative="greater"
    ... )
    >>> result.n_train, result.estimate > 0.9, result.pvalue < 0.001
    (120, True, True)
    """
    named = check_estimators(estimator, at_least=1)
    one_metric = scoring is None or isinstance(scoring, str) or callable(scoring)
    several = isinstance(estimator, Mapping) or not one_metric
    test = procedure_of(method, null_value=null_value, alternative=alternative)
    if test.only_differences:
        raise ValueError(
            f"The {test.title} is for the difference of two estimators. Use compare_estimators, or "
            "another method."
        )
    if null := getattr(test, "null_value", 0.0):
        for metric in names_of(scoring, named, test):
            check_null_in_range(null, metric, *known_of(metric)[1:])
    level = check_level(confidence_level)
    options = FitOptions(
        params=params, n_jobs=n_jobs, verbose=verbose, store=store, fresh_seeds=fresh_seeds
    )
    options.uncloned(named)
    how = {"groups": groups, "scoring": scoring, "cv": cv, "random_state": random_state}
    plan, why = choose_procedure(method, test, named, X, y, **how, options=options)
    measured = measure(plan)
    procedures = settle(plan, test, measured, why)
    try:
        check_complete(measured.scores, measured.auxiliary)
    except FitError as error:
        raise error from measured.exception  # of the first fit that failed
    if not several:
        measured.only()
    asked = null_value is not None or alternative is not None
    found = {}
    for metric, scores in measured.scores.items():
        own = procedures.get(metric, test)
        is_asked = asked or not (isinstance(own, LocationTest) and is_symmetric(own))
        auxiliary = measured.auxiliary.get(metric)
        if not several:
            (one,) = named
            scores, auxiliary = scores[one], None if auxiliary is None else auxiliary[one]
        answer = own.run(scores, auxiliary).with_notes(why.get(metric, ()))
        found[metric] = replace(answer, confidence_level=level, asked=is_asked)
    kept = {"scores": measured.scores, "auxiliary": measured.auxiliary}
    return estimates_of(found, tuple(named), several=several, said=measured.said, **kept)
