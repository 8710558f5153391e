"""What adjusted p-values of max-t do not depend on, and the errors of those that are simulated."""

from functools import cache

import numpy as np
import pytest
from sklearn.metrics import make_scorer

import skcvstats as s
from skcvstats.comparison import JointInference

from .made import any_order, scores_of
from .max_t import draws_of, family_of, seeded_normals

LEVELS = np.linspace(0.0007, 0.9993, 37)
degenerate = pytest.mark.filterwarnings("ignore:.*do not vary", "ignore:.*does not vary")


def values_of(n_estimators, n_splits=15, seed=0, digits=12):
    return np.round(any_order(n_estimators, n_splits, seed=seed, skill=0.01), digits)


def compare_by_max_t(values, names=None, **options):
    return s.compare_scores(scores_of(values, names), adjustment="max_t", **options)


def smallest_pvalue(values):
    """Return the smallest adjusted p of all pairs, without what a whole result needs."""
    joint = JointInference(s.CorrectedResampledTTest(), scores_of(values))
    pairs = np.triu_indices(len(values), k=1)
    tests = joint.test(*pairs)
    return joint.max_t(*pairs, "two-sided").pvalues(tests).min()


@cache
def values_with_smallest_pvalue(wanted, n_estimators=4):
    """Return scores whose smallest adjusted p is about the one that is wanted, by bisection."""
    values = values_of(n_estimators)
    highest_other_mean = values[1:].mean(axis=1).max()
    low = 0.0
    high = 0.2
    for _ in range(20):
        lead = (low + high) / 2
        moved = values.copy()
        moved[0] += highest_other_mean + lead - values[0].mean()
        pvalue = smallest_pvalue(moved)
        if abs(pvalue - wanted) < 0.001:
            break
        if pvalue > wanted:
            low = lead
        else:
            high = lead
    return moved


def pair_tests(result):
    (tests,) = result.tests_by_metric.values()
    return tests


def answers(result, old_names=None):
    """Return the numbers of each pair, the p of being the best of each model, and the best set.

    `old_names` has the names to report in place of those in the result.
    """
    old_names = old_names or {}
    frame = result.to_frame(full=True)
    frame = frame.fillna({"low": -np.inf, "high": np.inf, "pvalue_adjusted": 1, "pvalue_error": 0})
    pairs = {}
    for row in frame.to_dict("records"):
        names = [row["estimator"], row["versus"]]
        pair = frozenset(old_names.get(name, name) for name in names)
        pairs[pair] = (row["pvalue_adjusted"], row["pvalue_error"], row["high"] - row["low"])
    best = {}
    for row in result.ranking().fillna({"pvalue_best": -1}).to_dict("records"):
        best[old_names.get(row["estimator"], row["estimator"])] = row["pvalue_best"]
    best_set = {old_names.get(name, name) for name in result.best_set()}
    return pairs, best, best_set


@degenerate
class TestNothingDependsOnNamesAndOrder:
    @pytest.mark.parametrize(
        ("n", "digits", "has_twins", "reference"),
        [
            (3, 2, True, None),
            (5, 12, False, "m0"),
            (11, 12, False, None),
            (12, 2, True, "m0"),
            (60, 12, False, None),
        ],
    )
    def test_answers_for_scores_on_splits_are_equal(self, n, digits, has_twins, reference):
        values = values_of(n, digits=digits)
        if has_twins:
            values[2] = values[1]
        expected = compare_by_max_t(values, reference=reference)

        order = np.random.RandomState(0).permutation(n)
        new_names = {f"m{k}": f"z{n - k}" for k in range(n)}
        result = compare_by_max_t(
            values[order],
            [new_names[f"m{k}"] for k in order],
            reference=new_names.get(reference),
        )
        old_names = {new: old for old, new in new_names.items()}
        assert answers(result, old_names) == answers(expected)

    @pytest.mark.parametrize(
        ("scoring", "has_twins"), [("roc_auc", True), ("neg_brier_score", False), ("f1", True)]
    )
    def test_answers_for_models_on_a_test_set_are_equal(self, scoring, has_twins):
        random = np.random.RandomState(0)
        y = random.randint(0, 2, 120)
        models = {f"m{k}": np.round((0.4 * y + random.rand(120)) / 1.4, 2) for k in range(4)}
        if scoring == "f1":
            models = {name: (values > 0.5).astype(int) for name, values in models.items()}
        if has_twins:
            models["m2"] = models["m1"]
        expected = s.compare_predictions(y, models, scoring=scoring)

        new_names = {"m0": "c", "m1": "d", "m2": "a", "m3": "b"}
        renamed = {new_names[name]: models[name] for name in ("m3", "m1", "m0", "m2")}
        result = s.compare_predictions(y, renamed, scoring=scoring)
        old_names = {new: old for old, new in new_names.items()}

        pairs, best, best_set = answers(result, old_names)
        expected_pairs, expected_best, expected_set = answers(expected)
        assert best_set == expected_set
        # Sums over the rows of several models round in their order.
        assert best == pytest.approx(expected_best, rel=1e-12)
        assert pairs.keys() == expected_pairs.keys()
        for pair, numbers in expected_pairs.items():
            assert pairs[pair] == pytest.approx(numbers, rel=1e-12)


@pytest.mark.parametrize(
    "change",
    [lambda values: values[:, ::-1], lambda values: values + np.linspace(-1, 1, 15) ** 3],
    ids=["the order of splits", "what all gain in a split"],
)
def test_nothing_depends_on_the_order_of_splits_or_what_all_gain_in_one(change):
    values = values_of(5)
    expected = compare_by_max_t(values).to_frame(full=True)
    frame = compare_by_max_t(change(values)).to_frame(full=True)
    for name in ("pvalue_adjusted", "low", "high"):
        # A simulated maximum may come to lie on the other side of a statistic by rounding.
        np.testing.assert_allclose(frame[name], expected[name], rtol=2e-3, atol=1e-9)


@degenerate
def test_negative_zero_is_zero():
    values = values_of(3) - 0.8
    values[0] = 0.0
    values[1] = -0.0
    signed = answers(compare_by_max_t(values))
    values[1] = 0.0
    assert signed == answers(compare_by_max_t(values))


class TestNumberOfDraws:
    @pytest.mark.parametrize(("n", "n_draws"), [(4, 49_999), (30, 49_999), (31, 19_999)])
    def test_more_than_30_estimators_have_fewer_draws(self, n, n_draws):
        assert len(pair_tests(compare_by_max_t(values_of(n))).family.maxima) == n_draws

    @pytest.mark.parametrize("reference", [None, "m0"])
    def test_errors_of_few_estimators_are_those_of_shares(self, reference):
        result = compare_by_max_t(values_with_smallest_pvalue(0.03), reference=reference)
        frame = result.to_frame(full=True)
        pvalues = frame["pvalue_adjusted"]
        errors = frame["pvalue_error"]
        is_simulated = errors > 0
        assert is_simulated.any()
        expected = np.sqrt(pvalues * (1 - pvalues) / 50_000)
        np.testing.assert_allclose(errors[is_simulated], expected[is_simulated], rtol=1e-12)

    def test_all_levels_and_margins_have_the_same_draws(self):
        result = compare_by_max_t(values_with_smallest_pvalue(0.05))
        pvalues = result.to_frame(full=True)["pvalue_adjusted"]
        _, best, _ = answers(result)
        for level in (0.9, 0.95, 0.99, 1 - pvalues.min()):
            at_level = result.with_confidence(level)
            loaded = s.ComparisonResult.from_json(at_level.to_json())
            with_margin = at_level.with_margin(0.01)
            for other in (at_level, loaded, with_margin):
                assert answers(other)[1] == best
                assert other.to_frame(full=True)["pvalue_adjusted"].tolist() == pvalues.tolist()

    def test_intervals_at_the_level_of_a_pvalue_exclude_zero_where_p_is_at_most_that(self):
        result = compare_by_max_t(values_with_smallest_pvalue(0.03))
        p = result.to_frame(full=True)["pvalue_adjusted"].min()
        frame = result.to_frame(1 - p, full=True)
        excludes_zero = (frame["low"] > 0) | (frame["high"] < 0)
        assert (excludes_zero == (frame["pvalue_adjusted"] <= p * (1 + 1e-9))).all()


class TestSharedCovariances:
    """With more than ten estimators, some draws have one covariance."""

    def test_the_error_is_that_of_the_mean_of_blocks(self):
        rng = np.random.default_rng(0)
        maxima = rng.normal(size=(200, 1)) + rng.normal(size=(200, 5))
        family = family_of(maxima.ravel(), 3, 14, n_shared=5)
        for n_beyond in (5, 50, 400, 900):
            limit = np.sort(maxima, axis=None)[-n_beyond]
            p = float(family.tail(np.array(limit)))
            assert p == (1 + n_beyond) / 1001
            ratio = family.error_of(p) / np.sqrt(p * (1 - p) / 1001)

            block_shares = (maxima >= limit).mean(axis=1)
            block_error = block_shares.std(ddof=1) / np.sqrt(200)
            share = block_shares.mean()
            separate_error = np.sqrt(share * (1 - share) / 1000)
            assert ratio == pytest.approx(max(1, block_error / separate_error), rel=1e-12)
        assert np.isnan(family.error_of(np.array([np.nan, 0.5]))).tolist() == [True, False]

    @pytest.mark.calibration
    @pytest.mark.parametrize("n_squares", [4, 14, 60])
    @pytest.mark.parametrize("correlation", [0.0, 0.6])
    def test_the_law_is_that_of_separate_draws_and_errors_are_right(self, n_squares, correlation):
        n_estimators = 12
        pairs = np.triu_indices(n_estimators, k=1)
        covariance = correlation + (1 - correlation) * np.eye(n_estimators)
        factor = np.linalg.cholesky(covariance)
        separate = draws_of(factor, n_squares, n_draws=200_000).maxima(*pairs, "two-sided")
        families = []
        for seed in range(40):
            draws = draws_of(
                factor,
                n_squares,
                n_draws=4999,
                n_shared=min(20, n_squares),
                source=seeded_normals(seed),
            )
            families.append(draws.family(66, draws.maxima(*pairs, "two-sided")))
        for level in (0.2, 0.05, 0.01):
            limit = np.quantile(separate, 1 - level)
            pvalues = np.array([float(family.tail(limit)) for family in families])
            spread = pvalues.std(ddof=1)
            error = np.hypot(spread / np.sqrt(40), np.sqrt(level / 200_000))
            assert pvalues.mean() == pytest.approx(level, abs=4 * error)
            reported_errors = [
                family.error_of(p) for family, p in zip(families, pvalues, strict=True)
            ]
            # three errors of a spread of 40
            assert 0.68 < spread / np.mean(reported_errors) < 1.4


def f1_of_labels(y, predicted):
    return 2 * np.sum(y * predicted) / (np.sum(y) + np.sum(predicted))


QUICK_F1 = make_scorer(f1_of_labels)  # without scikit-learn's checks in thousands of replicates


@cache
def compare_by_bootstrap(seed, alternative):
    random = np.random.RandomState(seed)
    y = (random.rand(60) < 0.4).astype(int)
    ease = random.rand(60)
    models = {}
    for k in range(4):
        is_right = ease + random.rand(60) < 1.1 + 0.08 * k
        models[f"m{k}"] = np.where(is_right, y, 1 - y)
    return s.compare_predictions(
        y,
        models,
        reference=None if alternative == "two-sided" else "m0",
        alternative=alternative,
        scoring=QUICK_F1,
        method="bootstrap",
        margin=0.1,
    )


class TestBootstrap:
    @pytest.mark.parametrize("level", [0.8, 0.95])
    def test_what_is_significantly_worse_is_not_in_the_best_set(self, level):
        result = compare_by_bootstrap(0, "two-sided").with_confidence(level)
        significant = [pair for pair in result if pair.pvalue_adjusted <= pair.alpha]
        assert significant
        for pair in significant:
            worse = pair.versus if pair.test.estimate > 0 else pair.estimator
            assert worse not in result.best_set()

    @pytest.mark.parametrize(
        ("seed", "alternative"), [(0, "two-sided"), (1, "less"), (1, "greater")]
    )
    def test_adjusting_never_makes_a_pvalue_smaller_or_an_interval_shorter(self, seed, alternative):
        tests = pair_tests(compare_by_bootstrap(seed, alternative))
        assert (tests.pvalues_adjusted >= tests.inference.pvalue).all()
        for alpha in LEVELS:
            low, high = tests.family.intervals(tests.inference, 1 - alpha)
            unadjusted = tests.inference.confidence_interval(1 - alpha)
            assert (low <= unadjusted.low).all()
            assert (high >= unadjusted.high).all()

    @pytest.mark.parametrize(
        ("seed", "alternative"), [(0, "two-sided"), (1, "less"), (1, "greater")]
    )
    def test_intervals_agree_with_pvalues_at_every_level(self, seed, alternative):
        tests = pair_tests(compare_by_bootstrap(seed, alternative))
        margins = tests.margin_pvalues
        for alpha in LEVELS:
            low, high = tests.family.intervals(tests.inference, 1 - alpha)
            excludes_zero = (low > 0) | (high < 0)
            np.testing.assert_array_equal(excludes_zero, tests.pvalues_adjusted <= alpha)
            for pvalues, is_beyond in (
                (margins.better_by_more, low > 0.1),
                (margins.not_worse, low > -0.1),
                (margins.worse_by_more, high < -0.1),
                (margins.not_better, high < 0.1),
            ):
                is_tested = ~np.isnan(pvalues)
                np.testing.assert_array_equal(is_beyond[is_tested], pvalues[is_tested] <= alpha)
