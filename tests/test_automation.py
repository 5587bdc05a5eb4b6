"""What runs by itself, in workflows, before commits and on Binder, fits the project."""

import re
import shlex
import subprocess
import tomllib

import pytest
import yaml
from packaging.specifiers import SpecifierSet

from pareto_book.paths import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PYTHONS = [f"3.{minor}" for minor in range(30)]


def steps(path):
    """Steps of all jobs of a workflow."""
    return [step for job in read(path)["jobs"].values() for step in job["steps"]]


def read(path):
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def supported():
    """Versions of Python that pyproject.toml allows."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    allowed = SpecifierSet(project["requires-python"])
    return [version for version in PYTHONS if allowed.contains(f"{version}.5")]


def test_oldest_and_newest_python_are_tested():
    matrix = read(ROOT / ".github" / "workflows" / "book.yml")["jobs"]["test"]["strategy"]["matrix"]
    tested = {(entry["os"].partition("-")[0], entry["python"]) for entry in matrix["include"]}
    oldest, *_, newest = supported()
    assert {("ubuntu", oldest), ("ubuntu", newest)} <= tested
    assert "macos" in dict(tested)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_are_pinned_by_commit_and_say_their_version(path):
    used = [step["uses"] for step in steps(path) if "uses" in step]
    assert used
    lines = re.findall(r"uses: (.*)", path.read_text(encoding="utf-8"))
    assert len(lines) == len(used)
    assert all(
        re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line) for line in lines
    )


def test_actions_and_libraries_are_kept_up_to_date():
    updates = read(ROOT / ".github" / "dependabot.yml")["updates"]
    assert {each["package-ecosystem"] for each in updates} == {"github-actions", "pip"}


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_make_knows_what_the_workflows_ask_of_it(path):
    lines = "\n".join(step.get("run", "") for step in steps(path)).splitlines()
    called = [shlex.split(line)[1:] for line in lines if line.startswith("make ")]
    assert called or path.stem == "figures"  # which does without make
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target, *variables in called:
        assert re.search(rf"^{target}: ", makefile, re.MULTILINE), target
        for variable in variables:
            assert re.search(rf"^{variable.partition('=')[0]} \?=", makefile, re.MULTILINE)


def test_only_main_and_releases_are_published():
    jobs = read(ROOT / ".github" / "workflows" / "book.yml")["jobs"]
    deploys = [job for job in jobs.values() if "deploy" in str(job["steps"])]
    (job,) = deploys
    assert job["if"] == "github.event_name == 'release' || github.ref == 'refs/heads/main'"
    assert set(job["needs"]) == {"test", "pages"}


def test_only_pages_with_all_runs_are_published():
    pages = read(ROOT / ".github" / "workflows" / "book.yml")["jobs"]["pages"]
    profile = "${{ github.event_name == 'pull_request' && 'fast' || 'full' }}"
    assert pages["env"] == {"PROFILE": profile}
    assert {"run": 'make book PROFILE="$PROFILE"'} in pages["steps"]
    uploads = {
        step["uses"].partition("@")[0]: step["if"] for step in pages["steps"] if "if" in step
    }
    assert uploads == {
        "actions/upload-artifact": "github.event_name == 'pull_request'",
        "actions/upload-pages-artifact": "github.event_name != 'pull_request'",
    }


def test_hooks_call_programs_of_the_lock_on_files_that_are_there():
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    (repository,) = read(ROOT / ".pre-commit-config.yaml")["repos"]
    assert repository["repo"] == "local"
    for hook in repository["hooks"]:
        assert hook["language"] == "system"
        program = shlex.split(hook["entry"])[0]
        assert program == "bash" or f"\n{program.removeprefix('.venv/bin/')}==" in lock
    (pattern,) = [hook["files"] for hook in repository["hooks"] if "files" in hook]
    assert re.search(pattern, "notebooks/crepon2024.md")
    assert not re.search(pattern, "book/api.md")


def test_binder_takes_the_lock_and_a_supported_python():
    folder = ROOT / ".binder"
    version = (folder / "runtime.txt").read_text().strip().removeprefix("python-")
    assert version in supported()
    post_build = folder / "postBuild"
    assert "--no-deps --require-hashes -r requirements.lock" in post_build.read_text()
    assert post_build.stat().st_mode & 0o111
    subprocess.run(["bash", "-n", post_build], check=True)
