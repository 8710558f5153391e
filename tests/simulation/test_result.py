"""What a study says: rates, coverage, ratios and moments, against closed forms and other routes."""

import numpy as np
import pytest
from scipy import stats

import skcvstats as s
from skcvstats.simulation import SimulationResult, StudiedProcedure
from skcvstats.stats import resampled_ttest
from skcvstats.theory import exchangeable_moments
from tests.simulation.studies import Line, Mean, line

N, J = 4000, 5
N_FITTED = 30


def exchangeable(rho, scale=0.01, mean=3.0, seed=0, n=N):
    """Gaussian scores with this correlation of splits."""
    rng = np.random.default_rng(seed)
    shared = rng.normal(size=(n, 1))
    return mean + scale * (np.sqrt(rho) * shared + np.sqrt(1 - rho) * rng.normal(size=(n, J)))


def result_of(scores, *tests, metric="neg_squared_error"):
    """Make a result of scores that were drawn, not measured."""
    design = s.SplitDesign.from_sizes(80, 20, n_splits=scores.shape[1])
    corrections = [20 / 80 * isinstance(one, s.CorrectedResampledTTest) for one in tests]
    variances = scores.var(axis=1, ddof=1)
    errors = [np.sqrt((1 / scores.shape[1] + more) * variances) for more in corrections]
    shape = (len(scores), len(tests), 1)
    return SimulationResult(
        data_sets=np.arange(len(scores)),
        hypotheses=("A",),
        procedures=tuple(
            StudiedProcedure(label=f"{one.name} {one.alternative}", test=one, design=design)
            for one in tests
        ),
        estimates=np.broadcast_to(scores.mean(axis=1)[:, None, None], shape),
        standard_errors=np.stack(errors, axis=1)[..., None],
        scales=np.broadcast_to(np.abs(scores).max(axis=1)[:, None, None], shape),
        dfs=np.full(shape, scores.shape[1] - 1.0),
        pvalues=np.full(shape, np.nan),
        designs=(design,),
        measurements=(scores[:, None],),
        metric=metric,
    )


@pytest.fixture(scope="module")
def fitted():
    """A small real study."""
    few, half = s.RepeatedSubsampleSplit(5), s.RepeatedSubsampleSplit(5, test_size=0.5)
    less = s.CorrectedResampledTTest(alternative="less")
    procedures = [
        "resampled_t", StudiedProcedure(test=s.ConservativeZTest(n_pairs=3), cv=few),
        StudiedProcedure(test=less, cv=half, label="corrected"),
    ]  # fmt: skip
    models = {"A": Mean(), "B": Line()}
    designs = [s.RepeatedSubsampleSplit(6, train_size=15, test_size=4)]
    how = {"designs": designs, "n_data_sets": N_FITTED, "random_state": 5}
    return s.simulate(line, models, procedures, **how)


def measured(result, n_train):
    """Return the scores, or differences of halves, of models on so many rows."""
    sizes = [design.train_size for design in result.designs]
    return dict(zip(sizes, result.measurements, strict=True))[n_train]


class TestRejectionRates:
    @pytest.mark.parametrize("rho", [0.0, 0.2])
    def test_against_theory(self, rho):
        """Gaussian scores: 2 T(-c / sqrt(PR)), PR the political ratio."""
        result = result_of(exchangeable(rho), s.ResampledTTest(), s.CorrectedResampledTTest())
        rates = result.rejection_rates({"A": [3.0]}, alpha=0.1, confidence_level=0.999)
        ratios = result.variance_ratio(0.999)
        odds = rho / (1 - rho)
        for k, correction in enumerate((0, 0.25)):
            ratio = (1 / J + odds) / (1 / J + correction)
            c = stats.t.isf(0.05, J - 1)
            size = 2 * stats.t.cdf(-c / np.sqrt(ratio), J - 1)
            assert rates["low"][k] <= size <= rates["high"][k]
            assert ratios["low"][k] < ratio < ratios["high"][k]

    @pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
    @pytest.mark.parametrize("n", [200, 3000])  # at once, and in blocks of null values
    def test_against_pvalues(self, n, alternative):
        scores = exchangeable(0.2, n=n)
        grid = np.linspace(2.98, 3.02, 9)
        result = result_of(scores, s.ResampledTTest(alternative=alternative))
        rates = result.rejection_rates(grid, alpha=0.05)
        with pytest.warns(UserWarning, match="too often"):
            test = resampled_ttest(scores, n_train=80, n_test=20)
        pvalues = [test.against(null, alternative).pvalue for null in grid]
        expected = np.mean(np.array(pvalues) < 0.05, axis=1)
        np.testing.assert_array_equal(rates["rate"], expected)
        exact = [stats.binomtest(int(rate * n + 0.5), n).proportion_ci() for rate in expected]
        np.testing.assert_allclose(rates["low"], [ci.low for ci in exact], atol=1e-6)
        np.testing.assert_allclose(rates["high"], [ci.high for ci in exact], atol=1e-6)

    def test_where_scores_do_not_vary(self):
        """The estimate itself is not rejected, anything else is."""
        scores = np.full((40, J), 0.1)
        scores[20:] = 0.3
        rates = result_of(scores, s.ResampledTTest()).rejection_rates([0.1, 0.1 + 0.2, 0.2])
        assert rates["rate"].tolist() == [0.5, 0.5, 1.0]

    @pytest.mark.slow
    def test_grids_hold_every_truth(self, fitted):
        grid = fitted.take(["resampled_t"]).null_value_grid("A-B", 21, width=3)
        truth = fitted.true_values().query("procedure == 'resampled_t' and hypothesis == 'A-B'")
        deviation = fitted.estimates[:, 0, 2].std(ddof=1)
        assert grid[10] == truth["value"].item()
        np.testing.assert_allclose([grid[10] - grid[0], grid[20] - grid[10]], 3 * deviation)
        # of two training sizes
        truths = fitted.true_values().query("hypothesis == 'A'")["value"]
        grid = fitted.null_value_grid("A")
        assert set(truths) <= set(grid)
        assert len(set(truths)) == 2
        reach = 4 * fitted.estimates[:, :, 0].std(axis=0, ddof=1).max()
        ends = [truths.min() - reach, truths.max() + reach]
        np.testing.assert_allclose(grid[[0, -1]], ends)


class TestSize:
    def test_liberal_from_where_the_report_says(self):
        """More than 116 of 1000 rejections are significantly above .10."""
        scores = np.tile([1.0, -1.0, 0.5, -0.5, 0.0], (1000, 1))  # never rejects 0
        for n_rejected in (116, 117):
            shifted = scores + 100 * (np.arange(1000) < n_rejected)[:, None]
            size = result_of(shifted, s.ResampledTTest()).size(0.1, truth={"A": 0.0})
            assert size["rate"].item() == n_rejected / 1000
            assert size["liberal"].item() == (n_rejected > 116)

    @pytest.mark.slow
    def test_is_the_rate_at_the_truth_and_coverage_the_rest(self, fitted):
        size, coverage = fitted.size(0.05), fitted.coverage(0.95)
        np.testing.assert_allclose(size["rate"] + coverage["rate"], 1)
        np.testing.assert_allclose(size["low"] + coverage["high"], 1)
        for _, row in size.iterrows():
            rates = fitted.rejection_rates({row["hypothesis"]: [row["truth"]]}, 0.05)
            rate = rates[rates["procedure"] == row["procedure"]]["rate"].item()
            assert rate == row["rate"]

    def test_the_truth_is_the_mean_of_the_splits_with_most_test_rows(self, fitted):
        values = fitted.true_values({"B": -1.0}).set_index(["procedure", "hypothesis"])
        for label, n_train in (("resampled_t", 27), ("conservative_z", 27), ("corrected", 15)):
            means = measured(fitted, n_train)[:, 2].mean(axis=1)
            row = values.loc[label, "A-B"]
            assert row["value"] == means.mean()
            assert row["standard_error"] == pytest.approx(stats.sem(means))
            assert row["source"] == f"mean of {N_FITTED} data sets"
            assert values.loc[label, "B"][["value", "source"]].tolist() == [-1.0, "given"]

    def test_mean_length(self, fitted):
        frame = fitted.mean_length(0.9).set_index(["procedure", "hypothesis"])
        lengths = 2 * stats.t.isf(0.05, 14) * fitted.standard_errors[:, 0, 1]
        row = frame.loc["resampled_t", "B"]
        assert row["mean_length"] == pytest.approx(lengths.mean(), rel=1e-12)
        low, high = stats.t.interval(0.95, N_FITTED - 1, lengths.mean(), stats.sem(lengths))
        np.testing.assert_allclose(row[["low", "high"]].astype(float), [low, high])
        assert frame.loc["corrected", "B"]["mean_length"] == np.inf


def test_the_error_of_a_political_ratio_against_the_jackknife(fitted):
    e, w = fitted.estimates[:, 0, 0], fitted.standard_errors[:, 0, 0] ** 2
    ratios = [e[k].var(ddof=1) / w[k].mean() for k in ~np.eye(N_FITTED, dtype=bool)]
    jackknife = np.std(ratios) * np.sqrt(N_FITTED - 1)
    row = fitted.variance_ratio().iloc[0]
    assert row["variance_ratio"] == pytest.approx(e.var(ddof=1) / w.mean())
    assert row["standard_error"] == pytest.approx(jackknife, rel=0.1)


class TestMoments:
    def test_of_splits(self):
        scores = exchangeable(0.2)
        result = result_of(scores, s.ResampledTTest())
        frame = result.moments(0.999).set_index("parameter")
        for name, value in (("mean", 3.0), ("variance", 1e-4), ("correlation", 0.2)):
            assert frame.loc[name, "low"] < value < frame.loc[name, "high"]
        assert frame["n_splits"].tolist() == [J] * 3
        fewer = exchangeable_moments(scores[:, :3])
        expected = [fewer.mean, fewer.variance, fewer.correlation]
        assert result.moments(n_splits=3)["estimate"].tolist() == expected

    def test_of_half_samples(self, fitted):
        frame = fitted.moments().query("n_pairs == 3 and hypothesis == 'A-B'")
        expected = exchangeable_moments(measured(fitted, 12)[:, 2] ** 2)
        frame = frame.set_index("parameter")
        assert frame.loc["r", "estimate"] == pytest.approx(expected.correlation)
        low, _ = expected.confidence_interval("correlation")
        assert frame.loc["r", "low"] == pytest.approx(low)
        # the mean of the procedure's squared standard error, over the data sets
        mean_square = np.mean(fitted.standard_errors[:, 1, 2] ** 2)
        assert frame.loc["half_variance", "estimate"] == pytest.approx(mean_square)
        assert frame.loc["r", ["n_train", "n_test", "n_splits"]].tolist() == [12, 3, 5]


def test_losses_are_the_scores_turned_round(fitted):
    losses = fitted.as_losses()
    assert (losses.metric, losses.direction) == ("mean_squared_error", "loss")
    np.testing.assert_array_equal(losses.estimates, -fitted.estimates)
    for name in ("rate", "low", "high"):
        np.testing.assert_array_equal(losses.size()[name], fitted.size()[name])
    np.testing.assert_array_equal(losses.size()["truth"], -fitted.size()["truth"])
    grid = np.linspace(-2, -1, 5)
    rates = losses.rejection_rates({"A": -grid}), fitted.rejection_rates({"A": grid})
    np.testing.assert_array_equal(*(frame["rate"] for frame in rates))
    ours, theirs = losses.moments(), fitted.moments()
    sign = np.where(ours["parameter"] == "mean", -1, 1)
    np.testing.assert_allclose(ours["estimate"], sign * theirs["estimate"])
    np.testing.assert_allclose(ours["standard_error"], theirs["standard_error"])
    with pytest.raises(ValueError, match="given as loss"):
        losses.as_losses()


def test_scales_are_those_of_the_scores_before_they_were_subtracted(fitted):
    largest = np.abs(measured(fitted, 27)[:, :2]).max(axis=2)
    expected = np.column_stack([largest, largest.max(axis=1)])
    np.testing.assert_array_equal(fitted.scales[:, 0], expected)


def test_the_overview(fitted):
    frame = fitted.to_frame(0.1)
    assert len(frame) == 9
    np.testing.assert_array_equal(frame["size"], fitted.size(0.1)["rate"])
    np.testing.assert_array_equal(frame["mean_length"], fitted.mean_length(0.9)["mean_length"])
    of_data = f"{N_FITTED} data sets, 3 procedures, hypotheses A, B, A-B"
    assert repr(fitted) == f"<SimulationResult: {of_data}>"
    single = s.simulate(line, {"A": Mean()}, ["resampled_t"], n_data_sets=1)
    assert "mean_length" not in single.to_frame()


def test_designs_without_procedures():
    one, other = s.RepeatedSubsampleSplit(4), s.RepeatedSubsampleSplit(1, test_size=5)
    designs = [one, s.HalfSplitPairs(3, 2), other]
    result = s.simulate(line, {"A": Mean()}, designs=designs, n_data_sets=30)
    assert result.moments()["n_splits"].tolist() == [4, 4, 4, 2, 2]
    for call in (result.size, result.rejection_rates, result.mean_length, result.true_values):
        with pytest.raises(ValueError, match="No procedure was studied"):
            call()


@pytest.mark.parametrize(("call", "message"), [
    (lambda one: one.moments(), "needs at least 30 data sets; there are 2"),
    (lambda one: one.size(1), "alpha=1 must be"),
    (lambda one: one.size(truth={"B": 0}), "hypothesis='B' is not known"),
    (lambda one: one.size(truth={"A": np.nan}), "A=nan must be a finite number"),
    (lambda one: one.mean_length(0), "confidence_level=0"),
    (lambda one: one.rejection_rates([np.nan]), "must be finite numbers"),
    (lambda one: one.null_value_grid("a"), "is not known"),
    (lambda one: one.moments(n_splits=1), "n_splits=1 must be an integer of at least 2"),
    (lambda one: one.take(["x"]), "labels='x' is not known"),
    (lambda one: one.rejection_rates({}), "null_values={} is empty"),
    (lambda one: one.as_losses(), "these are of 'r2'"),
    (lambda one: one.size(truth=3), "must be a dict from hypotheses"),
    (lambda one: one.mean_length(), "at least 2 data sets; there is 1"),
    (lambda one: one.null_value_grid("A"), "at least 2 data sets; there is 1"),
])  # fmt: skip
def test_bad_input(call, message):
    n = 1 if "there is 1" in message else 2
    result = result_of(exchangeable(0.0, n=n), s.ResampledTTest(), metric="r2")
    with pytest.raises((ValueError, TypeError), match=message):
        call(result)


def test_what_needs_a_law_says_so_alike():
    """The F test has p-values of its own hypothesis only."""
    pair = {"A": Mean(), "B": Mean()}
    result = s.simulate(line, pair, ["five_by_two_cv_f"], n_data_sets=30)
    for call in (result.coverage, result.mean_length, result.variance_ratio):
        with pytest.raises(ValueError, match="needs a procedure with a standard error"):
            call()
    with pytest.raises(ValueError, match=r"^A variance ratio needs"):
        result.variance_ratio()


def test_an_even_grid_has_the_truth_too():
    result = result_of(exchangeable(0.0, n=3), s.ResampledTTest(), metric="r2")
    grid = result.null_value_grid("A", 40, truth={"A": 2.0})
    assert len(grid) == 41
    assert grid[20] == 2
    assert len(result.null_value_grid("A", 41, truth={"A": 2.0})) == 41


def test_one_procedure_and_its_choice_by_labels():
    found = s.simulate(line, {"A": Mean()}, ["resampled_t"], n_data_sets=2)
    assert found.labels == ("resampled_t",)
    assert found.take(["resampled_t"]).labels == found.labels
    with pytest.raises(TypeError, match="labels='resampled_t' must be a list of labels"):
        found.take("resampled_t")
