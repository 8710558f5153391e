"""The formats of a report: names as they are, well-formed, complete, without jinja2."""

import re
import sys
from html.parser import HTMLParser

import pytest

from skcvstats import compare_estimators, compare_scores, evaluation_report
from skcvstats.reporting._document import Citation, parts_of
from skcvstats.reporting._markdown import escape
from skcvstats.reporting._templates import escape_latex

from .cases import HOSTILE, models, scores_of, section


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


def pieces_of(document, *, captions=True):
    """Return all that a document says, in its order; citations stay what they are."""
    pieces = [document.title]
    for one in document.sections:
        pieces += pieces_of_section(one, captions=captions)
    pieces += ["References", *map(str, document.references.values())]
    return pieces + pieces_of_section(document.footer, captions=captions)


def pieces_of_section(part, *, captions):
    pieces = [part.title]
    for paragraph in part.paragraphs:
        pieces += parts_of(paragraph)
    pieces += part.points
    if part.table is not None:
        pieces += [part.table.caption] if captions else []
        pieces += [cell for row in (part.table.columns, *part.table.rows) for cell in row]
    return pieces + [word for fact in part.facts for word in fact]


def words_of(text):
    """Return words without the marks that formats put behind or before them."""
    return re.sub(r"[:.,;]+(?= |$)", "", " ".join(text.split())).split()


class TestAllFormatsSayTheSame:
    @pytest.fixture(params=["two", "many"])
    def report(self, request, data):
        if request.param == "two":
            return evaluation_report(compare_scores(scores_of(["new_model", "b"])))
        scoring = ["accuracy", "roc_auc"]
        result = compare_estimators(models(), *data, scoring=scoring, reference="dummy")
        return evaluation_report(result)

    def expected(self, report, **options):
        document = report._document
        numbers = {key: k for k, key in enumerate(document.references, start=1)}
        text = [
            str([numbers[key] for key in one.keys]) if isinstance(one, Citation) else one
            for one in pieces_of(document, **options)
        ]
        return words_of(re.sub(r" ([.;,])", r"\1", " ".join(text)))

    def test_text(self, report):
        text = re.sub(r"\n[-=]+\n", "\n", str(report))
        text = re.sub(r"^(- |\[\d+\] )", "", text, flags=re.M)
        assert words_of(text) == self.expected(report, captions=False)

    def test_html(self, report):
        page = re.sub(r"<style>.*?</style>", "", report.to_html(standalone=False), flags=re.S)
        reader = read_html(re.sub(r"</(th|td|dt)>", r" </\1>", page))
        assert words_of(reader.text) == self.expected(report)
        document = report._document
        n_points = sum(len(one.points) for one in document.sections)
        assert reader.tags.count("li") == n_points + len(document.references)

    def test_markdown(self, report):
        marked = report.to_markdown()
        text = re.sub(r"^(\| :--.*|#+ |- |\d+\. )", "", marked, flags=re.M)
        text = re.sub(r"\*\*(.*?)\*\*:", r"\1", text)
        text = re.sub(r"(?<!\\)\|", " ", text)
        assert words_of(re.sub(r"\\(?=[^a-zA-Z0-9\s])", "", text)) == self.expected(report)
        parts = (*report._document.sections, report._document.footer)
        assert marked.count("\n- ") == sum(len(one.points) + len(one.facts) for one in parts)
        assert len(re.findall(r"^\d+\. ", marked, re.M)) == len(report._document.references)

    def test_latex(self, report):
        text = report.to_latex().replace(r"\allowbreak{}", "").replace(r"\\", " ")
        at = text.index(r"\begin{document}")
        document = report._document
        for piece in pieces_of(document):
            if piece == "References":
                continue  # LaTeX writes that itself
            if isinstance(piece, Citation):
                piece = rf"~\cite{{{','.join(piece.keys)}}}"
            else:
                piece = escape_latex(piece).strip()
            at = text.find(piece, at)
            assert at >= 0, f"not there, or not in its place: {piece}"
            at += len(piece)


@pytest.mark.parametrize(
    ("character", "latex"),
    [
        ("\\", r"\textbackslash{}"),
        ("{", r"\{"),
        ("}", r"\}"),
        ("$", r"\$"),
        ("&", r"\&"),
        ("#", r"\#"),
        ("%", r"\%"),
        ("_", r"\_"),
        ("~", r"\textasciitilde{}"),
        ("^", r"\textasciicircum{}"),
        ("<", r"\textless{}"),
        (">", r"\textgreater{}"),
        ("|", r"\textbar{}"),
        ('"', r"\textquotedbl{}"),
        ("`", r"\textasciigrave{}"),
        ("\N{MINUS SIGN}", "$-$"),
        ("''", "'{}'"),
        ("\n", " "),
    ],
)
def test_latex_escapes(character, latex):
    assert escape_latex(f"a{character}b") == f"a{latex}b"


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
            ("see http://a.b or www.c.d", r"see http\://a.b or www\.c.d"),
            ("n: 1", "n: 1"),
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
