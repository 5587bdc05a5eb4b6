"""The page on the packages lists and documents exactly what is public."""

import re

import pytest
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


def test_no_public_name_or_parameter_disappears():
    """What `book/stability.md` promises: a deprecated name stays for one minor version."""
    now = dict(map(split, listing()))
    listed = [split(line) for line in LISTED.read_text(encoding="utf-8").splitlines()]
    broken = [name for name, old in listed if name not in now or not still_valid(old, now[name])]
    assert broken == []


@pytest.mark.parametrize(
    ("old", "new", "valid"),
    [
        ("a, b=", "a, b=", True),
        ("a, b", "a, b=", True),
        ("a", "a, b=", True),
        ("a", "a, b", False),
        ("a, b=", "a", False),
        ("a, b=", "b=, a", False),
        ("a, *, c=", "a, b=, *, c=, d=", True),
        ("a, *, c=", "a, c=", True),
        ("a, *, c=", "a, *, d=", False),
        ("a, *, c=", "a, *, c=, d", False),
        ("a, b=", "a, *, b=", False),
        ("a=", "a", False),
        ("*arms, delta=", "*arms, delta=", True),
    ],
)
def test_calls_that_stay_valid(old, new, valid):
    assert still_valid(old, new) == valid


def split(line):
    """Name and parameters of a line; those of a constant are None."""
    name, bracket, parameters = line.partition("(")
    return name, parameters.removesuffix(")") if bracket else None


def still_valid(old, new):
    """Whether every call with the old parameters is one with the new ones."""
    if old is None or new is None:
        return old == new
    (old_order, old_names), (new_order, new_names) = map(by_position_and_name, (old, new))
    in_order = new_order[: len(old_order)] == old_order
    return (
        in_order
        and {*old_names} <= {*new_names}
        and required_of(new_names) <= required_of(old_names)
    )


def by_position_and_name(parameters):
    """Names in the order of their positions, and whether each of all names is optional."""
    found = [each for each in parameters.split(", ") if each]
    end = next((k for k, each in enumerate(found) if each.startswith("*")), len(found))
    names = {each.strip("="): each[0] == "*" or each[-1] == "=" for each in found if each != "*"}
    return [each.strip("=") for each in found[:end]], names


def required_of(names):
    return {name for name, optional in names.items() if not optional}


def test_every_public_name_is_listed():
    listed = set(LISTED.read_text(encoding="utf-8").splitlines())
    assert set(listing()) <= listed, "call python tests/public_names.py > tests/public_names.txt"
