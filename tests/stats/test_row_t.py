"""The row t-test on arrays, against an independent implementation, formulas and brute force."""

import pickle
from contextlib import nullcontext

import numpy as np
import pytest
from scipy import stats
from sklearn.model_selection import GroupKFold, KFold, RepeatedKFold

from skcvstats import CVScores, RowTTest, SplitDesign, compare_scores, evaluation_report
from skcvstats.exceptions import AnticonservativeWarning, DegenerateScoresWarning
from skcvstats.scores import RowScores
from skcvstats.stats import row_ttest
from skcvstats.stats._row_units import find_units, row_root, spread_of
from skcvstats.theory import correlation_sensitivity
from tests.conftest import golden_cases
from tests.stats.guard_by_formula import variances_by_formula

ON_ARRAYS = [case for case in golden_cases("row_t") if "row_scores" in case["inputs"]]


def draw_folds(n_units, n_repeats, n_folds, seed=0):
    """Return the number of the fold of each unit in each repeat."""
    rng = np.random.default_rng(seed)
    return np.stack([rng.permutation(np.arange(n_units) % n_folds) for _ in range(n_repeats)])


def laid_out(values, codes=None, weights=None, folds=None):
    """Return scores of shape (n_estimators, n_repeats, n_rows) as a fit keeps them."""
    n_estimators, n_repeats, n_rows = values.shape
    rows = RowScores(
        values.reshape(n_estimators, -1),
        np.tile(np.arange(n_rows), n_repeats),
        np.arange(n_repeats + 1) * n_rows,
    )
    positions = np.arange(n_repeats * n_rows).reshape(n_repeats, n_rows)
    return rows, find_units(positions, folds, codes, weights)


@pytest.mark.parametrize("case", ON_ARRAYS, ids=lambda case: case["id"])
def test_against_an_independent_implementation(case):
    given, wanted = dict(case["inputs"]), case["outputs"]
    level = given.pop("level", 0.95)
    names = {"weights": "sample_weight", "null": "null_value"}
    result = row_ttest(**{names.get(name, name): value for name, value in given.items()})
    interval = result.confidence_interval(level)
    found = [result.estimate, result.standard_error, result.df, result.statistic, result.pvalue]
    facts = "estimate", "standard_error", "df", "statistic", "pvalue"
    expected = [wanted[name] for name in facts]
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-10)
    ends = [float(wanted["low"]), float(wanted["high"])]
    np.testing.assert_allclose(interval, ends, rtol=1e-10, atol=1e-10)
    assert ("fits differ" in [note.code for note in result.notes]) == wanted["guarded"]


def test_two_repeats_of_three_rows_by_hand():
    # two repeats of three rows: means 1, 2, 3; v = 2/(2*3), w = (2 * 3 * 1)/(1 * 9)
    scores = np.array([[0.0, 1, 2, 5, 5, 5], [2.0, 3, 4, 5, 5, 5]])
    means = scores.mean(axis=0)
    v = ((means - means.mean()) ** 2).sum() / (5 * 6)
    w = 3 * 2 * 1.0 / 36
    found = row_ttest(scores, n_folds=3)
    assert found.estimate == means.mean()
    assert found.standard_error == pytest.approx(np.sqrt(v + 0.5 * (v + 3 / 5 * w)), rel=1e-14)
    assert found.df == 5
    with pytest.warns(AnticonservativeWarning):
        plain = row_ttest(scores[:1], n_folds=3, inflation=0)
    wanted = stats.ttest_1samp(scores[0], 0)
    assert (plain.statistic, plain.pvalue) == pytest.approx((wanted.statistic, wanted.pvalue))
    one = row_ttest(scores[:1], n_folds=3)
    assert one.standard_error == pytest.approx(np.sqrt(1.75 * scores[0].var(ddof=1) / 6), rel=1e-14)


@pytest.mark.parametrize("weighted", [False, True])
def test_groups_are_left_out_one_by_one(weighted):
    """Of one repeat, v is the variance of the jackknife over groups, computed by leaving out."""
    rng = np.random.default_rng(3)
    codes = np.repeat(np.arange(9), rng.integers(2, 8, 9))
    x = rng.normal(size=len(codes)) + rng.normal(size=9)[codes]
    w = rng.uniform(0.5, 3, len(codes)) if weighted else np.ones(len(codes))
    mean = np.average(x, weights=w)
    without = [np.average(x[codes != g], weights=w[codes != g]) for g in range(9)]
    jackknife = 8 / 9 * ((np.array(without) - mean) ** 2).sum()
    labels = np.array(list("abcdefghi"))[codes]
    given = {"groups": labels, "sample_weight": w if weighted else None}
    found = row_ttest(x[np.newaxis], n_folds=3, **given)
    assert found.estimate == pytest.approx(mean, rel=1e-13)
    assert found.standard_error**2 == pytest.approx(1.75 * jackknife, rel=1e-12)


def test_equal_groups_equal_weights_and_rows_of_weight_zero_are_none():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(3, 24))
    plain = row_ttest(scores, n_folds=4)
    for given in ({"sample_weight": np.full(24, 7.0)}, {"groups": np.arange(24)}):
        found = row_ttest(scores, n_folds=4, **given)
        assert found.estimate == pytest.approx(plain.estimate, abs=1e-15)
        assert found.standard_error == pytest.approx(plain.standard_error, rel=1e-13)
        assert found.df == 23
    scores, weights = rng.normal(size=(2, 30)), rng.uniform(1, 2, 30)
    weights[25:] = 0
    one = row_ttest(scores, n_folds=5, sample_weight=weights)
    other = row_ttest(scores[:, :25], n_folds=5, sample_weight=weights[:25])
    assert one.estimate == pytest.approx(other.estimate, rel=1e-13)
    assert one.standard_error == pytest.approx(other.standard_error, rel=1e-13)
    assert one.df == other.df


@pytest.mark.parametrize(("n_repeats", "grouped"), [(1, False), (2, True), (4, False)])
def test_root_gives_the_variance_of_each_difference(n_repeats, grouped):
    rng = np.random.default_rng(5)
    values = rng.normal(size=(6, n_repeats, 83)) + rng.normal(size=83)
    codes = rng.integers(0, 19, 83) if grouped else None
    weights = rng.uniform(1, 3, 83) if grouped else None
    rows, units = laid_out(values, codes, weights)
    first, second = np.triu_indices(6, k=1)
    given = {} if codes is None else {"groups": codes, "sample_weight": weights}
    alone = row_ttest(values[first] - values[second], n_folds=5, inflation=0.7, **given)
    for root in (row_root(rows, units, 0.7, 5), row_root(rows, units, 0.7, 5, block_size=100)):
        assert root.shape == (6, 6)
        lengths = np.linalg.norm(root[first] - root[second], axis=1)
        np.testing.assert_allclose(lengths, alone.standard_error, rtol=1e-12)


def spread_by_hand(difference, labels, codes, weights):
    """Return the numbers of the spread of a difference (n_repeats, n_rows), from their formulas."""
    n_repeats, n_rows = difference.shape
    totals, units = np.ones(n_rows), difference
    estimate = np.average(difference.mean(axis=0), weights=weights)
    if codes is not None:
        first = np.unique(codes, return_index=True)[1]
        totals = np.bincount(codes, weights)
        scaled = weights * (difference - estimate)
        sums = np.stack([np.bincount(codes, row) for row in scaled])
        units = estimate + (len(totals) - 1) * sums / (totals.sum() - totals)
        labels = labels[:, first]
    n = units.shape[1]
    deviations = units - estimate
    means = deviations.mean(axis=0)
    over_repeats = 0.0
    if n_repeats > 1:
        over_repeats = np.square(deviations - means).sum() / ((n_repeats - 1) * n**2)
    folds = [units[r][labels[r] == h] for r in range(n_repeats) for h in range(labels.max() + 1)]
    return [
        estimate,
        np.square(means).sum() / ((n - 1) * n),
        over_repeats,
        np.var([fold.mean() for fold in folds], ddof=1),
        np.mean([fold.var(ddof=1) / len(fold) for fold in folds]),
        np.square(np.square(means).sum()) / (means**4).sum(),
    ]


@pytest.mark.parametrize(("n_repeats", "grouped"), [(1, False), (4, False), (3, True)])
@pytest.mark.parametrize("what", ["numbers", "shares", "near", "far"])
def test_all_pairs_of_many_estimators_at_once(n_repeats, grouped, what):
    rng = np.random.default_rng(11)
    values = rng.normal(size=(13, n_repeats, 70)) + rng.normal(size=70)
    codes = weights = None
    labels = draw_folds(70, n_repeats, 5)
    if grouped:
        codes, weights = rng.permutation(np.arange(70) % 20), rng.uniform(0.5, 2, 70)
        labels = draw_folds(20, n_repeats, 5)[:, codes]
    if what == "shares":
        values = (values > -1) * 1.0
    elif what == "near":  # each pair differs by a millionth of what each varies by
        values = 5 * values[:1] + 1e-6 * values + 7
    elif what == "far":
        values[2] *= 1e9
        values[5] += 1e3
    values[8], values[9] = values[4], values[4] + (2.0**-20 if what == "near" else 0.25)
    first, second = np.triu_indices(13, k=1)
    rows, units = laid_out(values, codes, weights, labels)
    found = np.array(spread_of(rows.pairs(first, second), units))
    for k, (a, b) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        if {a, b} == {4, 8}:
            assert found[:, k].tolist() == [0, 0, 0, 0, 0, np.inf]
        elif not {a, b} <= {4, 8, 9}:  # whose differences are rounding
            wanted = spread_by_hand(values[a] - values[b], labels, codes, weights)
            assert found[0, k] == pytest.approx(wanted[0], 1e-14, 1e-10 * np.sqrt(wanted[1]))
            np.testing.assert_allclose(found[1:5, k], wanted[1:5], rtol=1e-10, atol=0)
            assert found[5, k] == pytest.approx(wanted[5], rel=1e-8)  # told with three digits


@pytest.mark.parametrize("exponent", [-320, 320])
def test_pairs_and_their_maxima_do_not_depend_on_the_unit(exponent):
    rng = np.random.default_rng(3)
    splits = list(RepeatedKFold(n_splits=5, n_repeats=2, random_state=0).split(np.zeros((40, 1))))
    numbers = rng.normal(size=(len(splits), 3, 8)) + np.array([0.0, 0.2, 0.9])[:, np.newaxis]
    found = []
    for by in (0, exponent):
        rows = RowScores.from_splits(list(np.ldexp(numbers, by)), [test for _, test in splits])
        design = SplitDesign.from_indices(*zip(*splits, strict=True))
        labels = ("a", "b", "c")
        scores = CVScores(values=rows.means(), design=design, labels=labels, row_scores=rows)
        found.append(compare_scores(scores, method="row_t", adjustment="max_t").to_frame(full=True))
    names = ["statistic", "pvalue", "pvalue_adjusted"]
    np.testing.assert_allclose(found[1][names], found[0][names], rtol=1e-12)
    ends = [frame[["low", "high"]] for frame in found]
    np.testing.assert_allclose(ends[1], np.ldexp(ends[0], exponent), rtol=1e-12)


class TestGuard:
    """Fits that differ by more than rows explain lengthen the interval, and are noted."""

    folds = draw_folds(200, 4, 5)

    def scattered(self, size, seed=0):
        rng = np.random.default_rng(seed)
        offsets = rng.normal(scale=size, size=(4, 5))
        return rng.normal(size=(4, 200)) + np.take_along_axis(offsets, self.folds, axis=1)

    def test_interval_is_at_most_that_of_the_corrected_t_on_these_folds(self):
        scores = self.scattered(3.0)
        means = [scores[r][self.folds[r] == h].mean() for r in range(4) for h in range(5)]
        half = stats.t.isf(0.025, 19) * np.sqrt((1 / 20 + 1 / 4) * np.var(means, ddof=1))
        found = row_ttest(scores, n_folds=5, folds=self.folds)
        low, high = found.confidence_interval()
        *_, guarded = variances_by_formula(scores, self.folds)
        wanted = stats.t.isf(0.025, 199) * np.sqrt(guarded)
        assert (high - low) / 2 == pytest.approx(wanted, rel=1e-12)
        assert 0.9 * half < wanted < half * (1 + 1e-12)
        assert "vary more between fits" in " ".join(map(str, found.notes))
        assert "columns" not in str(found)  # of the fits only the scores are known
        said = "raised to the smallest of 0.338 s, itself plus 1.01 (s - 1.9 q), v + 0.338 u, with"
        assert said in found.describe().explanation
        single = row_ttest(scores[:1], n_folds=5, folds=self.folds[:1]).describe().explanation
        assert "(s - 3.32 q), with s the variance of the 5 means" in single
        assert row_ttest(scores, n_folds=5).standard_error < found.standard_error / 2
        both = row_ttest(np.stack([scores, self.scattered(0.0)]), n_folds=5, folds=self.folds)
        assert "in 1 of 2 tests, scores vary more between fits" in " ".join(map(str, both.notes))
        with pytest.warns(AnticonservativeWarning, match="inflation of 0 the row t-test treats"):
            plain = row_ttest(scores, n_folds=5, folds=self.folds, inflation=0)
        assert "fits differ" not in {note.code for note in plain.notes}

    @pytest.mark.parametrize("n_repeats", [1, 2, 4])
    def test_it_grows_without_a_jump(self, n_repeats):
        """From none on, the scatter of fits raises the standard error little by little."""
        rng = np.random.default_rng(1)
        folds = self.folds[:n_repeats]
        rows = rng.normal(size=(n_repeats, 200))
        offsets = np.take_along_axis(rng.normal(size=(n_repeats, 5)), folds, axis=1)

        def errors_at(sizes):
            scores = rows + sizes[:, np.newaxis, np.newaxis] * offsets
            return np.log(row_ttest(scores, n_folds=5, folds=folds).standard_error)

        sizes = np.linspace(0, 2, 1001)
        steepest = np.abs(np.diff(errors_at(sizes))).argmax()
        closer = np.linspace(sizes[steepest], sizes[steepest + 1], 101)
        assert np.abs(np.diff(errors_at(closer))).max() < 0.01

    def test_it_acts_where_the_formula_does(self):
        levels = 2 * np.random.default_rng(1).normal(size=200)  # of rows, the same in all repeats
        sizes = np.repeat([0.0, 0.3, 0.5, 0.8], 50)
        some = [levels + self.scattered(size, seed) for seed, size in enumerate(sizes)]
        found = row_ttest(np.stack(some), n_folds=5, folds=self.folds)
        numbers = np.array([variances_by_formula(units, self.folds)[2:] for units in some])
        np.testing.assert_allclose(np.square(found.standard_error), numbers[:, 1], rtol=1e-10)
        ratios = numbers[:, 1] / numbers[:, 0]
        assert found.is_guarded.any()
        assert not found.is_guarded.all()
        assert ((ratios > 1) & (ratios < 1.1)).any()
        np.testing.assert_array_equal(found.is_guarded, ratios > 1.1)

    @pytest.mark.parametrize("size", [0.19, 0.2, 0.21, 0.3, 3.0])
    @pytest.mark.parametrize("n_repeats", [1, 4])
    def test_sensitivity_to_the_inflation(self, size, n_repeats):
        """The table has the tests at these inflations; at that of `tipping` p is 0.05."""
        scores = self.scattered(size)[:n_repeats]
        folds = self.folds[:n_repeats]
        assumed = row_ttest(scores, n_folds=5, folds=folds)
        grid = [0.3, 0.5, 0.9, 1.5]
        tests = [row_ttest(scores, n_folds=5, folds=folds, inflation=a) for a in grid]
        table = correlation_sensitivity(assumed, grid)
        errors = [test.standard_error for test in tests]
        np.testing.assert_allclose(table.standard_error, errors, rtol=1e-12)
        np.testing.assert_allclose(table.pvalue, [test.pvalue for test in tests], rtol=1e-9)
        quantile = stats.t.isf(0.025, 199)
        tipped = False
        for error in np.linspace(errors[0], errors[-1], 7)[1:-1]:
            null = assumed.estimate - quantile * error
            tipping = correlation_sensitivity(assumed, grid, null_value=null).tipping
            if 0.25 <= tipping <= 1.5:
                at = row_ttest(scores, n_folds=5, folds=folds, inflation=tipping, null_value=null)
                assert at.pvalue == pytest.approx(0.05, rel=1e-9)
                tipped = True
        assert tipped or size > 0.21

    def test_it_is_silent_where_rows_explain_the_folds(self):
        drawn = (self.scattered(0.0, seed) for seed in range(200))
        notes = [row_ttest(scores, n_folds=5, folds=self.folds).notes for scores in drawn]
        assert np.mean(["fits differ" in {note.code for note in of} for of in notes]) < 0.04


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("null", [-0.3, 0.0, 0.02, 0.4])
def test_pvalue_over_folds(alternative, null):
    rng = np.random.default_rng(12)
    scores = rng.normal(size=60) / 9 + rng.normal(scale=0.2, size=(3, 60))
    options = {"n_folds": 5, "alternative": alternative, "null_value": null}
    result = row_ttest(scores, **options)
    t = (scores.mean() - null) / result.standard_error
    w = ((scores - scores.mean(axis=0)) ** 2).sum() / (2 * 60**2)
    delta = 1.2 * 1.2816 * np.sqrt(2 * w / 3) / result.standard_error
    wanted = {
        "two-sided": (
            2 * stats.t.sf(abs(t) + delta, 59),
            2 * stats.t.sf(max(0, abs(t) - delta), 59),
        ),
        "greater": (stats.t.sf(t + delta, 59), stats.t.sf(t - delta, 59)),
        "less": (stats.t.cdf(t - delta, 59), stats.t.cdf(t + delta, 59)),
    }[alternative]
    assert result.pvalue_over_folds == pytest.approx(wanted, rel=1e-4)
    assert result.pvalue_over_folds.low <= result.pvalue <= result.pvalue_over_folds.high
    with pytest.warns(DegenerateScoresWarning):
        both = row_ttest(
            np.stack([scores, np.zeros((3, 60))]), **options | {"null_value": [null, 0.0]}
        )
    low, high = both.pvalue_over_folds
    assert (low[0], high[0]) == pytest.approx(result.pvalue_over_folds, rel=1e-12)
    assert np.isnan([low[1], high[1]]).all()  # the second does not vary
    assert row_ttest(scores[:1], **options).pvalue_over_folds is None


def test_pvalue_over_folds_of_a_guarded_result_is_of_its_guarded_error():
    scores = TestGuard().scattered(1.0)
    result = row_ttest(scores, n_folds=5, folds=TestGuard.folds)
    _, w, _, guarded = variances_by_formula(scores, TestGuard.folds)
    delta = 1.2 * stats.norm.isf(0.1) * np.sqrt(w / 2 / guarded)
    low = 2 * stats.t.sf(abs(scores.mean()) / np.sqrt(guarded) + delta, 199)
    assert result.pvalue_over_folds.low == pytest.approx(low, rel=1e-9)


def words_of(result):
    return " ".join(str(result).split())


def test_descriptions_have_the_sizes_and_what_dominates():
    rng = np.random.default_rng(10)
    said = words_of(row_ttest(rng.normal(size=(4, 100)), n_folds=5, folds=draw_folds(100, 4, 5)))
    assert "row t-test" in said
    assert "(n = 100, train 80, test 20)" in said
    said = words_of(row_ttest(rng.normal(size=(2, 22)), n_folds=4))
    assert "train 16.5, test 5.5)" in said
    few = np.zeros((2, 100))
    few[:, :3] = 1.5
    assert "A few rows dominate the variance" in words_of(row_ttest(few, n_folds=5))
    own = row_ttest(rng.normal(size=(4, 100)), n_folds=5, inflation=0.8)
    assert "your assumption" in own.describe().assumption
    assert explanation(own) == "the square root of v + 0.8 (v + w)"
    doubled = row_ttest(rng.normal(size=(4, 100)), n_folds=10, inflation=1)
    assert explanation(doubled) == "the square root of v + (v + 2 w)"
    assert "one repeat" in [n.code for n in row_ttest(rng.normal(size=(1, 99)), n_folds=5).notes]
    seven = row_ttest(rng.normal(size=(2, 99)), n_folds=7)
    assert "folds not measured" in [note.code for note in seven.notes]


def explanation(result):
    return result.describe().explanation.split(", v the")[0]


@pytest.mark.parametrize("inflation", [0, 0.24, 0.25, 1.5])
def test_another_inflation_is_said_and_a_small_one_warned(inflation):
    small = inflation < 0.25
    scores = np.random.default_rng(10).normal(size=(4, 100))
    with pytest.warns(AnticonservativeWarning) if small else nullcontext():
        result = row_ttest(scores, n_folds=5, inflation=inflation)
    (note,) = result.notes
    assert f"inflation of {inflation:.3g}" in note.text
    assert note.code == ("liberal procedure" if small else "inflation")
    assert not row_ttest(scores, n_folds=5).notes


def test_the_careful_inflation_has_no_note_and_cites_what_it_is_careful_about():
    scores = np.random.default_rng(10).normal(size=(4, 100))
    careful = row_ttest(scores, n_folds=5, inflation=1)
    assert not careful.notes
    cited = careful.describe().sources
    assert cited == ("bayle2020", "nadeau1999", "wang2014", "zeng2026")
    assert row_ttest(scores, n_folds=5).describe().sources == ("bayle2020",)
    assert "1 is a careful choice" in careful.describe().assumption
    report = " ".join(str(evaluation_report(careful)).split())
    for source in ("Variance Estimation of a General U-Statistic", "Spurious Model Comparisons"):
        assert source in report


def test_folds_and_groups_of_any_labels():
    rng = np.random.default_rng(13)
    groups, whole = np.array(list("abcdefghijkl"))[rng.integers(0, 12, 60)], np.empty((1, 60))
    for k, (_, test) in enumerate(GroupKFold(3).split(groups, groups=groups)):
        whole[0, test] = k
    found = row_ttest(rng.normal(size=(1, 60)), n_folds=3, folds=whole, groups=groups)
    assert found.unit == "groups"
    scores, folds = rng.normal(size=(2, 60)), np.empty((2, 60), dtype=object)
    for r in range(2):
        for k, (_, test) in enumerate(KFold(5, shuffle=True, random_state=r).split(scores[0])):
            folds[r, test] = "uvwxy"[k]
    named = row_ttest(scores, n_folds=5, folds=folds)
    numbers = np.unique(folds, return_inverse=True)[1].reshape(2, 60)
    numbered = row_ttest(scores, n_folds=5, folds=numbers)
    assert named.standard_error == numbered.standard_error


def test_what_was_found_of_rows_is_not_used_for_others():
    """The folds of all repeats are kept with the scores, not with those of some of the repeats."""
    rng, X = np.random.default_rng(8), np.zeros((30, 1))
    cv = RepeatedKFold(n_splits=5, n_repeats=3, random_state=0)
    splits = list(cv.split(X))
    tests = [test for _, test in splits]
    parts = [rng.normal(size=(2, test.size)) for test in tests]
    design = SplitDesign.from_splitter(cv, X)

    def tested(numbers, rows):
        of_some = design.take(numbers)
        return RowTTest()(CVScores(values=rows.means(), design=of_some, row_scores=rows))

    rows = RowScores.from_splits(parts, tests)
    tested(range(15), rows)
    for numbers in (range(5), range(5, 15), range(15)):
        fresh = RowScores.from_splits([parts[k] for k in numbers], [tests[k] for k in numbers])
        found, wanted = tested(numbers, rows.take(numbers)), tested(numbers, fresh)
        np.testing.assert_array_equal(found.standard_error, wanted.standard_error)
        again = tested(numbers, pickle.loads(pickle.dumps(rows)).take(numbers))
        np.testing.assert_array_equal(again.standard_error, wanted.standard_error)
    assert len(pickle.dumps(rows)) == len(pickle.dumps(RowScores.from_splits(parts, tests)))
