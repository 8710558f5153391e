"""Read a fitted search of scikit-learn: its candidates, their scores and its splits."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import sklearn
from sklearn.base import is_classifier

from .._utils._checks import n_rows, one_line, unseeded_parameters
from ..exceptions import AnticonservativeWarning, SplitDesignError
from ..fitting import read_metrics, undefined_metrics
from ..scores import CVScores, Note, SplitDesign, metrics_of
from ..splitters import check_data, to_splitter
from ._finished import (
    SIZES,
    Finished,
    candidate_estimator,
    candidate_labels,
    check_count,
    check_several,
    params_of,
)

_RACED = Note(
    "left a race",
    "candidates that left the race are not compared, and p-values are adjusted for the comparisons "
    "that were made, not for the choice; the race's own best_set(), with rule='evidence', covers "
    "those that left",
    AnticonservativeWarning,
)
_SURVIVORS = Note(
    "surviving candidates",
    "the candidates are the survivors of a halving search, chosen in its earlier iterations on "
    "rows of the same data; p-values are adjusted for the comparisons that were made, not for the "
    "choice",
    AnticonservativeWarning,
)


def read_search(search: Any, X: Any, y: Any, groups: Any, design: SplitDesign | None) -> Finished:
    """Return the candidates of a search; of a halving search or a race those at its end."""
    metrics = read_metrics(search.scoring, search.estimator)
    results = search.cv_results_
    kept = _last_iteration(search)
    everyone, raced = params_of(results), "dropped_after" in results
    params = [everyone[k] for k in kept]
    where = "At its end the search" if len(kept) < len(everyone) else "The search"
    check_several(params, where)
    undefined: dict[str, Any] = {}
    if design is None and raced:
        design = search.scores_.design
    if design is None:
        _check_replay(search, X)
        X, y, groups = check_data(X, y, groups)
        splitter = to_splitter(search.cv, y, classifier=is_classifier(search.estimator))
        design = _sizes(search, _replayed(search, splitter, X, y, groups), X, kept[0])
        if getattr(search, "resource", None) != "n_samples":
            undefined = undefined_metrics(metrics, splitter, X, y, groups)
    labels = search.scores_.labels if raced else candidate_labels(params, kept)
    by_metric = metrics_of(results)
    if list(by_metric) == ["score"]:
        by_metric = {metrics[0].name: by_metric["score"]}
    scores = {
        metric: CVScores(
            values=values[kept, : design.n_splits] if raced else values[kept],
            design=replace(design, digests=None, seed=None),
            labels=labels,
            metric=metric,
            notes=(undefined[metric].note,) if metric in undefined else (),
        )
        for metric, values in by_metric.items()
    }
    return Finished(
        params,
        scores,
        scoring=metrics[0].describe() if metrics[0].alone else one_line(search.scoring),
        write=partial(candidate_estimator, search.estimator),
        again="search again",
        notes=(_RACED if raced else _SURVIVORS,) if len(kept) < len(everyone) else (),
        causes=[lacking.fact for lacking in undefined.values()],
        unseeded=unseeded_parameters(search.estimator),
        metrics=metrics,
    )


def _last_iteration(search: Any) -> list[int]:
    """Return the candidates of the last iteration; all, if it is no halving search and no race."""
    results = search.cv_results_
    if "dropped_after" in results:
        return np.flatnonzero(results["dropped_after"] == 0).tolist()
    if "iter" in results:
        return np.flatnonzero(results["iter"] == np.max(results["iter"])).tolist()
    if hasattr(search, "n_iterations_"):
        raise ValueError(
            f"{type(search).__name__} has several iterations, but its cv_results_ do not tell them "
            f"apart (no 'iter', scikit-learn {sklearn.__version__}). Compare the candidates of the "
            "last one with compare_estimators."
        )
    return list(range(len(params_of(results))))


def _check_replay(search: Any, X: Any) -> None:
    """Raise an error if the splitter cannot be run again over the data of the search."""
    if X is None:
        raise ValueError(
            "A search does not keep the sizes of its splits. Pass X and y, the data that it was "
            "fitted on, or design=SplitDesign.from_sizes(...)."
        )
    from_data = getattr(search, "max_resources", None) == "auto" and search.resource == "n_samples"
    if from_data and search.max_resources_ != n_rows(X):
        raise SplitDesignError(
            f"The data have {n_rows(X)} rows, but the search was fitted on {search.max_resources_} "
            f"rows (max_resources_). Pass the data that it was fitted on, or design={SIZES}"
        )
    if isinstance(search.cv, Iterator):
        raise SplitDesignError(
            f"cv was a {type(search.cv).__name__}, which has been used up, so the sizes of the "
            f"splits are not known. Pass design={SIZES}"
        )


def _replayed(search: Any, splitter: Any, X: Any, y: Any, groups: Any) -> SplitDesign:
    """Run the splitter over the data again, for the sizes of its splits."""
    try:
        design = SplitDesign.from_any_draw(splitter, X, y, groups)
    except Exception as error:
        raise SplitDesignError(
            f"{one_line(splitter)} could not be run over the data again: {error} Pass the data "
            f"that it was fitted on (and groups=, if it needs them), or else design={SIZES}"
        ) from error
    n_splits = next(iter(metrics_of(search.cv_results_).values())).shape[-1]
    check_count(design, n_splits, one_line(splitter), f"Pass design={SIZES}")
    return design


def _sizes(search: Any, design: SplitDesign, X: Any, candidate: int) -> SplitDesign:
    """Return the sizes of a candidate's splits: halving takes the same share of both parts."""
    if getattr(search, "resource", None) != "n_samples" or design.unit == "groups":
        return design  # rows are taken from each group, so the number of groups is the same
    if "n_resources" not in search.cv_results_:
        raise ValueError(
            f"The cv_results_ of {type(search).__name__} do not tell how many rows an iteration "
            f"used (no 'n_resources', scikit-learn {sklearn.__version__}). Pass "
            "design=SplitDesign.from_sizes(...), the sizes of the splits of its last iteration."
        )
    share = np.asarray(search.cv_results_["n_resources"])[candidate] / n_rows(X)
    n_train, n_test = (
        tuple(int(share * size) for size in sizes) for sizes in (design.n_train, design.n_test)
    )
    part = f"{design.source}, {share:.3g} of each part in the last iteration of the halving search"
    return replace(design, n_train=n_train, n_test=n_test, source=part, digests=None, seed=None)
