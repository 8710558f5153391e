"""The command line: ``python -m skcvstats compare``."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd
from sklearn import datasets
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from . import (
    AnticonservativeWarning,
    SplitDesignWarning,
    __version__,
    compare_estimators,
    get_test_names,
)
from ._utils import check_option, listed

DATA = {
    "breast_cancer": datasets.load_breast_cancer,
    "diabetes": datasets.load_diabetes,
    "digits": datasets.load_digits,
    "iris": datasets.load_iris,
    "wine": datasets.load_wine,
}
CLASSIFIERS = {
    "forest": RandomForestClassifier(random_state=0),
    "knn": make_pipeline(StandardScaler(), KNeighborsClassifier()),
    "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
    "svm": make_pipeline(StandardScaler(), SVC()),
    "tree": DecisionTreeClassifier(random_state=0),
}
REGRESSORS = {
    "forest": RandomForestRegressor(random_state=0),
    "knn": make_pipeline(StandardScaler(), KNeighborsRegressor()),
    "linear": make_pipeline(StandardScaler(), LinearRegression()),
    "ridge": make_pipeline(StandardScaler(), Ridge()),
    "svm": make_pipeline(StandardScaler(), SVR()),
    "tree": DecisionTreeRegressor(random_state=0),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str, default=None
        The arguments; None takes those of the process.

    Returns
    -------
    int
        The exit status: 0, or 2 for arguments that make no sense.
    """
    parser = build_parser()
    options = parser.parse_args(argv)
    if options.command is None:
        parser.print_help()
        return 2
    try:
        compare(options)
    except (ValueError, TypeError, OSError, ImportError) as error:
        print(f"skcvstats: {error}", file=sys.stderr)
        return 2
    return 0


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="skcvstats", description="Is model A really better than model B?"
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command")
    command = commands.add_parser(
        "compare",
        help="compare estimators on paired splits",
    )
    add = command.add_argument
    add(
        "--data",
        default="breast_cancer",
        help=f"one of {', '.join(DATA)}, or a CSV file; breast_cancer if none is named",
    )
    add("--target", help="the target's column in the CSV file")
    add(
        "--estimators",
        nargs="+",
        help=f"of {', '.join(CLASSIFIERS)}, for a floating-point target of "
        f"{', '.join(REGRESSORS)}, or import paths, as sklearn.naive_bayes.GaussianNB; "
        "without it logistic or linear, and forest",
    )
    add("--scoring", nargs="+", help="metrics as scikit-learn names them; else accuracy or r2")
    add(
        "--method",
        default="corrected_resampled_t",
        help=f"one of {', '.join(get_test_names())}; corrected_resampled_t if none is named",
    )
    add("--n-splits", type=int, help="number of random splits; else what the method asks for")
    add("--test-size", type=float, help="fraction of the rows to test on; else as the method asks")
    add("--seed", type=int, default=0, help="seed of the splits, 0")
    add("--reference", help="compare the others with this estimator only")
    add("--n-jobs", type=int, default=None, help="parallel jobs, -1 for all cores")
    add("--verbose", action="store_true", help="show a progress bar")
    add("--csv", type=Path, help="also write the table to this file")
    return parser


def compare(options: argparse.Namespace) -> None:
    """Run ``compare`` and print the verdict and the table.

    Parameters
    ----------
    options : Namespace
        The parsed arguments.
    """
    X, y = load_data(options.data, options.target)
    first = "linear" if pd.api.types.is_float_dtype(y) else "logistic"
    names = options.estimators or [first, "forest"]
    scoring = options.scoring
    for category in (SplitDesignWarning, AnticonservativeWarning):
        warnings.simplefilter("ignore", category)  # they are printed below the table
    result = compare_estimators(
        [(name.rpartition(".")[2], find_estimator(name, y)) for name in names],
        X,
        y,
        scoring=scoring[0] if scoring and len(scoring) == 1 else scoring,
        method=options.method,
        n_splits=options.n_splits,
        test_size=options.test_size,
        random_state=options.seed,
        reference=options.reference,
        n_jobs=options.n_jobs,
        verbose=int(options.verbose),
    )
    print(replace(result, warned=()))
    if options.csv is not None:
        result.to_frame().to_csv(options.csv, index=False)


def load_data(name: str, target: str | None) -> tuple[Any, Any]:
    """Return X and y of a data set that scikit-learn ships, or of a CSV file.

    Parameters
    ----------
    name : str
        The data set's name, or a path.
    target : str or None
        The target's column in the file.
    """
    if name in DATA:
        return DATA[name](return_X_y=True, as_frame=True)
    if not Path(name).is_file():
        check_option("--data", name, [*DATA, "a CSV file that exists"])
    frame = pd.read_csv(name)
    if target not in frame.columns:
        raise ValueError(
            f"--target {target!r} is not a column of {name}; pass --target, one of "
            f"{listed(frame.columns, 20)}."
        )
    return frame.drop(columns=target), frame[target]


def find_estimator(name: str, y: Any) -> Any:
    """Return the estimator of that name for this kind of target.

    Parameters
    ----------
    name : str
        A name of ours, or the import path of a class.
    y : Series
        The target: floating-point numbers ask for regression, all else for classification.
    """
    if "." in name:
        module, _, attribute = name.rpartition(".")
        try:
            return getattr(import_module(module), attribute)()
        except AttributeError as error:
            raise ValueError(f"--estimators {name}: {error}.") from error
    known = REGRESSORS if pd.api.types.is_float_dtype(y) else CLASSIFIERS
    return known[check_option("--estimators", name, known)]


if __name__ == "__main__":
    sys.exit(main())
