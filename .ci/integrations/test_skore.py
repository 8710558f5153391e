"""The recipe for skore's checks."""

import pytest

pytest.importorskip("skore")


def test_recipe(run):
    names = run("skore_check.py")
    tips = names["summary"].frame(section="tip").set_index("code")["explanation"]
    assert tips["CVS001"].startswith(
        "No significant difference between this model and the baseline"
    )

    # the other way round it is shown against a model that guesses
    from sklearn.dummy import DummyClassifier
    from skore import evaluate

    guess = evaluate(DummyClassifier(), names["X"], names["y"], splitter=names["cv"])
    check = names["NotShownToBeatBaseline"](guess, "accuracy")
    assert check.check_function(names["report"]) is None
    names["report"].checks.remove("CVS001")
    names["report"].checks.add([check])
    passed = names["report"].checks.summarize(fast_mode=True).frame(section="passed")
    assert "CVS001" in set(passed["code"])
