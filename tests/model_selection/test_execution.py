"""Fitting and scoring, checked against scikit-learn's cross_validate and hand-written loops."""

import functools
import inspect
import pickle
import sys

import joblib
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier
from sklearn.cluster import KMeans
from sklearn.compose import make_column_transformer
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import FitFailedWarning, UnsetMetadataPassedError
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression, Ridge, SGDClassifier
from sklearn.metrics import (
    accuracy_score,
    fbeta_score,
    get_scorer,
    make_scorer,
    max_error,
    mean_absolute_error,
    precision_score,
)
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    check_cv,
    cross_validate,
)
from sklearn.model_selection import cross_val_score as sklearn_cross_val_score
from sklearn.neighbors import KernelDensity, KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC, SVR
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from skcvstats import FitError, compare_estimators, compare_scores, cross_val_score
from skcvstats.model_selection import HalfSplitPairs, RepeatedSubsampleSplit
from skcvstats.model_selection._measure import measure
from skcvstats.model_selection._options import FitOptions
from skcvstats.model_selection._row_loss import resolve_loss
from skcvstats.model_selection._scoring import Scoring, resolve_scoring

N = 60
RNG = np.random.RandomState(0)
X = RNG.normal(size=(N, 4)) * [1, 5, 20, 0.1]
SIGNAL = X[:, 0] + X[:, 1] / 5 + RNG.normal(size=N)
Y = (SIGNAL > 0).astype(int)
WORDS = np.where(Y == 1, "yes", "no")
OUTPUTS = np.column_stack([SIGNAL, X[:, 2] + RNG.normal(size=N)])
GROUPS = np.arange(N) % 7
WEIGHTS = RNG.uniform(0.1, 3, size=N)
INDEX = RNG.permutation(1000)[:N]
FRAME = pd.DataFrame(X, index=INDEX, columns=list("abcd"))
MIXED = FRAME.assign(colour=np.array(["red", "green", "blue"])[np.arange(N) % 3])
TEXTS = [f"{'good fine' if label else 'bad poor'} w{k % 5} w{k % 3}" for k, label in enumerate(Y)]
KERNEL = X @ X.T

CV = StratifiedKFold(3, shuffle=True, random_state=0)
# Enough splits for compare_estimators to raise no SplitDesignWarning.
CV12 = RepeatedSubsampleSplit(12, test_size=0.25, random_state=6)


def hits(estimator, X, y):
    return np.mean(estimator.predict(X) == np.asarray(y))


def hits_and_size(estimator, X, y):
    return {"hits": hits(estimator, X, y), "size": len(y)}


def scaled(model):
    return make_pipeline(StandardScaler(copy=False), model)


CLASSIFIERS = {
    "logistic": LogisticRegression(max_iter=1000),
    "scaled": scaled(LogisticRegression()),
    "tree": DecisionTreeClassifier(random_state=0),
    "forest": RandomForestClassifier(3, random_state=np.random.RandomState(3)),
    "knn": KNeighborsClassifier(3),
    "sgd": scaled(SGDClassifier(loss="log_loss", random_state=np.random.RandomState(1))),
    "grid": GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3]}, cv=2),
    "dummy": DummyClassifier(strategy="stratified", random_state=np.random.RandomState(2)),
}
METRICS = {
    "accuracy": "accuracy",
    "f1_macro": "f1_macro",
    "roc_auc": "roc_auc",
    "neg_log_loss": "neg_log_loss",
    "scorer": make_scorer(fbeta_score, beta=0.5, zero_division=0),
    "callable": hits,
}
REGRESSORS = {
    "ridge": Ridge(),
    "tree": DecisionTreeRegressor(random_state=0),
    "knn": scaled(KNeighborsRegressor(3)),
    "svr": SVR(kernel="linear", C=0.1),
}
REGRESSION_METRICS = {
    "r2": "r2",
    "neg_mean_squared_error": "neg_mean_squared_error",
    "scorer": make_scorer(max_error, greater_is_better=False),
}
SEVERAL = {
    "list": ["accuracy", "roc_auc", "neg_log_loss"],
    "tuple": ("f1_macro", "accuracy"),
    "dict": {"acc": "accuracy", "mine": hits, "fbeta": make_scorer(fbeta_score, beta=2)},
    "callable": hits_and_size,
}
CONTAINERS = {
    "fortran": np.asfortranarray(X),
    "float32": X.astype(np.float32),
    "not contiguous": np.repeat(X, 2, axis=1)[:, ::2],
    "read-only": np.frombuffer(X.tobytes()).reshape(X.shape),
    "frame": FRAME,
    "csr": sp.csr_matrix(X),
    "csc": sp.csc_matrix(X),
    "coo": sp.coo_matrix(X),
    "csr_array": sp.csr_array(X),
    "lists": X.tolist(),
    "list of rows": list(X),
}
TARGETS = {
    "words": WORDS,
    "objects": WORDS.astype(object),
    "list": Y.tolist(),
    "series": pd.Series(Y, index=INDEX),
    "series of words": pd.Series(WORDS, index=INDEX),
    "categories": pd.Series(WORDS, index=INDEX, dtype="category"),
    "booleans": Y == 1,
}
MASKS = [(k != GROUPS, k == GROUPS) for k in range(4)]
FOLDS = [(np.flatnonzero(train), np.flatnonzero(test)) for train, test in MASKS]
SPLITTERS = {
    "ours": RepeatedSubsampleSplit(4, test_size=0.2, random_state=0),
    "ours, stratified": RepeatedSubsampleSplit(4, stratify=True, random_state=1),
    "half pairs": HalfSplitPairs(2, 2, test_size=0.2, random_state=0),
    "shuffle": ShuffleSplit(4, test_size=0.3, random_state=0),
    "stratified": StratifiedKFold(4),
    "time": TimeSeriesSplit(3),
    "int": 3,
    "none": None,
    "list": FOLDS,
    "lists": [(train.tolist(), test.tolist()) for train, test in FOLDS],
    "masks": MASKS,
    "rows that repeat": [(np.tile(train[:30], 2), test) for train, test in FOLDS],
}
SPECIAL = {
    "svc, decision function": (SVC(C=10), X, Y, "roc_auc"),
    "svc, string labels": (SVC(C=10), X, WORDS, "f1_macro"),
    "precomputed kernel": (SVC(kernel="precomputed"), KERNEL, Y, "accuracy"),
    "precomputed kernel, pipeline": (
        make_pipeline(SVC(kernel="precomputed")),
        KERNEL,
        Y,
        "roc_auc",
    ),
    "precomputed kernel, grid": (
        GridSearchCV(SVC(kernel="precomputed"), {"C": [0.1, 10]}, cv=2),
        KERNEL,
        Y,
        "accuracy",
    ),
    "precomputed distances": (
        KNeighborsClassifier(3, metric="precomputed"),
        np.abs(X[:, :1] - X[:, 0]),
        Y,
        "accuracy",
    ),
    "strings in a frame": (
        make_pipeline(
            make_column_transformer((OneHotEncoder(), ["colour"]), remainder=StandardScaler()),
            LogisticRegression(),
        ),
        MIXED,
        pd.Series(WORDS, index=INDEX),
        "neg_log_loss",
    ),
    "texts": (make_pipeline(TfidfVectorizer(), LogisticRegression()), TEXTS, WORDS, "accuracy"),
    "array of texts": (
        make_pipeline(TfidfVectorizer(), LogisticRegression()),
        np.array(TEXTS, dtype=object),
        Y,
        "neg_log_loss",
    ),
    "outputs": (Ridge(), X, OUTPUTS, "r2"),
    "outputs in a frame": (
        Ridge(),
        FRAME,
        pd.DataFrame(OUTPUTS, index=INDEX),
        "neg_mean_squared_error",
    ),
    "own score": (LogisticRegression(max_iter=1000), X, Y, None),
    "own score, clusters": (KMeans(2, n_init=1, random_state=0), X, None, None),
    "own score, density": (KernelDensity(), X, None, None),
    "own score, grid": (
        GridSearchCV(LogisticRegression(max_iter=1000), {"C": [0.1, 1]}, scoring="roc_auc", cv=2),
        X,
        Y,
        None,
    ),
    "no target, callable": (
        KMeans(2, n_init=1, random_state=0),
        X,
        None,
        lambda estimator, X: -estimator.transform(X).min(),
    ),
}


def fit_all(estimators, X, y, scoring, cv, *, loss=None, **changes):
    """Call `measure` with the public functions' defaults, except for `changes`."""
    defaults = {
        "groups": None,
        "params": None,
        "n_jobs": None,
        "verbose": 0,
        "pre_dispatch": "2*n_jobs",
        "error_score": np.nan,
    }
    options = {**defaults, **changes}
    groups = options.pop("groups")
    if not isinstance(scoring, Scoring):
        loss = resolve_loss(loss, estimators, needed=False)
        scoring = resolve_scoring(
            estimators, scoring, error_score=options["error_score"], loss=loss
        )
    cv = check_cv(cv, y, classifier=is_classifier(next(iter(estimators.values()))))
    fit_options = FitOptions(**options)
    measured = measure(estimators, X, y, groups=groups, scoring=scoring, cv=cv, options=fit_options)
    assert measured.auxiliary == {}
    return measured.scores


def sklearn_scores(estimator, X, y, scoring, cv, **options):
    """Return the scores of scikit-learn's cross_validate, by metric."""
    results = cross_validate(estimator, X, y, scoring=scoring, cv=cv, **options)
    return {
        name.removeprefix("test_"): scores
        for name, scores in results.items()
        if name.startswith("test_")
    }


def assert_like_sklearn(estimator, X, y, scoring, cv, **options):
    """Check one metric through the public function, to the last bit."""
    expected = sklearn_scores(estimator, X, y, scoring, cv, **options)["score"]
    scores = cross_val_score(estimator, X, y, scoring=scoring, cv=cv, **options)
    np.testing.assert_array_equal(scores.values, expected, strict=True)
    assert np.isfinite(expected).all()


# --------------------------------------------------------------------------------------
# Bit-identity with cross_validate


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_classifiers_against_cross_validate(name, metric):
    assert_like_sklearn(CLASSIFIERS[name], X, Y, METRICS[metric], CV)


def test_scorer_of_a_partial_against_cross_validate():
    scoring = make_scorer(functools.partial(fbeta_score, beta=2))
    assert_like_sklearn(CLASSIFIERS["tree"], X, Y, scoring, CV)


@pytest.mark.parametrize("metric", REGRESSION_METRICS)
@pytest.mark.parametrize("name", REGRESSORS)
def test_regressors_against_cross_validate(name, metric):
    cv = ShuffleSplit(3, test_size=0.3, random_state=0)
    assert_like_sklearn(REGRESSORS[name], X, SIGNAL, REGRESSION_METRICS[metric], cv)


@pytest.mark.parametrize("metric", ["accuracy", "neg_log_loss"])
@pytest.mark.parametrize("name", CONTAINERS)
def test_containers_against_cross_validate(name, metric):
    assert_like_sklearn(LogisticRegression(max_iter=2000), CONTAINERS[name], Y, metric, CV)


@pytest.mark.parametrize("name", ["fortran", "float32", "frame"])
def test_scaling_in_place_against_cross_validate(name):
    assert_like_sklearn(scaled(KNeighborsClassifier(3)), CONTAINERS[name], Y, "neg_log_loss", CV)


@pytest.mark.parametrize("metric", ["accuracy", "f1_macro", "neg_log_loss"])
@pytest.mark.parametrize("name", TARGETS)
def test_targets_against_cross_validate(name, metric):
    assert_like_sklearn(CLASSIFIERS["tree"], X, TARGETS[name], metric, CV)


@pytest.mark.parametrize("name", SPLITTERS)
def test_splitters_against_cross_validate(name):
    assert_like_sklearn(CLASSIFIERS["scaled"], X, Y, "neg_log_loss", SPLITTERS[name])


@pytest.mark.parametrize("cv", [GroupKFold(3), RepeatedSubsampleSplit(4, random_state=0)])
def test_groups_against_cross_validate(cv):
    assert_like_sklearn(CLASSIFIERS["scaled"], X, Y, "neg_log_loss", cv, groups=GROUPS)


@pytest.mark.parametrize("name", SPECIAL)
def test_special_cases_against_cross_validate(name):
    assert_like_sklearn(*SPECIAL[name], ShuffleSplit(4, test_size=0.25, random_state=0))


def test_precomputed_frame_against_cross_validate_of_the_array():
    model = SVC(kernel="precomputed")
    frame = pd.DataFrame(KERNEL, index=INDEX, columns=INDEX)
    expected = sklearn_scores(model, KERNEL, Y, "roc_auc", CV)["score"]
    scores = cross_val_score(model, frame, Y, scoring="roc_auc", cv=CV)
    np.testing.assert_array_equal(scores.values, expected)


@pytest.mark.parametrize("kernel", [X, KERNEL.tolist()], ids=["oblong", "lists"])
def test_precomputed_must_be_square(kernel):
    with pytest.raises(ValueError, match="must be a square array"):
        cross_val_score(SVC(kernel="precomputed"), kernel, Y, cv=CV, error_score="raise")


@pytest.mark.parametrize("name", SEVERAL)
def test_several_metrics_against_cross_validate(name):
    models = {"scaled": CLASSIFIERS["scaled"], "forest": CLASSIFIERS["forest"]}
    scores = fit_all(models, X, Y, SEVERAL[name], CV)
    for k, model in enumerate(models.values()):
        expected = sklearn_scores(model, X, Y, SEVERAL[name], CV)
        assert set(scores) == set(expected)
        for metric, values in expected.items():
            np.testing.assert_array_equal(scores[metric].values[k], values)


@pytest.mark.parametrize("metric", METRICS)
def test_compare_estimators_against_cross_validate(metric):
    result = compare_estimators(
        CLASSIFIERS, X, Y, scoring=METRICS[metric], cv=CV12, fast_paths=False
    )
    for name, model in CLASSIFIERS.items():
        expected = sklearn_scores(model, X, Y, METRICS[metric], CV12)["score"]
        np.testing.assert_array_equal(result.scores[name].values, expected)


def test_compare_estimators_metrics_against_cross_validate():
    scoring = ["accuracy", "neg_log_loss"]
    result = compare_estimators(
        CLASSIFIERS, FRAME, WORDS, scoring=scoring, cv=CV12, fast_paths=False
    )
    for name, model in CLASSIFIERS.items():
        expected = sklearn_scores(model, FRAME, WORDS, scoring, CV12)
        for metric in scoring:
            np.testing.assert_array_equal(result[metric].scores[name].values, expected[metric])


def test_signature_against_sklearn():
    deliberate = {}  # name: (kind, default) of ours; nothing differs
    theirs = inspect.signature(sklearn_cross_val_score).parameters
    ours = inspect.signature(cross_val_score).parameters
    expected = {name: (one.kind, repr(one.default)) for name, one in theirs.items()}
    found = {name: (one.kind, repr(one.default)) for name, one in ours.items()}
    assert list(found) == list(expected)
    assert found == {**expected, **deliberate}


# --------------------------------------------------------------------------------------
# params, with and without metadata routing


@pytest.mark.parametrize(
    "weights",
    [WEIGHTS, WEIGHTS.tolist(), pd.Series(WEIGHTS, index=INDEX)],
    ids=["array", "list", "series"],
)
def test_weights_against_cross_validate(weights):
    params = {"sample_weight": weights}
    assert_like_sklearn(CLASSIFIERS["logistic"], X, Y, "neg_log_loss", CV, params=params)


def test_params_of_a_pipeline_step_against_cross_validate():
    params = {"logisticregression__sample_weight": WEIGHTS}
    assert_like_sklearn(CLASSIFIERS["scaled"], X, Y, "neg_log_loss", CV, params=params)


class TakesOptions(ClassifierMixin, BaseEstimator):
    """Fitted with options that do not belong to rows, and with some that do."""

    def fit(self, X, y, cuts, name, weights):
        self.classes_ = np.unique(y)
        self.cut_ = cuts.sum() * len(name) * np.average(X[:, 0], weights=weights)
        return self

    def predict(self, X):
        return (X[:, 0] > self.cut_).astype(int)


def test_params_that_are_not_per_row_against_cross_validate():
    params = {"cuts": np.array([0.1, 0.2]), "name": "above", "weights": WEIGHTS}
    assert_like_sklearn(TakesOptions(), X, Y, "accuracy", CV, params=params)


def test_weights_go_to_every_estimator_against_cross_validate():
    models = {"logistic": CLASSIFIERS["logistic"], "forest": CLASSIFIERS["forest"]}
    params = {"sample_weight": WEIGHTS}
    scores = fit_all(models, X, Y, "neg_log_loss", CV, params=params)["neg_log_loss"]
    for name, model in models.items():
        expected = sklearn_scores(model, X, Y, "neg_log_loss", CV, params=params)["score"]
        np.testing.assert_array_equal(scores[name].values, expected)


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def weighing(wanted=True):
    """Return a model that does or does not request the weights of the rows."""
    return LogisticRegression(max_iter=1000).set_fit_request(sample_weight=wanted)


def weighted_scorer():
    return make_scorer(accuracy_score).set_score_request(sample_weight=True)


@pytest.mark.usefixtures("routing")
def test_routing_without_params_against_cross_validate():
    model = CLASSIFIERS["logistic"]
    # scikit-learn 1.6.0 does not take params=None here.
    expected = sklearn_scores(model, X, Y, "accuracy", CV, params={})["score"]
    scores = cross_val_score(model, X, Y, scoring="accuracy", cv=CV)
    np.testing.assert_array_equal(scores.values, expected)


@pytest.mark.usefixtures("routing")
def test_routed_weights_against_cross_validate():
    params = {"sample_weight": WEIGHTS}
    assert_like_sklearn(weighing(), X, Y, weighted_scorer(), CV, params=params)


@pytest.mark.usefixtures("routing")
def test_routed_groups_against_cross_validate():
    model, cv = weighing(), GroupKFold(3)
    params = {"sample_weight": WEIGHTS, "groups": GROUPS}
    expected = sklearn_scores(model, X, Y, weighted_scorer(), cv, params=params)["score"]
    given = cross_val_score(model, X, Y, scoring=weighted_scorer(), cv=cv, params=params)
    np.testing.assert_array_equal(given.values, expected)
    apart = cross_val_score(
        model,
        X,
        Y,
        groups=GROUPS,
        scoring=weighted_scorer(),
        cv=cv,
        params={"sample_weight": WEIGHTS},
    )
    np.testing.assert_array_equal(apart.values, expected)


@pytest.mark.usefixtures("routing")
def test_routed_groups_of_our_splitter_against_cross_validate():
    cv = RepeatedSubsampleSplit(4, random_state=0)
    params = {"groups": GROUPS}
    assert_like_sklearn(CLASSIFIERS["tree"], X, Y, "accuracy", cv, params=params)


@pytest.mark.usefixtures("routing")
def test_groups_twice():
    with pytest.raises(ValueError, match="groups is given twice"):
        cross_val_score(
            CLASSIFIERS["tree"], X, Y, groups=GROUPS, cv=GroupKFold(3), params={"groups": GROUPS}
        )


@pytest.mark.usefixtures("routing")
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_routed_weights_of_one_of_two_against_cross_validate(n_jobs):
    models = {"with": weighing(True), "without": weighing(False)}
    plain = get_scorer("neg_log_loss").set_score_request(sample_weight=False)
    scoring = {"weighted": weighted_scorer(), "plain": plain}
    params = {"sample_weight": WEIGHTS}
    scores = fit_all(models, X, Y, scoring, CV, params=params, n_jobs=n_jobs)
    for name, model in models.items():
        expected = sklearn_scores(model, X, Y, scoring, CV, params=params)
        for metric in scoring:
            np.testing.assert_array_equal(scores[metric][name].values, expected[metric])
    assert not np.array_equal(scores["plain"]["with"], scores["plain"]["without"])


@pytest.mark.usefixtures("routing")
def test_params_that_nobody_requested():
    models = {"logistic": LogisticRegression(), "tree": DecisionTreeClassifier()}
    params = {"sample_weight": WEIGHTS}
    with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
        compare_estimators(models, X, Y, cv=CV12, params=params)
    with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
        cross_val_score(LogisticRegression(), X, Y, cv=CV, params=params)
    with pytest.raises(TypeError, match="nonsense"):
        cross_val_score(LogisticRegression(), X, Y, cv=CV, params={"nonsense": 1})


# --------------------------------------------------------------------------------------
# Nothing that belongs to the user, or to the next fit, is changed


def test_rows_are_taken_afresh_against_cross_validate():
    # The same pipeline twice: had it scaled the neighbours' rows, their distances would change.
    models = {
        "scaled": scaled(LogisticRegression()),
        "knn": KNeighborsClassifier(3),
        "again": scaled(LogisticRegression()),
        "tree": DecisionTreeClassifier(random_state=0),
    }
    ours = X.copy()
    scores = fit_all(models, ours, Y, "neg_log_loss", CV12)["neg_log_loss"]
    for name, model in models.items():
        expected = sklearn_scores(model, X.copy(), Y, "neg_log_loss", CV12)["score"]
        np.testing.assert_array_equal(scores[name].values, expected)
    np.testing.assert_array_equal(ours, X)


class SpoilsAll(ClassifierMixin, BaseEstimator):
    """Overwrites whatever it is given to fit and to predict."""

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        for data in (X, y, sample_weight):
            data[:] = 0
        return self

    def predict(self, X):
        X[:] = 0
        return np.zeros(len(X), dtype=int)


def test_spoilt_rows_reach_nobody_else():
    ours, target, weights = X.copy(), Y.copy(), WEIGHTS.copy()
    models = {"spoils": SpoilsAll(), "tree": DecisionTreeClassifier(random_state=0)}
    params = {"sample_weight": weights}
    scores = fit_all(models, ours, target, "accuracy", CV, params=params)["accuracy"]
    expected = sklearn_scores(models["tree"], X, Y, "accuracy", CV, params={**params})["score"]
    np.testing.assert_array_equal(scores["tree"].values, expected)
    np.testing.assert_array_equal(ours, X)
    np.testing.assert_array_equal(target, Y)
    np.testing.assert_array_equal(weights, WEIGHTS)


def test_estimators_are_left_alone():
    inner = RandomForestClassifier(3, random_state=np.random.RandomState(5))
    models = {"forest": inner, "pipeline": make_pipeline(StandardScaler(), SVC())}
    before = {name: dict(vars(model)) for name, model in models.items()}
    deep = {name: repr(model.get_params()) for name, model in models.items()}
    state = inner.random_state.get_state(legacy=False)["state"]
    compare_estimators(models, X, Y, cv=CV12)
    assert {name: vars(model) for name, model in models.items()} == before
    assert {name: repr(model.get_params()) for name, model in models.items()} == deep
    assert not any(name.endswith("_") for name in vars(models["pipeline"][-1]))
    after = inner.random_state.get_state(legacy=False)["state"]
    np.testing.assert_array_equal(after["key"], state["key"])
    assert after["pos"] == state["pos"]


# --------------------------------------------------------------------------------------
# Workers


PARALLEL = {name: CLASSIFIERS[name] for name in ("scaled", "knn", "forest", "grid")}


@pytest.fixture(scope="module")
def sequential():
    """Scores of cross_validate with one worker."""
    return {
        name: sklearn_scores(model, X, Y, "neg_log_loss", CV12)["score"]
        for name, model in PARALLEL.items()
    }


@pytest.mark.parametrize("n_jobs", [1, 2, -1])
def test_n_jobs_against_cross_validate(n_jobs, sequential):
    scores = fit_all(PARALLEL, X, Y, "neg_log_loss", CV12, n_jobs=n_jobs)["neg_log_loss"]
    for name, expected in sequential.items():
        np.testing.assert_array_equal(scores[name].values, expected)


@pytest.mark.parametrize("backend", ["threading", "loky", "multiprocessing"])
def test_backends_against_cross_validate(backend, sequential):
    with joblib.parallel_config(backend=backend, n_jobs=2):
        result = compare_estimators(
            PARALLEL, X, Y, scoring="neg_log_loss", cv=CV12, fast_paths=False
        )
    for name, expected in sequential.items():
        np.testing.assert_array_equal(result.scores[name].values, expected)


def test_memory_mapped_data_against_cross_validate():
    # More than the megabyte from which joblib maps arrays into the workers, read-only.
    tall = np.random.RandomState(0).normal(size=(400, 400))
    target = np.arange(400) % 2
    models = {"scaled": scaled(KNeighborsClassifier(3)), "knn": KNeighborsClassifier(3)}
    scores = fit_all(models, tall, target, "neg_log_loss", CV, n_jobs=2)["neg_log_loss"]
    for name, model in models.items():
        expected = sklearn_scores(model, tall, target, "neg_log_loss", CV)["score"]
        np.testing.assert_array_equal(scores[name].values, expected)


def test_splits_of_a_random_state_instance_do_not_depend_on_n_jobs():
    def scores(n_jobs):
        cv = RepeatedSubsampleSplit(6, random_state=np.random.RandomState(7))
        return cross_val_score(CLASSIFIERS["tree"], X, Y, cv=cv, n_jobs=n_jobs)

    expected = sklearn_cross_val_score(
        CLASSIFIERS["tree"],
        X,
        Y,
        cv=RepeatedSubsampleSplit(6, random_state=np.random.RandomState(7)),
    )
    np.testing.assert_array_equal(scores(1).values, expected)
    np.testing.assert_array_equal(scores(2).values, expected)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_times(n_jobs):
    scores = fit_all(PARALLEL, X, Y, "accuracy", CV, n_jobs=n_jobs)["accuracy"]
    for times in (scores.fit_times, scores.score_times):
        assert times.shape == (4, 3)
        assert (times > 0).all()
        assert (times < 60).all()
    slow, fast = scores["grid"].fit_times, scores["knn"].fit_times
    assert (slow > fast).all()  # four fits against none
    assert scores["knn"].score_times.shape == (3,)


# --------------------------------------------------------------------------------------
# Failures


class NeedsRow(ClassifierMixin, BaseEstimator):
    """Cannot be fitted without the row whose first entry is `row`; without `row` never."""

    def __init__(self, row=None):
        self.row = row

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        if self.row not in X[:, 0]:
            raise RuntimeError(f"row {self.row} is missing")
        return self

    def predict(self, X):
        return np.where(X[:, 0] % 3 == 0, 1, 0)


NUMBERED = np.column_stack([np.arange(N, dtype=float), X[:, 1]])
# Row 7 is tested on in the second of ten folds only.
TEN = KFold(10)
FAILED = 1


def fails_on_row_7(estimator, X, y):
    if 7 in X[:, 0]:
        raise KeyError("row 7 is here")
    return hits(estimator, X, y)


def fails_always(y_true, y_pred):
    raise ZeroDivisionError("this metric never works")


def two_models(row=7):
    return {"tree": DecisionTreeClassifier(random_state=0), "needy": NeedsRow(row)}


def expect_with_hole(model, cv=TEN, **options):
    """Return cross_validate's scores of a model of which some fits fail."""
    with pytest.warns(FitFailedWarning, match="fits failed"):
        return sklearn_scores(model, NUMBERED, Y, "accuracy", cv, **options)["score"]


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_failed_fit_is_nan_and_warned_of_once(n_jobs):
    expected = expect_with_hole(NeedsRow(7))
    with pytest.warns(FitFailedWarning) as caught:
        scores = fit_all(two_models(), NUMBERED, Y, "accuracy", TEN, n_jobs=n_jobs)["accuracy"]
    (message,) = [str(one.message) for one in caught]
    for part in ("1 of 20", "'needy'", f"splits {FAILED})", "RuntimeError: row 7 is missing"):
        assert part in message
    assert "tree" not in message
    np.testing.assert_array_equal(scores["needy"].values, expected)
    assert np.flatnonzero(np.isnan(scores["needy"])).tolist() == [FAILED]
    assert np.isfinite(scores["tree"]).all()
    assert scores.failures == ((1, FAILED, "RuntimeError: row 7 is missing"),)


def test_failures_of_one_cause_are_gathered():
    cv = [(np.arange(N) % 10 != k, np.arange(N) % 10 == k) for k in (7, 1, 7, 2)]
    with pytest.warns(FitFailedWarning, match=r"splits 0, 2\)") as caught:
        cross_val_score(NeedsRow(7), NUMBERED, Y, cv=cv)
    assert len(caught) == 1


def test_failure_warning_points_to_the_caller():
    with pytest.warns(FitFailedWarning) as caught:
        cross_val_score(NeedsRow(7), NUMBERED, Y, cv=TEN)
    assert [one.filename for one in caught] == [__file__]


@pytest.mark.parametrize("error_score", [np.nan, 0.0, -1, np.float64(0.5)])
def test_error_score_against_sklearn(error_score):
    expected = expect_with_hole(NeedsRow(7), error_score=error_score)
    with pytest.warns(FitFailedWarning, match=f"scores are {error_score}"):
        scores = cross_val_score(NeedsRow(7), NUMBERED, Y, cv=TEN, error_score=error_score)
    np.testing.assert_array_equal(scores.values, expected)


@pytest.mark.parametrize("error_score", ["rasie", None])
def test_error_score_unknown(error_score):
    with pytest.raises(ValueError, match="error_score"):
        cross_val_score(NeedsRow(7), NUMBERED, Y, cv=TEN, error_score=error_score)


@pytest.mark.parametrize("error_score", ["rasie", None, 0.0])
def test_error_score_of_comparisons(error_score):
    with pytest.raises(ValueError, match=r"error_score=.* must be 'raise' or"):
        compare_estimators(two_models(), NUMBERED, Y, cv=TEN, error_score=error_score)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_error_score_raise_keeps_the_exception(n_jobs):
    with pytest.raises(RuntimeError, match="row 7 is missing") as caught:
        compare_estimators(two_models(), NUMBERED, Y, cv=TEN, error_score="raise", n_jobs=n_jobs)
    assert str(caught.value) == "row 7 is missing"
    assert caught.value.__notes__ == [f"skcvstats: estimator 'needy', split {FAILED}"]


def test_error_score_raise_of_a_scorer():
    with pytest.raises(KeyError, match="row 7 is here") as caught:
        compare_estimators(
            two_models(), NUMBERED, Y, scoring=fails_on_row_7, cv=TEN, error_score="raise"
        )
    assert caught.value.__notes__ == [f"skcvstats: estimator 'tree', split {FAILED}"]


def test_error_score_raise_of_one_of_several_metrics():
    scoring = {"good": "accuracy", "bad": make_scorer(fails_always)}
    with pytest.raises(ZeroDivisionError, match="never works") as caught:
        fit_all(two_models(), NUMBERED, Y, scoring, TEN, error_score="raise")
    assert caught.value.__notes__ == ["skcvstats: estimator 'tree', split 0"]


def test_all_failed():
    with pytest.raises(FitError, match=r"10 of 10 fits .*\n.*'NeedsRow': RuntimeError: row None"):
        cross_val_score(NeedsRow(), NUMBERED, Y, cv=TEN)


def test_failing_scorer_against_sklearn():
    model = DecisionTreeClassifier(random_state=0)
    with pytest.warns(UserWarning, match="Scoring failed"):
        expected = sklearn_scores(model, NUMBERED, Y, fails_on_row_7, TEN)["score"]
    with pytest.warns(FitFailedWarning, match="KeyError: 'row 7 is here'"):
        scores = cross_val_score(model, NUMBERED, Y, scoring=fails_on_row_7, cv=TEN)
    np.testing.assert_array_equal(scores.values, expected)
    assert np.flatnonzero(np.isnan(expected)).tolist() == [FAILED]


def test_failing_metric_of_several_against_sklearn():
    model = DecisionTreeClassifier(random_state=0)
    scoring = {"good": "accuracy", "bad": make_scorer(fails_always)}
    with pytest.warns(UserWarning, match="Scoring failed"):
        expected = sklearn_scores(model, NUMBERED, Y, scoring, TEN)
    with pytest.warns(FitFailedWarning, match="bad: ZeroDivisionError: this metric never works"):
        scores = fit_all({"tree": model}, NUMBERED, Y, scoring, TEN)
    assert list(scores) == ["good", "bad"]
    np.testing.assert_array_equal(scores["good"].values[0], expected["good"])
    np.testing.assert_array_equal(scores["bad"].values[0], expected["bad"])
    assert np.isnan(expected["bad"]).all()


@pytest.mark.parametrize("scoring", [["accuracy", "f1_macro"], hits_and_size])
def test_failed_fit_of_several_metrics_against_sklearn(scoring):
    with pytest.warns(FitFailedWarning, match="fits failed"):
        expected = sklearn_scores(NeedsRow(7), NUMBERED, Y, scoring, TEN)
    with pytest.warns(FitFailedWarning, match="row 7 is missing"):
        scores = fit_all({"needy": NeedsRow(7)}, NUMBERED, Y, scoring, TEN)
    assert set(scores) == set(expected)
    for metric, values in expected.items():
        np.testing.assert_array_equal(scores[metric].values[0], values)


@pytest.mark.parametrize("error_score", [np.nan, "raise"])
@pytest.mark.parametrize("answer", ["high", None, np.ones(3), [0.5]])
def test_scorer_must_return_a_number(answer, error_score):
    with pytest.raises(ValueError, match="must return a number"):
        cross_val_score(
            DummyClassifier(), X, Y, scoring=lambda *_: answer, cv=CV, error_score=error_score
        )
    if isinstance(answer, str):  # scikit-learn takes it for the traceback of a failure
        return
    with pytest.raises(ValueError, match="must return a number"):
        sklearn_cross_val_score(DummyClassifier(), X, Y, scoring=lambda *_: answer, cv=CV)


@pytest.mark.parametrize("error_score", [np.nan, "raise"])
def test_scorer_of_several_must_return_numbers(error_score):
    def mixed(estimator, X, y):
        return {"good": 0.5, "bad": "high"}

    with pytest.raises(ValueError, match="must return a number"):
        cross_validate(DummyClassifier(), X, Y, scoring=mixed, cv=CV, error_score=error_score)
    with pytest.raises(ValueError, match="must return a number"):
        fit_all({"dummy": DummyClassifier()}, X, Y, mixed, CV, error_score=error_score)


@pytest.mark.parametrize("number", [np.float32(0.1), np.array(0.1), np.array([0.1]), True, 3])
def test_kinds_of_numbers_against_sklearn(number):
    def scoring(estimator, X, y):
        return number

    expected = sklearn_cross_val_score(DummyClassifier(), X, Y, scoring=scoring, cv=CV)
    scores = cross_val_score(DummyClassifier(), X, Y, scoring=scoring, cv=CV)
    np.testing.assert_array_equal(scores.values, expected)


def fit_error(**options):
    """Return the FitError of a comparison in which one of the models has failed."""
    with (
        pytest.warns(FitFailedWarning, match="their scores are nan"),
        pytest.raises(FitError, match="missing") as caught,
    ):
        compare_estimators(two_models(), NUMBERED, Y, cv=CV12, **options)
    return caught.value


def splits_without(row, cv=CV12):
    return [k for k, (train, _) in enumerate(cv.split(NUMBERED, Y)) if row not in train]


def test_fit_error_says_where_and_why():
    first, *others = splits_without(7)
    message = str(fit_error())
    for part in (f"{1 + len(others)} of 24", "needy", f"split {first}", "row 7 is missing"):
        assert part in message


def test_fit_error_keeps_the_scores():
    failed = splits_without(7)
    assert 0 < len(failed) < 3
    kept = np.setdiff1d(np.arange(12), failed)
    scores = fit_error(scoring=["accuracy", "f1_macro"]).scores
    assert list(scores) == ["accuracy", "f1_macro"]
    with pytest.warns(FitFailedWarning, match="fits failed"):
        needy = sklearn_scores(NeedsRow(7), NUMBERED, Y, ["accuracy", "f1_macro"], CV12)
    for metric, expected in needy.items():
        np.testing.assert_array_equal(scores[metric]["needy"].values, expected)
        complete = scores[metric].dropna()
        np.testing.assert_array_equal(complete["needy"].values, expected[kept])
        assert complete["tree"].shape == kept.shape
        result = compare_scores(complete)
        difference = np.mean(scores[metric].values[0, kept] - expected[kept])
        assert result.tests[0].estimate == pytest.approx(difference)
        assert result.tests[0].n_splits == len(kept)


def test_fit_error_of_a_metric_that_always_fails():
    scoring = {"good": "accuracy", "bad": make_scorer(fails_always)}
    tree = DecisionTreeClassifier(random_state=0)
    models = {"tree": tree, "dummy": DummyClassifier()}
    with (
        pytest.warns(FitFailedWarning, match="never works"),
        pytest.raises(FitError, match=r"'bad' are missing.*tree, split 0.*never works") as caught,
    ):
        compare_estimators(models, NUMBERED, Y, scoring=scoring, cv=CV12)
    expected = sklearn_scores(tree, NUMBERED, Y, "accuracy", CV12)["score"]
    np.testing.assert_array_equal(caught.value.scores["good"]["tree"].values, expected)


def test_fit_error_pickles():
    error = fit_error()
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is FitError
    assert str(copy) == str(error)
    assert list(copy.scores) == ["accuracy"]
    np.testing.assert_array_equal(copy.scores["accuracy"].values, error.scores["accuracy"].values)


def test_fit_error_when_all_fits_of_one_estimator_failed():
    with (
        pytest.warns(FitFailedWarning, match="'needy': RuntimeError: row None is missing"),
        pytest.raises(FitError, match=r"needy, split 0.*row None is missing") as caught,
    ):
        compare_estimators(two_models(None), NUMBERED, Y, cv=CV12)
    assert np.isnan(caught.value.scores["accuracy"]["needy"]).all()
    assert np.isfinite(caught.value.scores["accuracy"]["tree"]).all()


# --------------------------------------------------------------------------------------
# Losses of the single rows


def squared_error(y_true, y_pred):
    return (y_true - y_pred) ** 2


def mean_squared_error(y_true, y_pred):
    return np.mean((y_true - y_pred) ** 2)


def loss_by_hand(model, cv):
    """Return the row numbers and the losses of each split, rows in ascending order."""
    rows, losses = [], []
    for train, test in cv.split(X, SIGNAL):
        fitted = clone(model).fit(X[train], SIGNAL[train])
        ascending = sorted(test.tolist())
        # Predicted in the order of the splits, as scores are, then sorted: same bits.
        loss = dict(zip(test.tolist(), (SIGNAL[test] - fitted.predict(X[test])) ** 2, strict=True))
        rows.append(ascending)
        losses.append([loss[row] for row in ascending])
    return rows, losses


LOSS_MODELS = {"ridge": Ridge(), "tree": DecisionTreeRegressor(random_state=0)}


@pytest.mark.parametrize(
    "cv",
    [
        KFold(7),
        KFold(7, shuffle=True, random_state=0),
        ShuffleSplit(5, test_size=0.2, random_state=0),
        RepeatedSubsampleSplit(5, random_state=0),
    ],
    ids=["ragged", "ragged, shuffled", "ShuffleSplit", "ours"],
)
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_losses_against_a_loop(cv, n_jobs):
    found = fit_all(LOSS_MODELS, X, SIGNAL, "r2", cv, loss=squared_error, n_jobs=n_jobs)
    assert list(found) == ["r2", "neg_squared_error"]
    scores = found["neg_squared_error"]
    for name, model in LOSS_MODELS.items():
        rows, losses = loss_by_hand(model, cv)
        ours = scores[name].losses
        assert len(ours.offsets) == len(rows) + 1
        for k in range(len(rows)):
            np.testing.assert_array_equal(ours.split(k)[0], rows[k])
            np.testing.assert_array_equal(ours.split(k)[1], losses[k])
        means = [-np.mean(one) for one in losses]
        np.testing.assert_allclose(scores[name].values, means, rtol=1e-13)


def test_scores_beside_losses_against_cross_validate():
    found = fit_all(LOSS_MODELS, X, SIGNAL, "r2", KFold(7), loss=squared_error)
    for name, model in LOSS_MODELS.items():
        expected = sklearn_scores(model, X, SIGNAL, "r2", KFold(7))["score"]
        np.testing.assert_array_equal(found["r2"][name].values, expected)
    assert found["r2"].losses is None


def test_difference_of_losses_against_a_loop():
    cv = KFold(7, shuffle=True, random_state=0)
    scores = fit_all(LOSS_MODELS, X, SIGNAL, "r2", cv, loss=squared_error)["neg_squared_error"]
    rows, ridge = loss_by_hand(Ridge(), cv)
    _, tree = loss_by_hand(LOSS_MODELS["tree"], cv)
    difference = scores["ridge"] - scores["tree"]
    np.testing.assert_array_equal(difference.losses.rows, np.concatenate(rows))
    np.testing.assert_array_equal(
        difference.losses.values, np.concatenate(ridge) - np.concatenate(tree)
    )
    means = [-np.mean(np.subtract(a, b)) for a, b in zip(ridge, tree, strict=True)]
    np.testing.assert_allclose(difference.values, means, rtol=1e-12)


def test_loss_must_be_per_row():
    with pytest.raises(ValueError, match=r"gave shape \(\) for 9 test rows"):
        fit_all(LOSS_MODELS, X, SIGNAL, "r2", KFold(7), loss=mean_squared_error)


def test_loss_named_like_a_metric():
    with pytest.raises(ValueError, match="both named 'neg_squared_error'"):
        fit_all(
            LOSS_MODELS,
            X,
            SIGNAL,
            {"neg_squared_error": make_scorer(mean_absolute_error)},
            KFold(7),
            loss=squared_error,
        )


def test_failed_fit_with_losses_keeps_the_scores():
    with pytest.warns(FitFailedWarning, match="row 7 is missing"):
        found = fit_all(two_models(), NUMBERED, Y, "accuracy", TEN, loss=squared_error)
    expected = expect_with_hole(NeedsRow(7))
    np.testing.assert_array_equal(found["accuracy"]["needy"].values, expected)
    losses = found["neg_squared_error"]["needy"]
    np.testing.assert_array_equal(np.isnan(losses.values), np.isnan(expected))
    with pytest.raises(FitError, match=r"needy.*row 7 is missing"):
        losses.check_complete()


# --------------------------------------------------------------------------------------
# Progress


def compare_aloud(verbose, n_jobs=None):
    models = {"tree": DecisionTreeClassifier(random_state=0), "dummy": DummyClassifier()}
    return fit_all(models, X, Y, "accuracy", CV12, verbose=verbose, n_jobs=n_jobs)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_progress_bar_counts_all_fits(n_jobs, capsys):
    pytest.importorskip("tqdm")
    compare_aloud(1, n_jobs)
    printed = capsys.readouterr()
    assert "0/24" in printed.err
    assert "24/24" in printed.err
    assert "25/24" not in printed.err
    assert printed.out == ""


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_progress_in_lines_without_tqdm(n_jobs, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    compare_aloud(1, n_jobs)
    printed = capsys.readouterr()
    counts = [line.split()[1] for line in printed.err.splitlines()]
    # The first fit, then each second one: a tenth of 24.
    assert counts == [f"{k}/24" for k in (1, *range(2, 25, 2))]
    assert printed.out == ""


def test_no_progress_by_default(capsys):
    compare_aloud(0)
    cross_val_score(DummyClassifier(), X, Y, cv=CV)
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", "")


def test_progress_of_cross_val_score(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    cross_val_score(DummyClassifier(), X, Y, cv=CV, verbose=1)
    assert [line.split()[1] for line in capsys.readouterr().err.splitlines()] == [
        "1/3",
        "2/3",
        "3/3",
    ]


def test_pos_label_is_hinted_at():
    scoring = make_scorer(precision_score)
    with pytest.raises(FitError, match="scoring='f1_macro'"):
        cross_val_score(CLASSIFIERS["tree"], X, WORDS, scoring=scoring, cv=CV)
