"""Sessions of algorithms in plain Python: reproducible, saved, and restored."""

import numpy as np
import pytest
from references.python_algorithms import AtRandom

import pareto_lab as lab


def play(session, rng, most=1000):
    while not session.finished and session.samples < most:
        session._state.run.answer(), session.recommendation  # looking must not change what follows
        session.ask_many(2)
        session.tell(arm := session.ask(), [arm, rng.standard_normal()])
    return session


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
