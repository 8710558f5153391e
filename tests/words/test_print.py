"""The print of 2, 3, 8 and 40 models: its lines, its width, and where its numbers come from."""

import re
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

import skcvstats as s
from skcvstats.scores import Note

from .cases import joined, quietly

DESIGN = s.SplitDesign.from_sizes(n_train=455, n_test=114, n_splits=20)
MOST_LINES = {2: 12, 3: 16, 8: 24, 40: 28}
GOLDEN = """\
accuracy: m0 or m1 could be the best; m2 is not (95 % confidence).

    score   95 % interval  behind      95 % interval  adj. p  best?
m0  0.894  0.882 to 0.907                                       yes
m1  0.886  0.873 to 0.900  0.0081  -0.0081 to 0.0243    0.43    yes
m2  0.874  0.861 to 0.888  0.0200   0.0099 to 0.0300  0.0001     no

Paired test over 20 splits (corrected resampled t-test, 455 training rows);
3 comparisons, adjusted (max-t).
"""


def scores_of(n_models, *, notes=(), gap=0.07, metric="accuracy", name="m{}"):
    rng = np.random.default_rng(5)
    shared = rng.normal(0.9, 0.01, 20)
    values = shared + rng.normal(0, 0.008, (n_models, 20))
    values -= gap * np.arange(n_models)[:, None] / max(n_models, 6)
    labels = tuple(name.format(k) for k in range(n_models))
    return s.CVScores(values=values, design=DESIGN, metric=metric, labels=labels).with_notes(notes)


def compared(n_models, **options):
    names = ("notes", "gap", "metric", "name")
    given = {name: options.pop(name) for name in names if name in options}
    return quietly(s.compare_scores, scores_of(n_models, **given), **options)


MANY_WORDS = "of many words " * 30
LONG = [Note(f"code {k}", f"a limitation, number {k}, {MANY_WORDS}", None) for k in range(5)]


@pytest.mark.parametrize("options", [
    {}, {"reference": "m1"}, {"margin": 0.01}, {"margin": 0.01, "reference": "m1"},
    {"adjustment": "holm"}, {"adjustment": "none"}, {"gap": 0.0}, {"gap": 0.5},
], ids=str)  # fmt: skip
@pytest.mark.parametrize("n_models", [2, 3, 8, pytest.param(40, marks=pytest.mark.slow)])
def test_lines_are_few_and_short(n_models, options):
    lines = str(compared(n_models, **options)).splitlines()
    assert len(lines) <= MOST_LINES[n_models]
    assert max(map(len, lines)) <= 88


def test_three_models_are_printed_as_this():
    assert str(compared(3)) == GOLDEN.rstrip("\n")


def test_the_numbers_are_those_of_the_frame():
    result = compared(8)
    leader = result.ranking()["estimator"][0]
    rows = {line.split()[0]: line for line in str(result).splitlines()[3:11]}
    frame = result.to_frame(full=True)
    frame = frame[frame["estimator"] == leader]
    assert len(frame) == 7
    for row in frame.itertuples():
        numbers = [float(x) for x in re.findall(r"-?\d\.\d+", rows[row.versus])]
        expected = [row.score_versus, row.difference, row.low, row.high, row.pvalue_adjusted]
        assert [numbers[0], *numbers[3:6]] == pytest.approx(expected[:-1], abs=6e-4)
        if "<0.0001" not in rows[row.versus]:
            error = row.pvalue_error
            assert numbers[-1] == pytest.approx(row.pvalue_adjusted, rel=0.06, abs=error)
        assert rows[row.versus].endswith("yes" if row.versus in result.best_set() else "no")


def test_forty_models_say_how_many_of_the_others_could_be_best():
    result = compared(40, gap=0.03)
    best = result.best_set()
    ranked = result.ranking()["estimator"].tolist()
    inside = [name for name in ranked[12:] if name in best]
    more = f"and 28 more, {len(inside)} of which could be best (result.ranking())"
    assert f"\n{more}\n" in str(result)  # a table with a line a model that says so
    assert sum(result.ranking()["could_be_best"][12:]) == len(inside)
    first = str(result).split("\n\n")[0]
    assert len(re.findall(r"\bm\d+", first)) <= 3
    assert f"{len(best)} of 40 models could be the best: " in joined(first)
    lines = str(result).splitlines()
    assert len(lines) <= MOST_LINES[40]
    assert max(map(len, lines)) <= 88
    with_reference = str(compared(40, reference="m1"))
    assert "and 28 more (result.to_frame())" in with_reference
    assert len(with_reference.splitlines()) <= MOST_LINES[40]


def test_a_row_that_says_no_though_its_interval_contains_0_is_explained():
    seen = set()
    for gap in (0.03, 0.09, 0.15):
        result = compared(8, gap=gap)
        text = str(result)
        lines = [line for line in text.splitlines()[3:11] if line.endswith(" no")]
        puzzling = [line.split()[0] for line in lines if re.search(r" -\d\.\d+ to \d", line)]
        said = "could not be the best, though not significantly different from"
        assert (said in joined(text)) == bool(puzzling)
        for name in puzzling[:3]:
            assert re.search(rf"\b{name}\b[^.]* {said}", joined(text))
        seen.add(bool(puzzling))
    assert seen == {True, False}


def test_three_notes_of_160_characters_the_most_serious_first():
    serious = Note("few groups", "only 7 groups: little power", None)
    warns = Note("code 9", "this warns")
    result = compared(3, notes=[*LONG, warns, serious])
    end = str(result).split("adjusted (max-t).\n")[1]
    codes = re.findall(r"\[(.*?)\]", joined(end))
    assert codes[0] == "few groups"
    assert len(codes) == 3
    assert re.search(r"^And \d more \(result.notes\)\.$", end, re.M)
    assert "code 9" in end  # of a warning that was given the code
    for text in re.split(r"(?<=\]) ", joined(end)):
        assert len(text) <= 160
    page = compared(3, notes=LONG)._repr_html_()
    assert all(f"[code {k}]" in page for k in range(5))
    assert page.count(MANY_WORDS) == 5


def test_notes_on_how_numbers_were_made_are_not_printed():
    codes = ("method", "mean of AUC", "mean over rows", "fits differ")
    quiet = [Note(code, f"about {code}", None) for code in codes]
    result = compared(3, notes=quiet)
    assert "about" not in str(result)
    page, report = result._repr_html_(), joined(s.evaluation_report(result))
    for note in quiet:
        assert note in result.notes
        assert f"bout {note.code}. " in page
    assert "About mean of AUC. [mean of AUC]" in report
    assert "About fits differ. [fits differ]" in report


def test_several_metrics_share_how_they_were_made_and_their_notes():
    metrics = ("accuracy", "roc_auc", "neg_log_loss")
    note = Note("code 1", "said of all", None)
    scores = {}
    for metric in metrics:
        made = scores_of(3, metric=metric, notes=[note])
        sign = -1 if metric.startswith("neg") else 1
        scores[metric] = s.CVScores(
            values=sign * made.values, design=DESIGN, metric=metric, labels=made.labels,
            notes=[note],
        )  # fmt: skip
    result = quietly(s.compare_scores, scores)
    text = str(result)
    for once in ("Paired test", "Said of all. [code 1]", "3 comparisons in each of 3 metrics"):
        assert text.count(once) == 1
    starts = re.findall(r"^(\S.*?): ", text, re.M)
    assert starts[:3] == ["accuracy", "ROC AUC", "log loss (lower is better)"]
    for metric in metrics:
        alone = str(result[metric]).split("\n\nPaired")[0]
        assert alone in text
    assert "roc_auc" not in text


@pytest.mark.parametrize("scale", [1e-9, 1e-3, 1.0, 1e4, 1e9, 1e30])
def test_scores_of_any_size_fit(scale):
    made = scores_of(3)
    scores = s.CVScores(
        values=scale * made.values, design=DESIGN, metric="gain", labels=made.labels
    )
    result = quietly(s.compare_scores, scores)
    lines = str(result).splitlines()
    assert max(map(len, lines)) <= 88
    for line, score in zip(lines[3:6], result.ranking()["score"], strict=True):
        assert float(line.split()[1]) == pytest.approx(score, rel=0.006)


def test_few_groups_are_explained_once_for_all_metrics():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    groups = np.repeat(np.arange(6), 10)
    y[groups == 5] = 0
    predicted = {name: 0.5 * y + 0.5 * rng.random(60) for name in "abc"}
    options = {"scoring": ["roc_auc", "f1"], "threshold": 0.5, "groups": groups}
    result = quietly(s.compare_predictions, y, predicted, **options)
    assert len({note.text for note in result.notes if note.code == "few groups"}) == 2
    assert joined(str(result)).count("poorly estimated") == 1


@pytest.mark.parametrize("reference", [None, 0])
def test_sentences_do_not_shorten_two_names_to_the_same_text(reference):
    names = [
        f"Quadratic discriminant analysis {how} shrinkage and a standard scaler, version {k}"
        for how, k in (("with", 1), ("with", 2), ("without", 2))
    ]
    scores = scores_of(3)
    scores = replace(scores, labels=tuple(names))
    options = {} if reference is None else {"reference": names[reference]}
    said = joined(str(s.compare_scores(scores, **options)).split("\n\n")[0])
    assert all(part in said for part in ("version 1", "version 2", "analysis without ... is"))


def test_one_model_that_differs_from_the_reference_is_named():
    first = joined(str(compared(5, gap=0.06, reference="m0")).split("\n\n")[0])
    said = "3 are lower; m1 is not significantly different (95 % confidence)."
    assert first == f"accuracy against m0: {said}"


def test_what_is_said_of_slices_stands_apart_from_how_it_was_made():
    losses = {name: np.sin(np.arange(40) * k) for k, name in enumerate("abc", start=1)}
    said = str(s.compare_losses(losses, by=np.arange(40) % 2))
    assert "\n\nPaired test on 40 test rows" in said
    assert "\n\n\n" not in said


@pytest.mark.parametrize(("name", "metrics"), [
    *product(["m{}", "gradient boosting, number {}"], [["accuracy"], ["accuracy", "roc_auc"]]),
    ("m{}" + "x" * 60, ["accuracy"]),
])  # fmt: skip
def test_two_models_and_a_margin_have_one_table(name, metrics):
    scores = {metric: scores_of(2, name=name, metric=metric) for metric in metrics}
    result = quietly(s.compare_scores, scores, margin=0.01)
    before, table, *_ = str(result).split("\n\n")
    lines = table.splitlines()
    assert max(map(len, [*before.splitlines(), *lines])) <= 88
    row = lines[-len(metrics)].split()
    k = row.index("to")
    assert row[k - 4 : k - 2] == [f"{model.mean():.3f}" for model in scores["accuracy"].values]
    pair = result[0]
    shown = [pair.test.estimate, *pair.margin_interval()]
    assert [float(row[k + place]) for place in (-2, -1, 1)] == pytest.approx(shown, rel=0.005)
    assert len(row) - k >= 4  # two p-values


@pytest.mark.parametrize("options", [{}, {"margin": 0.01}])
def test_the_names_of_two_models_fill_the_heads_and_no_word_is_broken(options):
    name = "Gradient boosted trees with monotone constraints, number {}"
    result = quietly(s.compare_scores, scores_of(2, name=name), **options)
    *heads, _ = str(result).split("\n\n")[1].splitlines()
    words = " ".join(heads).split()
    assert words.count("boosted") == 2
    ours = "difference 90 95 % interval p p-value not worse equivalence ..."
    assert {*words} <= {*ours.split(), *name.split(), "0", "1"}


@pytest.mark.parametrize("gap", [0.0, 0.037, 0.06])
@pytest.mark.parametrize("margin", [0.02, 0.045, 0.2])
def test_the_interval_of_two_models_agrees_with_the_verdict(gap, margin):
    wave = np.sin(np.arange(20.0))
    wave = (wave - wave.mean()) / wave.std(ddof=1)
    scores = {"a": 0.8 + 0 * wave, "b": 0.8 - gap - 0.0365 * wave}  # standard error 0.02
    design = s.SplitDesign.from_sizes(80, 20, n_samples=100, n_splits=20)
    result = quietly(s.compare_scores, scores, design=design, metric="accuracy", margin=margin)
    said, table, *_ = str(result).split("\n\n")
    ((low, high),) = re.findall(r"(-?[\d.]+) to (-?[\d.]+)", table)
    low = float(low)
    high = float(high)
    said = joined(said)
    if "Neither" in said:
        assert low <= 0 <= high
        assert not -margin < low <= high < margin
    elif "not significantly by more" in said:
        assert 0 < low <= margin
    else:
        assert -margin < low
        assert (high < margin) == ("not worse" not in said)


@pytest.mark.parametrize(("gap", "said"), [
    (0.5, "3 of 3 differences are significant"),
    (0.25, "2 of 3 differences are significant; not m0 - m1"),
    (0.0, "0 of 3 differences are significant"),
])  # fmt: skip
def test_differences_without_a_direction_are_named_where_they_are_few(gap, said):
    rng = np.random.default_rng(3)
    values = 0.9 + 0.01 * rng.normal(size=(3, 10)) - gap * np.arange(3)[:, None] / 6
    design = s.SplitDesign.from_sizes(90, 90, n_splits=10, levels=("repeat", "fold"), shape=(5, 2))
    scores = s.CVScores(values=values, design=design, labels=["m0", "m1", "m2"], metric="accuracy")
    result = quietly(s.compare_scores, scores, method="five_by_two_cv_f")
    assert joined(str(result)).startswith(f"accuracy: {said} (95 % confidence).")
    assert "best?" not in str(result)


@pytest.mark.parametrize("text", ["a of b", "a of ...", "a of ....", "y_true of ..."])
def test_a_note_ends_with_at_most_three_dots(text):
    notes = [Note("code", text, None)]
    *_, said = joined(str(compared(2, notes=notes))).removesuffix(" [code]").rpartition("rows). ")
    assert said.rstrip(".").lower() == text.rstrip(".").lower()
    assert said.endswith("...") == text.endswith("...")
    assert not said.endswith("....")


def test_the_intervals_that_decide_about_a_margin_are_named_where_the_table_has_others():
    rng = np.random.default_rng(1)
    losses = {name: rng.normal(size=60) + loss for name, loss in (("a", 0), ("b", 0.1), ("c", 1))}
    said = "3 comparisons, not adjusted, verdicts by the margin from 90 % intervals."
    for options, is_said in (
        ({"adjustment": "none", "margin": 0.5}, True),
        ({"adjustment": "none"}, False),
        ({"margin": 0.5}, False),
    ):
        result = s.compare_losses(losses, **options)
        assert (said in " ".join(str(result).split())) == is_said
