"""What the tests of the pages rely on: a browser finds what is wrong with a page."""

import os
import re
import subprocess
import sys

import pytest
from references.browser import UNREADABLE, open_browser

from pareto_book import paths

pytestmark = pytest.mark.slow

WINDOWS = [(400, False), (1400, True)]
FAULTLESS = '<article class="bd-article"><h1>Title</h1><p>Text</p></article>'
FAULTY = """
<article class="bd-article" style="width: 500px">
  <h1 style="visibility: hidden">Hidden title</h1>
  <p style="color: #aaa">Pale text</p>
  <p style="width: 50px; overflow: hidden; white-space: nowrap">Text that has no room</p>
  <img src="http://192.0.2.1/picture.png" alt="">
  <img src="missing.png" alt="">
  <script>
    console.error("a message of", "the page");
    console.log("no complaint");
    throw new Error("not caught");
  </script>
</article>
"""
FOLLOWS = """<script>
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const follow = () => document.documentElement.dataset.theme = dark.matches ? "dark" : "light";
    dark.addEventListener("change", follow);
    follow();
</script>"""


@pytest.fixture(scope="module")
def browser():
    with open_browser() as opened:
        yield opened


@pytest.fixture
def address(tmp_path):
    """A function that writes a page and returns its address."""

    def write(body):
        path = tmp_path / "page.html"
        path.write_text(f'<!DOCTYPE html><html data-theme="light"><body>{body}', encoding="utf-8")
        return path.as_uri()

    return write


def test_a_page_without_faults_has_none(browser, address):
    assert browser.visit(address(FAULTLESS + FOLLOWS), WINDOWS, "6 * 7") == ([], [], 42)


def test_a_page_complains_of_errors_and_failed_requests(browser, address):
    complaints, _, _ = browser.visit(address(FAULTY), WINDOWS)
    everything = "\n".join(complaints)
    assert "a message of the page" in everything
    assert "not caught" in everything
    assert "missing.png: net::ERR_FILE_NOT_FOUND" in everything
    assert "picture.png: net::ERR_INTERNET_DISCONNECTED" in everything
    assert "no complaint" not in everything


def test_faults_are_found_in_each_window(browser, address):
    _, wrong, _ = browser.visit(address(FAULTY), WINDOWS)
    assert "1400 dark: in other colours" in wrong
    assert re.search(r"^400 light: the page is \d+ px too wide$", "\n".join(wrong), re.M)
    for window in ("400 light", "1400 dark"):
        assert f"{window}: faint: Pale text" in wrong
        assert f"{window}: cut off: Text that has no room" in wrong


def test_a_page_can_be_read_without_its_scripts(browser, address):
    changed = FAULTLESS + "<script>document.querySelector('h1').hidden = true;</script>"
    assert browser.ask(address(changed), UNREADABLE) == ["Title"]
    assert browser.ask(address(changed), UNREADABLE, scripts=False) == []


def test_without_a_browser_the_end_says_what_was_not_tested(tmp_path):
    test = f"{__file__}::test_a_page_without_faults_has_none"
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--numprocesses", "1", test],
        cwd=paths.ROOT,
        env={**os.environ, "PATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout
    told = "because there is no Chromium: 1 in tests/book/building/test_browser.py"
    assert told in run.stdout
