"""Fingerprint a function or a class by its name, or by the code that runs.

Notes
-----
Code that is of no installed package changes without a version, so it is identified by what runs:
the compiled code, constants, defaults, closures, attributes, and the globals that it names or
imports, including the user's own functions and classes. The source text is not used: on disk it may
be newer than the imported code, and code typed at a prompt has no source.
"""

import dis
import os
import platform
import sys
import sysconfig
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from .._utils._arrays import digest_of

Digest = Callable[[Any], bytes]

# Identified by their versions, wherever they are installed.
_ALWAYS_PACKAGES = ("joblib", "numpy", "pandas", "scipy", "skcvstats", "sklearn")
_DESCRIPTORS = ("getset_descriptor", "member_descriptor")
_FOLDERS_OF_PACKAGES = ("dist-packages", "site-packages")
_distributions = cache(packages_distributions)  # takes half a second
_MADE_BY_PYTHON = 1 << 9  # the flag of classes that a class statement or a call of type makes


def named(module: str | None, name: str) -> tuple[str, str, str]:
    """Identify an object of an installed package by its module, its name and the version."""
    return module or "", name, version_of(_top(module))


def digest_of_function(function: FunctionType, digest: Digest) -> bytes:
    """Return the fingerprint of a function."""
    if is_of_package(function, function.__module__, function.__qualname__):
        return digest_of("function", *named(function.__module__, function.__qualname__))
    cells = [cell.cell_contents for cell in function.__closure__ or () if not _is_empty(cell)]
    return digest_of(
        "code",
        function.__name__,
        _digest_of_code(function.__code__, digest),
        digest([function.__defaults__, function.__kwdefaults__, cells]),
        digest(dict(sorted(vars(function).items()))),
        _digest_of_globals(function, digest),
    )


def digest_of_class(kind: type, digest: Digest) -> bytes:
    """Return the fingerprint of a class."""
    is_of_c = not kind.__flags__ & _MADE_BY_PYTHON  # such as NoneType, which no name leads to
    if is_of_package(kind, kind.__module__, kind.__qualname__) or is_of_c:
        return digest_of("class", *named(kind.__module__, kind.__qualname__))
    members = [
        (name, digest(member))
        for name, value in sorted(vars(kind).items())
        for member in _behind(name, value)
    ]
    return digest_of(
        "own class",
        kind.__qualname__,
        digest([type(kind), *kind.__bases__]),
        *(piece for pair in members for piece in pair),
    )


def digest_of_module(module: ModuleType, names: Iterable[str], digest: Digest) -> bytes:
    """Return the fingerprint of the parts of a module that some code uses."""
    if is_packaged(module.__name__):
        return digest_of("module", *named(module.__name__, ""))
    used = {name: vars(module)[name] for name in names if name in vars(module)}
    return digest_of("own module", *_digests(used, names, digest))


def _digest_of_code(code: CodeType, digest: Digest) -> bytes:
    constants = [
        _digest_of_code(constant, digest) if isinstance(constant, CodeType) else digest(constant)
        for constant in code.co_consts
    ]
    shape = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    return digest_of(
        "python",
        platform.python_version(),
        code.co_code,
        code.co_exceptiontable,
        digest([shape, names]),
        constants,
    )


def _digest_of_globals(function: FunctionType, digest: Digest) -> bytes:
    """Fingerprint what the code, and functions within it, look up: globals and attributes."""
    names = sorted({name for code in _codes(function.__code__) for name in code.co_names})
    known = function.__globals__
    used = {name: known[name] for name in names if name in known}
    imported = [digest_of_module(module, names, digest) for module in _imported(function)]
    return digest_of("globals", *_digests(used, names, digest), *imported)


def _digests(used: dict[str, Any], names: Iterable[str], digest: Digest) -> Iterator[str | bytes]:
    for name, value in used.items():
        yield name
        if isinstance(value, ModuleType):
            yield digest_of_module(value, [other for other in names if other != name], digest)
        else:
            yield digest(value)


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield code and the code of functions within it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _imported(function: FunctionType) -> Iterator[ModuleType]:
    """Import and yield the user's own modules that a function imports when it runs."""
    package = function.__globals__.get("__package__") or ""
    for code in _codes(function.__code__):
        steps = list(dis.get_instructions(code))
        for k, step in enumerate(steps):
            if step.opname != "IMPORT_NAME":
                continue
            level, members = steps[k - 2].argval, steps[k - 1].argval
            if not is_packaged(package if level else step.argval):
                with suppress(Exception):  # if it cannot be imported, the fit fails and says so
                    yield __import__(step.argval, function.__globals__, {}, members or (), level)


def _behind(name: str, value: Any) -> Iterator[Any]:
    """Yield the parts of a class member; nothing for members that Python itself adds."""
    if isinstance(value, (staticmethod, classmethod)):
        yield value.__func__
    elif isinstance(value, property):
        yield [value.fget, value.fset, value.fdel]
    elif callable(value) or (
        not (name.startswith("__") and name.endswith("__"))
        and (not name.startswith("_abc_") and type(value).__name__ not in _DESCRIPTORS)
    ):
        yield value


def _is_empty(cell: Any) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:  # a name that is not defined yet
        return True
    return False


def _top(module: str | None) -> str:
    return (module or "").partition(".")[0]


def is_packaged(module: str | None) -> bool:
    """Whether code changes only with a version: it is Python's or an installed package's."""
    return module is not None and _is_package(_top(module))


def is_of_package(value: Any, module: str | None, name: str) -> bool:
    """Whether something is what an installed package has under this name, and not only says so."""
    if module is None or not is_packaged(module):
        return False
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    return found is value


@cache
def _is_package(top: str) -> bool:
    if top in _ALWAYS_PACKAGES or _is_of_python(top):
        return True
    folders = {sysconfig.get_path(name) for name in ("purelib", "platlib")}
    return any(
        not folders.isdisjoint(map(str, Path(place).parents))
        or not set(_FOLDERS_OF_PACKAGES).isdisjoint(Path(place).parts)
        for place in _places(top)
    )


@cache
def _is_of_python(top: str) -> bool:
    if top in sys.builtin_module_names:
        return True
    if top == "__main__" or top not in sys.stdlib_module_names:
        return False
    # A script beside the user's may have the same name.
    return all(
        Path(os.__file__).parent in Path(place).parents
        and set(_FOLDERS_OF_PACKAGES).isdisjoint(Path(place).parts)
        for place in _places(top)
    )


def _places(top: str) -> list[str]:
    """Return the location of a top-level module, also before it is imported."""
    spec = getattr(sys.modules.get(top), "__spec__", None)
    if spec is None and top not in sys.modules:
        with suppress(ImportError, ValueError):
            spec = find_spec(top)
    origin = getattr(sys.modules.get(top), "__file__", None) or getattr(spec, "origin", None)
    found = [origin, *(getattr(spec, "submodule_search_locations", None) or ())]
    return [place for place in found if isinstance(place, str) and os.path.isabs(place)]


@cache
def version_of(top: str) -> str:
    """Return the version of the package that a top-level module belongs to."""
    if _is_of_python(top):
        return platform.python_version()
    stated = getattr(sys.modules.get(top), "__version__", None)
    if isinstance(stated, str):
        return stated
    try:
        return version(top)
    except PackageNotFoundError:  # the name to install is another one
        return " ".join(map(version, _distributions().get(top, ())))
