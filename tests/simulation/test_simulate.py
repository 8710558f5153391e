"""simulate: against plain loops, the same whatever the workers, and what it refuses."""

from functools import cache

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.metrics import make_scorer
from sklearn.model_selection import KFold, RepeatedKFold, ShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeRegressor

import skcvstats as s
from skcvstats.simulation import StudiedProcedure
from tests.processes import BACKENDS
from tests.simulation import studies
from tests.simulation.studies import Guess, Line, Mean, classes, crooked, line, procedures, twice

PAIR = {"A": Mean(), "B": Line()}
SHARED = Guess(np.random.RandomState(0))
ROOT = 7
FIELDS = ("data_sets", "estimates", "standard_errors", "scales")


def assert_same(result, expected):
    """Bit for bit."""
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(result, name), getattr(expected, name))
    for found, wanted in zip(result.measurements, expected.measurements, strict=True):
        np.testing.assert_array_equal(found, wanted)


def study(n_data_sets=6, **options):
    options = {"random_state": ROOT, "scoring": "neg_mean_squared_error"} | options
    return s.simulate(line, PAIR, procedures(), n_data_sets=n_data_sets, **options)


@cache
def in_order():
    """The first data sets, one after the other."""
    return study(6, n_jobs=1)


def stream(i):
    return np.random.RandomState(np.random.PCG64(np.random.SeedSequence(ROOT, spawn_key=(i, 0))))


def mae(model, X, y):
    return float(np.abs(y - model.predict(X)).mean())


def two_numbers(estimator, X, y):
    return {"one": 1.0, "other": 2.0}


def drawing_as(cv, split):
    """A splitter of ours that was given another way to split."""
    cv.split = split
    return cv


def seed(i):
    return int(np.random.SeedSequence(ROOT, spawn_key=(i, 1)).generate_state(1)[0])


def losses_by_loop(models, X, y, cv, loss=lambda y, p: (y - p) ** 2):
    """Fit clones one by one; the losses of each split's rows, minus those of the second."""
    table = []
    for train, test in cv.split(X, y):
        fits = (clone(model).fit(X[train], y[train]) for model in models.values())
        rows = [loss(y[test], fitted.predict(X[test])) for fitted in fits]
        table.append([*rows, rows[0] - rows[1]] if len(rows) == 2 else rows)
    return np.array(table).transpose(1, 0, 2)  # hypotheses, splits, rows


def pivots_by_formula(i):
    """Estimates and standard errors by the report's formulas, procedure by procedure."""
    X, y = line(stream(i))

    def scores(cv):
        cv.random_state = seed(i)
        return -losses_by_loop(PAIR, X, y, cv).mean(axis=-1)

    sub = s.RepeatedSubsampleSplit
    odds = 6 / 24  # n2 / (n - n2)
    found = []
    cv = sub(1, test_size=0.2, random_state=seed(i))
    rows = -losses_by_loop(PAIR, X, y, cv)[:, 0]
    found.append((rows.mean(axis=1), rows.std(axis=1, ddof=1) / np.sqrt(6)))
    x = scores(sub(5, test_size=0.2))
    found.append((x.mean(axis=1), x.std(axis=1, ddof=1) / np.sqrt(5)))
    x = scores(sub(8, test_size=0.2))
    found.append((x.mean(axis=1), x.std(axis=1, ddof=1) * np.sqrt(1 / 8 + odds)))
    x = scores(s.RepeatedTwoFold())
    found.append((x[:, 0], np.sqrt(((x[:, ::2] - x[:, 1::2]) ** 2).sum(axis=1) / 10)))
    fixed = sub(4, train_size=0.5, test_size=0.1, pool="fixed")
    for cv, pairs, n_splits in ((sub(5, test_size=0.2), 3, 5), (fixed, 4, 2)):
        halves = scores(s.HalfSplitPairs(pairs, n_splits, test_size=0.2))
        means = halves.reshape(3, pairs, 2, n_splits).mean(axis=-1)
        squares = (means[..., 0] - means[..., 1]) ** 2
        found.append((scores(cv).mean(axis=1), np.sqrt(squares.mean(axis=1) / 2)))
    for n_splits, n_replicates, corrected in ((2, 5, False), (3, 4, True)):
        x = scores(sub(n_splits, n_replicates=n_replicates, test_size=0.2))
        means = x.reshape(3, n_replicates, n_splits).mean(axis=-1)
        factor = 1 + corrected * n_splits * odds
        variance = means[:, 1:].var(axis=1, ddof=1) * factor
        found.append((means[:, 0], np.sqrt(variance)))
    return np.array(found).transpose(1, 0, 2)


class TestAgainstPlainLoops:
    def test_every_procedure(self):
        result = in_order()
        for i in (0, 5):
            estimates, errors = pivots_by_formula(i)
            np.testing.assert_allclose(result.estimates[i], estimates, rtol=1e-12, atol=1e-14)
            np.testing.assert_allclose(result.standard_errors[i], errors, rtol=1e-9)
        assert result.hypotheses == ("A", "B", "A-B")
        expected = [np.inf, 4, 7, 5, np.inf, np.inf, 3, 2]
        assert (result.dfs == np.array(expected)[:, None]).all()

    def test_measured_scores_and_half_sample_differences(self):
        result = study(2, designs=[s.HalfSplitPairs(5, 3, test_size=0.2), ShuffleSplit(3)])
        by_sizes = {
            (one.levels[0], one.train_size, one.shape): values
            for one, values in zip(result.designs, result.measurements, strict=True)
        }
        X, y = line(stream(1))
        cv = s.RepeatedSubsampleSplit(12, test_size=0.2, random_state=seed(1))
        scores = -losses_by_loop(PAIR, X, y, cv).mean(axis=-1)
        np.testing.assert_allclose(by_sizes["split", 24, (12,)][1], scores, rtol=1e-12)
        cv = s.HalfSplitPairs(5, 3, test_size=0.2, random_state=seed(1))
        halves = -losses_by_loop(PAIR, X, y, cv).mean(axis=-1).reshape(3, 5, 2, 3).mean(axis=-1)
        expected = halves[..., 0] - halves[..., 1]
        np.testing.assert_allclose(by_sizes["pair", 9, (5, 2, 3)][1], expected, atol=1e-13)
        cv = ShuffleSplit(3, random_state=seed(1))
        scores = -losses_by_loop(PAIR, X, y, cv).mean(axis=-1)
        np.testing.assert_allclose(by_sizes["split", 27, (3,)][1], scores, rtol=1e-12)

    @pytest.mark.parametrize(("cv", "seeded"), [
        (KFold(5), KFold(5)),
        (KFold(4, shuffle=True), KFold(4, shuffle=True, random_state=seed(1))),
        (RepeatedKFold(n_repeats=3), RepeatedKFold(n_repeats=3, random_state=seed(1))),
        (drawing_as(s.RepeatedSubsampleSplit(5), KFold(5).split), KFold(5)),
    ], ids=["in order", "shuffled", "repeated", "overridden"])  # fmt: skip
    def test_other_splitters_get_the_seed_of_the_data_set(self, cv, seeded):
        one = StudiedProcedure(test="corrected_resampled_t", cv=cv)
        result = s.simulate(line, {"A": Mean()}, [one], n_data_sets=2, random_state=ROOT)
        X, y = line(stream(1))
        means = [-np.mean((y[test] - y[train].mean()) ** 2) for train, test in seeded.split(X, y)]
        assert result.estimates[1, 0, 0] == pytest.approx(np.mean(means), rel=1e-12)
        # harmonic mean of the test sizes over what is left of n
        n_test = len(means) / sum(1 / len(test) for _, test in seeded.split(X, y))
        error = np.std(means, ddof=1) * np.sqrt(1 / len(means) + n_test / (30 - n_test))
        assert result.standard_errors[1, 0, 0] == pytest.approx(error, rel=1e-12)

    def test_accuracy_is_the_default_for_classifiers(self):
        result = s.simulate(classes, {"a": DummyClassifier()}, ["holdout_t"], n_data_sets=2)
        assert result.metric == "accuracy"
        counts = result.estimates[:, 0, 0] * result.procedures[0].design.test_size
        np.testing.assert_allclose(counts, counts.round(), atol=1e-12)


class TestTheSameWhatever:
    @pytest.mark.parametrize("backend", BACKENDS)
    def test_the_number_of_jobs_and_the_backend(self, backend):
        with parallel_config(backend=backend, n_jobs=2):
            assert_same(study(6, n_jobs=None), in_order())

    def test_which_other_procedures_there_are(self):
        """A procedure's splits are its own, whoever shares them."""
        whole = in_order()
        options = {"n_data_sets": 2, "random_state": ROOT, "scoring": "neg_mean_squared_error"}
        for p, one in enumerate(procedures()):
            alone = s.simulate(line, PAIR, [one], **options)
            np.testing.assert_allclose(alone.estimates[:, 0], whole.estimates[:2, p], rtol=1e-9)
            errors = whole.standard_errors[:2, p]
            np.testing.assert_allclose(alone.standard_errors[:, 0], errors, rtol=1e-7)

    def test_records_or_refits(self, monkeypatch):
        def refuse(self, X, y):
            raise AssertionError("refitted")

        refits = in_order()
        monkeypatch.setattr(Mean, "fit", refuse)
        quick = study(3, records=studies.means)
        np.testing.assert_allclose(quick.estimates, refits.estimates[:3], rtol=1e-12)
        np.testing.assert_allclose(quick.standard_errors, refits.standard_errors[:3], rtol=1e-9)

    def test_records_have_seeds_of_their_own(self):
        """An estimator whose random_state is None has one number for all splits of one size."""
        seeds = []

        def noted(work, X, y, splits):
            seeds.append(work.estimators[0].random_state)
            return ()

        options = {"n_data_sets": 2, "random_state": 3}
        refits = s.simulate(line, {"A": Guess()}, ["resampled_t"], **options)
        again = s.simulate(line, {"A": Guess()}, ["resampled_t"], **options, records=noted)
        assert_same(again, refits)
        assert len(set(seeds)) == 2
        assert all(isinstance(seed, int) for seed in seeds)

    @pytest.mark.slow
    def test_seeds_of_estimators(self):
        """None is another seed in every fit, and the same one in every run; a number stays."""
        options = {"n_data_sets": 3, "designs": [s.RepeatedSubsampleSplit(6)], "random_state": 3}
        guesses = {"alone": Guess(), "of a pipeline": make_pipeline(Guess())}
        first = s.simulate(line, guesses, **options)
        assert_same(s.simulate(line, guesses, **options, n_jobs=2), first)
        seen = []

        def noted(y_true, y_pred):
            seen.append(y_pred[0])
            return np.mean((y_true - y_pred) ** 2)

        scoring = make_scorer(noted, greater_is_better=False)
        s.simulate(line, guesses, scoring=scoring, **options)
        assert len(set(seen)) == 36
        seen.clear()
        s.simulate(line, {"guess": Guess(0)}, scoring=scoring, **options)
        assert len(set(seen)) == 1

    @pytest.mark.slow
    def test_fresh_seeds_of_estimators(self, tmp_path):
        """A store keeps them apart from those of fixed seeds."""
        models = {"one": Guess(0), "two": make_pipeline(Guess(0))}
        options = {"n_data_sets": 3, "designs": [s.RepeatedSubsampleSplit(6)], "random_state": 3}
        store = tmp_path / "studies.db"
        fixed = s.simulate(line, models, **options, store=store)
        assert not np.ptp(fixed.measurements[0][:, -1])  # the same guesses of both
        fresh = s.simulate(line, models, **options, store=store, fresh_seeds=True)
        assert np.ptp(fresh.measurements[0][:, -1])
        assert_same(s.simulate(line, models, **options, fresh_seeds=True, n_jobs=2), fresh)


def test_splits_are_shared(monkeypatch):
    """5, 8, 10 and 12 splits of one size cost 12 fits; the half-samples what the two ask for."""
    fits = []
    original = Mean.fit
    monkeypatch.setattr(Mean, "fit", lambda self, X, y: fits.append(len(X)) or original(self, X, y))
    s.simulate(line, {"A": Mean()}, procedures(), n_data_sets=1)
    counts = dict(zip(*np.unique(fits, return_counts=True), strict=True))
    # 24: subsamples; 15: part and 5x2; 9: halves, 3 pairs x 2 x 5 and 1 more pair x 2 x 2
    assert counts == {24: 12, 15: 4 + 10, 9: 30 + 4}


class TestBadInput:
    @pytest.mark.parametrize(("kind", "error", "message"), [
        ("nan in X", ValueError, "returned X with nan or infinite"),
        ("inf in y", ValueError, "returned y with nan or infinite"),
        ("no tuple", TypeError, "returned ndarray; it must return"),
        ("no y", TypeError, "returned no y"), ("unequal", ValueError, "29 entries for 30 rows"),
    ])  # fmt: skip
    def test_generators(self, kind, error, message):
        with pytest.raises(error, match=message):
            s.simulate(studies.Faulty(kind), PAIR, ["resampled_t"], n_data_sets=2)

    @pytest.mark.parametrize(("kind", "error", "message", "n_jobs"), [
        ("shorter", ValueError, "29 rows, but 30 for the first", 1),
        ("raises", ZeroDivisionError, "division", 1),
        pytest.param(*("raises", ZeroDivisionError, "division", 2), marks=pytest.mark.processes),
    ])  # fmt: skip
    def test_generators_later_on(self, kind, error, message, n_jobs, tmp_path):
        path, quick = tmp_path / "studies.db", {"A": Mean()}
        options = {"n_data_sets": 40, "store": path, "n_jobs": n_jobs}
        with pytest.raises(error, match=message) as caught:
            s.simulate(studies.Faulty(kind, later=True), quick, ["resampled_t"], **options)
        notes = " ".join(caught.value.__notes__)
        assert "data set " in notes
        assert "runs it alone" in notes
        assert "of 40 data sets were finished" in notes
        assert f"the data sets that were finished are kept in {path}" in notes

    @pytest.mark.parametrize(("options", "error", "message"), [
        ({"generator": 3}, TypeError, "generator=3 must be a callable"),
        ({"estimators": dict.fromkeys("abc", Mean())}, TypeError, "dict of one or two"),
        ({"estimators": {"a": Mean}}, TypeError, r"pass Mean\(\)"),
        ({"estimators": {1: Mean()}}, TypeError, "non-empty string"),
        ({"estimators": {"a": SHARED}}, ValueError, "'a' has random_state=RandomState"),
        ({"procedures": 3}, TypeError, "procedures=3 must be a list"),
        ({"procedures": ["corected_resampled_t"]}, ValueError, "Did you mean"),
        ({"procedures": ["resampled_t"] * 2}, ValueError, r"StudiedProcedure\(label="),
        ({"scoring": ["r2"]}, ValueError, "must be one metric"),
        ({"scoring": "r2", "procedures": ["holdout_t"]}, ValueError, "Give a metric that is"),
        ({"random_state": None}, ValueError, "random_state=None must be an integer"),
        ({"n_data_sets": 0}, ValueError, "n_data_sets=0 must be"),
        ({"data_sets": [-1]}, ValueError, "must be numbers of data sets"),
        ({"designs": [ShuffleSplit(random_state=0)]}, ValueError, "has its own random_state"),
        ({"estimators": {"a": studies.Hopeless()}}, ValueError, "Input contains NaN"),
        ({"scoring": lambda *_: np.nan}, ValueError, "'A' scored nan on split 0"),
        ({"records": twice, "fresh_seeds": True}, ValueError, "fresh_seeds=True cannot seed"),
        ({"records": 3}, TypeError, "records=3 must be None or a callable"),
        ({"records": dict}, TypeError, "records=<class 'dict'> must be None or a callable"),
        ({"records": lambda work: []}, TypeError, "records=<function .* must be None or a call"),
        ({"records": lambda *_: 3}, TypeError, "records returned 3, but it must be None or a call"),
        ({"records": crooked, "procedures": ["holdout_t"]}, ValueError, r"row_scores of shape"),
        ({"records": twice}, ValueError, "of 2 estimators and one of 15 splits, once"),
        ({"scoring": two_numbers}, ValueError, "scoring gave 2 metrics"),
        ({"scoring": mae}, ValueError, "'mae' is the name of a loss, and these scores reach"),
        ({"designs": [s.RepeatedTwoFold()]}, s.SplitDesignError, "repeat x fold, have no single"),
    ])  # fmt: skip
    def test_arguments(self, options, error, message):
        arguments = {"generator": line, "estimators": PAIR, "procedures": ["resampled_t"]}
        with pytest.raises(error, match=message):
            s.simulate(**(arguments | {"n_data_sets": 2} | options))

    @pytest.mark.parametrize(("options", "message"), [
        ({"test": "holdout_t", "cv": s.RepeatedSubsampleSplit(2)}, "one train/test split"),
        ({"test": "resampled_t", "cv": s.RepeatedSubsampleSplit(test_size=40)}, "of n=30 rows"),
        ({"test": "resampled_t", "auxiliary": s.HalfSplitPairs()}, "leave auxiliary out"),
        ({"test": "corrected_resampled_t", "cv": studies.BySign()}, "other sizes here"),
        ({"test": "corrected_resampled_t", "cv": studies.OneForEachSign()}, "in another way"),
        ({"test": "resampled_t", "cv": studies.Unseeded()}, "draws other splits .* draws from its"),
        ({"test": "resampled_t", "cv": studies.DeafToSeeds()}, "draws other splits"),
    ])  # fmt: skip
    def test_designs_that_do_not_fit_or_change_with_the_data(self, options, message):
        models = {"a": Mean()}
        with pytest.raises(s.SplitDesignError, match=message) as caught:
            s.simulate(line, models, [StudiedProcedure(**options)], n_data_sets=20)
        notes = " ".join(getattr(caught.value, "__notes__", []))
        is_ours = isinstance(options.get("cv"), s.RepeatedSubsampleSplit | None)
        assert ("data sets of 30 rows" in notes) == is_ours
        if "draws" in message:
            with pytest.raises(s.SplitDesignError, match=message):
                s.simulate(line, models, n_data_sets=2, designs=[options["cv"]])


def test_procedures_that_cannot_be_studied():
    with pytest.raises(ValueError, match="Leave it out: a study seeds"):
        StudiedProcedure(test="resampled_t", cv=s.RepeatedSubsampleSplit(random_state=0))
    with pytest.raises(TypeError, match="label='' must be"):
        StudiedProcedure(test="resampled_t", label="")


def test_procedures_keep_their_options():
    tests = [s.CorrectedResampledTTest(alternative="less"), s.HoldoutTTest(law="t")]
    result = s.simulate(line, {"A": DecisionTreeRegressor(max_depth=1)}, tests, n_data_sets=2)
    assert [one.alternative for one in result.procedures] == ["less", "two-sided"]
    assert (result.dfs[..., 0] == [14, 9]).all()
    assert result.labels == ("corrected_resampled_t", "holdout_t")
