"""The examples of the page "How a call travels": patches of the package that work and are small."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import skcvstats
from tests import processes

ROOT = Path(__file__).parents[1]
PACKAGE = Path(skcvstats.__file__).parent
PATCHES = sorted((ROOT / "doc" / "patches").glob("*.diff"))
PAGE = ROOT / "doc" / "how_a_call_travels.rst"
NAMES = ["column", "metric", "note", "procedure"]


def patched_files(patch):
    """Return the files that a patch touches, relative to the folder of the package."""
    text = patch.read_text(encoding="utf-8")
    return sorted(re.findall(r"^\+\+\+ b/(.+)$", text, flags=re.MULTILINE))


def files_of(folder):
    """Return the content of each file of a copy of the package."""
    files = folder.rglob("*.py")
    return {path.relative_to(folder.parent).as_posix(): path.read_bytes() for path in files}


def test_each_kind_of_change_has_a_patch_that_the_page_shows():
    assert [patch.stem for patch in PATCHES] == NAMES
    page = PAGE.read_text(encoding="utf-8")
    assert re.findall(r"literalinclude:: patches/(\w+)\.diff", page) == [
        *("metric", "procedure", "note", "column")
    ]


def test_the_page_has_at_most_60_lines():
    assert len(PAGE.read_text(encoding="utf-8").splitlines()) <= 60


@pytest.mark.parametrize("patch", PATCHES, ids=lambda patch: patch.stem)
def test_a_patch_touches_at_most_two_files_of_the_package(patch):
    files = patched_files(patch)
    assert 1 <= len(files) <= 2
    assert all(file.startswith("skcvstats/") for file in files)


@pytest.mark.processes
@pytest.mark.parametrize("patch", PATCHES, ids=lambda patch: patch.stem)
def test_a_patched_copy_does_what_the_patch_is_for(patch, tmp_path):
    copy = tmp_path / "skcvstats"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    before = files_of(copy)
    # Outside of a repository git changes the files of the folder that it is in.
    environment = {**os.environ, "GIT_CEILING_DIRECTORIES": str(tmp_path.parent)}
    command = ["git", "apply", "--unidiff-zero", str(patch)]
    subprocess.run(command, cwd=tmp_path, env=environment, check=True)
    after = files_of(copy)
    changed = {file for file, content in after.items() if before.get(file) != content}
    assert sorted(changed) == patched_files(patch)

    environment["PYTHONPATH"] = str(tmp_path)
    script = [ROOT / "tests" / "patched.py", patch.stem]
    done = processes.run(script, env=environment, cwd=tmp_path, check=True)
    assert done.stdout.strip() == str(copy / "__init__.py")


@pytest.mark.processes
@pytest.mark.parametrize("name", NAMES)
def test_the_package_does_not_do_it_without_the_patch(name):
    done = processes.run([ROOT / "tests" / "patched.py", name])
    assert done.returncode == 1
    assert re.search("AssertionError|kfold_t.* is not known|KeyError: 'ratio'", done.stderr)
