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
- its code, if it is a function or class of a script, a notebook or a module beside it, which
  changes without a version: the compiled code, constants, defaults, closures, attributes, and the
  globals that it names or imports. The source text is not used: on disk it may be newer than the
  imported code, and code typed at a prompt has no source;
- its pickled state, if it is anything else, such as an estimator in a closure.
"""

import dis
import os
import platform
import struct
import sys
import sysconfig
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from importlib.util import find_spec
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state

from .._utils._arrays import digest_of
from .._utils._checks import one_line
from .._utils._text import cut

# Parameters that change how scikit-learn computes, but not the result.
_IDLE = ("memory", "n_jobs", "verbose")
# Arrays that are not contiguous are copied in parts of this size.
_BLOCK = 2**24
_SPARSE_PARTS = ("data", "indices", "indptr", "row", "col", "coords", "offsets", "rows")
_Key = tuple[int, bool]
_NOWHERE = sys.maxsize
_OF_UFUNCS = ("numpy", "scipy.special")  # they do not say where they are
_PLAIN_CONTAINERS = (list, tuple, dict, set, frozenset)


class UnknownContentError(ValueError):
    """A value cannot be distinguished from other values of its type."""


class ContentReader:
    """Computes fingerprints of values, and remembers them, so that a value is read only once."""

    # What `clone` reaches is identified by its parameters, anything else by its whole state. Within
    # a cycle, as of functions that call each other, a fingerprint leaves out what is being read,
    # and is used until the cycle has been read: so it does not depend on what was read before.

    def __init__(self) -> None:
        self._alive: list[Any] = []
        self._read: dict[_Key, bytes] = {}
        self._reading: dict[_Key, int] = {}  # how deep each is
        self._tied: dict[_Key, tuple[bytes, int]] = {}  # in a cycle; how far up it reaches
        self._cycles: dict[_Key, int] = {}
        self._lowest = _NOWHERE

    def digest(self, value: Any, *, cloned: bool = False) -> bytes:
        scalar = _scalar(value)
        if scalar is not None:
            return digest_of("scalar", scalar)
        key, depth = (id(value), cloned), len(self._reading)
        if key in self._reading:  # it contains itself
            self._lowest = min(self._lowest, self._reading[key])
            return digest_of("again", str(depth - self._reading[key]))
        if key in self._tied:
            found, lowest = self._tied[key]
            self._lowest = min(self._lowest, lowest)
            return found
        if key in self._read and not self._is_inside(self._cycles.get(key)):
            return self._read[key]
        outside, self._lowest = self._lowest, _NOWHERE
        self._reading[key] = depth
        try:
            found = self._digest(value, cloned)
        except BaseException:
            self._tied.clear()
            raise
        finally:
            del self._reading[key]
        self._alive.append(value)  # kept alive, so that its id is not used again
        if self._lowest < depth:
            self._tied[key] = (found, self._lowest)
        else:
            self._read[key] = found
            self._untie(key, depth)
        self._lowest = min(outside, self._lowest)
        return found

    def _is_inside(self, cycle: int | None) -> bool:
        return cycle is not None and any(self._cycles.get(key) == cycle for key in self._reading)

    def _untie(self, key: _Key, depth: int) -> None:
        """Forget the fingerprints within a cycle, and remember its members."""
        members = [other for other, (_, lowest) in self._tied.items() if lowest >= depth]
        if not members:
            return
        known = (self._cycles[other] for other in (key, *members) if other in self._cycles)
        cycle = next(known, len(self._cycles))
        for member in members:
            del self._tied[member]
        self._cycles.update(dict.fromkeys((key, *members), cycle))

    def _digest(self, value: Any, cloned: bool) -> bytes:
        if isinstance(value, ModuleType):
            return digest_of_module(value, (), self.digest)
        if isinstance(value, type):
            return digest_of_class(value, self.digest)
        if isinstance(value, FunctionType):
            return digest_of_function(value, self.digest)
        if isinstance(value, MethodType):
            return digest_of("method", value.__name__, self.digest(value.__self__))
        if isinstance(value, partial):
            parts = (value.func, value.args, value.keywords)
            return digest_of("partial", self.digest(parts))
        if isinstance(value, (BuiltinFunctionType, np.ufunc)):
            return self._builtin(value)
        if type(value) in _PLAIN_CONTAINERS:
            return self._container(value, cloned)
        data = digest_of_data(value, self)
        if data is not None:
            return data
        if cloned and hasattr(value, "get_params"):
            return self._estimator(value)
        return self._pickled(value)

    def members(self, values: Iterable[Any], *, cloned: bool = False) -> bytes:
        """Return the fingerprint of a sequence of values."""
        encoded = (_scalar(value) or b"o" + self.digest(value, cloned=cloned) for value in values)
        return digest_of("members", encoded)

    def _container(self, value: Any, cloned: bool) -> bytes:
        name = type(value).__name__
        if isinstance(value, (list, tuple)):
            return digest_of(name, self.members(value, cloned=cloned))
        if isinstance(value, dict):
            pairs = ((self.digest(k), self.digest(v, cloned=cloned)) for k, v in value.items())
            return digest_of(name, [part for pair in pairs for part in pair])
        return digest_of(name, sorted(self.digest(member, cloned=cloned) for member in value))

    def _estimator(self, value: Any) -> bytes:
        kind = type(value)
        own = getattr(kind, "__sklearn_clone__", None)
        if own is not None and own is not BaseEstimator.__sklearn_clone__:
            return self._pickled(value)  # clone does not copy a frozen estimator
        params = dict(value.get_params(deep=False))
        if (kind.__module__ or "").startswith("sklearn."):
            params = {name: param for name, param in params.items() if name not in _IDLE}
        config = getattr(value, "_sklearn_output_config", {})  # set by set_output
        return digest_of(
            "estimator",
            self.digest(kind),
            self._container(dict(sorted(params.items())), cloned=True),
            self.digest(config),
            self.digest(_requests(value)),
        )

    def _builtin(self, value: Any) -> bytes:
        owner = getattr(value, "__self__", None)
        if owner is not None and not isinstance(owner, ModuleType):
            return digest_of("builtin of", value.__name__, self.digest(owner))
        modules = _OF_UFUNCS if isinstance(value, np.ufunc) else (value.__module__,)
        for module in modules:
            if is_of_package(value, module, value.__name__):
                return digest_of("builtin", *named(module, value.__name__))
        raise _unknown(value, "no package has it under its name")

    def _pickled(self, value: Any) -> bytes:
        if value is check_random_state(None):  # each process seeds it differently
            return digest_of("the global random state")
        try:
            reduced = value.__reduce_ex__(4)
        except Exception as error:
            raise _unknown(value, f"{type(error).__name__}: {_short(error, str)}") from error
        if isinstance(reduced, str):
            module = getattr(value, "__module__", None) or type(value).__module__
            if is_of_package(value, module, reduced):
                return digest_of("global", *named(module, reduced))
            if not hasattr(value, "__wrapped__"):  # a function with a cache has it
                raise _unknown(value, "pickle keeps its name")
            return digest_of("wrapped", self.digest([type(value), value.__wrapped__]))
        parts = [list(part) if isinstance(part, Iterator) else part for part in reduced[:5]]
        return digest_of("pickled", self.members(parts))


def fingerprint(value: Any) -> str | None:
    """Return the fingerprint of a value as text, or None if it has none of its own."""
    try:
        return ContentReader().digest(value).hex()
    except UnknownContentError:
        return None


def _unknown(value: Any, why: str) -> UnknownContentError:
    return UnknownContentError(f"{_short(value)} cannot be identified by its content ({why})")


def _scalar(value: Any) -> bytes | None:
    """Return a plain value as bytes, which start with its type."""
    encode = _ENCODERS.get(type(value))
    if encode is not None:
        return encode(value)
    if isinstance(value, np.generic) and not value.dtype.hasobject:
        return b"g" + _sized(value.dtype.str.encode()) + _sized(value.tobytes())
    return None


def _requests(estimator: Any) -> dict[str, Any]:
    """Return the metadata that an estimator requests, by method, as set by ``set_fit_request``."""
    asked = getattr(estimator, "_metadata_request", None)
    methods = {} if asked is None else dict(sorted(vars(asked).items()))
    return {name: of.requests for name, of in methods.items() if hasattr(of, "requests")}


def _sized(payload: bytes) -> bytes:
    return len(payload).to_bytes(8, "little") + payload


_ENCODERS: dict[type, Callable[[Any], bytes]] = {
    type(None): lambda value: b"N",
    type(Ellipsis): lambda value: b"E",
    bool: lambda value: b"T" if value else b"F",
    int: lambda value: b"i" + _sized(b"%x" % value),
    float: lambda value: b"f" + struct.pack("<d", value),
    complex: lambda value: b"c" + struct.pack("<dd", value.real, value.imag),
    str: lambda value: b"s" + _sized(value.encode("utf-8", "surrogatepass")),
    bytes: lambda value: b"b" + _sized(value),
}


def _short(value: Any, write: Callable[[Any], str] = one_line) -> str:
    try:
        return cut(write(value), 80)
    except Exception:  # its representation fails
        return f"a {type(value).__name__}"


def digest_of_data(value: Any, reader: ContentReader) -> bytes | None:
    """Return the fingerprint of an array, a frame or a sparse matrix, or None for anything else."""
    kind = type(value)
    if kind in (np.ndarray, np.memmap):
        return _array(value, reader, _layout_of_copy(value))
    if kind is np.ma.MaskedArray:
        parts = [np.asarray(value.data), np.ma.getmaskarray(value), value.fill_value]
        return digest_of("masked", reader.digest(parts))
    if hasattr(value, "tocsr") and hasattr(value, "nnz"):
        return _sparse(value, reader)
    pd = sys.modules.get("pandas")
    if pd is not None and isinstance(value, pd.DataFrame):
        columns = [_column(value.iloc[:, k], reader) for k in range(value.shape[1])]
        names = reader.digest([value.columns, value.index, value.attrs])
        return digest_of("frame", kind.__qualname__, names, columns)
    if pd is not None and isinstance(value, pd.Series):
        content = _column(value, reader)
        names = reader.digest([value.name, value.index, value.attrs])
        return digest_of("series", kind.__qualname__, content, names)
    if pd is not None and isinstance(value, pd.Index):
        return _index(value, reader)
    if pd is not None and isinstance(value, pd.api.extensions.ExtensionArray):
        return _column(value, reader)
    if kind.__module__.partition(".")[0] == "polars":
        return _polars(value, reader)
    return None


def _array(array: np.ndarray, reader: ContentReader, layout: str = "") -> bytes:
    dtype, shape = array.dtype, str(array.shape)
    if dtype.hasobject or dtype.kind == "T":  # text of any length, stored elsewhere
        return digest_of("objects", str(dtype), shape, reader.members(array.ravel().tolist()))
    return digest_of("array", str(dtype.descr), shape, layout or _layout(array), _buffer(array))


def _layout(array: np.ndarray) -> str:
    return "C" if array.flags.c_contiguous else "F" if array.flags.f_contiguous else "strided"


def _layout_of_copy(array: np.ndarray) -> str:
    """Return the memory layout of the rows that a fit gets, which are always a copy of a part."""
    own = _layout(array)
    if own == "strided" and array[:2].copy(order="K").flags.c_contiguous:
        return "C"
    return own


def _buffer(array: np.ndarray) -> Iterator[memoryview | bytes]:
    """Yield the bytes of an array in C order, or in Fortran order if it is stored so."""
    if array.flags.f_contiguous and not array.flags.c_contiguous:
        array = array.T
    if array.flags.c_contiguous:
        yield array.reshape(-1).view(np.uint8).data if array.size else b""
        return
    n_rows = max(1, _BLOCK // max(1, array[:1].nbytes))
    for start in range(0, len(array), n_rows):
        yield np.ascontiguousarray(array[start : start + n_rows]).reshape(-1).view(np.uint8).data


def _sparse(matrix: Any, reader: ContentReader) -> bytes:
    parts = {name: getattr(matrix, name) for name in _SPARSE_PARTS if hasattr(matrix, name)}
    if "data" not in parts:
        matrix = matrix.tocsr()
        parts = {"data": matrix.data, "indices": matrix.indices, "indptr": matrix.indptr}
    content = reader.digest([tuple(matrix.shape), parts])
    return digest_of("sparse", type(matrix).__qualname__, content)


def _column(values: Any, reader: ContentReader) -> bytes:
    """Return the fingerprint of the values of a pandas series, index or array."""
    dtype = str(values.dtype)
    if dtype == "category":
        array = getattr(values, "array", values)
        parts = [np.asarray(array.codes), array.categories, array.ordered]
        return digest_of("category", reader.digest(parts))
    if isinstance(values.dtype, np.dtype):
        return digest_of("column", dtype, _array(np.asarray(values), reader))
    if values.dtype.kind in "mM":  # times with a time zone
        return digest_of("column", dtype, _array(np.asarray(values.astype("int64")), reader))
    return digest_of("column", dtype, reader.members(values.to_numpy(dtype=object).tolist()))


def _index(index: Any, reader: ContentReader) -> bytes:
    kind, names = type(index).__qualname__, reader.digest(list(index.names))
    if hasattr(index, "step"):
        place = reader.digest([int(index.start), int(index.stop), int(index.step)])
        return digest_of("index", kind, names, place)
    if index.nlevels > 1:
        levels = [index.get_level_values(k) for k in range(index.nlevels)]
        return digest_of("index", kind, names, *(_index(level, reader) for level in levels))
    return digest_of("index", kind, names, _column(index, reader))


def _polars(value: Any, reader: ContentReader) -> bytes | None:
    """Return the fingerprint of a polars frame or series; None for other polars objects."""
    if hasattr(value, "iter_columns"):
        columns = [_polars(column, reader) or b"" for column in value.iter_columns()]
        return digest_of("polars frame", columns)
    if not hasattr(value, "null_count") or not hasattr(value, "to_list"):
        return None
    about = (value.name, str(value.dtype))
    if value.dtype.is_numeric() and value.null_count() == 0:
        return digest_of("polars series", *about, reader.digest(value.to_numpy()))
    return digest_of("polars series", *about, reader.members(value.to_list()))


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
