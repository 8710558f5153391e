"""A margin that was asked for is named by every verdict, and each p by its question."""

import re

import numpy as np
import pytest

from skcvstats import CVScores, SplitDesign, compare_scores, evaluation_report
from skcvstats.stats import KINDS, words_of

from .cases import quietly, section

DESIGN = SplitDesign.from_sizes(90, 10, n_splits=15)
SIZE = "0.0123"
MARGIN = float(SIZE)


def scores_of(difference, spread, n_models=3):
    """Return scores of a base and of two models, with exact mean differences from it."""
    noise = np.random.default_rng(3).normal(0, spread, (2, 15))
    noise -= noise.mean(axis=1, keepdims=True)
    base = np.random.default_rng(9).uniform(0.4, 0.6, 15)
    values = np.vstack([base, base + difference + noise[0], base + 0.3 + noise[1]])
    labels = ("base", "new", "other")[:n_models]
    return CVScores(values=values[:n_models], design=DESIGN, labels=labels, metric="accuracy")


def pair_of(result):
    return next(pair for pair in result if {pair.estimator, pair.versus} == {"new", "base"})


# By what is shown of "new" against "base": the true difference and the spread.
CASES = {
    "higher by more": (0.04, 0.01), "lower by more": (-0.04, 0.01),
    "higher by less": (0.006, 0.002), "lower by less": (-0.006, 0.002), "higher": (0.014, 0.006),
    "lower": (-0.014, 0.006), "equivalent": (0.0, 0.005), "not worse": (0.008, 0.008),
    "not better": (-0.008, 0.008), "not significant": (0.0, 0.1),
}  # fmt: skip


@pytest.mark.parametrize("kind", CASES)
def test_every_verdict_names_the_margin_in_the_same_words_everywhere(kind):
    result = quietly(compare_scores, scores_of(*CASES[kind]), reference="base", margin=MARGIN)
    pair = pair_of(result)
    assert pair.outcome == kind
    assert SIZE in pair.claim.words
    assert SIZE in pair.verdict()
    answer = re.search(r"against base: (.*?) \(95 % confidence\)", " ".join(str(result).split()))
    assert answer[1].count(SIZE) == len({each.outcome for each in result})
    report = evaluation_report(result)
    (row,) = re.findall(r"^\| new +\| base .*\|$", report.to_markdown(), re.M)
    shown = row.strip("| ").split(" | ")[-1]
    assert (shown == r"\-") if kind == "not significant" else (SIZE in shown)
    lines = [line for line in str(result).split("\n") if "new" in line and "base" in line]
    assert bool(lines) == (kind != "not significant")
    assert all(SIZE in line for line in lines[:1])
    said = words_of(pair.claim.kind, ("new", "base"), "accuracy", pair.margin)
    assert said.long.casefold() in pair.claim.words.casefold()
    text = " ".join(str(result).split())
    assert re.search(rf"against base: .*{re.escape(said.short)}", text)
    line = words_of(pair.claim.kind, ("new", "base"), "accuracy", pair.margin, named=False).long
    assert (f"{line}:" in text) == (kind != "not significant")


@pytest.mark.parametrize("kind", CASES)
def test_two_models_with_a_margin(kind):
    options = {"reference": "base"} if kind.startswith("higher") else {}
    result = quietly(compare_scores, scores_of(*CASES[kind], 2), margin=MARGIN, **options)
    report = evaluation_report(result)
    for text in (str(result), section(report, "Answer"), str(result[0])):
        assert SIZE in text
    for text in (str(result), str(report)):
        assert "could be" not in text
    assert "p difference" in str(result)
    assert "p difference" in section(report, "Difference")
    assert "p-value" not in str(result)


@pytest.mark.parametrize("alternative", ["greater", "less"])
@pytest.mark.parametrize("difference", [-0.04, -0.013, 0.0, 0.013, 0.04])
def test_one_sided_verdicts_too(difference, alternative):
    scores = scores_of(difference, 0.02)
    options = {"reference": "base", "alternative": alternative, "margin": MARGIN}
    result = quietly(compare_scores, scores, **options)
    assert SIZE in pair_of(result).claim.words
    assert SIZE in " ".join(str(result).split()).split("(95 % confidence)")[0]


def test_the_p_of_a_line_is_said_with_its_question():
    questions = dict.fromkeys(("higher by more", "lower by more"), f"for more than {SIZE}")
    questions |= dict.fromkeys(("higher", "higher by less"), "for a difference")
    questions |= {"equivalent": "for equivalence", "not worse": "for not worse"}
    questions["not better"] = "for not better"
    for kind, question in questions.items():
        result = quietly(compare_scores, scores_of(*CASES[kind]), reference="base", margin=MARGIN)
        pair = pair_of(result)
        fields = {"higher by more": "better_by_more", "lower by more": "worse_by_more"}
        field = fields.get(kind, kind.replace(" ", "_"))
        pvalue = getattr(pair.margin_pvalues, field, pair.pvalue_adjusted)
        text = " ".join(str(result).split())
        written = re.search(rf"adjusted p (?:= )?([^ ]+|< 0.0001) {question}\)", text)
        assert written, (kind, text)
        if written[1][0].isdigit():
            assert float(written[1]) == pytest.approx(pvalue, abs=6e-4)  # simulated
    without = str(quietly(compare_scores, scores_of(0.04, 0.01), reference="base"))
    assert not re.search(r"adjusted p [^)]* for ", without)


def test_asymmetric_bounds_are_those_of_the_pair():
    result = quietly(compare_scores, scores_of(0.04, 0.01), margin=(-0.0123, 0.3))
    pair = pair_of(result)
    assert (pair.estimator, pair.outcome) == ("new", "higher by more")
    assert "new is better than base in accuracy by more than 0.0123" in str(pair)
    two = quietly(compare_scores, scores_of(0.04, 0.01, 2), margin=(-0.0123, 0.3))
    report = " ".join(str(evaluation_report(two)).split())
    assert ", better > 0.999 [1]" in report
    said = "Differences between -0.0123 and 0.3, of an earlier estimator minus a later one, do not"
    assert said in report


def test_the_report_says_why_the_best_set_leaves_out_what_does_not_differ():
    seen = set()
    for seed in (3, 4, 7):
        values = 0.7 + 0.02 * np.arange(3)[:, None]
        values = values + 0.03 * np.random.default_rng(seed).normal(size=(3, 15))
        scores = CVScores(values=values, design=DESIGN, labels=tuple("abc"), metric="accuracy")
        result = compare_scores(scores)
        best, *others = result.ranking()["estimator"]
        pvalues = {pair.versus: pair.pvalue_adjusted for pair in result if pair.estimator == best}
        puzzling = [it for it in others if it not in result.best_set() and pvalues[it] > 0.05]
        said = f"could not be the best, though not significantly different from {best}: "
        assert (said in section(evaluation_report(result), "Ranking")) == bool(puzzling)
        seen.add(bool(puzzling))
    assert seen == {True, False}


def test_every_kind_of_claim_has_words():
    for kind in KINDS:
        for margin in (None, (-0.01, 0.02)):
            if margin is None and "margin" in KINDS[kind].legend:
                continue
            if margin is None and kind in ("equivalent", "not worse", "not better"):
                continue
            for text in words_of(kind, ("{first}", "b"), "auc", margin):
                assert text
                assert "{" not in text.replace("{first}", "")
