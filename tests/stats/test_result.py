"""CVTestResult: how it unpacks, prints and tabulates; its posterior view, and equivalence.

The posterior is compared with baycomp and nestkit, two one-sided tests with statsmodels.
"""

import numpy as np
import pytest
from mpmath import mp, mpf
from scipy.stats import t

from skcvstats import DegenerateScoresWarning, stats
from skcvstats.stats import student_quantile
from tests.conftest import golden_cases
from tests.stats.oracles import student_tails
from tests.stats.recipes import RECIPES

TOLERANCE = 1e-9
X = np.random.default_rng(0).normal(0.1, 0.1, size=15)
SIZES = {"n_train": 90, "n_test": 10}


def test_printed_arrays_are_bounded():
    values = np.random.default_rng(0).normal(size=(5000, 15))
    result = stats.corrected_resampled_ttest(values, **SIZES)
    assert str(result) == repr(result)
    # the title, the head, 20 rows and how many more; a line is empty
    assert len(str(result).splitlines()) == 24
    assert str(result).endswith("and 4980 more, see to_frame()")
    assert result._repr_html_().count("<tr>") == 21
    assert "more" not in str(stats.corrected_resampled_ttest(values[:20], **SIZES))


def test_frame_of_one_and_of_many():
    one = stats.corrected_resampled_ttest(X, **SIZES).to_frame(0.9)
    assert one.shape == (1, 11)
    row = one.iloc[0]
    low, high = stats.corrected_resampled_ttest(X, **SIZES).confidence_interval(0.9)
    assert (row["low"], row["high"], row["n_train"], row["df"]) == (low, high, 90, 14)
    sizes = {"n_train": [60] * 10 + [90] * 5, "n_test": 10, "n_samples": 100}
    unequal = " ".join(str(stats.corrected_resampled_ttest(X, **sizes)).split())
    assert "train 70, test 10)" in unequal
    assert "models trained on 70 rows on average" in unequal
    many = stats.corrected_resampled_ttest(np.stack([X, X + 1, 2 * X]), **SIZES).to_frame()
    assert many["estimate"].tolist() == pytest.approx([X.mean(), X.mean() + 1, 2 * X.mean()])
    assert many["n_splits"].tolist() == [15] * 3


@pytest.mark.parametrize(
    ("alternative", "kind", "word"),
    [("greater", "above", "at least"), ("less", "below", "at most")],
)
def test_a_one_sided_result_gives_a_bound_and_claims_what_was_asked(alternative, kind, word):
    result = stats.corrected_resampled_ttest(X, **SIZES, alternative=alternative)
    low, high = result.confidence_interval()
    assert f"95 % confidence bound: {word}" in str(result)
    assert (np.isinf(low), np.isinf(high)) == (word == "at most", word == "at least")
    differences = np.array([0.02, -0.01, 0.01, 0.03, -0.02, 0.0, -0.01, 0.01, 0.02, -0.04])
    for sign in (1, -1):
        options = {"n_train": 90, "n_test": 10, "alternative": alternative}
        test = stats.corrected_resampled_ttest(sign * differences, **options)
        for alpha in (0.05, 0.3, 0.6, 0.9):
            assert test.claim(alpha).kind == (kind if test.pvalue <= alpha else "not shown")


@pytest.mark.parametrize("df", [1, 2, 14, 999])
@pytest.mark.parametrize("tail", [0.4999, 0.25, 0.025, 1e-12])
def test_quantiles_against_mpmath(df, tail):
    quantile = student_quantile(df, tail)
    mp.dps = 40
    exact = mp.findroot(lambda t: student_tails(t, df) - 2 * mpf(tail), mpf(quantile))
    # Near the median the quantile itself is small: there its absolute error counts.
    assert quantile == pytest.approx(float(exact), rel=1e-13, abs=1e-12)


def test_moments_against_numpy_in_extended_precision():
    values = 1e6 + np.random.default_rng(0).normal(size=(50, 15))
    result = stats.resampled_ttest(values, n_train=90, n_test=30, hypotheses="fixed")
    mean = result.estimate
    variance = 15 * result.standard_error**2
    exact = values.astype(np.longdouble)
    np.testing.assert_allclose(mean, exact.mean(axis=-1).astype(float), rtol=1e-15)
    np.testing.assert_allclose(variance, exact.var(axis=-1, ddof=1).astype(float), rtol=1e-9)


FEW = np.array([0.04, 0.02, 0.05, 0.01, 0.03, 0.06, 0.00, 0.04, 0.02, 0.03])
TENTH = {"n_train": 180, "n_test": 20}
BAYCOMP = golden_cases("baycomp_rope_probabilities")
BAYCOMP = [case for case in BAYCOMP if case["id"][:8] != "constant"]  # where it says 0 or 1


@pytest.mark.parametrize("case", BAYCOMP, ids=lambda case: case["id"])
def test_posterior_against_baycomp(case):
    inputs, outputs = case["inputs"], case["outputs"]
    n_folds = inputs["n_splits"] // inputs["runs"]
    x = np.subtract(inputs["y"], inputs["x"])
    result = stats.corrected_resampled_ttest(x, n_train=n_folds - 1, n_test=1)
    posterior = result.posterior()
    assert posterior.mean() == pytest.approx(outputs["posterior_mean"], abs=1e-14) or result.df == 1
    assert result.standard_error**2 == pytest.approx(outputs["posterior_variance"], rel=TOLERANCE)
    assert result.df == outputs["posterior_df"]
    expected = outputs["p_left"], outputs.get("p_rope", 0), outputs["p_right"]
    assert result.probabilities(inputs["rope"]) == pytest.approx(expected, abs=TOLERANCE)


@pytest.mark.parametrize("case", golden_cases("nestkit_corrected_t_rope"), ids=lambda c: c["id"])
def test_posterior_against_nestkit(case):
    inputs, expected = case["inputs"], case["outputs"]["bayes"]
    x = np.subtract(inputs["scores_a"], inputs["scores_b"])
    result = stats.corrected_resampled_ttest(x, n_train=inputs["n_train"], n_test=inputs["n_test"])
    shares = [expected[name] for name in ("p_b_better", "p_equivalent", "p_a_better")]
    assert result.probabilities(inputs["rope"]) == pytest.approx(shares, abs=TOLERANCE)
    hdi = expected["hdi_lower"], expected["hdi_upper"]
    assert result.posterior().interval(0.95) == pytest.approx(hdi, abs=TOLERANCE)


def test_posterior_of_a_holdout_against_the_law_of_a_mean():
    # With a flat prior the mean of independent normals is Student's about the sample mean.
    result = stats.holdout_ttest(FEW, n_train=90, hypotheses="fixed", law="t")
    law = t(9, FEW.mean(), FEW.std(ddof=1) / np.sqrt(10))
    expected = law.cdf(-0.02), law.cdf(0.03) - law.cdf(-0.02), law.sf(0.03)
    np.testing.assert_allclose(result.probabilities((-0.02, 0.03)), expected, atol=TOLERANCE)


class TestPosterior:
    def test_exchanging_the_estimators_mirrors_them(self):
        expected = stats.corrected_resampled_ttest(FEW, **TENTH).probabilities((-0.01, 0.03))
        other = stats.corrected_resampled_ttest(FEW, **TENTH, null_value=0.02, alternative="less")
        assert other.probabilities((-0.01, 0.03)) == expected  # these play no part
        mirrored = stats.corrected_resampled_ttest(-FEW, **TENTH).probabilities((-0.03, 0.01))
        assert mirrored == pytest.approx(expected[::-1], rel=1e-13)
        worse, equivalent, better = stats.corrected_resampled_ttest(FEW, **TENTH).probabilities(0)
        assert (worse + better, equivalent) == (pytest.approx(1, abs=1e-15), 0)

    def test_small_probabilities_keep_their_digits(self):
        near = stats.corrected_resampled_ttest(FEW + 1, **TENTH).probabilities(1e-9)
        density = t.pdf(0, 9, FEW.mean() + 1, FEW.std(ddof=1) * np.sqrt(1 / 10 + 1 / 9))
        assert near.equivalent == pytest.approx(2e-9 * density, rel=1e-6)

    def test_posterior_probabilities_of_arrays_are_single_ones(self):
        rows = np.stack([FEW, -FEW, 2 * FEW])
        result = stats.corrected_resampled_ttest(rows, **TENTH)
        found = result.probabilities(0.01)
        assert isinstance(found, stats.PosteriorProbabilities)
        for row, x in enumerate(rows):
            single = stats.corrected_resampled_ttest(x, **TENTH).probabilities(0.01)
            assert {type(probability) for probability in single} == {float}
            assert [part[row] for part in found] == pytest.approx(single, rel=1e-14)
            assert found.worse[row] == pytest.approx(result.posterior().cdf(-0.01)[row], rel=1e-12)


@pytest.mark.filterwarnings("ignore::skcvstats.exceptions.AnticonservativeWarning")
def test_who_has_a_posterior():
    drawn = {name: recipe.draw(np.random.default_rng(0)) for name, recipe in RECIPES.items()}
    found = {name: recipe.judge(*drawn[name]) for name, recipe in RECIPES.items()}
    having = {name for name, result in found.items() if result.has_posterior}
    assert having == {"corrected_resampled_t", "holdout_t, t, fixed"}


def test_undetermined_rows_have_no_posterior():
    rows = np.stack([FEW, np.full(10, 0.1), np.zeros(10)])
    with pytest.warns(DegenerateScoresWarning):
        result = stats.corrected_resampled_ttest(rows, **TENTH)
    with pytest.raises(ValueError, match=r"undetermined: .* not vary over the splits"):
        result.probabilities(0.01)
    with pytest.raises(ValueError, match="undetermined"):
        result.posterior()
    assert result.take(0).probabilities(0.01).better > 0.9


@pytest.mark.parametrize("case", golden_cases("statsmodels_tost_paired"), ids=lambda c: c["id"])
def test_equivalence_against_statsmodels(case):
    inputs, outputs = case["inputs"], case["outputs"]
    x = np.subtract(inputs["y"], inputs["x"])
    sizes = {"n_train": inputs["n_train"], "n_test": inputs["n_test"]}
    with pytest.warns(match="overlapping splits"):  # the usual test is liberal
        usual = stats.resampled_ttest(x, **sizes)
    tests = {"uncorrected": usual, "corrected": stats.corrected_resampled_ttest(x, **sizes)}
    for name, test in tests.items():
        found, expected = test.equivalence((inputs["low"], inputs["upp"])), outputs[name]
        assert found.pvalue == pytest.approx(expected["pvalue"], rel=1e-9)
        for one, end in ((found.not_worse, "lower"), (found.not_better, "upper")):
            theirs = expected[f"t_{end}"], expected[f"p_{end}"]
            assert tuple(one) == pytest.approx(theirs, rel=1e-9)
        assert found.not_better.df == expected["df"]
    low, high = found.confidence_interval(0.95)
    assert (low, high) == pytest.approx(outputs["corrected"]["interval_90"], rel=1e-9)


@pytest.mark.parametrize("bounds", [(-0.01, 0.02), (-0.03, 0.005)])
def test_p_of_differences_beyond_the_margin_is_two_sided(bounds):
    x = np.array([0.02, 0.05, 0.03, 0.0, 0.04])
    test = stats.corrected_resampled_ttest(x, n_train=90, n_test=10)
    low, high = test.confidence_interval(0.9)
    equivalence = test.equivalence(bounds)
    assert f"90 % confidence interval {low:.3g} to {high:.3g}" in str(equivalence)
    written = stats.within((-0.02, 0.02)), stats.within((-0.01, 2))
    assert written == ("within 0.02", "between -0.01 and 2")
    found = equivalence.pvalues
    error = np.sqrt((1 / 5 + 1 / 9) * x.var(ddof=1))
    above, below = (x.mean() - np.array(bounds[::-1])) / error
    assert found.better_by_more == pytest.approx(min(1, 2 * t.sf(above, 4)), rel=1e-9)
    assert found.worse_by_more == pytest.approx(min(1, 2 * t.cdf(below, 4)), rel=1e-9)


D = np.random.default_rng(0).normal(0.002, 0.01, 15)


@pytest.mark.parametrize("margin", [0.001, 0.004, 0.0077, 0.01, 0.05])
def test_equivalence_is_shown_exactly_where_the_interval_is_inside(margin):
    found = stats.corrected_resampled_ttest(D, **SIZES).equivalence(margin)
    assert isinstance(found, stats.EquivalenceResult)
    assert ("are equivalent in score within" in str(found)) == (found.pvalue <= 0.05)
    for level in (0.6, 0.9, 0.95, 0.99):
        low, high = found.confidence_interval(level)
        assert (found.pvalue <= 1 - level) == (-margin < low and high < margin)


@pytest.mark.parametrize("infer", [stats.corrected_resampled_ttest, stats.five_by_two_cv_ftest])
def test_a_claim_about_one_score_and_0_is_a_whole_sentence(infer):
    sizes = SIZES if infer is stats.corrected_resampled_ttest else {}
    claim = infer(np.tile([1.0, -1.1], 5), **sizes).claim(0.05)
    assert claim.brief == "not significantly different from 0"
    assert f" is {claim.brief} at the 5 % level" in claim.words


def test_a_claim_is_of_one_test():
    halves = np.random.default_rng(0).normal(size=(3, 10))
    located = stats.corrected_resampled_ttest([D, D + 0.01, D], **SIZES)
    for several in (located, stats.five_by_two_cv_ftest(halves)):
        with pytest.raises(ValueError, match="claim\\(\\) is of one test, and these are 3"):
            several.claim(0.05)
        assert several.take(2).claim(0.05).kind == str(several.kinds(0.05, several.pvalue)[2])


@pytest.mark.filterwarnings("ignore:The scores do not vary")
def test_equivalence_of_arrays_is_that_of_single_tests():
    one = stats.corrected_resampled_ttest(D, **SIZES).equivalence(0.02)
    several = stats.corrected_resampled_ttest([D, D + 0.01, 0 * D], **SIZES).equivalence(0.02)
    assert several.pvalue[0] == pytest.approx(one.pvalue)
    assert np.isnan(several.pvalue[2])
    assert "shape (3,)" in str(several)
    with pytest.raises(ValueError, match="claim\\(\\) is of one test, and these are 3"):
        several.claim()
    for alpha in (0.7, 0.5):
        with pytest.raises(ValueError, match=f"alpha={alpha} must be below 0.5: equivalence"):
            one.claim(alpha)
