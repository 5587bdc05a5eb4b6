"""Top-two sampling with a budget: the same samples, another end, and the combinations refused."""

import numpy as np
import pytest

import pareto_core as pc

MEANS = np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.6], [0.2, 0.3], [-0.5, 0.5]])
SETTINGS = [{"alternative_every": 7}, pytest.param({"linear": True}, marks=pytest.mark.slow)]


def instance_for(settings):
    features = MEANS[:, :1] ** [0, 1, 2] if settings.get("linear") else None
    return pc.Instance(MEANS, features=features)


@pytest.mark.parametrize("settings", SETTINGS)
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


@pytest.mark.parametrize(("settings", "least"), [({}, 5), ({"linear": True}, 3)])
def test_the_budget_must_suffice_for_a_first_sample_of_each_explored_arm(settings, least):
    instance = instance_for(settings)
    with pytest.raises(ValueError, match=f"^budget = {least - 1}; expected at least {least}, one"):
        pc.simulate(pc.TopTwoIDS(budget=least - 1, **settings), instance, 1, progress=False)
    runs = pc.simulate(pc.TopTwoIDS(budget=least, **settings), instance, 1, progress=False)
    assert runs.samples.tolist() == [least]
