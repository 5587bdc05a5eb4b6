"""What the package's page says is in `pareto_core` is there, and the other way round."""

import re

import pytest

import pareto_core
from pareto_core._paths import ROOT

PAGE = (ROOT / "book" / "api.md").read_text(encoding="utf-8")
TABLE = PAGE.split("| names in `pareto_core` |")[1].split("\n\n")[0]
LISTED = re.findall(r"`(\w+)`", TABLE)


def test_the_page_lists_what_is_public():
    assert sorted(LISTED) == sorted(pareto_core.__all__)


@pytest.mark.parametrize("name", LISTED)
def test_every_name_of_the_page_is_there(name):
    assert getattr(pareto_core, name) is not None
