"""The plan of a test set before there are data."""

import json

import pytest

from skcvstats.stats import plan_test_set


def test_what_is_printed_is_what_the_function_says(run):
    status, out, error = run("plan", "--accuracy", 0.8, 0.83, "--agreement", 0.9)
    assert (status, error) == (0, "")
    assert out == f"{plan_test_set(accuracy=(0.8, 0.83), agreement=0.9)}\n"
    options = ("--sd-of-difference", 0.4, "--difference", 0.02, "--power", 0.9)
    more = {"power": 0.9, "confidence_level": 0.99}
    plan = plan_test_set(sd_of_difference=0.4, difference=0.02, **more)
    told = json.loads(run("plan", *options, "--confidence-level", 0.99, "--json")[1])
    assert told["n_rows"] == plan.n_rows
    assert told["detectable"] == {str(n): size for n, size in plan.detectable.items()}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "plan needs either --accuracy OLD NEW with --agreement"),
        (["--accuracy", 0.8, 0.83], "plan needs either --accuracy OLD NEW with --agreement"),
        (["--accuracy", 0.8], "argument --accuracy: expected 2 arguments"),
        (["--accuracy", 80, 83, "--agreement", 0.9], "--accuracy 80 must be a share from 0 to 1"),
        (["--accuracy", 0.7, 0.8, "--agreement", 0.95], "--agreement 0.95: models with accuracies"),
        (["--accuracy", 0.7, 0.8, "--agreement", 0.8, "--power", 80], "--power 80 must be"),
    ],
)
def test_mistakes_are_one_line(run, options, said):
    status, out, error = run("plan", *options)
    assert (status, out, error.count("\n")) == (2, "", 1)
    assert said in error
