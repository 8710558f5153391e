"""Sizes of the procedures on Gaussian scores with exact covariance, against the exact size."""

import pytest

from .gaussian import dietterich, is_calibrated, resampled_ratio, student
from .settings import SETTINGS

pytestmark = [
    pytest.mark.calibration,
    pytest.mark.filterwarnings("ignore::skcvstats.exceptions.AnticonservativeWarning"),
]


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_size_and_coverage(setting):
    assert is_calibrated(setting)


@pytest.mark.parametrize(
    ("share", "size"),
    [(0.1, 0.30), (10 / 60, 0.39), (0.5, 0.67)],
)
def test_what_the_specification_says_of_the_uncorrected_tests(share, size):
    assert round(student(resampled_ratio(share, 15), 14)(0.10), 2) == size


@pytest.mark.parametrize(("n_splits", "share", "size"), [(15, 0.1, 0.21), (30, 0.3, 0.59)])
def test_what_the_readme_says_of_the_uncorrected_test(n_splits, share, size):
    assert round(student(resampled_ratio(share, n_splits), n_splits - 1)(0.05), 2) == size


def test_dietterichs_statistic_is_not_student_even_for_independent_scores():
    assert abs(dietterich(0.0)(0.10) - 0.10) > 0.002
