"""EgeExp1 to EgeExp8: sizes, Pareto sets, and how hard they are."""

import numpy as np
import pytest

from pareto_core.geometry.dominance import gaps
from pareto_core.instances.ege_instances import EGE_INSTANCES, ege_instance


@pytest.mark.parametrize(
    ("name", "n_arms", "optimal", "least", "hardness"),
    [
        ("2", 10, [0, 1], 0.0516, 2544),
        ("6_old", 10, range(10), 0.01115, 21956),
        ("6_new", 10, range(10), 0.00725, 51966),
        ("7", 22, range(8), 0.05, 7000),
        ("8", 5, [4], 0.00293, 237958),
    ],
)
def test_fixed_means(name, n_arms, optimal, least, hardness):
    instance = ege_instance(name)
    found = gaps(instance.means)
    assert instance.means.shape == (n_arms, 2)
    assert instance.pareto_set.tolist() == list(optimal)
    assert found.min() == pytest.approx(least, abs=5e-6)
    assert (1 / found**2).sum() == pytest.approx(hardness, abs=0.5)
    assert (instance.variance == 0.0625).all()


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("name", "shape", "n_optimal", "hardness"),
    [("1", (60, 2), 10.0, 13_600), ("4", (50, 10), 19.6, 37_000), ("5", (20, 2), 2.8, 196_000)],
)
def test_random_means(name, shape, n_optimal, hardness):
    drawn = [ege_instance(name, np.random.default_rng(seed)) for seed in range(200)]
    assert all(each.means.shape == shape for each in drawn)
    sizes = [each.pareto_set.size for each in drawn]
    assert np.mean(sizes) == pytest.approx(n_optimal, abs=0.3)
    hard = np.median([(1 / gaps(each.means) ** 2).sum() for each in drawn])
    assert hardness / 1.5 < hard < 1.5 * hardness


def test_the_first_ten_arms_of_ege_1_are_optimal():
    for seed in range(20):
        instance = ege_instance("1", np.random.default_rng(seed))
        assert instance.pareto_set.tolist() == list(range(10))
        assert (instance.means[10:].prod(axis=1) <= 0.2).all()
        assert (instance.means[10:] >= 0.1).all() and (instance.means[10:] <= 0.8).all()


def test_the_same_generator_makes_the_same_means():
    first, second = (ege_instance("5", np.random.default_rng(3)).means for _ in range(2))
    np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("name", [name for name, (_, drawn) in EGE_INSTANCES.items() if drawn])
def test_random_means_take_a_generator(name):
    with pytest.raises(ValueError, match=r"^rng = None; expected a numpy.random.Generator"):
        ege_instance(name)


def test_ege_3_is_refused():
    with pytest.raises(ValueError, match=r"^name = '3'; expected"):
        ege_instance("3")
