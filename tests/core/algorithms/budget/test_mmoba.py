"""M-MOBA: its probabilities by brute force and by simulation, its runs, and its limits."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from references.budget import (
    MMOBALoop,
    change_probability,
    predictive,
    simulated_change_probability,
)
from scipy.stats import binomtest

import pareto_core as pc
import pareto_lab as lab
from pareto_core.algorithms.budget.change_probability import allocate_staircase, write_chances

STAIRS = np.array([[0.0, 3.0], [1.0, 2.0], [3.0, 0.0], [0.9, 1.8], [0.5, 1.9], [2.0, -1.0]])


def chances_of(means, spread, freedom):
    means, spread = np.asarray(means, float), np.asarray(spread, float)
    chances = np.empty(len(means))
    freedom = np.asarray(freedom, np.int64)
    write_chances(means, spread, freedom, allocate_staircase(len(means)), chances)
    return chances


def predicted(means, arm, spread, freedom):
    """Distributions of the two means, given the scale of their changes."""
    return [predictive(means[arm, c], 2 * spread[c] ** 2, 1, 1, freedom) for c in range(2)]


POINTS = st.integers(2, 7).flatmap(
    lambda n: hnp.arrays(float, (n, 2), elements=st.integers(-3, 3) | st.floats(-3, 3))
)


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(POINTS, st.sampled_from([0.01, 0.5, 3.0, 1e3]), st.sampled_from([0, 1, 4, 50]))
@example(STAIRS, 0.5, 0)
@example(STAIRS, 0.02, 4)
@example(np.zeros((3, 2)), 1.0, 0)
@example(np.array([[0.0, 0.0], [0.0, 0.0], [-1.0, -1.0]]), 1.0, 0)
@example(np.array([[0.0, 0.0], [0.0, -1.0]]), 1.0, 0)
def test_probabilities_are_those_of_the_cells_where_the_set_changes(means, scale, freedom):
    spread = scale * np.linspace(0.5, 2, means.size).reshape(means.shape)
    found = chances_of(means, spread, [freedom] * len(means))
    for arm in range(len(means)):
        expected = change_probability(means, arm, predicted(means, arm, spread[arm], freedom))
        assert found[arm] == pytest.approx(expected, rel=1e-6, abs=1e-13)


def test_small_probabilities_are_relatively_accurate():
    spread = np.full((6, 2), 0.03)
    found = chances_of(STAIRS, spread, [0] * 6)
    expected = [change_probability(STAIRS, k, predicted(STAIRS, k, spread[k], 0)) for k in range(6)]
    assert 0 < min(expected) < 1e-200
    assert found == pytest.approx(expected, rel=1e-9, abs=0)


@pytest.mark.statistical
@pytest.mark.parametrize("freedom", [0, 4])
def test_probabilities_are_the_frequencies_of_random_changes(freedom):
    rng, spread = np.random.default_rng(freedom), np.full((6, 2), 0.6)
    found = chances_of(STAIRS, spread, [freedom] * 6)
    for arm in range(6):
        distributions = predicted(STAIRS, arm, spread[arm], freedom)
        changes = simulated_change_probability(STAIRS, arm, distributions, 2000, rng)
        assert binomtest(changes, 2000, found[arm]).pvalue > 1e-4


def test_the_prediction_is_that_of_averages():
    """The spread of an average of n + tau samples around that of the first n."""
    rng, n, tau = np.random.default_rng(0), 5, 3
    samples = rng.standard_normal((40_000, n + tau))
    moves = samples.mean(axis=1) - samples[:, :n].mean(axis=1)
    assert moves.std() == pytest.approx(predictive(0.0, 1.0, n, tau, 0).std(), rel=0.02)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        *(
            pytest.param(each, marks=pytest.mark.slow)
            for each in (
                {"variance": "unknown"},
                {"tau": 3, "warm_up": 2},
                {"negligible": 1e-6},
                {"negligible": 0.4, "variance": "unknown"},
            )
        ),
    ],
)
def test_samples_are_those_of_the_plain_loop(settings):
    algorithm, rng = pc.MMOBA(50, **settings), np.random.default_rng(len(settings))
    means = 0.7 * rng.standard_normal((4, 2))
    session, loop = lab.Session(algorithm, 4, 2, 1.0), MMOBALoop(algorithm, 4)
    while not session.finished:
        arm = session.ask()
        assert arm in loop.arms()
        reward = means[arm] + rng.standard_normal(2)
        session.tell(arm, reward)
        loop.observe(arm, reward)
    assert session.samples == 50


@pytest.mark.compiled
def test_arms_are_sampled_in_turn_once_no_probability_matters():
    instance = pc.Instance([[0.9, 0.0], [0.0, 0.9], [-4.0, -4.0]], variance=[0.1, 0.1])
    runs = pc.simulate(pc.MMOBA(90, negligible=1e-6), instance, 3, progress=False)
    assert (runs.pulls >= 25).all()
    decided = pc.simulate(pc.MMOBA(90), instance, 3, progress=False)
    assert (decided.pulls[:, 2] < 15).all()


@pytest.mark.compiled
def test_variances_that_differ_between_arms_are_used():
    means, rest = [[1.0, 0.0], [0.0, 1.0], [0.9, -0.5]], [[1.0, 1.0]] * 2
    pulls = [
        pc.simulate(
            pc.MMOBA(300),
            pc.Instance(means, variance=[*rest, [v, v]]),
            20,
            progress=False,
        ).pulls[:, 2]
        for v in (0.01, 9.0)
    ]
    assert pulls[0].mean() < pulls[1].mean()


@pytest.mark.compiled
@pytest.mark.parametrize("variance", ["known", "unknown"])
@pytest.mark.parametrize("means", [np.zeros((2, 2)), [[1.0, 1.0], [0.0, 0.0]], np.ones((3, 2))])
def test_rewards_that_never_vary(variance, means):
    session = lab.Session(pc.MMOBA(40, variance=variance), len(means), 2, 1.0)
    while not session.finished:
        arm = session.ask()
        session.tell(arm, means[arm])
    assert session.recommendation.tolist() == pc.pareto_set(means).tolist()


@pytest.mark.parametrize("d", [1, 3])
def test_two_objectives_are_required(d):
    with pytest.raises(ValueError, match=f"^{d} objectives for MMOBA; expected 2"):
        pc.simulate(pc.MMOBA(100), pc.Instance(np.eye(3)[:, :d]), 1, progress=False)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("budget", 0),
        ("warm_up", 0),
        ("tau", 0),
        ("tau", 1.5),
        ("variance", "unrooted"),
        ("negligible", -1e-9),
    ],
)
def test_bad_parameters_are_refused(name, value):
    with pytest.raises(ValueError, match=f"^{name} = {value!r}; expected"):
        pc.MMOBA(**{"budget": 99, name: value})


def test_an_unknown_variance_takes_two_samples_of_each_arm():
    with pytest.raises(ValueError, match=r"^warm_up = 1; expected an integer, at least 2"):
        pc.MMOBA(99, 1, variance="unknown")
