"""Areas under ROC curves: pROC, and leaving out one group at a time."""

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.metrics import roc_auc_score

from skcvstats import compare_predictions, predictions_inference
from skcvstats.test_set import DeLongTest, clustered_mean, delong_auc
from tests.conftest import golden_cases, ignoring

from .components import areas_of

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
    options = {"scoring": "roc_auc", "reference": "b"}
    test = compare_predictions(inputs["y"], predictions, **options)[0].test
    assert test.statistic == pytest.approx(outputs["statistic"], rel=1e-9)
    assert test.pvalue == pytest.approx(outputs["pvalue"], rel=1e-9)
    alone = predictions_inference(inputs["y"], inputs["score_a"], scoring="roc_auc")
    for level in (0.95, 0.9):
        half = norm.isf((1 - level) / 2) * alone.standard_error  # pROC's, and clipped by it
        ends = np.clip([alone.estimate - half, alone.estimate + half], 0, 1)
        assert ends == pytest.approx(outputs[f"ci{100 * level:.0f}_a"], rel=1e-9)


def without_each_group(y, scores, groups):
    """The areas of the rows that stay, by scikit-learn, for each group that goes."""
    stay = [groups != g for g in np.unique(groups)]
    return np.array([[roc_auc_score(y[rows], s[rows]) for rows in stay] for s in scores])


@pytest.mark.parametrize(("seed", "digits"), [(0, 0), (1, 1), (2, 8)])
def test_the_covariance_of_leaving_out_one_group_at_a_time(seed, digits):
    y, scores, groups = data(seed, digits=digits)
    found = delong_auc(y, scores, groups)
    assert found.estimate == pytest.approx([roc_auc_score(y, s) for s in scores], rel=RTOL)
    moves = without_each_group(y, scores, groups) - found.estimate[:, None]
    n_groups = moves.shape[1]
    covariance = (n_groups - 1) / n_groups * moves @ moves.T
    assert found.covariance == pytest.approx(covariance, rel=1e-9, abs=1e-15)
    least = min(len(np.unique(groups[y == k])) for k in (0, 1))
    assert found.n_squares == least - 1


def test_one_row_in_each_group_is_leaving_out_one_row():
    """(N-1)/N (S10/(m-1) + S01/(n-1)), where DeLong's is S10/m + S01/n."""
    y, scores, _ = data()
    found = delong_auc(y, scores, [f"row {k}" for k in range(50)])
    alone = delong_auc(y, scores)
    moves = without_each_group(y, scores, np.arange(50)) - alone.estimate[:, None]
    assert found.covariance == pytest.approx(49 / 50 * moves @ moves.T, rel=1e-9)
    assert found.standard_error == pytest.approx(alone.standard_error, rel=0.05)
    assert found.n_squares == alone.n_squares == min(y.sum(), 50 - y.sum()) - 1
    assert (found.df, alone.df) == (found.n_squares, np.inf)


@pytest.mark.filterwarnings("ignore:Only 8 groups")
def test_degrees_of_freedom_with_groups():
    """Of a difference the smallest number of groups less 1; of one area those of its placements."""
    sizes = np.repeat(np.arange(9), [40, 20, 10, 10, 5, 5, 4, 4, 2])
    y = np.arange(100) % 2
    y[sizes == 8] = 0  # a group without a positive
    scores = y + np.random.RandomState(0).normal(size=(2, 100))
    predictions = dict(zip("ab", scores, strict=True))
    found = compare_predictions(y, predictions, scoring="roc_auc", groups=sizes)
    assert found[0].test.df == 7
    alone = predictions_inference(y, scores[0], scoring="roc_auc", groups=sizes).df
    by_class = [clustered_mean(scores[0][y == k], sizes[y == k]).df for k in (0, 1)]
    assert alone == pytest.approx(min(by_class), rel=1e-9)
    assert 1 < alone < 7


def test_groups_that_are_like_two_are_noted():
    y, codes = np.arange(150) % 2, np.repeat(np.arange(12), [65, 65, *[2] * 10])
    scores = y + np.random.RandomState(0).normal(size=(2, 150))

    def notes(groups):
        found = areas_of(y, scores, "ab", groups)
        return {note.code: note.text for note in found.notes}

    assert "12 groups have the effective number 2.65" in notes(codes)["effective groups"]
    three = np.repeat(np.arange(15), [48, 48, 42, *[1] * 12])  # like 3.4
    assert "reject up to 19 % of true null hypotheses" in notes(three)["effective groups"]
    assert notes(np.arange(150) % 15) == {}
    assert list(notes(np.arange(150) % 5)) == ["few groups"]
    # equal groups, of which two contain nearly all positives
    y = (np.arange(150) % 15 < 2) | (np.arange(150) < 5)
    text = notes(np.arange(150) % 15)["effective groups"]
    assert "of the positives)" in text


def test_exchanged_classes_mirror_the_area():
    y, scores, groups = data()
    mirrored = delong_auc(1 - y, -scores, groups)
    found = delong_auc(y, scores, groups)
    moved = delong_auc(y, np.exp(3 * scores) - 7, groups)  # only the order matters
    assert np.array_equal(moved.covariance, found.covariance)
    assert mirrored.estimate == pytest.approx(found.estimate, rel=RTOL)
    assert mirrored.covariance == pytest.approx(found.covariance, rel=1e-9)


def test_pairs_are_those_of_the_covariance():
    y, scores, groups = data(n_models=4)
    found = areas_of(y, scores, "abcd", groups)
    covariance = delong_auc(y, scores, groups).covariance
    first, second = np.triu_indices(4, k=1)
    errors = DeLongTest().run(found.differences(first, second)).standard_error
    variances = covariance[first, first] + covariance[second, second]
    variances -= 2 * covariance[first, second]
    assert errors**2 == pytest.approx(variances, rel=1e-8)


@pytest.mark.parametrize("grouped", [False, True])
def test_repeats_are_averaged(grouped):
    y, scores, groups = data()
    groups = groups if grouped else None
    found = predictions_inference(y, list(scores[:2]), scoring="roc_auc", groups=groups)
    whole = delong_auc(y, scores, groups)
    assert found.estimate == pytest.approx(whole.estimate[:2].mean(), rel=RTOL)
    variance = whole.covariance[:2, :2].sum() / 4  # of the mean of two areas
    assert found.standard_error**2 == pytest.approx(variance, rel=1e-9)


@ignoring("DegenerateScores", "SplitDesign")
@pytest.mark.parametrize("grouped", [False, True])
def test_defined_answers_where_nothing_varies(grouped):
    y = np.repeat([0, 1], 8)
    predictions = {"constant": np.full(16, 0.3), "same": np.full(16, 7.0), "perfect": y + 0.0}
    groups = np.arange(16) % 5 if grouped else None
    result = compare_predictions(y, predictions, scoring="roc_auc", groups=groups)
    assert all(comparison.outcome == "undetermined" for comparison in result)
    assert result.ranking()["score"].tolist() == [1.0, 0.5, 0.5]
