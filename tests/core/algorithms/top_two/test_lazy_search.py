"""Top-two runs that search only the cases that can be the cheapest: those of the full search."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references import pareto

import pareto_core as pc
from pareto_core.algorithms.top_two import case_distances
from pareto_core.algorithms.top_two.case_distances import are_kept
from pareto_core.loop.record import observe
from pareto_core.transport.oracle import (
    BRANCH_AND_BOUND,
    allocate_response,
    find_front,
    free_arm,
)

KINDS = ("gaussian", "large", "small", "tied", "clustered", "far apart")
SEEDS = st.integers(0, 2**63)


def random_rewards(kind, n_arms, d, rng):
    """Function that draws a reward of an arm, whose means are random."""
    means = rng.uniform(-1, 1, (n_arms, d))
    if kind == "clustered":
        means = means[rng.integers(min(3, n_arms), size=n_arms)] + 1e-3 * means
    if kind == "far apart":
        means[rng.integers(n_arms)] *= 1e4
    scale, noise = {"large": (1e6, 1.0), "small": (1e-3, 1e-3)}.get(kind, (1.0, 1.0))

    def draw(arm):
        reward = scale * means[arm] + noise * rng.standard_normal(d)
        return np.round(reward) if kind == "tied" else reward

    return draw


class Run:
    """A run whose rewards are told one by one, with the cases kept or not."""

    def __init__(self, algorithm, n_arms, d, few, monkeypatch):
        problem = pc.Problem(n_arms, d)
        with monkeypatch.context() as patch:
            patch.setattr(case_distances, "FEW", few)
            self.state = algorithm.start(problem, None)
        self.parameters = algorithm.parameters(problem)
        self.algorithm = algorithm
        assert are_kept(self.state.oracle.cases) == (n_arms > few)

    def ask(self):
        return self.algorithm.select(self.parameters, self.state)[0]

    def tell(self, arm, rewards):
        rewards = np.atleast_2d(rewards)
        scatter = ((rewards - rewards.mean(axis=0)) ** 2).sum(axis=0)
        observe(self.state.record, arm, len(rewards), rewards.sum(axis=0), scatter)

    def stops(self):
        return self.algorithm.stop(self.parameters, self.state)

    def numbers(self):
        """All numbers of the rule that later choices depend on."""
        state = self.state
        return [*state.targets, *state.shares, *state.search[0].tolist()]


def assert_same_runs(algorithm, n_arms, d, draw, samples, monkeypatch):
    """Follow a run with the cases kept, and one with the full search, sample by sample."""
    lazy = Run(algorithm, n_arms, d, 1, monkeypatch)
    full = Run(algorithm, n_arms, d, n_arms, monkeypatch)
    for _ in range(samples):
        arm = full.ask()
        assert lazy.ask() == arm
        reward = draw(arm)
        for run in (lazy, full):
            run.tell(arm, reward)
        assert lazy.stops() == full.stops()
        np.testing.assert_array_equal(lazy.numbers(), full.numbers())
    return lazy


ALGORITHMS = {
    "default": {},
    "rare searches": {"alternative_every": 3, "check_every": 7},
    "rare tests": {"check_every": 10**6},
    "no exploration": {"forced_exploration": False},
}


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("options", ALGORITHMS)
@settings(max_examples=25)
@given(SEEDS, st.sampled_from(KINDS), st.integers(3, 5), st.integers(2, 25))
def test_runs_are_those_of_the_full_search(options, seed, kind, d, n_arms):
    rng = np.random.default_rng(seed)
    algorithm = pc.TopTwoIDS(delta=1e-9, **ALGORITHMS[options])
    with pytest.MonkeyPatch.context() as patch:
        draw = random_rewards(kind, n_arms, d, rng)
        assert_same_runs(algorithm, n_arms, d, draw, 150, patch)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("d", [3, 4])
def test_a_longer_run_with_costs_is_that_of_the_full_search(d, monkeypatch):
    rng = np.random.default_rng(d)
    algorithm = pc.TopTwoIDS(delta=1e-9, costs=rng.uniform(0.5, 2, 40))
    draw = random_rewards("gaussian", 40, d, rng)
    run = assert_same_runs(algorithm, 40, d, draw, 2000, monkeypatch)
    status = run.state.oracle.cases.status[0]
    assert status["changes"] > 10  # of the front: the bounds have been adapted
    assert status["solved"] < 5 * status["searches"]  # instead of one for each dominated arm


@pytest.mark.slow
@pytest.mark.compiled
def test_rewards_of_other_arms_and_several_at_once(monkeypatch):
    rng, n_arms, d = np.random.default_rng(0), 15, 3
    algorithm, draw = pc.TopTwoIDS(delta=1e-9), random_rewards("gaussian", n_arms, d, rng)
    runs = [Run(algorithm, n_arms, d, few, monkeypatch) for few in (1, n_arms)]
    for step in range(300):
        arms = {run.ask() for run in runs}
        assert len(arms) == 1
        told = [arms.pop()]
        if step % 3 == 0:  # the first of them while some arms have no sample
            told = list(rng.integers(n_arms, size=rng.integers(4)))
        for arm in told:
            rewards = np.array([draw(arm) for _ in range(rng.integers(1, 3))])
            for run in runs:
                run.tell(arm, rewards)
        assert len({run.stops() for run in runs}) == 1
        np.testing.assert_array_equal(runs[0].numbers(), runs[1].numbers())


def true_distance(means, weights, arm):
    """Distance of the case of a dominated arm, from the full search for that arm."""
    response = allocate_response(*means.shape)
    find_front(means, BRANCH_AND_BOUND, response)
    return np.sqrt(2 * free_arm(means, weights, arm, np.inf, BRANCH_AND_BOUND, response))


@pytest.mark.compiled
@pytest.mark.parametrize("kind", KINDS)
def test_bounds_are_below_the_distances_and_removals_are_exact(kind, monkeypatch):
    rng = np.random.default_rng(KINDS.index(kind))
    n_arms, d = 12, 3
    draw = random_rewards(kind, n_arms, d, rng)
    run = Run(pc.TopTwoIDS(delta=1e-9), n_arms, d, 1, monkeypatch)
    cases, record = run.state.oracle.cases, run.state.record
    for step in range(200):
        arm = run.ask()
        if step > n_arms:
            means, weights = record.means.copy(), record.counts.astype(float)
            front = pareto.pareto_set(means)
            assert cases.response.front[: cases.response.found[0]["size"]].tolist() == front
            drift, leaves = cases.status[0]["drift"], len(cases.keys) // 2
            scale = 1 + drift + abs(means).max() * np.sqrt(step)
            for k in range(n_arms):
                if k in front:
                    assert cases.keys[leaves + k] == np.inf
                    assert cases.removals[k] == pytest.approx(
                        min(
                            (removal(means, weights, k, j) for j in front if j != k),
                            default=np.inf,
                        ),
                        rel=1e-12,
                    )
                else:
                    bound = cases.keys[leaves + k] - drift
                    assert bound <= true_distance(means, weights, k) + 1e-9 * scale
        run.tell(arm, draw(arm))


def removal(means, weights, loser, winner):
    """Cost at which an arm falls below another."""
    lead = np.maximum(means[loser] - means[winner], 0)
    return 0.5 * weights[loser] * weights[winner] / (weights[loser] + weights[winner]) * lead @ lead


@pytest.mark.compiled
def test_many_arms_keep_their_cases_and_few_objectives_do_not():
    algorithm = pc.TopTwoIDS()
    for n_arms, d, kept in ((500, 3, True), (500, 2, False), (100, 3, False)):
        state = algorithm.start(pc.Problem(n_arms, d), None)
        assert are_kept(state.oracle.cases) == kept
    known = pc.Problem(500, 3, covariance=np.eye(3))
    assert not are_kept(algorithm.start(known, None).oracle.cases)
