"""The jackknife of a test set against leaving out each row or group and calling scikit-learn."""

from functools import cache, partial
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats
from sklearn import metrics
from sklearn.metrics import make_scorer

from skcvstats import (
    ComparisonResult,
    compare_predictions,
    evaluation_report,
    predictions_inference,
)
from tests.conftest import ignoring

pytestmark = ignoring("Anticonservative", "SplitDesign", "DegenerateScores")

N_ROWS = 33
RNG = np.random.default_rng(7)
TARGET = RNG.permutation(np.arange(N_ROWS) % 5 < 2).astype(int)
VALUES = TARGET + RNG.normal(size=(6, N_ROWS))
NUMBERS = np.exp(TARGET + 0.3 * RNG.normal(size=N_ROWS))
# Groups of one to eight rows, whose rows are not neighbours.
GROUPS = RNG.permutation(np.repeat(np.arange(11), [1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 8]))
WEIGHTS = RNG.exponential(size=N_ROWS) + 0.2


def negative_rmse(y, predicted, sample_weight=None):
    return -metrics.root_mean_squared_error(y, predicted, sample_weight=sample_weight)


def negative_rmsle(y, predicted, sample_weight=None):
    return -metrics.root_mean_squared_log_error(y, predicted, sample_weight=sample_weight)


SCALES = {
    "logit": (special.logit, special.expit, lambda score: score * (1 - score)),
    "Fisher": (np.arctanh, np.tanh, lambda score: 1 - score**2),
    "log": (lambda score: -np.log(-score), lambda x: -np.exp(-x), lambda score: -score),
    "none": (lambda score: score, lambda x: x, lambda score: 1.0),
}
KAPPA = make_scorer(metrics.cohen_kappa_score)
F2 = make_scorer(metrics.fbeta_score, beta=2)
# Of each metric: scoring, scikit-learn's function, what it is of, the scale of a single score.
METRICS = {
    "f1": ("f1", metrics.f1_score, "labels", "logit"),
    "mcc": ("matthews_corrcoef", metrics.matthews_corrcoef, "labels", "Fisher"),
    "balanced": ("balanced_accuracy", metrics.balanced_accuracy_score, "labels", "logit"),
    "precision": ("precision", metrics.precision_score, "labels", "logit"),
    "recall": ("recall", metrics.recall_score, "labels", "logit"),
    "jaccard": ("jaccard", metrics.jaccard_score, "labels", "logit"),
    "f1_macro": ("f1_macro", partial(metrics.f1_score, average="macro"), "labels", "logit"),
    "ap": ("average_precision", metrics.average_precision_score, "values", "logit"),
    "r2": ("r2", metrics.r2_score, "numbers", "none"),
    "rmse": ("neg_root_mean_squared_error", negative_rmse, "numbers", "log"),
}
FURTHER = {
    "kappa": (KAPPA, metrics.cohen_kappa_score, "labels", "Fisher"),
    "f2": (F2, partial(metrics.fbeta_score, beta=2), "labels", "logit"),
    "explained": ("explained_variance", metrics.explained_variance_score, "numbers", "none"),
    "rmsle": ("neg_root_mean_squared_log_error", negative_rmsle, "numbers", "log"),
}
METRICS_ALL = METRICS | FURTHER
LAYOUTS = {
    "rows": {},
    "groups": {"groups": GROUPS},
    "weights": {"sample_weight": WEIGHTS},
    "groups and weights": {"groups": GROUPS, "sample_weight": WEIGHTS},
    "runs": {"n_runs": 2},
    "runs in groups": {"n_runs": 2, "groups": GROUPS},
}
CASES = [(metric, layout) for metric in METRICS for layout in LAYOUTS]
CASES += [(metric, "rows") for metric in FURTHER] + [("f2", "groups"), ("kappa", "weights")]


def leave_out(function, y, runs, groups=None, sample_weight=None):
    """Return the mean metric of runs, and the pseudo-value of each row or group."""
    codes = np.arange(len(y))
    if groups is not None:
        codes = np.unique(groups, return_inverse=True)[1]

    def mean_over_runs(kept):
        of_rows = {}
        if sample_weight is not None:
            of_rows["sample_weight"] = sample_weight[kept]
        return np.mean([function(y[kept], run[kept], **of_rows) for run in runs])

    n_units = codes.max() + 1
    whole = mean_over_runs(np.ones(len(y), dtype=bool))
    without = np.array([mean_over_runs(codes != unit) for unit in range(n_units)])
    return whole, n_units * whole - (n_units - 1) * without


def bell_mccaffrey(n_rows, groups=None, sample_weight=None):
    """Return 2 E^2/V of the jackknife's variance of a weighted mean of independent rows."""
    weights = np.ones(n_rows) if sample_weight is None else sample_weight
    codes = np.arange(n_rows) if groups is None else np.unique(groups, return_inverse=True)[1]
    of_unit = np.eye(codes.max() + 1)[:, codes]
    totals = of_unit @ weights
    deviations = np.eye(n_rows) - weights / weights.sum()  # of each row from the weighted mean
    sums = of_unit @ np.diag(weights) @ deviations
    left_out = sums / (totals.sum() - totals)[:, np.newaxis]
    form = left_out.T @ left_out
    return np.trace(form) ** 2 / np.trace(form @ form)


@cache
def brute(metric, layout):
    """Return the data of a case, what the door is called with, and the answers by brute force."""
    scoring, function, kind, scale = METRICS_ALL[metric]
    of_rows = dict(LAYOUTS[layout])
    n_runs = of_rows.pop("n_runs", 1)
    y = NUMBERS if kind == "numbers" else TARGET
    values = VALUES
    if kind == "labels":
        values = (VALUES > [[0.4], [0.5], [0.6], [0.7], [0.5], [0.5]]).astype(int)
    if kind == "numbers":
        values = NUMBERS * np.exp(0.3 * (VALUES - TARGET))
    runs = {"a": list(values[:n_runs]), "b": list(values[3 : 3 + n_runs])}
    found = {name: leave_out(function, y, runs[name], **of_rows) for name in runs}
    return SimpleNamespace(
        y=y,
        given={name: run if n_runs > 1 else run[0] for name, run in runs.items()},
        options={"scoring": scoring} | of_rows,
        estimates={name: found[name][0] for name in found},
        pseudo_values={name: found[name][1] for name in found},
        df=bell_mccaffrey(N_ROWS, **of_rows),
        scale=SCALES[scale],
    )


def standard_error(pseudo_values):
    return np.std(pseudo_values, ddof=1) / np.sqrt(len(pseudo_values))


def near(expected):
    return pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(("metric", "layout"), CASES)
def test_differences_are_those_of_pseudo_values_by_brute_force(metric, layout):
    case = brute(metric, layout)
    result = compare_predictions(case.y, case.given, **case.options)
    (pair,) = result
    difference = case.estimates[pair.estimator] - case.estimates[pair.versus]
    apart = case.pseudo_values[pair.estimator] - case.pseudo_values[pair.versus]
    error = standard_error(apart)
    test = pair.test
    assert test.method == "jackknife_t"
    assert test.estimate == near(difference)
    assert test.standard_error == near(error)
    assert test.df == near(case.df)
    assert test.pvalue == near(2 * stats.t.sf(abs(difference) / error, case.df))
    for level in (0.5, 0.95, 0.999):
        half = stats.t.isf((1 - level) / 2, case.df) * error
        assert test.confidence_interval(level) == near((difference - half, difference + half))
    row = result.to_frame(full=True).iloc[0]
    assert row[["pvalue", "pvalue_adjusted"]].tolist() == [test.pvalue] * 2


@pytest.mark.parametrize(("metric", "layout"), CASES)
def test_intervals_of_single_scores_are_made_on_the_scale_of_the_metric(metric, layout):
    case = brute(metric, layout)
    to_scale, from_scale, slope = case.scale
    estimate = case.estimates["a"]
    error = standard_error(case.pseudo_values["a"])
    on_scale = error / slope(estimate)
    null = 0.8 * estimate
    statistic = (to_scale(estimate) - to_scale(null)) / on_scale
    inference = partial(predictions_inference, case.y, case.given["a"], **case.options)
    test = inference(null_value=null)
    assert test.method == "jackknife_t"
    assert test.estimate == near(estimate)
    assert test.standard_error == near(error)
    assert test.df == near(case.df)
    assert test.pvalue == near(2 * stats.t.sf(abs(statistic), case.df))
    for level in (0.5, 0.95, 0.999):
        half = stats.t.isf((1 - level) / 2, case.df) * on_scale
        ends = from_scale(to_scale(estimate) + np.array([-half, half]))
        ends = np.minimum(ends, 1)  # R2 and explained variance are cut where they end
        assert tuple(test.confidence_interval(level)) == near(tuple(ends))
    greater = inference(null_value=null, alternative="greater")
    less = inference(null_value=null, alternative="less")
    assert greater.pvalue == near(stats.t.sf(statistic, case.df))
    assert less.pvalue == near(stats.t.cdf(statistic, case.df))
    half = stats.t.isf(0.05, case.df) * on_scale
    assert greater.confidence_interval().low == near(from_scale(to_scale(estimate) - half))
    assert less.confidence_interval().high == near(min(1, from_scale(to_scale(estimate) + half)))


@pytest.mark.parametrize("metric", ["f1", "mcc", "rmse", "r2"])
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_an_interval_holds_what_its_p_does_not_reject(metric, alternative):
    case = brute(metric, "groups")
    inference = partial(predictions_inference, case.y, case.given["a"], alternative=alternative)
    ends = inference(**case.options).confidence_interval()
    for null, side in zip(ends, (-1, 1), strict=True):
        if not np.isfinite(null) or null in (0, 1, -1):
            continue
        assert inference(null_value=null, **case.options).pvalue == pytest.approx(0.05, rel=1e-6)
        beyond = inference(null_value=null + side * 1e-3, **case.options)
        assert beyond.pvalue < 0.05


@pytest.mark.parametrize("layout", ["rows", "groups"])
def test_pvalues_for_a_margin_are_those_of_shifted_differences(layout):
    case = brute("f1", layout)
    margin = 0.05
    result = compare_predictions(case.y, case.given, margin=margin, **case.options)
    (pair,) = result
    difference = case.estimates[pair.estimator] - case.estimates[pair.versus]
    error = standard_error(case.pseudo_values[pair.estimator] - case.pseudo_values[pair.versus])
    not_worse = stats.t.sf((difference + margin) / error, case.df)
    not_better = stats.t.cdf((difference - margin) / error, case.df)
    row = result.to_frame(full=True).iloc[0]
    assert row["pvalue_not_worse"] == near(not_worse)
    assert row["pvalue_equivalent"] == near(max(not_worse, not_better))


def test_a_difference_from_a_null_value_and_on_one_side():
    case = brute("balanced", "rows")
    two_sided = compare_predictions(case.y, case.given, reference="b", **case.options)[0].test
    difference = case.estimates["a"] - case.estimates["b"]
    error = standard_error(case.pseudo_values["a"] - case.pseudo_values["b"])
    against = two_sided.against(0.1, "less")
    assert against.pvalue == near(stats.t.cdf((difference - 0.1) / error, case.df))
    how = {"reference": "b", "alternative": "greater"}
    one_sided = compare_predictions(case.y, case.given, **how, **case.options)[0].test
    assert one_sided.pvalue == near(stats.t.sf(difference / error, case.df))
    low = difference - stats.t.isf(0.05, case.df) * error
    assert one_sided.confidence_interval().low == near(low)


def three_models(layout):
    """Return the labels of three models, with what the door is called with for F1."""
    labels = (VALUES[[0, 1, 3]] > [[0.9], [0.3], [1.4]]).astype(int)
    return dict(zip("abc", labels, strict=True)), {"scoring": "f1"} | LAYOUTS[layout]


def drawn_maxima(covariance, contrasts, df, n_draws):
    """Draw the largest |t| of contrasts whose variances are estimated with df degrees of freedom.

    The covariance is that of the models less their mean, with shrunken correlations.
    """
    rng = np.random.default_rng(0)
    n_models = len(covariance)
    centre = np.eye(n_models) - 1 / n_models
    covariance = centre @ covariance @ centre
    shrunken = (1 - n_models / (n_models + df)) * covariance
    np.fill_diagonal(shrunken, np.diag(covariance))
    factor = np.linalg.cholesky(shrunken)
    squares = rng.normal(size=(n_draws, df, n_models)) @ factor.T @ contrasts.T
    estimates = rng.normal(size=(n_draws, n_models)) @ factor.T @ contrasts.T
    return np.abs(estimates / np.sqrt(np.square(squares).mean(axis=1))).max(axis=1)


@pytest.mark.parametrize("layout", ["rows", "groups"])
def test_families_have_the_covariance_of_pseudo_values(layout):
    given, options = three_models(layout)
    of_rows = LAYOUTS[layout]
    found = {name: leave_out(metrics.f1_score, TARGET, [p], **of_rows) for name, p in given.items()}
    result = compare_predictions(TARGET, given, adjustment="max_t", **options)
    apart = np.array([found[pair.estimator][1] - found[pair.versus][1] for pair in result])
    errors = [standard_error(row) for row in apart]
    assert [pair.test.standard_error for pair in result] == near(errors)
    df = int(bell_mccaffrey(N_ROWS, **of_rows))
    contrasts = [[pair.estimator == name for name in given] for pair in result]
    contrasts = np.array(contrasts) * 1.0 - [[p.versus == name for name in given] for p in result]
    covariance = np.cov([found[name][1] for name in given])
    n_draws = 100_000
    largest = drawn_maxima(covariance, contrasts, df, n_draws)
    for row, pair, error in zip(
        result.to_frame(full=True).itertuples(), result, errors, strict=True
    ):
        estimate = found[pair.estimator][0] - found[pair.versus][0]
        expected = np.mean(largest >= abs(estimate) / error)
        chance = np.hypot(np.sqrt(expected * (1 - expected) / n_draws), row.pvalue_error)
        assert row.pvalue_adjusted == pytest.approx(expected, abs=4 * chance + 0.001)


@pytest.mark.parametrize("layout", ["rows", "groups", "weights"])
def test_a_slice_is_its_own_jackknife(layout):
    given, options = three_models(layout)
    given.pop("c")
    by = np.where(np.isin(GROUPS, [10, 7, 8, 3]), "left", "right")
    frame = compare_predictions(TARGET, given, by=by, reference="b", **options).by_slice()
    for row in frame.itertuples():
        kept = by == row.slice
        of_rows = {name: values[kept] for name, values in LAYOUTS[layout].items()}
        leave = partial(leave_out, metrics.f1_score, TARGET[kept], **of_rows)
        found = {name: leave([labels[kept]]) for name, labels in given.items()}
        error = standard_error(found["a"][1] - found["b"][1])
        df = bell_mccaffrey(kept.sum(), **of_rows)
        difference = found["a"][0] - found["b"][0]
        assert row.difference == near(difference)
        assert row.standard_error == near(error)
        assert row.df == near(df)
        assert row.pvalue == near(2 * stats.t.sf(abs(difference) / error, df))


@pytest.mark.parametrize("layout", ["rows", "groups"])
@pytest.mark.parametrize(
    ("scoring", "function"),
    [
        ("roc_auc_ovr", partial(metrics.roc_auc_score, multi_class="ovr")),
        ("roc_auc_ovo", partial(metrics.roc_auc_score, multi_class="ovo")),
        (
            "roc_auc_ovr_weighted",
            partial(metrics.roc_auc_score, multi_class="ovr", average="weighted"),
        ),
        ("f1_macro", partial(metrics.f1_score, average="macro")),
        ("precision_weighted", partial(metrics.precision_score, average="weighted")),
        ("matthews_corrcoef", metrics.matthews_corrcoef),
        ("balanced_accuracy", metrics.balanced_accuracy_score),
    ],
)
def test_averages_over_three_classes_by_brute_force(scoring, function, layout):
    rng = np.random.default_rng(3)
    y = rng.permutation(np.arange(36) % 3)
    logits = np.eye(3)[y] + rng.normal(size=(2, 36, 3))
    given = dict(zip("ab", special.softmax(logits, axis=-1), strict=True))
    groups = np.random.default_rng(4).integers(0, 12, 36) if layout == "groups" else None
    if not scoring.startswith("roc_auc"):
        given = {name: values.argmax(axis=1) for name, values in given.items()}
    found = {name: leave_out(function, y, [p], groups) for name, p in given.items()}
    result = compare_predictions(y, given, scoring=scoring, groups=groups, reference="b")
    test = result[0].test
    assert test.method == "jackknife_t"
    assert test.estimate == near(found["a"][0] - found["b"][0])
    assert test.standard_error == near(standard_error(found["a"][1] - found["b"][1]))
    alone = predictions_inference(y, given["a"], scoring=scoring, groups=groups)
    estimate = found["a"][0]
    to_scale, from_scale, slope = SCALES["Fisher" if scoring.startswith("matth") else "logit"]
    half = stats.t.isf(0.025, alone.df) * standard_error(found["a"][1]) / slope(estimate)
    ends = from_scale(to_scale(estimate) + np.array([-half, half]))
    assert tuple(alone.confidence_interval()) == near(tuple(ends))


def rank_correlation(y, predicted):
    return stats.spearmanr(y, predicted).statistic


def root_of_r2(y, predicted):
    return np.sqrt(1 + metrics.r2_score(y, predicted) / 10)


def of_numbers(n_rows, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=n_rows)
    return y, {"a": y + rng.normal(size=n_rows), "b": 0.7 * y + 0.8 * rng.normal(size=n_rows)}


@pytest.mark.parametrize("function", [rank_correlation, root_of_r2])
@pytest.mark.parametrize("grouped", [False, True])
def test_a_smooth_function_of_the_users_gets_the_jackknife(function, grouped):
    """It is smooth, so that `auto` takes the jackknife; with no known range the scale is none."""
    y, given = of_numbers(60)
    groups = np.arange(60) % 25 if grouped else None
    how = {"scoring": make_scorer(function), "groups": groups}
    found = {name: leave_out(function, y, [values], groups) for name, values in given.items()}
    test = compare_predictions(y, given, reference="b", **how)[0].test
    assert test.method == "jackknife_t"
    assert test.estimate == near(found["a"][0] - found["b"][0])
    assert test.standard_error == near(standard_error(found["a"][1] - found["b"][1]))
    alone = predictions_inference(y, given["a"], **how)
    half = stats.t.isf(0.025, alone.df) * standard_error(found["a"][1])
    assert alone.confidence_interval() == near((alone.estimate - half, alone.estimate + half))


class TestBlocks:
    """A user's function of more than 2,000 units is called on 2,000 blocks of them."""

    y, given = of_numbers(2_300)

    def test_the_standard_error_is_nearly_that_of_all_rows(self):
        test = compare_predictions(self.y, self.given, scoring="r2", reference="b")[0].test
        how = {"scoring": make_scorer(self.same_r2), "reference": "b", "method": "jackknife_t"}
        blocks = compare_predictions(self.y, self.given, **how)[0].test
        assert (test.df, blocks.df) == (2_299, 1_999)
        assert blocks.estimate == near(test.estimate)
        assert blocks.standard_error == pytest.approx(test.standard_error, rel=0.1)
        again = compare_predictions(self.y, self.given, random_state=1, **how)[0].test
        assert again.standard_error != blocks.standard_error
        assert again.standard_error == pytest.approx(test.standard_error, rel=0.1)

    @staticmethod
    def same_r2(y, predicted):
        return 1 - np.square(y - predicted).sum() / np.square(y - y.mean()).sum()

    @pytest.mark.parametrize("grouped", [False, True])
    def test_each_block_is_left_out_once(self, grouped):
        n_left_out = []

        def mean_of_rows_left(y, predicted):
            n_left_out.append(len(self.y) - len(y))
            return np.mean(y * predicted)

        groups = np.arange(2_300) // 2 if grouped else None
        how = {"scoring": make_scorer(mean_of_rows_left), "groups": groups, "n_jobs": 1}
        predictions_inference(self.y, self.given["a"], method="jackknife_t", **how)
        counts = np.bincount(n_left_out)
        if grouped:  # 1,150 groups of two rows
            assert counts[2] == 1_150
        else:
            assert (counts[1], counts[2]) == (1_700, 300)


def share_in_the_top_ten(y, scores):
    return y[np.argsort(-scores, kind="stable")[:10]].mean()


def ninth_decile_of_errors(y, predicted):
    return np.quantile(np.abs(y - predicted), 0.9)


NOT_SMOOTH = {
    "median": "neg_median_absolute_error",
    "top ten": make_scorer(share_in_the_top_ten),
    "decile": make_scorer(ninth_decile_of_errors, greater_is_better=False),
}


@pytest.mark.parametrize("metric", NOT_SMOOTH)
def test_what_is_not_smooth_is_resampled(metric):
    y, given = of_numbers(80)
    result = compare_predictions(y, given, scoring=NOT_SMOOTH[metric])
    assert result[0].test.method == "bootstrap"
    alone = predictions_inference(y, given["a"], scoring=NOT_SMOOTH[metric], n_resamples=2_500)
    assert alone.method == "bootstrap"


@pytest.mark.parametrize("method", ["auto", "jackknife_t", "bootstrap"])
def test_the_largest_error_is_refused(method):
    y, given = of_numbers(80)
    for scoring in ("neg_max_error", make_scorer(metrics.max_error, greater_is_better=False)):
        with pytest.raises(ValueError, match=r"max_error"):
            compare_predictions(y, given, scoring=scoring, method=method)
        with pytest.raises(ValueError, match=r"max_error"):
            predictions_inference(y, given["a"], scoring=scoring, method=method)


@pytest.mark.parametrize("option", [{"n_resamples": 3_000}, {"stratify": True}])
@pytest.mark.parametrize("method", ["auto", "jackknife_t"])
def test_options_of_the_bootstrap_are_refused_elsewhere(option, method):
    case = brute("f1", "rows")
    (name,) = option
    for door, given in (
        (compare_predictions, case.given),
        (predictions_inference, case.given["a"]),
    ):
        with pytest.raises(ValueError, match=f"{name}.*bootstrap"):
            door(case.y, given, method=method, **option, **case.options)


def needs_the_sixth_row(y, predicted):
    """Return a correlation, or raise without the only target of 9."""
    if 9 not in y:
        raise ValueError("no target of 9")
    return np.corrcoef(y, predicted)[0, 1]


@pytest.mark.parametrize("scoring", ["average_precision", "r2", "recall", "user"])
def test_a_metric_that_is_undefined_without_a_row_is_refused(scoring):
    y = (np.arange(40) == 5).astype(int)
    scores = np.random.default_rng(0).normal(size=(2, 40)) + y
    if scoring == "user":
        scoring = make_scorer(needs_the_sixth_row)
        y = np.where(y == 1, 9.0, scores[0] - scores[1])
    if scoring == "recall":
        scores = (scores > 0.5).astype(int)
    given = dict(zip("ab", scores, strict=True))
    with pytest.raises(ValueError, match="without") as error:
        compare_predictions(y, given, scoring=scoring, method="jackknife_t")
    assert "5" in str(error.value)  # the row is named


def labels_with(n_hits, n_missed, n_false, n_right):
    """Return the target and the labels of a table of two classes."""
    counts = n_hits, n_missed, n_false, n_right
    return np.repeat([1, 1, 0, 0], counts), np.repeat([1, 0, 1, 0], counts)


def wilson(share, n, level):
    z = stats.norm.isf((1 - level) / 2)
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    return middle - half, middle + half


@pytest.mark.parametrize(
    ("scoring", "table", "share", "n"),
    [
        ("recall", (12, 0, 3, 30), 1, 12),
        ("recall", (0, 12, 3, 30), 0, 12),
        ("precision", (9, 4, 0, 30), 1, 9),
        ("precision", (0, 4, 9, 30), 0, 9),
    ],
)
@pytest.mark.parametrize("level", [0.5, 0.95, 0.99])
def test_shares_of_0_and_1_have_wilsons_interval(scoring, table, share, n, level):
    y, labels = labels_with(*table)
    null = 0.7
    test = predictions_inference(y, labels, scoring=scoring, null_value=null)
    assert test.estimate == share
    ends = wilson(share, n, level)
    assert test.confidence_interval(level) == pytest.approx(ends, abs=1e-9)
    z = (share - null) / np.sqrt(null * (1 - null) / n)
    assert test.title == "Wilson score test"
    assert test.pvalue == pytest.approx(2 * stats.norm.sf(abs(z)), rel=1e-9)


@pytest.mark.parametrize("scoring", ["f1", "matthews_corrcoef", "balanced_accuracy", "f1_macro"])
def test_a_perfect_score_that_is_no_share_is_undetermined(scoring):
    y, labels = labels_with(12, 0, 0, 30)
    test = predictions_inference(y, labels, scoring=scoring)
    assert test.estimate == 1
    assert test.standard_error == 0
    assert test.undetermined
    assert "undetermined" in str(test)
    assert "interval" not in str(test)


def test_equal_models_have_no_variance():
    case = brute("f1", "rows")
    given = {"a": case.given["a"], "b": case.given["a"]}
    test = compare_predictions(case.y, given, **case.options)[0].test
    assert test.estimate == test.standard_error == 0
    assert test.undetermined


@pytest.mark.parametrize("metric", ["f1", "ap"])
def test_labels_of_text_and_frames(metric):
    case = brute(metric, "groups and weights")
    plain = compare_predictions(case.y, case.given, **case.options)[0]
    index = pd.Index([f"row {k}" for k in range(N_ROWS)])
    words = np.array(["no", "yes"])
    y = pd.Series(words[case.y], index=index)
    frame = pd.DataFrame(case.given, index=index).apply(special.expit)  # of the same ranks
    scoring = make_scorer(
        metrics.average_precision_score, pos_label="yes", response_method="predict_proba"
    )
    if metric == "f1":
        frame = pd.DataFrame({name: words[run] for name, run in case.given.items()}, index=index)
        scoring = make_scorer(metrics.f1_score, pos_label="yes")
    of_rows = {
        name: pd.Series(case.options[name], index=index) for name in ("groups", "sample_weight")
    }
    pair = compare_predictions(y, frame, scoring=scoring, **of_rows)[0]
    assert (pair.estimator, pair.versus) == (plain.estimator, plain.versus)
    assert pair.test.method == "jackknife_t"
    assert pair.test.estimate == near(plain.test.estimate)
    assert pair.test.standard_error == near(plain.test.standard_error)
    assert pair.test.df == near(plain.test.df)
    shuffled = compare_predictions(y, frame.iloc[::-1], scoring=scoring, **of_rows)[0]
    assert shuffled.test.standard_error == near(plain.test.standard_error)


@pytest.mark.parametrize("metric", ["f1", "mcc", "ap", "r2", "rmse"])
def test_rows_of_weight_0_are_left_out_and_whole_weights_of_one_are_none(metric):
    case = brute(metric, "rows")
    plain = compare_predictions(case.y, case.given, **case.options)[0]
    ones = compare_predictions(case.y, case.given, sample_weight=np.ones(N_ROWS), **case.options)[0]
    doubled = {name: np.r_[values, values[::-1]] for name, values in case.given.items()}
    zero = np.r_[np.ones(N_ROWS), np.zeros(N_ROWS)]
    y = np.r_[case.y, case.y[::-1]]
    without = compare_predictions(y, doubled, sample_weight=zero, **case.options)[0]
    for pair in (ones, without):
        assert pair.test.estimate == near(plain.test.estimate)
        assert pair.test.standard_error == near(plain.test.standard_error)
        assert pair.test.df == near(plain.test.df)
        assert pair.test.pvalue == near(plain.test.pvalue)


@pytest.mark.parametrize("metric", ["f1", "balanced", "ap", "r2", "rmse"])
def test_a_row_in_each_group_is_no_groups(metric):
    case = brute(metric, "rows")
    plain = compare_predictions(case.y, case.given, **case.options)[0]
    groups = np.random.default_rng(0).permutation(N_ROWS)
    grouped = compare_predictions(case.y, case.given, groups=groups, **case.options)[0]
    assert grouped.test.standard_error == near(plain.test.standard_error)
    assert grouped.test.df == near(plain.test.df)


@pytest.mark.parametrize("metric", ["f1", "mcc", "rmse", "r2"])
def test_saved_results_keep_the_scale_of_single_scores(metric):
    case = brute(metric, "groups")
    result = compare_predictions(case.y, case.given, **case.options)
    again = ComparisonResult.from_json(result.to_json())
    assert again.ranking().equals(result.ranking())
    to_scale, from_scale, slope = case.scale
    ranking = again.ranking().set_index("estimator")
    for name, estimate in case.estimates.items():
        half = stats.t.isf(0.025, case.df) * standard_error(case.pseudo_values[name])
        ends = from_scale(to_scale(estimate) + np.array([-half, half]) / slope(estimate))
        assert tuple(ranking.loc[name, ["low", "high"]]) == near(tuple(np.minimum(ends, 1)))


def test_a_report_does_not_say_that_the_metric_is_of_each_row():
    case = brute("f1", "groups")
    report = evaluation_report(compare_predictions(case.y, case.given, **case.options))
    text = " ".join(report.to_markdown().split())
    assert "The difference, on the same rows, was tested by the jackknife t-test" in text
    assert "its standard error is the jackknife that leaves out one group at a time" in text
    assert "row by row" not in text


def test_perfect_and_other_recalls_stand_in_one_table():
    y, labels = labels_with(12, 5, 3, 30)
    given = {"perfect": y, "other": labels}
    estimate, pseudo_values = leave_out(metrics.recall_score, y, [labels])
    half = stats.t.isf(0.025, len(y) - 1) * standard_error(pseudo_values)
    half /= estimate * (1 - estimate)
    ends = special.expit(special.logit(estimate) + np.array([-half, half]))
    compared = compare_predictions(y, given, scoring="recall")
    again = ComparisonResult.from_json(compared.to_json())
    several = predictions_inference(y, given, scoring="recall", null_value=0.8).to_frame(full=True)
    for frame in (compared.ranking(), again.ranking(), several):
        row = frame.set_index("estimator")[["low", "high"]]
        assert tuple(row.loc["perfect"]) == pytest.approx(wilson(1, 17, 0.95), abs=1e-9)
        assert tuple(row.loc["other"]) == near(tuple(ends))
    pvalues = several.set_index("estimator")["pvalue"]
    z = (1 - 0.8) / np.sqrt(0.8 * 0.2 / 17)
    assert pvalues["perfect"] == pytest.approx(2 * stats.norm.sf(z))


def test_a_count_has_the_interval_of_a_mean():
    y = np.tile([0, 1], 50)
    p = np.where(np.arange(100) < 10, 1 - y, y)
    scoring = metrics.make_scorer(metrics.accuracy_score, normalize=False)
    found = predictions_inference(y, p, scoring=scoring)
    assert found.estimate == 90
    # Its pseudo-values are 90 + 99 x of rows that are right, x = 1, or are not.
    values = 90 + 99 * ((y == p) - 0.9)
    wanted = stats.ttest_1samp(values, 0).confidence_interval()
    np.testing.assert_allclose(found.confidence_interval(), wanted)
