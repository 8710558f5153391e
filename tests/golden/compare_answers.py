"""Compare the answers of all calls, bit for bit, with those of the commit in ``base_commit``.

``python -m tests.golden.compare_answers`` computes both on this machine, and fails if a number
differs, if a call is missing without being listed in ``base_commit``, or without that commit.
``README.rst`` says when the commit may be another one.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LINES_OF_A_CALL = 3


class NoBaseError(Exception):
    """The commit to compare with is not in this checkout."""


def export(commit, folder):
    """Write the package and the tests of a commit into a folder."""
    git = shutil.which("git")
    if git is None:
        raise NoBaseError("git is not installed, so there is no commit to compare with.")
    archive = Path(folder, "tree.zip")
    command = [git, "archive", "--format=zip", f"--output={archive}", commit, "skcvstats", "tests"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise NoBaseError(
            f"The commit {commit} in tests/golden/base_commit is not in this checkout "
            f"({done.stderr.strip()}). Run `git fetch --unshallow` if the clone is shallow; "
            "a source distribution has no history."
        )
    shutil.unpack_archive(archive, folder)


def compute(checkouts):
    """Return the answers of the calls of each checkout, computed beside each other."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, f"{number}.json") for number in range(len(checkouts))]
        processes = []
        for checkout, file in zip(checkouts, files, strict=True):
            script = [sys.executable, str(HERE / "compute_answers.py"), str(checkout), str(file)]
            processes.append(subprocess.Popen(script, cwd=folder, env=environment))
        statuses = [process.wait() for process in processes]
        if any(statuses):
            raise RuntimeError("A checkout gave no answers; its error is printed above.")
        return [json.loads(file.read_text(encoding="utf-8")) for file in files]


def differences(found, base, path=""):
    """Return the places where two answers differ, with both values, as lines."""
    if type(found) is type(base) is dict and found.keys() == base.keys():
        pairs = [(f"{path}/{key}", found[key], base[key]) for key in base]
    elif type(found) is type(base) is list and len(found) == len(base):
        both = enumerate(zip(found, base, strict=True))
        pairs = [(f"{path}[{index}]", *values) for index, values in both]
    else:
        is_same = type(found) is type(base) and found == base
        return [] if is_same else [f"{path}: {found!r}, was {base!r}"]
    return [line for place, one, other in pairs for line in differences(one, other, place)]


def find_faults(answers, base_answers, removed=()):
    """Return what is wrong with answers, as lines by the name of the call."""
    faults = {}
    for name, base in base_answers.items():
        if name in answers:
            faults[name] = differences(answers[name], base)
        elif name not in removed:
            faults[name] = ["is missing; if it was removed, list it in base_commit"]
    for name in removed:
        if name in answers or name not in base_answers:
            faults[name] = ["is listed in base_commit as removed, and is not"]
    for name, found in answers.items():
        if ("raises" in found) != name.startswith("bad/"):
            faults[name] = ["only calls of bad/ raise errors, and all of them do"]
    return {name: lines for name, lines in faults.items() if lines}


def compare():
    """Return what is wrong with the answers of this checkout, by call, and a summary."""
    # The commit to compare with, and the names of its calls that were removed since.
    commit, *removed = (HERE / "base_commit").read_text(encoding="utf-8").splitlines()
    with tempfile.TemporaryDirectory() as folder:
        export(commit, folder)
        answers, base_answers = compute([ROOT, folder])
    new = len(answers.keys() - base_answers.keys())
    gone = [name for name in base_answers if name not in answers]
    faults = find_faults(answers, base_answers, removed)
    summary = [
        f"{len(answers)} calls, compared with commit {commit[:8]}:",
        f"{len(faults)} differ, {new} are new, {len(gone)} are removed",
        *(f"  removed: {name}" for name in gone),
    ]
    return faults, "\n".join(summary)


def describe(faults):
    """Return faults as text, of each call the first lines."""
    lines = []
    for name, texts in faults.items():
        lines.append(name)
        lines += [f"    {text}" for text in texts[:LINES_OF_A_CALL]]
        if len(texts) > LINES_OF_A_CALL:
            lines.append(f"    and {len(texts) - LINES_OF_A_CALL} more")
    return "\n".join(lines)


def main():
    """Print what differs, and fail if anything does."""
    try:
        faults, summary = compare()
    except NoBaseError as error:
        raise SystemExit(str(error)) from None
    print(summary)
    if faults:
        raise SystemExit(describe(faults))


if __name__ == "__main__":
    main()
