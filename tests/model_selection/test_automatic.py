"""``method="auto"``: which test it takes and why, and that it is that test and no other."""

import warnings
from inspect import signature
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy import sparse
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, brier_score_loss, get_scorer, make_scorer, roc_auc_score
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    LeaveOneGroupOut,
    LeaveOneOut,
    PredefinedSplit,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    TimeSeriesSplit,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import skcvstats.model_selection as model_selection
from skcvstats import (
    AnticonservativeWarning,
    FitError,
    RepeatedSubsampleSplit,
    RowTTest,
    SplitDesignError,
    compare_estimators,
    compare_scores,
    cross_val_inference,
)
from skcvstats.command_line import main
from tests.cheap import NearestMean

pytestmark = [pytest.mark.filterwarnings("ignore")]

RNG = np.random.default_rng(0)
X, Y = (rows[:120:2] for rows in load_breast_cancer(return_X_y=True))
X = X[:, :3]
N = len(Y)
R = X[:, 0] + RNG.normal(size=N)
GROUPS = np.arange(N) % 12
PAIR = {"one": NearestMean(), "three": NearestMean(3)}
BAYES = {"bayes": GaussianNB(), "dummy": DummyClassifier()}
NUMBERS = {"ridge": Ridge(), "dummy": DummyRegressor()}
TREES = {"near": KNeighborsClassifier(), "tree": DecisionTreeClassifier(max_depth=2)}
ROWS, SPLITS = "row_t", "corrected_resampled_t"


def folds(seed=0, n_splits=5):
    return RepeatedStratifiedKFold(n_splits=n_splits, n_repeats=2, random_state=seed)


def squares(estimator, X, y):
    return -float(np.mean((y - estimator.predict(X)) ** 2))


def chosen(estimators, X, y, **options):
    """Return the test that both doors chose, and the reason that both give."""
    result = compare_estimators(estimators, X, y, **options)
    alone = cross_val_inference(next(iter(estimators.values())), X, y, **options)
    one = alone if hasattr(alone, "method") else alone.inferences[alone.metrics[0]]
    (note,) = (str(note) for note in result.notes if note.code == "method")
    (same,) = (str(note) for note in one.notes if note.code == "method")
    assert note == same
    assert {of.procedure.name for of in result.tests_by_metric.values()} == {one.method}
    return one.method, note


class TestWhere:
    """The row t-test needs means over rows, and folds that test each row once in each repeat."""

    @pytest.mark.parametrize(
        ("y", "options", "which"),
        [
            (Y, {}, "accuracy is a mean"),
            (Y, {"scoring": "accuracy"}, "accuracy is a mean"),
            (Y, {"scoring": "neg_log_loss"}, "neg_log_loss is a mean"),
            (Y, {"scoring": "neg_brier_score"}, "neg_brier_score is a mean"),
            (Y, {"scoring": ["accuracy", "neg_log_loss"]}, "the metrics are means"),
            (Y, {"scoring": {"Hits": make_scorer(accuracy_score)}}, "Hits is a mean"),
            (Y, {"cv": 5}, "accuracy is a mean"),
            (Y, {"cv": 3}, "accuracy is a mean"),
            (Y, {"cv": KFold(10, shuffle=True, random_state=0)}, "accuracy is a mean"),
            (Y, {"cv": RepeatedKFold(n_splits=5, n_repeats=3)}, "accuracy is a mean"),
            (Y, {"cv": folds()}, "accuracy is a mean"),
            (Y, {"cv": list(folds().split(X, Y))}, "accuracy is a mean"),
            (Y, {"cv": PredefinedSplit(np.arange(N) % 5)}, "accuracy is a mean"),
            (Y, {"groups": GROUPS}, "accuracy is a mean"),
            (Y, {"groups": GROUPS, "cv": GroupKFold(5)}, "accuracy is a mean"),
            (Y, {"groups": GROUPS, "cv": StratifiedGroupKFold(5)}, "accuracy is a mean"),
            (R, {"scoring": "neg_mean_squared_error"}, "neg_mean_squared_error is a mean"),
            (R, {"scoring": "neg_mean_absolute_error", "cv": 5}, "neg_mean_absolute_error is a"),
        ],
    )
    def test_rows(self, y, options, which):
        method, why = chosen(BAYES if y is Y else NUMBERS, X, y, **options)
        assert method == ROWS
        assert f'method="auto" chose the row t-test, as {which}' in why
        assert " over rows" in why

    @pytest.mark.parametrize(
        ("y", "options", "why"),
        [
            (Y, {"scoring": "f1"}, "f1 is not a mean over rows"),
            (Y, {"scoring": "roc_auc"}, "roc_auc is not a mean over rows"),
            (Y, {"scoring": make_scorer(roc_auc_score)}, "score is not a mean over rows"),
            (Y, {"scoring": "balanced_accuracy", "cv": 5}, "balanced_accuracy is not a mean"),
            (Y, {"scoring": ["accuracy", "f1"]}, "f1 is not a mean over rows"),
            (R, {}, "r2 is not a mean over rows"),
            (R, {"scoring": squares}, "squares is not known to be a mean over rows"),
            (R, {"scoring": "neg_root_mean_squared_error"}, "squared_error is not a mean"),
            (Y, {"cv": ShuffleSplit(12, random_state=0)}, "each row is tested once in each repeat"),
            (Y, {"cv": RepeatedSubsampleSplit(12)}, "each row is tested once in each repeat"),
            (Y, {"cv": TimeSeriesSplit(5)}, "these splits are in time order"),
            (Y, {"cv": LeaveOneOut()}, "the smallest fold has 1 row"),
            (Y, {"cv": 2}, "here repeats have 2 folds"),
            (Y, {"cv": PredefinedSplit(np.arange(N) % 6 - 1)}, "each row is tested once"),
            (Y, {"groups": GROUPS, "cv": 5}, "whole groups in each fold"),
            (Y, {"groups": GROUPS, "cv": LeaveOneGroupOut()}, "the smallest fold has 1 group"),
            (Y, {"groups": GROUPS, "cv": GroupShuffleSplit(12)}, "each row is tested once"),
            (Y, {"groups": np.arange(N) % 9}, "two groups need 10; the data have 9"),
            (
                Y,
                {"groups": np.maximum(np.arange(N), 45)},
                "t-test: too few or too unequal groups: the 15 groups tell as much as",
            ),
        ],
    )
    def test_splits(self, y, options, why):
        method, found = chosen(BAYES if y is Y else NUMBERS, X, y, **options)
        assert method == SPLITS
        assert found.startswith('method="auto" chose the corrected resampled t-test: ')
        assert why in found

    def test_ten_rows_are_enough(self):
        X, y = np.arange(10.0)[:, np.newaxis], np.arange(10) % 2
        assert chosen(BAYES, X, y)[0] == ROWS
        assert chosen(BAYES, X, y, groups=np.arange(10))[0] == ROWS
        method, why = chosen(BAYES, X[:9], y[:9])
        assert method == SPLITS
        assert "5 folds of at least two rows need 10; the data have 9" in why

    def test_it_is_printed_and_saved(self):
        result = compare_estimators(PAIR, X, Y)
        text = " ".join(str(result).split())
        assert (
            text.count('method="auto" chose the row t-test, as accuracy is a mean over rows') == 1
        )
        again = type(result).from_json(result.to_json())
        assert [n for n in again.notes if n.code == "method"]

    @pytest.mark.parametrize("method", [ROWS, SPLITS, RowTTest(inflation=0.6)])
    def test_nothing_is_said_of_a_choice_of_the_user(self, method):
        result = compare_estimators(PAIR, X, Y, method=method)
        alone = cross_val_inference(PAIR["one"], X, Y, method=method)
        assert not [n for n in (*result.notes, *alone.notes) if n.code == "method"]


def same(one, other):
    """Assert that two results are equal, bit for bit, but for the note on the choice."""
    for metric in one.scores_by_metric:
        a, b = one.scores_by_metric[metric], other.scores_by_metric[metric]
        assert a.values.tobytes() == b.values.tobytes()
        assert a.design == b.design
    frames = (result.to_frame().drop(columns="note", errors="ignore") for result in (one, other))
    pd.testing.assert_frame_equal(*frames, check_exact=True)
    assert [n for n in one.notes if n.code != "method"] == list(other.notes)


ODD = np.maximum(np.arange(N), 45)  # groups that are too unequal for the row t-test, seen late


class TestIsThatTest:
    """The numbers, and the streams of random numbers after the call, are those of the test."""

    @pytest.mark.parametrize(
        ("options", "method"),
        [
            ({}, ROWS),
            ({"cv": folds()}, ROWS),
            ({"reference": "best", "alternative": "less", "margin": 0.1}, ROWS),
            ({"groups": GROUPS}, ROWS),
            ({"scoring": "f1_macro"}, SPLITS),
            ({"cv": ShuffleSplit(12, random_state=0)}, SPLITS),
            ({"cv": 2}, SPLITS),
            ({"groups": ODD}, SPLITS),
            ({"groups": np.arange(N) % 9}, SPLITS),
            ({"reference": "one", "alternative": "greater", "scoring": "f1_macro"}, SPLITS),
        ],
    )
    @pytest.mark.parametrize(
        ("random_state", "reseed"), [(None, False), (7, False), ("instance", True)]
    )
    def test_the_same_numbers(self, options, method, random_state, reseed):
        if "cv" in options and random_state == 7:
            random_state = 0
        found = []
        for given in ("auto", method):
            np.random.seed(3)  # noqa: NPY002
            state = np.random.RandomState(4) if random_state == "instance" else random_state
            how = {"method": given, "random_state": state, "reseed": reseed, **options}
            results = [compare_estimators(PAIR, X, Y, **how) for _ in range(2)]
            drawn = None if state is None or isinstance(state, int) else state.uniform()
            found.append((results, drawn, np.random.uniform()))  # noqa: NPY002
        for one, other in zip(found[0][0], found[1][0], strict=True):
            same(one, other)
        assert found[0][1:] == found[1][1:]

    @pytest.mark.parametrize(
        ("make", "method"),
        [
            (lambda state: folds(state), ROWS),
            (lambda state: ShuffleSplit(12, random_state=state), SPLITS),
            (lambda state: RepeatedSubsampleSplit(12, random_state=state), SPLITS),
            (lambda state: StratifiedKFold(2, shuffle=True, random_state=state), SPLITS),
            (lambda state: folds(state).split(X, Y), ROWS),
            (
                lambda state: (pair for pair in ShuffleSplit(12, random_state=state).split(X)),
                SPLITS,
            ),
        ],
        ids=["folds", "shuffled", "ours", "two", "generator of folds", "generator"],
    )
    @pytest.mark.parametrize("of_its_own", [False, True])
    def test_splitters_with_a_stream(self, make, method, of_its_own):
        found = []
        for given in ("auto", method):
            np.random.seed(3)  # noqa: NPY002
            state = np.random.RandomState(5) if of_its_own else None
            cv = make(state)
            result = compare_estimators(PAIR, X, Y, cv=cv, method=given)
            later = np.random.uniform() if state is None else state.uniform()  # noqa: NPY002
            found.append((result, later))
        same(found[0][0], found[1][0])
        assert found[0][1] == found[1][1]
        assert found[0][0].tests[0].method == method

    @pytest.mark.parametrize(("scoring", "method"), [("accuracy", ROWS), ("f1", SPLITS)])
    def test_of_one_estimator(self, scoring, method):
        how = {"null_value": 0.4, "alternative": "greater", "scoring": scoring}
        one = cross_val_inference(PAIR["one"], X, Y, **how)
        other = cross_val_inference(PAIR["one"], X, Y, **how, method=method)
        assert tuple(one) == tuple(other)
        assert one.confidence_interval(0.9) == other.confidence_interval(0.9)
        assert (one.null_value, one.alternative) == (0.4, "greater")

    def test_regressors_keep_r2(self):
        one, other = (compare_estimators(NUMBERS, X, R, method=m) for m in ("auto", SPLITS))
        same(one, other)
        assert one.metrics == ("r2",)


class Counted(NearestMean):
    """Counts its fits."""

    n_fits = 0

    def fit(self, X, y):
        type(self).n_fits += 1
        return super().fit(X, y)


class CountedSplits(ShuffleSplit):
    """Counts how often it is asked for splits, and cannot be copied."""

    n_calls = 0

    def split(self, X, y=None, groups=None):
        type(self).n_calls += 1
        return super().split(X, y, groups)

    def __deepcopy__(self, memo):
        raise RuntimeError("there is one of these")


class TestBeforeTheFirstFit:
    @pytest.mark.parametrize(
        ("options", "n_fits"),
        [
            ({}, 20),
            ({"groups": GROUPS}, 20),
            ({"scoring": ["accuracy", "neg_mean_absolute_error"]}, 20),
            ({"scoring": "f1"}, 15),
            ({"scoring": ["accuracy", "f1"]}, 15),
            ({"groups": ODD}, 15),
            ({"groups": np.arange(N) % 9}, 15),
            ({"cv": 5}, 5),
            ({"cv": TimeSeriesSplit(6)}, 6),
        ],
    )
    def test_fits_are_those_of_one_test(self, options, n_fits, monkeypatch):
        monkeypatch.setattr(Counted, "n_fits", 0)
        compare_estimators({"a": Counted(), "b": Counted(3)}, X, Y, **options)
        assert Counted.n_fits == 2 * n_fits
        monkeypatch.setattr(Counted, "n_fits", 0)
        cross_val_inference(Counted(), X, Y, **options)
        assert Counted.n_fits == n_fits

    def test_splits_are_drawn_once(self, monkeypatch):
        monkeypatch.setattr(CountedSplits, "n_calls", 0)
        compare_estimators(PAIR, X, Y, cv=CountedSplits(12))
        assert CountedSplits.n_calls == 1


def routed(weights, more=None, **options):
    """Return a call whose metric takes weights."""

    def call(method):
        with sklearn.config_context(enable_metadata_routing=True):
            scorer = make_scorer(accuracy_score).set_score_request(sample_weight=True)
            models = {name: LogisticRegression(C=c) for name, c in (("a", 1), ("b", 1e-4))}
            for model in models.values():
                model.set_fit_request(sample_weight=False)
            params = {"sample_weight": weights, **(more or {})}
            how = {"scoring": scorer, "params": params, **options}
            return compare_estimators(models, X, Y, method=method, **how)

    return call


def with_groups(**options):
    def call(method):
        with sklearn.config_context(enable_metadata_routing=True):
            return compare_estimators(BAYES, X, Y, method=method, **options)

    return call


class Forgets(NearestMean):
    """Fails in the fits from the fifth on."""

    n_fits = 0

    def fit(self, X, y):
        type(self).n_fits += 1
        if self.n_fits > 5:
            raise RuntimeError("the disk is full")
        return super().fit(X, y)


def rare(n_rare):
    return np.r_[np.full(n_rare, 2), np.arange(N - n_rare) % 2]


WEIGHTS = RNG.uniform(0.5, 2, N)
FRAME = pd.DataFrame(X, columns=list("abc"))
LABELS = np.where(Y == 1, "yes", "no")
TWO_NUMBERS, TWO_LABELS = np.c_[R, R**2], np.c_[Y, np.arange(N) % 3 == 0].astype(int)
SORTED = {"cv": KFold(5)}  # folds of one class
DROP = {"on_error": "drop"}
# Before scikit-learn 1.7 the Brier score was of two classes only.
BRIER = "neg_brier_score" if "labels" in signature(brier_score_loss).parameters else "accuracy"
# What the corrected resampled t-test can do: models, X, y and options, or a call of the method.
LEGAL = {
    "rare class": (BAYES, X, rare(1), {}),
    "two of a class": (BAYES, X, rare(2), {"scoring": BRIER}),
    "rare class, log loss": (
        BAYES,
        X,
        rare(6),
        {
            "scoring": "neg_log_loss",
            "cv": RepeatedSubsampleSplit(10, test_size=0.5, stratify=True, random_state=0),
        },
    ),
    "rare class, folds": (BAYES, X, rare(2), {"cv": 5}),
    "log loss": (BAYES, X, LABELS, {"scoring": "neg_log_loss", "cv": folds()}),
    "string labels": (BAYES, X, LABELS, {}),
    "object labels": (BAYES, X, LABELS.astype(object), {}),
    "labels of bool": (BAYES, X, Y == 1, {"scoring": ["accuracy", "neg_brier_score"]}),
    "lists": (BAYES, X.tolist(), Y.tolist(), {}),
    "categories": (BAYES, FRAME, pd.Series(LABELS).astype("category"), {}),
    "pandas strings": (BAYES, FRAME, pd.Series(LABELS).astype("string"), {}),
    "nullable numbers": (BAYES, FRAME, pd.Series(Y).astype("Int64"), {}),
    "frames": (BAYES, FRAME, pd.Series(Y), {"groups": pd.Series(GROUPS)}),
    "sparse X": (TREES, sparse.csr_matrix(X), Y, {}),
    "sparse array": (TREES, sparse.csr_array(X), Y, {"cv": 5}),
    "a column": (NUMBERS, X, R[:, np.newaxis], {"scoring": "neg_mean_absolute_error"}),
    "two numbers": (NUMBERS, X, TWO_NUMBERS, {"scoring": "neg_mean_squared_error"}),
    "two numbers, r2": (NUMBERS, X, TWO_NUMBERS, {}),
    "two labels": (TREES, X, TWO_LABELS, {}),
    "labels of rows": (TREES, X, TWO_LABELS, {"scoring": "f1_samples"}),
    "large numbers": (NUMBERS, X, R * 1e100, {"scoring": "neg_mean_squared_error"}),
    "small numbers": (NUMBERS, X, R * 1e-200, {"scoring": "neg_mean_squared_error"}),
    "counts": (
        {"tree": DecisionTreeRegressor(max_depth=2), "dummy": DummyRegressor()},
        X,
        1 + np.arange(N) % 4,
        {"scoring": "neg_mean_poisson_deviance"},
    ),
    "weights": routed(WEIGHTS),
    "weights of 0": routed(WEIGHTS * (np.arange(N) % 3 > 0)),
    "negative weights": routed(np.where(np.arange(N) == 3, -0.1, WEIGHTS)),
    "one weight": routed(np.where(np.arange(N) == 3, 1e9, WEIGHTS)),
    "weights in a frame": routed(pd.Series(WEIGHTS)),
    "weights and groups": routed(WEIGHTS, cv=GroupKFold(5), more={"groups": GROUPS}),
    "groups without weight": routed(
        WEIGHTS * (GROUPS > 0), cv=GroupKFold(6), more={"groups": GROUPS}
    ),
    "weights of fits": (BAYES, X, Y, {"params": {"sample_weight": WEIGHTS}}),
    "four groups": (BAYES, X, Y, {"groups": np.arange(N) % 4}),
    "ten groups": (BAYES, X, Y, {"groups": np.arange(N) % 10}),
    "unequal groups": (BAYES, X, Y, {"groups": ODD}),
    "named groups": (BAYES, X, Y, {"groups": np.array(list("abcdefghijkl"))[GROUPS]}),
    "routed groups": with_groups(groups=GROUPS),
    "groups in params": with_groups(params={"groups": GROUPS}),
    "few rows": (BAYES, X[:3], np.array([0, 1, 1]), {}),
    "nine rows": (BAYES, X[:9], np.arange(9) % 2, {}),
    "folds of one class": (BAYES, X, np.sort(Y), SORTED),
    "folds of one class, losses": (BAYES, X, np.sort(Y), {"scoring": "neg_brier_score"} | SORTED),
    "one class": ({name: DummyClassifier() for name in "ab"}, X, np.ones(N, dtype=int), {}),
    "constant scores": ({name: DummyClassifier() for name in "ab"}, X, Y, {}),
    "constant target": (NUMBERS, X, np.ones(N), {"scoring": "neg_mean_squared_error"}),
    "not defined for folds": (
        BAYES,
        X,
        np.sort(Y),
        {"scoring": ["accuracy", "roc_auc"]} | SORTED | DROP,
    ),
    "not for three classes": (
        BAYES,
        X,
        np.arange(N) % 3,
        {"scoring": ["accuracy", "f1"]} | DROP,
    ),
    "not for this target": (
        NUMBERS,
        X,
        R - R.mean(),
        {"scoring": ["neg_mean_squared_error", "neg_mean_squared_log_error"]} | DROP,
    ),
    "without probabilities": (
        {**BAYES, "mean": NearestMean()},
        X,
        Y,
        {"scoring": ["accuracy", "neg_brier_score"]} | DROP,
    ),
    "fails later": ({**BAYES, "forgets": Forgets()}, X, Y, DROP),
    "the same twice": (PAIR, X, Y, {"scoring": {"a": "accuracy", "b": get_scorer("accuracy")}}),
    "dates": (BAYES, FRAME.set_axis(pd.date_range("2020", periods=N)), Y, {}),
    "a kernel": (
        {"near": KNeighborsClassifier(metric="precomputed"), "dummy": DummyClassifier()},
        np.abs(X[:, :1] - X[:, 0]),
        Y,
        {},
    ),
    "many": ({f"{k}": NearestMean(1 + k % 3) for k in range(10)}, X, Y, {}),
    "folds of a part": (BAYES, X, Y, {"cv": list(KFold(5).split(X[:50]))}),
}


@pytest.mark.parametrize("what", LEGAL)
def test_it_never_raises_what_the_corrected_t_would_not(what):
    case = LEGAL[what]
    said = {}
    for method in (SPLITS, "auto"):
        Forgets.n_fits = 0
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            if callable(case):
                result = case(method)
            else:
                estimators, data, y, options = case
                result = compare_estimators(estimators, data, y, method=method, **options)
        ours = [str(w.message) for w in caught if w.category.__module__.startswith("skcvstats")]
        assert len(set(ours)) == len(ours)  # none twice
        said[method] = result
        str(result), result.to_frame()
    assert said["auto"].metrics == said[SPLITS].metrics
    assert said["auto"].dropped == said[SPLITS].dropped or what == "fails later"


class TestErrors:
    """What is wrong for both is said as without "auto", before any fit, and once."""

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ({"scoring": "accuracies"}, "Did you mean"),
            ({"scoring": []}, "at least one metric"),
            ({"scoring": {}}, "at least one metric"),
            ({"scoring": ""}, "is not a metric"),
            ({"scoring": 5}, "must be the name of a metric"),
            ({"scoring": ["accuracy", "accuracy"]}, "each once"),
            ({"scoring": np.array(["accuracy", "f1"])}, "must be the name of a metric"),
            ({"scoring": make_scorer(accuracy_score, greater_is_better=False)}, "greater is"),
            ({"scoring": accuracy_score}, "scoring"),
            ({"scoring": "neg_log_loss"}, "no predict_proba"),
            ({"cv": 1}, "cv=1 must be"),
            ({"cv": "five"}, "cv='five' must be"),
            ({"cv": [1, 2]}, "item 0 is 1"),
            ({"cv": {"a": 1}}, "must be None, an integer"),
            ({"cv": GroupKFold(5)}, "needs groups"),
            ({"cv": 100}, "n_splits=100"),
            ({"cv": [(np.arange(N), np.arange(9))] * 3}, "are also training rows"),
            ({"cv": list(KFold(5).split(X)) * 2}, "the same split is repeated"),
            ({"random_state": "x"}, "random_state='x' must be"),
            ({"random_state": -1}, "random_state=-1 must be"),
            ({"random_state": 3, "cv": folds()}, "Seed the splitter itself"),
            ({"random_state": "x", "reseed": True}, "random_state='x' must be"),
            ({"groups": GROUPS[:5]}, "groups has 5 entries"),
            ({"groups": [None] * N}, "missing labels"),
            ({"y": Y[:5]}, "y has 5 entries"),
            ({"y": None}, "y"),
            ({"y": np.where(np.arange(N) == 3, np.nan, Y)}, "missing"),
            ({"y": R}, "different numbers"),
            ({"X": X[:1], "y": Y[:1]}, "at least two"),
            ({"margin": -1}, "margin"),
            ({"reference": "nobody"}, "nobody"),
            ({"adjustment": "x"}, "adjustment"),
            ({"alternative": "more"}, "alternative"),
            ({"confidence_level": 95}, "confidence_level"),
            ({"on_error": "ignore"}, "on_error"),
        ],
    )
    def test_as_without_auto(self, options, words, monkeypatch):
        monkeypatch.setattr(Counted, "n_fits", 0)
        given = {"X": X, "y": Y, "estimators": {"a": Counted(), "b": Counted(3)}, **options}
        found = []
        for method in (SPLITS, "auto"):
            with pytest.raises((ValueError, TypeError)) as caught:
                compare_estimators(**given, method=method)
            found.append((type(caught.value), str(caught.value), caught.value.__context__))
        assert found[0][:2] == found[1][:2]
        assert words in found[0][1]
        assert "row t-test" not in str(found[1][2])  # nor in what Python prints above it
        assert Counted.n_fits == 0

    def test_a_generator_of_one_fit_each(self):
        splits = ShuffleSplit(12, random_state=0)
        one, other = (
            compare_estimators(PAIR, X, Y, method=method, cv=(pair for pair in splits.split(X)))
            for method in ("auto", SPLITS)
        )
        same(one, other)

    def test_what_breaks_in_the_attempt_is_not_the_users(self, monkeypatch):
        """Whatever the row t-test raises, the other one runs."""

        def refuse(*args, **kwargs):
            raise KeyError

        monkeypatch.setattr(RowTTest, "require", refuse)
        assert chosen(PAIR, X, Y)[0] == SPLITS

    def test_the_line_to_go_on_with(self):
        """With the splits that are left there is no repeated k-fold any more."""
        for method in ("auto", RowTTest(alternative="greater")):
            Forgets.n_fits = 0
            pair = {"forgets": Forgets(), "bayes": GaussianNB()}
            with pytest.raises(FitError, match="have, by the corrected resampled t-test") as caught:
                compare_estimators(pair, X, Y, method=method, reference="bayes")
            line = str(caught.value).splitlines()[-1].strip()
            names = {"error": caught.value, "compare_scores": compare_scores}
            names["CorrectedResampledTTest"] = model_selection._automatic.procedure_of("auto")
            names["CorrectedResampledTTest"] = type(names["CorrectedResampledTTest"])
            found = eval(line, names)
            assert found.tests[0].n_splits == 5
            assert found.tests[0].alternative == getattr(method, "alternative", "two-sided")

    def test_three_groups_make_three_splits(self):
        """Fifteen draws of one group of three count 14 degrees of freedom for 2."""
        with pytest.warns(AnticonservativeWarning, match="only 3 test sets of 1 group"):
            compare_estimators(PAIR, X, Y, groups=np.arange(N) % 3)

    def test_unequal_groups_are_refused_before_the_fits(self, monkeypatch):
        """Also where the row t-test was asked for."""
        monkeypatch.setattr(Counted, "n_fits", 0)
        with pytest.raises(ValueError, match="Too few or too unequal groups"):
            compare_estimators({"a": Counted(), "b": Counted(3)}, X, Y, groups=ODD, method="row_t")
        with pytest.raises(SplitDesignError, match="1 group"):
            routed(WEIGHTS * (GROUPS > 0), cv=GroupKFold(6), more={"groups": GROUPS})(ROWS)
        assert Counted.n_fits == 0


class TestCommandLine:
    def run(self, capsys, *arguments):
        status = main(["compare", "--data", "iris", "--estimators", "tree", "knn", *arguments])
        printed = capsys.readouterr()
        return status, " ".join(printed.out.split()), printed.err

    @pytest.mark.parametrize("arguments", [(), ("--method", "auto")])
    def test_the_default(self, capsys, arguments):
        status, out, err = self.run(capsys, *arguments)
        assert (status, err) == (0, "")
        assert 'method="auto" chose the row t-test, as accuracy is a mean over rows' in out
        assert "20 splits of 150 rows (120 to train on, 30 to test on)" in out

    @pytest.mark.parametrize("method", [(), ("--method", "auto")])
    @pytest.mark.parametrize(
        ("sizes", "said"),
        [
            (("--n-splits", "12"), "12 splits of 150 rows (135 to train on, 15 to test on)"),
            (("--test-size", "0.2"), "15 splits of 150 rows (120 to train on, 30 to test on)"),
        ],
    )
    def test_sizes_are_those_of_random_splits(self, capsys, method, sizes, said):
        status, out, err = self.run(capsys, *sizes, *method)
        assert (status, err) == (0, "")
        assert said in out
        assert 'method="auto" chose the corrected resampled t-test: ' in out
        explicit = self.run(capsys, *sizes, "--method", SPLITS)[1]
        tables = [text.split('Note: method="auto"')[0].strip() for text in (out, explicit)]
        assert tables[0] == tables[1]

    def test_bad_sizes_are_said_once(self, capsys):
        errors = [self.run(capsys, "--n-splits", "0", "--method", m) for m in ("auto", SPLITS)]
        assert errors[0] == errors[1]
        assert errors[0][0] == 2


def test_a_stream_moves_on_with_each_call():
    """Two calls with one generator have different splits, also where the metric has no rows."""
    for scoring in ("accuracy", "f1_macro"):
        state = np.random.RandomState(0)
        results = [
            compare_estimators(PAIR, X, Y, scoring=scoring, random_state=state) for _ in range(3)
        ]
        digests = [result.scores.design.digest for result in results]
        assert all(one != other for one, other in pairwise(digests))
