"""The built documentation in a browser: no request to anywhere, a search, and its accessibility."""

import os
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pandas as pd
import pytest

from .page import leave, look, overflow, requests, served, wait_until

# The folder of the built pages, which .ci/full names after it has built them.
SITE = os.environ.get("SKCVSTATS_SITE", "")
PAGES = [
    "index.html", "theory.html", "guide.html", "atlas.html", "api/index.html", "which_test.html",
    "api/generated/skcvstats.compare_estimators.html", "auto_examples/index.html",
    "auto_examples/plot_compare_three_models.html",
]  # fmt: skip
TABLE = Path(__file__).parents[2] / "benchmarks" / "atlas" / "results" / "atlas.csv.gz"
# Problems in parts of pages that come from other packages.
OF_OTHERS = (
    # The theme's search button is called "Search", and shows its keys, too.
    "label-content-name-mismatch: ['.navbar-persistent--container > .search-button-field",
    # The theme's arrows that open a part of the navigation have no name.
    "summary-name: ",
    # pandas leaves the head of the column of row names empty.
    "empty-table-header: ['thead > tr > th:nth-child(1)'",
)


@pytest.fixture(scope="module")
def site():
    """The address of the site on a server of static files."""
    if not (Path(SITE) / "index.html").is_file() or not SITE:
        pytest.skip("SKCVSTATS_SITE names no folder of built pages")
    with served(SITE) as (address, _):
        yield address


@pytest.mark.parametrize("page", PAGES)
def test_nothing_is_asked_of_another_host_and_no_page_is_wider_than_its_window(browser, site, page):
    leave(browser)
    browser.get(f"{site}/{page}")
    asked = [url for url in requests(browser) if not url.startswith("data:")]
    assert f"{site}/{page}" in asked
    assert {urlsplit(url).netloc for url in asked} == {urlsplit(site).netloc}
    # The theme tells the console what it does; an error has a level of its own.
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []
    for width in (400, 1200):
        look(browser, width=width)
        browser.get(f"{site}/{page}")
        assert overflow(browser) == 0


@pytest.mark.parametrize(("words", "expected"), [
    ("conservative_z", "which_test.html"), ("best set", "several_models.html"),
    ("interval", "api/generated/skcvstats.ConfidenceInterval.html"),
    ("learning curve", "questions.html"), ("time series", "forecasts.html"),
    ("forecast", "forecasts.html"), ("LLM", "predictions.html"), ("A/B", "which_test.html"),
    ("hyperparameter", "recipes.html"), ("sample size", "predictions.html"),
    ("overfitting", "questions.html"), ("effect size", "questions.html"),
    ("multiclass", "recipes.html"), ("reviewer", "questions.html"), ("seeds", "seeds.html"),
    ("leaderboard", "tasks.html"), ("benchmark", "tasks.html"),
])  # fmt: skip
@pytest.mark.parametrize("protocol", ["http", "file"])
def test_the_search_finds_it(browser, site, words, expected, protocol):
    root = site if protocol == "http" else Path(SITE).absolute().as_uri()
    browser.get(f"{root}/search.html?q={words.replace(' ', '+')}")
    # The number of results is written once all of them stand there.
    wait_until(browser, lambda it: "found" in it.find_element("id", "search-results").text)
    found = [
        link.get_attribute("href").removeprefix(f"{root}/").partition("?")[0].partition("#")[0]
        for link in browser.find_elements("css selector", "#search-results li a")
    ]
    assert expected in found
    first = next(page for page in found if page != "glossary.html")
    assert first == expected or words != "best set" or protocol == "file"


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("width", [390, 1200, 1920])
def test_nothing_is_cut_and_headings_are_in_order(browser, site, page, width):
    look(browser, width=width)
    browser.get(f"{site}/{page}")
    cut = "a => a.offsetWidth && (a.getBoundingClientRect().right > innerWidth + 0.5"
    cut += " || a.scrollWidth > a.clientWidth + 1)"
    links = "[...document.querySelectorAll(':is(.bd-sidebar-primary, .bd-sidebar-secondary) a')]"
    assert browser.execute_script(f"return {links}.filter({cut}).map(a => a.innerText)") == []
    size = "h => parseFloat(getComputedStyle(h).fontSize)"
    sizes = [
        browser.execute_script(f"return [...document.querySelectorAll('article {h}')].map({size})")
        for h in ("h1", "h2", "h3")
    ]
    found = [one for one in sizes if one]
    assert all(min(above) > max(below) for above, below in pairwise(found))


@pytest.mark.parametrize("page", ["quickstart.html", "questions.html"])
def test_the_text_is_as_wide_as_88_columns_of_code(browser, site, page):
    look(browser, width=1200)
    browser.get(f"{site}/{page}")
    columns = browser.execute_script(
        "const pre = document.querySelector('article pre'), one = document.createElement('span');"
        "one.textContent = '0'.repeat(88); one.style.whiteSpace = 'pre'; pre.append(one);"
        "const style = getComputedStyle(pre), padding = parseFloat(style.paddingLeft) * 2;"
        "return (pre.clientWidth - padding) / one.getBoundingClientRect().width"
    )
    assert columns >= 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", PAGES)
def test_it_is_accessible(browser, site, axe, page, scheme):
    leave(browser)
    look(browser, scheme=scheme)
    browser.get(f"{site}/{page}")
    found = [one for one in axe(browser) if not one.startswith(OF_OTHERS)]
    assert found == []


def test_the_cards_lead_somewhere(browser, site):
    browser.get(f"{site}/index.html")
    cards = browser.find_elements("css selector", ".doors .sd-card")
    assert len(cards) == 12
    addresses = [card.find_element("css selector", "a").get_attribute("href") for card in cards]
    for address in addresses:
        browser.get(address)
        place = urlsplit(address).fragment
        assert browser.find_element("css selector", f"#{place}" if place else "h1").is_displayed()


def test_formulas_are_drawn_with_their_font(browser, site):
    browser.get(f"{site}/theory.html")
    wait_until(browser, lambda it: it.execute_script("return document.fonts.status") == "loaded")
    assert browser.execute_script("return document.fonts.check('16px \"STIX Two Math\"')")
    tall = "return document.querySelector('.formula mfrac').getBoundingClientRect().height"
    assert browser.execute_script(tall) > 25  # one line of text has 16


def test_thumbnails_are_shown_at_a_size_that_can_be_read(browser, site):
    browser.get(f"{site}/auto_examples/index.html")
    sizes = browser.execute_script(
        "return Array.from(document.querySelectorAll('.sphx-glr-thumbcontainer img'),"
        " picture => [picture.clientWidth, picture.naturalWidth])"
    )
    assert len(sizes) > 10
    for shown, drawn in sizes:
        assert shown > 200
        assert drawn > 1.5 * shown  # sharp on a fine screen


def atlas_rows(browser):
    """Return the cells of the rows that the atlas shows."""
    wait_until(browser, lambda it: it.find_elements("css selector", "#atlas thead button"))
    rows = "[...document.querySelectorAll('#atlas-cells tbody tr')]"
    return browser.execute_script(f"return {rows}.map(row => [...row.cells].map(c => c.innerText))")


@pytest.mark.parametrize("protocol", ["http", "file"])
def test_the_atlas_is_searched_and_sorted(browser, site, protocol):
    root = site if protocol == "http" else Path(SITE).absolute().as_uri()
    browser.get(f"{root}/atlas.html")
    assert len(atlas_rows(browser)) == 50
    query = browser.find_element("id", "atlas-query")
    query.send_keys("tree, 100 rows, accuracy")
    rows = atlas_rows(browser)
    assert rows
    assert all("tree" in row[0] and "100 rows" in row[1] and row[2] == "accuracy" for row in rows)
    (misses,) = browser.find_elements("xpath", "//*[@id='atlas']//th//button[.='Misses, % (5)']")
    for order, sign in (("ascending", 1), ("descending", -1)):
        misses.click()
        assert misses.find_element("xpath", "..").get_attribute("aria-sort") == order
        found = [float(row[6].split()[0]) for row in atlas_rows(browser)]
        assert found == sorted(found, key=lambda value: sign * value)
        assert len(browser.find_elements("css selector", "#atlas th[aria-sort]")) == 1
    status = browser.find_element("id", "atlas-count")
    n_rows = int(status.text.split()[0])
    browser.find_element("id", "atlas-more").click()
    assert len(atlas_rows(browser)) == min(n_rows, 250)
    query.clear()
    query.send_keys("no such learner")
    assert status.text == "No row. Try fewer words."
    assert Path(SITE, "atlas.html").stat().st_size < 1_000_000


def numbers(text):
    """Return a number and its error."""
    return [float(part) for part in text.split("\xa0±\xa0")]


def test_the_atlas_gives_the_means_of_a_search(browser, site):
    """Those of the row t-test, computed from the table by another way."""
    table = pd.read_csv(TABLE, keep_default_na=False, dtype=str)
    table = table[(table["a"] == "boosting") | (table["b"] == "boosting")]
    table = table[(table["n_rows"] == "300") & (table["metric"] == "log loss")]
    own = table[table["procedure"] == "row t, 4x5"].astype({"length": float})
    missed = (own["missed_95"].astype(float) / own["data_sets"].astype(float)).mean()
    browser.get(f"{site}/atlas.html")
    atlas_rows(browser)
    assert browser.find_elements("css selector", "#atlas-means table") == []
    browser.find_element("id", "atlas-query").send_keys("boosting, 300 rows, log loss")
    lines = browser.execute_script(
        "return [...document.querySelectorAll('#atlas-means tbody tr')]"
        ".map(row => [...row.cells].map(cell => cell.innerText))"
    )
    (line,) = [line for line in lines if line[0] == "row t, 4x5"]
    assert line[1] == str(len(own))
    assert float(line[2]) == pytest.approx(100 * missed, abs=0.051)
    assert float(line[3]) == pytest.approx(np.exp(np.log(own["length"]).mean()), abs=0.011)


def test_the_atlas_shows_what_is_in_its_table(browser, site):
    """One row, read from the table by another way."""
    table = pd.read_csv(TABLE, keep_default_na=False, dtype=str)
    table = table[(table["setting"] == table["setting"].iloc[0]) & (table["b"] == "")]
    row = table[table["procedure"] == "row t, 4x5"].iloc[0]
    browser.get(f"{site}/atlas.html")
    atlas_rows(browser)
    words = [f"{row['population']}, {row['n_rows']} rows", row["metric"], row["a"], "single"]
    browser.find_element("id", "atlas-query").send_keys(", ".join([*words, "row t, 4x5"]))
    shown = [cells for cells in atlas_rows(browser) if cells[4] == "row t, 4x5"]
    (cells,) = [cells for cells in shown if {row["a"], row["metric"]} <= {*cells}]
    n = int(row["data_sets"])
    assert cells[1] == words[0]
    assert cells[6].startswith(f"{100 * int(row['missed_95']) / n:.1f}\xa0±")
    for column, figure in ((8, "length"), (9, "variance_ratio")):
        expected = [float(row[figure]), float(row[f"{figure}_error"])]
        assert numbers(cells[column]) == pytest.approx(expected, abs=0.0101)
    for column, count in ((10, "power_2"), (11, "power_3")):
        power = float(row[count]) / n
        error = 100 * (power * (1 - power) / n) ** 0.5
        assert numbers(cells[column]) == pytest.approx([100 * power, error], abs=0.6)
    error = 100 * float(row["truth_error"]) / float(row["mean_length"])
    assert float(cells[13]) == pytest.approx(error, abs=0.51)
    assert cells[14] == str(n)
