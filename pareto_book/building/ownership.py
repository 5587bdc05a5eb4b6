"""What the owner of the repository fills in: whether the files agree on it, and what is missing.

``OWNER.md`` has the steps. The files are ``CITATION.cff``, ``.zenodo.json``, ``pyproject.toml``,
``paper.md`` and ``_config.yml``.
"""

import json
import re
import tomllib
from pathlib import Path

import yaml

__all__ = ["authors", "ownership_problems", "to_fill_in"]

PLACEHOLDER = "The pareto_core authors"
IN_CITATION = {"Homepage": "url", "Repository": "repository-code"}  # of [project.urls]
EXAMPLE = re.compile(r"\b(OWNER|REPOSITORY)\b")  # in an address that nobody has filled in


def authors(root: Path) -> dict[str, list[str]]:
    """Read the authors that each file of the project names.

    Parameters
    ----------
    root : pathlib.Path
        Folder of the repository.

    Returns
    -------
    dict of str to list of str
        Names by the name of the file.
    """
    text = {name: (root / name).read_text(encoding="utf-8") for name in ("paper.md", "_config.yml")}
    settings = yaml.safe_load(text["_config.yml"])
    return {
        "CITATION.cff": [_full_name(each) for each in _citation(root)["authors"]],
        ".zenodo.json": _names(json.loads(_read(root, ".zenodo.json"))["creators"]),
        "pyproject.toml": _names(_project(root)["authors"]),
        "paper.md": _names(yaml.safe_load(text["paper.md"].split("---")[1])["authors"]),
        "_config.yml": re.split(r", | and ", settings["author"]),
    }


def ownership_problems(root: Path) -> list[str]:
    """Find authors and addresses on which the files do not agree.

    Parameters
    ----------
    root : pathlib.Path
        Folder of the repository.

    Returns
    -------
    list of str
        A sentence for each problem.
    """
    named = authors(root)
    expected = {_words(each) for each in named["CITATION.cff"]}
    problems = [
        f"{file} names {', '.join(names)}; expected the authors of CITATION.cff"
        for file, names in named.items()
        if {_words(each) for each in names} != expected
    ]
    addresses, citation = _addresses(root), _citation(root)
    for name, field in IN_CITATION.items():
        address, cited = addresses.get(name), citation.get(field)
        if address is not None and EXAMPLE.search(address):
            problems.append(f"pyproject.toml has {name} = {address!r}; expected a real address")
        if cited != address:
            problems.append(
                f"CITATION.cff has {field} = {cited!r}; expected {address!r}, as {name} in "
                "[project.urls] of pyproject.toml"
            )
    return problems


def to_fill_in(root: Path) -> list[str]:
    """List what only the owner of the repository can fill in, and has not.

    Parameters
    ----------
    root : pathlib.Path
        Folder of the repository.

    Returns
    -------
    list of str
        A line for each, with the step of ``OWNER.md``.
    """
    with_placeholder = [file for file, names in authors(root).items() if PLACEHOLDER in names]
    addresses = _addresses(root)
    missing = [f"[project.urls] {name}" for name in IN_CITATION if name not in addresses]
    found = []
    if with_placeholder:
        found.append(f"the authors, in {', '.join(with_placeholder)} (OWNER.md, step 1)")
    if missing:
        found.append(f"addresses: {', '.join(missing)} of pyproject.toml (OWNER.md, step 2)")
    if "doi" not in _citation(root):
        found.append("the DOI, in CITATION.cff (OWNER.md, step 6)")
    return found


def _read(root, name):
    return (root / name).read_text(encoding="utf-8")


def _project(root):
    return tomllib.loads(_read(root, "pyproject.toml"))["project"]


def _addresses(root):
    return _project(root).get("urls", {})


def _citation(root):
    return yaml.safe_load(_read(root, "CITATION.cff"))


def _names(people):
    return [each["name"] for each in people]


def _full_name(person):
    """Name of an entity, or the given and the family name of a person."""
    return person.get("name") or f"{person['given-names']} {person['family-names']}"


def _words(name):
    """Words of a name in any order: Zenodo has the family name first."""
    return frozenset(re.findall(r"[^\s,]+", name.casefold()))
