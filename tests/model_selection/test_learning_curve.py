"""learning_curve_inference: nested parts of training sets, their scores, and three families."""

import warnings

import numpy as np
import pytest
import sklearn
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_diabetes, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import Ridge
from sklearn.metrics import get_scorer, make_scorer, precision_score
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    RepeatedKFold,
    StratifiedKFold,
    TimeSeriesSplit,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import skcvstats as s
from skcvstats.fitting import TrainOn
from tests.cheap import NearestMean
from tests.conftest import ignoring

X, Y = load_iris(return_X_y=True)
X, Y = X[::2], Y[::2]  # 75 rows, 25 of each class
NUMBERED = np.column_stack([np.arange(75.0), X])
PAIR = {"near": NearestMean(), "bayes": GaussianNB()}
SIZES = (0.2, 0.5, 1.0)
TWICE, ONCE = s.RowTTest(n_repeats=2), s.RowTTest(n_repeats=1)  # half and a quarter of the fits


class Recorder(ClassifierMixin, BaseEstimator):
    """Remembers the numbers of the rows that each clone was fitted on, in the first column."""

    seen = []  # noqa: RUF012

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        type(self).seen.append(X[:, 0].astype(int))
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def rows_of_fits(n_sizes, **options):
    """Return the training rows of each split, size after size, as they were fitted."""
    Recorder.seen = []
    with warnings.catch_warnings(action="ignore"):  # its scores do not vary
        s.learning_curve_inference({"a": Recorder()}, NUMBERED, Y, **options)
    seen = Recorder.seen
    assert len(seen) % n_sizes == 0
    return [seen[k : k + n_sizes] for k in range(0, len(seen), n_sizes)]


@pytest.fixture(scope="module")
def curve():
    return s.learning_curve_inference(PAIR, X, Y, train_sizes=SIZES, method=TWICE)


class TestParts:
    def test_nested_stratified_and_in_order(self):
        for small, half, whole in rows_of_fits(3, train_sizes=SIZES, method=ONCE):
            assert set(small) < set(half) < set(whole)
            assert (len(small), len(half), len(whole)) == (12, 30, 60)
            for rows in (small, half):
                assert (np.diff(rows) > 0).all()
                assert np.ptp(np.bincount(Y[rows])) <= 1
            assert np.bincount(Y[small]).tolist() == [4, 4, 4]

    def test_another_seed_draws_other_parts_of_the_same_sets(self):
        cv = RepeatedKFold(n_splits=5, n_repeats=2, random_state=0)
        how = {"train_sizes": (0.5, 1.0), "cv": cv}
        one, same, other = (rows_of_fits(2, **how, random_state=seed) for seed in (0, 0, 1))
        for a, b, c in zip(one, same, other, strict=True):
            assert np.array_equal(a[0], b[0])
            assert not np.array_equal(a[0], c[0])
            assert np.array_equal(a[1], c[1])

    def test_whole_groups(self):
        groups = np.arange(75) // 3
        splits = rows_of_fits(2, train_sizes=(0.5, 1.0), groups=groups, cv=GroupKFold(5))
        for half, whole in splits:
            kept = np.unique(groups[half])
            assert len(kept) == len(np.unique(groups[whole])) // 2
            assert np.isin(groups[whole], kept).sum() == len(half)

    def test_groups_of_one_class(self):
        how = {"train_sizes": (0.25, 1.0), "groups": np.arange(75) // 5, "method": ONCE}
        for small, _ in rows_of_fits(2, **how):
            assert set(Y[small]) == {0, 1, 2}

    def test_numbers_of_rows(self):
        for rows in rows_of_fits(2, train_sizes=(13, 44), method=ONCE):
            assert [len(part) for part in rows] == [13, 44]


class TestScores:
    def test_with_all_rows_they_are_those_of_a_comparison(self, curve):
        compared = s.compare_estimators(PAIR, X, Y, method=TWICE)
        for name in PAIR:
            assert np.array_equal(curve.scores[name].values, compared.scores[name].values)
        whole = curve.to_frame().query("n_train == 60")["score"].tolist()
        assert whole == [compared.scores[name].row_scores.block().mean() for name in PAIR]

    def test_of_parts_they_are_those_of_fits_on_these_rows(self):
        cv = RepeatedKFold(n_splits=5, n_repeats=2, random_state=3)
        parts = rows_of_fits(2, train_sizes=(20, 40), cv=cv)
        found = s.learning_curve_inference(PAIR, X, Y, train_sizes=(20, 40), cv=cv)
        expected = [
            [GaussianNB().fit(X[rows], Y[rows]).score(X[test], Y[test]) for rows in of_split]
            for of_split, (_, test) in zip(parts, cv.split(X), strict=True)
        ]
        np.testing.assert_array_equal(found.scores.values[2:], np.transpose(expected))
        assert found.sizes.tolist() == [20, 40]

    @pytest.mark.parametrize("cv", [None, RepeatedKFold(n_splits=5, n_repeats=2, random_state=0)])
    def test_with_all_rows_and_a_generator_they_are_those_too(self, cv):
        states = (np.random.RandomState(3) for _ in range(2))
        how = [{"cv": cv, "random_state": state} for state in states]
        if cv is not None:
            del how[1]["random_state"]  # it has none to draw
        found = s.learning_curve_inference(PAIR, X, Y, train_sizes=(0.5, 1.0), **how[0])
        compared = s.compare_estimators(PAIR, X, Y, **how[1])
        for name in PAIR:
            assert np.array_equal(found.scores[name].values, compared.scores[name].values)

    def test_weights_of_rows_go_along(self):
        weights = np.random.default_rng(0).uniform(size=75)
        how = {"train_sizes": (20, 40), "cv": KFold(5, shuffle=True, random_state=0)}
        parts = rows_of_fits(2, **how)
        for is_enabled in (False, True):
            with sklearn.config_context(enable_metadata_routing=is_enabled):
                model, scoring = GaussianNB(), get_scorer("accuracy")
                if is_enabled:
                    model.set_fit_request(sample_weight=True)
                    scoring = scoring.set_score_request(sample_weight=False)
                options = {"params": {"sample_weight": weights}, "scoring": scoring, **how}
                found = s.learning_curve_inference(model, X, Y, **options)
            expected = [
                [
                    GaussianNB().fit(X[rows], Y[rows], weights[rows]).score(X[test], Y[test])
                    for rows in of_split
                ]
                for of_split, (_, test) in zip(parts, how["cv"].split(X), strict=True)
            ]
            np.testing.assert_array_equal(found.scores.values, np.transpose(expected))

    def test_a_precomputed_kernel(self):
        how = {"train_sizes": (0.4, 1.0), "method": ONCE}
        found = s.learning_curve_inference(SVC(kernel="precomputed"), X @ X.T, Y, **how)
        linear = s.learning_curve_inference(SVC(kernel="linear"), X, Y, **how)
        np.testing.assert_allclose(found.scores.values, linear.scores.values)

    @pytest.mark.processes
    def test_with_workers(self, curve):
        how = {"method": TWICE, "n_jobs": 2}
        again = s.learning_curve_inference(PAIR, X, Y, train_sizes=SIZES, **how)
        assert np.array_equal(again.scores.values, curve.scores.values)

    @pytest.mark.slow
    @pytest.mark.filterwarnings("ignore::skcvstats.exceptions.DegenerateScoresWarning")
    def test_store(self, tmp_path, curve, capsys):
        path = tmp_path / "fits.db"
        s.compare_estimators(PAIR, X, Y, method=TWICE, store=path)  # the fits with all rows
        more = {"train_sizes": SIZES, "method": TWICE, "store": path, "verbose": 1}
        for found in ("20 of 60 fits found", "60 of 60 fits found"):
            again = s.learning_curve_inference(PAIR, X, Y, **more)
            assert found in capsys.readouterr().err
            assert np.array_equal(again.scores.values, curve.scores.values)
        s.learning_curve_inference(PAIR, X, Y, **more, random_state=1)
        assert "0 of 60 fits found" in capsys.readouterr().err


class TestFamilies:
    def test_gains_are_the_row_t_test_of_both_sizes(self, curve):
        frame, scores = curve.to_frame(), curve.scores
        for e, name in enumerate(PAIR):
            labels = [f"{name} at 0.2", f"{name} at 0.5", name]
            for j in (1, 2):
                alone = s.RowTTest()(scores[labels[j]] - scores[labels[j - 1]])
                row = frame.iloc[3 * e + j]
                gain = curve.gains[2 * e + j - 1]
                assert row["gain"] == gain.test.estimate == pytest.approx(alone.estimate)
                assert gain.test.standard_error == pytest.approx(alone.standard_error)
                assert row["gain_pvalue"] >= alone.pvalue
                assert (row["gain_low"], row["gain_high"]) == gain.confidence_interval()
        assert frame["gain"].isna().tolist() == [True, False, False] * 2

    @pytest.mark.parametrize("sizes", [(0.4, 0.6, 0.7, 0.8, 0.9, 1.0), np.linspace(0.2, 1, 12)])
    def test_all_scores_are_covered_at_once(self, sizes):
        """The critical value is that of the max-t method, which is written here anew."""
        rng, n_sizes = np.random.default_rng(0), len(sizes)
        X, y = rng.normal(size=(50, 2)), rng.normal(size=50)
        how = {"scoring": "neg_mean_squared_error", "confidence_level": 0.8, "method": TWICE}
        found = s.learning_curve_inference(Ridge(), X, y, train_sizes=sizes, **how)
        rows, scores = found.scores.row_scores, np.empty((n_sizes, 2, 50))
        for repeat, part in enumerate(np.split(np.arange(100), 2)):
            scores[:, repeat, rows.rows[part]] = rows.values[:, part]
        means = scores.mean(axis=1, keepdims=True)
        between = np.sqrt(1.5 / (50 * 49)) * (means - means.mean(axis=2, keepdims=True))
        within = np.sqrt(0.5 / 50**2) * (scores - means)
        root = np.concatenate([between, within], axis=1).reshape(n_sizes, -1)
        # Single scores are not centred over the estimators.
        covariance = root @ root.T * np.where(np.eye(n_sizes), 1, 49 / (n_sizes + 49))
        drawn = rng.normal(size=(5000, 50, n_sizes)) @ np.linalg.cholesky(covariance).T
        spread = np.sqrt(np.mean(drawn[:, 1:] ** 2, axis=1))
        wanted = np.quantile(np.max(np.abs(drawn[:, 0]) / spread, axis=1), 0.8)
        for row, own in zip(found.to_frame().itertuples(), root, strict=True):
            assert row.score == pytest.approx(means[row.Index].mean())
            assert (row.high - row.score) / np.linalg.norm(own) == pytest.approx(wanted, rel=0.02)

    def test_scores_that_do_not_vary_have_no_interval(self):
        how = {"scoring": lambda model, X, y: 0.25, "train_sizes": (0.5, 1.0)}
        with pytest.warns(s.DegenerateScoresWarning) as caught:
            found = s.learning_curve_inference({"a": GaussianNB()}, X, Y, **how)
        assert "a at 0.5, a: the scores in <lambda> do not vary" in str(caught[0].message)
        frame = found.to_frame()
        assert frame["score"].tolist() == [0.25, 0.25]
        assert frame[["low", "high", "gain_low", "gain_high"]].isna().all(axis=None)

    def test_differences_at_equal_sizes(self, curve):
        frame = curve.differences()
        assert frame["n_train"].tolist() == [12, 30, 60]
        assert set(frame["estimator"]) == {"near"}
        whole = s.RowTTest()(curve.scores["near"] - curve.scores["bayes"])
        assert frame["difference"].iloc[-1] == pytest.approx(whole.estimate)
        assert frame["pvalue_adjusted"].iloc[-1] >= whole.pvalue
        # At another size it is that of two estimators that are fitted on such parts.
        models = {name: TrainOn(model, 0.5, stratify=True) for name, model in PAIR.items()}
        params = {"part_units": np.arange(75)}
        (pair,) = s.compare_estimators(models, X, Y, method=TWICE, params=params)
        sign = 1 if pair.estimator == "near" else -1
        assert frame["difference"].iloc[1] == pytest.approx(sign * pair.test.estimate)
        alone = s.learning_curve_inference(GaussianNB(), X, Y, train_sizes=(0.5, 1.0), method=ONCE)
        assert alone.names == ("GaussianNB",)
        with pytest.raises(ValueError, match="one estimator only"):
            alone.differences()


def test_a_fit_that_fails_is_named_by_its_model_size_and_split():
    class Picky(NearestMean):
        def fit(self, X, y):
            if len(X) < 20:
                raise ValueError("too few")
            return super().fit(X, y)

    models = {"a": Picky(), "b": Picky(), "c": Picky()}
    with pytest.raises(s.FitError, match=r"first fit of 'a at 0.2' .* too few") as caught:
        s.learning_curve_inference(models, X, Y, train_sizes=(0.2, 0.5), method=ONCE)
    assert "on_error" not in str(caught.value)
    assert caught.value.__cause__.__notes__ == ["skcvstats: estimator 'a at 0.2', split 0"]


class TestWords:
    @pytest.mark.slow
    def test_the_answer_comes_first(self):
        data = load_diabetes(return_X_y=True)
        models = {"ridge": Ridge(), "tree": DecisionTreeRegressor(max_depth=2, random_state=0)}
        found = s.learning_curve_inference(models, *data, train_sizes=(60, 120, 240))
        ridge, tree = (gain for gain in found.gains[1::2])
        low, high = ridge.confidence_interval()
        said = " ".join(str(found).split())
        size = tree.detectable_difference()
        ends = size * np.sqrt(tree.test.df / stats.chi2.isf([0.1, 0.9], tree.test.df))
        assert said.startswith(
            f"ridge: doubling the rows from 120 to 240 raised R2 by {ridge.test.estimate:.3g} "
            f"({low:.3g} to {high:.3g}). tree: no significant change in R2 by doubling the rows "
            f"from 120 to 240; a gain of about {size:.3g} (80 % range {ends[0]:.3g} to "
            f"{ends[1]:.3g}) or more would have been"
        )
        assert "No conclusion about other sizes" in said

    def test_curves_that_cross(self):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(125, 20))
        y = X @ rng.normal(size=20) + 5 * rng.normal(size=125)
        models = {"shrunk": Ridge(200.0), "free": Ridge(1e-6)}
        found = s.learning_curve_inference(models, X, y, train_sizes=(24, 100), method=TWICE)
        small, large = found.differences()["difference"]
        assert small > 0 > large
        said = str(found).split("curves that cross")[1].split()
        assert said[said.index("24") + 1] == f"{small:.3g}"
        assert "shrunk - free" in " ".join(said)

    def test_report(self, curve):
        report = s.evaluation_report(curve)
        text = " ".join(str(report).split())
        assert text.startswith("Evaluation report: learning curve of near and bayes in accuracy")
        assert " ".join(str(curve).split("\n\n")[0].split()) in text
        assert "Bayle" in text.partition("References")[2]
        assert "<h2" in report.to_html()
        with pytest.raises(ValueError, match="at its own level"):
            s.evaluation_report(curve, confidence_level=0.9)


class OnlyOne(NearestMean):
    """Says 1 of one row, without which precision is not defined."""

    def predict(self, X):
        return (np.arange(len(X)) == 0).astype(int)


@pytest.mark.filterwarnings("ignore")
def test_a_metric_without_scores_of_some_rows_is_tested_as_in_compare_estimators():
    precision = make_scorer(precision_score, zero_division=np.nan)
    pair, binary = {"a": OnlyOne(), "b": OnlyOne(2)}, (Y == 1).astype(int)
    how = {"scoring": precision, "cv": StratifiedKFold(5, shuffle=True, random_state=0)}
    compared = s.compare_estimators(pair, X, binary, **how)
    found = s.learning_curve_inference(pair, X, binary, train_sizes=(0.5, 1.0), **how)
    assert found.of_gains.procedure == compared.tests[0].origin.procedure
    assert found.of_gains.procedure.name == "corrected_resampled_t"
    (chosen,) = (str(note) for note in found.notes if note.code == "method")
    assert "score is undefined there without one of them" in chosen


@pytest.mark.parametrize(("options", "error", "said"), [
    ({"train_sizes": (0.5,)}, ValueError, "two or more different numbers"),
    ({"train_sizes": (0.5, 0.5)}, ValueError, "two or more different numbers"),
    ({"train_sizes": ("a", "b")}, ValueError, "two or more different numbers"),
    ({"train_sizes": (0.5, 1.5)}, ValueError, "shares outside 0 to 1.*integers"),
    ({"train_sizes": (30, 61)}, ValueError, "from 1 to 60, the rows of the smallest"),
    ({"train_sizes": (0.5, 0.501)}, ValueError, "the same number of rows"),
    ({"train_sizes": (0.03, 1.0)}, s.FitError,
     r"'near at 0.03' .* every class of y, which takes 3\..*at 3, or at a share of 0.05"),
    ({"train_sizes": (2, 44)}, s.FitError, "'near at 2' .* every class of y, which takes 3"),
    ({"train_sizes": (0.1, 0.5, 0.5000001)}, ValueError, "named twice.*farther apart"),
    ({"scoring": ["accuracy", "f1_macro"]}, ValueError, "must be one metric's name"),
    ({"scoring": lambda model, X, y: {"a": 0.5, "b": 0.5}, "cv": 5}, ValueError,
     "gave several metrics: 'a', 'b'"),
    ({"method": "holdout_t"}, ValueError, "must be one of .*row_t"),
    ({"method": s.RowTTest(null_value=0.1)}, ValueError, "two-sided tests of gains against 0"),
    ({"method": s.RowTTest(alternative="less")}, ValueError, "Leave .*alternative out"),
    ({"cv": TimeSeriesSplit(4)}, s.SplitDesignError, "in time order.*max_train_size"),
])  # fmt: skip
@pytest.mark.filterwarnings("ignore")
def test_bad_input(options, error, said):
    with pytest.raises(error, match=said):
        s.learning_curve_inference(PAIR, X, Y, **options)


def test_a_single_split_names_no_method_that_a_curve_does_not_take():
    cv = [(np.arange(50), np.arange(50, 75))]
    with pytest.raises(s.SplitDesignError, match="at least 2 splits") as caught:
        s.learning_curve_inference(NearestMean(), X, Y, cv=cv)
    assert "diebold_mariano" not in str(caught.value)


def test_a_model_that_scores_alike_at_two_sizes_is_no_copy():
    models = {"prior": DummyClassifier(), "bayes": GaussianNB()}
    with pytest.warns(s.DegenerateScoresWarning):
        result = s.learning_curve_inference(models, X, Y, train_sizes=(0.5, 0.9))
    (gain,) = (one for one in result.gains if one.estimator.startswith("prior"))
    assert gain.score == gain.score_versus
    for found in (result, gain):
        assert "same scores" not in [note.code for note in found.notes]


@ignoring("DegenerateScores")
def test_a_note_on_scores_names_the_sizes_and_one_on_seeds_the_models():
    class Reversed(DecisionTreeClassifier):
        def predict(self, X):
            return 1 - super().predict(X)

    column = np.arange(100) % 2
    y = np.where(np.arange(100) % 7 == 0, 1 - column, column)
    models = {"bad": Reversed(max_features=1, random_state=0), "dummy": DummyClassifier()}
    result = s.learning_curve_inference(models, column[:, None], y, train_sizes=(0.5, 1.0))
    texts = {note.code: note.text for note in result.notes}
    assert texts["worse than a constant"].startswith("'bad at 0.5', 'bad': worse in accuracy")
    assert texts["fixed seeds"].startswith("predictions of 'bad' may depend on random_state")
