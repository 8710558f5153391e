"""Races: who leaves when, against rules written by hand; and GridSearchCV's numbers, in bits."""

import pickle
import re
import warnings
from contextlib import closing

import numpy as np
import pytest
from scipy import stats
from sklearn import config_context
from sklearn import model_selection as ms
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_iris, make_classification
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

import skcvstats as s
from skcvstats.fitting import FitStore
from tests.cheap import NearestMean, QuicklyScored

pytestmark = pytest.mark.filterwarnings("ignore::skcvstats.exceptions.SplitDesignWarning")

X, Y = make_classification(200, 8, n_informative=4, flip_y=0.1, random_state=37)
CV = s.RepeatedSubsampleSplit(9, test_size=0.2, random_state=0)
GRID = {"n_columns": [1, 2, 3, 4, 6, 8]}
MODEL = QuicklyScored()


class Planned(ClassifierMixin, BaseEstimator):
    """Scores what a table has for its candidate and the split: split k leaves out row k."""

    def __init__(self, table=None, candidate=0):
        self.table, self.candidate = table, candidate

    def fit(self, X, y=None):
        left_out = set(range(len(self.table[0]))) - set(np.ravel(X).astype(int).tolist())
        self.value_ = np.nan if len(left_out) != 1 else self.table[self.candidate][left_out.pop()]
        if self.value_ == "fails":
            raise ValueError("this fit was planned to fail")
        return self

    def score(self, X, y=None):
        return self.value_


def race(grid=GRID, estimator=MODEL, **options):
    return s.RacingSearchCV(estimator, grid, **{"cv": CV, **options})


def values_of(results, metric="score"):
    n_splits = sum(key.startswith("split") and key.endswith(f"test_{metric}") for key in results)
    return np.stack([results[f"split{k}_test_{metric}"] for k in range(n_splits)], axis=1)


def same_bits(one, other):
    """Whether two searches have the same results, besides times and what only races have."""
    ours, theirs = one.cv_results_, other.cv_results_
    assert list(ours)[: len(theirs)] == list(theirs)
    assert list(ours)[len(theirs) :] == ["n_splits_done", "dropped_after"]
    for key, value in theirs.items():
        if key == "params":
            assert ours[key] == value
        elif not key.endswith("_time"):
            assert ours[key].dtype == value.dtype, key
            assert type(ours[key]) is type(value)
            data, others = np.ma.getdata(ours[key]), np.ma.getdata(value)
            kept = np.ndarray.tolist if value.dtype == object else np.ndarray.tobytes
            assert kept(data) == kept(others), key
            assert (np.ma.getmaskarray(ours[key]) == np.ma.getmaskarray(value)).all()
    for name in ("best_index_", "best_params_", "best_score_", "multimetric_", "n_splits_"):
        assert getattr(one, name, None) == getattr(other, name, None)
    return True


def negative_brier(estimator, X, y):
    return {"first": estimator.score(X, y), "second": -float(np.mean(estimator.predict(X) != y))}


SEARCHES = {
    "training": {"return_train_score": True},
    "metrics": {"scoring": ["accuracy", "f1"], "refit": "f1", "return_train_score": True},
    "dict": {"scoring": {"a": "accuracy", "b": make_scorer(accuracy_score)}, "refit": "b"},
    "no refit": {"scoring": ["roc_auc", "f1"], "refit": False},
    "callable": {"scoring": negative_brier, "refit": "second"},
    "string": {"scoring": "balanced_accuracy", "error_score": "raise"},
    "position": {"refit": lambda results: int(np.argmin(results["mean_test_score"]))},
    "random": {"n_iter": 4, "random_state": 3},
}


@pytest.mark.parametrize("name", SEARCHES)
def test_without_a_rule_it_is_grid_search_in_bits(name):
    options = SEARCHES[name]
    few = NearestMean(), {"n_columns": [1, 4, 8]}
    model, grid = few if "scoring" in options else (MODEL, GRID)
    kind = ms.GridSearchCV
    if name == "random":
        kind, grid = ms.RandomizedSearchCV, {"n_columns": stats.randint(1, 9)}
    theirs = kind(model, grid, cv=CV, **options).fit(X, Y)
    ours = race(grid, model, rule=None, **options).fit(X, Y)
    assert same_bits(ours, theirs)
    if options.get("refit", True):
        assert np.array_equal(ours.predict(X), theirs.predict(X))
        if not callable(options.get("refit")):
            assert ours.score(X, Y) == theirs.score(X, Y)


def test_parameters_of_all_kinds_are_kept_as_grid_search_keeps_them():
    pipe = Pipeline([("scale", StandardScaler()), ("model", SVC())])
    grid = [
        {"model__C": [0.1, 1], "model__kernel": ["linear"]},
        {"model": [DecisionTreeClassifier(random_state=0)], "model__max_depth": [1, None]},
        {"scale": ["passthrough"], "model__class_weight": [None, {0: 1, 1: 2}]},
    ]
    theirs = ms.GridSearchCV(pipe, grid, cv=CV).fit(X, Y)
    ours = race(grid, pipe, rule=None).fit(X, Y)
    for key, value in theirs.cv_results_.items():
        if key != "params" and not key.endswith("_time"):
            assert repr(ours.cv_results_[key]) == repr(value)
    assert repr(ours.best_estimator_) == repr(theirs.best_estimator_)


def leaves_by_hand(values, ratio, level, margin=None, level_of_margin=None, min_splits=5):
    """Return after which split each candidate leaves, and where a margin ends the race."""
    n_candidates, n_splits = values.shape
    dropped = [0] * n_candidates
    for n in range(min_splits, n_splits):
        inside = [c for c in range(n_candidates) if not dropped[c]]
        if len(inside) == 1:
            break
        leader = max(inside, key=lambda c: (values[c, :n].mean(), -c))

        def tail(c, n, shift, leader=leader):
            x = values[c, :n] - values[leader, :n]
            error = np.sqrt((1 / n + ratio) * x.var(ddof=1))
            return stats.t.cdf((x.mean() - shift) / error, n - 1) if error else 1.0

        if margin is not None and all(
            tail(c, dropped[c] or n, margin) < level_of_margin
            for c in range(n_candidates)
            if c != leader
        ):
            return dropped, n
        for c in inside:
            if c != leader and tail(c, n, 0) < level:
                dropped[c] = n
    return dropped, None


def noisy(seed, n_candidates=8, n_splits=9, spread=3.0):
    rng = np.random.default_rng(seed)
    shifts = np.sort(rng.uniform(0, spread, n_candidates))
    return rng.normal(size=(n_candidates, n_splits)) - shifts[:, np.newaxis]


def planned(table, **options):
    rows = np.arange(10 * len(table[0]))
    splits = [(np.delete(rows, k), np.array([k])) for k in range(len(table[0]))]
    grid = {"candidate": list(range(len(table)))}
    options = {"cv": splits, "refit": False, **options}
    return s.RacingSearchCV(Planned(table), grid, **options).fit(rows[:, None])


@pytest.mark.parametrize("rule", ["screen", "evidence"])
@pytest.mark.parametrize("seed", range(4))
def test_who_leaves_when(seed, rule):
    values = noisy(seed, spread=12 if rule == "evidence" else 3)
    found = planned(values.tolist(), rule=rule)
    level = 0.05 / 4 if rule == "screen" else 0.05 / (2 * 4 * 7)
    expected, _ = leaves_by_hand(values, 1 / (90 - 1), level)
    assert found.cv_results_["dropped_after"].tolist() == expected
    assert any(expected)
    done = [n or 9 for n in expected]
    assert found.cv_results_["n_splits_done"].tolist() == done
    for k, n in enumerate(done):
        assert values_of(found.cv_results_)[k, :n].tolist() == values[k, :n].tolist()
        assert np.isnan(values_of(found.cv_results_)[k, n:]).all()
        assert found.cv_results_["mean_test_score"][k] == np.average(values[k, :n])
        assert found.cv_results_["std_test_score"][k] == np.std(values[k, :n])


@pytest.mark.parametrize("rule", ["screen", "evidence"])
@pytest.mark.parametrize("margin", [1.0, 3.5, 40.0])
def test_a_margin_ends_the_race(rule, margin):
    values = noisy(5, n_splits=12)
    found = planned(values.tolist(), rule=rule, margin=margin)
    level_of_margin = 0.05 / (2 * 7 * 7)
    level = 0.05 / 7 if rule == "screen" else level_of_margin
    dropped, stopped = leaves_by_hand(values, 1 / 119, level, margin, level_of_margin)
    assert found.stopped_after_ == stopped
    assert found.cv_results_["dropped_after"].tolist() == dropped
    assert stopped == {1.0: None, 3.5: 7, 40.0: 5}[margin]
    assert found.scores_.design.n_splits == (stopped or 12)
    assert found.best_index_ in np.flatnonzero(np.array(dropped) == 0)


def test_the_best_is_one_of_those_at_the_end_whatever_the_others_means():
    rng = np.random.default_rng(0)
    steady = rng.normal(0, 0.1, 9)
    table = [steady, steady + rng.normal(-1, 0.01, 9)]
    table[1][5:] = 99  # never fitted, as it leaves after five splits
    table[0][5:] -= 5
    found = planned(np.array(table).tolist())
    assert found.cv_results_["dropped_after"].tolist() == [0, 5]
    means = found.cv_results_["mean_test_score"]
    assert means[1] > means[0]
    assert found.cv_results_["rank_test_score"].tolist() == [1, 2]
    assert found.best_index_ == 0
    assert found.to_frame()["estimator"].tolist() == ["#0 candidate=0", "#1 candidate=1"]


def test_differences_that_do_not_vary_are_no_evidence():
    one = np.linspace(0, 1, 9)
    found = planned([one.tolist(), one.tolist(), (one - 0.5).tolist()], rule="evidence", margin=2.0)
    assert found.cv_results_["dropped_after"].tolist() == [0, 0, 0]
    assert found.stopped_after_ is None
    assert found.best_index_ == 0
    assert found.cv_results_["rank_test_score"].tolist() == [1, 1, 3]


def test_one_candidate_and_the_only_one_that_does_not_fail_are_run_to_the_end():
    with pytest.warns(FitFailedWarning):
        found = planned([noisy(0)[0].tolist(), ["fails"] * 9], rule="evidence", margin=9.0)
    assert found.cv_results_["n_splits_done"].tolist() == [9, 5]
    assert found.stopped_after_ is None
    found = planned([noisy(0)[0].tolist()], rule="evidence", margin=1.0)
    assert found.cv_results_["n_splits_done"].tolist() == [9]
    assert found.best_set() == ("#0",)
    assert str(found).startswith("1 of 1 candidate was followed to the end; 0 of 9 fits")


class TestBestSet:
    def by_hand(self, values, kept, n, level):
        """Return who could be the best of those that are left, by Bonferroni's bound."""
        inside = []
        for c in kept:
            x = values[kept, :n] - values[c, :n]
            error = np.sqrt((1 / n + 1 / (10 * values.shape[1] - 1)) * x.var(axis=1, ddof=1))
            error[error == 0] = np.inf
            worst = stats.t.sf(x.mean(axis=1) / error, n - 1).min()
            inside += [c] if worst > level else []
        return sorted(inside, key=lambda c: -values[c, :n].mean())

    @pytest.mark.parametrize(("margin", "share"), [(None, 2), (0.5, 2 * 4)])
    def test_after_some_have_left(self, margin, share):
        values = noisy(2, spread=12)
        found = planned(values.tolist(), rule="evidence", margin=margin)
        dropped = found.cv_results_["dropped_after"]
        assert dropped.any()
        assert found.stopped_after_ is None
        kept = np.flatnonzero(dropped == 0)
        expected = self.by_hand(values, kept, 9, 0.05 / share / 7)
        assert found.best_set() == tuple(f"#{c} candidate={c}" for c in expected)
        assert len(expected) > 0

    @pytest.mark.parametrize(("seed", "n_splits", "margin"), [(1, 12, 30.0), (3, 9, None)])
    def test_with_everyone_there_it_is_that_of_max_t(self, seed, n_splits, margin):
        values = noisy(seed, n_candidates=4, n_splits=n_splits, spread=2.2)
        found = planned(values.tolist(), rule="evidence", margin=margin)
        assert found.stopped_after_ == (margin and 5)
        assert margin or not found.cv_results_["dropped_after"].any()
        level = 1 - 0.025 / (7 if margin else 1)
        assert found.best_set() == s.compare_candidates(found, confidence_level=level).best_set()

    @pytest.mark.parametrize("rule", ["screen", None])
    def test_without_evidence_there_is_none(self, rule):
        found = planned(noisy(0).tolist(), rule=rule)
        with pytest.raises(ValueError, match=f"rule={rule!r} claims nothing.*rule='evidence'"):
            found.best_set()


class TestFailures:
    def table(self):
        values = noisy(3, spread=1).tolist()
        values[2] = ["fails"] * 9
        values[4][1] = "fails"
        values[5][6] = "fails"
        return values

    def test_of_who_failed_no_margin_is_shown(self):
        with pytest.warns(FitFailedWarning, match="planned to fail"):
            found = planned(self.table(), rule="evidence", margin=100.0, refit=True)
        assert found.stopped_after_ == 5
        assert np.isnan(found.cv_results_["mean_test_score"][[2, 4]]).all()
        assert not {"#2 candidate=2", "#4 candidate=4"} & set(found.best_set())
        assert np.isfinite(found.best_score_)
        assert found.cv_results_["dropped_after"][[2, 4]].tolist() == [5, 5]
        text = " ".join(str(found).split())
        assert "Nothing is known about 2 candidates with missing scores." in text
        assert "nan" not in str(s.evaluation_report(found)).split()  # but "-"

    def test_without_a_margin_and_with_a_number_for_failures(self):
        options = ({"refit": True}, {"error_score": -50.0})
        with pytest.warns(FitFailedWarning):
            found, filled = (planned(self.table(), **one) for one in options)
        results = found.cv_results_
        assert results["dropped_after"][[2, 4]].tolist() == [5, 5]
        assert results["dropped_after"][5] in (5, 6, 7)
        assert results["dropped_after"][found.best_index_] == 0
        assert np.isfinite(found.best_score_)
        assert filled.cv_results_["mean_test_score"][2] == -50
        assert np.isfinite(filled.cv_results_["mean_test_score"]).all()

    def test_all_fail_or_one_raises(self):
        with pytest.raises(s.FitError, match="planned to fail"):
            planned([["fails"] * 9] * 2)
        with pytest.raises(ValueError, match="planned to fail") as caught:
            planned(self.table(), error_score="raise")
        assert any("#2 candidate=2" in note for note in caught.value.__notes__)


class TestNumbersOfJobs:
    @pytest.mark.processes
    def test_two_jobs(self):
        options = {"scoring": ["accuracy", "f1"], "refit": "f1"}
        grid = {"C": [0.001, 0.1, 1, 10], "gamma": [0.01, 1]}
        one, two = (race(grid, SVC(), n_jobs=n, **options).fit(X, Y) for n in (1, 2))
        assert one.cv_results_["dropped_after"].any()
        for key in one.cv_results_:
            if not key.endswith("_time"):
                both = one.cv_results_[key], two.cv_results_[key]
                np.testing.assert_array_equal(*both, strict=True)
        assert one.best_index_ == two.best_index_

    @pytest.mark.parametrize("n_jobs", [1, pytest.param(2, marks=pytest.mark.processes)])
    def test_nothing_is_sent_before_its_look(self, n_jobs, tmp_path):
        store = tmp_path / "fits"
        found = race(store=store, n_jobs=n_jobs).fit(X, Y)
        n_fits = int(found.cv_results_["n_splits_done"].sum())
        assert found.cv_results_["dropped_after"].any()
        with closing(FitStore(store)) as kept:
            assert len(list(kept.entries())) == n_fits


def test_a_store_serves_a_second_race(tmp_path, capsys):
    first = race(store=tmp_path / "fits", return_train_score=True).fit(X, Y)
    again = race(store=tmp_path / "fits", return_train_score=True, verbose=1).fit(X, Y)
    assert "30 of 30 fits found" in capsys.readouterr().err
    assert values_of(again.cv_results_).tobytes() == values_of(first.cv_results_).tobytes()
    ours, theirs = (it.cv_results_["split0_train_score"] for it in (again, first))
    assert (ours == theirs).all()
    other = race(store=tmp_path / "fits", verbose=1).fit(X, Y)
    assert "0 of 30 fits found" in capsys.readouterr().err
    assert "mean_train_score" not in other.cv_results_


@pytest.mark.parametrize("routing", [False, True])
def test_groups_and_routing(routing):
    groups = np.repeat(np.arange(50), 4)
    cv = ms.GroupShuffleSplit(8, test_size=0.2, random_state=0)
    weights = np.random.default_rng(1).uniform(size=len(Y))
    model = LogisticRegression()
    with config_context(enable_metadata_routing=routing):
        if routing:
            model.set_fit_request(sample_weight=True)
        theirs = ms.GridSearchCV(model, {"C": [0.01, 1]}, cv=cv, scoring="accuracy")
        ours = race({"C": [0.01, 1]}, model, cv=cv, scoring="accuracy", rule=None)
        given = {"groups": groups, "sample_weight": weights}
        if routing:
            scorer = make_scorer(accuracy_score).set_score_request(sample_weight=True)
            theirs, ours = (search.set_params(scoring=scorer) for search in (theirs, ours))
        assert same_bits(ours.fit(X, Y, **given), theirs.fit(X, Y, **given))
        assert ours.scores_.design.unit == "groups"
        if routing:
            score = ours.score(X, Y, sample_weight=weights)
            assert score == theirs.score(X, Y, sample_weight=weights)
            nested = ms.cross_validate(ours, X, Y, params=given, cv=ms.KFold(2))
            assert np.isfinite(nested["test_score"]).all()


@pytest.mark.parametrize("cv", [None, s.RepeatedSubsampleSplit(15, random_state=0)])
def test_splits_keep_groups_together_with_routing(cv):
    groups = np.repeat(np.arange(50), 4)
    search = race({"n_columns": [1, 2]}, NearestMean(), cv=cv, random_state=0)
    without = clone(search).fit(X, Y, groups=groups)
    with config_context(enable_metadata_routing=True):
        routed = clone(search).fit(X, Y, groups=groups)
        outer = {"params": {"groups": groups}, "cv": ms.GroupKFold(2)}
        assert np.isfinite(ms.cross_validate(search, X, Y, **outer)["test_score"]).all()
        with pytest.raises(TypeError, match=r"'groups'.*not routed"):  # as of GridSearchCV
            clone(search).set_params(cv=ms.KFold(15)).fit(X, Y, groups=groups)
    assert routed.scores_.design.unit == "groups"
    assert routed.scores_.design == without.scores_.design
    assert routed.scores_.values.tobytes() == without.scores_.values.tobytes()


def test_clone_and_pickle():
    found = race(rule="evidence").fit(X, Y)
    copied = pickle.loads(pickle.dumps(found))
    assert copied.best_set() == found.best_set()
    assert str(copied) == str(found)
    fresh = clone(found)
    assert not hasattr(fresh, "cv_results_")
    assert repr(fresh) == repr(found) == str(fresh)


def test_a_callable_refit_gets_the_results_and_no_dropped_candidate():
    found = planned(noisy(0).tolist())
    dropped = np.flatnonzero(found.cv_results_["dropped_after"])[0]
    for answer in (int(dropped), 99, -1, 1.5, None):
        with pytest.raises(ValueError, match=r"refit returned .*in the race at its end"):
            planned(noisy(0).tolist(), refit=lambda results, answer=answer: answer)


@pytest.mark.parametrize("margin", [None, 1.0])
def test_significance_refit_ignores_the_dropped(margin):
    cv = s.RepeatedSubsampleSplit(15, test_size=0.2, random_state=0)
    refit = s.SignificanceRefit(cv=cv, cost="n_columns")
    found = race(cv=cv, refit=refit, margin=margin).fit(X, Y)
    assert (found.stopped_after_ is None) == (margin is None)
    results, n = found.cv_results_, found.stopped_after_ or 15
    left = np.flatnonzero(results["dropped_after"] == 0)
    values = values_of(results)[left, :n]
    best = values[values.mean(axis=1).argmax()]
    error = np.sqrt((1 / n + 0.25) * best.var(ddof=1))
    good = left[values.mean(axis=1) >= best.mean() - error]
    assert found.best_index_ == good[0]


class TestWhatItSays:
    @pytest.mark.parametrize(("rule", "claim"), [
        ("screen", "No conclusion about eliminated candidates."),
        ("evidence", "No other conclusion about eliminated candidates."),
        (None, "8 of 8 candidates were followed to the end"),
    ])  # fmt: skip
    def test_printed_and_reported(self, rule, claim):
        found = planned(noisy(2, spread=12).tolist(), rule=rule)
        n_left = int((found.cv_results_["dropped_after"] == 0).sum())
        n_fits = int(found.cv_results_["n_splits_done"].sum())
        said = " ".join(str(found).split())
        saved = f"to the end; {72 - n_fits} of 72 fits were saved." if rule else ""
        assert said.startswith(f"{n_left} of 8 candidates were followed {saved}")
        assert claim in said
        best = found.best_set() if rule == "evidence" else ["none"]
        first = best[0].split(" ")[0]
        best = f"{len(best)} could be the best of all (95 % confidence): {first},"
        assert (best in said) == ("could be the best" in said) == (rule == "evidence")
        report = s.evaluation_report(found)
        text = " ".join(str(report).split())
        answer, optimism = said.split(" The Planned.score of the best candidate is ")
        assert answer in text
        assert optimism in text
        kept = values_of(found.cv_results_)[np.equal(found.cv_results_["dropped_after"], 0)]
        covariance = np.cov(kept) * (1 / 9 + found.scores_.design.rho0_odds)
        means = kept.mean(axis=1)
        shape = np.zeros(n_left), np.atleast_2d(covariance)
        errors = np.random.default_rng(0).multivariate_normal(*shape, 40_000)
        size = errors[np.arange(40_000), (means + errors).argmax(axis=1)].mean()
        read = float(
            re.match(f"roughly (.*) too high, for choosing the best of {n_left};", optimism)[1]
        )
        assert read == pytest.approx(size, rel=0.1, abs=10 ** np.floor(np.log10(size)) / 2)
        assert ("p < alpha/" in text) == (rule is not None)
        assert len(report.to_frame()) == 8
        with pytest.raises(ValueError, match="leave confidence_level out"):
            s.evaluation_report(found, confidence_level=0.9)

    def test_a_winner_alone_has_no_size_of_its_optimism(self):
        found = planned((noisy(2) - 9 * np.arange(8)[:, np.newaxis]).tolist())
        assert (found.cv_results_["dropped_after"] == 0).sum() == 1
        for said in (str(found), str(s.evaluation_report(found))):
            said = " ".join(said.split())
            assert "too high, as it was chosen for it; by how much is not known" in said
            assert "roughly" not in said

    def test_compare_candidates(self):
        found = planned(noisy(0).tolist())
        kept = np.flatnonzero(found.cv_results_["dropped_after"] == 0)
        with pytest.warns(s.AnticonservativeWarning, match="left the race"):
            result = s.compare_candidates(found)
        assert result.scores.labels == tuple(f"#{k} candidate={k}" for k in kept)
        assert result.scores.values.tolist() == noisy(0)[kept].tolist()
        assert result.scores.design.n_samples == 90


def test_the_default_splits_and_their_seed():
    iris = load_iris(return_X_y=True)
    grid = {"C": [0.01, 1]}
    one, two = (s.RacingSearchCV(SVC(), grid, random_state=7).fit(*iris) for _ in range(2))
    assert one.n_splits_ == 15
    assert values_of(one.cv_results_).tobytes() == values_of(two.cv_results_).tobytes()
    by_class = s.RepeatedSubsampleSplit(15, stratify=True, random_state=7)
    by_hand = ms.GridSearchCV(SVC(), grid, cv=by_class).fit(*iris)
    both = values_of(one.cv_results_), values_of(by_hand.cv_results_)
    fitted = ~np.isnan(both[0])
    assert both[0][fitted].tobytes() == both[1][fitted].tobytes()


def test_a_race_in_which_all_lack_a_score_warns():
    table = noisy(3, spread=1)
    table[:, 6] = np.nan
    with pytest.warns(s.SplitDesignWarning, match="split 6 is missing.* The best one is not known"):
        planned(table.tolist(), rule=None)


def test_splits_that_the_test_refuses_can_be_searched_without_a_rule():
    overlapping = [(np.arange(150), np.arange(100, 200))] * 6
    with pytest.raises(s.SplitDesignError):
        race(cv=overlapping).fit(X, Y)
    with warnings.catch_warnings(action="error"):
        race(cv=ms.ShuffleSplit(6, random_state=0), rule=None).fit(X, Y)


RACES = [
    s.RacingSearchCV(LogisticRegression(), {"C": [0.1, 10]}, cv=CV),
    s.RacingSearchCV(Ridge(), {"alpha": [0.1, 10]}, cv=6, rule="evidence", margin=1e6),
]


def failing(race):
    """Return the checks that scikit-learn's own searches fail as well."""
    named = "it has the tags of GridSearchCV, which do not tell of several outputs"
    return {"check_supervised_y_2d": named} if isinstance(race.estimator, Ridge) else {}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(RACES, expected_failed_checks=failing)
def test_checks(estimator, check):
    check(estimator)
