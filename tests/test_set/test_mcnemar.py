"""McNemar's test: against R, mlxtend, statsmodels and SciPy, and its laws."""

import math
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import minimize_scalar
from scipy.stats import chi2, norm

from skcvstats import DegenerateScoresWarning, compare_predictions
from skcvstats.test_set import McNemarScoreTest, cochran_q_test, mcnemar_exact_test
from tests.conftest import golden_cases

from .components import hits_of

ALTERNATIVES = ("two-sided", "less", "greater")
METHODS = ("mid-p", "exact", "asymptotic", "continuity")
counts = st.integers(0, 200)


def from_counts(n01, n10, **options):
    return mcnemar_exact_test(table=[[100, n01], [n10, 50]], **options)


@pytest.mark.parametrize("case", golden_cases("baseR_mcnemar"), ids=lambda case: case["id"])
def test_against_r(case):
    inputs, outputs = case["inputs"], case["outputs"]
    pair = inputs["n01"], inputs["n10"]
    if pair == (0, 0):  # R says NaN; p = 1 is the defined answer
        with pytest.warns(DegenerateScoresWarning, match="p is 1 by definition"):
            assert from_counts(*pair).pvalue == 1
        return
    method = "continuity" if inputs["continuity_correction"] else "asymptotic"
    z, pvalue = from_counts(*pair, method=method)
    assert z**2 == pytest.approx(outputs["chi2"], rel=1e-12)
    assert pvalue == pytest.approx(outputs["p_value"], rel=1e-12)
    for alternative in ALTERNATIVES:
        found = from_counts(*pair, alternative=alternative)
        theirs = outputs[f"exact_p_{alternative.replace('-', '_')}"]
        assert found.pvalue == pytest.approx(theirs, rel=1e-12)


@pytest.mark.parametrize("case", golden_cases("mlxtend_statsmodels_mcnemar"))
def test_against_mlxtend_and_statsmodels(case):
    table, outputs = case["inputs"]["table"], case["outputs"]
    n01, n10 = table[0][1], table[1][0]
    if n01 + n10 == 0:  # both answer nan, or p = 0 with the correction; 1 is right
        with pytest.warns(DegenerateScoresWarning, match="no conclusion can be drawn"):
            assert mcnemar_exact_test(table=table).pvalue == 1
        return
    for system in ("mlxtend", "statsmodels"):
        z, pvalue = mcnemar_exact_test(table=table, method="asymptotic")
        assert z**2 == pytest.approx(outputs[f"{system}_chi2_uncorrected"]["stat"], rel=1e-12)
        assert pvalue == pytest.approx(outputs[f"{system}_chi2_uncorrected"]["p"], rel=1e-12)
        exact = mcnemar_exact_test(table=table, method="exact").pvalue
        assert exact == pytest.approx(outputs[f"{system}_exact"]["p"], rel=1e-12)
        z, pvalue = mcnemar_exact_test(table=table, method="continuity")
        if n01 == n10:  # both correct a difference of 0 to 1; R and we leave it 0
            assert (z, pvalue) == (0, 1)
            continue
        assert z**2 == pytest.approx(outputs[f"{system}_chi2_corrected"]["stat"], rel=1e-12)
        assert pvalue == pytest.approx(outputs[f"{system}_chi2_corrected"]["p"], rel=1e-12)


@pytest.mark.parametrize(("n01", "n10"), [(0, 1), (3, 12), (12, 3), (25, 15), (8, 8), (60, 90)])
def test_mid_p_against_fractions(n01, n10):
    m = n01 + n10
    law = [Fraction(math.comb(m, k), 2**m) for k in range(m + 1)]
    less = sum(law[:n01]) + law[n01] / 2
    greater = sum(law[n01 + 1 :]) + law[n01] / 2
    exact_of = {"less": less, "greater": greater, "two-sided": 2 * min(less, greater)}
    for alternative, exact in exact_of.items():
        found = from_counts(n01, n10, method="mid-p", alternative=alternative).pvalue
        assert found == pytest.approx(float(exact), rel=1e-12)


@given(counts, counts)
def test_pvalues_of_the_sides_overlap_by_the_observed_outcome(n01, n10):
    if n01 + n10 == 0:
        n01 = 1
    outcome = math.comb(n01 + n10, n01) / 2 ** (n01 + n10)
    for method in METHODS:
        p = {
            alternative: from_counts(n01, n10, method=method, alternative=alternative).pvalue
            for alternative in ALTERNATIVES
        }
        both = p["less"] + p["greater"]
        if method in ("mid-p", "asymptotic"):
            assert both == pytest.approx(1, rel=1e-12)
        elif method == "exact":
            assert both == pytest.approx(1 + outcome, rel=1e-12)
        else:
            assert 1 <= both < 2  # 1 to rounding, far from a tie
        assert p["two-sided"] == min(1, 2 * min(p["less"], p["greater"]))
        assert 0 < p["two-sided"] <= 1
        turned = from_counts(n10, n01, method=method, alternative="less").pvalue
        assert turned == pytest.approx(p["greater"], rel=1e-11)


@cache
def all_pvalues(method, m):
    # Those of (a, b) and (b, a) are the same, see test_laws.
    half = [from_counts(k, m - k, method=method).pvalue for k in range(m // 2 + 1)]
    return np.array(half + half[: (m + 1) // 2][::-1])


@pytest.mark.parametrize("differing", [0.1, 0.6])
def test_size_over_the_number_of_differing_rows(differing):
    # On 79 rows, each differing with this probability: mid-p keeps its level, and uses it.
    m = np.arange(1, 80)
    share = stats.binom.pmf(m, 79, differing)
    for level in (0.1, 0.01):
        size = dict.fromkeys(("exact", "mid-p"), 0.0)
        for method, (k, weight) in product(size, zip(m, share, strict=True)):
            law = stats.binom.pmf(np.arange(k + 1), k, 0.5)
            size[method] += weight * law[all_pvalues(method, k) <= level].sum()
        assert size["exact"] < size["mid-p"] <= level


@pytest.mark.parametrize("names", [None, np.array(["no", "yes", "maybe"])])
@pytest.mark.parametrize("wrap", [np.asarray, list, lambda x: np.asarray(x, dtype=object)])
def test_counts_are_those_of_predictions_of_any_labels(names, wrap):
    rng = np.random.default_rng(0)
    y_true, pred_a, pred_b = rng.integers(3, size=(3, 200))
    pred_a = np.where(rng.uniform(size=200) < 0.6, y_true, pred_a)
    accuracies = [np.mean(pred == y_true) for pred in (pred_a, pred_b)]
    right_a, right_b = pred_a == y_true, pred_b == y_true
    given = [labels if names is None else names[labels] for labels in (y_true, pred_a, pred_b)]
    found = mcnemar_exact_test(*map(wrap, given), alternative="greater")
    assert found.n01 == np.sum(right_a & ~right_b)
    assert found.n10 == np.sum(right_b & ~right_a)
    assert found.estimate == pytest.approx(accuracies[0] - accuracies[1], rel=1e-12)
    assert found.n == 200
    assert found.pvalue < 1e-3
    assert mcnemar_exact_test(*map(wrap, given), alternative="less").pvalue > 0.99


@pytest.mark.parametrize(
    ("method", "alternative"),
    [("mid-p", "two-sided"), ("exact", "less"), ("asymptotic", "greater"), ("continuity", "less")],
)
def test_models_that_never_differ_are_undetermined(method, alternative):
    how, alike = {"method": method, "alternative": alternative}, [0, 1, 0]
    with pytest.warns(DegenerateScoresWarning, match="Test on more rows"):
        found = mcnemar_exact_test([0, 1, 1], alike, alike, **how)
    assert math.isnan(found.statistic)
    assert (found.pvalue, found.estimate) == (1, 0)
    assert found.undetermined
    assert "undetermined" in str(found)


def test_mid_p_of_many_rows_is_nearly_normal():
    found = from_counts(510_000, 500_000, method="mid-p")
    assert found.pvalue == pytest.approx(2 * stats.norm.sf(10_000 / math.sqrt(1_010_000)), rel=1e-3)


TABLES = [(12, 2, 50), (0, 1, 44), (25, 15, 10_000), (3, 3, 6), (1, 0, 30), (40, 12, 162)]


def predictions(n01, n10, n):
    """Labels of two classifiers with these discordant counts."""
    y = np.arange(n) % 2
    a, b = y.copy(), y.copy()
    b[:n01] = 1 - b[:n01]
    a[n01 : n01 + n10] = 1 - a[n01 : n01 + n10]
    return y, {"a": a, "b": b}


def score_statistic(n01, n10, n, d):
    """The score statistic with the restricted estimate found by maximizing the likelihood."""
    n_same = n - n01 - n10

    def loss(q):  # q = P(only the second is right), q + d = P(only the first is)
        parts = [(n01, q + d), (n10, q), (n_same, 1 - 2 * q - d)]
        return -sum(count * np.log(max(p, 1e-300)) for count, p in parts if count)

    low, high = max(0.0, -d), (1 - d) / 2
    q = minimize_scalar(loss, bounds=(low, high), method="bounded", options={"xatol": 1e-13}).x
    return (n01 - n10 - n * d) / np.sqrt(n * (2 * q + d - d**2))


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_interval_and_p_agree_and_its_ends_are_where_the_score_test_turns(table, alternative):
    y, labels = predictions(*table)
    options = {"scoring": "accuracy", "method": "mcnemar", "alternative": alternative}
    test = compare_predictions(y, labels, **options, reference="b")[0].test
    for level in (0.5, 0.8, 0.9, 0.95, 0.99, 0.999):
        low, high = test.confidence_interval(level)
        if abs(test.pvalue - (1 - level)) > 1e-9:
            assert (test.pvalue < 1 - level) == (low > 0 or high < 0)
        z = norm.isf((1 - level) / (2 if alternative == "two-sided" else 1))
        for end, wanted in ((low, z), (high, -z)):
            if np.isfinite(end):
                assert score_statistic(*table, end) == pytest.approx(wanted, rel=2e-4)


def test_another_null_value_has_the_score_statistic_too():
    table = TABLES[0]
    y, labels = predictions(*table)
    difference = compare_predictions(y, labels, scoring="accuracy", method="mcnemar")[0].test.scores
    for null_value in (-0.1, 0.1, 0.3):
        found = McNemarScoreTest(null_value=null_value)(difference)
        expected = score_statistic(*table, null_value)
        assert found.statistic == pytest.approx(expected, rel=1e-6)
        assert found.pvalue == pytest.approx(2 * norm.sf(abs(expected)), rel=1e-5)


@pytest.mark.filterwarnings("ignore::skcvstats.exceptions.DegenerateScoresWarning")
def test_classifiers_that_never_differ():
    y, labels = predictions(0, 0, 100)
    result = compare_predictions(y, labels, scoring="accuracy", method="mcnemar", margin=0.05)
    test, z2 = result[0].test, norm.isf(0.025) ** 2
    assert (test.pvalue, test.estimate, result[0].outcome) == (1.0, 0.0, "equivalent")
    assert test.confidence_interval() == pytest.approx((-z2 / (100 + z2), z2 / (100 + z2)))


def test_mid_p_stands_beside_it():
    y, labels = predictions(12, 2, 50)
    test = compare_predictions(y, labels, scoring="accuracy", method="mcnemar")[0].test
    alone = mcnemar_exact_test(y, labels["a"], labels["b"], method="mid-p")
    assert test.mid_p == alone.pvalue
    assert (test.n01, test.n10) == (alone.n01, alone.n10) == (12, 2)
    assert alone.confidence_interval() == pytest.approx(test.confidence_interval())
    score = mcnemar_exact_test(y, labels["a"], labels["b"], method="asymptotic")
    assert (test.statistic, test.pvalue) == pytest.approx(tuple(score), rel=1e-12)


def test_several_have_bonferroni_intervals_and_an_omnibus_test():
    y, labels = predictions(12, 2, 50)
    labels["c"] = np.where(np.arange(50) % 3 == 0, 1 - y, y)
    result = compare_predictions(y, labels, scoring="accuracy", method="mcnemar")
    omnibus = cochran_q_test(np.array([label == y for label in labels.values()]).T)
    assert result.adjustment == "bonferroni"
    assert {"omnibus test", "mid-p"} <= {note.code for note in result.notes}
    assert str(omnibus).split(":")[0] in " ".join(str(result).split())
    for comparison in result:
        wanted = comparison.test.confidence_interval(1 - 0.05 / 3)
        assert comparison.confidence_interval() == wanted
        assert comparison.pvalue_adjusted == min(1, 3 * comparison.test.pvalue)


def test_cochrans_q_of_two_is_mcnemars_and_of_more_its_textbook_form():
    y, labels = predictions(12, 2, 50)
    q, p = cochran_q_test(np.array([label == y for label in labels.values()]).T)
    z = mcnemar_exact_test(table=[[36, 12], [2, 0]], method="asymptotic").statistic
    assert (q, p) == pytest.approx((z**2, chi2.sf(z**2, 1)))
    assert tuple(cochran_q_test([[1] * 3, [0] * 3, [1] * 3])) == (0.0, 1.0)  # all rows are alike
    correct = np.random.RandomState(0).randint(0, 2, (4, 60))
    of_classifier, of_row, k = correct.sum(axis=1), correct.sum(axis=0), len(correct)
    wanted = k * (k - 1) * ((of_classifier - of_classifier.mean()) ** 2).sum()
    wanted /= (of_row * (k - of_row)).sum()
    found = cochran_q_test(correct.T)
    assert found.statistic == pytest.approx(wanted)
    assert found.pvalue == pytest.approx(chi2.sf(wanted, 3))
    assert found.n == 60


def test_cochrans_q_takes_rows_of_classifiers_as_statsmodels_does():
    """The data of Conover's example 1, with Q = 2.8 for 12 games of three persons."""
    games = [[1, 1, 1], [1, 1, 1], [0, 1, 0], [1, 1, 0], [0, 0, 0], [1, 1, 1]]
    games += [[1, 1, 1], [1, 1, 0], [0, 0, 1], [0, 1, 0], [1, 1, 1], [1, 1, 1]]
    q, p = cochran_q_test(games)
    assert (q, p) == pytest.approx((2.8, chi2.sf(2.8, 2)))
    frame = pd.DataFrame(games, columns=list("abc"))
    assert tuple(cochran_q_test(frame)) == (q, p)
    for turned in (np.transpose(games), frame.T, np.ones((3, 4), bool)):
        with pytest.raises(ValueError, match=r"expected .n_rows.*transpose it"):
            cochran_q_test(turned)


@pytest.mark.parametrize(("n_models", "noted"), [(5, True), (6, False)])
def test_mid_p_of_up_to_ten_pairs_is_noted(n_models, noted):
    correct = np.random.RandomState(0).uniform(size=(n_models, 50)) > 0.3
    scores = hits_of(correct, tuple("abcdef"[:n_models]))
    pairs = McNemarScoreTest().run(scores.differences(*np.triu_indices(n_models, k=1)))
    assert ("mid-p" in [note.code for note in pairs.notes]) == noted


@pytest.mark.parametrize("few", [(0, 1), (12, 12), (0, 0), (13, 12)])
def test_few_discordant_rows_point_to_the_exact_test(few):
    y, labels = predictions(*few, 60)
    labels["c"] = 1 - y
    options = {"scoring": "accuracy", "method": "mcnemar"}
    notes = compare_predictions(y, labels, **options).notes
    texts = [note.text for note in notes if note.code == "few discordant rows"]
    assert len(texts) == (0 < sum(few) < 25)
    for text in texts:
        assert "one only in 'a - b', where" in text or "one only in 'b - a', where" in text
        assert 'mcnemar_exact_test(..., method="exact")' in text
