"""What chance, names and order have to do with adjusted p-values: nothing, or as little as said."""

from functools import cache, partial

import numpy as np
import pytest

import skcvstats as s
from skcvstats._utils._text import format_pvalue
from skcvstats.comparison import JointInference
from skcvstats.comparison._comparison import MaxT
from skcvstats.comparison._joint import Draws, standard_normals

from .made import any_order, scores_of

LEVELS = np.linspace(0.0007, 0.9993, 37)
degenerate = pytest.mark.filterwarnings("ignore:.*do not vary", "ignore:.*does not vary")


def values_of(n_estimators, n_splits=15, seed=0, digits=12):
    return np.round(any_order(n_estimators, n_splits, seed=seed, skill=0.01), digits)


def joint_of(values):
    return JointInference(s.CorrectedResampledTTest(), scores_of(values))


@cache
def with_p(wanted, n_estimators=4, seed=0):
    """Return scores of which the smallest adjusted p is about this."""
    values = values_of(n_estimators, seed=seed)
    low, high = 0.0, 0.2
    for _ in range(20):
        middle = (low + high) / 2
        moved = values.copy()
        moved[0] += middle - values[0].mean() + values[1:].mean(axis=1).max()
        joint, pairs = joint_of(moved), np.triu_indices(n_estimators, k=1)
        answer = joint.procedure.run(joint.scores.differences(*pairs))
        p = joint.max_t(*pairs, "two-sided").pvalues(answer).min()
        if abs(p - wanted) < 0.001:
            break
        low, high = (middle, high) if p > wanted else (low, middle)
    return moved


def the_tests(result):
    (tests,) = result.tests_by_metric.values()
    return tests


def n_draws(result):
    return len(the_tests(result).family.maxima)


def answers(result, names=None):
    """Return all that is decided, by names that `names` translates."""
    names = names or {}
    ranking = result.ranking()
    told = [names.get(name, name) for name in ranking["estimator"]]
    pairs = {}
    given = {"low": -np.inf, "high": np.inf, "pvalue_adjusted": 1.0, "pvalue_error": 0.0}
    for row in result.to_frame().fillna(given).to_dict("records"):
        pair = frozenset(names.get(row[who], row[who]) for who in ("estimator", "versus"))
        pairs[pair] = (row["pvalue_adjusted"], row["pvalue_error"], row["high"] - row["low"])
    best = dict(zip(told, ranking["pvalue_best"].fillna(-1), strict=True))
    return pairs, best, {names.get(name, name) for name in result.best_set()}


@degenerate
class TestNamesAndOrder:
    """Renamed and permuted, the answer is the same."""

    @pytest.mark.parametrize(
        ("n", "digits", "twins", "reference"),
        [
            (3, 2, True, None),
            (5, 12, False, "m0"),
            (11, 12, False, None),
            (12, 2, True, "m0"),
            (60, 12, False, None),
        ],
    )
    def test_scores_on_splits(self, n, digits, twins, reference):
        values = values_of(n, digits=digits)
        values[2] = values[1] if twins else values[2]
        order = np.random.RandomState(0).permutation(n)
        new = {f"m{k}": f"z{n - k}" for k in range(n)}
        again = scores_of(values[order], [new[f"m{k}"] for k in order])
        result = s.compare_scores(again, adjustment="max_t", reference=new.get(reference))
        expected = s.compare_scores(scores_of(values), adjustment="max_t", reference=reference)
        back = {other: name for name, other in new.items()}
        assert answers(result, back) == answers(expected)

    @pytest.mark.parametrize(
        ("scoring", "twins"), [("roc_auc", True), ("neg_brier_score", False), ("f1", True)]
    )
    def test_models_on_a_test_set(self, scoring, twins):
        random = np.random.RandomState(0)
        y = random.randint(0, 2, 120)
        given = {f"m{k}": np.round((0.4 * y + random.rand(120)) / 1.4, 2) for k in range(4)}
        if scoring == "f1":
            given = {name: (values > 0.5).astype(int) for name, values in given.items()}
        given["m2"] = given["m1"] if twins else given["m2"]
        new = {"m0": "c", "m1": "d", "m2": "a", "m3": "b"}
        again = {new[name]: given[name] for name in ("m3", "m1", "m0", "m2")}
        result = s.compare_predictions(y, again, scoring=scoring)
        back = {other: name for name, other in new.items()}
        expected = s.compare_predictions(y, given, scoring=scoring)
        for found, wanted in zip(answers(result, back), answers(expected), strict=True):
            if isinstance(wanted, set):
                assert found == wanted
            else:  # sums over the rows of several models round in their order
                assert found.keys() == wanted.keys()
                for key, numbers in wanted.items():
                    assert found[key] == pytest.approx(numbers, rel=1e-12)

    @pytest.mark.parametrize(
        "change",
        [lambda values: values[:, ::-1], lambda values: values + np.linspace(-1, 1, 15) ** 3],
        ids=["the order of splits", "what all gain in a split"],
    )
    def test_what_does_not_matter(self, change):
        values = values_of(5)
        both = map(scores_of, (values, change(values)))
        one, other = (s.compare_scores(of, adjustment="max_t").to_frame() for of in both)
        for name in ("pvalue_adjusted", "low", "high"):
            # A simulated maximum may come to lie on the other side of a statistic by rounding.
            np.testing.assert_allclose(one[name], other[name], rtol=2e-3, atol=1e-9)

    def test_negative_zero_is_zero(self):
        values = values_of(3) - 0.8
        values[0], values[1] = 0.0, -0.0
        assert len(set(the_tests(s.compare_scores(scores_of(values))).joint.places)) == 2


class TestNumberOfDraws:
    """As many for all levels and margins."""

    @pytest.mark.parametrize(("n", "n_drawn"), [(4, 49_999), (30, 49_999), (31, 19_999)])
    def test_by_the_number_of_estimators(self, n, n_drawn):
        result = s.compare_scores(scores_of(values_of(n)), adjustment="max_t")
        assert n_draws(result) == n_drawn

    @pytest.mark.parametrize("reference", [None, "m0"])
    def test_errors_of_few_estimators_are_those_of_shares(self, reference):
        result = s.compare_scores(scores_of(with_p(0.03)), reference=reference, adjustment="max_t")
        pvalues, error = result.to_frame()["pvalue_adjusted"], the_tests(result).pvalue_errors
        drawn = error > 0
        expected = np.sqrt(pvalues * (1 - pvalues) / 50_000)
        np.testing.assert_allclose(error[drawn], expected[drawn], rtol=1e-12)
        assert drawn.any()

    def test_the_p_is_the_same_at_all_levels_and_with_a_margin(self):
        result = s.compare_scores(scores_of(with_p(0.05)), adjustment="max_t")
        p = result.to_frame()["pvalue_adjusted"].min()
        for level in (0.9, 0.95, 0.99, 1 - p):
            told = result.with_confidence(level)
            again = s.ComparisonResult.from_json(told.to_json())
            for one in (told, again, told.with_margin(0.01)):
                assert answers(one)[1] == answers(result)[1]
                both = (it.to_frame()["pvalue_adjusted"].tolist() for it in (one, result))
                assert next(both) == next(both)

    def test_intervals_at_a_p_value(self):
        result = s.compare_scores(scores_of(with_p(0.03)), adjustment="max_t")
        p = result.to_frame()["pvalue_adjusted"].min()
        frame = result.to_frame(1 - p)
        shown = (frame["low"] > 0) | (frame["high"] < 0)
        assert (shown == (frame["pvalue_adjusted"] <= p * (1 + 1e-9))).all()


class TestSharedCovariances:
    """Of more than ten estimators some draws have one covariance."""

    def test_the_error_is_that_of_the_mean_of_blocks(self):
        rng = np.random.default_rng(0)
        maxima = rng.normal(size=(200, 1)) + rng.normal(size=(200, 5))
        family = MaxT(3, maxima.ravel(), 14, 5)
        for n_beyond in (5, 50, 400, 900):
            limit = np.sort(maxima, axis=None)[-n_beyond]
            shares = (maxima >= limit).mean(axis=1)
            p = float(family.tail(np.array(limit)))
            assert p == (1 + n_beyond) / 1001
            found = family.error_of(p) / np.sqrt(p * (1 - p) / 1001)
            separate = np.sqrt(shares.mean() * (1 - shares.mean()) / 1000)
            wanted = max(1, shares.std(ddof=1) / np.sqrt(200) / separate)
            assert found == pytest.approx(wanted, rel=1e-12)
        assert np.isnan(family.error_of(np.array([np.nan, 0.5]))).tolist() == [True, False]

    @pytest.mark.calibration
    @pytest.mark.parametrize("n_squares", [4, 14, 60])
    @pytest.mark.parametrize("correlation", [0.0, 0.6])
    def test_law_and_errors_against_separate_draws(self, n_squares, correlation):
        n = 12
        factor = np.linalg.cholesky(correlation + (1 - correlation) * np.eye(n))
        pairs, (first, second) = ~np.eye(n, dtype=bool), np.triu_indices(n, k=1)
        alone = Draws(factor, n_squares, pairs, 200_000, 1)
        separate = alone.maxima(first, second, "two-sided")
        shared = []
        for seed in range(40):
            source = partial(standard_normals, seed=seed)
            draws = Draws(factor, n_squares, pairs, 4999, min(20, n_squares), source)
            shared.append(draws.family(66, draws.maxima(first, second, "two-sided")))
        for level in (0.2, 0.05, 0.01):
            limit = np.quantile(separate, 1 - level)
            found = np.array([float(family.tail(limit)) for family in shared])
            spread = found.std(ddof=1)
            error = np.hypot(spread / np.sqrt(40), np.sqrt(level / 200_000))
            assert found.mean() == pytest.approx(level, abs=4 * error)
            said = np.mean([family.error_of(p) for family, p in zip(shared, found, strict=True)])
            assert 0.68 < spread / said < 1.4  # three errors of a spread of 40


@pytest.mark.parametrize(
    ("p", "error", "text"),
    [
        (0.0473, 0.0015, "0.047"),
        (0.04969, 0.0005, "0.0497"),  # on its side of .05
        (0.0501, 0.0005, "0.0501"),
        (0.3123, 0.0033, "0.31"),
        (0.00125, 0.0, "0.00125"),
        (0.050001, 0.0, "0.050001"),
    ],
)
def test_digits_that_are_printed(p, error, text):
    assert format_pvalue(p, error=error) == f"= {text}"


def noisy_models(n_rows, n_models, seed):
    random = np.random.RandomState(seed)
    y = (random.rand(n_rows) < 0.4).astype(int)
    base = random.rand(n_rows)
    right = [base + random.rand(n_rows) < 1.1 + 0.08 * k for k in range(n_models)]
    return y, {f"m{k}": np.where(hit, y, 1 - y) for k, hit in enumerate(right)}


class TestBootstrap:
    @pytest.mark.parametrize(("seed", "side"), [(0, "two-sided"), (1, "less"), (1, "greater")])
    def test_never_below_the_p_alone_and_the_interval_agrees(self, seed, side):
        y, given = noisy_models(60, 4, seed)
        reference = None if side == "two-sided" else "m0"
        options = {"reference": reference, "alternative": side}
        options |= {"scoring": "f1", "method": "bootstrap", "margin": 0.1}
        result = s.compare_predictions(y, given, **options)
        for told in map(result.with_confidence, (0.8, 0.95) if reference is None else ()):
            shown_worse = {"above": "versus", "below": "estimator"}
            worse = {getattr(p, shown_worse[p.outcome]) for p in told if p.outcome in shown_worse}
            assert not worse & set(told.best_set())
        tests = the_tests(result)
        assert (tests.pvalues_adjusted >= tests.inference.pvalue).all()
        for alpha in LEVELS:
            low, high = tests.family.intervals(tests.inference, 1 - alpha)
            own = tests.inference.confidence_interval(1 - alpha)
            assert (low <= own.low).all()
            assert (high >= own.high).all()
            shown = (low > 0) | (high < 0)
            np.testing.assert_array_equal(shown, tests.pvalues_adjusted <= alpha)
            margins = tests.margin_pvalues
            better = (margins.better_by_more, low > 0.1), (margins.not_worse, low > -0.1)
            worse = (margins.worse_by_more, high < -0.1), (margins.not_better, high < 0.1)
            for found, ends in (*better, *worse):
                asked = ~np.isnan(found)
                np.testing.assert_array_equal(ends[asked], found[asked] <= alpha)
