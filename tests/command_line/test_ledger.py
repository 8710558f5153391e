"""Looks at one test set from the command line: what is printed, and that nothing else is."""

import hashlib
import json
import os
import re

import numpy as np
import pandas as pd
import pytest

N = 600
RNG = np.random.default_rng(0)
Y = RNG.integers(0, 2, N)
OLD = np.where(RNG.random(N) < 0.75, Y, 1 - Y)
MODELS = {
    "old": OLD,
    "same": OLD,
    "slightly": np.where(RNG.random(N) < 0.02, 1 - OLD, OLD),
    "worse": np.where(RNG.random(N) < 0.3, 1 - Y, OLD),
    "much": np.where(RNG.random(N) < 0.6, Y, OLD),
    "chance": RNG.random(N),
}


@pytest.fixture(autouse=True)
def _quick(monkeypatch):
    """Hash the target once, which takes long on purpose, and do not wait for the disk."""
    monkeypatch.setattr(os, "fsync", lambda file: None)
    slow = hashlib.pbkdf2_hmac
    monkeypatch.setattr(
        hashlib, "pbkdf2_hmac", lambda name, text, salt, n, dklen: slow(name, text, salt, 1, dklen)
    )


@pytest.fixture
def ask(run, tmp_path):
    """Ask about a challenger; the file of predictions is written at the first question."""

    def ask(challenger, *options, champion="old", y=Y, looks=4, file="looks.json"):
        path = tmp_path / "test.csv"
        pd.DataFrame({"y": y, **MODELS}).to_csv(path, index=False)
        names = ("--champion", champion, "--challenger", challenger, "--rule", "better")
        given = ("--predictions", path, "--target", "y", "--ledger", tmp_path / file)
        metric = () if "--scoring" in options else ("--scoring", "accuracy")
        return run("gate", *given, "--looks", looks, *names, *metric, *options)

    return ask


def test_the_whole_print_of_looks_and_their_exit_status(ask, run, tmp_path):
    tested = "this look was tested at the level"
    first = f"look 1 of 4: NOT SHOWN\n0 passed so far; {tested} 0.0063. 3 looks are left.\n"
    assert ask("slightly") == (1, first, "")
    equal = "no look: NOT SHOWN\nsame and old predict the same on every row. 0 passed so far. "
    assert ask("same") == (1, f"{equal}3 looks are left.\n", "")
    passed = f"look 2 of 4: PASS\n1 passed so far; {tested} 0.0063. 2 looks are left.\n"
    assert ask("much") == (0, passed, "")
    told = json.loads(ask("slightly", "--json", champion="much")[1])
    level = 0.05 / 4 / 6
    assert told == {"number": 3, "passed": False, "level": level, "n_passed": 1, "n_left": 1}
    status, out, error = ask("worse", champion="much")
    said = f"look 4 of 4: NOT SHOWN\n1 passed so far; {tested} 0.0021. 0 looks are left.\n"
    assert (status, out, error) == (1, said, "")
    status, out, error = ask("old", champion="much")
    assert (status, error) == (4, "")
    assert re.fullmatch(r"No looks are left: 4 of 4 in '.*' are spent, and 1 passed\. .*\n", out)
    status, out, error = ask("old", "--json", champion="much")
    nothing = {"number": 0, "passed": False, "level": 0.0, "n_passed": 1, "n_left": 0}
    assert (status, json.loads(out), error) == (4, nothing, "")
    assert ask("much")[:2] == (0, passed.replace("2 looks are", "0 looks are"))
    status, out, error = run("ledger", tmp_path / "looks.json")
    assert (status, error) == (0, "")
    assert "accuracy, 4 looks at the level 0.05 in all; 4 asked, 1 passed, 0 left.\n" in out
    answers = [re.split(" {2,}", line) for line in out.splitlines()[3:]]
    assert [answer[2:] for answer in answers] == [
        ["old", "slightly", "0.0063", "NOT SHOWN"],
        ["old", "much", "0.0063", "PASS"],
        ["much", "slightly", "0.0021", "NOT SHOWN"],
        ["much", "worse", "0.0021", "NOT SHOWN"],
    ]
    told = json.loads(run("ledger", tmp_path / "looks.json", "--json")[1])
    assert (told["n_left"], len(told["asked"])) == (0, 4)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--csv", "a.csv"], "gate --ledger does not accept --csv, as a look says PASS or NOT SHO"),
        (["--report", "a.html"], "does not accept --report"),
        (["--plot", "a.png"], "--plot"),
        (["--verbose"], "does not accept --verbose"),
        (["--by", "same"], "does not accept --by"),
        (["--store", "a.db"], "does not accept --store"),
        (["--data", "iris"], "does not accept --data"),
        (["--threshold", 0.5], "does not accept --threshold"),
        (["--positive", 1], "does not accept --positive"),
        (["--time", "same"], "does not accept --time"),
        (["--missing-rows", "drop"], "does not accept --missing-rows"),
        (["--margin", 0.1], "does not accept --margin"),
        (["--decimal", ","], "does not accept --decimal"),
        (["--missing", "none"], "does not accept --missing"),
        (["--repeats", "same"], "does not accept --repeats"),
        (["--looks", 5], "--looks is given more than once"),
        (["--confidence-level", 95], "must be a number strictly between 0 and 1"),
        (["--groups", "much"], "must name different columns"),
        (["--groups", "none"], "'none': not among the columns of"),
        (["--scoring", "acuracy"], "acuracy"),
    ],
)
def test_options_that_would_show_more_are_refused(ask, tmp_path, monkeypatch, options, said):
    monkeypatch.chdir(tmp_path)
    status, out, error = ask("much", *options)
    assert (status, out, error.count("\n")) == (2, "", 1)
    assert said in error
    assert not (tmp_path / "looks.json").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["--rule", "not-worse", "--margin", 0.1],
            "gate --ledger needs --predictions and",
        ),
        (["--rule", "better", "--scores", "s.json"], "gate --ledger needs --predictions"),
    ],
)
def test_other_rules_and_sources_are_refused(run, arguments, said):
    names = ("--champion", "a", "--challenger", "b", "--ledger", "looks.json")
    status, out, error = run("gate", *names, *arguments)
    assert (status, out) == (2, "")
    assert said in error


def test_looks_without_a_ledger_are_refused(run):
    names = ("--champion", "a", "--challenger", "b", "--rule", "better", "--looks", 5)
    names += ("--predictions", "x.csv")
    assert "gate --predictions does not accept --looks" in run("gate", *names)[2]


def test_a_column_of_subjects_is_asked_about(ask, tmp_path, monkeypatch):
    monkeypatch.setitem(MODELS, "patient", np.random.default_rng(0).permutation(N) // 2)
    status, out, error = ask("much")
    assert (status, out) == (2, "")
    assert "'patient' has 300 values in 600 rows; pass --groups patient if rows" in error
    assert ask("much", "--drop", "patient")[0] == 0
    out = ask("much", "--groups", "patient", file="groups.json")[1]
    assert out.startswith("look 1 of 4: NOT SHOWN")  # too few of the groups differ


def test_a_challenger_of_probabilities_costs_no_look(ask, tmp_path):
    status, out, error = ask("chance")
    assert (status, out) == (2, "")
    assert "which is not a label" in error
    assert not (tmp_path / "looks.json").exists()


# Pairs of targets that give the same answers: others, with values missing or not finite, of another
# kind, of one class, and of a metric that is not defined on them.
FLIPPED = np.where(np.random.default_rng(1).random(N) < 0.03, 1 - Y, Y)
SOME = np.arange(N) % 7 == 0
TARGETS = {
    "other": ("accuracy", Y, FLIPPED),
    "others": ("balanced_accuracy", Y, FLIPPED),
    "missing": ("accuracy", np.where(SOME, np.nan, Y), np.full(N, np.nan)),
    "texts": ("accuracy", np.where(Y == 1, "yes", "no"), np.where(SOME, "", "a")),
    "infinite": ("accuracy", np.where(SOME, np.inf, Y), Y + 7),
    "undefined": ("f1", np.where(Y == 1, "yes", "no"), np.zeros(N, dtype=int)),
    "three classes": ("f1", np.arange(N) % 3, np.where(SOME, np.nan, Y)),
    "dates": ("accuracy", np.full(N, "2024-01-31"), np.arange(N)),
}


QUICK = ("other", "texts", "undefined")


@pytest.mark.parametrize(
    "kind",
    [kind if kind in QUICK else pytest.param(kind, marks=pytest.mark.slow) for kind in TARGETS],
)
@pytest.mark.parametrize("form", [(), pytest.param(("--json",), marks=pytest.mark.slow)])
def test_nothing_differs_between_targets_that_give_the_same_answers(ask, tmp_path, kind, form):
    """Standard output and error, JSON, and the file but for times and what covers the target."""
    scoring, *targets = TARGETS[kind]
    everything = []
    for k, y in enumerate(targets):
        champion = "old"
        printed = []
        for challenger in ("slightly", "same", "much", "worse", "chance", "worse"):
            options = ("--scoring", scoring, *form)
            printed.append(ask(challenger, *options, champion=champion, y=y, file=f"{k}.json"))
            champion = challenger if printed[-1][0] == 0 and challenger != champion else champion
        text = (tmp_path / f"{k}.json").read_text().replace(f"{k}.json", "file")
        text = re.sub(r'"(target|time|checksum)": "[^"]*"', r'"\1": ""', text)
        everything.append((printed, text))
    assert everything[0] == everything[1]
    assert [status for status, *_ in everything[0][0]].count(2) >= 1
