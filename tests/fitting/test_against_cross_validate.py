"""Scores are those of scikit-learn's cross_validate, to the last bit, with params of fits too."""

import functools
import inspect
from itertools import product

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.cluster import KMeans
from sklearn.compose import make_column_transformer
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, fbeta_score, get_scorer, make_scorer, max_error
from sklearn.model_selection import GridSearchCV, GroupKFold, ShuffleSplit, TimeSeriesSplit
from sklearn.model_selection import cross_val_score as sklearn_cross_val_score
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler
from sklearn.svm import SVC, SVR
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import skcvstats as s
from skcvstats.model_selection import HalfSplitPairs, RepeatedSubsampleSplit
from tests.conftest import every
from tests.fitting.estimators import flattened
from tests.processes import JOBS

from . import against_sklearn as like
from .against_sklearn import CLASSIFIERS, CV, CV12, GROUPS, SIGNAL, WEIGHTS, WORDS, N, X, Y, fit_all

FRAME = pd.DataFrame(X, index=like.INDEX, columns=list("abcd"))
MIXED = FRAME.assign(colour=np.array(["red", "green", "blue"])[np.arange(N) % 3])
TEXTS = [f"{'good fine' if label else 'bad poor'} w{k % 5} w{k % 3}" for k, label in enumerate(Y)]
KERNEL = X @ X.T

METRICS = {
    "accuracy": "accuracy", "f1_macro": "f1_macro", "roc_auc": "roc_auc",
    "neg_log_loss": "neg_log_loss", "scorer": make_scorer(fbeta_score, beta=0.5, zero_division=0),
    "callable": like.hits,
}  # fmt: skip
REGRESSORS = {
    "ridge": Ridge(), "tree": DecisionTreeRegressor(random_state=0),
    "knn": like.scaled(KNeighborsRegressor(3)), "svr": SVR(kernel="linear", C=0.1),
}  # fmt: skip
REGRESSION_METRICS = {name: name for name in ("r2", "neg_mean_squared_error")}
REGRESSION_METRICS["scorer"] = make_scorer(max_error, greater_is_better=False)
SEVERAL = {"list": ["accuracy", "roc_auc", "neg_log_loss"], "tuple": ("f1_macro", "accuracy")}
SEVERAL["dict"] = {"acc": "accuracy", "mine": like.hits, "fbeta": make_scorer(fbeta_score, beta=2)}
SEVERAL["callable"] = like.hits_and_size
CONTAINERS = {
    "fortran": np.asfortranarray(X), "float32": X.astype(np.float32),
    "not contiguous": np.repeat(X, 2, axis=1)[:, ::2],
    "read-only": np.frombuffer(X.tobytes()).reshape(X.shape), "frame": FRAME,
    "csr": sp.csr_matrix(X), "csc": sp.csc_matrix(X), "lists": X.tolist(),
}  # fmt: skip
TARGETS = {
    "words": WORDS, "objects": WORDS.astype(object), "list": Y.tolist(),
    "series": pd.Series(Y, index=like.INDEX), "series of words": pd.Series(WORDS, index=like.INDEX),
    "categories": pd.Series(WORDS, index=like.INDEX, dtype="category"), "booleans": Y == 1,
}  # fmt: skip
MASKS = [(k != GROUPS, k == GROUPS) for k in range(4)]
FOLDS = [(np.flatnonzero(train), np.flatnonzero(test)) for train, test in MASKS]
SPLITTERS = {
    "ours": RepeatedSubsampleSplit(4, test_size=0.2, random_state=0),
    "ours, stratified": RepeatedSubsampleSplit(4, stratify=True, random_state=1),
    "half pairs": HalfSplitPairs(2, 2, test_size=0.2, random_state=0),
    "shuffle": ShuffleSplit(4, test_size=0.3, random_state=0), "time": TimeSeriesSplit(3), "int": 3,
    "none": None, "list": FOLDS, "masks": MASKS,
    "rows that repeat": [(np.tile(train[:30], 2), test) for train, test in FOLDS],
}  # fmt: skip


def without_target(estimator, X):
    return -estimator.transform(X).min()


KERNELS = GridSearchCV(SVC(kernel="precomputed"), {"C": [0.1, 10]}, cv=2)
AREAS = GridSearchCV(LogisticRegression(max_iter=1000), {"C": [0.1, 1]}, scoring="roc_auc", cv=2)
ENCODED = make_column_transformer((OneHotEncoder(), ["colour"]), remainder=StandardScaler())
FLATTENED = make_pipeline(FunctionTransformer(flattened), SVC())
SPECIAL = {
    "svc, decision function": (SVC(C=10), X, Y, "roc_auc"),
    "precomputed kernel": (SVC(kernel="precomputed"), KERNEL, Y, "accuracy"),
    "precomputed kernel, grid": (KERNELS, KERNEL, Y, "accuracy"),
    "strings in a frame": (
        make_pipeline(ENCODED, LogisticRegression()),
        *(MIXED, pd.Series(WORDS, index=like.INDEX), "neg_log_loss"),
    ),
    "texts": (make_pipeline(TfidfVectorizer(), LogisticRegression()), TEXTS, WORDS, "accuracy"),
    "three dimensions": (FLATTENED, X.reshape(N, 2, 2), Y, "accuracy"),
    "outputs in a frame": (Ridge(), FRAME, pd.DataFrame(like.OUTPUTS, index=like.INDEX), "r2"),
    "own score": (LogisticRegression(max_iter=1000), X, Y, None),
    "own score, clusters": (KMeans(2, n_init=1, random_state=0), X, None, None),
    "own score, grid": (AREAS, X, Y, None),
    "no target, callable": (KMeans(2, n_init=1, random_state=0), X, None, without_target),
}


def half_of(names, metrics):
    """Return pairs: each name with every other metric, and each metric with every other name."""
    return [(a, b) for k, a in enumerate(names) for j, b in enumerate(metrics) if (k + j) % 2 == 0]


BETA = make_scorer(functools.partial(fbeta_score, beta=2))
SHUFFLED = ShuffleSplit(3, test_size=0.3, random_state=0)
LOGISTIC, TREE = LogisticRegression(max_iter=2000), CLASSIFIERS["tree"]
KNN, SCALED = like.scaled(KNeighborsClassifier(3)), CLASSIFIERS["scaled"]
QUARTERS = ShuffleSplit(4, test_size=0.25, random_state=0)
# By name: estimator, data, target, metric, splits.
CASES = {
    **{
        f"{model}, {metric}": (CLASSIFIERS[model], X, Y, METRICS[metric], CV)
        for model, metric in half_of(CLASSIFIERS, METRICS)
    },
    **{
        f"{model}, {metric}": (REGRESSORS[model], X, SIGNAL, REGRESSION_METRICS[metric], SHUFFLED)
        for model, metric in product(REGRESSORS, REGRESSION_METRICS)
    },
    **{
        f"{kind}, {metric}": (LOGISTIC, CONTAINERS[kind], Y, metric, CV)
        for kind, metric in half_of(CONTAINERS, ["accuracy", "neg_log_loss"])
    },
    **{
        f"scaled in place, {kind}": (KNN, CONTAINERS[kind], Y, "neg_log_loss", CV)
        for kind in ("fortran", "float32", "frame")
    },
    **{
        f"target of {kind}, {metric}": (TREE, X, TARGETS[kind], metric, CV)
        for kind, metric in product(TARGETS, ["f1_macro", "neg_log_loss"])
    },
    **{f"splits, {kind}": (SCALED, X, Y, "neg_log_loss", cv) for kind, cv in SPLITTERS.items()},
    **{kind: (*case, QUARTERS) for kind, case in SPECIAL.items()},
    "scorer of a partial": (TREE, X, Y, BETA, CV),
}


@pytest.mark.parametrize("name", every(3, CASES))
def test_scores_against_cross_validate(name):
    like.assert_like_sklearn(*CASES[name])


@pytest.mark.parametrize("cv", [GroupKFold(3), RepeatedSubsampleSplit(4, random_state=0)])
def test_groups_against_cross_validate(cv):
    like.assert_like_sklearn(CLASSIFIERS["scaled"], X, Y, "neg_log_loss", cv, groups=GROUPS)


def test_precomputed_frame_against_cross_validate_of_the_array():
    model = SVC(kernel="precomputed")
    frame = pd.DataFrame(KERNEL, index=like.INDEX, columns=like.INDEX)
    expected = like.sklearn_scores(model, KERNEL, Y, "roc_auc", CV)["score"]
    scores = s.cross_val_score(model, frame, Y, scoring="roc_auc", cv=CV)
    np.testing.assert_array_equal(scores.values, expected)


@pytest.mark.parametrize("name", SEVERAL)
def test_several_metrics_against_cross_validate(name):
    models = {"scaled": CLASSIFIERS["scaled"], "forest": CLASSIFIERS["forest"]}
    scores = fit_all(models, X, Y, SEVERAL[name], CV)
    for k, model in enumerate(models.values()):
        expected = like.sklearn_scores(model, X, Y, SEVERAL[name], CV)
        assert set(scores) == set(expected)
        for metric, values in expected.items():
            np.testing.assert_array_equal(scores[metric].values[k], values)


def test_a_users_function_is_called_once_for_each_split():
    sizes = []

    def counted(y, predicted):
        sizes.append(len(y))
        return np.mean(y == predicted)

    s.cross_val_score(DummyClassifier(), X, Y, scoring=make_scorer(counted), cv=CV)
    assert sizes == [len(test) for _, test in CV.split(X, Y)]


def test_signature_against_sklearn():
    # What ours has besides.
    further = dict.fromkeys(["store", "splits"], (inspect.Parameter.KEYWORD_ONLY, "None"))
    theirs = inspect.signature(sklearn_cross_val_score).parameters
    ours = inspect.signature(s.cross_val_score).parameters
    expected = {name: (one.kind, repr(one.default)) for name, one in theirs.items()}
    found = {name: (one.kind, repr(one.default)) for name, one in ours.items()}
    assert list(found) == [*expected, *further]
    assert found == {**expected, **further}


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
    expected = like.sklearn_scores(models["tree"], X, Y, "accuracy", CV, params={**params})["score"]
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
    s.compare_estimators(models, X, Y, cv=CV12)
    assert {name: vars(model) for name, model in models.items()} == before
    assert {name: repr(model.get_params()) for name, model in models.items()} == deep
    assert not any(name.endswith("_") for name in vars(models["pipeline"][-1]))
    after = inner.random_state.get_state(legacy=False)["state"]
    np.testing.assert_array_equal(after["key"], state["key"])
    assert after["pos"] == state["pos"]


CUTS, OF_SERIES = np.array([0.1, 0.2]), pd.Series(WEIGHTS, like.INDEX)


class TakesOptions(ClassifierMixin, BaseEstimator):
    """Fitted with options that do not belong to rows, and with some that do."""

    def fit(self, X, y, cuts, name, weights):
        self.classes_ = np.unique(y)
        self.cut_ = cuts.sum() * len(name) * np.average(X[:, 0], weights=weights)
        return self

    def predict(self, X):
        return (X[:, 0] > self.cut_).astype(int)


@pytest.mark.parametrize(
    ("model", "metric", "params"),
    [
        (CLASSIFIERS["logistic"], "neg_log_loss", {"sample_weight": WEIGHTS.tolist()}),
        (CLASSIFIERS["logistic"], "neg_log_loss", {"sample_weight": OF_SERIES}),
        (CLASSIFIERS["scaled"], "neg_log_loss", {"logisticregression__sample_weight": WEIGHTS}),
        (TakesOptions(), "accuracy", {"cuts": CUTS, "name": "above", "weights": WEIGHTS}),
    ],
    ids=["list", "series", "of a step", "not of rows"],
)
def test_params_against_cross_validate(model, metric, params):
    like.assert_like_sklearn(model, X, Y, metric, CV, params=params)


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
@pytest.mark.parametrize(
    ("model", "is_weighted", "cv", "params"),
    [
        # scikit-learn 1.6.0 does not take params=None here.
        (CLASSIFIERS["logistic"], False, CV, {}),
        (CLASSIFIERS["tree"], False, RepeatedSubsampleSplit(4, random_state=0), {"groups": GROUPS}),
        (None, True, CV, {"sample_weight": WEIGHTS}),
        (None, True, GroupKFold(3), {"sample_weight": WEIGHTS, "groups": GROUPS}),
    ],
)
def test_routing_against_cross_validate(model, is_weighted, cv, params):
    scoring = weighted_scorer() if is_weighted else "accuracy"
    like.assert_like_sklearn(model or weighing(), X, Y, scoring, cv, params=params)


@pytest.mark.usefixtures("routing")
def test_groups_beside_routed_params_against_cross_validate():
    models, cv, weights = {"a": weighing()}, GroupKFold(3), {"sample_weight": WEIGHTS}
    params = weights | {"groups": GROUPS}
    expected = like.sklearn_scores(models["a"], X, Y, weighted_scorer(), cv, params=params)["score"]
    found = fit_all(models, X, Y, weighted_scorer(), cv, groups=GROUPS, params=weights)
    np.testing.assert_array_equal(found["accuracy_score"]["a"].values, expected)
    with pytest.raises(ValueError, match="groups is given twice"):
        s.cross_val_inference(models["a"], X, Y, groups=GROUPS, cv=cv, params={"groups": GROUPS})


@pytest.mark.usefixtures("routing")
@pytest.mark.parametrize("n_jobs", JOBS)
def test_routed_weights_of_one_of_two_against_cross_validate(n_jobs):
    models = {"with": weighing(True), "without": weighing(False)}
    plain = get_scorer("neg_log_loss").set_score_request(sample_weight=False)
    scoring = {"weighted": weighted_scorer(), "plain": plain}
    params = {"sample_weight": WEIGHTS}
    scores = fit_all(models, X, Y, scoring, CV, params=params, n_jobs=n_jobs)
    for name, model in models.items():
        expected = like.sklearn_scores(model, X, Y, scoring, CV, params=params)
        for metric in scoring:
            np.testing.assert_array_equal(scores[metric][name].values, expected[metric])
    assert not np.array_equal(scores["plain"]["with"], scores["plain"]["without"])


@pytest.mark.usefixtures("routing")
def test_params_that_nobody_requested():
    models = {"logistic": LogisticRegression(), "tree": DecisionTreeClassifier()}
    params = {"sample_weight": WEIGHTS}
    with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
        s.compare_estimators(models, X, Y, cv=CV12, params=params)


class Told(ClassifierMixin, BaseEstimator):
    """Be told a text in fit, which must come whole."""

    def fit(self, X, y, text=None):
        assert text in ("x" * len(Y), b"x" * len(Y))
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


@pytest.mark.parametrize("text", ["x" * len(Y), b"x" * len(Y)], ids=["str", "bytes"])
def test_a_text_as_long_as_the_data_is_not_split(text):
    scores = s.cross_val_score(Told(), X, Y, cv=CV, params={"text": text}, error_score="raise")
    assert np.isfinite(scores.values).all()


class Watching(DummyClassifier):
    def fit(self, X, y, eval_set=None):
        assert [len(part) for part in eval_set[0]] == [10, 10]
        return super().fit(X, y)


def test_rows_held_out_for_early_stopping_are_passed_as_they_are():
    params = {"eval_set": [(X[:10], Y[:10])]}
    scores = s.cross_val_score(Watching(), X, Y, cv=CV, params=params, error_score="raise")
    np.testing.assert_array_equal(scores, s.cross_val_score(DummyClassifier(), X, Y, cv=CV))
    assert scores.provenance["params"].startswith("eval_set=[(array([[")


DOORS = (s.compare_estimators, s.cross_val_inference, s.cross_val_score, s.learning_curve_inference)


class TestUnweightedScores:
    """Fits get weights, and scores do not unless their scorer asks for them."""

    def test_are_noted_and_params_are_in_the_report(self):
        for model, params in (
            ("logistic", {"sample_weight": WEIGHTS}),
            ("scaled", {"logisticregression__sample_weight": WEIGHTS.tolist()}),
        ):
            models = {"a": CLASSIFIERS[model], "b": CLASSIFIERS[model]}
            how = {"cv": CV, "params": params, "scoring": ["accuracy", "neg_log_loss"]}
            with pytest.warns(s.DegenerateScoresWarning):
                result = s.compare_estimators(models, X, Y, **how)
            assert [n.code for n in result.notes].count("unweighted scores") == 1
            (name,) = params
            said = f"params: {name}="
            assert said in " ".join(str(s.evaluation_report(result)).split())
            one = s.cross_val_inference(models["a"], X, Y, cv=CV, params=params)
            assert "unweighted scores" in [note.code for note in one.notes]
        plain = s.cross_val_inference(CLASSIFIERS["logistic"], X, Y, cv=CV)
        assert "unweighted scores" not in [note.code for note in plain.notes]
        assert "params:" not in str(s.evaluation_report(plain))

    def test_scorers_that_request_weights(self):
        for requests in (True, False):
            with sklearn.config_context(enable_metadata_routing=True):
                scorer = get_scorer("accuracy").set_score_request(sample_weight=requests)
                params = {"sample_weight": WEIGHTS}
                how = {"cv": CV, "scoring": scorer, "params": params}
                result = s.cross_val_inference(weighing(), X, Y, **how)
            codes = [note.code for note in result.notes]
            assert ("unweighted scores" in codes) == (not requests)

    @pytest.mark.parametrize("door", DOORS)
    def test_weights_as_an_argument_are_refused_with_the_way_on(self, door):
        given = {"a": DecisionTreeClassifier(), "b": LogisticRegression()}
        with pytest.raises(ValueError, match=r"has no sample_weight=.*params=\{.sample_weight"):
            door(given, X, Y, sample_weight=WEIGHTS)


def test_row_numbers_from_the_end():
    cv = [(np.arange(30), np.arange(-20, 0)), (np.arange(-30, 0), np.arange(20))]
    ours = s.cross_val_score(Ridge(), X, SIGNAL, cv=cv)
    np.testing.assert_array_equal(ours, sklearn_cross_val_score(Ridge(), X, SIGNAL, cv=cv))
    train, test = zip(*((train % N, test % N) for train, test in cv), strict=True)
    assert ours.design.digest == s.SplitDesign.from_indices(train, test, n_samples=N).digest
