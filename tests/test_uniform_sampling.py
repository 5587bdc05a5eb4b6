"""Uniform sampling, the baseline."""

import numpy as np
import pytest
import reference

from pareto_core import Instance, UniformSampling, simulate
from pareto_core.confidence import stylised_threshold

INSTANCE = Instance([[1.0, 0.2, 0.0], [0.0, 1.3, 0.0], [-0.4, -0.6, -0.5]])


def test_arms_take_turns_until_the_evidence_is_conclusive():
    rng = np.random.default_rng(4)
    session = UniformSampling(delta=0.05, check_every=5).session(3, 3)
    while not session.finished:
        arm = session.ask()
        assert arm == session.samples % 3
        session.tell(arm, INSTANCE.means[arm] + rng.standard_normal(3))
        evidence = 0.0
        if session.samples % 5 == 0:
            evidence = reference.transport(session.means, session.pulls.astype(float))[0]
        needed = stylised_threshold(max(session.samples, 2), 0.05)
        assert session.finished == (evidence >= needed)
    assert session.recommendation.tolist() == reference.pareto_set(session.means)


@pytest.mark.statistical
def test_error_rate_is_at_most_delta():
    runs = simulate(UniformSampling(delta=0.1), INSTANCE, 1000, progress=False)
    assert runs.stopped.all()
    assert runs.summary()["error_high"] <= 0.1
    assert np.ptp(runs.pulls, axis=1).max() <= 1


@pytest.mark.parametrize(
    ("name", "value"),
    [("delta", 0), ("delta", np.nan), ("check_every", 0), ("threshold", "stylized")],
)
def test_parameters_are_checked(name, value):
    with pytest.raises(ValueError, match=f"^{name} = {value!r}"):
        UniformSampling(**{name: value})
