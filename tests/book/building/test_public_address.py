"""What pages show of the addresses in pyproject.toml, in a book of few pages.

Descriptions, social cards and the sitemap are as _config.yml sets them, the buttons as the theme
of the book makes them.
"""

import html
import json
import re
import subprocess
import sys
from xml.etree import ElementTree

import pytest
import yaml

from pareto_book import paths

pytestmark = pytest.mark.slow

SETTINGS = (paths.ROOT / "_config.yml").read_text(encoding="utf-8")
ADDRESS = "https://example.org/pareto/"
REPOSITORY = "https://github.com/somebody/pareto"
EXTENSIONS = ["addresses", "sphinxext.opengraph", "sphinx_sitemap", "without_address"]
TITLE = "A title & more"
TEXT = "The first paragraph says what the page is about, in words that can stand alone."


@pytest.fixture
def build(tmp_path):
    """A function that builds the page as for an address; the folder that it writes to."""

    def build(address):
        write_book(tmp_path, configuration(), {"Homepage": address} if address else {})
        (tmp_path / "index.rst").write_text("Start\n=====\n\n.. toctree::\n\n   book/one\n")
        (tmp_path / "book" / "one.rst").write_text(f"{TITLE}\n{'=' * 20}\n\n{TEXT}\n")
        return run_sphinx(tmp_path)

    return build


def write_book(folder, settings, urls):
    """Settings of a book, and a pyproject.toml with these addresses."""
    lines = [f"import sys; sys.path.append({str(paths.ROOT / 'book' / '_extensions')!r})"]
    lines += [f"{name} = {value!r}" for name, value in settings.items()]
    (folder / "conf.py").write_text("\n".join(lines), encoding="utf-8")
    table = "".join(f"{name} = {value!r}\n" for name, value in urls.items())
    (folder / "pyproject.toml").write_text(
        "[project]\n" + (f"[project.urls]\n{table}" if table else "")
    )
    (folder / "book").mkdir()


def run_sphinx(folder):
    options = ["--quiet", "--fail-on-warning", "--nitpicky"]
    command = [sys.executable, "-m", "sphinx", *options, str(folder), str(folder / "html")]
    subprocess.run(command, check=True)
    return folder / "html"


def configuration():
    """What _config.yml sets for the extensions, for Sphinx."""
    sphinx = yaml.safe_load(SETTINGS)["sphinx"]
    assert {*EXTENSIONS} <= {*sphinx["extra_extensions"], *sphinx["local_extensions"]}
    ours = re.compile("ogp_|sitemap_|suppress_warnings")
    values = {name: value for name, value in sphinx["config"].items() if ours.match(name)}
    return values | {"html_theme": "basic", "extensions": EXTENSIONS}


def tags(folder):
    """Contents of the tags in the head of the page, by name, as they are written."""
    text = (folder / "book" / "one.html").read_text(encoding="utf-8")
    found = re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)" />', text)
    return dict(found)


def test_without_an_address_no_tag_needs_one(build):
    folder = build("")
    found = tags(folder)
    assert not {"og:url", "og:image", "og:image:alt"} & found.keys()
    assert found["description"] == found["og:description"] == TEXT
    assert not (folder / "sitemap.xml").exists()


def test_with_an_address_the_card_has_links_and_there_is_a_sitemap(build):
    folder = build(ADDRESS)
    found = tags(folder)
    assert found["description"] == found["og:description"] == TEXT
    assert found["og:title"] == TITLE
    assert found["og:site_name"] == yaml.safe_load(SETTINGS)["title"]
    assert found["og:url"] == f"{ADDRESS}book/one.html"
    path = found["og:image"].removeprefix(ADDRESS)
    assert (paths.ROOT / "book" / path).is_file()
    assert found["og:image:alt"]
    assert found["twitter:card"] == "summary_large_image"
    root = ElementTree.parse(folder / "sitemap.xml").getroot()
    listed = {each.text for each in root.iter() if each.tag.endswith("}loc")}
    assert listed == {f"{ADDRESS}book/one.html", f"{ADDRESS}index.html"}


# Buttons

NOTEBOOK = {
    "cells": [{"cell_type": "markdown", "id": "a", "metadata": {}, "source": "# One\n"}],
    "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "p"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}


@pytest.fixture
def links(tmp_path):
    """A function that builds pages as for a repository; the links of each page to other hosts."""

    def links(urls):
        extensions = ["myst_nb", "addresses"]
        settings = {"extensions": extensions, "html_theme": "sphinx_book_theme"}
        settings |= {"nb_execution_mode": "off", "html_theme_options": {}}
        settings |= {"suppress_warnings": ["mystnb.lexer"]}
        write_book(tmp_path, settings, urls)
        toctree = "Start\n=====\n\n.. toctree::\n\n   book/chapters/one\n   book/chapters/two\n"
        (tmp_path / "index.rst").write_text(toctree)
        (tmp_path / "book" / "chapters").mkdir()
        summary = {**NOTEBOOK, "metadata": {**NOTEBOOK["metadata"], "summary": True}}
        for name, notebook in (("one", NOTEBOOK), ("two", summary)):
            path = tmp_path / "book" / "chapters" / f"{name}.ipynb"
            path.write_text(json.dumps(notebook))
        folder = run_sphinx(tmp_path)
        return {page: outward(folder / page) for page in PAGES}

    return links


PAGES = ("index.html", "book/chapters/one.html", "book/chapters/two.html")


def outward(path):
    """Links of a page to the repository and to Binder."""
    found = re.findall(r'href="(https?://[^"]*)"', path.read_text(encoding="utf-8"))
    ours = ("https://github.com/somebody", "https://mybinder.org")
    return {html.unescape(each) for each in found if each.startswith(ours)}


def test_without_a_repository_no_button_leads_anywhere(links):
    assert links({"Homepage": ADDRESS}) == {page: set() for page in PAGES}


def test_buttons_lead_to_the_text_notebook_of_a_chapter(links):
    found = links({"Repository": f"{REPOSITORY}/"})
    issues = f"{REPOSITORY}/issues/new?title=Issue%20on%20page%20%2F"
    for page, addresses in found.items():
        assert REPOSITORY in addresses
        assert any(each.startswith(f"{issues}{page}") for each in addresses)
    source = f"{REPOSITORY}/blob/main/notebooks/one.md?plain=1"
    binder = "https://mybinder.org/v2/gh/somebody/pareto/main?urlpath=lab/tree/notebooks/one.md"
    assert {source, binder} <= found["book/chapters/one.html"]
    assert f"{REPOSITORY}/blob/main/index.rst?plain=1" in found["index.html"]
    assert not any("mybinder" in each for each in found["book/chapters/two.html"])
