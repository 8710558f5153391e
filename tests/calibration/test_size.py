"""Sizes of the procedures on Gaussian scores with exact covariance, against the exact size."""

from dataclasses import replace

import pytest

from .gaussian import is_calibrated
from .settings import SETTINGS, data_sets

pytestmark = [
    pytest.mark.calibration,
    pytest.mark.filterwarnings("ignore::skcvstats.exceptions.AnticonservativeWarning"),
]


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_size_and_coverage(setting):
    assert is_calibrated(replace(setting, n_data_sets=data_sets(setting.n_data_sets)))
