"""Areas under ROC curves: DeLong's test, and with groups of rows the jackknife over groups."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from .._utils._arrays import Floats, as_array, classes_in, placements
from .._utils._checks import listed
from .._utils._text import counted
from ..exceptions import SplitDesignWarning
from ..fitting import without_each
from ..scores import Components, CVScores, Note
from ..stats import Description, Groups, GroupSizes, few_groups, one_each, plain, read_groups
from ._held_out import (
    HeldOutResult,
    HeldOutTest,
    ScoreTestResult,
    as_rows,
    held_out_scores,
    in_blocks,
    pivot_of,
    score_statistic,
)
from ._runs import arrays_of_runs, pseudo_values

# With fewer rows of a class, the normal distribution is only a rough approximation for differences,
# and for single AUCs.
_FEWEST_OF_A_CLASS = 10
_FEWEST_OF_ONE_AREA = 40
# With groups that tell as little as fewer equal ones, tests of AUC are anticonservative.
_FEWEST_EFFECTIVE = 4


@dataclass(frozen=True, eq=False, kw_only=True)
class ROCAreas:
    """Areas under ROC curves of one test set, with their covariance."""

    estimate: Any
    standard_error: Any
    covariance: np.ndarray
    n_positive: int
    n_negative: int
    df: float
    n_squares: int


def delong_auc(y_true: ArrayLike, y_score: ArrayLike, groups: ArrayLike | None = None) -> ROCAreas:
    """Return AUCs, areas under ROC curves, and their covariance, in O(n log n).

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        Labels of two classes; the greater one, 1 of 0 and 1, is the positive.
    y_score : array-like of shape (n_rows,) or (n, n_rows)
        Probabilities or decision values, any finite numbers: greater speaks for the positive
        class. Ties count one half.
    {shared: row groups}

    Returns
    -------
    result : object with these attributes
        ``estimate``, ``standard_error`` and ``covariance`` of the areas; ``n_positive`` and
        ``n_negative``, the rows of each class; ``df``, the degrees of freedom of an AUC, inf
        without groups; ``n_squares``, with groups those of a difference of two AUCs: one less than
        the smaller number of positives or negatives, or of groups that contain any. Refer
        ``estimate / standard_error`` to Student's t distribution with ``df`` degrees of freedom.

    Raises
    ------
    ValueError
        If there are not two classes with two rows (or groups) each, so that without one of them
        there is no AUC, or a number is not finite.

    See Also
    --------
    skcvstats.compare_predictions : Compares models by them.

    Notes
    -----
    Let V10 be, for each of the m positives, the share of the n negatives that score lower, ties
    one half, and V01 for each negative the share of the positives that score higher; both have
    the AUC as their mean. DeLong's covariance [1]_ is S10/m + S01/n, the sample covariances of
    the two. The placements come from midranks [2]_.

    With groups, u_g are the AUCs without group g, less the AUC of all rows, and the covariance
    is that of the jackknife [3]_, (G-1)/G sum u_g u_g' over the G groups. Differences of two AUCs
    have min(G+, G-) - 1 degrees of freedom, G+ and G- the numbers of groups with a positive and
    with a negative. An AUC has at most as many as the mean of a number for each positive, or
    negative, would have in these groups; see `clustered_mean`.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson, "Comparing the Areas under Two or
       More Correlated Receiver Operating Characteristic Curves", Biometrics 44, 1988.
    .. [2] X. Sun and W. Xu, "Fast Implementation of DeLong's Algorithm for Comparing the Areas
       Under Correlated Receiver Operating Characteristic Curves", IEEE Signal Processing Letters
       21, 2014.
    .. [3] J. N. Arvesen, "Jackknifing U-Statistics", Annals of Mathematical Statistics 40, 1969.

    Examples
    --------
    >>> from skcvstats.test_set import delong_auc
    >>> y_true = [0, 0, 0, 1, 1, 1, 0, 1]
    >>> found = delong_auc(y_true, [0.1, 0.4, 0.3, 0.35, 0.8, 0.9, 0.2, 0.7])
    >>> print(f"{found.estimate:.4f} +- {found.standard_error:.4f}")
    0.9375 +- 0.0884
    """
    rows, several = as_rows(y_score, "y_score")
    scores: Any = auc_scores(y_true, rows[:, np.newaxis], groups=groups, metric="roc_auc")
    test = DeLongTest()
    components = scores.components
    pivot = pivot_of(test, scores, is_single=not several)
    return ROCAreas(
        estimate=plain(pivot.estimate),
        standard_error=plain(pivot.standard_error),
        covariance=test._covariance(components),
        n_positive=components.facts["n_positive"],
        n_negative=components.facts["n_negative"],
        df=pivot.df,
        n_squares=test._freedom(components)[1],
    )


def _read_positive(y_true: Any, n_rows: int) -> np.ndarray:
    """Return which rows are of the positive class."""
    labels = one_each("y_true", as_array("y_true", y_true), n_rows)
    classes, _ = classes_in("y_true", labels)
    if len(classes) != 2:
        raise ValueError(
            f"y_true contains {counted(len(classes), 'value')}, but the area under the ROC curve "
            "is of two classes. Test on rows of both, or use another metric."
        )
    return np.asarray(labels == classes[1])


def auc_scores(
    y_true: Any,
    y_score: Sequence[Sequence[np.ndarray]] | np.ndarray,
    *,
    groups: Any = None,
    **given: Any,
) -> CVScores:
    """Return AUCs, and the deviations of the placements from them, or without each group."""
    # `y_score` has the runs of each model.
    n_rows = len(y_score[0][0])
    is_positive = _read_positive(y_true, n_rows)
    units = read_groups(groups, n_rows)
    facts = _counts(is_positive, units)
    facts |= {"grouped": groups is not None, "n_groups": units.n_groups}
    shares = np.array(
        [np.mean([placements(is_positive, scores) for scores in runs], axis=0) for runs in y_score]
    )
    areas = np.array([of_model[is_positive].mean() for of_model in shares])
    centres = areas[:, np.newaxis]
    without = partial(without_each, "roc_auc_score", {}, is_positive, units=units.codes)
    shared = {}
    if groups is None:
        # As one block each, so that sums do not depend on how NumPy lays out a part of a table.
        arrays = {
            "positives": np.ascontiguousarray(shares[:, is_positive]) - centres,
            "negatives": np.ascontiguousarray(shares[:, ~is_positive]) - centres,
        }
    else:
        left_out = [
            np.mean([np.asarray(without(scores))[1:] for scores in runs], axis=0)
            for runs in y_score
        ]
        arrays = {"left_out": np.array(left_out) - centres}
        shared = {
            "positives": units.sums(is_positive * 1.0),
            "negatives": units.sums(~is_positive * 1.0),
        }
    if max(map(len, y_score)) > 1:
        areas_of_runs = [np.array([without(scores) for scores in runs]) for runs in y_score]
        arrays |= arrays_of_runs([pseudo_values(part[:, 0], part[:, 1:]) for part in areas_of_runs])
    components = Components(DeLongTest.kind, arrays, shared, facts)
    given |= {"magnitude": np.ones(len(areas)), "notes": _notes(components)}
    return held_out_scores(areas, components, n_rows=n_rows, **given)


def _counts(positive: np.ndarray, groups: Groups) -> dict[str, Any]:
    """Return the numbers of rows, and of groups, with each label, two groups at least."""
    counts: dict[str, Any] = {}
    for kind, rows in (("positive", positive), ("negative", ~positive)):
        held = np.flatnonzero(groups.sums(rows * 1.0))
        if len(held) < 2:
            unit = "row"
            named = ""
            if groups.codes is not None:
                unit = "group"
                named = f", {listed(groups.labels[held].tolist())}"
            raise ValueError(
                f"Only {counted(len(held), unit)} with a {kind} label{named}: without it there is "
                f"no AUC, so its variance between {unit}s cannot be estimated. Test on at least 2 "
                f"{unit}s of each class."
            )
        counts |= {f"n_{kind}": int(rows.sum()), f"with_{kind}": len(held)}
    return counts


def _factors(components: Components) -> dict[str, float]:
    """Return the factor of the sum of squares of each of the components in the variance."""
    facts = components.facts
    if facts["grouped"]:
        return {"left_out": (facts["n_groups"] - 1) / facts["n_groups"]}
    m = facts["n_positive"]
    n = facts["n_negative"]
    return {"positives": m / ((m - 1) * m**2), "negatives": n / ((n - 1) * n**2)}


def _notes(components: Components) -> tuple[Note, ...]:
    """Return notes on few rows or groups of a class, or on groups that are like few equal ones."""
    facts = components.facts
    counts = {"positive": facts["with_positive"], "negative": facts["with_negative"]}
    rarer = min(counts, key=counts.__getitem__)
    fewest = counts[rarer]
    only = f"only {fewest} rows of the {rarer} class: "
    if facts["grouped"]:
        notes = few_groups(fewest, f" with a {rarer} label")
        positives = GroupSizes(components.shared["positives"], of="positives")
        negatives = GroupSizes(components.shared["negatives"], of="negatives")
        all_rows = GroupSizes(positives.sizes + negatives.sizes)
        least = min(positives, negatives, all_rows, key=lambda sizes: sizes.effective)
        if least.effective < _FEWEST_EFFECTIVE:
            text = (
                f"{least}: tests of a difference reject up to 19 % of true null hypotheses at the "
                "5 % level"
            )
            notes += (Note("effective groups", text),)
        return notes
    if fewest < _FEWEST_OF_A_CLASS:
        text = (
            f"{only}the normal distribution is a rough approximation, and tests reject true null "
            "hypotheses somewhat too often; test on at least 10"
        )
        return (Note("few of a class", text, SplitDesignWarning),)
    if fewest < _FEWEST_OF_ONE_AREA:
        text = (
            f"{only}the 95 % interval of a single AUC is approximate, and misses it in up to 8 % "
            "where the scores of one class vary far more than those of the other"
        )
        return (Note("few for one AUC", text, None),)
    return ()


def newcombe_variance(area: Any, m: Any, n: Any) -> np.ndarray:
    """Return Newcombe's variance of an area with m positives and n negatives; see `DeLongTest`."""
    area = np.clip(area, 0.0, 1.0)
    both = (1 - area) / (2 - area) + area / (1 + area)
    variance: Floats = area * (1 - area) * (1 + ((m + n) / 2 - 1) * both) / (m * n)
    return variance


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ROCAreaResult(ScoreTestResult):
    """The answer about a single AUC: its interval is Newcombe's, or wider; p agrees with it."""

    # The distance from a value A over the root of V(A) max(1, S/V(estimate)), V being Newcombe's
    # variance and S the squared standard error; where S is 0, V is of the numbers of groups of each
    # class.

    def statistic_at(self, value: Any) -> np.ndarray:
        scores: Any = self.scores
        facts = scores.components.facts
        square = np.square(self.standard_error)
        m = np.where(square > 0, facts["n_positive"], facts["with_positive"])
        n = np.where(square > 0, facts["n_negative"], facts["with_negative"])
        observed = np.where(square > 0, newcombe_variance(self.estimate, m, n), 1.0)
        larger = np.maximum(1.0, square / observed)
        return score_statistic(self.estimate, value, larger * newcombe_variance(value, m, n))

    def _describe_procedure(self) -> Description:
        description = super()._describe_procedure()
        return replace(
            description,
            title=description.title or "score test of an AUC",
            explanation=f"{description.explanation}; the interval and p take Newcombe's at the "
            "value under test, enlarged where this is larger",
            sources=(*description.sources, "newcombe2006"),
        )


@dataclass(frozen=True, kw_only=True)
class DeLongTest(HeldOutTest):
    """Test an AUC, the area under an ROC curve, or the difference of those of two fitted models.

    With groups of rows, such as patients, it is the t-test by the jackknife that leaves out one
    group at a time. The answer is about the models as they were fitted.

    {Parameters: null_value, alternative}
    {See Also: compare_predictions}

    Notes
    -----
    See `skcvstats.test_set.delong_auc`. The statistic of a difference is referred to the normal
    distribution, with groups to Student's t distribution. Several together, with
    ``adjustment="max_t"``, are referred to a simulated one with as many degrees of freedom as rows
    or groups of the rarer class less one, as Student's t has. So an adjusted p can be above
    Bonferroni's of the p that each has alone.

    A single AUC has Newcombe's interval [1]_, from its variance at the AUC under test, which is
    enlarged where DeLong's is larger. It stays within 0 to 1 and has a width at an AUC of 1. With
    A the AUC under test, of m positives and n negatives, and N = (m + n)/2 - 1, that variance is
    A (1 - A) (1 + N (1 - A)/(2 - A) + N A/(1 + A)) / (m n), the one of exponential scores. At 0.5
    it is (m + n + 1)/(12 m n), that of the Mann-Whitney statistic.

    References
    ----------
    .. [1] R. G. Newcombe, "Confidence Intervals for an Effect Size Measure Based on the
       Mann-Whitney Statistic. Part 2: Asymptotic Methods and Evaluation", Statistics in Medicine
       25, 2006.

    Examples
    --------
    >>> from skcvstats import compare_predictions
    >>> y_true = [0, 0, 0, 1, 1, 1, 0, 1] * 3
    >>> predictions = {
    ...     "a": [0.1, 0.4, 0.3, 0.35, 0.8, 0.9, 0.2, 0.7] * 3,
    ...     "b": [0.5, 0.4, 0.3, 0.35, 0.2, 0.9, 0.6, 0.1] * 3,
    ... }
    >>> result = compare_predictions(y_true, predictions, scoring="roc_auc")
    >>> result[0].test.method, result[0].test.estimate
    ('delong', 0.625)
    """

    name: ClassVar[str] = "delong"
    title: ClassVar[str] = "DeLong test"
    kind: ClassVar[str] = "roc auc"
    score_answers: ClassVar[type[HeldOutResult]] = ROCAreaResult

    def _variances(self, components: Components, scale: np.ndarray) -> np.ndarray:
        def variances_of(block: slice) -> np.ndarray:
            variances = np.zeros(block.stop - block.start)
            largest = np.zeros(block.stop - block.start)
            for name, factor in _factors(components).items():
                rows = components.rows(name, block)
                variances += factor * np.einsum("kg,kg->k", rows, rows)
                largest = np.maximum(largest, np.abs(rows).max(axis=1))
            variances[largest <= 10 * np.finfo(float).eps] = 0.0
            return variances

        return in_blocks(components, variances_of)

    def _covariance(self, components: Components) -> np.ndarray:
        covariance = np.zeros((len(components), len(components)))
        for name, factor in _factors(components).items():
            rows = components.rows(name)
            covariance += factor * (rows @ rows.T)
        return covariance

    def _freedom(self, components: Components) -> tuple[float, int]:
        facts = components.facts
        n_squares = min(facts["with_positive"], facts["with_negative"]) - 1
        if not facts["grouped"]:
            return np.inf, n_squares
        if components.first is not None:
            return float(n_squares), n_squares
        df_of_classes = [GroupSizes(sizes).df for sizes in components.shared.values()]
        return min(float(n_squares), *df_of_classes), n_squares

    def describe_on(self, components: Components) -> Description:
        facts = components.facts
        basis = f" ({facts['n_positive']} positive, {facts['n_negative']} negative)"
        if facts["grouped"]:
            return Description(
                title="clustered t-test of AUC",
                basis=f"{basis} in {facts['n_groups']} groups",
                explanation="the jackknife that leaves out one group at a time",
                assumption="it assumes that the groups are independent",
                sources=("arvesen1969",),
                varies_over="test rows",
            )
        return Description(
            basis=basis,
            explanation="DeLong's, from the placements of the positives among the negatives",
            sources=("delong1988",),
            varies_over="test rows",
        )
