"""Proven stopping rules with known noise that is correlated, or that differs between arms."""

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
MEANS = np.array([[1.0, 0.0], [0.0, 1.0], [-0.5, -0.5], [0.3, 0.2]])
CORRELATED = np.array([[1.0, 0.8], [0.8, 1.0]])
UNEQUAL = [[1.0, 4.0], [1.0, 1.0], [0.2, 0.2], [9.0, 1.0]]
NOISES = {
    "correlated": {"covariance": CORRELATED},
    "unequal": {"variance": UNEQUAL},
    "both": {"covariance": [*([[[1.0, 0.5], [0.5, 2.0]]] * 3), [[4.0, -1.0], [-1.0, 1.0]]]},
}


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("problem", "threshold"),
    [(PARETO, "stylised"), (PARETO, "proven_correlated"), (BEST_ARMS, "proven")],
)
def test_a_common_covariance_is_the_same_for_each_arm(problem, threshold):
    algorithm = pc.TopTwoIDS(problem=problem, threshold=threshold)
    common = pc.simulate(algorithm, pc.Instance(MEANS, covariance=CORRELATED), 5, progress=False)
    own = pc.Instance(MEANS, covariance=[CORRELATED] * 4)
    found = pc.simulate(algorithm, own, 5, progress=False)
    np.testing.assert_array_equal(common.pulls, found.pulls)


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("problem", "threshold"),
    [
        (PARETO, "stylised"),
        (PARETO, "proven"),
        (PARETO, "proven_correlated"),
        (BEST_ARMS, "stylised"),
        (BEST_ARMS, "proven"),
    ],
)
def test_unit_variance_of_each_arm_is_independent_noise(problem, threshold):
    """The kernels for known noise agree with those for independent noise of unit variance."""
    algorithm, counts = pc.TopTwoIDS(problem=problem, threshold=threshold), []
    rewards = MEANS + np.random.default_rng(1).standard_normal((5000, *MEANS.shape))
    for covariance in (None, np.array([np.eye(2)] * 4)):
        run = algorithm.begin(pc.Problem(4, 2, covariance=covariance), np.random.default_rng(0))
        while not run.stop():
            arm, number = run.select()
            observe(run.record, arm, number, rewards[run.record.counts[arm], arm], np.zeros(2))
        counts.append(run.record.counts)
    np.testing.assert_allclose(*counts, atol=3)  # rounding decides between equal shares


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("problem", "threshold"),
    [
        (PARETO, "stylised"),
        (PARETO, "proven_correlated"),
        (BEST_ARMS, "stylised"),
        (BEST_ARMS, "proven"),
    ],
)
def test_units_do_not_matter(problem, threshold):
    """Powers of 2 change no digit."""
    algorithm, units = pc.TopTwoIDS(problem=problem, threshold=threshold), np.array([2.0**9, 0.5])
    covariance = np.array(NOISES["both"]["covariance"])
    scaled = pc.Instance(MEANS * units, covariance=covariance * units[:, None] * units)
    first = pc.simulate(algorithm, pc.Instance(MEANS, covariance=covariance), 5, progress=False)
    second = pc.simulate(algorithm, scaled, 5, progress=False)
    np.testing.assert_allclose(first.samples, second.samples, rtol=0.02)
    np.testing.assert_array_equal(first.answers, second.answers)


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
    ("algorithm", "kind"),
    [
        (pc.TopTwoIDS(0.3, threshold="proven_correlated"), "both"),
        *(
            pytest.param(
                *(pc.TopTwoIDS(0.3, threshold="proven_correlated"), kind),
                marks=pytest.mark.thorough,
            )
            for kind in ("correlated", "unequal")
        ),
        (pc.TopTwoIDS(0.3, threshold="proven"), "unequal"),
        (pc.TopTwoIDS(0.3, threshold="proven"), "correlated"),
        (pc.TopTwoIDS(0.3, threshold="proven", problem=BEST_ARMS), "both"),
        (pc.Certified(pc.TopTwoIDS(), 0.3, rule="pairs"), "both"),
        (pc.Certified(pc.APE(), 0.3, rule="pairs"), "both"),
    ],
)
@MORE
def test_error_rate_with_a_proof_is_at_most_delta(algorithm, kind, times):
    """Runs near a tie, in which the test after each sample errs most.

    Of 200 runs that err at a rate of 2 delta, more than 75 err, which is refused.
    """
    means = np.array([[0.5, 0.0], [0.0, 0.5], [-0.05, 0.45], [0.3, -0.4]])
    instance = pc.Instance(means, **NOISES[kind])
    runs = pc.simulate(algorithm, instance, 200 * times, max_samples=20_000, progress=False)
    assert runs.stopped.sum() > 5
    errors = int((runs.stopped & ~runs.correct).sum())
    assert binomtest(errors, 200 * times, 0.3, alternative="greater").pvalue > 0.01


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
    algorithm = pc.Certified(pc.TopTwoIDS(), rule="pairs", variance="unknown")
    with pytest.raises(ValueError, match="expected one variance per objective"):
        pc.simulate(algorithm, pc.Instance(MEANS, **NOISES["unequal"]), 1, progress=False)
