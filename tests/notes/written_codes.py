"""The codes of notes that the package writes, read from its source."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import skcvstats

PACKAGE = Path(skcvstats.__file__).parent


def patterns_of_codes() -> dict[str, str]:
    """Return a regular expression for the code of each note that is made, with where it is made."""
    trees = {path: ast.parse(path.read_text("utf-8")) for path in PACKAGE.rglob("*.py")}
    constants = dict[str, str]()
    for tree in trees.values():
        constants |= dict(_constants(tree))
    makers = {"Note": 0}  # the position of the code among the arguments
    while True:
        calls = [call for tree in trees.values() for call in _calls(tree, makers)]
        passed_on = {function.name: k for _, function, k in calls if k is not None}
        if passed_on.keys() <= makers.keys():
            break
        makers |= passed_on
    found = dict[str, str]()
    for path, tree in trees.items():
        for code, _, position in _calls(tree, makers):
            if position is None:
                for pattern in _patterns(code, constants):
                    found[pattern] = f"{path.relative_to(PACKAGE)}:{code.lineno}"
    return found


def _constants(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the names of strings, and of notes with a string as the code."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            value = node.value
            if isinstance(value, ast.Call) and value.args:
                value = value.args[0]
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield node.targets[0].id, value.value


def _calls(tree: ast.AST, makers: dict[str, int], function=None):
    """Yield the code that each call of a maker passes, the function that calls, and its position.

    The position is that of a parameter which the function passes on as the code, None for others.
    """
    for node in ast.iter_child_nodes(tree):
        inside = node if isinstance(node, ast.FunctionDef) else function
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", None))
            position = makers.get(name, len(node.args))
            if position < len(node.args):
                code = node.args[position]
                names = [] if inside is None else [each.arg for each in inside.args.args]
                is_parameter = isinstance(code, ast.Name) and code.id in names
                yield code, inside, names.index(code.id) if is_parameter else None
        yield from _calls(node, makers, inside)


def _patterns(code: ast.expr, constants: dict[str, str]) -> Iterator[str]:
    """Yield regular expressions for what a code may be."""
    if isinstance(code, ast.Constant):
        yield re.escape(code.value)
    elif isinstance(code, ast.JoinedStr):
        parts = [
            re.escape(part.value) if isinstance(part, ast.Constant) else ".+"
            for part in code.values
        ]
        yield "".join(parts)
    elif isinstance(code, ast.IfExp):
        yield from _patterns(code.body, constants)
        yield from _patterns(code.orelse, constants)
    elif isinstance(code, ast.Name):
        yield re.escape(constants[code.id])
    elif isinstance(code, ast.Attribute) and code.attr == "code":
        yield re.escape(constants[code.value.id])
    else:
        raise NotImplementedError(ast.unparse(code))
