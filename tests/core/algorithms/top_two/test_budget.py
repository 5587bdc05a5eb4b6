"""Top-two sampling with a budget: the same samples, another end, and the combinations refused."""

import numpy as np
import pytest
from references.partition_algorithms import REGIONS, random_region

import pareto_core as pc
import pareto_lab as lab

MEANS = np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.6], [0.2, 0.3], [-0.5, 0.5]])
QUESTIONS = [
    {},
    {"alternative_every": 7},
    {"problem": "best_arm_per_objective"},
    *(
        pytest.param(each, marks=pytest.mark.slow)
        for each in (
            {"problem": "constrained_pareto_set"},
            {"problem": "partition"},
            {"linear": True},
        )
    ),
]


def instance_for(settings):
    needs_region = settings.get("problem") in ("constrained_pareto_set", "partition")
    region = random_region(np.random.default_rng(1), 2, REGIONS[0]) if needs_region else None
    features = MEANS[:, :1] ** [0, 1, 2] if settings.get("linear") else None
    return pc.Instance(MEANS, polyhedron=region, features=features)


@pytest.mark.parametrize("settings", QUESTIONS)
def test_samples_are_those_of_fixed_confidence_until_the_budget_is_spent(settings):
    instance, budget = instance_for(settings), 150
    request = {"runs": 3, "seed": 2, "progress": False}
    with_budget = pc.simulate(pc.TopTwoIDS(budget=budget, **settings), instance, **request)
    endless = pc.TopTwoIDS(delta=1e-300, **settings)
    cut_off = pc.simulate(endless, instance, max_samples=budget, **request)
    assert with_budget.stopped.all() and not cut_off.stopped.any()
    np.testing.assert_array_equal(with_budget.samples, budget)
    np.testing.assert_array_equal(with_budget.pulls, cut_off.pulls)
    np.testing.assert_array_equal(with_budget.answers, cut_off.answers)


@pytest.mark.compiled
def test_known_correlated_noise_is_used():
    covariance = [[1.0, 0.9], [0.9, 1.0]]
    plain, correlated = pc.Instance(MEANS), pc.Instance(MEANS, covariance=covariance)
    algorithm = pc.TopTwoIDS(budget=2000)
    assert algorithm.noise.reads_covariance
    pulls = [pc.simulate(algorithm, each, 5, progress=False).pulls for each in (plain, correlated)]
    assert np.abs(pulls[0].mean(axis=0) - pulls[1].mean(axis=0)).max() > 50


def test_a_session_ends_with_its_budget(tmp_path):
    session = lab.Session(pc.TopTwoIDS(budget=12), 5, 2, 1.0)
    while not session.finished:
        arm = session.ask()
        session.tell(arm, MEANS[arm])
    assert session.samples == 12
    assert session.recommendation.tolist() == pc.pareto_set(MEANS).tolist()
    session.save(tmp_path / "session.json")
    assert lab.load_session(tmp_path / "session.json").samples == 12


def test_a_proof_goes_on_where_the_budget_ends():
    certified = pc.Certified(pc.TopTwoIDS(budget=6), delta=0.1)
    runs = pc.simulate(certified, pc.Instance(2 * MEANS), 3, progress=False)
    assert runs.stopped.all() and runs.correct.all()
    assert (runs.samples > 6).all()


@pytest.mark.parametrize(("settings", "least"), [({}, 5), ({"linear": True}, 3)])
def test_the_budget_must_suffice_for_a_first_sample_of_each_explored_arm(settings, least):
    instance = instance_for(settings)
    with pytest.raises(ValueError, match=f"^budget = {least - 1}; expected at least {least}, one"):
        pc.simulate(pc.TopTwoIDS(budget=least - 1, **settings), instance, 1, progress=False)
    runs = pc.simulate(pc.TopTwoIDS(budget=least, **settings), instance, 1, progress=False)
    assert runs.samples.tolist() == [least]
