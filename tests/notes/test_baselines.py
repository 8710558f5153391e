"""A best model that is no better than a constant, and models that predict no positive."""

from functools import partial

import numpy as np
import pytest
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import StratifiedKFold

import skcvstats as s
from skcvstats.scores import baseline_of
from tests.comparison.made import codes
from tests.conftest import ignoring

pytestmark = ignoring("DegenerateScores", "SplitDesign")
RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 2))
RARE = np.where(np.arange(200) % 20 == 0, "yes", "no")  # 5 %
FOLDS = StratifiedKFold(5, shuffle=True, random_state=0)
CODE = "no better than a constant"


class Sign(ClassifierMixin, BaseEstimator):
    """Predicts the second class where a column is above a limit."""

    def __init__(self, column=0, limit=0.0):
        self.column = column
        self.limit = limit

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return self.classes_[(X[:, self.column] > self.limit).astype(int)]


def texts(result, code):
    return [str(note) for note in result.notes if note.code == code]


def test_the_winner_is_noted_where_it_is_no_better():
    models = {"never": DummyClassifier(), "sign": Sign()}
    result = s.compare_estimators(models, X, RARE, cv=FOLDS)
    said = "'never', the best, is not significantly better in accuracy than always 'no' (0.95)"
    assert texts(result, CODE) == [said]
    assert len(said) <= 160
    again = s.ComparisonResult.from_json(result.to_json())
    assert texts(again, CODE) == [said]
    assert baseline_of(again.scores) == ("always 'no'", pytest.approx(0.95))


@pytest.mark.parametrize("share", [0.6, 0.95])
def test_a_winner_is_judged_by_its_rows(share):
    """Right on all rows but some; the constant is right on `share` of them."""
    y = (np.arange(200) >= 200 * share).astype(int)
    for n_wrong, is_noted in ((0, False), (int(200 * (1 - share)), True)):
        wrong = np.isin(np.arange(200), np.arange(0, 200, 200 // max(n_wrong, 1))[:n_wrong])
        data = np.where(wrong, 1 - y, y)[:, None] - 0.5
        pair = {"a": Sign(), "b": Sign(limit=9.0)}
        found = codes(s.compare_estimators(pair, data, y, cv=FOLDS))
        assert (CODE in found) == is_noted


def test_regressors_test_sets_and_single_models_too():
    y = X[:, 0] + 0.1 * RNG.normal(size=200)
    models = {"linear": LinearRegression(), "mean": DummyRegressor()}
    assert CODE not in codes(s.compare_estimators(models, X, y, cv=5))
    (said,) = texts(s.compare_estimators(models, X, RNG.permutation(y), cv=5), CODE)
    assert said.endswith("not significantly better in R2 than a constant prediction (0)")
    given = {"a": np.full(200, "no"), "b": RARE[::-1]}
    assert CODE in codes(s.compare_predictions(RARE, given, scoring="accuracy"))
    given["c"] = RARE
    assert CODE not in codes(s.compare_predictions(RARE, given, scoring="accuracy"))
    assert CODE in codes(s.cross_val_inference(DummyClassifier(), X, RARE, cv=FOLDS))


def test_what_is_worse_than_a_constant_is_said_once():
    models = {"a": Sign(), "b": Sign(1)}  # each is right on half of the rows
    found = codes(s.compare_estimators(models, X, RARE, cv=FOLDS))
    assert "worse than a constant" in found
    assert CODE not in found


@pytest.mark.parametrize("method", ["auto", "corrected_resampled_t"])
def test_no_model_predicts_a_positive(method):
    f1 = make_scorer(f1_score, pos_label="yes", zero_division=0)
    models = {"a": DummyClassifier(), "b": Sign(limit=99.0)}
    result = s.compare_estimators(models, X, RARE, scoring=f1, method=method, cv=FOLDS)
    wrongly = "" if method == "auto" else " that is one"  # its predictions are not kept
    said = f"no model predicted a positive{wrongly}, so its f1_score is 0 on every split"
    assert texts(result, "no predicted positive") == [said]
    assert CODE not in codes(result)
    models["c"] = Sign()
    assert not texts(
        s.compare_estimators(models, X, RARE, scoring=f1, cv=FOLDS), "no predicted positive"
    )


def test_positives_that_are_none_are_told_apart():
    """Both models are wrong on each row that they call positive."""
    y = (X[:, 0] < -1).astype(int)
    models = {"a": Sign(limit=1.5), "b": Sign(limit=2.0)}
    result = s.compare_estimators(models, X, y, scoring="f1", cv=FOLDS)
    (said,) = texts(result, "no predicted positive")
    assert said.startswith("no model predicted a positive that is one, so its F1 is 0")


def test_the_last_line_of_a_table_is_the_constant():
    models = {"a": Sign(), "b": Sign(1), "never": DummyClassifier()}
    result = s.compare_estimators(models, X, RARE, cv=FOLDS)
    rows = [line.split() for line in str(result).splitlines()]
    assert ["always", "'no'", "0.950"] in rows
    assert "always &#x27;no&#x27;" in result._repr_html_()
    assert "always 'no'" in str(s.evaluation_report(result))
    y = X[:, 0]
    regressors = {
        "linear": LinearRegression(),
        "mean": DummyRegressor(),
        "more": LinearRegression(),
    }
    assert "always" not in str(s.compare_estimators(regressors, X, y, cv=5))


@pytest.mark.parametrize(("n_more", "n_fewer", "is_noted"), [(20, 4, False), (118, 98, True)])
def test_a_test_set_is_judged_beside_the_constant(n_more, n_fewer, is_noted):
    """The interval of the score alone says the contrary in both cases."""
    y = (np.arange(400) >= 220).astype(int)  # always 0 is right on .55
    predicted = np.zeros(400, dtype=int)
    predicted[220 : 220 + n_more] = 1
    predicted[:n_fewer] = 1
    expected = stats.ttest_rel(1.0 * (predicted == y), 1.0 * (y == 0)).pvalue
    assert (expected > 0.05) == is_noted
    alone = stats.ttest_1samp(1.0 * (predicted == y), 0.55).pvalue
    assert (alone > 0.05) != is_noted
    result = s.predictions_inference(y, predicted, scoring="accuracy")
    assert bool(texts(result, CODE)) == is_noted


def test_errors_are_judged_beside_those_of_the_constant():
    """A model that explains little has hardly a lower error, but on nearly all rows."""
    y = np.random.default_rng(0).normal(size=400)
    predicted = {"a": 0.05 * y, "b": 0.02 * y}
    squares = (y - y.mean()) ** 2
    assert stats.ttest_rel((0.95 * y) ** 2, squares).pvalue < 1e-9
    assert stats.ttest_1samp((0.95 * y) ** 2, squares.mean()).pvalue > 0.05
    for scoring in ("neg_mean_squared_error", "neg_root_mean_squared_error"):
        assert CODE not in codes(s.compare_predictions(y, predicted, scoring=scoring))


def test_the_constant_is_the_best_one_with_the_weights():
    y = np.arange(100) % 5 < 2  # 40 %
    weights = np.where(y, 3.0, 1.0)
    given = {"a": np.arange(100) % 3 == 0, "b": np.arange(100) % 2 == 0}
    result = s.compare_predictions(y, given, scoring="accuracy", sample_weight=weights)
    assert baseline_of(result.scores) == ("always True", pytest.approx(120 / 180))
    assert any(texts(result, code) for code in (CODE, "worse than a constant"))
    values = {"a": X[:, 0] + 0.5, "b": X[:, 1] - 0.5}
    target, shares = X.sum(axis=1), np.exp(X[:, 0])
    for scoring, best in (
        ("neg_mean_squared_error", np.average(target, weights=shares)),
        (
            "neg_mean_absolute_error",
            np.quantile(target, 0.5, weights=shares, method="inverted_cdf"),
        ),
    ):
        result = s.compare_predictions(target, values, scoring=scoring, sample_weight=shares)
        power = 2 if "squared" in scoring else 1
        expected = -np.average(np.abs(target - best) ** power, weights=shares)
        assert result.scores.provenance["score of a constant"] == pytest.approx(expected)


def test_repeated_folds_are_judged_by_their_interval():
    """The plain standard error of rows is too small, as rows share their training rows."""
    found = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        y = rng.integers(0, 2, 150)
        data = rng.normal(size=(150, 2)) + 0.28 * y[:, None] * [1, 0]
        options = {"scoring": "roc_auc", "method": "row_t", "cv": 5}
        result = s.cross_val_inference(LogisticRegression(), data, y, **options)
        is_noted = any(map(partial(texts, result), (CODE, "worse than a constant")))
        assert is_noted == (result.confidence_interval().low <= 0.5)
        found.append(is_noted)
    assert 0 < sum(found) < 12


def test_what_a_constant_does_not_have_is_no_error():
    """The precision of a constant that is never positive, and rows of a class that is not there."""
    y = RNG.integers(0, 2, 200)
    given = {"a": RNG.integers(0, 2, 200), "b": RNG.integers(0, 2, 200)}
    assert len(s.compare_predictions(y, given, scoring="precision").comparisons) == 1
    shares = {name: RNG.dirichlet(np.ones(3), 200) for name in "ab"}
    folded = s.compare_predictions(
        np.where(y, "yes", "no"),
        {k: v[:, :2] / v[:, :2].sum(1, keepdims=True) for k, v in shares.items()},
        scoring="neg_log_loss",
    )
    assert "worse than a constant" in codes(folded)


@pytest.mark.parametrize(("scoring", "share", "name", "best"), [
    ("f1", 0.5, "always 1", 2 / 3),  # 2 p/(1 + p) of a share p of positives
    ("f1", 0.1, "always 1", 0.2 / 1.1),
    ("precision", 0.1, "always 1", 0.1),
    ("recall", 0.1, "always 1", 1.0),
    ("accuracy", 0.1, "always 0", 0.9),
    ("balanced_accuracy", 0.1, "always 0", 0.5),
])  # fmt: skip
def test_the_best_constant_may_be_the_rarer_class(scoring, share, name, best):
    y = (np.arange(400) < 400 * share).astype(int)
    coins = {f"coin {k}": np.random.default_rng(k).integers(2, size=400) for k in range(3)}
    result = s.compare_predictions(y, coins, scoring=scoring)
    assert baseline_of(result.scores) == (name, pytest.approx(best))
    (row,) = (line for line in str(result).splitlines() if line.startswith("always"))
    assert float(row.split()[-1]) == pytest.approx(best, abs=0.0006)


def test_coins_are_no_better_in_f1_than_all_positive():
    y = np.arange(400) % 2
    coins = {f"coin {k}": np.random.default_rng(k).integers(2, size=400) for k in range(3)}
    (said,) = texts(s.compare_predictions(y, coins, scoring="f1"), CODE)
    assert said.endswith("is not significantly better in F1 than always 1 (0.667)")
    perfect = s.compare_predictions(y, {"right": y} | coins, scoring="f1")
    assert not texts(perfect, CODE)


def test_a_printed_note_does_not_end_after_names():
    y = (np.arange(400) < 40).astype(int)
    coins = {f"coin {k}": np.random.default_rng(k).integers(2, size=400) for k in range(3)}
    printed = " ".join(str(s.compare_predictions(y, coins, scoring="accuracy")).split())
    assert "worse in accuracy than a constant prediction (0.9), by more than 3 " in printed
