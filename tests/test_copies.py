"""Every public object survives pickle, cloudpickle, copy and deepcopy with all that it contains."""

import copy
import inspect
import pickle
import re
import warnings
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from functools import cached_property
from importlib import import_module

import cloudpickle
import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB

import skcvstats as s

from .bad_input.public_calls import CALLS, ESTIMATES, OF_ROWS, PLAN, REPORT, RESULT, SEARCH, TEST

pytest.importorskip("matplotlib")

_ROOMS = ("exceptions", "plotting", "simulation", "stats", "test_set", "theory", "words")
NAMES = {name: getattr(s, name) for name in s.__all__}
for room in map(import_module, (f"skcvstats.{name}" for name in _ROOMS)):
    NAMES |= {name: getattr(room, name) for name in room.__all__}
CLASSES = {name: part for name, part in NAMES.items() if inspect.isclass(part)}
ABSTRACT = {"Procedure", "LocationTest", "Inference"}
WAYS = {"pickle": lambda it: pickle.loads(pickle.dumps(it))}
WAYS["cloudpickle"] = lambda it: pickle.loads(cloudpickle.dumps(it))
WAYS |= {"copy": copy.copy, "deepcopy": copy.deepcopy}


def what_users_get():
    """Yield results of all kinds; objects of the other public classes are parts of them."""
    yield from (RESULT, TEST, REPORT, PLAN, SEARCH, ESTIMATES, OF_ROWS)
    for name, (call, *_, options) in CALLS.items():
        if not name.endswith((".save", ".fit", ".plot", "Refit", "Split", "Pairs", "Fold", "Test")):
            yield call(**options)
    yield from map(s.get_procedure, s.get_procedure_names())
    yield from (s.RepeatedSubsampleSplit(3), s.HalfSplitPairs(2, 3), s.RepeatedTwoFold(2))
    yield s.SignificanceRefit(s.RepeatedSubsampleSplit(5), "param_max_depth")
    sample = s.Sample(np.array([0.1, 0.3, 0.2]), OF_ROWS.design, np.ones(1))
    yield s.CorrectedResampledTTest().pivot(sample)
    y, one, other = np.random.default_rng(0).integers(0, 2, size=(3, 60))
    labels = {"one": one, "other": other}
    yield s.compare_predictions(y, labels, scoring="roc_auc")
    yield s.compare_predictions(y, labels, scoring="accuracy", method="mcnemar")
    yield s.predictions_inference(y, one, scoring="f1", method="bootstrap")
    errors_of_numbers = np.random.default_rng(0).normal(size=(2, 200))
    two = dict(zip(labels, errors_of_numbers, strict=True))
    how = {"scoring": "r2", "method": "jackknife_t"}
    yield s.compare_predictions(errors_of_numbers.sum(axis=0), two, **how)
    yield s.plotting.CumulatedDifferenceDisplay.from_series(errors_of_numbers[0])
    two = {name: np.abs(errors) for name, errors in two.items()}
    yield s.compare_losses(two, metric="mae", unit="data sets")
    yield s.plotting.MatrixDisplay.from_result(s.compare_losses(two, metric="mae"))
    curve, *_, options = CALLS["learning_curve_inference"]
    yield s.plotting.LearningCurveDisplay.from_result(curve(**options))
    # An error or warning of each kind.
    for name in ("AnticonservativeWarning", "DegenerateScoresWarning", "SplitDesignWarning"):
        yield CLASSES[name]("said")
    yield from (s.PairingError("said"), s.SplitDesignError("said"))
    with pytest.raises(s.FitError) as failed:
        s.cross_val_inference(Failing(), np.eye(40), np.arange(40) % 2, cv=3)
    yield failed.value
    ledger = s.test_set.LookLedger("looks.json")
    yield from (ledger, s.test_set.Look(1, True, 0.05, 1, 0), s.test_set.LedgerError("said"))


class Failing(GaussianNB):
    """A model whose fits fail."""

    def fit(self, X, y, sample_weight=None):
        """Fail."""
        raise ValueError("no fit today")


def parts_of(value):
    """Return what an object contains, by name or position."""
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes, range)):
        return dict(enumerate(value))
    if isinstance(value, dict):
        return dict(value)
    if isinstance(value, np.ndarray) and value.dtype != object:
        return {}
    slots = {name for part in type(value).__mro__ for name in getattr(part, "__slots__", ())}
    if is_dataclass(value):  # some fields are computed when they are read
        slots |= {field.name for field in fields(value)}
    held = {name: getattr(value, name) for name in slots if hasattr(value, name)}
    return held | dict(getattr(value, "__dict__", {}))


def assert_same(one, other, seen, where=""):
    """Raise AssertionError where two objects differ in anything that they contain."""
    assert type(one) is type(other), where
    if id(one) in seen or one is other:
        return
    seen.append(id(one))
    if isinstance(one, (pd.DataFrame, pd.Series)):
        assert one.equals(other), where
    elif isinstance(one, np.ndarray) and one.dtype != object:
        np.testing.assert_array_equal(one, other, err_msg=where)
        assert one.dtype == other.dtype, where
    elif parts := parts_of(one):
        others = parts_of(other)
        for name in parts.keys() ^ others.keys():  # they are computed again
            if isinstance(getattr(type(one), name), cached_property):
                assert_same(getattr(one, name), getattr(other, name), seen, f"{where}.{name}")
            else:
                assert name[:1] == "_", where  # such as pathlib's
        for name in parts.keys() & others.keys():
            assert_same(parts[name], others[name], seen, f"{where}.{name}")
    else:
        assert words_of(one) == words_of(other), where


def words_of(value):
    """Return how it is written, without addresses; of functions the name."""
    if inspect.isroutine(value):
        return value.__qualname__
    return re.sub(r" at 0x\w+", "", repr(value))


@pytest.fixture(scope="module")
def found():
    """One object of each public class, by the name of the class."""
    made, seen, kept = {}, set(), []
    with warnings.catch_warnings(action="ignore"):
        waiting = list(what_users_get())
    while waiting:
        value = waiting.pop(0)
        if id(value) in seen or inspect.isclass(value) or inspect.ismodule(value):
            continue
        seen.add(id(value))
        made.setdefault(type(value), value)
        waiting += parts_of(value).values()
        kept.append(value)  # so that no id is used twice
    return {name: made[part] for name, part in CLASSES.items() if part in made}


@pytest.mark.parametrize("name", sorted(CLASSES.keys() - ABSTRACT))
def test_copies_are_whole(name, found):
    value = found[name]
    for way, copied in WAYS.items():
        again = copied(value)
        assert_same(value, again, [], f"{way} of {name}")
        assert words_of(again) == words_of(value)
        assert re.sub(r" at 0x\w+", "", str(again)) == re.sub(r" at 0x\w+", "", str(value))


def test_looking_at_a_result_changes_no_file():
    """What was computed when it was printed is in no pickle, hash or JSON text."""
    scores = dict(zip("abcd", np.random.default_rng(0).normal(size=(4, 15)), strict=True))
    result = s.compare_scores(scores, design=s.SplitDesign.from_sizes(90, 10, n_splits=15))
    before = (pickle.dumps(result), joblib.hash(result), result.to_json())
    said = str(result)
    best = result.best_set()
    frame = result.to_frame(full=True)
    assert len(list(result)) == 6
    assert len(result.letters()) == 4
    assert pickle.dumps(result) == before[0]
    assert len(before[0]) < 20_000
    assert (joblib.hash(result), result.to_json()) == before[1:]
    for way, copied in WAYS.items():
        again = copied(result)
        assert (str(again), again.best_set(), again.to_json()) == (said, best, before[2]), way
        assert again.to_frame(full=True).equals(frame), way


def arrays_of(scores):
    """Return the numbers of the rows behind scores, by their names."""
    parts = [scores.row_scores, scores.components]
    held = [part for part in parts if part is not None]
    found = {}
    for part in held:
        for name, value in vars(part).items():
            found |= value if isinstance(value, dict) else {name: value}
    return {name: value for name, value in found.items() if isinstance(value, np.ndarray)}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("scoring", ["accuracy", "roc_auc", "f1", "rows"])
def test_numbers_of_rows_stay_read_only(scoring, way):
    scores = OF_ROWS
    if scoring != "rows":
        y, *predicted = np.random.default_rng(0).integers(0, 2, size=(3, 60))
        options = {"scoring": scoring, "groups": np.arange(60) // 2}
        scores = s.compare_predictions(y, dict(zip("ab", predicted, strict=True)), **options).scores
    arrays = arrays_of(WAYS[way](scores))
    assert len(arrays) > 1
    for name, array in arrays.items():
        with pytest.raises(ValueError, match="read-only"):
            array.flat[0] = array.flat[-1]
        np.testing.assert_array_equal(array, arrays_of(scores)[name])


def test_a_comparison_sees_what_a_copy_lost(found):
    again = copy.deepcopy(found["ComparisonResult"])
    object.__setattr__(again.tests[0], "standard_error", 0.5)
    with pytest.raises(AssertionError, match="standard_error"):
        assert_same(found["ComparisonResult"], again, [])
