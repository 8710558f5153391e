"""Each room is entered by its ``__init__`` and imports rooms below; few functions go up."""

import ast
import configparser
import re
from pathlib import Path

import pytest

import skcvstats

PACKAGE = Path(skcvstats.__file__).parent
# All rooms share the files of the first; the theory is written with the statistics' own functions.
SHARED_ROOM = "_utils"
EXCEPTED = {("theory", "stats")}

# What is drawn, printed or read again, or known of the splits of a splitter, needs rooms above, and
# so does `find_notes`, by which all rooms ask for notes.
GO_UP = {
    *("plot", "__str__", "_repr_html_", "from_json", "confidence_interval"),
    *("from_splitter", "from_any_draw", "find_notes", "to_latex", "to_markdown"),
}


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


def height_by_room():
    """Return how high each room stands, by the layers of the import contracts."""
    contracts = configparser.ConfigParser()
    contracts.read(PACKAGE.parent / "setup.cfg")
    layers = contracts["importlinter:contract:layers"]["layers"].split("\n")
    layers = [layer.split("|") for layer in layers if layer]
    return {room.strip(): -depth for depth, layer in enumerate(layers) for room in layer}


def imports_by_function(node, function=""):
    """Yield each import in a node, and the name of the innermost function that it is in."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.Import, ast.ImportFrom)):
            yield child, function
        is_function = isinstance(child, ast.FunctionDef)
        yield from imports_by_function(child, child.name if is_function else function)


def upward_imports(package_folder):
    """Return the functions that import rooms above their own, and where."""
    heights = height_by_room()
    found = []
    for path in sorted(package_folder.rglob("*.py")):
        place = path.relative_to(package_folder.parent).with_suffix("")
        if len(place.parts) < 3:
            continue
        room = place.parts[1]
        for statement, function in imports_by_function(ast.parse(path.read_text("utf-8"))):
            for name, line in imported_names(ast.Module([statement], []), [*place.parts[:-1]]):
                package, other, *_ = [*name.split("."), ""]
                is_above = heights.get(other, heights[room]) > heights[room]
                if package == package_folder.name and is_above:
                    found.append((function, f"{place}:{line}"))
    return found


def test_only_named_functions_import_rooms_above():
    others = [where for function, where in upward_imports(PACKAGE) if function not in GO_UP]
    assert others == []


def test_each_named_function_imports_a_room_above():
    assert {function for function, _ in upward_imports(PACKAGE)} == GO_UP


@pytest.mark.parametrize(
    ("text", "function"),
    [
        ("from ..words import text_of", ""),
        ("def f():\n    from ..words import text_of", "f"),
        ("class A:\n    def f(self):\n        if self:\n            from .. import words", "f"),
        ("if TYPE_CHECKING:\n    import skcvstats.words", ""),
    ],
)
def test_planted_upward_imports_are_found(tmp_path, text, function):
    room = tmp_path / "skcvstats" / "stats"
    room.mkdir(parents=True)
    (room / "_a.py").write_text(text)
    (room / "_b.py").write_text("from ..scores import CVScores")
    ((found, where),) = upward_imports(tmp_path / "skcvstats")
    assert found == function
    assert where.startswith(str(Path("skcvstats", "stats", "_a")))


# Tests reach what no public door shows by this many imports, one for each file and private module.
MOST_PRIVATE_IMPORTS_OF_TESTS = 40
TESTS = Path(__file__).parent


def private_modules(text):
    """Return the private modules of the package that a test imports, or names in a string."""
    tree = ast.parse(text)
    names = [name for name, _ in imported_names(tree, [])]
    names += [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and re.fullmatch(r"skcvstats(\.\w+)+", str(node.value))
    ]
    found = set()
    for name in names:
        package, *inside = name.split(".")
        if package == "skcvstats" and any(map(is_private, inside)) and inside != [SHARED_ROOM]:
            found.add(".".join(inside[:2]))
    return found


def test_tests_import_few_private_modules():
    found = []
    for path in sorted(TESTS.rglob("*.py")):
        for module in sorted(private_modules(path.read_text(encoding="utf-8"))):
            found.append(f"{path.relative_to(TESTS).as_posix()} imports {module}")
    assert len(found) <= MOST_PRIVATE_IMPORTS_OF_TESTS, "\n".join(found)


@pytest.mark.parametrize(
    ("text", "modules"),
    [
        ("from skcvstats.stats._row_t import RowTTest, row_ttest", {"stats._row_t"}),
        ("from skcvstats.stats import RowTTest, _row_t", {"stats._row_t"}),
        ("from skcvstats._utils._text import cut", {"_utils._text"}),
        ("from skcvstats._utils import _text as text", {"_utils._text"}),
        ("import skcvstats.stats._row_t", {"stats._row_t"}),
        ("patch('skcvstats.stats._row_t.row_ttest')", {"stats._row_t"}),
        ("from skcvstats.stats import RowTTest, row_ttest", set()),
        ("from skcvstats.__main__ import main", set()),
        ("from tests.comparison.max_t import draws_of", set()),
    ],
)
def test_planted_private_modules_of_tests_are_found(text, modules):
    assert private_modules(text) == modules
