"""SplitPlanDisplay: the curve against the formula."""

import numpy as np
import pandas as pd
import pytest

from skcvstats import SplitPlanDisplay, plan_n_splits

from .drawing import difference, texts_of


def standard_error(values, n_splits, correlation):
    odds = correlation / (1 - correlation)
    return np.sqrt(np.var(values, ddof=1) * (1 / n_splits + odds))


@pytest.mark.parametrize("rho", [None, 0.3])
def test_numbers_are_drawn(rho):
    scores = difference()
    plan = plan_n_splits(scores, rho)
    display = SplitPlanDisplay.from_plan(plan).plot()
    pd.testing.assert_frame_equal(display.frame(), plan.to_frame())
    correlation = 0.1 if rho is None else rho
    n_splits, errors = display.line_.get_data()
    assert n_splits.tolist() == [15, 25, 50, 100, 200]
    np.testing.assert_allclose(
        errors, standard_error(scores.values, n_splits, correlation), rtol=1e-9
    )
    assert display.mark_.get_xdata().tolist() == [15]
    assert display.mark_.get_ydata() == errors[:1]
    limit = standard_error(scores.values, np.inf, correlation)
    assert display.limit_.get_ydata() == pytest.approx([limit, limit], rel=1e-9)
    said = " ".join(texts_of(display.figure_)).replace("\n", " ")
    assert f"goes below {limit:.3g} (assumed correlation {correlation})" in said


@pytest.mark.parametrize(("fits_per_split", "said"), [(1, "1 fit each"), (2, "2 fits each")])
def test_the_axis_says_what_a_split_was_taken_to_cost(fits_per_split, said):
    plan = plan_n_splits(difference(), fits_per_split=fits_per_split)
    display = SplitPlanDisplay.from_plan(plan).plot()
    assert display.ax_.get_xlabel() == f"number of splits, counted as {said}"
    at = display.ax_.get_xticks().tolist()
    labels = [label.get_text() for label in display.ax_.get_xticklabels()]
    assert labels == [str(int(x)) for x in at]
    assert display.ax_.get_ylabel() == "standard error, accuracy"
    assert "now: 15 splits" in texts_of(display.figure_)
