"""Run the report's study, or a part of it, and write its tables, figures and page.

``python -m benchmarks.nadeau_bengio run --help``, in the root of the repository.
"""

import argparse
import os
import sys
from pathlib import Path

import pandas as pd

from . import comparison, evidence, findings, page, plots, rates, running
from .figures import FIGURES
from .problems import PROBLEMS

HERE = Path(__file__).parent
FORMATS = (".png", ".svg")


def main(arguments=None):
    """Do what the command line says."""
    options = _parser().parse_args(arguments)
    try:
        options.do(options)
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def _parser():
    parser = argparse.ArgumentParser(prog="python -m benchmarks.nadeau_bengio", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="command")
    run = commands.add_parser("run", help="simulate, or go on, then write everything")
    run.add_argument("--parts", nargs="+", choices=list(PROBLEMS), default=list(PROBLEMS))
    run.add_argument("--n-data-sets", type=_at_least(10), default=1000, help="of each simulation")
    run.add_argument("--n-jobs", type=int, default=2)
    run.set_defaults(do=_run)
    report = commands.add_parser("report", help="write everything from the results that there are")
    report.set_defaults(do=_report)
    rewritten = commands.add_parser("page", help="write the page from the tables that there are")
    rewritten.set_defaults(do=_page)
    for one in (run, report):
        one.add_argument("--results", type=Path, required=True, help="the simulations' directory")
    for one in (run, report, rewritten):
        one.add_argument(
            "--output", type=Path, default=HERE / "results", help="for tables and figures"
        )
    for one in (run, report, rewritten):
        one.add_argument("--page", type=Path, help="default: reproduction.rst in the output")
    for one in (run, report):
        one.add_argument(
            "--letters",
            type=Path,
            help="the file letter-recognition.data; default: $SKCVSTATS_LETTER_DATA, or OpenML",
        )
    return parser


def _at_least(fewest):
    def number(text):
        found = int(text)
        if found < fewest:
            raise argparse.ArgumentTypeError(
                f"{found} is too few for intervals of moments: at least {fewest}"
            )
        return found

    return number


def _find_letters(options):
    if options.letters is None:
        return
    if not options.letters.is_file():
        raise ValueError(f"--letters {options.letters}: there is no such file.")
    os.environ["SKCVSTATS_LETTER_DATA"] = str(options.letters.resolve())  # for the workers too


def _run(options):
    _find_letters(options)
    rows = []
    for name in options.parts:
        cost = running.run(
            name, options.results, n_data_sets=options.n_data_sets, n_jobs=options.n_jobs, say=_say
        )
        rows.append(cost)
    path = options.results / "timings.csv"
    before = [pd.read_csv(path)] if path.is_file() else []
    pd.concat([*before, pd.DataFrame(rows)]).to_csv(path, index=False)
    _report(options)


def _report(options):
    """Write tables, figures and page from the results on disk."""
    _find_letters(options)
    results = running.read(options.results)
    if not results:
        raise ValueError(f"--results {options.results} has no results; use the command run.")
    write(results, options.output)
    timings = options.results / "timings.csv"
    if timings.is_file():
        (options.output / "timings.csv").write_text(timings.read_text())
    _page(options)


def _say(text):
    print(text, flush=True)


def write(results, output, formats=FORMATS, drawn=tuple(FIGURES)):
    """Write the tables and figures of a run.

    Parameters
    ----------
    results : dict of (str, int) to SimulationResult
        By problem and simulation, as losses.
    output : Path
        A directory, made if it is not there.
    formats : sequence of {".png", ".svg"}
        Of the figures; they need matplotlib.
    drawn : sequence of str, default=tuple(FIGURES)
        The figures to draw; there are tables of all.
    """
    folder = output / "figures"
    folder.mkdir(parents=True, exist_ok=True)
    comparison.tables_frame(results).to_csv(output / "tables.csv", index=False)
    rates.sizes_frame(results).to_csv(output / "sizes.csv", index=False)
    for name, figure in FIGURES.items():
        stem = folder / f"figure-{name}"
        for old in folder.glob(f"{stem.name}.*"):
            old.unlink()
        frame = rates.figure_frame(figure, results)
        if frame is not None:
            frame.to_csv(stem.with_suffix(".csv"), index=False)
            if formats and name in drawn:
                plots.draw(figure, frame, stem, formats)
    found = findings.findings_frame(evidence.read(output))
    found.to_csv(output / "findings.csv", index=False)


def _page(options):
    path = options.page or options.output / "reproduction.rst"
    path.write_text(page.page_of(options.output, path.parent))
    print(f"wrote {path}")


if __name__ == "__main__":
    sys.exit(main())
