"""Names: what cannot be printed is refused, the rest is harmless in every format.

Labels of slices and messages of others may have any characters.
"""

import csv
import io
import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

import skcvstats as s
from skcvstats._utils._text import columns, cut, visible
from skcvstats.command_line import main
from skcvstats.stats import CorrectedResampledTTest
from tests.cheap import NearestMean
from tests.hostile.documents import at, changed, sealed

DESIGN = s.SplitDesign.from_sizes(90, 10, n_splits=15)
BIDIRECTIONAL = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c"
CONTROLS = "".join(map(chr, [*range(0x20), *range(0x7F, 0xA0)]))
UNPRINTABLE = f"{BIDIRECTIONAL}{CONTROLS}\ud800\udbff\udc00\udfff\u2028\u2029"
NAMES = {
    "no width": "i\u200b\u200c\u200d\u2060\ufeff\u00ad\u3164\ufe0fj", "long": "k" * 10_000,
    "no break": "m\u00a0n\u3000o", "emoji": "p😀", "many marks": "l" + "\u0301" * 10_000,
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


WORST = ["no width", "markup", "long", "mathematics"]
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
        assert all(visible(name)[:8] in str(result) for name in names)


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


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
def test_labels_of_slices_and_messages_of_others():
    """Data and exceptions may have any characters, which are written as Python writes them."""
    y, by = np.tile([0, 1], 60), np.repeat([f"a{BIDIRECTIONAL}b", f"c{CONTROLS}d\u2028e"], 60)
    right = np.random.default_rng(0).random((2, 120)) < [[0.9], [0.6]]
    predictions = {name: np.where(row, y, 1 - y) for name, row in zip("ab", right, strict=True)}
    sliced = s.compare_predictions(y, predictions, scoring="accuracy", by=by)
    failing = {"a": NearestMean(1), "b": NearestMean(2), "c": Failing()}
    X = np.random.default_rng(1).normal(size=(120, 2)) + y[:, np.newaxis]
    dropped = s.compare_estimators(failing, X, y, on_error="drop")
    for result, expected in ((sliced, r"c\x00\x01\x02"), (dropped, r"why\x00\u202e")):
        report = s.evaluation_report(result)
        pages = (report.to_html(), report.to_latex(), report.to_markdown())
        for text in (str(result), result._repr_html_(), str(report), *pages):
            check_harmless(text)
        assert expected in str(report)


class Failing(NearestMean):
    def fit(self, X, y):
        raise ValueError("why\0\u202e\n")


def test_each_character_is_written_as_python_writes_it():
    for character in (*UNPRINTABLE, *"\u200b\U000e0100"):
        written = visible(f"a{character}b")
        assert written.isprintable()
        assert eval(f"'{written}'") == f"a{character}b"
    for text in ("plain", "Ä é ß", "机器", "نموذج", "שלום", "a\u0301", "😀", r"a\x00", "a b"):
        assert visible(text) == text
    assert visible("a\u00a0b\u3000c") == "a b c"


EMOJI = {
    "joined": "\U0001f469\u200d\U0001f52c", "with a selector": "\u2764\ufe0f",
    "both": "\U0001f3f3\ufe0f\u200d\U0001f308",
    "of a skin tone": "\U0001f469\U0001f3fd\u200d\U0001f52c",
}  # fmt: skip


@pytest.mark.parametrize("emoji", EMOJI.values(), ids=EMOJI)
def test_emoji_of_several_characters_are_written_as_they_are(emoji):
    assert visible(emoji) == emoji
    result = s.compare_scores(scores_of([emoji, "b"]), design=DESIGN, metric="accuracy")
    assert emoji in str(result)
    assert emoji in result._repr_html_()


@pytest.mark.parametrize(
    "name", ["a\u200db", "\u200d\U0001f52c", "\U0001f52c\u200d", "a\ufe0f", "\ufe0f\u200d\u2764"]
)
def test_joiners_and_selectors_elsewhere_are_escaped(name):
    assert not HARMFUL.search(visible(name))


def test_symbols_that_differ_in_style_only_look_the_same():
    with pytest.raises(ValueError, match="look so"):
        s.compare_scores(scores_of(["\u2764", "\u2764\ufe0f"]), design=DESIGN, metric="accuracy")


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


X, Y = np.arange(40.0).reshape(-1, 1), np.arange(40) % 2
SCORES = dict.fromkeys("ab", np.zeros(15))
PAIR = {name: DecisionTreeClassifier() for name in "ab"}


def accuracies(estimator, X, y):
    return {"m\u2028": estimator.score(X, y)}


def scorer_called(name):
    def scorer(estimator, X, y):
        return estimator.score(X, y)

    scorer.__name__ = name
    return scorer


def models_called(names):
    """Return every call that takes names of models, with these."""
    models = {name: DecisionTreeClassifier() for name in names}
    frame = pd.DataFrame(np.zeros((15, 2)), columns=names)
    return [
        lambda: s.compare_estimators(models, X, Y),
        lambda: s.cross_val_inference(models, X, Y),
        lambda: s.learning_curve_inference(models, X, Y),
        lambda: s.compare_scores(dict.fromkeys(names, np.zeros(15)), design=DESIGN),
        lambda: s.compare_scores(frame, design=DESIGN),
        lambda: s.compare_predictions(Y, dict.fromkeys(names, Y), scoring="accuracy"),
        lambda: s.predictions_inference(Y, dict.fromkeys(names, Y), scoring="accuracy"),
        lambda: s.compare_losses(dict.fromkeys(names, X[:, 0])),
        lambda: s.simulate(lambda random_state: (X, Y), models, ["row_t"], n_data_sets=1),
        lambda: s.CVScores(values=np.zeros((2, 15)), design=DESIGN, labels=names),
    ]


def metric_called(name):
    """Return every call that takes names of metrics, with this one."""
    scoring = {name: "accuracy"}
    return [
        lambda: s.compare_estimators(PAIR, X, Y, scoring=scoring),
        lambda: s.cross_val_inference(PAIR, X, Y, scoring=scoring),
        lambda: s.cross_val_score(PAIR["a"], X, Y, scoring=scorer_called(name)),
        lambda: s.compare_predictions(Y, dict.fromkeys("ab", Y), scoring=scoring),
        lambda: s.compare_losses(dict.fromkeys("ab", X[:, 0]), metric=name),
        lambda: s.compare_scores(SCORES, design=DESIGN, metric=name),
        lambda: s.CVScores(values=np.zeros(15), design=DESIGN, metric=name),
    ]


class TestDoors:
    """Names that are empty, look the same or cannot be printed are refused everywhere."""

    @pytest.mark.parametrize(
        ("names", "message"),
        [
            (["\u3000 ", "b"], "is empty; give each a name"),
            (["a\u200b", r"a\u200b"], "are the same, or look so when they are printed; rename one"),
            (["a\u00a0b", "a b"], "look so"),
            (["\u00e9", "e\u0301"], "look so"),
        ],
    )
    def test_alike(self, names, message):
        for door in models_called(names):
            with pytest.raises(ValueError, match=message):
                door()

    def test_unprintable_names_of_models(self):
        message = (
            r"'ab\\u202ec' among the .* has '\\u202e' at position 2, .*take this character out"
        )
        for door in models_called(["ab\u202ec", "b"]):
            with pytest.raises(ValueError, match=message):
                door()

    def test_unprintable_names_of_metrics(self):
        for door in metric_called("m\0"):
            with pytest.raises(ValueError, match=r"m\\x00' among the .*metrics has '\\x00' at pos"):
                door()
        with pytest.raises(ValueError, match=r"'m\\u2028' among the metrics .* at position 1"):
            s.compare_estimators(PAIR, X, Y, scoring=accuracies)
        with pytest.raises(ValueError, match=r"'m\\x00' among the metrics .* at position 1"):
            s.compare_losses({"a": [1.0, 2.0], "b": [2.0, 1.0]}, metric="m\0")

    def test_every_unprintable_character(self):
        for character in UNPRINTABLE:
            with pytest.raises(ValueError, match="at position 1, which cannot be printed"):
                s.CVScores(values=np.zeros(15), design=DESIGN, labels=[f"a{character}"])
        for name in NAMES.values():
            s.CVScores(values=np.zeros(15), design=DESIGN, labels=[name], metric=name)

    def test_files(self):
        scores = {"a": np.arange(15), "b": np.zeros(15)}
        result = s.compare_scores(scores, design=DESIGN, metric="m")
        tests = ("ComparisonResult", "tests_by_metric", "dict")
        inside = (*tests, "m", "SavedTests", "scores", "CVScores")
        cases = [(result, (*inside, "labels", 0)), (result, (*inside, "metric"))]
        for scores in (result.scores, result.scores["a"] - result.scores["b"]):
            cases += [(scores, ("CVScores", "labels", 0)), (scores, ("CVScores", "metric"))]
        files = [(it, changed(it.to_json(), path, "a\u202e")) for it, path in cases]
        document = json.loads(result.to_json())
        content = document["content"]
        metrics = at(content, tests)
        metrics["a\u202e"] = metrics.pop("m")
        for original, file in [*files, (result, sealed(content, document))]:
            with pytest.raises(ValueError, match=r"does not write: .* has '\\u202e' at position 1"):
                type(original).from_json(file)


def test_columns_of_files_get_blanks(tmp_path, capsys):
    table = tmp_path / "predictions.csv"
    rows = "\n".join("1,1,0" if k % 3 else "0,0,1" for k in range(30))
    table.write_text(f"y,a\u202eb,c\u2028\n{rows}\n", encoding="utf-8")
    options = ["--target", "y", "--scoring", "accuracy", "--json"]
    assert main(["predictions", str(table), *options]) == 0
    (pair,) = json.loads(capsys.readouterr().out)["comparisons"]
    assert {pair["estimator"], pair["versus"]} == {"a b", "c "}
    table.write_text(f"y,a\u202e,a\u2028\n{rows}\n", encoding="utf-8")
    assert main(["predictions", str(table), *options]) == 2
    assert "has two columns named 'a '" in capsys.readouterr().err


WIDE = "\uff1d\uff0b\uff0d\uff20"  # =+-@ in full width, which some spreadsheets take for these


@pytest.mark.parametrize("names", [["=1+1", "+a", "-b", "@c"], ["e\u200b", "f", *WIDE]])
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
