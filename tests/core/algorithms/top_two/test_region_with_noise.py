"""Top-two sampling for a feasible region with noise that is correlated or unequal."""

import itertools

import numpy as np
import pytest
from references.noise import random_covariance
from references.partition_algorithms import REGIONS, random_region
from references.seeds import seeds_of
from references.top_two import TopTwoLoop
from scipy.stats import binomtest

import pareto_core as pc
from pareto_core.loop.record import observe

PROBLEMS = ("constrained_pareto_set", "partition")
OF_BOTH = pytest.mark.parametrize("problem", PROBLEMS)
MEANS = np.array([[1.0, -0.1], [0.0, 1.0], [-0.6, -0.5], [0.4, 0.4], [-0.5, 0.3]])
REGION = pc.orthant([-0.2, -0.2])
CORRELATED = np.array([[1.0, 0.8], [0.8, 1.0]])
NOISES = {
    "correlated": {"covariance": CORRELATED},
    "unequal": {"variance": [[1.0, 4.0], [1.0, 1.0], [0.2, 0.2], [4.0, 1.0], [0.5, 2.0]]},
    "both": {
        "covariance": [*([[[1.0, 0.5], [0.5, 2.0]]] * 3), *([[[2.0, -1.0], [-1.0, 1.0]]] * 2)]
    },
}
OFTEN = {("constrained_pareto_set", "correlated"), ("partition", "unequal")}
ALL = pytest.mark.parametrize(
    ("problem", "noise"),
    [
        pytest.param(
            problem,
            noise,
            id=f"{problem}-{kind}",
            marks=() if kind == "both" or (problem, kind) in OFTEN else pytest.mark.thorough,
        )
        for problem, (kind, noise) in itertools.product(PROBLEMS, NOISES.items())
    ],
)
THRESHOLDS = ("stylised", "proven", "proven_correlated")
SETTINGS = (
    {},
    {"alternative_every": 4, "check_every": 3},
    {"forced_exploration": False},
    {"costs": True},
)


@pytest.mark.compiled
@pytest.mark.parametrize("seed", seeds_of(4, 12, 32))
@OF_BOTH
def test_run_is_that_of_the_plain_loop(problem, seed):
    rng = np.random.default_rng(seed)
    n_arms, d = int(rng.integers(2, 6)), int(rng.integers(1, 4))
    region = random_region(rng, d, REGIONS[seed % len(REGIONS)])
    covariance = random_covariance(rng, n_arms, d)
    settings = dict(SETTINGS[seed % len(SETTINGS)])
    if "costs" in settings:
        settings["costs"] = tuple(rng.uniform(0.2, 5.0, n_arms))
    algorithm = pc.TopTwoIDS(delta=1e-3, problem=problem, **settings)
    arms = pc.Problem(n_arms, d, polyhedron=region, covariance=covariance)
    run = algorithm.begin(arms, rng)
    loop = TopTwoLoop(algorithm, n_arms, d, region, covariance)
    means = rng.uniform(-0.5, 1.5, (n_arms, d))
    for _ in range(100):
        arm, number = run.select()
        assert arm in loop.arms()
        reward = means[arm] + 0.5 * rng.standard_normal(d)
        observe(run.record, arm, number, reward, np.zeros(d))
        loop.observe(arm, reward)
        assert run.stop() == loop.stops()
        if loop.stops():
            break
    np.testing.assert_array_equal(run.answer(), loop.answer())


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(
    ("problem", "threshold"),
    [
        ("constrained_pareto_set", "proven"),
        ("partition", "stylised"),
        *(
            pytest.param(*each, marks=pytest.mark.thorough)  # long to compile
            for each in (
                ("constrained_pareto_set", "stylised"),
                ("constrained_pareto_set", "proven_correlated"),
                ("partition", "proven"),
                ("partition", "proven_correlated"),
            )
        ),
    ],
)
def test_unit_variance_of_each_arm_is_independent_noise(problem, threshold):
    """The kernels for known noise agree with those for independent noise of unit variance."""
    algorithm, counts = pc.TopTwoIDS(problem=problem, threshold=threshold), []
    rewards = MEANS + np.random.default_rng(1).standard_normal((9000, *MEANS.shape))
    for covariance in (None, np.array([np.eye(2)] * 5)):
        arms = pc.Problem(5, 2, polyhedron=REGION, covariance=covariance)
        run = algorithm.begin(arms, np.random.default_rng(0))
        while not run.stop():
            arm, number = run.select()
            observe(run.record, arm, number, rewards[run.record.counts[arm], arm], np.zeros(2))
        counts.append(run.record.counts)
    np.testing.assert_allclose(*counts, atol=3)  # rounding decides between equal shares


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("threshold", THRESHOLDS)
@OF_BOTH
def test_a_common_covariance_is_the_same_for_each_arm(problem, threshold):
    algorithm = pc.TopTwoIDS(problem=problem, threshold=threshold)
    common = pc.Instance(MEANS, covariance=CORRELATED, polyhedron=REGION)
    own = pc.Instance(MEANS, covariance=[CORRELATED] * 5, polyhedron=REGION)
    first, second = (pc.simulate(algorithm, each, 3, progress=False) for each in (common, own))
    np.testing.assert_array_equal(first.pulls, second.pulls)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("threshold", THRESHOLDS)
@OF_BOTH
def test_units_do_not_matter(problem, threshold):
    algorithm = pc.TopTwoIDS(problem=problem, threshold=threshold)
    units, covariance = np.array([2.0**9, 0.5]), np.array(NOISES["both"]["covariance"])
    first = pc.Instance(MEANS, covariance=covariance, polyhedron=REGION)
    second = pc.Instance(
        MEANS * units,
        covariance=covariance * units[:, None] * units,
        polyhedron=REGION.divided_by(1 / units),
    )
    one, scaled = (pc.simulate(algorithm, each, 3, progress=False) for each in (first, second))
    np.testing.assert_allclose(one.samples, scaled.samples, rtol=0.02)
    np.testing.assert_array_equal(one.answers, scaled.answers)


# Of 400 runs that err at a rate of 2 delta, more than 55 err, which is refused, with probability
# 0.999.
@pytest.mark.statistical
@pytest.mark.slow
@ALL
def test_error_rate_is_at_most_delta(problem, noise):
    instance = pc.Instance(MEANS, polyhedron=REGION, **noise)
    runs = pc.simulate(pc.TopTwoIDS(0.1, problem=problem), instance, 400, progress=False)
    assert runs.stopped.all()
    errors = int((~runs.correct).sum())
    assert binomtest(errors, 400, 0.1, alternative="greater").pvalue > 0.01


@pytest.mark.statistical
@pytest.mark.slow
@pytest.mark.parametrize(
    ("problem", "threshold", "kind"),
    [
        ("constrained_pareto_set", "proven", "both"),
        pytest.param(
            *("constrained_pareto_set", "proven", "correlated"), marks=pytest.mark.thorough
        ),
        ("constrained_pareto_set", "proven_correlated", "both"),
        ("partition", "proven", "both"),
        ("partition", "proven_correlated", "both"),
    ],
)
def test_error_rate_with_a_proof_is_at_most_delta(problem, threshold, kind):
    """Runs of an arm near the boundary, in which the test after each sample errs most."""
    means = np.array([[3.0, -0.13], [0.0, 3.0], [-2.0, -2.0], [3.0, -2.0], [-2.0, -2.0]])
    instance = pc.Instance(means, polyhedron=REGION, **NOISES[kind])
    algorithm = pc.TopTwoIDS(0.3, threshold=threshold, problem=problem, alternative_every=10)
    runs = pc.simulate(algorithm, instance, 200, max_samples=4000, progress=False)
    assert runs.stopped.sum() > 10
    errors = int((runs.stopped & ~runs.correct).sum())
    assert binomtest(errors, 200, 0.3, alternative="greater").pvalue > 0.01


def cost_of(means, weights, problem, noise):
    """Evidence per sample at these proportions, against the easiest answer."""
    if problem == "partition":
        partition, _ = pc.easiest_partition(means, REGION, **noise)
        return pc.partition_cost(means, weights, REGION, partition, **noise).value
    return pc.transport_cost(means, weights, problem=problem, polyhedron=REGION, **noise).value


@pytest.mark.slow
@pytest.mark.compiled
@ALL
def test_the_allocation_becomes_optimal(problem, noise):
    algorithm = pc.TopTwoIDS(1e-200, problem=problem)
    instance = pc.Instance(MEANS, polyhedron=REGION, **noise)
    runs = pc.simulate(algorithm, instance, 2, progress=False)
    for pulls, means in zip(runs.pulls, runs.means, strict=True):
        best = pc.characteristic_time(means, problem=problem, polyhedron=REGION, **noise).time
        assert 0.98 < cost_of(means, pulls / pulls.sum(), problem, noise) * best < 1.001


@pytest.mark.statistical
@pytest.mark.slow
def test_correlation_that_is_used_saves_samples():
    """A rule that ignores the correlation of the objectives needs more samples, or errs."""
    covariance, region = [[1.0, 0.9], [0.9, 1.0]], pc.Polyhedron([[1.0, -1.0]], [0.4])
    given = {"problem": "constrained_pareto_set", "polyhedron": region}
    means = np.array([[0.5, 0.5], [0.9, 0.2], [0.0, 0.1]])
    used = pc.characteristic_time(means, covariance=covariance, **given).time
    ignored = pc.characteristic_time(means, **given)
    cost = pc.transport_cost(means, ignored.weights, covariance=covariance, **given).value
    assert 1 / cost > 1.2 * used
    runs = pc.simulate(
        pc.TopTwoIDS(1e-40, problem="constrained_pareto_set"),
        pc.Instance(means, covariance=covariance, polyhedron=region),
        20,
        progress=False,
    )
    assert runs.correct.all()
    assert runs.samples.mean() == pytest.approx(used * 40 * np.log(10), rel=0.2)
