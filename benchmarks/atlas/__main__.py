"""The atlas of procedures: ``python -m benchmarks.atlas`` computes what is not there yet.

The real populations are read from the folder SKCVSTATS_DATA, or from OpenML. Stop it with Ctrl-C,
or with the file that is named at the start; started again, it goes on.
"""

import argparse
import json
import sys

import joblib

from . import cells, later, readme, rule, running


def main(arguments=None):
    """Do what the command line says."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.atlas", description=__doc__)
    parser.add_argument("--n-jobs", type=int, default=1, help="processes; -1 is all cores")
    parser.add_argument("--dask", metavar="ADDRESS", help="of a cluster's scheduler, instead")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="then it stops")
    parser.add_argument("--tiers", type=int, nargs="+", help="default: all")
    parser.add_argument("--costs", action="store_true", help="write the table of costs, and stop")
    parser.add_argument("--quick", action="store_true", help="check the stored numbers, 2 minutes")
    parser.add_argument("--rule", action="store_true", help="say what the rule says")
    parser.add_argument(
        "--later", action="store_true", help="compute the procedure that came later"
    )
    parser.add_argument(
        "--readme", action="store_true", help="write the tables of README.rst and doc/row_t.rst"
    )
    parser.add_argument("--lot", action="store_true", help="draw what is kept apart, once")
    parser.add_argument(
        "--kept-apart", action="store_true", help="compute what is kept apart too, which comes last"
    )
    options = parser.parse_args(arguments)
    if options.lot:
        return _lot()
    if options.quick:
        found = running.quick(_say)
        print(*found, sep="\n")
        return int(bool(found))
    if options.later:
        later.run(cells.settings(), options.minutes, _say)
        later.add(cells.settings())
        return 0
    if options.rule:
        return _rule(running.read())
    if options.readme:
        for path, text in readme.files(running.read()).items():
            path.write_text(text, encoding="utf-8")
        return 0
    return _run(options)


def _lot():
    if cells.LOT.exists():
        raise SystemExit(f"The lot was drawn already: {cells.LOT}")
    cells.LOT.parent.mkdir(parents=True, exist_ok=True)
    cells.LOT.write_text(json.dumps(cells.draw_lot(), indent=1) + "\n")
    _say(cells.LOT.read_text())
    return 0


def _rule(table):
    parts = {
        f"{name}, {what}, {where}": answer
        for name, judged in rule.judged(table).items()
        for (what, where), answer in judged.items()
    }
    parts |= {f"groups, {what}": one for what, one in rule.judge_groups(table).items()}
    known = running.progress(table)
    is_whole = (known["drawn"] >= known["data_sets"])[known["tier"].isin([1, 2])].all()
    last = "What follows" if is_whole else "What would follow; tiers 1 and 2 are not complete"
    for name, answer in {**parts, last: rule.verdicts(table)}.items():
        _say(f"{name}: {json.dumps(answer, indent=1)}")
    return 0


def _run(options):
    settings = [
        one for one in cells.settings() if options.tiers in (None, []) or one.tier in options.tiers
    ]
    if options.costs or not running.COSTS.is_file():
        costs = running.write_costs(cells.settings(), _say)
        hours = ", ".join(f"{costs[name].sum():.1f}" for name in ("hours", "first_hours"))
        _say(f"Hours of a core in all, and of the first pass: {hours}; {running.COSTS}")
        if options.costs:
            return 0
    left = [one for one in settings if not one.is_kept]
    if options.kept_apart:
        if not {one.name for one in left} <= set(running.read()["setting"]):
            raise SystemExit("What is kept apart is computed last: other settings are left.")
        left = settings
    _say(f"To stop it: touch {running.STOP}")
    if options.dask:
        from distributed import Client

        with Client(options.dask), joblib.parallel_config("dask"):
            return int(not running.run(left, -1, options.minutes, _say))
    return int(not running.run(left, options.n_jobs, options.minutes, _say))


def _say(text):
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main())
