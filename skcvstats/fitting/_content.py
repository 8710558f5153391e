"""Fingerprint a value in 16 bytes: the same in every process, different for different values.

Notes
-----
A value that cannot be identified is refused, not guessed: two values with the same digest would
get each other's results. A value is identified by

- its type and bytes, if it is a number, a text, an array, a frame or a sparse matrix;
- its members, if it is a list, tuple, set or dict;
- its class and its parameters, if it is an estimator that `clone` would copy: what it has learnt
  does not affect a fit;
- its name, if it is a function or class of an installed package, with the package's version;
- its source file or notebook cell, if it is a function or class from elsewhere, with what that
  does not say: the compiled code, as the file may be newer, defaults, attributes, and the globals
  that it names or imports. A function that uses variables of another one is refused;
- what pickle keeps of it, if it is anything else.
"""

import dis
import hashlib
import linecache
import pickle
import platform
import re
import sys
import sysconfig
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from copyreg import dispatch_table
from functools import cache, partial
from importlib.metadata import packages_distributions, version
from importlib.util import find_spec
from operator import methodcaller
from pathlib import Path
from types import CodeType, FunctionType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state

from .._utils._arrays import digest_of
from .._utils._text import cut
from ._metrics import describe

# Parameters that change how scikit-learn computes, but not the result.
_IDLE = ("memory", "n_jobs", "verbose")
_PART = 2**24  # bytes of an array that are read at a time
_READ_BY_PICKLE = (type(None), bool, int, float, list, tuple, dict)
_MADE_BY_PYTHON = 1 << 9  # the flag of classes that a class statement or a call of type makes
_DESCRIPTORS = ("getset_descriptor", "member_descriptor")
# Names of class members that Python itself adds; a method under such a name is the user's.
_ADDED_NAMES = re.compile("__.*__|_abc_.*", re.DOTALL)
# Identified by their versions, wherever they are installed.
_ALWAYS_PACKAGES = ("joblib", "numpy", "pandas", "scipy", "skcvstats", "sklearn")
_installed = cache(packages_distributions)  # takes half a second
_OF_PYTHON = Path(sysconfig.get_path("stdlib"))
_OF_PACKAGES = {"dist-packages", "site-packages"}


class UnknownContentError(ValueError):
    """A value cannot be distinguished from other values of its type."""


class ContentReader:
    """Computes fingerprints of values; what pickle would not write alike for equal ones is ours."""

    # What `clone` reaches is identified by its parameters, anything else by its whole state.

    def __init__(self) -> None:
        # Arrays and code by their ids: each is read once, and kept alive.
        self._digests: dict[int, tuple[Any, bytes]] = {}
        self._places: dict[int, int] | None = None  # in the list of the code that is being read
        self._code_to_read: list[Any] = []
        self._readers: dict[type, Callable[[Any], bytes]] = {
            str: partial(digest_of, "str"),
            bytes: partial(digest_of, "bytes"),
            np.ndarray: self._array,
            np.memmap: self._array,
            FunctionType: self._code,
            CodeType: self._compiled,
        }

    def digest(self, value: Any, *, cloned: bool = False) -> bytes:
        written = hashlib.blake2b(digest_size=16)
        try:
            _Pickler(self, written.update, cloned).dump(value)
        except UnknownContentError:
            raise
        except Exception as error:
            raise _unknown(value, f"{type(error).__name__}: {error}") from error
        return written.digest()

    def digest_without_pickle(self, value: Any, cloned: bool) -> bytes | None:
        """Return the fingerprint of what pickle is not to read, or None."""
        kind = type(value)
        if kind in _READ_BY_PICKLE:
            return None
        if kind in (set, frozenset):
            return digest_of(kind.__name__, sorted(self.digest(it, cloned=cloned) for it in value))
        if kind in self._readers:
            return self._readers[kind](value)
        if isinstance(value, type):
            return self._code(value)
        if isinstance(value, ModuleType) and is_packaged(value.__name__):
            return digest_of("module", *named(value.__name__, ""))
        if value is check_random_state(None):  # each process seeds it differently
            return digest_of("the global random state")
        data = self._data(value)
        if data is not None or not cloned:
            return data
        if hasattr(value, "get_params"):
            return self._estimator(value)
        return self.digest(value)

    def _estimator(self, value: Any) -> bytes:
        kind = type(value)
        own_clone = getattr(kind, "__sklearn_clone__", None)
        if own_clone not in (None, BaseEstimator.__sklearn_clone__):
            return self.digest(value)  # clone does not copy a frozen estimator
        params = dict(sorted(value.get_params(deep=False).items()))
        if kind.__module__.startswith("sklearn."):
            for name in _IDLE:
                params.pop(name, None)
        # As set by set_fit_request and set_output.
        routing = getattr(value, "_metadata_request", SimpleNamespace())
        methods = dict(sorted(vars(routing).items()))
        methods.pop("owner", None)  # the name of the class
        requests = {name: method.requests for name, method in methods.items()}
        output = getattr(value, "_sklearn_output_config", {})
        settings = self.digest([kind, output, requests])
        return digest_of("estimator", settings, self.digest(params, cloned=True))

    def _data(self, value: Any) -> bytes | None:
        """Return the fingerprint of a frame or a sparse matrix, None of anything else."""
        kind = type(value)
        if hasattr(value, "tocsr"):
            members = sorted(vars(value).items())
            kept = [member for member in members if "has_" not in member[0]]  # which are computed
            return digest_of("sparse", kind.__qualname__, self.digest(kept))
        import pandas as pd

        if isinstance(value, pd.DataFrame):
            columns = [self.digest(value.iloc[:, k].array) for k in range(value.shape[1])]
            names = self.digest([value.columns, value.index, value.attrs])
            return digest_of("frame", kind.__qualname__, names, columns)
        if isinstance(value, pd.Series):
            content = self.digest([value.array, value.name, value.index, value.attrs])
            return digest_of("series", kind.__qualname__, content)
        return None

    def _array(self, array: np.ndarray) -> bytes:
        if array.dtype.hasobject or array.dtype.kind == "T":  # text of any length is elsewhere
            kind = str(array.dtype), str(array.shape)
            return digest_of("objects", *kind, self.digest(array.ravel().tolist()))
        if id(array) not in self._digests:
            stored = np.atleast_1d(array)
            # The rows that a fit gets are always a copy of a part.
            is_by_rows = stored[:2].copy(order="K").flags.c_contiguous
            layout = str((array.dtype.descr, array.shape, is_by_rows, stored.flags.fnc))
            n_rows = max(1, _PART // max(1, stored[:1].nbytes))
            parts = (stored[k : k + n_rows].tobytes() for k in range(0, len(stored), n_rows))
            self._digests[id(array)] = array, digest_of("array", layout, parts)
        return self._digests[id(array)][1]

    def _code(self, value: Any) -> bytes:
        """Return the fingerprint of a function or class, with all others that it leads to."""
        of_c = isinstance(value, type) and not value.__flags__ & _MADE_BY_PYTHON  # as NoneType is
        if of_c or is_of_package(value, value.__module__, value.__qualname__):
            return digest_of("named", *named(value.__module__, value.__qualname__))
        if self._places is not None:  # within another's: by its place, so they may use each other
            if id(value) not in self._places:
                self._places[id(value)] = len(self._code_to_read)
                self._code_to_read.append(value)
            return digest_of("place", str(self._places[id(value)]))
        if id(value) not in self._digests:
            self._places = {id(value): 0}
            self._code_to_read = [value]
            try:
                parts = [self._parts(code) for code in self._code_to_read]  # the list grows
            finally:
                self._places = None
            self._digests[id(value)] = value, digest_of("own", *parts)
        return self._digests[id(value)][1]

    def _parts(self, value: Any) -> bytes:
        if isinstance(value, type):
            parents = self.digest([type(value), *value.__bases__])
            members: list[str | bytes] = []
            for name, member in sorted(vars(value).items()):
                for part in _parts_of_member(name, member):
                    members += [name, self.digest(part)]
            return digest_of("class", value.__qualname__, parents, *members)
        code = value.__code__
        cells = dict(zip(code.co_freevars, value.__closure__ or (), strict=True))
        cells.pop("__class__", None)
        if cells and "<locals>" in value.__qualname__:
            raise _unknown(value, f"it is a closure with {', '.join(cells)}")
        linecache.checkcache(code.co_filename)
        used = [
            value.__defaults__,
            value.__kwdefaults__,
            *[cell.cell_contents for cell in cells.values()],
            dict(sorted(vars(value).items())),
        ]
        names = sorted({name for within in _codes(code) for name in within.co_names})
        return digest_of(
            "function",
            value.__name__,
            platform.python_version(),
            "".join(linecache.getlines(code.co_filename)),
            self._compiled(code),
            *map(self.digest, used),
            *self._looked_up(names, value.__globals__),
            *(digest_of(*self._looked_up(names, vars(module))) for module in _imported(value)),
        )

    def _compiled(self, code: CodeType) -> bytes:
        counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags
        names = code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars
        parts = code.co_code, code.co_exceptiontable, str((counts, names))
        return digest_of(*parts, *map(self.digest, code.co_consts))

    def _looked_up(self, names: Sequence[str], known: dict[str, Any]) -> Iterator[str | bytes]:
        """Yield what code finds under the names that are in it: globals, and parts of modules."""
        for name in names:
            value = known.get(name)
            if isinstance(value, ModuleType) and not is_packaged(value.__name__):
                others = list(names)
                others.remove(name)
                yield digest_of(name, *self._looked_up(others, vars(value)))
            elif name in known:
                yield digest_of(name, self.digest(value))


class _Pickler(pickle.Pickler):
    """Writes what is the same in every process, and numbers in place of what is not."""

    def __init__(self, reader: ContentReader, write: Any, cloned: bool) -> None:
        super().__init__(SimpleNamespace(write=write), protocol=5)
        self._reader = reader
        self._cloned = cloned

    def persistent_id(self, value: Any) -> int | None:
        digest = self._reader.digest_without_pickle(value, self._cloned)
        return None if digest is None else int.from_bytes(digest)  # which pickle does not share

    def reducer_override(self, value: Any) -> Any:
        reduce = dispatch_table.get(type(value), methodcaller("__reduce_ex__", 4))
        reduced = reduce(value)
        if not isinstance(reduced, str):
            return reduced
        # The name of a function of compiled code, for example; ufuncs do not say where they are.
        own: Any = getattr(value, "__module__", None)
        for module in (own, type(value).__module__, "scipy.special"):
            if is_of_package(value, module, reduced):
                return str, ("global", *named(module, reduced))
        if hasattr(value, "__wrapped__"):  # a function with a cache has it
            return type(value), (value.__wrapped__,)
        raise _unknown(value, "no package has it under its name")


def _unknown(value: Any, why: str) -> UnknownContentError:
    return UnknownContentError(
        f"{cut(describe(value), 80)} cannot be identified by its content ({cut(why, 100)})"
    )


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield code and the code of functions within it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _imported(function: FunctionType) -> Iterator[ModuleType]:
    """Import and yield the user's own modules that a function imports when it runs."""
    known = function.__globals__
    for code in _codes(function.__code__):
        steps = list(dis.get_instructions(code))
        for level, names, step in zip(steps, steps[1:], steps[2:], strict=False):
            # What is imported from the package of the function is its user's, as the function is.
            if step.opname == "IMPORT_NAME" and (level.argval or not is_packaged(step.argval)):
                with suppress(Exception):  # if it cannot be imported, the fit fails and says so
                    yield __import__(step.argval, known, {}, names.argval, level.argval)


def _parts_of_member(name: str, value: Any) -> Sequence[Any]:
    """Return the parts of a class member; nothing of members that Python itself adds."""
    if isinstance(value, (staticmethod, classmethod)):
        return [value.__func__]
    if isinstance(value, property):
        return [value.fget, value.fset, value.fdel]
    is_added = _ADDED_NAMES.fullmatch(name) or type(value).__name__ in _DESCRIPTORS
    if is_added and not callable(value):
        return []
    return [value]


def named(module: str, name: str) -> tuple[str, str, str]:
    """Identify an object of an installed package by its module, its name and the version."""
    return module, name, version_of(module.partition(".")[0])


def is_of_package(value: Any, module: str | None, name: str) -> bool:
    """Tell whether an installed package has this very value under the name that it states."""
    installed: Any = sys.modules.get(str(module))
    for part in name.split("."):
        installed = getattr(installed, part, None)
    return installed is value and is_packaged(str(module))


@cache
def is_packaged(module: str) -> bool:
    """Tell whether code changes only with a version, as Python's and that of packages does."""
    top = module.partition(".")[0]
    if top in _ALWAYS_PACKAGES:
        return True
    try:
        spec: Any = find_spec(top)  # which imports nothing
        origin = str(spec.origin)
    except (AttributeError, ImportError, ValueError):  # of a script, for example
        return False
    place = Path(origin)
    is_installed = _OF_PYTHON in place.parents or not _OF_PACKAGES.isdisjoint(place.parts)
    return is_installed or origin in ("built-in", "frozen")


@cache
def version_of(top: str) -> str:
    """Return the version of the package that a top-level module belongs to."""
    if top in sys.stdlib_module_names:
        return platform.python_version()
    stated = getattr(sys.modules.get(top), "__version__", None)
    return stated if isinstance(stated, str) else " ".join(map(version, _installed().get(top, ())))
