"""No file imports a private name of another room: each room is entered by its ``__init__``."""

import ast
from pathlib import Path

import pytest

import skcvstats

PACKAGE = Path(skcvstats.__file__).parent
# All rooms share the files of the first; the theory is written with the statistics' own functions.
SHARED_ROOM = "_utils"
EXCEPTED = {("theory", "stats")}


def imported_names(tree, package):
    """Yield the full name of each import in a file of a package, and its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            origin = [node.module] if node.module else []
            if node.level:
                origin = package[: len(package) - node.level + 1] + origin
            for alias in node.names:
                yield ".".join([*origin, alias.name]), node.lineno


def is_private(name):
    return name.startswith("_") and not name.startswith("__")


def private_imports(package_folder):
    """Return the imports of private names of other rooms, as lines."""
    found = []
    for path in sorted(package_folder.rglob("*.py")):
        place = path.relative_to(package_folder.parent).with_suffix("")
        importing_room = place.parts[1]
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for name, line in imported_names(tree, list(place.parts[:-1])):
            package, room, *_ = [*name.split("."), ""]
            if package != package_folder.name or room in (importing_room, SHARED_ROOM):
                continue
            is_excepted = (importing_room, room) in EXCEPTED
            if any(map(is_private, name.split("."))) and not is_excepted:
                found.append(f"{place}:{line} imports {name}")
    return found


def test_no_file_imports_a_private_name_of_another_room():
    assert private_imports(PACKAGE) == []


def test_exceptions_are_needed(monkeypatch):
    needed = EXCEPTED
    monkeypatch.setattr(f"{__name__}.EXCEPTED", set())
    places = [line.split(":")[0] for line in private_imports(PACKAGE)]
    assert {Path(place).parts[1] for place in places} == {room for room, _ in needed}


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("from ..stats._row_t import RowTTest", "stats._row_t.RowTTest"),
        ("from ..stats import _row_t", "stats._row_t"),
        ("from ..stats import RowTTest, _arrays", "stats._arrays"),
        ("from skcvstats.stats._row_t import RowTTest", "stats._row_t.RowTTest"),
        ("from skcvstats import _private", "_private"),
        ("import skcvstats.stats._row_t", "stats._row_t"),
        ("def f():\n    from ..stats._row_t import x", "stats._row_t.x"),
        ("if TYPE_CHECKING:\n    from ..stats._row_t import x", "stats._row_t.x"),
    ],
)
def test_planted_imports_are_found(tmp_path, line, name):
    room = tmp_path / "skcvstats" / "words"
    room.mkdir(parents=True)
    (room / "_text.py").write_text(line)
    (found,) = private_imports(tmp_path / "skcvstats")
    assert found.endswith(f" imports skcvstats.{name}")
    assert found.startswith(str(Path("skcvstats", "words", "_text")))


@pytest.mark.parametrize(
    "line",
    [
        "from ._sentences import _join",
        "from . import _sentences",
        "from ..stats import RowTTest",
        "from .. import stats",
        "from .._utils._checks import _number",
        "from ..__init__ import __version__",
        "from numpy import _private",
        "from _thread import lock",
    ],
)
def test_other_imports_are_allowed(tmp_path, line):
    room = tmp_path / "skcvstats" / "words"
    room.mkdir(parents=True)
    (room / "_text.py").write_text(line)
    assert private_imports(tmp_path / "skcvstats") == []
