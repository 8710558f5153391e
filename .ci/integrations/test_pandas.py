"""The recipe for pandas' Styler."""

import re


def test_recipe(run, tmp_path):
    names = run("styled_table.py")
    frame = names["result"].to_frame()
    page = (tmp_path / "table.html").read_text()
    cells = re.findall(r"col2\" >([^<]+)</td>", page)
    assert cells == [f"{difference:.3f}" for difference in frame["difference"]]
    tex = (tmp_path / "table.tex").read_text()
    shown = (frame["pvalue_adjusted"] <= 0.05).sum()
    assert 0 < shown < len(frame)
    assert tex.count("\\bfseries") == 6 * shown
    assert "font-weight: bold" in page
