"""The tables of README.rst and of doc/row_t.rst are those of the atlas."""

import re

import numpy as np
import pandas as pd
import pytest

from benchmarks.atlas import readme, running
from benchmarks.atlas.procedures import CAREFUL, ROW_T, TENTHS

CALLED = {"R²": "R2", "root mean squared error": "RMSE"}


def test_the_files_have_the_tables_of_the_atlas():
    for path, text in readme.files(running.read()).items():
        assert path.read_text(encoding="utf-8") == text


@pytest.fixture(scope="module")
def saved():
    """The cells of the two tables, read from the saved summaries by pandas alone."""
    table = pd.read_csv(running.TABLE, keep_default_na=False, low_memory=False)
    table = table[table["tier"].isin((1, 2, 8, 9))]
    table = table[(table["tier"] > 2) | (table["metric"] != "AUC")]
    share = table["missed_95"].astype(float) / table["data_sets"].astype(float)
    length = pd.to_numeric(table["length"], errors="coerce")
    return table.assign(share=share, log=np.log(length.where(length > 0)))


def test_the_table_of_the_readme_is_recomputed_from_the_saved_summaries(saved):
    """All cells of the two sets of tiers, and nothing else: means of shares and of logarithms."""
    lines = re.findall(r"(?m)^(\d+)  +(.+? / .+?) %  +(.+? / .+?)  +``(.+?)``  +(.+)$", _readme())
    names = {"row_t": ROW_T, "RowTTest(inflation=1)": CAREFUL, "corrected_resampled_t": TENTHS}
    assert [line[3] for line in lines] == [name for name in names for _ in range(2)]
    for (fits, misses, lengths, method, use), tiers in zip(
        lines, 3 * [(1, 2), (8, 9)], strict=True
    ):
        assert ("any metric" in use) == (tiers == (8, 9))
        cells = saved[(saved["procedure"] == names[method]) & saved["tier"].isin(tiers)]
        assert {*cells["fits"].astype(int)} == {int(fits)}
        parts = [cells[cells["kind"] != "single"], cells[cells["kind"] == "single"]]
        assert misses == " / ".join(f"{100 * part['share'].mean():.1f}" for part in parts)
        assert lengths == " / ".join(f"{np.exp(part['log'].mean()):.2f}" for part in parts)


def test_what_is_missed_often_is_recomputed_too(saved):
    lines = re.findall(r"(?m)^- (.+?), (single scores|differences): (.+) %$", _readme())
    found = [(CALLED.get(name, name), *rest) for name, *rest in lines]
    kinds = np.select(
        [saved["kind"] == "single", saved["kind"] == "null"], ["single scores", ""], "differences"
    )
    mean = (
        saved.assign(what=kinds).groupby(["metric", "what", "procedure"])["share"].mean().unstack()
    )
    high = mean[ROW_T] > mean.index.get_level_values("what").map(
        {"single scores": 0.08, "differences": 0.05, "": 1}
    )
    assert sorted(line[:2] for line in found) == sorted(mean.index[high])
    assert {("R2", "single scores"), ("R2", "differences"), ("RMSE", "differences")} <= {
        *mean.index[high]
    }
    for metric, what, shares in found:
        row = mean.loc[metric, what]
        assert shares == " / ".join(f"{100 * row[name]:.1f}" for name in (ROW_T, CAREFUL, TENTHS))


def test_the_table_of_metrics_is_recomputed_from_the_saved_summaries(saved):
    page = readme.ROW_T_PAGE.read_text(encoding="utf-8")
    part = page.partition("--readme\n")[2].partition("To here")[0]
    lines = re.findall(r"(?m)^   ([^,\n]+), ([0-9., ]+)$", part)
    assert {CALLED.get(name, name) for name, _ in lines} == {*saved["metric"]}
    for name, figures in lines:
        own, expected = saved[saved["metric"] == CALLED.get(name, name)], []
        for some in (own[own["kind"] == "single"], own[~own["kind"].isin(("single", "null"))]):
            by = some.groupby("procedure")[["share", "log"]].mean()
            ratio = np.exp(by["log"][ROW_T] - by["log"][TENTHS])
            expected += [f"{by['share'][ROW_T]:.3f}", f"{by['share'][TENTHS]:.3f}", f"{ratio:.2f}"]
        assert figures.split(", ") == expected


def test_a_linear_model_where_nothing_is_linear_is_recomputed_from_the_saved_summaries(saved):
    """Accuracy of discriminants on rings, by the row t-test; log loss is missed hardly ever."""
    own = saved[(saved["procedure"] == ROW_T) & (saved["population"] == "rings")]
    own = own[(own["a"] == "LDA") & (own["kind"] == "single") & own["tier"].isin((1, 2))]
    found = own.set_index(["metric", "n_rows"])["share"]
    page = readme.ROW_T_PAGE.read_text(encoding="utf-8")
    both = [f"{found['accuracy', n]:.2f}" for n in (300, 1000)]
    assert both == ["0.20", "0.42"]
    assert "- {} with 300 rows, {} with 1,000\n".format(*both) in page
    assert (found["log loss"] < 0.01).all()
    assert "log loss, which is missed in less than 0.01 there" in page


def _readme():
    text = readme.README.read_text(encoding="utf-8")
    return text.partition("--readme\n")[2].partition("To here")[0]


def test_its_numbers_are_means_over_cells():
    """By hand: 4 and 8 misses of 100 are 6 %; the geometric mean of .5 and 2 is 1."""
    cells = [
        {"procedure": name, "tier": tier, "kind": kind, "drawn": 100}
        | {"setting": f"s{k}", "metric": "accuracy", "data_sets": 100, "missed_95": 4 + 4 * k}
        | {"length": (0.5, 2.0)[k], "fits": 20, "population": "gauss"}
        for name in {name for _, name, *_ in readme._METHODS}
        for kind in ("single", "near")
        for k in (0, 1)
        for tier in (1, 8)
    ]
    rows = list(readme.rows_of(pd.DataFrame(cells)))
    assert [row[:4] for row in rows] == [
        ("20", "6.0 / 6.0 %", "1.00 / 1.00", f"``{method}``") for method, *_ in readme._METHODS
    ]


def test_a_file_without_its_place_is_refused():
    with pytest.raises(SystemExit, match=r"README\.rst has no line"):
        readme.written("", "table", "README.rst")
