"""`cross_val_inference`: the expected score of an estimator, with its interval and test."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._utils._checks import check_estimators, check_level
from .._utils._warn import carrying
from ..comparison import ScoreEstimates
from ..exceptions import FitError
from ..fitting import FitOptions, measure
from ..scores import union, warn_of
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
    X : array-like of shape (n_samples, ...)
        The data.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs), default=None
        The target.
    groups : array-like of shape (n_samples,), default=None
        Rows of one group stay together in the splits that are drawn here; a `cv` must see to it, as
        GroupKFold does. Sizes then count groups.
    scoring : str, callable, list, tuple or dict, default=None
        The metric or metrics, as in scikit-learn; greater is better. None is accuracy for
        classifiers and r2 for regressors. A `method` that works on rows, ``"holdout_t"`` or
        ``"row_t"``, needs metrics that are means over rows (``"row_t"`` also takes roc_auc of
        two classes); None is then neg_mean_squared_error for regressors.
    cv : None, int, splitter or iterable of splits, default=None
        None draws the splits that `method` asks for, as in `compare_estimators`; for more splits or
        other sizes pass a splitter, such as ``RepeatedStratifiedKFold(n_splits=10, n_repeats=3)``.
        Random splits make ``"auto"`` the corrected resampled t-test. Further splits that `method`
        asks for are drawn in any case, and all are fitted in one pool.
    method : str or Procedure, default="auto"
        The procedure. ``"auto"`` is the row t-test where every metric is a mean over rows and the
        splits are k-fold, repeated or not, else the corrected resampled t-test; a note says why. Or
        one of `get_procedure_names()`, or an instance with its own options.
    null_value : float, default=None
        The score to test against, such as the accuracy of guessing. None is 0, or `method`'s own.
    alternative : {"two-sided", "less", "greater"}, default=None
        Where the expected score lies if not at the null value. None is two-sided, or `method`'s.
    params : dict, default=None
        Passed to ``fit``, or routed where metadata routing is enabled.
    random_state : int, RandomState instance or None, default=0
        Seeds the splits that are drawn here: those of ``cv=None`` and the auxiliary ones that
        `method` asks for, and with `reseed` the fits.
    reseed : bool, default=False
        True gives every ``random_state`` of the estimators another integer in every fit, as in
        `compare_estimators`.
    n_jobs : int, default=None
        As in joblib.
    verbose : int, default=0
        1 shows a progress bar of the fits, and says how many of them the store has.
    confidence_level : float, default=0.95
        Of the interval. See `CVTestResult.with_confidence`.
    store : path-like, default=None
        A file of finished fits, which are not done again; see the notes of `compare_estimators`.

    Returns
    -------
    Inference or ScoreEstimates
        For one estimator and one metric the estimate, its interval and the test, a `CVTestResult`
        for most procedures; `n_train` is the training size that the estimate is about. For a dict
        of estimators, or several metrics, a `ScoreEstimates`, which ranks but does not compare.

    Raises
    ------
    FitError
        If the estimator cannot be cloned, or a fit or a score failed: at once if it was the first
        of an estimator, else after the others; its ``scores`` contain the finished scores, and its
        ``__cause__`` is the exception of the first fit that failed.
    SplitDesignError
        If `cv` does not suit the procedure, or a metric that is given by its name is not defined
        on some test sets. Nothing has been fitted then.

    Warns
    -----
    SplitDesignWarning
        Where the splits make the inference weak or doubtful; also in the result's ``notes``.
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
    with carrying(scores=measured.scores, auxiliary=measured.auxiliary):
        for result in found.values():
            result.warn_undetermined()
        notes = union(*(result.notes for result in found.values()))
        warn_of(note for note in notes if note not in measured.said)
    warned = tuple(note for note in notes if note.category)
    if several:
        return ScoreEstimates(inferences=found, names=tuple(named), warned=warned)
    return replace(next(iter(found.values())), warned=warned)
