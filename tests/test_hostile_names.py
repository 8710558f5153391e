"""Names with any characters: visible and harmless in every format, and unchanged in data."""

import csv
import io
import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

import skcvstats as s
from skcvstats._utils._text import columns, cut, visible
from skcvstats.command_line import main
from skcvstats.stats import CorrectedResampledTTest

DESIGN = s.SplitDesign.from_sizes(90, 10, n_splits=15)
BIDIRECTIONAL = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"
CONTROLS = "".join(map(chr, [*range(0x20), *range(0x7F, 0xA0)]))
NAMES = {
    "bidirectional": f"a{BIDIRECTIONAL}b", "controls": f"c{CONTROLS}d",
    "surrogates": "e\ud800f\udfffg\udc00", "separators": "g\u2028\u2029\r\n\x0b\x0c\x85h",
    "no width": "i\u200b\u200c\u200d\u2060\ufeff\u00ad\u3164\ufe0fj", "long": "k" * 10_000,
    "long and bad": "\0\u202e" * 5000, "many marks": "l" + "\u0301" * 10_000,
    "wide": "机器学习模型", "markup": "<script>alert(1)</script>&lt;",
    "latex": r"\input{x} $x_1^2$ % # ~", "mathematics": r"$\frac$ $x$",
    "markdown": "[x](y) |a| `b` *c*", "formula": "=1+1",
}  # fmt: skip
# What no reader sees, or what changes how the text around it is read.
HARMFUL = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\ud800-\udfff]"
)


class Texts(HTMLParser):
    """The texts of a page."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.texts = []
        self.feed(page)
        self.close()

    def handle_data(self, data):
        self.texts.append(data)


def scores_of(names):
    rng = np.random.default_rng(0)
    values = rng.normal(0.7, 0.01, (len(names), 15)) + 0.02 * np.arange(len(names))[:, None]
    return dict(zip(names, values, strict=True))


WORST = ["controls", "bidirectional", "long and bad", "mathematics"]
GROUPS = {"two": WORST[:2], "four": WORST, "all": NAMES}


@pytest.fixture(scope="module", params=GROUPS)
def named(request):
    """Estimators with hostile names: two, so few that all of them are shown, or all."""
    names = [NAMES[key] for key in GROUPS[request.param]]
    return names, s.compare_scores(scores_of(names), design=DESIGN, metric="accuracy")


def check_harmless(text):
    assert not HARMFUL.search(text), ascii(HARMFUL.findall(text)[:5])
    text.encode()  # as a file or a terminal would
    assert "k" * 300 not in text
    assert "\u0301" * 300 not in text


@pytest.mark.slow
def test_text(named):
    names, result = named
    report = s.evaluation_report(result)
    texts = [str(result), repr(result), str(report), *map(str, result), result[0].claim.words]
    for text in [*texts, report.to_markdown(), report.to_latex()]:
        check_harmless(text)
    assert "<script>" not in report.to_markdown()
    assert r"\input{x}" not in report.to_latex()
    if len(names) < len(NAMES):
        assert all(visible(name)[:20] in str(result) for name in names)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Glyph")  # the font has no Chinese
def test_html(named):
    names, result = named
    for page in (result._repr_html_(), s.evaluation_report(result).to_html()):
        check_harmless(page)
        found = Texts(page)
        scripts = re.findall(r"<script[^>]*>(.*?)</script>", page, re.DOTALL)
        assert len(scripts) <= 1  # the page's own
        assert "alert(1)" not in "".join(scripts)
        shown = names if len(names) < len(NAMES) else names[-1:]  # the best; not all have a row
        assert all(any(cut(name) in text for text in found.texts) for name in shown)


PICTURES = [("two", "differences"), ("two", "scores"), ("four", "differences")]
PICTURES += [("all", "ranking"), ("all", "scores")]


# A picture of two has panels and a legend of its own; of differences not all would be drawn.
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Glyph")
@pytest.mark.parametrize(("named", "kind"), PICTURES, indirect=["named"])
def test_svg(named, kind):
    _, result = named
    figure = result.plot(kind).figure_
    with io.BytesIO() as file:
        figure.savefig(file, format="svg")
        drawn = file.getvalue().decode()
    plt.close(figure)
    ElementTree.fromstring(drawn)  # a NUL is no XML
    check_harmless(drawn)


@pytest.mark.slow
def test_json_and_frames_keep_the_names(named):
    names, result = named
    text = result.to_json()
    json.loads(text)
    again = s.ComparisonResult.from_json(text)
    assert again.names == tuple(names)
    assert set(result.to_frame()["estimator"]) | set(result.to_frame()["versus"]) == set(names)
    assert str(again) == str(result)


def test_one_estimator():
    for name in NAMES.values():
        scores = s.CVScores(values=scores_of([name])[name], design=DESIGN, labels=(name,))
        found = CorrectedResampledTTest()(scores)
        for text in (str(found), found._repr_html_(), repr(scores)):
            check_harmless(text)
        check_harmless(str(s.evaluation_report(found)))


def test_metrics():
    result = s.compare_scores(scores_of(["a", "b", "c"]), design=DESIGN, metric="m\0\u202e\n")
    report = s.evaluation_report(result)
    for text in (str(result), result._repr_html_(), str(report), report.to_html()):
        check_harmless(text)
        assert r"m\x00\u202e\n" in text


def test_each_character_is_written_as_python_writes_it():
    for character in (*BIDIRECTIONAL, *CONTROLS, *"\ud800\u2028\u200b\U000e0100"):
        written = visible(f"a{character}b")
        assert written.isprintable()
        assert eval(f"'{written}'") == f"a{character}b"
    for text in ("plain", "Ä é ß", "机器", "نموذج", "שלום", "a\u0301", "😀", r"a\x00", "a b"):
        assert visible(text) == text
    assert visible("a\u00a0b\u3000c") == "a b c"


@pytest.mark.parametrize("width", [10, 100])
def test_cut_names_fit(width):
    for name in NAMES.values():
        found = cut(name, width)
        assert columns(found) <= width
        assert len(found) <= 2 * width + 3
        assert found == visible(name) or "..." in found


def test_tables_are_aligned():
    """Cells to the right of names end in the same column of a terminal."""
    assert [columns(text) for text in ("ab", "机器", "a\u0301")] == [2, 4, 1]
    names = ["tree", "机器学习", "e\u0301e\u0301"]
    result = s.compare_scores(scores_of(names), design=DESIGN, metric="accuracy")
    for text in (str(result), str(s.evaluation_report(result))):
        lines = [line for line in text.splitlines() if line.startswith(tuple(names))]
        table = [line for line in lines if re.search(r" {2}0\.\d+ {2}", line)][:3]
        assert len(table) == 3
        ends = {columns(line[: re.search(r"0\.\d+", line).end()]) for line in table}
        assert len(ends) == 1, text


class TestDoors:
    """Names that are empty, or look the same, are refused wherever estimators are named."""

    @pytest.mark.parametrize(
        ("names", "message"),
        [
            (["\u3000 ", "b"], "is empty; give each a name"),
            (["a\0", r"a\x00"], "look the same when they are printed; rename one"),
            (["a\u00a0b", "a b"], "look the same"),
            (["\u00e9", "e\u0301"], "look the same"),
        ],
    )
    def test_scores(self, names, message):
        with pytest.raises(ValueError, match=message):
            s.compare_scores(scores_of(names), design=DESIGN)
        assert r" \t" in str(s.compare_scores(scores_of([" \t", "b"]), design=DESIGN))

    def test_all(self):
        X, y, names = np.arange(40.0).reshape(-1, 1), np.arange(40) % 2, ("a\0", r"a\x00")
        models = {name: DecisionTreeClassifier() for name in names}
        for door in (
            lambda: s.compare_estimators(models, X, y),
            lambda: s.cross_val_inference(models, X, y),
            lambda: s.compare_predictions(y, dict.fromkeys(names, y), scoring="accuracy"),
            lambda: s.CVScores(values=np.zeros((2, 15)), design=DESIGN, labels=names),
        ):
            with pytest.raises(ValueError, match="look the same"):
                door()


WIDE = "\uff1d\uff0b\uff0d\uff20"  # =+-@ in full width, which some spreadsheets take for these


@pytest.mark.parametrize("names", [["=1+1", "+a", "-b", "@c", "\td"], ["\re", "f\ud800\0", *WIDE]])
def test_tables_of_the_command_line(names, tmp_path, capsys):
    """Names that begin as formulas do are neutral in CSV, numbers are untouched."""
    result = s.compare_scores(scores_of(names), design=DESIGN, metric="=m")
    saved, table = tmp_path / "scores.json", tmp_path / "table.csv"
    saved.write_text(result.to_json())
    assert main(["report", str(saved), "--csv", str(table), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    with table.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(names) * (len(names) - 1) / 2
    for row in rows:
        for text in (row["metric"], row["estimator"], row["versus"]):
            assert not text.startswith(tuple(f"=+-@\t\r{WIDE}"))
            assert text.isprintable()
    frame = result.to_frame()
    assert [float(row["difference"]) for row in rows] == pytest.approx(frame["difference"].tolist())
    assert any(row["low"].startswith("-") for row in rows) == (frame["low"] < 0).any()
    assert {pair["estimator"] for pair in told["comparisons"]} == set(frame["estimator"])
