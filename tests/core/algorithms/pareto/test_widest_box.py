"""Widest box per cost: paretoinfer's printed examples, boxes by hand, and the guarantee."""

import contextlib

import numpy as np
import pytest
from references.r_generator import RUniform

import pareto_core as pc
import pareto_lab as lab
from pareto_core.algorithms.pareto.widest_box import DOMINATED, OPTIMAL, UNCERTAIN
from pareto_core.confidence.bounded_means import BOUNDARIES
from pareto_core.loop.record import observe
from pareto_core.simulation.statistics import rate_interval

LOSSES = {
    name: (1 - pc.load_instance(f"paretoinfer_{name}").means).round(2)
    for name in ("six", "convex", "concave", "disconnected", "ties")
}
SIX = LOSSES["six"]
NAMES = {UNCERTAIN: "?", OPTIMAL: "o", DOMINATED: "d"}


class Experiment:
    """A run of the rule on losses with uniform noise, which R's generator draws in batches."""

    def __init__(self, stream, means, half_width, **parameters):
        self.stream, self.means, self.half_width = stream, np.array(means), half_width
        settings = {"delta": 0.05, "initial": 5, "batch": 5, **parameters}
        self.algorithm = pc.WidestBox(bounds=(-1.0, 0.0), **settings)  # a loss is less reward
        problem = pc.Problem(*self.means.shape)
        self.run = self.algorithm.begin(problem, np.random.default_rng(0))
        self.spent, self.reason = 0.0, None

    @property
    def counts(self):
        return self.run.record.counts.tolist()

    @property
    def status(self):
        return "".join(NAMES[each] for each in self.run.state.status)

    def batch(self):
        """Five losses of the arm in turn: all of the first objective, then of the second."""
        arm, _ = self.run.select()
        n_objectives = self.means.shape[1]
        uniform = 2 * self.stream(5 * n_objectives).reshape(n_objectives, 5).T - 1
        for loss in self.means[arm] + self.half_width * uniform:
            assert self.run.select() == (arm, 1)
            observe(self.run.record, arm, 1, -loss, np.zeros(n_objectives))
            stopped = self.run.stop()
        self.spent += 5 * (self.algorithm.costs or [1] * len(self.means))[arm]
        return stopped

    def play(self, most=4000, budget=np.inf, in_turn=False):
        """Go on until all is certified, or something is used up."""
        while self.reason is None:
            if in_turn:
                place = self.run.record.time[0] // 5 % len(self.means)
                self.run.state.arm[0], self.run.state.left[0] = place, 5
            if self.batch():
                self.reason = "identified"
            elif self.spent >= budget:
                self.reason = "budget"
            elif self.run.record.time[0] >= most:
                self.reason = "max_evaluations"
        return self


COSTLY = {"costs": (1.0, 1.0, 1.0, 1.0, 5.0, 5.0)}
IDENTIFIED, CUT_OFF = "identified", "max_evaluations"
RUNS = [  # seed, losses, settings, how long to play; the reason of the end, statuses and counts
    (1, "six", {}, {"most": 3000}, IDENTIFIED, "oooddd", [85, 175, 70, 175, 55, 85]),
    (1, "six", {}, {"in_turn": True}, IDENTIFIED, "oooddd", [200, 200, 200, 200, 195, 195]),
    (2, "six", COSTLY, {"budget": 400}, "budget", "??????", [75, 70, 80, 75, 10, 10]),
    (2, "six", COSTLY, {"budget": 4000}, IDENTIFIED, "oooddd", [275, 170, 100, 170, 30, 65]),
    (1, "convex", {}, {}, IDENTIFIED, "oooodd", None),
    (1, "concave", {}, {}, IDENTIFIED, "oooood", [90, 315, 215, 80, 90, 90]),
    (1, "disconnected", {}, {}, CUT_OFF, "?oooo?", [1635, 205, 210, 440, 215, 1295]),
    (1, "ties", {}, {}, CUT_OFF, "odo?", [280, 280, 50, 3390]),
]


@pytest.mark.compiled
class TestPrintedExamples:
    """The examples of paretoinfer 0.1.0, to the last evaluation."""

    @pytest.mark.parametrize(
        ("seed", "shape", "settings", "most", "reason", "status", "counts"), RUNS
    )
    def test_runs(self, seed, shape, settings, most, reason, status, counts):
        half_width, epsilon = (0.1, 0.05) if shape == "six" else (0.08, 0.04)
        found = Experiment(RUniform(seed), LOSSES[shape], half_width, epsilon=epsilon, **settings)
        found.play(**most)
        assert (found.reason, found.status) == (reason, status)
        assert found.counts == (counts or found.counts)

    def test_slacks(self):
        stream, slacks = RUniform(3), (0.02, 0.05, 0.10)
        found = [Experiment(stream, SIX, 0.1, epsilon=each).play() for each in slacks]
        assert [sum(each.counts) for each in found] == [870, 605, 535]
        assert {each.reason for each in found} == {"identified"}


@pytest.mark.compiled
@pytest.mark.parametrize("shape", ["disconnected", "ties"])
def test_sampling_blockers_ends_a_run_that_would_not_end(shape):
    means = LOSSES[shape]
    found = Experiment(RUniform(1), means, 0.08, epsilon=0.04, sample_blockers=True).play(20_000)
    assert found.reason == "identified"
    assert found.status == {"disconnected": "oooooo", "ties": "odoo"}[shape]


def test_certified_arms_are_answered_whatever_their_estimates():
    run = pc.WidestBox().begin(pc.Problem(2, 2), None)
    for time in range(40):
        arm, _ = run.select()
        loss = np.array([0.4, 0.6] if arm == 0 else [0.4, 0.5]) + 0.01 * (time % 3)
        observe(run.record, arm, 1, 1 - loss, np.zeros(2))
        run.stop()
    assert run.answer().tolist() == [False, True]
    run.state.status[:] = OPTIMAL
    assert run.answer().all()


def certified(lower, upper, epsilon=0.0):
    """What is certified of arms with these boxes of losses."""
    lower, upper = np.array(lower), np.array(upper)
    run = pc.WidestBox(epsilon=epsilon, initial=1).begin(pc.Problem(*lower.shape), None)
    run.state.lower[:], run.state.upper[:] = lower, upper
    run.state.losses.lower[:], run.state.losses.upper[:] = lower.ravel(), upper.ravel()
    last = len(lower) - 1
    run.state.arm[0], run.state.left[0] = last, 1
    run.record.counts[:] = 1
    run.record.sums[last] = 1.0 - np.mean([lower[last], upper[last]], axis=0)
    run.stop()
    assert not run.answer()[run.state.status == DOMINATED].any()
    assert run.answer()[run.state.status == OPTIMAL].all()
    return "".join(NAMES[each] for each in run.state.status)


CIRCLE = [[0.4, 0.475, 0.55], [0.55, 0.4, 0.475], [0.475, 0.55, 0.4]]
TWO, EQUAL = [[0.4, 0.4], [0.3, 0.3]], [[0.4, 0.4]] * 3
LOW, HIGH = (
    [[0.1, 0.1], [0.5, 0.5], [0.4, 0.05]],
    [[0.2, 0.2], [0.6, 0.6], [0.5, 0.08]],
)


@pytest.mark.parametrize(
    ("lower", "upper", "epsilon", "status"),
    [
        (CIRCLE, CIRCLE, 0.0, "ooo"),
        (CIRCLE, CIRCLE, 0.1, "ddd"),  # with a slack three objectives may dominate in a circle
        (EQUAL, EQUAL, 0.0, "odd"),  # of arms that dominate each other the first stays
        (TWO, TWO, 0.2, "od"),
        (TWO, TWO, 0.05, "do"),
        (LOW, HIGH, 0.0, "odo"),  # arms are compared with those that are not dominated
        (LOW, HIGH, 0.05, "od?"),
    ],
)
def test_boxes_by_hand(lower, upper, epsilon, status):
    assert certified(lower, upper, epsilon) == status


def test_ties_between_boxes_are_broken_by_samples_then_by_order():
    run = pc.WidestBox(costs=(1, 1, 1, 2)).begin(pc.Problem(4, 1), None)
    run.record.counts[:] = 3, 2, 2, 1
    assert run.select() == (1, 1)
    run.state.left[0] = 0
    run.state.lower[3] = -1.5  # as if wide enough for its cost
    assert run.select() == (3, 1)


@pytest.mark.compiled
@pytest.mark.statistical
@pytest.mark.parametrize("boundary", BOUNDARIES)
def test_the_error_rate_stays_below_delta(boundary):
    wrong, stopped, runs = 0, 0, 25
    for seed in range(8):
        means = np.random.default_rng(seed).random((4, 2))
        instance = pc.Instance(means, noise="bernoulli")
        algorithm = pc.WidestBox(delta=0.3, boundary=boundary, sample_blockers=True)
        found = pc.simulate(algorithm, instance, runs, seed, max_samples=3000, progress=False)
        stopped += found.stopped.sum()
        wrong += (found.stopped & ~found.correct).sum()
    assert stopped > runs
    assert rate_interval(wrong, 8 * runs)[1] <= 0.3


GAUSSIAN = pc.Instance([[0.4, 0.5], [0.6, 0.3]])
BERNOULLI = pc.Instance([[0.4, 0.5], [0.6, 0.3]], noise="bernoulli")
RECORDED = pc.Instance.from_observations([[[0.4, 3.0]], [[0.1, 0.2]]])
UNIFORM = pc.Instance([[0.4, 0.5], [0.6, 0.3]], variance=[0.03, 0.01], noise="uniform")


@pytest.mark.parametrize(
    ("instance", "bounds", "fits"),
    [
        (GAUSSIAN, (0.0, 1.0), False),
        (BERNOULLI, (0.0, 0.9), False),
        (RECORDED, ((0.0, 1.0), (0.2, 2.9)), False),
        (RECORDED, ((0.1, 0.4), (0.2, 3.0)), True),
        (UNIFORM, ((0.11, 0.91), (0.0, 1.0)), False),
        (UNIFORM, ((0.09, 0.89), (0.0, 1.0)), False),
        (UNIFORM, ((0.09, 0.91), (0.12, 0.68)), True),
    ],
)
def test_rewards_must_lie_within_the_bounds(instance, bounds, fits):
    words = r"^instance = 'custom' .* expected all within its bounds"
    with contextlib.nullcontext() if fits else pytest.raises(ValueError, match=words):
        pc.simulate(pc.WidestBox(bounds=bounds), instance, 1, max_samples=1, progress=False)


def test_a_session_refuses_a_reward_that_is_out_of_bounds():
    objectives = {"yield": "max", "waste": "min"}
    algorithm = pc.WidestBox(bounds=((0.0, 1.0), (-1.0, 0.0)))
    session = lab.Session(algorithm, arms=["A", "B"], objectives=objectives)
    for reward in ([1.1, 0.5], [0.5, 1.1], [-0.1, 0.5], [0.5, -0.1]):
        with pytest.raises(ValueError, match=r"^reward = .* within the algorithm's bounds"):
            session.tell(session.ask(), reward)
    session.tell("A", [1.0, 1.0])
    assert session.samples == 1


def test_bounds_imply_a_bound_on_the_variance():
    algorithm = pc.WidestBox(bounds=((0.0, 1.0), (-3.0, 1.0)))
    assert [each.noise.variance_bound for each in (pc.WidestBox(), algorithm)] == [0.25, 4.0]
    assert algorithm.noise.is_stated
    session = lab.Session(pc.WidestBox(), 2, 1)  # its statements rest on the same bound
    session.tell_all({"arm": [0, 1] * 40, "0": [0.0, 1.0] * 40})
    assert session.status().optimal == [1]


def test_parameters_that_do_not_match_the_problem_are_refused():
    with pytest.raises(ValueError, match=r"^costs = \(1.0,\); expected 2 finite numbers"):
        pc.simulate(pc.WidestBox(costs=[1.0]), BERNOULLI, 1)
    with pytest.raises(ValueError, match=r"^bounds = .* expected 2 pairs"):
        pc.simulate(pc.WidestBox(bounds=((0.0, 1.0),)), BERNOULLI, 1)
