"""What help() shows: every public name has an example, and all examples come out as shown."""

import doctest
import importlib

import pytest
from public_names import names_of_the_door

from pareto_book.paths import ROOT

PACKAGES = ("pareto_core", "pareto_lab", "pareto_book")
PUBLIC = names_of_the_door()
FILES = [file for name in PACKAGES for file in (ROOT / name).rglob("*.py")]
SHOWN = [file for file in FILES if ">>> " in file.read_text(encoding="utf-8")]
MODULES = sorted(".".join(file.relative_to(ROOT).with_suffix("").parts) for file in SHOWN)
FINDER = doctest.DocTestFinder(exclude_empty=True)


def test_every_public_name_has_an_example():
    examples = {
        name: doctest.DocTestParser().get_examples(value.__doc__) for name, value in PUBLIC.items()
    }
    assert [name for name, found in examples.items() if not found] == []


@pytest.mark.compiled
@pytest.mark.parametrize("module", MODULES)
def test_the_examples_come_out_as_shown(module, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for test in FINDER.find(importlib.import_module(module)):
        said = []
        doctest.DocTestRunner(verbose=False).run(test, out=said.append)
        assert not said, "".join(said)
    assert not list(tmp_path.iterdir())
