"""The pages as a reader gets them; run after ``make book``."""

import re
from html.parser import HTMLParser
from urllib.parse import unquote

import numpy as np
import pytest
from publishing.browser import Browser, find_chromium

from pareto_core import _paths
from pareto_core.confidence.thresholds import (
    gamma_threshold,
    iterated_logarithm_threshold,
    mixture_threshold,
    stylised_threshold,
)

HTML = _paths.BUILD / "html"
PAGES = sorted(HTML.rglob("*.html"))
CONTENT = [page for page in PAGES if page.is_relative_to(HTML / "book")]

pytestmark = pytest.mark.skipif(not CONTENT, reason="the book has not been built: make book")


class Anatomy(HTMLParser):
    """Anchors, links and images of a page."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.images = set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.anchors.update(filter(None, (found.get("id"), found.get("name"))))
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if tag == "img":
            self.images.append(found)


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
    page = (HTML / "book" / "notation.html").read_text()
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


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    program = find_chromium()
    if program is None:
        pytest.skip("there is no Chromium on this machine")
    with Browser(program, tmp_path_factory.mktemp("browser")) as opened:
        yield opened


@pytest.mark.parametrize(
    ("width", "dark"), [(1400, False), (420, False), (1400, True), (420, True)]
)
@pytest.mark.parametrize("page", CONTENT, ids=lambda page: page.stem)
def test_page_opens_without_a_complaint(browser, page, width, dark):
    complaints, excess, cut_off, faint = browser.visit(page.as_uri(), width, dark)
    assert not complaints
    assert excess <= 0, f"the page is {excess} px wider than its window"
    assert not cut_off
    assert not faint


PLAY = (HTML / "book" / "chapters" / "price_of_proof.html").as_uri()
PLACES = [(0.1, 20, 3, 20_000), (0.5, 2, 1, 6), (1e-9, 100, 6, 10**8), (0.01, 7, 2, 693)]


@pytest.mark.parametrize("place", PLACES)
def test_the_figure_to_play_with_has_the_thresholds_of_the_package(browser, place):
    delta, n_arms, n_objectives, samples = place
    found = browser.ask(PLAY, f"window.paretoThresholds{place!r}")
    counts = np.full(n_arms, samples // n_arms)
    assert found == pytest.approx(
        {
            "stylised": stylised_threshold(samples, delta),
            "iterated_logarithm": iterated_logarithm_threshold(samples, delta),
            "mixture": mixture_threshold(counts, n_objectives, delta),
            "gamma": gamma_threshold(samples, n_arms, n_objectives, delta),
        },
        rel=1e-5,
    )


def test_the_figure_to_play_with_follows_its_sliders(browser):
    script = """(() => {
        const figure = document.querySelector(".play-thresholds");
        const nats = () => [...figure.querySelectorAll(".nats")].map((cell) => cell.textContent);
        const before = nats();
        const slider = figure.querySelector("[name=risk]");
        slider.value = 6;
        slider.dispatchEvent(new Event("input", {bubbles: true}));
        return [before, nats(), figure.querySelector("output").textContent];
    })()"""
    before, after, risk = browser.ask(PLAY, script)
    assert risk == "1e-6"
    expected = [stylised_threshold(20_000, delta) for delta in (0.1, 1e-6)]
    assert [before[0], after[0]] == [f"{each:.1f}" for each in expected]
