"""The page on the command line: its commands are run, and print what the page shows."""

import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stderr, redirect_stdout
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, OutputChecker
from io import StringIO
from pathlib import Path
from textwrap import dedent
from threading import Event

import pytest

from skcvstats.command_line import main
from tests.conftest import needs_posix

pytestmark = [needs_posix, pytest.mark.processes]
ROOT = Path(__file__).parents[2]
PAGE = ROOT / "doc" / "command_line.rst"


def blocks(language):
    """Return the blocks of code in a language, without their indentation."""
    block = rf"\.\. code-block:: {language}\n\n((?: {{4}}.*\n|\n)+)"
    found = re.findall(block, PAGE.read_text(encoding="utf-8"))
    return [dedent(block).strip("\n") for block in found]


def steps(block):
    """Return the commands of a block, each with its output."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    return [[*part.split("\n", 1), ""][:2] for part in parts]


def quicker(script):
    """Return a script whose gates fit fewer splits, which decide as those of the page do."""
    assert "skcvstats gate " in script
    return script.replace("skcvstats gate ", "skcvstats gate --n-splits 8 ")


# What the shell runs as skcvstats: it hands its arguments over, and prints what comes back.
PROGRAM = """#!/bin/sh
printf '%s\\n' "$@" > asked
cat printed
cat complained >&2
exit "$(cat status)"
"""


def answer(arguments):
    """Run the command line in this process, for a program that waits for the result."""
    with redirect_stdout(StringIO()) as printed, redirect_stderr(StringIO()) as complained:
        status = main(arguments)
    Path("status").write_text(f"{status}\n")
    Path("complained").write_text(complained.getvalue())
    Path("printed").write_text(printed.getvalue())


@pytest.fixture
def shell(tmp_path, monkeypatch):
    """Run shell commands where skcvstats is installed, in this interpreter to save time."""
    monkeypatch.chdir(tmp_path)
    programs = tmp_path / "bin"
    programs.mkdir()
    program = programs / "skcvstats"
    program.write_text(PROGRAM)
    program.chmod(0o755)
    os.mkfifo("asked")
    os.mkfifo("printed")
    for name in ("customers.csv", "predictions.csv", "answers.csv", "datasets.csv"):
        shutil.copy(ROOT / "doc" / "_static" / name, tmp_path)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")

    def run(command, failed):
        try:
            outputs = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
            return subprocess.run(["sh", "-c", command], timeout=300, **outputs)
        finally:
            if not failed.is_set():
                Path("asked").write_text("")  # no more requests

    def shell(command):
        failed = Event()
        with ThreadPoolExecutor(1) as pool:
            done = pool.submit(run, command, failed)
            try:
                while asked := Path("asked").read_text():
                    answer(asked.splitlines())
            except BaseException:
                failed.set()  # nobody reads requests any more
                raise
            return done.result()

    return shell


def test_commands_print_what_the_page_says(shell, tmp_path):
    checker, status, statuses = OutputChecker(), 0, []
    for block in blocks("console"):
        for command, wanted in steps(block):
            if command == "echo $?":
                statuses.append(status)
                assert wanted.strip() == str(status)
                continue
            done = shell(command)
            status = done.returncode
            both = (f"{text.strip()}\n" for text in (wanted, done.stdout))
            same = checker.check_output(*both, ELLIPSIS | NORMALIZE_WHITESPACE)
            assert same, f"{command}\n{done.stdout}"
    assert set(statuses) == {0, 1, 2, 3, 4}
    assert "<html" in (tmp_path / "churn.html").read_text()


def test_the_recipe_for_github_actions(shell, tmp_path):
    (recipe,) = blocks("yaml")
    script = quicker(dedent(recipe.split("run: |\n")[1].split("\n\n")[0]))
    script = f"set -e\nGITHUB_STEP_SUMMARY=summary.md\n{script}"
    for changed, status, said in [
        (script, 0, "::warning::undecided"),
        (script.replace("0.02", "0.5"), 0, "PASS: knn"),
        (script.replace("knn", "sklearn.dummy.DummyClassifier"), 1, "::error::the challenger is"),
        (script.replace("churned", "none"), 2, "::error::the gate itself failed"),
    ]:
        done = shell(changed)
        assert done.returncode == status, done.stdout
        assert said in done.stdout
    kept = re.findall(r"^ +(\w+\.\w+)$", recipe.split("path: |\n")[1], flags=re.MULTILINE)
    assert kept == ["gate.html", "verdict.txt"]
    assert all((tmp_path / name).is_file() for name in kept)
    assert "PASS" in (tmp_path / "summary.md").read_text()


def test_the_shell_script(shell, tmp_path):
    (script,) = blocks("sh")
    (tmp_path / "gate.sh").write_text(quicker(script))
    for champion, challenger, status, said in [
        ("tree", "logistic", 0, "deploy logistic"),
        ("logistic", "tree", 1, "keep logistic: tree is worse"),
        ("logistic", "knn", 3, "keep logistic: more data needed"),
        ("logistic", "forst", 2, "keep logistic: the gate failed"),
    ]:
        done = shell(f"sh gate.sh {champion} {challenger}")
        assert (done.returncode, done.stdout.splitlines()[-1]) == (status, said)


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_the_recipe_for_make(shell, tmp_path):
    recipe = quicker(*blocks("make"))
    (tmp_path / "Makefile").write_text(recipe)
    released = shell("make release")
    assert released.returncode == 0, released.stdout
    assert "released" in released.stdout
    (tmp_path / "Makefile").write_text(recipe.replace("churned", "none"))
    stopped = shell("make release")
    assert stopped.returncode != 0
    assert "\nreleased" not in stopped.stdout
