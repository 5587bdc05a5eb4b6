"""Tracking of shares until a budget is spent: sample by sample, and what all such rules share."""

import contextlib

import numpy as np
import pytest
from references.budget import TrackingLoop
from scipy.stats import binomtest

import pareto_core as pc
import pareto_lab as lab
from pareto_core.algorithms.budget.plug_in import TOLERANCE
from pareto_core.loop.record import observe

pytestmark = pytest.mark.compiled
ALGORITHMS = [pc.PlugIn, pc.SCORE, pc.MOCBA, pc.MMOBA]
NAMES = [kind.__name__ for kind in ALGORITHMS]
ALL = pytest.mark.parametrize("kind", ALGORITHMS, ids=NAMES)
FAR_FROM_UNIFORM = pc.Instance(  # two arms nearly tie, and 10 matter little
    [[1.0, 0.0], [0.0, 1.0], [0.8, 0.8], [0.6, 0.6], *([-1.0, -1.0] for _ in range(10))]
)


@pytest.mark.parametrize(
    "settings", [{}, {"warm_up": 1, "update_every": 1}, {"forced_exploration": False, "warm_up": 2}]
)
@pytest.mark.slow
@pytest.mark.parametrize("kind", [pc.PlugIn, pc.SCORE, pc.MOCBA])
def test_samples_follow_the_shares(kind, settings):
    algorithm, rng = kind(300, **settings), np.random.default_rng(4)
    means = rng.standard_normal((6, 2))
    run = algorithm.begin(pc.Problem(6, 2), rng)
    loop = TrackingLoop(algorithm, 6, 2, lambda _: run.state.shares)
    for _ in range(300):
        assert not run.stop()
        arm, number = run.select()
        assert number == 1 and arm in loop.arms()
        reward = means[arm] + rng.standard_normal(2)
        observe(run.record, arm, 1, reward, np.zeros(2))
        loop.observe(arm, reward)
    assert run.stop()


CORRELATED = np.array([[1.0, 0.8], [0.8, 1.0]])


def shares_of_source(kind):
    """Function of means, covariances and samples: the shares as the rooms below compute them."""
    if kind is pc.MOCBA:
        return lambda means, covariance, counts: pc.mocba_allocation(
            means, np.diagonal(covariance, axis1=1, axis2=2), counts
        )
    return lambda means, covariance, _: pc.score_allocation(means, covariance=covariance)


@pytest.mark.parametrize(
    ("algorithm", "uses_correlation"),
    [
        (pc.SCORE(120), True),
        (pc.SCORE(120, independent=True), False),
        (pc.MOCBA(120), False),
        (pc.MOCBA(120, forced_exploration=False), False),
    ],
)
@pytest.mark.parametrize("correlated", [False, True])
def test_shares_are_those_of_the_allocation(algorithm, uses_correlation, correlated):
    rng, means = np.random.default_rng(6), np.random.default_rng(1).standard_normal((6, 2))
    matrix = CORRELATED if correlated else np.eye(2)
    covariance = np.array([matrix * scale for scale in (1.0, 2.0, 0.5, 1.0, 1.0, 3.0)])
    run = algorithm.begin(pc.Problem(6, 2, covariance=covariance), rng)
    expected = shares_of_source(type(algorithm))
    used = covariance if uses_correlation else covariance * np.eye(2)
    looked_at = 0
    for _ in range(120):
        due, counts = run.state.due[0], run.record.counts.copy()
        arm, _ = run.select()
        if run.state.due[0] != due:
            with contextlib.suppress(RuntimeError):  # of a program that is not solved
                shares = expected(run.record.means, used, counts)
                assert run.state.shares == pytest.approx(shares, abs=0.03)
                looked_at += 1
        observe(
            run.record, arm, 1, rng.multivariate_normal(means[arm], covariance[arm]), np.zeros(2)
        )
    assert looked_at > 5


@pytest.mark.slow
@pytest.mark.parametrize("noise", [{}, {"covariance": CORRELATED}])
def test_shares_are_within_a_percent_of_the_best_rate(noise):
    rng, means = np.random.default_rng(5), np.random.default_rng(1).standard_normal((7, 2))
    covariance = np.array([noise["covariance"]] * 7) if noise else None
    run = pc.PlugIn(300).begin(pc.Problem(7, 2, covariance=covariance), rng)
    looked_at = 0
    for _ in range(300):
        due = run.state.due[0]
        arm, _ = run.select()
        if run.state.due[0] != due:
            looked_at += 1
            now = run.record.means
            best = 1 / pc.characteristic_time(now, 1e-5, covariance=covariance).time
            cost = pc.transport_cost(now, run.state.shares, covariance=covariance).value
            assert (1 - TOLERANCE) * best <= cost
        observe(run.record, arm, 1, means[arm] + rng.standard_normal(2), np.zeros(2))
    assert looked_at > 20


@pytest.mark.statistical
def test_the_shares_of_the_samples_converge_to_the_best():
    means = np.array([[2.0, 0.0], [0.0, 2.0], [-0.6, 1.0], [-2.0, 1.0]])
    best, away = pc.characteristic_time(means).weights, []
    for budget in (100, 400, 6400):
        runs = pc.simulate(pc.PlugIn(budget), pc.Instance(means), 20, progress=False)
        away.append(np.abs(runs.pulls / budget - best).sum(axis=1).mean())
    assert away[0] > 1.3 * away[1] > 2 * away[2]
    assert away[2] < 0.05


@ALL
def test_seeds_do_not_depend_on_the_number_of_workers(kind):
    runs = [
        pc.simulate(kind(200), FAR_FROM_UNIFORM, 30, seed=7, n_jobs=n, progress=False)
        for n in (1, 2)
    ]
    np.testing.assert_array_equal(runs[0].pulls, runs[1].pulls)
    np.testing.assert_array_equal(runs[0].answers, runs[1].answers)


@ALL
def test_a_shorter_run_is_the_beginning_of_a_longer_one(kind):
    along = pc.trajectory(kind(400), FAR_FROM_UNIFORM, [150, 400], run=1, seed=1)
    for row, budget in enumerate((150, 400)):
        alone = pc.simulate(kind(budget), FAR_FROM_UNIFORM, 2, seed=1, progress=False)
        np.testing.assert_array_equal(along.counts[row], alone.pulls[1])


@ALL
def test_a_simulation_draws_the_run_of_a_session(kind):
    instance = pc.Instance(FAR_FROM_UNIFORM.means[:5], variance=[4.0, 0.25])
    runs = pc.simulate(kind(60), instance, 1, seed=2, progress=False)
    rng = np.random.default_rng(0)
    session = lab.Session(kind(60), 5, 2, [2.0, 0.5])
    while not session.finished:
        arm = session.ask()
        session.tell(arm, instance.means[arm] + [2.0, 0.5] * rng.standard_normal(2))
    assert session.samples == runs.samples[0] == 60
    assert session.recommendation.tolist() == pc.pareto_set(session.means).tolist()


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize(
    "make",
    [*ALGORITHMS, lambda budget: pc.TopTwoIDS(budget=budget)],
    ids=[*NAMES, "TopTwoIDS"],
)
def test_fewer_errors_than_of_uniform_sampling(make):
    """The difference of two error rates, by exact intervals that do not overlap."""
    errors = []
    for algorithm in (make(700), pc.UniformSampling(budget=700)):
        runs = pc.simulate(algorithm, FAR_FROM_UNIFORM, 400, progress=False)
        errors.append(binomtest(int((~runs.correct).sum()), 400).proportion_ci(0.9999))
    assert errors[0].high < errors[1].low


@ALL
@pytest.mark.parametrize(
    "means",
    [
        np.zeros((2, 2)),  # equal rewards
        np.ones((5, 2)),
        [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]],  # two equal optimal arms
        [[0.0, 1.0], [0.0, 0.0]],  # a tie in one objective
        [[float(k), -float(k)] for k in range(5)],  # all arms are optimal
        [[2.0, 2.0], [1.0, 1.0]],
    ],
)
@pytest.mark.parametrize("noise", [0.0, 1.0])
def test_degenerate_instances(kind, means, noise):
    means, rng = np.asarray(means), np.random.default_rng(0)
    session = lab.Session(kind(80), *means.shape, 1.0)
    while not session.finished:
        arm = session.ask()
        session.tell(arm, means[arm] + noise * rng.standard_normal(2))
    assert session.samples == 80
    assert session.recommendation.tolist() == pc.pareto_set(session.means).tolist()


@pytest.mark.parametrize("kind", [pc.PlugIn, pc.SCORE, pc.MOCBA])
@pytest.mark.parametrize("d", [1, 3])
def test_other_numbers_of_objectives(kind, d):
    means = np.random.default_rng(d).standard_normal((4, d))
    runs = pc.simulate(kind(2000), pc.Instance(3 * means), 3, progress=False)
    assert runs.correct.all()


@ALL
def test_the_budget_must_suffice_for_the_first_samples(kind):
    with pytest.raises(ValueError, match=r"^budget = 24; expected at least 25, 5 samples of each"):
        lab.Session(kind(24), 5, 2, 1.0)
    runs = pc.simulate(kind(25), pc.Instance(FAR_FROM_UNIFORM.means[:5]), 1, progress=False)
    assert (runs.pulls == 5).all()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[("budget", value) for value in (0, -1, 1.5, "9", None, True)],
        *[("warm_up", value) for value in (0, 1.5)],
        *[("update_every", value) for value in (0, 0.5)],
        ("forced_exploration", 1),
    ],
)
def test_parameters_are_checked(name, value):
    with pytest.raises(ValueError, match=f"^{name} = {value!r}; expected"):
        pc.PlugIn(**{"budget": 99, name: value})


def test_whether_correlations_are_neglected_is_a_flag():
    with pytest.raises(ValueError, match=r"^independent = 1; expected"):
        pc.SCORE(99, independent=1)
