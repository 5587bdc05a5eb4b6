"""The page on the packages lists and documents exactly what is public."""

import re

import pytest
from public_names import DOORS, PAGE, documented, names_of_the_door

import pareto_core
import pareto_lab

FUNCTIONS = re.findall(r"autofunction:: pareto_core\.(\w+)\n", PAGE)


def test_the_page_lists_what_is_public():
    for package in DOORS:
        table = PAGE.split(f"names in `{package.__name__}` |")[1].split("\n\n")[0]
        assert sorted(re.findall(r"`(\w+)`", table)) == sorted(package.__all__)


@pytest.mark.parametrize("name", ["Comparison", "Session", "compare", "explain", "load_session"])
def test_an_old_name_says_where_it_went(name):
    with pytest.raises(AttributeError, match=f"is now pareto_lab.{name}; install it with pip"):
        getattr(pareto_core, name)
    assert getattr(pareto_lab, name) is not None


def test_every_name_is_documented_on_the_page():
    shown = {id(value) for value in documented().values()}
    shown |= {id(getattr(pareto_core, name)) for name in FUNCTIONS}
    hidden = [name for name, value in names_of_the_door().items() if id(value) not in shown]
    assert hidden == []
