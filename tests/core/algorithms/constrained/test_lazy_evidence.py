"""e-cAPE without a look at every arm: the runs of the full renewal, sample by sample."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references.partition_algorithms import HAND_MADE, REGIONS, follow, noisy_arms, random_region

from pareto_core import ECAPE, Instance, simulate
from pareto_core.algorithms.constrained import arm_cells, case_bounds, ecape
from pareto_core.algorithms.constrained.partition_evidence import (
    BONUSES,
    rejected_case,
    weigh,
)
from pareto_core.algorithms.constrained.tournament import (
    build_tournament,
    least_key,
    next_key,
    set_key,
    tournament_leaves,
)
from pareto_core.geometry.polyhedron import orthant
from pareto_core.instances.generators import dominated_cloud
from pareto_core.instances.noise import make_source
from pareto_core.loop.run import compile_run
from pareto_core.simulation.runs import run_generator


@pytest.fixture
def keep_bounds(monkeypatch):
    """Keep bounds, and several cells, however few the arms are."""
    monkeypatch.setattr(case_bounds, "FEW", 1)
    monkeypatch.setattr(arm_cells, "ARMS_PER_CELL", 2)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.usefixtures("keep_bounds")
@settings(max_examples=80)
@given(
    noisy_arms(),
    st.sampled_from([0.9, 0.3, 1e-3]),
    st.sampled_from([8.0, 2.0]),
    st.sampled_from(BONUSES),
    st.sampled_from([None, 0.09, 0.01, 1e-4]),
    st.sampled_from([None, 0.25, 0.02, 1e-4]),
)
def test_runs_are_those_of_the_plain_loop(drawn, delta, radius, bonus, variance, norm):
    n_arms, d, region, rewards = drawn
    follow(ECAPE(delta, radius, bonus, variance, norm), region, n_arms, d, rewards, most=100)


@pytest.mark.usefixtures("keep_bounds")
@pytest.mark.parametrize("bonus", BONUSES)
@pytest.mark.parametrize("region", REGIONS)
def test_finished_runs_are_those_of_the_plain_loop(region, bonus):
    rng = np.random.default_rng(REGIONS.index(region))
    means = rng.uniform(-0.3, 1.3, (12, 2))

    def rewards(arm):
        return means[arm] + 0.1 * rng.standard_normal(2)

    algorithm = ECAPE(0.3, 2.0, bonus, variance_bound=0.01)
    follow(algorithm, random_region(rng, 2, region), 12, 2, rewards, most=800)


@pytest.mark.usefixtures("keep_bounds")
@pytest.mark.parametrize("name", HAND_MADE)
def test_hand_made_cases(name):
    means, expected = HAND_MADE[name]
    session, loop = follow(
        ECAPE(variance_bound=0.09), orthant([0.0, 0.0]), 3, 2, lambda arm: means[arm], most=500
    )
    assert session.finished
    assert loop.answer() == expected


def columns(runs):
    return runs.samples.tolist(), runs.pulls.tolist(), runs.answers.tolist(), runs.stopped.tolist()


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("bonus", BONUSES)
@pytest.mark.parametrize("d", [2, 3])
@pytest.mark.parametrize("noise", ["gaussian", "bernoulli"])
def test_runs_with_and_without_bounds_are_the_same(monkeypatch, noise, d, bonus):
    rng = np.random.default_rng(d)
    region = orthant(np.full(d, 0.4))
    variance = None if noise == "bernoulli" else np.full(d, 0.04)
    instance = Instance(rng.random((90, d)), noise=noise, variance=variance, polyhedron=region)
    monkeypatch.setattr(arm_cells, "ARMS_PER_CELL", 5)
    settings = {"seed": d, "max_samples": 4000, "progress": False}
    algorithm = ECAPE(0.3, 2.0, bonus, variance_bound=0.04)
    found = {}
    for few in (1, 10**6):
        monkeypatch.setattr(case_bounds, "FEW", few)
        found[few] = columns(simulate(algorithm, instance, 3, **settings))
    assert found[1] == found[10**6]


class Run:
    """A run of e-cAPE that goes on for as many samples as wanted."""

    def __init__(self, instance, algorithm):
        self.source, draw = make_source(instance)
        self.rng = run_generator(0, 0)
        self.loop = compile_run(algorithm.select, algorithm.stop, algorithm.recommend, draw)
        self.parameters = algorithm.parameters(instance.problem)
        self.state = algorithm.start(instance.problem, None)
        self.scratch = algorithm.start(instance.problem, None)
        self.answer = np.empty(instance.n_arms, np.int64)

    def continue_to(self, samples):
        """Go on to the end of the round; whether the run is over."""
        state = self.state
        while True:
            arguments = (state, self.source, self.rng, samples, self.answer)
            if self.loop(self.parameters, *arguments):
                return True
            if state.pair[0] != ecape.NO_ARM:
                return False
            samples += 1

    def renewed(self):
        """The evidence weighed anew, from the counts, means and distances."""
        for source, target in zip(self.state.record, self.scratch.record, strict=True):
            target[:] = source
        evidence = self.scratch.evidence
        for name in ("distance", "feasible"):
            getattr(evidence.arms, name)[:] = getattr(self.state.evidence.arms, name)
        weigh(self.parameters, evidence, self.scratch.record)
        return evidence


def assert_bounds_hold(run, evidence):
    """No key is above what it bounds plus the drift; that of an arm of O is infinite."""
    union, means, arms = run.parameters.limits.union, run.state.record.means, evidence.arms
    front = arms.front[: arms.front_size[0]]
    bounds, n_arms = run.state.bounds, len(means)
    drift, leaves = bounds.drift[0], len(bounds.cases) // 2
    case_keys, depth_keys = (
        tree[leaves : leaves + n_arms] for tree in (bounds.cases, bounds.depths)
    )
    optimal, feasible = arms.optimal, arms.feasible
    assert np.isinf(case_keys[optimal]).all()
    assert np.isinf(depth_keys[optimal]).all()
    others = np.flatnonzero(~optimal)
    cases = np.array([rejected_case(union, means, arms, i) for i in others])
    leads = (means[front, None] - means[None, others]).min(axis=2).max(axis=0)
    assert (case_keys[others] <= cases + drift + 1e-9).all()
    inside = others[feasible[others]]
    assert (depth_keys[inside] <= leads[feasible[others]] + drift + 1e-9).all()


def assert_corners_hold(run):
    means, cells = run.state.record.means, run.state.bounds.cells
    assert sorted(cells.order) == list(range(len(means)))
    assert (means <= cells.corners[cells.cell]).all()


def assert_is_full_renewal(run):
    evidence = run.renewed()
    pair = np.empty(2, np.int64)
    state = run.state
    arms, found = evidence.arms, state.evidence.arms
    ecape._name_pair(run.parameters.limits.union, state.record.means, arms, pair)
    assert state.pair.tolist() == pair.tolist()
    size = arms.front_size[0]
    assert found.front_size[0] == size
    assert sorted(found.front[:size]) == sorted(arms.front[:size])
    assert (found.feasible == arms.feasible).all()
    assert (found.optimal == arms.optimal).all()
    assert_bounds_hold(run, evidence)
    assert_corners_hold(run)


@pytest.mark.slow
@pytest.mark.parametrize("bonus", BONUSES)
@pytest.mark.parametrize("d", [pytest.param(2, marks=pytest.mark.thorough), 3])
def test_ten_thousand_arms_at_several_moments_of_a_run(d, bonus):
    instance = dominated_cloud(
        10_000, d, 20, np.random.default_rng(d), margin=2.0, n_infeasible=2500
    )
    run = Run(instance, ECAPE(bonus=bonus))
    moments = [10_000, 10_020, 10_500, 11_000, 13_000, 15_000, 22_000]
    for samples in moments:
        if run.continue_to(samples):
            break
        assert_is_full_renewal(run)
    assert run.state.record.time[0] >= 15_000


KEYS = st.lists(st.sampled_from([-np.inf, -2.0, -1.0, 0.0, 1.0, 2.5, np.inf]), min_size=1)


@given(KEYS, st.lists(st.tuples(st.integers(0, 99), st.floats(-3, 3))))
def test_tournament(keys, changes):
    leaves = tournament_leaves(len(keys))
    tree = np.full(2 * leaves, np.inf)
    tree[leaves : leaves + len(keys)] = keys
    build_tournament(tree)
    keys = np.array(keys)
    for index, key in changes:
        keys[index % len(keys)] = key
        set_key(tree, index % len(keys), key)
    assert tree[1] == keys.min()
    assert keys[least_key(tree)] == keys.min() or np.isinf(keys.min())
    for level in (-np.inf, -1.0, 0.3, np.inf):
        found, index = [], next_key(tree, 0, level)
        while index != -1:
            found.append(index)
            index = next_key(tree, index + 1, level)
        assert found == np.flatnonzero((keys <= level) & (keys < np.inf)).tolist()
