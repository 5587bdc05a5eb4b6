"""What pages show of the addresses in pyproject.toml, in a book of few pages.

Descriptions, social cards and the sitemap are as _config.yml sets them, the buttons as the theme
of the book makes them.
"""

import html
import json
import re
import subprocess
import sys

import pytest
import yaml

from pareto_book import paths

SETTINGS = yaml.safe_load((paths.ROOT / "_config.yml").read_text(encoding="utf-8"))
ADDRESS, REPOSITORY = "https://example.org/pareto/", "https://github.com/somebody/pareto"
OURS = re.compile(r'href="(https://(?:github\.com/somebody|mybinder\.org)[^"]*)"')
EXTENSIONS = ["myst_nb", "addresses", "sphinxext.opengraph", "sphinx_sitemap", "without_address"]
PAGES = ("index", "book/one", "book/chapters/one", "book/chapters/two")
TEXT = "The first paragraph says what the page is about, in words that can stand alone."
NOTEBOOK = {
    "cells": [{"cell_type": "markdown", "id": "a", "metadata": {}, "source": f"# One\n\n{TEXT}"}],
    "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "p"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}


def build(folder, urls):
    """Build the pages as for these addresses; return the texts of pages and sitemap by name."""
    options = SETTINGS["sphinx"]["config"]
    values = {name: options[name] for name in options if name.startswith(("ogp_", "sitemap_"))} | {
        "extensions": EXTENSIONS,
        "html_theme": "sphinx_book_theme",
        "html_theme_options": {},
        "nb_execution_mode": "off",
        "suppress_warnings": ["mystnb.lexer", *options.get("suppress_warnings", ())],
    }
    lines = [f"import sys; sys.path.append({str(paths.ROOT / 'book' / '_extensions')!r})"]
    lines += [f"{name} = {value!r}" for name, value in values.items()]
    (folder / "book" / "chapters").mkdir(parents=True)
    (folder / "conf.py").write_text("\n".join(lines), encoding="utf-8")
    table = "".join(f"{name} = {value!r}\n" for name, value in urls.items())
    (folder / "pyproject.toml").write_text(f"[project]\n[project.urls]\n{table}")
    toctree = "".join(f"   {page}\n" for page in PAGES[1:])
    (folder / "index.rst").write_text(f"Start\n=====\n\n.. toctree::\n\n{toctree}")
    (folder / "book" / "one.rst").write_text(f"A title & more\n==============\n\n{TEXT}\n")
    summary = {**NOTEBOOK, "metadata": {**NOTEBOOK["metadata"], "summary": True}}
    for name, notebook in (("one", NOTEBOOK), ("two", summary)):
        (folder / "book" / "chapters" / f"{name}.ipynb").write_text(json.dumps(notebook))
    command = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--nitpicky"]
    subprocess.run([*command, str(folder), str(folder / "html")], check=True)
    found = {page: folder / "html" / f"{page}.html" for page in PAGES}
    found["sitemap"] = folder / "html" / "sitemap.xml"
    return {name: path.read_text("utf-8") for name, path in found.items() if path.exists()}


def tags(text):
    """Contents of the tags in the head of a page, by name, as they are written."""
    return dict(re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)" />', text))


@pytest.mark.slow
def test_without_addresses_no_tag_needs_one_and_no_button_leads_anywhere(tmp_path):
    pages = build(tmp_path, {})
    found = tags(pages["book/one"])
    assert not {"og:url", "og:image", "og:image:alt"} & found.keys()
    assert found["description"] == found["og:description"] == TEXT
    assert list(pages) == list(PAGES)
    assert not OURS.search("".join(pages.values()))


@pytest.mark.slow
def test_with_addresses_cards_buttons_and_the_sitemap_have_links(tmp_path):
    pages = build(tmp_path, {"Homepage": ADDRESS, "Repository": f"{REPOSITORY}/"})
    found = tags(pages["book/one"])
    assert found["og:title"] == "A title & more"
    assert found["og:url"] == f"{ADDRESS}book/one.html"
    assert (paths.ROOT / "book" / found["og:image"].removeprefix(ADDRESS)).is_file()
    assert found["twitter:card"] == "summary_large_image"
    listed = re.findall(r"<loc>(.*?)</loc>", pages.pop("sitemap"))
    assert {*listed} == {f"{ADDRESS}{page}.html" for page in PAGES}
    links = {page: {*map(html.unescape, OURS.findall(text))} for page, text in pages.items()}
    issues = f"{REPOSITORY}/issues/new?title=Issue%20on%20page%20%2F"
    for page, addresses in links.items():
        assert REPOSITORY in addresses
        assert any(each.startswith(f"{issues}{page}.html") for each in addresses)
    source = f"{REPOSITORY}/blob/main/notebooks/one.md?plain=1"
    binder = "https://mybinder.org/v2/gh/somebody/pareto/main?urlpath=lab/tree/notebooks/one.md"
    assert {source, binder} <= links["book/chapters/one"]
    assert not any("mybinder" in each for each in links["book/chapters/two"])
