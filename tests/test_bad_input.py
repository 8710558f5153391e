"""Bad input: one line for each mistake, what is said about it, and the remedy it names.

A message is read by someone who is stuck, so it says what was given and what to do. At the end:
degenerate input, which has a defined answer instead of an error, and odd but harmless input.
"""

import re
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import accuracy_score
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    RepeatedKFold,
    ShuffleSplit,
    cross_validate,
    train_test_split,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from skcvstats import (
    BootstrapTTest,
    ConservativeZTest,
    CorrectedResampledTTest,
    CVScores,
    DegenerateScoresWarning,
    FitError,
    FiveByTwoCVTTest,
    HalfSplitPairs,
    HoldoutTTest,
    PairingError,
    RepeatedSubsampleSplit,
    ResampledTTest,
    RowLosses,
    SplitDesign,
    SplitDesignError,
    adjust_pvalues,
    bootstrap_ttest,
    compare_estimators,
    compare_scores,
    conservative_variance,
    conservative_ztest,
    corrected_resampled_ttest,
    cross_val_inference,
    cross_val_score,
    cv_variance,
    error_rate_difference,
    error_rate_interval,
    exchangeable_moments,
    five_by_two_cv_ftest,
    five_by_two_cv_ttest,
    get_test,
    half_sample_differences,
    holdout_ttest,
    implied_correlation,
    mcnemar_test,
    mcnemar_test_from_table,
    plan_n_splits,
    political_ratio,
    resampled_ttest,
    variance_components,
)

pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning"),
    pytest.mark.filterwarnings("ignore::skcvstats.exceptions.SplitDesignWarning"),
    pytest.mark.filterwarnings("ignore::skcvstats.exceptions.AnticonservativeWarning"),
]

NAN, INF = np.nan, np.inf
N = 60
ROWS = np.arange(N)
X = np.random.RandomState(0).normal(size=(N, 3))
Y = (X[:, 0] + np.random.RandomState(1).normal(size=N) > 0).astype(int)
WORDS = np.where(Y == 1, "yes", "no")
HOLED = np.where(ROWS[:, np.newaxis] % 2, NAN, X)
GROUPS = ROWS % 12
FRAME = pd.DataFrame(X, columns=["a", "b", "c"])
TEXT = pd.DataFrame({"color": ["red", "blue"] * 30})

BAYES = GaussianNB()
PAIR = {"dummy": DummyClassifier(), "bayes": BAYES}
LINEAR = {"logistic": LogisticRegression(), "svc": LinearSVC()}
MIXED = {"bayes": BAYES, "ridge": Ridge()}
ttest = CorrectedResampledTTest()
SPLITS = list(ShuffleSplit(4, test_size=10, random_state=0).split(X))
OTHERS = list(ShuffleSplit(4, test_size=10, random_state=1).split(X))
SPARSE = ShuffleSplit(2, train_size=10, test_size=5, random_state=0)
DESIGN = SplitDesign.from_sizes(50, 10, n_splits=4)
HALVES = SplitDesign.from_sizes(30, 30, n_splits=4)
CLASH = SplitDesign.from_sizes(58, 2, n_splits=4)
ONE = SplitDesign.from_sizes(50, 10, n_splits=1)
BOTH = ("tree", "bayes")
TEN = np.linspace(0, 1, 10)


class Fails(ClassifierMixin, BaseEstimator):
    """Fail unless row `needs` is among the training rows; always, if it is None."""

    def __init__(self, needs=None):
        self.needs = needs

    def fit(self, X_train, y):
        if self.needs is None or X[self.needs, 0] not in X_train[:, 0]:
            raise RuntimeError("the disk is full")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X_test):
        return np.zeros(len(X_test), dtype=int)


class Mute(BaseEstimator):
    """Fit, and never predict."""

    def fit(self, X, y):
        return self


class Unfit:
    """Predict without having a fit method."""

    def predict(self, X):
        return X


def compare(estimators=PAIR, X=X, y=Y, **options):
    return compare_estimators(estimators, X, y, **{"cv": 3, **options})


def add(estimator, **options):
    return compare({**PAIR, "c": estimator}, **options)


def infer(estimator=BAYES, X=X, y=Y, **options):
    return cross_val_inference(estimator, X, y, **{"cv": 3, **options})


def score(estimator=BAYES, X=X, y=Y, **options):
    return cross_val_score(estimator, X, y, **{"cv": 3, **options})


def use(scoring, estimators=PAIR, **options):
    return compare(estimators, scoring=scoring, **options)


def cut(cv):
    return compare(cv=cv)


def sides(train, test):
    return compare(cv=[(train, test)] * 3)


def cross(cv=SPLITS, **options):
    return cross_validate(BAYES, X, Y, cv=cv, return_indices=True, **options)


def read(**options):
    return CVScores.from_cv_results(cross(), **options)


def scored(*values, labels=("tree",), design=DESIGN, **fields):
    return CVScores(values=np.squeeze(values), design=design, labels=labels, **fields)


def array(x=(0.1, 0.2, 0.3, 0.1, 0.2), *, n_train=90, n_test=10, **options):
    return corrected_resampled_ttest(x, n_train=n_train, n_test=n_test, **options)


def conservative(x=(0.1, 0.2), auxiliary=(((0.1, 0.2), (0.3, 0.1)),), **options):
    return conservative_ztest(x, auxiliary, **{"n_train": 90, "n_test": 10, **options})


def halves(n=60, shape=(1, 2, 2), unit="rows"):
    count = int(np.prod(shape))
    return CVScores(
        values=np.linspace(0, 1, count),
        design=SplitDesign(
            n_samples=n,
            n_train=(n // 2 - 10,) * count,
            n_test=(10,) * count,
            levels=("pair", "half", "split"),
            shape=shape,
            unit=unit,
        ),
    )


def replicates(shape, function=bootstrap_ttest):
    return function(np.linspace(0, 1, int(np.prod(shape))).reshape(shape), n_train=90, n_test=10)


def pairs(x=TEN, n_train=50, n_test=50, **options):
    return five_by_two_cv_ttest(x, n_train=n_train, n_test=n_test, **options)


def rows(x=(0.1, 0.2, 0.4), **options):
    return holdout_ttest(x, n_train=90, **options)


def fixed(n_test=30, n_samples=160):
    sizes = {"n_train": 40, "n_test": n_test, "n_samples": n_samples}
    return resampled_ttest([0.1, 0.2, 0.3, 0.2], hypotheses="fixed", **sizes)


def sizes(n_train=90, n_test=10, **options):
    return SplitDesign.from_sizes(n_train, n_test, **options)


def draw(*args, y=None, groups=None, **options):
    return list(RepeatedSubsampleSplit(*args, **options).split(X, y, groups))


def losses(*n_test, unit="rows", levels=("split",), design=None, **facts):
    """Scores with as many losses as the test sizes say, on splits of these or other sizes."""
    rows = np.arange(sum(n_test))
    kept = RowLosses(values=rows % 3, rows=rows, offsets=np.cumsum([0, *n_test]))
    design = design or SplitDesign(
        n_samples=60, n_train=(40,) * len(n_test), n_test=n_test, unit=unit, levels=levels
    )
    return CVScores(values=-kept.means(), design=design, losses=kept)


def ratio(method="corrected_resampled_t", **moments):
    return political_ratio(method, **{"s1": 1, "s2": 0.1, "n_splits": 15, **moments})


def differ(a=12, n=40, b=9, m=50, **options):
    return error_rate_difference(a, n, b, m, **options)


def load(old="", new="", *, text=None, keep=None):
    """Save scores, spoil the text and load it."""
    text = text or FOUR.to_json()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "scores.json")
        path.write_text(text.replace(old, new)[:keep] if old else text[:keep])
        return CVScores.load(path)


def exhausted():
    splits = KFold(3).split(X)
    list(splits)
    return splits


FOUR = scored(0.125, 0.25, 0.5, 0.75)
TWO = [[0.1, 0.2, 0.3, 0.4], [0.2, 0.2, 0.2, 0.3]]

# In each line: the call, what the message says was given (also the id), the remedy that it names.
# fmt: off
FIT_ERRORS = [
    (lambda: scored(NAN, NAN, NAN, NAN).dropna(), "No split is left", "[Mm]end|[Ss]core again"),
    (lambda: ttest(scored(.1, NAN, .3, .2)), "tree, split 1, is nan", r"with \.dropna\(\)"),
    (lambda: ttest(scored(.1, .2, .3, INF)), "tree, split 3, is inf", r"with \.dropna\(\)"),
    (lambda: ttest(FOUR, scored(1, NAN, 2, 3, labels=("b",))), "b, split 1, is nan", "dropna"),
    (lambda: add(Fails(0)), "c, split 0, is nan (RuntimeError: the disk is full)", "dropna"),
    (lambda: add(Fails()), "c, split 0, is nan", "(leave|without) .*(it|c|estimator)"),
    (lambda: compare({"a": Fails(), "b": Fails()}), "(splits 0, 1, 2)", "error_score='raise'"),
    (lambda: infer(Fails()), "'Fails': RuntimeError: the disk is full", "error_score='raise'"),
    (lambda: ttest(score(Fails(0), error_score=0)), "split 0", "dropna|error_score"),
    (lambda: compare(LINEAR, HOLED), "'svc': ValueError: Input X contains NaN", "imputer"),
    (lambda: compare(LINEAR, TEXT), "string to float: 'red'", "error_score='raise'"),
    (lambda: compare(LINEAR, y=0 * Y), "only one class", "at least 2 classes"),
    (lambda: compare(params={"wieght": Y}), "keyword argument 'wieght'", "error_score='raise'"),
    (lambda: infer(SVC(kernel="precomputed")), "got (60, 3)", "must be a square array"),
    (lambda: infer(BAYES, Y, X), "array of shape (40, 3)", "y should be a 1d array"),
    (lambda: infer(y=np.c_[Y, 1 - Y]), "array of shape (40, 2)", "y should be a 1d array"),
    (lambda: infer(X=X[:, 0]), "got 1D array", r"using array.reshape\(-1, 1\)"),
    (lambda: infer(y=None), "missing 1 required positional argument: 'y'", "error_score='raise'"),
    (lambda: use(lambda e, X, y: NAN), "split 0, is nan", "metric gave no finite number"),
    (lambda: use(lambda e, X, y: y), "of type ndarray", "scoring must return a number"),
    (lambda: use("f1", y=WORDS), "pos_label=1 is not a valid label", "scoring='f1_macro'"),
    (lambda: use(["accuracy", "f1"], y=WORDS), "pos_label=1 is not a", "f1_macro"),
]
PAIRING_ERRORS = [
    (lambda: ttest(cross(), cross(OTHERS)), "4 of 4 splits differ", "an integer random_state"),
    (lambda: ttest(cross(), cross(KFold(5))), "4 splits against 5", "with the same cv"),
    (lambda: ttest(FOUR, scored(TWO[0], design=HALVES)), "sizes of the splits", "the same cv"),
    (lambda: ttest(cross(), cross(SPLITS[::-1])), "in another order", "into one order first"),
    (lambda: ttest(score(), score(y=1 - Y)), "different targets y", "on the same data"),
    (lambda: ttest(read(y=Y), read(y=1 - Y)), "different targets y", "in the same row order"),
    (lambda: ttest(FOUR, scored(TWO[0], metric="f1")), "'score' and 'f1'", "[Ss]core both|same"),
    (lambda: ConservativeZTest()(scored(TWO, labels=BOTH), auxiliary=halves()), "shape (2, 4)",
     "the same estimators"),
    (lambda: ConservativeZTest()(FOUR, auxiliary=replace(halves(), labels=("b",))), "'b'",
     "the same estimators"),
    (lambda: ConservativeZTest()(FOUR, auxiliary=replace(halves(), metric="f1")), "'f1'", "same"),
]
DESIGN_ERRORS = [
    (lambda: ttest(cross_validate(BAYES, X, Y)), "no 'indices'", "return_indices=True"),
    (lambda: ttest(cross(SPARSE)), "2 splits use 24 rows", "Pass n_samples="),
    (lambda: read(y=Y[:30]), "30", "for each row|y (of|for|must)|whole y"),
    (lambda: cut(exhausted()), "cv yielded no split", "pass a splitter such as"),
    (lambda: cut([]), "cv yielded no split", r"a list of \(train, test\) pairs"),
    (lambda: cut(ShuffleSplit(1)), "there is 1", r"cv=RepeatedSubsampleSplit\(n_splits=15\)"),
    (lambda: cut(HalfSplitPairs(2, 2)), "arranged as pair x half x split", "leave cv=None"),
    (lambda: ttest(score(cv=HalfSplitPairs(2, 2))), "pair x half x split", "Pass a cv that"),
    (lambda: sides(ROWS[:50], ROWS[45:]), "5 of the 15 test rows", "do not overlap"),
    (lambda: sides(ROWS[:50], ROWS[50:] + 5), "test rows: row numbers from 55 to 64", "below 60"),
    (lambda: sides(ROWS[:50], [-1, -2]), "row numbers from -2 to -1", "at least 0"),
    (lambda: sides(ROWS, ROWS[:0]), "split 0, test rows: empty", "at least one row on each side"),
    (lambda: sides(ROWS[:0], ROWS), "split 0, train rows: empty", "one row on each side"),
    (lambda: sides(ROWS[:50], ROWS[50:] / 2), "got dtype float64", "expected integer row numbers"),
    (lambda: sides(ROWS[:50], ROWS[50:, None]), "got 2-d", "expected a 1-d array of row numbers"),
    (lambda: sides(ROWS[:20] < 9, ROWS[:20] > 9), "20", "60"),
    (lambda: draw(test_size=60), "test_size=60", "Make test_size smaller, or pass more data"),
    (lambda: draw(stratify=True), "stratify=True", "pass y, or use stratify=False"),
    (lambda: draw(stratify=True, y=X[:, 0]), "y is continuous", "bin y, or use stratify=False"),
    (lambda: draw(stratify=True, y=[2, *Y[1:]]), "Class 2 of y has 1 row", "Merge rare classes"),
    (lambda: draw(stratify=True, y=Y, groups=Y), "groups with stratify=True", "stratify=False"),
    (lambda: list(HalfSplitPairs(test_size=.5).split(X)), "test_size=0.5", "at most 29 rows"),
    (lambda: compare(cv=None, groups=0 * Y), "n=1 groups", "at least 2 groups are needed"),
    (lambda: compare(cv=None, X=X[:1], y=Y[:1]), "n=1 rows", "pass more data"),
    (lambda: array([.1]), "there is 1", "Score on more splits"),
    (lambda: array(n_samples=99), "n_samples=99", "at least that many"),
    (lambda: array(n_train=[90] * 4), "[90, 90, 90, 90]", "one (size )?for each split"),
    (lambda: array(n_train=[90, 90, 90, 90, 89]), "(99 to 100)", "Pass n_samples="),
    (lambda: array(n_test=0), "n_test=", "one integer of at least 1 for each split"),
    (lambda: array(n_train=.9, n_test=.1), "0.9", "one integer of at least 1 for each split"),
    # the other procedures
    (lambda: rows([.1]), "there is 1", "Make test_size larger"),
    (lambda: HoldoutTTest()(FOUR), "there are 4", r"RepeatedSubsampleSplit\(n_splits=1"),
    (lambda: infer(method="holdout_t", cv=ShuffleSplit(1, test_size=1)), "there is 1", "larger"),
    (lambda: infer(method="holdout_t", cv=None, groups=GROUPS), "belong to groups", "counts gr"),
    (lambda: resampled_ttest([.1], n_train=9, n_test=1), "there is 1", "Score on more splits"),
    (lambda: ResampledTTest(hypotheses="fixed")(cross()), "splits on which models", "differences"),
    (lambda: fixed(n_samples=100), "but there are 100", "fitted anew for each test set"),
    (lambda: fixed(n_test=29), "29 rows", "at least 30 .* Use fewer, larger"),
    (lambda: pairs(TEN[:8]), "there are 8", "scores of 5 x 2 splits"),
    (lambda: five_by_two_cv_ftest(TEN[:8]), "there are 8", "scores of 5 x 2 splits"),
    (lambda: pairs(n_train=90, n_test=10), "n_train=90 and n_test=10", r"cv=RepeatedTwoFold\(\)"),
    (lambda: five_by_two_cv_ftest(FOUR), "arranged as split", r"cv=RepeatedTwoFold\(\)"),
    (lambda: FiveByTwoCVTTest()(cross(RepeatedKFold(n_splits=2, n_repeats=4))), "are 4 of 2",
     "n_repeats=5"),
    (lambda: FiveByTwoCVTTest()(cross(KFold(10))), "arranged as fold", "RepeatedTwoFold"),
    (lambda: replicates((2, 5)), "there are 2", "n_replicates=16"),
    (lambda: replicates((1, 5)), "there is 1", "n_replicates=16"),
    (lambda: replicates(10), "shape (10,)", r"\(\.\.\., n_replicates, n_splits\)"),
    (lambda: BootstrapTTest()(FOUR), "arranged as split", "state levels="),
    (lambda: conservative(auxiliary=[.1, .2]), "shape (2,)", r"\(n_pairs, 2, n_half_splits\)"),
    (lambda: conservative(auxiliary=np.ones((2, 3, 4))), "shape (2, 3, 4)", r"\(n_pairs, 2, "),
    (lambda: conservative(auxiliary=np.ones((0, 2, 4))), "shape (0, 2, 4)", "at least one pair"),
    (lambda: conservative(n_train=50, n_test=50), "testing on 50", "Test on 1 to 49"),
    (lambda: conservative(auxiliary_n_test=2.5), "testing on 2.5", "Test on 1 to 49"),
    (lambda: conservative(auxiliary_n_test=0), "testing on 0", "Test on 1 to 49"),
    (lambda: ConservativeZTest()(FOUR), "from the splits of half-samples", "pass auxiliary="),
    (lambda: ConservativeZTest()(FOUR, auxiliary=FOUR), "arranged as split", r"HalfSplitPairs\(\)"),
    (lambda: ConservativeZTest()(FOUR, auxiliary=halves(40)), "from 40 rows", "same rows"),
    (lambda: ConservativeZTest()(FOUR, auxiliary=halves(unit="groups")), "60 groups", "same rows"),
    (lambda: ConservativeZTest()(cross(KFold(4))), "as fold", "for the estimate"),
    (lambda: compare(cv=ShuffleSplit(4, test_size=30), method="conservative_z"), "test_size=30",
     "at most 29 rows"),
    (lambda: ttest(FOUR, auxiliary=halves()), "from one set of splits", "leave auxiliary out"),
    (lambda: sizes(), "n_splits=None", "Pass n_splits="),
    (lambda: sizes(n_splits=0), "n_splits=0", "at least 1|1 or more"),
    (lambda: sizes(n_splits=9, levels=("folds",)), "levels=('folds',)", "is not one of .*'fold'"),
    (lambda: variance_components(losses(5, 5, levels=("fold",))), "arranged as fold", "Pass a cv"),
    (lambda: variance_components(losses(5)), "there is 1", "Score on more splits"),
    (lambda: variance_components(losses(5, 5, unit="groups")), "draw groups", "mean loss of each"),
    (lambda: variance_components(losses(1, 1)), "tests on 1 row", "a larger test_size"),
    (lambda: variance_components(losses(4, 4, 4, 4, design=DESIGN)), "other test sizes", "Build"),
    (lambda: half_sample_differences(FOUR), "arranged as split", r"cv=HalfSplitPairs\(\)"),
    (lambda: conservative_variance(FOUR), "arranged as split", r"cv=HalfSplitPairs\(\)"),
    (lambda: ratio(n_train=90, n_test=10, n_samples=99), "n_samples=99", "at least that many"),
    (lambda: ratio(n_test=10, n_samples=10), "n_samples=10", "at least that many"),
    (lambda: plan_n_splits(losses(5)), "there is 1", "Score on more splits"),
]
TYPE_ERRORS = [
    (lambda: compare(X=FRAME, y="target"), "y must be data", "one entry, for each sample"),
    (lambda: add(GaussianNB), "'c' is the class GaussianNB", r"pass GaussianNB\(\)"),
    (lambda: infer(GaussianNB), "is the class GaussianNB", r"pass GaussianNB\(\)"),
    (lambda: add(Unfit()), "'c' is a Unfit, which has no fit", "pass an estimator"),
    (lambda: add("GaussianNB"), "'c' is a str, which has no fit", "pass an estimator"),
    (lambda: infer(X, Y, BAYES), "is a ndarray, which has no fit", "pass an estimator"),
    (lambda: infer(PAIR), "is a dict, which has no fit", "pass an estimator"),
    (lambda: use("f1", {"a": BAYES, "c": Mute()}), "'c' cannot be scored", "ends in a classifier"),
    (lambda: infer(StandardScaler(), scoring="f1"), "cannot be scored with 'f1'", "a pipeline"),
    (lambda: compare({1: BAYES, 2: BAYES}), "got 1", "name must be a non-empty string"),
    (lambda: compare([BAYES, BAYES]), "GaussianNB() is no such pair", "list of .name, estimator"),
    (lambda: compare(make_pipeline(BAYES)), "got Pipeline", "a dict such as"),
    (lambda: compare(FRAME, Y, PAIR), "'a' is no such pair", r"list of \(name, estimator\) pairs"),
    (lambda: compare(X=None), "got NoneType", "an array, a frame, a sparse matrix or a list"),
    (lambda: compare(X=(x for x in X)), "got generator", "an array, a frame, a sparse matrix"),
    (lambda: ttest(np.arange(5.0)), "got ndarray", "use the procedure's function"),
    (lambda: CVScores.from_cv_results(np.ones(5)), "got ndarray", "return_indices=True"),
    (lambda: plan_n_splits([.1, .2]), "got list", r"SplitDesign\.from_sizes\("),
    (lambda: variance_components(np.ones(5)), "got ndarray", "return_indices=True"),
    (lambda: half_sample_differences([.1, .2]), "got list", r"SplitDesign\.from_sizes\("),
    (lambda: compare_scores([FOUR, FOUR]), "got list", "a mapping from names to their scores"),
    (lambda: draw(2.5), "n_splits=2.5", "must be an integer, 1 or more"),
    (lambda: ConservativeZTest()(FOUR, auxiliary=(halves(),) * 2), "got tuple", "must be"),
    (lambda: ConservativeZTest()(FOUR, FOUR, auxiliary=[halves()]), "got list", "the pair of"),
    (lambda: five_by_two_cv_ftest(TEN, TEN), "other goes with", "pass the differences"),
    (lambda: draw(test_size="10%"), "test_size='10%'", "a fraction strictly between 0 and 1"),
]
KEY_ERRORS = [
    (lambda: FOUR["forest"], "'forest' is not among", r"the labels \['tree'\]"),
    (lambda: compare()["f1"], "'f1' is not among", r"the metrics \['accuracy'\]"),
]
VALUE_ERRORS = [
    # estimators and data
    (lambda: compare({"a": BAYES}), "got 1", "at least two .* use cross_val_inference"),
    (lambda: compare({}), "got 0", "at least two estimators"),
    (lambda: compare([("a", BAYES), ("a", Mute())]), "['a'] occur more than once", "be unique"),
    (lambda: compare(y=Y[:-1]), "y has 59 entries for 60 rows of X", "must match"),
    (lambda: compare(groups=GROUPS[:-1]), "groups has 59 entries for 60 rows", "must match"),
    (lambda: compare(X=X[:0], y=Y[:0]), "X has no rows", "[Pp]ass|at least|give"),
    (lambda: cut(GroupKFold(3)), "groups", "groups="),
    (lambda: infer(cv=GroupShuffleSplit(3)), "groups", "groups="),
    (lambda: draw(groups=[NAN] * N), "groups has missing labels", "fill or drop those rows"),
    (lambda: draw(groups=[1, "a"] * 30), "cannot be sorted together", "make them strings"),
    # metrics
    (lambda: use("acuracy"), "scoring='acuracy'", "Did you mean 'accuracy'"),
    (lambda: use("mean_squared_error"), "'mean_squared_error'", "'neg_mean_squared_error'"),
    (lambda: use("mse"), "scoring='mse'", "Did you mean 'neg_mean_squared_error'"),
    (lambda: score(scoring="acuracy"), "'acuracy'", "'accuracy'"),
    (lambda: use([]), "scoring=[]", "must name at least one metric"),
    (lambda: use({}), "scoring={}", "must name at least one metric"),
    (lambda: use(["f1", "f1"]), "scoring=['f1', 'f1']", "each once"),
    (lambda: use([accuracy_score]), "scoring=[<function accuracy", "a dict from names"),
    (lambda: use(5), "scoring=5", "the name of a metric, a callable"),
    (lambda: use(accuracy_score), "accuracy_score", "make_scorer"),
    (lambda: use({"a": accuracy_score}), "function accuracy_score", "use `make_scorer`"),
    (lambda: score(scoring=accuracy_score), "function accuracy_score", "use `make_scorer`"),
    (lambda: use(lambda e, X, y: {}), "no metric", "at least one|scoring"),
    (lambda: score(scoring=["f1", "r2"]), "scoring=['f1', 'r2']", "use compare_estimators"),
    (lambda: infer(scoring=["f1", "r2"]), "scoring=['f1', 'r2']", "call once for each"),
    (lambda: use(None, MIXED), "'ridge': 'regressor'", "Pass scoring="),
    (lambda: infer(StandardScaler()), "'StandardScaler': 'neither'", "Pass scoring="),
    # cv
    (lambda: cut(1), "n_splits=1", "setting n_splits=2 or more"),
    (lambda: cut(100), "n_splits=100", "greater than the number of samples: n_samples=60"),
    (lambda: cut("five"), "five", "an integer"),
    (lambda: cut(.2), "cv=0.2", "an integer of at least 2"),
    (lambda: cut(True), "cv=True", "an integer of at least 2"),
    (lambda: cut(KFold), "KFold", "a splitter such as"),
    (lambda: score(cv=KFold), "KFold", "a splitter such as"),
    (lambda: cut(train_test_split(ROWS)), "cv", r"\(train, test\) pairs"),
    (lambda: draw(0), "n_splits=0", "must be 1 or more"),
    (lambda: HalfSplitPairs(0), "n_pairs=0", "must be 1 or more"),
    (lambda: draw(test_size=0), "test_size=0", "a fraction strictly between 0 and 1"),
    (lambda: draw(test_size=1.0), "test_size=1.0", "a fraction strictly between 0 and 1"),
    (lambda: draw(test_size=1.5), "test_size=1.5", "a fraction strictly between 0 and 1"),
    (lambda: draw(test_size=NAN), "test_size=nan", "a fraction strictly between 0 and 1"),
    (lambda: draw(test_size=-1), "test_size=-1", "a count of 1 or more as an integer"),
    (lambda: draw(test_size=.5, train_size=.6), "train_size=0.6", "make one of them smaller"),
    (lambda: draw(pool="al"), "pool='al'", "Did you mean 'all'"),
    # options
    (lambda: compare(method="corected_resampled_t"), "'corected", "mean 'corrected_resampled_t'"),
    (lambda: get_test("t-test"), "method='t-test'", "choose one of"),
    (lambda: compare(alternative="two_sided"), "='two_sided'", "Did you mean 'two-sided'"),
    (lambda: array(alternative="right"), "alternative='right'", "choose one of .*'greater'"),
    (lambda: compare(method=ttest, alternative="less"), "alternative='less'", "only there"),
    (lambda: infer(method=ttest, null_value=.5), "null_value=0.5", "give it only there"),
    (lambda: get_test(ttest, alternative="less"), "alternative='less'", "give it only there"),
    (lambda: compare(adjustment="fdr_bh"), "adjustment='fdr_bh'", "choose one of .*'bh'"),
    (lambda: compare(reference="svc"), "reference='svc'", "the estimators 'dummy', 'bayes'"),
    (lambda: compare(reference=BAYES), "=GaussianNB()", "'dummy', 'bayes'; it may also be 'best'"),
    (lambda: compare({"best": BAYES, "b": BAYES}, reference="best"), "='best'", "another name"),
    (lambda: compare(error_score=0), "error_score=0", "must be 'raise' or nan"),
    (lambda: score(error_score="ignore"), "error_score='ignore'", "'raise'"),
    (lambda: infer(null_value=NAN), "null_value=nan", "must be a finite number"),
    (lambda: CorrectedResampledTTest(null_value="a"), "null_value='a'", "must be a finite number"),
    (lambda: array(null_value=NAN), "null_value=", "finite"),
    (lambda: array().confidence_interval(0), "confidence_level=0", "such as 0.95"),
    (lambda: array().confidence_interval(1), "confidence_level=1", "such as 0.95"),
    (lambda: FOUR.confidence_interval(95), "confidence_level=95", "strictly between 0 and 1"),
    (lambda: compare().to_frame("95%"), "confidence_level='95%'", "such as 0.95"),
    (lambda: ConservativeZTest(n_pairs=0), "n_pairs=0", "an integer of at least 1"),
    (lambda: HoldoutTTest(law="z"), "law='z'", "choose one of .*'normal'"),
    (lambda: HoldoutTTest(hypotheses="fix"), "hypotheses='fix'", "'fixed'"),
    (lambda: ResampledTTest(hypotheses="fix"), "hypotheses='fix'", "'fixed'"),
    (lambda: FiveByTwoCVTTest(variant="t8"), "variant='t8'", "'t4'"),
    (lambda: five_by_two_cv_ftest(TEN, null_value=NAN), "null_value=nan", "finite number"),
    (lambda: use("accuracy", method="holdout_t"), "scoring='accuracy'", "Leave scoring out"),
    (lambda: compare(MIXED, method="holdout_t", cv=None), "Without loss=", "loss='zero_one'"),
    (lambda: infer(scoring="accuracy", loss="zero_one"), "both given", "give one of them"),
    (lambda: infer(loss="zero-one"), "loss='zero-one'", "'zero_one'"),
    (lambda: infer(loss="mse"), "loss='mse'", "not its mean"),
    (lambda: infer(loss=2), "loss=2", "a callable"),
    # scores
    (lambda: HoldoutTTest()(CVScores(values=[.1], design=ONE)), "scores of 'score'",
     "losses to holdout_ttest"),
    (lambda: conservative(auxiliary=[[["a"], ["b"]]]), "auxiliary must hold real numbers", "Leave"),
    (lambda: conservative([.1, INF]), "x has a score that is inf (at (1,)", "leave that split out"),
    (lambda: conservative(auxiliary=[[[INF], [INF]]]), "auxiliary has a score", "leave that split"),
    (lambda: pairs([INF, INF, *TEN[2:]]), "x has a score that is inf", "leave that split out"),
    (lambda: five_by_two_cv_ftest([NAN, *TEN[1:]]), "scores has a score that is nan", "leave"),
    (lambda: rows([.1, NAN]), "x has a score that is nan", "leave that split out"),
    (lambda: array([.1, NAN, .2]), "a score that is nan (at (1,)", "leave that split out"),
    (lambda: array([.1, INF, .2]), "a score that is inf (at (1,)", "leave that split out"),
    (lambda: array(.1), "x has shape ()", "one for each split"),
    (lambda: array([]), "x has shape (0,)", "one for each split"),
    (lambda: scored(.1, .2), "shape (2,)", "one score for each of the 4 splits"),
    (lambda: scored(np.ones((4, 2))), "shape (4, 2)", "one score for each of the 4 splits"),
    (lambda: scored(TWO[0], labels=("a", "b")), "2 labels", "one (label )?(for|per) "),
    (lambda: compare_scores(scored(TWO, labels=("a", "a"))), "'a'", "unique|rename|another name"),
    (lambda: compare_scores(scored(TWO, labels=BOTH), metric="f1"), "metric='f1'", "of 'score'"),
    (lambda: compare_scores({"tree": FOUR}), "['tree']", "use cross_val_inference"),
    (lambda: compare_scores({}), "No scores given", "give those of at least two estimators"),
    (lambda: use(["f1", "recall"]).scores, "several metrics: 'f1', 'recall'", r"result\['f1'\]"),
    (lambda: ttest(cross(scoring=["f1", "r2"])), "several metrics: 'f1', 'r2'", "metric='f1'"),
    (lambda: ttest({"fit_time": [1.0]}), "'fit_time'", "'test_score'"),
    (lambda: read(design=DESIGN, n_samples=60), "design=", "either design=, or n_samples="),
    (lambda: read(design=CLASH), "design", "indices|leave"),
    (lambda: read(groups=GROUPS[:30]), "groups", "for each row|match"),
    (lambda: adjust_pvalues([.1, 1.5]), "1.5", "p-values between 0 and 1"),
    (lambda: adjust_pvalues([.1, NAN]), "nan", "p-values between 0 and 1"),
    (lambda: adjust_pvalues(.1), "0.1", "Expected a 1-d array"),
    # moments
    (lambda: variance_components(FOUR), "have no losses", "Collect them with compare_estimators"),
    (lambda: cv_variance(1, 2, 5), "s2=2 is above s1=1", "check that they belong"),
    (lambda: cv_variance(1, -.1, 5), "s2=-0.1 is negative", "do not belong here"),
    (lambda: cv_variance(1, NAN, 5), "s2=nan", "a finite number"),
    (lambda: cv_variance(1, "a", 5), "s2='a'", "a finite number"),
    (lambda: cv_variance(1, .1, 0), "n_splits=0", "at least 1, or math.inf"),
    (lambda: ratio("holdout_t", s0=1, s3=.1, n_test=np.inf), "n_test=inf", "number of at least 1."),
    (lambda: cv_variance(1, .1, 2.5), "n_splits=2.5", "a whole number of at least 1"),
    (lambda: cv_variance(1, .1, "5"), "n_splits='5'", "a whole number of at least 1"),
    (lambda: cv_variance(1, .1, 5, n_draws=3), "n_draws=3", "needs s0="),
    (lambda: cv_variance(1, .1, 5, s0=.5), "s1=1 is above s0=0.5", "s2 <= s1 <= s0"),
    (lambda: implied_correlation(-.1, FOUR), "variance is negative", "at least 0"),
    (lambda: implied_correlation(.1, [.5]), "shape (1,)", "Score on more splits"),
    (lambda: implied_correlation(.1, [.5, INF]), "scores holds inf at (1,)", "finite"),
    (lambda: implied_correlation([.1, .2, .3], TWO), "shape (3,)", "one for each row"),
    (lambda: ratio("t-test"), "method='t-test'", "choose one of .*'conservative_z'"),
    (lambda: ratio("five_by_two_cv_t", variant="t8"), "variant='t8'", "choose one of .*'t5'"),
    (lambda: ratio(), "depends on n_test, n_samples", "pass what is missing"),
    (lambda: ratio(n_samples=100), "depends on n_test, not", "pass what is missing"),
    (lambda: ratio(n_test=10), "depends on n_samples, not", "pass what is missing"),
    (lambda: ratio("holdout_t", n_test=5), "depends on s0, s3", "pass what is missing"),
    (lambda: ratio("five_by_two_cv_t", s4=-2), "s4=-2", "between -s1 and s1"),
    (lambda: ratio("conservative_z", s1_half=1, s2_half=2), "s2_half=2 is above", "same sizes"),
    (lambda: exchangeable_moments([1, 2, 3]), "shape (3,)", "at least 2 independent rows"),
    (lambda: exchangeable_moments([[1], [2]]), "shape (2, 1)", "2 or more exchangeable"),
    (lambda: exchangeable_moments([[1, NAN]] * 2), "holds nan at (0, 1)", "finite number"),
    (lambda: exchangeable_moments(np.eye(2)).standard_error("rho"), "='rho'", "'correlation'"),
    (lambda: exchangeable_moments(np.eye(2)).variance_of_mean(0), "n_entries=0", "at least 1"),
    (lambda: conservative_variance(["a"]), "differences of dtype", "a finite number"),
    (lambda: conservative_variance([]), "shape (0,)", "at least one pair"),
    (lambda: conservative_variance([NAN]), "differences holds nan at (0,)", "finite"),
    # plans
    (lambda: plan_n_splits(scored(TWO, labels=BOTH)), "shape (2, 4)", r"scores\['a'\]"),
    (lambda: plan_n_splits(scored([.5] * 4)), "do not vary", "a finer metric"),
    (lambda: plan_n_splits(FOUR, 1), "rho=1", "leave it out for n_test/n_samples"),
    (lambda: plan_n_splits(FOUR, "n2/n"), "rho='n2/n'", "a finite number"),
    (lambda: plan_n_splits(FOUR, n_splits=50), "n_splits=50", "such as .25, 100."),
    (lambda: plan_n_splits(FOUR, n_splits=[1, 5]), "n_splits=[1, 5]", "each 2 or more"),
    (lambda: plan_n_splits(FOUR, fits_per_split=0), "fits_per_split=0", "1 or more"),
    (lambda: plan_n_splits(FOUR, seconds_per_fit=-1), "seconds_per_fit=-1", "not be negative"),
    (lambda: plan_n_splits(FOUR, confidence_level=95), "confidence_level=95", "such as 0.95"),
    (lambda: plan_n_splits(FOUR).n_splits_for(0), "half_width=0", "Collect more rows"),
    (lambda: plan_n_splits(FOUR).n_splits_for("1"), "half_width='1'", "a finite number"),
    # error rates
    (lambda: error_rate_interval(.3, 40), "n_errors=0.3", "integers, not rates"),
    (lambda: error_rate_interval(True, 40), "n_errors=True", "integers, not rates"),
    (lambda: error_rate_interval(41, 40), "n_errors=41 of n=40", "as many as there are rows"),
    (lambda: error_rate_interval(-1, 40), "n_errors=-1", "from 0 errors"),
    (lambda: error_rate_interval(0, 0), "n=0", "at least 1 row"),
    (lambda: error_rate_interval([1, 2], [5, 6, 7]), "shape (2,)", "one for each count"),
    (lambda: error_rate_interval(1, 40, "wald"), "method='wald'", "choose one of .*'normal'"),
    (lambda: error_rate_interval(1, 40, confidence_level=95), "level=95", "such as 0.95"),
    (lambda: differ(b=51), "n_errors_2=51 of n_2=50", "as many as there are rows"),
    (lambda: differ(a=[1, 2], b=[1, 2, 3]), "(2,) and n_errors_2 (3,)", "one count for each"),
    (lambda: differ(null_value=NAN), "null_value=nan", "a finite number"),
    (lambda: differ(alternative="right"), "alternative='right'", "choose one of"),
    (lambda: differ().confidence_interval(2), "confidence_level=2", "such as 0.95"),
    (lambda: mcnemar_test(Y, Y, Y[:-1]), "60, 60 and 59 labels", "for every test row"),
    (lambda: mcnemar_test(Y, Y, X), "pred_b has shape (60, 3)", "a 1-d array"),
    (lambda: mcnemar_test([], [], []), "y_true has shape (0,)", "at least one"),
    (lambda: mcnemar_test(Y, Y, WORDS), "'pred_b': 'text'", "classes that y_true has"),
    (lambda: mcnemar_test(Y, [NAN] * N, Y), "pred_a has missing labels", "fill or drop"),
    (lambda: mcnemar_test(Y, Y, [pd.NA, *Y[1:]]), "pred_b has missing labels", "fill or drop"),
    (lambda: mcnemar_test(Y, Y, [None] * N), "pred_b has missing labels", "fill or drop"),
    (lambda: mcnemar_test(Y, Y, 1 - Y, method="midp"), "method='midp'", "Did you mean 'mid-p'"),
    (lambda: mcnemar_test(Y, Y, 1 - Y, alternative="a"), "alternative='a'", "choose one of"),
    (lambda: mcnemar_test_from_table([1, 2]), "table=[1, 2]", "a 2 x 2 table of counts"),
    (lambda: mcnemar_test_from_table([[1, -2], [1, 1]]), "-2", "a 2 x 2 table of counts"),
    (lambda: mcnemar_test_from_table([[.1, .2], [.3, .4]]), "0.1", "a 2 x 2 table of counts"),
    (lambda: mcnemar_test_from_table([[0, 0], [0, 0]]), "counts no row", "at least 1 row"),
    # files
    (lambda: load(keep=-20), "scores.json is damaged", "Restore it|score again"),
    (lambda: load('"version": 1', '"version": 2'), "in version 2", "Use the skcvstats that wrote"),
    (lambda: load("0.25", "0.35"), "does not match its checksum", "Restore it"),
    (lambda: load("0.25", "NaN"), "scores.json is damaged", "Restore it|score again"),
    (lambda: load(text="a,b"), "damaged or not JSON", r"Restore|score again|CVScores\.save"),
    (lambda: load(text='{"a": 1}'), "does not hold CVScores", r"CVScores\.save|\.save\("),
]
# fmt: on
CASES = {
    FitError: FIT_ERRORS,
    PairingError: PAIRING_ERRORS,
    SplitDesignError: DESIGN_ERRORS,
    TypeError: TYPE_ERRORS,
    KeyError: KEY_ERRORS,
    ValueError: VALUE_ERRORS,
}

every_case = pytest.mark.parametrize(
    ("call", "error", "given", "remedy"),
    [
        pytest.param(call, error, given, remedy, id=given)
        for error, cases in CASES.items()
        for call, given, remedy in cases
    ],
)


@every_case
def test_error_names_the_remedy(call, error, given, remedy):
    with pytest.raises(error, match=f"(?s){remedy}"):
        call()


@every_case
def test_error_says_what_was_given_in_a_full_sentence(call, error, given, remedy):
    with pytest.raises(error, match=re.escape(given)) as caught:
        call()
    message = str(caught.value.args[0])
    first_line, *details = message.splitlines()
    assert message.endswith((".", "?")) or (details and first_line.endswith("."))
    assert len(first_line.split()) >= 5


class TestFailedFits:
    def test_all_that_was_measured_is_kept(self):
        with pytest.raises(FitError, match="c, split 0") as caught:
            use(["accuracy", "f1"], {**PAIR, "c": Fails(0)}, cv=4)
        kept = caught.value.scores
        assert list(kept) == ["accuracy", "f1"]
        assert np.isnan(kept["accuracy"].values[2]).tolist() == [True, False, False, False]
        assert np.isfinite(kept["accuracy"].values[:2]).all()

    def test_the_remedy_works(self):
        with pytest.raises(FitError, match=r"with \.dropna") as caught:
            compare({**PAIR, "c": Fails(0)}, cv=4)
        result = compare_scores(caught.value.scores["accuracy"].dropna())
        assert {one.n_splits for one in result.tests} == {3}
        assert "1 of 4 splits dropped" in str(result)

    def test_raise_stops_at_once_and_says_where(self):
        with pytest.raises(RuntimeError, match="the disk is full") as caught:
            add(Fails(0), error_score="raise")
        assert caught.value.__notes__ == ["skcvstats: estimator 'c', split 0"]


class TestDegenerateScores:
    @pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
    def test_identical_estimators(self, alternative):
        with pytest.warns(DegenerateScoresWarning, match="finer metric"):
            result = compare({"a": BAYES, "b": GaussianNB()}, cv=None, alternative=alternative)
        (test,) = result.tests
        assert np.isnan(test.statistic)
        assert test.pvalue == result.comparisons[0].pvalue_adjusted == 1
        assert test.confidence_interval().low in (0, -INF)
        assert "Undetermined" in str(result)
        assert "undetermined" in str(test)
        assert result.to_frame()["note"][0].startswith("undetermined")

    @pytest.mark.parametrize(
        ("alternative", "pvalue"), [("two-sided", 0), ("greater", 0), ("less", 1)]
    )
    def test_a_difference_that_does_not_vary(self, alternative, pvalue):
        test = CorrectedResampledTTest(alternative=alternative)
        one, other = scored([0.5] * 4), scored([0.4] * 4)
        with pytest.warns(DegenerateScoresWarning, match="neither is evidence"):
            result = test(one, other)
        assert (result.statistic, result.pvalue) == (INF, pvalue)
        assert "undetermined" in str(result)
        with pytest.warns(DegenerateScoresWarning, match="neither is evidence"):
            result = test(other, one)
        assert result.statistic == -INF
        assert result.pvalue == (0 if alternative == "two-sided" else 1 - pvalue)

    def test_rounding_is_no_variance_and_no_difference(self):
        one, other = scored(0.3, 0.6, 0.9, 0.7), scored(0.1 + 0.2, 0.6, 0.9, 0.7)
        assert (one.values != other.values).any()
        with pytest.warns(DegenerateScoresWarning, match="do not vary"):
            statistic, pvalue = ttest(one, other)
        assert np.isnan(statistic)
        assert pvalue == 1

    def test_only_the_constant_rows_are_degenerate(self):
        with pytest.warns(DegenerateScoresWarning, match="do not vary"):
            result = array([[0.1, 0.2, 0.3], [0, 0, 0], [0.5, 0.5, 0.5]])
        assert result.undetermined.tolist() == [False, True, True]
        assert result.pvalue[1:].tolist() == [1, 0]
        assert result.statistic[2] == INF


class TestHarmlessInput:
    def test_row_labels_of_pandas_are_not_looked_at(self):
        frame = FRAME.set_axis(ROWS[::-1] + 500)
        target = pd.Series(Y, index=ROWS[::-1] + 500)
        assert np.array_equal(score(X=frame, y=target), score())

    def test_fitted_estimators_are_neither_used_nor_changed(self):
        fitted = GaussianNB().fit(X[:20], Y[:20])
        before = fitted.theta_.copy()
        assert np.array_equal(score(fitted), score())
        assert np.array_equal(fitted.theta_, before)

    def test_lists_for_arrays(self):
        assert np.array_equal(score(X=X.tolist(), y=Y.tolist()), score())

    def test_masks_for_row_numbers(self):
        splits = list(KFold(3).split(X))
        masks = [(np.isin(ROWS, train), np.isin(ROWS, test)) for train, test in splits]
        assert score(cv=masks).design.digests == score(cv=splits).design.digests

    def test_generators_of_pairs_and_of_splits(self):
        pairs = ((name, one) for name, one in PAIR.items())
        result = compare(pairs, cv=KFold(3).split(X))
        assert np.array_equal(result.scores, compare(cv=KFold(3)).scores)
