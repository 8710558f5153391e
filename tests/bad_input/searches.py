"""Unusable searches, and invalid options for their candidates."""

from types import SimpleNamespace

import numpy as np
from scipy.stats import randint
from sklearn import model_selection as ms
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.linear_model import Ridge
from sklearn.tree import DecisionTreeClassifier

import skcvstats as s

from .given import NAN, X, Y

TREE = DecisionTreeClassifier(random_state=0)
DEPTHS = {"max_depth": [1, 2, 4, 6]}
SEARCH = ms.GridSearchCV(TREE, DEPTHS, cv=ms.KFold(5)).fit(X, Y)
BOTH = ms.GridSearchCV(TREE, DEPTHS, cv=ms.KFold(5), scoring=["accuracy", "f1"], refit=False)
BOTH.fit(X, Y)
LEAVES = {"min_samples_leaf": [1, 2, 3]}
HALVING = ms.HalvingGridSearchCV(TREE, LEAVES, cv=ms.KFold(3), factor=2, random_state=0)
HALVING.fit(X, Y)
SELECTOR = SequentialFeatureSelector(TREE, cv=2).fit(X, Y)
SINGLE = ms.GridSearchCV(TREE, {"max_depth": [2]}, cv=ms.KFold(5)).fit(X, Y)
RIDGE = ms.GridSearchCV(Ridge(), {"alpha": [1, 9]}, cv=ms.KFold(5)).fit(X, Y)
NAMED = {key.replace("_score", "_accuracy"): it for key, it in SEARCH.cv_results_.items()}
MISSING = {
    "params": [{"max_depth": 1}, {"max_depth": 2}],
    **{f"split{k}_test_score": np.array([NAN, NAN]) for k in range(5)},
}


def candidates(search=SEARCH, X=X, y=Y, **options):
    return s.compare_candidates(search, X, y, **options)


def refit(results=SEARCH.cv_results_, cv=5, cost="max_depth", **options):
    return s.SignificanceRefit(cv, cost, **options)(results)


def margin(margin, **options):
    return refit(rule="margin", margin=margin, **options)


def ttest(**options):
    return refit(method=s.CorrectedResampledTTest(**options))


def race(grid=DEPTHS, X=X, y=Y, **options):
    options = {"cv": ms.ShuffleSplit(6, random_state=0), **options}
    return s.RacingSearchCV(TREE, grid, **options).fit(X, y)


# In each line: the call, what the message says was given (also the id), the remedy that it names.
# fmt: off
DESIGN_ERRORS = [
    (lambda: candidates(HALVING, X[:40], Y[:40]), "60 rows (max_resources_)", "Pass the data"),
    (lambda: refit(cv=None), "cv=None", "Pass as cv= what the search splits with; that is 5"),
    (lambda: refit(cv=ms.ShuffleSplit(5, test_size=20)), "fixed number of rows", "as fractions"),
    (lambda: refit(cv=list(ms.KFold(5).split(X))), "A list of splits", "or the SplitDesign"),
    (lambda: refit(cv=s.SplitDesign.from_sizes(90, 10, n_splits=6)), "has 6 splits", "from_sizes"),
]
DESIGN_ERRORS += [
    (lambda: race(cv=5), "cv=5 makes 5 splits and min_splits=5", "Pass more splits"),
    (lambda: race(min_splits=6), "nothing to race", "or use GridSearchCV"),
    (lambda: race(cv=[(np.arange(40), np.arange(40, 60))]), "))] makes 1 split and", "more splits"),
    (lambda: race(cv=ms.TimeSeriesSplit(6), rule="evidence"), "in time order", "Use rule='screen'"),
]
FIT_ERRORS = [
    (lambda: refit(MISSING), "No candidate has all its sc", "search again"),
    (lambda: candidates(MISSING, cv=ms.KFold(5)), "2 of 2 candidates have sc", "search again"),
    (lambda: race(scoring=lambda *_: NAN), "scores in <lambda>: that of #0", "lack a class"),
]
TYPE_ERRORS = [
    (lambda: s.compare_scores(SEARCH), "got GridSearchCV", "compared by compare_candidates"),
    (lambda: s.compare_estimators(SEARCH, X, Y), "a dict such as", "compare_candidates"),
    (lambda: candidates(SELECTOR), "SequentialFeatureSelector without cv_results_", "GridSearchCV"),
    (lambda: race(refit=None), "refit=None", "a metric's name or a callable"),
    (lambda: race(return_train_score=1), "return_train_score=1", "True or False"),
    (lambda: candidates(TREE), "DecisionTreeClassifier without cv_results_", "pass a fitted Grid"),
    (lambda: candidates(SimpleNamespace(trials=[])), "without cv_results_", "by compare_scores"),
    (lambda: refit(SEARCH), "got GridSearchCV", r"pass its cv_results_"),
]
VALUE_ERRORS = [
    (lambda: race(refit="yes"), "refit='yes'", "False or a callable"),
    (lambda: race(refit=""), "refit=''", "the name of the metric"),
    (lambda: race(scoring="f1", refit="accuracy"), "refit='accuracy'", "one of 'f1'"),
    (lambda: race(rule="racing"), "rule='racing'", "'screen', 'evidence'"),
    (lambda: race(min_splits=1), "min_splits=1", "at least 2"),
    (lambda: race(margin=0), "margin=0 with rule='screen'", "a positive, finite number"),
    (lambda: race(margin=.1, rule=None), "margin=0.1 with rule=None", "'evidence' a positive"),
    (lambda: race({"max_depth": randint(1, 9)}), "max_depth", "with n_iter=, how many"),
    (lambda: race([]), "param_distributions=[] has none", "pass lists"),
    (lambda: race(n_iter=0), "n_iter=0", "of at least 1"),
    (lambda: race(scoring=["accuracy", "f1"]), "refit=True must", "one of 'accuracy', 'f1'"),
    (lambda: race(scoring=["accuracy", "f1"], refit="r2"), "refit='r2'", "or False or a callable"),
    (lambda: candidates(scoring="f1"), "scoring= cannot be given for a search", "Leave it out"),
    (lambda: candidates(SINGLE), "one candidate only, {'max_depth': 2}", "Search over more"),
    (lambda: candidates(RIDGE, reference="alpha=2"), "'alpha=2'", "'#0 alpha=1'"),
    (lambda: candidates(reference="best"), "='best' is not among", "names the candidates"),
    (lambda: candidates().pairs(top=1), "top=1", "an integer of at least 2"),
    (lambda: candidates(reference="#0").pairs(), "has 3 comparisons already", "without reference="),
    (lambda: candidates().params("#9"), "no parameters of '#9'", "'#0 max_depth=1'"),
    (lambda: refit(scoring="f1"), "metrics in cv_results_: 'score'", "leave scoring out"),
    (lambda: refit(BOTH.cv_results_), "None is not among the metrics", "Choose one of them"),
    (lambda: refit(BOTH.cv_results_, scoring="r2"), "scoring='r2' is not", "'accuracy', 'f1'"),
    (lambda: refit(HALVING.cv_results_), "results of a halving search", "with compare_candidates"),
    (lambda: refit({"params": [{}]}), "No scores of splits", "pass the cv_results_"),
    (lambda: refit(cost="depth"), "cost='depth'", "'max_depth'"),
    (lambda: refit(cost=lambda params: None), "costs None", "as a callable"),
    (lambda: refit(rule="test"), "rule='test'", "'one_standard_error', 'margin'"),
    (lambda: margin(None), "margin=None", "no default"),
    (lambda: margin(0), "margin=0 ", "a positive, finite number"),
    (lambda: margin((-.1, .1)), "margin=(-0.1, 0.1)", "a positive, finite number"),
    (lambda: margin(1, scoring="accuracy", results=NAMED), "margin=1 covers ever", "a smaller one"),
    (lambda: margin(1, results=NAMED), "margin=1 covers every", "a smaller one, such as 0.01"),
    (lambda: refit(rule="one_standard_error", margin=.01), "margin=0.01 with rule='one_stand",
     "takes no margin"),
    (lambda: refit(confidence_level=95), "confidence_level=95", "between 0 and 1"),
    (lambda: refit(method=s.CorrectedResampledTTest(null_value=-.1)),
     "asks something other", "Leave alternative and null_value out"),
    (lambda: ttest(alternative="greater"), "alternative='greater'", "Leave alternative and null"),
    (lambda: refit(method="conservative_z"), "ConservativeZTest", "corrected_resampled_t"),
    (lambda: refit(method=s.FiveByTwoCVFTest()), "no direction", "corrected_resampled_t"),
]
# fmt: on
CASES = {s.SplitDesignError: DESIGN_ERRORS, s.FitError: FIT_ERRORS}
CASES |= {TypeError: TYPE_ERRORS, ValueError: VALUE_ERRORS}
