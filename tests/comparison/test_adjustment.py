"""Adjusted p-values against base R and statsmodels."""

import numpy as np
import pytest

from skcvstats.stats import adjust_pvalues
from skcvstats.stats._adjustment import deciding_level
from tests.conftest import golden_cases

# R also has Hommel's method; statsmodels Sidak's. They are not offered: Holm serves without the
# assumptions of either.
R_NAMES = {
    "holm": "holm",
    "hochberg": "hochberg",
    "bonferroni": "bonferroni",
    "BH": "bh",
    "BY": "by",
    "none": "none",
}
STATSMODELS_NAMES = {
    "holm": "holm",
    "simes-hochberg": "hochberg",
    "bonferroni": "bonferroni",
    "fdr_bh": "bh",
    "fdr_by": "by",
}


@pytest.mark.parametrize(
    "case",
    [one for one in golden_cases("baseR_p_adjust") if one["inputs"]["method"] in R_NAMES],
    ids=lambda case: case["id"],
)
def test_against_r(case):
    adjusted = adjust_pvalues(case["inputs"]["p"], R_NAMES[case["inputs"]["method"]])
    np.testing.assert_allclose(adjusted, np.ravel(case["outputs"]["adjusted"]), rtol=1e-12)


@pytest.mark.parametrize("theirs", STATSMODELS_NAMES)
@pytest.mark.parametrize("k", range(3))
def test_against_statsmodels(k, theirs):
    case = golden_cases("statsmodels_multipletests")[k]
    adjusted = adjust_pvalues(case["inputs"]["p"], STATSMODELS_NAMES[theirs])
    np.testing.assert_allclose(adjusted, case["outputs"][theirs], rtol=1e-12)


def test_an_unadjusted_test_decides_at_the_level_itself_and_no_pvalues_give_none():
    assert adjust_pvalues([]).size == 0
    assert deciding_level(np.array([0.2, 0.3]), "none", 0, 0.05) == pytest.approx(0.05, rel=1e-12)
