"""Tables as the command line reads them, without a comparison of models."""

import argparse
from functools import cache

from skcvstats.command_line import build_parser
from skcvstats.command_line._table import (
    as_one_and_zero,
    days_of,
    find_features,
    plain,
    positive_and_negative,
    prepare,
    read_typed,
)

__all__ = [
    "as_one_and_zero",
    "days_of",
    "find_features",
    "plain",
    "positive_and_negative",
    "prepare",
    "read",
    "read_typed",
]
build_parser = cache(build_parser)
SIDES = ("--champion", "tree", "--challenger", "knn", "--rule", "better")


def read(path, *options, target="y", command="compare"):
    """Return the data of a file, or those with a name, as a command reads them."""
    arguments = [command, "--data", str(path), *map(str, options)]
    if target is not None:
        arguments += ["--target", target]
    if command == "gate":
        arguments += SIDES
    return prepare(build_parser().parse_args(arguments, argparse.Namespace(passed=set())))
