"""Studies in a store: kept through a kill, mended after damage, told apart; and interruptions."""

import os
import re
import signal
import subprocess
import threading
import time
from functools import cache

import numpy as np
import pytest
from sklearn.metrics import make_scorer, r2_score
from sklearn.model_selection import ShuffleSplit

from skcvstats import RepeatedSubsampleSplit, compare_estimators, simulate
from skcvstats.command_line import main
from skcvstats.fitting import FitStore
from skcvstats.simulation import StudiedProcedure
from tests.conftest import needs_posix
from tests.processes import JOBS, ROOT, end, run, start
from tests.simulation.killed import STUDY
from tests.simulation.studies import Guess, Line, Mean, line, means, n_kept, slow_line
from tests.simulation.test_simulate import assert_same


@pytest.fixture
def path(tmp_path):
    return tmp_path / "studies.db"


def study(store=None, n_data_sets=6, **options):
    given = {"generator": line, "estimators": {"A": Mean()}, "procedures": ["resampled_t"]}
    return simulate(**(given | options), n_data_sets=n_data_sets, store=store)


@cache
def without_a_store(n_data_sets=6):
    return study(None, n_data_sets)


class TestContinued:
    def test_what_is_there_is_not_computed_again(self, path, monkeypatch):
        first = study(path)
        assert n_kept(path) == 6

        added = []
        monkeypatch.setattr(FitStore, "add", lambda *arguments: added.append(arguments))
        assert_same(study(path), first)
        assert added == []  # what is computed is added

    @pytest.mark.parametrize("n_jobs", JOBS)
    def test_more_data_sets_later(self, path, n_jobs):
        study(path, 2)
        assert study(path, data_sets=[5, 3]).data_sets.tolist() == [3, 5]
        assert_same(study(path, 6, n_jobs=n_jobs), without_a_store(6))
        assert n_kept(path) == 6
        assert study(path, 3).data_sets.tolist() == [0, 1, 2]

    def test_beside_fits_and_listed_with_them(self, path, capsys):
        X, y = line(np.random.RandomState(0))
        models = {"mean": Mean(), "line": Line()}
        compare_estimators(models, X, y, scoring="neg_mean_absolute_error", store=path)
        assert_same(study(path), without_a_store())
        assert n_kept(path) == 46
        assert main(["store", str(path)]) == 0
        listing = capsys.readouterr().out
        assert re.search(r"46 fits of 3 estimators on 2 data sets.* 0 damaged", listing)
        assert re.search(r"6 .*neg_mean_squared_error +data sets of A=Mean\(\)\n", listing)


FEWER_SPLITS = StudiedProcedure(test="resampled_t", cv=RepeatedSubsampleSplit(14))


class TestAnotherStudy:
    """It has data sets of its own, in the same file."""

    @pytest.mark.parametrize("options", [
        {"random_state": 1}, {"estimators": {"A": Guess(1)}}, {"estimators": {"A": Guess(False)}},
        {"procedures": ["corrected_resampled_t"]}, {"procedures": [FEWER_SPLITS]},
        {"designs": [RepeatedSubsampleSplit(15)]}, {"scoring": "neg_mean_absolute_error"},
        {"scoring": make_scorer(r2_score, force_finite=False)},
        {"generator": lambda random_state: line(random_state)}, {"records": means},
    ])  # fmt: skip
    def test_is_computed(self, path, options):
        own = {"estimators": {"A": Guess(0)}}
        first = study(path, 2, **own)
        other = study(path, 2, **own | options)
        assert n_kept(path) == 4
        assert_same(study(path, 2, **own), first)
        assert_same(study(path, 2, **own | options), other)
        assert n_kept(path) == 4

    def test_labels_and_names_do_not_matter(self, path):
        first = study(path)
        renamed = StudiedProcedure(test="resampled_t", label="another")
        again = study(path, estimators={"B": Mean()}, procedures=[renamed])
        assert n_kept(path) == 6
        np.testing.assert_array_equal(again.estimates, first.estimates)
        assert again.labels == ("another",)
        assert again.hypotheses == ("B",)

    def test_what_cannot_be_identified_is_computed_each_time(self, path):
        class Locked:
            def __call__(self, random_state):
                return line(random_state)

            def __reduce__(self):
                raise TypeError("cannot be pickled")

        for _ in range(2):
            with pytest.warns(UserWarning, match="keeps no data sets of this call.*cannot be"):
                assert_same(study(path, generator=Locked()), without_a_store())
        assert n_kept(path) == 0


def ended_by(how, path, n_jobs):
    """Run a study in a process until it has kept some, then end it; what it said."""
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "cwd": ROOT}
    process = start(["-m", "tests.simulation.killed", path, n_jobs], **options)
    try:
        assert process.stdout.readline() == "started\n"
        deadline = time.monotonic() + 300
        while n_kept(path) < 2 and time.monotonic() < deadline:
            time.sleep(0.01)
        how(process.pid)
        process.wait(600)
        return process.stdout.read()
    finally:
        end(process)


@needs_posix
@pytest.mark.faults
@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize(("kill", "sent"), [("killpg", "SIGKILL"), ("kill", "SIGINT")])
def test_ended_and_continued(path, kill, sent, n_jobs):
    said = ended_by(lambda pid: getattr(os, kill)(pid, signal.Signals[sent]), path, n_jobs)
    n_done = n_kept(path)
    assert 2 <= n_done < 40
    if sent == "SIGINT":
        n_said = int(re.search(r"(\d+) of 40 data sets were finished", said)[1])
        assert n_done - 1 <= n_said <= n_done  # it may come between the write and the count
        assert f"the data sets that were finished are kept in {path}" in said
    continued = simulate(slow_line, **STUDY, store=path)
    assert n_kept(path) == 40
    assert_same(continued, without_a_store(40))


fits_done = []


class Interrupted(Mean):
    def fit(self, X, y):
        fits_done.append(1)
        if len(fits_done) > 40:  # in the third data set of 15 fits
            raise KeyboardInterrupt
        return super().fit(X, y)


@pytest.mark.parametrize("is_before", [True, False])
def test_what_is_said_to_be_finished_is_kept(path, monkeypatch, is_before):
    """Also where the interrupt comes just before, or just after, a data set is written."""
    add = FitStore.add
    keys = []

    def interrupted(store, key, *arguments):
        keys.append(key)
        if len(keys) == 3 and is_before:
            raise KeyboardInterrupt
        add(store, key, *arguments)
        if len(keys) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(FitStore, "add", interrupted)
    with pytest.raises(KeyboardInterrupt) as caught:
        study(path)
    assert "skcvstats: 2 of 6 data sets were finished" in caught.value.__notes__
    assert n_kept(path) == 3 - is_before


def test_interrupt_keeps_what_is_done(path):
    finished = "skcvstats: 2 of 6 data sets were finished"
    kept = f"skcvstats: the data sets that were finished are kept in {path}"
    for store, notes in ((path, [finished, kept]), (None, [finished])):
        fits_done.clear()
        with pytest.raises(KeyboardInterrupt) as caught:
            study(store, estimators={"A": Interrupted()})
        assert caught.value.__notes__ == notes
    assert n_kept(path) == 2


DYING = """
from skcvstats import simulate
from tests.simulation.studies import Ending, line

options = {"n_data_sets": 9, "store": "studies.db", "n_jobs": 2}
try:
    simulate(line, {"A": Ending()}, ["resampled_t"], **options)
except ValueError as error:
    print(error, *error.__notes__)
"""


@pytest.mark.faults
def test_a_worker_that_dies_leaves_the_rest(tmp_path):
    said = run(["-c", DYING], cwd=tmp_path, check=True).stdout
    assert "worker process died" in said
    assert re.search(r"the workers were at data sets? \d", said)
    n_done = int(re.search(r"(\d) of 9 data sets were finished", said)[1])
    assert n_done == n_kept(tmp_path / "studies.db") > 0


def test_progress_is_shown(capsys):
    study(None, 5, verbose=1)
    err = capsys.readouterr().err
    assert "simulating" in err
    assert "5/5" in err


class ByPlace(ShuffleSplit):
    """A splitter of the user's own, with a part that cannot be identified."""

    def __init__(self, n_splits):
        super().__init__(n_splits, test_size=6)
        self.lock = threading.Lock()


def test_splitters_that_cannot_be_identified_share_no_splits():
    one, other = (StudiedProcedure(test="resampled_t", cv=ByPlace(5), label=name) for name in "ab")
    both = study(None, procedures=[one, other])
    np.testing.assert_array_equal(both.estimates[:, 0], both.estimates[:, 1])
    assert len(both.designs) == 2
    corrected = StudiedProcedure(test="corrected_resampled_t", cv=one.cv)
    assert len(study(None, procedures=[one, corrected]).designs) == 1
