"""The designs, and the procedures on them, against scikit-learn, skcvstats and others."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import stats as laws
from sklearn.metrics import roc_auc_score

from benchmarks.atlas import cells, designs, learners, populations, procedures, simulation
from skcvstats import (
    HoldoutTTest,
    ResampledTTest,
    RowTTest,
    compare_estimators,
    cross_val_inference,
)
from skcvstats.fitting._metrics import read_metric
from skcvstats.stats import five_by_two_cv_ftest

KEPT = {"populations": [], "learners": []}


def setting_of(population, n_rows, tier=1):
    every = cells.settings(KEPT)
    key = (population, n_rows, tier)
    return next(one for one in every if (one.population, one.n_rows, one.tier) == key)


@pytest.mark.parametrize("kind", ["quick", "slow", "auxiliary"])
def test_designs(kind):
    splits = designs.draw(np.random.default_rng(0), kind, np.arange(100))
    split, row = splits.pairs()
    train = np.array(splits.train)
    own = row < 100
    assert not train[split[own], row[own]][split[own] != splits.fresh.get("1", -1)].any()
    for name, (first, shape, size, n_train, _) in splits.blocks.items():
        part = slice(first, first + np.prod(shape))
        assert (train[part].sum(axis=1) == n_train).all()
        assert size in ("3/5", "2/5", "2/3") or (n_train == eval(size) * 100).all()
        if "folds of" in name and "pairs" not in name:
            tests = np.concatenate(splits.tests[part]).reshape(shape[0], 100)
            assert (np.sort(tests, axis=1) == np.arange(100)).all()
    for k, first in enumerate(splits.fresh.values()):
        at = slice(*splits.starts[len(splits.tests) + k :][:2])
        assert (row[at] >= 100).all()
        assert (split[at] == first).all()


def test_designs_of_groups_keep_them_whole():
    codes = np.repeat(np.arange(10), [1, 2, 3, 4, 5, 6, 7, 8, 9, 55])
    splits = designs.draw(np.random.default_rng(0), "groups", codes)
    for train, test in zip(splits.train, splits.tests, strict=True):
        assert not {*codes[train]} & {*codes[test]}
        assert train.sum() + len(test) == 100


def test_no_folds_of_few_groups_come_twice():
    for seed in range(60):
        splits = designs.draw(np.random.default_rng(seed), "groups", np.arange(10))
        first, (n_repeats, n_folds), *_ = splits.blocks["folds of 5"]
        tests = [frozenset(test.tolist()) for test in splits.tests[first:][: n_repeats * n_folds]]
        assert len({frozenset(tests[k : k + 5]) for k in range(0, 40, 5)}) == n_repeats == 8


def test_further_copies_leave_the_first_two_as_they_are():
    """What is computed for two copies does not depend on how many others there are."""
    setting = setting_of("plane", 40)
    names = [cells.Target("squared error", f"linear~{k}", "", "single") for k in range(1, 6)]
    found = [
        next(simulation.scores_of(replace(setting, targets=tuple(names[:k])), 0))[1].values
        for k in (2, 5)
    ]
    np.testing.assert_array_equal(found[0], found[1][:2])
    assert len({*found[1].mean(axis=1)}) == 5


def test_areas_of_rows_are_the_packages():
    rng = np.random.default_rng(0)
    y, p = rng.integers(2, size=60), np.round(rng.random(60), 1)
    starts = np.array([0, 20, 40, 50, 60])
    y[50:] = 1
    found, area = simulation.area_rows(y, p, starts), read_metric("roc_auc")
    for start, end in ((0, 20), (20, 40), (40, 50)):
        part = slice(start, end)
        np.testing.assert_allclose(found[part], area.rows.score((y[part], p[part])))
        assert found[part].mean() == pytest.approx(roc_auc_score(y[part], p[part]))
    assert np.isnan(found[50:]).all()


def test_the_values_that_the_f_test_does_not_reject():
    setting = setting_of("gauss", 100)
    targets, rows, y = next(simulation.scores_of(setting, 0))
    entries = procedures.BY_DESIGN["quick"]
    found = procedures.answers(rows, {"5x2 F": entries["5x2 F"]}, y)[0, 0]
    x = rows.means("halves").reshape(len(targets), 10)
    for k in np.flatnonzero(np.isfinite(found[2]) & (found[2] > 0))[:20]:
        for end in (-1, 1):
            for level, half in ((0.05, found[2, k]), (0.1, found[3, k])):
                result = five_by_two_cv_ftest(x[k], null_value=found[0, k] + end * half)
                assert result.pvalue == pytest.approx(level)


@pytest.mark.parametrize(
    "case",
    json.loads((Path(__file__).parent / "nested_cv.json").read_text())["cases"],
    ids=lambda case: case["id"],
)
def test_nested_cross_validation_is_the_authors(case):
    given, wanted = case["inputs"], case["outputs"]
    Z = np.column_stack([np.ones(len(given["y"])), given["x1"], given["x2"]])
    y, labels = np.array(given["y"]), np.array(given["nested_fold_ids_per_rep"])

    def losses(train, test):
        slopes = np.linalg.lstsq(Z[train], y[train], rcond=None)[0]
        off = y[test] - Z[test] @ slopes
        return off**2 if given["loss"] == "se" else np.abs(off)

    n_folds, n = given["n_folds"], len(y)
    inner = np.full((len(labels), n_folds, 1, n), np.nan)
    outer = np.empty((len(labels), 1, n))
    for r, fold in enumerate(labels):
        for i in range(1, n_folds + 1):
            outer[r, 0, fold == i] = losses(fold != i, fold == i)
            for j in {*range(1, n_folds + 1)} - {i}:
                inner[r, i - 1, 0, fold == j] = losses((fold != i) & (fold != j), fold == j)
    usual = np.nanmean(inner)
    if given["bias_reps"]:
        naive = [
            losses(np.array(fold) != k, np.array(fold) == k)
            for fold in given["naive_cv_fold_ids_per_bias_rep"]
            for k in range(1, n_folds + 1)
        ]
        usual = np.concatenate(naive).mean()
    found = procedures.nested_interval(inner, outer, labels - 1, np.array([usual]))[:, 0]
    assert found[0] == pytest.approx(wanted["err_hat"])
    half = found[1] * laws.norm.isf(given["alpha"] / 2)
    assert found[0] + half == pytest.approx(wanted["ci_hi"])


CASES = [
    ("gauss", "accuracy", "accuracy", "logistic", "naive Bayes"),
    ("gauss", "log loss", "neg_log_loss", "logistic", ""),
    ("gauss", "AUC", "roc_auc", "naive Bayes", "10-NN"),
    ("plane", "absolute error", "neg_mean_absolute_error", "linear", "10-NN"),
    ("plane", "squared error", "neg_mean_squared_error", "ridge", ""),
]


@pytest.mark.filterwarnings("ignore::skcvstats.AnticonservativeWarning")
@pytest.mark.filterwarnings("ignore::skcvstats.SplitDesignWarning")
@pytest.mark.parametrize(("population", "metric", "scoring", "a", "b"), CASES)
def test_a_cell_is_what_refits_and_the_packages_doors_give(population, metric, scoring, a, b):
    """One data set, by scikit-learn's own estimators and scorers, fitted split by split."""
    setting = setting_of(population, 100)
    target = next(t for t in setting.targets if (t.metric, t.a, t.b) == (metric, a, b))
    setting = replace(setting, targets=(target,))
    answers, truths = simulation.answer(setting, 7)
    X, y, splits, _ = simulation.draw(setting, 7)
    is_regression = not populations.ALL[population].is_classes
    models = {name: learners.ESTIMATORS[name][is_regression] for name in (a, b) if name}
    if "logistic" in models:
        models["logistic"].set_params(tol=1e-10, max_iter=10_000)
    names = list(procedures.BY_DESIGN["quick"])

    def check(procedure, method, block, shape):
        first, *_ = splits.blocks[block]
        part = slice(first, first + shape)
        cv = [
            (np.flatnonzero(train), test)
            for train, test in zip(splits.train[part], splits.tests[part], strict=True)
        ]
        options = {"scoring": scoring, "cv": cv, "method": method}
        if b:
            pair = compare_estimators(models, X[:100], y[:100], reference=b, **options)
            (result,) = pair.tests
        else:
            result = cross_val_inference(models[a], X[:100], y[:100], **options)
        estimate, error, half, half_90 = answers[names.index(procedure), :4, 0]
        assert estimate == pytest.approx(result.estimate, abs=1e-6)
        assert error == pytest.approx(result.standard_error, rel=1e-4)
        low, high = result.confidence_interval(0.95)
        assert half == pytest.approx((high - low) / 2, rel=1e-4)
        low, high = result.confidence_interval(0.9)
        assert half_90 == pytest.approx((high - low) / 2, rel=1e-4)

    check("corrected t, 20 tenths", "corrected_resampled_t", "tenths", 20)
    check("usual t, 20 tenths", ResampledTTest(), "tenths", 20)
    check("corrected t, 4x5", "corrected_resampled_t", "folds of 5", 20)
    check("row t, 4x5", "row_t", "folds of 5", 20)
    check("row t, 1x5", RowTTest(n_repeats=1), "folds of 5", 5)
    check("plain interval, 1x10", PLAIN, "folds of 10", 10)
    if metric != "AUC":
        check("holdout", HoldoutTTest(), "holdout", 1)
    assert np.isfinite(truths).all()


PLAIN = RowTTest(n_repeats=1, n_folds=10, inflation=0.0)
