"""What a comparison prints: the answer first, bounded; what is asked for again computes nothing."""

import re
from collections import Counter
from dataclasses import dataclass, field, replace

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from scipy import stats

from skcvstats import CorrectedResampledTTest, FiveByTwoCVFTest, compare_scores, evaluation_report
from skcvstats.stats import Claim, CVTestResult

from .made import DESIGN, FACTOR, HALVES, rising, scores_of, shifted, squeezed


def test_two_estimators_are_one_sentence_and_one_row():
    scores = rising(2, names=("model 0", "model 1"))
    d = scores.values[1] - scores.values[0]  # the better minus the worse
    error = np.sqrt(FACTOR * d.var(ddof=1))
    half = stats.t.ppf(0.975, 14) * error
    p = 2 * stats.t.sf(abs(d.mean() / error), 14)
    assert p < 0.05
    worse, better = scores.values.mean(axis=1)
    assert str(compare_scores(scores)).splitlines() == [
        "model 1 scores significantly higher than model 0 in accuracy at the 5 % level.",
        "",
        "model 1  model 0  difference     95 % interval  p-value",
        f"  {better:.3f}    {worse:.3f}      {d.mean():.4f}  "
        f"{d.mean() - half:#.3g} to {d.mean() + half:#.3g}  {p:.3g}",
        "",
        "Paired test over 15 splits (corrected resampled t-test, 90 training rows).",
    ]


def test_four_models_are_a_table_of_what_each_is_behind():
    scores = rising(4, gap=0.1)
    result = compare_scores(scores)
    means = scores.values.mean(axis=1)
    errors = np.sqrt(FACTOR * scores.values.var(axis=1, ddof=1))
    half = stats.t.ppf(0.975, 14) * errors
    lines = str(result).splitlines()
    best = result.best_set()
    assert len(best) == 2
    said = f"accuracy: {best[0]} or {best[1]} could be the best; the other 2 are not (95 %"
    assert lines[0].startswith(said)
    assert squeezed(lines[2]) == "score 95 % interval behind 95 % interval adj. p best?"
    order = np.argsort(-means)
    pairs = {pair.versus: pair for pair in result if pair.estimator == scores.labels[order[0]]}
    for line, k in zip(lines[3:7], order, strict=True):
        name = scores.labels[k]
        interval = f"{means[k] - half[k]:.3f} to {means[k] + half[k]:.3f}"
        assert line.startswith(f"{name}  {means[k]:.3f}  {interval}  ")
        assert line.endswith("yes" if name in best else "no")
        if k == order[0]:
            assert line.split()[-2:] == [f"{means[k] + half[k]:.3f}", "yes"]
            continue
        difference = scores.values[order[0]] - scores.values[k]
        low, high = pairs[name].confidence_interval()
        assert f"  {difference.mean():.4f}  " in line
        assert f"  {low:.4f} to {high:.4f}  " in line
        pvalue = line.split()[-2]
        if pvalue != "<0.0001":
            error = pairs[name].pvalue_error
            assert float(pvalue) == pytest.approx(pairs[name].pvalue_adjusted, rel=0.06, abs=error)
    assert lines[7:] == [
        "",
        "Paired test over 15 splits (corrected resampled t-test, 90 training rows);",
        "6 comparisons, adjusted (max-t).",
    ]
    assert "could be" not in str(result.with_confidence(0.5))  # a level without a best set


@pytest.mark.parametrize(
    ("n_estimators", "length", "gap"),
    [(3, 300, 0.0), (10, 8, 0.0), (12, 60, 3.0), (16, 8, 0.0), (16, 300, 3.0)],
)
def test_the_text_is_bounded(n_estimators, length, gap):
    names = tuple(f"{k} ".ljust(length, "x") for k in range(n_estimators))
    result = compare_scores(rising(n_estimators, gap=gap, names=names), adjustment="bonferroni")
    lines = str(result).splitlines()
    assert max(map(len, lines)) <= 88
    assert len(lines) <= (18 if length == 8 and n_estimators == 10 else 24)
    if n_estimators > 12:
        n_best = max(len(result.best_set()) - 12, 0) or "none"
        best = f"{n_best} of which could be best"
        assert f"and {n_estimators - 12} more, {best} (result.ranking())" in lines
    assert repr(result) == str(result)


def test_several_metrics_have_a_block_each():
    metrics = {name: rising(3, seed=k, metric=name) for k, name in enumerate(("auc", "f1"))}
    text = str(compare_scores(metrics))
    for said in (
        "3 comparisons in each of 2 metrics, ",
        "p is not adjusted for the 2 metrics; auc",
    ):
        assert squeezed(text).count(said) == 1
    assert text.count("best?") == 2
    assert text.count("Paired test") == 1
    text = "\n" + text
    assert "\nauc: " in text
    assert "\nF1: " in text
    pair = {name: rising(2, seed=k, metric=name) for k, name in enumerate(("auc", "f1"))}
    lines = str(compare_scores(pair)).splitlines()
    rows = [line.split()[0] for line in lines if re.match(r"(auc|F1) +\d", line)]
    assert rows == ["auc", "F1"]
    for text in (*lines, compare_scores(pair)._repr_html_()):
        assert "best" not in text


def test_differences_from_a_reference_are_counted():
    scores = rising(4, gap=0.12)
    result = compare_scores(scores, reference="m1")
    kinds = {pair.estimator: pair.outcome for pair in result}
    said = str(result).splitlines()[0]
    assert said.startswith("accuracy against m1: ")
    words = {"higher": "higher", "lower": "lower", "not significant": "not significantly different"}
    assert len(set(kinds.values())) >= 2
    for kind in set(kinds.values()):
        names = [name for name in kinds if kinds[name] == kind]
        are = f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'} {words[kind]}"
        assert are in squeezed(result)
    assert "best" not in str(result)
    rows = {line.split()[0]: line for line in str(result).splitlines() if line[:1] == "m"}
    assert rows["m1"].split() == rows["m1"].split()[:5]  # nothing but its score
    for pair in result:
        low, high = pair.confidence_interval()
        assert f"  {pair.test.estimate:.4f}  " in rows[pair.estimator]
        assert f"  {low:.4f} to {high:.4f}  " in rows[pair.estimator]
    many = compare_scores(rising(8, gap=0.12), reference="m1")
    assert re.match(r"accuracy against m1: \d are \w+; \d ", str(many))


def test_nothing_shown_is_no_proof_of_equality():
    text = squeezed(compare_scores(rising(4, gap=0)))
    assert text.startswith("accuracy: any of the 4 models could be the best (95 % confidence).")
    assert "No significant difference between" in squeezed(compare_scores(rising(2, gap=0)))


def test_each_metric_of_two_estimators_has_the_p_of_what_its_margin_shows():
    metrics = {"auc": shifted([0.0], metric="auc"), "f1": shifted([0.04], 0.08, metric="f1")}
    result = compare_scores(metrics, margin=0.05)
    assert [pair.outcome for pair in result] == ["equivalent", "not worse"]
    rows = result._repr_html_().split("<tr>")[1:]
    head, auc, f1 = (re.findall(r"<t[hd]>(.*?)</t[hd]>", row) for row in rows)
    assert head[-3:] == ["p difference", "p equivalence", "p not worse"]
    assert auc[-2:] == ["&lt; 0.0001", "-"]
    assert f1[-2:] == ["-", f"{result[1].margin_pvalues.not_worse:.3g}"]


def test_nobody_is_better_for_being_above_another_null_value():
    test = CorrectedResampledTTest(null_value=-0.05, alternative="greater")
    result = compare_scores(shifted([-0.02, 0.0, -0.2]), method=test, reference="base")
    assert [pair.outcome for pair in result] == ["higher", "higher", "not significant"]
    text = squeezed(result)
    said = "m1 and m0 are significantly above -0.05; m2 is not significantly above -0.05 (95 %"
    assert f"accuracy against base: {said}" in text
    assert "higher" not in text
    assert "equality" not in text


def test_what_a_margin_leaves_open_is_said_with_the_margin():
    scores = shifted([0.0, 0.0, 0.0], spread=0.05)
    text = squeezed(compare_scores(scores, margin=0.01))
    assert text.count(" undecided") == 3  # of those behind the first
    text = squeezed(compare_scores(scores, margin=0.01, reference="base", alternative="less"))
    assert text.count(" undecided") == 3
    assert "are possibly better by more than 0.01 (95 % confidence)" in text
    many = squeezed(compare_scores(shifted([0.0] * 3), margin=0.1))
    assert many.count(" equivalent") == 3
    metrics = {name: shifted([0.0] * 2, metric=name) for name in ("auc", "f1")}
    text = squeezed(compare_scores(metrics, margin=0.001))
    for metric in ("auc", "F1"):
        assert f"Equivalence in {metric} could hardly be shown in 3 of 3 comparisons. [" in text


def test_undetermined_pairs_are_named_once():
    long = "a model whose name has 30 chars"
    scores = rising(3, names=(f"{long} 1", f"{long} 2", "c"))
    values = scores.values.copy()
    values[1] = values[0]
    with pytest.warns(match="do not vary"):
        three = squeezed(compare_scores(scores_of(values, scores.labels)))
    with pytest.warns(match="do not vary"):
        two = str(compare_scores(scores_of(values[:2], "ab")))
    assert f"{long} 1 - {long} 2." in three
    assert two.lower().count("undetermined") == 1


def test_an_end_is_not_rounded_to_the_margin():
    high = compare_scores(shifted([0.0]))[0].margin_interval().high
    margin = high * (1 - 1e-4)
    assert float(f"{high:.3g}") < margin
    (pair,) = result = compare_scores(shifted([0.0]), margin=(-0.1, margin))
    assert pair.outcome == "not worse"
    row = next(line for line in str(result).splitlines() if line.count(" to ") == 1)
    last = float(row.split(" to ")[1].split()[0])
    assert margin < last < high * (1 + 1e-4)
    assert f"to {last:.7g}," in str(pair)


def test_no_interval_is_spoken_of_where_there_is_none():
    values = np.random.default_rng(0).uniform(0.6, 0.9, (3, 10))
    scores = replace(scores_of(values), design=HALVES)
    for adjustment in ("auto", "none"):
        result = compare_scores(scores, method="five_by_two_cv_f", adjustment=adjustment)
        assert "interval" not in str(result)


def test_a_table_that_is_too_wide_goes_on_below():
    names = ("gradient boosting, tuned", "logistic regression, old")
    gaps = {"balanced_accuracy": (0.004, 0.01), "explained_variance_of_flights": (-0.02, 0.02)}
    metrics = {
        metric: shifted([gap], spread, names=names, metric=metric)
        for metric, (gap, spread) in gaps.items()
    }
    result = compare_scores(metrics, margin=0.012)
    lines = str(result).splitlines()
    assert max(map(len, lines)) <= 88
    heads = [line for line in lines if line.startswith("metric")]
    assert len(heads) == 3
    (head,) = (head for head in heads if "p difference" in head)
    below = lines[lines.index(head) + 1 :][:2]
    for line, metric, p in zip(below, metrics, result.to_frame(full=True)["pvalue"], strict=True):
        assert line.startswith(metric[:8])
        assert f"{p:.3g}" in line.split()


def test_a_table_to_paste_has_its_numbers_with_the_same_decimals():
    how = {"gap": 0.03, "names": ("a_b", "b|c", "d")}
    result = compare_scores({name: rising(3, **how, metric=name) for name in ("auc", "f1")})
    frame, lines = result.to_frame(full=True), result.to_latex().splitlines()
    assert lines[:2] == [r"\begin{tabular}{lllrrrrrrl}", r"\toprule"]
    assert lines[-2:] == [r"\bottomrule", r"\end{tabular}"]
    pasted = [line.removesuffix(r" \\").split(" & ") for line in lines[4:-2]]
    written = result.to_markdown().splitlines()
    assert len({*map(len, written)}) == 1
    for row, line, found in zip(pasted, written[2:], frame.itertuples(), strict=True):
        shown = {"f1": "F1", "auc": "auc"}[found.metric]
        assert [cell.strip() for cell in line.split("|")[1:2]] == [shown]
        assert row[1] == found.estimator.replace("_", r"\_").replace("|", r"\textbar{}")
        numbers = [row[3].replace("$", ""), *(cell.replace("$", "") for cell in row[4:8])]
        assert len({len(number.partition(".")[2]) for number in numbers}) == 1
        expected = [found.score, found.score_versus, found.difference, found.low, found.high]
        half = 0.5 * 10 ** -len(numbers[0].partition(".")[2])
        assert [*map(float, numbers)] == pytest.approx(expected, abs=1.01 * half)
        assert half < found.standard_error / 10  # at least two of its digits
        assert row[-1] == result[found.Index].outcome
    assert lines[2].count(r"& 95 \% low &") == 1
    holm = compare_scores(rising(3), adjustment="holm")
    assert "| unadjusted 95 % low | unadjusted 95 % high | adjusted p |" in holm.to_markdown()


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("pvalue", r"result\[0\]\.test\.pvalue"), ("summary", "print.*evaluation_report"),
        ("to_html", r"evaluation_report\(result\)\.to_html"), ("nothing", "no attribute 'nothing'"),
    ],
)  # fmt: skip
def test_what_is_looked_for_in_a_result(name, where):
    result = compare_scores(rising(3))
    with pytest.raises(AttributeError, match=where):
        getattr(result, name)
    assert not hasattr(result, name)


mpl.use("Agg")


@dataclass(frozen=True, kw_only=True)
class Counted:
    """Count the sets of scores that a procedure was asked about."""

    asked: Counter = field(default_factory=Counter, compare=False, repr=False)

    def infer(self, sample, auxiliary=None, **options):
        self.asked["pairs" if sample.scores.paired else "scores"] += 1
        return super().infer(sample, auxiliary, **options)


@dataclass(frozen=True, kw_only=True)
class CountedT(Counted, CorrectedResampledTTest):
    def pivot(self, sample, auxiliary=None):
        self.asked["pivot"] += 1
        return super().pivot(sample, auxiliary)


@dataclass(frozen=True, kw_only=True)
class CountedF(Counted, FiveByTwoCVFTest):
    pass


def shuffled(n_estimators, *, design=DESIGN, gap=0.03, metric="accuracy"):
    random_state = np.random.RandomState(0)
    values = 0.6 + gap * random_state.permutation(n_estimators)[:, None] / n_estimators
    values = values + 0.03 * random_state.normal(size=(n_estimators, design.n_splits))
    return replace(scores_of(values, metric=metric), design=design)


def ask(result):
    """Ask for all that a result says, at its level and at another one."""
    for at_level in (result, result.with_confidence(0.9)):
        str(at_level)
        at_level.to_frame(full=True)
        for metric in at_level.metrics:
            at_level[metric].ranking()
            if isinstance(at_level[metric].tests[0], CVTestResult):
                at_level[metric].best_set()
        report = evaluation_report(at_level)
        report.to_markdown()
        report.to_frame(full=True)


def draw(result):
    for kind in ("ranking", "differences", "scores"):
        plt.close(result.plot(kind).figure_)


@pytest.mark.parametrize(
    ("n_estimators", "options"),
    [(2, {"margin": 0.05}), (4, {}), (4, {"reference": "m1", "adjustment": "holm", "margin": 0.1})],
)
def test_each_score_is_tested_once(n_estimators, options):
    procedure = CountedT()
    scores = {metric: shuffled(n_estimators, metric=metric) for metric in ("auc", "f1")}
    result = compare_scores(scores, method=procedure, **options)
    assert procedure.asked["scores"] == 0
    str(result)
    assert procedure.asked["scores"] == (0 if n_estimators == 2 else 2)  # both metrics
    ask(result)
    assert procedure.asked["scores"] == 2
    asked = Counter(procedure.asked)
    ask(result)
    draw(result)
    plt.close(result.tests[0].plot("posterior").figure_)
    str(result["auc"])
    result["f1"].with_confidence(0.8).ranking()
    assert procedure.asked == asked


def test_another_level_tests_nothing_again():
    """All levels have the same draws, for the same tests."""
    procedure = CountedT()
    result = compare_scores(shuffled(4, gap=0.02), method=procedure)
    str(result)
    (tests,) = result.tests_by_metric.values()
    assert len(tests.family.maxima) == 49_999
    assert (procedure.asked["scores"], procedure.asked["pairs"]) == (1, 1)  # also for the best set
    asked = Counter(procedure.asked)
    for level in (0.9, 0.95, 0.99):
        result.best_set(level)
        str(result.with_confidence(level))
    assert procedure.asked == asked


def test_results_without_a_standard_error_are_tested_once_too():
    procedure = CountedF()
    result = compare_scores(shuffled(4, design=HALVES, gap=0.5), method=procedure)
    for again in (str, ask, draw):
        again(result)
        assert procedure.asked == {"scores": 1, "pairs": 1}


@dataclass(frozen=True, eq=False, kw_only=True)
class Cautious(CVTestResult):
    """A result whose claim is another one: only large differences are shown."""

    def claim(self, alpha, pvalue=None):
        claim = super().claim(alpha, pvalue)
        if claim.kind != "undetermined" and abs(self.estimate) < 0.05:
            return Claim("not shown", "Too small")
        return claim


class CautiousT(CorrectedResampledTTest):
    _result_type = Cautious


CASES = {
    "two-sided": {}, "greater": {"alternative": "greater", "reference": "m1"},
    "null value": {"method": CorrectedResampledTTest(null_value=-0.03), "reference": "m1"},
    "margin": {"margin": (-0.03, 0.06)}, "F": {"method": "five_by_two_cv_f"},
    "another claim": {"method": CautiousT()},
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::skcvstats.exceptions.DegenerateScoresWarning")
@pytest.mark.parametrize("case", CASES)
def test_outcomes_of_all_are_those_of_each(case):
    scores = shuffled(8, design=HALVES if case == "F" else DESIGN, gap=0.2)
    values = np.array(scores.values)
    values[3] = values[1]  # their difference does not vary
    result = compare_scores(replace(scores, values=values), adjustment="holm", **CASES[case])
    for level in (0.55, 0.95):
        at_level = result.with_confidence(level)
        (tests,) = at_level.tests_by_metric.values()
        assert tests.kinds.tolist() == [pair.claim.kind for pair in at_level]
    assert {"undetermined", "not shown"} < set(tests.kinds)
