"""The held-out instances are the ones that their law and seed give, and stay so."""

import numpy as np
import pytest

from pareto_core.geometry.dominance import gaps
from pareto_core.instances.held_out_instances import N_HELD_OUT, held_out_instance

pytestmark = pytest.mark.compiled  # each is drawn until its gaps are large enough

NUMBERS = range(1, N_HELD_OUT + 1)


@pytest.mark.slow
def test_held_out_instances_have_the_sizes_and_gaps_of_the_law():
    for number in NUMBERS:
        instance = held_out_instance(number)
        assert 4 <= instance.n_arms <= 12
        assert 2 <= instance.n_objectives <= 4
        assert gaps(instance.means).min() >= 0.25
        np.testing.assert_array_equal(instance.variance, np.ones(instance.n_objectives))


@pytest.mark.slow
def test_held_out_instances_do_not_change():
    for number in NUMBERS:
        np.testing.assert_array_equal(
            held_out_instance(number).means, held_out_instance(number).means
        )
    assert len({held_out_instance(number).means.tobytes() for number in NUMBERS}) == N_HELD_OUT


def by_hand(number):
    """The law once more, step by step."""
    rng = np.random.default_rng(np.random.SeedSequence(20261124, spawn_key=(number,)))
    n_arms, n_objectives = int(rng.integers(4, 13)), int(rng.integers(2, 5))
    c = rng.uniform(-1, 1)
    while True:
        means = rng.standard_normal((n_arms, n_objectives))
        for k in range(n_arms):
            means[k] -= c * means[k].sum() / n_objectives
        if min(gaps(means)) >= 0.25:
            return means


@pytest.mark.slow
@pytest.mark.parametrize("number", NUMBERS)
def test_held_out_instances_follow_the_stated_law(number):
    np.testing.assert_allclose(held_out_instance(number).means, by_hand(number), atol=1e-15)


@pytest.mark.parametrize("number", [0, 11, 1.5, "one", None])
def test_there_are_ten_held_out_instances(number):
    with pytest.raises(ValueError, match=r"^number = "):
        held_out_instance(number)
