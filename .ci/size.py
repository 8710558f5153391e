"""Print how large the package is: lines, code, files, docstrings of private things, names.

Code is what is left without docstrings, comments and blank lines; a stub counts as code. With
--road every function of the road of one call is listed.
"""

import ast
import inspect
import re
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "skcvstats"
ROOMS = (
    *("", "exceptions", "model_selection", "plotting", "simulation", "stats"),
    *("test_set", "theory", "words"),
)
FACES = ("fitting", "comparison", "scores")


def sources(folder):
    """Return the Python files of a folder, stubs included."""
    return sorted([*folder.rglob("*.py"), *folder.rglob("*.pyi")])


def docstrings(tree):
    """Yield the qualified name of each documented thing, and its docstring's lines."""

    def visit(node, path):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and (
            ast.get_docstring(node, clean=False) is not None
        ):
            text = node.body[0]
            yield ".".join(path), range(text.lineno, text.end_lineno + 1)
        for child in ast.iter_child_nodes(node):
            yield from visit(
                child,
                [*path, child.name]
                if hasattr(child, "body") and hasattr(child, "name") and child.name
                else path,
            )

    yield from visit(tree, [])


def code_lines(text):
    """Count the lines that are neither docstring, comment nor blank."""
    told = {line for _, lines in docstrings(ast.parse(text)) for line in lines}
    lines = enumerate(text.splitlines(), 1)
    return sum(bool(s.strip()) and s.strip()[0] != "#" and n not in told for n, s in lines)


def imported_from(room):
    """Return the names that other rooms import from a room's face."""
    found = set()
    for path in sources(PACKAGE):
        inside = path.relative_to(PACKAGE).parts[0] == room
        text = path.read_text()
        pattern = rf"from \.+{room} import (\([^)]*\)|.*)|from \.+ import {room}\b"
        if not inside and path.parent != PACKAGE:
            for names in re.findall(pattern, text):
                found |= {n.split(" as ")[0].strip() for n in names.strip("()").split(",")} - {""}
    return found


def public_names():
    """Return the public names of all rooms, and the top level's."""
    names = {}
    for room in ROOMS:
        with suppress(ImportError):
            module = import_module(f"skcvstats.{room}".rstrip("."))
            names |= {name: getattr(module, name) for name in module.__all__}
    return names


def public_places(names):
    """Return where users reach a docstring: (file, name) of functions, classes and methods."""
    found = set()
    for thing in names.values():
        if not hasattr(thing, "__qualname__"):
            continue
        found.add((thing.__module__, thing.__qualname__))
        for owner in getattr(thing, "__mro__", ()):
            if owner.__module__.startswith("skcvstats"):
                own = [name for name in vars(owner) if not name.startswith("_")]
                found |= {(owner.__module__, f"{owner.__qualname__}.{name}") for name in own}
    return found


def single_users():
    """Return the functions that exactly one other file of the package imports."""
    defined, imports = {}, {}
    for path in sources(PACKAGE):
        tree = ast.parse(path.read_text())
        defined |= {node.name: path for node in tree.body if isinstance(node, ast.FunctionDef)}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and path.name not in (
                "__init__.py",
                "__init__.pyi",
            ):
                for alias in node.names:
                    imports.setdefault(alias.name, set()).add(path)
    return [name for name, path in defined.items() if len(imports.get(name, set()) - {path}) == 1]


def the_road():
    """Return which of our functions a second comparison of two dummies walks, and with its print.

    Functions are distinct code objects, without lambdas, comprehensions and generator expressions.
    """
    from sklearn.datasets import load_iris
    from sklearn.dummy import DummyClassifier

    from skcvstats import compare_estimators

    def walked(call):
        codes = set()

        def note(frame, event, argument):
            code = frame.f_code
            if event == "call" and code.co_filename.startswith(str(PACKAGE)):
                codes.add(code)

        sys.setprofile(note)
        found = call()
        sys.setprofile(None)
        return found, {code for code in codes if code.co_name[0] != "<"}

    X, y = load_iris(return_X_y=True)
    models = {"a": DummyClassifier(), "b": DummyClassifier(strategy="stratified", random_state=0)}
    for _ in range(2):
        result, call = walked(lambda: compare_estimators(models, X, y))
        _, text = walked(lambda: str(result))  # noqa: B023 (called at once)
    return call, call | text


def print_road(name, codes):
    """Print the size of a road: its functions, those of at most three lines, and its files."""
    lengths = [len({line for *_, line in code.co_lines() if line}) - 1 for code in codes]
    short = sum(length <= 3 for length in lengths)
    files = {code.co_filename for code in codes}
    print(
        f"{name:20} {len(codes)} functions ({short} of at most three lines) in {len(files)} files"
    )
    if "--road" in sys.argv:
        for path in sorted(files):
            names = sorted(code.co_qualname for code in codes if code.co_filename == path)
            print(f"    {Path(path).relative_to(PACKAGE)} ({len(names)}): {', '.join(names)}")


def main():
    """Print all figures."""
    sys.path.insert(0, str(ROOT))
    files = sources(PACKAGE)
    texts = {path: path.read_text() for path in files}
    public = public_names()
    reached = public_places(public)
    private = 0
    for path, text in texts.items():
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for name, lines in docstrings(ast.parse(text)):
            if name and (module, name) not in reached:
                private += len(lines)
    import skcvstats

    parameters = inspect.signature(skcvstats.compare_estimators).parameters
    print("parameters of compare_estimators", len(parameters))
    for name, codes in zip(("a comparison", "and its print"), the_road(), strict=True):
        print_road(name, codes)
    print("functions with one user", len(single_users()))
    tests = sources(ROOT / "tests")
    print("lines        ", sum(len(text.splitlines()) for text in texts.values()))
    print("code         ", sum(map(code_lines, texts.values())))
    print("files        ", len(files))
    print("private docs ", private)
    print("top names    ", len(skcvstats.__all__), "of all rooms", len(public))
    for room in FACES:
        print("face of", room, len(imported_from(room)))
    print("tests        ", sum(len(path.read_text().splitlines()) for path in tests))
    for room in sorted({p.relative_to(PACKAGE).parts[0] for p in files}):
        own = {p: t for p, t in texts.items() if p.relative_to(PACKAGE).parts[0] == room}
        lines = sum(len(text.splitlines()) for text in own.values())
        print(f"{room:20}", lines, sum(map(code_lines, own.values())), len(own))


if __name__ == "__main__":
    main()
