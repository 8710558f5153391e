"""Simultaneous inference: max-t, Bonferroni's intervals, the best set."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from skcvstats import (
    AnticonservativeWarning,
    ConservativeZTest,
    SplitDesign,
    compare_scores,
    get_procedure,
)
from skcvstats.comparison._joint import N_DRAWS, Draws

from .made import rising
from .made import scores_of as made_of

pytestmark = [
    pytest.mark.filterwarnings("ignore::skcvstats.exceptions.AnticonservativeWarning"),
    pytest.mark.filterwarnings("ignore:Only"),  # few splits are meant
]
LEVELS = [0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 0.99999]


def scores_of(n_estimators=5, n_splits=15, *, seed=0, gap=0.03):
    names = [f"m{k}" for k in np.random.RandomState(seed + 100).permutation(n_estimators)]
    return rising(n_estimators, n_splits, gap=gap, seed=seed, names=names)


@pytest.mark.parametrize("adjustment", ["max_t", "bonferroni"])
@pytest.mark.parametrize(
    ("alternative", "reference", "seed"),
    [("two-sided", None, 0), ("two-sided", "m0", 2), ("less", "m1", 2), ("greater", "m0", 0)],
)
def test_verdict_and_interval_agree_at_every_level(adjustment, alternative, reference, seed):
    scores = scores_of(5, 6 + 3 * seed, seed=seed)
    options = {"adjustment": adjustment, "alternative": alternative, "reference": reference}
    result = compare_scores(scores, **options)
    for level in LEVELS:
        told = result.with_confidence(level)
        frame = told.to_frame()
        for pair, row in zip(told, frame.to_dict("records"), strict=True):
            low, high = pair.confidence_interval()
            assert (row["low"], row["high"]) == (low, high)
            leaves_out = low > 0 or high < 0
            assert leaves_out == (pair.pvalue_adjusted <= pair.alpha)
            assert (pair.outcome in ("higher", "lower")) == leaves_out


@pytest.mark.parametrize("alternative", ["two-sided", "less"])
def test_one_comparison_is_the_test_itself(alternative):
    how = {"adjustment": "max_t", "alternative": alternative, "reference": "m0"}
    (pair,) = compare_scores(scores_of(2), **how)
    assert pair.pvalue_adjusted == pair.test.pvalue
    assert pair.confidence_interval(0.9) == pair.test.confidence_interval(0.9)


class TestDraws:
    """The simulated law, where it is known."""

    def draws(self, correlation, n_squares):
        n_estimators = len(correlation)
        return Draws(np.linalg.cholesky(correlation), n_squares, ~np.eye(n_estimators, dtype=bool))

    @pytest.mark.parametrize("n_estimators", [2, 6])
    def test_many_squares_give_the_studentized_range(self, n_estimators):
        maxima = self.draws(np.eye(n_estimators), 10**6).control_maxima().max(axis=1)
        for level in (0.5, 0.9, 0.95):
            expected = stats.studentized_range.ppf(level, n_estimators, np.inf) / np.sqrt(2)
            assert np.quantile(maxima, level) == pytest.approx(expected, rel=0.015)

    @pytest.mark.parametrize("n_squares", [4, 14, 200])
    def test_one_contrast_is_students(self, n_squares):
        correlation = np.array([[1, 0.4, 0], [0.4, 1, 0], [0, 0, 1]])
        draws = self.draws(correlation, n_squares)
        first, second = np.array([0]), np.array([2])
        for alternative, tail in (("two-sided", 0.05), ("greater", 0.1), ("less", 0.1)):
            maxima = draws.maxima(first, second, alternative)
            assert len(maxima) == N_DRAWS
            expected = stats.t.ppf(0.975 if alternative == "two-sided" else 0.9, n_squares)
            share = np.mean(maxima > expected)
            assert share == pytest.approx(tail, abs=4 * np.sqrt(tail * (1 - tail) / N_DRAWS))


class TestBestSet:
    @pytest.mark.parametrize(("seed", "level"), [(0, 0.8), (1, 0.95), (2, 0.8)])
    def test_shown_worse_means_not_in_the_set(self, seed, level):
        result = compare_scores(scores_of(6, 10, seed=seed, gap=0.1), adjustment="max_t")
        told = result.with_confidence(level)
        best = told.best_set()
        for pair in told:
            if pair.outcome == "lower":
                assert pair.estimator not in best
            if pair.outcome == "higher":
                assert pair.versus not in best
        ranking = told.ranking()
        assert tuple(ranking["estimator"][ranking["could_be_best"]]) == best
        assert ranking["estimator"][0] in best

    @pytest.mark.parametrize(
        ("gap", "method"),
        [(0.02, "resampled_t"), (0.05, "corrected_resampled_t"), (0.2, "corrected_resampled_t")],
    )
    def test_of_two_it_is_the_two_sided_test_of_their_difference(self, gap, method):
        scores = scores_of(2, gap=gap)
        result = compare_scores(scores, adjustment="max_t", method=method)
        ranking = result.ranking()
        worse, better = ranking["estimator"][1], ranking["estimator"][0]
        expected = get_procedure(method)(scores[better] - scores[worse]).pvalue
        for level in (0.9, 0.95, 0.99):
            told = result.with_confidence(level)
            both = told[0].outcome == "not significant"
            assert told.best_set() == ((better, worse) if both else (better,))
            inside = told.ranking()["could_be_best"]
            assert inside.tolist() == [True, both]
            assert told.to_dict()[f"accuracy/{worse}/could_be_best"] is both
        assert ranking["pvalue_best"][1] == pytest.approx(expected, rel=1e-12)
        assert ranking["pvalue_best"][0] == 1


class TestNormalTails:
    """Statistics with the normal distribution, whose standard error is made of few squares."""

    def codes(self, n_estimators, **options):
        arranged = {"levels": ("pair", "half", "split"), "shape": (3, 2, 4)}
        halves = SplitDesign.from_sizes(40, 10, n_splits=24, n_samples=100, **arranged)
        draw = np.random.default_rng(0).uniform
        scores = made_of(draw(size=(n_estimators, 4)))
        further = replace(made_of(draw(size=(n_estimators, 24))), design=halves)
        how = {"method": ConservativeZTest(n_pairs=3), "auxiliary": further, **options}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = compare_scores(scores, **how)
        return {note.code for note in result.notes if note.category is AnticonservativeWarning}

    @pytest.mark.parametrize("adjustment", ["holm", "bonferroni", "by"])
    def test_pvalues_alone_are_too_small_in_a_family(self, adjustment):
        assert "normal tails" in self.codes(4, adjustment=adjustment)

    def test_no_word_where_nothing_is_amiss(self):
        assert "normal tails" not in self.codes(2, adjustment="holm")  # one comparison
        assert "normal tails" not in self.codes(4)  # max-t
        assert "normal tails" not in self.codes(4, adjustment="none")


def test_bonferroni_intervals_agree_where_the_level_is_tiny():
    values = 0.8 + 0.02 * np.random.default_rng(0).normal(size=(40, 15))
    values[0] += 0.5
    frame = compare_scores(made_of(values), adjustment="bonferroni").to_frame(1 - 1e-13)
    critical = stats.t.isf(1e-13 / 780 / 2, 14)
    expected = (frame["difference"] - critical * frame["standard_error"]).tolist()
    assert frame["low"].tolist() == pytest.approx(expected)
    shown = frame["pvalue_adjusted"] <= 1e-13
    assert ((frame["low"] > 0) | (frame["high"] < 0)).tolist() == shown.tolist()
