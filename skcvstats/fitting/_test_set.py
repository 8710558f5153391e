"""Predictions of fitted models on one test set to scores that a procedure can test."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import accuracy_score, get_scorer, make_scorer
from sklearn.utils import check_random_state

from .._utils import check_option, is_integer, listed
from ..scores import CVScores, Note, align_rows, missing_in, target_digest
from ..stats import (
    Resampling,
    auc_scores,
    bootstrap_scores,
    correct_scores,
    mean_scores,
    read_groups,
    read_weights,
    strata_of,
)
from ._bootstrap import (
    Evaluator,
    RowsOfGroups,
    ScorerEvaluator,
    averaged,
    replicate,
    score_of,
    sum_evaluator,
)
from ._gather import versions
from ._scoring import check_names, describe, hint_for, metric_name, responses_of
from ._stored import PREDICT, StoredLabels, is_estimator, store
from ._test_set_metrics import row_scores, sum_metric
from ._undefined import RULES

METHODS = ("auto", "clustered_t", "delong", "mcnemar", "cluster_bootstrap")
_FEWEST_REPLICATES = 2000


@dataclass(frozen=True, eq=False, kw_only=True)
class Resamples:
    """How a bootstrap is made, where one is needed.

    Parameters
    ----------
    n_resamples : int, default=2000
        How many replicates.
    stratify : bool, default=False
        Whether groups are drawn within each class.
    random_state : int, RandomState instance or None, default=0
        Seeds them.
    n_jobs : int, default=None
        How many workers compute them.
    """

    n_resamples: int = _FEWEST_REPLICATES
    stratify: bool = False
    random_state: Any = 0
    n_jobs: int | None = None

    def __post_init__(self) -> None:
        if not is_integer(self.n_resamples) or self.n_resamples < _FEWEST_REPLICATES:
            raise ValueError(
                f"n_resamples={self.n_resamples!r} must be an integer of at least "
                f"{_FEWEST_REPLICATES}: the ends of an interval are replicates far out."
            )


@dataclass(frozen=True, eq=False)
class TestSet:
    """Predictions of all runs of all models, checked and in one order.

    Parameters
    ----------
    y : ndarray
        The target.
    labels : tuple of str
        The models.
    runs : tuple of estimator
        The stored predictions of all runs, model after model.
    owners : tuple of int
        The model of each run.
    scorer : callable
        ``scorer(estimator, X, y)``, greater is better.
    metric : str
        Its name.
    named : str or None
        What scikit-learn calls it, where it was given by name.
    classes : ndarray or None
        Of the target; None for a regression.
    groups, weights : ndarray or None
        Of the rows.
    """

    __test__ = False

    y: np.ndarray
    labels: tuple[str, ...]
    runs: tuple[Any, ...]
    owners: tuple[int, ...]
    scorer: Any
    metric: str
    named: str | None
    classes: np.ndarray | None
    groups: Any
    weights: np.ndarray | None

    @property
    def n_rows(self) -> int:
        """Of the test set."""
        return len(self.y)

    def facts(self, **more: Any) -> dict[str, Any]:
        """Return what all scores are made with.

        Parameters
        ----------
        **more : object
            For the provenance.
        """
        return {
            "labels": self.labels,
            "metric": self.metric,
            "y_digest": target_digest(self.y),
            "provenance": {
                "scoring": describe(self.named or self.scorer),
                "versions": dict(versions()),
                **more,
            },
        }


def measure_test_set(
    y_true: Any,
    predictions: Any,
    *,
    metric: Any,
    method: str,
    groups: Any,
    sample_weight: Any,
    X: Any,
    resamples: Resamples,
) -> tuple[CVScores, str]:
    """Measure fitted models on one test set.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        The target.
    predictions : mapping or frame
        As in `compare_predictions`.
    metric : str or callable
        As in `compare_predictions`.
    method : str
        One of `METHODS`.
    groups, sample_weight : array-like of shape (n_rows,) or None
        Of the rows.
    X : array-like or None
        The test rows, for estimators.
    resamples : Resamples
        How a bootstrap is made.

    Returns
    -------
    scores : CVScores of shape (n_models, 1)
        With their components.
    method : str
        The procedure that reads them.
    """
    check_option("method", method, METHODS)
    test_set = read_test_set(y_true, predictions, metric, groups, sample_weight, X)
    values = _scores_of_all_rows(test_set)
    for way in METHODS[1:] if method == "auto" else (method,):
        if method == "auto" and way == "mcnemar":
            continue
        scores = _WAYS[way](test_set, np.array(values), resamples)
        if scores is not None:
            return scores, way
    raise ValueError(_unsuited(method, test_set))


def _scores_of_all_rows(test_set: TestSet) -> list[float]:
    """Return the metric of each run as scikit-learn computes it, or say why it cannot."""
    rows = np.arange(test_set.n_rows)
    found = []
    for owner, run in zip(test_set.owners, test_set.runs, strict=True):
        name = test_set.labels[owner]
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", UndefinedMetricWarning)
                value = score_of(test_set.scorer, run, rows, test_set.y, test_set.weights)
        except UndefinedMetricWarning:
            value = np.nan
        except (TypeError, ValueError) as error:
            hint = hint_for(str(error)).replace("scoring=", "metric=")
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
        found.append(value)
    return found


def _check_target(y: np.ndarray, named: str | None) -> None:
    """Raise ValueError where a metric is not defined on this target, whatever is predicted."""
    needs = RULES.get(named or "")
    if needs is None or y.ndim != 1:
        return
    held = np.unique(y)
    if needs == "positive" and 1 not in held and set(held.tolist()) <= {0, -1}:
        lacks = "no positive row, labelled 1"
    elif needs != "positive" and len(held) < 2:
        lacks = f"{held.tolist()[0]!r} only"
    else:
        return
    raise ValueError(
        f"y_true holds {lacks}: {named} is not defined on this test set. Test on more rows, or use "
        "another metric."
    )


def _unsuited(method: str, test_set: TestSet) -> str:
    need = {
        "clustered_t": "a metric that is a mean over rows, such as accuracy or neg_log_loss",
        "delong": "metric='roc_auc' of two classes, and no weights",
        "mcnemar": "metric='accuracy', one run of each model, no groups and no weights",
    }[method]
    return (
        f"method={method!r} needs {need}; it does not suit {test_set.metric!r} here. Pass "
        "method='auto'."
    )


def read_test_set(
    y_true: Any, predictions: Any, metric: Any, groups: Any, sample_weight: Any, X: Any
) -> TestSet:
    """Check predictions, and bring all that is given for the rows into one order.

    Parameters
    ----------
    y_true, predictions, metric, groups, sample_weight, X : object
        As for `measure_test_set`.
    """
    _check_metric(metric)
    named = metric if isinstance(metric, str) else None
    is_scorer = type(metric) is type(make_scorer(accuracy_score))
    scorer = get_scorer(metric) if named or is_scorer else _as_scorer(metric)
    wanted = responses_of(metric) if named or is_scorer else (PREDICT,)
    given = _by_name(predictions, y_true)
    arrays = {
        _what(name, run, len(runs)): part
        for name, runs in given.items()
        for run, part in enumerate(runs)
        if not is_estimator(part)
    }
    more = {"groups": groups, "sample_weight": sample_weight}
    if X is not None:
        more["X"] = X
    aligned = align_rows({"y_true": y_true, **arrays, **more})
    y = _target(aligned["y_true"])
    _check_target(y, named)
    classes = _classes(y, wanted, named, scorer)
    runs = {
        (name, run): store(
            name,
            aligned.get(_what(name, run, len(parts)), part),
            wanted,
            classes,
            len(y),
            aligned.get("X"),
        )
        for name, parts in given.items()
        for run, part in enumerate(parts)
    }
    names = list(given)
    return TestSet(
        y=y,
        labels=tuple(names),
        runs=tuple(runs.values()),
        owners=tuple(names.index(name) for name, _ in runs),
        scorer=scorer,
        metric=metric_name(metric) if not is_scorer else _scorer_name(metric),
        named=named,
        classes=classes,
        groups=aligned["groups"],
        weights=read_weights(aligned["sample_weight"], len(y)),
    )


def _check_metric(metric: Any) -> None:
    """Raise ValueError for what is no single metric that scikit-learn knows, nor a callable."""
    if not isinstance(metric, str) and not callable(metric):
        raise ValueError(
            f"metric={metric!r} must be one metric: its name in scikit-learn, what make_scorer "
            "makes, or a function metric(y_true, y_pred). For several, call once for each."
        )
    try:
        check_names(metric)
    except ValueError as error:
        raise ValueError(str(error).replace("scoring=", "metric=")) from None


def _scorer_name(scorer: Any) -> str:
    """Return what a scorer is called: the function behind it."""
    return repr(scorer).removeprefix("make_scorer(").split(",")[0].rstrip(")")


def _as_scorer(metric: Callable[..., Any]) -> Any:
    """Return a function of target and predictions as a scorer."""
    if getattr(metric, "__module__", "").startswith("sklearn.metrics"):
        raise ValueError(
            f"metric={metric.__name__} is a function of scikit-learn, which does not say whether "
            "greater is better, or whether it needs labels. Pass the name of a metric, such as "
            f"'f1' or 'neg_log_loss', or make_scorer({metric.__name__}, ...)."
        )
    return make_scorer(metric)


def _what(name: str, run: int, n_runs: int) -> str:
    return f"the predictions of {name!r}{f', run {run}' if n_runs > 1 else ''}"


def _by_name(predictions: Any, y_true: Any) -> dict[str, list[Any]]:
    """Return the runs of each model."""
    if hasattr(predictions, "columns"):
        names = [str(name) for name in predictions.columns]
        repeated = sorted({name for name in names if names.count(name) > 1})
        if repeated:
            raise ValueError(f"The columns {listed(repeated)} occur more than once; rename them.")
        return {name: [predictions.iloc[:, k]] for k, name in enumerate(names)}
    if not isinstance(predictions, Mapping):
        raise TypeError(
            'predictions must be a mapping from names to predictions, such as {"a": ..., "b": '
            f"...}}, or a frame with a column for each model, got {type(predictions).__name__}."
        )
    if not predictions:
        raise ValueError("No predictions given; give those of at least one model.")
    n_rows = len(y_true)
    return {str(name): _runs(str(name), part, n_rows) for name, part in predictions.items()}


def _runs(name: str, part: Any, n_rows: int) -> list[Any]:
    """Return the runs of a model: a list of arrays or of estimators, or the one of them."""
    if not isinstance(part, list) or not part:
        return [part]
    whole = all(is_estimator(run) or (hasattr(run, "shape") and np.ndim(run)) for run in part)
    if whole or (len(part) != n_rows and all(np.ndim(run) for run in part)):
        lengths = sorted({len(run) for run in part if not is_estimator(run)} - {n_rows})
        if lengths:
            raise ValueError(
                f"The predictions of {name!r} are a list of {len(part)} runs, one of which has "
                f"{lengths[0]} rows, and y_true {n_rows}. Each run predicts all rows."
            )
        return part
    return [part]


def _target(y_true: Any) -> np.ndarray:
    y = np.asarray(y_true)
    if y.ndim == 2 and y.shape[1] == 1:
        y = y[:, 0]
    if y.ndim not in (1, 2) or len(y) == 0:
        raise ValueError(f"y_true has shape {y.shape}; give one label or value for each test row.")
    missing = missing_in(y)
    if y.dtype.kind == "f":
        missing |= np.isinf(y)
    if missing.any():
        raise ValueError(
            f"y_true has {int(missing.sum())} missing values; leave out those rows everywhere."
        )
    if y.dtype.kind == "O" and all(isinstance(x, str) for x in y.flat):
        y = y.astype(str)
    return y


# Metrics of values, whose target has no classes.
_OF_VALUES = ("error", "r2", "variance", "deviance", "d2_absolute", "d2_pinball")


def _classes(y: np.ndarray, wanted: Sequence[str], named: str | None, scorer: Any) -> Any:
    """Return the classes of the target, or None for a metric of values."""
    name = named or repr(scorer)
    if PREDICT in wanted and (y.dtype.kind == "f" or any(part in name for part in _OF_VALUES)):
        return None
    if PREDICT in wanted and named is None and y.dtype.kind in "iu" and "make_scorer" not in name:
        return None
    classes = np.unique(y)
    if PREDICT not in wanted and len(classes) < 2:
        raise ValueError(
            f"y_true holds {classes.tolist()} only, but the metric needs rows of two classes."
        )
    return classes


def _by_rows(test_set: TestSet, values: np.ndarray, resamples: Resamples) -> CVScores | None:
    """Return scores that are means over rows; runs are averaged row by row."""
    if test_set.named is None:
        return None
    rows = [row_scores(test_set.named, test_set.y, run) for run in test_set.runs]
    known = [row for row in rows if row is not None]
    if len(known) < len(rows):
        return None
    means = [np.average(row, weights=test_set.weights) for row in known]
    if not np.allclose(means, values, rtol=1e-9, atol=1e-12):
        return None
    of_models = averaged(np.stack(known), test_set.owners, len(test_set.labels))
    facts = test_set.facts()
    return mean_scores(of_models, groups=test_set.groups, sample_weight=test_set.weights, **facts)


def _by_delong(test_set: TestSet, values: np.ndarray, resamples: Resamples) -> CVScores | None:
    """Return areas under ROC curves."""
    classes = test_set.classes
    if test_set.named != "roc_auc" or test_set.weights is not None:
        return None
    if classes is None or len(classes) != 2:
        return None
    runs = [run.values if run.values.ndim == 1 else run.values[:, 1] for run in test_set.runs]
    by_model: list[list[np.ndarray]] = [[] for _ in test_set.labels]
    for owner, run in zip(test_set.owners, runs, strict=True):
        by_model[owner].append(run)
    return auc_scores(
        test_set.y, by_model, groups=test_set.groups, positive=classes[1], **test_set.facts()
    )


def _by_mcnemar(test_set: TestSet, values: np.ndarray, resamples: Resamples) -> CVScores | None:
    """Return accuracies of single runs on independent rows."""
    alone = len(test_set.runs) == len(test_set.labels)
    plain = test_set.groups is None and test_set.weights is None
    if test_set.named != "accuracy" or not alone or not plain or test_set.y.ndim != 1:
        return None
    correct = np.stack([run.values == test_set.y for run in test_set.runs])
    return correct_scores(correct, **test_set.facts())


def _by_bootstrap(test_set: TestSet, values: np.ndarray, resamples: Resamples) -> CVScores:
    """Return scores by any metric, with replicates."""
    groups = read_groups(test_set.groups, test_set.n_rows, test_set.weights)
    where = RowsOfGroups.of(groups.codes, test_set.n_rows, groups.n_groups)
    strata = strata_of(test_set.y, groups.codes) if resamples.stratify else ()
    seed = int(check_random_state(resamples.random_state).randint(np.iinfo(np.int32).max))
    resampling = Resampling(groups.n_groups, seed, strata)
    found = replicate(
        _evaluator(test_set, values, where),
        resampling,
        resamples.n_resamples,
        resamples.n_jobs,
        test_set.metric,
    )
    owners, n_models = test_set.owners, len(test_set.labels)
    counts: np.ndarray = np.unique(test_set.y, return_counts=True)[1]
    has_two_classes = test_set.classes is not None and len(counts) == 2
    notes = [_undefined_note(test_set.metric, found.n_undefined)] if found.n_undefined else []
    return bootstrap_scores(
        averaged(values, owners, n_models),
        averaged(found.values, owners, n_models),
        averaged(found.left_out, owners, n_models),
        n_rows=test_set.n_rows,
        n_groups=groups.n_groups,
        grouped=test_set.groups is not None,
        stratified=resamples.stratify,
        n_rarer=int(counts.min()) if has_two_classes else None,
        notes=notes,
        **test_set.facts(n_resamples=int(resamples.n_resamples), seed_of_resamples=seed),
    )


def _evaluator(test_set: TestSet, values: np.ndarray, where: RowsOfGroups) -> Evaluator:
    """Return what computes replicates: sums, where these give scikit-learn's number."""
    labelled = all(isinstance(run, StoredLabels) for run in test_set.runs)
    if test_set.named is not None and labelled:
        metric = sum_metric(test_set.named, test_set.y, test_set.runs)
        if metric is not None:
            fast = sum_evaluator(metric, where, test_set.weights, len(test_set.runs))
            if np.allclose(fast.on(np.arange(where.n_groups)), values, rtol=1e-9, atol=1e-12):
                return fast
    return ScorerEvaluator(test_set.scorer, test_set.runs, test_set.y, test_set.weights, where)


def _undefined_note(metric: str, n_undefined: int) -> Note:
    was = "was" if n_undefined == 1 else "were"
    text = f"{n_undefined} bootstrap samples on which {metric} is not defined {was} drawn again"
    return Note("undefined replicates", text, None)


_WAYS: dict[str, Callable[[TestSet, np.ndarray, Resamples], CVScores | None]] = {
    "clustered_t": _by_rows,
    "delong": _by_delong,
    "mcnemar": _by_mcnemar,
    "cluster_bootstrap": _by_bootstrap,
}
