"""Descriptions, social cards and the list of all pages, without a build."""

import importlib.util
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest
from docutils import nodes

from pareto_book import paths

FILE = paths.ROOT / "book" / "_extensions" / "public_address.py"
LONG = "One of the words that a page begins with, and there are a lot of them. " * 4


@pytest.fixture(scope="module")
def extension():
    spec = importlib.util.spec_from_file_location("public_address", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def page(*paragraphs):
    document = nodes.section()
    document += [nodes.paragraph("", text) for text in paragraphs]
    return document


def tags_of(extension, tree, address):
    """What the extension adds to the head of the page ``book/one``."""
    app = SimpleNamespace(
        config=SimpleNamespace(html_baseurl=address, html_title="The book"),
        builder=SimpleNamespace(get_target_uri=lambda name: f"{name}.html"),
        env=SimpleNamespace(titles={"book/one": nodes.title("", 'A "title" & more')}),
    )
    context = {"metatags": "", "pathto": lambda path, kind: f"../{path}"}
    extension.add_tags(app, "book/one", "page.html", context, tree)
    return context["metatags"]


def test_descriptions_are_whole_words(extension):
    text = extension.description(page(LONG))
    assert len(text) <= 200
    assert text.endswith(" …")
    assert LONG.startswith(text.removesuffix("…"))


def test_descriptions_leave_out_formulas_and_what_is_folded(extension):
    tree = page("Short.")
    tree.insert(0, nodes.paragraph("", "With ", nodes.math("", "x")))
    tree.insert(0, nodes.admonition("", nodes.paragraph("", LONG), classes=["dropdown"]))
    assert extension.description(tree) == "Short."


def test_a_page_without_words_is_described_by_its_title(extension):
    assert "A &quot;title&quot; &amp; more: The book" in tags_of(extension, page(), "")


def test_without_an_address_the_card_is_beside_the_page(extension):
    tags = tags_of(extension, page(LONG), "")
    assert 'property="og:image" content="../_static/card.png"' in tags
    assert "og:url" not in tags


def test_with_an_address_the_card_has_links(extension):
    tree = page(LONG)
    tree += nodes.image(uri="../_images/front.png", alt="A front")
    tags = tags_of(extension, tree, "https://example.org/book/")
    assert 'content="https://example.org/book/_images/front.png"' in tags
    assert 'property="og:url" content="https://example.org/book/book/one.html"' in tags
    assert 'property="og:image:alt" content="A front"' in tags


def test_sitemap_lists_all_pages(extension):
    text = extension.sitemap("https://example.org/", ["a.html", "b/c.html"])
    places = [
        each.text for each in ElementTree.fromstring(text).iter(f"{{{extension.NAMESPACE}}}loc")
    ]
    assert places == ["https://example.org/a.html", "https://example.org/b/c.html"]
