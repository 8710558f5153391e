"""What takes long says on stderr how long it will take: one line where there is no terminal."""

import re
import time
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from itertools import count

import numpy as np
import pandas as pd
import pytest

from skcvstats.command_line import main

RANDOM = np.random.default_rng(0)
N = 60
Y = RANDOM.integers(0, 3, N)
LINE = r"leaving out rows: [0-9]+/[0-9]+ \w+, about [0-9]+ s left\n"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "test.csv"
    columns = {name: np.where(RANDOM.random(N) < share, Y, 0) for name, share in SHARES.items()}
    pd.DataFrame({"y": Y, **columns, "fold": np.arange(N) % 4}).to_csv(path, index=False)
    return path


SHARES = {"a": 0.6, "b": 0.9}
OUT_OF_FOLD = ("--folds", "fold", "--scoring", "f1_macro")


def waited(run, monkeypatch, file, *options, seconds):
    ticks = count(0, seconds)
    with monkeypatch.context() as patch:
        patch.setattr(time, "perf_counter", lambda: float(next(ticks)))
        return run("predictions", file, "--target", "y", *options)[2]


def test_one_line_without_a_terminal(run, monkeypatch, file):
    error = waited(run, monkeypatch, file, *OUT_OF_FOLD, seconds=3)
    assert re.findall(LINE, error) == ["leaving out rows: 1/4 folds, about 9 s left\n"]
    assert not re.findall(LINE, waited(run, monkeypatch, file, *OUT_OF_FOLD, seconds=0.01))


def test_a_metric_that_is_called_for_each_row(run, monkeypatch, file):
    options = ("--drop", "fold", "--scoring", "neg_max_error")
    assert "leaving" not in waited(run, monkeypatch, file, *options, seconds=3)
    options = ("--drop", "fold", "--scoring", "adjusted_rand_score")
    error = waited(run, monkeypatch, file, *options, seconds=3)
    assert len(re.findall("about [0-9]+ s left", error)) == 1


class Terminal(StringIO):
    def isatty(self):
        return True


def test_a_bar_on_a_terminal(file):
    pytest.importorskip("tqdm")  # without it there are lines
    with redirect_stdout(StringIO()), redirect_stderr(Terminal()) as error:
        main(["predictions", str(file), "--target", "y", *OUT_OF_FOLD])
    assert "4/4" in error.getvalue()
    assert not re.findall(LINE, error.getvalue())
