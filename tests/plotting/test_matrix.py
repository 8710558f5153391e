"""MatrixDisplay: a cell for each ordered pair, its colour, its mark and its number."""

import matplotlib as mpl
import numpy as np
import pytest

from skcvstats.plotting import MatrixDisplay

from . import drawing
from .drawing import METRICS, compared, legend_of


def cells_of(display, panel):
    """Return the number, the sign of the colour and whether it is marked, by row and column."""
    ax = display.axes_[panel]
    names = [label.get_text().rpartition("  ")[0] for label in display.ax_.get_yticklabels()]
    colours = display.cells_[panel].get_array()
    marked = {(int(y), int(x)) for x, y in display.marks_[panel].get_xydata()}
    blue, vermilion, _ = (handle.get_facecolor()[:3] for handle in _handles(display))
    found = {}
    for text in ax.texts:
        column, row = text.xy
        colour = tuple(colours[row, column][:3])
        sign = {blue: 1, vermilion: -1}[colour]
        pair = names[row], names[column]
        found[pair] = float(text.get_text()), sign, (row, column) in marked
    return found


def _handles(display):
    *patches, mark = legend_of(display).values()
    return [*patches, mpl.patches.Patch(color=mark.get_color())]


@pytest.mark.parametrize("own", [True, False])
def test_each_pair_has_its_number_colour_and_mark_twice(own):
    result = compared("abcde", METRICS[:2], gap=0.015)
    axes = None if own else drawing.plt.subplots(1, 2, figsize=(10, 4))[1]
    display = MatrixDisplay.from_result(result).plot(axes)
    n_marked = 0
    for panel, metric in enumerate(METRICS[:2]):
        cells = cells_of(display, panel)
        assert len(cells) == 20
        for pair in result[metric]:
            difference = pair.test.estimate
            is_significant = pair.pvalue_adjusted < 0.05
            n_marked += is_significant
            for names, sign in (
                ((pair.estimator, pair.versus), 1),
                ((pair.versus, pair.estimator), -1),
            ):
                written, colour, is_marked = cells[names]
                assert written == pytest.approx(sign * difference, rel=0.05)
                assert colour == np.sign(sign * difference)
                assert is_marked == is_significant
    assert 0 < n_marked < 20


def test_the_best_is_the_first_and_the_darkest_is_the_largest():
    result = compared("abcdef", gap=0.02)
    display = MatrixDisplay.from_result(result).plot()
    assert list(display.names) == result.ranking()["estimator"].tolist()
    shades = display.cells_[0].get_array()[..., 3]
    sizes = {(pair.estimator, pair.versus): abs(pair.test.estimate) for pair in result}
    place = {name: k for k, name in enumerate(display.names)}
    in_order = sorted(sizes, key=sizes.get)
    found = [shades[place[first], place[second]] for first, second in in_order]
    assert (np.diff(found) >= 0).all()
    assert not shades.diagonal().any()


def test_of_many_there_are_no_numbers_and_all_have_room():
    names = [f"HistGradientBoostingClassifier(max_depth={k}, l2=0.1)" for k in range(40)]
    display = MatrixDisplay.from_result(compared(names, gap=0.004)).plot()
    assert not display.ax_.texts
    assert display.figure_.get_figheight() <= 11
    drawing.check_room(display.figure_)
    few = MatrixDisplay.from_result(compared(names, gap=0.004), top=10).plot()
    assert len(few.names) == 10
    assert "30 more estimators" in few.legend_.get_title().get_text()


def test_with_a_reference_there_are_not_all_pairs():
    with pytest.raises(ValueError, match="compared with 'b' only"):
        MatrixDisplay.from_result(compared("abc", reference="b"))
