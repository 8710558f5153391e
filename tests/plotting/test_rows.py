"""Names of rows: where they are broken and shortened; and what part of an axis is shown."""

import numpy as np
import pytest

from skcvstats.plotting._axes import wrapped
from skcvstats.plotting._rows import shortened, shown_limits

LONG = "HistGradientBoostingClassifier(learning_rate=0.{:02d}, max_depth=3)"

NARROW = [[0.01, -0.01, 0.03], [0.02, 0.00, 0.04], [-0.01, -0.03, 0.01]]


def limits_of(ends, anchors, pairs=True):
    return shown_limits(ends, anchors, pairs=pairs)


def test_all_rows_with_room_where_none_is_far():
    assert limits_of(NARROW, [0.0]) == pytest.approx((-0.037, 0.047))
    assert limits_of([[2.0, 2.0, 2.0]], [2.0]) == pytest.approx((1.9, 2.1))


@pytest.mark.parametrize(
    "far", [[[3.0, 2.98, 3.02]], [[-3.0, -3.02, -2.98], [-400, -401, -399]], [[0.01, -9, 9]]]
)
def test_rows_that_are_far_or_very_wide_are_cut_off(far):
    assert limits_of([*NARROW, *far], [0.0]) == pytest.approx(limits_of(NARROW, [0.0]))


@pytest.mark.parametrize("n_rows", [2, 3, 10, 50])
def test_evenly_spread_rows_are_all_in_view(n_rows):
    at = np.arange(1, n_rows + 1) / n_rows
    low, high = limits_of(np.column_stack([at, at - 0.005, at + 0.005]), [0.0])
    assert low < 0.0
    assert high > 1.005


@pytest.mark.parametrize(
    ("n_near", "n_far", "of_pairs", "of_single"),
    [(1, 1, False, False), (1, 2, True, False), (2, 1, True, True), (2, 2, True, False),
     (2, 3, True, False), (3, 2, True, True), (2, 4, False, False)],
)  # fmt: skip
def test_how_many_rows_are_cut_off_at_most(n_near, n_far, of_pairs, of_single):
    rows = [[0.01 * (k + 1)] for k in range(n_near)] + [[5 + 0.1 * k] for k in range(n_far)]
    for pairs, cut in ((True, of_pairs), (False, of_single)):
        low, high = limits_of(rows, [0.0], pairs)
        assert low < 0 < 0.01 * n_near < high
        assert (high < 1) == cut
        assert (high > 5) == (not cut)


def test_anchors_are_in_view():
    low, high = limits_of([*NARROW, [3.0] * 3], [0.0, -0.2, 0.2])
    assert low < -0.2 < 0.2 < high < 1
    low, high = limits_of(np.empty((0, 3)), [1.0])
    assert low < 1 < high
    for null_value in (-0.5, 0.5):
        low, high = limits_of(NARROW, [null_value])
        assert low < min(null_value, -0.03)
        assert high > max(null_value, 0.04)


def test_what_is_not_finite_is_left_out():
    rows = [[0.01, -np.inf, 0.03], [0.02, np.nan, np.nan], [np.nan] * 3, [-0.01, -0.03, np.inf]]
    assert limits_of(rows, [0.0]) == pytest.approx((-0.036, 0.036))


@pytest.mark.parametrize("factor", [1e-6, 1.0, 1e6])
def test_units_do_not_matter(factor):
    rows = np.array([*NARROW, [3.0, 2.9, 3.1]])
    limits = limits_of(factor * rows, [0.0])
    assert limits == pytest.approx([factor * end for end in limits_of(rows, [0.0])])
    mirrored = limits_of(-rows, [0.0])
    assert mirrored == pytest.approx([-end for end in limits_of(rows, [0.0])[::-1]])


@pytest.mark.parametrize(
    ("name", "width", "lines"),
    [
        ("short", 12, ["short"]),
        ("c (reference)", 12, ["c", "(reference)"]),
        ("two words and more", 9, ["two words", "and more"]),
        ("StandardScaler(with_mean=0.25)", 17, ["StandardScaler(", "with_mean=0.25)"]),
        ("x" * 25, 10, ["x" * 10, "x" * 10, "x" * 5]),
        *((" ", 10, [" "]), ("", 10, [""])),
        *(("two\nlines", 10, [r"two\nlines"]), ("$x$", 10, [r"\$x\$"])),
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


class TestShortened:
    def test_the_middle_of_long_names_is_left_out(self):
        short, long = "b" * 10, "abcdefghijklmnopqrstuvwxyz"
        found = shortened([short, long], 11)
        assert found == {short: short, long: "abcde\N{HORIZONTAL ELLIPSIS}vwxyz"}

    @pytest.mark.parametrize(
        "name",
        [
            LONG,
            "Pipeline(" + "Step(), " * 20 + "{:02d})",
            "{:02d}" + "x" * 60,
            "y" * 40 + "{:02d}" + "x" * 60,
        ],
    )
    def test_names_can_still_be_told_apart(self, name):
        names = [name.format(k) for k in range(30)]
        short = shortened(names, 32)
        assert list(short) == names
        assert len(set(short.values())) == 30
        assert max(map(len, short.values())) <= 32

    def test_names_that_cannot_are_shortened_all_the_same(self):
        rng = np.random.default_rng(0)
        names = ["".join(rng.choice(list("ab"), 80)) for _ in range(5)]
        names += [f"{names[0][:40]}c{names[0][41:]}"]
        assert max(map(len, shortened(names, 12).values())) <= 12
