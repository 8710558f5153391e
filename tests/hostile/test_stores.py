"""Stores from anybody: the same numbers come out, or one clear error."""

import random
import sqlite3
import time
import warnings
from contextlib import closing

import pytest
from sklearn.dummy import DummyClassifier

from skcvstats import RepeatedSubsampleSplit, cross_val_score
from tests.data import iris

X, Y = iris()
pytestmark = pytest.mark.processes
CV = RepeatedSubsampleSplit(4, random_state=0)
N_CASES = 100


def score(path=None):
    """Return the scores; what is damaged is told by warnings, which are not asked for here."""
    model = DummyClassifier(strategy="stratified", random_state=0)
    with warnings.catch_warnings(action="ignore", category=UserWarning):
        return cross_val_score(model, X, Y, cv=CV, store=path).values


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """The bytes of a store; its clocks stand still, so that they are the same each time."""
    path = tmp_path_factory.mktemp("store") / "fits.db"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "perf_counter", lambda: 0.0)
        patch.setattr(time, "time", lambda: 1709208000.0)
        score(path)
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode = delete")
    return path.read_bytes()


def test_changed_bytes(store, tmp_path):
    draw, expected = random.Random(0), score()
    refused = []
    for k in range(N_CASES):
        path = tmp_path / f"{k}.db"
        content = bytearray(store)
        for _ in range(draw.choice([1, 10, 1000])):
            # the first page has the tables and the last ones the entries; most bytes are empty
            place = draw.choice([draw.randrange(200), draw.randrange(len(store))])
            content[place] = draw.randrange(256)
        path.write_bytes(content[: draw.choice([None, draw.randrange(len(store))])])
        try:
            found = score(path)
        except ValueError as error:
            refused.append((str(path) in str(error), error))
        else:
            assert found.tobytes() == expected.tobytes()
    assert 0 < len(refused) < N_CASES
    assert [error for is_named, error in refused if not is_named] == []


ENDLESS = "WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more) "
SCHEMAS = {
    "a view without an end": [
        "DROP TABLE fits",
        f"CREATE VIEW fits AS {ENDLESS} SELECT n AS key, 1 AS model, 0.0 AS written, "
        "n AS content, NULL AS losses, n AS checksum FROM more",
    ],
    "a trigger": [
        "DELETE FROM fits",
        f"CREATE VIEW endless AS {ENDLESS} SELECT n FROM more",
        "CREATE TRIGGER late AFTER INSERT ON fits BEGIN SELECT count(*) FROM endless; END",
    ],
    "a column that is computed": [
        "DROP TABLE fits",
        "CREATE TABLE fits (key BLOB PRIMARY KEY, model INTEGER, written REAL, content BLOB, "
        "losses BLOB, checksum BLOB AS (hex(zeroblob(100000000))))",
    ],
    "a table too few": ["DROP TABLE models"],
    "a table too many": ["CREATE TABLE more (x)"],
}


@pytest.mark.parametrize("name", SCHEMAS)
def test_other_tables(store, tmp_path, name):
    """SQL in a file would be run when the file is read, and need not end."""
    path = tmp_path / "fits.db"
    path.write_bytes(store)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in SCHEMAS[name]:
            db.execute(statement)
    with pytest.raises(ValueError, match="other tables than a store"):
        score(path)
