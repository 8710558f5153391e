"""Slices of a test set: each with its own t, Bonferroni over them, and "worse in none"."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import beta, kstest, ttest_1samp

from skcvstats import ComparisonResult, compare_predictions, evaluation_report
from skcvstats.test_set import clustered_mean

RNG = np.random.default_rng(3)
N = 400
Y = RNG.integers(0, 2, N)
BY = np.repeat(["de", "en", "fr", "it"], 100)


def _answers(share, y=Y, rng=RNG):
    return np.where(rng.random(len(y)) < share, y, 1 - y)


OLD = _answers(0.7)
NEW = _answers(np.where(BY == "fr", 0.95, 0.72))
DIFFERENCES = (NEW == Y) * 1.0 - (OLD == Y)
MODELS = {"old": OLD, "new": NEW}


def _compare(**options):
    options = {"scoring": "accuracy", "by": BY, "reference": "old"} | options
    return compare_predictions(Y, MODELS, **options)


def test_each_slice_has_its_own_t_test_and_bonferroni_adjusts_p_and_interval():
    frame = _compare().by_slice()
    found = [ttest_1samp(DIFFERENCES[name == BY], 0) for name in frame["slice"]]
    assert frame["slice"].tolist() == ["de", "en", "fr", "it"]
    assert frame["n_test"].tolist() == [100] * 4
    differences = [DIFFERENCES[name == BY].mean() for name in frame["slice"]]
    np.testing.assert_allclose(frame["difference"], differences)
    np.testing.assert_allclose(frame["pvalue"], [each.pvalue for each in found])
    ends = np.array([each.confidence_interval(1 - 0.05 / 4) for each in found]).T
    np.testing.assert_allclose([frame["low"], frame["high"]], ends)
    np.testing.assert_allclose(frame["pvalue_adjusted"], np.minimum(1, 4 * frame["pvalue"]))
    assert frame["differs"].tolist() == [False, False, True, False]


@pytest.mark.parametrize("scoring", ["accuracy", "roc_auc", "f1"])
def test_an_interval_of_a_slice_excludes_0_exactly_where_its_p_says_so(scoring):
    """Also at other levels, and for pairs of three models."""
    rng = np.random.default_rng(5)
    by = np.arange(N) % 5
    sizes = {"a": 0.1, "b": 0.3, "c": 0.6}
    rates = {name: (rng.random(N) + size * Y) / 2 for name, size in sizes.items()}
    options = {} if scoring == "roc_auc" else {"threshold": 0.5}
    result = compare_predictions(Y, rates, scoring=scoring, by=by, **options)
    for level in (0.5, 0.8, 0.95):
        frame = result.with_confidence(level).by_slice()
        assert frame["differs"].equals((frame["low"] > 0) | (frame["high"] < 0))
        assert level > 0.5 or frame["differs"].any()


def test_intervals_end_where_a_difference_of_the_metric_does():
    tiny = np.repeat(["most", "few"], [N - 2, 2])
    models = {"old": np.append(Y[:-2], 1 - Y[-2:]), "new": np.append(Y[:-1], 1 - Y[-1:])}
    frame = compare_predictions(Y, models, scoring="accuracy", by=tiny).by_slice()
    frame = frame.set_index("slice")  # of the rest the difference does not vary
    assert tuple(frame.loc["few", ["low", "high"]]) == (-1, 1)
    missing = ["low", "high", "pvalue", "pvalue_adjusted"]
    assert frame.loc["most", missing].isna().all()


def test_groups_of_each_slice():
    groups = np.tile(np.arange(20), 20)
    result = _compare(groups=groups)
    assert result.to_frame().equals(_compare(by=None, groups=groups).to_frame())  # as without
    frame = result.by_slice()
    for row in frame.itertuples():
        own = row.slice == BY
        mean = clustered_mean(DIFFERENCES[own], groups[own])
        assert row.standard_error == pytest.approx(mean.standard_error)
        assert row.df == mean.df == 19


def test_worse_in_no_slice_is_the_largest_p():
    result = _compare(margin=0.3)
    (claim,) = result.no_slice_worse().to_dict("records")
    found = {
        name: ttest_1samp(DIFFERENCES[name == BY], -0.3, alternative="greater").pvalue
        for name in np.unique(BY)
    }
    assert claim["pvalue"] == pytest.approx(max(found.values()))
    assert claim["slice"] == max(found, key=found.get)
    assert claim["shown"]
    assert not _compare(margin=0.05).no_slice_worse()["shown"].any()
    said = " ".join(str(result).split())
    adjusted = "(of 4; p-values and intervals are adjusted by Bonferroni's method): fr."
    assert f"Slices with a significant difference in accuracy {adjusted}" in said
    assert "new is not worse than old in accuracy by more than 0.3 in any slice (p" in said
    assert "## Slices" in evaluation_report(result).to_markdown()
    # Contrary is the smallest p times the number of slices.
    (claim,) = _compare(reference="new", margin=0.02).no_slice_worse().to_dict("records")
    tests = [ttest_1samp(-DIFFERENCES[name == BY], -0.02) for name in np.unique(BY)]
    least = min(test.pvalue for test in tests if test.statistic < 0)
    assert claim["pvalue_contrary"] == pytest.approx(4 * least)


def test_pairs_keep_the_direction_of_the_whole():
    """In slices too where the other one is better, and with bounds that are not symmetric."""
    models = MODELS | {"third": _answers(np.where(BY == "de", 0.9, 0.6))}
    result = compare_predictions(Y, models, scoring="accuracy", by=BY, margin=(-0.1, 0.3))
    frame = result.by_slice()
    pairs = {(c.estimator, c.versus): c.margin for c in result}
    assert set(zip(frame["estimator"], frame["versus"], strict=True)) == set(pairs)
    for row in frame.itertuples():
        own = row.slice == BY
        rows = (models[row.estimator] == Y)[own] * 1.0 - (models[row.versus] == Y)[own]
        assert row.difference == pytest.approx(rows.mean())
        low, _ = pairs[row.estimator, row.versus]
        expected = ttest_1samp(rows, low, alternative="greater").pvalue
        assert row.pvalue_not_worse == pytest.approx(expected)
    np.testing.assert_allclose(frame["pvalue_adjusted"], np.minimum(1, 12 * frame["pvalue"]))


def test_small_slices_are_named_and_never_pass():
    by = BY.astype(object)
    by[:4], by[4] = "few", "one"
    result = _compare(by=by, margin=0.5)
    (note,) = (note for note in result.notes if note.code == "small slices")
    assert "few (4 rows)" in note.text
    assert "one (not compared: There is only 1 test row" in note.text
    assert result.slices["one"] is None
    (claim,) = result.no_slice_worse().to_dict("records")
    assert not claim["shown"]
    assert claim["pvalue"] == 1
    assert "few (4 rows)" in str(evaluation_report(result))


def test_a_slice_of_one_class_has_no_area():
    by = np.where(Y == 1, "de", "negative")
    rates = {name: (RNG.random(N) + 0.5 * Y) / 2 for name in ("a", "b")}
    result = compare_predictions(Y, rates, scoring="roc_auc", by=np.where(BY == "de", by, "rest"))
    assert result.slices["negative"] is None
    assert result.slices["rest"] is not None


@pytest.mark.parametrize("scoring", ["accuracy", "roc_auc", "f1"])
def test_rows_of_weight_0_and_series_in_another_order(scoring):
    """Each slice is as a test set of its own."""
    rng = np.random.default_rng(0)
    rates = {name: (rng.random(N) + 0.5 * Y) / 1.5 for name in ("a", "b")}
    index, weights = rng.permutation(N), np.where(np.arange(N) % 10, 1.0, 0.0)
    options = {"scoring": scoring, "threshold": None if scoring == "roc_auc" else 0.5}
    series = {name: pd.Series(values)[index] for name, values in rates.items()}
    given = {"by": pd.Series(BY)[::-1]}
    own = BY == "en"
    if scoring == "accuracy":
        given["sample_weight"] = weights
        own &= weights > 0
    result = compare_predictions(pd.Series(Y), series, **given, **options)
    cut = {name: values[own] for name, values in rates.items()}
    alone = compare_predictions(Y[own], cut, **options)[0]
    row = result.by_slice().set_index("slice").loc["en"]
    assert row["n_test"] == own.sum()
    assert abs(row["difference"]) == pytest.approx(abs(alone.test.estimate))
    assert row["standard_error"] == pytest.approx(alone.test.standard_error)


def test_saved_results_have_their_slices():
    by = BY.astype(object)
    by[0] = "one"
    result = _compare(by=by, reference=None, scoring=["accuracy", "f1"])
    again = ComparisonResult.from_json(result.to_json())
    assert again.by_slice().equals(result.by_slice())
    assert str(again) == str(result)
    assert again["f1"].by_slice()["metric"].unique().tolist() == ["f1"]
    assert again["f1"].with_margin(0.2).no_slice_worse()["pvalue"].tolist() == [1.0]


@pytest.mark.calibration
def test_worse_in_no_slice_holds_its_level():
    """At the border: one of five slices is worse by exactly the margin, the others are better.

    Its p-value is then that of one t-test, which is uniform; with all at the margin it is the
    largest of five such.
    """
    rng, n_slices, size, margin = np.random.default_rng(0), 5, 40, 0.2
    by = np.repeat(np.arange(n_slices), size)
    y = np.zeros(n_slices * size)
    for law, means in ((beta(1, 1), [-margin, 1, 1, 1, 1]), (beta(5, 1), [-margin] * n_slices)):
        pvalues = []
        for _ in range(40):
            new = 10 - np.repeat(means, size) + rng.normal(size=len(y))
            models = {"old": np.full(len(y), 10.0), "new": new}
            how = {"scoring": "neg_mean_absolute_error", "reference": "old", "margin": margin}
            result = compare_predictions(y, models, by=by, **how)
            pvalues.extend(result.no_slice_worse()["pvalue"])
        assert kstest(pvalues, law.cdf).pvalue > 1e-3
