"""SignificanceRefit against its rules by hand, without variance, evidence or cost too."""

import warnings
from contextlib import nullcontext
from functools import cache

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn import config_context
from sklearn import model_selection as ms
from sklearn.datasets import make_classification

import skcvstats as s
from skcvstats.model_selection._refit import follow
from tests.cheap import QuicklyScored

pytestmark = pytest.mark.filterwarnings("ignore:One or more of the test scores are non-finite")
nothing_shown = pytest.mark.filterwarnings("ignore:No candidate is shown to be within")

X, Y = make_classification(200, 8, n_informative=4, flip_y=0.1, random_state=37)
MODEL = QuicklyScored()
GRID = {"n_columns": [1, 2, 3, 4, 6, 8]}
FEW = {"n_columns": [1, 3, 8]}
CV = s.RepeatedSubsampleSplit(15, test_size=0.2, random_state=0)


def scores_of(results):
    return np.stack([results[f"split{k}_test_score"] for k in range(15)], axis=1)


def searched(refit, cv=CV, grid=GRID, **options):
    with config_context(assume_finite=True, skip_parameter_validation=True):  # 90 fits
        return ms.GridSearchCV(MODEL, grid, cv=cv, refit=refit, **options).fit(X, Y)


@cache
def found():
    """Return the results of a search that no test changes."""
    return searched(False).cv_results_


def by_margin(margin, cv=CV, cost="n_columns", **options):
    return s.SignificanceRefit(cv, cost, margin=margin, **options)


def results_of(*rows):
    """Return what a search over the numbers 1, 2, ... with these scores leaves behind."""
    columns = {f"split{k}_test_score": column for k, column in enumerate(np.transpose(rows))}
    return {**columns, "params": [{"n_columns": 1 + k} for k in range(len(rows))]}


# Sixteenths, so that differences are exact.
BEST = np.array([14, 12, 15, 11, 13, 14, 12, 13, 15, 11, 12, 14, 13, 12, 15]) / 16


def noisy(seed, distance, spread):
    """Return scores on 15 splits around a distance below the best."""
    noise = np.random.default_rng(seed).normal(size=15)
    return BEST - distance + spread * (noise - noise.mean())


@pytest.mark.parametrize("options", [{}, {"rule": "one_standard_error"}])
def test_one_standard_error_by_hand(options):
    search = searched(s.SignificanceRefit(CV, "n_columns", **options))
    scores = scores_of(search.cv_results_)
    means = scores.mean(axis=1)
    best = means.argmax()
    error = np.sqrt((1 / 15 + 0.2 / 0.8) * scores[best].var(ddof=1))
    assert search.best_index_ == np.flatnonzero(means >= means[best] - error)[0]


def test_costs_from_a_key_a_parameter_and_a_callable():
    by_parameter = s.SignificanceRefit(CV, "n_columns")
    by_callable = s.SignificanceRefit(CV, lambda params: params["n_columns"] ** 2)
    by_key = s.SignificanceRefit(CV, "param_n_columns")
    results = found()
    assert by_parameter(results) == by_callable(results) == by_key(results)
    deepest = s.SignificanceRefit(CV, lambda params: -params["n_columns"])(results)
    assert deepest > by_parameter(results)
    tied = s.SignificanceRefit(CV, lambda params: 0)
    assert tied(results) == results["mean_test_score"].argmax()


@pytest.mark.parametrize(("cv", "n_splits", "ratio"), [
    *((10, 10, 1 / 9), (ms.KFold(7), 7, 1 / 6)),
    (ms.RepeatedKFold(n_splits=5, n_repeats=3), 15, 1 / 4),
    (ms.ShuffleSplit(8, test_size=0.25), 8, 1 / 3), (ms.ShuffleSplit(8, test_size=0.01), 8, 1 / 99),
    (ms.ShuffleSplit(8, test_size=0.1, train_size=0.5), 8, 1 / 9),
    (s.RepeatedSubsampleSplit(8, test_size=0.1, train_size=0.5, pool="fixed"), 8, 1 / 5),
    *((ms.GroupKFold(4), 4, 1 / 3), (ms.LeaveOneOut(), 200, 1 / 199)),
    (s.SplitDesign.from_sizes(90, 10, n_splits=6), 6, 1 / 9),
], ids=lambda value: type(value).__name__)  # fmt: skip
def test_what_follows_from_a_splitter(cv, n_splits, ratio):
    assert follow(cv, n_splits=n_splits).rho0_odds == pytest.approx(ratio, rel=1e-9)


@pytest.mark.parametrize("options", [{}, {"margin": 0.5}, {"rule": "margin", "margin": 0.5}])
def test_what_weakens_the_procedure_is_warned_of_once(options):
    rows = [0.7, 0.8, 0.9, 0.6, 0.7], [0.8, 0.8, 0.9, 0.7, 0.9]
    refit = s.SignificanceRefit(ms.StratifiedKFold(5), "n_columns", method="resampled_t", **options)
    with warnings.catch_warnings(record=True, action="always") as caught:
        refit(results_of(*rows))
    said = "The resampled t-test assumes that scores of overlapping splits"
    both = (s.AnticonservativeWarning, said), (s.SplitDesignWarning, "Only 5 splits")
    for category, words in both:
        told = [one.category for one in caught if str(one.message).startswith(words)]
        assert told == [category]


def test_the_metric_of_a_search_with_one_has_no_name():
    results = searched(False, grid=FEW, scoring="f1").cv_results_
    chosen = s.SignificanceRefit(CV, "n_columns")(results)
    assert s.SignificanceRefit(CV, "n_columns", scoring="score")(results) == chosen
    refit = s.SignificanceRefit(CV, "n_columns", scoring="f1")
    search = searched(refit, grid=FEW, scoring=["f1"])
    assert search.best_index_ == chosen


def test_results_as_a_frame_in_any_order():
    results = found()
    frame = pd.DataFrame(results).sort_values("rank_test_score", kind="stable")
    for refit in (s.SignificanceRefit(CV, "n_columns"), by_margin(0.2)):
        with warnings.catch_warnings(action="ignore", category=s.SplitDesignWarning):
            position = refit(frame)
            assert frame["params"].iloc[position] == results["params"][refit(results)]


@nothing_shown
def test_one_candidate_same_means_and_missing_scores_by_every_rule():
    """Of candidates with the same mean the cheapest is the best; missing scores are passed over."""
    shuffled, hole = BEST[::-1].copy(), np.where(np.arange(15) == 3, np.nan, BEST + 0.01)
    assert shuffled.mean() == BEST.mean()
    for refit in (s.SignificanceRefit(CV, "n_columns"), by_margin(1e-6)):
        assert refit(results_of(BEST)) == 0
        assert refit(results_of(BEST - 0.3, shuffled, BEST, BEST)) == 1
        assert refit(results_of(hole, BEST - 0.2 * BEST, BEST, hole)) == 2


@pytest.mark.parametrize(("cost", "chosen"), [("n_columns", 0), (lambda params: 0, 1)])
def test_means_that_differ_by_rounding_are_the_same(cost, chosen):
    cheap, dear = np.full((2, 15), 0.3)
    cheap[:2], dear[:2] = (0.1, 0.5), (0.5, 0.1 + 1e-15)
    assert 0 < dear.mean() - cheap.mean() < 1e-15
    # At equal costs the higher mean is the best, however little it is higher.
    with warnings.catch_warnings(action="ignore"):
        assert by_margin(1e-9, cost=cost)(results_of(cheap, dear)) == chosen


PERFECT = np.ones(15)
ONE_ERROR = s.SignificanceRefit(CV, "n_columns", rule="one_standard_error")
NEAR = BEST - np.linspace(-0.01, 0.011, 15)
TWIN = BEST + 0.01 * np.sin(np.arange(15)) - 0.004


class TestScoresThatDoNotVary:
    """No variance is not evidence."""

    @pytest.mark.parametrize(
        ("refit", "rows", "chosen", "told"),
        [
            (ONE_ERROR, [BEST, PERFECT, PERFECT], 1, "standard error is 0"),
            (ONE_ERROR, [PERFECT, PERFECT], 0, None),
            (by_margin(0.25), [BEST - 0.125, NEAR, BEST], 1,
             r"columns': 1.* from \{'n_columns': 3\} by -0\.125: .* the margin"),
            (by_margin(0.1), [BEST - 0.125, NEAR, BEST], 1, None),  # not within the margin anyway
            # A candidate whose twin is in the search is not accepted, though the best is near.
            (by_margin(0.2), [TWIN, BEST], 0, None),
            (by_margin(0.2), [TWIN, TWIN, BEST], 2, r"columns': 1\}.* \{'n_columns': 2\} by 0: "),
        ],
    )  # fmt: skip
    def test_what_is_chosen_and_said(self, refit, rows, chosen, told):
        warned = pytest.warns(s.DegenerateScoresWarning, match=told) if told else nullcontext()
        with warned:
            assert refit(results_of(*rows)) == chosen

    def test_of_candidates_with_the_same_scores_none_is_within_a_margin(self):
        with (
            pytest.warns(s.DegenerateScoresWarning, match=r"columns': 1\} is not acc.* by 0: "),
            pytest.warns(s.SplitDesignWarning, match=r"its loss may exceed the margin\. Use more"),
        ):
            assert by_margin(0.2)(results_of(BEST, BEST)) == 0


class WithoutRoot(s.LocationTest):
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
        return s.Pivot(x.mean(axis=-1), error, n_splits - 1)


@cache
def largest_pvalues(margin):
    """Return the largest adjusted p-value of each candidate, with each other as the reference."""
    results = found()
    names = [f"#{k}" for k in range(len(results["params"]))]
    scores = dict(zip(names, scores_of(results), strict=True))
    design = s.SplitDesign.from_sizes(160, 40, n_splits=15, n_samples=200)
    options = {"metric": "accuracy", "design": design}
    options["method"] = s.CorrectedResampledTTest(null_value=-margin, alternative="greater")
    largest = dict.fromkeys(names, 0.0)
    for reference in names:
        with warnings.catch_warnings(action="ignore"):
            compared = s.compare_scores(scores, reference=reference, **options)
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
        with warnings.catch_warnings(record=True, action="always") as caught:
            chosen = by_margin(margin, confidence_level=level)(results)
        none = any("its loss may exceed the margin" in str(w.message) for w in caught)
        assert none == (not any(shown.values()))
        first = [k for k, name in enumerate(names) if shown[name]]
        assert chosen == (first[0] if first else scores_of(results).mean(axis=1).argmax())

    def test_one_that_is_near_the_leader_but_perhaps_far_below_another(self):
        """The leader may lead by chance: a noisy candidate could be better than both."""
        near, noisy_one = noisy(0, 0.01, 0.01), noisy(1, 0.005, 0.2)
        assert by_margin(0.05)(results_of(near, BEST)) == 0
        with pytest.warns(s.SplitDesignWarning, match="No candidate is shown to be within"):
            assert by_margin(0.05)(results_of(near, noisy_one, BEST)) == 2

    def test_what_is_said_where_none_is_accepted(self):
        rows = [noisy(0, 0.03, 0.1), BEST]
        error = np.sqrt((1 / 15 + 1 / 4) * (rows[0] - BEST).var(ddof=1))
        most = stats.t.ppf(0.95, 14) * error - 0.03
        match = r"^No candidate is shown to be within margin=0\.01 of every other\. \{'n_columns': "
        match += rf"2\}} is chosen, .* the margin \(95 % confidence bound: at most {most:.3g}\)\. "
        with pytest.warns(s.SplitDesignWarning, match=match):
            assert by_margin(0.01)(results_of(*rows)) == 1
        assert by_margin(1.001 * most)(results_of(*rows)) == 1  # silently
        just_below = float(most) * (1 - 1e-7)  # the two are told apart
        with pytest.warns(s.SplitDesignWarning, match="within margin=") as caught:
            by_margin(just_below)(results_of(*rows))
        assert float(str(caught[0].message).split("at most ")[1].split(")")[0]) > just_below
