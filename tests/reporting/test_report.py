"""EvaluationReport: what it must say, its numbers, every procedure, mistakes."""

import re

import numpy as np
import pytest

from skcvstats import (
    CVScores,
    EvaluationReport,
    HoldoutTTest,
    RepeatedSubsampleSplit,
    SplitDesign,
    compare_candidates,
    compare_estimators,
    compare_scores,
    corrected_resampled_ttest,
    cross_val_inference,
    error_rate_interval,
    evaluation_report,
    get_test,
    get_test_names,
)
from skcvstats._utils._format import format_number, format_pvalue
from skcvstats.comparison._adjustment import ADJUSTMENTS
from skcvstats.comparison._plan import ComparisonPlan
from skcvstats.reporting import _references
from skcvstats.reporting._markdown import escape

from .cases import DESIGN, formats, models, quietly, scores_of, section


class TestWhatItSays:
    def test_verdict_of_two(self):
        result = compare_scores(scores_of(["a", "b"]))
        verdict = section(evaluation_report(result), "Verdict").splitlines()[0]
        low, high = result.tests[0].confidence_interval()
        for words in (
            "a scores significantly higher than b in accuracy at the 5 % level",
            f"a - b = {format_number(result.tests[0].estimate)}",
            f"95 % confidence interval {low:.3g} to {high:.3g}",
            f"p {format_pvalue(result.tests[0].pvalue)}",
            "corrected resampled t-test over 15 splits of 200 rows (180 to train on, 20 to",
            "models trained on 180 rows",
            "not about one fitted model, nor about models trained on all 200 rows",
        ):
            assert words in verdict

    def test_verdict_of_many_counts_the_outcomes(self):
        values = scores_of("abcd").values.copy()
        values[2] = values[0] + 0.001
        rng = np.random.default_rng(1)
        values[3] = values[0] + rng.normal(0, 0.02, 15)
        scores = CVScores(values=values, design=DESIGN, labels=tuple("abcd"), metric="accuracy")
        with pytest.warns(match="do not vary"):
            report = evaluation_report(compare_scores(scores, reference="a"))
        verdict = section(report, "Verdict").splitlines()[0]
        assert verdict.startswith("By the corrected resampled t-test over 15 splits of 200 rows")
        assert (
            "of 3 expected differences in accuracy (each estimator minus a), at the 5 % level, 1 "
            "is shown to be below 0; 1 is not shown to differ from 0, which is no proof of "
            "equality; 1 is undetermined, as the estimated variance is 0; p-values and intervals "
            "are adjusted by the max-t method for 3 comparisons; this is about"
        ) in verdict
        assert "1 warning below weakens this." in section(report, "Verdict")
        warnings = section(report, "Warnings")
        assert warnings.startswith("- c - a: undetermined: the estimated variance")
        row = next(line for line in str(report).splitlines() if line.startswith("c  "))
        assert row.split()[3:] == ["0.00100", "0", *4 * ["\N{EN DASH}"]]

    def test_one_sided(self):
        result = compare_scores(scores_of("abc"), alternative="less")
        report = evaluation_report(result)
        assert "3 are not shown to be below 0" in str(report)
        hypothesis = "that the expected difference, estimator minus versus, is at least 0"
        assert f"p-values are one-sided, of the hypothesis {hypothesis}" in str(report)
        assert "at most" in str(report)

    def test_one_estimator(self, data):
        result = cross_val_inference(models()["bayes"], *data)
        report = evaluation_report(result)
        assert result.sentence() in section(report, "Verdict")
        assert "Its interval was computed by the corrected resampled t-test [1, 2]" in str(report)
        assert "p = " not in str(report)  # there is no question whether an accuracy is 0
        assert "t(14)" not in str(report)
        asked = cross_val_inference(models()["bayes"], *data, null_value=0.5)
        asked = evaluation_report(asked)
        assert "It was tested by the corrected resampled t-test" in str(asked)
        assert "against 0.5)" in section(asked, "Verdict")
        assert "two-sided, of the hypothesis that the expected score is 0.5" in str(asked)
        assert "accuracy of GaussianNB" in repr(report)

    def test_another_level_goes_all_the_way_through(self):
        scores = scores_of("ab", gap=0.03)
        result = compare_scores(scores)
        assert 0.01 < result.tests[0].pvalue < 0.05  # else the levels would not differ
        report = evaluation_report(result, confidence_level=0.99)
        assert "significantly" in str(evaluation_report(result))
        assert "significantly" not in str(report)
        assert "Not shown at the 1 % level" in section(report, "Verdict")
        assert "  99 % interval" in str(report)  # the head of the table
        assert "99 % interval: the values that the test would not reject at the 1 %" in str(report)
        assert "Intervals are 99 % confidence intervals" in section(report, "Methods")
        assert "95 %" not in str(report)
        assert str(evaluation_report(result.with_confidence(0.99))) == str(report)
        low, high = result.tests[0].confidence_interval(0.99)
        assert f"{low:.3g} to {high:.3g}" in section(report, "Verdict")
        assert report.to_frame()["low"].tolist() == [low]

    def test_another_level_for_one_estimator(self):
        result = get_test("corrected_resampled_t")(scores_of("a")["a"])
        report = evaluation_report(result, confidence_level=0.8)
        low, high = result.confidence_interval(0.8)
        assert f"80 % confidence interval {low:.3g} to {high:.3g}" in section(report, "Verdict")
        assert "95 %" not in str(report)
        with pytest.raises(ValueError, match="confidence_level=80 must be"):
            evaluation_report(result, confidence_level=80)

    def test_footer(self, data):
        result = compare_estimators(models(), *data)
        footer = section(evaluation_report(result), "To repeat this")
        design = result.scores.design
        assert "procedure: CorrectedResampledTTest(null_value=0.0, alternative='two" in footer
        assert (
            "comparisons: all pairs; p-values and intervals adjusted by the max-t method" in footer
        )
        assert "estimator tree: DecisionTreeClassifier(random_state=0)\n" in footer
        assert "scoring: accuracy\n" in footer
        assert f"splits: {design.source}\n" in footer
        assert "random_state of the splits: 0\n" in footer
        assert design.digest in footer
        assert design.y_digest in footer
        seconds = result.scores.fit_times.sum()
        closed = "30 of them by closed forms instead of refitting"  # not those of the tree
        assert f"time spent fitting: {seconds:.3g} s in 45 fits, {closed}\n" in footer
        assert "scikit-learn" in footer
        assert "skcvstats" in footer

    def test_footer_says_what_is_not_known(self):
        test = corrected_resampled_ttest([0.1, 0.2, 0.4], n_train=90, n_test=10)
        footer = section(evaluation_report(test), "To repeat this")
        assert footer.count("not known") == 7
        assert "procedure: CorrectedResampledTTest(" in footer

    def test_footer_counts_the_further_splits(self, data):
        two = {name: models()[name] for name in ("bayes", "tree")}
        result = compare_estimators(two, *data, method="conservative_z")
        footer = section(evaluation_report(result), "To repeat this")
        assert "in 630 fits" in footer  # 2 models, 15 splits and 10 pairs of 2 x 15
        assert "fingerprint of the auxiliary splits" in footer
        assert "to draw both again: random_state=0\n" in footer

    def test_footer_draws_both_kinds_of_splits_again(self, data):
        two = {name: models()[name] for name in ("bayes", "dummy")}
        result = compare_estimators(two, *data, method="conservative_z", random_state=None)
        footer = section(evaluation_report(result), "To repeat this")
        (seed,) = re.findall(r"to draw both again: cv= .*, and random_state=(\d+)\n", footer)
        (first,) = re.findall(r"random_state of the splits: (\d+)\n", footer)
        cv = RepeatedSubsampleSplit(15, random_state=int(first))
        again = compare_estimators(
            two, *data, method="conservative_z", cv=cv, random_state=int(seed)
        )
        assert again.tests[0].pvalue == result.tests[0].pvalue

    def test_nothing_is_said_of_splits_that_were_not_recorded(self, data):
        from sklearn.model_selection import GridSearchCV, cross_validate

        cv = RepeatedSubsampleSplit(15)  # draws others every time
        grid = {"var_smoothing": [1e-9, 1e-1, 1.0]}
        search = GridSearchCV(models()["bayes"], grid, cv=cv).fit(*data)
        saved = {name: cross_validate(one, *data, cv=cv) for name, one in models().items()}
        design = SplitDesign.from_any_draw(cv, *data)
        found = quietly(compare_candidates, search, *data)
        stated = quietly(compare_scores, saved, design=design)
        for result in (found, stated):
            footer = section(evaluation_report(result), "To repeat this")
            assert "random_state of the splits" not in footer
            assert "fingerprint of the splits: not known" in footer
            assert f"splits: {design.source}" in footer
        assert ", the same for all" in section(evaluation_report(found), "Methods")
        taken = ", taken to be the same for all"
        assert taken in section(evaluation_report(stated), "Methods")

    def test_what_cannot_be_reproduced(self, data):
        from sklearn.model_selection import ShuffleSplit
        from sklearn.naive_bayes import GaussianNB
        from sklearn.pipeline import make_pipeline
        from sklearn.tree import DecisionTreeClassifier

        two = {"bayes": GaussianNB(), "tree": make_pipeline(DecisionTreeClassifier())}
        result = compare_estimators(two, *data, cv=ShuffleSplit(12, test_size=0.1))
        footer = section(evaluation_report(result), "To repeat this")
        line = next(line for line in footer.splitlines() if "cannot be reproduced" in line)
        assert "the splits, as cv has no integer random_state" in line
        assert "the fits of tree" in line
        assert "decisiontreeclassifier__random_state=None" in line
        assert "bayes" not in line
        two["tree"].set_params(decisiontreeclassifier__random_state=0)
        seeded = compare_estimators(two, *data)
        footer = section(evaluation_report(seeded), "To repeat this")
        assert "cannot be reproduced" not in footer

    def test_time_order_comes_first(self, data):
        from sklearn.model_selection import TimeSeriesSplit

        report = quietly(compare_estimators, models(), *data, cv=TimeSeriesSplit(10))
        verdict = section(evaluation_report(report), "Verdict")
        assert "No procedure here is valid for splits in time order" in verdict

    def test_rows_and_splits_are_told_apart(self, data):
        two = {name: models()[name] for name in ("bayes", "dummy")}
        rows = str(evaluation_report(quietly(compare_estimators, two, *data, method="holdout_t")))
        assert "The difference, row by row, was tested by the holdout t-test" in rows
        assert "held against, row by row; positive" in rows
        assert "split by split" not in rows
        assert "has no unbiased estimate" not in rows
        assert "scoring: loss=zero_one" in rows
        splits = str(evaluation_report(compare_estimators(two, *data)))
        assert "row by row" not in splits
        assert "has no unbiased estimate" in splits

    def test_unnamed_scores(self):
        test = corrected_resampled_ttest([0.1, 0.2, 0.4], n_train=90, n_test=10)
        report = evaluation_report(test)
        assert str(report).startswith("Evaluation report: score\n")
        assert "The expected score of models trained on 90 rows was estimated on 3 splits" in str(
            report
        )

    def test_adjustments_are_cited(self):
        for adjustment in ADJUSTMENTS.values():
            if adjustment.name == "none":
                continue
            words, key = adjustment.words, adjustment.source
            report = evaluation_report(compare_scores(scores_of("abc"), adjustment=adjustment.name))
            assert f"they were adjusted by {words} [3] for 3 comp" in section(report, "Methods")
            assert f"{{{key}," in report.to_bibtex()
            both = "by the same method, so that all cover at once" in section(report, "Methods")
            assert both == adjustment.has_intervals
        none = evaluation_report(compare_scores(scores_of("abc"), adjustment="none"))
        said = "neither they nor the intervals were adjusted for 3 comparisons"
        assert said in section(none, "Methods")
        assert "adjusted p" not in str(none)
        assert "neither p-values nor intervals are adjusted for 3" in section(none, "Verdict")

    @pytest.mark.filterwarnings("ignore:The splits are stratified")
    def test_folds_are_cited(self, data):
        with pytest.warns(match="10-fold"):
            result = compare_estimators(models(), *data, cv=10)
        report = evaluation_report(result)
        assert "bouckaert2004" in report.to_bibtex()
        assert "a single 10-fold" in section(report, "Warnings").lower()

    def test_references_of_the_metric_that_is_best(self):
        scores = {"m": scores_of("abc", "m"), "l": scores_of("abc", "l", gap=-0.05)}
        plan = ComparisonPlan(get_test("corrected_resampled_t"), "best", "holm", tuple("abc"))
        report = evaluation_report(quietly(plan.run, scores))
        methods = section(report, "Methods")
        assert "from the one with the highest score in each metric were tested" in methods
        assert "each estimator minus a" in section(report, "Verdict: m")
        assert "each estimator minus c" in section(report, "Verdict: l")
        one = quietly(compare_scores, scores["m"], reference="best")
        methods = section(evaluation_report(one), "Methods")
        assert "from a, which has the highest score, were tested" in methods
        named = section(evaluation_report(compare_scores(scores["m"], reference="b")), "Methods")
        assert "split by split, from b were tested" in named


COMPARED = {}  # by method, because the fits take a while


@pytest.mark.parametrize("method", get_test_names())
class TestEveryProcedure:
    @pytest.fixture
    def result(self, method, data):
        if method not in COMPARED:
            COMPARED[method] = quietly(compare_estimators, models(), *data, method=method)
        return COMPARED[method]

    def test_numbers_are_those_of_the_result(self, method, result):
        report = evaluation_report(result)
        frame = report.to_frame()
        assert frame["pvalue"].tolist() == [test.pvalue for test in result.tests]
        rows = [line for line in report.to_markdown().splitlines() if line.startswith("| ")][2:]
        assert len(rows) == 3
        for row, pair in zip(rows, result, strict=True):
            test = pair.test
            expected = [pair.estimator, pair.versus, pair.score, pair.score_versus, test.estimate]
            if test.has_interval:
                low, high = pair.confidence_interval()
                expected += [test.standard_error, f"{low:#.3g} to {high:#.3g}"]
            expected += [test.statistic]
            written = [
                cell if isinstance(cell, str) else f"{cell:#.3g}".removesuffix(".")
                for cell in expected
            ]
            for pvalue in (test.pvalue, pair.pvalue_adjusted):
                written += [escape(format_pvalue(pvalue).removeprefix("= "))]
            assert row.strip("| ").split(" | ") == written

    def test_says_how_and_cites(self, method, result):
        report = evaluation_report(result)
        test = result.tests[0]
        assert test.explanation or not test.has_interval
        assert test.explanation in section(report, "Methods")
        assert test.explanation in section(report, "How the numbers were made")
        assert test.sources
        for key in test.sources:
            assert f"{{{key}," in report.to_bibtex()
        assert "nadeau1999" in report.to_bibtex()
        assert f"by the {test.title} [1" in section(report, "Methods")

    def test_caveats_are_among_the_warnings(self, method, result):
        told = section(evaluation_report(result), "Warnings").lower()
        assert all(str(note).lower() in told for note in result.notes)
        if method in ("resampled_t", "bootstrap_t", "holdout_t"):
            assert "rejects true null hypotheses" in told

    def test_all_formats_can_be_made(self, method, result):
        assert all(formats(evaluation_report(result)).values())


def test_models_as_they_were_fitted(data):
    method = HoldoutTTest(hypotheses="fixed")
    report = evaluation_report(compare_estimators(models(), *data, method=method))
    assert "the models as they were fitted, not about models trained anew" in str(report)
    assert "has no unbiased estimate" not in str(report)
    assert "Neither the splits nor the scores" in str(report)


class TestMistakes:
    def test_another_result(self):
        with pytest.raises(TypeError, match=r"ErrorRateInterval.*when they are printed"):
            evaluation_report(error_rate_interval(12, 40))
        with pytest.raises(TypeError, match=r"CVScores.*CorrectedResampledTTest\(\)\(scores\)"):
            evaluation_report(scores_of("ab"))

    def test_many_tests_in_an_array(self):
        x = np.random.default_rng(0).normal(size=(3, 15))
        result = corrected_resampled_ttest(x, n_train=90, n_test=10)
        with pytest.raises(ValueError, match=r"shape \(3,\)"):
            evaluation_report(result)


def test_references_are_complete():
    for key, one in _references.REFERENCES.items():
        year = re.search(r"\d{4}$", key)[0]
        assert int(year) == one.year
        assert one.author.split(",")[0].lower() == key.removesuffix(year)
        assert f", {year}." in str(one)
        assert str(one).endswith(f" doi:{one.where['doi']}." if "doi" in one.where else f"{year}.")
        entry = one.bibtex(key)
        assert entry.count("{") == entry.count("}")
    assert isinstance(EvaluationReport(compare_scores(scores_of("ab"))), EvaluationReport)
