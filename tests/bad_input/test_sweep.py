"""Every public call: odd values for each argument, and one wrong value of the common ones.

Of an argument that several calls have each of these tries half of the odd values, by turns.
"""

import inspect
import os
import traceback
from datetime import date
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

import skcvstats
from tests.test_copies import NAMES

from .given import N

pytest.importorskip("matplotlib")
from tests.bad_input.public_calls import CALLS

pytestmark = pytest.mark.filterwarnings("ignore")
PACKAGE = os.path.dirname(skcvstats.__file__)
VALUES = {
    "None": None, "True": True, "False": False, "0": 0, "1": 1, "-1": -1, "2": 2,
    "0.5": 0.5, "-0.5": -0.5, "nan": np.nan, "-inf": -np.inf, "1e308": 1e308,
    "1j": 1j, "int8": np.int8(3),
    "NaT": np.datetime64("NaT", "D"), "NA": pd.NA, "date": date(2020, 2, 2), "empty text": "",
    "text": "a", "metric": "accuracy", "bytes": b"a", "Path": Path("a"),
    "[]": [], "[1]": [1], "[None]": [None], "twice": ["a", "a"], "ragged": [[1], [1, 2]],
    "nested": [[[1.0]]], "{}": {}, "dict": {"a": 1}, "dict of integers": {1: "a"}, "set": {1, 2},
    "range": range(N), "iterator": iter(()), "array of none": np.array([]),
    "array of one": np.array(3.0), "2 x 2": np.ones((2, 2)), "2 x 0": np.ones((2, 0)),
    "missing": np.full(N, np.nan), "huge": np.full(N, 1e308), "words": np.full(N, "a"),
    "objects": np.array([object()] * N), "masked": np.ma.masked_all(N),
    "records": np.zeros(N, dtype=[("a", float), ("b", int)]),
    "dates": np.full(N, "2020-02-02", dtype="datetime64[D]"), "sparse": csr_array(np.eye(N)),
    "empty frame": pd.DataFrame(),
    "equal columns": pd.DataFrame(np.ones((N, 2)), columns=["a", "a"]),
    "missing numbers": pd.Series([pd.NA] * N, dtype="Int64"),
    "categories": pd.Categorical(["a", None] * (N // 2)), "object": object(), "class": dict,
    "error": ValueError("a"),
}  # fmt: skip
NOT_CALLED = {
    # Workers would be started, which takes seconds.
    ("n_jobs", "2"),
    ("n_jobs", "-1"),
    ("n_jobs", "int8"),
    # A class can be called, and its own error is shown.
    ("generator", "class"),
    ("scoring", "class"),
    ("records", "class"),
}


def is_ours(error):
    """Whether a line of the package says ``raise``."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return last.filename.startswith(PACKAGE) and last.line.startswith("raise")


def arguments_of(what):
    """Return the names of the arguments that a call takes."""
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    parameters = inspect.signature(what).parameters.values()
    return [one.name for one in parameters if one.kind not in kinds]


ARGUMENTS = {name: arguments_of(call[-2]) for name, call in CALLS.items()}


def values_of(argument, name):
    """Return the odd values that one of the calls with an argument tries."""
    having = [name for name, arguments in ARGUMENTS.items() if argument in arguments]
    n_parts = min(len(having), 2)
    return list(VALUES.items())[having.index(name) % n_parts :: n_parts]


@pytest.mark.sweep
@pytest.mark.parametrize("name", CALLS)
def test_errors_are_ours_or_name_the_argument(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call, *_, options = CALLS[name]
    call(**options)
    raw = []
    for argument in ARGUMENTS[name]:
        for odd, value in values_of(argument, name):
            if (argument, odd) in NOT_CALLED:
                continue
            try:
                call(**{**options, argument: value})
            except Exception as error:
                if not is_ours(error) and argument not in str(error):
                    raw.append(f"{argument}, {odd}: {type(error).__name__}: {error}"[:150])
    assert not raw, "\n".join(raw)


@pytest.mark.sweep
def test_every_public_function_is_called():
    functions = {name for name, part in NAMES.items() if inspect.isfunction(part)}
    assert functions - {"get_procedure_names"} <= CALLS.keys()


# By argument: a wrong value, and what the message says of it. More are in test_shared_arguments.py.
WRONG = {
    "cv": ("five", "cv='five' must be"),
    "margin": (-1, "margin=-1"),
    "method": ("t-test", "='t-test' is not known; choose one of"),
    "null_value": (np.nan, "null_value=nan .*must be a finite number"),
    "reference": ("nobody", "reference='nobody' is not among the .*'.*, '"),
    "fresh_seeds": ("yes", "fresh_seeds='yes' must be True or False"),
    "sample_weight": ([-1.0] * 60, "must be finite and at least 0, but 60 are not"),
    "scoring": ("acuracy", "scoring='acuracy'"),
    "store": (5, "store=5 must be a path"),
    "verbose": (None, "verbose=None .* 0 shows nothing"),
}
# Another argument is at fault first, or nothing is computed that needs it.
NOT_REFUSED = {
    ("compare_candidates", "cv"),
    ("compare_candidates", "scoring"),
    ("compare_losses", "sample_weight"),
}


@pytest.mark.parametrize("argument", WRONG)
def test_a_common_argument_is_refused_everywhere(argument):
    value, said = WRONG[argument]
    n_calls = 0
    for name, (call, *_, options) in CALLS.items():
        if argument in ARGUMENTS[name] and (name, argument) not in NOT_REFUSED:
            with pytest.raises((TypeError, ValueError), match=f"(?s){said}"):
                call(**{**options, argument: value})
            n_calls += 1
    assert n_calls > 2
