"""Data that are mapped from a file: every way to change it is noticed, and nothing else is."""

import os
import time
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.dummy import DummyClassifier

from skcvstats import FitError, compare_estimators
from skcvstats.fitting._run import mapped_files, while_unchanged
from tests.fitting.estimators import Busy

CHANGED = "mapped from .*X.npy, which was changed or removed while the fits ran"


@pytest.fixture
def path(tmp_path):
    np.save(tmp_path / "X.npy", np.arange(80.0).reshape(40, 2))
    return tmp_path / "X.npy"


def overwrite(path):
    mapped = np.load(path, mmap_mode="r+")
    mapped[0] = 7
    mapped.flush()


def grow(path):
    with path.open("ab") as file:
        file.write(b"more")


def replace(path):
    other = path.with_name("other.npy")
    np.save(other, np.ones((40, 2)))
    stat = path.stat()
    os.utime(other, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    other.replace(path)


@pytest.mark.parametrize("change", [overwrite, grow, replace, Path.unlink])
def test_a_change_ends_the_records(path, change):
    records = while_unchanged((k for k in range(4)), mapped_files([np.load(path, mmap_mode="r")]))
    assert next(records) == 0
    time.sleep(0.02)  # a clock of file systems may tick every 4 ms
    change(path)
    with pytest.raises(FitError, match=CHANGED):
        next(records)


def test_nothing_is_said_where_nothing_changes(path):
    mapped = np.load(path, mmap_mode="r+")
    mapped[3] = 5  # written before, and maybe not yet on disk
    records = while_unchanged((k for k in range(4)), mapped_files([mapped]))
    assert list(records) == [0, 1, 2, 3]
    assert list(while_unchanged((k for k in "ab"), {})) == ["a", "b"]


def test_the_error_of_a_worker_gives_way_to_its_cause(path):
    def dying():
        yield 0
        grow(path)
        raise FitError("A worker process died")

    records = while_unchanged(dying(), mapped_files([np.load(path, mmap_mode="r")]))
    assert next(records) == 0
    with pytest.raises(FitError, match=CHANGED):
        next(records)


def test_which_arrays_have_files(path):
    mapped = np.load(path, mmap_mode="r")
    matrix = sp.csr_array(np.eye(3))
    matrix.data = np.load(path, mmap_mode="r").reshape(-1)[:3]
    assert mapped_files([np.ones(3), [1, 2], "text", None, mapped.copy(), sp.eye_array(3)]) == {}
    for value in (mapped, mapped[3:], np.asarray(mapped), matrix):
        assert list(mapped_files([value])) == [str(path)]


class Overwrites(Busy):
    def fit(self, X, y):
        overwrite(self.seconds)
        self.classes_ = np.unique(y)
        return self


def test_a_comparison_ends_at_the_first_record_after_it(path):
    models = {"dummy": DummyClassifier(), "overwrites": Overwrites(path)}
    X = np.load(path, mmap_mode="r")
    with pytest.raises(FitError, match=CHANGED) as caught:
        compare_estimators(models, X, np.arange(40) % 2)
    assert "1 of 40 fits were finished (dummy 1, overwrites 0)" in " ".join(caught.value.__notes__)
