"""Many arms take memory in proportion."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

STATUS = Path("/proc/self/status")
MEMORY = """
from dataclasses import replace

import numpy as np
from pareto_core import ECAPE, Instance, TrackAndStop, gaps, orthant, simulate, transport_cost

def peak():
    lines = open("/proc/self/status").read().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024

def everything(n_arms):
    # twenty optimal arms, dominated ones below them, and a quarter that is infeasible
    rng = np.random.default_rng(0)
    front = 4.0 * np.array([[k, 19 - k, 19][:{d}] for k in range(20)])
    below = front[rng.integers(20, size=n_arms - 20)] - 4 - 4 * rng.random((n_arms - 20, {d}))
    below[: n_arms // 4, 0] -= 100
    instance = Instance(np.vstack([front, below]), polyhedron=orthant([-12] * {d}))
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
