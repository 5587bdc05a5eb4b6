"""The pages as a reader gets them; run after ``make book``."""

import json
import re
from collections import Counter
from html.parser import HTMLParser
from urllib.parse import unquote

import numpy as np
import pandas as pd
import pytest
from references.axe import audit
from references.browser import FAINT, UNREADABLE, open_browser, swipe

import pareto_core as pc
from pareto_book import paths
from pareto_book.claims.claims import chapters_with_claims
from pareto_core.confidence.thresholds import (
    gamma_threshold,
    iterated_logarithm_threshold,
    mixture_threshold,
    stylised_threshold,
)
from pareto_core.geometry.partition import constrained_pareto_set, valid_partitions

HEAVIEST = 2_000_000  # bytes of a page with what it alone shows
HTML = paths.BUILD / "html"
PAGES = sorted(HTML.rglob("*.html"))
CONTENT = [page for page in PAGES if page.is_relative_to(HTML / "book")]
CHAPTERS = [page for page in CONTENT if page.parent.name == "chapters"]
FIGURED = [page for page in CHAPTERS if "<figure" in page.read_text()]
CLAIMING = [page for page in CHAPTERS if page.stem in {*chapters_with_claims(), "scorecard"}]
# Figures to play with that show neither a table nor a picture.
EMPTY_PLAY = """[...document.querySelectorAll("[class^=play-]")].filter((figure) =>
    ![...figure.querySelectorAll("table, img, svg")].some((still) => still.checkVisibility())
).map((figure) => figure.className)"""

pytestmark = pytest.mark.skipif(not CONTENT, reason="the book has not been built: make book")


class Anatomy(HTMLParser):
    """Anchors, links, images, properties and loaded files of a page."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.images, self.loaded = set(), [], [], set()
        self.properties = {}
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.anchors.update(filter(None, (found.get("id"), found.get("name"))))
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if tag == "img":
            self.images.append(found)
        if tag == "meta":
            self.properties[found.get("name") or found.get("property")] = found.get("content")
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


@pytest.mark.parametrize("page", FIGURED, ids=lambda page: page.stem)
def test_every_figure_of_a_chapter_can_be_saved(page):
    figures = re.findall(r"<figure.*?</figure>", page.read_text(), re.S)
    saved = [figure for figure in figures if 'class="play-' not in figure]
    assert saved
    for figure in saved:
        files = [page.parent / link for link in re.findall(r'download="" href="([^"]+)"', figure)]
        assert [file.suffix for file in files] == [".svg", ".png"], figure
        assert files[0].stem == files[1].stem
        assert b"<svg" in files[0].read_bytes()
        assert files[1].read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("page", CLAIMING, ids=lambda page: page.stem)
def test_claims_of_a_page_can_be_saved(page):
    text = page.read_text()
    (link,) = re.findall(r'href="([^"]+\.csv)"', text)
    table = pd.read_csv(page.parent / link)
    saved = dict(zip(table["paper"] + "-" + table["id"], table["verdict"], strict=True))
    body = r'<tbody id="([^"]+)".*?<span class="verdict \w+">([^<]+)<'
    shown = dict(re.findall(body, text, re.S))
    assert shown
    assert {name: saved[name] for name in shown} == shown
    assert table["measured"].notna().all()
    if page.stem == "scorecard":
        assert saved.keys() == shown.keys()


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


@pytest.mark.parametrize("page", CONTENT, ids=lambda page: page.stem)
def test_page_describes_itself(anatomy, page):
    said = anatomy[page.resolve()].properties
    assert 40 <= len(said["description"]) <= 200
    assert said["og:description"] == said["description"]
    assert said["og:title"]
    published = (HTML / "sitemap.xml").exists()
    assert {"og:url", "og:image"} & said.keys() == ({"og:url", "og:image"} if published else set())
    icon = re.search(r'<link rel="icon" href="([^"]+)"', page.read_text())
    assert (page.parent / icon[1]).is_file()


@pytest.fixture(scope="module")
def browser():
    with open_browser() as opened:
        yield opened


# A narrow window has a different layout, and night different colours. By default each page is shown
# in either, and in both at once only by the long version.
WINDOWS = {"wide": [(1400, False)], "narrow, and at night": [(420, False), (1400, True)]}
ALL_WINDOWS = [*WINDOWS["narrow, and at night"], (420, True)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "windows",
    [*WINDOWS.values(), pytest.param(ALL_WINDOWS, marks=pytest.mark.thorough)],
    ids=[*WINDOWS, "all"],
)
@pytest.mark.parametrize("page", CONTENT, ids=lambda page: page.stem)
def test_page_opens_without_a_complaint(browser, page, windows):
    _, dark = windows[-1]
    complaints, wrong, barriers = browser.visit(page.as_uri(), windows, audit(dark))
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


def test_a_link_into_what_is_folded_opens_it(browser):
    row = "auer2016-fig2_precision"
    shown = f"document.getElementById('{row}').checkVisibility()"
    with browser.page(CHAPTER) as page:
        assert not page.evaluate(shown)
        page.evaluate(f"location.hash = '{row}'")
        page.wait_for_function(shown)
    assert browser.ask(f"{CHAPTER}#{row}", shown)


def test_a_term_shows_its_definition_while_it_has_the_focus(browser):
    with browser.page(CHAPTER) as page:
        link = page.locator("a.defined", has_text="accuracy").first
        bubble = page.locator("#definition")
        assert not bubble.is_visible()
        link.focus()
        assert bubble.inner_text().startswith("A difference ε between means")
        assert link.get_attribute("aria-describedby") == "definition"
        page.keyboard.press("Escape")
        assert not bubble.is_visible()


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
        const after = nats();
        const shown = [...figure.querySelectorAll(".controls label")].map(
            (label) => label.textContent.trim()
        );
        const spoken = slider.getAttribute("aria-valuetext");
        slider.value = 2.6;
        slider.dispatchEvent(new Event("input", {bubbles: true}));
        return [before, after, shown, spoken, figure.querySelector("output").textContent];
    })()"""
    before, after, shown, spoken, later = browser.ask(PLAY, script)
    assert shown == [
        "risk δ 10⁻⁶",
        "arms K 20",
        "objectives d 3",
        "samples of each arm 1,000",
    ]
    assert (spoken, later) == ("10⁻⁶", "0.0025")
    expected = [stylised_threshold(20_000, delta) for delta in (0.1, 1e-6)]
    assert [before[0], after[0]] == [f"{each:.1f}" for each in expected]


FRONT = HTML / "book" / "chapters" / "intro.html"
AUER, CREPON, LINEAR, CONSTRAINED = (
    (HTML / "book" / "chapters" / f"{name}.html").as_uri()
    for name in ("auer2016", "crepon2024", "kone2025linear", "kone2025constrained")
)


def on_the_grid(n_states, n_arms, width, height, step):
    """Random arms where a reader can put them; every other time in two rows, with many ties."""
    rng = np.random.default_rng(0)
    for number in range(n_states):
        x, y = rng.integers(0, width, n_arms), rng.integers(0, height, n_arms)
        if number % 2:
            y = height // 2 + y % 2
        yield np.column_stack([x, y]) / step, rng.integers(1, 20, n_arms)


def test_the_cheapest_alternative_in_the_page_is_that_of_the_package(browser):
    states = [
        (means.tolist(), (counts / counts.sum()).tolist())
        for means, counts in on_the_grid(40, 5, 140, 120, 20)
    ]
    script = f"{json.dumps(states)}.map((state) => window.paretoAlternative(...state))"
    every = browser.ask(CREPON, script)
    for (means, weights), found in zip(states, every, strict=True):
        expected = pc.transport_cost(means, weights)
        moved = np.square(np.subtract(means, found["alternative"])).sum(axis=1)
        assert found["optimal"] == pc.pareto_set(means).tolist()
        assert found["value"] == pytest.approx(expected.value, rel=1e-9, abs=1e-15)
        assert moved @ weights / 2 == pytest.approx(expected.value, rel=1e-9, abs=1e-15)
    for found, (means, weights) in list(zip(every, states, strict=True))[::2]:  # without ties
        alternative = pc.transport_cost(means, weights).alternative
        np.testing.assert_allclose(found["alternative"], alternative, atol=1e-12)
    assert {found["kind"] for found in every} == {"removal", "addition"}


@pytest.mark.parametrize(("page", "definition", "factor"), [(LINEAR, "kone", 1), (AUER, "auer", 2)])
def test_the_gaps_in_the_page_are_those_of_the_package(browser, page, definition, factor):
    states = [means.tolist() for means, _ in on_the_grid(40, 5, 80, 40, 20)]
    script = f"{json.dumps(states)}.map((means) => window.paretoGaps(means, {factor}))"
    every = browser.ask(page, script)
    for means, found in zip(map(np.array, states), every, strict=True):
        gaps = pc.gaps(means, definition)
        assert found["optimal"] == pc.pareto_set(means).tolist()
        assert [each["gap"] for each in found["gaps"]] == pytest.approx(gaps, abs=1e-12)
        for gap, each in zip(gaps, found["gaps"], strict=True):  # and they come from what it says
            a, b = each["pair"]
            lead = (means[a] - means[b]).max()
            said = {"m": -lead, "M": lead, "M+": max(lead, 0) + factor * gaps[a]}[each["kind"]]
            assert said == pytest.approx(gap, abs=1e-12)
    kinds = {each["kind"] for found in every for each in found["gaps"]}
    assert kinds == {"m", "M", "M+"}


def test_what_arms_are_called_in_the_page_is_right(browser):
    limits = ([35, 40, 150], [0, 50, 120], [60, 20, 130], [20, 0, 220])
    states = [
        (means.tolist(), limits[number % 4])
        for number, (means, _) in enumerate(on_the_grid(40, 7, 121, 101, 1))
    ]
    script = f"{json.dumps(states)}.map((state) => window.paretoFeasible(...state))"
    for (means, (first, second, total)), found in zip(
        states, browser.ask(CONSTRAINED, script), strict=True
    ):
        region = pc.Polyhedron([[-1, 0], [0, -1], [1, 1]], [-first, -second, total])
        assert found["feasible"] == np.flatnonzero(region.contains(means)).tolist()
        assert found["optimal"] == constrained_pareto_set(means, region).tolist()
        most_dominated = valid_partitions(means, region)[-1]
        assert found["dominated"] == most_dominated.dominated.tolist()


HIDDEN_CAPTIONS = """[...document.querySelectorAll("figcaption")].filter((caption) =>
    !caption.closest("details") && !caption.checkVisibility()).length"""


@pytest.mark.parametrize("dark", [False, True], ids=["day", "night"])
def test_captions_of_figures_are_seen(browser, dark):
    address = (FRONT.parent / "problem.html").as_uri()
    with browser.page(address, window=(1400, dark)) as page:
        assert page.locator("figcaption").count() > 8
        assert page.evaluate(HIDDEN_CAPTIONS) == 0


# What a reader does, and what the figure shows then.
HANDS = """
const figure = document.querySelector(".play-arms");
const arm = (k) => figure.querySelectorAll(".arm")[k];
const press = (k, key, shiftKey) => arm(k).dispatchEvent(
    new KeyboardEvent("keydown", {key, shiftKey, bubbles: true, cancelable: true}));
const slide = (k, value) => {
    const slider = figure.querySelectorAll("input")[k];
    slider.value = value;
    slider.dispatchEvent(new Event("input", {bubbles: true}));
};
const rows = () => [...figure.querySelectorAll("tbody tr")];
const column = (c) => rows().map((row) => row.cells[c].textContent);
const said = () => figure.querySelector("p").textContent;
"""


def test_keys_move_an_arm_and_sliders_change_its_weight(browser):
    script = """(() => {
        %s
        const pictures = figure.querySelectorAll("img").length;
        const before = said();
        for (let k = 0; k < 4; k++) press(4, "ArrowUp", true);
        press(4, "ArrowRight", false);
        slide(4, 20);
        const [after, places, costs] = [said(), column(1), column(4)];
        figure.querySelector("button").click();
        return [pictures, before, after, places, costs, said()];
    })()"""
    pictures, before, after, places, costs, again = browser.ask(CREPON, script % HANDS)
    means = [tuple(map(float, place.strip("()").split(", "))) for place in places]
    start = [*means[:4], (1.6, 1.8)]
    assert means[4] == (1.7, 3.8)
    weights = np.array([10, 10, 10, 10, 20]) / 60
    found = pc.transport_cost(means, weights)
    first = pc.transport_cost(start, np.full(5, 0.2))
    assert pictures == 0
    assert before == again
    assert before.endswith(f"puts arm 0 below arm 1 and costs {first.value:.4f}.")
    assert after.endswith(f"frees arm 4 and costs {found.value:.4f}.")
    parts = weights * found.gradient
    assert costs == [f"{each:.4f}" if each > 0 else "" for each in parts]


def test_an_arm_follows_a_finger_until_it_is_lifted(browser):
    script = """(() => {
        %s
        figure.scrollIntoView();
        const centre = (k) => {
            const box = arm(k).querySelector(".symbol").getBoundingClientRect();
            return [box.left + box.width / 2, box.top + box.height / 2];
        };
        return [centre(3), (centre(1)[0] - centre(0)[0]) / (3.8 - 2.2), scrollY];
    })()"""
    with browser.page(LINEAR) as page:
        start, unit, scrolled = page.evaluate(script % HANDS)
        swipe(page, start, 0.5 * unit, 0.7 * unit)
        script = "(() => {%s return [column(1), column(3), said(), scrollY];})()"
        places, gaps, said, scrolled_then = page.evaluate(script % HANDS)
    means = np.array([tuple(map(float, place.strip("()").split(", "))) for place in places])
    assert scrolled_then == scrolled
    assert means[:3].tolist() == [[2.2, 2.6], [3.8, 2.2], [1.5, 1.7]]
    np.testing.assert_allclose(means[3], [3.6, 2.1], atol=0.051)
    assert gaps == [f"{gap:.2f}" for gap in pc.gaps(means)]
    assert said.startswith("Pareto set: j, k.")


def test_the_front_page_lists_every_page_with_a_figure_that_moves():
    section = re.search(r'<section id="figures-that-move">.*?</section>', FRONT.read_text(), re.S)
    listed = set(re.findall(r'href="([\w.]+)[#"]', section[0]))
    moving = {page.name for page in CHAPTERS if re.search(r'class="play-\w+"', page.read_text())}
    assert moving - {FRONT.name} == listed


def test_limits_decide_what_an_arm_is_called(browser):
    script = "(() => {%s const before = column(3); slide(2, 160); return [before, column(3)];})()"
    before, after = browser.ask(CONSTRAINED, script % HANDS)
    assert before == [
        *("optimal", "optimal", "infeasible", "dominated by 0"),
        *("infeasible", "infeasible, or dominated by 0, 1, 6", "optimal"),
    ]
    assert after == [
        *("dominated by 2", "optimal", "optimal", "dominated by 2"),
        *("infeasible, or dominated by 2", "infeasible, or dominated by 1, 2", "dominated by 2"),
    ]
