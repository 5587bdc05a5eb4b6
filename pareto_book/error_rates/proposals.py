"""Means under which the errors of an algorithm are frequent, and runs drawn under them.

For independent Gaussian rewards, the likelihood ratio of a run is a function of the number of
samples and the average reward of each arm, whatever the stopping rule.
"""

import dataclasses
from typing import NamedTuple

import numpy as np
import scipy  # its parts are imported when they are used
from numpy.typing import ArrayLike

from pareto_book.error_rates.wrong_turns import wrong_turns
from pareto_core.checks.arguments import check_array, check_count
from pareto_core.instances.instance import Instance
from pareto_core.instances.noise import GAUSSIAN
from pareto_core.loop.algorithm import Algorithm
from pareto_core.simulation.runs import simulate, simulate_deltas
from pareto_core.simulation.scheduling import check_workers, run_batches

OWN_SHARE = 0.1  # of the runs, under the means of the instance: no weight exceeds its inverse
EQUAL_SHARE = 0.2  # of the runs, divided equally among the proposals
FIRST_RUNS = 50  # to estimate the proportions of the samples
SHORTEST = 1.5  # step along a wrong turn, in distances to the border; each further step doubles
ROUNDS = 4  # of fitting
MOST_TURNS = 60  # largest number of wrong turns in use, the cheapest ones
ENOUGH = 100  # effective errors required for a step of fitting, or half the errors
PRIOR = 2.0  # weight of a proposal's current means, in effective errors


class Proposals(NamedTuple):
    """A mixture of means under which runs are drawn."""

    means: np.ndarray  # (J, K, d), the first of them those of the instance
    shares: np.ndarray  # (J,) positive, of sum one


class Draws(NamedTuple):
    """Runs under all proposals."""

    wrong: np.ndarray  # (n,) whether the run stopped with a wrong answer for the instance
    log_ratios: np.ndarray  # (n, J) of the likelihoods under each proposal and under the instance
    log_shares: np.ndarray  # (J,) of the runs under each proposal
    pulls: np.ndarray  # (n, K)
    means: np.ndarray  # (n, K, d) average rewards, whitened
    samples: np.ndarray  # (n,)
    answers: np.ndarray  # (n, ...)

    @property
    def log_weights(self):
        """Logarithm of the likelihood under the instance divided by that under the mixture."""
        return -scipy.special.logsumexp(self.log_ratios + self.log_shares, axis=1)

    @property
    def contributions(self):
        """Terms of the estimate, shape (n,); 0 for runs that are not wrong."""
        return np.where(self.wrong, np.exp(self.log_weights), 0.0) / self.wrong.size


def fit_proposals(
    algorithm: Algorithm,
    instance: Instance,
    runs: int,
    seed: int = 0,
    deltas: ArrayLike | None = None,
    max_samples: int = 10**6,
    n_jobs: int | None = None,
) -> Proposals:
    """Find a mixture of means under which the most important errors are frequent."""
    unit = unit_of_noise(instance)
    _refuse_separate(algorithm)
    check_count(runs, "runs")
    levels = [algorithm] if deltas is None else levels_of(algorithm, deltas)
    seeds = np.random.SeedSequence(seed).generate_state(ROUNDS + 1, np.uint64) >> np.uint64(2)
    first = simulate(
        levels[-1], instance, FIRST_RUNS, int(seeds[0]), n_jobs, max_samples, progress=False
    )
    question, weights = algorithm.question, first.pulls.mean(axis=0) + 1.0
    turns = wrong_turns(instance, question, weights)
    if len(turns) == 0:
        raise ValueError(f"instance = {instance.name!r}; expected one with a wrong answer")
    smallest = min(getattr(level, "delta", 0.1) for level in levels)
    proposals = _follow(instance, unit, turns, first.pulls.mean(axis=0), smallest)
    for own_seed in seeds[1:]:
        draws = draw(levels, instance, proposals, runs, int(own_seed), max_samples, n_jobs)
        proposals = _refit(instance, unit, proposals, draws)
    return proposals


def unit_of_noise(instance):
    """Standard deviation of each objective, in units of which the noise of all arms is standard."""
    own, variance = instance.variance.ndim == 2, instance.variance
    if instance.noise != GAUSSIAN or instance.is_correlated or own or not (variance > 0).all():
        raise ValueError(
            f"instance = {instance.name!r}; expected independent Gaussian noise of one variance "
            "above 0 for each objective"
        )
    return np.sqrt(variance)


def _follow(instance, unit, turns, pulls, delta):
    """Mixture of several points along each wrong turn, with equal shares."""
    shifts = (turns - instance.means) / unit
    squares = (shifts**2).sum(axis=2)
    means = [instance.means]
    for k in np.argsort(squares @ pulls)[:MOST_TURNS]:
        nats = 0.5 * squares[k].sum()  # of one sample of each arm
        longest = np.sqrt((np.log(1 / delta) + 3) / nats) if nats > 0 else SHORTEST
        doublings = max(1, int(np.ceil(np.log2(longest / SHORTEST))))
        for step in SHORTEST * 2.0 ** np.arange(doublings + 1):
            means.append(instance.means + step * (turns[k] - instance.means))
    return Proposals(np.array(means), _mixed_shares(np.ones(len(means) - 1)))


def _mixed_shares(useful):
    """Shares of the proposals: a part divided equally, the rest by usefulness."""
    equal = np.full(useful.size, 1 / useful.size)
    by_use = useful / useful.sum() if useful.sum() > 0 else equal
    others = EQUAL_SHARE * equal + (1 - EQUAL_SHARE - OWN_SHARE) * by_use
    others *= (1 - OWN_SHARE) / others.sum()
    return np.concatenate([[OWN_SHARE], others])


def _flattened(log_weights):
    """Weights of sum one, raised to a power that leaves enough effective weights."""
    power = 1.0
    while True:
        weights = np.exp(power * (log_weights - log_weights.max()))
        weights /= weights.sum()
        if 1 / (weights**2).sum() >= min(ENOUGH, 0.5 * weights.size):
            return weights
        power *= 0.8


def _refit(instance, unit, proposals, levels):
    """One step of expectation maximisation, with equal weights of the risks."""
    centres = proposals.means[1:] / unit
    useful, squares = np.zeros((2, len(centres)))
    pulled, summed = np.zeros(centres.shape[:2]), np.zeros(centres.shape)
    for draws in levels:
        wrong = draws.wrong
        if not wrong.any():
            continue
        log_weights = draws.log_weights[wrong, None]
        likely = np.exp(draws.log_ratios[wrong] + draws.log_shares + log_weights)[:, 1:]
        part = likely * _flattened(log_weights)
        useful += part.sum(axis=0)
        squares += (part**2).sum(axis=0)
        pulled += part.T @ draws.pulls[wrong]
        sums = draws.pulls[wrong, :, None] * draws.means[wrong]
        summed += np.einsum("ij,ikc->jkc", part, sums, optimize=True)
    effective = useful**2 / np.maximum(squares, np.finfo(float).tiny)
    trust = (effective / (effective + PRIOR))[:, None, None]
    seen = pulled[:, :, None] > 0
    targets = np.divide(summed, pulled[:, :, None], out=centres.copy(), where=seen)
    means = (centres + trust * (targets - centres)) * unit
    return Proposals(np.concatenate([instance.means[None], means]), _mixed_shares(useful))


def levels_of(algorithm, deltas):
    """Return the algorithm at each risk."""
    risks = check_array(deltas, "deltas")
    if risks.ndim != 1 or risks.size == 0:
        raise ValueError(f"deltas = {deltas!r}; expected a sequence of numbers")
    if not isinstance(algorithm, Algorithm) or not algorithm.stopping.sampling_ignores_delta:
        raise ValueError(
            f"algorithm = {algorithm!r}; expected one whose sampling does not depend on delta"
        )
    return [algorithm.with_delta(float(risk)) for risk in risks]


def _refuse_separate(algorithm):
    """Refuse an algorithm whose runs have counts of each arm and objective."""
    if getattr(algorithm, "samples", None) == "values":
        raise ValueError(f"algorithm = {algorithm!r}; expected one that samples all objectives")


def draw(levels, instance, proposals, runs, seed, max_samples, n_jobs):
    """Draw each proposal's share of the runs."""
    unit = unit_of_noise(instance)
    _refuse_separate(levels[0])
    n_jobs = check_workers(n_jobs, None)
    numbers = np.ceil(proposals.shares * runs - 1e-9).astype(int)
    seeds = np.random.SeedSequence(seed).generate_state(numbers.size, np.uint64) >> np.uint64(2)
    deltas = [level.delta for level in levels] if len(levels) > 1 else None

    def play(k):
        moved = dataclasses.replace(instance, means=proposals.means[k])
        number, own_seed = int(numbers[k]), int(seeds[k])
        request = {"max_samples": max_samples, "progress": False, "n_jobs": 1}
        if deltas is None:
            return [simulate(levels[0], moved, number, own_seed, **request)]
        return simulate_deltas(levels[0], moved, deltas, number, own_seed, **request)

    strata = [None] * numbers.size
    run_batches(play, range(numbers.size), strata.__setitem__, n_jobs, "threads")
    judge = levels[0].for_objectives(instance.objectives).judge(instance)
    log_shares = np.log(numbers / numbers.sum())
    return [
        _weigh([stratum[k] for stratum in strata], unit, proposals.means, log_shares, judge)
        for k in range(len(levels))
    ]


def _weigh(strata, unit, means, log_shares, judge):
    """Join the runs of all proposals, and compute their likelihood ratios under each."""
    joined = {
        name: np.concatenate([getattr(runs, name) for runs in strata])
        for name in ("samples", "stopped", "pulls", "means", "answers")
    }
    distinct, which = np.unique(joined["answers"], axis=0, return_inverse=True)
    right = np.array([judge(answer) for answer in distinct])[which.ravel()]
    averages, pulls = joined["means"] / unit, joined["pulls"]
    shifts = (means - means[0]) / unit
    surplus = (averages - means[0] / unit) * pulls[:, :, None]
    log_ratios = np.einsum("ikc,jkc->ij", surplus, shifts, optimize=True)
    log_ratios -= pulls @ (0.5 * (shifts**2).sum(axis=2)).T
    wrong = joined["stopped"] & ~right
    return Draws(
        wrong, log_ratios, log_shares, pulls, averages, joined["samples"], joined["answers"]
    )
