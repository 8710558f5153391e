"""Formatted numbers: no digit that matters is lost, none is invented."""

import json
import math
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skcvstats._utils import _text as text

ROOT = Path(__file__).parents[2]
EXAMPLES = json.loads((ROOT / "doc" / "data" / "note_examples.json").read_text("utf-8"))
# How the print begins of notes on what may make the answer above worthless.
SERIOUS = {
    "rows in training and test": "Scores are too good if rows are copies: over 5 splits, 100 of ",
    "near-copies": "Scores are too good and intervals too short: 363 of 426 test rows ",
    "synthetic rows": "Scores are too good if rows are synthetic (SMOTE?): ",
    "repeated subjects": "Scores are too good and intervals too short if rows of one subject ",
    "dates": "Scores are too high if rows near in time are alike: X has dates in the column ",
    "dates do not ascend": "Scores are not those of forecasts: X has dates in the column 'when'",
    "order of rows": "Intervals are too short, and models are trained on neighbours of their ",
    "equal rows": "Intervals are too short if rows are copies: ",
    "few rows tell": "Intervals of MAE, and of differences in it, may be too short: a few rows ",
    "effects of the month": "P-values may be too small: scores, or differences, are like those ",
    "chosen candidates": "P-values are not adjusted for the choice of the ",
    "out of fold": "Scores are too good if a model was trained on the fold that it predicts, ",
}


@pytest.mark.parametrize(
    ("x", "plain", "padded"),
    [
        (0.0538, "0.0538", "0.0538"), (0.93, "0.93", "0.930"), (15.0, "15", "15.0"),
        (1234.0, "1234", "1234"), (1234.4, "1234", "1234"), (9999.7, "10000", "10000"),
        (337412.6, "337413", "337413"), (-337412.6, "-337413", "-337413"),
        (1.23456e8, "1.23e+08", "1.23e+08"), (1e-9, "1e-09", "1.00e-09"), (0.0, "0", "0"),
        (math.inf, "inf", "inf"),
    ],
)  # fmt: skip
def test_numbers_have_three_significant_digits_and_all_before_the_point(x, plain, padded):
    assert text.format_number(x) == plain
    assert text.format_number(x, padded=True) == padded


@pytest.mark.parametrize(
    ("p", "written"),
    [
        (0.05, "= 0.05"), (0.04999, "= 0.04999"), (0.0499999, "= 0.0499999"),
        (0.05001, "= 0.05001"), (0.0123456, "= 0.0123"), (0.00999999, "= 0.00999999"),
        (0.000123, "= 0.000123"), (0.00009, "< 0.0001"), (0.0, "< 0.0001"), (0.9999, "> 0.999"),
        (0.999, "= 0.999"), (1.0, "= 1"),
    ],
)  # fmt: skip
def test_pvalues_are_not_rounded_over_a_level(p, written):
    assert text.format_pvalue(p) == written
    for level in (0.001, 0.005, 0.01, 0.05, 0.1):
        assert float(text.format_pvalue(level - 1e-6 * level).removeprefix("= ")) < level


@pytest.mark.parametrize(
    ("p", "error", "written"),
    [
        (0.0473, 0.0015, "= 0.047"),
        (0.04969, 0.0005, "= 0.0497"),  # on its side of .05
        (0.0501, 0.0005, "= 0.0501"),
        (0.3123, 0.0033, "= 0.31"),
        (0.00125, 0.0, "= 0.00125"),
        (0.050001, 0.0, "= 0.050001"),
    ],
)
def test_simulated_pvalues_have_the_digits_that_their_error_leaves(p, error, written):
    assert text.format_pvalue(p, error=error) == written


def test_an_infinite_end_is_written_as_a_bound():
    assert text.format_ends(0.1, 0.2) == "0.1 to 0.2"
    assert text.format_ends(0.1, 0.2, padded=True) == "0.100 to 0.200"
    assert text.format_ends(-math.inf, 0.2) == "at most 0.2"
    assert text.format_ends(0.1, math.inf) == "at least 0.1"


def test_percent_is_never_nothing_or_all():
    assert text.format_percent(1 - 0.05 / 3) == "98.33 %"
    assert text.format_percent(0.05 / 3) == "1.667 %"
    assert text.format_percent(0.9999999) == "99.99999 %"
    assert text.format_percent(1e-9) == "1e-07 %"
    assert text.format_percent(1 / 3) == "33.33 %"
    for level in (0.8, 0.9, 0.95, 0.99, 0.999, 0.975):
        assert text.format_percent(level) == f"{float(f'{100 * level:.6g}'):g} %"


def test_sizes_have_one_decimal_or_none():
    sizes = {70.25: "70.2", 289.0: "289", 1e6: "1000000"}
    for size, written in sizes.items():
        assert text.format_size(size) == written


class TestShortened:
    def test_the_middle_of_long_names_is_left_out(self):
        short, long = "b" * 10, "abcdefghijklmnopqrstuvwxyz"
        assert text.shortened([short, long], 11) == {short: short, long: "abcdef...yz"}

    def test_words_that_all_have_are_left_out_first(self):
        names = [f"k={k} nearest neighbours, weighted, {p}" for k in (1, 15) for p in ("L1", "L2")]
        short = ["k=1 ... L1", "k=1 ... L2", "k=15 ... L1", "k=15 ... L2"]
        assert list(text.shortened(names, 12).values()) == short

    @pytest.mark.parametrize(
        "name",
        [
            "HistGradientBoostingClassifier(learning_rate=0.{:02d}, max_depth=3)",
            f"Pipeline({'Step(), ' * 20}{{}})",
            "{:02d}" + "x" * 60,
            "y" * 40 + "{:02d}" + "x" * 60,
        ],
    )
    def test_what_differs_is_kept(self, name):
        names = [name.format(k) for k in range(30)]
        short = text.shortened(names, 32)
        assert list(short) == names
        for k, shown in enumerate(short.values()):
            assert str(k) in shown
            assert len(shown) <= 32

    def test_names_in_a_grid_of_words_keep_a_word_of_each_kind(self):
        analyses = ["Quadratic discriminant analysis with shrinkage",
                    "Quadratic discriminant analysis without shrinkage"]  # fmt: skip
        names = [f"{name}, seed {k}" for name in analyses for k in range(20)]
        short = text.shortened([*names, *analyses], 30)
        assert len(set(short.values())) == 42
        for name in names:
            _, how, seed = re.fullmatch(r"(.*) (with(?:out)?) shrinkage, seed (\d+)", name).groups()
            assert re.search(rf"\b{how}\b", short[name])
            assert short[name].endswith(seed)
        assert not any("#" in shown for shown in short.values())
        pair = ["Support vector machine with a kernel, C=10", "Support vector machine, C=10, k 1"]
        assert text.shortened(pair, 24)[pair[1]].endswith("1")

    @given(st.lists(st.text("ab .,(=", min_size=1, max_size=60), unique=True, max_size=12))
    def test_names_that_differ_differ(self, names):
        for width in (8, 20):
            short = text.shortened(names, width)
            assert len(set(short.values())) == len(names)
            for name, shown in short.items():
                assert len(shown) <= width
                assert shown == name or len(name) > width


def printed(code):
    """Return what is printed of an example, in 160 characters with its code."""
    return text.sentence_within(EXAMPLES[code], 160 - len(f" [{code}]"))


def test_no_note_is_cut_in_the_middle_of_a_sentence():
    assert not [code for code in EXAMPLES if printed(code).endswith("...")]


@pytest.mark.parametrize("code", SERIOUS)
def test_the_consequence_is_printed_first_and_the_fact_with_it(code):
    assert printed(code).startswith(SERIOUS[code])
