"""RacingSearchCV: a search in which hopeless candidates get no further fits."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from inspect import signature
from itertools import product
from operator import attrgetter
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
import sklearn
from numpy.typing import ArrayLike
from sklearn import get_config
from sklearn.model_selection import GridSearchCV, ParameterGrid, ParameterSampler
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.validation import check_is_fitted

from .._utils._checks import brief, check_option, is_finite, is_integer, listed, named_estimators
from .._utils._shared_arguments import (
    alpha_of,
    check_integer,
    check_level,
    check_n_jobs,
    check_optional_integer,
    check_seed,
    select_columns,
)
from .._utils._text import counted
from .._utils._warn import warn_user
from ..comparison import JointInference, parameter_columns
from ..exceptions import FitError, SplitDesignError, SplitDesignWarning
from ..fitting import FitOptions, FitRecord, Metric, Routed, plan_race, read_metrics
from ..notes import SplitsWatch, fit_in_rounds, note_planned_splits
from ..scores import STRATIFIED, CVScores, SplitDesign, union, warn_of
from ..splitters import RepeatedSubsampleSplit
from ..stats import CorrectedResampledTTest, Sample, is_for_order_of
from ._finished import (
    TIMES,
    candidate_estimator,
    candidate_labels,
    values_by_parameter,
    varying_names,
)

if TYPE_CHECKING:
    import pandas as pd

_MOST_COLUMNS = 12  # of a table that is not full
_OPTIONS = ("n_jobs", "verbose", "store", "error_score", "return_train_score")
# Whether GridSearchCV passes sample_weight to the scorer without metadata routing.
_WEIGHS_SCORES = list(map(int, sklearn.__version__.split(".")[:2])) >= [1, 7]


@dataclass(eq=False)
class Race:
    """A race by the rules in the Notes of RacingSearchCV; doc/derivations.rst has its level."""

    rule: str | None
    margin: float | None
    alpha: float
    min_splits: int
    n_candidates: int
    design: SplitDesign

    def __post_init__(self) -> None:
        self.test = CorrectedResampledTTest(alternative="less")
        self.dropped_after = np.zeros(self.n_candidates, dtype=int)
        self.stopped_after: int | None = None
        self._alpha = self.alpha / (self.design.n_splits - self.min_splits)
        self._each = self._alpha / (2 * max(1, self.n_candidates - 1))

    @property
    def in_race(self) -> np.ndarray:
        """Which candidates have not left."""
        return np.equal(self.dropped_after, 0)

    def rounds(self, scores: Callable[[int], np.ndarray]) -> Iterator[list[tuple[int, int]]]:
        """Yield the (split, candidate) pairs to fit next, by scores of the first splits, or nan."""
        n_splits = self.design.n_splits
        n_first = n_splits if self.rule is None else self.min_splits
        yield list(product(range(n_first), range(self.n_candidates)))
        for n_done in range(n_first, n_splits):
            if self.in_race.sum() > 1:
                self._look(scores(n_done))
            if self.stopped_after is not None:
                return
            yield list(product([n_done], np.flatnonzero(self.in_race).tolist()))

    def _look(self, values: np.ndarray) -> None:
        """End the race, or let candidates leave."""
        n_done = values.shape[1]
        in_race = self.in_race
        beyond = np.arange(n_done) >= np.where(in_race, n_done, self.dropped_after)[:, np.newaxis]
        whole = (np.isfinite(values) | beyond).all(axis=1)
        rivals = np.flatnonzero(in_race & whole)
        if not rivals.size:
            return
        self.dropped_after[in_race & ~whole] = n_done
        leader = int(rivals[values[rivals].mean(axis=1).argmax()])
        if self.margin is not None and rivals.size > 1 and self._is_shown(values, leader, whole):
            self.stopped_after = n_done
            return
        level = self._alpha if self.rule == "screen" else self._each
        worse = self._pvalues(values[rivals], values[leader]) < level
        self.dropped_after[rivals[worse]] = n_done

    def _is_shown(self, values: np.ndarray, leader: int, whole: np.ndarray) -> bool:
        """Whether no other candidate, as far as it was scored, is better by the margin."""
        others = whole & (np.arange(len(values)) != leader)
        n_scored = np.where(self.in_race, values.shape[1], self.dropped_after)
        return all(
            self._pvalues(
                values[others & (n_scored == n), :n], values[leader, :n], self.margin
            ).max()
            < self._each
            for n in np.unique(n_scored[others])
        )

    def could_be_best(self, scores: CVScores) -> np.ndarray:
        """Return which of those at the end could be the best of all; not those with a nan."""
        inside: np.ndarray = np.isfinite(scores.values).all(axis=1)
        if inside.sum() < 2:
            return inside
        kept = scores._take(np.flatnonzero(inside))
        level = (self.alpha if self.margin is None else self._alpha) / 2
        joint = JointInference(self.test, kept)
        if len(kept.labels) == self.n_candidates:
            return joint.could_be_best(1 - level)
        errors, _, alone = joint.all_pairs
        pvalues = np.where(errors > 0, alone, 1.0).min(axis=1)
        inside[inside] = pvalues > level / (self.n_candidates - 1)
        return inside

    def _pvalues(self, values: np.ndarray, leader: np.ndarray, null_value: Any = 0.0) -> Any:
        """Return one-sided p-values against the leader; 1 where a difference does not vary."""
        magnitude = np.maximum(np.abs(values).max(axis=1), np.abs(leader).max())
        design = self.design.take(range(values.shape[1]))
        sample = Sample(values - leader, design, magnitude)
        inference = self.test.infer(sample, null_value=null_value)
        return np.where(np.asarray(inference.standard_error) > 0, inference.pvalue, 1.0)


class RacingSearchCV(GridSearchCV):  # what it does once it is fitted is the same
    """Search parameters by a race: candidates that fall behind get no further fits.

    All candidates are fitted on the first `min_splits` splits. After these, and after each further
    split but the last, those that are clearly behind the leader leave. The others go on, so a bad
    candidate costs a third of a good one's fits, by default. ``print(race)`` says what happened.

    Parameters
    ----------
    estimator : estimator
        What is searched over; it is cloned.
    param_distributions : dict or list of dict
        Lists of values by the names of parameters, as of ``GridSearchCV``; with `n_iter` also
        distributions with a method ``rvs``, as of ``RandomizedSearchCV``.
    n_iter : int, default=None
        How many candidates to draw at random. None tries every combination.
    scoring : str, callable, list, tuple, dict or None, default=None
        As of ``GridSearchCV``. Of several metrics that of `refit` decides the race, else the first.
    cv : int, splitter, iterable of (train, test) pairs or None, default=None
        More splits than `min_splits`. None is ``RepeatedSubsampleSplit(15)`` with `random_state`,
        stratified for classifiers where no groups are given.
    min_splits : int, default=5
        On how many splits every candidate is fitted, at least 2.
    rule : {"screen", "evidence"} or None, default="screen"
        When a candidate leaves.

        - ``"screen"``: its one-sided corrected resampled t-test against the leader has a p-value
          below alpha/L for L looks. It is not followed further; nothing is claimed about it.
        - ``"evidence"``: the p-value is below alpha/(2 L (C - 1)) for C candidates. Then `best_set`
          contains the truly best of all candidates with the stated confidence.
        - None: never. The results are those of ``GridSearchCV``.

    margin : float, default=None
        Ends the race once no candidate is better than the leader by more than this, in the unit of
        the metric: shown under ``"evidence"``, under ``"screen"`` without a claim.
    confidence_level : float, default=0.95
        1 minus alpha.
    refit : bool, str or callable, default=True
        As of ``GridSearchCV``. A callable gets ``cv_results_`` and returns the position of a
        candidate that was in the race at its end.
    n_jobs : int, default=None
        How many workers fit. The results do not depend on it. No fit is sent before the look that
        decides on it, so at the end of each split workers wait for the last fit.
    error_score : "raise" or float, default=nan
        The score where a fit or its scoring fails. A candidate with a score that is not finite
        leaves at the next look.
    return_train_score : bool, default=False
        Whether to score the training rows too.
    random_state : int, RandomState or None, default=None
        Draws the candidates if `n_iter` is given, and the splits if `cv` is None.
    verbose : int, default=0
        1 shows a progress bar, of all fits that there could be.
    store : str or path, default=None
        A file in which finished fits are kept and looked up; see `compare_estimators`.

    Attributes
    ----------
    cv_results_ : dict of ndarray
        The keys of ``GridSearchCV``, and ``n_splits_done`` and ``dropped_after``: the number of
        splits after which a candidate left, 0 for those that were in the race at its end. Scores
        on splits where a candidate was not fitted are nan; means are over its own splits. Those
        that left rank after the others.
    best_index_, best_params_, best_score_, best_estimator_, scorer_, refit_time_, multimetric_ :
        As of ``GridSearchCV``; the best is one of those that were in the race at its end.
    n_splits_ : int
        The number of splits.
    stopped_after_ : int or None
        The number of splits after which `margin` ended the race.
    scores_ : CVScores
        The scores of those that were in the race at its end, in the metric that decided it.
    classes_, n_features_in_, feature_names_in_ :
        Those of ``best_estimator_``.

    {See Also: compare_candidates, SignificanceRefit}

    Notes
    -----
    The leader at a look is the candidate in the race with the highest mean so far. It is compared
    with each other one on all splits so far, by the test of `CorrectedResampledTTest`. L, n_splits
    - min_splits, and C are fixed at the start. A race with one candidate left is run to its end.

    The table is of 1500 simulated races on 15 splits, whose scores are correlated by 0.1. The true
    scores are equally spaced over so many standard deviations of a split's difference. It shows the
    share of fits that are saved, and how often the truly best candidate leaves:

    ==========  ======  ============  ============
    candidates  spread  "screen"      "evidence"
    ==========  ======  ============  ============
    50          0       9 %, 19 %     0 %, 0.5 %
    50          1       18 %, 7 %     1 %, 0.1 %
    50          3       41 %, 3 %     13 %, 0.1 %
    50          4       46 %, 2 %     20 %, 0 %
    10          0       4 %, 10 %     0 %, 1 %
    10          1       11 %, 2 %     1 %, 0.1 %
    10          3       35 %, 0.3 %   18 %, 0 %
    10          4       41 %, 0 %     26 %, 0 %
    ==========  ======  ============  ============

    When the best leaves, it is about tied with the one that is kept: the mean loss of the true
    score is that of a search without a race.

    Under ``"evidence"`` the probability that the best leaves is at most alpha/2, by the union
    bound, and at most alpha/2 that `best_set` leaves it out at the end. This holds if the test is
    right far out in its tails. Of a candidate that left only "not in the best set" is claimed.
    That no candidate is better by more than `margin` is shown by one-sided tests of all others
    without missing scores, each at alpha/(2 L (C - 1)); those that left are tested on the splits
    that they have in common with the leader. Differences that do not vary over the splits are no
    evidence: such a candidate stays. The score of the best is optimistic, as in any search. Score
    it on new rows, or nest the race in `cross_val_inference`.

    References
    ----------
    .. [1] O. Maron and A. W. Moore, "Hoeffding Races", NIPS 6, 1994.
    .. [2] C. Nadeau and Y. Bengio, "Inference for the Generalization Error", CIRANO 99s-25, 1999.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.svm import SVC
    >>> from skcvstats import RacingSearchCV
    >>> X, y = load_iris(return_X_y=True)
    >>> race = RacingSearchCV(SVC(), {"C": [0.001, 0.01, 0.1, 1, 10, 100]}, random_state=1)
    >>> str(race.fit(X, y)).split(";")[0]
    '3 of 6 candidates were followed to the end'
    >>> race.cv_results_["n_splits_done"].tolist()
    [5, 5, 5, 15, 15, 15]
    """

    def __init__(
        self,
        estimator: Any,
        param_distributions: Any,
        *,
        n_iter: int | None = None,
        scoring: str | Callable[..., Any] | None = None,
        cv: Any = None,
        min_splits: int = 5,
        rule: str | None = "screen",
        margin: float | None = None,
        confidence_level: float = 0.95,
        refit: Any = True,
        n_jobs: int | None = None,
        error_score: float | Literal["raise"] = np.nan,
        return_train_score: bool = False,
        random_state: int | np.random.RandomState | None = None,
        verbose: int = 0,
        store: str | PathLike[str] | None = None,
    ) -> None:
        self.estimator = estimator
        self.param_distributions = param_distributions
        self.n_iter = n_iter
        self.scoring = scoring
        self.cv = cv
        self.min_splits = min_splits
        self.rule = rule
        self.margin = margin
        self.confidence_level = confidence_level
        self.refit = refit
        self.n_jobs = n_jobs
        self.error_score = error_score
        self.return_train_score = return_train_score
        self.random_state = random_state
        self.verbose = verbose
        self.store = store

    def fit(self, X: Any, y: ArrayLike | None = None, **params: Any) -> Self:
        """Run the race, and refit the best candidate on all rows.

        {Parameters: X, y}
        **params : dict
            ``groups`` for the splitter, and parameters of the estimator's ``fit``; those with an
            entry for each row are split. With metadata routing, what each consumer has requested.

        Returns
        -------
        RacingSearchCV
            This one.

        Raises
        ------
        SplitDesignError
            If there are no more splits than `min_splits`, or the test does not admit them.
        FitError
            If all fits failed, or no candidate has a score.
        ValueError, TypeError
            If a parameter is not valid.

        Warns
        -----
        FitFailedWarning
            If fits failed, once with each cause.
        SplitDesignWarning, AnticonservativeWarning
            Where the splits make the test doubtful.
        """
        self._check()
        named_estimators({"estimator": self.estimator})
        options = FitOptions(params=params, **{name: getattr(self, name) for name in _OPTIONS})
        metrics = read_metrics(self.scoring, self.estimator)
        race_records = RaceRecords(self, metrics)
        _ = race_records.metric  # raises an error for metrics that are known beforehand
        routed = self._routed(metrics, params)
        candidates = self._candidates()
        estimators = [candidate_estimator(self.estimator, params) for params in candidates]
        models = dict(zip(candidate_labels(candidates), estimators, strict=True))
        plan = plan_race(
            models,
            X,
            y,
            metrics,
            cv=self.cv,
            request=CorrectedResampledTTest.request,
            random_state=self.random_state,
            routed=routed._replace(fit=tuple(routed.fit) * len(models)),
            options=options,
            observe=SplitsWatch,
            may_overlap=self.rule is None,
        )
        plan = note_planned_splits(plan)
        X = plan.X
        y = plan.y
        work = plan.work
        race = self._race = self._start(plan.parts[0].design, len(models))

        def scores_of(n_splits: int) -> CVScores:
            metric = race_records.metric
            return CVScores(
                values=race_records.values(metric, (len(models), n_splits)),
                design=race.design.take(range(n_splits)),
                labels=tuple(work.names),
                metric=metric,
            )

        def look(n_splits: int) -> np.ndarray:
            scores = scores_of(n_splits)
            scores.check_range()
            return scores.values

        def rounds(records: Sequence[FitRecord]) -> Iterator[list[tuple[int, int]]]:
            race_records.records = records
            return race.rounds(look)

        fit_in_rounds(plan, rounds)
        self.multimetric_ = race_records.several
        self._name = race_records.name_in_results(race_records.metric)
        by_name = {metric.name: metric.scorer for metric in metrics}
        self.scorer_ = work.scorer if metrics[0].alone else by_name
        self.n_splits_ = race.design.n_splits
        self.stopped_after_ = race.stopped_after
        self.cv_results_ = race_records.cv_results(candidates, race.dropped_after, self.n_splits_)
        n_splits = race.stopped_after or self.n_splits_
        kept = np.flatnonzero(race.in_race)
        self.scores_ = scores_of(n_splits)._take(kept)
        values = self.scores_.values
        labels = self.scores_.labels
        if self.refit or not self.multimetric_:
            self._choose()
        if self.refit:
            self.best_estimator_ = candidate_estimator(self.estimator, self.best_params_)
            started = time.perf_counter()
            self.best_estimator_.fit(*(X,) if y is None else (X, y), **routed.fit[0])
            self.refit_time_ = time.perf_counter() - started
            if hasattr(self.best_estimator_, "feature_names_in_"):
                self.feature_names_in_ = self.best_estimator_.feature_names_in_
        if not np.isfinite(values).all(axis=1).any():
            first = int((~np.isfinite(values[0])).argmax())
            text = (
                f"No candidate has all its scores in {race_records.metric}: that of {labels[0]} on "
                f"split {first} is missing or not finite. Fix the cause, such as test sets that "
                "lack a class, and search again."
            )
            if not np.isfinite(values).any():
                raise FitError(text, {race_records.metric: self.scores_})
            warn_user(f"{text} The best one is not known.", SplitDesignWarning)
        return self

    def get_metadata_routing(self) -> MetadataRouter:
        """Return what the estimator, the metrics and the splitter request.

        Returns
        -------
        MetadataRouter
            As of GridSearchCV; the splits of ``cv=None`` take ``groups``.
        """
        router = super().get_metadata_routing()
        if self.cv is None:
            to_split = MethodMapping().add(caller="fit", callee="split")
            router.add(splitter=RepeatedSubsampleSplit(), method_mapping=to_split)
        return router

    def _check(self) -> None:
        """Raise an error for parameters that are not valid, before anything is fitted."""
        check_optional_integer("n_iter", self.n_iter, 1, "how many candidates to draw, or None")
        check_integer("min_splits", self.min_splits, 2)
        check_level(self.confidence_level)
        check_seed(self.random_state)
        check_n_jobs(self.n_jobs)
        if self.rule is not None:
            check_option("rule", self.rule, ("screen", "evidence"))
        margin = self.margin
        if margin is not None and not (is_finite(margin) and margin > 0 and self.rule):
            raise ValueError(
                f"margin={brief(margin)} with rule={self.rule!r} must be None, or with "
                "rule='screen' or 'evidence' a positive, finite number in the unit of the metric."
            )
        if not (isinstance(self.refit, (bool, np.bool_, str)) or callable(self.refit)):
            raise TypeError(
                f"refit={brief(self.refit)} must be True, False, a metric's name or a callable."
            )

    def _candidates(self) -> list[dict[str, Any]]:
        if self.n_iter is not None:
            sampler = ParameterSampler(
                self.param_distributions, self.n_iter, random_state=self.random_state
            )
            return list(sampler)
        try:
            candidates = list(ParameterGrid(self.param_distributions))
            if not candidates:
                raise TypeError(f"param_distributions={brief(self.param_distributions)} has none")
            return candidates
        except TypeError as error:
            raise ValueError(
                f"{str(error).rstrip('.')}. Without n_iter= every combination is tried, so pass "
                "lists; with n_iter=, how many candidates to draw, distributions can be passed."
            ) from None

    def _start(self, design: SplitDesign, n_candidates: int) -> Race:
        """Return the race, after checking that there is something to race."""
        if design.n_splits <= self.min_splits:
            raise SplitDesignError(
                f"cv={brief(self.cv)} makes {counted(design.n_splits, 'split')} and min_splits="
                f"{self.min_splits}, so there is nothing to race. Pass more splits, such as "
                "cv=RepeatedSubsampleSplit(15), or use GridSearchCV."
            )
        test = CorrectedResampledTTest()
        if self.rule == "evidence" and not is_for_order_of(test, design):
            raise SplitDesignError(
                "rule='evidence' makes claims, which are not valid for splits in time "
                "order. Use rule='screen', which claims nothing."
            )
        level = alpha_of(self.confidence_level)
        race = Race(self.rule, self.margin, level, int(self.min_splits), n_candidates, design)
        if self.rule is not None:
            race.test.require(design)
            default_note = STRATIFIED if self.cv is None else None  # on what nobody has chosen
            notes = [note for note in design.notes if note != default_note]
            warn_of(union(notes, race.test.notes(design)))
        return race

    def _routed(self, metrics: Sequence[Metric], params: Mapping[str, Any]) -> Routed:
        """Decide who gets which parameters, as GridSearchCV does; all candidates get the same."""
        if get_config().get("enable_metadata_routing", True):
            routed = process_routing(self, "fit", **params)
            return Routed((routed.estimator.fit,), routed.scorer.score, routed.splitter.split)
        fit_params = dict(params)
        split_params = {"groups": fit_params.pop("groups", None)}
        weights = fit_params.get("sample_weight")
        score_params = {}
        if weights is not None and _WEIGHS_SCORES:  # where a scorer takes them, as GridSearchCV
            for metric in metrics:
                function = metric.function.function or metric.scorer or self.estimator.score
                if "sample_weight" in signature(function).parameters:
                    score_params = {"sample_weight": weights}
        return Routed((fit_params,), score_params, split_params)

    def _choose(self) -> None:
        """Set the best of those that were in the race at its end."""
        results = self.cv_results_
        best = results[f"rank_test_{self._name}"].argmin()
        if callable(self.refit):
            best = self.refit(results)
            at_end = np.flatnonzero(results["dropped_after"] == 0)
            if not is_integer(best) or best not in at_end:
                raise ValueError(
                    f"refit returned {best!r}; it must return the position of a candidate that was "
                    "in the race at its end, one with cv_results_['dropped_after'] == 0."
                )
        else:
            self.best_score_ = results[f"mean_test_{self._name}"][best]
        self.best_index_ = best
        self.best_params_ = results["params"][best]

    def best_set(self) -> tuple[str, ...]:
        """Return the candidates that could be the best of all that started.

        Returns
        -------
        tuple of str
            Their labels, as `compare_candidates` has them: the number in ``cv_results_`` and the
            parameters that differ. The highest mean score is first.

        Raises
        ------
        ValueError
            If `rule` is not ``"evidence"``: then nothing is known about the candidates that left.

        Notes
        -----
        With `confidence_level` it contains the truly best candidate, by the metric that decided the
        race. Where nobody left, it is that of `ComparisonResult.best_set` at alpha/2. Otherwise a
        candidate is left out if the one-sided p-value of any other being better is at most
        alpha/(2 (C - 1)). With `margin` alpha/2 becomes alpha/(2L), as the race can end after any
        look. Candidates with scores that are not finite are not considered.
        """
        check_is_fitted(self)
        if self._race.rule != "evidence":
            raise ValueError(
                f"rule={self._race.rule!r} claims nothing about the candidates that left. Use rule="
                "'evidence' for the set of the best, or compare_candidates for those that are left."
            )
        inside = self._race.could_be_best(self.scores_)
        scores = self.scores_
        order = np.argsort(-scores.values.mean(axis=1), kind="stable")
        labels = np.array(scores.labels, dtype=object)
        return tuple(labels[order[inside[order]]])

    def to_frame(self, *, full: bool = False) -> "pd.DataFrame":
        """Return the candidates, the best first.

        {Parameters: full}

        Returns
        -------
        DataFrame
            Columns ``estimator``, the label; ``score``, the mean over its own splits in the metric
            that decided the race; ``n_splits_done`` and ``dropped_after``, as in ``cv_results_``;
            under ``"evidence"`` ``could_be_best``, whether it is in `best_set`; and one for each
            parameter that varies, up to twelve columns in all. With ``full=True`` all of these,
            and the times of ``cv_results_``, such as ``mean_fit_time``.
        """
        check_is_fitted(self)
        import pandas as pd

        results = self.cv_results_
        columns: dict[str, Any] = {"estimator": candidate_labels(results["params"])}
        columns["score"] = results[f"mean_test_{self._name}"]
        columns["n_splits_done"] = results["n_splits_done"]
        columns["dropped_after"] = results["dropped_after"]
        if self._race.rule == "evidence":
            columns["could_be_best"] = np.isin(columns["estimator"], self.best_set())
        params = results["params"]
        columns |= parameter_columns(varying_names(params), params, columns)
        few = [*columns][:_MOST_COLUMNS]
        columns |= {name: results[name] for name in TIMES}
        order = np.argsort(results[f"rank_test_{self._name}"], kind="stable")
        frame = pd.DataFrame(columns).iloc[order].reset_index(drop=True)
        return select_columns(frame, few, full)

    def __str__(self) -> str:
        from ..words import text_of

        return text_of(self) if hasattr(self, "cv_results_") else repr(self)


@dataclass(eq=False)
class RaceRecords:
    """The records of a race, which grow while it is run, and their scores."""

    search: RacingSearchCV
    read: Sequence[Metric]  # from `scoring`
    records: Sequence[FitRecord] = ()

    @property
    def metrics(self) -> list[str]:
        """The names of the metrics; those of a callable are in its returned dict."""
        if not self.read[0].alone:
            return [metric.name for metric in self.read]
        scored = ((record[:2], record.scores) for record in self.records if record.scores)
        _, first_scores = min(scored, default=((), {}))
        return list(first_scores) or [self.read[0].name]

    @property
    def several(self) -> bool:
        """Whether the metrics have their names in ``cv_results_``."""
        return not self.read[0].alone or self.metrics != [self.read[0].name]

    def name_in_results(self, metric: str) -> str:
        """Return the name of a metric in ``cv_results_``."""
        return metric if self.several else "score"

    @property
    def metric(self) -> str:
        """The metric that decides the race; ValueError if `refit` names another one."""
        refit = self.search.refit
        metrics = self.metrics
        if refit in metrics:
            return str(refit)
        first_decides = refit is False or callable(refit)
        if not self.several:
            of_scorer = callable(self.search.scoring)
            first_decides = not isinstance(refit, str) or refit == "score" or of_scorer
        if first_decides:
            return metrics[0]
        raise ValueError(
            f"refit={refit!r} must be the name of the metric that decides the race, one of "
            f"{listed(metrics)}; or False or a callable, and the first decides it; or True, with "
            "one metric."
        )

    def values(self, metric: str, shape: tuple[int, int], field: str = "scores") -> np.ndarray:
        """Return the scores in a field of the records, candidates by splits; nan if not fitted."""
        error_score = self.search.error_score
        missing = np.nan if isinstance(error_score, str) else float(error_score)
        return self._table(lambda record: getattr(record, field).get(metric, missing), shape)

    def _table(self, number: Callable[[FitRecord], float], shape: tuple[int, int]) -> np.ndarray:
        table = np.full(shape, np.nan)
        for record in self.records:
            table[record.estimator, record.split] = number(record)
        return table

    def cv_results(
        self, params: Sequence[Mapping[str, Any]], dropped_after: np.ndarray, n_splits: int
    ) -> dict[str, Any]:
        """Return the results in the form of those of scikit-learn's searches."""
        estimators = [record.estimator for record in self.records]
        n_done = np.bincount(estimators)
        shape = (len(params), n_splits)
        results: dict[str, Any] = {}

        def summarize(name: str, table: np.ndarray) -> None:
            scored = [row[:n] for row, n in zip(table, n_done, strict=True)]
            results[f"mean_{name}"] = np.array(list(map(np.mean, scored)))
            with np.errstate(invalid="ignore"):
                results[f"std_{name}"] = np.array(list(map(np.std, scored)))

        def store(name: str, table: np.ndarray) -> None:
            for k, column in enumerate(table.T):
                results[f"split{k}_{name}"] = column
            summarize(name, table)

        summarize("fit_time", self._table(attrgetter("fit_time"), shape))
        summarize("score_time", self._table(attrgetter("score_time"), shape))
        results |= {**_columns_of(params), "params": list(params)}
        for metric in self.metrics:
            name = self.name_in_results(metric)
            store(f"test_{name}", self.values(metric, shape))
            results[f"rank_test_{name}"] = _ranks(results[f"mean_test_{name}"], dropped_after == 0)
            if self.search.return_train_score:
                store(f"train_{name}", self.values(metric, shape, "training_scores"))
        return {**results, "n_splits_done": n_done, "dropped_after": dropped_after}


def _ranks(means: np.ndarray, left: np.ndarray) -> np.ndarray:
    """Rank those that are left by their means, then the others; nan is the lowest of its part."""
    ranks = np.empty(len(means), dtype=np.int32)
    for part, first in ((left, 1), (~left, 1 + left.sum())):
        losses = np.where(np.isnan(means[part]), np.inf, -means[part])
        ranks[part] = first + np.searchsorted(np.sort(losses), losses)
    return ranks


def _columns_of(params: Sequence[Mapping[str, Any]]) -> dict[str, np.ma.MaskedArray]:
    """Return the values of each parameter, masked where a candidate does not have it."""
    columns = {}
    for name, values in values_by_parameter(params).items():
        dtype = np.dtype(object)
        with suppress(ValueError):  # sequences of different lengths
            array = np.array(list(values.values()))
            if array.dtype.kind != "U" and array.ndim == 1:
                dtype = array.dtype
        column = np.ma.MaskedArray(np.empty(len(params), dtype=dtype), mask=True)
        for k, value in values.items():
            column[k] = value
        columns[f"param_{name}"] = column
    return columns
