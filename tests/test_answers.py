"""The recorded answers of 218 calls, bit for bit: see golden/record_answers.py.

They are compared where they were made only: other versions of NumPy or another processor change
the last digits. If a change is meant, record again and say so in the commit; while a change of
the answers of a few calls is under way, EXCEPTIONS names them.
"""

import json

import pytest

from tests.golden import record_answers
from tests.golden.answers_calls import CALLS

# Name of a call: why its answer is no longer that of the file.
EXCEPTIONS = {}

RECORDED = json.loads(record_answers.ANSWERS.read_text())
GROUPS = list(dict.fromkeys(name.split("/")[0] for name in CALLS))


def differences(found, recorded, path=""):
    """Return the places where two answers differ, with both values, as lines."""
    if type(found) is type(recorded) is dict and found.keys() == recorded.keys():
        pairs = [(f"{path}/{key}", found[key], recorded[key]) for key in recorded]
    elif type(found) is type(recorded) is list and len(found) == len(recorded):
        each = enumerate(zip(found, recorded, strict=True))
        pairs = [(f"{path}[{k}]", *both) for k, both in each]
    else:
        same = type(found) is type(recorded) and found == recorded
        return [] if same else [f"{path}: {found!r}, recorded is {recorded!r}"]
    return [line for key, one, other in pairs for line in differences(one, other, key)]


def environment_differs():
    """Return what differs from where the answers were recorded, in words; empty if nothing."""
    here = record_answers.made_with()
    there = RECORDED["made_with"]
    return ", ".join(
        f"{key} {here.get(key)} instead of {there.get(key)}"
        for key in {**there, **here}
        if here.get(key) != there.get(key)
    )


def test_every_call_is_recorded_and_there_are_many():
    assert list(RECORDED["answers"]) == list(CALLS)
    assert len(CALLS) >= 210
    assert EXCEPTIONS.keys() <= CALLS.keys()
    assert record_answers.wrongly_failed(RECORDED["answers"]) == []


@pytest.mark.answers
@pytest.mark.parametrize("group", GROUPS)
def test_answers_are_those_recorded(group):
    if differs := environment_differs():
        pytest.skip(f"answers are recorded with other digits: {differs}")
    names = [name for name in CALLS if name.split("/")[0] == group and name not in EXCEPTIONS]
    wrong = []
    for name, found in record_answers.compute(names).items():
        lines = differences(json.loads(json.dumps(found)), RECORDED["answers"][name], name)
        wrong += [*lines[:3], *([f"{name}: and {len(lines) - 3} more"] if len(lines) > 3 else [])]
    assert not wrong, "\n".join(["", *wrong])


def test_a_difference_is_shown():
    one = {"a": [1.0, "nan"], "b": None}
    assert differences(one, one) == []
    assert differences({"a": [1.0, 2.0], "b": None}, one) == ["/a[1]: 2.0, recorded is 'nan'"]
    assert differences([1], [1.0]) == ["[0]: 1, recorded is 1.0"]
