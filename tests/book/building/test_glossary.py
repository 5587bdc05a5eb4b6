"""The glossary: its entries are complete, and the chapters lead to them."""

import re

from pareto_book import paths

GLOSSARY = (paths.NOTEBOOKS.parent / "book" / "glossary.md").read_text(encoding="utf-8")
ENTRY = re.compile(r"^(\w.*)\n((?:(?:  .*)?\n)+)", re.MULTILINE)
USE = re.compile(r"\{term\}`(?:[^`<]*<)?([^`>]+)>?`")
ENTRIES = dict(ENTRY.findall(GLOSSARY.split("{glossary}\n")[1]))
USED = {
    path.stem: set(USE.findall(path.read_text(encoding="utf-8")))
    for path in sorted(paths.NOTEBOOKS.glob("*.md"))
}


def test_terms_are_in_order():
    assert 15 <= len(ENTRIES) <= 40
    assert list(ENTRIES) == sorted(ENTRIES, key=str.lower)


def test_an_entry_has_a_link():
    link = re.compile(r"\{(ref|doc|eq|prf:ref)\}`")
    assert [term for term, text in ENTRIES.items() if not link.search(text)] == []


def test_chapters_link_to_terms_and_all_of_these_exist():
    assert [chapter for chapter, terms in USED.items() if not terms] == []
    unknown = {chapter: terms - set(ENTRIES) for chapter, terms in USED.items()}
    assert {chapter: terms for chapter, terms in unknown.items() if terms} == {}


def test_every_term_is_linked_from_a_chapter():
    assert set().union(*USED.values()) == set(ENTRIES)
