"""Top-two sampling with noise that is correlated between objectives, or differs between arms."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from references.noise import random_covariance
from scipy.stats import binomtest

import pareto_core as pc
from pareto_core.algorithms.proven_stopping import joint_variances

MEANS = np.array([[1.0, 0.0], [0.0, 1.0], [-0.5, -0.5], [0.3, 0.2]])
NEAR_A_TIE = [[0.5, 0.0], [0.0, 0.5], [-0.05, 0.45], [0.3, -0.4]]
NEAR_THE_BOUNDARY = [[3.0, -0.13], [0.0, 3.0], [-2.0, -2.0], [3.0, -2.0], [-2.0, -2.0]]
UNEQUAL = [[1.0, 4.0], [1.0, 1.0], [0.2, 0.2], [9.0, 1.0]]
POSITIVE, NEGATIVE = [[1.0, 0.5], [0.5, 2.0]], [[4.0, -1.0], [-1.0, 1.0]]
MIXED = [*([POSITIVE] * 3), NEGATIVE]
TIED, APART = pc.Instance(NEAR_A_TIE, covariance=MIXED), pc.Instance(0.5 * MEANS, covariance=MIXED)
UNCORRELATED = pc.Instance(NEAR_A_TIE, variance=UNEQUAL)
IN_REGION = pc.Instance(
    NEAR_THE_BOUNDARY,
    covariance=[*([POSITIVE] * 3), *([[[2.0, -1.0], [-1.0, 1.0]]] * 2)],
    polyhedron=pc.orthant([-0.2, -0.2]),
)


@pytest.mark.statistical
@pytest.mark.slow
@pytest.mark.parametrize(
    ("algorithm", "instance"),
    [
        (pc.TopTwoIDS(0.3, threshold="proven_correlated"), TIED),
        (pc.TopTwoIDS(0.3, threshold="proven"), UNCORRELATED),
        (pc.TopTwoIDS(0.3, problem="best_arm_per_objective", threshold="proven"), TIED),
        (pc.Certified(pc.APE(), 0.3, rule="pairs"), TIED),
        (pc.Certified(pc.APE(), 0.3, rule="joint"), APART),
        (pc.TrackAndStop(0.3, threshold="proven", gradient_every=5), APART),
        *(
            (pc.TopTwoIDS(0.3, problem=problem, threshold=each, alternative_every=10), IN_REGION)
            for problem in ("constrained_pareto_set", "partition")
            for each in ("proven", "proven_correlated")
        ),
    ],
    ids=lambda each: type(each).__name__,
)
def test_error_rate_with_a_proof_is_at_most_delta(algorithm, instance):
    """Runs near a tie, or near the boundary, in which the test after each sample errs most.

    Of 200 runs that err at a rate of 2 delta, more than 75 err, which is refused.
    """
    most = 20_000 if instance.polyhedron is None else 4000
    runs = pc.simulate(algorithm, instance, 200, max_samples=most, progress=False)
    assert runs.stopped.sum() > 4
    errors = int((runs.stopped & ~runs.correct).sum())
    assert binomtest(errors, 200, 0.3, alternative="greater").pvalue > 0.01


@given(st.integers(0, 10**6), st.integers(1, 5))
def test_variances_of_the_joint_rule_bound_the_covariance_for_bets_of_one_sign(seed, d):
    """The exponential moments of noise are at most those of independent objectives."""
    rng = np.random.default_rng(seed)
    covariance = random_covariance(rng, 3, d)
    variance = joint_variances(covariance)
    bets = rng.exponential(size=(50, 3, d)) * rng.choice([0.0, 1.0], size=(50, 3, d))
    bets /= np.sqrt(np.diagonal(covariance, axis1=1, axis2=2))
    of_noise = np.einsum("nkc,kcb,nkb->nk", bets, covariance, bets)
    bound = np.einsum("nkc,kc->nk", bets**2, variance)
    assert (of_noise <= bound * (1 + 1e-9)).all()
