"""The closed forms are tested with the scikit-learn that is installed, however new."""

import pytest

from skcvstats.fitting import _fast_paths


@pytest.fixture(autouse=True)
def whatever_version(monkeypatch):
    monkeypatch.setattr(_fast_paths, "NEWEST_TESTED", (10**6, 0))
