"""``compare``, ``curve``, ``predictions``, ``report``: from data, a test set or saved scores."""

import argparse
import sys
from dataclasses import replace
from typing import Any

import numpy as np

from .._utils._checks import listed
from .._utils._text import counted
from ..comparison import ComparisonResult
from ..model_selection import (
    LearningCurveResult,
    compare_estimators,
    learning_curve_inference,
    procedure_of,
)
from ..scores import dates_note
from ..splitters import make_splitter
from ..test_set import compare_predictions
from ._errors import InputError
from ._estimators import EstimatorString, find_estimator, parse_estimator
from ._output import as_json, as_text, read_scores, tell, with_done
from ._parser import CLASSIFIERS, DEFAULT, REGRESSORS
from ._table import (
    DATES,
    Prepared,
    as_one_and_zero,
    check_columns,
    check_positive_is_known,
    identifies_rows,
    prepare,
    read_table,
    times_of,
    whole_column,
)


def compare(options: argparse.Namespace) -> int:
    """Compare estimators on data, print the verdict and write the files."""

    def result() -> ComparisonResult:
        strings, data = _read(options)
        scoring = options.scoring
        if scoring and len(scoring) == 1:
            (scoring,) = scoring
        return fit_and_compare(strings, data, options, scoring, options.reference)

    return tell(result, options)


def report(options: argparse.Namespace) -> int:
    """Report saved scores as ``compare`` does, without the data."""

    def result() -> ComparisonResult:
        result = read_scores(options.scores)
        if options.confidence_level is not None:
            result = result.with_confidence(options.confidence_level)
        return result if options.margin is None else result.with_margin(options.margin)

    return tell(result, options)


def predictions(options: argparse.Namespace) -> int:
    """Compare fitted models by their predictions, print the verdict and write the files."""
    return tell(lambda: compare_columns(options, options.models, options.reference), options)


def curve(options: argparse.Namespace) -> int:
    """Measure the scores of estimators on more and more rows, and print what these bring."""

    def result() -> LearningCurveResult:
        strings, data = _read(options)
        sizes = options.train_sizes or [0.25, 0.5, 1.0]
        whole = all(size > 1 and size == int(size) for size in sizes)  # numbers of rows
        result = learning_curve_inference(
            dict(_found(strings, data)),
            data.X,
            data.y,
            train_sizes=[*map(int, sizes)] if whole else sizes,
            **_how_to_fit(options, data),
            scoring=options.scoring,
        )
        known = {**result.scores.provenance, "data": list(data.done)}
        return replace(result, scores=replace(result.scores, provenance=known))

    def said(result: LearningCurveResult) -> tuple[str, int, str]:
        if not options.json:
            return as_text(result), 0, ""
        content: dict[str, Any] = {"metric": result.metric, "unit": result.unit}
        content["confidence_level"] = result.confidence_level
        content["curve"] = result.to_frame().to_dict("records")
        if result.of_differences is not None:
            content["differences"] = result.differences().to_dict("records")
        return as_json(content, result), 0, ""

    return tell(result, options, said)


def _read(options: argparse.Namespace) -> tuple[list[EstimatorString], Prepared]:
    """Return what the options say of the estimators, and the data."""
    given = options.estimators and list(map(parse_estimator, options.estimators))
    data = prepare(options)
    return given or list(map(parse_estimator, DEFAULT[data.is_regression])), data


def fit_and_compare(
    strings: list[EstimatorString],
    data: Prepared,
    options: argparse.Namespace,
    scoring: Any,
    reference: str | None,
) -> ComparisonResult:
    """Find the estimators, fit them on the splits and compare them."""
    result = compare_estimators(
        _found(strings, data),
        data.X,
        data.y,
        **_how_to_fit(options, data),
        scoring=scoring,
        reference=reference,
        margin=options.margin,
    )
    dates = [said.partition(": ")[2] for said in data.done if said.startswith(DATES)]
    dated = [dates_note("X", f"dates in {named}") for named in dates if data.groups is None]
    return with_done(result, options.data, data.target, data.done, dated)


def _found(strings: list[EstimatorString], data: Prepared) -> list[tuple[str, Any]]:
    """Return the estimators that strings name, in pipelines that take the columns of the data."""
    short, other = (CLASSIFIERS, REGRESSORS)[:: -1 if data.is_regression else 1]
    if lost := [parsed.text for parsed in strings if parsed.path in other.keys() - short.keys()]:
        this, that = ("regression", "classification")[:: 1 if data.is_regression else -1]
        raise InputError(
            f"{listed(lost)}: for {that}, but the target was read as {this}. Pass --task {that}, "
            f"or choose from {', '.join(short)}."
        )
    return [(parsed.name, data.wrap(find_estimator(parsed, short))) for parsed in strings]


def _how_to_fit(options: argparse.Namespace, data: Prepared) -> dict[str, Any]:
    return {
        "groups": data.groups,
        "method": options.method,
        "cv": _splitter(options),
        "random_state": options.seed,
        "fresh_seeds": options.fresh_seeds,
        "confidence_level": _level(options),
        "n_jobs": options.n_jobs,
        "verbose": int(options.verbose or (sys.stderr is not None and sys.stderr.isatty())),
        "store": options.store,
    }


def _splitter(options: argparse.Namespace) -> Any:
    """Return the splitter of the sizes that were given; None draws what the method asks for."""
    if options.n_splits is None and options.test_size is None:
        return None
    method = procedure_of(options.method)
    request = method.request.with_sizes(
        f"The {method.title}", n_splits=options.n_splits, test_size=options.test_size
    )
    return make_splitter(request, options.seed)


def compare_columns(
    options: argparse.Namespace, models: list[str] | None, reference: str | None
) -> ComparisonResult:
    """Compare the models whose predictions are columns of a file."""
    file, target, groups = options.predictions, options.target, options.groups
    table = read_table(file, options)
    by, time = options.by, options.time
    named = [name for name in (groups, by, time) if name is not None]
    apart = [target, *(options.drop or []), *named]
    check_columns(table, file, [*apart, *(models or [])])
    done = []
    if not models:
        models = [name for name in table.columns if name not in apart]
        named = [name for name in models if identifies_rows(table[name], table[target])]
        models = [name for name in models if name not in named]
        if named:
            said = f"left out as they identify rows: {listed(named)} (--models names the models)"
            done.append(said)
        for name, counts in ((name, table[name].value_counts()) for name in named):
            if groups is None and len(counts) < 0.5 * len(table):
                done.append(
                    f"{name!r} has {len(counts)} values in {len(table)} rows: --groups {name}?"
                )
    if both := sorted(set(apart) & set(models)):
        raise InputError(
            f"{listed(both)} cannot be a model and also the target, groups or in --drop."
        )
    if len(models) < 2:
        but = f" ({done[0]})" if done else ""
        raise InputError(f"{file} has {counted(len(models), 'model')}, not two{but}.")
    y, drop = whole_column(table[target]), options.missing_rows == "drop"
    given = {name: table[name].dropna() if drop else table[name] for name in models}
    predicted = {name: whole_column(column) for name, column in given.items()}
    if options.positive is not None:
        (y, *columns), said = as_one_and_zero(options.positive, y, *predicted.values())
        predicted = dict(zip(predicted, columns, strict=True))
        done.append(said)
    check_positive_is_known(options.scoring, y)
    result = compare_predictions(
        np.asarray(y),
        {name: np.asarray(column.reindex(table.index)) for name, column in predicted.items()},
        scoring=options.scoring,
        threshold=options.threshold,
        groups=None if groups is None else np.asarray(whole_column(table[groups])),
        by=None if by is None else np.asarray(whole_column(table[by])),
        time=None if time is None else times_of(table[time]),
        missing_rows=options.missing_rows,
        reference=reference,
        margin=options.margin,
        confidence_level=_level(options),
    )
    return with_done(result, file, target, done)


def _level(options: argparse.Namespace) -> float:
    return 0.95 if options.confidence_level is None else options.confidence_level
