"""Splits in time order, with a method or a metric that is not for them: nothing is fitted."""

import pandas as pd
from sklearn.model_selection import GridSearchCV, TimeSeriesSplit, cross_validate
from sklearn.naive_bayes import GaussianNB

import skcvstats as s

from .given import BAYES, FRAME, GROUPS, PAIR, ROWS, Fails, N, X, Y

CV = TimeSeriesSplit(4)
UNFITTED = {"a": Fails(), "b": Fails()}
DAYS = pd.date_range("2024-01-01", periods=N)
DATED = FRAME.set_index(DAYS)
ONE = [(ROWS[:35], ROWS[35:])]
RARE = (ROWS % 12 == 0).astype(int)
SEARCH = GridSearchCV(GaussianNB(), {"var_smoothing": [0.1, 1.0]}, cv=CV).fit(X, Y)
DONE = {
    name: cross_validate(model, X, Y, cv=CV, return_indices=True) for name, model in PAIR.items()
}
OF_ROWS = s.compare_estimators(PAIR, X, Y, cv=CV).scores
PREDICTED = {"a": Y, "b": 1 - Y}
BOTH = ["neg_max_error", "neg_mean_squared_error"]


class Signs(s.Procedure):
    """A procedure of somebody else."""

    name, title = "signs", "sign test"

    def require(self, design, auxiliary=None):
        pass

    def infer(self, sample, auxiliary=None):
        raise NotImplementedError


def compare(X=X, y=Y, estimators=UNFITTED, **options):
    return s.compare_estimators(estimators, X, y, **{"cv": CV, **options})


def grouped(**options):
    """Compare on splits that do not look at the groups."""
    return compare(cv=list(CV.split(X)), groups=GROUPS, **options)


def infer(**options):
    return s.cross_val_inference(Fails(), X, Y, cv=CV, **options)


def candidates(**options):
    return s.compare_candidates(SEARCH, X, Y, **options)


def scores(scores=DONE, **options):
    return s.compare_scores(scores, metric="accuracy", **options)


def curve(**options):
    return s.learning_curve_inference(UNFITTED, X, Y, cv=CV, **options)


def ttest():
    a, b = (s.cross_val_score(BAYES, X, Y, cv=CV) for _ in range(2))
    return s.CorrectedResampledTTest()(a, b)


# In each line: the call, what the message says was given (also the id), the remedy that it names.
# fmt: off
OVER_TIME = r'Use method="diebold_mariano"\.'
OTHER = r"in place of neg_max_error, such as neg_mean_absolute_error or neg_log_loss\."
WINDOW = r"TimeSeriesSplit\(max_train_size="
ON_DATA = "on the data: cross_val_inference and compare_estimators"
DESIGN_ERRORS = [
    (lambda: compare(method="corrected_resampled_t"), "corrected resampled t-test is n", OVER_TIME),
    (lambda: compare(method="row_t"), "The row t-test is not valid for splits in time", OVER_TIME),
    (lambda: compare(method="conservative_z"), "conservative Z test is not valid", OVER_TIME),
    (lambda: compare(method=Signs()), "sign test is not valid for splits in time", OVER_TIME),
    (lambda: infer(method="resampled_t"), "The resampled t-test is not valid", OVER_TIME),
    (lambda: compare(method="resampled_t", scoring=BOTH), "It does not take neg_max_error: max e",
     OVER_TIME[:-2]),
    (lambda: compare(method="resampled_t", scoring=BOTH, on_error="drop"), "resampled t-test is",
     OVER_TIME[:-2]),
    (lambda: compare(scoring="neg_max_error"), "only the Diebold-Mariano test is valid, and max e",
     OTHER),
    (lambda: compare(scoring="neg_max_error", on_error="drop"), "max error has no scores", OTHER),
    (lambda: compare(scoring="neg_max_error", method="resampled_t"), "order only the Dieb", OTHER),
    (lambda: compare(scoring="neg_max_error", method="row_t"), "valid, and max error h", OTHER),
    (lambda: compare(scoring="neg_max_error", method="diebold_mariano"),
     "The Diebold-Mariano test works on scores of rows, and max error has no sc", OTHER),
    (lambda: infer(scoring="neg_max_error"), "is valid, and max error has no scores of", OTHER),
    (lambda: compare(scoring=BOTH), "is valid, and max error", "on_error='drop'.* leaves it out"),
    (lambda: compare(DATED, scoring="neg_max_error", cv=ONE), "valid, and max error has", OTHER),
    (lambda: compare(scoring="fowlkes_mallows_score"), "was not measured with Fowlkes-Mallows",
     'method="diebold_mariano" takes it'),
    (lambda: compare(y=RARE, estimators=PAIR, scoring="roc_auc"), "4 of 4 test sets contain fewer",
     "Use longer test periods"),
    (lambda: grouped(), "does not accept groups or weights", "Leave groups and"),
    (lambda: grouped(method="resampled_t"), "valid. The Diebold-Mariano test does ",
     "Leave groups and weights out"),
    (lambda: compare(DATED[::-1]), "dates in the index of X do not ascend", r"sort_index\(\)"),
    (lambda: compare(X[:20], Y[:20]), "tested times or more, and there are 16", "longer period"),
    (lambda: curve(), "These splits are in time order, and parts", WINDOW),
    (lambda: curve(method="row_t"), "time order, and parts of their t", WINDOW),
    (lambda: candidates(), "scores of 'accuracy' are of splits in time order", ON_DATA),
    (lambda: candidates(method="diebold_mariano"), "'accuracy' are of splits in time", ON_DATA),
    (lambda: scores(), "are of splits in time order, and known for whole test sets", ON_DATA),
    (lambda: scores(method="diebold_mariano"), "known for whole test sets only, so no", ON_DATA),
    (lambda: scores(OF_ROWS), "corrected resampled t-test is not valid for splits in t", OVER_TIME),
    (lambda: ttest(), "so no test of them is valid", ON_DATA),
    (lambda: s.compare_out_of_fold(Y, PREDICTED, folds=CV, scoring="accuracy"), "rows 0 times, 48",
     r"compare_predictions\(time=...\)"),
]
# fmt: on
CASES = {s.SplitDesignError: DESIGN_ERRORS}
