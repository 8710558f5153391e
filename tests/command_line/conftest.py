"""Files that the tests of the command line read."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer

from skcvstats.command_line import main


@pytest.fixture
def run(capsys):
    """Run the command line; return its exit status and what it printed."""

    def run(*arguments):
        capsys.readouterr()
        status = main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run


@pytest.fixture(scope="session")
def breast_cancer(tmp_path_factory):
    """Real data as a file: scikit-learn's breast cancer data with text labels."""
    frame = load_breast_cancer(as_frame=True).frame
    frame["target"] = np.where(frame["target"] == 1, "benign", "malignant")
    path = tmp_path_factory.mktemp("data") / "breast_cancer.csv"
    frame.to_csv(path, index=False)
    return path


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


@pytest.fixture
def churn(customers, tmp_path):
    """The customers as a CSV file."""
    path = tmp_path / "churn.csv"
    customers.to_csv(path, index=False)
    return path
