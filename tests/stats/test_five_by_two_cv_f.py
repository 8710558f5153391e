"""Alpaydin's F test: its law against SciPy's."""

import numpy as np
import pytest
from scipy import stats

from skcvstats import five_by_two_cv_ftest


def scores_with_statistic(f):
    """Return ten scores whose F is `f`: pairs (u + v, u - v), F = (u^2 + v^2) / (2 v^2)."""
    v = 0.01
    u = v * np.sqrt(2 * f - 1)
    return np.tile([u + v, u - v], 5)


@pytest.mark.parametrize("f", [0.5, 0.501, 0.7, 1.0, 2.0, 3.15, 4.74, 10.05, 100.0, 1e4, 1e8])
def test_pvalue_against_scipy(f):
    result = five_by_two_cv_ftest(scores_with_statistic(f))
    assert result.statistic == pytest.approx(f, rel=1e-9)
    assert result.pvalue == pytest.approx(stats.f.sf(result.statistic, 10, 5), rel=1e-12)


def test_the_critical_value_of_the_tables():
    # F(10, 5) at 5 %: 4.735 in any table.
    assert five_by_two_cv_ftest(scores_with_statistic(4.7351)).pvalue == pytest.approx(
        0.05, abs=1e-5
    )
