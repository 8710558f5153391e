"""The bootstrap of rows and groups: intervals, p-values and draws."""

from collections import Counter
from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.stats import bootstrap
from sklearn import metrics

from skcvstats import AnticonservativeWarning, compare_predictions, predictions_inference
from skcvstats.stats import GroupSizes
from skcvstats.test_set import BootstrapTest
from skcvstats.test_set import _bootstrap as boot
from tests.conftest import ignoring

from .components import bootstrap_scores_of

ALTERNATIVES = ["two-sided", "less", "greater"]
ALPHAS, SIDES = map(st.sampled_from, ([0.5, 0.2, 0.1, 0.05, 0.01, 0.002], ALTERNATIVES))


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_against_scipy(alternative):
    random, level = np.random.RandomState(0), 0.8 if alternative == "two-sided" else 0.95
    x = random.exponential(size=30)
    options = {"n_resamples": 1999, "confidence_level": level, "alternative": alternative}
    theirs = bootstrap((x,), np.mean, method="BCa", random_state=random, **options)
    replicates = np.sort(theirs.bootstrap_distribution)
    left_out = np.array([[np.delete(x, k).mean() for k in range(len(x))]])
    bias, acceleration = boot.corrections([x.mean()], replicates[None], left_out)
    ours = boot.bca_interval(1 - level, replicates, bias[0], acceleration[0], alternative)
    for own, other in zip(ours, theirs.confidence_interval, strict=True):
        if np.isinf(other):
            assert own == other
            continue
        places = np.searchsorted(replicates, [own, other])
        assert abs(np.diff(places)[0]) <= 2  # SciPy interpolates between replicates


@given(st.integers(0, 20), st.floats(-0.5, 0.5), st.floats(-0.3, 0.3), ALPHAS, SIDES)
@settings(max_examples=50)
def test_p_is_the_inversion_of_the_interval(seed, bias, acceleration, alpha, alternative):
    replicates = np.sort(np.round(np.random.RandomState(seed).normal(size=499), 1))
    low, high = boot.bca_interval(alpha, replicates, bias, acceleration, alternative)
    for null in (*np.arange(-3.2, 3.2, 0.1), low, high):
        p = boot.bca_pvalue(null, replicates, bias, acceleration, alternative)
        assert (p <= alpha) == (null < low or null > high)


def test_p_is_never_below_its_resolution():
    replicates = np.linspace(1, 2, 99)
    for alternative in ALTERNATIVES:
        assert boot.bca_pvalue(-9, replicates, 0.4, 0.2, alternative) >= 0.01
    assert boot.bca_interval(0.009, replicates, 0.0, 0.0, "two-sided") == (-np.inf, np.inf)


def test_percentiles_where_nothing_can_be_corrected():
    replicates = np.random.RandomState(0).normal(size=(2, 99))
    left_out = np.array([[1.0, 2.0, 4.0], [3.0, 3.0, 3.0]])
    bias, acceleration = boot.corrections([9.0, 0.0], replicates, left_out)
    assert bias.tolist() == acceleration.tolist() == [0.0, 0.0]
    bias, _ = boot.corrections([1.0], np.array([[0.0, 1, 1, 2]]), np.array([[0.5, 1, 1.25]]))
    assert bias.tolist() == [0]  # replicates that tie with the estimate count half


def test_replicates_are_drawn_from_their_number_alone():
    resampling = boot.Resampling(50, 3, (np.arange(50),))
    assert np.array_equal(resampling.draw(7), boot.Resampling(50, 3, (np.arange(50),)).draw(7))
    assert not np.array_equal(resampling.draw(7), resampling.draw(8))
    assert not np.array_equal(resampling.draw(7), resampling.draw(7, attempt=1))
    counts = sum(np.bincount(resampling.draw(k), minlength=50) for k in range(2000))
    assert np.abs(counts / 2000 - 1).max() < 5 / np.sqrt(2000)


def test_strata_keep_their_sizes():
    codes = np.arange(60) % 20
    classes = codes % 4 == 0
    strata = boot.strata_of(classes, codes)
    drawn = boot.Resampling(20, seed=0, strata=strata).draw(0)
    assert np.count_nonzero(drawn % 4 == 0) == 5


@pytest.mark.parametrize("n_rows", [30, 3001])
def test_rows_are_left_out_in_at_most_2000_blocks_of_equal_size(n_rows):
    y = np.arange(float(n_rows))
    blocks = []

    def root_of_mean_error(y_true, y_pred):
        blocks.append(np.setdiff1d(y, y_true))
        return float(np.sqrt(np.mean(np.abs(y_true - y_pred))))

    shift = np.random.default_rng(0).normal(size=n_rows)
    scorer = metrics.make_scorer(root_of_mean_error, greater_is_better=False)
    predictions_inference(y, y + shift, scoring=scorer)
    # Then much larger blocks are left out, which show whether the metric is smooth.
    blocks = [block for block in blocks if block.size][: min(n_rows, 2000)]
    sizes = [len(block) for block in blocks]
    assert len(sizes) == min(n_rows, 2000)
    assert max(sizes) - min(sizes) <= 1
    assert sorted(chain.from_iterable(blocks)) == y.tolist()


def scores_of(estimates, replicates):
    left_out = np.array(len(estimates) * [[0.4, 0.5, 0.7]])
    sizes = {"n_rows": 80, "n_groups": 40, "grouped": True}
    return bootstrap_scores_of(estimates, replicates, left_out, metric="f1", **sizes)


def test_the_standard_error_is_the_standard_deviation_of_a_sample():
    """Deviations -2, -1, 0, 3 of mean 0: a sum of squares of 14 over 3."""
    result = BootstrapTest()(scores_of([0.5], [[0.3, 0.4, 0.5, 0.8]]))
    assert result.standard_error == pytest.approx(0.1 * np.sqrt(14 / 3), rel=1e-12)
    scores = scores_of([0.5, -9.0], [[0.4, -3.0, 2.0], [1.0, 2.0, 3.0]])
    assert scores.magnitude.tolist() == [3, 9]  # the largest of estimate and replicates


@pytest.mark.parametrize(("unit", "n_all", "n_rarer", "said"), [
    ("group", 20, 10, None), ("row", 20, 10, None),
    ("group", 20, 9, "only 9 groups with rows of class 1"),
    ("row", 20, 9, "only 9 rows of class 1"),
    ("group", 9, 9, "only 9 groups"), ("row", 9, 9, "only 9 rows"),
    ("group", 9, 1, "only 1 group with rows of class 1"),
])  # fmt: skip
def test_fewer_than_ten_are_few(unit, n_all, n_rarer, said):
    of_class = np.where(np.arange(n_all) < n_rarer, 1, 0)
    sizes = (
        GroupSizes(np.ones(n_all), unit=unit),
        GroupSizes(of_class, None, unit, "rows of class 1"),
    )
    notes = boot.notes_on_few(sizes, are_alike=True)
    assert [note.text.split(":")[0] for note in notes] == [said] * (said is not None)
    assert all(note.category is AnticonservativeWarning for note in notes)
    assert all(note.code == "small bootstrap" for note in notes)


@pytest.mark.parametrize(("sizes", "of", "told"), [
    (np.ones(20), "rows", None),
    (np.ones(16), "rows", "16 groups have the effective number 16 (the largest contains 6 % of "),
    (np.r_[np.ones(29), 29], "rows", "30 groups have the effective number 3.87 (the largest"),
    (np.r_[np.ones(40), 4, 4], "weight", None),
    (np.r_[np.ones(40), 8, 8], "weight", "(the largest contains 14 % of the weight)"),
    (np.ones(12), "rows of class 1", "(the largest contains 8 % of the rows of class 1)"),
])  # fmt: skip
def test_groups_that_are_like_fewer_than_twenty_are_noted(sizes, of, told):
    notes = boot.notes_on_few([GroupSizes(sizes, of=of)], are_alike=False)
    assert not boot.notes_on_few([GroupSizes(sizes, of=of)], are_alike=True)
    noted = {note.code: note for note in notes}
    assert set(noted) == ({"effective groups"} if told else set())
    effective = sizes.sum() ** 2 / (sizes @ sizes)
    shares_missed = "8 to 28" if effective < 6 else "8 to 15" if effective < 12 else "5 to 10"
    for note in noted.values():
        assert told in note.text
        assert f"95 % intervals miss the true value in about {shares_missed} % of" in note.text
        assert note.category is AnticonservativeWarning


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("scoring", ["roc_auc", "f1"])
def test_a_perfect_model_has_no_interval_of_width_zero(few_resamples, scoring):
    y = np.arange(60) % 2
    options = {"method": "bootstrap", "n_resamples": 50}
    found = predictions_inference(y, y, scoring=scoring, **options)
    assert found.undetermined
    assert np.isnan(found.confidence_interval()).all()


def two_models(n_rows, seed=0, share=0.3):
    rng = np.random.default_rng(seed)
    y = (rng.random(n_rows) < share).astype(int)
    values = [y + rng.normal(size=n_rows) for _ in range(2)]
    return y, [(value > 0.6).astype(int) for value in values], values


def test_progress_of_a_bootstrap(capsys, few_resamples):
    y, (a, b), _ = two_models(60)
    given = {"a": a, "b": b}
    options = {"scoring": "f1", "method": "bootstrap", "n_resamples": 100, "n_jobs": 1}
    silent = compare_predictions(y, given, **options)
    assert capsys.readouterr().err == ""
    shown = compare_predictions(y, given, verbose=1, **options)
    assert capsys.readouterr().err.strip().startswith("resampling: ")  # with tqdm or without
    drawn = [of.scores.components.arrays["replicates"] for of in (shown, silent)]
    assert np.array_equal(*drawn)
    assert shown[0].test.confidence_interval() == silent[0].test.confidence_interval()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("weighted", [False, True])
def test_replicates_are_scikit_learns_on_the_rows_of_drawn_groups(few_resamples, weighted):
    y, (a, b), _ = two_models(45)
    groups = np.arange(45) % 10 // 2
    weights = np.random.default_rng(1).uniform(0.5, 2, 45) if weighted else None
    options = {"scoring": "f1", "groups": groups, "sample_weight": weights}
    given = {"a": a, "b": b}
    result = compare_predictions(y, given, method="bootstrap", n_resamples=8, **options)
    arrays = result.scores.components.arrays
    resampling = boot.Resampling(5, result.scores.provenance["seed_of_resamples"], (np.arange(5),))
    drawn = [resampling.draw(number) for number in range(8)]
    left = [np.delete(np.arange(5), k) for k in range(5)]
    for name, sets in (("replicates", drawn), ("left_out", left)):
        for k, numbers in enumerate(sets):
            rows = np.concatenate([np.flatnonzero(groups == number) for number in numbers])
            how = {"sample_weight": weights[rows]} if weighted else {}
            expected = [metrics.f1_score(y[rows], of[rows], **how) for of in (a, b)]
            assert arrays[name][:, k] == pytest.approx(expected, rel=1e-12)


def test_a_difference_is_by_t_and_the_standard_error_of_the_replicates(few_resamples):
    y, (a, b), _ = two_models(60)
    result = compare_predictions(
        y, {"a": a, "b": b}, scoring="f1", method="bootstrap", n_resamples=50
    )
    test = result[0].test
    first, second = result.scores.components.arrays["replicates"]
    error = np.std(first - second, ddof=1)
    difference = metrics.f1_score(y, a) - metrics.f1_score(y, b)
    low, high = test.confidence_interval()
    assert test.standard_error == pytest.approx(error, rel=1e-12)
    half = stats.t.isf(0.025, 59) * error
    assert (high - low) / 2 == pytest.approx(half, rel=1e-9)
    assert abs(high + low) / 2 == pytest.approx(abs(difference), rel=1e-9)
    assert test.pvalue == pytest.approx(2 * stats.t.sf(abs(difference) / error, 59), rel=1e-9)
    assert not hasattr(test, "replicates")


@pytest.mark.slow
@ignoring("Anticonservative")
def test_undefined_replicates_are_drawn_again_and_counted():
    """Where resamples are not stratified, which holds each class in each of them."""
    y = np.r_[np.ones(6, dtype=int), np.zeros(40, dtype=int)]
    given = {"a": y, "b": np.r_[0, y[1:]]}
    options = {"scoring": "recall", "method": "bootstrap"}
    result = compare_predictions(y, given, **options)
    (note,) = [note for note in result.notes if note.code == "undefined replicates"]
    chance = (40 / 46) ** 46
    n_undefined = int(str(note).split()[0])
    assert abs(n_undefined - 2000 * chance) < 5 * np.sqrt(2000 * chance)
    resampling = boot.Resampling(
        len(y), result.scores.provenance["seed_of_resamples"], (np.arange(len(y)),)
    )
    attempts = Counter()
    for number, found in enumerate(result.scores.components.arrays["replicates"][1]):
        while not y[rows := resampling.draw(number, attempts[number])].any():
            attempts[number] += 1
        assert found == pytest.approx(given["b"][rows].sum() / y[rows].sum())
    assert attempts.total() == n_undefined
    stratified = compare_predictions(y, given, stratify=True, **options)
    assert "within each class" in stratified[0].test.describe().explanation
    codes = {note.code for note in stratified.notes}
    assert "undefined replicates" not in codes
    assert "small bootstrap" in codes  # six rows of the rarer class
