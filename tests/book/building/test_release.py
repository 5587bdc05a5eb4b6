"""Errors of a release are found and named."""

import re
import shutil

import pytest

import pareto_core
from pareto_book import paths
from pareto_book.building import release

FILES = ("pyproject.toml", "CITATION.cff", ".zenodo.json", "CHANGELOG.md")
VERSION = pareto_core.__version__


def replace(path, pattern, new):
    text = path.read_text(encoding="utf-8")
    changed, n_changes = re.subn(pattern, new, text, count=1, flags=re.MULTILINE)
    assert n_changes == 1
    path.write_text(changed, encoding="utf-8")


@pytest.fixture
def ready(tmp_path):
    """The files of the repository, ready for a release."""
    for name in FILES:
        shutil.copy(paths.ROOT / name, tmp_path)
    (tmp_path / "pareto_core").mkdir()
    shutil.copy(paths.ROOT / "pareto_core" / "__init__.py", tmp_path / "pareto_core")
    section = f"## {VERSION} - 2031-05-17"
    replace(tmp_path / "CHANGELOG.md", r"^## (Unreleased|\d.*)$", section)
    replace(tmp_path / "CITATION.cff", r"^date-released:.*$", 'date-released: "2031-05-17"')
    return tmp_path


def test_a_complete_release_has_no_problems(ready):
    assert set(release.versions(ready).values()) == {VERSION}
    assert release.version_problems(ready) == []


def test_the_versions_of_this_repository_agree():
    stated = release.versions(paths.ROOT)
    del stated["CHANGELOG.md"]  # it has no section for a version that is not released yet
    assert set(stated.values()) == {VERSION}


@pytest.mark.parametrize(
    ("file", "pattern", "name"),
    [
        ("CITATION.cff", r"^version: .*$", "CITATION.cff"),
        (".zenodo.json", r'"version": ".*?"', ".zenodo.json"),
        ("CHANGELOG.md", rf"^## {re.escape(VERSION)} ", "CHANGELOG.md"),
        ("pareto_core/__init__.py", r"^__version__ = .*$", "pareto_core.__version__"),
    ],
)
def test_the_file_with_a_different_version_is_named(ready, file, pattern, name):
    old = re.search(pattern, (ready / file).read_text(encoding="utf-8"), re.MULTILINE)[0]
    replace(ready / file, pattern, old.replace(VERSION, "9.8.7"))
    expected = f"{name} states version 9.8.7; expected {VERSION}, as in pyproject.toml"
    assert release.version_problems(ready) == [expected]


def test_a_different_date_is_named(ready):
    replace(ready / "CITATION.cff", "2031-05-17", "2031-05-18")
    (problem,) = release.version_problems(ready)
    assert (
        problem == "CITATION.cff was released 2031-05-18; expected 2031-05-17, as in CHANGELOG.md"
    )


def test_changes_without_a_version_are_reported(ready):
    replace(ready / "CHANGELOG.md", f"^## {re.escape(VERSION)}", f"## Unreleased\n\n## {VERSION}")
    assert release.version_problems(ready) == []
    replace(ready / "CHANGELOG.md", "^## Unreleased$", "## Unreleased\n\n- Something.")
    (problem,) = release.version_problems(ready)
    assert problem.startswith("CHANGELOG.md has changes under Unreleased")


def test_the_links_of_the_references_are_valid():
    assert release.reference_problems(paths.BIBLIOGRAPHY) == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("doi", "https://doi.org/10.1137/0802028"),
        ("doi", "10.1137"),
        ("url", "http://jmlr.org/papers/v22/18-798.html"),
        ("url", "jmlr.org/papers/v22/18-798.html"),
        ("url", "https://arxiv.org/pdf/2501.17513"),
        ("url", "https://arxiv.org/abs/2501.17513v2"),
    ],
)
def test_an_invalid_link_is_reported(tmp_path, field, value):
    path = tmp_path / "references.bib"
    path.write_text(f"@misc{{key2026,\n  title = {{T}},\n  {field} = {{{value}}}\n}}\n")
    (problem,) = release.reference_problems(path)
    assert problem.startswith(f"key2026 has {field} = {value!r}; expected ")


@pytest.fixture
def builds(tmp_path):
    """Two builds of a book of one page, made at different times."""
    for name, time in (("first", "2026-11-22T10:00:00+00:00"), ("second", "2026-11-23 11:30")):
        (tmp_path / name / "book").mkdir(parents=True)
        (tmp_path / name / "book" / "page.html").write_text(f"<p>3.14</p><p>{time}</p>")
        (tmp_path / name / "index.js").write_text("index")
    return tmp_path / "first", tmp_path / "second"


def test_the_times_of_builds_are_not_compared(builds):
    assert release.page_differences(*builds) == []


def test_files_that_differ_are_named(builds):
    (builds[1] / "book" / "page.html").write_text("<p>3.15</p>")
    (builds[1] / "index.js").write_text("2026-11-22T10:00:00")
    (builds[0] / "image.svg").touch()
    assert release.page_differences(*builds) == [
        "image.svg is in only one of the builds",
        "book/page.html differs",
        "index.js differs",
    ]


def test_a_folder_without_pages_is_refused(builds, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match=r"^folder = '.*empty' has no pages; expected a build"):
        release.page_differences(builds[0], tmp_path / "empty")


def test_the_program_prints_the_problems_and_fails(builds, capsys):
    assert release.main(["--compare", *map(str, builds)]) == 0
    assert capsys.readouterr().out == "no problems found\n"
    (builds[1] / "index.js").write_text("different")
    assert release.main(["--compare", *map(str, builds)]) == 1
    assert capsys.readouterr().err == "error: index.js differs\n"
