"""Rivals are found, made again, restored and sent like a reader's own algorithms."""

import pickle

import pytest
from references.algorithms import example_of
from references.sessions import PRIORS, new_session, one_at_a_time, queues_of_rewards, state_of

import pareto_lab as lab
from pareto_book import rivals
from pareto_core.algorithms.registry import class_named

SETTINGS = {
    "PAL": {"hyperparameters": PRIORS, "initial_samples": 9},
    "PaVeBa": {"contraction": 16.0},
    "PSIPS": {"prior": "ridge", "eta": 0.5, "sampling": "random"},
    "TTPFTS": {"budget": 30, "variance": "unrooted"},
}
EACH_RIVAL = pytest.mark.parametrize(
    "rival",
    [
        example_of(getattr(rivals, name), n_arms=4, **SETTINGS.get(name, {}))
        for name in rivals.__all__
    ],
    ids=rivals.__all__,
)


@EACH_RIVAL
def test_a_rival_is_found_by_the_name_of_its_package(rival):
    assert class_named(f"pareto_book.rivals:{type(rival).__name__}") is type(rival)


@EACH_RIVAL
def test_a_rival_can_be_sent(rival):
    assert pickle.loads(pickle.dumps(rival)) == rival


@pytest.mark.slow
@EACH_RIVAL
def test_a_session_of_a_rival_is_restored(rival, tmp_path):
    session = one_at_a_time(new_session(rival), queues_of_rewards(0))
    session.save(tmp_path / "mine.json")
    assert state_of(lab.load_session(tmp_path / "mine.json", [type(rival)])) == state_of(session)
