"""What part of an axis is shown."""

import numpy as np
import pytest

from skcvstats.plotting._limits import shown_limits

NARROW = [[0.01, -0.01, 0.03], [0.02, 0.00, 0.04], [-0.01, -0.03, 0.01]]


def test_all_rows_with_room_where_none_is_far():
    assert shown_limits(NARROW, [0.0]) == pytest.approx((-0.037, 0.047))
    assert shown_limits([[2.0, 2.0, 2.0]], [2.0]) == pytest.approx((1.9, 2.1))


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("far", [[3.0], [3.0, 400.0]], ids=["one", "two"])
def test_rows_that_are_far_are_cut_off(far, sign):
    rows = [*NARROW, *([sign * x, sign * x - 0.02, sign * x + 0.02] for x in far)]
    assert shown_limits(rows, [0.0]) == pytest.approx(shown_limits(NARROW, [0.0]))


def test_a_row_with_a_very_wide_interval_is_cut_off():
    assert shown_limits([*NARROW, [0.01, -9, 9]], [0.0]) == shown_limits(NARROW, [0.0])


@pytest.mark.parametrize("n_rows", [2, 3, 10, 50])
def test_evenly_spread_rows_are_all_in_view(n_rows):
    at = np.arange(1, n_rows + 1) / n_rows
    low, high = shown_limits(np.column_stack([at, at - 0.005, at + 0.005]), [0.0])
    assert low < 0.0
    assert high > 1.005


def test_at_least_half_of_the_rows_are_in_view():
    low, high = shown_limits([[0.01], [0.02], [5.0], [5.1], [5.2]], [0.0])
    assert low < 0 < 0.02 < high < 1
    low, high = shown_limits([[0.01], [5.0], [5.1], [5.2]], [0.0])
    assert high > 5.2


def test_anchors_are_in_view():
    low, high = shown_limits([*NARROW, [3.0] * 3], [0.0, -0.2, 0.2])
    assert low < -0.2 < 0.2 < high < 1
    low, high = shown_limits(np.empty((0, 3)), [1.0])
    assert low < 1 < high


def test_what_is_not_finite_is_left_out():
    rows = [[0.01, -np.inf, 0.03], [0.02, np.nan, np.nan], [np.nan] * 3, [-0.01, -0.03, np.inf]]
    assert shown_limits(rows, [0.0]) == pytest.approx((-0.036, 0.036))


@pytest.mark.parametrize("factor", [1e-6, 1.0, 1e6])
def test_units_do_not_matter(factor):
    rows = np.array([*NARROW, [3.0, 2.9, 3.1]])
    limits = shown_limits(factor * rows, [0.0])
    assert limits == pytest.approx([factor * end for end in shown_limits(rows, [0.0])])
    mirrored = shown_limits(-rows, [0.0])
    assert mirrored == pytest.approx([-end for end in shown_limits(rows, [0.0])[::-1]])
