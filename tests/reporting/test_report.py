"""EvaluationReport: what it must say, its numbers, its formats, hostile names, every procedure."""

import re
import sys
import warnings
from html.parser import HTMLParser

import numpy as np
import pytest

from skcvstats import (
    CVScores,
    EvaluationReport,
    HoldoutTTest,
    SplitDesign,
    compare_estimators,
    compare_scores,
    corrected_resampled_ttest,
    cross_val_inference,
    evaluation_report,
    five_by_two_cv_ftest,
    get_test,
    get_test_names,
)
from skcvstats._format import format_number, format_pvalue
from skcvstats.reporting import _references
from skcvstats.reporting._markdown import escape
from skcvstats.stats._compare_scores import ComparisonPlan

HOSTILE = "a_b & 100% <x> | $`"
DESIGN = SplitDesign.from_sizes(n_train=180, n_test=20, n_splits=15)


@pytest.fixture(scope="module")
def data():
    from sklearn.datasets import make_classification

    return make_classification(120, 5, random_state=0)


def models():
    from sklearn.dummy import DummyClassifier
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    return {
        "bayes": GaussianNB(),
        "tree": DecisionTreeClassifier(random_state=0),
        "dummy": DummyClassifier(),
    }


def scores_of(labels, metric="accuracy", gap=0.05):
    rng = np.random.default_rng(0)
    means = 0.9 - gap * np.arange(len(labels))
    values = means[:, None] + rng.normal(0, 0.02, (len(labels), 15))
    return CVScores(values=values, design=DESIGN, labels=tuple(labels), metric=metric)


def quietly(function, *args, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*args, **options)


def formats(report):
    return {
        "text": str(report),
        "markdown": report.to_markdown(),
        "html": report.to_html(),
        "latex": report.to_latex(),
    }


def section(report, title):
    """Return a section of the text of a report."""
    return re.search(rf"^{title}\n-+\n(.*?)(?:\n\n|\Z)", str(report), re.S | re.M)[1]


class TestWhatItSays:
    def test_verdict_of_two(self):
        result = compare_scores(scores_of(["a", "b"]))
        verdict = section(evaluation_report(result), "Verdict").splitlines()[0]
        low, high = result.tests[0].confidence_interval()
        for words in (
            "a scores significantly higher than b in accuracy at the 5 % level",
            f"a - b = {format_number(result.tests[0].estimate)}",
            f"95 % confidence interval {low:.4g} to {high:.4g}",
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
        assert verdict.startswith(
            "Of 3 expected differences in accuracy, each estimator minus a, at the 5 % level 1 is "
            "shown to be below 0; 1 is not shown to differ from 0, which is no proof of equality; "
            "1 is undetermined, as the estimated variance is 0, by the corrected"
        )
        assert "p-values are adjusted by holm for 3 comparisons" in verdict
        assert "1 warning below weakens this." in section(report, "Verdict")
        warnings = section(report, "Warnings")
        assert warnings.startswith("- c - a: undetermined: the estimated variance")

    def test_one_sided(self):
        result = compare_scores(scores_of("abc"), alternative="less")
        report = evaluation_report(result)
        assert "3 are not shown to be below 0" in str(report)
        assert "p-values are one-sided (alternative: less)" in section(report, "Methods")
        assert "at most" in str(report)

    def test_one_estimator(self, data):
        result = cross_val_inference(models()["bayes"], *data)
        report = evaluation_report(result)
        assert result.sentence() in section(report, "Verdict")
        assert "It was tested by the corrected resampled t-test [1, 2]" in str(report)
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
        assert f"{low:.4g} to {high:.4g}" in section(report, "Verdict")
        assert report.to_frame()["low"].tolist() == [low]

    def test_another_level_for_one_estimator(self):
        result = get_test("corrected_resampled_t")(scores_of("a")["a"])
        report = evaluation_report(result, confidence_level=0.8)
        low, high = result.confidence_interval(0.8)
        assert f"80 % confidence interval {low:.4g} to {high:.4g}" in section(report, "Verdict")
        assert "95 %" not in str(report)
        with pytest.raises(ValueError, match="confidence_level=80 must be"):
            evaluation_report(result, confidence_level=80)

    def test_footer(self, data):
        result = compare_estimators(models(), *data)
        footer = section(evaluation_report(result), "To repeat this")
        design = result.scores.design
        assert "scoring: 'accuracy'" in footer
        assert design.source in footer
        assert ", ".join(map(str, design.seed)) in footer
        assert design.digest in footer
        assert design.y_digest in footer
        assert "in 45 fits" in footer
        assert "scikit-learn" in footer
        assert "skcvstats" in footer

    def test_footer_says_what_is_not_known(self):
        test = corrected_resampled_ttest([0.1, 0.2, 0.4], n_train=90, n_test=10)
        footer = section(evaluation_report(test), "To repeat this")
        assert footer.count("not known") == 7

    def test_footer_counts_the_further_splits(self, data):
        two = {name: models()[name] for name in ("bayes", "tree")}
        result = compare_estimators(two, *data, method="conservative_z")
        footer = section(evaluation_report(result), "To repeat this")
        assert "in 630 fits" in footer  # 2 models, 15 splits and 10 pairs of 2 x 15
        assert "fingerprint of the further splits" in footer

    def test_adjustments_are_cited(self):
        for adjustment, (words, key) in _references.ADJUSTMENTS.items():
            report = evaluation_report(compare_scores(scores_of("abc"), adjustment=adjustment))
            assert f"adjusted by {words} [3] for 3 comparisons" in section(report, "Methods")
            assert f"{{{key}," in report.to_bibtex()
        none = evaluation_report(compare_scores(scores_of("abc"), adjustment="none"))
        assert "were not adjusted for 3 comparisons" in section(none, "Methods")
        assert "it was not adjusted" in str(none)

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
        for row, one in zip(rows, result, strict=True):
            cells = row.strip("| ").split(" | ")
            low, high = one.test.confidence_interval()
            expected = [one.estimator, one.versus, one.score, one.score_versus, one.test.estimate]
            expected += [one.test.standard_error, f"{low:.4g} to {high:.4g}", one.test.statistic]
            written = [cell if isinstance(cell, str) else f"{cell:.4g}" for cell in expected]
            assert cells[:8] == written
            adjusted = format_pvalue(one.pvalue_adjusted).removeprefix("= ")
            assert cells[9] == escape(adjusted)

    def test_says_how_and_cites(self, method, result):
        report = evaluation_report(result)
        test = result.tests[0]
        assert test.explanation
        assert test.explanation in section(report, "Methods")
        assert test.explanation in section(report, "How the numbers were made")
        assert test.sources
        for key in test.sources:
            assert f"{{{key}," in report.to_bibtex()
        assert "nadeau1999" in report.to_bibtex()
        assert f"by the {test.title} [1" in section(report, "Methods")

    def test_caveats_are_among_the_warnings(self, method, result):
        told = section(evaluation_report(result), "Warnings").lower()
        notes = {note for one in result for note in one.notes}
        assert all(note.lower() in told for note in notes)
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


class Reader(HTMLParser):
    """Collects tags and text, and checks that tags are closed."""

    VOID = ("meta", "link", "br")

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.text = [], [], ""

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def read_html(text):
    reader = Reader()
    reader.feed(text)
    assert not reader.open
    return reader


class TestFormats:
    @pytest.fixture
    def report(self):
        return evaluation_report(compare_scores(scores_of([HOSTILE, "<script>x</script>", "c--d"])))

    def test_html_shows_names_as_they_are(self, report):
        reader = read_html(report.to_html())
        assert "script" not in reader.tags
        assert reader.tags.count("x") == 0
        assert HOSTILE in reader.text
        assert reader.tags.count("tr") == 1 + 3
        assert reader.text.count("Methods") == 1

    def test_part_of_a_page(self, report):
        reader = read_html(report._repr_html_())
        assert not {"html", "body", "head"} & set(reader.tags)
        assert {"html", "body", "head"} <= set(read_html(report.to_html()).tags)

    def test_markdown_shows_names_as_they_are(self, report):
        text = report.to_markdown()
        assert r"a\_b \& 100% \<x\> \| \$\`" in text
        assert "<script>" not in text
        table = [line for line in text.splitlines() if line.startswith("| ")]
        assert {len(re.findall(r"(?<!\\)\|", line)) for line in table} == {11}
        assert len(table) == 2 + 3

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("- a", r"\- a"),
            ("1. a", r"1\. a"),
            ("a\n\n# b", r"a \# b"),
            ("[a](b)", r"\[a\](b)"),
            ("@user", r"\@user"),
            ("0.5 - 1", "0.5 - 1"),
        ],
    )
    def test_markdown_escapes(self, text, expected):
        assert escape(text) == expected

    def test_latex_shows_names_as_they_are(self, report):
        text = report.to_latex()
        assert r"\& 100\% \textless{}x\textgreater{} \textbar{} \$\textasciigrave{}" in text
        assert r"c-{}-d" in text
        assert "<x>" not in text
        for command in (r"\toprule", r"\midrule", r"\bottomrule", r"\end{document}"):
            assert command in text

    def test_latex_is_balanced(self, report):
        for text in (report.to_latex(), report.to_latex(standalone=False)):
            bare = re.sub(r"\\[\\{}%&$#_]", "", text)
            assert bare.count("{") == bare.count("}")
            assert bare.count("$") % 2 == 0
            opened = []
            for kind, name in re.findall(r"\\(begin|end)\{(\w+)\}", bare):
                if kind == "begin":
                    opened.append(name)
                else:
                    assert opened.pop() == name
            assert not opened

    def test_every_citation_has_its_entry(self, report):
        text = report.to_latex()
        cited = {key for keys in re.findall(r"\\cite\{([^}]*)\}", text) for key in keys.split(",")}
        assert cited == set(re.findall(r"\\bibitem\{(\w+)\}", text))
        assert cited == set(re.findall(r"^@\w+\{(\w+),", report.to_bibtex(), re.M))
        part = report.to_latex(standalone=False)
        assert "thebibliography" not in part
        assert "documentclass" not in part

    def test_long_tables_run_over_pages(self):
        names = [f"m{k}" for k in range(10)]
        report = evaluation_report(compare_scores(scores_of(names)))  # 45 pairs
        assert r"\begin{longtable}" in report.to_latex()
        assert "35 more comparisons in the table." in str(report)

    def test_minus_signs(self):
        text = evaluation_report(compare_scores(scores_of(["b", "a"], gap=-0.05))).to_latex()
        assert "b $-$ a" in text
        assert re.search(r"\$-\$0\.0\d+ to \$-\$0\.0", text)
        assert "99s-25" in text

    def test_several_metrics_have_a_section_each(self, data):
        result = compare_estimators(models(), *data, scoring=["accuracy", "roc_auc"])
        report = evaluation_report(result)
        assert "Verdict: accuracy" in str(report)
        assert "Verdict: roc_auc" in str(report)
        assert "The expected accuracy and roc_auc of models" in str(report)
        assert read_html(report.to_html()).tags.count("table") == 2

    def test_text_table_is_aligned(self, report):
        table = section(report, r"Verdict")
        lines = str(report).splitlines()
        start = next(k for k, line in enumerate(lines) if line.startswith("estimator"))
        assert {len(line) for line in lines[start : start + 4]} == {len(lines[start])}
        assert table


class TestWithoutJinja2:
    @pytest.fixture
    def report(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "jinja2", None)
        return evaluation_report(compare_scores(scores_of([HOSTILE, "b"])))

    def test_text_and_markdown_are_there(self, report):
        assert "Verdict" in str(report)
        assert "## Verdict" in report.to_markdown()
        assert len(report.to_frame()) == 1

    @pytest.mark.parametrize("name", ["to_html", "to_latex"])
    def test_the_error_names_the_extra(self, report, name):
        with pytest.raises(ImportError, match=r'pip install "skcvstats\[reports\]"'):
            getattr(report, name)()

    def test_a_notebook_shows_the_text(self, report):
        reader = read_html(report._repr_html_())
        assert reader.tags == ["pre"]
        assert reader.text == str(report)


class TestMistakes:
    def test_another_result(self):
        scores = np.random.default_rng(0).normal(size=10)
        with pytest.raises(TypeError, match="FiveByTwoCVFTestResult"):
            evaluation_report(five_by_two_cv_ftest(scores))

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
        assert str(one).endswith(f", {year}.")
        entry = one.bibtex(key)
        assert entry.count("{") == entry.count("}")
    assert isinstance(EvaluationReport(compare_scores(scores_of("ab"))), EvaluationReport)
