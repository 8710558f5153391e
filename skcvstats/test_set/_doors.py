"""compare_predictions, predictions_inference and compare_losses: fitted models on one test set."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from .._utils._arrays import as_numbers, entries_of
from .._utils._checks import check_flag, explain_arguments, is_several, listed
from .._utils._metrics import check_null_in_range, known_of
from .._utils._names import refuse_several_metrics, sounds_like_score
from .._utils._parts import refuse_texts
from .._utils._shared_arguments import check_alternative, check_level
from .._utils._text import check_printable, format_number
from ..comparison import (
    ComparisonResult,
    ScoreEstimates,
    check_comparison,
    compare,
    estimates_of,
    read_slices,
    sliced,
    sliced_estimates,
)
from ..notes import Evidence, SomeRows, as_stamps, on_losses, on_scores, rows_looked_at
from ..scores import (
    CVScores,
    Note,
    check_range,
    find_notes,
    largest_of,
    refuse_divided_by_zero,
    refuse_losses,
)
from ..stats import Inference, LocationTest, check_present, one_each, read_weights
from ._alignment import arrays_of, by_name, matched_rows, named_runs, stamps_in, times_of
from ._data_sets import DataSetsTTest
from ._held_out import ClusteredTTest, mean_scores
from ._long import from_long
from ._measure import (
    KINDS,
    Options,
    check_bootstrap_options,
    check_resampling,
    measure_test_set,
    notes_of_order,
    timed_scores,
)
from ._metadata import places_of
from ._predictions import TestSet, read_labels, read_test_sets


@explain_arguments()
def compare_predictions(
    y_true: ArrayLike,
    predictions: Mapping[str, Any],
    *,
    scoring: str | Callable[..., Any] | Sequence[Any] | Mapping[str, Any],
    threshold: float | None = None,
    response: str = "auto",
    groups: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    time: ArrayLike | None = None,
    X: Any = None,
    by: ArrayLike | None = None,
    metric_params: Mapping[str, Any] | None = None,
    rows: str | None = None,
    models: str | None = None,
    values: str | None = None,
    runs: str | None = None,
    missing_rows: str = "raise",
    method: str = "auto",
    reference: str | None = None,
    alternative: str = "two-sided",
    margin: float | tuple[float, float] | None = None,
    adjustment: str = "auto",
    confidence_level: float = 0.95,
    variance: str = "jackknife",
    n_resamples: int | None = None,
    stratify: bool = False,
    random_state: int | np.random.RandomState | None = 0,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> ComparisonResult:
    """Compare fitted models by their predictions on one test set.

    The answer is about these fitted models, on rows like these. Out-of-fold predictions are of
    several models each, one for each fold: compare the algorithms with `compare_out_of_fold`.

    {Parameters: y_true}
    predictions : mapping or frame
        A mapping from each name to the predictions of that model, or a frame with a column for each
        model. The metric determines what is needed: labels, regression values, decision values, or
        probabilities of shape (n_rows,), of the second class, or (n_rows, n_classes). A list of
        such arrays, or one array of shape (n_runs, n_rows), is one model that was run several
        times: metrics that are means over rows are averaged row by row, others over the runs. A
        fitted estimator predicts `X` itself.
    {shared: metrics, threshold, response, row groups, sample_weight, time, test X}
    {shared: by of comparisons}
    {shared: metric_params, long frame}
        `y_true` then is the name of the column of the target, as ``"label"``, and so may be
        `groups`, `sample_weight`, `time`, `by` and the entries of `metric_params`.
    {shared: missing_rows}
    method : {"auto", "clustered_t", "delong", "mcnemar", "jackknife_t", "bootstrap", \
            "diebold_mariano"}, default="auto"
        ``"diebold_mariano"`` is for rows in time order, see `time`; ``"clustered_t"`` for metrics
        that are means over rows, such as accuracy or neg_log_loss; ``"delong"`` for roc_auc;
        ``"jackknife_t"`` for all other metrics that are smooth, such as F1, average precision and
        R2; ``"bootstrap"`` for those that are not, such as medians and quantiles. ``"auto"`` takes
        the first that suits the metric; for a metric of your own a note says which of the last two
        was taken. ``"mcnemar"`` is for accuracies without groups and weights.
    {shared: model reference, model alternative, margin}
    adjustment : {"auto", "max_t", "holm", "bonferroni", "hochberg", "bh", "by", "none"}, \
            default="auto"
        How to adjust for the number of comparisons; ``"auto"`` is ``"max_t"``, and
        ``"bonferroni"`` with ``method="mcnemar"``.
    {shared: verdict level}

    {Returns: comparison result}

    {Other Parameters: variance, n_resamples, bootstrap strata, bootstrap seed, bootstrap jobs}
    {shared: bootstrap verbose}

    {Raises: unpaired}
    ValueError
        If predictions are missing, are not what the metric needs, or are of a class that a target
        of two classes lacks; if there is only one class or group, groups tell as little about
        a mean as fewer than two equal ones, the metric is not defined for a model, with all rows or
        without one of them, or smaller is better in it.

    Warns
    -----
    SplitDesignWarning
        If there are few groups or few rows of a class, or groups that tell as little as fewer than
        three equal ones.
    AnticonservativeWarning
        If a bootstrap has fewer than 10 rows of the rarer class, or groups or weights that tell as
        little as fewer than 20 equal ones; with ``variance="sandwich"``, if groups are very
        unequal.

    {See Also: compare_losses, compare_estimators, mcnemar_exact_test}
    predictions_inference : The score of each model, with its interval.
    compare_out_of_fold : Compares learning algorithms by out-of-fold predictions.

    Notes
    -----
    See `ClusteredTTest`, `DeLongTest`, `McNemarScoreTest`, `JackknifeTTest` and `BootstrapTest`.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import train_test_split
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcvstats import compare_predictions
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
    >>> models = {
    ...     "logistic": LogisticRegression(max_iter=10_000).fit(X_train, y_train),
    ...     "tree": DecisionTreeClassifier(max_depth=3, random_state=0).fit(X_train, y_train),
    ... }
    >>> result = compare_predictions(y_test, models, X=X_test, scoring="roc_auc")
    >>> print(f"{result[0].test.estimate:.2f}, p = {result[0].test.pvalue:.2f}")
    0.01, p = 0.13
    """
    check_alternative(alternative)
    check_level(confidence_level)
    check_resampling(n_resamples, random_state, n_jobs)
    of_rows = {"groups": groups, "sample_weight": sample_weight, "time": time, "X": X, "by": by}
    of_rows |= places_of(metric_params)
    columns = {"rows": rows, "models": models, "values": values, "runs": runs}
    predictions, of_rows = from_long(predictions, columns, {"y_true": y_true, **of_rows})
    sets = read_test_sets(
        scoring,
        threshold,
        predictions=predictions,
        missing_rows=missing_rows,
        response=response,
        **of_rows,
    )
    labels = sets[0].labels
    if len(labels) < 2:
        raise ValueError(
            f"Predictions of one model only, {labels[0]!r}: give those of at least two, or use "
            "predictions_inference for one."
        )
    some = _test("clustered_t", variance, alternative=alternative)
    how = check_comparison(some, labels, reference, adjustment, margin, confidence_level)

    def compared(scores: Mapping[str, CVScores], ways: Iterable[str]) -> ComparisonResult:
        chosen = [_test(way, variance, alternative=alternative) for way in ways]
        arguments = how | {"test": chosen[0], "tests": dict(zip(scores, chosen, strict=True))}
        if adjustment == "auto" and "mcnemar" in ways:
            arguments["adjustment"] = "bonferroni"  # it also adjusts Tango's intervals
        return compare(scores, **arguments)

    options = Options(method, n_resamples, stratify, random_state, n_jobs, verbose)
    slices = read_slices(sets[0].row_labels.slices, sets[0].groups, sets[0].n_rows)
    scores_by_metric = {}
    ways = {}
    for test_set in sets:
        scores, ways[test_set.metric_name] = measure_test_set(test_set, options)
        remedy = f"Pass scoring=make_scorer({scores.metric}, greater_is_better=False)."
        refuse_losses(scores.metric, scores.values, remedy)
        noted = notes_of_order(test_set, ways[test_set.metric_name])
        scores_by_metric[scores.metric] = scores.with_notes(noted)
    check_bootstrap_options(options, ways)
    whole = compared(scores_by_metric, ways.values())
    return sliced(whole, slices, partial(_measure_rows, sets, ways, options))


def _measure_rows(
    sets: Sequence[TestSet], ways: Mapping[str, str], options: Options, rows: np.ndarray
) -> dict[str, CVScores]:
    """Return the scores in each metric on some rows, by the methods of all rows."""
    measured = {}
    for test_set in sets:
        name = test_set.metric_name
        way = ways[name]
        if way == "clustered_t":  # by its name shares would not have Wilson's interval
            way = options.method
        measured[name], _ = measure_test_set(test_set.only(rows), replace(options, method=way))
    return measured


@explain_arguments()
def predictions_inference(
    y_true: ArrayLike,
    predictions: Any,
    *,
    scoring: str | Callable[..., Any] | Sequence[Any] | Mapping[str, Any],
    threshold: float | None = None,
    response: str = "auto",
    groups: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    X: Any = None,
    by: ArrayLike | None = None,
    metric_params: Mapping[str, Any] | None = None,
    method: str = "auto",
    variance: str = "jackknife",
    null_value: float | None = None,
    alternative: str = "two-sided",
    n_resamples: int | None = None,
    stratify: bool = False,
    random_state: int | np.random.RandomState | None = 0,
    n_jobs: int | None = None,
    verbose: int = 0,
    confidence_level: float = 0.95,
) -> Inference | ScoreEstimates:
    """Estimate metrics of one fitted model, or of several, on one test set.

    {Parameters: y_true}
    predictions : array-like, estimator, mapping or frame
        What one model predicts, a list of such arrays, or one array of shape (n_runs, n_rows),
        where it was run several times, or for several models what `compare_predictions` takes.
    {shared: metrics, threshold, response, row groups, sample_weight, test X, by of scores}
    {shared: metric_params}
    method : {"auto", "clustered_t", "delong", "mcnemar", "jackknife_t", "bootstrap"}, \
            default="auto"
        As in `compare_predictions`; of one model, ``"mcnemar"`` is Wilson's interval, as is
        ``"auto"`` for accuracies without groups, weights and repeated runs.
    {shared: variance}
    null_value : float, default=None
        The score to test against, such as the accuracy of guessing; None asks for no p-value.
    {shared: alternative, n_resamples, bootstrap strata, bootstrap seed, bootstrap jobs}
    {shared: bootstrap verbose, verdict level}

    Returns
    -------
    CVTestResult or ScoreEstimates
        For one model and one metric the estimate with its interval. For a mapping or a frame, or
        several metrics, or with `by`, a `ScoreEstimates`, which ranks the models without comparing
        them.

    Raises
    ------
    PairingError, ValueError
        As `compare_predictions`.

    {See Also: compare_predictions, cross_val_inference}

    Examples
    --------
    >>> from skcvstats import predictions_inference
    >>> y_true = [0, 0, 1, 1, 0, 1, 0, 1, 1, 0] * 8
    >>> y_pred = [0, 0, 1, 1, 0, 1, 1, 1, 0, 0] * 8
    >>> result = predictions_inference(y_true, y_pred, scoring="accuracy")
    >>> low, high = result.confidence_interval()
    >>> print(f"{result.estimate:.2f} ({low:.3f} to {high:.3f})")
    0.80 (0.700 to 0.873)
    """
    check_alternative(alternative)
    level = check_level(confidence_level)
    check_resampling(n_resamples, random_state, n_jobs)
    _test("clustered_t", variance)
    models = by_name(predictions)
    several = models is not None or is_several(scoring) or by is not None
    if models is None:
        models = {"model": predictions}
    null = 0.0 if null_value is None else null_value

    options = Options(method, n_resamples, stratify, random_state, n_jobs, verbose)
    of_rows = {"groups": groups, "sample_weight": sample_weight, "X": X, "by": by}
    of_rows |= places_of(metric_params)
    inferences: dict[str, Inference] = {}
    ways: dict[str, str] = {}
    names: tuple[str, ...] = ()
    sets = read_test_sets(scoring, threshold, y_true, models, response=response, **of_rows)
    slices = read_slices(sets[0].row_labels.slices, sets[0].groups, sets[0].n_rows)
    for test_set in sets:
        scores, way = measure_test_set(test_set, options)
        ways[scores.metric] = way
        scores = scores.with_notes(notes_of_order(test_set, way))
        test = _test(way, variance, alternative=alternative, null_value=null)
        check_null_in_range(null, scores.metric, *scores._limits)
        names = scores.labels
        inference = test.run(scores if several else scores.row(0))
        inference = inference.with_confidence(level)
        reporting = replace(inference.reporting, asked=null_value is not None)
        inferences[scores.metric] = replace(inference, reporting=reporting)
    check_bootstrap_options(options, ways)
    whole = estimates_of(inferences, names, several=several)
    return sliced_estimates(whole, slices, partial(_measure_rows, sets, ways, options))


def _test(way: str, variance: str, **options: Any) -> LocationTest:
    more: dict[str, Any] = {"variance": variance} if issubclass(KINDS[way], ClusteredTTest) else {}
    return KINDS[way](**more, **options)


@explain_arguments()
def compare_losses(
    losses: Mapping[str, Any] | ArrayLike,
    *,
    metric: str = "loss",
    greater_is_better: bool | None = None,
    groups: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    time: ArrayLike | None = None,
    by: ArrayLike | None = None,
    rows: str | None = None,
    models: str | None = None,
    values: str | None = None,
    runs: str | None = None,
    unit: str | None = None,
    missing_rows: str = "raise",
    variance: str = "jackknife",
    reference: str | None = None,
    alternative: str = "two-sided",
    margin: float | tuple[float, float] | None = None,
    adjustment: str = "auto",
    confidence_level: float = 0.95,
) -> ComparisonResult:
    """Compare fitted models by their losses on the rows of one test set.

    The answer is about these fitted models, on rows like these.

    Parameters
    ----------
    losses : mapping, frame or array-like
        The loss of each model on each test row, smaller is better:

        - a mapping from each name to an array or series of one loss for each row, or to a list of
          such arrays, or one array of shape (n_runs, n_rows), where a model was run several times,
          whose losses are averaged row by row;
        - a frame whose columns are the models and whose rows are the test rows;
        - an array of shape (n_models, n_rows).
    metric : str, default="loss"
        What the losses are, of a long frame the name of the column of its `values` by default;
        minus its mean, ``neg_`` and this name, is the score of a model.
    greater_is_better : bool, default=None
        True for a table of scores, whose mean is then the score of a model; `metric` is their
        name, by default "score". None takes them for losses, but refuses a `metric` that sounds
        like a score, such as exact_match, reward or bleu.
    {shared: row groups, sample_weight, time, by of comparisons, long frame}
        `groups`, `sample_weight`, `time` and `by` may then be names of columns, too.
    unit : str, default=None
        What there is a score of, if not a test row: a noun in the plural, such as "data sets" or
        "tasks". Texts are about these, and Wilcoxon's signed-rank p is given, see `DataSetsTTest`.
    {shared: missing_rows, variance, model reference}
    {shared: model alternative, margin}
    adjustment : {"auto", "max_t", "holm", "bonferroni", "hochberg", "bh", "by", "none"}, \
            default="auto"
        How to adjust for the number of comparisons; ``"auto"`` is ``"max_t"``.
    {shared: verdict level}

    Returns
    -------
    ComparisonResult
        The verdicts and the table. The estimate of a against b is minus the difference of their
        mean losses, so positive speaks for a.

    {Raises: unpaired}
    ValueError
        If a loss is missing, weights are negative, or groups tell as little as fewer than two
        equal ones; if `metric` is the name of a score, or of a loss that is never negative and
        some are.

    Warns
    -----
    SplitDesignWarning
        If there are few groups, or groups that tell as little as fewer than three equal ones.
    AnticonservativeWarning
        With ``variance="sandwich"``, if groups are very unequal.

    {See Also: compare_predictions, compare_scores}
    skcvstats.test_set.clustered_mean : The numbers on plain arrays.

    Notes
    -----
    See `ClusteredTTest`. Without groups it is the paired t-test over rows.

    Examples
    --------
    >>> import numpy as np
    >>> from skcvstats import compare_losses
    >>> generator = np.random.default_rng(0)
    >>> patients = np.repeat(np.arange(40), 5)
    >>> difficulty = generator.normal(size=40)[patients]
    >>> losses = {
    ...     "small": (1.5 + difficulty + generator.normal(size=200)) ** 2,
    ...     "large": (1.0 + difficulty + generator.normal(size=200)) ** 2,
    ... }
    >>> result = compare_losses(losses, metric="squared_error", groups=patients)
    >>> result[0].test.n_test, result[0].test.df
    (200, 39.0)
    """
    check_alternative(alternative)
    check_level(confidence_level)
    of_rows = {"groups": groups, "sample_weight": sample_weight, "time": time, "by": by}
    columns = {"rows": rows, "models": models, "values": values, "runs": runs}
    losses, of_rows = from_long(losses, columns, of_rows)
    if values is not None and metric == "loss":
        metric = str(values)
    runs_by_model, more, notes = _read_losses(losses, missing_rows, metric, of_rows)
    refuse_several_metrics(runs_by_model)
    test = ClusteredTTest(variance=variance, alternative=alternative)
    if unit is not None:
        test = DataSetsTTest(variance=variance, alternative=alternative, unit=unit)
    options = reference, adjustment, margin, confidence_level
    how = check_comparison(test, tuple(runs_by_model), *options)
    is_greater_better = _read_direction(metric, greater_is_better)
    if is_greater_better:
        what = "scores"
        sign = 1
        name = "score" if metric == "loss" else metric
        measured = name
        loss = ""
    else:
        what = "losses"
        sign = -1
        name = f"neg_{metric}"
        measured = metric
        loss = metric
    scores_of_runs = [sign * np.stack(runs) for runs in runs_by_model.values()]
    scores_of_rows = np.stack([runs.mean(axis=0) for runs in scores_of_runs])
    check_range(f"the {what}", largest_of(scores_of_rows))
    slices = read_slices(more.pop("by"), more["groups"], scores_of_rows.shape[1])
    remedy = (
        f"If they are not {what}, pass greater_is_better={not is_greater_better}, else another "
        "name."
    )
    if known_of(name).sign < 0:
        raise ValueError(f"metric={metric!r} is not a name of {what}. {remedy}")
    refuse_losses(name, scores_of_rows, remedy, loss=loss)
    refuse_divided_by_zero(name, scores_of_rows)
    facts: dict[str, Any] = {"labels": tuple(runs_by_model), "metric": name}
    facts["provenance"] = {"scoring": f"{what} made elsewhere ({measured})"}
    noted = on_losses(name, scores_of_rows)
    times = more.pop("times")
    stamps = more.pop("stamps")
    scores = None
    if times is not None:
        if unit is not None:
            raise ValueError(
                f"unit={unit!r} takes them to be independent, and rows with times may depend on "
                "those near in time. Leave out unit=, or time= and the dates of an index "
                "(.reset_index(drop=True))."
            )
        asked = time is not None
        scores = timed_scores(scores_of_rows, times, stamps, asked=asked, **more, **facts)
    if scores is not None:
        how["test"] = _test("diebold_mariano", variance, alternative=alternative)
        scores = scores.with_notes([*noted, *notes])
    else:
        scores = mean_scores(scores_of_rows, runs=scores_of_runs, **more, **facts)
        if more["groups"] is None:
            evidence = Evidence(y=None)
            notes += on_scores(evidence, predicted=list(scores_of_rows))
            numbers = rows_looked_at(scores_of_rows.shape[1])
            some_rows = SomeRows(numbers, scores_of_rows[:, numbers])
            notes += on_scores(evidence, of_rows=some_rows, noted=notes)
        notes = (*notes, *on_scores(Evidence(), scores=scores))
        scores = test.scores_of(scores.with_notes([*noted, *notes]), scores_of_rows)
    is_timed = scores.row_scores is not None

    def measure(kept: np.ndarray) -> dict[str, CVScores]:
        values = scores_of_rows[:, kept]
        parts = {place: entries_of(part, kept) for place, part in more.items()}
        if is_timed:
            timed = timed_scores(values, times[kept], None, asked=True, **parts, **facts)
            return {name: cast("CVScores", timed)}
        return {name: test.scores_of(mean_scores(values, **parts, **facts), values)}

    return sliced(compare({name: scores}, **how), slices, measure)


def _read_direction(metric: Any, greater_is_better: Any) -> bool:
    """Return whether greater is better, or raise an error for a name that says so of losses."""
    if not isinstance(metric, str) or not metric:
        raise TypeError(f"metric={metric!r} must be a name: here it labels losses that are there.")
    check_printable([metric], "metrics")
    if greater_is_better is not None:
        return check_flag("greater_is_better", greater_is_better)
    if sounds_like_score(metric):
        raise ValueError(
            f"metric={metric!r} is not a name of losses, for which lower is better. Pass "
            "greater_is_better=True if greater is better, else greater_is_better=False."
        )
    return False


def _read_losses(
    losses: Any, missing_rows: str, metric: str, more: Mapping[str, Any]
) -> tuple[dict[str, list[np.ndarray]], dict[str, Any], tuple[Note, ...]]:
    """Return the losses of the runs of each model, further arrays, all in one order, and notes."""
    if isinstance(losses, CVScores):
        raise TypeError(
            "compare_losses takes losses of single test rows, got CVScores of splits. Use "
            "compare_scores."
        )
    named = by_name(losses)
    if named is None:
        table = as_numbers("losses", losses)
        if table.ndim != 2:
            raise ValueError(
                f"Shape {table.shape} of losses; expected (n_models, n_rows). Pass a mapping from "
                "each name to one loss for each test row, or to a list of such arrays for repeated "
                "runs."
            )
        named = {f"estimator {k}": row for k, row in enumerate(table)}
    if len(named) < 2:
        raise ValueError(
            f"Losses of {listed(named) or 'no model'} only: give those of at least two models, or "
            "use skcvstats.test_set.clustered_mean for one."
        )
    refuse_texts(
        losses,
        "The losses have",
        "Of a frame with a line for each row and model name the columns by rows=, models= and "
        "values=.",
    )
    runs = named_runs(named, "losses")
    arrays, owners, named_tables = arrays_of(runs, "losses")
    tables = {"losses": losses, **named_tables}

    def describe_score(model: str, parts: Mapping[str, Any]) -> str:
        numbers = [as_numbers(place, parts[place]) for name, place, _ in runs if name == model]
        return f"{metric} {format_number(float(np.mean(numbers)))}"

    aligned, notes = matched_rows({**arrays, **more}, owners, missing_rows, describe_score)
    notes += find_notes(Evidence(groups=more["groups"], tables=tables))
    runs_by_model: dict[str, list[np.ndarray]] = {}
    for name, place, _ in runs:
        numbers = as_numbers(place, aligned[place])
        numbers = one_each(place, numbers, len(numbers), "loss")
        check_present(place, numbers)
        runs_by_model.setdefault(name, []).append(numbers)
    of_rows = {
        **{place: read_labels(place, aligned[place]) for place in ("groups", "by")},
        "sample_weight": read_weights(aligned["sample_weight"], len(numbers)),
        "times": times_of(aligned),
        "stamps": as_stamps(stamps_in(aligned)),
    }
    return runs_by_model, of_rows, notes
