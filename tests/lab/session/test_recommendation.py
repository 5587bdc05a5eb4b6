"""The recommendation of a session, before the end and at the end."""

import pytest
from references.sessions import ALGORITHMS, FEATURES, MEANS, REGION, name_of, new_session

import pareto_core as pc
import pareto_lab as lab
from pareto_book.rivals import LinearPAL
from pareto_core.geometry.partition import is_valid_partition

RIGHT = {
    pc.PARETO_SET.name: [0, 1, 2],
    pc.BEST_ARMS.name: [0, 1],
    pc.CONSTRAINED_PARETO_SET.name: [0, 2],
    pc.PARTITION.name: [[0, 2], [], [1, 3]],
}


def answer_of(session):
    """The recommendation as lists."""
    answer = session.recommendation
    if session.algorithm.question is pc.PARTITION:
        return [part.tolist() for part in answer]
    return None if answer is None else answer.tolist()


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=name_of)
def test_before_the_end_the_answer_is_that_for_the_means_so_far(algorithm, tmp_path):
    session = new_session(algorithm)
    session.save(tmp_path / "mine.json")
    assert lab.load_session(tmp_path / "mine.json").algorithm == algorithm
    while session.pulls.min() == 0 and not session.finished:
        arm = session.ask()
        session.tell(arm, MEANS[arm])
    if session.finished and algorithm.question is pc.PARTITION:  # arm 3 is dominated, too
        assert is_valid_partition(MEANS, REGION, session.recommendation)
    elif not session.finished:
        assert answer_of(session) == RIGHT[algorithm.question.name]


@pytest.mark.parametrize("algorithm", [pc.GEGE(), LinearPAL()])
def test_a_linear_model_needs_no_sample_of_each_arm(algorithm):
    session = lab.Session(algorithm, 4, 2, 1.0, features=FEATURES)
    assert session.recommendation is None
    arm = session.ask()
    while session.ask() == arm:
        session.tell(arm, MEANS[arm])
        assert session.recommendation is None
    session.tell(session.ask(), MEANS[session.ask()])
    assert session.pulls.min() == 0
    assert session.recommendation.tolist() == [0, 1, 2]


def test_at_the_end_the_answer_is_the_algorithm_s_own():
    session = lab.Session(pc.APE(epsilon=0.5, variance_bound=0.006), 3, 1)
    for reward in (1.0, 0.9, 0.0):
        session.tell(session.ask(), [reward])
    assert session.finished
    assert session.recommendation.tolist() == [0, 1]  # arm 1 is dominated by less than epsilon
