"""Descriptions, social cards and the sitemap, as _config.yml sets them, in a book of one page."""

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
EXTENSIONS = ["sphinxext.opengraph", "sphinx_sitemap", "without_address"]
TITLE = "A title & more"
TEXT = "The first paragraph says what the page is about, in words that can stand alone."


@pytest.fixture
def build(tmp_path):
    """A function that builds the page as for an address; the folder that it writes to."""

    def build(address):
        (tmp_path / "conf.py").write_text(configuration(address), encoding="utf-8")
        (tmp_path / "index.rst").write_text("Start\n=====\n\n.. toctree::\n\n   book/one\n")
        (tmp_path / "book").mkdir()
        (tmp_path / "book" / "one.rst").write_text(f"{TITLE}\n{'=' * 20}\n\n{TEXT}\n")
        options = ["--quiet", "--fail-on-warning", "--nitpicky"]
        command = [sys.executable, "-m", "sphinx", *options, str(tmp_path), str(tmp_path / "html")]
        subprocess.run(command, check=True)
        return tmp_path / "html"

    return build


def configuration(address):
    """What _config.yml sets for the extensions, with an address in its one place, for Sphinx."""
    text = re.sub("(?<=baseurl: &address )[^ \n]+", f'"{address}"', SETTINGS)
    settings = yaml.safe_load(text)
    sphinx = settings["sphinx"]
    assert {*EXTENSIONS} <= {*sphinx["extra_extensions"], *sphinx["local_extensions"]}
    ours = re.compile("ogp_|sitemap_|suppress_warnings")
    values = {name: value for name, value in sphinx["config"].items() if ours.match(name)}
    values |= {
        "html_baseurl": settings["html"]["baseurl"],
        "html_theme": "basic",
        "extensions": EXTENSIONS,
    }
    lines = [f"import sys; sys.path.append({str(paths.ROOT / 'book' / '_extensions')!r})"]
    return "\n".join(lines + [f"{name} = {value!r}" for name, value in values.items()])


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
