"""Top-two sampling, sample by sample, against the rule of the appendix in plain Python."""

import numpy as np
import pytest
from references.noise import random_covariance
from references.partition_algorithms import REGIONS, random_region
from references.runs import follow_run
from references.seeds import seeds_of
from references.top_two import LinearTopTwoLoop, SeparateLoop, TopTwoLoop

import pareto_core as pc

SETTINGS = (
    {},
    {"alternative_every": 4, "check_every": 3},
    {"exploration": "none"},
    {"exploration": "square_root"},
    {"costs": True},
)
PARETO_SET, BEST_ARMS = "pareto_set", "best_arm_per_objective"
IN_REGION = ("constrained_pareto_set", "partition")
UNIT = [(problem, "unit") for problem in (PARETO_SET, BEST_ARMS, *IN_REGION)]
KNOWN = [(problem, "covariance") for problem in (PARETO_SET, BEST_ARMS)]
BOTH = [pytest.param(each, "covariance", marks=pytest.mark.thorough) for each in IN_REGION]


def settings_of(seed, rng, shape):
    settings = dict(SETTINGS[seed % len(SETTINGS)])
    if "costs" in settings:
        settings["costs"] = rng.uniform(0.2, 5.0, shape)
    return settings


@pytest.mark.parametrize(("problem", "noise"), [*UNIT, *KNOWN, *BOTH])
@pytest.mark.parametrize("seed", seeds_of(4, 8, 28))
def test_samples_of_all_objectives(problem, noise, seed):
    rng = np.random.default_rng(seed)
    n_arms, d = shape = int(rng.integers(2, 6)), int(rng.integers(1, 4))
    region = random_region(rng, d, REGIONS[seed % len(REGIONS)]) if problem in IN_REGION else None
    covariance = None if noise == "unit" else random_covariance(rng, *shape)
    settings = settings_of(seed, rng, n_arms)
    algorithm = pc.TopTwoIDS(delta=1e-3, problem=problem, **settings)
    given = {"polyhedron": region, "covariance": covariance}
    loop = TopTwoLoop(algorithm, *shape, **given)
    means = rng.uniform(-0.5, 1.5, shape)
    follow_run(algorithm, pc.Problem(*shape, **given), loop, means, rng, 120)


@pytest.mark.parametrize("problem", [PARETO_SET, BEST_ARMS])
@pytest.mark.parametrize("seed", seeds_of(4, 8, 24))
def test_linear_models(problem, seed):
    """Of random arms, some with more features than necessary."""
    rng = np.random.default_rng(seed)
    h, d = int(rng.integers(1, 4)), int(rng.integers(1, 4))
    features = rng.standard_normal((int(rng.integers(h + 1, 8)), h))
    means = features @ rng.standard_normal((h, d))
    settings = settings_of(seed, rng, len(means))
    algorithm = pc.TopTwoIDS(delta=1e-3, problem=problem, linear=True, **settings)
    loop = LinearTopTwoLoop(algorithm, features, d)
    given = pc.Problem(*means.shape, features=features)
    run = follow_run(algorithm, given, loop, means, rng, 120)
    np.testing.assert_allclose(run.estimates(), loop.means, atol=1e-9)


@pytest.mark.parametrize("problem", [PARETO_SET, BEST_ARMS])
@pytest.mark.parametrize("unequal", [False, True])
@pytest.mark.parametrize("seed", seeds_of(4, 6, 24))
def test_separate_measurements(problem, unequal, seed):
    rng = np.random.default_rng(seed)
    shape = _, d = int(rng.integers(2, 6)), int(rng.integers(1, 4))
    settings = settings_of(seed, rng, shape)
    variance = rng.uniform(0.3, 3.0, shape) if unequal else None
    covariance = None if variance is None else variance[:, :, None] * np.eye(d)
    algorithm = pc.SeparateTopTwo(delta=1e-3, problem=problem, **settings)
    loop = SeparateLoop(algorithm, *shape, variance)
    means = rng.uniform(-0.5, 1.5, shape)
    given = pc.Problem(*shape, covariance=covariance)
    run = follow_run(algorithm, given, loop, means, rng, 150)
    np.testing.assert_allclose(run.estimates(), loop.means)
