"""Docstrings of the public API: numpydoc's checks, examples, and signatures that agree."""

import ast
import inspect
import re
import tomllib
from collections import Counter
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest

import skcvstats
import skcvstats.theory
from skcvstats import CVScores
from skcvstats._utils._shared_docs import _OF_PLOT, _PLACE, _PLOT, _TEXTS

validate = pytest.importorskip("numpydoc.validate", reason="numpydoc is in the lint extra")
NumpyDocString = import_module("numpydoc.docscrape").NumpyDocString

CONFIG = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())
IGNORED = set(CONFIG["tool"]["numpydoc_validation"]["checks"]) - {"all"}
# Properties and constants return what their one line says; warnings have no arguments.
NO_RETURNS = {"RT01", "RT03"}
# Those with names that users import.
ROOMS = (
    *("model_selection", "plotting", "simulation", "splitters", "stats"),
    *("test_set", "theory", "words"),
)
# NumPy's own signatures, documented there.
(_OF_ARRAYS,) = [base for base in CVScores.__mro__ if base.__name__ == "ArrayMethods"]
ARRAY_METHODS = set(vars(_OF_ARRAYS))
WITH_EXAMPLE = [
    name
    for name in skcvstats.__all__
    if inspect.isfunction(getattr(skcvstats, name)) or name.endswith(("Test", "Split", "Pairs"))
    if name != "LocationTest"
]


def is_ours(cls, member):
    """Whether a member is a public property or method that this package documents."""
    if member.startswith("_") or member in ARRAY_METHODS:
        return False
    own = inspect.getattr_static(cls, member)
    of_bases = [docstring(vars(base)[member]) for base in cls.__mro__ if member in vars(base)]
    if docstring(own) is None and any(of_bases):  # it overrides one that has a docstring
        return False
    if isinstance(own, property):
        return cls.__module__.startswith("skcvstats")
    method = getattr(cls, member)
    module = getattr(method, "__module__", None) or ""
    return inspect.isroutine(method) and module.startswith("skcvstats")


def docstring(member):
    return getattr(getattr(member, "fget", None) or member, "__doc__", None)


def public_objects():
    for name in skcvstats.__all__:
        yield name
        one = getattr(skcvstats, name)
        if inspect.isclass(one):
            yield from (f"{name}.{member}" for member in dir(one) if is_ours(one, member))


@pytest.mark.parametrize("name", list(public_objects()))
def test_numpydoc_finds_nothing(name):
    result = validate.validate(f"skcvstats.{name}")
    ignored = set(IGNORED)
    if result["type"] == "property":
        ignored |= NO_RETURNS
    errors = [(code, text) for code, text in result["errors"] if code not in ignored]
    assert not errors


def public_signatures():
    """Yield the name, the signature and the docstring of all that is public in any room."""
    rooms = [skcvstats, *(import_module(f"skcvstats.{room}") for room in ROOMS)]
    members = {}
    for room in rooms:
        for name in room.__all__:
            one = getattr(room, name)
            members[f"{room.__name__}.{name}"] = one
            if inspect.isclass(one):
                own = [member for member in dir(one) if is_ours(one, member)]
                members |= {f"{name}.{member}": getattr(one, member) for member in own}
    for name, member in members.items():
        with suppress(TypeError, ValueError):  # properties and constants; warnings have none
            yield name, inspect.signature(member), inspect.getdoc(member)


def test_defaults_and_the_order_of_parameters_are_those_of_the_signature():
    wrong = []
    for name, signature, text in public_signatures():
        documented = {}
        for parameter in NumpyDocString(text)["Parameters"]:
            names = parameter.name.replace("*", "").split(", ")
            documented |= dict.fromkeys(names, "default" in parameter.type)
        parameters = signature.parameters
        has_default = {
            key: parameters[key].default is not inspect.Parameter.empty
            for key in parameters
            if key in documented
        }
        if list(has_default.items()) != list(documented.items()):
            wrong.append(f"{name}: {has_default} is documented as {documented}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", WITH_EXAMPLE)
def test_entry_points_have_an_example(name):
    assert ">>> " in getattr(skcvstats, name).__doc__


def placeholders():
    """Yield the docstring and the names of the texts of whatever has placeholders in the source."""

    def visit(node, owner):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ClassDef | ast.FunctionDef):
                thing = inspect.getattr_static(owner, child.name, None)
                text = _PLOT.sub(_OF_PLOT, ast.get_docstring(child) or "")
                names = [names for *_, names in _PLACE.findall(text)]
                if names:
                    documented = getattr(thing, "__func__", thing)
                    yield documented.__doc__, ", ".join(names).split(", ")
                yield from visit(child, thing)

    root = Path(skcvstats.__file__).parent
    for path in root.rglob("*.py"):
        module = ".".join(path.relative_to(root.parent).with_suffix("").parts)
        if _PLACE.search(path.read_text()) and path.name != "_shared_docs.py":
            yield from visit(ast.parse(path.read_text()), import_module(module))


def test_shared_texts_are_in_the_docstrings_and_shared():
    uses = Counter()
    for docstring, names in placeholders():
        uses.update(names)
        assert _PLACE.search(docstring) is None
        for name in names:
            assert re.sub(r"\s+", " ", _TEXTS[name]) in re.sub(r"\s+", " ", docstring)
    assert set(uses) == set(_TEXTS)
    assert {name for name, times in uses.items() if times == 1} == set()
