"""Measure how often joint inference makes a false claim, and write the guide's tables.

``python -m benchmarks.joint_inference run --help``, in the root of the repository.
"""

import argparse
import csv
import time
from functools import partial
from pathlib import Path

from . import direct, margins, refits, tables
from .laws import COVARIANCES, Resampled
from .rates import false_claims
from .settings import families

HERE = Path(__file__).parent
RATES = ["question", "procedure", "premise", "n_estimators", "n_splits", "covariance"]
RATES += ["comparisons", "gaps", "method", "rate", "error", "n_data_sets"]
COUNTS = ["covariance", "n_estimators", "truth", "n_data_sets", "false_claims", "covered"]
COUNTS += ["in_best_set"]
MARGINS = ["question", "margin", "difference", "n_data_sets", "false_verdicts", "equivalent"]
REFITS = ["learner", "n_estimators", "n_data_sets", "false_claims", "missed"]


def main(arguments=None):
    """Do what the command line says."""
    options = _parser().parse_args(arguments)
    options.do(options)


def _parser():
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.joint_inference", description=__doc__
    )
    commands = parser.add_subparsers(required=True, metavar="command")
    run = commands.add_parser("run", help="simulate, or go on where it stopped")
    run.add_argument("--n-data-sets", type=int, default=120, help="of most rates")
    run.add_argument("--n-counted", type=int, default=300, help="of each count")
    run.set_defaults(do=_run)
    written = commands.add_parser("tables", help="write the guide's tables from the results")
    written.set_defaults(do=_tables)
    for one in (run, written):
        one.add_argument("--output", type=Path, default=HERE / "results", help="default: results")
    return parser


def _run(options):
    options.output.mkdir(parents=True, exist_ok=True)
    _write(options.output / "rates.csv", RATES, _rates(options.n_data_sets))
    _write(options.output / "refits.csv", REFITS, _refits(options.n_counted))
    _write(options.output / "counts.csv", COUNTS, _counts(options.n_counted))
    _write(options.output / "margins.csv", MARGINS, _margins(options.n_counted))
    _tables(options)


def _tables(options):
    tables.write(options.output)


def _rates(n_data_sets):
    for question, family in families():
        law = family.law
        premise = getattr(law, "variance_ratio", getattr(law, "correlation", ""))
        gaps = " ".join(map(str, family.gaps))
        key = (question, law.method, premise, law.n_estimators, law.n_splits, law.covariance)
        key = (*key, family.comparisons, gaps)
        n = n_data_sets_of(law, n_data_sets)
        yield (
            key,
            lambda family=family, n=n: [
                (method, f"{rate:.5f}", f"{error:.5f}", n)
                for method, (rate, error) in false_claims(family, n, 0).items()
            ],
        )


def n_data_sets_of(law, n_data_sets):
    """Return how many data sets a law is given, of which those with 20 estimators take longest."""
    if law.n_splits == 5:  # rates vary much, and the draws are quick
        n_data_sets *= 2
    return int(n_data_sets * min(1, 10 / law.n_estimators))


def _counts(n_data_sets):
    for covariance in COVARIANCES:
        law = Resampled(5, covariance, 15)
        for truth, family in direct.tie_and_gaps(law).items():
            yield (
                (covariance, law.n_estimators, truth),
                lambda family=family: [_counted(direct.count(family, 2 * n_data_sets, 0))],
            )


def _counted(found):
    return found.n_data_sets, found.false_claims, found.covered, f"{found.in_best_set:.3f}"


def _margins(n_data_sets):
    for name, margin, difference, case in margins.cases():
        n = n_data_sets * {"one comparison": 5, "a reference": 3}.get(name.split(",")[0], 1)

        def measure(case=case, n=n, margin=margin):
            false, verdicts = margins.count(case, n, margin)
            return [(n, false, f"{verdicts['equivalent'] / verdicts.total():.4f}")]

        yield (name, margin, difference), measure


def _refits(n_data_sets):
    slow, small = n_data_sets // 4, partial(refits.random_inputs, n_rows=200)
    for name, compare, n_estimators, n in [
        ("least squares on chosen inputs, 600 rows", refits.random_inputs, 5, 2 * n_data_sets),
        ("least squares on chosen inputs, 200 rows", small, 5, 2 * n_data_sets),
        ("least squares on chosen inputs, 200 rows", small, 20, 2 * n_data_sets),
        *(
            ("five neighbours in chosen inputs, 200 rows", refits.random_neighbours, k, n)
            for k, n in [(2, 2 * n_data_sets), (5, 2 * n_data_sets), (20, n_data_sets)]
        ),
        ("least squares on random cosines, 100 rows", refits.random_cosines, 5, n_data_sets),
        *((f"{name}, 100 rows", refits.learner(name), 5, slow) for name in refits.LEARNERS),
    ]:
        yield (
            (name, n_estimators),
            lambda compare=compare, k=n_estimators, n=n: [
                (n, *refits.any_claim(compare, k, n)),
            ],
        )


def _write(path, columns, jobs):
    """Add the rows that are not yet in a file, as they come."""
    found = _found(path)
    with path.open("a", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        if not found:
            out.writerow(columns)
        for key, measure in jobs:
            if any(row[: len(key)] == list(map(str, key)) for row in found):
                continue
            started = time.perf_counter()
            out.writerows([*key, *row] for row in measure())
            file.flush()
            print(*key, f"{time.perf_counter() - started:.0f} s", flush=True)


def _found(path):
    if not path.is_file():
        return []
    with path.open(newline="") as file:
        return list(csv.reader(file))


if __name__ == "__main__":
    main()
