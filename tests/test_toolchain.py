"""What has to agree between the files that describe the project, the chapters and the workflows."""

import re
import subprocess
import tomllib

import jupytext
import pytest
import yaml
from jupytext.config import load_jupytext_config
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

from pareto_book import paths

ROOT = paths.ROOT
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LOCK = (ROOT / "requirements.lock").read_text()
CHAPTERS = sorted(path.stem for path in paths.NOTEBOOKS.glob("*.md"))


def declared():
    """Requirements in pyproject.toml of package, book and tests, by name."""
    optional = PROJECT["optional-dependencies"]
    lines = [*PROJECT["dependencies"], *optional["book"], *optional["lab"], *optional["test"]]
    return {canonicalize_name(each.name): each for each in map(Requirement, lines)}


def test_environment_yml_agrees_with_pyproject():
    listed = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    lines = [line for line in listed if isinstance(line, str)]
    lines += [line for entry in listed if isinstance(entry, dict) for line in entry["pip"]]
    conda = {canonicalize_name(r.name): r.specifier for r in map(Requirement, lines)}
    assert conda.pop("pip") == ""
    assert conda.pop("python") == PROJECT["requires-python"]
    assert conda == {name: requirement.specifier for name, requirement in declared().items()}


def test_lock_holds_what_pyproject_declares():
    pins = re.findall(r"^([\w.-]+)==([^\s;\\]+)", LOCK, re.M)
    for name, requirement in declared().items():
        versions = [version for pinned, version in pins if canonicalize_name(pinned) == name]
        assert versions, f"{name} is not in requirements.lock: resolve anew (CONTRIBUTING.md)"
        assert all(Version(version) in requirement.specifier for version in versions), name


def test_lock_has_no_addresses():
    """Those of the machine on which it was made lead nowhere elsewhere."""
    assert "://" not in LOCK
    assert not re.search(r"^\s*--(?!hash)", LOCK, re.M)


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


def test_the_workflows_publish_only_pages_with_all_runs_and_only_from_main_and_releases():
    workflow = (ROOT / ".github" / "workflows" / "book.yml").read_text(encoding="utf-8")
    jobs = yaml.safe_load(workflow)["jobs"]
    profile = "${{ github.event_name == 'pull_request' && 'fast' || 'full' }}"
    assert jobs["pages"]["env"] == {"PROFILE": profile}
    (upload,) = (s for s in jobs["pages"]["steps"] if "upload-pages-artifact" in s.get("uses", ""))
    assert upload["if"] == "github.event_name != 'pull_request'"
    deploy = jobs["deploy"]
    assert deploy["if"] == "github.event_name == 'release' || github.ref == 'refs/heads/main'"
    assert set(deploy["needs"]) == {"test", "pages"}


def test_binder_takes_the_lock_and_a_supported_python():
    folder = ROOT / ".binder"
    version = (folder / "runtime.txt").read_text().strip().removeprefix("python-")
    assert SpecifierSet(PROJECT["requires-python"]).contains(f"{version}.5")
    post_build = folder / "postBuild"
    assert "--no-deps --require-hashes -r requirements.lock" in post_build.read_text()
    assert post_build.stat().st_mode & 0o111
    subprocess.run(["bash", "-n", post_build], check=True)
