"""The formats of a report: names as they are, well-formed, complete, without jinja2."""

import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest

import skcvstats as s
from skcvstats._utils._markup import escape_latex, escape_markdown
from skcvstats.words._document import Citation, parts_of, references

from .cases import DESIGN, HOSTILE, before_references, models, quietly, scores_of, section


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


def pieces_of(document, *, legends=True):
    """Return all that a document says, in its order; citations stay what they are."""
    parts = [pieces_of_section(it, legends) for it in (*document.sections, *document.appendix)]
    references = ["References", *(reference.text for reference in document.references.values())]
    parts.insert(len(document.sections), references)
    return [document.title, *(piece for part in parts for piece in part)]


def pieces_of_section(part, legends):
    pieces = [part.title]
    if part.table is not None:
        pieces += [*part.table.columns, *(cell.text for row in part.table.rows for cell in row)]
    if part.picture is not None and legends:
        pieces += [part.picture.legend]
    for paragraph in (*part.paragraphs, *part.points):
        for piece in parts_of(paragraph):
            pieces.append(piece if isinstance(piece, Citation) else str(piece))
    return pieces + [word for fact in part.facts for word in fact]


def words_of(text):
    """Return words without the marks that formats put behind or before them."""
    return re.sub(r"[:.,;]+(?= |$)", "", " ".join(text.split())).split()


@pytest.fixture(scope="module")
def reports(data):
    two = {"scoring": ["accuracy", "roc_auc"]}
    hostile = scores_of([HOSTILE, "<script>x</script>", "c--d"])
    results = {
        "two": s.compare_scores(scores_of(["new_model", "b"])),
        "many": s.compare_estimators(models(), *data, **two, reference="dummy"),
        "metrics": s.compare_estimators(models(), *data, **two),
        "hostile": s.compare_scores(hostile),
        "pairs": s.compare_scores(scores_of([f"m{k}" for k in range(15)]), adjustment="holm"),
    }
    return {name: s.evaluation_report(result) for name, result in results.items()}


PAGES = {}  # by report, as drawing their pictures takes a while


def page_of(report, *, standalone=True):
    """Return the HTML of a report that several tests read."""
    key = id(report), standalone
    if key not in PAGES:
        PAGES[key] = report, report.to_html(standalone=standalone)  # so that its id stays its own
    return PAGES[key][1]


@pytest.fixture
def _no_pictures(monkeypatch):
    """Draw nothing, where a test looks at other parts of a page."""
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)


class TestAllFormatsSayTheSame:
    @pytest.fixture(params=["two", "many"])
    def report(self, request, reports):
        return reports[request.param]

    def expected(self, report, **options):
        document = report._document
        numbers = {key: k for k, key in enumerate(document.references, start=1)}
        text = [
            str([numbers[key] for key in one.keys]) if isinstance(one, Citation) else one
            for one in pieces_of(document, **options)
        ]
        return words_of(re.sub(r" ([.;,])", r"\1", " ".join(text)))

    def test_text_and_html(self, report):
        text = re.sub(r"\n[-=~]+\n", "\n", str(report))
        text = re.sub(r"^(- |\[\d+\] )", "", text, flags=re.M)
        assert words_of(text) == self.expected(report)
        page = re.sub(r"<style>.*?</style>", "", page_of(report, standalone=False), flags=re.S)
        page = re.sub(r"<svg.*?</svg>", "", page, flags=re.S)  # it says the legend itself
        reader = read_html(re.sub(r"</(th|td|dt)>", r" </\1>", page))
        assert words_of(reader.text) == self.expected(report, legends=False)
        document = report._document
        n_points = sum(len(one.points) for one in (*document.sections, *document.appendix))
        assert reader.tags.count("li") == n_points + len(document.references)
        assert reader.tags.count("figure") == len(document.pictures)

    def test_markdown(self, report):
        marked = report.to_markdown()
        text = re.sub(r"^(\| :--.*|#+ |- |\d+\. )", "", marked, flags=re.M)
        text = re.sub(r"\*\*(.*?)\*\*:", r"\1", text)
        text = re.sub(r"(?<!\\)\|", " ", text)
        assert words_of(re.sub(r"\\(?=[^a-zA-Z0-9\s])", "", text)) == self.expected(report)
        parts = (*report._document.sections, *report._document.appendix)
        assert marked.count("\n- ") == sum(len(one.points) + len(one.facts) for one in parts)
        assert len(re.findall(r"^\d+\. ", marked, re.M)) == len(report._document.references)

    def test_latex(self, report):
        text = report.to_latex().replace(r"\allowbreak{}", "").replace(r"\\", " ")
        at = text.index(r"\begin{document}")
        for piece in pieces_of(report._document):
            if piece == "References":
                continue  # LaTeX writes that itself
            if isinstance(piece, Citation):
                piece = rf"~\cite{{{','.join(piece.keys)}}}"
            else:
                piece = escape_latex(piece).strip()
            at = text.find(piece, at)
            assert at >= 0, f"not there, or not in its place: {piece}"
            at += len(piece)


def test_references_are_complete():
    known = references()
    assert len(known) == 34
    for key, reference in known.items():
        year = re.search(r"\d{4}$", key)[0]
        assert f"year = {{{year}}}" in reference.bibtex
        assert f"author = {{{key.removesuffix(year)}" in reference.bibtex.lower()
        doi = re.search(r"doi = \{(.*)\}", reference.bibtex)
        assert reference.text.endswith(f", {year}. doi:{doi[1]}." if doi else f", {year}.")
        assert reference.bibtex.count("{") == reference.bibtex.count("}")


def test_latex_escapes():
    latex = {character: f"\\{character}" for character in "{}$&#%_"}
    named = "backslash asciitilde asciicircum less greater bar quotedbl asciigrave"
    pairs = zip('\\~^<>|"`', named.split(), strict=True)
    latex |= {one: rf"\text{name}{{}}" for one, name in pairs}
    for character, written in (latex | {"\N{MINUS SIGN}": "$-$", "''": "'{}'"}).items():
        assert escape_latex(f"a{character}b") == f"a{written}b"


def test_markdown_escapes():
    for text, expected in (
        *(("- a", r"\- a"), ("1. a", r"1\. a"), ("a\n\n# b", r"a\\n\\n\# b")),
        *(("[a](b)", r"\[a\](b)"), ("@user", r"\@user"), ("n: 1", "n: 1")),
        *(("see http://a.b or www.c.d", r"see http\://a.b or www\.c.d"), ("0.5 - 1", "0.5 - 1")),
    ):
        assert escape_markdown(text) == expected


@pytest.fixture
def report(reports):
    return reports["hostile"]


class TestFormats:
    def test_html_shows_names_as_they_are(self, report):
        reader = read_html(page_of(report))
        assert reader.tags.count("script") == 1  # the page's own
        assert "script" not in read_html(page_of(report, standalone=False)).tags
        assert reader.tags.count("x") == 0
        assert HOSTILE in reader.text
        assert reader.tags.count("tr") == 2 * (1 + 3)  # the ranking and the differences
        assert reader.text.count("Methods") == 1
        assert {"html", "body", "head"} <= set(reader.tags)
        assert not {"html", "body", "head"} & set(read_html(report._repr_html_()).tags)
        levels = [int(tag[1]) for tag in reader.tags if re.fullmatch(r"h\d", tag)]
        assert levels[0] == 1
        assert all(next_one <= one + 1 for one, next_one in pairwise(levels))

    def test_markdown_shows_names_as_they_are(self, report):
        text = report.to_markdown()
        assert r"a\_b \& 100% \<x\> \| \$\`" in text
        assert "<script>" not in text
        table = [line for line in text.splitlines() if line.startswith("| ")]
        n_bars = [len(re.findall(r"(?<!\\)\|", line)) for line in table]
        assert n_bars == [1 + 4] * (2 + 3) + [1 + 6] * (2 + 3)

    def test_latex_shows_names_as_they_are(self, report):
        text = report.to_latex()
        assert r"\& 100\% \textless{}x\textgreater{} \textbar{} \$\textasciigrave{}" in text
        assert r"c-{}-d" in text
        assert "<x>" not in text
        for command in (r"\toprule", r"\midrule", r"\bottomrule", r"\end{document}"):
            assert command in text
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
        assert cited == set(re.findall(r"\\bibitem\{(\w+)\} [A-Z][a-z]+ ", text))
        assert cited == set(re.findall(r"^@\w+\{(\w+),", report.to_bibtex(), re.M))
        part = report.to_latex(standalone=False)
        assert "thebibliography" not in part
        assert "documentclass" not in part

    def test_tables_are_bounded(self, reports):
        report = reports["pairs"]  # 105
        assert r"\begin{longtable}" in report.to_latex()
        assert "And 95 more." in section(report, "Differences")
        assert "And 5 more." in section(report, "Ranking")
        lines = before_references(report).splitlines()
        assert len(lines) < 100
        assert max(map(len, lines)) <= 100
        assert len(report.to_frame()) == 105

    def test_several_metrics_have_a_section_each(self, reports):
        report = reports["metrics"]
        found = re.findall(r"(\w+|ROC AUC): [^:]* could be the best", section(report, "Answer"))
        assert found == ["accuracy", "ROC AUC"]
        assert str(report).count("\nRanking\n~~~~~~~\n") == 2
        assert "The accuracy and ROC AUC come from" in str(report)
        said = " ".join(str(report).split())
        assert re.search(r"of 2 metrics \[\d\], so that all intervals of a metric cover", said)
        assert said.count("p-values are not adjusted for the number of metrics") == 1
        reader = read_html(page_of(report))
        assert reader.tags.count("table") == 4
        levels = [int(tag[1]) for tag in reader.tags if re.fullmatch(r"h\d", tag)]
        assert levels[:5] == [1, 2, 2, 3, 3]


@pytest.mark.usefixtures("_no_pictures")
class TestNumbersInFull:
    """The cells of a page have the numbers of the frames with all their digits."""

    def rows(self, page, title):
        """Return the names and the cells: numbers, "" where one is missing, None for words."""
        body = re.search(rf'aria-label="Table: {title}".*?<tbody>(.*?)</tbody>', page, re.S)[1]
        for row in body.strip().splitlines():
            names = re.findall(r'<th scope="row" class="name">(.*?)</th>', row)
            cells = [cell[1] for cell in re.finditer(r'<td(?: data-value="([^"]*)")?>', row)]
            yield names, [cell and [float(number) for number in cell.split()] for cell in cells]

    def test_of_the_ranking_of_which_all_rows_are_there(self, reports):
        page = reports["pairs"].to_html()
        assert list(self.rows(page, "Ranking")) == [
            ([row["estimator"]], [[row["score"]], [row["low"], row["high"]], None])
            for _, row in reports["pairs"].result.ranking().iterrows()
        ]
        assert len(list(self.rows(page, "Differences"))) == 105
        assert "more, " not in page

    def test_of_differences(self):
        result = quietly(s.compare_scores, scores_of("abc", gap=0.02), margin=0.03)
        page = s.evaluation_report(result, confidence_level=0.9).to_html()
        told = result.with_confidence(0.9)
        frame = result.to_frame(0.9).set_index(["estimator", "versus"])
        found = list(self.rows(page, "Differences"))
        assert len(found) == 3
        for names, cells in found:
            row = frame.loc[tuple(names)]
            numbers = [[row["difference"]], [row["low"], row["high"]], [row["pvalue_adjusted"]]]
            assert cells[:3] == numbers
            pair = next(one for one in told if [one.estimator, one.versus] == names)
            asked = {"higher": "better_by_more", "not worse": "not_worse"}[pair.outcome]
            assert cells[-2] == [getattr(pair.margin_pvalues, asked)]

    def test_of_two_estimators(self):
        for alternative in ("two-sided", "greater"):
            result = s.compare_scores(scores_of("ab"), reference="b", alternative=alternative)
            (row,) = result.to_frame().to_dict("records")
            assert np.isfinite(row["high"]) == (alternative == "two-sided")
            ((_, cells),) = self.rows(s.evaluation_report(result).to_html(), "Difference")
            names = ["score", "score_versus", "difference", "low", "high", "pvalue"]
            score, versus, difference, low, high, pvalue = (row[name] for name in names)
            assert cells == [[score], [versus], [difference], [low, high], [pvalue]]

        # what is undetermined has none
        values = scores_of("abc").values.copy()
        values[1] = values[0]
        scores = s.CVScores(values=values, design=DESIGN, labels=tuple("abc"), metric="accuracy")
        page = s.evaluation_report(quietly(s.compare_scores, scores)).to_html()
        *_, (names, cells) = self.rows(page, "Differences")
        assert set(names) == {"a", "b"}
        assert cells == [[0.0], "", "", None]  # the last says that it is undetermined


class TestPictures:
    def test_in_the_page(self, report):
        page = page_of(report)
        (drawn,) = re.findall(r"<svg.*?</svg>", page, re.S)
        ElementTree.fromstring(drawn)  # well-formed
        assert 'aria-label="The accuracy of 3 estimators, best first."' in drawn
        used = set(re.findall(r'(?:url\(#|href="#)([^)"]*)', drawn))
        assert set(re.findall(r' id="([^"]*)"', drawn)) <= used
        assert "for single scores" not in read_html(re.sub(re.escape(drawn), "", page)).text

    def test_beside_a_file(self, report, tmp_path):
        report.save(tmp_path / "my 5% report.tex")
        text = (tmp_path / "my 5% report.tex").read_text(encoding="utf-8")
        (name,) = re.findall(r"\\includegraphics\[.*\]\{(.*)\}", text)
        assert name == "my-5-report-ranking.pdf"
        assert (tmp_path / name).read_bytes().startswith(b"%PDF")
        assert r"\usepackage{graphicx}" in text
        report.save(str(tmp_path / "report.md"))
        text = (tmp_path / "report.md").read_text(encoding="utf-8")
        assert "![The accuracy of 3 estimators, best first.](report-ranking.svg)" in text
        assert "for single scores" not in text
        ElementTree.parse(tmp_path / "report-ranking.svg")

    def test_which_results_have_one(self, tmp_path, reports):
        reports["metrics"].save(tmp_path / "many.md")
        assert len(re.findall("<svg", page_of(reports["metrics"]))) == 2
        s.evaluation_report(s.compare_scores(scores_of("ab"))).save(tmp_path / "two.tex")
        alone = s.CorrectedResampledTTest()(scores_of("a")["a"])
        s.evaluation_report(alone).save(tmp_path / "one.tex")
        assert sorted(path.name for path in tmp_path.iterdir()) == [
            *("many-ranking-1.svg", "many-ranking-2.svg", "many.md"),
            *("one.tex", "two-differences.pdf", "two.tex"),
        ]

    def test_saved_as_it_is_written_without_files_of_pictures(self, report, tmp_path):
        for ending, written in ((".txt", f"{report}\n"), (".html", page_of(report))):
            report.save(tmp_path / f"report{ending}")
            assert (tmp_path / f"report{ending}").read_text(encoding="utf-8") == written
        report.save(tmp_path / "part.html", standalone=False)
        assert "<body>" not in (tmp_path / "part.html").read_text(encoding="utf-8")
        assert "for single scores" in section(report, "Ranking")
        assert "svg" not in report.to_markdown()
        assert "includegraphics" not in report.to_latex()
        with pytest.raises(ValueError, match=r"the ending '\.docx' is not known; choose \.html"):
            report.save(tmp_path / "report.docx")
        assert not (tmp_path / "report.docx").exists()

    def test_without_matplotlib_a_line_says_so(self, report, tmp_path, monkeypatch):
        monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
        line = "There is no picture here: matplotlib is not installed."
        for ending in (".html", ".md", ".tex"):
            report.save(tmp_path / f"report{ending}")
            text = (tmp_path / f"report{ending}").read_text(encoding="utf-8")
            assert text.count(line) == 1
            assert "for single scores" in text
        assert len(list(tmp_path.iterdir())) == 3


LONG = ["new_model_with_long_name", "logistic_regression", "LongClassifierName"]


@pytest.mark.processes
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="LaTeX is not installed")
@pytest.mark.parametrize(("names", "options"), [
    (LONG[:2], {"margin": 0.05}), (LONG, {"margin": 0.05, "adjustment": "none"}),
    (LONG, {"margin": 0.05, "adjustment": "holm"}), ([HOSTILE, "<script>x</script>", "c--d"], {}),
    ([f"model number {k}" for k in range(30)], {"reference": "model number 3"}),
])  # fmt: skip
def test_latex_compiles_without_overfull_boxes(names, options, tmp_path):
    scores = scores_of(names, gap=0.01)
    s.evaluation_report(s.compare_scores(scores, **options)).save(tmp_path / "report.tex")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "report.tex"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace")
    assert ran.returncode == 0, ran.stdout[-2000:]
    assert (tmp_path / "report.pdf").exists()
    assert "Overfull" not in ran.stdout


def test_without_jinja2(monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    report = s.evaluation_report(s.compare_scores(scores_of([HOSTILE, "b"])))
    assert "\nAnswer\n" in str(report)
    assert "## Answer" in report.to_markdown()
    assert len(report.to_frame()) == 1
    for method in (report.to_html, report.to_latex):
        with pytest.raises(ImportError, match=r'pip install "skcvstats\[reports\]"'):
            method()
    reader = read_html(report._repr_html_())  # a notebook shows the text
    assert reader.tags == ["pre"]
    assert reader.text == str(report)
