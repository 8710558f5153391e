"""Parts of a design: put together they are exactly what one call gives."""

import json
import os
import runpy
import subprocess
import sys
import warnings
from contextlib import redirect_stdout
from dataclasses import replace
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedKFold, ShuffleSplit, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skcvstats as s

JOBS = Path(__file__).parents[2] / "doc" / "jobs"
X, Y = load_breast_cancer(return_X_y=True)
X = X[:, :5]
GROUPS = np.arange(len(Y)) % 30
MODELS = {"tree": DecisionTreeClassifier(max_depth=3, random_state=0), "bayes": GaussianNB()}
CV = s.RepeatedSubsampleSplit(6, random_state=0)


def part(splits, cv=CV, models=MODELS, X=X, y=Y, **options):
    return s.cross_val_score(models, X, y, cv=cv, splits=splits, **options)


def fields(scores):
    """Return all that scores contain, but the times."""
    content = json.loads(scores.to_json())["content"]["CVScores"]
    return {name: value for name, value in content.items() if not name.endswith("_times")}


@pytest.mark.parametrize(("cv", "groups"), [
    (s.RepeatedSubsampleSplit(7, random_state=0), GROUPS),
    (s.HalfSplitPairs(2, 2, random_state=1), None),
    (RepeatedKFold(n_splits=3, n_repeats=2, random_state=0), None),
    (StratifiedKFold(5), None), (ShuffleSplit(6, random_state=0), None),
], ids=str)  # fmt: skip
def test_parts_are_the_whole(cv, groups):
    one = MODELS["tree"]
    whole, of_one = (s.cross_val_score(it, X, Y, cv=cv, groups=groups) for it in (MODELS, one))
    n = whole.design.n_splits
    parts = [part(range(k, n, 3), cv, groups=groups) for k in range(3)]
    alone = [part(splits, cv, one, groups=groups) for splits in ([n - 1, 0], range(1, n - 1))]
    assert alone[0].tolist() == [of_one[0], of_one[n - 1]]
    assert fields(s.CVScores.concatenate(alone)) == fields(of_one)
    assert s.CVScores.concatenate([whole]) is whole
    saved = [s.CVScores.from_json(one.to_json()) for one in (parts[2], parts[0], parts[1])]
    joined = s.CVScores.concatenate(saved)
    assert fields(joined) == fields(whole)
    assert joined.fit_times.shape == whole.fit_times.shape
    np.testing.assert_array_equal(joined.fit_times[:, 1::3], parts[1].fit_times)


@pytest.mark.filterwarnings("ignore::skcvstats.SplitDesignWarning")
def test_a_part_is_not_compared_with_a_constant():
    """Of a target that has nothing to do with the columns, the whole shows no signal."""
    y = np.random.default_rng(0).permutation(Y)
    parts = [part(range(k, 6, 2), CV, MODELS, X, y) for k in (0, 1)]
    codes = {note.code for one in parts for note in one.notes}
    assert "no better than a constant" not in codes
    whole = s.cross_val_score(MODELS, X, y, cv=CV)
    assert "no better than a constant" in {note.code for note in whole.notes}


def test_failures_keep_their_places():
    class Picky(DecisionTreeClassifier):
        def fit(self, X, y):
            if X[0, 0] < 13:
                raise ValueError("too small")
            return super().fit(X, y)

    models = {"a": Picky(random_state=0)}
    with warnings.catch_warnings(action="ignore", category=FitFailedWarning):
        whole = s.cross_val_score(models, X, Y, cv=CV)
        parts = [part(splits, models=models) for splits in ([0, 2, 4], [1, 3, 5])]
    assert [split for _, split, _ in whole.failures] == [2, 5]
    assert [split for _, split, _ in parts[0].failures] == [1]
    assert s.CVScores.concatenate(parts).failures == whole.failures


@pytest.mark.parametrize(("splits", "kind", "message"), [
    ([6], s.SplitDesignError, r"splits=\[6\] must be numbers of the 6 splits, from 0 to 5"),
    ([-1], s.SplitDesignError, r"from 0 to 5, each once, such as range\(0, 3\)"),
    ([1, 1], s.SplitDesignError, "each once"),
    ("ab", TypeError, r"splits=\['ab'\] must be numbers"),
    (iter([7, 0]), s.SplitDesignError, r"splits=\[7, 0\] must be numbers of the 6"),
])  # fmt: skip
def test_splits_that_make_no_sense(splits, kind, message):
    with pytest.raises(kind, match=message):
        part(splits)


FIRST, LAST = [0, 1, 2], [3, 4, 5]


@pytest.mark.parametrize(("make", "kind", "message"), [
    (lambda: [], ValueError, "There are no parts to concatenate. Pass what cross_val_score"),
    (lambda: [part(FIRST)], s.SplitDesignError, r"3 of the 6 .* in no part: 3, 4, 5. Score them"),
    (lambda: [part(FIRST), part([2, *LAST])], s.SplitDesignError, "overlap: split 2 is in part"),
    (lambda: [part(FIRST), 3], ValueError, "Part 1, of type int, is .*no part"),
    (lambda: [part(FIRST), part(range(6))], ValueError,
     "Part 1, of type CVScores, is already complete"),
    (lambda: [part(FIRST), part(LAST, X=X + 1)], s.PairingError, "their data differ"),
    (lambda: [part(FIRST), part(LAST, y=1 - Y)], s.PairingError,
     "their targets differ .* Score all parts on the same X, y and groups"),
    (lambda: [part(FIRST), part(LAST, X=X[1:], y=Y[1:])], s.PairingError,
     r"designs differ in n_samples \(569 and 568\)\. Score all parts on the same X"),
    (lambda: [part(it, scoring=lambda *_, k=k: k / 2) for k, it in enumerate((FIRST, [3]))],
     s.PairingError, "their estimators or metrics have the same names but different contents"),
    (lambda: None, TypeError, r"parts=None must be a list of parts, such as"),
    (lambda: [part(FIRST), part(LAST, s.RepeatedSubsampleSplit(6, random_state=1))], s.PairingError,
     r"designs differ in seed \(0 and 1\). If the splitter has no seed"),
    (lambda: [part(it, ShuffleSplit(6)) for it in (FIRST, LAST)], s.PairingError,
     "their splits differ .* give it an integer random_state"),
    (lambda: [part(FIRST), part(LAST, models=MODELS | {"bayes": LogisticRegression()})],
     s.PairingError, "their estimators differ"),
])  # fmt: skip
@pytest.mark.filterwarnings("ignore:lbfgs failed to converge")
def test_parts_that_do_not_belong_together(make, kind, message):
    with pytest.raises(kind, match=message):
        s.CVScores.concatenate(make())


def test_a_damaged_part():
    one = part(FIRST)
    content = one.provenance
    design = content["part"]["design"]["SplitDesign"]
    unread = "The parts are damaged: their design cannot be read"
    unsaid = "it does not say which splits"
    for damage, message in (
        *(({"splits": wrong}, unsaid) for wrong in ([0, 1], "012", [0, 1, 1])),
        ({"splits": [0, 1, 99]}, "Part 0 is damaged: it has split 99 of 6 splits"),
        ({"design": 3}, unread),
        ({"design": {}}, unread),
        ({"design": {"SplitDesign": {**design, "notes": [{"a": 1}]}}}, unread),
        ({"design": {"SplitDesign": {**design, "n_train": "many"}}}, unread),
    ):
        provenance = {**content, "part": {**content["part"], **damage}}
        damaged = s.CVScores(values=one.values, design=one.design, provenance=provenance)
        with pytest.raises(ValueError, match=message):
            s.CVScores.concatenate([damaged])


def test_other_versions_are_noted():
    parts = [part(FIRST), part(LAST)]
    provenance = dict(parts[1].provenance)
    provenance["versions"] = {**provenance["versions"], "numpy": "1.0"}
    other = replace(parts[1], provenance=provenance)
    notes = s.CVScores.concatenate([parts[0], other]).notes
    assert [note.code for note in notes] == ["versions of parts differ"]


@pytest.mark.processes
def test_the_script_of_a_batch_queue(tmp_path, monkeypatch):
    """Four parts on this machine, as the page says, and one call."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", list(arguments))
        with redirect_stdout(StringIO()) as printed:
            found = runpy.run_path(arguments[0], run_name="__main__")
        return found, printed.getvalue()

    for job in JOBS.iterdir():
        script = job.read_text().replace("RandomForestClassifier(20,", "RandomForestClassifier(2,")
        (tmp_path / job.name).write_text(script)
    monkeypatch.chdir(tmp_path)
    sbatch = (tmp_path / "score_parts.sh").read_text()
    assert "--array=0-3" in sbatch
    for k in range(4):
        words = ["bash", "-c", 'python() { printf "%s\\n" "$@"; }\n' + sbatch]
        task = {"env": os.environ | {"SLURM_ARRAY_TASK_ID": str(k)}, "check": True}
        asked = subprocess.run(words, capture_output=True, text=True, **task)
        used, _ = run(*asked.stdout.splitlines())
        assert (tmp_path / f"fits-{k}.db").exists()
    _, printed = run("compare_parts.py", *(f"part-{k}.json" for k in range(4)))
    whole = s.compare_estimators(used["models"], used["X"], used["y"], cv=used["cv"])
    # Only where all is fitted at once is there a note on the method that was chosen.
    assert printed == f"{whole}\n".partition("Note: ")[0]
