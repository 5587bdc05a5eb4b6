"""Top-two sampling: its plain twin, its answers, and what it is refused."""

import math

import numpy as np
import pytest

import pareto_core as pc
from pareto_core.simulation.statistics import rate_interval


class PlainTopTwo(pc.PythonAlgorithm):
    """`TopTwoIDS` with everything computed anew at every sample."""

    def __init__(self, delta=0.1):
        self.delta = delta

    def start(self, problem, rng):
        return np.ones(problem.n_arms)

    def select(self, record, memory):
        counts, t = record.counts, record.time
        if t < counts.size:
            return t
        pieces = counts * pc.transport_cost(record.means, counts).gradient
        memory += pieces / sum(pieces) if sum(pieces) > 0 else 1 / counts.size
        rarest = counts.argmin()
        least = math.sqrt(t) - counts.size / 2
        if least >= 1 and counts[rarest] <= least:
            return rarest
        return (memory - counts).argmax()

    def stop(self, record, memory):
        if record.time < record.counts.size:
            return False
        evidence = pc.transport_cost(record.means, record.counts).value
        return evidence >= math.log(math.log(1 + record.time) / self.delta)

    def recommend(self, record, memory):
        return pc.pareto_set(record.means)


def random_instance(seed, n_arms, n_objectives):
    rng = np.random.default_rng(seed)
    return pc.Instance(1.5 * rng.standard_normal((n_arms, n_objectives)))


@pytest.mark.compiled
@pytest.mark.parametrize(("n_arms", "n_objectives"), [(4, 1), (5, 2), (7, 3)])
def test_runs_are_those_of_the_plain_twin(n_arms, n_objectives):
    for seed in range(4):
        instance = random_instance(seed, n_arms, n_objectives)
        request = {"runs": 2, "seed": seed, "max_samples": 1000, "progress": False}
        plain = pc.simulate(PlainTopTwo(), instance, n_jobs=1, **request)
        compiled = pc.simulate(pc.TopTwoIDS(), instance, **request)
        np.testing.assert_array_equal(compiled.samples, plain.samples)
        np.testing.assert_array_equal(compiled.pulls, plain.pulls)
        np.testing.assert_array_equal(compiled.answers, plain.answers)


@pytest.mark.statistical
@pytest.mark.parametrize("threshold", ["proven", "proven_correlated"])
def test_the_error_rate_stays_below_delta(threshold):
    wrong, runs = 0, 60
    for seed in range(8):
        instance = random_instance(100 + seed, 4, 2)
        algorithm = pc.TopTwoIDS(delta=0.3, threshold=threshold)
        found = pc.simulate(algorithm, instance, runs, seed, max_samples=3000, progress=False)
        wrong += (found.stopped & ~found.correct).sum()
    assert rate_interval(wrong, 8 * runs)[0] <= 0.3


@pytest.mark.compiled
def test_an_arm_that_was_unlucky_at_first_is_sampled_again():
    means = np.zeros((6, 2))
    means[0] = 0.7
    instance = pc.Instance(means)
    found = pc.simulate(pc.TopTwoIDS(), instance, 200, max_samples=5000, progress=False)
    assert found.stopped.all()
    never = pc.TopTwoIDS(forced_exploration=False)
    found = pc.simulate(never, instance, 200, max_samples=5000, progress=False)
    assert not found.stopped.all()


@pytest.mark.slow
@pytest.mark.compiled
def test_it_takes_fewer_samples_than_track_and_stop_on_the_vaccines():
    instance = pc.load_instance("cov_boost")
    first, second = (
        pc.simulate(each, instance, 60, progress=False).samples.mean()
        for each in (pc.TopTwoIDS(alternative_every=5), pc.TrackAndStop(gradient_every=10))
    )
    assert first < second


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("delta", 0.0),
        ("delta", 1.0),
        ("alternative_every", 0),
        ("check_every", 0.5),
        ("forced_exploration", 1),
        ("threshold", "guess"),
    ],
)
def test_bad_parameters_are_refused(field, value):
    with pytest.raises(ValueError, match=f"{field} = "):
        pc.TopTwoIDS(**{field: value})
