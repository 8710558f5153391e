"""Results for tests of their pages, by what is special about them."""

import sys

import numpy as np
import pytest

import skcvstats as s

from ..data import classification
from ..words.cases import DESIGN, models, quietly, scores_of

HOSTILE = [
    "<script>document.title = 'taken'</script>", "</style><h1>\"'&amp;",
    "]]> --> <!-- <img src=x onerror=\"document.title='taken'\">",
    "=HYPERLINK(1)", "\N{ZERO WIDTH SPACE}evil\N{WORD JOINER}",
    "a_very_long_name_without_a_space_" * 40,
]  # fmt: skip


def two():
    return s.compare_scores(scores_of(["new", "old"]))


def four():
    """Values over several powers of ten, ties, and a difference that is undetermined."""
    rng = np.random.default_rng(0)
    noise = rng.normal(0, 0.02, (4, 15))
    values = np.array([[0.9], [0.5], [0.895], [0.9]]) + noise
    values[3] = values[0]  # the same as the first, so that their difference is undetermined
    scores = s.CVScores(values=values, design=DESIGN, labels=("b10", "b9", "a", "c"), metric="r2")
    return quietly(s.compare_scores, scores)


def metrics():
    return s.compare_estimators(models(), *classification(120), scoring=["accuracy", "roc_auc"])


def margin():
    return quietly(s.compare_scores, scores_of(["new", "old", "older"], gap=0.02), margin=0.03)


def fitted_models():
    rng = np.random.default_rng(0)
    truth = rng.integers(2, size=200)
    shares = {"large": 0.9, "middle": 0.8, "small": 0.7}.items()
    predictions = {k: np.where(rng.random(200) < s, truth, 1 - truth) for k, s in shares}
    return quietly(s.compare_predictions, truth, predictions, scoring="accuracy")


def hostile():
    return s.compare_scores(scores_of(HOSTILE))


ALL = (two, four, metrics, margin, fitted_models, hostile)
RESULTS = {function.__name__: function for function in ALL}


def page_of(name):
    """Return the page of a result, or of one without its picture."""
    if name != "without_picture":
        return quietly(s.evaluation_report(RESULTS[name]()).to_html)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "matplotlib.pyplot", None)
        return s.evaluation_report(four()).to_html()
