"""Extensions of Sphinx in pages that are built a second time, or by several processes."""

import importlib.util
import subprocess
import sys

import pytest

from pareto_book import paths

EXTENSIONS = paths.ROOT / "book" / "_extensions"


def load(name):
    """An extension as a module."""
    spec = importlib.util.spec_from_file_location(name, EXTENSIONS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_figure_for_dark_pages_is_written_once(tmp_path):
    write_once = load("night_figures").write_once
    path = tmp_path / "figure.svg"
    write_once(path, b"<svg/>")
    before = path.stat()
    write_once(path, b"<svg/>")
    assert path.read_bytes() == b"<svg/>"
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    assert path.stat().st_ino == before.st_ino  # the same file, not one with the same content
    assert [each.name for each in tmp_path.iterdir()] == ["figure.svg"]


@pytest.fixture
def book(tmp_path):
    """A book whose first chapter has a term of the glossary, and whose second has none."""
    pages = tmp_path / "book"
    pages.mkdir()
    (tmp_path / "conf.py").write_text(
        f"import sys\nsys.path.insert(0, {str(EXTENSIONS)!r})\nextensions = ['term_definitions']\n"
    )
    (tmp_path / "index.rst").write_text(
        "Start\n=====\n\n.. toctree::\n\n   book/one\n   book/two\n   book/how_to_read\n"
    )
    (pages / "one.rst").write_text("One\n===\n\nA :term:`front`.\n")
    (pages / "two.rst").write_text("Two\n===\n\nNo term.\n")
    return tmp_path


def build(book, definition):
    """Build what is out of date, with a definition; the pages that were read, and the first."""
    glossary = f"Glossary\n========\n\n.. glossary::\n\n   front\n      {definition}\n"
    (book / "book" / "how_to_read.rst").write_text(glossary)
    command = [sys.executable, "-m", "sphinx", "-W", "-v", "--color", str(book), str(book / "html")]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return said, (book / "html" / "book" / "one.html").read_text()


@pytest.mark.slow
def test_a_page_has_the_new_definition_of_its_terms(book):
    _, page = build(book, "All that is optimal.")
    assert 'title="All that is optimal."' in page
    said, page = build(book, "What nothing dominates.")
    assert 'title="What nothing dominates."' in page
    assert "book/two" not in said.partition("reading sources")[2].partition("pickling")[0]
