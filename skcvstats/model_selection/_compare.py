"""compare_estimators, and of single estimators cross_val_score and cross_val_inference."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from os import PathLike
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn import get_config

from .._utils._arrays import entries_of
from .._utils._checks import (
    check_estimators,
    check_option,
    explain_arguments,
    n_rows,
    named_estimators,
)
from .._utils._metrics import check_null_in_range, known_of
from .._utils._shared_arguments import (
    check_level,
    check_n_jobs,
    check_optional_alternative,
    check_seed,
)
from ..comparison import (
    ComparedEvidence,
    ComparisonResult,
    ScoreEstimates,
    check_comparison,
    compare,
    estimates_of,
    is_symmetric,
    read_slices,
    sliced_estimates,
)
from ..exceptions import FitError
from ..fitting import (
    FitOptions,
    Measured,
    Methods,
    SlicedFits,
    choose_procedure,
    is_one_metric,
    plan_fits,
    plan_scores,
    procedures_of,
    read_metrics,
)
from ..notes import (
    Evidence,
    OverRowsEvidence,
    SplitsWatch,
    measure,
    measure_unwarned,
    note_planned_splits,
    notes_on_choices,
)
from ..scores import CVScores, Note, find_notes
from ..splitters import check_index
from ..stats import METHODS, Inference, Procedure, get_procedure

AUTO = "auto"
_OF_ROWS = "row_t"
_OF_SPLITS = "corrected_resampled_t"
_OVER_TIME = "diebold_mariano"
_OTHER_RANGE = {"adjusted", "normalize"}  # options with which a metric has another range


@explain_arguments()
def compare_estimators(
    estimators: Mapping[str, Any] | Iterable[Any],
    X: Any,
    y: ArrayLike | None = None,
    *,
    groups: ArrayLike | None = None,
    scoring: str | Callable[..., Any] | Iterable[str] | Mapping[str, Any] | None = None,
    cv: Any = None,
    method: str | Procedure = "auto",
    reference: str | None = None,
    alternative: str | None = None,
    margin: float | tuple[float, float] | None = None,
    adjustment: str = "auto",
    confidence_level: float = 0.95,
    random_state: int | np.random.RandomState | None = 0,
    n_jobs: int | None = None,
    verbose: int = 0,
    store: str | PathLike[str] | None = None,
    params: Mapping[str, Any] | None = None,
    fresh_seeds: bool = False,
    on_error: Literal["raise", "drop"] = "raise",
) -> ComparisonResult:
    """Compare estimators on paired splits and test their differences.

    Every estimator is fitted and scored on the same train/test splits; the differences go into a
    test that allows for the rows that the splits share.

    Parameters
    ----------
    estimators : dict of str to estimator, or list of estimator or of (str, estimator)
        Two or more. A list without names gets those of `sklearn.pipeline.make_pipeline`:
        ``"ridge"``, or ``"ridge-1"`` and ``"ridge-2"`` where two are of one class. They are cloned,
        never fitted.
    {shared: X, y, groups, scoring, cv, method, reference, alternative or None, margin}
    {shared: adjustment, verdict level, random_state, n_jobs, verbose, store}

    {Returns: comparison result}

    {Other Parameters: params, fresh_seeds}
    on_error : {"raise", "drop"}, default="raise"
        With "raise", if the first fit of an estimator fails, the call ends with `FitError` at once.
        If a later fit fails, the other fits are finished first, and the error has all scores. Its
        ``__cause__`` is the exception of the first fit that failed: with its traceback, for a
        debugger, where the fits ran in this process. "drop" leaves an estimator with a missing
        score out of that metric, and a metric that no estimator has, that is not defined on these
        test sets, or that has no valid test on splits in time order, out of the result; both are
        named in the result's ``dropped`` and notes.

    {Raises: unsuitable cv}
    FitError
        If an estimator cannot be cloned, or a fit or a score failed; its ``scores`` contain the
        finished ones. With ``on_error="drop"`` if fewer than two estimators, or not the reference,
        remain.
    ValueError, TypeError
        For invalid arguments; a target with missing entries, or with labels that a metric of two
        classes does not know; a scorer for which lower is better; too wide a margin.

    Warns
    -----
    SplitDesignWarning
        Where the splits make the inference weak or doubtful, as where 5 % of the test rows or more
        equal a training row; also in the result's ``note``.
    AnticonservativeWarning
        With ``reference="best"``, and with a `method` that rejects true nulls too often.
    DegenerateScoresWarning
        Where a difference does not vary.
    FitFailedWarning
        Where fits failed, with their causes.

    {See Also: compare_scores, cross_val_inference}

    Notes
    -----
    All warnings but the last two are given before the first fit. Where warnings are errors, one
    that is given after the fits has the attribute ``scores``. ``print(result)`` names the warnings
    by their codes and does not repeat their sentences.

    A `store` is an SQLite file of numbers and text, no pickle. It identifies a fit by everything
    that its numbers depend on: the estimator's class and parameters, its parts included; the
    content of `X`, `y`, `groups` and `params`; the rows of the split in their order; the metrics;
    and the versions of NumPy, SciPy, scikit-learn, skcvstats and every package that the estimator
    comes from. Functions and classes from outside an installed package are identified by the file
    or notebook cell they are written in, and by the constants they name. ``n_jobs``, ``verbose``
    and ``memory`` do not matter; `random_state` and the estimators' names matter with `fresh_seeds`
    only. Failed fits are not saved. Those without a ``random_state`` are, and a result that uses
    them again notes it. An estimator that cannot be identified, as one with a closure, is fitted
    each time, with a warning. Several processes may use one store at once. Damaged entries are
    fitted again; if the file is damaged, or the disk full or read-only, the call goes on without
    it, with a warning. ``python -m skcvstats store FILE`` lists and prunes it.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from skcvstats import compare_estimators
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> result = compare_estimators(
    ...     {
    ...         "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    ...         "majority": DummyClassifier(),
    ...     },
    ...     X,
    ...     y,
    ... )
    >>> test = result.tests[0]
    >>> test.method, test.n_train, test.n_splits
    ('row_t', 455.2, 20)
    >>> test.pvalue < 1e-6
    True
    """
    check_optional_alternative(alternative)
    check_level(confidence_level)
    check_seed(random_state)
    check_n_jobs(n_jobs)
    named = check_estimators(estimators)
    methods = methods_of(method, alternative=alternative)
    test = methods.general
    has_bounds = margin is not None or test.null_value != 0
    metrics = names_of(scoring, named, test) if has_bounds else ()
    how_compared = check_comparison(
        test, tuple(named), reference, adjustment, margin, confidence_level, metrics
    )
    options = FitOptions(
        params=params,
        n_jobs=n_jobs,
        verbose=verbose,
        on_error=on_error,
        can_drop=True,
        store=store,
        fresh_seeds=fresh_seeds,
    )
    plan = plan_fits(
        methods,
        named,
        X,
        y,
        groups=groups,
        scoring=scoring,
        cv=cv,
        random_state=random_state,
        options=options,
        observe=SplitsWatch,
    )
    plan = note_planned_splits(plan)
    of_reference = find_notes(ComparedEvidence(procedure=test, labels=named, reference=reference))
    measured = measure(plan, Evidence.of_fits(plan), of_reference)
    procedures, notes = settle(plan, methods, measured)
    del plan  # so that the splits are freed
    try:
        return compare(
            measured.scores,
            measured.auxiliary,
            **how_compared,
            tests=procedures,
            notes=notes,
            said=measured.said,
            dropped=measured.lost,
            on_error=on_error,
            verbose=verbose,
        )
    except FitError as error:
        raise error from measured.exception  # of the first fit that failed


def check_one_metric(scoring: Any) -> None:
    if not is_one_metric(scoring):
        raise ValueError(
            f"scoring={scoring!r} must be one metric's name or a callable; for several metrics "
            "use compare_estimators or cross_val_inference, or call once for each."
        )


def methods_of(method: str | Procedure, **options: Any) -> Methods:
    """Return the procedures that a call may take: the one it asks for, or those of "auto"."""
    if not isinstance(method, str):
        return Methods(get_procedure(method, **options))
    if check_option("method", method, [AUTO, *sorted(METHODS)]) != AUTO:
        return Methods(get_procedure(method, **options))
    general: Any = get_procedure(_OF_SPLITS, **options)
    tested = {"null_value": general.null_value, "alternative": general.alternative}
    return Methods(
        general,
        preferred=get_procedure(_OF_ROWS, **tested),
        over_time=get_procedure(_OVER_TIME, **tested),
    )


def names_of(scoring: Any, estimators: Mapping[str, Any], test: Any) -> tuple[str, ...]:
    """Return the metrics of the usual range, by their names in the result and in scikit-learn."""
    names = []
    for metric in read_metrics(scoring, estimators, test):
        if not metric.options.keys() & _OTHER_RANGE:
            names += [metric.name, metric.named]
    return tuple(names)


def settle(
    plan: Any, methods: Methods, measured: Measured
) -> tuple[dict[str, Procedure], dict[str, tuple[Note, ...]]]:
    """Return the procedure of each metric after the fits, and the notes on the choices."""
    choices = dict(plan.choices)
    for name, reason in measured.without_rows.items():
        choices[name] = choose_procedure(methods, False, reason)
    procedures = procedures_of(choices)
    with_notes_over_rows(measured, procedures)
    return procedures, notes_on_choices(methods, plan.work.metrics, choices)


def with_notes_over_rows(measured: Measured, procedures: Mapping[str, Procedure]) -> None:
    """Note on scores where those over all rows are far from the means of folds."""
    for name, over_rows in measured.over_rows.items():
        scores = measured.scores[name]
        if np.isnan(scores.values).any() or np.isnan(over_rows).any():
            continue
        evidence = OverRowsEvidence(
            metric_name=name,
            labels=scores.labels,
            over_rows=over_rows,
            inference=procedures[name].run(scores),
        )
        measured.scores[name] = scores.with_notes(find_notes(evidence))


@explain_arguments(alpha="pass the level to .confidence_interval(0.95) of what it returns")
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
        With `groups` and metadata routing, or a scorer that does not return numbers or for which
        lower is better.

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
    check_n_jobs(n_jobs)
    check_one_metric(scoring)
    options = FitOptions(
        params=params,
        n_jobs=n_jobs,
        verbose=verbose,
        store=store,
        pre_dispatch=pre_dispatch,
        error_score=error_score,
    )
    named = named_estimators(estimator)
    metrics = read_metrics(scoring, estimator)
    if groups is not None and get_config().get("enable_metadata_routing", True):
        raise ValueError(
            "`groups` can only be passed if metadata routing is not enabled via "
            "`sklearn.set_config(enable_metadata_routing=True)`. When routing is enabled, pass "
            "`groups` alongside other metadata via the `params` argument instead."
        )
    plan = plan_scores(
        named,
        X,
        y,
        metrics,
        groups=groups,
        cv=cv,
        options=options,
        observe=SplitsWatch,
        splits=splits,
    )
    plan = note_planned_splits(plan)
    n_splits = plan.parts[0].design.n_splits
    evidence = Evidence(estimators=named, procedures={}, seed_of_fits=None, n_splits=n_splits)
    notes = find_notes(evidence)  # without a warning, as the user did not ask for an inference
    measured = measure_unwarned(plan, Evidence.of_fits(plan))
    scores = measured.only().with_notes(notes)
    return scores if isinstance(estimator, Mapping) else scores.row(0)


@explain_arguments()
def cross_val_inference(
    estimator: Any,
    X: Any,
    y: ArrayLike | None = None,
    *,
    groups: ArrayLike | None = None,
    by: ArrayLike | None = None,
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
    {shared: X, y, groups, by of scores, scoring, cv, method}
    null_value : float, default=None
        The score to test against, such as the accuracy of guessing. None is 0, or `method`'s own.
    {shared: alternative or None, random_state, n_jobs, verbose, verdict level, store}

    Returns
    -------
    Inference or ScoreEstimates
        For one estimator and one metric the estimate, its interval and the test, a `CVTestResult`
        for most procedures; `n_train` is the training size that the estimate is about. For a dict
        of estimators, several metrics or with `by`, a `ScoreEstimates`, which ranks but does not
        compare.

    {Other Parameters: params, fresh_seeds}

    {Raises: unsuitable cv}
    FitError
        If the estimator cannot be cloned, or a fit or a score failed: at once if it was the first
        of an estimator, else after the others; its ``scores`` contain the finished scores, and its
        ``__cause__`` is the exception of the first fit that failed.

    {Warns: weak splits}
    AnticonservativeWarning
        With a `method` that rejects true nulls too often.
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
    check_optional_alternative(alternative)
    level = check_level(confidence_level)
    check_seed(random_state)
    check_n_jobs(n_jobs)
    named = named_estimators(estimator)
    several = isinstance(estimator, Mapping) or not is_one_metric(scoring) or by is not None
    slices = read_slices(by, groups, n_rows(X))
    check_index("by", by, X)
    methods = methods_of(method, null_value=null_value, alternative=alternative)
    test = methods.general
    if test.only_differences:
        raise ValueError(
            f"The {test.title} is for the difference of two estimators. Use compare_estimators, or "
            "another method."
        )
    if test.null_value:
        for metric in names_of(scoring, named, test):
            check_null_in_range(test.null_value, metric, *known_of(metric)[1:])
    options = FitOptions(
        params=params, n_jobs=n_jobs, verbose=verbose, store=store, fresh_seeds=fresh_seeds
    )
    plan = plan_fits(
        methods,
        named,
        X,
        y,
        groups=groups,
        scoring=scoring,
        cv=cv,
        random_state=random_state,
        options=options,
        observe=SplitsWatch,
    )
    plan = note_planned_splits(plan)
    if slices.rows:
        plan = sliced_plan = SlicedFits.of(plan)
    measured = measure(plan, Evidence.of_fits(plan))
    procedures, notes = settle(plan, methods, measured)
    measured.check_complete()
    if not several:
        measured.only()
    has_question = null_value is not None or alternative is not None
    inferences = {}
    used = {}
    for metric, scores in measured.scores.items():
        procedure = used[metric] = procedures.get(metric, test)
        auxiliary = measured.auxiliary.get(metric)
        if not several:
            (name,) = named
            scores = scores[name]
            auxiliary = entries_of(auxiliary, name)
        inference = procedure.run(scores, auxiliary).with_notes(notes.get(metric, ()))
        is_asked = has_question or not is_symmetric(procedure)
        reporting = replace(inference.reporting, asked=is_asked, confidence_level=level)
        inferences[metric] = replace(inference, reporting=reporting)
    whole = estimates_of(
        inferences,
        tuple(named),
        several=several,
        said=measured.said,
        scores=measured.scores,
        auxiliary=measured.auxiliary,
    )
    used = {metric: inference.origin.procedure for metric, inference in inferences.items()}
    return sliced_estimates(
        whole, slices, lambda kept: sliced_plan.measure_rows(measured, used, kept)
    )
