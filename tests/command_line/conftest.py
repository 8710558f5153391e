"""Files that the tests of the command line read."""

from contextlib import redirect_stderr, redirect_stdout
from io import StringIO

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer

from skcvstats.command_line import main


@pytest.fixture(scope="session")
def run():
    """Run the command line; return its exit status and what it printed."""

    def run(*arguments):
        with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
            status = main([str(argument) for argument in arguments])
        return status, out.getvalue(), err.getvalue()

    return run


@pytest.fixture(scope="session")
def breast_cancer(tmp_path_factory):
    """Real data as a file: scikit-learn's breast cancer data with text labels."""
    frame = load_breast_cancer(as_frame=True).frame
    frame["target"] = np.where(frame["target"] == 1, "benign", "malignant")
    return saved(frame, tmp_path_factory.mktemp("data") / "breast_cancer.csv")


@pytest.fixture(scope="session")
def customers():
    """A table such as teams have: identifiers, categories, dates, missing values."""
    rng, n = np.random.default_rng(0), 120
    days = rng.integers(0, 1500, n)
    frame = pd.DataFrame(
        {
            "customer": [f"C{number:04d}" for number in rng.permutation(n)],
            "row": rng.permutation(n) + 1000,
            "plan": rng.choice(["basic", "plus", "pro"], n),
            "since": (np.datetime64("2020-01-01") + days).astype(str),
            "calls": rng.poisson(3, n),
            "spend": rng.gamma(2, 30, n).round(2),
            "site": rng.choice(list("abcdefghijkl"), n),
        }
    )
    frame["churned"] = np.where(frame["calls"] + rng.normal(0, 1, n) > 3, "yes", "no")
    frame.loc[::9, "spend"] = np.nan
    frame.loc[::17, "plan"] = None
    return frame


@pytest.fixture(scope="session")
def churn(customers, tmp_path_factory):
    """The customers as a CSV file."""
    return saved(customers, tmp_path_factory.mktemp("data") / "churn.csv")


def saved(frame, path, **options):
    """Write a frame to a CSV file and return its path."""
    frame.to_csv(path, index=False, **options)
    return path
