"""The verdicts of the executed chapters are those on record."""

import pandas as pd
import pytest

from pareto_core import _paths
from pareto_core.published import UNEXPLAINED, load_claims

CHAPTERS = sorted(path.stem for path in (_paths.ROOT / "notebooks").glob("*.md"))

# Run times depend on what else the machine does: the page has their verdicts, no test does.
TIMED = {
    "crepon2024": {"fig4_slope2", "fig4_slope3", "fig4_slope4", "fig4_slope5", "table1_ratio"},
    "kone2025linear": {"table2_confidence", "table2_budget", "runtime"},
    "chen2024": {"table1_ratio"},
    "kone2025constrained": {"table5_dose", "table5_hypercube", "table5_simplex", "table5_ordered"},
}


def scorecard(chapter):
    path = _paths.SCORECARDS / f"{chapter}-fast.csv"
    if not path.exists():
        pytest.skip(f"{chapter} has not been executed")
    return pd.read_csv(path, dtype=str, keep_default_na=False).set_index("id")


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_claim_has_exactly_one_row(chapter):
    assert list(scorecard(chapter).index) == list(load_claims(chapter))


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_verdicts_are_those_on_record(chapter):
    rows = scorecard(chapter)
    on_data = rows.index[rows["stand_in"] == "False"]  # a stand-in's verdicts may be others
    on_data = on_data.difference(TIMED.get(chapter, set()))
    recorded = {name: load_claims(chapter)[name].verdict for name in on_data}
    assert rows.loc[on_data, "verdict"].to_dict() == recorded


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_difference_has_a_reason(chapter):
    assert UNEXPLAINED not in set(scorecard(chapter)["reason"])


def test_timed_claims_are_claims():
    for chapter, claims in TIMED.items():
        assert claims <= set(load_claims(chapter))
