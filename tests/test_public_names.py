"""What the package's page says is in `pareto_core` is there, and the other way round."""

import re

import pytest
from public_names import PAGE, documented, names_of_the_door

import pareto_core

TABLE = PAGE.split("| names in `pareto_core` |")[1].split("\n\n")[0]
FUNCTIONS = re.findall(r"autofunction:: pareto_core\.(\w+)\n", PAGE)
LISTED = re.findall(r"`(\w+)`", TABLE)


def test_the_page_lists_what_is_public():
    assert sorted(LISTED) == sorted(pareto_core.__all__)


@pytest.mark.parametrize("name", LISTED)
def test_every_name_of_the_page_is_there(name):
    assert getattr(pareto_core, name) is not None


def test_every_name_is_documented_on_the_page():
    shown = {id(value) for value in documented().values()}
    shown |= {id(getattr(pareto_core, name)) for name in FUNCTIONS}
    hidden = [name for name, value in names_of_the_door().items() if id(value) not in shown]
    assert hidden == []
