"""What has to agree between the files that describe the project and the book."""

import re
import tomllib

import jupytext
import pytest
import yaml
from jupytext.config import load_jupytext_config
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from pareto_book import paths

ROOT = paths.ROOT
CHAPTERS = sorted(path.stem for path in paths.NOTEBOOKS.glob("*.md"))


def declared():
    """Requirements in pyproject.toml of package, book and tests, by name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    groups = [
        project["dependencies"],
        *map(project["optional-dependencies"].get, ("book", "lab", "test")),
    ]
    requirements = [Requirement(line) for group in groups for line in group]
    return {canonicalize_name(requirement.name): requirement for requirement in requirements}


def locked():
    """Entries of requirements.lock: name, version, marker and hashes."""
    text = (ROOT / "requirements.lock").read_text()
    entry = re.compile(
        r"^([\w.-]+)==([^\s;\\]+)(?: ; ([^\\\n]+))? \\\n((?:    --hash=.*\n?)+)", re.M
    )
    return [
        (canonicalize_name(name), version, marker, hashes.count("--hash=sha256:"))
        for name, version, marker, hashes in entry.findall(text)
    ]


def test_environment_yml_agrees_with_pyproject():
    listed = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    lines = [line for line in listed if isinstance(line, str)]
    lines += [line for entry in listed if isinstance(entry, dict) for line in entry["pip"]]
    conda = {canonicalize_name(r.name): r.specifier for r in map(Requirement, lines)}
    assert conda.pop("pip") == ""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert conda.pop("python") == project["requires-python"]
    assert conda == {name: requirement.specifier for name, requirement in declared().items()}


def test_lock_holds_what_pyproject_declares():
    for name, requirement in declared().items():
        versions = [version for entry, version, _, _ in locked() if entry == name]
        assert versions, f"{name} is not in requirements.lock: resolve anew (CONTRIBUTING.md)"
        assert all(Version(version) in requirement.specifier for version in versions), name


def test_lock_has_hashes_and_no_addresses():
    text = (ROOT / "requirements.lock").read_text()
    pins = re.findall(r"^[\w.-]+==", text, re.M)
    assert len(locked()) == len(pins) > 100
    assert all(n_hashes > 0 for *_, n_hashes in locked())
    assert "://" not in text
    assert not re.search(r"^\s*--(?!hash)", text, re.M)


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13", "3.14"])
def test_lock_pins_each_package_once(python):
    environment = {"python_version": python, "python_full_version": f"{python}.0"}
    names = [
        name
        for name, _, marker, _ in locked()
        if not marker or Marker(marker.strip()).evaluate(environment)
    ]
    assert len(names) == len(set(names))
    assert set(declared()) <= set(names)


def test_table_of_contents_lists_the_chapters():
    text = (ROOT / "_toc.yml").read_text()
    files = re.findall(r"(?:file|root): book/chapters/(\S+)", text)
    assert sorted(files) == CHAPTERS


def test_table_of_contents_lists_the_pages():
    text = (ROOT / "_toc.yml").read_text()
    pages = re.findall(r"(?:file|root): book/(\w+)$", text, re.M)
    assert sorted(pages) == sorted(path.stem for path in (ROOT / "book").glob("*.md"))


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_header_of_a_chapter_is_kept_when_it_is_saved(chapter):
    path = paths.NOTEBOOKS / f"{chapter}.md"
    config = load_jupytext_config(str(path))
    saved = jupytext.writes(jupytext.read(path), fmt="md:myst", config=config)
    header, again = (text.split("---\n")[1] for text in (path.read_text("utf-8"), saved))
    assert yaml.safe_load(again) == yaml.safe_load(header)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_chapter_can_be_executed_anywhere(chapter):
    notebook = jupytext.read(paths.NOTEBOOKS / f"{chapter}.md")
    assert notebook.metadata["kernelspec"]["name"] == "python3"
    assert notebook.metadata["kernelspec"]["language"] == "python"
    cells = [cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", [])]
    assert len(cells) == 1
    defaults = {}
    exec(cells[0].source, defaults)
    assert (defaults["profile"], defaults["seed"], defaults["n_jobs"]) == ("fast", 0, 1)
