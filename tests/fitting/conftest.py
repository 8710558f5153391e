"""Fixtures and helpers that several modules of this folder share."""

import warnings

import pytest


@pytest.fixture
def no_warning_is_an_error():
    """Keep scikit-learn's own `Parallel` from failing where threads use it at the same time.

    Each of its tasks sets the filters of warnings, which before Python 3.14 all threads share. One
    that finds them as another has emptied them warns that it has no configuration, which as an
    error is a failed fit. A filter placed before "error" is no help, as the threads also mix up
    the order of the filters.
    """
    with warnings.catch_warnings():
        warnings.resetwarnings()
        warnings.simplefilter("ignore")
        yield
