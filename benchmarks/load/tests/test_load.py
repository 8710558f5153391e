"""The load curves still run; their measurements are not asserted, because machines are shared."""

import numpy as np
import pytest

from benchmarks.load.curves import (
    CURVES,
    bare,
    compare,
    data,
    of_trees,
    of_trees_in_bare_loop,
    tiny,
)
from benchmarks.load.page import page
from skcvstats import ComparisonResult


# Forests are in the next test.
@pytest.mark.parametrize("curve", [name for name in CURVES if "trees" not in name])
def test_each_curve_compares(curve):
    make, sizes, _, _ = CURVES[curve]
    assert isinstance(make(sizes[0], 1)(), ComparisonResult)


@pytest.mark.filterwarnings("ignore::skcvstats.exceptions.DegenerateScoresWarning")
def test_the_bare_loop_gives_the_same_scores():
    X, y = data(200)
    scores = compare(tiny(), X, y, 10, 1).scores.values
    np.testing.assert_array_equal(np.reshape(bare(tiny(), X, y, 10, 1), (10, 2)).T, scores)
    ours, loop = of_trees(1, 1)().scores.values, of_trees_in_bare_loop(1, 1)()
    np.testing.assert_array_equal(np.reshape(loop, (30, 2)).T, ours)


def test_the_page_shows_growth_and_efficiency(tmp_path):
    (tmp_path / "points.csv").write_text(
        "splits,100,1,2,2,150\nsplits,1000,1,30,30,160\n"
        "trees,10,1,1.2,1.2,150\ntrees,10,2,0.75,2,300\n"
        '"trees, bare loop",10,1,1.14,1.1,150\n"trees, bare loop",10,2,0.69,2,300\n'
    )
    text = page(tmp_path / "points.csv")
    lines = [line.strip(" *-") for line in text.splitlines()]
    at = lines.index("1,000")
    assert lines[at : at + 5] == ["1,000", "30", "30", "1.50", "160"]
    assert lines[-4:] == ["10", "19", "0.80", "0.92"]
