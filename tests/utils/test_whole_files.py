"""Files that are saved: whole or as they were before, and pipes are written to, not replaced."""

import os
from contextlib import contextmanager

import numpy as np
import pytest

from skcvstats import CVScores, SplitDesign, compare_scores, evaluation_report

DESIGN = SplitDesign.from_sizes(90, 10, n_splits=12)
VALUES = np.random.default_rng(0).uniform(size=(2, 12))
SCORES = CVScores(values=VALUES, metric="accuracy", design=DESIGN, labels=("a", "b"))
REPORT = evaluation_report(compare_scores(SCORES))
# The name of a file, what saves it, and what it then contains.
SAVED = {
    "scores.json": (SCORES.save, SCORES.to_json),
    "report.txt": (REPORT.save, lambda: f"{REPORT}\n"),
    "report.md": (REPORT.save, None),  # it names the files of its pictures
}


@contextmanager
def disk_with_room_for(n_bytes):
    """Let no file become larger, as where the disk is full."""
    resource = pytest.importorskip("resource", reason="limits of files are POSIX's")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("name", SAVED)
def test_a_write_that_fails_leaves_the_old_file(name, tmp_path):
    save, _ = SAVED[name]
    path = tmp_path / name
    save(path)
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}
    with disk_with_room_for(200), pytest.raises(OSError, match="File too large"):
        save(path)
    assert {file: file.read_bytes() for file in tmp_path.iterdir()} == before


@pytest.mark.parametrize("name", ["scores.json", "report.txt"])
def test_a_link_leads_to_the_new_content_and_modes_stay(name, tmp_path):
    save, content = SAVED[name]
    target = tmp_path / "elsewhere"
    target.write_text("old")
    target.chmod(0o640)
    (tmp_path / name).symlink_to(target)
    save(str(tmp_path / name))
    assert (tmp_path / name).is_symlink()
    assert target.read_bytes() == content().encode()
    assert target.stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are POSIX's")
@pytest.mark.parametrize("name", ["scores.json", "report.txt"])
def test_a_pipe_is_written_to_and_stays(name, tmp_path):
    save, content = SAVED[name]
    path = tmp_path / name
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    save(path)
    assert os.read(reader, 10**6) == content().encode()
    os.close(reader)
    assert path.is_fifo()
