"""The t-test of influences: what each row of a large test set adds to a metric."""

from dataclasses import dataclass
from typing import Any, ClassVar

from ..scores import Components
from ._clustered_t import ClusteredTTest


@dataclass(frozen=True, kw_only=True)
class InfluenceTTest(ClusteredTTest):
    """Test average precision or R2 of fitted models, or a difference, by leaving out each row.

    It is for large test sets, where a bootstrap takes minutes and this seconds. Rows of one group,
    such as a patient, may depend on each other as they like. The answer is about the models as they
    were fitted.

    {Parameters: null_value, alternative, variance}
    {See Also: compare_predictions}
    ClusterBootstrapTest : For any metric, and for small test sets.

    Notes
    -----
    With T the metric of n rows and T(-i) that without row i, the influence of row i is
    d_i = (n - 1) (T - T(-i)), and its score T + d_i - c with c the mean of d. The mean of these
    scores is T, and their standard error, by row or from sums over groups, is the jackknife's [1]_.
    See `skcvstats.test_set.clustered_mean`.

    All T(-i) take one sort. R2 is 1 - (E - e_i^2)/(S - n/(n-1) (y_i - ybar)^2) without row i, with
    the sum E of squared errors e^2, and S that of squared deviations of y from its mean ybar. For
    average precision let p_k be the positives among the rows of the k-th highest value, and N_k and
    P_k the rows and the positives so far. It is sum p_k P_k/N_k over the number of positives.
    Without a row, N is smaller by 1 from the row's value on, and without a positive P too.

    In 1500 simulated data sets of 10,000 rows, 95 % intervals of R2 and of differences in it missed
    in 4.7 to 5.8 % under four laws. Where errors had Student's t distribution with 3 degrees of
    freedom they missed in 16 %, those of differences in 7 %; a bootstrap misses in 11 % there. With
    10,000 groups (500 data sets) it was 4 to 7 %, and 15 % with such errors. So R2 is tested in
    this way by name only.

    References
    ----------
    .. [1] B. Efron and C. Stein, "The Jackknife Estimate of Variance", Annals of Statistics 9,
       1981.

    Examples
    --------
    >>> import numpy as np
    >>> from skcvstats import compare_predictions
    >>> rng = np.random.default_rng(0)
    >>> y = rng.normal(size=20_000)
    >>> predictions = {"a": y + rng.normal(size=y.size), "b": y + 1.02 * rng.normal(size=y.size)}
    >>> how = {"scoring": "r2", "method": "influence_t"}
    >>> test = compare_predictions(y, predictions, **how)[0].test
    >>> print(f"{test.method}: {test.estimate:.3f} +- {test.standard_error:.3f}")
    influence_t: 0.019 +- 0.015
    """

    name: ClassVar[str] = "influence_t"
    title: ClassVar[str] = "t-test of influences"

    def _words(self, components: Components) -> dict[str, Any]:
        words = super()._words(components)
        unit = "group" if components.facts["grouped"] else "row"
        return words | {
            "title": self.title,
            "explanation": f"{words['explanation']}, of what each row adds to the metric: n - 1 "
            "times what it loses without the row",
            "assumption": f"it assumes that the {unit}s are independent",
            "sources": ("efron1981", *words["sources"]) if unit == "group" else ("efron1981",),
            "has_posterior": False,
        }
