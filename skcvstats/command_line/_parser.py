"""What may be given on the command line, and how mistakes and warnings in it are reported.

Nothing slow is imported here, so that help is quick.
"""

import argparse
import math
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any, NoReturn

from .._utils._text import visible
from ..exceptions import AnticonservativeWarning, DegenerateScoresWarning, SplitDesignWarning

LONGEST = 2000
_NOTED = (AnticonservativeWarning, DegenerateScoresWarning, SplitDesignWarning)
DATA = ("breast_cancer", "diabetes", "digits", "iris", "wine")
# The default estimators: the simplest linear model, neighbours and a tree.
DEFAULT = {
    "classification": ("logistic", "knn", "tree"),
    "regression": ("linear", "knn", "tree"),
}
# The bootstraps have the same assumptions as the resampled tests at sixteen times their cost.
METHODS = (
    *("auto", "conservative_z", "corrected_resampled_t", "diebold_mariano", "five_by_two_cv_f"),
    *("five_by_two_cv_t", "holdout_t", "resampled_t", "row_t"),
)
CLASSIFIERS = {
    "boosting": "sklearn.ensemble.HistGradientBoostingClassifier(random_state=0)",
    "forest": "sklearn.ensemble.RandomForestClassifier(random_state=0)",
    "knn": "sklearn.neighbors.KNeighborsClassifier",
    "logistic": "sklearn.linear_model.LogisticRegression(max_iter=1000)",
    "svm": "sklearn.svm.SVC",
    "tree": "sklearn.tree.DecisionTreeClassifier(random_state=0)",
}
REGRESSORS = {
    "boosting": "sklearn.ensemble.HistGradientBoostingRegressor(random_state=0)",
    "forest": "sklearn.ensemble.RandomForestRegressor(random_state=0)",
    "knn": "sklearn.neighbors.KNeighborsRegressor",
    "linear": "sklearn.linear_model.LinearRegression",
    "ridge": "sklearn.linear_model.Ridge",
    "svm": "sklearn.svm.SVR",
    "tree": "sklearn.tree.DecisionTreeRegressor(random_state=0)",
}
SHORT_NAMES = {"classification": CLASSIFIERS, "regression": REGRESSORS}
SCALED = ("knn", "linear", "logistic", "ridge", "svm")  # these follow a StandardScaler
_DATA_FILE = f"one of {', '.join(DATA)}, or a CSV or Parquet file"
_ESTIMATOR = (
    f"A SPEC is one of {', '.join(CLASSIFIERS)}, or for a floating-point target of "
    f"{', '.join(REGRESSORS)}; or name=package.module.Class(parameter=literal, ...), where the "
    "name and the parameters are optional; or file.py:variable. Strings are parsed, not "
    "evaluated; only file.py is run."
)
_EXAMPLES = {
    "": """examples:
  skcvstats compare
  skcvstats compare --data churn.csv --target churned --report churn.html
  skcvstats gate --data churn.csv --target churned --champion logistic \\
      --challenger forest --rule not-worse --margin 0.01""",
    "compare": """examples:
  skcvstats compare --data iris --estimators tree forest knn
  skcvstats compare --data churn.csv --target churned --groups customer --report churn.html
  skcvstats compare --data wine --margin 0.02 --save-scores wine.json \\
      --estimators logistic "wide=sklearn.svm.SVC(C=10, kernel='linear')" models.py:best""",
    "curve": """examples:
  skcvstats curve --data churn.csv --target churned --estimators logistic forest
  skcvstats curve --data diabetes --train-sizes 50 100 200 --csv curve.csv""",
    "gate": """exit status:
  0  the rule holds
  1  the contrary holds: not-worse, the difference is below -margin; better, it is below 0;
     equivalent, it is outside of the margin
  3  undecided
  2  an error

exit status with --ledger:
  0  PASS: the challenger is better
  1  NOT SHOWN
  2  an error; it costs no look
  4  no looks are left

examples:
  skcvstats gate --data churn.csv --target churned --champion logistic \\
      --challenger forest --rule not-worse --margin 0.01
  skcvstats gate --scores scores.json --champion logistic --challenger forest --rule better
  skcvstats gate --predictions test.csv --target y --scoring accuracy --champion old \\
      --challenger new --rule better
  skcvstats gate --predictions test.csv --target y --scoring accuracy --champion old \\
      --challenger new --rule better --ledger looks.json --looks 50""",
    "predictions": """examples:
  skcvstats predictions test.csv --target y --scoring accuracy
  skcvstats predictions test.csv --target y --scoring roc_auc --groups patient --models a b
  skcvstats predictions test.csv --target y --scoring roc_auc accuracy --threshold 0.5
  skcvstats predictions forecasts.csv --target y --scoring neg_mean_absolute_error --time day
  skcvstats predictions test.csv --target y --scoring accuracy --save-scores test.json""",
    "ledger": """examples:
  skcvstats ledger looks.json""",
    "plan": """examples:
  skcvstats plan --accuracy 0.80 0.83 --agreement 0.9
  skcvstats plan --sd-of-difference 0.4 --difference 0.02 --power 0.9""",
    "report": """examples:
  skcvstats report scores.json
  skcvstats report scores.json --report scores.html --confidence-level 0.99""",
    "store": """examples:
  skcvstats store fits.db
  skcvstats store fits.db --prune
  skcvstats store fits.db --older-than 30 --prune""",
}


class InputError(ValueError):
    """Mistakes in the arguments or in a file, each reported in one line."""


class Mistakes:
    """What is wrong with a call, collected so that all of it is reported at once."""

    def __init__(self) -> None:
        self.told: list[str] = []

    @contextmanager
    def collected(self) -> Iterator[None]:
        """Go on after a mistake, and keep it."""
        try:
            yield
        except (ValueError, TypeError) as error:
            self.told += describe_error(error)

    def refuse(self) -> None:
        """Raise InputError if there is any mistake."""
        told = list(dict.fromkeys(self.told))
        self.told.clear()
        if told:
            raise InputError(*told)


def in_one_line(error: BaseException) -> str:
    """Return the message of an error as one printable line."""
    return printable(str(error)) or type(error).__name__


def printable(text: str) -> str:
    """Return a text on one line, with escapes for what cannot be seen."""
    return visible(" ".join(text.split()))


@contextmanager
def refused(what: str, remedy: str = "", errors: type[BaseException] = Exception) -> Iterator[None]:
    """Turn an error into a mistake in the input: what cannot be done, why, and what to do."""
    try:
        yield
    except (InputError, KeyboardInterrupt, MemoryError):
        raise
    except errors as error:
        # Of files the reason alone, without the name once more.
        why = getattr(error, "strerror", None) or in_one_line(error).removesuffix(".")
        raise InputError(f"{what}: {why}. {remedy}".rstrip()) from error


@contextmanager
def recorded() -> Iterator[list[warnings.WarningMessage]]:
    """Record warnings, but not those that are notes in the output."""
    with warnings.catch_warnings(record=True) as warned:
        for category in _NOTED:
            warnings.simplefilter("ignore", category)
        yield warned


def describe_error(error: BaseException) -> list[str]:
    """Describe an error in one line, and each of several mistakes."""
    if isinstance(error, InputError):
        return list(map(printable, map(str, error.args)))
    message = in_one_line(error)
    if isinstance(error, SystemExit):
        cause = f"an estimator or a metric ended the program (SystemExit: {error.code})"
        return [f"{cause}; it must not call sys.exit"]
    if isinstance(error, KeyboardInterrupt):
        return [printable(": ".join(["interrupted", *map(str, error.args)]))]
    if isinstance(error, (ValueError, TypeError, OSError, ImportError)):
        return [message]
    return [f"unexpected {type(error).__name__}: {message}"]


def complain(*lines: str) -> None:
    """Write lines to standard error, if it can be written to."""
    with suppress(OSError, ValueError):
        for line in lines:
            print(line, file=sys.stderr, flush=True)


def in_lines(caught_warnings: Iterable[warnings.WarningMessage]) -> list[str]:
    """Return a line for each warning once, without where it was given."""
    lines = [
        f"skcvstats: {warning.category.__name__}: {printable(str(warning.message))[:LONGEST]}"
        for warning in caught_warnings
    ]
    return list(dict.fromkeys(lines))


class _Store(argparse.Action):
    """Store a value, or add to those of a list option; ``passed`` has the names of the options."""

    def __call__(self, parser: Any, namespace: Any, values: Any, flag: str | None = None) -> None:
        passed = vars(namespace).setdefault("passed", set())
        if self.nargs == "+":
            values = [*getattr(namespace, self.dest), *(values or ["--"])]  # of --missing=--
        elif self.nargs == 0:
            values = True
        elif self.dest in passed:
            parser.error(f"{flag} is given more than once")
        passed.add(self.dest)
        setattr(namespace, self.dest, values)


class _Parser(argparse.ArgumentParser):
    """A parser that raises its errors, so that they can be reported in one line."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(allow_abbrev=False, **options)
        self.register("action", None, _Store)

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message}; see {self.prog} --help")


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = _Parser(
        prog="skcvstats", description="Is model A really better than model B?", epilog=_EXAMPLES[""]
    )
    parser.add_argument("--version", action="version", version=version("skcvstats"))
    parser.set_defaults(json=False, explain=False)  # of commands without these options
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, purpose, add_options in (
        ("compare", "compare estimators on paired splits", _add_compare),
        ("curve", "measure what more training rows would bring", _add_curve),
        ("report", "report saved scores again, without the data", _add_report),
        ("predictions", "compare fitted models on one test set", _add_predictions),
        ("gate", "decide whether a challenger may replace a champion", _add_gate),
        ("store", "list or prune the finished fits in a store", _add_store),
        ("ledger", "list the looks at a test set, and say how many are left", _add_ledger),
        ("plan", "plan how many rows a test set needs, before there are data", _add_plan),
    ):
        command = commands.add_parser(
            name,
            help=purpose,
            description=f"{purpose[0].upper()}{purpose[1:]}.",
            epilog=_EXAMPLES[name],
        )
        add_options(command.add_argument)
    return parser


# A list option is an empty list if it is not given, so that no command tells it from None.
_LIST: dict[str, Any] = {"nargs": "+", "default": ()}
_TIME = "a column of dates or numbers"
_OVER_TIME = "models are tested on the dates after those that they are trained on"


def _add_compare(add: Any) -> None:
    _add_fitted(add, _OVER_TIME)
    default = "accuracy; r2, or neg_mean_squared_error for holdout_t"
    add("--scoring", **_LIST, help=f"scikit-learn's names of metrics (default: {default})")
    add("--reference", help="compare the others with this estimator only")
    _add_output(add)
    _add_saved(add)


def _add_curve(add: Any) -> None:
    _add_fitted(add, "rows of one date stay together in every split")
    add(
        "--train-sizes",
        **_LIST,
        type=_number,
        metavar="SIZE",
        help="shares of the training rows, or numbers of rows (default: 0.25 0.5 1)",
    )
    _add_one_metric(add)
    _add_printed(add)


def _add_fitted(add: Any, in_time: str) -> None:
    add("--data", default="breast_cancer", help=f"{_DATA_FILE} (default: breast_cancer)")
    _add_columns(add)
    default = "Default: logistic or linear, knn and tree"
    add("--estimators", **_LIST, metavar="SPEC", help=f"{_ESTIMATOR} {default}")
    add("--time", metavar="COLUMN", help=f"{_TIME}: {in_time}")
    _add_splits(add)


def _add_report(add: Any) -> None:
    add("scores", metavar="JSON", help="what --save-scores wrote")
    _add_explain(add)
    _add_output(add)


def _add_predictions(add: Any) -> None:
    add("predictions", metavar="FILE", help="CSV or Parquet: target and a column per model")
    add("--target", help="the target's column")
    add("--models", **_LIST, metavar="COLUMN", help="the models' columns (default: all others)")
    add("--scoring", **_LIST, help="names of metrics, such as accuracy")
    _add_test_set(
        add, "compare the models, or show the score of one, in each slice by this column, too"
    )
    add(
        "--plan",
        type=_number,
        metavar="DIFFERENCE",
        help="report how many rows would show this difference with power 0.8",
    )
    add("--reference", help="compare the others with this model only")
    _add_table(add, "a column; rows of one group may be alike, and count as one unit")
    _add_output(add)
    _add_saved(add)


def _add_gate(add: Any) -> None:
    add("--scores", metavar="JSON", help="what --save-scores wrote, instead of --data")
    add("--predictions", metavar="FILE", help="a file as for predictions, instead of --data")
    add("--data", help=_DATA_FILE)
    _add_columns(add)
    add("--champion", required=True, metavar="SPEC", help=f"what is in use. {_ESTIMATOR}")
    add("--challenger", required=True, metavar="SPEC", help="what might replace it")
    rules = ("not-worse", "better", "equivalent")
    add("--rule", required=True, choices=rules, help="what must be shown about the challenger")
    _add_one_metric(add)
    add(
        "--ledger",
        metavar="FILE",
        help="with --predictions and --rule better: print PASS or NOT SHOWN and nothing else, at a "
        "level that allows for many looks at one test set, which this file counts",
    )
    add("--looks", type=int, default=50, help="with --ledger: how many are planned (default: 50)")
    by = "with --predictions: in no slice by this column may the challenger be worse by more than"
    in_time = f"{_TIME}; with --data, {_OVER_TIME}"
    _add_test_set(add, f"{by} --margin, with any --rule", "with --predictions, ", in_time)
    _add_splits(add)
    _add_output(add)


def _add_store(add: Any) -> None:
    add("file", metavar="FILE", help="what --store, or store= of compare_estimators, wrote")
    add(
        "--older-than",
        type=_number,
        default=-math.inf,
        metavar="DAYS",
        help="only fits saved over DAYS days ago",
    )
    add(
        "--data",
        default="",
        metavar="DIGEST",
        help="only fits on the data with this digest in the list",
    )
    add(
        "--prune",
        action="store_true",
        help="remove damaged fits, and those that --older-than and --data select",
    )


def _add_ledger(add: Any) -> None:
    add("file", metavar="FILE", help="what gate --ledger, or LookLedger, wrote")
    add("--json", action="store_true", help="print JSON instead of text")


def _add_plan(add: Any) -> None:
    add(
        "--accuracy",
        nargs=2,
        type=_number,
        metavar=("OLD", "NEW"),
        help="the accuracies that the two models are expected to have",
    )
    add(
        "--agreement",
        type=_number,
        metavar="SHARE",
        help="the share of rows on which both are right or both are wrong",
    )
    add(
        "--sd-of-difference",
        type=_number,
        metavar="SD",
        help="instead: the standard deviation over rows of the difference of the two scores",
    )
    add("--difference", type=_number, help="with --sd-of-difference: the difference to be shown")
    add("--power", type=_number, default=0.8, help="how often it is to be shown (default: 0.8)")
    add(
        "--confidence-level",
        type=_number,
        default=0.95,
        metavar="LEVEL",
        help="1 minus the level of the two-sided test (default: 0.95)",
    )
    add("--json", action="store_true", help="print JSON instead of text")


def _add_one_metric(add: Any) -> None:
    add(
        "--scoring",
        nargs=1,
        default=(),
        help="scikit-learn's name of a metric (default: as of compare)",
    )


def _add_columns(add: Any) -> None:
    add("--target", help="the target's column in the file")
    add(
        "--task",
        choices=("classification", "regression"),
        help="how to read the target (default: regression for floating-point numbers)",
    )
    add(
        "--keep",
        **_LIST,
        metavar="COLUMN",
        help="columns to use as features although they look like identifiers: text columns with "
        "over 95 %% distinct values, integers that number the rows",
    )
    add(
        "--drop-missing-target",
        nargs=0,
        default=False,
        help="leave out rows whose target is missing",
    )
    _add_table(add, "a column; rows of one group stay together in every split")
    _add_explain(add)


def _add_table(add: Any, groups: str) -> None:
    add("--positive", metavar="LABEL", help="which of two classes is 1 for metrics such as f1")
    add("--groups", help=groups)
    add("--drop", **_LIST, metavar="COLUMN", help="columns to leave out")
    add("--sheet", metavar="NAME", help="of an Excel file with several sheets; it needs openpyxl")
    add("--separator", help="of a CSV file (default: the one that fits, of , ; | and tab)")
    add("--encoding", default="utf-8-sig", help="of a CSV file (default: utf-8)")
    add(
        "--most-unpacked",
        type=_number,
        default=1.0,
        metavar="GB",
        help="the largest size of a compressed CSV file once it is unpacked (default: 1)",
    )
    _add_readings(add)


def _add_readings(add: Any) -> None:
    add(
        "--as-text",
        **_LIST,
        metavar="COLUMN",
        help="columns to read as they are written, as categories or labels",
    )
    add("--missing", **_LIST, metavar="TOKEN", help="texts or numbers that stand for no value")
    signs = (",", ".")
    add("--decimal", choices=signs, help="the decimal sign of the numbers of a CSV file")
    add("--thousands", choices=signs, help="the sign between thousands")
    add("--dayfirst", nargs=0, default=False, help="in dates such as 01/02/2012 the day is first")
    add("--monthfirst", nargs=0, default=False, help="in such dates the month is first")


def _add_test_set(add: Any, by: str, where: str = "", in_time: str = _TIME) -> None:
    add(
        "--threshold",
        type=_number,
        help=f"{where}for metrics of labels: probabilities from this value on count as the second "
        "class, or as --positive",
    )
    add("--by", metavar="COLUMN", help=by)
    add("--time", metavar="COLUMN", help=f"{in_time}; rows near in time may be alike")
    add(
        "--missing-rows",
        choices=("raise", "drop"),
        default="raise",
        help=f"{where}drop: leave out rows that a model lacks, its empty cells (default: raise)",
    )
    column = {"metavar": "COLUMN"}
    add("--folds", **column, help=f"{where}of out-of-fold predictions: the fold of each row")
    add("--repeats", **column, help=f"{where}with --folds: the repeat, if there were several")
    add("--model-column", **column, help=f"{where}of a long file, a line for each model: the model")
    add("--row-column", **column, help=f"{where}with --model-column: the row, or question")
    add("--score-column", **column, help=f"{where}with --model-column: scores, without --target")
    add("--prediction-column", **column, help=f"{where}with --model-column: predictions")
    add("--run-column", **column, help=f"{where}with --model-column: the run, if there are several")
    add("--values", nargs=0, default=False, help=f"{where}the columns are scores, not predictions")
    add("--unit", metavar="NOUN", help=f"{where}of scores: what a line is, such as 'data sets'")
    for side in ("greater", "lower"):
        flag = f"--{side}-is-better"
        add(flag, nargs=0, default=False, help=f"{where}of scores whose name does not say it")


def _add_explain(add: Any) -> None:
    add(
        "--explain",
        action="store_true",
        help="also print how the file was read, and a table of what was done to each column",
    )


def _add_splits(add: Any) -> None:
    add("--method", default="auto", help=f"one of {', '.join(METHODS)} (default: auto)")
    add(
        "--inflation",
        type=_number,
        help="of row_t: the share of the variance that common training rows are assumed to add; 1 "
        "is a careful choice (default: 0.5)",
    )
    add(
        "--n-splits",
        type=int,
        help="random splits; auto is then corrected_resampled_t (default: the method's splits)",
    )
    add(
        "--test-size",
        type=float,
        help="fraction of rows that random splits test on; auto as above (default: the method's)",
    )
    add("--seed", type=int, default=0, help="seed of the splits (default: 0)")
    add(
        "--fresh-seeds",
        nargs=0,
        default=False,
        help="another random_state of the estimators in every fit, from --seed",
    )
    add("--n-jobs", type=int, help="parallel jobs, -1 for all cores")
    add("--verbose", nargs=0, default=False, help="show a progress bar, also without a terminal")
    add("--store", metavar="FILE", help="save finished fits there, to continue if interrupted")


def _add_output(add: Any) -> None:
    add("--margin", type=_number, help="the largest difference that does not matter")
    _add_printed(add)


def _add_printed(add: Any) -> None:
    add(
        "--confidence-level",
        type=_number,
        default=0.95,
        metavar="LEVEL",
        help="of the intervals (default: 0.95)",
    )
    add("--json", action="store_true", help="print JSON instead of text")
    add("--csv", type=Path, help="also write the table, with all its columns, to this file")
    add("--report", type=Path, metavar="FILE", help="also write a report: .html, .md, .tex or .txt")
    add(
        "--plot",
        type=Path,
        metavar="FILE",
        help="also draw the answer, in the first metric: .png, .svg or .pdf",
    )


def _add_saved(add: Any) -> None:
    add("--save-scores", type=Path, metavar="JSON", help="save the scores for report and gate")


def _number(text: str) -> float:
    """Return a finite number; argparse uses this name in its message."""
    number = float(text)
    if not math.isfinite(number):
        raise argparse.ArgumentTypeError(f"{text!r} is not a finite number")
    return number


_number.__name__ = "number"


def read_arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    """Return the options that arguments give."""
    options = argparse.Namespace(passed=set(), mistakes=Mistakes())
    return build_parser().parse_args(argv, options)
