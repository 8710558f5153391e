"""Parse the estimator strings of the command line without evaluating them, and find what they name.

Three forms: a short name (``forest``), the import path of a class, with literals as its parameters
(``sklearn.svm.SVC(C=10)``), and a variable of a file (``models.py:best``). Each may be named:
``ours=sklearn.svm.SVC(C=10)``.
"""

import ast
import keyword
import os
import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from runpy import run_path
from typing import Any

from .._utils._checks import check_option, listed
from ._classes import check_methods, find_class, path_of
from ._parser import SCALED, InputError, in_one_line, refused

_FORMS = (
    "write a short name such as forest, name=package.module.Class(parameter=literal, ...), or "
    "file.py:variable"
)
_MOST_BYTES = 10**6  # of a file that defines estimators
# Spaces are taken off afterwards: patterns that look for them would take cubic time.
_NAMED = re.compile(r"\A([^=(]+=)?(.*)\Z", flags=re.DOTALL)
_DEFINED = re.compile(r"^(?:(?:def|class) +|(?=\w+ *=[^=]))(\w+)", flags=re.MULTILINE)
_FILE = re.compile(r"(?P<file>.+\.py)\s*:(?P<variable>[^:()]*)", flags=re.DOTALL)


@dataclass(frozen=True)
class EstimatorString:
    """An estimator string in its parts."""

    text: str
    name: str
    path: str
    variable: str | None = None
    params: dict[str, Any] = field(default_factory=dict)
    flag: str = "--estimators"  # where it was given


def parse_estimator(text: str, flag: str = "--estimators") -> EstimatorString:
    """Parse an estimator string."""
    [(prefix, rest)] = _NAMED.findall(text)
    rest = rest.strip()
    match = _FILE.fullmatch(rest)
    if match is not None:
        path = match["file"]
        variable = match["variable"].strip()
        params = dict[str, Any]()
        default_name = variable
    elif rest.endswith(".py"):
        raise InputError(_without_variable(rest))
    else:
        path, params = _path_and_params(rest, text)
        variable = None
        default_name = path.rpartition(".")[2]
    name = prefix.removesuffix("=").strip() or default_name
    return EstimatorString(text, name, path, variable, params, flag)


def _without_variable(file: str) -> str:
    """Say how to name an estimator of a file, and what the file defines."""
    from ._files import read_bytes  # here, so that --help need not wait for numpy

    written = read_bytes(file, _MOST_BYTES).decode(errors="replace")
    defined = listed(_DEFINED.findall(written), 10)
    return f"{file} is a file: write {file}:NAME. It defines {defined}."


def _path_and_params(written: str, text: str) -> tuple[str, dict[str, Any]]:
    """Return the dotted path of a class and its parameters."""
    if _is_path(written):
        return written, {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python warns about odd literals
            call = ast.parse(written, mode="eval").body
            path = ast.unparse(call).partition("(")[0]
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise InputError(f"The estimator {text!r} cannot be read ({error}); {_FORMS}.") from error
    if not isinstance(call, ast.Call) or not _is_path(ast.unparse(call.func)):
        raise InputError(
            f"The estimator {text!r} must begin with the import path of a class; {_FORMS}."
        )
    if call.args or None in map(attrgetter("arg"), call.keywords):
        raise InputError(
            f"The estimator {text!r} must name each of its parameters: parameter=literal."
        )
    params: dict[str, Any] = {}
    for part in call.keywords:
        name = str(part.arg)
        if name in params:
            raise InputError(f"The estimator {text!r} names the parameter {name!r} twice.")
        try:
            params[name] = ast.literal_eval(part.value)
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError) as error:
            raise InputError(
                f"{name} in the estimator {text!r} must be a literal, such as 0.1, 'text', "
                "None, True or a list of these: nothing is evaluated. For anything else define it "
                "in a file and write file.py:variable."
            ) from error
    return path, params


def _is_path(text: str) -> bool:
    """Tell whether a text is a name, or names with dots between them."""
    return all(map(_is_name, text.split(".")))


def _is_name(text: str) -> bool:
    return text.isidentifier() and not keyword.iskeyword(text)


def find_estimator(parsed: EstimatorString, short: Mapping[str, str], hint: str = "") -> Any:
    """Return the estimator that a string names; only its class is called."""
    if parsed.variable is not None:
        return _run_file(parsed, parsed.variable)
    if "." in parsed.path:
        return _make(find_class(parsed.path), parsed)
    also = ""
    if parsed.path not in short:
        known = path_of(parsed.path)
        also = f"{hint} A class is named by its path, as {known}, an object by file.py:name."
    specification = short[check_option(parsed.flag, parsed.path, short, also)]
    if parsed.params:
        raise InputError(
            f"The short name {parsed.path!r} takes no parameters; write the import path of the "
            "class, such as sklearn.svm.SVC(C=10)."
        )
    estimator = find_estimator(parse_estimator(specification), short)
    if parsed.path not in SCALED:
        return estimator
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), estimator)


def _make(cls: type, parsed: EstimatorString) -> Any:
    remedy = (
        "Write its parameters as parameter=literal, or define it in a file and write "
        "file.py:variable."
    )
    with refused(f"{parsed.path} cannot be made of {parsed.text!r}", remedy):
        return cls(**parsed.params)


def _run_file(parsed: EstimatorString, variable: str) -> Any:
    """Run a file of the user, and return the estimator with that name."""
    path = parsed.path
    if not os.path.isfile(path):
        raise InputError(f"The estimator {parsed.text!r}: there is no file {path!r}.")
    try:  # the module cannot be imported later, so its classes are sent to workers by value
        estimator = run_path(path, run_name=f"_estimators_of_{Path(path).stem}").get(variable)
    except (Exception, SystemExit) as error:  # a file may do anything
        kind = type(error).__name__
        raise InputError(f"{path} does not run: {kind}: {in_one_line(error)}.") from error
    if estimator is None:
        raise InputError(f"{path} defines no {variable!r}.")
    check_methods(estimator, f"{variable!r} of {path}")
    return _make(estimator, parsed) if isinstance(estimator, type) else estimator
