"""Models whose predictions, or scores, are in a file: wide or long, of a test set or of folds."""

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Any

import numpy as np
import pandas as pd

from .._utils._checks import listed
from .._utils._metrics import known_of
from .._utils._names import sounds_like_score
from .._utils._parts import TRAINING_ROWS, refuse_parts
from .._utils._progress import progress_in_one_line
from .._utils._text import counted
from ..comparison import ComparisonResult, ScoreEstimates
from ..model_selection import compare_out_of_fold
from ..notes import SECOND_LABEL
from ..scores import Note
from ..test_set import compare_losses, compare_predictions, from_long, predictions_inference
from ._limits import notes_on_columns, refuse_gaps_of_one
from ._output import with_record
from ._parser import InputError
from ._readings import describe
from ._table import (
    as_one_and_zero,
    check_columns,
    check_known,
    check_positive_is_known,
    describe_one_and_zero,
    named_by,
    plain,
    positive_and_negative,
    read_named,
    read_table,
    record_of,
    times_of,
    whole_column,
)

_SCORES = ("values", "score_column")
_NEED_TARGET = (
    "a file of predictions needs --target and --scoring; one of scores, --values or --score-column"
)
_LONG_NEEDS = (
    "a long file needs --model-column, --row-column, and --score-column or --prediction-column"
)
_OF_PREDICTIONS = ("target", "positive", "threshold", "folds", "prediction_column")
_OF_ONE_SET = ("threshold", "time", "plan", "missing_rows", "run_column")
_OF_SEVERAL = (
    *("reference", "margin", "plan", "time", "missing_rows", "folds", "report", "save_scores"),
    *_SCORES,
)
# An option, others, whether it is wrong without or with one of these, and what to say.
_RULES: tuple[tuple[str, tuple[str, ...], bool, str], ...] = (
    ("model_column", ("row_column",), True, _LONG_NEEDS),
    ("model_column", ("score_column", "prediction_column"), True, _LONG_NEEDS),
    ("score_column", ("model_column",), True, _LONG_NEEDS),
    ("prediction_column", ("model_column",), True, _LONG_NEEDS),
    ("run_column", ("model_column",), True, _LONG_NEEDS),
    ("row_column", ("model_column", "repeats"), True, _LONG_NEEDS),
    ("repeats", ("folds",), True, "--repeats needs --folds, the column of the folds"),
    ("repeats", ("model_column",), False, "--repeats is for a file with a column for each model"),
    ("greater_is_better", _SCORES, True, "--greater-is-better is for scores; see --values"),
    ("lower_is_better", _SCORES, True, "--lower-is-better is for scores; see --values"),
    ("greater_is_better", ("lower_is_better",), False, "--greater-is-better or --lower-is-better?"),
    ("unit", _SCORES, True, "--unit is for scores; see --values"),
    (
        "values",
        (*_OF_PREDICTIONS, "model_column"),
        False,
        "--values is for a file with a column "
        "of scores for each model, which takes no option of predictions",
    ),
    (
        "score_column",
        (*_OF_PREDICTIONS, "scoring"),
        False,
        "--score-column names scores and their "
        "metric, and takes no option of predictions, nor --scoring",
    ),
    (
        "folds",
        _OF_ONE_SET,
        False,
        "--folds takes no --threshold, --time, --plan, "
        "--missing-rows and --run-column, which are for one test set",
    ),
    ("predictions", ("target", *_SCORES), True, _NEED_TARGET),
    ("target", ("scoring",), True, _NEED_TARGET),
)
_PLACE = "place in the repeat"
_OR_MODELS = "; else pass --drop {0}, or name the columns of the models by --models."
_TRAINING_ROWS = (
    "{0!r} has training rows, and a test set is wanted: pass the test rows only, in a file of "
    "their own."
)
_NO_MODELS = {
    "folds": "{0!r} seems to number folds, and to be no model. If each row was predicted without "
    "its fold, pass --folds {0} (and --repeats COLUMN if that was done several times)" + _OR_MODELS,
    "repeats": "{0!r} seems to number repeats, and to be no model. If each row was predicted "
    "without its fold in each, pass --folds COLUMN --repeats {0}" + _OR_MODELS,
    "sets": "{0!r} seems to number sets of rows, and to be no model. Pass --drop {0}.",
    TRAINING_ROWS: _TRAINING_ROWS,
}
_NO_SCORES = dict.fromkeys(
    ("folds", "repeats", "sets"),
    "{0!r} seems to number folds or repeats. Scores of folds depend on each other: compare them in "
    "Python by compare_scores(..., design=SplitDesign.from_sizes(...))" + _OR_MODELS,
)
_IN_LONG = {
    "folds": "{0!r} seems to number folds. If each row was predicted without its fold, pass "
    "--folds {0}; else pass --drop {0}.",
    TRAINING_ROWS: _TRAINING_ROWS,
}


@dataclass(frozen=True)
class _Columns:
    """The columns of a file, and those of each model, one for each run or repeat."""

    repeats: Sequence[pd.DataFrame]  # with what is alike for all models; a row for each row
    runs: Mapping[str, Sequence[pd.Series]]
    done: list[str]
    notes: Sequence[Note] = ()

    @property
    def table(self) -> pd.DataFrame:
        return self.repeats[0]

    def arrays(self, runs: Mapping[str, Sequence[pd.Series]]) -> dict[str, list[np.ndarray]]:
        """Return the runs of each model on all rows, nan where one is missing."""
        index = self.table.index
        return {
            name: [np.asarray(run.reindex(index)) for run in of_model]
            for name, of_model in runs.items()
        }


def scoring_of(options: argparse.Namespace) -> Any:
    """Return the metric, a list of several, or None for the default."""
    if len(options.scoring) == 1:
        return options.scoring[0]
    return options.scoring or None


def compare_columns(
    options: argparse.Namespace, models: Sequence[str], reference: str | None
) -> ComparisonResult | ScoreEstimates:
    """Compare the models whose predictions, or scores, are columns of a file."""
    _check_options(options.passed)
    file = options.predictions
    read = read_table(file, options)
    columns = _read_columns(read.frame, options, models)
    fewest = 2 - ("by" in options.passed and options.passed.isdisjoint(_OF_SEVERAL))
    if len(columns.runs) < fewest:
        found = "; ".join(
            [f"{file} has {counted(len(columns.runs), 'model')}, not two", *columns.done]
        )
        raise InputError(
            f"{found}. If it has a line for each row and model, pass --model-column; for the score "
            "of one model in slices, --by without options of comparisons."
        )
    runs = {
        name: [_present(run.rename(name), options.missing_rows) for run in of_model]
        for name, of_model in columns.runs.items()
    }
    given: dict[str, Any] = {
        "groups": read_named(columns.table, options.groups),
        "by": read_named(columns.table, options.by),
        "reference": reference,
        "margin": options.margin,
        "confidence_level": options.confidence_level,
    }
    if options.command == "gate":
        refuse_gaps_of_one(runs, columns.table.index)
    compared = _compare_scores if options.target is None else _compare_predicted
    with progress_in_one_line(not sys.stderr.isatty()):
        result: Any = compared(columns, runs, options, given)
    if SECOND_LABEL in map(attrgetter("code"), result.notes):
        labels = listed(np.unique(read_named(columns.table, options.target)).tolist())
        raise InputError(
            f"--scoring {listed(options.scoring)} takes numbers of the positive class, and "
            f"{options.target} has the labels {labels}. Pass --positive with the label that counts "
            "as positive."
        )
    record = record_of(file, options.target, len(columns.table), columns.done)
    record["read"] = describe(read)
    noted: ComparisonResult | ScoreEstimates = with_record(result, record, columns.notes)
    return noted


def _check_options(passed: set[str]) -> None:
    """Raise InputError for options that do not go together, or lack another one."""
    for name, others, is_needed, text in _RULES:
        if name in passed and passed.isdisjoint(others) is is_needed:
            raise InputError(f"{text}.")


def _read_columns(
    table: pd.DataFrame, options: argparse.Namespace, models: Sequence[str]
) -> _Columns:
    """Return the columns of a file with one for each model, or a line for each row and model."""
    file = options.predictions
    target = options.target
    of_rows = [target, options.groups, options.by, options.time, options.folds]
    long = (
        *(options.row_column, options.model_column),
        *(next(filter(None, (options.score_column, options.prediction_column)), None),),
        options.run_column,
    )
    apart = [*of_rows, *long, options.repeats, *options.drop]
    check_known(apart, table.columns, f"the columns of {file}")
    check_columns(table, file, target, [options.groups, options.time])
    others = table[table.columns.difference([*apart, *models], sort=False)]
    if options.model_column is not None:
        refuse_parts(others, _IN_LONG)
        return _of_long(table.drop(columns=list(options.drop)), long, of_rows, models, file)
    check_known(models, table.columns, f"the columns of {file}")
    done: list[str] = []
    no_target = pd.Series(np.arange(len(table)) + 0.5)  # whose values no column has
    y = whole_column(table.get(target, no_target))
    notes = list(notes_on_columns(others, y, options))
    if "models" not in options.passed:
        refuse_parts(others, {True: _NO_SCORES, False: _NO_MODELS}[options.values])
    if not models:
        models, done = _find_models(others, y, options)
    both = sorted(set(apart) & set(models))
    if both:
        raise InputError(
            f"{listed(both)} cannot be a model and also the target, groups or in --drop."
        )
    repeats = [table]
    if options.repeats is not None:
        repeats = _each_repeat(table, target, options)
        done.append(f"rows of repeats matched by {repeats[0].index.name!r}")
    runs = {name: [one[name] for one in repeats] for name in models}
    return _Columns(repeats, runs, done, notes)


def _of_long(
    table: pd.DataFrame,
    names: Sequence[str | None],
    of_rows: Sequence[str | None],
    models: Sequence[str],
    file: str,
) -> _Columns:
    """Return the columns of a table with a line for each row, model and run."""
    columns = dict(zip(("rows", "models", "values", "runs"), names, strict=True))
    alike: dict[Any, Any] = dict(zip(of_rows, of_rows, strict=True))
    of_models, of_each_row = from_long(table, columns, alike)
    runs = dict(zip(map(str, of_models), of_models.values(), strict=True))
    check_known(models, runs, f"the models of {file}")
    index = next(iter(runs.values()))[0].index
    wide = pd.DataFrame({**of_each_row}, index=index)
    return _Columns([wide], {name: runs[name] for name in models or runs}, [])


def _each_repeat(
    table: pd.DataFrame, target: str, options: argparse.Namespace
) -> list[pd.DataFrame]:
    """Return the rows of each repeat, by their column, or else by their place in the repeat."""
    place = options.row_column or _PLACE
    numbers = table.groupby(options.repeats).cumcount()
    table = table.assign(**{_PLACE: numbers})
    repeats = [one.set_index(place) for _, one in table.groupby(options.repeats, sort=False)]
    if table.groupby(place)[target].nunique().max() > 1:
        raise InputError(
            f"The repeats in {options.repeats!r} are not of the same rows in one order, as "
            f"{target!r} differs. Pass --row-column, the column that tells rows apart."
        )
    return repeats


def _compare_scores(
    columns: _Columns, runs: Any, options: argparse.Namespace, given: Mapping[str, Any]
) -> ComparisonResult:
    """Compare models by scores, or losses, that are columns of a file."""
    metric = next(filter(None, (*options.scoring, options.score_column, "value")))
    told = options.greater_is_better - options.lower_is_better
    sign = next(filter(None, (told, known_of(metric).sign, sounds_like_score(metric))), 0)
    if sign == 0:
        raise InputError(
            f"Is a greater {metric} better? Pass one of --greater-is-better and --lower-is-better."
        )
    return compare_losses(
        columns.arrays(runs),
        metric=metric,
        greater_is_better=sign > 0,
        unit=options.unit,
        time=_read_times(columns, options),
        missing_rows=options.missing_rows,
        **given,
    )


def _read_times(columns: _Columns, options: argparse.Namespace) -> Any:
    """Return the time of each row, None if no column is named."""
    return read_named(columns.table, options.time, partial(times_of, options=options))


def _compare_predicted(
    columns: _Columns, runs: Any, options: argparse.Namespace, given: Mapping[str, Any]
) -> Any:
    """Compare models by predictions, of a test set or of folds, that are columns of a file."""
    target = options.target
    y = whole_column(columns.table[target])
    if options.positive is not None:
        classes = positive_and_negative(options.positive, y)
        y = as_one_and_zero(y, classes, target)
        for name, of_model in runs.items():
            runs[name] = [as_one_and_zero(column, classes, target) for column in of_model]
        columns.done.append(describe_one_and_zero(classes, target))
    check_positive_is_known(options.scoring, y)
    scoring = scoring_of(options)
    arrays = columns.arrays(runs)
    given = {**given, "verbose": 1}
    if options.folds is not None:
        columns.done.append(f"out of fold, by {options.folds!r}: as compare_out_of_fold does")
        index = columns.table.index
        folds = [whole_column(one[options.folds].reindex(index)) for one in columns.repeats]
        return compare_out_of_fold(
            np.asarray(y), arrays, folds=np.stack(folds), scoring=scoring, **given
        )
    given |= {"scoring": scoring, "threshold": options.threshold}
    if len(arrays) == 1:
        del given["reference"], given["margin"]
        return predictions_inference(np.asarray(y), arrays, **given)
    return compare_predictions(
        np.asarray(y),
        arrays,
        time=_read_times(columns, options),
        missing_rows=options.missing_rows,
        **given,
    )


def _present(column: pd.Series, missing_rows: str) -> pd.Series:
    """Return the predictions of a model, of the rows that it has if missing ones are dropped."""
    if missing_rows == "drop":
        column = column.dropna()
    return whole_column(column, remedy=", or pass --missing-rows drop")


def _find_models(
    table: pd.DataFrame, y: pd.Series, options: argparse.Namespace
) -> tuple[list[str], list[str]]:
    """Return the columns that are predictions, or scores, and what to say of those that are not."""
    models = [name for name in table.columns if not named_by(plain(table[name]), y)]
    left_out = table.columns.difference(models, sort=False)
    if left_out.empty:
        return models, []
    what = {True: "scores", False: "predictions"}[options.values]
    names = f"{listed(left_out)} (--models names the models)"
    return models, [f"left out as they contain no {what}: {names}"]
