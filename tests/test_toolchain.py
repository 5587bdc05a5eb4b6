"""What has to agree between the files that describe the project and its environments."""

import re
import tomllib

import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

from pareto_book.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LOCK = (ROOT / "requirements.lock").read_text()


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


def test_lock_holds_what_pyproject_declares_and_no_addresses():
    """Addresses of the machine on which it was made lead nowhere elsewhere."""
    assert "://" not in LOCK
    assert not re.search(r"^\s*--(?!hash)", LOCK, re.M)
    pins = re.findall(r"^([\w.-]+)==([^\s;\\]+)", LOCK, re.M)
    for name, requirement in declared().items():
        versions = [version for pinned, version in pins if canonicalize_name(pinned) == name]
        assert versions, f"{name} is not in requirements.lock: resolve anew (CONTRIBUTING.md)"
        assert all(Version(version) in requirement.specifier for version in versions), name


def test_binder_takes_the_lock_and_a_supported_python():
    folder = ROOT / ".binder"
    version = (folder / "runtime.txt").read_text().strip().removeprefix("python-")
    assert SpecifierSet(PROJECT["requires-python"]).contains(f"{version}.5")
    assert "--no-deps --require-hashes -r requirements.lock" in (folder / "postBuild").read_text()
    assert (folder / "postBuild").stat().st_mode & 0o111
