"""Newer algorithms: examples of paretoinfer, and answers of TTPFTS."""

import dataclasses
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

import pareto_core as pc
import pareto_lab as lab
from pareto_core.simulation.runs import Simulation

RULE = pc.WidestBox(bounds=(-1.0, 0.0), delta=0.05, epsilon=0.05, initial=5, batch=5)
COSTS = (1.0, 1.0, 1.0, 1.0, 5.0, 5.0)
HALF_WIDTH, SHAPE_HALF_WIDTH = 0.1, 0.08  # of the noise
MOST = 4000  # evaluations after which an article ends a run
MAX_SAMPLES = 10**6

# The examples of paretoinfer, with R's random numbers


class RUniform:
    """R's ``runif`` after ``set.seed(seed)``: the Mersenne Twister."""

    def __init__(self, seed: int) -> None:
        words = []
        for _ in range(50 + 625):
            seed = (69069 * seed + 1) % 2**32
            words.append(seed)
        key = np.array(words[51:], dtype=np.uint32)
        self._twister = np.random.MT19937()
        self._twister.state = {"bit_generator": "MT19937", "state": {"key": key, "pos": 624}}

    def __call__(self, size: int) -> np.ndarray:
        """Return the next `size` numbers."""
        return self._twister.random_raw(size) * 2.3283064365386963e-10


def losses(name: str) -> np.ndarray:
    """Mean losses of each arm of an example, as the articles print them."""
    return (1 - pc.load_instance(f"paretoinfer_{name}").means).round(2)


def play(
    rule: pc.WidestBox,
    means: ArrayLike,
    half_width: float,
    stream: RUniform,
    most: float = MOST,
    budget: float = np.inf,
) -> tuple[np.ndarray, float]:
    """Play a rule on two losses with uniform noise, in batches of five evaluations of an arm."""
    means = np.asarray(means)
    costs = np.ones(len(means)) if rule.costs is None else np.asarray(rule.costs)
    session = lab.Session(rule, *means.shape)
    while not session.finished and session.samples < most and session.pulls @ costs < budget:
        arm = session.ask()
        for noise in 2 * stream(10).reshape(2, 5).T - 1:
            session.ask()
            session.tell(arm, -(means[arm] + half_width * noise))
    return session.pulls, float(session.pulls @ costs)


def printed_examples() -> dict[str, float]:
    """Replay twelve runs of the articles."""
    six = losses("six")
    pulls, _ = play(RULE, six, HALF_WIDTH, RUniform(1), most=3000)
    found = {"adaptive_evaluations": pulls.sum(), "adaptive_second": pulls[1]}
    stream = RUniform(3)
    for slack in (0.02, 0.05, 0.10):
        rule = dataclasses.replace(RULE, epsilon=slack)
        found[f"slack_{100 * slack:02.0f}"] = play(rule, six, HALF_WIDTH, stream)[0].sum()
    stream = RUniform(4)
    for risk in (0.10, 0.05, 0.01):
        rule = dataclasses.replace(RULE, delta=risk)
        found[f"risk_{100 * risk:02.0f}"] = play(rule, six, HALF_WIDTH, stream)[0].sum()
    rule = dataclasses.replace(RULE, costs=COSTS)
    small, large = (
        play(rule, six, HALF_WIDTH, RUniform(2), budget=budget) for budget in (400, 4000)
    )
    found["budget_evaluations"] = small[0].sum()
    found["costs_evaluations"], found["costs_spent"] = large[0].sum(), large[1]
    found["concave_second"] = shape_evaluations("concave")[1]
    found["disconnected_first"] = shape_evaluations("disconnected")[0]
    found["ties_last"] = shape_evaluations("ties")[3]
    return {name: float(value) for name, value in found.items()}


def shape_evaluations(name: str, sample_blockers: bool = False) -> np.ndarray:
    """Play the first stream on a front of a different shape."""
    rule = dataclasses.replace(RULE, epsilon=0.04, sample_blockers=sample_blockers)
    most = np.inf if sample_blockers else MOST
    return play(rule, losses(name), SHAPE_HALF_WIDTH, RUniform(1), most)[0]


# The other newcomers


def success_at(
    checkpoints: Sequence[int],
    algorithm: pc.Algorithm,
    instance: pc.Instance,
    runs: int,
    seed: int = 0,
) -> list[np.ndarray]:
    """Follow runs of an algorithm with a budget through smaller budgets: right answers."""
    levels = [dataclasses.replace(algorithm, budget=n) for n in checkpoints]
    simulation = Simulation(levels, instance, runs, seed, MAX_SAMPLES, None)
    for batch in simulation.pending:
        simulation.collect(batch, simulation.work(batch))
    return [each.correct for each in simulation.results()]
