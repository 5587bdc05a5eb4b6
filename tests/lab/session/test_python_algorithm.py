"""Sessions of algorithms in plain Python: reproducible, saved, and restored."""

import numpy as np
import pytest
from references.python_algorithms import TWINS, AtRandom

import pareto_lab as lab


@pytest.mark.compiled
@pytest.mark.parametrize("python, compiled", TWINS, ids=repr)
def test_a_session_goes_the_way_of_the_compiled_algorithm(python, compiled):
    sessions = [lab.Session(each, 4, 2, 1.0) for each in (python, compiled)]
    rng = np.random.default_rng(1)
    means = rng.standard_normal((4, 2))
    for _ in range(300):
        if sessions[0].finished:
            break
        arm = sessions[0].ask()
        assert sessions[1].ask() == arm
        reward = means[arm] + rng.standard_normal(2)
        for session in sessions:
            session.tell(arm, reward)
        assert sessions[0].finished == sessions[1].finished
        np.testing.assert_array_equal(sessions[0].means, sessions[1].means)


def play(session, rng, most=1000):
    while not session.finished and session.samples < most:
        session._state.run.answer(), session.recommendation  # looking must not change what follows
        session.ask_many(2)
        session.tell(arm := session.ask(), [arm, rng.standard_normal()])
    return session


def test_a_restored_session_continues_the_same_randomness(tmp_path):
    for stop in range(0, 12, 3):
        session = lab.Session(AtRandom(budget=12), 3, 2, 1.0, seed=7)
        rng = np.random.default_rng(0)
        play(session, rng, stop)
        session.save(path := tmp_path / f"{stop}.json")
        restored = lab.load_session(path, algorithms=[AtRandom])
        state = rng.bit_generator.state
        play(session, rng)
        rng.bit_generator.state = state
        play(restored, rng)
        assert restored.pulls.tolist() == session.pulls.tolist()
        assert restored.recommendation.tolist() == session.recommendation.tolist()
        np.testing.assert_array_equal(restored.means, session.means)


def test_the_seed_controls_randomised_algorithms():
    pulls = {
        tuple(play(lab.Session(AtRandom(30), 3, 2, 1.0, seed=seed), np.random.default_rng(0)).pulls)
        for seed in (0, 1, 2)
    }
    assert len(pulls) == 3


def test_a_file_names_only_algorithms_that_are_known(tmp_path):
    session = lab.Session(AtRandom(), 3, 2, 1.0)
    session.save(path := tmp_path / "mine.json")
    with pytest.raises(ValueError, match="algorithm = 'AtRandom'; expected one of"):
        lab.load_session(path)
    for wrong in (AtRandom, [AtRandom()], [int], "AtRandom"):
        with pytest.raises(ValueError, match=r"algorithms = .*; expected subclasses"):
            lab.load_session(path, algorithms=wrong)


def test_an_algorithm_with_the_name_of_a_package_algorithm_is_not_saved(tmp_path):
    kind = type("APE", (AtRandom,), {})
    with pytest.raises(ValueError, match="expected a different name for its class"):
        lab.Session(kind(), 3, 2, 1.0).save(tmp_path / "ape.json")
