"""Means over rows in groups: statsmodels, errorbars, leaving out one group at a time."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

import skcvstats as s
from skcvstats.stats import holdout_ttest
from skcvstats.test_set import ClusteredTTest, clustered_mean
from tests.conftest import golden_cases, ignoring

from .components import means_of

pytestmark = ignoring("SplitDesign", "Anticonservative")

RTOL = 1e-12


def data(seed=0, n=60, n_groups=9):
    random = np.random.RandomState(seed)
    groups = random.choice(n_groups, n, p=random.dirichlet(np.ones(n_groups)))
    return random.normal(size=n) + random.normal(size=n_groups)[groups], groups


@pytest.mark.parametrize("case", golden_cases("statsmodels_clustered_paired"))
def test_against_statsmodels(case):
    inputs, outputs = case["inputs"], case["outputs"]
    x = np.array(inputs["differences"])
    found = clustered_mean(x, inputs["clusters"], variance="sandwich")
    assert found.estimate == pytest.approx(outputs["estimate"], rel=RTOL)
    assert found.standard_error == pytest.approx(outputs["se_corrected"], rel=RTOL)
    losses = {"a": np.zeros_like(x), "b": x}
    options = {"groups": inputs["clusters"], "variance": "sandwich", "reference": "b"}
    result = s.compare_losses(losses, **options)
    assert result[0].test.pvalue == pytest.approx(outputs["p_t_G_minus_1"], rel=1e-9)
    assert result[0].confidence_interval() == pytest.approx(outputs["interval_95_t"], rel=1e-9)


@pytest.mark.parametrize("case", golden_cases("errorbars_paired_clustered"))
def test_against_errorbars(case):
    inputs, outputs = case["inputs"], case["outputs"]
    clustered = "_clustered" if "se_clustered" in outputs else ""
    losses = {"a": -np.array(inputs["score_a"]), "b": -np.array(inputs["score_b"])}
    level = inputs["confidence"]
    how = {"groups": inputs["clusters"], "variance": "sandwich"}
    result = s.compare_losses(losses, confidence_level=level, **how)
    test = result[0].test
    assert result[0].score == pytest.approx(outputs["mean_a"], rel=RTOL)
    assert test.estimate == pytest.approx(outputs["mean_diff"], rel=RTOL)
    error = outputs["se_clustered" if clustered else "se_paired"]
    assert test.standard_error == pytest.approx(error, rel=RTOL)
    ends = outputs[f"ci_low{clustered}"], outputs[f"ci_high{clustered}"]
    assert result[0].confidence_interval() == pytest.approx(ends, rel=1e-9)
    assert test.pvalue == pytest.approx(outputs[f"p_value{clustered}"], rel=1e-9)


@pytest.mark.parametrize("weighted", [False, True])
def test_jackknife_is_leaving_out_one_group_at_a_time(weighted):
    x, groups = data()
    weights = np.random.RandomState(1).uniform(0.2, 2, len(x)) if weighted else None
    found = clustered_mean(x, groups, sample_weight=weights)
    labels = np.unique(groups)
    of_rows = np.ones(len(x)) if weights is None else weights
    without = [np.average(x[groups != g], weights=of_rows[groups != g]) for g in labels]
    whole = np.average(x, weights=weights)
    factor = (len(labels) - 1) / len(labels)
    assert found.estimate == pytest.approx(whole, rel=RTOL)
    variance = factor * np.square(np.array(without) - whole).sum()
    assert found.standard_error**2 == pytest.approx(variance, rel=1e-10)
    assert found.df == pytest.approx(df_by_rows(groups, weights), rel=1e-9)
    sandwich = clustered_mean(x, groups, sample_weight=weights, variance="sandwich")
    assert sandwich.df == len(labels) - 1


def df_by_rows(groups, weights=None):
    """2 E^2/V of the jackknife variance, as a quadratic form in independent rows."""
    n, labels = len(groups), np.unique(groups)
    weights = np.ones(n) if weights is None else weights
    mean = weights / weights.sum()
    moves = []
    for g in labels:
        kept = np.where(groups == g, 0.0, weights)
        moves.append(kept / kept.sum() - mean)
    form = np.array(moves).T @ np.array(moves)
    return np.trace(form) ** 2 / np.trace(form @ form)


@pytest.mark.parametrize("variance", ["jackknife", "sandwich"])
def test_one_row_in_each_group_is_no_groups(variance):
    x, _ = data()
    alone = clustered_mean(x, variance=variance)
    labels = [f"row {k}" for k in np.random.RandomState(2).permutation(len(x))]
    grouped = clustered_mean(x, labels, variance=variance)
    assert grouped.standard_error == pytest.approx(alone.standard_error, rel=RTOL)
    assert alone.standard_error == pytest.approx(x.std(ddof=1) / np.sqrt(len(x)), rel=RTOL)
    twelve = np.arange(60) % 12
    equal, other = (clustered_mean(x, twelve, variance=v) for v in (variance, "sandwich"))
    assert equal.standard_error == pytest.approx(other.standard_error, rel=RTOL)
    assert equal.df == other.df == 11
    assert clustered_mean([0.1 + 0.2, 0.3] * 10, variance=variance).standard_error == 0


@pytest.mark.parametrize("weighted", [False, True])
def test_joint_inference_rounds_the_degrees_of_freedom_down(weighted):
    groups = np.repeat(np.arange(6), [25, 15, 5, 5, 5, 5])
    weights = np.random.RandomState(1).uniform(0.2, 2, 60) if weighted else None
    x = np.random.RandomState(0).normal(size=(3, 60))
    scores = means_of(x, "abc", groups=groups, sample_weight=weights)
    test = ClusteredTTest()
    df = df_by_rows(groups, weights)
    assert 2 < df < 4
    assert test.run(scores).df == pytest.approx(df, rel=1e-9)
    assert test.root(test.sample(scores)).n_squares == int(df)
    assert ClusteredTTest(variance="sandwich").root(test.sample(scores)).n_squares == 5


def test_fewer_than_two_effective_groups_are_refused():
    x, _ = data()
    most = np.maximum(np.arange(60), 44)  # 45 of 60 rows in one group
    for variance in ("jackknife", "sandwich"):
        with pytest.raises(ValueError, match=r"16 groups have the effective number 1\.76"):
            s.compare_losses({"a": x, "b": -x}, groups=most, variance=variance)
    with pytest.raises(ValueError, match=r"60 rows have the effective number .* 97 % of the wei"):
        clustered_mean(x, sample_weight=np.where(np.arange(60), 1, 2000))
    assert clustered_mean(x, np.arange(60) % 2).df == 1
    losses = dict(zip("ab", np.random.RandomState(0).normal(size=(2, 600)), strict=True))
    almost_equal = s.compare_losses(losses, groups=np.arange(600) < 301)[0].test
    assert almost_equal.df == pytest.approx(1, rel=1e-3)
    with pytest.raises(ValueError, match=r"number 1\.8 .*; below about 2, the variance"):
        s.compare_losses(losses, groups=np.arange(600) < 400)
    with pytest.raises(ValueError, match="have the effective number 1 "):
        s.compare_losses(losses, groups=np.arange(600) < 599)


def test_without_groups_it_is_the_holdout_test_with_students_law():
    x, _ = data()
    ours = s.compare_losses({"a": np.zeros_like(x), "b": x})[0].test
    theirs = holdout_ttest(x, n_train=10, hypotheses="fixed", law="t")
    for name in ("estimate", "standard_error", "statistic", "pvalue", "df"):
        assert getattr(ours, name) == pytest.approx(getattr(theirs, name), rel=RTOL)
    assert ours.probabilities(0.1) == pytest.approx(theirs.probabilities(0.1), rel=1e-9)


def test_rows_of_weight_0_are_left_out_and_whole_numbers_repeat_rows():
    x, groups = data()
    weights = np.random.RandomState(3).randint(0, 4, len(x))
    weighted = clustered_mean(x, groups, sample_weight=weights)
    repeated = clustered_mean(np.repeat(x, weights), np.repeat(groups, weights))
    assert weighted.standard_error == pytest.approx(repeated.standard_error, rel=RTOL)
    kept = np.random.RandomState(3).randint(0, 2, len(x))
    weighted = clustered_mean(x, groups, sample_weight=kept)
    left = clustered_mean(x[kept == 1], groups[kept == 1])
    assert weighted.standard_error == pytest.approx(left.standard_error, rel=RTOL)
    assert (weighted.df, weighted.n_rows) == pytest.approx((left.df, left.n_rows), rel=RTOL)


def test_pair_errors_are_those_of_single_differences():
    random = np.random.RandomState(0)
    x, groups = random.normal(size=(4, 60)), data()[1]
    scores = means_of(x, "abcd", groups=groups)
    first, second = np.triu_indices(4, k=1)
    test = ClusteredTTest()
    together = test.run(scores.differences(first, second))
    for k, (a, b) in enumerate(zip(first, second, strict=True)):
        alone = clustered_mean(x[a] - x[b], groups)
        assert together.standard_error[k] == pytest.approx(alone.standard_error, rel=RTOL)
    root = test.root(test.sample(scores))
    covariance = root.values @ root.values.T
    variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    assert together.standard_error[0] ** 2 == pytest.approx(variance, rel=1e-10)
    assert root.n_squares == int(df_by_rows(groups))


@pytest.mark.parametrize("scale", [1e-98, 1e-3, 1e98])
def test_the_unit_of_losses_does_not_matter(scale):
    x, groups = data()
    losses = {"a": np.zeros_like(x), "b": x, "c": np.abs(x)}
    usual = s.compare_losses(losses, groups=groups)
    extreme = s.compare_losses({k: v * scale for k, v in losses.items()}, groups=groups)
    for one, other in zip(usual, extreme, strict=True):
        assert other.test.statistic == pytest.approx(one.test.statistic, rel=1e-9)
        assert other.pvalue_adjusted == pytest.approx(one.pvalue_adjusted, abs=1e-4)
        assert other.test.estimate == pytest.approx(scale * one.test.estimate, rel=1e-9)


def codes(**options):
    x, _ = data()
    scores = means_of([x, np.zeros_like(x)], "ab", **options)
    return [note.code for note in ClusteredTTest().run(scores["a"]).notes]


def test_few_and_unequal_groups_and_weights_are_noted():
    assert codes(groups=np.arange(60) % 12) == []
    assert codes(groups=np.arange(60) % 5) == ["few groups"]
    assert codes(groups=np.minimum(np.arange(60), 24)) == ["effective groups"]
    assert codes(sample_weight=np.where(np.arange(60), 1, 60)) == ["effective rows"]
    assert codes(sample_weight=np.where(np.arange(60), 1, 5)) == []
    assert codes(sample_weight=np.arange(60) < 9) == ["few rows"]
    x, _ = data()
    groups = np.minimum(np.arange(60), 24)  # 36 of 60 rows in one group
    result = s.compare_losses({"a": x, "b": -x}, groups=groups)
    (note,) = result.notes
    said = "25 groups have the effective number 2.73 (the largest contains 60 % of the rows)"
    assert said in str(note)
    assert f"freedom: {df_by_rows(groups):.3g})" in str(note)
    assert note in result.warned


@pytest.mark.parametrize(("large", "noted"), [(150, True), (20, False)])
def test_the_sandwich_is_noted_where_groups_are_unequal(large, noted):
    """None contains a fifth of the rows, but five of 150 and 25 of 10 are like 8.7 equal ones."""
    sizes = np.array([large] * 5 + [10] * 25)
    losses = dict(zip("ab", np.random.RandomState(0).normal(size=(2, sizes.sum())), strict=True))
    options = {"groups": np.repeat(np.arange(30), sizes)}
    found = s.compare_losses(losses, **options, variance="sandwich").notes
    assert [note.code for note in found] == ["unequal groups"] * noted
    assert s.compare_losses(losses, **options).notes == ()
    if noted:  # without the note on degrees of freedom
        groups = np.r_[np.repeat([0, 1], sizes.sum() // 2 - 30), np.arange(60) % 13 + 2]
        for variance, code in (("jackknife", "effective groups"), ("sandwich", "unequal groups")):
            found = s.compare_losses(losses, groups=groups, variance=variance)
            assert [note.code for note in found.notes] == [code]


def test_losses_groups_and_weights_of_several_types():
    losses = {"estimator 0": data(1)[0], "estimator 1": data(2)[0]}
    columns = {name: row[:, np.newaxis] for name, row in losses.items()}
    for table in (pd.DataFrame(losses), columns, np.stack(list(losses.values()))):
        assert s.compare_losses(table).to_frame().equals(s.compare_losses(losses).to_frame())
    x, groups = data()
    weights = 1 + np.arange(60) % 3
    expected = clustered_mean(x, groups, sample_weight=weights)
    found = clustered_mean(x, groups[:, np.newaxis], sample_weight=weights[:, np.newaxis])
    assert found.standard_error == expected.standard_error
    named = [f"ward {group}" if group % 2 else int(group) for group in groups]
    found = clustered_mean(x, named, sample_weight=weights)
    assert found.standard_error == pytest.approx(expected.standard_error, rel=RTOL)


def test_the_table_of_several_models_names_them_and_has_no_training_sizes():
    y = np.arange(60) % 2
    given = {"half": np.where(np.arange(60) < 30, y, 1 - y), "most": np.where(y, 1, y)}
    given["most"][:6] = 1
    found = s.predictions_inference(y, given, scoring="accuracy").inferences["accuracy"].to_frame()
    assert found["estimator"].tolist() == ["half", "most"]
    assert found["estimate"].tolist() == pytest.approx([0.5, 0.95])
    assert not {"n_train", "n_splits"} & set(found)


class TestAllRightAgainstAllWrong:
    """On one test set it is McNemar's exact test; groups, weights and other scores do not vary."""

    @pytest.mark.parametrize("n", [3, 12, 120, 3000])
    @pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
    def test_p_is_exact_and_the_interval_agrees(self, n, alternative):
        y = np.arange(n) % 2
        how = {"alternative": alternative, "reference": "b"}
        (pair,) = result = s.compare_predictions(y, {"a": y, "b": 1 - y}, scoring="accuracy", **how)
        exact = binomtest(n, n, 0.5, alternative=alternative).pvalue
        assert pair.test.estimate == 1
        if alternative == "less":  # the law of a continuous statistic
            exact -= 0.5**n
        if exact > 1e-250:
            assert pair.test.pvalue == pytest.approx(exact, rel=1e-8)
        assert not pair.test.undetermined
        for level in (0.6, 0.9, 0.95, 0.99):
            low, high = pair.confidence_interval(level)
            assert (low > 0 or high < 0) == (exact < 1 - level)
        assert "exact test" in [note.code for note in result.notes]
        assert "McNemar's exact test" in " ".join(map(str, result.notes))

    def test_losses_and_three_models(self):
        losses = {"a": np.zeros(40), "b": np.ones(40), "c": np.arange(40) % 5 == 0}
        shares = {name: of * 1.0 for name, of in losses.items()}
        result = s.compare_losses(shares, metric="zero_one")
        pairs = {(pair.estimator, pair.versus): pair for pair in result}
        assert pairs["a", "b"].test.pvalue == pytest.approx(2 * 0.5**40, rel=1e-8)
        assert pairs["a", "b"].outcome == "higher"
        assert [note.code for note in pairs["a", "c"].notes] == []
        assert "b" not in result.best_set()

    def test_other_tests_without_variance_stay_undetermined(self):
        y = np.arange(40) % 2
        both, groups = {"a": y, "b": 1 - y}, np.arange(40) // 2
        weights = np.ones(40)
        for call in (
            lambda: s.compare_predictions(y, both, scoring="accuracy", groups=groups),
            lambda: s.compare_predictions(y, both, scoring="accuracy", sample_weight=weights),
            lambda: s.compare_predictions(y, {"a": y, "b": y.copy()}, scoring="accuracy"),
            lambda: s.compare_losses({"a": np.zeros(40), "b": np.full(40, 2.0)}),
            lambda: s.compare_losses({"a": y * 1.0, "b": y + 1.0}),
            lambda: s.compare_out_of_fold(
                y, both, folds=np.arange(40) // 2 % 5, scoring="accuracy"
            ),
        ):
            with pytest.warns(s.DegenerateScoresWarning):
                result = call()
            assert result[0].outcome == "undetermined"
