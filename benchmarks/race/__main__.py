"""Measure what a race saves and what it costs, against other searches; print the tables.

``python -m benchmarks.race run`` in the root of the repository; stop it with Ctrl-C, and go on with
the same command. ``python -m benchmarks.race tables`` prints the README's tables.
"""

import argparse
import csv
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from . import measuring, tables
from .searches import SEARCHES

RESULTS = Path(__file__).parent / "results"
FOUND = ["search", "repetition", "way", "fits", "seconds", "candidate", "fresh"]
ELAPSED = ["search", "repetition", "way", "fits", "seconds", "elapsed", "processor"]


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.race", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="command")
    run = commands.add_parser("run", help="measure, or go on where it stopped")
    run.add_argument("--repetitions", type=int, default=50, help="of the cheap searches")
    run.add_argument("--of-boosting", type=int, default=10, help="repetitions of boosting")
    run.add_argument("--elapsed", type=int, default=2, help="repetitions that time searches")
    run.set_defaults(do=_run)
    commands.add_parser("tables", help="print the tables").set_defaults(do=_tables)
    options = parser.parse_args()
    options.do(options)


def _run(options: argparse.Namespace) -> None:
    if measuring.optuna is None:
        print("Optuna is not installed: its pruners are left out.")
    counts = dict.fromkeys(SEARCHES, options.repetitions) | {"boosting": options.of_boosting}
    of_elapsed = dict.fromkeys(SEARCHES, options.elapsed) | {"boosting": 1}
    _write(RESULTS / "elapsed.csv", ELAPSED, of_elapsed, measuring.elapsed)
    _write(RESULTS / "found.csv", FOUND, counts, measuring.measure)


def _tables(options: argparse.Namespace) -> None:
    print(tables.text(RESULTS))


def _write(
    path: Path, columns: list[str], counts: dict[str, int], measure: Callable[..., Iterable[Any]]
) -> None:
    """Add the repetitions that are not yet in a file, as they come."""
    done = set()
    if path.is_file():
        with path.open(newline="") as file:
            done = {tuple(row[:2]) for row in csv.reader(file)}
    with path.open("a", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        if not done:
            out.writerow(columns)
        for repetition in range(max(counts.values())):
            for name, count in counts.items():
                if repetition < count and (name, str(repetition)) not in done:
                    rows = list(measure(SEARCHES[name], repetition))
                    out.writerows([name, repetition, *map(_short, row)] for row in rows)
                    file.flush()
                    print(name, repetition, flush=True)


def _short(value: Any) -> Any:
    return f"{value:.5g}" if isinstance(value, float) else value


if __name__ == "__main__":
    main()
