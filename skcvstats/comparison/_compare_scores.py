"""compare_scores: compares finished scores; nothing is fitted."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from numpy.typing import ArrayLike

from .._utils._checks import check_flag, check_verbose, listed
from .._utils._metrics import known_of
from ..exceptions import PairingError
from ..scores import CVScores, Note, SplitDesign, refuse_losses
from ..stats import Procedure, get_procedure
from ._compare import check_comparison, compare
from ._reading import ReportsByName, scores_by_metric
from ._result import ComparisonResult


def compare_scores(
    scores: CVScores | Mapping[str, Any] | ArrayLike | ReportsByName,
    *,
    metric: str | Sequence[str] | None = None,
    design: SplitDesign | None = None,
    greater_is_better: bool | None = None,
    method: str | Procedure = "corrected_resampled_t",
    reference: str | None = None,
    alternative: str | None = None,
    adjustment: str = "auto",
    adjust_over: Literal["pairs", "metrics"] = "pairs",
    margin: float | tuple[float, float] | None = None,
    auxiliary: CVScores | Mapping[str, Any] | ReportsByName | None = None,
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
        Which metrics; None is all that the scores hold. Of a single metric that has no name, in
        `cross_validate` dicts ("score") and arrays, it is the name.
    design : SplitDesign, default=None
        The splits of arrays, and of `cross_validate` dicts that do not hold their indices, which
        the result then notes as not verified; a dict that holds other indices is refused. With
        the data it also tells of `groups` and of the target:
        ``SplitDesign.from_splitter(cv, X, y, groups)``.
    greater_is_better : bool, default=None
        False negates the scores of every metric once: the metric then gets the prefix ``neg_``, and
        the result notes it. None takes greater for better, but refuses positive scores that are
        losses by the name of the metric, such as mean_squared_error, log_loss or error_rate.
    method : str or Procedure, default="corrected_resampled_t"
        One of `get_procedure_names()`, or a procedure with its options.
    {shared: reference, alternative or None, adjustment, adjust_over, margin}
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
        If the sizes of the splits cannot be known, or contradict `design`.
    ValueError
        If not all estimators have the same metrics, an array or a frame could be either way round,
        the scores are losses by the name of the metric, or `margin` is as wide as it can be.

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
    check_verbose(verbose)
    samples = scores_by_metric(scores, metric, design)
    test = get_procedure(method, alternative=alternative)
    labels = next(iter(samples.values())).labels
    how: dict[str, Any] = {"reference": reference, "adjustment": adjustment, "margin": margin}
    how |= {"adjust_over": adjust_over, "confidence_level": confidence_level}
    check_comparison(test, labels, **how)
    further = _in_direction(_further(auxiliary, metric, samples), greater_is_better)
    how |= {"test": test, "verbose": verbose}
    return compare(_in_direction(samples, greater_is_better), further, **how)


def _in_direction(samples: dict[str, CVScores], greater_is_better: Any) -> dict[str, CVScores]:
    """Return scores of which greater is better, or raise ValueError for losses."""
    if greater_is_better is not None and not check_flag("greater_is_better", greater_is_better):
        samples = {f"neg_{name}": _negated(scores) for name, scores in samples.items()}
    for name, scores in samples.items():
        if known_of(name).sign > 0:
            refuse_losses(name, scores.values, "Negate them once, or leave neg_ out of their name.")
        elif greater_is_better is None:
            remedy = f"Pass greater_is_better=False, or negated losses called 'neg_{name}'."
            refuse_losses(name, scores.values, remedy)
    return samples


def _negated(scores: CVScores) -> CVScores:
    metric = scores.metric
    if known_of(metric).sign > 0:
        raise ValueError(
            f"greater_is_better=False, but greater is better in {metric!r}. Leave it out, or "
            "choose the losses with metric=."
        )
    text = f"the scores are minus {metric}, so that greater is better"
    called = replace(scores, metric=f"neg_{metric}", row_scores=None, components=None)
    return replace(called, values=-scores.values).with_notes([Note("negated", text, None)])


def _further(
    auxiliary: Any, metric: str | Sequence[str] | None, samples: dict[str, CVScores]
) -> dict[str, CVScores]:
    """Return the scores on the auxiliary splits, in the metrics of the other scores."""
    if auxiliary is None:
        return {}
    further = scores_by_metric(auxiliary, metric)
    if len(further) == len(samples) == 1:  # which are checked to be the same
        return dict(zip(samples, further.values(), strict=True))
    missing = [name for name in samples if name not in further]
    if missing:
        raise PairingError(
            f"The auxiliary scores are of {listed(further)}, without {listed(missing)}; both need "
            "the same metrics. Choose one with metric=."
        )
    return {name: further[name] for name in samples}
