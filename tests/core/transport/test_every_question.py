"""The cheapest alternative for each question and kind of noise, against brute force."""

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import assume, given
from references import noise, noise_region, pareto
from references.constrained_instances import build, few_optimal, pushes
from references.seeds import SEEDS, examples

from pareto_core import (
    partition_cost,
    transport_cost,
)
from pareto_core.geometry.partition import (
    Partition,
    constrained_pareto_set,
    is_valid_partition,
    valid_partitions,
)
from pareto_core.geometry.polyhedron import Polyhedron

EXACT = 1e-9
PARETO, BEST, REGION = "pareto_set", "best_arm_per_objective", "constrained_pareto_set"
PARTITION = "partition"
UNIT, KNOWN, SEPARATE = KINDS = ("unit", "known", "separate")  # noise; weights of each objective


class Case(NamedTuple):
    """What is to be refuted; a unit covariance may be None, weights may be of arm and objective."""

    question: str
    means: np.ndarray
    weights: np.ndarray
    covariance: np.ndarray | None
    region: Polyhedron
    inside: np.ndarray
    partition: Partition | None = None

    @property
    def noise(self):
        return {} if self.covariance is None else {"covariance": self.covariance}

    @property
    def by_covariance(self):
        """Weights of the arms, and covariances that are the same metric."""
        if self.weights.ndim == 2:
            variances = 1 / np.maximum(self.weights, 1e-300)
            return np.ones(len(self.means)), np.array([np.diag(each) for each in variances])
        d = self.means.shape[1]
        common = np.eye(d) if self.covariance is None else self.covariance
        return self.weights, np.broadcast_to(common, (len(self.means), d, d))

    def cost(self, **noise):
        noise = noise or self.noise
        if self.partition is not None:
            given = self.means, self.weights, self.region, self.partition
            return partition_cost(*given, **noise)
        region = {"polyhedron": self.region} if self.question == REGION else {}
        return transport_cost(self.means, self.weights, problem=self.question, **region, **noise)

    def cheapest(self):
        """Cost of the cheapest alternative, by brute force."""
        if self.partition is not None:
            found = noise_region.refutations(self.means.shape[1], self.region, self.partition)
        elif self.question == BEST:
            found = noise_region.confusions(self.means)
        else:  # without rows, the Pareto set is that in the region
            found = noise_region.alternatives(self.means, self.region)
        return noise_region.cheapest(self.means, *self.by_covariance, found)[0]

    def cost_of(self, alternative):
        return noise.cost_of(self.means, *self.by_covariance, alternative)

    def keeps_its_answer(self, means):
        """Whether the answer is right for other means as well."""
        if self.partition is not None:
            return is_valid_partition(means, self.region, self.partition)
        if self.question == REGION:
            found = [constrained_pareto_set(each, self.region) for each in (means, self.means)]
            return found[0].tolist() == found[1].tolist()
        return pareto.pareto_set(means) == pareto.pareto_set(self.means)

    def rounding(self, alternative=None):
        """How much the cost may change because numbers are rounded to floats."""
        return noise_region.rounding(self.means, *self.by_covariance, self.region, alternative)


def cases(question, kind, seed, positive=False):
    """The case of a seed, or one for each valid partition."""
    rng = np.random.default_rng(seed)
    if question in (PARETO, BEST):
        means, weights = noise.on_a_front(rng)
        assume(few_alternatives(means))
        region, inside = everywhere(means), np.zeros(means.shape[1])
    else:
        means, weights, region, inside = build(seed)
        assume(few_optimal((means, weights, region, inside)))
        assume((weights > 0).all() or not positive)
    if kind == SEPARATE:
        spread = 10 ** (rng.choice([0, 0, 3]) * rng.uniform(-1, 1, means.shape))
        weights = weights[:, None] * rng.uniform(0.1, 1, means.shape) * spread
    covariance = noise.random_covariance(rng, *means.shape) if kind == KNOWN else None
    case = Case(question, means, weights, covariance, region, inside)
    if question == PARTITION:
        return [case._replace(partition=each) for each in valid_partitions(means, region)]
    return [case]


def few_alternatives(means):
    return len(pareto.pareto_set(means)) <= 5 - means.shape[1] // 3


def everywhere(means):
    return Polyhedron(np.empty((0, means.shape[1])), [])


def of_questions(*questions, kinds=KINDS, number=150):
    """Mark a slow test of random cases of these questions and kinds of noise."""
    pairs = [
        (question, kind)
        for question in questions
        for kind in kinds
        if kind != SEPARATE or question in (PARETO, BEST)
    ]

    def marked(test):
        test = examples(number)(given(seed=SEEDS)(test))
        return pytest.mark.slow(pytest.mark.parametrize(("question", "kind"), pairs)(test))

    return marked


@pytest.mark.compiled
@of_questions(PARETO, BEST, REGION, PARTITION, number=500)
def test_cost_equals_brute_force(question, kind, seed):
    for case in cases(question, kind, seed, positive=True):
        expected = case.cheapest()
        value, gradient, alternative, _ = case.cost()
        slack = EXACT * expected + case.rounding(alternative)
        assert abs(value - expected) <= slack, (value, expected)
        assert abs((case.weights * gradient).sum() - expected) <= slack
        assert abs(case.cost_of(alternative) - expected) <= slack


@of_questions(PARETO, REGION, PARTITION)
def test_alternative_has_a_different_answer_after_a_tiny_push(question, kind, seed):
    for case in cases(question, kind, seed, positive=kind == KNOWN):
        value, _, alternative, arm = case.cost()
        assert value == 0 or (alternative[arm] != case.means[arm]).any()
        size = 1e-6 * max(1, np.abs(alternative).max()) if question != PARETO else 1e-9
        pushed = pushes(case.means, alternative, case.region, case.inside, size)
        assert not all(case.keeps_its_answer(each) for each in pushed)


@of_questions(PARETO, BEST, REGION, PARTITION)
def test_gradient_is_a_supergradient(question, kind, seed):
    case, rng = cases(question, kind, seed)[-1], np.random.default_rng(seed)
    here = case.cost()
    for _ in range(3):
        other = case.weights * rng.uniform(0.01, 2, case.weights.shape)
        other += 1e-3 * rng.random(case.weights.shape)
        there, most = case._replace(weights=other), (here.gradient * other).sum()
        slack = EXACT * (most + (here.gradient * case.weights).sum())
        assert there.cost().value <= most + slack + there.rounding(here.alternative)


@of_questions(PARETO, BEST, REGION, PARTITION, kinds=[KNOWN])
def test_variances_are_a_diagonal_covariance(question, kind, seed):
    case = cases(question, kind, seed, positive=True)[0]
    variance = np.diagonal(case.covariance, axis1=1, axis2=2)
    diagonal = case._replace(covariance=case.covariance * np.eye(case.means.shape[1]))
    for first, second in zip(case.cost(variance=variance), diagonal.cost(), strict=True):
        np.testing.assert_array_equal(first, second)


@of_questions(PARETO, BEST, REGION, kinds=[KNOWN])
def test_units_of_the_objectives_do_not_matter(question, kind, seed):
    (case,) = cases(question, kind, seed, positive=True)
    units = 10.0 ** np.random.default_rng(seed).integers(-20, 20, case.means.shape[1])
    rows = case.region.normals / units
    scale = np.abs(rows).max(axis=1, initial=1e-300)
    try:
        region = Polyhedron(rows / scale[:, None], case.region.offsets / scale)
    except ValueError:  # it seems to be flat in these units
        return
    on_boundary = np.abs(case.region.offsets - case.means @ case.region.normals.T) < 1e-9
    if not on_boundary.any():  # where rounding decides which arms are feasible
        covariance = case.covariance * np.outer(units, units)
        scaled = case._replace(means=case.means * units, covariance=covariance, region=region)
        value = case.cost().value
        assert abs(scaled.cost().value - value) <= 1e-7 * value + 1e4 * case.rounding()


@of_questions(PARETO, BEST, REGION, PARTITION)
def test_weights_of_0_cost_what_vanishing_weights_cost(question, kind, seed):
    for case in cases(question, kind, seed, positive=True):
        none, vanishing = case.weights.copy(), case.weights.copy()
        k = np.random.default_rng(seed).integers(none.size)
        none.flat[k], vanishing.flat[k] = 0.0, 1e-13 * none.min()
        case = case._replace(weights=none)
        found, limit = case.cost(), case._replace(weights=vanishing).cost()
        slack = 1e-3 * limit.value + vanishing.flat[k] * limit.gradient.flat[k]
        slack += case.rounding(found.alternative)
        assert abs(found.value - limit.value) <= slack
        there = case.cost_of(found.alternative)
        assert abs(there - found.value) <= EXACT * found.value + slack * 1e-3
