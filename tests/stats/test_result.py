"""CVTestResult: how it unpacks, prints and tabulates."""

import numpy as np
import pytest
from mpmath import mp, mpf

from skcvstats.stats import corrected_resampled_ttest
from skcvstats.stats._sample import sample_moments, student_quantile
from tests.stats.oracles import student_tails

X = np.random.default_rng(0).normal(0.1, 0.1, size=15)
SIZES = {"n_train": 90, "n_test": 10}


def test_printed_arrays_are_bounded():
    values = np.random.default_rng(0).normal(size=(5000, 15))
    result = corrected_resampled_ttest(values, **SIZES)
    assert str(result) == repr(result)
    # the title, the head, 20 rows and how many more; the table is apart
    assert len(str(result).splitlines()) == 25
    assert str(result).endswith("and 4980 more, see to_frame()")
    assert result._repr_html_().count("<tr>") == 21
    assert "more" not in str(corrected_resampled_ttest(values[:20], **SIZES))


def test_frame_of_one_and_of_many():
    one = corrected_resampled_ttest(X, **SIZES).to_frame(0.9)
    assert one.shape == (1, 11)
    row = one.iloc[0]
    low, high = corrected_resampled_ttest(X, **SIZES).confidence_interval(0.9)
    assert (row["low"], row["high"], row["n_train"], row["df"]) == (low, high, 90, 14)
    sizes = {"n_train": [60] * 10 + [90] * 5, "n_test": 10, "n_samples": 100}
    unequal = " ".join(str(corrected_resampled_ttest(X, **sizes)).split())
    assert "train 70, test 10)" in unequal
    assert "models trained on 70 rows on average" in unequal
    many = corrected_resampled_ttest(np.stack([X, X + 1, 2 * X]), **SIZES).to_frame()
    assert many["estimate"].tolist() == pytest.approx([X.mean(), X.mean() + 1, 2 * X.mean()])
    assert many["n_splits"].tolist() == [15] * 3


@pytest.mark.parametrize(
    ("alternative", "kind", "word"),
    [("greater", "above", "at least"), ("less", "below", "at most")],
)
def test_a_one_sided_result_gives_a_bound_and_claims_what_was_asked(alternative, kind, word):
    result = corrected_resampled_ttest(X, **SIZES, alternative=alternative)
    low, high = result.confidence_interval()
    assert f"95 % confidence bound: {word}" in str(result)
    assert (np.isinf(low), np.isinf(high)) == (word == "at most", word == "at least")
    differences = np.array([0.02, -0.01, 0.01, 0.03, -0.02, 0.0, -0.01, 0.01, 0.02, -0.04])
    for sign in (1, -1):
        options = {"n_train": 90, "n_test": 10, "alternative": alternative}
        test = corrected_resampled_ttest(sign * differences, **options)
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
    mean, variance, _ = sample_moments(values)
    exact = values.astype(np.longdouble)
    np.testing.assert_allclose(mean, exact.mean(axis=-1).astype(float), rtol=1e-15)
    np.testing.assert_allclose(variance, exact.var(axis=-1, ddof=1).astype(float), rtol=1e-9)


@pytest.mark.parametrize(("ulps", "constant"), [(0, True), (8, True), (12, False), (1000, False)])
def test_ten_ulps_of_the_scores_are_no_variance(ulps, constant):
    # x = scale +- d: the mean is the scale and the largest deviation d.
    scale = 1.0
    d = ulps * np.finfo(float).eps
    values = np.array([scale + d, scale - d] * 4)
    _, variance, _ = sample_moments(values)
    assert (variance == 0) == constant
    _, variance, _ = sample_moments(values - scale, magnitude=np.array(scale))
    assert (variance == 0) == constant
