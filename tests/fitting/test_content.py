"""Fingerprints of values: the same in every process, and different for different values."""

import linecache
import os
import shutil
import sys
import threading
import types
from functools import cache, partial, wraps
from pathlib import Path
from textwrap import dedent

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from scipy.stats import uniform
from sklearn import config_context
from sklearn.ensemble import RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, make_scorer, r2_score
from sklearn.model_selection import GridSearchCV, KFold, RandomizedSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from skcvstats import compare_estimators
from tests.fitting.fingerprints import digest, digests, read_arrays_by_bytes, set_versions
from tests.processes import ROOT, run

TABLE = np.arange(12.0).reshape(6, 2)
FRAME = pd.DataFrame({"a": [1, 2], "b": ["x", None]})
DATES = pd.Series(pd.to_datetime(["2020-01-01", "2021-01-01"]))
FACTOR = 3


def times(x):
    return x * FACTOR


def other_times(x):
    return x * (FACTOR + 1)


def fitted(slope):
    return LogisticRegression().fit([[0.0], [slope]], [0, 1])


def learnt(model):
    """Return a function that uses what a model has learnt."""
    return lambda X: model.predict(X)


def with_attribute(value):
    def function():
        return 0

    function.value = value
    return function


def asks_for_weights(asks):
    with config_context(enable_metadata_routing=True):
        return Ridge().set_fit_request(sample_weight=asks)


def scaled(function, factor):
    """Return a function that has the other one's name."""

    @wraps(function)
    def inner(*arguments):
        return function(*arguments) * factor

    return inner


def made_with(**members):
    """Return a Ridge with other members; its class gets the module of its metaclass, ``abc``."""
    return type("Ridge", (Ridge,), members)()


def ping(n):
    return PINGS if n == 0 else pong(n - 1)


def pong(n):
    return 0 if n == 0 else ping(n - 1)


PINGS = 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *((1, 1.0), (1, True), ("1", b"1"), (0.0, -0.0), (["ab", "c"], ["a", "bc"])),
        *(([1, [2]], [[1], 2]), ((1, 2), [1, 2]), ({"a": 1}, {"a": 2})),
        *(({"a": 1, "b": 2}, {"b": 2, "a": 1}), ({"a", "b"}, {"a", "c"})),
        *((slice(1), slice(2)), (Path("a"), Path("b")), (partial(times, 1), partial(times, 2))),
        (np.arange(3, dtype="<i4"), np.arange(3, dtype="<i8")), (TABLE, np.asfortranarray(TABLE)),
        (TABLE, TABLE + 1e-15), (TABLE[:, ::2], TABLE[:, 1::2]),
        (np.array(["a", None], dtype=object), np.array(["a", "None"], dtype=object)),
        (np.ma.masked_array([1, 2], [True, False]), np.ma.masked_array([1, 2], [False, True])),
        (FRAME, FRAME.rename(columns={"a": "c"})), (FRAME, FRAME.astype({"a": float})),
        (FRAME, FRAME.set_index(pd.Index([1, 0]))), (FRAME, FRAME.astype({"b": "category"})),
        (FRAME["a"], FRAME["a"].rename("z")),
        (FRAME.astype({"a": "Int64"}), FRAME.astype({"a": "Int64"}).replace({"a": {1: 5}})),
        (DATES.dt.tz_localize("UTC"), DATES.dt.tz_localize("CET")),
        (sp.eye(4).tocsr(), sp.eye(4).tocsc()), (sp.eye(4).tolil(), (sp.eye(4) * 2).tolil()),
        (sp.eye(4).todok(), (sp.eye(4) * 2).todok()), (sp.eye(4).tocoo(), sp.eye(4, k=1).tocoo()),
        (Ridge(), Ridge(alpha=2)), (Ridge(), LogisticRegression()),
        (StandardScaler(), StandardScaler().set_output(transform="pandas")),
        (GridSearchCV(Ridge(), {}, cv=KFold(3)), GridSearchCV(Ridge(), {}, cv=KFold(4))),
        tuple(RandomizedSearchCV(Ridge(), {"alpha": uniform(0, k)}) for k in (1, 2)),
        tuple(RandomForestClassifier(random_state=np.random.RandomState(k)) for k in (0, 1)),
        (FrozenEstimator(fitted(1.0)), FrozenEstimator(fitted(2.0))),
        (FunctionTransformer(fitted(1.0).predict), FunctionTransformer(fitted(2.0).predict)),
        (FunctionTransformer(times), FunctionTransformer(other_times)),
        (FunctionTransformer(lambda x: x), FunctionTransformer(lambda x: x + 1)),
        (FunctionTransformer(np.log), FunctionTransformer(np.log1p)),
        (cache(lambda x: x), cache(lambda x: x + 1)), (with_attribute(1), with_attribute(2)),
        (accuracy_score, scaled(accuracy_score, 2)),
        (scaled(accuracy_score, 1), scaled(accuracy_score, 2)),
        (made_with(limit=1), made_with(limit=2)),
        (made_with(__module__=Ridge.__module__, limit=1), Ridge()),
        (made_with(__call__=partial(int, "1")), made_with(__call__=partial(int, "2"))),
        (asks_for_weights(True), asks_for_weights(False)),
        (make_scorer(r2_score), make_scorer(r2_score, greater_is_better=False)),
        (np.random.default_rng(0), np.random.default_rng(1)),
    ],
)  # fmt: skip
def test_different_values_have_different_fingerprints(one, other):
    assert digest(one) != digest(other)
    assert digest(one) == digest(one)
    assert digest([one]) != digest([other])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (RandomForestClassifier(n_jobs=1), RandomForestClassifier(n_jobs=2, verbose=3)),
        (make_pipeline(Ridge()), make_pipeline(Ridge(), memory="somewhere")),
        (LogisticRegression(), fitted(3.0)),  # what it has learnt is not cloned
        (TABLE[:, :1], TABLE[:, :1].copy()),  # rows taken from them are the same in memory
        (TABLE[::-2], TABLE[::-2].copy()),
    ],
)
def test_equal_content_has_one_fingerprint(one, other):
    assert digest(one) == digest(other)


def test_a_memory_map_is_the_array_and_a_value_may_hold_itself(tmp_path):
    np.save(tmp_path / "table.npy", TABLE)
    assert digest(np.load(tmp_path / "table.npy", mmap_mode="r")) == digest(TABLE)
    one = [1]
    one.append(one)
    assert digest(one) == digest(one) != digest([1, [1]])


def with_a_closure():
    class Local(Ridge):
        def fit(self, X, y):
            return local

    local = Local()
    return local


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (np.frompyfunc(lambda x: x + 1, 1, 1), "no package has it under its name"),
        (FunctionTransformer(learnt(fitted(1.0))), "it is a closure with model"),
        (with_a_closure(), "it is a closure with local"),
        ([sys.modules[__name__]], "cannot pickle 'module' object"),
        (threading.Lock(), "cannot pickle '_thread.lock' object"),
    ],
)
def test_values_without_identifiable_content_are_refused(value, why):
    with pytest.raises(ValueError, match=f"cannot be identified by its content.*{why}"):
        digest(value)


def test_the_size_of_parts_does_not_change_the_fingerprint_of_an_array(monkeypatch):
    tables = TABLE, TABLE[:, ::2], np.asfortranarray(TABLE), np.array(1.0), np.empty((0, 3))
    expected = [digest(table) for table in tables]
    read_arrays_by_bytes(monkeypatch, 9)
    assert [digest(table) for table in tables] == expected


def test_functions_that_call_each_other(monkeypatch):
    alone = digest(pong)
    of_ping, of_pong = digests(ping, pong)
    assert of_ping != of_pong == alone
    monkeypatch.setitem(globals(), "PINGS", 2)
    assert digests(ping, pong)[1] != alone


def test_a_global_that_a_function_uses_and_the_version_of_a_package_count(monkeypatch):
    before = digest(times), digest(Ridge())
    monkeypatch.setitem(globals(), "FACTOR", 4)
    assert digest(times) != before[0]
    set_versions(monkeypatch, 99)
    assert digest(Ridge()) != before[1]


MODULE = """
    from collections import namedtuple
    from dataclasses import dataclass, field
    from functools import cache, wraps

    import numpy as np
    from sklearn.base import BaseEstimator, ClassifierMixin

    LIMIT = 0.5
    COLOURS = {"red", "green", "blue", "white"}
    Sides = namedtuple("Sides", "left right")

    @dataclass
    class Limits:
        low: float = LIMIT
        others: list = field(default_factory=lambda: [1])

    def times(factor):
        def outer(function):
            @wraps(function)
            def inner(x):
                return function(x) * factor
            return inner
        return outer

    @times(1)
    def helper(x):
        return x > Limits().low if "black" not in COLOURS | {"red", "green", "blue"} else cached(x)

    @cache
    def cached(x):
        return Sides(x, x)

    class Mine(ClassifierMixin, BaseEstimator):
        def __init__(self, rate=1.0):
            super().__init__()
            self.rate = rate

        def fit(self, X, y):
            self.classes_ = np.unique(y)
            return self

        def predict(self, X):
            return self.classes_[helper(X[:, 0]).astype(int)]
"""
SHOW = """
    if __name__ == "__main__":
        from tests.fitting.fingerprints import digest
        print(digest(Mine()).hex())
"""


def shown(folder, module, script=None, seed="1"):
    """Return the digest of an estimator of a script, or of a module that a script imports."""
    path = folder / "mine.py"
    path.write_text(dedent(module) + dedent(SHOW))
    if script is not None:
        path = folder / "script.py"
        path.write_text(script + dedent(SHOW))
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed}  # orders of sets
    return run([str(path)], check=True, env=environment).stdout.strip()


@pytest.mark.slow
def test_a_class_has_one_fingerprint_in_any_process_and_its_code_counts(tmp_path):
    """It has one digest in any process and script; its own file, and what it leads to, count."""
    here = shown(tmp_path, MODULE, seed="2")
    for script in ("from mine import Mine\n", "from mine import *  # another script\n"):
        assert shown(tmp_path, MODULE, script) == here
    paths = []
    changes = [("of no use", ""), ("LIMIT = 0.5", "LIMIT = 0.6"), ("x > Limits", "x < Limits")]
    changes += [("@times(1)", "@times(2)"), ("import BaseE", "import  BaseE"), ("[1]", "[2]")]
    for change in changes:
        paths.append(tmp_path / f"changed_{len(paths)}.py")
        paths[-1].write_text(dedent(MODULE.replace(*change)) + dedent(SHOW))
    # each as the main script, one after the other
    code = "import runpy, sys; [runpy.run_path(p, run_name='__main__') for p in sys.argv[1:]]"
    same, *changed = run(["-c", code, *paths], check=True).stdout.split()
    assert same == here
    assert len({here, *changed}) == len(changes)


def digest_in_cells(*cells):
    """Return the digest of an estimator of a notebook, whose cells IPython puts into linecache."""
    main = types.ModuleType("__main__").__dict__
    for k, cell in enumerate(cells):
        linecache.cache[f"<cell {k}>"] = len(cell), None, cell.splitlines(True), f"<cell {k}>"
        exec(compile(cell, f"<cell {k}>", "exec"), main)
    return digest(main["Own"]())


def test_cells_of_a_notebook():
    """Those that a class leads to count, with their comments, and no others."""
    own = "class Own(Ridge):\n    def fit(self, X, y):\n        return scaled(X)"
    helper = "from sklearn.linear_model import Ridge\ndef scaled(x):\n    return x"
    here = digest_in_cells(helper, own)
    assert digest_in_cells(helper, own, "more = 1") == here
    for changed in ((helper, own + "  # same"), (helper + "  # same", own), (helper + " + 1", own)):
        assert digest_in_cells(*changed) != here


READS = """
    def reads():
        from {name} import LIMIT
        return LIMIT

    Mine = lambda: reads
"""
DEEPER = "from deepest import LIMIT\n" + dedent(MODULE).replace("LIMIT = 0.5", "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "script", "module"),
    [
        ("beside", READS.format(name="beside"), ""),
        ("code", READS.format(name="code"), ""),  # as a module of Python's own
        ("deepest", "from mine import Mine\n", DEEPER),
    ],
    ids=["imported when it runs", "by a name of Python's own", "imported by another module"],
)
def test_constants_of_a_module_beside_the_script_count(tmp_path, name, script, module):
    """It lies beside the script, and its constant counts."""
    digests = set()
    for limit in (1, 2):
        (tmp_path / f"{name}.py").write_text(f"LIMIT = {limit} + 0")
        digests.add(shown(tmp_path, module, dedent(script)))
        shutil.rmtree(tmp_path / "__pycache__", ignore_errors=True)
    assert len(digests) == 2


class Secretive(LogisticRegression):
    def __init__(self, key=None):
        super().__init__()
        self.key = key


class Odd(list):
    """Data that nothing can be known of."""

    def __reduce_ex__(self, protocol):
        raise TypeError("no")


@pytest.mark.filterwarnings("ignore::skcvstats.exceptions.DegenerateScoresWarning")
def test_what_cannot_be_told_is_not_kept(tmp_path):
    X, y = np.random.default_rng(0).normal(size=(60, 2)), np.arange(60) % 2
    plain = {"plain": LogisticRegression(C=2)}
    with open(os.devnull) as handle:
        models = plain | {"secret": Secretive(key=handle.fileno)}
        with pytest.warns(UserWarning, match=r"keeps no fits of 'secret': .*cannot be"):
            first = compare_estimators(models, X, y, store=tmp_path / "fits.db")
    assert first.scores.shape == (2, 20)
    models = plain | {"other": LogisticRegression()}
    with pytest.warns(UserWarning, match="keeps no fits of this call: .* cannot be"):
        compare_estimators(models, Odd(X.tolist()), y, store=tmp_path / "fits.db")
