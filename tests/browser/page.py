"""Helpers for pages in the browser: other views of them, and their logs."""

import json
import threading
from base64 import b64decode
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

WIDE = 1200
NARROW = 400


def open_page(browser, path):
    """Open a file as a page, with logs that begin there."""
    for log in ("browser", "performance"):
        browser.get_log(log)
    browser.get(Path(path).absolute().as_uri())


@contextmanager
def served(folder):
    """Serve the files of a folder; yield the address, and the paths that are asked for."""
    asked = []

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, *arguments):
            asked.append(self.path)

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=folder)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", asked
        server.shutdown()


def reset(browser):
    """Set a light, wide window with scripts."""
    look(browser)
    command(browser, "Emulation.setScriptExecutionDisabled", value=False)


def leave(browser):
    """Leave the page that is open, with its logs."""
    browser.get("about:blank")
    for log in ("browser", "performance"):
        browser.get_log(log)


def look(browser, *, scheme="light", width=WIDE, media=""):
    """Look at pages in a colour scheme, at a width in CSS pixels, on screen or in print."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    command(browser, "Emulation.setEmulatedMedia", media=media, features=features)
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    command(browser, "Emulation.setDeviceMetricsOverride", **size)


def command(browser, name, **parameters):
    """Send a command of Chromium's own protocol."""
    return browser.execute_cdp_cmd(name, parameters)


def wait_until(browser, condition):
    """Wait until ``condition(browser)`` holds, and return what it returned."""
    from selenium.webdriver.support.ui import WebDriverWait

    return WebDriverWait(browser, 120).until(condition)


def console_messages(browser):
    """Return all messages in the console since the page was opened."""
    return [entry["message"] for entry in browser.get_log("browser")]


def requests(browser):
    """Return the addresses that were requested since the page was opened, including its own."""
    entries = (json.loads(entry["message"])["message"] for entry in browser.get_log("performance"))
    return [
        entry["params"]["request"]["url"]
        for entry in entries
        if entry["method"] == "Network.requestWillBeSent"
    ]


def printed(browser):
    """Return the page as a PDF."""
    options = {"preferCSSPageSize": True, "printBackground": True}
    return b64decode(command(browser, "Page.printToPDF", **options)["data"])


def overflow(browser):
    """Return by how many CSS pixels the page is wider than the window."""
    script = "const page = document.documentElement; return page.scrollWidth - page.clientWidth;"
    return browser.execute_script(script)
