"""Compute the answers of all calls of a checkout: ``python compute_answers.py CHECKOUT FILE``.

Package and calls are those of the checkout, whatever is installed. The answers are written as JSON.
"""

import json
import sys
from pathlib import Path

import threadpoolctl


def main(checkout, file):
    """Write the answers of all calls, computed with one thread, to a file."""
    sys.path[0] = checkout  # in place of this script's folder
    import skcvstats
    from tests.golden.answers_calls import CALLS, answer

    if not Path(skcvstats.__file__).is_relative_to(checkout):
        raise SystemExit(f"The package is {skcvstats.__file__} and not that of {checkout}.")
    with threadpoolctl.threadpool_limits(1):
        answers = {name: answer(call) for name, call in CALLS.items()}
    Path(file).write_text(json.dumps(answers), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
