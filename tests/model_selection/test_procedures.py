"""Every method from data to verdict, against fits in a loop; means of rows and of folds."""

import warnings
from collections import Counter
from functools import lru_cache

import numpy as np
import pytest
from scipy import stats
from sklearn import model_selection as ms
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import scale

import skcvstats as s
from tests.cheap import Counted, NearestMean

pytestmark = [pytest.mark.filterwarnings("ignore::skcvstats.exceptions.AnticonservativeWarning")]

X, Y = (rows[:121] for rows in load_breast_cancer(return_X_y=True))
X = scale(X)
N = 121
MEASURED = {}  # by hand, for tests that need the same


PAIR = {"all columns": NearestMean(30), "nearest": Counted(5)}
THREE = {**PAIR, "one column": Counted()}


def rows_right(model, train, test):
    fitted = clone(model).fit(X[train], Y[train])
    return (fitted.predict(X[test]) == Y[test]).astype(float)


def accuracies(model, cv):
    if (key := (repr(model), repr(cv))) not in MEASURED:
        MEASURED[key] = np.array([rows_right(model, *split).mean() for split in cv.split(X, Y)])
    return MEASURED[key]


def resampled(measure):
    x = measure(s.RepeatedSubsampleSplit(15, test_size=0.1, random_state=0))
    return x.mean(), x.var(ddof=1) / 15, 14


def corrected_resampled(measure):
    x = measure(s.RepeatedSubsampleSplit(15, test_size=0.1, stratify=True, random_state=0))
    return x.mean(), x.var(ddof=1) * (1 / 15 + 13 / (N - 13)), 14


def bootstrap(measure):
    # 16 replicates of 15 splits are the first 240 of one stream of splits.
    x = measure(s.RepeatedSubsampleSplit(240, test_size=0.1, random_state=0)).reshape(16, 15)
    means = x.mean(axis=1)
    return means[0], means[1:].var(ddof=1), 14


def corrected_bootstrap(measure):
    mean, variance, df = bootstrap(measure)
    return mean, variance * (1 + 15 * 13 / (N - 13)), df


def five_by_two(measure):
    x = measure(s.RepeatedTwoFold(random_state=0)).reshape(5, 2)
    return x[0, 0], np.sum((x[:, 0] - x[:, 1]) ** 2) / 10, 5


def conservative(measure):
    x = measure(s.RepeatedSubsampleSplit(15, test_size=0.1, random_state=0))
    halves = measure(s.HalfSplitPairs(10, 15, test_size=13, random_state=0)).reshape(10, 2, 15)
    d = halves[:, 0].mean(axis=1) - halves[:, 1].mean(axis=1)
    return x.mean(), np.sum(d**2) / 20, np.inf


def holdout(measure_rows):
    ((train, test),) = s.RepeatedSubsampleSplit(1, test_size=1 / 3, random_state=0).split(X)
    x = measure_rows(train, test)
    return x.mean(), x.var(ddof=1) / len(x), np.inf


def on_rows(measure_rows):
    """Return the answer of the row t-test, given the scores of all rows on a split."""
    cv = ms.RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=0)
    scores = np.empty((4, N))
    for k, (train, test) in enumerate(cv.split(X, Y)):
        scores[k // 5, test] = measure_rows(train, test)
    means = scores.mean(axis=0)
    v = means.var(ddof=1) / N
    w = np.square(scores - means).sum() / (3 * N**2)
    return means.mean(), v + 0.5 * (v + w), N - 1


def in_order(measure_rows):
    """Return the answer of the Diebold-Mariano test, given the scores of all rows on a split."""
    splits = list(ms.TimeSeriesSplit(5).split(X))
    d = np.concatenate([measure_rows(train, test) for train, test in splits])
    n, nu, t = len(d), 8, np.arange(1, len(d) + 1)  # 0.4 x 100^(2/3) = 8.6
    squares = [2 / n * (d @ np.cos(np.pi * j * (t - 0.5) / n)) ** 2 for j in range(1, nu + 1)]
    return d.mean(), sum(squares) / (nu * n), nu


# By name: the formula by hand, the number of fits of each estimator, the sizes of the splits.
BY_HAND = {
    "bootstrap_t": (bootstrap, 16 * 15, (108, 13)),
    "conservative_z": (conservative, 15 + 2 * 10 * 15, (108, 13)),
    "corrected_bootstrap_t": (corrected_bootstrap, 16 * 15, (108, 13)),
    "corrected_resampled_t": (corrected_resampled, 15, (108, 13)),
    "diebold_mariano": (in_order, 5, (61, 20)), "five_by_two_cv_t": (five_by_two, 10, (60, 60)),
    "holdout_t": (holdout, 1, (80, 41)), "resampled_t": (resampled, 15, (108, 13)),
    "row_t": (on_rows, 20, (96.8, pytest.approx(24.2, abs=0.01))),
}  # fmt: skip
LIBERAL = ["bootstrap_t", "holdout_t", "resampled_t"]
every_method = pytest.mark.parametrize("method", BY_HAND)

# Smaller designs, where the numbers do not matter.
FEW_REPLICATES = s.RepeatedSubsampleSplit(2, n_replicates=11, random_state=0)
SMALL = {"bootstrap_t": {"cv": FEW_REPLICATES}, "corrected_bootstrap_t": {"cv": FEW_REPLICATES}}
SMALL["conservative_z"] = {"cv": s.RepeatedSubsampleSplit(2, random_state=0)}
SMALL["conservative_z"]["method"] = s.ConservativeZTest(n_pairs=5)


@lru_cache
def compared(method):
    """Return the comparison by a method's defaults, and how often the nearest mean was fitted."""
    Counted.n_fits = 0
    result = s.compare_estimators(PAIR, X, Y, method=method, reference="nearest")
    return result, Counted.n_fits


def answer(method, *models):
    """Return estimate, variance and df, of a model or of the difference of two."""
    of_rows = method in ("row_t", "diebold_mariano", "holdout_t")

    def measure(*splits):
        parts = [(rows_right if of_rows else accuracies)(model, *splits) for model in models]
        return parts[0] - parts[1] if len(parts) == 2 else parts[0]

    return BY_HAND[method][0](measure)


def check(test, estimate, variance, df, null_value=0.0):
    assert test.estimate == pytest.approx(estimate, rel=1e-12)
    assert test.standard_error == pytest.approx(np.sqrt(variance), rel=1e-11)
    assert test.df == df
    t = (estimate - null_value) / np.sqrt(variance)
    assert test.statistic == pytest.approx(t, rel=1e-11)
    assert test.pvalue == pytest.approx(2 * stats.t.sf(abs(t), df), rel=1e-9)
    half_width = stats.t.ppf(0.95, df) * np.sqrt(variance)
    ends = estimate - half_width, estimate + half_width
    assert test.confidence_interval(0.9) == pytest.approx(ends, rel=1e-9)


def test_every_method_is_done_by_hand():
    # The combined F test has an answer of another form: see tests/stats/test_five_by_two_cv_f.py.
    assert sorted([*BY_HAND, "five_by_two_cv_f"]) == s.get_procedure_names()


@every_method
class TestByHand:
    def test_compare_estimators(self, method):
        result, n_fits = compared(method)
        assert n_fits == BY_HAND[method][1]
        (test,) = result.tests
        check(test, *answer(method, *PAIR.values()))
        assert (test.n_train, test.n_test) == BY_HAND[method][2]
        (one,) = result.comparisons
        for name, score in ((one.estimator, one.score), (one.versus, one.score_versus)):
            assert score == pytest.approx(answer(method, PAIR[name])[0], rel=1e-12)

    def test_cross_val_inference(self, method):
        Counted.n_fits = 0
        test = s.cross_val_inference(PAIR["nearest"], X, Y, method=method, null_value=0.5)
        assert Counted.n_fits == BY_HAND[method][1]
        check(test, *answer(method, PAIR["nearest"]), null_value=0.5)
        assert (test.n_train, test.n_test) == BY_HAND[method][2]

    def test_finished_scores_give_the_same(self, method):
        result, _ = compared(method)
        further = result.auxiliary_by_metric.get(result.scores.metric)
        how = {"method": method, "auxiliary": further, "reference": "nearest"}
        again = s.compare_scores(result.scores, **how)
        assert tuple(again.tests[0]) == tuple(result.tests[0])
        (note,) = result.to_frame(full=True)["note"]
        liberal = [each.code for each in again.notes if "rejects true null hypo" in str(each)]
        assert set(liberal) <= set(note.split("; "))
        assert bool(liberal) == (method in LIBERAL)
        assert result.tests[0].title in " ".join(str(result.tests[0]).split())

    def test_groups(self, method):
        groups = np.arange(N) // 2
        if method in ("holdout_t", "diebold_mariano"):
            Counted.n_fits = 0
            said = "not accept groups" if method != "holdout_t" else "assumes independent test rows"
            with pytest.raises(s.SplitDesignError, match=said):
                s.compare_estimators(PAIR, X, Y, groups=groups, method=method)
            assert Counted.n_fits == 0
            return
        options = {"method": method, **SMALL.get(method, {})}
        (test,) = s.compare_estimators(PAIR, X, Y, groups=groups, **options).tests
        assert (test.unit, test.n_samples) == ("groups", 61)
        sizes = {"five_by_two_cv_t": (30, 30), "row_t": (48.8, pytest.approx(12.2, abs=0.02))}
        assert (test.n_train, test.n_test) == sizes.get(method, (54, 7))
        if test.auxiliary is not None:
            assert test.auxiliary.design.unit == "groups"
            assert (test.auxiliary.design.train_size, test.auxiliary.design.test_size) == (23, 7)


class TestWarnings:
    def caught(self, call, *args, **options):
        with warnings.catch_warnings(record=True, action="always") as caught:
            call(*args, **options)
        assert {one.filename for one in caught} <= {__file__}
        return Counter(one.category for one in caught)

    @every_method
    def test_once_for_all_pairs(self, method):
        options = {"method": method, **SMALL.get(method, {})}
        found = self.caught(s.compare_estimators, THREE, X, Y, **options)
        assert found == ({s.AnticonservativeWarning: 1} if method in LIBERAL else {})
        found = self.caught(s.cross_val_inference, PAIR["nearest"], X, Y, **options)
        assert found == ({s.AnticonservativeWarning: 1} if method in LIBERAL else {})

    def test_of_an_interval_of_few_pairs_and_of_fixed_hypotheses(self):
        cv = s.RepeatedSubsampleSplit(random_state=0)
        scores = s.cross_val_score(PAIR["nearest"], X, Y, cv=cv)
        found = self.caught(scores.confidence_interval, method="resampled_t")
        assert found == {s.AnticonservativeWarning: 1}
        options = {**SMALL["conservative_z"], "method": s.ConservativeZTest(n_pairs=2)}
        found = self.caught(s.compare_estimators, PAIR, X, Y, **options)
        assert found == {s.SplitDesignWarning: 1}
        method = s.HoldoutTTest(hypotheses="fixed")
        assert not self.caught(s.compare_estimators, PAIR, X, Y, method=method)
        (test,) = s.compare_estimators(PAIR, X, Y, method=method).tests
        assert "the models as they were fitted" in str(test)
        assert test.pvalue == compared("holdout_t")[0].tests[0].pvalue


# What each cannot work with, and what it names instead.
UNFIT = {
    "bootstrap_t": (s.RepeatedSubsampleSplit(6), r"n_replicates=16"),
    "conservative_z": (ms.RepeatedKFold(n_splits=5, n_repeats=2), r"RepeatedSubsampleSplit\(\)"),
    "corrected_bootstrap_t": (s.RepeatedSubsampleSplit(6, n_replicates=2), "n_replicates=16"),
    "corrected_resampled_t": (s.HalfSplitPairs(2, 3), "leave cv=None"),
    "diebold_mariano": (ms.RepeatedKFold(n_splits=5), r"cv=TimeSeriesSplit\(\)"),
    "five_by_two_cv_t": (ms.RepeatedKFold(n_splits=2, n_repeats=4), r"RepeatedTwoFold\(\)"),
    "holdout_t": (s.RepeatedSubsampleSplit(2), r"RepeatedSubsampleSplit\(n_splits=1"),
    "resampled_t": (ms.ShuffleSplit(1), r"RepeatedSubsampleSplit\(n_splits=15\)"),
    "row_t": (ms.ShuffleSplit(5), r"RepeatedStratifiedKFold\(n_splits=5, n_repeats=4\)"),
}


@every_method
def test_splits_that_cannot_serve_are_refused_before_anything_is_fitted(method):
    cv, remedy = UNFIT[method]
    Counted.n_fits = 0
    for call, models in ((s.compare_estimators, PAIR), (s.cross_val_inference, PAIR["nearest"])):
        with pytest.raises(s.SplitDesignError, match=remedy):
            call(models, X, Y, cv=cv, method=method)
    assert Counted.n_fits == 0


class TestConservativeZ:
    CV = s.RepeatedSubsampleSplit(5, random_state=0)
    HALVES = s.HalfSplitPairs(6, 5, random_state=0)

    def test_by_hand_as_in_the_documentation(self):
        a, b = (s.cross_val_score(one, X, Y, cv=self.CV) for one in PAIR.values())
        half_a, half_b = (s.cross_val_score(one, X, Y, cv=self.HALVES) for one in PAIR.values())
        method = s.ConservativeZTest(n_pairs=6)
        options = {"cv": self.CV, "method": method, "reference": "nearest"}
        (expected,) = s.compare_estimators(PAIR, X, Y, **options).tests
        difference = s.ConservativeZTest()(a - b, auxiliary=half_a - half_b)
        for result in (difference, s.ConservativeZTest()(a, b, auxiliary=(half_a, half_b))):
            assert tuple(result) == tuple(expected)
            assert result.confidence_interval() == expected.confidence_interval()

    @pytest.mark.filterwarnings("ignore:The splits are stratified")
    @pytest.mark.parametrize(
        ("cv", "n_samples", "sizes"),
        [
            (ms.ShuffleSplit(2, test_size=7, random_state=0), N, (53, 7)),
            # Half-samples vary as samples do: they are not stratified.
            (s.RepeatedSubsampleSplit(2, stratify=True, random_state=0), N, (47, 13)),
            # The report's section 5.1: the numerator from 60 % of the rows, the variance from all.
            (s.RepeatedSubsampleSplit(2, train_size=60, test_size=12, pool="fixed"), 72, (48, 12)),
        ],
        ids=["test size", "stratified", "fixed pool"],
    )
    def test_half_samples_follow_the_splits_of_the_estimate(self, cv, n_samples, sizes):
        method = s.ConservativeZTest(n_pairs=5)
        test = s.cross_val_inference(PAIR["nearest"], X, Y, cv=cv, method=method)
        design = test.auxiliary.design
        assert (test.n_samples, design.n_samples) == (n_samples, N)
        assert (design.shape, design.train_size, design.test_size) == ((5, 2, 2), *sizes)
        assert "stratify=False" in design.source


RNG = np.random.default_rng(0)
ROWS_X = RNG.normal(size=(103, 4))
ROWS_Y = (ROWS_X[:, 0] + RNG.normal(size=103) > 0).astype(int)


class TestOtherMeans:
    """The mean over rows and that over folds, where a reader can see that they differ."""

    folds = ms.RepeatedKFold(n_splits=5, n_repeats=2, random_state=0)
    unequal = ms.PredefinedSplit(np.repeat([0, 1, 2], [60, 30, 13]))

    def notes(self, *models, n_rows=103, scoring="accuracy", name=None, cv=folds):
        options = {"scoring": {name: scoring} if name else scoring, "cv": cv, "method": "row_t"}
        door, given = s.cross_val_inference, models[0]
        if len(models) > 1:
            door, given = s.compare_estimators, {f"model {k}": it for k, it in enumerate(models)}
        result = door(given, ROWS_X[:n_rows], ROWS_Y[:n_rows], **options)
        stated = ("the mean over rows", "the mean AUC")
        found = [note for note in result.notes if any(said in note.text for said in stated)]
        assert all(note.category is None for note in found)
        return [note.text for note in found]

    def test_both_are_said(self):
        model = NearestMean()
        scores = s.cross_val_score(model, ROWS_X, ROWS_Y, cv=self.unequal)
        n_test = [len(test) for _, test in self.unequal.split()]
        over_rows, over_folds = np.average(scores, weights=n_test), scores.mean()
        (text,) = self.notes(model, cv=self.unequal)
        said = f"the estimate is the mean over rows, {over_rows:.3g}; the mean over folds is "
        assert text == f"{said}{over_folds:.3g}"

    def test_once_for_several(self):
        tree, weak = GaussianNB(), NearestMean(4)
        (text,) = self.notes(NearestMean(), tree, weak, cv=self.unequal)
        assert "of 3 tests, the estimate is the mean over rows" in text
        assert text.endswith("where they differ most")

    def test_only_those_that_are_far_from_each_other_are_printed(self):
        found = set()
        for n_columns in (1, 2, 3, 4):
            options = {"cv": self.unequal, "method": "row_t"}
            result = s.cross_val_inference(NearestMean(n_columns), ROWS_X, ROWS_Y, **options)
            values = result.scores.values.ravel()
            apart = abs(np.average(values, weights=[60, 30, 13]) - values.mean())
            is_far = apart > 0.5 * result.standard_error
            found.add(is_far)
            (note,) = (note for note in result.notes if "mean over rows" in note.text)
            assert note.code == ("scores over all rows" if is_far else "mean over rows")
            assert ("mean over rows" in " ".join(str(result).split())) == is_far
        assert found == {False, True}

    @pytest.mark.parametrize("n_rows", [100, 103])
    def test_silent_where_folds_are_about_equal(self, n_rows):
        assert self.notes(NearestMean(), n_rows=n_rows) == []

    @pytest.mark.parametrize("name", [None, "mine"])
    def test_areas_are_those_of_folds(self, name):
        (text,) = self.notes(NearestMean(), scoring="roc_auc", name=name)
        said = "roc_auc is the mean AUC of the folds, weighted by their rows, and not the AUC "
        assert text == f"{said}over all out-of-fold rows"


MODELS = {"a": NearestMean(), "b": NearestMean(4)}
FIVE = ms.KFold(5, shuffle=True, random_state=0)
METRICS = ("accuracy", "r2", "roc_auc")


def finished(cv=FIVE, scoring="accuracy", groups=None, names="ab"):
    """Return results of `cross_validate` by model."""
    options = {"cv": cv, "scoring": [scoring], "groups": groups, "return_indices": True}
    return {name: ms.cross_validate(MODELS[name], ROWS_X, ROWS_Y, **options) for name in names}


def said(result):
    """Return what is said of means of folds."""
    found = [note for note in result.notes if note.code == "means of folds"]
    assert all(note.category is None for note in found)
    return [note.text for note in found]


@pytest.mark.filterwarnings("ignore::skcvstats.SplitDesignWarning")
class TestFinishedFolds:
    """What the scores of rows would give is said of finished scores of folds only."""

    def test_each_road(self):
        done = finished()
        values = {name: results["test_accuracy"] for name, results in done.items()}
        rows = np.array(list(values.values()))
        design = s.SplitDesign.from_splitter(FIVE, ROWS_X, ROWS_Y)
        (text,) = said(s.compare_scores(done))
        assert text == (
            "only the means of folds are known; the scores of the rows would give "
            "intervals that vary less from one data set to another: compare_estimators and "
            "cross_val_inference keep them"
        )
        read = {name: s.CVScores.from_cv_results(results) for name, results in done.items()}
        procedure = s.CorrectedResampledTTest()
        known = {"metric": "accuracy", "design": design}
        made = [s.compare_scores(values, **known), s.compare_scores(rows, **known)]
        made += [s.compare_scores(read), procedure(done["a"]), procedure(done["a"], done["b"])]
        for result in made:
            assert said(result) == [text]
            test = getattr(result, "tests", [result])[0]
            assert test.method == "corrected_resampled_t"

    def test_of_every_metric_and_of_many_folds(self):
        told = {name: said(s.compare_scores(finished(scoring=name))) for name in METRICS}
        assert [bool(of_metric) for of_metric in told.values()] == [True] * len(METRICS)
        cv = ms.RepeatedKFold(n_splits=10, n_repeats=2, random_state=0)
        (text,) = said(s.compare_scores(finished(cv)))
        assert "would give intervals that vary less" in text
        done = finished()["a"]
        for metric in ("score", "mine"):  # of an unknown one under a condition
            renamed = {"test_" + metric: done["test_accuracy"], "indices": done["indices"]}
            (text,) = said(s.CorrectedResampledTTest()(renamed))
            assert "; if the metric is a mean over rows, the scores of the rows would give" in text

    @pytest.mark.filterwarnings("ignore::skcvstats.AnticonservativeWarning")
    @pytest.mark.parametrize("options", [  # without a row t-test, and not means over rows
        *({"cv": cv} for cv in (ms.KFold(2), ms.LeaveOneOut(), ms.ShuffleSplit(15))),
        *({"scoring": scoring} for scoring in ("rand_score", "fowlkes_mallows_score")),
    ], ids=str)  # fmt: skip
    def test_silent_where_the_row_t_test_cannot_be_had(self, options):
        assert said(s.CorrectedResampledTTest()(finished(**options, names="b")["b"])) == []

    @pytest.mark.parametrize(("scoring", "n_notes"), [("rand_score", 0), ("roc_auc", 1)])
    def test_silent_without_scores_of_rows_and_for_folds_of_a_part(self, scoring, n_notes):
        groups = np.arange(103) // 4
        done = finished(ms.GroupKFold(5), scoring, groups, names="a")["a"]
        scores = s.CVScores.from_cv_results(done, groups=groups)
        assert len(said(s.CorrectedResampledTTest()(scores))) == n_notes
        of_a_part = s.CVScores.from_cv_results(finished()["a"], n_samples=200)
        assert said(s.CorrectedResampledTTest()(of_a_part)) == []

    def test_silent_where_estimators_are_fitted_and_for_scores_of_rows(self):
        options = {"cv": FIVE, "method": "corrected_resampled_t"}
        result = s.compare_estimators(MODELS, ROWS_X, ROWS_Y, scoring="accuracy", **options)
        assert said(result) == said(s.compare_scores(result.scores_by_metric)) == []
        assert said(s.cross_val_inference(MODELS["a"], ROWS_X, ROWS_Y, **options)) == []
        of_rows = s.cross_val_inference(MODELS["a"], ROWS_X, ROWS_Y, cv=FIVE, method="row_t")
        assert said(s.CorrectedResampledTTest()(of_rows.scores)) == []
