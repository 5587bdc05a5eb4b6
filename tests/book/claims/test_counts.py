"""Counts of rows that pages and the book's own claims rest on."""

import numpy as np
import pandas as pd
from references.claim_files import NUMBER, STATEMENT, make_claim

from pareto_book.claims.claims import CONCLUSION
from pareto_book.claims.counts import kind_counts, row_counts
from pareto_book.claims.criteria import CONTRARY, DIFFERS, REPRODUCED, UNDECIDED

COLUMNS = ["paper", "verdict", "claim", "measured", "low", "high", "runs"]
LEFT_OPEN = {"left_open": "the noise", "verdict": UNDECIDED}
OURS = make_claim(STATEMENT, left_open="the draw", verdict=CONTRARY)
CONCLUDED = make_claim(STATEMENT, verdict=DIFFERS, difference=CONCLUSION)


def rows_of(*rows):
    values = (2.0, 1.9, 2.1, 40)
    return pd.DataFrame([(*row, *values)[: len(COLUMNS)] for row in rows], columns=COLUMNS)


ROWS = rows_of(
    ("chen2024", CONTRARY, OURS),
    ("auer2016", DIFFERS, CONCLUDED),
    ("auer2016", REPRODUCED, make_claim(STATEMENT, stand_in="the means")),
    ("auer2016", UNDECIDED, make_claim(NUMBER, **LEFT_OPEN)),  # 100 is outside
    ("auer2016", UNDECIDED, make_claim(NUMBER, **LEFT_OPEN, published="2")),
    ("saerens2026", CONTRARY, OURS),
)


def test_comparisons_that_come_out_the_other_way_are_counted_whatever_their_verdict():
    counts = row_counts(ROWS)
    assert (counts["contrary"], counts["contrary_elsewhere"]) == (2, 1)
    assert (counts["numbers_share"], counts["statements_share"]) == (0, 1 / 3)


def test_kinds_are_counted_apart_for_the_text():
    counts = kind_counts(ROWS)
    assert (counts["numbers_rows"], counts["numbers_open"], counts["numbers_outside"]) == (2, 2, 1)
    assert (counts["statements_contrary"], counts["statements_on_stand_ins"]) == (1, 1)
    assert counts["newcomers"] == 1


def test_a_number_from_few_runs_is_not_counted_as_outside():
    assert kind_counts(ROWS.assign(runs=5))["numbers_outside"] == 0
    exact = ROWS.assign(low=np.nan, high=np.nan, runs=np.nan)
    assert kind_counts(exact)["numbers_outside"] == 1
