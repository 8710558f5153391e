"""What is said of scores: losses as people read them, verdicts with their margins, caveats."""

import json
import re

import numpy as np
import pytest
from sklearn import model_selection as ms
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.naive_bayes import GaussianNB

import skcvstats as s
from skcvstats.plotting import RankingDisplay
from skcvstats.stats import KINDS, row_ttest, words_of
from tests.cheap import NearestMean
from tests.comparison.made import codes
from tests.data import breast_cancer, classification, iris

from .cases import joined, quietly, section

DESIGN = s.SplitDesign.from_sizes(90, 10, n_splits=15)
RMSE = "neg_root_mean_squared_error"
NOISE = np.random.default_rng(0).normal(0, 0.1, (3, 15))
NOISE -= NOISE.mean(axis=1, keepdims=True)
MEANS = {"good": 50.0, "poor": 52.5, "worst": 60.0}


def compared(names, metric=RMSE, **options):
    values = -np.array([[MEANS[name]] for name in names]) - NOISE[: len(names)]
    scores = s.CVScores(values=values, design=DESIGN, metric=metric, labels=tuple(names))
    return quietly(s.compare_scores, scores, method="corrected_resampled_t", **options)


def test_two_models():
    result = compared(["poor", "good"])
    said = joined(result)
    assert "good has a significantly lower RMSE than poor at the 5 % level." in said
    assert "good poor difference" in said
    assert "50.0 52.5 2.50" in said
    assert "Lower is better; a positive difference favours the first." in said
    assert "(poor - good = 2.5," in result[0].verdict()
    for text in (said, joined(s.evaluation_report(result)).replace(f"scoring: {RMSE}", "")):
        assert "-5" not in text
        assert RMSE not in text
    assert re.search(r"good +& poor & 50\.\d+ & 52\.\d+ & 2\.\d+ .*better", result.to_latex())
    row = result.to_frame().iloc[0]
    assert (row["metric"], result[0].outcome) == (RMSE, "higher")
    assert row["score"] == pytest.approx(-50)
    assert row["difference"] == pytest.approx(2.5)
    assert json.loads(result.to_json())
    assert '"neg_root_mean_squared_error"' in result.to_json()


def test_many_models():
    result = compared(list(MEANS), reference="poor")
    said = joined(result)
    assert said.startswith(
        "RMSE against poor (lower is better): good is better; worst is worse (95"
    )
    assert "good 50.0 " in said
    assert " 2.50 " in said.split(" good 50.0")[1].split(" poor 52.5")[0]
    assert " -7.50 " in said.split(" worst 60.0")[1]
    low, high = result.ranking()[["low", "high"]].to_numpy()[0]
    assert f"{-high:.1f} to {-low:.1f}" in said
    ticks = RankingDisplay.from_result(result).plot().ax_.xaxis
    assert ticks.get_major_formatter()(-50.0) == "50"


@pytest.mark.parametrize(("alternative", "said"), [("two-sided", "two-sided"), ("greater", "less")])
def test_a_null_value_is_a_loss_too(alternative, said):
    scores = s.CVScores(values=-50 - NOISE[0], design=DESIGN, metric=RMSE)
    test = s.CorrectedResampledTTest(null_value=-55.0, alternative=alternative)(scores)
    assert f"{said}, against 55" in joined(test)
    assert f"t(14) = {-test.statistic:.3g}" in joined(test)
    assert "is significantly below 55 at" in test.claim(0.05).words
    assert "estimated as 50 (" in joined(test)


@pytest.mark.parametrize(("metric", "shown", "sign"), [
    ("neg_mean_absolute_error", "MAE", -1), ("neg_log_loss", "log loss", -1),
    ("neg_brier_score", "Brier score", -1), ("neg_cost", "cost", -1), ("rmse", "rmse", -1),
    ("r2", "R2", 1), ("roc_auc", "ROC AUC", 1), ("my score", "my score", 1),
])  # fmt: skip
def test_names(metric, shown, sign):
    scores = s.CVScores(values=-0.5 - NOISE[0] / 100, design=DESIGN, metric=metric)
    found = joined(quietly(s.CorrectedResampledTTest(), scores))
    assert f"The expected {shown} of estimator is estimated as {sign * -0.5:g} (" in found


def test_several_metrics_say_which_are_losses():
    parts = [compared(["good", "poor"], metric).scores for metric in (RMSE, "gain")]
    both = {RMSE: parts[0], "gain": parts[1]}
    result = quietly(s.compare_scores, both, method="corrected_resampled_t")
    assert "Greater is better, except for RMSE (lower is better)" in joined(result)


SIZE = "0.0123"
MARGIN = float(SIZE)


def scores_of(difference, spread, n_models=3):
    """Return scores of a base and of two models, with exact mean differences from it."""
    noise = np.random.default_rng(3).normal(0, spread, (2, 15))
    noise -= noise.mean(axis=1, keepdims=True)
    base = np.random.default_rng(9).uniform(0.4, 0.6, 15)
    values = np.vstack([base, base + difference + noise[0], base + 0.3 + noise[1]])
    labels = ("base", "new", "other")[:n_models]
    return s.CVScores(values=values[:n_models], design=DESIGN, labels=labels, metric="accuracy")


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
    result = quietly(s.compare_scores, scores_of(*CASES[kind]), reference="base", margin=MARGIN)
    pair = pair_of(result)
    assert pair.outcome == kind
    assert SIZE in pair.claim.words
    assert SIZE in pair.verdict()
    answer = re.search(r"against base: (.*?) \(95 % confidence\)", joined(result))
    assert answer[1].count(SIZE) == len({each.outcome for each in result})
    report = s.evaluation_report(result)
    (row,) = re.findall(r"^\| new +\| base .*\|$", report.to_markdown(), re.M)
    shown = row.strip("| ").split(" | ")[-1].strip()
    assert (shown == r"\-") if kind == "not significant" else (SIZE in shown)
    verdict = {"higher": "better", "lower": "worse", "not significant": "undecided"}
    words = re.sub("^(higher|lower)", lambda side: verdict[side[0]], verdict.get(kind, kind))
    (line,) = (line for line in str(result).splitlines() if line.startswith("new  "))
    assert line.endswith(f"  {words}")
    said = words_of(pair.claim.kind, ("new", "base"), "accuracy", pair.margin)
    assert said.long.casefold() in pair.claim.words.casefold()
    assert re.search(rf"against base: .*{re.escape(said.short)}", joined(result))


@pytest.mark.parametrize("kind", CASES)
def test_two_models_with_a_margin(kind):
    options = {"reference": "base"} if kind.startswith("higher") else {}
    result = quietly(s.compare_scores, scores_of(*CASES[kind], 2), margin=MARGIN, **options)
    report = s.evaluation_report(result)
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
    result = quietly(s.compare_scores, scores, **options)
    assert SIZE in pair_of(result).claim.words
    assert SIZE in joined(result).split("(95 % confidence)")[0]


def test_the_p_of_a_verdict_is_said_with_its_question():
    questions = dict.fromkeys(("higher by more", "lower by more"), f" for more than {SIZE}")
    questions |= dict.fromkeys(("higher", "higher by less"), "")
    questions |= {"equivalent": " for equivalence", "not worse": " for not worse"}
    questions["not better"] = " for not better"
    for kind, question in questions.items():
        result = quietly(s.compare_scores, scores_of(*CASES[kind]), reference="base", margin=MARGIN)
        pair = pair_of(result)
        assert re.search(rf"adjusted p .*{question}\)", pair.verdict()), (kind, pair.verdict())
    without = str(quietly(s.compare_scores, scores_of(0.04, 0.01), reference="base"))
    assert " for " not in without


def test_asymmetric_bounds_are_those_of_the_pair():
    result = quietly(s.compare_scores, scores_of(0.04, 0.01), margin=(-0.0123, 0.3))
    pair = pair_of(result)
    assert (pair.estimator, pair.outcome) == ("new", "higher by more")
    assert "new is better than base in accuracy by more than 0.0123" in str(pair)
    two = quietly(s.compare_scores, scores_of(0.04, 0.01, 2), margin=(-0.0123, 0.3))
    report = joined(s.evaluation_report(two))
    assert ", better > 0.999 [1]" in report
    said = "Differences between -0.0123 and 0.3, of an earlier estimator minus a later one, do not"
    assert said in report


def test_the_report_says_why_the_best_set_leaves_out_what_does_not_differ():
    seen = set()
    for seed in (3, 4, 7):
        values = 0.7 + 0.02 * np.arange(3)[:, None]
        values = values + 0.03 * np.random.default_rng(seed).normal(size=(3, 15))
        scores = s.CVScores(values=values, design=DESIGN, labels=tuple("abc"), metric="accuracy")
        result = s.compare_scores(scores)
        best, *others = result.ranking()["estimator"]
        pvalues = {pair.versus: pair.pvalue_adjusted for pair in result if pair.estimator == best}
        puzzling = [it for it in others if it not in result.best_set() and pvalues[it] > 0.05]
        said = f"could not be the best, though not significantly different from {best}: "
        assert (said in section(s.evaluation_report(result), "Ranking")) == bool(puzzling)
        seen.add(bool(puzzling))
    assert seen == {True, False}


def test_every_kind_of_claim_has_words():
    for kind in KINDS:
        for margin in (None, (-0.01, 0.02)):
            if margin is None and "margin" in KINDS[kind].legend:
                continue
            if margin is None and kind in ("equivalent", "not worse", "not better"):
                continue
            of_both = [words_of(kind, ("{first}", "b"), it, margin) for it in ("auc", "rmse")]
            for text in (text for words in of_both for text in (words.short, words.long)):
                assert text
                assert "{" not in text.replace("{first}", "")


X, Y = breast_cancer()
MODELS = {"bayes": GaussianNB(), "bayes 2": GaussianNB(var_smoothing=1e-8)}
REPEATED = ms.RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)


class TestFewRowsTell:
    def rows(self, n_apart, size=1.0, n_rows=100):
        scores = np.zeros((4, n_rows))
        scores[:, np.arange(n_apart) * 9 % n_rows] = size
        return row_ttest(scores, n_folds=5)

    @pytest.mark.parametrize(("n_apart", "size", "is_noted"), [(4, 1.7, True), (40, 1.7, False)])
    def test_of_losses(self, n_apart, size, is_noted):
        (*texts,) = (note.text for note in self.rows(n_apart, size).notes)
        said = "a few rows dominate the variance"
        assert any(text.startswith(said) for text in texts) == is_noted
        assert not any("a fifth" in text for text in texts)

    @pytest.mark.parametrize("size", [1, -1])
    def test_nothing_where_rows_are_right_or_wrong(self, size):
        assert "few rows tell" not in codes(self.rows(4, size))

    def test_of_metrics(self):
        """The answer counts the rows on which accuracies differ; log loss has no bound."""
        models = {"bayes": GaussianNB(), "linear": LinearDiscriminantAnalysis()}
        how = {"scoring": ["accuracy", "neg_log_loss"], "cv": REPEATED}
        result = s.compare_estimators(models, *iris(), **how)
        rows = result.scores_by_metric["accuracy"].row_scores
        n_apart = len(np.unique(rows.rows[rows.values[0] != rows.values[1]]))
        assert 0 < n_apart <= 20
        assert f"; the models disagree on {n_apart} of 150 rows." in joined(result)
        assert joined(result).count("disagree") == 1
        assert "few rows tell" not in codes(result["accuracy"])
        assert "few rows tell" in codes(result["neg_log_loss"])
        said = f"the models disagree on {n_apart} of 150 rows."
        assert said in joined(s.evaluation_report(result["accuracy"]))
        assert "few rows tell" not in codes(s.cross_val_inference(GaussianNB(), X, Y, cv=5))
        brier = s.compare_estimators(MODELS, X, Y, scoring="neg_brier_score", cv=5)
        assert "few rows tell" not in codes(brier)  # at most 1

    def test_of_test_sets(self):
        """Also of losses that are 0 or 1; not where rows are weighted, or count by groups."""
        y = np.arange(200) % 2
        numbers = np.arange(200)
        made = {"a": np.where(numbers < 4, 1 - y, y), "b": np.where(numbers > 197, 1 - y, y)}
        losses = {name: (of != y) * 1.0 for name, of in made.items()}
        said = "; the models disagree on 6 of 200 rows."
        for method in ("auto", "mcnemar"):
            assert said in joined(s.compare_predictions(y, made, scoring="accuracy", method=method))
        assert said in joined(s.compare_losses(losses))
        more = {"groups": np.arange(200) // 4}, {"sample_weight": 1.0 + y}
        for how in more:
            assert "disagree" not in str(s.compare_losses(losses, **how))
        twice = {name: 2 * of for name, of in losses.items()}
        assert "disagree" not in str(s.compare_losses(twice))

    def test_many_rows_apart_are_not_counted(self):
        pair = {"mean": NearestMean(1), "bayes": GaussianNB()}
        assert "disagree" not in str(s.compare_estimators(pair, X, Y, cv=5))


def two_metrics(first, second):
    """Return scores of two models, the second metric as if measured on other rows."""
    noise = np.random.default_rng(0).normal(0, 0.02, size=(4, 15))
    rows = [*enumerate(zip("fs", (first, second), strict=True))]
    known = {"design": DESIGN, "labels": ("logistic", "forest")}
    values = [np.stack([0.8 + gap + noise[2 * k], 0.8 + noise[2 * k + 1]]) for k, (_, gap) in rows]
    return {name: s.CVScores(values=values[k], metric=name, **known) for k, (name, _) in rows}


class TestOneDirection:
    def test_a_column_says_who_is_higher_where_rows_differ(self):
        result = s.compare_scores(two_metrics(0.05, -0.05))
        lines = str(result).split("\n\n")[1].splitlines()
        (head,) = (line.split() for line in lines if line.startswith("metric"))
        rows = {line.split()[0]: line.split() for line in lines if line[:2] in ("f ", "s ")}
        at = head.index("higher")
        assert (rows["f"][at], rows["s"][at]) == ("logistic", "forest")
        for name, row in rows.items():
            first, second = map(float, row[1:3])
            assert float(row[3]) == pytest.approx(abs(first - second), abs=2e-3), name

    def test_not_where_they_have_one_direction(self):
        assert "higher  " not in str(s.compare_scores(two_metrics(0.05, 0.05))).split("\n\n")[1]
        reference = s.compare_scores(two_metrics(0.05, -0.05), reference="forest")
        table = str(reference).split("\n\n")[1]
        assert "higher" not in table
        assert "  -0.0" in table


class TestCaveats:
    """The notes that decide how a result is read come before all others."""

    def header(self, result):
        """Return the lines below the last table."""
        return joined(str(result).rsplit("\n\n", 1)[1])

    def test_survivors_of_a_halving_search(self):
        data, target = classification(300)
        how = {"min_resources": 60, "max_resources": 120, "factor": 2, "random_state": 0}
        grid = {"n_columns": [1, 2, 3, 4]}
        search = ms.HalvingGridSearchCV(NearestMean(), grid, cv=ms.KFold(5), **how)
        search.fit(data, target)
        result = quietly(s.compare_candidates, search, data, target)
        n = len(result.names)
        assert n < 4
        said = self.header(result)
        assert f"{n} of 4 candidates are compared" in said
        assert "Candidates that the search dropped earlier are not considered." in said
        if all(result.ranking()["could_be_best"]):
            said = joined(result)
            assert f"of the {n} candidates of the last iteration could be the best" in said
        assert str(result).count("surviving candidates") == 1  # the code
        assert "surviving candidates" in codes(result)

    def test_those_that_left_a_race(self):
        data, target = classification(300)
        grid = {"n_columns": [1, 2, 3, 4, 5]}
        race = s.RacingSearchCV(NearestMean(), grid, random_state=0, min_splits=5, rule="screen")
        race.fit(data, target)
        n_left = int((race.cv_results_["dropped_after"] == 0).sum())
        assert 1 < n_left < 5
        result = quietly(s.compare_candidates, race)
        said = self.header(result)
        assert f"{n_left} of 5 candidates are compared" in said
        assert "Candidates that left the race are not considered." in said

    def test_groups_that_are_torn_or_few(self):
        groups = np.arange(569) // 40
        folds = ms.KFold(5, shuffle=True, random_state=0)
        torn = quietly(s.compare_estimators, MODELS, X, Y, groups=groups, cv=folds)
        said = "Groups are split across training and test, so the scores are too good."
        assert said in self.header(torn)
        assert str(torn).count("groups split across training and test") == 1  # not a warning too
        few = quietly(s.compare_estimators, MODELS, X, Y, groups=groups)
        said = "Only 15 groups: the variance between them is poorly estimated."
        assert said in self.header(few)
        assert str(few).count("few groups") == 1  # the code
        one = quietly(s.cross_val_inference, GaussianNB(), X, Y, groups=groups)
        assert joined(one).count(said) == 1
        curve = quietly(s.learning_curve_inference, {"bayes": GaussianNB()}, X, Y, groups=groups)
        assert joined(curve).count(said) == 1
        labels = {"a": Y, "b": np.roll(Y, 1)}
        how = {"scoring": "accuracy", "groups": np.arange(569) % 6}
        few = quietly(s.compare_predictions, Y, labels, **how)
        assert "Only 6 groups: the variance" in self.header(few)
        many = s.compare_estimators(MODELS, X, Y, groups=np.arange(569) // 5, cv=ms.GroupKFold(5))
        assert "variance between" not in self.header(many)


def test_who_could_be_best_is_explained_where_it_is_not_in_the_order_of_scores():
    rng = np.random.default_rng(0)
    base = rng.normal(0, 0.02, 15)
    steady, shaky = rng.normal(0, 0.002, 15), rng.normal(0, 0.03, 15)
    shaky -= shaky.mean()
    scores = {"a": 0.97 + base, "b": 0.96 + base + steady, "c": 0.951 + base.mean() + shaky}
    result = s.compare_scores(scores, design=DESIGN, metric="accuracy")
    assert result.ranking()["estimator"].tolist() == ["a", "b", "c"]
    assert set(result.best_set()) == {"a", "c"}
    said = "b could not be the best, though c with a worse score could: it also depends on how"
    assert joined(result).count(said) == 1
    assert joined(s.evaluation_report(result)).count(said) == 1
    usual = s.compare_scores(scores | {"c": 0.9 + base + steady[::-1]}, design=DESIGN, metric="x")
    assert "with a worse score could" not in str(usual)


def test_a_positive_difference_is_explained_where_there_is_one():
    result = compared(["good", "poor", "worst"], reference="poor")
    assert "Lower is better; a positive difference favours the model of its row." in joined(result)
    report = s.evaluation_report(result).to_markdown()
    differences = report.partition("## Differences")[2].partition("\n## ")[0]
    assert "Lower is better; a positive difference favours the first." in differences
    result = compared(["good", "poor"], "accuracy", reference="poor")
    assert "positive difference" not in joined(result)
