"""MO-BAI: its loop, its stopping rule, and how often it is wrong."""

import numpy as np
import pytest
from references import best_arms as reference
from references.best_arms import hard_instances, run_quietly
from scipy.optimize import minimize_scalar
from scipy.stats import binomtest

import pareto_core as pc
from pareto_core import MOBAI, Instance, characteristic_time
from pareto_core.bounds.surrogate import surrogate_space, write_surrogate
from pareto_core.confidence.mixtures import log_factor
from pareto_core.confidence.proven_rules import REMOVAL, SCALES
from pareto_core.confidence.thresholds import gamma_threshold, iterated_logarithm_threshold
from pareto_core.instances.generators import distinct_best_arms
from pareto_core.simulation.runs import run_generator
from pareto_core.simulation.statistics import rate_interval
from pareto_lab import Session

MEANS = {
    1: [[1.0], [0.0], [-0.5]],
    2: [[1.0, 0.2], [0.0, 1.3], [-0.4, -0.6], [0.3, -0.5]],
    4: [[0.9, 0.0, 0.1, 0.2], [0.0, 1.1, -0.8, 0.0], [-0.7, -0.9, -0.8, 1.0]],
}
THEORY = {"threshold": "gamma"}


def solver(n_arms, n_objectives, eta):
    """Surrogate proportions as a run of its own would find them."""
    space, proportions = surrogate_space(n_arms, n_objectives), np.empty(n_arms)

    def solve(means, weights):
        assert write_surrogate(means, weights, eta, space, proportions) < 1e-11
        return proportions.copy()

    return solve


@pytest.mark.slow
@pytest.mark.parametrize("d", MEANS)
@pytest.mark.parametrize("eta", [0.0, 0.1, 2.0])
def test_runs_are_those_of_the_plain_loop(d, eta):
    means = np.array(MEANS[d])
    n_arms = len(means)
    algorithm = MOBAI(delta=1e-6, eta=eta)
    for run in range(3):
        session = Session(algorithm, n_arms, d, 1.0)
        plain = reference.MOBAILoop(n_arms, d, solver(n_arms, d, eta))
        rng = run_generator(5, run)
        while not session.finished:
            arm = session.ask()
            assert arm in plain.arms()
            reward = means[arm] + [rng.standard_normal() for _ in range(d)]
            session.tell(arm, reward)
            plain.observe(arm, reward)
            if plain.samples < n_arms:
                continue
            evidence = reference.confusion_cost(plain.means, plain.counts)
            needed = iterated_logarithm_threshold(plain.samples, 1e-6)
            assert session.finished == (evidence >= needed)
        runs = run_quietly(algorithm, Instance(means), run + 1, seed=5)
        assert runs.samples[run] == session.samples
        assert runs.pulls[run].tolist() == plain.counts.tolist()
        assert runs.answers[run].tolist() == session.recommendation.tolist() == plain.answer()


@pytest.mark.compiled
def test_every_arm_gets_its_floor_and_samples_follow_the_targets():
    instance = distinct_best_arms(8, 3, np.random.default_rng(1))
    eta, samples = 1.0, 20_000
    runs = run_quietly(MOBAI(delta=1e-300, eta=eta), instance, 4, max_samples=samples)
    floor = eta / ((1 + eta) * 8)
    assert (runs.pulls >= floor * (samples - 8) - 8).all()


@pytest.mark.parametrize("n_arms", [2, 3, 4, 30])
@pytest.mark.parametrize("adverse", [True, False])
def test_the_buffer_is_bounded_by_a_harmonic_number(n_arms, adverse):
    """Between -1 and 1/2 + ... + 1/K; filling the arms that still wait attains the bound."""
    rng, waiting = np.random.default_rng(n_arms), set(range(n_arms))

    def solve(means, shares):
        if not adverse:
            return rng.dirichlet(np.full(n_arms, 0.3))
        return np.isin(np.arange(n_arms), list(waiting)) / len(waiting)

    plain = reference.MOBAILoop(n_arms, 1, solve)
    highest = lowest = 0.0
    for _ in range(2 * n_arms - 1 if adverse else 500):
        arm = plain.arms()[0]
        plain.observe(arm, [0.0])
        if plain.samples > n_arms:
            waiting.discard(arm)
        highest = max(highest, plain.buffer.max())
        lowest = min(lowest, plain.buffer.min())
    bound = np.sum(1 / np.arange(2, n_arms + 1))
    assert -1 <= lowest <= highest <= bound + 1e-9
    assert not adverse or highest == pytest.approx(bound)


def test_the_proven_threshold_can_be_selected():
    means = np.array([[0.6, 0.0], [0.0, 0.9], [-0.5, -0.5]])
    session = Session(MOBAI(delta=0.05, **THEORY), 3, 2, 1.0)
    while not session.finished:
        arm = session.ask()
        session.tell(arm, means[arm])
        if session.samples >= 3:
            evidence = reference.confusion_cost(session.means, session.pulls)
            needed = gamma_threshold(session.samples, 3, 2, 0.05)
            assert session.finished == (evidence >= needed)
    assert session.recommendation.tolist() == [0, 1]


def test_answers_name_one_arm_per_objective():
    instance = Instance([[1.0, 0.0, 3.0], [0.0, 2.0, 0.0]], variance=[1.0, 4.0, 0.25])
    runs = run_quietly(MOBAI(delta=0.01), instance, 20)
    assert runs.answers.shape == (20, 3)
    assert runs.correct.all()
    assert (runs.answers == [0, 1, 0]).all()


@pytest.mark.statistical
@pytest.mark.parametrize("eta", [0.1, 1.0])
def test_proportions_tend_to_those_of_the_characteristic_time(eta):
    instance = distinct_best_arms(6, 3, np.random.default_rng(4))
    best = characteristic_time(instance.means, problem="best_arm_per_objective", eta=eta)
    runs = run_quietly(MOBAI(delta=1e-300, eta=eta), instance, 4, max_samples=50_000)
    shares = runs.pulls / runs.samples[:, None]
    attained = [1 / reference.confusion_cost(instance.means, share) for share in shares]
    assert np.mean(attained) == pytest.approx(best.time, rel=0.1)


# Instances, and runs of each. Of 400 runs that err at a rate of 2 delta, more than 55 err, which is
# refused, with probability 0.999.
ERROR_RATES = [(40, 10), pytest.param(100, 20, marks=pytest.mark.thorough)]


@pytest.mark.statistical
@pytest.mark.slow
@pytest.mark.parametrize("settings", [{}, THEORY])
@pytest.mark.parametrize(("instances", "runs_of_each"), ERROR_RATES)
def test_error_rate_is_at_most_delta(settings, instances, runs_of_each):
    delta, errors, total = 0.1, 0, 0
    for number, instance in enumerate(hard_instances(instances)):
        runs = run_quietly(MOBAI(delta=delta, **settings), instance, runs_of_each, seed=number)
        assert runs.stopped.all()
        errors += int((~runs.correct).sum())
        total += runs.correct.size
    assert total == instances * runs_of_each
    assert errors / total <= delta
    assert binomtest(errors, total, delta, alternative="greater").pvalue > 0.01


def evidence_against(record_counts, means, leader, rival, c):
    """The evidence of Theorem 6 of the appendix, by a general minimiser."""

    def product(x):
        total = [
            log_factor(record_counts[leader], means[leader, c] - x, scale, REMOVAL)[0]
            + log_factor(record_counts[rival], x - means[rival, c], scale, REMOVAL)[0]
            for scale in SCALES
        ]
        return np.logaddexp.reduce(total) - np.log(len(SCALES))

    ends = sorted((means[leader, c], means[rival, c]))
    return minimize_scalar(product, bounds=(ends[0] - 1, ends[1] + 1), method="bounded").fun


@pytest.mark.parametrize("seed", range(5))
def test_the_proven_rule_stops_when_each_best_arm_is_proven(seed):
    rng = np.random.default_rng(seed)
    instance = pc.Instance(np.array(MEANS[2]) + 0.1 * rng.standard_normal((4, 2)))
    algorithm = pc.MOBAI(delta=0.05, threshold="proven")
    found = pc.trajectory(algorithm, instance, [10**5], seed=seed)
    before = pc.trajectory(algorithm, instance, [found.times[-1] - 1], seed=seed)
    needed = np.log(2 * 3 / 0.05)
    least = [
        min(
            evidence_against(seen.counts[-1], seen.means[-1], leader, k, c)
            for c, leader in enumerate(pc.best_arms(seen.means[-1]))
            for k in range(4)
            if k != leader
        )
        for seen in (before, found)
    ]
    assert least[0] < needed <= least[1] + 1e-2


@pytest.mark.statistical
def test_the_proven_rule_controls_the_error_rate():
    instance = pc.Instance([[0.1, 0.0], [0.0, 0.1]])
    algorithm = pc.MOBAI(delta=0.5, threshold="proven")
    found = pc.simulate(algorithm, instance, 300, max_samples=2000, progress=False)
    assert rate_interval((found.stopped & ~found.correct).sum(), 300)[0] <= 0.5
