"""The page on the packages lists and documents exactly what is public."""

import re

from public_names import DOORS, PAGE, documented, names_of_the_door

import pareto_core
import pareto_lab

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
