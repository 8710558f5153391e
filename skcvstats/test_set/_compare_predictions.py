"""compare_predictions and predictions_inference: fitted models on one test set, by any metric."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..comparison import ComparisonPlan, ComparisonResult, ScoreEstimates
from ..scores import union, warn_of
from ..stats import Inference, LocationTest
from ._cluster_bootstrap import ClusterBootstrapTest
from ._clustered_t import ClusteredTTest
from ._delong import DeLongTest
from ._mcnemar_score import McNemarScoreTest
from ._measure import Resamples, measure_test_set

_TESTS: dict[str, type[LocationTest]] = {
    "clustered_t": ClusteredTTest,
    "delong": DeLongTest,
    "mcnemar": McNemarScoreTest,
    "cluster_bootstrap": ClusterBootstrapTest,
}
_NO_NAME = "model"


def compare_predictions(
    y_true: ArrayLike,
    predictions: Mapping[str, Any],
    *,
    metric: str | Callable[..., Any],
    groups: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    X: Any = None,
    method: str = "auto",
    variance: str = "jackknife",
    reference: str | None = None,
    alternative: str = "two-sided",
    margin: Any = None,
    adjustment: str = "auto",
    n_resamples: int = 2000,
    stratify: bool = False,
    random_state: int | np.random.RandomState | None = 0,
    n_jobs: int | None = None,
    confidence_level: float = 0.95,
) -> ComparisonResult:
    """Compare fitted models by their predictions on one test set.

    The answer is about the models as they were fitted, on rows like these.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,) or (n_rows, n_outputs)
        The target of the test rows.
    predictions : mapping or frame
        A mapping from each name to the predictions of that model, or a frame with a column for each
        model. The metric determines what is needed: labels, regression values, decision values, or
        probabilities of shape (n_rows,), of the second class, or (n_rows, n_classes). A list of
        such arrays is one model that was run several times: metrics that are means over rows are
        averaged row by row, others over the runs. A fitted estimator predicts `X` itself.
    metric : str or callable
        The name of a metric of scikit-learn, what `make_scorer` makes, or a function
        ``metric(y_true, y_pred)`` of labels or values; greater is better.
    groups : array-like of shape (n_rows,), default=None
        The group of each row, such as its patient, site or document, if rows of one group depend on
        each other.
    sample_weight : array-like of shape (n_rows,), default=None
        Weights of the rows.
    X : array-like of shape (n_rows, n_features), default=None
        The test rows, for estimators.
    method : {"auto", "clustered_t", "delong", "mcnemar", "cluster_bootstrap"}, default="auto"
        ``"clustered_t"`` is for metrics that are means over rows, such as accuracy or
        neg_log_loss; ``"delong"`` for roc_auc, with groups Obuchowski's; ``"cluster_bootstrap"``
        for all; ``"auto"`` takes the first that suits the metric. ``"mcnemar"`` is for accuracies
        without groups and weights.
    variance : {"jackknife", "sandwich"}, default="jackknife"
        Of ``"clustered_t"``: see `compare_losses`.
    reference : str, default=None
        The name of the model to compare the others with, ``"best"`` for the one with the highest
        score, or None for all pairs.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        Of the difference: of all pairs the earlier minus the later, else each minus the reference.
    margin : float or pair of float, default=None
        The largest difference that does not matter, in the unit of the metric, chosen beforehand:
        from -margin to margin, or the two bounds low < 0 < high. See `compare_scores`.
    adjustment : {"auto", "max_t", "holm", "bonferroni", "hochberg", "bh", "by", "none"}, \
            default="auto"
        How to adjust for the number of comparisons; ``"auto"`` is ``"max_t"``, and
        ``"bonferroni"`` with ``method="mcnemar"``.
    n_resamples : int, default=2000
        Bootstrap replicates, at least 2000.
    stratify : bool, default=False
        Whether the bootstrap draws rows (or groups, where each is of one class) within classes.
    random_state : int, RandomState instance or None, default=0
        Seeds the bootstrap.
    n_jobs : int, default=None
        Workers of the bootstrap, as in joblib; the numbers are the same for any.
    confidence_level : float, default=0.95
        At which the result is reported.

    Returns
    -------
    ComparisonResult
        The verdicts and the table; each test names its method.

    Raises
    ------
    PairingError
        If the numbers of rows differ, or series and frames are not of the same rows.
    ValueError
        If predictions are missing, or are not what the metric needs, there is one class or one
        group only, or the metric is not defined for a model.

    Warns
    -----
    SplitDesignWarning
        If there are few groups or few rows of a class, or very unequal groups.
    AnticonservativeWarning
        If a bootstrap has fewer than 10 groups, or rows of the rarer class.

    See Also
    --------
    predictions_inference : The score of each model, with its interval.
    compare_losses : The same from losses of single rows that were computed elsewhere.
    compare_estimators : Compares learning algorithms, fitted again on many splits.
    mcnemar_exact_test : For two classifiers, exact and mid-p.

    Notes
    -----
    See `ClusteredTTest`, `DeLongTest`, `McNemarScoreTest` and `ClusterBootstrapTest`.

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
    >>> result = compare_predictions(y_test, models, X=X_test, metric="roc_auc")
    >>> print(f"{result[0].test.estimate:.2f}, p = {result[0].test.pvalue:.2f}")
    0.01, p = 0.13
    """
    scores, way = measure_test_set(
        y_true,
        predictions,
        metric=metric,
        method=method,
        groups=groups,
        sample_weight=sample_weight,
        X=X,
        resamples=Resamples(
            n_resamples=n_resamples,
            stratify=stratify,
            random_state=random_state,
            n_jobs=n_jobs,
        ),
    )
    if len(scores.labels) < 2:
        raise ValueError(
            f"Predictions of one model only, {scores.labels[0]!r}: give those of at least two, or "
            "use predictions_inference for one."
        )
    test = _test(way, variance, alternative=alternative)
    if isinstance(adjustment, str) and adjustment == "auto" and way == "mcnemar":
        adjustment = "bonferroni"  # it also adjusts Tango's intervals
    plan = ComparisonPlan(test, reference, adjustment, scores.labels, confidence_level, margin)
    return plan.run({scores.metric: scores})


def predictions_inference(
    y_true: ArrayLike,
    predictions: Any,
    *,
    metric: str | Callable[..., Any] | Sequence[str],
    groups: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    X: Any = None,
    method: str = "auto",
    variance: str = "jackknife",
    null_value: float | None = None,
    alternative: str = "two-sided",
    n_resamples: int = 2000,
    stratify: bool = False,
    random_state: int | np.random.RandomState | None = 0,
    n_jobs: int | None = None,
    confidence_level: float = 0.95,
) -> Inference | ScoreEstimates:
    """Estimate metrics of one fitted model, or of several, on one test set.

    Parameters
    ----------
    y_true : array-like of shape (n_rows,) or (n_rows, n_outputs)
        The target of the test rows.
    predictions : array-like, estimator, mapping or frame
        What one model predicts, a list of such arrays where it was run several times, or for
        several models what `compare_predictions` takes.
    metric : str, callable or sequence of str
        As in `compare_predictions`, or the names of several that need the same predictions; a
        fitted estimator predicts for each what it needs.
    groups, sample_weight : array-like of shape (n_rows,), default=None
        What the rows belong to, and their weights.
    X : array-like of shape (n_rows, n_features), default=None
        The test rows, for estimators.
    method : {"auto", "clustered_t", "delong", "mcnemar", "cluster_bootstrap"}, default="auto"
        As in `compare_predictions`; of one model, ``"mcnemar"`` is Wilson's interval.
    variance : {"jackknife", "sandwich"}, default="jackknife"
        Of ``"clustered_t"``: see `compare_losses`.
    null_value : float, default=None
        The score to test against, such as the accuracy of guessing; None asks for no p-value.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        Where the expected score lies if not at the null value.
    n_resamples, stratify, random_state, n_jobs : object
        Of the bootstrap: see `compare_predictions`.
    confidence_level : float, default=0.95
        At which the result is reported.

    Returns
    -------
    HeldOutResult or ScoreEstimates
        For one model and one metric the estimate with its interval. For a mapping or a frame, or
        several metrics, a `ScoreEstimates`, which ranks the models without comparing them.

    Raises
    ------
    PairingError, ValueError
        As `compare_predictions`.

    See Also
    --------
    compare_predictions : The differences of several models.
    cross_val_inference : The expected score of a learning algorithm.

    Examples
    --------
    >>> from skcvstats import predictions_inference
    >>> y_true = [0, 0, 1, 1, 0, 1, 0, 1, 1, 0] * 8
    >>> y_pred = [0, 0, 1, 1, 0, 1, 1, 1, 0, 0] * 8
    >>> result = predictions_inference(y_true, y_pred, metric="accuracy")
    >>> low, high = result.confidence_interval()
    >>> print(f"{result.estimate:.2f} ({low:.3f} to {high:.3f})")
    0.80 (0.710 to 0.890)
    """
    several = isinstance(predictions, Mapping) or hasattr(predictions, "columns")
    named = predictions if several else {_NO_NAME: predictions}
    resamples = Resamples(
        n_resamples=n_resamples, stratify=stratify, random_state=random_state, n_jobs=n_jobs
    )
    null = 0.0 if null_value is None else null_value
    found: dict[str, Inference] = {}
    names: tuple[str, ...] = ()
    for one in _metrics(metric):
        scores, way = measure_test_set(
            y_true,
            named,
            metric=one,
            method=method,
            groups=groups,
            sample_weight=sample_weight,
            X=X,
            resamples=resamples,
        )
        test = _test(way, variance, alternative=alternative, null_value=null)
        names = scores.labels
        inference = test.run(scores if several or _is_list(metric) else scores.row(0))
        test.warn_undetermined(inference)
        inference = inference.with_confidence(confidence_level)
        found[scores.metric] = replace(inference, asked=null_value is not None)
    warned = tuple(note for note in union(*(one.notes for one in found.values())) if note.category)
    warn_of(warned)
    if several or _is_list(metric):
        return ScoreEstimates(inferences=found, names=names, warned=warned)
    return replace(next(iter(found.values())), warned=warned)


def _is_list(metric: Any) -> bool:
    return not isinstance(metric, str) and not callable(metric)


def _metrics(metric: Any) -> list[Any]:
    """Return the requested metrics without repetition."""
    if not _is_list(metric):
        return [metric]
    names = list(metric) if isinstance(metric, Sequence) else [metric]
    known = all(isinstance(name, str) or callable(name) for name in names)
    if not names or not known or len(set(names)) < len(names):
        raise ValueError(f"metric={metric!r} must name at least one metric, each once.")
    return names


def _test(way: str, variance: str, **options: Any) -> LocationTest:
    if way == "clustered_t":
        return ClusteredTTest(variance=variance, **options)
    return _TESTS[way](**options)
