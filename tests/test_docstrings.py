"""Docstrings of the public API: numpydoc's checks, examples, and signatures that agree."""

import inspect
import tomllib
from pathlib import Path

import pytest

import skcvstats

validate = pytest.importorskip("numpydoc.validate", reason="numpydoc is in the lint extra")

CONFIG = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())
IGNORED = set(CONFIG["tool"]["numpydoc_validation"]["checks"]) - {"all"}
# Properties and constants return what their one line says; warnings have no arguments.
NO_RETURNS = {"RT01", "RT03"}
# NumPy's own signatures, documented there.
ARRAY_METHODS = set(vars(skcvstats.CVScores.__mro__[1]))
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
    if inherits_its_docstring(cls, member):
        return False
    if isinstance(inspect.getattr_static(cls, member), property):
        return cls.__module__.startswith("skcvstats")
    method = getattr(cls, member)
    module = getattr(method, "__module__", None) or ""
    return inspect.isroutine(method) and module.startswith("skcvstats")


def inherits_its_docstring(cls, member):
    """Whether a method without a docstring overrides one that has it."""
    return docstring(inspect.getattr_static(cls, member)) is None and any(
        docstring(vars(base)[member]) for base in cls.__mro__ if member in vars(base)
    )


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


@pytest.mark.parametrize("name", WITH_EXAMPLE)
def test_entry_points_have_an_example(name):
    assert ">>> " in getattr(skcvstats, name).__doc__
