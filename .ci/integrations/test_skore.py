"""The recipe for skore's checks, and its comparison reports."""

import pytest
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB

from skcvstats import RepeatedSubsampleSplit, compare_scores

pytest.importorskip("skore")


def test_recipe(run):
    names = run("skore_check.py")
    tips = names["summary"].frame(section="tip").set_index("code")["explanation"]
    assert tips["CVS001"].startswith(
        "No significant difference between this model and the baseline"
    )

    # the other way round it is shown against a model that guesses
    from skore import evaluate

    guess = evaluate(DummyClassifier(), names["X"], names["y"], splitter=names["cv"])
    check = names["NotBetterThanBaseline"](guess, "accuracy")
    assert check.check_function(names["report"]) is None
    names["report"].checks.remove("CVS001")
    names["report"].checks.add([check])
    passed = names["report"].checks.summarize(fast_mode=True).frame(section="passed")
    assert "CVS001" in set(passed["code"])


@pytest.mark.filterwarnings("ignore::skcvstats.exceptions.SplitDesignWarning")
def test_a_comparison_report_is_compared():
    from skore import compare, evaluate

    X, y = make_classification(120, 5, random_state=0)
    cv = RepeatedSubsampleSplit(10, random_state=0)
    models = {"bayes": GaussianNB(), "guess": DummyClassifier()}
    reports = {name: evaluate(model, X, y, splitter=cv) for name, model in models.items()}
    result = compare_scores(compare(reports), metric="accuracy")
    for name, model in models.items():
        expected = cross_val_score(model, X, y, cv=cv)
        assert result.scores[name].tolist() == pytest.approx(expected.tolist())
