"""A store of finished fits: only new fits run, and the numbers are those of one call."""

import errno
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import warnings
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from sklearn import config_context
from sklearn.linear_model import LogisticRegression

import skcvstats as s
from skcvstats.fitting import _store
from tests.conftest import ignoring, needs_posix
from tests.data import iris
from tests.faults.surroundings import CannotBeMadeError, mounted
from tests.fitting.on_rows import OnRows
from tests.fitting.traced import FixedTree, TracedTree, counts, scores
from tests.processes import JOBS, ROOT, end, run, start

pytestmark = ignoring("SplitDesign", "Anticonservative", "DegenerateScores")
X, Y = iris()
CV = s.RepeatedSubsampleSplit(6, random_state=0)


class Told(FixedTree):
    def fit(self, X, y, told=None):
        return super().fit(X, y)


class Traced:
    """Trees that count their fits, and a store for them."""

    def __init__(self, folder):
        self.trace = folder / "trace"
        self.path = folder / "fits.db"
        self.shallow = FixedTree(str(self.trace), max_depth=2)
        self.deep = FixedTree(str(self.trace))
        self.models = {"shallow": self.shallow, "deep": self.deep}

    def fits(self, call):
        """Return how many fits a call does, and what it returns."""
        before = counts(self.trace)[1]
        found = call()
        return counts(self.trace)[1] - before, found

    def compare(self, models=None, cv=CV, **options):
        how = {"store": self.path, "cv": cv} | options
        return self.fits(partial(s.compare_estimators, models or self.models, X, Y, **how))


@pytest.fixture
def traced(tmp_path):
    return Traced(tmp_path)


def entries(path):
    with closing(sqlite3.connect(path)) as db:
        found = db.execute("SELECT key, content, losses, checksum FROM fits ORDER BY key")
        return found.fetchall()


def change(path, statement, *values):
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(statement, values)


def checksum_of(*pieces):
    """Return the checksum of an entry: of its pieces, each after a "p" and its length."""
    checksum = hashlib.blake2b(digest_size=16)
    for piece in pieces:
        checksum.update(b"p" + len(piece).to_bytes(8, "little") + piece)
    return checksum.digest()


class TestOnlyNewFitsRun:
    @pytest.mark.parametrize("n_jobs", JOBS)
    def test_the_same_call_again(self, traced, n_jobs):
        expected = traced.compare(store=None)[1].scores
        n_first, first = traced.compare(n_jobs=n_jobs)
        n_again, again = traced.compare()
        assert (n_first, n_again) == (12, 0)
        for found in (first.scores, again.scores):
            assert found.values.tobytes() == expected.values.tobytes()
            assert found.design == expected.design
        np.testing.assert_array_equal(again.scores.fit_times, first.scores.fit_times)

    def test_more_splits_other_names_other_doors_and_settings(self, traced):
        traced.compare(scoring="accuracy")
        more = s.RepeatedSubsampleSplit(10, random_state=0)
        expected = traced.compare(cv=more, store=None)[1].scores.values.tobytes()
        n_fits, found = traced.compare(cv=more)
        assert (n_fits, found.scores.values.tobytes()) == (8, expected)
        assert traced.compare({"a": traced.deep, "b": traced.shallow})[0] == 0
        options = {"cv": CV, "scoring": "accuracy", "store": traced.path}
        for door in (s.cross_val_score, s.cross_val_inference):
            assert traced.fits(partial(door, traced.deep, X, Y, **options))[0] == 0
        with config_context(assume_finite=True):
            assert traced.compare()[0] == 12
        with config_context(display="text", print_changed_only=False):
            assert traced.compare()[0] == 0

    def test_fits_on_auxiliary_splits_are_kept_too(self, traced):
        cv = s.RepeatedSubsampleSplit(2, random_state=0)
        options = {"method": "conservative_z", "cv": cv}
        n_first, first = traced.compare(**options)
        n_again, again = traced.compare(**options)
        assert (n_first, n_again) == (2 * (2 + 2 * 10 * 2), 0)
        assert again.tests[0].pvalue == first.tests[0].pvalue

    @pytest.mark.parametrize("scoring", [None, ["accuracy", "neg_log_loss"]])
    def test_entries_without_row_scores_are_fitted_again(self, traced, scoring):
        traced.compare(scoring=scoring)
        options = {"method": OnRows(), "scoring": scoring}
        n_fits, first = traced.compare(**options)
        assert n_fits > 0  # the entries of the first call have no rows
        again = traced.compare(**options)
        assert again[0] == 0
        for metric in first.metrics:
            ours, theirs = (found[metric].scores.row_scores for found in (again[1], first))
            assert ours.values.tobytes() == theirs.values.tobytes()
            np.testing.assert_array_equal(ours.rows, theirs.rows)
        assert list(again[1].scores_by_metric) == list(first.scores_by_metric)

    def test_what_a_split_test_on_in_another_order(self, traced):
        """The digest of a split is of sets of rows; a fit depends on their order."""
        rows = np.random.RandomState(0).permutation(150)
        one = [(rows[:100], rows[100:]), (rows[50:], rows[:50])]
        other = [(train[::-1], test) for train, test in one]
        traced.compare(cv=one, method="resampled_t")
        assert traced.compare(cv=other, method="resampled_t")[0] == 4
        assert traced.compare(cv=one, method="resampled_t")[0] == 0

    @pytest.mark.parametrize("part", ["X", "y", "cv", "params"])
    def test_one_number_of_the_data_or_one_test_row_less(self, traced, part):
        given = {"X": X, "y": Y, "cv": list(CV.split(X, Y)), "params": {"told": 1}}
        other = {
            "X": np.where(np.arange(150) == 0, 9.0, X.T).T,
            "y": np.where(np.arange(150) == 0, 1, Y),
            "cv": [(train, test[1:]) for train, test in given["cv"]],
            "params": {"told": 2},
        }

        def n_fits(**options):
            options = {"scoring": "accuracy", "store": traced.path} | given | options
            return traced.fits(lambda: s.cross_val_score(Told(str(traced.trace)), **options))[0]

        assert n_fits() == 6
        assert n_fits(**{part: other[part]}) == 6
        assert n_fits() == 0

    def test_failed_fits_are_not_kept(self, traced):
        class Fails(LogisticRegression):
            def fit(self, X, y):
                raise ValueError("no")

        with pytest.raises(ValueError, match="no"):
            s.cross_val_score(Fails(), X, Y, cv=CV, store=traced.path, error_score="raise")
        assert not traced.path.exists() or entries(traced.path) == []

    def test_unseeded_estimators_are_kept_and_said(self, traced):
        models = {"a": TracedTree(str(traced.trace)), "b": traced.deep}
        code = "unseeded fits in a store"
        assert code not in [note.code for note in traced.compare(models)[1].notes]
        n_fits, again = traced.compare(models)
        (note,) = [note for note in again.notes if note.code == code]
        assert n_fits == 0
        assert "fits of 'a' come from the store and have no random_state" in note.text
        assert code not in [note.code for note in traced.compare()[1].notes]


class Nameless(FixedTree):
    def __repr__(self, N_CHAR_MAX=700):
        raise AttributeError("no representation")


def test_an_estimator_that_cannot_be_written_is_kept(traced):
    models = {"nameless": Nameless(str(traced.trace)), "deep": traced.deep}
    n_fits, result = traced.compare(models)
    assert (n_fits, traced.compare(models)[0]) == (12, 0)
    assert result.scores.provenance["estimators"]["nameless"] == "Nameless"


class TestDamage:
    """What is not what was written is fitted again."""

    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE fits SET content = replace(content, '0.', '1.')",
            "UPDATE fits SET content = substr(content, 1, length(content) - 3)",
            "UPDATE fits SET checksum = zeroblob(16)",
            "UPDATE fits SET losses = randomblob(120)",
            "UPDATE fits SET content = zeroblob(2000000)",
            "UPDATE fits SET content = NULL",
            "UPDATE fits SET losses = 'text of 15 rows'",
            "UPDATE fits SET losses = CAST(losses AS TEXT)",  # one bit of the file, and no UTF-8
            "UPDATE fits SET checksum = CAST(checksum AS TEXT)",
            "UPDATE fits SET content = CAST(x'ff' AS TEXT)",
            "UPDATE fits SET key = CAST(key AS TEXT)",
            "UPDATE fits SET key = NULL",
            "UPDATE fits SET (content, checksum) = "
            "(SELECT content, checksum FROM fits WHERE rowid = 1)",  # those of another fit
        ],
    )
    def test_a_damaged_entry_is_fitted_again_and_replaced(self, traced, statement):
        expected = traced.compare(method=OnRows())[1].scores.row_scores.values.tobytes()
        change(traced.path, f"{statement} WHERE rowid = 3")
        n_fits, found = traced.compare(method=OnRows())
        assert n_fits == 1
        assert found.scores.row_scores.values.tobytes() == expected
        assert traced.compare(method=OnRows())[0] == 0

    def test_types_that_no_fit_has_under_a_right_checksum(self, traced):
        expected = traced.compare()[1].scores.values.tobytes()
        wrong = (b"1", b'{"rank": 0.5}', b'{"scores": 0.5}', b'{"scores": {"accuracy": "x"}}')
        wrong = (*wrong, b'{"fit_time": "0.5"}', b"[" * 10_000)
        wrong = (*wrong, b'{"observed": []}', b'{"observed": {"other": []}}')
        wrong = (*wrong, b'{"observed": {"warnings": [["here", "builtins", "UserWarning"]]}}')
        wrong = (*wrong, b'{"observed": {"label metrics": [0]}}')
        for content, (key, *_) in zip(wrong, entries(traced.path), strict=False):
            checksum = checksum_of(key, content)
            statement = "UPDATE fits SET content = ?, checksum = ? WHERE key = ?"
            change(traced.path, statement, content, checksum, key)
        n_fits, found = traced.compare()
        assert (n_fits, found.scores.values.tobytes()) == (10, expected)

    @pytest.mark.parametrize("left", [50, 4096, 5000, 9000, 20_000])
    @pytest.mark.parametrize("filled", [True, False])
    def test_the_rest_of_the_file_is_zeros_or_not_there(self, traced, left, filled):
        expected = traced.compare()[1].scores.values.tobytes()
        change(traced.path, "PRAGMA journal_mode = delete")
        content = traced.path.read_bytes()
        traced.path.write_bytes(content[:left] + bytes(filled * (len(content) - left)))
        for _ in range(2):
            with pytest.warns(UserWarning, match=r"fits.db' is damaged .*; fitting continues"):
                n_fits, found = traced.compare()
            assert n_fits > 0
            assert found.scores.values.tobytes() == expected
        assert [path.name for path in traced.path.parent.glob("*damaged*")] == []


def test_fits_go_on_where_a_store_stays_locked(traced, monkeypatch):
    traced.compare()
    monkeypatch.setattr(_store, "_PATIENCE", 0.1)
    with closing(sqlite3.connect(traced.path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.warns(UserWarning, match="locked.*Another program has locked"):
            assert traced.compare(cv=s.RepeatedSubsampleSplit(7, random_state=0))[0] == 2
    assert traced.compare(cv=s.RepeatedSubsampleSplit(7, random_state=0))[0] == 2


class TestBadFiles:
    """Refused before anything is fitted, and left as they are."""

    def refused(self, traced, path, message):
        before = counts(traced.trace)
        with pytest.raises(ValueError, match=message):
            traced.compare(store=path)
        assert counts(traced.trace) == before

    @pytest.mark.parametrize(
        ("spoil", "message"),
        [
            (b"years of work", r"fits.db' is not a store of fits; give the path of a new"),
            ("PRAGMA user_version = 7", "is a store of version 7; this skcvstats reads and"),
            ("CREATE TABLE accounts (name TEXT)", "is an SQLite file of another program"),
        ],
    )
    def test_no_store_of_this_version(self, traced, spoil, message):
        """It is some text, of a later version, or made by others."""
        traced.compare()
        if isinstance(spoil, str):
            if "CREATE" in spoil:
                traced.path.unlink()
            change(traced.path, spoil)
        else:
            traced.path.write_bytes(spoil)
        before = traced.path.read_bytes()
        self.refused(traced, traced.path, message)
        assert traced.path.read_bytes() == before

    def test_the_version_comes_before_the_tables(self, traced):
        """Those of another version may differ."""
        traced.compare()
        change(traced.path, "ALTER TABLE fits ADD COLUMN more")
        self.refused(traced, traced.path, "has other tables than a store")
        change(traced.path, "PRAGMA user_version = 7")
        self.refused(traced, traced.path, "is a store of version 7")

    def test_places_where_no_file_can_be(self, traced, tmp_path, monkeypatch):
        self.refused(traced, tmp_path, "is no ordinary file; give the path of a new file")
        self.refused(traced, tmp_path / "none" / "x.db", "there is no directory .*none")
        os.symlink(tmp_path / "loop", tmp_path / "loop")
        self.refused(traced, tmp_path / "loop", "cannot be a file: Too many levels of symbolic")
        os.symlink(tmp_path / "gone" / "x.db", tmp_path / "link")
        self.refused(traced, tmp_path / "link", "link': there is no directory .*gone'. Make it")
        self.refused(traced, "/dev/null", "is no ordinary file")
        stat = Path.stat

        def refuse_closed(path, **options):
            if path.parent.name == "closed":
                raise PermissionError(errno.EACCES, "Permission denied", str(path))
            return stat(path, **options)

        monkeypatch.setattr(Path, "stat", refuse_closed)  # nothing is closed to root
        self.refused(traced, tmp_path / "closed" / "x.db", "cannot be a file: Permission denied")
        for wrong in (3, "", b"fits.db"):
            with pytest.raises(TypeError, match=r"store=.* must be a path: a non-empty string"):
                traced.compare(store=wrong)

    @pytest.mark.parametrize("name", [":memory:", "file:fits.db?mode=memory", "it's %41 ä.db"])
    def test_names_that_have_a_meaning_in_sqlite(self, traced, tmp_path, monkeypatch, name):
        monkeypatch.chdir(tmp_path)
        traced.compare(store=name)
        assert (tmp_path / name).stat().st_size > 0
        assert traced.compare(store=name)[0] == 0


@contextmanager
def a_disk(folder, options):
    try:
        with mounted(folder, options):
            yield
    except CannotBeMadeError as error:
        pytest.skip(str(error))


class Ill(FixedTree):
    """Does something bad once, after some fits."""

    def __init__(self, trace=None, max_depth=None, after=0, does=None):
        super().__init__(trace, max_depth)
        self.after, self.does = after, does

    def fit(self, X, y):
        if counts(Path(self.trace))[1] == self.after and not os.path.exists(f"{self.trace}.done"):
            Path(f"{self.trace}.done").touch()
            self.does()
        return super().fit(X, y)


def interrupt():
    raise KeyboardInterrupt


@pytest.mark.processes
class TestDisk:
    """Without room or permission a warning, and the same scores."""

    @pytest.fixture
    def disk(self, tmp_path):
        folder = tmp_path / "disk"
        folder.mkdir()
        return folder

    def compare(self, traced, n_splits):
        """Return what is said of the store, how many fits there were, and the scores."""
        cv = s.RepeatedSubsampleSplit(n_splits, random_state=0)
        with warnings.catch_warnings(record=True, action="always") as caught:
            n_fits, found = traced.compare(cv=cv, verbose=1)
        said = [one for one in caught if "cannot be used" in str(one.message)]
        assert {one.filename for one in said} <= {__file__}
        return [str(one.message) for one in said], n_fits, found.scores.values.tobytes()

    def test_on_a_full_disk_the_fits_go_on_without_being_kept(self, traced, disk):
        cv = s.RepeatedSubsampleSplit(40, random_state=0)
        expected = traced.compare(cv=cv, store=None)[1].scores.values.tobytes()
        with a_disk(disk, "size=250k"):
            traced.path = disk / "fits.db"
            for n_most in (80, 79):  # the second call finds what the first one kept
                (said,), n_fits, values = self.compare(traced, 40)
                assert "is full); fitting continues, but further fits are not stored" in said
                assert said.endswith("Make room on its disk and call again.")
                assert (0 < n_fits <= n_most, values) == (True, expected)
            subprocess.run(["mount", "-o", "remount,size=50m", disk], check=True)
            for n_most in (79, 0):
                said, n_fits, values = self.compare(traced, 40)
                assert (said, n_fits <= n_most, values) == ([], True, expected)

    @needs_posix
    def test_that_takes_no_larger_file(self, traced):
        resource = pytest.importorskip("resource")
        expected = traced.compare(store=None)[1].scores.values.tobytes()
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, hard))
        try:
            (said,), n_fits, values = self.compare(traced, 6)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert "fitting continues, but further fits are not stored" in said
        assert (n_fits, values) == (12, expected)
        assert self.compare(traced, 6)[::2] == ([], expected)

    @needs_posix
    def test_that_is_read_only(self, traced, disk):
        """What is there is used."""
        traced.path = disk / "fits.db"
        with a_disk(disk, "size=50m"):
            values = self.compare(traced, 6)[-1]
            subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
            assert self.compare(traced, 6) == ([], 0, values)
            (said,), n_fits, _ = self.compare(traced, 8)
            assert n_fits == 4
            assert "attempt to write a readonly database" in said
            assert said.endswith("Give a path in a folder where you may write.")
            traced.path = disk / "other.db"
            (said,), n_fits, again = self.compare(traced, 6)
            assert (n_fits, again) == (12, values)
            assert "unable to open database file" in said


def test_a_disk_that_is_taken_away(traced, tmp_path):
    expected = traced.compare(store=None)[1].scores.values.tobytes()
    traced.path = tmp_path / "disk" / "fits.db"
    traced.path.parent.mkdir()
    removes = partial(shutil.rmtree, traced.path.parent)
    models = traced.models | {"deep": Ill(str(traced.trace), after=17, does=removes)}
    with pytest.warns(UserWarning, match="was removed while the fits ran; those of this call"):
        n_fits, found = traced.compare(models)
    assert (n_fits, found.scores.values.tobytes()) == (12, expected)


COMPARE = """
from pathlib import Path
from tests.fitting.traced import scores
from tests.fitting.estimators import wait_for

print("ready", flush=True)
wait_for("go")
here = Path.cwd()
print(scores(here / "trace", 30, 150, store=here / "fits.db").hex())
"""


def test_another_process_that_makes_the_store_first(traced, monkeypatch):
    tables = _store.FitStore._tables

    def late(store):
        monkeypatch.undo()
        _store.FitStore(traced.path).close()
        return tables(store)

    monkeypatch.setattr(_store.FitStore, "_tables", late)
    assert traced.compare()[0] == 12
    assert traced.compare()[0] == 0


@pytest.mark.faults
def test_two_processes_at_once(tmp_path):
    processes = [start(["-c", COMPARE], stdout=subprocess.PIPE, cwd=tmp_path) for _ in range(2)]
    with ExitStack() as stack:
        for process in processes:
            stack.callback(end, process)
        assert [process.stdout.readline() for process in processes] == ["ready\n"] * 2
        (tmp_path / "go").touch()
        found = [process.stdout.read().strip() for process in processes]
    before = counts(tmp_path / "trace")
    expected = scores(tmp_path / "trace", 30, 150, store=tmp_path / "fits.db").hex()
    assert counts(tmp_path / "trace") == before
    assert found == [expected] * 2


@needs_posix
@pytest.mark.faults
@pytest.mark.parametrize(
    ("who", "n_jobs", "n_kills"),
    [("the process", 1, 3), ("the process and its workers", 2, 1), ("a worker", 2, 1)],
)
def test_killed_and_resumed(who, n_jobs, n_kills):
    # In a process of its own: it forks, which a process must not that has used joblib's workers.
    call = f"killed({who!r}, {n_jobs}, {n_kills}, n_splits=24, n_rows=800, longest=0.15)"
    code = f"import json; from tests.fitting.killed import killed; print(json.dumps({call}))"
    done = run(["-c", code], cwd=ROOT)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["kills"] == n_kills
    assert found["other_bits"] == 0
    assert 0 <= found["done"] <= found["begun"] == found["lost"]
    if n_jobs == 1:  # at most the fit that was running; else the chunks on their way
        assert found["lost"] <= n_kills


def test_an_interrupt_says_where_the_fits_are(traced):
    models = traced.models | {"deep": Ill(str(traced.trace), after=5, does=interrupt)}
    with pytest.raises(KeyboardInterrupt) as caught:
        traced.compare(models)
    kept = f"skcvstats: the fits that were finished are kept in {traced.path}"
    assert kept in caught.value.__notes__
    assert len(entries(traced.path)) == 5
    assert traced.compare(models)[0] == 7
