"""Write customers.csv, a table as teams export it, and clean.csv, the same as pandas reads it.

    python -m tests.command_line.messy_customers FOLDER

Both have 1,500 rows. The first writes ``?`` and ``-`` where values are missing, and dates such as
30.11.2023; customer numbers occur several times in both.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd

N_ROWS = 1500
N_UNKNOWN_SPEND = 75
N_UNKNOWN_TENURE = 31


def make_customers():
    """Return the messy and the clean table, of the same customers."""
    rng = np.random.default_rng(20231130)
    spend = rng.gamma(2, 30, N_ROWS).round(2)
    tenure = rng.integers(1, 72, N_ROWS)
    days = np.datetime64("2020-01-01") + rng.integers(0, 1400, N_ROWS)
    signal = spend / 40 - tenure / 30 + rng.normal(size=N_ROWS)
    clean = pd.DataFrame(
        {
            "customer_id": rng.integers(10_000_000, 10_000_900, N_ROWS),
            "monthly_spend": spend.astype(object),
            "tenure_months": tenure.astype(object),
            "since": days.astype(str),
            "plan": rng.choice(["basic", "plus", "none"], N_ROWS),
            "churned": np.where(signal > 0, "yes", "no"),
        }
    )
    messy = clean.assign(since=[f"{day[8:]}.{day[5:7]}.{day[:4]}" for day in clean["since"]])
    no_spend = rng.choice(N_ROWS, N_UNKNOWN_SPEND, replace=False)
    no_tenure = rng.choice(N_ROWS, N_UNKNOWN_TENURE, replace=False)
    messy.loc[no_spend, "monthly_spend"] = "?"
    clean.loc[no_spend, "monthly_spend"] = None
    messy.loc[no_tenure, "tenure_months"] = "-"
    clean.loc[no_tenure, "tenure_months"] = None
    return messy, clean


def write_customers(folder):
    """Write both tables into a folder, and return their paths."""
    paths = [Path(folder) / name for name in ("customers.csv", "clean.csv")]
    for path, table in zip(paths, make_customers(), strict=True):
        table.to_csv(path, index=False)
    return paths


if __name__ == "__main__":
    write_customers(sys.argv[1])
