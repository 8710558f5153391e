"""A real browser for the tests of pages: headless Chromium, and axe for their accessibility.

``browser`` and ``axe`` skip a test with a reason where what they need is not installed.
"""

import os
import shutil
from pathlib import Path

import pytest

from .page import open_page, reset

CHROMIUM, DRIVER = (shutil.which(name) for name in ("chromium", "chromedriver"))
# axe.min.js of axe-core, which .ci/full fetches.
AXE = os.environ.get("SKCVSTATS_AXE", "")

# no-sandbox, as there is none for root
ARGUMENTS = (
    *("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"),
    *("--no-first-run", "--disable-background-networking", "--disable-component-update"),
    *("--disable-extensions", "--hide-scrollbars"),
)


def pytest_collection_modifyitems(items):
    for item in items:
        if item.nodeid.startswith("tests/browser/"):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """A selenium driver of headless Chromium, with its console and network logs."""
    selenium = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    if CHROMIUM is None or DRIVER is None:
        pytest.skip("chromium or chromedriver is not installed")
    options = selenium.ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in ARGUMENTS:
        options.add_argument(argument)
    options.add_argument(f"--user-data-dir={tmp_path_factory.mktemp('chromium')}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = selenium.Chrome(options=options, service=selenium.ChromeService(DRIVER))
    driver.set_script_timeout(300)
    yield driver
    driver.quit()


@pytest.fixture(autouse=True)
def _as_new(request):
    """Give each test a light, wide window with scripts; it opens its own page."""
    if "browser" in request.fixturenames:
        reset(request.getfixturevalue("browser"))


@pytest.fixture
def show(browser, tmp_path):
    """``show(html_or_path)``: open a page, given as text or as a file, without a server."""

    def show(page):
        if isinstance(page, str):
            path = tmp_path / "page.html"
            path.write_text(page, encoding="utf-8")
            page = path
        open_page(browser, page)
        return browser

    return show


@pytest.fixture(scope="session")
def axe():
    """``axe(browser)``: what WCAG 2 A and AA forbid in the page that is open, as axe sees it."""
    if not AXE or not Path(AXE).is_file():
        pytest.skip("axe-core is not installed: SKCVSTATS_AXE names no file")
    source = Path(AXE).read_text(encoding="utf-8")

    def violations(browser):
        if not browser.execute_script("return 'axe' in window"):
            browser.execute_script(source)
        found = browser.execute_async_script(RUN_AXE)
        return [
            f"{violation['id']}: {node['target']} {node['failureSummary']}"
            for violation in found
            for node in violation["nodes"]
        ]

    return violations


RUN_AXE = """
const done = arguments[arguments.length - 1];
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const options = {runOnly: tags, resultTypes: ["violations"]};
const failed = error => done([
    {id: "axe failed", nodes: [{target: [], failureSummary: String(error)}]}]);
const run = () => axe.run(document, options)
    .then(results => done(results.violations), failed);
// The page adapts itself to another width while a picture of it is made.
requestAnimationFrame(() => requestAnimationFrame(run));
"""
