"""Slices of a test set: each with its own t, Bonferroni over them, and "worse in none"."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import beta, binom, chi2, f, kstest, norm, ttest_1samp

from skcvstats import (
    ComparisonResult,
    compare_losses,
    compare_out_of_fold,
    compare_predictions,
    evaluation_report,
    predictions_inference,
)
from skcvstats.exceptions import DegenerateScoresWarning
from skcvstats.stats import RowTTest
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


def test_worse_in_some_slice_is_adjusted_for_the_comparisons():
    rng = np.random.default_rng(4)
    losses = {name: rng.normal(size=N) + loss for name, loss in (("a", 0), ("b", 0.7), ("c", 0.6))}
    result = compare_losses(losses, reference="a", margin=0.3, by=BY, greater_is_better=False)
    frame = result.no_slice_worse()
    least = []
    for name in frame["estimator"]:
        gains = losses["a"] - losses[name]
        tests = [ttest_1samp(gains[part == BY], -0.3) for part in np.unique(BY)]
        least.append(4 * min(test.pvalue for test in tests if test.statistic < 0))
    low, high = sorted(least)
    holm = {low: 2 * low, high: max(2 * low, high)}
    np.testing.assert_allclose(frame["pvalue_contrary"], [holm[p] for p in least])
    assert set(frame["outcome"]) == {"contrary"}


def test_no_claim_about_all_slices_where_only_worse_is_asked():
    result = _compare(margin=0.3, alternative="less")
    with pytest.raises(ValueError, match='needs alternative="two-sided" or "greater"'):
        result.no_slice_worse()
    assert "Slices with a significant difference in accuracy" in " ".join(str(result).split())
    assert "in some slice" not in str(result)
    assert "in some slice" not in evaluation_report(result).to_markdown()


def test_whether_slices_differ_by_mcnemar_has_the_variance_of_the_differences_themselves():
    found = _compare(method="mcnemar").slices_differ().iloc[0]
    means, squares = np.array(
        [(d.mean(), np.square(d).mean()) for d in (DIFFERENCES[name == BY] for name in set(BY))]
    ).T
    weights = 100 / (squares - means**2)
    middle = (weights * means).sum() / weights.sum()
    statistic = (weights * (means - middle) ** 2).sum()  # the errors are taken to be known
    assert found["pvalue"] == pytest.approx(chi2.sf(statistic, 3))


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


def _welch(samples):
    """Return what Welch (1951) has for means of samples, written out."""
    means = [np.mean(sample) for sample in samples]
    weights = [len(sample) / np.var(sample, ddof=1) for sample in samples]
    total = sum(weights)
    mean = sum(w * m for w, m in zip(weights, means, strict=True)) / total
    k = len(samples)
    between = sum(w * (m - mean) ** 2 for w, m in zip(weights, means, strict=True)) / (k - 1)
    each = [
        (1 - w / total) ** 2 / (len(sample) - 1) for w, sample in zip(weights, samples, strict=True)
    ]
    statistic = between / (1 + 2 * (k - 2) / (k**2 - 1) * sum(each))
    df = (k**2 - 1) / (3 * sum(each))
    return statistic, df, f.sf(statistic, k - 1, df)


SPRAYS = {  # R's InsectSprays
    "A": [10, 7, 20, 14, 14, 12, 10, 23, 17, 20, 14, 13],
    "B": [11, 17, 21, 11, 16, 14, 17, 17, 19, 21, 7, 13],
    "C": [0, 1, 7, 2, 3, 1, 2, 1, 3, 0, 1, 4],
    "D": [3, 5, 12, 6, 4, 3, 5, 5, 5, 5, 2, 4],
    "E": [3, 5, 3, 5, 3, 6, 1, 1, 3, 2, 6, 4],
    "F": [11, 9, 15, 22, 15, 16, 13, 10, 26, 26, 24, 13],
}


def _differ(differences, by, **options):
    """Return the test of two models whose losses differ by these numbers."""
    noise = np.random.default_rng(6).random(len(differences))
    losses = {"old": 30 + noise + differences, "new": 30 + noise}
    return compare_losses(losses, by=by, reference="old", **options).slices_differ().iloc[0]


def test_slices_differ_as_in_r():
    """oneway.test(count ~ spray, InsectSprays), and oneway.test(extra ~ group, sleep)."""
    counts = np.concatenate([*SPRAYS.values()])
    row = _differ(counts, np.repeat([*SPRAYS], 12))
    assert (round(row["statistic"], 3), row["df"], round(row["df_within"], 3)) == (
        36.065,
        5,
        30.043,
    )
    assert row["pvalue"] == pytest.approx(7.999e-12, rel=1e-3)
    assert row["differ"]
    sleep = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    sleep += [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    row = _differ(np.array(sleep), np.repeat([1, 2], 10))
    assert (round(row["statistic"], 4), round(row["df_within"], 3)) == (3.4626, 17.776)
    assert row["pvalue"] == pytest.approx(0.07939, abs=5e-6)


def test_each_pair_has_its_test_and_holm_adjusts():
    rng = np.random.default_rng(4)
    models = {"old": OLD, "new": _answers(np.where(BY == "de", 1, 0.7), rng=rng)}
    models["third"] = _answers(np.where(BY == "en", 0.3, 0.7), rng=rng)
    result = compare_predictions(Y, models, scoring="accuracy", by=BY)
    frame = result.slices_differ()
    assert frame["estimator"].tolist() == [one.estimator for one in result]
    for row in frame.itertuples():
        rows = (models[row.estimator] == Y) * 1.0 - (models[row.versus] == Y)
        expected = _welch([rows[name == BY] for name in np.unique(BY)])
        np.testing.assert_allclose([row.statistic, row.df_within, row.pvalue], expected)
    p = frame["pvalue"].sort_values().to_numpy()
    holm = np.minimum(1, np.maximum.accumulate(p * [3, 2, 1]))
    np.testing.assert_allclose(frame["pvalue_adjusted"].sort_values(), holm)
    said = " ".join(str(result).split())
    first = f"between {frame['estimator'][0]} and {frame['versus'][0]} depends significantly on"
    assert f"The difference in accuracy {first} the slice (p" in said
    assert said.index("depends significantly on") < said.index("Slices with a significant")
    again = ComparisonResult.from_json(result.to_json())
    assert again.slices_differ().equals(frame)
    alone = compare_predictions(Y, models, scoring="accuracy", by=BY, adjustment="none")
    assert alone.slices_differ()["pvalue_adjusted"].equals(frame["pvalue"])


def test_auc_takes_the_standard_errors_of_delong():
    rng = np.random.default_rng(7)
    rates = {name: (rng.random(N) + size * Y) / 2 for name, size in (("a", 0.1), ("b", 0.6))}
    options = {"scoring": "roc_auc", "reference": "a"}
    (row,) = compare_predictions(Y, rates, by=BY, **options).slices_differ().itertuples()
    cut = [{name: part[own == BY] for name, part in rates.items()} for own in np.unique(BY)]
    tests = [
        compare_predictions(Y[own == BY], part, **options)[0].test
        for own, part in zip(np.unique(BY), cut, strict=True)
    ]
    weights = np.array([test.standard_error for test in tests]) ** -2
    found = np.array([test.estimate for test in tests])
    # DeLong's test has a normal distribution, so Welch's is Cochran's chi-square over m - 1.
    q = weights @ (found - weights @ found / weights.sum()) ** 2
    assert row.statistic == pytest.approx(q / 3)
    assert (row.pvalue, row.df_within) == (pytest.approx(chi2.sf(q, 3), rel=1e-5), np.inf)


def test_slices_that_tell_nothing_are_left_out_and_named():
    by = BY.astype(object)
    by[:4], by[100:110] = "few", "constant"
    differences = DIFFERENCES.copy()
    differences[100:110] = 0.25
    row = _differ(differences, by)
    kept = [name for name in np.unique(by.astype(str)) if name not in ("few", "constant")]
    expected = _welch([differences[by == name] for name in kept])
    assert row["pvalue"] == pytest.approx(expected[2])
    assert (row["n_slices"], row["note"][-15:]) == (4, ": constant, few")
    groups = np.where(by == "de", 1000 + np.arange(N) % 4, np.arange(N))  # four in this slice
    assert _differ(differences, by, groups=groups)["note"].endswith("constant, de, few")
    row = _differ(differences, np.where(np.arange(N) < 4, "few", "rest"))
    assert np.isnan(row["pvalue"])
    assert (row["n_slices"], row["differ"]) == (1, False)


def test_dependent_slices_are_not_tested_and_it_is_said():
    groups = np.tile(np.arange(100), 4)
    result = _compare(groups=groups)
    row = result.slices_differ().iloc[0]
    assert np.isnan(row["pvalue_adjusted"])
    assert not row["differ"]
    assert row["note"] == "there are groups that lie in several slices"
    said = "Whether the difference in accuracy depends on the slice is not tested: there are groups"
    assert said in " ".join(str(ComparisonResult.from_json(result.to_json())).split())
    assert _compare(groups=np.arange(N) // 5).slices_differ()["pvalue"].notna().all()
    row = _compare(time=np.arange(N)).slices_differ().iloc[0]
    assert np.isnan(row["pvalue"])
    assert "time order" in row["note"]


@pytest.mark.parametrize("more", [(), ("groups",), ("groups", "sample_weight"), ("time",)])
def test_slices_of_losses_are_as_separate_calls(more):
    rng = np.random.default_rng(1)
    losses = {name: rng.random(N) for name in ("a", "b", "c")}
    parts = {
        "groups": np.arange(N) // 4,
        "sample_weight": rng.random(N),
        "time": rng.permutation(N),
    }
    given = {name: parts[name] for name in more}
    frame = compare_losses(losses, by=BY, reference="a", **given).by_slice()
    for name, rows in frame.groupby("slice"):
        own = name == BY
        cut = {model: part[own] for model, part in losses.items()}
        given = {place: parts[place][own] for place in more}
        alone = compare_losses(cut, reference="a", adjustment="none", **given).to_frame(full=True)
        columns = ["estimator", "difference", "standard_error", "df", "pvalue"]
        pd.testing.assert_frame_equal(
            rows[columns].reset_index(drop=True), alone[columns], check_dtype=False
        )


@pytest.mark.parametrize(
    "scoring", ["neg_brier_score", pytest.param("roc_auc", marks=pytest.mark.slow)]
)
def test_slices_of_folds_are_as_separate_calls(scoring):
    rng = np.random.default_rng(2)
    y, by = Y[:120], np.arange(120) % 2
    folds = np.stack([rng.permutation(120) % 5 for _ in range(2)])
    made = {name: (rng.random((2, 120)) + size * y) / 2 for name, size in (("a", 0.2), ("b", 0.5))}
    options = {"scoring": scoring, "reference": "a"}
    result = compare_out_of_fold(y, made, folds=folds, by=by, **options)
    (row, _) = result.by_slice().itertuples()
    own = by == 0
    cut = {name: part[:, own] for name, part in made.items()}
    alone = compare_out_of_fold(y[own], cut, folds=folds[:, own], **options)[0].test
    expected = alone.estimate, alone.standard_error, alone.df, own.sum()
    assert (row.difference, row.standard_error, row.df, row.n_test) == expected


@pytest.mark.slow
def test_the_plain_variance_of_folds_never_tests_slices():
    rng = np.random.default_rng(2)
    folds = rng.permutation(N) % 5
    made = {name: (rng.random(N) + size * Y) / 2 for name, size in (("a", 0.2), ("b", 0.5))}
    options = {"scoring": "neg_brier_score", "reference": "a", "folds": folds, "by": BY}
    result = compare_out_of_fold(Y, made, **options)
    with pytest.warns(UserWarning, match="inflation"):
        low = compare_out_of_fold(Y, made, method=RowTTest(inflation=0), **options)
    assert (low.by_slice()["standard_error"] < result.by_slice()["standard_error"]).all()
    assert low.slices_differ().equals(result.slices_differ())


def test_slices_that_show_nothing_are_one_line():
    said = str(_compare())
    assert "fr. The others: de, en, it." in " ".join(said.split())
    assert said.count("new - old") == 1
    assert str(evaluation_report(_compare())).count("new - old") > 3  # there all rows are shown
    none = compare_losses({"a": np.sin(np.arange(N)), "b": np.cos(np.arange(N))}, by=BY)
    assert "adjusted by Bonferroni's method): none. The others: de, en, fr, it." in " ".join(
        str(none).split()
    )
    assert "adjusted p" not in str(none)
    losses = {"a": np.sin(np.arange(N)), "b": 2 + np.cos(np.arange(N))}
    assert "The others" not in " ".join(str(compare_losses(losses, by=BY)).split())


def _estimate(predictions=NEW, scoring="accuracy", by=BY, **options):
    return predictions_inference(Y, predictions, scoring=scoring, by=by, **options)


RATES = (np.random.default_rng(8).random(N) + np.where(BY == "fr", 0.9, 0.2) * Y) / 2


@pytest.mark.parametrize(
    ("predictions", "scoring", "more"),
    [
        pytest.param(NEW, "accuracy", (), marks=pytest.mark.slow),
        pytest.param(NEW, "f1", ("groups",), marks=pytest.mark.slow),
        (RATES, "roc_auc", ()),
        (RATES, "neg_brier_score", ("groups", "sample_weight")),
    ],
)
def test_slices_of_one_model_are_as_separate_calls(predictions, scoring, more):
    """Scores at the level of Bonferroni; differences from the rest by Newcombe's rule."""
    parts = {"groups": np.arange(N) // 5, "sample_weight": 1.0 + np.arange(N) % 3}

    def alone(own):
        given = {place: parts[place][own] for place in more}
        result = predictions_inference(Y[own], predictions[own], scoring=scoring, **given)
        return result, result.confidence_interval(1 - 0.05 / 4)

    frame = _estimate(predictions, scoring, **{place: parts[place] for place in more}).by_slice()
    assert frame["slice"].tolist() == ["de", "en", "fr", "it"]
    for row in frame.itertuples():
        found, (low, high) = alone(row.slice == BY)
        rest, (rest_low, rest_high) = alone(row.slice != BY)
        numbers = [found.estimate, found.standard_error, found.df, low, high, rest.estimate]
        of_row = [row.score, row.standard_error, row.df, row.low, row.high, row.rest]
        np.testing.assert_allclose(of_row, numbers)
        below = np.sqrt((found.estimate - low) ** 2 + (rest_high - rest.estimate) ** 2)
        above = np.sqrt((high - found.estimate) ** 2 + (rest.estimate - rest_low) ** 2)
        difference = found.estimate - rest.estimate
        ends = [difference, difference - below, difference + above]
        np.testing.assert_allclose([row.difference, row.difference_low, row.difference_high], ends)
        assert row.differs == (row.difference_low > 0 or row.difference_high < 0)
        assert row.n_test == 100


def test_scores_of_slices_are_printed_with_the_farthest_first():
    result = _estimate()
    said = " ".join(str(result).split())
    row = result.by_slice().set_index("slice").loc["fr"]
    start = f"The farthest from the rest in accuracy is fr: {row['score']:.2g} against"
    assert start in said
    assert said.count("fr ") == 1  # a line in the table
    assert "are simultaneous" in said
    same = " ".join(str(_estimate(OLD)).split())
    assert "No slice differs significantly from the rest. The farthest" in same
    both = _estimate(MODELS, ["accuracy", "f1"])
    assert both["f1"].by_slice()["estimator"].tolist() == ["old", "new"] * 4
    assert "is fr of new:" in " ".join(str(both["f1"]).split())
    assert "Brier score is fr: " in str(_estimate(RATES, "neg_brier_score"))
    with pytest.raises(ValueError, match="has no slices"):
        _estimate(by=None, predictions=MODELS).by_slice()


def test_two_slices_have_one_difference_and_shared_groups_any_correlation():
    first, second = _estimate(by=BY == "fr").by_slice().itertuples()
    assert first.difference_low == pytest.approx(-second.difference_high)
    own, rest = NEW[BY == "fr"] == Y[BY == "fr"], NEW[BY != "fr"] == Y[BY != "fr"]
    z = norm.ppf(0.975)
    ends = []
    for right in (own, rest):  # Wilson's interval, and from two of these Newcombe's
        n, p = len(right), right.mean()
        middle, half = p + z**2 / (2 * n), z * np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
        ends.append(((middle - half) / (1 + z**2 / n), (middle + half) / (1 + z**2 / n)))
    (low, _), (_, rest_high) = ends
    d = own.mean() - rest.mean()
    newcombe = d - np.sqrt((own.mean() - low) ** 2 + (rest_high - rest.mean()) ** 2)
    assert second.difference_low == pytest.approx(newcombe)
    result = _estimate(groups=np.tile(np.arange(100), 4))
    row = result.by_slice().iloc[2]
    apart = _estimate(groups=np.arange(N)).by_slice().iloc[2]
    assert row["high"] - row["low"] == pytest.approx(apart["high"] - apart["low"])  # as alone
    assert row["difference_high"] - row["difference_low"] > 1.2 * (
        apart["difference_high"] - apart["difference_low"]
    )
    assert "allow for any correlation" in " ".join(str(result).split())


def test_a_slice_without_a_score_has_no_row_and_none_to_compare_with():
    by = np.where((BY == "de") & (Y == 0), "negative", "rest")
    result = _estimate(RATES, "roc_auc", by=by)
    (row,) = result.by_slice().itertuples()
    assert "farthest" not in str(result)
    with pytest.warns(DegenerateScoresWarning):
        assert "farthest" not in str(_estimate(Y, "neg_mean_absolute_error"))
    assert row.slice == "rest"
    assert np.isnan([row.rest, row.difference, row.difference_low]).all()
    assert not row.differs
    assert "negative (not compared: " in " ".join(str(result).split())


@pytest.mark.calibration
@pytest.mark.parametrize("shared", [False, True])
def test_differences_from_the_rest_cover(shared):
    """All at once in at least 95 % of data sets; with shared groups also where these correlate."""
    rng, misses = np.random.default_rng(0), 0
    by = np.repeat(np.arange(3), 60)
    groups = np.tile(np.arange(60), 3) if shared else np.arange(180)
    for _ in range(400):
        y = rng.integers(0, 2, 180)
        ease = rng.normal(size=180)[groups]
        right = ease + 0.5 * rng.normal(size=180) > -0.7
        given = {"groups": groups} if shared else {}
        frame = predictions_inference(
            y, np.where(right, y, 1 - y), scoring="accuracy", by=by, **given
        ).by_slice()
        misses += frame["differs"].any()
    assert misses <= binom.ppf(0.999, 400, 0.05)


@pytest.mark.calibration
@pytest.mark.parametrize("kind", ["normal", "sparse"])
def test_slices_differ_holds_its_level(kind):
    """Unequal slices and variances; sparse differences of right and wrong answers are safe."""
    rng, sizes = np.random.default_rng(0), [10, 20, 40, 80]
    by = np.repeat(np.arange(4), sizes)
    pvalues = []
    for _ in range(1000):
        differences = rng.normal(size=len(by)) * (1 + by)
        if kind == "sparse":
            differences = rng.choice([-1, 0, 1], size=len(by), p=[0.05, 0.9, 0.05])
        losses = {"a": 10.0 + differences, "b": np.full(len(by), 10.0)}
        pvalues += compare_losses(losses, by=by).slices_differ()["pvalue"].fillna(1.0).tolist()
    share = np.mean(np.array(pvalues) <= 0.05)
    assert share <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 1000)
    assert kind == "sparse" or share >= 0.03


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
