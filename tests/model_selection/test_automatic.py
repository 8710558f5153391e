"""``method="auto"``: which test it takes and why, and that it is that test and no other."""

import re
import warnings
from inspect import signature
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn import model_selection as splitters
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, brier_score_loss, get_scorer, make_scorer, roc_auc_score
from sklearn.model_selection import GroupKFold, KFold, RepeatedStratifiedKFold, ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import skcvstats as s
from tests.cheap import Counted, NearestMean
from tests.conftest import every

pytestmark = [pytest.mark.filterwarnings("ignore")]

RNG = np.random.default_rng(0)
X, Y = (rows[:120:2] for rows in load_breast_cancer(return_X_y=True))
X = X[:, :3]
N = len(Y)
R = X[:, 0] + RNG.normal(size=N)
GROUPS = np.arange(N) % 12
ODD = np.maximum(np.arange(N), 45)  # groups that are too unequal for the row t-test
PAIR = {"one": NearestMean(), "three": NearestMean(3)}
BAYES = {"bayes": GaussianNB(), "dummy": DummyClassifier()}
NUMBERS = {"ridge": Ridge(), "dummy": DummyRegressor()}
TREES = {"near": KNeighborsClassifier(), "tree": DecisionTreeClassifier(max_depth=2)}
ROWS, SPLITS, ORDER = "row_t", "corrected_resampled_t", "diebold_mariano"
CHOSE = {name: f'method="auto" chose the {title}' for name, title in (
    (ROWS, "row t-test, as "), (SPLITS, "corrected resampled t-test: "),
    (ORDER, "Diebold-Mariano test, as the splits are in time order"))}  # fmt: skip
RANDOM, TIMES = ShuffleSplit(12, random_state=0), splitters.TimeSeriesSplit(6)
DROP = {"on_error": "drop"}
RARE = {"scoring": ["accuracy", "neg_log_loss"], "on_error": "drop"}
TWO, OTHER = ["accuracy", "f1"], "fowlkes_mallows_score"
OTHERS = r"these splits test .*\. Such folds are those of RepeatedStratifiedKFold\("


COUNTED = {"a": Counted(), "b": Counted(3)}


def folds(seed=0, n_splits=5):
    return RepeatedStratifiedKFold(n_splits=n_splits, n_repeats=2, random_state=seed)


def rare(n_rare):
    return np.r_[np.full(n_rare, 2), np.arange(N - n_rare) % 2]


def squares(estimator, X, y):
    return -float(np.mean((y - estimator.predict(X)) ** 2))


def chosen(estimators, X, y, **options):
    """Return the test that both doors chose, and the reason that both give."""
    result = s.compare_estimators(estimators, X, y, **options)
    alone = s.cross_val_inference(next(iter(estimators.values())), X, y, **options)
    one = alone if hasattr(alone, "method") else alone.inferences[alone.metrics[0]]
    (note,) = (str(note) for note in result.notes if note.code == "method")
    (same,) = (str(note) for note in one.notes if note.code == "method")
    assert note == same
    assert {of.procedure.name for of in result.tests_by_metric.values()} == {one.method}
    assert note.startswith(CHOSE[one.method])
    return one.method, note.removeprefix(CHOSE[one.method])


class TestWhere:
    """The row t-test needs means over rows, and folds that test each row once in each repeat."""

    @pytest.mark.parametrize(("options", "which"), every(3, [
        ({"scoring": "neg_log_loss"}, "log loss is a mean"),
        ({"scoring": ["accuracy", "neg_log_loss"]}, "the metrics are means"),
        ({"scoring": {"Hits": make_scorer(accuracy_score)}}, "Hits is a mean"),
        ({"y": R, "scoring": "neg_mean_squared_error"}, "MSE is a mean"),
        ({"y": R, "scoring": "neg_mean_absolute_error", "cv": 5}, "MAE is"),
        *(({"cv": cv}, "accuracy is a mean") for cv in (
            None, 5, 3, KFold(10, shuffle=True, random_state=0), folds(),
            splitters.RepeatedKFold(n_splits=5, n_repeats=3), list(folds().split(X, Y)),
            splitters.PredefinedSplit(np.arange(N) % 5),
        )),
        *(({"groups": GROUPS, "cv": cv}, "accuracy is a mean") for cv in (
            None, GroupKFold(5), splitters.StratifiedGroupKFold(5))),
    ]))  # fmt: skip
    def test_rows(self, options, which):
        models, y = (NUMBERS, R) if "y" in options else (BAYES, Y)
        method, why = chosen(models, X, **{"y": y, **options})
        assert method == ROWS
        assert why.startswith(which)
        assert why.endswith(" over rows")

    @pytest.mark.parametrize(("scoring", "y"), every(3, [
        *((scoring, Y) for scoring in ("f1", "roc_auc", "average_precision", "f1_macro",
            "balanced_accuracy", "matthews_corrcoef", "roc_auc_ovr", ["accuracy", "f1"])),
        *((scoring, R) for scoring in (None, "r2", "neg_root_mean_squared_error",
            "explained_variance", "d2_absolute_error_score")),
        (make_scorer(roc_auc_score), Y),
    ]))  # fmt: skip
    @pytest.mark.parametrize("options", every(3, [{}, {"groups": GROUPS}, {"cv": folds()}]))
    def test_metrics_of_folds(self, scoring, y, options):
        models, y = (NUMBERS, R) if y is R else (BAYES, Y)
        if "cv" in options and y is R:
            options = {"cv": KFold(4)}
        method, why = chosen(models, X, y, scoring=scoring, **options)
        assert method == ROWS
        assert why.endswith(" can be measured")

    @pytest.mark.parametrize(("scoring", "why"), [
        ("neg_max_error", "max error has no scores of rows: its value depends on the size"),
        ("neg_median_absolute_error", 'with median absolute error; method="row_t"'),
        (squares, r"squares has no scores of rows: it is a function of the model; pass make_"),
    ])  # fmt: skip
    def test_metrics(self, scoring, why):
        method, found = chosen(NUMBERS, X, R, scoring=scoring)
        assert (method, why in found) == (SPLITS, True)
        assert chosen(NUMBERS, X, R, scoring=scoring, cv=RANDOM) == (method, found)
        if "row_t" in why:
            result = s.compare_estimators(NUMBERS, X, R, scoring=scoring, method=ROWS)
            assert "metric not measured" in [note.code for note in result.notes]
        else:
            with pytest.raises(ValueError, match=r"no scores of rows: .*Repeat the call"):
                s.compare_estimators(NUMBERS, X, R, scoring=scoring, method=ROWS)

    @pytest.mark.parametrize(("options", "why"), [
        ({"cv": RANDOM}, OTHERS),
        ({"cv": splitters.PredefinedSplit(np.arange(N) % 6 - 1)}, OTHERS),
        ({"groups": GROUPS, "cv": splitters.GroupShuffleSplit(9, random_state=0)}, OTHERS),
        ({"cv": splitters.LeaveOneOut()}, r"fold has 1 row\. Use 5 or 10 folds, or pass more"),
        ({"cv": 2}, "here repeats have 2 folds, .* Use 5 or 10 folds, or pass more data"),
        ({"groups": GROUPS, "cv": 5}, "whole groups in each fold.* Use folds of whole groups"),
        ({"groups": GROUPS, "cv": splitters.LeaveOneGroupOut()}, "the smallest fold has 1 gro"),
        ({"groups": ODD}, "^too few or too unequal groups: the 15 groups have .* Test on more"),
        ({"scoring": ["accuracy", "neg_mean_absolute_error"], "cv": RANDOM}, OTHERS),
    ])  # fmt: skip
    def test_splits(self, options, why):
        """The reason, with its remedy, is what the row t-test says where it is asked for."""
        method, found = chosen(PAIR, X, Y, **options)
        assert method == SPLITS
        Counted.n_fits = 0
        with pytest.raises(s.SplitDesignError) as caught:
            s.compare_estimators(COUNTED, X, Y, **options, method=ROWS)
        assert Counted.n_fits == 0
        said = str(caught.value).removesuffix(".")
        assert said[1:] == found[1:]
        assert said[0].lower() == found[0]
        assert re.search(why, found)

    def test_in_time_order_it_is_the_test_of_diebold_and_mariano(self):
        assert chosen(PAIR, X, Y, cv=TIMES)[0] == ORDER
        with pytest.raises(s.SplitDesignError, match=r"in time order\. Use .*diebold_mariano"):
            s.compare_estimators(PAIR, X, Y, cv=TIMES, method=ROWS)

    @pytest.mark.parametrize(("y", "options", "found"), [
        (Y, {"scoring": ["accuracy", OTHER]}, ["row t-test, as accuracy is a mean over rows",
         f"resampled t-test for {OTHER}: the row t-test was not measured with {OTHER}; me"]),
        (Y, {"scoring": ["f1", "neg_log_loss", OTHER, "roc_auc"]},
         ["row t-test, as each row's share of f1, log loss, roc_auc can be measured", OTHER]),
        (Y, {"scoring": ["f1", "roc_auc"], "cv": RANDOM},
         ["corrected resampled t-test: the row t-test needs repeated k-fold"]),
        (Y, {"scoring": TWO, "groups": ODD}, ["resampled t-test: too few or too unequal gro"]),
        (rare(1), RARE, ["row t-test, as accuracy is a mean over rows"]),
    ])  # fmt: skip
    def test_several_metrics(self, y, options, found):
        """Each decides for itself, and those that got the same are named once."""
        result = s.compare_estimators(BAYES, X, y, **options)
        notes = [str(note) for note in result.notes if note.code == "method"]
        assert len(notes) == len(found)
        for note, words in zip(notes, found, strict=True):
            assert words in note
        for name in result.metrics:
            alone = s.compare_estimators(BAYES, X, y, **{**options, "scoring": name})
            assert alone.tests[0].method == result[name].tests[0].method
            assert alone.tests[0].pvalue == result[name].tests[0].pvalue

    def test_ten_rows_are_enough(self):
        X, y = np.arange(10.0)[:, np.newaxis], np.arange(10) % 2
        assert chosen(BAYES, X, y)[0] == ROWS
        assert chosen(BAYES, X, y, groups=np.arange(10))[0] == ROWS
        method, why = chosen(BAYES, X[:9], y[:9])
        assert method == SPLITS
        assert why.startswith(
            "5 folds of at least two rows need 10; the data have 9, so LeaveOneOut"
        )

    @pytest.mark.parametrize("method", [ROWS, SPLITS, s.RowTTest(inflation=0.6)])
    def test_nothing_is_said_of_a_choice_of_the_user(self, method):
        result = s.compare_estimators(PAIR, X, Y, method=method)
        alone = s.cross_val_inference(PAIR["one"], X, Y, method=method)
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


class TestIsThatTest:
    """The numbers, and the streams of random numbers after the call, are those of the test."""

    @pytest.mark.parametrize(
        ("options", "method"),
        every(3, [
            *((options, ROWS) for options in (
                {"scoring": "f1_macro"}, {"cv": folds()}, {"groups": GROUPS}, {"cv": 5},
                {"cv": folds}, {"cv": lambda state: folds(state).split(X, Y)},
                {"scoring": ["accuracy", "neg_mean_absolute_error"]},
                {"reference": "best", "alternative": "less", "margin": 0.1})),
            *((options, ROWS) for options in (
                {"reference": "a", "alternative": "greater", "scoring": "f1_macro"},
                {"estimators": NUMBERS, "y": R, "scoring": "r2"},
                {"y": rare(1), "estimators": BAYES, **RARE})),
            *((options, SPLITS) for options in ({"cv": RANDOM}, {"cv": 2},
                {"scoring": OTHER, "cv": RepeatedStratifiedKFold(
                    n_splits=5, n_repeats=4, random_state=0)})),
            *(({"cv": make}, SPLITS) for make in (  # from a stream, or a generator
                lambda state: ShuffleSplit(12, random_state=state),
                lambda state: s.RepeatedSubsampleSplit(12, random_state=state),
                lambda state: splitters.StratifiedKFold(2, shuffle=True, random_state=state),
                lambda state: map(tuple, ShuffleSplit(12, random_state=state).split(X)))),
        ]),
    )  # fmt: skip
    @pytest.mark.parametrize(
        ("random_state", "fresh_seeds"), every(3, [(7, False), (None, False), ("instance", True)])
    )
    def test_the_same_numbers(self, options, method, random_state, fresh_seeds):
        if "cv" in options and random_state == 7:
            random_state = 0
        found = []
        for given in ("auto", method):
            np.random.seed(3)  # noqa: NPY002
            Counted.n_fits = 0
            state = np.random.RandomState(4) if random_state == "instance" else random_state
            how = {"estimators": COUNTED, "X": X, "y": Y, "cv": None, "method": given, **options}
            how |= {"random_state": state, "fresh_seeds": fresh_seeds}
            makes = [how.pop("cv")] * (2 if callable(options.get("cv")) else 1)
            made = (make(state) if callable(make) else make for make in makes)
            results = [s.compare_estimators(**how, cv=cv) for cv in made]
            drawn = None if state is None or isinstance(state, int) else state.uniform()
            of_all = np.random.uniform()  # noqa: NPY002
            found.append((results, drawn, of_all, Counted.n_fits))
        for one, other in zip(found[0][0], found[1][0], strict=True):
            same(one, other)
        assert found[0][1:] == found[1][1:]
        assert {result.tests[0].method for result in results + found[0][0]} == {method}
        n_fits = 2 * len(makes) * results[0].tests[0].n_splits
        assert "estimators" in options or Counted.n_fits == n_fits

    @pytest.mark.parametrize(("scoring", "method"), [("f1", ROWS), (OTHER, SPLITS)])
    def test_of_one_estimator(self, scoring, method):
        how = {"null_value": 0.4, "alternative": "greater", "scoring": scoring, "cv": folds()}
        one = s.cross_val_inference(PAIR["one"], X, Y, **how)
        other = s.cross_val_inference(PAIR["one"], X, Y, **how, method=method)
        assert tuple(one) == tuple(other)
        assert one.confidence_interval(0.9) == other.confidence_interval(0.9)
        assert (one.null_value, one.alternative) == (0.4, "greater")


@pytest.mark.parametrize("error", [AttributeError, MemoryError, s.SplitDesignError, KeyError])
@pytest.mark.parametrize("options", [{}, {"cv": 5}, {"groups": GROUPS}])
def test_what_is_raised_is_no_reason(error, options, monkeypatch):
    """Only a sentence that was asked for lets the other test run."""
    monkeypatch.setattr(s.RowTTest, "unsuitable", Mock(side_effect=error("it broke. Twice")))
    monkeypatch.setattr(Counted, "n_fits", 0)
    for call in (s.compare_estimators, s.cross_val_inference):
        with pytest.raises(error, match=r"it broke\. Twice"):
            call(COUNTED, X, Y, **options)
    assert Counted.n_fits == 0


def routed(models=BAYES, **options):
    """Return a call with metadata routing."""

    def call(method):
        with sklearn.config_context(enable_metadata_routing=True):
            return s.compare_estimators(models, X, Y, method=method, **options)

    return call


def weighted(weights, groups=None, **options):
    """Return a call whose metric takes weights."""
    with sklearn.config_context(enable_metadata_routing=True):
        scoring = make_scorer(accuracy_score).set_score_request(sample_weight=True)
        models = {name: LogisticRegression(C=c) for name, c in (("a", 1), ("b", 1e-4))}
        for model in models.values():
            model.set_fit_request(sample_weight=False)
    params = {"sample_weight": weights} | ({} if groups is None else {"groups": groups})
    return routed(models, scoring=scoring, params=params, **options)


class Forgets(Counted):
    """Fails in the fits from the sixth on."""

    def fit(self, X, y):
        if self.n_fits == 5:
            raise RuntimeError("the disk is full")
        return super().fit(X, y)


WEIGHTS = RNG.uniform(0.5, 2, N)
LABELS = np.where(Y == 1, "yes", "no")
TWO_NUMBERS, TWO_LABELS = np.c_[R, R**2], np.c_[Y, np.arange(N) % 3 == 0].astype(int)
HALVES = s.RepeatedSubsampleSplit(10, test_size=0.5, stratify=True, random_state=0)
DUMMIES = {name: DummyClassifier() for name in "ab"}
SQUARES = ["neg_mean_squared_error", "neg_mean_squared_log_error"]
# Before scikit-learn 1.7 the Brier score was of two classes only.
BRIER = "neg_brier_score" if "labels" in signature(brier_score_loss).parameters else "accuracy"


def case(models=BAYES, X=X, y=Y, **options):
    """Return a call of the method."""
    return lambda method: s.compare_estimators(models, X, y, method=method, **options)


# What the corrected resampled t-test can do.
LEGAL = {
    "without probabilities": case(BAYES | PAIR, scoring=["accuracy", "neg_brier_score"], **DROP),
    "not for folds": case(y=np.sort(Y), cv=KFold(5), scoring=["accuracy", "roc_auc"], **DROP),
    "folds of one class, losses": case(y=np.sort(Y), cv=KFold(5), scoring="neg_brier_score"),
    "the same twice": case(PAIR, scoring={"a": "accuracy", "b": get_scorer("accuracy")}),
    "groups without weight": weighted(WEIGHTS * (GROUPS > 0), GROUPS, cv=GroupKFold(6)),
    "constant target": case(NUMBERS, y=np.ones(N), scoring="neg_mean_squared_error"),
    "not for this target": case(NUMBERS, y=R - R.mean(), scoring=SQUARES, **DROP),
    "two numbers": case(NUMBERS, y=TWO_NUMBERS, scoring="neg_mean_squared_error"),
    "rare class, log loss": case(y=rare(6), scoring="neg_log_loss", cv=HALVES),
    "negative weights": weighted(np.where(np.arange(N) == 3, -0.1, WEIGHTS)),
    "not for three classes": case(y=np.arange(N) % 3, scoring=TWO, **DROP),
    "weights": weighted(WEIGHTS), "weights and groups": weighted(WEIGHTS, GROUPS, cv=GroupKFold(5)),
    "one weight": weighted(np.where(np.arange(N) == 3, 1e9, WEIGHTS)),
    "labels of rows": case(TREES, y=TWO_LABELS, scoring="f1_samples"),
    "log loss": case(y=LABELS, scoring="neg_log_loss", cv=folds()),
    "fails later": case({**BAYES, "forgets": Forgets()}, **DROP), "constant scores": case(DUMMIES),
    "weights of 0": weighted(WEIGHTS * (np.arange(N) % 3 > 0)), "rare class": case(y=rare(1)),
    "folds of a part": case(cv=list(KFold(5).split(X[:50]))),
    "two labels": case(TREES, y=TWO_LABELS), "folds of one class": case(y=np.sort(Y), cv=KFold(5)),
    "groups in params": routed(params={"groups": GROUPS}),
    "one class": case(DUMMIES, y=np.ones(N, dtype=int)), "rare class, folds": case(y=rare(2), cv=5),
    "class of one row": case(y=rare(1), **RARE), "few rows": case(X=X[:3], y=np.array([0, 1, 1])),
    "two of a class": case(y=rare(2), scoring=BRIER), "ten groups": case(groups=np.arange(N) % 10),
    "two numbers, r2": case(NUMBERS, y=TWO_NUMBERS, cv=4),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("what", LEGAL)
def test_it_never_raises_what_the_corrected_t_would_not(what):
    said = {}
    for method in (SPLITS, "auto"):
        Forgets.n_fits = 0
        with warnings.catch_warnings(record=True, action="always") as caught:
            result = LEGAL[what](method)
        ours = [str(w.message) for w in caught if w.category.__module__.startswith("skcvstats")]
        assert len(set(ours)) == len(ours)  # none twice
        said[method] = result
        str(result), result.to_frame()
    assert said["auto"].metrics == said[SPLITS].metrics
    dropped = ([entry[:2] for entry in said[method].dropped] for method in said)
    assert next(dropped) == next(dropped) or what == "fails later"


class TestErrors:
    """What is wrong for both is said as without "auto", before any fit, and once."""

    @pytest.mark.parametrize(("options", "words"), [
        *(({"scoring": given}, words) for given, words in (
            ("accuracies", "Did you mean"), (5, "must be the name of a metric"),
            (make_scorer(accuracy_score, greater_is_better=False), "greater is"),
            ("neg_log_loss", "no predict_proba"),
        )),
        *(({"cv": given}, words) for given, words in (
            (GroupKFold(5), "needs groups"), (100, "n_splits=100"),
            (list(KFold(5).split(X)) * 2, "the same split is repeated"),
            ([(np.arange(N), np.arange(9))] * 3, "are also training rows"),
        )),
        ({"random_state": "x", "fresh_seeds": True}, "random_state='x' must be"),
        ({"random_state": 3, "cv": folds()}, "Seed the splitter itself"),
        ({"groups": [None] * N}, "missing labels"), ({"y": R}, "different numbers"),
        ({"X": X[:1], "y": Y[:1]}, "at least two"), ({"alternative": "more"}, "alternative"),
    ])  # fmt: skip
    def test_as_without_auto(self, options, words, monkeypatch):
        monkeypatch.setattr(Counted, "n_fits", 0)
        given = {"X": X, "y": Y, "estimators": COUNTED, **options}
        found = []
        for method in (SPLITS, "auto"):
            with pytest.raises((ValueError, TypeError)) as caught:
                s.compare_estimators(**given, method=method)
            found.append((type(caught.value), str(caught.value), caught.value.__context__))
        assert found[0][:2] == found[1][:2]
        assert words in found[0][1]
        assert "row t-test" not in str(found[1][2])  # nor in what Python prints above it
        assert Counted.n_fits == 0

    def test_weights_take_rows_out_of_folds(self):
        with pytest.raises(s.SplitDesignError, match="1 group"):
            weighted(WEIGHTS * (GROUPS > 0), GROUPS, cv=GroupKFold(6))(ROWS)
