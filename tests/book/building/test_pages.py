"""The pages as a reader gets them; run after ``make book``."""

import re
from collections import Counter
from html.parser import HTMLParser
from urllib.parse import unquote

import pytest
from references.axe import audit
from references.browser import FAINT, UNREADABLE, open_browser

from pareto_book import paths

HEAVIEST = 2_000_000  # bytes of a page with what it alone shows
HTML = paths.BUILD / "html"
PAGES = sorted(HTML.rglob("*.html"))
CONTENT = [page for page in PAGES if page.is_relative_to(HTML / "book")]
# Figures to play with that show neither a table nor a picture.
EMPTY_PLAY = """[...document.querySelectorAll("[class^=play-]")].filter((figure) =>
    ![...figure.querySelectorAll("table, img, svg")].some((still) => still.checkVisibility())
).map((figure) => figure.className)"""

pytestmark = [
    pytest.mark.built,
    pytest.mark.skipif(not CONTENT, reason="the book has not been built: make book"),
]


class Anatomy(HTMLParser):
    """Anchors, links, images and loaded files of a page."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.images, self.loaded = set(), [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.anchors.update(filter(None, (found.get("id"), found.get("name"))))
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if tag == "img":
            self.images.append(found)
        if tag in ("img", "script") or (tag == "link" and "stylesheet" in found["rel"]):
            self.loaded.add(found.get("src") or found.get("href") or "")


@pytest.fixture(scope="module")
def anatomy():
    return {page.resolve(): Anatomy(page.read_text(encoding="utf-8")) for page in PAGES}


def test_pages_load_nothing_from_elsewhere():
    tag = re.compile(r"<(?:script|img|iframe|source|video|audio|link)\b[^>]*>", re.I)
    elsewhere = re.compile(r"""(?:src|href)\s*=\s*["']?(?:https?:)?//""", re.I)
    for page in PAGES:
        loaded = [text for text in tag.findall(page.read_text()) if elsewhere.search(text)]
        assert not loaded, f"{page.relative_to(HTML)} loads {loaded}"
    styles = "".join(path.read_text() for path in HTML.rglob("*.css"))
    assert not re.search(r"""(?:@import|url\()\s*["']?(?:https?:)?//""", styles)


def test_pages_bring_their_mathematics():
    page = (HTML / "book" / "how_to_read.html").read_text()
    script = re.search(r'src="\.\./(_static/mathjax/[^"?]+)', page)
    assert (HTML / script[1]).stat().st_size > 1_000_000
    fonts = (HTML / script[1]).parent / "output" / "chtml" / "fonts" / "woff-v2"
    assert len(list(fonts.glob("*.woff"))) > 20


def test_internal_links_lead_somewhere(anatomy):
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


def test_every_image_has_alternative_text(anatomy):
    for page, parts in anatomy.items():
        for image in parts.images:
            text = image.get("alt", "").strip()
            assert text, f"{page.name}: {image.get('src')}"
            assert not re.search(r"\.(png|svg)$", text), f"{page.name}: {text} is a file name"


def test_no_page_is_heavy(anatomy):
    loaded = {
        page: {
            (page.parent / unquote(name).partition("?")[0]).resolve()
            for name in parts.loaded
            if not name.startswith("data:")
        }
        for page, parts in anatomy.items()
    }
    users = Counter(file for files in loaded.values() for file in files)
    for page, files in loaded.items():
        own = [page, *(file for file in files if users[file] == 1 and file.is_file())]
        weight = sum(file.stat().st_size for file in own)
        assert weight <= HEAVIEST, f"{page.name} has {weight / 1e6:.1f} MB"


@pytest.fixture(scope="module")
def browser():
    with open_browser() as opened:
        yield opened


# A narrow window has a different layout, and night different colours; both at once only by the long
# version.
WINDOWS = [(1400, False), (420, False), (1400, True)]


@pytest.mark.slow
@pytest.mark.parametrize("page", CONTENT, ids=lambda page: page.stem)
@pytest.mark.parametrize(
    "windows",
    [
        pytest.param(WINDOWS, id="usual"),
        pytest.param([(420, True)], id="narrow, and at night", marks=pytest.mark.thorough),
    ],
)
def test_page_opens_without_a_complaint(browser, page, windows):
    complaints, wrong, barriers = browser.visit(page.as_uri(), windows, audit())
    assert not complaints
    assert not wrong
    assert not barriers


@pytest.mark.slow
@pytest.mark.parametrize("page", CONTENT, ids=lambda page: page.stem)
def test_page_is_readable_without_scripts(browser, page):
    lost, faint, empty = browser.ask(
        page.as_uri(), f"[{UNREADABLE}, {FAINT}, {EMPTY_PLAY}]", scripts=False
    )
    assert not lost
    assert not faint
    assert not empty


CHAPTER = (HTML / "book" / "chapters" / "auer2016.html").as_uri()


def test_what_was_opened_for_the_printer_is_folded_again(browser):
    script = """(() => {
        const folded = () => document.querySelectorAll(".bd-article details:not([open])").length;
        const before = folded();
        for (let k = 0; k < 2; k++) window.dispatchEvent(new Event("beforeprint"));
        const printed = folded();
        window.dispatchEvent(new Event("afterprint"));
        return [before, printed, folded()];
    })()"""
    before, printed, after = browser.ask(CHAPTER, script)
    assert before == after > printed == 0


HIDDEN_CAPTIONS = """[...document.querySelectorAll("figcaption")].filter((caption) =>
    !caption.closest("details") && !caption.checkVisibility()).length"""


def test_captions_of_figures_are_seen(browser):
    address = (HTML / "book" / "chapters" / "problem.html").as_uri()
    with browser.page(address) as page:
        assert page.locator("figcaption").count() >= 8
        assert page.evaluate(HIDDEN_CAPTIONS) == 0
