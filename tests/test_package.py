"""The package as a whole: its import, its exports, its command line."""

import ast
import inspect
import json
import pickle
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

import skcvstats
from skcvstats.command_line import main
from tests import processes

LAZY_ROOMS = ["plotting", "words", "simulation"]


def run(code):
    """Run code in a fresh interpreter and read what it prints."""
    return json.loads(processes.run(["-c", f"import sys, json; {code}"], check=True).stdout)


HEAVY = ["sklearn", "scipy", "pandas", "skcvstats.stats", "skcvstats.fitting"]
LATE = [f"skcvstats.{room}" for room in LAZY_ROOMS] + ["matplotlib", "jinja2", "dask", "tqdm"]
LATE += [f"sklearn.{name}" for name in ("linear_model", "neighbors", "covariance")]


@pytest.mark.processes
@pytest.mark.parametrize(
    ("imported", "late"),
    [
        ("import skcvstats", HEAVY),  # neither scikit-learn nor SciPy
        ("from skcvstats import compare_estimators", LATE),  # nothing optional, no estimators
    ],
)
def test_import_pulls_in_nothing_that_is_for_later(imported, late):
    code = f"{imported}; print(json.dumps([name for name in {late} if name in sys.modules]))"
    assert run(code) == []


@pytest.mark.processes
def test_scores_that_were_unpickled_first_know_the_procedures():
    design = skcvstats.SplitDesign.from_sizes(90, 10, n_splits=10)
    scores = skcvstats.CVScores(values=[0.1, 0.3, 0.2, 0.4, 0.3] * 2, design=design)
    ends = scores.confidence_interval(method="corrected_resampled_t")
    code = f"import pickle; scores = pickle.loads({pickle.dumps(scores)!r});"
    code += "ends = scores.confidence_interval(method='corrected_resampled_t');"
    assert run(code + "print(json.dumps([float(end) for end in ends]))") == list(map(float, ends))


@pytest.mark.processes
def test_import_needs_no_pandas():
    # scikit-learn has imported pandas, all of which is hidden.
    code = "hidden = [name for name in sys.modules if name.split('.')[0] == 'pandas'];"
    code += "sys.modules.update(dict.fromkeys(['pandas', *hidden]));"
    code += "import skcvstats; skcvstats.stats;"  # a room is an attribute
    code += "print(json.dumps(skcvstats.compare_estimators.__name__))"
    assert run(code) == "compare_estimators"


@pytest.mark.processes
@pytest.mark.parametrize("room", LAZY_ROOMS)
def test_lazy_rooms_are_there_when_asked_for(room):
    names = getattr(skcvstats, room).__all__
    assert names
    public = set(names) & set(skcvstats.__all__)
    for name in public:
        assert getattr(skcvstats, name) is getattr(getattr(skcvstats, room), name)
        again = pickle.loads(pickle.dumps(getattr(skcvstats, name)))
        assert again is getattr(skcvstats, name)
    code = f"from skcvstats import {', '.join([room, *public])}; import skcvstats;"
    assert run(f"{code} print(json.dumps(skcvstats.{room}.__all__))") == names


@pytest.mark.processes
def test_dir_and_star_hold_all_public_names():
    assert skcvstats.__all__ == sorted(skcvstats.__all__)
    wanted = set(skcvstats.__all__) | set(LAZY_ROOMS)
    assert wanted <= set(run("import skcvstats; print(json.dumps(dir(skcvstats)))"))
    code = "from skcvstats import *; print(json.dumps(list(globals().keys() - {'sys', 'json'})))"
    assert set(skcvstats.__all__) <= set(run(code))


def test_names_that_are_not_there_are_refused():
    with pytest.raises(AttributeError, match="module 'skcvstats' has no attribute 'simulat'"):
        skcvstats.simulat  # noqa: B018


def test_without_a_command_the_help_is_printed(capsys):
    assert main([]) == 2
    assert "compare" in capsys.readouterr().out


def test_names_and_rooms_of_the_stub_are_those_of_the_package():
    stub = ast.parse(Path(skcvstats.__file__).with_suffix(".pyi").read_text())
    imports = {
        (node.module and node.module.partition(".")[0], alias.name)
        for node in ast.walk(stub)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    rooms_of = {name: room for room, names in skcvstats._NAMES.items() for name in names}
    names = {(room.partition(".")[0], name) for name, room in rooms_of.items()}
    rooms = {(None, room) for room in skcvstats._NAMES if not room.startswith("_")}
    assert imports == names | rooms
    assert all(alias.asname == alias.name for node in stub.body[:-2] for alias in node.names)
    assert skcvstats.__all__ == sorted(name for _, name in names)


def test_every_file_that_is_no_module_is_published():
    root = Path(skcvstats.__file__).parent
    pyproject = tomllib.loads((root.parent / "pyproject.toml").read_text())
    patterns = pyproject["tool"]["setuptools"]["package-data"]["skcvstats"]
    published = {path for pattern in patterns for path in root.glob(pattern)}
    others = {path for path in root.rglob("*.*") if path.suffix not in (".py", ".pyc")}
    assert {path for path in others if path.is_file()} == published


def test_the_script_of_a_user_goes_through_every_door():
    script = (Path(__file__).parents[1] / ".ci" / "user.py").read_text(encoding="utf-8")
    called = {node.func.id for node in ast.walk(ast.parse(script))
              if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}  # fmt: skip
    doors = {name for name in skcvstats.__all__ if inspect.isfunction(getattr(skcvstats, name))}
    assert doors <= called


def test_citation_is_of_this_package():
    root = Path(__file__).parents[1]
    citation = (root / "CITATION.cff").read_text(encoding="utf-8")
    fields = dict(re.findall(r"^([a-z-]+): *(.*)$", citation, flags=re.MULTILINE))
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert fields["version"] == project["version"]
    assert fields["license"] == project["license"]
    assert fields["title"].strip('"').startswith(f"{project['name']}: ")
    assert {"cff-version", "message", "authors"} <= set(fields)
    assert f"- name: {project['authors'][0]['name']}" in citation
    assert re.findall(r"^  - (.+)$", citation.split("keywords:")[1].split("references:")[0],
                      flags=re.MULTILINE) == project["keywords"]  # fmt: skip


def test_the_top_level_has_what_belongs_there():
    """Tests and examples may leave files that are easily committed."""
    root = processes.ROOT
    git = shutil.which("git")
    if git is None or not (root / ".git").exists():
        pytest.skip("no git, or not a checkout of the repository")
    listed = subprocess.run([git, "ls-files"], cwd=root, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip(f"git lists nothing here: {listed.stderr}")
    found = {name.split("/")[0] for name in listed.stdout.splitlines()}
    assert found <= {
        *("skcvstats", "tests", "doc", "benchmarks", ".ci", ".github", "pyproject.toml"),
        *("conftest.py", "setup.cfg", "README.rst", "CONTRIBUTING.rst", "LICENSE", "CITATION.cff"),
        *("MANIFEST.in", ".gitignore", ".pre-commit-config.yaml", ".readthedocs.yaml"),
        *("CODE_OF_CONDUCT.md", "SECURITY.md"),
    }


@pytest.mark.parametrize(
    ("name", "room"),
    [
        ("plan_n_rows", "stats"),
        ("mcnemar_exact_test", "test_set"),
        ("correlation_sensitivity", "theory"),
        ("RankingDisplay", "plotting"),
    ],
)
def test_a_name_of_a_room_is_led_there(name, room):
    place = f"it is in skcvstats.{room}: from skcvstats.{room} import {name}$"
    assert hasattr(getattr(skcvstats, room), name)
    assert not hasattr(skcvstats, name)
    with pytest.raises(AttributeError, match=place):
        getattr(skcvstats, name)
    with pytest.raises(ImportError, match=place):
        exec(f"from skcvstats import {name}")
    with pytest.raises(AttributeError, match=f"has no attribute '{name}s'$"):
        getattr(skcvstats, f"{name}s")
