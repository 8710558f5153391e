"""SignificanceRefit: the cheapest candidate of a search that is not significantly worse."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from .._utils import check_option, format_number, is_real, listed, warn_user
from ..exceptions import DegenerateScoresWarning, FitError
from ..scores import SPLIT_KEY, CVScores, warn_of
from ..stats import LocationTest, Procedure, get_test
from ._replay import follow, require_no_more

RULES = ("test", "one_standard_error")


class SignificanceRefit(BaseEstimator):
    """Pick the cheapest candidate that is not significantly worse than the best.

    Pass it as ``refit=`` of a search. Of the candidates whose scores are not significantly below
    those of the best, it takes the first by a cost that you give: the simplest, the fastest.

    Parameters
    ----------
    cv : int, splitter or SplitDesign
        What the search splits with: ``refit`` sees the scores only, and the correction depends on
        the sizes of the splits. An integer is k-fold. Splitters whose sizes are fractions hold for
        data of any size, so also inside nested cross-validation.
    cost : str or callable
        What to take the least of: a key of ``cv_results_`` such as ``"mean_fit_time"``, a parameter
        such as ``"max_depth"`` or ``"svc__C"``, or a callable that turns one candidate's dict of
        parameters into a number, needed where a parameter has none, such as a depth of None.
    rule : {"test", "one_standard_error"}, default="test"
        ``"test"``: a candidate is as good unless a one-sided test finds it worse. The other is the
        one-standard-error rule, with the corrected standard error of the best candidate's mean:
        a candidate is as good if its mean is at most so far below the best.
    alpha : float, default=0.05
        Level of the test; not used by the other rule.
    method : str or Procedure, default="corrected_resampled_t"
        One of `get_test_names()` that needs no further splits. A negative ``null_value`` of a
        procedure is a margin: a candidate is as good unless it is worse by more than that.
    metric : str, default=None
        Which of several metrics; None is the only one.

    See Also
    --------
    compare_candidates : What there was to choose from.

    Notes
    -----
    A halving search takes no callable for its ``refit`` (it ignores it), and its candidates are
    scored on samples of different sizes; see `compare_candidates` for its last iteration.

    The tests are not adjusted for their number: an adjustment would call more candidates as good,
    and the rule more lenient with every candidate that is added. Ties in cost go to the higher mean
    score, then to the earlier candidate. Candidates with missing scores are never chosen. The
    difference of the best to any other is too large by the choice of the best, so the rule takes
    fewer candidates for as good than it would on fresh data.

    A candidate that is worse than the best by the same amount in every split is not shown to be
    worse, by however much: a difference that does not vary is undetermined, as everywhere in this
    package. If such a candidate is taken, a warning says so. The other rule has no test to be
    undetermined: where the scores of the best do not vary, their standard error is 0, so that only
    candidates with the same mean are as good; that is warned of too.

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
        rule: str = "test",
        alpha: float = 0.05,
        method: str | Procedure = "corrected_resampled_t",
        metric: str | None = None,
    ) -> None:
        self.cv = cv
        self.cost = cost
        self.rule = rule
        self.alpha = alpha
        self.method = method
        self.metric = metric

    def __call__(self, cv_results: Mapping[str, Any]) -> int:
        """Return the position of the candidate to refit.

        Parameters
        ----------
        cv_results : mapping
            The ``cv_results_`` of a search.

        Returns
        -------
        int
            Its ``best_index_``.

        Raises
        ------
        SplitDesignError
            If the sizes of the splits do not follow from `cv`.
        ValueError
            If a parameter makes no sense, or the cost is not known.
        FitError
            If no candidate has all its scores.

        Warns
        -----
        SplitDesignWarning, AnticonservativeWarning
            If the kind of splits makes the test doubtful.
        DegenerateScoresWarning
            If what decides is a variance that is estimated as 0.
        """
        test = self._checked_test()
        if "iter" in cv_results:
            raise ValueError(
                "These are results of a halving search, whose candidates were scored on samples of "
                "different sizes; compare those of its last iteration with compare_candidates."
            )
        scores = self._scores(cv_results, test)
        costs = _costs(self.cost, cv_results)
        warn_of(scores.all_notes)
        whole = np.isfinite(scores.values).all(axis=1)
        if not whole.any():
            raise FitError(
                "No candidate has all its scores. Mend the cause and search again.",
                {scores.metric: scores},
            )
        means = np.where(whole, np.where(whole[:, None], scores.values, 0).mean(axis=1), -np.inf)
        best = int(np.argmax(means))
        candidates = np.flatnonzero(whole).tolist()
        if self.rule == "one_standard_error":
            good = _within_one_error(test, scores, candidates, means, best)
            return _cheapest(good, costs, means)
        differences = {
            k: test.run(scores[str(k)] - scores[str(best)]) for k in candidates if k != best
        }
        worse = {k for k, one in differences.items() if one.pvalue < self.alpha}
        proven = {k for k in worse if not differences[k].undetermined}
        chosen = _cheapest([k for k in candidates if k not in proven], costs, means)
        if chosen in worse:
            _warn_of_choice(cv_results["params"][chosen], differences[chosen].estimate)
        return chosen

    def _checked_test(self) -> LocationTest:
        """Check the parameters, and return the test of whether a candidate is worse."""
        check_option("rule", self.rule, RULES)
        if not is_real(self.alpha) or not 0 < self.alpha < 1:
            raise ValueError(f"alpha={self.alpha!r} must be a number between 0 and 1.")
        test = get_test(self.method)
        if not isinstance(test, LocationTest):
            raise ValueError(
                f"{test!r} has no direction, and SignificanceRefit asks whether a candidate is "
                'worse. Use method="corrected_resampled_t".'
            )
        if test.alternative == "greater" or test.null_value > 0:
            raise ValueError(
                f"{test!r} asks whether a candidate is better; SignificanceRefit asks whether it "
                "is worse. Leave alternative out, and make null_value 0 or, as a margin, negative."
            )
        return replace(test, alternative="less")

    def _scores(self, cv_results: Mapping[str, Any], test: Procedure) -> CVScores:
        keys = [SPLIT_KEY.fullmatch(key) for key in cv_results]
        n_splits_by_metric = Counter(key[2] for key in keys if key)
        if not n_splits_by_metric:
            raise ValueError(
                f"No scores of splits among the keys {listed(cv_results)}; pass the cv_results_ of "
                "a search."
            )
        if self.metric is None and len(n_splits_by_metric) > 1:
            raise ValueError(
                f"The search has several metrics: {listed(n_splits_by_metric)}. Choose one, for "
                f"example SignificanceRefit(metric={next(iter(n_splits_by_metric))!r})."
            )
        design = follow(self.cv, n_splits=max(n_splits_by_metric.values()))
        require_no_more(test, design, who="SignificanceRefit")
        labels = [str(k) for k in range(len(cv_results["params"]))]
        columns = {key: column for key, column in cv_results.items() if key.startswith("split")}
        return CVScores.from_cv_results(
            {**columns, "params": labels}, metric=self.metric, design=design
        )


def _within_one_error(
    test: Procedure, scores: CVScores, candidates: list[int], means: np.ndarray, best: int
) -> list[int]:
    """Return those at most one standard error of the best below the best."""
    error = test.run(scores[str(best)]).standard_error
    good = [k for k in candidates if k == best or means[k] >= means[best] - error]
    if error == 0 and len(good) < len(candidates):
        warn_user(
            "The scores of the best candidate do not vary, so their standard error is 0 and only "
            "candidates of the same mean count as as good. Use more test rows or a finer metric.",
            DegenerateScoresWarning,
        )
    return good


def _cheapest(candidates: list[int], costs: Sequence[float], means: np.ndarray) -> int:
    return min(candidates, key=lambda k: (costs[k], -means[k], k))


def _warn_of_choice(params: Mapping[str, Any], difference: float) -> None:
    warn_user(
        f"{dict(params)} is chosen, whose mean score differs from the best by "
        f"{format_number(difference)}: the estimated variance of this difference is 0, which is no "
        "evidence that it is worse. Use more test rows or a finer metric.",
        DegenerateScoresWarning,
    )


def _costs(cost: Any, cv_results: Mapping[str, Any]) -> list[float]:
    """Return what each candidate costs, or say which has no number."""
    costs = _raw_costs(cost, cv_results)
    for one, params in zip(costs, cv_results["params"], strict=True):
        if not is_real(one) or np.isnan(one):
            raise ValueError(
                f"The candidate {params} costs {one!r}, which is no number to compare by; pass "
                "cost= as a callable that turns every candidate's parameters into one."
            )
    return [float(one) for one in costs]


def _raw_costs(cost: Any, cv_results: Mapping[str, Any]) -> Sequence[Any]:
    params = cv_results["params"]
    if callable(cost):
        return [cost(one) for one in params]
    if isinstance(cost, str) and cost in cv_results:
        return list(cv_results[cost])
    names = list(dict.fromkeys(name for one in params for name in one))
    if cost not in names:
        raise ValueError(
            f"cost={cost!r} is neither a key of cv_results_ nor a parameter of the candidates "
            f"({listed(names)}); it may also be a callable that takes a candidate's parameters."
        )
    return [one.get(cost) for one in params]
