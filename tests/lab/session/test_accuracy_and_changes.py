"""Sessions with an accuracy whose arms leave, around compiled rules and rules in plain Python."""

import numpy as np
import pytest

import pareto_core as pc
import pareto_lab as lab

MEANS = {"A": [0.0, 0.0], "B": [0.0, 0.0], "C": [-4.0, -4.0]}


class InTurn(pc.PythonAlgorithm):
    """Samples the arm with the fewest samples."""

    def select(self, record, memory):
        return record.counts.argmin()


@pytest.mark.slow
@pytest.mark.parametrize("inner", [pc.TopTwoIDS(), InTurn()], ids=lambda each: type(each).__name__)
def test_a_retired_arm_is_not_asked_for_and_tied_arms_end_the_session(inner):
    algorithm, rng = pc.Certified(inner, epsilon=1.0), np.random.default_rng(0)
    session = lab.Session(algorithm, arms=list(MEANS), n_objectives=2, standard_deviation=1.0)
    latest = algorithm.latest_end(session.design.problem).samples
    while not session.finished:
        if session.samples == 30 and not session.retired:
            session.retire("C", "no longer sold", still_counts=True)
        arm = session.ask()
        assert arm != "C" or not session.retired
        session.tell(arm, rng.normal(MEANS[arm]))
    assert session.ended_by == "answer"
    assert session.recommendation.tolist() == ["A", "B"]
    assert 30 < session.samples <= latest
