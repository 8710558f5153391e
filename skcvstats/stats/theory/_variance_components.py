"""Components of the variance of scores, from the losses of single test rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._utils._text import cut, format_number, format_size
from ...exceptions import SplitDesignError
from ...scores import RowLosses, SplitDesign
from .._sample import sample_moments
from .._scores_input import scores_with_splits
from .._student import plain


@dataclass(frozen=True, eq=False, kw_only=True)
class VarianceComponents:
    """Unbiased estimates of the components of a score's variance.

    With several estimators the components are arrays.

    Parameters
    ----------
    s0_minus_s3 : float or ndarray
        Variance of the loss between the test rows of one split.
    s1_minus_s2 : float or ndarray
        Variance of the score between splits of the same data, at `n_test` test rows.
    s3_minus_s2 : float or ndarray
        How much more two test rows of one split have in common than those of two splits. It may
        be negative.
    n_train, n_test : float
        Training and test size of the splits (mean and harmonic mean where they differ).
    n_splits : int
        Number of splits.
    labels : tuple of str, default=()
        The estimators' names, where known.
    """

    s0_minus_s3: Any
    s1_minus_s2: Any
    s3_minus_s2: Any
    n_train: float
    n_test: float
    n_splits: int
    labels: tuple[str, ...] = ()

    def __str__(self) -> str:
        lines = [
            f"Variance components over {self.n_splits} splits ({format_size(self.n_train)} to "
            f"train on, {format_size(self.n_test)} to test on):"
        ]
        parts = map(np.ravel, (self.s0_minus_s3, self.s1_minus_s2, self.s3_minus_s2))
        size = np.size(self.s0_minus_s3)
        names = [f"{cut(x)}: " for x in self.labels] if len(self.labels) == size else [""] * size
        lines += [
            f"{name}between test rows (s0 - s3) {format_number(rows)}, between splits (s1 - s2) "
            f"{format_number(splits)}, s3 - s2 {format_number(rest)}"
            for name, rows, splits, rest in zip(names, *parts, strict=True)
        ]
        return "\n".join(lines)


def variance_components(scores: Any) -> VarianceComponents:
    """Estimate the components of a score's variance from the losses of the test rows.

    Parameters
    ----------
    scores : CVScores
        Scores of one or several estimators, or a difference, with the losses of the single test
        rows, on independently drawn splits.

    Returns
    -------
    VarianceComponents
        ``s0_minus_s3``, ``s1_minus_s2`` and ``s3_minus_s2``; arrays for several estimators.

    Raises
    ------
    ValueError
        If the scores have no losses.
    SplitDesignError
        If the splits are folds or nested, of groups, fewer than 2, or test on one row each.

    See Also
    --------
    implied_correlation : What a value for the variance of the mean would add.
    cv_variance : From all moments to the variance of the mean.

    Notes
    -----
    For the loss L(j, i) at test row i of split j, let s0 be its variance, s3 the covariance of two
    rows of one split, s2 that of rows of two splits, and s1 the variance of a split's mean over n2
    rows. The mean has n2 variances and n2(n2 - 1) covariances, over n2^2, so

        s1 = s3 + (s0 - s3)/n2

    ([1]_, equation 6). A sample variance (ddof 1) of exchangeable numbers estimates their variance
    minus their covariance (Lemma 1). Within a split this gives s0 - s3; splits are pooled by their
    degrees of freedom, n2 - 1, which is the plain mean where test sizes agree. Between the splits
    it gives S2, an estimate of s1 - s2, and the difference S2 - (s0 - s3)/n2 estimates s3 - s2.

    All three stay unbiased where test sizes n2_j differ at one training size: given the data, the
    scores of independently drawn splits are independent with one mean, so any two have covariance
    s2, and E[S2] = mean_j s1(n2_j) - s2 = s3 - s2 + (s0 - s3) mean_j(1/n2_j). So n2 is the harmonic
    mean of the test sizes. Where training sizes differ as well, S2 also holds the differences
    between their expected scores.

    Linear combinations of these are all that can be estimated without bias from one data set
    (Proposition 3): neither s0, s1, s2, s3 by themselves nor the variance of the mean score can.
    s3 - s2 is often negative: if the loss depended on the test row only, it would be -s0/n. It is
    never clipped. On folds S2 estimates something else, so they are refused.

    References
    ----------
    .. [1] C. Nadeau and Y. Bengio, "Inference for the Generalization Error", CIRANO 99s-25, 1999;
       section 2 and Proposition 3.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.linear_model import Ridge
    >>> from skcvstats import cross_val_inference
    >>> from skcvstats.theory import variance_components
    >>> X, y = load_diabetes(return_X_y=True)
    >>> result = cross_val_inference(Ridge(), X, y, loss="squared_error")
    >>> components = variance_components(result.scores)
    >>> bool(components.s0_minus_s3 > components.s1_minus_s2 > 0)
    True

    Three splits by hand:

    >>> from skcvstats import CVScores, RowLosses, SplitDesign
    >>> from skcvstats.theory import variance_components
    >>> losses = RowLosses(
    ...     values=[1, 3, 1, 3, 2, 4], rows=[0, 5, 3, 4, 1, 7], offsets=[0, 2, 4, 6]
    ... )
    >>> design = SplitDesign.from_sizes(n_train=8, n_test=2, n_splits=3)
    >>> print(variance_components(CVScores(values=-losses.means(), losses=losses, design=design)))
    Variance components over 3 splits (8 to train on, 2 to test on):
    between test rows (s0 - s3) 2, between splits (s1 - s2) 0.333, s3 - s2 -0.667
    """
    scores = scores_with_splits("variance_components", scores)
    if scores.losses is None:
        raise ValueError(
            "The scores have no losses of single test rows, which tell the variance within a test "
            "set. Collect them with compare_estimators(..., loss=...) or "
            "cross_val_inference(..., loss=...), whose result has them in its scores."
        )
    _require(scores.design, scores.losses)
    spread = sample_moments(scores.values, scores.magnitude)[1]
    within = _pooled_within(scores.losses)
    n_test = scores.design.test_size
    return VarianceComponents(
        s0_minus_s3=plain(within),
        s1_minus_s2=plain(spread),
        s3_minus_s2=plain(spread - within / n_test),
        n_train=scores.design.train_size,
        n_test=n_test,
        n_splits=scores.design.n_splits,
        labels=scores.labels,
    )


def _require(design: SplitDesign, losses: RowLosses) -> None:
    design.require(
        who="The estimate of s1 - s2 by the variance between splits",
        levels=[("split",), ("replicate", "split")],
        min_splits=2,
    )
    if design.unit != "rows":
        raise SplitDesignError(
            f"The splits draw {design.unit}, so losses of rows that share a group depend on each "
            "other and their variance is not s0 - s3. Take the mean loss of each group as a row."
        )
    if tuple(np.diff(losses.offsets)) != design.n_test:
        raise SplitDesignError(
            "The losses have other test sizes than the design says. Build both from the same "
            "splits."
        )
    if max(design.n_test) < 2:
        raise SplitDesignError(
            "Every split tests on 1 row, which has no variance within. Use a larger test_size."
        )


def _pooled_within(losses: RowLosses) -> np.ndarray:
    """Return the variance within test sets, pooled over splits by their degrees of freedom."""
    sizes = np.diff(losses.offsets)
    deviations = losses.values - np.repeat(losses.means(), sizes, axis=-1)
    return np.einsum("...i,...i->...", deviations, deviations) / (sizes - 1).sum()
