"""Ratios of kept runs beside an oracle, and the evidence of pairs."""

import numpy as np
import pytest
from references.kept_runs import runs_of

import pareto_core as pc
from pareto_book.chapters.one_rule import (
    fig_oracle,
    oracle_runs,
    oracle_toy,
    paper_instances,
    rare_arm,
)
from pareto_book.chapters.one_rule.oracle_runs import PARETO_SET, OracleRuns
from pareto_book.kept_runs.competitions import ORACLE_COMPETITIONS

RISKS = (0.1, 0.01)
SAMPLES = {  # of four paired runs
    ("five arms", "TopTwoIDS"): [40, 60, 50, 50],
    ("five arms", "oracle"): [80, 120, 100, 100],
    ("COV-BOOST", "TopTwoIDS"): [30, 34, 26, 30],
    ("COV-BOOST", "oracle"): [30, 30, 30, 30],
    ("COV-BOOST", "Track-and-Stop"): [24, 20, 16, 20],
}


def made_up(samples=SAMPLES):
    """Twice as many samples at the smaller risk."""
    by_case = {
        (instance, name, delta): runs_of(
            name, (1 + k) * np.array(numbers), instance=f"{instance}, oracle", delta=delta
        )
        for (instance, name), numbers in samples.items()
        for k, delta in enumerate(RISKS)
    }
    return OracleRuns(RISKS, {"five arms": 10.0, "COV-BOOST": 20.0}, by_case)


def test_runs_with_a_constant_ratio_have_an_interval_of_no_width():
    found = made_up().ratio("five arms", "TopTwoIDS", "oracle", 0.1)
    assert (found.value, *found.interval, found.runs) == pytest.approx((0.5, 0.5, 0.5, 4))


def test_the_extreme_ratio_is_that_of_one_instance():
    runs = made_up()
    largest = oracle_runs.extreme_ratio(runs, "TopTwoIDS", "oracle", RISKS)
    least = oracle_runs.extreme_ratio(runs, "TopTwoIDS", "oracle", RISKS, largest=False)
    assert largest.value == pytest.approx(1.0)
    assert largest.interval[0] < 1 < largest.interval[1]
    assert least.value == pytest.approx(0.5)


def test_the_table_has_a_row_per_instance():
    frame = oracle_runs.oracle_table(made_up(), "TopTwoIDS", "oracle", RISKS)
    assert frame["instance"].tolist() == ["five arms", "COV-BOOST"]
    assert frame["TopTwoIDS, δ = 0.1"].tolist() == [50, 30]
    expected = 50 / oracle_toy.time_at_threshold(10.0, 0.1)
    assert frame["over tᵦ"][0] == pytest.approx(expected)


def test_a_rival_that_needs_fewer_samples_shows_in_the_table():
    frame = paper_instances.paper_table({PARETO_SET: made_up()})
    rows = frame.set_index(["instance", "algorithm"])
    assert rows.loc[("COV-BOOST", "Track-and-Stop"), "ratio at 0.1"].value == pytest.approx(2 / 3)
    assert np.isnan(rows.loc[("five arms", "APE"), "ratio at 0.1"])


def test_questions_without_the_reference_are_omitted():
    only_oracle = {key: value for key, value in SAMPLES.items() if key[1] == "oracle"}
    assert paper_instances.paper_table({PARETO_SET: made_up(only_oracle)}).empty


def test_the_instances_of_papers_are_in_the_competitions():
    for paper in paper_instances.PAPERS:
        competition = ORACLE_COMPETITIONS[paper.question]
        assert set(paper.rivals) <= set(competition.entrants)
        assert {f"{name}, oracle" for name in paper.instances} <= set(competition.instances)


def test_the_least_evidence_of_a_pair_is_the_transportation_cost():
    n_pairs, gap, end = 3, 1.0, 120
    algorithm = pc.TopTwoIDS(delta=1e-200)
    times, evidence = fig_oracle.pair_evidences(algorithm, n_pairs, gap, end, seed=1)
    instance = oracle_toy.pairs_instance(n_pairs, gap)
    run = pc.trajectory(algorithm, instance, times, seed=1)
    for k in range(60, times.size, 20):
        cost = pc.transport_cost(run.means[k], run.counts[k]).value
        assert abs(evidence[k].min()) == pytest.approx(cost)


def test_a_raised_proportion_is_that_of_the_rarest_arm():
    raised = rare_arm.raise_rarest([0.5, 0.1, 0.4], 3.0)
    np.testing.assert_allclose(raised, np.array([0.5, 0.3, 0.4]) / 1.2)


def test_the_table_of_the_rare_arm_begins_with_the_optimum():
    instance = oracle_toy.pairs_instance(1, 2.0)
    frame = rare_arm.rare_arm_table(instance, (1, 3), (0.1,), runs=5, seed=0, n_jobs=1)
    assert frame["of C*"][0] == pytest.approx(1.0, rel=1e-4)
    assert frame["of C*"][1] == pytest.approx(4 * 0.25 * 0.75, rel=1e-4)
