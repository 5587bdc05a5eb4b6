"""The glossary: its entries are complete, and the chapters lead to them."""

import re

import pytest

from pareto_book import paths

GLOSSARY = (paths.NOTEBOOKS.parent / "book" / "glossary.md").read_text(encoding="utf-8")
ENTRY = re.compile(r"^(\w.*)\n((?:  .*\n)+)", re.MULTILINE)
USE = re.compile(r"\{term\}`(?:[^`<]*<)?([^`>]+)>?`")
ENTRIES = dict(ENTRY.findall(GLOSSARY.split("{glossary}\n")[1]))
USED = {
    path.stem: set(USE.findall(path.read_text(encoding="utf-8")))
    for path in sorted(paths.NOTEBOOKS.glob("*.md"))
}


def test_terms_are_in_order():
    assert 15 <= len(ENTRIES) <= 25
    assert list(ENTRIES) == sorted(ENTRIES, key=str.lower)


@pytest.mark.parametrize("term", ENTRIES)
def test_an_entry_has_two_sentences_and_a_link(term):
    text = re.sub(r"\$[^$]*\$", "x", ENTRIES[term].strip())
    assert len(re.findall(r"\.(?= |$)", text)) == 2, text
    assert re.search(r"\{(ref|doc|eq|prf:ref)\}`", text)


@pytest.mark.parametrize("chapter", USED)
def test_a_chapter_links_to_terms_that_exist(chapter):
    assert USED[chapter], f"{chapter} links to no entry of the glossary"
    assert USED[chapter] <= set(ENTRIES)


def test_every_term_is_linked_from_a_chapter():
    assert set().union(*USED.values()) == set(ENTRIES)
