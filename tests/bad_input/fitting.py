"""Invalid estimators, data, splitters, metrics and options."""

import numpy as np
import pandas as pd
from sklearn import config_context
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import accuracy_score
from sklearn.model_selection import GroupKFold, KFold, LeavePOut, ShuffleSplit, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from skcvstats import HalfSplitPairs, RepeatedSubsampleSplit, cross_val_inference
from skcvstats.exceptions import FitError, PairingError, SplitDesignError

from .given import (
    BAYES,
    FRAME,
    GROUPS,
    NAN,
    PAIR,
    ROWS,
    WORDS,
    Fails,
    N,
    X,
    Y,
    add,
    compare,
    score,
    ttest,
    use,
    used_up,
)

LINEAR = {"logistic": LogisticRegression(), "svc": LinearSVC()}
RARE = (ROWS < 6).astype(int)
MIXED = {"bayes": BAYES, "ridge": Ridge()}
RIDGES = {"ridge": Ridge(), "weak": Ridge(0.1)}


class Mute(BaseEstimator):
    """Has no predict method."""

    def fit(self, X, y):
        return self


class NoClone(GaussianNB):
    """Changes an argument, so that it cannot be cloned."""

    def __init__(self, priors=None):
        super().__init__(priors=list(priors or [0.5, 0.5]))


class Unfit:
    """Has no fit method."""

    def predict(self, X):
        return X


def infer(estimator=BAYES, X=X, y=Y, **options):
    return cross_val_inference(estimator, X, y, **{"cv": 3, **options})


def routed_score(**options):
    with config_context(enable_metadata_routing=True):
        return score(**options)


def rare(scoring, **options):
    options = {"y": RARE, "cv": RepeatedSubsampleSplit(random_state=0), **options}
    return compare(scoring=scoring, **options)


def cut(cv):
    return compare(cv=cv)


def sides(train, test):
    return compare(cv=[(train, test)] * 3)


def draw(*args, y=None, groups=None, **options):
    return list(RepeatedSubsampleSplit(*args, **options).split(X, y, groups))


# In each line: the call, what the message says was given (also the id), the remedy that it names.
# fmt: off
FIT_ERRORS = [
    (lambda: compare(scoring=lambda a, b: 0.5), "<lambda>() takes 2 positional arguments but 3",
     r"called with an estimator, X and y: pass make_scorer\(function\)"),
    (lambda: add(Fails(59)), "c, split 2, is nan (Runt", r"dropna.*compare_scores takes"),
    (lambda: add(Fails()), "The first fit of 'c'", "on_error='drop'"),
    (lambda: add(NoClone()), "'c' cannot be cloned", "on_error='drop'"),
    (lambda: infer(NoClone()), "'NoClone' cannot be cloned", "store its arguments as they are"),
    (lambda: add(Fails(), on_error="drop", reference="c"), "The reference 'c' has missing", "Fix"),
    (lambda: add(NoClone(), on_error="drop", reference="c"), "The reference 'c'", "Fix"),
    (lambda: compare({"a": BAYES, "c": Fails()}, on_error="drop"), "2 estimators 1 have", "Fix"),
    (lambda: compare({"a": BAYES, "c": NoClone()}, on_error="drop"), "2 estimators 1 have", "Fix"),
    (lambda: compare({"a": Fails(), "b": Fails()}, on_error="drop"), "6 of 6 fits", "'b': Run"),
    (lambda: ttest(score(Fails(0), error_score=0)), "split 0", "dropna|error_score"),
    (lambda: compare(LINEAR, X=Y, y=X), "X and y may be swapped: X has one dim", "y has 3 columns"),
    (lambda: infer(X=WORDS, y=X), "X and y may be swapped: X has one dimension", "y has 3 columns"),
    (lambda: compare(RIDGES, X=X[:, 0], y=FRAME, cv=None), "X and y may be swapped", "y has 3 col"),
    (lambda: compare(LINEAR, X=X[:, 0]), "The first fit of 'logistic'", r"reshape\(-1, 1\)"),
    (lambda: compare(params={"wieght": Y}), "keyword argument 'wieght'", "Fix the cause"),
    (lambda: infer(make_pipeline(BAYES), params={"svc__sample_weight": Y}), "KeyError: 'svc'",
     "every model gets all of params.*set_config"),
    (lambda: infer(SVC(kernel="precomputed")), "got (60, 3)", "must be a square array"),
    (lambda: use(lambda e, X, y: NAN), "split 0, is nan", "metric has no finite number"),
]
PAIRING_ERRORS = [(lambda: ttest(score(), score(y=1 - Y)), "different targets", "on the same data")]
DESIGN_ERRORS = [
    (lambda: draw(test_size=.5, train_size=.6), "train_size=0.6", "Change test_size or train_size"),
    (lambda: cut(used_up(KFold(3))), "cv yielded no split", "pass a splitter such as"),
    (lambda: cut(ShuffleSplit(1)), "there is 1", r"cv=RepeatedSubsampleSplit\(n_splits=15\)"),
    (lambda: cut([(ROWS[:30], ROWS[30:])]), "2 splits; there is 1", "in time order, use m"),
    (lambda: cut(HalfSplitPairs(2, 2)), "arranged as pair x half x split", "leave cv=None"),
    (lambda: sides(ROWS[:50], ROWS[45:]), "5 of the 15 test rows", "do not overlap"),
    (lambda: sides(ROWS[:50], ROWS[50:] + 5), "test rows: row numbers from 55 to 64", "below 60"),
    (lambda: sides(ROWS, ROWS[:0]), "split 0, test rows: empty", "at least one row on each side"),
    (lambda: sides(ROWS[:50], ROWS[50:] / 2), "got dtype float64", "expected integer row numbers"),
    (lambda: sides(ROWS[:50], ROWS[50:, None]), "got 2-d", "expected a 1-d array of row numbers"),
    (lambda: sides(ROWS[:20] < 9, ROWS[:20] > 9), "20", "60"),
    (lambda: cut([(ROWS[:50], ROWS[50:])] * 3), "1 distinct of 3", "Pass each split once"),
    (lambda: cut([(ROWS[k:50], ROWS[50:]) for k in range(9)]), "9 splits test on the same rows",
     r"HoldoutTTest\(hypotheses=\"fixed\"\) on one of"),
    (lambda: draw(stratify=True), "stratify=True", "pass y, or use stratify=False"),
    (lambda: draw(stratify=True, y=X[:, 0]), "y is continuous", "bin y, or use stratify=False"),
    (lambda: draw(stratify=True, y=[2, *Y[1:]]), "Class 2 of y has 1 row", "Merge rare classes"),
    (lambda: draw(stratify=True, y=Y, groups=Y), "groups with stratify=True", "stratify=False"),
    (lambda: compare(cv=None, groups=0 * Y), "n=1 groups", "at least 2 groups are needed"),
    (lambda: infer(method="holdout_t", cv=ShuffleSplit(1, test_size=1)), "there is 1", "larger"),
    (lambda: infer(method="holdout_t", cv=None, groups=GROUPS), "belong to groups", "compare_pred"),
    (lambda: compare(cv=ShuffleSplit(4, test_size=30), method="conservative_z"), "test_size=30",
     "at most 29 rows"),
    (lambda: rare("f1"), "15 test sets contain no 1, for which f1", "1 has 6 rows.*Stratified"),
    (lambda: rare("f1", cv=KFold(5), y=1 * (ROWS == 7)), "4 of 5 test", "1 has 1 row,.* pass more"),
    (lambda: use("neg_log_loss", y=np.r_[2, Y[1:]], cv=KFold(3)), "training set", "merge it with"),
    (lambda: rare(["accuracy", "f1"]), "contain no 1, for which f1 is un", "which leaves f1 out"),
    (lambda: use("roc_auc", y=ROWS < 25, cv=KFold(3)), "only one class, for which roc_auc is un",
     "test_size=.*stratify=True.*stratified within groups"),
]
TYPE_ERRORS = [
    (lambda: draw(groups=[1, "a"] * 30), "cannot be sorted together", "make them all text"),
    (lambda: compare(params=[Y]), "params is a list", "a dict from names .*'sample_weight'"),
    (lambda: compare(X=FRAME, y="target"), "y must be data", "one entry, for each sample"),
    (lambda: compare(X=FRAME, groups="a"), "groups must be data", r"such as table\[\"a\"\]"),
    (lambda: infer(X=FRAME, groups="site"), "groups must be data", r"table\[\"site\"\]"),
    (lambda: score(groups="site"), "groups must be data", r"table\[\"site\"\]"),
    (lambda: compare(alpha=0.01), "compare_estimators has no alpha", "pass confidence_level="),
    (lambda: infer(alpha=0.01), "cross_val_inference has no alpha=", "pass confidence_level="),
    (lambda: score(alpha=0.01), "cross_val_score has no alpha=", r"\.confidence_interval\(0\.95\)"),
    (lambda: compare().best_set(alpha=0.1), "best_set has no alpha=", "pass confidence_level="),
    (lambda: compare().tests[0].confidence_interval(alpha=0.1), "confidence_interval has no alpha=",
     "confidence_level="),
    (lambda: add(GaussianNB), "'c' is a class, not an instance", r"pass GaussianNB\(\)"),
    (lambda: add(Unfit()), "'c' is a Unfit, which has no fit", "pass an estimator"),
    (lambda: use("f1", {"a": BAYES, "c": Mute()}), "'c' cannot be scored", "ends in a classifier"),
    (lambda: infer(StandardScaler(), scoring="f1"), "cannot be scored with 'f1'", "a pipeline"),
    (lambda: use("roc_auc_ovr", LINEAR), "'svc' cannot be scored", "into Calibr"),
    (lambda: compare({1: BAYES, 2: BAYES}), "got 1", "name must be a non-empty string"),
    (lambda: compare([BAYES, "b"]), "GaussianNB() is not such a pair", "or of .name, estimator"),
    (lambda: compare([BAYES, GaussianNB]), "'gaussiannb-2' is a class", r"pass GaussianNB\(\)"),
    (lambda: compare(make_pipeline(BAYES)), "got Pipeline", "a dict such as"),
    (lambda: compare(FRAME, Y, PAIR), "got DataFrame", r"first: .*\(estimators, X, y\)"),
    (lambda: compare(X=None), "got NoneType", "an array, a frame, a sparse matrix or a list"),
    (lambda: compare()[None], "no comparison at None", "numbered from 0"),
]
KEY_ERRORS = [
    (lambda: rare(["neg_brier_score", "f1"], on_error="drop")["f1"], "'f1' is not", "left out"),
    (lambda: compare()["f1"], "'f1' is not among", r"the metrics \['accuracy'\]"),
]
INDEX_ERRORS = [(lambda: compare()[1], "no comparison at 1", "there are 1, numbered from 0")]
ATTRIBUTE_ERRORS = [
    (lambda: use(["f1", "recall"]).scores, "several metrics: 'f1', 'recall'", r"result\['f1'\]"),
]
VALUE_ERRORS = [
    (lambda: infer(confidence_level=1), "confidence_level=1", r"such as 0\.95"),
    (lambda: infer(confidence_level=1e-320), "1e-320 is 0 up to rounding", r"such as 0\.95"),
    (lambda: score(scoring=lambda *_: Y), "of type ndarray", "scoring must return a number"),
    (lambda: score(scoring=lambda *_: pd.Series(Y)),
     "gave 0     1 1     1 2", r"^.{,200} of type Series\.$"),
    (lambda: compare(margin={"r2": 0.02}), "margin={'r2': 0.02}", "calls of their own"),
    (lambda: compare(params={"sample_weight": X[:40, 0]}), "in params has 40", "one for"),
    (lambda: score(params={"nb__sample_weight": [1] * 59}), "nb__sample_weight", "59.* 60 rows"),
    (lambda: routed_score(params={"groups": GROUPS[1:]}), "groups in params has 59", "each row"),
    (lambda: routed_score(groups=GROUPS), "`groups` can only be passed", "via the `params` arg"),
    (lambda: routed_score(groups=[]), "`groups` can only be passed", "via the `params` arg"),
    (lambda: use("f1", y=WORDS), "'no', 'yes': pos_label=1 is not a valid", "scoring='f1_macro'"),
    (lambda: use(["accuracy", "f1"], y=WORDS), "pos_label=1 is not", "which leaves f1 out"),
    (lambda: use("average_precision", y=WORDS), "scoring='average_precision' takes 1", "predict_"),
    (lambda: use("recall", y=ROWS % 3), "y has 3: 0, 1, 2", "scoring='recall_macro'"),
    (lambda: compare(y=np.where(ROWS == 7, NAN, Y)), "in 1 of 60 rows", r"row 7\. .*dropna"),
    (lambda: infer(y=pd.array([pd.NA, *Y[1:]])), "y is missing (nan, None)", "Leave those"),
    (lambda: compare(on_error="ignore"), "on_error='ignore'", "choose one of"),
    (lambda: compare({"a": BAYES}), "got 1", "at least two .* use cross_val_inference"),
    (lambda: compare([("a", BAYES), ("a", Mute())]), "'a' and 'a' of the estimators", "rename one"),
    (lambda: compare(y=None), "'dummy', 'bayes'; pass y", "one entry for each row"),
    (lambda: compare(LINEAR, y=0 * Y), "y is 0 in all rows", "at least two classes"),
    (lambda: infer(y=np.full(N, "no"), scoring="roc_auc"), "y is 'no' in all rows", "two classes"),
    (lambda: compare({"a": Fails(), "b": BAYES}, y=Y == 2, cv=None, groups=GROUPS),
     "y is False in all rows", "another column as y"),
    (lambda: infer(Fails(), y=X[:, 0]), "y has 60 different numbers in 60 rows",
     r"regressors.*pandas\.cut.*y\.astype\(str\)"),
    (lambda: infer(Fails(), y=np.array([1, "spam"] * (N // 2), dtype=object)),
     "y mixes numbers and texts, such as 1, 'spam'", r"y\.astype\(str\)"),
    (lambda: infer(Fails(), y=np.array([True, "spam"] * (N // 2), dtype=object)),
     "y mixes numbers and texts, such as True, 'spam'", "classes alike"),
    (lambda: infer(Fails(), y=np.floor(ROWS / 2)), "y has 30 different numbers", "regressors"),
    (lambda: infer(Fails(), y=ROWS // 2, cv=None), "y has 30 different numbers", "regressors"),
    (lambda: infer(Fails(), y=Y + 0.5), "y has 2 different numbers in 60 rows", "regressors"),
    (lambda: infer(make_pipeline(StandardScaler(), BAYES), y=None), "by 'Pipeline'", "pass y"),
    (lambda: compare(y=WORDS, groups=Y, cv=None), "class of y is in only one", "leave groups out"),
    (lambda: compare(y=Y[:-1]), "y has 59 entries for 60 rows of X", "one for each row"),
    (lambda: compare(cv=None, X=X[:1], y=Y[:1]), "n_samples=1 rows", "pass data with"),
    (lambda: cut(GroupKFold(3)), "groups", "groups="),
    (lambda: draw(groups=[NAN] * N), "groups has missing labels", "leave those rows out"),
    (lambda: use("acuracy"), "scoring='acuracy'", "Did you mean 'accuracy'"),
    (lambda: use("mean_squared_error"), "'mean_squared_error'", "'neg_mean_squared_error'"),
    (lambda: use([]), "scoring=[]", "must name at least one metric"),
    (lambda: use(["f1", "f1"]), "scoring=['f1', 'f1']", "each once"),
    (lambda: use(5), "scoring=5", "the name of a metric, a callable"),
    (lambda: use(accuracy_score), "accuracy_score", "make_scorer"),
    (lambda: use(lambda e, X, y: {}), "no metric", "at least one|scoring"),
    (lambda: score(scoring=["f1", "r2"]), "scoring=['f1', 'r2']", "use compare_estimators"),
    (lambda: infer({}), "no estimators", "at least one, by its name"),
    (lambda: use(None, MIXED), "'ridge': 'regressor'", "Pass scoring="),
    (lambda: cut(1), "cv=1", "integer of at least 2"),
    (lambda: cut(100), "n_splits=100", "greater than the number of samples: n_samples=60"),
    (lambda: cut(True), "cv=True", "an integer of at least 2"),
    (lambda: cut(b"35"), "cv=b'35'", "an integer of at least 2"),
    (lambda: cut(KFold), "cv=KFold is a class", r"pass KFold\(\.\.\.\)"),
    (lambda: cut(train_test_split(ROWS)), "cv", r"\(train, test\) pairs"),
    (lambda: HalfSplitPairs(0), "n_pairs=0", "an integer of at least 1"),
    (lambda: compare(alternative="two_sided"), "='two_sided'", "Did you mean 'two-sided'"),
    (lambda: compare(method=ttest, alternative="less"), "alternative='less'", "only there"),
    (lambda: compare(adjustment="fdr_bh"), "adjustment='fdr_bh'", "choose one of .*'bh'"),
    (lambda: compare(reference=BAYES), "=GaussianNB()", "'dummy', 'bayes'; it may also be 'best'"),
    (lambda: compare({"best": BAYES, "b": BAYES}, reference="best"), "='best'", "another name"),
    (lambda: compare(cv=ShuffleSplit(15), random_state=3), "random_state=3 seeds only",
     r"ShuffleSplit\(\.\.\., random_state=3\)"),
    (lambda: infer(cv=KFold(5), random_state=4), "random_state=4 seeds only",
     r"KFold\(\.\.\., shuffle=True, random_state=4\)"),
    (lambda: infer(cv=LeavePOut(1), random_state=5), "random_state=5 seeds only",
     "leave random_state out"),
    (lambda: infer(cv=KFold(5), fresh_seeds=True, random_state=-1), "random_state=-1",
     "an integer from 0 to 2"),
    (lambda: score(error_score="ignore"), "error_score='ignore'", "'raise'"),
    (lambda: compare().to_frame("95%"), "confidence_level='95%'", "such as 0.95"),
    (lambda: use("f1", method="holdout_t"), "is not a known per-row", "corrected_resampled_t"),
    (lambda: compare(MIXED, method="holdout_t", cv=None), "Without scoring=", "Pass scoring="),
]
# fmt: on
CASES = {
    FitError: FIT_ERRORS,
    PairingError: PAIRING_ERRORS,
    SplitDesignError: DESIGN_ERRORS,
    TypeError: TYPE_ERRORS,
    KeyError: KEY_ERRORS,
    IndexError: INDEX_ERRORS,
    AttributeError: ATTRIBUTE_ERRORS,
    ValueError: VALUE_ERRORS,
}
