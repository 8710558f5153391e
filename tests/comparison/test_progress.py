"""Progress of max-t, and its interruption; that of a bootstrap too."""

import pytest

from skcvstats import compare_scores
from skcvstats._utils._progress import _plain
from skcvstats.comparison import _joint

from .made import rising


def drawn(verbose):
    result = compare_scores(rising(31), method="corrected_resampled_t", verbose=verbose)
    return result.ranking()["pvalue_best"].tolist()


def test_of_max_t_is_shown_where_it_takes_longer(capsys, monkeypatch):
    silent = drawn(0)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(_joint, "_PATIENCE", 0)
    assert drawn(1) == silent
    assert "drawing max-t" in capsys.readouterr().err


@pytest.mark.parametrize(("delay", "lines"), [(0, 11), (3600, 0)])
def test_lines_without_tqdm(delay, lines, capsys):
    assert list(_plain(range(20), 20, "drawing", "block", delay)) == list(range(20))
    assert len(capsys.readouterr().err.splitlines()) == lines
