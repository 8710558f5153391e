"""SignificanceRefit: the cheapest candidate of a search that is good enough."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Literal

import numpy as np
from sklearn.base import BaseEstimator

from .._utils._checks import listed, one_line
from .._utils._shared_arguments import check_level
from ..comparison import check_rule, choose_cheapest, costs_of, parameter_columns, test_of_worse
from ..exceptions import FitError, SplitDesignError
from ..scores import (
    CVScores,
    SplitDesign,
    as_notes,
    metrics_of,
    refuse_divided_by_zero,
    refuse_losses,
    warn_of,
)
from ..splitters import to_splitter
from ..stats import Procedure, check_bounds, get_procedure
from ._compare_candidates import require_no_more
from ._finished import SIZES, candidate_labels, check_count, params_of, values_by_parameter

# Relative difference that fractions may have between two numbers of rows: they are rounded by less
# than a row, which is half of two rows. Fixed numbers of rows differ by a factor of 3.
_SIZE_ROUNDING = 0.5


class SignificanceRefit(BaseEstimator):
    """Pick the cheapest candidate of a search that is good enough.

    Pass it as ``refit=`` of a search. `rule` says which candidates are good enough; of these it
    takes the first by a cost that you give: the simplest, the fastest.

    Parameters
    ----------
    cv : int, splitter or SplitDesign
        What the search splits with: ``refit`` sees the scores only, and the correction depends on
        the sizes of the splits. An integer is k-fold. Splitters whose sizes are fractions hold for
        data of any size, so also in nested cross-validation. None is refused: pass 5 for it.
    cost : str or callable
        What to take the least of: a key of ``cv_results_`` such as ``"mean_fit_time"``, a parameter
        such as ``"max_depth"`` or ``"svc__C"``, or a callable that turns one candidate's dict of
        parameters into a number, needed where a parameter has none, such as a depth of None.
    rule : {"one_standard_error", "margin"}, default=None
        Which candidates are good enough. None is ``"margin"`` where a `margin` is given, and
        ``"one_standard_error"`` where none is.

        - ``"one_standard_error"``: the mean score is at most one standard error below the best.
          The standard error is that of the best candidate's mean, by `method`.
        - ``"margin"``: the candidate is shown to be within `margin` of every other one, so also of
          the truly best, whichever that is. If there is none, the one with the best mean is chosen,
          with a warning that its loss may exceed the margin.
    margin : float, default=None
        The loss of score that you accept for a cheaper candidate, in the unit of the metric.
        Needed by ``rule="margin"``, where it has no default; an error with the other rule.
    confidence_level : float, default=0.95
        With ``rule="margin"`` how often, at least, no candidate is accepted that loses more; above
        0.5. Not used by ``rule="one_standard_error"``.
    method : str or Procedure, default="corrected_resampled_t"
        One of `get_procedure_names()` that needs the scores of splits only, so none of ``"row_t"``,
        ``"holdout_t"`` and ``"conservative_z"``; or a procedure.
    scoring : str, default=None
        Which metric of a search with several; None is the only one. The metric of a search with a
        single one has no name in ``cv_results_``, so no name is accepted for it.

    Attributes
    ----------
    best_score_ : float
        The mean score of the candidate that was chosen last, in ``search.refit.best_score_``. A
        search whose ``refit`` is a callable has no ``best_score_`` of its own; it is
        ``search.cv_results_["mean_test_score"][search.best_index_]``.

    {See Also: compare_candidates}

    Notes
    -----
    A candidate that is not significantly worse need not be equally good. The table is from a
    simulation of four candidates with true accuracies from 0.75 (the cheapest) to 0.80, on five
    folds. It shows how often the worst was chosen, and by how much the true accuracy of the choice
    was below 0.80 on average:

    ==============================  ==============  ==============
    rule                            200 rows        2000 rows
    ==============================  ==============  ==============
    ``"one_standard_error"``        30 %, 0.029     0 %, 0.006
    ``"margin"``, ``margin=0.05``   3 %, 0.009      0 %, 0.008
    ==============================  ==============  ==============

    To bound the loss use ``"margin"``, to keep it small on average ``"one_standard_error"``.

    ``"margin"`` bounds the loss of all accepted candidates at once, so also of the chosen one,
    whatever the cost is, under the assumptions of `method`. Candidate i is accepted if for each
    other candidate j ::

        (mean_i - mean_j + margin) / se_ij > c_j,

    where c_j is the one-sided critical value of the largest statistic of all others minus j: that
    of the max-t method, or Student's at the level alpha / (K - 1) for K candidates where a `method`
    from outside this package does not give the covariance of its estimates. Proof: let b be the
    truly best candidate and theta the expected scores. If a candidate i with theta_b - theta_i >=
    margin is accepted, then (mean_i - mean_b - (theta_i - theta_b)) / se_ib > c_b. By the choice of
    c_b the probability that this happens for any i is at most alpha.

    This needs much data. In simulations of ten equally good candidates with independent scores on
    15 splits nothing could be accepted in 84, 13, 0 and 0 % of the searches, at margins of 2, 3, 4
    and 5 standard errors of a difference.

    Of candidates with the same highest mean score the cheapest is the best. Ties in cost go to the
    higher mean score, then to the earlier candidate. Candidates with missing scores are never
    chosen, and not compared. A difference that does not vary over the splits is no evidence: of two
    candidates with the same scores ``"margin"`` accepts neither, and where the scores of the best
    do not vary, ``"one_standard_error"`` accepts only the same mean. A warning then says so.

    Limitations of the splits and the procedure give the same warnings as in `compare_candidates`,
    which refuses splits in time order: here the choice goes on, without a claim. Whether the folds
    of an integer `cv` were stratified is not known here: pass ``StratifiedKFold(5)`` for the
    warning about that. A halving search ignores a callable ``refit``. Parameters are checked at the
    end of a search, when they are used: before a long one, call this on the ``cv_results_`` of a
    short one.

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
    >>> mean = search.cv_results_["mean_test_score"][search.best_index_]
    >>> bool(search.refit.best_score_ == mean)
    True
    """

    def __init__(
        self,
        cv: Any,
        cost: Any,
        *,
        rule: Literal["one_standard_error", "margin"] | None = None,
        margin: float | None = None,
        confidence_level: float = 0.95,
        method: str | Procedure = "corrected_resampled_t",
        scoring: str | None = None,
    ) -> None:
        self.cv = cv
        self.cost = cost
        self.rule = rule
        self.margin = margin
        self.confidence_level = confidence_level
        self.method = method
        self.scoring = scoring

    def __call__(self, cv_results: Mapping[str, Any]) -> int:
        """Return the position of the candidate to refit."""
        if check_level(self.confidence_level) <= 0.5:
            raise ValueError(
                f"confidence_level={self.confidence_level!r} must be above 0.5, as it is 1 minus "
                "the level of a one-sided test, such as 0.95."
            )
        if not hasattr(cv_results, "keys"):
            raise TypeError(
                f"Expected search results, got {type(cv_results).__name__}; pass its cv_results_."
            )
        check_rule(self.rule, self.margin)
        if self.cv is None:
            raise SplitDesignError(
                "cv=None: a refit callable is given scores only, so the splits' sizes are unknown. "
                "Pass as cv= what the search splits with; that is 5 where the search has cv=None."
            )
        test = test_of_worse(get_procedure(self.method), who="SignificanceRefit")
        if "iter" in cv_results:
            raise ValueError(
                "These are results of a halving search, whose candidates were scored on samples of "
                "different sizes; compare those of its last iteration with compare_candidates."
            )
        scores = self._scores(cv_results, test)
        if self.margin is not None:
            check_bounds(self.margin, metrics=[scores.metric])
        candidates = params_of(cv_results)
        varied = parameter_columns(list(values_by_parameter(candidates)), candidates, ())
        costs = costs_of(self.cost, varied | dict(cv_results), candidates)
        warn_of([*scores.all_notes, *as_notes(test.notes(scores.design), "notes")])
        complete = np.flatnonzero(np.isfinite(scores.values).all(axis=1)).tolist()
        if not complete:
            raise FitError(
                "No candidate has all its scores. Fix the cause and search again.",
                {scores.metric: scores},
            )
        whole = scores._take(np.array(complete))
        costs = [costs[k] for k in complete]
        params = [candidates[k] for k in complete]
        chosen = choose_cheapest(whole, test, costs, params, self.margin, self.confidence_level)
        self.best_score_ = float(whole.values[chosen].mean())
        return complete[chosen]

    def _scores(self, cv_results: Mapping[str, Any], test: Procedure) -> CVScores:
        params = params_of(cv_results)
        by_metric = metrics_of(cv_results) if params else {}
        if not by_metric:
            raise ValueError(
                f"No scores of splits among {listed(cv_results)}; pass the cv_results_ of a search."
            )
        names = list(by_metric)
        metric: Any = self.scoring
        if metric is None and len(names) == 1:
            metric = names[0]
        if not isinstance(metric, str) or metric not in names:
            raise ValueError(
                f"scoring={self.scoring!r} is not among the metrics in cv_results_: "
                f"{listed(names)}. Choose one of them, or leave scoring out if there is only "
                "'score', as a single metric is called."
            )
        values = by_metric[metric]
        refuse_divided_by_zero(metric, values)
        refuse_losses(metric, values, "Let the search measure it with greater_is_better=False.")
        design = follow(self.cv, n_splits=values.shape[-1])
        if "n_splits_done" in cv_results:  # a race that its margin may have ended
            n_splits = int(max(cv_results["n_splits_done"]))
            values = values[:, :n_splits]
            design = design.take(range(n_splits))
        require_no_more(test, design, who="SignificanceRefit")
        stated = design.as_stated()
        labels = candidate_labels(params)
        return CVScores(values=values, design=stated, labels=labels, metric=metric)


def follow(cv: Any, *, n_splits: int) -> SplitDesign:
    """Return a design with the proportions that a splitter gives data of any size."""
    # Corrections depend on n2/(n - n2) alone: if two numbers of rows give the same, so does any.
    remedy = f"Pass as cv= what the search splits with, or {SIZES}"
    if isinstance(cv, SplitDesign):
        check_count(cv, n_splits, "The design given as cv=", remedy)
        return cv
    splitter = to_splitter(cv, None, classifier=False)
    if isinstance(getattr(splitter, "cv", None), list):  # scikit-learn's wrapper of a list
        raise SplitDesignError(
            "A list of splits cannot be applied to other data. Pass as cv= an integer, a splitter "
            "whose sizes are fractions, or the SplitDesign of the splits."
        )
    # Multiples of the number of splits, so that folds are of equal size.
    sizes = [100 * n_splits, 300 * n_splits]
    if _count(splitter, sizes[0]) != _count(splitter, sizes[1]):
        sizes = [n_splits]  # one split for each row or group
    designs = [_nominal(splitter, size) for size in sizes]
    check_count(designs[0], n_splits, one_line(splitter), remedy)
    small = designs[0].rho0_odds
    large = designs[-1].rho0_odds
    if abs(small - large) > _SIZE_ROUNDING * large:
        raise SplitDesignError(
            f"{one_line(splitter)} sets a fixed number of rows aside, so the correction depends on "
            "the number of rows, which a search does not store. Give it sizes as fractions, or "
            "pass cv=SplitDesign.from_sizes(...) if all searches are over data of one size."
        )
    return designs[-1]


def _count(splitter: Any, n_rows: int) -> int:
    rows = np.arange(n_rows)
    return int(splitter.get_n_splits(rows, np.zeros(n_rows, dtype=int), rows))


def _nominal(splitter: Any, n_rows: int) -> SplitDesign:
    rows = np.arange(n_rows)
    y = np.zeros(n_rows, dtype=int)
    with suppress(Exception):  # perhaps because groups are missing
        return SplitDesign.from_any_draw(splitter, rows, y)
    try:
        return SplitDesign.from_any_draw(splitter, rows, y, rows)
    except Exception as error:
        raise SplitDesignError(
            f"{one_line(splitter)} cannot be run without the data: {error} Pass "
            "cv=SplitDesign.from_sizes(...) instead, the sizes of the splits."
        ) from error
