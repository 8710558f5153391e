"""Adjusted p-values, within a metric and over metrics; the better minus the worse."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from sklearn.naive_bayes import GaussianNB

import skcvstats as s
from skcvstats.comparison import compare
from skcvstats.scores import RowScores
from skcvstats.stats import adjust_pvalues, corrected_resampled_ttest
from skcvstats.stats._adjustment import deciding_level
from tests.conftest import golden_cases
from tests.data import iris

from . import made

# R also has Hommel's method; statsmodels Sidak's. They are not offered: Holm serves without the
# assumptions of either.
R_NAMES = {
    "holm": "holm", "hochberg": "hochberg", "bonferroni": "bonferroni", "BH": "bh", "BY": "by",
    "none": "none",
}  # fmt: skip
STATSMODELS_NAMES = {
    "holm": "holm", "simes-hochberg": "hochberg", "bonferroni": "bonferroni", "fdr_bh": "bh",
    "fdr_by": "by",
}  # fmt: skip
BY_R = [one for one in golden_cases("baseR_p_adjust") if one["inputs"]["method"] in R_NAMES]


@pytest.mark.parametrize("case", BY_R, ids=lambda case: case["id"])
def test_against_r(case):
    adjusted = adjust_pvalues(case["inputs"]["p"], R_NAMES[case["inputs"]["method"]])
    np.testing.assert_allclose(adjusted, np.ravel(case["outputs"]["adjusted"]), rtol=1e-12)


@pytest.mark.parametrize("theirs", STATSMODELS_NAMES)
@pytest.mark.parametrize("k", range(3))
def test_against_statsmodels(k, theirs):
    case = golden_cases("statsmodels_multipletests")[k]
    adjusted = adjust_pvalues(case["inputs"]["p"], STATSMODELS_NAMES[theirs])
    np.testing.assert_allclose(adjusted, case["outputs"][theirs], rtol=1e-12)


def test_an_unadjusted_test_decides_at_the_level_itself_and_no_pvalues_give_none():
    assert adjust_pvalues([]).size == 0
    assert deciding_level(np.array([0.2, 0.3]), "none", 0, 0.05) == pytest.approx(0.05, rel=1e-12)


def test_notes_are_of_the_pairs_concerned():
    """The fits of c alone differ, far more than its rows explain."""
    rng = np.random.default_rng(0)
    y, folds = rng.normal(size=200), np.array([rng.permutation(200) % 5 for _ in range(2)])
    models = {name: y + rng.normal(size=(2, 200)) for name in "abc"}
    models["c"] = models["c"] + 3 * np.take_along_axis(rng.normal(size=(2, 5)), folds, axis=1)
    scoring = "neg_mean_absolute_error"
    guarded = s.compare_out_of_fold(y, models, folds=folds, scoring=scoring, margin=0.2)
    with_c = ["c" in (pair.estimator, pair.versus) for pair in guarded]
    assert sorted(with_c) == [False, True, True]
    told = guarded.to_frame()["note"]
    for pair, concerned, note in zip(guarded, with_c, told, strict=True):
        for notes in (pair.notes, pair.test.notes):
            assert ("fits differ" in {note.code for note in notes}) == concerned
        assert ("small margin" in {note.code for note in pair.notes}) == concerned
        assert note == "; ".join(map(str, pair.notes))
        assert "of 3 " not in note
    text = " ".join(map(str, guarded.notes))
    assert "in 2 of 3 tests, the fits differ" in text
    assert "in 2 of 3 comparisons (" in text
    assert "that that" not in text


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_one_sided_comparisons_say_so(alternative):
    noise = np.random.default_rng(0).normal(0, 0.001, (3, 10))
    scores = made.scores_of(np.array([[1], [0.9], [0.8]]) + noise, "abc")
    result = s.compare_scores(scores, alternative=alternative, reference="b")
    assert "for 2 one-sided comparisons" in " ".join(str(result).split())
    outcomes = {pair.estimator: pair.outcome for pair in result}
    shown = ("higher", "not significant", "lower")
    shown = shown[:2] if alternative == "greater" else shown[1:]
    assert (outcomes["a"], outcomes["c"]) == shown


MARGIN = (-0.01, 0.03)


def scores_of(seed=0, n=5, names="abcde", metric="accuracy"):
    rng = np.random.default_rng(seed)
    means = rng.permutation([0.7, 0.702, 0.72, 0.75, 0.85])[:n]
    base = rng.normal(0, 0.05, 15)
    values = means[:, None] + base + rng.normal(0, 0.01, (n, 15))
    return made.scores_of(values, names[:n], metric)


def reversed_order(scores):
    return made.scores_of(scores.values[::-1], scores.labels[::-1])


@pytest.mark.parametrize(("seed", "adjustment"), [(0, "max_t"), (1, "holm"), (2, "none")])
def test_each_pair_is_the_better_minus_the_worse(seed, adjustment):
    scores = scores_of(seed)
    means = dict(zip(scores.labels, scores.values, strict=True))
    result = s.compare_scores(scores, adjustment=adjustment)
    assert len(result) == 10
    if adjustment != "max_t":
        expected = adjust_pvalues([pair.test.pvalue for pair in result], adjustment)
        np.testing.assert_allclose([pair.pvalue_adjusted for pair in result], expected)
    for pair, row in zip(result, result.to_frame().itertuples(), strict=True):
        difference = means[pair.estimator] - means[pair.versus]
        alone = corrected_resampled_ttest(difference, n_train=90, n_test=10)
        for name in ("estimate", "statistic", "pvalue"):
            assert getattr(pair.test, name) == pytest.approx(getattr(alone, name), rel=1e-10)
        assert difference.mean() >= 0
        assert pair.score == pytest.approx(means[pair.estimator].mean())
        assert (row.estimator, row.versus) == (pair.estimator, pair.versus)
        assert row.difference == pair.test.estimate
        assert pair.outcome in ("higher", "not significant")


def test_else_the_order_given_stays():
    scores, shifted = scores_of(n=2), s.CorrectedResampledTTest(null_value=0.02)
    for given in (scores, reversed_order(scores)):
        for options in ({"alternative": "greater"}, {"method": shifted}):
            (pair,) = s.compare_scores(given, reference="a", **options)
            assert (pair.estimator, pair.versus) == ("b", "a")
    same = made.scores_of(np.tile(scores.values[:1], (2, 1)), "ab")
    with pytest.warns(match="do not vary"):
        (pair,) = s.compare_scores(same)
    assert (pair.estimator, pair.versus) == ("a", "b")


def evidence(pair):
    shown = {
        name: getattr(pair.margin_pvalues, name)
        for name in ("better_by_more", "worse_by_more", "not_worse", "not_better", "equivalent")
    }
    return [pair.outcome, pair.margin, pair.pvalue_adjusted, str(shown), str(pair)]


@pytest.mark.parametrize(("seed", "adjustment"), [(0, "bonferroni"), (1, "holm"), (2, "none")])
def test_bounds_are_turned_with_their_pair(seed, adjustment):
    """With the models in the other order the mirrored margin says the same of each pair."""
    scores = scores_of(seed)
    options = {"adjustment": adjustment}
    here = s.compare_scores(scores, margin=MARGIN, **options)
    there = s.compare_scores(reversed_order(scores), margin=(-0.03, 0.01), **options)
    found = {(pair.estimator, pair.versus): pair for pair in there}
    assert {pair.margin for pair in here} == {MARGIN, (-0.03, 0.01)}
    told = here.to_dict()
    for pair, row in zip(here, here.to_frame().itertuples(), strict=True):
        key = f"accuracy/{pair.estimator} - {pair.versus}"
        assert (row.margin_low, row.margin_high) == pair.margin
        assert (told[f"{key}/margin_low"], told[f"{key}/margin_high"]) == pair.margin
        turned = scores.labels.index(pair.estimator) > scores.labels.index(pair.versus)
        assert pair.margin == ((-0.03, 0.01) if turned else MARGIN)
        assert evidence(pair) == evidence(found[pair.estimator, pair.versus])
    after = s.compare_scores(scores, **options).with_margin(MARGIN)
    assert [evidence(pair) for pair in after] == [evidence(pair) for pair in here]


def test_metrics_are_turned_each_by_itself():
    scores = scores_of(0, n=2, metric="auc")
    flipped = made.scores_of(1 - scores.values, "ab", "f1")
    result = s.compare_scores({"auc": scores, "f1": flipped})
    assert {(pair.estimator, pair.versus) for pair in result} == {("a", "b"), ("b", "a")}
    assert [pair.outcome for pair in result] == ["higher", "higher"]


J, NAMES = 12, ("a", "b", "c")
DESIGN = s.SplitDesign.from_sizes(90, 10, n_splits=J)
X, Y = iris()[0], (iris()[1] == 2).astype(int)
MODELS = {name: GaussianNB(var_smoothing=v) for name, v in zip(NAMES, (1e-9, 0.2, 2), strict=True)}
NONE = {"reference": None, "adjustment": "auto", "margin": None}


def scores_of_two_metrics(seed=0, shift=0.0, names=NAMES):
    """Return scores in two metrics, of which the noise of a split is partly the same."""
    rng = np.random.default_rng(seed)
    noise = rng.standard_normal((len(names), J))
    values = {"one": noise, "two": 100 * (0.8 * noise + rng.standard_normal((len(names), J)))}
    values["one"][0] += shift
    known = {"design": DESIGN, "labels": names}
    return {k: s.CVScores(values=found, metric=k, **known) for k, found in values.items()}


def together(scores, **options):
    return s.compare_scores(scores, adjust_over="metrics", **options)


def simulated_maxima(values, n_draws, rng):
    """Draw max |t| over the pairs of each metric, by the formula, one step after the other."""
    factor, roots = np.sqrt((1 / J + 10 / 90) / (J - 1)), []
    for found in values:
        root = factor * (found - found.mean(axis=1, keepdims=True))
        root = root - root.mean(axis=0)
        roots.append(root / np.abs(root).max())
    F = np.concatenate(roots)
    n, nu = len(F), J - 1
    S = F @ F.T
    S = np.where(np.eye(n) > 0, S, S * nu / (n + nu))
    R = np.linalg.cholesky(S)
    pairs = [
        (start + a, start + b)
        for start in np.arange(len(values)) * len(values[0])
        for a, b in itertools.combinations(range(len(values[0])), 2)
    ]
    Q = np.zeros((len(pairs), n))
    for k, (a, b) in enumerate(pairs):
        Q[k, a], Q[k, b] = 1, -1
    maxima = np.empty(n_draws)
    for k in range(n_draws):
        z, G = rng.standard_normal(n), rng.standard_normal((nu, n))
        C = Q @ R
        maxima[k] = np.max(np.abs(C @ z) / np.sqrt(np.einsum("qi,ij,qj->q", C, G.T @ G / nu, C)))
    return maxima


@pytest.mark.parametrize("seed", range(3))
def test_pvalues_are_those_of_a_plain_simulation(seed):
    scores = scores_of_two_metrics(seed)
    frame = together(scores).to_frame()
    n_draws = 20_000
    values = [part.values for part in scores.values()]
    maxima = simulated_maxima(values, n_draws, np.random.default_rng(seed))
    expected = [(maxima >= abs(t)).mean() for t in frame["statistic"]]
    bonferroni = np.minimum(1, 6 * frame["pvalue"])
    expected = np.minimum(bonferroni, np.maximum(expected, frame["pvalue"]))
    # five standard errors of either simulation
    allowed = 5 * np.sqrt(expected * (1 - expected) * (1 / n_draws + 1 / 19_999)) + 1e-12
    assert (np.abs(frame["pvalue_adjusted"] - expected) <= allowed).all()
    assert set(frame["adjusted_over"]) == {"pairs and metrics"}
    within = s.compare_scores(scores).to_frame()
    assert (frame["pvalue_adjusted"] >= within["pvalue_adjusted"]).all()
    assert (frame["pvalue_adjusted"] > within["pvalue_adjusted"]).sum() > 2
    assert set(within["adjusted_over"]) == {"pairs"}


@pytest.mark.parametrize("adjustment", ["max_t", "bonferroni"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_verdicts_and_intervals_agree(adjustment, alternative):
    how = {"adjustment": adjustment, "alternative": alternative, "margin": 1.5}
    if alternative != "two-sided":
        how["reference"] = NAMES[0]
    for seed in range(3):
        result = together(scores_of_two_metrics(seed, shift=1.0), **how)
        for comparison in result:
            low, high = comparison.family.intervals(comparison.test, 0.95)
            assert (comparison.pvalue_adjusted <= 0.05) == (low > 0 or high < 0)
    frame = result.to_frame()
    if adjustment == "bonferroni":
        n = 6 if alternative == "two-sided" else 4
        assert frame["pvalue_adjusted"].tolist() == np.minimum(1, n * frame["pvalue"]).tolist()


def holm(pvalues):
    order = np.argsort(pvalues)
    found = np.empty(len(pvalues))
    found[order] = np.maximum.accumulate(np.sort(pvalues) * np.arange(len(pvalues), 0, -1))
    return np.minimum(found, 1)


@pytest.mark.parametrize("adjustment", ["holm", "bh"])
def test_pvalues_alone_are_adjusted_in_one_list(adjustment):
    adjusted = {"holm": holm, "bh": stats.false_discovery_control}[adjustment]
    result = together(scores_of_two_metrics(1, shift=2.0), adjustment=adjustment, margin=2.0)
    frame = result.to_frame()
    assert frame["pvalue_adjusted"].to_numpy() == pytest.approx(adjusted(frame["pvalue"]))
    t, error = frame["difference"], frame["standard_error"]
    lower = stats.t.sf((t + 2) / error, J - 1), stats.t.cdf((t - 2) / error, J - 1)
    expected = adjusted(np.max(lower, axis=0))
    assert frame["pvalue_equivalent"].to_numpy() == pytest.approx(expected, rel=1e-9)


def test_metrics_that_are_equal_up_to_a_factor_and_a_constant_count_once():
    one = scores_of_two_metrics()["one"]
    again = s.CVScores(values=5 - 3 * one.values, design=DESIGN, labels=NAMES, metric="two")
    alone, both = s.compare_scores(one).to_frame(), together({"one": one, "two": again}).to_frame()
    found = both[both["metric"] == "one"]["pvalue_adjusted"]
    assert found.tolist() == alone["pvalue_adjusted"].tolist()
    found = both[both["metric"] == "two"]["pvalue_adjusted"]
    assert sorted(found) == pytest.approx(sorted(alone["pvalue_adjusted"]))
    holm = together({"one": one, "two": again}, adjustment="holm").to_frame()["pvalue_adjusted"]
    alone = s.compare_scores(one, adjustment="holm").to_frame()["pvalue_adjusted"]
    assert holm[:3].tolist() == alone.tolist()


def test_rows_of_two_metrics_are_one_family():
    metrics = ["accuracy", "neg_log_loss"]
    result = s.compare_estimators(MODELS, X, Y, scoring=metrics, adjust_over="metrics")
    assert result.tests[0].method == "row_t"
    (tests, _) = result.tests_by_metric.values()
    stacked = tests.together.root.values
    covariance = stacked @ stacked.T
    for comparison in result:  # the covariance of the stacked root is that of each comparison
        start = 3 * metrics.index(comparison.metric)
        at = [start + NAMES.index(x) for x in (comparison.estimator, comparison.versus)]
        q = np.zeros(6)
        q[at] = 1, -1
        ratio = np.sqrt(q @ covariance @ q) / comparison.test.standard_error
        assert np.log2(ratio) == pytest.approx(round(np.log2(ratio)), abs=1e-9)


def test_metrics_of_different_procedures_are_joined_by_bonferroni():
    rows = s.compare_estimators(MODELS, X, Y).scores
    assert isinstance(rows.row_scores, RowScores)
    rng = np.random.default_rng(0)
    others = replace(rows, values=rng.random(rows.shape), row_scores=None, metric="other")
    procedures = {"other": s.CorrectedResampledTTest()}
    scores = {"accuracy": rows, "other": others}
    result = compare(scores, test=s.RowTTest(), tests=procedures, adjust_over="metrics", **NONE)
    frame = result.to_frame()
    assert result.adjustment == "bonferroni"
    assert frame["pvalue_adjusted"].tolist() == np.minimum(1, 6 * frame["pvalue"]).tolist()
    (note,) = (note for note in result.notes if note.code == "adjusted over metrics")
    assert "adjusts all 6 comparisons of the 2 metrics, as these have no common" in note.text
    again = s.ComparisonResult.from_json(result.to_json())
    assert again.to_frame().equals(frame)
    assert again.notes == result.notes


def test_saved_as_a_whole_only():
    result = together(scores_of_two_metrics())
    again = s.ComparisonResult.from_json(result.to_json())
    assert again.to_frame().equals(result.to_frame())
    assert again.adjusted() == result.adjusted()
    assert "6 comparisons in 2 metrics" in result.adjusted()
    with pytest.raises(ValueError, match=r"adjusted over 2 metrics.*Save the whole result"):
        result["one"].to_json()
    assert len(result["one"].to_frame()) == 3


def test_the_first_metric_is_the_primary_one():
    result = s.compare_scores(scores_of_two_metrics(1, shift=6.0))
    assert result.best_set() == result["one"].best_set()
    assert result.ranking().equals(result["one"].ranking())
    assert result.letters().equals(result["one"].letters())
    kept = result.to_frame().query("pvalue_adjusted <= 0.025")
    assert 0 < len(kept) < 6
    (row, *_) = kept.to_dict("records")
    said = " ".join(str(result).split())
    assert "one comes first, so it is the primary metric; p-values are not adjusted for" in said
    assert f"0.05/2 these stay significant: {row['estimator']} - {row['versus']} in" in said
    assert "primary" not in str(result["one"])
    assert "primary" not in str(together(scores_of_two_metrics(1)))
    nothing = s.compare_scores(scores_of_two_metrics(0))
    assert "at level 0.05/2 no difference is significant." in " ".join(str(nothing).split())


@pytest.mark.calibration
def test_any_false_claim_in_any_metric_is_rare():
    """Equal models in six metrics, two of them related: a family within each is not enough."""
    rng, n_sets, rho = np.random.default_rng(5), 40, 0.1
    n_any = {"metrics": 0, "pairs": 0}
    for _ in range(n_sets):
        own, shared = rng.standard_normal((6, 3, J)), rng.standard_normal((6, 3, 1))
        values = np.sqrt(rho) * shared + np.sqrt(1 - rho) * own
        values[1] = 0.7 * values[0] + 0.7 * values[1]
        how, numbered = {"design": DESIGN, "labels": NAMES}, enumerate(values)
        of_metrics = (s.CVScores(values=10.0**k * x, metric=f"m{k}", **how) for k, x in numbered)
        scores = {one.metric: one for one in of_metrics}
        for over in n_any:
            frame = s.compare_scores(scores, adjust_over=over).to_frame()
            n_any[over] += (frame["pvalue_adjusted"] <= 0.05).any()
    most = stats.binom.ppf(0.9995, n_sets, 0.05)
    assert 1 <= n_any["metrics"] <= most < n_any["pairs"]
