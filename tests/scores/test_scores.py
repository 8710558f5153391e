"""CVScores, an array that knows its splits; RowScores, ragged rows in order, pairs in blocks."""

import inspect
import pickle
import tracemalloc
from dataclasses import replace
from itertools import combinations, pairwise
from operator import attrgetter, methodcaller

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy import stats
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GridSearchCV, GroupShuffleSplit, ShuffleSplit, cross_validate
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import skcvstats as s
from skcvstats import CorrectedResampledTTest, CVScores, FitError, SplitDesign
from skcvstats.scores import UNVERIFIED_PAIRING
from skcvstats.test_set import ClusteredTTest, DeLongTest, McNemarScoreTest
from tests.test_set.components import areas_of, hits_of, means_of

X, Y = load_iris(return_X_y=True)
CV = ShuffleSplit(6, test_size=0.2, random_state=0)
NUMBERS = [0.5, 0.25, 0.75, 0.625, 0.5, 0.875]
# Of an array, called without arguments.
PLAIN_METHODS = (
    *("min", "max", "sum", "mean", "std", "var", "argmin", "argmax", "prod", "cumsum"),
    *("argsort", "ravel", "flatten", "tolist", "copy"),
)


def run(estimator=None, **options):
    estimator = DecisionTreeClassifier(random_state=0) if estimator is None else estimator
    return cross_validate(estimator, X, Y, cv=CV, return_indices=True, **options)


def scores_of(values=NUMBERS, n_train=120, n_test=30, **fields):
    design = SplitDesign.from_sizes(n_train, n_test, n_splits=np.shape(values)[-1])
    return CVScores(values=values, design=design, **fields)


class TestFromCVResults:
    def test_sizes_and_values_are_those_of_cross_validate(self):
        results = run()
        scores = CVScores.from_cv_results(results, y=Y, label="tree", metric="accuracy")
        np.testing.assert_array_equal(scores.values, results["test_score"])
        np.testing.assert_array_equal(scores.fit_times, results["fit_time"])
        assert scores.design.n_train == tuple(len(t) for t in results["indices"]["train"])
        assert scores.design.n_test == tuple(len(t) for t in results["indices"]["test"])
        assert (scores.design.n_samples, scores.metric, scores.label) == (150, "accuracy", "tree")
        assert scores.design.y_digest is not None
        results = run(scoring=["accuracy", "f1_macro"])
        scores = CVScores.from_cv_results(results, metric="f1_macro")
        np.testing.assert_array_equal(scores.values, results["test_f1_macro"])
        with pytest.raises(ValueError, match=r"they contain .'accuracy', 'f1_macro'"):
            CVScores.from_cv_results(results, metric="r2")

    def test_search_results_with_a_design(self):
        search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5, 9]}, cv=CV)
        found = search.fit(X, Y).cv_results_
        scores = CVScores.from_cv_results(found, design=SplitDesign.from_splitter(CV, X, Y))
        assert scores.shape == (3, 6)
        np.testing.assert_array_equal(scores.values.mean(axis=1), found["mean_test_score"])
        label = str({"n_neighbors": 5})
        np.testing.assert_array_equal(scores[label].values, scores.values[1])

    def test_eleven_splits_are_in_their_own_order(self):
        # As text, split10 sorts before split2.
        found = {f"split{k}_test_score": np.array([k, -k]) for k in range(11)}
        found["params"] = [{"C": 1}, {"C": 2}]
        scores = CVScores.from_cv_results(found, design=SplitDesign.from_sizes(9, 1, n_splits=11))
        np.testing.assert_array_equal(scores.values, [np.arange(11), -np.arange(11)])

    @pytest.mark.parametrize(
        "design", [SplitDesign.from_splitter(CV, X), SplitDesign.from_sizes(120, 30, n_splits=6)]
    )
    def test_a_design_that_agrees_with_the_indices_is_taken(self, design):
        assert CVScores.from_cv_results(run(), design=design).design == design
        groups = np.arange(150) // 3
        cv = GroupShuffleSplit(6, test_size=0.2, random_state=0)
        results = cross_validate(DummyClassifier(), X, Y, cv=cv, groups=groups, return_indices=True)
        grouped = CVScores.from_cv_results(results, groups=groups).design
        assert (grouped.unit, grouped.n_samples, grouped.test_size) == ("groups", 50, 10)


class TestArray:
    """Code that was written for the array of cross_val_score keeps working."""

    array = np.array(NUMBERS)
    scores = scores_of()

    @pytest.mark.parametrize(
        "use",
        [
            *(attrgetter(name) for name in ("shape", "ndim", "size", "dtype", "T")),
            *(methodcaller(name) for name in PLAIN_METHODS),
            *(np.asarray, np.array, np.sort, np.mean, np.std), *(len, list, sum, max, sorted, str),
            lambda s: np.array(s, dtype=np.float32), lambda s: s.std(ddof=1), lambda s: s.round(1),
            lambda s: s.astype(int), lambda s: 0.5 in s, lambda s: s.reshape(2, 3),
            lambda s: np.argsort(s, kind="stable"), lambda s: np.prod(s, keepdims=True),
            lambda s: s[0], lambda s: s[1:3], lambda s: s[s > 0.5], lambda s: s * 2,
            lambda s: 1 - s, lambda s: s / s.sum(), lambda s: s == s, lambda s: s - np.ones(6),
            lambda s: np.ones(6) - s, lambda s: np.add.reduce(s),
            lambda s: np.percentile(s, [5, 95]), lambda s: np.concatenate([s, s]),
            lambda s: np.mean(s, axis=0, keepdims=True),
            lambda s: pd.DataFrame({"a": s})["a"].tolist(), lambda s: np.add(s, 1, out=np.empty(6)),
        ],
    )  # fmt: skip
    def test_same_as_the_array(self, use):
        ours, theirs = use(self.scores), use(self.array)
        np.testing.assert_equal(ours, theirs)
        assert type(ours) is type(theirs)

    def test_what_an_array_refuses_is_refused(self):
        with pytest.raises(ValueError, match="ambiguous"):
            bool(self.scores)
        for name in ("sort", "nonsense"):
            with pytest.raises(AttributeError, match=f"no attribute '{name}'"):
                getattr(self.scores, name)

    def test_methods_and_arguments_are_listed_with_the_names_of_numpy(self):
        """Completion and type checkers know every method, with NumPy's names of the arguments."""
        assert {*PLAIN_METHODS, "reshape", "item", "round", "astype"} < set(dir(self.scores))
        for name in (*PLAIN_METHODS, "round", "astype"):
            try:
                theirs = inspect.signature(getattr(self.array, name))
            except ValueError:  # before NumPy 2.4 a method of an array has none
                continue
            ours = inspect.signature(getattr(self.scores, name)).parameters.values()
            named = [p.name for p in ours if p.kind is p.POSITIONAL_OR_KEYWORD]
            assert named == list(theirs.parameters)[: len(named)]

    def test_values_cannot_be_written_to_and_in_place_operators_give_plain_arrays(self):
        scores = kept = scores_of()
        scores *= 2
        assert type(scores) is np.ndarray
        np.testing.assert_array_equal(scores, 2 * self.array)
        np.testing.assert_array_equal(kept.values, self.array)
        original = np.array(NUMBERS)
        scores = scores_of(original)
        original[0] = 99
        assert scores[0] == NUMBERS[0]
        with pytest.raises(ValueError, match="read-only"):
            scores.values[0] = 1
        with pytest.raises(TypeError, match="item assignment"):
            scores[0] = 1
        with pytest.raises(TypeError, match="unhashable"):
            hash(scores)


class TestDifference:
    def test_paired_difference_keeps_the_design(self):
        a, b = (
            CVScores.from_cv_results(run(one), y=Y, label=name)
            for name, one in (("tree", None), ("dummy", DummyClassifier()))
        )
        difference = a - b
        assert isinstance(difference, CVScores)
        np.testing.assert_array_equal(difference.values, a.values - b.values)
        assert difference.design == a.design
        assert difference.labels == ("tree - dummy",)
        assert difference.notes == ()
        np.testing.assert_array_equal((b - a).values, -difference.values)
        np.testing.assert_array_equal(np.subtract(a, b).values, difference.values)
        where = np.array([True, False] * 3)  # with arguments of NumPy's it is left to NumPy
        found = np.subtract(a, b, where=where, out=np.full(6, -1.0))
        assert type(found) is np.ndarray
        np.testing.assert_array_equal(found, np.where(where, difference.values, -1))

    def test_one_is_subtracted_from_each_of_many(self):
        many = scores_of([NUMBERS, NUMBERS[::-1]], labels=("a", "b"))
        one = scores_of(labels=("c",))
        difference = many - one
        assert difference.labels == ("a - c", "b - c")
        assert difference.notes == (UNVERIFIED_PAIRING,)  # sizes are stated
        expected = np.subtract(NUMBERS[::-1], NUMBERS)
        np.testing.assert_array_equal(difference["b - c"].values, expected)

    def test_fails_where_either_did(self):
        one = scores_of(failures=[(0, 2, "one")], labels=("a",))
        many = scores_of([NUMBERS] * 3, labels=("b", "c", "d"), failures=[(1, 4, "c")])
        expected = {(k, 2, "one") for k in range(3)} | {(1, 4, "c")}
        assert set((one - many).failures) == expected


class TestHoles:
    values = ([0.5, 0.25, np.nan, 0.5], [0.5, 0.75, 0.5, np.inf])
    failures = ((0, 2, "ValueError: singular"),)

    def test_error_names_estimator_split_and_cause_and_keeps_the_scores(self):
        scores = scores_of(self.values, labels=("a", "b"), failures=self.failures, metric="r2")
        with pytest.raises(FitError, match=r"a, split 2, is nan \(ValueError: sing") as caught:
            scores.check_complete()
        assert caught.value.scores["r2"] is scores
        again = pickle.loads(pickle.dumps(caught.value))
        assert str(again) == str(caught.value)
        assert again.scores["r2"].failures == self.failures

    def test_dropna_drops_the_split_for_all(self):
        scores = scores_of(self.values, labels=("a", "b"), failures=self.failures)
        kept = scores.dropna()
        np.testing.assert_array_equal(kept.values, [[0.5, 0.25], [0.5, 0.75]])
        assert kept.design.n_splits == 2
        assert kept.failures == ()
        (note,) = kept.notes
        assert (note.code, note.category) == ("dropped splits", None)
        assert "2 of 4 splits dropped" in str(note)
        assert kept.dropna() is kept
        # What failed stays missing, whatever number error_score filled in.
        kept = scores_of(failures=[(0, 2, "RuntimeError: no")]).dropna()
        assert (kept.values.tolist(), kept.failures) == ([0.5, 0.25, 0.625, 0.5, 0.875], ())


FLOATS = st.floats(allow_nan=True, allow_infinity=True)
ARRAYS = arrays(float, array_shapes(min_dims=1, max_dims=2, max_side=5), elements=FLOATS)

PRINTABLE = st.characters(exclude_categories=("Cc", "Cf", "Cs", "Zl", "Zp"))


class TestJSON:
    @given(ARRAYS, st.text(max_size=5), st.text(PRINTABLE, max_size=5))
    @settings(max_examples=8)
    def test_round_trip_is_exact(self, values, text, name):
        labels = tuple(f"{name}{k}" for k in range(values.shape[0] if values.ndim > 1 else 1))
        texts = {"metric": name, "notes": (text,), "failures": ((0, 0, text),), "labels": labels}
        known = {"scoring": text, "versions": {"numpy": "2"}}
        scores = scores_of(values, fit_times=np.abs(values), provenance=known, **texts)
        again = CVScores.from_json(scores.to_json())
        for name in ("values", "fit_times", "magnitude"):
            ours, theirs = getattr(again, name), getattr(scores, name)
            assert ours.shape == theirs.shape
            known = ~np.isnan(theirs)  # the sign of nan means nothing
            np.testing.assert_array_equal(np.signbit(ours)[known], np.signbit(theirs)[known])
            np.testing.assert_array_equal(ours, theirs)
        for name in ("design", "labels", "metric", "failures", "notes", "provenance"):
            assert getattr(again, name) == getattr(scores, name)

    def test_a_file_keeps_the_digests_that_verify_pairs(self, tmp_path):
        verified = CVScores.from_cv_results(run(), y=Y)
        verified.save(tmp_path / "scores.json")
        again = CVScores.load(tmp_path / "scores.json")
        assert again.design == verified.design
        assert (again - verified).notes == ()


@pytest.mark.parametrize(
    "provenance", [{"k": (1, 2)}, {"k": np.int64(3)}, {"k": object()}, {"k": np.nan}, {1: "a"}]
)
def test_provenance_that_json_would_change_is_refused(provenance):
    with pytest.raises(TypeError, match="cannot be saved as it is"):
        scores_of(provenance=provenance)


@pytest.mark.parametrize("method", ["corrected_resampled_t", CorrectedResampledTTest()])
def test_the_interval_of_a_named_procedure_and_of_one_with_its_options(method):
    scores = scores_of(np.random.default_rng(0).uniform(size=12))
    found = scores.confidence_interval(0.9, method=method)
    error = scores.values.std(ddof=1) * np.sqrt(1 / 12 + 30 / 120)
    expected = stats.t.interval(0.9, 11, scores.values.mean(), error)
    assert found == pytest.approx(expected, rel=1e-12)


def test_labels_select_and_the_representation_names_the_first_of_many():
    scores = scores_of([NUMBERS, NUMBERS[::-1]], labels=("a", "b"), failures=((1, 3, "why"),))
    assert (scores["b"].label, scores["b"].failures) == ("b", ((0, 3, "why"),))
    assert scores["a"].failures == ()
    text = repr(scores_of(labels=("tree",), metric="accuracy"))
    assert "tree: accuracy, 6 splits, 120 training rows" in text
    many = repr(scores_of(np.zeros((1000, 5)), labels=tuple(f"model {k}" for k in range(1000))))
    assert "model 9 and 990 more: " in many
    assert "model 10" not in many


ROWS = [np.array([9, 4]), np.array([1, 2, 0])]
TWO = s.RowScores.from_splits(
    [np.array([[3.0, 1.0], [30.0, 10.0]]), np.array([[5.0, 6.0, 7.0], [0.0, 0.0, 3.0]])], ROWS
)
SIZES = (2, 3, 7)
OFFSETS = np.cumsum([0, *SIZES])
KNOWN = {"groups": np.arange(7) // 2, "weights": np.random.default_rng(1).uniform(0.1, 2, size=12)}
MANY = np.random.default_rng(0).normal(size=(6, 12))
MANY = s.RowScores(MANY, [*range(2), *range(3), *range(7)], OFFSETS, **KNOWN)
PAIRS = np.array(list(combinations(range(6), 2))).T


def means_of_splits(values, weights=None):
    parts = list(pairwise(OFFSETS))
    weights = np.ones(12) if weights is None else weights
    means = [np.average(values[..., a:b], axis=-1, weights=weights[a:b]) for a, b in parts]
    return np.stack(means, axis=-1)


def with_rows(rows, **more):
    design = s.SplitDesign.from_sizes([20] * 3, list(SIZES), n_samples=40)
    return s.CVScores(values=rows.means(), design=design, row_scores=rows, **more)


def test_rows_are_ascending_and_means_differences_and_parts_are_theirs():
    both = ([4, 9], [[1, 3], [10, 30]]), ([0, 1, 2], [[7, 5, 6], [3, 0, 0]])
    for k, expected in enumerate(both):
        for found, wanted in zip(TWO.split(k), expected, strict=True):
            np.testing.assert_array_equal(found, wanted)
    np.testing.assert_array_equal(TWO.means(), [[2, 6], [20, 1]])
    np.testing.assert_array_equal((TWO[1] - TWO[0]).means(), [18, -5])
    np.testing.assert_array_equal(TWO.take([1]).means(), [[6], [1]])
    np.testing.assert_array_equal(TWO.take([1, 0]).means(), [[6, 2], [1, 20]])
    np.testing.assert_allclose(MANY.means(), means_of_splits(MANY.values, MANY.weights), rtol=1e-14)
    again = MANY.take([2, 0])
    np.testing.assert_array_equal(again.weights, MANY.weights[[*range(5, 12), 0, 1]])
    np.testing.assert_allclose(again.means(), MANY.means()[:, [2, 0]], rtol=1e-14)


@pytest.mark.parametrize("weights", [None, MANY.weights])
def test_differences_of_many_pairs(weights):
    rows = replace(MANY, weights=weights)
    scores = with_rows(rows, labels=tuple("abcdef"))
    found = scores.differences(*PAIRS)
    pairs = found.row_scores
    assert pairs.values is rows.values
    assert pairs.shape == (15,)
    expected = rows.values[PAIRS[0]] - rows.values[PAIRS[1]]
    np.testing.assert_array_equal(pairs.block(), expected)
    np.testing.assert_array_equal(pairs.block(slice(3, 5)), expected[3:5])
    np.testing.assert_array_equal(np.concatenate([*map(pairs.block, pairs.blocks())]), expected)
    np.testing.assert_array_equal(pairs.split(1)[1], expected[:, 2:5])
    np.testing.assert_allclose(pairs.means(), means_of_splits(expected, weights), atol=1e-14)
    np.testing.assert_allclose(pairs.take([2]).means(), pairs.means()[:, [2]])
    for k, (a, b) in enumerate(PAIRS.T):
        alone = rows[int(a)] - rows[int(b)]
        subtracted = (scores.row(int(a)) - scores.row(int(b))).row_scores
        np.testing.assert_array_equal(subtracted.block(), alone.values)
        for one in (pairs[k], found.row(k).row_scores):
            np.testing.assert_array_equal(one.block(), alone.values)
            means = means_of_splits(alone.values, weights)
            np.testing.assert_allclose(one.means(), means, rtol=1e-12)
            assert one.magnitude == alone.magnitude
            assert one.values is rows.values
            assert (one.first.size, one.second.size, one.shape) == (1, 1, ())
    np.testing.assert_array_equal(pairs[np.array([4, 1])].block(), expected[[4, 1]])
    with pytest.raises(ValueError, match="differences already"):
        pairs.pairs(*PAIRS)


def test_all_pairs_do_not_fill_the_memory():
    wide = s.RowScores(np.zeros((3, 2**16)), np.arange(2**16), [0, 2**16])
    blocks = wide.pairs(np.zeros(10, dtype=int), np.ones(10, dtype=int)).blocks()
    assert [(part.start, part.stop) for part in blocks] == [(0, 4), (4, 8), (8, 10)]
    n, n_rows = 60, 4000
    rows = s.RowScores(np.random.default_rng(0).random((n, n_rows)), np.arange(n_rows), [0, n_rows])
    design = s.SplitDesign.from_sizes(20, n_rows, n_splits=1)
    scores = s.CVScores(values=rows.means(), design=design, row_scores=rows)
    pairs = np.array(list(combinations(range(n), 2))).T
    tracemalloc.start()
    found = scores.differences(*pairs)
    found.row_scores.means()
    for part in found.row_scores.blocks():
        found.row_scores.block(part)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10 * 2**20 < pairs.shape[1] * n_rows * 8 / 5


def test_frozen_arrays_are_shared_and_others_copied():
    given = np.arange(12.0)
    rows = replace(MANY, values=given, magnitude=None)
    assert not np.shares_memory(rows.values, given)
    view = given.view()
    view.flags.writeable = False
    assert not np.shares_memory(replace(MANY, values=view, magnitude=None).values, given)
    assert rows.take([0, 1, 2]).values is not rows.values
    assert with_rows(MANY).row(1).row_scores.values.base is MANY.values
    with pytest.raises(ValueError, match="read-only"):
        rows.values[0] = 1


def test_other_rows_do_not_subtract():
    other = s.RowScores.from_splits([np.zeros(5)], [np.arange(5)])
    with pytest.raises(s.PairingError, match="different test rows"):
        TWO[0] - other
    with pytest.raises(s.PairingError, match="different weights"):
        MANY[0] - replace(MANY, weights=None)[0]


def test_differences_are_judged_against_the_largest_scores_that_went_into_them():
    small, large = scores_of(), scores_of(np.array(NUMBERS) * 1e6)
    assert (large - small).magnitude == (small - large).magnitude == 0.875e6
    both = scores_of(np.array([NUMBERS, np.multiply(NUMBERS, 1e6)]))
    found = both.differences(np.array([0, 1, 0]), np.array([1, 0, 0]))
    assert found.magnitude.tolist() == [0.875e6, 0.875e6, 0.875]
    one = s.RowScores([1.0, 2, 3], rows=[0, 1, 2], offsets=[0, 2, 3], magnitude=1e6)
    other = s.RowScores([1.0, 2, 4], rows=[0, 1, 2], offsets=[0, 2, 3])
    assert (one - other).magnitude == (other - one).magnitude == 1e6
    assert one.take([1]).magnitude == 1e6
    assert s.RowScores([np.nan, -5, 3], [0, 1, 2], [0, 3]).magnitude == 5


class TestOfScores:
    def test_they_must_be_those_of_the_scores(self):
        design = s.SplitDesign.from_sizes(8, 2, n_splits=2)
        rows = s.RowScores(values=[1, 3, 1, 5], rows=[0, 1, 2, 3], offsets=[0, 2, 4])
        assert s.CVScores(values=[2, 3], design=design, row_scores=rows).row_scores is rows
        others = [([2, 2], rows), ([2, 3.01], rows), ([2, np.nan], rows)]
        others += [([2, 3], s.RowScores([1, 3, 1], rows=[0, 1, 2], offsets=[0, 1, 2, 3]))]
        for values, other in others:
            with pytest.raises(ValueError, match="must be these means"):
                s.CVScores(values=values, design=design, row_scores=other)

    def test_rounding_is_no_difference(self):
        """Scores from probabilities in single precision differ from exact ones."""
        values = MANY.means() * (1 + 3e-6)
        design = with_rows(MANY).design
        kept = s.CVScores(values=values, design=design, row_scores=MANY)
        np.testing.assert_array_equal(kept.values, values)
        assert (kept.values != kept.row_scores.means()).any()
        pairs = MANY.pairs(*PAIRS)
        values = values[PAIRS[0]] - values[PAIRS[1]]
        kept = s.CVScores(values=values, design=design, row_scores=pairs, paired=True)
        np.testing.assert_array_equal(kept.values, values)


class TestJSONOfRows:
    def pack(self):
        random = np.random.default_rng(0)
        values = random.normal(size=(6, 12)) * 10.0 ** random.integers(-300, 300, size=(6, 12))
        values[0, :3] = [-0.0, 5e-324, 1.7e308]
        return replace(MANY, values=values, magnitude=None, weights=None)

    @pytest.mark.parametrize("kind", ["one", "several", "pairs", "weights", "missing"])
    @pytest.mark.filterwarnings("ignore:overflow")
    def test_json_keeps_every_bit_of_row_scores(self, kind):
        missing = np.where(np.arange(12) < 2, np.nan, MANY.values)
        rows = {
            "one": self.pack()[0],
            "several": self.pack(),
            "pairs": replace(MANY.pairs(*PAIRS), groups=None),
            "weights": MANY,
            "missing": replace(MANY, values=missing, magnitude=None),
        }[kind]
        scores = with_rows(rows, paired=kind == "pairs")
        again = s.CVScores.from_json(scores.to_json()).row_scores
        copied = pickle.loads(pickle.dumps(scores)).row_scores
        for name in rows.__dataclass_fields__:
            for other in (again, copied):
                given, found = getattr(rows, name), getattr(other, name)
                assert (given is None) == (found is None)
                if given is not None:
                    assert (given.dtype, given.shape) == (found.dtype, found.shape)
                    assert given.tobytes() == found.tobytes()


VALUES = np.random.RandomState(0).normal(size=(3, 40))
LABELS = np.arange(40) % 2
GROUPS = np.arange(40) % 12
SCORES = {
    ClusteredTTest(): means_of(VALUES, "abc", groups=GROUPS),
    DeLongTest(): areas_of(LABELS, VALUES, "abc"),
    McNemarScoreTest(): hits_of(VALUES > 0, "abc"),
}
every_test = pytest.mark.parametrize(
    ("test", "scores"), [pytest.param(*pair, id=pair[0].name) for pair in SCORES.items()]
)


@every_test
def test_a_difference_is_the_pair(test, scores):
    pairs = test.run(scores.differences(np.array([0, 0, 1]), np.array([1, 2, 2])))
    for k, (a, b) in enumerate(["ab", "ac", "bc"]):
        alone = test(scores[a] - scores[b])
        assert alone.pvalue == pytest.approx(pairs.pvalue[k], rel=1e-12)
        expected = [ends[k] for ends in pairs.confidence_interval()]
        assert alone.confidence_interval() == pytest.approx(expected, rel=1e-12)


@every_test
def test_json_restores_scores_and_differences(test, scores):
    for part in (scores, scores.differences(np.array([0]), np.array([2])), scores["b"]):
        again = s.CVScores.from_json(part.to_json())
        assert np.array_equal(test.run(again).pvalue, test.run(part).pvalue)
        assert again.to_json() == part.to_json()


@every_test
def test_procedures_for_splits_refuse_a_test_set_and_those_for_test_sets_splits(test, scores):
    for call in (lambda: s.compare_scores(scores), scores.confidence_interval):
        with pytest.raises(s.SplitDesignError, match="compare_predictions"):
            call()
    design = s.SplitDesign.from_sizes(90, 10, n_splits=10)
    with pytest.raises(s.SplitDesignError, match="is for fitted models on one test set"):
        test(s.CVScores(values=np.arange(10.0), design=design))


def test_components_of_different_test_sets_are_not_subtracted():
    means, areas = SCORES[ClusteredTTest()], SCORES[DeLongTest()]
    with pytest.raises(s.PairingError, match="different"):
        means["a"].components - areas["a"].components
    regrouped = (np.arange(40) + 6) % 12  # as many groups, of other sizes
    others = means_of(VALUES, "abc", groups=regrouped)
    with pytest.raises(s.PairingError, match="different"):
        means["a"] - others["b"]
    with pytest.raises(ValueError, match="cannot be computed from these scores"):
        DeLongTest()(means["a"])


def test_a_test_set_has_no_training_size():
    design = s.SplitDesign.of_test_set(40)
    assert np.isnan(design.train_size)
    assert (design.n_samples, design.test_size, design.levels) == (40, 40, ("test set",))
    assert "40 test rows" in repr(SCORES[ClusteredTTest()])
    with pytest.raises(s.SplitDesignError, match="n_train"):
        s.SplitDesign(n_samples=40, n_train=(0,), n_test=(40,))
