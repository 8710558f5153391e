"""Turn predictions of fitted models on one test set into scores for a procedure."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import roc_auc_score

from .._utils._checks import check_flag, check_option, is_integer, listed
from .._utils._metrics import METRICS
from .._utils._text import counted
from ..comparison import close
from ..fitting import Metric
from ..scores import CVScores, Note
from ..splitters import generator_from
from ..stats import Groups, GroupSizes, read_groups, tail_probability
from ._cluster_bootstrap import ClusterBootstrapTest, bootstrap_scores
from ._clustered_t import mean_scores, of_shares
from ._delong import DeLongTest, auc_scores
from ._mcnemar_score import correct_scores
from ._predictions import StoredLabels, TestSet
from ._replicates import (
    Evaluator,
    Resampling,
    averaged,
    replicate,
    scorer_evaluator,
    strata_of,
    sum_evaluator,
    sum_metric,
)

_FEWEST_REPLICATES = 2000
# Drawn by default where a verdict could depend on the seed.
_MORE_REPLICATES = 10_000
# sqrt(.025 * .975 / 1e6) / (normal density at 1.96) is .003: the chance error of a 95 % end.
_MOST_REPLICATES = 10**6
_BY_NO_CHANCE = 0.001


@dataclass(frozen=True, eq=False)
class Resamples:
    """The options of a bootstrap, if one is needed."""

    n_resamples: int | None
    stratify: bool
    random_state: Any
    n_jobs: int | None
    pvalues_of: Callable[[CVScores], tuple[Any, Any, float]]

    def __post_init__(self) -> None:
        check_flag("stratify", self.stratify)
        if self.n_resamples is None:
            return
        allowed = _FEWEST_REPLICATES, _MOST_REPLICATES
        if not is_integer(self.n_resamples) or not allowed[0] <= self.n_resamples <= allowed[1]:
            raise ValueError(
                f"n_resamples={self.n_resamples!r} must be an integer of at least {allowed[0]}, as "
                f"the ends of an interval are replicates far out, and at most {allowed[1]}, with "
                "which an end moves by about .003 standard errors."
            )


def measure_test_set(test_set: TestSet, method: str, resamples: Resamples) -> tuple[CVScores, str]:
    """Return the scores of fitted models, and the method that they are for."""
    check_option("method", method, ["auto", *_WAYS])
    values = np.array([score_on(test_set, k, slice(None)) for k in range(len(test_set.runs))])
    for way in _WAYS if method == "auto" else [method]:
        scores = _WAYS[way](test_set, values, resamples)
        if scores is not None:
            if method == "auto" and _are_shares(test_set):
                scores = of_shares(scores)
            notes = *scores.notes, *test_set.notes, *_exchanged(test_set, scores, way)
            return replace(scores, notes=notes), way
    raise ValueError(
        f"method={method!r} needs {_NEEDS[method]}; it does not suit {test_set.metric!r} here. "
        "Pass method='auto'."
    )


def score_on(test_set: TestSet, k: int, rows: Any) -> float:
    """Return the metric of a run on some rows, or raise an error that says why there is none."""
    name = test_set.labels[test_set.owners[k]]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", UndefinedMetricWarning)
            warnings.filterwarnings("ignore", "The y_prob values do not sum")  # said when read
            value = test_set.score(k, np.arange(test_set.n_rows)[rows])
    except UndefinedMetricWarning:
        value = np.nan
    except (TypeError, ValueError, ZeroDivisionError) as error:
        hint = Metric.hint_for(str(error))
        raise ValueError(
            f"{test_set.metric} cannot be computed for {name!r}: "
            f"{str(error).rstrip('.')}. {hint}".rstrip()
        ) from error
    if not np.isfinite(value):
        raise ValueError(
            f"{test_set.metric} is not defined for {name!r} on this test set, such as a "
            "precision without any positive prediction. Leave the model out, or use another "
            "metric, such as make_scorer(precision_score, zero_division=0.0)."
        )
    return value


_NEEDS = {
    "clustered_t": "a metric that is a mean over rows, such as accuracy or neg_log_loss",
    "delong": "scoring='roc_auc' of two classes, and no weights",
    "mcnemar": "scoring='accuracy', one run of each model, no groups and no weights",
}


def _by_rows(test_set: TestSet, values: np.ndarray, resamples: Resamples) -> CVScores | None:
    """Return scores that are means over rows; runs are averaged row by row."""
    metric = test_set.what
    if metric.of_rows != "mean":
        return None
    numbers = np.arange(test_set.n_rows)
    compared = (metric.reader(run, numbers, test_set.y) for run in test_set.runs)
    rows = np.stack([metric.row_scores(both) for both in compared])
    of_models = averaged(rows, test_set.owners, len(test_set.labels))
    facts = test_set.facts()
    return mean_scores(of_models, groups=test_set.groups, sample_weight=test_set.weights, **facts)


def _by_delong(test_set: TestSet, values: np.ndarray, resamples: Resamples) -> CVScores | None:
    """Return areas under ROC curves."""
    classes = test_set.classes
    if test_set.named != "roc_auc" or test_set.weights is not None:
        return None
    if classes is None or len(classes) != 2:
        return None
    by_model: list[list[np.ndarray]] = [[] for _ in test_set.labels]
    for owner, run in zip(test_set.owners, test_set.runs, strict=True):
        by_model[owner].append(run.values if run.values.ndim == 1 else run.values[:, 1])
    scores = auc_scores(
        test_set.y, by_model, groups=test_set.groups, positive=classes[1], **test_set.facts()
    )
    return replace(scores, notes=(*scores.notes, *two_valued_notes(test_set)))


def two_valued_notes(test_set: TestSet) -> tuple[Note, ...]:
    """Return a note of the models whose areas are those of labels."""
    last = (np.atleast_2d(run.values.T)[-1] for run in test_set.runs)
    owned = zip(test_set.owners, last, strict=True)
    fine = {owner for owner, values in owned if len(np.unique(values)) > 2}
    coarse = [name for k, name in enumerate(test_set.labels) if k not in fine]
    text = (
        f"the predictions of {listed(coarse)} have two values only, as labels do, so the area "
        "under the ROC curve is the balanced accuracy; pass probabilities or decision values "
        "if there are any"
    )
    return (Note("two-valued predictions", text, None),) if coarse else ()


def _exchanged(test_set: TestSet, areas: CVScores, way: str) -> list[Note]:
    """Return a note if these are areas, and below 1/2 by more than chance."""
    of_two = test_set.classes is not None and len(test_set.classes) == 2
    if not of_two or test_set.what.function is not roc_auc_score:
        return []
    kind = DeLongTest if way == "delong" else ClusterBootstrapTest
    test = kind(null_value=0.5, alternative="less").run(areas)
    # not by replicates, which are too few for so small a p
    pvalues = tail_probability(np.asarray(test.statistic), test.df, "less")
    worse = np.flatnonzero(pvalues < _BY_NO_CHANCE / 2)
    if not worse.size:
        return []
    named = listed([areas.labels[k] for k in worse])
    text = (
        f"the area of {named} is below 0.5 (p < {_BY_NO_CHANCE}), worse than guessing (were "
        "the columns of predict_proba exchanged?)"
    )
    return [Note("area below 0.5", text, None)]


def _are_shares(test_set: TestSet) -> bool:
    """Whether the metric is the share of right rows of single runs on independent rows."""
    alone = len(test_set.runs) == len(test_set.labels) and test_set.y.ndim == 1
    plain = test_set.groups is None and test_set.weights is None
    return test_set.named == "accuracy" and alone and plain


def _by_mcnemar(test_set: TestSet, values: np.ndarray, resamples: Resamples) -> CVScores | None:
    """Return accuracies of single runs on independent rows."""
    if not _are_shares(test_set):
        return None
    correct = np.stack([run.values == test_set.y for run in test_set.runs])
    return correct_scores(correct, **test_set.facts())


def _by_bootstrap(test_set: TestSet, values: np.ndarray, resamples: Resamples) -> CVScores:
    """Return scores by any metric, with replicates."""
    groups = read_groups(test_set.groups, test_set.n_rows, test_set.weights)
    strata = strata_of(test_set.y, groups.codes) if resamples.stratify else ()
    seed = int(generator_from(resamples.random_state).randint(np.iinfo(np.int32).max))
    resampling = Resampling(groups.n_groups, seed, strata)
    evaluator = _evaluator(test_set, values, groups)
    owners, n_models = test_set.owners, len(test_set.labels)
    sizes, alike = _sizes(test_set, groups), test_set.groups is None and test_set.weights is None

    def scores_of(n_resamples: int) -> CVScores:
        n_jobs, metric = resamples.n_jobs, test_set.metric
        drawn, left_out, n = replicate(evaluator, resampling, n_resamples, n_jobs, metric)
        notes = []
        if n > 0:
            drawn_again = f"{'was' if n == 1 else 'were'} drawn again"
            of = counted(n, "bootstrap sample")
            text = f"{of} on which {metric} is not defined {drawn_again}"
            notes.append(Note("undefined replicates", text, None))
        return bootstrap_scores(
            averaged(values, owners, n_models),
            averaged(drawn, owners, n_models),
            averaged(left_out, owners, n_models),
            n_rows=test_set.n_rows,
            n_groups=groups.n_groups,
            grouped=test_set.groups is not None,
            stratified=resamples.stratify,
            n_rarer=min((int(np.count_nonzero(one.sizes)) for one in sizes[1:]), default=None),
            telling=None if alike else min(sizes, key=lambda one: one.effective),
            notes=notes,
            **test_set.facts(n_resamples=n_resamples, seed_of_resamples=seed),
        )

    if resamples.n_resamples is not None:
        return scores_of(int(resamples.n_resamples))
    scores = scores_of(_FEWEST_REPLICATES)
    with warnings.catch_warnings():  # they are given with the answer
        warnings.simplefilter("ignore")
        pvalues, errors, alpha = resamples.pvalues_of(scores)
    return scores_of(_MORE_REPLICATES) if close(pvalues, errors, [alpha]) else scores


def _evaluator(test_set: TestSet, values: np.ndarray, groups: Groups) -> Evaluator:
    """Return the evaluator of replicates; it gives nan if the metric is not defined."""
    evaluator = scorer_evaluator(test_set, groups)
    if test_set.named is not None and all(isinstance(run, StoredLabels) for run in test_set.runs):
        metric = sum_metric(test_set.named, test_set.y, test_set.runs)
        if metric is not None:  # taken if it gives scikit-learn's number
            fast = sum_evaluator(metric, groups, test_set.weights)
            once = fast(np.arange(groups.n_groups), True)
            evaluator = fast if np.allclose(once, values, rtol=1e-9, atol=1e-12) else evaluator
    needs = METRICS[test_set.named].needs if test_set.named in METRICS else ""
    if test_set.y.ndim != 1 or needs in ("", "two values"):
        return evaluator
    classes = np.unique(test_set.y)  # of which rows must hold some, or it is not defined
    least = 2 if needs == "two classes" else len(classes)
    if needs == "positive" and len(classes) == 2:
        classes, least = classes[classes == 1], 1
    holds = np.stack([groups.sums((test_set.y == label) * 1.0) > 0 for label in classes])

    def defined(drawn: np.ndarray, in_order: bool) -> np.ndarray:
        found = evaluator(drawn, in_order)
        n_held = np.count_nonzero(holds[:, drawn].any(axis=1))
        return found if n_held >= least else np.full_like(found, np.nan)

    return defined


def _sizes(test_set: TestSet, groups: Groups) -> list[GroupSizes]:
    """Return the sizes of groups, or weights, of all rows, and of those of each of two classes."""
    weights = np.ones(test_set.n_rows) if test_set.weights is None else test_set.weights
    what = "rows" if test_set.weights is None else "weight"
    unit = "row" if test_set.groups is None else "group"
    sizes = [GroupSizes(groups.sums(weights), None, unit, what)]
    if test_set.classes is not None and len(held := np.unique(test_set.y)) == 2:
        for label in held.tolist():
            own = groups.sums(weights * (test_set.y == label))
            sizes.append(GroupSizes(own, None, unit, f"{what} of class {label!r}"))
    return sizes


_WAYS: dict[str, Callable[[TestSet, np.ndarray, Resamples], CVScores | None]] = {
    "clustered_t": _by_rows,
    "delong": _by_delong,
    "mcnemar": _by_mcnemar,
    "cluster_bootstrap": _by_bootstrap,
}
