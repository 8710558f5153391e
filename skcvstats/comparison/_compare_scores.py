"""compare_scores: from finished scores to a verdict; nothing is fitted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..scores import CVScores, SplitDesign
from ..stats import Procedure, get_test
from ._plan import ComparisonPlan
from ._result import ComparisonResult
from ._stack import as_stack


def compare_scores(
    scores: CVScores | Mapping[str, Any],
    *,
    metric: str | None = None,
    design: SplitDesign | None = None,
    method: str | Procedure = "corrected_resampled_t",
    reference: str | None = None,
    alternative: str | None = None,
    adjustment: str = "holm",
    auxiliary: CVScores | Mapping[str, Any] | None = None,
) -> ComparisonResult:
    """Compare estimators whose scores are there already; nothing is fitted.

    Parameters
    ----------
    scores : CVScores or mapping of str to CVScores or dict
        The scores of at least two estimators on the same splits: one `CVScores` of shape
        (n_estimators, n_splits), or by name what `cross_validate(..., return_indices=True)`
        returned for each.
    metric : str, default=None
        Which of several metrics in `cross_validate` dicts; names the only one, which they call
        "score".
    design : SplitDesign, default=None
        The splits of `cross_validate` dicts that do not hold their indices, which the result then
        notes as not verified; a dict that holds other indices is refused. With the data it also
        tells of `groups` and of the target: ``SplitDesign.from_splitter(cv, X, y, groups)``.
    method : str or Procedure, default="corrected_resampled_t"
        One of `get_test_names()`, or a procedure with its options.
    reference : str, default=None
        The name of the estimator to compare the others with, ``"best"`` for the one with the
        highest mean score, or None for all pairs.
    alternative : {"two-sided", "less", "greater"}, default=None
        Of the difference: of all pairs the earlier minus the later, else each minus the reference.
        None is two-sided, or that of a procedure given as `method`.
    adjustment : {"holm", "max_t", "bonferroni", "hochberg", "bh", "by", "none", "auto"}, \
            default="holm"
        How to adjust the p-values for the number of comparisons. ``"max_t"`` and ``"bonferroni"``
        adjust the intervals too, so that verdicts and intervals agree; ``"auto"`` is ``"max_t"``
        where the procedure knows the covariance of its estimates, else ``"holm"``. An undetermined comparison, whose
        difference does not vary, counts as one with p = 1, so its adjusted p is 1 in any case.
    auxiliary : CVScores or mapping of str to CVScores or dict, default=None
        For a `method` that takes its variance from further splits, the scores of the same
        estimators on them, in the form of `scores`; `design` is not of these.

    Returns
    -------
    ComparisonResult
        The verdicts and the table.

    Raises
    ------
    PairingError
        If the scores were not measured on the same splits.
    SplitDesignError
        If the sizes of the splits cannot be known, or contradict `design`.

    See Also
    --------
    CVScores.from_cv_results : One result at a time, each with its own facts.

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

    >>> saved = {name: {"test_score": one["test_score"]} for name, one in done.items()}
    >>> design = SplitDesign.from_splitter(cv, X, y)
    >>> again = compare_scores(saved, metric="accuracy", design=design)
    >>> again.tests[0].pvalue == result.tests[0].pvalue
    True
    """
    sample = as_stack(scores, metric, design)
    test = get_test(method, alternative=alternative)
    further = {} if auxiliary is None else {sample.metric: as_stack(auxiliary, metric)}
    plan = ComparisonPlan(test, reference, adjustment, sample.labels)
    return plan.run({sample.metric: sample}, further)
