"""The answers of all calls, bit for bit those of an earlier commit: golden/compare_answers.py."""

import shutil
import subprocess
import sys

import pytest

from tests.golden import compare_answers
from tests.golden.compare_answers import NoBaseError, describe, differences, find_faults

GIVEN = {"a/one": {"gives": [1.0]}, "bad/two": {"raises": "ValueError"}}


@pytest.mark.answers
def test_answers_are_those_of_the_base_commit():
    try:
        faults, summary = compare_answers.compare()
    except NoBaseError as error:
        pytest.skip(str(error))
    assert not faults, f"{summary}\n{describe(faults)}"


def test_a_difference_is_shown():
    one = {"a": [1.0, "nan"], "b": None}
    assert differences(one, one) == []
    assert differences({"a": [1.0, 2.0], "b": None}, one) == ["/a[1]: 2.0, was 'nan'"]
    assert differences([1], [1.0]) == ["[0]: 1, was 1.0"]


def test_another_number_is_a_fault_and_a_new_call_is_none():
    other = {**GIVEN, "a/one": {"gives": [1.0 + 2**-52]}}
    assert find_faults(GIVEN, GIVEN) == {}
    assert find_faults({**GIVEN, "a/new": {"gives": 2}}, GIVEN) == {}
    faults = find_faults(other, GIVEN)
    assert faults == {"a/one": ["/gives[0]: 1.0000000000000002, was 1.0"]}
    assert describe(faults) == "a/one\n    /gives[0]: 1.0000000000000002, was 1.0"
    assert describe({"a/one": list("12345")}).endswith("    3\n    and 2 more")


def test_only_listed_calls_may_be_missing():
    fewer = {"bad/two": GIVEN["bad/two"]}
    assert find_faults(fewer, GIVEN, ["a/one"]) == {}
    missing = "is missing; if it was removed, list it in base_commit"
    assert find_faults(fewer, GIVEN) == {"a/one": [missing]}
    listed = "is listed in base_commit as removed, and is not"
    assert find_faults(GIVEN, GIVEN, ["a/one"]) == {"a/one": [listed]}


def test_a_call_that_fails_on_both_sides_is_a_fault():
    both = {"a/one": {"raises": "TypeError"}, "bad/two": {"gives": 1}}
    assert list(find_faults(both, both)) == ["a/one", "bad/two"]


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_without_the_commit_it_is_said_what_to_do(tmp_path):
    with pytest.raises(NoBaseError, match=r"is not in this checkout .*git fetch --unshallow"):
        compare_answers.export("0" * 40, tmp_path)


@pytest.mark.processes
def test_another_package_is_refused(tmp_path):
    """Otherwise the installed package would be compared with itself."""
    (tmp_path / "tests").symlink_to(compare_answers.ROOT / "tests")
    script = compare_answers.HERE / "compute_answers.py"
    command = [sys.executable, script, tmp_path, tmp_path / "answers.json"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode
    assert "and not that of" in done.stderr
