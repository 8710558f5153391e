"""Scores of rows and components: ragged rows in order, pairs in blocks, JSON with every bit."""

import pickle
import tracemalloc
from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest

import skcvstats as s
from skcvstats.test_set import ClusteredTTest, DeLongTest, McNemarScoreTest
from skcvstats.test_set._clustered_t import mean_scores
from skcvstats.test_set._delong import auc_scores
from skcvstats.test_set._mcnemar import correct_scores

ROWS = [np.array([9, 4]), np.array([1, 2, 0])]
TWO = s.RowScores.from_splits(
    [np.array([[3.0, 1.0], [30.0, 10.0]]), np.array([[5.0, 6.0, 7.0], [0.0, 0.0, 3.0]])], ROWS
)
SIZES = (2, 3, 7)
OFFSETS = np.cumsum([0, *SIZES])
MANY = s.RowScores(
    np.random.default_rng(0).normal(size=(6, 12)),
    rows=[*range(2), *range(3), *range(7)],
    offsets=OFFSETS,
    groups=np.arange(7) // 2,
    weights=np.random.default_rng(1).uniform(0.1, 2, size=12),
)
PAIRS = np.array(list(combinations(range(6), 2))).T


def means(values, weights=None):
    parts = list(pairwise(OFFSETS))
    weights = np.ones(12) if weights is None else weights
    return np.stack(
        [np.average(values[..., a:b], axis=-1, weights=weights[a:b]) for a, b in parts], axis=-1
    )


def scores_of(rows, **more):
    design = s.SplitDesign.from_sizes([20] * 3, list(SIZES), n_samples=40)
    return s.CVScores(values=rows.means(), design=design, row_scores=rows, **more)


def test_rows_are_ascending_and_means_differences_and_parts_are_theirs():
    for k, expected in enumerate(
        [([4, 9], [[1, 3], [10, 30]]), ([0, 1, 2], [[7, 5, 6], [3, 0, 0]])]
    ):
        for found, wanted in zip(TWO.split(k), expected, strict=True):
            np.testing.assert_array_equal(found, wanted)
    np.testing.assert_array_equal(TWO.means(), [[2, 6], [20, 1]])
    np.testing.assert_array_equal((TWO[1] - TWO[0]).means(), [18, -5])
    np.testing.assert_array_equal(TWO.take([1]).means(), [[6], [1]])
    np.testing.assert_array_equal(TWO.take([1, 0]).means(), [[6, 2], [1, 20]])
    np.testing.assert_allclose(MANY.means(), means(MANY.values, MANY.weights), rtol=1e-14)
    again = MANY.take([2, 0])
    np.testing.assert_array_equal(again.weights, MANY.weights[[*range(5, 12), 0, 1]])
    np.testing.assert_allclose(again.means(), MANY.means()[:, [2, 0]], rtol=1e-14)


@pytest.mark.parametrize("weights", [None, MANY.weights])
def test_differences_of_many_pairs(weights):
    rows = replace(MANY, weights=weights)
    scores = scores_of(rows, labels=tuple("abcdef"))
    found = scores.differences(*PAIRS)
    pairs = found.row_scores
    assert pairs.values is rows.values
    assert pairs.shape == (15,)
    expected = rows.values[PAIRS[0]] - rows.values[PAIRS[1]]
    np.testing.assert_array_equal(pairs.block(), expected)
    np.testing.assert_array_equal(pairs.block(slice(3, 5)), expected[3:5])
    np.testing.assert_array_equal(np.concatenate([*map(pairs.block, pairs.blocks())]), expected)
    np.testing.assert_array_equal(pairs.split(1)[1], expected[:, 2:5])
    np.testing.assert_allclose(pairs.means(), means(expected, weights), atol=1e-14)
    np.testing.assert_allclose(pairs.take([2]).means(), pairs.means()[:, [2]])
    for k, (a, b) in enumerate(PAIRS.T):
        alone = rows[int(a)] - rows[int(b)]
        subtracted = (scores.row(int(a)) - scores.row(int(b))).row_scores
        np.testing.assert_array_equal(subtracted.block(), alone.values)
        for one in (pairs[k], found.row(k).row_scores):
            np.testing.assert_array_equal(one.block(), alone.values)
            np.testing.assert_allclose(one.means(), means(alone.values, weights), rtol=1e-12)
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
    assert scores_of(MANY).row(1).row_scores.values.base is MANY.values
    with pytest.raises(ValueError, match="read-only"):
        rows.values[0] = 1


def test_other_rows_do_not_subtract():
    other = s.RowScores.from_splits([np.zeros(5)], [np.arange(5)])
    with pytest.raises(s.PairingError, match="different test rows"):
        TWO[0] - other
    with pytest.raises(s.PairingError, match="different weights"):
        MANY[0] - replace(MANY, weights=None)[0]


def test_magnitudes():
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
        for values, other in (
            ([2, 2], rows),
            ([2, 3.01], rows),
            ([2, np.nan], rows),
            ([2, 3], s.RowScores(values=[1, 3, 1], rows=[0, 1, 2], offsets=[0, 1, 2, 3])),
        ):
            with pytest.raises(ValueError, match="must be these means"):
                s.CVScores(values=values, design=design, row_scores=other)

    def test_rounding_is_no_difference(self):
        """Scores from probabilities in single precision differ from exact ones."""
        values = MANY.means() * (1 + 3e-6)
        design = scores_of(MANY).design
        kept = s.CVScores(values=values, design=design, row_scores=MANY)
        np.testing.assert_array_equal(kept.values, values)
        assert (kept.values != kept.row_scores.means()).any()
        pairs = MANY.pairs(*PAIRS)
        values = values[PAIRS[0]] - values[PAIRS[1]]
        kept = s.CVScores(values=values, design=design, row_scores=pairs, paired=True)
        np.testing.assert_array_equal(kept.values, values)


class TestJSON:
    def pack(self):
        random = np.random.default_rng(0)
        values = random.normal(size=(6, 12)) * 10.0 ** random.integers(-300, 300, size=(6, 12))
        values[0, :3] = [-0.0, 5e-324, 1.7e308]
        return replace(MANY, values=values, magnitude=None, weights=None)

    @pytest.mark.parametrize("kind", ["one", "several", "pairs", "weights", "missing"])
    @pytest.mark.filterwarnings("ignore:overflow")
    def test_every_bit(self, kind):
        rows = {
            "one": self.pack()[0],
            "several": self.pack(),
            "pairs": replace(MANY.pairs(*PAIRS), groups=None),
            "weights": MANY,
            "missing": replace(
                MANY, values=np.where(np.arange(12) < 2, np.nan, MANY.values), magnitude=None
            ),
        }[kind]
        scores = scores_of(rows, paired=kind == "pairs")
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
    ClusteredTTest(): mean_scores(VALUES, labels="abc", metric="m", groups=GROUPS),
    DeLongTest(): auc_scores(LABELS, [[x] for x in VALUES], labels="abc", metric="roc_auc"),
    McNemarScoreTest(): correct_scores(VALUES > 0, labels="abc", metric="accuracy"),
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
        assert alone.confidence_interval() == pytest.approx(
            [ends[k] for ends in pairs.confidence_interval()], rel=1e-12
        )


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
    with pytest.raises(ValueError, match="cannot be computed from these scores"):
        DeLongTest()(means["a"])


def test_a_test_set_has_no_training_size():
    design = s.SplitDesign.of_test_set(40)
    assert np.isnan(design.train_size)
    assert (design.n_samples, design.test_size, design.levels) == (40, 40, ("test set",))
    assert "40 test rows" in repr(SCORES[ClusteredTTest()])
    with pytest.raises(s.SplitDesignError, match="n_train"):
        s.SplitDesign(n_samples=40, n_train=(0,), n_test=(40,))
