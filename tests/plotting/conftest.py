"""Figures are closed after each test, where there can be any."""

import sys

import pytest


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    if sys.modules.get("matplotlib.pyplot") is not None:
        sys.modules["matplotlib.pyplot"].close("all")
