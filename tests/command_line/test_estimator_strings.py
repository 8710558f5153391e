"""Estimator strings: their meaning, and that nothing in them is evaluated."""

import sys

import pytest

from skcvstats.command_line import InputError, parse_estimator

NESTED = {"b": [-1, (2,)], "c": {"d": None}, "e": "f=("}


@pytest.mark.parametrize(
    ("text", "name", "path", "params"),
    [
        ("forest", "forest", "forest", {}),
        ("ours=forest", "ours", "forest", {}),
        ("sklearn.svm.SVC", "SVC", "sklearn.svm.SVC", {}),
        ("sklearn.svm.SVC()", "SVC", "sklearn.svm.SVC", {}),
        ("a b=sklearn.svm.SVC(C=1e3)", "a b", "sklearn.svm.SVC", {"C": 1e3}),
        ("x.Y(b=[-1, (2,)], c={'d': None}, e='f=(')", "Y", "x.Y", NESTED),
    ],
)
def test_what_they_mean(text, name, path, params):
    parsed = parse_estimator(text)
    assert (parsed.name, parsed.path, parsed.params) == (name, path, params)
    assert parsed.variable is None
    parsed = parse_estimator("ours=some dir/models.py:best")
    assert (parsed.name, parsed.path, parsed.variable) == ("ours", "some dir/models.py", "best")
    assert parse_estimator("models.py:best").name == "best"
    parsed = parse_estimator(" ours = some dir/models.py : best ")
    assert (parsed.name, parsed.path, parsed.variable) == ("ours", "some dir/models.py", "best")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("__import__('os').system('true')", "must begin with the import path"),
        ("1 + 1", "must begin with the import path"),
        ("x.Y(print(1))", "must name each of its parameters"),
        ("x.Y(a=print(1))", "a in the estimator .* must be a literal"),
        ("x.Y(a=1); import os", "cannot be read"),
        ("x.Y(a=" + "(" * 3000 + ")" * 3000 + ")", "cannot be read"),
        ("x.Y(a=1, a=2)", "names the parameter 'a' twice"),
        ("x.Y(a='\0')", "cannot be read"),
        ("=x.Y", "cannot be read"),
        (" ", "cannot be read"),
        ("a" + 9000 * " " + "b", "cannot be read"),  # each space was once tried with all others
        ("models.py:" + 9000 * " " + ":", "cannot be read"),
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
    imports = "from sklearn.dummy import DummyClassifier\nfrom sklearn.svm import SVC\n"
    path.write_text(f"{imports}class Mine(DummyClassifier):\n    pass\nwide = SVC(C=10)\n")
    before = set(sys.modules)
    arguments = ("--data", "iris", "--json", "--estimators", f"{path}:Mine", f"w={path}:wide")
    status, out, _ = run("compare", *arguments)
    assert status == 0
    assert '"estimator": "w"' in out
    assert '"versus": "Mine"' in out
    assert not [name for name in set(sys.modules) - before if "models" in name]


@pytest.mark.parametrize(
    ("statement", "as_module", "said"),
    [
        ("import sys; sys.exit()", False, "lurking.Model cannot be imported"),
        ("1 / 0", False, "lurking.Model cannot be imported"),
        ("raise SystemExit(0)", True, "write file.py:variable"),
    ],
)
def test_a_module_that_ends_python(run, tmp_path, monkeypatch, statement, as_module, said):
    """Of the working directory, which `python -m` puts on the path, none is imported."""
    (tmp_path / "lurking.py").write_text(statement)
    if as_module:
        monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    status, _, error = run("compare", "--data", "iris", "--estimators", "tree", "lurking.Model")
    assert (status, said in error) == (2, True)
    assert "lurking" not in sys.modules


@pytest.mark.parametrize("package", ["lightgbm", "xgboost", "catboost"])
def test_the_distribution_of_a_missing_package_is_named(run, monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    status, _, error = run("compare", "--data", "iris", "--estimators", "tree", f"{package}.Model")
    assert status == 2
    assert f"'{package}' is not installed. Run python -m pip install {package}." in error


@pytest.mark.parametrize(("last", "name"), [("5", "Regressor"), ("", "Classifier")])
def test_boosting_is_that_of_histograms(run, tmp_path, last, name):
    path, scores = tmp_path / "t.csv", tmp_path / "scores.json"
    rows = [f"{k % 7},{k % 2}.{last}\n" if last else f"{k % 7},{k % 2}\n" for k in range(40)]
    path.write_text("a,y\n" + "".join(rows))
    data = ("--data", path, "--target", "y", "--n-splits", "2", "--test-size", "0.5")
    assert (
        run("compare", *data, "--estimators", "boosting", "tree", "--save-scores", scores)[0] == 0
    )
    assert f"HistGradientBoosting{name}(random_state=0)" in scores.read_text()
