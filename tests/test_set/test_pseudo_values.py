"""Which metrics are smooth, what is left out together, and the scales of single scores."""

import numpy as np
import pytest
from scipy import special, stats
from sklearn import metrics

from skcvstats import AnticonservativeWarning, compare_predictions, predictions_inference
from skcvstats.stats import plan_n_rows

RNG = np.random.default_rng(0)
N = 150
VALUES = RNG.normal(size=N)
FORECASTS = {name: VALUES + RNG.normal(size=N) for name in "ab"}
Y = (RNG.random(N) < 0.4).astype(int)
LABELS = {name: np.where(RNG.random(N) < 0.2, 1 - Y, Y) for name in "ab"}


def trimmed_square(y, p):
    """Return a smooth metric that skcvstats does not know."""
    return np.mean(np.tanh(np.abs(y - p))) ** 2


def high_quantile(y, p):
    return np.quantile(np.abs(y - p), 0.9)


def own_f1(y, p):
    return metrics.f1_score(y, p)


CASES = [(trimmed_square, "jackknife_t"), (high_quantile, "bootstrap")]


@pytest.mark.parametrize(("function", "method"), CASES)
def test_a_metric_of_ones_own_is_examined(function, method):
    scorer = metrics.make_scorer(function, greater_is_better=False)
    result = compare_predictions(VALUES, FORECASTS, scoring=scorer)
    assert result[0].test.method == method
    (note,) = [note for note in result.notes if note.code == "smoothness"]
    assert note.category is None
    named = compare_predictions(VALUES, FORECASTS, scoring=scorer, method="bootstrap")
    assert "smoothness" not in {note.code for note in named.notes}


def test_what_is_not_smooth_is_warned_of_if_it_is_asked_for():
    options = {"scoring": metrics.make_scorer(high_quantile), "method": "jackknife_t"}
    with pytest.warns(AnticonservativeWarning, match="does not change smoothly"):
        predictions_inference(VALUES, FORECASTS["a"], **options)
    with pytest.raises(ValueError, match="needs a metric that changes smoothly"):
        predictions_inference(
            VALUES, FORECASTS["a"], scoring="neg_median_absolute_error", method="jackknife_t"
        )


def own_accuracy(y, p):
    return np.mean(y == p)


def test_a_perfect_model_does_not_make_a_metric_jump():
    result = compare_predictions(Y, {"perfect": Y, "b": LABELS["b"]}, scoring=own_accuracy)
    assert result[0].test.method == "jackknife_t"
    known = compare_predictions(
        Y, {"perfect": Y, "b": LABELS["b"]}, scoring="accuracy", method="clustered_t"
    )
    assert result[0].test.standard_error == pytest.approx(known[0].test.standard_error)


def test_known_metrics_are_not_examined():
    for scoring in ("f1", "matthews_corrcoef", "accuracy"):
        result = compare_predictions(Y, LABELS, scoring=scoring)
        assert "smoothness" not in {note.code for note in result.notes}
    result = compare_predictions(VALUES, FORECASTS, scoring="neg_median_absolute_error")
    assert result[0].test.method == "bootstrap"
    assert "smoothness" in {note.code for note in result.notes}


def test_a_function_is_called_once_for_rows_that_are_alike():
    calls = []

    def counted_f1(y, p):
        calls.append(len(y))
        return metrics.f1_score(y, p)

    own = compare_predictions(Y, LABELS, scoring=counted_f1)[0].test
    known = compare_predictions(Y, LABELS, scoring="f1")[0].test
    assert own.standard_error == pytest.approx(known.standard_error, rel=1e-9)
    assert calls.count(N - 1) <= 2 * 8  # each of two models, without each of eight kinds


def test_blocks_of_many_rows():
    rng = np.random.default_rng(1)
    y = rng.normal(size=4500)
    p = y + rng.normal(size=4500)

    def own_r2(y, p):
        return metrics.r2_score(y, p)

    own = predictions_inference(y, p, scoring=own_r2)
    known = predictions_inference(y, p, scoring="r2")
    assert own.df == 1999
    assert own.standard_error == pytest.approx(known.standard_error, rel=0.05)
    assert "2000 random blocks of rows" in own.describe().explanation
    other = predictions_inference(y, p, scoring=own_r2, random_state=1)
    assert other.standard_error != own.standard_error  # the seed decides


REFUSED = [
    # The only row of a class, the only row that is predicted, and the only value that differs.
    ("balanced_accuracy", np.r_[1, np.zeros(30, int)], np.arange(31) % 2, "row 0"),
    ("precision", Y[:31], np.arange(31) == 4, "row 4"),
    ("r2", np.r_[np.ones(30), 2.0], np.arange(31) / 7, "row 30"),
]


@pytest.mark.parametrize(("scoring", "y", "p", "place"), REFUSED)
def test_a_metric_that_is_undefined_without_a_unit_is_refused(scoring, y, p, place):
    with pytest.raises(ValueError, match=f"{scoring} is not defined for 'model' without {place}"):
        predictions_inference(y, p * 1, scoring=scoring)
    groups = np.arange(31).astype(str)
    number = place.split()[-1]
    with pytest.raises(ValueError, match=f"without group '{number}'"):
        predictions_inference(y, p * 1, scoring=scoring, groups=groups)


def test_a_function_that_needs_all_rows_is_refused_with_its_own_words():
    costs = np.arange(N)

    def mean_cost(y, p):
        return -np.mean(costs * np.square(y - p))

    wanted = r"'a' without row 0: operands .* \(150,\) \(149,\).*no array of all rows"
    with pytest.raises(ValueError, match=wanted):
        compare_predictions(VALUES, FORECASTS, scoring=mean_cost)


@pytest.mark.parametrize("scoring", ["recall", "precision"])
def test_a_perfect_share_has_wilsons_interval(scoring):
    y = np.r_[np.ones(20, int), np.zeros(50, int)]
    found = predictions_inference(y, y, scoring=scoring, null_value=0.8)
    low, high = found.confidence_interval()
    # Wilson (1927): of 20 right in 20.
    z = stats.norm.isf(0.025)
    assert (low, high) == pytest.approx((20 / (20 + z**2), 1.0), rel=1e-12)
    assert found.pvalue == pytest.approx(2 * stats.norm.sf((1 - 0.8) / np.sqrt(0.8 * 0.2 / 20)))
    assert not found.undetermined
    assert "undetermined" not in {note.code for note in found.notes}
    assert np.isinf(found.df)


@pytest.mark.parametrize(
    "scoring", ["f1", "matthews_corrcoef", "neg_root_mean_squared_error", "r2"]
)
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_the_p_value_of_an_end_of_the_interval_is_the_level(scoring, alternative):
    y, p = (Y, LABELS["a"]) if scoring in ("f1", "matthews_corrcoef") else (VALUES, FORECASTS["a"])
    found = predictions_inference(y, p, scoring=scoring, alternative=alternative)
    ends = [end for end in found.confidence_interval(0.9) if np.isfinite(end)]
    assert len(ends) == 1 + (alternative == "two-sided")
    for end in ends:
        assert found.against(end, alternative).pvalue == pytest.approx(0.1, rel=1e-9)


def test_an_interval_on_the_logit_scale():
    found = predictions_inference(Y, LABELS["a"], scoring="f1")
    whole = metrics.f1_score(Y, LABELS["a"])
    without = [metrics.f1_score(np.delete(Y, k), np.delete(LABELS["a"], k)) for k in range(N)]
    pseudo_values = N * whole - (N - 1) * np.array(without)
    error = pseudo_values.std(ddof=1) / np.sqrt(N)
    half_width = stats.t.isf(0.025, N - 1) * error / (whole * (1 - whole))
    middle = special.logit(whole)
    wanted = special.expit([middle - half_width, middle + half_width])
    assert found.standard_error == pytest.approx(error, rel=1e-9)
    assert tuple(found.confidence_interval()) == pytest.approx(tuple(wanted), rel=1e-9)


def test_what_is_adjusted_for_chance_reaches_below_zero():
    """It is 2 T - 1 of the balanced accuracy T, and has no scale."""
    p = np.where(RNG.random(N) < 0.55, 1 - Y, Y)
    balanced = metrics.balanced_accuracy_score(Y, p)
    assert balanced < 0.5
    scorer = metrics.make_scorer(metrics.balanced_accuracy_score, adjusted=True)
    found = predictions_inference(Y, p, scoring=scorer, null_value=0.0)
    without = []
    for row in range(N):
        others = np.arange(N) != row
        without.append(metrics.balanced_accuracy_score(Y[others], p[others], adjusted=True))
    standard_error = np.sqrt((N - 1) * np.var(without))
    estimate = 2 * balanced - 1
    half_width = stats.t.ppf(0.975, N - 1) * standard_error
    wanted = estimate - half_width, estimate + half_width
    assert found.confidence_interval() == pytest.approx(wanted)
    wanted = 2 * stats.t.sf(abs(estimate) / standard_error, N - 1)
    assert found.pvalue == pytest.approx(wanted)


def test_low_average_precision_of_few_positives_is_noted():
    rng = np.random.default_rng(3)
    y = (np.arange(200) < 15).astype(int)
    codes = []
    for p in (rng.random(200), y + 2.0 * rng.random(200)):
        found = predictions_inference(y, p, scoring="average_precision")
        codes.append("few positives" in {note.code for note in found.notes})
    assert codes == [True, False]


@pytest.mark.filterwarnings("ignore::skcvstats.SplitDesignWarning")
def test_few_rows_of_a_class_are_noted():
    y = (np.arange(60) < 9).astype(int)
    p = np.where(np.arange(60) % 5 == 0, 1 - y, y)
    codes = {note.code for note in predictions_inference(y, p, scoring="f1").notes}
    assert "few of a class" in codes
    groups = np.arange(60) % 30
    codes = {note.code for note in predictions_inference(y, p, scoring="f1", groups=groups).notes}
    assert "few groups" in codes


def test_a_few_rows_that_make_up_the_variance_are_noted():
    p = VALUES + np.where(np.arange(N) < 2, 50.0, 0.5 * RNG.normal(size=N))
    found = predictions_inference(VALUES, p, scoring="neg_root_mean_squared_error")
    assert "few rows tell" in {note.code for note in found.notes}


def test_a_plan_of_rows_is_that_of_the_clustered_test_for_a_mean():
    options = {"scoring": "accuracy", "groups": np.arange(N) % 30}
    plans = []
    for method in ("jackknife_t", "clustered_t"):
        (pair,) = compare_predictions(Y, LABELS, method=method, **options)
        plans.append(plan_n_rows(pair.test, difference=0.1))
    assert plans[0].n_rows == plans[1].n_rows
