"""Top-two sampling with noise that is correlated between objectives, or differs between arms."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from references.seeds import MORE
from scipy.stats import binomtest

import pareto_core as pc
from pareto_core.algorithms.proven_stopping import joint_variances, units_of_noise
from pareto_core.confidence.proven_rules import (
    JOINT,
    PAIRS,
    allocate_work,
    least_evidence,
    make_rule,
)
from pareto_core.geometry.dominance import write_front
from pareto_core.loop.record import observe

PARETO, BEST_ARMS = "pareto_set", "best_arm_per_objective"
CONSTRAINED, PARTITION = IN_REGION = ("constrained_pareto_set", "partition")
MEANS = np.array([[1.0, 0.0], [0.0, 1.0], [-0.5, -0.5], [0.3, 0.2]])
FIVE = np.array([[1.0, -0.1], [0.0, 1.0], [-0.6, -0.5], [0.4, 0.4], [-0.5, 0.3]])
REGION = pc.orthant([-0.2, -0.2])
CORRELATED = np.array([[1.0, 0.8], [0.8, 1.0]])
UNEQUAL = [[1.0, 4.0], [1.0, 1.0], [0.2, 0.2], [9.0, 1.0]]
POSITIVE, NEGATIVE = [[1.0, 0.5], [0.5, 2.0]], [[4.0, -1.0], [-1.0, 1.0]]
NOISES = {
    "correlated": {"covariance": CORRELATED},
    "unequal": {"variance": UNEQUAL},
    "both": {"covariance": [*([POSITIVE] * 3), NEGATIVE]},
}
NOISES_OF_FIVE = {
    "correlated": {"covariance": CORRELATED},
    "unequal": {"variance": [[1.0, 4.0], [1.0, 1.0], [0.2, 0.2], [4.0, 1.0], [0.5, 2.0]]},
    "both": {"covariance": [*([POSITIVE] * 3), *([[[2.0, -1.0], [-1.0, 1.0]]] * 2)]},
}
OFTEN = {(CONSTRAINED, "correlated"), (PARTITION, "unequal")}


def rarely(*values, when=True):
    """A case of the thorough tests, because it is long to compile."""
    return pytest.param(*values, marks=pytest.mark.thorough if when else ())


ALL = pytest.mark.parametrize(
    ("problem", "kind"),
    [
        *itertools.product([PARETO, BEST_ARMS], NOISES),
        *(
            rarely(*each, when=each[1] != "both" and each not in OFTEN)
            for each in itertools.product(IN_REGION, NOISES)
        ),
    ],
)
RULES = pytest.mark.parametrize(
    ("problem", "threshold"),
    [
        *itertools.product([PARETO], ["stylised", "proven_correlated"]),
        *itertools.product([BEST_ARMS], ["stylised", "proven"]),
        *itertools.product(IN_REGION, ["stylised", "proven", "proven_correlated"]),
    ],
)


def arms_of(problem):
    """Means of the arms of a question, their noise, and what else an instance has."""
    if problem in IN_REGION:
        return FIVE, NOISES_OF_FIVE, {"polyhedron": REGION}
    return MEANS, NOISES, {}


@pytest.mark.slow
@pytest.mark.compiled
@RULES
def test_a_common_covariance_is_the_same_for_each_arm(problem, threshold):
    algorithm = pc.TopTwoIDS(problem=problem, threshold=threshold)
    means, _, rest = arms_of(problem)
    pulls = [
        pc.simulate(algorithm, pc.Instance(means, covariance=each, **rest), 3, progress=False).pulls
        for each in (CORRELATED, [CORRELATED] * len(means))
    ]
    np.testing.assert_array_equal(*pulls)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(
    ("problem", "threshold"),
    [
        *itertools.product([PARETO], ["stylised", "proven", "proven_correlated"]),
        *itertools.product([BEST_ARMS], ["stylised", "proven"]),
        (CONSTRAINED, "proven"),
        (PARTITION, "stylised"),
        rarely(CONSTRAINED, "stylised"),
        rarely(CONSTRAINED, "proven_correlated"),
        rarely(PARTITION, "proven"),
        rarely(PARTITION, "proven_correlated"),
    ],
)
def test_unit_variance_of_each_arm_is_independent_noise(problem, threshold):
    """The kernels for known noise agree with those for independent noise of unit variance."""
    algorithm, counts = pc.TopTwoIDS(problem=problem, threshold=threshold), []
    means, _, rest = arms_of(problem)
    rewards = means + np.random.default_rng(1).standard_normal((9000, *means.shape))
    for covariance in (None, np.array([np.eye(2)] * len(means))):
        arms = pc.Problem(*means.shape, covariance=covariance, **rest)
        run = algorithm.begin(arms, np.random.default_rng(0))
        while not run.stop():
            arm, number = run.select()
            observe(run.record, arm, number, rewards[run.record.counts[arm], arm], np.zeros(2))
        counts.append(run.record.counts)
    np.testing.assert_allclose(*counts, atol=10)  # rounding decides between equal shares


@pytest.mark.slow
@pytest.mark.compiled
@RULES
def test_units_do_not_matter(problem, threshold):
    """Powers of 2 change no digit."""
    algorithm, found = pc.TopTwoIDS(problem=problem, threshold=threshold), []
    means, noises, rest = arms_of(problem)
    for units in (np.ones(2), np.array([2.0**9, 0.5])):
        covariance = noises["both"]["covariance"] * units[:, None] * units
        region = {name: each.divided_by(1 / units) for name, each in rest.items()}
        instance = pc.Instance(means * units, covariance=covariance, **region)
        found.append(pc.simulate(algorithm, instance, 5, progress=False))
    np.testing.assert_allclose(found[0].samples, found[1].samples, rtol=0.02)
    np.testing.assert_array_equal(found[0].answers, found[1].answers)


@pytest.mark.slow
@pytest.mark.compiled
@ALL
def test_the_allocation_becomes_optimal(problem, kind):
    means, noises, rest = arms_of(problem)
    noise = noises[kind]
    algorithm, instance = pc.TopTwoIDS(1e-200, problem=problem), pc.Instance(means, **noise, **rest)
    runs = pc.simulate(algorithm, instance, 2, progress=False)
    for pulls, found in zip(runs.pulls, runs.means, strict=True):
        settings = {"problem": problem, **noise, **rest}
        best = pc.characteristic_time(found, **settings).time
        if problem == PARTITION:
            easiest, _ = pc.easiest_partition(found, REGION, **noise)
            cost = pc.partition_cost(found, pulls / pulls.sum(), REGION, easiest, **noise)
        else:
            cost = pc.transport_cost(found, pulls / pulls.sum(), **settings)
        assert 0.98 < cost.value * best < 1.001


# Of 400 runs that err at a rate of 2 delta, more than 55 err, which is refused, with probability
# 0.999.
@pytest.mark.statistical
@pytest.mark.slow
@ALL
def test_error_rate_is_at_most_delta(problem, kind):
    means, noises, rest = arms_of(problem)
    scale = 1.0 if problem in IN_REGION else 0.4
    instance = pc.Instance(scale * means, **noises[kind], **rest)
    runs = pc.simulate(pc.TopTwoIDS(0.1, problem=problem), instance, 400, progress=False)
    assert runs.stopped.all()
    errors = int((~runs.correct).sum())
    assert binomtest(errors, 400, 0.1, alternative="greater").pvalue > 0.01


NEAR_A_TIE = np.array([[0.5, 0.0], [0.0, 0.5], [-0.05, 0.45], [0.3, -0.4]])
NEAR_THE_BOUNDARY = np.array([[3.0, -0.13], [0.0, 3.0], [-2.0, -2.0], [3.0, -2.0], [-2.0, -2.0]])


def proven(threshold, problem=PARETO, **settings):
    return pc.TopTwoIDS(0.3, threshold=threshold, problem=problem, **settings)


@pytest.mark.statistical
@pytest.mark.slow
@pytest.mark.parametrize(
    ("algorithm", "kind"),
    [
        (proven("proven_correlated"), "both"),
        rarely(proven("proven_correlated"), "correlated"),
        rarely(proven("proven_correlated"), "unequal"),
        (proven("proven"), "unequal"),
        (proven("proven"), "correlated"),
        (proven("proven", BEST_ARMS), "both"),
        (pc.Certified(pc.TopTwoIDS(), 0.3, rule="pairs"), "both"),
        (pc.Certified(pc.APE(), 0.3, rule="pairs"), "both"),
        (proven("proven", CONSTRAINED, alternative_every=10), "both"),
        rarely(proven("proven", CONSTRAINED, alternative_every=10), "correlated"),
        (proven("proven_correlated", CONSTRAINED, alternative_every=10), "both"),
        (proven("proven", PARTITION, alternative_every=10), "both"),
        (proven("proven_correlated", PARTITION, alternative_every=10), "both"),
    ],
)
@MORE
def test_error_rate_with_a_proof_is_at_most_delta(algorithm, kind, times):
    """Runs near a tie, or near the boundary, in which the test after each sample errs most.

    Of 200 runs that err at a rate of 2 delta, more than 75 err, which is refused.
    """
    problem = getattr(algorithm, "problem", PARETO)
    _, noises, rest = arms_of(problem)
    means, most = (NEAR_THE_BOUNDARY, 4000) if rest else (NEAR_A_TIE, 20_000)
    instance = pc.Instance(means, **noises[kind], **rest)
    runs = pc.simulate(algorithm, instance, 200 * times, max_samples=most, progress=False)
    assert runs.stopped.sum() > (10 if rest else 4)
    errors = int((runs.stopped & ~runs.correct).sum())
    assert binomtest(errors, 200 * times, 0.3, alternative="greater").pvalue > 0.01


def test_units_are_typical_standard_deviations():
    covariance = np.array([np.diag([4.0, 9.0]), np.diag([4.0, 1.0])])
    for rule in (JOINT, PAIRS):
        unit, variance = units_of_noise(rule, pc.Problem(2, 2, covariance=covariance))
        np.testing.assert_allclose(unit, [2.0, np.sqrt(5.0)])
        np.testing.assert_allclose(variance, [[1.0, 1.8], [1.0, 0.2]])


def random_covariances(rng, n_arms, n_objectives):
    """Covariance matrices, some nearly singular and some of badly scaled objectives."""
    roots = rng.standard_normal((n_arms, n_objectives, n_objectives))
    roots += rng.choice([0.0, 3.0]) * rng.standard_normal((n_arms, 1, n_objectives))
    scales = 10.0 ** rng.uniform(-4, 4, n_objectives)
    covariance = roots @ roots.transpose(0, 2, 1) * scales[:, None] * scales
    return covariance + 1e-9 * np.eye(n_objectives) * np.diagonal(covariance, 0, 1, 2)[..., None]


@given(st.integers(0, 10**6), st.integers(1, 5))
def test_variances_of_the_joint_rule_bound_the_covariance_for_bets_of_one_sign(seed, d):
    """The exponential moments of noise are at most those of independent objectives."""
    rng = np.random.default_rng(seed)
    covariance = random_covariances(rng, 3, d)
    variance = joint_variances(covariance)
    bets = rng.exponential(size=(50, 3, d)) * rng.choice([0.0, 1.0], size=(50, 3, d))
    bets /= np.sqrt(np.diagonal(covariance, axis1=1, axis2=2))
    of_noise = np.einsum("nkc,kcb,nkb->nk", bets, covariance, bets)
    bound = np.einsum("nkc,kc->nk", bets**2, variance)
    assert (of_noise <= bound * (1 + 1e-9)).all()


def test_variances_of_the_joint_rule_grow_with_positive_correlation_only():
    covariance = np.array([[[4.0, 3.0], [3.0, 9.0]], [[4.0, -3.0], [-3.0, 9.0]]])
    np.testing.assert_allclose(joint_variances(covariance), [[6.0, 13.5], [4.0, 9.0]])
    # with equal bets in two equally correlated objectives, no smaller variances would do
    equal = np.array([[[1.0, 0.6], [0.6, 1.0]]])
    assert joint_variances(equal).sum() == pytest.approx(equal.sum())


@pytest.mark.statistical
@pytest.mark.slow
@pytest.mark.parametrize(
    "algorithm",
    [pc.TrackAndStop(0.3, threshold="proven", gradient_every=5), pc.Certified(pc.APE(), 0.3)],
)
def test_error_rate_of_the_joint_rule_with_covariances_is_at_most_delta(algorithm):
    instance = pc.Instance(0.5 * MEANS, **NOISES["both"])
    runs = pc.simulate(algorithm, instance, 300, max_samples=20_000, progress=False)
    assert runs.stopped.mean() > 0.5
    errors = int((runs.stopped & ~runs.correct).sum())
    assert binomtest(errors, 300, 0.3, alternative="greater").pvalue > 0.01


def evidence_of(name, record, variance):
    """Evidence of the rule of this name, in units of the root mean square deviation."""
    work, unit = allocate_work(*record.means.shape), np.sqrt(variance.mean(axis=0))
    size = write_front(record.means, work.front)
    work.optimal[work.front[:size]] = True
    information = record.counts[:, None] / variance * unit**2
    rule = make_rule(name, 0.0, len(variance))
    return least_evidence(rule, information, record.means / unit, 0, size, -np.inf, work)


@pytest.mark.compiled
@pytest.mark.parametrize(("threshold", "name"), [("proven", JOINT), ("proven_correlated", PAIRS)])
def test_a_proven_rule_weighs_samples_by_their_variance(threshold, name):
    """It stops at the first test at which the evidence is enough."""
    algorithm, variance = pc.TopTwoIDS(0.1, threshold=threshold), np.array(UNEQUAL)
    problem = pc.Problem(4, 2, covariance=variance[:, :, None] * np.eye(2))
    rng = np.random.default_rng(2)
    run = algorithm.begin(problem, rng)
    while not run.stop():
        samples = run.record.time[0]
        if samples % max(1, samples // 200) == 0 and run.record.counts.min() > 0:
            assert evidence_of(name, run.record, variance) < np.log(10)
        arm, number = run.select()
        noise = np.sqrt(variance[arm]) * rng.standard_normal(2)
        observe(run.record, arm, number, 2 * MEANS[arm] + noise, np.zeros(2))
    assert evidence_of(name, run.record, variance) >= np.log(10)


def test_unknown_variances_must_be_common_to_all_arms():
    algorithm = pc.Certified(pc.TopTwoIDS(), rule="pairs", variance="unknown, equal")
    with pytest.raises(ValueError, match="expected one variance per objective"):
        pc.simulate(algorithm, pc.Instance(MEANS, **NOISES["unequal"]), 1, progress=False)


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
