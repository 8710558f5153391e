"""Areas under ROC curves and their covariance: DeLong's, and Obuchowski's for groups of rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._utils._arrays import as_array
from .._utils._text import counted
from ..exceptions import SplitDesignWarning
from ..scores import Components, CVScores, Note, SplitDesign
from ..stats import Groups, plain, read_groups
from ._clustered_mean import as_rows
from ._placements import Classes, placements

KIND = "roc auc"
# With fewer rows of a class, the normal distribution is only a rough approximation.
_FEWEST_OF_A_CLASS = 10


@dataclass(frozen=True, eq=False, kw_only=True)
class ROCAreas:
    """Areas under ROC curves of one test set, with their covariance.

    Parameters
    ----------
    estimate, standard_error : float or ndarray of shape (n,)
        The areas and their standard errors.
    covariance : ndarray of shape (n, n)
        The estimated covariance of the areas.
    n_positive, n_negative : int
        Rows of each class.
    n_squares : int
        One less than the smaller number of positives or negatives, or of groups that hold any.
    """

    estimate: Any
    standard_error: Any
    covariance: np.ndarray
    n_positive: int
    n_negative: int
    n_squares: int


def delong_auc(y_true: Any, y_score: Any, groups: Any = None) -> ROCAreas:
    """Return areas under ROC curves and their covariance, in O(n log n).

    Parameters
    ----------
    y_true : array-like of shape (n_rows,)
        Labels of two classes; the greater one, 1 of 0 and 1, is the positive.
    y_score : array-like of shape (n_rows,) or (n, n_rows)
        Probabilities or decision values, any finite numbers: greater speaks for the positive
        class. Ties count one half.
    groups : array-like of shape (n_rows,), default=None
        Labels of what the rows belong to, such as patients.

    Returns
    -------
    ROCAreas
        Refer ``estimate / standard_error`` to the normal distribution.

    Raises
    ------
    ValueError
        If there are not two classes with two rows (or groups) each, or a number is not finite.

    See Also
    --------
    skcvstats.compare_predictions : Compares models by them.

    Notes
    -----
    Let V10 be, for each of the m positives, the share of the n negatives that score lower, ties
    one half, and V01 for each negative the share of the positives that score higher; both have
    the area as their mean. DeLong's covariance [1]_ is S10/m + S01/n, the sample covariances of
    the two. With groups, A_g and B_g are the sums of V10 and V01 less the area over the group's
    positives and negatives, and with I groups, I10 of them with a positive and I01 with a negative,
    Obuchowski's [2]_ is I10/((I10-1) m^2) sum A A' + I01/((I01-1) n^2) sum B B' + I/((I-1) m n)
    sum (A B' + B A'). With one row in each group both are the same. The placements come from
    midranks [3]_.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson, "Comparing the Areas under Two or
       More Correlated Receiver Operating Characteristic Curves", Biometrics 44, 1988.
    .. [2] N. A. Obuchowski, "Nonparametric Analysis of Clustered ROC Curve Data", Biometrics 53,
       1997.
    .. [3] X. Sun and W. Xu, "Fast Implementation of DeLong's Algorithm for Comparing the Areas
       Under Correlated Receiver Operating Characteristic Curves", IEEE Signal Processing Letters
       21, 2014.

    Examples
    --------
    >>> from skcvstats.test_set import delong_auc
    >>> y_true = [0, 0, 0, 1, 1, 1, 0, 1]
    >>> found = delong_auc(y_true, [0.1, 0.4, 0.3, 0.35, 0.8, 0.9, 0.2, 0.7])
    >>> print(f"{found.estimate:.4f} +- {found.standard_error:.4f}")
    0.9375 +- 0.0884
    """
    scores, several = as_rows(y_score, "y_score")
    positive = read_positive(y_true, scores.shape[1])
    found = None if groups is None else read_groups(groups, scores.shape[1])
    areas, components = _components([[row] for row in scores], positive, found)
    covariance = covariance_of(components)
    pick = slice(None) if several else 0
    return ROCAreas(
        estimate=plain(areas[pick]),
        standard_error=plain(np.sqrt(auc_variances(components))[pick]),
        covariance=covariance,
        n_positive=components.facts["n_positive"],
        n_negative=components.facts["n_negative"],
        n_squares=n_squares_of(components),
    )


def auc_scores(
    y_true: Any,
    y_score: Sequence[Sequence[np.ndarray]],
    *,
    labels: Sequence[str],
    metric: str,
    groups: Any = None,
    positive: Any = None,
    y_digest: str | None = None,
    notes: Sequence[Note] = (),
    provenance: dict[str, Any] | None = None,
) -> CVScores:
    """Return the areas of fitted models on one test set, with their components."""
    n_rows = len(y_score[0][0])
    found = None if groups is None else read_groups(groups, n_rows)
    areas, components = _components(y_score, read_positive(y_true, n_rows, positive), found)
    return CVScores(
        values=areas[:, np.newaxis],
        design=SplitDesign.of_test_set(n_rows, y_digest),
        labels=tuple(labels),
        metric=metric,
        magnitude=np.ones(len(areas)),
        notes=(*notes, *_notes(components.facts)),
        provenance=provenance or {},
        components=components,
    )


def read_positive(y_true: Any, n_rows: int, positive: Any = None) -> np.ndarray:
    """Return which rows are of the positive class."""
    labels = as_array("y_true", y_true)
    if labels.shape != (n_rows,):
        raise ValueError(
            f"y_true has shape {labels.shape}, but there are scores of {n_rows} rows; give one "
            "label for each."
        )
    classes = np.unique(labels)
    if len(classes) != 2:
        raise ValueError(
            f"y_true holds {counted(len(classes), 'value')}, but the area under the ROC curve is "
            "of two classes. Test on rows of both, or use another metric."
        )
    return labels == (classes[1] if positive is None else positive)


def _components(
    y_score: Sequence[Sequence[np.ndarray]], positive: np.ndarray, groups: Groups | None
) -> tuple[np.ndarray, Components]:
    """Return the areas, and the deviations of the placements from them, summed over groups."""
    m = int(np.count_nonzero(positive))
    n = len(positive) - m
    facts: dict[str, Any] = {"n_positive": m, "n_negative": n, "grouped": groups is not None}
    facts |= _counts(positive, groups, facts)
    widths = (m, n) if groups is None else (groups.n_groups, groups.n_groups)
    a, b = (np.empty((len(y_score), width)) for width in widths)
    areas, classes = np.empty(len(y_score)), Classes.of(positive)
    for k, repeats in enumerate(y_score):
        v10, v01 = _mean_placements(classes, repeats, k)
        areas[k] = v10.mean()
        a[k] = _summed(v10 - areas[k], classes.rows[0], groups)
        b[k] = _summed(v01 - areas[k], classes.rows[1], groups)
    return areas, Components(KIND, {"positives": a, "negatives": b}, {}, facts)


def _counts(positive: np.ndarray, groups: Groups | None, facts: dict[str, Any]) -> dict[str, int]:
    """Return the numbers of groups with a positive and with a negative, each at least two.

    Without groups, each row is a group.
    """
    if groups is None or groups.codes is None:
        counts = {"with_positive": facts["n_positive"], "with_negative": facts["n_negative"]}
        counts["n_groups"], unit = len(positive), "row"
    else:
        there = [np.bincount(groups.codes[of], minlength=1) > 0 for of in (positive, ~positive)]
        counts = {
            name: int(np.count_nonzero(some))
            for name, some in zip(("with_positive", "with_negative"), there, strict=True)
        }
        counts["n_groups"], unit = groups.n_groups, "group"
    for name, number in counts.items():
        if number < 2:
            raise ValueError(
                f"Only {counted(number, unit)} {name.replace('_', ' a ')} label: how the area "
                f"varies between {unit}s cannot be seen. Test on more rows, with at least 2 "
                f"{unit}s of each class."
            )
    return counts


def _mean_placements(
    classes: Classes, repeats: Sequence[np.ndarray], model: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the placements, averaged over the repeats of a model."""
    for scores in repeats:
        if not np.isfinite(scores).all():
            row = int(np.argmax(~np.isfinite(scores)))
            raise ValueError(
                f"{int((~np.isfinite(scores)).sum())} scores of model {model} are missing or not "
                f"finite (the first: row {row}, {scores[row]}). Predict those rows, or leave them "
                "out for all models."
            )
    v10, v01 = placements(classes, repeats[0])
    for scores in repeats[1:]:
        more10, more01 = placements(classes, scores)
        v10, v01 = v10 + more10, v01 + more01
    return v10 / len(repeats), v01 / len(repeats)


def _summed(values: np.ndarray, rows: np.ndarray, groups: Groups | None) -> np.ndarray:
    if groups is None or groups.codes is None:
        return values
    return np.bincount(groups.codes[rows], weights=values, minlength=groups.n_groups)


def _factors(facts: Any) -> tuple[float, float, float]:
    """Return the factors of sum A A', sum B B' and sum (A B' + B A') in the covariance."""
    m, n = facts["n_positive"], facts["n_negative"]
    with_positive, with_negative = facts["with_positive"], facts["with_negative"]
    n_groups = facts["n_groups"]
    both = n_groups / ((n_groups - 1) * m * n) if facts["grouped"] else 0.0
    return (
        with_positive / ((with_positive - 1) * m**2),
        with_negative / ((with_negative - 1) * n**2),
        both,
    )


def covariance_of(components: Components) -> np.ndarray:
    """Return the covariance of the areas of all models."""
    a, b = (components.rows(name, slice(None)) for name in ("positives", "negatives"))
    of_a, of_b, both = _factors(components.facts)
    found = of_a * (a @ a.T) + of_b * (b @ b.T)
    if both:
        mixed = a @ b.T
        found += both * (mixed + mixed.T)
    return found


def auc_variances(components: Components) -> np.ndarray:
    """Return the variance of each area or difference; 0 if it is only rounding, or negative."""
    of_a, of_b, both = _factors(components.facts)
    found = np.empty(len(components))
    for part in components.blocks():
        a, b = (components.rows(name, part) for name in ("positives", "negatives"))
        squares = of_a * np.einsum("kg,kg->k", a, a) + of_b * np.einsum("kg,kg->k", b, b)
        if both:
            squares += 2 * both * np.einsum("kg,kg->k", a, b)
        largest = np.maximum(np.abs(a).max(axis=1), np.abs(b).max(axis=1))
        counts = max(components.facts["n_positive"], components.facts["n_negative"])
        rounding = largest <= 10 * np.finfo(float).eps * (counts if both else 1)
        found[part] = np.where(rounding, 0.0, np.maximum(squares, 0.0))
    return found


def n_squares_of(components: Components) -> int:
    """Return the largest number of independent squares that the covariance is based on."""
    return min(components.facts["with_positive"], components.facts["with_negative"]) - 1


def _notes(facts: Mapping[str, Any]) -> tuple[Note, ...]:
    unit = "groups with a" if facts["grouped"] else "rows of the"
    counts = {kind: facts[f"with_{kind}"] for kind in ("positive", "negative")}
    rarer = min(counts, key=lambda kind: counts[kind])
    if counts[rarer] >= _FEWEST_OF_A_CLASS:
        return ()
    of = f"{rarer} label" if facts["grouped"] else f"{rarer} class"
    text = (
        f"only {counts[rarer]} {unit} {of}: the normal distribution is a rough approximation, "
        "and tests reject true null hypotheses somewhat too often; test on at least 10"
    )
    return (Note("few of a class", text, SplitDesignWarning),)
