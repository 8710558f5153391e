"""Which versions of scikit-learn the closed forms are used with, and what says so."""

import numpy as np
import pytest
import sklearn
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import Ridge
from sklearn.model_selection import cross_validate

from skcvstats import (
    CVScores,
    RepeatedSubsampleSplit,
    compare_estimators,
    cross_val_score,
    evaluation_report,
)
from skcvstats.fitting import _fast_paths
from tests.preloaded import OTHERS_ONLY, run

RNG = np.random.RandomState(0)
X = RNG.normal(size=(60, 3))
Y = X[:, 0] + RNG.normal(size=60)
CV = RepeatedSubsampleSplit(10, random_state=0)
MODELS = {"ridge": Ridge(), "mean": DummyRegressor()}
NEWER = "scikit-learn 2.3.dev0: closed forms are tested up to 1.9"


def compare(**options):
    return compare_estimators(MODELS, X, Y, cv=CV, scoring="r2", **options)


@pytest.fixture
def newer(monkeypatch):
    monkeypatch.setattr(sklearn, "__version__", "2.3.dev0")
    monkeypatch.setattr(_fast_paths, "NEWEST_TESTED", (1, 9))


def test_the_installed_version_is_covered():
    assert _fast_paths.why_no_fast_paths() is None, (
        f"scikit-learn {sklearn.__version__} is newer than _fast_paths.NEWEST_TESTED, so users "
        "with it get no closed forms. If tests/fitting/closed_forms pass with it (they lift the "
        "limit), raise NEWEST_TESTED; if not, mend the closed forms first."
    )


@pytest.mark.parametrize(
    ("installed", "used"),
    [
        ("1.6.0", True),
        ("1.8.2", True),
        ("1.9.dev0", True),
        ("1.9.0rc1", True),
        ("1.9.7", True),
        ("1.9.1+local.2", True),
        ("1.10.dev0", False),
        ("1.10.0rc1", False),
        ("1.10.0", False),
        ("2.0.0", False),
        ("unknown", False),
    ],
)
def test_minor_versions_decide(monkeypatch, installed, used):
    monkeypatch.setattr(_fast_paths, "NEWEST_TESTED", (1, 9))
    monkeypatch.setattr(sklearn, "__version__", installed)
    why = _fast_paths.why_no_fast_paths()
    assert (why is None) == used
    assert used or why == f"scikit-learn {installed}: closed forms are tested up to 1.9"


@pytest.mark.usefixtures("newer")
def test_with_a_newer_version_all_is_refitted_and_provenance_says_so(tmp_path):
    result = compare()
    assert result.scores.provenance["fast_paths"] == {}
    assert result.scores.provenance["fast_paths_unused"] == NEWER
    for name, model in MODELS.items():
        expected = cross_validate(model, X, Y, cv=CV, scoring="r2")["test_score"]
        np.testing.assert_array_equal(result.scores[name].values, expected)
    difference = result.scores["ridge"] - result.scores["mean"]
    assert difference.provenance["fast_paths_unused"] == NEWER
    result.scores.save(tmp_path / "scores.json")
    saved = CVScores.load(tmp_path / "scores.json")
    assert saved.provenance["fast_paths_unused"] == NEWER


@pytest.mark.usefixtures("newer")
def test_with_a_newer_version_reports_count_refits_only():
    text = evaluation_report(compare()).to_markdown()
    assert "in 20 fits" in text
    assert "closed forms" not in text


@pytest.mark.usefixtures("newer")
def test_who_did_not_ask_for_closed_forms_is_told_nothing():
    assert "fast_paths_unused" not in compare(fast_paths=False).scores.provenance
    scores = cross_val_score(Ridge(), X, Y, cv=CV)
    assert "fast_paths_unused" not in scores.provenance


def test_where_they_are_used_there_is_no_reason_not_to(monkeypatch):
    monkeypatch.setattr(_fast_paths, "NEWEST_TESTED", (10**6, 0))
    provenance = compare().scores.provenance
    assert provenance["fast_paths"] == {"ridge": 10, "mean": 10}
    assert "fast_paths_unused" not in provenance


@pytest.mark.parametrize(
    ("limit", "options", "imported"),
    [
        ("(10**6, 0)", "", True),
        ("(10**6, 0)", "fast_paths=False", False),
        ("(0, 1)", "", False),
    ],
    ids=["used", "switched off", "newer scikit-learn"],
)
def test_closed_forms_are_imported_when_first_used(limit, options, imported):
    code = f"""
import sys
import numpy as np
from sklearn.dummy import DummyRegressor
from skcvstats import cross_val_inference
from skcvstats.fitting import _fast_paths
_fast_paths.NEWEST_TESTED = {limit}
y = np.random.RandomState(0).normal(size=50)
cross_val_inference(DummyRegressor(), y[:, None], y, scoring="r2", {options})
print("skcvstats.fitting.closed_forms" in sys.modules)
"""
    done = run(["-c", code], preloaded=OTHERS_ONLY, check=True)
    assert done.stdout.split() == [str(imported)]
