"""Two one-sided tests against statsmodels."""

import warnings

import numpy as np
import pytest

from skcvstats import corrected_resampled_ttest, resampled_ttest
from tests.conftest import golden_cases


def both_tests(inputs):
    """Return our usual and our corrected test of a case, by statsmodels' part of the output."""
    x = np.subtract(inputs["y"], inputs["x"])
    sizes = {"n_train": inputs["n_train"], "n_test": inputs["n_test"]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the usual test says that it is liberal
        usual = resampled_ttest(x, **sizes)
    return {"uncorrected": usual, "corrected": corrected_resampled_ttest(x, **sizes)}


@pytest.mark.parametrize("case", golden_cases("statsmodels_tost_paired"), ids=lambda c: c["id"])
def test_against_statsmodels(case):
    inputs, outputs = case["inputs"], case["outputs"]
    for name, test in both_tests(inputs).items():
        found, expected = test.equivalence((inputs["low"], inputs["upp"])), outputs[name]
        assert found.pvalue == pytest.approx(expected["pvalue"], rel=1e-9)
        assert found.not_worse.statistic == pytest.approx(expected["t_lower"], rel=1e-9)
        assert found.not_worse.pvalue == pytest.approx(expected["p_lower"], rel=1e-9)
        assert found.not_better.statistic == pytest.approx(expected["t_upper"], rel=1e-9)
        assert found.not_better.pvalue == pytest.approx(expected["p_upper"], rel=1e-9)
        assert found.not_better.df == expected["df"]
    low, high = found.confidence_interval(0.95)
    assert (low, high) == pytest.approx(outputs["corrected"]["interval_90"], rel=1e-9)
