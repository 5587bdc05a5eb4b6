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

SETTINGS = yaml.safe_load((paths.ROOT / "_config.yml").read_text(encoding="utf-8"))
ADDRESS = "https://example.org/pareto/"
REPOSITORY = "https://github.com/somebody/pareto"
OURS = ("https://github.com/somebody", "https://mybinder.org")
EXTENSIONS = ["addresses", "sphinxext.opengraph", "sphinx_sitemap", "without_address"]
PAGES = ("index", "book/one", "book/chapters/one", "book/chapters/two")
TITLE = "A title & more"
TEXT = "The first paragraph says what the page is about, in words that can stand alone."
NOTEBOOK = {
    "cells": [{"cell_type": "markdown", "id": "a", "metadata": {}, "source": f"# One\n\n{TEXT}"}],
    "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "p"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}


def configuration():
    """What _config.yml sets for the extensions, for Sphinx."""
    sphinx = SETTINGS["sphinx"]
    assert {*EXTENSIONS} <= {*sphinx["extra_extensions"], *sphinx["local_extensions"]}
    ours = re.compile("ogp_|sitemap_")
    values = {name: value for name, value in sphinx["config"].items() if ours.match(name)}
    return values | {
        "extensions": ["myst_nb", *EXTENSIONS],
        "html_theme": "sphinx_book_theme",
        "html_theme_options": {},
        "nb_execution_mode": "off",
        "suppress_warnings": ["mystnb.lexer", *sphinx["config"].get("suppress_warnings", ())],
    }


def build(folder, urls):
    """Build the pages as for these addresses; return where they are."""
    lines = [f"import sys; sys.path.append({str(paths.ROOT / 'book' / '_extensions')!r})"]
    lines += [f"{name} = {value!r}" for name, value in configuration().items()]
    (folder / "conf.py").write_text("\n".join(lines), encoding="utf-8")
    table = "".join(f"{name} = {value!r}\n" for name, value in urls.items())
    (folder / "pyproject.toml").write_text(f"[project]\n[project.urls]\n{table}")
    (folder / "book" / "chapters").mkdir(parents=True)
    toctree = "".join(f"   {page}\n" for page in PAGES[1:])
    (folder / "index.rst").write_text(f"Start\n=====\n\n.. toctree::\n\n{toctree}")
    (folder / "book" / "one.rst").write_text(f"{TITLE}\n{'=' * 20}\n\n{TEXT}\n")
    summary = {**NOTEBOOK, "metadata": {**NOTEBOOK["metadata"], "summary": True}}
    for name, notebook in (("one", NOTEBOOK), ("two", summary)):
        (folder / "book" / "chapters" / f"{name}.ipynb").write_text(json.dumps(notebook))
    options = ["--quiet", "--fail-on-warning", "--nitpicky"]
    command = [sys.executable, "-m", "sphinx", *options, str(folder), str(folder / "html")]
    subprocess.run(command, check=True)
    return folder / "html"


def tags(folder):
    """Contents of the tags in the head of the page, by name, as they are written."""
    text = (folder / "book" / "one.html").read_text(encoding="utf-8")
    return dict(re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)" />', text))


def outward(folder):
    """Links of each page to the repository and to Binder."""
    found = {}
    for page in PAGES:
        text = (folder / f"{page}.html").read_text(encoding="utf-8")
        links = map(html.unescape, re.findall(r'href="(https?://[^"]*)"', text))
        found[page] = {each for each in links if each.startswith(OURS)}
    return found


def test_without_addresses_no_tag_needs_one_and_no_button_leads_anywhere(tmp_path):
    folder = build(tmp_path, {})
    found = tags(folder)
    assert not {"og:url", "og:image", "og:image:alt"} & found.keys()
    assert found["description"] == found["og:description"] == TEXT
    assert not (folder / "sitemap.xml").exists()
    assert outward(folder) == {page: set() for page in PAGES}


def test_with_addresses_cards_buttons_and_the_sitemap_have_links(tmp_path):
    folder = build(tmp_path, {"Homepage": ADDRESS, "Repository": f"{REPOSITORY}/"})
    found = tags(folder)
    assert found["description"] == found["og:description"] == TEXT
    assert found["og:title"] == TITLE
    assert found["og:site_name"] == SETTINGS["title"]
    assert found["og:url"] == f"{ADDRESS}book/one.html"
    assert (paths.ROOT / "book" / found["og:image"].removeprefix(ADDRESS)).is_file()
    assert found["og:image:alt"]
    assert found["twitter:card"] == "summary_large_image"
    root = ElementTree.parse(folder / "sitemap.xml").getroot()
    listed = {each.text for each in root.iter() if each.tag.endswith("}loc")}
    assert listed == {f"{ADDRESS}{page}.html" for page in PAGES}

    links = outward(folder)
    issues = f"{REPOSITORY}/issues/new?title=Issue%20on%20page%20%2F"
    for page, addresses in links.items():
        assert REPOSITORY in addresses
        assert any(each.startswith(f"{issues}{page}.html") for each in addresses)
    source = f"{REPOSITORY}/blob/main/notebooks/one.md?plain=1"
    binder = "https://mybinder.org/v2/gh/somebody/pareto/main?urlpath=lab/tree/notebooks/one.md"
    assert {source, binder} <= links["book/chapters/one"]
    assert f"{REPOSITORY}/blob/main/index.rst?plain=1" in links["index"]
    assert not any("mybinder" in each for each in links["book/chapters/two"])
