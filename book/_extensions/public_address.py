"""What search engines and social networks read: descriptions, cards, a list of all pages.

The address of the book is ``html.baseurl`` in ``_config.yml``, and nowhere else. Without one
there is no list, and the picture of a card has an address that begins at its page.
"""

import html
import textwrap
from pathlib import Path
from urllib.parse import urljoin

from docutils import nodes

CARD = "_static/card.png"  # of pages without a figure
CARD_WORDS = "The name of the book beside a Pareto front of five arms"
LENGTH = 200  # characters of a description, about what search engines show
ENOUGH = 50  # characters that need no second paragraph
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def setup(app):
    """Register the extension with Sphinx."""
    app.connect("html-page-context", add_tags)
    app.connect("build-finished", write_sitemap)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def add_tags(app, page, template, context, doctree):
    """Put the description of a page and its social card into its head."""
    if doctree is None:
        return
    address = urljoin(app.config.html_baseurl, app.builder.get_target_uri(page))
    picture = doctree.next_node(nodes.image)
    if picture is None:
        picture = {"uri": context["pathto"](CARD, 1), "alt": CARD_WORDS}
    image = picture["uri"]  # from the page
    title = app.env.titles[page].astext()
    text = description(doctree) or f"{title}: {app.config.html_title}"
    properties = {
        "og:type": "article",
        "og:site_name": app.config.html_title,
        "og:title": title,
        "og:description": text,
        "og:image": urljoin(address, image) if app.config.html_baseurl else image,
        "og:image:alt": picture["alt"],
    }
    if app.config.html_baseurl:
        properties["og:url"] = address
    tags = [("name", "description", text), ("name", "twitter:card", "summary_large_image")]
    tags += [("property", *each) for each in properties.items()]
    context["metatags"] += "".join(
        f'<meta {kind}="{name}" content="{html.escape(content)}" />\n'
        for kind, name, content in tags
    )


def description(doctree):
    """First words of a page that are neither folded nor formulas; empty if there are none."""
    text = ""
    for paragraph in doctree.findall(nodes.paragraph):
        folded = "dropdown" in paragraph.parent.get("classes", ())
        if not folded and not any(paragraph.findall(nodes.math)):
            text = f"{text} {paragraph.astext()}".strip()
            if len(text) >= ENOUGH:
                break
    return textwrap.shorten(text, LENGTH, placeholder=" …")


def write_sitemap(app, exception):
    """List the addresses of all pages in ``sitemap.xml``."""
    if exception or app.builder.format != "html" or not app.config.html_baseurl:
        return
    pages = sorted(app.builder.get_target_uri(name) for name in app.env.found_docs)
    (Path(app.outdir) / "sitemap.xml").write_text(
        sitemap(app.config.html_baseurl, pages), encoding="utf-8"
    )


def sitemap(address, pages):
    """Text of a sitemap.

    Parameters
    ----------
    address : str
        Of the book, with a slash at its end.
    pages : sequence of str
        Pages, relative to it.

    Returns
    -------
    str
    """
    places = [f"  <url><loc>{html.escape(urljoin(address, page))}</loc></url>\n" for page in pages]
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="{NAMESPACE}">\n{"".join(places)}</urlset>\n'
    )
