"""Instances whose means were drawn or computed once obey the laws that their tables state."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_core.instances.datasets import FROZEN


def hardness(instance):
    return (1 / pc.gaps(instance.means) ** 2).sum()


@pytest.mark.parametrize(
    ("name", "n_arms", "optimal", "hard"),
    [
        ("ege_1", 60, range(10), 12_588),
        ("ege_2", 10, [0, 1], 2544),
        ("ege_5", 20, [13], 17_052),
        ("ege_6_new", 10, range(10), 51_966),
        ("ege_7", 22, range(8), 7000),
        ("ege_8", 5, [4], 237_958),
    ],
)
def test_ege_instances(name, n_arms, optimal, hard):
    instance = pc.load_instance(name)
    assert instance.means.shape == (n_arms, 2)
    assert (instance.variance == 0.25**2).all()
    assert instance.pareto_set.tolist() == list(optimal)
    assert hardness(instance) == pytest.approx(hard, abs=0.5)
    if name == "ege_1":
        assert (instance.means[10:].prod(axis=1) <= 0.2).all()


def test_held_out_instances():
    for name in FROZEN["held_out_instances"][1]:
        instance = pc.load_instance(name)
        assert 4 <= instance.n_arms <= 12
        assert 2 <= instance.n_objectives <= 4
        assert pc.gaps(instance.means).min() >= 0.25
        assert (instance.variance == 1).all()


def test_instances_of_psips():
    line, drawn = pc.load_instance("line_of_arms"), pc.load_instance("random_arms")
    np.testing.assert_allclose(pc.gaps(line.means), np.full(10, 0.25))
    assert 100 <= hardness(drawn) <= 500
    assert (line.variance == 0.5).all() and (drawn.variance == 0.5).all()
    assert pc.load_instance("five_coins").noise == "bernoulli"


def test_rewards_of_five_arms_may_be_correlated():
    arms = pc.load_instance("five_arms(-0.75)")
    np.testing.assert_array_equal(arms.covariance, [[1, -0.75], [-0.75, 1]])
    assert pc.load_instance("five_arms").covariance is None
    for correlation in (-1.0, 1, np.nan):
        with pytest.raises(ValueError, match=r"^correlation = "):
            pc.load_instance("five_arms", correlation=correlation)


def test_rewards_of_paretoinfer_are_in_the_unit_interval():
    for name in FROZEN["paretoinfer_instances"][1]:
        instance = pc.load_instance(name)
        half_width = 0.1 if name == "paretoinfer_six" else 0.08
        np.testing.assert_array_equal(instance.variance, np.full(2, half_width**2 / 3))
        assert (abs(instance.means - 0.5) + half_width <= 0.5).all()
