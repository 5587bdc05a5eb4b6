"""Claims and tables that rest on kept runs beside an oracle."""

import numpy as np
import pytest
from references.kept_runs import runs_of

from pareto_book.chapters.one_rule import oracle_rows, oracle_tables
from pareto_book.chapters.one_rule.oracle_runs import PARETO_SET, OracleRuns
from pareto_book.kept_runs.competitions import ORACLE_COMPETITIONS

RISKS = (0.1, 1e-12)
FACTORS = {  # of the samples of TopTwoIDS
    "TopTwoIDS": 1,
    "oracle": 2,
    "oracle, exploring": 1.6,
    "Track-and-Stop": 1.5,
    "APE": 3,
    "MO-BAI": 1.8,
    "D-Tracking": 1.2,
    "Game-cPSI": 1.4,
    "e-cAPE": 2.5,
}
BASE = np.array([10, 20, 30])


def made_up(question, factors=FACTORS):
    """Runs of every entrant of a question, whose samples are multiples of one another."""
    competition = ORACLE_COMPETITIONS[question]
    names = [name.removesuffix(", oracle") for name in competition.instances]
    by_case = {
        (name, entrant, delta): runs_of(
            entrant, BASE * factors[entrant] * (1 + k), instance=name, delta=delta
        )
        for name in names
        for entrant in competition.entrants
        for k, delta in enumerate(RISKS)
    }
    return OracleRuns(RISKS, dict.fromkeys(names, 10.0), by_case)


def all_questions(factors=FACTORS):
    return {question: made_up(question, factors) for question in ORACLE_COMPETITIONS}


def test_each_claim_is_the_ratio_that_its_words_name():
    rows = oracle_rows.oracle_rows(all_questions())
    values = {name: row.value for name, row in rows.items()}
    assert values == pytest.approx(
        {
            "oracle_tenth": 1 / 2,
            "oracle_largest": 1 / 2,
            "oracle_questions": 1 / 2,
            "oracle_exploring": 1 / 1.6,
            "oracle_track": 1.5 / 2,
            "oracle_dtracking": 1.2 / 2,
            "rule_track": 1.5,
            "rule_papers": 1.2,
        }
    )


@pytest.mark.parametrize(
    ("entrant", "claim"),
    [("Game-cPSI", "rule_papers"), ("e-cAPE", "rule_papers"), ("Track-and-Stop", "rule_track")],
)
def test_an_algorithm_that_needs_fewer_samples_lowers_the_claim(entrant, claim):
    rows = oracle_rows.oracle_rows(all_questions(FACTORS | {entrant: 0.5}))
    assert rows[claim].value == pytest.approx(0.5)


def test_an_oracle_that_needs_fewer_samples_shows_in_the_claims():
    rows = oracle_rows.oracle_rows(all_questions(FACTORS | {"oracle": 0.5}))
    for name in ("oracle_tenth", "oracle_largest", "oracle_questions"):
        assert rows[name].value == pytest.approx(2.0)


def test_ratios_of_rivals_omit_questions_without_runs():
    pareto = {PARETO_SET: made_up(PARETO_SET)}
    ratios = [each.value for each in oracle_rows.rival_ratios(pareto)]
    assert sorted(set(np.round(ratios, 6))) == [1.5, 3.0]
    assert oracle_rows.rival_ratios({}) == []


def test_numbers_of_the_text_are_those_of_the_instances():
    numbers = oracle_rows.oracle_numbers(made_up(PARETO_SET))
    assert numbers["oracle_covid_samples"] == 40
    assert numbers["rule_covid_samples"] == 20
    assert numbers["five_exploring"].value == pytest.approx(1 / 1.6)
    assert numbers["wrong_rule_runs"] == 3 * len(ORACLE_COMPETITIONS[PARETO_SET].instances)


def test_tables_show_ratios_with_two_digits():
    questions = all_questions()
    assert "0.50" in oracle_tables.show_oracle(questions[PARETO_SET], "oracle").data
    assert "√t − K/2" in oracle_tables.show_oracle(questions[PARETO_SET], "oracle, exploring").data
    assert "1.80" in oracle_tables.show_papers(questions).data
    against = oracle_tables.show_against_oracle(questions).data
    assert "0.60" in against
    assert "five arms" not in against
