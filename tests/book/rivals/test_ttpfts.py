"""TTPFTS: its plain twin, the data behind its curves, and the inputs it refuses."""

import numpy as np
import pytest
from references.ttpfts import PlainTTPFTS

import pareto_core as pc
import pareto_lab as lab
from pareto_book.rivals import TTPFTS


def random_instance(seed, n_arms, n_objectives):
    rng = np.random.default_rng(seed)
    means = 0.3 * rng.standard_normal((n_arms, n_objectives))
    return pc.Instance(means, variance=[0.25] * n_objectives)


@pytest.mark.compiled
@pytest.mark.parametrize(("n_arms", "n_objectives"), [(2, 1), (6, 2), (9, 3)])
@pytest.mark.parametrize(
    "settings",
    [
        (2, "known", 0.5),
        (1, "known", 0.8),
        (4, "unknown", 0.5),
        (3, "unknown", 0.2),
        (4, "unrooted", 0.5),
        (3, "unrooted", 0.2),
    ],
)
def test_runs_are_those_of_the_plain_twin(n_arms, n_objectives, settings):
    for seed in range(2):
        instance = random_instance(seed, n_arms, n_objectives)
        request = {"runs": 2, "seed": seed, "progress": False}
        plain = pc.simulate(PlainTTPFTS(150, *settings), instance, n_jobs=1, **request)
        compiled = pc.simulate(TTPFTS(150, *settings), instance, **request)
        np.testing.assert_array_equal(compiled.samples, plain.samples)
        np.testing.assert_array_equal(compiled.pulls, plain.pulls)
        np.testing.assert_array_equal(compiled.answers, plain.answers)


def test_an_unknown_variance_requires_a_longer_warm_up():
    instance = random_instance(0, 5, 2)
    for variance, samples in (("known", 2), ("unknown", 4), ("unrooted", 4)):
        algorithm = TTPFTS(5 * samples, variance=variance)
        found = pc.simulate(algorithm, instance, 3, progress=False)
        assert (found.pulls == samples).all()


@pytest.mark.parametrize(("p", "arms"), [(1.0, [0, 1]), (0.0, [2])])
def test_without_noise_the_fronts_are_those_of_the_means(p, arms):
    instance = pc.Instance([[900.0, 0.0], [0.0, 900.0], [-90.0, -90.0], [-900.0, -900.0]])
    found = pc.simulate(TTPFTS(400, 1, p=p), instance, 5, progress=False)
    others = np.setdiff1d(range(4), arms)
    assert (found.pulls[:, others] == 1).all()
    assert (found.pulls[:, arms] > 100).all()


def test_all_arms_are_sampled_if_no_arm_is_dominated():
    instance = pc.Instance([[900.0, 0.0], [0.0, 900.0], [500.0, 500.0]])
    found = pc.simulate(TTPFTS(300, p=0.0), instance, 5, progress=False)
    assert (found.pulls > 50).all()


@pytest.mark.compiled
@pytest.mark.statistical
@pytest.mark.parametrize(("variance", "published"), [("known", 0.96), ("unknown", 0.96)])
def test_success_is_that_of_the_published_curve(variance, published):
    """EgeExp2 at 2000 samples, read off the curve of 100 runs: within its error and ours."""
    runs = pc.simulate(
        TTPFTS(2000, variance=variance), pc.load_instance("ege_2"), 200, progress=False
    )
    assert runs.correct.mean() == pytest.approx(published, abs=0.05)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("budget", 0),
        ("warm_up", 0),
        ("warm_up", 1.5),
        ("variance", "estimated"),
        ("p", -0.1),
        ("p", 1.1),
        ("p", "half"),
    ],
)
def test_bad_parameters_are_refused(field, value):
    with pytest.raises(ValueError, match=f"{field} = "):
        TTPFTS(**{"budget": 99, field: value})


def test_an_unknown_variance_takes_three_samples_of_each_arm():
    with pytest.raises(ValueError, match=r"^warm_up = 2; expected an integer, at least 3"):
        TTPFTS(99, 2, "unknown")


@pytest.mark.parametrize(("variance", "least"), [("known", 10), ("unknown", 20)])
def test_the_budget_must_suffice_for_the_warm_up(variance, least):
    with pytest.raises(ValueError, match=f"^budget = {least - 1}; expected at least {least}"):
        lab.Session(TTPFTS(least - 1, variance=variance), 5, 2, 1.0)
