"""compare_scores: compares finished scores, in any accepted form; nothing is fitted."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from .._utils._arrays import as_numbers
from .._utils._checks import (
    check_flag,
    check_verbose,
    distinct,
    explain_arguments,
    is_array,
    is_list_of,
    is_several,
    listed,
    one_line,
)
from .._utils._metrics import known_of
from .._utils._names import refuse_several_metrics
from .._utils._parts import REFUSED_IN_SCORES, refuse_parts, refuse_texts
from .._utils._shared_arguments import check_level, check_optional_alternative
from ..comparison import ComparisonResult, check_comparison, compare
from ..exceptions import SplitDesignError
from ..notes import PassedEvidence
from ..scores import (
    CVScores,
    SplitDesign,
    check_design,
    check_range,
    find_notes,
    largest_of,
    metrics_of,
    refuse_divided_by_zero,
    refuse_losses,
    stack_scores,
)
from ..stats import Procedure, get_procedure


@explain_arguments(sample_weight="the scores are finished. Use weights where they are made")
def compare_scores(
    scores: "CVScores | Mapping[str, Any] | ArrayLike | ReportsByName",
    *,
    metric: str | Sequence[str] | None = None,
    design: SplitDesign | None = None,
    greater_is_better: bool | None = None,
    method: str | Procedure = "corrected_resampled_t",
    reference: str | None = None,
    alternative: str | None = None,
    adjustment: str = "auto",
    margin: float | tuple[float, float] | None = None,
    auxiliary: "CVScores | Mapping[str, Any] | ReportsByName | None" = None,
    confidence_level: float = 0.95,
    verbose: int = 0,
) -> ComparisonResult:
    """Compare estimators by scores that already exist; nothing is fitted.

    Parameters
    ----------
    scores : CVScores, mapping, array-like, frame or ComparisonReport
        The scores of at least two estimators on the same splits, greater is better unless
        `greater_is_better` says otherwise:

        - one `CVScores` of shape (n_estimators, n_splits);
        - a mapping from each name to a `CVScores`, to what
          `cross_validate(..., return_indices=True)` returned, to a ``CrossValidationReport`` of
          skore, or with `design` to a list or array of one score for each split;
        - ``scores_by_metric`` of a result, or ``scores`` of a `FitError`: a mapping from each
          metric to one `CVScores` of all estimators;
        - with `design`, an array of shape (n_estimators, n_splits);
        - with `design`, a frame whose columns are the estimators and whose rows are the splits;
        - a ``ComparisonReport`` of skore, of cross-validation reports. A metric for which smaller
          is better is negated, and its name gets the prefix ``neg_``.
    metric : str or sequence of str, default=None
        Which metrics; None is all that the scores contain. Of a single metric that has no name, in
        `cross_validate` dicts ("score") and arrays, it is the name.
    design : SplitDesign, default=None
        The splits of arrays, and of `cross_validate` dicts without their indices, which
        the result then notes as not verified; a dict that contains other indices is refused. With
        the data it also tells of `groups` and of the target:
        ``SplitDesign.from_splitter(cv, X, y, groups)``.
    greater_is_better : bool, default=None
        False negates the scores of every metric once: the metric then gets the prefix ``neg_``, and
        the result notes it. None takes greater for better, but refuses positive scores that are
        losses by the name of the metric, such as mean_squared_error, log_loss or error_rate.
    method : str or Procedure, default="corrected_resampled_t"
        One of `get_procedure_names()`, or a procedure with its options.
    {shared: reference, alternative or None, adjustment, margin}
    auxiliary : CVScores, mapping or ComparisonReport, default=None
        For a `method` that takes its variance from auxiliary splits, the scores of the same
        estimators on them, in a form of `scores` that knows its splits; `design` is not of these.
    {shared: verdict level}
    verbose : int, default=0
        1 shows the progress of max-t of many estimators, where it takes more than two seconds.

    {Returns: comparison result}

    Raises
    ------
    PairingError
        If the scores were not measured on the same splits.
    SplitDesignError
        If the sizes of the splits cannot be known, or contradict `design`; or if the splits are in
        time order, and the scores are not of rows or `method` is not for these.
    ValueError
        If not all estimators have the same metrics, an array or a frame could be either way round,
        the scores are losses by the name of the metric, the names of the estimators end in
        different metrics, or `margin` is as wide as it can be.

    {See Also: CVScores.from_cv_results}

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.dummy import DummyClassifier
    >>> from sklearn.model_selection import cross_validate
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcvstats import RepeatedSubsampleSplit, SplitDesign, compare_scores
    >>> X, y = load_iris(return_X_y=True)
    >>> models = {"tree": DecisionTreeClassifier(random_state=0), "dummy": DummyClassifier()}
    >>> cv = RepeatedSubsampleSplit(15, random_state=0)
    >>> done = {
    ...     name: cross_validate(model, X, y, cv=cv, return_indices=True)
    ...     for name, model in models.items()
    ... }
    >>> result = compare_scores(done, metric="accuracy")
    >>> result.tests[0].estimate > 0.3, result.tests[0].pvalue < 0.001
    (True, True)

    Results that were saved without their indices need the splits from elsewhere:

    >>> saved = {name: results["test_score"] for name, results in done.items()}
    >>> design = SplitDesign.from_splitter(cv, X, y)
    >>> again = compare_scores(saved, metric="accuracy", design=design)
    >>> again.tests[0].pvalue == result.tests[0].pvalue
    True
    """
    check_optional_alternative(alternative)
    check_level(confidence_level)
    check_verbose(verbose)
    samples = scores_by_metric(scores, metric, design)
    test = get_procedure(method, alternative=alternative)
    labels = next(iter(samples.values())).labels
    how = check_comparison(test, labels, reference, adjustment, margin, confidence_level)
    further = _in_direction(_auxiliary_scores(auxiliary, metric, samples), greater_is_better)
    return compare(_in_direction(samples, greater_is_better), further, **how, verbose=verbose)


def _in_direction(samples: dict[str, CVScores], greater_is_better: Any) -> dict[str, CVScores]:
    """Return scores for which greater is better, or raise ValueError for losses."""
    if greater_is_better is not None and not check_flag("greater_is_better", greater_is_better):
        losses = samples
        samples = {}
        for name, scores in losses.items():
            if known_of(scores.metric).sign > 0:
                raise ValueError(
                    f"greater_is_better=False, but greater is better in {scores.metric!r}. Leave "
                    "it out, or choose the losses with metric=."
                )
            evidence = PassedEvidence(negated_metric=scores.metric)
            called: Any = {"metric": f"neg_{scores.metric}", "row_scores": None, "components": None}
            negated = replace(scores, values=-scores.values, **called)
            samples[f"neg_{name}"] = negated.with_notes(find_notes(evidence))
    for name, scores in samples.items():
        refuse_divided_by_zero(name, scores.values)
        if known_of(name).sign > 0:
            refuse_losses(name, scores.values, "Negate them once, or leave neg_ out of their name.")
        elif greater_is_better is None:
            remedy = f"Pass greater_is_better=False, or negated losses called 'neg_{name}'."
            refuse_losses(name, scores.values, remedy)
    return samples


def _auxiliary_scores(
    auxiliary: Any, metric: str | Sequence[str] | None, samples: dict[str, CVScores]
) -> dict[str, CVScores]:
    """Return the scores on the auxiliary splits, in the metrics of the other scores."""
    if auxiliary is None:
        return {}
    further = scores_by_metric(auxiliary, metric)
    if len(further) == len(samples) == 1:  # which are checked to be the same
        return dict(zip(samples, further.values(), strict=True))
    return _choose_metrics("the auxiliary scores", further, list(samples))


_MEAN = re.compile(r"(train|valid|test)[ -].+-mean")


def columns_of(given: Any) -> Iterable[Any]:
    """Return the keys of a mapping or the columns of a frame; none of anything else."""
    if isinstance(given, Mapping):
        return given.keys()
    columns: Iterable[Any] = getattr(given, "columns", ())
    return columns


def refuse_means(given: Any, what: str) -> None:
    """Raise ValueError for means and standard deviations over the folds."""
    means = [key for key in columns_of(given) if _MEAN.fullmatch(str(key))]
    if means:
        raise ValueError(
            f"{what} are means and standard deviations over the folds, for each number of rounds: "
            f"{listed(means)}. Neither tells how the scores of two models vary together, so "
            "nothing follows from them. Score the booster of each fold on its test rows: "
            "lightgbm.cv(..., folds=..., return_cvbooster=True), xgboost.cv(..., folds=..., "
            "callbacks=[...]) with a callback that keeps the boosters. Then pass one score per "
            "fold, and design=SplitDesign.from_splitter(cv, X, y). Or use LGBMClassifier, "
            "XGBClassifier and the like with compare_estimators, which fits and scores them."
        )


# Rows of a summary that are not used: durations, and a metric that also has its own name.
_NO_METRICS = ("fit_time", "predict_time")
_REPEATED = "default_score"


class ReportsByName(Protocol):
    """The attributes of a ``ComparisonReport``."""

    @property
    def reports_(self) -> Any: ...


def is_report(given: Any) -> bool:
    """Whether something is a report of one estimator on several splits."""
    return hasattr(given, "split_indices") and hasattr(given, "metrics")


def read_report(name: str, report: Any) -> dict[str, CVScores]:
    """Return the scores of a report by metric, greater is better."""
    train, test = zip(*report.split_indices, strict=True)
    y = getattr(report, "y", None)
    n_samples = None if y is None else len(y)
    source = one_line(getattr(report, "splitter", None))
    design = SplitDesign.from_indices(train, test, n_samples=n_samples, y=y, source=source)
    return {
        metric: CVScores(values=values, design=design, labels=(name,), metric=metric)
        for metric, values in _values_by_metric(report, design.n_splits).items()
    }


def _values_by_metric(report: Any, n_splits: int) -> dict[str, np.ndarray]:
    """Return one score for each split by metric; nan if a report has none."""
    display = report.metrics.summarize(data_source="test")
    summary = display.summary
    is_used = (summary["data_source"] == "test") & ~summary["name"].isin(_NO_METRICS)
    by_metric: dict[str, np.ndarray] = {}
    for row in summary[is_used].to_dict("records"):
        metric = row["name"]
        score = float(row["score"])
        if not row["greater_is_better"]:
            metric = f"neg_{metric}"
            score = -score
        parts = [
            f"{part} {row[part]}"
            for part in ("label", "output")
            if str(row.get(part)) not in ("None", "<NA>", "nan")
        ]
        if parts:
            metric += f" ({', '.join(parts)})"
        values = by_metric.setdefault(metric, np.full(n_splits, np.nan))
        values[int(row["split"])] = score
    if len(by_metric) > 1:
        by_metric.pop(_REPEATED, None)
    return by_metric


def check_stated(design: Any, what: str) -> SplitDesign:
    """Return the design of bare scores, or raise an error that says how to state it."""
    if design is None:
        raise SplitDesignError(
            f"The sizes of the splits are not in {what}, and the correction depends on them. State "
            "them: design=SplitDesign.from_splitter(cv, X, y) or design=SplitDesign.from_sizes("
            "n_train=..., n_test=..., n_splits=...); or pass CVScores(values=..., design=...)."
        )
    return check_design(design)


def _scores_of_columns(frame: Any, design: SplitDesign | None) -> dict[Any, np.ndarray]:
    """Return the scores of each estimator, a column of a frame."""
    names = distinct(frame.columns, "columns of the frame")
    refuse_texts(
        frame,
        "The frame has",
        "If the frame is in long form, with a row for each score, pass a column of scores for each "
        "estimator, such as frame.pivot(index='split', columns={}, values='score').",
    )
    refuse_parts(frame, REFUSED_IN_SCORES)
    design = check_stated(design, "a frame of scores")
    values = np.asarray(frame).T
    # A frame with named columns and numbered rows is not the other way round.
    has_names = is_list_of(list(frame.columns), str)
    if not has_names or is_list_of(list(getattr(frame, "index", [0])), str):
        _refuse_square(
            values,
            design,
            "Name the columns after the estimators and number the rows, or pass a dict such as "
            '{"tree": frame["tree"], "forest": frame["forest"]}.',
        )
    _check_shape(values, design, np.shape(frame), "(n_splits, n_estimators)", "frame.T")
    return dict(zip(names, values, strict=True))


def _scores_of_rows(array: Any, design: SplitDesign | None) -> dict[Any, np.ndarray]:
    """Return the scores of each estimator, a row of an array."""
    values = as_numbers("the array of scores", array)
    design = check_stated(design, "an array of scores")
    _refuse_square(
        values,
        design,
        'Say which by a dict: {"tree": scores[0], "forest": scores[1], ...} if rows are '
        "estimators, else with scores[:, 0].",
    )
    _check_shape(values, design, values.shape, "(n_estimators, n_splits)", "scores.T")
    return {f"estimator {k}": row for k, row in enumerate(values)}


def _refuse_square(values: np.ndarray, design: SplitDesign, remedy: str) -> None:
    """Raise ValueError for as many estimators as splits, which do not show which are which."""
    if values.shape == (design.n_splits, design.n_splits):
        raise ValueError(
            f"Scores of shape {values.shape} with {design.n_splits} splits may be either way "
            f"round. {remedy}"
        )


def _check_shape(
    values: np.ndarray, design: SplitDesign, shape: tuple[int, ...], expected: str, turned: str
) -> None:
    """Raise ValueError unless values are estimators by splits, for what was given in a shape."""
    wanted = (design.n_splits,)
    if values.shape[1:] != wanted:
        raise ValueError(
            f"The scores have shape {shape}, and design= has {design.n_splits} splits; expected "
            f"shape {expected}. If they are turned, pass {turned}."
        )


def scores_by_metric(
    scores: Any, metric: str | Sequence[str] | None, design: SplitDesign | None = None
) -> dict[str, CVScores]:
    """Return the scores of two or more estimators as one CVScores for each metric."""
    wanted = _read_names(metric)
    if isinstance(scores, CVScores):
        if scores.ndim != 2:
            raise ValueError(
                "A comparison needs the scores of at least two estimators, got shape "
                f"{scores.shape}. For one, use CVScores.confidence_interval."
            )
        scores = {scores.metric: scores}
    by_name = _by_name(scores, design)
    if not by_name:
        raise ValueError("No scores given; give those of at least two estimators.")
    parts = list(by_name.values())
    if design is not None:
        _refuse_needless_design(parts)
    if all(isinstance(part, CVScores) and part.ndim == 2 for part in parts):
        _check_same_estimators(by_name)
        return _choose_metrics("these scores", by_name, wanted)
    refuse_several_metrics(by_name)
    by_estimator = {
        str(name): _read(str(name), part, wanted, design) for name, part in by_name.items()
    }
    return {name: stack_scores(parts) for name, parts in _by_metric(by_estimator).items()}


def _read_names(metric: Any) -> list[str] | None:
    """Return the names of the metrics that are wanted, None for all."""
    if metric is None:
        return None
    names = list(metric) if is_several(metric) else [metric]
    if not names or not is_list_of(names, str):
        raise ValueError(f"metric={metric!r} must be the name of a metric, or a list of names.")
    return names


def _knows_splits(part: Any) -> bool:
    """Tell whether scores come with their splits."""
    return isinstance(part, CVScores) or is_report(part)


def _refuse_needless_design(parts: Sequence[Any]) -> None:
    """Raise ValueError if all scores know their splits, so that no design can be stated."""
    if all(map(_knows_splits, parts)):
        raise ValueError(
            "design= states the splits of cross_validate's results and of arrays, but these scores "
            f"are of type {type(parts[0]).__name__} and know their splits; leave design out."
        )


def _check_same_estimators(scores: Mapping[Any, CVScores]) -> None:
    """Raise ValueError unless scores of several estimators are by metric, of the same ones."""
    labels = next(iter(scores.values())).labels
    for name, part in scores.items():
        if part.metric != name or part.labels != labels:
            raise ValueError(
                f"The scores under {name!r} are of {part.metric!r} and of the estimators "
                f"{listed(part.labels)}. A mapping of CVScores of several estimators must "
                "have the metrics as its keys, and the same estimators everywhere, here "
                f"{listed(labels)}."
            )


def _by_name(scores: Any, design: SplitDesign | None) -> Mapping[Any, Any]:
    """Return what was given for each estimator."""
    refuse_means(scores, "These scores")
    if isinstance(scores, Mapping):
        return scores
    reports = getattr(scores, "reports_", None)
    if isinstance(reports, Mapping):
        return reports
    if hasattr(scores, "columns"):
        return _scores_of_columns(scores, design)
    if is_array(scores) and not is_list_of(scores, (Mapping, CVScores)):
        return _scores_of_rows(scores, design)
    raise TypeError(
        "Expected CVScores of several estimators, a mapping from names to their scores such as "
        '{"tree": a, "forest": b}, an array or a frame of scores with design=, or a '
        f"ComparisonReport of skore, got {type(scores).__name__}. The scores of a result are "
        "result.scores; the candidates of a search are compared by compare_candidates(search)."
    )


def _read(
    name: str, given: Any, wanted: list[str] | None, design: SplitDesign | None
) -> dict[str, CVScores]:
    """Return the scores of one estimator by metric."""
    what = f"the scores of {name!r}"
    if isinstance(given, CVScores):
        return _choose_metrics(what, {given.metric: given}, wanted)
    refuse_means(given, f"The scores of {name!r}")
    if isinstance(given, Mapping):
        return _read_results(what, given, wanted, design)
    if is_report(given):
        return _choose_metrics(what, read_report(name, given), wanted)
    if is_array(given):
        return _read_array(name, given, wanted, design)
    raise TypeError(
        f"The scores of {name!r} are of type {type(given).__name__}; expected CVScores, the dict "
        "of cross_validate(..., return_indices=True), a CrossValidationReport of skore, or with "
        "design= one score for each split. The scores of a result are result.scores."
    )


def _read_results(
    what: str, results: Mapping[str, Any], wanted: list[str] | None, design: SplitDesign | None
) -> dict[str, CVScores]:
    """Return the scores in a result of `cross_validate`; its splits are read once."""
    names: list[Any] = wanted or [None]
    alone = names[0]  # a single metric without a name may be named
    by_metric = _choose_metrics(what, metrics_of(results, alone), wanted)
    first_name = next(iter(by_metric), None)
    first = CVScores.from_cv_results(results, metric=first_name, design=design)
    scores = {
        name: CVScores(
            values=values,
            metric=name,
            design=first.design,
            labels=first.labels,
            fit_times=first.fit_times,
            score_times=first.score_times,
        )
        for name, values in by_metric.items()
    }
    return {**scores, first.metric: first}


def _read_array(
    name: str, given: Any, wanted: list[str] | None, design: SplitDesign | None
) -> dict[str, CVScores]:
    """Return bare scores on stated splits."""
    design = check_stated(design, f"the scores of {name!r}")
    metric, *others = wanted or ["score"]
    if others:
        raise ValueError(
            f"metric={wanted!r}, but the scores of {name!r} are of one metric; pass its name."
        )
    values = as_numbers(f"the array of scores of {name!r}", given)
    if values.shape != (design.n_splits,):
        raise ValueError(
            f"The scores of {name!r} have shape {values.shape}, but design= has {design.n_splits} "
            "splits; give one score for each split."
        )
    check_range(f"the scores of {name!r}", largest_of(values))
    stated = design.as_stated()  # by the user
    return {metric: CVScores(values=values, design=stated, labels=(name,), metric=metric)}


def _choose_metrics(
    what: str, by_metric: Mapping[str, Any], wanted: list[str] | None
) -> dict[str, Any]:
    """Return what there is for the requested metrics, or for all."""
    names = wanted or list(by_metric)
    missing = sorted(set(names) - by_metric.keys())
    if missing:
        raise ValueError(
            f"metric={missing[0]!r} is not in {what}, which contain {listed(by_metric, 20)}; "
            "choose one."
        )
    return {name: by_metric[name] for name in names}


def _by_metric(
    by_estimator: Mapping[str, Mapping[str, CVScores]],
) -> dict[str, dict[str, CVScores]]:
    """Turn scores by estimator and metric into scores by metric and estimator."""
    if max(map(len, by_estimator.values())) == 1:  # all have one metric, whatever its name
        single = {name: next(iter(scores.values())) for name, scores in by_estimator.items()}
        return {next(iter(single.values())).metric: single}
    metrics = list(dict.fromkeys(chain.from_iterable(by_estimator.values())))
    lacking = [name for name, scores in by_estimator.items() if len(scores) < len(metrics)]
    if lacking:
        raise ValueError(
            f"There are scores in {listed(metrics)}, but not in all of these for "
            f"{listed(lacking)}. Choose metrics that all have with metric=."
        )
    return {
        metric: {name: scores[metric] for name, scores in by_estimator.items()}
        for metric in metrics
    }
