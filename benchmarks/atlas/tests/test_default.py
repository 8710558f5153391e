"""The default of the package is what follows from the atlas by its rule."""

from inspect import signature

from benchmarks.atlas import rule, running
from skcvstats import compare_estimators, cross_val_inference


def test_the_default_is_what_the_rule_says():
    verdicts = rule.verdicts(running.read())
    holds = all(found["row t"] and found["row t with groups"] for found in verdicts.values())
    for door in (compare_estimators, cross_val_inference):
        assert (signature(door).parameters["method"].default == "auto") == bool(holds)
