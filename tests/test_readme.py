"""The README's commands are what CI runs, and they are one line each."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]


def commands():
    readme = (ROOT / "README.rst").read_text()
    blocks = re.findall(r"\.\. code-block:: sh\n\n((?: {4}.*\n)+)", readme)
    return [line.strip() for block in blocks for line in block.splitlines()]


def test_two_commands_which_ci_runs_literally():
    found = commands()
    assert len(found) == 2
    assert "-m skcvstats compare" in found[0]
    assert "-m pytest" in found[1]
    lines = (ROOT / ".ci" / "run").read_text().splitlines()
    for command in found:
        assert command in lines


def test_oldest_versions_are_those_of_the_dependencies():
    import tomllib

    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project, extras = pyproject["project"], pyproject["project"]["optional-dependencies"]
    (dask,) = extras["dask"]  # dask[distributed]; both have the same versions
    both = [dask.replace("[distributed]", ""), dask.replace("dask[distributed]", "distributed")]
    wanted = [*project["dependencies"], *extras["plots"], *extras["reports"], *both]
    floors = {one.replace(">=", "==") for one in wanted}
    pinned = (ROOT / ".ci" / "oldest.txt").read_text().splitlines()
    assert {line for line in pinned if not line.startswith("#")} == floors
