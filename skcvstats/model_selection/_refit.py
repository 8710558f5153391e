"""SignificanceRefit: the cheapest candidate of a search that is good enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from .._utils._checks import check_option, is_real, listed
from ..exceptions import FitError, SplitDesignError
from ..scores import SPLIT_KEY, CVScores, as_notes, union, warn_of
from ..stats import LocationTest, Procedure, get_procedure
from ._candidates import candidate_costs
from ._refit_rules import RULES, Candidates
from ._replay import follow, require_no_more


class SignificanceRefit(BaseEstimator):
    """Pick the cheapest candidate of a search that is good enough.

    Pass it as ``refit=`` of a search. `rule` says which candidates are good enough; of these it
    takes the first by a cost that you give: the simplest, the fastest.

    Parameters
    ----------
    cv : int, splitter or SplitDesign
        What the search splits with: ``refit`` sees the scores only, and the correction depends on
        the sizes of the splits. An integer is k-fold. Splitters whose sizes are fractions hold for
        data of any size, so also inside nested cross-validation. None is refused: pass 5 for a
        search with ``cv=None``.
    cost : str or callable
        What to take the least of: a key of ``cv_results_`` such as ``"mean_fit_time"``, a parameter
        such as ``"max_depth"`` or ``"svc__C"``, or a callable that turns one candidate's dict of
        parameters into a number, needed where a parameter has none, such as a depth of None.
    rule : {"one_standard_error", "margin", "test", "best_set"}, default="one_standard_error"
        Which candidates are good enough.

        - ``"one_standard_error"``: the mean score is at most one standard error below the best.
          The standard error is that of the best candidate's mean, by `method`.
        - ``"margin"``: a one-sided test shows that the candidate is worse than the best by less
          than `margin`.
        - ``"test"``: no one-sided test shows that the candidate is worse than the best. With
          little data nearly every candidate is good enough by this rule, see the Notes.
        - ``"best_set"``: the candidate could be the best, adjusted for the number of candidates
          and for having looked; see `ComparisonResult.best_set`. With little data these are nearly
          all, too.
    margin : float, default=None
        The loss of score that you accept for a cheaper candidate, in the unit of the metric.
        Needed by ``rule="margin"``, where it has no default; an error with any other rule.
    alpha : float, default=0.05
        Level of the tests, below 0.5; not used by ``rule="one_standard_error"``. With
        ``rule="best_set"`` how often the truly best candidate is left out of the set, at most.
    method : str or Procedure, default="corrected_resampled_t"
        One of `get_procedure_names()` that needs no auxiliary splits. With ``rule="test"`` a
        procedure may have a negative ``null_value``: the candidate is good enough unless it is
        shown to be worse by more than that.
    metric : str, default=None
        Which of several metrics; None is the only one. The metric of a search with a single one
        has no name in ``cv_results_``, so no name is accepted for it.

    See Also
    --------
    compare_candidates : Compares the candidates that there were to choose from.

    Notes
    -----
    A candidate that is not shown to be worse is not shown to be equally good. The table is from a
    simulation of four candidates with true accuracies from .75 (the cheapest) to .80, on five
    folds. It shows how often the worst was chosen, and by how much the true accuracy of the choice
    was below .80 on average:

    ==============================  ==============  ==============
    rule                            200 rows        2000 rows
    ==============================  ==============  ==============
    ``"one_standard_error"``        30 %, .029      0 %, .006
    ``"margin"``, ``margin=0.05``   3 %, .009       1 %, .015
    ``"test"``                      80 %, .046      10 %, .023
    ``"best_set"``                  90 %, .048      21 %, .030
    ==============================  ==============  ==============

    ``"best_set"`` guarantees that the truly best candidate is in the set from which the cheapest is
    taken, with confidence 1 - `alpha` under the assumptions of `method`, even though you looked at
    the scores. So in at most `alpha` of searches the choice costs more than the truly best
    candidate. It does not guarantee that the choice is as good: in general it accepts more
    candidates than ``"test"``, as it allows for their number. To bound the loss use ``"margin"``,
    to keep it small on average ``"one_standard_error"``.

    ``"test"`` and ``"best_set"`` warn where the chosen candidate may be worse by more than one
    standard error of the best candidate's score. ``"margin"`` needs much data: a margin of less
    than two standard errors of the difference can hardly be shown, and the best candidate is then
    chosen, with a warning.

    The tests of ``"test"`` and ``"margin"`` are not adjusted for their number; those of
    ``"best_set"`` are, by the max-t method, or by Bonferroni's where a `method` from outside this
    package does not give the covariance of its estimates. With ``"test"`` an adjustment would
    accept more candidates with every one that is added. With ``"margin"`` the level holds for each
    candidate; one of several that are worse by more than the margin is chosen more often than that.
    The difference of the best to any other is too large by the choice of the best, so ``"margin"``
    and ``"test"`` accept fewer candidates than they would on fresh data.

    Of candidates with the same highest mean score the cheapest is the best. Ties in cost go to the
    higher mean score, then to the earlier candidate. Candidates with missing scores are never
    chosen.

    A difference that does not vary over the splits is undetermined, as everywhere in this package:
    it is no evidence that a candidate is worse (``"test"``, ``"best_set"``), nor that it is within
    the margin (``"margin"``). Where that decides, a warning says so. Where the scores of the best
    do not vary, their standard error is 0, so that ``"one_standard_error"`` accepts only candidates
    with the same mean; that is warned of too.

    Limitations of the splits and the procedure give the same warnings as in `compare_candidates`.
    Whether the folds of an integer `cv` were stratified is not known here: pass
    ``StratifiedKFold(5)`` for the warning about that.

    A halving search takes no callable for its ``refit`` (it ignores it), and its candidates are
    scored on samples of different sizes; see `compare_candidates` for its last iteration.

    As in all of scikit-learn, parameters are checked when they are used, which is at the end of a
    search. Before a long one, call this on the ``cv_results_`` of a short one.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import GridSearchCV
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcvstats import RepeatedSubsampleSplit, SignificanceRefit
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> cv = RepeatedSubsampleSplit(15, random_state=0)
    >>> search = GridSearchCV(
    ...     DecisionTreeClassifier(random_state=0),
    ...     {"max_depth": [1, 2, 3, 5, 8]},
    ...     cv=cv,
    ...     refit=SignificanceRefit(cv=cv, cost="max_depth"),
    ... ).fit(X, y)
    >>> best = search.cv_results_["rank_test_score"].argmin()
    >>> search.best_params_["max_depth"] <= search.cv_results_["params"][best]["max_depth"]
    True
    """

    def __init__(
        self,
        cv: Any,
        cost: Any,
        *,
        rule: str = "one_standard_error",
        margin: float | None = None,
        alpha: float = 0.05,
        method: str | Procedure = "corrected_resampled_t",
        metric: str | None = None,
    ) -> None:
        self.cv = cv
        self.cost = cost
        self.rule = rule
        self.margin = margin
        self.alpha = alpha
        self.method = method
        self.metric = metric

    def __call__(self, cv_results: Mapping[str, Any]) -> int:
        """Return the position of the candidate to refit."""
        if not hasattr(cv_results, "keys"):
            raise TypeError(
                f"Expected the results of a search, got {type(cv_results).__name__}; pass its "
                "cv_results_."
            )
        test = self._checked_test()
        if "iter" in cv_results:
            raise ValueError(
                "These are results of a halving search, whose candidates were scored on samples of "
                "different sizes; compare those of its last iteration with compare_candidates."
            )
        scores = self._scores(cv_results, test)
        costs = candidate_costs(self.cost, cv_results)
        warn_of(union(scores.all_notes, as_notes(test.notes(scores.design), "notes")))
        complete = np.flatnonzero(np.isfinite(scores.values).all(axis=1)).tolist()
        if not complete:
            raise FitError(
                "No candidate has all its scores. Fix the cause and search again.",
                {scores.metric: scores},
            )
        candidates = Candidates(scores, list(cv_results["params"]), costs, complete)
        return RULES[self.rule](candidates, test, self.alpha, self.margin)

    def _checked_test(self) -> LocationTest:
        """Check the parameters, and return the test of whether a candidate is worse."""
        check_option("rule", self.rule, RULES)
        if not is_real(self.alpha) or not 0 < self.alpha < 0.5:
            raise ValueError(
                f"alpha={self.alpha!r} must be a number between 0 and 0.5, the level of a "
                "one-sided test, such as 0.05."
            )
        self._check_margin()
        if self.cv is None:
            raise SplitDesignError(
                "cv=None: a refit callable is given the scores only, so the sizes of the splits "
                "are not known. Pass as cv= what the search splits with; that is 5 where the "
                "search has cv=None."
            )
        test = get_procedure(self.method)
        if not isinstance(test, LocationTest):
            raise ValueError(
                f"{test!r} has no direction, and SignificanceRefit asks whether a candidate is "
                'worse. Use method="corrected_resampled_t".'
            )
        self._check_hypothesis(test)
        return replace(test, alternative="less")

    def _check_margin(self) -> None:
        """Raise ValueError if the rule needs a margin and there is none, or the other way round."""
        if self.rule != "margin":
            if self.margin is not None:
                raise ValueError(
                    f"margin={self.margin!r} is used by rule='margin' only, and rule={self.rule!r}."
                    " Use rule='margin', or leave margin out."
                )
            return
        if self.margin is None or not is_real(self.margin) or not 0 < self.margin < np.inf:
            raise ValueError(
                f"margin={self.margin!r} with rule='margin' must be a positive, finite number: the "
                "loss that you accept for a cheaper candidate, in the unit of the metric, such as "
                "margin=0.01 for one point of accuracy. It has no default."
            )

    def _check_hypothesis(self, test: LocationTest) -> None:
        """Raise ValueError if the null value or the alternative is not that of the rule."""
        if test.alternative == "greater" or test.null_value > 0:
            raise ValueError(
                f"{test!r} asks whether a candidate is better; SignificanceRefit asks whether it "
                "is worse. Leave alternative out, and make null_value 0 or, with rule='test', "
                "negative."
            )
        if test.null_value and self.rule != "test":
            raise ValueError(
                f"{test!r} has a null_value, which rule={self.rule!r} does not use. Leave it out; "
                "the accepted loss is margin=, with rule='margin'."
            )

    def _scores(self, cv_results: Mapping[str, Any], test: Procedure) -> CVScores:
        keys = [SPLIT_KEY.fullmatch(key) for key in cv_results]
        n_splits_by_metric = Counter(key[2] for key in keys if key)
        if not n_splits_by_metric:
            raise ValueError(
                f"No scores of splits among the keys {listed(cv_results)}; pass the cv_results_ of "
                "a search."
            )
        self._check_metric(list(n_splits_by_metric))
        design = follow(self.cv, n_splits=max(n_splits_by_metric.values()))
        require_no_more(test, design, who="SignificanceRefit")
        labels = [str(k) for k in range(len(cv_results["params"]))]
        columns = {key: column for key, column in cv_results.items() if key.startswith("split")}
        return CVScores.from_cv_results(
            {**columns, "params": labels}, metric=self.metric, design=design
        )

    def _check_metric(self, metrics: list[str]) -> None:
        """Raise ValueError if the search does not have the metric."""
        if self.metric is None and len(metrics) > 1:
            raise ValueError(
                f"The search has several metrics: {listed(metrics)}. Choose one, for example "
                f"SignificanceRefit(metric={metrics[0]!r})."
            )
        if self.metric is None or self.metric in metrics:
            return
        if metrics == ["score"]:
            raise ValueError(
                f"metric={self.metric!r}, but the search has one metric, which cv_results_ calls "
                "'score' whatever it measures. Leave metric out to use it, or let the search "
                f"measure scoring=[{self.metric!r}]."
            )
        raise ValueError(
            f"metric={self.metric!r} is not among the metrics of the search: {listed(metrics)}. "
            "Choose one of these, or add it to the search's scoring=."
        )
