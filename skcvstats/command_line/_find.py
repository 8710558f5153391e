"""Find the estimator that a parsed string names; only its class is called."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from .._utils._checks import check_option
from ._errors import InputError, in_one_line
from ._estimator_string import EstimatorString

_WANTED = "an estimator is a class with the methods fit and get_params"


def find_estimator(parsed: EstimatorString, short: Mapping[str, Callable[[], Any]]) -> Any:
    """Return the estimator that a string names."""
    if parsed.variable is not None:
        return _of_file(parsed, parsed.variable)
    if not parsed.is_short:
        return _made(find_class(parsed.path), parsed)
    make = short[check_option("--estimators", parsed.path, short)]
    if parsed.params:
        raise InputError(
            f"The short name {parsed.path!r} takes no parameters; write the import path of the "
            "class, such as sklearn.svm.SVC(C=10)."
        )
    return make()


def find_class(path: str) -> type:
    """Import a class with ``fit`` from an installed package."""
    module_name, _, name = path.rpartition(".")
    _check_modules(module_name, path)
    with _without_working_directory():
        found = getattr(_imported(module_name, path), name, None)
    if found is None:
        raise InputError(f"{path}: module {module_name!r} has no attribute {name!r}.")
    _check_methods(found, path, isinstance(found, type))
    return found


def _check_modules(module_name: str, path: str) -> None:
    """Refuse modules that never have estimators before importing them, as importing runs code."""
    parts = module_name.split(".")
    if parts[0] in sys.stdlib_module_names:
        raise InputError(
            f"{path} cannot be an estimator: {parts[0]!r} belongs to Python itself; {_WANTED}."
        )
    if any(part.startswith("__") for part in path.split(".")):
        raise InputError(f"{path} cannot be an estimator: names with two underscores are private.")
    with _without_working_directory():
        try:
            known = find_spec(parts[0]) is not None
        except (ImportError, ValueError):
            known = False
    if not known:
        raise InputError(
            f"{path}: No module named {parts[0]!r} is installed. Modules of the working directory "
            "are not imported; for an estimator of yours write file.py:variable."
        )


def _imported(module_name: str, path: str) -> Any:
    try:
        return import_module(module_name)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a module may do anything, sys.exit included
        raise InputError(f"{path} cannot be imported: {in_one_line(error)}.") from error


@contextmanager
def _without_working_directory() -> Iterator[None]:
    """Look for modules only where packages are installed, as ``python -P`` does."""
    before = list(sys.path)
    if before and _is_working_directory(before[0]):
        del sys.path[0]
    try:
        yield
    finally:
        sys.path[:] = before


def _is_working_directory(entry: str) -> bool:
    try:
        return Path(entry or ".").resolve() == Path.cwd()
    except OSError:  # the working directory was removed
        return entry == ""


def _check_methods(found: Any, what: str, right_kind: bool) -> None:
    """Refuse an object without fit, without calling any of its code."""
    if not right_kind:
        raise InputError(f"{what} is of type {type(found).__name__}; {_WANTED}.")
    for method in ("fit", "get_params"):
        if inspect.getattr_static(found, method, None) is None:
            raise InputError(f"{what} has no method {method}; {_WANTED}.")


def _made(cls: type, parsed: EstimatorString) -> Any:
    params = parsed.params or {}
    _check_params(cls, params, parsed.path)
    try:
        return cls(**params)
    except Exception as error:
        raise InputError(
            f"{parsed.path} cannot be made of {parsed.text!r}: {in_one_line(error)}. Write its "
            "parameters as parameter=literal, or define it in a file and write file.py:variable."
        ) from error


def _check_params(cls: type, params: Mapping[str, Any], path: str) -> None:
    try:
        known = inspect.signature(cls).parameters
    except (TypeError, ValueError):  # the class is not written in Python
        return
    takes_any = any(parameter.kind is parameter.VAR_KEYWORD for parameter in known.values())
    for name in params:
        if name not in known and not takes_any:
            close = get_close_matches(name, known, n=1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            raise InputError(f"{path} has no parameter {name!r}.{hint}")


def _of_file(parsed: EstimatorString, variable: str) -> Any:
    """Run a file of the user, and return the estimator with that name."""
    if not os.path.isfile(parsed.path):
        raise InputError(f"The estimator {parsed.text!r}: there is no file {parsed.path!r}.")
    found = _contents(parsed.path).get(variable)
    if found is None:
        raise InputError(f"{parsed.path} defines no {variable!r}.")
    what = f"{variable!r} of {parsed.path}"
    _check_methods(found, what, True)
    return _made(found, parsed) if isinstance(found, type) else found


def _contents(path: str) -> dict[str, Any]:
    spec = spec_from_file_location(f"_estimators_of_{Path(path).stem}", path)
    assert spec is not None, "it ends in .py"
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[module.__name__] = module
    try:
        spec.loader.exec_module(module)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a file may do anything, sys.exit included
        kind = type(error).__name__
        raise InputError(f"{path} does not run: {kind}: {in_one_line(error)}.") from error
    finally:
        del sys.modules[module.__name__]  # so that its classes are sent to workers by value
    return vars(module)
