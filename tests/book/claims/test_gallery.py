"""The list of the papers' figures and tables is complete, and each line leads somewhere."""

import re

import pytest

from pareto_book import paths
from pareto_book.claims.gallery import read_items, verdicts_of
from pareto_book.claims.scorecard import PAPERS, all_rows
from pareto_book.records.stamps import executed_path, figures_path

pytestmark = pytest.mark.built

ITEMS = list(read_items().itertuples())


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: f"{item.paper} {item.place}")
def test_an_item_has_its_label_its_figure_and_a_verdict_or_a_reason(item):
    text = (paths.NOTEBOOKS / f"{item.paper}.md").read_text(encoding="utf-8")
    assert f"({item.label})=" in text
    executed = executed_path(item.paper, "fast")
    if not executed.exists():
        pytest.skip(f"{item.paper} has not been executed")
    if item.figure:
        assert (figures_path(executed) / f"{item.figure}.png").exists()
    assert verdicts_of(all_rows({}), item)


@pytest.mark.parametrize("paper", PAPERS)
def test_every_figure_with_a_row_is_listed(paper):
    listed = [item.place for item in ITEMS if item.paper == paper]
    text = (paths.DATA / "published" / f"{paper}.csv").read_text(encoding="utf-8")
    printed = set(re.findall(rf'^\w*,{paper},"?((?:Figure|Table)s? \d+(?: and \d+)?)', text, re.M))
    assert printed <= {*listed}
