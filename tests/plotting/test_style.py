"""Marks of kinds of claims, and names broken into lines."""

import pytest

from skcvstats.plotting._style import MARKS
from skcvstats.plotting._text import wrapped, wrapped_difference
from skcvstats.stats import KINDS


class TestMarks:
    def test_there_is_one_for_every_kind_of_claim(self):
        assert list(MARKS) == list(KINDS)

    def test_they_can_be_told_apart_without_colour(self):
        assert len({(mark.marker, mark.filled) for mark in MARKS.values()}) == len(MARKS)

    def test_they_are_not_mistaken_for_the_arrows_of_intervals_or_the_reference(self):
        assert not {"<", ">", "D"} & {mark.marker for mark in MARKS.values()}


@pytest.mark.parametrize(
    ("name", "width", "lines"),
    [
        ("short", 12, ["short"]),
        ("c (reference)", 12, ["c", "(reference)"]),
        ("two words and more", 9, ["two words", "and more"]),
        (
            "HistGradientBoostingClassifier(learning_rate=0.1, max_depth=3)",
            32,
            ["HistGradientBoostingClassifier(", "learning_rate=0.1,", "max_depth=3)"],
        ),
        ("StandardScaler(with_mean=0.25)", 17, ["StandardScaler(", "with_mean=0.25)"]),
        ("x" * 25, 10, ["x" * 10, "x" * 10, "x" * 5]),
        (" ", 10, [" "]),
        ("", 10, [""]),
        ("two\nlines", 10, [r"two\nlines"]),
    ],
)
def test_where_names_are_broken(name, width, lines):
    assert wrapped(name, width).split("\n") == lines


def test_nothing_but_white_space_is_lost():
    name = "Pipeline(StandardScaler, PCA(n_components=0.95), SVC(C=1e-5, gamma=1.5))" + "_x" * 40
    for width in range(2, 80):
        broken = wrapped(name, width)
        assert "".join(broken.split()) == "".join(name.split())
        assert max(map(len, broken.split("\n"))) <= width


def test_a_long_difference_has_each_name_in_its_own_lines():
    assert wrapped_difference(["a", "b"]) == "a \N{MINUS SIGN} b"
    assert wrapped_difference(["a" * 20, "b" * 20]) == f"{'a' * 20} \N{MINUS SIGN}\n{'b' * 20}"
