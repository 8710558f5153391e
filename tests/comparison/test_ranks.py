"""Simultaneous intervals of ranks, from the two-sided verdicts of all pairs."""

from dataclasses import replace

import numpy as np
import pytest

from skcvstats import ComparisonResult, compare_losses, compare_scores

from . import made
from .test_letters import scores_of


@pytest.mark.parametrize(("adjustment", "level"), [("max_t", 0.8), ("holm", 0.95)])
def test_they_count_the_verdicts(adjustment, level):
    result = compare_scores(scores_of(), adjustment=adjustment)
    frame = result.ranking(level).set_index("estimator")
    ends = {name: [1, 6] for name in frame.index}
    for pair in result:
        if pair.pvalue_adjusted <= 1 - level + 1e-12:
            better, worse = pair.estimator, pair.versus
            if pair.test.estimate < 0:
                better, worse = worse, better
            ends[worse][0] += 1
            ends[better][1] -= 1
    assert frame[["rank_low", "rank_high"]].T.to_dict("list") == ends
    assert len(set(map(tuple, ends.values()))) > 3
    again = ComparisonResult.from_json(result.to_json())
    assert again.ranking(level).equals(result.ranking(level))


def test_pairs_that_do_not_vary_widen_them():
    """m2 is always .1 below m1: no evidence, so either could be the first of the two."""
    values = {"m0": np.random.default_rng(0).normal(5, 1, 30), "m1": np.linspace(0, 1, 30)}
    with pytest.warns(UserWarning, match="do not vary"):
        result = compare_losses(values | {"m2": values["m1"] - 0.125}, greater_is_better=True)
    ends = result.ranking()[["estimator", "rank_low", "rank_high"]].to_numpy().tolist()
    assert ends == [["m0", 1, 1], ["m1", 2, 3], ["m2", 2, 3]]


@pytest.mark.parametrize(
    "options",
    [
        *({"reference": "m0"}, {"adjustment": "none"}),
        *({"adjustment": "bh"}, {"method": "five_by_two_cv_f"}),
    ],
    ids=str,
)
def test_none_where_they_would_not_hold_together(options):
    scores = scores_of()
    if "method" in options:  # a test without a direction
        scores = replace(made.scores_of(scores.values[:, :10]), design=made.HALVES)
    ranked = compare_scores(scores, **options).ranking()
    assert not {"rank_low", "rank_high"} & set(ranked)


@pytest.mark.calibration
@pytest.mark.parametrize("means", [[0, 0, 0, 0, 0], [0, 0.3, 0.3, 0.6, 2]])
def test_all_true_ranks_are_inside(means):
    """With a probability of .95 at least; of equal ones, all ranks that they share."""
    rng, means, n_sets = np.random.default_rng(0), np.array(means), 250
    first = 1 + (means > means[:, np.newaxis]).sum(axis=1)
    last = len(means) - (means < means[:, np.newaxis]).sum(axis=1)
    inside = 0
    for _ in range(n_sets):
        rows = means[:, np.newaxis] + rng.normal(size=(len(means), 25))
        table = {str(k): row for k, row in enumerate(rows)}
        result = compare_losses(table, greater_is_better=True, adjustment="holm")
        ranked = result.tests_by_metric["score"].ranking().set_index("estimator").loc[list(table)]
        inside += ((ranked["rank_low"] <= first) & (ranked["rank_high"] >= last)).all()
    assert inside >= 0.95 * n_sets - 3 * np.sqrt(0.05 * 0.95 * n_sets)
