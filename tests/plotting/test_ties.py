"""Equal values on one line: how many there are is written beside them."""

import matplotlib.pyplot as plt
import pytest

from skcvstats.plotting._ties import write_counts


@pytest.mark.parametrize(("n_equal", "written"), [(1, []), (2, []), (3, ["3"]), (7, ["7"])])
def test_three_and_more_equal_values_are_counted(n_equal, written):
    figure, ax = plt.subplots()
    values = [0.5] * n_equal + [0.25, 0.75]
    write_counts(ax, values, [0.0] * len(values))
    assert [text.get_text() for text in ax.texts] == written
    plt.close(figure)
