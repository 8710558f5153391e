"""The table of README.rst is that of the atlas."""

import pandas as pd
import pytest

from benchmarks.atlas import readme, running


def test_the_table_of_the_readme_is_that_of_the_atlas():
    text = readme.README.read_text(encoding="utf-8")
    assert readme.written(running.read(), text) == text


def test_its_numbers_are_means_over_cells():
    """By hand: 4 and 8 misses of 100 are 6 %; the geometric mean of .5 and 2 is 1."""
    cells = [
        {"procedure": name, "tier": tier, "kind": kind}
        | {"setting": f"s{k}", "metric": "accuracy", "data_sets": 100, "missed_95": 4 + 4 * k}
        | {"length": (0.5, 2.0)[k], "fits": 20, "truth_error": 0.0, "mean_length": 1.0}
        for name in {name for _, name, *_ in readme._METHODS}
        for kind in ("single", "near")
        for k in (0, 1)
        for tier in ([3] if name == "conservative Z" else [1, 8])
    ]
    rows = list(readme.rows_of(pd.DataFrame(cells)))
    assert [row[:4] for row in rows] == [
        (f"``{method}``", "20", "6.0 / 6.0 %", "1.00 / 1.00") for method, *_ in readme._METHODS
    ]


def test_the_others_are_told_on_the_settings_of_the_last():
    """Three misses of 100 in tier 3 are 3 %, whatever they are elsewhere."""
    cells = [
        {"procedure": name, "tier": tier, "kind": kind, "setting": "s", "metric": "accuracy"}
        | {"data_sets": 100, "missed_95": tier, "length": 1.0, "fits": 20, "truth_error": 0.0}
        | {"mean_length": 1.0}
        for name in {name for _, name, *_ in readme._METHODS}
        for kind in ("single", "near")
        for tier in (1, 3, 8)
    ]
    text = readme.text_of(pd.DataFrame(cells))
    words = "``row_t`` misses 3.0 / 3.0 %, ``corrected_resampled_t`` misses 3.0 / 3.0 %."
    assert words in text
    assert "1.0 / 1.0 %" in text.splitlines()[3]


def test_a_readme_without_its_place_is_refused():
    with pytest.raises(SystemExit, match="no line"):
        readme.written(running.read(), "")
