"""Bad input to comparisons of out-of-fold predictions."""

import numpy as np
from sklearn.model_selection import KFold, PredefinedSplit, ShuffleSplit

from skcvstats import PairingError, SplitDesignError, compare_out_of_fold

from .given import BAYES, GROUPS, NAN, ROWS, N, X, Y, used_up

LABELS = ROWS % 5
FOLDS = KFold(5)
PAIRS = list(FOLDS.split(X))
REPEATS = np.stack([np.random.RandomState(k).permutation(N) % 5 for k in range(4)])
MADE = {"a": Y, "b": np.where(LABELS == ROWS % 7, 1 - Y, Y)}
P, Q = np.random.RandomState(2).uniform(0.01, 0.99, (2, N))
TURN = [
    pair
    for both in zip(PAIRS, KFold(5, shuffle=True, random_state=0).split(X), strict=True)
    for pair in both
]


def labels(b=MADE["b"], y=Y, folds=FOLDS, scoring="accuracy", **options):
    return compare_out_of_fold(y, {"a": Y, "b": b}, folds=folds, scoring=scoring, **options)


def scores(b=Q, y=Y, folds=FOLDS, scoring="roc_auc", **options):
    return compare_out_of_fold(y, {"a": P, "b": b}, folds=folds, scoring=scoring, **options)


def repeats(n, m, folds=REPEATS):
    made = {"a": np.stack([Y] * n), "b": np.stack([1 - Y] * m)}
    return compare_out_of_fold(Y, made, folds=folds, scoring="accuracy")


# In each line: the call, what the message says was given (also the id), the remedy that it names.
# fmt: off
PAIRING_ERRORS = [(lambda: labels(P[1:]), "59 rows in the pr", "one of each")]
DESIGN_ERRORS = [
    (lambda: labels(folds=np.where(ROWS == 4, -1, LABELS)),
     "no label (nan, None or -1) for 1 of 60 rows, the first of them row 4", "Leave them out"),
    (lambda: labels(folds=ROWS // 1.5), "folds has 40 labels for 60 rows", "share a label"),
    (lambda: labels(folds=PredefinedSplit(np.where(ROWS == 4, -1, LABELS))),
     "compare_out_of_fold needs repeated k-fold, where each row is tested once in each repeat",
     "Of 60 rows, these splits test 1 row 0 times, 59 rows 1 time.*Pass their folds"),
    (lambda: labels(folds=ShuffleSplit(5, random_state=0)), "36 rows 0 times", "compare_scores"),
    (lambda: labels(folds=KFold(5, shuffle=True)), "shuffle=True) draws other folds each time",
     "the list of pairs that was .*random_state=0"),
    (lambda: repeats(2, 2, TURN), "of one repeat after those of another", "Pass labels"),
    (lambda: repeats(4, 4, np.stack([LABELS] * 4)),
     "needs other folds in each repeat; 3 of 4 repeats have the same folds as one before",
     "another seed"),
    (lambda: labels(folds=ROWS % 2), "here repeats have 2 folds", "Use 5 or 10 folds"),
    (lambda: labels(groups=GROUPS, folds=LABELS), "12 of 12 groups have rows in several",
     "whole groups, as"),
    (lambda: scores(y=np.sort(Y)), "sets contain fewer than two rows of a class", "stratified"),
    (lambda: scores(y=np.sort(Y), method="corrected_resampled_t"),
     "test sets contain only one class, for which roc_auc is un", "stratified"),
]
TYPE_ERRORS = [
    (lambda: labels(BAYES), "'b' is an estimator, GaussianNB", "cross_val_predict"),
    (lambda: compare_out_of_fold(Y, [Y, Y], folds=FOLDS, scoring="accuracy"),
     "predictions must be a mapping from names to predictions", "a column for each model"),
]
VALUE_ERRORS = [
    (lambda: labels(by=np.arange(len(Y))), "by has", "pandas.cut"),
    (lambda: labels(by=Y[1:]), "in by", "one of each for every row"),
    (lambda: labels(folds=5), "folds=5 has shape ()", "the label of the fold .*seeded splitter"),
    (lambda: labels(folds=FOLDS.split), "folds=<bound method", "seeded splitter"),
    (lambda: labels(folds=used_up(FOLDS)), "has shape (0,), for 60 rows", "list of"),
    (lambda: labels(folds=REPEATS.T), "has shape (60, 4), for", "n_repeats, n_rows"),
    (lambda: labels(folds=[test for _, test in KFold(7).split(X)]),
     "has shape ('of different lengths',)", r"list of \(train, test\) pairs"),
    (lambda: repeats(4, 3), "folds has 4 repeats, the predictions have {'a': 4, 'b': 3}",
     "row one prediction in each repeat"),
    (lambda: repeats(1, 1), "folds has 4 repeats, the predictions have", "no means of repeats"),
    (lambda: repeats(5, 5, LABELS), "folds has 1 repeat, the predictions have {'a': 5, 'b': 5}",
     "by the model of its fold"),
    (lambda: scores(scoring="neg_max_error", y=P),
     "scoring='neg_max_error' has no scores of rows: its value depends on the size of the test set",
     "Repeat the call with method='corrected_resampled_t'"),
    (lambda: labels(scoring=["accuracy"]), "scoring=['accuracy'] must be", "call once for"),
    (lambda: scores(1 + P / 1000, scoring="neg_log_loss"), "they reach from 1.000035",
     "from 0 to 1"),
    (lambda: labels(sample_weight=(LABELS > 0) * 1.0, folds=LABELS),
     "accuracy cannot be computed for 'a'", "zero"),
    (lambda: labels(groups=np.where(ROWS == 4, NAN, LABELS), folds=LABELS),
     "groups has missing labels (nan, None) in 1 row (the first: row 4)", "Fill them"),
]
# fmt: on
CASES = {PairingError: PAIRING_ERRORS, SplitDesignError: DESIGN_ERRORS}
CASES |= {TypeError: TYPE_ERRORS, ValueError: VALUE_ERRORS}
