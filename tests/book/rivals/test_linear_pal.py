"""PAL with least squares: whole runs, and their answers."""

import numpy as np
import pytest
from references import pareto as reference
from references.pal import PlainLinearPAL, follow

from pareto_book.rivals import LinearPAL
from pareto_core import Instance, gaps, simulate
from pareto_lab import Session


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [0.0, 0.3])
def test_linear_pal_is_the_plain_algorithm(epsilon):
    rng = np.random.default_rng(2025)
    rounds = []
    while len(rounds) < 30:
        n_arms, d, h = (int(rng.integers(*bounds)) for bounds in ((2, 9), (1, 4), (1, 5)))
        features = rng.standard_normal((n_arms, h))
        features[:, -1] = 2 * features[:, 0]  # not of full rank, unless there is one only
        if len(rounds) % 2:
            features = np.eye(n_arms)  # arms that tell nothing of each other
        means = features @ rng.standard_normal((features.shape[1], d))
        if gaps(means).min() < 0.4:
            continue
        algorithm = LinearPAL(
            delta=rng.uniform(0.01, 0.5), epsilon=epsilon, bonus_scale=rng.uniform(0.05, 1)
        )
        plain = PlainLinearPAL(algorithm, features)
        follow(algorithm, plain, means, features, 0.3, rng)
        rounds.append(plain.round - 1)
    assert max(rounds) > 5


@pytest.mark.statistical
def test_linear_pal_errs_at_most_delta_with_a_generous_bonus():
    rng = np.random.default_rng(20)
    features = rng.standard_normal((12, 3))
    features /= np.linalg.norm(features, axis=1, keepdims=True)
    means = features @ rng.standard_normal((3, 2))
    assert 0.2 < gaps(means).min() < 0.25
    assert len(reference.pareto_set(means)) == 2
    runs = simulate(
        LinearPAL(delta=0.1, bonus_scale=1.0),
        Instance(means, variance=[0.5, 0.5], features=features),
        300,
        progress=False,
    )
    assert runs.stopped.all()
    assert runs.summary()["error_high"] <= 0.1


def test_linear_pal_samples_the_active_arms_in_turn_and_answers_them_when_cut_short():
    means = np.array([[1.0], [0.9], [-5.0]])
    session = Session(LinearPAL(bonus_scale=0.01), 3, 1, 1.0, features=np.eye(3))
    asked = []
    while session.samples < 10:
        asked.append(session.ask())
        session.tell(asked[-1], means[asked[-1]])
    assert asked[:5] == [0, 1, 2, 0, 1]
    assert 2 not in asked[3:]
    assert session._state.run.answer().tolist() == [0, 1]


def test_linear_pal_ignores_eliminated_arms():
    session = Session(LinearPAL(), 3, 1, 1.0, features=np.eye(3))
    state = session._state.run.run.state
    state.active[2] = False
    state.inverse[2, 2], state.record.sums[2] = 1e-9, 1e10  # of mean 10, beyond doubt
    for _ in range(200):
        if not session.finished:
            arm = session.ask()
            session.tell(arm, [1.0 - arm])
    assert session.finished
    assert session.recommendation.tolist() == [0]
