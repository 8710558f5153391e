"""`cross_val_inference`: the expected score of an estimator, with its interval and test."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._utils._checks import check_estimators, check_level
from ..comparison import estimates_of
from ..exceptions import FitError
from ..fitting import FitOptions, measure
from ..stats import LocationTest, Procedure, check_complete, is_symmetric
from ._compare import choose_procedure, procedure_of


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
    params: Mapping[str, Any] | None = None,
    random_state: int | np.random.RandomState | None = 0,
    reseed: bool = False,
    n_jobs: int | None = None,
    verbose: int = 0,
    confidence_level: float = 0.95,
    store: str | PathLike[str] | None = None,
) -> Any:
    """Estimate the expected score of an estimator, or of several, at the splits' training size.

    Parameters
    ----------
    estimator : estimator, or dict of str to estimator
        Cloned, never fitted. Several are measured on the same splits, and ranked.
    {shared: X, y, groups, scoring, cv, method}
    null_value : float, default=None
        The score to test against, such as the accuracy of guessing. None is 0, or `method`'s own.
    {shared: alternative or None, params, random_state, reseed, n_jobs, verbose, verdict level}
    {shared: store}

    Returns
    -------
    Inference or ScoreEstimates
        For one estimator and one metric the estimate, its interval and the test, a `CVTestResult`
        for most procedures; `n_train` is the training size that the estimate is about. For a dict
        of estimators, or several metrics, a `ScoreEstimates`, which ranks but does not compare.

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
    level = check_level(confidence_level)
    options = FitOptions(params=params, n_jobs=n_jobs, verbose=verbose, store=store, reseed=reseed)
    options.uncloned(named)
    how = {"groups": groups, "scoring": scoring, "cv": cv, "random_state": random_state}
    plan, why = choose_procedure(method, test, named, X, y, **how, options=options)
    test, measured = plan.procedure, measure(plan)
    try:
        check_complete(measured.scores, measured.auxiliary)
    except FitError as error:
        raise error from measured.exception  # of the first fit that failed
    if not several:
        measured.only()
    asked = null_value is not None or alternative is not None
    asked = asked or not (isinstance(test, LocationTest) and is_symmetric(test))
    found = {}
    for metric, scores in measured.scores.items():
        auxiliary = measured.auxiliary.get(metric)
        if not several:
            (one,) = named
            scores, auxiliary = scores[one], None if auxiliary is None else auxiliary[one]
        answer = test.run(scores, auxiliary).with_notes(why)
        found[metric] = replace(answer, confidence_level=level, asked=asked)
    kept = {"scores": measured.scores, "auxiliary": measured.auxiliary}
    return estimates_of(found, tuple(named), several=several, said=measured.said, **kept)
