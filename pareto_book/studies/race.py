"""Several algorithms on the same rewards: what each has sampled and decided at every time."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pareto_core import questions
from pareto_core.algorithms import APE, Racing
from pareto_core.algorithms.race import ACTIVE
from pareto_core.instances.instance import Instance
from pareto_core.loop.algorithm import Algorithm
from pareto_core.loop.record import observe
from pareto_core.transport import transport_cost

OPEN, OPTIMAL, WAITS, DOMINATED = ".+w-"  # statuses of an arm
DIGITS = 2  # rewards are rounded, so that a page can contain them exactly
LONGEST = 20_000  # samples of one rule
LOW, HIGH = 0, 2  # statistics of `APE`


class RuleRun(NamedTuple):
    """One run of one rule.

    A status is a letter for each arm: ``.`` for open, ``+`` for optimal, ``w`` for optimal but
    still needed, and ``-`` for dominated.
    """

    arms: list  # in the order in which they were sampled
    statuses: list  # numbers of samples at which a status changed, each with the statuses since


class Race(NamedTuple):
    """Runs of several rules on the same rewards."""

    delta: float
    labels: list  # names of the arms
    means: np.ndarray  # (K, d) the true ones
    rewards: list  # (n, d) of each arm: its n-th sample is the same for each rule that asks for it
    runs: dict  # a `RuleRun` of each rule, by name

    def seen(self, name: str, time: int) -> tuple[np.ndarray, np.ndarray]:
        """Numbers of samples and averages of each arm after ``time`` samples of a rule."""
        counts = np.bincount(self.runs[name].arms[:time], minlength=len(self.labels))
        averages = [each[:n].mean(axis=0) for each, n in zip(self.rewards, counts, strict=True)]
        return counts, np.array(averages)

    def as_data(self) -> dict[str, Any]:
        """Return plain data for a page: rewards as whole hundredths, arms as one text per rule."""
        return {
            "delta": self.delta,
            "labels": self.labels,
            "means": self.means.tolist(),
            "rewards": [
                np.rint(10**DIGITS * each).astype(int).ravel().tolist() for each in self.rewards
            ],
            "rules": [
                {
                    "name": name,
                    "arms": "".join(self.labels[arm] for arm in run.arms),
                    "statuses": run.statuses,
                }
                for name, run in self.runs.items()
            ],
        }


def record_race(instance: Instance, rules: Mapping[str, Algorithm], seed: int = 0) -> Race:
    """Run each rule on the same rewards until it stops."""
    deltas = {each.delta for each in rules.values()}
    if len(deltas) != 1:
        raise ValueError(f"rules have the risks {sorted(deltas)}; expected one risk")
    piles = _Piles(instance.means, seed)
    runs = {name: _run(name, each, instance, piles) for name, each in rules.items()}
    rewards = [np.array(each) for each in piles.rewards]
    return Race(deltas.pop(), list(instance.labels), instance.means, rewards, runs)


def box_radii(counts: ArrayLike, delta: float) -> np.ndarray:
    """Half the side of the box of each arm: the radius "iterated_logarithm" of `Racing`."""
    counts = np.asarray(counts)
    log_risk = np.log(1 / delta)
    constant = 2 * log_risk + 3 * max(np.log(log_risk), 0)
    return np.sqrt((constant + 2 * np.log(1 + np.log(counts))) / counts)


def evidence_along(race: Race, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Evidence against the closest wrong answer along the run of a rule."""
    arms = race.runs[name].arms
    first = 1 + max(arms.index(k) for k in range(len(race.labels)))
    times = np.arange(first, len(arms) + 1)
    evidence = []
    for time in times:
        counts, means = race.seen(name, time)
        evidence.append(time * transport_cost(means, counts / time).value)
    return times, np.array(evidence)


class _Piles:
    """Rewards of each arm, drawn when a rule first asks for them."""

    def __init__(self, means, seed):
        self._means = means
        seeds = np.random.SeedSequence(seed).spawn(len(means))
        self._generators = [np.random.default_rng(each) for each in seeds]
        self.rewards = [[] for _ in means]

    def take(self, arm, number):
        """Reward of an arm by its number."""
        pile = self.rewards[arm]
        while len(pile) <= number:
            noise = self._generators[arm].standard_normal(self._means.shape[1])
            pile.append((self._means[arm] + noise).round(DIGITS))
        return pile[number]


def _run(name, algorithm, instance, piles):
    machine = algorithm.begin(instance.problem, np.random.default_rng(0))
    arms, statuses, stopped = [], [], False
    no_scatter = np.zeros(instance.n_objectives)
    while not stopped:
        if len(arms) >= LONGEST:
            raise ValueError(f"{name} has not stopped after {LONGEST} samples; expected it to")
        arm, number = machine.select()
        for _ in range(number):
            reward = piles.take(arm, int(machine.record.counts[arm]))
            observe(machine.record, arm, 1, reward, no_scatter)
            arms.append(arm)
        stopped = machine.stop()
        found = _final(machine.answer()) if stopped else statuses_of(algorithm, machine.state)
        if not statuses or statuses[-1][1] != found:
            statuses.append((len(arms), found))
    return RuleRun(arms, statuses)


def statuses_of(algorithm: Algorithm, state: Any) -> str:
    """Statuses of all arms before a rule stops, as `RuleRun` has them."""
    n_arms = state.record.counts.size
    if state.record.counts.min() == 0:
        return OPEN * n_arms
    if isinstance(algorithm, Racing):
        return "".join(_racing_status(state.race, k) for k in range(n_arms))
    if isinstance(algorithm, APE):
        least = state.least
        return "".join(
            OPTIMAL if least[LOW, k] > 0 else DOMINATED if least[HIGH, k] < 0 else OPEN
            for k in range(n_arms)
        )
    return OPEN * n_arms


def _racing_status(race, arm):
    if race.labels[arm] != ACTIVE:
        return OPTIMAL if race.labels[arm] == questions.OPTIMAL else DOMINATED
    return WAITS if race.sure[arm] else OPEN


def _final(answer):
    return "".join(OPTIMAL if each else DOMINATED for each in answer)
