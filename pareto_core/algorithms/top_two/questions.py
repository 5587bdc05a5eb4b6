"""The questions of top-two sampling: what the rule reads of each, and how it may stop.

A question finds the cheapest alternative, writes its evidence, and recommends an answer. The Pareto
sets and the partition label the arms (`moves`), the best arms do not. If each objective of an arm
is measured by itself, the record has one row for each arm and objective (`unfolded_problem`): the
same kernels read it folded, and their evidence is unfolded. A proof stops a run whatever is
sampled; for the Pareto set, sampling is aimed at what the proof lacks. Known noise enters the cost
of the alternatives and the proofs.

Several partitions may be valid. The rule samples for the one that is the easiest to verify at the
empirical means. It is expensive to find, and is found anew whenever the number of samples has
doubled. In between, an arm whose label becomes invalid gets its only valid label.
"""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from pareto_core.algorithms.best_arms.best_arm_evidence import PROVEN as PROVEN_LEADS
from pareto_core.algorithms.best_arms.best_arm_evidence import leads_are_proven, leads_proof
from pareto_core.algorithms.constrained.proven_labels import (
    allocate_partition_proof,
    labels_are_proven,
    partition_proof,
)
from pareto_core.algorithms.proven_stopping import (
    PROVEN,
    Proven,
    Units,
    is_proven,
    is_time_to_look,
    units_of_noise,
    write_in_units,
)
from pareto_core.algorithms.top_two.easiest_partition import (
    PartitionSearch,
    allocate_partition_search,
    write_easiest_partition,
    write_labels,
)
from pareto_core.algorithms.top_two.rule import make_rule, searching
from pareto_core.algorithms.tracking import write_doubts
from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel, part, part_with_kernels
from pareto_core.confidence.proven_rules import JOINT, PAIRS, least_evidence
from pareto_core.geometry.polyhedron import check_polyhedron
from pareto_core.questions import (
    BEST_ARMS,
    CONSTRAINED_PARETO_SET,
    INFEASIBLE,
    OPTIMAL,
    PARETO_SET,
    PARTITION,
)
from pareto_core.transport.best_arms import cheapest_confusion, write_confusion
from pareto_core.transport.gaps import write_gaps_of_labels, write_gaps_of_leads
from pareto_core.transport.metric import KnownNoise, Region, noise_of, region_of, write_prices
from pareto_core.transport.moves import add, remove, write_move
from pareto_core.transport.oracle import Oracle, allocate_oracle, label_answer, label_partition
from pareto_core.transport.walk import cheapest_move

# Values of ``threshold`` that select a proven rule, and the rule, for each question
PROOFS = {
    PARETO_SET.name: PROVEN,
    CONSTRAINED_PARETO_SET.name: PROVEN,
    PARTITION.name: PROVEN,
    BEST_ARMS.name: PROVEN_LEADS,
}
SEPARATE = next(name for name, rule in PROVEN.items() if rule == JOINT)  # its proven rule
SEPARATE_PROOFS = {PARETO_SET.name: {SEPARATE: JOINT}, BEST_ARMS.name: PROVEN_LEADS}
GROWTH = 2  # factor by which the samples grow between two searches for the easiest partition
FEWEST_STEPS = 100  # of such a search; it takes sqrt(t) steps if that is more
CONFUSION = np.dtype(
    [("objective", np.int64), ("best", np.int64), ("challenger", np.int64)], align=True
)


class QuestionParameters(NamedTuple):
    """What the kernels read."""

    noise: KnownNoise | None
    region: Region | None
    proof: Any  # parameters of the proven rule, or None
    units: Units | None  # of separate measurements


class QuestionState(NamedTuple):
    """Arrays of the kernels."""

    search: Oracle | None  # None for best arms
    proof: Any  # arrays of the proven rule, or None
    times: np.ndarray  # (2,) numbers of samples at this call and at the previous one
    found: np.ndarray | None  # (1,) CONFUSION: the cheapest alternative for best arms
    gaps: np.ndarray  # (K,) in standard deviations of each arm
    partition: "Partitioning | None"
    folded: "Folded | None"


class Partitioning(NamedTuple):
    """Arrays for a partition."""

    labels: np.ndarray  # (K,) the partition to verify
    preferred: np.ndarray  # (K,) labels of the easiest partition at the last search
    due: np.ndarray  # (1,) number of samples at the next search
    easiest: PartitionSearch


class Folded(NamedTuple):
    """Separate measurements by arm and objective, shape (K, d)."""

    information: np.ndarray  # samples, divided by the variance of the noise in units
    means: np.ndarray  # in units
    alternative: np.ndarray
    gradient: np.ndarray


def allocate_partitioning(problem, region):
    """Allocate a `Partitioning`, to be searched for at the first sample."""
    labels = np.full((2, problem.n_arms), INFEASIBLE)
    search = allocate_partition_search(problem, region)
    return Partitioning(*labels, np.zeros(1, np.int64), search)


# Joint samples, or separate measurements


def search(parameters, state):
    """Stands for the search of a rule: the cost of the cheapest alternative."""


def refresh(parameters, state):
    """Stands for a step that brings the data of `sampled` up to date, and labels the answer."""


def sampled(parameters, state):
    """Stands for `_jointly` or `_separately`: the data, and where to write evidence."""


def unfold(parameters, state):
    """Stands for `_nothing` or `_unfold`: write the evidence of each sample."""


@part
def _jointly(parameters, state):
    """What the record contains."""
    means, noise = state.record.means, parameters.oracle.noise
    return means, state.weights, noise, state.alternative, state.shares


@part
def _nothing(parameters, state):
    """What is read is written there, and is up to date."""


@part
def _separately(parameters, state):
    """What the folded record contains."""
    folded = state.oracle.folded
    return folded.means, folded.information, None, folded.alternative, folded.gradient


@kernel
def _fold(parameters, state):
    """Write the information and the means of each arm and objective."""
    record, units, folded = state.record, parameters.oracle.units, state.oracle.folded
    counts, means = record.counts, record.means.reshape(-1)
    shape = folded.means.shape
    write_in_units(
        units, counts.reshape(shape), means.reshape(shape), folded.information, folded.means
    )


@kernel
def _unfold(parameters, state):
    """Write the evidence of a measurement of each arm and objective."""
    gradient, variance = state.oracle.folded.gradient, parameters.oracle.units.variance
    n_arms, n_objectives = gradient.shape
    for k in range(n_arms):
        for c in range(n_objectives):
            state.shares[k * n_objectives + c] = gradient[k, c] / variance[k, c]


# Pareto sets and partitions


@kernel
def _label(parameters, state):
    """Label the empirical answer."""
    question = parameters.oracle
    label_answer(state.record.means, question.noise, question.region, state.oracle.search)


@kernel
def _label_separately(parameters, state):
    """Label the empirical answer to the folded record."""
    _fold(parameters, state)
    label_answer(state.oracle.folded.means, None, None, state.oracle.search)


@kernel
def _label_partition(parameters, state):
    """Label the partition to verify."""
    question, oracle, partition = parameters.oracle, state.oracle, state.oracle.partition
    means, samples = state.record.means, state.record.time[0]
    noise, region, preferred = question.noise, question.region, partition.preferred
    if samples >= partition.due[0]:
        steps = max(FEWEST_STEPS, int(np.sqrt(samples)))
        write_easiest_partition(
            means, noise, region, state.costs, steps, partition.easiest, preferred
        )
        partition.due[0] = GROWTH * samples
    write_labels(means, noise, region, preferred, oracle.search, partition.labels)
    label_partition(means, noise, region, partition.labels, oracle.search)


def find(parameters, state):
    """Cost of the cheapest alternative."""
    refresh(parameters, state)
    means, weights, noise, _, _ = sampled(parameters, state)
    region, search = parameters.oracle.region, state.oracle.search
    return cheapest_move(means, weights, noise, region, np.inf, search)


def find_lacking(parameters, state):
    """Cost of the cheapest alternative among those that the proof lacked evidence against."""
    refresh(parameters, state)
    means, weights, noise, _, _ = sampled(parameters, state)
    search, weakest = state.oracle.search, state.oracle.proof.work.weakest
    arm, rival = weakest[0], weakest[1]
    if arm < 0 or (search.labels[arm] == OPTIMAL) != (rival >= 0):
        return cheapest_move(means, weights, noise, None, np.inf, search)
    write_prices(weights, noise, search.prices)
    if rival < 0:
        return add(means, weights, noise, arm, np.inf, search)
    return remove(means, weights, noise, arm, rival, np.inf, search)


def write(parameters, state):
    """Write the evidence of a sample of each arm against the alternative found."""
    means, weights, noise, alternative, evidence = sampled(parameters, state)
    write_move(means, weights, noise, state.oracle.search, alternative, evidence)
    unfold(parameters, state)


def weigh(parameters, state):
    """Write the shares of exploration, from the labels of the last search."""
    means, weights, noise, _, _ = sampled(parameters, state)
    gaps = state.oracle.gaps
    write_gaps_of_labels(means, noise, parameters.oracle.region, state.oracle.search, gaps)
    write_doubts(weights, gaps, state.doubts)


def recommend(parameters, state, answer):
    """Mark the Pareto set of the empirical means, among the feasible ones."""
    refresh(parameters, state)
    labels = state.oracle.search.labels
    for k in range(answer.shape[0]):
        answer[k] = labels[k] == OPTIMAL


def recommend_partition(parameters, state, answer):
    """Write the partition of the empirical means that the rule verifies."""
    question, oracle = parameters.oracle, state.oracle
    means, noise, region = state.record.means, question.noise, question.region
    write_labels(means, noise, region, oracle.partition.preferred, oracle.search, answer)


def stop_when_proven(parameters, state):
    """Whether the answer is proven."""
    return is_proven(parameters.oracle.proof, state.oracle.proof, state.record)


@kernel
def _is_due(parameters, state):
    """Whether to test now: the samples have grown by half a per cent, and by ``check_every``."""
    record = state.record
    is_time = is_time_to_look(parameters.test.check_every, state.oracle.times, record.time[0])
    return is_time and record.observed.min() > 0


def stop_when_labels_are_proven(parameters, state):
    """Whether each label is proven."""
    record, oracle, proof = state.record, state.oracle, parameters.oracle.proof
    if not _is_due(parameters, state):
        return False
    refresh(parameters, state)
    return labels_are_proven(
        proof, record.observed, record.means, oracle.search.labels, oracle.proof
    )


def stop_when_proven_separately(parameters, state):
    """As `proven_stopping.is_proven`, with own counts of each arm and objective."""
    if not _is_due(parameters, state):
        return False
    _label_separately(parameters, state)
    rule, folded, search = parameters.oracle.proof.rule, state.oracle.folded, state.oracle.search
    work, size, needed = state.oracle.proof.work, search.found[0]["size"], rule.log_needed
    copy_vector(work.front, search.front)
    for k in range(work.optimal.shape[0]):
        work.optimal[k] = search.labels[k] == OPTIMAL
    found = least_evidence(rule, folded.information, folded.means, 0, size, needed, work)
    return found >= needed


# Best arms


def find_confusion(parameters, state):
    """Cost of the cheapest confusion of two arms in an objective, which is recorded."""
    refresh(parameters, state)
    means, weights, noise, _, _ = sampled(parameters, state)
    found = state.oracle.found[0]
    cost, objective, best, challenger = cheapest_confusion(means, weights, noise)
    found["objective"], found["best"], found["challenger"] = objective, best, challenger
    return cost


def write_evidence(parameters, state):
    """Write the evidence of a sample of each arm against the confusion found."""
    means, weights, noise, alternative, evidence = sampled(parameters, state)
    found = state.oracle.found[0]
    confusion = found["objective"], found["best"], found["challenger"]
    write_confusion(means, weights, noise, confusion, alternative, evidence)
    unfold(parameters, state)


def weigh_leads(parameters, state):
    """Write the shares of exploration."""
    means, weights, noise, _, _ = sampled(parameters, state)
    write_gaps_of_leads(means, noise, state.oracle.gaps)
    write_doubts(weights, state.oracle.gaps, state.doubts)


def stop_when_leads_are_proven(parameters, state):
    """Whether all leads are proven (Theorem 6); the cost, a quick bound, is tested first."""
    record, proof = state.record, parameters.oracle.proof
    if record.time[0] % parameters.test.check_every != 0 or record.observed.min() == 0:
        return False
    if search(parameters, state) < proof.rule.log_needed:
        return False
    shape = proof.units.variance.shape
    observed, means = record.observed.reshape(-1), record.means.reshape(-1)
    return leads_are_proven(proof, observed.reshape(shape), means.reshape(shape))


def recommend_best_arms(parameters, state, answer):
    """Write the empirically best arm of each objective."""
    refresh(parameters, state)
    means, _, _, _, _ = sampled(parameters, state)
    for c in range(answer.shape[0]):
        answer[c] = means[:, c].argmax()


# Rules


class Needs(NamedTuple):
    """What the kernels of a question are given."""

    proof: Callable  # maps a proven rule and a problem to its parameters
    work: Callable  # and to its arrays
    labels: bool = True
    region: bool = False
    partition: bool = False
    separate: bool = False


def _noise_and_region(needs, problem):
    """Noise and region that the kernels read; refuses a problem without a region."""
    noise = None if needs.separate else noise_of(problem)
    if not needs.region:
        return noise, None
    return noise, region_of(check_polyhedron(problem.polyhedron, problem.n_objectives))


def _parameters(needs, stopping, problem):
    """Parameters of a question, for this way to stop."""
    proof = needs.proof(stopping, problem) if isinstance(stopping, Proven) else None
    units = units_of_noise(PAIRS, problem) if needs.separate else None
    return QuestionParameters(*_noise_and_region(needs, problem), proof, units)


def _allocate(needs, stopping, problem):
    """Arrays of a question, for this way to stop."""
    shape = problem.n_arms, problem.n_objectives
    noise, region = _noise_and_region(needs, problem)
    return QuestionState(
        allocate_oracle(*shape, noise, region, needs.separate) if needs.labels else None,
        needs.work(stopping, problem) if isinstance(stopping, Proven) else None,
        np.zeros(2, np.int64),
        None if needs.labels else np.zeros(1, CONFUSION),
        np.zeros(problem.n_arms),
        allocate_partitioning(problem, region) if needs.partition else None,
        Folded(*np.zeros((4, *shape))) if needs.separate else None,
    )


def _rules(needs, find, write, weigh, recommend, refresh, stop_when_proven, aim=None):
    """The rules that compare the cost with a threshold, and that stop by a proof."""
    steps = {**(SEPARATELY if needs.separate else JOINTLY), "refresh": refresh}
    search = searching(part_with_kernels(find, **steps))
    rest = (
        part_with_kernels(write, **steps),
        part_with_kernels(weigh, **steps),
        part_with_kernels(recommend, **steps),
        functools.partial(_parameters, needs),
        functools.partial(_allocate, needs),
    )
    stop = part_with_kernels(stop_when_proven, **steps, search=search)
    aimed = search if aim is None else searching(part_with_kernels(aim, **steps))
    return {False: make_rule(search, *rest), True: make_rule(aimed, *rest, stop)}


JOINTLY = {"sampled": _jointly, "unfold": _nothing}
SEPARATELY = {"sampled": _separately, "unfold": _unfold}
_PARETO_SET = Needs(Proven.parameters, Proven.allocate)
_IN_REGION = Needs(partition_proof, allocate_partition_proof, region=True)
_LEADS = Needs(leads_proof, lambda stopping, problem: None, labels=False)
_set_rules = functools.partial(_rules, find=find, write=write, weigh=weigh, recommend=recommend)
_best_arm_rules = functools.partial(
    _rules,
    find=find_confusion,
    write=write_evidence,
    weigh=weigh_leads,
    recommend=recommend_best_arms,
    stop_when_proven=stop_when_leads_are_proven,
)
RULES = {  # by question, and by whether a proof stops the run
    PARETO_SET.name: _set_rules(
        _PARETO_SET, refresh=_label, stop_when_proven=stop_when_proven, aim=find_lacking
    ),
    CONSTRAINED_PARETO_SET.name: _set_rules(
        _IN_REGION, refresh=_label, stop_when_proven=stop_when_labels_are_proven
    ),
    PARTITION.name: _set_rules(
        _IN_REGION._replace(partition=True),
        recommend=recommend_partition,
        refresh=_label_partition,
        stop_when_proven=stop_when_labels_are_proven,
    ),
    BEST_ARMS.name: _best_arm_rules(_LEADS, refresh=_nothing),
}
SEPARATE_RULES = {
    PARETO_SET.name: _set_rules(
        _PARETO_SET._replace(separate=True),
        refresh=_label_separately,
        stop_when_proven=stop_when_proven_separately,
        aim=find_lacking,
    ),
    BEST_ARMS.name: _best_arm_rules(_LEADS._replace(separate=True), refresh=_fold),
}
