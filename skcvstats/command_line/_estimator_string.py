"""Parse the estimator strings of the command line; nothing is imported or evaluated here.

Three forms: a short name (``forest``), the import path of a class, with literals as its parameters
(``sklearn.svm.SVC(C=10)``), and a variable of a file (``models.py:best``). Each may be named:
``ours=sklearn.svm.SVC(C=10)``.
"""

from __future__ import annotations

import ast
import keyword
import re
import warnings
from dataclasses import dataclass, field
from typing import Any

from ._errors import InputError

_LONGEST = 10_000
_LONGEST_NAME = 100
_FORMS = (
    "write a short name such as forest, name=package.module.Class(parameter=literal, ...), or "
    "file.py:variable"
)
_NAMED = re.compile(r"\s*(?P<name>[^=(]*?)\s*=(?P<rest>.*)", flags=re.DOTALL)
_FILE = re.compile(r"(?P<file>.+\.py)\s*:\s*(?P<variable>[^:()]*)", flags=re.DOTALL)


@dataclass(frozen=True)
class EstimatorString:
    """An estimator string in its parts."""

    text: str
    name: str
    path: str
    variable: str | None = None
    params: dict[str, Any] | None = field(default=None)

    @property
    def is_short(self) -> bool:
        """Whether it is a short name."""
        return self.variable is None and "." not in self.path


def parse_estimator(text: str) -> EstimatorString:
    """Parse an estimator string."""
    if len(text) > _LONGEST:
        raise InputError(
            f"The estimator {text[:40]!r}... has {len(text)} characters, of at most {_LONGEST}; "
            "define it in a file and write file.py:variable."
        )
    name, rest = _split_name(text)
    if match := _FILE.fullmatch(rest):
        variable = match["variable"]
        if not _is_name(variable):
            raise InputError(f"{variable!r} in the estimator {text!r} is no variable; {_FORMS}.")
        return EstimatorString(text, _checked(name or variable, text), match["file"], variable)
    path, params = _path_and_params(rest, text)
    last = path.rpartition(".")[2]
    return EstimatorString(text, _checked(name or last, text), path, params=params)


def _split_name(text: str) -> tuple[str | None, str]:
    match = _NAMED.fullmatch(text)
    if match is None:
        return None, text.strip()
    if not match["name"]:
        raise InputError(f"The estimator {text!r} has no name before its '='; {_FORMS}.")
    return match["name"], match["rest"].strip()


def _checked(name: str, text: str) -> str:
    """Return the name if it can be printed anywhere."""
    if not name.isprintable() or len(name) > _LONGEST_NAME:
        raise InputError(
            f"The name of the estimator {text[:200]!r} must be of at most {_LONGEST_NAME} "
            "printable characters."
        )
    return name


def _path_and_params(written: str, text: str) -> tuple[str, dict[str, Any] | None]:
    """Return the dotted path and the parameters."""
    if all(_is_name(part) for part in written.split(".")):
        return written, None
    node = _parsed(written, text)
    if not isinstance(node, ast.Call):
        raise InputError(f"The estimator {text!r} cannot be read; {_FORMS}.")
    return _dotted(node.func, text), _literals(node, text)


def _parsed(written: str, text: str) -> ast.expr:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python warns about odd literals
            return ast.parse(written, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        why = error.msg if isinstance(error, SyntaxError) else error
        raise InputError(f"The estimator {text!r} cannot be read ({why}); {_FORMS}.") from error


def _dotted(node: ast.expr, text: str) -> str:
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        raise InputError(
            f"The estimator {text!r} must begin with the import path of a class; {_FORMS}."
        )
    return ".".join([node.id, *reversed(parts)])


def _literals(call: ast.Call, text: str) -> dict[str, Any]:
    if call.args or any(part.arg is None for part in call.keywords):
        raise InputError(
            f"The estimator {text!r} must name each of its parameters: parameter=literal."
        )
    params: dict[str, Any] = {}
    for part in call.keywords:
        assert part.arg is not None, "checked above"
        if part.arg in params:
            raise InputError(f"The estimator {text!r} names the parameter {part.arg!r} twice.")
        try:
            params[part.arg] = ast.literal_eval(part.value)
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError) as error:
            raise InputError(
                f"{part.arg} in the estimator {text!r} must be a literal, such as 0.1, 'text', "
                "None, True or a list of these: nothing is evaluated. For anything else define it "
                "in a file and write file.py:variable."
            ) from error
    return params


def _is_name(word: str) -> bool:
    return word.isidentifier() and not keyword.iskeyword(word)
