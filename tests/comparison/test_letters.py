"""result.letters(): a common letter exactly where no difference is significant."""

import numpy as np
import pytest

from skcvstats import ComparisonResult, CVScores, SplitDesign, compare_scores
from skcvstats.comparison._joint import letters

DESIGN = SplitDesign.from_sizes(90, 10, n_splits=15)


def scores_of(seed=0, n=6, gap=0.02, metric="accuracy"):
    rng = np.random.default_rng(seed)
    values = 0.6 + gap * rng.permutation(n)[:, None] + rng.normal(0, 0.03, (n, 15))
    names = tuple(f"m{k}" for k in range(n))
    return CVScores(values=values, design=DESIGN, labels=names, metric=metric)


@pytest.mark.parametrize("adjustment", ["max_t", "holm", "none"])
@pytest.mark.parametrize(("seed", "level"), [(0, 0.8), (1, 0.95), (2, 0.8)])
def test_a_common_letter_exactly_where_nothing_is_significant(seed, level, adjustment):
    scores = scores_of(seed)
    result = compare_scores(scores, adjustment=adjustment)
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


def test_the_ranking_and_the_print_have_none():
    result = compare_scores(scores_of())
    assert "letters" not in result.ranking()
    assert "letter" not in str(result) + result._repr_html_()
    assert "another method than the set of the best" in " ".join(result.letters.__doc__.split())


@pytest.mark.parametrize(
    "options", [{"reference": "m0"}, {"alternative": "less"}, {"alternative": "greater"}], ids=str
)
def test_only_of_all_pairs_two_sided(options):
    with pytest.raises(ValueError, match=r"two-sided differences of all pairs.*Leave reference"):
        compare_scores(scores_of(), **options).letters()


def test_of_one_metric():
    scores = {name: scores_of(metric=name) for name in ("auc", "f1")}
    result = compare_scores(scores)
    with pytest.raises(ValueError, match="auc"):
        result.letters()
    assert len(result["auc"].letters()) == 6


def test_after_z_come_aa_and_ab():
    rows = 100.0 * -np.arange(60)[:, np.newaxis]
    rows = rows + np.random.default_rng(0).normal(size=(60, 15))
    names = tuple(f"m{k}" for k in range(60))
    scores = CVScores(values=rows, design=DESIGN, labels=names)
    found = compare_scores(scores, adjustment="holm").letters()["letters"].tolist()
    assert found[24:29] == ["y", "z", "aa", "ab", "ac"]
    assert found[51:54] == ["az", "ba", "bb"]


def test_many_letters_of_one_estimator_have_spaces_between_them():
    """Each of 40 differs from those that are more than two places away."""
    places = np.arange(40)
    found = letters(np.abs(places[:, np.newaxis] - places) > 2)
    assert found[:3] == ["a", "a b", "a b c"]
    assert found[30] == "ac ad ae"
    assert found[39] == "al"


def test_more_than_2000_are_none():
    """A perfect matching: each half of 11 pairs is in every other set, 2 ** 11 in all."""
    different = np.zeros((22, 22), dtype=bool)
    different[np.arange(0, 22, 2), np.arange(1, 22, 2)] = True
    assert letters(different | different.T) is None


@pytest.mark.parametrize("level", [95, 0, "0.9"])
def test_a_level_is_a_share(level):
    with pytest.raises(ValueError, match="confidence_level"):
        compare_scores(scores_of()).letters(level)
