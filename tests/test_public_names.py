"""What is public is on record, documented on its page, and says what it takes and returns."""

import inspect
import re

import pytest
from public_names import (
    DOORS,
    LISTED,
    PAGE,
    callables_of,
    documented,
    listing,
    names_of_the_door,
)

import pareto_core

FUNCTIONS = re.findall(r"autofunction:: pareto_core\.(\w+)\n", PAGE)
PUBLIC = names_of_the_door()


def test_the_page_lists_and_documents_what_is_public():
    for package in DOORS:
        table = PAGE.split(f"names in `{package.__name__}` |")[1].split("\n\n")[0]
        assert sorted(re.findall(r"`(\w+)`", table)) == sorted(package.__all__)
    shown = {id(value) for value in documented().values()}
    shown |= {id(getattr(pareto_core, name)) for name in FUNCTIONS}
    assert [name for name, value in PUBLIC.items() if id(value) not in shown] == []


def test_public_names_and_their_parameters_are_those_on_record():
    """`python tests/public_names.py > tests/public_names.txt` records new ones.

    What goes or changes has to keep the promises of `book/stability.md`.
    """
    assert listing() == LISTED.read_text(encoding="utf-8").splitlines()


def without_hints(function):
    """Parameters without a type, and "return" if it is not said what comes back."""
    signature = inspect.signature(function)
    parameters = [
        each for each in signature.parameters.values() if each.name not in ("self", "cls")
    ]
    missing = [each.name for each in parameters if each.annotation is each.empty]
    return missing + ["return"] * (signature.return_annotation is signature.empty)


@pytest.mark.compiled
def test_everything_public_is_annotated():
    missing = {
        f"{name} {member}".strip(): names
        for name, value in (PUBLIC | documented()).items()
        for member, function in callables_of(value).items()
        if (names := without_hints(function))
    }
    assert missing == {}
