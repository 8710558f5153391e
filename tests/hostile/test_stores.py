"""Stores and studies from anybody: the same numbers come out, or one clear error."""

import io
import random
import sqlite3
import struct
import warnings
import zipfile
from contextlib import closing

import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier

from skcvstats import RepeatedSubsampleSplit, cross_val_score, simulate

from ..simulation.studies import Mean, line

X, Y = load_iris(return_X_y=True)
CV = RepeatedSubsampleSplit(4, random_state=0)
N_CASES = 100


def score(path=None):
    """Return the scores; what is damaged is told by warnings, which are not asked for here."""
    model = DummyClassifier(strategy="stratified", random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return cross_val_score(model, X, Y, cv=CV, store=path).values


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    path = tmp_path_factory.mktemp("store") / "fits.db"
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
            content[draw.choice([draw.randrange(200), draw.randrange(len(store))])] = (
                draw.randrange(256)
            )
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


def study(path=None):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        found = simulate(
            line, {"A": Mean()}, ["resampled_t"], n_data_sets=2, path=path, random_state=0
        )
    return found.to_frame()


def header(shape, dtype="<f8"):
    """Return an array file that says it has this shape, and has no numbers."""
    text = f"{{'descr': {dtype!r}, 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode()


def archive(**members):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as file:
        for name, member in members.items():
            file.writestr(f"{name}.npy", member)
    return content.getvalue()


PARTS = {
    "a terabyte that is not there": archive(numbers=header((10**12,)), values=header((1, 1))),
    "more than there are bytes": archive(numbers=header((10**25,)), values=header((1, 1))),
    "objects": archive(numbers=header((1,), "|O"), values=header((1, 1))),
    "code": archive(numbers=b"__import__('os').system('false')"),
    "long texts": archive(numbers=header((1,), "<U900000000"), values=header((1, 1))),
    "paths": archive(**{"../../numbers": header((1,)), "/values": header((1,))}),
    "no archive": b"PK\x05\x06" + bytes(18),
    "an empty file": b"",
}


@pytest.mark.parametrize("name", PARTS)
def test_parts_of_a_study(tmp_path, name):
    """What cannot be a part is set aside, and its data sets are computed again."""
    expected = study()
    pd.testing.assert_frame_equal(study(tmp_path), expected)
    (part,) = tmp_path.glob("part-*.npz")
    part.write_bytes(PARTS[name])
    pd.testing.assert_frame_equal(study(tmp_path), expected)
    assert part.with_suffix(".damaged").read_bytes() == PARTS[name]


def test_changed_bytes_of_a_study(tmp_path):
    draw, expected = random.Random(0), study(tmp_path)
    (part,) = tmp_path.glob("part-*.npz")
    content = part.read_bytes()
    for _ in range(20):
        place = draw.randrange(len(content))
        part.write_bytes(content[:place] + draw.randbytes(3) + content[place + 3 :])
        pd.testing.assert_frame_equal(study(tmp_path), expected)
        for left in (*tmp_path.glob("part-*"),):
            left.unlink()


@pytest.mark.parametrize(
    "written", ["", "[]", "{}", "[" * 10**6, '{"study": 7}', '{"study": {"a": NaN}}', "9" * 10**6]
)
def test_descriptions_of_a_study(tmp_path, written):
    study(tmp_path)
    (tmp_path / "study.json").write_text(written)
    with pytest.raises(ValueError, match=r"study\.json|results of format|another study"):
        study(tmp_path)
