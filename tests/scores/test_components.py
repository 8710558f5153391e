"""Components of scores on one test set: pairs, subtraction, JSON, and what refuses them."""

import numpy as np
import pytest

from skcvstats import CVScores, PairingError, SplitDesign, SplitDesignError, compare_scores
from skcvstats.scores import Components
from skcvstats.test_set import ClusteredTTest, DeLongTest, McNemarScoreTest
from skcvstats.test_set._clustered_t import mean_scores
from skcvstats.test_set._delong import auc_scores
from skcvstats.test_set._mcnemar import correct_scores

X = np.random.RandomState(0).normal(size=(3, 40))
Y = np.arange(40) % 2
GROUPS = np.arange(40) % 12
SCORES = {
    ClusteredTTest(): mean_scores(X, labels="abc", metric="m", groups=GROUPS),
    DeLongTest(): auc_scores(Y, [[x] for x in X], labels="abc", metric="roc_auc"),
    McNemarScoreTest(): correct_scores(X > 0, labels="abc", metric="accuracy"),
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
        again = CVScores.from_json(part.to_json())
        assert np.array_equal(test.run(again).pvalue, test.run(part).pvalue)
        assert again.to_json() == part.to_json()


@every_test
def test_procedures_for_splits_refuse_a_test_set_and_those_for_test_sets_splits(test, scores):
    for call in (lambda: compare_scores(scores), scores.confidence_interval):
        with pytest.raises(SplitDesignError, match="compare_predictions"):
            call()
    design = SplitDesign.from_sizes(90, 10, n_splits=10)
    with pytest.raises(SplitDesignError, match="is for fitted models on one test set"):
        test(CVScores(values=np.arange(10.0), design=design))


def test_components_of_different_test_sets_are_not_subtracted():
    means, areas = SCORES[ClusteredTTest()], SCORES[DeLongTest()]
    with pytest.raises(PairingError, match="different"):
        means["a"].components - areas["a"].components
    with pytest.raises(ValueError, match="cannot be computed from these scores"):
        DeLongTest()(means["a"])


def test_a_test_set_has_no_training_size():
    design = SplitDesign.of_test_set(40)
    assert np.isnan(design.train_size)
    assert (design.n_samples, design.test_size, design.levels) == (40, 40, ("test set",))
    assert "40 test rows" in repr(SCORES[ClusteredTTest()])
    with pytest.raises(SplitDesignError, match="n_train"):
        SplitDesign(n_samples=40, n_train=(0,), n_test=(40,))


@pytest.mark.parametrize("width", [1, 40, 5000, 2**19])
def test_blocks_of_pairs_are_of_two_mebibytes(width):
    arrays = {"wide": np.broadcast_to(np.zeros(1), (3, width)), "narrow": np.zeros((3, 1))}
    n_pairs = 3 * 2**18 // width + 5
    pairs = np.zeros(n_pairs, dtype=int)
    blocks = list(Components("any", arrays).pairs(pairs, pairs).blocks())
    sizes = [block.stop - block.start for block in blocks]
    assert [block.start for block in blocks] == np.cumsum([0, *sizes[:-1]]).tolist()
    assert sum(sizes) == n_pairs
    fits = [size == 1 or 8 * size * width <= 2**21 for size in sizes]
    assert all(fits)
    assert all(8 * (size + 1) * width > 2**21 for size in sizes[:-1])
