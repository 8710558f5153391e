"""Models on data sets or tasks: the words, and Wilcoxon's signed-rank p as SciPy has it."""

import re

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from skcvstats import ComparisonResult, compare_losses, evaluation_report
from skcvstats.stats import plan_n_rows
from skcvstats.test_set import DataSetsTTest

DRAWN = np.random.default_rng(0)
TABLE = pd.DataFrame(
    (0.8 + DRAWN.normal(0, 0.05, (14, 3)) + [0.03, 0, -0.03]).round(3), columns=["a", "b", "c"]
)
OPTIONS = {"metric": "accuracy", "greater_is_better": True}


def compared(table=TABLE, unit="data sets", **options):
    return compare_losses(table, unit=unit, **OPTIONS, **{"adjustment": "holm", **options})


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_both_p_are_those_of_scipy(alternative):
    result = compared(alternative=alternative, reference="b", adjustment="none")
    frame = result.to_frame(full=True)
    for k, (first, second) in enumerate(zip(frame["estimator"], frame["versus"], strict=True)):
        pair = TABLE[first], TABLE[second]
        of_t = stats.ttest_rel(*pair, alternative=alternative)
        of_ranks = stats.wilcoxon(*pair, alternative=alternative)
        assert frame["pvalue"][k] == pytest.approx(of_t.pvalue, rel=1e-10)
        assert frame["pvalue_wilcoxon"][k] == of_ranks.pvalue
        assert result[k].test.pvalue_wilcoxon == of_ranks.pvalue


@pytest.mark.parametrize("kind", ["ties and zeros", "losses", "runs"])
def test_of_what_the_ranks_are(kind):
    table = TABLE.round(1) if kind == "ties and zeros" else TABLE
    given = {"a": table["a"], "b": table["b"]}
    pair = table["a"], table["b"]
    options = {"unit": "tasks", "metric": "cost"}
    if kind == "runs":
        given = {"a": [table["a"], table["c"]], "b": table["b"]}
        pair = np.mean([table["a"], table["c"]], axis=0), table["b"]
    if kind != "losses":
        options |= {"greater_is_better": True, "metric": "reward"}
    test = compare_losses(given, **options)[0].test
    assert test.pvalue_wilcoxon == pytest.approx(stats.wilcoxon(*pair).pvalue, rel=1e-12)


@pytest.mark.filterwarnings("ignore:a - d")
def test_models_that_never_differ_have_one():
    frame = compared(TABLE.assign(d=TABLE["a"])).to_frame(full=True)
    same = frame[frame["estimator"].isin(["a", "d"]) & frame["versus"].isin(["a", "d"])]
    assert same["pvalue_wilcoxon"].tolist() == [1.0]


def test_dependent_data_sets_have_no_ranks():
    result = compared(groups=np.minimum(np.arange(14), 11))
    assert "pvalue_wilcoxon" not in result.to_frame(full=True)
    assert "14 data sets in 12 groups" in str(result)


@pytest.mark.parametrize(
    ("unit", "plural"),
    [("question", "questions"), ("data set", "data sets"), ("Aufgaben", "Aufgaben")],
)
def test_usual_nouns_are_made_plural(unit, plural):
    assert compared(unit=unit)[0].test.unit == plural


@pytest.mark.parametrize("unit", ["data sets", "queries"])
@pytest.mark.parametrize("names", [["a", "b"], ["a", "b", "c"]])
def test_the_words_follow(unit, names):
    result = compared(TABLE[names], unit)
    texts = [str(result), str(evaluation_report(result))]
    texts += [str(result[0].test), str(plan_n_rows(result.tests[0], difference=0.01))]
    for text in texts:
        text = " ".join(text.replace("[few rows]", "").split())  # a code
        assert not re.search(r"fitted|test rows?|\brows?\b|test set", text), text
        assert unit in text
    assert f"on 14 {unit}" in texts[0]
    p = result.tests[0].pvalue_wilcoxon
    assert f"{p:.3g}" in texts[0].split("signed-rank")[1]


def test_tasks_that_are_passed_or_not():
    passed = {name: DRAWN.random(60) < share for name, share in (("a", 0.95), ("b", 0.9))}
    result = compare_losses(passed, unit="tasks", metric="passed", greater_is_better=True)
    text = " ".join(str(result).split())
    assert re.search(r"the models disagree on \d+ of 60 tasks", text)


def test_it_is_saved():
    result = compared()
    again = ComparisonResult.from_json(result.to_json())
    pd.testing.assert_frame_equal(
        again.to_frame(full=True), result.to_frame(full=True), check_exact=True
    )
    assert str(again) == str(result)
    assert result.to_dict()["accuracy/unit"] == "data sets"
    assert result.tests[0].method == DataSetsTTest.name


def test_of_many_models_some_are_named():
    many = pd.DataFrame(DRAWN.random((12, 6)), columns=list("abcdef"))
    result = compared(many)
    assert len(result.to_frame(full=True)["pvalue_wilcoxon"]) == 15
    assert "and 5 more" in "".join(note.text for note in result.notes)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"unit": 3}, TypeError, "unit=3 must be a noun in the plural"),
        ({"unit": " "}, ValueError, "empty"),
        ({"unit": "a\nb"}, ValueError, "cannot be printed"),
        ({"unit": "tasks", "time": np.arange(14)}, ValueError, "unit='tasks' takes .* Leave out"),
    ],
)
def test_units_that_cannot_be(options, error, message):
    with pytest.raises(error, match=message):
        compared(**options)


def test_dates_in_the_index_are_refused():
    dates = TABLE.set_index(pd.date_range("2024-01-01", periods=14))
    with pytest.raises(ValueError, match="dates of an index"):
        compared(dates)


def test_a_cut_list_of_signed_rank_tests_keeps_each_p_beside_its_pair():
    result = compared(pd.DataFrame(DRAWN.random((12, 4)), columns=list("abcd")))
    line = " ".join(str(result).split("Wilcoxon's")[1].split())
    assert line.endswith(")... [wilcoxon]")
    assert line.count(" - ") == line.count("(p ") > 2
