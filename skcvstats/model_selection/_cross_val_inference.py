"""`cross_val_inference`: the expected score of an estimator, with its interval and test."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from os import PathLike
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from .._utils._checks import check_level
from .._utils._warn import carrying
from ..comparison import ScoreEstimates
from ..fitting import (
    FitOptions,
    Measured,
    check_names,
    measure_for_inference,
    refuse_uncloned,
    why_not_cloned,
)
from ..scores import Note, union, warn_of
from ..stats import Inference, LocationTest, Procedure, check_complete, get_procedure
from ._one_or_several import named_estimators, only_metric


def cross_val_inference(
    estimator: Any,
    X: Any,
    y: ArrayLike | None = None,
    *,
    groups: ArrayLike | None = None,
    scoring: str | Callable[..., Any] | None = None,
    loss: str | Callable[[Any, Any], Any] | None = None,
    cv: Any = None,
    method: str | Procedure = "corrected_resampled_t",
    null_value: float | None = None,
    alternative: str | None = None,
    params: Mapping[str, Any] | None = None,
    random_state: int | np.random.RandomState | None = 0,
    n_jobs: int | None = None,
    verbose: int = 0,
    pre_dispatch: int | str = "2*n_jobs",
    error_score: float | Literal["raise"] = np.nan,
    n_splits: int | None = None,
    test_size: float | None = None,
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
        Rows of one group stay together, in the training or the test set; sizes then count groups.
    scoring : str, callable, list, tuple or dict, default=None
        The metric or metrics, as in scikit-learn; greater is better. None is accuracy for
        classifiers and r2 for regressors.
    loss : {"zero_one", "squared_error"} or callable, default=None
        Instead of `scoring`, measure minus the mean of a loss of each test row: ``loss(y_true,
        y_pred)`` returns one number for each row. ``result.scores`` then contains the losses. None
        does so only where `method` needs it.
    cv : None, int, splitter or iterable of splits, default=None
        None draws the splits that `method` asks for. Further splits that it asks for are drawn
        in any case, and all are fitted in one pool.
    method : str or Procedure, default="corrected_resampled_t"
        The procedure: one of `get_procedure_names()`, or an instance with its own options.
    null_value : float, default=None
        The score to test against, such as the accuracy of guessing. None is 0, or that of a
        procedure given as `method`.
    alternative : {"two-sided", "less", "greater"}, default=None
        Where the expected score lies if not at the null value. None is two-sided, or that of a
        procedure given as `method`.
    params : dict, default=None
        Passed to ``fit``, or routed where metadata routing is enabled.
    random_state : int, RandomState instance or None, default=0
        Seeds the splits that are drawn here: those of ``cv=None`` and the auxiliary ones that
        `method` asks for.
    n_jobs : int, default=None
        As in joblib.
    verbose : int, default=0
        1 shows a progress bar of the fits, and says how many of them the store has.
    pre_dispatch : int or str, default="2*n_jobs"
        As in joblib.
    error_score : "raise" or nan, default=nan
        "raise" raises a failing fit's own error at once, with its traceback. With nan, if the first
        fit fails, the call ends with `FitError` at once; if a later one fails, the other fits are
        finished first.
    n_splits : int, default=None
        Number of splits that are drawn without `cv` (of each replicate, for a bootstrap); None is
        what `method` asks for. A method that is defined for fixed splits, such as 5x2cv, has none.
    test_size : float or int, default=None
        Fraction or number of the rows that each split that is drawn without `cv` tests on; None is
        what `method` asks for.
    confidence_level : float, default=0.95
        Of the interval. See
        `CVTestResult.with_confidence`.
    store : path-like, default=None
        A file in which finished fits are saved; those that it has are not done again. See the
        notes of `compare_estimators`.

    Returns
    -------
    Inference or ScoreEstimates
        For one estimator and one metric the estimate, its interval and the test, a `CVTestResult`
        for most procedures; `n_train` is the training size that the estimate is about. For a dict
        of estimators, or several metrics, a `ScoreEstimates`, which ranks them without comparing
        them.

    Raises
    ------
    FitError
        If the estimator cannot be cloned, or a fit or a score failed; its ``scores`` contain the
        finished scores.
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
    (135, True, True)
    """
    named = named_estimators(estimator)
    several = isinstance(estimator, Mapping) or _is_several(scoring)
    test = get_procedure(method, null_value=null_value, alternative=alternative)
    if test.only_differences:
        raise ValueError(
            f"The {test.title} is for the difference of two estimators. Use "
            "compare_estimators, or another method here."
        )
    level = check_level(confidence_level)
    options = FitOptions(
        params=params,
        n_jobs=n_jobs,
        verbose=verbose,
        pre_dispatch=pre_dispatch,
        error_score=error_score,
        store=store,
    )
    refuse_uncloned(why_not_cloned(named), several=False)
    _check_scoring(scoring, loss, several=several)
    measured = measure_for_inference(
        test,
        named,
        X,
        y,
        groups=groups,
        scoring=scoring,
        loss=loss,
        cv=cv,
        random_state=random_state,
        options=options,
        n_splits=n_splits,
        test_size=test_size,
    )
    check_complete(measured.scores, measured.auxiliary)
    if not several:
        only_metric(measured.scores)
    asked = null_value is not None or alternative is not None
    asked = asked or not (isinstance(test, LocationTest) and test.symmetric)
    answers = _answers(test, measured, None if several else next(iter(named)))
    found = {
        metric: replace(answer, confidence_level=level, asked=asked)
        for metric, answer in answers.items()
    }
    _warn(test, measured, found)
    warned = tuple(note for note in _notes(found) if note.category)
    if several:
        return ScoreEstimates(inferences=found, names=tuple(named), warned=warned)
    return replace(next(iter(found.values())), warned=warned)


def _is_several(scoring: Any) -> bool:
    """Whether a scoring names several metrics."""
    return not (scoring is None or isinstance(scoring, str) or callable(scoring))


def _check_scoring(scoring: Any, loss: Any, *, several: bool) -> None:
    if isinstance(scoring, str):
        check_names(scoring)
    if scoring is not None and loss is not None and not several:
        raise ValueError(
            f"scoring={scoring!r} and loss={loss!r} are both given, but one score is estimated: "
            "give one of them."
        )


def _notes(found: Mapping[str, Inference]) -> tuple[Note, ...]:
    return union(*(result.notes for result in found.values()))


def _warn(test: Procedure, measured: Measured, found: Mapping[str, Inference]) -> None:
    """Warn about limitations of the answers that were not known before the fits."""
    with carrying(scores=measured.scores, auxiliary=measured.auxiliary):
        for result in found.values():
            test.warn_undetermined(result)
        warn_of(note for note in _notes(found) if note not in measured.said)


def _answers(test: Procedure, measured: Measured, one: str | None) -> dict[str, Inference]:
    """Return the answers by metric: for one estimator, or for all of them as an array."""
    found = {}
    for metric, scores in measured.scores.items():
        auxiliary = measured.auxiliary[metric] if measured.auxiliary else None
        if one is None:
            found[metric] = test.run(scores, auxiliary)
        else:
            found[metric] = test.run(scores[one], None if auxiliary is None else auxiliary[one])
    return found
