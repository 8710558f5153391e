"""A fixture of the tests of bootstrap replicates."""

import pytest

from skcvstats.test_set import _doors


@pytest.fixture
def few_resamples(monkeypatch):
    """Allow fewer bootstrap replicates than is reasonable."""
    monkeypatch.setattr(_doors, "check_resampling", lambda *arguments: None)
