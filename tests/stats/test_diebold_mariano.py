"""The Diebold-Mariano test: against the formula of its papers, written here anew."""

import pickle
from math import sqrt

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import KFold, ShuffleSplit, TimeSeriesSplit

import skcvstats as s
from skcvstats.stats import diebold_mariano_test, plan_n_rows, plan_n_splits
from tests.stats.oracles import check_in_time

RNG = np.random.default_rng(51)
N = 130
X = RNG.normal(size=(N, 3))
Y = X[:, 0] + np.cumsum(RNG.normal(size=N)) / 3
LABELS = (X[:, 0] + RNG.normal(size=N) > 0).astype(int)
PAIR = {"line": LinearRegression(), "mean": DummyRegressor()}
THREE = {**PAIR, "ridge": Ridge(50.0)}
SQUARED, METHOD = "neg_mean_squared_error", "diebold_mariano"


def series(rng, n, rho, scale=1.0):
    """Draw a stationary series of this autocorrelation."""
    d = [rng.normal() / sqrt(1 - rho**2)]
    for _ in range(n - 1):
        d.append(rho * d[-1] + rng.normal())
    return scale * np.array(d)


# Lengths around the steps of the number of transforms (8, 27 and 1000 have whole roots).
CASES = [
    (n, rho, scale)
    for n, scale in zip((20, 21, 31, 32, 60, 64, 99, 216, 400, 1000), (1, 1e-3) * 5, strict=True)
    for rho in (0.0, 0.7)
]


@pytest.mark.parametrize(("n", "rho", "scale"), CASES)
def test_against_the_papers(n, rho, scale):
    d = 0.2 * scale + series(np.random.default_rng(n), n, rho, scale)
    check_in_time(diebold_mariano_test(d), d)


def test_the_number_of_transforms():
    # 0.4 x T^(2/3) at T = 1000 and 125 x 8 is 40 to the last digit, and 4 is the least.
    found = {n: diebold_mariano_test(series(RNG, n, 0.5)).df for n in (20, 46, 47, 1000)}
    assert found == {20: 4, 46: 5, 47: 5, 1000: 40}


def scored(models, splits, X=X):
    """Return minus the squared errors of all tested rows of each model, in their order."""
    rows = np.asarray(X)
    found = []
    for model in models.values():
        made = [model.fit(rows[train], Y[train]).predict(rows[test]) for train, test in splits]
        wanted = np.concatenate([Y[test] for _, test in splits])
        found.append(-np.square(wanted - np.concatenate(made)))
    return np.array(found)


class TestOnSplits:
    @pytest.mark.parametrize(
        "cv",
        [
            TimeSeriesSplit(4),
            TimeSeriesSplit(3, test_size=12, gap=2),
            [(np.arange(40), np.arange(45, 60)), (np.arange(20, 70), np.arange(80, 95))],
            [(np.arange(90), np.arange(90, N))],
        ],
        ids=["expanding", "gap", "sliding", "one origin"],
    )
    def test_auto_takes_it_for_splits_in_time_order(self, cv):
        splits = list(cv.split(X)) if hasattr(cv, "split") else cv
        # A single split needs dates.
        data = X if len(splits) > 1 else pd.DataFrame(X, pd.date_range("2026-01-01", periods=N))
        result = s.compare_estimators(PAIR, data, Y, scoring=SQUARED, cv=cv, reference="mean")
        line, mean = scored(PAIR, splits)
        check_in_time(result.tests[0], line - mean)
        assert result.tests[0].n_times == len(line)
        (note,) = (str(note) for note in result.notes if note.code == "method")
        assert note.endswith("chose the Diebold-Mariano test, as the splits are in time order")
        luck = "(the luck of these training rows is not in the interval)"
        assert f"in the tested period {luck}." in " ".join(str(result).split())
        alone = s.cross_val_inference(PAIR["line"], data, Y, scoring=SQUARED, cv=cv)
        check_in_time(alone, line, most=0.0)  # where the metric ends

    def test_it_draws_splits_in_time_order(self):
        result = s.compare_estimators(PAIR, X, Y, scoring=SQUARED, method=METHOD)
        line, mean = scored(PAIR, list(TimeSeriesSplit(5).split(X)))
        check_in_time(result.tests[0], line - mean)

    def test_rows_of_one_time_count_once(self):
        sizes = np.resize([1, 3, 2, 5], 50)
        times = np.repeat(pd.date_range("2024-01-01", periods=50, freq="D"), sizes)[:N]
        frame = pd.DataFrame(X).set_index(times)
        starts = np.flatnonzero(~times.duplicated())
        cuts = starts[[10, 22, 34]].tolist()
        ends = zip(cuts, [*cuts[1:], N], strict=True)
        splits = [(np.arange(a), np.arange(a, b)) for a, b in ends]
        result = s.compare_estimators(PAIR, frame, Y, scoring=SQUARED, cv=splits, reference="mean")
        line, mean = scored(PAIR, splits)
        days = pd.Series(line - mean).groupby(times[cuts[0] :]).mean()
        check_in_time(result.tests[0], days)
        assert result.tests[0].n_times == len(days) < len(line)

    def test_all_pairs_have_the_standard_errors_of_each_alone(self):
        result = s.compare_estimators(THREE, X, Y, scoring=SQUARED, cv=TimeSeriesSplit(4))
        rows = dict(zip(THREE, scored(THREE, list(TimeSeriesSplit(4).split(X))), strict=True))
        for comparison in result:
            check_in_time(comparison.test, rows[comparison.estimator] - rows[comparison.versus])
        assert result.adjustment == "max_t"
        assert all(c.pvalue_adjusted >= c.test.pvalue for c in result)

    def test_a_metric_of_folds_is_made_of_the_scores_of_rows_in_each(self):
        models = {"lr": LogisticRegression(), "prior": DummyClassifier()}
        cv = TimeSeriesSplit(3)
        how = {"scoring": "roc_auc", "cv": cv, "reference": "prior"}
        result = s.compare_estimators(models, X, LABELS, **how)
        areas = []
        for train, test in cv.split(X):
            fitted = LogisticRegression().fit(X[train], LABELS[train])
            areas.append(roc_auc_score(LABELS[test], fitted.decision_function(X[test])) - 0.5)
        assert result.tests[0].estimate == pytest.approx(np.mean(areas), rel=1e-10)
        assert result.tests[0].method == METHOD

    def test_saved_results_and_scores_are_the_same_when_loaded(self, tmp_path):
        frame = pd.DataFrame(X, index=pd.date_range("2024-01-01", periods=N))
        result = s.compare_estimators(THREE, frame, Y, scoring=SQUARED, cv=TimeSeriesSplit(4))
        again = s.ComparisonResult.from_json(result.to_json())
        assert str(again) == str(result)
        pd.testing.assert_frame_equal(again.to_frame(), result.to_frame())
        copied = pickle.loads(pickle.dumps(result))
        assert tuple(copied.tests[0]) == tuple(result.tests[0])
        result.scores.save(tmp_path / "scores.json")
        loaded = s.CVScores.load(tmp_path / "scores.json")
        np.testing.assert_array_equal(loaded.row_scores.times, np.arange(N))
        test = s.DieboldMarianoTest()(loaded["line"] - loaded["mean"])
        expected = next(c.test for c in result if {c.estimator, c.versus} == {"line", "mean"})
        assert test.pvalue == pytest.approx(expected.pvalue, rel=1e-12)

    def test_reports_say_what_it_is_about(self):
        result = s.compare_estimators(PAIR, X, Y, scoring=SQUARED, cv=TimeSeriesSplit(4))
        report = " ".join(str(s.evaluation_report(result)).split())
        assert "about the mean difference of the scores in the tested period" in report
        assert "any other period; the luck of these training rows is not in the interval." in report
        assert "Diebold" in report
        assert "Lazarus" in report
        assert "no unbiased estimate" not in report

    def test_no_power_and_no_posterior(self):
        test = s.compare_estimators(PAIR, X, Y, scoring=SQUARED, cv=TimeSeriesSplit(4)).tests[0]
        with pytest.raises(TypeError, match="no posterior"):
            test.posterior()
        undecided = s.compare_estimators(PAIR, X, Y, cv=TimeSeriesSplit(4), margin=1e-3)
        with pytest.raises(TypeError, match="has no detectable difference"):
            undecided[0].detectable_difference()
        (note,) = (str(note) for note in undecided.notes if note.code == "small margin")
        assert note.endswith("a longer period would help")
        assert "would have been" not in str(s.evaluation_report(undecided))
        for plan in (plan_n_rows, plan_n_splits):
            with pytest.raises((TypeError, ValueError)):
                plan(test, difference=0.1)


AGAIN = [(np.arange(50), np.arange(50, 80)), (np.arange(50), np.arange(70, 100))]
DATES = pd.date_range("2024-01-01", periods=N)
DAYS = pd.DataFrame(X, index=DATES)
WEEKS = pd.DataFrame(X, index=DATES.to_period("W").to_timestamp())


@pytest.mark.parametrize(
    ("X", "options", "said"),
    [
        (X, {"cv": KFold(5, shuffle=True, random_state=0)}, r"needs splits in time order.*Time"),
        (X, {"cv": ShuffleSplit(1, random_state=0)}, "rows that come after their test rows"),
        (X, {"cv": AGAIN}, "once at most; these test 10 rows again"),
        (X, {"cv": [(np.arange(90), np.arange(90, 105))]}, "20 tested times or more.* are 15"),
        (X, {"cv": AGAIN[:1], "groups": np.arange(N) // 2}, "does not accept groups"),
        (DAYS.iloc[::-1], {"cv": AGAIN[:1]}, r"do not ascend.*sort_index\(\)"),
        (WEEKS, {"cv": AGAIN[:1]}, "Split 0 tests on rows of 2024-02-19.*it trains too"),
    ],
    ids=["shuffled", "one shuffled", "again", "few", "groups", "backwards", "shared dates"],
)
@pytest.mark.filterwarnings("ignore::skcvstats.exceptions.AnticonservativeWarning")
@pytest.mark.filterwarnings("ignore::skcvstats.exceptions.SplitDesignWarning")
def test_splits_and_options_without_a_valid_test_are_refused(X, options, said):
    with pytest.raises(s.SplitDesignError, match=said):
        s.compare_estimators(PAIR, X, Y, scoring=SQUARED, method=METHOD, **options)


def test_few_times_are_noted():
    for n, noted in ((59, True), (60, False)):
        codes = {note.code for note in diebold_mariano_test(series(RNG, n, 0.0)).notes}
        assert ("few times" in codes) is noted


def test_a_season_that_all_transforms_miss_is_no_evidence():
    # A cosine of a higher frequency than the five of 50 times: V is 0 but for rounding.
    d = np.cos(np.pi * 20 * (np.arange(1, 51) - 0.5) / 50)
    with pytest.warns(s.DegenerateScoresWarning, match="do not vary"):
        found = diebold_mariano_test(d)
    assert found.standard_error == 0
    assert found.undetermined
