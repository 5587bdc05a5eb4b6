"""What any algorithm must pay, in the units of the arena."""

import numpy as np
import pytest
from references.arms import BOUNDED, COINS, CORNER, RECORDED, UNEVEN
from scipy.special import rel_entr

from pareto_core import Instance, characteristic_time, easiest_partition, orthant
from pareto_core.questions import BEST_ARMS, CONSTRAINED_PARETO_SET, PARETO_SET, PARTITION
from pareto_lab.comparison.lower_bounds import fewest_samples, time_of


@pytest.mark.parametrize("question", [PARETO_SET, BEST_ARMS])
def test_the_time_is_that_of_the_whitened_instance(question):
    means = CORNER.means / [1.0, 2.0]
    assert time_of(CORNER, question) == characteristic_time(means, problem=question.name).time


CORRELATED = np.array([[1.0, 0.5], [0.5, 4.0]])
BETWEEN = np.array([[1.0, 0.2], [0.2, 1.0], [0.0, 0.0]])
OF_EACH = np.array([CORRELATED, 2 * CORRELATED, np.eye(2)])


@pytest.mark.parametrize("question", [PARETO_SET, BEST_ARMS, CONSTRAINED_PARETO_SET, PARTITION])
@pytest.mark.parametrize(
    "noise", [{"covariance": CORRELATED}, {"covariance": OF_EACH}, {"variance": UNEVEN.variance}]
)
def test_known_noise_is_used_as_it_is(question, noise):
    has_region = question in (CONSTRAINED_PARETO_SET, PARTITION)
    given = {**noise, **({"polyhedron": orthant([-0.5, -0.5])} if has_region else {})}
    time = characteristic_time(BETWEEN, problem=question.name, **given).time
    assert time_of(Instance(BETWEEN, **given), question) == time


def test_coins_are_taken_for_gaussians_of_variance_a_quarter():
    assert time_of(COINS, PARETO_SET) == characteristic_time(2 * COINS.means).time


def test_a_region_is_for_the_questions_that_have_one():
    region = BOUNDED.polyhedron
    time = characteristic_time(
        BOUNDED.means, problem=CONSTRAINED_PARETO_SET.name, polyhedron=region
    ).time
    assert time_of(BOUNDED, CONSTRAINED_PARETO_SET) == time
    assert time_of(BOUNDED, PARTITION) == easiest_partition(BOUNDED.means, region)[1].time
    assert time_of(BOUNDED, PARETO_SET) == characteristic_time(BOUNDED.means).time


@pytest.mark.parametrize(
    ("instance", "question"),
    [
        (RECORDED, PARETO_SET),
        (Instance([[1.0, 0.0], [1.0, 0.0]]), PARETO_SET),
        (Instance(CORNER.means, noise="uniform"), PARETO_SET),
        (CORNER, PARETO_SET._replace(name="of a reader's own")),
    ],
)
def test_where_there_is_no_bound_there_is_no_number(instance, question):
    assert np.isnan(time_of(instance, question))


def test_the_bound_is_the_time_by_the_divergence():
    for delta in (0.3, 1e-3):
        divergence = rel_entr(delta, 1 - delta) + rel_entr(1 - delta, delta)
        assert fewest_samples(7.0, delta) == pytest.approx(7.0 * divergence, rel=1e-12)
    assert np.isnan(fewest_samples(7.0, None)) and np.isnan(fewest_samples(7.0, 0.5))
