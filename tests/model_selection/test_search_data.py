"""Data that a search was not fitted on are refused; the data that it was fitted on never are."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.datasets import make_classification, make_regression
from sklearn.decomposition import PCA
from sklearn.ensemble import BaggingClassifier, RandomForestClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    HalvingGridSearchCV,
    KFold,
    LeaveOneOut,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedShuffleSplit,
    check_cv,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, MinMaxScaler, StandardScaler
from sklearn.semi_supervised import LabelPropagation
from sklearn.svm import SVC, SVR
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from skcvstats import (
    FitError,
    RepeatedSubsampleSplit,
    SplitDesign,
    SplitDesignError,
    compare_candidates,
)
from tests.cheap import NearestMean

pytestmark = [
    pytest.mark.filterwarnings("ignore:One or more of the test scores are non-finite"),
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning"),
    pytest.mark.filterwarnings("ignore::skcvstats.exceptions.SplitDesignWarning"),
    pytest.mark.filterwarnings("ignore::skcvstats.exceptions.AnticonservativeWarning"),
    pytest.mark.filterwarnings("ignore::skcvstats.exceptions.DegenerateScoresWarning"),
]

N = 60
X, Y = make_classification(N, 5, flip_y=0.2, random_state=0)
X_REAL, Y_REAL = make_regression(N, 5, noise=10, random_state=0)
WORDS = np.where(Y == 1, "yes", "no")
TREE = DecisionTreeClassifier(random_state=0)
DEPTHS = {"max_depth": [1, 2, 4]}
COLUMNS = {"n_columns": [1, 4]}
SMOOTHING = {"var_smoothing": [1e-9, 0.1, 1.0]}
NEIGHBORS = {"n_neighbors": [1, 3, 5]}
PENALTIES = {"C": [0.01, 1, 100]}
WEIGHTS = np.random.default_rng(0).uniform(0.5, 2, N)


def searched(estimator, grid, X=X, y=Y, cv=5, params=None, **options):
    return GridSearchCV(estimator, grid, cv=cv, **options).fit(X, y, **(params or {}))


def halved(**options):
    grid = {"min_samples_leaf": [1, 2, 3, 4, 5, 6]}
    search = HalvingGridSearchCV(TREE, grid, cv=KFold(3), factor=2, random_state=0, **options)
    return search.fit(X, Y)


KNN = KNeighborsClassifier()
CLASSIFIERS = {
    "tree": (TREE, DEPTHS),
    "bayes": (GaussianNB(), SMOOTHING),
    "neighbours": (KNN, NEIGHBORS),
    "support vectors": (SVC(), PENALTIES),
    "logistic": (LogisticRegression(), PENALTIES),
    "forest": (RandomForestClassifier(3, random_state=0), {"max_depth": [1, 4]}),
    "bagging": (BaggingClassifier(TREE, 2, random_state=0), {"max_samples": [0.3, 1.0]}),
    "pipeline": (
        make_pipeline(StandardScaler(), PCA(3), SVC()),
        {"svc__C": [0.01, 1], "pca__n_components": [1, 3]},
    ),
    "columns": (
        make_pipeline(ColumnTransformer([("scale", MinMaxScaler(), [0, 1])]), GaussianNB()),
        {"gaussiannb__var_smoothing": [1e-9, 1.0]},
    ),
    "no step": (
        make_pipeline("passthrough", SVC(kernel="linear")),
        {"svc__C": [0.01, 1], "passthrough": ["passthrough", None]},
    ),
    "steps": (make_pipeline(PCA(2), TREE), {"decisiontreeclassifier": [TREE, GaussianNB()]}),
}
SPLITTERS = [
    5,
    None,
    KFold(7, shuffle=True),
    RepeatedStratifiedKFold(n_splits=3, n_repeats=2),
    ShuffleSplit(6, test_size=0.17),
    StratifiedShuffleSplit(6, test_size=0.3, train_size=0.4),
    RepeatedSubsampleSplit(6, random_state=0),
    list(KFold(4).split(X)),
]


SCORINGS = [None, "accuracy", ["accuracy", "f1"], {"hits": "accuracy", "f1": "f1"}]


@cache
def searched_by(name, refit, scoring):
    """Return a search that no test changes."""
    return searched(*CLASSIFIERS[name], cv=3, refit=refit, scoring=scoring)


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_the_right_data_of_every_classifier(name):
    assert compare_candidates(searched_by(name, True, None), X, Y).tests[0].n_samples == N
    frame = pd.DataFrame(X, columns=list("abcde"))
    words = pd.Series(WORDS, index=np.arange(N) + 7)
    search = searched(*CLASSIFIERS[name], X=frame, y=words, cv=3)
    assert compare_candidates(search, frame, words).tests[0].n_samples == N


@pytest.mark.parametrize(
    ("cv", "scoring"),
    [*zip(SPLITTERS, 2 * SCORINGS, strict=True), *((5, scoring) for scoring in SCORINGS[1:])],
    ids=lambda value: type(value).__name__,
)
def test_the_right_data_of_every_splitter(cv, scoring):
    n_splits = check_cv(5 if cv is None else cv, Y, classifier=True).get_n_splits(X, Y)
    search = searched(NearestMean(), COLUMNS, cv=cv, scoring=scoring, refit=False)
    (first, *_) = compare_candidates(search, X, Y).comparisons
    assert (first.test.n_samples, first.test.n_splits) == (N, n_splits)


@pytest.mark.parametrize("name", CLASSIFIERS)
@pytest.mark.parametrize("refit", [True, False])
def test_some_of_the_rows_are_refused(name, refit):
    # Their own scores may be anything: other estimators, and a class with its own method.
    scoring = "accuracy" if name in ("steps", "neighbours") else None
    search = searched_by(name, refit, scoring)
    message = r"(search was fitted on|fitted on other data).*design=SplitDesign\.from_sizes"
    for rows in (slice(40), slice(20, 60), slice(0, 60, 2)):
        with pytest.raises(SplitDesignError, match=message):
            compare_candidates(search, X[rows], Y[rows])


@pytest.mark.parametrize("scoring", SCORINGS[2:], ids=["list", "dict"])
def test_accuracy_among_several_metrics_tells(scoring):
    search = searched(NearestMean(), COLUMNS, scoring=scoring, refit=False)
    with pytest.raises(SplitDesignError, match="test sets of these data have 8 rows"):
        compare_candidates(search, X[:40], Y[:40])


def test_more_rows_are_refused():
    search = searched(TREE, DEPTHS, X[:40], Y[:40])
    with pytest.raises(SplitDesignError, match="test sets of these data have 12 rows"):
        compare_candidates(search, X, Y)
    assert compare_candidates(search, X[:40], Y[:40]).tests[0].n_samples == 40
    design = SplitDesign.from_splitter(KFold(5), X[:40])
    assert compare_candidates(search, design=design).tests[0].n_samples == 40


@pytest.mark.parametrize(
    ("search", "source"),
    [
        (searched(KNeighborsRegressor(), NEIGHBORS, X_REAL, Y_REAL), "n_samples_fit_"),
        (searched(SVR(), PENALTIES, X_REAL, Y_REAL), "shape_fit_"),
        (
            searched(
                make_pipeline(MinMaxScaler(), Ridge()), {"ridge__alpha": [1, 9]}, X_REAL, Y_REAL
            ),
            "n_samples_seen_ of its MinMaxScaler",
        ),
        (
            searched(make_pipeline(PCA(), Ridge()), {"ridge__alpha": [1, 9]}, X_REAL, Y_REAL),
            "n_samples_ of its PCA",
        ),
    ],
)
def test_what_regressors_tell(search, source):
    message = rf"The data have 40 rows, but the search was fitted on 60 rows \({source}"
    with pytest.raises(SplitDesignError, match=message):
        compare_candidates(search, X_REAL[:40], Y_REAL[:40])
    assert compare_candidates(search, X_REAL, Y_REAL).tests[0].n_samples == N


def test_halving_searches():
    search = halved()
    compare_candidates(search, X, Y)
    for rows in (slice(40), np.r_[:60, :10]):
        with pytest.raises(SplitDesignError, match=r"on 60 rows \(max_resources_\)"):
            compare_candidates(search, X[rows], Y[rows])
    compare_candidates(halved(max_resources=50, min_resources=20), X, Y)


def test_other_columns_and_other_classes():
    search = searched(TREE, DEPTHS, scoring="roc_auc")
    with pytest.raises(SplitDesignError, match=r"have 2 columns, but .* 5 columns \(n_features_in"):
        compare_candidates(search, X[:, :2], Y)
    with pytest.raises(SplitDesignError, match=r"2 classes, but .* 2, differing in 0, 1, 'no', '"):
        compare_candidates(search, X, WORDS)
    compare_candidates(search, X.tolist(), Y.tolist())


def test_rows_without_a_label_are_no_class():
    y = np.where(np.arange(N) % 5 == 0, -1, Y)
    search = searched(LabelPropagation(), {"gamma": [1, 20]}, y=y, cv=KFold(5))
    assert compare_candidates(search, X, y).tests[0].n_samples == N


class InTenths(GaussianNB):
    """Its score is no accuracy, and looks like one among ten rows."""

    def score(self, X, y):
        return round(np.mean(self.predict_proba(X)[np.arange(len(y)), y]), 1)


def test_a_step_in_the_grid_may_score_in_its_own_way():
    grid = {"gaussiannb": [GaussianNB(), InTenths()]}
    search = searched(make_pipeline("passthrough", GaussianNB()), grid, refit=False)
    assert compare_candidates(search, X, Y).tests[0].n_samples == N


def test_where_nothing_tells_the_data_are_believed():
    search = searched(Ridge(), {"alpha": [1, 9]}, X_REAL, Y_REAL)
    assert compare_candidates(search, X_REAL[:40], Y_REAL[:40]).tests[0].n_samples == 40
    search = searched(TREE, DEPTHS, scoring=make_scorer(accuracy_score))
    assert compare_candidates(search, X[:40], Y[:40]).tests[0].n_samples == 40


class TestScoresThatAreNoHitsOfTheTestRows:
    def test_failed_fits_with_a_number_for_a_score(self):
        grid = {"max_depth": [1, 2, -3]}
        compare_candidates(searched(TREE, grid, error_score=0.3), X, Y)
        with pytest.warns(FitFailedWarning, match="left out"):
            compare_candidates(searched(TREE, grid), X, Y)

    @pytest.mark.parametrize("weights", [WEIGHTS, 1 + 2 * Y], ids=["any", "whole numbers"])
    @pytest.mark.parametrize("scoring", [None, "accuracy"])
    def test_weights(self, weights, scoring):
        # Since version 1.7 scikit-learn hands the weights of a search's fit to its scorer.
        params = {"sample_weight": weights}
        search = searched(TREE, DEPTHS, cv=KFold(5), params=params, scoring=scoring)
        result = compare_candidates(search, X, Y, params=params)
        expected = np.mean([search.cv_results_[f"split{k}_test_score"] for k in range(5)], axis=0)
        np.testing.assert_allclose(result.scores.values.mean(axis=1), expected)
        if weights is WEIGHTS:
            assert compare_candidates(search, X, Y).tests[0].n_samples == N

    def test_groups(self):
        groups = np.repeat(np.arange(15), [1, 7] * 7 + [4])
        search = searched(TREE, DEPTHS, cv=GroupKFold(5), params={"groups": groups})
        assert compare_candidates(search, X, Y, groups=groups).tests[0].unit == "groups"

    def test_leave_one_out(self):
        result = compare_candidates(searched(NearestMean(), COLUMNS, cv=LeaveOneOut()), X, Y)
        assert result.tests[0].n_splits == N

    def test_test_sets_whose_sizes_are_drawn(self):
        rng = np.random.default_rng(0)

        class Drawn(KFold):
            def split(self, X, y=None, groups=None):
                fold = rng.integers(5, size=len(X))
                for k in range(5):
                    yield np.flatnonzero(fold != k), np.flatnonzero(fold == k)

        search = searched(TREE, DEPTHS, cv=Drawn(5))
        assert compare_candidates(search, X, Y).tests[0].n_splits == 5


class TestUndefinedMetrics:
    y = (np.arange(len(X)) < 6).astype(int)
    splits = ShuffleSplit(15, test_size=0.1, random_state=0)

    @pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
    @pytest.mark.parametrize("scoring", ["f1", ["accuracy", "f1"]])
    def test_are_noted(self, scoring):
        search = GridSearchCV(
            NearestMean(), COLUMNS, cv=self.splits, scoring=scoring, refit=False
        ).fit(X, self.y)
        n = sum(not self.y[test].any() for _, test in self.splits.split(X))
        assert n > 0
        result = compare_candidates(search, X, self.y)["f1"]
        assert f"{n} of 15 test sets hold no 1: f1 is not defined there" in str(result.notes)

    @pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
    def test_are_the_cause_of_missing_scores(self):
        search = GridSearchCV(
            NearestMean(), COLUMNS, cv=self.splits, scoring="roc_auc", refit=False
        ).fit(X, self.y)
        with pytest.raises(FitError, match="test sets hold one class only: roc_auc is not"):
            compare_candidates(search, X, self.y)


def half(X):
    return X[: len(X) // 2]


def test_steps_that_may_take_rows_away_are_not_asked():
    search = searched(DecisionTreeRegressor(), DEPTHS, X_REAL, Y_REAL)
    search.best_estimator_ = make_pipeline(FunctionTransformer(half), PCA()).fit(X_REAL)
    assert compare_candidates(search, X_REAL, Y_REAL).tests[0].n_samples == N
