"""The questions of top-two sampling: what the rule reads of each, and how it may stop.

A question finds the cheapest alternative, writes its evidence, and recommends an answer. The Pareto
sets and the partition label the arms (`moves`), the best arms do not. If each objective of an arm
is measured by itself, the record has one row for each arm and objective, see `unfolding`, and the
kernels fold it. A proof stops a run whatever is sampled; for the Pareto set, sampling is aimed at
what the proof lacks. Known noise enters the cost of the alternatives and the proofs.

Several partitions may be valid. The rule samples for the one that is the easiest to verify at the
empirical means. It is expensive to find, and is found anew whenever the number of samples has
doubled. In between, an arm whose label becomes invalid gets its only valid label.
"""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from pareto_core.algorithms.best_arms.best_arm_evidence import (
    PROVEN as PROVEN_LEADS,
)
from pareto_core.algorithms.best_arms.best_arm_evidence import (
    best_arm_evidence_parameters,
    leads_are_proven,
    write_best_arms,
)
from pareto_core.algorithms.constrained.proven_labels import (
    allocate_partition_proof,
    labels_are_proven,
    partition_proof,
)
from pareto_core.algorithms.pareto.proven_stopping import (
    PROVEN,
    allocate_proven_stopping,
    is_proven,
    is_time_to_look,
    proven_parameters,
    units_of_noise,
)
from pareto_core.algorithms.top_two.easiest_partition import (
    PartitionSearch,
    allocate_partition_search,
    write_easiest_partition,
    write_labels,
)
from pareto_core.algorithms.top_two.rule import Rule, searching, selection, stopping
from pareto_core.compiling.copies import copy_vector
from pareto_core.compiling.kernels import kernel
from pareto_core.confidence.proven_rules import (
    JOINT,
    PAIRS,
    Work,
    allocate_work,
    least_evidence,
    make_rule,
)
from pareto_core.confidence.proven_rules import Rule as ProvenRule
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
from pareto_core.transport.metric import KnownNoise, Region, noise_of, region_of
from pareto_core.transport.moves import (
    Oracle,
    add,
    allocate_oracle,
    cheapest_alternative,
    cheapest_move,
    label_answer,
    label_partition,
    oracle_of,
    remove,
    write_move,
    write_prices,
)

SEPARATE = next(name for name, rule in PROVEN.items() if rule == JOINT)  # its proven rule
GROWTH = 2  # factor by which the samples grow between two searches for the easiest partition
FEWEST_STEPS = 100  # of such a search; it takes sqrt(t) steps if that is more
CONFUSION = np.dtype(
    [("objective", np.int64), ("best", np.int64), ("challenger", np.int64)], align=True
)


class Question(NamedTuple):
    """What the kernels read."""

    noise: KnownNoise | None
    region: Region | None
    proof: Any  # parameters of the proven rule, or None


class Answering(NamedTuple):
    """Arrays of the kernels."""

    search: Oracle
    proof: Any  # arrays of the proven rule, or None
    times: np.ndarray  # (2,) numbers of samples at this call and at the previous one


class Partitioning(NamedTuple):
    """Arrays of the kernels for a partition."""

    search: Oracle
    proof: Any
    times: np.ndarray
    labels: np.ndarray  # (K,) the partition to verify
    preferred: np.ndarray  # (K,) labels of the easiest partition at the last search
    due: np.ndarray  # (1,) number of samples at the next search
    easiest: PartitionSearch


class UnitsOfNoise(NamedTuple):
    """A proven rule, and the units of the data."""

    rule: ProvenRule
    unit: np.ndarray  # (d,) a typical standard deviation of each objective
    variance: np.ndarray  # (K, d) of the noise, in these units


class Leading(NamedTuple):
    """Arrays of the kernels for best arms."""

    found: np.ndarray  # (1,) CONFUSION: the cheapest alternative
    information: np.ndarray  # (K, d) samples, divided by the variance of the noise in units
    means: np.ndarray  # (K, d) in units
    alternative: np.ndarray  # (K, d)
    gradient: np.ndarray  # (K, d)


class Separate(NamedTuple):
    """Arrays of the kernels for the Pareto set of separate measurements."""

    search: Oracle
    work: Work
    times: np.ndarray  # (2,) numbers of samples at this call and at the previous one
    information: np.ndarray  # (K, d) samples, divided by the variance of the noise in units
    means: np.ndarray  # (K, d) in units
    alternative: np.ndarray  # (K, d)
    gradient: np.ndarray  # (K, d)


# Pareto sets


@kernel
def _find(parameters, state):
    """Cost of the cheapest alternative."""
    question, means = parameters.oracle, state.record.means
    noise, region, search = question.noise, question.region, state.oracle.search
    return cheapest_alternative(means, state.weights, noise, region, np.inf, search)


@kernel
def _find_lacking(means, weights, noise, weakest, search):
    """Cost of the cheapest alternative among those that the proof lacked evidence against."""
    arm, rival = weakest[0], weakest[1]
    label_answer(means, None, None, search)
    if arm < 0 or (search.labels[arm] == OPTIMAL) != (rival >= 0):
        return cheapest_move(means, weights, noise, None, np.inf, search)
    write_prices(weights, noise, search.prices)
    if rival < 0:
        return add(means, weights, noise, arm, np.inf, search)
    return remove(means, weights, noise, arm, rival, np.inf, search)


@kernel
def _find_for_proof(parameters, state):
    """As `_find`, among the alternatives that the proof lacked evidence against."""
    oracle, means = state.oracle, state.record.means
    weakest = oracle.proof.work.weakest
    return _find_lacking(means, state.weights, parameters.oracle.noise, weakest, oracle.search)


@kernel
def _write(parameters, state):
    """Write the evidence of a sample of each arm against the alternative found."""
    means, noise = state.record.means, parameters.oracle.noise
    search, alternative = state.oracle.search, state.alternative
    write_move(means, state.weights, noise, search, alternative, state.shares)


@kernel
def _label(parameters, state):
    """Label the empirical answer."""
    question = parameters.oracle
    label_answer(state.record.means, question.noise, question.region, state.oracle.search)


@kernel
def _recommend(parameters, state, answer):
    """Mark the Pareto set of the empirical means, among the feasible ones."""
    _label(parameters, state)
    labels = state.oracle.search.labels
    for k in range(answer.shape[0]):
        answer[k] = labels[k] == OPTIMAL


@kernel
def _stop_when_proven(parameters, state):
    return is_proven(parameters.oracle.proof, state.oracle.proof, state.record)


@kernel
def _is_due(parameters, state):
    """Whether to test now: the samples have grown by half a per cent, and by ``check_every``."""
    record = state.record
    is_time = is_time_to_look(parameters.test.check_every, state.oracle.times, record.time[0])
    return is_time and record.observed.min() > 0


@kernel
def _stop_when_labels_are_proven(parameters, state):
    record, proof = state.record, parameters.oracle.proof
    if not _is_due(parameters, state):
        return False
    _label(parameters, state)
    labels = state.oracle.search.labels
    return labels_are_proven(proof, record.observed, record.means, labels, state.oracle.proof)


def _checked_region(problem):
    """Region of a problem; refuses a problem without a polyhedron."""
    return region_of(check_polyhedron(problem.polyhedron, problem.n_objectives))


def _question(rule, check_every, delta, problem):
    """What the kernels read, with a proven rule unless ``rule`` is None."""
    proof = None if rule is None else proven_parameters(check_every, rule, delta, problem)
    return Question(noise_of(problem), None, proof)


def _question_in_region(rule, check_every, delta, problem):
    """As `_question`, with a region."""
    region, proof = _checked_region(problem), None
    if rule is not None:
        units = units_of_noise(rule, problem)
        proof = partition_proof(rule, delta, *units)
    return Question(noise_of(problem), region, proof)


def _answering(rule, problem):
    """Allocate the arrays, with those of a proven rule unless ``rule`` is None."""
    if rule is None:
        return Answering(oracle_of(problem), None, np.zeros(2, np.int64))
    proof = allocate_proven_stopping(problem)
    return Answering(proof.oracle, proof, proof.times)


def _answering_in_region(rule, problem):
    """As `_answering`, with a region."""
    search, work = oracle_of(problem, _checked_region(problem)), None
    if rule is not None:
        work = allocate_partition_proof(problem.polyhedron, *units_of_noise(rule, problem))
    return Answering(search, work, np.zeros(2, np.int64))


# Partitions


@kernel
def _update_partition(parameters, state):
    """Write the labels of the partition to verify."""
    question, oracle, means = parameters.oracle, state.oracle, state.record.means
    noise, region, samples = question.noise, question.region, state.record.time[0]
    if samples >= oracle.due[0]:
        steps = max(FEWEST_STEPS, int(np.sqrt(samples)))
        write_easiest_partition(
            means, noise, region, state.costs, steps, oracle.easiest, oracle.preferred
        )
        oracle.due[0] = GROWTH * samples
    write_labels(means, noise, region, oracle.preferred, oracle.search, oracle.labels)


@kernel
def _find_refutation(parameters, state):
    """Cost of the cheapest alternative that refutes the partition."""
    means, noise, region = state.record.means, parameters.oracle.noise, parameters.oracle.region
    search = state.oracle.search
    _update_partition(parameters, state)
    label_partition(means, noise, region, state.oracle.labels, search)
    return cheapest_move(means, state.weights, noise, region, np.inf, search)


@kernel
def _recommend_partition(parameters, state, answer):
    """Write the partition of the empirical means that the rule verifies."""
    question, oracle = parameters.oracle, state.oracle
    means, noise, region = state.record.means, question.noise, question.region
    write_labels(means, noise, region, oracle.preferred, oracle.search, answer)


@kernel
def _stop_when_partition_is_proven(parameters, state):
    record, oracle, proof = state.record, state.oracle, parameters.oracle.proof
    if not _is_due(parameters, state):
        return False
    _update_partition(parameters, state)
    return labels_are_proven(proof, record.observed, record.means, oracle.labels, oracle.proof)


def _partitioning(rule, problem):
    """As `_answering_in_region`, for a partition."""
    return Partitioning(
        *_answering_in_region(rule, problem),
        np.full(problem.n_arms, INFEASIBLE),
        np.full(problem.n_arms, INFEASIBLE),
        np.zeros(1, np.int64),
        allocate_partition_search(problem, _checked_region(problem)),
    )


# Best arms


@kernel
def _find_confusion(means, weights, noise, found):
    """Cost of the cheapest confusion of two arms in an objective, which is recorded."""
    cost, objective, best, challenger = cheapest_confusion(means, weights, noise)
    found["objective"], found["best"], found["challenger"] = objective, best, challenger
    return cost


@kernel
def _find_best_arms(parameters, state):
    noise, found = parameters.oracle.noise, state.oracle.found[0]
    return _find_confusion(state.record.means, state.weights, noise, found)


@kernel
def _write_best_arms(parameters, state):
    """Write the evidence of a sample of each arm against the alternative found."""
    means, noise, found = state.record.means, parameters.oracle.noise, state.oracle.found[0]
    confusion = found["objective"], found["best"], found["challenger"]
    write_confusion(means, state.weights, noise, confusion, state.alternative, state.shares)


_search_best_arms = searching(_find_best_arms)


@kernel
def _stop_when_leads_are_proven(parameters, state):
    """Test whether the answer is proven, at multiples of ``check_every``.

    The evidence is at most the cost of the cheapest confusion, which is faster to compute.
    """
    record, oracle, proof = state.record, state.oracle, parameters.oracle.proof
    if record.time[0] % parameters.test.check_every != 0 or record.observed.min() == 0:
        return False
    if _search_best_arms(parameters, state) < proof.rule.log_needed:
        return False
    for k in range(record.means.shape[0]):
        for c in range(record.means.shape[1]):
            oracle.information[k, c] = record.observed[k, c] / proof.variance[k, c]
            oracle.means[k, c] = record.means[k, c] / proof.unit[c]
    return leads_are_proven(proof.rule, oracle.information, oracle.means)


@kernel
def _recommend_best_arms(parameters, state, answer):
    write_best_arms(state.record, answer)


def _proven_leads(delta, problem):
    rule = best_arm_evidence_parameters(PROVEN_LEADS, delta, problem).rule
    return UnitsOfNoise(rule, *units_of_noise(PAIRS, problem))


def _leading_question(rule, check_every, delta, problem):
    proof = None if rule is None else _proven_leads(delta, problem)
    return Question(noise_of(problem), None, proof)


def _leading(rule, problem):
    shape = (problem.n_arms, problem.n_objectives)
    return Leading(np.zeros(1, CONFUSION), *(np.zeros(shape) for _ in range(4)))


# Separate measurements


@kernel
def _fold(parameters, oracle, counts, means):
    """Write the information and the means of each arm and objective, in units of the noise."""
    proof = parameters.oracle.proof
    n_arms, n_objectives = oracle.means.shape
    for k in range(n_arms):
        for c in range(n_objectives):
            row = k * n_objectives + c
            oracle.means[k, c] = means[row, 0] / proof.unit[c]
            oracle.information[k, c] = counts[row] / proof.variance[k, c]


@kernel
def _unfold(parameters, oracle, shares):
    """Write the evidence of a measurement of each arm and objective."""
    variance = parameters.oracle.proof.variance
    n_arms, n_objectives = oracle.means.shape
    for k in range(n_arms):
        for c in range(n_objectives):
            shares[k * n_objectives + c] = oracle.gradient[k, c] / variance[k, c]


@kernel
def _find_separately(parameters, state):
    """Cost of the cheapest alternative."""
    oracle = state.oracle
    _fold(parameters, oracle, state.weights, state.record.means)
    means, information = oracle.means, oracle.information
    return cheapest_alternative(means, information, None, None, np.inf, oracle.search)


@kernel
def _find_separately_for_proof(parameters, state):
    """As `_find_separately`, among the alternatives that the proof lacked evidence against."""
    oracle = state.oracle
    _fold(parameters, oracle, state.weights, state.record.means)
    means, information, weakest = oracle.means, oracle.information, oracle.work.weakest
    return _find_lacking(means, information, None, weakest, oracle.search)


@kernel
def _write_separately(parameters, state):
    """Write the evidence of a measurement of each arm and objective."""
    oracle = state.oracle
    means, information, gradient = oracle.means, oracle.information, oracle.gradient
    write_move(means, information, None, oracle.search, oracle.alternative, gradient)
    _unfold(parameters, oracle, state.shares)


@kernel
def _stop_when_proven_separately(parameters, state):
    """As `proven_stopping.is_proven`, with own counts of each arm and objective."""
    record, oracle, rule = state.record, state.oracle, parameters.oracle.proof.rule
    if not is_time_to_look(parameters.test.check_every, oracle.times, record.time[0]):
        return False
    if record.counts.min() == 0:
        return False
    _fold(parameters, oracle, record.counts, record.means)
    size, work = label_answer(oracle.means, None, None, oracle.search), oracle.work
    copy_vector(work.front, oracle.search.front)
    for k in range(work.optimal.shape[0]):
        work.optimal[k] = oracle.search.labels[k] == OPTIMAL
    needed = rule.log_needed
    found = least_evidence(rule, oracle.information, oracle.means, 0, size, needed, work)
    return found >= needed


@kernel
def _recommend_separately(parameters, state, answer):
    """Mark the Pareto set of the empirical means."""
    oracle = state.oracle
    _fold(parameters, oracle, state.record.counts, state.record.means)
    label_answer(oracle.means, None, None, oracle.search)
    for k in range(answer.shape[0]):
        answer[k] = oracle.search.labels[k] == OPTIMAL


@kernel
def _find_best_arms_separately(parameters, state):
    oracle = state.oracle
    _fold(parameters, oracle, state.weights, state.record.means)
    return _find_confusion(oracle.means, oracle.information, None, oracle.found[0])


@kernel
def _write_best_arms_separately(parameters, state):
    """Write the evidence of a measurement of each arm and objective."""
    oracle, found = state.oracle, state.oracle.found[0]
    confusion = found["objective"], found["best"], found["challenger"]
    means, information, gradient = oracle.means, oracle.information, oracle.gradient
    write_confusion(means, information, None, confusion, oracle.alternative, gradient)
    _unfold(parameters, oracle, state.shares)


_search_best_arms_separately = searching(_find_best_arms_separately)


@kernel
def _stop_when_leads_are_proven_separately(parameters, state):
    """Test whether the answer is proven (appendix, Theorem 6 with own counts).

    The evidence is at most the cost of the cheapest confusion, which is faster to compute.
    """
    record, oracle, rule = state.record, state.oracle, parameters.oracle.proof.rule
    if record.time[0] % parameters.test.check_every != 0 or record.counts.min() == 0:
        return False
    if _search_best_arms_separately(parameters, state) < rule.log_needed:
        return False
    _fold(parameters, oracle, record.counts, record.means)
    return leads_are_proven(rule, oracle.information, oracle.means)


@kernel
def _recommend_best_arms_separately(parameters, state, answer):
    """Write the empirically best arm of each objective."""
    oracle = state.oracle
    _fold(parameters, oracle, state.record.counts, state.record.means)
    for c in range(answer.shape[0]):
        answer[c] = oracle.means[:, c].argmax()


def _separate_question(rule, check_every, delta, problem):
    rule = make_rule(JOINT, -np.log(delta), problem.n_arms)
    return Question(None, None, UnitsOfNoise(rule, *units_of_noise(PAIRS, problem)))


def _separate_leading_question(rule, check_every, delta, problem):
    return Question(None, None, _proven_leads(delta, problem))


def _separate(rule, problem):
    shape = (problem.n_arms, problem.n_objectives)
    return Separate(
        allocate_oracle(*shape, separate=True),
        allocate_work(*shape),
        np.zeros(2, np.int64),
        *(np.zeros(shape) for _ in range(4)),
    )


# Rules


class Kernels(NamedTuple):
    """Kernels of a question."""

    search: Callable
    write: Callable
    recommend: Callable
    stop: Callable  # once the answer is proven
    aim: Callable  # search for what a proof lacks


def _rule(kernels, parameters, allocate, rule=None):
    """The rule of a question that compares the cost with a threshold, or stops by a proof."""
    search = kernels.search if rule is None else kernels.aim
    return Rule(
        selection(search, kernels.write),
        stopping(search) if rule is None else kernels.stop,
        kernels.recommend,
        functools.partial(parameters, rule),
        functools.partial(allocate, rule),
    )


_search, _search_refutation = searching(_find), searching(_find_refutation)
_KERNELS = Kernels(_search, _write, _recommend, _stop_when_proven, searching(_find_for_proof))
_IN_REGION = _KERNELS._replace(stop=_stop_when_labels_are_proven, aim=_search)
_PARTITION = Kernels(
    _search_refutation,
    _write,
    _recommend_partition,
    _stop_when_partition_is_proven,
    _search_refutation,
)
_BEST_ARMS = Kernels(
    _search_best_arms,
    _write_best_arms,
    _recommend_best_arms,
    _stop_when_leads_are_proven,
    _search_best_arms,
)
_SEPARATE = Kernels(
    searching(_find_separately),
    _write_separately,
    _recommend_separately,
    _stop_when_proven_separately,
    searching(_find_separately_for_proof),
)
_BEST_ARMS_SEPARATELY = Kernels(
    _search_best_arms_separately,
    _write_best_arms_separately,
    _recommend_best_arms_separately,
    _stop_when_leads_are_proven_separately,
    _search_best_arms_separately,
)
_JOINTLY = {
    PARETO_SET.name: (_KERNELS, _question, _answering),
    CONSTRAINED_PARETO_SET.name: (_IN_REGION, _question_in_region, _answering_in_region),
    PARTITION.name: (_PARTITION, _question_in_region, _partitioning),
    BEST_ARMS.name: (_BEST_ARMS, _leading_question, _leading),
}
_ONE_BY_ONE = {
    PARETO_SET.name: (_SEPARATE, _separate_question, _separate),
    BEST_ARMS.name: (_BEST_ARMS_SEPARATELY, _separate_leading_question, _leading),
}
STYLISED = {name: _rule(*parts) for name, parts in _JOINTLY.items()}
WITH_PROOF = {
    name: {proof: _rule(*parts, rule) for proof, rule in PROVEN.items()}
    for name, parts in _JOINTLY.items()
} | {BEST_ARMS.name: {PROVEN_LEADS: _rule(*_JOINTLY[BEST_ARMS.name], PAIRS)}}
SEPARATELY = {name: _rule(*parts) for name, parts in _ONE_BY_ONE.items()}
SEPARATELY_WITH_PROOF = {name: _rule(*parts, JOINT) for name, parts in _ONE_BY_ONE.items()}
