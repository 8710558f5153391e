"""``method="auto"``: which test it takes and why, and that it is that test and no other."""

import re
import warnings
from inspect import signature
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn import config_context
from sklearn.base import clone
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
from sklearn.tree import DecisionTreeClassifier

import skcvstats as s
from tests.cheap import Counted, NearestMean
from tests.conftest import every

pytestmark = [pytest.mark.filterwarnings("ignore")]

RNG = np.random.default_rng(0)
X, Y = (rows[:120:2] for rows in load_breast_cancer(return_X_y=True))
X = X[:, :3]
N = len(Y)
NUMBERS = X[:, 0] + RNG.normal(size=N)
GROUPS = np.arange(N) % 12
UNEQUAL_GROUPS = np.maximum(np.arange(N), 45)  # too unequal for the row t-test

CLASSIFIERS = {"bayes": GaussianNB(), "dummy": DummyClassifier()}
REGRESSORS = {"ridge": Ridge(), "dummy": DummyRegressor()}
NEAREST_MEANS = {"one": NearestMean(), "three": NearestMean(3)}
COUNTED = {"a": Counted(), "b": Counted(3)}
OF_LABEL_SETS = {"near": KNeighborsClassifier(), "tree": DecisionTreeClassifier(max_depth=2)}

ROW_T = "row_t"
CORRECTED_T = "corrected_resampled_t"
DIEBOLD_MARIANO = "diebold_mariano"
# How the note on the choice begins.
CHOSE = {
    ROW_T: 'method="auto" chose the row t-test, ',
    CORRECTED_T: 'method="auto" chose the corrected resampled t-test: ',
    DIEBOLD_MARIANO: 'method="auto" chose the Diebold-Mariano test, as the splits are in time',
}
RANDOM_SPLITS = ShuffleSplit(12, random_state=0)
# A metric of folds whose scores of rows were not measured.
NOT_MEASURED = "fowlkes_mallows_score"


def folds(seed=0):
    return RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=seed)


def with_a_rare_class(n_rare):
    """Return labels of three classes, of which the third has so many rows."""
    return np.r_[np.full(n_rare, 2), np.arange(N - n_rare) % 2]


def minus_squared_error(estimator, X, y):
    return -float(np.mean((y - estimator.predict(X)) ** 2))


def chosen(estimators, X, y, **options):
    """Return the test that both doors chose, and the reason that both give."""
    result = s.compare_estimators(estimators, X, y, **options)
    (note,) = [str(note) for note in result.notes if note.code == "method"]

    first = next(iter(estimators.values()))
    single = s.cross_val_inference(first, X, y, **options)
    if not hasattr(single, "method"):  # of several metrics
        single = single.inferences[single.metrics[0]]
    (same_note,) = [str(note) for note in single.notes if note.code == "method"]

    method = single.method
    assert note == same_note
    assert {tests.procedure.name for tests in result.tests_by_metric.values()} == {method}
    assert note.startswith(CHOSE[method])
    return method, note.removeprefix(CHOSE[method])


class TestWhichTest:
    """The row t-test needs scores of rows, and folds that test each row once in each repeat."""

    @pytest.mark.parametrize(
        ("options", "reason"),
        every(
            3,
            [
                ({"scoring": "neg_log_loss"}, "log loss is a mean"),
                ({"scoring": ["accuracy", "neg_log_loss"]}, "accuracy, log loss are means"),
                ({"scoring": {"Hits": make_scorer(accuracy_score)}}, "Hits is a mean"),
                ({"y": NUMBERS, "scoring": "neg_mean_squared_error"}, "MSE is a mean"),
                ({"y": NUMBERS, "scoring": "neg_mean_absolute_error", "cv": 5}, "MAE is"),
                ({"cv": None}, "accuracy is a mean"),
                ({"cv": 5}, "accuracy is a mean"),
                ({"cv": 3}, "accuracy is a mean"),
                ({"cv": KFold(10, shuffle=True, random_state=0)}, "accuracy is a mean"),
                ({"cv": folds()}, "accuracy is a mean"),
                ({"cv": RepeatedKFold(n_splits=5, n_repeats=3)}, "accuracy is a mean"),
                ({"cv": list(folds().split(X, Y))}, "accuracy is a mean"),
                ({"cv": PredefinedSplit(np.arange(N) % 5)}, "accuracy is a mean"),
                ({"groups": GROUPS, "cv": None}, "accuracy is a mean"),
                ({"groups": GROUPS, "cv": GroupKFold(5)}, "accuracy is a mean"),
                ({"groups": GROUPS, "cv": StratifiedGroupKFold(5)}, "accuracy is a mean"),
            ],
        ),
    )
    def test_means_over_rows_on_folds_get_the_row_t_test(self, options, reason):
        models = REGRESSORS if "y" in options else CLASSIFIERS
        method, found = chosen(models, X, **{"y": Y, **options})
        assert method == ROW_T
        assert found.startswith(f"as {reason}")
        assert found.endswith(" over rows")

    @pytest.mark.parametrize(
        "scoring",
        every(
            3,
            [
                "f1",
                "roc_auc",
                "average_precision",
                "f1_macro",
                "balanced_accuracy",
                "matthews_corrcoef",
                "roc_auc_ovr",
                (["accuracy", "f1"],),
                make_scorer(roc_auc_score),
            ],
        ),
    )
    @pytest.mark.parametrize("options", every(3, [{}, {"groups": GROUPS}, {"cv": folds()}]))
    def test_metrics_of_folds_whose_row_scores_were_measured_get_it_too(self, scoring, options):
        method, found = chosen(CLASSIFIERS, X, Y, scoring=scoring, **options)
        assert method == ROW_T
        assert found.endswith(" are available")

    @pytest.mark.parametrize(
        "scoring",
        every(
            3,
            [
                None,
                "r2",
                "neg_root_mean_squared_error",
                "explained_variance",
                "d2_absolute_error_score",
            ],
        ),
    )
    @pytest.mark.parametrize("options", every(3, [{}, {"groups": GROUPS}, {"cv": KFold(4)}]))
    def test_so_do_those_of_regression(self, scoring, options):
        method, found = chosen(REGRESSORS, X, NUMBERS, scoring=scoring, **options)
        assert method == ROW_T
        assert found.endswith(" are available")

    @pytest.mark.parametrize(
        ("scoring", "reason"),
        [
            ("neg_max_error", "max error has no scores of rows: its value depends on the size"),
            (
                minus_squared_error,
                "minus_squared_error has no scores of rows: it is a function of the model; pass "
                "make_",
            ),
        ],
    )
    def test_metrics_without_row_scores_get_the_corrected_t_test(self, scoring, reason):
        method, found = chosen(REGRESSORS, X, NUMBERS, scoring=scoring)
        assert method == CORRECTED_T
        assert reason in found
        # The reason comes before that of the splits.
        on_random_splits = chosen(REGRESSORS, X, NUMBERS, scoring=scoring, cv=RANDOM_SPLITS)
        assert on_random_splits == (method, found)
        with pytest.raises(ValueError, match=r"no scores of rows: .*Repeat the call"):
            s.compare_estimators(REGRESSORS, X, NUMBERS, scoring=scoring, method=ROW_T)

    @pytest.mark.parametrize("names", [("amount",), ("amount", "sample_weight"), ("a", "b")])
    def test_a_metric_with_routed_metadata_is_no_function_of_the_model(self, names):
        def cost(y_true, y_pred, **by_row):
            return -float(np.mean(np.square(y_true - y_pred) * by_row[names[0]]))

        params = {name: np.linspace(1, 2, len(NUMBERS)) for name in names}
        with config_context(enable_metadata_routing=True):
            scorer = make_scorer(cost).set_score_request(**dict.fromkeys(names, True))
            weighing = "sample_weight" in names
            models = {
                name: clone(model).set_fit_request(sample_weight=False) if weighing else model
                for name, model in REGRESSORS.items()
            }
            method, found = chosen(models, X, NUMBERS, scoring=scorer, params=params)
            assert method == CORRECTED_T
            assert "cost has no scores of rows: it takes metadata by row, which" in found
            with pytest.raises(ValueError, match="no scores of rows: it takes metadata by row"):
                s.compare_estimators(
                    models, X, NUMBERS, scoring=scorer, params=params, method=ROW_T
                )

    def test_a_metric_that_was_not_measured_gets_the_corrected_t_test_and_may_ask_for_rows(self):
        scoring = "neg_median_absolute_error"
        method, found = chosen(REGRESSORS, X, NUMBERS, scoring=scoring)
        assert method == CORRECTED_T
        assert 'with median absolute error; method="row_t"' in found
        on_random_splits = chosen(REGRESSORS, X, NUMBERS, scoring=scoring, cv=RANDOM_SPLITS)
        assert on_random_splits == (method, found)
        result = s.compare_estimators(REGRESSORS, X, NUMBERS, scoring=scoring, method=ROW_T)
        assert "metric not measured" in [note.code for note in result.notes]

    OTHER_SPLITS = r"these splits test .*\. Such folds are those of RepeatedStratifiedKFold\("

    @pytest.mark.parametrize(
        ("options", "reason"),
        [
            ({"cv": RANDOM_SPLITS}, OTHER_SPLITS),
            ({"cv": PredefinedSplit(np.arange(N) % 6 - 1)}, OTHER_SPLITS),
            ({"groups": GROUPS, "cv": GroupShuffleSplit(9, random_state=0)}, OTHER_SPLITS),
            (
                {"scoring": ["accuracy", "neg_mean_absolute_error"], "cv": RANDOM_SPLITS},
                OTHER_SPLITS,
            ),
            ({"cv": LeaveOneOut()}, r"fold has 1 row\. Use 5 or 10 folds, or pass more"),
            ({"cv": 2}, "here repeats have 2 folds, .* Use 5 or 10 folds, or pass more data"),
            (
                {"groups": GROUPS, "cv": LeaveOneGroupOut()},
                r"fold has 1 group\. Use fewer folds, such as GroupKFold\(3\), or pass more groups",
            ),
            ({"groups": GROUPS, "cv": 5}, "whole groups in each fold.* Use folds of whole groups"),
            (
                {"groups": UNEQUAL_GROUPS},
                "^too few or too unequal groups: the 15 groups have .* Test on more",
            ),
        ],
    )
    def test_on_other_splits_the_reason_is_the_refusal_of_the_row_t_test(self, options, reason):
        method, found = chosen(NEAREST_MEANS, X, Y, **options)
        assert method == CORRECTED_T
        assert re.search(reason, found)

        Counted.n_fits = 0
        with pytest.raises(s.SplitDesignError) as caught:
            s.compare_estimators(COUNTED, X, Y, **options, method=ROW_T)
        assert Counted.n_fits == 0
        refusal = str(caught.value).removesuffix(".")
        assert refusal[0].lower() + refusal[1:] == found

    def test_splits_in_time_order_get_the_test_of_diebold_and_mariano(self):
        in_time_order = TimeSeriesSplit(6)
        assert chosen(NEAREST_MEANS, X, Y, cv=in_time_order)[0] == DIEBOLD_MARIANO
        with pytest.raises(s.SplitDesignError, match=r"in time order\. Use .*diebold_mariano"):
            s.compare_estimators(NEAREST_MEANS, X, Y, cv=in_time_order, method=ROW_T)

    @pytest.mark.parametrize(
        ("y", "options", "expected_notes"),
        [
            (
                Y,
                {"scoring": ["accuracy", NOT_MEASURED]},
                [
                    "row t-test, as accuracy is a mean over rows",
                    "resampled t-test for Fowlkes-Mallows score: the row t-test was not measured "
                    "with Fowlkes-Mallows score; me",
                ],
            ),
            (
                Y,
                {"scoring": ["f1", "neg_log_loss", NOT_MEASURED, "roc_auc"]},
                [
                    "row t-test, because per-row scores of F1, log loss, ROC AUC are available",
                    "Fowlkes-Mallows score",
                ],
            ),
            (
                Y,
                {"scoring": ["f1", "roc_auc"], "cv": RANDOM_SPLITS},
                ["corrected resampled t-test: the row t-test needs repeated k-fold"],
            ),
            (
                Y,
                {"scoring": ["accuracy", "f1"], "groups": UNEQUAL_GROUPS},
                ["resampled t-test: too few or too unequal gro"],
            ),
            (
                with_a_rare_class(1),
                {"scoring": ["accuracy", "neg_log_loss"], "on_error": "drop"},
                ["row t-test, as accuracy is a mean over rows"],
            ),
        ],
    )
    def test_each_metric_decides_for_itself_and_those_alike_are_named_once(
        self, y, options, expected_notes
    ):
        result = s.compare_estimators(CLASSIFIERS, X, y, **options)
        notes = [str(note) for note in result.notes if note.code == "method"]
        assert len(notes) == len(expected_notes)
        for note, expected in zip(notes, expected_notes, strict=True):
            assert expected in note
        for name in result.metrics:
            alone = s.compare_estimators(CLASSIFIERS, X, y, **{**options, "scoring": name})
            assert alone.tests[0].method == result[name].tests[0].method
            assert alone.tests[0].pvalue == result[name].tests[0].pvalue

    def test_ten_rows_are_enough_for_the_row_t_test(self):
        X = np.arange(10.0)[:, np.newaxis]
        y = np.arange(10) % 2
        assert chosen(CLASSIFIERS, X, y)[0] == ROW_T
        assert chosen(CLASSIFIERS, X, y, groups=np.arange(10))[0] == ROW_T
        method, reason = chosen(CLASSIFIERS, X[:9], y[:9])
        assert method == CORRECTED_T
        assert reason.startswith(
            "5 folds of at least two rows need 10; the data have 9, so LeaveOneOut"
        )

    @pytest.mark.parametrize("method", [ROW_T, CORRECTED_T, s.RowTTest(inflation=0.6)])
    def test_a_choice_of_the_user_is_not_noted(self, method):
        result = s.compare_estimators(NEAREST_MEANS, X, Y, method=method)
        single = s.cross_val_inference(NEAREST_MEANS["one"], X, Y, method=method)
        codes = [note.code for note in (*result.notes, *single.notes)]
        assert "method" not in codes


def assert_same_but_for_the_choice(result, expected):
    """Assert that two results are equal, bit for bit, but for the note on the choice."""
    for metric, scores in result.scores_by_metric.items():
        expected_scores = expected.scores_by_metric[metric]
        assert scores.values.tobytes() == expected_scores.values.tobytes()
        assert scores.design == expected_scores.design
    frame = result.to_frame().drop(columns="note", errors="ignore")
    expected_frame = expected.to_frame().drop(columns="note", errors="ignore")
    pd.testing.assert_frame_equal(frame, expected_frame, check_exact=True)
    assert [note for note in result.notes if note.code != "method"] == list(expected.notes)


class TestIsThatTest:
    """The numbers, and the streams of random numbers after the call, are those of the test."""

    @pytest.mark.parametrize(
        ("options", "method"),
        every(
            3,
            [
                ({"scoring": "f1_macro"}, ROW_T),
                ({"cv": folds()}, ROW_T),
                ({"groups": GROUPS}, ROW_T),
                ({"cv": 5}, ROW_T),
                ({"scoring": ["accuracy", "neg_mean_absolute_error"]}, ROW_T),
                ({"reference": "best", "alternative": "less", "margin": 0.1}, ROW_T),
                ({"reference": "a", "alternative": "greater", "scoring": "f1_macro"}, ROW_T),
                ({"estimators": REGRESSORS, "y": NUMBERS, "scoring": "r2"}, ROW_T),
                (
                    {
                        "y": with_a_rare_class(1),
                        "estimators": CLASSIFIERS,
                        "scoring": ["accuracy", "neg_log_loss"],
                        "on_error": "drop",
                    },
                    ROW_T,
                ),
                ({"cv": RANDOM_SPLITS}, CORRECTED_T),
                ({"cv": 2}, CORRECTED_T),
                (
                    {
                        "scoring": NOT_MEASURED,
                        "cv": RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=0),
                    },
                    CORRECTED_T,
                ),
            ],
        ),
    )
    @pytest.mark.parametrize(
        ("random_state", "fresh_seeds"), every(3, [(7, False), (None, False), ("instance", True)])
    )
    def test_all_numbers_are_those_of_the_test(self, options, method, random_state, fresh_seeds):
        if "cv" in options and random_state == 7:
            random_state = 0
        outcomes = []
        for asked in ("auto", method):
            np.random.seed(3)  # noqa: NPY002
            Counted.n_fits = 0
            state = np.random.RandomState(4) if random_state == "instance" else random_state
            arguments = {"estimators": COUNTED, "X": X, "y": Y, **options}
            result = s.compare_estimators(
                **arguments, method=asked, random_state=state, fresh_seeds=fresh_seeds
            )
            outcomes.append((result, Counted.n_fits, next_numbers(state)))
        (result, *after), (expected, *expected_after) = outcomes
        assert_same_but_for_the_choice(result, expected)
        assert after == expected_after
        assert result.tests[0].method == expected.tests[0].method == method
        if "estimators" not in options:
            assert Counted.n_fits == 2 * result.tests[0].n_splits

    @pytest.mark.parametrize(
        ("make_cv", "method"),
        [
            (lambda state: folds(state), ROW_T),
            (lambda state: folds(state).split(X, Y), ROW_T),
            (lambda state: ShuffleSplit(12, random_state=state), CORRECTED_T),
            (lambda state: s.RepeatedSubsampleSplit(12, random_state=state), CORRECTED_T),
            (
                lambda state: StratifiedKFold(2, shuffle=True, random_state=state),
                CORRECTED_T,
            ),
            (lambda state: map(tuple, ShuffleSplit(12, random_state=state).split(X)), CORRECTED_T),
        ],
    )
    @pytest.mark.parametrize("random_state", every(2, [0, None, "instance"]))
    def test_splits_from_a_stream_are_drawn_as_often_as_by_the_test(
        self, make_cv, method, random_state
    ):
        """Twice, as the second call may take other splits from the stream."""
        outcomes = []
        for asked in ("auto", method):
            np.random.seed(3)  # noqa: NPY002
            state = np.random.RandomState(4) if random_state == "instance" else random_state
            options = {
                "method": asked,
                "random_state": state,
                "fresh_seeds": random_state == "instance",
            }
            results = [
                s.compare_estimators(COUNTED, X, Y, cv=make_cv(state), **options) for _ in range(2)
            ]
            outcomes.append((results, next_numbers(state)))
        (results, after), (expected_results, expected_after) = outcomes
        for result, expected in zip(results, expected_results, strict=True):
            assert_same_but_for_the_choice(result, expected)
            assert result.tests[0].method == expected.tests[0].method == method
        assert after == expected_after

    @pytest.mark.parametrize(("scoring", "method"), [("f1", ROW_T), (NOT_MEASURED, CORRECTED_T)])
    def test_the_inference_on_one_estimator_is_that_of_the_test(self, scoring, method):
        options = {"null_value": 0.4, "alternative": "greater", "scoring": scoring, "cv": folds()}
        found = s.cross_val_inference(NEAREST_MEANS["one"], X, Y, **options)
        expected = s.cross_val_inference(NEAREST_MEANS["one"], X, Y, **options, method=method)
        assert tuple(found) == tuple(expected)
        assert found.confidence_interval(0.9) == expected.confidence_interval(0.9)
        assert (found.null_value, found.alternative) == (0.4, "greater")


def next_numbers(state):
    """Return what the global stream of random numbers, and that of a state, draw next."""
    numbers = [np.random.uniform()]  # noqa: NPY002
    if isinstance(state, np.random.RandomState):
        numbers.append(state.uniform())
    return numbers


@pytest.mark.parametrize("error", [AttributeError, MemoryError, s.SplitDesignError, KeyError])
@pytest.mark.parametrize("options", [{}, {"cv": 5}, {"groups": GROUPS}])
def test_an_exception_of_the_row_t_test_is_no_reason_for_another_test(error, options, monkeypatch):
    """Only a reason that it returns lets the other test run."""
    monkeypatch.setattr(s.RowTTest, "unsuitable", Mock(side_effect=error("it broke. Twice")))
    monkeypatch.setattr(Counted, "n_fits", 0)
    for call in (s.compare_estimators, s.cross_val_inference):
        with pytest.raises(error, match=r"it broke\. Twice"):
            call(COUNTED, X, Y, **options)
    assert Counted.n_fits == 0


def comparison(models=CLASSIFIERS, X=X, y=Y, **options):
    """Return a function of the method that compares the models."""
    return lambda method: s.compare_estimators(models, X, y, method=method, **options)


def routed_comparison(models=CLASSIFIERS, **options):
    """Return the same with metadata routing."""

    def compare(method):
        with sklearn.config_context(enable_metadata_routing=True):
            return s.compare_estimators(models, X, Y, method=method, **options)

    return compare


def weighted_comparison(weights, groups=None, **options):
    """Return the same in a metric that takes weights of the rows."""
    params = {"sample_weight": weights}
    if groups is not None:
        params["groups"] = groups
    with sklearn.config_context(enable_metadata_routing=True):
        scoring = make_scorer(accuracy_score).set_score_request(sample_weight=True)
        models = {}
        for name, strength in (("a", 1), ("b", 1e-4)):
            models[name] = LogisticRegression(C=strength).set_fit_request(sample_weight=False)
    return routed_comparison(models, scoring=scoring, params=params, **options)


class FailsLater(Counted):
    """Fails in the fits from the sixth on."""

    def fit(self, X, y):
        if self.n_fits == 5:
            raise RuntimeError("the disk is full")
        return super().fit(X, y)


WEIGHTS = RNG.uniform(0.5, 2, N)
TWO_NUMBERS = np.c_[NUMBERS, NUMBERS**2]
TWO_LABELS = np.c_[Y, np.arange(N) % 3 == 0].astype(int)
DUMMIES = {"a": DummyClassifier(), "b": DummyClassifier()}
# Before scikit-learn 1.7 the Brier score was of two classes only.
BRIER = "neg_brier_score" if "labels" in signature(brier_score_loss).parameters else "accuracy"

# What the corrected resampled t-test can do.
POSSIBLE = {
    "accuracy of constant scores": comparison(DUMMIES),
    "three rows": comparison(X=X[:3], y=np.array([0, 1, 1])),
    "folds of a part of the rows": comparison(cv=list(KFold(5).split(X[:50]))),
    "folds of one class": comparison(y=np.sort(Y), cv=KFold(5)),
    "folds of one class, Brier score": comparison(
        y=np.sort(Y), cv=KFold(5), scoring="neg_brier_score"
    ),
    "folds for which AUC is undefined": comparison(
        y=np.sort(Y), cv=KFold(5), scoring=["accuracy", "roc_auc"], on_error="drop"
    ),
    "a class of one row": comparison(y=with_a_rare_class(1)),
    "a class of one row, log loss": comparison(
        y=with_a_rare_class(1), scoring=["accuracy", "neg_log_loss"], on_error="drop"
    ),
    "a class of two rows on five folds": comparison(y=with_a_rare_class(2), cv=5),
    "a class of two rows, Brier score": comparison(y=with_a_rare_class(2), scoring=BRIER),
    "a class of six rows, log loss on halves": comparison(
        y=with_a_rare_class(6),
        scoring="neg_log_loss",
        cv=s.RepeatedSubsampleSplit(10, test_size=0.5, stratify=True, random_state=0),
    ),
    "labels that are words, log loss": comparison(
        y=np.where(Y == 1, "yes", "no"), scoring="neg_log_loss", cv=folds()
    ),
    "F1 of three classes": comparison(
        y=np.arange(N) % 3, scoring=["accuracy", "f1"], on_error="drop"
    ),
    "models without probabilities": comparison(
        CLASSIFIERS | NEAREST_MEANS, scoring=["accuracy", "neg_brier_score"], on_error="drop"
    ),
    "a model that fails later": comparison({**CLASSIFIERS, "fails": FailsLater()}, on_error="drop"),
    "the same metric twice": comparison(
        NEAREST_MEANS, scoring={"a": "accuracy", "b": get_scorer("accuracy")}
    ),
    "two labels": comparison(OF_LABEL_SETS, y=TWO_LABELS),
    "two labels, F1 of rows": comparison(OF_LABEL_SETS, y=TWO_LABELS, scoring="f1_samples"),
    "two numbers": comparison(REGRESSORS, y=TWO_NUMBERS, scoring="neg_mean_squared_error"),
    "two numbers, R2": comparison(REGRESSORS, y=TWO_NUMBERS, cv=4),
    "a constant number": comparison(REGRESSORS, y=np.ones(N), scoring="neg_mean_squared_error"),
    "negative numbers, of which one error has no logarithm": comparison(
        REGRESSORS,
        y=NUMBERS - NUMBERS.mean(),
        scoring=["neg_mean_squared_error", "neg_mean_squared_log_error"],
        on_error="drop",
    ),
    "ten groups": comparison(groups=np.arange(N) % 10),
    "groups in params": routed_comparison(params={"groups": GROUPS}),
    "weights": weighted_comparison(WEIGHTS),
    "weights of zero": weighted_comparison(WEIGHTS * (np.arange(N) % 3 > 0)),
    "a negative weight": weighted_comparison(np.where(np.arange(N) == 3, -0.1, WEIGHTS)),
    "a huge weight": weighted_comparison(np.where(np.arange(N) == 3, 1e9, WEIGHTS)),
    "weights and groups": weighted_comparison(WEIGHTS, GROUPS, cv=GroupKFold(5)),
    "a group without weight": weighted_comparison(WEIGHTS * (GROUPS > 0), GROUPS, cv=GroupKFold(6)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", POSSIBLE)
def test_it_never_raises_what_the_corrected_t_would_not(name):
    results = {}
    for method in (CORRECTED_T, "auto"):
        FailsLater.n_fits = 0
        with warnings.catch_warnings(record=True, action="always") as caught:
            results[method] = POSSIBLE[name](method)
        messages = [
            str(warning.message)
            for warning in caught
            if warning.category.__module__.startswith("skcvstats")
        ]
        assert len(set(messages)) == len(messages)
        str(results[method])
        results[method].to_frame()
    result = results["auto"]
    expected = results[CORRECTED_T]
    assert result.metrics == expected.metrics
    if name != "a model that fails later":
        dropped = [entry[:2] for entry in result.dropped]
        assert dropped == [entry[:2] for entry in expected.dropped]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"scoring": "accuracies"}, "Did you mean"),
        ({"scoring": 5}, "must be the name of a metric"),
        ({"scoring": make_scorer(accuracy_score, greater_is_better=False)}, "greater is"),
        ({"scoring": "neg_log_loss"}, "no predict_proba"),
        ({"cv": GroupKFold(5)}, "needs groups"),
        ({"cv": 100}, "n_splits=100"),
        ({"cv": list(KFold(5).split(X)) * 2}, "the same split is repeated"),
        ({"cv": [(np.arange(N), np.arange(9))] * 3}, "are also training rows"),
        ({"random_state": "x", "fresh_seeds": True}, "random_state='x' must be"),
        ({"random_state": 3, "cv": folds()}, "Seed the splitter itself"),
        ({"groups": [None] * N}, "missing labels"),
        ({"y": NUMBERS}, "different numbers"),
        ({"X": X[:1], "y": Y[:1]}, "at least two"),
        ({"alternative": "more"}, "alternative"),
    ],
)
def test_what_is_wrong_for_both_is_raised_as_by_the_corrected_t_before_any_fit(
    options, words, monkeypatch
):
    monkeypatch.setattr(Counted, "n_fits", 0)
    arguments = {"X": X, "y": Y, "estimators": COUNTED, **options}
    errors = []
    for method in (CORRECTED_T, "auto"):
        with pytest.raises((ValueError, TypeError)) as caught:
            s.compare_estimators(**arguments, method=method)
        errors.append(caught.value)
    expected, error = errors
    assert type(error) is type(expected)
    assert str(error) == str(expected)
    assert words in str(error)
    assert "row t-test" not in str(error.__context__)  # nor in what Python prints above it
    assert Counted.n_fits == 0


def test_weights_may_take_all_rows_of_a_fold_but_one_group():
    compare = weighted_comparison(WEIGHTS * (GROUPS > 0), GROUPS, cv=GroupKFold(6))
    with pytest.raises(s.SplitDesignError, match="1 group"):
        compare(ROW_T)
