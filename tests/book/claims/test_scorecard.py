"""Counts of the rows of all chapters."""

import numpy as np
import pandas as pd
import pytest
from references.claim_files import NUMBER, STATEMENT, make_claim, write_claims

from pareto_book import paths
from pareto_book.claims.claims import CONCLUSION
from pareto_book.claims.criteria import CONTRARY, DIFFERS, REPRODUCED, UNDECIDED
from pareto_book.claims.scorecard import all_rows, counts, totals

LEFT_OPEN = {"left_open": "the noise", "verdict": UNDECIDED}
MEASURED = {"measured": 2.0, "low": 1.9, "high": 2.1, "runs": 40}
FIELDS = ("kind", "verdict", "difference", "stand_in")
CLAIMS = [
    ("chen2024", make_claim(STATEMENT, left_open="the draw", verdict=CONTRARY)),
    ("auer2016", make_claim(STATEMENT, verdict=DIFFERS, difference=CONCLUSION)),
    ("auer2016", make_claim(STATEMENT, stand_in="the means")),
    ("auer2016", make_claim(NUMBER, **LEFT_OPEN)),  # 100 is outside
    ("auer2016", make_claim(NUMBER, **LEFT_OPEN, published="2")),
]
ROWS = pd.DataFrame(
    [
        MEASURED | {name: getattr(claim, name) for name in FIELDS} | {"paper": p, "claim": claim}
        for p, claim in CLAIMS
    ]
)


def test_a_number_from_few_runs_is_not_counted_as_outside():
    assert counts(ROWS)["numbers outside"] == 1
    assert counts(ROWS.assign(runs=5))["numbers outside"] == 0
    exact = ROWS.assign(low=np.nan, high=np.nan, runs=np.nan)
    assert counts(exact)["numbers outside"] == 1


def test_totals_have_a_line_for_each_paper():
    found = totals(ROWS, "paper")
    assert found.loc["auer2016", ["rows", DIFFERS, REPRODUCED, UNDECIDED]].tolist() == [4, 1, 1, 2]
    assert found.loc["chen2024", CONTRARY] == 1


def test_a_chapter_that_is_not_in_the_table_of_contents_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(paths, "DATA", tmp_path)
    write_claims(tmp_path / "published" / "new2026.csv", [NUMBER])
    with pytest.raises(ValueError, match=r"'- file: book/chapters/new2026' in _toc.yml"):
        all_rows({})
