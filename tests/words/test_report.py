"""EvaluationReport: what it must say, its numbers, every procedure, mistakes."""

import re
import sys
from dataclasses import replace
from functools import partial
from itertools import product

import numpy as np
import pytest
from scipy import stats
from sklearn.model_selection import GridSearchCV, KFold, ShuffleSplit, cross_validate
from sklearn.pipeline import make_pipeline

import skcvstats as s
from skcvstats.comparison import compare
from skcvstats.scores import Note
from skcvstats.stats import ADJUSTMENTS, corrected_resampled_ttest, error_rate_interval
from tests.conftest import every

from .cases import DESIGN, before_references, formats, joined, models, quietly, scores_of, section

METHODS = "Methods: how the numbers were made"


class TestTheAnswer:
    """One sentence of at most 40 words, before anything else."""

    def answers(self, result):
        report = s.evaluation_report(result)
        assert str(report).splitlines()[3] == "Answer"
        return section(report, "Answer")

    @pytest.mark.parametrize(("labels", "options", "said"), [
        ("ab", {}, "a scores significantly higher than b in accuracy at the 5 % level."),
        ("abcd", {"gap": 0.02}, "a or b could be the best; the other 2 are not (95 % confi"),
        ("abc", {"gap": 0}, "accuracy: any of the 3 models could be the best (95 % confidence)."),
        ("abc", {"reference": "b"}, "accuracy against b: a is higher; c is lower (95 % confi"),
    ])  # fmt: skip
    def test_of_several(self, labels, options, said):
        gap = {"gap": options.pop("gap")} if "gap" in options else {}
        assert said in self.answers(s.compare_scores(scores_of(labels, **gap), **options))

    @pytest.mark.parametrize("n", [2, 4, pytest.param(12, marks=pytest.mark.slow)])
    @pytest.mark.parametrize(("gap", "referred"), [(0.0, True), (0.005, False), (0.05, True)])
    def test_is_at_most_40_words(self, n, gap, referred):
        names = [f"candidate number {k} of many, gap={k}" for k in range(n)]
        options = {"reference": names[0] if referred else None, "margin": 0.01}
        result = quietly(s.compare_scores, scores_of(names, gap=gap), **options)
        answer = self.answers(result)
        assert len(answer.split()) <= 40
        assert answer.endswith(".")
        assert ". " not in answer

    def test_the_title_lists_metrics_as_the_print_does(self):
        scores = {metric: scores_of("ab", metric=metric) for metric in ("accuracy", "f1")}
        result = s.compare_scores(scores)
        title = "Evaluation report: accuracy and F1 of a and b\n"
        assert str(s.evaluation_report(result)).startswith(title)

    def test_of_one_estimator(self, data):
        how = {"method": "corrected_resampled_t"}
        ask = partial(s.cross_val_inference, models()["bayes"], *data, **how)
        report = s.evaluation_report(ask())
        assert section(report, "Answer").startswith("The expected accuracy of GaussianNB is esti")
        assert "p-value" not in str(report)  # there is no question whether an accuracy is 0
        assert "t(14)" not in str(report)
        asked = s.evaluation_report(ask(null_value=0.5))
        assert ", p < 0.0001 against 0.5. std. error: " in section(asked, "Answer")
        assert "t(14): " in section(asked, "Answer")
        assert "It was tested by the corrected resampled t-test" in section(asked, METHODS)
        said = "two-sided, of the hypothesis that the expected score is 0.5"
        assert said in section(asked, METHODS)
        assert "accuracy of GaussianNB" in repr(report)

        test = corrected_resampled_ttest([0.1, 0.2, 0.4], n_train=90, n_test=10)
        report = s.evaluation_report(test)  # of unnamed scores
        assert str(report).startswith("Evaluation report: score\n")
        assert "The expected score is estimated as 0.233 (" in section(report, "Answer")
        said = "The score comes from 3 splits (n = 100, train 90, test 10)"
        assert said in section(report, METHODS)


ASKED = (
    *({}, {"reference": "d"}, {"alternative": "greater", "reference": "d"}, {"margin": 0.02}),
    *({"adjustment": "holm"}, {"margin": 0.02, "adjustment": "holm"}),
)
ASKED = [*product([0.02], ASKED), *product([0.0, 0.05], ASKED[::3])]


@pytest.mark.parametrize(("gap", "options"), every(2, ASKED))
def test_a_report_of_four_models_has_at_most_450_words(options, gap):
    result = quietly(s.compare_scores, scores_of("abcd", gap=gap), **options)
    notes = " ".join(map(str, result.notes))  # what weakens a result may add to it
    every = joined(before_references(s.evaluation_report(result)))
    # So may why one could not be the best, and how well a detectable difference is known.
    why = r"[^.]+ could not be the best, though .*? two-sided ones?\.| \(80 % range [^)]+\)"
    assert len(re.sub(why, "", every).split()) - len(notes.split()) <= 450
    assert "margin" in options or not notes
    if "margin" not in options:  # nothing is said twice
        said = re.split(r"(?<=[.:]) |; ", every)
        long = [one for one in said if len(one.split()) > 3]
        assert len(long) == len(set(long))
        for fact in ("split by split", "512", "15 splits", "sample variance", "cover at once"):
            assert " ".join(said).count(fact) <= 1


class TestWhatIsShown:
    def test_shown_differences_come_first(self):
        result = s.compare_scores(scores_of("abcdef", gap=0.015), adjustment="holm")
        report = s.evaluation_report(result)
        verdicts = [row[-1] for row in _rows(report, "Differences")]
        n_shown = int((result.to_frame()["pvalue_adjusted"] <= 0.05).sum())
        assert 0 < n_shown < 10
        assert verdicts == ["higher"] * n_shown + [r"\-"] * (10 - n_shown)
        assert "And 5 more." in section(report, "Differences")

    def test_undetermined(self):
        values = scores_of("abcd").values.copy()
        values[2] = values[0] + 0.001
        values[3] = values[0] + np.random.default_rng(1).normal(0, 0.02, 15)
        scores = s.CVScores(values=values, design=DESIGN, labels=tuple("abcd"), metric="accuracy")
        with pytest.warns(match="do not vary"):
            report = s.evaluation_report(s.compare_scores(scores, reference="a"))
        said = "b is lower; d is not significantly different; c is undetermined (95 % confidence)."
        assert f"against a: {said}" in section(report, "Answer")
        weak = section(report, "Limitations")
        assert weak.startswith("- c - a: undetermined: the estimated variance")
        assert ["c", "a", "0.00100", r"\-", r"\-", "undetermined"] in _rows(report, "Differences")
        not_shown = section(report, "What could not be shown")
        assert "1 of 3 pairs is not significantly different: d - a; that is" in not_shown

    def test_what_could_have_been_shown(self):
        report = s.evaluation_report(s.compare_scores(scores_of("abc")))
        assert "What could not be shown" not in str(report)  # as all is
        result = s.compare_scores(scores_of("abc", gap=0))
        found = [comparison.detectable_difference() for comparison in result]
        names = [f"{comparison.estimator} - {comparison.versus}" for comparison in result]
        least, most = np.argmin(found), np.argmax(found)
        chi2 = stats.chi2.isf([0.1, 0.9], 14)
        low, high = np.sqrt(14 / chi2)  # of a standard error from 15 splits
        about = [f"about {x:.3g} (80 % range {x * low:.3g} to {x * high:.3g})" for x in found]
        assert section(s.evaluation_report(result), "What could not be shown") == (
            "3 of 3 pairs are not significantly different; that is not evidence of "
            f"equality. A true difference of {about[least]} for {names[least]} to "
            f"{about[most]} for {names[most]} would have been shown with a power of 80 %."
        )

        how = {"alternative": "less", "reference": "c"}
        report = s.evaluation_report(quietly(s.compare_scores, scores_of("abc"), **how))
        said = "2 of 2 pairs are not significantly lower; that is not evidence of equality."
        assert said in section(report, "What could not be shown")
        hypothesis = "that the expected difference is at least 0"
        assert f"p-values are one-sided, of the hypothesis {hypothesis}" in joined(report)
        assert "at most" in section(report, "Differences")

    def test_another_level_goes_all_the_way_through(self):
        result = s.compare_scores(scores_of("ab", gap=0.03))
        assert 0.01 < result.tests[0].pvalue < 0.05  # else the levels would not differ
        report = s.evaluation_report(result, confidence_level=0.99)
        assert "significantly" in str(s.evaluation_report(result))
        assert "significantly" not in str(report)
        said = "No significant difference between a and b in accuracy was found at the 1 % level"
        assert said in section(report, "Answer")
        assert "95 %" not in str(report)
        assert str(s.evaluation_report(result.with_confidence(0.99))) == str(report)
        low, high = result.tests[0].confidence_interval(0.99)
        assert f"{low:#.3g} to {high:#.3g}" in section(report, "Difference")
        assert report.to_frame()["low"].tolist() == [low]


class TestMargins:
    def test_two_that_are_equivalent(self):
        result = s.compare_scores(scores_of("ab", gap=0), margin=0.05)
        report = s.evaluation_report(result)
        said = f"{result[0].estimator} and {result[0].versus} are equivalent in accuracy within"
        assert section(report, "Answer") == f"{said} 0.05 at the 5 % level."
        table = section(report, "Difference")
        for low, high in (result[0].confidence_interval(), result[0].margin_interval()):
            assert f"{low:#.3g} to {high:#.3g}" in table
        assert " 95 % interval 90 % interval " in table
        assert " p equivalence " in table
        keys = ("corani2015", "schuirmann1987", "goeman2010")
        assert all(f"{{{key}," in report.to_bibtex() for key in keys)
        assert "read from 90 % intervals" in section(report, METHODS)

    def test_posterior_probabilities(self):
        result = s.compare_scores(scores_of("ab", gap=0.02), margin=0.02)
        test = result.tests[0]
        law = stats.t(14, loc=test.estimate, scale=test.standard_error)
        worse, better = law.cdf(-0.02), law.sf(0.02)
        text = section(s.evaluation_report(result), "Difference")
        written = re.search(r"worse (\S+), equivalent (\S+), better (\S+) \[1\]\.", text)
        shares = [float(share) for share in written.groups()]
        assert shares == pytest.approx([worse, 1 - worse - better, better], rel=0.005)
        with_t = s.evaluation_report(s.compare_scores(scores_of("abc"), margin=0.02))
        assert "Posterior" not in str(with_t)  # for two only

    def test_of_several(self):
        for adjustment, decides in {
            **dict.fromkeys(("max_t", "bonferroni"), "read from the same intervals"),
            "holm": "with p-values adjusted as a family of their own",
            "none": "read from 90 % intervals",
        }.items():
            options = {"margin": 0.05, "adjustment": adjustment}
            report = s.evaluation_report(s.compare_scores(scores_of("abc", gap=0.002), **options))
            assert decides in section(report, METHODS)
            table = section(report, "Differences")
            assert ("90 % interval" in table) == (adjustment == "none")
            assert ("unadjusted 95 % interval" in table) == (adjustment == "holm")
            assert "equivalent within 0.05" in [row[-1] for row in _rows(report, "Differences")]

    def test_one_sided(self):
        options = {"margin": 0.06, "reference": "b", "alternative": "greater"}
        report = s.evaluation_report(s.compare_scores(scores_of("abc", gap=0.01), **options))
        assert "Non-inferiority was tested at the bound [4]" in section(report, METHODS)
        assert "schuirmann1987" not in report.to_bibtex()
        assert " p margin " in section(report, "Differences")
        assert " (not worse) " in section(report, "Differences")
        assert "not worse by more than 0.06" in [row[-1] for row in _rows(report, "Differences")]


def test_what_was_done_to_the_data_stands_once_below_the_answer():
    done = ["left out by --drop: 'site'", "missing values replaced by the median: 'a_b'"]
    both = {metric: scores_of(["new", "old"], metric) for metric in ("accuracy", "recall")}
    noted = {metric: replace(it, provenance={"data": done}) for metric, it in both.items()}
    report = s.evaluation_report(s.compare_scores(noted["accuracy"]))
    assert section(report, "Answer").endswith(f"data: {'; '.join(done)}")
    for text in formats(report).values():
        assert text.count("replaced by the median") == 1
        assert text.index("Answer") < text.index("replaced by") < text.index("Limitations")
    report = s.evaluation_report(s.compare_scores(noted))
    assert section(report, "Answer").endswith(f"data: {'; '.join(done)}")
    assert str(report).count("--drop") == 1
    report = s.evaluation_report(s.CorrectedResampledTTest()(noted["accuracy"]["new"]))
    assert section(report, "Answer").endswith(f"data: {'; '.join(done)}")
    assert "data:" not in str(s.evaluation_report(s.compare_scores(both["accuracy"])))


def test_names_keep_their_first_letter_and_a_report_calls_no_method():
    names = [f"knn{k}" for k in range(7)]
    values = scores_of([*names, "worst"], gap=0.0).values - 0.2 * (np.arange(8) == 7)[:, None]
    values[1] = values[0]
    given = s.CVScores(values=values, design=DESIGN, labels=(*names, "worst"), metric="f1")
    report = s.evaluation_report(quietly(s.compare_scores, given))
    assert "7 of 8 models could be the best: knn" in section(report, "Answer")
    assert "()" not in str(report).partition("How to reproduce")[0].replace(METHODS, "")
    said = "On every split knn0 and knn1 have the same score: the same model? If not, use a metric"
    assert f"- {said} that is finer than F1." in " ".join(section(report, "Limitations").split())


class TestTheChoiceOfTheMethod:
    """It limits nothing: it stands with the methods, and after all other notes."""

    @pytest.mark.parametrize(("scoring", "several", "said"), [
        ("accuracy", False, "the row t-test, as accuracy is a mean over rows"),
        ("matthews_corrcoef", True, "the row t-test, because "
         "per-row scores of Matthews correlation are available"),
        ("fowlkes_mallows_score", True, "the corrected resampled t-test: the row t-test was not "
         'measured with Fowlkes-Mallows score; method="row_t" takes it'),
    ])  # fmt: skip
    def test_in_reports(self, data, scoring, said, several):
        door, given = s.compare_estimators, {name: models()[name] for name in ("bayes", "dummy")}
        if not several:
            door, given = s.cross_val_inference, given["bayes"]
        result = door(given, *data, scoring=scoring)
        limits = section(s.evaluation_report(result), "Limitations")
        assert "splits and the scores gave no" in limits
        without_advice = said.partition("; method=")[0]
        done = section(s.evaluation_report(result), METHODS)
        assert f"By default this is {without_advice}." in done
        for text in formats(s.evaluation_report(result)).values():
            assert joined(text).count("By default this is the") == 1
        assert "chose" not in joined(result)
        assert f'method="auto" chose {said}' in [str(note) for note in result.notes]

    def test_it_is_not_printed(self):
        test = s.get_procedure("corrected_resampled_t")
        for n_others, last in ((0, "training rows)."), (3, "Other 2. [other]"), (5, "And 2 more")):
            others = [Note("other", f"other {k}", None) for k in range(n_others)]
            notes = (Note("method", "chosen", None), *others)
            options = {"test": test, "reference": None, "adjustment": "max_t"}
            options["notes"] = {"accuracy": notes}
            result = compare({"accuracy": scores_of("ab")}, **options)
            assert last in str(result).splitlines()[-1]
            assert "[method]" not in str(result)
            assert "<p>Chosen. <a " in joined(result._repr_html_())


class TestHowItWasMade:
    def test_footer(self, data):
        result = s.compare_estimators(models(), *data)
        footer = section(s.evaluation_report(result), "How to reproduce this")
        design = result.scores.design
        assert "procedure: RowTTest(null_value=0.0, alternative='two-sided', n_rep" in footer
        options = "reference=None, adjustment='max_t', margin=None, confidence_level=0.95"
        seconds = result.scores.fit_times.sum()
        for said in (
            *(f"comparisons: {options} ", "scoring: accuracy ", f"splits: {design.source} "),
            "estimator tree: DecisionTreeClassifier(random_state=0) ",
            f"time spent fitting: {seconds:.3g} s in 60 fits ",
            *(design.digest, design.y_digest, "scikit-learn", "skcvstats"),
        ):
            assert said in footer
        assert "random_state=0" in design.source
        assert "random_state of the splits" not in footer

        names = [f"m{k}" for k in range(52)]
        known = {"estimators": {name: f"{name}()" for name in names}}
        scores = replace(scores_of(names), provenance=known)
        result = s.compare_scores(scores, reference="m0", adjustment="holm")
        footer = section(s.evaluation_report(result), "How to reproduce this")
        assert footer.count("estimator m") == 50  # it is bounded
        assert "further estimators: 2, " in footer

    @pytest.mark.slow
    def test_footer_draws_both_kinds_of_splits_again(self, data):
        two = {name: models()[name] for name in ("bayes", "dummy")}
        method = s.ConservativeZTest(n_pairs=2)
        result = quietly(s.compare_estimators, two, *data, method=method)
        footer = section(s.evaluation_report(result), "How to reproduce this")
        assert "in 150 fits" in footer  # 2 models, 15 splits and 2 pairs of 2 x 15
        assert "fingerprint of the auxiliary splits" in footer
        assert "to draw both again: random_state=0 " in footer
        result = quietly(s.compare_estimators, two, *data, method=method, random_state=None)
        footer = section(s.evaluation_report(result), "How to reproduce this")
        (seed,) = re.findall(r"to draw both again: cv= .*, and random_state=(\d+) ", footer)
        (first,) = re.findall(r"random_state of the splits: (\d+) ", footer)
        given = {"cv": s.RepeatedSubsampleSplit(15, random_state=int(first)), "method": method}
        again = quietly(s.compare_estimators, two, *data, **given, random_state=int(seed))
        assert again.tests[0].pvalue == result.tests[0].pvalue

    def test_nothing_is_said_of_splits_that_were_not_recorded(self, data):
        cv = s.RepeatedSubsampleSplit(10)  # draws others every time
        grid = {"var_smoothing": [1e-9, 1e-1, 1.0]}
        search = GridSearchCV(models()["bayes"], grid, cv=cv).fit(*data)
        saved = {name: cross_validate(one, *data, cv=cv) for name, one in models().items()}
        design = s.SplitDesign.from_any_draw(cv, *data)
        found = quietly(s.compare_candidates, search, *data)
        stated = quietly(s.compare_scores, saved, design=design)
        for result in (found, stated):
            footer = section(s.evaluation_report(result), "How to reproduce this")
            assert "random_state of the splits" not in footer
            assert "fingerprint of the splits" not in footer
            unknown = section(s.evaluation_report(result), "What cannot be reproduced")
            assert re.search(r"Not known: .*\bfingerprint of the splits\b", unknown)
            assert f"splits: {design.source}" in footer
        for result, said in ((found, ", the same for all"), (stated, ", taken to be the same for")):
            assert said in section(s.evaluation_report(result), METHODS)

    def test_what_cannot_be_reproduced(self, data):
        unseeded = models()["tree"].set_params(random_state=None)
        two = {"bayes": models()["bayes"], "tree": make_pipeline(unseeded)}
        result = s.compare_estimators(two, *data, cv=ShuffleSplit(12, test_size=0.1))
        line = section(s.evaluation_report(result), "What cannot be reproduced")
        assert "- The splits, as cv has no integer random_state." in line
        assert "- The fits of tree" in line
        assert "decisiontreeclassifier__random_state=None" in line
        assert "bayes" not in line
        two["tree"].set_params(decisiontreeclassifier__random_state=0)
        seeded = s.compare_estimators(two, *data)
        assert "cannot be reproduced" not in str(s.evaluation_report(seeded))

    def test_rows_and_splits_are_told_apart(self, data):
        two = {name: models()[name] for name in ("bayes", "dummy")}
        held_out = quietly(s.compare_estimators, two, *data, method="holdout_t")
        over_splits = s.compare_estimators(two, *data, method="corrected_resampled_t")
        rows = joined(s.evaluation_report(held_out))
        assert "The difference, row by row, was tested by the holdout t-test" in rows
        assert "split by split" not in rows
        assert "has no unbiased estimate" not in rows
        assert "scoring: accuracy" in rows
        splits = joined(s.evaluation_report(over_splits))
        assert "row by row" not in splits
        assert "has no unbiased estimate" in splits
        fixed = s.compare_estimators(two, *data, method=s.HoldoutTTest(hypotheses="fixed"))
        report = s.evaluation_report(fixed)
        text = joined(report)
        assert "the models as they were fitted, not about models trained again" in text
        assert "has no unbiased estimate" not in text
        assert section(report, "Limitations") == "The splits and the scores gave no warning."

    def test_adjustments_are_cited(self):
        for adjustment in ADJUSTMENTS.values():
            if adjustment.name == "none":
                continue
            words, key = adjustment.words, adjustment.source
            result = s.compare_scores(scores_of("abc"), adjustment=adjustment.name)
            report = s.evaluation_report(result)
            methods = section(report, METHODS)
            assert f"were adjusted by {words} for 3 comparisons [3]" in methods
            assert f"{{{key}," in report.to_bibtex()
            assert ("so that all intervals cover at once" in methods) == adjustment.has_intervals
            assert ("[3], intervals not." in methods) != adjustment.has_intervals
            heads = section(report, "Differences")
            assert ("unadjusted 95 % interval" in heads) != adjustment.has_intervals
        none = s.evaluation_report(s.compare_scores(scores_of("abc"), adjustment="none"))
        said = "Neither p-values nor intervals were adjusted for 3 comp"
        assert said in section(none, METHODS)
        assert "adjusted p" not in str(none)

    def test_candidates_of_a_search(self, data):
        grid = {"max_depth": [1, 2, 3, 4], "criterion": ["gini"]}
        cv = s.RepeatedSubsampleSplit(15, random_state=0)
        search = GridSearchCV(models()["tree"], grid, cv=cv).fit(*data)
        report = s.evaluation_report(quietly(s.compare_candidates, search, *data))
        assert "of 4 candidates\n" in str(report)
        assert "Candidates had in common: criterion=gini in all." in section(report, METHODS)

    def test_folds_are_cited(self, data):
        result = s.compare_estimators(models(), *data, cv=10, method="corrected_resampled_t")
        report = s.evaluation_report(result)
        assert "bouckaert2004" in report.to_bibtex()
        assert "one repeat of 10 folds" in section(report, "Limitations").lower()

    def test_references_of_the_metric_that_is_best(self):
        scores = {"m": scores_of("abc", "m"), "l": scores_of("abc", "l", gap=-0.05)}
        test = s.get_procedure("corrected_resampled_t")
        options = {"test": test, "reference": "best", "adjustment": "holm"}
        report = s.evaluation_report(quietly(lambda: compare(scores, **options)))
        methods = section(report, METHODS)
        assert "from the one with the highest score in each metric were tested" in methods
        assert re.search("m against a: .* l against c: ", section(report, "Answer"))
        one = quietly(s.compare_scores, scores["m"], reference="best")
        methods = section(s.evaluation_report(one), METHODS)
        assert "from a, which has the highest score, were tested" in methods
        named = s.evaluation_report(s.compare_scores(scores["m"], reference="b"))
        assert "split by split, from b were tested" in section(named, METHODS)


def _rows(report, title):
    """Return the cells of a table of the markdown."""
    part = re.search(rf"^##+ {title}\n(.*?)(?=^##|\Z)", report.to_markdown(), re.S | re.M)[1]
    lines = [line for line in part.splitlines() if line.startswith("| ")][2:]
    return [[*map(str.strip, line.strip("|").split(" | "))] for line in lines]


# Smaller designs than by default.
FEW_REPLICATES = s.RepeatedSubsampleSplit(3, n_replicates=12, random_state=0)
SMALL = {name: {"cv": FEW_REPLICATES} for name in ("bootstrap_t", "corrected_bootstrap_t")}
FEW_SPLITS = s.RepeatedSubsampleSplit(3, random_state=0)
SMALL["conservative_z"] = {"cv": FEW_SPLITS, "method": s.ConservativeZTest(n_pairs=5)}


@pytest.mark.parametrize("method", every(2, s.get_procedure_names()))
def test_every_procedure(method, data, monkeypatch):
    options = {"method": method, **SMALL.get(method, {})}
    result = quietly(s.compare_estimators, models(), *data, **options)
    report = s.evaluation_report(result)
    test = result.tests[0]
    assert report.to_frame()["pvalue"].tolist() == [one.pvalue for one in result.tests]
    rows = _rows(report, "Differences")
    pairs = {(pair.estimator, pair.versus): pair for pair in result}
    assert len(rows) == len(pairs) == 3
    for estimator, versus, *row in rows:
        pair = pairs[estimator, versus]
        expected = [f"{pair.test.estimate:#.3g}".removesuffix(".")]
        if pair.test.has_interval:
            low, high = (f"{end:#.3g}" for end in pair.confidence_interval())
            expected += [f"{low} to {high}"]
        cells = [cell.replace("\\", "") for cell in row]
        assert cells[: len(expected)] == expected
        sign, _, number = cells[len(expected)].rpartition(" ")
        if sign == "<":
            assert pair.pvalue_adjusted < float(number)
        else:
            half_a_digit = 0.51 * 10.0 ** -len(number.partition(".")[2])
            assert float(number) == pytest.approx(pair.pvalue_adjusted, abs=half_a_digit)
    # It says how, and cites.
    explanation, sources = test.describe().explanation, test.describe().sources
    assert explanation or not test.has_interval
    assert explanation in section(report, METHODS)
    assert not explanation or explanation not in section(report, "Differences")
    assert sources
    of_rows = method in ("row_t", "diebold_mariano")
    for key in (*sources, *(() if of_rows else ("nadeau1999",))):
        assert f"{{{key}," in report.to_bibtex()
    assert f"by the {test.title} [1" in section(report, METHODS)
    told = section(report, "Limitations").lower()
    assert all(str(note).lower() in told for note in result.notes)
    if method in ("resampled_t", "bootstrap_t", "holdout_t"):
        assert "rejects true null hypotheses" in told
    if test.has_interval:  # pictures of such are drawn in test_formats.py
        monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    found = formats(report)
    assert all(found.values())
    assert ("<svg" in found["html"]) != test.has_interval


def test_mistakes(data):
    with pytest.raises(TypeError, match=r"ErrorRateInterval.*when they are printed"):
        s.evaluation_report(error_rate_interval(12, 40))
    with pytest.raises(TypeError, match=r"CVScores.*CorrectedResampledTTest\(\)\(scores\)"):
        s.evaluation_report(scores_of("ab"))
    result = s.cross_val_inference(models(), *data)
    with pytest.raises(TypeError, match=r"Pass result\['accuracy'\]\['bayes'\], or report what"):
        s.evaluation_report(result)
    assert "of bayes" in str(s.evaluation_report(result["accuracy"]["bayes"]))
    x = np.random.default_rng(0).normal(size=(3, 15))
    with pytest.raises(ValueError, match=r"shape \(3,\)"):
        s.evaluation_report(corrected_resampled_ttest(x, n_train=90, n_test=10))


def test_listed_splits_and_the_folds_that_were_used(data):
    listed = list(KFold(5, shuffle=True, random_state=0).split(data[0]))
    result = quietly(s.compare_estimators, models(), *data, cv=listed, method="row_t")
    text = joined(s.evaluation_report(result))
    assert "_CVIterableWrapper" not in text
    assert "splits: a list of splits" in text
    assert "drawn by" not in text
    assert "alternative='two-sided', n_repeats=1, n_folds=5, inflation=0.5)" in text
    assert result.tests[0].n_repeats == 1


def test_names_with_commas_are_told_apart():
    names = ("a, b", "c", "d, e")
    said = {0.1: 'only "a, b" could be the best', 0.0: "any of the 3 models could be the best"}
    for gap, best in said.items():
        assert best in joined(quietly(s.compare_scores, scores_of(names, gap=gap)))
    values = scores_of(names, gap=0.0).values + np.array([[0.3], [0.3], [0]])
    two = s.CVScores(values=values, design=DESIGN, labels=names)
    said = joined(quietly(s.compare_scores, two))
    assert re.search(r'("a, b" or c|c or "a, b") could be the best; "?d, e"? is not \(', said)


def test_a_ranking_in_a_report_has_all_that_could_be_the_best():
    result = quietly(s.compare_scores, scores_of([f"m{k}" for k in range(40)], gap=0.0015))
    best = result.best_set()
    assert 12 < len(best) < 40
    assert not result.ranking()["could_be_best"][: len(best)].all()  # one is between them
    ranking = section(s.evaluation_report(result), "Ranking")
    assert len(re.findall(r" yes\b", ranking)) == len(best)
