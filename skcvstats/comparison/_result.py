"""ComparisonResult: estimators compared pair by pair, best first."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, product
from typing import TYPE_CHECKING, Any, Self, overload

import numpy as np

from .._utils._checks import explain_arguments, listed
from .._utils._documents import MAX_BYTES
from .._utils._shared_arguments import alpha_of, check_level, check_optional_integer, select_columns
from .._utils._text import counted, without_conventions
from ..scores import CVScores, Note, find_notes, shown_ends, union
from ..stats import ADJUSTMENTS, Procedure, adjust_pvalues, warn_once
from ._candidates import check_rule, choose_cheapest, costs_of, parameter_columns, test_of_worse
from ._comparison import Comparison, Comparisons, Dropped
from ._evidence import CandidatesEvidence
from ._pairs import check_adjustment, check_margin, make_pair_tests
from ._saved import comparison_dict, result_from_json, result_to_json
from ._slices import compared_slices, ends_of, n_rows_of, tests_of_pairs
from ._verdict import parts_of_adjusted

if TYPE_CHECKING:
    import pandas as pd

SIZES_OF_MATRICES = range(8, 61)  # how many estimators a picture of all pairs is for
_MOST_IN_PAIRS = 50
# Of a table that is not full.
_COLUMNS = (
    *("metric", "estimator", "versus", "score", "score_versus", "difference", "low", "high"),
    *("pvalue", "pvalue_adjusted", "outcome", "note"),
)
_MOST_SENTENCES = 10


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ComparisonResult(Comparisons):
    """The result of `compare_estimators` and of the other functions that compare.

    ``print(result)`` gives the verdict and a short table, `to_frame` the whole one. ``result[0]``
    is the first of its comparisons. With several metrics, ``result["roc_auc"]`` is the result of
    that metric, of this same type. `to_json` saves it.

    Parameters
    ----------
    tests_by_metric : dict of str to PairTests
        For each metric its scores and the tests of all comparisons, the best estimators first.
    reference : str or None
        What the estimators were compared with: the name of one, ``"best"``, or None for all pairs.
    adjustment : str
        How p-values were adjusted.
    {shared: verdict level}
    dropped : tuple of (estimator, metric, cause), default=()
        What was left out because it failed, with ``on_error="drop"``. `estimator` is None for a
        metric left out for all, `metric` is None for an estimator left out of all metrics.
    {shared: warned}
    candidates : mapping of str to mapping, default={}
        The parameters of each candidate of a search, by its label; see `params`.
    slices : mapping of str to ComparisonResult or None, default={}
        With ``by=`` the same pairs on the rows of each slice, not adjusted; None for a slice that
        cannot be compared. See `slices_differ` and `by_slice`.
    groups_are_shared : bool, default=False
        Whether groups lie in several slices.

    Examples
    --------
    >>> from skcvstats import ComparisonResult, SplitDesign, compare_scores
    >>> design = SplitDesign.from_sizes(90, 10, n_splits=10)
    >>> scores = {
    ...     "tree": [0.81, 0.79, 0.83, 0.80, 0.82, 0.78, 0.84, 0.80, 0.79, 0.82],
    ...     "forest": [0.86, 0.85, 0.86, 0.84, 0.88, 0.85, 0.87, 0.86, 0.83, 0.86],
    ... }
    >>> result = compare_scores(scores, design=design, metric="accuracy")
    >>> found = result.to_dict()
    >>> print(f"{found['accuracy/forest/score']:.3f}")
    0.856
    >>> found["accuracy/forest - tree/outcome"]
    'higher'
    >>> again = ComparisonResult.from_json(result.to_json())
    >>> again[0].test.pvalue == result[0].test.pvalue
    True
    """

    reference: str | None
    adjustment: str
    confidence_level: float = 0.95
    dropped: tuple[Dropped, ...] = ()
    warned: tuple[Note, ...] = ()
    candidates: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    slices: "Mapping[str, ComparisonResult | None]" = field(default_factory=dict)
    groups_are_shared: bool = False

    @overload
    def __getitem__(self, key: str) -> Self: ...
    @overload
    def __getitem__(self, key: int) -> Comparison: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Comparison, ...]: ...
    def __getitem__(self, key: Any) -> Any:
        """Return the result of a metric by its name, or a comparison by its position."""
        if not isinstance(key, str):
            return self.comparisons[key]
        if key not in self.tests_by_metric:
            lost = {
                entry.metric: f" {entry.cause}; it was left out."
                for entry in reversed(self.dropped)  # so that the first cause is named
            }
            raise KeyError(
                f"{key!r} is not among the metrics {list(self.metrics)}.{lost.get(key, '')}"
            )
        dropped = tuple(entry for entry in self.dropped if entry.metric in (None, key))
        tests = {key: self.tests_by_metric[key]}
        slices = self._each_slice(lambda part: part[key])
        return replace(self, tests_by_metric=tests, dropped=dropped, slices=slices)

    def _each_slice(self, change: Callable[[Any], Any]) -> dict[str, Any]:
        """Return each slice changed; None for one that cannot be compared."""
        return {name: None if part is None else change(part) for name, part in self.slices.items()}

    def with_margin(self, margin: float | tuple[float, float]) -> Self:
        """Return the same result with verdicts on whether the differences matter.

        Parameters
        ----------
        margin : float or pair of float
            The largest difference that does not matter, in the metric's unit: from -margin to
            margin, or the two bounds low < 0 < high. With several metrics choose one first, such
            as ``result["roc_auc"].with_margin(0.01)``, unless it is the same in all.

        Returns
        -------
        ComparisonResult
            This one is not changed. Its notes say that the margin was given afterwards: verdicts
            by it hold their level only if it was chosen without looking at the scores.

        Raises
        ------
        ValueError
            If the margin is 0, infinite or not on both sides of 0, or as wide as the metric can
            be, or the procedure cannot decide on one.

        Notes
        -----
        The verdict is the first of these that is shown: better or worse by more than the margin;
        better or worse by less than the margin; better; worse; equivalent; not worse; not better.
        For a single comparison the last three are read from the interval with confidence 1 - 2
        alpha and all others from that with 1 - alpha, and the verdict is false with probability at
        most alpha [1]_. For several they are read from the simultaneous intervals of ``"max_t"``
        and ``"bonferroni"``; other adjustments adjust the p-values of the differences, and as a
        second family those of equivalence, or one-sided of "not worse" or "not better". Two bounds
        are of an earlier estimator minus a later one, and are turned with a pair that is turned.

        References
        ----------
        .. [1] J. J. Goeman, A. Solari and T. Stijnen, "Three-Sided Hypothesis Testing: Simultaneous
           Testing of Superiority, Equivalence and Inferiority", Statistics in Medicine 29, 2010.
        """
        procedure = self._first.procedure
        if margin is None:
            raise TypeError(
                "with_margin(None): pass the largest difference that does not matter, such as "
                "0.01; there is no default."
            )
        bounds = check_margin(margin, procedure, self.confidence_level, self.metrics)
        with_it = {
            metric: replace(tests, margin=bounds, margin_afterwards=True)
            for metric, tests in self.tests_by_metric.items()
        }
        slices = self._each_slice(lambda part: part.with_margin(margin))
        return replace(self, tests_by_metric=with_it, slices=slices)

    @explain_arguments()
    def with_confidence(self, confidence_level: float) -> Self:
        """Return the same result, reported at another level.

        {Parameters: new level}
        {Returns: same type}
        """
        level = check_level(confidence_level)
        if self.margin is not None:
            check_margin(self.margin, self._first.procedure, level)
        tests = {metric: tests.at(level) for metric, tests in self.tests_by_metric.items()}
        slices = self._each_slice(lambda part: part.with_confidence(level))
        return replace(self, confidence_level=level, tests_by_metric=tests, slices=slices)

    def _slice(self, scores_by_metric: Mapping[str, CVScores]) -> Self:
        """Return the result of a slice: the same pairs, in the same direction, each on its own."""
        tests = {}
        for metric, scores in scores_by_metric.items():
            whole = self.tests_by_metric[metric]
            of_slice = make_pair_tests(
                whole.procedure,
                scores,
                None,
                (whole.first, whole.second),
                adjustment=ADJUSTMENTS["none"],
                in_order=True,
                margin=whole.margin,
                confidence_level=whole.confidence_level,
            )
            tests[metric] = replace(of_slice, better_first=whole.better_first)
        return replace(self, tests_by_metric=tests, adjustment="none", slices={}, warned=())

    def _noted(self, notes: Iterable[Note]) -> Self:
        """Return the result with more notes."""
        tests = {
            metric: replace(pair_tests, notes=union(pair_tests.notes, notes))
            for metric, pair_tests in self.tests_by_metric.items()
        }
        return replace(self, tests_by_metric=tests)

    @property
    def _adjustment_of_slices(self) -> str:
        """What adjusts tests on slices, which have no joint distribution."""
        return "none" if self.adjustment == "none" else "holm"

    def slices_differ(self) -> "pd.DataFrame":
        """Return for each comparison a test of whether its difference depends on the slice.

        Returns
        -------
        DataFrame
            One row for each comparison: ``metric``, ``estimator``, ``versus``, the ``statistic``
            F, its degrees of freedom ``df`` and ``df_within``, ``pvalue``, ``pvalue_adjusted``,
            whether slices ``differ``, the number of slices that were tested, ``n_slices``, and a
            ``note`` that names those that were left out, or says why there is no test. Then
            numbers are missing.

        Raises
        ------
        ValueError
            If there are no slices.

        Notes
        -----
        This is Welch's test [1]_ of the differences d_k in m slices, each with the standard error
        se_k and the degrees of freedom df_k of the slice's own test. With w_k = 1/se_k^2, their sum
        W, the weighted mean d and L = sum_k (1 - w_k/W)^2 / df_k, ::

            F = sum_k w_k (d_k - d)^2 / (m - 1) / (1 + 2 (m - 2) L / (m^2 - 1))

        has the F distribution with m - 1 and (m^2 - 1) / (3 L) degrees of freedom. The test
        takes the slices to be independent, so it is not made where a group lies in several
        of them, nor of rows in time order. Slices with fewer than five rows, or groups, or without
        variance are left out. p-values are adjusted by Holm for the comparisons unless
        ``adjustment="none"``.

        References
        ----------
        .. [1] B. L. Welch, "On the Comparison of Several Mean Values: An Alternative Approach",
           Biometrika 38, 1951.
        """
        import pandas as pd

        compared = compared_slices(self.slices)
        frames = []
        for metric, whole in self.tests_by_metric.items():
            parts = {name: part.tests_by_metric[metric] for name, part in compared.items()}
            found = tests_of_pairs(whole, parts, self.slices, self.groups_are_shared)
            frame = pd.DataFrame(found)
            adjusted = adjust_pvalues(frame["pvalue"].fillna(1.0), self._adjustment_of_slices)
            frame["pvalue_adjusted"] = np.where(frame["pvalue"].isna(), np.nan, adjusted)
            frames.append(frame.assign(differ=adjusted <= alpha_of(self.confidence_level)))
        columns = ["metric", "estimator", "versus", "statistic", "df", "df_within", "pvalue"]
        columns += ["pvalue_adjusted", "differ", "n_slices", "note"]
        return pd.concat(frames, ignore_index=True)[columns]

    def by_slice(self) -> "pd.DataFrame":
        """Return one row for each comparison in each slice of ``by=``.

        Returns
        -------
        DataFrame
            Columns ``metric``, ``slice``, its number of rows ``n_test``, ``estimator`` and
            ``versus`` as in the whole, and of this slice alone ``score``, ``score_versus``,
            ``difference``, ``standard_error``, ``df`` and ``pvalue``. The interval ``low`` to
            ``high`` and ``pvalue_adjusted`` are adjusted by Bonferroni's method for all rows of
            the metric (``adjusted_over`` says "slices"), and ``differs`` is whether the latter is
            at most the level: then the interval excludes 0. With a margin also the ``margin`` that
            `estimator` may be worse by, ``pvalue_not_worse`` and ``pvalue_worse_by_more``, which
            are not adjusted. Intervals and p-values of a difference that does not vary are missing.
            Slices that cannot be compared have no row.

        Raises
        ------
        ValueError
            If there are no slices.

        Notes
        -----
        No significant difference in a slice is not evidence of equality. Whether slices differ from
        each other is tested by `slices_differ`.
        """
        import pandas as pd

        parts = compared_slices(self.slices)
        frames = []
        alpha = alpha_of(self.confidence_level)
        for metric, (name, part) in product(self.metrics, parts.items()):
            pair_tests = part.tests_by_metric[metric]
            n_intervals = len(parts) * len(pair_tests)
            ends = ends_of(pair_tests.inference, 1 - alpha / n_intervals)
            low, high = shown_ends(pair_tests.inference.scores, *ends)
            frame = pair_tests.to_frame().assign(
                slice=name,
                n_test=n_rows_of(pair_tests.scores),
                low=low,
                high=high,
                pvalue=pair_tests.pvalues_adjusted,
            )
            if pair_tests.margin_pvalues is not None:
                frame["pvalue_worse_by_more"] = pair_tests.margin_pvalues.worse_by_more
                frame["margin"] = -np.asarray(pair_tests.bounds[0])
            frames.append(frame)
        frame = pd.concat(frames, ignore_index=True)
        # every slice has its own degrees of freedom, so there is no joint distribution
        adjusted = frame.groupby("metric")["pvalue"].transform(adjust_pvalues, "bonferroni")
        frame["pvalue_adjusted"] = adjusted
        frame["adjusted_over"] = "slices"
        frame["differs"] = adjusted <= alpha
        columns = ["metric", "slice", "n_test", "estimator", "versus", "score", "score_versus"]
        columns += ["difference", "standard_error", "df", "low", "high", "pvalue"]
        columns += ["pvalue_adjusted", "adjusted_over", "differs"]
        if self.margin is not None:
            columns += ["margin", "pvalue_not_worse", "pvalue_worse_by_more"]
        shown: pd.DataFrame = without_conventions(frame[columns], frame["standard_error"] == 0)
        return shown

    def no_slice_worse(self) -> "pd.DataFrame":
        """Return whether an estimator is shown to be within the margin, or better, in every slice.

        Returns
        -------
        DataFrame
            One row for each comparison: ``metric``, ``estimator``, ``versus``, the ``margin``, the
            ``slice`` that shows it least, ``pvalue`` and ``pvalue_adjusted`` of the claim, whether
            it is ``shown``, ``pvalue_contrary`` of "it is worse by more in some slice", and the
            ``outcome``: "holds", "contrary" or "open".

        Raises
        ------
        ValueError
            If there are no slices, or no margin, or with ``alternative="less"``.

        Notes
        -----
        The claim is false only if it is false in some slice. So each slice is tested at the level,
        all of them must pass, and p is the largest of theirs, not adjusted for the slices [1]_; it
        is adjusted by Holm for the comparisons unless ``adjustment="none"``. A slice that cannot be
        compared, or whose difference does not vary, does not pass. The contrary has the smallest p
        times the number of slices, adjusted for the comparisons too; with ``alternative="greater"``
        it is not tested.

        References
        ----------
        .. [1] R. L. Berger, "Multiparameter Hypothesis Testing and Acceptance Sampling",
           Technometrics 24, 1982.
        """
        every = self.by_slice()
        if self.margin is None:
            raise ValueError(
                "no_slice_worse() needs a margin, the largest difference that does not matter. "
                "Pass margin=, or use result.with_margin(0.01)."
            )
        if self._first.inference.alternative == "less":
            raise ValueError(
                'no_slice_worse() needs alternative="two-sided" or "greater": with "less" nothing '
                "shows that an estimator is not worse."
            )
        every = every.fillna({"pvalue_not_worse": 1.0, "pvalue_worse_by_more": 1.0})
        of_pairs = every.groupby(["metric", "estimator", "versus"], sort=False)
        rows = of_pairs["pvalue_not_worse"].idxmax()
        columns = ["metric", "estimator", "versus", "margin", "slice"]
        frame = every.loc[rows, columns].reset_index(drop=True)
        frame["pvalue"] = every.loc[rows, "pvalue_not_worse"].to_numpy()
        lacking = [name for name, part in self.slices.items() if part is None]
        if lacking:
            frame = frame.assign(slice=lacking[0], pvalue=1.0)
        of_metrics = frame.groupby("metric")["pvalue"]
        adjusted = of_metrics.transform(adjust_pvalues, self._adjustment_of_slices)
        of_some = of_pairs["pvalue_worse_by_more"].min().to_numpy() * len(self.slices)
        of_metrics = frame.assign(of_some=np.fmin(of_some, 1.0)).groupby("metric")["of_some"]
        contrary = of_metrics.transform(adjust_pvalues, self._adjustment_of_slices)
        alpha = alpha_of(self.confidence_level)
        shown = adjusted <= alpha
        outcome = np.select([shown, contrary <= alpha], ["holds", "contrary"], "open")
        numbers = {"pvalue_adjusted": adjusted, "shown": shown, "pvalue_contrary": contrary}
        return frame.assign(**numbers, outcome=outcome)

    def pairs(self, top: int | None = None) -> Self:
        """Compare all pairs of the candidates of `compare_candidates` without a reference.

        Parameters
        ----------
        top : int, default=None
            Compare only this number of candidates, those with the highest scores (in the first
            metric); needed where there are more than 50. ``best_set()`` and ``ranking()`` of the
            result still include all candidates.

        {Returns: same type}

        Raises
        ------
        ValueError
            If there are more than 50 candidates and no `top`, or this result has comparisons.

        Warns
        -----
        AnticonservativeWarning
            If `top` leaves candidates out.
        """
        check_top(top)
        first = self._first
        n = len(self._first.scores.labels)
        if len(self):
            raise ValueError(
                f"This result has {counted(len(self), 'comparison')} already. pairs() is for what "
                "compare_candidates returns without reference=."
            )
        if top is None and n > _MOST_IN_PAIRS:
            raise ValueError(
                f"{n} candidates have {n * (n - 1) // 2} pairs. Pass top=10 for the pairs of the "
                "ten best, or compare with one: compare_candidates(..., reference=...)."
            )
        kept = np.sort(first.compared.best_first[:top])
        chosen = len(kept) < len(first.joint.estimates)
        on_choice = find_notes(
            CandidatesEvidence(n_candidates=len(first.joint.estimates), n_best=len(kept))
        )
        pairs = {
            metric: make_pair_tests(
                tests.procedure,
                tests.scores._take(kept),
                None,
                np.triu_indices(len(kept), k=1),
                adjustment=check_adjustment(self.adjustment, tests.procedure),
                notes=union(tests.notes, on_choice),
                margin=tests.margin,
                chosen_from=tests.joint.scores if chosen else None,
                in_order=False,
                confidence_level=self.confidence_level,
            )
            for metric, tests in self.tests_by_metric.items()
        }
        return replace(self, tests_by_metric=pairs)._warn(self.warned)

    def _warn(self, said: Iterable[Note]) -> Self:
        """Warn of the limitations but those that were reported before; return the same result."""
        inferences = [tests.inference for tests in self.tests_by_metric.values()]
        parts: Any = {"scores": self.scores_by_metric, "auxiliary": self.auxiliary_by_metric}
        return replace(self, warned=warn_once(inferences, self.notes, said, **parts))

    def params(self, name: str) -> dict[str, Any]:
        """Return the parameters of a candidate of a search.

        ``[result.params(name) for name in result.best_set()]`` are those that could be the best.

        Parameters
        ----------
        name : str
            Its label, or the number in it, such as ``"#12"``.

        Returns
        -------
        dict of str to object
            As in ``cv_results_["params"]``, for ``set_params`` of the estimator.

        Raises
        ------
        ValueError
            If there is no such candidate, or the result was read from JSON, which contains numbers,
            texts, arrays, and lists and dicts of them only.
        """
        label = matching_label(name, list(self.candidates))
        if not isinstance(label, str) or label not in self.candidates:
            raise ValueError(
                f"There are no parameters of {name!r} among those of [{listed(self.candidates)}]. "
                "Results of compare_candidates have them; JSON does not contain objects."
            )
        return dict(self.candidates[label])

    def adjusted(self) -> str:
        """Say in words how p-values were adjusted for the number of comparisons.

        {Returns: words}
        """
        return "".join(parts_of_adjusted(self))

    def to_json(self) -> str:
        """Return the result as JSON text, which `from_json` reads back.

        The text contains the scores, which estimators were compared, and the procedure by its name
        and options. It contains no code and no tests: `from_json` computes these again.

        {Returns: JSON}
        """
        return result_to_json(self)

    @classmethod
    def from_json(
        cls, text: str | bytes, *, method: str | Procedure | None = None, max_bytes: int = MAX_BYTES
    ) -> Self:
        """Read what `to_json` wrote, and compute the tests again, without warnings.

        Reading never runs code.

        {Parameters: json text}
        method : str or Procedure, default=None
            The procedure that made the result, with its options; needed for a procedure from
            outside this package.
        {shared: max_bytes}

        Returns
        -------
        ComparisonResult
            With the same numbers and notes.

        Raises
        ------
        ValueError
            If the text is damaged, too large, or of another version or kind, or `method` is another
            procedure than the result was made by.
        """
        from ..test_set import ON_TEST_SETS

        return result_from_json(cls, text, method, max_bytes, ON_TEST_SETS.values())

    @explain_arguments()
    def to_frame(
        self, confidence_level: float | None = None, *, full: bool = False
    ) -> "pd.DataFrame":
        """Return one row for each comparison, the best estimators first.

        {Parameters: own level, full}

        Returns
        -------
        DataFrame
            Columns ``metric``, ``estimator``, ``versus``, their estimated ``score`` and
            ``score_versus``, the ``difference`` (positive speaks for `estimator`), the ends ``low``
            and ``high`` of the interval that decides, ``pvalue``, ``pvalue_adjusted``, the
            ``outcome``, as of a `Comparison`, and ``note``, the codes of the notes on the
            comparison; `notes` has their texts. With ``adjustment="max_t"`` and ``"bonferroni"``
            the deciding intervals are simultaneous: all of them cover with the confidence level,
            and a difference is significant exactly where its interval excludes the null value.
            Otherwise they are unadjusted. Intervals and p-values of a difference that does not vary
            are missing.

            With ``full=True`` also the ``standard_error``, the ends of the unadjusted interval,
            ``low_unadjusted`` and ``high_unadjusted``, the ``statistic``, ``df``, the Monte-Carlo
            standard error ``pvalue_error`` of ``pvalue_adjusted`` by the draws of max-t, else 0,
            and ``adjusted_over``, "nothing" or "pairs". Of the row t-test with several repeats
            there are ``pvalue_over_folds_low`` and ``pvalue_over_folds_high``, between which
            ``pvalue`` would mostly (80 %) lie with other folds, and of scores on data sets
            ``pvalue_wilcoxon``. With a margin there are its bounds ``margin_low`` and
            ``margin_high`` for this difference, ``low_margin`` and ``high_margin``, the ends of the
            interval that decides whether the difference is within it, and the adjusted
            ``pvalue_not_worse``, ``pvalue_not_better`` and ``pvalue_equivalent``.
        """
        import pandas as pd

        level = self._level(confidence_level)
        frames = [tests.at(level).to_frame() for tests in self.tests_by_metric.values()]
        frame: pd.DataFrame = pd.concat(frames, ignore_index=True)
        return select_columns(frame, _COLUMNS, full)

    def to_dict(self, confidence_level: float | None = None) -> dict[str, Any]:
        """Return the result as a flat dict, for experiment trackers such as MLflow.

        {Parameters: own level}

        Returns
        -------
        dict
            Strings, numbers, booleans and None, so ``json.dumps(..., allow_nan=False)`` can write
            it. A key is a path with slashes:

            - of the result: ``confidence_level``, ``reference``, ``adjustment``, ``margin_low`` and
              ``margin_high``, and ``notes``, the codes of the notes;
            - of a metric, such as ``accuracy/method``: ``method``, ``n_splits``, ``n_train``,
              ``n_test``, ``n_samples`` and ``unit``;
            - of an estimator, such as ``accuracy/tree/score``, what `ranking` says, but for ranks;
            - of a comparison, such as ``accuracy/forest - tree/difference``, what `to_frame` says:
              ``difference``, ``standard_error``, ``low``, ``high``, ``pvalue``,
              ``pvalue_adjusted`` and ``pvalue_error``; with a margin ``margin_low``,
              ``margin_high``, ``low_margin``, ``high_margin``, ``pvalue_not_worse``,
              ``pvalue_not_better`` and ``pvalue_equivalent``; and ``outcome``, what is shown.
              The better estimator comes first, so these keys depend on the scores, unless there is
              a reference.

            A ``/`` in the name of an estimator or a metric is written ``_``. None stands for what
            the procedure does not have, for an infinite end of an interval, and for the interval
            and the p-values of scores that do not vary, as these are no evidence.

        {Raises: same key}

        See Also
        --------
        ComparisonResult.to_json : The scores too, to read the result back.
        """
        return comparison_dict(self.with_confidence(self._level(confidence_level)))

    @explain_arguments()
    def best_set(self, confidence_level: float | None = None) -> tuple[str, ...]:
        """Return the estimators that could be the best, valid even though you looked at the scores.

        Of several metrics in the first, as `ranking` and `letters`; ``result["f1"].best_set()`` is
        that of another.

        Parameters
        ----------
        confidence_level : float, default=None
            How often such sets contain the truly best; above 0.5. None is that of this result.

        Returns
        -------
        tuple of str
            Their names, those with the highest scores first.

        Raises
        ------
        ValueError
            If the procedure has no direction.

        Notes
        -----
        An estimator is left out if another is significantly better, in one-sided comparisons
        of all others with it that are adjusted for their number. If all pairs are compared,
        two-sided and by max-t, an estimator that is shown to be worse than another at the same
        level is not in the set. Comparisons with a reference and those of the ``top`` are separate
        families, and unadjusted comparisons show more. An estimator whose differences do not vary
        stays in the set. With little data nearly all are in it, which says little.
        `letters` is another method, of the differences of all pairs, and can leave together what
        the set tells apart. The set is of all candidates of a search that have all their scores,
        also of those that ``compare_candidates(top=...)`` does not compare.
        """
        level = self._level(confidence_level)
        tests = self._first
        if not tests.joint.has_best:
            raise ValueError(
                f"The {tests.inference.title} has no direction, so it does not tell which "
                'estimators could be the best. Use method="corrected_resampled_t".'
            )
        return tests.joint.best_set(level)

    @explain_arguments()
    def ranking(self, confidence_level: float | None = None) -> "pd.DataFrame":
        """Return one row for each estimator, best first.

        After ``compare_candidates(top=...)`` the rows are of all candidates that have all their
        scores, as the set of the best is.

        {Parameters: own level}

        Returns
        -------
        DataFrame
            Columns ``estimator``, ``score``, its ``standard_error`` and the ends ``low`` and
            ``high`` of its interval, ``pvalue_best`` and ``could_be_best``, missing where the
            procedure does not give them, and, where it does, the interval of its rank, ``rank_low``
            to ``rank_high``. ``could_be_best`` is as in `best_set`, ``pvalue_best`` its p.

        Notes
        -----
        The intervals are for single scores, not adjusted, and cut at the ends of the metric's
        range, which does not change their coverage. To compare estimators use `to_frame`, which has
        the intervals of their differences.

        All intervals of ranks hold together with the confidence level: ``rank_low`` is one more
        than the number of estimators that are significantly better, and below ``rank_high`` are
        those that are significantly worse [1]_. They need two-sided differences of all pairs, and
        an adjustment that bounds the chance of any false one: not ``"bh"``, ``"by"`` or ``"none"``.

        References
        ----------
        .. [1] D. Al Mohamad, J. J. Goeman and E. W. van Zwet, "Simultaneous Confidence Intervals
           for Ranks with Application to Ranking Institutions", Biometrics 78, 2022.
        """
        level = self._level(confidence_level)
        frame = self._first.at(level).ranking()
        params = [self.candidates.get(name, {}) for name in frame["estimator"]]
        return frame.assign(**parameter_columns(self._search.get("varying", ()), params, frame))

    @property
    def _search(self) -> Mapping[str, Any]:
        """What is known of the search whose candidates these are; empty for other estimators."""
        return self._first.scores.provenance.get("search") or {}

    def cheapest(self, cost: Any, rule: str | None = None, margin: float | None = None) -> str:
        """Return the cheapest candidate of a search that is good enough.

        The rules are those of `SignificanceRefit`, which chooses while a search runs. Of several
        metrics the first counts; ``result["f1"].cheapest(...)`` is by another.

        Parameters
        ----------
        cost : str or callable
            What to take the least of: a parameter such as ``"max_leaf_nodes"``,
            ``"mean_fit_time"``, ``"mean_score_time"``, or a callable that turns a candidate's dict
            of parameters into a number.
        rule : {"one_standard_error", "margin"}, default=None
            Which candidates are good enough. None is ``"margin"`` where a `margin` is given, and
            ``"one_standard_error"`` where none is.
        margin : float, default=None
            The loss of score that you accept for a cheaper candidate, in the unit of the metric.

        Returns
        -------
        str
            Its label; ``result.params(label)`` returns its parameters.

        Raises
        ------
        ValueError
            If the result has no candidates of a search, the cost is not known or not a number, or
            the rule and the margin do not fit.

        Warns
        -----
        SplitDesignWarning
            If no candidate is shown to be within the margin of every other; then the one with the
            best mean score is returned.
        DegenerateScoresWarning
            If scores or differences do not vary, so that they are no evidence.

        See Also
        --------
        skcvstats.SignificanceRefit : What the rules are, and how often they choose well.
        """
        scores = self._first.joint.scores
        if not self._search:
            raise ValueError(
                "There are no candidates of a search: cheapest() is of what compare_candidates "
                "returns. result.best_set() names the estimators that could be the best."
            )
        check_rule(rule, margin)
        test = test_of_worse(self._first.procedure, who="cheapest()")
        if margin is not None:
            check_margin(margin, test, self.confidence_level, self.metrics[:1])
        params = [self.candidates.get(name, {}) for name in scores.labels]
        columns = parameter_columns(list(dict.fromkeys(chain.from_iterable(params))), params, ())
        for name, times in self._search.get("times", {}).items():
            columns.setdefault(name, [times[label] for label in scores.labels])
        costs = costs_of(cost, columns, params)
        chosen = choose_cheapest(scores, test, costs, params, margin, self.confidence_level)
        return scores.labels[chosen]

    @explain_arguments()
    def letters(self, confidence_level: float | None = None) -> "pd.DataFrame":
        """Return letters for a table of scores: without a common one, estimators differ.

        They sum up the differences of all pairs, two-sided and adjusted as they are [1]_. That is
        another method than the set of the best, which only asks whether another one is better.

        Parameters
        ----------
        confidence_level : float, default=None
            One minus the level of the differences. None is that of this result, by default 0.95.

        Returns
        -------
        DataFrame
            Columns ``estimator`` and ``letters``, best first. After z come aa, ab and so on, and
            then spaces stand between them. A common letter is not evidence of equality.

        Raises
        ------
        ValueError
            If not all pairs were compared two-sidedly, the procedure shows other claims, or it
            would take over 2000 letters.

        References
        ----------
        .. [1] H.-P. Piepho, "An Algorithm for a Letter-Based Representation of All-Pairwise
           Comparisons", Journal of Computational and Graphical Statistics 13, 2004.
        """
        level = self._level(confidence_level)
        frame = self._first.at(level).letters()
        if frame is None:
            raise ValueError(
                "There are no letters: they need two-sided differences of all pairs, and at most "
                "2000 letters. Leave reference, alternative and top out, use "
                "result.pairs().letters() for candidates of a search, or use to_frame()."
            )
        return frame

    def plot(self, kind: str | None = None, ax: Any = None, **kwargs: Any) -> Any:
        """Draw the result; this needs matplotlib.

        Parameters
        ----------
        kind : {"ranking", "differences", "matrix", "scores", "time"}, default=None
            `RankingDisplay`, `ComparisonDisplay`, `MatrixDisplay`, `PairedScoresDisplay` or
            `CumulatedDifferenceDisplay`. None is the last for one pair over time, the differences
            where there are two estimators or a reference, the matrix for 8 to 60 estimators, else
            the ranking.
        {shared: ax, display options}

        {Returns: drawn display}
        """
        from ..plotting import draw

        return draw(self, kind, ax, **kwargs)

    def sentences(self) -> list[str]:
        """Return the first comparisons as sentences, and how many more there are.

        Returns
        -------
        list of str
            With their full stops.
        """
        sentences = list(map(str, self.comparisons[:_MOST_SENTENCES]))
        n_left = len(self.comparisons) - len(sentences)
        if n_left:
            sentences.append(f"{counted(n_left, 'more comparison')} in the table.")
        return sentences


def check_top(top: Any) -> None:
    """Raise ValueError unless `top` is a number of candidates that can be compared."""
    check_optional_integer("top", top, 2, "how many of the best to compare, or None for all")


def matching_label(reference: Any, labels: Sequence[str]) -> Any:
    """Return the label of a candidate that is named only by its number or its parameters."""
    if not isinstance(reference, str) or reference in labels:
        return reference
    matching = [label for label in labels if reference in label.split(" ", 1)]
    return matching[0] if len(matching) == 1 else reference
