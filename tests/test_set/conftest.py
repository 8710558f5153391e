"""A fixture of the tests of bootstrap replicates."""

import pytest

from skcvstats.test_set import _measure


@pytest.fixture
def few_resamples(monkeypatch):
    """Allow fewer bootstrap replicates than is reasonable."""
    monkeypatch.setattr(_measure.Options, "__post_init__", lambda self: None)
