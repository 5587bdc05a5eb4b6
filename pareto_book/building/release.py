"""Check that a release is complete: ``python -m pareto_book.building.release``."""

import argparse
import json
import re
import sys
import tomllib
from pathlib import Path

import yaml
from pybtex.database import parse_file

from pareto_book import paths
from pareto_book.building.ownership import ownership_problems, to_fill_in

MAX_PRINTED = 20  # problems
DOI = re.compile(r"10\.\d{4,9}/[^\s{}\\]+")
URL = re.compile(r"https://[a-z0-9.-]+\.[a-z]{2,}/[^\s{}\\]+")
ARXIV = re.compile(
    r"https://arxiv\.org/abs/\d{4}\.\d{4,5}"
)  # without a version, for the newest one
SECTION = re.compile(r"^## (\d+\.\d+\.\d+) - (\d{4}-\d{2}-\d{2})$", re.MULTILINE)
# The time of a build, if a page states it: "Last updated on Nov 22, 2026." or an ISO time.
TIMES = re.compile(
    rb"Last updated on [^<]*"
    rb"|\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?"
)


def versions(root):
    """Read the version that each file of the project states.

    Parameters
    ----------
    root : pathlib.Path
        Folder of the repository.

    Returns
    -------
    dict of str to str or None
        By the name of the file; None if it states no version. The version of ``CHANGELOG.md`` is
        that of its newest numbered section.
    """
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    deposit = json.loads((root / ".zenodo.json").read_text(encoding="utf-8"))
    package = (root / "pareto_core" / "__init__.py").read_text(encoding="utf-8")
    in_package = re.search(r'^__version__ = "(.*)"$', package, re.MULTILINE)
    return {
        "pyproject.toml": project["version"],
        "CITATION.cff": _citation(root).get("version"),
        ".zenodo.json": deposit.get("version"),
        "CHANGELOG.md": _newest_section(root)[0],
        "pareto_core.__version__": in_package and in_package[1],
    }


def version_problems(root):
    """Find versions and dates of a release that do not agree.

    Parameters
    ----------
    root : pathlib.Path
        Folder of the repository.

    Returns
    -------
    list of str
        A sentence for each problem.
    """
    stated = versions(root)
    expected = stated["pyproject.toml"]
    problems = [
        f"{name} states version {version}; expected {expected}, as in pyproject.toml"
        for name, version in stated.items()
        if version != expected
    ]
    _, date = _newest_section(root)
    released = str(_citation(root).get("date-released"))
    if date is not None and date != released:
        problems.append(
            f"CITATION.cff was released {released}; expected {date}, as in CHANGELOG.md"
        )
    if re.search(r"^## Unreleased\n++(?!## |\Z)", _changelog(root), re.MULTILINE):
        problems.append("CHANGELOG.md has changes under Unreleased; expected a version and a date")
    return problems


def reference_problems(bibliography):
    """Find links of references with an invalid form, without opening them.

    Parameters
    ----------
    bibliography : path-like
        A BibTeX file.

    Returns
    -------
    list of str
        A sentence for each problem.
    """
    problems = []
    for key, entry in parse_file(str(bibliography), "bibtex").entries.items():
        doi, url = entry.fields.get("doi"), entry.fields.get("url")
        if doi is not None and not DOI.fullmatch(doi):
            problems.append(f"{key} has doi = {doi!r}; expected 10.NUMBER/NAME")
        if url is not None and not URL.fullmatch(url):
            problems.append(f"{key} has url = {url!r}; expected https://HOST/PATH")
        elif url is not None and "arxiv.org" in url and not ARXIV.fullmatch(url):
            problems.append(f"{key} has url = {url!r}; expected https://arxiv.org/abs/NUMBER")
    return problems


def page_differences(first, second):
    """Compare two builds of the pages, except for the times of the builds in HTML files.

    Parameters
    ----------
    first, second : pathlib.Path
        Folders of HTML.

    Returns
    -------
    list of str
        A sentence for each file that differs.

    Raises
    ------
    ValueError
        If a folder has no pages.
    """
    files = []
    for folder in (first, second):
        files.append({path.relative_to(folder) for path in folder.rglob("*") if path.is_file()})
        if not any(path.suffix == ".html" for path in files[-1]):
            raise ValueError(f"folder = {str(folder)!r} has no pages; expected a build of the book")
    found = [f"{path} is in only one of the builds" for path in sorted(files[0] ^ files[1])]
    for path in sorted(files[0] & files[1]):
        if _content(first / path) != _content(second / path):
            found.append(f"{path} differs")
    return found


def main(arguments=None):
    """Print the problems, and return the exit status of the program."""
    parser = argparse.ArgumentParser(prog="python -m pareto_book.building.release")
    parser.add_argument(
        "--compare", nargs=2, type=Path, metavar="FOLDER", help="compare two builds of the pages"
    )
    folders = parser.parse_args(arguments).compare
    if folders:
        problems = page_differences(*folders)
    else:
        problems = version_problems(paths.ROOT) + ownership_problems(paths.ROOT)
        for each in (paths.BIBLIOGRAPHY, paths.ROOT / "paper.bib"):
            problems += reference_problems(each)
        for each in to_fill_in(paths.ROOT):
            print(f"to fill in: {each}")
    for problem in problems[:MAX_PRINTED]:
        print(f"error: {problem}", file=sys.stderr)
    if len(problems) > MAX_PRINTED:
        print(f"and {len(problems) - MAX_PRINTED} more", file=sys.stderr)
    if not problems:
        print("no problems found")
    return 1 if problems else 0


def _citation(root):
    return yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))


def _changelog(root):
    return (root / "CHANGELOG.md").read_text(encoding="utf-8")


def _newest_section(root):
    """Version and date of the first numbered section of the changelog, or two None values."""
    found = SECTION.search(_changelog(root))
    return found.groups() if found else (None, None)


def _content(path):
    content = path.read_bytes()
    return TIMES.sub(b"", content) if path.suffix == ".html" else content


if __name__ == "__main__":
    sys.exit(main())
