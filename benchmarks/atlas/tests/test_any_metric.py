"""Metrics that are no means over rows: their row scores, their splits, and the rule for them."""

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics

from benchmarks.atlas import any_metric, cells, designs, page, rule
from benchmarks.atlas.procedures import ROW_T, SAME_FOLDS, TENTHS

OURS = {
    "F1": lambda y, p: metrics.f1_score(y, p > 0.5),
    "macro F1": lambda y, p: metrics.f1_score(y, p > 0.5, average="macro", labels=[0, 1]),
    "balanced accuracy": lambda y, p: metrics.balanced_accuracy_score(y, p > 0.5),
    "Matthews correlation": lambda y, p: metrics.matthews_corrcoef(y, p > 0.5),
    "AUC": metrics.roc_auc_score,
    "average precision": metrics.average_precision_score,
    "R2": metrics.r2_score,
    "RMSE": lambda y, p: -metrics.root_mean_squared_error(y, p),
}


@pytest.mark.parametrize("metric", any_metric.METRICS)
def test_rows_are_left_out_one_by_one(metric):
    rng = np.random.default_rng(0)
    y = (rng.random(50) < 0.4).astype(float)
    p = np.round(np.clip(0.5 * y + rng.normal(0.3, 0.3, size=50), 0, 1), 1)
    if metric in ("R2", "RMSE"):
        y += rng.normal(size=50)
    starts = [0, 20, 50]
    found = any_metric.pseudo_values(metric, y, p, starts)
    for start, end in ((0, 20), (20, 50)):
        rows, whole = np.arange(start, end), OURS[metric](y[start:end], p[start:end])
        without = [
            OURS[metric](np.delete(y[rows], k), np.delete(p[rows], k)) for k in range(len(rows))
        ]
        off = (len(rows) - 1) * (whole - np.array(without))
        np.testing.assert_allclose(found[rows], whole + off - off.mean(), rtol=1e-9, atol=1e-12)


def test_splits_have_the_shares_of_the_classes():
    classes = np.repeat([0, 1], [80, 20])
    splits = designs.draw(np.random.default_rng(0), "stratified", np.arange(100), classes)
    assert {int(classes[test].sum()) for test in splits.tests[:20]} == {2}
    assert {int(classes[test].sum()) for test in splits.tests[20:]} == {4}
    for repeat in range(4):
        rows = np.concatenate(splits.tests[20 + 5 * repeat : 25 + 5 * repeat])
        np.testing.assert_array_equal(np.sort(rows), np.arange(100))


def test_the_share_of_positives_is_what_it_is_called():
    for name, share in (("equal columns, 20 %", 0.2), ("equal columns, 50 %", 0.5)):
        X, y = any_metric.EQUAL[name].draw(np.random.default_rng(0), 20_000)
        assert abs(y.mean() - share) < 0.012  # four standard errors
        together = [np.corrcoef(X[:, k], y)[0, 1] for k in range(12)]
        assert np.ptp(together) < 0.05


def test_settings_are_those_that_were_planned():
    every = [one for one in cells.settings() if one.tier > 7]
    assert {one.n_data_sets for one in every if one.tier < 10} == {200}
    assert not any(one.is_kept for one in every)
    of_gauss = next(one for one in every if (one.population, one.n_rows) == ("gauss", 300))
    singles = {t.metric for t in of_gauss.targets if t.a == "tree" and not t.b}
    assert singles == {"F1", "macro F1", "balanced accuracy", "Matthews correlation"}
    assert {t.kind for one in every if one.tier == 10 for t in one.targets} == {"null"}


def table_of(missed, tier=8, kind="single", metric="F1"):
    """Return a table of one cell: misses of 100 by the row t, the same folds, and tenths."""
    of = {
        "tier": tier,
        "kind": kind,
        "metric": metric,
        "data_sets": 100,
        "drawn": 100,
        "a": "tree",
        "b": "",
    }
    of |= {"setting": "s", "population": "gauss", "n_rows": 100, "truth_error": 0.0}
    return pd.DataFrame(
        {**of, "procedure": name, "missed_95": m, "mean_length": 1.0}
        for name, m in zip((ROW_T, SAME_FOLDS, TENTHS), missed, strict=True)
    )


@pytest.mark.parametrize(
    ("missed", "tier", "kind", "holds"),
    [
        ((8, 7, 12), 8, "single", True),
        ((9, 9, 12), 8, "single", False),  # above .08
        ((8, 6, 12), 8, "single", False),  # two points above the same folds
        ((5, 1, 12), 9, "different", True),
        ((6, 6, 12), 9, "different", False),
        ((6, 6, 12), 10, "null", True),
        ((7, 7, 12), 10, "null", False),
        ((3, 3, 3), 10, "null", False),  # not below the random tenths
    ],
)
def test_the_rule(missed, tier, kind, holds):
    found = rule.judge_any_metric(table_of(missed, tier, kind))
    assert found["holds"].tolist() == [holds]
    text = page.any_metric(table_of(missed, tier, kind))
    assert ("all but F1" in text) == (not holds)


def test_cells_whose_true_value_is_not_known_are_not_judged():
    known, vague = table_of((3, 3, 9)), table_of((50, 50, 60)).assign(a="linear", truth_error=0.03)
    both = pd.concat([known, vague])
    assert rule.judge_any_metric(both)["size"].tolist() == [0.03]
    of_all = rule.judge_any_metric(both, of_all=True)
    assert of_all["size"].tolist() == [0.265]
    text = page.any_metric(both)
    assert "for all of these metrics" in text
    assert "fails for F1, single scores: 26.5 / 26.5 / 34.5 %" in text
