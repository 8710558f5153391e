"""The scores of the rows of test sets, as fits collect them: against loops of fits."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn import model_selection as ms
from sklearn.base import BaseEstimator, RegressorMixin, clone, is_classifier
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, get_scorer, make_scorer
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import skcvstats as s
from tests.cheap import Counted
from tests.fitting.against_sklearn import GROUPS, SIGNAL, WEIGHTS, X, Y
from tests.fitting.on_rows import OnRows
from tests.fitting.test_failures import NUMBERED, NeedsRow

REGRESSORS = {"ridge": Ridge(), "tree": DecisionTreeRegressor(random_state=0)}
CLASSIFIERS = {
    "logistic": LogisticRegression(max_iter=1000),
    "tree": DecisionTreeClassifier(max_depth=3, random_state=0),
}
CV = s.RepeatedSubsampleSplit(12, test_size=0.25, random_state=6)
FOLDS = ms.RepeatedKFold(n_splits=7, n_repeats=2, random_state=0)
SINGLE = s.RepeatedSubsampleSplit(1, test_size=0.3, random_state=0)
pytestmark = pytest.mark.filterwarnings(
    "ignore::skcvstats.SplitDesignWarning",
    "ignore::skcvstats.AnticonservativeWarning",
    "ignore::sklearn.exceptions.UndefinedMetricWarning",
)


def compare(models=REGRESSORS, y=SIGNAL, X=X, *, method=None, **options):
    if not all(map(is_classifier, models.values())):
        options = {"scoring": "neg_mean_squared_error"} | options
    return s.compare_estimators(models, X, y, method=method or OnRows(), **{"cv": CV, **options})


def by_hand(model, splits, score, X=X, y=SIGNAL):
    """Return the row numbers and the scores of each split, rows in ascending order."""
    for train, test in splits:
        fitted = clone(model).fit(X[train], y[train])
        # Predicted in the order of the splits, as scores are, then sorted: same bits.
        scores = dict(zip(test.tolist(), score(fitted, X[test], y[test]), strict=True))
        rows = sorted(scores)
        yield rows, [scores[row] for row in rows]


def minus_square(fitted, X, y):
    return -((y - fitted.predict(X)) ** 2)


@pytest.mark.parametrize(
    ("cv", "n_jobs"),
    [
        *((cv, 1) for cv in (ms.KFold(7), ms.KFold(7, shuffle=True, random_state=0), CV, FOLDS)),
        *((ms.ShuffleSplit(5, test_size=0.2, random_state=0), 1), (list(ms.KFold(9).split(X)), 1)),
        *(pytest.param(cv, 2, marks=pytest.mark.processes) for cv in (ms.KFold(7), FOLDS)),
    ],
)
def test_row_scores_are_those_of_a_loop_over_the_splits(cv, n_jobs):
    scores = compare(cv=cv, n_jobs=n_jobs).scores
    splits = cv if isinstance(cv, list) else list(cv.split(X, SIGNAL))
    for name, model in REGRESSORS.items():
        ours = scores[name].row_scores
        for k, (rows, expected) in enumerate(by_hand(model, splits, minus_square)):
            np.testing.assert_array_equal(ours.split(k)[0], rows)
            np.testing.assert_array_equal(ours.split(k)[1], expected)
        assert_means(scores[name], model, scores.metric, cv)
    assert scores.row_scores.groups is None
    assert scores.row_scores.weights is None


def assert_means(scores, model, metric, cv=CV, X=X, y=SIGNAL, **options):
    """Check that the scores, and the means of those of rows, are cross_validate's."""
    expected = ms.cross_validate(model, X, y, cv=cv, scoring=metric, **options)["test_score"]
    np.testing.assert_array_equal(scores.values, expected)
    np.testing.assert_allclose(scores.row_scores.means(), expected, rtol=1e-12)


def test_each_metric_has_its_own():
    scoring, cv = ["neg_log_loss", "accuracy", "neg_brier_score", "roc_auc"], ms.StratifiedKFold(4)
    result = compare(CLASSIFIERS, Y, scoring=scoring, cv=cv)
    for metric in scoring:
        for label, model in CLASSIFIERS.items():
            assert_means(result[metric].scores[label], model, metric, cv, y=Y)


def test_predictions_are_computed_once():
    class Counting(LogisticRegression):
        n_predicted = 0

        def predict_proba(self, X):
            type(self).n_predicted += 1
            return super().predict_proba(X)

    s.cross_val_inference(Counting(), X, Y, scoring="neg_log_loss", cv=CV, method=OnRows())
    assert Counting.n_predicted == 12


@pytest.mark.parametrize("method", ["holdout_t", "corrected_resampled_t"])
def test_they_are_kept_only_where_a_procedure_works_on_them(method):
    cv = SINGLE if method == "holdout_t" else CV
    result = compare(CLASSIFIERS, Y, method=method, cv=cv, scoring="accuracy")
    assert (result.scores.row_scores is None) == (method != "holdout_t")


def test_the_default_metric_is_that_of_the_task_where_it_has_row_scores():
    assert compare(scoring=None).metrics == ("r2",)
    assert compare(CLASSIFIERS, Y).metrics == ("accuracy",)
    result = s.cross_val_inference(Ridge(), X, SIGNAL, method="holdout_t")
    assert result.metric == "neg_mean_squared_error"


def test_row_scores_know_the_groups_of_their_rows():
    names = np.array(list("gfedcba"))[GROUPS]
    result = compare(groups=names, cv=ms.GroupKFold(3))
    rows = result.scores.row_scores
    np.testing.assert_array_equal(rows.groups, 6 - GROUPS)
    assert rows.rows.max() == len(X) - 1


@pytest.mark.parametrize("alias", [True, "importance"])
def test_weights_of_each_metric_against_cross_validate(alias):
    with sklearn.config_context(enable_metadata_routing=True):
        weighted = get_scorer("neg_mean_squared_error").set_score_request(sample_weight=alias)
        unweighted = {"sample_weight": False} if alias is True else {}
        plain = get_scorer("neg_mean_absolute_error").set_score_request(**unweighted)
        scoring = {"weighted": weighted, "plain": plain}
        params = {"sample_weight" if alias is True else alias: pd.Series(WEIGHTS)}
        model = Ridge().set_fit_request(sample_weight=False)
        models = {"ridge": model, "stiff": clone(model).set_params(alpha=100.0)}
        result = compare(models, scoring=scoring, params=params, cv=FOLDS)
        for name, metric in scoring.items():
            given = params if name == "weighted" else {}
            assert_means(result[name].scores["ridge"], model, metric, FOLDS, params=given)
        rows = result["weighted"].scores.row_scores
        np.testing.assert_array_equal(rows.weights, WEIGHTS[rows.rows])
        assert result["plain"].scores.row_scores.weights is None
        again = s.CVScores.from_json(result["weighted"].scores.to_json())
        np.testing.assert_array_equal(again.row_scores.weights, rows.weights)


class TestRefused:
    """Before the first fit, with the arguments that do."""

    def advised(self, call):
        """Return what each piece of advice gives, followed as it is printed."""
        with pytest.raises(ValueError, match="Repeat the call with") as caught:
            call()
        said = str(caught.value).split("Repeat the call with ")[1].removesuffix(".")
        without = [name for name in ("cv",) if f" and without {name}=" in said]
        said = said.removesuffix(" and without cv=")
        return [
            call(**{**dict.fromkeys(without), **eval(f"dict({part})")})
            for part in said.split(", or with ")
        ]

    @pytest.mark.parametrize(
        ("kind", "seed"), [("rows", np.random.RandomState(3)), ("groups", None), ("classes", 3)]
    )
    def test_the_advice_of_a_refusal_runs(self, kind, seed):
        groups = np.arange(len(X)) // 3 if kind == "groups" else None
        models, y, other = REGRESSORS, SIGNAL, "neg_max_error"
        if kind == "classes":
            models, y, other = CLASSIFIERS, Y, make_scorer(accuracy_score, normalize=False)

        def call(**given):
            options = {"scoring": other, "method": "row_t", "random_state": seed} | given
            return s.compare_estimators(models, X, y, groups=groups, **options)

        first, *more = self.advised(call)
        assert first.tests[0].method == "corrected_resampled_t"
        assert first.tests[0].estimate != 0
        assert more == []

    def test_advice_where_splits_are_given(self):
        for cv in (FOLDS, list(FOLDS.split(X))):
            for found in self.advised(
                lambda cv=cv, **given: compare(**{"scoring": "neg_max_error", "cv": cv, **given})
            ):
                assert found.scores.design.n_splits == 14
        for cv in (None, SINGLE):  # a single split serves no other
            options = {"scoring": "f1", "method": s.HoldoutTTest(), "cv": cv}
            (found,) = self.advised(
                lambda how=options, **given: s.cross_val_inference(TREE, X, Y, **how | given)
            )
            assert found.scores.design.n_splits == 15


def test_weights_of_a_holdout():
    with sklearn.config_context(enable_metadata_routing=True):
        weighted = get_scorer("neg_mean_squared_error").set_score_request(sample_weight=True)
        model = Ridge().set_fit_request(sample_weight=False)
        weights = np.where(np.arange(len(X)) % 3, WEIGHTS, 0.0)  # as if these were not there
        method, params = s.HoldoutTTest(hypotheses="fixed"), {"sample_weight": weights}
        options = {"scoring": weighted, "method": method, "cv": SINGLE, "params": params}
        result = s.cross_val_inference(model, X, SIGNAL, **options)
    (train, test) = next(SINGLE.split(X, SIGNAL))
    scores = minus_square(Ridge().fit(X[train], SIGNAL[train]), X[test], SIGNAL[test])
    w, n = weights[test], np.count_nonzero(weights[test])
    mean = np.average(scores, weights=w)
    assert result.estimate == pytest.approx(mean, rel=1e-12)
    variance = n / (n - 1) * np.sum((w / w.sum()) ** 2 * (scores - mean) ** 2)
    assert result.standard_error**2 == pytest.approx(variance, rel=1e-10)


TREE, NEEDY = CLASSIFIERS["tree"], NeedsRow(7)


class TestFailures:
    def test_failed_fits_leave_holes_that_can_be_dropped(self):
        cv = s.RepeatedSubsampleSplit(12, random_state=1)
        with (
            pytest.warns(FitFailedWarning, match="row 7 is missing"),
            pytest.raises(s.FitError, match="row 7 is missing") as caught,
        ):
            compare({"tree": TREE, "needy": NEEDY}, Y, X=NUMBERED, cv=cv)
        scores = caught.value.scores["accuracy"]
        holes = np.isnan(scores.values[1])
        assert 0 < holes.sum() < 12
        by_split = [scores.row_scores.split(k)[1] for k in range(12)]
        assert [bool(np.isnan(part[1]).all()) for part in by_split] == holes.tolist()
        assert np.isfinite(scores.row_scores.values[0]).all()
        rest = scores.dropna()
        assert rest.design.n_splits == 12 - holes.sum() == len(rest.row_scores.offsets) - 1
        np.testing.assert_allclose(rest.values, rest.row_scores.means())

    def test_holes_in_the_half_samples_are_told_apart(self):
        cv = s.RepeatedSubsampleSplit(3, random_state=0)
        assert all(7 in train for train, _ in cv.split(NUMBERED))
        halves = s.HalfSplitPairs(10, 3, test_size=6, random_state=0)
        lost = [7 not in train for train, _ in halves.split(NUMBERED)]
        assert any(lost)
        options = {"cv": cv, "method": "conservative_z"}
        for call in (
            lambda: s.compare_estimators({"tree": TREE, "needy": NEEDY}, NUMBERED, Y, **options),
            lambda: s.cross_val_inference(NEEDY, NUMBERED, Y, **options),
        ):
            with (
                pytest.warns(FitFailedWarning, match=f"splits auxiliary {lost.index(True)},"),
                pytest.raises(s.FitError, match="On the auxiliary splits") as caught,
            ):
                call()
            assert np.isfinite(caught.value.scores["accuracy"].values).all()
            assert caught.value.scores["accuracy"].shape[-1] == 3
            holes = np.isnan(caught.value.auxiliary["accuracy"].values[-1])
            np.testing.assert_array_equal(holes, lost)


RARE = np.where(np.arange(len(X)) % 20 == 0, 2, Y)


@pytest.mark.parametrize("metric", ["neg_log_loss", "neg_brier_score", "top_k_accuracy"])
def test_training_sets_without_a_class(metric, monkeypatch):
    monkeypatch.setattr(Counted, "predict_proba", Counted.predict, raising=False)
    monkeypatch.setattr(Counted, "n_fits", 0)
    said = f"1 of 5 training sets lacks a .*{metric}.*Str"
    with pytest.raises(s.SplitDesignError, match=said):
        compare({"a": Counted(), "b": Counted()}, np.sort(RARE), scoring=metric, cv=ms.KFold(5))
    assert Counted.n_fits == 0


def test_brier_scores_of_words_with_any_procedure():
    targets, metric = (Y, np.where(Y, "yes", "no")), "neg_brier_score"
    one, other = (s.compare_estimators(CLASSIFIERS, X, y, scoring=metric, cv=CV) for y in targets)
    np.testing.assert_array_equal(one.scores.values, other.scores.values)


class Instant(RegressorMixin, BaseEstimator):
    def __init__(self, value=0.0):
        self.value = value

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.full(len(X), self.value)


def test_they_are_in_memory_once():
    """20 estimators, 2 repeats: the peak is below twice the scores of rows."""
    n, n_estimators, n_repeats = 4_000, 20, 2
    rng = np.random.default_rng(0)
    data, y = np.zeros((n, 1)), rng.normal(size=n)
    models = {f"m{k:02}": Instant(k / 10) for k in range(n_estimators)}
    cv = ms.RepeatedKFold(n_splits=5, n_repeats=n_repeats, random_state=0)
    compare(models, y[:200], X=data[:200], cv=cv)
    tracemalloc.start()
    result = compare(models, y, X=data, cv=cv)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    values = result.scores.row_scores.values
    assert values.shape == (n_estimators, n * n_repeats)
    assert peak < 2 * values.nbytes
