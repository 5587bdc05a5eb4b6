"""Many arms: the front by definition, and memory in proportion."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pareto_core import pareto_set
from pareto_core.geometry.staircase import sorted_front
from pareto_core.instances.generators import dominated_cloud

STATUS = Path("/proc/self/status")


def front_by_definition(means):
    as_good = (means[:, None] >= means).all(axis=2)
    return np.flatnonzero(~(as_good & ~as_good.T).any(axis=0)).tolist()


CLOUDS = {
    "gaussian": lambda rng, n: rng.standard_normal((n, 2)),
    "all optimal": lambda rng, n: np.column_stack([np.arange(n), -np.arange(n)]).astype(float),
    "tied": lambda rng, n: rng.integers(-30, 30, (n, 2)).astype(float),
    "at the ends of the range": lambda rng, n: rng.choice([-1e150, 0.0, 1e150], (n, 2)),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", CLOUDS)
def test_pareto_set_of_many_arms(kind):
    means = CLOUDS[kind](np.random.default_rng(0), 3000)
    assert pareto_set(means).tolist() == front_by_definition(means)
    front = np.empty(3000, np.int64)
    front = front[: sorted_front(means, front)]
    assert (np.diff(means[front, 0]) >= 0).all()


@pytest.mark.parametrize(
    ("n_arms", "d", "n_front"), [(2, 2, 2), (60, 2, 20), (90, 3, 7), (9, 5, 1)]
)
@pytest.mark.parametrize("n_infeasible", [0, 2])
def test_dominated_cloud_has_its_margins(n_arms, d, n_front, n_infeasible):
    n_arms += n_infeasible
    rng = np.random.default_rng(n_arms)
    instance = dominated_cloud(n_arms, d, n_front, rng, 0.5, n_infeasible)
    means, region = instance.means, instance.polyhedron
    assert (region is None) == (n_infeasible == 0)
    feasible = np.ones(n_arms, bool) if region is None else region.contains(means)
    assert (~feasible).sum() == n_infeasible
    if region is not None:
        assert (region.boundary_distance(means) >= 0.5 - 1e-12).all()
    inside = means[feasible]
    front = pareto_set(inside)
    assert front.size == n_front
    for i in range(len(inside)):
        leads = inside[front] - inside[i]
        if i in front:
            assert (leads.max(axis=1)[front != i] >= 0.5 - 1e-12).all()
        else:
            assert leads.min(axis=1).max() >= 0.5 - 1e-12


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ((1, 2, 1), "n_arms"),
        ((4, 2, 5), "n_arms"),
        ((4, 1, 2), "n_objectives"),
        ((4, 2, 0), "n_front"),
        ((4, 2, 2, 0.0), "margin"),
        ((4, 2, 2, 1.0, -1), "n_infeasible"),
        ((4, 2, 2, 1.0, 3), "n_arms"),
    ],
)
def test_dominated_cloud_refuses_bad_sizes(arguments, name):
    first, *others = arguments[3:] or (4.0,)
    with pytest.raises(ValueError, match=f"^{name} = "):
        dominated_cloud(*arguments[:3], np.random.default_rng(0), first, *others)


MEMORY = """
from dataclasses import replace

import numpy as np
from pareto_core import ECAPE, TrackAndStop, gaps, simulate, transport_cost
from pareto_core.instances.generators import dominated_cloud

def peak():
    lines = open("/proc/self/status").read().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024

def everything(n_arms):
    instance = dominated_cloud(n_arms, {d}, 20, np.random.default_rng(0), n_infeasible=n_arms // 4)
    unbounded = replace(instance, polyhedron=None)
    gaps(instance.means)
    transport_cost(instance.means, np.ones(n_arms))
    runs = dict(runs=1, max_samples=n_arms + 200, n_jobs=1, progress=False)
    simulate(ECAPE(), instance, **runs)
    simulate(TrackAndStop(gradient_every=50, check_every=100), unbounded, **runs)

everything(300)
before = peak()
everything({n_arms})
print(peak() - before)
"""


@pytest.mark.slow
@pytest.mark.skipif(not STATUS.exists(), reason="the system does not tell the peak of memory")
@pytest.mark.parametrize(
    ("n_arms", "d"), [(10_000, 3), pytest.param(100_000, 2, marks=pytest.mark.thorough)]
)
def test_memory_is_a_kilobyte_per_arm_at_most(n_arms, d):
    program = MEMORY.format(n_arms=n_arms, d=d)
    result = subprocess.run(
        [sys.executable, "-c", program], env=os.environ, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    assert float(result.stdout) < n_arms * 1e3 / 2**20
