"""The command that plans a test set before there are data."""

import argparse

from ..stats import plan_test_set
from ._output import Output
from ._parser import InputError

_PAIRS = ({"accuracy", "agreement"}, {"sd_of_difference", "difference"})
_EXPECTED = set().union(*_PAIRS)


def plan(options: argparse.Namespace) -> Output:
    """Plan how many rows a test set needs, from what is expected of two models."""
    if options.passed & _EXPECTED not in _PAIRS:
        raise InputError(
            "plan needs either --accuracy OLD NEW with --agreement, or --sd-of-difference with "
            "--difference."
        )
    planned = plan_test_set(
        accuracy=options.accuracy,
        agreement=options.agreement,
        sd_of_difference=options.sd_of_difference,
        difference=options.difference,
        power=options.power,
        confidence_level=options.confidence_level,
    )
    content = {"n_rows": planned.n_rows, "detectable": planned.detectable}
    return Output(str(planned), content=lambda: content)
