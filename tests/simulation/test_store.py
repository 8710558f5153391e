"""Results on disk: kept through a kill, mended after damage, refused to another study."""

import errno
import importlib
import json
import os
import re
import shutil
import signal
import subprocess
import time
import tracemalloc
from functools import cache, partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import Ridge
from sklearn.metrics import make_scorer, r2_score

from skcvstats import RepeatedSubsampleSplit, simulate
from skcvstats.simulation import StudiedProcedure, _study
from skcvstats.simulation._describe import describe
from tests.conftest import needs_posix
from tests.processes import end, run, start
from tests.simulation import studies
from tests.simulation.killed import STUDY
from tests.simulation.studies import Guess, Mean, line, slow_line
from tests.simulation.test_simulate import assert_same

ROOT = Path(__file__).parents[2]


def study(path=None, n_data_sets=6, **options):
    arguments = {
        "generator": line,
        "estimators": {"A": Mean()},
        "procedures": ["resampled_t"],
    }
    return simulate(**(arguments | options), n_data_sets=n_data_sets, path=path)


@cache
def without_a_path(n_data_sets=6):
    return study(None, n_data_sets)


def parts(path):
    return sorted(path.glob("part-*.npz"))


@pytest.fixture(scope="module")
def guessed(tmp_path_factory):
    """Return a finished study of an estimator with a parameter, and its result."""
    path = tmp_path_factory.mktemp("guessed")
    return path, study(path, estimators={"A": Guess(0)})


@pytest.fixture
def in_small_parts(monkeypatch):
    """Write every data set on its own."""
    monkeypatch.setattr(_study, "_PART", 0.0)


@pytest.mark.usefixtures("in_small_parts")
class TestContinued:
    def test_what_is_there_is_not_computed_again(self, tmp_path, monkeypatch):
        first = study(tmp_path)
        assert len(parts(tmp_path)) == 6

        def refuse(self, X, y):
            raise AssertionError("fitted again")

        monkeypatch.setattr(Mean, "fit", refuse)
        assert_same(study(tmp_path), first)

    def test_more_data_sets_later(self, tmp_path):
        study(tmp_path, 2)
        study(tmp_path, data_sets=[4])
        assert_same(study(tmp_path, 6), without_a_path(6))
        assert len(parts(tmp_path)) == 6
        assert study(tmp_path, 3).data_sets.tolist() == [0, 1, 2]

    def test_by_other_workers(self, tmp_path):
        study(tmp_path, 2)
        assert_same(study(tmp_path, 9, n_jobs=2), without_a_path(9))

    def test_by_two_at_once(self, tmp_path):
        """Each computed the same; both wrote it, and it is read once."""
        study(tmp_path, 2)
        twin = parts(tmp_path)[0]
        twin.with_name(twin.name.replace("part-0000000", "part-0000000-twin")).write_bytes(
            twin.read_bytes()
        )
        assert_same(study(tmp_path, 3), without_a_path(3))


def ended_by(how, path, n_jobs):
    """Run a study in a process until it has written twice, then end it; what it said."""
    process = start(
        ["-m", "tests.simulation.killed", path, n_jobs],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=ROOT,
    )
    try:
        assert process.stdout.readline() == "started\n"
        deadline = time.monotonic() + 60
        while len(parts(path)) < 2 and time.monotonic() < deadline:
            time.sleep(0.01)
        how(process.pid)
        process.wait(60)
        return process.stdout.read()
    finally:
        end(process)


@needs_posix
@pytest.mark.faults
@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("how", ["killed", "interrupted"])
def test_ended_and_continued(tmp_path, monkeypatch, how, n_jobs):
    if how == "killed":
        ended_by(lambda pid: os.killpg(pid, signal.SIGKILL), tmp_path, n_jobs)
    else:
        said = ended_by(lambda pid: os.kill(pid, signal.SIGINT), tmp_path, n_jobs)
    done = parts(tmp_path)
    n_done = sum(len(np.load(part)["numbers"]) for part in done)
    assert len(done) >= 2
    assert n_done < 40
    if how == "interrupted":
        assert f"{n_done} of 40 data sets were finished, and kept in {tmp_path}" in said
    monkeypatch.setattr(studies, "PAUSE", 0)
    continued = simulate(slow_line, **STUDY, path=tmp_path)
    assert set(done) < set(parts(tmp_path))  # kept, not written again
    assert_same(continued, without_a_path(STUDY["n_data_sets"]))


@pytest.mark.usefixtures("in_small_parts")
class TestDamaged:
    def damage(self, part, how):
        content = bytearray(part.read_bytes())
        if how == "truncated":
            content = content[: len(content) // 2]
        elif how == "empty":
            content = b""
        elif how == "one bit":
            content[content.index(b"values.npy") + 200] ^= 1
        elif how == "not a result":
            content = b"once upon a time"
        part.write_bytes(content)

    @pytest.mark.parametrize("how", ["truncated", "empty", "one bit", "not a result"])
    def test_parts_are_computed_again(self, tmp_path, how):
        study(tmp_path)
        victim = parts(tmp_path)[2]
        self.damage(victim, how)
        with pytest.warns(UserWarning, match=rf"{victim.name}.* is damaged.*computed again"):
            mended = study(tmp_path)
        assert_same(mended, without_a_path())
        assert victim.with_suffix(".damaged").exists()
        assert len(parts(tmp_path)) == 6

    def test_numbers_of_another_study(self, tmp_path):
        """A part from elsewhere is whole, but not of this study."""
        study(tmp_path / "one")
        study(tmp_path / "other", random_state=1)
        alien, victim = parts(tmp_path / "other")[0], parts(tmp_path / "one")[0]
        victim.write_bytes(alien.read_bytes())
        with pytest.warns(UserWarning, match="is damaged"):
            assert_same(study(tmp_path / "one"), without_a_path())

    def test_a_part_that_was_never_finished(self, tmp_path):
        (tmp_path / "part-0000000-0123.draft").write_bytes(b"half of it")
        assert_same(study(tmp_path), without_a_path())

    def test_its_description(self, tmp_path):
        study(tmp_path)
        (tmp_path / "study.json").write_text('{"format": 1, "stu')
        with pytest.raises(ValueError, match="not known whose results these are"):
            study(tmp_path)
        assert len(parts(tmp_path)) == 6


class TestAnotherStudy:
    @pytest.mark.parametrize(
        ("options", "differing"),
        [
            ({"random_state": 1}, "random_state"),
            ({"estimators": {"A": Guess(1)}}, "estimators"),
            ({"estimators": {"A": Guess(False)}}, "estimators"),
            ({"estimators": {"B": Guess(0)}}, "estimators"),
            ({"estimators": {"A": Mean()}}, "estimators"),
            ({"procedures": ["corrected_resampled_t"]}, "procedures"),
            (
                {
                    "procedures": [
                        StudiedProcedure(test="resampled_t", cv=RepeatedSubsampleSplit(14))
                    ]
                },
                "procedures",
            ),
            ({"designs": [RepeatedSubsampleSplit(15)]}, "designs"),
            ({"loss": "zero_one"}, "loss"),
            ({"scoring": "r2"}, "loss, scoring"),
            ({"scoring": make_scorer(r2_score, multioutput="raw_values")}, "loss, scoring"),
            ({"generator": partial(line)}, "generator"),
        ],
    )
    def test_is_refused_and_nothing_lost(self, guessed, tmp_path, options, differing):
        stored, expected = guessed
        path = shutil.copytree(stored, tmp_path / "study")
        before = {one: one.read_bytes() for one in path.iterdir()}
        own = {"estimators": {"A": Guess(0)}}
        with pytest.raises(ValueError, match=rf"results of another study: .*{differing} differ"):
            study(path, **own | options)
        assert {one: one.read_bytes() for one in path.iterdir()} == before
        assert_same(study(path, **own), expected)

    def test_whose_generator_gives_other_data_under_the_same_name(self, tmp_path, monkeypatch):
        study(tmp_path)

        def other(random_state):
            X, y = line(random_state)
            return X, y + 1e-9

        monkeypatch.setattr(other, "__qualname__", line.__qualname__)
        monkeypatch.setattr(other, "__module__", line.__module__)
        with pytest.raises(ValueError, match="another study: first data set differ"):
            study(tmp_path, generator=other)

    def test_other_directories_are_refused(self, tmp_path):
        (tmp_path / "thesis.tex").write_text("years of work")
        with pytest.raises(ValueError, match=r"holds 'thesis.tex' and no study.json"):
            study(tmp_path)
        with pytest.raises(ValueError, match="is a file; give a directory"):
            study(tmp_path / "thesis.tex")
        for name, target in (("loop", "loop"), ("nowhere", "none")):
            (tmp_path / name).symlink_to(tmp_path / target)
            with pytest.raises(ValueError, match="is a link to no directory; give a directory"):
                study(tmp_path / name)

    @needs_posix
    def test_a_description_that_is_no_file(self, tmp_path):
        """Nothing waits for the end of what has none."""
        study(tmp_path, 2)
        about = tmp_path / "study.json"
        about.rename(tmp_path / "copy.json")
        for make in (
            about.mkdir,
            lambda: about.symlink_to(about),
            lambda: about.symlink_to(tmp_path / "none"),
            lambda: about.symlink_to("/dev/zero"),
            lambda: os.mkfifo(about),
        ):
            make()
            with pytest.raises(ValueError, match=r"study.json' cannot be read, so it is not known"):
                study(tmp_path, 2)
            about.rmdir() if about.is_dir() else about.unlink()

    def test_another_format(self, tmp_path):
        study(tmp_path)
        about = json.loads((tmp_path / "study.json").read_text())
        (tmp_path / "study.json").write_text(json.dumps(about | {"format": 0}))
        with pytest.raises(ValueError, match="results of format 0; this version writes format 2"):
            study(tmp_path)

    def test_other_versions_are_said(self, tmp_path):
        study(tmp_path)
        about = json.loads((tmp_path / "study.json").read_text())
        about["versions"]["numpy"] = "1.0"
        (tmp_path / "study.json").write_text(json.dumps(about))
        with pytest.warns(UserWarning, match="may differ in the last bits"):
            assert_same(study(tmp_path), without_a_path())


def test_interrupt_keeps_what_is_done(tmp_path, monkeypatch):
    calls = []
    original = Mean.fit

    def fit(self, X, y):
        calls.append(1)
        if len(calls) > 40:  # in the third data set of 15 fits
            raise KeyboardInterrupt
        return original(self, X, y)

    monkeypatch.setattr(Mean, "fit", fit)
    with pytest.raises(KeyboardInterrupt) as caught:
        study(tmp_path, estimators={"A": Mean()})
    note = f"skcvstats: 2 of 6 data sets were finished, and kept in {tmp_path}"
    assert note in caught.value.__notes__
    monkeypatch.undo()
    assert_same(study(tmp_path, estimators={"A": Mean()}), study(None, estimators={"A": Mean()}))


DYING = """
from pathlib import Path
from skcvstats import simulate
from skcvstats.simulation import _study
from tests.simulation.studies import Ending, line

_study._PART = 0.0
options = {"n_data_sets": 9, "path": Path("study"), "n_jobs": 2}
try:
    simulate(line, {"A": Ending()}, ["resampled_t"], **options)
except ValueError as error:
    print(error, *error.__notes__)
"""


@pytest.mark.faults
def test_a_worker_that_dies_leaves_the_rest(tmp_path):
    said = run(["-c", DYING], cwd=tmp_path, check=True).stdout
    assert "worker process died" in said
    n_done = int(re.search(r"(\d) of 9 data sets were finished, and kept in study", said)[1])
    assert n_done == len(parts(tmp_path / "study")) > 0


def test_progress_is_shown(capsys):
    study(None, 5, verbose=1)
    err = capsys.readouterr().err
    assert "simulating" in err
    assert "5/5" in err


class TestDescribe:
    """The same in every process, and different for what differs."""

    def test_no_address_of_memory(self):
        class Plain:
            def __init__(self):
                self.rate = 0.5

            def method(self):
                pass

        values = [
            make_scorer(r2_score),
            Plain(),
            Plain().method,
            line,
            partial(line, 3),
            np.arange(3),
            {1: Plain()},
            {2},
        ]
        text = json.dumps(describe(values))
        assert "0x" not in text
        assert "0.5" in text

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            (np.arange(2000.0), np.arange(2000.0) + 1e-12),
            (np.arange(3), np.arange(3.0)),
            (Ridge(), Ridge(tol=1e-3)),
            (partial(line, 1), partial(line, 2)),
            (float("nan"), float("inf")),
            ({"a": 1}, {"a": 2}),
            (np.array([None, "a"]), np.array([None, "b"])),
            (slice(1), slice(2)),
            (Ridge().fit, Ridge(2).fit),
            (pd.Series([1, 2]), pd.Series([1, 3])),
        ],
    )
    def test_tells_apart(self, one, other):
        assert describe(one) != describe(other)
        assert describe(one) == describe(one)


class TestPlaces:
    """What stands in the place of a part, and a disk without room."""

    def test_a_directory_or_a_loop_of_links(self, tmp_path):
        study(tmp_path, 2)
        intruder = tmp_path / "part-0000001-x.npz"
        for make, why in (
            (lambda: intruder.mkdir(), "it is no file"),
            (lambda: intruder.symlink_to(intruder), "Too many levels of symbolic links"),
        ):
            make()
            with pytest.raises(ValueError, match=rf"part-0000001-x.npz' cannot be read .*{why}"):
                study(tmp_path, 2)
            intruder.unlink() if intruder.is_symlink() else intruder.rmdir()
        assert_same(study(tmp_path, 2), without_a_path(2))

    def test_a_part_that_would_unpack_to_much_more(self, tmp_path):
        """It is set aside without being unpacked."""
        study(tmp_path, 2)
        (victim,) = parts(tmp_path)
        n_bytes = 2 * 8 * 10**6
        values = np.zeros((2, 10**6))
        np.savez_compressed(victim, numbers=np.arange(2), values=values, digest="")
        tracemalloc.start()
        with pytest.warns(UserWarning, match="is damaged"):
            assert_same(study(tmp_path, 2), without_a_path(2))
        assert tracemalloc.get_traced_memory()[1] < n_bytes / 4
        tracemalloc.stop()

    @pytest.mark.usefixtures("in_small_parts")
    def test_a_full_disk(self, tmp_path, monkeypatch):
        """No draft is left, and the error says how much was kept."""
        fsync, n_written = os.fsync, []

        def full(file):
            n_written.append(file)
            if len(n_written) > 3:  # the description and two data sets
                raise OSError(errno.ENOSPC, "No space left on device")
            return fsync(file)

        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space left") as caught:
            study(tmp_path)
        assert f"skcvstats: 2 of 6 data sets were finished, and kept in {tmp_path}" in (
            caught.value.__notes__
        )
        assert len(parts(tmp_path)) == 2
        assert not list(tmp_path.glob("*.draft"))
        monkeypatch.undo()
        assert_same(study(tmp_path), without_a_path())


SCRIPT = """
import sys
from sklearn.linear_model import Ridge
from skcvstats import simulate

def normal(random_state):
    X = random_state.normal(size=(20, 2))
    return X, X[:, 0] + random_state.normal(size=20)

def run(path):
    simulate(normal, {"A": Ridge()}, ["resampled_t"], n_data_sets=2, path=path)

if __name__ == "__main__":
    run(sys.argv[1])
"""


@pytest.mark.faults
def test_begun_as_a_script_and_resumed_from_an_import(tmp_path, monkeypatch):
    (tmp_path / "a_study.py").write_text(SCRIPT)
    results = tmp_path / "results"
    run(["a_study.py", results], cwd=tmp_path, check=True)
    written = parts(results)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("a_study").run(results)
    assert parts(results) == written
    about = json.loads((results / "study.json").read_text())
    about["study"]["generator"] = {"name": "__main__.other"}
    (results / "study.json").write_text(json.dumps(about))
    with pytest.raises(ValueError, match="another study: generator differ"):
        importlib.import_module("a_study").run(results)
