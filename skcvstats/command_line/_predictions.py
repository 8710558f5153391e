"""``predictions``: a verdict from a file with the target and the predictions of each model."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .._utils._checks import listed
from .._utils._text import counted
from ._columns import as_numbers, as_texts
from ._errors import InputError
from ._output import OutputFiles
from ._positive import check_positive_is_known, read_coding
from ._preparation import with_done
from ._table import read_table
from ._tell import tell

if TYPE_CHECKING:
    import argparse

    import pandas as pd

    from ..comparison import ComparisonResult


def predictions(options: argparse.Namespace) -> int:
    """Compare fitted models by their predictions, print the verdict and write the files."""
    files = OutputFiles(options)
    result = compare_columns(options, options.models, reference=options.reference)
    tell(result, options, files)
    return 0


def compare_columns(
    options: argparse.Namespace, models: list[str] | None, **further: Any
) -> ComparisonResult:
    """Compare the models whose predictions are columns of a file."""
    from ..test_set import compare_predictions

    table = read_table(options.predictions, separator=options.separator, encoding=options.encoding)
    target, groups = options.target, options.groups
    named = [target, *(options.drop or []), *(models or []), *filter(None, [groups])]
    if unknown := [name for name in named if name not in table.columns]:
        raise InputError(
            f"{listed(unknown)}: not among the columns of {options.predictions}, which are "
            f"{listed(table.columns, 20)}; --target names that of the target."
        )
    apart = {target, groups, *(options.drop or [])}
    models = models or [name for name in table.columns if name not in apart]
    if both := sorted(apart & set(models)):
        raise InputError(
            f"{listed(both)} cannot be a model and also the target, groups or in --drop."
        )
    if len(models) < 2:
        raise InputError(f"{options.predictions} has {counted(len(models), 'model')}, not two.")
    y, predicted = _complete(table[target]), {name: _complete(table[name]) for name in models}
    done = []
    if options.positive is not None:
        coding = read_coding(y, options.positive)
        y, done = coding.of(y), [coding.done]
        predicted = {name: coding.of(column) for name, column in predicted.items()}
    check_positive_is_known(options.scoring, y)
    result = compare_predictions(
        np.asarray(y),
        {name: np.asarray(column) for name, column in predicted.items()},
        scoring=options.scoring,
        groups=None if groups is None else np.asarray(_complete(table[groups])),
        margin=options.margin,
        confidence_level=0.95 if options.confidence_level is None else options.confidence_level,
        **further,
    )
    return replace(with_done(result, done), warned=())


def _complete(column: pd.Series) -> pd.Series:
    """Return a column as numbers or texts."""
    if missing := int(column.isna().sum()):
        raise InputError(
            f"The column {column.name!r} is missing in {missing} of "
            f"{counted(len(column), 'row')}; remove these rows."
        )
    number = as_numbers(column)
    return as_texts(column) if number is None else number
