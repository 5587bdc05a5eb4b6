"""The designs of paretoinfer: Pareto sets, noise, and what algorithms may take for granted."""

import numpy as np
import pytest

import pareto_core as pc
from pareto_core.instances.paretoinfer_instances import LOSSES, paretoinfer_instance


@pytest.mark.parametrize(
    ("name", "optimal"),
    [
        ("six", [0, 1, 2]),
        ("convex", [0, 1, 2, 3]),
        ("concave", [0, 1, 2, 3, 4]),
        ("disconnected", [0, 1, 2, 3, 4, 5]),
        ("ties", [0, 2, 3]),
    ],
)
def test_the_pareto_set(name, optimal):
    instance = paretoinfer_instance(name)
    assert instance.pareto_set.tolist() == optimal
    np.testing.assert_allclose(1 - instance.means, LOSSES[name])


@pytest.mark.compiled
@pytest.mark.parametrize("name", LOSSES)
def test_rewards_are_in_the_unit_interval(name):
    instance = paretoinfer_instance(name)
    algorithm = pc.WidestBox(sample_blockers=True)
    assert pc.simulate(algorithm, instance, 2, progress=False).correct.all()


def test_unknown_names_are_refused():
    with pytest.raises(ValueError, match=r"^name = 'seven'"):
        paretoinfer_instance("seven")
