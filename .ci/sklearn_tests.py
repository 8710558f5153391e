"""Run scikit-learn's own tests of cross_val_score with that of skcvstats in its place.

The tests are those of the installed scikit-learn, whose wheels contain them. The exit status is not
0 if one fails, if fewer than 22 pass, or if one passes without calling the function of skcvstats.
"""

import os
import sys
from functools import wraps

import pytest
import sklearn.model_selection

import skcvstats

TESTS = "sklearn.model_selection.tests.test_validation"
FEWEST = 22  # as many as scikit-learn 1.9 has


class Replacement:
    """A plugin of pytest that replaces the function and records which tests call and pass."""

    def __init__(self):
        self.running = None
        self.calling = set()
        self.passed = set()

    def replace(self):
        """Replace the function before the module of tests, which imports it, is imported."""
        if TESTS in sys.modules:
            raise RuntimeError(f"{TESTS} is imported already, with scikit-learn's own function.")

        @wraps(skcvstats.cross_val_score)
        def cross_val_score(*args, **options):
            self.calling.add(self.running)
            return skcvstats.cross_val_score(*args, **options)

        sklearn.model_selection.cross_val_score = cross_val_score

    def pytest_runtest_logstart(self, nodeid):
        self.running = nodeid

    def pytest_runtest_logreport(self, report):
        if report.when == "call" and report.passed:
            self.passed.add(report.nodeid)


def main(options):
    replacement = Replacement()
    replacement.replace()
    # No configuration: the tests keep scikit-learn's, not that of this repository.
    alone = ["-c", os.devnull, "-p", "no:cacheprovider"]
    selected = ["--pyargs", TESTS, "-k", "cross_val_score"]
    status = pytest.main([*alone, *selected, *options], plugins=[replacement])
    if status != pytest.ExitCode.OK:
        return status
    if len(replacement.passed) < FEWEST:
        print(f"Only {len(replacement.passed)} tests passed; at least {FEWEST} must.")
        return 1
    if elsewhere := replacement.passed - replacement.calling:
        print(f"These tests do not call skcvstats: {', '.join(sorted(elsewhere))}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
