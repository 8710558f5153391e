"""The notes on metrics that are not defined on some test sets, or nearly meaningless there."""

from collections.abc import Iterator

from ..fitting import Undefined
from ..scores import Note
from ._registry import note


@note(
    "undefined metric",
    title="Undefined metric",
    looks_for="Test sets on which the metric is not defined, such as those of one class.",
    why="Those scores are meaningless.",
    remedy="Use stratified or larger test sets, or another metric.",
    looks_in=Undefined,
)
def undefined_metric(undefined: Undefined) -> Iterator[Note]:
    if not undefined.is_few:
        yield Note("undefined metric", f"{undefined.fact}; those scores are meaningless")


@note(
    "few test rows",
    title="Test sets too small for the metric",
    looks_for="Test sets of so few rows that the metric is hardly defined on them.",
    why="Scores of so few rows are nearly meaningless.",
    remedy="Test on more rows, by fewer folds or a larger test_size.",
    looks_in=Undefined,
)
def few_test_rows(undefined: Undefined) -> Iterator[Note]:
    if undefined.is_few:
        yield Note("few test rows", f"{undefined.fact}; {undefined.remedy}", None)
