"""Areas under ROC curves: pROC, definitions by pairs of rows, groups of one row."""

import itertools

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.metrics import roc_auc_score

from skcvstats import compare_predictions, predictions_inference
from skcvstats.test_set import DeLongTest, delong_auc
from skcvstats.test_set._delong import auc_scores
from tests.conftest import golden_cases

RTOL = 1e-12


def data(seed=0, n=50, n_models=3, digits=1, n_groups=15):
    random = np.random.RandomState(seed)
    groups = random.randint(0, n_groups, n)
    y = (random.normal(size=n) + random.normal(size=n_groups)[groups] > 0).astype(int)
    return y, np.round(y + random.normal(size=(n_models, n)), digits), groups


@pytest.mark.parametrize("case", golden_cases("pROC_delong"), ids=lambda case: case["id"])
def test_against_pROC(case):  # noqa: N802
    inputs, outputs = case["inputs"], case["outputs"]
    found = delong_auc(inputs["y"], [inputs["score_a"], inputs["score_b"]])
    assert found.estimate == pytest.approx([outputs["auc_a"], outputs["auc_b"]], rel=RTOL)
    wanted = [outputs["variance_a"], outputs["covariance"], outputs["variance_b"]]
    assert found.covariance[[0, 0, 1], [0, 1, 1]] == pytest.approx(wanted, rel=1e-10)
    predictions = {"a": inputs["score_a"], "b": inputs["score_b"]}
    test = compare_predictions(inputs["y"], predictions, scoring="roc_auc")[0].test
    assert test.statistic == pytest.approx(outputs["statistic"], rel=1e-9)
    assert test.pvalue == pytest.approx(outputs["pvalue"], rel=1e-9)
    alone = predictions_inference(inputs["y"], inputs["score_a"], scoring="roc_auc")
    for level in (0.95, 0.9):
        half = norm.isf((1 - level) / 2) * alone.standard_error  # pROC's, and clipped by it
        ends = np.clip([alone.estimate - half, alone.estimate + half], 0, 1)
        assert ends == pytest.approx(outputs[f"ci{100 * level:.0f}_a"], rel=1e-9)


def by_definition(y, scores, groups):
    """Areas and Obuchowski's covariance from all pairs of rows."""
    positive, negative = np.flatnonzero(y == 1), np.flatnonzero(y == 0)
    m, n = len(positive), len(negative)
    wins = np.array(
        [[[(s[i] > s[j]) + (s[i] == s[j]) / 2 for j in negative] for i in positive] for s in scores]
    )
    areas = wins.mean(axis=(1, 2))
    v10, v01 = wins.mean(axis=2) - areas[:, None], wins.mean(axis=1) - areas[:, None]
    labels = np.unique(groups)
    a = np.array([v10[:, groups[positive] == g].sum(axis=1) for g in labels])
    b = np.array([v01[:, groups[negative] == g].sum(axis=1) for g in labels])
    i10 = len(np.unique(groups[positive]))
    i01 = len(np.unique(groups[negative]))
    both = len(labels)
    covariance = (
        i10 / ((i10 - 1) * m**2) * (a.T @ a)
        + i01 / ((i01 - 1) * n**2) * (b.T @ b)
        + both / ((both - 1) * m * n) * (a.T @ b + b.T @ a)
    )
    return areas, covariance


@pytest.mark.parametrize(("seed", "digits"), list(itertools.product(range(3), (0, 1, 8))))
def test_against_the_definition(seed, digits):
    y, scores, groups = data(seed, digits=digits)
    areas, covariance = by_definition(y, scores, groups)
    found = delong_auc(y, scores, groups)
    assert found.estimate == pytest.approx(areas, rel=RTOL)
    assert found.estimate == pytest.approx([roc_auc_score(y, s) for s in scores], rel=RTOL)
    assert found.covariance == pytest.approx(covariance, rel=1e-9, abs=1e-15)


def test_one_row_in_each_group_is_no_groups():
    y, scores, _ = data()
    alone, grouped = delong_auc(y, scores), delong_auc(y, scores, np.arange(len(y)))
    assert grouped.covariance == pytest.approx(alone.covariance, rel=RTOL)
    assert grouped.n_squares == alone.n_squares == min(y.sum(), len(y) - y.sum()) - 1


def test_only_the_order_of_the_scores_matters():
    y, scores, groups = data()
    moved = delong_auc(y, np.exp(3 * scores) - 7, groups)
    assert np.array_equal(moved.covariance, delong_auc(y, scores, groups).covariance)


def test_exchanged_classes_mirror_the_area():
    y, scores, groups = data()
    mirrored = delong_auc(1 - y, -scores, groups)
    found = delong_auc(y, scores, groups)
    assert mirrored.estimate == pytest.approx(found.estimate, rel=RTOL)
    assert mirrored.covariance == pytest.approx(found.covariance, rel=1e-9)


def test_pairs_are_those_of_the_covariance():
    y, scores, groups = data(n_models=4)
    found = auc_scores(y, [[s] for s in scores], labels="abcd", metric="roc_auc", groups=groups)
    covariance = delong_auc(y, scores, groups).covariance
    first, second = np.triu_indices(4, k=1)
    errors = DeLongTest().run(found.differences(first, second)).standard_error
    variances = covariance[first, first] + covariance[second, second]
    variances -= 2 * covariance[first, second]
    assert errors**2 == pytest.approx(variances, rel=1e-8)


def test_repeats_are_averaged():
    y, scores, _ = data(n_models=3)
    found = predictions_inference(y, [scores[0], scores[1]], scoring="roc_auc")
    whole = delong_auc(y, scores)
    assert found.estimate == pytest.approx(whole.estimate[:2].mean(), rel=RTOL)
    variance = whole.covariance[:2, :2].sum() / 4  # of the mean of two areas
    assert found.standard_error**2 == pytest.approx(variance, rel=1e-10)


@pytest.mark.filterwarnings("ignore::skcvstats.exceptions.DegenerateScoresWarning")
@pytest.mark.filterwarnings("ignore::skcvstats.exceptions.SplitDesignWarning")
def test_defined_answers_where_nothing_varies():
    y = np.repeat([0, 1], 8)
    predictions = {"constant": np.full(16, 0.3), "same": np.full(16, 7.0), "perfect": y + 0.0}
    result = compare_predictions(y, predictions, scoring="roc_auc")
    assert all(comparison.outcome == "undetermined" for comparison in result)
    assert result.ranking()["score"].tolist() == [1.0, 0.5, 0.5]
