"""Turn scores of several estimators, in any accepted form, into one CVScores for each metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from .._utils._arrays import as_numbers
from .._utils._checks import listed
from ..scores import CVScores, SplitDesign, metrics_of, stack_scores
from ..stats import where_scores_are
from ._arrays import check_stated, columns_of, is_array, rows_of
from ._means_only import refuse_means
from ._skore import is_report, read_report, reports_by_name


def scores_by_metric(
    scores: Any, metric: str | Sequence[str] | None, design: SplitDesign | None = None
) -> dict[str, CVScores]:
    """Return the scores of two or more estimators as one CVScores for each metric."""
    if isinstance(scores, CVScores):
        _check_metric(scores, metric)
        _check_design_is_wanted(design, [scores])
        return {scores.metric: _checked_shape(scores)}
    if _is_by_metric(scores):
        _check_design_is_wanted(design, list(scores.values()))
        return _read_by_metric(scores, metric)
    given = _by_name(scores, design)
    read = {str(name): _read(str(name), part, metric, design) for name, part in given.items()}
    _check_design_is_wanted(design, list(given.values()))
    return {name: _checked_shape(stack_scores(parts)) for name, parts in _by_metric(read).items()}


def _is_by_metric(scores: Any) -> bool:
    """Whether something has the form of ``scores_by_metric`` of a result or a `FitError`."""
    if not isinstance(scores, Mapping) or not scores:
        return False
    return all(isinstance(part, CVScores) and part.ndim == 2 for part in scores.values())


def _read_by_metric(
    scores: Mapping[str, CVScores], metric: str | Sequence[str] | None
) -> dict[str, CVScores]:
    """Return the requested metrics, which must have the same estimators."""
    labels = next(iter(scores.values())).labels
    for name, part in scores.items():
        if (part.metric, part.labels) != (name, labels):
            raise ValueError(
                f"The scores under {name!r} are of {part.metric!r} and of the estimators "
                f"{listed(part.labels)}. A mapping of CVScores of several estimators must have the "
                f"metrics as its keys, and the same estimators everywhere, here {listed(labels)}."
            )
    return _chosen("these scores", dict(scores), metric)


def _by_name(scores: Any, design: SplitDesign | None) -> Mapping[Any, Any]:
    """Return what was given for each estimator."""
    refuse_means(scores, "These scores")
    if isinstance(scores, Mapping):
        return scores
    reports = reports_by_name(scores)
    if reports is not None:
        return reports
    if hasattr(scores, "columns"):
        return columns_of(scores, design)
    if is_array(scores) and not _is_list_of_results(scores):
        return rows_of(scores, design)
    raise TypeError(
        "Expected CVScores of several estimators, a mapping from names to their scores such as "
        '{"tree": a, "forest": b}, an array or a frame of scores with design=, or a '
        f"ComparisonReport of skore, got {type(scores).__name__}.{where_scores_are(scores)}"
    )


def _is_list_of_results(scores: Any) -> bool:
    """Whether results are in a list, and so have no names."""
    if not isinstance(scores, Sequence):
        return False
    return any(isinstance(part, (CVScores, Mapping)) or is_report(part) for part in scores)


def _read(
    name: str, given: Any, metric: str | Sequence[str] | None, design: SplitDesign | None
) -> dict[str, CVScores]:
    """Return the scores of one estimator by metric."""
    if isinstance(given, CVScores):
        _check_metric(given, metric)
        return {given.metric: given}
    refuse_means(given, f"The scores of {name!r}")
    if isinstance(given, Mapping):
        return _read_results(given, metric, design)
    if is_report(given):
        return _chosen(f"the scores of {name!r}", read_report(name, given), metric)
    if is_array(given):
        return _read_array(name, given, metric, design)
    raise TypeError(
        f"The scores of {name!r} are a {type(given).__name__}; expected CVScores, the dict of "
        "cross_validate(..., return_indices=True), a CrossValidationReport of skore, or with "
        f"design= one score for each split.{where_scores_are(given)}"
    )


def _read_results(
    results: Mapping[str, Any], metric: str | Sequence[str] | None, design: SplitDesign | None
) -> dict[str, CVScores]:
    """Return the scores in a result of `cross_validate`; its splits are read once."""
    held = metrics_of(results)
    names = list(held) if metric is None else [metric] if isinstance(metric, str) else list(metric)
    first = CVScores.from_cv_results(results, metric=names[0] if names else None, design=design)
    found = {first.metric: first}
    for name in names[1:]:
        if name not in held:
            raise ValueError(f"metric={name!r} is not in the results; they hold {listed(held)}.")
        found[name] = CVScores(
            values=held[name],
            design=first.design,
            labels=first.labels,
            metric=name,
            fit_times=first.fit_times,
            score_times=first.score_times,
        )
    return found


def _read_array(
    name: str, given: Any, metric: str | Sequence[str] | None, design: SplitDesign | None
) -> dict[str, CVScores]:
    """Return bare scores on stated splits."""
    design = check_stated(design, f"the scores of {name!r}")
    if metric is not None and not isinstance(metric, str):
        raise ValueError(
            f"metric={metric!r}, but the scores of {name!r} are of one metric; pass its name."
        )
    try:
        values = as_numbers(f"the array of scores of {name!r}", given)
    except TypeError as error:
        raise ValueError(str(error)) from error
    if values.shape != (design.n_splits,):
        raise ValueError(
            f"The scores of {name!r} have shape {values.shape}, but design= has {design.n_splits} "
            "splits; give one score for each split."
        )
    metric = "score" if metric is None else metric
    # the user states these splits
    stated = replace(design, digests=None, seed=None)
    return {metric: CVScores(values=values, design=stated, labels=(name,), metric=metric)}


def _chosen(
    name: str, found: dict[str, CVScores], metric: str | Sequence[str] | None
) -> dict[str, CVScores]:
    """Return the requested metrics among those found."""
    if metric is None:
        return found
    wanted = [metric] if isinstance(metric, str) else list(metric)
    missing = [name for name in wanted if name not in found]
    if missing:
        raise ValueError(
            f"metric={missing[0]!r} is not in {name}, which hold {listed(found, 20)}; choose "
            "one of these."
        )
    return {name: found[name] for name in wanted}


def _by_metric(read: Mapping[str, Mapping[str, CVScores]]) -> dict[str, dict[str, CVScores]]:
    """Turn scores by estimator and metric into scores by metric and estimator."""
    if all(len(found) == 1 for found in read.values()):  # all have one metric, whatever its name
        one_each = {name: next(iter(found.values())) for name, found in read.items()}
        return {next(iter(scores.metric for scores in one_each.values()), ""): one_each}
    metrics = list(dict.fromkeys(metric for found in read.values() for metric in found))
    for metric in metrics:
        without = [name for name, found in read.items() if metric not in found]
        if without:
            raise ValueError(
                f"There are no scores in {metric!r} for {listed(without)}, but there are for the "
                f"others. Choose a metric that all have, for example metric={_shared(read)!r}."
            )
    return {metric: {name: read[name][metric] for name in read} for metric in metrics}


def _shared(read: Mapping[str, Mapping[str, CVScores]]) -> str:
    """Return a metric that all estimators have, or a placeholder."""
    shared = [metric for metric in next(iter(read.values()))
              if all(metric in found for found in read.values())]  # fmt: skip
    return shared[0] if shared else "..."


def _checked_shape(sample: CVScores) -> CVScores:
    if sample.ndim != 2:
        raise ValueError(
            f"A comparison needs the scores of at least two estimators, got shape {sample.shape}."
            " For one, use CVScores.confidence_interval."
        )
    return sample


def _check_metric(scores: CVScores, metric: str | Sequence[str] | None) -> None:
    several = isinstance(metric, Sequence) and not isinstance(metric, str)
    wanted: list[Any] = list(metric) if several else [metric]  # type: ignore[arg-type]
    known = all(name is None or isinstance(name, str) for name in wanted)
    if not known or wanted not in ([None], [scores.metric]):
        raise ValueError(f"metric={metric!r}, but these are scores of {scores.metric!r}.")


def _check_design_is_wanted(design: SplitDesign | None, given: Sequence[Any]) -> None:
    know = [part for part in given if isinstance(part, CVScores) or is_report(part)]
    if design is not None and know and len(know) == len(given):
        raise ValueError(
            "design= states the splits of cross_validate's results and of arrays, but these scores "
            f"are of type {type(know[0]).__name__} and know their splits; leave design out."
        )
