"""McNemar's score test of the accuracies of fitted classifiers, and Cochran's Q of several."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np
from scipy.special import chdtrc

from .._utils._arrays import as_array
from .._utils._checks import listed
from .._utils._text import format_number, format_pvalue, separator
from ..scores import Components, CVScores, Note
from ..stats import UNDETERMINED, Fact, plain
from ._held_out import (
    WILSON,
    HeldOutResult,
    HeldOutTest,
    ScoreTestResult,
    WilsonResult,
    held_out_scores,
)
from ._mcnemar import mid_p, tango_statistic


@dataclass(frozen=True, kw_only=True)
class CochranQResult:
    """The answer of Cochran's Q test; it unpacks as ``statistic, pvalue``.

    Parameters
    ----------
    statistic : float
        Q; 0 where no row tells the classifiers apart.
    pvalue : float
        Of chi-squared with `df` degrees of freedom.
    df : int
        One less than classifiers.
    n, n_informative : int
        Rows of the test set, and those that some classifiers get right and others wrong.
    """

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
            f"{self.n_informative} of them not alike in all classifiers: "
            f"p {format_pvalue(self.pvalue)} (chi-squared, {self.df} degrees of freedom)"
        )


def cochran_q_test(correct: Any) -> CochranQResult:
    """Test whether several fitted classifiers have one accuracy.

    Parameters
    ----------
    correct : array-like of bool of shape (n_classifiers, n_rows)
        Whether each classifier is right on each test row.

    Returns
    -------
    CochranQResult
        An omnibus test. `skcvstats.compare_predictions` compares the pairs and does not need it.

    Raises
    ------
    ValueError
        If there are fewer than two classifiers, or something else than 0 and 1.

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
    >>> correct = [[1, 1, 0, 1, 1, 1, 0, 1], [1, 0, 0, 1, 0, 1, 0, 1], [0, 0, 0, 1, 0, 0, 0, 1]]
    >>> q, p = cochran_q_test(correct)
    >>> print(f"Q = {q:.3f}, p = {p:.4f}")
    Q = 6.000, p = 0.0498
    """
    right = as_array("correct", correct)
    if right.ndim != 2 or right.shape[0] < 2 or right.shape[1] < 1:
        raise ValueError(
            f"correct has shape {right.shape}; expected (n_classifiers, n_rows) with at least two "
            "classifiers and one row."
        )
    if not np.isin(right, (0, 1)).all():
        raise ValueError(
            "correct must hold whether a classifier is right, True or False, for each test row."
        )
    n_right = right.sum(axis=0, dtype=np.int64)  # exact, as the sums below
    of_each = right.sum(axis=1, dtype=np.int64)
    n_classifiers, total = len(right), int(n_right.sum())
    between = n_classifiers * int((of_each**2).sum()) - total**2
    within = n_classifiers * total - int((n_right**2).sum())
    statistic = 0.0 if within == 0 else (n_classifiers - 1) * between / within
    return CochranQResult(
        statistic=statistic,
        pvalue=float(chdtrc(n_classifiers - 1, statistic)),
        df=n_classifiers - 1,
        n=right.shape[1],
        n_informative=int(np.count_nonzero((n_right > 0) & (n_right < n_classifiers))),
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
    """The answer of McNemar's score test: its interval is Tango's, and the two agree.

    Parameters
    ----------
    discordant : tuple, default=None
        The counts and the mid-p value, which the attributes name.

    Attributes
    ----------
    n01, n10 : int or ndarray
        Rows that only the first classifier gets right, and that only the second does.
    mid_p : float or ndarray
        McNemar's mid-p value, beside that of the score test.
    """

    discordant: Any = None

    _shown: ClassVar[tuple[str, ...]] = (*HeldOutResult._shown, "n01", "n10", "mid_p")

    n01 = Fact("discordant.n01", "Rows that only the first gets right.")
    n10 = Fact("discordant.n10", "Rows that only the second gets right.")
    mid_p = Fact("discordant.mid_p", "McNemar's mid-p value.")

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
    +- z^2/(n + z^2).

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

    def _variances(self, components: Components, scale: np.ndarray) -> np.ndarray:
        right, wrong = _counts(components)
        n_rows = components.arrays["correct"].shape[1]
        if components.first is not None or (wrong > 0).any():
            return (right + wrong) / n_rows**2
        return right / n_rows * (1 - right / n_rows) / n_rows

    def _freedom(self, components: Components) -> tuple[float, int]:
        return np.inf, 0

    def _words(self, components: Components) -> dict[str, Any]:
        if components.first is None:
            return WILSON
        return {
            "explanation": "the square root of the number of rows that only one of the two gets "
            "right, divided by that of all rows",
            "assumption": "it assumes that the rows are independent",
            "sources": ("mcnemar1947", "tango1998"),
        }

    def _score_test(self, components: Components) -> type[HeldOutResult] | None:
        return WilsonResult if components.first is None else None

    def _details(self, components: Components, estimates: np.ndarray) -> dict[str, Any]:
        if components.first is None:
            return {}
        shape = np.shape(estimates)
        n01, n10 = (of.reshape(shape) for of in _counts(components))
        both: Any = n01, n10
        pairs = zip(n01.ravel().tolist(), n10.ravel().tolist(), strict=True)
        pvalues = [mid_p(a, b, self.alternative)[1] if a + b else 1.0 for a, b in pairs]
        both = both if shape else tuple(map(int, both))
        return {"discordant": Discordant(both[0], both[1], plain(np.reshape(pvalues, shape)))}

    def infer(self, sample: Any, auxiliary: Any = None, *, null_value: Any = None) -> HeldOutResult:
        found: Any = super().infer(sample, auxiliary, null_value=null_value)
        if not isinstance(found, McNemarScoreResult):
            return found
        if (np.asarray(found.null_value) != 0).any():
            found = found.against(found.null_value, found.alternative)
        kept = tuple(note for note in found.notes if note.code != UNDETERMINED.code)
        return replace(found, notes=(*kept, *_notes(found)))


def correct_scores(correct: np.ndarray, **given: Any) -> CVScores:
    """Return the accuracies of fitted classifiers on one test set."""
    notes = []
    if len(correct) > 2:
        text = f"{cochran_q_test(correct)}; an omnibus test, on which no comparison depends"
        notes.append(Note("omnibus test", text, None))
    components = Components(McNemarScoreTest.kind, {"correct": correct.astype(np.int8)})
    n_models, n_rows = correct.shape
    accuracies = correct.mean(axis=1)
    return held_out_scores(accuracies, components, np.ones(n_models), n_rows, notes=notes, **given)


def _counts(components: Components) -> tuple[np.ndarray, np.ndarray]:
    """Return how often only the first is right, and only the second."""
    found = np.empty((2, len(components)), dtype=np.int64)
    for part in components.blocks():
        rows = components.rows("correct", part)
        found[0, part] = np.count_nonzero(rows > 0, axis=1)
        found[1, part] = np.count_nonzero(rows < 0, axis=1)
    return found[0], found[1]


def _notes(found: McNemarScoreResult) -> Iterator[Note]:
    labels = () if found.scores is None else found.scores.labels
    pvalues = [format_pvalue(p).removeprefix("= ") for p in np.ravel(found.mid_p).tolist()]
    if 0 < len(labels) <= _MOST_PAIRS:
        shown = [" ".join(pair) for pair in zip(labels, pvalues, strict=True)]
        said = separator(shown).join(shown)
        text = f"McNemar's mid-p, beside the score test and not adjusted: {said}"
        yield Note("mid-p", text, None)
    n_discordant = np.ravel(found.n01 + found.n10).tolist()
    few = [name for name, m in zip(labels, n_discordant, strict=False) if 0 < m < _FEW]
    if few:
        text = (
            f"fewer than {_FEW} rows are right for one only in {listed(few)}, where the normal "
            "approximation is rough: given 4 such rows, a test at the 5 % level rejects 12.5 % of "
            'true null hypotheses; use mcnemar_exact_test(..., method="exact")'
        )
        yield Note("few discordant rows", text, None)
