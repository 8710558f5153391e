"""Simultaneous inference: max-t and its edges, Bonferroni's intervals, the best set, progress."""

import re
import sys
import tracemalloc
import warnings
from contextlib import nullcontext as nothing
from dataclasses import replace
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats
from threadpoolctl import threadpool_limits

import skcvstats as s
from skcvstats.stats import tail_probability

from .made import any_order, rising, scores_of
from .max_t import draws_of, draws_of_root, family_of, show_progress_after

pytestmark = [
    pytest.mark.filterwarnings("ignore::skcvstats.exceptions.AnticonservativeWarning"),
    pytest.mark.filterwarnings("ignore:Only"),  # few splits are meant
]
N_DRAWS = 49_999
LEVELS = [0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 0.99999]


def permuted(n_estimators=5, n_splits=15, *, seed=0, gap=0.03):
    names = [f"m{k}" for k in np.random.RandomState(seed + 100).permutation(n_estimators)]
    return rising(n_estimators, n_splits, gap=gap, seed=seed, names=names)


@pytest.mark.parametrize("adjustment", ["max_t", "bonferroni"])
@pytest.mark.parametrize(
    ("alternative", "reference", "seed"),
    [("two-sided", None, 0), ("two-sided", "m0", 2), ("less", "m1", 2), ("greater", "m0", 0)],
)
def test_verdict_and_interval_agree_at_every_level(adjustment, alternative, reference, seed):
    scores = permuted(5, 6 + 3 * seed, seed=seed)
    options = {"adjustment": adjustment, "alternative": alternative, "reference": reference}
    result = s.compare_scores(scores, **options)
    for level in LEVELS:
        told = result.with_confidence(level)
        frame = told.to_frame(full=True)
        for pair, row in zip(told, frame.to_dict("records"), strict=True):
            low, high = pair.confidence_interval()
            assert (row["low"], row["high"]) == (low, high)
            leaves_out = low > 0 or high < 0
            assert leaves_out == (pair.pvalue_adjusted <= pair.alpha)
            assert (pair.outcome in ("higher", "lower")) == leaves_out


@pytest.mark.parametrize("alternative", ["two-sided", "less"])
def test_one_comparison_is_the_test_itself(alternative):
    how = {"adjustment": "max_t", "alternative": alternative, "reference": "m0"}
    (pair,) = s.compare_scores(permuted(2), **how)
    assert pair.pvalue_adjusted == pair.test.pvalue
    assert pair.confidence_interval(0.9) == pair.test.confidence_interval(0.9)


class TestDraws:
    """The simulated law, where it is known."""

    @pytest.mark.parametrize("n_squares", [4, 14, 200])
    def test_one_contrast_is_students(self, n_squares):
        correlation = np.array([[1, 0.4, 0], [0.4, 1, 0], [0, 0, 1]])
        draws = draws_of(np.linalg.cholesky(correlation), n_squares)
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
        result = s.compare_scores(permuted(6, 10, seed=seed, gap=0.1), adjustment="max_t")
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

    @pytest.mark.parametrize("n_estimators", [3, 12, 60])
    @pytest.mark.parametrize("n_splits", [5, 15, 80])
    def test_shown_worse_means_not_in_the_set_at_any_level(self, n_estimators, n_splits):
        """The p of being the best is at most that of any difference from a better one."""
        result = max_t(any_order(n_estimators, n_splits, seed=n_splits, skill=0.05))
        best = result.ranking().set_index("estimator")["pvalue_best"]
        frame = result.to_frame(full=True)
        worse = np.where(frame["difference"] < 0, frame["estimator"], frame["versus"])
        assert (best[worse].to_numpy() <= frame["pvalue_adjusted"].to_numpy()).all()
        assert (frame["pvalue_adjusted"] < 0.5).any()

    @pytest.mark.parametrize(
        ("gap", "method"),
        [(0.02, "resampled_t"), (0.05, "corrected_resampled_t"), (0.2, "corrected_resampled_t")],
    )
    def test_of_two_it_is_the_two_sided_test_of_their_difference(self, gap, method):
        scores = permuted(2, gap=gap)
        result = s.compare_scores(scores, adjustment="max_t", method=method)
        ranking = result.ranking()
        worse, better = ranking["estimator"][1], ranking["estimator"][0]
        expected = s.get_procedure(method)(scores[better] - scores[worse]).pvalue
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
        halves = s.SplitDesign.from_sizes(40, 10, n_splits=24, n_samples=100, **arranged)
        draw = np.random.default_rng(0).uniform
        scores = scores_of(draw(size=(n_estimators, 4)))
        further = replace(scores_of(draw(size=(n_estimators, 24))), design=halves)
        how = {"method": s.ConservativeZTest(n_pairs=3), "auxiliary": further, **options}
        with warnings.catch_warnings(action="ignore"):
            result = s.compare_scores(scores, **how)
        return {note.code for note in result.notes if note.category is s.AnticonservativeWarning}

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
    frame = s.compare_scores(scores_of(values), adjustment="bonferroni").to_frame(
        1 - 1e-13, full=True
    )
    critical = stats.t.isf(1e-13 / 780 / 2, 14)
    expected = (frame["difference"] - critical * frame["standard_error"]).tolist()
    assert frame["low"].tolist() == pytest.approx(expected)
    shown = frame["pvalue_adjusted"] <= 1e-13
    assert ((frame["low"] > 0) | (frame["high"] < 0)).tolist() == shown.tolist()


def max_t(values, labels=None):
    return s.compare_scores(scores_of(values, labels), adjustment="max_t")


@cache
def unscaled():
    return max_t(any_order())


def adjusted(result):
    return {frozenset((pair.estimator, pair.versus)): pair.pvalue_adjusted for pair in result}


class TestIndependence:
    """The same to the last bit."""

    def test_draws_do_not_depend_on_blas_threads(self):
        root = np.random.RandomState(0).normal(size=(300, 14))
        found = []
        for n_threads in (1, 2):
            with threadpool_limits(n_threads, "blas"):
                draws = draws_of_root(root, 14)
                found.append((draws.factor, replace(draws, n_draws=30).control_maxima()))
        for one, two in zip(*found, strict=True):
            np.testing.assert_array_equal(one, two)

    @pytest.mark.parametrize("exponent", [-320, 320])
    def test_answers_do_not_depend_on_a_power_of_two(self, exponent):
        scaled = max_t(np.ldexp(any_order(), exponent))
        assert adjusted(scaled) == adjusted(unscaled())
        assert (scaled.ranking()["pvalue_best"] == unscaled().ranking()["pvalue_best"]).all()
        ends = [result.to_frame(full=True)[["low", "high"]] for result in (scaled, unscaled())]
        np.testing.assert_allclose(np.ldexp(ends[0], -exponent), ends[1], rtol=1e-9)


class TestUndetermined:
    def test_where_all_pairs_are_undetermined_all_could_be_the_best(self):
        values = np.tile(any_order()[0], (4, 1)) + 0.1 * np.arange(4)[:, None]
        with pytest.warns(s.DegenerateScoresWarning):
            result = max_t(values)
        assert {(pair.outcome, pair.pvalue_adjusted) for pair in result} == {("undetermined", 1)}
        assert len(result.best_set()) == 4
        assert result.ranking()["pvalue_best"].isna().all()

    @pytest.mark.parametrize("scale", [1, 1e-95])
    def test_identical_estimators_leave_the_others_in_place(self, scale):
        values = any_order()
        values[3] = values[1]
        with pytest.warns(s.DegenerateScoresWarning):
            result = max_t(scale * values)
        found = adjusted(result)
        assert found.pop(frozenset(("m1", "m3"))) == 1
        for other in ("m0", "m2", "m4"):
            pvalues = [found[frozenset((other, twin))] for twin in ("m1", "m3")]
            assert pvalues[0] == pvalues[1]
            single = next(p for p in result if {p.estimator, p.versus} == {other, "m1"})
            assert pvalues[0] > single.test.pvalue
        assert result.ranking()["could_be_best"].dtype == bool
        best = result.ranking().set_index("estimator")["pvalue_best"]
        assert best["m1"] == best["m3"]

    @pytest.mark.parametrize("scale", [1, 1e-95])
    def test_a_constant_estimator_does_not_hide_what_varies_a_little(self, scale):
        values = np.full((4, 15), 0.75)
        values[:3] = scale * any_order(3)
        with nothing() if scale == 1 else pytest.warns(s.DegenerateScoresWarning):
            result = max_t(values)
        for pair in result:
            if "m3" not in (pair.estimator, pair.versus):
                assert 1.1 * pair.test.pvalue < pair.pvalue_adjusted < 6 * pair.test.pvalue
            elif scale != 1:  # what varies is less than the rounding of the constant
                assert pair.pvalue_adjusted == 1


def test_maxima_of_one_square_are_not_rounding():
    """Contrasts that share no estimator are independent, each with a Cauchy distribution."""
    n_contrasts = 30
    draws = draws_of(np.eye(2 * n_contrasts), 1)
    first = 2 * np.arange(n_contrasts)
    maxima = draws.maxima(first, first + 1, "two-sided")
    for c in (200.0, 2000.0, 20_000.0):
        expected = 1 - (1 - tail_probability(c, 1, "two-sided")) ** n_contrasts
        error = np.sqrt(expected / draws.n_draws)
        assert np.mean(maxima > c) == pytest.approx(expected, abs=4 * error)


@pytest.mark.parametrize("shape", [(3, 15), (8, 5), (12, 15)])
def test_pvalue_best_is_the_p_of_a_family_with_each_as_the_control(shape):
    scores = scores_of(any_order(*shape))
    for row in max_t(scores.values).ranking().itertuples():
        how = {"reference": row.estimator, "alternative": "greater", "adjustment": "max_t"}
        least = s.compare_scores(scores, **how).to_frame(full=True)["pvalue_adjusted"].min()
        error = np.sqrt(least * (1 - least) / N_DRAWS)
        assert row.pvalue_best == pytest.approx(least, rel=1e-9, abs=5 * error)


def test_memory_of_a_thousand_estimators():
    n_estimators = 1000
    draws = draws_of(np.eye(n_estimators), 14, n_draws=20, n_shared=14)
    tracemalloc.start()
    try:
        maxima = draws.control_maxima()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert maxima.shape == (n_estimators, 20)
    assert peak < 60e6  # draws by draws; at once they would take 160 MB


def test_only_correlations_are_shrunk():
    """Covariances of centred scores times nu / (K + nu), variances as they are."""
    values = np.random.RandomState(0).normal(size=(4, 6))
    draws = draws_of_root(values, 6)
    found = draws.factor @ draws.factor.T
    deviations = np.sqrt(np.diag(found))
    centred = values - values.mean(axis=0)
    expected = np.sum(centred[:, None] * centred[None], axis=2)
    lengths = np.sqrt(np.diag(expected))
    np.testing.assert_allclose(deviations / deviations[0], lengths / lengths[0])
    shrunk = expected / np.outer(lengths, lengths) * np.where(np.eye(4), 1, 6 / (4 + 6))
    np.testing.assert_allclose(found / np.outer(deviations, deviations), shrunk, rtol=1e-12)


@pytest.mark.parametrize(("scale", "varies"), [(1e-10, False), (1e-6, True)])
def test_what_varies_by_rounding_only_has_no_row(scale, varies):
    """The third is the mean of the others but for a part of them that is about `scale`."""
    values = np.random.RandomState(0).normal(size=(3, 14))
    values[2] = values[:2].mean(axis=0) + scale * values[2]
    factor = draws_of_root(values, 14).factor
    assert factor.any(axis=1).tolist() == [True, True, varies]


def drawn(verbose):
    result = s.compare_scores(rising(60), method="corrected_resampled_t", verbose=verbose)
    return result.ranking()["pvalue_best"].tolist()


def test_progress_of_max_t_is_shown_where_it_takes_longer(capsys, monkeypatch):
    silent = drawn(0)
    assert capsys.readouterr().err == ""
    show_progress_after(monkeypatch, 0)
    assert drawn(1) == silent
    assert "drawing max-t" in capsys.readouterr().err


def test_without_tqdm_a_line_is_shown_for_the_first_part_and_each_tenth(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm", None)
    show_progress_after(monkeypatch, 3600)
    drawn(1)
    assert capsys.readouterr().err == ""
    show_progress_after(monkeypatch, 0)
    drawn(1)
    lines = capsys.readouterr().err.splitlines()
    pattern = re.compile(r"drawing max-t: (\d+)/(\d+) blocks, about \d+ s left")
    parts = [pattern.fullmatch(line) for line in lines]
    n_done = [int(part[1]) for part in parts]
    n_blocks = int(parts[0][2])
    assert n_blocks >= 20
    step = n_blocks // 10
    assert n_done == [k for k in range(1, n_blocks + 1) if k == 1 or k % step == 0]


@pytest.mark.parametrize(("alpha", "quantile"), [(0.04, np.inf), (0.05, 19), (0.1, 18), (0.19, 17)])
def test_the_quantile_counts_the_real_statistic(alpha, quantile):
    """The k-th largest of 19 with k = floor(20 alpha)."""
    assert family_of(np.arange(1.0, 20), 3, 14).quantile(alpha) == quantile


def one_sided(statistic, df, alternative="greater"):
    return SimpleNamespace(statistic=np.array(statistic), df=np.array(df), alternative=alternative)


class TestBetweenTheSingleOneAndBonferronis:
    """The answer with maxima far from any t; a comparison has df 5, the bound 14."""

    @pytest.mark.parametrize("tails", [1, 2])
    @pytest.mark.parametrize("alpha", [0.05, 0.2])
    def test_critical_values_are_at_least_the_single_one_and_at_most_bonferronis(
        self, alpha, tails
    ):
        low, high = (family_of(np.full(999, extreme), 3, 14) for extreme in (0.0, 99.0))
        result = one_sided(1.0, 5, {1: "greater", 2: "two-sided"}[tails])
        single = stats.t.isf(alpha / tails, 5)
        bonferroni = stats.t.isf(alpha / 3 / tails, 14)
        wanted = min(single, bonferroni)
        assert low.critical(result, alpha) == pytest.approx(wanted, rel=1e-10)
        assert high.critical(result, alpha) == pytest.approx(bonferroni, rel=1e-10)

    @pytest.mark.parametrize("t", [0.5, 1.5, 3.0])
    def test_pvalues_are_at_least_the_single_one_and_at_most_bonferronis(self, t):
        low, high = (family_of(np.full(99_999, extreme), 3, 14) for extreme in (-99.0, 99.0))
        bonferroni = min(1, 3 * stats.t.sf(t, 14))
        wanted = min(stats.t.sf(t, 5), bonferroni)
        assert low.pvalues(one_sided([t], 5)) == pytest.approx([wanted], rel=1e-10)
        assert high.pvalues(one_sided([t], 5)) == pytest.approx([bonferroni], rel=1e-10)
