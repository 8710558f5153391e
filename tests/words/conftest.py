"""Data that the tests of reports share."""

import pytest


@pytest.fixture(scope="session")
def data():
    from sklearn.datasets import make_classification

    return make_classification(120, 5, random_state=0)
