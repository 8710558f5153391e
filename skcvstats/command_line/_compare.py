"""``compare`` and ``report``: a verdict from estimators and data, or from saved scores."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ._estimator_string import EstimatorString, parse_estimator
from ._find import find_estimator
from ._json import read_scores
from ._output import OutputFiles
from ._preparation import Prepared, prepare, with_done
from ._short_names import CLASSIFIERS, DEFAULT, REGRESSORS
from ._tell import tell

if TYPE_CHECKING:
    import argparse

    from ..comparison import ComparisonResult


def compare(options: argparse.Namespace) -> int:
    """Compare estimators on data, print the verdict and write the files."""
    files = OutputFiles(options)
    strings = None if options.estimators is None else list(map(parse_estimator, options.estimators))
    data = prepare(options)
    if strings is None:
        strings = list(map(parse_estimator, DEFAULT[data.is_regression]))
    scoring = options.scoring
    result = fit_and_compare(
        strings,
        data,
        options,
        scoring=scoring[0] if scoring and len(scoring) == 1 else scoring,
        reference=options.reference,
    )
    tell(result, options, files)
    return 0


def report(options: argparse.Namespace) -> int:
    """Report saved scores as ``compare`` does, without the data."""
    files = OutputFiles(options)
    result = read_scores(options.scores)
    if options.confidence_level is not None:
        result = result.with_confidence(options.confidence_level)
    if options.margin is not None:
        result = result.with_margin(options.margin)
    tell(result, options, files)
    return 0


def fit_and_compare(
    strings: list[EstimatorString], data: Prepared, options: argparse.Namespace, **further: Any
) -> ComparisonResult:
    """Find the estimators, fit them on the splits and compare them."""
    from ..model_selection import compare_estimators

    short = REGRESSORS if data.is_regression else CLASSIFIERS
    result = compare_estimators(
        [(parsed.name, data.wrap(find_estimator(parsed, short))) for parsed in strings],
        data.X,
        data.y,
        groups=data.groups,
        method=options.method,
        cv=_splitter(options),
        random_state=options.seed,
        margin=options.margin,
        confidence_level=0.95 if options.confidence_level is None else options.confidence_level,
        n_jobs=options.n_jobs,
        verbose=int(options.verbose or _on_a_terminal()),
        store=getattr(options, "store", None),  # gate does not have the option
        **further,
    )
    return replace(with_done(result, data.done), warned=())  # warnings are printed as notes


def _splitter(options: argparse.Namespace) -> Any:
    """Return the splitter of the sizes that were given; None draws what the method asks for."""
    from ..splitters import make_splitter
    from ..stats import get_procedure

    if options.n_splits is None and options.test_size is None:
        return None
    method = get_procedure(options.method)
    request = method.request.with_sizes(
        f"The {method.title}", n_splits=options.n_splits, test_size=options.test_size
    )
    return make_splitter(request, options.seed)


def _on_a_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()
