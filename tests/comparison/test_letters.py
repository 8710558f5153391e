"""Letters, a common one exactly where no difference is significant; intervals of ranks."""

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import binom

from skcvstats import ComparisonResult, LocationTest, Pivot, compare_losses, compare_scores

from . import made


def scores_of(seed=3, n=6, gap=0.02, metric="accuracy"):
    """Return scores; those of seed 3, and of 7 with seed 0, have no p near a level."""
    rng = np.random.default_rng(seed)
    values = 0.6 + gap * rng.permutation(n)[:, None] + rng.normal(0, 0.03, (n, 15))
    return made.scores_of(values, metric=metric)


@pytest.mark.parametrize(
    ("seed", "n", "level", "adjustment"),
    [(3, 6, 0.8, "max_t"), (3, 6, 0.8, "holm"), (0, 7, 0.95, "none")],
)
def test_a_common_letter_exactly_where_nothing_is_significant(seed, n, level, adjustment):
    result = compare_scores(scores_of(seed, n), adjustment=adjustment)
    table = result.letters(level)
    assert list(table) == ["estimator", "letters"]
    assert table["estimator"].tolist() == result.ranking()["estimator"].tolist()
    assert table["letters"].iloc[0][0] == "a"
    of = dict(zip(table["estimator"], table["letters"], strict=True))
    seen = set()
    for pair in result:
        significant = pair.pvalue_adjusted <= 1 - level + 1e-12
        assert significant != bool(set(of[pair.estimator]) & set(of[pair.versus]))
        seen.add(significant)
    assert seen == {True, False}
    assert table.equals(result.with_confidence(level).letters())
    assert table.equals(ComparisonResult.from_json(result.to_json()).letters(level))


def test_only_of_all_pairs_two_sided():
    with pytest.raises(ValueError, match=r"two-sided differences of all pairs.*Leave reference"):
        compare_scores(scores_of(), reference="m0").letters()


def test_letters_are_those_of_the_first_metric():
    scores = {name: scores_of(metric=name) for name in ("auc", "f1")}
    result = compare_scores(scores)
    assert result.letters().equals(result["auc"].letters())  # the first
    assert len(result["auc"].letters()) == 6


def test_after_z_come_aa_and_ab():
    rows = 100.0 * -np.arange(60)[:, np.newaxis]
    rows = rows + np.random.default_rng(0).normal(size=(60, 15))
    found = compare_scores(made.scores_of(rows), adjustment="holm").letters()["letters"].tolist()
    assert found[24:29] == ["y", "z", "aa", "ab", "ac"]
    assert found[51:54] == ["az", "ba", "bb"]


def test_many_letters_have_spaces_between_them_and_more_than_2000_are_none():
    """Each of 40 differs from those that are more than two places away."""
    places = np.arange(40)
    found = letters_of(np.abs(places[:, np.newaxis] - places) > 2)
    assert found[:3] == ["a", "a b", "a b c"]
    assert found[30] == "ac ad ae"
    assert found[39] == "al"
    # A perfect matching: each half of 11 pairs is in every other set, 2 ** 11 in all.
    different = np.zeros((22, 22), dtype=bool)
    different[np.arange(0, 22, 2), np.arange(1, 22, 2)] = True
    with pytest.raises(ValueError, match="at most 2000 letters"):
        letters_of(different | different.T)


@dataclass(frozen=True, kw_only=True)
class Tabled(LocationTest):
    """Finds those differences significant that a table of the means has."""

    name = "tabled"
    title = "table"
    significant: frozenset = frozenset()

    def require(self, design, auxiliary=None):
        """Take any splits."""

    def pivot(self, sample, auxiliary=None):
        means = sample.values.mean(axis=-1)
        errors = np.empty_like(means)
        for place, mean in np.ndenumerate(means):
            is_significant = abs(mean) in self.significant
            errors[place] = abs(mean) / (1000 if is_significant else 0.001)
        return Pivot(means, errors, np.inf)


def letters_of(different):
    """Return the letters of models, best first, of which these pairs differ significantly."""
    means = 2.0 ** np.arange(len(different))[::-1]  # with differences that tell pairs apart
    first, second = np.nonzero(np.triu(different))
    test = Tabled(significant=frozenset((means[first] - means[second]).tolist()))
    scores = made.scores_of(np.repeat(means[:, np.newaxis], 15, axis=1))
    result = compare_scores(scores, method=test, adjustment="none")
    return result.letters()["letters"].tolist()


def maximal_sets(different):
    """Return all maximal sets without a difference, by trying every set."""
    n = len(different)
    fine = [
        set(some)
        for size in range(1, n + 1)
        for some in combinations(range(n), size)
        if not any(different[a, b] for a, b in combinations(some, 2))
    ]
    return {frozenset(some) for some in fine if not any(some < other for other in fine)}


@pytest.mark.parametrize("seed", range(20))
def test_letters_are_all_maximal_sets_without_a_difference(seed):
    random_state = np.random.RandomState(seed)
    n = random_state.randint(2, 8)
    different = np.triu(random_state.uniform(size=(n, n)) < random_state.uniform(), k=1)
    different |= different.T
    found = letters_of(different)
    columns = {}
    for k, written in enumerate(found):
        for letter in written:
            columns.setdefault(letter, set()).add(k)
    assert {frozenset(column) for column in columns.values()} == maximal_sets(different)
    in_order = [sorted(columns[letter]) for letter in sorted(columns)]
    assert in_order == sorted(in_order)  # by the best member, then the next


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


def test_none_where_they_would_not_hold_together():
    scores = scores_of()
    halves = replace(made.scores_of(scores.values[:, :10]), design=made.HALVES)
    for ranked in (
        *(compare_scores(scores, adjustment=name).ranking() for name in ("none", "bh")),
        compare_scores(scores, reference="m0").ranking(),
        compare_scores(halves, method="five_by_two_cv_f").ranking(),  # without a direction
    ):
        assert not {"rank_low", "rank_high"} & set(ranked)


@pytest.mark.calibration
@pytest.mark.parametrize("means", [[0, 0, 0, 0, 0], [0, 0.3, 0.3, 0.6, 2]])
def test_all_true_ranks_are_inside(means):
    """With a probability of .95 at least; of equal ones, all ranks that they share."""
    rng, means, n_sets = np.random.default_rng(0), np.array(means), 100
    first = 1 + (means > means[:, np.newaxis]).sum(axis=1)
    last = len(means) - (means < means[:, np.newaxis]).sum(axis=1)
    inside = 0
    for _ in range(n_sets):
        rows = means[:, np.newaxis] + rng.normal(size=(len(means), 25))
        table = {str(k): row for k, row in enumerate(rows)}
        result = compare_losses(table, greater_is_better=True, adjustment="holm")
        ranked = result.tests_by_metric["score"].ranking().set_index("estimator").loc[list(table)]
        inside += ((ranked["rank_low"] <= first) & (ranked["rank_high"] >= last)).all()
    assert inside >= binom.ppf(0.0005, n_sets, 0.95)
