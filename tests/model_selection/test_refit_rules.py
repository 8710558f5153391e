"""Each rule of SignificanceRefit where it is hard to choose: no variance, no evidence, no cost."""

import warnings
from contextlib import nullcontext
from functools import cache

import numpy as np
import pytest
from scipy import stats

from skcvstats import (
    CorrectedResampledTTest,
    DegenerateScoresWarning,
    LocationTest,
    Pivot,
    SignificanceRefit,
    SplitDesign,
    SplitDesignWarning,
    compare_candidates,
    compare_scores,
)
from tests.model_selection.refits import (
    BEST,
    CV,
    X,
    Y,
    by_best_set,
    by_margin,
    by_test,
    found,
    noisy,
    results_of,
    scores_of,
    searched,
)

nothing_shown = pytest.mark.filterwarnings("ignore:No candidate is shown to be within")


@nothing_shown
def test_one_candidate_same_means_and_missing_scores_by_every_rule():
    """Of candidates with the same mean the cheapest is the best; missing scores are passed over."""
    shuffled, hole = BEST[::-1].copy(), np.where(np.arange(15) == 3, np.nan, BEST + 0.01)
    assert shuffled.mean() == BEST.mean()
    for refit in (SignificanceRefit(CV, "n_columns"), by_test(), by_margin(1e-6), by_best_set()):
        assert refit(results_of(BEST)) == 0
        assert refit(results_of(BEST - 0.3, shuffled, BEST, BEST)) == 1
        assert refit(results_of(hole, BEST - 0.2 * BEST, BEST, hole)) == 2


@pytest.mark.parametrize(("cost", "chosen"), [("n_columns", 0), (lambda params: 0, 1)])
def test_means_that_differ_by_rounding_are_the_same(cost, chosen):
    cheap, dear = np.full((2, 15), 0.3)
    cheap[:2], dear[:2] = (0.1, 0.5), (0.5, 0.1 + 1e-15)
    assert 0 < dear.mean() - cheap.mean() < 1e-15
    # At equal costs the higher mean is the best, however little it is higher.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert by_margin(1e-9, cost=cost)(results_of(cheap, dear)) == chosen


WITHIN, PERFECT = CorrectedResampledTTest(null_value=-0.25), np.ones(15)
ONE_ERROR = SignificanceRefit(CV, "n_columns", rule="one_standard_error")
NEAR = BEST - np.linspace(-0.01, 0.011, 15)
TWIN = BEST + 0.01 * np.sin(np.arange(15)) - 0.004
SECOND = BEST - 0.001 + 0.005 * np.sin(np.arange(15))


class TestScoresThatDoNotVary:
    """No variance is no evidence, whichever side it speaks for."""

    @pytest.mark.parametrize("by_rule", [by_test, by_best_set])
    @pytest.mark.parametrize("gap", [2.0**-10, 0.5])
    def test_the_same_distance_in_every_split_is_not_shown_to_be_worse(self, by_rule, gap):
        far = BEST - np.linspace(0.5, 0.6, 15)
        with pytest.warns(DegenerateScoresWarning, match=rf"'n_columns': 2.*-{gap:.3g}: .*is 0"):
            assert by_rule()(results_of(far, BEST - gap, BEST)) == 1
        with pytest.warns(DegenerateScoresWarning, match="no evidence that it is"):
            assert by_rule()(results_of(BEST - gap, BEST)) == 0  # nothing else to go by
        # One that is not taken, and equal scores, are no matter.
        assert by_rule()(results_of(NEAR, BEST - gap, BEST)) == 0
        assert by_rule()(results_of(BEST, BEST)) == 0

    @pytest.mark.parametrize(
        ("refit", "rows", "chosen", "told"),
        [
            (by_test(method=WITHIN), [BEST - 0.125, BEST], 0, None),
            (by_test(method=WITHIN), [BEST - 0.5, BEST], 0, "no evidence that it is worse"),
            (ONE_ERROR, [BEST, PERFECT, PERFECT], 1, "standard error is 0"),
            (ONE_ERROR, [PERFECT, PERFECT], 0, None),
            (by_margin(0.25), [BEST - 0.125, NEAR, BEST], 1,
             r"columns': 1.* from \{'n_columns': 3\} by -0\.125: .* the margin"),
            (by_margin(0.1), [BEST - 0.125, NEAR, BEST], 1, None),  # not within the margin anyway
            # A candidate whose twin is in the search is not accepted, though the best is near.
            (by_margin(0.2), [TWIN, BEST], 0, None),
            (by_margin(0.2), [TWIN, TWIN, BEST], 2, r"columns': 1\}.* \{'n_columns': 2\} by 0: "),
            # The constant difference from the best says nothing, that from the second does.
            (by_best_set(), [BEST - 0.25, SECOND, BEST], 1, None),
        ],
    )  # fmt: skip
    def test_what_is_chosen_and_said(self, refit, rows, chosen, told):
        warned = pytest.warns(DegenerateScoresWarning, match=told) if told else nullcontext()
        with warned:
            assert refit(results_of(*rows)) == chosen

    def test_of_candidates_with_the_same_scores_none_is_within_a_margin(self):
        with (
            pytest.warns(DegenerateScoresWarning, match=r"columns': 1\} is not accepted.* by 0: "),
            pytest.warns(SplitDesignWarning, match=r"its loss may exceed the margin\. Use more"),
        ):
            assert by_margin(0.2)(results_of(BEST, BEST)) == 0


@cache
def largest_pvalues(margin):
    """Return the largest adjusted p-value of each candidate, with each other as the reference."""
    results = found()
    names = [f"#{k}" for k in range(len(results["params"]))]
    scores = dict(zip(names, scores_of(results), strict=True))
    design = SplitDesign.from_sizes(160, 40, n_splits=15, n_samples=200)
    options = {"scoring": "accuracy", "design": design}
    options["method"] = CorrectedResampledTTest(null_value=-margin, alternative="greater")
    largest = dict.fromkeys(names, 0.0)
    for reference in names:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compared = compare_scores(scores, reference=reference, **options)
        for row in compared.to_frame().itertuples():
            assert row.versus == reference
            largest[row.estimator] = max(largest[row.estimator], row.pvalue_adjusted)
    return largest


class TestMargin:
    """Accepted is what is shown to be within the margin of every other candidate."""

    @nothing_shown
    @pytest.mark.parametrize(("level", "alpha"), [(0.99, 0.01), (0.95, 0.05), (0.8, 0.2)])
    @pytest.mark.parametrize("margin", [0.03, 0.08, 0.12, 0.2, 0.3])
    def test_without_a_root_by_hand(self, level, alpha, margin):
        chosen = by_margin(margin, confidence_level=level, method=WithoutRoot())(found())
        scores = scores_of(found())
        accepted = []
        for k, one in enumerate(scores):
            others = one - np.delete(scores, k, axis=0)
            if (np.ptp(others, axis=1) == 0).any():  # two candidates have the same scores
                accepted.append(False)
                continue
            error = np.sqrt((1 / 15 + 0.2 / 0.8) * others.var(axis=1, ddof=1))
            t = (others.mean(axis=1) + margin) / error
            accepted.append(5 * stats.t.sf(t.min(), 14) < alpha)
        best = scores.mean(axis=1).argmax()
        assert chosen == (np.flatnonzero(accepted)[0] if any(accepted) else best)

    @pytest.mark.parametrize("level", [0.99, 0.95, 0.7])
    @pytest.mark.parametrize("margin", [0.03, 0.08, 0.12, 0.2, 0.3])
    def test_the_tests_are_those_of_all_others_against_each(self, margin, level):
        """Each candidate as the reference of one-sided comparisons, adjusted by max-t."""
        results = found()
        largest = largest_pvalues(margin)
        names, shown = list(largest), {name: p <= 1 - level for name, p in largest.items()}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            chosen = by_margin(margin, confidence_level=level)(results)
        none = any("its loss may exceed the margin" in str(w.message) for w in caught)
        assert none == (not any(shown.values()))
        first = [k for k, name in enumerate(names) if shown[name]]
        assert chosen == (first[0] if first else scores_of(results).mean(axis=1).argmax())

    def test_one_that_is_near_the_leader_but_perhaps_far_below_another(self):
        """The leader may lead by chance: a noisy candidate could be better than both."""
        near, noisy_one = noisy(0, 0.01, 0.01), noisy(1, 0.005, 0.2)
        assert by_margin(0.05)(results_of(near, BEST)) == 0
        with pytest.warns(SplitDesignWarning, match="No candidate is shown to be within"):
            assert by_margin(0.05)(results_of(near, noisy_one, BEST)) == 2

    def test_what_is_said_where_none_is_accepted(self):
        rows = [noisy(0, 0.03, 0.1), BEST]
        error = np.sqrt((1 / 15 + 1 / 4) * (rows[0] - BEST).var(ddof=1))
        most = stats.t.ppf(0.95, 14) * error - 0.03
        match = (
            r"^No candidate is shown to be within margin=0\.01 of every other\. \{'n_columns': 2\} "
            rf"is chosen, .* the margin \(95 % confidence bound: at most {most:.3g}\)\. "
        )
        with pytest.warns(SplitDesignWarning, match=match):
            assert by_margin(0.01)(results_of(*rows)) == 1
        assert by_margin(1.001 * most)(results_of(*rows)) == 1  # silently
        just_below = float(most) * (1 - 1e-7)  # the two are told apart
        with pytest.warns(SplitDesignWarning, match="within margin=") as caught:
            by_margin(just_below)(results_of(*rows))
        assert float(str(caught[0].message).split("at most ")[1].split(")")[0]) > just_below


@pytest.mark.parametrize("by_rule", [by_test, by_best_set])
class TestWhatIsNotShownToBeWorse:
    """That a candidate is not shown to be worse is no evidence that it is as good."""

    def test_one_that_may_be_much_worse(self, by_rule):
        rows = [noisy(0, 0.03, 0.1), BEST]
        error = np.sqrt((1 / 15 + 1 / 4) * (rows[0] - BEST).var(ddof=1))
        worst = 0.03 + stats.t.ppf(0.95, 14) * error
        match = rf"0\.03 below the best\. .* worse by up to {worst:.3g} \(one-sided 95 % bound"
        with pytest.warns(SplitDesignWarning, match=match):
            assert by_rule()(results_of(*rows)) == 0

    def test_enough_data_and_the_best_itself_are_no_matter(self, by_rule, recwarn):
        assert by_rule()(results_of(noisy(0, 0.001, 0.005), BEST)) == 0
        assert by_rule()(results_of(BEST, noisy(0, 0.03, 0.1))) == 0
        assert not recwarn.list


class WithoutRoot(LocationTest):
    """The corrected resampled t-test of somebody who does not give the covariance."""

    name = "without_root"
    title = "t-test without a root"
    source = "nadeau2003"

    def require(self, design, auxiliary=None):
        pass

    def pivot(self, sample, auxiliary=None):
        x = sample.values
        n_splits = x.shape[-1]
        error = np.sqrt((1 / n_splits + 1 / 4) * x.var(axis=-1, ddof=1))
        return Pivot(x.mean(axis=-1), error, n_splits - 1)


@pytest.mark.filterwarnings("ignore:.* is no evidence that it is equally good")
class TestBestSet:
    @pytest.mark.parametrize("level", [0.95, 0.55])
    def test_it_is_the_set_that_the_comparison_names(self, level):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            best = compare_candidates(searched(False), X, Y).best_set(level)
        numbers = [int(name.partition("n_columns=")[2]) for name in best]
        chosen = found()["params"][by_best_set(confidence_level=level)(found())]
        assert chosen == {"n_columns": min(numbers)}

    def test_without_a_root_by_bonferroni(self):
        rows = np.array([noisy(k, 0.08 - 0.015 * k, 0.04) for k in range(5)] + [BEST])
        differences = rows[:, None] - rows  # of the row minus the column
        error = np.sqrt((1 / 15 + 1 / 4) * differences.var(axis=-1, ddof=1))
        with np.errstate(invalid="ignore"):
            t = np.nanmax(-differences.mean(axis=-1) / error, axis=1)
        pvalues = np.minimum(1, 5 * stats.t.sf(t, 14))
        chosen = []
        for alpha in (1e-4, 0.01, 0.05, 0.2, 0.45):
            refit = by_best_set(confidence_level=1 - alpha, method=WithoutRoot())
            chosen.append(refit(results_of(*rows)))
            assert chosen[-1] == np.flatnonzero(pvalues > alpha)[0]
        assert len(set(chosen)) > 2
