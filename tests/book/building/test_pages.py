"""The pages as a reader gets them; run after ``make book``."""

import re
from html.parser import HTMLParser
from urllib.parse import unquote

import pytest
from references.axe import audit
from references.browser import FAINT, UNREADABLE, open_browser

from pareto_book import paths

HTML = paths.BUILD / "html"
PAGES = sorted(HTML.rglob("*.html"))
CONTENT = [page for page in PAGES if page.is_relative_to(HTML / "book")]
HEAVIEST = 2_000_000  # bytes of a page
# A narrow window has a different layout, and night different colours.
WINDOWS = [(1400, False), (420, False), (1400, True)]
BOTH_AT_ONCE = pytest.param([(420, True)], id="narrow, and at night", marks=pytest.mark.thorough)
# Without scripts: what cannot be read, figures to play with that show neither a table nor a
# picture, captions that are not seen, and links in a text that only a colour tells from it.
LOST = f"""[{UNREADABLE}, {FAINT},
    [...document.querySelectorAll("[class^=play-]")].filter((figure) =>
        ![...figure.querySelectorAll("table, img, svg")].some((still) => still.checkVisibility())
    ).map((figure) => figure.className),
    [...document.querySelectorAll("figcaption")].filter((caption) =>
        !caption.closest("details") && !caption.checkVisibility()).length,
    [...document.querySelectorAll(".bd-article :is(p, li, dd) a[href]:not(.headerlink)")].filter(
        (link) => link.checkVisibility() && !link.closest(".sig")
            && !getComputedStyle(link).textDecorationLine.includes("underline")
    ).map((link) => link.outerHTML)]"""

pytestmark = [
    pytest.mark.built,
    pytest.mark.skipif(not CONTENT, reason="the book has not been built: make book"),
]
each_page = pytest.mark.parametrize("page", CONTENT, ids=lambda page: page.stem)


class Anatomy(HTMLParser):
    """Anchors and links of a page."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links = set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.anchors.update(filter(None, (found.get("id"), found.get("name"))))
        if tag == "a" and "href" in found:
            self.links.append(found["href"])


def test_internal_links_lead_somewhere():
    anatomy = {page.resolve(): Anatomy(page.read_text(encoding="utf-8")) for page in PAGES}
    broken = []
    for page, parts in anatomy.items():
        for link in parts.links:
            if re.match(r"[a-z]+:", link) or link == "#":
                continue
            path, _, anchor = unquote(link).partition("#")
            target = (page.parent / path).resolve() if path else page
            found = target.exists() and (
                not anchor or target not in anatomy or anchor in anatomy[target].anchors
            )
            if not found:
                broken.append(f"{page.relative_to(HTML.resolve())}: {link}")
    assert not broken


def test_pages_are_light_and_load_nothing_from_elsewhere():
    tag = re.compile(r"<(?:script|img|iframe|source|video|audio|link)\b[^>]*>", re.I)
    elsewhere = re.compile(r"""(?:src|href)\s*=\s*["']?(?:https?:)?//""", re.I)
    for page in PAGES:
        assert page.stat().st_size <= HEAVIEST, page
        loaded = [text for text in tag.findall(page.read_text()) if elsewhere.search(text)]
        assert not loaded, f"{page.relative_to(HTML)} loads {loaded}"
    styles = "".join(path.read_text() for path in HTML.rglob("*.css"))
    assert not re.search(r"""(?:@import|url\()\s*["']?(?:https?:)?//""", styles)


@pytest.fixture(scope="module")
def browser():
    with open_browser() as opened:
        yield opened


@pytest.mark.slow
@each_page
@pytest.mark.parametrize("windows", [pytest.param(WINDOWS, id="usual"), BOTH_AT_ONCE])
def test_page_opens_without_a_complaint(browser, page, windows):
    complaints, wrong, barriers = browser.visit(page.as_uri(), windows, audit())
    assert not complaints
    assert not wrong
    assert not barriers


@pytest.mark.slow
@each_page
def test_page_is_readable_without_scripts(browser, page):
    assert browser.ask(page.as_uri(), LOST, scripts=False) == [[], [], [], 0, []]


def test_what_was_opened_for_the_printer_is_folded_again(browser):
    script = """(() => {
        const folded = () => document.querySelectorAll(".bd-article details:not([open])").length;
        const before = folded();
        for (let k = 0; k < 2; k++) window.dispatchEvent(new Event("beforeprint"));
        const printed = folded();
        window.dispatchEvent(new Event("afterprint"));
        return [before, printed, folded()];
    })()"""
    address = (HTML / "book" / "chapters" / "auer2016.html").as_uri()
    before, printed, after = browser.ask(address, script)
    assert before == after > printed == 0
