"""Sizes of the procedures on Gaussian scores with exact covariance, against the exact size."""

from dataclasses import replace

import pytest

from .gaussian import is_calibrated, resampled_ratio, student
from .settings import SETTINGS, data_sets

pytestmark = [
    pytest.mark.calibration,
    pytest.mark.filterwarnings("ignore::skcvstats.exceptions.AnticonservativeWarning"),
]


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_size_and_coverage(setting):
    assert is_calibrated(replace(setting, n_data_sets=data_sets(setting.n_data_sets)))


@pytest.mark.parametrize(
    ("level", "n_splits", "share", "size"),
    [
        (0.10, 15, 0.1, 0.30),  # the specification
        (0.10, 15, 10 / 60, 0.39),
        (0.10, 15, 0.5, 0.67),
        (0.05, 15, 0.1, 0.21),  # the README
        (0.05, 30, 0.3, 0.59),
    ],
)
def test_what_is_said_of_the_uncorrected_tests(level, n_splits, share, size):
    assert round(student(resampled_ratio(share, n_splits), n_splits - 1)(level), 2) == size
