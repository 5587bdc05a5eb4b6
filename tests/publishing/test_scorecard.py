"""The verdicts of the executed chapters are those on record, and the scorecard has them all."""

import re
from collections import Counter

import nbformat
import pandas as pd
import pytest

from pareto_core import _paths
from pareto_core.publishing.published import PAPERS, UNEXPLAINED, load_claims
from pareto_core.publishing.stamps import executed_path, rows_path

# Run times depend on what else the machine does: the page has their verdicts, no test does.
TIMED = {
    "crepon2024": {"fig4_slope2", "fig4_slope3", "fig4_slope4", "fig4_slope5", "table1_ratio"},
    "kone2025linear": {"table2_confidence", "table2_budget", "runtime"},
    "chen2024": {"table1_ratio"},
    "kone2025constrained": {"table5_dose", "table5_hypercube", "table5_simplex", "table5_ordered"},
}


def scorecard(chapter):
    path = rows_path(executed_path(chapter, "fast"))
    if not path.exists():
        pytest.skip(f"{chapter} has not been executed")
    return pd.read_csv(path, dtype=str, keep_default_na=False).set_index("id")


@pytest.mark.parametrize("chapter", PAPERS)
def test_every_claim_has_exactly_one_row(chapter):
    assert list(scorecard(chapter).index) == list(load_claims(chapter))


@pytest.mark.parametrize("chapter", PAPERS)
def test_verdicts_are_those_on_record(chapter):
    rows = scorecard(chapter)
    held = rows.index.difference(TIMED.get(chapter, set()))
    recorded = {name: load_claims(chapter)[name].verdict for name in held}
    assert rows.loc[held, "verdict"].to_dict() == recorded


@pytest.mark.parametrize("chapter", PAPERS)
def test_every_difference_has_a_reason(chapter):
    assert UNEXPLAINED not in set(scorecard(chapter)["reason"])


@pytest.mark.parametrize("chapter", PAPERS)
def test_every_claim_names_a_section_of_its_chapter(chapter):
    text = (_paths.ROOT / "notebooks" / f"{chapter}.md").read_text(encoding="utf-8")
    headings = set(re.findall(r"^#{2,3} (.*)$", text, re.MULTILINE))
    assert {claim.section for claim in load_claims(chapter).values()} <= headings


def test_timed_claims_are_claims():
    for chapter, claims in TIMED.items():
        assert claims <= set(load_claims(chapter))


def test_every_paper_is_on_record():
    with_claims = {path.stem for path in (_paths.ROOT / "notebooks").glob("*.md")} & {
        path.stem for path in (_paths.DATA / "published").glob("*.csv")
    }
    assert set(PAPERS) == with_claims


def test_scorecard_page_has_every_row_exactly_once():
    path = executed_path("scorecard", "fast")
    if not path.exists():
        pytest.skip("the scorecard has not been executed")
    shown = Counter()
    for cell in nbformat.read(path, as_version=4).cells:
        for output in cell.get("outputs", []):
            table = output.get("data", {}).get("text/html", "")
            if "published and measured" in table:
                link = r'<tr><td><a href="(\w+)\.html#[^"]*">([^<]*)</a></td>'
                shown.update(re.findall(link, table))
    assert shown == Counter((chapter, name) for chapter in PAPERS for name in load_claims(chapter))
