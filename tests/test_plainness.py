"""The measures of ``.ci/plainness.py``, of code whose decisions are counted by hand."""

import ast
import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / ".ci" / "plainness.py"
_spec = importlib.util.spec_from_file_location("plainness", SCRIPT)
plainness = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(plainness)

DECISIONS = {
    "if a: pass": 1,
    "if a: pass\nelif b: pass\nelse: pass": 2,
    "for x in y: pass\nelse: pass": 1,
    "while a: pass": 1,
    "x = a if b else c": 1,
    "try: f()\nexcept ValueError: pass\nexcept (A, B): pass\nfinally: pass": 2,
    "match a:\n    case 1: pass\n    case _: pass": 2,
    "x = a and b and c": 2,
    "x = a and (b or c)": 2,
    "x = not a": 0,
    "x = a < b < c": 0,
    "x = [a for a in b]": 1,
    "x = {a: c for a in b if a if c}": 3,
    "x = any(a for a in b for c in a if c)": 3,
    "with suppress(KeyError): f()": 1,
    "with contextlib.suppress(KeyError): f()": 1,
    "x = any((a, b, c))": 2,
    "x = all([a, b])": 1,
    "x = any(a)": 0,
    "x = any(())": 0,
    "assert a": 0,
    "f = lambda a: a or b": 1,
}

# As one would write it, and as it can be packed.
WRITTEN = '''
"""A module."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Point:
    """A point."""

    x: int
    y: int = 0


@dataclass
class Place(Point):
    """A place with a name and a counter."""

    name: str = ""
    y: int = 1
    seen: ClassVar[int] = 0


def climb(place, steps):
    """Climb."""
    # Why.
    low, high = place.x, place.y
    for step in steps:
        if (
            step
            and low < high
        ):
            low += step
    names = [
        name
        for name in steps
        if name
    ]

    def ended():
        return low if names else high

    return ended
'''
PACKED = '''"""A module."""
from dataclasses import dataclass
@dataclass(frozen=True)
class Point:
    """A point."""
    x: int; y: int = 0
@dataclass
class Place(Point):
    """A place with a name and a counter."""
    name: str = ""; y: int = 1; seen: ClassVar[int] = 0
def climb(place, steps):
    """Climb."""
    low, high = place.x, place.y
    for step in steps:
        if step and low < high: low += step
    names = [name for name in steps if name]
    def ended(): return low if names else high
    return ended
'''


@pytest.mark.parametrize("code", DECISIONS)
def test_decisions_counted_by_hand(code):
    assert plainness.count_decisions(ast.parse(code)) == DECISIONS[code]


def test_measures_counted_by_hand():
    found = plainness.measure({"room/_file.py": WRITTEN})
    # for, if, and, the comprehension and its condition, the conditional expression
    assert found["decisions"] == 6
    assert found["room decisions"] == {"room": 6}
    # low, for, if, low, names, def, return, return
    assert found["statements"] == 8
    assert [count for count, _ in found["functions"]] == [6, 1]
    assert found["records"] == {"Point": ["x", "y"], "Place": ["x", "y", "name"]}
    assert found["joined by a tuple"] == 1
    assert found["conditional expressions"] == 1
    assert found["comprehensions"] == 1
    # import, 2 decorators, 2 classes, 5 attributes, def climb, and the statements in it
    assert found["logical lines"] == 1 + 2 + 2 + 5 + 1 + 8
    assert found["longest body"] == (43 - 25, "room/_file.py:24 climb")
    assert found["comments"] == 1
    assert found["files that read time order"] == 0


@pytest.mark.parametrize("name", ["x.in_time_order", "f(in_time_order=1)", "_in_order = 1"])
def test_files_that_read_time_order(name):
    assert plainness.measure({"a.py": name})["files that read time order"] == 1


def test_line_breaks_change_nothing():
    assert ast.dump(ast.parse(WRITTEN)) == ast.dump(ast.parse(PACKED))
    written = plainness.measure({"a.py": WRITTEN})
    packed = plainness.measure({"a.py": PACKED})
    names = written.keys() - {"longest body", "code lines", "comments", "functions"}
    assert {name: written[name] for name in names} == {name: packed[name] for name in names}
    decisions = [[count for count, _ in found["functions"]] for found in (written, packed)]
    assert decisions[0] == decisions[1]


def test_only_instructions_of_the_folder_count(tmp_path):
    file = tmp_path / "code.py"
    file.write_text("def twice(x):\n    return x + x\n")
    namespace = {}
    exec(compile(file.read_text(), str(file), "exec"), namespace)

    def call():
        namespace["twice"](1)
        namespace["twice"](2)

    executed = plainness.executed_instructions(call, tmp_path)
    assert {code.co_name for _, code, _ in executed} == {"twice"}
    assert 3 <= len(executed) <= 6
    assert plainness.executed_instructions(call, tmp_path / "other") == set()
