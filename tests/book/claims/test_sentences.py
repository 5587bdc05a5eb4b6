"""Sentences that cells check: they stand on a page, and the last execution supports them."""

import pytest
from pareto_book.records.scorecard import read_measurements
from references.held_sentences import HELD, PAGES, prose_of

from pareto_book.claims.card import SENTENCE
from pareto_book.records.stamps import executed_path, rows_path

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
    assert sorted(rows["reason"]) == sorted(HELD[chapter])
    assert rows[rows["measured"] != 1.0]["reason"].tolist() == []
