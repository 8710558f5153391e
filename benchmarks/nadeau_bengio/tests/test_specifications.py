"""What is printed in the report, against what else is printed there."""

from collections import Counter

import pytest

from benchmarks.nadeau_bengio import analytic
from benchmarks.nadeau_bengio.designs import EVEN, HALF_SAMPLE, THROWN_AWAY, USUAL
from benchmarks.nadeau_bengio.figures import FIGURES, TruePowerFigure
from benchmarks.nadeau_bengio.problems import PROBLEMS, REGRESSION
from benchmarks.nadeau_bengio.tables import distinct_intervals, printed_intervals

# Table 2's rows of values by formulas 18 and 19, at n/2 and at 9n/10 rows, as printed.
PRINTED_VALUES = {
    (EVEN, "A"): ("98.98", "72.72", "9.99", "9.06"),
    (EVEN, "B"): ("98.98", "65.31", "9.99", "9.02"),
    (EVEN, "A-B"): ("0", "7.41", "0", "0.04"),
    (USUAL, "A"): ("98.54", "72.40", "9.99", "9.06"),
    (USUAL, "B"): ("98.09", "64.72", "9.98", "9.01"),
    (USUAL, "A-B"): ("0.45", "7.68", "0.004", "0.045"),
}


def test_sizes():
    assert [sizes.of(300) for sizes in (EVEN, THROWN_AWAY, USUAL, HALF_SAMPLE)] == [
        (150, 150, 300),
        (150, 30, 180),
        (270, 30, 300),
        (120, 30, 150),
    ]
    with pytest.raises(ValueError, match="multiple of 10"):
        USUAL.of(205)


def test_closed_forms_give_the_printed_values():
    for (sizes, hypothesis), printed in PRINTED_VALUES.items():
        for problem, value in zip(REGRESSION.values(), printed, strict=True):
            found = analytic.expected_errors(problem, sizes.of(problem.n_samples)[0])[hypothesis]
            digits = len(value.partition(".")[2]) or 2
            assert f"{found:.{digits}f}".lstrip("-") == f"{float(value):.{digits}f}"


def test_printed_intervals_cover_the_closed_forms():
    # As the report says of table 2.
    intervals = [i for i in printed_intervals() if (i.table, i.quantity.kind) == (2, "mean")]
    assert len(intervals) == 24
    for interval in intervals:
        problem = REGRESSION[interval.simulation]
        n_train = interval.quantity.sizes.of(problem.n_samples)[0]
        truth = analytic.expected_errors(problem, n_train)[interval.quantity.hypothesis]
        assert interval.overlaps(truth, truth), interval


def test_closed_forms_need_rows():
    with pytest.raises(ValueError, match="4 rows"):
        analytic.least_squares_error(REGRESSION[1], 3)
    with pytest.raises(ValueError, match="1 row"):
        analytic.sample_mean_error(REGRESSION[1], 0)


def test_how_many_are_printed():
    intervals = printed_intervals()
    assert Counter(interval.table for interval in intervals) == {2: 72, 3: 72, 4: 108}
    keys = {(i.table, i.simulation, i.quantity) for i in intervals}
    assert len(keys) == 252
    kinds = Counter((i.quantity.kind, i.quantity.sizes) for i in intervals)
    assert set(kinds.values()) == {42}
    assert len(kinds) == 6
    assert len(distinct_intervals()) == 222
    assert all(interval.low < interval.high for interval in intervals)


def test_the_last_digit_is_what_is_known():
    widths = Counter((i.table, i.rounding) for i in printed_intervals())
    # Table 2 has two digits for the errors of 200 rows, table 3 four for two of its differences.
    assert widths == {
        (2, 0.005): 12,
        (2, 0.0005): 60,
        (3, 0.0005): 70,
        (3, 0.00005): 2,
        (4, 0.00005): 108,
    }
    interval = printed_intervals()[0]
    assert interval.overlaps(100.034, 101)
    assert not interval.overlaps(100.036, 101)
    assert interval.overlaps(98, 98.766)
    assert not interval.overlaps(98, 98.764)


def test_correlations_lie_about_what_the_report_says():
    # Section 5.1: the approximation n2/(n1 + n2) is near, and not below what is so for A-B.
    for interval in distinct_intervals():
        if interval.quantity.kind == "correlation":
            sizes = interval.quantity.sizes
            approximation = float(sizes.test / sizes.pool)
            assert abs((interval.low + interval.high) / 2 - approximation) < 0.4
            if interval.quantity.hypothesis == "A-B":
                assert interval.low < approximation


def test_every_figure():
    assert set(FIGURES) == {str(i) for i in range(1, 27)} | {"nips-1"}
    assert all(figure.label == label for label, figure in FIGURES.items())
    for figure in FIGURES.values():
        assert len({curve.sizes.train for curve in figure.curves}) == 1
        if not isinstance(figure, TruePowerFigure):
            assert all(panel.simulation in PROBLEMS[panel.problem] for panel in figure.panels)


def test_subjects_of_the_figures():
    # The captions: problem, hypothesis, number of panels.
    captions = ["regression A 4", "regression B 4", "regression A-B 4"]
    captions += ["gaussians A 4", "gaussians B 4", "gaussians A-B 4"]
    captions += ["letters B 6", "letters A-B 6"]
    for first in (1, 10, 19):
        for number, caption in enumerate(captions, start=first):
            panels = FIGURES[str(number)].panels
            found = {f"{p.problem} {p.hypothesis} {len(panels)}" for p in panels}
            assert found == {caption}


def test_curves_of_the_figures():
    counts = {label: len(figure.curves) for label, figure in FIGURES.items()}
    # Section 5.2: "a total of twelve curves are present in each plot".
    assert {counts[str(i)] for i in range(10, 18)} == {12}
    assert {counts[str(i)] for i in range(19, 27)} == {3}
    # Section 5.1: four solid curves (the resampled t and the corrected one at two sizes), two of
    # the conservative Z, one each of the t-test and of Dietterich's; eight solid with bootstraps.
    assert {counts[str(i)] for i in (1, 2, 3, 5, 7, 8)} == {8}
    assert counts["4"] == counts["6"] == 12
    assert counts["nips-1"] == 8
    assert {figure.n_data_sets for label, figure in FIGURES.items() if label != "nips-1"} == {1000}
    assert FIGURES["nips-1"].n_data_sets == 500
    holdout = {
        label: {curve.law for curve in figure.curves if curve.procedure == "holdout_t"}
        for label, figure in FIGURES.items()
    }
    assert (holdout["1"], holdout["nips-1"]) == ({"normal"}, {"t"})
    assert {curve.n_pairs for curve in FIGURES["19"].curves} == {5, 10, 20}
    assert {curve.n_splits for curve in FIGURES["10"].curves} == {5, 10, 15, 25}


@pytest.mark.parametrize(("label", "sizes"), [("9", EVEN), ("18", USUAL)])
def test_true_values_are_the_middles_of_table_4(label, sizes):
    for panel in FIGURES[label].panels:
        intervals = [
            interval
            for interval in printed_intervals()
            if interval.table == 4
            and interval.quantity.kind == "mean"
            and (interval.quantity.sizes, interval.quantity.hypothesis) == (sizes, panel.hypothesis)
        ]
        for interval, value in zip(intervals, panel.true_values, strict=True):
            assert abs((interval.low + interval.high) / 2 - value) <= 0.0005 + 1e-9
        assert panel.true_values[panel.surrogate - 1] == panel.null_value
