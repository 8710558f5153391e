"""McNemar's tests of the accuracies of fitted classifiers on one test set, and Cochran's Q.

`mcnemar_exact_test` takes labels, or counts; `McNemarScoreTest` is the procedure of
`compare_predictions`. Both have Tango's score interval.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from math import sqrt
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import chdtrc, ndtr
from scipy.stats import binom

from .._utils._arrays import as_array
from .._utils._checks import ConfidenceInterval, check_option, listed, n_rows
from .._utils._shared_arguments import check_alternative, check_level
from .._utils._text import first_of, format_number, format_pvalue
from .._utils._warn import warn_user
from ..exceptions import DegenerateScoresWarning
from ..scores import Components, CVScores, Note
from ..stats import Description, check_present, one_each, plain
from ._held_out import (
    HeldOutResult,
    HeldOutTest,
    ScoreTestResult,
    WilsonResult,
    held_out_scores,
    score_interval,
    score_statistic,
)
from ._stored import refuse_unseen


def tango_statistic(n01: Any, n10: Any, n: Any, null_value: Any = 0.0) -> np.ndarray:
    """Return the score statistic of a difference of accuracies (Tango 1998)."""
    # q is the restricted estimate of the probability that only the second is right, a root of A q^2
    # + B q + C: (n01 - n10 - n d)/sqrt(n (2q + d (1 - d))) with d the difference under test.
    b = np.asarray(n01, dtype=float)
    c = np.asarray(n10, dtype=float)
    n = np.asarray(n, dtype=float)
    d = np.asarray(null_value, dtype=float)
    middle = (2 * n - b + c) * d - b - c
    last = -c * d * (1 - d)
    root = np.sqrt(np.maximum(middle**2 - 8 * n * last, 0.0))
    # Of the two forms of the larger root, one is free of cancellation.
    with np.errstate(divide="ignore", invalid="ignore"):
        stable = np.where(middle + root > 0, -2 * last / (middle + root), 0.0)
        q = np.where(middle > 0, stable, (root - middle) / (4 * n))
    return score_statistic(b - c, n * d, n * (2 * q + d * (1 - d)))


@dataclass(frozen=True, kw_only=True)
class McNemarResult:
    """The result of McNemar's test; it unpacks as ``statistic, pvalue``.

    Parameters
    ----------
    statistic : float
        The normal deviate of the ``"asymptotic"`` and ``"continuity"`` tests; of ``"exact"`` and
        ``"mid-p"`` the count `n01`, whose binomial distribution they use. nan where the two
        classifiers never differ.
    pvalue : float
        The p-value.
    estimate : float
        Accuracy of A minus that of B, (n01 - n10)/n.
    n01, n10 : int
        Rows that only B gets wrong, and that only A gets wrong.
    n : int
        Rows of the test set.
    method : {"mid-p", "exact", "asymptotic", "continuity"}
        How the p-value was made.
    alternative : {"two-sided", "less", "greater"}
        Of the accuracy of A minus that of B.
    """

    statistic: float
    pvalue: float
    estimate: float
    n01: int
    n10: int
    n: int
    method: str
    alternative: str

    def __iter__(self) -> Iterator[float]:
        return iter((self.statistic, self.pvalue))

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return Tango's score interval for the difference of the accuracies.

        {Parameters: level}

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``. It agrees with the ``"asymptotic"`` test, not always with others.
        """
        level = check_level(confidence_level)
        statistic_at = partial(tango_statistic, self.n01, self.n10, self.n)
        return score_interval(statistic_at, np.array(-1.0), np.inf, level, self.alternative)

    @property
    def undetermined(self) -> bool:
        """Whether no row is right for one only, so that the test has no evidence to go on."""
        return self.n01 + self.n10 == 0

    def __str__(self) -> str:
        verdict = (
            "the two are right on the same rows, so the test is undetermined"
            if self.undetermined
            else f"p {format_pvalue(self.pvalue)} ({self.alternative})"
        )
        return (
            f"McNemar's test ({self.method}): accuracy of A minus B {format_number(self.estimate)} "
            f"on {self.n} test rows, {self.n01} right for A only and {self.n10} for B only: "
            f"{verdict}; about the fitted classifiers, not the algorithms"
        )


def mcnemar_exact_test(
    y_true: ArrayLike | None = None,
    pred_a: ArrayLike | None = None,
    pred_b: ArrayLike | None = None,
    *,
    table: ArrayLike | None = None,
    method: str = "exact",
    alternative: str = "two-sided",
) -> McNemarResult:
    """Compare the accuracies of two fitted classifiers on one test set.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,), default=None
        The true labels of the test rows.
    pred_a, pred_b : array-like of shape (n_samples,), default=None
        The labels that classifiers A and B predict.
    table : array-like of int of shape (2, 2), default=None
        Instead of labels the counts of errors: ``table[j][k]`` test rows have loss j for A and k
        for B, 1 being an error: ``[[both right, only A right], [only B right, both wrong]]``.
    method : {"mid-p", "exact", "asymptotic", "continuity"}, default="exact"
        ``"exact"``: the binomial test, which never rejects more often than its level, and often
        much less. ``"mid-p"``: the same with half the probability of the observed outcome, whose
        size is close to the level. ``"asymptotic"``: the normal approximation, the report's.
        ``"continuity"``: the same with Edwards' correction, as in other packages.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A is more accurate than B.

    Returns
    -------
    McNemarResult
        The test, and the difference of the accuracies.

    Raises
    ------
    ValueError
        If the labels differ in number or kind, some are missing, or predictions are of a class
        that a `y_true` of two classes lacks; if the table is not 2 x 2 counts, or counts no row.
    TypeError
        If neither the labels nor a table are given, or both.

    Warns
    -----
    DegenerateScoresWarning
        If no row is right for one classifier only: p = 1 then.

    {See Also: error_rate_difference}

    Notes
    -----
    Let n_jk be the number of test rows with loss j for A and k for B, 1 being an error ([1]_,
    section 4). So n01 counts the rows that only B gets wrong, n10 those that only A gets wrong,
    and with scores, where greater is better, A minus B is (n01 - n10)/n. Given that the two differ
    on m = n01 + n10 rows, n01 is binomial (m, 1/2) if both have the same true error. From
    X = n01 the one-sided p-values are, with "greater" for A,

    - exact: P(X >= n01) and P(X <= n01), whose sum is 1 + P(X = n01);
    - mid-p: P(X > n01) + P(X = n01)/2 and P(X < n01) + P(X = n01)/2, whose sum is 1;
    - asymptotic: of z = (n01 - n10)/sqrt(m) in the normal distribution. z^2 is McNemar's
      chi-squared statistic without correction;
    - continuity: of (n01 - n10 - 1)/sqrt(m) and (n01 - n10 + 1)/sqrt(m), which approximates the
      exact test.

    Two-sided p-values are twice the smaller, and at most 1. The literature recommends mid-p [2]_:
    given m its size is on average close to the level, where the exact test stays well below it, and
    over the random m it hardly ever exceeds the level.

    The holdout t-test on the same losses has the variance about the mean instead of the null
    variance m/n. With X the uncorrected chi-squared statistic, its square is (n - 1) X/(n - X).

    The test is about these two fitted classifiers: with other training rows the algorithms would
    give others. For the algorithms see `compare_estimators`.

    References
    ----------
    .. [1] C. Nadeau and Y. Bengio, "Inference for the Generalization Error", CIRANO 99s-25, 1999;
       footnote 5.
    .. [2] M. W. Fagerland, S. Lydersen and P. Laake, "The McNemar Test for Binary Matched-Pairs
       Data: Mid-p and Asymptotic Are Better Than Exact Conditional", BMC Medical Research
       Methodology 13, 2013.

    Examples
    --------
    >>> from skcvstats.test_set import mcnemar_exact_test
    >>> y_true = [0, 1, 1, 0, 1, 0, 1, 1, 0, 1]
    >>> pred_a = [0, 1, 1, 0, 1, 0, 1, 0, 0, 1]
    >>> pred_b = [1, 0, 1, 1, 1, 0, 0, 1, 0, 0]
    >>> result = mcnemar_exact_test(y_true, pred_a, pred_b)
    >>> result.n01, result.n10, round(result.pvalue, 6)
    (5, 1, 0.21875)
    >>> print(mcnemar_exact_test(table=[[9945, 25], [15, 15]], method="mid-p"))
    McNemar's test (mid-p): accuracy of A minus B 0.001 on 10000 test rows, 25 right for A only and
    15 for B only: p = 0.117 (two-sided); about the fitted classifiers, not the algorithms
    """
    check_alternative(alternative)
    labels = {"y_true": y_true, "pred_a": pred_a, "pred_b": pred_b}
    arguments = {**labels, "table": table}
    passed = [name for name, values in arguments.items() if values is not None]
    if passed not in (["y_true", "pred_a", "pred_b"], ["table"]):
        raise TypeError(
            f"Got {listed(passed) or 'nothing'}. Give either the labels y_true, pred_a and pred_b, "
            "or table=, the counts of errors."
        )
    counts = _table_of(labels) if table is None else as_array("table", table)
    check_option("method", method, ("mid-p", "exact", "asymptotic", "continuity"))
    if counts.shape != (2, 2) or counts.dtype.kind not in "iu" or (counts < 0).any():
        raise ValueError(
            f"table={table!r} must be a 2 x 2 table of counts, [[both right, only A right], "
            "[only B right, both wrong]]."
        )
    n = int(counts.sum())
    if n == 0:
        raise ValueError("The table counts no row; pass a test set of at least 1 row.")
    n01 = int(counts[0, 1])
    n10 = int(counts[1, 0])
    statistic = float("nan")
    pvalue = 1.0
    if n01 + n10 > 0:
        statistic, pvalue = _statistic_and_p(n01, n10, alternative, method)
    else:
        warn_user(
            "No row is right for one classifier only: p is 1 by definition, so no conclusion can "
            "be drawn. Test on more rows.",
            DegenerateScoresWarning,
        )
    return McNemarResult(
        statistic=statistic,
        pvalue=pvalue,
        estimate=(n01 - n10) / n,
        n01=n01,
        n10=n10,
        n=n,
        method=method,
        alternative=alternative,
    )


def _table_of(labels: dict[str, Any]) -> np.ndarray:
    """Return the counts of the rows that both classifiers, one or none gets right."""
    n = n_rows(labels["y_true"], "y_true")
    arrays = {}
    for name, values in labels.items():
        arrays[name] = one_each(name, as_array(name, values), n)
        check_present(name, arrays[name])
    truth = arrays["y_true"]
    classes = np.array(list(dict.fromkeys(truth.tolist())), dtype=truth.dtype)
    refuse_unseen("The labels of pred_a", arrays["pred_a"], classes)
    refuse_unseen("The labels of pred_b", arrays["pred_b"], classes)
    wrong_a = arrays["pred_a"] != truth
    wrong_b = arrays["pred_b"] != truth
    return np.bincount(2 * wrong_a + wrong_b, minlength=4).reshape(2, 2)


# The difference of the counts is moved by this much.
_CORRECTIONS = {"asymptotic": 0, "continuity": 1}


def _statistic_and_p(n01: int, n10: int, alternative: str, method: str) -> tuple[float, float]:
    """Return the statistic and the p-value of McNemar's test, given rows that differ."""
    m = n01 + n10
    if method == "mid-p":
        return float(n01), float(_mid_p(n01, n10, alternative))
    if method == "exact":
        less = binom.cdf(n01, m, 0.5)
        greater = binom.sf(n01 - 1, m, 0.5)
        return float(n01), float(_pvalue(less, greater, alternative))
    root = sqrt(m)
    difference = n01 - n10
    correction = _CORRECTIONS[method]
    if_less = (difference + correction) / root
    if_greater = (difference - correction) / root
    # The two-sided statistic is corrected towards 0, and not beyond it.
    two_sided = float(np.clip(0.0, if_greater, if_less))
    statistics = {"less": if_less, "greater": if_greater, "two-sided": two_sided}
    pvalue = _pvalue(ndtr(if_less), ndtr(-if_greater), alternative)
    return statistics[alternative], float(pvalue)


def _mid_p(n01: Any, n10: Any, alternative: str) -> np.ndarray:
    """Return McNemar's mid-p value, which is 1 where no row differs."""
    m = n01 + n10
    half = binom.pmf(n01, m, 0.5) / 2
    less = binom.cdf(n01 - 1, m, 0.5) + half
    greater = binom.sf(n01, m, 0.5) + half
    return np.where(m > 0, _pvalue(less, greater, alternative), 1.0)


def _pvalue(less: Any, greater: Any, alternative: str) -> Any:
    """Return the p-value for an alternative from those of both one-sided tests."""
    two_sided = np.minimum(1.0, 2 * np.minimum(less, greater))
    return {"less": less, "greater": greater, "two-sided": two_sided}[alternative]


@dataclass(frozen=True, kw_only=True)
class CochranQResult:
    """The answer of Cochran's Q test; it unpacks as ``statistic, pvalue``."""

    statistic: float
    pvalue: float
    df: int
    n: int
    n_informative: int

    def __iter__(self) -> Iterator[float]:
        return iter((self.statistic, self.pvalue))

    def __str__(self) -> str:
        return (
            f"Cochran's Q = {format_number(self.statistic)} on {self.n} test rows, "
            f"{self.n_informative} of them not the same for all classifiers: p "
            f"{format_pvalue(self.pvalue)} (chi-squared, {self.df} degrees of freedom)"
        )


def cochran_q_test(correct: ArrayLike) -> CochranQResult:
    """Test whether several fitted classifiers have one accuracy.

    Parameters
    ----------
    correct : array-like of bool of shape (n_rows, n_classifiers)
        Whether each classifier is right on each test row, in the orientation of statsmodels.

    Returns
    -------
    result : object with these attributes
        ``statistic`` and ``pvalue``, as which it unpacks; ``df``; ``n``, the rows, and
        ``n_informative``, those that some classifiers get right and others wrong. The statistic is
        0 where no row tells the classifiers apart. It is an omnibus test:
        `skcvstats.compare_predictions` compares the pairs and does not need it.

    Raises
    ------
    ValueError
        If there are fewer than two classifiers or more of them than rows, or something else than 0
        and 1.

    See Also
    --------
    skcvstats.test_set.mcnemar_exact_test : The same for two, without the normal approximation.

    Notes
    -----
    With K classifiers, C_j the rows that classifier j gets right and R_i the classifiers that are
    right on row i, Q = (K - 1) (K sum C_j^2 - N^2)/(K N - sum R_i^2), N = sum C_j [1]_. Rows on
    which all agree drop out. For two it is McNemar's statistic without correction.

    References
    ----------
    .. [1] W. G. Cochran, "The Comparison of Percentages in Matched Samples", Biometrika 37, 1950.

    Examples
    --------
    >>> from skcvstats.test_set import cochran_q_test
    >>> first = [1, 1, 0, 1, 1, 1, 0, 1]
    >>> second = [1, 0, 0, 1, 0, 1, 0, 1]
    >>> third = [0, 0, 0, 1, 0, 0, 0, 1]
    >>> q, p = cochran_q_test(list(zip(first, second, third)))
    >>> print(f"Q = {q:.3f}, p = {p:.4f}")
    Q = 6.000, p = 0.0498
    """
    right = as_array("correct", correct)
    if right.ndim != 2 or not 2 <= right.shape[1] <= right.shape[0]:
        raise ValueError(
            f"correct has shape {right.shape}; expected (n_rows, n_classifiers), as statsmodels "
            "does, of at least two classifiers and no more of them than rows. If rows are columns, "
            "transpose it, np.transpose(correct)."
        )
    if not np.isin(right, (0, 1)).all():
        raise ValueError(
            "correct must contain whether a classifier is right, True or False, for each test row."
        )
    return _cochran_q(right)


def _cochran_q(right: np.ndarray) -> CochranQResult:
    """Return Cochran's test; `right` has shape (n_rows, n_classifiers)."""
    # Sums of integers are exact.
    right_in_row = right.sum(axis=1, dtype=np.int64)
    right_by_classifier = right.sum(axis=0, dtype=np.int64)
    n_rows, n_classifiers = right.shape
    total = int(right_in_row.sum())
    between = n_classifiers * int((right_by_classifier**2).sum()) - total**2
    within = n_classifiers * total - int((right_in_row**2).sum())
    statistic = 0.0 if within == 0 else (n_classifiers - 1) * between / within
    return CochranQResult(
        statistic=statistic,
        pvalue=float(chdtrc(n_classifiers - 1, statistic)),
        df=n_classifiers - 1,
        n=n_rows,
        n_informative=int(np.count_nonzero((right_in_row > 0) & (right_in_row < n_classifiers))),
    )


# How many pairs a note lists with their mid-p values.
_MOST_PAIRS = 10
# With fewer rows that are right for one only, the exact test is named.
_FEW = 25


class Discordant(NamedTuple):
    """The rows that only one of two classifiers gets right, and the mid-p value of these."""

    n01: Any
    n10: Any
    mid_p: Any


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class McNemarScoreResult(ScoreTestResult):
    """The answer of McNemar's score test: its interval is Tango's, and the two agree."""

    discordant: Discordant = None  # type: ignore[assignment]  # always given

    _shown: ClassVar[tuple[str, ...]] = (*HeldOutResult._shown, "n01", "n10", "mid_p")

    @property
    def n01(self) -> Any:
        """Rows that only the first gets right."""
        return self.discordant.n01

    @property
    def n10(self) -> Any:
        """Rows that only the second gets right."""
        return self.discordant.n10

    @property
    def _error_at_estimate(self) -> Any:
        # The standard error is that of no difference: sqrt(n01 + n10)/n.
        return np.sqrt(np.square(self.standard_error) - np.square(self.estimate) / self.n_test)

    @property
    def mid_p(self) -> Any:
        """McNemar's mid-p value."""
        return self.discordant.mid_p

    def statistic_at(self, value: Any) -> np.ndarray:
        return tango_statistic(self.n01, self.n10, self.n_test, value)


# Under their null hypotheses pairs have different variances, without a joint covariance.
@dataclass(frozen=True, kw_only=True)
class McNemarScoreTest(HeldOutTest):
    """Test the difference of the accuracies of two fitted classifiers on one test set.

    It is McNemar's score test without correction, with Tango's interval, which excludes 0 exactly
    where the test rejects. Rows must be independent of each other: for groups of rows, or weights,
    use `ClusteredTTest`.

    {Parameters: null_value, alternative}
    {See Also: mcnemar_exact_test}

    Notes
    -----
    Where no row is right for one only, p is 1, the difference 0 and the interval
    +- z^2/(n + z^2). The result also has ``n01`` and ``n10``, the rows that only the first and only
    the second classifier gets right, and ``mid_p``, McNemar's mid-p value.

    Examples
    --------
    >>> from skcvstats import compare_predictions
    >>> y_true = [0, 1, 1, 0, 1, 0, 1, 1, 0, 1]
    >>> predictions = {
    ...     "a": [0, 1, 1, 0, 1, 0, 1, 0, 0, 1],
    ...     "b": [1, 0, 1, 1, 1, 0, 0, 1, 0, 0],
    ... }
    >>> result = compare_predictions(y_true, predictions, scoring="accuracy", method="mcnemar")
    >>> print(f"{result[0].test.pvalue:.4f}, mid-p {result[0].test.mid_p:.4f}")
    0.1025, mid-p 0.1250
    """

    name: ClassVar[str] = "mcnemar"
    title: ClassVar[str] = "McNemar test"
    kind: ClassVar[str] = "correct"
    answers: ClassVar[type[HeldOutResult]] = McNemarScoreResult
    score_answers: ClassVar[type[HeldOutResult]] = WilsonResult

    def _variances(self, components: Components, scale: np.ndarray) -> np.ndarray:
        n01, n10 = _counts(components)
        n_rows: int = components.arrays["correct"].shape[1]
        if components.first is None:  # these are not differences: n01 rows are right
            return n01 / n_rows * (1 - n01 / n_rows) / n_rows
        return (n01 + n10) / n_rows**2

    def _freedom(self, components: Components) -> tuple[float, int]:
        return np.inf, 0

    def describe_on(self, components: Components) -> Description:
        return Description(
            explanation="the square root of the number of rows that only one of the two gets "
            "right, divided by that of all rows",
            assumption="it assumes that the rows are independent",
            sources=("mcnemar1947", "tango1998"),
            varies_over="test rows",
        )

    def _details(self, components: Components, estimates: np.ndarray) -> dict[str, Any]:
        if components.first is None:  # these are not differences
            return {}
        shape = np.shape(estimates)
        n01, n10 = _counts(components)
        mid_p = plain(_mid_p(n01, n10, self.alternative).reshape(shape))
        return {"discordant": Discordant(n01.reshape(shape)[()], n10.reshape(shape)[()], mid_p)}

    def infer(self, sample: Any, auxiliary: Any = None, *, null_value: Any = None) -> HeldOutResult:
        answer = super().infer(sample, null_value=null_value)
        if not isinstance(answer, McNemarScoreResult):
            return answer
        if np.any(answer.null_value):
            answer = answer.against(answer.null_value, answer.alternative)
        # Where no row differs, p is 1 by definition.
        answer = answer._without_undetermined_note()
        return replace(answer, notes=(*answer.notes, *_notes(answer)))


def correct_scores(correct: np.ndarray, **facts: Any) -> CVScores:
    """Return the accuracies of models, a row each in `correct`, with their test rows."""
    notes = []
    if len(correct) > 2:
        text = f"{_cochran_q(correct.T)}; an omnibus test, on which no comparison depends"
        notes.append(Note("omnibus test", text, None))
    components = Components(McNemarScoreTest.kind, {"correct": correct.astype(np.int8)})
    n_models, n_rows = correct.shape
    accuracies = correct.mean(axis=1)
    return held_out_scores(accuracies, components, np.ones(n_models), n_rows, notes=notes, **facts)


def _counts(components: Components) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return how often only the first is right, and only the second, for each difference."""
    n01 = np.empty(len(components), dtype=np.int64)
    n10 = np.empty(len(components), dtype=np.int64)
    for block in components.blocks():
        differences = components.rows("correct", block)
        n01[block] = np.count_nonzero(differences > 0, axis=1)
        n10[block] = np.count_nonzero(differences < 0, axis=1)
    return n01, n10


def _notes(result: McNemarScoreResult) -> Iterator[Note]:
    """Yield notes on the mid-p values beside the score test, and on few rows that differ."""
    labels = result.scores.labels
    pvalues = [format_pvalue(p).removeprefix("= ") for p in np.ravel(result.mid_p).tolist()]
    if 0 < len(labels) <= _MOST_PAIRS:
        shown = first_of(list(map(" ".join, zip(labels, pvalues, strict=True))))
        text = f"McNemar's mid-p, beside the score test and not adjusted: {shown}"
        yield Note("mid-p", text, None)
    n_discordant = np.ravel(result.n01 + result.n10).tolist()
    few = [name for name, m in zip(labels, n_discordant, strict=False) if 0 < m < _FEW]
    if few:
        text = (
            f"fewer than {_FEW} rows are right for one only in {listed(few)}, where the normal "
            "approximation is rough: given 4 such rows, a test at the 5 % level rejects 12.5 % of "
            'true null hypotheses; use mcnemar_exact_test(..., method="exact")'
        )
        yield Note("few discordant rows", text, None)
