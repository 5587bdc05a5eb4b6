"""Simulated experiments of one design, until statements are certain and the algorithm stops."""

import functools
from typing import Any, NamedTuple

import numpy as np

from pareto_core.checks.arguments import check_count, shown
from pareto_core.checks.environment import progress_bar
from pareto_core.confidence.noise_kinds import UNKNOWN
from pareto_core.instances.instance import Instance
from pareto_core.instances.noise import make_source
from pareto_core.loop.interruption import interruptible
from pareto_core.simulation.runs import MOST_RUNS, decision_generator, run_generator
from pareto_core.simulation.scheduling import backend_of, batches, check_workers, run_batches
from pareto_lab.experiment.design import ExperimentDesign
from pareto_lab.planning.assumptions import Assumptions, assumptions_of
from pareto_lab.planning.plan import Plan
from pareto_lab.statements.status import StatusMonitor

MOST_SAMPLES = 100_000  # of a simulated experiment, unless the caller says otherwise
BUDGETS = 10  # a simulated experiment may cost this many budgets
GROWTH = 1.05  # of the samples between two looks at the statements


class Experiment(NamedTuple):
    """What all simulated experiments share."""

    algorithm: Any
    design: ExperimentDesign
    assumptions: Assumptions
    delta: float
    rule: str
    seed: int
    max_samples: int


def planned(
    algorithm, design, budget, asked, truth, runs, seed, max_samples, n_jobs, progress
) -> Plan:
    """Simulate a design; `asked` are the statements, and `truth` the means and the noise."""
    runs = check_count(runs, "runs", at_most=MOST_RUNS)
    seed = check_count(seed, "seed", at_least=0)
    n_jobs = check_workers(n_jobs, None)
    _refuse_bounded(algorithm)
    experiment = Experiment(
        algorithm,
        design,
        assumptions_of(design, algorithm, *truth),
        asked.delta,
        asked.rule,
        seed,
        _most_samples(max_samples, budget, design),
    )
    _monitor(experiment)  # which may refuse the algorithm
    parts = {}
    with progress_bar(runs, "plan", progress) as bar:

        def collect(batch, found):
            parts[batch] = found
            bar.update(batch[1] - batch[0])

        work, backend = functools.partial(_simulated, experiment), backend_of(algorithm, None)
        run_batches(work, batches(runs), collect, n_jobs, backend)
    found = np.concatenate([parts[batch] for batch in batches(runs)])
    samples, costs = found[:, 0], found[:, 1]
    return Plan(algorithm, design, budget, samples, costs, *experiment[2:])


def _refuse_bounded(algorithm):
    """Refuse an algorithm that a plan has no rewards for."""
    if algorithm.noise.reward_bounds is not None:
        raise ValueError(
            f"algorithm = {shown(algorithm)} requires bounded rewards; expected one for Gaussian "
            "noise, from which a plan draws its rewards"
        )


def _most_samples(given, budget, design):
    """Samples at which a simulated experiment is cut off."""
    if given is not None:
        return check_count(given, "max_samples")
    if budget is None:
        return MOST_SAMPLES
    most = min(BUDGETS * (budget / design.prices.min()), MOST_SAMPLES)
    return max(int(most), design.n_arms)


def _monitor(experiment):
    """A monitor of the statements about one simulated experiment."""
    algorithm = experiment.algorithm
    noise = algorithm.noise
    own = UNKNOWN if noise.is_stated and noise.variance_bound is None else None
    return StatusMonitor(algorithm, experiment.design, experiment.delta, experiment.rule, own)


def _simulated(experiment, batch):
    """Samples and costs of the experiments of a batch, shape (n, 2, K + 1); see `Plan`."""
    with interruptible():
        return np.array([_simulate(experiment, number) for number in range(*batch)])


def _simulate(experiment, number):
    """Samples and costs until 1, ..., K arms are certain and until the end, shape (2, K + 1)."""
    algorithm, design, *_ = experiment
    source = make_source(_instance(experiment))
    run = algorithm.begin(design.problem, decision_generator(experiment.seed, number))
    rng, monitor = run_generator(experiment.seed, number), _monitor(experiment)
    found, record = np.full((2, design.n_arms + 1), np.inf), run.record
    time, most, has_ended = design.n_arms, experiment.max_samples, False
    while not has_ended and record.time[0] < most:
        has_ended = run.advance(source, rng, min(time, most))
        spent = record.time[0], design.prices @ record.counts
        decided = _decided(monitor, design, record)
        first = found[0, :decided] == np.inf
        found[:, :decided][:, first] = np.array(spent)[:, None]
        time = max(int(GROWTH * record.time[0]), record.time[0] + 1)
    if has_ended:
        found[:, -1] = spent
    return found


def _decided(monitor, design, record):
    """How many arms the statements are certain about."""
    scatter = record.scatter * design.scale**2
    return monitor.decided(record.counts, design.restored(record.means), scatter)


def _instance(experiment):
    """The instance of one simulated experiment, as the algorithm samples it."""
    _, design, assumptions, *_ = experiment
    means, deviation = assumptions.means.copy(), assumptions.deviation / design.scale
    # With so few digits an average of equal values is this value, so that ties remain
    means[:, design.deterministic] = means[:, design.deterministic].astype(np.float32)
    if assumptions.correlation is not None:
        products = deviation[:, :, None] * deviation[:, None, :]
        return Instance(means / design.scale, covariance=assumptions.correlation * products)
    return Instance(means / design.scale, deviation**2)
