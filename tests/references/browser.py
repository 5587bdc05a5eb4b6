"""Pages in a headless Chromium that Playwright steers, and what is wrong with them."""

import contextlib
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

PATIENCE = 60_000  # milliseconds for a page to load
HEIGHT = 900  # of a window
FAULTS = (Path(__file__).parent / "page_faults.js").read_text(encoding="utf-8")


def _expression(name):
    """Expression whose value is that of a function in `page_faults.js`."""
    return f"(() => {{{FAULTS}; return {name}();}})()"


CUT_OFF, DRAWN, FAINT, SETTLED, UNREADABLE = map(
    _expression, ("cutOff", "drawn", "faint", "settled", "unreadable")
)
UNFOLD = "for (const each of document.querySelectorAll('details.folded')) each.open = true"
FORMULAS = "**/mathjax/**"  # scripts that set them, which takes half of the time of a page
FORMULAS_SET = "window.MathJax?.startup?.promise.then(() => null) ?? null"


def find_chromium():
    """Path of a Chromium or Chrome, or None."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return shutil.which(name)
    return None


@contextlib.contextmanager
def open_browser():
    """Yield a `Browser`, or skip the test on a machine without Chromium.

    While it is open no other event loop can run in its thread: it must not outlive a test module.
    """
    program = find_chromium()
    if program is None:
        pytest.skip("there is no Chromium on this machine")
    with sync_playwright() as playwright:
        with playwright.chromium.launch(executable_path=program) as chromium:
            yield Browser(chromium)


class Browser:
    """A running Chromium."""

    def __init__(self, chromium):
        self._chromium = chromium

    @contextlib.contextmanager
    def page(self, address, *, scripts=True, formulas=False, window=(1400, False), complaints=None):
        """Yield a page, which is closed in the end.

        ``window`` is its width, and whether its colours are dark. Formulas stay as they are
        written unless they are to be set; what the page complains of is appended.
        """
        context = self._chromium.new_context(
            java_script_enabled=scripts, offline=address.startswith("file:")
        )
        with context, context.new_page() as page:
            show(page, *window)
            if not formulas:
                page.route(FORMULAS, lambda route: route.fulfill(body=""))
            if complaints is not None:
                listen(page, complaints)
            page.goto(address, timeout=PATIENCE)
            yield page

    def ask(self, address, expression, scripts=True):
        """Open a page, with its scripts or without, and return the value of an expression in it."""
        with self.page(address, scripts=scripts) as page:
            return page.evaluate(expression)

    def visit(self, address, windows, audit="null"):
        """What a page complains of, its `faults` in all windows, and the value of ``audit``.

        What is folded is opened. The audit is evaluated in the last window; it may change the page.
        """
        complaints = []
        first = {"window": windows[0], "complaints": complaints}
        with self.page(address, formulas=True, **first) as page:
            page.evaluate(UNFOLD)
            page.evaluate(FORMULAS_SET)
            wrong = [fault for window in windows for fault in faults(page, *window)]
            said = complaints.copy()
            return said, wrong, page.evaluate(audit)


def listen(page, complaints):
    """Append errors, failed assertions and failed requests of a page to a list."""

    def hear(message):
        if message.type in ("error", "assert"):
            complaints.append(message.text)

    page.on("console", hear)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("requestfailed", lambda request: complaints.append(f"{request.url}: {request.failure}"))


def show(page, width, dark):
    """Give the window a width, and tell the page which colours its reader prefers."""
    page.set_viewport_size({"width": width, "height": HEIGHT})
    page.emulate_media(color_scheme="dark" if dark else "light")


def faults(page, width, dark):
    """What is too wide for a window, cut off in it, too faint, or in other colours."""
    show(page, width, dark)
    page.evaluate(DRAWN)
    root = "document.documentElement"
    window = f"{width} {'dark' if dark else 'light'}"
    excess = page.evaluate(f"{root}.scrollWidth - {root}.clientWidth")
    found = [f"{window}: the page is {excess} px too wide"] if excess > 0 else []
    found += [f"{window}: cut off: {text}" for text in page.evaluate(CUT_OFF)]
    page.evaluate(SETTLED)
    found += [f"{window}: faint: {text}" for text in page.evaluate(FAINT)]
    if not window.endswith(page.evaluate(f"{root}.dataset.theme")):
        found.append(f"{window}: in other colours")
    return found


def swipe(page, start, right, up):
    """Draw a finger from a point of the window to the right and up, by a number of pixels."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": True})

    def touch(kind, *points):
        points = [{"x": x, "y": y} for x, y in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", start)
    for part in (0.25, 0.5, 0.75, 1.0):
        touch("touchMove", (start[0] + part * right, start[1] - part * up))
    touch("touchEnd")
