"""Fixtures and helpers that several modules of this folder share."""

import warnings

import pytest


@pytest.fixture
def no_warning_is_an_error():
    """Keep scikit-learn's own `Parallel` from failing where threads use it at the same time.

    Before Python 3.14 all threads share the filters of warnings, which each of its tasks sets: one
    that finds them emptied warns that it has no configuration, and as an error that fails the fit.
    """
    with warnings.catch_warnings():
        warnings.resetwarnings()
        warnings.simplefilter("ignore")
        yield
