"""Saved scores of a test set: report and gate decide as they do on the predictions themselves."""

import json

import numpy as np
import pandas as pd
import pytest

from skcvstats import ComparisonResult, compare_predictions, compare_scores
from skcvstats.exceptions import PairingError
from tests.command_line.conftest import saved

MARGIN = ("--margin", "0.06")


def predicted(seed=0, n=400):
    """Labels of models that are right with known probabilities, in groups of two rows."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    shares = {"good": 0.95, "alike": 0.95, "fair": 0.9, "poor": 0.7}
    models = {name: np.where(rng.random(n) < share, y, 1 - y) for name, share in shares.items()}
    models["alike"] = np.where(rng.random(n) < 0.8, models["good"], models["alike"])
    return pd.DataFrame({"y": y, **models, "group": np.arange(n) // 2})


OTHERS = [pytest.param(metric, marks=pytest.mark.slow) for metric in ("f1", "roc_auc")]


@pytest.fixture(scope="module", params=["accuracy", *OTHERS])
def files(request, run, tmp_path_factory):
    """A file of predictions, and the scores that were saved of it."""
    folder = tmp_path_factory.mktemp("predictions")
    path, scores = saved(predicted(), folder / "test.csv"), folder / "scores.json"
    options = ["--target", "y", "--scoring", request.param, "--groups", "group"]
    assert run("predictions", path, *options, "--save-scores", scores)[0] == 0
    return ("--predictions", path, *options), ("--scores", scores)


@pytest.mark.parametrize("rule", [["better"], ["not-worse", *MARGIN], ["equivalent", *MARGIN]])
def test_scores_and_predictions_have_the_same_numbers(run, files, rule):
    names = ("--champion", "fair", "--challenger", "good", "--rule", *rule, "--json")
    first, second = (json.loads(run("gate", *source, *names)[1]) for source in files)
    assert first.pop("pvalue") == pytest.approx(second.pop("pvalue"), rel=1e-12)
    assert first.pop("interval") == pytest.approx(second.pop("interval"), rel=1e-12)
    for told in (first, second):
        del told["why"], told["notes"]
    assert first == second


def test_report_tells_them_again(run, files):
    (_, path, *options), (_, scores) = files
    assert run("report", scores) == run("predictions", path, *options)


def test_scores_of_models_apart_are_joined():
    """compare_scores of single models of a test set, as the gate joins them."""
    data = predicted()
    models = {name: data[name] for name in ("good", "fair")}
    wanted = compare_predictions(data["y"], models, scoring="accuracy", groups=data["group"])
    method = wanted.tests_by_metric["accuracy"].procedure
    found = compare_scores({name: wanted.scores[name] for name in models}, method=method)
    assert found[0].test.pvalue == pytest.approx(wanted[0].test.pvalue, rel=1e-12)
    assert ComparisonResult.from_json(found.to_json())[0].test.pvalue == found[0].test.pvalue
    rows = compare_predictions(data["y"], models, scoring="accuracy")
    parts = {"good": rows.scores["good"], "fair": wanted.scores["fair"]}
    with pytest.raises(PairingError, match="measured on different test sets"):
        compare_scores(parts, method=method)
