"""Simultaneous inference: max-t, Bonferroni's intervals, the best set, letters."""

import warnings
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from scipy import stats
from sklearn.dummy import DummyClassifier

from skcvstats import (
    AnticonservativeWarning,
    ConservativeZTest,
    CVScores,
    FiveByTwoCVTTest,
    HoldoutTTest,
    RepeatedSubsampleSplit,
    SplitDesign,
    compare_estimators,
    compare_scores,
    get_procedure,
)
from skcvstats.comparison._joint import N_DRAWS, Draws, letters
from skcvstats.stats import samples_of

pytestmark = [
    pytest.mark.filterwarnings("ignore::skcvstats.exceptions.AnticonservativeWarning"),
    pytest.mark.filterwarnings("ignore:Only"),  # few splits are meant
]
LEVELS = [0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 0.99999]


def scores_of(n_estimators=5, n_splits=15, *, seed=0, gap=0.03):
    random_state = np.random.RandomState(seed)
    values = gap * np.arange(n_estimators)[:, None] / n_estimators
    values = values + 0.02 * random_state.normal(size=(n_estimators, n_splits))
    values += 0.03 * random_state.normal(size=n_splits)
    names = tuple(f"m{k}" for k in random_state.permutation(n_estimators))
    design = SplitDesign.from_sizes(90, 10, n_splits=n_splits)
    return CVScores(values=values, design=design, labels=names, metric="accuracy")


def recoded(scores, values=None, order=None):
    order = np.arange(len(scores)) if order is None else order
    return CVScores(
        values=(scores.values if values is None else values)[order],
        design=scores.design,
        labels=tuple(scores.labels[k] for k in order),
        metric=scores.metric,
    )


def by_pair(result):
    """Return p-values and intervals by the names of a pair, as of the first minus the second."""
    found = {}
    for pair in result:
        low, high = pair.confidence_interval()
        key = (pair.estimator, pair.versus)
        if key != tuple(sorted(key)):
            key, (low, high) = key[::-1], (-high, -low)
        found[key] = (pair.pvalue_adjusted, low, high)
    return found


@pytest.mark.parametrize("adjustment", ["max_t", "bonferroni"])
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("reference", [None, "m0"])
@pytest.mark.parametrize("seed", [0, 2])
def test_verdict_and_interval_agree_at_every_level(adjustment, alternative, reference, seed):
    scores = scores_of(5, 6 + 3 * seed, seed=seed)
    result = compare_scores(
        scores, adjustment=adjustment, alternative=alternative, reference=reference
    )
    for level in LEVELS:
        told = result.with_confidence(level)
        frame = told.to_frame()
        for pair, row in zip(told, frame.to_dict("records"), strict=True):
            low, high = pair.confidence_interval()
            assert (row["low"], row["high"]) == (low, high)
            leaves_out = low > 0 or high < 0
            assert leaves_out == (pair.pvalue_adjusted <= pair.alpha)
            assert (pair.outcome in ("above", "below")) == leaves_out


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_one_comparison_is_the_test_itself(alternative):
    scores = scores_of(2)
    (pair,) = compare_scores(scores, adjustment="max_t", alternative=alternative)
    assert pair.pvalue_adjusted == pair.test.pvalue
    assert not pair.adjusted or pair.test.pvalue == pair.pvalue_adjusted
    assert pair.confidence_interval(0.9) == pair.test.confidence_interval(0.9)


class TestInvariance:
    scores = scores_of(6)
    expected = by_pair(compare_scores(scores, adjustment="max_t"))

    def assert_same(self, scores, rtol):
        found = by_pair(compare_scores(scores, adjustment="max_t"))
        assert found.keys() == self.expected.keys()
        for key, numbers in self.expected.items():
            np.testing.assert_allclose(found[key], numbers, rtol=rtol, atol=1e-9)

    def test_under_the_order_of_splits(self):
        order = np.random.RandomState(1).permutation(15)
        # A simulated maximum may come to lie on the other side of a statistic by rounding.
        self.assert_same(recoded(self.scores, self.scores.values[:, order]), 2e-3)

    def test_under_a_number_added_to_all_in_a_split(self):
        shift = np.random.RandomState(1).normal(size=15)
        self.assert_same(recoded(self.scores, self.scores.values + shift), 2e-3)

    @pytest.mark.parametrize("exponent", [-560, 660])
    def test_under_a_scale_whose_squares_are_out_of_range(self, exponent):
        scaled = compare_scores(
            recoded(self.scores, np.ldexp(self.scores.values, exponent)), adjustment="max_t"
        )
        for key, (pvalue, low, high) in by_pair(scaled).items():
            ends = np.ldexp([low, high], -exponent)
            np.testing.assert_allclose((pvalue, *ends), self.expected[key], rtol=1e-9)


def roots():
    """Yield procedures with scores of three estimators, and auxiliary ones."""
    random_state = np.random.RandomState(0)

    def scores(design):
        values = random_state.normal(size=(3, design.n_splits))
        return CVScores(values=values, design=design, labels=tuple("abc"))

    plain = SplitDesign.from_sizes(70, 20, n_splits=15, n_samples=100)
    halves = SplitDesign.from_sizes(50, 50, n_splits=10, levels=("repeat", "fold"), shape=(5, 2))
    replicates = SplitDesign.from_sizes(
        90, 10, n_splits=48, levels=("replicate", "split"), shape=(8, 6)
    )
    pairs = SplitDesign.from_sizes(
        30, 20, n_splits=48, n_samples=100, levels=("pair", "half", "split"), shape=(6, 2, 4)
    )
    for name in ("corrected_resampled_t", "resampled_t"):
        yield get_procedure(name), scores(plain), None, 14
    for variant, n_squares in (("dietterich", 5), ("t4", 4), ("t5", 5)):
        yield FiveByTwoCVTTest(variant=variant), scores(halves), None, n_squares
    for name in ("bootstrap_t", "corrected_bootstrap_t"):
        yield get_procedure(name), scores(replicates), None, 6
    yield get_procedure("conservative_z"), scores(plain), scores(pairs), 6


@pytest.mark.parametrize(("test", "scores", "auxiliary", "n_squares"), list(roots()))
def test_the_root_gives_the_standard_errors_of_all_differences(test, scores, auxiliary, n_squares):
    root = test.root(*samples_of(test, scores, auxiliary))
    assert root.n_squares == n_squares
    for a, b in combinations(range(3), 2):
        rest = None if auxiliary is None else auxiliary.row(a) - auxiliary.row(b)
        alone = test.run(scores.row(a) - scores.row(b), rest)
        length = np.linalg.norm(root.values[a] - root.values[b])
        assert length == pytest.approx(alone.standard_error, rel=1e-12)


def test_the_root_of_row_scores():
    x = np.random.RandomState(0).normal(size=(3, 30))
    test = HoldoutTTest(law="t")
    from skcvstats import RowScores

    rows = RowScores(x, np.arange(30), np.array([0, 30]))
    design = SplitDesign.from_sizes(60, 30, n_splits=1)
    values = x.mean(axis=1, keepdims=True)
    scores = CVScores(values=values, design=design, labels=tuple("abc"), row_scores=rows)
    root = test.root(test.sample(scores))
    assert root.n_squares == 29
    expected = stats.ttest_rel(x[0], x[2])
    length = np.linalg.norm(root.values[0] - root.values[2])
    assert (x[0] - x[2]).mean() / length == pytest.approx(expected.statistic, rel=1e-12)


class TestDraws:
    """The simulated law, where it is known."""

    def draws(self, correlation, n_squares):
        n_estimators = len(correlation)
        return Draws(
            np.linalg.cholesky(correlation),
            n_squares,
            ~np.eye(n_estimators, dtype=bool),
        )

    @pytest.mark.parametrize("n_estimators", [2, 3, 6])
    def test_many_squares_give_the_studentized_range(self, n_estimators):
        maxima = self.draws(np.eye(n_estimators), 10**6).control_maxima().max(axis=1)
        for level in (0.5, 0.9, 0.95):
            expected = stats.studentized_range.ppf(level, n_estimators, np.inf) / np.sqrt(2)
            assert np.quantile(maxima, level) == pytest.approx(expected, rel=0.015)

    @pytest.mark.parametrize("n_squares", [4, 9, 14, 200])
    def test_one_contrast_is_students(self, n_squares):
        correlation = np.array([[1, 0.4, 0], [0.4, 1, 0], [0, 0, 1]])
        draws = self.draws(correlation, n_squares)
        first, second = np.array([0]), np.array([2])
        for alternative, tail in (("two-sided", 0.05), ("greater", 0.1), ("less", 0.1)):
            maxima = draws.maxima(first, second, alternative)
            assert len(maxima) == N_DRAWS
            expected = stats.t.ppf(0.95 + (0 if alternative == "two-sided" else -0.05), n_squares)
            if alternative == "two-sided":
                expected = stats.t.ppf(0.975, n_squares)
            share = np.mean(maxima > expected)
            assert share == pytest.approx(tail, abs=4 * np.sqrt(tail * (1 - tail) / N_DRAWS))

    def test_both_ways_to_the_maximum_of_all_pairs_agree(self):
        correlation = np.full((5, 5), 0.3) + 0.7 * np.eye(5)
        draws = self.draws(correlation, 9)
        first, second = np.triu_indices(5, k=1)
        np.testing.assert_allclose(
            draws.maxima(first, second, "two-sided"), draws.control_maxima().max(axis=1), rtol=1e-5
        )


class TestBestSet:
    @pytest.mark.parametrize(("seed", "level"), [(k, (0.8, 0.95)[k % 2]) for k in range(8)])
    def test_shown_worse_means_not_in_the_set(self, seed, level):
        result = compare_scores(scores_of(6, 10, seed=seed, gap=0.1), adjustment="max_t")
        told = result.with_confidence(level)
        best = told.best_set()
        for pair in told:
            if pair.outcome == "below":
                assert pair.estimator not in best
            if pair.outcome == "above":
                assert pair.versus not in best
        ranking = told.ranking()
        assert tuple(ranking["estimator"][ranking["could_be_best"]]) == best
        assert ranking["estimator"][0] in best

    @pytest.mark.parametrize("gap", [0.02, 0.05, 0.1, 0.2])
    @pytest.mark.parametrize("method", ["corrected_resampled_t", "resampled_t"])
    def test_of_two_it_is_the_two_sided_test_of_their_difference(self, gap, method):
        scores = scores_of(2, gap=gap)
        result = compare_scores(scores, adjustment="max_t", method=method)
        ranking = result.ranking()
        worse, better = ranking["estimator"][1], ranking["estimator"][0]
        expected = get_procedure(method)(scores[better] - scores[worse]).pvalue
        for level in (0.9, 0.95, 0.99):
            told = result.with_confidence(level)
            both = told[0].outcome == "not shown"
            assert told.best_set() == ((better, worse) if both else (better,))
            inside = told.ranking()["could_be_best"]
            assert inside.tolist() == [True, both]
            assert told.to_dict()[f"accuracy/{worse}/could_be_best"] is both
        assert ranking["p_best"][1] == pytest.approx(expected, rel=1e-12)
        assert ranking["p_best"][0] == 1

    def test_the_f_test_has_none(self):
        design = SplitDesign.from_sizes(
            50, 50, n_splits=10, levels=("repeat", "fold"), shape=(5, 2)
        )
        scores = CVScores(values=scores_of(3, 10).values, design=design, labels=tuple("abc"))
        result = compare_scores(scores, method="five_by_two_cv_f", adjustment="holm")
        with pytest.raises(ValueError, match="has no direction"):
            result.best_set()
        assert result.ranking()["p_best"].isna().all()
        chosen = compare_scores(scores, method="five_by_two_cv_f", reference="best")
        told = next(note for note in chosen.notes if note.code == "chosen reference")
        assert "best_set" not in str(told)

    def test_levels_and_metrics(self):
        result = compare_scores(scores_of(3), adjustment="max_t")
        with pytest.raises(ValueError, match=r"must be above 0\.5"):
            result.best_set(0.5)


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
    found = letters(different)
    columns = {}
    for k, written in enumerate(found):
        for letter in written:
            columns.setdefault(letter, set()).add(k)
    assert {frozenset(column) for column in columns.values()} == maximal_sets(different)
    in_order = [sorted(columns[letter]) for letter in sorted(columns)]
    assert in_order == sorted(in_order)  # by the best member, then the next


def test_too_many_letters():
    n = 40
    different = np.zeros((n, n), dtype=bool)
    for k in range(0, n, 2):  # twenty pairs that differ: 2^20 maximal sets
        different[k, k + 1] = different[k + 1, k] = True
    assert letters(different) is None


class TestAdjustments:
    def test_auto_is_what_the_method_allows(self):
        assert compare_scores(scores_of(3), adjustment="auto").adjustment == "max_t"
        design = SplitDesign.from_sizes(
            50, 50, n_splits=10, levels=("repeat", "fold"), shape=(5, 2)
        )
        scores = CVScores(values=scores_of(3, 10).values, design=design, labels=tuple("abc"))
        result = compare_scores(scores, method="five_by_two_cv_f", adjustment="auto")
        assert result.adjustment == "holm"
        with pytest.raises(ValueError, match=r"max_t.*covariance.*auto"):
            compare_scores(scores, method="five_by_two_cv_f", adjustment="max_t")

    def test_intervals_of_p_only_methods_are_called_unadjusted(self):
        result = compare_scores(scores_of(3), adjustment="holm")
        assert "intervals not" in result.adjusted()
        frame = result.to_frame()
        assert (frame["low"] == frame["low_unadjusted"]).all()
        joint = compare_scores(scores_of(3), adjustment="max_t")
        assert "p-values and intervals are adjusted" in joint.adjusted()
        frame = joint.to_frame()
        assert (frame["low"] < frame["low_unadjusted"]).all()


class TestNormalTails:
    """Statistics with the normal distribution, whose standard error is made of few squares."""

    TEST = ConservativeZTest(n_pairs=3)

    @classmethod
    @cache
    def measured(cls, n_estimators):
        X, y = np.zeros((100, 1)), np.arange(100) % 2
        models = {
            f"m{k}": DummyClassifier(strategy="uniform", random_state=k)
            for k in range(n_estimators)
        }
        cv = RepeatedSubsampleSplit(4, random_state=0)
        return compare_estimators(models, X, y, cv=cv, method=cls.TEST)

    def codes(self, n_estimators, **options):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = self.measured(n_estimators)
            if options:
                further = result.auxiliary_by_metric["accuracy"]
                result = compare_scores(
                    result.scores, auxiliary=further, method=self.TEST, **options
                )
        return {note.code for note in result.notes if note.category is AnticonservativeWarning}

    @pytest.mark.parametrize("adjustment", ["holm", "hochberg", "bonferroni", "bh", "by"])
    def test_pvalues_alone_are_too_small_in_a_family(self, adjustment):
        assert "normal tails" in self.codes(4, adjustment=adjustment)

    def test_no_word_where_nothing_is_amiss(self):
        assert "normal tails" not in self.codes(2, adjustment="holm")  # one comparison
        assert "normal tails" not in self.codes(4)  # max-t
        assert "normal tails" not in self.codes(4, adjustment="none")


def test_bonferroni_intervals_agree_where_the_level_is_tiny():
    values = 0.8 + 0.02 * np.random.default_rng(0).normal(size=(40, 15))
    values[0] += 0.5
    design = SplitDesign.from_sizes(90, 10, n_splits=15)
    names = tuple(f"m{k}" for k in range(40))
    scores = CVScores(values=values, design=design, labels=names, metric="accuracy")
    frame = compare_scores(scores, adjustment="bonferroni").to_frame(1 - 1e-13)
    critical = stats.t.isf(1e-13 / 780 / 2, 14)
    expected = (frame["difference"] - critical * frame["standard_error"]).tolist()
    assert frame["low"].tolist() == pytest.approx(expected)
    shown = frame["pvalue_adjusted"] <= 1e-13
    assert ((frame["low"] > 0) | (frame["high"] < 0)).tolist() == shown.tolist()
