"""McNemar's test: against R, mlxtend, statsmodels and SciPy, and its laws."""

import math
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from skcvstats import DegenerateScoresWarning
from skcvstats.test_set import mcnemar_exact_test, mcnemar_exact_test_from_table
from tests.conftest import golden_cases

ALTERNATIVES = ("two-sided", "less", "greater")
METHODS = ("mid-p", "exact", "asymptotic", "continuity")
counts = st.integers(0, 200)


def from_counts(n01, n10, **options):
    return mcnemar_exact_test_from_table([[100, n01], [n10, 50]], **options)


@pytest.mark.parametrize("case", golden_cases("baseR_mcnemar"), ids=lambda case: case["id"])
def test_against_r(case):
    inputs, outputs = case["inputs"], case["outputs"]
    pair = inputs["n01"], inputs["n10"]
    if pair == (0, 0):  # R says NaN; p = 1 is the defined answer
        with pytest.warns(DegenerateScoresWarning, match="p is 1 by definition"):
            assert from_counts(*pair).pvalue == 1
        return
    method = "continuity" if inputs["continuity_correction"] else "asymptotic"
    z, pvalue = from_counts(*pair, method=method)
    assert z**2 == pytest.approx(outputs["chi2"], rel=1e-12)
    assert pvalue == pytest.approx(outputs["p_value"], rel=1e-12)
    for alternative in ALTERNATIVES:
        found = from_counts(*pair, method="exact", alternative=alternative)
        theirs = outputs[f"exact_p_{alternative.replace('-', '_')}"]
        assert found.pvalue == pytest.approx(theirs, rel=1e-12)


@pytest.mark.parametrize("case", golden_cases("mlxtend_statsmodels_mcnemar"))
def test_against_mlxtend_and_statsmodels(case):
    table, outputs = case["inputs"]["table"], case["outputs"]
    n01, n10 = table[0][1], table[1][0]
    if n01 + n10 == 0:  # both answer nan, or p = 0 with the correction; 1 is right
        with pytest.warns(DegenerateScoresWarning, match="no evidence"):
            assert mcnemar_exact_test_from_table(table).pvalue == 1
        return
    for system in ("mlxtend", "statsmodels"):
        z, pvalue = mcnemar_exact_test_from_table(table, method="asymptotic")
        assert z**2 == pytest.approx(outputs[f"{system}_chi2_uncorrected"]["stat"], rel=1e-12)
        assert pvalue == pytest.approx(outputs[f"{system}_chi2_uncorrected"]["p"], rel=1e-12)
        exact = mcnemar_exact_test_from_table(table, method="exact").pvalue
        assert exact == pytest.approx(outputs[f"{system}_exact"]["p"], rel=1e-12)
        z, pvalue = mcnemar_exact_test_from_table(table, method="continuity")
        if n01 == n10:  # both correct a difference of 0 to 1; R and we leave it 0
            assert (z, pvalue) == (0, 1)
            continue
        assert z**2 == pytest.approx(outputs[f"{system}_chi2_corrected"]["stat"], rel=1e-12)
        assert pvalue == pytest.approx(outputs[f"{system}_chi2_corrected"]["p"], rel=1e-12)


@pytest.mark.parametrize(("n01", "n10"), [(0, 1), (3, 12), (12, 3), (25, 15), (8, 8), (60, 90)])
def test_mid_p_against_fractions(n01, n10):
    m = n01 + n10
    law = [Fraction(math.comb(m, k), 2**m) for k in range(m + 1)]
    less = sum(law[:n01]) + law[n01] / 2
    greater = sum(law[n01 + 1 :]) + law[n01] / 2
    exact_of = {"less": less, "greater": greater, "two-sided": 2 * min(less, greater)}
    for alternative, exact in exact_of.items():
        found = from_counts(n01, n10, alternative=alternative).pvalue
        assert found == pytest.approx(float(exact), rel=1e-12)


@given(counts, counts)
def test_laws(n01, n10):
    if n01 + n10 == 0:
        n01 = 1
    outcome = math.comb(n01 + n10, n01) / 2 ** (n01 + n10)
    for method in METHODS:
        p = {
            alternative: from_counts(n01, n10, method=method, alternative=alternative).pvalue
            for alternative in ALTERNATIVES
        }
        both = p["less"] + p["greater"]
        if method in ("mid-p", "asymptotic"):
            assert both == pytest.approx(1, rel=1e-12)
        elif method == "exact":
            assert both == pytest.approx(1 + outcome, rel=1e-12)
        else:
            assert 1 <= both < 2  # 1 to rounding, far from a tie
        assert p["two-sided"] == min(1, 2 * min(p["less"], p["greater"]))
        assert 0 < p["two-sided"] <= 1
        turned = from_counts(n10, n01, method=method, alternative="less").pvalue
        assert turned == pytest.approx(p["greater"], rel=1e-11)


@cache
def all_pvalues(method, m):
    # Those of (a, b) and (b, a) are the same, see test_laws.
    half = [from_counts(k, m - k, method=method).pvalue for k in range(m // 2 + 1)]
    return np.array(half + half[: (m + 1) // 2][::-1])


@pytest.mark.parametrize("differing", [0.1, 0.6])
def test_size_over_the_number_of_differing_rows(differing):
    # On 79 rows, each differing with this probability: mid-p keeps its level, and uses it.
    m = np.arange(1, 80)
    share = stats.binom.pmf(m, 79, differing)
    for level in (0.1, 0.01):
        size = {
            method: sum(
                weight
                * stats.binom.pmf(np.arange(k + 1), k, 0.5)[all_pvalues(method, k) <= level].sum()
                for k, weight in zip(m, share, strict=True)
            )
            for method in ("exact", "mid-p")
        }
        assert size["exact"] < size["mid-p"] <= level


@pytest.mark.parametrize("names", [None, np.array(["no", "yes", "maybe"])])
@pytest.mark.parametrize("wrap", [np.asarray, list, lambda x: np.asarray(x, dtype=object)])
def test_from_predictions(names, wrap):
    rng = np.random.default_rng(0)
    y_true, pred_a, pred_b = rng.integers(3, size=(3, 200))
    pred_a = np.where(rng.uniform(size=200) < 0.6, y_true, pred_a)
    accuracies = [np.mean(pred == y_true) for pred in (pred_a, pred_b)]
    right_a, right_b = pred_a == y_true, pred_b == y_true
    given = [labels if names is None else names[labels] for labels in (y_true, pred_a, pred_b)]
    found = mcnemar_exact_test(*map(wrap, given), alternative="greater")
    assert found.n01 == np.sum(right_a & ~right_b)
    assert found.n10 == np.sum(right_b & ~right_a)
    assert found.estimate == pytest.approx(accuracies[0] - accuracies[1], rel=1e-12)
    assert found.n == 200
    assert found.pvalue < 1e-3
    assert mcnemar_exact_test(*map(wrap, given), alternative="less").pvalue > 0.99


@pytest.mark.parametrize(
    ("method", "alternative"),
    [("mid-p", "two-sided"), ("exact", "less"), ("asymptotic", "greater"), ("continuity", "less")],
)
def test_never_differing(method, alternative):
    with pytest.warns(DegenerateScoresWarning, match="Test on more rows"):
        found = mcnemar_exact_test(
            [0, 1, 1], [0, 1, 0], [0, 1, 0], method=method, alternative=alternative
        )
    assert math.isnan(found.statistic)
    assert (found.pvalue, found.estimate) == (1, 0)
    assert found.undetermined
    assert "undetermined" in str(found)


def test_many_rows():
    found = from_counts(510_000, 500_000)
    assert found.pvalue == pytest.approx(2 * stats.norm.sf(10_000 / math.sqrt(1_010_000)), rel=1e-3)
