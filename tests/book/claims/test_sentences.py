"""Sentences that cells check: they stand on a page, and the last execution supports them."""

import re

import pytest
from references.held_sentences import HELD, PAGES, prose_of

from pareto_book import paths
from pareto_book.claims.card import SENTENCE, read_measurements
from pareto_book.records.stamps import executed_path, rows_path

pytestmark = pytest.mark.built

CHAPTERS = [chapter for chapter, sentences in HELD.items() if sentences]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_sentence_that_is_checked_stands_on_a_page_once_in_the_cells(chapter):
    pages = "\n".join(map(prose_of, PAGES))
    assert [each for each in HELD[chapter] if each not in pages] == []
    assert len(set(HELD[chapter])) == len(HELD[chapter])


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_sentence_holds_at_seed_0(chapter):
    path = rows_path(executed_path(chapter, "fast"))
    if not path.exists():
        pytest.skip(f"{chapter} has not been executed")
    rows = read_measurements(path)
    rows = rows[rows.index.str.startswith(SENTENCE)]
    assert sorted(rows["sentence"]) == sorted(HELD[chapter])
    assert rows[rows["measured"] != 1.0]["sentence"].tolist() == []


NUMBER = re.compile(r"(?<![\w.$])\d")
NOT_SAID = re.compile(r"\$[^$]*\$|\{[\w:]+\}`[^`]*`|\[[^\]]*\]\([^)]*\)|(?<!\})`[^`]*`|<[^>]*>")
CONCLUSIONS = {"README": "What it found", "intro": "Which algorithm"}  # by their headings


def concluded_on(page):
    """Sentences with which a page concludes: its box, and on front pages a section."""
    path = paths.ROOT / "README.md" if page == "README" else paths.NOTEBOOKS / f"{page}.md"
    text = path.read_text(encoding="utf-8")
    parts = re.findall(r"```\{admonition\} In short\n:class: note\n(.*?)```", text, re.DOTALL)
    if heading := CONCLUSIONS.get(page):
        parts += re.findall(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    prose = " ".join(re.sub(r"^```\{.*?^```$", "", part, flags=re.DOTALL | re.M) for part in parts)
    return re.split(r"(?<=[.!?:])\s+(?=[A-Z`*-])", " ".join(prose.split()))


@pytest.mark.parametrize("page", ["README", *HELD])
def test_a_number_with_which_a_page_concludes_is_checked(page):
    held = [sentence for sentences in HELD.values() for sentence in sentences]
    bare = [
        each
        for each in concluded_on(page)
        if NUMBER.search(NOT_SAID.sub("", each))
        and not any(one in each or each in one for one in held)
    ]
    assert bare == []
