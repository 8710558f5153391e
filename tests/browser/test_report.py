"""The page of a report in a browser: colours, widths, sorting, copying, printing."""

import csv
import functools
from io import StringIO
from itertools import pairwise

import numpy as np
import pytest

from skcvstats import CorrectedResampledTTest, compare_scores, evaluation_report

from ..words.cases import scores_of
from . import page as pages
from .reports import HOSTILE, RESULTS, four, page_of

LOOKS = [{"scheme": "light", "width": pages.WIDE}, {"scheme": "dark", "width": pages.NARROW}]
PAGES = [*RESULTS, "without_picture"]


@pytest.fixture(scope="module")
def page():
    return functools.cache(page_of)


def table(browser, label):
    """Return the frame of a table by its name."""
    return browser.find_element("css selector", f"[aria-label='Table: {label}']")


def head(browser, label, name):
    """Return the button in the head of a column."""
    button = f".//thead//button[normalize-space()='{name}']"
    (found,) = table(browser, label).find_elements("xpath", button)
    return found


def column(browser, label, number):
    """Return the words of a column, from the top."""
    cells = f"tbody tr > :nth-child({number})"
    return browser.execute_script(WORDS, table(browser, label), cells)


WORDS = """
return [...arguments[0].querySelectorAll(arguments[1])].map(cell => cell.innerText.trim());
"""


def tool(browser, label, name):
    """Return a button below a table."""
    tools = table(browser, label).find_element("xpath", "following-sibling::*[1]")
    return tools.find_element("xpath", f".//button[text()='{name}']")


def text_of(browser):
    return browser.execute_script("return document.querySelector('main').innerText")


def luminance(colour):
    """Return the relative luminance of WCAG 2 of a colour as CSS computes it."""
    channels = np.array([float(part) for part in colour.strip("rgba()").split(",")[:3]]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(first, second):
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


class TestEveryPage:
    @pytest.mark.parametrize("name", PAGES)
    def test_is_quiet_fits_a_phone_prints_tables_and_passes_axe(self, show, page, name, request):
        browser = show(page(name))
        pages.look(browser, width=pages.NARROW)
        assert pages.overflow(browser) == 0
        assert browser.find_elements("css selector", ".skcvstats-report h1")
        assert pages.requests(browser) == [browser.current_url]
        assert pages.console_messages(browser) == []
        assert browser.title.startswith("Evaluation report: ")
        self.check_in_print(browser)
        axe = request.getfixturevalue("axe")  # the last, as it skips what follows if it is missing
        for seen in LOOKS:
            pages.look(browser, **seen)
            assert axe(browser) == [], seen

    def check_in_print(self, browser):
        """Everything is on the paper, black on white."""
        pages.look(browser, scheme="dark", media="print", width=680)  # of a page of A4
        assert pages.overflow(browser) == 0
        assert browser.execute_script(HIDDEN) == []
        for selector in ("body", "td", "thead th"):
            assert computed(browser, selector, "color") == "rgb(0, 0, 0)"
        assert computed(browser, "body", "background-color") == "rgb(255, 255, 255)"
        assert not [one for one in browser.find_elements("css selector", ".tools") if one.text]
        assert pages.printed(browser).startswith(b"%PDF")


HIDDEN = """
return [...document.querySelectorAll(".frame")]
    .filter(frame => frame.scrollWidth > frame.clientWidth + 1
        || frame.scrollHeight > frame.clientHeight + 1)
    .map(frame => [frame.ariaLabel, frame.scrollWidth, frame.clientWidth]);
"""


def computed(browser, selector, what):
    script = "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]"
    return browser.execute_script(script, selector, what)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pictures_suit_the_scheme(show, page, scheme):
    browser = show(page("metrics"))
    pages.look(browser, scheme=scheme)
    ground = computed(browser, "body", "background-color")
    assert luminance(ground) == 1 if scheme == "light" else luminance(ground) < 0.02
    ink = computed(browser, "body", "color")
    drawn = browser.execute_script(DRAWN)
    assert ink in drawn
    assert ground in drawn  # hollow marks
    assert {"rgb(0, 0, 0)", "rgb(1, 1, 1)", "rgb(254, 254, 254)"}.isdisjoint(drawn)
    for colour in set(drawn) - {ground}:
        assert contrast(colour, ground) >= 3, colour
    assert contrast(ink, ground) >= 4.5


# The colours of all shapes except the grid, which is half transparent.
DRAWN = """
const found = new Set();
for (const shape of document.querySelectorAll("svg path, svg use")) {
    const style = getComputedStyle(shape);
    if (style.strokeOpacity !== "1" || shape.closest("defs")) continue;
    for (const colour of [style.fill, style.stroke])
        if (colour !== "none") found.add(colour);
}
return [...found];
"""


class TestSorting:
    @pytest.fixture
    def browser_and_result(self, show, page):
        return show(page("four")), four()

    def test_by_mouse(self, browser_and_result):
        browser, result = browser_and_result
        ranked = result.ranking()
        as_given = ranked["estimator"].tolist()
        assert column(browser, "Ranking", 1) == as_given
        score = head(browser, "Ranking", "score")
        for direction, ascending in (("ascending", True), ("descending", False)) * 2:
            score.click()
            marked = score.find_element("xpath", "..").get_attribute("aria-sort")
            assert marked == direction
            shown = column(browser, "Ranking", 1)
            found = ranked.set_index("estimator")["score"][shown].tolist()
            assert found == sorted(found, reverse=not ascending)
        said = [one.text for one in browser.find_elements("css selector", "[role=status]")]
        assert said == ["Sorted by score, descending.", ""]
        head(browser, "Ranking", "95 % interval").click()  # by its lower end
        by_low = ranked.sort_values("low", kind="stable")["estimator"].tolist()
        assert column(browser, "Ranking", 1) == by_low
        head(browser, "Ranking", "estimator").click()
        assert column(browser, "Ranking", 1) != as_given
        tool(browser, "Ranking", "Original order").click()
        assert column(browser, "Ranking", 1) == as_given
        assert not browser.find_elements("css selector", "[aria-sort]")

    def test_by_keyboard(self, browser_and_result):
        from selenium.webdriver import ActionChains, Keys

        browser, result = browser_and_result
        differences = result.to_frame(full=True)["difference"]
        for _ in range(40):
            ActionChains(browser).send_keys(Keys.TAB).perform()
            active = browser.switch_to.active_element
            if active.text == "difference":
                break
        for key, ascending in ((Keys.ENTER, True), (Keys.SPACE, False)):
            assert active == browser.switch_to.active_element
            active.send_keys(key)
            shown = [float(cell) for cell in column(browser, "Differences", 3)]
            expected = differences.sort_values(ascending=ascending).tolist()
            assert shown == pytest.approx(expected, rel=5e-3)

    def test_by_value_and_what_is_missing_last(self, browser_and_result):
        browser, result = browser_and_result
        frame = result.to_frame(full=True)
        known = frame[frame["note"].fillna("") == ""]
        assert len(known) == len(frame) - 1
        for ascending in (True, False):
            head(browser, "Differences", "adjusted p").click()
            *pvalues, last = column(browser, "Differences", 5)
            assert last == "-"
            ordered = known["pvalue_adjusted"].sort_values(ascending=ascending)
            shown = [float(cell.removeprefix("< ")) if cell[0] != "<" else 1e-5 for cell in pvalues]
            written = [1e-5 if p < 1e-4 else p for p in ordered]
            assert shown == pytest.approx(written, rel=5e-3)

    def test_names_by_the_numbers_in_them_and_equal_rows_stay(self, browser_and_result):
        browser, _ = browser_and_result
        head(browser, "Ranking", "estimator").click()
        assert column(browser, "Ranking", 1) == ["a", "b9", "b10", "c"]
        head(browser, "Ranking", "could be best").click()  # b9 alone is not
        assert column(browser, "Ranking", 1) == ["b9", "a", "b10", "c"]
        head(browser, "Ranking", "could be best").click()
        assert column(browser, "Ranking", 1) == ["a", "b10", "c", "b9"]


class TestCopying:
    def paste(self, browser):
        from selenium.webdriver import Keys

        pages.wait_until(browser, lambda browser: "Copied, with all digits." in text_of(browser))
        browser.execute_script(
            "document.querySelector('main').append("
            "Object.assign(document.createElement('textarea'), {id: 'paste'}))"
        )
        area = browser.find_element("id", "paste")
        area.send_keys(Keys.CONTROL, "v")
        return list(csv.reader(StringIO(area.get_property("value")), delimiter="\t"))

    def check(self, pasted, result):
        heads, *rows = pasted
        ends = ("95 % interval, low", "95 % interval, high")
        assert heads == ["estimator", "score", *ends, "could be best"]
        ranked = result.ranking()
        for k, name in enumerate(["score", "low", "high"], start=1):
            assert [float(row[k]) for row in rows] == ranked[name].tolist()
        assert [row[0] for row in rows] == ranked["estimator"].tolist()

    @pytest.mark.parametrize("clipboard", [True, False])
    def test_all_digits(self, show, page, clipboard):
        browser = show(page("four"))
        if not clipboard:
            browser.execute_script(NO_CLIPBOARD)
        tool(browser, "Ranking", "Copy table").click()
        self.check(self.paste(browser), four())
        assert len(browser.find_elements("tag name", "textarea")) == 1  # that of the test

    def test_as_it_is_sorted_and_nothing_where_something_is_missing(self, show, page):
        browser = show(page("four"))
        head(browser, "Differences", "difference").click()
        tool(browser, "Differences", "Copy table").click()
        heads, *rows = self.paste(browser)
        frame = four().to_frame(full=True).sort_values("difference")
        at = heads.index("difference")
        assert [float(row[at]) for row in rows] == frame["difference"].tolist()
        missing = [row for row in rows if row[heads.index("adjusted p")] == ""]
        assert len(missing) == 1
        assert {len(row) for row in rows} == {len(heads)}

    def test_where_the_browser_lets_nothing_copy(self, show, page):
        browser = show(page("four"))
        browser.execute_script(f"{NO_CLIPBOARD} document.execCommand = () => false;")
        tool(browser, "Ranking", "Copy table").click()
        pages.wait_until(browser, lambda browser: "press Ctrl+C" in text_of(browser))
        area = browser.find_element("tag name", "textarea")
        assert area == browser.switch_to.active_element
        text = area.get_property("value")
        assert browser.execute_script("return getSelection().toString()") == text
        self.check(list(csv.reader(StringIO(text), delimiter="\t")), four())

    def test_a_name_is_no_formula(self, show, page):
        browser = show(page("hostile"))
        tool(browser, "Ranking", "Copy table").click()
        names = [row[0] for row in self.paste(browser)[1:]]
        assert "'=HYPERLINK(1)" in names
        assert not [name for name in names if name[0] in "=+-@"]


NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', {value: undefined});"


class TestHostileNames:
    def test_are_text(self, show, page):
        browser = show(page("hostile"))
        assert not browser.title.startswith("taken")
        assert browser.execute_script("return document.scripts.length") == 1
        assert not browser.find_elements("tag name", "img")
        assert len(browser.find_elements("tag name", "h1")) == 1
        cells = table(browser, "Ranking").find_elements("css selector", "tbody th")
        shown = {cell.get_property("textContent") for cell in cells}
        *short, long = (name for name in HOSTILE if name.isascii())
        assert {*short, r"\u200bevil\u2060"} <= shown
        (cut,) = [name for name in shown if name.startswith("a_very")]  # its middle is left out
        first, last = cut.split("...")
        assert (long.startswith(first), long.endswith(last), len(cut)) == (True, True, 100)

    def test_only_the_page_s_own_script_may_run(self, show, page):
        browser = show(page("two"))
        browser.execute_script(
            "const script = document.createElement('script');"
            "script.textContent = \"document.title = 'taken'\"; document.body.append(script);"
        )
        assert browser.title != "taken"
        said = "Content Security Policy"
        pages.wait_until(browser, lambda it: said in "".join(pages.console_messages(it)))
        assert browser.title != "taken"


class TestFrames:
    def test_scroll_by_keyboard_on_a_phone_and_say_so(self, show, page):
        from selenium.webdriver import Keys

        browser = show(page("margin"))
        pages.look(browser, width=pages.NARROW)
        frame = table(browser, "Differences")
        assert frame.get_attribute("role") == "region"
        tools = frame.find_element("xpath", "following-sibling::*[1]")
        pages.wait_until(browser, lambda _: "Scroll sideways to see the rest." in tools.text)
        browser.execute_script("arguments[0].focus()", frame)
        assert frame == browser.switch_to.active_element
        for _ in range(3):
            frame.send_keys(Keys.ARROW_RIGHT)
        pages.wait_until(browser, lambda _: frame.get_property("scrollLeft") > 20)
        name = frame.find_element("css selector", "tbody .name")
        assert name.rect["x"] == frame.rect["x"]  # the names stay

    def test_are_no_stop_of_the_keyboard_where_all_is_seen(self, show, page):
        browser = show(page("two"))
        frames = browser.find_elements("css selector", ".frame")
        assert [frame.get_attribute("tabindex") for frame in frames] == ["-1", "-1"]
        assert "Scroll" not in text_of(browser)

    def test_a_picture_and_who_could_be_best_are_seen_whole_on_a_phone(self, show, page):
        browser = show(page("four"))
        pages.look(browser, width=pages.NARROW)
        frame = table(browser, "Ranking")
        assert "could be best" in frame.text.replace("\n", " ")
        assert frame.get_property("scrollWidth") <= frame.get_property("clientWidth")
        browser = show(page("metrics"))
        pages.look(browser, width=pages.NARROW)
        frames = browser.find_elements("css selector", "figure .frame")
        assert len(frames) == 2
        for frame in frames:
            assert frame.get_property("scrollWidth") == frame.get_property("clientWidth") > 300


def test_without_scripts_all_is_there(show, page, browser):
    pages.command(browser, "Emulation.setScriptExecutionDisabled", value=True)
    show(page("four"))
    assert not browser.find_elements("tag name", "button")
    assert len(browser.find_elements("css selector", "svg")) == 1
    assert column(browser, "Ranking", 1) == four().ranking()["estimator"].tolist()
    pages.look(browser, width=pages.NARROW)
    for frame in browser.find_elements("css selector", ".frame"):
        assert frame.get_attribute("tabindex") == "0"


def notebook(body, style=""):
    """Return a page as of a notebook."""
    return (
        "<!DOCTYPE html><html lang='en'><meta name='viewport' content='width=device-width'>"
        f"<title>A notebook</title><body style='{style}'><main><h1>A notebook</h1>{body}</main>"
    )


def test_a_result_in_a_notebook_is_no_wider_than_the_page(show, request):
    name = "AnEstimatorWithALongName" * 12
    scores = scores_of([name, "b"])
    found = (compare_scores(scores), CorrectedResampledTTest()(scores[name]))
    browser = show(notebook("".join(one._repr_html_() for one in found)))
    for width in (pages.WIDE, pages.NARROW):
        pages.look(browser, width=width)
        tables = browser.find_elements("css selector", "table")
        assert max(table.rect["width"] for table in tables) > pages.NARROW  # such a one scrolls
        assert pages.overflow(browser) == 0
    axe = request.getfixturevalue("axe")  # the last, as it skips what follows if it is missing
    assert axe(browser) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_part_of_a_page_takes_its_colours(show, axe, scheme):
    part = evaluation_report(four()).to_html(standalone=False)
    colours = {"light": "#222; background: #fff", "dark": "#eee; background: #111"}[scheme]
    style = f"color: {colours}; --jp-layout-color0: {colours.split(': ')[-1]}"
    browser = show(notebook(part, style))
    assert axe(browser) == []
    assert not browser.find_elements("tag name", "script")
    ink = computed(browser, "body", "color")
    assert ink in browser.execute_script(DRAWN)
    levels = [int(one.tag_name[1]) for one in browser.find_elements("css selector", "h1,h2,h3,h4")]
    assert levels.count(1) == 1
    assert all(later <= earlier + 1 for earlier, later in pairwise(levels))


@pytest.mark.parametrize("width", [pages.NARROW, pages.WIDE])
def test_facts_are_in_columns_in_a_notebook(show, width):
    """With the floats that Jupyter gives to lists of facts."""
    style = "<style>.output dt { float: left; width: 20%; } .output dd { float: left; }</style>"
    fragment = evaluation_report(RESULTS["four"]()).to_html(standalone=False)
    browser = show(f"{style}<main class='output'>{fragment}</main>")
    pages.look(browser, width=width)
    for term in browser.find_elements("css selector", "dt"):
        value = term.find_element("xpath", "following-sibling::dd[1]")
        below, beside = value.rect["y"] > term.rect["y"], value.rect["x"] > term.rect["x"]
        assert below != beside
        assert term.rect["width"] > 90
