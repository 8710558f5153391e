"""LearningCurveDisplay: the scores and the simultaneous intervals of a result."""

import numpy as np
import pytest

from skcvstats.plotting import LearningCurveDisplay

from .drawing import compared, curves, legend_of


def test_lines_and_bands():
    result = curves()
    display, frame = result.plot(), result.to_frame()
    assert isinstance(display, LearningCurveDisplay)
    for k, name in enumerate("ab"):
        own = frame[frame["estimator"] == name]
        x, y = display.lines_[k].get_data()
        assert x.tolist() == own["n_train"].tolist() == [32, 80]
        np.testing.assert_allclose(y, own["score"])
        corners = display.bands_[k].get_paths()[0].vertices
        for at, (low, high) in zip(x, own[["low", "high"]].to_numpy(), strict=True):
            reach = corners[corners[:, 0] == at, 1]
            assert (reach.min(), reach.max()) == pytest.approx((low, high))
    assert list(legend_of(display)) == ["a", "b"]
    assert "at once" in display.legend_.get_title().get_text()
    drawn = display.frame()
    assert drawn["score"].tolist() == frame["score"].tolist()
    assert display.ax_.get_xlabel() == "training rows"


def test_of_another_result():
    with pytest.raises(TypeError, match="must be a LearningCurveResult"):
        LearningCurveDisplay.from_result(compared("ab"))
