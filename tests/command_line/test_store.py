"""``skcvstats store``: what is in a store, and what is removed from it."""

import os
import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from skcvstats import RepeatedSubsampleSplit, cross_val_score
from skcvstats.command_line import main
from skcvstats.fitting import FitStore
from tests.fitting.test_store import change

X, Y = load_iris(return_X_y=True)
CV = RepeatedSubsampleSplit(4, random_state=0)


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """Return a store of 4 fits of a tree and 2 of a forest on other data."""
    path = tmp_path_factory.mktemp("store") / "fits.db"
    cross_val_score(DecisionTreeClassifier(random_state=0), X, Y, cv=CV, store=path)
    forest = RandomForestClassifier(2)
    cross_val_score(forest, X[1:], Y[1:], cv=CV, splits=[0, 1], store=path, scoring="f1_macro")
    change(path, "PRAGMA wal_checkpoint(TRUNCATE)")
    return path


@pytest.fixture
def path(filled, tmp_path):
    """Return a copy of the store, to be changed."""
    return Path(shutil.copy(filled, tmp_path))


def said(capsys, *words):
    status = main(["store", *map(str, words)])
    captured = capsys.readouterr()
    return status, captured.out or captured.err


def test_list(path, capsys):
    change(path, "UPDATE fits SET written = 1709208000.0")  # noon, UTC
    status, text = said(capsys, path)
    head, _, columns, tree, forest = text.splitlines()
    assert status == 0
    with closing(sqlite3.connect(path)) as db:
        (size,) = db.execute("SELECT sum(length(content)) FROM fits").fetchone()
    assert head == f"6 fits of 2 estimators on 2 data sets, {size / 1000:.1f} kB; 0 damaged."
    assert columns.split() == ["data", "fits", "first", "last", "metric", "estimator"]
    assert tree.split()[1:5] == ["4", *["2024-02-29"] * 2, "accuracy"]
    assert tree.endswith("DecisionTreeClassifier(random_state=0)")
    assert forest.split()[1:5] == ["2", *["2024-02-29"] * 2, "f1_macro"]
    assert forest.endswith("RandomForestClassifier(n_estimators=2)")
    assert tree.split()[0] != forest.split()[0]


def test_prune_old_ones_and_those_of_some_data(path, capsys):
    change(path, "UPDATE fits SET written = written - 40 * 86400 WHERE rowid <= 3")
    assert said(capsys, path, "--older-than", 30)[1].startswith("3 fits of 1 estimator")
    removed = "3 fits removed, 0 of them damaged; 3 kept."
    assert said(capsys, path, "--older-than", 30, "--prune") == (0, f"{removed}\n")
    assert said(capsys, path)[1].startswith("3 fits of 2 estimators")
    assert said(capsys, path, "--data", "zz")[1].startswith("0 fits of 0 estimators on 0 data")
    forest = said(capsys, path)[1].splitlines()[4].split()[0]
    assert said(capsys, path, "--data", forest, "--prune")[1].startswith("2 fits removed")
    assert said(capsys, path)[1].startswith("1 fit of 1 estimator on 1 data set")
    said(capsys, path, "--older-than", 0, "--prune")
    assert said(capsys, path)[1] == "0 fits of 0 estimators on 0 data sets, 0.0 kB; 0 damaged.\n"
    assert said(capsys, path, "--data", "zz", "--older-than", 3, "--prune")[1].startswith("0 fits")


def test_prune_damaged_ones_only(path, capsys):
    change(path, "UPDATE fits SET content = zeroblob(9) WHERE rowid = 2")
    change(path, "UPDATE models SET facts = zeroblob(9) WHERE id = 1")
    listed = said(capsys, path)[1]
    assert "; 1 damaged." in listed
    assert "\n?         3  " in listed
    assert said(capsys, path, "--prune")[1] == "1 fit removed, 1 of them damaged; 5 kept.\n"


@pytest.mark.parametrize("value", ["'never'", "NULL", "9e999", "-1"])
def test_a_date_that_is_damaged(path, capsys, value):
    change(path, f"UPDATE fits SET written = {value} WHERE rowid > 4")
    status, listed = said(capsys, path)
    assert (status, listed.split(";")[0][:6]) == (0, "4 fits")
    assert listed.splitlines()[4].split()[1:4] == ["0", "?", "?"]
    assert said(capsys, path, "--older-than", 30, "--prune")[1].startswith("2 fits removed, 2 of")


@pytest.mark.parametrize("value", ["NULL", "CAST(x'ff' AS TEXT)"])
@pytest.mark.parametrize("column", ["key", "losses", "checksum"])
def test_columns_of_other_types_are_removed(path, capsys, column, value):
    change(path, f"UPDATE fits SET {column} = {value} WHERE rowid = 2")
    assert "5 fits of" in said(capsys, path)[1] or (column, value) == ("losses", "NULL")
    said(capsys, path, "--prune")
    assert "; 0 damaged." in said(capsys, path)[1]


@pytest.fixture
def shared(filled):
    """Return a copy of the store in a folder in which all users may write."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    copy = folder / "fits.db"
    shutil.copy(filled, copy)
    yield copy
    shutil.rmtree(folder)


def as_nobody(function):
    """Call a function as a user who does not own the files."""
    os.seteuid(65534)
    try:
        return function()
    finally:
        os.seteuid(0)


ONLY_ROOT = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root")
FITS = {
    "list": lambda path: main(["store", str(path)]),
    "list some": lambda path: main(["store", str(path), "--older-than", "3"]),
    "fits that are there": lambda path: cross_val_score(
        DecisionTreeClassifier(random_state=0), X, Y, cv=CV, store=path
    ),
}


@ONLY_ROOT
@pytest.mark.parametrize("reads", FITS)
@pytest.mark.parametrize("is_open", [False, True])
def test_readers_of_another_user_leave_nothing(shared, reads, is_open):
    """Also while the owner's call has the file open."""
    owner = FitStore(shared) if is_open else None
    before = sorted(shared.parent.iterdir())
    as_nobody(lambda: FITS[reads](shared))
    assert sorted(shared.parent.iterdir()) == before
    if owner is not None:
        owner.close()
    cross_val_score(DecisionTreeClassifier(max_depth=1), X, Y, cv=CV, store=shared)
    with closing(FitStore(shared)) as store:
        assert len([*store.entries()]) == 10
    assert [*shared.parent.iterdir()] == [shared]


@ONLY_ROOT
def test_fits_of_another_user_go_on_without_being_kept(shared):
    model = DecisionTreeClassifier(max_depth=1)
    with pytest.warns(UserWarning, match="attempt to write a readonly database"):
        as_nobody(lambda: cross_val_score(model, X, Y, cv=CV, store=shared))
    assert [*shared.parent.iterdir()] == [shared]


def test_a_list_leaves_nothing_beside_the_file(path, capsys):
    before = path.read_bytes()
    assert said(capsys, path)[0] == 0
    assert path.read_bytes() == before
    assert [*path.parent.iterdir()] == [path]


@pytest.mark.parametrize("content", [b"x", b"SQLite", b"SQLite format 3", bytes(1), bytes(99)])
def test_a_file_of_a_few_bytes_is_no_store(tmp_path, capsys, content):
    path = tmp_path / "fits.db"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="is not a store of fits"):
        cross_val_score(DecisionTreeClassifier(random_state=0), X, Y, cv=CV, store=path)
    for options in ((), ("--prune",)):
        status, text = said(capsys, path, *options)
        assert (status, "is not a store of fits" in text) == (2, True)
    assert path.read_bytes() == content
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize(
    ("write", "message"),
    [
        (lambda path: path.unlink(), "does not exist"),
        (lambda path: path.write_bytes(b""), "fits.db' is empty."),
        (lambda path: path.write_bytes(path.read_bytes()[:5000]), "malformed. Remove it, or"),
        (lambda path: path.with_name("fits.db-wal").mkdir(), "file. Give a path in a folder where"),
    ],
)
def test_bad_files(path, capsys, write, message):
    change(path, "PRAGMA journal_mode = delete")
    write(path)
    status, text = said(capsys, path)
    assert status == 2
    assert text.count("\n") == 1
    assert message in text
