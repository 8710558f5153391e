"""Print how plainly a package is written, in numbers that do not depend on line breaks.

A decision is: ``if``, ``for``, ``while``, ``x if c else y``, ``except``, ``case``, each operand of
``and`` and ``or`` beyond the first, each loop and each condition of a comprehension, ``suppress``,
and each further element of ``any((...))`` or ``all((...))``. Files in folders named ``tests`` are
not counted. Only the longest body and the share of comments depend on how lines are broken.

    python .ci/plainness.py                     this package
    python .ci/plainness.py FOLDER              another checkout's package, or another package
    python .ci/plainness.py --functions         also all functions with 15 or more decisions
    python .ci/plainness.py --road              also all functions that one comparison calls
"""

import argparse
import ast
import io
import re
import sys
import tokenize
from collections import Counter
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "skcvstats"
MANY_DECISIONS = 15
MANY_FIELDS = 12
# What a user reads or keeps, and not what one function hands to another.
RECORDS_OF_ANY_WIDTH = ("CVScores", "Comparison", "CorrelationSensitivity")
NAME_OF_TIME_ORDER = re.compile("in_time_order|^_in_order$", re.IGNORECASE)

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DOCUMENTED = (ast.Module, ast.ClassDef, *FUNCTIONS)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
ONE_DECISION = (
    *(ast.If, ast.For, ast.AsyncFor, ast.While),
    *(ast.IfExp, ast.ExceptHandler, ast.match_case),
)


def last_name(node):
    """Return the name that a name, an attribute or a call ends with; empty for all else."""
    if isinstance(node, ast.Call):
        return last_name(node.func)
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Name):
        return node.id
    return ""


def own_decisions(node):
    """Count the decisions of a node without those of the nodes in it."""
    if isinstance(node, ONE_DECISION):
        return 1
    if isinstance(node, ast.BoolOp):
        return len(node.values) - 1
    if isinstance(node, ast.comprehension):
        return 1 + len(node.ifs)
    if isinstance(node, ast.Call):
        name = last_name(node)
        if name == "suppress":
            return 1
        if name in ("any", "all") and node.args:
            elements = getattr(node.args[0], "elts", ())
            return max(len(elements) - 1, 0)
    return 0


def count_decisions(tree):
    """Count the decisions of a node and of all in it."""
    return sum(own_decisions(node) for node in ast.walk(tree))


def is_constant(node):
    """Tell whether a statement does nothing: a docstring or an ellipsis."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def functions_of(tree):
    """Yield (qualified name, function) of all functions, methods and functions in functions."""

    def visit(node, path):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (*FUNCTIONS, ast.ClassDef)):
                inner_path = [*path, child.name]
                if isinstance(child, FUNCTIONS):
                    yield ".".join(inner_path), child
                yield from visit(child, inner_path)
            else:
                yield from visit(child, path)

    yield from visit(tree, [])


def statements_in_functions(tree):
    """Return the statements inside functions, each once, without docstrings."""
    inside = {}
    for _, function in functions_of(tree):
        for node in ast.walk(function):
            if node is not function and isinstance(node, ast.stmt) and not is_constant(node):
                inside[id(node)] = node
    return list(inside.values())


def body_length(function):
    """Count the lines of a function below its docstring, or below its head if it has none."""
    first = function.body[0]
    begin = first.end_lineno if is_constant(first) else first.lineno - 1
    return function.end_lineno - begin


def joins_by_tuple(node):
    """Tell whether a node is an assignment such as ``a, b = x, y``."""
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Tuple):
        return False
    return any(isinstance(target, ast.Tuple | ast.List) for target in node.targets)


def reads_time_order(node):
    """Tell whether a node names the fact that splits are in time order."""
    names = [getattr(node, part, None) for part in ("id", "attr", "arg", "name")]
    return any(isinstance(name, str) and NAME_OF_TIME_ORDER.search(name) for name in names)


def code_lines(text, tree):
    """Count the lines that are neither docstring, comment nor blank."""
    docstring_lines = set()
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            docstring = node.body[0]
            docstring_lines.update(range(docstring.lineno, docstring.end_lineno + 1))
    count = 0
    for number, line in enumerate(text.splitlines(), 1):
        is_code = line.strip() and not line.strip().startswith("#")
        if is_code and number not in docstring_lines:
            count += 1
    return count


def logical_lines(tree):
    """Count the lines of the code if each statement stood on one line."""
    without = ast.parse(ast.unparse(tree))
    for node in ast.walk(without):
        if isinstance(node, DOCUMENTED):
            node.body = [statement for statement in node.body if not is_constant(statement)]
    return sum(bool(line.strip()) for line in ast.unparse(without).splitlines())


def count_comments(text):
    """Count the comments, those behind code included."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return sum(token.type == tokenize.COMMENT for token in tokens)


def fields_of_records(trees):
    """Return the names of all fields of each dataclass and named tuple, those of bases included."""
    classes = {}
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                classes[node.name] = node

    def fields(node, seen=()):
        names = {}
        for base in node.bases:
            inherited = classes.get(last_name(base))
            if inherited is not None and inherited.name not in (node.name, *seen):
                names |= fields(inherited, (*seen, node.name))
        if is_record(node):
            for statement in node.body:
                if isinstance(statement, ast.AnnAssign) and is_field(statement):
                    names[statement.target.id] = None
        return names

    return {name: list(fields(node)) for name, node in classes.items() if is_record(node)}


def is_record(node):
    """Tell whether a class is a dataclass or a named tuple."""
    is_dataclass = any(last_name(decorator) == "dataclass" for decorator in node.decorator_list)
    return is_dataclass or any(last_name(base) == "NamedTuple" for base in node.bases)


def is_field(statement):
    """Tell whether an annotated name in a class is a field, as class variables are not."""
    annotation = ast.unparse(statement.annotation)
    return "ClassVar" not in annotation and "InitVar" not in annotation


def measure(texts):
    """Return the measures of a package by name, from the text of each file by its path.

    Paths are relative to the package; a room is the first part of a path.
    """
    counts = Counter()
    room_decisions = Counter()
    room_statements = Counter()
    functions = []
    longest = (0, "")
    trees = {path: ast.parse(text) for path, text in texts.items()}
    for path, tree in trees.items():
        room = Path(path).parts[0]
        decisions = count_decisions(tree)
        statements = len(statements_in_functions(tree))
        room_decisions[room] += decisions
        room_statements[room] += statements
        counts["decisions"] += decisions
        counts["statements"] += statements
        counts["code lines"] += code_lines(texts[path], tree)
        counts["logical lines"] += logical_lines(tree)
        counts["comments"] += count_comments(texts[path])
        nodes = list(ast.walk(tree))
        counts["conditional expressions"] += sum(isinstance(node, ast.IfExp) for node in nodes)
        counts["comprehensions"] += sum(isinstance(node, COMPREHENSIONS) for node in nodes)
        counts["joined by a tuple"] += sum(map(joins_by_tuple, nodes))
        counts["files that read time order"] += any(map(reads_time_order, nodes))
        for name, function in functions_of(tree):
            place = f"{path}:{function.lineno} {name}"
            functions.append((count_decisions(function), place))
            longest = max(longest, (body_length(function), place))
    return {
        **counts,
        "room decisions": room_decisions,
        "room statements": room_statements,
        "functions": functions,
        "longest body": longest,
        "records": fields_of_records(trees.values()),
    }


def read_package(folder):
    """Return the text of each Python file by its path in a folder, without tests."""
    texts = {}
    for path in sorted(folder.rglob("*.py")):
        relative = path.relative_to(folder)
        if "tests" not in relative.parts:
            texts[str(relative)] = path.read_text(encoding="utf-8")
    return texts


def executed_instructions(call, folder):
    """Return the distinct bytecode instructions in a folder that a call executes.

    Each is a triple: file, code object, offset.
    """
    executed = set()

    def trace(frame, event, argument):
        if event == "opcode":
            executed.add((frame.f_code.co_filename, frame.f_code, frame.f_lasti))
        elif event == "call" and not frame.f_code.co_filename.startswith(f"{folder}/"):
            return None
        frame.f_trace_opcodes = True
        frame.f_trace_lines = False
        return trace

    earlier = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(earlier)
    return executed


def plainest_calls():
    """Return a comparison of two dummies on iris, and scikit-learn's `cross_validate` of one."""
    from sklearn.datasets import load_iris
    from sklearn.dummy import DummyClassifier
    from sklearn.model_selection import cross_validate

    from skcvstats import compare_estimators

    X, y = load_iris(return_X_y=True)
    models = {"a": DummyClassifier(), "b": DummyClassifier(strategy="stratified", random_state=0)}
    return lambda: compare_estimators(models, X, y), lambda: cross_validate(models["b"], X, y)


def print_instructions(package, prints_road):
    """Print how many instructions the plainest call executes, and those of scikit-learn's."""
    import sklearn

    sys.path.insert(0, str(package.parent))
    compare, cross_validate = plainest_calls()
    compare()
    executed = executed_instructions(compare, package)
    notes = f"{package / 'notes'}/"
    inside = sum(file.startswith(notes) for file, *_ in executed)
    cross_validate()
    in_sklearn = executed_instructions(cross_validate, Path(sklearn.__file__).parent)
    line("instructions of the plainest call", f"{len(executed) - inside:,} and {inside:,} in notes")
    line("  of cross_validate in scikit-learn", len(in_sklearn))
    if prints_road:
        print_road({code for _, code, _ in executed}, package)


def print_road(codes, package):
    """Print the functions that the plainest call goes through, by file."""
    road = {}
    for code in codes:
        if not code.co_name.startswith("<"):
            road.setdefault(code.co_filename, []).append(code.co_qualname)
    line("  its functions", f"{sum(map(len, road.values()))} in {len(road)} files")
    for file, names in sorted(road.items()):
        print(f"    {Path(file).relative_to(package)}: {', '.join(sorted(names))}")


def line(name, value):
    """Print one measure."""
    text = f"{value:,}" if isinstance(value, int) else value
    print(f"{name:42} {text}")


def print_measures(found, prints_functions):
    """Print the measures of a package."""
    decisions = found["decisions"]
    statements = found["statements"]
    line("decisions", decisions)
    line("statements in functions", statements)
    line("decisions a statement", f"{decisions / max(statements, 1):.3f}")
    for room, count in sorted(found["room decisions"].items()):
        in_room = found["room statements"][room]
        if count:
            line(f"  {room}", f"{count:6,} {count / max(in_room, 1):6.3f}")
    functions = sorted(found["functions"], reverse=True)
    many = [(count, place) for count, place in functions if count >= MANY_DECISIONS]
    share = len(many) / max(len(functions), 1)
    line(f"functions with {MANY_DECISIONS} or more decisions", f"{len(many)} ({share:.1%})")
    if prints_functions:
        for count, place in many:
            print(f"    {count:3} {place}")
    length, place = found["longest body"]
    line("longest body of a function", f"{length} lines ({place})")
    widths = {
        name: len(fields)
        for name, fields in found["records"].items()
        if name not in RECORDS_OF_ANY_WIDTH
    }
    line("widest record", f"{max(widths.values(), default=0)} fields")
    for name, width in sorted(widths.items(), key=lambda item: -item[1]):
        if width > MANY_FIELDS:
            print(f"    {width:3} {name}")
    line("assignments joined by a tuple", found["joined by a tuple"])
    hundreds = max(found["logical lines"], 1) / 100
    for name in ("conditional expressions", "comprehensions"):
        line(f"{name} per 100 code lines", f"{found[name] / hundreds:.1f}")
    comments = found["comments"] / max(found["code lines"], 1)
    line("comments per 100 code lines", f"{100 * comments:.1f}")
    line("files that read time order", found["files that read time order"])


def main():
    """Measure a package and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "folder", nargs="?", type=Path, default=PACKAGE, help="a package or a checkout"
    )
    parser.add_argument("--functions", action="store_true", help="list the functions that decide")
    parser.add_argument("--road", action="store_true", help="list the functions of one comparison")
    options = parser.parse_args()
    folder = options.folder.resolve()
    if (folder / "skcvstats").is_dir():
        folder = folder / "skcvstats"
    texts = read_package(folder)
    if not texts:
        parser.error(f"there are no Python files in {folder}.")
    print_measures(measure(texts), options.functions)
    if folder.name == "skcvstats":
        print_instructions(folder, options.road)


if __name__ == "__main__":
    main()
