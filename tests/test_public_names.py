"""The page on the packages lists and documents exactly what is public."""

import re

from public_names import DOORS, LISTED, PAGE, documented, listing, names_of_the_door

import pareto_core

FUNCTIONS = re.findall(r"autofunction:: pareto_core\.(\w+)\n", PAGE)


def test_the_page_lists_what_is_public():
    for package in DOORS:
        table = PAGE.split(f"names in `{package.__name__}` |")[1].split("\n\n")[0]
        assert sorted(re.findall(r"`(\w+)`", table)) == sorted(package.__all__)


def test_every_name_is_documented_on_the_page():
    shown = {id(value) for value in documented().values()}
    shown |= {id(getattr(pareto_core, name)) for name in FUNCTIONS}
    hidden = [name for name, value in names_of_the_door().items() if id(value) not in shown]
    assert hidden == []


def test_public_names_and_their_parameters_are_those_on_record():
    """`python tests/public_names.py > tests/public_names.txt` records new ones.

    What goes or changes has to keep the promises of `book/stability.md`.
    """
    assert listing() == LISTED.read_text(encoding="utf-8").splitlines()
