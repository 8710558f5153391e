"""Score intervals of single areas and accuracies: roots, agreement with p, where nothing varies."""

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import mannwhitneyu, norm, t
from sklearn.metrics import make_scorer, roc_auc_score

from skcvstats import compare_losses, compare_predictions, predictions_inference
from skcvstats.comparison import ComparisonResult
from skcvstats.stats import error_rate_interval, holdout_ttest
from skcvstats.test_set import delong_auc
from tests.conftest import ignoring

pytestmark = ignoring("Anticonservative", "DegenerateScores", "SplitDesign")
LEVELS = (0.5, 0.9, 0.95, 0.99, 0.999)


def areas(rarer=12, others=60, shift=1.5, spread=1.0, seed=0):
    random = np.random.default_rng(seed)
    scores = np.r_[random.normal(shift, spread, rarer), random.normal(size=others)]
    return (np.arange(rarer + others) < rarer).astype(int), scores


def hanley_mcneil(area, m, n):
    """The variance of exponential scores, with the mean number of further rows for both classes."""
    further = (m + n) / 2 - 1
    first, second = area / (2 - area), 2 * area**2 / (1 + area)
    return (area * (1 - area) + further * (first + second - 2 * area**2)) / (m * n)


@pytest.mark.parametrize(("spread", "exchanged"), [(0.3, False), (1.0, True), (4.0, False)])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_the_ends_are_roots(spread, level, exchanged):
    y, scores = areas(spread=spread)
    if exchanged:
        y = 1 - y
    found = predictions_inference(y, scores, scoring="roc_auc")
    delong = delong_auc(y, scores)
    area, m, n = delong.estimate, y.sum(), (1 - y).sum()
    larger = max(1.0, delong.standard_error**2 / hanley_mcneil(area, m, n))
    z = norm.isf((1 - level) / 2)

    def distance(value):
        return (value - area) ** 2 - z**2 * larger * hanley_mcneil(value, m, n)

    ends = [brentq(distance, *where) for where in ((1e-12, area), (area, 1 - 1e-12))]
    assert found.confidence_interval(level) == pytest.approx(ends, rel=1e-9)


def test_at_one_half_it_is_the_rank_sum_test():
    y, scores = areas(shift=0.4)
    found = predictions_inference(y, scores, scoring="roc_auc", null_value=0.5)
    delong = delong_auc(y, scores)
    assert delong.standard_error**2 < hanley_mcneil(delong.estimate, 12, 60)  # so nothing is added
    alone = mannwhitneyu(scores[y == 1], scores[y == 0], method="asymptotic", use_continuity=False)
    assert found.pvalue == pytest.approx(alone.pvalue, rel=1e-9)
    assert found.asked
    assert "against 0.5" in str(found)


@pytest.mark.parametrize(
    ("seed", "alternative"), [(0, "two-sided"), (1, "less"), (2, "greater"), (3, "two-sided")]
)
@pytest.mark.parametrize(("scoring", "null"), [("roc_auc", 0.7), ("accuracy", 0.8)])
@pytest.mark.parametrize("grouped", [False, True])
def test_p_and_interval_agree(alternative, scoring, null, grouped, seed):
    y, scores = areas(rarer=30, seed=seed)
    given = scores if scoring == "roc_auc" else (scores > 0.7).astype(int)
    groups = np.arange(len(y)) % 25 if grouped else None
    options = {"scoring": scoring, "null_value": null, "alternative": alternative}
    found = predictions_inference(y, given, groups=groups, **options)
    for level in (*LEVELS, 1 - found.pvalue - 1e-6, 1 - found.pvalue + 1e-6):
        if 0 < level < 1:
            low, high = found.confidence_interval(level)
            assert (low <= null <= high) == (found.pvalue >= 1 - level)


@pytest.mark.parametrize("groups", [None, np.arange(60) // 3])
@pytest.mark.parametrize(("turned", "area"), [(1, 1.0), (-1, 0.0)])
def test_a_perfect_area_has_an_interval(groups, turned, area):
    y = (np.arange(60) < 12).astype(int)
    found = predictions_inference(y, turned * y, scoring="roc_auc", groups=groups)
    low, high = found.confidence_interval()
    assert (found.estimate, found.undetermined) == (area, False)
    assert 0 <= low < high <= 1
    assert area in (low, high)
    m, n = (12, 48) if groups is None else (4, 16)  # groups that contain a row of the class
    inner = low if area else high
    distance = (area - inner) ** 2 - t.isf(0.025, found.df) ** 2 * hanley_mcneil(inner, m, n)
    assert distance == pytest.approx(0, abs=1e-9)


def test_perfect_areas_in_tables_and_dicts():
    y, scores = areas()
    given = {"perfect": y + 0.0, "other": scores}
    several = predictions_inference(y, given, scoring="roc_auc", null_value=0.5)
    assert several.to_dict()["roc_auc/perfect/low"] > 0.8
    assert several.to_dict()["roc_auc/perfect/pvalue"] < 1e-6
    compared = compare_predictions(y, given, scoring="roc_auc")
    assert compared.ranking()["low"][0] == several.to_frame()["low"][0] < 1
    assert compared.to_dict()["roc_auc/perfect/high"] == 1
    again = ComparisonResult.from_json(compared.to_json())
    assert again.ranking().equals(compared.ranking())


FEW = [(9, "few of a class"), (39, "few for one AUC"), (40, "")]


@pytest.mark.parametrize(("rarer", "code"), FEW)
def test_few_of_the_rarer_class_are_noted(rarer, code):
    y, scores = areas(rarer, 300)
    for exchange in (0, 1):
        notes = predictions_inference(abs(exchange - y), scores, scoring="roc_auc").notes
        known = {"few of a class", "few for one AUC"}
        assert [note.code for note in notes if note.code in known] == [code] * bool(code)


AREA = make_scorer(roc_auc_score, response_method="decision_function")
RESAMPLED = {"scoring": AREA, "method": "bootstrap", "n_resamples": 10}


@pytest.mark.parametrize(
    "options",
    [{}, {"groups": np.arange(200) % 50}, pytest.param(RESAMPLED, marks=pytest.mark.slow)],
)
def test_exchanged_columns_are_noted(few_resamples, options):
    y, scores = areas(40, 160)
    options = {"scoring": "roc_auc", **options}
    one = predictions_inference(y, -scores, **options)
    two = compare_predictions(y, {"a": scores, "b": -scores}, **options)
    for result, name in ((one, "model"), (two, "b")):
        (text,) = (str(note) for note in result.notes if note.code == "worse than a constant")
        assert text.startswith(f"{name!r}: worse in ")
        assert "than a constant prediction (0.5)" in text
        assert "columns exchanged" in text
    for other in (scores, np.random.default_rng(1).normal(size=200)):
        found = predictions_inference(y, other, **options)
        assert "worse than a constant" not in [note.code for note in found.notes]


def rows(n, n_wrong):
    y = np.arange(n) % 2
    return y, np.where(np.arange(n) < n_wrong, 1 - y, y)


@pytest.mark.parametrize(("n", "n_wrong"), [(100, 1), (100, 0), (20, 20), (50, 20)])
@pytest.mark.parametrize("level", [0.5, 0.999])
def test_one_classifier_has_wilsons_interval(n, n_wrong, level):
    y, pred = rows(n, n_wrong)
    errors = error_rate_interval(n_wrong, n, "wilson", confidence_level=level)
    wanted = pytest.approx((1 - errors.high, 1 - errors.low), rel=1e-9, abs=1e-12)
    found = predictions_inference(y, pred, scoring="accuracy", null_value=0.9)
    assert found.confidence_interval(level) == wanted
    z = ((n - n_wrong) / n - 0.9) / np.sqrt(0.9 * 0.1 / n)
    assert (found.statistic, found.pvalue) == pytest.approx((z, 2 * norm.sf(abs(z))))
    options = {"scoring": "accuracy", "null_value": 0.9, "method": "mcnemar"}
    by_mcnemar = predictions_inference(y, pred, **options)
    assert by_mcnemar.pvalue == pytest.approx(found.pvalue)
    right = 1 - n_wrong / n
    assert by_mcnemar.standard_error == pytest.approx(np.sqrt(right * (1 - right) / n), rel=1e-12)
    assert by_mcnemar.confidence_interval(level) == wanted
    several = predictions_inference(y, {"a": pred, "b": y}, scoring="accuracy")["a"]
    assert several.confidence_interval(level) == found.confidence_interval(level)


def test_wilsons_interval_beside_differences():
    y, pred = rows(100, 1)
    result = compare_predictions(y, {"a": pred, "b": y, "c": rows(100, 30)[1]}, scoring="accuracy")
    ranking = result.ranking().set_index("estimator")
    assert ranking.loc["a", ["low", "high"]].tolist() == pytest.approx([0.94551, 0.99823], abs=1e-5)
    assert ranking.loc["b", "low"] < ranking.loc["b", "high"] == 1
    assert result[0].test.title == "paired t-test"
    assert np.isfinite(result[0].test.df)
    assert ComparisonResult.from_json(result.to_json()).ranking().equals(result.ranking())
    assert "Intervals are cut" not in str(result)


def test_where_rows_are_no_shares_it_stays_the_t_interval():
    y, pred = rows(100, 3)
    options = {"scoring": "accuracy"}
    weights = {"sample_weight": np.linspace(1, 2, 100)}
    for way in ({"method": "clustered_t"}, {"groups": np.arange(100) % 40}, weights):
        assert np.isfinite(predictions_inference(y, pred, **options, **way).df)
    assert np.isfinite(predictions_inference(y, [pred, y], **options).df)
    assert np.isinf(predictions_inference(y, pred, **options).df)


@pytest.mark.parametrize(("n", "noted"), [(2, True), (29, True), (30, False)])
def test_few_rows_of_losses_are_noted(n, noted):
    losses = np.random.default_rng(0).normal(size=(2, n)) ** 2
    assert ("few rows" in [note.code for note in compare_losses(losses).notes]) == noted
    for law, figures in (("normal", "30, 12, 8 and 6.5 %"), ("t", "9, 12, 10 and 8 %")):
        found = holdout_ttest(losses[0], n_train=50, hypotheses="fixed", law=law)
        texts = [str(note) for note in found.notes if note.code == "few rows"]
        assert len(texts) == noted
        assert all(f"only {n} test rows" in text and figures in text for text in texts)
