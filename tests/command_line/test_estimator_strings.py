"""Estimator strings: their meaning, and that nothing in them is evaluated."""

import contextlib
import random
import string
import sys

import pytest

from skcvstats.command_line import InputError, parse_estimator


@pytest.mark.parametrize(
    ("text", "name", "path", "params"),
    [
        ("forest", "forest", "forest", None),
        ("ours=forest", "ours", "forest", None),
        ("sklearn.svm.SVC", "SVC", "sklearn.svm.SVC", None),
        ("sklearn.svm.SVC()", "SVC", "sklearn.svm.SVC", {}),
        ("a b=sklearn.svm.SVC(C=1e3)", "a b", "sklearn.svm.SVC", {"C": 1e3}),
        (
            "x.Y(a=-1, b=[1, (2, 3)], c={'d': None}, e='f=(', g=True)",
            "Y",
            "x.Y",
            {"a": -1, "b": [1, (2, 3)], "c": {"d": None}, "e": "f=(", "g": True},
        ),
    ],
)
def test_what_they_mean(text, name, path, params):
    parsed = parse_estimator(text)
    assert (parsed.name, parsed.path, parsed.params) == (name, path, params)
    assert parsed.variable is None


def test_variable_of_a_file():
    parsed = parse_estimator("ours=some dir/models.py:best")
    assert (parsed.name, parsed.path, parsed.variable) == ("ours", "some dir/models.py", "best")
    assert parse_estimator("models.py:best").name == "best"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("__import__('os').system('true')", "must begin with the import path"),
        ("(lambda: 0)()", "must begin with the import path"),
        ("x.Y(print(1))", "must name each of its parameters"),
        ("x.Y(**{'a': 1})", "must name each of its parameters"),
        ("x.Y(a=print(1))", "a in the estimator .* must be a literal"),
        ("x.Y(a=[b for b in (1,)])", "must be a literal"),
        ("x.Y(a=f'{print(1)}')", "must be a literal"),
        ("x.Y(a=1); import os", "cannot be read"),
        ("x.Y(a=1)(b=2)", "must begin with the import path"),
        ("x.Y(a=" + "(" * 3000 + ")" * 3000 + ")", "cannot be read"),
        ("x.Y(a=" + "9" * 9000 + ")", "cannot be read"),
        ("x.Y(a='" + "a" * 10_000 + "')", "define it in a file"),
        ("x.Y(a=1, a=2)", "names the parameter 'a' twice"),
        ("x.Y(a='\0')", "cannot be read"),
        ("a\u202eb=x.Y", "printable"),
        ("\ud800=x.Y", "printable"),
        ("=x.Y", "no name before"),
        ("models.py:", "is no variable"),
        ("models.py:a.b", "is no variable"),
        ("x.class.Y", "cannot be read"),
        ("x..Y", "cannot be read"),
        (" ", "cannot be read"),
    ],
)
def test_what_is_refused(text, message):
    with pytest.raises(InputError, match=message):
        parse_estimator(text)


def test_a_class_is_made_with_its_parameters(run, tmp_path):
    scores = tmp_path / "scores.json"
    spec = "stump=sklearn.tree.DecisionTreeClassifier(max_depth=1, random_state=7)"
    arguments = ("--data", "iris", "--save-scores", scores, "--estimators", "tree", spec)
    assert run("compare", *arguments)[0] == 0
    assert "DecisionTreeClassifier(max_depth=1, random_state=7)" in scores.read_text()


def test_estimators_of_a_file(run, tmp_path):
    path = tmp_path / "models.py"
    path.write_text(
        "from dataclasses import dataclass\n"
        "from sklearn.dummy import DummyClassifier\n"
        "from sklearn.svm import SVC\n"
        "class Mine(DummyClassifier):\n"
        "    pass\n"
        "wide = SVC(C=10)\n"
    )
    before = set(sys.modules)
    arguments = ("--data", "iris", "--json", "--estimators", f"{path}:Mine", f"w={path}:wide")
    status, out, _ = run("compare", *arguments)
    assert status == 0
    assert '"estimator": "Mine"' in out
    assert '"versus": "w"' in out
    assert not [name for name in set(sys.modules) - before if "models" in name]


def test_modules_of_the_working_directory_are_left_alone(run, tmp_path, monkeypatch):
    (tmp_path / "lurking.py").write_text("raise SystemExit(0)")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))  # as python -m does
    status, _, error = run("compare", "--data", "iris", "--estimators", "tree", "lurking.Model")
    assert status == 2
    assert "write file.py:variable" in error
    assert "lurking" not in sys.modules


@pytest.mark.parametrize("statement", ["raise SystemExit(0)", "import sys; sys.exit()", "1 / 0"])
def test_a_module_that_ends_python_is_an_error(run, tmp_path, monkeypatch, statement):
    package = tmp_path / "installed"
    package.mkdir()
    (package / "leaving.py").write_text(statement)
    monkeypatch.setattr(sys, "path", [*sys.path, str(package)])
    status, _, error = run("compare", "--data", "iris", "--estimators", "tree", "leaving.Model")
    assert status == 2
    assert "leaving.Model cannot be imported" in error


WORDS = [
    *("sys.exit", "os.system", "print", "__import__", "eval", "exec", "open", "sklearn.svm.SVC"),
    *("forest", "lambda: 0", "=", "(", ")", "(", ")", ",", ".", ":", "'", '"', "**", "*", "[", "]"),
    *("C=", "0", "1e999", "'ls'", ".py", "x", "\0", "\n", "\u202e", "\ud800", "\\", "#", "{", "}"),
    *("skcvstats.main", "sklearn.base.clone", "numpy.load", "is", "None", "antigravity", "this"),
]


def any_string(rng):
    """Return a string of words that mean something here, or of any characters."""
    if rng.random() < 0.2:
        return "".join(chr(rng.randrange(0x3000)) for _ in range(rng.randrange(20)))
    if rng.random() < 0.2:
        return "".join(rng.choices(string.printable, k=rng.randrange(40)))
    return "".join(rng.choices(WORDS, k=rng.randrange(1, 9)))


def test_any_string_is_an_estimator_or_an_error(monkeypatch):
    """None of 3000 strings calls, imports or ends anything."""
    called = []
    for name in ("system", "popen"):
        monkeypatch.setattr(f"os.{name}", lambda *a, name=name: called.append(name))
    for name in ("exec", "eval", "open", "print", "__import__"):
        real = getattr(__import__("builtins"), name)
        if name in ("open", "__import__"):  # which Python itself needs
            continue
        monkeypatch.setattr(
            f"builtins.{name}", lambda *a, name=name, real=real: called.append(name)
        )
    before, parsed = set(sys.modules), 0
    rng = random.Random(0)
    for _ in range(3000):
        with contextlib.suppress(InputError):
            parse_estimator(any_string(rng))
            parsed += 1
    assert not called
    assert parsed > 30
    assert set(sys.modules) <= before | {"encodings.punycode"}


def test_any_estimator_on_the_command_line_is_one_line(run, tmp_path, monkeypatch):
    def no_fits(*arguments, **options):
        raise ValueError("an estimator after all")

    monkeypatch.setattr("skcvstats.command_line._compare.compare_estimators", no_fits)
    monkeypatch.chdir(tmp_path)
    rng = random.Random(1)
    for _ in range(300):
        text = any_string(rng)
        if text.startswith("-"):
            continue
        status, out, error = run(
            "gate", "--data", "iris", "--rule", "better", "--champion", "tree", "--challenger", text
        )
        assert (status, out) == (2, "")
        assert error.startswith("skcvstats: "), text
        assert error.count("\n") == 1, text
        assert error[:-1].isprintable(), text
    assert not list(tmp_path.iterdir())
