"""Find a class by its import path, or say what it may be called and what must be installed."""

import difflib
import inspect
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType

from ._parser import InputError, refused

# Packages with estimators, and the distributions that are not called as their package.
_PACKAGES = ("catboost", "flaml", "lightgbm", "mapie", "ngboost", "pygam", "skorch", "xgboost")
_DISTRIBUTIONS = {
    "imblearn": "imbalanced-learn",
    "pytorch_tabnet": "pytorch-tabnet",
    "sklearn": "scikit-learn",
    "sklearn_extra": "scikit-learn-extra",
    "sksurv": "scikit-survival",
}
WANTED = "an estimator is a class with the methods fit and get_params"
_OWN = (
    "Modules of the working directory are not imported; for an estimator of yours write "
    "file.py:variable."
)


def find_class(path: str) -> type:
    """Import a class with ``fit`` from an installed package."""
    module, _, name = path.rpartition(".")
    package = module.split(".")[0]
    # These never have estimators, and importing runs code.
    if package in sys.stdlib_module_names:
        raise InputError(
            f"{path} cannot be an estimator: {package!r} belongs to Python itself; {WANTED}."
        )
    if ".__" in f".{path}":
        raise InputError(f"{path} cannot be an estimator: names with two underscores are private.")
    # A module may do anything, sys.exit included.
    with refused(f"{path} cannot be imported", _OWN, BaseException), _without_working_directory():
        _check_package(path, package)
        loaded = import_module(module)
        attribute = getattr(loaded, name, None)
    if attribute is None:
        elsewhere = _paths()
        meant = did_you_mean(name, [*dir(loaded), *elsewhere], elsewhere)
        raise InputError(f"{path}: module {module!r} has no attribute {name!r}.{meant}")
    if not isinstance(attribute, type):
        raise InputError(f"{path} is of type {type(attribute).__name__}; {WANTED}.")
    check_methods(attribute, path)
    return attribute


def check_methods(estimator: object, what: str) -> None:
    """Refuse an object without fit, without calling any of its code."""
    for method in ("fit", "get_params"):
        if inspect.getattr_static(estimator, method, None) is None:
            raise InputError(f"{what} has no method {method}; {WANTED}.")


def path_of(name: str) -> str:
    """Return the import path of scikit-learn's class of about this name, or another example."""
    paths = _paths()
    return paths.get(_nearest(name, paths), "lightgbm.LGBMClassifier")


def _paths() -> dict[str, str]:
    """Return the import path of each estimator of scikit-learn, by its name."""
    from sklearn.utils import all_estimators

    return {
        name: f"{found.__module__.partition('._')[0]}.{name}" for name, found in all_estimators()
    }


@contextmanager
def _without_working_directory() -> Iterator[None]:
    """Look for modules only where packages are installed, as ``python -P`` does."""
    before = list(sys.path)
    with suppress(OSError, IndexError):  # the working directory was removed, or no path is left
        if Path(before[0]).resolve() == Path.cwd():
            del sys.path[0]
    try:
        yield
    finally:
        sys.path[:] = before


def _check_package(path: str, package: str) -> None:
    """Raise InputError for a class of a package that is not installed, and say what to do."""
    if find_spec(package) is not None:
        return
    remedy = f"Run python -m pip install {_DISTRIBUTIONS.get(package, package)}. {_OWN}"
    meant = _nearest(package, (*_PACKAGES, *_DISTRIBUTIONS))
    if meant not in ("", package):  # nobody installs what was misspelled
        remedy = f"Did you mean {meant!r}?"
    raise InputError(f"{path}: the package {package!r} is not installed. {remedy}")


def _nearest(name: str, names: Iterable[str]) -> str:
    """Return the name that is nearly the given one, or an empty text."""
    return "".join(difflib.get_close_matches(name, list(names), n=1, cutoff=0.75))


def did_you_mean(
    name: str, names: Iterable[str], paths: Mapping[str, str] = MappingProxyType({})
) -> str:
    """Return a question about the name, or its path, that is nearly the given one; "" for none."""
    nearest = _nearest(name, names)
    if not nearest:
        return ""
    return f" Did you mean {paths.get(nearest, nearest)}?"
